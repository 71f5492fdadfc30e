"""Issue 18, item 5: ``rocstats auc | compare | thresholds -o`` write the answer as a table."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import Call

import rocstats as rs

BASIC = ("--outcome", "diagnosis", "--positive", "malignant")
CALLS: dict[str, tuple[str, ...]] = {
    "auc": ("--markers", "mean_radius,mean_texture"),
    "compare": ("--markers", "mean_radius,mean_texture,worst_area", "--noninferiority", "0.05"),
    "thresholds": (
        *("--marker", "mean_radius", "--threshold", "15", "--criterion", "youden"),
        *("--at-specificity", "0.9", "--n-resamples", "50"),
    ),
}
DATA = str(rs.datasets.path("breast_cancer"))
SHEETS = {
    "auc": ["estimates"],
    "compare": ["differences", "estimates", "omnibus", "margin 1"],
    "thresholds": ["cutpoints", "fixed rate 1"],
}


def told_rows(command: str, told: dict[str, Any]) -> list[Any]:
    if command == "auc":
        return list(told["estimates"])
    if command == "compare":
        return list(told["contrasts"])
    optima = [optimum for cut in told["cutpoints"] for optimum in cut["optima"]]
    return [row for optimum in optima for row in optimum["table"]]


@pytest.mark.parametrize("command", CALLS)
def test_18_05_a_table_has_every_digit_of_the_json(call: Call, command: str) -> None:
    answer = call(command, DATA, *BASIC, *CALLS[command], "-o", "t.csv")
    assert answer.code == 0
    assert answer.out.endswith("Wrote t.csv\n")
    told = json.loads(call(command, DATA, *BASIC, *CALLS[command], "--json").out)
    with open("t.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wanted = told_rows(command, told)
    if command == "thresholds":
        corrected = [row for row in rows if row["measure"].startswith("corrected_")]
        assert {row["kind"] for row in corrected} == {"exploratory"}
        rows = [row for row in rows if row not in corrected]
    assert len(rows) == len(wanted) > 1
    for row, other in zip(rows, wanted, strict=True):
        for name in ("estimate", "conf_low", "conf_high"):
            assert (float(row[name]) if row[name] else None) == other[name]


@pytest.mark.parametrize("command", CALLS)
def test_18_05_the_forms_have_the_same_tables(call: Call, command: str) -> None:
    docx = pytest.importorskip("docx")
    pytest.importorskip("openpyxl")
    for ending in ("tex", "docx", "xlsx"):
        assert call(command, DATA, *BASIC, *CALLS[command], "-o", f"t.{ending}").code == 0
    assert list(pd.read_excel("t.xlsx", sheet_name=None)) == SHEETS[command]
    text = Path("t.tex").read_text("utf-8")
    tables = docx.Document("t.docx").tables
    assert len(tables) == text.count("\\toprule")
    for table in tables:
        assert " & ".join(cell.text for cell in table.rows[0].cells).replace("%", "\\%") in text
    assert "(95\\% CI)" in text
    assert " to " in text


@pytest.mark.parametrize(
    ("name", "library", "said"),
    [
        ("t.pdf", None, "end the name in .csv, .tex, .docx or .xlsx."),
        ("t.docx", "docx", 'pip install "rocstats[docx]"'),
        ("t.xlsx", "openpyxl", 'pip install "rocstats[io]"'),
        ("nowhere/t.csv", None, "There is no directory nowhere"),
        ("", None, "names no file"),
    ],
)
@pytest.mark.parametrize("command", CALLS)
def test_18_05_a_table_that_cannot_be_written_is_refused_before_the_work(
    call: Call, monkeypatch: pytest.MonkeyPatch, command: str, name: str, library: Any, said: str
) -> None:
    if library is not None:
        monkeypatch.setitem(sys.modules, library, None)
    answer = call(command, DATA, *BASIC, *CALLS[command], "-o", name)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert list(Path().iterdir()) == []


def test_18_05_the_data_are_not_written_over(call: Call) -> None:
    Path("d.csv").write_bytes(Path(DATA).read_bytes())
    answer = call("auc", "d.csv", *BASIC, *CALLS["auc"], "-o", "d.csv")
    assert answer.code == 2
    assert "holds the data" in answer.err
    assert Path("d.csv").read_bytes() == Path(DATA).read_bytes()
