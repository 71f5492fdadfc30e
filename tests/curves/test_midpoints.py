"""The smAUC along the midpoint: against its definition, R's mvtnorm, explicit multipliers."""

import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.midpoints import largest_deviation
from rocstats.engine.influence import sample_influence

ROUNDING = 1e-12
DOCS = Path(__file__).parents[2] / "docs" / "evidence"

Y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
SCORE = [1, 0.875, 0.625, 0.5, 0.25, 0.625, 0.5, 0.375, 0.25, 0.125, 0]
MIDPOINTS = [0.125, 0.3, 0.5, 0.625, 0.9, 1.0]


def high(score: Fraction, midpoint: Fraction) -> Fraction:
    return score if score >= midpoint else 1 - score


def by_pairs(theta: list, score: list, weight: list) -> object:
    """Return (4.1): every ordered pair, itself too, ties counting one half."""
    top = sum(
        wi * wj * ti * (1 - tj) * (1 if a > b else Fraction(1, 2) if a == b else 0)
        for wi, ti, a in zip(weight, theta, score, strict=True)
        for wj, tj, b in zip(weight, theta, score, strict=True)
    )
    up = sum(w * t for w, t in zip(weight, theta, strict=True))
    right = sum(w * (1 - t) for w, t in zip(weight, theta, strict=True))
    return top / (up * right)


def thetas(midpoint: float) -> tuple[list[Fraction], list[Fraction]]:
    score = [Fraction(s) for s in SCORE]
    c = Fraction(midpoint)
    highs = [high(s, c) for s in score]
    return [h if y else 1 - h for h, y in zip(highs, Y, strict=True)], highs


def test_the_curve_is_the_double_sum_at_every_midpoint() -> None:
    found = rs.midpoint_curve(Y, SCORE, midpoints=MIDPOINTS)
    for midpoint, value, chance in zip(MIDPOINTS, found.smauc, found.chance, strict=True):
        theta, highs = thetas(midpoint)
        ones = [Fraction(1)] * len(Y)
        assert value == pytest.approx(float(by_pairs(theta, SCORE, ones)), abs=ROUNDING)
        share = Fraction(sum(Y), len(Y))
        mixed = [share * h + (1 - share) * (1 - h) for h in highs]
        assert chance == pytest.approx(float(by_pairs(mixed, SCORE, ones)), abs=ROUNDING)


def covariance_by_derivatives() -> np.ndarray:
    """Return (0.5) with (0.6), the derivatives by a complex step in the weight of a subject."""
    y = np.array(Y)
    components = []
    for midpoint in MIDPOINTS:
        theta = [float(t) for t in thetas(midpoint)[0]]
        slopes = []
        for i in range(len(Y)):
            weight = [1.0 + (1e-30j if k == i else 0) for k in range(len(Y))]
            slopes.append(complex(by_pairs(theta, SCORE, weight)).imag / 1e-30)
        components.append(slopes)
    slope = np.array(components)
    total = np.zeros((len(MIDPOINTS), len(MIDPOINTS)))
    for label in (1, 0):
        part = slope[:, y == label]
        part = part.shape[1] * (part - part.mean(axis=1, keepdims=True))
        total += part @ part.T / (part.shape[1] - 1) / part.shape[1]
    return total


def test_the_covariance_over_midpoints_is_that_of_derivatives() -> None:
    expected = covariance_by_derivatives()
    found = rs.midpoint_curve(Y, SCORE, midpoints=MIDPOINTS)
    assert found.std_error == pytest.approx(np.sqrt(np.diag(expected)), abs=ROUNDING)
    sample = rs.ScoredSample.from_arrays(Y, SCORE)
    joint = sample_influence(sample, [(0, rs.smooth_auc(c)) for c in MIDPOINTS])
    assert joint.covariance() == pytest.approx(expected, abs=ROUNDING)


def test_every_midpoint_is_the_smauc_of_its_own() -> None:
    for options in ({}, {"class_weight": "balanced"}, {"class_weight": 0.1}):
        found = rs.midpoint_curve(Y, SCORE, midpoints=MIDPOINTS, **options)
        for k, midpoint in enumerate(MIDPOINTS):
            one = rs.smauc(Y, SCORE, midpoint=midpoint, **options)
            assert found.smauc[k] == pytest.approx(one.value, abs=ROUNDING)
            assert found.std_error[k] == pytest.approx(one.std_error, abs=ROUNDING)
            assert found.chance[k] == pytest.approx(one.details["chance"], abs=ROUNDING)
        if options.get("class_weight") == "balanced":
            assert found.chance == pytest.approx(np.full(len(MIDPOINTS), 0.5))


def test_clusters_widen_the_band_as_they_do_the_smauc() -> None:
    sample = rs.ScoredSample.from_arrays(Y, SCORE, cluster=[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
    found = rs.midpoint_curve(sample, midpoints=MIDPOINTS)
    alone = [rs.smauc(sample, midpoint=c).std_error for c in MIDPOINTS]
    assert found.std_error == pytest.approx(alone, abs=ROUNDING)


def test_between_neighbouring_scores_the_midpoint_does_not_matter() -> None:
    found = rs.midpoint_curve(Y, SCORE, midpoints=[0.26, 0.3, 0.375, 0.376, 0.45, 0.5])
    assert found.smauc[0] == found.smauc[1] == found.smauc[2] != found.smauc[3]
    assert found.smauc[3] == found.smauc[4] == found.smauc[5]


# ------------------------------------------------------------------------------ critical values

# Sizes, class weight, number of midpoints: the quantile of mvtnorm::qmvnorm (R package 1.1-3,
# GenzBretz to 1e-5, mean of five; standard deviations 0.0004 to 0.0007) on the same correlation.
QMVNORM = {
    (50, 50, None, 9): 2.379855,
    (30, 90, None, 9): 2.366188,
    (30, 90, "balanced", 9): 2.402094,
    (40, 40, None, 19): 2.557438,
}
R_ERROR = 0.002
DRAWS = 200_000
DRAWN = 0.0125  # five errors of a 95% quantile of so many draws, whose density there is about 0.2


def spaced(m: int, n: int) -> rs.ScoredSample:
    """Return evenly spaced scores, bent up for positives and down for negatives."""
    scores = ((np.arange(m) + 0.5) / m) ** 0.5, ((np.arange(n) + 0.5) / n) ** 2
    return rs.ScoredSample.from_arrays(np.repeat([1, 0], (m, n)), np.concatenate(scores))


@pytest.mark.parametrize(("case", "expected"), QMVNORM.items(), ids=str)
def test_critical_values_are_those_of_mvtnorm(case: tuple, expected: float) -> None:
    m, n, weight, size = case
    grid = np.arange(1, size + 1) / (size + 1)
    found = rs.midpoint_curve(spaced(m, n), midpoints=grid, class_weight=weight, n_draws=DRAWS)
    assert found.critical_value == pytest.approx(expected, abs=DRAWN + R_ERROR)


def test_draws_are_as_gaussian_multipliers_on_components_make_them() -> None:
    sample, grid = spaced(30, 60), np.arange(1, 10) / 10
    joint = sample_influence(sample, [(0, rs.smooth_auc(c)) for c in grid])
    rng = np.random.default_rng(4)
    drawn = 0.0
    for label in (True, False):
        part = joint.values[:, sample.positive == label]
        size = part.shape[1]
        drawn = drawn + rng.standard_normal((100_000, size)) @ part.T / math.sqrt(size * (size - 1))
    error = np.sqrt(np.diag(joint.covariance()))
    by_multipliers = np.quantile(np.abs(drawn / error).max(axis=1), 0.95)
    found = largest_deviation(joint.covariance(), 0.95, 100_000, 5)
    assert found == pytest.approx(by_multipliers, abs=2 * DRAWN)


def test_one_midpoint_has_the_critical_value_of_one_normal_variable() -> None:
    found = rs.midpoint_curve(Y, SCORE, midpoints=0.5, n_draws=DRAWS)
    assert found.critical_value == pytest.approx(1.959963984540054, abs=0.02)
    p, reach = found.smauc[0], found.critical_value * found.std_error[0]
    for limit, side in ((found.low[0], -1), (found.high[0], 1)):
        logit = math.log(p / (1 - p)) + side * reach / (p * (1 - p))
        assert limit == pytest.approx(1 / (1 + math.exp(-logit)), abs=ROUNDING)


def test_midpoints_without_variance_have_no_part() -> None:
    some = np.diag([1.0, 0.0, 4.0])
    there = largest_deviation(some, 0.95, 50_000, 1)
    assert there == pytest.approx(largest_deviation(np.eye(2), 0.95, 50_000, 1), abs=ROUNDING)
    assert there == pytest.approx(2.2365, abs=0.04)  # P(|Z| < q)^2 = .95
    assert math.isnan(largest_deviation(np.zeros((2, 2)), 0.95, 100, 1))


# ------------------------------------------------------------------------------------ coverage


@pytest.mark.slow
def test_the_band_holds_as_often_as_the_page_says() -> None:
    """Within 4 Monte-Carlo errors of the page in 600 samples, and well above the pointwise."""
    sys.path.insert(0, str(DOCS))
    try:
        import midpoint_curve as page
    finally:
        sys.path.remove(str(DOCS))
    whole = page.true_curve((4, 2), (2, 4), 0.5, np.array([0.5]))
    assert whole[0] == pytest.approx(143 / 192, abs=1e-11)  # exact, by integers
    for design, true in (((4, 2), (2, 4), 50, 50), 0.918), (((2, 2), (1, 5), 30, 90), 0.938):
        found = page.coverage(*design, 600)
        error = math.sqrt(true * (1 - true) / 600)
        assert found["logit"] == pytest.approx(true, abs=4 * error)
        assert found["pointwise"] < found["logit"] - 4 * error


def test_the_true_curve_is_the_limit_of_large_samples() -> None:
    """Scores at evenly spaced quantiles of 4000 subjects, whose bias is of the order 1 / N."""
    from scipy import stats

    sys.path.insert(0, str(DOCS))
    try:
        import midpoint_curve as page
    finally:
        sys.path.remove(str(DOCS))
    m, n = 1000, 3000
    pos = stats.beta.ppf((np.arange(m) + 0.5) / m, 2, 2)
    neg = stats.beta.ppf((np.arange(n) + 0.5) / n, 1, 5)
    found = rs.midpoint_curve(
        np.repeat([1, 0], (m, n)), np.concatenate([pos, neg]), midpoints=page.GRID
    )
    assert found.smauc == pytest.approx(page.true_curve((2, 2), (1, 5), 0.25), abs=1e-3)


# --------------------------------------------------------------------------------- as an answer


def test_the_band_is_around_the_curve_and_the_same_for_the_same_seed() -> None:
    found = rs.midpoint_curve(Y, SCORE)
    assert found.midpoint.tolist() == [k / 20 for k in range(1, 20)]
    assert (found.low < found.smauc).all()
    assert (found.smauc < found.high).all()
    assert (found.low > 0).all()
    assert (found.high < 1).all()
    assert found.contains(found.smauc)
    assert not found.contains(found.high + 0.01)
    again = rs.midpoint_curve(Y, SCORE, rng=1)
    assert (again.critical_value, again.low.tolist()) == (found.critical_value, found.low.tolist())
    wider = rs.midpoint_curve(Y, SCORE, confidence_level=0.99)
    assert (wider.low < found.low).all()
    assert rs.midpoint_curve(Y, SCORE, rng=None).critical_value != found.critical_value


def test_it_says_approximate_and_draws_chance_beside_it() -> None:
    found = rs.midpoint_curve(Y, {"a": SCORE}, midpoints=MIDPOINTS)
    assert "approximate 0.95 simultaneous band" in str(found)
    assert "not for one that is estimated" in str(found)
    assert list(found.to_frame().columns)[-1] == "chance"
    assert found.to_dict()["kind"] == "simultaneous, approximate"
    ax = found.plot(label="mine")
    assert [line.get_label() for line in ax.lines] == ["mine", "chance"]
    assert ax.lines[1].get_ydata().tolist() == found.chance.tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Midpoint", "smAUC")


def test_scores_may_run_downwards_and_have_limits_of_their_own() -> None:
    there = rs.midpoint_curve(Y, SCORE, midpoints=MIDPOINTS)
    scaled = [10 * s - 5 for s in SCORE]
    bounded = rs.midpoint_curve(Y, scaled, midpoints=MIDPOINTS, bounds=(-5, 5))
    assert bounded.smauc == pytest.approx(there.smauc, abs=ROUNDING)
    down = [1 - s for s in SCORE]
    turned = rs.midpoint_curve(
        Y, down, midpoints=MIDPOINTS, bounds=(0, 1), higher_is_positive=False
    )
    assert turned.smauc == pytest.approx(there.smauc, abs=ROUNDING)


def test_data_that_do_not_vary_have_no_band_and_a_warning() -> None:
    with pytest.warns(rs.DegenerateVarianceWarning, match="no standard error at these midpoints"):
        found = rs.midpoint_curve([1, 1, 0, 0], [0.5] * 4)
    assert math.isnan(found.critical_value)
    assert np.isnan(found.low).all()
    assert found.smauc == pytest.approx(np.full(19, 0.5))
    assert found.contains(found.smauc)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"midpoints": [0.5, 1.5]}, r"increasing numbers in \(0, 1\]"),
        ({"midpoints": [0.0, 0.5]}, r"increasing numbers in \(0, 1\]"),
        ({"midpoints": [0.5, 0.5]}, r"increasing numbers in \(0, 1\]"),
        ({"midpoints": []}, r"increasing numbers in \(0, 1\]"),
        ({"midpoints": [[0.5]]}, r"increasing numbers in \(0, 1\]"),
        ({"midpoints": "class_mean"}, "midpoints must be a number, got 'class_mean'"),
        ({"midpoints": np.linspace(0.1, 1, 2000)}, "midpoints must be at most 1000, got 2000"),
        ({"confidence_level": 1.0}, "confidence_level must lie strictly between 0 and 1"),
        ({"n_draws": 10}, "n_draws must be"),
        ({"rng": "one"}, "rng must be None"),
        ({"class_weight": 2.0}, "class_weight must be None"),
        ({"bounds": "range"}, "A band needs the true limits of the scores"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict, words: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=words):
        rs.midpoint_curve(Y, SCORE, **options)


def test_scores_that_are_no_probabilities_and_values_of_the_wrong_number_are_refused() -> None:
    with pytest.raises(rs.ScoreRangeError, match="smAUC needs scores within"):
        rs.midpoint_curve(Y, [2 * s for s in SCORE])
    with pytest.raises(rs.InvalidOptionError, match="19 midpoints, but there are 2 values"):
        rs.midpoint_curve(Y, SCORE).contains([0.5, 0.5])
