"""What a workbook shows otherwise than it stores: read as it is shown, or asked, in every kind."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.data.reading.sheet_looks import format_looks

sys.path.insert(0, str(Path(__file__).parent))
from workbook_files import write_book

VALUES = [0.12, 15, 0.09, 11, 0.2, 8, 0.5, 14]
ROWS: list[list[Any]] = [
    ["id", "v", "y"],
    *([f"P{k}", value, "yes" if k % 2 else "no"] for k, value in enumerate(VALUES)),
]
TENTHS: list[list[Any]] = [ROWS[0], *([row[0], k / 10, row[2]] for k, row in enumerate(ROWS[1:]))]


def steps(found: Any) -> dict[str, tuple[str, ...]]:
    return {repair.step: repair.cells for repair in found.repairs}


def asked(found: Any) -> dict[str, tuple[Any, ...]]:
    return {q.step: (q.column, q.cells, q.blocks) for q in found.questions}


def book(
    folder: Path, rows: list[list[Any]], change: Callable[[Any], Any] = lambda sheet: None
) -> Path:
    """Write a workbook whose sheet was changed before it is saved."""
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    change(made.active)
    made.save(folder / "s.xlsx")
    return folder / "s.xlsx"


def old_book(folder: Path, rows: list[list[Any]], styles: dict[tuple[int, int], str]) -> Any:
    """Return a sheet of an old workbook and its book, some cells with a style of their own."""
    xlwt = pytest.importorskip("xlwt")
    made = xlwt.Workbook(style_compression=2)
    sheet = made.add_sheet("Data")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if (i, j) in styles:
                how = styles[i, j]
                style = (
                    xlwt.easyxf("font: struck_out on")
                    if how == "struck"
                    else xlwt.easyxf(num_format_str=how)
                )
                sheet.write(i, j, cell, style)
            elif cell is not None:
                sheet.write(i, j, cell)
    return made, sheet


def formats(code: str, cells: tuple[str, ...]) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        for cell in cells:
            sheet[cell].number_format = code

    return change


@pytest.mark.parametrize(
    ("code", "looks"),
    [
        ("0%", ("percent",)),
        ("0.0%;-0.0%", ("percent",)),
        ('0" %"', ()),
        (r"0\%", ()),
        ("General", ()),
        ('"<"0.00', ("worded",)),
        ('[<0.05]"<0.05";0.00', ("worded",)),
        ("[<0.05]0.000;0.00", ()),
        (r"\>0", ("worded",)),
        ('0.0" mg/l"', ()),
        (";;;", ("worded",)),
        ("yyyy-mm-dd", ()),
    ],
)
def test_a_format_tells_what_is_shown(code: str, looks: tuple[str, ...]) -> None:
    assert format_looks(code) == looks


# -------------------------------------------------------------------------------------- percents


def percents(folder: Path, suffix: str, rows: list[list[Any]], which: tuple[int, ...]) -> Path:
    """Write a workbook in which some rows of the second column are shown in percent."""
    path = folder / f"s{suffix}"
    if suffix == ".xlsx":
        return book(folder, rows, formats("0%", tuple(f"B{i + 1}" for i in which)))
    if suffix == ".xls":
        made, _ = old_book(folder, rows, {(i, 1): "0%" for i in which})
        made.save(str(path))
        return path
    write_book(path, {"Data": rows})
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    content = parts["content.xml"].decode()
    for i in which:
        old = f'office:value-type="float" office:value="{rows[i][1]!r}"'
        assert content.count(old) == 1
        content = content.replace(old, old.replace("float", "percentage"))
    parts["content.xml"] = content.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_percents_beside_bare_numbers_are_read_as_they_are_shown(
    tmp_path: Path, suffix: str
) -> None:
    found = rs.check(percents(tmp_path, suffix, ROWS, (1, 3, 5, 7)))
    assert found.frame["v"].tolist() == [12, 15, 9, 11, 20, 8, 50, 14]
    assert steps(found)["percent"] == ("B2", "B4", "B6", "B8")
    assert asked(found) == {}


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_percents_beside_shares_are_asked(tmp_path: Path, suffix: str) -> None:
    path = percents(tmp_path, suffix, TENTHS, (2, 4))
    assert asked(rs.check(path)) == {"percent": ("v", ("B3", "B5"), True)}
    share = rs.check(path, percent="share")
    np.testing.assert_allclose(share.frame["v"], np.arange(8) / 10, rtol=1e-15)
    number = rs.check(path, percent="number").frame["v"].tolist()
    assert number[:5] == [0.0, 10.0, 0.2, 30.0, 0.4]


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_a_column_of_percents_is_untouched_and_said_to_hold_shares(
    tmp_path: Path, suffix: str
) -> None:
    found = rs.check(percents(tmp_path, suffix, TENTHS, tuple(range(1, 9))))
    assert found.frame["v"].tolist() == [k / 10 for k in range(8)]
    assert found.repairs == ()
    assert asked(found) == {"percent": ("v", ("B2:B9",), False)}


# ------------------------------------------------------------------- other than what is stored


def test_a_sign_that_only_the_format_shows_is_asked(tmp_path: Path) -> None:
    found = rs.check(book(tmp_path, TENTHS, formats('"<"0.00', ("B3", "B6"))))
    assert asked(found) == {"shown otherwise": ("v", ("B3", "B6"), True)}
    hidden = rs.check(book(tmp_path, TENTHS, formats(";;;", ("B4",))))
    assert asked(hidden) == {"shown otherwise": ("v", ("B4",), True)}
    made, _ = old_book(tmp_path, TENTHS, {(2, 1): '"<"0.00'})
    made.save(str(tmp_path / "s.xls"))
    assert asked(rs.check(tmp_path / "s.xls")) == {"shown otherwise": ("v", ("B3",), True)}


def test_raised_digits_are_no_digits_of_the_number(tmp_path: Path) -> None:
    rich = pytest.importorskip("openpyxl.cell.rich_text")
    text = pytest.importorskip("openpyxl.cell.text")

    def change(sheet: Any) -> None:
        raised = text.InlineFont(vertAlign="superscript")
        for cell, below, above in (("B3", "12.5", "1"), ("B5", "9.1", "a"), ("C5", "no", "2")):
            sheet[cell] = rich.CellRichText(below, rich.TextBlock(raised, above))

    found = rs.check(book(tmp_path, TENTHS, change))
    assert asked(found)["raised digits"] == ("v", ("B3",), True)
    with pytest.raises(rs.errors.InvalidSampleError, match="raised digits"):
        found.check_scores(["v"])


def test_raised_digits_of_shared_texts_and_of_old_workbooks(tmp_path: Path) -> None:
    xlwt = pytest.importorskip("xlwt")
    rows = [list(row) for row in TENTHS]
    rows[2][1] = None
    made, sheet = old_book(tmp_path, rows, {})
    up = xlwt.easyfont("escapement superscript")
    sheet.write_rich_text(2, 1, ("12.5", ("1", up)))
    made.save(str(tmp_path / "s.xls"))
    found = rs.check(tmp_path / "s.xls")
    assert asked(found)["raised digits"] == ("v", ("B3",), True)
    rows[2][1] = "12.51"
    path = _with_shared_texts(book(tmp_path, rows))
    assert "raised digits" not in asked(rs.check(path))
    path = _with_shared_texts(path, raised="12.51")
    assert asked(rs.check(path))["raised digits"] == ("v", ("B3",), True)


def _with_shared_texts(path: Path, raised: str = "") -> Path:
    """Write a workbook again as Excel does: texts in a part of their own, one with a raised end."""
    import re

    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet, shared = parts["xl/worksheets/sheet1.xml"], parts.get("xl/sharedStrings.xml", "")
    texts = re.findall(r"<si>(.*?)</si>", shared)
    assert texts or 't="inlineStr"' in sheet

    def move(found: re.Match[str]) -> str:
        texts.append(found[2])
        return f'{found[1]}t="s"><v>{len(texts) - 1}</v></c>'

    sheet = re.sub(r'(<c [^>]*)t="inlineStr"[^>]*><is>(.*?)</is></c>', move, sheet)
    runs = f"<r><t>{raised[:-1]}</t></r><r><rPr><vertAlign val='superscript'/></rPr>"
    runs += f"<t>{raised[-1:]}</t></r>"
    told = [runs if raised and f">{raised}<" in text else text for text in texts]
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/worksheets/sheet1.xml"] = sheet
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{space}">' + "".join(
        f"<si>{text}</si>" for text in told
    )
    parts["xl/sharedStrings.xml"] += "</sst>"
    types, links = "[Content_Types].xml", "xl/_rels/workbook.xml.rels"
    if "sharedStrings" not in parts[types]:
        office = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
        parts[types] = parts[types].replace(
            "</Types>",
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{office}"/></Types>',
        )
    if "sharedStrings" not in parts[links]:
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
        parts[links] = parts[links].replace(
            "</Relationships>",
            f'<Relationship Id="rIdT" Type="{kind}" Target="sharedStrings.xml"/></Relationships>',
        )
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


def test_yes_or_no_among_numbers_is_asked(tmp_path: Path) -> None:
    rows = [list(row) for row in TENTHS]
    rows[3][1], rows[4][1] = True, False
    found = rs.check(book(tmp_path, rows))
    assert asked(found) == {"yes or no among numbers": ("v", ("B4:B5",), True)}
    with pytest.raises(rs.errors.InvalidSampleError, match="B4 among numbers"):
        found.check_scores(["v"])
    flags = [[*row, k % 3 == 0] for k, row in enumerate(TENTHS)]
    flags[0][3] = "flag"
    clean = rs.check(book(tmp_path, flags))
    assert clean.frame["flag"].dtype.kind == "b"
    assert clean.questions == ()


# ------------------------------------------------------------------------- rows and merged cells


def test_hidden_rows_and_struck_cells_are_said(tmp_path: Path) -> None:
    styles = pytest.importorskip("openpyxl.styles")

    def change(sheet: Any) -> None:
        for row in (3, 4, 7, 30):
            sheet.row_dimensions[row].hidden = True
        sheet["B6"].font = styles.Font(strike=True)
        sheet["A6"].font = styles.Font(strike=True)

    found = rs.check(book(tmp_path, TENTHS, change))
    assert asked(found) == {
        "hidden rows": (None, ("3:4", "7"), False),
        "struck through": (None, ("6",), False),
    }
    assert [q.column for q in found.questions] == [None, None]
    assert len(found.frame) == 8
    made, sheet = old_book(tmp_path, TENTHS, {(4, 1): "struck"})
    sheet.row(2).hidden = True
    made.save(str(tmp_path / "s.xls"))
    assert asked(rs.check(tmp_path / "s.xls")) == {
        "hidden rows": (None, ("3",), False),
        "struck through": ("v", ("B5",), False),
    }


MERGED: list[list[Any]] = [
    ["patient", "lesion", "v", "y"],
    ["P1", "a", 1.5, "yes"],
    [None, "b", 2.5, None],
    ["P2", "a", 3.5, "no"],
    [None, "b", None, None],
    [None, "c", 5.5, None],
    ["P3", "a", 6.5, None],
    ["P4", "a", 7.5, "no"],
]
BOXES = ("A2:A3", "D2:D3", "A4:A6", "D4:D6", "C4:C5")


def _merged(folder: Path, suffix: str) -> Path:
    path = folder / f"s{suffix}"
    if suffix == ".xlsx":
        return book(folder, MERGED, lambda sheet: [sheet.merge_cells(box) for box in BOXES])
    if suffix == ".xls":
        made, sheet = old_book(folder, MERGED, {})
        sheet.merged_ranges.extend([(1, 2, 0, 0), (1, 2, 3, 3), (3, 5, 0, 0), (3, 5, 3, 3)])
        sheet.merged_ranges.append((3, 4, 2, 2))
        made.save(str(path))
        return path
    write_book(path, {"Data": MERGED})
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    rows = parts["content.xml"].split("<table:table-row")
    for i, spans in ((2, {1: 2, 4: 2}), (4, {1: 3, 3: 2, 4: 3})):
        cells = rows[i].split("<table:table-cell")
        for j, high in spans.items():
            cells[j] = f' table:number-rows-spanned="{high}"{cells[j]}'
        rows[i] = "<table:table-cell".join(cells)
    parts["content.xml"] = "<table:table-row".join(rows)
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_merged_cells_hold_their_value_in_each_of_their_rows(tmp_path: Path, suffix: str) -> None:
    found = rs.check(_merged(tmp_path, suffix))
    frame = found.frame
    assert frame["patient"].tolist() == ["P1", "P1", "P2", "P2", "P2", "P3", "P4"]
    assert frame["y"].fillna("").tolist() == ["yes", "yes", "no", "no", "no", "", "no"]
    assert frame["v"].tolist() == [1.5, 2.5, 3.5, 3.5, 5.5, 6.5, 7.5]
    merged = {r.column: r.cells for r in found.repairs if r.step == "merged cells"}
    assert merged == {"patient": ("A3", "A5:A6"), "y": ("D3", "D5:D6"), "v": ("C5",)}
    assert [q.step for q in found.questions] == ["repeated ids"]


def test_merged_whole_numbers_are_whole(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["nr", "v", "y"], [1, 1.5, "a"], [None, 2.5, "b"], [2, 3.5, "a"]]
    rows += [[k, k / 2, "b"] for k in range(3, 9)]
    found = rs.check(book(tmp_path, rows, lambda sheet: sheet.merge_cells("A2:A3")))
    assert found.frame["nr"].tolist() == [1, 1, 2, *range(3, 9)]
    assert found.frame["nr"].dtype.kind == "i"


def test_a_title_that_is_merged_fills_nothing(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Study", None, None], [None, None, None], *ROWS]
    found = rs.check(book(tmp_path, rows, lambda sheet: sheet.merge_cells("A1:C2")))
    assert "merged cells" not in steps(found)
    assert len(found.frame) == 8
