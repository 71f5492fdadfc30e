"""``rocstats report``: its options, its TOML file, what it writes and what it refuses."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.analysis.plan import STUDY_TEXTS
from rocstats.cli import main
from rocstats.cli.config import OPTIONS, read_config
from rocstats.cli.proposals import Column
from rocstats.cli.starter import _QUESTIONS
from rocstats.cli.toml import toml
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


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Call = Callable[..., Answer]


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Run the command in a directory with study.csv."""
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("study.csv", index=False)

    def run(*argv: str) -> Answer:
        capsys.readouterr()
        code = main(("report", *argv))
        return Answer(code, *capsys.readouterr())

    return run


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
    *("--reference", "s100b", "--prespecified", "s100b=0.21", "--prespecified", "s100b=0.5"),
    *("--prespecified", "ndka=10", "--prevalence", ".1,.2", "--prevalence", "0.3"),
    *("--subgroup", "sex", "--baseline", "age,sex", "--cluster", "id", "--subject", "id"),
    *("--margin", ".05", "--aim", "equivalence", "--lower-is-positive", "ndka"),
    *("--bounds", "s100b=0,3", "--label", "s100b=S100 = β", "--unit", "ndka=µg/l", "--comparator"),
    *("--scores", "model", "--indeterminate", "a, b", "--indeterminate", "?"),
    *("--confidence-level", ".9", "--n-resamples", "500", "--seed", "7", "--adjust", "bonferroni"),
    *("--r", "no", "--title", "A study", "--nan-policy", "raise", "--planned", "20,30"),
    *("--fpr-range", "0,.2", "--specificities", ".8"),
)
EXPECTED = {
    "outcome": "outcome",
    "pos_label": "Poor",
    "markers": ["s100b", "ndka"],
    "reference": "s100b",
    "prespecified": {"s100b": [0.21, 0.5], "ndka": [10.0]},
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
    "confidence_level": 0.9,
    "n_resamples": 500,
    "seed": 7,
    "adjust": "bonferroni",
    "r": "no",
    "study": {"title": "A study"},
    "nan_policy": "raise",
    "planned": (20, 30),
    "fpr_range": (0.0, 0.2),
    "specificities": [0.8],
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
    "templates": (("study.csv", *BASIC, "--templates=t", "-o=p.html"), "There is no folder t"),
    "label": (("study.csv", "--outcome=outcome", "--markers=s100b", "-o=p"), "--positive '1' is"),
    "level": (("study.csv", *BASIC, "--confidence-level=95", "-o=p"), "strictly between 0 and 1"),
    "resamples": (("study.csv", *BASIC, "--n-resamples=1", "-o=p.html"), "--n-resamples must"),
    "reference": (("study.csv", *BASIC, "--reference=age", "-o=p"), "reference names 'age', which"),
    "cut": (("study.csv", *BASIC, "--prespecified=age=1", "-o=p"), "prespecified names 'age'"),
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
    assert f"argument {option}: " in capsys.readouterr().err


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
nan_policy = "raise"
scores = "model"
labels = { s100b = "S100 = β" }
units = { ndka = "µg/l" }
bounds = { s100b = [0, 3] }

[analysis]
reference = "s100b"
prespecified = { s100b = [0.21, 0.5], ndka = 10 }
prevalence = [0.1, 0.2, 0.3]
subgroups = "sex"
margin = 0.05
aim = "equivalence"
adjust = "bonferroni"
comparator = true
fpr_range = [0, 0.2]
specificities = 0.8
planned = [20, 30]
confidence_level = 0.9
n_resamples = 500
seed = 7

[study]
title = "A study"
funding = " "

[report]
output = "page.html"
r = "no"
"""


def test_the_file_says_what_the_command_line_says(call: Call, asked: dict[str, Any]) -> None:
    Path("plans").mkdir()
    call("--config", write("plans/study.toml", TOML))
    assert {name: value for name, value in asked.items() if name not in HANDED} == EXPECTED
    tables = tomllib.loads(TOML)
    keys = {(table, key) for table, entries in tables.items() for key in entries}
    assert {(o.table, o.key) for o in OPTIONS} - keys == {("report", "templates")}


def test_paths_are_relative_to_the_file(call: Call) -> None:
    Path("plans/mine").mkdir(parents=True)
    name = write("plans/study.toml", TOML.replace('r = "no"', 'templates = "mine"'))
    options = read_config(name)
    assert Path(options["file"]).samefile("study.csv")
    assert Path(options["output"]) == Path("plans/page.html")
    assert Path(options["templates"]) == Path("plans/mine")
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
    "choice": ("[analysis]\naim = 'fame'", "aim must be one of 'non-inferiority'"),
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
        '# reference = "s100b"',
        "# prespecified = { s100b = 0.21 }",
    ):
        assert line in text.splitlines()
    done = call("--config", "mine.toml", *FAST)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("Wrote mine.html\n")


def test_every_option_stands_in_the_file_and_may_be_used(call: Call) -> None:
    text = call("study.csv", "--init").out
    for option in OPTIONS:
        assert any(line.lstrip("# ").startswith(f"{option.key} = ") for line in text.splitlines())
    for name in STUDY_TEXTS:
        assert f'# {name} = ""' in text
    assert set(_QUESTIONS) == set(STUDY_TEXTS)
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
    assert len(read_config(write("all.toml", "\n".join(used)))) == len(OPTIONS) + 1


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
