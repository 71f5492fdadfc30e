"""Variants of one marker: with other rows, or with values where it had none."""

from __future__ import annotations

import math

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.arrays import Bools, Floats
from rocstats.data.sample import ScoredSample

__all__ = ["beyond_all", "refilled"]


def beyond_all(cohort: Cohort, row: int, high: Bools) -> Floats:
    """Return scores beyond all others: most positive where `high`, least positive elsewhere."""
    sign = 1.0 if cohort.sample.higher_is_positive[row] else -1.0
    return np.where(high, sign * math.inf, -sign * math.inf)


def refilled(cohort: Cohort, row: int, scores: Floats, keep: Bools) -> ScoredSample:
    """Return the sample of one marker with these scores, of the rows to keep."""
    cluster = None if cohort.cluster_of is None else cohort.cluster_of[keep]
    return ScoredSample.from_arrays(
        cohort.positive[keep],
        {cohort.sample.markers[row]: scores[keep]},
        pos_label=True,
        cluster=cluster,
        higher_is_positive=cohort.sample.higher_is_positive[row],
    )
