"""Issue 18, item 5: the report as Word and PDF, and its figures and tables as files.

Whatever is written states what the page states, number by number and in the same order.
"""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from conftest import Call
from report_example import example_facts
from test_report_page import find, page_of, parse, tag, words

import rocstats as rs
from rocstats.reports import printed_page
from rocstats.reports.diagnostic import Report
from rocstats.reports.page_blocks import TableBlock, page_blocks
from rocstats.reports.page_figures import page_figures
from rocstats.reports.report_files import write_figures, write_report_tables

docx = pytest.importorskip("docx")
pytest.importorskip("resvg_py")

HIDDEN = {"skip", "contents", "controls", "buttons", "needs-js", "downloads", "hidden"}
UNSEEN = {"script", "style", "textarea", "nav", "button", "select", "input", "svg", "head"}
FOR_A_SCREEN = {"explorer", "appendix"}
LEAST_DPI = 300
DOTS_A_METRE = 0.02  # PNG keeps whole dots a metre, of which 39 are an inch
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return example_facts()


@pytest.fixture(scope="module")
def page(facts: dict[str, Any]) -> str:
    return page_of(facts)


@pytest.fixture(scope="module")
def report(facts: dict[str, Any], page: str) -> Report:
    return Report(facts=facts, html=page)


@pytest.fixture(scope="module")
def document(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("word") / "report.docx"
    assert report.save(path) == path
    return docx.Document(str(path))


def is_on_paper(element: Element) -> bool:
    return (
        isinstance(element.tag, str)
        and tag(element) not in UNSEEN
        and element.get("hidden") is None
        and element.get("id") not in FOR_A_SCREEN
        and not HIDDEN & set((element.get("class") or "").split())
    )


def paper(element: Element) -> Iterator[Element]:
    """Yield what an element holds on paper, itself first."""
    if is_on_paper(element):
        yield element
        for child in element:
            yield from paper(child)


def paper_text(element: Element) -> Iterator[str]:
    if is_on_paper(element):
        yield element.text or ""
        for child in element:
            yield from paper_text(child)
            yield child.tail or ""


def solid(text: str) -> str:
    """Return the characters that are seen."""
    return "".join(text.replace("\u200b", "").split())


def word_text(document: Any) -> str:
    """Return what a Word file says, without the marks and numbers that Word puts before it."""
    found = []
    for paragraph in document.element.body.iter(f"{W}p"):
        text = "".join(
            "\t" if one.tag == f"{W}tab" else one.text or ""
            for one in paragraph.iter(f"{W}t", f"{W}tab")
            if not (one.tag == f"{W}tab" and one.getparent().tag == f"{W}tabs")
        )
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        if style is not None and style.get(f"{W}val") == "Caption":
            text = re.sub(r"^(Table|Figure) \d+\.", "", text)
        found.append(re.sub(r"^(\u2022|\d+\.)\t", "", text))
    return solid("".join(found))


# ------------------------------------------------------------------------------------------ Word


def test_18_05_word_says_what_the_page_says_on_paper(page: str, document: Any) -> None:
    (body,) = find(parse(page), "body")
    there = solid("".join(paper_text(body)))
    assert len(there) > 10_000
    assert word_text(document) == there


def test_18_05_every_number_of_the_word_file_is_a_fact(page: str, document: Any) -> None:
    (body,) = find(parse(page), "body")
    stated = [solid(words(one)) for one in paper(body) if tag(one) == "data"]
    assert len(stated) > 400
    text, at = word_text(document), 0
    for number in stated:
        at = text.index(number, at) + len(number)


def test_18_05_word_has_headings_real_tables_with_repeated_heads_and_figures(
    page: str, document: Any
) -> None:
    root = parse(page)
    (body,) = find(root, "body")
    seen = list(paper(body))
    heads = [solid(words(one)) for one in seen if tag(one) in ("h1", "h2", "h3", "summary")]
    styles = ("Title", "Heading")
    written = [p for p in document.paragraphs if p.style.name.startswith(styles)]
    assert [solid(p.text) for p in written] == heads
    assert written[0].style.name == "Title"

    tables = [one for one in seen if tag(one) == "table"]
    ruled = [t for t in document.tables if t._tbl.find(f"{W}tblPr/{W}tblBorders") is not None]
    assert len(ruled) == len(tables) > 10
    for table, there in zip(ruled, tables, strict=True):
        assert len(table.rows) == len(find(there, "tr"))
        repeated = [row for row in table.rows if row._tr.find(f"{W}trPr/{W}tblHeader") is not None]
        (head,) = find(there, "thead")
        assert len(repeated) == len(find(head, "tr"))
        assert all(row._tr.find(f"{W}trPr/{W}cantSplit") is not None for row in table.rows)

    figures = [f for f in page_figures(page) if not f.name.startswith("explorer")]
    drawn = [one for one in document.element.body.iter() if one.tag.endswith("}inline")]
    alts = [one.find("{*}docPr").get("descr") for one in drawn]
    assert alts == [f.alt for f in figures]
    assert all(len(alt) > 20 for alt in alts)
    for shape, figure in zip(document.inline_shapes, figures, strict=True):
        (blip,) = (e for e in shape._inline.iter() if e.tag.endswith("}blip"))
        part = document.part.related_parts[blip.get(f"{{{NS['r']}}}embed")]
        assert part.image.px_width / shape.width.inches >= LEAST_DPI
        assert shape.width / shape.height == pytest.approx(figure.width / figure.height, rel=0.01)


NS = {"r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships"}


def test_18_05_captions_are_numbered_by_word(document: Any) -> None:
    fields = [f.get(f"{W}instr") for f in document.element.body.iter(f"{W}fldSimple")]
    assert {f.split()[1] for f in fields if f} == {"Table", "Figure"}
    for kind in ("Table", "Figure"):
        own = [f for f in document.element.body.iter(f"{W}fldSimple") if kind in f.get(f"{W}instr")]
        numbers = ["".join(t.text for t in f.iter(f"{W}t")) for f in own]
        assert numbers == [str(i) for i in range(1, len(own) + 1)]


def test_18_05_hostile_names_are_text_in_word(tmp_path: Path) -> None:
    hostile = "</w:t><script>\x0b\x1b ]]> =cmd \u202e \U0001f600"
    names = (hostile, "ndka", "risk")
    facts = example_facts(names)
    path = Report(facts=facts, html=page_of(facts)).save(tmp_path / "x.docx")
    text = word_text(docx.Document(str(path)))
    assert "</w:t><script>" in text


# -------------------------------------------------------------------------------- figures, tables


@pytest.mark.parametrize("dpi", [150, 300, 600])
def test_18_05_a_figure_has_the_dots_that_are_asked_for(page: str, dpi: int) -> None:
    image = pytest.importorskip("PIL.Image")
    figure = next(f for f in page_figures(page) if f.name == "roc")
    for drawn in (figure.png(dpi), figure.tiff(dpi)):
        with image.open(io.BytesIO(drawn)) as picture:
            assert picture.mode == "RGB"
            assert picture.info["dpi"] == pytest.approx((dpi, dpi), abs=DOTS_A_METRE)
            wide, high = (side / dpi for side in picture.size)
            assert (wide, high) == pytest.approx(figure.inches, abs=2 / dpi)
            ink = picture.convert("L").point(lambda level: level < 128)
            assert 0.005 < sum(ink.histogram()[1:]) / (picture.width * picture.height) < 0.5


def test_18_05_words_of_a_figure_are_drawn(page: str) -> None:
    image = pytest.importorskip("PIL.Image")
    figure = next(f for f in page_figures(page) if f.name == "roc")
    bare = type(figure)(
        name="bare",
        svg=re.sub(r"<text.*?</text>", "", figure.svg, flags=re.DOTALL),
        alt="",
        width=figure.width,
        height=figure.height,
    )

    def dark(drawn: bytes) -> int:
        with image.open(io.BytesIO(drawn)) as picture:
            return sum(picture.convert("L").histogram()[:160])

    assert dark(figure.png(150)) > 1.2 * dark(bare.png(150))  # a font was found


def test_18_05_every_figure_is_written_in_every_form(page: str, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    wanted = {"flow", "roc", "forest", "differences"}
    some = page_figures(page)
    assert wanted <= {f.name for f in some}
    kept = re.sub(  # four figures are enough here
        r'<svg [^>]* id="(?!(?:flow|roc|forest|differences)")[^"]*".*?</svg>', "", page, flags=re.S
    )
    written = write_figures(tmp_path, kept)
    endings = ("svg", "pdf", "png", "tiff")
    assert {p.name for p in written} == {f"{n}.{e}" for n in wanted for e in endings}
    assert all(p.stat().st_size > 1000 for p in written)
    assert {p.name for p in tmp_path.iterdir()} == {p.name for p in written}
    root = parse(page)
    for name in wanted:
        there = next(one for one in root.iter() if one.get("id") == name)
        said = sorted(words(t) for t in find(there, "text"))
        alone = ElementTree.parse(tmp_path / f"{name}.svg").getroot()
        texts = [t for t in find(alone, "text") if t.get("aria-hidden") is None]
        assert sorted(words(t) for t in texts) == said
        assert "paint-order" not in (tmp_path / f"{name}.svg").read_text("utf-8")
        leaf = pypdf.PdfReader(tmp_path / f"{name}.pdf")
        assert len(leaf.pages) == 1
        figure = next(f for f in some if f.name == name)
        box = leaf.pages[0].mediabox
        assert (float(box.width) / 72, float(box.height) / 72) == pytest.approx(
            figure.inches, abs=0.02
        )
        printed = solid(leaf.pages[0].extract_text())
        numbers = {n for text in said for n in re.findall(r"\d+\.\d+", text)}
        assert {n for n in numbers if n not in printed} == set()


def latex_cells(text: str) -> list[list[str]]:
    """Return the cells of a table for LaTeX as a reader sees them."""
    signs = {r"\textless{}": "<", r"\textgreater{}": ">", "$-$": "\u2212", "--": "\u2013"}
    signs |= {r"$\geq$": "\u2265", r"$\leq$": "\u2264", r"$\infty$": "\u221e", r"$\pm$": "\u00b1"}
    signs |= {r"\textmu{}": "\u00b5", r"\textquotedbl{}": '"', r"\textbar{}": "|", "~": "\u00a0"}
    signs |= {f"\\{sign}": sign for sign in "&%$#_{}"} | {"'": "\u2019"}
    whole = text.replace("\\bottomrule\n\\endfoot\n", "\\endfoot\n")  # of a long table
    body = whole[
        whole.index("\\toprule") : re.search(r"\\bottomrule|\\end{longtable}", whole).start()
    ]
    rows = [line.removesuffix(r" \\") for line in body.splitlines() if line.endswith(r"\\")]
    found = []
    for row in rows:
        cells = re.split(r"(?<!\\) ?& ?", row)
        for i, cell in enumerate(cells):
            for made, sign in signs.items():
                cell = cell.replace(made, sign)
            cells[i] = solid(cell.replace("\u2019", "'"))

        found.append(cells)
    return found


def test_18_05_every_table_of_the_page_is_a_file_of_its_cells(page: str, tmp_path: Path) -> None:
    written = write_report_tables(tmp_path, page)
    (body,) = find(parse(page), "body")
    tables = [one for one in paper(body) if tag(one) == "table"]
    assert len(written) == 3 * len(tables)
    for number, there in enumerate(tables, 1):
        (in_csv,) = tmp_path.glob(f"table-{number:02}-*.csv")
        stated = [solid(words(one)) for one in paper(there) if tag(one) == "data"]
        lines = list(csv.reader(in_csv.read_text("utf-8").splitlines()))
        (head,) = find(there, "thead")
        assert len(lines) == 1 + len(find(there, "tr")) - len(find(head, "tr"))
        in_latex = latex_cells(in_csv.with_suffix(".tex").read_text("utf-8"))
        word = docx.Document(str(in_csv.with_suffix(".docx")))
        in_word = [[solid(cell.text) for cell in row.cells] for row in word.tables[0].rows]
        as_seen = [[solid(cell.removeprefix("'")) for cell in line] for line in lines]
        assert in_word == as_seen
        assert [[c.replace("\u2019", "'") for c in line] for line in as_seen] == in_latex
        text, at = "".join(cell for line in as_seen for cell in line), 0
        if len(find(head, "tr")) == 1:
            for one in stated[
                len([d for d in find(there, "caption")[0].iter() if tag(d) == "data"]) :
            ]:
                at = text.index(one, at) + len(one)


def test_18_05_blocks_keep_cells_that_span_several(page: str) -> None:
    tables = [b for b in page_blocks(page) if isinstance(b, TableBlock) and b.ruled]
    assert any(cell.columns > 1 for table in tables for row in table.rows for cell in row)


# -------------------------------------------------------------------------------------------- PDF


def pdf_text(path: Path) -> str:
    pypdf = pytest.importorskip("pypdf")
    return solid("".join(leaf.extract_text() for leaf in pypdf.PdfReader(path).pages))


def type_size(path: Path, head: str) -> float:
    """Return the size of the type in which a heading, or its first line, is printed."""
    pypdf = pytest.importorskip("pypdf")
    found = [0.0]

    def see(text: str, cm: list[float], tm: list[float], _: object, size: float) -> None:
        if len(solid(text)) > 4 and head.startswith(solid(text)):
            found.append(size * abs(tm[0]) * abs(cm[0]))

    for leaf in pypdf.PdfReader(path).pages:
        leaf.extract_text(visitor_text=see)
    return max(found)


@pytest.mark.parametrize("printer", ["chromium", "weasyprint"])
def test_18_05_a_pdf_says_what_the_page_says(
    report: Report, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printer: str
) -> None:
    if printer == "chromium" and printed_page.find_browser() is None:
        pytest.skip("there is no Chromium: run tools/install-browser")
    if printer == "weasyprint":
        try:
            import weasyprint  # noqa: F401
        except (ImportError, OSError):
            pytest.skip("there is no WeasyPrint: run tools/install-browser")
        monkeypatch.setenv("ROCSTATS_CHROMIUM", "")
    path = report.save(tmp_path / "report.pdf")
    assert path.read_bytes().startswith(b"%PDF-")
    text = pdf_text(path)
    (body,) = find(parse(page), "body")
    heads = [solid(words(one)) for one in paper(body) if tag(one) in ("h1", "h2")]
    assert [head for head in heads if head not in text] == []
    stated = {solid(words(one)) for one in paper(body) if tag(one) == "data"}
    assert {one for one in stated if one not in text} == set()
    assert type_size(path, heads[0]) > 1.3 * max(type_size(path, head) for head in heads[1:3]) > 0


def test_18_05_a_browser_that_fails_is_told(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROCSTATS_CHROMIUM", sys.executable)
    with pytest.raises(rs.RocstatsError, match="could not print the page"):
        report.save(tmp_path / "x.pdf")
    assert list(tmp_path.iterdir()) == []


# --------------------------------------------------------------------------------- what is refused


BARE = Report(facts={}, html="<!DOCTYPE html><title>x</title><p>x</p>")


@pytest.mark.parametrize(
    ("library", "name", "extra"),
    [("docx", "x.docx", "docx"), ("resvg_py", "x.docx", "docx"), ("weasyprint", "x.pdf", "pdf")],
)
def test_18_05_a_missing_library_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setenv("ROCSTATS_CHROMIUM", "")
    with pytest.raises(rs.MissingDependencyError, match=rf"rocstats\[{extra}\]"):
        BARE.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


STUDY = ("report", "study.csv", "--outcome", "y", "--positive", "1", "--markers", "a", "--quiet")


@pytest.fixture
def study(call: Call) -> None:
    """Write data where the command is called."""
    rows = "".join(f"{i % 2},{i * 7 % 20}\n" for i in range(20))
    Path("study.csv").write_text(f"y,a\n{rows}", "utf-8")


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize(
    ("words_", "library", "said"),
    [
        (("-o", "x.docx"), "docx", "rocstats[docx]"),
        (("-o", "x.pdf"), "weasyprint", "rocstats[pdf]"),
        (("--figures", "f"), "resvg_py", "rocstats[docx]"),
        (("--figures", "f"), "weasyprint", "rocstats[pdf]"),
        (("--tables", "t"), "docx", "rocstats[docx]"),
        (("-o", "x.doc"), None, "as .html, .docx or .pdf is written and not .doc"),
        (("--figures", "study.csv"), None, "The folder study.csv cannot be made"),
        (("--figures", "f", "--tables", "study.csv"), None, "The folder study.csv cannot be made"),
        (("--figures", "f", "--prevalence", "2"), None, "prevalence"),
        (("--tables", "deep/t", "--exclude", "5", "--bounds", "b=0,1"), None, "b"),
        ((), None, "Name the page to write"),
    ],
)
def test_18_05_the_command_refuses_before_the_work(
    call: Call, monkeypatch: pytest.MonkeyPatch, words_: Any, library: str | None, said: str
) -> None:
    monkeypatch.setenv("ROCSTATS_CHROMIUM", "")
    if library is not None:
        monkeypatch.setitem(sys.modules, library, None)
    answer = call(*STUDY, *words_)
    assert answer.code == 2
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert os.listdir() == ["study.csv"]


@pytest.mark.usefixtures("study")
def test_18_05_the_command_writes_word_tables_and_the_same_page(call: Call) -> None:
    common = (*STUDY, "--n-resamples", "100", "--r", "no")
    answer = call(*common, "-o", "x.docx", "--tables", "deep/tables")
    assert answer.code == 0
    assert "Wrote x.docx" in answer.out
    assert re.search(r"Wrote \d+ files in deep/tables", answer.out)
    assert docx.Document("x.docx").paragraphs
    assert len(list(Path("deep/tables").glob("*.tex"))) > 5
    assert call(*common, "-o", "a.html").code == call(*common, "-o", "b.html", "--tables", "t").code
    texts = [
        re.sub("<time.*?</time>", "", Path(n).read_text("utf-8")) for n in ("a.html", "b.html")
    ]
    assert texts[0] == texts[1]
