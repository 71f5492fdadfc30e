"""Distributions: how a marker is spread in each class, and what is odd about its values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocstats.analysis.area_facts import is_probability
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.counted_scores import (
    RANK_TEST,
    CountedScores,
    class_scores,
    counted_test,
    seen_scores,
)
from rocstats.analysis.design_facts import is_designed
from rocstats.analysis.plan import StudyPlan
from rocstats.arrays import Floats
from rocstats.data.sample import ScoredSample

__all__ = ["distribution_facts", "histogram", "outlying", "quality_facts"]

_MOST_BINS, _FEWEST_BINS = 40, 10
_FEW_VALUES = 12  # distinct values that have a bar each, at equal distances
_VERY_FEW = 5  # of which it does not matter how often each was seen
_MANY_VALUES = 10  # distinct values besides 0 that are no scale of a few steps
_LONELY = 2.5  # steps between the lower values that a zero is away from the next
_FENCE = 3.0  # Tukey's outer fences: quartiles and three interquartile ranges
_SKEW = 1.5  # skewness from which an axis is logarithmic, if it is far less on that axis
_DECADE = 10.0  # largest over smallest value below which a logarithmic axis has few ticks


def quality_facts(cohort: Cohort, row: int) -> dict[str, Any]:
    """Return ties, missing and outlying values of one marker."""
    sample = cohort.sample
    if not sample.keeps_rows:
        return _table_quality(sample, row)
    scores = sample.scores[row]
    blocks = sample.blocks(row)
    m, n = blocks.totals
    return {
        "n_distinct": int(blocks.score.size),
        "tied_share": float((blocks.n_pos / m * (blocks.n_neg / n)).sum()),
        "largest_tie": int(np.unique(scores, return_counts=True)[1].max())
        if blocks.weight is not None
        else int((blocks.n_pos + blocks.n_neg).max()),
        "missing_share": float(cohort.missing[row].mean()) if cohort.is_whole else math.nan,
        "outliers_pos": int(np.count_nonzero(outlying(scores[sample.positive]))),
        "outliers_neg": int(np.count_nonzero(outlying(scores[~sample.positive]))),
        "n_infinite": int(np.count_nonzero(np.isinf(scores))),
        "zeros": _lonely_zeros(int(np.count_nonzero(scores == 0.0)), _distinct(sample, row)),
    }


def _table_quality(sample: ScoredSample, row: int) -> dict[str, Any]:
    blocks, classes = sample.blocks(row), class_scores(sample, row)
    m, n = blocks.totals
    dropped, lacking = sample.dropped, dict(sample.dropped.missing)
    infinite = [part.size - part.finite().size for part in classes]
    zeros = sum(int(part.count[part.score == 0.0].sum()) for part in classes)
    far = [_beyond(part) for part in classes]
    return {
        "n_distinct": int(blocks.n_blocks),
        "tied_share": float((blocks.n_pos / m * (blocks.n_neg / n)).sum()),
        "largest_tie": int((blocks.n_pos + blocks.n_neg).max()),
        "missing_share": lacking.get(sample.markers[row], 0) / (m + n + dropped.n),
        "outliers_pos": far[0],
        "outliers_neg": far[1],
        "n_infinite": sum(infinite),
        "zeros": _lonely_zeros(zeros, _distinct(sample, row)),
    }


def _beyond(scores: CountedScores) -> int:
    """Return how many scores of one class lie beyond Tukey's outer fences."""
    q1, q3 = scores.quantiles([0.25, 0.75])
    reach = _FENCE * (q3 - q1) if np.isfinite(q3) and np.isfinite(q1) else math.inf
    return scores.size - scores.between(q1 - reach, q3 + reach).size if reach > 0.0 else 0


def _lonely_zeros(zeros: int, distinct: Floats) -> dict[str, Any] | None:
    """Return zeros that look like a code: alone below many values, far from the next of them.

    Far is several times as far as neighbours of the lower half of the other values are apart.
    """
    others = distinct[distinct != 0.0]
    if others.size < _MANY_VALUES or others.size == distinct.size or others[0] < 0.0:
        return None
    steps = np.diff(others[: others.size // 2 + 1])
    if others[0] < _LONELY * steps.max():
        return None
    return {"n": zeros, "next": float(others[0])}


def outlying(scores: Floats) -> Any:
    """Return which scores of one class lie beyond Tukey's outer fences."""
    with np.errstate(invalid="ignore"):  # infinite scores beside each other
        q1, q3 = np.quantile(scores, [0.25, 0.75])
    reach = _FENCE * (q3 - q1) if np.isfinite(q3) and np.isfinite(q1) else math.inf
    if not reach > 0.0:  # half the values are one: nothing is far from them by this rule
        return np.zeros(scores.size, dtype=np.bool_)
    return (scores < q1 - reach) | (scores > q3 + reach)


def distribution_facts(cohort: Cohort, row: int, plan: StudyPlan) -> dict[str, Any]:
    """Return quartiles, histograms and a rank test of the two classes."""
    from rocstats.twosample.testing import two_sample_test

    sample = cohort.sample
    if not sample.keeps_rows:
        return _table_distribution(sample, row, plan)
    scores = sample.scores[row]
    pos, neg = scores[sample.positive], scores[~sample.positive]
    distinct = _distinct(sample, row)
    finite = scores[np.isfinite(scores)]
    logarithmic = (
        not is_probability(sample, row, plan)
        and not _steps(distinct, finite.size).size
        and _is_skewed(finite)
    )
    test = None
    alike = not sample.is_clustered and not is_designed(sample)
    if alike and min(pos.size, neg.size) > 1 and np.isfinite(scores).all():
        found = two_sample_test(pos, neg, statistic="auc", method="asymptotic")
        test = {"p_value": found.pvalue, "method": RANK_TEST}
    return {
        "pos": _summary(pos),
        "neg": _summary(neg),
        "histogram": histogram(distinct, pos, neg, logarithmic=logarithmic),
        "log_scale": logarithmic,
        "wilcoxon": test,
    }


def _table_distribution(sample: ScoredSample, row: int, plan: StudyPlan) -> dict[str, Any]:
    pos, neg = class_scores(sample, row)
    distinct, blocks = _distinct(sample, row), sample.blocks(row)
    count = (blocks.n_pos + blocks.n_neg)[:: -1 if sample.is_flipped(row) else 1]
    count = count[np.isfinite(seen_scores(sample, row))]
    size = int(count.sum())
    logarithmic = (
        not is_probability(sample, row, plan)
        and not _steps(distinct, size).size
        and _is_skewed(distinct, count)
    )
    finite = pos.finite(), neg.finite()
    edges, values = _edges(distinct, size, logarithmic=logarithmic)
    return {
        "pos": pos.summary(),
        "neg": neg.summary(),
        "histogram": {
            "edges": edges.tolist(),
            "values": values.tolist(),
            "pos": finite[0].histogram(edges) if edges.size else [],
            "neg": finite[1].histogram(edges) if edges.size else [],
        },
        "log_scale": logarithmic,
        "wilcoxon": counted_test(sample, row),
    }


def _summary(scores: Floats) -> dict[str, Any]:
    q1, median, q3 = np.quantile(scores, [0.25, 0.5, 0.75], method="linear").tolist()
    reach = 1.5 * (q3 - q1)
    near = scores[(scores >= q1 - reach) & (scores <= q3 + reach)]
    near = near if near.size else scores
    return {
        "n": int(scores.size),
        "mean": float(scores.mean()),
        "sd": float(scores.std(ddof=1)) if scores.size > 1 else math.nan,
        "min": float(scores.min()),
        "q1": q1,
        "median": median,
        "q3": q3,
        "max": float(scores.max()),
        "low_whisker": float(near.min()),
        "high_whisker": float(near.max()),
    }


def _distinct(sample: ScoredSample, row: int) -> Floats:
    """Return the distinct finite scores of a marker as given, in order."""
    score = sample.blocks(row).score
    score = 0.0 - score[::-1] if sample.is_flipped(row) else score
    return score[np.isfinite(score)]


def _is_skewed(scores: Floats, count: Floats | None = None) -> bool:
    """Whether positive scores have a long upper tail that their logarithms lack.

    `count` is how often each is there.
    """
    if not scores.size or scores.min() <= 0.0 or scores.max() < _DECADE * scores.min():
        return False
    raw = _skewness(scores / scores.max(), count)
    return raw > _SKEW and abs(_skewness(np.log(scores), count)) < raw / 2.0


def _skewness(values: Floats, count: Floats | None) -> float:
    if count is not None:
        away = values - np.average(values, weights=count)
        spread = math.sqrt(float(np.average(away**2, weights=count)))
        return float(np.average((away / spread) ** 3, weights=count)) if spread > 0.0 else 0.0
    away = values - values.mean()
    spread = float(np.sqrt((away**2).mean()))
    return float(((away / spread) ** 3).mean()) if spread > 0.0 else 0.0


def _steps(distinct: Floats, n: int) -> Floats:
    """Return the steps of a scale that has few: its values, or all those of an even ladder."""
    few = distinct.size <= _VERY_FEW or 2 * distinct.size <= n
    if distinct.size < 2 or not few:
        return distinct[:0]
    rungs = np.diff(distinct) / np.diff(distinct).min()
    total = round(float(rungs.sum()))
    if total < _MOST_BINS and np.allclose(rungs, np.round(rungs), rtol=0.0, atol=1e-6):
        even: Floats = distinct[0] + (distinct[-1] - distinct[0]) * (np.arange(total + 1) / total)
        even[np.cumsum(np.append(0, np.round(rungs))).astype(np.intp)] = distinct
        if distinct.size > _FEW_VALUES or 2 * (total + 1) <= 3 * distinct.size:
            return even
    return distinct if distinct.size <= _FEW_VALUES else distinct[:0]


def histogram(
    distinct: Floats, pos: Floats, neg: Floats, *, logarithmic: bool = False
) -> dict[str, Any]:
    """Return counts of both classes in bins that they share; steps of a scale have one each.

    ``values`` are those steps, with an edge halfway between neighbours; none where bins are equal.
    """
    pos, neg = pos[np.isfinite(pos)], neg[np.isfinite(neg)]
    edges, values = _edges(distinct, pos.size + neg.size, logarithmic=logarithmic)
    counts = [np.histogram(part, edges)[0].tolist() if edges.size else [] for part in (pos, neg)]
    return {
        "edges": edges.tolist(),
        "values": values.tolist(),
        "pos": counts[0],
        "neg": counts[1],
    }


def _edges(distinct: Floats, size: int, *, logarithmic: bool) -> tuple[Floats, Floats]:
    """Return the edges of bins for so many scores, and the steps of a scale; none if none fit."""
    empty = np.zeros(0), np.zeros(0)
    if not distinct.size:
        return empty
    bins = min(max(math.ceil(2.0 * math.sqrt(size)), _FEWEST_BINS), _MOST_BINS)
    low, high = float(distinct[0]), float(distinct[-1])
    values = distinct[:0] if logarithmic else _steps(distinct, size)
    if low == high:
        half = abs(low) * 0.5 or 0.5
        edges = np.array([low - half, high + half])
    elif values.size:
        inner = values[:-1] + np.diff(values) / 2.0
        edges = np.concatenate([[low - (inner[0] - low)], inner, [high + (high - inner[-1])]])
    elif logarithmic:
        edges = np.geomspace(low, high, bins + 1)
        edges[0], edges[-1] = low, high
    else:
        edges = low + (high - low) * (np.arange(bins + 1) / bins)
        edges[-1] = high
    if not (np.isfinite(edges).all() and (np.diff(edges) > 0.0).all()):
        return empty
    return edges, values
