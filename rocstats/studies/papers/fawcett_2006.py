"""Fawcett (2006), An introduction to ROC analysis: every figure that has data."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.studies.papers.fawcett_algorithms import (
    roc_area,
    threshold_average,
    vertical_average,
)
from rocstats.studies.papers.paper import (
    Claim,
    DataUse,
    PaperFigure,
    PaperResult,
    PaperTable,
    Settings,
    judged,
)
from rocstats.studies.papers.streams import sha256_of, stream

__all__ = ["run"]

_ROUNDING = 1e-12  # what sums in another order may differ by
_CURVES, _INSTANCES = 5, 1000  # of Fig. 9
_SAMPLES = 10  # of Fig. 9c: rates from 0 to 1 by 0.1

Found = tuple[list[Claim], list[PaperTable], list[PaperFigure]]


def run(settings: Settings) -> PaperResult:
    """Run the paper."""
    start = time.perf_counter()
    sample = rs.datasets.load_fawcett()
    parts = [
        _figure_3(sample),
        _figure_4(),
        _figure_5(sample),
        _figure_6(),
        _figure_7(sample),
        _areas(sample),
        _figure_9(settings.rng),
        _multiclass(settings.rng),
        _figure_10(),
    ]
    return PaperResult(
        name="fawcett-2006",
        claims=tuple(claim for claims, _, _ in parts for claim in claims),
        tables=tuple(table for _, tables, _ in parts for table in tables),
        figures=tuple(figure for _, _, figures in parts for figure in figures),
        protocol=(
            "Fig. 3 and Fig. 10 are computed from the numbers in the paper, in whole counts and "
            "fractions.",
            "The samples of Figs 5, 7 and 9 are in pictures only: the laws that they show are "
            "checked on the instances of Fig. 3 and on simulated samples.",
            "Algorithms 2, 3 and 4 are written down word for word and held against roc_curve and "
            "average_curves.",
        ),
        data=(_data_use(sample),),
        choices={
            "Intervals of Fig. 9": "t intervals over the curves; the paper says 'the common "
            "assumption of a binomial distribution', which leaves out how the curves differ.",
            "Samples of Fig. 9": f"{_CURVES} samples of {_INSTANCES} instances, half of them "
            "positive, scores expit(N(1, 1)) and expit(N(0, 1)).",
            "Classes of section 9.2": "three classes of 100 instances, softmax of normal scores.",
        },
        left_out={
            "Figs 1, 2 and 8": "definitions and sketches without data.",
        },
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
    )


def _data_use(sample: rs.ScoredSample) -> DataUse:
    curve = rs.roc_curve(sample)
    return DataUse(
        name="Fig. 3",
        n=curve.n_pos + curve.n_neg,
        n_pos=curve.n_pos,
        source="typed from the paper, datasets.load_fawcett()",
        sha256=sha256_of(curve.threshold[1:], curve.fp, curve.tp),
    )


def _figure_3(sample: rs.ScoredSample) -> Found:
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


def _figure_4() -> Found:
    claim = Claim(
        text="Fig. 4: ten instances ranked perfectly, with 80% accuracy at 0.5 and 90% at 0.6",
        printed="AUC 1, 80%, 90%",
        found="",
        verdict="not tried",
        why="The scores are in the picture only; scores made to fit the text would prove nothing.",
    )
    return [claim], [], []


def _figure_5(sample: rs.ScoredSample) -> Found:
    labels, scores = _arrays(sample)
    more = np.concatenate([labels, np.repeat(labels[labels == 0], 9)])
    their = np.concatenate([scores, np.repeat(scores[labels == 0], 9)])
    one, ten = rs.roc_curve(labels, scores), rs.roc_curve(more, their)
    same = np.array_equal(one.fpr, ten.fpr) and np.array_equal(one.tpr, ten.tpr)
    precision = [
        float(curve.average_precision())
        for curve in (
            rs.precision_recall_curve(labels, scores),
            rs.precision_recall_curve(more, their),
        )
    ]
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
        [],
        [],
    )


def _figure_6() -> Found:
    labels, scores = [1] * 6 + [0] * 4, [0.5] * 10
    expected = rs.roc_curve(labels, scores).area()
    first = rs.roc_curve(labels, [0.6] * 6 + [0.5] * 4).area()
    last = rs.roc_curve(labels, [0.5] * 6 + [0.6] * 4).area()
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
    return claims, [], []


def _figure_7(sample: rs.ScoredSample) -> Found:
    hull = rs.roc_hull(sample)
    conditions = [
        (Fraction(1, 11), 1, 1, Fraction(10)),
        (Fraction(1, 2), 1, 10, Fraction(1, 10)),
    ]
    rows = []
    for prevalence, cost_fp, cost_fn, slope in conditions:
        best = hull.best(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
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
        columns=tuple(rows[0]),
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
        title="The hull of Fig. 3's curve",
        alt=f"The convex hull of the curve of Fig. 3, with {len(hull.vertices)} vertices and the "
        f"area {hull.area():.3f}.",
        draw=lambda ax: hull.plot(ax=ax),
        size=(4.6, 4.6),
    )
    return [claim], [table], [figure]


def _areas(sample: rs.ScoredSample) -> Found:
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


def _figure_9(seed: int) -> Found:
    rng = np.random.default_rng(stream(seed, "fawcett-2006", "figure-9"))
    half = _INSTANCES // 2
    labels = np.repeat([1, 0], half)
    curves = []
    for _ in range(_CURVES):
        z = rng.normal(size=_INSTANCES) + labels
        curves.append(rs.roc_curve(labels, 1.0 / (1.0 + np.exp(-z))))
    points = [
        list(zip(c.fpr.tolist(), c.tpr.tolist(), c.threshold.tolist(), strict=True)) for c in curves
    ]
    rates = np.linspace(0.0, 1.0, _SAMPLES + 1)
    vertical = rs.average_curves(curves, at=rates)
    literal = vertical_average(points, _SAMPLES)
    apart = float(np.abs(vertical.tpr - literal).max())
    thresholds = np.linspace(0.9, 0.1, 9)
    by_threshold = rs.average_curves(curves, method="threshold", at=thresholds)
    corrected = np.array(threshold_average(points, thresholds.tolist(), as_printed=False))
    late = float(np.abs(by_threshold.tpr - corrected[:, 1]).max())
    below = min(float(c.threshold[-1]) for c in curves) / 2
    try:
        threshold_average(points, [below], as_printed=True)
        runs_past = False
    except IndexError:
        runs_past = True
    claims = [
        judged(
            "Fig. 9c: Algorithm 3 averages vertically at rates from 0 through 1 by 0.1",
            "Algorithm 3",
            f"average_curves differs from it by at most {apart:.1g}",
            holds=apart < _ROUNDING,
        ),
        judged(
            "Fig. 9d: Algorithm 4 averages at thresholds",
            "Algorithm 4",
            f"average_curves differs from it by at most {late:.2g}",
            holds=late <= 1.0 / half + _ROUNDING,
            why="It takes the next score at or below the threshold and calls that instance "
            f"positive, too: one instance of {half}, where ours calls positive who scores at or "
            "beyond the threshold.",
        ),
        Claim(
            text="Algorithm 4: while i <= npts and ROC[i].score > thresh",
            printed="i <= npts",
            found="i < npts; as printed it runs past the last point" if runs_past else "as printed",
            verdict="misprint" if runs_past else "reproduced",
            why="For a threshold below every score of a curve the loop leaves i = npts + 1, which "
            "is no point; the run raised an IndexError there.",
        ),
    ]
    rows = [
        {
            "fpr": float(rates[i]),
            "tpr": float(vertical.tpr[i]),
            "tpr_low": float(vertical.tpr_low[i]),
            "tpr_high": float(vertical.tpr_high[i]),
            "algorithm_3": literal[i],
        }
        for i in range(rates.size)
    ]
    lines = [
        {
            "threshold": float(thresholds[i]),
            "fpr": float(by_threshold.fpr[i]),
            "fpr_low": float(by_threshold.fpr_low[i]),
            "fpr_high": float(by_threshold.fpr_high[i]),
            "tpr": float(by_threshold.tpr[i]),
            "tpr_low": float(by_threshold.tpr_low[i]),
            "tpr_high": float(by_threshold.tpr_high[i]),
        }
        for i in range(thresholds.size)
    ]
    tables = [
        PaperTable(
            name="figure-9c",
            title="Fig. 9c: vertical average of five simulated curves, 95% intervals",
            columns=tuple(rows[0]),
            rows=tuple(rows),
        ),
        PaperTable(
            name="figure-9d",
            title="Fig. 9d: threshold average of the same curves, 95% intervals",
            columns=tuple(lines[0]),
            rows=tuple(lines),
        ),
    ]
    figures = [
        PaperFigure(
            name=name,
            title=title,
            alt=f"{title}: a concave curve from (0, 0) to (1, 1) with short 95% intervals.",
            draw=average.plot,
            size=(4.6, 4.6),
        )
        for name, title, average in (
            ("figure-9c", "Fig. 9c: five curves averaged vertically", vertical),
            ("figure-9d", "Fig. 9d: five curves averaged by threshold", by_threshold),
        )
    ]
    return claims, tables, figures


def _multiclass(seed: int) -> Found:
    rng = np.random.default_rng(stream(seed, "fawcett-2006", "classes"))
    labels = np.repeat([0, 1, 2], 100)
    z = rng.normal(size=(300, 3)) + np.array([1.0, 0.5, 2.0]) * np.eye(3)[labels]
    shares = np.exp(z)
    shares /= shares.sum(axis=1, keepdims=True)
    common = np.concatenate([np.arange(300), np.repeat(np.arange(200, 300), 9)])
    rows: list[dict[str, Any]] = []
    for name, chosen in (("100, 100, 100", np.arange(300)), ("100, 100, 1000", common)):
        row: dict[str, Any] = {"class_sizes": name}
        for method in ("hand-till", "provost-domingos"):
            found = rs.multiclass_auc(labels[chosen], shares[chosen], method=method)
            row[method.replace("-", "_")] = float(found.value)
        rows.append(row)
    same = abs(rows[0]["hand_till"] - rows[1]["hand_till"])
    moved = abs(rows[0]["provost_domingos"] - rows[1]["provost_domingos"])
    table = PaperTable(
        name="multiclass",
        title="Section 9.2: two areas for three classes, the third class once and ten times",
        columns=tuple(rows[0]),
        rows=tuple(rows),
    )
    claim = judged(
        "Section 9.2: Provost & Domingos' area depends on the class distribution, Hand & Till's "
        "does not",
        "sensitive; insensitive",
        f"moves by {moved:.3f}; moves by {same:.1g}",
        holds=moved > 0.01 and same < _ROUNDING,
        why="Each instance of the third class taken ten times.",
    )
    return [claim], [table], []


def _figure_10() -> Found:
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
        columns=("what", "value_printed", "value"),
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
        from rocstats.plots.series import draw_lines

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


def _arrays(sample: rs.ScoredSample) -> tuple[Any, Any]:
    """Return labels and scores, best score first."""
    curve = rs.roc_curve(sample)
    return np.diff(curve.tp), curve.threshold[1:]
