"""Rows to download, units on axes, all digits of a number, and who is cited for clusters."""

from __future__ import annotations

import re
from typing import Any

import pytest
from report_example import example_facts

from rocstats.reports.downloads import _tidy_rows
from rocstats.reports.figures.decision_figure import draw_decision
from rocstats.reports.figures.rows import _draw_axis
from rocstats.reports.figures.scales import Scale
from rocstats.reports.figures.smroc_figure import _MOST_GREY, draw_smooth
from rocstats.reports.figures.sroc_figure import draw_scored
from rocstats.reports.render import _digits
from rocstats.reports.sentences.area_sentences import _partial_area
from rocstats.reports.sentences.comparison_sentences import _differences


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return example_facts(units={"s100b": "ug/L"})


def test_every_comparison_of_every_measure_can_be_downloaded(facts: dict[str, Any]) -> None:
    compared = facts["comparisons"]
    families = [compared, *compared["others"]]
    wanted = [(one["measure"], row["estimate"]) for one in families for row in one["pairwise"]]
    assert len(wanted) >= 2
    found = _tidy_rows(facts)["comparisons"]
    assert [(row["measure"], row["estimate"]) for row in found] == wanted
    for nothing in (None, compared | {"refused": "Too few."}):
        assert _tidy_rows(facts | {"comparisons": nothing})["comparisons"] == []


def test_margins_have_the_unit_of_their_marker(facts: dict[str, Any]) -> None:
    markers = [one | {"unit": unit} for one in facts["markers"] for unit in ("ug/L", None)]
    drawn = draw_scored(facts | {"markers": markers})
    svg = "".join(figure.svg for figure in drawn)
    assert "Margin, ug/L" in svg
    assert ">Margin<" in svg or ">Margin (log scale)<" in svg


def test_obuchowski_is_cited_where_there_are_clusters(facts: dict[str, Any]) -> None:
    for cluster in (None, "clinic"):
        told = facts | {"data": facts["data"] | {"cluster": cluster}}
        said = repr(next(_differences(told)))
        assert "delong1988" in said
        assert ("obuchowski1997" in said) == (cluster is not None)


@pytest.mark.parametrize("value", [0.1, 1.0 / 3.0, 1e-17, 2.0, 123456789.123456789])
def test_a_number_keeps_all_its_digits(value: float) -> None:
    assert float(_digits(value)) == value
    assert _digits(0.1) == "0.10000000000000001"
    assert (_digits(7), _digits("n/d")) == ("7", "n/d")


def test_the_legend_of_decision_curves_names_both_ways_without_a_test(
    facts: dict[str, Any],
) -> None:
    figure = draw_decision(facts)
    assert figure is not None
    for words in ("Everyone is treated", "No one is treated"):
        assert figure.svg.count(words) == 1


def test_grey_curves_are_in_the_legend_where_they_are_drawn(facts: dict[str, Any]) -> None:
    smooth = [one for one in facts["markers"] if one["smroc"]]
    few, many = (draw_smooth(facts | {"markers": smooth[:1] * n}) for n in (1, _MOST_GREY + 1))
    assert few is not None
    assert many is not None
    assert ">ROC curve<" in few.svg
    assert ">ROC curve<" not in many.svg


def test_the_words_of_an_axis_stand_below_its_ticks() -> None:
    scale = Scale(low=0.0, high=1.0, start=0.0, stop=300.0)
    parts, height = _draw_axis(scale, 100.0, "AUC", 0.5, "chance")
    places = {
        words: float(y)
        for y, words in re.findall(r'<text x="[^"]+" y="([\d.]+)"[^>]*>([^<]*)<', "".join(parts))
    }
    ticks = [y for words, y in places.items() if words not in ("AUC", "chance")]
    assert 100.0 < min(ticks) == max(ticks) < places["AUC"] < height
    assert places["chance"] < 100.0


def test_how_intervals_of_partial_areas_were_computed_is_said(facts: dict[str, Any]) -> None:
    said = [repr(one) for one in _partial_area(facts, "95%")]
    assert "partial AUC over" in said[0]
    assert any("95% confidence intervals of partial AUCs were computed" in one for one in said)
