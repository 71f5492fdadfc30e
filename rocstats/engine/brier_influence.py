"""The Brier score and its skill: every subject's influence on them, and the decomposition."""

from __future__ import annotations

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs
from rocstats.engine.forecasts import Codes, Forecasts, bin_means
from rocstats.engine.influence import Influence

__all__ = ["brier_influence", "decompose", "skill_influence"]


def brier_influence(forecasts: Forecasts) -> Influence:
    """Return the mean squared distance of probability and outcome, with its influence."""
    return forecasts.mean_influence((forecasts.prob - forecasts.outcome) ** 2, ["brier"])


def skill_influence(brier: Influence, outcome: Floats, classifier: str) -> Influence:
    """Return the influence on ``1 - Brier / (mean (1 - mean))``, the mean estimated too."""
    mean = float(outcome.mean())
    uncertainty = mean * (1.0 - mean)
    ratio = brier.estimate / uncertainty
    drift = ratio / uncertainty * (1.0 - 2.0 * mean)
    return Influence(
        components="influence values",
        estimate=1.0 - ratio,
        values=drift * (outcome - mean) - brier.values / uncertainty,
        stratum=brier.stratum,
        rows=((classifier, "brier_skill"),),
        subject=brier.subject,
        cluster=brier.cluster,
    )


def decompose(prob: Floats, outcome: Floats, codes: Codes) -> dict[str, float]:
    """Return the terms of the Brier score over bins, which add up to it exactly.

    ``reliability - resolution + uncertainty + within_bins``; the last is zero where every bin
    holds one probability.
    """
    size, forecast, observed = bin_means(codes, prob, outcome)
    share, mean = size / prob.size, float(outcome.mean())
    square = cross = 0.0
    for s in slabs(prob.size):
        within, left = prob[s] - forecast[codes[s]], outcome[s] - observed[codes[s]]
        square += float(np.einsum("n,n->", within, within))
        cross += float(np.einsum("n,n->", within, left))
    return {
        "reliability": float((share * (forecast - observed) ** 2).sum()),
        "resolution": float((share * (observed - mean) ** 2).sum()),
        "uncertainty": mean * (1.0 - mean),
        "within_bins": (square - 2.0 * cross) / prob.size,
    }
