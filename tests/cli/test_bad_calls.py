"""Bad files and contradictory options, of every command: one sentence, code 2, nothing written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.cli import main

FILES = {
    "empty.csv": "",
    "header.csv": "y,a,b\n",
    "one.csv": "y,a,b\n1,2,3\n1,3,4\n1,4,5\n",
    "missing.csv": "y,a,b\n1,,\n0,,\n1,,\n0,,\n",
    "infinite.csv": "y,a,b\n1,inf,2\n0,1,3\n1,2,4\n0,3,1\n",
    "words.csv": "y,a,b\n1,high,2\n0,low,3\n1,high,4\n0,low,1\n",
    "twice.csv": "y,a,a\n1,1,2\n0,1,3\n1,2,4\n0,3,1\n",
    "long.csv": "y,a,b\n1,1,2\n0,1,3,9\n1,2,4\n0,3,1\n",
    "three.csv": "y,a,b\n1,1,2\n0,1,3\n1,2,4\n0,3,1\n2,1,1\n",
    "beyond.csv": "y,a,b\n1,1e400,2\n0,1,3\n1,2,4\n0,3,1\n",
    "good.csv": "y,a,b\n1,1,2\n0,1,3\n1,2,4\n0,3,1\n",
    "good.foo": "y,a,b\n1,1,2\n0,1,3\n",
}
ASKED = {
    "auc": "{} --outcome y --markers a,b",
    "compare": "{} --outcome y --markers a,b",
    "thresholds": "{} --outcome y --marker a --threshold 2",
    "tests": "{} --outcome y --thresholds a=2,b=2",
    "twosample": "{} --group y --value a",
    "plot": "curve {} --outcome y --markers a,b -o out.png",
    "report": "{} --outcome y --markers a,b --r no --quiet -o out.html",
    "readers": "{} --test a --reader b --case c --outcome y --rating d -o out.html",
    "survival": "{} --time a --event y --markers b --at 2",
    "check": "{}",
}
BAD = ("empty.csv", "long.csv", "nowhere.csv", "folder", "good.foo")
SCORES = ("header.csv", "one.csv", "missing.csv", "words.csv", "three.csv", "beyond.csv")
READINGS = (
    "readers reader_study.csv --test treatment --reader reader --case case --outcome truth "
    "--rating rating"
)
REPORT = "report good.csv --outcome y --markers a,b --r no --quiet"
CALLS = {
    **{f"{c} {f}": (f"{c} {ASKED[c].format(f)}", "") for c in ASKED for f in BAD},
    **{
        f"{c} {f}": (f"{c} {ASKED[c].format(f)}", "")
        for c in ("auc", "compare", "thresholds", "twosample", "plot", "report")
        for f in SCORES
    },
    "infinite": ("twosample infinite.csv --group y --value a", "infinite values"),
    "infinite times": ("survival infinite.csv --time a --event y --markers b --at 2", "finite"),
    "columns": ("auc good.csv --outcome y --markers zz", "no column 'zz'"),
    "outcome": ("check good.csv --outcome yy", "no column 'yy'; they have y, a, b."),
    "itself": (f"{REPORT} --markers y,a -o out.html", "cannot predict itself"),
    "marker twice": (f"{REPORT} --markers a,a -o out.html", "there twice"),
    "ending": (f"{REPORT} -o out.xlsx", "would not be what its name says"),
    "directory": (f"{REPORT} -o folder", "folder is a directory"),
    "no directory": (f"{REPORT} -o no/out.html", "There is no directory no"),
    "the data": (f"{REPORT} -o good.csv", "good.csv holds the data"),
    "margin": (f"{REPORT} --margin -1 -o out.html", "--margin must be"),
    "prevalence": (f"{REPORT} --prevalence 3 -o out.html", "--prevalence must lie"),
    "level": (f"{REPORT} --confidence-level 95 -o out.html", "--confidence-level must lie"),
    "program of no readers": (f"{REPORT} --ai a -o out.html", "add --readers"),
    "a marker's threshold": (
        f"{REPORT} --threshold a=2 -o out.html",
        "--threshold: a number was expected, got 'a=2'; see rocstats report --help. You may want "
        "--prespecified a=2.",
    ),
    "a reader's threshold": (f"{REPORT} --threshold 2 -o out.html", "is --prespecified M=CUT."),
    "a level in words": ("auc good.csv --outcome y --markers a --confidence-level high", "number"),
    "seed": (f"{REPORT} --seed x -o out.html", "--seed: a whole number was expected, got 'x'"),
    "interval": ("auc good.csv --outcome y --markers a --interval x", "--interval must be one"),
    "positive": ("auc good.csv --outcome y --markers a --positive 7", "not among the labels"),
    "one marker": ("compare good.csv --outcome y --markers a", "needs two markers"),
    "equivalence": ("compare good.csv --outcome y --markers a,b --equivalence 0", "positive"),
    "both sizes": ("power --auc .8 --power .8 --n-pos 9 --n-neg 9", "--find power"),
    "picture": ("plot curve good.csv --outcome y --markers a -o out.bmp", ".bmp"),
    "demo": ("demo --data -o out.html", "--data writes the data and no report"),
    "same column": (READINGS.replace("--reader reader", "--reader case"), "both as"),
    "nothing random": (f"{READINGS} --readers fixed --cases fixed", "nothing that varies"),
    "program": (f"{READINGS} --ai x --standard testA -o out.docx", "or reader 'x' for --ai"),
    "test of readers": (f"{READINGS} --ai reader1 -o out.html", "name one with --standard"),
    "no such test": (f"{READINGS} --ai reader1 --standard x -o out.html", "no test 'x'"),
    "margin of 2": (f"{READINGS} --ai reader1 --standard testA --margin 2", "below 1, got 2"),
    "new and a program": (f"{READINGS} --ai reader1 --new testA", "--new has no part beside"),
    "endless margin": (f"{READINGS} --margin inf -o out.docx", "below 1, got inf"),
    "file of a folder": (f"{READINGS} --figures good.csv", "good.csv cannot be made"),
    "words as ratings": (READINGS.replace("--rating rating", "--rating reader"), "must be numbers"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    shutil.copy(rs.datasets.path("reader_study"), tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", CALLS)
def test_a_bad_call_is_one_sentence(
    name: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call, said = CALLS[name]
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    try:
        code = main(call.split())
    except SystemExit as stop:
        code = int(str(stop.code))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("rocstats: ")
    assert err.count("\n") == 1
    assert err.rstrip().endswith((".", "?", "--help"))
    assert said in err
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


def test_what_memory_does_not_hold_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rocstats.cli import measures

    def fill(_: object) -> None:
        raise MemoryError("Unable to allocate 74.5 GiB")

    monkeypatch.setattr(measures, "analyse", fill)
    assert main(["measures", "auc", "accuracy", "--n-pos", "9", "--n-neg", "9"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "more memory than there is (MemoryError: Unable to allocate 74.5 GiB)" in err
