"""The rates of qualitative tests with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of, show_pct
from rocstats.reports.figures.figure_words import listed, shown
from rocstats.reports.figures.rows import Row, draw_rows
from rocstats.reports.figures.svg import NARROW, Figure, single, twice
from rocstats.reports.markup import Markup, clean

__all__ = ["draw_rates"]

_SHORT = {"sensitivity": "se", "specificity": "sp"}  # where the long words are too long
_RATES = (("sensitivity", "tp", "n_pos"), ("specificity", "tn", "n_neg"))


def draw_rates(facts: Mapping[str, Any], name: str = "rates", *, small: bool = False) -> Figure:
    """Draw sensitivity and specificity of every test, or what stands for them."""
    words, level, data = facts["words"], level_of(facts), facts["data"]
    rows: list[Row] = []
    told = []
    for m in facts["markers"]:
        point = m["cutpoints"][0]
        rows.append(Row(name=str(m["label"])))
        for rate, hit, of in _RATES:
            found = point["measures"][rate]
            note = [shown(point[hit], "count"), Markup(" / "), shown(data[of], "count")]
            called = words[_SHORT[rate]] if data["comparator"] else words[rate]
            rows.append(Row(name=called, found=found, indent=True, note=note))
            told.append(f"{clean(m['label'])} {words[rate].lower()} {show_pct(found['estimate'])}")

    def draw(wide: bool, name: str) -> tuple[Sequence[str], float]:
        return draw_rows(
            rows,
            wide=wide,
            head=f"Rate ({level} CI)",
            axis="",
            line=1.0,
            note="right / all",
            limits=(0.0, 1.0),
            kind="pct",
            name_share=0.24,
        )

    title = f"Rates of the tests with {level} confidence intervals"
    alt = f"{title}: {listed(told, most=12)}."
    if small:
        parts, height = draw(False, name)
        return single(name, title, alt, *parts, height=height, width=NARROW)
    return twice(name, title, alt, draw)
