"""``rocstats survival`` and the report of a survival study: as Python says, and in a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import Call

import rocstats as rs

FILE = str(rs.datasets.path("breast_followup"))
COLUMNS = ["--time", "days", "--event", "status"]
MARKERS = ["--markers", "nodes,progesterone", "--lower-is-positive", "progesterone"]
AT = ["--at", "730,1826"]
GIVEN = [FILE, *COLUMNS, *MARKERS, *AT]


def followup() -> rs.SurvivalSample:
    import csv

    with open(FILE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [float(row[name]) for row in rows] for name in rows[0]}
    return rs.SurvivalSample.from_frame(
        columns,
        "days",
        "status",
        ["nodes", "progesterone"],
        higher_is_positive={"progesterone": False},
    )


def test_the_command_prints_what_python_says(call: Call) -> None:
    more = ["--concordance", "uno", "--tau", "2000", "--thresholds", "nodes=4", "--band"]
    margin = ["--margin", "0.1", "--new", "nodes", "--standard", "progesterone"]
    answer = json.loads(call("survival", *GIVEN, *more, *margin, "--json").out)
    sample = followup()
    areas = rs.auc_at(sample, times=[730, 1826])
    assert [row["time"] for row in answer["estimates"]] == [730, 1826, 730, 1826]
    for row, ours in zip(answer["estimates"], areas, strict=True):
        assert row["estimate"] == ours.value
        assert row["std_error"] == ours.scatter[0]
    assert answer["pairwise"][1]["p_value"] == rs.compare_at(sample, times=1826).pvalue
    uno = rs.concordance(sample, "uno", tau=2000)
    assert answer["concordance"]["estimates"][0]["estimate"] == uno["nodes"].value
    points = rs.operating_points_at(sample, [730, 1826], {"nodes": 4})
    assert answer["operating_points"][2]["estimate"] == points[2].value
    assert len(answer["band"]) == 4
    assert answer["noninferiority"]["time"] == 1826
    assert answer["sample"]["n_events"] == 299
    text = call("survival", *GIVEN, *more, *margin).out
    for part in ("299 events (1), 387 censored (0)", "Differences at 730", "Uno's C up to 2000"):
        assert part in text
    harrell = call("survival", *GIVEN, "--concordance", "harrell").out
    assert "depends on how subjects were censored" in harrell


def test_codes_are_words_or_numbers(call: Call, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    words = rng.choice(["lost", "died", "moved"], size=80)
    rows = ["t,what,a"]
    rows += [f"{rng.exponential():.4f},{word},{rng.normal():.3f}" for word in words]
    place = tmp_path / "words.csv"
    place.write_text("\n".join(rows), encoding="utf-8")
    columns = [str(place), "--time", "t", "--event", "what", "--markers", "a", "--at", "0.5"]
    found = call("survival", *columns, "--event-code", "died", "--censored", "lost", "--json")
    answer = json.loads(found.out)
    assert answer["sample"]["competing"] == ["moved"]
    assert answer["estimates"][0]["n_neg"] > 0
    only = ["--event-code", "died", "--censored", "lost", "--controls", "survivors", "--json"]
    assert json.loads(call("survival", *columns, *only).out)["estimates"] != answer["estimates"]
    refused = call("survival", *columns)
    assert refused.code == 2
    assert "name the event with --event-code" in refused.err
    none = call("survival", *columns, "--event-code", "died", "--censored", "none", "--json")
    assert json.loads(none.out)["sample"]["n_censored"] == 0


BAD_CALLS = {
    "no column": ([FILE, "--time", "day", *COLUMNS[2:], *MARKERS, *AT], "no column 'day'"),
    "no time": (
        [FILE, *COLUMNS[2:], *MARKERS, *AT],
        "the following arguments are required: --time",
    ),
    "no number": ([*GIVEN[:-1], "soon"], "--at must be numbers"),
    "too late": ([*GIVEN[:-1], "9999"], "--at must lie within the follow-up"),
    "no event": ([*GIVEN, "--event-code", "7"], "No subject has the event of interest 7"),
    "controls": ([*GIVEN, "--controls", "all"], "--controls must be one of"),
    "concordance": ([*GIVEN, "--concordance", "somers"], "--concordance must be one of"),
    "tau alone": ([*GIVEN, "--tau", "3"], "--tau is of the concordance"),
    "threshold": ([*GIVEN, "--thresholds", "4"], "as in a=3.5"),
    "new alone": ([*GIVEN, "--new", "nodes"], "go with --margin"),
    "level": ([*GIVEN, "--confidence-level", "2"], "--confidence-level"),
    "file": (["nowhere.csv", *COLUMNS, *MARKERS, *AT], "nowhere.csv"),
    "page": ([*GIVEN, "-o", "page.png"], "page.png"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_are_refused_without_a_traceback(name: str, call: Call) -> None:
    argv, part = BAD_CALLS[name]
    try:
        code, _, err = call("survival", *argv)
    except SystemExit as stop:  # argparse's own, before there is a call
        code, err = int(str(stop.code)), part
    assert code == 2
    assert part in err
    assert "Traceback" not in err


def test_missing_values_are_refused_or_counted(call: Call, tmp_path: Path) -> None:
    text = Path(FILE).read_text(encoding="utf-8").splitlines()
    text[3] = text[3].replace(",", ",,", 1).rpartition(",")[0]
    place = tmp_path / "gaps.csv"
    place.write_text("\n".join(text), encoding="utf-8")
    gaps = [str(place), *GIVEN[1:]]
    assert "--nan-policy omit" in call("survival", *gaps).err
    assert "1 subject dropped" in call("survival", *gaps, "--nan-policy", "omit").out


def test_the_page_states_the_numbers_and_needs_nothing_else(call: Call) -> None:
    given = [*GIVEN, "--thresholds", "nodes=4", "--margin", "0.1", "--new", "nodes"]
    given += ["--standard", "progesterone", "-o", "page.html"]
    assert "Wrote page.html" in call("survival", *given).out
    page = Path("page.html").read_text(encoding="utf-8")
    area = rs.auc_at(followup(), times=[730, 1826])["nodes", 1826]
    assert f"{area.value:.3f}" in page
    for part in (
        "Participants and follow-up",
        "Comparison of markers",
        "Uno's C up to 1826",
        "At thresholds fixed in advance",
        "Non-inferiority was",
        "library(riskRegression)",
        "Blanche P",
        "Checklist",
        "rocstats survival breast_followup.csv --time days",
    ):
        assert part.replace("'", "&#39;") in page or part in page, part
    assert not re.search(r'(?:src|href)="https?://', page)
    assert page.count("<img ") == 2


def test_the_report_command_makes_the_same_page(call: Call) -> None:
    given = ["report", FILE, *COLUMNS, *MARKERS, *AT, "--prespecified", "nodes=4"]
    assert "Wrote one.html" in call(*given, "-o", "one.html").out
    page = Path("one.html").read_text(encoding="utf-8")
    assert "At thresholds fixed in advance" in page
    answer = json.loads(call(*given, "--json").out)
    assert answer["operating_points"][0]["threshold"] == 4
    for argv, part in (
        (["report", FILE, "--time", "days", *MARKERS, "-o", "x.html"], "--event"),
        (["report", FILE, *COLUMNS, *MARKERS, "-o", "x.html"], "--at"),
        (["report", FILE, *COLUMNS, *MARKERS, *AT], "-o report.html"),
    ):
        found = call(*argv)
        assert found.code == 2
        assert part in found.err


def test_tables_are_written(call: Call) -> None:
    assert "Wrote areas.csv" in call("survival", *GIVEN, "-o", "areas.csv").out
    assert Path("areas.csv").read_text(encoding="utf-8").startswith("classifier,measure,time")


def test_the_page_of_competing_events_and_of_one_time(call: Call, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    rows = ["t,what,a"]
    rows += [f"{rng.exponential():.4f},{rng.integers(3)},{rng.normal():.3f}" for _ in range(90)]
    place = tmp_path / "codes.csv"
    place.write_text("\n".join(rows), encoding="utf-8")
    columns = [str(place), "--time", "t", "--event", "what", "--markers", "a", "--at", "0.5"]
    assert call("survival", *columns, "-o", "page.html").code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "with a competing event" in page
    assert "Hist(time, event)" in page
    assert "Harrell" not in page
    assert page.count("<img ") == 1


def test_14_13_an_ending_that_is_not_made_is_refused_and_the_page_is_among_those_made(
    call: Call,
) -> None:
    refused = call("survival", *GIVEN, "-o", "areas.pdf")
    assert refused.code == 2
    assert refused.err.endswith("end the name in .html, .csv, .tex, .docx or .xlsx.\n")
