"""The bootstrap against its definition, its closed-form variance, scipy, and degenerate data."""

from __future__ import annotations

import inspect
import math
import sys
import tracemalloc
import warnings
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    RocstatsWarning,
    SmallSampleWarning,
)
from rocstats.resampling import bootstrap_limits as limits
from rocstats.resampling.bootstrapping import Bootstrap, BootstrapResult, bootstrap
from rocstats.resampling.draw_counts import lay_out
from rocstats.resampling.urn import make_urn

ROUNDING = 1e-12  # sums of a few hundred doubles in another order
MC = 4.5  # Monte-Carlo standard errors: one failure in 10^5 were the seeds not fixed

SQUARED = rs.Measure(
    name="squared",
    label="squared margin",
    kernel=rs.pairwise_kernel("squared", lambda a, b: np.maximum(a - b, 0.0) ** 2),
)
MEASURES = {
    "auc": "auc",
    "sauc": "sauc",
    "sauc in bounds": rs.scored_auc(bounds=(-1.0, 2.0)),
    "sauc in range": rs.scored_auc(bounds="range"),
    "smauc": "smauc",
    "smauc balanced": rs.smooth_auc(class_weight="balanced"),
    "smauc at a prevalence": rs.smooth_auc(midpoint=0.3, class_weight=0.2),
    "smauc, midpoint estimated": rs.smooth_auc(midpoint="class_mean"),
    "a user's own": SQUARED,
}


def made_up(seed: int, m: int, n: int, digits: int = 1) -> tuple[np.ndarray, dict]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], [m, n]))
    a = rng.beta(2 + y, 3 - y)
    b = 0.5 * a + 0.5 * rng.random(m + n)
    return y, {"a": a.round(digits), "b": b.round(digits)}


def kernel_matrix(y: np.ndarray, s: np.ndarray, measure: str) -> np.ndarray:
    apart = s[y == 1][:, np.newaxis] - s[y == 0]
    return (np.sign(apart) + 1.0) / 2.0 if measure == "auc" else np.maximum(apart, 0.0)


def limiting_variance(h: np.ndarray) -> float:
    """Variance over infinitely many stratified resamples of the mean of a kernel.

    Given the sample, a resample is m and n independent draws from the two empirical distributions,
    so the exact variance of STATISTICS.md 2.3 holds with the moments of those distributions.
    """
    m, n = h.shape
    xi10, xi01, xi11 = h.mean(axis=1).var(), h.mean(axis=0).var(), h.var()
    return float(((n - 1) * xi10 + (m - 1) * xi01 + xi11) / (m * n))


def assert_variance(found: BootstrapResult, expected: float) -> None:
    x = found.replicates[:, 0] - found.replicates[:, 0].mean()
    kurtosis = (x**4).mean() / (x**2).mean() ** 2
    tolerance = MC * math.sqrt((kurtosis - 1.0) / x.size)
    assert found.std_error[0] ** 2 == pytest.approx(expected, rel=tolerance)
    shift = found.replicates[:, 0].mean() - found.estimate[0]
    assert abs(shift) <= MC * math.sqrt(expected / x.size)


# ------------------------------------------------------------------ what a resample is worth


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@pytest.mark.parametrize("digits", [1, 9])
def test_a_resample_is_worth_what_its_subjects_are(measure: object, digits: int) -> None:
    y, scores = made_up(1, 7, 9, digits)
    sample = rs.ScoredSample.from_arrays(
        y, scores, higher_is_positive={"b": "bounds" not in str(measure)}
    )
    estimates = rs.estimate(sample, measures=measure)
    urn = make_urn(sample, [0, 1])
    pos, neg = urn.draw(np.random.default_rng(2), 5)
    for marker, row in enumerate(estimates.rows):
        laid = lay_out(sample, marker, row.measure, urn)
        values = laid.values(pos, neg)
        again, phi_pos, phi_neg = laid.influence(pos, neg)
        np.testing.assert_allclose(again, values, rtol=ROUNDING)
        for i in range(5):
            copies = np.zeros(y.size, dtype=int)
            copies[urn.pos], copies[urn.neg] = pos[i], neg[i]
            assert copies[y == 1].sum() == 7
            assert copies[y == 0].sum() == 9
            who = np.repeat(np.arange(y.size), copies)
            drawn = rs.ScoredSample.from_arrays(
                y[who], sample.scores.T[who], higher_is_positive=sample.higher_is_positive
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RocstatsWarning)
                truth = rs.estimate(drawn, measures=measure)
            name = drawn.markers[marker]
            expected = truth.row(name, row.measure.name)
            assert values[i] == pytest.approx(expected.value, rel=ROUNDING)
            phi = np.zeros(y.size)
            phi[urn.pos], phi[urn.neg] = phi_pos[i], phi_neg[i]
            np.testing.assert_allclose(
                phi[who], expected.influence.values[0], rtol=1e-9, atol=ROUNDING
            )


@pytest.mark.parametrize("clustered", [False, True])
def test_replicates_and_their_errors_are_those_of_the_resamples(clustered: bool) -> None:
    y, scores = made_up(3, 12, 15)
    cluster = np.arange(27) // 3 if clustered else None
    sample = rs.ScoredSample.from_arrays(y, scores, cluster=cluster)
    result = rs.estimate(sample, measures=["auc", "smauc"])
    line = [1.0, 0.0, -1.0, 0.5]
    found = bootstrap(result, line, resampling=Bootstrap(n_resamples=40, rng=5))
    assert found.names == ("auc(a) - auc(b) + 0.5 smauc(b)",)
    errors = found.replicate_std_errors[:, 0]

    resampler = found.resampler
    draws = resampler._batches(40, np.random.default_rng(resampler.seed.spawn(1)[0]))
    ((_, whole, pos, neg),) = draws
    assert whole.all()
    assert ("clusters" in found.scheme) is clustered
    for i in range(40):
        copies = np.zeros(27, dtype=int)
        copies[resampler.urn.pos], copies[resampler.urn.neg] = pos[i], neg[i]
        who = np.repeat(np.arange(27), copies)
        copy = np.concatenate([np.arange(k) for k in copies])  # copies of a cluster are clusters
        again = rs.ScoredSample.from_arrays(
            y[who],
            {name: score[who] for name, score in scores.items()},
            cluster=100 * copy + who // 3 if clustered else None,
        )
        truth = rs.estimate(again, measures=["auc", "smauc"]).influence.contrast(line)
        assert found.replicates[i, 0] == pytest.approx(truth.estimate[0], abs=ROUNDING)
        assert errors[i] ** 2 == pytest.approx(truth.covariance()[0, 0], abs=ROUNDING)


# ------------------------------------------------------------------ laws of the replicates


@pytest.mark.parametrize("measure", ["auc", "sauc"])
@pytest.mark.parametrize(
    ("m", "n", "digits"), [(9, 14, 9), (9, 14, 1), (400, 300, 1), (1000, 40, 2)]
)
def test_variance_is_that_of_infinitely_many_resamples(
    measure: str, m: int, n: int, digits: int
) -> None:
    y, scores = made_up(7, m, n, digits)
    setting = Bootstrap(n_resamples=4000, rng=11)
    single = rs.estimate(y, scores["a"], measures=measure)
    matrix = kernel_matrix(y, scores["a"], measure)
    assert_variance(bootstrap(single, resampling=setting), limiting_variance(matrix))

    both = rs.compare(y, scores, measure=measure)
    apart = matrix - kernel_matrix(y, scores["b"], measure)
    assert_variance(bootstrap(both, [1, -1], resampling=setting), limiting_variance(apart))


def test_few_cells_are_drawn_as_cells() -> None:
    y, scores = made_up(7, 400, 300, 1)
    sample = rs.ScoredSample.from_arrays(y, {"a": scores["a"]})
    urn = make_urn(sample, [0])
    assert urn.alike is not None
    assert urn.pos.size == np.unique(scores["a"][y == 1]).size
    assert [int(n.sum()) for n in urn.alike] == [400, 300]


def test_agrees_with_scipy() -> None:
    y, scores = made_up(4, 25, 30)

    def auc(p: np.ndarray, n: np.ndarray, axis: int = -1) -> np.ndarray:
        apart = p[..., :, np.newaxis] - n[..., np.newaxis, :]
        return ((np.sign(apart) + 1.0) / 2.0).mean(axis=(-1, -2))

    a = scores["a"]
    word = "rng" if "rng" in inspect.signature(stats.bootstrap).parameters else "random_state"
    theirs = stats.bootstrap(
        (a[y == 1], a[y == 0]),
        auc,
        n_resamples=4000,
        method="percentile",
        **{word: np.random.default_rng(3)},  # random_state before scipy 1.15
    )
    ours = bootstrap(rs.auc(y, a), resampling=Bootstrap(n_resamples=4000, rng=3))
    # The standard error of a standard deviation over 4000 normal values is 1.1%, twice.
    assert ours.std_error[0] == pytest.approx(float(theirs.standard_error), rel=MC * 0.016)
    interval = ours.confidence_interval(method="percentile")
    for mine, other in (
        (interval.low, theirs.confidence_interval.low),
        (interval.high, theirs.confidence_interval.high),
    ):
        assert mine == pytest.approx(float(other), abs=MC * 0.06 * ours.std_error[0])
    assert interval.low == pytest.approx(np.quantile(ours.replicates, 0.025), rel=ROUNDING)


@pytest.mark.parametrize("measure", ["auc", "sauc", "smauc"])
def test_standard_error_is_close_to_delong_at_200(measure: str) -> None:
    y, scores = made_up(5, 100, 100, 9)
    estimate = rs.estimate(y, scores["a"], measures=measure).rows[0]
    found = bootstrap(estimate, resampling=Bootstrap(n_resamples=4000, rng=1))
    assert found.std_error[0] == pytest.approx(estimate.std_error, rel=0.05)


def test_clusters_widen_as_the_clustered_variance_says() -> None:
    rng = np.random.default_rng(8)
    patient = np.repeat(np.arange(150), 2)
    y = (rng.random(300) < 0.5).astype(int)
    a = y + rng.normal(size=150)[patient] * 1.5 + 0.3 * rng.normal(size=300)
    sample = rs.ScoredSample.from_arrays(y, a, cluster=patient)
    estimate = rs.estimate(sample, measures="auc").rows[0]
    found = bootstrap(estimate, resampling=Bootstrap(n_resamples=2000, rng=2))
    assert found.scheme == "clusters, not within classes"
    assert found.std_error[0] == pytest.approx(estimate.std_error, rel=0.08)
    reach = found.confidence_interval(method="studentized")
    assert reach.low < estimate.value < reach.high


# ------------------------------------------------------------------ intervals


def test_bca_is_its_formula_with_ties_counting_half() -> None:
    y, scores = made_up(6, 10, 12)
    estimate = rs.auc(y, scores["a"])
    found = bootstrap(estimate, resampling=Bootstrap(n_resamples=1500, rng=9))
    z, x = NormalDist(), found.replicates[:, 0]
    assert (x == estimate.value).any()
    z0 = z.inv_cdf(float((x < estimate.value).mean() + 0.5 * (x == estimate.value).mean()))
    h = kernel_matrix(y, scores["a"], "auc")
    shares = np.append(
        (h.mean(axis=1) - h.mean()) / h.shape[0], (h.mean(axis=0) - h.mean()) / h.shape[1]
    )
    a = float((shares**3).sum() / (6.0 * (shares**2).sum() ** 1.5))
    for level in (0.8, 0.95):
        places = []
        for tail in (0.5 - level / 2, 0.5 + level / 2):
            shift = z0 + z.inv_cdf(tail)
            places.append(z.cdf(z0 + shift / (1.0 - a * shift)))
        interval = found.confidence_interval(method="bca", confidence_level=level)
        expected = np.quantile(x, places)
        assert [interval.low, interval.high] == pytest.approx(expected.tolist(), rel=1e-9)


def test_studentized_and_normal_are_their_formulas() -> None:
    y, scores = made_up(6, 10, 12)
    both = rs.compare(y, scores)
    found = bootstrap(both, [1, -1], resampling=Bootstrap(n_resamples=1500, rng=9))
    estimate = float(found.estimate[0])
    own = both.pairwise().tests[0].std_error
    t = (found.replicates[:, 0] - estimate) / found.replicate_std_errors[:, 0]
    low, high = np.quantile(t, [0.025, 0.975])
    interval = found.confidence_interval(method="studentized")
    assert interval.low == pytest.approx(estimate - high * own, rel=1e-9)
    assert interval.high == pytest.approx(estimate - low * own, rel=1e-9)

    reach = NormalDist().inv_cdf(0.95) * found.std_error[0]
    interval = found.confidence_interval(method="normal", confidence_level=0.9)
    assert interval.high == pytest.approx(estimate + reach, rel=1e-9)
    assert found.statistic == pytest.approx(estimate / found.std_error[0])
    assert found.pvalue == pytest.approx(2 * NormalDist().cdf(-abs(found.statistic)))


def test_a_resample_without_error_is_infinitely_far_out() -> None:
    shifts, errors = np.array([0.1, 0.2, 0.0, -0.1]), np.array([0.1, 0.0, 0.0, 0.1])
    low, high = limits.studentized(0.8, 0.1, shifts, errors, 1e-12, 0.1)
    assert (low, high) == (-math.inf, pytest.approx(0.9))
    assert limits.bca(np.array([0.5, 0.6]), 0.9, 0.0, 0.0, 0.1) == pytest.approx(
        (math.nan, math.nan), nan_ok=True
    )


def test_rows_and_renderings() -> None:
    y, scores = made_up(2, 20, 20)
    both = rs.compare(y, scores, measure=("auc", "sauc"))
    found = bootstrap(both, resampling=Bootstrap(n_resamples=100, rng=1))
    assert found.names == ("auc(a)", "sauc(a)", "auc(b)", "sauc(b)")
    assert found.replicates.shape == (100, 4)
    np.testing.assert_array_equal(found.estimate, both.influence.estimate)
    intervals = [row.confidence_interval() for row in found]
    frame = found.to_frame()
    assert frame["conf_low"].tolist() == [interval.low for interval in intervals]
    assert frame.columns.tolist()[:4] == ["row", "estimate", "std_error", "bias"]
    assert "100 resamples" in repr(found)
    assert found._repr_html_().count("<tr>") == 5
    with pytest.raises(InvalidOptionError, match="for row in result"):
        found.confidence_interval()
    with pytest.raises(InvalidOptionError, match="one contrast"):
        _ = found.pvalue
    two = bootstrap(both, [[1, 0, -1, 0], [0, 1, 0, -1]], resampling=Bootstrap(rng=1))
    assert two.names == ("auc(a) - auc(b)", "sauc(a) - sauc(b)")
    one = bootstrap(rs.compare(y, scores), [1, -1], resampling=Bootstrap(rng=1))
    assert one.names == ("a - b",)
    assert "z = " in repr(one)
    assert one.to_dict()["rows"][0]["p_value"] == one.pvalue


# ------------------------------------------------------------------ degenerate data


@pytest.mark.parametrize("method", ["percentile", "bca", "bca_t", "studentized", "normal"])
@pytest.mark.parametrize("name", ["perfect", "inverted", "constant"])
def test_an_interval_that_collapses_is_flagged(samples: dict, name: str, method: str) -> None:
    found = bootstrap(rs.auc(*samples[name]), resampling=Bootstrap(n_resamples=50, rng=1))
    assert found.std_error[0] == 0.0
    with pytest.warns(DegenerateVarianceWarning, match="do not show the uncertainty"):
        interval = found.confidence_interval(method=method)
    assert math.isnan(interval.low)
    own = found.rows[0].confidence_interval()
    answer = found.confidence_interval()  # by default a clear answer, and whose it is
    assert (answer.low, answer.high, answer.method) == (own.low, own.high, "score")
    assert answer.high - answer.low > 0.1
    assert "has the interval of its estimate" in repr(found)


@pytest.mark.parametrize("name", ["one_positive", "one_negative"])
def test_one_subject_in_a_class_gives_nan(samples: dict, name: str) -> None:
    estimate = rs.auc(*samples[name])
    with pytest.warns(SmallSampleWarning, match="one subject"):
        found = bootstrap(estimate, resampling=Bootstrap(n_resamples=50, rng=1))
    assert np.isnan(found.std_error).all()
    assert found.estimate[0] == estimate.value
    with pytest.warns(DegenerateVarianceWarning):
        assert math.isnan(found.confidence_interval().low)


def test_equal_ranks_give_p_one_and_no_variance_an_alarm() -> None:
    y, scores = made_up(2, 20, 20)
    same = rs.compare(y, {"a": scores["a"], "b": np.exp(scores["a"])})
    found = bootstrap(same, [1, -1], resampling=Bootstrap(n_resamples=50, rng=1))
    assert (found.statistic, found.pvalue) == (0.0, 1.0)
    certain = rs.compare(y, {"a": y, "b": np.zeros(40)})
    found = bootstrap(certain, [1, -1], resampling=Bootstrap(n_resamples=50, rng=1))
    with pytest.warns(DegenerateVarianceWarning, match="permutation test"):
        assert found.pvalue == 0.0


def test_resamples_that_lack_a_class_are_left_out() -> None:
    y = [1, 1, 0, 0, 0, 0, 1, 0]
    sample = rs.ScoredSample.from_arrays(
        y, [4, 3, 1, 2, 3, 0, 1, 2], cluster=[0, 0, 1, 1, 2, 2, 3, 3]
    )
    estimate = rs.estimate(sample, measures="auc").rows[0]
    with pytest.warns(DegenerateVarianceWarning, match="resamples have no value"):
        found = bootstrap(estimate, resampling=Bootstrap(n_resamples=200, rng=1))
    lost = np.isnan(found.replicates[:, 0])
    assert 0 < lost.sum() < 60
    assert found.std_error[0] == pytest.approx(found.replicates[~lost, 0].std(ddof=1))


def test_bca_t_reaches_farther_by_t_and_by_the_divisor() -> None:
    y, scores = made_up(6, 10, 12)
    estimate = rs.auc(y, scores["a"])
    found = bootstrap(estimate, resampling=Bootstrap(n_resamples=1500, rng=9))
    x, h = found.replicates[:, 0], kernel_matrix(y, scores["a"], "auc")
    terms = h.mean(axis=1).var(ddof=1) / 10, h.mean(axis=0).var(ddof=1) / 12
    df = sum(terms) ** 2 / (terms[0] ** 2 / 9 + terms[1] ** 2 / 11)
    drawn = terms[0] * 9 / 10 + terms[1] * 11 / 12
    reach = stats.t.ppf(0.95, df) * math.sqrt(sum(terms) / drawn)
    assert limits.t_reach(estimate.influence, 0, 0.05) == pytest.approx(reach, rel=1e-9)
    z0 = stats.norm.ppf((x < estimate.value).mean() + 0.5 * (x == estimate.value).mean())
    a = estimate.influence.acceleration(0)
    places = [stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in (-reach, reach)]
    interval = found.confidence_interval(0.9, method="bca_t")
    assert [interval.low, interval.high] == pytest.approx(np.quantile(x, places).tolist())
    plain = found.confidence_interval(0.9, method="bca")
    assert interval.low < plain.low < plain.high < interval.high


def test_the_default_is_bca_t_with_many_losses_and_no_narrower_than_the_null_with_few() -> None:
    rng = np.random.default_rng(3)

    def found_at(n: int, shift: float) -> BootstrapResult:
        y = np.repeat([1, 0], n)
        estimate = rs.auc(y, rng.normal(size=2 * n) + shift * y)
        return bootstrap(estimate, resampling=Bootstrap(n_resamples=300, rng=1))

    many = found_at(120, 1.0)
    assert (1.0 - many.estimate[0]) * 120 > 20
    assert many.confidence_interval() == many.confidence_interval(method="bca_t")
    few = found_at(20, 2.2)
    assert 0.0 < (1.0 - few.estimate[0]) * 20 < 10
    own, drawn, answer = (
        few.rows[0].confidence_interval(method="score"),
        few.confidence_interval(method="bca_t"),
        few.confidence_interval(),
    )
    assert (answer.low, answer.high) == (min(own.low, drawn.low), max(own.high, drawn.high))
    assert answer.method == "bca_t and score"
    assert "resamples of an area near 1 show too little" in repr(few)
    between = found_at(60, 1.0)
    share = 2.0 - (1.0 - between.estimate[0]) * 60 / 10
    assert 0.0 < share < 1.0
    own, drawn = (
        between.rows[0].confidence_interval(method="score"),
        between.confidence_interval(method="bca_t"),
    )
    low = drawn.low + share * min(own.low - drawn.low, 0.0)
    assert between.confidence_interval().low == pytest.approx(low, rel=1e-12)


def test_a_slack_that_is_used_up_ends_at_the_farthest_replicate() -> None:
    x = np.linspace(0.0, 1.0, 101)
    assert limits.bca(x, 0.5, 0.0, 0.9, 0.025)[1] != limits.bca(x, 0.5, 0.0, 0.9, 0.025)[1]
    assert limits.bca(x, 0.5, 0.0, 0.9, 0.025, 2.0)[1] == 1.0
    assert limits.bca(x, 0.5, 0.0, -0.9, 0.025, 2.0)[0] == 0.0


def test_a_measure_without_influence_has_no_bca_interval() -> None:
    y, scores = made_up(2, 20, 20)
    ranged = rs.estimate(y, scores["a"], measures=rs.scored_auc(bounds="range")).rows[0]
    found = bootstrap(ranged, resampling=Bootstrap(n_resamples=60, rng=1))
    assert found.confidence_interval().low < ranged.value
    assert found.confidence_interval().method == "percentile"
    for method in ("bca", "studentized"):
        with pytest.warns(DegenerateVarianceWarning):
            assert math.isnan(found.confidence_interval(method=method).low)


# ------------------------------------------------------------------ streams, workers, memory


def test_same_answer_for_any_number_of_workers() -> None:
    y, scores = made_up(2, 30, 30, 9)
    both = rs.compare(y, scores)
    one, two = (
        bootstrap(both, [1, -1], resampling=Bootstrap(n_resamples=300, rng=4, n_jobs=jobs))
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.replicates, two.replicates)
    np.testing.assert_array_equal(one.replicate_std_errors, two.replicate_std_errors)
    other = rs.estimate(y, scores["a"], measures=SQUARED)  # a lambda goes to the workers too
    found = bootstrap(other, resampling=Bootstrap(n_resamples=130, rng=4, n_jobs=2))
    assert np.isfinite(found.replicates).all()


def test_every_kind_of_rng() -> None:
    y, scores = made_up(2, 10, 10, 9)
    estimate = rs.auc(y, scores["a"])

    def run(rng: object) -> np.ndarray:
        return bootstrap(estimate, resampling=Bootstrap(n_resamples=70, rng=rng)).replicates

    np.testing.assert_array_equal(run(3), run(np.random.SeedSequence(3)))
    generator = np.random.default_rng(3)
    first, second = run(generator), run(generator)
    assert (first != second).any()
    np.testing.assert_array_equal(first, run(np.random.default_rng(3)))
    assert (run(None) != run(None)).any()
    assert np.unique(run(3)).size > 20  # no stream twice


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_resamples": 1},
        {"n_resamples": 10.0},
        {"n_jobs": 0},
        {"n_jobs": True},
        {"rng": "seed"},
        {"rng": -1},
    ],
)
def test_settings_are_checked(wrong: dict) -> None:
    with pytest.raises(InvalidOptionError, match=next(iter(wrong))):
        Bootstrap(**wrong)


def test_options_are_checked() -> None:
    y, scores = made_up(2, 10, 10)
    found = bootstrap(rs.auc(y, scores["a"]), resampling=Bootstrap(n_resamples=10, rng=1))
    with pytest.raises(InvalidOptionError, match="method"):
        found.confidence_interval(method="percentil")
    with pytest.raises(InvalidOptionError, match="confidence_level"):
        found.confidence_interval(confidence_level=95)
    with pytest.raises(InvalidOptionError, match="one number for each"):
        bootstrap(rs.compare(y, scores), [1, -1, 0])


def test_memory_does_not_grow_with_the_resamples() -> None:
    y, scores = made_up(2, 5000, 5000, 9)
    estimate = rs.auc(y, scores["a"])

    def peak(n_resamples: int) -> int:
        tracemalloc.start()
        bootstrap(estimate, resampling=Bootstrap(n_resamples=n_resamples, rng=1))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    few, many = peak(64), peak(640)
    assert many < few + 100 * 640


def test_progress_is_for_terminals_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    y, scores = made_up(2, 10, 10)
    bootstrap(rs.auc(y, scores["a"]), resampling=Bootstrap(n_resamples=100, rng=1))
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bootstrap(rs.auc(y, scores["a"]), resampling=Bootstrap(n_resamples=100, rng=1))
    assert capsys.readouterr().out == ""


def test_an_interrupt_stops_at_once() -> None:
    y, scores = made_up(2, 10, 10)
    calls = 0

    def impatient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls > 20:
            raise KeyboardInterrupt
        return np.maximum(a - b, 0.0)

    kernel = rs.pairwise_kernel("impatient", impatient)
    measure = rs.Measure(name="m", label="m", kernel=kernel)
    estimate = rs.estimate(y, scores["a"], measures=measure)
    with pytest.raises(KeyboardInterrupt):
        bootstrap(estimate, resampling=Bootstrap(rng=1))
    assert calls == 21
