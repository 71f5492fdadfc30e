"""Huang & Ling (2005), Fig. 2: mean profit given AUC or accuracy, exactly by counting."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import rocstats as rs
from rocstats.consistency.exact import MeanGiven, means_given
from rocstats.studies.papers.paper import Claim, Found, PaperFigure, PaperTable, judged

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DIFFERENCES", "profit_part"]

# Mean profit given an AUC less that given the same accuracy, of 60, 70, 80 and 90%.
DIFFERENCES = {
    0.15: {60: 2.7, 70: 5.0, 80: 7.0, 90: 4.8},
    0.25: {60: 1.9, 70: 3.8, 80: 5.7, 90: 6.0},
}
_HALF = 10  # positives, and negatives
_DRAWN = 10**6  # lists that the paper draws
_NEAR = 3.0  # standard errors of the paper's means

Curve = dict[int, MeanGiven]  # by the percentage of the measure


def profit_part() -> Found:
    """Return Fig. 2, its differences and its claims."""
    curves = {
        (top, given): _curve(top, given) for top in DIFFERENCES for given in ("auc", "accuracy")
    }
    rows, points = [], []
    for top, printed in DIFFERENCES.items():
        by_auc, by_accuracy = curves[top, "auc"], curves[top, "accuracy"]
        for value, difference in printed.items():
            exact = _percent(by_auc[value], top) - _percent(by_accuracy[value], top)
            error = math.hypot(_error(by_auc[value], top), _error(by_accuracy[value], top))
            rows.append(
                {
                    "top": top,
                    "value": value,
                    "profit_by_auc": _percent(by_auc[value], top),
                    "profit_by_accuracy": _percent(by_accuracy[value], top),
                    "difference": exact,
                    "difference_printed": difference,
                    "std_error_printed": error,
                    "z": (difference - exact) / error,
                }
            )
        points += [
            {
                "top": top,
                "value": value,
                "profit_by_auc": _percent(by_auc[value], top),
                "profit_by_accuracy": _percent(by_accuracy[value], top)
                if value in by_accuracy
                else None,
            }
            for value in range(50, 101)
        ]
    tables = [
        PaperTable(
            name="figure-2",
            title="Fig. 2: mean profit in percent of the largest, 20 examples",
            columns=tuple(points[0]),
            rows=tuple(points),
            note="Exact, over all 184756 ranked lists.",
        ),
        PaperTable(
            name="figure-2-differences",
            title="Section V: mean profit given an AUC less that given the same accuracy",
            columns=tuple(rows[0]),
            rows=tuple(rows),
            note="std_error_printed: of the paper's mean over a million drawn lists.",
        ),
    ]
    figure = PaperFigure(
        name="figure-2",
        title="Fig. 2: mean profit given AUC or accuracy",
        alt="Mean profit of the top 15% and 25% of 20 examples against AUC and accuracy from 50% "
        "to 100%; the curves of AUC lie above the line of accuracy.",
        draw=partial(_draw, curves),
    )
    return _claims(curves, rows), tables, [figure]


def _curve(top: float, given: str) -> Curve:
    found = means_given(rs.profit_at(top), given, n_pos=_HALF, n_neg=_HALF)
    return {round(100 * row.given): row for row in found}


def _percent(row: MeanGiven, top: float) -> float:
    return 100.0 * float(row.mean) / round(2 * _HALF * top)


def _error(row: MeanGiven, top: float) -> float:
    """Standard error, in percent, of a mean over the lists that the paper can have drawn."""
    drawn = _DRAWN * row.n_lists / math.comb(2 * _HALF, _HALF)
    return 100.0 * math.sqrt(row.variance / drawn) / round(2 * _HALF * top)


def _claims(curves: dict[tuple[float, str], Curve], rows: list[dict[str, float]]) -> list[Claim]:
    gain = {
        top: {v: _percent(curves[top, "auc"][v], top) - v for v in range(50, 101)}
        for top in DIFFERENCES
    }
    claims = []
    for top in DIFFERENCES:
        part = [row for row in rows if row["top"] == top]
        claims.append(
            judged(
                f"Section V: differences of mean profit at 60, 70, 80 and 90%, top {top:.0%}",
                ", ".join(f"{row['difference_printed']:g}" for row in part),
                ", ".join(f"{row['difference']:.2f}" for row in part),
                holds=all(abs(row["z"]) <= _NEAR for row in part),
                why="In standard errors of a million lists: "
                + ", ".join(f"{row['z']:.1f}" for row in part)
                + ". No unit of profit mends both cut-offs: exactly, the difference at 60% is "
                f"{rows[0]['difference'] / rows[4]['difference']:.2f} times as large for the top "
                "15% as for the top 25%, in print 1.42 times.",
            )
        )
    peaks = {top: max(g, key=lambda v, g=g: g[v]) for top, g in gain.items()}  # type: ignore[misc]
    flat = {top: [v for v in range(51, 101) if g[v] < g[v - 1]] for top, g in gain.items()}
    reached = min(v for v in range(50, 101) if gain[0.15][v] == 100.0 - v)
    claims += [
        judged(
            "Section V: at 50% the mean profits are the same",
            "same",
            f"differences {gain[0.15][50]:g} and {gain[0.25][50]:g}",
            holds=gain[0.15][50] == gain[0.25][50] == 0.0,
        ),
        judged(
            "Section V: above 50% the mean profit given an AUC is always greater",
            "always",
            "at every value from 51 to 99%; at 100% both are largest",
            holds=all(g[v] > 0.0 for g in gain.values() for v in range(51, 100)),
        ),
        judged(
            "Section V: the difference grows with AUC and accuracy",
            "yes",
            f"up to {peaks[0.15]}% (top 15%) and {peaks[0.25]}% (top 25%)",
            holds=not any(flat.values()),
            why="It must vanish at 100%, where both profits are largest; the printed differences "
            "for the top 15% fall from 80 to 90%, too.",
        ),
        judged(
            "Section V: the slope of profit is steeper in AUC, but at the maximum",
            "yes",
            f"not at {len([v for v in flat[0.15] if v <= reached])} of the "
            f"{reached - 50} steps below the maximum (top 15%)",
            holds=not [v for v in flat[0.15] if v <= reached],
        ),
        judged(
            "Section V: the difference is greater for the top 15% than for the top 25%",
            "at 60, 70 and 80%",
            "at 60, 70 and 80%",
            holds=all(gain[0.15][v] > gain[0.25][v] for v in (60, 70, 80)),
        ),
        judged(
            "Section V: at 90% it is smaller for the top 15%",
            "4.8 < 6.0",
            f"{gain[0.15][90]:.2f} and {gain[0.25][90]:.2f}",
            holds=gain[0.15][90] < gain[0.25][90],
        ),
        judged(
            "Section V: for the top 15% the profit is largest from an AUC of 93%",
            "93%",
            f"{reached}%",
            holds=reached == 93,
            why="With 7 or fewer of 100 pairs wrong no negative can be among the first three: it "
            "would stand above eight positives.",
        ),
        Claim(
            text="Section V: 20 balanced examples have 100 AUC values and 10 accuracy values",
            printed="100, 10",
            found=f"{len(curves[0.15, 'auc'])}, {len(curves[0.15, 'accuracy'])}",
            verdict="misprint",
            why="From 0 to 100 pairs and from 0 to 10 positives among the first ten.",
        ),
    ]
    same = means_given("auc", "accuracy", n_pos=_HALF, n_neg=_HALF)
    claims.append(
        judged(
            "Section V: in balanced lists the mean AUC given an accuracy is that accuracy",
            "equal",
            "equal, as fractions",
            holds=all(row.mean == row.given for row in same),
        )
    )
    return claims


def _draw(curves: dict[tuple[float, str], Curve], ax: Axes) -> None:
    for (top, given), curve in curves.items():
        values = [v for v in curve if v >= 50]
        profits = [_percent(curve[v], top) for v in values]
        is_auc = given == "auc"
        label = f"{'AUC' if is_auc else 'accuracy'}, top {top:.0%}"
        colour = "C0" if top == 0.15 else "C1"
        ax.plot(
            values,
            profits,
            color=colour,
            marker="" if is_auc else "o" if top == 0.15 else "x",
            linestyle="-" if is_auc else ":",
            label=label,
        )
    ax.set_xlabel("AUC or accuracy, %")
    ax.set_ylabel("mean profit, % of the largest")
    ax.legend()
