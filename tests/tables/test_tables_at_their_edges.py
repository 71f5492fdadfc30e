"""Numbers where their form changes, names that nearly fit, and whole tables as recorded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from recorded import hold

import rocstats as rs
from rocstats.errors import UnknownRowError, counted
from rocstats.tables.csv_tables import csv_cells, csv_table
from rocstats.tables.journal_tables import journal_tables, show_cell
from rocstats.tables.latex_tables import latex_tables, latex_text
from rocstats.tables.named_rows import Rows
from rocstats.tables.plain_tables import by_number, show_p, show_value, text_table
from rocstats.tables.statements import Statement

SHOWN: list[tuple[Any, str]] = [
    (0.0, "0.0000"),
    (0.001, "0.0010"),
    (0.00099, "0.00099"),
    (-0.001, "-0.0010"),
    (-0.000999, "-0.000999"),
    (999999.0, "999999.0000"),
    (1e6, "1e+06"),
    (-1e6, "-1e+06"),
    (1234567.0, "1.235e+06"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    (3, "3"),
    (None, ""),
    (True, "True"),
    ("word", "word"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN)
def test_a_value_has_four_decimals_or_four_digits(value: Any, text: str) -> None:
    assert show_value(value) == text


def test_a_p_value_and_a_count_are_told_in_words() -> None:
    assert [show_p(p) for p in (1.0, 0.0001, 0.00009999, 0.0)] == [
        *("= 1.0000", "= 0.0001", "< 0.0001", "< 0.0001"),
    ]
    assert [counted(n, "case") for n in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]
    assert sorted(["b", "10", "-2", "9.5", "a"], key=by_number) == ["-2", "9.5", "10", "a", "b"]


CELLS: list[tuple[Any, str, str]] = [
    (0.0005, "", "0.001"),
    (0.0004999, "", "0.0005"),
    (0.000449, "", "0.0004"),
    (-0.0004, "", "\u22120.0004"),
    (0.0, "", "0.000"),
    (-0.0, "", "0.000"),
    (1.0, "", "1.000"),
    (0.9995, "", "> 0.999"),
    (0.9994, "", "0.999"),
    (-0.9999, "", "> \u22121.000"),
    (-1.0, "", "\u22121.000"),
    (1.0004, "", "1.000"),
    (999999.4, "", "999999.400"),
    (1e6, "", "1e+06"),
    (math.nan, "", "\u2013"),
    (math.inf, "", "\u221e"),
    (-math.inf, "", "\u2212\u221e"),
    (0.001, "p_value", "0.00100"),
    (0.000999, "p_value", "< 0.001"),
    (0.00999, "p_value", "0.00999"),
    (0.01, "p_value", "0.0100"),
    (0.0999, "p_adjusted", "0.0999"),
    (0.1, "p", "0.100"),
    (0.9999, "p", "> 0.999"),
    (12.0, "df", "12"),
    (12.04, "df", "12.0"),
    (12.25, "df", "12.2"),
    (0.123456789, "threshold", "0.123457"),
    (9999, "", "9999"),
    (10_000, "", "10,000"),
    (-10_000, "", "\u221210,000"),
    (True, "", "yes"),
    (False, "", "no"),
    (None, "", "\u2013"),
    (["a", 2], "", "a, 2"),
    ("a-b", "", "a-b"),
]


@pytest.mark.parametrize(("value", "name", "text"), CELLS)
def test_a_cell_of_a_journal_is_rounded_and_never_reaches_what_is_not_so(
    value: Any, name: str, text: str
) -> None:
    assert show_cell(value, name) == text


def test_a_text_table_has_numbers_to_the_right_and_words_to_the_left() -> None:
    rows = [{"name": "a", "n": 5, "x": 0.5}, {"name": "longer", "n": 12, "x": -10.25}]
    assert text_table(rows, ("name", "n", "x")) == (
        "name     n         x\na        5    0.5000\nlonger  12  -10.2500"
    )
    assert text_table([{"name": "a", "w": "b"}], ("name", "w")) == "name  w\na     b"


def test_a_statement_is_head_table_notes_and_parts() -> None:
    rows = [{"a": 1, "b": math.nan}, {"a": 2, "b": 0.5}]
    stated = Statement(head="Head.", rows=rows, shown=("a", "b"), notes=["note", ""])
    table = "a       b\n1     nan\n2  0.5000"
    assert stated.as_text() == f"Head.\n{table}\nnote"
    assert Statement(head="Head.", rows=rows, shown=("a",), in_words=True).as_text() == "Head."
    assert Statement(head="Head.", rows=rows).as_text() == "Head."
    both = Statement(head="First.", parts=[stated, Statement(), Statement(head="Last.")])
    assert both.as_text() == f"First.\n\nHead.\n{table}\nnote\n\nLast."
    assert both.noting("More.").as_text().endswith("Last.\n\nMore.")
    assert stated.noting("More.").as_text().endswith("\nMore.")
    assert stated.as_dict() == {"a": 1, "b": None}
    assert Statement(rows=rows, content={"x": math.inf}).as_dict() == {"x": None}
    assert Statement(rows={"a": np.array([1.0, math.inf])}).as_dict() == {"a": [1.0, None]}
    assert "<table>" not in Statement(head="<Head>").as_html()
    assert Statement(head="<Head>").as_html() == "<p>&lt;Head&gt;</p>"


class Named(Rows[str]):
    """Rows of two names each."""

    def _names(self) -> list[tuple[Any, ...]]:
        return [("a", "x"), ("a", "y"), ("b", "x"), ("c - d",)]

    def _row(self, i: int) -> str:
        return "0123"[i]


def test_rows_answer_to_numbers_parts_and_names() -> None:
    rows = Named()
    assert (len(rows), list(rows)) == (4, ["0", "1", "2", "3"])
    assert (rows[0], rows[-1], rows[-4], rows[3]) == ("0", "3", "0", "3")
    for at in (4, -5):
        with pytest.raises(
            UnknownRowError, match=rf"no row {at}; there are 4 rows, the first is 0"
        ):
            rows[at]
    assert rows[1:] == ("1", "2", "3")
    assert rows["a"] == ("0", "1")
    assert rows["b"] == rows["b", "x"] == "2"
    assert rows["x"] == ("0", "2")
    assert rows["y"] == "1"
    assert rows["c", "d"] == rows["c - d"] == "3"
    assert "a" in rows
    assert ("b", "x") in rows
    assert "z" not in rows
    assert () not in rows
    with pytest.raises(UnknownRowError, match=r"There is no row aa; there are a, b, c - d\. Did"):
        rows["aa"]
    with pytest.raises(
        UnknownRowError, match="There is no row a/z; there are a/x, a/y, b/x, c - d"
    ):
        rows["a", "z"]
    with pytest.raises(UnknownRowError):
        rows[True]


CSV: list[tuple[Any, str]] = [
    ("=1+1", "'=1+1"),
    ("+2.1%", "+2.1%"),
    ("-0.021", "-0.021"),
    ("-1e-3", "-1e-3"),
    ("-.5", "-.5"),
    ("-x", "'-x"),
    ("@a", "'@a"),
    ("\ta", "'\ta"),
    ("+1+1", "'+1+1"),
    ("-Infinity", "-Infinity"),
    ("a=b", "a=b"),
    (math.inf, "Infinity"),
    (-math.inf, "-Infinity"),
    (math.nan, ""),
    (None, ""),
    (0.1, "0.1"),
    (True, "true"),
    (3, "3"),
]


@pytest.mark.parametrize(("value", "cell"), CSV)
def test_a_cell_of_csv_is_no_formula_and_keeps_every_digit(value: Any, cell: str) -> None:
    assert csv_table([{"a": value, "b": 1}]) == f"a,b\n{cell},1\n"


def test_csv_has_the_columns_of_all_rows_and_one_line_for_each() -> None:
    assert csv_table([]) == ""
    assert csv_table([{"a": 1}, {"b": "x\r\ny", "a": 2}]) == 'a,b\n1,\n2,"x\ny"\n'
    assert csv_cells([["a", "=b"], ["c,d", "-1"]]) == 'a,\'=b\n"c,d",-1\n'


def test_latex_sets_signs_as_they_stand_and_long_tables_over_pages() -> None:
    assert latex_text("a&b_c{}~^\\\u2212\u00b5\u2264\u00a0\x07") == (
        r"a\&b\_c\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}$-$\textmu{}$\leq$~ "
    )
    for n in (40, 41):
        rows = [{"a": k, "b": "w"} for k in range(n)]
        text = latex_tables(journal_tables(Statement(head="T", rows=rows, shown=("a", "b"))))
        assert ("longtable" in text) == (n > 40)
        assert text.count(r" \\") == n + 1
        assert "{rl}" in text


def results() -> dict[str, Any]:
    y = np.arange(40) % 5 < 2
    rng = np.random.default_rng(3)
    a, b = (np.round(rng.normal(size=40) + y, 1) for _ in range(2))
    compared = rs.compare(y, {"a": a, "b_1": b}, pos_label=True)
    return {
        "estimate": rs.auc(y, a, pos_label=True),
        "estimates": compared.estimates,
        "compared": compared,
        "contrasts": compared.pairwise(),
        "noninferiority": compared.noninferiority(0.1),
        "points": rs.operating_points(y, a, thresholds=[0.5, 1.0], prevalence=0.1, pos_label=True),
        "tests": rs.compare_tests(y, {"a": a, "b_1": b}, {"a": 0.5, "b_1": 0.5}, pos_label=True),
        "fairness": rs.group_fairness(y, a, np.arange(40) // 5 % 2, threshold=0.5, pos_label=True),
        "curve": rs.roc_curve(y, a, pos_label=True),
        "power": rs.power_auc(0.8, n_pos=20, n_neg=30),
        "calibration": rs.calibration(y, 1 / (1 + np.exp(-a)), pos_label=True),
    }


@pytest.mark.parametrize("name", results())
def test_every_rendering_of_a_result_is_as_recorded(name: str) -> None:
    found = results()[name]
    frame = found.to_frame()
    rendered = {
        "latex": found.to_latex().splitlines(),
        "html": found._repr_html_().replace("><", ">\n<").splitlines(),
        "columns": list(map(str, frame.columns)),
        "shape": list(frame.shape),
    }
    hold("tables", name, rendered)
