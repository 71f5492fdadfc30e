"""Issues 18 and 22: the report of a reader study as a page, a Word file, figures and tables."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_report_files import LEAST_DPI, W, paper, paper_text, solid, word_text
from test_report_page import find, parse, tag

import rocstats as rs
from rocstats.cli import main
from rocstats.reports.facts import FORMATS
from rocstats.reports.leaves import follow, json_text
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


def readings(*, calls: bool = False) -> dict[str, list[Any]]:
    """Return the readings with a program among them; as calls, yes or no, where they are wanted."""
    with open(FILE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    scores: dict[str, list[float]] = {}
    for row in rows:
        scores.setdefault(row["case"], []).append(float(row["rating"]))
    truth = {row["case"]: row["truth"] for row in rows}
    rows += [
        {
            "treatment": "model",
            "reader": "model",
            "case": case,
            "truth": truth[case],
            "rating": str(sum(own) / len(own)),
        }
        for case, own in scores.items()
    ]
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in COLUMNS.values()}
    columns["truth"] = [int(one) for one in columns["truth"]]
    columns["rating"] = [
        float(float(one) > 1) if calls and who != "model" else float(one)
        for one, who in zip(columns["rating"], columns["reader"], strict=True)
    ]
    return columns


def beside(*, calls: bool = False, **options: Any) -> rs.AgainstReaders:
    study = rs.ReaderStudy.from_frame(readings(calls=calls), **COLUMNS)
    return rs.compare_to_readers(study, ai="model", test="testA", **options)


def alone(**options: Any) -> rs.ReaderReport:
    return rs.report_readers(beside(**options), title="A <b>program</b>", source="x.csv")


REPORTS = {
    "program": lambda: alone(margin=0.05),
    "program, fixed": lambda: alone(readers="fixed", calls=True),
    "both": compared,
    "rate": lambda: compared(measure="sensitivity", threshold=1, readers="fixed"),
}


def _walk(page: str, least: int = 100) -> None:
    """Every number of the page is the fact that it names, and none stands outside of one."""
    import html5lib

    root = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    (held,) = (one for one in root.iter("script") if one.get("id") == "facts")
    facts = json.loads(held.text or "")
    shown = list(root.iter("data"))
    assert len(shown) >= least
    for one in shown:
        value, kind = follow(facts, one.get("data-path", "")), one.get("data-as", "")
        assert one.get("value") == json_text(value)
        assert one.text == FORMATS[kind](value)

    def spoken(element: Any) -> Iterator[str]:
        left_out = ("data", "script", "style", "code", "pre", "header")
        if element.tag not in left_out and element.get("id") != "methods":
            yield element.text or ""
            for child in element:
                yield from spoken(child)
                yield child.tail or ""

    (body,) = root.iter("body")
    assert not [text for text in spoken(body) if re.search(r"\d[.,]\d", text)]


@pytest.mark.parametrize(
    "options",
    [
        ["--new", "testB", "--standard", "testA"],
        ["--readers", "fixed", "--margin", "0.05", "--equivalence", "0.2"],
        ["--cases", "fixed", "--covariance", "jackknife"],
        ["--measure", "sensitivity", "--threshold", "1", "--lower-is-positive"],
        ["--method", "ustat"],
    ],
    ids=["new", "fixed", "jackknife", "sensitivity", "ustat"],
)
def test_every_number_of_a_page_is_a_fact(options: list[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["readers", FILE, *CALL, *options, "-o", str(page)]) == 0
    _walk(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("command", [["readers"], ["report", "--readers"]])
def test_the_page_states_the_study_in_order(
    command: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import html5lib

    page = tmp_path / "page.html"
    call = [command[0], FILE, *command[1:], *CALL, "--margin", "0.05", "--new", "testB"]
    assert main([*call, "-o", str(page), "--title", "A <b>study</b>"]) == 0
    assert f"Wrote {page}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    html5lib.HTMLParser(strict=True).parse(text)
    _walk(text)
    heads = re.findall(r"<h2>(.*?)</h2>", text)
    assert heads == [
        *("Design and counts", "Curves and readers", "Comparison", "Variance components"),
        *("What generalises to whom", "Methods", "Checklist", "The same in R"),
    ]
    assert "A &lt;b&gt;study&lt;/b&gt;" in text
    assert not re.findall(r'(?:src|href)="(?!data:|#)', text)
    found = rs.compare_readers(rs.datasets.load_reader_study())
    test = found.pairwise()[0]
    for number in (f"{-test.estimate:.4f}", f"{test.df:.2f}", f"{test.pvalue:.4f}"):
        assert f">{number}<" in text
    assert "mrmc(" in text
    fixed = rs.compare_readers(found.study, readers="fixed").pairwise()[0]
    assert f"{fixed.pvalue:.4f}" in text


@pytest.fixture(params=REPORTS, scope="module")
def report(request: pytest.FixtureRequest) -> rs.ReaderReport:
    made: rs.ReaderReport = REPORTS[request.param]()
    return made


@pytest.fixture(scope="module")
def document(report: rs.ReaderReport, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return docx.Document(str(report.save(tmp_path_factory.mktemp("word") / "study.docx")))


def test_18_05_word_says_what_the_page_of_readers_says(
    report: rs.ReaderReport, document: Any
) -> None:
    (body,) = find(parse(report.html), "body")
    there = solid("".join(paper_text(body)))
    assert len(there) > 3_000
    assert word_text(document) == there
    assert document.core_properties.title == report.facts["study"]["title"]


def test_18_05_word_has_every_number_of_the_page_in_its_order(
    report: rs.ReaderReport, document: Any
) -> None:
    """Every fact that the page states in a table stands in a cell of Word's table."""
    (body,) = find(parse(report.html), "body")
    tables = [one for one in paper(body) if tag(one) == "table"]
    assert len(tables) == len(document.tables) >= 6
    _walk(report.html)
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
    report: rs.ReaderReport, document: Any
) -> None:
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


# ------------------------------------------------------------------------------ a program alone


def test_22_03_the_page_of_a_program_states_what_python_answers() -> None:
    answer, report = beside(margin=0.05), alone(margin=0.05)
    facts = report.facts
    assert facts["difference"]["estimate"] == answer.estimate
    assert facts["difference"]["df"] == answer.df
    assert facts["ai"]["estimate"] == answer.ai.value
    assert (facts["mean"]["estimate"], facts["mean"]["df"]) == (
        answer.readers.value,
        answer.readers.df,
    )
    (row,) = re.findall(r"<tr><td class=\"name\">model</td>.*?</tr>", report.html)
    assert re.findall(r">([\d.]+)</data>", row)[0] == f"{answer.ai.value:.4f}"
    assert facts["margins"][0]["shown"] is answer.noninferiority().shown is True
    assert facts["better"] == "Superiority to the readers was shown."
    assert facts["design"] == "factorial"  # of the readers: the program is no reader who missed
    assert facts["study"]["readers"] == [f"reader{k}" for k in range(1, 6)]
    heads = re.findall(r"<h2>(.*?)</h2>", report.html)
    assert heads == [
        *("Design and counts", "Curves and readers", "model and the readers"),
        *("What generalises to whom", "Methods", "Checklist"),
    ]
    assert "A &lt;b&gt;program&lt;/b&gt;" in report.html
    assert list(report.to_frame()["test"]) == ["model", "mean reader"]


@pytest.mark.parametrize("name", REPORTS)
def test_22_05_who_is_named_in_the_methods_stands_in_the_references(name: str) -> None:
    facts = REPORTS[name]().facts
    cited = re.findall(r"(\w+)(?: (?:and|et) [\w.]+)* \((\d{4})\)", " ".join(facts["methods"]))
    cited += re.findall(r"\((\w+) et al\. (\d{4})", " ".join(facts["methods"]))
    assert len(cited) >= 1
    for author, year in cited:
        assert [one for one in facts["references"] if author in one and f"{year};" in one]


def test_22_03_a_page_without_a_margin_claims_nothing() -> None:
    report = alone()
    assert report.facts["margins"] == []
    assert report.facts["better"] is None
    assert "Superiority" not in report.html
    assert "inferiority" not in report.html


def test_22_03_superiority_is_not_spoken_of_where_noninferiority_fails() -> None:
    columns = readings()
    columns["rating"] = [
        -score if who == "model" else score
        for score, who in zip(columns["rating"], columns["reader"], strict=True)
    ]
    study = rs.ReaderStudy.from_frame(columns, **COLUMNS)
    worse = rs.compare_to_readers(study, ai="model", test="testA", margin=0.05)
    report = rs.report_readers(worse)
    assert "Non-inferiority was not shown" in report.html
    assert "Superiority" not in report.html


def test_22_03_a_reader_against_the_program_is_delong() -> None:
    answer = beside()
    columns = readings()
    rows = list(zip(*(columns[name] for name in COLUMNS.values()), strict=True))
    order = {case: k for k, case in enumerate(dict.fromkeys(columns["case"]))}

    def scores(test: str, reader: str) -> list[float]:
        mine = [(order[row[2]], row[4]) for row in rows if row[:2] == (test, reader)]
        return [score for _, score in sorted(mine)]

    truth = {row[2]: row[3] for row in rows}
    y = [truth[case] for case in order]
    tests = answer.reader_differences()
    for k, test in enumerate(tests, 1):
        pair = {"model": scores("model", "model"), "r": scores("testA", f"reader{k}")}
        plain = rs.compare(y, pair).pairwise(reference="normal", method="delong")[0]
        assert test.contrast == f"model - reader{k}"
        assert (test.estimate, test.std_error, test.pvalue) == pytest.approx(
            (plain.estimate, plain.std_error, plain.pvalue), rel=1e-12
        )
        assert answer.by_reader[k - 1].value == pytest.approx(rs.auc(y, pair["r"]).value)
    assert sum(t.estimate for t in tests) / 5 == pytest.approx(answer.estimate, abs=1e-15)


@pytest.mark.parametrize("effect", [{"readers": "fixed"}, {"cases": "fixed"}, {}])
def test_22_03_side_by_side_is_what_each_call_says(effect: dict[str, Any]) -> None:
    from rocstats.readers.reader_comparison import GENERALISES

    asked = beside(**effect)
    (row,) = (r for r in alone().facts["generalises"] if r["random"] == asked.random)
    assert row["p_value"] == pytest.approx(asked.pvalue, rel=1e-12)
    assert row["holds_for"] == GENERALISES[asked.random]
    again = beside().again(**effect)
    assert (again.std_error, again.df) == (asked.std_error, asked.df)


def test_22_03_points_of_readers_who_said_yes_or_no() -> None:
    """A reader with two ratings has one inner point, at 1 - specificity and sensitivity."""
    from matplotlib.figure import Figure

    drawn = beside(calls=True).plot(Figure().subplots())
    marks = [line for line in drawn.lines if line.get_marker() == "o"]
    assert len(marks) == 5
    thin = {line.get_color() for line in drawn.lines if line.get_label() == "_nolegend_"}
    assert {mark.get_color() for mark in marks} == thin != {drawn.lines[-1].get_color()}
    columns = readings(calls=True)
    for mark, reader in zip(marks, (f"reader{k}" for k in range(1, 6)), strict=True):
        mine = [
            (truth, call)
            for test, who, _, truth, call in zip(
                *(columns[n] for n in COLUMNS.values()), strict=True
            )
            if (test, who) == ("testA", reader)
        ]
        rates = [
            sum(call for truth, call in mine if truth == side)
            / sum(1 for truth, _ in mine if truth == side)
            for side in (0, 1)
        ]
        assert (float(mark.get_xdata()[0]), float(mark.get_ydata()[0])) == pytest.approx(
            tuple(rates)
        )  # type: ignore[index]
    assert not [m for m in beside().plot(Figure().subplots()).lines if m.get_marker() == "o"]
    names = [text.get_text() for text in drawn.get_legend().get_texts()]
    assert names[0].startswith("mean of 5 readers (area 0.")
    assert names[1].startswith("model (area 0.798")


def test_22_03_one_reader_beside_the_program_is_drawn_and_told() -> None:
    columns = readings()
    keep = [
        k
        for k, (test, who) in enumerate(zip(columns["treatment"], columns["reader"], strict=True))
        if who == "model" or (test, who) == ("testA", "reader1")
    ]
    few = {name: [column[k] for k in keep] for name, column in columns.items()}
    study = rs.ReaderStudy.from_frame(few, **COLUMNS)
    report = rs.report_readers(rs.compare_to_readers(study, ai="model", readers="fixed"))
    assert [row["random"] for row in report.facts["generalises"]] == ["cases"]
    _walk(report.html, least=40)
    assert "1 reader, 80 cases" in re.sub(r"<[^>]*>", "", report.html).replace("\n", " ")


@pytest.mark.parametrize("command", [["readers"], ["report", "--readers"]])
def test_22_05_the_command_writes_the_page_of_a_program(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, place = tmp_path / "ai.csv", tmp_path / "ai.html"
    columns = readings()
    with data.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    call = [command[0], str(data), *command[1:], *CALL, "--ai", "model"]
    assert main([*call, "-o", str(place)]) == 2
    assert "in 2 tests (testA, testB); name one with --standard." in capsys.readouterr().err
    assert not place.exists()
    assert main([*call, "--standard", "testA", "--new", "testB", "-o", str(place)]) == 2
    assert "--new has no part beside --ai" in capsys.readouterr().err
    assert main([*call, "--standard", "testA", "--margin", ".05", "-o", str(place)]) == 0
    assert f"Wrote {place}" in capsys.readouterr().out
    text = place.read_text(encoding="utf-8")
    _walk(text)
    (held,) = re.findall(r'id="facts">(.*?)</script>', text, re.DOTALL)
    assert json.loads(held)["difference"] == alone(margin=0.05).facts["difference"]


def test_without_columns_there_is_no_script() -> None:
    found = rs.compare_readers(rs.datasets.load_reader_study())
    report = rs.report_readers(found)
    assert "MRMCaov" not in report.html
    assert "data:" not in re.sub(r"data:image", "", report.html.split("</header>")[0])


BAD = {
    "study": (
        lambda: rs.report_readers(rs.datasets.load_reader_study()),  # type: ignore[arg-type]
        "The answer of rs.compare_readers or rs.compare_to_readers was expected, got ReaderStudy",
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
    "margin of a program": (
        lambda: rs.report_readers(beside(), margin=0.1),
        "for a program the margin is given to rs.compare_to_readers",
    ),
    "standard of a program": (
        lambda: rs.report_readers(beside(), standard="testA"),
        "standard is of a comparison of tests",
    ),
    "program": (lambda: rs.report(beside()), "rs.report_readers"),
    "no file": (
        lambda: rs.report_readers(found()).save(5),  # type: ignore[arg-type]
        "The name of a file was expected, got 5.",
    ),
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


def test_22_05_figures_and_tables_of_readers_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "figures"
    call = ["report", FILE, "--readers", *CALL, "--figures", str(place), "--tables", str(place)]
    assert main(call) == 0
    assert f"Wrote 8 files in {place}" in capsys.readouterr().out
    names = {path.suffix for path in place.iterdir()}
    assert names == {".svg", ".pdf", ".png", ".tiff", ".csv", ".tex", ".docx"}
    (place / "file").touch()
    assert main(["readers", FILE, *CALL, "--tables", str(place / "file")]) == 2
    assert "cannot be made" in capsys.readouterr().err


def test_a_file_may_be_a_path_and_a_title_may_lack() -> None:
    report = rs.report_readers(
        found(),
        source=Path("reader_study.csv"),
        columns=COLUMNS,
        title=None,  # type: ignore[arg-type]
    )
    assert "read.csv(&#34;reader_study.csv&#34;" in report.html
    assert "<h1>Reader study</h1>" in report.html


def test_another_ending_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(rs.InvalidOptionError, match="would not be what its name says"):
        compared().save(tmp_path / "study.xlsx")
    assert main(["readers", FILE, *CALL, "-o", str(tmp_path / "study.odt")]) == 2
    assert not list(tmp_path.iterdir())
