"""``rs.report_survival``: the page of the command, its facts, its files, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rocstats as rs

TIMES = (730.0, 1826.0)


def sample() -> rs.SurvivalSample:
    return rs.datasets.load_breast_followup()


def test_the_page_states_what_the_functions_say_and_holds_its_facts() -> None:
    first, second = sample().markers[:2]
    found = rs.report_survival(
        sample(), iter(TIMES), thresholds={first: 4}, margin=0.1, new=first, standard=second
    )
    areas = rs.auc_at(sample(), TIMES)
    assert [row["estimate"] for row in found.facts["estimates"]] == [row.value for row in areas]
    points = rs.operating_points_at(sample(), TIMES, {first: 4})
    assert [row["estimate"] for row in found.facts["points"]] == [row.value for row in points]
    test = rs.compare_at(sample(), TIMES[-1]).noninferiority(0.1, new=first, standard=second)
    assert found.facts["noninferiority"]["p_value"] == test.to_dict()["p_value"]
    held = re.search(r'<script type="application/json" id="facts">(.*?)</script>', found.html)
    assert held is not None
    assert json.loads(held[1]) == json.loads(json.dumps(found.facts))
    assert "Report of a survival study: 686 participants, 299 events" in repr(found)
    assert "The same in R" not in found.html
    script = rs.report_survival(
        sample(), TIMES, source="a.csv", columns={"time": "days", "event": "status"}
    )
    assert 'read.csv("a.csv"' in script.html.replace("&#34;", '"')


def test_markup_in_names_is_text() -> None:
    frame = rs.read(rs.datasets.path("breast_followup")).rename(columns={"nodes": "<b>n</b>"})
    given = rs.SurvivalSample.from_frame(frame, time="days", event="status", markers="<b>n</b>")
    page = rs.report_survival(given, 730, title="A <b>study</b>").html
    assert "<b>" not in page


def test_it_is_saved_as_a_page_and_as_a_word_file(tmp_path: Path) -> None:
    pytest.importorskip("docx")
    found = rs.report_survival(sample(), TIMES[0])
    assert found.save(tmp_path / "a.html").read_text(encoding="utf-8") == found.html
    from docx import Document

    word = Document(str(found.save(tmp_path / "a.docx")))
    value = f"{found.facts['estimates'][0]['estimate']:.3f}"
    assert any(value in cell.text for table in word.tables for cell in table._cells)


ONE = "a single marker"
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no sample": ({"sample": [1, 2]}, "A SurvivalSample was expected, got list"),
    "late": ({"times": 1e6}, "within the follow-up"),
    "times": ({"times": "soon"}, "times must be positive numbers"),
    "new alone": ({"new": "nodes"}, "new goes with margin"),
    "level": ({"confidence_level": 95}, "confidence_level"),
    "controls": ({"controls": "all"}, "controls must be one of"),
    ONE: ({"margin": 0.1}, "needs two markers"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(name: str) -> None:
    given, part = REFUSED[name]
    chosen: dict[str, Any] = {"sample": sample(), "times": TIMES} | given
    if name == ONE:
        frame = rs.read(rs.datasets.path("breast_followup"))
        chosen["sample"] = rs.SurvivalSample.from_frame(frame, "days", "status", "nodes")
    with pytest.raises(rs.RocstatsError) as refusal:
        rs.report_survival(chosen.pop("sample"), chosen.pop("times"), **chosen)
    assert part in str(refusal.value)
