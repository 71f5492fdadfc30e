"""Issue 18, item 5: every result as a table of LaTeX and of Word, and as a file."""

from __future__ import annotations

import csv
import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.tables.csv_tables import csv_table
from rocstats.tables.journal_tables import journal_tables, show_cell
from rocstats.tables.latex_tables import latex_tables, latex_text
from rocstats.tables.statements import Statement
from rocstats.tables.table_files import write_tables

docx = pytest.importorskip("docx")

HALF = 0.5e-3 + 1e-12  # three decimals
NUMBER = re.compile(r"(?:\$-\$|\u2212)?\d+\.\d+")


def number(text: str) -> float:
    return float(text.replace("$-$", "-").replace("\u2212", "-"))


@pytest.fixture(scope="module")
def comparison() -> Any:
    return rs.compare(rs.datasets.load_breast_cancer())


def test_18_05_value_and_interval_stand_in_one_cell(comparison: Any) -> None:
    text = comparison.to_latex()
    assert "Estimate (95\\% CI)" in text
    assert "0.938 (0.913 to 0.955)" in text
    assert "conf" not in text.lower().replace("confidence", "")


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_18_05_every_number_of_the_latex_table_is_the_row_rounded(
    comparison: Any, level: float
) -> None:
    estimates = comparison.estimates
    lines = [
        line for line in estimates.to_latex(confidence_level=level).splitlines() if "AUC" in line
    ]
    rows = estimates.to_frame(confidence_level=level).to_dict("records")
    assert len(lines) == len(rows) == 5
    for line, row in zip(lines, rows, strict=True):
        assert line.startswith(latex_text(row["classifier"]))
        found = [number(n) for n in NUMBER.findall(line)]
        wanted = [row[k] for k in ("estimate", "conf_low", "conf_high", "std_error")]
        assert found == pytest.approx(wanted, abs=HALF)
    assert f"({100 * level:g}\\% CI)" in estimates.to_latex(confidence_level=level)


def test_18_05_word_and_latex_have_the_same_cells(comparison: Any, tmp_path: Path) -> None:
    path = comparison.to_docx(tmp_path / "table.docx")
    document = docx.Document(str(path))
    tables = journal_tables(comparison._noted())
    assert len(document.tables) == len(tables) == 2
    for written, table in zip(document.tables, tables, strict=True):
        cells = [[cell.text for cell in row.cells] for row in written.rows]
        assert cells == [list(line) for line in (table.heads, *table.rows)]
        head = written.rows[0]._tr.trPr
        assert any(part.tag.endswith("}tblHeader") for part in head)
    notes = [p.text for p in document.paragraphs]
    assert any("212 positives" in note for note in notes)
    for table in tables:
        for cells in (table.heads, *table.rows):
            assert " & ".join(map(latex_text, cells)) in comparison.to_latex()


@pytest.mark.parametrize(
    ("value", "name", "shown"),
    [
        (0.91, "", "0.910"),
        (0.99951, "", "> 0.999"),
        (1.0, "", "1.000"),
        (0.0, "", "0.000"),
        (-0.0, "", "0.000"),
        (0.00012, "", "0.0001"),
        (-0.00012, "", "\u22120.0001"),
        (-0.1234, "", "\u22120.123"),
        (0.00012, "p_value", "< 0.001"),
        (0.0499, "p_value", "0.0499"),
        (0.00512, "p_adjusted", "0.00512"),
        (0.9999, "p_value", "> 0.999"),
        (0.21, "threshold", "0.21"),
        (1234.5678, "threshold", "1234.57"),
        (math.nan, "", "\u2013"),
        (None, "", "\u2013"),
        (math.inf, "", "\u221e"),
        (-math.inf, "", "\u2212\u221e"),
        (12, "", "12"),
        (123456, "", "123,456"),
        (np.int64(3), "", "3"),
        (True, "", "yes"),
        (45.0, "df", "45"),
        (45.25, "df", "45.2"),
        ("auc", "measure", "AUC"),
        ("auc", "classifier", "auc"),
        (("a", "b"), "", "a, b"),
    ],
)
def test_18_05_a_cell_rounds_nothing_away(value: Any, name: str, shown: str) -> None:
    assert show_cell(value, name) == shown


def test_18_05_limits_go_with_what_they_are_of() -> None:
    row = {"at": 0.5, "sensitivity": 0.8, "sensitivity_conf_low": 0.7, "sensitivity_conf_high": 0.9}
    row |= {"value": 3.0, "std_error": 0.1, "conf_low": 2.0, "conf_high": math.inf}
    (table,) = journal_tables(Statement(rows=[row], shown=tuple(row)))
    assert table.heads == ("At", "Sensitivity (CI)", "Value (CI)", "SE")
    assert table.rows == (("0.5", "0.800 (0.700 to 0.900)", "3.000 (2.000 to \u221e)", "0.100"),)
    (alone,) = journal_tables(
        Statement(
            rows=[{"n": "x", "conf_low": 0.1, "conf_high": 0.2}],
            shown=("n", "conf_low", "conf_high"),
        )
    )
    assert alone.heads == ("n", "CI")
    assert alone.rows == (("x", "0.100 to 0.200"),)
    none = {"estimate": 0.5, "conf_low": math.nan, "conf_high": math.nan}
    (bare,) = journal_tables(Statement(rows=[none], shown=tuple(none)))
    assert bare.rows == (("0.500",),)


def test_18_05_what_latex_would_obey_is_shown() -> None:
    hostile = '\\input{x} 50% $a_1$ & #2 ~^ {b} <c> | "q" \x1b\u2212\u2265'
    text = latex_text(hostile)
    assert text == (
        r"\textbackslash{}input\{x\} 50\% \$a\_1\$ \& \#2 \textasciitilde{}\textasciicircum{} "
        r"\{b\} \textless{}c\textgreater{} \textbar{} \textquotedbl{}q\textquotedbl{}  $-$$\geq$"
    )
    (table,) = journal_tables(Statement(rows=[{"a\\b": hostile}], shown=("a\\b",)))
    assert latex_tables([table]).count("\n\\input") == 0


def test_18_05_a_long_table_repeats_its_heads_on_every_page() -> None:
    rows = [{"a": i} for i in range(41)]
    long = latex_tables(journal_tables(Statement(rows=rows, shown=("a",))))
    assert "\\begin{longtable}{r}" in long
    assert long.index("a \\\\") < long.index("\\endhead")
    assert "\\usepackage{longtable}" in long
    short = latex_tables(journal_tables(Statement(rows=rows[:40], shown=("a",))))
    assert "longtable" not in short


def test_18_05_a_result_without_a_printed_table_gives_its_rows(tmp_path: Path) -> None:
    curve = rs.roc_curve([0, 1, 0, 1], [0.1, 0.9, 0.4, 0.3])
    text = curve.to_latex()
    assert "Threshold & False positive rate & True positive rate" in text
    assert "$\\infty$ & 0.000 & 0.000" in text
    (table,) = docx.Document(str(curve.to_docx(tmp_path / "c.docx"))).tables
    assert len(table.rows) == 1 + len(curve.to_frame())


def test_18_05_every_kind_of_answer_says_where_it_was_written(
    comparison: Any, tmp_path: Path
) -> None:
    sample = rs.datasets.load_breast_cancer()
    answers = {
        "plain": rs.power_auc(0.8, n_pos=30),
        "at a level": comparison,
        "by a method": comparison.estimates,
        "in part": rs.operating_points(sample, sample.markers[0], thresholds=[20.0]),
    }
    for name, answer in answers.items():
        path = answer.to_docx(tmp_path / f"{name}.docx")
        assert path == tmp_path / f"{name}.docx"
        assert docx.Document(str(path)).tables


def test_18_05_titles_in_word_have_the_ink_of_the_page() -> None:
    from rocstats.reports.figures.svg import COLOURS
    from rocstats.tables.word_tables import new_document

    styles = new_document().styles
    for name in ("Title", "Heading 1", "Heading 2", "Heading 3"):
        assert f"#{styles[name].font.color.rgb}".lower() == COLOURS["ink"]


@pytest.mark.parametrize("ending", [".csv", ".tex", ".docx", ".xlsx"])
def test_18_05_statements_are_written_as_their_name_says(ending: str, tmp_path: Path) -> None:
    rows = [{"marker": "=1+1", "auc": 0.123456789012345, "conf_low": math.inf}]
    stated = {
        "first": Statement(rows=rows, shown=("marker", "auc")),
        "second": Statement(rows=[{"b": 2}]),
    }
    path = write_tables(tmp_path / f"t{ending}", stated)
    if ending == ".csv":
        (line,) = csv.DictReader(path.read_text("utf-8").splitlines())
        assert line == {"marker": "'=1+1", "auc": "0.123456789012345", "conf_low": "Infinity"}
    elif ending == ".tex":
        assert path.read_text("utf-8").count("\\toprule") == 2
    elif ending == ".docx":
        assert len(docx.Document(str(path)).tables) == 2
    else:
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.load_workbook(path)
        assert book.sheetnames == ["first", "second"]
        cells = [cell for row in book["first"].iter_rows(min_row=2) for cell in row]
        assert [cell.value for cell in cells] == ["=1+1", 0.123456789012345, "Infinity"]
        assert cells[0].data_type == "s"  # no formula


@pytest.mark.parametrize("name", ["t.doc", "t.pdf", "t.html"])
def test_18_05_another_ending_is_refused(comparison: Any, tmp_path: Path, name: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"end the name in \.docx"):
        comparison.to_docx(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_18_05_without_the_library_the_extra_is_named(
    comparison: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(rs.MissingDependencyError, match=r'pip install "rocstats\[docx\]"'):
        comparison.to_docx(tmp_path / "t.docx")
    assert comparison.to_latex()  # which needs none


def test_18_05_no_rows_are_no_csv() -> None:
    assert csv_table([]) == ""
    assert journal_tables(Statement(head="Nothing.")) == []


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_of_a_file_is_a_formula_and_numbers_stay_numbers(text: str) -> None:
    import csv
    import io

    from rocstats.tables.csv_tables import csv_cells

    def cells(table: str) -> list[list[str]]:
        return list(csv.reader(io.StringIO(table, newline="")))

    kept = text.replace("\r", "\n")
    numbers = ["-0.021", "+0.021", "-2.1%", "-1e-05", "-Infinity", "0.5"]
    assert cells(csv_cells([[text, *numbers]])) == [[f"'{kept}", *numbers]]
    made = cells(csv_table([{text: text, "difference": -0.021}, {"difference": -math.inf}]))
    assert made == [[f"'{kept}", "difference"], [f"'{kept}", "-0.021"], ["", "-Infinity"]]
