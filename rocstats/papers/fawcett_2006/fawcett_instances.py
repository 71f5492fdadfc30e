"""Fawcett (2006): what follows from the instances of Fig. 3, and from the ten of Fig. 6."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.papers.fawcett_2006.fawcett_algorithms import roc_area
from rocstats.papers.paper import Claim, Found, PaperFigure, PaperTable, judged

__all__ = ["areas", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7"]

_ROUNDING = 1e-12  # what sums in another order may differ by


def figure_3(sample: rs.ScoredSample) -> Found:
    """Return the curve of Fig. 3, point by point."""
    curve = rs.roc_curve(sample)
    right = curve.tp + curve.n_neg - curve.fp
    best = int(np.argmax(right))
    is_alone = int((right == right[best]).sum()) == 1
    rows = [
        {
            "threshold": float(curve.threshold[i]),
            "fpr": float(curve.fpr[i]),
            "tpr": float(curve.tpr[i]),
            "accuracy": float(right[i]) / 20,
        }
        for i in range(curve.fp.size)
    ]
    claims = [
        judged(
            "Fig. 3: lowering the threshold to 0.9 gives (0, 0.1)",
            "(0, 0.1)",
            f"({curve.fpr[1]:g}, {curve.tpr[1]:g}) at {curve.threshold[1]:g}",
            holds=(curve.fp[1], curve.tp[1], curve.threshold[1]) == (0, 1, 0.9),
        ),
        judged(
            "Fig. 3: the curve ends at (1, 1) with a threshold of 0.1",
            "(1, 1) at 0.1",
            f"({curve.fpr[-1]:g}, {curve.tpr[-1]:g}) at {curve.threshold[-1]:g}",
            holds=(curve.fp[-1], curve.tp[-1], curve.threshold[-1]) == (10, 10, 0.1),
        ),
        judged(
            "Fig. 3: the highest accuracy is 70%, at (0.1, 0.5) and the threshold 0.54",
            "70% at (0.1, 0.5), 0.54",
            f"{5 * right[best]}% at ({curve.fpr[best]:g}, {curve.tpr[best]:g}), "
            f"{curve.threshold[best]:g}",
            holds=is_alone
            and (right[best], curve.fp[best], curve.tp[best], curve.threshold[best])
            == (14, 1, 5, 0.54),
        ),
    ]
    table = PaperTable(
        name="figure-3",
        title="Fig. 3: every point of the curve of 20 instances",
        columns=("threshold", "fpr", "tpr", "accuracy"),
        rows=tuple(rows),
    )
    figure = PaperFigure(
        name="figure-3",
        title="Fig. 3: the ROC curve of 20 instances (AUC 0.68)",
        alt="A ROC curve of 21 points in steps of a tenth, from (0, 0) through (0.1, 0.5) to "
        "(1, 1); its area is 0.68.",
        draw=curve.plot,
        size=(4.6, 4.6),
    )
    return claims, [table], [figure]


def figure_4() -> Found:
    """Return why Fig. 4 is undecided."""
    claim = Claim(
        text="Fig. 4: ten instances ranked perfectly, with 80% accuracy at 0.5 and 90% at 0.6",
        printed="AUC 1, 80%, 90%",
        found="",
        verdict="undecided",
        why="The scores are in the picture only; scores made to fit the text would prove nothing.",
    )
    return [claim], [], []


def figure_5(sample: rs.ScoredSample) -> Found:
    """Return what ten times the negatives change."""
    labels, scores = _arrays(sample)
    more = np.concatenate([labels, np.repeat(labels[labels == 0], 9)])
    their = np.concatenate([scores, np.repeat(scores[labels == 0], 9)])
    one, ten = rs.roc_curve(labels, scores), rs.roc_curve(more, their)
    same = np.array_equal(one.fpr, ten.fpr) and np.array_equal(one.tpr, ten.tpr)
    curves = {
        "1:1": rs.precision_recall_curve(labels, {"1:1": scores}),
        "1:10": rs.precision_recall_curve(more, {"1:10": their}),
    }
    precision = [float(curve.average_precision()) for curve in curves.values()]
    rows = [
        {
            "classes": classes,
            "threshold": float(curve.threshold[i]),
            "fpr": float(curve.fp[i]) / curve.n_neg,
            "tpr": float(curve.recall[i]),
            "precision": float(curve.precision[i]),
        }
        for classes, curve in curves.items()
        for i in range(curve.tp.size)
    ]
    table = PaperTable(
        name="figure-5",
        title="Fig. 5: ROC and precision-recall points of Fig. 3's instances, each negative once "
        "and ten times",
        columns=tuple(rows[0]),
        rows=tuple(rows),
        note="The curves of Fig. 5 itself are in the picture only.",
    )

    def draw(ax: Any) -> object:
        for curve in curves.values():
            curve.plot(ax)
        return ax

    figure = PaperFigure(
        name="figure-5",
        title="Fig. 5b and d: precision and recall with each negative of Fig. 3 once and ten times",
        alt="Two precision-recall curves of the same scores; with ten times the negatives the "
        f"average precision is {precision[1]:.3f} and not {precision[0]:.3f}.",
        draw=draw,
        size=(4.6, 4.6),
    )
    return (
        [
            judged(
                "Fig. 5: ten times the negatives leave the ROC curve as it is and change the "
                "precision-recall curve",
                "identical; differ substantially",
                f"{'identical' if same else 'different'}; average precision "
                f"{precision[0]:.3f} and {precision[1]:.3f}",
                holds=same and abs(precision[0] - precision[1]) > 0.1,
                why="A law, shown on the instances of Fig. 3 with each negative ten times; the "
                "curves of Fig. 5 are in the picture only.",
            )
        ],
        [table],
        [figure],
    )


def figure_6() -> Found:
    """Return the areas of ten tied instances, and the misprint in Algorithm 2."""
    labels, scores = [1] * 6 + [0] * 4, [0.5] * 10
    orders = {
        "optimistic": [0.6] * 6 + [0.5] * 4,
        "expected": scores,
        "pessimistic": [0.5] * 6 + [0.6] * 4,
    }
    curves = {name: rs.roc_curve(labels, {name: given}) for name, given in orders.items()}
    first, expected, last = (curve.area() for curve in curves.values())
    corrected = roc_area(labels, scores, as_printed=False)
    printed = roc_area(labels, scores, as_printed=True)
    claims = [
        judged(
            "Fig. 6: six positives and four negatives with one score give the diagonal, halfway "
            "between the optimistic and the pessimistic steps",
            "the average; error up to nm/2PN = 0.5",
            f"optimistic {first:g}, expected {expected:g}, pessimistic {last:g}",
            holds=(first, expected, last) == (1.0, 0.5, 0.0),
        ),
        Claim(
            text="Algorithm 2, line 21: TRAPEZOID_AREA(N, FP_prev, N, TP_prev)",
            printed=f"area {printed} on Fig. 6's instances",
            found=f"area {corrected}, with P as third argument",
            verdict="misprint",
            why="The curve ends at (N, P), so the last trapezoid has the height P. As printed the "
            f"ten tied instances of Fig. 6 have the area {printed} and not 1/2; with as many "
            "positives as negatives, as in Fig. 3, it cannot be noticed.",
        ),
    ]
    rows = [
        {"segment": name, "fpr": float(fpr), "tpr": float(tpr)}
        for name, curve in curves.items()
        for fpr, tpr in zip(curve.fpr, curve.tpr, strict=True)
    ]
    table = PaperTable(
        name="figure-6",
        title="Fig. 6: six positives and four negatives with one score, in three orders",
        columns=tuple(rows[0]),
        rows=tuple(rows),
    )

    def draw(ax: Any) -> object:
        for curve in curves.values():
            curve.plot(ax)
        return ax

    figure = PaperFigure(
        name="figure-6",
        title="Fig. 6: ten instances with one score",
        alt="The optimistic steps along the left and the top, the pessimistic ones along the "
        "bottom and the right, and the diagonal, which is expected.",
        draw=draw,
        size=(4.6, 4.6),
    )
    return claims, [table], [figure]


def figure_7(sample: rs.ScoredSample) -> Found:
    """Return the iso-performance lines, on the hull of Fig. 3."""
    hull = rs.roc_hull(sample)
    conditions = [
        (Fraction(1, 11), 1, 1, Fraction(10)),
        (Fraction(1, 2), 1, 10, Fraction(1, 10)),
    ]
    rows, lines = [], []
    for prevalence, cost_fp, cost_fn, slope in conditions:
        best = hull.best(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
        lines.append(best)
        rows.append(
            {
                "prevalence": float(prevalence),
                "cost_fp": cost_fp,
                "cost_fn": cost_fn,
                "slope_printed": float(slope),
                "slope": best.slope,
                "fpr": float(best.vertices[0].fpr),
                "tpr": float(best.vertices[0].tpr),
                "expected_cost": best.expected_cost,
            }
        )
    table = PaperTable(
        name="figure-7",
        title="Fig. 7: iso-performance lines and the best point of Fig. 3's hull",
        rows=tuple(rows),
        note="The curves A to D are in the picture only; the slopes are checked, and used on Fig. "
        "3's hull.",
    )
    claim = judged(
        "Fig. 7b: the two conditions give iso-performance lines of slope 10 and 1/10",
        "10 and 1/10",
        " and ".join(f"{row['slope']:g}" for row in rows),
        holds=[row["slope"] for row in rows] == [10.0, 0.1],
    )
    figure = PaperFigure(
        name="figure-7",
        title="Fig. 7: the hull of Fig. 3's curve, and the two iso-performance lines",
        alt=f"The convex hull of the curve of Fig. 3, with {len(hull.vertices)} vertices and the "
        f"area {hull.area():.3f}; a steep line touches it at the left and a flat one at the top.",
        draw=lambda ax: hull.plot(ax=ax, best=lines),
        size=(4.6, 4.6),
    )
    return [claim], [table], [figure]


def areas(sample: rs.ScoredSample) -> Found:
    """Return the area by Algorithm 2, by auc() and by Gini's coefficient."""
    labels, scores = _arrays(sample)
    area = rs.auc(sample).value
    literal = roc_area(labels.tolist(), scores.tolist(), as_printed=False)
    gini = rs.gini(sample).value
    return (
        [
            judged(
                "Section 7: the trapezoids of Algorithm 2 give the AUC, and Gini + 1 = 2 AUC",
                "equal",
                f"Algorithm 2 {float(literal):g}, auc() {area:g}, (Gini + 1) / 2 "
                f"{(gini + 1) / 2:g}",
                holds=abs(float(literal) - area) < _ROUNDING
                and abs((gini + 1) / 2 - area) < _ROUNDING,
            )
        ],
        [],
        [],
    )


def _arrays(sample: rs.ScoredSample) -> tuple[Any, Any]:
    """Return labels and scores, best score first."""
    curve = rs.roc_curve(sample)
    return np.diff(curve.tp), curve.threshold[1:]
