"""Planning: against pROC, exact pair sums, quadrature, laws, and simulation."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

import rocstats as rs
from rocstats.planning.components import MODELS, bivariate_normal, normal_components
from rocstats.planning.joint_wins import joint_win_sum
from rocstats.planning.pilot import pilot_components
from rocstats.planning.t_power import detectable_effect, power_if_equal
from rocstats.planning.targets import OneArea

QUADRATURE = 1e-8  # what numerical integration is good for here
ROUNDING = 1e-12
OTHER_TAIL = 1e-9  # pROC leaves out that the test may reject on the wrong side
PROC_ROOT = 1.3e-4  # tolerance of R's uniroot, by which pROC finds an area

AUC_S100B = 0.731368563685637  # aSAH, 41 positives and 72 negatives
PROC = {"model": "obuchowski", "n_pos": 41, "n_neg": 72}


# ---------------------------------------------------------------------------- pROC 1.18.0


@pytest.mark.parametrize(
    ("auc", "power"), [(AUC_S100B, 0.990483252763233), (0.73, 0.989745343551401)]
)
def test_power_of_one_area_is_that_of_proc(auc: float, power: float) -> None:
    assert rs.power_auc(auc=auc, **PROC).power == pytest.approx(power, abs=OTHER_TAIL)


def test_significance_and_area_are_those_of_proc() -> None:
    found = rs.power_auc(auc=0.73, find="significance", power=0.95, **PROC)
    assert found.significance == pytest.approx(0.0092385836338984, abs=OTHER_TAIL)
    found = rs.power_auc(find="auc", power=0.95, **PROC)
    assert found.auc == pytest.approx(0.696105439221725, abs=PROC_ROOT)
    assert rs.power_auc(auc=found.auc, **PROC).power == pytest.approx(0.95, abs=ROUNDING)


def real_size(auc: float, ratio: float, power: float, tail: float) -> float:
    """Return the positives at which the power is reached, were there parts of subjects."""
    area = OneArea(auc=auc, model="obuchowski", sd_ratio=1.0)

    def excess(n_pos: float) -> float:
        s0, s1 = (area.std_error(n_pos, ratio * n_pos, null=null) for null in (0.5, None))
        return stats.norm.cdf((auc - 0.5 - stats.norm.isf(tail) * s0) / s1) - power

    return optimize.brentq(excess, 1.0, 1e4, xtol=1e-9)


@pytest.mark.parametrize(
    ("power", "ratio", "n_pos"),
    [(0.95, 1.7, 29.29764472096), (0.9, 72 / 41, 23.5598673953161), (0.9, 1.0, 29.56974223722)],
)
def test_sizes_are_those_of_proc_rounded_up(power: float, ratio: float, n_pos: float) -> None:
    assert real_size(AUC_S100B, ratio, power, 0.025) == pytest.approx(n_pos, abs=1e-7)
    plan = rs.sample_size_auc(auc=AUC_S100B, power=power, ratio=ratio, model="obuchowski")
    assert plan.n_pos == math.ceil(n_pos)
    assert plan.n_neg == math.ceil(ratio * plan.n_pos - ROUNDING)


@pytest.mark.parametrize(
    ("auc", "ratio", "n_pos", "n_neg"),
    [
        *((0.6, 1, 135, 135), (0.7, 1, 33, 33), (0.8, 1, 14, 14)),
        *((0.6, 0.25, 334, 84), (0.7, 0.25, 80, 20)),
    ],
)
def test_table_4_of_obuchowski_2004(auc: float, ratio: float, n_pos: int, n_neg: int) -> None:
    size = real_size(auc, ratio, 0.9, 0.05)
    assert (math.ceil(size), math.ceil(ratio * size)) == (n_pos, n_neg)
    plan = rs.sample_size_auc(
        auc=auc, ratio=ratio, power=0.9, alternative="greater", model="obuchowski"
    )
    # Negatives are rounded up first, which may save a positive where there are more of them.
    assert plan.n_pos == n_pos if ratio == 1 else n_pos - 4 < plan.n_pos <= n_pos
    assert plan.n_neg == n_neg


# ------------------------------------------------------------------------ variance components


@pytest.mark.parametrize("h", [-1.2, 0.0, 0.4, 2.5])
@pytest.mark.parametrize("k", [-0.7, 0.0, 0.4, 3.0])
@pytest.mark.parametrize("r", [-1.0, -0.6, 0.0, 0.3, 0.95, 1.0])
def test_bivariate_normal_is_the_integral(h: float, k: float, r: float) -> None:
    if abs(r) == 1.0:
        expected = (
            stats.norm.cdf(min(h, k)) if r > 0 else max(stats.norm.cdf(h) - stats.norm.sf(k), 0)
        )
    else:
        expected = integrate.quad(
            lambda x: stats.norm.pdf(x) * stats.norm.cdf((k - r * x) / math.sqrt(1 - r * r)),
            *(-12, h),
            epsabs=1e-12,
        )[0]
    assert bivariate_normal(h, k, r) == pytest.approx(expected, abs=QUADRATURE)


@pytest.mark.parametrize(("h", "k"), [(-1e-230, -1e-230), (-1e-230, 1e-230), (1e-230, 1e-230)])
def test_a_tiny_limit_of_the_bivariate_normal_is_as_good_as_zero(h: float, k: float) -> None:
    assert bivariate_normal(h, k, 0.5) == pytest.approx(1 / 3, abs=ROUNDING)


@pytest.mark.parametrize("auc", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("sd_ratio", [0.5, 1.0, 2.0])
def test_normal_components_are_variances_of_conditional_means(auc: float, sd_ratio: float) -> None:
    shift = stats.norm.ppf(auc) * math.hypot(1.0, sd_ratio)

    def second_moment(of: object, at: float, sd: float) -> float:
        return integrate.quad(
            lambda x: of(x) ** 2 * stats.norm.pdf(x, at, sd), at - 12 * sd, at + 12 * sd
        )[0]

    found = MODELS["normal"](auc, sd_ratio)
    xi10 = second_moment(stats.norm.cdf, shift, sd_ratio) - auc**2
    xi01 = second_moment(lambda x: stats.norm.sf(x, shift, sd_ratio), 0.0, 1.0) - auc**2
    assert found.xi10 == pytest.approx(xi10, abs=QUADRATURE)
    assert found.xi01 == pytest.approx(xi01, abs=QUADRATURE)
    assert found.xi10 + found.xi01 + found.sigma2 == pytest.approx(auc * (1 - auc), abs=ROUNDING)


def test_chance_has_the_variance_of_the_wilcoxon_test() -> None:
    for model in ("normal", "hanley-mcneil"):
        found = MODELS[model](0.5, 1.0).variance(7, 12)
        assert found == pytest.approx((7 + 12 + 1) / (12 * 7 * 12), rel=ROUNDING)


@pytest.mark.slow
def test_covariance_components_of_normal_scores_by_simulation() -> None:
    rng = np.random.default_rng(1)
    m, n, auc, sd_ratio, correlation = 15, 25, (0.85, 0.75), (1.0, 1.5), (0.7, 0.3)
    shift = [stats.norm.ppf(a) * math.hypot(1, q) for a, q in zip(auc, sd_ratio, strict=True)]
    values = []
    for _ in range(4000):
        pos, neg = (
            rng.multivariate_normal([0, 0], [[1, r], [r, 1]], size)
            for r, size in zip(correlation, (m, n), strict=True)
        )
        pos = pos * sd_ratio + shift
        values.append((pos[:, np.newaxis] > neg).mean(axis=(0, 1)))
    one, two = np.transpose(values)
    products = (one - auc[0]) * (two - auc[1])
    error = products.std() / math.sqrt(products.size)
    expected = normal_components(auc, sd_ratio, correlation).variance(m, n)
    assert products.mean() == pytest.approx(expected, abs=4 * error)
    assert error < 0.05 * expected


# --------------------------------------------------------------------------------- two areas


@given(
    st.floats(0.55, 0.95),
    st.floats(0.55, 0.95),
    st.floats(-0.5, 0.9),
    st.integers(5, 200),
    st.booleans(),
)
def test_two_areas_may_be_swapped(a: float, b: float, r: float, n: int, paired: bool) -> None:
    how = {"correlation": r} if paired else {"paired": False}
    there = rs.power_auc(auc=a, auc2=b, n_pos=n, **how)
    back = rs.power_auc(auc=b, auc2=a, n_pos=n, **how)
    assert there.power == pytest.approx(back.power, abs=ROUNDING)
    assert there.effect == -back.effect


def test_a_pilot_of_two_markers_may_be_swapped(cancer: rs.ScoredSample) -> None:
    """pROC's answer changes with the order: 0.713 and 0.877 in its own example (issue 122)."""
    powers = []
    for names in (["mean_radius", "mean_texture"], ["mean_texture", "mean_radius"]):
        pilot = rs.compare(pick(cancer, names))
        powers.append(rs.power_auc(pilot=pilot, n_pos=20).power)
    assert powers[0] == pytest.approx(powers[1], abs=ROUNDING)


def test_uncorrelated_scores_are_as_good_as_different_subjects() -> None:
    apart = rs.power_auc(auc=0.9, auc2=0.8, n_pos=40, n_neg=70, paired=False)
    together = rs.power_auc(auc=0.9, auc2=0.8, n_pos=40, n_neg=70, correlation=0.0)
    by_auc = rs.power_auc(auc=0.9, auc2=0.8, n_pos=40, n_neg=70, auc_correlation=0.0)
    assert apart.std_error == pytest.approx(together.std_error, rel=ROUNDING)
    assert apart.std_error == pytest.approx(by_auc.std_error, rel=ROUNDING)
    assert (apart.n_pos2, apart.n_neg2, apart.n_total) == (40, 70, 220)
    assert together.n_total == 110


def test_correlation_of_areas_follows_from_that_of_scores() -> None:
    plan = rs.power_auc(auc=0.9, auc2=0.8, n_pos=40, correlation=0.6)
    one, two = (MODELS["normal"](a, 1.0).variance(40, 40) for a in (0.9, 0.8))
    r = (one + two - plan.std_error**2) / (2 * math.sqrt(one * two))
    same = rs.power_auc(auc=0.9, auc2=0.8, n_pos=40, auc_correlation=r)
    assert same.power == pytest.approx(plan.power, abs=ROUNDING)
    assert same.target._score_correlation(40, 40)[0] == pytest.approx(0.6, abs=1e-9)


# ---------------------------------------------------------------------------------- solving

DESIGNS = (
    {"auc": 0.8, "null_value": 0.7},
    {"auc": 0.6, "null_value": 0.7, "model": "hanley-mcneil", "ratio": 3},
    {"auc": 0.85, "auc2": 0.75, "correlation": 0.5, "prevalence": 0.3},
    {"auc": 0.9, "auc2": 0.8, "paired": False, "group_ratio": 1.5},
    {"auc": 0.84, "auc2": 0.85, "correlation": (0.4, 0.6), "margin": 0.06}
    | {"aim": "non-inferiority"},
    {"auc": 0.95, "auc2": 0.85, "correlation": 0.5, "margin": 0.03, "aim": "superiority"},
    {"auc": 0.85, "auc2": 0.84, "auc_correlation": 0.5, "margin": 0.08, "aim": "equivalence"},
    {"auc": 0.82, "null_value": 0.8, "margin": 0.1, "aim": "non-inferiority", "sd_ratio": 1.4},
)


@pytest.mark.parametrize("design", DESIGNS)
def test_sizes_are_the_least_that_reach_the_power(design: dict) -> None:
    plan = rs.sample_size_auc(power=0.85, **design)
    assert plan.power >= 0.85
    again = rs.power_auc(n_pos=plan.n_pos, **design)
    assert (again.n_neg, again.power) == (plan.n_neg, plan.power)
    assert rs.power_auc(n_pos=plan.n_pos - 1, **design).power < 0.85


@pytest.mark.parametrize("design", DESIGNS)
def test_significance_and_area_go_back(design: dict) -> None:
    plan = rs.power_auc(n_pos=150, **design)
    found = rs.power_auc(n_pos=150, find="significance", power=plan.power, **design)
    assert found.significance == pytest.approx(plan.significance, rel=1e-6)
    if design.get("aim") != "equivalence" and plan.effect > plan.null_value - (plan.margin or 0):
        rest = {name: value for name, value in design.items() if name != "auc"}
        found = rs.power_auc(n_pos=150, find="auc", power=plan.power, **rest)
        assert found.auc == pytest.approx(plan.auc, rel=1e-6)


@settings(max_examples=40)
@given(
    st.floats(0.5, 0.9),
    st.floats(0.02, 0.09),
    st.integers(3, 300),
    st.floats(0.001, 0.3),
    st.sampled_from(sorted(MODELS)),
)
def test_power_rises(null: float, step: float, n: int, level: float, model: str) -> None:
    def power(**changed: float) -> float:
        plan = {"auc": null + step, "n_pos": n, "significance": level} | changed
        return rs.power_auc(null_value=null, alternative="greater", model=model, **plan).power

    here = power()
    if here < 0.5:  # where the test rejects less than half the time, spread helps it
        return
    assert power(n_pos=n + 1) >= here - ROUNDING
    assert power(auc=null + 1.05 * step) >= here - ROUNDING
    assert power(significance=1.1 * level) > here - ROUNDING


def test_half_width_is_reached_and_barely() -> None:
    plan = rs.sample_size_auc(auc=0.8, half_width=0.05, prevalence=0.2)
    assert plan.n_neg == 4 * plan.n_pos
    assert math.isnan(plan.power)
    reach = stats.norm.isf(0.025)
    for n_pos, enough in ((plan.n_pos, True), (plan.n_pos - 1, False)):
        variance = MODELS["normal"](0.8, 1.0).variance(n_pos, 4 * n_pos)
        assert bool(reach * math.sqrt(variance) <= 0.05) is enough
    with pytest.raises(rs.InvalidOptionError, match="no power to simulate"):
        plan.simulate()


def test_a_margin_may_reach_beyond_the_best_area() -> None:
    plan = rs.sample_size_auc(auc=0.95, auc2=0.95, correlation=0.5, margin=0.07, aim="equivalence")
    assert plan.power >= 0.8


def test_one_class_may_be_fixed() -> None:
    plan = rs.sample_size_auc(auc=0.8, null_value=0.7, n_pos=80, power=0.8)
    assert plan.n_pos == 80
    assert (
        plan.power
        >= 0.8
        > rs.power_auc(auc=0.8, null_value=0.7, n_pos=80, n_neg=plan.n_neg - 1).power
    )


# -------------------------------------------------- t tests at a known standard error

STEPS = 1e-4  # a mean over a thousand quantiles of a standard error, against its integral


@pytest.mark.parametrize("df", [5.0, 20.5, 100.0])
@pytest.mark.parametrize("far", [0.5, 1.5, 2.5, 5.0])
def test_power_at_equal_values_is_that_of_the_noncentral_t(df: float, far: float) -> None:
    study = {"std_error": 0.2, "df": df, "margin": 0.2 * far}
    one = power_if_equal(aim="non-inferiority", significance=0.025, **study)
    assert one == pytest.approx(stats.nct.sf(stats.t.isf(0.025, df), df, far), abs=STEPS)
    t = stats.t.isf(0.05, df)

    def both(spread: float) -> float:
        shown = 2.0 * stats.norm.cdf(far - t * spread) - 1.0
        return float(shown * stats.chi2.pdf(df * spread**2, df) * 2.0 * df * spread)

    exact, _ = integrate.quad(both, 0.0, far / t)
    two = power_if_equal(aim="equivalence", significance=0.05, **study)
    assert two == pytest.approx(exact, abs=STEPS)


def test_the_detectable_effect_is_found_with_its_power() -> None:
    for df in (20.5, 100.0, 500.0):
        far = detectable_effect(0.2, df, confidence_level=0.95, power=0.8) / 0.2
        power = stats.nct.sf(stats.t.isf(0.025, df), df, far)
        assert power == pytest.approx(0.8, abs=2e-2 / df)  # t for the noncentral t


def test_no_standard_error_and_superiority_at_equal_values_have_no_power() -> None:
    level = {"margin": 0.1, "significance": 0.025}
    assert math.isnan(detectable_effect(0.0, 20.0, confidence_level=0.95, power=0.8))
    assert power_if_equal(0.0, 20.0, aim="equivalence", **level) is None
    assert power_if_equal(0.1, 20.0, aim="superiority", **level) is None


# ------------------------------------------------------------------------------------ pilots


@pytest.fixture
def cancer() -> rs.ScoredSample:
    return rs.datasets.load_breast_cancer()


def pick(sample: rs.ScoredSample, names: list[str], rows: object = slice(None)) -> rs.ScoredSample:
    scores = {name: sample.scores[sample.marker(name)][rows] for name in names}
    return rs.ScoredSample.from_arrays(sample.positive[rows], scores)


@pytest.mark.parametrize("measure", ["auc", "sauc"])
def test_pilot_at_its_own_sizes_has_the_unbiased_variance(
    measure: str, cancer: rs.ScoredSample
) -> None:
    pilot = getattr(rs, measure)(cancer, marker="mean_texture")
    plan = rs.power_auc(pilot=pilot, null_value=0.5, n_pos=pilot.n_pos, n_neg=pilot.n_neg)
    assert plan.std_error**2 == pytest.approx(pilot.variance(method="unbiased"), rel=1e-10)
    assert plan.effect == pilot.value
    assert rs.power_auc(pilot=pilot, null_value=0.5, n_pos=pilot.n_pos).n_neg == pilot.n_neg


def test_difference_of_a_pilot_has_the_unbiased_variance_by_pairs() -> None:
    rng = np.random.default_rng(3)
    positive = np.arange(20) < 8
    scores = np.round(rng.normal(size=(2, 20)) + 1.2 * positive, 1)  # with ties
    wins = [
        (s[positive, np.newaxis] > s[~positive]) + 0.5 * (s[positive, np.newaxis] == s[~positive])
        for s in scores
    ]
    assert joint_win_sum(*scores, positive) == pytest.approx(float((wins[0] * wins[1]).sum()))
    h = wins[0] - wins[1]
    apart = [
        h[i, j] * h[k, o]
        for (i, j), (k, o) in product(np.ndindex(h.shape), repeat=2)
        if i != k and j != o
    ]
    pilot = rs.compare(positive, dict(zip("ab", scores, strict=True)), pos_label=True)
    value, parts = pilot_components(pilot.rows, pilot.rows[0].measure)
    assert value == pytest.approx(h.mean())
    assert parts.variance(8, 12) == pytest.approx(h.mean() ** 2 - np.mean(apart), rel=1e-9)


def test_pilot_of_a_partial_area_scales_its_influence(cancer: rs.ScoredSample) -> None:
    pilot = rs.partial_auc(cancer, marker="mean_radius", fpr=(0, 0.2))
    plan = rs.power_auc(pilot=pilot, null_value=0.15, n_pos=4 * pilot.n_pos, n_neg=4 * pilot.n_neg)
    assert plan.std_error == pytest.approx(pilot.std_error / 2, rel=1e-10)
    with pytest.raises(rs.InvalidOptionError, match="null_value"):
        rs.power_auc(pilot=pilot, n_pos=100)


def test_pilot_of_smauc_is_weighted_to_the_planned_sizes() -> None:
    """Repeating every negative is the pilot with twice the negatives, up to divisors."""
    rng = np.random.default_rng(4)
    pos, neg = rng.beta(3, 2, 60), rng.beta(2, 3, 60)
    y, s = np.repeat([1, 0], 60), np.concatenate([pos, neg])
    plan = rs.power_auc(pilot=rs.smauc(y, s), null_value=0.4, n_pos=60, n_neg=120)
    twice = rs.smauc(np.repeat([1, 0], [60, 120]), np.concatenate([pos, neg, neg]))
    assert plan.effect == pytest.approx(twice.value, rel=1e-10)
    spread = twice.spread_pos**2 / 60 + twice.spread_neg**2 / 120 * (119 / 120) / (59 / 60)
    assert plan.std_error == pytest.approx(math.sqrt(spread), rel=1e-10)
    plain = rs.smauc(y, s)
    assert abs(plan.effect - plain.value) > 1e-3
    with pytest.raises(rs.InvalidOptionError, match="midpoint"):
        rs.power_auc(pilot=rs.smauc(y, s, midpoint="paper"), null_value=0.4, n_pos=60)


def test_pilot_may_be_planned_for_another_effect(cancer: rs.ScoredSample) -> None:
    pilot = rs.compare(pick(cancer, ["mean_radius", "worst_area"]))
    plan = rs.sample_size_auc(pilot=pilot, effect=0.05, power=0.8)
    assert plan.effect == 0.05
    found = rs.power_auc(pilot=pilot, n_pos=plan.n_pos, find="auc", power=plan.power)
    assert found.effect == pytest.approx(0.05, rel=1e-6)
    with pytest.raises(rs.InvalidOptionError, match="leave effect= out"):
        plan.simulate(n_replicates=1)


# -------------------------------------------------------------------------------- simulation

SIMULATED = (
    {"auc": 0.8, "null_value": 0.7, "n_pos": 80},
    {"auc": 0.9, "auc2": 0.8, "correlation": (0.6, 0.4), "n_pos": 60, "n_neg": 90},
    {"auc": 0.9, "auc2": 0.8, "auc_correlation": 0.4, "n_pos": 60},
    {"auc": 0.9, "auc2": 0.8, "paired": False, "n_pos": 100, "group_ratio": 0.8},
    {"auc": 0.85, "auc2": 0.85, "correlation": 0.5, "n_pos": 100, "margin": 0.07}
    | {"aim": "non-inferiority"},
    {"auc": 0.85, "auc2": 0.85, "correlation": 0.5, "n_pos": 130, "margin": 0.07}
    | {"aim": "equivalence"},
)
APPROXIMATION = 0.03  # areas are not quite normal at these sizes (docs/evidence/planning.md)


@pytest.mark.slow
@pytest.mark.parametrize("design", SIMULATED)
def test_planned_power_is_the_simulated_one(design: dict) -> None:
    plan = rs.power_auc(**design)
    found = plan.simulate(n_replicates=600, rng=11)
    assert found.planned_power == plan.power
    for power in (found.power, found.known_power):
        assert power == pytest.approx(plan.power, abs=APPROXIMATION + 3 * found.std_error)


def test_simulation_repeats_and_counts() -> None:
    plan = rs.power_auc(auc=0.8, n_pos=15)
    first, second = (plan.simulate(n_replicates=40, rng=5) for _ in range(2))
    assert first == second
    assert first.power * 40 == round(first.power * 40)
    assert first.std_error == pytest.approx(math.sqrt(first.power * (1 - first.power) / 40))
    assert "40 replicates" in repr(first)


def test_a_pilot_is_simulated_from_its_own_subjects(cancer: rs.ScoredSample) -> None:
    rng = np.random.default_rng(0)
    rows = rng.permutation(cancer.positive.size)[:120]
    sample = pick(cancer, ["mean_texture"], rows)
    plan = rs.power_auc(pilot=rs.auc(sample), null_value=0.5, n_pos=15, n_neg=15)
    found = plan.simulate(n_replicates=400, rng=1)
    rng, truth = np.random.default_rng(1), np.repeat([1, 0], 15)
    pos, neg = sample.scores[0][sample.positive], sample.scores[0][~sample.positive]
    drawn = [
        rs.auc(truth, np.concatenate([rng.choice(pos, 15), rng.choice(neg, 15)]))
        for _ in range(400)
    ]
    limits = [one.confidence_interval() for one in drawn]
    assert found.power == np.mean([at.low > 0.5 or at.high < 0.5 for at in limits])
    far = stats.norm.isf(0.025) * plan.std_error
    assert found.known_power == np.mean([abs(one.value - 0.5) > far for one in drawn])
    error = math.sqrt(plan.power * (1 - plan.power) / 400)  # 0.015, of 400 studies
    assert found.known_power == pytest.approx(plan.power, abs=APPROXIMATION + 3 * error)


# ----------------------------------------------------------------------- results and refusals


def test_a_plan_can_be_pasted_into_a_protocol() -> None:
    plan = rs.sample_size_auc(auc=0.8, null_value=0.7, power=0.9, ratio=2)
    assert repr(plan) == (
        "With 93 positives and 186 negatives, a two-sided test at level 0.05 has power 0.901 to "
        "show that an AUC of 0.8 differs from 0.7 (one AUC, exact variance of normal scores; "
        "standard error 0.0276, under the null value 0.0329)."
    )
    row = plan.to_dict()
    assert row["n_total"] == 279
    assert row["sentence"] == plan.sentence
    assert {type(value) for value in row.values()} <= {int, float, str, type(None)}
    assert plan.to_frame().loc[0, "n_pos"] == 93
    assert "<td>93</td>" in plan._repr_html_()


PAIR = {"auc2": 0.8, "correlation": 0.5, "margin": 0.05}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"auc": 0.7, "null_value": 0.7}, "other than 0.7"),
        ({"auc": 0.6, "null_value": 0.7, "alternative": "greater"}, "above 0.7"),
        ({"auc": 1.0}, "auc must lie strictly between 0 and 1, got 1.0"),
        (PAIR | {"auc": 0.7, "aim": "non-inferiority"}, "non-inferiority needs it above -0.05"),
        (PAIR | {"auc": 0.9, "aim": "equivalence"}, "above -0.05 and below 0.05"),
        ({"auc": 0.8, "null_value": 0.7, "n_neg": 5}, "No sample size with the other class"),
        ({"auc": 0.8, "auc2": 0.7}, "need correlation="),
        ({"auc": 0.8, "auc2": 0.7, "correlation": 0.5, "model": "obuchowski"}, "auc_correlation="),
        ({"auc": 0.8, "auc2": 0.7, "correlation": 0.5, "paired": False}, "no correlation"),
        ({"auc": 0.8, "correlation": 0.5}, "Give auc2="),
        ({"auc": 0.8, "margin": 0.1}, "margin= and aim= together"),
        ({"auc": 0.8, "null_value": 0.95, "margin": 0.1, "aim": "superiority"}, "1.05"),
        ({"auc": 0.8, "ratio": 2, "prevalence": 0.2}, "one of ratio=, prevalence="),
        ({"auc": 0.8, "power": 0.03}, "above the significance"),
        ({"auc": 0.8, "significance": 1.5}, "significance must lie"),
        ({"auc": 0.8, "model": "binormal"}, "model must be one of"),
        ({"auc": 0.8, "sd_ratio": -1.0}, "sd_ratio must be"),
        ({"auc": 0.8, "sd_ratio": 2.0, "model": "hanley-mcneil"}, 'sd_ratio is for model="normal"'),
        ({"auc": 0.8, "half_width": 0.1, "power": 0.8}, "without a test"),
        ({"auc": 0.8, "half_width": 0.1, "aim": "non-inferiority"}, "without a test"),
        ({"auc": 0.8, "half_width": 0.1, "alternative": "greater"}, "without a test"),
        ({"auc": 0.8, "prevalence": 1e-320}, "prevalence must be at least 1e-12"),
        ({"auc": 0.8, "ratio": 1e300}, "ratio must be at most 1e.12"),
        (
            {"auc": 0.8, "auc2": 0.7, "paired": False, "group_ratio": 1e300},
            "group_ratio must be at most 1e.12",
        ),
        ({}, "Give auc="),
        ({"pilot": 0.8}, "pilot must be an Estimate"),
        ({"auc": 0.8, "effect": 0.1}, "effect= is for a pilot"),
    ],
)
def test_impossible_plans_are_refused(options: dict, why: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=why):
        rs.sample_size_auc(**options)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"auc": 0.8, "power": 0.9}, "power is what is found"),
        ({"auc": 0.8, "find": "auc", "power": 0.9}, "leave auc="),
        ({"null_value": 0.98, "find": "auc", "power": 0.9}, "No value there can be"),
        ({"auc": 0.8, "find": "significance", "power": 0.9, "significance": 0.1}, "leave signif"),
        ({"auc": 0.8, "find": "significance"}, "power must lie"),
        ({"auc": 0.8, "n_pos": 2.5}, "n_pos must be a whole number"),
        ({"auc": 0.8, "n_pos": 10**200, "n_neg": 10**200}, "n_pos must be at most 1e.12"),
    ],
)
def test_impossible_searches_are_refused(options: dict, why: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=why):
        rs.power_auc(**{"n_pos": 20} | options)


@pytest.mark.parametrize("effect", [-0.2, 2.0])
def test_a_pilot_refuses_an_effect_that_cannot_be(effect: float) -> None:
    pilot = rs.auc([0, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    with pytest.raises(rs.InvalidOptionError, match="effect must be a value that is possible"):
        rs.sample_size_auc(pilot=pilot, effect=effect)


def test_a_simulation_takes_any_whole_number() -> None:
    plan = rs.power_auc(auc=0.8, n_pos=20)
    assert (
        plan.simulate(n_replicates=np.int64(2), rng=1).to_dict()
        == plan.simulate(n_replicates=2, rng=1).to_dict()
    )


@pytest.mark.parametrize("rng", [-1, "seed"])
def test_a_simulation_refuses_what_is_no_seed(rng: object) -> None:
    plan = rs.power_auc(auc=0.8, n_pos=20)
    with pytest.raises(rs.InvalidOptionError, match="rng must be a seed"):
        plan.simulate(n_replicates=2, rng=rng)


def test_pilots_that_cannot_be_planned_from_are_refused() -> None:
    y, s = [1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1]
    clustered = rs.ScoredSample.from_arrays(y, s, cluster=[1, 1, 2, 3, 3, 4])
    with pytest.raises(rs.InvalidOptionError, match="clusters"):
        rs.power_auc(pilot=rs.auc(clustered), n_pos=10)
    with pytest.raises(rs.InvalidOptionError, match="no standard error"):
        rs.power_auc(pilot=rs.auc(y, y), n_pos=10)
    with pytest.raises(rs.InvalidOptionError, match="auc= cannot be given"):
        rs.power_auc(pilot=rs.auc(y, s), auc=0.8, n_pos=10)
