"""Variance at the null against its definition (STATISTICS.md 6.8), written out here for scalars.

The constants are read from the module, the formulas are not: `formula`, `scale`, `variance_at` and
`statistic_at` below say what the arrays must be.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import optimize, stats

from rocstats.engine import null_variance
from rocstats.engine.null_variance import NullVariance, area_scale, losses, score_share
from rocstats.engine.variances import tailed_df
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import interval

EXACT = 1e-11  # sums of at most nine terms, a root and a quotient
CANCELLED = 1e-15  # a difference of two copies: variances of 1e-2 less each other
STEP = 0.03  # where the statistic has a kink between two of the 257 nulls
ROOT = 1e-9  # limits of a root found to 1e-14, times the slope of the statistic
PRIOR = null_variance._PRIOR
PRIOR_CORRELATION = null_variance._PRIOR_CORRELATION
FULL, NONE = null_variance._FULL, null_variance._NONE
RELIEF, LOPSIDED = null_variance._RELIEF, null_variance._LOPSIDED

# ------------------------------------------------------------------------------- the definition


class Area(NamedTuple):
    value: float
    variance: float
    m: float
    n: float


def formula(a: float, m: float, n: float) -> float:
    """Hanley & McNeil's variance with Newcombe's mean of the two sizes (7.3)."""
    q1, q2, mean = a / (2.0 - a), 2.0 * a * a / (1.0 + a), 0.5 * (m + n)
    return (a * (1.0 - a) + (mean - 1.0) * (q1 + q2 - 2.0 * a * a)) / (m * n)


def lost(area: Area) -> float:
    return min(area.value, 1.0 - area.value) * min(area.m, area.n)


def scale(area: Area) -> float:
    at = formula(area.value, area.m, area.n)
    if at <= 0.0 or area.variance == 0.0:
        return 1.0
    ratio = area.variance / at
    c = lost(area)
    return ratio if ratio > 1.0 else (c * ratio + PRIOR) / (c + PRIOR)


def share(areas: list[Area], variance: float) -> float:
    if variance == 0.0:
        return 1.0
    c = min(lost(area) for area in areas)
    return min(max((NONE - c) / (NONE - FULL), 0.0), 1.0)


def share_at(areas: list[Area], weights: list[float], at: list[float], variance: float) -> float:
    """Less of it where classes are even, and what is added varies as what is taken away."""
    parts = [w * w * max(formula(a, x.m, x.n), 0.0) for w, a, x in zip(weights, at, areas)]
    tilt = abs(sum(math.copysign(v, w) for w, v in zip(weights, parts)))
    tilt = tilt / sum(parts) if sum(parts) > 0.0 else 0.0
    even = min(min(x.m, x.n) / max(x.m, x.n) for x in areas)  # 1/3: not at all; 2/3: wholly
    even = min(max(3.0 * even - 1.0, 0.0), 1.0) * max(1.0 - tilt / LOPSIDED, 0.0)
    return share(areas, variance) * (1.0 - (RELIEF * even if variance > 0.0 else 0.0))


def nulls(one: Area, two: Area, null: float) -> list[float]:
    """Where a null puts two areas."""
    h = [1.0 / area.m + 1.0 / area.n for area in (one, two)]
    first = one.value - (one.value - two.value - null) * h[0] / (h[0] + h[1])
    first = min(max(first, 0.0, null), 1.0, 1.0 + null)
    return [first, first - null]


def variance_at(one: Area, two: Area, correlation: float, null: float) -> float:
    """Of the difference of two areas where it is the null."""
    s = math.sqrt(one.variance), math.sqrt(two.variance)
    variance = s[0] ** 2 + s[1] ** 2 - 2.0 * correlation * s[0] * s[1]
    at = nulls(one, two, null)
    u = [scale(x) * formula(a, x.m, x.n) for x, a in zip((one, two), at)]
    c = [lost(area) for area in (one, two)]
    drawn = correlation * math.sqrt(math.prod(x / (x + PRIOR_CORRELATION) for x in c))
    whole = max(u[0] + u[1] - 2.0 * drawn * math.sqrt(max(u[0] * u[1], 0.0)), variance)
    return variance + share_at([one, two], [1.0, -1.0], at, variance) * (whole - variance)


def statistic_at(one: Area, two: Area, correlation: float, null: float) -> float:
    difference = one.value - two.value - null
    if difference == 0.0:
        return 0.0
    return difference / math.sqrt(variance_at(one, two, correlation, null))


def pair(one: Area, two: Area, correlation: float) -> NullVariance:
    s = np.sqrt([one.variance, two.variance])
    related = np.array([[1.0, correlation], [correlation, 1.0]])
    return contrast([1.0, -1.0], [one, two], related, float(s @ (related * [[1, -1], [-1, 1]]) @ s))


def contrast(
    weights: Any,
    areas: list[Area],
    correlation: Any,
    variance: float,
    df: float = math.inf,
    tailed: float = math.inf,
) -> NullVariance:
    return NullVariance(
        weights=np.array(weights),
        areas=np.array([area.value for area in areas]),
        variances=np.array([area.variance for area in areas]),
        correlation=np.array(correlation),
        variance=np.array(variance),
        sizes=np.array([(area.m, area.n) for area in areas], dtype=float),
        stiffness=np.array([1.0 / area.m + 1.0 / area.n for area in areas]),
        df=np.array(df),
        tailed=np.array(tailed),
    )


def weighted(weights: Any, areas: list[Area], correlation: Any) -> NullVariance:
    w, s = np.array(weights), np.sqrt([area.variance for area in areas])
    variance = float((w * s) @ np.array(correlation) @ (w * s))
    return contrast(weights, areas, correlation, variance)


PAIRS = {
    "few losses": (Area(0.97, 0.0008, 15, 15), Area(0.93, 0.002, 15, 15), 0.5),
    "low": (Area(0.03, 0.0008, 15, 15), Area(0.2, 0.004, 15, 15), 0.3),
    "some losses": (Area(0.85, 0.0012, 90, 110), Area(0.8, 0.0014, 90, 110), 0.6),
    "many losses": (Area(0.7, 0.0012, 90, 110), Area(0.74, 0.0011, 90, 110), 0.6),
    "unbalanced": (Area(0.96, 0.0009, 30, 300), Area(0.94, 0.0015, 30, 300), 0.8),
    "wider than the formula": (Area(0.95, 0.01, 20, 20), Area(0.9, 0.02, 20, 20), 0.2),
    "independent": (Area(0.99, 0.0001, 15, 40), Area(0.9, 0.0009, 150, 60), 0.0),
    "one perfect": (Area(1.0, 0.0, 8, 40), Area(0.9, 0.004, 8, 40), 0.0),
    "both perfect": (Area(1.0, 0.0, 15, 15), Area(1.0, 0.0, 15, 15), 0.0),
    "perfect and constant": (Area(1.0, 0.0, 9, 7), Area(0.5, 0.0, 9, 7), 0.0),
    "perfect and inverted": (Area(1.0, 0.0, 9, 7), Area(0.0, 0.0, 9, 7), 0.0),
    "the same": (Area(0.9, 0.003, 20, 25), Area(0.9, 0.003, 20, 25), 1.0),
    "negatively related": (Area(0.92, 0.003, 12, 25), Area(0.88, 0.004, 12, 25), -0.4),
}
NULLS = (-1.0, -0.6, -0.2, -0.05, 0.0, 0.05, 0.3, 0.9, 1.0)
every_pair = pytest.mark.parametrize("name", PAIRS)


@every_pair
def test_the_statistic_is_its_definition(name: str) -> None:
    found = pair(*PAIRS[name])
    for null in NULLS:
        expected = variance_at(*PAIRS[name], null)
        assert found.variance_at(np.array([null]))[0] == pytest.approx(
            expected, rel=EXACT, abs=CANCELLED
        )
        if expected > 1e-4:
            t = statistic_at(*PAIRS[name], null)
            assert found.compare(np.array([null]))[0][0] == pytest.approx(t, rel=EXACT, abs=EXACT)


@every_pair
def test_the_test_has_the_nearest_statistic_beyond_the_null(name: str) -> None:
    found = pair(*PAIRS[name])
    centre = PAIRS[name][0].value - PAIRS[name][1].value
    for null in (-0.6, -0.2, -0.05, 0.0, 0.05, 0.3, 0.9):
        if abs(centre - null) < 1e-12:
            assert found.judge(null)[0] == pytest.approx(0.0, abs=EXACT)
            continue
        edge, nearest = (-1.0, min) if null < centre else (1.0, max)
        beyond = [null + (edge - null) * (k / 256) ** 2 for k in range(257)]
        known = [x for x in beyond if variance_at(*PAIRS[name], x) > 1e-15]
        expected = nearest(statistic_at(*PAIRS[name], x) for x in known)
        assert found.judge(null)[0] == pytest.approx(expected, rel=1e-9)


def test_the_formula_is_newcombes_for_any_area() -> None:
    """And turned about, the same: what is lost is what is won."""
    for m, n in ((3, 3), (8, 40), (300, 30)):
        for a in (0.0, 0.02, 0.5, 0.8, 0.97, 1.0):
            one = null_variance.newcombe_variance(a, m, n)
            assert one == pytest.approx(formula(a, m, n), rel=EXACT, abs=1e-18)
            assert one == pytest.approx(null_variance.newcombe_variance(1 - a, n, m), rel=EXACT)


def test_what_is_above_the_formula_is_not_drawn_to_it() -> None:
    at = formula(0.9, 20, 20)
    assert area_scale(0.9, 3.0 * at, 20, 20) == pytest.approx(3.0, rel=EXACT)
    assert area_scale(0.9, at / 2.0, 20, 20) == pytest.approx(
        (2.0 * 0.5 + PRIOR) / (2.0 + PRIOR), rel=EXACT
    )
    assert area_scale(1.0, 0.0, 20, 20) == area_scale(0.5, 0.0, 20, 20) == 1.0


def test_the_share_falls_from_all_to_none() -> None:
    c = np.linspace(0.0, 30.0, 301)
    found = score_share(c)
    assert (found[c <= FULL] == 1.0).all()
    assert (found[c >= NONE] == 0.0).all()
    assert (np.diff(found) <= 0.0).all()
    assert np.abs(np.diff(found)).max() <= 0.1 / (NONE - FULL) * (1.0 + 1e-9)
    assert losses(0.25, 80, 200) == losses(0.75, 200, 80) == 20.0


# ------------------------------------------------------------------------------------------ laws


@every_pair
def test_swapping_mirrors(name: str) -> None:
    one, two, correlation = PAIRS[name]
    here, there = pair(one, two, correlation), pair(two, one, correlation)
    for null in (-0.3, -0.05, 0.0, 0.1):
        assert there.judge(-null)[0] == pytest.approx(-here.judge(null)[0], rel=EXACT, abs=EXACT)
    low, high = here.limits(0.02)
    assert there.limits(0.02) == pytest.approx((-high, -low), abs=ROOT)


@every_pair
def test_turning_both_scores_about_mirrors(name: str) -> None:
    one, two, correlation = PAIRS[name]
    turned = [area._replace(value=1.0 - area.value) for area in (one, two)]
    here, there = pair(one, two, correlation), pair(*turned, correlation)
    for null in (-0.3, -0.05, 0.1):
        assert there.judge(-null)[0] == pytest.approx(-here.judge(null)[0], rel=1e-6)


@every_pair
def test_the_statistic_falls_as_the_null_grows(name: str) -> None:
    found = pair(*PAIRS[name])
    t = [found.judge(null)[0] for null in np.linspace(-0.99, 0.99, 199)]
    assert np.diff(t).max() <= STEP


@every_pair
@pytest.mark.parametrize("quantile", [0.5, 1.28, 1.96, 3.0])
def test_limits_are_where_the_statistic_is_the_quantile(name: str, quantile: float) -> None:
    found = pair(*PAIRS[name])
    centre = float(found.estimate)
    low, high = found.limits(stats.norm.sf(quantile))
    assert -1.0 <= low <= centre <= high <= 1.0
    for limit, edge, sign in ((low, -1.0, 1.0), (high, 1.0, -1.0)):
        if limit != edge:
            assert found.compare(np.array([limit]))[0][0] == pytest.approx(
                sign * quantile, abs=ROOT
            )
            outside = np.linspace(edge, limit, 1000)[:-1]
            assert (sign * found.compare(outside)[0] >= quantile - 1e-6).all()
    wider = found.limits(stats.norm.sf(quantile + 0.3))
    assert wider[0] <= low
    assert wider[1] >= high


def test_with_many_losses_it_is_delongs_bit_for_bit() -> None:
    one, two, correlation = PAIRS["many losses"]
    assert min(lost(one), lost(two)) >= NONE
    found = pair(one, two, correlation)
    assert float(found.share) == 0.0
    assert (found.variance_at(np.array(NULLS)) == float(found.variance)).all()


@pytest.mark.parametrize(("at", "share_there"), [(FULL, 1.0), (NONE, 0.0)])
def test_nothing_jumps_where_the_share_begins_and_ends(at: float, share_there: float) -> None:
    m = n = 200.0
    t = []
    for c in (at - 1e-7, at, at + 1e-7):
        area = 1.0 - c / m
        one = Area(area, 0.7 * formula(area, m, n), m, n)
        two = Area(area + 0.03, 0.9 * formula(area + 0.03, m, n), m, n)
        two = two if at == FULL else Area(area - 0.03, 0.9 * formula(area - 0.03, m, n), m, n)
        found = pair(one, two, 0.4)
        t.append([found.judge(null)[0] for null in (-0.05, 0.0, 0.02)])
    assert np.ptp(np.array(t), axis=0) == pytest.approx(0.0, abs=1e-5)
    assert score_share(at) == share_there


def test_between_the_two_every_step_is_small() -> None:
    t, m = [], 200.0
    for c in np.arange(FULL - 1.0, NONE + 1.0, 0.01):
        area = 1.0 - c / m
        one = Area(area, 0.7 * formula(area, m, m), m, m)
        t.append(pair(one, Area(area - 0.02, 0.002, m, m), 0.4).judge(0.0)[0])
    assert np.abs(np.diff(t)).max() < 0.005


# ---------------------------------------------------------------------------------- an even null


def test_an_even_null_gives_most_of_the_variance_back() -> None:
    """Equal sizes, equal areas: that share of it, and less to none at 1:3."""
    for n, kept in ((60, 1.0), (90, 1.0), (120, 0.5), (180, 0.0), (400, 0.0)):
        areas = [Area(a, 0.5 * formula(a, 60, n), 60, n) for a in (0.97, 0.93)]
        found = pair(*areas, 0.3)
        at_null = replace(found, relief=0.0).variance_at(np.zeros(1))[0] - found.variance
        part = (found.variance_at(np.zeros(1))[0] - found.variance) / at_null
        assert part == pytest.approx(1.0 - RELIEF * kept, rel=1e-9)


def test_a_margin_is_judged_without_relief() -> None:
    """Near 1 a margin of .05 puts the areas where the one varies far more than the other."""
    found = pair(Area(0.965, 0.0004, 60, 60), Area(0.97, 0.0003, 60, 60), 0.3)
    plain = replace(found, relief=0.0)
    for null in (-0.05, 0.05):
        assert found.judge(null) == plain.judge(null)
    assert found.judge(0.0) != plain.judge(0.0)


def test_sizes_that_differ_are_not_even() -> None:
    found = pair(Area(0.97, 0.002, 15, 15), Area(0.9, 0.0003, 150, 150), 0.0)
    assert found.judge(0.0) == replace(found, relief=0.0).judge(0.0)


def test_no_variance_and_one_area_have_nothing_to_give_back() -> None:
    perfect = Area(1.0, 0.0, 40, 40)
    for found in (pair(perfect, perfect, 0.0), weighted((1.0,), [Area(0.97, 1e-3, 20, 20)], [[1]])):
        for null in (-0.05, 0.0, 0.9):
            assert found.judge(null) == replace(found, relief=0.0).judge(null)


def test_tests_and_limits_agree_where_evenness_is_lost() -> None:
    """Near 1 that happens within .005 of equality, between two of 257 even steps to the bound."""
    rng = np.random.default_rng(15)
    apart = 0
    for _ in range(400):
        size = int(rng.integers(20, 160))
        one, two = (Area(1 - c / size, 0.5 * c / size**2, size, size) for c in rng.exponential(2, 2))
        if min(one.value, two.value) < 0.6:
            continue
        found = replace(pair(one, two, rng.uniform(0, 0.98)), df=np.array(50.0), tailed=np.array(9))
        low, high = found.limits(0.025)
        unlikely = stats.t.sf(abs(found.judge(0.0)[0]), found.judge(0.0)[1]) < 0.025
        apart += unlikely != (low > 0.0 or high < 0.0)
    assert apart == 0


# ------------------------------------------------------------------------------ degrees of freedom


@every_pair
@pytest.mark.parametrize(("df", "tailed"), [(25.0, 25.0), (25.0, 4.0), (math.inf, 6.0)])
def test_tails_count_for_the_samples_own_part_of_the_variance(
    name: str, df: float, tailed: float
) -> None:
    found = replace(pair(*PAIRS[name]), df=np.array(df), tailed=np.array(tailed))
    one, two, correlation = PAIRS[name]
    s = math.sqrt(one.variance), math.sqrt(two.variance)
    variance = s[0] ** 2 + s[1] ** 2 - 2.0 * correlation * s[0] * s[1]
    variance = 0.0 if name == "the same" else variance
    for null in (-0.3, -0.05, 0.0, 0.1):
        part = share_at([one, two], [1.0, -1.0], nulls(one, two, null), variance)
        whole = variance_at(*PAIRS[name], null)
        own = variance / whole if whole > 1e-15 else 1.0
        fewer = min(tailed / own**2, df) if own > 0.0 else df
        rate = (1.0 - part) / df + part / fewer
        expected = 1.0 / rate if rate > 0.0 else math.inf
        got = found.compare(np.array([null]))[1][0]
        assert got == pytest.approx(expected, rel=1e-9)
        assert min(tailed, df) * (1.0 - 1e-12) <= got <= df * (1.0 + 1e-12)


@every_pair
@pytest.mark.parametrize("tail", [0.1, 0.05, 0.025, 0.005])
def test_with_few_degrees_of_freedom_limits_leave_the_tail_beyond(name: str, tail: float) -> None:
    found = replace(pair(*PAIRS[name]), df=np.array(22.0), tailed=np.array(5.0))
    low, high = found.limits(tail)
    for limit, edge, sign in ((low, -1.0, 1.0), (high, 1.0, -1.0)):
        if limit != edge:
            statistic, df = (part[0] for part in found.compare(np.array([limit])))
            assert stats.t.sf(sign * statistic, df) == pytest.approx(tail, rel=1e-7)
    wide, narrow = found.limits(tail / 2.0), pair(*PAIRS[name]).limits(tail)
    assert wide[0] <= low <= narrow[0] + ROOT
    assert narrow[1] - ROOT <= high <= wide[1]


def test_tails_are_those_of_the_variance_of_a_variance() -> None:
    """Var(s^2) = (mu4 - s^4 (n - 3)/(n - 1))/n; that of s^2 chi-square/df is 2 s^4/df."""
    rng = np.random.default_rng(8)
    for values in (rng.normal(size=40), rng.standard_t(3, 25), np.r_[np.zeros(19), 1.0]):
        n, mu4 = values.size, ((values - values.mean()) ** 4).mean()
        square = values.var() ** 2
        df = 2.0 * square / ((mu4 - square * (n - 3.0) / (n - 1.0)) / n)
        assert tailed_df(values) == pytest.approx(min(df, n - 1.0), rel=EXACT)
    assert tailed_df(np.ones(12)) == 11.0
    assert tailed_df(np.tile([0.0, 1.0], 10)) == 19.0  # no more than normal values have


def test_normal_scores_are_as_unlikely() -> None:
    t, df = np.array([-3.0, -0.5, 0.0, 1.0, 2.5]), np.array([3.0, 10.0, 5.0, 2.0, math.inf])
    found = null_variance.normal_score(t, df)
    tail = [stats.t.sf(abs(x), nu) if nu < math.inf else stats.norm.sf(abs(x))
            for x, nu in zip(t, df, strict=True)]  # fmt: skip
    assert stats.norm.sf(np.abs(found)) == pytest.approx(tail, rel=1e-10)
    assert (np.sign(found) == np.sign(t)).all()
    assert found[-1] == pytest.approx(2.5, rel=1e-10)


# --------------------------------------------------------------------------- contrasts in general

AREAS = [Area(0.96, 0.001, 20, 30), Area(0.9, 0.003, 20, 30), Area(0.55, 0.01, 20, 30)]
RELATED = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.3], [0.2, 0.3, 1.0]])


@pytest.mark.parametrize(
    "weights", [(1.0, -0.5, -0.5), (0.25, 0.25, 0.5), (1.0, -1.0, 2.0), (-3.0, 1.0, 0.0)]
)
def test_areas_are_the_nearest_that_obey(weights: tuple[float, ...]) -> None:
    areas = [area._replace(m=m) for area, m in zip(AREAS, (20.0, 8.0, 60.0), strict=True)]
    found = weighted(weights, areas, RELATED)
    values, stiffness = found.areas, found.stiffness
    for null in np.linspace(*found.bounds, 9):
        answer = optimize.minimize(
            lambda a: float(((a - values) ** 2 / stiffness).sum()),
            np.clip(values, 0.01, 0.99),
            jac=lambda a: 2.0 * (a - values) / stiffness,
            bounds=[(0.0, 1.0)] * 3,
            constraints={"type": "eq", "fun": lambda a, at=null: float(a @ weights) - at},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        nearest = found.areas_at(np.array([null]))[0]
        used = np.array(weights) != 0.0
        assert nearest @ np.array(weights) == pytest.approx(null, abs=1e-12)
        assert nearest[used] == pytest.approx(answer.x[used], abs=2e-5)


@pytest.mark.parametrize("weights", [(1.0, -0.5, -0.5), (1.0, 0.0, 0.0), (1.0, -1.0, 1.0)])
def test_a_contrast_is_its_definition(weights: tuple[float, ...]) -> None:
    found = weighted(weights, AREAS, RELATED)
    for null in np.linspace(*found.bounds, 7)[1:-1]:
        areas = found.areas_at(np.array([null]))[0]
        u = [math.sqrt(scale(x) * formula(a, x.m, x.n)) for x, a in zip(AREAS, areas, strict=True)]
        drawn = [math.sqrt(lost(x) / (lost(x) + PRIOR_CORRELATION)) for x in AREAS]
        whole = sum(
            weights[i] * weights[j] * u[i] * u[j]
            * (1.0 if i == j else RELATED[i, j] * drawn[i] * drawn[j])
            for i in range(3) for j in range(3)
        )  # fmt: skip
        variance = float(found.variance)
        part = share_at(*zip(*[x for x in zip(AREAS, weights, areas) if x[1]]), variance)
        expected = variance + part * (max(whole, variance) - variance)
        assert found.variance_at(np.array([null]))[0] == pytest.approx(expected, rel=EXACT)


def test_scaling_the_weights_changes_no_statistic() -> None:
    one = weighted((1.0, -0.5, -0.5), AREAS, RELATED)
    other = weighted((-4.0, 2.0, 2.0), AREAS, RELATED)
    for null in (-0.1, 0.0, 0.3):
        assert other.judge(-4.0 * null)[0] == pytest.approx(-one.judge(null)[0], rel=1e-10)


def test_a_single_area_has_the_lower_limit_of_one() -> None:
    """The upper may be farther off: a contrast has DeLong's variance at the least."""
    area = AREAS[0]
    found = weighted((1.0,), [area], [[1.0]])
    low, high = limits_of(area)
    assert found.limits(0.025)[0] == pytest.approx(low, abs=1e-9)
    assert found.limits(0.025)[1] >= high


def test_many_samples_at_once_are_each_alone() -> None:
    alone = [pair(*values) for values in PAIRS.values()]
    together = NullVariance(
        weights=alone[0].weights,
        **{
            name: np.stack([getattr(one, name) for one in alone])
            for name in (
                *("areas", "variances", "correlation", "variance", "sizes", "stiffness"),
                *("df", "tailed"),
            )
        },
    )
    for null in (-0.05, 0.0, 0.1):
        expected = [one.judge(null)[0] for one in alone]
        assert together.monotone(null)[0] == pytest.approx(expected, rel=EXACT, abs=EXACT)


# --------------------------------------------------------------------- published with the method

# NEAR_ONE 3. Where the constants or the formula change, these change with them.
ONE_AREA = {
    Area(0.97, 0.0008, 15, 15): (0.817323, 0.995198),
    Area(0.03, 0.0008, 15, 15): (1 - 0.995198, 1 - 0.817323),
    Area(1.0, 0.0, 15, 15): (0.864758, 1.0),
    Area(0.8, 0.0012, 80, 80): (0.723015, 0.858921),
    Area(0.93, 0.004, 8, 40): (0.686578, 0.985753),
}
TWO_AREAS = Area(0.963889, 0.00133351, 20, 18), Area(0.916667, 0.00223531, 20, 18)
COVARIANCE, DF = 0.00117676, 25.6101
OF_TWO = {
    "at 0": 1.26571,
    "at -.05": 2.261869,
    "p": 0.217011,
    "p, one-sided": 0.016216,
    "limits": (-0.037255, 0.194651),
}


def limits_of(area: Area, method: str = "score") -> tuple[float, float]:
    s = Situation(
        value=area.value,
        std_error=math.sqrt(area.variance),
        df=20.0,
        n_pos=area.m,
        n_neg=area.n,
        label="AUC",
        bounds=(0.0, 1.0),
        pair_mean=True,
        is_auc=True,
        is_area=True,
    )
    return interval(s, 0.95, method)[:2]


@pytest.mark.parametrize("area", ONE_AREA)
def test_the_interval_of_one_area(area: Area) -> None:
    assert limits_of(area) == pytest.approx(ONE_AREA[area], abs=1.5e-6)


def test_two_areas() -> None:
    one, two = TWO_AREAS
    found = pair(one, two, COVARIANCE / math.sqrt(one.variance * two.variance))
    found = replace(found, df=np.array(DF), tailed=np.array(DF), relief=0.0)  # as specified
    at_0, at_margin = found.judge(0.0)[0], found.judge(-0.05)[0]
    assert at_0 == pytest.approx(OF_TWO["at 0"], abs=2e-5)
    assert 2.0 * stats.t.sf(at_0, DF) == pytest.approx(OF_TWO["p"], abs=5e-6)
    assert at_margin == pytest.approx(OF_TWO["at -.05"], abs=2e-5)
    assert stats.t.sf(at_margin, DF) == pytest.approx(OF_TWO["p, one-sided"], abs=5e-6)
    low, high = found.limits(0.025)
    assert (low, high) == pytest.approx(OF_TWO["limits"], abs=5e-6)


@pytest.mark.parametrize(("size", "z"), [(15, 1.18), (60, 2.41)])
def test_two_perfect_markers_show_what_their_number_can(size: int, z: float) -> None:
    perfect = Area(1.0, 0.0, size, size)
    found = pair(perfect, perfect, 0.0)
    assert found.judge(-0.05)[0] == pytest.approx(z, abs=0.005)
    assert found.judge(0.0)[0] == 0.0


@pytest.mark.parametrize("method", ["score", "score_t"])
@pytest.mark.parametrize("area", ONE_AREA)
def test_limits_of_one_area_solve_their_equation(area: Area, method: str) -> None:
    """(7.8): at the limits the distance is the quantile; with more losses, logit ones in part."""
    q = stats.norm.isf(0.025) if method == "score" else stats.t.isf(0.025, 20.0)
    part = share([area], area.variance)
    low, high = limits_of(area, method)
    if part < 1.0:
        logit = limits_of(area, "logit" if method == "score" else "logit_t")
        low, high = ((x - (1 - part) * y) / part for x, y in zip((low, high), logit, strict=True))
    for limit, edge in ((low, 0.0), (high, 1.0)):
        if area.value == edge:
            assert limit == edge
            continue
        distance = (area.value - limit) ** 2
        assert distance == pytest.approx(
            q * q * scale(area) * formula(limit, area.m, area.n), rel=1e-8
        )
