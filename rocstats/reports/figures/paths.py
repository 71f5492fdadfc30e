"""Paths: lines, steps and areas to a tenth of a unit, without the vertices that nobody sees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from rocstats.reports.figures.scales import Scale

__all__ = ["along", "area_path", "line_path", "simplify"]

Point = tuple[int, int]  # in tenths of a unit
_SEEN = 1.5  # tenths of a unit: a vertex nearer than this to its neighbours' line is left out


def _points(xs: Iterable[Any], ys: Iterable[Any], x: Scale, y: Scale) -> list[list[Point]]:
    """Return the places of a curve in tenths, as runs between its missing values."""
    runs: list[list[Point]] = [[]]
    for a, b in zip(xs, ys, strict=False):
        at, up = x(a), y(b)
        if not (math.isfinite(at) and math.isfinite(up)):
            runs.append([])
            continue
        spot = round(at * 10), round(up * 10)
        if not runs[-1] or runs[-1][-1] != spot:
            runs[-1].append(spot)
    return [simplify(run) for run in runs if run]


def simplify(run: list[Point]) -> list[Point]:
    """Return the vertices without which the line would move visibly (Douglas & Peucker 1973)."""
    if len(run) < 3:
        return run
    keep = [False] * len(run)
    keep[0] = keep[-1] = True
    todo = [(0, len(run) - 1)]
    while todo:
        first, last = todo.pop()
        (x0, y0), (x1, y1) = run[first], run[last]
        dx, dy = x1 - x0, y1 - y0
        length = math.hypot(dx, dy)
        far, worst = _SEEN, -1
        for k in range(first + 1, last):
            ax, ay = run[k][0] - x0, run[k][1] - y0
            if length:
                along = min(1.0, max(0.0, (ax * dx + ay * dy) / (length * length)))
                away = math.hypot(ax - along * dx, ay - along * dy)
            else:
                away = math.hypot(ax, ay)
            if away > far:
                far, worst = away, k
        if worst > 0:
            keep[worst] = True
            todo += [(first, worst), (worst, last)]
    return [spot for spot, kept in zip(run, keep, strict=True) if kept]


def line_path(xs: Iterable[Any], ys: Iterable[Any], x: Scale, y: Scale) -> str:
    """Return the path of a curve through its points; it breaks where a value is missing."""
    return "".join(_write(run) for run in _points(xs, ys, x, y) if len(run) > 1)


def area_path(
    xs: Sequence[Any], low: Sequence[Any], high: Sequence[Any], x: Scale, y: Scale
) -> str:
    """Return the path around a band; it breaks where a limit is missing."""
    drawn, run = [], []
    for a, b, c in [*zip(xs, low, high, strict=False), (None, None, None)]:
        spot = x(a), y(b), y(c)
        if all(map(math.isfinite, spot)):
            run.append(spot)
            continue
        if len(run) > 1:
            there = simplify([(round(p * 10), round(q * 10)) for p, q, _ in run])
            back = simplify([(round(p * 10), round(q * 10)) for p, _, q in reversed(run)])
            drawn.append(_write([*there, *back]) + "z")
        run = []
    return "".join(drawn)


def _write(run: Sequence[Point]) -> str:
    """Return a path in relative steps, which are short and, being whole tenths, exact."""
    (x, y), *rest = run
    parts = [f"M{_tenths(x)} {_tenths(y)}"]
    for nx, ny in rest:
        dx, dy = nx - x, ny - y
        if dx == 0 and dy == 0:
            continue
        if dy == 0:
            parts.append(f"h{_tenths(dx)}")
        elif dx == 0:
            parts.append(f"v{_tenths(dy)}")
        else:
            parts.append(f"l{_tenths(dx)} {_tenths(dy)}")
        x, y = nx, ny
    return "".join(parts)


def _tenths(value: int) -> str:
    whole, tenth = divmod(abs(value), 10)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{tenth}" if tenth else f"{sign}{whole}"


def along(
    xs: Sequence[Any], ys: Sequence[Any], x: Scale, y: Scale, *, step: float = 5.0
) -> list[tuple[float, float]]:
    """Return points of a curve at most ``step`` units apart."""
    found = []
    for run in _points(xs, ys, x, y):
        for (ax, ay), (bx, by) in pairwise(run):
            pieces = max(1, math.ceil(math.hypot(bx - ax, by - ay) / (10 * step)))
            found += [
                ((ax + (bx - ax) * k / pieces) / 10, (ay + (by - ay) * k / pieces) / 10)
                for k in range(pieces)
            ]
    return found
