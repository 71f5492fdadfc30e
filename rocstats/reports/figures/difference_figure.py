"""Differences between markers with their intervals, against zero and against the margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of, show_level
from rocstats.reports.figures.figure_words import area_words, listed, shown
from rocstats.reports.figures.rows import Row, Shade, draw_rows
from rocstats.reports.figures.svg import Figure, twice
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup, clean

__all__ = ["MOST_ROWS", "draw_differences"]

MOST_ROWS = 40


def draw_differences(facts: Mapping[str, Any]) -> Figure | None:
    """Draw every pairwise difference in AUC; None where there is nothing to compare."""
    found = facts["comparisons"]
    if not found or found["refused"]:
        return None
    judged = found["margins"] or found["pairwise"]  # the interval read against the margin
    level = show_level(judged[0]["conf_level"]) if found["margins"] else level_of(facts)
    rows_shown = list(zip(found["pairwise"], judged, strict=True))[:MOST_ROWS]
    labels = {m["name"]: str(m["label"]) for m in facts["markers"]}

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        rows = [
            Row(
                name=labels[pair["first"]],
                less=labels[pair["second"]],
                found=limits,
                more=[
                    Markup("" if wide else "p "),
                    shown(pair["p_value"], "pval" if wide else "psign"),
                ],
            )
            for pair, limits in rows_shown
        ]
        return draw_rows(
            rows,
            wide=wide,
            kind="signed",
            head=f"Difference ({level} CI)",
            axis="Difference in AUC",
            line=0.0,
            more="p",
            limits=(-1.0, 1.0),
            shade=_shade(facts["settings"]),
            name_share=0.33,
        )

    said = [
        f"{clean(labels[pair['first']])} minus {clean(labels[pair['second']])} "
        f"{area_words(limits, 'signed')}"
        for pair, limits in rows_shown
    ]
    alt = f"Differences in AUC with {level} confidence intervals: {listed(said, most=12)}."
    return twice("differences", "Differences in AUC between markers", alt, draw)


def _shade(settings: Mapping[str, Any]) -> Shade | None:
    """Return the region that the study was to rule out or to stay within."""
    margin = number(settings["margin"])
    if not margin > 0.0:
        return None
    low, high, words = {
        "equivalence": (-margin, margin, "equivalence: within ±"),
        "superiority": (margin, 1.0, "superiority: above +"),
        "non-inferiority": (-margin, 1.0, "non-inferiority: above −"),
    }[settings["aim"]]
    lines = [end for end in (low, high) if abs(end) == margin]
    label = [Markup(words), shown(settings["margin"], "num")]
    return Shade(low=low, high=high, lines=lines, label=label)
