"""The compiled kernel where it is easily wrong: small samples, clumps, and edges of its pieces.

Definitions are written out here in plain Python, pair by pair; ``test_compiled.py`` asks the
kernel beside its twins in numpy.
"""

from __future__ import annotations

import math
import os
from itertools import product
from typing import Any

import numpy as np
import pytest

from rocstats.data import installed_kernel
from rocstats.engine import compiled

pytestmark = pytest.mark.skipif(
    installed_kernel.kernel() is None and os.environ.get("ROCSTATS_REQUIRE_ALL") != "1",
    reason="no compiled kernel here",
)


@pytest.fixture(scope="module")
def kernel() -> Any:
    return installed_kernel.kernel()


def placed(score: np.ndarray, label: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
    """Return counts, wins and sums of squares, and everyone's influence, over all pairs."""
    points = 2 * (score[:, None] > score[None, :]) + 1 * (score[:, None] == score[None, :])
    won = points[label][:, ~label].sum(axis=1)
    lost = points.T[~label][:, label].sum(axis=1)
    m, n = won.size, lost.size
    area = won.sum() / (2 * m * n)
    influence = np.empty(score.size)
    influence[label], influence[~label] = won / (2 * n) - area, lost / (2 * m) - area
    squares = [int((one.astype(object) ** 2).sum()) for one in (won, lost)]
    return (m, n, int(won.sum()), *squares), influence


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_every_small_sample_is_placed_and_sorted(kernel: Any, n: int) -> None:
    for values in product((0.0, 1.0, 2.5), repeat=n):
        score = np.array(values)
        for labels in product((False, True), repeat=n):
            label = np.array(labels)
            ranked, told = np.empty(n), np.empty(n, dtype=np.bool_)
            if kernel.sort(score, label, ranked, told):
                order = np.lexsort((label, score))
                assert ranked.tolist() == score[order].tolist()
                assert told.tolist() == label[order].tolist()
            if label.all() or not label.any():
                assert compiled.place(score, label) is None
                continue
            influence = np.empty(n)
            found = compiled.place(score, label, influence)
            if found is not None:
                known, expected = placed(score, label)
                assert tuple(found) == known
                assert compiled.place(score, label) == found
                np.testing.assert_allclose(influence, expected, rtol=0.0, atol=4e-16)


def clumps(rng: np.random.Generator, sizes: list[int], width: float) -> np.ndarray:
    """Return scores that lie together in clumps of so many, each of a width of its own."""
    parts = [
        place + width ** (1 + k % 3) * rng.random(size).round(3)
        for k, (place, size) in enumerate(zip(rng.normal(size=len(sizes)), sizes, strict=True))
    ]
    return rng.permutation(np.concatenate(parts))


SIZES = {
    "one and many": [1, 1, 900],
    "sixty-four and more": [63, 64, 65, 66],
    "a thousand pairs": [32 + 32, 32 + 33, 31 + 31, 1024, 1025],
    "many small": [3] * 300,
    "more than one slab": [9000, 8000, 200],
}


@pytest.mark.parametrize("share", [0.5, 0.02, 0.98])
@pytest.mark.parametrize("width", [1e-3, 1e-12, 0.0])
@pytest.mark.parametrize("name", SIZES)
def test_clumps_are_placed_and_sorted(kernel: Any, name: str, width: float, share: float) -> None:
    rng = np.random.default_rng(len(name))
    score = clumps(rng, SIZES[name], width)
    label = rng.random(score.size) < share
    label[:2] = True, False
    ranked, told = np.empty(score.size), np.empty(score.size, dtype=np.bool_)
    if kernel.sort(score, label, ranked, told):
        order = np.lexsort((label, score))
        np.testing.assert_array_equal(ranked, score[order])
        np.testing.assert_array_equal(told, label[order])
    influence = np.empty(score.size)
    found = compiled.place(score, label, influence)
    if found is None:
        assert width != 1e-3
        return
    pos, neg = np.sort(score[label]), np.sort(score[~label])
    won = sum(np.searchsorted(neg, score[label], side) for side in ("left", "right"))
    lost = 2 * pos.size - sum(np.searchsorted(pos, score[~label], s) for s in ("left", "right"))
    squares = [int((one.astype(object) ** 2).sum()) for one in (won, lost)]
    assert tuple(found) == (pos.size, neg.size, int(won.sum()), *squares)
    area = found.wins / (2 * pos.size * neg.size)
    np.testing.assert_allclose(influence[label], won / (2 * neg.size) - area, atol=4e-16)
    np.testing.assert_allclose(influence[~label], lost / (2 * pos.size) - area, atol=4e-16)


@pytest.mark.parametrize("n", [1, 3, 4, 5, 511, 512, 513, 1024, 1030])
@pytest.mark.parametrize("rows", [1, 2, 5])
def test_products_are_sums_over_each_stratum(kernel: Any, n: int, rows: int) -> None:
    rng = np.random.default_rng(n)
    values = rng.integers(-9, 10, size=(rows, n)).astype(float)  # sums are exact
    stratum = rng.integers(0, 4, n)  # the last is not asked for
    out = np.zeros((3, rows, rows))
    kernel.products(values, stratum, out)
    for k in range(3):
        part = values[:, stratum == k]
        np.testing.assert_array_equal(out[k], np.triu(part @ part.T))
    kernel.products(values, stratum, out)  # they are added
    np.testing.assert_array_equal(
        out[1], 2 * np.triu(values[:, stratum == 1] @ values[:, stratum == 1].T)
    )


def tailed(values: np.ndarray) -> float:
    """min(2n / (kurtosis - (n - 3) / (n - 1)), n - 1)."""
    n, centred = values.size, values - values.mean()
    second, fourth = (centred**2).mean(), (centred**4).mean()
    kurtosis = fourth / second**2 if second > 0.0 else 3.0
    return min(2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0)), n - 1.0)


@pytest.mark.parametrize("n", [6, 511, 513, 1500])
def test_tails_are_of_the_fourth_moment(kernel: Any, n: int) -> None:
    rng = np.random.default_rng(n)
    stratum = np.arange(n) % 2
    for values in (
        rng.normal(size=(3, n)),
        rng.standard_t(3, size=(3, n)) + 50.0,
        np.ones((3, n)),
        -rng.exponential(size=(3, n)),
        rng.choice([-1.0, 1.0], size=(3, n)),
    ):
        for weights in (np.array([1.0, 0.0, 0.0]), np.array([0.5, -2.0, 1.0])):
            out = np.empty(2)
            kernel.tails(values, stratum, weights, out)
            own = weights @ values
            expected = [tailed(own[stratum == k]) for k in range(2)]
            np.testing.assert_allclose(out, expected, rtol=1e-9)


class Words:
    """What numpy would draw, of the same seed."""

    def __init__(self, seed: int) -> None:
        self.ours, self.theirs = np.random.default_rng(seed), np.random.default_rng(seed)

    def counts(self, size: int, batch: int) -> np.ndarray:
        kind = np.uint16 if size <= 2**16 else np.uint32
        drawn = self.theirs.integers(0, size, (batch, size), dtype=kind)
        return np.stack([np.bincount(line, minlength=size) for line in drawn])

    @property
    def stream(self) -> Any:
        return self.ours.bit_generator.capsule


@pytest.mark.parametrize("size", [1, 2, 5, 64, 1000])
def test_shares_among_the_last_are_those_of_the_counts(kernel: Any, size: int) -> None:
    words = Words(4)
    out = np.empty((3, size + 1))
    kernel.draw_counts(words.stream, size, out)
    counts = words.counts(size, 3)
    expected = np.cumsum(np.insert(counts[:, ::-1], 0, 0, axis=1), axis=1) / size
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("batch", [1, 2, 3, 7, 50])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 6), (5, 4), (8, 3)])
def test_wins_of_resamples_are_sums_over_pairs(kernel: Any, m: int, n: int, batch: int) -> None:
    rng = np.random.default_rng(10 * m + n)
    below = rng.integers(0, n + 1, m)
    upto = np.minimum(below + rng.integers(0, 3, m), n)
    for ties in (None, upto):
        words, out = Words(6), np.empty(7, dtype=np.int64)
        kernel.draw_wins(words.stream, batch, n, below, ties, out)
        expected: list[int] = []
        for at in range(0, 7, batch):
            b = min(batch, 7 - at)
            pos, neg = words.counts(m, b), words.counts(n, b)
            for mine, others in zip(pos, neg, strict=True):
                won = [
                    mine[i]
                    * (others[: below[i]].sum() + (0 if ties is None else others[: ties[i]].sum()))
                    for i in range(m)
                ]
                expected.append(int(sum(won)))
        assert out.tolist() == expected
        assert words.ours.bit_generator.state == words.theirs.bit_generator.state


JOIN = (lambda up, down: up - down, lambda up, down: up * down, min)


@pytest.mark.parametrize("vertices", [2, 31, 32, 33, 34, 64, 65, 66, 97, 130])
@pytest.mark.parametrize("join", [0, 1, 2])
def test_the_best_vertex_is_the_first_of_the_highest(kernel: Any, vertices: int, join: int) -> None:
    rng = np.random.default_rng(vertices)
    m, n = 90, 70
    below = [
        np.sort(np.r_[0, rng.integers(0, size + 1, vertices - 2), size])[::-1].copy()
        for size in (m, n)
    ]
    up = np.linspace(0.0, 1.0, m + 1).round(2)  # ties
    down = np.linspace(1.0, 0.0, n + 1).round(2)  # a specificity, or what is paid
    down = 1.0 - down if join == 0 else down
    for least, most in ((0, n), (40, n), (0, 20), (m, 0), (m + 1, n)):
        words, out = Words(2), np.empty((5, 4), dtype=np.int64)
        kernel.draw_best(*(words.stream, 2, *below, up, down, None, None, join, least, most, out))
        for at in (0, 2, 4):
            b = min(2, 5 - at)
            pos, neg = words.counts(m, b), words.counts(n, b)
            for r in range(b):
                tp = [int(pos[r][k:].sum()) for k in below[0]]
                fp = [int(neg[r][k:].sum()) for k in below[1]]
                score = [
                    JOIN[join](up[a], down[c]) if a >= least and c <= most else -math.inf
                    for a, c in zip(tp, fp, strict=True)
                ]
                best = int(np.argmax(score))
                after = best + 1
                while after < vertices and (tp[after], fp[after]) == (tp[best], fp[best]):
                    after += 1
                first = -1 if score[best] == -math.inf else best
                assert out[at + r].tolist() == [first, after, tp[best], fp[best]]


@pytest.mark.parametrize("vertices", [2, 32, 33, 34, 66])
def test_heights_of_resamples_are_read_off_their_paths(kernel: Any, vertices: int) -> None:
    rng = np.random.default_rng(vertices)
    m, n, near = 40, 25, 1e-9
    below = [
        np.sort(np.r_[0, rng.integers(0, size + 1, vertices - 2), size])[::-1].copy()
        for size in (m, n)
    ]
    grid = np.array([0.0, 0.02, 0.04, 0.1, 0.5, 0.52, 0.99, 1.0, 1.0])
    words, out = Words(3), np.empty((5, grid.size))
    kernel.draw_heights(words.stream, 3, *below, grid, near, out)
    for at in (0, 3):
        b = min(3, 5 - at)
        pos, neg = words.counts(m, b), words.counts(n, b)
        for r in range(b):
            x = [int(neg[r][k:].sum()) / n for k in below[1]]
            y = [int(pos[r][k:].sum()) / m for k in below[0]]
            for g, rate in enumerate(grid):
                here = max(v for v in range(vertices) if x[v] <= rate + near)
                there = min(here + 1, vertices - 1)
                width = x[there] - x[here]
                share = min(max((rate - x[here]) / width, 0.0), 1.0) if width > 0.0 else 0.0
                assert out[at + r, g] == pytest.approx(y[here] + share * (y[there] - y[here]))


@pytest.mark.parametrize("run", [1, 3, 8, 1024])
@pytest.mark.parametrize("size", [1, 5, 512])
def test_pairs_by_cells_between_them(kernel: Any, run: int, size: int) -> None:
    rng = np.random.default_rng(run)
    n = 2100 if run == 1024 else 50
    cells, negative = np.sort(rng.integers(0, 512, n)), rng.random(n) < 0.5
    found = np.full(size, -1, dtype=np.int64)
    kernel.cells_apart(cells + 512 * negative, run, found)
    expected = np.zeros(1024, dtype=np.int64)
    for at in range(0, n, run):
        cell, minus = cells[at : at + run], negative[at : at + run]
        apart = cell[:, None] - cell[None, :]  # a later positive, an earlier negative
        pairs = np.tril(~minus[:, None] & minus[None, :], -1) & (apart >= 0)
        expected += np.bincount(apart[pairs], minlength=1024)
    assert found.tolist() == expected[:size].tolist()


@pytest.mark.parametrize("lines", [1, 7, 8, 9, 16, 17])
def test_swaps_take_four_bits_at_a_time_from_the_highest(kernel: Any, lines: int) -> None:
    rng = np.random.default_rng(lines)
    coins = rng.integers(0, 256, (lines, 3), dtype=np.uint8)
    table = rng.integers(-99, 100, (6, 16)).astype(float)
    out = np.empty(lines)
    kernel.swap_sums(coins, table, out)
    halves = [[h for coin in line for h in (int(coin) >> 4, int(coin) & 15)] for line in coins]
    assert out.tolist() == [sum(table[k][h] for k, h in enumerate(line)) for line in halves]


def soft(
    theta: np.ndarray, moved: np.ndarray, label: np.ndarray, w: tuple[float, float]
) -> tuple[float, float, float]:
    """Return the area of soft memberships and the spread of the influence, by cumulative sums."""
    weight = np.where(label, *w)
    up, right = weight * theta, weight * (1.0 - theta)
    below, upto = np.cumsum(right) - right / 2, np.cumsum(up) - up / 2
    rise, run = up.sum(), right.sum()
    area = float(up @ below / (rise * run))
    won = below / (rise * run) - area / rise
    lost = (rise - upto) / (rise * run) - area / run
    influence = np.where(label, label.sum(), (~label).sum()) * weight
    influence = influence * (theta * won + (1.0 - theta) * lost) + moved
    spread = [
        float(((one - one.mean()) ** 2).sum()) for one in (influence[label], influence[~label])
    ]
    return area, spread[0], spread[1]


@pytest.mark.parametrize("n", [4, 5, 7, 8, 4095, 4096, 4097, 4101, 9000])
@pytest.mark.parametrize("w", [(1.0, 1.0), (0.4, 2.5)])
@pytest.mark.parametrize("midpoint", [0.0, 0.55, 2.0])
def test_soft_areas_are_their_cumulative_sums(
    kernel: Any, n: int, w: tuple[float, float], midpoint: float
) -> None:
    rng = np.random.default_rng(n)
    score = np.sort(rng.random(n))
    label = rng.random(n) < 0.4
    label[:4] = True, False, True, False
    m = int(label.sum())
    high = np.where(score >= midpoint, score, 1.0 - score)
    theta = np.where(label, high, 1.0 - high)
    for slopes in ((0.0, 0.0, 0.0, 0.0), (0.3, 0.2, -0.7, 0.5)):
        moved = np.where(label, slopes[0] * (score - slopes[1]), slopes[2] * (score - slopes[3]))
        expected = soft(theta, moved, label, w)
        found = kernel.soft_area(score, label, None, midpoint, *w, m, n - m, *slopes)
        np.testing.assert_allclose(found, expected, rtol=1e-8)
        counts = label.astype(float), (~label).astype(float)
        found = kernel.soft_area(score, *counts, midpoint, *w, m, n - m, *slopes)
        np.testing.assert_allclose(found, expected, rtol=1e-8)
