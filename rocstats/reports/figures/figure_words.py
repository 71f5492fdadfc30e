"""Words of figures: a number in a label, and what is said to a reader who does not see it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rocstats.reports.facts import FORMATS, with_minus
from rocstats.reports.figures.svg import element
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup

__all__ = [
    "area_words",
    "cut_label",
    "cut_text",
    "interval",
    "listed",
    "median_words",
    "shown",
]


def shown(value: Any, kind: str) -> Markup:
    """Return a number as it is printed, bound to the fact that it prints.

    Parameters
    ----------
    value : leaf of the facts
    kind : how it is shown, a name of `rocstats.reports.facts.FORMATS`
    """
    words = FORMATS[kind](value)
    path = getattr(value, "path", None)
    if path is None:
        return Markup(escape(words))
    return element("tspan", words, data_path=path, data_as=kind)


def interval(row: Mapping[str, Any] | None, kind: str = "est") -> list[Markup]:
    """Return an estimate with its limits, as the parts of a line of text."""
    if row is None or not math.isfinite(number(row["estimate"])):
        return [Markup("not estimable")]
    low, high = row["conf_low"], row["conf_high"]
    if math.isnan(number(low)) or math.isnan(number(high)):
        return [shown(row["estimate"], kind), Markup(" (no interval)")]
    parts = shown(row["estimate"], kind), " (", shown(low, kind), " to ", shown(high, kind), ")"
    return [Markup(part) for part in parts]


def area_words(row: Mapping[str, Any] | None, kind: str = "est") -> str:
    """Return an estimate with its limits as plain words."""
    if row is None or row["estimate"] is None:
        return "not estimable"
    show = FORMATS[kind]
    limits = f"{show(row['conf_low'])} to {show(row['conf_high'])}"
    return f"{show(row['estimate'])} ({limits})"


def cut_text(cut: Mapping[str, Any]) -> str:
    """Return which results a cutpoint calls positive, as ``≥ 0.21``."""
    return f"{cut['sign']} {with_minus(cut['threshold_text'])}"


def cut_label(cut: Mapping[str, Any]) -> list[Markup]:
    """Return the same as parts of a line of text, bound to the threshold as it is printed."""
    path = getattr(cut["threshold"], "path", None)
    words = with_minus(cut["threshold_text"])
    label = element("tspan", words, data_path=f"{path}_text", data_as="minus") if path else None
    return [Markup(f"{cut['sign']} "), label or Markup(escape(words))]


def listed(items: Sequence[str], *, most: int = 8) -> str:
    """Return items as a list in words, the last of many counted only."""
    if len(items) > most:
        return f"{'; '.join(items[:most])}; and {len(items) - most} more"
    return "; ".join(items)


def median_words(found: Mapping[str, Any]) -> str:
    """Return a median with its quartiles as plain words."""
    show = FORMATS["num"]
    return f"{show(found['median'])} ({show(found['q1'])} to {show(found['q3'])})"
