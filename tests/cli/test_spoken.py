"""The command line refuses as the library does, and names its own options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Call

import rocstats as rs
from rocstats.cli.command_parser import command_parser
from rocstats.errors import Sentence

rng = np.random.default_rng(5)
SICK = np.repeat([1, 0], [30, 40])
FRAME = pd.DataFrame(
    {
        "y": SICK,
        "many": np.arange(70) % 5,
        "a": (rng.normal(size=70) + SICK).round(2),
        "b": (rng.normal(size=70) + SICK).round(2),
        "holes": np.where(np.arange(70) % 9, 1.5, np.nan),
        "id": np.arange(70) // 2,
    }
)


def sample(markers: Any = ("a", "b"), outcome: str = "y", **options: Any) -> rs.ScoredSample:
    return rs.ScoredSample.from_frame(FRAME, outcome=outcome, markers=list(markers), **options)


def study(**options: Any) -> rs.Report:
    return rs.report(FRAME, outcome="y", markers=["a", "b"], **options)


AUC = "auc s.csv --outcome y --markers a"
COMPARE = "compare s.csv --outcome y --markers a,b"
THRESHOLDS = "thresholds s.csv --outcome y --marker a --n-resamples 20"
TWO = "twosample s.csv --group y --value a"
REPORT = "report s.csv --outcome y --markers a,b --quiet --r no -o p.html"
POWER = "power --auc 0.8"
AREA = {"auc": 0.8, "power": 0.9}
X, Y = FRAME["a"][SICK == 1], FRAME["a"][SICK == 0]
FEW = rs.Bootstrap(n_resamples=20, rng=1)

# A command, the flag that it names, and the call of the library that refuses alike.
CASES: list[tuple[str, str, Callable[[], Any]]] = [
    (f"{AUC} --positive 7", "--positive", lambda: sample("a", pos_label="7")),
    ("auc s.csv --outcome many --markers a", "--outcome", lambda: sample("a", outcome="many")),
    ("auc s.csv --outcome y --markers holes", "--nan-policy omit", lambda: sample(["holes"])),
    (
        f"{AUC} --lower-is-positive c",
        "--lower-is-positive",
        lambda: sample("a", higher_is_positive={"c": False}),
    ),
    (
        f"{AUC} --confidence-level 2",
        "--confidence-level",
        lambda: rs.auc(sample("a")).confidence_interval(confidence_level=2.0),
    ),
    (f"{AUC} --measures smok", "--measures", lambda: rs.estimate(sample("a"), measures=["smok"])),
    (
        f"{AUC} --measures smauc --midpoint 2",
        "--midpoint",
        lambda: rs.smooth_auc(midpoint=2.0),
    ),
    (
        f"{AUC} --measures smauc --class-weight x",
        "--class-weight",
        lambda: rs.smooth_auc(class_weight="x"),  # type: ignore[arg-type]
    ),
    (
        f"{AUC} --measures sauc --bounds 1,0",
        "--bounds",
        lambda: rs.scored_auc(bounds=(1.0, 0.0)),
    ),
    (f"{AUC} --measures smauc", "--bounds LOW,HIGH", lambda: rs.smauc(sample("a"))),
    (
        f"{AUC} --measures sauc --interval logit",
        "--bounds",
        lambda: rs.sauc(sample("a")).confidence_interval(method="logit"),
    ),
    (f"{COMPARE} --adjust x", "--adjust", lambda: rs.compare(sample()).pairwise(adjust="x")),
    (
        f"{COMPARE} --equivalence 0",
        "--equivalence",
        lambda: rs.compare(sample()).equivalence(0.0),
    ),
    (
        f"{COMPARE} --noninferiority -1",
        "--noninferiority",
        lambda: rs.compare(sample()).noninferiority(-1.0),
    ),
    (
        f"{COMPARE} --versus a --superiority 0.1",
        "--versus",
        lambda: rs.compare(sample()).superiority(0.1, new="a", standard="a"),
    ),
    (
        f"{THRESHOLDS} --criterion best",
        "--criterion",
        lambda: rs.optimal_cutpoint(sample("a"), criterion="best"),
    ),
    (
        f"{THRESHOLDS} --min-specificity 2",
        "--min-specificity",
        lambda: rs.optimal_cutpoint(sample("a"), min_specificity=2.0),
    ),
    (
        f"{THRESHOLDS} --weights 1,2",
        "--weights",
        lambda: rs.optimal_cutpoint(sample("a"), prevalence=2.0),
    ),
    (
        f"{THRESHOLDS} --weights=-1,.5",
        "--weights",
        lambda: rs.optimal_cutpoint(sample("a"), cost=-1.0),
    ),
    (
        f"{THRESHOLDS} --weights 2,.5 --criterion accuracy",
        "--weights",
        lambda: rs.optimal_cutpoint(
            sample("a"), cost=2.0, prevalence=0.5, criterion="accuracy", resampling=FEW
        ),
    ),
    (
        f"{THRESHOLDS} --prevalence 2",
        "--prevalence",
        lambda: rs.operating_points(sample("a"), prevalence=2.0),
    ),
    (
        f"{THRESHOLDS} --at-sensitivity 2",
        "--at-sensitivity",
        lambda: rs.specificity_at(sample("a"), sensitivity=2.0),
    ),
    (
        f"{THRESHOLDS} --threshold nan",
        "--threshold",
        lambda: rs.optimal_cutpoint(sample("a"), threshold=np.nan),
    ),
    (f"{THRESHOLDS} --n-resamples 0", "--n-resamples", lambda: rs.Bootstrap(n_resamples=0)),
    (f"{THRESHOLDS} --seed=-1", "--seed", lambda: rs.Bootstrap(rng=-1)),
    (f"{TWO} --statistic x", "--statistic", lambda: rs.two_sample_test(X, Y, statistic="x")),
    (f"{TWO} --n-resamples 0", "--n-resamples", lambda: rs.Permutation(n_resamples=0)),
    (
        f"{TWO} --method exact",
        "--method permutation",
        lambda: rs.two_sample_test(X, Y, method="exact"),
    ),
    (
        f"{TWO} --alternative less --confidence-level .3",
        "--confidence-level",
        lambda: rs.two_sample_test(X, Y, alternative="less").confidence_interval(
            confidence_level=0.3
        ),
    ),
    (
        "twosample s.csv --group many --value a",
        "--group",
        lambda: sample("a", outcome="many"),
    ),
    ("power --power .9", "--auc", lambda: rs.sample_size_auc(power=0.9)),
    (f"{POWER} --power .01", "--power", lambda: rs.sample_size_auc(auc=0.8, power=0.01)),
    (f"{POWER} --power 2", "--power", lambda: rs.sample_size_auc(auc=0.8, power=2.0)),
    (
        f"{POWER} --n-pos 9 --n-neg 9 --power .9",
        "--find power",
        lambda: rs.sample_size_auc(**AREA, n_pos=9, n_neg=9),
    ),
    (
        f"{POWER} --n-pos 9 --power .9 --find power",
        "--find size",
        lambda: rs.power_auc(**AREA, n_pos=9),
    ),
    (
        f"{POWER} --n-pos 9 --power .9 --find auc",
        "--auc",
        lambda: rs.power_auc(**AREA, n_pos=9, find="auc"),
    ),
    (
        f"{POWER} --n-pos 9 --power .9 --find significance --significance .1",
        "--significance",
        lambda: rs.power_auc(**AREA, n_pos=9, find="significance", significance=0.1),
    ),
    (f"{POWER} --power .9 --null 2", "--null", lambda: rs.sample_size_auc(**AREA, null_value=2.0)),
    (
        f"{POWER} --auc2 .7 --power .9",
        "--independent",
        lambda: rs.sample_size_auc(**AREA, auc2=0.7),
    ),
    (
        f"{POWER} --auc2 .7 --auc-correlation .5 --group-ratio 2 --power .9",
        "--independent",
        lambda: rs.sample_size_auc(**AREA, auc2=0.7, auc_correlation=0.5, group_ratio=2.0),
    ),
    (
        f"{POWER} --model obuchowski --sd-ratio 2 --power .9",
        "--model normal",
        lambda: rs.sample_size_auc(**AREA, model="obuchowski", sd_ratio=2.0),
    ),
    (
        f"{POWER} --auc2 .7 --correlation .5 --model obuchowski --power .9",
        "--auc-correlation",
        lambda: rs.sample_size_auc(**AREA, auc2=0.7, correlation=0.5, model="obuchowski"),
    ),
    (
        f"{POWER} --margin .1 --power .9",
        "--aim",
        lambda: rs.sample_size_auc(**AREA, margin=0.1),
    ),
    (
        f"{POWER} --ratio 2 --prevalence .1 --power .9",
        "--prevalence",
        lambda: rs.sample_size_auc(**AREA, ratio=2.0, prevalence=0.1),
    ),
    (
        f"{POWER} --half-width .1 --power .9",
        "--alternative",
        lambda: rs.sample_size_auc(**AREA, half_width=0.1),
    ),
    (f"{POWER} --n-pos 0", "--n-pos", lambda: rs.power_auc(auc=0.8, n_pos=0)),
    (
        f"{POWER} --n-pos 9 --simulate 0",
        "--simulate",
        lambda: rs.power_auc(auc=0.8, n_pos=9).simulate(n_replicates=0),
    ),
    (f"{REPORT} --margin 2", "--margin", lambda: study(margin=2.0)),
    (f"{REPORT} --aim equivalence", "--margin", lambda: study(aim="equivalence")),
    (f"{REPORT} --confidence-level .3", "--confidence-level", lambda: study(confidence_level=0.3)),
    (f"{REPORT} --n-resamples 5", "--n-resamples", lambda: study(n_resamples=5)),
    (f"{REPORT} --adjust x", "--adjust", lambda: study(adjust="x")),
    (f"{REPORT} --criterion x", "--criterion", lambda: study(criterion="x")),
    (f"{REPORT} --prevalence 2", "--prevalence", lambda: study(prevalence=2.0)),
    (f"{REPORT} --planned 0,1", "--planned", lambda: study(planned=(0, 1))),
    (f"{REPORT} --versus c", "--versus", lambda: study(versus="c")),
    (f"{REPORT} --label c=C", "--label", lambda: study(labels={"c": "C"})),
    (f"{REPORT} --label a=b", "--label", lambda: study(labels={"a": "b"})),
    (f"{REPORT} --unit c=mm", "--unit", lambda: study(units={"c": "mm"})),
    (f"{REPORT} --positive 7", "--positive", lambda: study(pos_label="7")),
    (f"{REPORT} --seed=-1", "--seed", lambda: study(rng=-1)),
]

FLAG = r"((?:the cost in |the prevalence in )?--[a-z][a-z0-9-]*(?: [\w.,-]*\w)?)"


def flags_of(command: str) -> set[str]:
    parsers = next(a for a in command_parser()._actions if isinstance(a.choices, dict)).choices
    assert isinstance(parsers, dict)
    return {flag for action in parsers[command]._actions for flag in action.option_strings}


def alike(sentence: Sentence) -> re.Pattern[str]:
    """Return what a sentence may read like: its own words, and flags where it names options."""
    texts = sentence.spoken(lambda mention: "\0").split("\0")
    return re.compile(FLAG.join(map(re.escape, texts)))


@pytest.mark.parametrize(("argv", "flag", "refuse"), CASES, ids=[case[0] for case in CASES])
def test_the_sentence_of_the_library_with_the_options_of_the_command(
    call: Call, argv: str, flag: str, refuse: Callable[[], Any]
) -> None:
    FRAME.to_csv("s.csv", index=False)
    with pytest.raises(rs.RocstatsError) as caught:
        refuse()
    answer = call(*argv.split())
    said = answer.err.splitlines()[-1].removeprefix("rocstats: ")
    assert (answer.code, answer.out) == (2, "")
    assert flag in said
    found = alike(caught.value.sentence).fullmatch(said)
    assert found, f"{said!r} is not {str(caught.value)!r}"
    known = flags_of(argv.split()[0])
    assert {re.search(r"--[a-z0-9-]+", spelt)[0] for spelt in found.groups()} <= known  # type: ignore[index]
    assert not re.search(r"\w+=|\brs\.|\b(pos_label|y_true|y_score|\w+_is_\w+)\b", said)
    assert not re.search(r"\b[a-z]+_[a-z]+\b(?!['\"])", said)


@pytest.mark.parametrize("name", ["pos_label=", "nan_policy", "margin= ", 'nan_policy="omit"'])
def test_a_column_is_no_option_whatever_its_name(call: Call, name: str) -> None:
    FRAME.rename(columns={"holes": name}).to_csv("s.csv", index=False)
    quoted = '"' + name.replace('"', '""') + '"'
    answer = call("auc", "s.csv", "--outcome", "y", "--markers", quoted)
    assert answer.err == (
        f"rocstats: There are missing values (8 in {name}); complete the data or pass "
        "--nan-policy omit to leave those subjects out.\n"
    )
    answer = call("auc", "s.csv", "--outcome", f"{name}?", "--markers", "a")
    assert f"have no column {name + '?'!r}; they have y, many, a, b, {name}, id." in answer.err


def test_warnings_name_the_options_too(call: Call) -> None:
    FRAME.to_csv("s.csv", index=False)
    answer = call(*AUC.split(), "--subject", "id")
    assert answer.code == 0
    assert "name their clusters with --cluster if those of a subject depend." in answer.err
    answer = call(*TWO.split(), "--method", "asymptotic")
    assert answer.err.endswith("use --method permutation.\n")
