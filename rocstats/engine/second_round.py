"""The second round of several sites: sums of products of influence, by the pooled table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs
from rocstats.data.sample import ScoredSample, refuse_design
from rocstats.data.scan.looked_up import Lookup, ValuedRows
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.scored_table import ScoredTable
from rocstats.data.scan.shared_moments import SiteMoments, n_sums
from rocstats.data.scan.site_sketch import SiteSketch
from rocstats.engine.catalogue import MEASURES
from rocstats.engine.table_influence import look_up
from rocstats.errors import InvalidOptionError, InvalidSampleError, check_option, named

__all__ = ["site_moments"]

_PIECE = 2**13  # rows whose products are summed at a time
_NAMES = ("auc", "sauc", "smauc")


def site_moments(
    sample: ScoredSample, pooled: SiteSketch, *, site: str, measure: str = "auc"
) -> SiteMoments:
    """Sum, at a site, the products of the influence of its subjects on several markers.

    Parameters
    ----------
    sample : ScoredSample or ScoredTable
        The rows of the site, with all markers of the pooled table.
    pooled : PooledTable or SiteSketch
        The pooled table, as the coordinating site saved it.
    site : str
        The name of the site, as in its sketch.
    measure : {"auc", "sauc", "smauc"}, default "auc"
        The measure by which markers will be compared.

    Returns
    -------
    SiteMoments
        Sums that are saved, sent, and passed to `pool`.

    See Also
    --------
    pool : Put the sketches of several sites together.
    compare : Compare classifiers on the same subjects.

    Notes
    -----
    Sums of products of 2, 3 and 4 influence values by class: covariances, and the degrees of
    freedom of tests. Too few subjects for that many sums are refused, since these could be solved
    for single patients (docs/howto/several_sites.md).

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.arange(60) % 2
    >>> scores = {"a": y + rng.normal(size=60), "b": y + rng.normal(size=60)}
    >>> rows = rs.ScoredSample.from_arrays(y, scores)
    >>> here, there = rows.subset(np.arange(60) < 30), rows.subset(np.arange(60) >= 30)
    >>> sketches = rs.sketch(here, site="here"), rs.sketch(there, site="there")
    >>> pooled = rs.pool(sketches)
    >>> told = [
    ...     rs.site_moments(here, pooled, site="here"),
    ...     rs.site_moments(there, pooled, site="there"),
    ... ]
    >>> again = rs.compare(rs.pool(sketches, moments=told)).pairwise()[0]
    >>> bool(abs(again.pvalue - rs.compare(rows).pairwise()[0].pvalue) < 1e-11)
    True
    """
    check_option("measure", measure, _NAMES)
    if not isinstance(sample, ScoredSample) or isinstance(sample, SiteSketch):
        raise InvalidOptionError(
            "The rows of the site are needed, as a sample or a scanned table; got "
            f"{type(sample).__name__}."
        )
    if not isinstance(pooled, SiteSketch):
        raise InvalidOptionError(
            f"{named('pooled')} must be the pooled table, as rs.SiteSketch.load reads it, got "
            f"{type(pooled).__name__}."
        )
    if not isinstance(site, str) or not site.strip():
        raise InvalidOptionError(f"{named('site')} must be the name of the site, got {site!r}.")
    refuse_design(sample)
    own = sample.only(pooled.markers)
    if own.is_clustered or (own.pos_label, own.neg_label, own.higher_is_positive) != (
        pooled.pos_label,
        pooled.neg_label,
        pooled.higher_is_positive,
    ):
        raise InvalidSampleError(
            "The rows must have the labels and directions of the pooled table, and no clusters."
        )
    k = len(pooled.markers)
    if k * min(own.n_pos, own.n_neg) <= n_sums(k):
        raise InvalidSampleError(
            f"{own.n_pos} positives and {own.n_neg} negatives are too few for {n_sums(k)} sums of "
            f"{k} markers, which could be solved for single patients; leave the site out of "
            "comparisons, or take fewer markers."
        )
    _, lookups = look_up(pooled, [(row, MEASURES[measure]) for row in range(k)])
    if isinstance(own, ScoredTable):
        sums = own.reduced_rows(lookups, _moment_sums, _joined_sums, sketches=pooled.sketches)
    else:
        sums = _moment_sums(iter([_rows(own, pooled, lookups)]))
    return SiteMoments(
        measure=measure,
        markers=pooled.markers,
        sums=tuple(sums),
        site=site,
        pooled=pooled.fingerprint,
        n_pos=own.n_pos,
        n_neg=own.n_neg,
    )


def _moment_sums(batches: Iterator[ValuedRows]) -> list[Floats]:
    """Return sums of products of two, three and four influence values, by class."""
    sums: list[Floats] = []
    for batch in batches:
        sums = sums or [np.zeros((2, *[len(batch.values)] * order)) for order in (2, 3, 4)]
        for s in slabs(batch.positive.size, _PIECE):
            _add(sums, batch, s)
    return sums


def _joined_sums(parts: list[list[Floats]]) -> list[Floats]:
    return [np.sum(some, axis=0) for some in zip(*(part for part in parts if part), strict=True)]


def _add(sums: Sequence[Floats], batch: ValuedRows, here: slice) -> None:
    k = len(batch.values)
    for c, mask in enumerate((~batch.positive[here], batch.positive[here])):
        own = batch.values[:, here][:, mask]
        count = 1.0 if batch.count is None else batch.count[here][mask]
        pairs = (own[:, np.newaxis] * own).reshape(k * k, -1)
        weighed = pairs * count
        sums[0][c] += (own * count) @ own.T
        sums[1][c] += (weighed @ own.T).reshape(k, k, k)
        sums[2][c] += (weighed @ pairs.T).reshape(k, k, k, k)


def _rows(own: ScoredSample, pooled: SiteSketch, lookups: Sequence[Lookup]) -> ValuedRows:
    values = np.empty(own.scores.shape)
    for line, scores, one, lookup in zip(values, own.scores, pooled.sketches, lookups, strict=True):
        place: Any = one.find(to_keys(scores))
        if place.min() < 0:
            raise InvalidSampleError(
                "Some scores of the site are not in the pooled table; the rows are not those of "
                "its sketch."
            )
        line[:] = np.where(own.positive, lookup.pos[place], lookup.neg[place])
    return ValuedRows(values=values, positive=own.positive, cluster=None, count=None)
