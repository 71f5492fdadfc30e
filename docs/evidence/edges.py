"""Edges study: do default intervals hold 95% where good markers live, AUC .9 to .99?

Run ``python docs/evidence/edges.py`` to write ``docs/evidence/edges.md``; ``tests/test_edges.py``
runs it at a reduced size. Families and designs that the rules were chosen on stand apart from those
that were held out.
"""

from __future__ import annotations

import math
import platform
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri, stdtrit

import rocstats as rs
from rocstats.engine.null_variance import area_scale, losses, score_share
from rocstats.engine.variances import newcombe_variance, tailed_df
from rocstats.probabilities.net_benefit_limits import Calls, pair_limits

SEED = 20261118
REPLICATES = 1000
LEVEL = 0.95
AUCS = (0.9, 0.95, 0.97, 0.99)
SIZES = ((8, 40), (15, 15), (60, 60), (25, 200), (300, 30))
LOUD = 3.0  # Monte-Carlo standard errors below nominal from which a cell counts as liberal
GRID = 20_000  # subjects of the sample of quantiles that stands for a population

# ---------------------------------------------------------------------------------------- families


@dataclass(frozen=True, kw_only=True)
class Family:
    """Scores of the two classes, from uniforms: `score` takes them, the class and the shift.

    `direct` draws them where that is much faster, and `most` is the shift up to which one that
    gives the AUC is looked for.
    """

    score: Callable[[np.ndarray, bool, float], np.ndarray]
    direct: Callable[[np.random.Generator, tuple[int, int], bool, float], np.ndarray] | None = None
    most: float = 12.0

    def draw(
        self, rng: np.random.Generator, shape: tuple[int, int], positive: bool, d: float
    ) -> np.ndarray:
        """Return scores of a class, a sample in a row."""
        if self.direct is None:
            return self.score(rng.random(shape), positive, d)
        return self.direct(rng, shape, positive, d)


def _normal(u: np.ndarray, positive: bool, d: float) -> np.ndarray:
    return ndtri(u) + d * positive


def _bimodal(u: np.ndarray, positive: bool, d: float) -> np.ndarray:
    if positive:
        return ndtri(u) + d
    grid = np.linspace(-9.0, 14.0, 20_001)
    return np.interp(u, 0.8 * ndtr(grid) + 0.2 * ndtr(grid - 2.5), grid)


def _responders(u: np.ndarray, positive: bool, d: float) -> np.ndarray:
    """Positives of whom 1.5% are as the negatives."""
    if not positive:
        return ndtri(u)
    grid = np.linspace(-9.0, 20.0, 20_001)
    return np.interp(u, 0.985 * ndtr(grid - d) + 0.015 * ndtr(grid), grid)


FAMILIES = {
    "normal": Family(score=_normal),
    "zero-inflated": Family(score=lambda u, y, d: np.maximum(ndtri(u) - 0.8 + d * y, 0.0)),
    "5 grades": Family(
        score=lambda u, y, d: np.searchsorted([-0.5, 0.5, 1.2, 2.0], ndtri(u) + d * y).astype(float)
    ),
    "bimodal": Family(score=_bimodal),
    "11 levels": Family(score=lambda u, y, d: np.clip(np.round(2 * (ndtri(u) + d * y)), -4.0, 6.0)),
    "gamma": Family(
        score=lambda u, y, d: stats.gamma.ppf(u, 2.0) * math.exp(d * y),
        direct=lambda rng, shape, y, d: rng.gamma(2.0, size=shape) * math.exp(d * y),
        most=6.0,
    ),
    "t3": Family(
        score=lambda u, y, d: stats.t.ppf(u, 3.0) + d * y,
        direct=lambda rng, shape, y, d: rng.standard_t(3.0, size=shape) + d * y,
        most=40.0,
    ),
    "7 grades": Family(
        score=lambda u, y, d: np.searchsorted(
            [-1.0, -0.2, 0.6, 1.3, 1.9, 2.6], ndtri(u) + d * y
        ).astype(float)
    ),
    "Poisson": Family(
        score=lambda u, y, d: stats.poisson.ppf(u, 2.0 * math.exp(d * y)),
        direct=lambda rng, shape, y, d: rng.poisson(2.0 * math.exp(d * y), shape).astype(float),
        most=3.0,
    ),
    "capped": Family(score=lambda u, y, d: np.minimum(ndtri(u) + d * y, 2.5)),
    "1.5% non-responders": Family(score=_responders),
    "lognormal": Family(score=lambda u, y, d: np.exp(ndtri(u) + d * y)),
    "exponential": Family(score=lambda u, y, d: -np.log1p(-u) * math.exp(d * y), most=7.0),
    "lognormal, detection limit": Family(
        score=lambda u, y, d: np.maximum(np.exp(ndtri(u) + d * y), 2.0)
    ),
    "lognormal, sd 1.3": Family(score=lambda u, y, d: np.exp(1.3 * ndtri(u) + d * y), most=16.0),
}
CHOSEN = ("normal", "zero-inflated", "5 grades", "bimodal", "11 levels")
HELD_OUT = ("gamma", "t3", "7 grades", "Poisson", "capped", "1.5% non-responders")
SCORED = ("normal", "zero-inflated", "lognormal")
SCORED_HELD_OUT = ("exponential", "gamma", "t3", "lognormal, detection limit", "lognormal, sd 1.3")


def _quantiles(family: str, d: float, m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    score = FAMILIES[family].score
    return tuple(  # type: ignore[return-value]
        score((np.arange(k) + 0.5) / k, positive, d) for k, positive in ((m, True), (n, False))
    )


@cache
def shift(family: str, auc: float) -> float | None:
    """Return the shift that gives the AUC; None where the family cannot reach it."""

    def excess(d: float) -> float:
        pos, neg = _quantiles(family, d, 4000, 4000)
        return rs.auc(np.repeat([1, 0], 4000), np.concatenate([pos, neg])).value - auc

    most = FAMILIES[family].most
    return brentq(excess, 0.0, most, xtol=1e-6) if excess(most) > 0.0 else None


def spread_out(
    family: str, d: float, pos: np.ndarray, neg: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores as a model's probabilities, half way between the classes 1/2."""
    ends = [float(FAMILIES[family].score(np.array([0.5]), y, d)[0]) for y in (True, False)]
    slope = 4.0 / max(ends[0] - ends[1], 1e-9)
    return tuple(expit(slope * (x - 0.5 * sum(ends))) for x in (pos, neg))  # type: ignore[return-value]


# ------------------------------------------------ estimates of many samples at once, (R, m), (R, n)


class Batch(NamedTuple):
    """Estimates of many samples: degrees of freedom as ever, and as the tails have them."""

    value: np.ndarray
    std_error: np.ndarray
    df: np.ndarray
    tail_df: np.ndarray


def _scatter(value: np.ndarray, *parts: np.ndarray) -> Batch:
    """Return the batch from the influence of the subjects of every class, each (R, n_c)."""
    terms = [part.var(axis=1, ddof=1) / part.shape[1] for part in parts]
    total = sum(terms)

    def combined(dfs: Iterable[np.ndarray | int]) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return 1.0 / sum((t / total) ** 2 / df for t, df in zip(terms, dfs, strict=True))

    return Batch(
        value,
        np.sqrt(total),
        combined([part.shape[1] - 1 for part in parts]),
        combined([tailed_df(part) for part in parts]),
    )


class Ranked:
    """Scores of many samples in order; sums run over those below, or at most as high."""

    def __init__(self, pos: np.ndarray, neg: np.ndarray) -> None:
        self.m, self.n = pos.shape[1], neg.shape[1]
        score = np.concatenate([pos, neg], axis=1)
        self.order = np.argsort(score, axis=1, kind="stable")
        self.score = np.take_along_axis(score, self.order, axis=1)
        self.positive = self.order < self.m
        place = np.arange(self.m + self.n)
        differs = self.score[:, 1:] != self.score[:, :-1]
        edge = np.ones((len(score), 1), dtype=bool)
        starts, ends = np.hstack([edge, differs]), np.hstack([differs, edge])
        self.first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
        far = np.where(ends, place, place.size)
        self.last = np.minimum.accumulate(far[:, ::-1], axis=1)[:, ::-1]

    def below(self, weight: np.ndarray, *, tied: float = 0.0) -> np.ndarray:
        """Return what lies below each score, with so much of what is tied with it."""
        total = np.cumsum(weight, axis=1)
        total = np.hstack([np.zeros((len(total), 1)), total])
        low = np.take_along_axis(total, self.first, axis=1)
        if tied == 0.0:
            return low
        return (1.0 - tied) * low + tied * np.take_along_axis(total, self.last + 1, axis=1)

    def scatter(self, value: np.ndarray, influence: np.ndarray) -> Batch:
        """Return the batch from the influence in the order of the scores."""
        found = np.empty_like(influence)
        np.put_along_axis(found, self.order, influence, axis=1)
        return _scatter(value, found[:, : self.m], found[:, self.m :])


def _auc_influence(r: Ranked) -> np.ndarray:
    own = r.below(~r.positive, tied=0.5) / r.n
    return np.where(r.positive, own, 1.0 - r.below(r.positive, tied=0.5) / r.m)


def sauc_batch(pos: np.ndarray, neg: np.ndarray) -> Batch:
    """Return sAUCs in the units of the scores."""
    r = Ranked(pos, neg)
    p, q = r.positive, ~r.positive
    own = (r.score * r.below(q) - r.below(q * r.score)) / r.n
    above = (p * r.score).sum(axis=1, keepdims=True) - r.below(p * r.score, tied=1.0)
    others = (above - r.score * (r.m - r.below(p, tied=1.0))) / r.m
    return r.scatter((own * p).sum(axis=1) / r.m, np.where(p, own, others))


def smauc_batch(pos: np.ndarray, neg: np.ndarray) -> Batch:
    """Return smAUCs with midpoint 1/2 (STATISTICS.md 4.5)."""
    r = Ranked(pos, neg)
    sure = np.where(r.score >= 0.5, r.score, 1.0 - r.score)
    up = np.where(r.positive, sure, 1.0 - sure)
    v, h = up.sum(axis=1, keepdims=True), (1.0 - up).sum(axis=1, keepdims=True)
    below, above = r.below(1.0 - up, tied=0.5), v - r.below(up, tied=0.5)
    value = (up * below).sum(axis=1, keepdims=True) / (v * h)
    slope = (up * below + (1.0 - up) * above) / (v * h) - value * (up / v + (1.0 - up) / h)
    return r.scatter(value[:, 0], np.where(r.positive, r.m, r.n) * slope)


def ap_batch(pos: np.ndarray, neg: np.ndarray) -> Batch:
    """Return average precisions at the prevalence of the sample."""
    r = Ranked(pos, neg)
    p = r.positive
    tp, fp = r.m - r.below(p), r.n - r.below(~p)
    called = tp + fp
    own = tp / called + r.below(p * fp / called**2, tied=1.0)
    others = -(r.n / r.m) * r.below(p * tp / called**2, tied=1.0)
    return r.scatter((p * tp / called).sum(axis=1) / r.m, np.where(p, own, others))


def hand_till_batch(*classes: np.ndarray) -> Batch:
    """Return the mean area of pairs of classes by one marker that grows along them."""
    pairs = list(combinations(range(len(classes)), 2))
    parts = [np.zeros_like(c) for c in classes]
    value = np.zeros(len(classes[0]))
    for i, j in pairs:
        r = Ranked(classes[j], classes[i])
        wins = np.empty(r.score.shape)
        np.put_along_axis(wins, r.order, _auc_influence(r) / len(pairs), axis=1)
        value += wins[:, : r.m].mean(axis=1)
        parts[j] += wins[:, : r.m]
        parts[i] += wins[:, r.m :]
    return _scatter(value, *parts)


# ------------------------------------------------------------------------------- intervals of many

Limits = tuple[np.ndarray, np.ndarray]
TAIL = 0.5 * (1.0 - LEVEL)
FEW = 10.0  # degrees of freedom by the tails below which a raw sAUC is warned of


def _t(df: np.ndarray) -> np.ndarray:
    return -stdtrit(np.where(df > 0.0, df, 1e9), TAIL)


def logit_limits(batch: Batch, sizes: tuple[int, int]) -> Limits:
    """Return logit limits with t quantiles, and the exact bound at 0 and 1: the former default."""
    value = batch.value
    exact = TAIL ** (1.0 / min(sizes))
    inside = (value > 1e-12) & (value < 1.0 - 1e-12)
    odds = np.where(inside, value, 0.5)
    centre = np.log(odds / (1.0 - odds))
    reach = _t(batch.df) * batch.std_error / (odds * (1.0 - odds))
    low, high = expit(centre - reach), expit(centre + reach)
    perfect = value > 0.5
    return (
        np.where(inside, low, np.where(perfect, exact, 0.0)),
        np.where(inside, high, np.where(perfect, 1.0, 1.0 - exact)),
    )


def null_limits(batch: Batch, sizes: tuple[int, int], prior: float, df: np.ndarray) -> Limits:
    """Return limits with the variance at the limits themselves."""
    value, quantile = batch.value, _t(np.where(df > 0.0, df, sum(sizes) - 2.0))
    scale = area_scale(value, batch.std_error**2, *sizes, prior)

    def limit(edge: float) -> np.ndarray:
        inner, outer = value, np.full_like(value, edge)
        for _ in range(50):
            middle = 0.5 * (inner + outer)
            near = (value - middle) ** 2 <= quantile**2 * scale * newcombe_variance(middle, *sizes)
            inner, outer = np.where(near, middle, inner), np.where(near, outer, middle)
        return inner

    return limit(0.0), limit(1.0)


def _blend(share: np.ndarray, near: Limits, far: Limits) -> Limits:
    return tuple(share * x + (1.0 - share) * y for x, y in zip(near, far, strict=True))  # type: ignore[return-value]


def soft_limits(batch: Batch, sizes: tuple[int, int], times: int = 1) -> Limits:
    """Return the default limits of smAUC, and of the area of several classes."""
    many = (sizes[0] * times, sizes[1] * times)
    lost = losses(batch.value, *many)
    share = np.where(batch.std_error > 0.0, score_share(lost), 0.0)
    return _blend(share, null_limits(batch, many, 0.3, batch.df), logit_limits(batch, sizes))


def precision_limits(batch: Batch, sizes: tuple[int, int]) -> Limits:
    """Return the default limits of average precision."""
    chance = sizes[0] / sum(sizes)
    width = 2.0 * (1.0 - chance)
    scaled = batch._replace(
        value=1.0 - (1.0 - batch.value) / width, std_error=batch.std_error / width
    )
    df = np.minimum(batch.df, np.maximum(batch.tail_df, 6.0))
    low, high = null_limits(scaled, sizes, 3.0, df)
    beyond = np.clip((2.0 * scaled.value - 1.0 - 0.3) / 0.3, 0.0, 1.0)
    share = score_share(losses(scaled.value, *sizes)) * beyond
    near = 1.0 - (1.0 - low) * width, 1.0 - (1.0 - high) * width
    low, high = _blend(share, near, logit_limits(batch, sizes))
    bound = rs.average_precision(
        np.repeat([1, 0], sizes), np.repeat([1.0, 0.0], sizes)
    ).confidence_interval(LEVEL)
    perfect = batch.value == 1.0
    return (
        np.where(perfect, bound.low, np.maximum(low, 0.0)),
        np.where(perfect, 1.0, np.minimum(high, 1.0)),
    )


def log_limits(batch: Batch) -> Limits:
    """Return the limits of a raw sAUC."""
    factor = np.exp(_t(batch.df) * batch.std_error / batch.value)
    return batch.value / factor, batch.value * factor


# --------------------------------------------------------------------------------------- the study


class Cell(NamedTuple):
    """How often the limits held the truth in one design, before and now."""

    measure: str
    held_out: bool
    family: str
    auc: float
    sizes: tuple[int, ...]
    before: float
    now: float
    width: float  # of the limits now, beside those before
    warned: float


def _cover(limits: Limits, truth: float) -> float:
    low, high = limits
    return float(np.mean((low <= truth + 1e-12) & (truth - 1e-12 <= high)))


def _width(limits: Limits) -> float:
    return float(np.mean(limits[1] - limits[0]))


def _rng(*words: object) -> np.random.Generator:
    return np.random.default_rng([SEED, zlib.crc32(repr(words).encode())])


def simulate(
    measure: str, family: str, auc: float, sizes: tuple[int, ...], replicates: int = REPLICATES
) -> Cell | None:
    """Run one design; None where the family cannot have the AUC."""
    d = shift(family, auc)
    if d is None:
        return None
    held_out = family in (SCORED_HELD_OUT if measure == "sAUC" else HELD_OUT)
    rng, source = _rng(measure, family, auc, sizes), FAMILIES[family]
    if measure == "several classes":
        truth = float(
            hand_till_batch(
                *(
                    source.score((np.arange(4000) + 0.5) / 4000, k > 0, d * k)[None]
                    for k in range(3)
                )
            ).value[0]
        )
        drawn = [source.draw(rng, (replicates, n), k > 0, d * k) for k, n in enumerate(sizes)]
        batch = hand_till_batch(*drawn)
        least = tuple(sorted(sizes)[:2])
        before, now = logit_limits(batch, least), soft_limits(batch, least, len(sizes) - 1)
    else:
        m, n = sizes
        times = max(1, GRID // (m + n))
        label = np.repeat([1, 0], [m * times, n * times])
        whole = _quantiles(family, d, m * times, n * times)
        drawn = [source.draw(rng, (replicates, k), y, d) for k, y in ((m, True), (n, False))]
        if measure == "smAUC":
            whole, drawn = (spread_out(family, d, *scores) for scores in (whole, drawn))
        estimate, estimates = ESTIMATES[measure]
        truth = estimate(label, np.concatenate(whole)).value
        batch = estimates(*drawn)
        if measure == "sAUC":
            before = now = log_limits(batch)
        else:
            before = logit_limits(batch, sizes)
            default = soft_limits if measure == "smAUC" else precision_limits
            now = default(batch, sizes)
    warned = float(np.mean(batch.tail_df < FEW)) if measure == "sAUC" else 0.0
    return Cell(
        measure,
        held_out,
        family,
        auc,
        sizes,
        _cover(before, truth),
        _cover(now, truth),
        _width(now) / _width(before),
        warned,
    )


ESTIMATES: dict[str, tuple[Callable, Callable]] = {
    "smAUC": (rs.smauc, smauc_batch),
    "average precision": (rs.average_precision, ap_batch),
    "sAUC": (rs.sauc, sauc_batch),
}
THREE = ((15, 15, 15), (8, 20, 40), (60, 60, 60), (200, 25, 25), (30, 30, 300))
MEASURES = (*ESTIMATES, "several classes")


def jobs() -> list[tuple[str, str, float, tuple[int, ...]]]:
    """Return every design of the areas."""
    found: list[tuple[str, str, float, tuple[int, ...]]] = []
    for measure in MEASURES:
        families = (*SCORED, *SCORED_HELD_OUT) if measure == "sAUC" else (*CHOSEN, *HELD_OUT)
        for family in families:
            if measure == "several classes" and family in ("bimodal", "1.5% non-responders"):
                continue  # made for two classes
            sizes = THREE if measure == "several classes" else SIZES
            found += [(measure, family, auc, size) for auc in AUCS for size in sizes]
    return found


# --------------------------------------------------------------------------------- decision curves

THRESHOLDS = (0.02, 0.05, 0.1, 0.2, 0.4)
COHORTS = (50, 100, 200, 1000)
PREVALENCES = {False: (0.05, 0.1, 0.3, 0.5), True: (0.08, 0.2, 0.4)}
# How the model's log odds stand to the true ones: times, plus.
MODELS = {False: ((1.0, 0.0), (2.0, 0.0)), True: ((0.5, 0.0), (1.0, -1.0))}


class Decision(NamedTuple):
    """How often the limits of a difference of net benefit held the truth, by Wald and now."""

    held_out: bool
    auc: float
    threshold: float
    versus: str
    size: int
    wald: float
    now: float
    claims: float  # lower limit above the truth


def _rates(auc: float, prevalence: float, threshold: float, model: tuple[float, float]) -> tuple:
    """Return sensitivity, false positive rate and the cut on the latent scale of the negatives."""
    d = math.sqrt(2.0) * float(ndtri(auc))
    odds = math.log(threshold / (1.0 - threshold))
    prior = math.log(prevalence / (1.0 - prevalence))
    cut = ((odds - model[1]) / model[0] - prior) / d + 0.5 * d
    return float(ndtr(d - cut)), float(ndtr(-cut)), cut, d


def _calls(joint: list[np.ndarray], odds: float) -> Calls:
    """Return calls in many studies, in place of thresholds: for a class its counts (S, S, R)."""
    tables = np.stack(joint).transpose(0, 3, 1, 2)
    size = tables.shape[1]
    return Calls(
        joint=tables,
        odds=np.full(size, odds),
        prevalence=None,
        standardized=False,
        clusters=None,
        alone=np.zeros((size, *tables.shape[2:])),
    )


def decide(held_out: bool, auc: float, replicates: int = REPLICATES) -> list[Decision]:
    """Run the decision curves of one AUC."""
    rng, found, z = _rng("decision", held_out, auc), [], -float(ndtri(TAIL))
    for t in THRESHOLDS:
        odds = t / (1.0 - t)
        for prevalence in PREVALENCES[held_out]:
            for first, other in (MODELS[held_out], MODELS[held_out][::-1]):
                (tpr, fpr, cut, d), (_, _, cut2, _) = (
                    _rates(auc, prevalence, t, model) for model in (first, other)
                )
                law = stats.multivariate_normal([0.0, 0.0], [[1.0, 0.8], [0.8, 1.0]])
                share = []  # of tp by both, by the first alone, by the second alone, by neither
                for mu, of in ((d, prevalence), (0.0, 1.0 - prevalence)):
                    a, b = float(ndtr(mu - cut)), float(ndtr(mu - cut2))
                    both = min(float(law.cdf([mu - cut, mu - cut2])), a, b)
                    share += [
                        of * both,
                        of * (a - both),
                        of * (b - both),
                        of * (1.0 - a - b + both),
                    ]
                cells = np.maximum(share, 0.0)
                truths = {
                    "all": odds * (1.0 - prevalence) * (1.0 - fpr) - prevalence * (1.0 - tpr),
                    "none": prevalence * tpr - odds * (1.0 - prevalence) * fpr,
                    "model": (cells[1] - cells[2]) - odds * (cells[5] - cells[6]),
                }
                for size in COHORTS:
                    drawn = rng.multinomial(size, cells / cells.sum(), replicates).T.astype(float)
                    joint = []
                    for both, one, two, rest in (drawn[:4], drawn[4:]):
                        no, a, b = np.zeros_like(both), both + one, both + two
                        whole = both + one + two + rest
                        rows = [[a, both, a, no], [both, b, b, no], [a, b, whole, no], [no] * 4]
                        joint.append(np.array(rows))
                    calls = _calls(joint, odds)
                    for versus, place in (("all", 2), ("none", 3), ("model", 1)):
                        truth = truths[versus]
                        now = pair_limits(calls, 0, place, np.ones(replicates), LEVEL)[:2]
                        gains = joint[0][0, 0] - joint[0][place, place]
                        costs = joint[1][0, 0] - joint[1][place, place]
                        differ = [j[0, 0] + j[place, place] - 2.0 * j[0, place] for j in joint]
                        value = (gains - odds * costs) / size
                        square = (differ[0] + odds**2 * differ[1]) / size
                        reach = z * np.sqrt(np.maximum(square - value**2, 0.0) / (size - 1.0))
                        wald = value - reach, value + reach
                        found.append(
                            Decision(
                                held_out,
                                auc,
                                t,
                                versus,
                                size,
                                _cover(wald, truth),
                                _cover(now, truth),
                                float(np.mean(now[0] > truth + 1e-12)),
                            )
                        )
    return found


# ---------------------------------------------------------------------------------------- the page


def liberal(share: float, replicates: int) -> bool:
    """Whether a coverage is below nominal by more than Monte-Carlo error."""
    return share < LEVEL - LOUD * math.sqrt(LEVEL * (1.0 - LEVEL) / replicates)


def _told(shares: list[float], replicates: int) -> str:
    loud = sum(liberal(share, replicates) for share in shares) / len(shares)
    return f"{np.mean(shares):.3f}, {min(shares):.3f}, {loud:.0%}" if shares else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    head = list(head)
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def area_table(cells: list[Cell], replicates: int) -> list[str]:
    """Return coverage by AUC and sizes, chosen and held-out designs apart."""
    groups = sorted({(c.auc, c.sizes) for c in cells}, key=lambda g: (g[0], str(g[1])))
    rows = []
    for group in [*groups, None]:
        of = [c for c in cells if group is None or (c.auc, c.sizes) == group]
        row = ["all", ""] if group is None else [f"{group[0]:g}", "/".join(map(str, group[1]))]
        for held_out in (False, True):
            part = [c for c in of if c.held_out == held_out]
            before, now = [c.before for c in part], [c.now for c in part]
            if cells[0].measure == "sAUC":
                row += [_told(now, replicates), f"{np.mean([c.warned for c in part]):.0%}"]
            else:
                width = f"{np.mean([c.width for c in part]):.2f}"
                row += [_told(before, replicates), _told(now, replicates), width]
        rows.append(row)
    if cells[0].measure == "sAUC":
        told = ("chosen", "warned", "held out", "warned")
    else:
        told = ("chosen, logit_t", "chosen, now", "width", "held out, logit_t", "held out, now")
        told += ("width",)
    return _table(("AUC", "sizes", *told), rows)


def warned_table(cells: list[Cell], replicates: int) -> list[str]:
    """Return the coverage of designs that are mostly warned of, and of the others."""
    rows = []
    for held_out in (False, True):
        for warned in (True, False):
            part = [c for c in cells if c.held_out == held_out and (c.warned >= 0.5) == warned]
            rows.append(
                [
                    "held out" if held_out else "chosen",
                    "warned of in half the samples or more" if warned else "in fewer",
                    str(len(part)),
                    _told([c.now for c in part], replicates),
                ]
            )
    return _table(("designs", "", "number", "log_t"), rows)


def decision_table(found: list[Decision], replicates: int) -> list[str]:
    """Return coverage by AUC and threshold."""
    rows = []
    groups = [(auc, t) for auc in AUCS for t in THRESHOLDS]
    for group in [*groups, None]:
        of = [f for f in found if group is None or (f.auc, f.threshold) == group]
        row = ["all", ""] if group is None else [f"{group[0]:g}", f"{group[1]:g}"]
        for versus in ("all", "none", "model"):
            for held_out in (False, True):
                part = [f for f in of if f.versus == versus and f.held_out == held_out]
                now = _told([f.now for f in part], replicates)
                row.append(f"{min(f.wald for f in part):.3f} → {now}")
        rows.append(row)
    head = [f"{v}, {k}" for v in ("all", "none", "models") for k in ("chosen", "held out")]
    return _table(("AUC", "t", *head), rows)


def page(cells: list[Cell], found: list[Decision], replicates: int) -> str:
    """Return the tables as Markdown."""
    worst = {v: max(f.claims for f in found if f.versus == v) for v in ("all", "none", "model")}
    claims = ", ".join(f"beside {versus} {share:.3f}" for versus, share in worst.items())
    lines = [
        "Generated by `docs/evidence/edges.py` "
        f"(seed {SEED}, {replicates} replicates a cell) with rocstats "
        f"{rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, Python "
        f"{platform.python_version()}; do not edit below the line.",
        "",
        "Each entry is the mean coverage of 95% limits over its designs, the worst, and the share",
        f"of designs that are liberal, by more than {LOUD:g} Monte-Carlo standard errors.",
        "",
    ]
    for measure in MEASURES:
        part = [cell for cell in cells if cell.measure == measure]
        lines += [f"## {measure[0].upper() if measure[0] == 'a' else measure[0]}{measure[1:]}", ""]
        lines += area_table(part, replicates)
        if measure == "sAUC":
            lines += warned_table(part, replicates)
    lines += [
        "## Decision curves",
        "",
        "A model's net benefit less that of treating all, of treating none and of another model;",
        "the worst coverage of Wald's limits, then the limits now.",
        "",
        *decision_table(found, replicates),
        "The lower limit lay above the truth, at worst, in so many studies of a design (nominal",
        f"0.025): {claims}.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the tables into the page beside this file."""
    with ProcessPoolExecutor(2) as pool:
        cells = [c for c in pool.map(simulate, *zip(*jobs(), strict=True), chunksize=10) if c]
        decisions = [(held_out, auc) for held_out in (False, True) for auc in AUCS]
        found = [f for part in pool.map(decide, *zip(*decisions, strict=True)) for f in part]
    path = Path(__file__).with_suffix(".md")
    text, line, _ = path.read_text(encoding="utf-8").partition("\n---\n")
    path.write_text(f"{text}{line}\n{page(cells, found, REPLICATES)}", encoding="utf-8")


if __name__ == "__main__":
    main()
