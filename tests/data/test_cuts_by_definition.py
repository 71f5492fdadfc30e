"""How bins of a least count are cut, written out: over all bins, one after the other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.data.scan.interval_bins import IntervalSketch, _round_edges, with_least_count
from rocstats.data.scan.score_keys import from_keys, to_keys
from rocstats.data.scan.sketches import count_keys


def counted(seed: int, n: int = 60, digits: int = 1) -> tuple[Any, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    score = np.round(rng.normal(size=n) + y, digits)
    return count_keys(to_keys(score), y), y, score


def roundest(low: int, high: int) -> tuple[int, float]:
    """Return the key above `low`, up to `high`, that most powers of two divide."""
    if low < 0 <= high:
        return 0, np.inf
    for power in range(63, -1, -1):
        step = 1 << power
        first = (low // step + 1) * step
        if first <= high:
            return first, float(step)
    raise AssertionError


def test_edges_are_the_roundest_between_neighbours() -> None:
    rng = np.random.default_rng(1)
    for size in (30, 2**20, 2**62):
        below = np.sort(rng.integers(-size, size, 300))
        above = below + rng.integers(1, max(size // 4, 2), 300)
        edges, level = _round_edges(below, above)
        for low, high, edge, how in zip(*map(np.ndarray.tolist, (below, above, edges, level))):  # noqa: B905
            assert (edge, how) == roundest(low, high)


def cut(
    pos: list[int], neg: list[int], level: list[float], least: int, start: int, stop: int
) -> list[int]:
    """Return after which bins to cut, from the roundest that leaves enough on both sides."""
    can = [
        k
        for k in range(start, stop - 1)
        if all(
            sum(part) >= least
            for side in (pos, neg)
            for part in (side[start : k + 1], side[k + 1 : stop])
        )
    ]
    if not can:
        return []
    best = max(can, key=lambda k: (level[k], -k))
    if not level[best] > 0.0:
        return []
    both = ((start, best + 1), (best + 1, stop))
    return sorted([best, *(k for a, b in both for k in cut(pos, neg, level, least, a, b))])


@pytest.mark.parametrize("least", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("seed", range(6))
def test_bins_hold_the_least_count_and_are_cut_at_round_edges(seed: int, least: int) -> None:
    sketch, _, _ = counted(seed)
    found = with_least_count(sketch, least)
    assert found.n_pos.min() >= least
    assert found.n_neg.min() >= least
    assert (found.n_pos.sum(), found.n_neg.sum()) == sketch.sizes
    keys = to_keys(sketch.least())
    edges, level = zip(*(roundest(a, b) for a, b in pairwise(keys.tolist())), strict=True)
    places = cut(sketch.n_pos.tolist(), sketch.n_neg.tolist(), [*level, 0.0], least, 0, keys.size)
    assert found.bins[1:].tolist() == [edges[k] for k in places]
    assert (found.last[:-1] + 1).tolist() == found.bins[1:].tolist()
    assert from_keys(found.bins[:1])[0] == -np.inf
    assert from_keys(found.last[-1:])[0] == np.inf


@pytest.mark.parametrize("cuts", [[0.5], [0.0, 1.0], [1.0, 0.0, 0.5], [-9.0, 0.5, 9.0], [0.45]])
@pytest.mark.parametrize("least", [1, 4, 12])
def test_cuts_are_the_only_edges_the_first_before_the_others(cuts: list[float], least: int) -> None:
    sketch, y, score = counted(7)
    found = with_least_count(sketch, least, np.array(cuts))
    taken: list[float] = []
    for edge in cuts:
        bounds = [-np.inf, *sorted([*taken, edge]), np.inf]
        parts = [(score >= a) & (score < b) for a, b in pairwise(bounds)]
        if all(min(np.sum(p & y), np.sum(p & ~y)) >= least for p in parts):
            taken.append(edge)
    assert from_keys(found.bins[1:]).tolist() == sorted(taken)
    bounds = [-np.inf, *sorted(taken), np.inf]
    expected = [int(np.sum((score >= a) & (score < b) & y)) for a, b in pairwise(bounds)]
    assert found.n_pos.tolist() == expected


def test_the_least_count_of_all_is_one_bin_and_one_more_is_refused() -> None:
    sketch, y, _ = counted(3)
    few = min(int(y.sum()), int((~y).sum()))
    assert with_least_count(sketch, few).bins.size == 1
    with pytest.raises(rs.InvalidSampleError, match=f"no bin holds {few + 1} of each class"):
        with_least_count(sketch, few + 1)


@pytest.mark.parametrize("seed", range(5))
def test_bounds_of_the_area_are_those_of_the_best_and_worst_order(seed: int) -> None:
    sketch, y, score = counted(seed, n=25)
    found = with_least_count(sketch, 3)
    low, high = found.auc_bounds()
    edges = from_keys(found.bins)
    place = np.searchsorted(edges, score, side="right") - 1
    wins = (place[y][:, None] > place[~y][None, :]).sum()
    ties = (place[y][:, None] == place[~y][None, :]).sum()
    pairs = y.sum() * (~y).sum()
    assert (low, high) == pytest.approx((wins / pairs, (wins + ties) / pairs))
    assert low <= rs.auc(y, score, pos_label=True).value <= high


def test_a_key_is_found_in_its_interval_or_in_none() -> None:
    some = IntervalSketch(
        bins=np.array([0, 5, 20]), last=np.array([4, 9, 20]), n_pos=np.ones(3, int),
        n_neg=np.ones(3, int),
    )  # fmt: skip
    found = some.find(np.array([-1, 0, 4, 5, 9, 10, 19, 20, 21]))
    assert found.tolist() == [-1, 0, 0, 1, 1, -1, -1, 2, -1]
    assert some.auc_bounds() == (7 / 18, 11 / 18)
