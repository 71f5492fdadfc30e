"""Ranking: markers by their AUC, and which of many are shown in full."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan
from rocstats.data.sample import ScoredSample
from rocstats.estimates.estimators import estimate

__all__ = ["MANY", "by_area", "in_full", "ranked"]

MANY = 8  # markers up to which a page shows all in full, in the order given
_OF_MANY = 4  # of more it shows these in full, by rank, and the others in tables that are folded


def by_area(areas: Sequence[float | None]) -> list[int]:
    """Return the places of areas from the largest down; equal ones keep their order.

    Examples
    --------
    >>> by_area([0.6, None, 0.9, 0.6])
    [2, 0, 3, 1]
    """
    worth = [-math.inf if area is None or math.isnan(area) else area for area in areas]
    return sorted(range(len(worth)), key=lambda place: -worth[place])


def ranked(cohort: Cohort) -> Cohort:
    """Return the cohort with its markers by their AUC, where they are many; else as it is."""
    sample = cohort.sample
    if len(sample.markers) <= MANY:
        return cohort
    order = by_area([row.value for row in estimate(sample, measures="auc").rows])
    return replace(
        cohort,
        sample=_in_order(sample, order),
        scores=cohort.scores[order],
        indeterminate=cohort.indeterminate[order],
    )


def _in_order(sample: ScoredSample, order: Sequence[int]) -> ScoredSample:
    if not sample.keeps_rows:
        return sample.only(list(order))
    return replace(
        sample,
        scores=sample.scores[list(order)],
        markers=tuple(sample.markers[place] for place in order),
        higher_is_positive=tuple(sample.higher_is_positive[place] for place in order),
    )


def in_full(markers: Sequence[str], plan: StudyPlan) -> set[str]:
    """Return the markers, given by rank, that are shown in full.

    Of many the first, then those with a prespecified threshold and the one that others are compared
    with, then the next by rank.
    """
    if len(markers) <= MANY:
        return set(markers)
    named = [name for name in markers if name in plan.prespecified or name == plan.versus]
    return set(list(dict.fromkeys([*markers[:1], *named, *markers]))[:_OF_MANY])
