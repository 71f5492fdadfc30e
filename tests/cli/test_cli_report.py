"""``rocstats report``: its options, its TOML file, what it writes and what it refuses."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import pandas as pd
import pytest
from conftest import Answer, Call

import rocstats as rs
from rocstats.analysis.options import OPTIONS, STUDY_TEXTS
from rocstats.analysis.proposals import Column
from rocstats.analysis.toml_values import toml
from rocstats.cli.config import read_config
from rocstats.reports import diagnostic

RNG = np.random.default_rng(20240607)
ILL = np.repeat([True, False], [24, 36])
FRAME = pd.DataFrame(
    {
        "id": [f"p{i:02}" for i in range(60)],
        "outcome": np.where(ILL, "Poor", "Good"),
        "sex": np.where(RNG.random(60) < 0.5, "f", "m"),
        "age": RNG.integers(20, 80, 60),
        "s100b": np.round(RNG.gamma(2.0, 0.1 + 0.1 * ILL), 2),
        "ndka": np.round(RNG.gamma(2.0, 5.0 + 4.0 * ILL), 2),
    }
)
BASIC = ("--outcome", "outcome", "--positive", "Poor", "--markers", "s100b,ndka")
FAST = ("--n-resamples", "100", "--r", "no", "--quiet")


@pytest.fixture
def call(call: Call) -> Call:
    """Run the command in a directory with study.csv."""
    FRAME.to_csv("study.csv", index=False)
    return partial(call, "report")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the library is asked for, instead of the work."""
    found: dict[str, Any] = {}

    class Asked(rs.RocstatsError):
        pass

    def report(data: Any, **keywords: Any) -> None:
        found.update(keywords, data=data)
        raise Asked("asked")

    monkeypatch.setattr(diagnostic, "report", report)
    return found


def assert_refused(answer: Answer, *fragments: str) -> None:
    assert answer.code == 2
    assert answer.out == ""
    last = answer.err.splitlines()[-1]
    assert last.startswith("rocstats: ")
    for fragment in fragments:
        assert fragment in last


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


# ------------------------------------------------------------------------------------- the page


def test_the_page_and_a_few_lines_on_it(call: Call) -> None:
    answer = call("study.csv", *BASIC, *FAST, "--label", "s100b=S100 β", "-o", "page.html")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "study.csv: 24 positives (outcome = Poor), 36 negatives (Good)"
    expected = rs.auc(FRAME["outcome"], FRAME["s100b"], pos_label="Poor")
    limits = expected.confidence_interval()
    assert lines[1] == (
        f"  S100 β: AUC {expected.value:.3f} (95% interval {limits.low:.3f} to {limits.high:.3f})"
    )
    assert lines[-1] == "Wrote page.html"
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") or page.startswith("<!doctype html>")
    assert "S100 β" in page
    assert sorted(path.name for path in Path().iterdir()) == ["page.html", "study.csv"]


def test_json_holds_the_facts_and_needs_no_page(call: Call) -> None:
    answer = call("study.csv", *BASIC, *FAST, "--json")
    assert answer.code == 0

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    facts = json.loads(answer.out, parse_constant=refuse)
    assert facts["command"] == "report"
    assert facts["schema"] == "rocstats-report/1"
    assert facts["data"]["source"] == "study.csv"
    assert facts["data"]["format"] == "CSV"
    assert len(facts["data"]["sha256"]) == 64
    assert [marker["name"] for marker in facts["markers"]] == ["s100b", "ndka"]
    assert not Path("report.html").exists()


def test_the_stages_are_told_on_stderr(call: Call) -> None:
    answer = call("study.csv", *BASIC, *FAST[:-1], "--json")
    lines = answer.err.splitlines()
    assert lines[0] == "rocstats: reading study.csv"
    assert len(lines) > 5
    assert all(line.startswith("rocstats: ") for line in lines)


def test_what_is_left_out_is_told_on_stderr(call: Call) -> None:
    frame = FRAME.assign(s100b=FRAME["s100b"].where(FRAME.index > 2))
    frame.loc[10, "outcome"] = None
    frame.to_csv("study.csv", index=False)
    answer = call("study.csv", *BASIC, *FAST, "--json")
    assert answer.err == (
        "rocstats: warning: 4 of 60 rows are left out (outcome missing in 1, s100b missing in 3).\n"
    )
    flow = json.loads(answer.out)["flow"]
    assert (flow["start"], flow["analysed"]) == (60, 56)
    refused = call("study.csv", *BASIC, *FAST, "--json", "--nan-policy", "raise")
    assert_refused(refused, "There are missing values (1 in outcome, 3 in s100b)")


def test_the_same_data_in_another_folder_give_the_same_call(
    call: Call, asked: dict[str, Any]
) -> None:
    Path("other").mkdir()
    FRAME.to_csv("other/study.csv", index=False)
    calls = []
    for name in ("study.csv", "other/study.csv"):
        call(name, *BASIC, "-o", "page.html")
        calls.append(asked["call"])
    assert (
        calls[0]
        == calls[1]
        == ("rocstats report study.csv --outcome outcome --positive Poor --markers s100b,ndka")
    )


FULL = (
    *BASIC,
    *("--versus", "s100b", "--prespecified", "s100b=0.21", "--prespecified", "s100b=0.5"),
    *("--prespecified", "ndka=10", "--prevalence", ".1,.2", "--prevalence", "0.3"),
    *("--subgroup", "sex", "--baseline", "age,sex", "--cluster", "id", "--subject", "id"),
    *("--margin", ".05", "--aim", "equivalence", "--lower-is-positive", "ndka"),
    *("--bounds", "s100b=0,3", "--label", "s100b=S100 = β", "--unit", "ndka=µg/l", "--comparator"),
    *("--scores", "model", "--indeterminate", "a, b", "--indeterminate", "?"),
    *("--confidence-level", ".9", "--n-resamples", "500", "--seed", "7", "--adjust", "bonferroni"),
    *("--r", "no", "--title", "A study", "--nan-policy", "raise", "--planned", "20,30"),
    *("--fpr-range", "0,.2", "--specificities", ".8", "--decision-range", ".05,.2"),
    *("--criterion", "product", "--test-positive", "pos, +", "--summary"),
)
EXPECTED = {
    "outcome": "outcome",
    "pos_label": "Poor",
    "markers": ["s100b", "ndka"],
    "versus": "s100b",
    "prespecified": {"s100b": [0.21, 0.5], "ndka": [10.0]},
    "criterion": "product",
    "prevalence": [0.1, 0.2, 0.3],
    "subgroup": ["sex"],
    "baseline": ["age", "sex"],
    "cluster": "id",
    "subject": "id",
    "margin": 0.05,
    "aim": "equivalence",
    "higher_is_positive": {"ndka": False},
    "bounds": {"s100b": (0.0, 3.0)},
    "labels": {"s100b": "S100 = β"},
    "units": {"ndka": "µg/l"},
    "comparator": True,
    "scores": "model",
    "indeterminate": ["a, b", "?"],
    "test_positive": ["pos, +"],
    "summary": True,
    "confidence_level": 0.9,
    "n_resamples": 500,
    "rng": 7,
    "adjust": "bonferroni",
    "r": "no",
    "study": {"title": "A study"},
    "nan_policy": "raise",
    "planned": (20, 30),
    "fpr_range": (0.0, 0.2),
    "specificities": [0.8],
    "decision_range": (0.05, 0.2),
}
HANDED = {"data", "source", "call", "stage"}


def test_every_option_reaches_the_library(call: Call, asked: dict[str, Any]) -> None:
    call("study.csv", *FULL, "-o", "page.html")
    assert {name: value for name, value in asked.items() if name not in HANDED} == EXPECTED


def test_the_call_repeats_itself(call: Call, asked: dict[str, Any]) -> None:
    call("study.csv", *FULL, "-o", "page.html")
    program, command, *argv = shlex.split(asked["call"])
    assert (program, command) == ("rocstats", "report")
    first = dict(asked)
    call(*argv, "-o", "page.html")
    same = EXPECTED.keys() | {"call"}
    assert {k: asked[k] for k in same} == {k: first[k] for k in same}


def test_names_with_commas_and_quotes_repeat_themselves(call: Call, asked: dict[str, Any]) -> None:
    names = {"s100b": 'b, "log"', "ndka": " n=1 "}
    FRAME.rename(columns=names).to_csv("study.csv", index=False)
    quoted = '"b, ""log"""," n=1 "'
    call("study.csv", *BASIC[:-1], quoted, "--prespecified", " n=1 =2", "-o", "page.html")
    assert asked["markers"] == [*names.values()]
    call(*shlex.split(asked["call"])[2:], "-o", "page.html")
    assert asked["markers"] == [*names.values()]


def test_labels_of_an_spss_file_are_classes(call: Call, asked: dict[str, Any]) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = FRAME.assign(outcome=np.where(ILL, 2, 1), sex=np.where(FRAME["sex"] == "f", 1, 2))
    frame.loc[0, "sex"] = 9
    pyreadstat.write_sav(
        frame,
        "study.sav",
        variable_value_labels={"outcome": {1: "Good", 2: "Poor"}, "sex": {1: "female", 2: "male"}},
        missing_ranges={"sex": [9]},
    )
    for positive in ("Poor", "2"):
        argv = ("study.sav", *BASIC[:3], positive, *BASIC[4:], "--subgroup", "sex")
        call(*argv, "-o", "page.html")
        assert asked["pos_label"] == "Poor"
    assert set(asked["data"]["outcome"]) == {"Good", "Poor"}
    assert set(asked["data"]["sex"].dropna()) == {"female", "male"}
    assert asked["source"].format == "SPSS"
    assert asked["source"].notes == (
        "1 value that the file declares as missing became missing (1 in sex).",
    )


# -------------------------------------------------------------------------------- what is refused

REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "nowhere to write": (("study.csv", *BASIC), "Name the page to write with -o report.html, or"),
    "no file": (BASIC, "Name the file with the data, in the call, or in a TOML file"),
    "no outcome": (("study.csv", "--markers=a", "-o=p.html"), "the true class as --outcome"),
    "no markers": (("study.csv", "--outcome=y", "-o=p.html"), "columns of scores as --markers"),
    "no data": (("studdy.csv", *BASIC, "-o=p.html"), "Did you mean 'study.csv'?"),
    "no column": (("study.csv", *BASIC[:-1], "s100", "-o=p.html"), "Did you mean 's100b'?"),
    "no subgroup": (("study.csv", *BASIC, "--subgroup=sexx", "-o=p.html"), "no column 'sexx'"),
    "the data": (("study.csv", *BASIC, "-o", "study.csv"), "study.csv holds the data"),
    "no folder": (("study.csv", *BASIC, "-o", "none/p.html"), "There is no directory none"),
    "a folder": (("study.csv", *BASIC, "-o", "."), ". is a directory; name a file to write."),
    "templates": (("study.csv", *BASIC, "--templates=t", "-o=p.html"), "There is no folder 't'"),
    "no templates": (("study.csv", *BASIC, "--templates=", "-o=p.html"), "There is no folder ''"),
    "label": (("study.csv", "--outcome=outcome", "--markers=s100b", "-o=p"), "--positive '1' is"),
    "level": (("study.csv", *BASIC, "--confidence-level=95", "-o=p"), "strictly between 0 and 1"),
    "resamples": (("study.csv", *BASIC, "--n-resamples=1", "-o=p.html"), "--n-resamples must"),
    "versus": (
        ("study.csv", *BASIC, "--versus=age", "-o=p"),
        "--versus names 'age', which",
    ),
    "cut": (("study.csv", *BASIC, "--prespecified=age=1", "-o=p"), "--prespecified names 'age'"),
    "no number": (
        ("study.csv", *BASIC, "--prespecified=s100b=inf", "-o=p"),
        "a finite number, got",
    ),
    "same label": (("study.csv", *BASIC, "--label=s100b=ndka", "-o=p"), "be printed as 'ndka'"),
    "planned": (("study.csv", *BASIC, "--planned=0,5", "-o=p"), "two whole numbers above 0"),
    "window": (
        ("study.csv", *BASIC, "--fpr-range=.5,.1", "-o=p"),
        "--fpr-range must be two numbers",
    ),
    "rate": (("study.csv", *BASIC, "--specificities=2", "-o=p"), "--specificities must lie within"),
    "sure": (("study.csv", *BASIC, "--confidence-level=.99999", "-o=p"), "between 0.5 and 0.9999"),
    "no name": (("study.csv", *BASIC, "-o", ""), "'' names no file"),
    "a slash": (("study.csv", *BASIC, "-o", "pages/"), "'pages/' names no file"),
    "long name": (("study.csv", *BASIC, "-o", "p" * 300), "could not be written: "),
    "null": (("study.csv", *BASIC, "-o", "p\0.html"), "could not be written: embedded null"),
    "null config": (("--config", "c\0.toml"), "embedded null"),
    "long templates": (
        ("study.csv", *BASIC, "--templates", "t" * 300, "-o=p"),
        "is no folder 'ttt",
    ),
    "seed": (("study.csv", *BASIC, f"--seed={2**128}", "-o=p"), "from 0 to 2**128 - 1, got"),
    "init column": (("study.csv", "--init", "--markers=s100"), "Did you mean 's100b'?"),
    "no config": (("--config", "none.toml"), "There is no file none.toml; write one with"),
    "init of nothing": (("--init",), "Name the file with the data that --init is to describe."),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused(call: Call, kind: str) -> None:
    argv, sentence = REFUSED[kind]
    before = Path("study.csv").read_bytes()
    answer = call(*argv)
    assert_refused(answer, sentence)
    assert sorted(path.name for path in Path().iterdir()) == ["study.csv"]
    assert Path("study.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--prespecified", "s100b"), ("--prespecified", "s100b=high"), ("--bounds", "s100b=1")),
        *(("--label", "s100b"), ("--prevalence", "often"), ("--planned", "1"), ("--aim", "fame")),
        *(("--seed", "x"), ("--r", "maybe"), ("--scores", "guessed"), ("--fpr-range", "0,1,2")),
    ],
)
def test_usage_errors_exit_2(
    call: Call, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        call("study.csv", *BASIC, option, value, "-o", "page.html")
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"rocstats: argument {option}: ")
    assert said.endswith("; see rocstats report --help.\n")
    assert said.count("\n") == 1
    assert "_" not in said


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("--margn=1", "there is no option --margn; see rocstats report --help. Did you mean '--m"),
        (
            "more.csv",
            "'more.csv' is one word too many, or lacks quotes; see rocstats report --help",
        ),
    ],
)
def test_words_that_no_one_knows(
    call: Call, capsys: pytest.CaptureFixture[str], word: str, sentence: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        call("study.csv", *BASIC, word, "-o", "page.html")
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith(f"rocstats: {sentence}")


BROKEN: dict[str, tuple[str, bytes, str]] = {
    "syntax": ("report.html.jinja", b"\n{% if %}", " in report.html.jinja, line 2: TemplateSyntax"),
    "undefined": ("key_results.html.jinja", b"{{ x.y }}", "line 1: UndefinedError, 'x' is undef"),
    "missing": ("report.html.jinja", b"{% include 'no' %}", "TemplateNotFound, no."),
    "bare number": ("report.html.jinja", b"{{ data.n_pos + markers }}", "line 1: TypeError, "),
    "worked out": ("alerts.html.jinja", b"{{ data.n_pos / 3 }}", "line 1: TypeError, The number "),
    "latin": ("style.css", b"/* \xff */", "The templates of mine failed: UnicodeDecodeError, "),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_template_is_one_sentence(call: Call, kind: str) -> None:
    name, content, sentence = BROKEN[kind]
    Path("mine").mkdir()
    Path("mine", name).write_bytes(content)
    answer = call("study.csv", *BASIC, *FAST, "--templates", "mine", "-o", "page.html")
    assert_refused(answer, "The templates of mine failed", sentence)
    assert answer.err.count("\n") == 1
    assert not Path("page.html").exists()


def test_a_failure_that_is_ours_is_not_blamed_on_a_template(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rocstats.reports import render

    def fail(_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(render, "draw_all", fail)
    Path("mine").mkdir()
    with pytest.raises(ZeroDivisionError):
        call("study.csv", *BASIC, *FAST, "--templates", "mine", "-o", "page.html")


def test_a_file_that_must_not_change_is_kept(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    write("page.html", "the old one")
    monkeypatch.setattr(os, "access", lambda place, _: Path(place).name != "page.html")
    answer = call("study.csv", *BASIC, *FAST, "-o", "page.html")
    assert_refused(answer, "page.html could not be written: ", "page.html is not writable.")
    assert Path("page.html").read_text() == "the old one"


def test_text_among_numbers_is_named(call: Call) -> None:
    cells = FRAME["s100b"].astype(object)
    cells[7] = "<0.05"
    FRAME.assign(s100b=cells).to_csv("study.csv", index=False)
    answer = call("study.csv", *BASIC, *FAST, "-o", "page.html")
    assert answer.code == 0
    assert "s100b: 1 cell below detection ranked lowest: '<0.05'" in answer.err
    answer = call("study.csv", *BASIC, *FAST, "--indeterminate=<0.05", "-o=page.html")
    assert answer.code == 0
    assert "repaired" not in answer.err
    assert "s100b indeterminate in 1" in answer.err
    cells[7] = "lost"
    FRAME.assign(s100b=cells).to_csv("study.csv", index=False)
    answer = call("study.csv", *BASIC, *FAST, "-o", "page.html")
    assert_refused(answer, "s100b holds 1 cell without a number, as 'lost', the first in ")


def test_scores_beyond_every_scale_are_refused(call: Call) -> None:
    FRAME.assign(ndka=FRAME["ndka"] * 1e305).to_csv("study.csv", index=False)
    answer = call("study.csv", *BASIC, *FAST, "-o", "page.html")
    assert_refused(answer, "The scores of ndka reach beyond 1e+300")


def test_characters_that_html_lacks_are_replaced(call: Call) -> None:
    import html5lib

    title = "a\x00\x1b\x85\udcff\ufffeb"
    answer = call("study.csv", *BASIC, *FAST, "--title", title, "-o", "page.html")
    assert answer.code == 0, answer.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<title>a\ufffd\ufffd\ufffd\ufffd\ufffdb" in page
    html5lib.HTMLParser(strict=True).parse(page)


def test_14_31_quiet_writes_no_progress_into_a_log(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rocstats import workers

    monkeypatch.setattr(workers, "_LINE", 0.0)  # a line for every chunk
    basic = ("study.csv", *BASIC, "--n-resamples", "200", "--r", "no", "-o", "page.html")
    assert " resamples after 0:0" in call(*basic).err
    assert call(*basic, "--quiet") == (0, ANY, "")


def test_an_interrupt_leaves_nothing_behind(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(diagnostic, "report", interrupt)
    answer = call("study.csv", *BASIC, "--quiet", "-o", "page.html")
    assert answer == (130, "", "")
    assert [path.name for path in Path().iterdir()] == ["study.csv"]


def test_a_page_that_cannot_be_finished_leaves_the_old_one(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    write("page.html", "the old one")

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    answer = call("study.csv", *BASIC, *FAST, "-o", "page.html")
    assert_refused(answer, "page.html could not be written: No space left on device.")
    assert Path("page.html").read_text() == "the old one"
    assert sorted(path.name for path in Path().iterdir()) == ["page.html", "study.csv"]


def test_a_terminal_shows_one_line_that_changes(
    call: Call, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    answer = call("study.csv", *BASIC, "-o", "page.html")
    assert answer.err == "\r\x1b[Krocstats: reading study.csv ...\r\x1b[Krocstats: asked\n"


# ---------------------------------------------------------------------------------- the TOML file

TOML = """
[data]
file = "../study.csv"
outcome = "outcome"
positive = "Poor"
markers = ["s100b", "ndka"]
subject = "id"
cluster = "id"
baseline = ["age", "sex"]
lower_is_positive = "ndka"
indeterminate = ["a, b", "?"]
test_positive = "pos, +"
nan_policy = "raise"
scores = "model"
labels = { s100b = "S100 = β" }
units = { ndka = "µg/l" }
bounds = { s100b = [0, 3] }

[analysis]
versus = "s100b"
prespecified = { s100b = [0.21, 0.5], ndka = 10 }
prevalence = [0.1, 0.2, 0.3]
subgroups = "sex"
margin = 0.05
aim = "equivalence"
adjust = "bonferroni"
comparator = true
fpr_range = [0, 0.2]
decision_range = [0.05, 0.2]
specificities = 0.8
criterion = "product"
planned = [20, 30]
confidence_level = 0.9
n_resamples = 500
seed = 7

[study]
title = "A study"
funding = " "

[report]
output = "page.html"
summary = true
r = "no"
"""


def test_the_file_says_what_the_command_line_says(call: Call, asked: dict[str, Any]) -> None:
    Path("plans").mkdir()
    call("--config", write("plans/study.toml", TOML))
    assert {name: value for name, value in asked.items() if name not in HANDED} == EXPECTED
    tables = tomllib.loads(TOML)
    keys = {(table, key) for table, entries in tables.items() for key in entries}
    known = {(o.group, o.key) for o in OPTIONS if o.group not in ("study", "reading")}
    assert known - keys == {
        *(("report", name) for name in ("templates", "figures", "tables")),
        *(
            ("data", name) for name in ("negative", "exclude", "memory", "spill")
        ),  # with [reading] in test_cli_check.py
        *(("data", name) for name in ("weights", "weight_kind", "strata")),  # in test_cli_weights
    }


def test_paths_are_relative_to_the_file(call: Call) -> None:
    Path("plans/mine").mkdir(parents=True)
    folders = 'templates = "mine"\nfigures = "drawn"\ntables = "set"'
    name = write("plans/study.toml", TOML.replace('r = "no"', folders))
    options = read_config(name)
    assert Path(options["file"]).samefile("study.csv")
    assert Path(options["output"]) == Path("plans/page.html")
    assert Path(options["templates"]) == Path("plans/mine")
    assert Path(options["figures"]) == Path("plans/drawn")
    assert Path(options["tables"]) == Path("plans/set")
    absolute = str(Path("study.csv").absolute())
    write(name, f"[data]\nfile = {toml(absolute)}\n")
    assert read_config(name) == {"file": absolute}


def test_the_command_line_wins(call: Call, asked: dict[str, Any]) -> None:
    name = write("study.toml", TOML.replace("../", ""))
    call("--config", name, "--markers", "ndka", "--margin", ".1", "--no-comparator", "--title", "B")
    assert (asked["markers"], asked["margin"], asked["comparator"]) == (["ndka"], 0.1, False)
    assert asked["study"] == {"title": "B"}
    assert asked["prevalence"] == [0.1, 0.2, 0.3]
    program, _, *argv = shlex.split(asked["call"])
    assert program == "rocstats"
    assert argv == [
        *("--markers", "ndka", "--margin", "0.1", "--no-comparator"),
        *("--title", "B", "--config", "study.toml"),
    ]


WORDS = {
    "outcome": ["yes", "yes", "yes", "no", "no", "no", "no"],
    "old": ["pos", "pos", "neg", "neg", "neg", "pos", "neg"],
    "new": ["pos", "pos", "pos", "neg", "neg", "neg", "invalid"],
    "level": [3, 2, 2, 1, 1, 1, 2],
}
CALLED = ("--outcome", "outcome", "--positive", "yes", "--markers", "old,new", "--r", "no")


def test_results_in_words_make_a_page_without_a_curve(call: Call) -> None:
    pd.DataFrame(WORDS).to_csv("words.csv", index=False)
    words = ("--test-positive", "pos", "--indeterminate", "invalid", "--comparator", "--summary")
    answer = call("words.csv", *CALLED, *words, "-o", "p.html", "--quiet")
    assert answer.code == 0
    assert "new: positive percent agreement 100.0%, negative percent agreement 100.0%" in answer.out
    page = Path("p.html").read_text("utf-8")
    assert 'class=" summary"' in page
    assert '"kind":"qualitative"' in page


NO_WORDS: dict[str, tuple[tuple[str, ...], str]] = {
    "no such result": (("--test-positive", "positive"), "No result of old is 'positive'"),
    "several others": (("--test-positive", "pos"), "name those that are neither with --indet"),
    "a threshold": (
        ("--test-positive", "pos", "--indeterminate", "invalid", "--prespecified", "old=1"),
        "--prespecified cannot be given with --test-positive",
    ),
    "a margin": (
        ("--test-positive", "pos", "--indeterminate", "invalid", "--margin", ".1"),
        "--margin cannot be given with --test-positive",
    ),
    "a direction": (
        ("--test-positive", "pos", "--indeterminate", "invalid", "--lower-is-positive", "old"),
        "--lower-is-positive cannot be given with --test-positive",
    ),
    "a model": (
        ("--test-positive", "pos", "--indeterminate", "invalid", "--scores", "model"),
        "--scores cannot be given with --test-positive",
    ),
    "words without the option": ((), "must be numbers, got 'pos'"),
}


@pytest.mark.parametrize("kind", NO_WORDS)
def test_results_in_words_that_are_refused(call: Call, kind: str) -> None:
    pd.DataFrame(WORDS).to_csv("words.csv", index=False)
    options, sentence = NO_WORDS[kind]
    assert_refused(call("words.csv", *CALLED, *options, "-o", "p.html"), sentence)
    assert not Path("p.html").exists()


WRONG: dict[str, tuple[str, str]] = {
    "key": ("[analysis]\nprevalance = 1", "no option 'prevalance' in [analysis]; there are"),
    "hint": ("[analysis]\nprevalance = 1", "Did you mean 'prevalence'?"),
    "table": ("[analisys]\nmargin = 1", "[report], [study]. Did you mean 'analysis'?"),
    "home": ("[data]\nmargin = 1", "'margin' does not belong in [data]; put it in [analysis]."),
    "text's home": ("[report]\nfunding = 'x'", "put it in [study]."),
    "no table": ("margin = 1", "'margin' stands in no table; put it in [analysis]."),
    "nowhere": ("marginn = 1", "'marginn' stands in no table; the options are"),
    "no table at all": ("data = 1", "data must be a table, written as [data]."),
    "text": ("[data]\noutcome = 1", "data.outcome must be a text in quotes, got 1."),
    "path": ("[data]\nfile = []", "data.file must be the path of a file in quotes, got []."),
    "names": ("[data]\nmarkers = [1]", 'data.markers must be a list of texts such as ["a", "b"]'),
    "label": ("[data]\npositive = [1]", "data.positive must be one label, got [1]."),
    "number": ("[analysis]\nmargin = '5%'", "analysis.margin must be a number, got '5%'."),
    "numbers": ("[analysis]\nprevalence = ['a']", "must be a number or a list of numbers"),
    "no number": ("[analysis]\nmargin = true", "analysis.margin must be a number, got True."),
    "whole": ("[analysis]\nseed = 1.5", "analysis.seed must be a whole number, got 1.5."),
    "flag": ("[analysis]\ncomparator = 1", "analysis.comparator must be true or false, got 1."),
    "pair": ("[analysis]\nfpr_range = 1", "analysis.fpr_range must be two numbers [low, high]"),
    "map": ("[analysis]\nprespecified = 1", "must be a table of markers, such as { marker ="),
    "in a map": ("[data]\nbounds = { a = 1 }", "for each, two numbers [low, high], got"),
    "study": ("[study]\ntitel = 'x'", "there is no text 'titel' in [study]"),
    "study's hint": ("[study]\ntitel = 'x'", "Did you mean 'title'?"),
    "study's kind": ("[study]\ntitle = 1", "study.title must be a text in quotes, got 1."),
    "syntax": ("[data\n", "study.toml is not valid TOML: "),
    "twice": ("[data]\noutcome = 'a'\noutcome = 'b'", "is not valid TOML: Cannot overwrite"),
    "beyond doubles": (f"[analysis]\nmargin = 1{'0' * 400}", "margin must be a difference of AUCs"),
    "deep": ("x = " + "[" * 5000 + "]" * 5000, "study.toml is not valid TOML: it is nested too"),
    "choice": ("[analysis]\naim = 'fame'", "aim must be one of 'non-inferiority'"),
    "digits": (f"[analysis]\nseed = {'9' * 5000}", "study.toml is not valid TOML: Exceeds the"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_files_that_are_refused(call: Call, kind: str) -> None:
    text, sentence = WRONG[kind]
    answer = call("study.csv", *BASIC, "-o", "p.html", "--config", write("study.toml", text))
    assert_refused(answer, sentence)
    assert not Path("p.html").exists()


def test_unreadable_files_are_refused(call: Call) -> None:
    Path("latin.toml").write_bytes(b"[data]\noutcome = 'gr\xf6\xdfe'\n")
    Path("folder.toml").mkdir()
    assert_refused(call("--config", "latin.toml"), "latin.toml is not UTF-8 text")
    assert_refused(call("--config", "folder.toml"), "folder.toml could not be read: Is a directory")


def test_a_page_is_not_written_over_its_options(call: Call) -> None:
    name = write("study.toml", TOML.replace("../", "").replace("page.html", "study.toml"))
    assert_refused(call("--config", name), "study.toml holds the options; name another file")


# ------------------------------------------------------------------------------------------ --init


def test_init_writes_a_file_that_runs_as_it_is(call: Call) -> None:
    answer = call("study.csv", "--init", "-o", "mine.toml")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "Wrote mine.toml; look through it, then run: rocstats report --config mine.toml\n"
    )
    options = read_config("mine.toml")
    assert options == {
        "file": "study.csv",
        "outcome": "outcome",
        "positive": "Poor",
        "markers": ["s100b", "ndka"],
        "study": {},
        "output": "mine.html",
    }
    text = Path("mine.toml").read_text(encoding="utf-8")
    for line in (
        '#     "outcome": text, 2 values ("Good" 36 times, "Poor" 24 times), none missing',
        '# outcome = "sex"',
        '# positive = "Good"',
        '# other numbers: "age"',
        '# subgroups = ["sex"]',
        '# baseline = ["sex", "age"]',
        '# subject = "id"',
        '# versus = "s100b"',
        "# prespecified = { s100b = 0.21 }",
    ):
        assert line in text.splitlines()
    done = call("--config", "mine.toml", *FAST)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("Wrote mine.html\n")


def test_every_option_stands_in_the_file_and_may_be_used(call: Call) -> None:
    text = call("study.csv", "--init").out
    for option in (o for o in OPTIONS if o.group != "study"):
        assert any(line.lstrip("# ").startswith(f"{option.key} = ") for line in text.splitlines())
    for name, question in STUDY_TEXTS.items():
        assert f'# {name} = ""  # {question}' in text
    keys = {option.key for option in OPTIONS} | set(STUDY_TEXTS)
    used, seen = [], set()
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        key = bare.partition(" = ")[0]
        if line.startswith("["):
            seen.clear()
        fresh = key in keys and key not in seen and " = " in bare
        used.append(bare if fresh else line)
        seen |= {key} if fresh else set()
    assert len(read_config(write("all.toml", "\n".join(used)))) == len(OPTIONS)


def test_init_fills_in_what_is_given_and_reads_it_back(call: Call, asked: dict[str, Any]) -> None:
    Path("plans").mkdir()
    call("study.csv", *FULL, "--init", "-o", "plans/study.toml")
    assert Path(read_config("plans/study.toml")["file"]).samefile("study.csv")
    call("--config", "plans/study.toml")
    assert {name: value for name, value in asked.items() if name not in HANDED} == EXPECTED


def test_init_keeps_a_file_that_is_there(call: Call) -> None:
    write("mine.toml", "# mine\n")
    assert_refused(call("study.csv", "--init", "-o", "mine.toml"), "mine.toml is there already")
    assert Path("mine.toml").read_text() == "# mine\n"


def test_init_of_an_ambiguous_table_leaves_the_choice(call: Call) -> None:
    FRAME.rename(columns={"outcome": "group"}).to_csv("study.csv", index=False)
    call("study.csv", "--init", "-o", "mine.toml")
    assert "outcome" not in read_config("mine.toml")
    text = Path("mine.toml").read_text()
    assert '\n# outcome = "group"\n# outcome = "sex"\n' in text
    assert_refused(call("--config", "mine.toml"), "Name the column of the true class as --outcome")
    call("study.csv", "--outcome", "sex", "--init", "-o", "sex.toml")
    assert "positive" not in read_config("sex.toml")
    assert '\n# positive = "f"\n# positive = "m"\n' in Path("sex.toml").read_text().replace(
        '# positive = "m"\n# positive = "f"', '# positive = "f"\n# positive = "m"'
    )


def test_init_leaves_out_a_column_without_a_name(call: Call) -> None:
    pytest.importorskip("pyarrow")
    FRAME.rename(columns={"s100b": ""}).to_parquet("study.parquet")
    assert call("study.parquet", "--init", "-o", "mine.toml").code == 0
    assert read_config("mine.toml")["markers"] == ["ndka"]
    assert '"": number' in Path("mine.toml").read_text()


HOSTILE = [
    *('a "quoted" name', "back\\slash", "new\nline", "tab\there", "# comment", "]]", "a = 1"),
    *("größe (mm)", "🩸", "<script>alert(1)</script>", "'single'", "\x7f\x01", "x" * 200, "שלום"),
]


def test_init_of_hostile_names(call: Call, asked: dict[str, Any]) -> None:
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({name: RNG.random(60) for name in HOSTILE})
    frame['out "come"\n'] = np.where(ILL, 'po"or\n', "[good]")
    frame.to_parquet("study.parquet")
    argv = ("study.parquet", "--positive", 'po"or\n', "--markers", toml_names(HOSTILE))
    argv += ("--prespecified", f"{HOSTILE[0]}=0.5")
    answer = call(*argv, "--init", "-o", "mine.toml")
    assert answer.code == 0, answer.err
    call("--config", "mine.toml")
    assert asked["outcome"] == 'out "come"\n'
    assert asked["pos_label"] == 'po"or\n'
    assert asked["markers"] == HOSTILE
    assert asked["prespecified"] == {HOSTILE[0]: [0.5]}


def toml_names(names: list[str]) -> str:
    return ",".join('"' + name.replace('"', '""') + '"' for name in names)


def test_a_hostile_study_makes_a_page(call: Call) -> None:
    name = "<script>alert('x')</script>\"&"
    FRAME.rename(columns={"s100b": name}).to_csv("study.csv", index=False)
    marker = toml_names([name])
    answer = call("study.csv", *BASIC[:-1], marker, *FAST, "-o", "page.html")
    assert answer.code == 0, answer.err
    assert "<script>alert(" not in Path("page.html").read_text(encoding="utf-8")


KINDS: dict[str, tuple[list[Any], Any]] = {
    "numbers": ([0, 1], 1),
    "truth": ([False, True], True),
    "words": (["no", "yes"], "yes"),
    "missing among numbers": ([0.0, 1.0, None], 1),
}


def test_codes_that_do_not_tell_are_not_guessed(call: Call) -> None:
    FRAME.assign(outcome=np.where(ILL, 2, 1)).to_csv("study.csv", index=False)
    call("study.csv", "--init", "--outcome", "outcome", "-o", "mine.toml")
    assert "positive" not in read_config("mine.toml")
    for argv in (("--config", "mine.toml"), ("study.csv", *BASIC[:2], *BASIC[-2:], "-o=p.html")):
        answer = call(*argv)
        assert answer.code == 2
        assert "outcome is coded 1, 2; name the positive class with --positive." in answer.err
    asked = ("study.csv", *BASIC[:2], *BASIC[-2:], *FAST)
    for positive, n in (("1", 36), ("2", 24)):
        assert json.loads(call(*asked, "--positive", positive, "--json").out)["data"]["n_pos"] == n


@pytest.mark.parametrize("kind", KINDS)
def test_the_telling_label_is_filled_in(call: Call, asked: dict[str, Any], kind: str) -> None:
    values, positive = KINDS[kind]
    outcome = [values[1] if ill else values[0] for ill in ILL]
    outcome[-1] = values[-1] if len(values) == 3 else outcome[-1]
    FRAME.assign(outcome=outcome).to_csv("study.csv", index=False)
    call("study.csv", "--init", "-o", "mine.toml")
    call("--config", "mine.toml")
    assert asked["pos_label"] == positive
    assert asked["data"]["outcome"].dropna().tolist().count(positive) == 24


def test_ids_are_no_markers() -> None:
    def column(name: str, values: list[Any], kind: str = "number") -> Column:
        counts = tuple(1 for _ in values)
        return Column(
            name=name, kind=kind, values=tuple(values), counts=counts, missing=0, whole=True
        )

    assert column("patient_id", [5, 9, 12]).is_id
    assert column("nummer", list(range(1, 60))).is_id
    assert not column("score", [5, 9, 12]).is_id
    assert column("name", ["a", "b", "c"], "text").is_id


def test_wide_tables_are_listed_in_part(call: Call) -> None:
    wide = pd.DataFrame(RNG.random((60, 300)), columns=[f"m{j}" for j in range(300)])
    wide.assign(outcome=FRAME["outcome"]).to_csv("study.csv", index=False)
    call("study.csv", "--init", "-o", "mine.toml")
    assert read_config("mine.toml")["markers"] == [f"m{j}" for j in range(10)]
    assert "#     and 101 more\n" in Path("mine.toml").read_text()


# --------------------------------------------------------------------------- the library's refusals

MEANT: dict[str, tuple[dict[str, Any], str]] = {
    "thresholds": ({"prespecified": 0.5}, "prespecified must be a mapping of names to values"),
    "texts": ({"study": ["title"]}, "study must be a mapping of names to values"),
    "a number as text": ({"labels": {"s100b": 3}}, "labels must be texts, got 3 for s100b."),
    "an empty name": ({"labels": {"s100b": " "}}, "labels must be texts, got ' ' for s100b."),
    "no text": ({"labels": {"s100b": ()}}, "labels must be texts, got () for s100b."),
    "a title": ({"study": {"title": 3}}, "study must be texts, got 3 for title."),
    "one bound": ({"bounds": {"s100b": 5}}, "The bounds of s100b must be two numbers, got 1."),
    "one rate": ({"fpr_range": 0.1}, "The fpr_range must be two numbers, got 1."),
    "words": ({"fpr_range": ("a", "b")}, "The end of fpr_range must be a number, got 'a'."),
    "no rate": ({"specificities": None}, "The specificity must be a number, got None."),
    "halves": ({"planned": (1.5, 2)}, "planned must be two whole numbers above 0"),
    "beyond doubles": ({"planned": (10**400, 2)}, "planned must be two whole numbers above 0"),
    "one number": ({"planned": 5}, "The planned must be two numbers, got 1."),
    "no folder": (
        {"templates": ""},
        "templates must be a folder with parts of the report, got ''.",
    ),
    "clusters": ({"cluster": ["id"]}, "The data have no column \"['id']\""),
    "aim of nothing": ({"aim": "superiority"}, "give margin= for superiority, or leave it out."),
    "no marker": ({"markers": 3}, "The data have no column '3'"),
    "subgroups": ({"subgroup": 3}, "The data have no column '3'"),
}
ASKED: dict[str, Any] = {
    "outcome": "outcome",
    "pos_label": "Poor",
    "markers": ["s100b", "ndka"],
    "n_resamples": 100,
    "r": "no",
}


@pytest.mark.parametrize("kind", MEANT)
def test_what_cannot_be_meant_is_one_sentence(kind: str) -> None:
    options, sentence = MEANT[kind]
    with pytest.raises(rs.RocstatsError) as refused:
        rs.report(FRAME, **(ASKED | options))
    assert sentence in str(refused.value)


@pytest.mark.parametrize("column", ["s100b", "sex", "outcome", "id"])
def test_columns_of_a_mapping_have_one_length(column: str) -> None:
    columns: dict[str, Any] = FRAME.to_dict("list")
    columns[column] = columns[column][:-1]
    with pytest.raises(rs.InvalidSampleError, match="as many"):
        rs.report(columns, subgroup="sex", subject="id", **ASKED)


def test_no_threshold_is_none_that_was_prespecified() -> None:
    page = rs.report(FRAME, prespecified={"s100b": []}, **ASKED)
    assert page.facts["settings"]["prespecified"] == {}
    assert "No threshold was fixed before the data were seen." in page.html


def test_what_can_be_meant_is_taken() -> None:
    frame = FRAME[["outcome", "s100b", "sex"]].set_axis(range(3), axis="columns")
    page = rs.report(
        frame,
        outcome=0,  # type: ignore[arg-type]
        markers=1,  # type: ignore[arg-type]
        subgroup=2,  # type: ignore[arg-type]
        baseline=None,  # type: ignore[arg-type]
        pos_label="Poor",
        prevalence=(share for share in (0.1, 0.1, 0.2)),  # type: ignore[arg-type]
        prespecified={"1": [0.2, 0.2]},
        planned=np.array([24, 36]),  # type: ignore[arg-type]
        n_resamples=np.int64(100),  # type: ignore[arg-type]
        rng=np.int64(3),  # type: ignore[arg-type]
        r="no",
    )
    settings = page.facts["settings"]
    assert settings["prevalence"] == [0.1, 0.2]
    assert settings["prespecified"] == {"1": [0.2]}
    assert (settings["planned"], settings["seed"]) == ([24, 36], 3)


def test_one_indeterminate_word_is_not_its_letters() -> None:
    cells = FRAME["s100b"].astype(object)
    cells[7] = "equivocal"
    page = rs.report(FRAME.assign(s100b=cells), indeterminate="equivocal", **ASKED)
    assert page.facts["data"]["n_pos"] == 23


@pytest.mark.parametrize("lacking", [(), (3,)])
def test_an_indeterminate_number_is_found_whatever_its_type(lacking: tuple[int, ...]) -> None:
    cells = FRAME["s100b"].copy()
    cells.iloc[[1, 2]] = 9.0
    cells.iloc[list(lacking)] = None
    for word in ("9", 9, 9.0):
        page = rs.report(FRAME.assign(s100b=cells), indeterminate=[word], **ASKED)
        steps = {step["why"]: step["n"] for step in page.facts["flow"]["steps"]}
        assert steps.pop("s100b indeterminate") == 2
        assert steps == ({"s100b missing": 1} if lacking else {})


def test_a_word_that_no_cell_holds_is_told() -> None:
    cells = FRAME["s100b"].copy()
    cells.iloc[1] = None
    with pytest.warns(rs.RocstatsWarning, match="No cell of the markers holds 'nan', named by"):
        page = rs.report(FRAME.assign(s100b=cells), indeterminate="nan", **ASKED)
    assert page.facts["flow"]["steps"] == [{"why": "s100b missing", "n": 1}]


def test_a_sample_refuses_what_it_cannot_know() -> None:
    sample = rs.ScoredSample.from_frame(FRAME, outcome="outcome", markers="s100b", pos_label="Poor")
    with pytest.raises(rs.InvalidOptionError, match="indeterminate cannot be given with a Scored"):
        rs.report(sample, indeterminate=["x"])


def test_data_whose_name_is_too_long_leave_the_old_page(call: Call) -> None:
    write("old.html", "old")
    assert_refused(call(f"{'s' * 300}.csv", *BASIC, "-o", "old.html"), "File name too long")
    assert Path("old.html").read_text() == "old"


def test_two_hyphens_may_be_a_value(call: Call, asked: dict[str, Any]) -> None:
    call("study.csv", *BASIC, "--indeterminate=--", "-o", "p.html")
    assert asked["indeterminate"] == ["--"]
    for option in ("--label=--", "--aim=--", "--seed=--"):
        with pytest.raises(SystemExit, match="2"):
            call("study.csv", *BASIC, option, "-o", "p.html")


def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    import os

    page = diagnostic.Report(facts={}, html="<!DOCTYPE html>")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name, why in (("pipe", "is no ordinary file"), ("loop", "could not be written: ")):
        with pytest.raises(rs.InvalidOptionError, match=why):
            page.save(tmp_path / name)
    for name in ("", ".", "p\0", "p" * 300):
        with pytest.raises(rs.InvalidOptionError):
            page.save(name)
    assert (tmp_path / "pipe").is_fifo()
    assert page.save(tmp_path / "page.html").read_text() == page.html


@pytest.mark.parametrize("bounds", ["0,3", "s100b=0", "s100b=3,0", "s100b=0,inf", "s100b=5,6"])
def test_14_31_bounds_are_refused_in_the_form_of_the_report(
    call: Call, capsys: pytest.CaptureFixture[str], bounds: str
) -> None:
    """Issue 14, line 31."""
    argv = ("study.csv", *BASIC, *FAST, "--bounds", bounds, "-o", "page.html")
    try:
        said = call(*argv).err
    except SystemExit:
        said = capsys.readouterr().err
    assert "M=LOW,HIGH" in said
    assert "(low, high)" not in said
