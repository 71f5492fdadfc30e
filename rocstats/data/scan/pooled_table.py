"""Sketches of several sites put together: a table of all their subjects, without a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rocstats.data.scan.looked_up import Lookup
from rocstats.data.scan.shared_moments import SharedMoments, SiteMoments, add_moments
from rocstats.data.scan.site_sketch import SiteSketch, joined_parts
from rocstats.data.scan.sketches import Sketch
from rocstats.errors import InvalidOptionError, InvalidSampleError, listed, named

__all__ = ["PooledTable", "pool"]


class PooledTable(SiteSketch):
    """Subjects of several sites together, known by the counts that each of them sent.

    Build it with `pool`. It stands wherever a `ScoredTable` does.

    Attributes
    ----------
    markers : tuple of str
        Names of the markers.
    higher_is_positive : tuple of bool
        False where a low score speaks for the positive class.
    pos_label, neg_label : label
        The labels as they were given.
    dropped : Dropped
        What ``nan_policy="omit"`` left out, at all sites.
    sites : tuple of SiteSketch
        The sites, each with a name.
    moments : SharedMoments or None
        What the sites told in a second round, for comparisons of markers.
    site : None
        There are several.
    least_count : int
        The smallest of the sites.
    positive, scores : array
        Refused: there are no rows.
    cluster, subject, weights, strata, nuisance, adjustment, kept : None
        A pooled table has none of them.
    cluster_ids : tuple
        Empty.
    covariates : mapping
        Empty.
    weightless : int
        0.

    See Also
    --------
    pool : Put the sketches of several sites together.
    stratified_auc : The AUC of pairs within sites.
    """

    __slots__ = ("moments", "sites")

    sites: tuple[SiteSketch, ...]
    moments: SharedMoments | None

    def __init__(
        self,
        *,
        sites: tuple[SiteSketch, ...],
        moments: SharedMoments | None = None,
        **parts: Any,
    ) -> None:
        SiteSketch.__init__(self, **parts)
        object.__setattr__(self, "sites", sites)
        object.__setattr__(self, "moments", moments)

    @property
    def design(self) -> str:
        """That sites are pooled, and what is not exact, in words."""
        exact = SiteSketch.design.fget(self)  # type: ignore[attr-defined]
        told = [f"{len(self.sites)} sites pooled", *([exact] if exact else [])]
        return "; ".join(told)

    def only(self, markers: Any) -> PooledTable:
        """Return the table with some of its markers, in the order given.

        Parameters
        ----------
        markers : str, int, or several
            Names of the markers, or their rows.

        Returns
        -------
        PooledTable
            The same subjects, and these markers.
        """
        names = [markers] if isinstance(markers, int | str) else list(markers)
        names = [self.markers[one] if isinstance(one, int) else one for one in names]
        sites = tuple(one.only(names) for one in self.sites)
        return PooledTable(sites=sites, moments=self.moments, **joined_parts(list(sites)))

    def told_moments(self, rows: Sequence[tuple[str, Any]]) -> SharedMoments | None:
        """Return what the sites told of these markers and measure, if they did.

        Parameters
        ----------
        rows : sequence of (str, Measure)
            Markers, each with its measure.

        Returns
        -------
        SharedMoments or None
            Sums over the subjects of all sites.
        """
        known = self.moments
        if known is None or any(measure.name != known.measure for _, measure in rows):
            return None
        return known.only([name for name, _ in rows])

    def reduced_rows(
        self,
        lookups: Sequence[Lookup],
        work: Callable[..., Any],
        join: Callable[..., Any],
        *,
        sketches: tuple[Sketch, ...] | None = None,
    ) -> Any:
        """Refuse: the sites have the rows.

        Parameters
        ----------
        lookups : sequence of Lookup
            A marker, and a value for each of its scores.
        work, join : callable
            What is made of rows, and of several answers.
        sketches : tuple of Sketch, optional
            By whose bins they are looked up.

        Returns
        -------
        object
            Never.
        """
        raise InvalidOptionError(
            "Counts by score do not tell how markers go together; send the pooled table to every "
            "site, which answers with rs.site_moments, and pass the answers to rs.pool as "
            f"{named('moments')}."
        )

    def __repr__(self) -> str:
        return SiteSketch.__repr__(self).replace("SiteSketch:", "PooledTable:", 1)


def pool(
    sketches: Iterable[SiteSketch], *, moments: Iterable[SiteMoments] | None = None
) -> PooledTable:
    """Put the sketches of several sites together, as one table of all their subjects.

    Parameters
    ----------
    sketches : iterable of SiteSketch
        One for each site, with the same markers and labels. Sites without a name are numbered.
    moments : iterable of SiteMoments, optional
        What every site told in a second round, for comparisons of markers.

    Returns
    -------
    PooledTable
        It stands wherever a table does: `auc`, `roc_curve`, `operating_points` and others.

    See Also
    --------
    sketch : Count the scores of a sample or a table.
    stratified_auc : The AUC of pairs within sites.
    site_moments : What a site tells of several markers together.

    Notes
    -----
    Where every site counts every score, answers are those of all rows together, to the last bit of
    the AUC. Where a site has bins, bins that overlap become one, and the answers say between which
    values they lie. The pooled AUC has pairs of a positive of one site and a negative of another;
    `stratified_auc` has pairs within sites only (STATISTICS.md 21).

    Examples
    --------
    >>> import rocstats as rs
    >>> leeds = rs.sketch([1, 1, 0, 0], [4, 2, 3, 1], site="Leeds")
    >>> turin = rs.sketch([1, 0, 0], [9, 8, 7], site="Turin")
    >>> pooled = rs.pool([leeds, turin])
    >>> pooled
    PooledTable: 3 positives (1), 4 negatives (0); markers score; no subject dropped; 2 sites pooled
    >>> round(rs.auc(pooled).value, 4), round(rs.stratified_auc(pooled).value, 4)
    (0.5833, 0.8333)
    """
    if isinstance(sketches, SiteSketch) or not isinstance(sketches, Iterable):
        raise InvalidOptionError(
            f"{named('sketches')} must be a list of sketches, one for each site, got "
            f"{type(sketches).__name__}."
        )
    given = list(sketches)
    if len(given) < 2:
        raise InvalidOptionError(
            f"Sketches of two sites or more are pooled, got {len(given)}; one stands alone."
        )
    parts = joined_parts(given)
    sites = tuple(_named(one, i) for i, one in enumerate(given, 1))
    names = [one.site for one in sites]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InvalidSampleError(
            f"The site {twice[0]!r} is there twice; its subjects would be counted twice, so give "
            "sites names of their own."
        )
    table = PooledTable(sites=sites, **parts)
    if moments is None:
        return table
    told = list(moments)
    for one in told:
        if not isinstance(one, SiteMoments):
            raise InvalidOptionError(
                f"{named('moments')} must be answers of rs.site_moments, got {type(one).__name__}."
            )
        if one.pooled != table.fingerprint:
            raise InvalidSampleError(
                f"The moments of {one.site} were made with another pooled table; send this one to "
                "every site, and ask again."
            )
    lacking = set(names) ^ {one.site for one in told}
    if lacking or len(told) != len(names):
        raise InvalidSampleError(
            f"Moments are needed of every site, once; it is not so of "
            f"{listed(sorted(map(str, lacking)) or ['one of them'])}."
        )
    for one in told:
        own = sites[names.index(one.site)]
        if (one.n_pos, one.n_neg) != (own.n_pos, own.n_neg):
            raise InvalidSampleError(
                f"The moments of {one.site} are of {one.n_pos} positives and {one.n_neg} "
                f"negatives, and its sketch of {own.n_pos} and {own.n_neg}; ask again."
            )
    return PooledTable(sites=sites, moments=add_moments(told), **parts)


def _named(one: SiteSketch, number: int) -> SiteSketch:
    if one.site is not None:
        return one
    return SiteSketch(
        site=f"site {number}",
        least_count=one.least_count,
        markers=one.markers,
        higher_is_positive=one.higher_is_positive,
        pos_label=one.pos_label,
        neg_label=one.neg_label,
        dropped=one.dropped,
        sketches=one.sketches,
    )
