"""Short words of the command line: levels, values of a column, bounds, one marker alone."""

from __future__ import annotations

import argparse
import json
import re
import runpy
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import Call

import rocstats as rs

RNG = np.random.default_rng(5)
ILL = np.repeat([True, False], [20, 30])
FRAME = pd.DataFrame(
    {
        "outcome": np.where(ILL, "Poor", "Good"),
        "site": np.tile(["a", "b", "b", "c", "c"], 10),
        "grade": np.tile([1, 2, 3, 4, 5, 6, 6, 5, 6, 6], 5),
        "crp": np.round(RNG.gamma(2.0, 3.0 + 2.0 * ILL), 3),
        "ldh": np.round(RNG.gamma(2.0, 3.0 + 1.0 * ILL), 3),
    }
)
BASIC = ("study.csv", "--outcome", "outcome", "--positive", "Poor")


@pytest.fixture
def study(call: Call) -> Call:
    FRAME.to_csv("study.csv", index=False)
    return call


def test_the_report_prints_its_level_beside_each_interval(study: Call) -> None:
    fast = ("--n-resamples", "100", "--r", "no", "--quiet", "-o", "page.html")
    answer = study("report", *BASIC, "--markers", "crp", "--confidence-level", "0.8", *fast)
    assert answer.code == 0, answer.err
    area = rs.auc(FRAME["outcome"], FRAME["crp"], pos_label="Poor")
    found = re.search(r"crp: AUC ([\d.]+) \(80% interval ([\d.]+) to ([\d.]+)\)", answer.out)
    assert found is not None
    limits = area.confidence_interval(0.8)
    wanted = [area.value, limits.low, limits.high]
    assert [float(x) for x in found.groups()] == pytest.approx(wanted, abs=5e-4)


def test_init_lists_the_values_of_a_column_with_few_and_the_range_of_others(study: Call) -> None:
    text = study("report", *BASIC, "--markers", "crp", "--init").out
    listed = {
        line.split(":")[0].strip('# "'): line.split(":", 1)[1].strip()
        for line in text.splitlines()
        if re.match(r'#\s+"?\w+"?: ', line)
    }
    assert (
        listed["site"] == 'text, 3 values ("b" 20 times, "c" 20 times, "a" 10 times), none missing'
    )
    counts = FRAME["grade"].value_counts()
    for value, count in counts.items():
        assert f"{value} {count} times" in listed["grade"].replace('"', "")
    assert "6 values (" in listed["grade"]
    n = FRAME["crp"].nunique()
    low, high = FRAME["crp"].min(), FRAME["crp"].max()
    assert listed["crp"] == f"number, {n} values from {low:g} to {high:g}, none missing"


def test_one_marker_alone_is_refused_with_or_without_a_margin(study: Call) -> None:
    one = ("compare", *BASIC, "--markers", "crp", "--measure", "auc,sauc", "--bounds", "range")
    for more in ((), ("--noninferiority", "0.1"), ("--equivalence", "0.1", "--json")):
        refused = study(*one, *more)
        assert (refused.code, refused.out) == (2, "")
        assert "There is one classifier only (crp)" in refused.err


def test_bounds_by_the_word_range_are_those_of_the_data(study: Call) -> None:
    options = ("--markers", "crp", "--measures", "sauc", "--json")
    low, high = FRAME["crp"].min(), FRAME["crp"].max()
    by_word = study("auc", *BASIC, *options, "--bounds", "range")
    by_number = study("auc", *BASIC, *options, "--bounds", f"{low},{high}")
    assert by_word.code == by_number.code == 0, by_word.err
    (one,), (other,) = (json.loads(a.out)["estimates"] for a in (by_word, by_number))
    assert one["estimate"] == pytest.approx(other["estimate"], rel=1e-12)


def test_the_same_warning_is_said_once_and_another_too(capsys: pytest.CaptureFixture[str]) -> None:
    from rocstats.cli.command_runs import spoken_warnings

    with spoken_warnings(argparse.Namespace()):
        for words in ("Few subjects.", "Few subjects.", "Few clusters.", "Few subjects."):
            warnings.warn(rs.RocstatsWarning(words), stacklevel=1)
    said = capsys.readouterr().err.splitlines()
    assert [line.rpartition("warning: ")[2] for line in said] == ["Few subjects.", "Few clusters."]


@pytest.mark.parametrize(("words", "code"), [(("--version",), 0), (("auc", "nowhere.csv"), 2)])
def test_the_module_is_the_command_and_ends_with_its_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str],
    code: int,
) -> None:
    monkeypatch.setattr(sys, "argv", ["rocstats", *words])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("rocstats", run_name="__main__")
    assert (end.value.code or 0) == code
