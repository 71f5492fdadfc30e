"""Differences between markers with their intervals, against zero and against the margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.rows import Row, Shade, draw_rows
from rocstats.reports.figures.svg import Figure, Svg, clean, number, shown, twice
from rocstats.reports.figures.words import area_words, level_words, listed

__all__ = ["draw_differences"]

_MOST_ROWS = 40


def draw_differences(facts: Mapping[str, Any]) -> Figure | None:
    """Draw every pairwise difference in AUC; None where there is nothing to compare."""
    found = facts.get("comparisons")
    if not found or found.get("refused") or not found["pairwise"]:
        return None
    pairs, level = found["pairwise"][:_MOST_ROWS], level_words(facts)
    labels = {m["name"]: m["label"] for m in facts["markers"]}
    adjusted = found.get("adjust") not in (None, "none") and len(found["pairwise"]) > 1

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        rows = [
            Row(
                name=str(labels.get(pair["first"], pair["first"])),
                less=str(labels.get(pair["second"], pair["second"])),
                found=pair,
                more=[
                    Svg("" if wide else "p "),
                    shown(pair["p_adjusted"], "pval" if wide else "psign"),
                ],
            )
            for pair in pairs
        ]
        return draw_rows(
            rows,
            wide=wide,
            kind="signed",
            head=f"Difference ({level} CI)",
            axis="Difference in AUC",
            line=0.0,
            more="Adjusted p" if adjusted else "p",
            least=-1.0,
            most=1.0,
            shade=_shade(facts),
            name_share=0.33,
        )

    said = [
        f"{clean(labels.get(p['first'], p['first']))} minus "
        f"{clean(labels.get(p['second'], p['second']))} {area_words(p, 'signed')}"
        for p in pairs
    ]
    alt = f"Differences in AUC with {level} confidence intervals: {listed(said, most=12)}."
    return twice("differences", "Differences in AUC between markers", alt, draw)


def _shade(facts: Mapping[str, Any]) -> Shade | None:
    """Return the region that the study was to rule out or to stay within."""
    settings = facts["settings"]
    stated, margin = settings.get("margin"), number(settings.get("margin"))
    if not margin > 0.0:
        return None
    aim = settings.get("aim")
    words = shown(stated, "num")
    if aim == "equivalence":
        label = [Svg("equivalence: within ±"), words]
        return Shade(low=-margin, high=margin, lines=(-margin, margin), label=label)
    if aim == "superiority":
        label = [Svg("superiority: above +"), words]
        return Shade(low=margin, high=1.0, lines=(margin,), label=label)
    label = [Svg("non-inferiority: above −"), words]
    return Shade(low=-margin, high=1.0, lines=(-margin,), label=label)
