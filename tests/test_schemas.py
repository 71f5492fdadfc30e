"""What commands answer with --json is as the schemas of the reference say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import load_study

import rocstats as rs

schemas = load_study("schemas")

CANCER = f"{rs.datasets.path('breast_cancer')} --outcome diagnosis --positive malignant"
CT = f"{rs.datasets.path('ct_ratings')} --outcome status --positive abnormal"
READINGS = (
    f"{rs.datasets.path('reader_study')} --test treatment --reader reader --case case "
    "--outcome truth --rating rating"
)
OTHER_CALLS = {  # on other data than the schemas were made of
    "check": [f"{rs.datasets.path('breast_cancer')}", f"{rs.datasets.path('ct_ratings')}"],
    "auc": [f"{CANCER} --markers mean_radius,mean_texture", f"{CT} --markers rating"],
    "compare": [f"{CANCER} --markers mean_radius,worst_area --noninferiority 0.05"],
    "tests": [
        f"{CANCER} --tests mean_radius,worst_area --thresholds mean_radius=15,worst_area=880",
        f"{CANCER} --tests mean_radius,worst_area,mean_texture "
        "--thresholds mean_radius=15,worst_area=880,mean_texture=20",
        "--diseased 10,2,3,5 --healthy 1,2,3,40",
    ],
    "readers": [READINGS, f"{READINGS} --new testB --standard testA --margin 0.05"],
    "plot": [f"band {CANCER} --markers mean_radius -o band.svg"],
    "thresholds": [f"{CT} --marker rating", f"{CANCER} --marker worst_area --threshold 800"],
    "twosample": [
        f"{rs.datasets.path('breast_cancer')} --group diagnosis --positive malignant "
        "--value mean_radius --statistic auc"
    ],
    "sketch": [f"{CANCER} --markers mean_radius --least-count 10 -o out.json"],
    "pool": ["datum_1.json datum_2.json --markers datum_b"],
    "monitor": ["datum_1.json datum_2.json --marker datum_b --adjust none"],
    "power": ["--auc 0.9 --null 0.8 --n-pos 40 --n-neg 80", "--auc 0.9 --null 0.8 --power 0.8"],
    "survival": [
        f"{rs.datasets.path('breast_followup')} --time days --event status --at 730,1826 "
        "--markers nodes,age --concordance uno --thresholds nodes=4 --band"
    ],
    "measures": ["auc f1 --n-pos 4 --n-neg 6"],
    "study list": [""],
    "study power": ["--preset sauc-vs-wmw --quick --n-replicates 10 --n-jobs 1 --tests auc,sauc,t"],
    "study run": ["fawcett-2006 --n-jobs 1"],
    "demo": [""],
    "report": [
        f"{CANCER} --markers mean_radius,mean_texture --versus mean_radius --margin 0.05 "
        "--prespecified mean_radius=15 --r no --quiet --n-resamples 100 -o page.html",
        f"{CT} --markers rating --r no --quiet --n-resamples 100 -o page.html",
        f"{CANCER} --markers mean_radius,mean_texture --weights worst_area --prespecified "
        "mean_radius=15 --r no --quiet --n-resamples 100 -o page.html",
    ],
    "validate": [""],
}


def schema_of(command: str) -> Any:
    return json.loads(schemas.path_of(command).read_text(encoding="utf-8"))


def test_every_command_with_json_has_a_schema() -> None:
    known = set(schemas.commands_with_json())
    assert known == set(schemas.CALLS), (
        "give every command with --json calls in CALLS of docs/reference/schemas.py and run it"
    )
    assert {path.name for path in schemas.FOLDER.iterdir()} == {
        schemas.path_of(command).name for command in known
    }


def test_every_schema_is_asked_of_other_answers() -> None:
    assert OTHER_CALLS.keys() == schemas.CALLS.keys(), "give the new command calls of its own here"


@pytest.mark.parametrize("command", OTHER_CALLS)
def test_answers_are_as_their_schema_says(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if command in ("pool", "monitor"):
        schemas.files(tmp_path)  # sketches
    found = schema_of(command)
    jsonschema.Draft202012Validator.check_schema(found)
    for words in OTHER_CALLS[command]:
        jsonschema.validate(schemas.answer(command, words), found)


def test_a_key_that_goes_or_changes_its_type_is_noticed(tmp_path: Path) -> None:
    given = schemas.answer("power", "--auc 0.8 --null 0.7 --n-pos 50")
    found = schema_of("power")
    jsonschema.validate(given, found)
    without = {key: value for key, value in given.items() if key != "version"}
    with pytest.raises(jsonschema.ValidationError, match="'version' is a required property"):
        jsonschema.validate(without, found)
    with pytest.raises(jsonschema.ValidationError, match="is not of type"):
        jsonschema.validate(given | {"version": 1}, found)


def test_names_of_the_data_are_no_keys_of_a_schema() -> None:
    for command in schemas.CALLS:
        assert '"datum' not in schemas.path_of(command).read_text(encoding="utf-8")
