"""The intake: forty messy files and their pairs, the identity on clean ones, and odd cells."""

from __future__ import annotations

import io
import json
import math
import string
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.intake.number_cells import read_cell
from rocstats.data.intake.taking_in import take_in
from rocstats.data.reading.files import read_table

sys.path.insert(0, str(Path(__file__).parent))
import messy_files

ALONE, PAIRS = list(messy_files.alone()), list(messy_files.in_pairs())


def ids(messy: messy_files.Messy) -> str:
    return f"{messy.name}{messy.suffix}"


def check_messy(messy: messy_files.Messy, folder: Path) -> None:
    found = rs.check(messy.write(folder), **messy.draft.options)
    assert {repair.step for repair in found.repairs} == messy.steps
    assert {question.step for question in found.questions} == messy.questions
    pd.testing.assert_frame_equal(found.frame, messy.draft.table, check_dtype=False)
    numbers = messy.draft.table.select_dtypes("number").columns
    assert all(found.frame[name].dtype.kind in "if" for name in numbers)
    for repair in found.repairs:
        assert repair.n > 0
        assert repair.sentence.endswith(".")
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("messy", ALONE, ids=ids)
def test_one_defect(messy: messy_files.Messy, tmp_path: Path) -> None:
    check_messy(messy, tmp_path)


def test_there_are_forty_of_them() -> None:
    assert len(ALONE) >= 40
    assert len(PAIRS) >= 200


@pytest.mark.parametrize("messy", PAIRS, ids=ids)
def test_two_defects(messy: messy_files.Messy, tmp_path: Path) -> None:
    check_messy(messy, tmp_path)


# ------------------------------------------------------------------------- a clean file, to the bit

NAMES = st.text(string.ascii_letters + string.digits + "_. (/)äµ", min_size=1, max_size=8).filter(
    lambda name: name.strip() and not name.startswith("Unnamed") and read_cell(name).kind == "word"
)
WORDS = st.sampled_from(["Poor", "Good", "stage II", "A", "a b", "po'or", "β", "None", "no"])
COLUMNS = st.one_of(
    st.lists(st.integers(-(2**53), 2**53), min_size=6, max_size=6),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=6, max_size=6),
    st.lists(st.floats(0.001, 1000), min_size=6, max_size=6),
    st.lists(WORDS, min_size=6, max_size=6),
)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique_by=str.casefold))
    return pd.DataFrame({name: draw(COLUMNS) for name in names})


@settings(max_examples=60, deadline=None)
@given(frame=frames())
def test_a_clean_text_file_passes_untouched(
    frame: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("clean") / "clean.csv"
    frame.to_csv(path, index=False)
    found = rs.check(path)
    assert found.repairs == ()
    pd.testing.assert_frame_equal(found.frame, read_table(str(path)).frame, check_exact=True)
    pd.testing.assert_frame_equal(found.frame, frame, check_exact=True, check_dtype=False)


@settings(max_examples=25, deadline=None)
@given(frame=frames())
def test_a_clean_workbook_passes_untouched(
    frame: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory
) -> None:
    numbers = frame.select_dtypes("number").to_numpy(dtype=float)
    assume(np.abs(numbers).max(initial=0.0) < 1e300)  # beyond the numbers of Excel
    path = tmp_path_factory.mktemp("clean") / "clean.xlsx"
    frame.to_excel(path, index=False)
    found = rs.check(path)
    assert found.repairs == ()
    pd.testing.assert_frame_equal(found.frame, read_table(str(path)).frame, check_exact=True)


def test_a_clean_frame_keeps_its_index_column_and_missing_cells(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.5, np.nan, 3.0], "y": ["p", "n", "p"]})
    frame.to_csv(tmp_path / "s.csv")
    found = rs.check(tmp_path / "s.csv")
    assert found.repairs == ()
    assert list(found.frame) == ["Unnamed: 0", "a", "y"]
    (tmp_path / "na.csv").write_text("a,y\nNA,NA\n1,0\n2,1\n", encoding="utf-8")
    assert len(rs.check(tmp_path / "na.csv").frame) == 3


@pytest.mark.parametrize("text", ["AA\nAa\naa\nAA\nAa\naa\n", "p1\nP2\np3\nP1\n"])
def test_labels_that_case_tells_apart_are_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.csv").write_text(
        "g,y\n" + "".join(f"{g},{k % 2}\n" for k, g in enumerate(text.split())), encoding="utf-8"
    )
    assert rs.check(tmp_path / "s.csv").repairs == ()


# -------------------------------------------------------------------------------- fuzzing of cells

CELLS = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[<>≤≥]?=? ?-?[0-9]{0,4}[.,' ]?[0-9]{0,4}[.,]?[0-9]{0,3} ?%?", fullmatch=True),
    st.sampled_from(["n/d", "-", "NA", "<LOD", "1,234", "01/02/2020", "#DIV/0!", "5 mg/l", "\x00"]),
)


@settings(max_examples=300, deadline=None)
@given(cell=CELLS)
def test_a_cell_is_a_number_only_if_its_digits_say_so(cell: str) -> None:
    reading = read_cell(cell)
    if reading.kind == "number":
        digits = [c for c in cell if c.isdigit() and c.isascii()]
        assert digits or "inf" in cell.casefold()
        assert math.isfinite(reading.value) or "inf" in cell.casefold()
    if reading.plain:
        assert reading.value == float(cell)


@settings(max_examples=60, deadline=None)
@given(cells=st.lists(CELLS, min_size=8, max_size=8))
def test_any_cells_are_read_or_refused_in_a_sentence(
    cells: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    frame = pd.DataFrame({"y": [0, 1] * 4, "a": cells, "b": [0.5, "<0.1", *cells[:6]]})
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
    try:
        found = rs.check(path)
    except rs.RocstatsError:
        return  # in a sentence, and never another error
    for name in set(found.frame) & {"a", "b"}:
        assert len(found.frame[name]) <= len(cells)
    json.dumps(found.to_dict(), allow_nan=False)


# -------------------------------------------------------------------------------- step by step


def taken(tmp_path: Path, text: str, **options: Any) -> Any:
    path = tmp_path / "s.csv"
    path.write_text(text, encoding="utf-8")
    return take_in(str(path), IntakeSettings(**options))


LIMITS = "y,a\n1,5\n0,<0.5\n1,0.5\n0,<1\n1,7\n0,0.3\n"


def test_below_detection_ranks_below_everything_measured(tmp_path: Path) -> None:
    found = taken(tmp_path, LIMITS)
    values = found.frame["a"].to_numpy()
    assert values[1] == values[3] < 0.3
    assert values[1] == np.nextafter(0.3, -np.inf)
    (repair,) = found.repairs
    assert (repair.n, repair.cells) == (2, ("B3", "B5"))
    assert "tied with one another, whatever the limit" in repair.sentence


def test_below_detection_by_half_or_missing(tmp_path: Path) -> None:
    half = taken(tmp_path, LIMITS, below_detection="half").frame["a"]
    assert half.tolist() == [5, 0.25, 0.5, 0.5, 7, 0.3]
    gone = taken(tmp_path, LIMITS, below_detection="missing").frame["a"]
    assert gone.isna().tolist() == [False, True, False, True, False, False]
    lod = taken(tmp_path, LIMITS.replace("<1", "<LOD"), below_detection="half")
    assert [q.option for q in lod.questions] == ["below_detection"]
    assert taken(tmp_path, LIMITS.replace("<1", "<LOD")).frame["a"].nunique() == 5


def test_above_detection_ranks_highest(tmp_path: Path) -> None:
    text = "y,a\n1,>100\n0,5\n1,100\n0,7\n1,> 100\n"
    values = taken(tmp_path, text).frame["a"]
    assert values[0] == values[4] == np.nextafter(100.0, np.inf)
    assert taken(tmp_path, text, above_detection="missing").frame["a"].isna().sum() == 2


MARKS = {
    # cells, decimal, numbers or None where it is asked
    "comma decides": (["12,5", "1,234", "3,0"], None, [12.5, 1.234, 3.0]),
    "point decides": (["812.5", "1,234", "990.0"], None, [812.5, 1234.0, 990.0]),
    "point, and far off": (["12.5", "1,234", "3.0"], None, None),
    "thousands of a comma file": (["812,5", "1.234", "990,0"], None, [812.5, 1234.0, 990.0]),
    "thousands, and far off": (["12,5", "1.234", "3,0"], None, None),
    "thousands that others have": (["12,5", "1.234", "1.500,5"], None, [12.5, 1234.0, 1500.5]),
    "nothing decides": (["1,234", "2,345", "7"], None, None),
    "both marks": (["1,5", "1.5", "1,234"], None, None),
    "said comma": (["1,234", "2,345", "7"], "comma", [1.234, 2.345, 7.0]),
    "said point": (["1,234", "2,345", "7"], ".", [1234.0, 2345.0, 7.0]),
    "both parts": (["1.234,5", "2", "3"], None, [1234.5, 2.0, 3.0]),
    "millions": (["1,234,567", "2", "3"], None, [1234567.0, 2.0, 3.0]),
    "gaps": (["1 234,5", "12 345", "3"], None, [1234.5, 12345.0, 3.0]),
}


@pytest.mark.parametrize("kind", MARKS)
def test_marks(tmp_path: Path, kind: str) -> None:
    cells, decimal, numbers = MARKS[kind]
    text = "y;a\n" + "".join(f"{k % 2};{cell}\n" for k, cell in enumerate(cells))
    found = taken(tmp_path, text, decimal=decimal)
    if numbers is None:
        assert [(q.step, q.option, q.blocks) for q in found.questions] == [
            ("decimal mark", "decimal", True)
        ]
        assert found.frame["a"].tolist() == cells
    else:
        assert found.questions == ()
        assert found.frame["a"].tolist() == numbers


def test_points_beside_decimal_commas_are_asked(tmp_path: Path) -> None:
    text = "y;a;b\n0;1,5;1.234\n1;2,5;2.345\n0;3,5;3.456\n"
    found = taken(tmp_path, text)
    assert [(q.column, q.option) for q in found.questions] == [("b", "decimal")]
    assert found.frame["b"].tolist() == ["1.234", "2.345", "3.456"]
    assert taken(tmp_path, text, decimal="comma").frame["b"].tolist() == [1234, 2345, 3456]
    assert taken(tmp_path, text, decimal="point").frame["b"].tolist() == [1.234, 2.345, 3.456]


def test_percent_beside_shares_is_asked(tmp_path: Path) -> None:
    text = "y,a\n0,12%\n1,0.5\n0,30 %\n"
    assert [q.option for q in taken(tmp_path, text).questions] == ["percent"]
    assert taken(tmp_path, text, percent="share").frame["a"].tolist() == [0.12, 0.5, 0.3]
    assert taken(tmp_path, text, percent="number").frame["a"].tolist() == [12, 0.5, 30]


DATES = {
    "day": (["31/01/2020", "02/03/2020"], None, ["2020-01-31", "2020-03-02"]),
    "month": (["01/31/2020", "02/03/2020"], None, ["2020-01-31", "2020-02-03"]),
    "point": (["01.02.2020", "02.03.2020"], None, ["2020-02-01", "2020-03-02"]),
    "asked": (["01/02/2020", "02/03/2020"], None, None),
    "said": (["01/02/2020", "02/03/2020"], "month-first", ["2020-01-02", "2020-02-03"]),
    "none": (["31/01/2020", "01/31/2020"], None, None),
}


@pytest.mark.parametrize("kind", DATES)
def test_dates(tmp_path: Path, kind: str) -> None:
    cells, said, days = DATES[kind]
    found = taken(tmp_path, "y,d\n" + "".join(f"1,{c}\n" for c in cells), dates=said)
    if days is None:
        assert [q.step for q in found.questions] == ["dates"]
        assert found.frame["d"].tolist() == cells
    else:
        assert found.frame["d"].dt.strftime("%Y-%m-%d").tolist() == days


def test_codes_are_suggested_and_not_applied(tmp_path: Path) -> None:
    text = "y,a,b\n" + "".join(
        f"{k % 2},{v},{w}\n"
        for k, (v, w) in enumerate([(4, 12), (-9, 15), (7, 999), (2, 18), (5, 11), (-9, 14)])
    )
    found = taken(tmp_path, text)
    assert found.repairs == ()
    assert [(q.column, q.n, q.answers) for q in found.questions] == [
        ("a", 2, ("a=-9",)),
        ("b", 1, ("b=999",)),
    ]
    found = taken(tmp_path, text, missing_codes=("a=-9", "999"))
    assert found.frame.isna().sum().tolist() == [0, 2, 1]
    assert [(r.step, r.column, r.n) for r in found.repairs] == [
        ("missing codes", "a", 2),
        ("missing codes", "b", 1),
    ]
    with pytest.warns(rs.RocstatsWarning, match="No cell holds '-77'"):
        taken(tmp_path, text, missing_codes=("-77",))


def test_rows_are_numbered_as_the_spreadsheet_does(tmp_path: Path) -> None:
    text = "Title,,\n,,\ny,a,b\n0,1,x\n\n1,n/d,y\n0,3,x\n"
    found = taken(tmp_path, text)
    assert found.places.rows.tolist() == [4, 6, 7]
    assert {r.step: r.cells for r in found.repairs}["missing"] == ("B6",)


LAST = {
    # the last rows, and how many of them are patients
    "a patient called Max": ("Max,3.5,0", 1),
    "Max without a value": ("Max,,0", 1),
    "a label that others have": ("Ben,,1", 1),
    "totals among names": ("Mean,2.5,\nSD,0.7,\nMax,3.5,", 0),
    "a note of one cell": ("values by the local laboratory,,", 0),
}


@pytest.mark.parametrize("kind", LAST)
def test_the_last_row_is_a_patient_unless_it_is_none(tmp_path: Path, kind: str) -> None:
    text, n = LAST[kind]
    names = ["Ana", "Ben", "Cid", "Dora", "Ben", "Eva", "Fay", "Gus", "Ina", "Jo", "Kim"]
    rows = "".join(f"{name},{k + 1}.5,{k % 2}\n" for k, name in enumerate(names))
    found = taken(tmp_path, f"name,a,y\n{rows}{text}\n")
    assert len(found.frame) == len(names) + n
    yes_or_no = "".join(f"{'yn'[k % 2]},{k + 1}.5\n" for k in range(12))
    assert len(taken(tmp_path, f"b,a\n{yes_or_no}n,\n").frame) == 13


def test_a_file_without_names_is_asked_about(tmp_path: Path) -> None:
    found = taken(tmp_path, "17,0.25,1\n18,0.5,0\n19,0.75,1\n")
    assert [(q.step, q.blocks) for q in found.questions] == [("names", False)]
    assert taken(tmp_path, "0,1\n5,0.5\n6,0.7\n").questions == ()


def test_the_sheet_with_the_columns_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    one = pd.DataFrame({"site": ["a", "b", "c"], "n": [4, 5, 6]})
    two = pd.DataFrame({"y": [0, 1, 0], "a": [1.5, 2.5, 3.5]})
    with pd.ExcelWriter(path) as book:
        one.to_excel(book, sheet_name="Sites", index=False)
        two.to_excel(book, sheet_name="Patients", index=False)
    found = take_in(str(path), IntakeSettings(wanted=("y", "a")))
    assert list(found.frame) == ["y", "a"]
    assert [(r.step, found.found) for r in found.repairs] == [("sheet", {"sheet": "Patients"})]
    first = rs.check(path)
    assert list(first.frame) == ["site", "n"]
    assert [(q.option, q.answers) for q in first.questions] == [("sheet", ("Sites", "Patients"))]
    for wanted in ("patients", 2, "2"):
        assert list(rs.check(path, sheet=wanted).frame) == ["y", "a"]
    with pytest.raises(rs.InvalidOptionError, match="has no sheet 'Patient'"):
        rs.check(path, sheet="Patient")


def test_a_date_among_numbers_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    pd.DataFrame({"y": [0, 1, 0, 1], "a": [1.5, pd.Timestamp("2021-05-03"), 2.5, 4.5]}).to_excel(
        path, index=False
    )
    found = rs.check(path)
    assert [(q.step, q.cells, q.blocks) for q in found.questions] == [
        ("dates among numbers", ("B3",), True)
    ]


def test_read_warns_and_keeps_the_log(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("y;a\n0;1,5\n1;2,5\n0;1,0\n", encoding="utf-8")
    with pytest.warns(rs.RepairedFileWarning, match=r"was repaired on its way in \(2 repairs: sep"):
        frame = rs.read(path)
    assert [repair["step"] for repair in frame.attrs["repairs"]] == ["separator", "decimal comma"]
    path.write_text("y,a\n0,1.5\n1,2.5\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.read(path).attrs["repairs"] == []


def test_the_report_of_a_frame_lists_what_reading_repaired(tmp_path: Path) -> None:
    rows = "".join(f"{k % 2};{k * 7 % 11},5\n" for k in range(24))
    path = tmp_path / "s.csv"
    path.write_text(f"y;a\n{rows}", encoding="utf-8")
    with pytest.warns(rs.RepairedFileWarning):
        frame = rs.read(path)
    page = rs.report(frame, outcome="y", pos_label=1, markers="a", n_resamples=100, r="no")
    assert [r["step"] for r in page.facts["data"]["repairs"]] == ["separator", "decimal comma"]


BAD = {
    "sheet of a text": {"sheet": "Data"},
    "row 0": {"header_row": 0},
    "mark": {"decimal": ";"},
    "half": {"below_detection": "third"},
    "codes": {"missing_codes": 3 + 4j},
    "exclude without an outcome": {"exclude": ["x"]},
    "no such outcome": {"outcome": "z", "exclude": ["x"]},
    "as it is and moved": {"as_is": True, "header_row": 2},
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_options_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text("y,a\n0,1.5\n1,2.5\n", encoding="utf-8")
    with pytest.raises(rs.InvalidOptionError):
        rs.check(path, **BAD[kind])


@pytest.mark.parametrize("call", [rs.read, rs.check])
@pytest.mark.parametrize("path", [5, None, ["a.csv"], b"a.csv"])
def test_what_is_no_path_is_refused(call: Any, path: Any) -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"path must be the path of a file, got \w+\.$"):
        call(path)
