"""The areas at every level of a subgroup column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.rows import Row, draw_rows
from rocstats.reports.figures.svg import Figure, Svg, clean, number, shown, twice
from rocstats.reports.figures.words import level_words

__all__ = ["draw_subgroups"]


def draw_subgroups(facts: Mapping[str, Any]) -> list[Figure]:
    """Draw one forest plot for every subgroup column: markers, and under each its levels."""
    return [_draw(facts, part, i) for i, part in enumerate(facts.get("subgroups") or [])]


def _draw(facts: Mapping[str, Any], part: Mapping[str, Any], index: int) -> Figure:
    level = level_words(facts)
    rows: list[Row] = []
    for m in facts["markers"]:
        test = next((t for t in part["interaction"] if t["marker"] == m["name"]), None)
        said: list[Svg] = []
        if test is not None and number(test["p_value"]) == number(test["p_value"]):
            said = [Svg("interaction p "), shown(test["p_value"], "psign")]
        rows.append(Row(name=str(m["label"]), more=said))
        rows.append(
            Row(name="All", found=m["estimates"]["auc"], indent=True, note=_counts(facts["data"]))
        )
        for at in part["levels"]:
            found = next((e for e in at["estimates"] if e["marker"] == m["name"]), None)
            empty = {"estimate": None, "conf_low": None, "conf_high": None}
            rows.append(
                Row(name=str(at["label"]), found=found or empty, indent=True, note=_counts(at))
            )

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        return draw_rows(
            rows,
            wide=wide,
            kind="est",
            head=f"AUC ({level} CI)",
            axis="AUC",
            line=0.5,
            note="n+ / n−",
            least=0.0,
            most=1.0,
            name_share=0.2,
        )

    title = f"AUC by {clean(part['name'])}"
    levels = ", ".join(clean(at["label"]) for at in part["levels"])
    alt = f"AUC of every marker with {level} confidence interval, over all and at levels {levels}."
    return twice(f"subgroups-{index}", title, alt, draw)


def _counts(part: Mapping[str, Any]) -> list[Svg]:
    return [shown(part["n_pos"], "count"), Svg(" / "), shown(part["n_neg"], "count")]
