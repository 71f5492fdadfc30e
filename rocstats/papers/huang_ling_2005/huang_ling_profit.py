"""Huang & Ling (2005), Fig. 2: mean profit given AUC or accuracy, exactly by counting."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import rocstats as rs
from rocstats.consistency.exact import MeanGiven, means_given
from rocstats.papers.paper import Claim, Found, PaperFigure, PaperTable, judged

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

Curve = dict[int, MeanGiven]  # buyers that are found, by the percentage of the measure
Curves = dict[tuple[float, str], Curve]  # by the share approached, and the measure
Gain = dict[float, dict[int, Fraction]]  # buyers that AUC finds beyond accuracy, by both


def profit_part() -> Found:
    """Return Fig. 2, its differences and its claims."""
    curves = {
        (top, given): _curve(top, given) for top in DIFFERENCES for given in ("auc", "accuracy")
    }
    rows, points = _differences(curves), []
    for top in DIFFERENCES:
        by_auc, by_accuracy = curves[top, "auc"], curves[top, "accuracy"]
        points += [
            {
                "top": top,
                "value": value,
                "buyers_by_auc": float(by_auc[value].mean),
                "buyers_by_accuracy": float(by_accuracy[value].mean)
                if value in by_accuracy
                else None,
            }
            for value in range(50, 101)
        ]
    tables = [
        PaperTable(
            name="figure-2",
            title="Fig. 2: mean number of buyers among those approached, 20 examples",
            rows=tuple(points),
            note="Exact, over all 184756 ranked lists; profit is a constant times as much.",
        ),
        PaperTable(
            name="figure-2-differences",
            title="Section V: mean profit given an AUC less that given the same accuracy",
            rows=tuple(rows),
            note="buyers_difference is exact; difference is in the paper's unit, a revenue of "
            f"{rows[0]['revenue']:.1f} a buyer, fitted to the eight printed differences; "
            "paper_std_error is of the paper's mean over a million drawn lists.",
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


def _differences(curves: Curves) -> list[dict[str, float]]:
    """Return the printed differences beside ours, in the one unit that fits them best."""
    rows: list[dict[str, float]] = []
    for top, printed in DIFFERENCES.items():
        for value, difference in printed.items():
            parts = [curves[top, given][value] for given in ("auc", "accuracy")]
            rows.append(
                {
                    "top": top,
                    "value": value,
                    "buyers_by_auc": float(parts[0].mean),
                    "buyers_by_accuracy": float(parts[1].mean),
                    "buyers_difference": float(parts[0].mean - parts[1].mean),
                    "difference_printed": difference,
                    "paper_std_error": math.hypot(*(_error(part) for part in parts)),
                }
            )
    # least squares through 0; errors in buyers, which is all the same for the weights
    weights = [row["buyers_difference"] / row["paper_std_error"] ** 2 for row in rows]
    revenue = sum(
        w * row["difference_printed"] for w, row in zip(weights, rows, strict=True)
    ) / sum(w * row["buyers_difference"] for w, row in zip(weights, rows, strict=True))
    for row in rows:
        row["difference"] = revenue * row["buyers_difference"]
        row["paper_std_error"] *= revenue
        row["z"] = (row["difference_printed"] - row["difference"]) / row["paper_std_error"]
        row["revenue"] = revenue
    return rows


def _error(row: MeanGiven) -> float:
    """Standard error of a mean number of buyers over the lists that the paper can have drawn."""
    drawn = _DRAWN * row.n_lists / math.comb(2 * _HALF, _HALF)
    return math.sqrt(row.variance / drawn)


def _depth(top: float) -> int:
    return round(2 * _HALF * top)


def _claims(curves: Curves, rows: list[dict[str, float]]) -> list[Claim]:
    # Given an accuracy of v%, v% of those approached are buyers on average.
    gain = {
        top: {
            v: curves[top, "auc"][v].mean - Fraction(_depth(top) * v, 100) for v in range(50, 101)
        }
        for top in DIFFERENCES
    }
    most = {
        top: min(v for v in range(50, 101) if curves[top, "auc"][v].mean == _depth(top))
        for top in DIFFERENCES
    }
    return [
        *_claims_on_numbers(rows),
        *_claims_on_sides(gain),
        *_claims_on_growth(gain, most),
        *_claims_on_cutoffs(gain, most, rows[0]["revenue"]),
        _claim_on_values(curves),
        _claim_on_means(),
    ]


def _claims_on_numbers(rows: list[dict[str, float]]) -> list[Claim]:
    """Return a claim a cut-off: the four printed differences."""
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
                + f"; reproduced means {_NEAR:g} at most. The unit of profit is not printed: one "
                f"revenue a buyer for both cut-offs, {part[0]['revenue']:.1f}, is fitted to the "
                "eight numbers.",
            )
        )
    return claims


def _claims_on_sides(gain: Gain) -> list[Claim]:
    """Return where the profit given an AUC is the same, and where it is greater."""
    lower = [v for v in range(51, 100) if any(g[v] <= 0 for g in gain.values())]
    return [
        judged(
            "Section V: at 50% the mean profits are the same",
            "same",
            f"differences {gain[0.15][50]} and {gain[0.25][50]}",
            holds=gain[0.15][50] == gain[0.25][50] == 0,
        ),
        judged(
            "Section V: above 50% the mean profit given an AUC is always greater",
            "always",
            f"not at {', '.join(map(str, lower))}%"
            if lower
            else "at every value from 51 to 99%; at 100% both are largest",
            holds=not lower,
        ),
    ]


def _claims_on_growth(gain: Gain, most: dict[float, int]) -> list[Claim]:
    """Return how the difference grows, and up to where."""
    peaks = {top: max(g, key=lambda v, g=g: g[v]) for top, g in gain.items()}  # type: ignore[misc]
    flat = {top: [v for v in range(51, 101) if g[v] < g[v - 1]] for top, g in gain.items()}
    slow = {top: [v for v in flat[top] if v <= most[top]] for top in DIFFERENCES}
    return [
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
            " and ".join(
                f"not at {len(slow[top])} of the {most[top] - 50} steps below the maximum (top "
                f"{top:.0%})"
                for top in DIFFERENCES
            ),
            holds=not any(slow.values()),
        ),
    ]


def _claims_on_cutoffs(gain: Gain, most: dict[float, int], revenue: float) -> list[Claim]:
    """Return how the top 15% differ from the top 25%."""
    ahead = [v for v in (60, 70, 80) if gain[0.15][v] > gain[0.25][v]]
    return [
        judged(
            "Section V: the difference is greater for the top 15% than for the top 25%",
            "at 60, 70 and 80%",
            f"at {', '.join(map(str, ahead))}%" if ahead else "at none of 60, 70 and 80%",
            holds=len(ahead) == 3,
        ),
        judged(
            "Section V: at 90% it is smaller for the top 15%",
            "4.8 < 6.0",
            f"{revenue * float(gain[0.15][90]):.2f} and {revenue * float(gain[0.25][90]):.2f}",
            holds=gain[0.15][90] < gain[0.25][90],
            why="Of the number of buyers; as a share of the largest profit it would be greater.",
        ),
        judged(
            "Section V: for the top 15% the profit is largest from an AUC of 93%",
            "93%",
            f"{most[0.15]}%",
            holds=most[0.15] == 93,
            why="With 7 or fewer of 100 pairs wrong no negative can be among the first three: it "
            "would stand above eight positives.",
        ),
    ]


def _claim_on_values(curves: Curves) -> Claim:
    return Claim(
        text="Section V: 20 balanced examples have 100 AUC values and 10 accuracy values",
        printed="100, 10",
        found=f"{len(curves[0.15, 'auc'])}, {len(curves[0.15, 'accuracy'])}",
        verdict="misprint",
        why="From 0 to 100 pairs and from 0 to 10 positives among the first ten.",
    )


def _claim_on_means() -> Claim:
    same = means_given("auc", "accuracy", n_pos=_HALF, n_neg=_HALF)
    return judged(
        "Section V: in balanced lists the mean AUC given an accuracy is that accuracy",
        "equal",
        f"equal, as fractions, at {sum(row.mean == row.given for row in same)} of {len(same)} "
        "accuracies",
        holds=all(row.mean == row.given for row in same),
    )


def _draw(curves: Curves, ax: Axes) -> None:
    from rocstats.plots.series_plot import draw_lines

    for given, label in (("auc", "AUC"), ("accuracy", "accuracy")):
        series = {}
        for top in DIFFERENCES:
            curve = {v: row for v, row in curves[top, given].items() if v >= 50}
            buyers = [float(row.mean) for row in curve.values()]
            series[f"{label}, top {top:.0%}"] = (list(curve), buyers)
        draw_lines(
            series,
            ax,
            x_label="AUC or accuracy, %",
            y_label="Mean profit, buyers among those approached",
            mark=given == "accuracy",
        )
