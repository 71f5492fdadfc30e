"""Clusters of a table: sums of products over clusters at chosen thresholds, by one more pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.data.scan.looked_up import Lookup
from rocstats.engine.table_influence import ClusterSums
from rocstats.errors import InvalidOptionError, named
from rocstats.thresholds.clusters import Clusters

if TYPE_CHECKING:
    from rocstats.data.scan.scored_table import ScoredTable

__all__ = ["PointClusters", "table_clusters"]

_MOST = 2**26  # sums by threshold and cluster that are held


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PointClusters(Clusters):
    """What `Clusters` has, at some points only: where none are called, where all are, and others.

    Attributes
    ----------
    n_called : (P,) how many subjects are called positive at each, increasing
    """

    n_called: Ints

    def places(self, called: Ints) -> Ints:
        """Return which of the points have so many subjects called."""
        return np.searchsorted(self.n_called, called)


def table_clusters(table: ScoredTable, row: int, thresholds: Floats) -> PointClusters | None:
    """Return the clusters of a table at some thresholds; None where subjects are independent."""
    if not table.is_clustered:
        return None
    neg, pos = table.cluster_members()
    sketch, is_low = table.sketch_of(row), table.is_flipped(row)
    cuts = np.unique(thresholds)
    if cuts.size * 2 * (neg.size + sketch.bins.size) > _MOST:
        raise InvalidOptionError(
            f"{cuts.size} thresholds of {neg.size} clusters are too many for a table, which holds "
            f"a sum for each of both; name fewer in {named('thresholds')}."
        )
    scores = sketch.largest() if is_low else sketch.least()
    called = [(scores <= cut if is_low else scores >= cut).astype(np.float64) for cut in cuts]
    called = [np.zeros_like(scores, dtype=np.float64), *called, np.ones(scores.size)]
    sums = ClusterSums(neg.size)
    code, values = table.reduced_rows(
        [Lookup(row=row, pos=one, neg=one) for one in called], sums, sums.join
    )
    found = np.zeros((len(called), 2 * neg.size))
    found[:, code] = values
    whole = np.rint(found).astype(np.int64)
    whole = whole[np.argsort(whole.sum(axis=1), kind="stable")]
    fp, tp = whole[:, : neg.size], whole[:, neg.size :]
    there = neg + pos > 0
    return PointClusters(
        n_called=whole.sum(axis=1),
        tp_tp=_sums(tp, tp),
        tp_fp=_sums(tp, fp),
        fp_fp=_sums(fp, fp),
        tp_pos=_sums(tp, pos),
        tp_neg=_sums(tp, neg),
        fp_pos=_sums(fp, pos),
        fp_neg=_sums(fp, neg),
        called=np.count_nonzero(tp + fp, axis=1),
        others=np.count_nonzero((tp + fp < neg + pos) & there, axis=1),
        either=np.count_nonzero((tp + fp > 0) | (pos > 0), axis=1),
        n_negatives=int(np.count_nonzero(neg)),
        n_strata=1,
    )


def _sums(one: Ints, other: Ints) -> Ints:
    """Return the sums of products over clusters, point by point."""
    found: Ints = (one * other).sum(axis=1)
    return found
