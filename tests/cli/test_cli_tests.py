"""``rocstats tests``: what a reader sees, what a program reads, and what is refused."""

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
TRUE = np.arange(50) % 2
FRAME = pd.DataFrame(
    {
        "disease": np.where(TRUE == 1, "yes", "no"),
        "crp": rng.normal(10 + 4 * TRUE, 4).round(1),
        "pct": rng.normal(1 + TRUE, 0.7).round(2),
        "low": rng.normal(5 - TRUE, 1).round(2),
        "flag": (rng.random(50) < 0.3 + 0.4 * TRUE).astype(int),
        "assay": np.where(rng.random(50) < 0.3 + 0.4 * TRUE, "pos", "neg"),
        "kit": np.where(rng.random(50) < 0.2 + 0.6 * TRUE, "pos", "neg"),
        "eye": np.arange(50) // 2,
    }
)
FRAME.loc[[3, 8], "kit"] = "invalid"
BASIC = ("--outcome", "disease", "--positive", "yes")
CUTS = ("--tests", "crp,pct", "--thresholds", "crp=12,pct=1.4")


@pytest.fixture
def ask(call: Call) -> Any:
    FRAME.to_csv("study.csv", index=False)
    return lambda *args: call("tests", "study.csv", *args)


def library(**options: Any) -> rs.ComparedTests:
    names = options.pop("names", ("crp", "pct"))
    return rs.compare_tests(FRAME["disease"], FRAME[list(names)], pos_label="yes", **options)


def check_same(content: Any, wanted: rs.ComparedTests) -> None:
    expected = json.loads(json.dumps(wanted.to_dict()))
    for key, value in expected.items():
        assert content[key] == value, key


def test_json_is_the_answer_of_the_library(ask: Any) -> None:
    found = ask(*BASIC, *CUTS, "--json")
    assert (found.code, found.err) == (0, "")
    content = json.loads(found.out)
    assert content["command"] == "tests"
    check_same(content, library(thresholds={"crp": 12, "pct": 1.4}))


def test_text_has_the_rules_and_the_table(ask: Any) -> None:
    found = ask(*BASIC, *CUTS, "--noninferiority", "sensitivity=0.3")
    assert "crp is positive if >= 12; pct is positive if >= 1.4" in found.out
    assert "pct (new) against crp (standard) on 50 patients" in found.out
    assert "on-inferiority was" in found.out
    margin = library(thresholds={"crp": 12, "pct": 1.4}).noninferiority("sensitivity", 0.3)
    assert margin.conclusion in found.out


def test_words_thresholds_clusters_and_orientation(ask: Any) -> None:
    found = ask(
        *(*BASIC, "--tests", "assay,low", "--test-positive", "pos", "--thresholds", "low=4.5"),
        *("--lower-is-positive", "low", "--cluster", "eye", "--json"),
    )
    assert (found.code, found.err) == (0, "")
    wanted = library(
        names=("assay", "low"),
        test_positive={"assay": "pos"},
        thresholds={"low": 4.5},
        tests=["assay", "low"],
        cluster=FRAME["eye"],
        higher_is_positive={"low": False},
    )
    check_same(json.loads(found.out), wanted)


def test_equivocal_results_and_agreement(ask: Any) -> None:
    words = ("--tests", "assay,kit", "--test-positive", "pos", "--test-negative", "neg")
    found = ask(*BASIC, *words, "--equivocal", "both", "--truth", "comparator")
    assert (found.code, found.err) == (0, "")
    assert "worst for new" in found.out
    assert "ppa" in found.out
    assert "sensitivity" not in found.out
    assert ask(*BASIC, *words).code == 2
    one = ask(*BASIC, *words, "--equivocal", "positive", "--json")
    assert json.loads(one.out)["sample"]["n_pos"] == 25


def test_codes_of_a_positive_result_are_read_as_they_are_written(ask: Any) -> None:
    coded = ask(*BASIC, "--tests", "flag,assay", "--test-positive", "pos", "--thresholds", "flag=1")
    assert coded.code == 0
    only = ask(*BASIC, "--tests", "flag", "--test-positive", "1", "--json")
    plain = ask(*BASIC, "--tests", "flag", "--json")
    assert json.loads(only.out)["rates"] == json.loads(plain.out)["rates"]


def test_three_tests_are_adjusted(ask: Any) -> None:
    three = ("--tests", "crp,pct,flag", "--thresholds", "crp=12,pct=1.4", "--adjust", "bonferroni")
    content = json.loads(ask(*BASIC, *three, "--json").out)
    assert len(content["comparisons"]) == 18
    assert content["pairwise"]["adjust"] == "bonferroni"
    assert len(content["pairwise"]["contrasts"]) == 6


def test_counts_on_the_command_line(call: Call) -> None:
    found = call("tests", "--diseased", "319,78,22,32", "--healthy", "31,53,22,155", "--json")
    assert (found.code, found.err) == (0, "")
    wanted = rs.compare_counts(diseased=[[319, 78], [22, 32]], healthy=[[31, 53], [22, 155]])
    check_same(json.loads(found.out), wanted)
    screened = call(
        *("tests", "--diseased", "30,2,6", "--healthy", "9,4,12", "--tests", "old,new"),
        *("--design", "screen-positive"),
    )
    assert screened.code == 0
    assert "new (new) against old (standard)" in screened.out
    assert "1.1250" in screened.out


def test_exploratory_cutoffs_have_no_p(ask: Any) -> None:
    content = json.loads(ask(*BASIC, *CUTS, "--exploratory", "--json").out)
    assert content["exploratory"] is True
    assert {row["p_value"] for row in content["comparisons"]} == {None}


def test_plans_of_tests(call: Call) -> None:
    found = call(
        "power", "--new", "0.9", "--standard", "0.8", "--discordant", "0.2", "--power", "0.9"
    )
    assert found.code == 0
    plan = rs.sample_size_tests(0.9, 0.8, discordant=0.2, power=0.9)
    assert found.out.strip() == plan.sentence
    power = call(
        *(
            "power",
            "--new",
            "0.9",
            "--standard",
            "0.9",
            "--correlation",
            "0.2",
            "--patients",
            "300",
        ),
        *("--margin", "0.05", "--aim", "noninferiority", "--rate", "specificity"),
        *("--prevalence", "0.1", "--simulate", "200", "--seed", "2", "--json"),
    )
    content = json.loads(power.out)
    wanted = rs.power_tests(
        *(0.9, 0.9),
        n=300,
        correlation=0.2,
        margin=0.05,
        aim="non-inferiority",
        measure="specificity",
        prevalence=0.1,
    )
    assert content["plan"]["power"] == wanted.power
    assert content["plan"]["n_total"] == 334
    assert content["simulation"]["power"] == wanted.simulate(200, rng=2).power


BAD: list[tuple[tuple[str, ...], str]] = [
    (("tests",), "Give a file with --outcome and --tests"),
    (("tests", "--diseased", "1,2,3,4"), "--diseased and --healthy"),
    (("tests", "study.csv"), "Name the columns with --outcome and --tests"),
    (("tests", "study.csv", *BASIC), "Name the columns"),
    (("tests", "study.csv", *BASIC, "--tests", "crp,pct"), "--thresholds"),
    (("tests", "study.csv", *BASIC, "--tests", "assay,kit"), "--test-positive"),
    (
        ("tests", "study.csv", *BASIC, "--tests", "assay,kit", "--test-positive", "pos"),
        "--test-negative",
    ),
    (
        ("tests", "study.csv", *BASIC, "--tests", "assay,flag", "--test-positive", "POS"),
        "not among the results of assay",
    ),
    (("tests", "study.csv", *BASIC, "--tests", "crp,ptc"), "Did you mean 'pct'"),
    (("tests", "study.csv", *BASIC, *CUTS, "--design", "cross"), "--design must be one of"),
    (("tests", "study.csv", *BASIC, *CUTS, "--truth", "gold"), "--truth must be one of"),
    (("tests", "study.csv", *BASIC, *CUTS, "--equivocal", "x"), "--equivocal must be one of"),
    (("tests", "study.csv", *BASIC, *CUTS, "--noninferiority", "ppv=0.1"), "--noninferiority must"),
    (
        ("tests", "study.csv", *BASIC, *CUTS, "--noninferiority", "sensitivity=-1"),
        "--noninferiority must be a positive number",
    ),
    (
        (
            *("tests", "study.csv", *BASIC, "--thresholds", "crp=12,pct=1.4,low=5"),
            *("--noninferiority", "sensitivity=0.1"),
        ),
        "name these two in --tests, got crp, pct, low",
    ),
    (("tests", "study.csv", *BASIC, *CUTS, "--cluster", "eyes"), "no column 'eyes'"),
    (("tests", "study.csv", "--outcome", "disease", *CUTS), "--positive"),
    (("tests", "study.csv", *BASIC, *CUTS, "--confidence-level", "2"), "--confidence-level"),
    (("tests", "study.csv", *BASIC, *CUTS, "--diseased", "1,2,3,4"), "not both"),
    (("tests", "--diseased", "1,2,3,4", "--healthy", "1,2,3,4", "--cluster", "x"), "--cluster"),
    (("tests", "--diseased", "1,2,3", "--healthy", "1,2,3,4"), "--design screen-positive"),
    (("tests", "--diseased", "0,0,0,0", "--healthy", "1,2,3,4"), "no patient"),
    (("tests", "--diseased", "1,-2,3,4", "--healthy", "1,2,3,4"), "whole numbers"),
    (("tests", "none.csv", *BASIC, *CUTS), "none.csv"),
    (("power", "--new", "0.9", "--discordant", "0.2"), "--new and --standard"),
    (("power", "--new", "0.9", "--standard", "0.8", "--discordant", "0.2"), "Give --patients"),
    (("power", "--new", "0.9", "--standard", "0.8", "--power", "0.8"), "--discordant"),
    (
        ("power", "--new", "0.9", "--standard", "0.8", "--auc", "0.7", "--power", "0.8"),
        "--auc cannot stand beside",
    ),
    (
        (
            *("power", "--new", "0.9", "--standard", "0.8", "--discordant", "0.2"),
            *("--power", "0.8", "--patients", "20"),
        ),
        "--patients is what --power would find",
    ),
    (
        ("power", "--new", "0.9", "--standard", "0.8", "--rate", "ppv", "--patients", "20"),
        "--rate must be one of",
    ),
]


@pytest.mark.parametrize(("args", "words"), BAD, ids=range(len(BAD)))
def test_bad_calls_are_refused_in_one_sentence(
    call: Call, args: tuple[str, ...], words: str
) -> None:
    FRAME.to_csv("study.csv", index=False)
    found = call(*args)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert found.err.count("\n") == 1
    assert "Traceback" not in found.err


@pytest.mark.parametrize(
    "args",
    [
        ("tests", "--diseased", "1,2", "--healthy", "1,2,3,4"),
        ("tests", "--diseased", "a,b,c,d", "--healthy", "1,2,3,4"),
        ("tests", "study.csv", *BASIC, "--tests", "crp,pct", "--thresholds", "crp"),
        ("tests", "study.csv", *BASIC, "--tests", "crp,pct", "--thresholds", "crp=high"),
        ("tests", "study.csv", "--test", "crp"),
    ],
)
def test_the_parser_refuses_what_it_cannot_read(
    call: Call, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        call(*args)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_answer_is_written_as_a_table(call: Call, tmp_path: Path) -> None:
    place = tmp_path / "tests.tex"
    counts = ("--diseased", "319,78,22,32", "--healthy", "31,53,22,155")
    assert f"Wrote {place}" in call("tests", *counts, "-o", str(place)).out
    text = place.read_text(encoding="utf-8")
    assert r"\toprule" in text
    assert r"$-$0.124 ($-$0.167 to $-$0.083)" in text
    assert "end the name in .csv" in call("tests", *counts, "-o", str(tmp_path / "tests.odt")).err
