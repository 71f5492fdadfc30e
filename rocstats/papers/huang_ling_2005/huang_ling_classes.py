"""Huang & Ling (2005), Table XIII: several classes, simulated as the paper says."""

from __future__ import annotations

import math
from itertools import pairwise

import rocstats as rs
from rocstats.papers.paper import Found, PaperTable, Settings, judged
from rocstats.papers.streams import stream
from rocstats.workers import watched

__all__ = ["TABLE_XIII", "simulated_part"]

TABLE_XIII = {  # classes, two examples each: C and D
    3: (0.897, 5.5),
    4: (0.828, 7.1),
    5: (0.785, 9.5),
    6: (0.757, 12.1),
    7: (0.736, 15.0),
    8: (0.721, 18.3),
    9: (0.705, 21.6),
    10: (0.696, 25.3),
}
_PAIRS = 50_000  # the paper's
_QUICK = 10_000
_NEAR = 3.0  # standard errors of the difference
_LITERAL = "simplex"  # "randomly generated", "the uniform distribution"


def simulated_part(settings: Settings) -> Found:
    """Return Table XIII by both readings of random probabilities, and its claims."""
    n_pairs = _QUICK if settings.quick else _PAIRS
    rows = []
    for classes in watched(list(TABLE_XIII), title="Table XIII", unit="row"):
        row: dict[str, float] = {"n_classes": classes}
        for kind in ("simplex", "normalised"):
            row |= _cell(settings, classes, kind, n_pairs)
        rows.append(row)
    claims = []
    for kind in ("simplex", "normalised"):
        for name, letter in (("consistency", "C"), ("discriminancy", "D")):
            scores = [float(row[f"{name}_{kind}_z"]) for row in rows]
            near = sum(abs(z) <= _NEAR for z in scores)
            claims.append(
                judged(
                    f"Table XIII: {letter} of 3 to 10 classes, {kind} probabilities",
                    ", ".join(f"{row[f'{name}_printed']:g}" for row in rows),
                    ", ".join(f"{row[f'{name}_{kind}']:.3g}" for row in rows),
                    holds=near == len(rows),
                    why=f"{near} of {len(rows)} within {_NEAR:g} standard errors, those of the "
                    f"paper's {_PAIRS} pairs included; differences of "
                    f"{min(scores):.1f} to {max(scores):.1f}.",
                )
            )
    first, last = rows[0], rows[-1]
    c, d = f"consistency_{_LITERAL}", f"discriminancy_{_LITERAL}"
    slows = first[c] - rows[1][c] > rows[-2][c] - last[c]
    claims.append(
        judged(
            "Table XIII: with more classes C falls, ever more slowly, and D grows; C > 1/2, D > 1",
            "yes",
            f"C {first[c]:.3f} to {last[c]:.3f}, D {first[d]:.1f} to {last[d]:.1f}",
            holds=_goes(rows, c, -1.0)
            and _goes(rows, d, 1.0)
            and slows
            and last[c] > 0.5
            and first[d] > 1.0,
            why="Steps against the trend are allowed up to their Monte-Carlo error.",
        )
    )
    table = PaperTable(
        name="table-13",
        title="Table XIII: several classes, two examples each",
        rows=tuple(rows),
        note=f"{n_pairs} pairs of lists; z is the difference to print in standard errors.",
    )
    return claims, [table], []


def _goes(rows: list[dict[str, float]], name: str, direction: float) -> bool:
    """Return whether a column grows (1) or falls (-1) within its Monte-Carlo error."""
    error = f"{name}_std_error"
    steps = [
        direction * (b[name] - a[name]) > -_NEAR * math.hypot(a[error], b[error])
        for a, b in pairwise(rows)
    ]
    return all(steps) and direction * (rows[-1][name] - rows[0][name]) > 0.0


def _cell(settings: Settings, classes: int, kind: str, n_pairs: int) -> dict[str, float]:
    lists = rs.random_class_lists(n_classes=classes, n_per_class=2, probabilities=kind)
    found = rs.compare_measures(
        "auc",
        "accuracy",
        lists=lists,
        n_pairs=n_pairs,
        rng=stream(settings.rng, "huang-ling-2005", "table-13", classes, kind),
        n_jobs=settings.n_jobs,
    )
    printed = dict(zip(("consistency", "discriminancy"), TABLE_XIII[classes], strict=True))
    row: dict[str, float] = {}
    for name, value in printed.items():
        ours, error = getattr(found, name), getattr(found, f"{name}_std_error")
        both = error * math.sqrt(1.0 + n_pairs / _PAIRS)
        row |= {
            f"{name}_printed": value,
            f"{name}_{kind}": ours,
            f"{name}_{kind}_std_error": error,
            f"{name}_{kind}_z": (ours - value) / both,
        }
    return row
