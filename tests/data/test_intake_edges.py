"""Cells at the edge of what they can mean: the reading of each, and where a code stands out."""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from recorded import hold, shortened

import rocstats as rs
from rocstats.data.intake.detection_limits import lowest_place
from rocstats.data.intake.header_names import split_unit, told_apart, units_and_aliases
from rocstats.data.intake.missing_codes import apply_codes, codes_by_column, plain_numbers
from rocstats.data.intake.number_cells import read_cell

CELLS: list[Any] = [
    *("1", "-1", "+1", "\u22121", "- 1", "1.5", "1,5", ".5", ",5", "5.", "5,", "0.125", "0,125"),
    *("1.234", "1,234", "12.345", "123,456", "1234,567", "0.123", "1.234.567", "1,234,567"),
    *("1.234,5", "1,234.5", "1 234", "1 234,5", "1'234.5", "12 34", "1e3", "1E-3", "1.5e2"),
    *("1e5000", "1e400", "inf", "-Infinity", "nan", "12%", "12 %", "1,5 %", "5 mg/l", "5mg/l"),
    *("5 x10^9/l", "5 10*3/uL", "5 years", "5 apples", "<5", "< 0,05", "<=5", "=<5", "≤5", "&lt;5"),
    *(">5", ">= 500", "≥5", "&gt;5", "⩽3", "⩾3", "<", "< LOD", ">ULOQ", "LOD", "ULOQ", "blq"),
    *("<5 mg/l", "< high", "4.2*", "4.2 *", "4.2**", "4.2†", "4.2****", "sick*", ">500 †", "<5*"),
    *("2024-01-02", "1.2.2024", "01/02/24", "1-2-2024", "1.2.3", "high", "n/d", "N.D.", "-", "?"),
    *("  7  ", "7\u00a0", "\ufeff7", "1_000", "0x10", "TRUE", "#DIV/0!", "+", "1:80", "5±1", "++"),
    *(True, 3, 2.5, float("nan"), None, pd.Timestamp("2024-01-02"), math.inf),
]


def test_every_cell_says_what_was_recorded() -> None:
    found = {repr(cell): shortened(asdict(read_cell(cell))) for cell in CELLS}
    hold("data", "cells", found)


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        ([1, 2, 50, 99], False),  # 99 is not far above 50
        ([1, 2, 49.5, 99], False),  # exactly twice
        ([1, 2, 49, 99], True),
        ([1, 2, 99], False),  # two other values
        ([1, 1, 2, 99], False),
        ([1, 2, 3, -9], True),
        ([0, 2, 3, -9], True),
        ([-0.5, 2, 3, -9], False),
        ([1, 2, 3, -10], False),
        ([1, 2, 3, 98], False),
        ([1, 2, 3, -9, 999], True),
    ],
)
def test_a_code_is_asked_of_where_it_stands_out(
    values: list[float], asked: bool, tmp_path: Path
) -> None:
    frame = pd.DataFrame({"y": [0, 1] * 6, "a": (values * 12)[:12]})
    frame.to_csv(tmp_path / "study.csv", index=False)
    questions = rs.check(tmp_path / "study.csv").questions
    assert any(q.step == "missing codes" for q in questions) == asked


def test_columns_without_odd_ends_are_told_at_once() -> None:
    frame = pd.DataFrame(
        {"a": [1.0, 2], "b": [1, 99], "c": [-9, 5], "d": [1.0, np.nan], "e": ["x", "y"],
         "f": [np.inf, 1.0], "g": [np.nan, np.nan]}
    )  # fmt: skip
    assert plain_numbers(frame) == {"a", "d"}
    assert plain_numbers(frame.iloc[:0]) == set()


def test_codes_go_where_they_are_named() -> None:
    assert codes_by_column(["-9", "a=7", "b=c=8", "=3", 5], ["a", "b=c"]) == [
        (None, "-9"), ("a", "7"), ("b=c", "8"), (None, "=3"), (None, 5)
    ]  # fmt: skip
    series = pd.Series(["1", " Miss ", "-9.0", "2"])

    class Places:
        def cells(self, name: str, gone: Any) -> Any:
            return ()

    change, held = apply_codes("a", series, ["miss", -9, 7], Places())  # type: ignore[arg-type]
    assert change is not None
    assert held == {"miss", -9}
    assert change.series.tolist()[0::3] == [1, 2]
    assert change.series.isna().tolist() == [False, True, True, False]
    assert change.repairs[0].sentence.startswith("a: 2 cells with the code ")
    one, _ = apply_codes("a", pd.Series([1, 2, -9]), [-9], Places())  # type: ignore[arg-type]
    assert one is not None
    assert "1 cell with the code" in one.repairs[0].sentence
    assert one.series.dtype == np.float64
    none, held = apply_codes("a", pd.Series([True, False]), [1], Places())  # type: ignore[arg-type]
    assert none is None
    assert held == set()


def test_the_lowest_place_is_the_limit_or_just_below_what_was_measured() -> None:
    below = np.nextafter(0.05, 0.0)
    cases = [
        ([0.05, 0.1], [0.2], 0.05),
        ([0.1, 0.05], [0.051], 0.05),
        ([0.05], [0.05], below),
        ([0.1], [0.05, 3.0], below),
        ([np.nan], [0.05], below),
        ([0.05], [], 0.05),
    ]
    for limits, measured, expected in cases:
        assert lowest_place(np.array(limits), np.array(measured)) == expected
    assert math.isnan(lowest_place(np.array([np.nan]), np.array([])))


def test_units_are_told_from_words() -> None:
    names = [
        "CRP (mg/l)",
        "Age [years]",
        "CRP, ng/ml",
        "Sex (m)",
        "CRP (log)",
        "BMI",
        "T (°C)",
        "x (s)",
        "WBC (10^9/l)",
        "a (b) (mg)",
        "(mg)",
        "score (points)",
        "Hb,g/dl",
    ]
    hold("data", "units", {name: list(split_unit(name)) for name in names})
    units, aliases = units_and_aliases(["a (mg)", "a (g/l)", "b (mg)", "b", " c "])
    assert units == {"a (mg)": "mg", "a (g/l)": "g/l", "b (mg)": "mg"}
    assert aliases == {"c": " c "}
    assert told_apart(["a", "a", "b (mg)", "b (mg)", "c"], "VWXYZ") == [
        *("a (column V)", "a (column W)", "b (column X) (mg)", "b (column Y) (mg)", "c"),
    ]


LINES = {
    "limits": "y,a\n0,<0.5\n1,<0.5\n0,0.4\n1,2\n0,3\n1,<1\n",
    "above": "y,a\n0,>90\n1,>90\n0,95\n1,2\n0,3\n1,>100\n",
    "half of nothing": "y,a\n0,<0\n1,LOD\n0,0.4\n1,2\n0,3\n1,1\n",
    "percent": "y,a\n0,12%\n1,0.5%\n0,30%\n1,2%\n",
    "percent in part": "y,a\n0,12%\n1,0.5\n0,30%\n1,2\n",
    "thousands": 'y,a\n0,"1,234"\n1,"2,345"\n0,"3,456"\n1,"4,567"\n',
    "comma": "y;a\n0;1,5\n1;2,25\n0;3\n1;4,125\n",
    "units": "y,a (mg/l)\n0,5 mg/l\n1,6\n0,7 mg/l\n1,8 g/l\n",
    "footnotes": "y,a\n0,5*\n1,6\n0,7†\n1,8\n",
    "codes": "y,a\n0,5\n1,-9\n0,7\n1,8\n0,-9\n1,3\n",
    "words": "y,a\n0,5\n1,n/d\n0,7\n1,pending\n",
    "labels": "y,a\nYes,5\nyes ,6\nNo,7\nNO,8\nYES,1\n",
    "dates": "y,a,d\n0,5,01/02/2024\n1,6,13/02/2024\n0,7,03/04/2024\n1,2,04/05/2024\n",
    "title above": "My study,,\n,,\ny,a,b\n0,5,1\n1,6,2\n0,7,3\n",
    "total below": "y,a\n0,5\n1,6\n0,7\n1,8\nMean,6.5\n",
    "twice": "y,a,a\n0,5,1\n1,6,2\n0,7,3\n",
    "index": ",y,a\n0,0,5\n1,1,6\n2,0,7\n",
    "blank lines": "y,a\n0,5\n,\n1,6\n,\n0,7\n",
    "semicolons": "y;a\n0;5\n1;6\n",
    "tabs": "y\ta\n0\t5\n1\t6\n",
    "bars": "y|a\n0|5\n1|6\n",
}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "limits": [{"below_detection": "half"}, {"below_detection": "missing"}],
    "above": [{"above_detection": "missing"}],
    "half of nothing": [{"below_detection": "half"}, {"below_detection": "missing"}],
    "percent": [{"percent": "share"}],
    "percent in part": [{"percent": "share"}],
    "thousands": [{"decimal": "comma"}, {"decimal": "point"}],
    "codes": [{"missing_codes": ["-9"]}, {"missing_codes": ["a=-9"]}],
    "words": [{"missing_codes": ["pending"]}],
    "dates": [{"dates": "month-first"}],
    "total below": [{"exclude": [6]}],
    "labels": [{"as_is": True}],
    "title above": [{"header_row": 3}],
}


@pytest.mark.parametrize("name", LINES)
def test_what_is_read_and_said_of_a_file_is_as_recorded(name: str, tmp_path: Any) -> None:
    path = tmp_path / "study.csv"
    path.write_text(LINES[name], encoding="utf-8")
    answers = [_read(path, {})]
    for options in OPTIONS.get(name, []):
        answers.append(_read(path, options))
        assert answers[-1] != answers[0], options
    hold("data", f"read {name}", shortened(answers))


def _read(path: Any, options: dict[str, Any]) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = rs.check(path, **options)
        except rs.RocstatsError as error:
            return {"refused": str(error).replace(str(path), "study.csv")}
    text = repr(found).replace(str(path.parent), "")
    cells = {str(k): [str(v) for v in column] for k, column in found.frame.to_dict("list").items()}
    return {"said": text.splitlines(), "cells": cells, "warned": len(caught)}
