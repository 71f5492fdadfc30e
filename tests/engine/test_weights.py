"""Weighted measures against sums over pairs, repeated rows and numerical derivatives."""

from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.data.blocks import sort_into_blocks
from rocstats.engine.evaluation import ordered_influence, summarise, to_measure_scale
from rocstats.engine.influence import sample_influence

EXACT = 1e-14  # sums of some hundred doubles in another order
DERIVATIVE = 2e-7  # central differences with steps of 1e-5
MEASURES = {
    "auc": "auc",
    "sauc": rs.scored_auc(),
    "fpr": rs.partial_area(fpr=(0.1, 0.45)),
    "tpr": rs.partial_area(tpr=(0.3, 1.0), standardized=True),
    "smauc": rs.smooth_auc(),
    "balanced": rs.smooth_auc("class_mean", class_weight="balanced"),
}


def data(seed: int = 1, n: int = 41) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    score = np.round(1 / (1 + np.exp(-rng.normal(size=n) - y)), 1 if seed % 2 else 9)
    return y, score, rng.uniform(0.1, 4.0, n)


def value(measure: Any, y: Any, score: Any, weights: Any) -> float:
    return rs.estimate(y, score, measures=measure, weights=weights).rows[0].value


@pytest.mark.parametrize("seed", range(1, 7))
def test_auc_and_sauc_are_sums_over_pairs(seed: int) -> None:
    y, score, w = data(seed)
    a, b = score[y][:, None], score[~y][None, :]
    pairs = w[y][:, None] * w[~y][None, :]
    wins = (a > b) + 0.5 * (a == b)
    assert rs.auc(y, score, weights=w).value == pytest.approx(
        float((pairs * wins).sum() / pairs.sum()), abs=EXACT
    )
    margins = np.maximum(a - b, 0.0)
    assert rs.sauc(y, score, weights=w).value == pytest.approx(
        float((pairs * margins).sum() / pairs.sum()), abs=EXACT
    )


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_variance_is_a_sandwich_of_pair_means(seed: int) -> None:
    y, score, w = data(seed)
    a, b = score[y][:, None], score[~y][None, :]
    wins = (a > b) + 0.5 * (a == b)
    up, right = w[y] / w[y].sum(), w[~y] / w[~y].sum()
    area = up @ wins @ right
    pos, neg = up * (wins @ right - area), right * (up @ wins - area)
    m, n = pos.size, neg.size
    expected = m / (m - 1) * pos @ pos + n / (n - 1) * neg @ neg
    assert rs.auc(y, score, weights=w).std_error ** 2 == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("name", MEASURES)
def test_whole_weights_are_repeated_rows(name: str, seed: int) -> None:
    y, score, _ = data(seed)
    count = np.random.default_rng(seed).integers(0, 5, y.size)
    rows = np.repeat(np.arange(y.size), count)
    expected = rs.estimate(y[rows], score[rows], measures=MEASURES[name]).rows[0]
    tolerance = 0.0 if name in ("auc", "fpr") else EXACT
    assert value(MEASURES[name], y, score, count) == pytest.approx(expected.value, abs=tolerance)
    many = rs.estimate(
        y, score, measures=MEASURES[name], weights=count, weight_kind="frequency"
    ).rows[0]
    assert (many.value, many.std_error) == (expected.value, expected.std_error)
    assert many.confidence_interval() == expected.confidence_interval()
    assert (many.n_pos, many.n_neg) == (expected.n_pos, expected.n_neg)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", MEASURES)
def test_influence_is_the_derivative_in_every_weight(name: str, seed: int) -> None:
    """Phi is the derivative in a subject's weight, times its weight and its class's size."""
    y, score, w = data(seed)
    if name == "balanced":
        score = score * 0.8 + 0.1  # the midpoint moves between scores, by a secant; see below
    sample = rs.ScoredSample.from_arrays(y, score, weights=w)
    found = rs.estimate(sample, measures=MEASURES[name]).influence
    if name == "balanced":
        return  # the slope in the midpoint is a secant over two standard errors, no derivative
    derivative = np.empty(y.size)
    for i in range(y.size):
        step = np.zeros(y.size)
        step[i] = 1e-5
        ends = [value(MEASURES[name], y, score, w + sign * step) for sign in (1.0, -1.0)]
        derivative[i] = (ends[0] - ends[1]) / 2e-5
    size = np.where(y, y.sum(), (~y).sum())
    expected = size * w * derivative
    for part in (y, ~y):  # the engine centres within classes
        expected[part] -= expected[part].mean()
    if name in ("fpr", "tpr"):  # a corner of the window in a step has one-sided derivatives
        keep = np.abs(expected - found.values[0]) < 1.0
        assert keep.mean() > 0.8
        return
    np.testing.assert_allclose(found.values[0], expected, atol=DERIVATIVE * 100)


@pytest.mark.parametrize("name", MEASURES)
def test_weights_of_one_in_the_weighted_sums(name: str) -> None:
    """The path of weights itself, which equal weights do not take."""
    measure = rs.estimate(*data()[:2], measures=MEASURES[name]).rows[0].measure
    for seed in (1, 2):
        y, score, _ = data(seed)
        plain = to_measure_scale(measure, sort_into_blocks(score, y, ordered=True), flipped=False)
        ones = sort_into_blocks(score, y, weights=np.ones(y.size))
        ones = to_measure_scale(measure, ones, flipped=False)
        one, other = summarise(measure, plain), summarise(measure, ones)
        assert one.value == pytest.approx(other.value, abs=EXACT)
        assert one.spread_pos == pytest.approx(other.spread_pos, rel=1e-12)
        assert one.spread_neg == pytest.approx(other.spread_neg, rel=1e-12)
        np.testing.assert_allclose(
            ordered_influence(measure, plain)[1][np.argsort(plain.order)],
            ordered_influence(measure, ones)[1][np.argsort(ones.order)],
            atol=1e-12,
        )


def test_the_unit_of_the_weights_does_not_matter() -> None:
    y, score, w = data()
    one, other = (rs.auc(y, score, weights=scale * w) for scale in (1.0, 2.0**40))
    assert (one.value, one.std_error) == (other.value, other.std_error)
    assert one.confidence_interval() == other.confidence_interval()


def test_a_row_split_in_two_within_its_cluster_changes_nothing() -> None:
    """Merged weights: rows of one unit that are alike may be one row."""
    y, score, w = data()
    twice = np.append(np.arange(y.size), [0, 1, 2])
    parts = w[twice].copy()
    parts[[0, 1, 2]] *= 0.3
    parts[-3:] *= 0.7
    whole = rs.auc(y, score, weights=w, cluster=np.arange(y.size))
    split = rs.auc(y[twice], score[twice], weights=parts, cluster=twice)
    assert whole.value == pytest.approx(split.value, abs=EXACT)
    assert whole.std_error == pytest.approx(split.std_error, rel=1e-12)


def test_rows_of_weight_zero_have_no_part() -> None:
    y, score, w = data()
    w[::5] = 0.0
    one, other = rs.auc(y, score, weights=w), rs.auc(y[w > 0], score[w > 0], weights=w[w > 0])
    assert (one.value, one.std_error, one.n_pos) == (other.value, other.std_error, other.n_pos)


def test_strata_and_primary_units_by_the_survey_formula() -> None:
    """Taylor linearisation: sums over units, centred within strata, n / (n - 1)."""
    y, score, w = data(3, 200)
    rng = np.random.default_rng(5)
    strata, unit = rng.integers(0, 4, y.size), rng.integers(0, 6, y.size)
    found = rs.auc(y, score, weights=w, strata=strata, cluster=unit)
    phi = found.influence.values[0] / np.where(y, y.sum(), (~y).sum())
    total = 0.0
    for stratum in np.unique(strata):
        here = strata == stratum
        sums = np.array([phi[here & (unit == u)].sum() for u in np.unique(unit[here])])
        total += sums.size / (sums.size - 1) * ((sums - sums.mean()) ** 2).sum()
    assert found.std_error == pytest.approx(np.sqrt(total), rel=1e-12)
    assert found.scatter[1] <= 24 - 4
    alone = rs.auc(y, score, weights=w, strata=strata)
    phi = alone.influence.values[0] / np.where(y, y.sum(), (~y).sum())
    total = sum(
        here.sum() / (here.sum() - 1) * ((phi[here] - phi[here].mean()) ** 2).sum()
        for here in (strata == s for s in range(4))
    )
    assert alone.std_error == pytest.approx(np.sqrt(total), rel=1e-12)


def test_two_markers_keep_their_covariance() -> None:
    y, score, w = data(2)
    other = np.random.default_rng(9).normal(size=y.size)
    found = rs.compare(y, {"a": score, "b": other}, weights=w)
    both = found.covariance
    assert both[0, 0] == pytest.approx(rs.auc(y, score, weights=w).std_error ** 2, rel=1e-12)
    assert both[1, 1] == pytest.approx(rs.auc(y, other, weights=w).std_error ** 2, rel=1e-12)
    test = found.pairwise(method="delong").tests[0]
    assert test.std_error == pytest.approx(
        np.sqrt(both[0, 0] + both[1, 1] - 2 * both[0, 1]), rel=1e-12
    )


def _area(y: Any, score: Any, w: Any) -> float:
    a, b = score[y][:, None], score[~y][None, :]
    return float(w[y] @ ((a > b) + 0.5 * (a == b)) @ w[~y] / (w[y].sum() * w[~y].sum()))


def _verified(seed: int, n: int = 120) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    score = rng.normal(size=n) + y
    age = rng.normal(size=n)
    verified = rng.random(n) < 1 / (1 + np.exp(-(0.3 + 0.8 * score - 0.5 * age)))
    return y, score, age, verified


def _fit(x: Any, v: Any, case: Any) -> Any:
    """Logistic regression with case weights, by Newton's method to the last digit."""
    beta = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ beta))
        step = np.linalg.solve((x * (case * p * (1 - p))[:, None]).T @ x, x.T @ (case * (v - p)))
        beta = beta + step
    return 1 / (1 + np.exp(-x @ beta))


@pytest.mark.parametrize("seed", [1, 2])
def test_estimated_weights_have_the_derivative_as_influence(seed: int) -> None:
    """N times the derivative in a case's weight, with the model fitted anew each time."""
    y, score, age, verified = _verified(seed)
    x = np.stack([np.ones_like(score), score, age], axis=1)

    def area(case: Any) -> float:
        p = _fit(x, verified, case)
        return _area(y[verified], score[verified], (case / p)[verified])

    sample = rs.ScoredSample.from_arrays(
        y, score, verified=verified, verification_model={"score": score, "age": age}
    )
    found = sample_influence(sample, [(0, rs.auc(sample).measure)])
    n, ones = y.size, np.ones(y.size)
    assert found.estimate[0] == pytest.approx(area(ones), abs=1e-10)
    expected = np.empty(n)
    for i in range(n):
        step = np.zeros(n)
        step[i] = 1e-4
        expected[i] = n * (area(ones + step) - area(ones - step)) / 2e-4
    factor = 1.0 if sample.nuisance is None else sample.nuisance.factor
    np.testing.assert_allclose(found.values[0] / factor, expected, atol=1e-5)
    assert abs(found.values[0].mean()) < 1e-9


def _in_designs(rng: Any, y: Any, score: Any) -> dict[str, rs.Estimate]:
    """The AUC of one marker by everything that counts subjects or strata by shares."""
    folds = np.concatenate([np.arange((y == c).sum()) % 3 for c in (1, 0)])
    frame = {"y": y, "s": score, "z": folds}
    sample = rs.ScoredSample.from_frame(frame, outcome="y", markers=["s"], covariates=["z"])
    seen = np.ones(y.size, dtype=bool)
    seen[[2, 3]] = False
    return {
        "weights": rs.auc(y, score, weights=rng.choice([0.5, 1.0, 2.0, 3.7], y.size)),
        "tenth": rs.auc(y, score, weights=rng.choice([0.1, 0.7, 1.0 / 3.0], y.size)),
        "adjusted": rs.auc(sample, adjust_for="z"),
        "folds": rs.cv_auc(y, score, folds=folds),
        "pairs": rs.cv_auc(y, score, folds=folds, weights="pairs"),
        "verified": rs.auc(
            y, score, verified=seen, verification_model={"x": np.arange(y.size) % 2}
        ),
    }


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("seed", range(12))
def test_rounding_of_weights_is_no_variance(seed: int) -> None:
    """Classes apart have an area of 1, no variance, and limits that do not rest on its digits."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(6, 14, 2)
    y = np.repeat([1, 0], [m, n])
    score = np.concatenate([rng.integers(3, 6, m), rng.integers(0, 3, n)]).astype(float)
    ends = {"apart": (score, 1.0), "reversed": (-score, 0.0), "tied": (0.0 * score, 0.5)}
    for marker, end in ends.values():
        for name, found in _in_designs(rng, y, marker).items():
            assert (name, found.value, found.std_error) == (name, end, 0.0)
            assert (found.influence.values == 0.0).all()
            assert end in found.confidence_interval()


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("seed", range(12))
def test_the_unit_of_weights_changes_no_limit_near_the_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 9, 2)
    y = np.repeat([1, 0], [m, n])
    score = np.concatenate([rng.integers(3, 6, m), rng.integers(0, 3, n)]).astype(float)
    w = rng.choice([0.5, 1.0, 2.0, 3.7], m + n)
    limits = [[*rs.auc(y, score, weights=w * unit).confidence_interval()] for unit in (1.0, 7.3)]
    assert limits[0] == pytest.approx(limits[1], abs=1e-12)


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("seed", range(12))
def test_perfect_weighted_markers_are_compared(seed: int) -> None:
    """An area of one ulp above 1 had the root of less than no losses, and a singular matrix."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 9, 2)
    y = np.repeat([1, 0], [m, n])
    a = np.concatenate([rng.integers(3, 6, m), rng.integers(0, 3, n)]).astype(float)
    b = np.concatenate([rng.integers(2, 6, m), rng.integers(0, 4, n)]).astype(float)
    w = rng.choice([0.5, 1.0, 2.0, 3.7], m + n)
    found = rs.compare(y, {"a": a, "b": b, "c": a + 1.0}, weights=w)
    assert found.contrast("a", "c").tests[0].pvalue == 1.0
    assert 0.0 < found.contrast("a", "b").tests[0].pvalue <= 1.0
    assert 0.0 < found.omnibus().pvalue <= 1.0
    assert 1.0 - EXACT < rs.roc_curve(y, a, weights=w).area() <= 1.0
