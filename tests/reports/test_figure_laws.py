"""Laws of the report's drawings: places on scales, words beside words, boxes in pairs."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from rocstats.reports.facts import show_tenths
from rocstats.reports.figures.flow_figure import draw_flow
from rocstats.reports.figures.lettering import text_width
from rocstats.reports.figures.scales import _APART, Scale, fit_scale, fit_ticks, show_tick


def test_a_logarithmic_scale_has_places_for_positive_values_alone() -> None:
    scale = fit_scale([0.0, -3.0, 1.0, 10.0, 100.0, None], 0.0, 200.0, log=True)
    assert (scale.low, scale.high) == (1.0, 100.0)
    assert [scale(value) for value in (1.0, 10.0, 100.0)] == pytest.approx([0.0, 100.0, 200.0])
    assert math.isnan(scale(0.0))
    assert math.isnan(scale(-1.0))
    alone = fit_scale([7.0, 0.0], 0.0, 100.0, log=True)
    assert alone(7.0) == pytest.approx(50.0)
    assert alone.low < 7.0 < alone.high


def test_words_of_ticks_stand_apart_and_just_apart_is_enough() -> None:
    room = (text_width(show_tick(0.0)) + text_width(show_tick(1.0))) / 2 + _APART
    for width, ticks in ((room, [0.0, 1.0]), (room - 0.01, [0.0])):
        assert fit_ticks(Scale(low=0.0, high=1.0, start=0.0, stop=width), 2, [0.0, 1.0]) == ticks
    for stop in (40.0, 90.0, 150.0, 400.0):
        scale = Scale(low=0.0, high=120_000.0, start=0.0, stop=stop)
        ticks = fit_ticks(scale, 9)
        for left, right in pairwise(ticks):
            words = (text_width(show_tick(left)) + text_width(show_tick(right))) / 2
            assert scale(right) - scale(left) >= words + _APART
    assert len(fit_ticks(Scale(low=0.0, high=10.0, start=0.0, stop=900.0), 9)) > 5


def test_ticks_are_round_about_as_many_as_asked_for_and_about_five_by_default() -> None:
    scale = Scale(low=0.0, high=1.0, start=0.0, stop=100.0)
    assert scale.ticks() == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] == scale.ticks(5)
    assert scale.ticks(2) == [0.0, 0.5, 1.0]


def test_broad_letters_are_broader_than_narrow_ones() -> None:
    widths = [text_width(word, 1.0) for word in ("i", "n", "N", "W")]
    assert widths == sorted(widths)
    assert len(set(widths)) == 4
    assert text_width("WWii", 10.0) == pytest.approx(20.0 * (widths[0] + widths[3]))


@pytest.mark.parametrize(
    ("tenths", "words"),
    [(-1, "< 0.1%"), (0, "0.0%"), (1, "0.1%"), (999, "99.9%"), (1001, "> 99.9%")],
)
def test_tenths_of_a_percent(tenths: int, words: str) -> None:
    assert show_tenths(tenths) == words


def test_the_flow_forks_into_boxes_that_mirror_each_other() -> None:
    facts = {
        "flow": {"start": 50, "steps": [], "analysed": 50, "n_pos": 20, "n_neg": 30},
        "words": {"ill": "with the condition", "well": "without it"},
        "data": {"cluster": None},
        "markers": [],
    }
    drawings = re.split(r"(?=<svg)", draw_flow(facts).svg)[1:]
    assert len(drawings) == 2
    for drawing in drawings:
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', drawing)[1])  # type: ignore[index]
        rects = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', drawing)
        boxes = [tuple(map(float, rect)) for rect in rects]
        lowest = max(y for _, y, _ in boxes)
        (a, _, wide), (b, _, also) = (box for box in boxes if box[1] == lowest)
        assert wide == also
        assert a + b + wide == pytest.approx(width, abs=1e-6)
        texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>', drawing)
        for x, y in ((float(x), float(y)) for x, y in texts):
            if y > lowest:  # the words of the two boxes stand in their middles
                assert min(abs(x - a - wide / 2), abs(x - b - wide / 2)) < 0.1
