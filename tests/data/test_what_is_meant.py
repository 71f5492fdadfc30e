"""What is read is what a careful reader of the file would type, or it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocstats as rs


def column(folder: Path, cells: list[str], sep: str = ";", **options: Any) -> Any:
    path = folder / "s.csv"
    rows = [f"P{k}{sep}{cell}{sep}{'yn'[k % 2]}" for k, cell in enumerate(cells)]
    path.write_text("\n".join([sep.join(("id", "v", "y")), *rows]) + "\n", encoding="utf-8")
    return rs.check(path, **options)


def asked(found: Any) -> list[tuple[str, tuple[str, ...]]]:
    return [(q.step, q.cells) for q in found.questions if q.blocks]


READ: dict[str, tuple[list[str], list[float]]] = {
    "digits of full width": (["１２．５", "３．２", "4", "15"], [12.5, 3.2, 4.0, 15.0]),
    "signs of full width": (["＜０．５", "３．２", "4", "－15"], [-15.0000001, 3.2, 4.0, -15.0]),
    "Arabic digits": (["١٢", "٣", "4", "١٥"], [12, 3, 4, 15]),
    "Devanagari digits": (["\u0967\u0968", "3", "4", "15"], [12, 3, 4, 15]),
    "a point in the middle": (["3·5", "4·1", "5·2", "6"], [3.5, 4.1, 5.2, 6.0]),
    "an en dash for minus": (["–3.5", "4.1", "5.2", "6"], [-3.5, 4.1, 5.2, 6.0]),
    "texts of a program": (['="12.5"', '="3.2"', '="4"', "'15"], [12.5, 3.2, 4.0, 15.0]),
    "letters of one unit": (["5 μg/l", "6 µg/L", "7 ug/l", "8 mcg/l"], [5, 6, 7, 8]),
    "thousands that others have": (
        ["2,5", "990,4", "1.206,7", "1.250"],
        [2.5, 990.4, 1206.7, 1250],
    ),
    "thousands of that size": (["120,5", "990,4", "870,2", "1.250"], [120.5, 990.4, 870.2, 1250]),
    "lakhs": (["1,23,456", "75,159", "2,34,567.5", "99,999"], [123456, 75159, 234567.5, 99999]),
    "powers of ten": (["1.2E+05", "3.4e3", "5", "7,8E2"], [1.2e5, 3400.0, 5.0, 780.0]),
    "no-break spaces": (["1\xa0234,5", "2\u202f345,6", "99,1", "7,0"], [1234.5, 2345.6, 99.1, 7]),
    "percents": (["12 %", "7,5\xa0%", "0,4%", "100%"], [12, 7.5, 0.4, 100]),
}


@pytest.mark.parametrize("kind", READ)
def test_it_is_read_and_said(tmp_path: Path, kind: str) -> None:
    cells, wanted = READ[kind]
    found = column(tmp_path, cells)
    np.testing.assert_allclose(found.frame["v"].tolist(), wanted, rtol=1e-7)
    assert asked(found) == []
    assert any(repair.column == "v" for repair in found.repairs)


ASKED = {
    "1.234 among small numbers": (["3,2", "250,5", "0,8", "33,1", "1.234"], "decimal mark", "B6"),
    "a comma with nothing behind": (["12,", "1.234", "2.345", "3.456"], "decimal mark", "B3:B5"),
    "1.234 beside 950": (["950", "870", "1.234", "640", "1.500"], "decimal mark", "B4,B6"),
    "a power beside bare numbers": (["1.2x10^5", "3400", "5600", "910"], "units", "B2"),
    "powers that differ": (["1.2x10^5", "3.4x10^4", "5.6x10^5", "1"], "units", "B3"),
    "millions beside units": (["1.2M", "800000", "950000", "2000000"], "units", "B2"),
    "grams beside milligrams": (["5 g/l", "4.5 g/l", "350", "420"], "units", "B2:B3"),
    "percents beside shares": (["12%", "0.15", "1.2", "13%"], "percent", "B2,B5"),
    "above the normal": (["5", ">ULN", "7", "8"], "words among numbers", "B3"),
    "a dipstick": (["0", "1+", "2", "3"], "words among numbers", "B3"),
    "a range": (["5-7", "8", "9", "10"], "words among numbers", "B2"),
    "two values": (["5.1 ± 0.2", "8", "9", "10"], "words among numbers", "B2"),
    "a raised footnote": (["12.5¹", "8", "9", "10"], "words among numbers", "B2"),
    "a footnote in brackets": (["12.5 [1]", "8", "9", "10"], "words among numbers", "B2"),
    "a count": (["5", "6", "7", "n=3"], "words among numbers", "B5"),
}


@pytest.mark.parametrize("kind", ASKED)
def test_it_is_asked_and_left_as_it_is_written(tmp_path: Path, kind: str) -> None:
    cells, step, where = ASKED[kind]
    found = column(tmp_path, cells)
    assert asked(found) == [(step, tuple(where.split(",")))]
    assert found.frame["v"].astype(str).tolist() == cells
    with pytest.raises(rs.errors.InvalidSampleError):
        found.check_scores(["v"])


@pytest.mark.parametrize("kind", ["1.234 among small numbers", "1.234 beside 950"])
def test_either_answer_gives_its_numbers(tmp_path: Path, kind: str) -> None:
    cells = ASKED[kind][0]
    where = cells.index("1.234")
    for answer, value in (("comma", 1234), ("point", 1.234)):
        found = column(tmp_path, cells, decimal=answer)
        assert found.frame["v"][where] == value
        assert asked(found) == []


def test_thousandths_among_whole_numbers_of_their_size_are_clean(tmp_path: Path) -> None:
    for cells in (["1", "2", "1.234", "3"], ["950", "870", "1.2", "640"], ["9", "1.234", "0.5"]):
        found = column(tmp_path, cells, sep=",")
        assert found.repairs == ()
        assert found.questions == ()
        assert found.frame["v"].tolist() == [float(cell) for cell in cells]


def test_texts_of_a_workbook_beside_numbers_of_another_size_are_asked(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")

    def taken(columns: dict[str, list[Any]], **options: Any) -> Any:
        book = openpyxl.Workbook()
        book.active.append(["id", *columns])
        for k, cells in enumerate(zip(*columns.values(), strict=True)):
            book.active.append([f"P{k}", *cells])
        book.save(tmp_path / "s.xlsx")
        return rs.check(tmp_path / "s.xlsx", **options)

    stored: list[Any] = [950, 870, "1.234", 640, "1.500", 720]
    found = taken({"v": stored})
    assert asked(found) == [("decimal mark", ("B4", "B6"))]
    assert found.frame["v"].tolist() == stored
    answered = taken({"v": stored}, decimal="comma")
    assert answered.frame["v"].tolist() == [950, 870, 1234, 640, 1500, 720]
    assert [r.step for r in answered.repairs] == ["thousands", "numbers as text"]
    assert taken({"v": stored}, decimal="point").frame["v"][2] == 1.234
    texts = [f"{k}.234" for k in range(1, 9)]
    commas = [f"{k},5" for k in range(8)]
    assert asked(taken({"v": texts, "w": commas})) == [("decimal mark", ("B2:B9",))]
    assert asked(taken({"v": texts, "w": list(range(8))})) == []


# --------------------------------------------------------------------------------------- labels


def labels(folder: Path, given: list[str], encoding: str = "utf-8") -> list[str]:
    path = folder / "s.csv"
    path.write_bytes(
        ("k,y\n" + "".join(f"{k},{label}\n" for k, label in enumerate(given * 4))).encode(encoding)
    )
    return list(dict.fromkeys(rs.check(path).frame["y"].tolist()))


def test_letters_of_other_scripts_that_a_mark_tells_apart_are_two(tmp_path: Path) -> None:
    assert labels(tmp_path, ["и", "й", "к"]) == ["и", "й", "к"]
    assert labels(tmp_path, ["か", "が", "き"]) == ["か", "が", "き"]
    assert labels(tmp_path, ["А", "В", "С"], "cp1251") == ["À", "Â", "Ñ"]  # read as cp1252
    assert labels(tmp_path, ["à", "á", "b"]) == ["à", "á", "b"]


def test_genotypes_stay_three_beside_another_word(tmp_path: Path) -> None:
    assert labels(tmp_path, ["AA", "Aa", "aa", "unknown"]) == ["AA", "Aa", "aa", "unknown"]
    assert labels(tmp_path, ["Sí", "SI", "no", "No"]) == ["Sí", "no"]


def test_a_space_before_a_bracket_is_no_other_label(tmp_path: Path) -> None:
    assert labels(tmp_path, ["pos(+)", "POS (+)", "neg(-)", "neg (-)"]) == ["pos(+)", "neg(-)"]


def test_an_encoding_that_is_not_found_is_named_by_its_language(tmp_path: Path) -> None:
    content = "検査,判定\n1,陽性\n2,陰性\n"
    (tmp_path / "s.csv").write_bytes(content.encode("cp932"))
    with pytest.raises(rs.errors.InvalidSampleError, match=r"cp932 \(Japanese\)"):
        rs.check(tmp_path / "s.csv")
    found = rs.check(tmp_path / "s.csv", encoding="cp932")
    assert found.frame["判定"].tolist() == ["陽性", "陰性"]


def test_words_of_full_width_are_the_same_label(tmp_path: Path) -> None:
    assert len(labels(tmp_path, ["Ｙｅｓ", "yes", "no", "Ｎｏ"])) == 2


# --------------------------------------------------------------------------------------- layout


ROWS = [f"P{k},{k * 1.5},{'yn'[k % 2]}" for k in range(10)]


def taken(folder: Path, *lines: str) -> Any:
    path = folder / "s.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return rs.check(path)


@pytest.mark.parametrize(
    "below",
    [
        ["", "Controls,,", "nr,ferritin,status", "C1,20,y", "C2,30,n"],
        ["", "nr,ferritin,status", "C1,20,y", "C2,30,n"],
        ["", "cutoff,sens,spec", "5,0.9,0.8", "10,0.7,0.95"],
    ],
)
def test_a_second_table_below_is_not_read_into_the_first(tmp_path: Path, below: list[str]) -> None:
    found = taken(tmp_path, "id,crp,y", *ROWS, *below)
    assert found.frame["crp"].tolist() == [k * 1.5 for k in range(10)]
    second = next(repair for repair in found.repairs if repair.step == "second table")
    assert second.cells == (f"13:{11 + len(below)}",)
    assert found.questions == ()


def test_patients_below_a_gap_belong_to_the_table(tmp_path: Path) -> None:
    lost = taken(tmp_path, "id,crp,y", *ROWS, "", "P98,clotted,y", "P99,3.5,n")
    assert len(lost.frame) == 12
    assert asked(lost) == [("words among numbers", ("B13",))]
    again = taken(tmp_path, "id,crp,y", *ROWS, "", " ID,CRP,Y", "P98,2.5,y", "P99,3.5,n")
    assert len(again.frame) == 12
    assert "repeated header" in [repair.step for repair in again.repairs]


def test_two_tables_beside_each_other_are_asked(tmp_path: Path) -> None:
    rows = [f"P{k},{k}.5,y,,{f'C{k},{k * 20},n' if k < 6 else ',,'}" for k in range(10)]
    (question,) = taken(tmp_path, "id,crp,y,,nr,ferritin,status", *rows).questions
    assert (question.step, question.cells) == ("tables beside each other", ("A:C", "E:G"))
    full = [f"P{k},{k}.5,y,,C{k},{k * 20},n" for k in range(10)]
    (question,) = taken(tmp_path, "id,crp,y,,id,crp,y", *full).questions
    assert question.step == "tables beside each other"
    assert taken(tmp_path, "id,crp,y,,pct,ferritin,status", *full).questions == ()


@pytest.mark.parametrize(
    "word", ["Średnia", "Razem", "平均", "合計", "Среднее", "Medel", "Ortalama"]
)
def test_totals_in_other_languages_are_no_patients(tmp_path: Path, word: str) -> None:
    found = taken(tmp_path, "id,crp,y", *ROWS, f"{word},6.75,")
    assert len(found.frame) == 10
    assert [repair.step for repair in found.repairs] == ["rows at the end"]


def test_what_lies_under_another_name_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for name, content, said in (
        ("s.xlsx", b"id,v,y\n1,2,y\n2,3,n\n", "is a page or a text under another name; give"),
        ("s.xlsx", b"id;v;y\r\n1;2;y\r\n", "is a page or a text under another name; give"),
        ("s.csv", b"PK\x03\x04" + b"\x00" * 40, "is a workbook under another name"),
        ("s.txt", b"\xd0\xcf\x11\xe0" + b"\x00" * 40, "is a workbook under another name"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(rs.errors.InvalidSampleError, match=said):
            rs.check(tmp_path / name)


# ------------------------------------------------------------------- what was meant, as a property


def _comma(text: str) -> str:
    return text.replace(".", ",")


def _thousands(text: str, mark: str) -> str:
    whole, _, rest = text.partition(".")
    return f"{int(whole):,}".replace(",", mark) + (f".{rest}" if rest else "")


HABITS: dict[str, Any] = {
    "plain": str,
    "decimal comma": _comma,
    "spaced thousands": lambda text: _comma(_thousands(text, "\xa0")),
    "pointed thousands": lambda text: _thousands(text, "#").replace(".", ",").replace("#", "."),
    "English thousands": lambda text: f'"{_thousands(text, ",")}"',
    "full width": lambda text: text.translate(
        str.maketrans("0123456789.", "０１２３４５６７８９．")
    ),
    "unit": lambda text: f"{_comma(text)} mg/l",
    "percent": lambda text: f"{text} %",
    "footnote": lambda text: f"{text}*",
    "spaces": lambda text: f"  {text}\u2009",
    "text of a program": lambda text: f'"=""{text}"""',
    "exponent": lambda text: f"{float(text):.6E}",
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    st.lists(
        st.decimals(min_value=0, max_value=99999, allow_nan=False, places=None).map(
            lambda d: f"{d:.3f}".rstrip("0").rstrip(".")
        ),
        min_size=3,
        max_size=12,
    ),
    st.sampled_from(sorted(HABITS)),
    st.sampled_from([";", "\t"]),
)
def test_a_number_is_what_was_meant_or_a_question(
    tmp_path: Path, texts: list[str], habit: str, sep: str
) -> None:
    found = column(tmp_path, [HABITS[habit](text) for text in texts], sep=sep)
    if asked(found):
        return
    meant = [float(text) for text in texts]
    if found.frame["v"].dtype.kind not in "iuf":
        with pytest.raises(rs.errors.InvalidSampleError):
            found.check_scores(["v"])
        return
    np.testing.assert_allclose(found.frame["v"].to_numpy(dtype=float), meant, rtol=1e-6)
