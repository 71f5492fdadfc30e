"""Families of distributions that data are drawn from, as values in a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rocstats.arrays import Floats

__all__ = ["FAMILIES", "Distribution", "Family"]

_WIDE_SHARE, _WIDE_SCALE = 0.1, 5.0  # contaminated: this share has this standard deviation
_HALVINGS = 80  # bisection steps: more than a double can tell apart


class Distribution(Protocol):
    """What a study asks of a distribution; scipy's frozen ones have it."""

    def rvs(self, *, size: Any, random_state: np.random.Generator) -> Floats: ...
    def pdf(self, x: Any) -> Floats: ...
    def cdf(self, x: Any) -> Floats: ...
    def sf(self, x: Any) -> Floats: ...
    def ppf(self, q: Any) -> Floats: ...
    def isf(self, q: Any) -> Floats: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of distributions.

    Attributes
    ----------
    label : its name in a sentence
    shape : its shape parameters where none are given
    build : shape parameters -> distribution
    link : how a value becomes a score; None leaves it as it is
    """

    label: str
    shape: tuple[float, ...] = ()
    build: Callable[..., Distribution]
    link: Callable[[Floats], Floats] | None = None


def _scipy(name: str) -> Callable[..., Distribution]:
    def build(*shape: float) -> Distribution:
        from scipy import stats

        found: Distribution = getattr(stats, name)(*shape)
        return found

    return build


def _expit(value: Floats) -> Floats:
    from scipy.special import expit

    scores: Floats = expit(value)
    return scores


class _Contaminated:
    """A standard normal of which a tenth has standard deviation 5."""

    def __init__(self) -> None:
        from scipy.stats import norm

        self.parts = ((1.0 - _WIDE_SHARE, norm()), (_WIDE_SHARE, norm(scale=_WIDE_SCALE)))

    def rvs(self, *, size: Any, random_state: np.random.Generator) -> Floats:
        wide = random_state.random(size) < _WIDE_SHARE
        values: Floats = random_state.standard_normal(size) * np.where(wide, _WIDE_SCALE, 1.0)
        return values

    def pdf(self, x: Any) -> Floats:
        return self._sum("pdf", x)

    def cdf(self, x: Any) -> Floats:
        return self._sum("cdf", x)

    def sf(self, x: Any) -> Floats:
        return self._sum("sf", x)

    def ppf(self, q: Any) -> Floats:
        return -self.isf(q)

    def isf(self, q: Any) -> Floats:
        tail = np.asarray(q, dtype=np.float64)
        low, high = np.full(tail.shape, -200.0), np.full(tail.shape, 200.0)
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            above = self.sf(middle) > tail
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        value: Floats = 0.5 * (low + high)
        return value

    def _sum(self, name: str, x: Any) -> Floats:
        total: Floats = np.asarray(
            sum(share * getattr(part, name)(x) for share, part in self.parts)
        )
        return total


FAMILIES = {
    "normal": Family(label="normal", build=_scipy("norm")),
    "logistic": Family(label="logistic", build=_scipy("logistic")),
    "laplace": Family(label="Laplace", build=_scipy("laplace")),
    "t3": Family(label="t3", build=lambda: _scipy("t")(3)),
    "t5": Family(label="t5", build=lambda: _scipy("t")(5)),
    "uniform": Family(label="uniform", build=_scipy("uniform")),
    "lognormal": Family(label="lognormal", build=lambda: _scipy("lognorm")(1.0)),
    "exponential": Family(label="exponential", build=_scipy("expon")),
    "gamma": Family(label="gamma", shape=(2.0,), build=_scipy("gamma")),
    "beta": Family(label="beta", shape=(2.0, 2.0), build=_scipy("beta")),
    "contaminated": Family(label="contaminated normal", build=_Contaminated),
    "logit-normal": Family(label="logit-normal", build=_scipy("norm"), link=_expit),
}
