"""Habits of clinics, found on a walk with five workbooks: repaired in the open, or asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Call

import rocstats as rs


def taken(folder: Path, text: str, **options: Any) -> Any:
    path = folder / "s.csv"
    path.write_text(text, encoding="utf-8")
    return rs.check(path, **options)


def steps(found: Any) -> dict[str, tuple[str, ...]]:
    return {repair.step: repair.cells for repair in found.repairs}


def test_headings_and_totals_among_the_data_are_left_out(tmp_path: Path) -> None:
    rows = [f"{100 + k},{k}.5,{k % 2}" for k in range(24)]
    text = "\n".join(
        ["nr,crp,y", "Site A,,", *rows[:12], "Subtotal,2.0,", "Site B,,", *rows[12:], "Total,4.0,"]
    )
    found = taken(tmp_path, text + "\n")
    assert found.frame["nr"].tolist() == list(range(100, 124))
    assert steps(found) == {"rows between": ("2", "15:16"), "rows at the end": ("29",)}


def test_a_patient_without_results_is_no_heading(tmp_path: Path) -> None:
    ids = [f"P-{k:03d}" for k in range(9)]
    rows = [f"{name},{k}.5,{k % 2}" if k != 4 else f"{name},," for k, name in enumerate(ids)]
    found = taken(tmp_path, "\n".join(["id,crp,y", *rows]) + "\n")
    assert found.frame["id"].tolist() == ids
    assert found.repairs == ()
    names = ["Miller", "Smith", "van Dam", "O'Neil", "Li", "Abt", "Fox"]
    rows = [f"{name},{k}.5,{k % 2}" if k != 2 else f"{name},," for k, name in enumerate(names)]
    assert len(taken(tmp_path, "\n".join(["name,crp,y", *rows]) + "\n").frame) == 7


def test_notes_beside_the_table_are_left_out(tmp_path: Path) -> None:
    rows = [f"{k},{k}.5,{k % 2},,{'red = query' if k == 3 else ''}" for k in range(1, 9)]
    found = taken(tmp_path, "\n".join(["nr,crp,y,,", *rows]) + "\n")
    assert list(found.frame) == ["nr", "crp", "y"]
    assert steps(found)["notes beside"] == ("E",)
    assert "'red = query'" in found.repairs[0].sentence
    next_to = [f"{k},{k}.5,{k % 2},{'red' if k == 3 else ''}" for k in range(1, 9)]
    assert len(taken(tmp_path, "\n".join(["nr,crp,y,", *next_to]) + "\n").frame.columns) == 4


RATED = {
    "words of a scale": (["1 - no", "2 - maybe", "5 - sure", "2 - maybe", "3"], [1, 2, 5, 2, 3]),
    "equal signs": (["0 = well", "1 = ill", "1=ill", "0 = well", "0"], [0, 1, 1, 0, 0]),
    "the name": (["a 4", "A: 3", "5", "2", "1"], [4, 3, 5, 2, 1]),
    "brackets": (["1 (none)", "2 (some)", "1 (none)", "2 (some)", "2"], [1, 2, 1, 2, 2]),
}


@pytest.mark.parametrize("kind", RATED)
def test_ratings_are_the_number_beside_their_words(tmp_path: Path, kind: str) -> None:
    cells, wanted = RATED[kind]
    rows = [f"{k},{cell}" for k, cell in enumerate(cells)]
    found = taken(tmp_path, "\n".join(["k,a", *rows]) + "\n")
    assert found.frame["a"].tolist() == wanted
    assert set(steps(found)) == {"words of a scale"}


NO_RATINGS = {
    "ages": ["1-5 years", "6-10 years", "1-5 years", "6-10 years", "11-15 years"],
    "one word for two": ["1 - no", "1 - yes", "2 - no", "2 - yes", "1 - no"],
    "grades": ["4a", "4b", "3", "2", "4a"],
    "dipsticks": ["1+", "2+", "3+", "1", "2"],
    "ids": ["a 1", "a 2", "a 3", "a 1", "a 2"],
    "ids in one word": ["a1", "a2", "a3", "a1", "4"],
    "doses": ["1 (x)", "2 - y", "zero", "1 (x)", "2 - y"],
}


@pytest.mark.parametrize("kind", NO_RATINGS)
def test_what_only_looks_like_a_rating_stays(tmp_path: Path, kind: str) -> None:
    rows = [f"{k},{cell}" for k, cell in enumerate(NO_RATINGS[kind])]
    found = taken(tmp_path, "\n".join(["k,a", *rows]) + "\n")
    assert found.repairs == ()
    assert found.frame["a"].astype(str).tolist() == NO_RATINGS[kind]


def test_an_open_end_ranks_highest(tmp_path: Path) -> None:
    found = taken(tmp_path, "k,age\n1,89+\n2,50\n3,60\n4,70\n5,88\n6,89+\n7,55\n")
    assert found.frame["age"].tolist() == [89, 50, 60, 70, 88, 89, 55]
    assert steps(found) == {"above detection": ("B2", "B7")}
    above = taken(tmp_path, "k,age\n1,89+\n2,50\n3,60\n4,70\n5,95\n6,89+\n7,55\n")
    assert [q.step for q in above.questions] == ["words among numbers"]


def test_abbreviations_are_their_words(tmp_path: Path) -> None:
    found = taken(tmp_path, "k,y\n1,Y\n2,Yes\n3,N\n4,no\n5,Y\n6,N\n7,unclear\n8,n\n")
    assert found.frame["y"].tolist() == ["Y", "Y", "N", "N", "Y", "N", "unclear", "N"]
    assert steps(found) == {"labels": ("B3", "B5", "B9")}
    other = taken(tmp_path, "k,y\n1,n\n2,no\n3,m\n4,n\n5,m\n6,no\n")
    assert other.repairs == ()


def test_repeated_ids_are_asked(tmp_path: Path) -> None:
    rows = [f"P{k},{k}.5,{k % 2}" for k in (1, 2, 3, 3, 4, 5, 5)]
    text = "\n".join(["Pat ID,crp,y", *rows]) + "\n"
    (question,) = taken(tmp_path, text).questions
    assert (question.step, question.n, question.cells) == ("repeated ids", 2, ("A5", "A8"))
    assert (question.option, question.blocks) == ("cluster", False)
    for ids in (3, 5, 6):  # one row in two that has an id of its own is a file of patients
        readings = "\n".join(["id,crp,y", *(f"P{k % ids},{k}.5,{k % 2}" for k in range(12))])
        asked = taken(tmp_path, readings + "\n").questions
        assert [question.n for question in asked] == ([6] if ids == 6 else [])


def test_percent_by_name_and_shares_by_value_are_asked(tmp_path: Path) -> None:
    found = taken(tmp_path, "k,HbA1c (%)\n1,0.065\n2,0.058\n3,0.11\n")
    assert [(q.step, q.blocks) for q in found.questions] == [("percent", False)]
    np.testing.assert_array_equal(found.frame["HbA1c (%)"], [0.065, 0.058, 0.11])
    assert taken(tmp_path, "k,HbA1c (%)\n1,6.5\n2,5.8\n3,11\n").questions == ()


def test_an_answer_is_spelt_as_a_shell_takes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rocstats.cli import main

    path = tmp_path / "s.csv"
    rows = [f"{k},{k + 80 if k else -9}" for k in range(9)]
    path.write_text("\n".join(['k,"Fasting glucose, mg/dL"', *rows]) + "\n", encoding="utf-8")
    main(["check", str(path)])
    assert "--missing-codes 'Fasting glucose=-9'" in capsys.readouterr().out
    main(["check", str(path), "--missing-codes", "Fasting glucose=-9"])
    assert "1 cell with the code '-9' became missing" in capsys.readouterr().out


# ------ the second walk: five more clinics ------


def test_units_under_the_names_may_stand_among_other_words(tmp_path: Path, call: Call) -> None:
    rows = [
        f"Z{k},{1 + k % 28:02d}.03.2026,{k}.5,{k * 7},{'pos' if k % 2 else 'neg'}"
        for k in range(12)
    ]
    text = "\n".join(["nr,taken,crp,ldh,pcr", ",date,mg/l,U/l,finding", *rows]) + "\n"
    found = taken(tmp_path, text)
    assert found.units == {"crp": "mg/l", "ldh": "U/l"}
    assert found.frame["crp"].tolist() == [k + 0.5 for k in range(12)]
    assert "its other words were left out: 'date' and 'finding'" in found.repairs[0].sentence
    page = tmp_path / "r.html"
    given = ["--outcome", "pcr", "--positive", "pos", "--markers", "crp", "--n-resamples", "100"]
    done = call("report", str(tmp_path / "s.csv"), *given, "--r", "no", "-o", str(page))
    assert done.code == 0, done.err
    assert "mg/l" in page.read_text(encoding="utf-8")


def test_a_patient_of_words_is_no_row_of_units(tmp_path: Path) -> None:
    rows = [f"P{k},{k}.5,{k * 7},{'yes' if k % 2 else 'no'}" for k in range(12)]
    text = "\n".join(["id,crp,ldh,y", "P99,clotted,lost,yes", *rows]) + "\n"
    found = taken(tmp_path, text)
    assert len(found.frame) == 13
    assert [question.step for question in found.questions] == ["words among numbers"] * 2


def test_names_in_two_rows_are_joined(tmp_path: Path) -> None:
    rows = [f"{k},{k}.5,{k * 7},{k}.1,{k * 3},{k % 2}" for k in range(12)]
    above = ["no.,Baseline,,Follow-up,,relapse", ",CRP,Ferritin,CRP,Ferritin,"]
    found = taken(tmp_path, "\n".join([*above, *rows]) + "\n")
    names = ["no.", "Baseline CRP", "Baseline Ferritin", "Follow-up CRP", "Follow-up Ferritin"]
    assert list(found.frame) == [*names, "relapse"]
    assert len(found.frame) == 12
    assert steps(found) == {"header row": ("1:2",)}
    again = taken(tmp_path, "\n".join([*above, *rows]) + "\n", header_row=1)
    assert list(again.frame) == list(found.frame)


def test_marks_of_footnotes_are_taken_away(tmp_path: Path) -> None:
    cells = ["4.2*", "3.1", "> 500 \N{DAGGER}", "7**", "12", "<0.5#", "8.5"]
    text = "\n".join(["id,crp", *(f"{k},{cell}" for k, cell in enumerate(cells))]) + "\n"
    found = taken(tmp_path, text)
    assert found.frame["crp"].tolist() == [4.2, 3.1, 500.0, 7.0, 12.0, 0.5, 8.5]
    assert steps(found)["footnote marks"] == ("B2", "B4:B5", "B7")
    assert found.questions == ()


def test_points_behind_abbreviations_of_labels(tmp_path: Path) -> None:
    labels = ["neg.", "negativ", "negativ", "positiv", "POSITIV", "pos.", "positiv", "negativ"]
    text = "\n".join(["id,y", *(f"{k},{label}" for k, label in enumerate(labels))]) + "\n"
    assert set(taken(tmp_path, text).frame["y"]) == {"negativ", "positiv"}


def test_formulas_without_values_are_asked(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["a", "b", "ratio"])
    for k in range(2, 14):
        book.active.append([k, 2 * k, f"=B{k}/A{k}"])
    book.save(tmp_path / "f.xlsx")
    found = rs.check(tmp_path / "f.xlsx")
    (question,) = found.questions
    assert (question.step, question.column, question.n) == ("formulas", "ratio", 12)
    assert question.cells == ("C2:C13",)
    assert question.blocks
    assert found.frame["a"].tolist() == list(range(2, 14))


def test_two_columns_of_one_name_are_told_apart_by_their_letters(tmp_path: Path) -> None:
    rows = [f"P{k},{k}.5,{k}.25,{'yes' if k % 2 else 'no'}" for k in range(9)]
    for title, at in (("", "1"), ("Registry 2023,,,\n,,,\n", "3")):
        found = taken(tmp_path, f"{title}id,ALT (U/l),ALT (U/l),y\n" + "\n".join(rows) + "\n")
        assert list(found.frame) == ["id", "ALT (column B) (U/l)", "ALT (column C) (U/l)", "y"]
        assert found.frame["ALT (column C) (U/l)"].tolist() == [k + 0.25 for k in range(9)]
        assert steps(found)["names"] == (f"B{at}", f"C{at}")
        assert found.units["ALT (column B) (U/l)"] == "U/l"


def test_groups_that_are_written_over_every_column_are_joined_to_the_names(tmp_path: Path) -> None:
    rows = [f"P{k},{k}.5,{k}.25,{k}.1,{k}.2" for k in range(9)]
    head = "id,Baseline,Baseline,Month 3,Month 3\n,CRP,PCT,CRP,PCT\n"
    found = taken(tmp_path, head + "\n".join(rows) + "\n")
    names = ["id", "Baseline CRP", "Baseline PCT", "Month 3 CRP", "Month 3 PCT"]
    assert list(found.frame) == names
    assert len(found.frame) == 9


@pytest.mark.parametrize("spread", ["DE", "ET", "sigma", "D.S."])
def test_a_row_below_a_gap_that_is_no_patient_is_left_out(tmp_path: Path, spread: str) -> None:
    rows = [f"HC-{100 + k},{k}.5,{k % 2}" for k in range(20)]
    end = ["", "Media,9.5,", f"{spread},5.8,"]
    found = taken(tmp_path, "\n".join(["nr,crp,y", *rows, *end]) + "\n")
    assert len(found.frame) == 20
    assert steps(found)["rows at the end"] == ("23:24",)
    late = ["", "HC-300,9.5,"]  # a patient who was added, not yet known
    assert len(taken(tmp_path, "\n".join(["nr,crp,y", *rows, *late]) + "\n").frame) == 21


def test_capitals_without_accents_are_the_same_label(tmp_path: Path) -> None:
    labels = [
        "D\u00e9c\u00e9d\u00e9",
        "DECEDE",
        "vivant",
        "d\u00e9c\u00e9d\u00e9",
        "Vivant",
        "vivant",
    ]
    found = taken(tmp_path, "k,y\n" + "".join(f"{k},{y}\n" for k, y in enumerate(labels)))
    assert found.frame["y"].nunique() == 2
    assert steps(found) == {"labels": ("B3", "B5:B6")}
    alone = taken(tmp_path, "k,y\n1,ano\n2,a\u00f1o\n3,ano\n4,ano\n5,a\u00f1o\n")
    assert alone.frame["y"].nunique() == 2
    yes = ["S\u00ed", "SI", "No", "s", "n", "no"]
    asked = taken(tmp_path, "k,y\n" + "".join(f"{k},{y}\n" for k, y in enumerate(yes * 2)))
    assert asked.frame["y"].nunique() == 2


def test_flags_of_a_laboratory_are_read_beside_plain_numbers(tmp_path: Path) -> None:
    cells = [
        "59 H",
        "11 L",
        "30",
        "1.5HH",
        "25",
        "33 (H)",
        "<5 L",
        "40",
        "41\u2191",
        "44",
        "45",
        "46",
        "47",
    ]
    found = taken(tmp_path, "k,alt\n" + "".join(f"{k},{c}\n" for k, c in enumerate(cells)))
    assert found.frame["alt"].tolist()[:6] == [59, 11, 30, 1.5, 25, 33]
    assert steps(found)["flags"] == ("B2:B3", "B5", "B7:B8", "B10")
    assert "alt" not in found.units
    assert "'59 H' as 59" in found.repairs[0].sentence


NO_FLAGS = {
    "litres": (["3.2 L", "2.9 L", "4.1", "3.3 L"], "L"),
    "hours": (["0H", "6H", "12H", "24H"], None),
    "wells": (["1H", "2H", "3A", "4A", "5B"], None),
}


@pytest.mark.parametrize("kind", NO_FLAGS)
def test_what_only_looks_like_a_flag_is_none(tmp_path: Path, kind: str) -> None:
    cells, unit = NO_FLAGS[kind]
    found = taken(tmp_path, "k,a\n" + "".join(f"{k},{c}\n" for k, c in enumerate(cells)))
    assert "flags" not in steps(found)
    assert found.units.get("a") == unit


def test_titres_are_their_dilution(tmp_path: Path) -> None:
    cells = ["<1:20", "1:20", "1 : 160", ">1:640", "1:80", "n/d"]
    found = taken(tmp_path, "k,ana\n" + "".join(f"{k},{c}\n" for k, c in enumerate(cells)))
    values = found.frame["ana"].tolist()
    assert values[1:5] == [20, 160, 640, 80]
    assert values[0] < 20
    assert steps(found)["titres"] == ("B2:B6",)
    said = next(r.sentence for r in found.repairs if r.step == "below detection")
    assert said.endswith("'<1:20' as just below 20.")
    for others in (["1:30", "1:45", "1:05"], ["1:80", "2:1", "1:160"], ["1:20", "1:40"]):
        times = taken(tmp_path, "k,t\n" + "".join(f"{k},{c}\n" for k, c in enumerate(others)))
        assert times.frame["t"].tolist() == others


def test_ids_are_known_by_their_form_in_the_first_column(tmp_path: Path) -> None:
    rows = [f"HC-{k // 2},{k}.5,{k % 3 == 0:d}" for k in range(12)]
    found = taken(tmp_path, "\n".join(["N\u00ba Historia,pio,y", *rows]) + "\n")
    assert [q.step for q in found.questions] == ["repeated ids"]
    text = "\n".join(["eye,pio,y", *(f"OD,{k}.5,{k % 2}" for k in range(12))]) + "\n"
    assert taken(tmp_path, text).questions == ()
