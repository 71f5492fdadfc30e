"""Forecasts: one marker whose scores are probabilities of the positive class, and their bins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import slabs
from rocstats.data.sample import ScoredSample
from rocstats.engine.influence import Influence
from rocstats.errors import (
    InvalidOptionError,
    ScoreRangeError,
    check_count,
    check_option,
    named,
)

if TYPE_CHECKING:
    from rocstats.data.scan.scored_table import ScoredTable

__all__ = ["Forecasts", "assign_bins", "bin_means", "count_forecasts", "read_forecasts"]

Strategy = Literal["quantile", "uniform"]
Codes = NDArray[np.intp]

_MOST_BINS = 1_000_000
_FEW_EDGES = 24  # so many comparisons cost less than a search


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Forecasts:
    """Probabilities of the positive class, and what came.

    Attributes
    ----------
    classifier : name of the marker
    prob : (N,) probabilities, in the order of the sample
    sample : the data
    """

    classifier: str
    prob: Floats
    sample: ScoredSample

    @property
    def outcome(self) -> Floats:
        """The class as a number: 1 for a positive, 0 for a negative."""
        return self.sample.positive.astype(np.float64)

    def mean_influence(self, values: Floats, names: Sequence[str]) -> Influence:
        """Return the influence on the means of (r, N) values, subjects drawn whatever their class.

        These are means over a cohort: class sizes are not fixed.
        """
        values = np.atleast_2d(values)
        mean = values.mean(axis=1)
        return Influence(
            components="influence values",
            estimate=mean,
            values=values - mean[:, np.newaxis],
            stratum=np.zeros(values.shape[1], dtype=np.intp),
            rows=tuple((self.classifier, name) for name in names),
            subject=self.sample.subject,
            cluster=self.sample.cluster,
        )


def read_forecasts(sample: ScoredSample, row: int, purpose: str) -> Forecasts:
    """Return a marker of the sample as probabilities of the positive class, or refuse it.

    Where low scores speak for the positive class the scores are probabilities of the negative one.
    """
    scores: Floats = sample.scores[row]
    return _forecasts(sample, row, scores, purpose)


def _forecasts(sample: ScoredSample, row: int, scores: Floats, purpose: str) -> Forecasts:
    low, high = float(scores.min()), float(scores.max())
    if low < 0.0 or high > 1.0:
        raise ScoreRangeError(
            f"{purpose} needs probabilities within [0, 1], but {sample.markers[row]} goes from "
            f"{low:g} to {high:g}; fit a model that turns the scores into probabilities first."
        )
    prob = 1.0 - scores if sample.is_flipped(row) else scores
    return Forecasts(classifier=sample.markers[row], prob=prob, sample=sample)


def count_forecasts(
    sample: ScoredSample, row: int, purpose: str
) -> tuple[Forecasts, Bools | None, Ints | None]:
    """Return forecasts, and what came and how often where they are those of a table.

    A table has each of its probabilities twice, of positives and of negatives, with their counts.
    """
    if sample.keeps_rows:
        return read_forecasts(sample, row, purpose), None, None
    from rocstats.data.scan.count_blocks import needs_rows

    table = cast("ScoredTable", sample)
    if table.is_clustered or not table.is_exact:
        raise needs_rows()
    sketch = table.sketch_of(row)
    found = _forecasts(sample, row, np.tile(sketch.least(), 2), purpose)
    count = np.concatenate([sketch.n_pos, sketch.n_neg])
    came = np.repeat([True, False], sketch.bins.size)
    there = count > 0
    return replace(found, prob=found.prob[there]), came[there], count[there]


def assign_bins(
    prob: Floats, n_bins: int | None, strategy: Strategy, count: Ints | None = None
) -> Codes:
    """Return the number of every probability's bin, empty bins left out.

    Equal probabilities share a bin; one on an inner edge is in the lower bin, as in scikit-learn.
    With no number of bins every distinct probability is one. `count` is how often each is there.
    """
    check_option("strategy", strategy, ("quantile", "uniform"))
    if n_bins is None:
        return np.unique(prob, return_inverse=True)[1]
    whole = isinstance(n_bins, (int, np.integer)) and not isinstance(n_bins, bool)
    if not whole or n_bins < 1:
        raise InvalidOptionError(
            f"{named('n_bins')} must be a positive whole number, got {n_bins!r}."
        )
    n_bins = check_count("n_bins", n_bins, most=_MOST_BINS)
    cuts = np.linspace(0.0, 1.0, n_bins + 1)
    edges = _quantiles(prob, cuts, count) if strategy == "quantile" else cuts
    inner = np.unique(edges[1:-1])
    if inner.size > _FEW_EDGES:
        codes = np.searchsorted(inner, prob)
    else:
        codes = np.zeros(prob.size, dtype=np.intp)
        for s in slabs(prob.size):
            for edge in inner.tolist():  # in the cache, and without a branch to be guessed
                codes[s] += prob[s] > edge
    present = np.bincount(codes, minlength=inner.size + 1) > 0
    return codes if present.all() else (np.cumsum(present) - 1)[codes]


def _quantiles(values: Floats, shares: Floats, count: Ints | None = None) -> Floats:
    """Return what ``np.quantile`` does, to the bit, by one sort; of values that are there often."""
    size = values.size if count is None else int(count.sum())
    place = shares * (size - 1)
    low = np.floor(place).astype(np.intp)
    high = np.minimum(low + 1, size - 1)
    if count is None:
        ranked = np.sort(values)
        below, above = ranked[low], ranked[high]
    else:
        order = np.argsort(values, kind="stable")
        ends = np.cumsum(count[order])
        below, above = (
            values[order][np.searchsorted(ends, where, side="right")] for where in (low, high)
        )
    part, step = place - low, above - below
    near = part < 0.5
    return np.asarray(np.where(near, below + step * part, above - step * (1.0 - part)))


def bin_means(
    codes: Codes, *values: Floats | Bools, count: Ints | None = None
) -> tuple[NDArray[Any], ...]:
    """Return the size of every bin, and the mean of each of the values in it."""
    if count is None:
        size = np.bincount(codes)
        return size, *(np.bincount(codes, v) / size for v in values)
    size = np.bincount(codes, count).astype(np.int64)
    return size, *(np.bincount(codes, v * count) / size for v in values)
