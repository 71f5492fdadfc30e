"""Grouping: in large studies bands and the bootstrap draw levels of a marker, not subjects.

A resample of grouped scores has the law of the bootstrap of those scores, and costs what its levels
cost. At 60,000 subjects limits of a band moved by 0.004, those of the bootstrapped AUC by 0.0003,
where another seed moved them by 0.005 and 0.0002. The interval of a chosen cutpoint moved by more
than another seed moves it, so cutpoints are chosen again among all scores.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocstats.data.sample import ScoredSample

__all__ = ["LEVELS", "resampled_in_levels", "with_levels"]

LEVELS = 1024
_LARGE = 50_000  # subjects from which scores are grouped for resampling


def resampled_in_levels(sample: ScoredSample) -> bool:
    """Whether the sample is so large that its scores are grouped for resampling."""
    return sample.positive.size > _LARGE


def with_levels(sample: ScoredSample, row: int) -> ScoredSample:
    """Return one marker of the sample, its scores in at most `LEVELS` groups if it is large.

    Groups are of about equal size and stand at the score that is the last to be called positive.
    """
    one = sample.only(row)
    if not resampled_in_levels(sample):
        return one
    scores = sample.oriented(row)
    edges = np.unique(np.quantile(scores, np.arange(LEVELS) / LEVELS, method="lower"))
    level = edges[np.searchsorted(edges, scores, side="right") - 1]
    back = -level if sample.is_flipped(row) else level
    return replace(one, scores=back[np.newaxis]).sorted_once()
