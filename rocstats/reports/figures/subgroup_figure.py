"""The areas at every level of a subgroup column."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of
from rocstats.reports.figures.figure_words import shown
from rocstats.reports.figures.rows import Row, draw_rows
from rocstats.reports.figures.svg import Figure, twice
from rocstats.reports.leaves import number
from rocstats.reports.markup import Markup, clean

__all__ = ["draw_subgroups"]

_NOTHING = {"estimate": None, "conf_low": None, "conf_high": None}


def draw_subgroups(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw one forest plot for every subgroup column: markers, and under each its levels."""
    return [_draw(facts, part, i) for i, part in enumerate(facts["subgroups"])]


def _draw(facts: Mapping[str, Any], part: Mapping[str, Any], index: int) -> Figure:
    level = level_of(facts)
    rows: list[Row] = []
    for i, m in enumerate(facts["markers"]):
        if not m["in_full"]:
            continue
        p = part["interaction"][i]["p_value"]
        tested = not math.isnan(number(p))
        said = [Markup("interaction p "), shown(p, "psign")] if tested else []
        rows.append(Row(name=str(m["label"]), more=said))
        rows.append(_row("All", m["estimates"]["auc"], facts["data"]))
        rows += [
            _row(str(at["label"]), at["estimates"][i] if at["estimates"] else _NOTHING, at)
            for at in part["levels"]
        ]

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        return draw_rows(
            rows,
            wide=wide,
            head=f"AUC ({level} CI)",
            axis="AUC",
            line=0.5,
            note="n+ / n−",
            limits=(0.0, 1.0),
            name_share=0.2,
        )

    title = f"AUC by {clean(part['name'])}"
    levels = ", ".join(clean(at["label"]) for at in part["levels"])
    alt = f"AUC of every marker with {level} confidence interval, over all and at levels {levels}."
    return twice(f"subgroups-{index}", title, alt, draw)


def _row(name: str, found: Mapping[str, Any], counts: Mapping[str, Any]) -> Row:
    note = [shown(counts["n_pos"], "count"), Markup(" / "), shown(counts["n_neg"], "count")]
    return Row(name=name, found=found, indent=True, note=note)
