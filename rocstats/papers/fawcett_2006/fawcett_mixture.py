"""Fawcett (2006): Fig. 10, two classifiers mixed so that 800 clients are called."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.papers.paper import Claim, Found, PaperFigure, PaperTable, judged

__all__ = ["figure_10"]


def figure_10() -> Found:
    """Return the mixture exactly, and the misprint in its k."""
    ends = (Fraction(1, 10), Fraction(1, 5)), (Fraction(1, 4), Fraction(3, 5))
    mixed = rs.mix_classifiers(*ends, called=800, size=4000, prevalence=Fraction(6, 100))
    called = [3760 * fpr + 240 * tpr for fpr, tpr in ends]
    with_printed = called[0] + Fraction(53, 100) * (called[1] - called[0])
    rows: list[dict[str, Any]] = [
        {"what": "clients called by A", "value_printed": 424.0, "value": float(called[0])},
        {"what": "clients called by B", "value_printed": 1084.0, "value": float(called[1])},
        {"what": "fp rate of C", "value_printed": 0.18, "value": float(mixed.fpr)},
        {"what": "tp rate of C", "value_printed": 0.42, "value": float(mixed.tpr)},
        {"what": "share k of B", "value_printed": 0.53, "value": float(mixed.share)},
        {"what": "clients called by C", "value_printed": 800.0, "value": 800.0},
        {
            "what": "clients called with k = 0.53",
            "value_printed": None,
            "value": float(with_printed),
        },
    ]
    table = PaperTable(
        name="figure-10",
        title="Fig. 10: the CoIL mixture of two classifiers, exactly",
        rows=tuple(rows),
        note=f"In fractions: C = ({mixed.fpr}, {mixed.tpr}) and k = {mixed.share}.",
    )
    claims = [
        judged(
            "Fig. 10: A calls 424 and B 1084 of 4000 clients",
            "424, 1084",
            f"{called[0]}, {called[1]}",
            holds=called == [424, 1084],
        ),
        Claim(
            text="Fig. 10: C lies at about (0.18, 0.42), so k is about 0.53",
            printed="(0.18, 0.42), k = 0.53",
            found=f"({mixed.fpr}, {mixed.tpr}), k = {mixed.share} = {float(mixed.share):.4f}",
            verdict="misprint",
            why="The line from A to B meets 3760 fpr + 240 tpr = 800 where 424 + 660 k = 800, so "
            f"k = 376/660 = {mixed.share}, and C rounds to (0.19, 0.43). The printed k calls "
            f"{float(with_printed):.1f} clients and not 800: C was read off the graph and k "
            "computed from it.",
        ),
    ]
    figure = PaperFigure(
        name="figure-10",
        title="Fig. 10: interpolating between A and B",
        alt="Points A (0.1, 0.2) and B (0.25, 0.6), the line between them, and the line of 800 "
        f"clients, which it meets at C ({float(mixed.fpr):.3f}, {float(mixed.tpr):.3f}).",
        draw=_drawing_of_figure_10(mixed),
    )
    return claims, [table], [figure]


def _drawing_of_figure_10(mixed: rs.MixedClassifier) -> Any:
    def draw(ax: Any) -> object:
        from rocstats.plots.series_plot import draw_lines

        fpr = np.array([0.1, 0.3])
        lines: dict[str, tuple[Sequence[float], Sequence[float]]] = {
            "A to B": ([0.1, 0.25], [0.2, 0.6]),
            "C, 800 clients": ([float(mixed.fpr)], [float(mixed.tpr)]),
            "as printed": ([0.18], [0.42]),
            "800 clients": (fpr.tolist(), ((800 - 3760 * fpr) / 240).tolist()),
        }
        draw_lines(lines, ax, x_label="False positive rate", y_label="True positive rate")
        ax.set(xlim=(0.05, 0.3), ylim=(0.0, 1.0))
        return ax

    return draw
