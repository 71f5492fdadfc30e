"""Reader studies against their definitions, written out over all pairs in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import rocstats as rs

EXACT = 1e-12  # doubles of a few dozen terms against fractions
COLUMNS = {"test": "m", "reader": "who", "case": "id", "outcome": "ill", "rating": "score"}


def small_study(read: Any, *, seed: int = 1, levels: int = 4, n_pos: int = 5) -> rs.ReaderStudy:
    """A study with coarse ratings, so that ties abound; `read` says who read what."""
    rng = np.random.default_rng(seed)
    t, r, n = read.shape
    rows: dict[str, list[Any]] = {name: [] for name in COLUMNS.values()}
    for i, j, k in product(range(t), range(r), range(n)):
        if read[i, j, k]:
            positive = k < n_pos
            score = int(rng.integers(levels)) + (1 if positive and rng.random() < 0.6 else 0)
            values = (f"m{i}", f"r{j}", k, int(positive), score)
            for name, value in zip(COLUMNS.values(), values, strict=True):
                rows[name].append(value)
    return rs.ReaderStudy.from_frame(rows, **COLUMNS)


def crossed(t: int = 2, r: int = 3, n: int = 9) -> np.ndarray:
    return np.ones((t, r, n), dtype=bool)


def nested_cases(t: int = 2, r: int = 3) -> np.ndarray:
    read = np.zeros((t, r, 18), dtype=bool)
    for j in range(r):
        read[:, j, [2 * j, 2 * j + 1, 6 + 4 * j, 7 + 4 * j, 8 + 4 * j, 9 + 4 * j]] = True
    return read


def holes(t: int = 2, r: int = 3, n: int = 10, seed: int = 5) -> np.ndarray:
    read = np.random.default_rng(seed).random((t, r, n)) < 0.8
    read[:, :, [0, 1, 8, 9]] = True
    return read


STUDIES = {
    "crossed": lambda: small_study(crossed()),
    "three tests": lambda: small_study(crossed(3, 4, 8), seed=2),
    "nested cases": lambda: small_study(nested_cases(), seed=3, n_pos=6),
    "holes": lambda: small_study(holes(), seed=4),
}


def kernel(a: float, b: float) -> Fraction:
    return Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)


def wins(study: rs.ReaderStudy, i: int, j: int) -> dict[tuple[int, int], Fraction]:
    """The kernel of every positive and negative case that one reader read in one test."""
    x = study.ratings[i, j]
    there = [k for k in range(x.size) if not math.isnan(x[k])]
    pos = [k for k in there if study.positive[k]]
    neg = [k for k in there if not study.positive[k]]
    return {(p, q): kernel(x[p], x[q]) for p in pos for q in neg}


def mean(values: Any) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


@pytest.mark.parametrize("name", STUDIES)
def test_estimates_and_influence_covariance_are_the_definition(name: str) -> None:
    study = STUDIES[name]()
    found = rs.compare_readers(study, readers="fixed")
    cells = [wins(study, i, j) for i, j in study.cells]
    for c, own in enumerate(cells):
        assert float(mean(own.values())) == pytest.approx(found.cells.estimate[c], abs=EXACT)
    for a, b in product(range(len(cells)), repeat=2):
        assert found.covariance[a, b] == pytest.approx(
            components_covariance(cells[a], cells[b]), abs=EXACT
        )


def components_covariance(
    a: dict[tuple[int, int], Fraction], b: dict[tuple[int, int], Fraction]
) -> float:
    """DeLong's structural components, summed over the cases that both readers read."""
    total = 0.0
    for side in (0, 1):
        parts = []
        for own in (a, b):
            level = mean(own.values())
            ids = sorted({pair[side] for pair in own})
            value = {k: mean(v for pair, v in own.items() if pair[side] == k) - level for k in ids}
            parts.append(value)
        both = parts[0].keys() & parts[1].keys()
        sizes = [len(p) * (len(p) - 1) for p in parts]
        sums = sum((parts[0][k] * parts[1][k] for k in both), Fraction(0))
        total += float(sums) / math.sqrt(sizes[0] * sizes[1])
    return total


@pytest.mark.parametrize("name", STUDIES)
def test_unbiased_covariance_is_all_pairs_of_pairs(name: str) -> None:
    study = STUDIES[name]()
    found = rs.compare_readers(study, readers="fixed", covariance="unbiased")
    cells = [wins(study, i, j) for i, j in study.cells]
    for a, b in product(range(len(cells)), repeat=2):
        one, two = cells[a], cells[b]
        apart = [
            x * y for (p, q), x in one.items() for (u, v), y in two.items() if p != u and q != v
        ]
        exact = mean(one.values()) * mean(two.values()) - mean(apart)
        assert found.covariance[a, b] == pytest.approx(float(exact), abs=EXACT)


@pytest.mark.parametrize("name", STUDIES)
def test_moments_are_means_over_pairs_of_pairs(name: str) -> None:
    """The variance of a test by Gallas et al. (2009), every pair of kernels looked at."""
    study = STUDIES[name]()
    found = rs.compare_readers(study, method="ustat")
    moments = found.moments
    assert moments is not None
    tests = range(len(study.tests))
    cells = {cell: wins(study, *cell) for cell in study.cells}
    for first, second in product(tests, repeat=2):
        groups: dict[tuple[bool, bool, bool], list[Fraction]] = {}
        for (i, j), one in cells.items():
            for (k, m), two in cells.items():
                if (i, k) != (first, second):
                    continue
                for ((p, q), x), ((u, v), y) in product(one.items(), two.items()):
                    groups.setdefault((j == m, p == u, q == v), []).append(x * y)
        every = sum(len(values) for values in groups.values())
        value = [
            mean(v for cell, own in cells.items() if cell[0] == test for v in own.values())
            for test in (first, second)
        ]
        two = moments.two(first, second)
        exact = sum((Fraction(len(v), every) * mean(v) for v in groups.values()), Fraction(0))
        apart = mean(groups[False, False, False])
        assert two.covariance == pytest.approx(float(exact - apart), abs=EXACT)
        keys = [(same, p, q) for same in (True, False) for p, q in _ORDER]
        for place, key in enumerate(keys):
            share = Fraction(len(groups.get(key, [])), every) - (1 if place == 7 else 0)
            assert two.coefficients[place] == pytest.approx(float(share), abs=EXACT)
            if key in groups:
                assert two.moments[place] == pytest.approx(float(mean(groups[key])), abs=EXACT)
        assert float(value[0] * value[1]) == pytest.approx(two.moments_v[7], abs=EXACT)


_ORDER = ((True, True), (True, False), (False, True), (False, False))


@pytest.mark.parametrize("name", ["crossed", "three tests"])
@pytest.mark.parametrize("random", ["both", "cases", "readers"])
def test_mean_squares_are_the_definition(name: str, random: str) -> None:
    study = STUDIES[name]()
    options: dict[str, Any] = {
        "both": {},
        "cases": {"readers": "fixed"},
        "readers": {"cases": "fixed"},
    }[random]
    found = rs.compare_readers(study, **options)
    t, r = len(study.tests), len(study.readers)
    theta = found.cells.estimate.reshape(t, r)
    s = found.covariance.reshape(t, r, t, r)
    sums = {"var": [], "cov1": [], "cov2": [], "cov3": []}
    for i, j, k, m in product(range(t), range(r), range(t), range(r)):
        key = ("var", "cov2")[j != m] if i == k else ("cov1", "cov3")[j != m]
        sums[key].append(s[i, j, k, m])
    parts = {key: float(np.mean(values)) for key, values in sums.items()}
    for key, value in parts.items():
        assert found.components[key] == pytest.approx(value, abs=EXACT)
    grand = theta.mean()
    ms_t = r * sum((theta[i].mean() - grand) ** 2 for i in range(t)) / (t - 1)
    ms_r = t * sum((theta[:, j].mean() - grand) ** 2 for j in range(r)) / (r - 1)
    rest = [
        theta[i, j] - theta[i].mean() - theta[:, j].mean() + grand
        for i, j in product(range(t), range(r))
    ]
    df = (t - 1) * (r - 1)
    ms_tr = sum(v * v for v in rest) / df
    assert found.components["ms_test"] == pytest.approx(ms_t, abs=EXACT)
    assert found.components["ms_reader"] == pytest.approx(ms_r, abs=EXACT)
    assert found.components["ms_test_reader"] == pytest.approx(ms_tr, abs=EXACT)
    excess = max(parts["cov2"] - parts["cov3"], 0.0)
    omnibus = found.omnibus()
    if random == "both":
        below = ms_tr + r * excess
        assert omnibus.statistic == pytest.approx(ms_t / below, rel=1e-10)
        assert omnibus.df_denominator == pytest.approx(below**2 / (ms_tr**2 / df), rel=1e-10)
        assert found.pairwise()[0].std_error == pytest.approx(math.sqrt(2 * below / r), rel=1e-10)
    elif random == "readers":
        assert omnibus.statistic == pytest.approx(ms_t / ms_tr, rel=1e-10)
        assert omnibus.df_denominator == df
    else:
        below = parts["var"] - parts["cov1"] + (r - 1) * (parts["cov2"] - parts["cov3"])
        assert omnibus.statistic == pytest.approx((t - 1) * ms_t / below, rel=1e-10)
        line = np.zeros((t, r))
        line[0], line[1] = 1.0 / r, -1.0 / r
        variance = line.ravel() @ found.covariance @ line.ravel()
        assert found.pairwise()[0].std_error == pytest.approx(math.sqrt(variance), rel=1e-10)


@pytest.mark.parametrize("measure", ["auc", "sauc", "sensitivity", "specificity"])
def test_jackknife_leaves_every_case_out(measure: str) -> None:
    study = small_study(holes(), seed=6)
    options = {"threshold": 3.0} if measure.startswith(("sens", "spec")) else {}
    found = rs.compare_readers(study, measure, covariance="jackknife", readers="fixed", **options)
    n = study.positive.size
    values = np.empty((len(study.cells), n))
    for k in range(n):
        keep = np.arange(n) != k
        for c, (i, j) in enumerate(study.cells):
            x = study.ratings[i, j]
            there = keep & ~np.isnan(x)
            values[c, k] = defined(measure, x[there], study.positive[there])
    centred = values - values.mean(axis=1, keepdims=True)
    expected = (n - 1) / n * centred @ centred.T
    assert found.covariance == pytest.approx(expected, abs=EXACT)


def defined(measure: str, x: np.ndarray, positive: np.ndarray) -> float:
    pos, neg = x[positive], x[~positive]
    if measure == "sensitivity":
        return float((pos >= 3.0).mean())
    if measure == "specificity":
        return float((neg < 3.0).mean())
    gap = pos[:, None] - neg
    if measure == "sauc":
        return float(np.maximum(gap, 0.0).mean())
    return float(((gap > 0) + 0.5 * (gap == 0)).mean())


def test_jackknife_of_a_partial_area_estimates_it_again() -> None:
    study = small_study(crossed(2, 2, 26), seed=7, n_pos=10)
    part = rs.partial_area(fpr=(0.0, 0.5))
    found = rs.compare_readers(study, part, covariance="jackknife")
    n, values = study.positive.size, []
    for i, j in study.cells:
        own = []
        for k in range(n):
            keep = np.arange(n) != k
            own.append(
                rs.partial_auc(
                    study.positive[keep], study.ratings[i, j, keep], fpr=(0.0, 0.5), pos_label=True
                ).value
            )
        values.append(own)
    spread = np.cov(values, ddof=0) * (n - 1)
    assert found.covariance == pytest.approx(spread, abs=EXACT)


@pytest.mark.parametrize("rate", ["sensitivity", "specificity"])
def test_rates_are_shares_with_their_covariance(rate: str) -> None:
    study = small_study(crossed(2, 3, 14), seed=8, n_pos=7)
    found = rs.compare_readers(study, rate, threshold=3)
    side = study.positive if rate == "sensitivity" else ~study.positive
    hits = (
        study.ratings[:, :, side] >= 3 if rate == "sensitivity" else study.ratings[:, :, side] < 3
    )
    flat = hits.reshape(6, -1).astype(float)
    assert [row.value for row in found.by_reader] == pytest.approx(flat.mean(axis=1))
    assert found.covariance == pytest.approx(np.cov(flat) / flat.shape[1], abs=EXACT)
    unbiased = rs.compare_readers(study, rate, threshold=3, covariance="unbiased")
    assert unbiased.covariance == pytest.approx(found.covariance, abs=EXACT)


def test_low_ratings_may_speak_for_the_positives() -> None:
    rows = {"m": [], "who": [], "id": [], "ill": [], "score": []}
    study = small_study(crossed(), seed=9)
    for i, j, k in product(*map(range, study.ratings.shape)):
        values = (study.tests[i], study.readers[j], k, int(study.positive[k]))
        for name, value in zip(rows, (*values, -study.ratings[i, j, k]), strict=True):
            rows[name].append(value)
    turned = rs.ReaderStudy.from_frame(rows, **COLUMNS, higher_is_positive=False)
    for options in ({}, {"method": "ustat"}, {"covariance": "jackknife"}):
        a, b = rs.compare_readers(study, **options), rs.compare_readers(turned, **options)
        assert a.to_dict()["pairwise"] == b.to_dict()["pairwise"]
    up = rs.compare_readers(study, "sensitivity", threshold=3)
    down = rs.compare_readers(turned, "sensitivity", threshold=-3)
    assert [r.value for r in up.by_reader] == [r.value for r in down.by_reader]
    assert up.pvalue == down.pvalue


def test_bootstrap_covariance_comes_near_the_jackknife() -> None:
    study = rs.datasets.load_reader_study()
    found = rs.compare_readers(
        study, covariance="bootstrap", resampling=rs.Bootstrap(n_resamples=600, rng=3)
    )
    plain = rs.compare_readers(study)
    # a variance of 600 resamples has a relative error of sqrt(2 / 600) = 0.06: four of them
    assert np.diag(found.covariance) == pytest.approx(np.diag(plain.covariance), rel=0.24)
    again = rs.compare_readers(
        study, covariance="bootstrap", resampling=rs.Bootstrap(n_resamples=600, rng=3)
    )
    assert (again.covariance == found.covariance).all()


def test_clusters_of_one_case_change_nothing_and_pairs_are_summed() -> None:
    base = small_study(crossed(2, 3, 20), seed=10, n_pos=10)
    rows: dict[str, list[Any]] = {name: [] for name in [*COLUMNS.values(), "alone", "patient"]}
    for i, j, k in product(*map(range, base.ratings.shape)):
        values = (base.tests[i], base.readers[j], k, int(base.positive[k]), base.ratings[i, j, k])
        for name, value in zip(rows, (*values, f"c{k}", k // 2), strict=True):
            rows[name].append(value)
    plain = rs.compare_readers(rs.ReaderStudy.from_frame(rows, **COLUMNS))
    alone = rs.compare_readers(rs.ReaderStudy.from_frame(rows, **COLUMNS, cluster="alone"))
    assert alone.covariance == pytest.approx(plain.covariance, abs=EXACT)
    paired = rs.compare_readers(rs.ReaderStudy.from_frame(rows, **COLUMNS, cluster="patient"))
    phi = plain.cells.values
    expected = np.zeros_like(plain.covariance)
    for side in (base.positive, ~base.positive):
        both = phi[:, side].reshape(6, -1, 2).sum(axis=2) / side.sum()
        units = both.shape[1]
        expected += units / (units - 1) * both @ both.T
    assert paired.covariance == pytest.approx(expected, abs=EXACT)


def test_a_factorial_study_by_influence_is_rs_compare() -> None:
    study = rs.datasets.load_reader_study()
    markers = {f"{i}{j}": study.ratings[i, j] for i in range(2) for j in range(5)}
    joint = rs.compare(study.positive, markers, pos_label=True)
    found = rs.compare_readers(study)
    assert found.covariance == pytest.approx(joint.covariance, abs=1e-17)
