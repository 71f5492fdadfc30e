"""Venkatraman's area between two curves, and the law of random deals, by their definitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest

import rocstats as rs
from rocstats.resampling.dealt_curves import Deal

MC = 4.5  # Monte-Carlo standard errors
ROUNDING = 1e-12
Labels = list[int]


def polygon(labels: Labels, share: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The vertices (u, e): H = pi F + (1 - pi) G against the error pi F + (1 - pi)(1 - G)."""
    n_pos = sum(labels)
    mass = {1: share / n_pos, 0: (1 - share) / (len(labels) - n_pos)}
    found = [(Fraction(0), 1 - share)]
    for label in labels:
        u, e = found[-1]
        found.append((u + mass[label], e + mass[label] * (1 if label else -1)))
    return found


def height(path: list[tuple[Fraction, Fraction]], u: Fraction) -> Fraction:
    for (left, low), (right, high) in pairwise(path):
        if left <= u <= right:
            return low + (high - low) * (u - left) / (right - left)
    raise AssertionError(u)


def area_between(first: Labels, second: Labels) -> Fraction:
    """The integral over u of |e_1(u) - e_2(u)|, in exact fractions."""
    both = first + second
    share = Fraction(sum(both), len(both))
    paths = [polygon(labels, share) for labels in (first, second)]
    edges = sorted({u for path in paths for u, _ in path})
    total = Fraction(0)
    for left, right in pairwise(edges):
        a, b = (height(paths[0], u) - height(paths[1], u) for u in (left, right))
        width = right - left
        if a * b < 0:
            total += width * (a * a + b * b) / (2 * (abs(a) + abs(b)))
        else:
            total += width * (abs(a) + abs(b)) / 2
    return total


def draw_labels(rng: np.random.Generator, n_pos: int, n_neg: int) -> Labels:
    return rng.permutation(np.repeat([1, 0], [n_pos, n_neg])).tolist()


def as_bools(*labels: Labels) -> list[np.ndarray]:
    return [np.array(x, dtype=bool) for x in labels]


@pytest.mark.parametrize("sizes", [(3, 4, 3, 4), (1, 5, 4, 2), (6, 2, 3, 1), (5, 5, 2, 9)])
def test_the_area_is_that_of_the_definition(sizes: tuple[int, int, int, int]) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        first, second = draw_labels(rng, *sizes[:2]), draw_labels(rng, *sizes[2:])
        labels = as_bools(first, second)
        found = Deal.of(*labels).observed(*labels)
        assert found == pytest.approx(float(area_between(first, second)), abs=ROUNDING)


def every_deal(first: Labels, second: Labels) -> dict[float, Fraction]:
    """The distribution of the statistic over all deals within classes and orders of ties."""
    both = first + second
    share = Fraction(sum(both), len(both))
    people = [
        (u, label)
        for labels in (first, second)
        for (u, _), label in zip(polygon(labels, share)[1:], labels, strict=True)
    ]
    people.sort()
    level = [k for k, (a, b) in enumerate(pairwise(people)) if a[0] == b[0] and a[1] != b[1]]
    found: Counter[float] = Counter()
    for turned in product((False, True), repeat=len(level)):
        line = [label for _, label in people]
        for k, turn in zip(level, turned, strict=True):
            if turn:
                line[k], line[k + 1] = line[k + 1], line[k]
        at = {kind: [k for k, label in enumerate(line) if label == kind] for kind in (1, 0)}
        for pos in combinations(at[1], sum(first)):
            for neg in combinations(at[0], len(first) - sum(first)):
                mine = {*pos, *neg}
                dealt = [
                    [label for k, label in enumerate(line) if (k in mine) == own]
                    for own in (True, False)
                ]
                found[round(float(area_between(*dealt)), 9)] += 1
    total = sum(found.values())
    return {value: Fraction(count, total) for value, count in found.items()}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([0, 1, 0, 1], [1, 0, 0, 1]),  # equal sizes: every place is level with another
        ([0, 0, 1], [1, 0, 1, 0, 0]),
        ([1, 1, 0, 1], [1, 0, 1]),  # positives are the common class
    ],
)
def test_deals_have_the_law_of_all_deals(first: Labels, second: Labels) -> None:
    labels, size = as_bools(first, second), 40_000
    drawn = Deal.of(*labels)(size, np.random.default_rng(7))
    share = Counter(np.round(drawn, 9).tolist())
    expected = every_deal(first, second)
    assert {*share} <= {*expected}
    for value, chance in expected.items():
        error = (float(chance * (1 - chance)) / size) ** 0.5
        assert share[value] / size == pytest.approx(float(chance), abs=MC * error)


def test_samples_of_unequal_sizes_change_places() -> None:
    rng = np.random.default_rng(2)
    one, two = (np.arange(n) % 3 == 0 for n in (40, 91))
    estimates = [rs.auc(y, y + rng.normal(size=y.size)) for y in (one, two)]
    few = rs.Permutation(n_resamples=9, rng=1)
    there = rs.venkatraman_test_independent(*estimates, resampling=few).statistic
    back = rs.venkatraman_test_independent(*estimates[::-1], resampling=few).statistic
    assert there == pytest.approx(back, rel=1e-12)
