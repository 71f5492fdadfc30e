"""Influence: estimates with every subject's influence on them, from which all inference follows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.adjustment import Adjustment
from rocstats.data.blocks import Blocks, slabs
from rocstats.data.columns import as_doubles
from rocstats.data.sample import ScoredSample
from rocstats.data.subject_weights import Nuisance
from rocstats.engine.adjusted_measures import adjusted_influence, adjusted_strata
from rocstats.engine.compiled import add_products, combined_tails
from rocstats.engine.evaluation import (
    Summary,
    ordered_influence,
    summarise_unsorted,
    to_measure_scale,
)
from rocstats.engine.measures import Measure
from rocstats.engine.variances import influence_df, tailed_df
from rocstats.engine.windows import rests_on
from rocstats.errors import InvalidOptionError, NotPairedError, SmallSampleWarning, warn_user

if TYPE_CHECKING:
    from rocstats.engine.joined_subjects import Strata

__all__ = ["Influence", "contrast_weights", "sample_influence"]

Row = tuple[str, str]
Codes = NDArray[np.intp]

_DUST = 1e-12  # rounding of weights and shares, beside what an estimate may be


@dataclass(frozen=True, kw_only=True, eq=False)
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
        The stratum of every subject (0 negative, 1 positive; a joined sample without a common
        subject has its own); strata are sampled independently.
    rows : tuple of (str, str)
        Pairs (classifier, measure).
    subject : array of shape (N,) or None
        Ids of the subjects; None also in the place of an id that is not known.
    cluster : array of int of shape (N,) or None
        Code of the cluster every subject belongs to.
    share : float or array
        The share of each stratum on which the variance of a row rests: less than 1 for a partial
        area, as influence varies within its window only, and for a row of some of the subjects; inf
        where the row has no part; any shape that spreads to (r, s).
    groups : tuple of int
        The first stratum of every group of samples, for samples joined without a common subject;
        the strata from there to the next are its classes.
    design : array of int of shape (N,) or None
        Code of the sampling stratum every subject, or its cluster, was drawn from.
    components : str
        What the values are called, in the words of a test.

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
    groups: tuple[int, ...] = (0,)
    design: Codes | None = None
    components: str = "DeLong's components"

    def covariance(self) -> Floats:
        """Return the (r, r) covariance of the estimates.

        The covariance within each stratum over its size; for the AUC this is DeLong, DeLong &
        Clarke-Pearson (1988). With clusters, influence is summed within a cluster first, and
        clusters with subjects of several strata add terms across them (Obuchowski 1997). With
        sampling strata the sums are centred within these, as in a survey. Nan where a stratum has
        one unit.
        """
        total: Floats = self.covariance_terms().sum(axis=0)
        return total

    def covariance_terms(self) -> Floats:
        """Return the covariance as (r, r) terms: one for each stratum, the last across strata."""
        units = self.units()
        if min(units.tolist()) < 2:
            _warn_of_one(units)
            return np.full((units.size + 1, len(self.rows), len(self.rows)), math.nan)
        return self._terms.copy()

    @cached_property
    def _terms(self) -> Floats:
        sizes, units = self._sizes, self.units()
        terms = np.zeros((units.size + 1, len(self.rows), len(self.rows)))
        if self.design is not None:
            return self._design_terms(terms, sizes, self.design)
        if self.cluster is None:
            if not add_products(self.values, self.stratum, terms[:-1]):
                _add_products(self.values, self.stratum, terms[:-1])
            _mirror(terms)
            terms[:-1] /= (sizes * (sizes - 1.0))[:, np.newaxis, np.newaxis]
            return terms
        clusters = int(self.cluster.max()) + 1
        code = self.stratum * clusters + self.cluster
        sums = np.empty((len(self.rows), units.size, clusters))
        for i, row in enumerate(self.values):
            sums[i] = np.bincount(code, row, minlength=sums[i].size).reshape(units.size, clusters)
        sums /= sizes[:, np.newaxis]
        present = self._members > 0
        for k, size in enumerate(units):
            terms[k] = size / (size - 1.0) * (sums[:, k] @ sums[:, k].T)
            for other in range(k):
                both = np.count_nonzero(present[k] | present[other])
                across = sums[:, k] @ sums[:, other].T
                terms[-1] += both / (both - 1.0) * (across + across.T)
        return terms

    def _design_terms(self, terms: Floats, sizes: Codes, design: Codes) -> Floats:
        """Return the terms where units were drawn within sampling strata (Taylor linearisation)."""
        unit = np.arange(design.size) if self.cluster is None else self.cluster
        of = np.zeros(int(unit.max()) + 1, dtype=np.intp)
        of[unit] = design
        drawn = np.bincount(of)
        sums = np.empty((sizes.size, len(self.rows), of.size))
        for k, size in enumerate(sizes.tolist()):
            for i, row in enumerate(self.values):
                total = np.bincount(unit, row * (self.stratum == k), minlength=of.size) / size
                total -= (np.bincount(of, total) / drawn)[of]
                sums[k, i] = total * np.sqrt(drawn / (drawn - 1.0))[of]
        for k in range(sizes.size):
            terms[k] = sums[k] @ sums[k].T
            for other in range(k):
                across = sums[k] @ sums[other].T
                terms[-1] += across + across.T
        return terms

    def units(self) -> Codes:
        """Return the number of independent units, subjects or clusters, in each stratum."""
        return self._sizes if self.cluster is None else self._clusters

    @cached_property
    def _sizes(self) -> Codes:
        return _sizes(self.stratum)

    @cached_property
    def _clusters(self) -> Codes:
        return np.asarray(np.count_nonzero(self._members, axis=1))

    @cached_property
    def _members(self) -> Codes:
        """Return the (strata, clusters) number of subjects of each cluster in each stratum."""
        if self.cluster is None:
            raise AttributeError("there are no clusters")
        shape = int(self.stratum.max()) + 1, int(self.cluster.max()) + 1
        code = self.stratum * shape[1] + self.cluster
        return np.bincount(code, minlength=shape[0] * shape[1]).reshape(shape)

    def n_clusters(self) -> int:
        """Return how many clusters there are."""
        return int(np.count_nonzero(self._members.any(axis=0)))

    def support(self) -> Floats:
        """Return the (r, strata) number of units on which the variance of each row rests."""
        return self._support(self._shares())

    def contrast_support(self, weights: Floats) -> Floats:
        """Return the number of units on which the variance of each contrast rests.

        Parameters
        ----------
        weights : (c, r) array
            The weights of the rows in each contrast.

        Returns
        -------
        (c, strata) array
            Units, by contrast and stratum.
        """
        if isinstance(self.share, float) and self.share >= 1.0:
            return np.array([self.units().tolist()] * len(weights), dtype=np.float64)
        return self._support(_least(self._shares(), weights))

    def _support(self, shares: Floats) -> Floats:
        units = self.units().tolist()
        shares = np.minimum(shares, 1.0)
        lines = [[*map(rests_on, units, line)] for line in shares.tolist()]
        return np.array(lines, dtype=np.float64)

    def _shares(self) -> Floats:
        shape = len(self.rows), self._sizes.size
        share = np.asarray(self.share, dtype=np.float64)
        return share if share.shape == shape else np.broadcast_to(share, shape)

    def most_df(self) -> float:
        """Return how many degrees of freedom there can be at most: clusters less one, or inf.

        With sampling strata, their units less the strata.
        """
        if self.cluster is None and self.design is None:
            return math.inf
        units = self.stratum.size if self.cluster is None else self.n_clusters()
        return float(units - (1 if self.design is None else np.unique(self.design).size))

    def tails(self) -> list[float]:
        """Return the degrees of freedom that the tails of the first row leave in each stratum."""
        return [float(tailed_df(self._unit_sums(k))) for k in range(self.units().size)]

    def contrast_tails(self, weights: Floats) -> list[float]:
        """Return the degrees of freedom that the tails of a contrast leave in each stratum.

        Parameters
        ----------
        weights : (r,) array
            The weights of the rows in the contrast.

        Returns
        -------
        list of float
            Degrees of freedom, by stratum.
        """
        if self.cluster is None:
            found = combined_tails(self.values, self.stratum, weights, self._sizes.size)
            if found is not None:
                return [float(df) for df in found]
        return self.contrast(weights).tails()

    def _unit_sums(self, stratum: int) -> Floats:
        """Return the influence of every subject of a stratum, or summed over its clusters."""
        here = self.stratum == stratum
        values: Floats = self.values[0, here]
        if self.cluster is not None:
            _, code = np.unique(self.cluster[here], return_inverse=True)
            values = np.bincount(code, values).astype(np.float64)
        return values

    def tailed_df(self) -> float:
        """Return the degrees of freedom of the first row's variance, as its tails have them."""
        return influence_df(self.values[0], self.stratum)

    def acceleration(self, row: int) -> float:
        """Return ``sum l**3 / (6 (sum l**2)**1.5)`` over the shares l of the independent units.

        Parameters
        ----------
        row : int
            Row of the influence.

        Returns
        -------
        float
            The acceleration of a BCa interval (Efron 1987); nan where nothing varies.
        """
        shares = self.values[row] / np.bincount(self.stratum)[self.stratum]
        if self.cluster is not None:
            shares = np.bincount(self.cluster, shares)
        scale = float(np.abs(shares).max())
        if not scale > 0.0:
            return math.nan
        shares = shares / scale
        return float((shares**3).sum() / (6.0 * (shares**2).sum() ** 1.5))

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
        np.fill_diagonal(result, np.where(spread > 0.0, 1.0, math.nan))
        return np.clip(result, -1.0, 1.0)

    def scaled(self) -> tuple[Influence, Floats]:
        """Return the influence with rows of extreme size brought to 1, and their divisors.

        Squares of what remains cannot leave the doubles.
        """
        ends = np.maximum.reduce(self.values, axis=1), np.minimum.reduce(self.values, axis=1)
        peaks = map(max, ends[0].tolist(), (-ends[1]).tolist())
        each = [peak if 0.0 < peak < 1e-75 or peak > 1e75 else 1.0 for peak in peaks]
        size = np.array(each)
        if all(one == 1.0 for one in each):
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
        found = replace(
            self,
            estimate=weights @ self.estimate,
            values=np.einsum("cr,rn->cn", weights, self.values),
            rows=tuple(names),
            share=_least(self._shares(), weights),
        )
        found.__dict__["_sizes"] = self._sizes  # the subjects are the same
        return found

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
        part = _as_slice(chosen)
        found = replace(
            self,
            estimate=self.estimate[part],
            values=self.values[part],
            rows=tuple(self.rows[i] for i in chosen),
            share=self._shares()[part],
        )
        found.__dict__["_sizes"] = self._sizes  # the subjects are the same
        return found

    def join(self, *others: Influence) -> Influence:
        """Return the rows of all, on the union of their subjects.

        Subjects with the same id are one, and make the estimates dependent; each row keeps its own
        variance, whatever the size of the union. Subjects without ids are nobody else's. The order
        of joining, and whether it is done at once or one by one, matters not.

        Parameters
        ----------
        *others : Influence
            Estimates on the same, on other, or on some of the same subjects.

        Returns
        -------
        Influence
            The rows of this one, then those of the others.
        """
        from rocstats.engine.table_influence import MomentInfluence, as_moments

        if any(isinstance(other, MomentInfluence) for other in others):
            return as_moments(self).join(*others)
        return _join((self, *others))


def _known_shares(shares: list[tuple[float, float]]) -> Floats | float:
    """Return the share of each stratum by row, or 1 where every row rests on all of each."""
    return 1.0 if all(line == (1.0, 1.0) for line in shares) else np.array(shares)


def _as_slice(places: list[int]) -> slice | list[int]:
    """Return neighbouring places as a slice, which copies nothing; others as they are."""
    if not places or places[0] < 0 or places != [*range(places[0], places[0] + len(places))]:
        return places
    return slice(places[0], places[0] + len(places))


def _warn_of_one(units: Codes) -> None:
    """Warn that a stratum, of so many units each, has one only."""
    within, advice = "", ""
    if units.size > 2:
        within, advice = " within a fold or stratum", "; take fewer of them"
    warn_user(
        f"A class{within} has one subject or cluster only, so every covariance is nan{advice}.",
        SmallSampleWarning,
    )


def _add_products(values: Floats, stratum: Codes, terms: Floats) -> None:
    for s in slabs(stratum.size):
        for k, term in enumerate(terms):
            here = values[:, s] * (stratum[s] == k)
            for i, row in enumerate(here):  # einsum: BLAS threads would cost more
                term[i, i:] += np.einsum("n,jn->j", row, here[i:])


def _mirror(terms: Floats) -> None:
    """Fill in the lower halves of symmetric matrices."""
    for i in range(1, terms.shape[1]):
        terms[:, i, :i] = terms[:, :i, i]


def _sizes(stratum: Codes) -> Codes:
    return np.bincount(stratum)


def _least(shares: Floats, weights: Floats) -> Floats:
    """Return the least share in each stratum of the rows that a contrast is made of."""
    taking_part = weights[:, :, np.newaxis] != 0.0
    return np.asarray(np.minimum.reduce(np.where(taking_part, shares, math.inf), axis=1))


def contrast_weights(matrix: Any, rows: int) -> Floats:
    """Return a contrast matrix of finite numbers with one column a row, or refuse it."""
    weights = np.atleast_2d(as_doubles(matrix))
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


def _join(parts: Sequence[Influence]) -> Influence:
    from rocstats.engine.joined_subjects import check_shared, unite_subjects

    if len({id(part) for part in parts}) < len(parts):
        raise NotPairedError("An influence cannot be joined with itself, as if independent.")
    if any(part.design is not None for part in parts):
        raise NotPairedError(
            "Samples with sampling strata cannot be joined; compare markers within one sample."
        )
    (subject, known), strata = _all_ids(parts), _all_strata(parts)
    cluster = [np.arange(p.stratum.size) if p.cluster is None else p.cluster for p in parts]
    crowded = np.concatenate([np.bincount(codes)[codes] > 1 for codes in cluster])
    union = unite_subjects(strata, subject, known)
    check_shared(union, strata, subject, crowded)
    stratum = union.stratum[strata.of][union.first]
    own, whole = np.bincount(strata.of), np.bincount(stratum)[union.stratum]
    scale = _rescaling(own, whole, strata.sample, union.shared)
    values = np.zeros((sum(len(part.rows) for part in parts), stratum.size))
    share = np.full((values.shape[0], int(stratum.max()) + 1), math.inf)
    row = column = kind = 0
    for part in parts:
        here = slice(column, column + part.stratum.size)
        lines = slice(row, row + len(part.rows))
        kinds = slice(kind, kind + int(part.stratum.max()) + 1)
        values[lines, union.place[here]] = part.values * scale[strata.of[here]]
        np.minimum.at(
            share[lines].T,
            union.stratum[kinds],
            (part._shares() * (own / whole)[kinds]).T,
        )
        row, column, kind = lines.stop, here.stop, kinds.stop
    names = {part.components for part in parts}
    return Influence(
        estimate=np.concatenate([part.estimate for part in parts]),
        values=values,
        stratum=stratum,
        rows=tuple(row for part in parts for row in part.rows),
        subject=None if subject is None else subject[union.first],
        cluster=None if all(p.cluster is None for p in parts) else _follow(cluster)[union.first],
        share=share,
        groups=union.starts,
        components=names.pop() if len(names) == 1 else "structural components",
    )


def _all_ids(parts: Sequence[Influence]) -> tuple[NDArray[Any] | None, Bools]:
    """Return the ids of all samples, one after the other, and which of them are known."""
    there = [_has_id(part) for part in parts]
    ids = [p.subject[k] for p, k in zip(parts, there, strict=True) if p.subject is not None]
    if len({_are_numbers(some) for some in ids}) > 1:
        raise NotPairedError(
            "One sample has numbers as subject ids and the other has words, so their "
            "subjects cannot be told apart; make them of one kind."
        )
    known = np.concatenate(there)
    if not ids:
        return None, known
    found = np.concatenate(ids)
    if known.all():
        return found, known
    whole = np.full(known.size, None, dtype=object)
    whole[known] = found
    return whole, known


def _has_id(part: Influence) -> Bools:
    if part.subject is None:
        return np.zeros(part.stratum.size, dtype=np.bool_)
    if part.subject.dtype.kind != "O":
        return np.ones(part.stratum.size, dtype=np.bool_)
    return np.array([one is not None for one in part.subject.tolist()], dtype=np.bool_)


def _all_strata(parts: Sequence[Influence]) -> Strata:
    from rocstats.engine.joined_subjects import Strata

    sample: list[int] = []
    label: list[int] = []
    of = []
    for part in parts:
        of.append(part.stratum + len(sample))
        ends = (*part.groups[1:], int(part.stratum.max()) + 1)
        for start, end in zip(part.groups, ends, strict=True):
            sample += [max(sample, default=-1) + 1] * (end - start)
            label += range(end - start)
    return Strata(sample=np.array(sample), label=np.array(label), of=np.concatenate(of))


def _rescaling(own: Codes, whole: Codes, sample: Codes, shared: Bools) -> Floats:
    """Return what keeps the variance of a row over its own subjects, by stratum."""
    scale = np.ones(own.size)
    for one in np.unique(sample[shared]).tolist():
        here = sample == one
        size = own[here].astype(np.float64)
        if size.min() < 2.0:
            warn_user(
                "A class of one sample has one subject only, so every covariance is nan.",
                SmallSampleWarning,
            )
            size[:] = math.nan
        scale[here] = np.sqrt(whole[here] * (whole[here] - 1.0) / (size * (size - 1.0)))
    return scale


def _follow(codes: Sequence[Codes]) -> Codes:
    """Return codes of several samples as codes of all."""
    ends = np.cumsum([int(some.max()) + 1 for some in codes])
    return np.concatenate([codes[0], *(c + end for c, end in zip(codes[1:], ends, strict=False))])


def sample_influence(
    sample: ScoredSample,
    rows: Sequence[tuple[int, Measure]],
    *,
    blocks: Callable[[int], Blocks] | None = None,
    tell: Callable[[int, Blocks | Summary], None] | None = None,
) -> Influence:
    """Return the joint influence of (marker row, measure) pairs.

    Each marker is sorted once, or never where `blocks` gives it in order or no sort is needed; it
    is asked for one marker after the other, and nothing of a marker is kept. `tell` hears of every
    marker what was found: its blocks, or the summary that holds for all its measures.
    """
    if not sample.keeps_rows:
        from rocstats.engine.table_influence import table_influence

        return table_influence(sample, rows, blocks=blocks, tell=tell)
    if sample.adjustment is not None:
        return _adjusted(sample, rows, sample.adjustment)
    estimate = np.empty(len(rows))
    values = np.empty((len(rows), sample.positive.size))
    for marker in dict.fromkeys(marker for marker, _ in rows):
        here = [i for i, (row, _) in enumerate(rows) if row == marker]
        of = [rows[i][1] for i in here]
        known = summarise_unsorted(of, sample, marker, values[here[0]]) if blocks is None else None
        if known is not None:
            for i in here:
                estimate[i] = known.value
            for i in here[1:]:
                values[i] = values[here[0]]
            if tell is not None:
                tell(marker, known)
            continue
        found = sample.blocks(marker, ordered=True) if blocks is None else blocks(marker)
        for i, measure in zip(here, of, strict=True):
            scaled = to_measure_scale(measure, found, flipped=sample.is_flipped(marker))
            area, ordered = ordered_influence(measure, scaled)
            if found.weight is not None:
                area, ordered = _without_dust(measure, area, ordered)
            estimate[i], values[i, found.order] = area, ordered
        if tell is not None:
            tell(marker, found)
    fixed = Influence(
        estimate=estimate,
        values=values,
        stratum=sample.positive.astype(np.intp),
        rows=tuple((sample.markers[row], measure.name) for row, measure in rows),
        subject=sample.subject,
        cluster=sample.cluster,
        share=_known_shares([measure.shares for _, measure in rows]),
        design=sample.strata,
        components=sample.components,
    )
    fixed.__dict__["_sizes"] = np.array([sample.n_neg, sample.n_pos])
    return fixed if sample.nuisance is None else _with_nuisance(fixed, sample.nuisance)


def _adjusted(
    sample: ScoredSample, rows: Sequence[tuple[int, Measure]], adjustment: Adjustment
) -> Influence:
    """Return the joint influence of measures that compare like with like."""
    found = [
        _without_dust(
            measure,
            *adjusted_influence(measure, sample.oriented(row), sample.positive, adjustment),
        )
        for row, measure in rows
    ]
    joint = Influence(
        estimate=np.array([value for value, _ in found]),
        values=np.array([values for _, values in found]),
        stratum=adjusted_strata(adjustment, sample.positive),
        rows=tuple((sample.markers[row], measure.name) for row, measure in rows),
        subject=sample.subject,
        cluster=sample.cluster,
        components=sample.components,
    )
    in_folds = adjustment.shares is not None and sample.cluster is not None
    return _over_folds(joint, sample.positive, sample.cluster) if in_folds else joint


def _without_dust(measure: Measure, value: float, values: Floats) -> tuple[float, Floats]:
    """Return a value and its influence without the rounding of weights and shares.

    Counts are exact, sums of weights are not: where every subject has the same influence, as of
    classes that do not overlap, what is left is no variance, and an area so near to 0, 1/2 or 1 is
    that.
    """
    low, high = measure.value_bounds
    size = high - low if measure.is_area else abs(value)
    if not float(np.abs(values).max()) <= _DUST * size:
        return value, values
    for end in (low, high, 0.5) if measure.is_area else ():
        value = end if abs(value - end) <= _DUST * size else value
    return value, np.zeros_like(values)


def _over_folds(joint: Influence, positive: Bools, cluster: Codes | None) -> Influence:
    """Return the influence of every cluster, summed over its rows and over repeated folds.

    A subject, with one row in a fold, keeps its class and the variance of its folds, so that
    repeating the same folds changes nothing; a patient with several rows may have both classes.
    """
    if cluster is None:
        return joint
    sizes = _sizes(joint.stratum)
    weight = 1.0 / sizes
    one_row = np.unique(joint.stratum // 2 * (cluster.max() + 1) + cluster).size == cluster.size
    stratum = np.zeros(int(cluster.max()) + 1, dtype=np.intp)
    if one_row:
        stratum[cluster] = positive
    units = _sizes(stratum).astype(np.float64)
    factor = units
    if one_row:
        if sizes.min() < 2:
            _warn_of_one(sizes)
        weight = weight * np.sqrt(sizes / np.where(sizes > 1, sizes - 1.0, math.nan))
        factor = np.sqrt(units * (units - 1.0))
    values = [np.bincount(cluster, row * weight[joint.stratum]) for row in joint.values]
    return replace(
        joint,
        values=np.array(values) * factor[stratum],
        stratum=stratum,
        subject=None,
        cluster=None,
    )


def _with_nuisance(fixed: Influence, nuisance: Nuisance) -> Influence:
    """Return the influence of all subjects, one stratum, where weights were estimated from them."""
    shares = fixed.values / _sizes(fixed.stratum)[fixed.stratum]
    values = np.einsum("rp,np->rn", shares @ nuisance.slope, nuisance.influence)
    values[:, nuisance.place] += nuisance.size * shares
    return replace(
        fixed,
        values=nuisance.factor * values,
        stratum=np.zeros(nuisance.size, dtype=np.intp),
        subject=None,
        cluster=nuisance.cluster,
        share=1.0,
    )
