"""Fawcett (2006): Fig. 9 and section 9.2, whose samples are in pictures only, on simulated ones."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocstats as rs
from rocstats.papers.fawcett_2006.fawcett_algorithms import (
    Points,
    sampled_thresholds,
    steps_of_line_4,
    threshold_average,
    vertical_average,
)
from rocstats.papers.paper import Claim, Found, PaperFigure, PaperTable, judged
from rocstats.papers.streams import stream

__all__ = ["CURVES", "INSTANCES", "SAMPLES", "figure_9", "multiclass"]

CURVES, INSTANCES = 5, 1000  # of Fig. 9
SAMPLES = 10  # of Figs 9c and 9d; in 9c rates from 0 to 1 by 0.1
_SIZE = (4.6, 4.6)
_ROUNDING = 1e-12  # what sums in another order may differ by


def figure_9(seed: int) -> list[Found]:
    """Return five simulated curves, and their averages by the package and Algorithms 3 and 4."""
    rng = np.random.default_rng(stream(seed, "fawcett-2006", "figure-9"))
    labels = np.repeat([1, 0], INSTANCES // 2)
    scores = []
    for _ in range(CURVES):
        z = rng.normal(size=INSTANCES) + labels
        scores.append(1.0 / (1.0 + np.exp(-z)))
    curves = [rs.roc_curve(labels, part) for part in scores]
    merged = rs.roc_curve(np.tile(labels, CURVES), {"merged": np.concatenate(scores)})
    return [_figures_9a_9b(curves, merged), _figure_9c(curves), _figure_9d(curves)]


def _figures_9a_9b(curves: list[rs.RocCurve], merged: rs.RocCurve) -> Found:
    named = {f"sample {i}": curve for i, curve in enumerate(curves, start=1)}
    table = PaperTable(
        name="figure-9",
        title="Figs 9a and b: areas of the five samples and of all of them merged",
        columns=("curve", "instances", "auc"),
        rows=tuple(
            {"curve": name, "instances": c.n_pos + c.n_neg, "auc": float(c.area())}
            for name, c in (named | {"merged": merged}).items()
        ),
    )

    def draw_all(ax: Any) -> object:
        from rocstats.plots.plane import draw_plane

        for name, curve in named.items():
            draw_plane(curve.fpr, curve.tpr, f"{name} (AUC {curve.area():.3f})", ax)
        return ax

    figures = [
        PaperFigure(
            name="figure-9a",
            title="Fig. 9a: the curves of five simulated samples",
            alt="Five ROC curves of a thousand instances each, close to one another.",
            draw=draw_all,
            size=_SIZE,
        ),
        PaperFigure(
            name="figure-9b",
            title="Fig. 9b: the curve of the five samples merged",
            alt="One ROC curve of five thousand instances, in the middle of the five.",
            draw=merged.plot,
            size=_SIZE,
        ),
    ]
    return [], [table], figures


def _figure_9c(curves: list[rs.RocCurve]) -> Found:
    rates = np.linspace(0.0, 1.0, SAMPLES + 1)
    average = rs.average_curves(curves, at=rates)
    literal = vertical_average(_points(curves), SAMPLES)
    apart = float(np.abs(average.tpr - literal).max())
    claim = judged(
        "Fig. 9c: Algorithm 3 averages vertically at rates from 0 through 1 by 0.1",
        "Algorithm 3",
        f"average_curves differs from it by at most {apart:.1g}",
        holds=apart < _ROUNDING,
    )
    rows = [
        {
            "fpr": float(rates[i]),
            "tpr": float(average.tpr[i]),
            "tpr_low": float(average.tpr_low[i]),
            "tpr_high": float(average.tpr_high[i]),
            "algorithm_3": literal[i],
        }
        for i in range(rates.size)
    ]
    table = PaperTable(
        name="figure-9c",
        title="Fig. 9c: vertical average of five simulated curves, 95% intervals",
        rows=tuple(rows),
    )
    figure = _figure_of("figure-9c", "Fig. 9c: five curves averaged vertically", average)
    return [claim], [table], [figure]


def _figure_9d(curves: list[rs.RocCurve]) -> Found:
    points, half = _points(curves), INSTANCES // 2
    thresholds = np.array(sampled_thresholds(points, SAMPLES))
    average = rs.average_curves(curves, method="threshold", at=thresholds)
    corrected = np.array(threshold_average(points, thresholds.tolist(), as_printed=False))
    late = float(np.abs(np.stack([average.fpr, average.tpr], axis=1) - corrected).max())
    claim = judged(
        "Fig. 9d: Algorithm 4 averages at thresholds",
        "Algorithm 4",
        f"average_curves differs from it by at most {late:.2g}",
        holds=late <= 1.0 / half + _ROUNDING,
        why="It takes the next score at or below the threshold and calls that instance "
        f"positive, too: one instance of {half}, where ours calls positive who scores at or "
        "beyond the threshold.",
    )
    lines = [
        {
            "threshold": float(thresholds[i]),
            "fpr": float(average.fpr[i]),
            "fpr_low": float(average.fpr_low[i]),
            "fpr_high": float(average.fpr_high[i]),
            "tpr": float(average.tpr[i]),
            "tpr_low": float(average.tpr_low[i]),
            "tpr_high": float(average.tpr_high[i]),
        }
        for i in range(thresholds.size)
    ]
    table = PaperTable(
        name="figure-9d",
        title="Fig. 9d: threshold average of the same curves, 95% intervals",
        rows=tuple(lines),
    )
    figure = _figure_of("figure-9d", "Fig. 9d: five curves averaged by threshold", average)
    return [claim, _algorithm_4(curves), _line_4()], [table], [figure]


def _algorithm_4(curves: list[rs.RocCurve]) -> Claim:
    """Return whether the loop of Algorithm 4, as printed, runs past the last point."""
    below = min(float(c.threshold[-1]) for c in curves) / 2
    try:
        threshold_average(_points(curves), [below], as_printed=True)
        runs_past = False
    except IndexError:
        runs_past = True
    return Claim(
        text="Algorithm 4: while i <= npts and ROC[i].score > thresh",
        printed="i <= npts",
        found="i < npts; as printed it runs past the last point" if runs_past else "as printed",
        verdict="misprint" if runs_past else "reproduced",
        why="For a threshold below every score of a curve the loop leaves i = npts + 1, which "
        "is no point; the run raised an IndexError there.",
    )


def _line_4() -> Claim:
    """Return whether the outer loop of Algorithm 4, as printed, ends."""
    most = 100_000
    runs = {length: steps_of_line_4(length, SAMPLES, most=most) for length in (9, 10, 19, 20)}
    endless = [length for length, steps in runs.items() if steps == most]
    beyond = [
        f"{n} scores give {steps} points" for n, steps in runs.items() if SAMPLES + 1 < steps < most
    ]
    return Claim(
        text="Algorithm 4, line 4: for tidx = 1 to length(T) by int(length(T)/samples)",
        printed="requires samples > 1 only",
        found=f"with 9 scores and {SAMPLES} samples the step is 0 and the loop does not end; "
        "max(1, int(length(T)/samples)) is needed"
        if endless
        else "it ends",
        verdict="misprint" if endless else "reproduced",
        why=f"int(9/{SAMPLES}) = 0, so tidx stays at 1: stopped here after {most} rounds. Nor does "
        f"the output Avg[samples + 1] always suffice: {', '.join(beyond)}.",
    )


def _figure_of(name: str, title: str, average: rs.AverageCurve) -> PaperFigure:
    return PaperFigure(
        name=name,
        title=title,
        alt=f"{title}: a concave curve from (0, 0) to (1, 1) with short 95% intervals.",
        draw=average.plot,
        size=_SIZE,
    )


def _points(curves: list[rs.RocCurve]) -> list[Points]:
    return [
        list(zip(c.fpr.tolist(), c.tpr.tolist(), c.threshold.tolist(), strict=True)) for c in curves
    ]


def multiclass(seed: int) -> Found:
    """Return two areas of three classes, one of them taken ten times."""
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
