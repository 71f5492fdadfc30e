"""Workbooks: .xlsx, .xls and .ods are read alike, within the same bounds."""

from __future__ import annotations

import datetime as dt
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.data.reading.files import read_table
from rocstats.data.reading.open_document import ods_sheets

sys.path.insert(0, str(Path(__file__).parent))
from workbook_files import ERROR, KINDS, write_book, write_ods

DAY = dt.datetime(2021, 3, 4)
CLEAN: list[list[Any]] = [
    ["id", "day", "crp", "n", "flag", "y"],
    ["P1", DAY, 1.5, 3, True, "yes"],
    ["P2", DAY, 0.25, 4, False, "no"],
    ["P3", DAY, None, 5, True, "yes"],
    ["P4", DAY, 1e-300, 6, False, "no"],
]
MESSY: list[list[Any]] = [
    ["Study of CRP", None, None, None],
    [None, None, None, None],
    ["id", "CRP (mg/l)", "BNP", "y"],
    ["P1", "3,4", 10, "Yes"],
    ["P2", "<0,5", ERROR, "no"],
    ["P3", "12,5", "30", "YES"],
    ["P4", "0,8", 40, "no"],
    [None, None, None, None],
    ["Mean", "5,6", None, None],
]


@pytest.mark.parametrize("suffix", KINDS)
def test_a_clean_workbook_is_read_as_it_stands(tmp_path: Path, suffix: str) -> None:
    found = rs.check(write_book(tmp_path / f"s{suffix}", {"Data": CLEAN}))
    assert found.repairs == ()
    assert found.questions == ()
    wanted = read_table(str(write_book(tmp_path / "w.xlsx", {"Data": CLEAN}))).frame
    pd.testing.assert_frame_equal(found.frame, wanted, check_exact=True, check_dtype=False)
    assert [found.frame[name].dtype.kind for name in ("crp", "n", "flag")] == ["f", "i", "b"]


@pytest.mark.parametrize("suffix", KINDS)
def test_a_messy_workbook_has_the_same_table_and_log(tmp_path: Path, suffix: str) -> None:
    notes = [["rot", "nachgemessen"]]
    sheets = {"Notes": notes, "Data": MESSY, "Codes": CLEAN}
    path = write_book(tmp_path / f"s{suffix}", sheets, hidden=["Codes"])
    found = rs.check(path)
    assert found.frame["CRP (mg/l)"].tolist() == [3.4, 0.5, 12.5, 0.8]
    np.testing.assert_array_equal(found.frame["BNP"], [10, np.nan, 30, 40])
    assert {(r.step, r.cells) for r in found.repairs} == {
        ("hidden sheets", ()),
        ("sheet", ()),
        ("header row", ("1:2",)),
        ("blank rows", ("8",)),
        ("rows at the end", ("9",)),
        ("numbers as text", ("C6",)),
        ("missing", ("C5",)),
        ("decimal comma", ("B4:B7",)),
        ("below detection", ("B5",)),
        ("labels", ("D4",) if found.frame["y"][0] == "YES" else ("D6",)),
    }
    again = rs.check(path, **found.found)
    pd.testing.assert_frame_equal(again.frame, found.frame)
    assert list(rs.check(path, sheet="Codes").frame) == CLEAN[0]


@pytest.mark.parametrize("suffix", KINDS)
def test_as_it_is(tmp_path: Path, suffix: str) -> None:
    path = write_book(tmp_path / f"s{suffix}", {"Data": CLEAN, "More": MESSY})
    found = rs.check(path, as_is=True)
    assert found.frame["crp"].tolist()[:2] == [1.5, 0.25]
    assert found.table.remarks == ("Of 2 sheets the first, 'Data', was read.",)
    empty = write_book(tmp_path / f"e{suffix}", {"Data": []})
    with pytest.raises(rs.InvalidSampleError, match="is empty"):
        rs.check(empty)
    twice = write_book(tmp_path / f"t{suffix}", {"Data": [["a", "a"], [1, 2], [3, 4]]})
    with pytest.raises(rs.InvalidSampleError, match="two columns named 'a'"):
        rs.check(twice, as_is=True)
    assert rs.check(twice).frame.to_dict("list") == {"a (column A)": [1, 3], "a (column B)": [2, 4]}


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**30), 2**30).map(lambda k: k / 64),  # openpyxl writes 16 digits
    st.integers(-(2**40), 2**40),
    st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=6),
    st.sampled_from(["<0,05", "n/d", "1,234", "12 %", "ja", " ja", "Ø", "5+"]),
)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=3, max_size=8))
def test_kinds_of_workbooks_agree_on_any_cells(tmp_path: Path, rows: list[Any]) -> None:
    cells = [["id", "a", "b"], *([k + 1, *row[1:]] for k, row in enumerate(rows))]
    told = []
    for suffix in KINDS:
        found = rs.check(write_book(tmp_path / f"s{suffix}", {"Data": cells}))
        log = {**found.to_dict(), "file": "", "format": ""}
        told.append((found.frame.astype(object).where(found.frame.notna(), None), log))
    for frame, log in told[1:]:
        assert log == told[0][1]
        assert frame.to_numpy().tolist() == told[0][0].to_numpy().tolist()


# ------ what stands in an OpenDocument beside its cells ------


def test_repeated_cells_spaces_notes_and_times(tmp_path: Path) -> None:
    path = write_ods(
        tmp_path / "s.ods",
        """<table:tracked-changes><table:table-cell office:value-type="float" office:value="99"/>
        </table:tracked-changes><table:table table:name="A"><table:shapes><text:p>logo</text:p>
        </table:shapes><table:table-header-rows><table:table-row>
        <table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell>
        <table:table-cell office:value-type="string"><text:p>b<text:s text:c="2"/>c</text:p>
        <text:p>d</text:p></table:table-cell></table:table-row></table:table-header-rows>
        <table:table-row table:number-rows-repeated="3">
        <table:table-cell table:number-columns-repeated="2" office:value-type="percentage"
        office:value="0.5"><office:annotation><text:p>mind</text:p></office:annotation>
        <text:p>50 %</text:p></table:table-cell></table:table-row>
        <table:table-row><table:covered-table-cell/><table:table-cell office:value-type="time"
        office:time-value="PT07H30M00S"><text:p>07:30</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell office:value-type="time"
        office:time-value="PT30H00M00S"><text:p>30:00</text:p></table:table-cell></table:table-row>
        </table:table>""",
    )
    (sheet,) = ods_sheets(path)
    assert sheet.rows == [
        ("a", "b  c\nd"),
        *[(0.5, 0.5)] * 3,
        (None, dt.time(7, 30)),
        ("30:00",),
    ]


def test_an_error_is_one_in_any_language(tmp_path: Path) -> None:
    wrong = '<table:table-cell office:value-type="string" calcext:value-type="error">'
    row = f"<table:table-row>{wrong}<text:p>#WERT!</text:p></table:table-cell></table:table-row>"
    path = write_ods(tmp_path / "s.ods", f'<table:table table:name="A">{row}</table:table>')
    assert ods_sheets(path)[0].rows == [("#VALUE!",)]


# ------ bounds and refusals ------

ONE = '<table:table-cell office:value-type="float" office:value="1"{}/>'
BOMBS = {
    "a cell in the last corner": '<table:table-row table:number-rows-repeated="1000000">'
    "<table:table-cell/></table:table-row><table:table-row>"
    '<table:table-cell table:number-columns-repeated="16000"/>'
    + ONE.format("")
    + "</table:table-row>",
    "a row a million times": '<table:table-row table:number-rows-repeated="1000000">'
    + ONE.format(' table:number-columns-repeated="16000"')
    + "</table:table-row>",
    "columns without end": "<table:table-row>"
    + ONE.format(' table:number-columns-repeated="99999999999"')
    + "</table:table-row>",
}


@pytest.mark.parametrize("kind", BOMBS)
def test_repeats_without_end_are_refused(tmp_path: Path, kind: str) -> None:
    path = write_ods(tmp_path / "b.ods", f'<table:table table:name="A">{BOMBS[kind]}</table:table>')
    assert path.stat().st_size < 2000
    with pytest.raises(rs.InvalidSampleError, match=r"columns|cells .* at most"):
        rs.check(path)


def test_a_zip_bomb_and_a_long_cell_are_refused(tmp_path: Path) -> None:
    long = f'<table:table-cell office:value-type="string"><text:p>{"x" * 2**21}</text:p>'
    table = f'<table:table table:name="A"><table:table-row>{long}</table:table-cell>'
    path = write_ods(tmp_path / "b.ods", table + "</table:table-row></table:table>")
    with pytest.raises(rs.InvalidSampleError, match="a cell has more than 1,048,576 characters"):
        rs.check(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", b"x")
        archive.infolist()[0].file_size = 2**40
    with pytest.raises(rs.InvalidSampleError, match="more than the 1,024 MB"):
        rs.check(path)


LAUGHS = "".join(
    f'<!ENTITY l{k} "{"&l" + str(k - 1) + ";" if k else "ha"}{f"&l{k - 1};" * 9 if k else ""}">'
    for k in range(10)
)
DOCTYPE = f"<!DOCTYPE office:document-content [{LAUGHS}]>"


def test_entities_are_refused_in_every_kind(tmp_path: Path) -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>&l9;</text:p></table:table-cell>'
    table = f'<table:table table:name="A"><table:table-row>{cell}</table:table-row></table:table>'
    with pytest.raises(rs.InvalidSampleError, match="declares entities"):
        rs.check(write_ods(tmp_path / "b.ods", table, head=DOCTYPE))
    good = write_book(tmp_path / "good.xlsx", {"Data": CLEAN})
    for part in ("xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml"):
        path = tmp_path / "b.xlsx"
        with zipfile.ZipFile(good) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                text = old.read(name)
                if name == part:
                    head, end, rest = text.partition(b"?>")
                    start = (head + end, rest) if end else (b"", text)
                    text = start[0] + DOCTYPE.encode() + start[1]
                new.writestr(name, text)
        with pytest.raises(rs.InvalidSampleError, match=r"declares entities|could not be read"):
            rs.check(path)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
DISGUISES = {
    "a workbook with a password": ("s.xlsx", OLE, "protected by a password"),
    "an xls as ods": ("s.ods", OLE, "protected by a password, or is an .xls"),
    "an xlsx as xls": ("s.xls", b"PK\x03\x04" + bytes(600), "under another name"),
    "a page as xls": ("s.xls", b"<html><table><tr><td>1</td></tr></table>", "a page or a text"),
    "a text as xls": ("s.xls", b"id\ty\n1\t0\n", "a page or a text"),
    "nothing of it": ("s.xls", OLE, "could not be read as Excel 97"),
    "no zip": ("s.ods", b"hello", "could not be read as OpenDocument"),
    "an empty file": ("s.ods", b"", "is empty"),
}


@pytest.mark.parametrize("kind", DISGUISES)
def test_what_is_none_is_refused_in_a_sentence(tmp_path: Path, kind: str) -> None:
    name, content, said = DISGUISES[kind]
    path = tmp_path / name
    path.write_bytes(content)
    for as_is in (False, True):
        with pytest.raises(rs.InvalidSampleError, match=said):
            rs.check(path, as_is=as_is)


def test_passwords_of_documents_and_missing_parts(tmp_path: Path) -> None:
    locked = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    path = write_ods(tmp_path / "p.ods", "", more={"META-INF/manifest.xml": locked})
    with pytest.raises(rs.InvalidSampleError, match="protected by a password; save it without"):
        rs.check(path)
    path = tmp_path / "n.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "text")
    with pytest.raises(rs.InvalidSampleError, match=r"cut off or damaged: it has no content\.xml"):
        rs.check(path)


@pytest.mark.parametrize("suffix", [".xls", ".ods"])
def test_damaged_workbooks_are_refused_in_a_sentence(tmp_path: Path, suffix: str) -> None:
    """Cuts and flipped bytes give a table or a refusal, and nothing else."""
    whole = write_book(tmp_path / f"w{suffix}", {"Data": CLEAN}).read_bytes()
    rng = np.random.default_rng(1)
    path = tmp_path / f"d{suffix}"
    for k in range(18):
        content = bytearray(whole)
        if k % 3 == 0:
            del content[int(rng.integers(1, len(content))) :]
        else:
            for place in rng.integers(0, len(content), size=4):
                content[place] = rng.integers(256)
        path.write_bytes(bytes(content))
        with suppress(rs.RocstatsError):
            rs.check(path, as_is=True)
