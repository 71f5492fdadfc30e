"""Observed areas with weights, partly verified, adjusted for a covariate, and in folds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["WEIGHTS"]


def _parts(sample: rs.ScoredSample, markers: Markers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, scores so that high is positive, and the places of the rows from 1."""
    scores = sample.oriented(sample.marker(markers[0]))
    return sample.positive, scores, np.arange(1, scores.size + 1)


def _answer(found: rs.Estimate) -> Numbers:
    return {"auc": [found.value, found.std_error**2]}


def _weighted(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    return _answer(rs.auc(y, scores, pos_label=True, weights=_design_weights(place)))


def _design_weights(place: np.ndarray) -> np.ndarray:
    return 1.0 + ((place * 7) % 5) / 2.0


def _known(scores: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return who is verified: the higher the score, the more often."""
    ranks = np.searchsorted(np.sort(scores), scores, "left")
    upto = np.searchsorted(np.sort(scores), scores, "right")
    share = 0.5 * (ranks + upto + 1) / scores.size
    return ((place * 7919) % 101) / 101 < 0.3 + 0.6 * share


def _verified(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    return _answer(rs.auc(y, scores, pos_label=True, verified=_known(scores, place)))


def _surveyed(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    unit = (place - 1) // 3
    weights = _design_weights(place)
    found = rs.auc(y, scores, pos_label=True, weights=weights, cluster=unit, strata=unit % 2)
    return _answer(found)


def _surveyed_verified(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    verified, weights = _known(scores, place), _design_weights(place)
    return _answer(rs.auc(y, scores, pos_label=True, verified=verified, weights=weights))


def _adjusted(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    found = rs.auc(y, scores, pos_label=True, adjust_for={"stratum": place % 3})
    return {"auc": [found.value, found.std_error**2, found.homogeneity.statistic]}


def _in_folds(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, _ = _parts(sample, markers)
    folds = np.where(y, np.cumsum(y), np.cumsum(~y)) % 3
    return _answer(rs.cv_auc(y, scores, pos_label=True, folds=folds))


WEIGHTS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "weighted-auc": _weighted,
    "verified-auc": _verified,
    "survey-auc": _surveyed,
    "survey-verified": _surveyed_verified,
    "adjusted-auc": _adjusted,
    "folds-auc": _in_folds,
}
