"""Average precision of a marker of a sample: its standard error and interval."""

from __future__ import annotations

import math

from rocstats.data.sample import ScoredSample
from rocstats.engine.precision_influence import Sampling, joined_area, sample_precision
from rocstats.estimates.quantities import Quantity, known_by_influence

__all__ = ["perfect_bound", "precision_quantity"]


def precision_quantity(
    sample: ScoredSample, row: int, *, sampling: Sampling = "stratified"
) -> Quantity:
    """Return the average precision of a marker, by its row."""
    joined = joined_area(sample.blocks(row, ordered=True))
    influence = sample_precision(sample, row, sampling)
    m, n = sample.n_pos, sample.n_neg
    is_perfect = float(influence.estimate[0]) == 1.0
    units = sample.clusters_by_class() or (m, n)
    return known_by_influence(
        influence,
        label="AP",
        n_pos=m,
        n_neg=n,
        bounds=(0.0, 1.0),
        details={"prevalence": m / (m + n), "interpolated_area": joined},
        edge=(lambda tail: perfect_bound(*units, n / m, tail)) if is_perfect else None,
        chance=m / (m + n),
        sizes=units,
        account=sample.account,
    )


def perfect_bound(pos_units: int, neg_units: int, odds: float, tail: float) -> tuple[float, float]:
    """Return limits of average precision where all positives score above all negatives.

    Except with half the tail each, at most ``missed`` of all positives score below the lowest one
    seen, and at most ``passed`` of all negatives above the highest one seen; average precision
    cannot be less than these allow. `odds` are those of a negative.
    """
    missed = -math.expm1(math.log(0.5 * tail) / pos_units)
    passed = -math.expm1(math.log(0.5 * tail) / neg_units)

    def area(low: float, high: float, false_rate: float) -> float:
        weight = odds * false_rate
        return high - low - weight * math.log((high + weight) / (low + weight))

    return area(0.0, 1.0 - missed, passed) + area(1.0 - missed, 1.0, 1.0), 1.0
