"""Issues 18 and 22: the report of a reader study as a page, a Word file, figures and tables."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_report_files import LEAST_DPI, W, paper, paper_text, solid, word_text
from test_report_page import find, parse, tag

import rocstats as rs
from rocstats.cli import main
from rocstats.reports.page_figures import page_figures

docx = pytest.importorskip("docx")
pytest.importorskip("resvg_py")
pytest.importorskip("matplotlib")

FILE = str(rs.datasets.path("reader_study"))
CALL = [
    *("--test", "treatment", "--reader", "reader", "--case", "case"),
    *("--outcome", "truth", "--rating", "rating"),
]
COLUMNS = {
    "test": "treatment",
    "reader": "reader",
    "case": "case",
    "outcome": "truth",
    "rating": "rating",
}


def compared(**options: Any) -> rs.ReaderReport:
    found = rs.compare_readers(rs.datasets.load_reader_study(), **options)
    return rs.report_readers(
        found,
        new="testB",
        standard="testA",
        margin=0.05,
        title="A <b>study</b> & more",
        source="reader_study.csv",
        columns=COLUMNS,
    )


REPORTS = {
    "both": compared,
    "fixed": lambda: compared(readers="fixed", covariance="jackknife"),
    "ustat": lambda: compared(method="ustat"),
    "rate": lambda: compared(measure="sensitivity", threshold=1),
}


@pytest.fixture(params=REPORTS, scope="module")
def report(request: pytest.FixtureRequest) -> rs.ReaderReport:
    made: rs.ReaderReport = REPORTS[request.param]()
    return made


def test_18_05_word_says_what_the_page_of_readers_says(
    report: rs.ReaderReport, tmp_path: Path
) -> None:
    document = docx.Document(str(report.save(tmp_path / "study.docx")))
    (body,) = find(parse(report.html), "body")
    there = solid("".join(paper_text(body)))
    assert len(there) > 3_000
    assert word_text(document) == there
    assert document.core_properties.title == report.facts["study"]["title"]


def test_18_05_word_has_every_number_of_the_page_in_its_order(
    report: rs.ReaderReport, tmp_path: Path
) -> None:
    """Every fact that the page states in a table stands in a cell of Word's table."""
    document = docx.Document(str(report.save(tmp_path / "study.docx")))
    (body,) = find(parse(report.html), "body")
    tables = [one for one in paper(body) if tag(one) == "table"]
    assert len(tables) == len(document.tables) >= 6
    for on_page, in_word in zip(tables, document.tables, strict=True):
        cells = [
            [solid("".join(cell.itertext())) for cell in line if tag(cell) in ("td", "th")]
            for line in find(on_page, "tr")
        ]
        assert cells == [[solid(cell.text) for cell in row.cells] for row in in_word.rows]
        head = in_word.rows[0]._tr.find(f"{W}trPr/{W}tblHeader")
        assert head is not None
    numbers = [one for table in tables for one in paper(table) if tag(one) == "data"]
    assert len(numbers) > 50


def test_18_05_word_has_the_figures_of_readers_in_words(
    report: rs.ReaderReport, tmp_path: Path
) -> None:
    document = docx.Document(str(report.save(tmp_path / "study.docx")))
    shapes = list(document.inline_shapes)
    figures = page_figures(report.html)
    assert [figure.name for figure in figures] == ["curves", "forest"]
    assert len(shapes) == 2
    for shape, figure in zip(shapes, figures, strict=True):
        named = shape._inline.docPr
        assert named.get("descr") == figure.alt != ""
        assert shape.width.inches == pytest.approx(figure.inches[0], abs=0.01)
        part = document.part.related_parts[
            shape._inline.graphic.graphicData.pic.blipFill.blip.embed
        ]
        assert part.image.px_width / shape.width.inches >= LEAST_DPI - 1


def test_18_05_figures_and_tables_of_readers_are_files(tmp_path: Path) -> None:
    report = compared()
    drawn = report.save_figures(tmp_path / "figures")
    assert [path.name for path in drawn] == [
        f"{name}.{form}" for name in ("curves", "forest") for form in ("svg", "pdf", "png", "tiff")
    ]
    assert all(path.stat().st_size > 1000 for path in drawn)
    written = {path.name: path for path in report.save_tables(tmp_path / "tables")}
    (place,) = (
        path for name, path in written.items() if re.match(r"table-.*differences.*csv", name)
    )
    rows = list(csv.DictReader(place.read_text("utf-8").splitlines()))
    (fact,) = report.facts["pairwise"]
    assert rows[0]["difference"] == f"{fact['estimate']:.4f}"
    assert rows[0]["df"] == f"{fact['df']:.2f}"


@pytest.mark.parametrize("command", [["readers"], ["report", "--readers"]])
def test_18_05_the_command_writes_what_python_writes(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    place = tmp_path / "study.docx"
    call = [command[0], FILE, *command[1:], *CALL, "--new", "testB", "--standard", "testA"]
    call += ["--margin", "0.05", "--title", "A <b>study</b> & more"]
    assert main([*call, "-o", str(place)]) == 0
    assert f"Wrote {place}" in capsys.readouterr().out
    words = [
        word_text(docx.Document(str(path)))
        for path in (place, compared().save(tmp_path / "p.docx"))
    ]
    told = re.sub(r"by.*?study\.docx;", ";", words[0], count=1)
    assert told == words[1]


def test_a_report_of_readers_answers_like_other_results() -> None:
    report = compared()
    assert "factorial: 5 readers, 80 cases" in repr(report)
    assert list(report.to_frame()["test"]) == ["testA", "testB"]
    assert report.to_dict()["pairwise"] == report.facts["pairwise"]
    assert "<iframe" in report._repr_html_()
    assert json.dumps(report.to_dict())


def test_without_columns_there_is_no_script() -> None:
    found = rs.compare_readers(rs.datasets.load_reader_study())
    report = rs.report_readers(found)
    assert "MRMCaov" not in report.html
    assert "data:" not in re.sub(r"data:image", "", report.html.split("</header>")[0])


BAD = {
    "study": (
        lambda: rs.report_readers(rs.datasets.load_reader_study()),  # type: ignore[arg-type]
        "The answer of rs.compare_readers was expected",
    ),
    "columns": (
        lambda: rs.report_readers(
            rs.compare_readers(rs.datasets.load_reader_study()), columns={"test": "m"}, source="x"
        ),
        "reader, case, outcome, rating lack.",
    ),
    "file": (
        lambda: rs.report_readers(
            rs.compare_readers(rs.datasets.load_reader_study()), columns=COLUMNS
        ),
        "no file came.",
    ),
    "new": (lambda: rs.report_readers(found(), new="x"), "no test 'x'"),
    "margin": (lambda: rs.report_readers(found(), margin=-1), "margin"),
    "level": (lambda: rs.report_readers(found(), confidence_level=95), "confidence_level"),
    "adjust": (lambda: rs.report_readers(found(), adjust="often"), "adjust"),
    "sample": (lambda: rs.report(rs.datasets.load_reader_study()), "rs.report_readers"),
    "compared": (lambda: rs.report(found()), "rs.report_readers"),
}


def found() -> rs.ReaderComparison:
    return rs.compare_readers(rs.datasets.load_reader_study())


@pytest.mark.parametrize("name", BAD)
def test_reports_of_readers_that_cannot_be_are_refused(name: str) -> None:
    call, said = BAD[name]
    with pytest.raises(rs.InvalidOptionError, match=re.escape(said)):
        call()


def test_another_ending_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(rs.InvalidOptionError, match="would not be what its name says"):
        compared().save(tmp_path / "study.xlsx")
    assert main(["readers", FILE, *CALL, "-o", str(tmp_path / "study.odt")]) == 2
    assert not list(tmp_path.iterdir())
