"""SiteSketch: what a site tells of its subjects, counts by score and no rows."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.columns import as_doubles
from rocstats.data.sample import (
    Dropped,
    NanPolicy,
    Orientation,
    ScoredSample,
    as_sample,
    refuse_design,
)
from rocstats.data.scan.array_batches import Labels, read_batch
from rocstats.data.scan.interval_bins import add_sketches, with_least_count
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.scored_table import ScoredTable
from rocstats.data.scan.site_files import sketch_content, sketch_parts
from rocstats.data.scan.sketches import BUDGET, Sketch, count_keys
from rocstats.data.scan.versioned_json import read_json, write_json
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    check_count,
    named,
    shown,
)

__all__ = ["SiteSketch", "all_dropped", "joined_parts", "sketch"]


class SiteSketch(ScoredTable):
    """Counts of both classes by score that can leave a site, be saved, and be added up.

    Build it with `sketch`. It stands wherever a `ScoredTable` does, one marker at a time.

    Attributes
    ----------
    markers : tuple of str
        Names of the markers.
    higher_is_positive : tuple of bool
        False where a low score speaks for the positive class.
    pos_label, neg_label : label
        The labels as they were given.
    dropped : Dropped
        What ``nan_policy="omit"`` left out.
    site : str or None
        The name of the site.
    least_count : int
        Every bin holds so many positives and so many negatives; 1 where every score is counted.
    positive, scores : array
        Refused: there are no rows.
    cluster, subject, weights, strata, nuisance, adjustment, kept : None
        A sketch has none of them.
    cluster_ids : tuple
        Empty.
    covariates : mapping
        Empty.
    weightless : int
        0.

    See Also
    --------
    sketch : Count the scores of a sample or a table.
    pool : Put the sketches of several sites together.
    """

    __slots__ = ("least_count", "site")

    site: str | None
    least_count: int

    def __init__(self, *, site: str | None = None, least_count: int = 1, **parts: Any) -> None:
        ScoredTable.__init__(self, **parts)
        object.__setattr__(self, "site", site)
        object.__setattr__(self, "least_count", least_count)

    @property
    def sketches(self) -> tuple[Sketch, ...]:
        """The counts of every marker."""
        return self._sketches

    @property
    def fingerprint(self) -> str:
        """A short word for the counts: two sketches that count alike have the same."""
        digest = hashlib.sha256(repr((self.markers, self.higher_is_positive)).encode())
        for one in self._sketches:
            for array in (one.least(), one.largest(), one.n_pos, one.n_neg):
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def merge(self, *others: SiteSketch) -> SiteSketch:
        """Return the counts of this and others together; their order is no matter.

        Parameters
        ----------
        *others : SiteSketch
            Sketches of other subjects, with the same markers and labels.

        Returns
        -------
        SiteSketch
            All subjects, under the name of this site.
        """
        parts = joined_parts([self, *others])
        return SiteSketch(site=self.site, **parts)

    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        nan_policy: NanPolicy = "raise",
        budget: int = BUDGET,
    ) -> SiteSketch:
        """Return the sketch with a batch more, which may have one class only.

        Parameters
        ----------
        y_true : array-like of shape (N,)
            The labels of the batch: those of the sketch.
        y_score : array-like of shape (N,), mapping or data frame
            The scores of the marker, or of all by name.
        nan_policy : {"raise", "omit"}, default "raise"
            Refuse missing values, or leave out every subject that has one and count it.
        budget : int, default 2**21
            Distinct scores of a marker that are counted; more are counted in bins.

        Returns
        -------
        SiteSketch
            A new one; this one stays as it is.
        """
        if self.least_count > 1:
            raise InvalidOptionError(
                f"A sketch with {named('least_count')} cannot take single subjects, whose counts "
                "would be told by the difference; update one that has none, and pass it to "
                "rs.sketch."
            )
        budget = check_count("budget", budget, least=2, most=2**31)
        labels = Labels(positive=self.pos_label, negative=self.neg_label)
        batch = read_batch(y_true, y_score, labels, nan_policy=nan_policy, markers=self.markers)
        added = [
            add_sketches([one, count_keys(to_keys(row), batch.positive)]).within(budget)
            for one, row in zip(self._sketches, batch.scores, strict=True)
        ]
        return SiteSketch(
            site=self.site,
            **{
                **_parts(self),
                "sketches": tuple(added),
                "dropped": all_dropped([self.dropped, batch.dropped]),
            },
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the sketch as JSON, whole or not at all, and return where.

        Parameters
        ----------
        path : str or path
            The file, ending in .json.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        return write_json(path, sketch_content(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SiteSketch:
        """Read a sketch that was saved; anything that does not add up is refused.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        SiteSketch
            The sketch.
        """
        return SiteSketch(**sketch_parts(read_json(path, "rocstats sketch"), str(path)))

    def only(self, markers: Any) -> SiteSketch:
        """Return the sketch with some of its markers, in the order given.

        Parameters
        ----------
        markers : str, int, or several
            Names of the markers, or their rows.

        Returns
        -------
        SiteSketch
            The same subjects, and these markers.
        """
        found = ScoredTable.only(self, markers)
        return SiteSketch(site=self.site, least_count=self.least_count, **_parts(found))

    @property
    def design(self) -> str:
        """What is not exact, in words; empty where every distinct score is counted."""
        told = ScoredTable.design.fget(self)  # type: ignore[attr-defined]
        if self.least_count > 1:
            told += f", each with at least {self.least_count} subjects of either class"
        return str(told)

    def __repr__(self) -> str:
        name = "SiteSketch" if self.site is None else f"SiteSketch {self.site}"
        return ScoredTable.__repr__(self).replace("ScoredTable:", f"{name}:", 1)


def _parts(table: ScoredTable) -> dict[str, Any]:
    """Return what a table is made of, but for its rows."""
    return {
        "markers": table.markers,
        "higher_is_positive": table.higher_is_positive,
        "pos_label": table.pos_label,
        "neg_label": table.neg_label,
        "dropped": table.dropped,
        "sketches": tuple(table.sketch_of(row) for row in range(len(table.markers))),
    }


def all_dropped(given: list[Dropped]) -> Dropped:
    """Return what several left out, together."""
    missing: Counter[str] = Counter()
    for one in given:
        missing.update(dict(one.missing))
    return Dropped(n=sum(one.n for one in given), missing=tuple(missing.items()))


def joined_parts(given: list[SiteSketch]) -> dict[str, Any]:
    """Return the parts of a sketch of all subjects, with the markers in the order of the first."""
    first = given[0]
    for one in given:
        if not isinstance(one, SiteSketch):
            raise InvalidOptionError(
                f"Sketches are put together, got {type(one).__name__}; make one with rs.sketch, or "
                "read it with rs.SiteSketch.load."
            )
        who = "A sketch" if one.site is None else f"The sketch of {one.site}"
        if set(one.markers) != set(first.markers):
            raise InvalidSampleError(
                f"{who} has the markers {', '.join(one.markers)}, and another "
                f"{', '.join(first.markers)}; count the same at every site."
            )
        labels = (one.pos_label, one.neg_label), (first.pos_label, first.neg_label)
        if labels[0] != labels[1]:
            raise InvalidSampleError(
                f"{who} has the labels {labels[0][0]!r} and {labels[0][1]!r}, and another "
                f"{labels[1][0]!r} and {labels[1][1]!r}; code the outcome alike at every site."
            )
    ordered = [one if one.markers == first.markers else one.only(first.markers) for one in given]
    for one in ordered:
        if one.higher_is_positive != first.higher_is_positive:
            raise InvalidSampleError(
                "A marker speaks for the positive class by high scores at one site and by low "
                "scores at another; say it alike at every site."
            )
    return {
        **_parts(first),
        "dropped": all_dropped([one.dropped for one in ordered]),
        "sketches": tuple(
            add_sketches(one.sketch_of(row) for one in ordered) for row in range(len(first.markers))
        ),
        "least_count": min(one.least_count for one in ordered),
    }


def sketch(
    y_true: Any,
    y_score: Any = None,
    *,
    least_count: int = 1,
    cuts: Sequence[float] | None = None,
    site: str | None = None,
    pos_label: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    budget: int = BUDGET,
) -> SiteSketch:
    """Count the scores of a sample by class, so that counts leave a site and rows do not.

    Parameters
    ----------
    y_true : array-like of shape (N,), ScoredSample, ScoredTable or SiteSketch
        Labels of two classes; or a sample or table, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    least_count : int, default 1
        Every bin holds at least so many positives and so many negatives; 1 counts every distinct
        score, which is exact, and tells of single patients.
    cuts : sequence of float, optional
        Where bins may be cut, the most important first; sites that agree on cuts agree on bins.
        By default round numbers, as many as the least count allows.
    site : str, optional
        The name of the site.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.
    budget : int, default 2**21
        Distinct scores of a marker that are counted; more are counted in bins, which is said.

    Returns
    -------
    SiteSketch
        Counts by score, which stand wherever a table does.

    See Also
    --------
    pool : Put the sketches of several sites together.
    stratified_auc : The AUC of pairs within sites.
    monitor : Watch a model in production.

    Notes
    -----
    What a least count protects from, and what it does not, is in docs/howto/several_sites.md. How
    bins are chosen is in STATISTICS.md 21.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.sketch([1, 1, 0, 0], [3.0, 2.0, 2.0, 1.0], site="Leeds")
    SiteSketch Leeds: 2 positives (1), 2 negatives (0); markers score; no subject dropped
    """
    least = check_count("least_count", least_count, least=1, most=10**9)
    budget = check_count("budget", budget, least=2, most=2**31)
    edges = None if cuts is None else _read_cuts(cuts)
    if site is not None and not (isinstance(site, str) and site.strip()):
        raise InvalidOptionError(f"{named('site')} must be the name of the site, got {site!r}.")
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    refuse_design(sample)
    if sample.is_clustered:
        raise InvalidOptionError(
            "The sample has clusters, which counts by score do not tell; a sketch would answer as "
            "if all subjects were independent."
        )
    if isinstance(sample, SiteSketch):
        site, least = site or sample.site, max(least, sample.least_count)
    found = [one.within(budget) for one in _counts(sample)]
    if edges is not None or (least > 1 and getattr(sample, "least_count", 1) < least):
        found = [with_least_count(one, least, edges) for one in found]
    parts = {
        name: getattr(sample, name)
        for name in ("markers", "higher_is_positive", "pos_label", "neg_label", "dropped")
    }
    return SiteSketch(site=site, least_count=least, sketches=tuple(found), **parts)


def _read_cuts(cuts: Sequence[float]) -> Floats:
    edges = as_doubles(cuts)
    if edges.ndim != 1 or not edges.size or not np.isfinite(edges).all():
        raise InvalidOptionError(
            f"{named('cuts')} must be scores at which bins may be cut, got {shown(cuts)}."
        )
    return edges


def _counts(sample: ScoredSample) -> list[Sketch]:
    rows = range(len(sample.markers))
    if isinstance(sample, ScoredTable):
        return [sample.sketch_of(row) for row in rows]
    return [count_keys(to_keys(sample.scores[row]), sample.positive) for row in rows]
