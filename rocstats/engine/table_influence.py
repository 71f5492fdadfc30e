"""Influence on estimates of a table: its moments, summed over rows that are not kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocstats.arrays import Floats
from rocstats.data.blocks import Blocks, slabs
from rocstats.data.sample import ScoredSample
from rocstats.data.scan.count_blocks import needs_rows
from rocstats.data.scan.looked_up import Lookup, ValuedRows
from rocstats.data.scan.scored_table import Moments, ScoredTable
from rocstats.data.scan.shared_moments import SharedMoments
from rocstats.engine.evaluation import (
    Summary,
    evaluate,
    is_whole_area,
    summarise,
    summarise_unsorted,
    summary_of,
    to_measure_scale,
)
from rocstats.engine.influence import Influence, Row, contrast_weights
from rocstats.engine.measures import Measure
from rocstats.engine.variances import satterthwaite_df, tailed_df
from rocstats.errors import (
    NotPairedError,
    ScoreRangeError,
    SmallSampleWarning,
    warn_user,
)

__all__ = ["ClusterSums", "MomentInfluence", "look_up", "table_influence"]

_PIECE = 2**13  # rows whose products are summed at a time, so that equal values do not drift
_LEAST, _LARGEST = 1e-75, 1e75  # influence whose fourth powers stay within the doubles


_Coded = tuple[NDArray[np.intp], Floats]


class _Part(Protocol):
    """Rows of one sample, independent of those of the others."""

    @property
    def terms(self) -> Floats:
        """The (3, r, r) covariance: of negatives, of positives, across."""

    @property
    def units(self) -> tuple[int, int]:
        """Independent negatives and positives, or clusters of them."""

    @property
    def most(self) -> int | None:
        """How many clusters there are; None where subjects are independent."""

    @property
    def size(self) -> int:
        """How many subjects there are."""

    def tails(self, weights: Floats) -> list[float]:
        """Return the degrees of freedom by the tails of a combination, in both classes."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MomentInfluence(Influence):
    """Estimates of tables, and the covariance of the influence on them.

    The values of subjects are not kept, and asking for them is refused. `stratum` has one entry for
    each class of each table, and `cluster` is not None where some table has clusters.

    Attributes
    ----------
    weights : (r, R) the estimates as combinations of those that were summed
    parts : the tables, each with its columns of the weights
    """

    values: Floats = field(init=False, repr=False)
    weights: Floats
    parts: tuple[tuple[slice, _Part], ...]

    def __getattr__(self, name: str) -> Any:
        if name == "values":
            raise needs_rows()
        raise AttributeError(name)

    def covariance_terms(self) -> Floats:
        """Return the covariance as (r, r) terms: one for each stratum, the last across strata."""
        terms = np.zeros((2 * len(self.parts) + 1, len(self.rows), len(self.rows)))
        if self.units().min() < 2:
            warn_user(
                "A class has one subject or cluster only, so every covariance is nan.",
                SmallSampleWarning,
            )
            return np.full_like(terms, math.nan)
        for k, (here, part) in enumerate(self.parts):
            own = _quadratic(self.weights[:, here], part.terms)
            terms[2 * k : 2 * k + 2] = own[:2]
            terms[-1] += own[2]
        return terms

    def units(self) -> NDArray[np.intp]:
        """Return the number of independent units, subjects or clusters, in each stratum."""
        return np.array([size for _, part in self.parts for size in part.units])

    def n_clusters(self) -> int:
        """Return how many clusters there are; a subject that is in none is its own."""
        return sum(part.size if part.most is None else part.most for _, part in self.parts)

    def most_df(self) -> float:
        """Return how many degrees of freedom there can be at most: clusters less one, or inf."""
        return math.inf if self.cluster is None else self.n_clusters() - 1.0

    def tails(self) -> list[float]:
        """Return the degrees of freedom that the tails of the first row leave in each stratum."""
        return [t for here, part in self.parts for t in part.tails(self.weights[0, here])]

    def contrast_tails(self, weights: Floats) -> list[float]:
        """Return the degrees of freedom that the tails of a contrast leave in each stratum."""
        return self.contrast(weights).tails()

    def tailed_df(self) -> float:
        """Return the degrees of freedom of the first row's variance, as its tails have them."""
        if self.units().min() < 3:
            return math.inf
        terms = self.covariance_terms()[:-1, 0, 0].tolist()
        return satterthwaite_df(terms, [tail + 1.0 for tail in self.tails()])

    def acceleration(self, row: int) -> float:
        """Return ``sum l**3 / (6 (sum l**2)**1.5)`` over the shares l of subjects in a row."""
        second = third = 0.0
        for here, part in self.parts:
            if not isinstance(part, _TablePart) or part.members is not None:
                raise needs_rows()
            squares, cubes, _ = part.powers(self.weights[row, here])
            sizes = np.array(part.sizes, dtype=np.float64)
            second += float((squares / sizes**2).sum())
            third += float((cubes / sizes**3).sum())
        return third / (6.0 * second**1.5) if second > 0.0 else math.nan

    def scaled(self) -> tuple[Influence, Floats]:
        """Return the influence as it is: extreme scores are refused before."""
        return self, np.ones(len(self.rows))

    def contrast(self, matrix: ArrayLike, *, rows: Sequence[Row] | None = None) -> Influence:
        """Return the influence of the linear combinations ``matrix @ estimate``."""
        lines = contrast_weights(matrix, len(self.rows))
        names = rows or [(f"contrast {i + 1}", "") for i in range(lines.shape[0])]
        shares = self._shares()
        return replace(
            self,
            estimate=lines @ self.estimate,
            weights=lines @ self.weights,
            rows=tuple(names),
            share=np.array([shares[line != 0.0].min(axis=0, initial=math.inf) for line in lines]),
        )

    def select(self, rows: Sequence[int]) -> Influence:
        """Return some of the rows, by position."""
        chosen = list(rows)
        return replace(
            self,
            estimate=self.estimate[chosen],
            weights=self.weights[chosen],
            rows=tuple(self.rows[i] for i in chosen),
            share=self._shares()[chosen],
        )

    def join(self, *others: Influence) -> Influence:
        """Return the rows of all; tables have no subject in common, nor with samples."""
        every = [as_moments(one) for one in (self, *others)]
        if len({id(one) for one in (self, *others)}) < len(every):
            raise NotPairedError("An influence cannot be joined with itself, as if independent.")
        height = sum(len(one.rows) for one in every)
        weights = np.zeros((height, sum(one.weights.shape[1] for one in every)))
        share = np.full((height, 2 * sum(len(one.parts) for one in every)), math.inf)
        parts: list[tuple[slice, _Part]] = []
        row = column = 0
        for one in every:
            lines = slice(row, row + len(one.rows))
            weights[lines, column : column + one.weights.shape[1]] = one.weights
            kinds = slice(2 * len(parts), 2 * (len(parts) + len(one.parts)))
            share[lines, kinds] = one._shares()
            parts += [(slice(s.start + column, s.stop + column), p) for s, p in one.parts]
            row, column = lines.stop, column + one.weights.shape[1]
        names = {one.components for one in every}
        return MomentInfluence(
            estimate=np.concatenate([one.estimate for one in every]),
            stratum=np.arange(2 * len(parts)),
            rows=tuple(name for one in every for name in one.rows),
            cluster=next((one.cluster for one in every if one.cluster is not None), None),
            share=share,
            groups=tuple(range(0, 2 * len(parts), 2)),
            components=names.pop() if len(names) == 1 else "structural components",
            weights=weights,
            parts=tuple(parts),
        )


def _quadratic(weights: Floats, terms: Floats) -> Floats:
    found: Floats = np.einsum("ai,kij,bj->kab", weights, terms, weights)
    return found


@dataclass(frozen=True, eq=False)
class _TablePart:
    """A table whose rows are passed over when asked for."""

    reduced: Callable[[Callable[..., Any], Callable[..., Any]], Any]  # what `work` makes of rows
    sizes: tuple[int, int]
    members: Any = None  # (2, clusters), or None

    @property
    def units(self) -> tuple[int, int]:
        if self.members is None:
            return self.sizes
        neg, pos = np.count_nonzero(self.members, axis=1).tolist()
        return neg, pos

    @property
    def size(self) -> int:
        return sum(self.sizes)

    @property
    def most(self) -> int | None:
        return None if self.members is None else int(self.members.shape[1])

    @cached_property
    def terms(self) -> Floats:
        if self.members is not None:
            return self._clustered_terms()
        total = self._sums()
        sizes = np.array(self.sizes, dtype=np.float64)[:, np.newaxis, np.newaxis]
        terms = np.zeros((3, *total.shape[1:]))
        with np.errstate(divide="ignore", invalid="ignore"):
            terms[:2] = total / (sizes * (sizes - 1.0))
        _check_size(terms)
        return terms

    def _sums(self) -> Floats:
        """Return the (2, r, r) sums of products, of negatives and of positives."""
        total: Floats = self.reduced(_products, sum)
        return total

    @cached_property
    def sums(self) -> Floats:
        """Return (r, 2, clusters) the influence summed within clusters, over the class sizes."""
        clusters = self.members.shape[1]
        work = ClusterSums(clusters)
        code, values = self.reduced(work, work.join)
        found = np.zeros((len(values), 2 * clusters))
        found[:, code] = values
        shaped = found.reshape(len(found), 2, clusters)
        shaped /= np.array(self.sizes, dtype=np.float64)[:, np.newaxis]
        return shaped

    def _clustered_terms(self) -> Floats:
        sums = self.sums
        terms = np.zeros((3, len(sums), len(sums)))
        for k, size in enumerate(self.units):
            terms[k] = size / (size - 1.0) * (sums[:, k] @ sums[:, k].T)
        both = self.members.shape[1]
        across = sums[:, 1] @ sums[:, 0].T
        terms[2] = both / (both - 1.0) * (across + across.T)
        _check_size(terms)
        return terms

    def powers(self, weights: Floats) -> Floats:
        """Return (3, 2) sums of squares, cubes and fourth powers of a combination, by class."""
        total: Floats = self.reduced(_Powers(weights), sum)
        return total

    def tails(self, weights: Floats) -> list[float]:
        if self.members is not None:
            combined = np.einsum("r,rkc->kc", weights, self.sums)
            return [float(tailed_df(v[n > 0])) for v, n in zip(combined, self.members, strict=True)]
        second, _, fourth = self.powers(weights)
        found = []
        for n, s2, s4 in zip(self.sizes, second.tolist(), fourth.tolist(), strict=True):
            kurtosis = n * s4 / s2**2 if s2 > 0.0 else 3.0
            found.append(min(2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0)), n - 1.0))
        return found


class _ToldPart(_TablePart):
    """A table of several sites, which told of their sums."""

    def __init__(self, told: SharedMoments, sizes: tuple[int, int]) -> None:
        super().__init__(lambda work, join: work(iter(())), sizes)
        object.__setattr__(self, "told", told)

    told: SharedMoments

    def _sums(self) -> Floats:
        return self.told.sums[0]

    def powers(self, weights: Floats) -> Floats:
        return self.told.powers(weights)


def _check_size(terms: Floats) -> None:
    largest = np.sqrt(np.abs(terms[:2].diagonal(axis1=1, axis2=2)).max(axis=0, initial=0.0))
    if ((largest > 0.0) & ~((largest > _LEAST) & (largest < _LARGEST))).any():
        raise ScoreRangeError(
            "The scores are so large or so small that variances leave the doubles; divide the "
            "scores by a constant first."
        )


def _products(batches: Iterator[ValuedRows]) -> Floats | float:
    """Return (2, r, r) sums of products by class, in pieces; 0 of no rows."""
    total: Floats | float = 0.0
    for batch in batches:
        r, n = batch.values.shape
        sums = np.zeros((2, r, r))
        for s in slabs(n, _PIECE):
            here = batch.positive[s]
            count = None if batch.count is None else batch.count[s].astype(np.float64)
            for k, mask in enumerate((~here, here)):
                own = batch.values[:, s][:, mask]
                other = own if count is None else own * count[mask]
                for i in range(r):  # einsum: BLAS threads would cost more
                    sums[k, i, i:] += np.einsum("n,jn->j", own[i], other[i:])
        sums += np.triu(sums, 1).transpose(0, 2, 1)
        total = total + sums
    return total


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Sums within the negatives and the positives of clusters: which have some, and their sums."""

    clusters: int

    def __call__(self, batches: Iterator[ValuedRows]) -> _Coded:
        width = 2 * self.clusters
        total, seen = np.zeros((0, width)), np.zeros(width, dtype=np.bool_)
        for batch in batches:
            if not len(total):
                total = np.zeros((len(batch.values), width))
            code = batch.positive * self.clusters + cast("NDArray[np.intp]", batch.cluster)
            seen[code] = True
            for line, row in zip(total, batch.values, strict=True):
                row = row if batch.count is None else row * batch.count
                line += np.bincount(code, row, minlength=width)
        here = np.flatnonzero(seen)
        return here, total[:, here]

    def join(self, answers: list[_Coded]) -> _Coded:
        given = [(code, values) for code, values in answers if code.size] or answers[:1]
        seen, place = np.unique(np.concatenate([code for code, _ in given]), return_inverse=True)
        values = np.concatenate([values for _, values in given], axis=1)
        lines = [np.bincount(place, line, minlength=seen.size) for line in values]
        return seen, np.array(lines)


@dataclass(frozen=True, slots=True, eq=False)
class _Powers:
    """Makes (3, 2) sums of squares, cubes and fourth powers of a combination, by class."""

    weights: Floats

    def __call__(self, batches: Iterator[ValuedRows]) -> Floats:
        total = np.zeros((3, 2))
        for batch in batches:
            value = np.einsum("r,rn->n", self.weights, batch.values)
            count = 1.0 if batch.count is None else batch.count
            for k, here in enumerate((~batch.positive, batch.positive)):
                for power, line in zip((2, 3, 4), total, strict=True):
                    line[k] += float((value**power * count * here).sum())
        return total


@dataclass(frozen=True, eq=False)
class _SamplePart:
    """A sample in memory beside tables."""

    influence: Influence

    @property
    def terms(self) -> Floats:
        return self.influence.covariance_terms()

    @property
    def units(self) -> tuple[int, int]:
        neg, pos = self.influence.units().tolist()
        return neg, pos

    @property
    def size(self) -> int:
        return int(self.influence.stratum.size)

    @property
    def most(self) -> int | None:
        return None if self.influence.cluster is None else self.influence.n_clusters()

    def tails(self, weights: Floats) -> list[float]:
        return self.influence.contrast(weights).tails()


def as_moments(influence: Influence) -> MomentInfluence:
    """Return an influence of subjects as one of moments, which can be joined with tables."""
    if isinstance(influence, MomentInfluence):
        return influence
    if influence.design is not None or influence.units().size != 2:
        raise NotPairedError(
            "A sample with sampling strata, or joined before, cannot be compared with a table."
        )
    rows = len(influence.rows)
    return MomentInfluence(
        estimate=influence.estimate,
        stratum=np.arange(2),
        rows=influence.rows,
        cluster=influence.cluster,
        share=influence.share,
        components=influence.components,
        weights=np.eye(rows),
        parts=((slice(0, rows), _SamplePart(influence)),),
    )


def table_influence(
    sample: ScoredSample,
    rows: Sequence[tuple[int, Measure]],
    *,
    blocks: Callable[[int], Blocks] | None = None,
    tell: Callable[[int, Blocks | Summary], None] | None = None,
) -> MomentInfluence:
    """Return the joint influence of (marker row, measure) pairs, by its moments.

    Rows of one marker are known by its counts; several markers, and clusters, pass over the source
    once more. The table remembers the last moments, so that a printout reads no row again.
    """
    table = cast("ScoredTable", sample)
    known = table.moments_of(rows)
    source = _Lookups(table, tuple(rows), table.blocks if blocks is None else blocks, tell)
    estimate = source.found[0] if known is None or tell is not None else known.estimate
    members = table.cluster_members() if table.is_clustered else None
    alone = members is None and len({row for row, _ in rows}) == 1
    told = table.told_moments([(table.markers[row], measure) for row, measure in rows])

    def reduced(work: Callable[..., Any], join: Callable[..., Any]) -> Any:
        if source.are_areas:
            return table.reduced_areas([row for row, _ in rows], work, join)
        lookups = source.found[1]
        if alone:
            return work(_from_counts(table, lookups))
        return table.reduced_rows(lookups, work, join)

    sizes = table.n_neg, table.n_pos
    part = _TablePart(reduced, sizes, members)
    if told is not None and not alone:
        part = _ToldPart(told, sizes)
    if known is not None:
        part.__dict__["terms"] = known.terms
    elif min(part.units) > 1:  # now, so that a source that has changed is refused by this call
        table.remember(Moments(rows=tuple(rows), estimate=estimate, terms=part.terms))
    return MomentInfluence(
        estimate=estimate.copy(),
        stratum=np.arange(2),
        rows=tuple((table.markers[row], measure.name) for row, measure in rows),
        cluster=None if members is None else np.zeros(1, dtype=np.intp),
        share=np.array([measure.shares for _, measure in rows]),
        components=table.components,
        weights=np.eye(len(rows)),
        parts=((slice(0, len(rows)), part),),
    )


def look_up(table: ScoredTable, rows: Sequence[tuple[int, Measure]]) -> tuple[Floats, list[Lookup]]:
    """Return the estimates of (marker row, measure) pairs, and the influence by score on each."""
    return _Lookups(table, tuple(rows), table.blocks, None).found


@dataclass(frozen=True, eq=False)
class _Lookups:
    """The influence by score of several rows, worked out when it is asked for."""

    table: ScoredTable
    rows: tuple[tuple[int, Measure], ...]
    blocks: Callable[[int], Blocks]
    tell: Callable[[int, Blocks | Summary], None] | None

    @cached_property
    def found(self) -> tuple[Floats, list[Lookup]]:
        """The values, and the influence of both classes by score."""
        if self.are_areas:
            return self._areas(), []
        estimate, lookups = np.empty(len(self.rows)), {}
        for marker in dict.fromkeys(marker for marker, _ in self.rows):
            found, flipped = self.blocks(marker), self.table.is_flipped(marker)
            step, told = -1 if flipped else 1, None
            here = [i for i, (row, _) in enumerate(self.rows) if row == marker]
            for i in here:
                measure = self.rows[i][1]
                value = evaluate(measure, to_measure_scale(measure, found, flipped=flipped))
                estimate[i] = value.value
                lookups[i] = Lookup(row=marker, pos=value.pos[::step], neg=value.neg[::step])
                if self.tell is not None and self.table.is_plain and len(here) == 1:
                    told = summary_of(value, found)
            if self.tell is not None:
                self.tell(marker, found if told is None else told)
        return estimate, [lookups[i] for i in range(len(self.rows))]

    @property
    def are_areas(self) -> bool:
        """Whether all are AUCs, and some are known on workers alone."""
        placed = any(self.table.is_placed(row) for row, _ in self.rows)
        return placed and all(is_whole_area(measure) for _, measure in self.rows)

    def _areas(self) -> Floats:
        """Return the AUCs, of scores on workers and of those here."""
        found: dict[int, float] = {}
        for marker, measure in self.rows:
            summary = summarise_unsorted([measure], self.table, marker)
            known: Blocks | Summary = self.blocks(marker) if summary is None else summary
            if self.tell is not None and marker not in found:
                self.tell(marker, known)
            if not isinstance(known, Summary):
                known = summarise(measure, known)
            found[marker] = known.value
        return np.array([found[marker] for marker, _ in self.rows])


def _from_counts(table: ScoredTable, lookups: Sequence[Lookup]) -> Iterator[ValuedRows]:
    """Yield the distinct scores of a marker, as rows that count as often as they are there."""
    sketch = table.sketch_of(lookups[0].row)
    for s in slabs(sketch.bins.size, _PIECE):
        for positive, counts in ((True, sketch.n_pos), (False, sketch.n_neg)):
            values = [(one.pos if positive else one.neg)[s] for one in lookups]
            yield ValuedRows(
                values=np.array(values),
                positive=np.full(counts[s].size, positive),
                cluster=None,
                count=np.asarray(counts[s], dtype=np.int64),
            )
