"""Binary tests on the same patients: definitions written out, and laws that hold for all tables."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri

import rocstats as rs
from rocstats.inference.binary.paired_cells import PairedCells
from rocstats.inference.binary.rate_differences import DIFFERENCE_METHODS, TangoScore
from rocstats.inference.binary.rate_ratios import RATIO_METHODS

EXACT = 1e-12  # sums of a few terms
SEARCHED = 1e-6  # a maximum found by search is good to the root of rounding
ROOT = 1e-9  # a limit, put into the statistic: its slope times 1e-15, near the ends much steeper

Z = 1.959963984540054

small = st.integers(0, 12)
tables = st.tuples(small, small, small, small)
cells_of = tables.filter(lambda t: sum(t) > 0).map(
    lambda t: PairedCells(a=t[0], b=t[1], c=t[2], d=t[3])
)
levels = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])


def compare(pos: Any, neg: Any = (3, 2, 4, 5), **options: Any) -> rs.ComparedTests:
    """Return tests on positives and negatives, given as (++, +-, -+, --)."""
    square = [[[t[0], t[1]], [t[2], t[3]]] for t in (pos, neg)]
    return rs.compare_counts(diseased=square[0], healthy=square[1], **options)


def quantile(level: float) -> float:
    return -float(ndtri((1.0 - level) / 2.0))


# ------------------------------------------------------------------------------- definitions


def log_likelihood(cells: PairedCells, b: float, c: float) -> float:
    rest = 1.0 - b - c
    terms = ((cells.b, b), (cells.c, c), (cells.a + cells.d, rest))
    return sum(n * math.log(max(p, 1e-300)) for n, p in terms if n)


@pytest.mark.parametrize("table", [(5, 3, 1, 4), (9, 0, 4, 2), (2, 6, 0, 2), (3, 2, 2, 8)])
@pytest.mark.parametrize("delta", [-0.6, -0.2, -0.05, 0.0, 0.1, 0.45])
def test_tangos_statistic_is_the_score_at_the_restricted_maximum(
    table: tuple[int, ...], delta: float
) -> None:
    cells = PairedCells(a=table[0], b=table[1], c=table[2], d=table[3])
    low, high = max(0.0, -delta), (1.0 - delta) / 2.0
    found = minimize_scalar(
        lambda c: -log_likelihood(cells, c + delta, c),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-12},
    )
    q = found.x
    variance = cells.n * (2.0 * q + delta * (1.0 - delta))
    z = (cells.b - cells.c - cells.n * delta) / math.sqrt(variance)
    assert TangoScore(cells=cells).judge(delta)[0] == pytest.approx(z, rel=SEARCHED, abs=SEARCHED)


@pytest.mark.parametrize("table", [(5, 3, 1, 4), (9, 0, 4, 2), (2, 6, 1, 2), (3, 2, 2, 8)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_tangs_limits_are_where_the_restricted_score_is_z(
    table: tuple[int, ...], level: float
) -> None:
    """Multinomial (a, b, c, d) with (a + b) = t (a + c), maximised over a + c and over c."""
    cells = PairedCells(a=table[0], b=table[1], c=table[2], d=table[3])
    counts, z = (cells.a, cells.b, cells.c, cells.d), quantile(level)
    for t in RATIO_METHODS["score"](cells, z):

        def shares(std: float, c: float, t: float = t) -> tuple[float, ...]:
            return std - c, (t - 1.0) * std + c, c, 1.0 - t * std - c

        def loss(std: float, c: float, shares: Any = shares) -> float:
            parts = zip(counts, shares(std, c), strict=True)
            return -sum(k * math.log(max(p, 1e-300)) for k, p in parts if k)

        def best_c(std: float, t: float = t, loss: Any = loss) -> Any:
            bounds = (max(0.0, std * (1.0 - t)), min(std, 1.0 - t * std))
            return minimize_scalar(
                lambda at: loss(std, at), bounds=bounds, method="bounded", options={"xatol": 1e-13}
            )

        outer = minimize_scalar(
            lambda std, best_c=best_c: best_c(std).fun,
            bounds=(0.0, min(1.0, 1.0 / t)),
            method="bounded",
            options={"xatol": 1e-13},
        )
        a, b, c, _ = shares(outer.x, best_c(outer.x).x)
        # The variance of an indicator that is 1 - t, 1, -t or 0 and has mean 0.
        square = a * (1.0 - t) ** 2 + b + c * t * t
        statistic = (cells.new - t * cells.standard) / math.sqrt(cells.n * square)
        assert abs(statistic) == pytest.approx(z, rel=1e-5)


def subjects(found: rs.ComparedTests) -> tuple[Any, Any, Any]:
    results = found.sample.scores == 1.0
    return found.sample.positive.astype(float), results[0].astype(float), results[1].astype(float)


@pytest.mark.parametrize("value", ["ppv", "npv"])
def test_score_tests_of_predictive_values_as_published(value: str) -> None:
    found = compare((9, 3, 1, 2), (1, 2, 4, 13))
    d, t1, t2 = subjects(found)
    if value == "npv":
        d, t1, t2 = 1 - d, 1 - t1, 1 - t2
    k, n1, n2 = t1 + t2, t1.sum(), t2.sum()
    v, v1, v2 = (d * k).sum() / k.sum(), (d * t1).sum() / n1, (d * t2).sum() / n2
    cp = ((d - v) ** 2 * t1 * t2).sum() / k.sum()
    wgs = (v2 - v1) ** 2 / ((v * (1 - v) - 2 * cp) * (1 / n1 + 1 / n2))
    w = t2 - k * n2 / (n1 + n2)
    gs = (d * w).sum() ** 2 / ((d - v) ** 2 * w**2).sum()
    pair = getattr(found, value)
    assert pair.test(method="wgs").statistic == pytest.approx(wgs, rel=EXACT)
    assert pair.test(method="gs").statistic == pytest.approx(gs, rel=EXACT)


def test_without_common_positives_the_weighted_score_is_the_pooled_test_of_two_proportions() -> (
    None
):
    found = compare((0, 9, 5, 2), (0, 3, 6, 13))
    n1, n2, v1, v2 = 12, 11, 9 / 12, 5 / 11
    v = 14 / 23
    pooled = (v2 - v1) ** 2 / (v * (1 - v) * (1 / n1 + 1 / n2))
    assert found.ppv.test().statistic == pytest.approx(pooled, rel=EXACT)
    assert found.ppv.test(method="gs").statistic != pytest.approx(pooled, rel=1e-3)


@pytest.mark.parametrize("value", ["ppv", "npv"])
def test_ratio_of_predictive_values_by_the_multinomial_delta_method(value: str) -> None:
    """Moskowitz & Pepe's variance: the gradient of the log ratio in the eight shares."""
    pos, neg = (9, 3, 1, 2), (1, 2, 4, 13)
    n = sum(pos) + sum(neg)
    p = np.array([*pos, *neg], dtype=float) / n

    def log_ratio(p: Any) -> float:
        d, h = p[:4], p[4:]
        if value == "ppv":
            first, second = [[d[0] + d[i], h[0] + h[i]] for i in (1, 2)]
        else:
            first, second = [[h[3] + h[i], d[3] + d[i]] for i in (2, 1)]
        return math.log(second[0] / sum(second)) - math.log(first[0] / sum(first))

    step = 1e-6
    gradient = np.array(
        [(log_ratio(p + step * e) - log_ratio(p - step * e)) / (2 * step) for e in np.eye(8)]
    )
    variance = gradient @ (np.diag(p) - np.outer(p, p)) @ gradient / n
    pair = getattr(compare(pos, neg), value)
    assert pair.test(method="wald").std_error == pytest.approx(
        math.sqrt(variance * n / (n - 1)), rel=1e-8
    )


@pytest.mark.parametrize("ratio", ["lr_pos", "lr_neg"])
def test_ratio_of_likelihood_ratios_by_the_delta_method_in_two_classes(ratio: str) -> None:
    pos, neg = (9, 3, 1, 2), (1, 2, 4, 13)
    variance = {False: 0.0, True: 0.0}
    for table, engine in itertools.product((pos, neg), (False, True)):
        n = sum(table)
        # shares of success of standard and new, and of both
        if ratio == "lr_pos":
            both, std, new = table[0] / n, (table[0] + table[1]) / n, (table[0] + table[2]) / n
        else:
            both, std, new = table[3] / n, (table[3] + table[2]) / n, (table[3] + table[1]) / n
        cov = both / (std * new) - 1.0
        variance[engine] += ((1 - std) / std + (1 - new) / new - 2 * cov) / (n - engine)
    pair = getattr(compare(pos, neg), ratio)
    assert pair.test().std_error == pytest.approx(math.sqrt(variance[True]), rel=EXACT)
    own = pair.test(method="gu-pepe").std_error
    assert own == pytest.approx(math.sqrt(variance[False]), rel=EXACT)


def test_rates_and_areas_have_a_joint_covariance() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [14, 19])
    score = {name: rng.normal(y * shift).round(1) for name, shift in (("a", 1.0), ("b", 1.5))}
    found = rs.compare_tests(y, score, thresholds={"a": 0.5, "b": 1.0})
    together = found.influence_with("auc")
    assert together.rows == (
        *(("a", "sensitivity"), ("a", "specificity"), ("b", "sensitivity"), ("b", "specificity")),
        *(("a", "auc"), ("b", "auc")),
    )
    # Covariances of structural components, class by class, by pairs.
    components = []
    for name, cut in (("a", 0.5), ("b", 1.0)):
        hit = (score[name] >= cut).astype(float)
        components += [
            (hit[y == 1], np.full(19, hit[y == 1].mean())),
            (np.full(14, 1 - hit[y == 0].mean()), 1 - hit[y == 0]),
        ]
    for name in ("a", "b"):
        s = score[name]
        wins = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
        components.append((wins.mean(axis=1), wins.mean(axis=0)))
    expected = np.cov([c[0] for c in components]) / 14 + np.cov([c[1] for c in components]) / 19
    np.testing.assert_allclose(together.covariance(), expected, rtol=0, atol=1e-15)
    np.testing.assert_allclose(together.estimate[:4], found.influence.estimate)
    difference = together.contrast([[-1, 0, 1, 0, 0, 0], [0, 0, 0, 0, -1, 1]])
    assert difference.estimate[0] == pytest.approx(found.sensitivity.difference, rel=EXACT)
    error = math.sqrt(difference.covariance()[0, 0])
    assert error == pytest.approx(found.sensitivity.std_error, rel=1e-10)


# ---------------------------------------------------------------------------------------- laws


@given(cells_of, levels)
@settings(max_examples=300, deadline=None)
def test_mcnemar_rejects_exactly_where_the_score_interval_excludes_zero(
    cells: PairedCells, level: float
) -> None:
    found = compare((cells.a, cells.c, cells.b, cells.d)).sensitivity
    z, pvalue = quantile(level), found.mcnemar.pvalue
    assume(abs(math.sqrt(found.mcnemar.statistic) - z) > 1e-9)
    low, high = found.confidence_interval(level)
    assert (pvalue < 1.0 - level) == (not low <= 0.0 <= high)
    low, high = found.ratio_interval(level)
    assert (pvalue < 1.0 - level) == (not low <= 1.0 <= high)


@given(cells_of, levels)
@settings(max_examples=300, deadline=None)
def test_limits_are_where_the_statistic_is_z(cells: PairedCells, level: float) -> None:
    pivot, z = TangoScore(cells=cells), quantile(level)
    for limit, sign in zip(pivot.limits((1.0 - level) / 2.0), (1.0, -1.0), strict=True):
        if abs(limit) < 1.0:
            assert pivot.judge(limit)[0] == pytest.approx(sign * z, rel=ROOT)
        else:
            assert abs((cells.b - cells.c) / cells.n) == 1.0


@given(tables, tables, levels)
@settings(max_examples=150, deadline=None)
def test_swapping_the_tests_negates_differences_and_inverts_ratios(
    pos: tuple[int, ...], neg: tuple[int, ...], level: float
) -> None:
    assume(sum(pos) and sum(neg))
    found = compare(pos, neg)
    swapped = found.pair("T1", "T2")
    assert swapped.tests == ("T2", "T1")
    for rate in ("sensitivity", "specificity", "fpr"):
        one, two = getattr(found, rate), getattr(swapped, rate)
        assert one.difference == -two.difference
        assert one.mcnemar.statistic == two.mcnemar.statistic
        assert (one.mid_pvalue, one.exact_pvalue) == (two.mid_pvalue, two.exact_pvalue)
        assert one.mid_pvalue <= one.exact_pvalue
        for method in DIFFERENCE_METHODS:
            low, high = one.confidence_interval(level, method=method)
            other = two.confidence_interval(level, method=method)
            assert (low, high) == pytest.approx((-other.high, -other.low), rel=1e-9, abs=1e-12)
        low, high = one.ratio_interval(level)
        other = two.ratio_interval(level)
        inverted = [math.inf if x == 0 else 1.0 / x for x in (other.high, other.low)]
        assert [low, high] == pytest.approx(inverted, rel=1e-9)
    with np.errstate(all="ignore"):
        for value in ("ppv", "npv"):
            one, two = getattr(found, value), getattr(swapped, value)
            assert one.difference == pytest.approx(-two.difference, nan_ok=True, abs=1e-15)
            for method in ("wgs", "gs"):
                first, second = one._judge(method)[0], two._judge(method)[0]
                assert first.pvalue == pytest.approx(second.pvalue, nan_ok=True, rel=1e-9)


@given(tables, tables)
@settings(max_examples=100, deadline=None)
def test_counts_and_patients_say_the_same_in_any_order(
    pos: tuple[int, ...], neg: tuple[int, ...]
) -> None:
    assume(sum(pos) and sum(neg))
    patterns = [(1, 1), (1, 0), (0, 1), (0, 0)] * 2
    truth = [1] * 4 + [0] * 4
    order = np.random.default_rng(sum(pos)).permutation(sum(pos) + sum(neg))
    y = np.repeat(truth, [*pos, *neg])[order]
    results = np.repeat(np.array(patterns).T, [*pos, *neg], axis=1)[:, order]
    rows = rs.compare_tests(y, {"T1": results[0], "T2": results[1]})
    table = compare(pos, neg)
    left, right = (x.statement().tidy for x in (rows, table))
    for one, two in zip(left, right, strict=True):
        for key in one:
            a, b = one[key], two[key]
            same = a == b or (isinstance(a, float) and a == pytest.approx(b, rel=1e-9, nan_ok=True))
            assert same, (key, a, b)


@given(tables, tables)
@settings(max_examples=100, deadline=None)
def test_classes_and_results_turned_round_exchange_the_rates(
    pos: tuple[int, ...], neg: tuple[int, ...]
) -> None:
    assume(sum(pos) and sum(neg))
    found, turned = compare(pos, neg), compare(neg[::-1], pos[::-1])
    assert found.sensitivity.cells == turned.specificity.cells
    assert found.ppv.difference == pytest.approx(turned.npv.difference, nan_ok=True)
    assert found.ppv.ratio == pytest.approx(turned.npv.ratio, nan_ok=True)


@given(cells_of, levels)
@settings(max_examples=200, deadline=None)
def test_intervals_hold_the_estimate_and_grow_with_the_level(
    cells: PairedCells, level: float
) -> None:
    z, wider = quantile(level), quantile(0.9999)
    seen = (cells.b - cells.c) / cells.n
    for method, limits in DIFFERENCE_METHODS.items():
        low, high = limits(cells, z)
        assert low + 1e-12 >= -1.0
        assert high - 1e-12 <= 1.0
        if method in ("score", "newcombe", "wald"):
            assert low - 1e-12 <= seen <= high + 1e-12
        outer = limits(cells, wider)
        assert outer[0] <= low + 1e-12
        assert high <= outer[1] + 1e-12
    low, high = RATIO_METHODS["score"](cells, z)
    outer = RATIO_METHODS["score"](cells, wider)
    assert outer[0] <= low * (1 + 1e-9)
    assert high <= outer[1] * (1 + 1e-9)


@given(tables, tables)
@settings(max_examples=60, deadline=None)
def test_standard_errors_are_those_of_the_influence(
    pos: tuple[int, ...], neg: tuple[int, ...]
) -> None:
    assume(sum(pos) > 1 and sum(neg) > 1)
    found = compare(pos, neg)
    lines = found.influence.contrast([[-1, 0, 1, 0], [0, -1, 0, 1]])
    errors = np.sqrt(np.maximum(np.diag(lines.covariance()), 0.0))
    assert found.sensitivity.std_error == pytest.approx(errors[0], abs=1e-9)
    assert found.specificity.std_error == pytest.approx(errors[1], abs=1e-9)


# ------------------------------------------------------------------- every table of a small size


def test_every_table_of_six_patients_has_an_interval_that_is_not_a_point() -> None:
    n = 6
    for a, b, c in itertools.product(range(n + 1), repeat=3):
        if a + b + c > n:
            continue
        cells = PairedCells(a=a, b=b, c=c, d=n - a - b - c)
        low, high = TangoScore(cells=cells).limits(0.025)
        assert -1.0 <= low < high <= 1.0
        low, high = RATIO_METHODS["score"](cells, Z)
        assert 0.0 <= low < high


def coverage(method: str, n: int, p: tuple[float, float, float, float]) -> float:
    """Return the probability that the interval holds the difference, over all tables."""
    total, truth = 0.0, p[1] - p[2]
    for a, b, c in itertools.product(range(n + 1), repeat=3):
        d = n - a - b - c
        if d < 0:
            continue
        cells = PairedCells(a=a, b=b, c=c, d=d)
        low, high = DIFFERENCE_METHODS[method](cells, Z)
        if low <= truth <= high:
            ways = math.factorial(n) / math.prod(map(math.factorial, (a, b, c, d)))
            total += ways * math.prod(q**k for q, k in zip(p, (a, b, c, d), strict=True))
    return total


@pytest.mark.parametrize(
    "p", [(0.4, 0.1, 0.1, 0.4), (0.6, 0.2, 0.05, 0.15), (0.7, 0.02, 0.08, 0.2)]
)
def test_coverage_by_enumeration(p: tuple[float, float, float, float]) -> None:
    """The bars are what docs/evidence/paired_tests.md has for such sizes, less a little."""
    assert coverage("score", 12, p) > 0.93
    assert coverage("wald", 12, p) < 0.95


def test_the_enumeration_finds_a_wrong_interval() -> None:
    """Probabilities add to 1, and an interval of half the width does not cover."""
    whole = coverage("score", 8, (0.5, 0.2, 0.1, 0.2))
    assert 0.9 < whole <= 1.0
    p, n = (0.5, 0.2, 0.1, 0.2), 8
    narrow = 0.0
    for a, b, c in itertools.product(range(n + 1), repeat=3):
        d = n - a - b - c
        if d >= 0:
            cells = PairedCells(a=a, b=b, c=c, d=d)
            low, high = TangoScore(cells=cells).limits(float(ndtr(-Z / 2)))
            ways = math.factorial(n) / math.prod(map(math.factorial, (a, b, c, d)))
            if low <= 0.1 <= high:
                narrow += ways * math.prod(q**k for q, k in zip(p, (a, b, c, d), strict=True))
    assert narrow < 0.85
