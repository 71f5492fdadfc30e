"""Draw counts: a resample is how often each subject was drawn; nothing is sorted twice.

Each row, a measure of one marker, is laid out once by sorted scores. Its value in a resample, and
each subject's influence there, are then cumulative sums of counts (STATISTICS.md 2.2, 3.4, 4.5).
Counts come as two (b, units) arrays, of positives and of negatives, for b resamples at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import Blocks
from rocstats.data.sample import ScoredSample
from rocstats.engine.compiled import draw_wins
from rocstats.engine.evaluation import evaluate, ordered_influence, to_measure_scale
from rocstats.engine.kernels import RAMP, STEP
from rocstats.engine.measures import Measure, Midpoint
from rocstats.errors import ScoreRangeError
from rocstats.resampling.partial_counts import Strip
from rocstats.resampling.urn import Index, Urn

__all__ = ["Row", "Wins", "lay_out", "row_sums"]

Found = tuple[Floats, Floats, Floats]  # values (b,), influence of positives and of negatives


class Row(Protocol):
    """One measure of one marker, for counts in which both classes occur."""

    def values(self, pos: Ints, neg: Ints) -> Floats:
        """Return the (b,) values."""

    def influence(self, pos: Ints, neg: Ints) -> Found:
        """Return the values and the (b, units) influence of each positive and negative."""


def lay_out(sample: ScoredSample, marker: int, measure: Measure, urn: Urn) -> Row:
    """Return the fastest row there is for a measure."""
    blocks, flipped = sample.blocks(marker, ordered=True), sample.is_flipped(marker)
    level = blocks.levels()
    pos, neg = level[urn.pos], level[urn.neg]
    if sample.weights is not None:
        weights = sample.weights[urn.pos], sample.weights[urn.neg]
        if measure.is_auc and measure.score_bounds is None:
            wins = Wins(_Places.among(neg, pos), _Places.among(pos, neg), None)
            return _Weighted(wins, *weights)
        return _WeightedAnything(measure, blocks.score, flipped, (pos, neg), weights)
    if measure.is_auc and measure.score_bounds is None:
        pairs = sample.n_pos * sample.n_neg if urn.cluster is None else None
        return Wins(_Places.among(neg, pos), _Places.among(pos, neg), pairs)
    if measure.score_bounds != "range":
        score = to_measure_scale(measure, blocks, flipped=flipped).score
        if measure.is_hard and measure.kernel is RAMP:
            return _Margins(_Pooled.of(pos, neg), score)
        if measure.kernel is STEP and not measure.looks_at_subjects:
            shares = _Shares(_Pooled.of(pos, neg), score, measure)
            if not isinstance(measure.membership.midpoint, Midpoint):
                return shares
            return _Quick(shares, _Anything(measure, blocks.score, flipped, pos, neg))
    whole = _Anything(measure, blocks.score, flipped, pos, neg)
    if measure.is_area and measure.kernel.window is not None and measure.score_bounds is None:
        return _Quick(Strip(pos, neg, measure.kernel.window), whole)
    return whole


class _Valued(Protocol):
    def values(self, pos: Ints, neg: Ints) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Quick:
    """Values by counts, and influence, which only studentized intervals ask for, by blocks."""

    valued: _Valued
    whole: _Anything

    def values(self, pos: Ints, neg: Ints) -> Floats:
        return self.valued.values(pos, neg)

    def influence(self, pos: Ints, neg: Ints) -> Found:
        return self.whole.influence(pos, neg)


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where units of one class stand among those of the other."""

    order: Index | None  # None where the others are in order as they come
    below: Index
    upto: Index | None  # None where nothing ties

    @classmethod
    def among(cls, others: Index, units: Index) -> _Places:
        order: Index | None = np.argsort(others, kind="stable")
        ranked = others[order]
        if (others[1:] >= others[:-1]).all():
            order = None
        below = np.searchsorted(ranked, units, "left")
        upto = np.searchsorted(ranked, units, "right")
        return cls(order, below, None if (below == upto).all() else upto)

    @property
    def unit(self) -> int:
        """How many times `passed` counts."""
        return 1 if self.upto is None else 2

    def passed(self, others: NDArray[Any]) -> NDArray[Any]:
        """Return the number of others below each unit, or twice that, ties counting half."""
        kind = np.float64 if others.dtype.kind == "f" else np.int64
        seen = np.empty((others.shape[0], others.shape[1] + 1), dtype=kind)
        seen[:, 0] = 0
        ranked = others if self.order is None else others.take(self.order, axis=1)
        np.cumsum(ranked, axis=1, out=seen[:, 1:])
        passed = seen.take(self.below, axis=1)
        if self.upto is not None:
            passed += seen.take(self.upto, axis=1)
        return passed


@dataclass(frozen=True, slots=True, eq=False)
class Wins:
    """The AUC, in whole numbers: the mean number of negatives that a positive passes."""

    of_pos: _Places
    of_neg: _Places
    pairs: int | None  # None where class sizes vary

    def values(self, pos: Ints, neg: Ints) -> Floats:
        return self._mean(pos, neg, self.of_pos.passed(neg))

    def influence(self, pos: Ints, neg: Ints) -> Found:
        won, lost = self.of_pos.passed(neg), self.of_neg.passed(pos)
        value = self._mean(pos, neg, won)
        m, n, centre = _column(pos.sum(axis=1)), _column(neg.sum(axis=1)), _column(value)
        return (
            value,
            won / (self.of_pos.unit * n) - centre,
            1.0 - lost / (self.of_neg.unit * m) - centre,
        )

    def drawn(self, urn: Urn, rng: np.random.Generator, size: int, batch: int) -> Floats | None:
        """Return the values in resamples drawn by the compiled kernel, or None where it cannot."""
        if self.pairs is None or urn.alike is not None or self.of_pos.order is not None:
            return None
        places = self.of_pos
        wins = draw_wins(rng, size, batch, urn.neg.size, places.below, places.upto)
        return None if wins is None else wins / (places.unit * self.pairs)

    def _mean(self, pos: Ints, neg: Ints, won: Ints) -> Floats:
        pairs = pos.sum(axis=1) * neg.sum(axis=1) if self.pairs is None else self.pairs
        value: Floats = row_sums(pos, won) / (self.of_pos.unit * pairs)
        return value


@dataclass(frozen=True, slots=True, eq=False)
class _Weighted:
    """A mean over pairs of subjects that count as their weights: a subject takes its weight along.

    Its influence is that of what it counts, times its weight beside the mean weight.
    """

    row: Any  # of counts that need not be whole
    pos: Floats
    neg: Floats

    def values(self, pos: Ints, neg: Ints) -> Floats:
        found: Floats = self.row.values(pos * self.pos, neg * self.neg)
        return np.clip(found, 0.0, 1.0)  # sums of weights are rounded

    def influence(self, pos: Ints, neg: Ints) -> Found:
        mass_pos, mass_neg = pos * self.pos, neg * self.neg
        value, *parts = self.row.influence(mass_pos, mass_neg)
        for part, weight, count, mass in zip(
            parts, (self.pos, self.neg), (pos, neg), (mass_pos, mass_neg), strict=True
        ):
            part *= weight * (_column(count.sum(axis=1)) / _column(mass.sum(axis=1)))
        return value, parts[0], parts[1]


def _column(values: NDArray[Any]) -> Floats:
    return values.astype(np.float64)[:, np.newaxis]


def row_sums(*terms: NDArray[Any]) -> Floats:
    """Return the sum of the product of the terms in each resample."""
    total: Floats = np.einsum(",".join(["bi"] * len(terms)) + "->b", *terms)
    return total


@dataclass(frozen=True, slots=True, eq=False)
class _Pooled:
    """Positives, then negatives, in the order of their scores."""

    order: Index
    label: Bools  # in that order
    level: Index  # number of the score, in that order
    n_pos: int

    @classmethod
    def of(cls, pos: Index, neg: Index) -> _Pooled:
        level = np.concatenate([pos, neg])
        order = np.argsort(level, kind="stable")
        return cls(order, order < pos.size, level[order], pos.size)

    def rank(self, pos: Ints, neg: Ints) -> tuple[Ints, Ints]:
        """Return counts of positives and of negatives by score; 0 in the places of the others."""
        both = np.concatenate([pos, neg], axis=1).take(self.order, axis=1)
        ranked = both * self.label
        both -= ranked
        return ranked, both

    def part(self, values: Floats) -> tuple[Floats, Floats]:
        """Undo the order and the pooling."""
        back = np.empty_like(values)
        back[:, self.order] = values
        return back[:, : self.n_pos], back[:, self.n_pos :]


class _Margins:
    """The scored AUC: over the gaps between scores, negatives behind times positives ahead."""

    def __init__(self, pooled: _Pooled, score: Floats) -> None:
        self.pooled = pooled
        self.gap = np.diff(score[pooled.level])

    def values(self, pos: Ints, neg: Ints) -> Floats:
        behind, ahead = self._sides(pos, neg)
        m, n = pos.sum(axis=1), neg.sum(axis=1)
        total: Floats = np.einsum("bi,i->b", (behind * ahead).astype(np.float64), self.gap)
        total /= m
        total /= n
        return total

    def influence(self, pos: Ints, neg: Ints) -> Found:
        behind, ahead = self._sides(pos, neg)
        m, n = _column(pos.sum(axis=1)), _column(neg.sum(axis=1))
        won = np.zeros((pos.shape[0], self.gap.size + 1))
        lost = np.zeros_like(won)
        np.cumsum(self.gap * behind, axis=1, out=won[:, 1:])
        np.cumsum((self.gap * ahead)[:, ::-1], axis=1, out=lost[:, -2::-1])
        value = row_sums(self.pooled.rank(pos, neg)[0].astype(np.float64), won)
        value /= (m * n)[:, 0]
        found = np.where(self.pooled.label, won / n, lost / m) - _column(value)
        return value, *self.pooled.part(found)

    def _sides(self, pos: Ints, neg: Ints) -> tuple[Ints, Ints]:
        ranked_pos, ranked_neg = self.pooled.rank(pos, neg)
        ahead = pos.sum(axis=1)[:, np.newaxis] - np.cumsum(ranked_pos, axis=1)[:, :-1]
        return np.cumsum(ranked_neg, axis=1)[:, :-1], ahead


class _Shares:
    """Soft memberships under the step kernel: the smooth AUC; influence of a fixed midpoint."""

    def __init__(self, pooled: _Pooled, score: Floats, measure: Measure) -> None:
        self.pooled = pooled
        share = 0.5 if measure.class_weight == "balanced" else measure.class_weight
        self.share = share if isinstance(share, float) else None
        self.membership, self.score = measure.membership, score[pooled.level]
        rule = measure.membership.midpoint
        self.rule = rule if isinstance(rule, Midpoint) else None
        self.theta = self._theta(rule if isinstance(rule, float) else math.nan)
        self.untied = bool((pooled.level[1:] != pooled.level[:-1]).all())
        self.below = np.searchsorted(pooled.level, pooled.level, "left")
        self.upto = np.searchsorted(pooled.level, pooled.level, "right")

    def _theta(self, centre: float) -> Floats:
        """Return the membership of every place around a midpoint."""
        theta = self.membership.theta(self.score, centre)
        return np.where(self.pooled.label, *(np.asarray(t, dtype=np.float64) for t in theta))

    def _thetas(self, ranked_pos: Ints, ranked_neg: Ints) -> Floats:
        """Return the memberships around the midpoint of each resample."""
        if self.rule is None:
            return self.theta
        m, n = (count.sum(axis=1) for count in (ranked_pos, ranked_neg))
        sums = self._score_sums(ranked_pos, ranked_neg)
        weight = np.array([self.rule.weight(*sizes) for sizes in zip(m, n, strict=True)])
        centre = (n * sums[0] + weight * sums[1]) / (2.0 * m * n)
        return np.stack([self._theta(c) for c in centre.tolist()])

    def _score_sums(self, *ranked: Ints) -> list[Floats]:
        """Return the sums of the positives' and of the negatives' scores in each resample.

        Where scores tie a midpoint may be one of them, and is on which side rounding decides: as in
        the estimate, by the sums over the scores that are there.
        """
        level = self.pooled.level
        if self.untied:
            return [np.einsum("bi,i->b", count, self.score) for count in ranked]
        first = np.flatnonzero(np.diff(level, prepend=-1))
        score = self.score[first]
        counts = [np.add.reduceat(count, first, axis=1) for count in ranked]
        sums = np.empty((2, len(counts[0])))
        for i, (pos, neg) in enumerate(zip(*counts, strict=True)):
            there = pos + neg > 0
            blocks = _counted_blocks(score[there], pos[there], neg[there])
            sums[:, i] = blocks.sum_pos(blocks.score), blocks.sum_neg(blocks.score)
        return list(sums)

    def values(self, pos: Ints, neg: Ints) -> Floats:
        up, right, _ = self._masses(pos, neg)
        rise, run = up.sum(axis=1), right.sum(axis=1)
        with np.errstate(invalid="ignore"):  # nan where a resample has no rise or no run
            value: Floats = row_sums(up, self._passed(right)) / (rise * run)
        return value

    def influence(self, pos: Ints, neg: Ints) -> Found:
        up, right, weight = self._masses(pos, neg)
        rise, run = up.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
        below, above = self._passed(right), rise - self._passed(up)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = row_sums(up, below)[:, np.newaxis] / (rise * run)
            found = self.theta * (below / run - value) / rise
            found += (1.0 - self.theta) * (above / rise - value) / run
        found *= weight
        parts = self.pooled.part(found)
        for part, counts in zip(parts, (pos, neg), strict=True):
            size = _column(counts.sum(axis=1))
            part *= size
            part -= _column(row_sums(part, counts)) / size
        return value[:, 0], *parts

    def _masses(self, pos: Ints, neg: Ints) -> tuple[Floats, Floats, Floats]:
        ranked_pos, ranked_neg = self.pooled.rank(pos, neg)
        if self.share is None:
            weight = np.ones((1, 1))
        else:
            m, n = _column(pos.sum(axis=1)), _column(neg.sum(axis=1))
            weight = np.where(self.pooled.label, self.share / m, (1.0 - self.share) / n)
        mass = weight * (ranked_pos + ranked_neg)
        up = mass * self._thetas(ranked_pos, ranked_neg)
        return up, mass - up, weight

    def _passed(self, mass: Floats) -> Floats:
        """Return the mass below each place, that of its own score counting half."""
        seen = np.zeros((mass.shape[0], mass.shape[1] + 1))
        np.cumsum(mass, axis=1, out=seen[:, 1:])
        if self.untied:
            passed = seen[:, :-1] + seen[:, 1:]
        else:
            passed = seen.take(self.below, axis=1) + seen.take(self.upto, axis=1)
        passed *= 0.5
        return passed


@dataclass(frozen=True, slots=True, eq=False)
class _Anything:
    """Any measure, evaluated on the blocks of one resample after the other."""

    measure: Measure
    score: Floats
    flipped: bool
    pos: Index
    neg: Index

    def values(self, pos: Ints, neg: Ints) -> Floats:
        return self.influence(pos, neg)[0]

    def influence(self, pos: Ints, neg: Ints) -> Found:
        value = np.full(pos.shape[0], math.nan)
        phi_pos, phi_neg = np.zeros(pos.shape), np.zeros(neg.shape)
        for i, (count_pos, count_neg) in enumerate(zip(pos, neg, strict=True)):
            n_pos = np.bincount(self.pos, count_pos, minlength=self.score.size).astype(np.int64)
            n_neg = np.bincount(self.neg, count_neg, minlength=self.score.size).astype(np.int64)
            present = n_pos + n_neg > 0
            blocks = _counted_blocks(self.score[present], n_pos[present], n_neg[present])
            try:
                scaled = to_measure_scale(self.measure, blocks, flipped=self.flipped)
            except ScoreRangeError:  # a resample of one score has no range
                continue
            found = evaluate(self.measure, scaled)
            value[i] = found.value
            for phi, places, by_block in (
                (phi_pos, self.pos, found.pos),
                (phi_neg, self.neg, found.neg),
            ):
                whole = np.zeros(self.score.size)
                whole[present] = by_block
                phi[i] = whole[places]
        return value, phi_pos, phi_neg


@dataclass(frozen=True, slots=True, eq=False)
class _WeightedAnything:
    """Any measure of weighted subjects, evaluated on one resample after the other."""

    measure: Measure
    score: Floats
    flipped: bool
    levels: tuple[Index, Index]
    weights: tuple[Floats, Floats]

    def values(self, pos: Ints, neg: Ints) -> Floats:
        return self.influence(pos, neg)[0]

    def influence(self, pos: Ints, neg: Ints) -> Found:
        value = np.full(pos.shape[0], math.nan)
        level, weight = np.concatenate(self.levels), np.concatenate(self.weights)
        order = np.argsort(level, kind="stable")
        found = np.zeros((pos.shape[0], level.size))
        for i, counts in enumerate(np.concatenate([pos, neg], axis=1)):
            if counts.dtype.kind == "f":  # of a model that was fitted again
                who = order[counts[order] > 0.0]
                masses = weight[who] * counts[who]
            else:
                who = np.repeat(order, counts[order])
                masses = weight[who]
            new = np.append(np.flatnonzero(np.diff(level[who])), who.size - 1)
            blocks = Blocks(
                label=who < self.levels[0].size,
                last=None if new.size == who.size else new,
                decode=partial(np.take, self.score, level[who[new]]),
                order=np.arange(who.size),
                weight=masses,
            )
            try:
                scaled = to_measure_scale(self.measure, blocks, flipped=self.flipped)
            except ScoreRangeError:  # a resample of one score has no range
                continue
            value[i], found[i, who] = ordered_influence(self.measure, scaled)
        return value, found[:, : pos.shape[1]], found[:, pos.shape[1] :]


def _counted_blocks(score: Floats, n_pos: Ints, n_neg: Ints) -> Blocks:
    """Return blocks with the given counts."""
    runs = np.stack([n_pos, n_neg], axis=1).ravel()
    label = np.repeat(np.tile([True, False], score.size), runs)
    last = np.cumsum(n_pos + n_neg) - 1
    return Blocks(
        label=label, last=None if label.size == score.size else last, decode=lambda: score
    )
