"""Clusters: sums of products of the cells over clusters, and what dependent subjects are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.sample import ScoredSample
from rocstats.engine.variances import effective_size

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
    """

    cells: Cells
    products: tuple[tuple[Floats, ...], ...]
    units: Mapping[str, Floats]

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
        found = effective_size(self.own(w), self.square(w), size, self.units[domain], level)
        worth: Floats = found / np.maximum(size, 1.0)
        return worth

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
        theirs. No variance is taken as less than that of independent subjects.
        """
        pos, neg = ({name: w[name] for name in _DOMAINS[c] if name in w} for c in _CLASSES)
        whole, *parts = (np.maximum(self.own(part), self.square(part)) for part in (w, pos, neg))
        apart = parts[0] + parts[1]
        known = apart > 0.0
        more: Floats = np.where(known, apart, 1.0) / np.where(known, whole, 1.0)
        return more


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
class Clusters:
    """What `Moments` has, after every subject that is called positive, one by one.

    Attributes
    ----------
    tp_tp, tp_fp, fp_fp, tp_pos, tp_neg, fp_pos, fp_neg : (N + 1,) sums of products
    called, others, either : (N + 1,) clusters with a subject called positive; with one called
        negative; with one that is positive or called so
    n_negatives : clusters with a negative
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

    @property
    def classes(self) -> dict[str, int]:
        """Number of clusters with a positive, and with a negative."""
        return {"positives": int(self.either[0]), "negatives": self.n_negatives}

    @property
    def size(self) -> int:
        """Number of clusters."""
        return int(self.others[0])

    def at(self, cells: Cells) -> Moments:
        """Return the sums at the points with these cells."""
        called = (cells.tp + cells.fp).astype(np.intp)
        names = ("tp_tp", "tp_fp", "fp_fp", "tp_pos", "tp_neg", "fp_pos", "fp_neg")
        aa, ab, bb, am, an, bm, bn = (getattr(self, name)[called].astype(float) for name in names)
        # All are called in the end: tp is then the positives, fp the negatives.
        mm, mn, nn = (np.asarray(float(s[-1])) for s in (self.tp_tp, self.tp_fp, self.fp_fp))
        units = {name: getattr(self, name)[called] for name in ("called", "others", "either")}
        fixed = self.classes | {"all": self.size}
        return Moments(
            cells=cells,
            products=((aa, ab, am, an), (ab, bb, bm, bn), (am, bm, mm, mn), (an, bn, mn, nn)),
            units={name: np.asarray(n, dtype=float) for name, n in (units | fixed).items()},
        )


def gather_clusters(sample: ScoredSample, row: int) -> Clusters | None:
    """Return the clusters of a sample along a marker; None where subjects are independent.

    As a member is called, the square of its cluster's count c grows by 2 c + 1, and a product with
    another count by that count: every sum is cumulative.
    """
    if sample.cluster is None:
        return None
    blocks = sample.blocks(row, ordered=True)
    code, positive = sample.cluster[blocks.order][::-1], blocks.label[::-1]
    classes, size = (positive, ~positive), int(code.max()) + 1
    n_pos, n_neg = (np.bincount(code[part], minlength=size) for part in classes)
    tp, fp = _earlier(code, *classes)
    first, last = tp + fp == 0, tp + fp == (n_pos + n_neg)[code] - 1

    def along(step: Ints, start: int = 0) -> Ints:
        found: Ints = np.cumsum(np.append(start, step))
        found.flags.writeable = False
        return found

    return Clusters(
        tp_tp=along(np.where(positive, 2 * tp + 1, 0)),
        tp_fp=along(np.where(positive, fp, tp)),
        fp_fp=along(np.where(positive, 0, 2 * fp + 1)),
        tp_pos=along(np.where(positive, n_pos[code], 0)),
        tp_neg=along(np.where(positive, n_neg[code], 0)),
        fp_pos=along(np.where(positive, 0, n_pos[code])),
        fp_neg=along(np.where(positive, 0, n_neg[code])),
        called=along(first.astype(np.int64)),
        others=along(-last.astype(np.int64), n_pos.size),
        either=along((first & (n_pos[code] == 0)).astype(np.int64), int(np.count_nonzero(n_pos))),
        n_negatives=int(np.count_nonzero(n_neg)),
    )


def _earlier(code: NDArray[np.intp], *parts: Bools) -> list[Ints]:
    """Return how many members of each part, of the cluster of each subject, come before it."""
    by = np.argsort(code, kind="stable")
    start = np.searchsorted(code[by], np.arange(int(code.max()) + 1))
    found = [np.empty(code.size, dtype=np.int64) for _ in parts]
    for part, earlier in zip(parts, found, strict=True):
        before: Ints = np.cumsum(part[by]) - part[by]
        earlier[by] = before - before[start][code[by]]
    return found
