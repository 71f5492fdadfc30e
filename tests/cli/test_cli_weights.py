"""Weights, verification and adjustment on the command line: as in the library, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Call

import rocstats as rs

rng = np.random.default_rng(4)
N = 120
TRUE = rng.random(N) < 0.45
VERIFIED = rng.random(N) < 0.7
FRAME = pd.DataFrame(
    {
        "ill": TRUE.astype(int),
        "crp": (rng.normal(size=N) + TRUE).round(2),
        "pct": (rng.normal(size=N) + 0.5 * TRUE).round(2),
        "w": rng.uniform(0.5, 3.0, N).round(3),
        "n": rng.integers(0, 4, N),
        "h": np.arange(N) % 3,
        "c": np.arange(N) // 5,
        "centre": np.array(list("ABC"))[rng.integers(0, 3, N)],
        "age": rng.normal(60, 9, N).round(1),
        "biopsy": VERIFIED.astype(int),
        "known": np.where(VERIFIED, TRUE, np.nan),
    }
)
BASIC = ("--outcome", "ill", "--markers", "crp")


@pytest.fixture
def ask(call: Call) -> Any:
    FRAME.to_csv("study.csv", index=False)
    return lambda command, *args: call(command, "study.csv", *args)


def first(found: Any) -> dict[str, Any]:
    assert (found.code, found.err) == (0, "")
    row: dict[str, Any] = json.loads(found.out)["estimates"][0]
    return row


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (("--weights", "w"), {"weights": "w"}),
        (
            ("--weights", "n", "--weight-kind", "frequency"),
            {"weights": "n", "weight_kind": "frequency"},
        ),
        (
            ("--weights", "w", "--strata", "h", "--cluster", "c"),
            {"weights": "w", "strata": "h", "cluster": "c"},
        ),
    ],
)
def test_the_command_gives_the_library_s_numbers(ask: Any, words: Any, options: Any) -> None:
    row = first(ask("auc", *BASIC, *words, "--json"))
    wanted = rs.auc(rs.ScoredSample.from_frame(FRAME, "ill", "crp", **options))
    assert (row["estimate"], row["std_error"]) == (wanted.value, wanted.std_error)


def test_verification(ask: Any) -> None:
    words = ("--verified", "biopsy", "--verification-model", "crp,age")
    row = first(ask("auc", "--outcome", "known", "--markers", "crp", *words, "--json"))
    wanted = rs.auc(
        rs.ScoredSample.from_frame(
            FRAME, "ill", "crp", verified="biopsy", verification_model=["crp", "age"]
        )
    )
    assert row["estimate"] == wanted.value
    told = ask("auc", "--outcome", "known", "--markers", "crp", *words)
    assert f"{VERIFIED.sum()} of {N} subjects verified" in told.out


def test_adjustment(ask: Any) -> None:
    row = first(ask("auc", *BASIC, "--adjust-for", "centre", "--json"))
    wanted = rs.auc(FRAME["ill"], FRAME["crp"], adjust_for={"centre": FRAME["centre"]})
    assert (row["estimate"], row["pooled"]) == (wanted.value, wanted.details["pooled"])
    told = ask("auc", *BASIC, "--adjust-for", "centre").out
    assert "crp, A: " in told
    assert "adjusted for centre, within 3 strata" in told
    both = ask("compare", "--outcome", "ill", "--markers", "crp,pct", "--adjust-for", "age")
    assert "linear model" in both.out


def test_thresholds_and_a_report(ask: Any, call: Call) -> None:
    found = ask("thresholds", *BASIC, "--weights", "w", "--threshold", "0.5")
    assert found.code == 0
    assert "probability weights" in found.out
    in_strata = ask(
        *("thresholds", *BASIC, "--weights", "w", "--strata", "h", "--cluster", "c"),
        *("--threshold", "0.5"),
    )
    assert in_strata.code == 0
    assert "3 sampling strata" in in_strata.out
    ratings = pd.DataFrame({"y": [0, 0, 1, 1], "s": [1, 2, 1, 2], "n": [30, 5, 7, 25]})
    ratings.to_csv("ratings.csv", index=False)
    page = call(
        *("report", "ratings.csv", "--outcome", "y", "--markers", "s", "--weights", "n"),
        *("--weight-kind", "frequency", "--json", "--quiet", "--r", "no", "--n-resamples", "100"),
    )
    assert json.loads(page.out)["data"]["n"] == 67
    assert "Every row counts as n subjects: 4 rows, 67 subjects" in page.err


def test_a_report_of_a_survey_has_the_numbers_of_the_library(ask: Any, call: Call) -> None:
    design = ("--weights", "w", "--strata", "h", "--cluster", "c")
    rest = ("--prespecified", "crp=0.5", "--json", "--quiet", "--r", "no", "--n-resamples", "100")
    found = ask("report", *BASIC, *design, *rest)
    assert found.code == 0
    facts = json.loads(found.out)
    sample = rs.ScoredSample.from_frame(FRAME, "ill", "crp", weights="w", strata="h", cluster="c")
    area = facts["markers"][0]["estimates"]["auc"]
    assert area["std_error"] == rs.auc(sample).std_error
    cut = facts["markers"][0]["cutpoints"][0]["measures"]["sensitivity"]
    low, high = rs.operating_points(sample, thresholds=[0.5]).limits("sensitivity")
    assert (cut["conf_low"], cut["conf_high"]) == (low[0], high[0])
    Path("study.toml").write_text(
        '[data]\nfile = "study.csv"\noutcome = "ill"\nmarkers = ["crp"]\nweights = "w"\n'
        'strata = "h"\ncluster = "c"\n',
        encoding="utf-8",
    )
    again = call("report", "--config", "study.toml", *rest)
    assert json.loads(again.out)["markers"][0]["estimates"]["auc"] == area


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("auc", *BASIC, "--weights", "v"), "no column 'v'"),
        (("auc", *BASIC, "--weights", "centre"), "must be numbers"),
        (("auc", *BASIC, "--weight-kind", "frequency"), "give them with --weights"),
        (("auc", *BASIC, "--weights", "w", "--weight-kind", "frequency"), "whole numbers"),
        (("auc", *BASIC, "--verification-model", "age"), "say who was verified with --verified"),
        (("auc", *BASIC, "--adjust-for", "centr"), "Did you mean 'centre'?"),
        (("thresholds", *BASIC, "--weights", "w"), "has weights, which this analysis does not"),
        (("plot", "distribution"), ""),
        (("r-script", *BASIC, "--weights", "w"), "leave out --weights"),
        (
            ("report", *BASIC, "--weights", "v", "-o", "r.html", "--quiet"),
            "no column 'v'",
        ),
        (
            ("report", *BASIC, "--strata", "h", "--weights", "centre", "-o", "r.html", "--quiet"),
            "must be numbers",
        ),
    ],
)
def test_what_is_refused_in_one_sentence(ask: Any, call: Call, words: Any, sentence: str) -> None:
    command, *rest = words
    if command == "plot":
        FRAME.to_csv("study.csv", index=False)
        found = call("plot", rest[0], "study.csv", *BASIC, "--weights", "w", "-o", "p.png")
        sentence = "has weights, which this analysis does not"
    else:
        found = ask(command, *rest)
    assert found.code == 2
    assert sentence in found.err
    assert "Traceback" not in found.err
