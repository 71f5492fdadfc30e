"""Logistic regression on one covariate: the fits that judge calibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats

__all__ = ["LogisticFit", "fit_intercept", "fit_line", "is_separated", "log_likelihood"]

_STEPS = 200  # damped Newton steps; a dozen is usual
_TINY = 1e-14  # a step this small beside the coefficients changes nothing any more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogisticFit:
    """Coefficients, the inverse of their information, and every subject's influence on them."""

    coefficients: Floats
    covariance: Floats
    influence: Floats
    log_likelihood: float


def log_likelihood(logit: Floats, positive: Bools) -> float:
    """Return the log likelihood of the outcomes."""
    return -float(np.logaddexp(0.0, np.where(positive, -logit, logit)).sum())


def is_separated(x: Floats, positive: Bools) -> bool:
    """Whether a cut of `x` parts the classes, so that no finite slope is the likeliest."""
    pos, neg = x[positive], x[~positive]
    return bool(pos.min() >= neg.max() or neg.min() >= pos.max())


def fit_intercept(offset: Floats, positive: Bools) -> LogisticFit:
    """Fit ``logit P = a + offset``; the score falls as a grows, so its root is bracketed."""
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    n_pos = int(np.count_nonzero(positive))
    centre = float(logit(n_pos / positive.size))

    def score(a: float) -> float:
        return n_pos - float(expit(a + offset).sum())

    low, high = centre - float(offset.max()) - 1.0, centre - float(offset.min()) + 1.0
    a = float(brentq(score, low, high, xtol=1e-13))
    return _finish(np.ones((1, offset.size)), np.array([a]), offset, positive)


def fit_line(x: Floats, positive: Bools) -> LogisticFit:
    """Fit ``logit P = a + b x`` by Newton's method on a standardised `x`; not for separated data.

    Steps are halved until the likelihood does not fall, so the way to its top is certain.
    """
    from scipy.special import expit, logit

    centre, scale = float(x.mean()), float(x.std())
    design = np.stack([np.ones_like(x), (x - centre) / scale])
    beta = np.array([float(logit(positive.mean())), 0.0])
    reached = log_likelihood(beta[0] + beta[1] * design[1], positive)
    for _ in range(_STEPS):
        mean = expit(beta[0] + beta[1] * design[1])
        score = np.einsum("kn,n->k", design, positive - mean)
        step = np.linalg.solve(_information(design, mean), score)
        found = -math.inf
        while np.abs(step).max() > _TINY * (1.0 + np.abs(beta).max()):
            found = log_likelihood(beta[0] + step[0] + (beta[1] + step[1]) * design[1], positive)
            if found >= reached:
                break
            step /= 2.0
        if found < reached:
            break
        beta, reached = beta + step, found
    slope = beta[1] / scale
    line = np.array([beta[0] - slope * centre, slope])
    return _finish(np.stack([np.ones_like(x), x]), line, np.zeros_like(x), positive)


def _information(design: Floats, mean: Floats) -> Floats:
    information: Floats = np.einsum("kn,ln,n->kl", design, design, mean * (1.0 - mean))
    return information


def _finish(design: Floats, beta: Floats, offset: Floats, positive: Bools) -> LogisticFit:
    from scipy.special import expit

    logit = offset + np.einsum("k,kn->n", beta, design)
    mean = expit(logit)
    try:
        covariance = np.linalg.inv(_information(design, mean)).astype(np.float64)
    except np.linalg.LinAlgError:  # the likelihood is flat at its top
        covariance = np.full((beta.size, beta.size), math.nan)
    return LogisticFit(
        coefficients=beta,
        covariance=covariance,
        influence=positive.size * (covariance @ (design * (positive - mean))),
        log_likelihood=log_likelihood(logit, positive),
    )
