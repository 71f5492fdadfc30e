"""The areas of all markers with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.figure_words import area_words, listed
from rocstats.reports.figures.rows import Row, draw_rows
from rocstats.reports.figures.svg import Figure, twice
from rocstats.reports.markup import clean

__all__ = ["draw_forest"]


def draw_forest(facts: Mapping[str, Any]) -> Figure:
    """Draw the AUC of every marker with its interval, against chance."""
    markers, level = facts["markers"], level_of(facts)
    areas = [f"{clean(m['label'])} {area_words(m['estimates']['auc'])}" for m in markers]
    rows = [Row(name=str(m["label"]), found=m["estimates"]["auc"]) for m in markers]

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        return draw_rows(
            rows,
            wide=wide,
            head=f"AUC ({level} CI)",
            axis="AUC",
            line=0.5,
            line_label="chance" if wide else "",
            limits=(0.0, 1.0),
        )

    alt = f"AUC with {level} confidence interval: {listed(areas, most=40)}."
    return twice("forest", f"AUC with {level} confidence intervals", alt, draw)
