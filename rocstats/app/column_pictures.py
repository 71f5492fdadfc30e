"""Small pictures of columns, bars that a page holds itself, and the same in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.tables import counted

__all__ = ["picture", "summary"]

_WIDTH, _HEIGHT, _GAP = 120.0, 34.0, 0.15


def summary(column: Mapping[str, Any]) -> str:
    """Return what a column holds, in words."""
    values = [f"{value} ({count})" for value, count in column["values"][:6]]
    more = column["distinct"] - len(values)
    if column["values"]:
        what = ", ".join(values) + (f" and {more} more" if more > 0 else "")
    elif "low" in column:
        what = f"{column['distinct']} values from {column['low']} to {column['high']}"
    else:
        what = counted(column["distinct"], "value")
    missing = f"; {column['missing']} missing" if column["missing"] else ""
    return f"{column['kind']}: {what}{missing}"


def picture(column: Mapping[str, Any]) -> str:
    """Return bars as SVG, or nothing where there is nothing to draw."""
    bars: Sequence[int] = column["bars"]
    if not bars or not max(bars):
        return ""
    step, most = _WIDTH / len(bars), max(bars)
    gap = _GAP * step if column["values"] else 0.0
    drawn = "".join(
        f'<rect x="{i * step + gap:.2f}" y="{_HEIGHT - tall:.2f}" '
        f'width="{step - 2 * gap:.2f}" height="{tall:.2f}"/>'
        for i, count in enumerate(bars)
        if (tall := max(1.0, _HEIGHT * count / most)) and count
    )
    # Hidden from those who hear the page: the summary stands beside it.
    size = f"0 0 {_WIDTH:g} {_HEIGHT:g}"
    return f'<svg class="bars" viewBox="{size}" aria-hidden="true">{drawn}</svg>'
