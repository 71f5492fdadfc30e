"""The Brier score of a marker of a sample: its standard error, interval and decomposition."""

from __future__ import annotations

import math

from rocstats.data.sample import ScoredSample
from rocstats.engine.brier_influence import brier_influence, decompose, skill_influence
from rocstats.engine.forecasts import Strategy, assign_bins, read_forecasts
from rocstats.estimates.quantities import Quantity, known_by_influence

__all__ = ["brier_quantity"]


def brier_quantity(
    sample: ScoredSample,
    row: int,
    *,
    scaled: bool = False,
    n_bins: int | None = 10,
    strategy: Strategy = "quantile",
) -> Quantity:
    """Return the Brier score of a marker, by its row, or its skill."""
    forecasts = read_forecasts(sample, row, "The Brier score")
    outcome = forecasts.outcome
    influence = brier_influence(forecasts)
    codes = assign_bins(forecasts.prob, n_bins, strategy)
    details = decompose(forecasts.prob, outcome, codes)
    value, uncertainty = float(influence.estimate[0]), details["uncertainty"]
    details["skill"] = 1.0 - value / uncertainty
    label, bounds = "Brier score", (0.0, 1.0)
    if scaled:
        label, bounds = "Scaled Brier score", (-math.inf, 1.0)
        influence = skill_influence(influence, outcome, forecasts.classifier)
        details = {"brier": value, **details}
        del details["skill"]
    return known_by_influence(
        influence,
        label=label,
        n_pos=sample.n_pos,
        n_neg=sample.n_neg,
        bounds=bounds,
        details=details,
        account=sample.account,
    )
