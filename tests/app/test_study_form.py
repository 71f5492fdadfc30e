"""The form: every option of the one table, what is taken of a draft, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rocstats as rs
from rocstats.analysis.option_kinds import PATH
from rocstats.analysis.options import OPTIONS, STUDY, STUDY_TEXTS
from rocstats.app.column_pictures import picture, summary
from rocstats.app.form_parts import FORM, LABELS, PARTS, field_of
from rocstats.app.study_files import repeating_command, study_toml, toml_name
from rocstats.app.study_form import first_draft, read_draft
from rocstats.app.study_view import columns_view, form_view
from rocstats.app.uploads import look_into
from rocstats.cli.config import read_config

TABLE = """\
id,outcome,crp,ldh,sex,rapid,site,ward
1,Poor,5.5,100,f,pos,a,x
2,Good,1.25,200,m,neg,b,x
3,Poor,7,150,f,pos,c,x
4,Good,,180,m,neg,a,x
5,Good,3,170,f,unclear,b,x
6,Poor,9,110,m,pos,c,x
"""
ID, OUTCOME, CRP, LDH, SEX, RAPID, SITE, WARD = map(str, range(8))
FILLED = {"outcome": [OUTCOME], f"positive:{OUTCOME}": ["1"], "markers": [CRP, LDH]}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("form") / "study.csv"
    path.write_text(TABLE)
    return look_into(str(path))


@pytest.fixture(scope="module")
def columns(found: dict[str, Any]) -> list[dict[str, Any]]:
    return found["columns"]


# ------ what a file offers ------


def test_a_table_is_described_by_its_columns(found: dict[str, Any]) -> None:
    assert (found["n_rows"], found["n_columns"], found["format"]) == (6, 8, "CSV")
    kinds = {column["name"]: column["kind"] for column in found["columns"]}
    assert kinds["outcome"] == kinds["rapid"] == "text"
    assert kinds["crp"] == "number"
    crp = found["columns"][int(CRP)]
    assert (crp["missing"], crp["distinct"]) == (1, 5)
    assert found["columns"][int(OUTCOME)]["values"] == [["Good", 3], ["Poor", 3]]
    assert found["rows"][3] == ["4", "Good", "", "180", "m", "neg", "a", "x"]
    assert found["proposed"] == {
        **{"outcome": "outcome", "positive": "Poor"},
        "markers": ["crp", "ldh"],
    }


def test_the_picture_counts_every_row(columns: list[dict[str, Any]]) -> None:
    for column in columns:
        assert sum(column["bars"]) == 6 - column["missing"]
        drawn = picture(column)
        assert drawn.count("<rect") == sum(1 for bar in column["bars"] if bar)
        assert "style=" not in drawn
    assert summary(columns[int(CRP)]).endswith("; 1 missing")
    assert picture(columns[0] | {"bars": []}) == ""


def test_many_numbers_are_counted_in_bins(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("a\n" + "\n".join(str(i / 7) for i in range(1000)))
    (column,) = look_into(str(path))["columns"]
    assert sum(column["bars"]) == 1000
    assert max(column["bars"]) - min(column["bars"]) <= 1
    assert (column["low"], column["high"]) == ("0", "142.7")
    assert column["values"] == []


# ------ the one table ------


def test_every_option_but_a_path_has_one_place_in_the_form() -> None:
    names = [name for part in PARTS for name in part.names]
    assert sorted(names) == sorted(o.name for o in OPTIONS if o.kind is not PATH)
    assert set(LABELS) <= set(names)


def test_every_option_is_a_field_that_is_named_and_helped(columns: list[dict[str, Any]]) -> None:
    fields = [field for part in form_view(columns, FILLED, {}) for field in part["fields"]]
    markers = next(field for field in fields if field["name"] == "markers")
    nested = {one["name"].partition(":")[0] for one in markers["columns"][0]["fields"]}
    shown = {field["name"] for field in fields} | nested | {"positive", "lower_is_positive"}
    assert shown == {option.name for option in FORM}
    for field in [*fields, *markers["columns"][0]["fields"]]:
        assert field["label"]
        assert field["help"].endswith(".")
    texts = next(field for field in fields if field["name"] == STUDY)["texts"]
    assert [text["name"] for text in texts] == [f"study:{key}" for key in STUDY_TEXTS]


def test_measured_columns_are_offered_first_and_those_of_two_values_apart(tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    path.write_text("id,ill,crp,grade,treated\n" + "".join(
        f"{100 + k},{k % 2},{1.5 * k},{k % 3},{k // 8}\n" for k in range(16)
    ))  # fmt: skip
    columns = look_into(str(path))["columns"]
    for draft in ({}, {"markers": ["4"]}):  # and one that was chosen
        parts = form_view(columns, draft, {})
        markers = next(f for part in parts for f in part["fields"] if f["name"] == "markers")
        first = [column["name"] for column in markers["columns"]]
        assert first == ["crp", "grade", *(["treated"] if draft else [])]
        assert {*first, *(column["name"] for column in markers["others"])} == {
            column["name"] for column in columns
        }


@pytest.mark.parametrize("option", FORM, ids=lambda option: option.name)
def test_a_sentence_leads_to_the_field_of_its_option(option: Any) -> None:
    assert field_of(option.name) == option.name
    assert option.keyword is None or field_of(option.keyword) == option.name
    for flag in option.flags:
        assert field_of(flag) == option.name
    assert field_of("nothing") == field_of(None) == ""


def test_the_first_draft_is_what_the_table_leaves_no_doubt_about(found: dict[str, Any]) -> None:
    draft = first_draft(found["columns"], found["proposed"])
    assert draft == {"outcome": [OUTCOME], f"positive:{OUTCOME}": ["1"]}
    assert first_draft(found["columns"], {}) == {}


# ------ what is taken ------

TAKEN = {
    "nothing more": ({}, {}),
    "one low marker": ({"lower_is_positive": [LDH, SEX]}, {"lower_is_positive": ["ldh"]}),
    "thresholds": (
        {f"prespecified:{CRP}": ["4, 6.5"], f"prespecified:{SITE}": ["7"]},
        {"prespecified": {"crp": [4.0, 6.5]}},
    ),
    "prevalence": ({"prevalence": ["0.1,0.02"]}, {"prevalence": [0.1, 0.02]}),
    "a margin": (
        {"margin": ["0.05"], "aim": ["equivalence"], "versus": [CRP]},
        {"margin": 0.05, "aim": "equivalence", "versus": "crp"},
    ),
    "groups": (
        {"subgroup": [SEX, SITE], "baseline": [SEX], "cluster": [SITE], "subject": [ID]},
        {"subgroup": ["sex", "site"], "baseline": ["sex"], "cluster": "site", "subject": "id"},
    ),
    "words": (
        {"markers": [RAPID], "test_positive": ["pos"], "indeterminate": ["unclear, n/d"]},
        {"markers": ["rapid"], "test_positive": ["pos"], "indeterminate": ["unclear", "n/d"]},
    ),
    "defaults are left out": ({"confidence_level": ["0.95"], "aim": [""], "r": ["auto"]}, {}),
    "a level": ({"confidence_level": ["0.9"]}, {"confidence_level": 0.9}),
    "texts": (
        {"study:title": [' "T" = 1 '], "study:funding": [""]},
        {"study": {"title": '"T" = 1'}},
    ),
    "scales": (
        {f"bounds:{CRP}": ["0,10"], f"units:{CRP}": ["µg/l"], f"labels:{CRP}": ["C = reactive"]},
        {
            "bounds": {"crp": (0.0, 10.0)},
            "units": {"crp": "µg/l"},
            "labels": {"crp": "C = reactive"},
        },
    ),
    "a flag": ({"comparator": ["yes"]}, {"comparator": True}),
    "two numbers": ({"planned": ["50,100"]}, {"planned": (50, 100)}),
    "places that are none": ({"subgroup": ["99", "x", "-1", SEX]}, {"subgroup": ["sex"]}),
    "unknown fields": ({"file": ["/etc/passwd"], "output": ["x"], "nope": ["1"]}, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", TAKEN)
def test_a_draft_is_taken(columns: list[dict[str, Any]], case: str) -> None:
    more, wanted = TAKEN[case]
    filled = read_draft(FILLED | more, columns)
    basic = {"outcome": "outcome", "positive": "Poor", "markers": ["crp", "ldh"]}
    assert filled.problems == {}
    assert filled.options == basic | wanted


@pytest.mark.parametrize("case", TAKEN)
def test_its_toml_says_the_same_to_the_command(
    columns: list[dict[str, Any]], case: str, tmp_path: Path
) -> None:
    filled = read_draft(FILLED | TAKEN[case][0], columns)
    place = tmp_path / "study.toml"
    place.write_text(study_toml("study.csv", filled.options), encoding="utf-8")
    read = read_config(str(place))
    assert read.pop("file") == str(tmp_path / "study.csv")
    assert read.pop("output") == str(tmp_path / "study-report.html")
    assert read == filled.options


def test_hostile_names_are_kept_whole_in_toml(tmp_path: Path) -> None:
    names = ['a"b', "a = 1", "[data]", "é\t\\n", "#x", "'", "日本"]
    options = {"outcome": names[0], "markers": names, "prespecified": {n: [1.0] for n in names}}
    place = tmp_path / "x.toml"
    place.write_text(study_toml("x\ny.csv", options), encoding="utf-8")
    read = read_config(str(place))
    assert read["markers"] == names
    assert read["prespecified"] == {n: [1.0] for n in names}
    assert toml_name("my study.v2.csv") == "my study.v2.toml"
    assert repeating_command("my study.csv") == "rocstats report --config 'my study.toml'"


# ------ what is said ------

WRONG = {
    "no outcome": ({"outcome": []}, "outcome", "Say which column"),
    "an outcome of three values": ({"outcome": [SITE]}, "outcome", "site has 3 values"),
    "no positive value": ({f"positive:{OUTCOME}": []}, "positive", "Say which value of outcome"),
    "a positive value that is none": ({f"positive:{OUTCOME}": ["7"]}, "positive", "Say which"),
    "no marker": ({"markers": []}, "markers", "Choose at least one"),
    "the outcome as a marker": ({"markers": [OUTCOME]}, "markers", "is the true class"),
    "text as a marker": ({"markers": [RAPID]}, "markers", "rapid holds text, not numbers"),
    "versus no marker": ({"versus": [SEX]}, "versus", "sex is not among the markers"),
    "a margin of words": ({"margin": ["small"]}, "margin", "Expected a number, got 'small'."),
    "a decimal comma": ({"margin": ["0,05"]}, "margin", "with a point, as 0.05"),
    "a margin too large": ({"margin": ["2"]}, "margin", "“Margin” must be a difference of AUCs"),
    "an aim alone": ({"aim": ["equivalence"]}, "aim", "give “Margin”"),
    "an unknown aim": ({"aim": ["x"]}, "aim", "must be one of"),
    "a prevalence of 5": ({"prevalence": ["5"]}, "prevalence", "strictly between 0 and 1"),
    "a prevalence of infinity": ({"prevalence": ["inf"]}, "prevalence", "strictly between 0 and 1"),
    "a threshold of words": (
        {f"prespecified:{CRP}": ["4, x"]},
        f"prespecified:{CRP}",
        "Expected a number or several, got 'x'.",
    ),
    "a threshold of nan": ({f"prespecified:{CRP}": ["nan"]}, f"prespecified:{CRP}", "number"),
    "bounds that fall": ({f"bounds:{CRP}": ["5,3"]}, f"bounds:{CRP}", "low < high"),
    "one bound": ({f"bounds:{CRP}": ["5"]}, f"bounds:{CRP}", "Expected two numbers, got '5'."),
    "an unknown adjustment": ({"adjust": ["hulm"]}, "adjust", "holm"),
    "an unknown criterion": ({"criterion": ["x"]}, "criterion", "must be one of"),
    "a level of 95": ({"confidence_level": ["95"]}, "confidence_level", "between 0 and 1"),
    "resamples of words": ({"n_resamples": ["many"]}, "n_resamples", "a whole number"),
    "too few resamples": ({"n_resamples": ["5"]}, "n_resamples", "between 100"),
    "labels that are equal": (
        {f"labels:{CRP}": ["a"], f"labels:{LDH}": ["a"]},
        "labels",
        "must differ",
    ),
    "half a plan": ({"planned": ["50"]}, "planned", "two whole numbers"),
    "a huge number": ({"seed": ["9" * 5000]}, "seed", "Expected a whole number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_problem_is_said_beside_its_field(columns: list[dict[str, Any]], case: str) -> None:
    more, field, sentence = WRONG[case]
    problems = read_draft(FILLED | more, columns).problems
    assert field in problems, problems
    assert sentence in problems[field]
    assert "\ufdd0" not in problems[field]
    view = form_view(columns, FILLED | more, problems)
    assert sentence.split("'")[0] in str(view) or field in ("positive", "labels")


def test_problems_of_several_fields_are_all_said(columns: list[dict[str, Any]]) -> None:
    problems = read_draft({"margin": ["x"], "prevalence": ["y"]}, columns).problems
    assert set(problems) == {"outcome", "markers", "margin", "prevalence"}


def test_a_column_named_like_another_cannot_be_confused() -> None:
    names = ["0", "1", "outcome", "outcome "]
    frame = {n: {"name": n, "kind": "number", "distinct": 5, "missing": 0, "values": [], "bars": [],
                 "is_id": False} for n in names}  # fmt: skip
    frame["outcome"] |= {"distinct": 2, "values": [["0", 1], ["1", 2]]}
    columns = list(frame.values())
    filled = read_draft({"outcome": ["2"], "positive:2": ["1"], "markers": ["3", "0"]}, columns)
    assert filled.options == {"outcome": "outcome", "positive": "1", "markers": ["outcome ", "0"]}
    assert [column["place"] for column in columns_view(columns)] == [0, 1, 2, 3]


def test_the_library_refuses_what_the_form_refuses(columns: list[dict[str, Any]]) -> None:
    frame = {"outcome": [0, 1, 0, 1], "crp": [1.0, 2.0, 3.0, 4.0]}
    with pytest.raises(rs.InvalidOptionError, match="margin must be a difference"):
        rs.report(frame, outcome="outcome", markers="crp", margin=2, r="no")


# ------ values as they are stored ------

OUTCOMES: dict[str, list[Any]] = {
    "whole numbers": [0, 1, 1, 0],
    "numbers with gaps": [0.0, 1.0, None, 0.0],
    "fractions": [0.5, 1.5, 1.5, 0.5],
    "truths": [True, False, True, True],
    "words": ["ill", "well", "ill", "well"],
    "odd words": ['a "b"', " c", ' c', 'a "b"'],
    "numbers as words": ["01", "1", "01", "1"],
    "signs": ["+", "-", "+", "-"],
}  # fmt: skip


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
@pytest.mark.parametrize("name", OUTCOMES)
def test_the_value_that_is_chosen_is_the_class_that_is_found(
    name: str, suffix: str, tmp_path: Path
) -> None:
    import pandas as pd

    from rocstats.data.reading.files import read_table

    frame = pd.DataFrame({"outcome": OUTCOMES[name], "a": [1.0, 2.0, 3.0, 4.0]})
    path = tmp_path / f"study{suffix}"
    write = {".csv": frame.to_csv, ".xlsx": frame.to_excel, ".parquet": frame.to_parquet}[suffix]
    write(path, index=False)
    (column,) = [c for c in look_into(str(path))["columns"] if c["name"] == "outcome"]
    table = read_table(str(path))
    classes = table.classes(["outcome"])["outcome"].dropna().tolist()
    assert len(column["values"]) == len(set(classes))
    for value, count in column["values"]:
        assert classes.count(table.find_class("outcome", value)) == count


def test_labels_of_codes_are_what_is_shown_and_found(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    import pandas as pd

    from rocstats.data.reading.files import read_table

    frame = pd.DataFrame({"outcome": [1.0, 2.0, 2.0], "a": [1.0, 2.0, 3.0]})
    path = tmp_path / "study.sav"
    labels = {"outcome": {1.0: "Poor", 2.0: "Good"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels)
    column = look_into(str(path))["columns"][0]
    assert column["values"] == [["Good", 2], ["Poor", 1]]
    assert column["kind"] == "labelled"
    assert read_table(str(path)).find_class("outcome", "Poor") == "Poor"
