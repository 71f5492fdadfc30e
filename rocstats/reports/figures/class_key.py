"""The key of the two classes: which colour is whose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.figures.figure_words import shown
from rocstats.reports.figures.lettering import shorten, text
from rocstats.reports.figures.svg import element, group
from rocstats.reports.markup import Markup, opening

__all__ = ["draw_class_key"]


def draw_class_key(
    words: Mapping[str, Any], y: float, *, counts: Mapping[str, Any] | None = None
) -> list[Markup]:
    """Return two lines: the colour and the name of each class, and its size where it is given."""
    drawn = []
    for side, name, at in (("pos", words["ill"], y), ("neg", words["well"], y + 17)):
        size = (", n = ", shown(counts[side]["n"], "count")) if counts else ()
        square = element("rect", x=4, y=at - 9.5, width=10, height=10, fill="currentColor")
        drawn += [group(side, square), text(20, at, shorten(opening(name), 240), *size)]
    return drawn
