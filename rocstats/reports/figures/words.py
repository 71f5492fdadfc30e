"""Words of figures: what is said of a number in a label or to a reader who does not see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import FORMATS
from rocstats.reports.figures.svg import Svg, element

__all__ = ["area_words", "cut_label", "cut_text", "level_words", "listed", "median_words"]


def level_words(facts: Mapping[str, Any]) -> str:
    """Return the confidence level, as ``95%``."""
    return FORMATS["level"](facts["settings"]["confidence_level"])


def area_words(row: Mapping[str, Any] | None, kind: str = "est") -> str:
    """Return an estimate with its limits as plain words."""
    if row is None or row["estimate"] is None:
        return "not estimable"
    show = FORMATS[kind]
    limits = f"{show(row['conf_low'])} to {show(row['conf_high'])}"
    return f"{show(row['estimate'])} ({limits})"


def cut_text(cut: Mapping[str, Any]) -> str:
    """Return which results a cutpoint calls positive, as ``≥ 0.21``."""
    return f"{cut['sign']} {cut['threshold_text']}"


def cut_label(cut: Mapping[str, Any]) -> list[Svg]:
    """Return the same as parts of a line of text, bound to the threshold as it is printed."""
    path = getattr(cut["threshold"], "path", None)
    return [
        Svg(f"{cut['sign']} "),
        element(
            "tspan",
            cut["threshold_text"],
            data_path=path and f"{path}_text",
            data_as=path and "text",
        ),
    ]


def listed(items: Sequence[str], *, most: int = 8) -> str:
    """Return items as a list in words, the last of many counted only."""
    if len(items) > most:
        return f"{'; '.join(items[:most])}; and {len(items) - most} more"
    return "; ".join(items)


def median_words(found: Mapping[str, Any]) -> str:
    """Return a median with its quartiles as plain words."""
    show = FORMATS["num"]
    return f"{show(found['median'])} ({show(found['q1'])} to {show(found['q3'])})"
