"""The compiled kernel and its twin in numpy: the same numbers, and neither is needed."""

import contextlib
import os
import shutil
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.margin_counts import MOST_STEPS, wins_over_margins
from rocstats.curves.random_paths import Walk
from rocstats.data import installed_kernel
from rocstats.data.blocks import sort_into_blocks
from rocstats.data.installed_kernel import describe
from rocstats.engine import compiled
from rocstats.engine.influence import Influence
from rocstats.engine.null_variance import NullVariance
from rocstats.resampling import urn
from rocstats.resampling.score_swaps import SignedSum

ROOT = Path(__file__).parents[2]
NEAR = 1e-12  # both paths round, each in its own order
SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "two digits": lambda rng, n: rng.normal(size=n).round(2),
    "three values": lambda rng, n: rng.integers(0, 3, n).astype(float),
    "one ulp apart": lambda rng, n: 1.0 + rng.integers(0, 50, n) * 2.0**-52,
    "heavy tails": lambda rng, n: rng.standard_cauchy(n),
    "very heavy tails": lambda rng, n: np.exp(10.0 * rng.normal(size=n)),
    "all powers of two": lambda rng, n: 2.0 ** rng.integers(-1000, 1000, n),
    "signed zeros": lambda rng, n: rng.choice([-0.0, 0.0, 1.0, -1.0], n),
    "far outliers": lambda rng, n: np.where(rng.random(n) < 0.02, 1e300, rng.random(n)),
    "least doubles": lambda rng, n: rng.integers(0, 40, n) * 5e-324,
    "signed zeros and all powers of ten": lambda rng, n: np.where(
        rng.random(n) < 0.1, -0.0, 10.0 ** rng.uniform(-300, 300, n)
    ),
    "outliers at every size": lambda rng, n: np.append(
        rng.random(n - n // 9), 10.0 ** np.linspace(1, 300, n // 9)
    ),
    "outliers within outliers": lambda rng, n: sum(
        rng.integers(0, 2, n) * 1000.0**-k for k in range(5)
    ),
    "infinities beyond one place": lambda rng, n: np.where(
        rng.random(n) < 0.01, rng.choice([-np.inf, np.inf], n), 0.5 + 1e-9 * rng.random(n)
    ),
    "both infinities": lambda rng, n: rng.choice([-np.inf, 0.0, np.inf], n),
    "constant": lambda rng, n: np.full(n, 0.3),
    "sorted": lambda rng, n: np.sort(rng.normal(size=n)),
}
needs_kernel = pytest.mark.skipif(
    installed_kernel.kernel() is None and os.environ.get("ROCSTATS_REQUIRE_ALL") != "1",
    reason="no compiled kernel here",
)


@pytest.fixture
def numpy_alone(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], object]:
    """Return what calls a function without the kernel."""

    def call(function: Callable[[], object]) -> object:
        with monkeypatch.context() as without:
            without.setattr(installed_kernel, "kernel", lambda: None)
            without.setattr(compiled, "_drawing", lambda: None)
            return function()

    return call


@needs_kernel
@pytest.mark.parametrize("share", [0.5, 0.03])
@pytest.mark.parametrize("n", [2, 3, 17, 200, 3000, 40_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_placements_are_those_of_their_definition(shape: str, n: int, share: float) -> None:
    rng = np.random.default_rng(n)
    score, positive = SHAPES[shape](rng, n), rng.random(n) < share
    positive[:2] = True, False
    influence = np.empty(n)
    found = compiled.place(score, positive, influence)
    assert found is not None
    pos, neg = np.sort(score[positive]), np.sort(score[~positive])
    m = pos.size
    won = sum(np.searchsorted(neg, score[positive], side) for side in ("left", "right"))
    lost = 2 * m - sum(np.searchsorted(pos, score[~positive], side) for side in ("left", "right"))
    squares = [sum(int(k) ** 2 for k in passed.tolist()) for passed in (won, lost)]
    assert found == (m, n - m, int(won.sum()), *squares)
    assert compiled.place(score, positive) == found  # sums alone
    area = found.wins / (2 * m * (n - m))
    expected = np.empty(n)
    expected[positive], expected[~positive] = won / (2 * (n - m)) - area, lost / (2 * m) - area
    np.testing.assert_allclose(influence, expected, rtol=0, atol=4e-16)


@needs_kernel
@pytest.mark.parametrize("share", [0.0, 0.03, 0.5, 1.0])
@pytest.mark.parametrize("n", [1, 2, 17, 64, 65, 700, 3000, 40_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_sorted_is_that_of_numpy_to_the_bit(
    shape: str, n: int, share: float, numpy_alone: Callable[[Callable[[], object]], object]
) -> None:
    rng = np.random.default_rng(n)
    score, positive = SHAPES[shape](rng, n)[::-1], rng.random(n) < share
    found = sort_into_blocks(score, positive)
    known = numpy_alone(lambda: sort_into_blocks(score, positive))
    assert found.score.tobytes() == known.score.tobytes()
    assert (found.last is None) == (known.last is None)
    np.testing.assert_array_equal(found.last, known.last)
    np.testing.assert_array_equal(found.n_pos, known.n_pos)
    np.testing.assert_array_equal(found.n_neg, known.n_neg)
    order = np.lexsort((positive, score))  # negatives first where scores tie
    np.testing.assert_array_equal(found.label, positive[order])
    empty = np.empty(n), np.empty(n, dtype=np.bool_)
    kernel = installed_kernel.kernel()
    assert kernel.sort(np.ascontiguousarray(score), positive, *empty)


@needs_kernel
@pytest.mark.filterwarnings("ignore:AUC of a has standard error 0")
@pytest.mark.parametrize("shape", SHAPES)
def test_estimates_and_covariances_are_those_of_numpy(
    shape: str, numpy_alone: Callable[[Callable[[], object]], object]
) -> None:
    rng = np.random.default_rng(7)
    y = rng.random(500) < 0.4
    y[:2] = True, False
    marker = SHAPES[shape](rng, 500)
    other = rng.normal(size=500) + y
    for low in (True, False):
        sample = rs.ScoredSample.from_arrays(
            y, {"a": marker, "b": other}, pos_label=True, higher_is_positive={"a": low, "b": True}
        )

        def ask(sample: rs.ScoredSample = sample) -> list[float]:
            both = rs.compare(sample)
            rows = [[r.value, r.std_error, r.spread_pos, r.spread_neg] for r in both.rows]
            alone = rs.auc(sample, marker="a")
            return [*np.ravel(rows), alone.value, alone.std_error, *both.covariance.ravel()]

        np.testing.assert_allclose(ask(), numpy_alone(ask), rtol=NEAR, atol=NEAR**2)


DESIGNS: dict[str, Callable[[np.random.Generator, int], object]] = {
    "weights": lambda rng, n: rng.uniform(0.2, 3.0, n),
    "cluster": lambda rng, n: rng.integers(0, n // 3, n),
    "strata": lambda rng, n: np.arange(n) % 4,
    "verified": lambda rng, n: rng.random(n) < 0.8,
    "adjust_for": lambda rng, n: {"z": np.arange(n) % 3},
}


@needs_kernel
@pytest.mark.parametrize("design", DESIGNS)
def test_subjects_that_are_not_plain_go_the_way_of_numpy(
    design: str,
    numpy_alone: Callable[[Callable[[], object]], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    y = np.arange(400) % 5 < 2
    score = rng.normal(size=400) + y
    given = {"pos_label": True, design: DESIGNS[design](rng, 400)}
    asked: list[str] = []

    def ask() -> list[float]:
        found = rs.auc(y, score, **given)
        limits = found.confidence_interval()
        return [found.value, found.std_error, limits.low, limits.high]

    with monkeypatch.context() as watched:
        watched.setattr(compiled, "place", lambda *_: asked.append("place"))
        alone = ask()
        plain = rs.auc(y, score, pos_label=True)
    assert asked == ["place"]  # by the plain one
    np.testing.assert_allclose(alone, numpy_alone(ask), rtol=NEAR)
    np.testing.assert_allclose(ask(), numpy_alone(ask), rtol=NEAR)
    assert alone[1] != plain.std_error


@needs_kernel
def test_a_sample_that_is_sorted_once_gives_the_same() -> None:
    rng = np.random.default_rng(6)
    y = np.arange(300) % 2 == 0
    sample = rs.ScoredSample.from_arrays(
        y, {k: rng.normal(size=300).round(1) + y for k in "ab"}, pos_label=True
    )
    for low in ("auc", ("auc", "sauc")):
        found = [rs.estimate(s, measures=low) for s in (sample, sample.sorted_once())]
        np.testing.assert_allclose(found[0].covariance, found[1].covariance, rtol=NEAR)
        for one, other in zip(*(f.rows for f in found), strict=True):
            assert (one.value, one.n_pos) == (other.value, other.n_pos)
            assert one.std_error == pytest.approx(other.std_error, rel=NEAR)


@needs_kernel
def test_a_kernel_of_another_edition_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = installed_kernel.kernel()
    assert kernel is not None
    monkeypatch.setattr(installed_kernel, "_EDITION", kernel.edition() + 1)
    monkeypatch.delenv("ROCSTATS_KERNEL", raising=False)
    assert installed_kernel.load() is None
    assert describe().startswith("numpy alone, slower")
    monkeypatch.setenv("ROCSTATS_KERNEL", "1")
    with pytest.raises(rs.MissingDependencyError, match="for another version"):
        installed_kernel.load()


@needs_kernel
def test_threads_that_share_a_generator_draw_what_numpy_would() -> None:
    shared, alone = np.random.default_rng(9), np.random.default_rng(9)
    jobs = [lambda: compiled.draw_counts(shared, 5000, 40) for _ in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = [np.asarray(one) for one in pool.map(lambda job: job(), jobs)]
    expected = [urn._draw_by_numpy(alone, 5000, 40) for _ in jobs]
    for one in found:  # in whatever order the threads came
        assert any((one == other).all() for other in expected)


@needs_kernel
@pytest.mark.parametrize("digits", [None, 2, 0])
@pytest.mark.parametrize("n", [4, 50, 5000])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"midpoint": 0.31},
        {"midpoint": "class_mean"},
        {"midpoint": "paper"},
        {"class_weight": "balanced"},
        {"class_weight": 0.9, "midpoint": "class_mean"},
    ],
)
def test_soft_areas_are_those_of_numpy(
    options: dict[str, object],
    n: int,
    digits: int | None,
    numpy_alone: Callable[[Callable[[], object]], object],
) -> None:
    rng = np.random.default_rng(n)
    y = np.arange(n) % 4 < 2
    score = rng.beta(1.0 + y, 2.0 - y)
    score = score if digits is None else score.round(digits)

    def ask() -> list[float]:
        found = rs.smauc(y, score, pos_label=True, **options)
        return [found.value, found.std_error, found.spread_pos, found.spread_neg]

    np.testing.assert_allclose(ask(), numpy_alone(ask), rtol=NEAR)


@needs_kernel
@pytest.mark.parametrize("n", [2, 64, 257, 1000, 70_000])
@pytest.mark.parametrize("digits", [2, 15])
def test_wins_over_margins_are_those_of_numpy(
    n: int, digits: int, numpy_alone: Callable[[Callable[[], object]], object]
) -> None:
    rng = np.random.default_rng(n)
    pos, neg = (np.sort(rng.normal(k, size=n).round(digits)) for k in (1, 0))

    def ask() -> np.ndarray:
        return wins_over_margins(pos, neg, MOST_STEPS)

    found = ask()
    np.testing.assert_array_equal(found, numpy_alone(ask))
    assert found[0] == (n - np.searchsorted(pos, neg, "right")).sum()


@needs_kernel
def test_the_kernel_leaves_soft_areas_without_spread_to_numpy(
    numpy_alone: Callable[[Callable[[], object]], object],
) -> None:
    y = np.arange(40) % 2 == 0
    for score in (y.astype(float), np.full(40, 0.5), np.full(40, 1.0), 1.0 - y):

        def ask(score: np.ndarray = score) -> list[float]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = rs.smauc(y, score, pos_label=True)
                return [found.value, found.std_error, found.spread_pos, found.spread_neg]

        np.testing.assert_array_equal(ask(), numpy_alone(ask))
    y, score = np.arange(40) == 3, np.linspace(0.0, 1.0, 40)  # one positive: no spread of them
    np.testing.assert_array_equal(ask(score), numpy_alone(lambda: ask(score)))


@needs_kernel
def test_a_mean_far_from_zero_costs_the_spread_no_digits() -> None:
    kernel = installed_kernel.kernel()
    assert kernel is not None
    score, label = np.linspace(0.0, 1.0, 1000) ** 2, np.zeros(1000, dtype=bool)
    label[300:302] = True  # two positives, and nothing between them
    moved = (0.0, 0.0, 0.0, 0.0)
    found = kernel.soft_area(score, label, None, 0.5, 1.0, 1.0, 2, 998, *moved)
    high = np.where(score >= 0.5, score, 1.0 - score)
    up = np.where(label, high, 1.0 - high)
    right = 1.0 - up
    below = np.cumsum(right) - right / 2
    above = up.sum() - np.cumsum(up) + up / 2
    value = (up * below).sum() / (up.sum() * right.sum())
    won = (below / right.sum() - value) / up.sum()
    lost = (above / up.sum() - value) / right.sum()
    influence = np.where(label, 2, 998) * (up * won + right * lost)
    squares = [((part - part.mean()) ** 2).sum() for part in (influence[label], influence[~label])]
    assert squares[0] < 1e-5 * influence[label].mean() ** 2
    np.testing.assert_allclose(found, [value, *squares], rtol=1e-11)


@needs_kernel
def test_products_of_rows_by_stratum(
    numpy_alone: Callable[[Callable[[], object]], object],
) -> None:
    rng = np.random.default_rng(1)
    for n, strata, rows in ((5, 1, 1), (513, 2, 3), (5000, 4, 7)):
        influence = Influence(
            estimate=np.zeros(rows),
            values=rng.normal(size=(rows, n)),
            stratum=rng.permutation(np.arange(n) % strata),
            rows=tuple((str(k), "auc") for k in range(rows)),
        )
        terms = influence.covariance_terms()
        np.testing.assert_allclose(terms, numpy_alone(influence.covariance_terms), rtol=NEAR)
        for k in range(strata):
            part = influence.values[:, influence.stratum == k]
            exact = sum(Fraction(a) * Fraction(b) for a, b in part[[0, -1]].T.tolist())
            size = part.shape[1]
            assert terms[k, 0, -1] == pytest.approx(float(exact / (size * (size - 1))), rel=NEAR)


@needs_kernel
def test_tails_of_contrasts(numpy_alone: Callable[[Callable[[], object]], object]) -> None:
    rng = np.random.default_rng(2)
    for n, strata, rows in ((6, 2, 2), (513, 2, 3), (5000, 4, 5)):
        values = rng.standard_t(3, size=(rows, n))
        values[:, :1] *= 1e90  # fourth powers leave the doubles
        influence = Influence(
            estimate=np.zeros(rows),
            values=values,
            stratum=rng.permutation(np.arange(n) % strata),
            rows=tuple((str(k), "auc") for k in range(rows)),
        )
        for weights in (rng.normal(size=rows), np.eye(rows)[0], np.zeros(rows)):
            found = influence.contrast_tails(weights)
            plain = numpy_alone(partial(influence.contrast_tails, weights))
            np.testing.assert_allclose(found, plain, rtol=NEAR)
            assert found == pytest.approx(influence.contrast(weights).tails(), rel=NEAR)


@needs_kernel
@pytest.mark.parametrize("k", [1, 2, 3, 8, 9])
def test_contrasts_at_their_nulls(
    numpy_alone: Callable[[Callable[[], object]], object], k: int
) -> None:
    rng = np.random.default_rng(k)
    for case in range(40):
        areas = rng.uniform(0.4, 1.0, k)
        areas[rng.random(k) < 0.2] = 1.0
        spread = rng.uniform(0.0, 0.1, k) * (areas < 1.0)
        beside = np.corrcoef(rng.normal(size=(k, k + 3))).reshape(k, k)
        beside[spread == 0.0] = np.nan
        beside[:, spread == 0.0] = np.nan
        weights = rng.normal(size=k) if case % 2 else (-1.0) ** np.arange(k)
        weights[1:][rng.random(k - 1) < 0.2] = 0.0
        within = np.nan_to_num(beside) * np.outer(spread, spread)
        df = np.inf if case % 3 == 0 else rng.uniform(3.0, 90.0)
        given = NullVariance(
            weights=weights,
            areas=areas,
            variances=spread**2,
            correlation=beside,
            variance=np.array(max(weights @ within @ weights, 0.0)),
            sizes=rng.uniform(5.0, 200.0, (k, 2)),
            stiffness=rng.uniform(0.01, 0.3, k),
            df=np.array(df),
            tailed=np.array(df * rng.uniform(0.2, 1.0)),
        )
        low, high = given.bounds
        nulls = np.append(np.linspace(low, high, 33), given.estimate)
        found, plain = given.compare(nulls), numpy_alone(partial(given.compare, nulls))
        np.testing.assert_allclose(found, plain, rtol=NEAR)
        assert (given._compare_one(nulls) is None) == (k > 8)


@needs_kernel
@pytest.mark.parametrize("ties", [False, True])
def test_influence_has_the_same_bits_with_and_without_a_sort(ties: bool) -> None:
    rng = np.random.default_rng(5)
    y = rng.permutation(np.arange(997) % 3 == 0)
    score = rng.random(997).round(1) if ties else rng.random(997)
    markers = {"a": score, "b": 1.0 - score}
    alone = rs.compare(y, markers).influence
    beside = rs.compare(y, markers, measure=["auc", "sauc"]).influence
    np.testing.assert_array_equal(alone.values, beside.values[::2])


@needs_kernel
@pytest.mark.parametrize("size", [1, 2, 3, 100, 4999, 33_000, 65_535, 65_536, 65_537, 100_003])
def test_draws_are_those_of_numpy_and_leave_its_stream_where_it_would_be(size: int) -> None:
    ours, theirs = np.random.default_rng(3), np.random.default_rng(3)
    for b in (1, 3, 1):
        found = compiled.draw_counts(ours, size, b)
        np.testing.assert_array_equal(found, urn._draw_by_numpy(theirs, size, b))
        assert ours.bit_generator.state == theirs.bit_generator.state


@needs_kernel
@pytest.mark.parametrize("digits", [None, 2, 0])
@pytest.mark.parametrize("n", [30, 900, 9000])
def test_resamples_are_bit_identical(
    n: int, digits: int | None, numpy_alone: Callable[[Callable[[], object]], object]
) -> None:
    rng = np.random.default_rng(n)
    y = np.arange(n) % 3 == 0
    scores = {k: rng.normal(size=n) + y for k in "ab"}
    if digits is not None:
        scores = {k: s.round(digits) for k, s in scores.items()}
    both = rs.compare(y, scores, pos_label=True)
    draws = rs.Bootstrap(n_resamples=150, rng=3)
    few = rs.Permutation(n_resamples=150, rng=3)

    def ask(n_jobs: int = 1) -> list[np.ndarray]:
        setting = rs.Bootstrap(n_resamples=150, rng=3, n_jobs=n_jobs)
        return [
            rs.bootstrap(both.rows[0], resampling=setting).replicates,
            rs.bootstrap(both, [1, -1], resampling=draws).replicates,
            rs.bootstrap(rs.sauc(y, scores["a"]), resampling=draws).replicates,
            np.array(rs.permutation_test(both, resampling=few).pvalue),
        ]

    for found, plain, threads in zip(ask(), numpy_alone(ask), ask(n_jobs=2), strict=True):
        np.testing.assert_array_equal(found, plain)
        np.testing.assert_array_equal(found, threads)


@needs_kernel
@pytest.mark.parametrize("n", [1, 7, 8, 9, 40, 1001])
def test_exchanged_sums_are_bit_identical_and_right(n: int) -> None:
    rng = np.random.default_rng(n)
    weights = rng.normal(size=n)
    coins = rng.integers(0, 256, size=(21, -(-n // 8)), dtype=np.uint8)
    signed = SignedSum(weights)
    found = signed(coins)
    np.testing.assert_array_equal(found, signed._by_numpy(coins))
    signs = 1.0 - 2.0 * np.unpackbits(coins, axis=1, count=n)
    np.testing.assert_allclose(found, signs @ weights, atol=1e-12)


@needs_kernel
@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize("method", ["bootstrap", "fixed-width", "envelope"])
def test_bands_are_bit_identical(
    method: str, digits: int | None, numpy_alone: Callable[[Callable[[], object]], object]
) -> None:
    rng = np.random.default_rng(5)
    y = np.arange(700) % 3 == 0
    score = rng.normal(size=700) + y
    score = score if digits is None else score.round(digits)
    setting = rs.Bootstrap(n_resamples=100, rng=2)

    def ask() -> dict[str, object]:
        return rs.roc_band(y, score, pos_label=True, method=method, resampling=setting).to_dict()

    assert ask() == numpy_alone(ask)


@needs_kernel
@pytest.mark.parametrize("floor", [{}, {"min_sensitivity": 0.8}, {"min_specificity": 0.7}])
@pytest.mark.parametrize("digits", [None, 2])
@pytest.mark.parametrize("criterion", ["youden", "closest", "product", "minimum", "kappa"])
def test_cutpoints_are_bit_identical(
    criterion: str,
    digits: int | None,
    floor: dict[str, float],
    numpy_alone: Callable[[Callable[[], object]], object],
) -> None:
    rng = np.random.default_rng(11)
    y = np.arange(500) % 5 < 2
    score = rng.normal(size=500) + 2 * y
    score = score if digits is None else score.round(digits)
    score[[3, 8]] = np.inf, -np.inf

    def ask(n_jobs: int = 1) -> list[np.ndarray]:
        setting = rs.Bootstrap(n_resamples=130, rng=2, n_jobs=n_jobs)
        found = rs.optimal_cutpoint(
            y, score, criterion, pos_label=True, resampling=setting, **floor
        )
        return [found.replicates, found.smoothed]

    for found, plain, threads in zip(ask(), numpy_alone(ask), ask(n_jobs=2), strict=True):
        np.testing.assert_array_equal(found, plain)
        np.testing.assert_array_equal(found, threads)


@needs_kernel
def test_bytes_are_those_of_numpy() -> None:
    ours, theirs = np.random.default_rng(3), np.random.default_rng(3)
    found = compiled.draw_bytes(ours, 7, 3, 5)
    parts = [theirs.integers(0, 256, (b, 5), dtype=np.uint8) for b in (3, 3, 1)]
    np.testing.assert_array_equal(found, np.concatenate(parts))
    assert ours.bit_generator.state == theirs.bit_generator.state


@needs_kernel
def test_heights_are_those_of_numpy_over_any_grid() -> None:
    rng = np.random.default_rng(8)
    x, y = (np.sort(rng.integers(0, 9, size=(3, 12)) / 8.0, axis=1) for _ in range(2))
    at = np.sort(rng.integers(0, 12, 20))
    walk = Walk(at, at)
    for grid in (np.linspace(0.0, 1.0, 33), np.array([0.5, 0.1, 1.0, 0.0, 0.125])):
        np.testing.assert_array_equal(walk.heights(x, y, grid), walk._by_numpy(x, y, grid))


@needs_kernel
def test_the_kernel_refuses_what_does_not_fit() -> None:
    kernel = installed_kernel.kernel()
    assert kernel is not None
    two, label = np.array([1.0, 2.0]), np.array([True, False])
    stream = np.random.default_rng(1).bit_generator.capsule
    path, tickets = np.array([1, 0]), np.ones(2**16, dtype=np.uint16)  # of one unit only
    for wrong in (
        lambda: kernel.placements(two, label[:1], None),
        lambda: kernel.placements(two, label, np.empty(3)),
        lambda: kernel.products(np.ones((2, 3)), np.zeros(2, dtype=np.intp), np.empty((1, 2, 2))),
        lambda: kernel.products(np.ones((2, 2)), np.zeros(2, dtype=np.intp), np.empty(3)),
        lambda: kernel.draw_counts(stream, 0, np.empty(3, dtype=np.int64)),
        lambda: kernel.draw_counts(stream, 2, np.empty(3, dtype=np.int64)),
        lambda: kernel.draw_wins(stream, 1, 2, np.array([3]), None, np.empty(1, dtype=np.int64)),
        lambda: kernel.draw_wins(stream, 1, 2, np.array([-1]), None, np.empty(1, dtype=np.int64)),
        lambda: kernel.draw_wins(stream, 0, 2, np.array([1]), None, np.empty(1, dtype=np.int64)),
        lambda: kernel.draw_bytes(stream, 0, np.empty(3, dtype=np.uint8)),
        lambda: kernel.draw_best(
            *(stream, 1, path, path[:1], two, two, None, None, 0, 0, 1),
            np.empty((1, 4), dtype=np.int64),
        ),
        lambda: kernel.draw_best(
            *(stream, 1, path, path + 1, two, two, None, None, 0, 0, 1),
            np.empty((1, 4), dtype=np.int64),
        ),
        lambda: kernel.draw_best(
            *(stream, 1, path, path, two, two, None, None, 3, 0, 1),
            np.empty((1, 4), dtype=np.int64),
        ),
        lambda: kernel.draw_best(
            *(stream, 1, path, path, two, two, tickets, tickets, 0, 0, 1),
            np.empty((1, 4), dtype=np.int64),
        ),
        lambda: kernel.draw_heights(stream, 1, path, path[::-1].copy(), two, 0.0, np.empty(2)),
        lambda: kernel.draw_heights(stream, 1, path, path, -two, 0.0, np.empty(2)),
        lambda: kernel.draw_heights(stream, 1, path, path, two, 0.0, np.empty(3)),
        lambda: kernel.heights(two, two, *2 * [np.array([2])], two, 0.0, np.empty((1, 2))),
        lambda: kernel.heights(two, two, *2 * [np.array([1])], two, 0.0, np.empty(3)),
        lambda: kernel.swap_sums(np.zeros((2, 1), np.uint8), np.zeros((4, 16)), np.empty(2)),
        lambda: kernel.tails(np.ones((2, 2)), path, two[:1], two),
        lambda: kernel.tails(np.ones((2, 2)), path, two, two[:1].copy()),
        lambda: kernel.tails(np.ones((2, 2)), -path, two, two.copy()),
        lambda: kernel.null_statistics(*6 * [two], np.ones((2, 2)), np.ones(7), np.empty(4)),
        lambda: kernel.null_statistics(*7 * [two[:1]], np.ones(7), np.empty(2)),
        lambda: kernel.sort(two, label, two, label[:1]),
        lambda: kernel.sort(two, label, two[:1].copy(), label),
        lambda: kernel.cells_apart(path, 0, path.copy()),
        lambda: kernel.cells_apart(path, 1025, path.copy()),
        lambda: kernel.cells_apart(path, 2, np.empty(513, dtype=np.int64)),
        lambda: kernel.soft_area(two, label[:1], None, 0.5, 1, 1, 1, 1, 0, 0, 0, 0),
        lambda: kernel.soft_area(two[:1], label, None, 0.5, 1, 1, 1, 1, 0, 0, 0, 0),
        lambda: kernel.soft_area(two, two, two[:1], 0.5, 1, 1, 1, 1, 0, 0, 0, 0),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            wrong()
    for wrong in (
        lambda: kernel.placements(two.astype(np.float32), label, None),
        lambda: kernel.placements(two, label.astype(int), None),
        lambda: kernel.products(two, np.zeros(2), np.empty(1)),
    ):
        with pytest.raises(TypeError, match="expected an array"):
            wrong()
    with pytest.raises((ValueError, BufferError)):
        kernel.placements(np.arange(4.0)[::2], label, None)
    fixed = np.empty(2)
    fixed.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        kernel.placements(two, label, fixed)
    for scores in ([1.0, np.nan], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="not a number"):
            kernel.placements(np.array(scores), label, None)
    assert kernel.placements(two, np.array([True, True]), None) is None
    assert kernel.placements(np.empty(0), np.empty(0, dtype=bool), None) is None


@needs_kernel
def test_the_kernel_keeps_nothing_of_what_it_is_given() -> None:
    kernel = installed_kernel.kernel()
    assert kernel is not None
    stream = np.random.default_rng(1).bit_generator.capsule
    two, label, path = np.array([1.0, 2.0]), np.array([True, False]), np.array([1, 0])
    pair, square, cube = np.ones((1, 2)), np.ones((2, 2)), np.ones((1, 2, 2))
    coins, table, one = np.zeros((1, 1), np.uint8), np.zeros((2, 16)), np.array([1])
    wins, best, number = np.empty(1, np.int64), np.empty((1, 4), np.int64), np.empty(1)
    given = [two, label, path, pair, square, cube, coins, table, one, wins, best, number]
    four, seven = np.empty(4), np.ones(7)
    given += [four, seven]
    for call in (
        lambda: kernel.placements(two, label, two.copy()),
        lambda: kernel.placements(two, label, None),
        lambda: kernel.products(square, path, np.zeros((2, 2, 2))),
        lambda: kernel.products(square, path, cube[0, 0, :1]),  # and where they do not fit
        lambda: kernel.tails(square, path, two, np.empty(2)),
        lambda: kernel.draw_counts(stream, 2, wins),
        lambda: kernel.draw_counts(stream, 1, wins),
        lambda: kernel.draw_bytes(stream, 1, coins),
        lambda: kernel.draw_wins(stream, 1, 2, one, None, wins),
        lambda: kernel.draw_best(stream, 1, path, path, two, two, None, None, 0, 0, 1, best),
        lambda: kernel.draw_heights(stream, 1, path, path, two, 0.0, pair),
        lambda: kernel.heights(two, two, one, one, two, 0.0, pair),
        lambda: kernel.soft_area(two, label, None, 0.5, 1, 1, 1, 1, 0, 0, 0, 0),
        lambda: kernel.soft_area(two, two, two, 0.5, 1, 1, 1, 1, 0, 0, 0, 0),
        lambda: kernel.swap_sums(coins, table, number),
        lambda: kernel.null_statistics(two, two, two, four, two, two, square, seven, four),
    ):
        before = [sys.getrefcount(array) for array in given]
        with contextlib.suppress(ValueError):
            call()
        assert [sys.getrefcount(array) for array in given] == before


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    where = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tools")])}
    call = [sys.executable, *words]
    return subprocess.run(
        call, cwd=ROOT, env=where | variables, capture_output=True, text=True, check=False
    )


OF_KERNEL = ("compiled", "kernel_in_the_small")


def test_the_oracle_and_the_engine_hold_without_the_kernel() -> None:
    of_kernel = [f"--ignore=tests/engine/test_{name}.py" for name in OF_KERNEL]
    some = ["tests/test_oracle.py", "tests/engine", *of_kernel]
    done = run(
        *("-m", "pytest", "-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", *some),
        ROCSTATS_KERNEL="0",
    )
    assert done.returncode == 0, done.stdout[-2000:]


def test_the_version_says_what_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROCSTATS_KERNEL", raising=False)
    without = run("-m", "rocstats", "--version", ROCSTATS_KERNEL="0")
    assert without.stdout == f"rocstats {rs.__version__} (numpy alone, as ROCSTATS_KERNEL=0 asks)\n"
    assert describe() in run("-m", "rocstats", "--version", ROCSTATS_KERNEL="").stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout without anything compiled."""
    place = tmp_path_factory.mktemp("checkout") / "source"
    ignored = ("_kernel.*so", "__pycache__", "tests", "docs", "build", ".venv*", ".git", ".m*")
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*ignored))
    return place


def says(place: Path, code: str, wish: str = "") -> str:
    """Return what a new Python prints that finds rocstats in a place, errors too."""
    where = os.environ | {"PYTHONPATH": str(place), "ROCSTATS_KERNEL": wish}
    call = [
        sys.executable,
        *(["-m", *code.split()] if code.startswith("rocstats") else ["-c", code]),
    ]
    done = subprocess.run(
        call, cwd=place.parent, env=where, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("compiler", ["/bin/false", "no-such-compiler", None])
def test_a_wheel_is_built_with_a_compiler_and_without(
    compiler: str | None, source: Path, tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    variables = os.environ | ({"CC": compiler} if compiler else {})
    if compiler is None and shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(source)], env=variables, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "here")
        compiled_files = [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
    said = says(tmp_path / "here", "rocstats --version")
    insist = says(
        tmp_path / "here", "import rocstats as rs; print(rs.auc([0, 1], [1, 2]).value)", "1"
    )
    if compiler is None:
        assert "-cp311-abi3-" in wheel.name
        assert len(compiled_files) == 1
        assert said == f"rocstats {rs.__version__} (compiled kernel)\n"
        assert insist.startswith("1.0")
    else:
        assert wheel.name.endswith("py3-none-any.whl")
        assert not compiled_files
        assert "no C kernel compiled when installed" in said
        assert "ROCSTATS_KERNEL=1 asks for the compiled kernel" in insist


def test_an_editable_install_compiles_beside_its_source_or_goes_on(
    source: Path, tmp_path: Path
) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    build = "import sys; from hatchling.build import build_editable; build_editable(sys.argv[1])"
    for compiler, word in ((None, "(compiled kernel)"), ("/bin/false", "(numpy alone, slower")):
        subprocess.run(
            [sys.executable, "-c", build, str(tmp_path)],
            cwd=source,
            env=os.environ | ({"CC": compiler} if compiler else {}),
            check=True,
        )
        assert word in says(source, "rocstats --version")  # the one of before is gone
