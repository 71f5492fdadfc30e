"""Entropy discretisation with the minimum description length criterion."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rocstats.arrays import Floats, Ints

__all__ = ["apply_cuts", "entropy_cuts"]


def entropy_cuts(values: Floats, target: Ints) -> tuple[float, ...]:
    """Return the cut points of a column, in increasing order; none if no split pays.

    Parameters
    ----------
    values : (n,) numbers; rows with nan are left out
    target : (n,) classes as whole numbers from 0

    Notes
    -----
    The split of least class entropy, halfway between neighbouring values, is made if its gain
    exceeds (log2(N - 1) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / N, where k counts the classes
    present and E is the entropy in bits; both sides are then split in the same way.

    References
    ----------
    Fayyad & Irani (1993), Multi-interval discretization of continuous-valued attributes for
    classification learning, IJCAI, 1022-1027.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.papers.learners.entropy_cuts import entropy_cuts
    >>> entropy_cuts(np.arange(20.0), np.arange(20) // 10)
    (9.5,)
    """
    present = ~np.isnan(values)
    distinct, place = np.unique(values[present], return_inverse=True)
    n_classes = int(target.max()) + 1 if target.size else 1
    counts = np.zeros((distinct.size, n_classes))
    np.add.at(counts, (place, target[present]), 1.0)
    ends: list[int] = []
    todo = [(0, distinct.size)]
    while todo:
        low, high = todo.pop()
        cut = _best_cut(counts[low:high])
        if cut is not None:
            ends.append(low + cut)
            todo += [(low, low + cut), (low + cut, high)]
    return tuple(float((distinct[i - 1] + distinct[i]) / 2.0) for i in sorted(ends))


def _best_cut(counts: Floats) -> int | None:
    """Return how many of the distinct values come before the cut, None if it does not pay."""
    if counts.shape[0] < 2:
        return None
    left = np.cumsum(counts, axis=0)[:-1]
    total = counts.sum(axis=0)
    right = total - left
    n_left, n_right, n = left.sum(axis=1), right.sum(axis=1), float(total.sum())
    inside = (n_left * _bits(left) + n_right * _bits(right)) / n
    best = int(np.argmin(inside))
    whole = float(_bits(total[None, :])[0])
    k, k1, k2 = (int(np.sum(part > 0)) for part in (total, left[best], right[best]))
    change = math.log2(3.0**k - 2.0) - (
        k * whole - k1 * float(_bits(left[[best]])[0]) - k2 * float(_bits(right[[best]])[0])
    )
    pays = whole - float(inside[best]) > (math.log2(n - 1.0) + change) / n
    return best + 1 if pays else None


def _bits(counts: Floats) -> Floats:
    """Return the entropy in bits of every row of counts."""
    share = counts / counts.sum(axis=1, keepdims=True)
    logs = np.log2(np.where(share > 0.0, share, 1.0))
    return np.asarray(-np.sum(share * logs, axis=1))


def apply_cuts(
    X: Floats, levels: Sequence[int], cuts: Sequence[Sequence[float]]
) -> tuple[Floats, tuple[int, ...]]:
    """Return the rows with numbers as codes of intervals, -1 where missing, and the levels.

    Parameters
    ----------
    X, levels : as in a `BenchSet`
    cuts : the cut points of every column; those of nominal columns are ignored
    """
    out, counts = X.copy(), list(levels)
    for j, points in enumerate(cuts):
        if levels[j] == 0:
            codes = np.searchsorted(np.asarray(points, dtype=np.float64), X[:, j], side="right")
            out[:, j] = np.where(np.isnan(X[:, j]), -1.0, codes)
            counts[j] = len(points) + 1
    return out, tuple(counts)
