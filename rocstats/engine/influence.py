"""Influence: estimates with every subject's influence on them, from which all inference follows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks, slabs
from rocstats.data.sample import ScoredSample
from rocstats.engine.evaluation import ordered_influence, to_measure_scale
from rocstats.engine.measures import Measure
from rocstats.engine.windows import rests_on
from rocstats.errors import InvalidOptionError, NotPairedError, SmallSampleWarning, warn_user

__all__ = ["Influence", "contrast_weights", "sample_influence"]

Row = tuple[str, str]
Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence:
    """Estimates that share subjects, and each subject's influence on each of them.

    Attributes
    ----------
    estimate : array of shape (r,)
        The estimates.
    values : array of shape (r, N)
        Influence: structural components less the estimate, so every row averages to zero within
        every stratum; zero for a subject that has no part in the row.
    stratum : array of int of shape (N,)
        The stratum of every subject (0 negative, 1 positive; a joined sample has its own); strata
        are sampled independently.
    rows : tuple of (str, str)
        Pairs (classifier, measure).
    subject : array of shape (N,) or None
        Ids of the subjects.
    cluster : array of int of shape (N,) or None
        Code of the cluster every subject belongs to.
    share : float or array
        The share of each stratum on which the variance of a row rests: less than 1 for a partial
        area, as influence varies within its window only; any shape that spreads to (r, s).

    See Also
    --------
    Estimate : One measure of one classifier.
    Comparison : Classifiers on the same subjects.
    """

    estimate: Floats
    values: Floats
    stratum: Codes
    rows: tuple[Row, ...]
    subject: NDArray[Any] | None = None
    cluster: Codes | None = None
    share: Floats | float = 1.0

    def covariance(self) -> Floats:
        """Return the (r, r) covariance of the estimates.

        The covariance within each stratum over its size; for the AUC this is DeLong, DeLong &
        Clarke-Pearson (1988). With clusters, influence is summed within a cluster first, and
        clusters with subjects of several strata add terms across them (Obuchowski 1997). Nan
        where a stratum has one unit.
        """
        total: Floats = self.covariance_terms().sum(axis=0)
        return total

    def covariance_terms(self) -> Floats:
        """Return the covariance as (r, r) terms: one for each stratum, the last across strata."""
        sizes = _sizes(self.stratum)
        units = sizes if self.cluster is None else self.units()
        terms = np.zeros((units.size + 1, len(self.rows), len(self.rows)))
        if units.min() < 2:
            warn_user(
                "A class has one subject or cluster only, so every covariance is nan.",
                SmallSampleWarning,
            )
            return np.full_like(terms, math.nan)
        if self.cluster is None:
            for s in slabs(self.stratum.size):
                for k in range(units.size):
                    here = self.values[:, s] * (self.stratum[s] == k)
                    for i, row in enumerate(here):  # einsum: BLAS threads would cost more
                        terms[k, i, i:] += np.einsum("n,jn->j", row, here[i:])
            terms += np.triu(terms, 1).transpose(0, 2, 1)
            terms[:-1] /= (sizes * (sizes - 1.0))[:, np.newaxis, np.newaxis]
            return terms
        clusters = int(self.cluster.max()) + 1
        code = self.stratum * clusters + self.cluster
        sums = np.empty((len(self.rows), units.size, clusters))
        for i, row in enumerate(self.values):
            sums[i] = np.bincount(code, row, minlength=sums[i].size).reshape(units.size, clusters)
        sums /= sizes[:, np.newaxis]
        present = np.bincount(code, minlength=units.size * clusters).reshape(units.size, -1) > 0
        for k, size in enumerate(units):
            terms[k] = size / (size - 1.0) * (sums[:, k] @ sums[:, k].T)
            for other in range(k):
                both = np.count_nonzero(present[k] | present[other])
                across = sums[:, k] @ sums[:, other].T
                terms[-1] += both / (both - 1.0) * (across + across.T)
        return terms

    def units(self) -> Codes:
        """Return the number of independent units, subjects or clusters, in each stratum."""
        if self.cluster is None:
            return _sizes(self.stratum)
        pairs = np.unique(np.stack([self.stratum, self.cluster]), axis=1)
        return np.bincount(pairs[0])

    def support(self) -> Floats:
        """Return the (r, strata) number of units on which the variance of each row rests."""
        units = self.units().tolist()
        lines = [[*map(rests_on, units, line)] for line in self._shares().tolist()]
        return np.array(lines, dtype=np.float64)

    def _shares(self) -> Floats:
        shape = len(self.rows), int(self.stratum.max()) + 1
        return np.broadcast_to(np.asarray(self.share, dtype=np.float64), shape)

    def most_df(self) -> float:
        """Return how many degrees of freedom there can be at most: clusters less one, or inf."""
        return math.inf if self.cluster is None else float(np.unique(self.cluster).size - 1)

    def capacity(self) -> float:
        """Return how many contrasts so many units can tell apart at most."""
        units = self.units()
        return min(float(units.sum() - units.size), self.most_df())

    def correlation(self) -> Floats:
        """Return the (r, r) correlation of the estimates; nan beside one without variance.

        Rows of extreme size are scaled first, so any unit of the scores will do.
        """
        covariance = self.scaled()[0].covariance()
        spread = np.sqrt(np.diag(covariance))
        known = np.outer(spread, spread) > 0.0
        result = np.full_like(covariance, math.nan)
        np.divide(covariance, np.outer(spread, spread), out=result, where=known)
        return result

    def scaled(self) -> tuple[Influence, Floats]:
        """Return the influence with rows of extreme size brought to 1, and their divisors.

        Squares of what remains cannot leave the doubles.
        """
        peak = np.maximum(self.values.max(axis=1), -self.values.min(axis=1))
        size = np.where((peak > 0.0) & ((peak < 1e-75) | (peak > 1e75)), peak, 1.0)
        if (size == 1.0).all():
            return self, size
        return replace(self, values=self.values / size[:, np.newaxis]), size

    def contrast(self, matrix: ArrayLike, *, rows: Sequence[Row] | None = None) -> Influence:
        """Return the influence of the linear combinations ``matrix @ estimate``.

        Parameters
        ----------
        matrix : array-like of shape (r,) or (c, r)
            One weight for each row, or several lines of them.
        rows : sequence of (str, str), optional
            Names of the combinations, as (classifier, measure).

        Returns
        -------
        Influence
            One row for each combination.
        """
        weights = contrast_weights(matrix, len(self.rows))
        names = rows or [(f"contrast {i + 1}", "") for i in range(weights.shape[0])]
        if len(names) != weights.shape[0]:
            raise InvalidOptionError(
                f"There are {weights.shape[0]} contrasts but {len(names)} names for them."
            )
        return replace(
            self,
            estimate=weights @ self.estimate,
            values=np.einsum("cr,rn->cn", weights, self.values),
            rows=tuple(names),
            share=_least(self._shares(), weights),
        )

    def select(self, rows: Sequence[int]) -> Influence:
        """Return some of the rows, by position.

        Parameters
        ----------
        rows : sequence of int
            Positions of the rows.

        Returns
        -------
        Influence
            Those rows.
        """
        chosen = list(rows)
        return replace(
            self,
            estimate=self.estimate[chosen],
            values=self.values[chosen],
            rows=tuple(self.rows[i] for i in chosen),
            share=self._shares()[chosen],
        )

    def join(self, other: Influence) -> Influence:
        """Return the rows of both.

        Where both carry subject ids and share some, those subjects are one and make the estimates
        dependent; otherwise the subjects are all different and the estimates independent.

        Parameters
        ----------
        other : Influence
            Estimates on the same, on other, or on some of the same subjects.

        Returns
        -------
        Influence
            The rows of this one, then those of the other.
        """
        if other is self:
            raise NotPairedError("An influence cannot be joined with itself, as if independent.")
        if self.subject is not None and other.subject is not None:
            if _are_numbers(self.subject) != _are_numbers(other.subject):
                raise NotPairedError(
                    "One sample has numbers as subject ids and the other has words, so their "
                    "subjects cannot be told apart; make them of one kind."
                )
            if np.isin(self.subject, other.subject).any():
                return _join_overlapping(self, other)
        offset = int(self.stratum.max()) + 1
        cluster = None
        if self.cluster is not None or other.cluster is not None:
            first, second = (
                np.arange(i.stratum.size) if i.cluster is None else i.cluster for i in (self, other)
            )
            cluster = np.concatenate([first, second + int(first.max()) + 1])
        return Influence(
            estimate=np.concatenate([self.estimate, other.estimate]),
            values=_block_diagonal(self.values, other.values),
            stratum=np.concatenate([self.stratum, other.stratum + offset]),
            rows=self.rows + other.rows,
            cluster=cluster,
            share=_block_diagonal(self._shares(), other._shares(), fill=1.0),
        )


def _sizes(stratum: Codes) -> Codes:
    return np.array([np.count_nonzero(stratum == k) for k in range(int(stratum.max()) + 1)])


def _least(shares: Floats, weights: Floats) -> Floats:
    """Return the least share in each stratum of the rows that a contrast is made of."""
    return np.array([shares[line != 0.0].min(axis=0, initial=1.0) for line in weights])


def contrast_weights(matrix: Any, rows: int) -> Floats:
    """Return a contrast matrix of finite numbers with one column a row, or refuse it."""
    try:
        weights = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
    except (TypeError, ValueError):
        weights = np.zeros((0, 0))
    if weights.ndim != 2 or weights.shape[1] != rows or not weights.size:
        raise InvalidOptionError(
            f"A contrast needs one number for each of the {rows} rows, got {matrix!r}."
        )
    if not np.isfinite(weights).all():
        raise InvalidOptionError(f"The weights of a contrast must be finite, got {matrix!r}.")
    return weights


def _are_numbers(ids: NDArray[Any]) -> bool:
    if ids.dtype.kind == "O":
        return not any(isinstance(v, (str, bytes)) for v in ids.tolist())
    return ids.dtype.kind not in "US"


def _block_diagonal(a: Floats, b: Floats, fill: float = 0.0) -> Floats:
    whole = np.full((a.shape[0] + b.shape[0], a.shape[1] + b.shape[1]), fill)
    whole[: a.shape[0], : a.shape[1]] = a
    whole[a.shape[0] :, a.shape[1] :] = b
    return whole


def _join_overlapping(a: Influence, b: Influence) -> Influence:
    """Join on subject ids; each row keeps its own variance whatever the size of the union."""
    if a.subject is None or b.subject is None:
        raise NotPairedError("Samples can be joined by subject only where both have subject ids.")
    if a.cluster is not None or b.cluster is not None:
        raise NotPairedError("Clustered samples that share subjects cannot be joined.")
    ids, code = np.unique(np.concatenate([a.subject, b.subject]), return_inverse=True)
    code_a, code_b = code[: a.subject.size], code[a.subject.size :]
    if np.unique(code_a).size < code_a.size or np.unique(code_b).size < code_b.size:
        raise NotPairedError("A subject id is there twice within one sample; ids must differ.")
    stratum = np.full(ids.size, -1, dtype=np.intp)
    stratum[code_a] = a.stratum
    clash = (stratum[code_b] >= 0) & (stratum[code_b] != b.stratum)
    if clash.any():
        raise NotPairedError(
            f"Subject {ids[code_b[clash][0]]} is positive in one sample and negative in the other; "
            "a subject must have one true class."
        )
    stratum[code_b] = b.stratum
    values = np.zeros((len(a.rows) + len(b.rows), ids.size))
    union = np.bincount(stratum)
    for part, codes, rows in (
        (a, code_a, slice(0, len(a.rows))),
        (b, code_b, slice(len(a.rows), None)),
    ):
        own = part.units().astype(np.float64)
        if own.min() < 2.0:
            warn_user(
                "A class of one sample has one subject only, so every covariance is nan.",
                SmallSampleWarning,
            )
            own[:] = math.nan
        scale = np.sqrt(union * (union - 1.0) / (own * (own - 1.0)))
        values[rows, codes] = part.values * scale[part.stratum]
    return Influence(
        estimate=np.concatenate([a.estimate, b.estimate]),
        values=values,
        stratum=stratum,
        rows=a.rows + b.rows,
        subject=ids,
        share=np.concatenate([a._shares(), b._shares()]),
    )


def sample_influence(
    sample: ScoredSample,
    rows: Sequence[tuple[int, Measure]],
    *,
    watch: Callable[[int, Blocks], None] | None = None,
) -> Influence:
    """Return the joint influence of (marker row, measure) pairs.

    Each marker is sorted once; `watch` is shown its blocks.
    """
    estimate = np.empty(len(rows))
    values = np.empty((len(rows), sample.positive.size))
    for marker in dict.fromkeys(marker for marker, _ in rows):
        blocks = sample.blocks(marker, ordered=True)
        if watch is not None:
            watch(marker, blocks)
        for i, (row, measure) in enumerate(rows):
            if row == marker:
                scaled = to_measure_scale(measure, blocks, flipped=sample.is_flipped(marker))
                estimate[i], ordered = ordered_influence(measure, scaled)
                values[i, blocks.order] = ordered
    return Influence(
        estimate=estimate,
        values=values,
        stratum=sample.positive.astype(np.intp),
        rows=tuple((sample.markers[row], measure.name) for row, measure in rows),
        subject=sample.subject,
        cluster=sample.cluster,
        share=np.array([measure.shares for _, measure in rows]),
    )
