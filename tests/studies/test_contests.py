"""Contests of tests: means over sizes, best first."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.studies.power_words import contests, same_statistic, tallies
from rocstats.studies.presets import PRESETS


def test_contests_are_means_over_sizes_best_first() -> None:
    gains = {"a": (0.01, 0.03), "b": (-0.05, 0.01), "c": (0.10, 0.20)}
    rows = [
        {"test": test, "design": design, "difference": sign * gain, "difference_std_error": 0.01}
        for test, sign in (("sauc", 1.0), ("t", -1.0))
        for design, pair in gains.items()
        for gain in pair
    ]
    found = contests(rows, "sauc")
    assert [one.design for one in found] == ["c", "a", "b"]
    assert [one.points for one in found] == pytest.approx([15.0, 2.0, -2.0])
    assert [one.error for one in found] == pytest.approx([1.0 / math.sqrt(2.0)] * 3)
    assert [(one.low, one.high) for one in found][2] == pytest.approx((-5.0, 1.0))
    assert [one.outcome for one in found] == ["beats", "undecided", "undecided"]
    assert [one.design for one in contests(rows, "t")] == ["b", "a", "c"]


def test_the_preset_has_the_designs_of_its_full_run() -> None:
    """Alternatives and effects are those of the rows that docs/studies keeps of the run."""
    preset = PRESETS["sauc-vs-wmw"]
    path = Path(__file__).parents[2] / "docs" / "studies" / "sauc-vs-wmw" / "study.csv"
    with path.open(encoding="utf-8", newline="") as file:
        kept = [
            (row["design"], row["effect"], int(row["n_pos"]), int(row["n_neg"]))
            for row in csv.DictReader(file)
        ]
    assert {row[2:] for row in kept} == {*preset.sizes}
    ours = {(one.name, one.effect, one.n_pos, one.n_neg) for one in preset.designs(quick=True)}
    assert ours == {row for row in kept if row[2:] in preset.quick_sizes}


def test_tallies_count_by_kind_of_sizes_and_over_all() -> None:
    """One alternative is won with fewer positives and lost with more: over all, neither."""
    rows = [
        {
            "test": test,
            "design": "a",
            "n_pos": m,
            "n_neg": n,
            "difference": sign * gain,
            "difference_std_error": 0.01,
        }
        for test, sign in (("sauc", 1.0), ("sauc-permutation", -1.0))
        for m, n, gain in ((5, 15, 0.1), (15, 5, -0.1))
    ]
    found = {
        (row["sizes"], row["test"]): (row["won"], row["lost"], row["undecided"])
        for row in tallies(rows, ("sauc", "sauc-permutation"))
    }
    normal, permuted = "sAUC (normal approximation)", "sAUC (permutation)"
    assert found == {
        ("With fewer positives", normal): (1, 0, 0),
        ("With fewer positives", permuted): (0, 1, 0),
        ("With more positives", normal): (0, 1, 0),
        ("With more positives", permuted): (1, 0, 0),
        ("Over all sizes", normal): (0, 0, 1),
        ("Over all sizes", permuted): (0, 0, 1),
    }


def test_tests_by_the_same_statistic_are_named_where_the_study_has_both() -> None:
    design = rs.two_sample_design("normal", n_pos=5, n_neg=5)
    both = rs.power_study(design, tests=["auc", "sauc", "sauc-permutation"], n_replicates=2, rng=1)
    one = rs.power_study(design, tests=["auc", "sauc"], n_replicates=2, rng=1)
    assert same_statistic(both, "sauc") == ("sauc", "sauc-permutation")
    assert same_statistic(one, "sauc") == ("sauc",)
    assert same_statistic(both, "auc") == ("auc",)
