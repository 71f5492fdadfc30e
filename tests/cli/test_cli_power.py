"""``rocstats power``: the plan of the library, as text and JSON, and refusals in options."""

import json

import pytest

import rocstats as rs
from rocstats.cli import main


def _found_sauc() -> rs.PowerResult:
    return rs.power_sauc(n_pos=30, find="sauc", power=0.8)


def test_sizes_are_found_for_a_power(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--auc", "0.8", "--null", "0.7", "--power", "0.9", "--ratio", "2"]) == 0
    plan = rs.sample_size_auc(auc=0.8, null_value=0.7, power=0.9, ratio=2)
    assert capsys.readouterr().out.strip() == plan.sentence


@pytest.mark.parametrize(
    ("argv", "plan"),
    [
        (
            "--auc .8 --n-pos 50 --n-neg 100 --model obuchowski",
            lambda: rs.power_auc(auc=0.8, n_pos=50, n_neg=100, model="obuchowski"),
        ),
        (
            "--auc .8 --half-width .05 --prevalence .2",
            lambda: rs.sample_size_auc(auc=0.8, half_width=0.05, prevalence=0.2),
        ),
        (
            "--auc .85 --auc2 .75 --correlation .6,.4 --power .8 --sd-ratio 1.5",
            lambda: rs.sample_size_auc(auc=0.85, auc2=0.75, correlation=(0.6, 0.4), sd_ratio=1.5),
        ),
        (
            "--auc .85 --auc2 .75 --independent --group-ratio 2 --n-pos 80",
            lambda: rs.power_auc(auc=0.85, auc2=0.75, paired=False, group_ratio=2, n_pos=80),
        ),
        (
            "--auc .85 --auc2 .85 --auc-correlation .5 --margin .05 --aim noninferiority "
            "--power .9",
            lambda: rs.sample_size_auc(
                auc=0.85, auc2=0.85, auc_correlation=0.5, margin=0.05, aim="non-inferiority",
                power=0.9,
            ),
        ),
        (
            "--null .7 --n-pos 60 --power .8 --find auc",
            lambda: rs.power_auc(null_value=0.7, n_pos=60, find="auc", power=0.8),
        ),
        (
            "--mean-difference .8 --sd-pos 1.2 --power .9",
            lambda: rs.sample_size_sauc(0.8, sd_pos=1.2, power=0.9),
        ),
        (
            "--mean-difference 1 --mean-difference2 .5 --correlation .6,.4 --sd-neg 1,2 --n-pos 40",
            lambda: rs.power_sauc(
                1.0, mean_difference2=0.5, correlation=(0.6, 0.4), sd_neg=(1, 2), n_pos=40
            ),
        ),
        ("--find sauc --n-pos 30 --power .8", lambda: _found_sauc()),
    ],
)  # fmt: skip
def test_json_is_the_plan(argv: str, plan, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", *argv.split(), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expected = {k: None if v != v else v for k, v in plan().to_dict().items()}  # nan is null
    assert answer["command"] == "power"
    assert answer["plan"] == expected


def test_simulation_beside_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["power", "--auc", "0.8", "--n-pos", "12", "--simulate", "30", "--seed", "3"]
    assert main([*argv, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expected = rs.power_auc(auc=0.8, n_pos=12).simulate(n_replicates=30, rng=3)
    assert answer["simulation"] == expected.to_dict()
    assert main(argv) == 0
    assert repr(expected) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        ("--auc .7 --null .7 --power .8", "must be other than 0.7"),
        ("--auc 1.2 --power .8", "--auc must lie strictly between 0 and 1"),
        ("--auc .8 --auc2 .8 --power .8", "--correlation (of the scores) or --auc-correlation"),
        ("--auc .8 --n-pos 50 --power .8 --find power", "give --find auc or --find significance"),
        ("--auc .8", "Give --n-pos, or --power"),
        ("--auc .8 --power .8 --aim better --margin .1", "--aim must be one of"),
        ("--auc .8 --n-pos 20 --seed 1", "--seed has no part"),
        ("--auc .8 --n-pos 20 --simulate 9 --seed -1", "--seed must be a whole number from 0"),
        ("--auc .8 --n-pos 20 --simulate 0", "--simulate must be a whole number of at least 1"),
        ("--auc .8 --n-pos 20 --half-width .1 --find power", "A half-width is for finding sizes"),
        ("--auc .8 --power .8 --margin .1", "--margin and --aim together"),
        ("--auc .8 --null 1.5 --power .8", "--null must be a value that is possible"),
        ("--mean-difference 1 --auc .8 --power .8", "--auc cannot stand beside the options"),
        ("--mean-difference 1 --independent --power .8", "--independent cannot stand beside"),
        ("--mean-difference 1 --mean-difference2 1 --power .8", "need --correlation"),
        ("--mean-difference 1 --n-pos 9 --n-neg 9 --power .8", "use --find power for their power"),
        ("--mean-difference 1", "Give --n-pos, or --power"),
        (
            "--mean-difference 1 --find auc --power .8",
            "--find must be one of 'size', 'power', 'sauc",
        ),
    ],
)
def test_refusals_name_options(argv: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", *argv.split()]) == 2
    answer = capsys.readouterr()
    assert not answer.out
    assert why in answer.err
    assert answer.err.count("\n") == 1
