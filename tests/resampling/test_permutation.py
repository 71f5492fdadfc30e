"""Permutation tests against full enumeration, DeLong's test and pROC; their size by simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import rocstats as rs
from rocstats.errors import InvalidOptionError, NotPairedError, SmallSampleWarning
from rocstats.resampling import permutation
from rocstats.resampling.permutation import Permutation, permutation_test
from rocstats.resampling.venkatraman import venkatraman_test, venkatraman_test_independent

ROUNDING = 1e-12  # sums of a few dozen doubles in another order
MC = 4.5  # Monte-Carlo standard errors

SQUARED = rs.Measure(
    name="squared",
    label="squared margin",
    kernel=rs.pairwise_kernel("squared", lambda a, b: np.maximum(a - b, 0.0) ** 2),
)
MEASURES = {
    "auc": "auc",
    "sauc": "sauc",
    "sauc in bounds": rs.scored_auc(bounds=(-1.0, 2.0)),
    "smauc": "smauc",
    "smauc, midpoint estimated": rs.smooth_auc(midpoint="class_mean"),
    "a user's own": SQUARED,
}
Y = np.array([1, 0, 1, 1, 0, 0, 0, 1])
TIED = {
    "a": np.array([0.9, 0.4, 0.6, 0.6, 0.5, 0.6, 0.1, 0.8]),
    "b": np.array([0.7, 0.3, 0.2, 0.7, 0.5, 0.7, 0.3, 0.4]),
}


def midranks(s: np.ndarray) -> np.ndarray:
    return np.array([(s < x).sum() + 0.5 * (s == x).sum() for x in s])


def enumerate_exchanges(y: np.ndarray, scores: dict, measure: object, *, z: bool) -> np.ndarray:
    """The difference, or z, for every exchange; the first leaves all as it is."""
    a, b = scores.values()
    if measure == "auc":
        a, b = midranks(a), midranks(b)
    found = []
    for swaps in itertools.product([False, True], repeat=y.size):
        both = rs.compare(
            y, {"a": np.where(swaps, b, a), "b": np.where(swaps, a, b)}, measure=measure
        )
        if z:
            found.append(both.pairwise(reference="normal", adjust="none").tests[0].statistic)
        else:
            found.append(both.influence.estimate[0] - both.influence.estimate[1])
    return np.array(found)


@pytest.mark.filterwarnings("ignore::rocstats.errors.DegenerateVarianceWarning")
@pytest.mark.parametrize("studentized", [False, True])
@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_equals_full_enumeration(measure: object, studentized: bool) -> None:
    values = enumerate_exchanges(Y, TIED, measure, z=studentized)
    observed = values[0]
    both = rs.compare(Y, TIED, measure=measure)
    options = {"studentized": studentized}
    found = permutation_test(both, **options)
    near = 1e-9
    assert found.exact
    assert found.n_resamples == 256
    assert found.estimate == pytest.approx(both.pairwise().tests[0].estimate, rel=1e-9)
    assert found.pvalue == np.mean(np.abs(values) >= abs(observed) - near)
    less = permutation_test(both, alternative="less", **options)
    more = permutation_test(both, alternative="greater", **options)
    assert less.pvalue == np.mean(values <= observed + near)
    assert more.pvalue == np.mean(values >= observed - near)
    if studentized:
        assert found.statistic == pytest.approx(observed, rel=1e-9)
    else:
        assert found.std_error == pytest.approx(math.sqrt((values**2).mean()), rel=1e-9)
        assert found.statistic == pytest.approx(found.estimate / found.std_error)
    other = permutation_test(both, first="b", second="a", **options)
    assert other.estimate == -found.estimate
    assert other.pvalue == found.pvalue


@pytest.mark.parametrize("measure", ["auc", "sauc", "smauc"])
def test_random_permutations_approach_the_enumeration(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = rs.compare(Y, TIED, measure=measure)
    exact = permutation_test(both).pvalue
    monkeypatch.setattr(permutation, "_FEW", 0)
    found = permutation_test(both, resampling=Permutation(n_resamples=3999, rng=1))
    assert not found.exact
    assert (found.pvalue * 4000) == pytest.approx(round(found.pvalue * 4000))
    assert found.pvalue == pytest.approx(exact, abs=MC * math.sqrt(exact * (1 - exact) / 3999))


def test_clusters_are_exchanged_as_a_whole() -> None:
    cluster = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    sample = rs.ScoredSample.from_arrays(Y, TIED, cluster=cluster)
    a, b = midranks(TIED["a"]), midranks(TIED["b"])
    values = []
    for swaps in itertools.product([False, True], repeat=4):
        s = np.array(swaps)[cluster]
        exchanged = [rs.auc(Y, np.where(s, *pair)).value for pair in ((b, a), (a, b))]
        values.append(exchanged[0] - exchanged[1])
    found = permutation_test(sample)
    assert found.n_resamples == 16
    assert found.pvalue == np.mean(np.abs(values) >= abs(values[0]) - 1e-9)
    assert permutation_test(sample, studentized=True).exact


def correlated(seed: int, n: int, gain: float = 0.0) -> tuple[np.ndarray, dict]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    shared = rng.normal(size=n)
    a, b = (y * shift + shared + rng.normal(size=n) for shift in (1.0 + gain, 1.0))
    return y, {"a": a, "b": b}


@pytest.mark.parametrize(("seed", "gain"), [(1, 0.0), (2, 0.15), (3, 0.3), (4, 0.0)])
def test_agrees_with_delong_at_moderate_size(seed: int, gain: float) -> None:
    both = rs.compare(*correlated(seed, 400, gain))
    expected = both.pairwise(reference="normal").tests[0].pvalue
    for studentized, b in ((False, 9999), (True, 499)):
        resampling = Permutation(n_resamples=b, rng=1)
        found = permutation_test(both, studentized=studentized, resampling=resampling)
        tolerance = 0.02 + MC * math.sqrt(expected * (1.0 - expected) / b)
        assert found.pvalue == pytest.approx(expected, abs=tolerance)


def test_without_variance_p_is_one_or_honest() -> None:
    y, scores = correlated(1, 30)
    for studentized in (False, True):
        found = permutation_test(
            rs.compare(y, {"a": scores["a"], "b": np.exp(scores["a"])}),
            studentized=studentized,
            resampling=Permutation(n_resamples=99, rng=1),
        )
        assert (found.estimate, found.statistic, found.pvalue) == (0.0, 0.0, 1.0)
    certain = rs.ScoredSample.from_arrays(Y, {"a": Y, "b": np.zeros(8)})
    found = permutation_test(certain)
    assert found.estimate == 0.5
    assert 0.0 < found.pvalue < 0.05
    assert 0.0 < permutation_test(certain, studentized=True).pvalue < 0.05


def test_near_ties_of_the_statistic_count_as_ties() -> None:
    # Thirds and an offset round differently in every order of summation, but the law is the same.
    exact = permutation_test(rs.compare(Y, {k: 30 * s for k, s in TIED.items()}, measure="sauc"))
    for scale, offset in ((1 / 3, 0.0), (0.1, 1 / 7), (7.7, 100.1)):
        moved = {name: scale * s + offset for name, s in TIED.items()}
        assert permutation_test(rs.compare(Y, moved, measure="sauc")).pvalue == exact.pvalue


def test_one_positive_is_enough_unless_studentized() -> None:
    y, a, b = [1, 0, 0, 0, 0], [5, 4, 3, 2, 1], [3, 4, 5, 2, 1]
    sample = rs.ScoredSample.from_arrays(y, {"a": a, "b": b})
    values = enumerate_exchanges(np.array(y), {"a": np.array(a), "b": np.array(b)}, "auc", z=False)
    assert permutation_test(sample).pvalue == np.mean(np.abs(values) >= 0.5 - 1e-9)
    with pytest.warns(SmallSampleWarning, match="answer is nan"):
        assert math.isnan(permutation_test(sample, studentized=True).pvalue)


def test_same_answer_for_any_number_of_workers() -> None:
    y, scores = correlated(5, 60, 0.3)
    both = rs.compare(y, scores)
    one, two = rs.auc(y, scores["a"]), rs.auc(1 - y, -scores["b"])
    tests = (
        lambda setting: permutation_test(both, resampling=setting),
        lambda setting: venkatraman_test(both, resampling=setting),
        lambda setting: venkatraman_test_independent(one, two, resampling=setting),
    )
    for test in tests:
        results = {test(Permutation(n_resamples=299, rng=7, n_jobs=jobs)) for jobs in (1, 2)}
        assert len(results) == 1


def test_which_pair_and_which_measure() -> None:
    y, scores = correlated(5, 40)
    three = rs.ScoredSample.from_arrays(y, scores | {"c": scores["a"]})
    setting = Permutation(n_resamples=9, rng=1)
    with pytest.raises(InvalidOptionError, match="first= and second="):
        permutation_test(three)
    with pytest.raises(InvalidOptionError, match="no marker 'd'"):
        permutation_test(three, first="a", second="d")
    found = permutation_test(three, first="c", second="b", resampling=setting)
    assert found.contrast == "c - b"
    twice = rs.compare(y, scores, measure=("auc", "sauc"))
    with pytest.raises(InvalidOptionError, match="measure="):
        permutation_test(twice)
    by_name = permutation_test(twice, measure="sauc", resampling=setting)
    assert by_name.estimate == pytest.approx(
        twice.estimates.influence.contrast([0, 1, 0, -1]).estimate[0]
    )
    with pytest.raises(InvalidOptionError, match="alternative"):
        permutation_test(twice, measure="auc", alternative="larger")
    with pytest.raises(InvalidOptionError, match="n_resamples"):
        Permutation(n_resamples=0)


def test_renderings() -> None:
    found = permutation_test(rs.compare(Y, TIED))
    assert "Bandos et al. 2005" in repr(found)
    assert found.to_frame()["p_value"].tolist() == [found.pvalue]
    assert "<td>a - b</td>" in found._repr_html_()
    curves = venkatraman_test(rs.compare(Y, TIED), resampling=Permutation(n_resamples=9, rng=1))
    assert "estimate" not in curves.to_dict()
    assert "equal curves" in repr(curves)


# ------------------------------------------------------------------ Venkatraman


def wave(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Untied markers that R makes alike: no random numbers."""
    i = np.arange(1, n + 1)
    y = (i * 7 % 5 < 2).astype(int)
    return y, np.sin(i) + 0.6 * y, np.cos(2 * i) + 0.2 * y


ONE = Permutation(n_resamples=1, rng=1)

# R 4.2.2, pROC 1.18.0, 2026: i <- 1:n; y <- as.integer((i*7) %% 5 < 2); a <- sin(i)+0.6*y;
# b <- cos(2*i)+0.2*y; roc.test(roc(y, a, direction="<", levels=0:1), roc(y, b, ...),
# method="venkatraman", boot.n=1)$statistic with paired=TRUE, then paired=FALSE
PROC_WAVES = {
    7: (4, 0.0816326530612245),
    20: (36, 0.09),
    60: (208, 0.0577777777777778),
    211: (2606, 0.0585341748837627),
}


@pytest.mark.parametrize("n", PROC_WAVES)
def test_statistic_is_that_of_proc(n: int) -> None:
    y, a, b = wave(n)
    paired, unpaired = PROC_WAVES[n]
    sample = rs.ScoredSample.from_arrays(y, {"a": a, "b": b})
    assert venkatraman_test(sample, resampling=ONE).statistic == paired
    found = venkatraman_test_independent(rs.auc(y, a), rs.auc(y, b), resampling=ONE)
    assert found.statistic == pytest.approx(unpaired, rel=1e-12)
    assert found.statistic == pytest.approx(paired / n**2, rel=1e-12)


def test_p_values_are_those_of_proc() -> None:
    # pROC 1.18.0 on the waves of 60, set.seed(1): paired, boot.n=20000; unpaired, boot.n=4000
    y, a, b = wave(60)
    both = rs.compare(y, {"a": a, "b": b})
    found = venkatraman_test(both, resampling=Permutation(n_resamples=4000, rng=1))
    assert found.pvalue == pytest.approx(0.3062, abs=MC * 0.0073)
    one, two = rs.auc(y, a), rs.auc(y, b)
    found = venkatraman_test_independent(one, two, resampling=Permutation(n_resamples=2000, rng=1))
    assert found.pvalue == pytest.approx(0.307, abs=MC * math.hypot(0.0073, 0.0103))


def test_venkatraman_by_its_definition_on_any_orientation() -> None:
    y, a, b = wave(30)

    def errors(s: np.ndarray) -> np.ndarray:
        cuts = np.sort(s)
        return np.array([((s <= c) & (y == 1)).sum() + ((s > c) & (y == 0)).sum() for c in cuts])

    expected = np.abs(errors(a) - errors(b)).sum()
    turned = rs.ScoredSample.from_arrays(
        y, {"a": -a, "b": np.exp(b)}, higher_is_positive={"a": False}
    )
    assert venkatraman_test(turned, resampling=ONE).statistic == expected


def test_equal_curves_have_p_one() -> None:
    y, a, _ = wave(30)
    sample = rs.ScoredSample.from_arrays(y, {"a": a, "b": np.exp(a)})
    setting = Permutation(n_resamples=99, rng=1)
    found = venkatraman_test(sample, resampling=setting)
    assert (found.statistic, found.pvalue) == (0.0, 1.0)
    found = venkatraman_test_independent(rs.auc(y, a), rs.auc(y, np.exp(a)), resampling=setting)
    assert found.statistic == pytest.approx(0.0, abs=ROUNDING)
    assert found.pvalue == 1.0


def test_curves_that_cross_differ_although_their_areas_do_not() -> None:
    rng = np.random.default_rng(4)
    y = np.arange(600) % 2
    wide = np.where(y == 1, rng.normal(1.5, 3.0, 600), rng.normal(size=600))
    plain = np.where(y == 1, rng.normal(0.67, 1.0, 600), rng.normal(size=600))
    both = rs.compare(y, {"wide": wide, "plain": plain})
    setting = Permutation(n_resamples=999, rng=1)
    assert permutation_test(both, resampling=setting).pvalue > 0.1
    assert venkatraman_test(both, resampling=setting).pvalue < 0.01
    one, two = rs.auc(y, wide), rs.auc(y, plain)
    assert venkatraman_test_independent(one, two, resampling=setting).pvalue < 0.01


def test_clusters_exchange_ranks_as_a_whole_or_are_refused() -> None:
    y, a, b = wave(20)
    sample = rs.ScoredSample.from_arrays(y, {"a": a, "b": b}, cluster=np.arange(20) // 10)
    setting = Permutation(n_resamples=400, rng=1)
    found = venkatraman_test(sample, resampling=setting)
    assert found.statistic == 36
    assert found.pvalue > 0.4  # both clusters exchanged is as good as none: half of all exchanges
    one = rs.estimate(sample, measures="auc").rows[0]
    with pytest.raises(InvalidOptionError, match="clusters"):
        venkatraman_test_independent(one, rs.auc(y, a))
    with pytest.raises(NotPairedError, match="one sample"):
        venkatraman_test_independent(one, one)


# ------------------------------------------------------------------ size


def null_sample(rng: np.random.Generator) -> tuple[np.ndarray, dict]:
    y = np.repeat([1, 0], [18, 22])
    shared = rng.normal(size=40)
    return y, {k: (y + shared + rng.normal(size=40)).round(1) for k in "ab"}


def exchange_p(y: np.ndarray, scores: dict, seed: int) -> float:
    sample = rs.ScoredSample.from_arrays(y, scores)
    return permutation_test(sample, resampling=Permutation(n_resamples=199, rng=seed)).pvalue


def studentized_p(y: np.ndarray, scores: dict, seed: int) -> float:
    sample = rs.ScoredSample.from_arrays(y, scores)
    setting = Permutation(n_resamples=59, rng=seed)
    return permutation_test(sample, studentized=True, resampling=setting).pvalue


def curves_p(y: np.ndarray, scores: dict, seed: int) -> float:
    sample = rs.ScoredSample.from_arrays(y, scores)
    return venkatraman_test(sample, resampling=Permutation(n_resamples=199, rng=seed)).pvalue


def independent_p(y: np.ndarray, scores: dict, seed: int) -> float:
    rng = np.random.default_rng(seed)
    z = np.repeat([1, 0], [12, 30])
    one, two = rs.auc(y, scores["a"]), rs.auc(z, z + 1.4 * rng.normal(size=42))
    setting = Permutation(n_resamples=59, rng=seed)
    return venkatraman_test_independent(one, two, resampling=setting).pvalue


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "rounds", "slack"),
    [
        (exchange_p, 2000, 0.0),
        (studentized_p, 400, 0.0),
        (curves_p, 1000, 0.0),
        (independent_p, 800, 0.02),  # its common scale is estimated: not exact
    ],
)
def test_size(test: object, rounds: int, slack: float) -> None:
    rng = np.random.default_rng(12)
    pvalues = np.array([test(*null_sample(rng), seed) for seed in range(rounds)])
    for level in (0.05, 0.1, 0.5):
        error = MC * math.sqrt(level * (1.0 - level) / rounds) + slack
        assert np.mean(pvalues <= level) == pytest.approx(level, abs=error)


def test_a_marker_against_itself_is_not_apart_however_it_ties():
    rng = np.random.default_rng(8)
    y_true = np.tile([1, 0], 20)
    tied = np.round(rng.normal(size=40) + y_true)
    sample = rs.ScoredSample.from_arrays(y_true, {"a": tied, "b": tied})
    found = rs.venkatraman_test(sample, resampling=rs.Permutation(n_resamples=99, rng=1))
    assert (found.statistic, found.pvalue) == (0.0, 1.0)


def test_scores_of_opposite_direction_are_not_exchanged():
    rng = np.random.default_rng(9)
    y_true = np.tile([1, 0], 20)
    scores = {"a": rng.random(40), "b": rng.random(40)}
    turned = rs.compare(y_true, scores, measure="sauc", higher_is_positive={"a": False})
    with pytest.raises(rs.InvalidOptionError, match="opposite directions"):
        rs.permutation_test(turned)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_extreme_units_are_refused(unit):
    rng = np.random.default_rng(10)
    y_true = np.tile([1, 0], 20)
    scores = {name: unit * rng.random(40) for name in "ab"}
    comparison = rs.compare(y_true, scores, measure="sauc")
    with pytest.raises(rs.ScoreRangeError, match="multiply the scores"):
        rs.permutation_test(comparison)
    with pytest.raises(rs.ScoreRangeError, match="multiply the scores"):
        rs.bootstrap(comparison, [1, -1])


def test_wrong_kinds_of_input_get_a_sentence():
    y_true, s = [1, 1, 0, 0], [4, 2, 3, 1]
    estimate = rs.auc(y_true, s)
    comparison = rs.compare(y_true, {"a": s, "b": s[::-1]})
    for ask in (
        lambda: rs.permutation_test(estimate),
        lambda: rs.venkatraman_test(estimate),
        lambda: rs.venkatraman_test_independent(comparison, comparison),
        lambda: rs.permutation_test(comparison, resampling=rs.Bootstrap()),
        lambda: rs.bootstrap(comparison, resampling=rs.Permutation()),
        lambda: rs.bootstrap(comparison.sample),
    ):
        with pytest.raises(rs.InvalidOptionError, match="must be a"):
            ask()
