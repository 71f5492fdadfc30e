"""Lines 13 and 18 of issue 14: what is written is what its name says, and commands no terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from conftest import Call

import rocstats as rs
from rocstats.reports.diagnostic import Report

FRAME = pd.DataFrame({"y": [1, 0] * 10, "a": [float(i * 7 % 20) for i in range(20)]})
BASIC = ("--outcome", "y", "--positive", "1", "--markers", "a")
PAGE = Report(facts={}, html="<!DOCTYPE html>")


@pytest.fixture
def study(tmp_path: Path) -> str:
    FRAME.to_csv(tmp_path / "study.csv", index=False)
    return "study.csv"


@pytest.mark.parametrize("name", ["x.doc", "x.odt", "x.DOC", "x.html.zip", "x.v2"])
def test_14_13_a_page_is_not_saved_under_a_wrong_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(rs.InvalidOptionError) as refused:
        PAGE.save(tmp_path / name)
    ending = Path(name).suffix
    assert str(refused.value).endswith(
        f"{name} would not be what its name says, as .html, .docx or .pdf is written and not "
        f"{ending}; end the name in .html, .docx or .pdf."
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x.html", "x.htm", "x.HTML", "x", "of.the.study/x"])
def test_14_13_a_page_is_saved_as_html_or_without_an_ending(tmp_path: Path, name: str) -> None:
    (tmp_path / "of.the.study").mkdir()
    assert PAGE.save(tmp_path / name).read_text() == PAGE.html


@pytest.mark.parametrize(
    ("ask", "made", "wrong"),
    [
        (("report", "study.csv", *BASIC, "-o"), ".html, .docx or .pdf", ["x.doc", "x.png", "x.R"]),
        (("report", "study.csv", "--init", "-o"), ".toml", ["x.docx", "x.html"]),
        (("demo", "-o"), ".html, .docx or .pdf", ["x.doc", "x.xlsx"]),
        (("auc", "study.csv", *BASIC, "-o"), ".csv, .tex, .docx or .xlsx", ["x.pdf", "x.html"]),
        (("plot", "curve", "study.csv", *BASIC, "-o"), ".svg, .pdf, .png or .tiff", ["x.jpg"]),
        (("validate", "-o"), ".html", ["x.docx", "x.pdf"]),
        (("r-script", "study.csv", *BASIC, "-o"), ".R", ["x.docx", "x.html"]),
    ],
)
@pytest.mark.usefixtures("study")
def test_14_13_every_command_refuses_an_ending_that_is_not_made(
    call: Call, ask: tuple[str, ...], made: str, wrong: list[str]
) -> None:
    for name in wrong:
        answer = call(*ask, name)
        assert answer.code == 2
        assert f"{name} would not be what its name says, as {made} is written" in answer.err
        assert answer.out == ""
        assert not Path(name).exists()


HOSTILE = "crp\x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil"
COMMANDS = [
    ("auc", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--markers", HOSTILE),
    ("compare", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--markers", f"{HOSTILE},b"),
    ("thresholds", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--markers", HOSTILE),
    ("twosample", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--markers", HOSTILE),
    ("tests", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--thresholds", f"{HOSTILE}=1,b=3"),
    ("r-script", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--markers", HOSTILE),
    ("report", "f.csv", "--init"),
    ("report", "f.csv", "--outcome", "y", "--positive", HOSTILE, "--markers", HOSTILE, "-o", "p"),
    ("auc", "f.csv", "--outcome", "y", "--positive", "none", "--markers", HOSTILE),
    ("auc", "f.csv", "--outcome", "z", "--positive", HOSTILE, "--markers", "b"),
    ("auc", f"{HOSTILE}.csv", "--outcome", "z", "--markers", "b"),
    (HOSTILE,),
    ("auc", f"--{HOSTILE}"),
]


@pytest.mark.parametrize("ask", COMMANDS, ids=lambda ask: ask[0] if ask[0].isalpha() else "none")
def test_14_18_names_and_labels_command_no_terminal(
    call: Call, capsys: pytest.CaptureFixture[str], ask: tuple[str, ...]
) -> None:
    frame = FRAME.assign(b=FRAME["a"] % 7, y=FRAME["y"].map({1: HOSTILE, 0: "well"}))
    frame.rename(columns={"a": HOSTILE}).to_csv("f.csv", index=False)
    try:
        code, out, err = call(*ask)
    except SystemExit:  # of the parser
        code, (out, err) = 2, capsys.readouterr()
    printed = out + err
    for command in ("\x1b", "\x07", "\x9b", "\u202e"):
        assert command not in printed, repr(command)
    assert "crp" in printed or code == 2


def test_14_18_control_characters_are_shown(call: Call) -> None:
    FRAME.rename(columns={"a": "crp\x1b[2J"}).to_csv("f.csv", index=False)
    answer = call("auc", "f.csv", "--outcome", "y", "--positive", "1", "--markers", "crp\x1b[2J")
    assert answer.code == 0
    assert "crp\\x1b[2J" in answer.out
