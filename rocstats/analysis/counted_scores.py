"""Scores as they are described: those of subjects, or those of a table with how often each is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.data.sample import ScoredSample
from rocstats.data.scan.scored_table import ScoredTable

__all__ = ["RANK_TEST", "CountedScores", "class_scores", "counted_test", "seen_scores"]

RANK_TEST = "Wilcoxon-Mann-Whitney, asymptotic"


@dataclass(frozen=True, slots=True, eq=False)
class CountedScores:
    """Scores in increasing order, and how often each is.

    Attributes
    ----------
    score : (K,) as given
    count : (K,) at least 1
    """

    score: Floats
    count: Ints

    @property
    def size(self) -> int:
        """How many subjects there are."""
        return int(self.count.sum())

    def quantiles(self, shares: list[float]) -> list[float]:
        """Return what `numpy.quantile` gives of the scores, each as often as it is."""
        upto = np.cumsum(self.count)
        found = []
        for share in shares:
            place = share * (self.size - 1)
            low = math.floor(place)
            at = np.searchsorted(upto, [low, min(low + 1, self.size - 1)], side="right")
            (a, b), part = self.score[at].tolist(), place - low
            if a == b:  # infinite ones, too
                found.append(a)
            else:
                found.append(a + (b - a) * part if part < 0.5 else b - (b - a) * (1.0 - part))
        return found

    def between(self, low: float, high: float) -> CountedScores:
        """Return those within limits."""
        here = (self.score >= low) & (self.score <= high)
        return CountedScores(self.score[here], self.count[here])

    def finite(self) -> CountedScores:
        """Return those that are finite."""
        here = np.isfinite(self.score)
        return CountedScores(self.score[here], self.count[here])

    def summary(self) -> dict[str, Any]:
        """Return quartiles, mean, spread, range and the ends of the whiskers."""
        q1, median, q3 = self.quantiles([0.25, 0.5, 0.75])
        reach = 1.5 * (q3 - q1)
        near = self.between(q1 - reach, q3 + reach)
        near = near if near.score.size else self
        size = self.size
        mean = math.fsum((self.score * self.count).tolist()) / size
        squares = math.fsum(((self.score - mean) ** 2 * self.count).tolist())
        return {
            "n": size,
            "mean": mean,
            "sd": math.sqrt(squares / (size - 1)) if size > 1 else math.nan,
            "min": float(self.score[0]),
            "q1": q1,
            "median": median,
            "q3": q3,
            "max": float(self.score[-1]),
            "low_whisker": float(near.score[0]),
            "high_whisker": float(near.score[-1]),
        }

    def histogram(self, edges: Floats) -> list[int]:
        """Return how many lie between each edge and the next."""
        found = np.histogram(self.score, edges, weights=self.count)[0]
        return [round(count) for count in found.tolist()]


def seen_scores(sample: ScoredSample, row: int) -> Floats:
    """Return every score of a marker as given, at least once."""
    if sample.keeps_rows:
        scores: Floats = sample.scores[row]
        return scores
    return cast("ScoredTable", sample).sketch_of(row).least()


def class_scores(sample: ScoredSample, row: int) -> tuple[CountedScores, CountedScores]:
    """Return the scores of a table's positives and negatives."""
    sketch = cast("ScoredTable", sample).sketch_of(row)
    score = sketch.least()
    pos, neg = (
        CountedScores(score[count > 0], count[count > 0].astype(np.int64))
        for count in (sketch.n_pos, sketch.n_neg)
    )
    return pos, neg


def counted_test(sample: ScoredSample, row: int) -> dict[str, Any] | None:
    """Return the rank test of a table's classes; none of clusters, as of a sample in memory."""
    from rocstats.twosample.wilcoxon import counted_pvalue

    blocks = sample.blocks(row)
    finite = np.isfinite(blocks.score[[0, -1]]).all()
    if sample.is_clustered or min(blocks.sizes) < 2 or not finite:
        return None
    return {"p_value": counted_pvalue(blocks.n_pos, blocks.n_neg), "method": RANK_TEST}
