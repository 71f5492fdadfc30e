"""Grouping: in large studies resampling draws levels of a marker instead of single subjects.

A resample of grouped scores has the law of the bootstrap of those scores, and costs what its levels
cost. With so many levels no number of a report moves by as much as it is rounded.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocstats.data import ScoredSample

__all__ = ["LEVELS", "only_marker", "resampled_in_levels", "with_levels"]

LEVELS = 1024
_LARGE = 50_000  # subjects from which scores are grouped for resampling


def only_marker(sample: ScoredSample, row: int) -> ScoredSample:
    """Return the sample with one marker."""
    return replace(
        sample,
        scores=sample.scores[row : row + 1],
        markers=sample.markers[row : row + 1],
        higher_is_positive=sample.higher_is_positive[row : row + 1],
    )


def resampled_in_levels(sample: ScoredSample) -> bool:
    """Whether the sample is so large that its scores are grouped for resampling."""
    return sample.positive.size > _LARGE


def with_levels(sample: ScoredSample, row: int) -> ScoredSample:
    """Return one marker of the sample, its scores in at most `LEVELS` groups if it is large.

    Groups are of about equal size and stand at the score that is the last to be called positive.
    """
    one = only_marker(sample, row)
    if not resampled_in_levels(sample):
        return one
    scores = sample.oriented(row)
    edges = np.unique(np.quantile(scores, np.arange(LEVELS) / LEVELS, method="lower"))
    level = edges[np.searchsorted(edges, scores, side="right") - 1]
    back = -level if sample.is_flipped(row) else level
    return replace(one, scores=back[np.newaxis])
