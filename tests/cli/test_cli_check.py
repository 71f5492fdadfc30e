"""``rocstats check``, and what commands tell and refuse of a messy file."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.cli.config import read_config

Call = Callable[..., tuple[int, str, str]]

MESSY = (
    "Sepsis study;;;\n"
    ";;;\n"
    "id;CRP (mg/l);Sepsis;NT\n"
    "1;3,4;Yes;1,234\n"
    "2;<0,5;no;2,345\n"
    "3;12,5;YES;3,456\n"
    "4;0,8;no;4,567\n"
    "5;2,5;No;5,678\n"
    "6;45,0;yes;6,789\n"
    "7;n/d;unclear;7,891\n"
    ";;;\n"
    "Mean;12,8;;\n"
)
WHEN = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?[^<\"]*")
BASIC = ("--outcome", "Sepsis", "--positive", "yes")


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    Path("study.csv").write_text(MESSY, encoding="utf-8")

    def run(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_it_tells_columns_repairs_and_questions(call: Call) -> None:
    code, out, err = call("check", "study.csv")
    assert (code, err) == (1, "")
    assert out.startswith("study.csv: 7 rows, 4 columns; ")
    assert "\n  B CRP (mg/l): number, 0.5 to 45, 1 missing\n" in out
    assert "  - CRP (mg/l): 6 numbers read with a decimal comma, '3,4' as 3.4. [B4:B9]\n" in out
    assert "  - CRP (mg/l): 1 cell made missing among numbers: 'n/d'. [B10]\n" in out
    assert "1 row at the end, a total or note, was left out: 'Mean'. [12]" in out
    assert (
        "  ? NT holds '1,234' in D4, which may be 1.234 or 1234; say which with --decimal comma or "
        "--decimal point." in out
    )


def test_json_is_machine_readable(call: Call) -> None:
    code, out, _ = call("check", "study.csv", "--decimal", ",", "--json")
    answer = json.loads(out)
    assert (code, answer["command"], answer["questions"]) == (0, "check", [])
    assert answer["found"] == {"separator": ";", "header_row": 3}
    row = next(repair for repair in answer["repairs"] if repair["step"] == "below detection")
    assert (row["column"], row["n"], row["cells"]) == ("CRP (mg/l)", 1, ["B5"])
    assert answer["columns"][1] == {
        "name": "CRP (mg/l)",
        "letter": "B",
        "unit": "mg/l",
        "kind": "number",
        "n_distinct": 6,
        "n_missing": 1,
    }


def test_the_repaired_table_is_written_and_clean(call: Call) -> None:
    call("check", "study.csv", "--decimal", "comma", "-o", "clean.csv")
    code, out, _ = call("check", "clean.csv")
    assert code == 0
    assert "nothing was repaired, 0 questions." in out
    code, _, err = call("check", "study.csv", "-o", "study.csv")
    assert (code, err) == (2, "rocstats: study.csv holds the data; name another file to write.\n")


@pytest.mark.parametrize("marker", ["CRP", "CRP (mg/l)"])
def test_a_command_tells_what_was_repaired(call: Call, marker: str) -> None:
    argv = ("auc", "study.csv", *BASIC, "--exclude", "unclear", "--markers", marker, "--json")
    code, out, err = call(*argv)
    assert code == 0
    assert err.startswith("rocstats: study.csv was repaired on its way in; rocstats check tells")
    assert "  - 1 row with Sepsis = 'unclear' was excluded, as asked.\n" in err
    estimate = json.loads(out)["estimates"][0]["estimate"]
    assert estimate == rs.auc([1, 0, 1, 0, 0, 1], [3.4, 0.5, 12.5, 0.8, 2.5, 45.0]).value


def test_a_clean_file_is_read_without_a_word(call: Call) -> None:
    Path("clean.csv").write_text("y,a\n1,2.5\n0,2.8\n1,3\n0,0.5\n", encoding="utf-8")
    assert call("auc", "clean.csv", "--outcome", "y", "--markers", "a")[2] == ""


REFUSED = {
    "an open question": (
        ("--markers", "NT"),
        "NT holds '1,234' in D4, which may be 1.234 or 1234; say which with --decimal comma or",
    ),
    "a third class": (
        ("--markers", "CRP", "--negative", "no", "--nan-policy", "omit"),
        "Sepsis has 'unclear' beside 'Yes' and 'no'; leave such rows out with --exclude.",
    ),
    "no such sheet": (
        ("--markers", "CRP", "--sheet", "1"),
        "--sheet is for workbooks (.xlsx, .xls, .ods)",
    ),
    "no such row": (
        ("--markers", "CRP", "--header-row", "99"),
        "study.csv has no names in row 99, named by --header-row; it has 12 rows.",
    ),
    "no such encoding": (("--markers", "CRP", "--encoding", "latin-99"), "--encoding must be an"),
    "another encoding": (("--markers", "CRP", "--encoding", "utf-32"), "is no text in utf-32"),
    "no such label": (("--markers", "CRP", "--exclude", "maybe"), "No row has Sepsis = 'maybe'"),
    "no such class": (("--markers", "CRP", "--negative", "x"), "No row has Sepsis = 'x', named by"),
    "as it is": (("--markers", "CRP", "--as-is"), "study.csv seems to be separated by semicolons"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused(call: Call, kind: str) -> None:
    more, sentence = REFUSED[kind]
    code, out, err = call("auc", "study.csv", *BASIC, *more)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_a_word_among_scores_is_named_by_its_cell(call: Call) -> None:
    Path("w.csv").write_text("y,a\n1,2\n0,high\n1,3\n0,1\n", encoding="utf-8")
    _, _, err = call("auc", "w.csv", "--outcome", "y", "--markers", "a")
    assert "a holds 1 cell without a number, as 'high', the first in B3; mend them" in err
    code, _, _ = call(
        *("auc", "w.csv", "--outcome", "y", "--markers", "a"),
        *("--missing-codes", "high", "--nan-policy", "omit"),
    )
    assert code == 0


def test_every_command_takes_a_messy_file(call: Call) -> None:
    base = ("study.csv", *BASIC, "--exclude", "unclear")
    for argv in (
        ("auc", *base, "--markers", "CRP"),
        ("compare", *base, "--markers", "CRP,id"),
        ("thresholds", *base, "--markers", "CRP"),
        ("tests", *base, "--thresholds", "CRP=2,id=3"),
        (
            *("twosample", "study.csv", "--group", "Sepsis", "--positive", "yes"),
            *("--value", "CRP", "--exclude", "unclear"),
        ),
    ):
        code, _, err = call(*argv)
        assert code == 0, err
        assert "was repaired on its way in" in err
    code, _, err = call("r-script", *base, "--markers", "CRP")
    assert code == 2
    assert "R would read study.csv as it stands" in err


# -------------------------------------------------------------------------------------- the report

REPORT = ("report", "study.csv", *BASIC, "--markers", "CRP", "--n-resamples", "100", "--r", "no")


def test_the_report_lists_the_repairs(call: Call) -> None:
    code, out, _ = call(*REPORT, "--exclude", "unclear", "-o", "page.html", "--json")
    facts: dict[str, Any] = json.loads(out)
    steps = [repair["step"] for repair in facts["data"]["repairs"]]
    assert code == 0
    assert steps == [
        *("separator", "header row", "blank rows", "rows at the end"),
        *("decimal comma", "below detection", "missing", "labels", "excluded"),
    ]
    assert facts["data"]["reading"] == {"separator": ";", "header_row": "3"}
    assert facts["flow"]["steps"][0] == {"why": "Sepsis excluded by its label", "n": 1}
    assert facts["flow"]["start"] == facts["data"]["n_rows"] == 7
    assert (facts["markers"][0]["label"], facts["markers"][0]["unit"]) == ("CRP", "mg/l")
    page = Path("page.html").read_text("utf-8")
    assert "Repairs of the file on its way in" in page
    assert "B4:B9" in page
    assert "File read with" in page


def test_the_starter_file_keeps_how_the_file_was_read(call: Call) -> None:
    call("report", "study.csv", *BASIC, "--exclude", "unclear", "--init", "-o", "plan.toml")
    options = read_config("plan.toml")
    assert (options["separator"], options["header_row"]) == (";", 3)
    assert options["exclude"] == ["unclear"]
    code, _, err = call("report", "--config", "plan.toml", "--n-resamples", "100", "--r", "no")
    assert code == 0, err


def test_options_of_reading_in_a_toml_file(call: Call) -> None:
    Path("plan.toml").write_text(
        '[data]\nfile = "study.csv"\noutcome = "Sepsis"\nnegative = "no"\nexclude = ["unclear"]\n'
        'markers = ["CRP"]\n[reading]\nheader_row = 3\nseparator = "semicolon"\ndecimal = "comma"\n'
        'encoding = "utf-8"\ndates = "day-first"\npercent = "number"\nbelow_detection = "half"\n'
        'above_detection = "highest"\nmissing_codes = ["n/d"]\nas_is = false\n[report]\nr = "no"\n',
        encoding="utf-8",
    )
    code, out, err = call("report", "--config", "plan.toml", "--n-resamples", "100", "--json")
    assert code == 0, err
    repairs = json.loads(out)["data"]["repairs"]
    assert "set to half the limit" in next(
        repair["sentence"] for repair in repairs if repair["step"] == "below detection"
    )


# ------------------------------------------------------------------------------- on a terminal

ANSWERS = {
    "which may be 1.234 or 1234": "1",
    "Which column tells the true class": "Sepsis",
    "Which of its values is the positive": "maybe\nYes",
    "which are to be left out": "unclear",
    "Which columns are the markers": "CRP",
    "do low values speak": "",
    "Which thresholds were fixed": "CRP=two\nCRP=2",
    "How common is the condition": "0.1",
    "Do several rows belong": "",
    "means an indeterminate": "",
    "Where to write": "page.html",
}


def test_on_a_terminal_it_asks(
    call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spaced = MESSY.replace("Sepsis;NT", "Sepsis ;NT")  # an answer need not have the space
    Path("study.csv").write_text(spaced, encoding="utf-8")
    left = {question: answer.split("\n") for question, answer in ANSWERS.items()}
    heard: list[str] = []

    def answer(prompt: str) -> str:
        heard.append(capsys.readouterr().out + prompt)
        known = next((q for said in reversed(heard) for q in left if q in said and left[q]), None)
        assert known is not None, heard[-1]
        return left[known].pop(0)

    monkeypatch.setattr("rocstats.cli.report.can_ask", lambda: True)
    monkeypatch.setattr("rocstats.cli.interview.interview.__defaults__", (answer,))
    code, out, _ = call("report", "study.csv", "--n-resamples", "100", "--r", "no")
    assert code == 0
    assert not any(left.values())
    assert "say which with --decimal comma or --decimal point" in "".join(heard)
    assert "There is no 'maybe' here." in "".join(heard)
    assert "M=NUMBER was expected, got 'CRP=two'" in "".join(heard)
    assert "The same again: rocstats report study.csv --outcome 'Sepsis ' --positive Yes" in out
    said = out.partition("The same again: ")[2].splitlines()[0]
    page = Path("page.html").read_text("utf-8")
    again, _, _ = call(*shlex.split(said)[1:], "-o", "again.html")
    assert again == 0
    assert WHEN.sub("", Path("again.html").read_text("utf-8")) == WHEN.sub("", page)


def test_in_a_pipe_it_never_asks(call: Call) -> None:
    code, out, err = call("report", "study.csv")
    assert (code, out) == (2, "")
    assert "Name the column of the true class as --outcome" in err


def test_an_end_of_the_answers_is_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("rocstats.cli.report.can_ask", lambda: True)
    monkeypatch.setattr("rocstats.cli.interview.interview.__defaults__", (nothing,))
    code, _, err = call("report", "study.csv")
    assert (code, err.count("\n")) == (2, 1)
    assert "The questions were not answered to their end" in err
