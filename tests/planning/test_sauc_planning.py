"""Planning of the sAUC: closed forms against integrals and simulation, laws, and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

import rocstats as rs
from rocstats.planning.components import normal_components
from rocstats.planning.normal_sauc import mean_difference_for, sauc_components
from rocstats.planning.pilot import pilot_components

INTEGRAL = 1e-12  # what Gauss-Legendre of 400 nodes is good for on smooth normal integrands
ROUNDING = 1e-12
NODES, WEIGHTS = np.polynomial.legendre.leggauss(400)
WIDE = 12.0  # standard deviations that are integrated over

SETTINGS = [
    (1.0, 1.0, 1.0),
    (1.0, 1.2, 1.0),
    (0.0, 1.0, 2.0),
    (2.0, 0.5, 1.0),
    (-1.0, 1.0, 0.7),
    (5.0, 1.0, 1.0),
]


@pytest.fixture(scope="module")
def cancer() -> rs.ScoredSample:
    sample = rs.datasets.load_breast_cancer()
    columns = {name: sample.scores[sample.marker(name)] for name in sample.markers[:2]}
    return rs.ScoredSample.from_arrays(sample.positive, columns)


def density(z: np.ndarray) -> np.ndarray:
    return np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def expectation(of: object, low: float = -WIDE, high: float = WIDE) -> float:
    """Return E of a function of a standard normal variable, which is 0 outside the limits."""
    half = (high - low) / 2
    z = low + half * (NODES + 1)
    return float((half * WEIGHTS * density(z) * of(z)).sum())


def mean_margin(mean: np.ndarray, sd: float) -> np.ndarray:
    """Return E (mean + sd Z)_+ ."""
    return mean * ndtr(mean / sd) + sd * density(mean / sd)


def test_the_margin_in_one_dimension_is_the_integral() -> None:
    for mean, sd in ((0.3, 1.4), (-1.0, 0.6)):
        by_integral = expectation(lambda z, m=mean, s=sd: m + s * z, low=-mean / sd)
        assert mean_margin(mean, sd) == pytest.approx(by_integral, abs=INTEGRAL)


@pytest.mark.parametrize(("shift", "sd_pos", "sd_neg"), SETTINGS)
def test_value_and_components_are_integrals(shift: float, sd_pos: float, sd_neg: float) -> None:
    found = rs.binormal_sauc(shift, sd_pos=sd_pos, sd_neg=sd_neg)
    spread = math.hypot(sd_pos, sd_neg)
    value = expectation(lambda z: mean_margin(shift + sd_pos * z, sd_neg))
    assert found.value == float(found) == pytest.approx(value, abs=INTEGRAL)

    def spread_of(of: object) -> float:
        return expectation(lambda z: (of(z) - value) ** 2)

    xi10 = spread_of(lambda z: mean_margin(shift + sd_pos * z, sd_neg))
    xi01 = spread_of(lambda z: mean_margin(shift - sd_neg * z, sd_pos))
    kink = -shift / spread
    xi11 = expectation(lambda z: (shift + spread * z - value) ** 2, low=kink)
    xi11 += value**2 * ndtr(kink)
    assert found.xi10 == pytest.approx(xi10, abs=INTEGRAL)
    assert found.xi01 == pytest.approx(xi01, abs=INTEGRAL)
    assert found.xi10 + found.xi01 + found.sigma2 == pytest.approx(xi11, abs=10 * INTEGRAL)
    assert found.no_difference == pytest.approx(mean_margin(0.0, spread), abs=ROUNDING)
    assert found.auc == pytest.approx(ndtr(shift / spread), abs=ROUNDING)


@pytest.mark.parametrize("correlation", [(0.0, 0.0), (0.6, 0.3), (-0.5, 0.9), (0.999, -0.999)])
def test_components_of_two_markers_are_integrals(correlation: tuple[float, float]) -> None:
    shift, sd_pos, sd_neg = (1.0, 0.4), (1.2, 0.8), (1.0, 1.5)
    found = sauc_components(shift, sd_pos, sd_neg, correlation)
    value = [
        mean_margin(m, math.hypot(a, b)) for m, a, b in zip(shift, sd_pos, sd_neg, strict=True)
    ]

    def covariance(sds: tuple[float, float], others: tuple[float, float], r: float) -> float:
        """Return it by an integral over the second score given the first, in two dimensions."""
        z = WIDE * NODES
        second = r * z[:, None] + math.sqrt(1 - r * r) * z
        one = mean_margin(shift[0] + sds[0] * z, others[0]) - value[0]
        two = mean_margin(shift[1] + sds[1] * second, others[1]) - value[1]
        weight = WIDE * WEIGHTS * density(z)
        return float(weight @ (one[:, None] * two) @ weight)

    xi10 = covariance(sd_pos, sd_neg, correlation[0])
    xi01 = covariance(sd_neg, sd_pos, correlation[1])
    assert found.xi10 == pytest.approx(xi10, abs=INTEGRAL)
    assert found.xi01 == pytest.approx(xi01, abs=INTEGRAL)


def test_the_interaction_of_two_markers_is_the_integral() -> None:
    shift, sd_pos, sd_neg, correlation = (1.0, 0.4), (1.2, 0.8), (1.0, 1.5), (0.6, 0.3)
    found = sauc_components(shift, sd_pos, sd_neg, correlation)
    spread = [math.hypot(a, b) for a, b in zip(sd_pos, sd_neg, strict=True)]
    r = (0.6 * 1.2 * 0.8 + 0.3 * 1.0 * 1.5) / (spread[0] * spread[1])
    root = math.sqrt(1 - r * r)
    both = expectation(
        lambda z: (
            (shift[0] + spread[0] * z) * mean_margin(shift[1] + spread[1] * r * z, spread[1] * root)
        ),
        low=-shift[0] / spread[0],
    )
    value = [mean_margin(m, s) for m, s in zip(shift, spread, strict=True)]
    xi11 = found.xi10 + found.xi01 + found.sigma2
    assert xi11 == pytest.approx(both - value[0] * value[1], abs=INTEGRAL)


def test_a_score_and_itself_have_the_covariance_that_is_its_variance() -> None:
    near, same = (sauc_components((1, 1), (1, 1), (1, 1), (r, r)) for r in (1 - 1e-13, 1.0))
    assert near.xi10 == pytest.approx(same.xi10, rel=1e-6)
    assert near.sigma2 == pytest.approx(same.sigma2, rel=1e-4)
    mirrored = sauc_components((1, 0.5), (1, 1), (1, 1), (-1 + 1e-13, -1 + 1e-13))
    exact = sauc_components((1, 0.5), (1, 1), (1, 1), (-1, -1))
    assert mirrored.sigma2 == pytest.approx(exact.sigma2, abs=1e-5)


def test_far_apart_the_sauc_is_the_difference_of_means() -> None:
    for shift in (30.0, 1e3, 1e9):
        found = rs.binormal_sauc(shift, sd_pos=1.5, sd_neg=0.5)
        assert found.value == pytest.approx(shift, rel=ROUNDING)
        assert (found.xi10, found.xi01) == pytest.approx((2.25, 0.25), rel=1e-9)
        assert found.sigma2 == pytest.approx(0.0, abs=1e-8)
        assert found.best_ratio == pytest.approx(1 / 3, rel=1e-9)


def test_without_spread_the_value_stays_and_the_standard_error_is_not_known() -> None:
    for shift, value, auc in ((2.0, 2.0, 1.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 0.5)):
        found = rs.binormal_sauc(shift, sd_pos=0, sd_neg=0)
        assert (found.value, found.auc) == (value, auc)
        assert math.isnan(found.std_error(10, 10))
        assert math.isnan(found.best_ratio)
    one_sided = rs.binormal_sauc(1.0, sd_pos=0, sd_neg=1)
    assert (one_sided.xi10, one_sided.sigma2) == pytest.approx((0.0, 0.0), abs=ROUNDING)


@given(st.floats(-5, 20), st.floats(0.1, 10))
def test_means_go_back_from_the_sauc(shift: float, spread: float) -> None:
    value = float(mean_margin(shift, spread))
    back = mean_difference_for(value, spread)
    assert mean_margin(back, spread) == pytest.approx(value, rel=1e-9)


@given(st.floats(-2, 3), st.floats(0.2, 3), st.floats(0.2, 3), st.floats(0.1, 10))
def test_the_unit_of_the_scores_does_not_matter(
    shift: float, sd_pos: float, sd_neg: float, unit: float
) -> None:
    here = rs.binormal_sauc(shift, sd_pos=sd_pos, sd_neg=sd_neg)
    there = rs.binormal_sauc(unit * shift, sd_pos=unit * sd_pos, sd_neg=unit * sd_neg)
    assert there.value == pytest.approx(unit * here.value, rel=1e-9)
    assert there.std_error(20, 30) == pytest.approx(unit * here.std_error(20, 30), rel=1e-6)
    assert here.sigma2 > -1e-9
    turned = rs.binormal_sauc(shift, sd_pos=sd_neg, sd_neg=sd_pos)  # both classes, mirrored
    assert turned.xi10 == pytest.approx(here.xi01, abs=1e-9)


def test_planned_standard_errors_are_those_of_the_specification() -> None:
    found = rs.binormal_sauc(1.0, sd_pos=1.2)
    planned = [round(found.std_error(*size), 4) for size in ((20, 20), (50, 50), (30, 150))]
    assert planned == [0.2655, 0.1677, 0.1780]


@pytest.mark.parametrize("size", [(8, 8), (5, 20)])
def test_standard_errors_by_simulation(size: tuple[int, int]) -> None:
    """Of 40,000 samples, within 4 Monte-Carlo errors of a standard deviation."""
    n_samples = 40_000
    rng = np.random.default_rng(5)
    pos = 1.0 + 1.2 * rng.standard_normal((n_samples, size[0]))
    neg = rng.standard_normal((n_samples, size[1]))
    values = np.maximum(pos[:, :, None] - neg[:, None, :], 0.0).mean(axis=(1, 2))
    found = rs.binormal_sauc(1.0, sd_pos=1.2)
    exact = found.std_error(*size)
    assert values.mean() == pytest.approx(found.value, abs=4 * exact / math.sqrt(n_samples))
    kurtosis = ((values - values.mean()) ** 4).mean() / values.var() ** 2
    error = exact * math.sqrt((kurtosis - 1) / (4 * n_samples))
    assert values.std() == pytest.approx(exact, abs=4 * error)
    assert error < 0.005 * exact


def test_covariance_of_two_markers_by_simulation() -> None:
    n_samples, m, n, r = 40_000, 6, 9, (0.7, 0.3)
    rng = np.random.default_rng(6)
    first, second = rng.standard_normal((2, n_samples, m + n))
    share = np.repeat(r, (m, n))
    second = share * first + np.sqrt(1 - share**2) * second
    values = []
    for score, shift, sd in ((first, 1.0, 1.2), (second, 0.5, 0.8)):
        pos, neg = shift + sd * score[:, :m], score[:, m:]
        values.append(np.maximum(pos[:, :, None] - neg[:, None, :], 0.0).mean(axis=(1, 2)))
    one, two = (value - value.mean() for value in values)
    products = one * two
    expected = sauc_components((1.0, 0.5), (1.2, 0.8), (1.0, 1.0), r).variance(m, n)
    assert products.mean() == pytest.approx(expected, abs=4 * products.std() / math.sqrt(n_samples))


def test_a_large_pilot_of_normal_scores_has_the_same_components() -> None:
    """Within 4 standard errors, as a variance of 20,000 values has them."""
    rng = np.random.default_rng(7)
    y = np.repeat([1, 0], 20_000)
    score = rng.standard_normal(40_000) * np.repeat([1.2, 1.0], 20_000) + y
    _, found = pilot_components((rs.sauc(y, score),), rs.scored_auc())
    exact = rs.binormal_sauc(1.0, sd_pos=1.2)
    for name in ("xi10", "xi01"):
        assert getattr(found, name) == pytest.approx(
            getattr(exact, name), rel=4 * math.sqrt(3 / 20_000)
        )


# ------------------------------------------------------------------------------------- solving

DESIGNS = (
    {"mean_difference": 0.8},
    {"mean_difference": 0.8, "null_value": 0.9, "sd_pos": 1.5, "ratio": 2},
    {"mean_difference": 1.2, "mean_difference2": 0.8, "correlation": 0.5},
    {"mean_difference": 1.2, "mean_difference2": 0.8, "correlation": (0.4, 0.6)}
    | {"sd_pos": (1.0, 1.3), "margin": 0.3, "aim": "non-inferiority"},
    {"mean_difference": 1.0, "mean_difference2": 1.0, "correlation": 0.5, "margin": 0.4}
    | {"aim": "equivalence"},
)


@pytest.mark.parametrize("design", DESIGNS)
def test_sizes_are_the_least_that_reach_the_power(design: dict) -> None:
    plan = rs.sample_size_sauc(power=0.85, **design)
    assert plan.power >= 0.85
    again = rs.power_sauc(n_pos=plan.n_pos, **design)
    assert (again.n_neg, again.power) == (plan.n_neg, plan.power)
    assert rs.power_sauc(n_pos=plan.n_pos - 1, **design).power < 0.85


@pytest.mark.parametrize("design", DESIGNS)
def test_significance_and_value_go_back(design: dict) -> None:
    plan = rs.power_sauc(n_pos=60, **design)
    found = rs.power_sauc(n_pos=60, find="significance", power=plan.power, **design)
    assert found.significance == pytest.approx(plan.significance, rel=1e-6)
    if design.get("aim") != "equivalence":
        rest = {name: value for name, value in design.items() if name != "mean_difference"}
        found = rs.power_sauc(n_pos=60, find="sauc", power=plan.power, **rest)
        assert found.effect == pytest.approx(plan.effect, rel=1e-6)


def test_sizes_for_a_half_width_and_for_one_class_fixed() -> None:
    plan = rs.sample_size_sauc(0.8, half_width=0.2, significance=0.1)
    shorter = rs.binormal_sauc(0.8).std_error(plan.n_pos - 1, plan.n_neg - 1)
    assert plan.half_width <= 0.2 < 1.6448536269514722 * shorter
    assert math.isnan(plan.power)
    fixed = rs.sample_size_sauc(0.8, power=0.9, n_neg=200)
    assert (fixed.n_neg, fixed.n_pos < rs.sample_size_sauc(0.8, power=0.9).n_pos) == (200, True)


def test_the_default_null_value_is_the_sauc_of_equal_means() -> None:
    plan = rs.power_sauc(0.8, sd_pos=2.0, n_pos=30)
    assert plan.null_value == pytest.approx(math.sqrt(5 / (2 * math.pi)), rel=ROUNDING)
    null = rs.power_sauc(0.0, sd_pos=2.0, n_pos=30)
    assert null.power == pytest.approx(0.05, abs=1e-9)
    assert plan.std_error_null == pytest.approx(null.std_error, rel=1e-9)


def test_far_apart_sauc_and_means_are_planned_alike() -> None:
    """There the sAUC is the difference of means, whose z test has a power one can write down."""
    plan = rs.power_sauc(41.0, null_value=40.0, n_pos=20, n_neg=30)
    error = math.sqrt(1 / 20 + 1 / 30)
    z = 1.959963984540054
    power = ndtr((1 - z * error) / error) + ndtr((-1 - z * error) / error)
    assert plan.power == pytest.approx(power, abs=1e-9)


def test_the_sauc_and_the_auc_see_the_same_normal_scores() -> None:
    """At no difference both variances are those of a linear statistic of the scores, nearly."""
    ramp = rs.binormal_sauc(0.0)
    step = normal_components((0.5, 0.5))
    assert ramp.xi10 == pytest.approx(ramp.xi01)
    assert step.xi10 == pytest.approx(1 / 12)
    shift = 0.2
    by_ramp = rs.power_sauc(shift, n_pos=400).power
    by_step = rs.power_auc(rs.binormal_sauc(shift).auc, n_pos=400).power
    assert by_ramp == pytest.approx(by_step, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS[:3])
def test_planned_power_by_simulation(design: dict) -> None:
    """Within 4 Monte-Carlo errors where the standard error is known, 0.04 more where estimated."""
    plan = rs.sample_size_sauc(power=0.8, **design)
    found = plan.simulate(n_replicates=1500, rng=3)
    assert found.known_power == pytest.approx(plan.power, abs=4 * found.std_error + 0.01)
    assert found.power == pytest.approx(plan.power, abs=4 * found.std_error + 0.04)


def test_a_pilot_gives_value_and_variance(cancer: rs.ScoredSample) -> None:
    pilot = rs.sauc(cancer, marker="mean_radius")
    plan = rs.power_sauc(pilot=pilot, null_value=4.0, n_pos=30)
    same = rs.power_auc(pilot=pilot, null_value=4.0, n_pos=30)
    assert (plan.effect, plan.power, plan.model) == (same.effect, same.power, "pilot")
    assert plan.n_neg == math.ceil(30 * cancer.n_neg / cancer.n_pos)
    larger = rs.sample_size_sauc(pilot=pilot, null_value=4.0, effect=4.5)
    assert larger.effect == 4.5
    comparison = rs.compare(cancer, measure="sauc")
    assert rs.power_sauc(pilot=comparison, n_pos=20).null_value == 0.0


@settings(max_examples=40)
@given(st.floats(0.1, 2), st.floats(0.3, 3), st.integers(5, 200))
def test_power_rises_with_subjects_and_distance(shift: float, sd: float, n: int) -> None:
    def power(mean: float, size: int) -> float:
        return rs.power_sauc(mean, sd_pos=sd, n_pos=size, alternative="greater").power

    here = power(shift, n)
    if here >= 0.5:  # where the test rejects less than half the time, spread helps it
        assert power(shift, n + 1) >= here - ROUNDING
        assert power(1.05 * shift, n) >= here - ROUNDING


def test_a_plan_states_draws_and_simulates_itself() -> None:
    plan = rs.power_sauc(0.8, n_pos=12)
    assert "one sAUC, exact variance of normal scores with mean difference 0.8" in str(plan)
    assert plan.to_dict()["auc"] is None
    assert plan.plot().get_ylabel() == "Power"
    assert plan.simulate(n_replicates=20, rng=1).n_replicates == 20
    pair = rs.power_sauc(1.0, mean_difference2=0.8, correlation=0.5, n_pos=12)
    assert "less 1.052 on the same subjects" in str(pair)
    assert pair.simulate(n_replicates=10, rng=1) == pair.simulate(n_replicates=10, rng=1)


# ------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Give mean_difference="),
        ({"mean_difference": math.inf}, "mean_difference must be a finite number, got inf"),
        ({"mean_difference": "much"}, "mean_difference must be a finite number, got 'much'"),
        ({"mean_difference": 1, "sd_pos": 0}, "sd_pos must be one number or two, strictly"),
        ({"mean_difference": 1, "sd_neg": (1, 2)}, "One marker has one sd_pos and one sd_neg"),
        ({"mean_difference": 1, "correlation": 0.5}, "Give mean_difference2="),
        ({"mean_difference": 1, "mean_difference2": 1}, "need correlation="),
        (
            {"mean_difference": 1, "mean_difference2": math.nan, "correlation": 0.5},
            "mean_difference2 must be a finite number",
        ),
        (
            {"mean_difference": 1, "mean_difference2": 1, "correlation": 1.0},
            "correlation must be one number or two, strictly between -1 and 1",
        ),
        ({"mean_difference": 1, "effect": 1.0}, "effect= is for a pilot"),
        ({"mean_difference": 1, "null_value": 0.0}, "null_value must be a value that is possible"),
        ({"mean_difference": 1, "power": 0.8}, "use rs.sample_size_sauc"),
        ({"mean_difference": 1, "find": "auc"}, "find must be one of 'power', 'sauc'"),
        ({"mean_difference": 1, "find": "sauc", "power": 0.8}, "leave mean_difference= and"),
        ({"mean_difference": 1, "n_neg": 2.5}, "n_neg must be a whole number"),
        ({"pilot": 3}, "pilot must be an Estimate"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict, words: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=words.replace("(", r"\(")):
        rs.power_sauc(**{"n_pos": 20} | options)


def test_sizes_that_cannot_be_found_are_refused() -> None:
    with pytest.raises(rs.InvalidOptionError, match="Both sizes are given; use"):
        rs.sample_size_sauc(1.0, n_pos=10, n_neg=10)
    with pytest.raises(rs.InvalidOptionError, match="No sample size can show this"):
        rs.sample_size_sauc(0.0)
    with pytest.raises(rs.InvalidOptionError, match="with the other class as it is"):
        rs.sample_size_sauc(0.3, n_pos=3)
    with pytest.raises(rs.InvalidOptionError, match="planned without a test"):
        rs.sample_size_sauc(1.0, half_width=0.1, power=0.8)


def test_a_pilot_must_be_of_the_sauc(cancer: rs.ScoredSample) -> None:
    for pilot in (rs.auc(cancer, marker="mean_radius"), rs.compare(cancer)):
        with pytest.raises(rs.InvalidOptionError, match="pilot must be of the sAUC"):
            rs.power_sauc(pilot=pilot, n_pos=20)
    pilot = rs.sauc(cancer, marker="mean_radius")
    with pytest.raises(rs.InvalidOptionError, match="Name the null_value"):
        rs.power_sauc(pilot=pilot, n_pos=20)
    with pytest.raises(rs.InvalidOptionError, match="mean_difference= cannot be given beside it"):
        rs.power_sauc(1.0, pilot=pilot, n_pos=20)
    with pytest.raises(rs.InvalidOptionError, match="effect must be a number"):
        rs.power_sauc(pilot=pilot, n_pos=20, effect=math.nan)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mean_difference": math.nan}, "mean_difference must be a finite number"),
        ({"mean_difference": 1, "sd_pos": -1}, "sd_pos must be a standard deviation"),
        ({"mean_difference": 1, "sd_neg": math.inf}, "sd_neg must be a standard deviation"),
    ],
)
def test_no_sauc_of_what_are_no_normal_scores(arguments: dict, words: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=words):
        rs.binormal_sauc(**arguments)
    with pytest.raises(rs.InvalidOptionError, match="n_pos must be a whole number"):
        rs.binormal_sauc(1.0).std_error(0, 10)
