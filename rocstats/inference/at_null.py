"""Ways to judge a contrast of areas: its variance at the null, MOVER, or DeLong's (6.8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rocstats.arrays import Floats
from rocstats.engine.influence import Influence
from rocstats.engine.null_variance import NullVariance, losses
from rocstats.engine.variances import satterthwaite_df
from rocstats.errors import (
    InvalidOptionError,
    SmallSampleWarning,
    check_option,
    keyword,
    warn_user,
)
from rocstats.estimates.results import Estimate, Pivot

__all__ = [
    "WAYS",
    "QuadraticAtNull",
    "areas_at_null",
    "choose_way",
    "degrees_of_freedom",
    "fewest_losses",
    "find_pivot",
    "quadratic_at_null",
    "warn_if_lopsided",
]

WAYS = ("auto", "score", "delong", "mover")
_NEAREST, _FARTHEST = 1e-3, 8.0  # standard errors between which limits are told apart
_LEAST = 6e-16  # tail beyond the farthest
_SMALL, _TIMES, _FEW = 30, 5, 3  # subjects, sizes, losses of the design that is warned of
_ROUNDING = 8.0 * np.finfo(np.float64).eps
_ENDLESS = np.array(math.inf)
_SAME = 1e-10  # markers whose difference varies by this share of their variances are one


@dataclass(frozen=True, slots=True, kw_only=True)
class QuadraticAtNull:
    """The quadratic form of differences of areas with their covariance at the null (6.8).

    Attributes
    ----------
    value : float
        The quadratic form.
    share : float
        How much of the answer it is; the rest is DeLong's.
    rank : int
        How many differences it has.
    df : float or None
        Degrees of freedom of the one difference of two areas.
    """

    value: float
    share: float
    rank: int
    df: float | None = None


def choose_way(method: str, reference: str, rows: Sequence[Estimate], weights: Floats) -> str:
    """Return how a contrast of the rows is judged: by name, or so that the level is held (6.8).

    A distribution that is pROC's, by name and with no method, asks for DeLong's test.
    """
    check_option("method", method, WAYS)
    areas = all(row.measure.is_auc for row in _used(rows, weights))
    if method == "auto":
        return "score" if areas and reference in ("auto", "t", "F") else "delong"
    if method != "delong" and not areas:
        raise InvalidOptionError(
            f"{keyword('method', method)} is for contrasts of AUCs only; take "
            f"{keyword('method', 'delong')}."
        )
    if method == "mover" and sorted(weights[weights != 0.0].tolist()) != [-1.0, 1.0]:
        raise InvalidOptionError(
            f"{keyword('method', 'mover')} is for the difference of two AUCs; take "
            f"{keyword('method', 'score')}."
        )
    return method


def find_pivot(
    way: str,
    rows: Sequence[Estimate],
    influence: Influence,
    weights: Floats,
    *,
    covariance: Floats,
    parts: tuple[list[float], list[float]] | None = None,
    reference: str = "auto",
) -> Pivot | None:
    """Return the statistic of a contrast at every null; None where it is DeLong's.

    `parts` are the terms of its variance and their units, where they are known.
    """
    used = [i for i, weight in enumerate(weights.tolist()) if weight]
    if way == "delong" or not used or np.isnan(covariance).any():
        return None
    taken = weights
    if len(used) < weights.size:
        rows, covariance, taken = _used(rows, weights), covariance[used][:, used], weights[used]
    found = areas_at_null(rows, covariance, taken)
    if float(found.share) > 0.0 and reference != "normal":
        if parts is None:
            found = found.on(**degrees_of_freedom(influence.contrast(weights)))
        else:
            tails = partial(influence.contrast_tails, weights)
            found = found.on(**_limited_df(*parts, tails, (influence,)))
        if not float(found.variance) > 0.0:  # what is left of the terms is rounding
            found = found.on(**_untold_df((influence,)))
    if way == "score":
        return found if float(found.share) > 0.0 else None
    first, second = (rows[i] for i in np.argsort(-taken).tolist())
    return Mover(first=first, second=second, correlation=float(found.correlation[0, 1]))


def fewest_losses(rows: Sequence[Estimate], weights: Floats) -> float:
    """Return the losses of the area of a contrast that has fewest; nan for other measures."""
    used = _used(rows, weights)
    if not all(row.measure.is_auc for row in used):
        return math.nan
    return min(float(losses(row.value, *row.effective_sizes)) for row in used)


def warn_if_lopsided(rows: Sequence[Estimate]) -> None:
    """Warn of the one design in which no test of areas that was tried holds its level (6.8)."""
    lopsided = any(
        min(row.n_pos, row.n_neg) <= _SMALL
        and max(row.n_pos, row.n_neg) >= _TIMES * min(row.n_pos, row.n_neg)
        for row in rows
    )
    if not lopsided or fewest_losses(rows, np.ones(len(rows))) >= _FEW:
        return
    if any(_has_ties(row) for row in rows):
        warn_user(
            f"A class of at most {_SMALL}, another at least {_TIMES} times as large, tied scores "
            f"and fewer than {_FEW} losses come together here; tests of AUCs may then reject up to "
            "four times as often as their level says, and only more subjects of the smaller class "
            "help.",
            SmallSampleWarning,
        )


def _has_ties(row: Estimate) -> bool:
    sample = row.sample
    return sample.blocks(sample.marker(row.classifier)).n_blocks < sample.n_pos + sample.n_neg


def areas_at_null(rows: Sequence[Estimate], covariance: Floats, weights: Floats) -> NullVariance:
    """Return a contrast of areas with all that its variance at a null rests on."""
    within = covariance.tolist()
    spread = [math.sqrt(max(line[i], 0.0)) for i, line in enumerate(within)]
    spread = [
        0.0 if s <= _ROUNDING * abs(row.value) else s for s, row in zip(spread, rows, strict=True)
    ]
    correlation = [
        [c / (s * t) if s * t > 0.0 else 0.0 for c, t in zip(line, spread, strict=True)]
        for line, s in zip(within, spread, strict=True)
    ]
    variance = max(float(weights @ covariance @ weights), 0.0)
    scale = sum(abs(w) * s for w, s in zip(weights.tolist(), spread, strict=True))
    return NullVariance(
        weights=weights,
        areas=np.array([row.value for row in rows]),
        variances=np.array([s * s for s in spread]),
        correlation=np.array(correlation),
        variance=np.array(0.0 if math.sqrt(variance) <= 1e-12 * scale else variance),
        sizes=np.array([row.effective_sizes for row in rows], dtype=np.float64),
        stiffness=np.array([1.0 / row.n_pos + 1.0 / row.n_neg for row in rows]),
        df=_ENDLESS,
        tailed=_ENDLESS,
    )


def degrees_of_freedom(*parts: Influence) -> dict[str, Floats]:
    """Return the degrees of freedom of a sum of independent variances, by terms and by tails.

    A part is a contrast, or one estimate of a sample. Where nothing varies they are as many as
    there are subjects; classes of two have no tails.
    """
    terms = [term for part in parts for term in part.covariance_terms()[:-1, 0, 0].tolist()]
    units = [size for part in parts for size in part.support()[0].tolist()]
    return _limited_df(
        terms, units, lambda: [tail for part in parts for tail in part.tails()], parts
    )


def _limited_df(
    terms: Sequence[float],
    units: Sequence[float],
    tails: Callable[[], list[float]],
    parts: Sequence[Influence],
) -> dict[str, Floats]:
    most = sum(part.most_df() + 1.0 for part in parts) - 1.0
    df = min(satterthwaite_df(terms, units), most)
    if math.isnan(df):
        return _untold_df(parts)
    tailed = df
    if min(min(part.units().tolist()) for part in parts) > 2:
        tailed = satterthwaite_df(terms, [tail + 1.0 for tail in tails()])
    return {"df": np.array(df), "tailed": np.array(min(tailed, df))}


def _untold_df(parts: Sequence[Influence]) -> dict[str, Floats]:
    """Return the degrees of freedom where nothing varies: units less classes."""
    return dict.fromkeys(("df", "tailed"), np.array(sum(part.capacity() for part in parts)))


def quadratic_at_null(
    rows: Sequence[Estimate], covariance: Floats, influence: Influence
) -> QuadraticAtNull:
    """Return the quadratic form of the differences of areas as if all were their mean.

    Copies of a marker that varies count once; two markers without a loss need not be copies. Of
    two areas it is the square of their statistic at 0.
    """
    kept = _told_apart(rows, covariance)
    rows, covariance = [rows[i] for i in kept], covariance[np.ix_(kept, kept)]
    if len(rows) == 2:
        weights = np.array([1.0, -1.0])
        pair = areas_at_null(rows, covariance, weights)
        pair = pair.on(**degrees_of_freedom(influence.select(kept).contrast(weights)))
        statistic, df = pair.judge(0.0)
        share = float(pair.share > 0.0)
        return QuadraticAtNull(value=statistic**2, share=share, rank=1, df=df)
    areas = areas_at_null(rows, covariance, np.ones(len(rows)))
    share, rank = float(areas.share), len(rows) - 1
    matrix = np.eye(len(rows))[:-1] - np.eye(len(rows))[1:]
    difference = matrix @ areas.areas
    if not rank or not np.abs(difference).max() > 0.0:
        return QuadraticAtNull(value=0.0, share=share, rank=rank)
    within = areas.covariance_at(np.full(len(rows), areas.areas.mean()))
    value = float(difference @ np.linalg.solve(matrix @ within @ matrix.T, difference))
    return QuadraticAtNull(value=value, share=share, rank=rank)


def _told_apart(rows: Sequence[Estimate], covariance: Floats) -> list[int]:
    """Return the first of every set of markers that are copies of one another."""
    kept: list[int] = []
    for i, row in enumerate(rows):
        own = covariance[i, i]
        apart = [own + covariance[j, j] - 2.0 * covariance[i, j] for j in kept]
        copies = [
            own > 0.0 and between <= _SAME * own and abs(row.value - rows[j].value) <= _SAME
            for j, between in zip(kept, apart, strict=True)
        ]
        if not any(copies):
            kept.append(i)
    return kept


def _used(rows: Sequence[Estimate], weights: Floats) -> list[Estimate]:
    return [row for row, weight in zip(rows, weights.tolist(), strict=True) if weight]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mover:
    """The difference of two areas by the limits of either (Zou & Donner 2008; Newcombe 1998)."""

    first: Estimate
    second: Estimate
    correlation: float

    name = "mover"

    def limits(self, tail: float) -> tuple[float, float]:
        level = 1.0 - 2.0 * max(tail, _LEAST)
        a, b = self.first.value, self.second.value
        low_a, high_a = self.first.confidence_interval(level)
        low_b, high_b = self.second.confidence_interval(level)
        down = self._reach(a - low_a, high_b - b)
        up = self._reach(high_a - a, b - low_b)
        return a - b - down, a - b + up

    def _reach(self, one: float, other: float) -> float:
        square = one * one + other * other - 2.0 * self.correlation * one * other
        return math.sqrt(max(square, 0.0))

    def judge(self, null: float) -> tuple[float, float]:
        return self._statistic(null), math.inf

    def _statistic(self, null: float) -> float:
        from scipy.special import ndtr

        from rocstats.engine.root_finding import find_zero

        difference = self.first.value - self.second.value
        if difference == null:
            return 0.0
        side, sign = (0, 1.0) if null < difference else (1, -1.0)

        def excess(quantile: float) -> float:
            return sign * (self.limits(float(ndtr(-quantile)))[side] - null)

        if excess(_FARTHEST) >= 0.0:
            return sign * _FARTHEST
        if excess(_NEAREST) <= 0.0:
            return 0.0
        return sign * find_zero(excess, _NEAREST, _FARTHEST, xtol=1e-12)
