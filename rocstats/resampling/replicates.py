"""Replicates: contrasts of rows, and their standard errors, in every resample."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import slabs
from rocstats.engine.compiled import is_there
from rocstats.resampling.chunks import run_chunks
from rocstats.resampling.draw_counts import Row, Wins, row_sums
from rocstats.resampling.urn import Urn

__all__ = ["Resampler"]

_BATCH = 2**13  # subjects drawn at a time: their counts stay in a core's nearest caches


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampler:
    """Contrasts of rows, to be evaluated on resamples from an urn.

    Attributes
    ----------
    urn : what is drawn from
    rows : the rows
    weights : (r, rows) one contrast a line
    seed : root of the random streams
    n_resamples, n_jobs : how many resamples, and workers
    """

    urn: Urn
    rows: tuple[Row, ...]
    weights: Floats
    seed: np.random.SeedSequence
    n_resamples: int
    n_jobs: int

    def run(self, *, want_errors: bool = False) -> Floats:
        """Return the (B, r) values in the resamples, or their standard errors."""
        return run_chunks(
            self._errors if want_errors else self._values,
            self.n_resamples,
            self.seed,
            n_jobs=self.n_jobs,
            title="bootstrap",
            in_threads=not want_errors and is_there() and self._one_area() is not None,
        )

    def _one_area(self) -> Wins | None:
        """Return the only row, if it is an area, whose resamples are drawn and counted in C."""
        only = self.rows[0] if len(self.rows) == 1 and self.urn.cluster is None else None
        return only if isinstance(only, Wins) else None

    def _values(self, size: int, rng: np.random.Generator) -> Floats:
        found = np.full((len(self.weights), size), math.nan)
        area = self._one_area()
        drawn = area.drawn(self.urn, rng, size, self._batch()) if area is not None else None
        if drawn is not None:
            found[:] = self.weights * drawn
            return found.T
        for part, whole, pos, neg in self._batches(size, rng):
            values = [row.values(pos, neg) for row in self.rows]
            for line, weights in zip(found, self.weights, strict=True):
                line[part][whole] = _combine(weights, values)
        return found.T

    def _errors(self, size: int, rng: np.random.Generator) -> Floats:
        found = np.full((len(self.weights), size), math.nan)
        for part, whole, pos, neg in self._batches(size, rng):
            parts = [row.influence(pos, neg) for row in self.rows]
            for line, weights in zip(found, self.weights, strict=True):
                phi_pos = _combine(weights, [p[1] for p in parts])
                phi_neg = _combine(weights, [p[2] for p in parts])
                variance = _variances(self.urn, pos, neg, phi_pos, phi_neg)
                line[part][whole] = np.sqrt(np.maximum(variance, 0.0))
        return found.T

    def _batch(self) -> int:
        return max(1, _BATCH // (self.urn.pos.size + self.urn.neg.size))

    def _batches(
        self, size: int, rng: np.random.Generator
    ) -> Iterator[tuple[slice, Bools, Ints, Ints]]:
        """Yield places, which of them have both classes, and the counts of those."""
        for part in slabs(size, self._batch()):
            pos, neg = self.urn.draw(rng, part.stop - part.start)
            whole: Bools = np.ones(pos.shape[0], dtype=np.bool_)
            if self.urn.cluster is not None:
                whole = np.logical_and(pos.any(axis=1), neg.any(axis=1))
                pos, neg = pos[whole], neg[whole]
            if pos.size:
                yield part, whole, pos, neg


def _combine(weights: Floats, terms: Sequence[Floats]) -> Floats:
    """Return the weighted sum; a term that is nan counts only where it has a weight."""
    total = np.zeros_like(terms[0])
    for weight, term in zip(weights.tolist(), terms, strict=True):
        if weight:
            total = total + weight * term
    return total


def _variances(urn: Urn, pos: Ints, neg: Ints, phi_pos: Floats, phi_neg: Floats) -> Floats:
    """Return the variance in each resample, where a subject drawn twice is two subjects (0.5)."""
    m, n = pos.sum(axis=1), neg.sum(axis=1)
    if urn.cluster is not None:
        return _clustered_variances(urn, pos, neg, phi_pos / m[:, None], phi_neg / n[:, None])
    total: Floats = row_sums(pos, phi_pos, phi_pos) / (m * (m - 1.0))
    total += row_sums(neg, phi_neg, phi_neg) / (n * (n - 1.0))
    return total


def _clustered_variances(
    urn: Urn, pos: Ints, neg: Ints, share_pos: Floats, share_neg: Floats
) -> Floats:
    """Return the same from sums over clusters, as `Influence.covariance` has it."""
    if urn.cluster is None:
        raise ValueError("the urn has no clusters")
    found = np.empty(pos.shape[0])
    size = urn.n_clusters
    for i in range(found.size):
        drawn = np.zeros(size, dtype=np.int64)
        drawn[urn.cluster[0]], drawn[urn.cluster[1]] = pos[i], neg[i]
        sums = [
            np.bincount(codes, share[i], minlength=size)
            for codes, share in zip(urn.cluster, (share_pos, share_neg), strict=True)
        ]
        total = 2.0 * size / (size - 1.0) * float((drawn * sums[0] * sums[1]).sum())
        for codes, part in zip(urn.cluster, sums, strict=True):
            units = int(drawn[np.unique(codes)].sum())
            scale = units / (units - 1.0) if units > 1 else math.nan
            total += scale * float((drawn * part * part).sum())
        found[i] = total
    return found
