"""Criteria: by what a cutpoint is best, as a quick score and as an exact one for ties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.thresholds.diagnostics import DIAGNOSTICS
from rocstats.thresholds.two_by_two import Cells

__all__ = ["CRITERIA", "Criterion", "Floor", "Rates", "best_vertices", "score_vertices"]

_NEAR = 1e-11  # scores of the order of 1 that differ by less may be equal, and are judged exactly


class _Whole(NamedTuple):
    """One table in whole numbers, and the weight of specificity as a ratio of them."""

    tp: int
    fp: int
    fn: int
    tn: int
    n_pos: int
    n_neg: int
    up: int
    down: int


Score = Callable[[Cells, float], Floats]
Key = Callable[[_Whole], tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rates:
    """A score that never falls with true positives nor rises with false ones, rounding included.

    Attributes
    ----------
    of_tp : what true positives are worth, of so many positives
    of_fp : the same of false positives, with the weight of specificity
    join : the two in one
    """

    of_tp: Callable[[Floats, Any], Floats]
    of_fp: Callable[[Floats, Any, float], Floats]
    join: np.ufunc

    def score(self, cells: Cells, weight: float) -> Floats:
        """Return the score of every table."""
        up, down = self.of_tp(cells.tp, cells.n_pos), self.of_fp(cells.fp, cells.n_neg, weight)
        found: Floats = self.join(up, down)
        return found

    def tables(self, n_pos: int, n_neg: int, weight: float) -> tuple[Floats, Floats]:
        """Return what each number of true and of false positives is worth."""
        sizes = np.float64(n_pos), np.float64(n_neg)
        every = [np.arange(size + 1.0) for size in sizes]
        return self.of_tp(every[0], sizes[0]), self.of_fp(every[1], sizes[1], weight)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Criterion:
    """What is to be largest.

    Attributes
    ----------
    label : its name for a reader
    score : as a function of the cells and of the weight of specificity; larger is better
    key : the same order as a ratio of whole numbers, the lower one not negative
    value : what a reader expects to see, where it is not the score
    weighted : its name where the weight is not 1; empty where the weight has no part in it
    rates : the score by rates, where it rises with the one and falls with the other
    """

    label: str
    score: Score
    key: Key
    value: Score | None = None
    weighted: str = ""
    rates: Rates | None = None

    def worth(self, cells: Cells, weight: float) -> Floats:
        """Return what was largest, or smallest, as a reader expects it."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return (self.value or self.score)(cells, weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """Rates that a cutpoint must have at least."""

    sensitivity: Fraction = Fraction(0)
    specificity: Fraction = Fraction(0)

    def __str__(self) -> str:
        words = [
            f"{name} of at least {float(rate):g}"
            for name, rate in (("sensitivity", self.sensitivity), ("specificity", self.specificity))
            if rate
        ]
        return " and ".join(words)

    def least(self, n_pos: int) -> int:
        """Return how many true positives there must be."""
        return -(-n_pos * self.sensitivity // 1)

    def most(self, n_neg: int) -> int:
        """Return how many false positives there may be."""
        return n_neg * (1 - self.specificity) // 1

    def holds(self, tp: Ints, fp: Ints) -> Bools:
        """Return which vertices have both rates; the last one of each path has the class sizes."""
        if not self.sensitivity and not self.specificity:
            return np.ones(tp.shape, dtype=np.bool_)
        n_pos, n_neg = tp[..., -1:], fp[..., -1:]
        return np.logical_and(tp >= _each(n_pos, self.least), fp <= _each(n_neg, self.most))


def _each(sizes: Ints, count: Callable[[int], int]) -> Ints:
    return np.array([count(n) for n in sizes.ravel().tolist()], np.int64).reshape(sizes.shape)


def _by_rates(
    label: str, rates: Rates, key: Key, *, value: Score | None = None, weighted: str = ""
) -> Criterion:
    return Criterion(
        label=label, score=rates.score, key=key, value=value, weighted=weighted, rates=rates
    )


def _column(name: str, key: Key) -> Criterion:
    """Return the criterion of a measure; of those that fall, the smallest is best."""
    known = DIAGNOSTICS[name]
    sign = -1.0 if known.falling else 1.0
    return Criterion(
        label=f"{'smallest' if known.falling else 'largest'} {name}",
        score=lambda c, weight: sign * known.value(c),
        key=key,
        value=lambda c, weight: known.value(c),
    )


def _signed_square(c: _Whole) -> tuple[int, int]:
    excess = c.tp * c.tn - c.fp * c.fn
    return excess * abs(excess), (c.tp + c.fp) * (c.tn + c.fn)


def _chi_square(c: Cells) -> Floats:
    called, others = c.tp + c.fp, c.fn + c.tn
    excess = c.tp * c.tn - c.fp * c.fn
    return (called + others) * (excess / (called * others)) * (excess / (c.n_pos * c.n_neg))


def _kappa(c: Cells) -> Floats:
    by_chance = (c.tp + c.fp) * c.n_neg + (c.fn + c.tn) * c.n_pos
    return 2.0 * (c.tp * c.tn - c.fp * c.fn) / by_chance


def _odds_ratio(c: Cells) -> Floats:
    """An empty cell counts half a subject; nan where all, or none, are called positive."""
    tp, fp, fn, tn = (np.where(cell == 0.0, 0.5, cell) for cell in (c.tp, c.fp, c.fn, c.tn))
    known = (c.tp + c.fp > 0.0) & (c.fn + c.tn > 0.0)
    return np.where(known, (tp * tn) / (fp * fn), np.nan)


def _odds_ratio_key(c: _Whole) -> tuple[int, int]:
    tp, fp, fn, tn = (2 * cell or 1 for cell in (c.tp, c.fp, c.fn, c.tn))
    return tp * tn, fp * fn


def _ppv_npv(c: Cells) -> tuple[Floats, Floats]:
    return c.tp / (c.tp + c.fp), c.tn / (c.tn + c.fn)


def _ppv_npv_key(c: _Whole) -> tuple[int, int, int]:
    """Both predictive values, over one denominator."""
    called, others = c.tp + c.fp, c.tn + c.fn
    return c.tp * others, c.tn * called, called * others


def _predictive(
    label: str,
    value: Callable[[Floats, Floats], Floats],
    key: Callable[[int, int], int],
    *,
    smallest: bool = False,
) -> Criterion:
    """Return the criterion of the predictive values at the sample's prevalence."""
    sign = -1 if smallest else 1

    def whole(c: _Whole) -> tuple[int, int]:
        ppv, npv, denominator = _ppv_npv_key(c)
        return sign * key(ppv, npv), denominator

    return Criterion(
        label=label,
        score=lambda c, weight: sign * value(*_ppv_npv(c)),
        key=whole,
        value=lambda c, weight: value(*_ppv_npv(c)),
    )


def _predictive_distance(c: Cells) -> Floats:
    return (c.fp / (c.tp + c.fp)) ** 2 + (c.fn / (c.tn + c.fn)) ** 2


def _predictive_closest_key(c: _Whole) -> tuple[int, int]:
    ppv, npv, denominator = _ppv_npv_key(c)
    return -((denominator - ppv) ** 2 + (denominator - npv) ** 2), denominator**2


# Of equal sensitivity the higher specificity is better, and the other way round.
CRITERIA: dict[str, Criterion] = {
    "youden": _by_rates(
        "largest Youden's J",
        Rates(
            of_tp=lambda tp, n: tp / n,
            of_fp=lambda fp, n, weight: weight * (fp / n),
            join=np.subtract,
        ),
        key=lambda c: (c.down * c.tp * c.n_neg - c.up * c.fp * c.n_pos, 1),
        weighted="largest se - r (1 - sp)",
    ),
    "closest": _by_rates(
        "closest to sensitivity and specificity 1",
        Rates(
            of_tp=lambda tp, n: -(((n - tp) / n) ** 2),
            of_fp=lambda fp, n, weight: weight * (fp / n) ** 2,
            join=np.subtract,
        ),
        key=lambda c: (-c.down * (c.fn * c.n_neg) ** 2 - c.up * (c.fp * c.n_pos) ** 2, 1),
        value=lambda c, weight: (c.fn / c.n_pos) ** 2 + weight * (c.fp / c.n_neg) ** 2,
        weighted="smallest (1 - se)^2 + r (1 - sp)^2",
    ),
    "sensitivity": Criterion(
        label="largest sensitivity",
        score=lambda c, weight: (c.tp + c.tn / (c.n_neg + 1.0)) / c.n_pos,
        key=lambda c: (c.tp * (c.n_neg + 1) + c.tn, 1),
        value=lambda c, weight: c.tp / c.n_pos,
    ),
    "specificity": Criterion(
        label="largest specificity",
        score=lambda c, weight: (c.tn + c.tp / (c.n_pos + 1.0)) / c.n_neg,
        key=lambda c: (c.tn * (c.n_pos + 1) + c.tp, 1),
        value=lambda c, weight: c.tn / c.n_neg,
    ),
    "accuracy": _column("accuracy", lambda c: (c.tp + c.tn, 1)),
    "balanced_accuracy": _column(
        "balanced_accuracy", lambda c: (c.tp * c.n_neg + c.tn * c.n_pos, 1)
    ),
    "ppv": _column("ppv", lambda c: (c.tp, c.tp + c.fp)),
    "npv": _column("npv", lambda c: (c.tn, c.tn + c.fn)),
    "lr_pos": _column("lr_pos", lambda c: (c.tp, c.fp)),
    "lr_neg": _column("lr_neg", lambda c: (-c.fn, c.tn)),
    "dor": Criterion(
        label="largest odds ratio, an empty cell counting one half",
        score=lambda c, weight: _odds_ratio(c),
        key=_odds_ratio_key,
    ),
    "f1": _column("f1", lambda c: (2 * c.tp, 2 * c.tp + c.fp + c.fn)),
    "mcc": _column("mcc", _signed_square),
    "product": _by_rates(
        "largest product of sensitivity and specificity",
        Rates(
            of_tp=lambda tp, n: tp / n, of_fp=lambda fp, n, weight: (n - fp) / n, join=np.multiply
        ),
        key=lambda c: (c.tp * c.tn, 1),
    ),
    "equality": Criterion(
        label="sensitivity and specificity most nearly equal",
        score=lambda c, weight: -abs(c.tp * c.n_neg - c.tn * c.n_pos) / (c.n_pos * c.n_neg),
        key=lambda c: (-abs(c.tp * c.n_neg - c.tn * c.n_pos), 1),
        value=lambda c, weight: abs(c.tp * c.n_neg - c.tn * c.n_pos) / (c.n_pos * c.n_neg),
    ),
    "minimum": _by_rates(
        "largest minimum of sensitivity and specificity",
        Rates(
            of_tp=lambda tp, n: tp / n, of_fp=lambda fp, n, weight: (n - fp) / n, join=np.minimum
        ),
        key=lambda c: (min(c.tp * c.n_neg, c.tn * c.n_pos), 1),
    ),
    "kappa": Criterion(
        label="largest Cohen's kappa",
        score=lambda c, weight: _kappa(c),
        key=lambda c: (
            c.tp * c.tn - c.fp * c.fn,
            (c.tp + c.fp) * c.n_neg + (c.fn + c.tn) * c.n_pos,
        ),
    ),
    "chi_square": Criterion(
        label="largest chi-square",
        score=lambda c, weight: _chi_square(c),
        key=lambda c: ((c.tp * c.tn - c.fp * c.fn) ** 2, (c.tp + c.fp) * (c.tn + c.fn)),
    ),
    "predictive_sum": _predictive(
        "largest sum of PPV and NPV", lambda ppv, npv: ppv + npv, lambda ppv, npv: ppv + npv
    ),
    "predictive_product": Criterion(
        label="largest product of PPV and NPV",
        score=lambda c, weight: _ppv_npv(c)[0] * _ppv_npv(c)[1],
        key=lambda c: (c.tp * c.tn, (c.tp + c.fp) * (c.tn + c.fn)),
    ),
    "predictive_equality": _predictive(
        "PPV and NPV most nearly equal",
        lambda ppv, npv: abs(ppv - npv),
        lambda ppv, npv: abs(ppv - npv),
        smallest=True,
    ),
    "predictive_minimum": _predictive("largest minimum of PPV and NPV", np.minimum, min),
    "predictive_closest": Criterion(
        label="closest to PPV and NPV 1",
        score=lambda c, weight: -_predictive_distance(c),
        key=_predictive_closest_key,
        value=lambda c, weight: _predictive_distance(c),
    ),
}


def score_vertices(
    criterion: Criterion, tp: Ints, fp: Ints, weight: Fraction, floor: Floor
) -> Floats:
    """Return the quick score of every vertex of every path; -inf where it is not to be chosen."""
    sizes = (part[..., -1:].astype(np.float64) for part in (tp, fp))
    with np.errstate(divide="ignore", invalid="ignore"):
        score = criterion.score(Cells.of(tp, fp, *sizes), float(weight))
    allowed = floor.holds(tp, fp)
    np.logical_and(allowed, ~np.isnan(score), out=allowed)
    return np.where(allowed, score, -np.inf)


def best_vertices(
    criterion: Criterion, tp: Ints, fp: Ints, weight: Fraction, floor: Floor
) -> NDArray[np.intp]:
    """Return every vertex of one path with the best score, ties judged in whole numbers."""
    score = score_vertices(criterion, tp, fp, weight, floor)
    top = float(score.max())
    if np.isinf(top):
        return np.flatnonzero(score == top) if top > 0.0 else np.empty(0, dtype=np.intp)
    near = np.flatnonzero(score >= top - _NEAR * max(1.0 + float(weight), abs(top)))
    n_pos, n_neg = int(tp[-1]), int(fp[-1])
    exact = []
    for hits, alarms in zip(tp[near].tolist(), fp[near].tolist(), strict=True):
        whole = _Whole(
            *(hits, alarms, n_pos - hits, n_neg - alarms),
            *(n_pos, n_neg, weight.numerator, weight.denominator),
        )
        exact.append(Fraction(*criterion.key(whole)))
    best = max(exact)
    return near[[value == best for value in exact]]
