"""``rocstats thresholds``: what a clinician reads, what a program reads, and what is refused."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Call

import rocstats as rs
from rocstats.cli.thresholds import _equals

rng = np.random.default_rng(9)
LABEL = np.repeat(["yes", "no"], [41, 72])
FRAME = pd.DataFrame(
    {
        "sick": LABEL,
        "crp": (rng.normal(size=113) + (LABEL == "yes")).round(1),
        "albumin": (rng.normal(size=113) - (LABEL == "yes")).round(1),
    }
)
BASIC = ("--outcome", "sick", "--positive", "yes", "--marker", "crp", "--n-resamples", "50")


@pytest.fixture
def call(call: Call) -> Call:
    """Run the command beside the file."""
    FRAME.to_csv("study.csv", index=False)
    return partial(call, "thresholds", "study.csv")


def answer(call: Call, *argv: str) -> dict[str, Any]:
    found = call(*BASIC, *argv, "--json")
    assert (found.code, found.err) == (0, "")
    content: dict[str, Any] = json.loads(found.out)
    return content


def sample(marker: str = "crp", *, up: bool = True) -> rs.ScoredSample:
    return rs.ScoredSample.from_frame(
        FRAME, outcome="sick", markers=marker, pos_label="yes", higher_is_positive=up
    )


def test_without_a_threshold_the_data_choose_and_the_text_says_so(call):
    found = call(*BASIC)
    assert (found.code, found.err) == (0, "")
    expected = rs.optimal_cutpoint(sample(), resampling=rs.Bootstrap(n_resamples=50, rng=1))
    out = found.out
    assert out.startswith("study.csv: the positive class is sick = yes; 41 positives, 72 negatives")
    assert "Exploratory cutpoint: largest Youden's J." in out
    assert f"Positive if crp >= {expected.threshold[0]:g}" in out
    se, sp = expected.corrected_sensitivity[0], expected.corrected_specificity[0]
    assert "These data chose the cutpoint, so the figures above are too good." in out
    assert f"Corrected for optimism: sensitivity {se:.4f} (" in out
    assert f"specificity {sp:.4f} (" in out
    limits = expected.confidence_interval()
    assert (
        "95% interval of the cutpoint, taken half-way to the next score "
        f"({expected.midpoint[0]:.6g}): {limits.low:.6g} to {limits.high:.6g} "
        "(50 resamples, seed 1)." in out
    )
    assert "Prespecified" not in out


def test_a_prespecified_threshold_has_a_table_rates_and_a_sentence(call):
    out = call(*BASIC, "--threshold", "0.5", "--prevalence", "0.02,0.1").out
    points = rs.operating_points(sample(), thresholds=0.5, prevalence=[0.02, 0.1])
    tp, fp, fn, tn = (int(x[0]) for x in (points.tp, points.fp, points.fn, points.tn))
    lines = [line.split() for line in out.splitlines()]
    assert ["positive", str(tp), str(fp)] in lines
    assert ["negative", str(fn), str(tn)] in lines
    for row in points.table():
        numbers = [f"{row[key]:.4f}" for key in ("estimate", "conf_low", "conf_high")]
        assert any(
            " ".join(line).startswith(" ".join([row["label"], *numbers])) for line in lines
        ), row
    assert "Prespecified threshold." in out
    assert "xploratory" not in out
    found = round(100 * float(points.sensitivity[0]))
    alarms = round(900 * (1 - float(points.specificity[0])))
    assert (
        f"Of 1000 such people at a prevalence of 10%, 100 have sick = yes: {found} of them are "
        f"called positive and {100 - found} are missed; of the other 900, {alarms} are called "
        "positive wrongly." in out
    )
    assert "at a prevalence of 2%, 20 have sick = yes" in out
    rare = call(*BASIC, "--threshold", "0.5", "--prevalence", "0.0002").out
    assert "Of 100000 such people at a prevalence of 0.02%, 20 have sick = yes" in rare
    usual = call(*BASIC, "--threshold", "0.5", "--prevalence", "0.9998").out
    assert "Of 100000 such people at a prevalence of 99.98%, 99980 have sick = yes" in usual
    assert "of the other 20, " in usual


def test_a_prevalence_next_to_nothing_gives_no_warning(call):
    content = answer(call, "--prevalence", "1e-320")
    rows = content["cutpoints"][0]["optima"][0]["table"]
    found = {row["measure"]: row["estimate"] for row in rows}
    assert found["ppv_at_1e-320"] == 0.0
    assert found["npv_at_1e-320"] == 1.0


def test_the_call_of_the_issue(call):
    argv = ("--prevalence", ".02,.1", "--at-specificity", ".95")
    out = call(*BASIC, *argv).out
    assert "Exploratory cutpoint" in out
    assert "PPV at prevalence 0.02" in out
    assert "(by the corrected rates)." in out
    assert "Sensitivity at fixed specificity. The threshold is estimated" in out
    assert "Exploratory threshold with specificity of at least 0.95 in these data: crp >= " in out
    content = answer(call, *argv)
    assert content["command"] == "thresholds"
    (fixed,) = content["fixed_rates"]
    expected = rs.sensitivity_at(
        sample(), specificity=0.95, resampling=rs.Bootstrap(n_resamples=50, rng=1)
    )
    assert fixed == json.loads(json.dumps(expected.to_dict()))
    (cutpoint,) = content["cutpoints"]
    assert cutpoint["kind"] == "exploratory"
    optimum = cutpoint["optima"][0]
    assert [f["prevalence"] for f in optimum["frequencies"]] == [0.02, 0.1]
    assert optimum["table"][-1]["measure"] == "npv_at_0.1"
    assert content["all"] is None


def test_several_questions_at_once(call):
    content = answer(
        call,
        *("--threshold", "0.5,1", "--criterion", "specificity", "--min-sensitivity", "0.8"),
        *("--at-sensitivity", "0.9", "--all", "--interval", "clopper-pearson"),
    )
    kinds = [(c["kind"], c["criterion"]) for c in content["cutpoints"]]
    assert kinds == [
        ("prespecified", "as given"),
        ("prespecified", "as given"),
        ("exploratory", "largest specificity, with sensitivity of at least 0.8"),
    ]
    assert content["cutpoints"][0]["optima"][0]["table"][0]["conf_method"] == "clopper-pearson"
    assert content["cutpoints"][0]["cutpoint_conf_low"] is None
    points = rs.operating_points(sample(), interval="clopper-pearson")
    assert [row["tp"] for row in content["all"]["points"]] == points.tp.tolist()
    assert content["all"]["points"][0]["threshold"] is None  # infinite
    assert content["fixed_rates"][0]["rows"][0]["quantity"] == "specificity at fixed sensitivity"


@pytest.mark.parametrize("name", ["product", "equality", "kappa", "chi_square", "predictive_sum"])
def test_a_cutpoint_by_any_criterion(call, name):
    (found,) = answer(call, "--criterion", name)["cutpoints"]
    direct = rs.optimal_cutpoint(
        sample(), criterion=name, resampling=rs.Bootstrap(n_resamples=50, rng=1)
    )
    assert found["criterion"] == direct.criterion
    assert [row["threshold"] for row in found["optima"]] == direct.threshold.tolist()


def test_the_table_of_all_thresholds(call):
    out = call(*BASIC, "--all", "--threshold", "1", "--prevalence", "0.1").out
    table = out[out.index("All thresholds.") :].splitlines()
    points = rs.operating_points(sample())
    assert len(table) == 2 + points.threshold.size
    assert table[1].split()[-2:] == ["ppv_at_0.1", "npv_at_0.1"]
    assert table[3].split()[:5] == [f"{points.threshold[1]:.4f}", *map(str, _cells(points, 1))]


def _cells(points: rs.OperatingPoints, i: int) -> list[int]:
    return [int(column[i]) for column in (points.tp, points.fp, points.fn, points.tn)]


def test_weights_seed_and_low_markers(call):
    argv = ("--outcome", "sick", "--positive", "yes", "--markers", "albumin")
    low = ("--lower-is-positive", "albumin", "--n-resamples", "50", "--seed", "3")
    out = call(*argv, *low, "--weights", "4,0.1").out
    expected = rs.optimal_cutpoint(
        sample("albumin", up=False),
        cost=4,
        prevalence=0.1,
        resampling=rs.Bootstrap(n_resamples=50, rng=3),
    )
    assert "Exploratory cutpoint: largest se - r (1 - sp), r = 2.25" in out
    assert f"Positive if albumin <= {expected.threshold[0]:g}" in out
    limits = expected.confidence_interval()
    assert f"{limits.low:.6g} to {limits.high:.6g} (50 resamples, seed 3)" in out


def test_equal_optima_are_all_shown(call):
    pd.DataFrame({"y": [1, 1, 1, 1, 0, 0, 0, 0], "a": [9, 8, 6, 3, 7, 4, 2, 1]}).to_csv(
        "study.csv", index=False
    )
    out = call("--outcome", "y", "--marker", "a", "--n-resamples", "20").out
    assert "largest Youden's J; 3 cutpoints are equally good." in out
    assert [out.count(f"Positive if a >= {t}") for t in (8, 6, 3)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--marker", "albumin"), "--marker takes one column, got 2"),
        (("--criterion", "best"), "--criterion must be one of 'youden'"),
        (("--interval", "wald"), "--interval must be one of 'wilson'"),
        (("--weights", "2,3,4"), "--weights takes a cost and a prevalence, got 3 numbers."),
        (("--weights", "2"), "The data have no column '2'"),
        (("--prevalence", "1.5"), "--prevalence must lie strictly between 0 and 1"),
        (("--at-specificity", "95"), "--at-specificity must lie within [0, 1]"),
        (("--min-sensitivity", "2"), "--min-sensitivity must lie within [0, 1]"),
        (("--n-resamples", "0"), "--n-resamples must be a whole number"),
        (("--confidence-level", "95"), "--confidence-level must lie strictly"),
        (("--threshold", "nan"), "--threshold must be a number"),
        (
            ("--min-sensitivity", "1", "--min-specificity", "1"),
            "No threshold of crp has sensitivity of at least 1 and specificity of at least 1",
        ),
    ],
)
def test_refusals_are_one_sentence(call, argv, message):
    found = call(*BASIC, *argv)
    assert found.code == 2
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert message in found.err


def test_help_names_one_marker(call, capsys):
    with pytest.raises(SystemExit) as stop:
        call("--help")
    assert stop.value.code == 0
    assert "--marker COLUMN, --markers COLUMN" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("text", ["x", "", "1,,2"])
def test_what_is_no_number_is_refused_in_plain_words(call, capsys, text):
    with pytest.raises(SystemExit) as stop:
        call(*BASIC, "--threshold", text)
    assert stop.value.code == 2
    assert f"numbers separated by commas were expected, got {text!r}" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["--json", "--all"])
def test_a_class_of_one_has_no_optimism_to_tell(call: Call, form: str) -> None:
    FRAME.iloc[40:].to_csv("study.csv", index=False)
    found = call(*BASIC, "--prevalence", "0.1", form)
    assert found.code == 0
    assert "nan" not in found.out.casefold().partition("threshold  tp")[0]
    if form == "--all":
        assert "too good. By how much cannot be told from so few." in found.out
        assert "interval of the cutpoint" not in found.out


def test_14_06_attainable_thresholds_come_before_an_interpolated_rate(call):
    """Line 6 of issue 14, for a test with two results."""
    Path("study.csv").write_text("y,t\n" + "0,0\n" * 15 + "0,1\n" * 5 + "1,1\n" * 7 + "1,0\n" * 3)
    argv = ("--outcome", "y", "--positive", "1", "--marker", "t", "--n-resamples", "50")
    out = call(*argv, "--at-specificity", "0.9").out
    nobody = "Exploratory threshold with specificity of at least 0.9 in these data: no one is"
    next_one = "The next one, with specificity below 0.9 in these data: t >= 1 (sensitivity 0.7000"
    assert out.index(nobody) < out.index(next_one) < out.index("interpolated")
    assert "inf" not in out
    assert "Take the interval by order statistics (order)" in out


def test_14_07_equal_thresholds_are_told_readably(call):
    """Line 7 of issue 14: which thresholds have the same table, from below to above."""
    up = rs.optimal_cutpoint(sample(), resampling=rs.Bootstrap(n_resamples=50, rng=1))
    here, there, middle = (float(x[0]) for x in (up.threshold, up.next_score, up.midpoint))
    said = f"Every threshold above {there:g} up to {here:g} gives this table; half-way lies "
    assert f"{said}{middle:g}." in call(*BASIC).out
    down = sample("albumin", up=False)
    found = rs.optimal_cutpoint(down, resampling=rs.Bootstrap(n_resamples=50, rng=1))
    here, there = float(found.threshold[0]), float(found.next_score[0])
    argv = ("--outcome", "sick", "--positive", "yes", "--marker", "albumin", "--n-resamples", "50")
    out = call(*argv, "--lower-is-positive", "albumin").out
    assert f"Every threshold from {here:g} to below {there:g} gives this table" in out
    ends = [
        {"threshold": math.inf, "next_score": 3.0, "midpoint": math.inf},
        {"threshold": 1.0, "next_score": -math.inf, "midpoint": -math.inf},
        {"threshold": -math.inf, "next_score": 3.0, "midpoint": -math.inf},
    ]
    assert [_equals(row) for row in ends] == [
        "Every threshold above 3 gives this table.",
        "Every threshold up to 1 gives this table.",
        "Every threshold to below 3 gives this table.",
    ]


def test_14_08_a_cut_that_was_prespecified_is_shown_once(call):
    """Line 8 of issue 14."""
    best = rs.optimal_cutpoint(sample(), resampling=rs.Bootstrap(n_resamples=50, rng=1))
    cut = f"{best.threshold[0]:g}"
    out = call(*BASIC, "--threshold", cut, "--criterion", "youden").out
    assert out.count("Sensitivity  ") == 1, out
    assert f"positive as the prespecified threshold crp >= {cut}: its figures stand there" in out
    assert "Corrected for optimism" not in out
    other = call(*BASIC, "--threshold", "-9", "--criterion", "youden").out
    assert other.count("Sensitivity  ") == 2
    frame = "sick,crp\n" + "yes,1\n" * 21 + "yes,0\n" * 9 + "no,1\n" * 15 + "no,0\n" * 55
    Path("study.csv").write_text(frame)
    steady = call(*BASIC).out
    assert "every resample chose it again: the figures above need no correction" in steady
    assert "Corrected" not in steady
