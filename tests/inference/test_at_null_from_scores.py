"""Variance at the null (STATISTICS.md 6.8) from the scores, by sums over all pairs written out.

Nothing of the engine is used: kernels as m x n tables, loops over clusters and ids, quantiles of
scipy.stats. So designs that the unit tests see only in part (clusters, samples that share some
subjects, unequal sizes) are held against the definition as a whole: p, limits at four levels and
margins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import optimize, stats

import rocstats as rs

NEAR = 1e-9  # of probabilities and limits: a root, and tails of t by two ways
NOTHING = 1e-25  # a variance that is rounding
LEVELS = (0.8, 0.9, 0.95, 0.99)
MARGINS = (0.02, 0.05, 0.2)

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")

# -------------------------------------------------------------------------------- the definition


def wins(y, score):
    """Return the area, and the mean wins of every positive and over every negative."""
    pos, neg = score[y == 1], score[y == 0]
    table = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    return table.mean(), table.mean(axis=1), table.mean(axis=0)


def formula(a, m, n):
    mean = 0.5 * (m + n) - 1.0
    return a * (1.0 - a) * (1.0 + mean * (1.0 - a) / (2.0 - a) + mean * a / (1.0 + a)) / (m * n)


def worth(values):
    """Degrees of freedom of a variance, by the kurtosis of its values."""
    n, centred = len(values), values - np.mean(values)
    square = np.mean(centred**2)
    if square < NOTHING:
        return n - 1.0
    return min(2.0 * n / (np.mean(centred**4) / square**2 - (n - 3.0) / (n - 1.0)), n - 1.0)


def satterthwaite(terms, units):
    return sum(terms) ** 2 / sum(t * t / u for t, u in zip(terms, units, strict=True))


@dataclass
class Difference:
    areas: tuple
    variances: tuple
    covariance: float
    sizes: tuple  # what the classes of either are worth
    subjects: tuple  # how many there are
    df: float
    tailed: float

    def __post_init__(self):
        self.value = self.areas[0] - self.areas[1]
        self.delong = max(sum(self.variances) - 2.0 * self.covariance, 0.0)
        self.delong = self.delong if self.delong > NOTHING else 0.0
        self.lost = [min(t, 1 - t) * min(s) for t, s in zip(self.areas, self.sizes, strict=True)]
        fewest = min(self.lost)
        self.share = min(max((20.0 - fewest) / 10.0, 0.0), 1.0) if self.delong else 1.0
        both = math.sqrt(self.variances[0] * self.variances[1])
        drawn = math.sqrt(math.prod(c / (c + 0.05) for c in self.lost))
        self.rho = drawn * self.covariance / both if both > NOTHING else 0.0

    def scale(self, i):
        at = formula(self.areas[i], *self.sizes[i])
        if at <= 0.0 or self.variances[i] < NOTHING:
            return 1.0
        ratio, c = self.variances[i] / at, self.lost[i]
        return ratio if ratio > 1.0 else (c * ratio + 3.0) / (c + 3.0)

    def deviate(self, null):
        distance = self.value - null
        if abs(distance) < 1e-15:
            return 0.0
        h = [1.0 / m + 1.0 / n for m, n in self.subjects]
        first = self.areas[0] - distance * h[0] / sum(h)
        first = min(max(first, 0.0, null), 1.0, 1.0 + null)
        u, v = (
            max(self.scale(i) * formula(a, *self.sizes[i]), 0.0)
            for i, a in enumerate((first, first - null))
        )
        whole = max(u + v - 2.0 * self.rho * math.sqrt(u * v), self.delong)
        variance = self.delong + self.share * (whole - self.delong)
        if variance <= 0.0:
            return math.copysign(math.inf, distance)
        own = self.delong / variance
        fewer = min(self.tailed / own**2, self.df) if own > 0.0 else self.df
        df = 1.0 / ((1.0 - self.share) / self.df + self.share / fewer)
        tail = stats.t.sf(abs(distance) / math.sqrt(variance), df)
        return math.copysign(stats.norm.isf(tail), distance)

    def monotone(self, null):
        if abs(self.value - null) < 1e-15:
            return 0.0
        edge, nearest = (-1.0, min) if null < self.value else (1.0, max)
        return nearest(self.deviate(null + (edge - null) * k / 256.0) for k in range(257))

    def limits(self, level):
        quantile = stats.norm.isf((1.0 - level) / 2.0)
        return [self.limit(edge, quantile) for edge in (-1.0, 1.0)]

    def limit(self, edge, quantile):
        grid = [edge + (self.value - edge) * k / 256.0 for k in range(257)]
        first = next(k for k, null in enumerate(grid) if abs(self.deviate(null)) <= quantile)
        if first == 0:
            return edge
        return optimize.brentq(
            lambda null: abs(self.deviate(null)) - quantile, grid[first - 1], grid[first]
        )


def of_one_sample(y, scores, cluster=None):
    cluster = np.arange(y.size) if cluster is None else cluster
    ids = np.unique(cluster)
    m, n = int((y == 1).sum()), int((y == 0).sum())
    areas, alone, sums = [], [], []
    there = [np.array([np.any((cluster == i) & (y == k)) for i in ids]) for k in (1, 0)]
    for score in scores:
        area, pos, neg = wins(y, score)
        influence = np.zeros(y.size)
        influence[y == 1], influence[y == 0] = (pos - area) / m, (neg - area) / n
        areas.append(area)
        alone.append(pos.var(ddof=1) / m + neg.var(ddof=1) / n)
        sums.append(
            [np.array([influence[(cluster == i) & (y == k)].sum() for i in ids]) for k in (1, 0)]
        )
    units = [int(t.sum()) for t in there]

    def joint(a, b):
        terms = [u / (u - 1.0) * (a[k] @ b[k]) for k, u in enumerate(units)]
        across = a[0] @ b[1] + a[1] @ b[0]
        return terms, across * ids.size / (ids.size - 1.0)

    variances = [sum(joint(s, s)[0]) + joint(s, s)[1] for s in sums]
    covariance = sum(joint(*sums)[0]) + joint(*sums)[1]
    apart = [sums[0][k] - sums[1][k] for k in (0, 1)]
    terms = joint(apart, apart)[0]
    most = math.inf if ids.size == y.size else ids.size - 1.0
    sizes = []
    for own, square in zip(alone, variances, strict=True):
        part = min(own / square, 1.0) if square > NOTHING else 1.0
        sizes.append((1 + (m - 1) * part, 1 + (n - 1) * part) if square > NOTHING else tuple(units))
    df = tailed = min(sum(units) - 2.0, most)
    if sum(terms) > NOTHING:
        df = tailed = min(satterthwaite(terms, [u - 1.0 for u in units]), most)
        if min(units) > 2:
            tails = [worth(a[t]) for a, t in zip(apart, there, strict=True)]
            tailed = min(satterthwaite(terms, tails), df)
    return Difference(areas, variances, covariance, sizes, [(m, n)] * 2, df, tailed)


def of_two_samples(first, second):
    """Samples are labels, scores and ids."""
    areas, centred, terms, units, tails, sizes = [], [], [], [], [], []
    for y, score, ids in (first, second):
        area, pos, neg = wins(y, score)
        areas.append(area)
        sizes.append((pos.size, neg.size))
        centred.append(
            [dict(zip(ids[y == k], v - area, strict=True)) for k, v in ((1, pos), (0, neg))]
        )
        for values in (pos, neg):
            terms.append(values.var(ddof=1) / values.size)
            units.append(values.size - 1.0)
            tails.append(worth(values))
    covariance = 0.0
    for k in (0, 1):
        one, two = centred[0][k], centred[1][k]
        common = sum(one[i] * two[i] for i in one.keys() & two.keys())
        a, b = len(one), len(two)
        covariance += common / math.sqrt(a * (a - 1.0) * b * (b - 1.0))
    df = satterthwaite(terms, units)
    tailed = min(satterthwaite(terms, tails), df)
    variances = terms[0] + terms[1], terms[2] + terms[3]
    return Difference(areas, variances, covariance, sizes, sizes, df, tailed)


def agree(test, expected, levels=LEVELS):
    assert test.pvalue == pytest.approx(2.0 * stats.norm.sf(abs(expected.monotone(0.0))), abs=NEAR)
    if expected.share > 0.0:
        for level in levels:
            assert tuple(test.confidence_interval(level)) == pytest.approx(
                expected.limits(level), abs=NEAR
            )


# ------------------------------------------------------------------------------------ the designs


def scores_of(rng, y, kind):
    common = rng.normal(size=y.size)
    shift, rho = rng.choice([-2.5, 0.5, 2.0, 3.0]), rng.choice([0.0, 0.6, 0.95])
    a, b = math.sqrt(rho), math.sqrt(1.0 - rho)
    own = rng.normal(size=(2, y.size))
    found = [(shift - 0.4 * i) * y + a * common + b * own[i] for i in range(2)]
    if kind == "ties":
        return [np.round(score) for score in found]
    if kind == "constant":
        return [found[0], np.zeros(y.size)]
    return [9.0 * y + score for score in found] if kind == "perfect" else found


@pytest.mark.parametrize("kind", ["scores", "ties", "constant", "perfect"])
@pytest.mark.parametrize("sizes", [(2, 2), (3, 9), (8, 40), (15, 15), (60, 90)])
def test_one_sample(sizes, kind):
    rng = np.random.default_rng([sizes[0], sizes[1], len(kind)])
    y = np.repeat([1, 0], sizes)
    scores = scores_of(rng, y, kind)
    comparison = rs.compare(y, dict(zip("ab", scores, strict=True)))
    expected = of_one_sample(y, scores)
    agree(comparison.pairwise().tests[0], expected)
    for margin in MARGINS:
        above, below = expected.monotone(-margin), expected.monotone(margin)
        p = comparison.noninferiority(margin).pvalue
        assert p == pytest.approx(stats.norm.sf(above), abs=NEAR)
        p = comparison.equivalence(margin).pvalue
        assert p == pytest.approx(max(stats.norm.sf(above), stats.norm.cdf(below)), abs=NEAR)


@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize("clusters", [12, 40])
def test_clusters(clusters, mixed):
    rng = np.random.default_rng([clusters, mixed])
    cluster = np.repeat(np.arange(clusters), rng.integers(1, 6, clusters))
    y = rng.permutation(np.arange(clusters) % 2)[cluster]
    if mixed:
        y = rng.permutation(np.arange(cluster.size) % 2)
    effect = rng.normal(size=clusters)[cluster]
    scores = [2.3 * y + 0.6 * effect + 0.8 * rng.normal(size=y.size) for _ in "ab"]
    comparison = rs.compare(y, dict(zip("ab", scores, strict=True)), cluster=cluster)
    agree(comparison.pairwise().tests[0], of_one_sample(y, scores, cluster), (0.9,))


@pytest.mark.parametrize("sizes", [((3, 3), (15, 15)), ((8, 40), (60, 60)), ((25, 120), (90, 30))])
def test_samples_of_different_subjects(sizes):
    rng = np.random.default_rng(sum(map(sum, sizes)))
    samples = []
    for k, (m, n) in enumerate(sizes):
        y = np.repeat([1, 0], (m, n))
        samples.append((y, 2.0 * y + rng.normal(size=m + n), [f"{k}/{i}" for i in range(m + n)]))
    samples = [(y, score, np.array(ids)) for y, score, ids in samples]
    estimates = [rs.auc(y, score) for y, score, _ in samples]
    agree(rs.compare_independent(*estimates), of_two_samples(*samples), (0.95, 0.99))


@pytest.mark.parametrize("size", [12, 30])
def test_samples_that_share_some_subjects(size):
    rng = np.random.default_rng(size)
    y, common = np.repeat([1, 0], size), rng.normal(size=2 * size)
    samples = []
    for part in (0.7, 0.75):
        here = np.sort(rng.choice(2 * size, int(2 * size * part), replace=False))
        score = 2.2 * y + 0.6 * common + 0.8 * rng.normal(size=2 * size)
        samples.append((y[here], score[here], here))
    estimates = [
        rs.auc(rs.ScoredSample.from_arrays(labels, score, subject=ids))
        for labels, score, ids in samples
    ]
    agree(rs.compare_independent(*estimates), of_two_samples(*samples), (0.95,))
