"""Influence: estimates with every subject's influence on them, from which all inference follows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocstats.blocks import Floats
from rocstats.data import ScoredSample
from rocstats.errors import InvalidOptionError, SmallSampleWarning
from rocstats.measures import Measure, evaluate, to_measure_scale

__all__ = ["Influence", "sample_influence"]

Row = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence:
    """Estimates that share subjects, and each subject's influence on each of them.

    Attributes
    ----------
    estimate : (r,) the estimates
    values : (r, N) influence: structural components less the estimate, so every row averages to
        zero within every stratum
    stratum : (N,) the stratum (class) of every subject; strata are sampled independently
    rows : (r,) pairs (classifier, measure)
    """

    estimate: Floats
    values: Floats
    stratum: NDArray[np.intp]
    rows: tuple[Row, ...]

    def covariance(self) -> Floats:
        """Return the (r, r) covariance of the estimates: per-stratum covariance over stratum size.

        Nan where a stratum has one subject. For the AUC this is DeLong, DeLong & Clarke-Pearson
        (1988), equation 0.5 of STATISTICS.md.
        """
        return self._covariance(self.values)

    def correlation(self) -> Floats:
        """Return the (r, r) correlation of the estimates; nan beside one without variance.

        Each row is scaled by its largest value first, so any unit of the scores will do.
        """
        scale = np.abs(self.values).max(axis=1, keepdims=True)
        scaled = np.divide(self.values, scale, out=np.zeros_like(self.values), where=scale > 0.0)
        covariance = self._covariance(scaled)
        spread = np.sqrt(np.diag(covariance))
        result = np.full_like(covariance, np.nan)
        known = np.outer(spread, spread) > 0.0
        np.divide(covariance, np.outer(spread, spread), out=result, where=known)
        return result

    def _covariance(self, values: Floats) -> Floats:
        total = np.zeros((len(self.rows),) * 2)
        for stratum in np.unique(self.stratum):
            here = values[:, self.stratum == stratum]
            size = here.shape[1]
            if size < 2:
                warnings.warn(
                    "A class has one subject only, so every covariance is nan.",
                    SmallSampleWarning,
                    stacklevel=3,
                )
                return np.full_like(total, np.nan)
            total += np.einsum("in,jn->ij", here, here) / (size * (size - 1.0))
        return total

    def contrast(self, matrix: ArrayLike, *, rows: Sequence[Row] | None = None) -> Influence:
        """Return the influence of the linear combinations ``matrix @ estimate``."""
        weights = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
        if weights.ndim != 2 or weights.shape[1] != len(self.rows):
            raise InvalidOptionError(
                f"A contrast needs one weight for each of the {len(self.rows)} rows, "
                f"got shape {np.shape(matrix)}."
            )
        names = rows or [(f"contrast {i + 1}", "") for i in range(weights.shape[0])]
        return Influence(
            estimate=weights @ self.estimate,
            values=weights @ self.values,
            stratum=self.stratum,
            rows=tuple(names),
        )

    def select(self, rows: Sequence[int]) -> Influence:
        """Return some of the rows, by position."""
        chosen = list(rows)
        return Influence(
            estimate=self.estimate[chosen],
            values=self.values[chosen],
            stratum=self.stratum,
            rows=tuple(self.rows[i] for i in chosen),
        )

    def join(self, other: Influence) -> Influence:
        """Return the rows of both, on disjoint subjects: their estimates are independent."""
        left, right = self.values, other.values
        values: Any = np.block(
            [
                [left, np.zeros((left.shape[0], right.shape[1]))],
                [np.zeros((right.shape[0], left.shape[1])), right],
            ]
        )
        return Influence(
            estimate=np.concatenate([self.estimate, other.estimate]),
            values=values,
            stratum=np.concatenate([self.stratum, other.stratum + self.stratum.max() + 1]),
            rows=self.rows + other.rows,
        )


def sample_influence(sample: ScoredSample, rows: Sequence[tuple[int, Measure]]) -> Influence:
    """Return the joint influence of (marker row, measure) pairs; each marker is sorted once."""
    estimate = np.empty(len(rows))
    values = np.empty((len(rows), sample.positive.size))
    for marker in dict.fromkeys(marker for marker, _ in rows):
        blocks = sample.blocks(marker, indexed=True)
        for i, (row, measure) in enumerate(rows):
            if row == marker:
                scaled = to_measure_scale(measure, blocks, flipped=sample.is_flipped(marker))
                found = evaluate(measure, scaled)
                estimate[i] = found.value
                pos, neg = found.pos[blocks.index], found.neg[blocks.index]
                values[i] = np.where(sample.positive, pos, neg)
    return Influence(
        estimate=estimate,
        values=values,
        stratum=sample.positive.astype(np.intp),
        rows=tuple((sample.markers[row], measure.name) for row, measure in rows),
    )
