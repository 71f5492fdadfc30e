"""Logistic regression on one covariate: the fits that judge calibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats

__all__ = ["LogisticFit", "fit_intercept", "fit_line", "is_separated", "log_likelihood"]

_STEPS = 200  # of Newton's method; a dozen is usual
_TINY = 1e-10  # the next step would be about its square


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
    # Not by statsmodels: of 100 samples with logits in the hundreds Logit and GLM (0.15) missed the
    # top 45 times each, this never; elsewhere they agree to 1e-14. Time here, and of their faster:
    # n = 100: 0.06 and 0.43 ms; 10^4: 0.9 and 1.0 ms; 10^6: 0.14 and 0.41 s.
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
    """Fit ``logit P = a + b x`` by statsmodels on a standardised `x`; not for separated data."""
    from statsmodels.discrete.discrete_model import Logit  # type: ignore[import-untyped]

    centre, scale = float(x.mean()), float(x.std())
    design = np.stack([np.ones_like(x), (x - centre) / scale], axis=1)
    model = Logit(positive.astype(np.float64), design)
    with np.errstate(over="ignore"):  # exp of a logit beyond 709, whose inverse is 0
        found = model.fit(method="newton", maxiter=_STEPS, tol=_TINY, disp=False, skip_hessian=True)
    slope = float(found.params[1]) / scale
    line = np.array([float(found.params[0]) - slope * centre, slope])
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
