"""Messy workbooks and text files, each with the table and the log that its intake must give.

``python tests/data/messy_files.py FOLDER`` writes those with one defect, in every format that can
have it, and one file for every pair of defects that can stand in one file; beside each a JSON file
with the steps of the log, and a CSV file with the table.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

NAN = float("nan")
CRP = [3.4, 0.8, 12.5, 7.25, 45.1, 0.6, 2.2, 9.75, 30.5, 1.1, 5.5, 64.2]
FERRITIN = [120, 1834, 88, 2410, 956, 45, 310, 1207, 3051, 77, 640, 5122]
LVEF = [55, 60, 35, 40, 28, 62, 58, 45, 30, 65, 50, 25]
SEPSIS = ["No", "No", "Yes", "Yes", "Yes", "No", "No", "No", "Yes", "No", "No", "Yes"]
VISIT = [f"{day:02d}.03.2021" for day in range(14, 26)]

TABLE = pd.DataFrame(
    {
        "id": range(1, 13),
        "CRP": CRP,
        "Ferritin": FERRITIN,
        "LVEF": LVEF,
        "Sepsis": SEPSIS,
        "Größe": [171, 180, 165, 177, 190, 158, 169, 174, 181, 160, 188, 172],
    }
)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A file that is being written: what stands in its cells, and how they are stored."""

    header: list[Any]
    rows: list[list[Any]]
    above: list[list[Any]] = field(default_factory=list)
    under_header: list[list[Any]] = field(default_factory=list)
    below: list[list[Any]] = field(default_factory=list)
    other_sheets: list[tuple[str, list[list[Any]]]] = field(default_factory=list)
    encoding: str = "utf-8"
    separator: str = ","
    table: pd.DataFrame = field(default_factory=lambda: TABLE.copy())
    options: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> list[list[Any]]:
        return [*self.above, self.header, *self.under_header, *self.rows, *self.below]


Change = Callable[[Draft], Draft]


@dataclass(frozen=True, kw_only=True)
class Defect:
    """A defect: how it gets into a file, what the log says of it, and which files can have it.

    `touches` names columns or parts, of which a pair must not share one.
    """

    change: Change
    steps: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = (".csv", ".xlsx")
    touches: frozenset[str]


def clean_draft() -> Draft:
    return Draft(
        header=list(TABLE.columns), rows=[list(row) for row in TABLE.itertuples(index=False)]
    )


def _cells(column: str, write: Callable[[int, Any], Any]) -> Change:
    """Return the change of cells of a column; `write` takes the row and the value."""

    def change(draft: Draft) -> Draft:
        j = list(draft.table.columns).index(column)
        rows = [[*r] for r in draft.rows]
        for i, row in enumerate(rows):
            if row and len(row) > j:
                row[j] = write(i, row[j])
        return replace(draft, rows=rows)

    return change


def _expecting(change: Change, column: str, values: Callable[[list[Any]], list[Any]]) -> Change:
    """Return a change after which the table is another one."""

    def changed(draft: Draft) -> Draft:
        new = change(draft)
        table = new.table.copy()
        table[column] = values(table[column].tolist())
        return replace(new, table=table)

    return changed


def _at(*places: int, to: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda values: [to if i in places else v for i, v in enumerate(values)]


def _named(name: str, new: Any) -> Change:
    return lambda d: replace(
        d,
        header=[new if h == name else h for h in d.header],
        table=d.table.rename(columns={name: new}),
    )


def _with(**parts: Any) -> Change:
    return lambda draft: replace(draft, **parts)


def _inserted(draft: Draft, at: int, row: list[Any]) -> Draft:
    return replace(draft, rows=[*draft.rows[:at], row, *draft.rows[at:]])


def _dated(draft: Draft) -> Draft:
    rows = [[*row, day] if row else row for row, day in zip(draft.rows, VISIT, strict=True)]
    days = [datetime.strptime(day, "%d.%m.%Y") for day in VISIT]
    table = draft.table.assign(Visit=pd.to_datetime(days))
    return replace(draft, header=[*draft.header, "Visit"], rows=rows, table=table)


def _doubtful_dates(draft: Draft) -> Draft:
    days = [f"0{1 + i % 9}/0{1 + i % 7}/2021" for i in range(12)]
    rows = [[*row, day] for row, day in zip(draft.rows, days, strict=True)]
    table = draft.table.assign(Visit=days)
    return replace(draft, header=[*draft.header, "Visit"], rows=rows, table=table)


def _doubtful_numbers(draft: Draft) -> Draft:
    texts = [f"{1 + i},{230 + i}" for i in range(12)]
    rows = [[*row, text] for row, text in zip(draft.rows, texts, strict=True)]
    return replace(
        draft, header=[*draft.header, "NT"], rows=rows, table=draft.table.assign(NT=texts)
    )


def _answered_numbers(draft: Draft) -> Draft:
    new = _doubtful_numbers(draft)
    numbers = [float(text.replace(",", "")) for text in new.table["NT"]]
    return replace(
        new,
        table=new.table.assign(NT=[int(n) for n in numbers]),
        options=draft.options | {"decimal": "point"},
    )


def _coded(draft: Draft) -> Draft:
    new = _cells("LVEF", lambda i, v: -9 if i in (2, 5) else v)(draft)
    table = new.table.assign(LVEF=_at(2, 5, to=NAN)(new.table["LVEF"].tolist()))
    return replace(new, table=table, options=new.options | {"missing_codes": ["-9"]})


def _excluding(draft: Draft) -> Draft:
    new = _cells("Sepsis", lambda i, v: "unclear" if i in (0, 11) else v)(draft)
    table = new.table.drop(index=[0, 11]).reset_index(drop=True)
    return replace(
        new, table=table, options=new.options | {"outcome": "Sepsis", "exclude": ["unclear"]}
    )


def _empty_column(draft: Draft) -> Draft:
    return replace(
        draft,
        header=[*draft.header[:3], None, *draft.header[3:]],
        rows=[[*row[:3], None, *row[3:]] for row in draft.rows],
    )


def _below_all(draft: Draft) -> Draft:
    new = _cells("CRP", lambda i, v: "<0.5" if i in (1, 5, 9) else v)(draft)
    return replace(new, table=new.table.assign(CRP=_at(1, 5, 9, to=0.5)(CRP)))


def _comma(value: Any) -> Any:
    return f"{value}".replace(".", ",")


def _gap(value: int) -> Any:
    return f"{value:,}".replace(",", " ")


DEFECTS: dict[str, Defect] = {
    "title": Defect(
        change=_with(above=[["Sepsis cohort, ward 3"], []]),
        steps=("header row",),
        touches=frozenset({"above"}),
    ),
    "long title": Defect(
        change=_with(above=[["Sepsis cohort"], ["Export of 2021-05-03"], ["do not share"]]),
        steps=("header row",),
        touches=frozenset({"above"}),
    ),
    "group row": Defect(
        change=_with(above=[["Patient", None, "Laboratory", None, "Outcome"]]),
        steps=("header row",),
        suffixes=(".xlsx", ".csv"),
        touches=frozenset({"above"}),
    ),
    "notes sheet": Defect(
        change=_with(other_sheets=[("Notes", [["Read me"], ["CRP by ELISA"]])]),
        steps=("sheet",),
        suffixes=(".xlsx",),
        touches=frozenset({"sheets"}),
    ),
    "unit in header": Defect(change=_named("CRP", "CRP (mg/l)"), touches=frozenset({"header CRP"})),
    "unit row": Defect(
        change=_with(under_header=[[None, "mg/l", "ng/ml", "%", None, "cm"]]),
        steps=("units",),
        touches=frozenset({"under", "header CRP", "columns"}),
    ),
    "line break in header": Defect(
        change=_named("Ferritin", " Ferritin\n"),
        touches=frozenset({"header Ferritin"}),
    ),
    "decimal comma": Defect(
        change=_cells("CRP", lambda i, v: _comma(v)),
        steps=("decimal comma",),
        touches=frozenset({"CRP"}),
    ),
    "thousands": Defect(
        change=_cells("Ferritin", lambda i, v: _gap(v)),
        steps=("thousands",),
        touches=frozenset({"Ferritin"}),
    ),
    "percent": Defect(
        change=_cells("LVEF", lambda i, v: f"{v} %"),
        steps=("percent",),
        touches=frozenset({"LVEF"}),
    ),
    "unit in cells": Defect(
        change=_cells("CRP", lambda i, v: f"{v} mg/l"),
        steps=("units in cells",),
        touches=frozenset({"CRP"}),
    ),
    "below detection": Defect(
        change=_below_all, steps=("below detection",), touches=frozenset({"CRP"})
    ),
    "above detection": Defect(
        change=_expecting(
            _cells("LVEF", lambda i, v: "> 64" if i == 9 else v), "LVEF", _at(9, to=64)
        ),
        steps=("above detection",),
        touches=frozenset({"LVEF"}),
    ),
    "empty words": Defect(
        change=_expecting(
            _cells("CRP", lambda i, v: ["n/d", "-"][i % 2] if i in (3, 4) else v),
            "CRP",
            _at(3, 4, to=NAN),
        ),
        steps=("missing",),
        touches=frozenset({"CRP"}),
    ),
    "errors of a formula": Defect(
        change=_expecting(
            _cells("Ferritin", lambda i, v: "#DIV/0!" if i == 3 else v), "Ferritin", _at(3, to=NAN)
        ),
        steps=("missing",),
        touches=frozenset({"Ferritin"}),
    ),
    "labels": Defect(
        change=_cells("Sepsis", lambda i, v: {0: "NO", 2: "yes", 5: "no ", 8: " Yes"}.get(i, v)),
        steps=("labels",),
        touches=frozenset({"Sepsis"}),
    ),
    "mean row": Defect(
        change=_with(below=[["Mean", 15.24, 1322, 46.1]]),
        steps=("rows at the end",),
        touches=frozenset({"below", "columns"}),
    ),
    "totals after a gap": Defect(
        change=_with(below=[[], [None, 182.9, 15860], ["SD", 19.9, 1500]]),
        steps=("rows at the end", "blank rows"),
        touches=frozenset({"below", "columns"}),
    ),
    "footnote": Defect(
        change=_with(below=[[], ["* Ferritin by immunoassay, see the protocol"]]),
        steps=("rows at the end", "blank rows"),
        touches=frozenset({"below"}),
    ),
    "blank rows": Defect(
        change=lambda d: _inserted(_inserted(d, 8, []), 4, []),
        steps=("blank rows",),
        touches=frozenset({"rows"}),
    ),
    "repeated header": Defect(
        change=lambda d: _inserted(d, 6, list(d.header)),
        steps=("repeated header",),
        touches=frozenset({"rows", "header CRP", "header Ferritin", "columns", "cells"}),
    ),
    "blank column": Defect(
        change=_empty_column, steps=("blank columns",), touches=frozenset({"columns", "rows"})
    ),
    "numbers as text": Defect(
        change=_cells("CRP", lambda i, v: f"{v}" if i % 3 == 0 else v),
        steps=("numbers as text",),
        suffixes=(".xlsx",),
        touches=frozenset({"CRP"}),
    ),
    "cp1252": Defect(
        change=_with(encoding="cp1252"),
        steps=("encoding",),
        suffixes=(".csv",),
        touches=frozenset({"encoding"}),
    ),
    "utf-16": Defect(
        change=_with(encoding="utf-16"),
        steps=("encoding",),
        suffixes=(".csv",),
        touches=frozenset({"encoding"}),
    ),
    "semicolons": Defect(
        change=_with(separator=";"),
        steps=("separator",),
        suffixes=(".csv",),
        touches=frozenset({"separator"}),
    ),
    "tabs": Defect(
        change=_with(separator="\t"),
        steps=("separator",),
        suffixes=(".csv",),
        touches=frozenset({"separator"}),
    ),
    "dates": Defect(
        change=_dated, steps=("dates",), touches=frozenset({"columns", "rows", "last"})
    ),
    "codes": Defect(change=_coded, steps=("missing codes",), touches=frozenset({"LVEF"})),
    "excluded": Defect(change=_excluding, steps=("excluded",), touches=frozenset({"Sepsis"})),
    "doubtful dates": Defect(
        change=_doubtful_dates,
        questions=("dates",),
        touches=frozenset({"columns", "rows", "last"}),
    ),
    "doubtful numbers": Defect(
        change=_doubtful_numbers,
        questions=("decimal mark",),
        touches=frozenset({"columns", "rows", "last"}),
    ),
    "answered numbers": Defect(
        change=_answered_numbers,
        steps=("thousands",),
        touches=frozenset({"columns", "rows", "last", "CRP"}),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Messy:
    """A messy file, and what must come of it."""

    name: str
    suffix: str
    draft: Draft
    steps: frozenset[str]
    questions: frozenset[str]

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.name.replace(' ', '_')}{self.suffix}"
        (_write_book if self.suffix == ".xlsx" else _write_text)(path, self.draft)
        return path


def _write_text(path: Path, draft: Draft) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=draft.separator, lineterminator="\n")
    width = max(map(len, draft.lines()))
    for line in draft.lines():
        padded = [*line, *[None] * (width - len(line))] if draft.above or draft.below else line
        writer.writerow(padded if line else [])
    path.write_bytes(text.getvalue().encode(draft.encoding))


def _write_book(path: Path, draft: Draft) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheets = [*draft.other_sheets, ("Data", draft.lines())]
    for k, (name, lines) in enumerate(sheets):
        sheet = book.active if k == 0 else book.create_sheet()
        sheet.title = name
        for i, line in enumerate(lines, 1):
            for j, cell in enumerate(line, 1):
                if cell is not None:
                    sheet.cell(i, j).value = cell
    book.save(path)


def _made(names: tuple[str, ...], suffix: str) -> Messy:
    draft = clean_draft()
    for name in sorted(names, key=lambda n: _LAST.get(n, 0)):
        draft = DEFECTS[name].change(draft)
    found = [DEFECTS[name] for name in names]
    return Messy(
        name=" and ".join(names),
        suffix=suffix,
        draft=draft,
        steps=frozenset(step for defect in found for step in defect.steps),
        questions=frozenset(step for defect in found for step in defect.questions),
    )


# What comes after the changes of cells, so that these find their rows.
_LAST = {"excluded": 1, "blank rows": 2, "blank column": 2, "repeated header": 2}
_LAST |= {"unit in header": 3, "line break in header": 3}


def alone() -> Iterator[Messy]:
    """Yield files with one defect, in every format that can have it."""
    for name, defect in DEFECTS.items():
        for suffix in defect.suffixes:
            yield _made((name,), suffix)


def in_pairs() -> Iterator[Messy]:
    """Yield a file for every two defects that do not touch the same."""
    for k, (a, b) in enumerate(itertools.combinations(DEFECTS, 2)):
        one, two = DEFECTS[a], DEFECTS[b]
        suffixes = [s for s in (".csv", ".xlsx") if s in one.suffixes and s in two.suffixes]
        if not one.touches & two.touches and suffixes:
            yield _made((a, b), suffixes[k % len(suffixes)])


def main(folder: str) -> None:
    """Write all files to a folder, each with what is expected of it."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for messy in (*alone(), *in_pairs()):
        path = messy.write(place)
        expected = {
            "options": messy.draft.options,
            "steps": sorted(messy.steps),
            "questions": sorted(messy.questions),
        }
        Path(f"{path}.json").write_text(json.dumps(expected, indent=2), encoding="utf-8")
        messy.draft.table.to_csv(f"{path}.expected.csv", index=False)


if __name__ == "__main__":
    main(sys.argv[1])
