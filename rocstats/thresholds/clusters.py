"""Clusters: sums of products of the cells over clusters, and what dependent subjects are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.sample import ScoredSample
from rocstats.data.subject_weights import Nuisance
from rocstats.engine.variances import effective_size
from rocstats.errors import InvalidOptionError

if TYPE_CHECKING:
    from rocstats.thresholds.two_by_two import Cells

__all__ = ["Clusters", "Moments", "Weights", "gather_clusters"]

Weights = Mapping[str, Floats | float]  # of a subject in a cell, by the cell's name; 0 if not named

_CLASSES = ("positives", "negatives")

# The subjects that a measure is about: in which cells they are.
_DOMAINS = {
    "positives": ("tp", "fn"),
    "negatives": ("fp", "tn"),
    "called": ("tp", "fp"),
    "others": ("fn", "tn"),
    "either": ("tp", "fp", "fn"),
    "all": ("tp", "fp", "fn", "tn"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Sums over clusters at some points.

    Attributes
    ----------
    cells : the sums of their cells
    products : (4, 4) the sums of products of their tp, fp, positives and negatives
    units : number of clusters that have a subject in some cells, by the name of those
    numbers : with weights, how many subjects there are in each cell; None where cells are counts
    heaviest : with weights, the largest
    """

    cells: Cells
    products: tuple[tuple[Floats, ...], ...]
    units: Mapping[str, Floats]
    numbers: Mapping[str, Floats] | None = None
    heaviest: float | None = None

    def square(self, w: Weights) -> Floats:
        """Return the sum over clusters of the squared sum of weights of its subjects."""
        turned = _turned(w).items()
        return np.asarray(sum(a * b * self.products[i][j] for i, a in turned for j, b in turned))

    def own(self, w: Weights) -> Floats:
        """Return the sum of squared weights over subjects."""
        return np.asarray(sum(x * x * getattr(self.cells, name) for name, x in w.items()))

    def worth(self, w: Weights, domain: str, level: float) -> Floats:
        """Return the effective number of a domain's subjects, as a share of their number."""
        size = np.asarray(sum(getattr(self.cells, name) for name in _DOMAINS[domain]))
        own, square = self.own(w), self.square(w)
        if self.numbers is None:
            found = self._at_ends(
                effective_size(own, square, size, self.units[domain], level), own, size
            )
            worth: Floats = found / np.maximum(size, 1.0)
            return worth
        most = np.asarray(sum(self.numbers[name] for name in _DOMAINS[domain]))
        empty = size <= 0.0
        scale = most / np.where(empty, 1.0, size)  # as if the weights averaged one
        found = effective_size(scale * own, scale**2 * square, most, self.units[domain], level)
        found = self._at_ends(found, own, size)
        return np.where(empty, 0.0, found / np.where(empty, 1.0, size))

    def _at_ends(self, found: Floats, own: Floats, size: Floats) -> Floats:
        """Return the effective numbers, where all of a cell are alike by the largest weight.

        Whoever was not seen may have weighed as much.
        """
        if self.heaviest is None:
            return found
        least = np.minimum(found, np.maximum(size / self.heaviest, 1.0))
        return np.where(own > 0.0, found, least)

    def worth_of_classes(self, level: float) -> tuple[Floats, Floats]:
        """Return the effective numbers of positives and negatives, each for its own rate."""
        c = self.cells
        return (
            self.worth({"tp": c.fn, "fn": -c.tp}, "positives", level),
            self.worth({"tn": c.fp, "fp": -c.tn}, "negatives", level),
        )

    def joint(self, w: Weights) -> Floats:
        """Return how much the classes are worth together beside each for itself.

        Both are in one cluster, so that the variance of what they sum to is not the sum of
        theirs. No variance is taken as less than that of independent subjects of equal weight.
        """
        pos, neg = ({name: w[name] for name in _DOMAINS[c] if name in w} for c in _CLASSES)
        least = self.own if self.numbers is None else _nothing
        whole, *parts = (np.maximum(least(part), self.square(part)) for part in (w, pos, neg))
        apart = parts[0] + parts[1]
        known = apart > 0.0
        more: Floats = np.where(known, apart, 1.0) / np.where(known, whole, 1.0)
        return more


def _nothing(w: Weights) -> float:
    return 0.0


def _turned(w: Weights) -> dict[int, Floats | float]:
    """Return the weights of tp, fp, positives and negatives, of which fn and tn are the rest."""
    found = {}
    for i, (name, rest) in enumerate((("tp", "fn"), ("fp", "tn"))):
        if name in w or rest in w:
            found[i] = w.get(name, 0.0) - w.get(rest, 0.0)
        if rest in w:
            found[i + 2] = w[rest]
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EstimatedWeights:
    """What estimated weights add to the sums of products, after every subject that is called.

    A sum of ``w a`` over subjects moves with the parameters by ``S = sum w a slope`` and so has, of
    all N subjects, the influence ``w a + S psi / N``: products of two such sums gain three terms.

    Attributes
    ----------
    slope, score : (2, N + 1, p) sums of ``w slope`` and of ``w psi / N``, positives and negatives
    spread : (p, p) the sum of products of ``psi / N`` over all subjects
    factor : what products are multiplied by, for the parameters that were fitted
    """

    slope: Floats
    score: Floats
    spread: Floats
    factor: float

    def added_to(self, products: tuple[tuple[Floats, ...], ...], called: Ints) -> Any:
        """Return the products of tp, fp, positives and negatives with what is added to them."""
        slope = [*(s[called] for s in self.slope), *(s[-1:] for s in self.slope)]
        score = [*(s[called] for s in self.score), *(s[-1:] for s in self.score)]
        spread = [s @ self.spread for s in slope]

        def dot(a: Floats, b: Floats) -> Floats:
            found: Floats = (a * b).sum(axis=1)
            return found

        return tuple(
            tuple(
                self.factor
                * (
                    products[i][j]
                    + dot(slope[i], score[j])
                    + dot(score[i], slope[j])
                    + dot(spread[i], slope[j])
                )
                for j in range(4)
            )
            for i in range(4)
        )

    @classmethod
    def along(cls, nuisance: Nuisance, called: NDArray[np.intp], positive: Bools, w: Floats) -> Any:
        """Return the sums as the subjects are called one by one."""
        start = np.zeros((1, nuisance.slope.shape[1]))
        parts = [positive, ~positive]

        def sums(values: Floats) -> Floats:
            return np.stack(
                [
                    np.cumsum(np.append(start, values * (w * part)[:, None], axis=0), axis=0)
                    for part in parts
                ]
            )

        psi = nuisance.influence / nuisance.size
        return cls(
            slope=sums(nuisance.slope[called]),
            score=sums(psi[nuisance.place[called]]),
            spread=psi.T @ psi,
            factor=nuisance.factor**2,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """What `Moments` has, after every subject that is called positive, one by one.

    Attributes
    ----------
    tp_tp, tp_fp, fp_fp, tp_pos, tp_neg, fp_pos, fp_neg : (N + 1,) sums of products
    called, others, either : (N + 1,) clusters with a subject called positive; with one called
        negative; with one that is positive or called so
    n_negatives : clusters with a negative
    n_strata : sampling strata that the clusters were drawn within; each costs a degree of freedom
    numbers : (2, N + 1) positives and negatives called, where the rest are sums of weights
    estimated : what estimated weights add to the sums of products, or None
    heaviest : the largest weight, or None without weights
    totals : what the positives and the negatives count together
    """

    tp_tp: Ints
    tp_fp: Ints
    fp_fp: Ints
    tp_pos: Ints
    tp_neg: Ints
    fp_pos: Ints
    fp_neg: Ints
    called: Ints
    others: Ints
    either: Ints
    n_negatives: int
    n_strata: int
    numbers: Ints | None = None
    totals: tuple[float, float] = (0.0, 0.0)
    estimated: EstimatedWeights | None = None
    heaviest: float | None = None

    @property
    def classes(self) -> dict[str, int]:
        """Number of clusters with a positive, and with a negative."""
        return {"positives": int(self.either[0]), "negatives": self.n_negatives}

    @property
    def size(self) -> int:
        """Number of clusters."""
        return int(self.others[0])

    def places(self, called: Ints) -> Ints:
        """Return where the sums are after so many subjects are called."""
        return called

    def at(self, cells: Cells, called: Ints) -> Moments:
        """Return the sums at the points with these cells, where so many subjects are called."""
        called = self.places(called)
        names = ("tp_tp", "tp_fp", "fp_fp", "tp_pos", "tp_neg", "fp_pos", "fp_neg")
        aa, ab, bb, am, an, bm, bn = (getattr(self, name)[called].astype(float) for name in names)
        # All are called in the end: tp is then the positives, fp the negatives.
        mm, mn, nn = (np.asarray(float(s[-1])) for s in (self.tp_tp, self.tp_fp, self.fp_fp))
        units = {name: getattr(self, name)[called] for name in ("called", "others", "either")}
        fixed = self.classes | {"all": self.size}
        products = ((aa, ab, am, an), (ab, bb, bm, bn), (am, bm, mm, mn), (an, bn, mn, nn))
        if self.estimated is not None:
            products = self.estimated.added_to(products, called)
        return Moments(
            cells=cells,
            products=products,
            units={name: self._free(n) for name, n in (units | fixed).items()},
            numbers=self._numbers(called),
            heaviest=self.heaviest,
        )

    def _free(self, units: Any) -> Floats:
        """Return the clusters less what means of further strata cost, two at least if there are."""
        units = np.asarray(units, dtype=float)
        left: Floats = np.maximum(units - (self.n_strata - 1.0), np.minimum(units, 2.0))
        return left

    def _numbers(self, called: Ints) -> dict[str, Floats] | None:
        """Return how many subjects are in each cell, where the cells are sums of weights."""
        if self.numbers is None or self.estimated is not None:
            return None
        tp, fp = self.numbers[:, called].astype(np.float64)
        n_pos, n_neg = self.numbers[:, -1].astype(np.float64)
        return {"tp": tp, "fp": fp, "fn": n_pos - tp, "tn": n_neg - fp}


def gather_clusters(sample: ScoredSample, row: int) -> Clusters | None:
    """Return the clusters of a sample along a marker; None where subjects are independent.

    As a member is called, the square of its cluster's count c grows by 2 c + 1, and a product with
    another count by that count: every sum is cumulative. A member of weight w counts as w. A sample
    with weights or strata and no clusters has clusters of one. Clusters that were drawn within
    strata vary about the mean of theirs: the sum over the n of a stratum loses one over n of the
    same sum with the stratum in the place of its clusters, times n / (n - 1), over c / (c - 1) of
    all c clusters, which `effective_size` has.
    """
    if sample.cluster is None and sample.weights is None and sample.strata is None:
        return None
    drawn_apart = sample.cluster is not None or sample.strata is not None
    if sample.nuisance is not None and drawn_apart:
        raise InvalidOptionError(
            "Operating points take subjects that were not verified, or clusters and strata, but "
            "not both; areas take both."
        )
    blocks = sample.blocks(row, ordered=True)
    cluster = np.arange(sample.positive.size) if sample.cluster is None else sample.cluster
    code, positive = cluster[blocks.order][::-1], blocks.label[::-1]
    classes, size = (positive, ~positive), int(code.max()) + 1
    w = np.ones(code.size, dtype=np.int64) if blocks.weight is None else blocks.weight[::-1]
    n_pos, n_neg = (_gathered(code, w, part, size) for part in classes)
    there, members = _earlier(code, np.ones_like(code)), np.bincount(code, minlength=size)
    first, last = there == 0, there == members[code] - 1

    def along(step: NDArray[Any], start: int = 0) -> Ints:
        found: Ints = np.cumsum(np.append(start, step))
        found.flags.writeable = False
        return found

    steps = _product_steps(code, positive, w, size)
    if sample.strata is not None:
        stratum, of = sample.strata[blocks.order][::-1], np.empty(size, dtype=np.intp)
        of[code] = stratum
        drawn = np.bincount(of).astype(np.float64)
        whole = _product_steps(stratum, positive, w, drawn.size)
        factor = ((1.0 - 1.0 / size) * drawn / (drawn - 1.0))[stratum]
        share = 1.0 / drawn[stratum]
        steps = {name: factor * (step - share * whole[name]) for name, step in steps.items()}
    return Clusters(
        tp_tp=along(steps["tp_tp"]),
        tp_fp=along(steps["tp_fp"]),
        fp_fp=along(steps["fp_fp"]),
        tp_pos=along(steps["tp_pos"]),
        tp_neg=along(steps["tp_neg"]),
        fp_pos=along(steps["fp_pos"]),
        fp_neg=along(steps["fp_neg"]),
        called=along(first.astype(np.int64)),
        others=along(-last.astype(np.int64), n_pos.size),
        either=along((first & (n_pos[code] == 0)).astype(np.int64), int(np.count_nonzero(n_pos))),
        n_negatives=int(np.count_nonzero(n_neg)),
        n_strata=1 if sample.strata is None else int(sample.strata.max()) + 1,
        numbers=None
        if blocks.weight is None
        else np.stack([along(part.astype(np.int64)) for part in classes]),
        heaviest=None if blocks.weight is None else float(blocks.weight.max()),
        estimated=None
        if sample.nuisance is None or blocks.order is None
        else EstimatedWeights.along(
            sample.nuisance, blocks.order[::-1], positive, w.astype(np.float64)
        ),
    )


def _product_steps(
    code: NDArray[np.intp], positive: Bools, w: NDArray[Any], size: int
) -> dict[str, NDArray[Any]]:
    """Return what each subject that is called adds to the sums of products over clusters."""
    classes = (positive, ~positive)
    n_pos, n_neg = (_gathered(code, w, part, size) for part in classes)
    tp, fp = (_earlier(code, w * part) for part in classes)
    return {
        "tp_tp": w * np.where(positive, 2 * tp + w, 0),
        "tp_fp": w * np.where(positive, fp, tp),
        "fp_fp": w * np.where(positive, 0, 2 * fp + w),
        "tp_pos": w * np.where(positive, n_pos[code], 0),
        "tp_neg": w * np.where(positive, n_neg[code], 0),
        "fp_pos": w * np.where(positive, 0, n_pos[code]),
        "fp_neg": w * np.where(positive, 0, n_neg[code]),
    }


def _gathered(code: NDArray[np.intp], w: NDArray[Any], part: Bools, size: int) -> NDArray[Any]:
    """Return the sums of the weights of a part by cluster."""
    if w.dtype.kind == "i":
        return np.bincount(code[part], minlength=size)
    return np.bincount(code[part], w[part], minlength=size)


def _earlier(code: NDArray[np.intp], w: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of what comes before each subject in its cluster."""
    by = np.argsort(code, kind="stable")
    start = np.searchsorted(code[by], np.arange(int(code.max()) + 1))
    found = np.empty(code.size, dtype=w.dtype)
    before = np.cumsum(w[by]) - w[by]
    found[by] = before - before[start][code[by]]
    return found
