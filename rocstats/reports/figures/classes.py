"""The key of the two classes: which colour is whose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.figures.axes import SMALL
from rocstats.reports.figures.svg import Svg, element, group, shorten, shown, text

__all__ = ["draw_class_key"]


def draw_class_key(
    words: Mapping[str, Any], y: float, *, counts: Mapping[str, Any] | None = None
) -> list[Svg]:
    """Return two lines: the colour and the name of each class, and its size where it is given."""
    drawn = []
    for side, name, at in (("pos", words["ill"], y), ("neg", words["well"], y + 17)):
        head = shorten(str(name)[:1].upper() + str(name)[1:], 240, size=SMALL)
        size = (", n = ", shown(counts[side]["n"], "count")) if counts else ()
        square = element("rect", x=4, y=at - 9.5, width=10, height=10, fill="currentColor")
        drawn += [group(side, square), text(20, at, head, *size, size=SMALL)]
    return drawn
