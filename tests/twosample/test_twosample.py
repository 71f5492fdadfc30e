"""Two-sample tests against enumeration in fractions, R and scipy; their laws and their size."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rocstats as rs
from rocstats.resampling.label_repair import Repair
from rocstats.twosample import scored_sums as scored
from rocstats.twosample import wilcoxon
from rocstats.twosample.moments import ramp_moments
from rocstats.twosample.pooled_values import Labelled, Pool, pool_batch
from rocstats.twosample.rank_sums import rank_sum_distribution
from rocstats.twosample.relabeling import Coin
from rocstats.twosample.sample_batches import batch_pvalues, batch_statistics
from rocstats.twosample.scored_sums import ramp_means
from rocstats.twosample.statistics import STATISTICS

SAME = 1e-12  # one arithmetic against another
MC = 4.5  # Monte-Carlo standard errors
SIDES = ("two-sided", "less", "greater")
MIRROR = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
TIED_X = [3, 4, 4, 5, 7, 7, 8]
TIED_Y = [1, 2, 3, 3, 4, 5, 6, 6, 9]
SIZES = [(1, 1), (2, 1), (1, 4), (3, 2), (3, 4), (5, 3)]

# R 4.2.2: wilcox.test(x, y, exact = TRUE) without ties, and of TIED_X, TIED_Y with exact = FALSE,
# correct = TRUE and FALSE; t.test(TIED_X, TIED_Y), Welch and with var.equal = TRUE.
UNTIED_X = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
UNTIED_Y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06001, 3.14, 1.29001]
FROM_R = {
    "exact": (0.13591114767585355, 0.94325380501851086, 0.067955573837926775),
    "corrected": (0.31066861013535935, 0.86875771293665061, 0.15533430506767967),
    "uncorrected": (0.28589099744369123, 0.85705450127815441, 0.14294549872184562),
    "welch": (0.33117510703172703, 0.83441244648413648, 0.16558755351586352),
    "t": (0.34662599216481349, 0.82668700391759331, 0.17331299608240675),
}


def tied(m: int, n: int, seed: int = 0) -> tuple[list[int], list[int]]:
    z = np.random.default_rng([m, n, seed]).integers(0, 6, size=m + n).tolist()
    z[0], z[-1] = 0, 5  # never all equal
    return z[:m], z[m:]


def relabelings(x: list[Any], y: list[Any]) -> list[tuple[list[Any], list[Any]]]:
    z, places = [*x, *y], range(len(x) + len(y))
    return [
        ([z[i] for i in chosen], [z[i] for i in places if i not in chosen])
        for chosen in itertools.combinations(places, len(x))
    ]


def ramp(x: list[int], y: list[int]) -> Fraction:
    return Fraction(sum(max(a - b, 0) for a in x for b in y), len(x) * len(y))


def step(x: list[int], y: list[int]) -> Fraction:
    return Fraction(sum((a > b) * 2 + (a == b) for a in x for b in y), 2 * len(x) * len(y))


def distance(x: list[int], y: list[int], side: str) -> Fraction:
    def below(sample: list[int], t: int) -> Fraction:
        return Fraction(sum(v <= t for v in sample), len(sample))

    steps = [below(y, t) - below(x, t) for t in [*x, *y]]
    if side == "two-sided":
        return max(abs(d) for d in steps)
    return max(0, *steps) if side == "greater" else max(0, *(-d for d in steps))


def share(values: list[Any], observed: Any, near: float = 0.0) -> float:
    return float(Fraction(sum(v >= observed - near for v in values), len(values)))


def mean(values: list[Any]) -> Any:
    return sum(values) / len(values)


# ------------------------------------------------------------------------- exact and brute force


@pytest.mark.parametrize("sizes", SIZES)
def test_moments_are_those_of_all_relabelings(sizes: tuple[int, int]) -> None:
    x, y = tied(*sizes)
    ahead = [ramp(a, b) for a, b in relabelings(x, y)]
    behind = [ramp(b, a) for a, b in relabelings(x, y)]
    mid = mean(ahead)
    found = ramp_moments(pool_batch(np.array([x], float), np.array([y], float)).pool, *sizes)
    for got, wanted in (
        (found.mean, mid),
        (found.ahead, mean([(s - mid) ** 2 for s in ahead])),
        (found.behind, mean([(r - mid) ** 2 for r in behind])),
        (found.across, mean([(s - mid) * (r - mid) for s, r in zip(ahead, behind, strict=True)])),
    ):
        assert got[0] == pytest.approx(float(wanted), rel=SAME, abs=SAME)


def test_moments_agree_with_the_variance_of_the_mean_difference() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.lognormal(size=(3, 40)), rng.lognormal(size=(3, 23))
    found = ramp_moments(pool_batch(x, y).pool, 40, 23)
    pooled = np.concatenate([x, y], axis=1).var(axis=1, ddof=1)
    difference = found.ahead + found.behind - 2.0 * found.across
    np.testing.assert_allclose(difference, pooled * (1 / 40 + 1 / 23), rtol=1e-11)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("sizes", SIZES)
def test_exact_pvalues_are_shares_of_all_relabelings(sizes: tuple[int, int], side: str) -> None:
    for seed in range(3):
        x, y = tied(*sizes, seed)
        every = relabelings(x, y)
        sign = -1 if side == "less" else 1

        def towards(value: Any, sign: int = sign) -> Any:
            return abs(value) if side == "two-sided" else sign * value

        def centred(a: list[int], b: list[int]) -> Any:
            return towards(step(a, b) - Fraction(1, 2))

        def difference(a: list[int], b: list[int]) -> Any:
            return towards(Fraction(sum(a), len(a)) - Fraction(sum(b), len(b)))

        mid = mean([ramp(a, b) for a, b in every])
        spread = [
            math.sqrt(mean([(s - mid) ** 2 for s in values]))
            for values in ([ramp(a, b) for a, b in every], [ramp(b, a) for a, b in every])
        ]

        def larger(a: list[int], b: list[int], mid: Any = mid, spread: Any = spread) -> Any:
            if side != "two-sided":
                return ramp(a, b) if side == "greater" else ramp(b, a)
            return max(float(ramp(a, b) - mid) / spread[0], float(ramp(b, a) - mid) / spread[1])

        wanted: dict[str, Callable[[list[int], list[int]], Any]] = {
            "auc": centred,
            "t": difference,
            "sauc": larger,
            "ks": lambda a, b: distance(a, b, side),
        }
        for name, statistic in wanted.items():
            found = rs.two_sample_test(x, y, statistic=name, alternative=side, method="exact")
            near = 1e-9 if (name, side) == ("sauc", "two-sided") else 0
            p = share([statistic(a, b) for a, b in every], statistic(x, y), near)
            assert found.pvalue == pytest.approx(p, rel=SAME), (name, x, y)
            assert found.exact
            assert found.n_resamples == 0


@pytest.mark.parametrize("side", SIDES)
def test_studentized_statistics_are_enumerated_as_scipy_computes_them(side: str) -> None:
    x, y = [1.0, 4.0, 4.5, 7.0], [2.0, 3.0, 4.0, 0.5, 1.5]
    every = relabelings(x, y)

    def towards(value: float) -> float:
        return abs(value) if side == "two-sided" else value * (-1 if side == "less" else 1)

    def welch(a: list[float], b: list[float]) -> float:
        return towards(stats.ttest_ind(a, b, equal_var=False).statistic)

    def placements(a: list[float], b: list[float]) -> float:
        if step(a, b) in (0, 1):  # type: ignore[arg-type]
            return towards(math.inf if step(a, b) else -math.inf)  # type: ignore[arg-type]
        return towards(-stats.brunnermunzel(a, b).statistic)

    for name, statistic in (("welch", welch), ("brunner-munzel", placements)):
        found = rs.two_sample_test(x, y, statistic=name, alternative=side, method="exact")
        p = share([statistic(a, b) for a, b in every], statistic(x, y), 1e-9)
        assert found.pvalue == pytest.approx(p, rel=SAME)


@pytest.mark.parametrize(("m", "n"), [(1, 30), (12, 40), (40, 12), (25, 25)])
def test_exact_wilcoxon_is_scipys_without_ties(m: int, n: int) -> None:
    rng = np.random.default_rng([m, n])
    x, y = rng.normal(0.4, 1.0, m), rng.normal(size=n)
    for side in SIDES:
        found = rs.two_sample_test(x, y, statistic="auc", alternative=side, method="exact")
        wanted = stats.mannwhitneyu(x, y, alternative=side, method="exact").pvalue
        assert found.pvalue == pytest.approx(wanted, rel=SAME)


@pytest.mark.parametrize("side", ["less", "greater"])
def test_exact_wilcoxon_with_ties_is_scipys_full_permutation(side: str) -> None:
    every = stats.PermutationMethod(n_resamples=20_000)  # C(16, 7) = 11440, so all are taken
    wanted = stats.mannwhitneyu(TIED_X, TIED_Y, alternative=side, method=every).pvalue
    found = rs.two_sample_test(TIED_X, TIED_Y, statistic="auc", alternative=side)
    assert found.pvalue == pytest.approx(wanted, rel=SAME)


def test_rank_sum_distribution_sums_to_one_and_has_the_exact_mean() -> None:
    scores = np.sort(np.random.default_rng(3).integers(0, 40, size=60))
    chance = rank_sum_distribution(scores, 22)
    assert chance.sum() == pytest.approx(1.0, rel=SAME)
    assert chance @ np.arange(chance.size) == pytest.approx(22 * scores.mean(), rel=SAME)


# ------------------------------------------------------------------------------------ R and scipy


@pytest.mark.parametrize(("place", "side"), list(enumerate(SIDES)))
def test_pvalues_are_those_of_r(place: int, side: str) -> None:
    def pvalue(x: Any, y: Any, **options: Any) -> float:
        return rs.two_sample_test(x, y, alternative=side, **options).pvalue  # type: ignore[arg-type]

    near = {"statistic": "auc", "method": "asymptotic"}
    assert pvalue(UNTIED_X, UNTIED_Y, statistic="auc") == pytest.approx(
        FROM_R["exact"][place], rel=SAME
    )
    for name, options in (
        ("corrected", near),
        ("uncorrected", {**near, "continuity": False}),
        ("welch", {"statistic": "welch"}),
        ("t", {"statistic": "t"}),
    ):
        assert pvalue(TIED_X, TIED_Y, **options) == pytest.approx(FROM_R[name][place], rel=SAME)


def test_random_samples_agree_with_r() -> None:
    try:
        rs.rbridge.require(())
    except rs.RUnavailableError as error:
        pytest.skip(str(error))
    code = """
    suppressWarnings(c(
      wilcox.test(x, y, exact = FALSE)$p.value,
      wilcox.test(x, y, exact = FALSE, correct = FALSE)$p.value,
      t.test(x, y)$p.value, t.test(x, y)$conf.int, ks.test(x, y, exact = FALSE)$p.value,
      wilcox.test(x, y, exact = FALSE, alternative = "greater")$p.value))
    """
    rng = np.random.default_rng(8)
    for digits in (0, 1, 9):
        x, y = rng.normal(0.5, 2.0, 31).round(digits), rng.normal(size=44).round(digits)
        wanted = rs.rbridge.evaluate(code, {"x": x, "y": y}, packages=())
        area = {"statistic": "auc", "method": "asymptotic"}
        welch = rs.two_sample_test(x, y, statistic="welch")
        limits = welch.confidence_interval()
        found = [
            rs.two_sample_test(x, y, **area).pvalue,  # type: ignore[arg-type]
            rs.two_sample_test(x, y, continuity=False, **area).pvalue,  # type: ignore[arg-type]
            welch.pvalue,
            limits.low,
            limits.high,
            rs.two_sample_test(x, y, statistic="ks", method="asymptotic").pvalue,
            rs.two_sample_test(x, y, alternative="greater", **area).pvalue,  # type: ignore[arg-type]
        ]
        np.testing.assert_allclose(found, wanted, rtol=1e-10)  # R's Kolmogorov series stops early


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_batches_are_scipys_tests_row_by_row(side: Any, digits: int) -> None:
    rng = np.random.default_rng(digits)
    x, y = rng.normal(0.5, 1.0, (40, 9)).round(digits), rng.normal(size=(40, 7)).round(digits)
    for half in (True, False):
        wanted = stats.mannwhitneyu(
            x, y, axis=1, alternative=side, method="asymptotic", use_continuity=half
        ).pvalue
        found = batch_pvalues("auc", x, y, alternative=side, continuity=half)
        np.testing.assert_allclose(found, wanted, rtol=SAME)
    for name, equal in (("welch", False), ("t", True)):
        both = stats.ttest_ind(x, y, axis=1, equal_var=equal, alternative=side)
        found = batch_pvalues(name, x, y, alternative=side)
        np.testing.assert_allclose(found, both.pvalue, rtol=1e-10)
        np.testing.assert_allclose(batch_statistics(name, x, y), both.statistic, rtol=1e-10)
    rows = list(zip(x, y, strict=True))
    wanted = [stats.brunnermunzel(a, b, alternative=side).pvalue for a, b in rows]
    np.testing.assert_allclose(
        batch_pvalues("brunner-munzel", x, y, alternative=side), wanted, rtol=1e-10
    )
    wanted = [stats.ks_2samp(a, b, alternative=MIRROR[side]).statistic for a, b in rows]
    np.testing.assert_allclose(batch_statistics("ks", x, y, alternative=side), wanted, atol=SAME)


@pytest.mark.parametrize("name", sorted(STATISTICS))
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.filterwarnings("ignore:The normal approximation of the sAUC")
def test_a_row_of_a_batch_is_the_test_of_that_row(name: str, side: Any) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(3, 11)).round(1), rng.normal(size=(3, 8)).round(1)
    found = [
        rs.two_sample_test(a, b, statistic=name, alternative=side, method="asymptotic")
        for a, b in zip(x, y, strict=True)
    ]
    batch = batch_pvalues(name, x, y, alternative=side)
    np.testing.assert_allclose([r.pvalue for r in found], batch, rtol=SAME)
    batch = batch_statistics(name, x, y, alternative=side)
    np.testing.assert_allclose([r.statistic for r in found], batch, rtol=SAME)


def test_the_law_of_the_larger_z_is_bivariate_normal() -> None:
    rng = np.random.default_rng(6)
    for m, n in ((5, 30), (20, 20), (30, 6)):
        x, y = rng.exponential(size=(1, m)), rng.exponential(size=(1, n))
        moments = ramp_moments(pool_batch(x, y).pool, m, n)
        rho = float(moments.correlation[0])
        larger = float(batch_statistics("sauc", x, y)[0])
        law = stats.multivariate_normal(cov=[[1.0, rho], [rho, 1.0]])
        wanted = 1.0 - law.cdf([larger, larger])
        assert batch_pvalues("sauc", x, y)[0] == pytest.approx(wanted, rel=1e-6)  # cdf integrates


# ------------------------------------------------------------------------------------ permutation


@pytest.mark.parametrize("name", sorted(STATISTICS))
@pytest.mark.parametrize("side", SIDES)
def test_random_relabelings_estimate_the_exact_pvalue(name: str, side: Any) -> None:
    options: dict[str, Any] = {"statistic": name, "alternative": side}
    exact = rs.two_sample_test(TIED_X, TIED_Y, method="exact", **options).pvalue
    found = rs.two_sample_test(
        *(TIED_X, TIED_Y), method="permutation", resampling=rs.Permutation(rng=11), **options
    )
    assert abs(found.pvalue - exact) < MC * math.sqrt(exact * (1.0 - exact) / 9999) + 1e-4
    assert (found.n_resamples, found.exact) == (9999, False)
    assert found.pvalue * 10_000 == pytest.approx(round(found.pvalue * 10_000), abs=1e-6)


def test_the_smallest_pvalue_counts_the_data_themselves() -> None:
    few = rs.Permutation(n_resamples=99, rng=1)
    x, y = np.arange(40.0) + 100.0, np.arange(40.0)
    for name in ("sauc", "auc", "t"):
        found = rs.two_sample_test(x, y, statistic=name, method="permutation", resampling=few)
        assert found.pvalue == 1 / 100


def test_workers_do_not_change_the_answer() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=30), rng.normal(size=25)
    found = [
        rs.two_sample_test(x, y, resampling=rs.Permutation(n_resamples=3000, rng=5, n_jobs=jobs))
        for jobs in (1, 2)
    ]
    assert found[0].pvalue == found[1].pvalue
    assert found[0].n_resamples == 3000


@pytest.mark.parametrize("name", ["auc", "sauc", "t"])
@pytest.mark.parametrize("side", SIDES)
def test_large_pools_are_read_as_small_ones_are(
    name: str, side: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(13)
    x, y = rng.normal(size=37).round(1), rng.normal(size=52).round(1)
    data = pool_batch(x[np.newaxis], y[np.newaxis])
    packed = Coin.for_sizes(37, 52).packed(rng, 200)
    labels = Labelled(pool=data.pool, marks=packed, n_pos=37, n_neg=52)
    by_bytes = STATISTICS[name].prepare(data.pool, 37, 52, side).extreme(labels)
    for module in (scored, wilcoxon):
        monkeypatch.setattr(module, "TABLED", 0)
    plainly = STATISTICS[name].prepare(data.pool, 37, 52, side).extreme(labels)
    np.testing.assert_allclose(by_bytes, plainly, atol=1e-11)


def test_long_ramps_are_the_means_of_pairs() -> None:
    rng = np.random.default_rng(14)
    x, y = rng.exponential(size=611).round(2), rng.exponential(size=702).round(2) + 0.1
    data = pool_batch(x[np.newaxis], y[np.newaxis])
    ahead, behind = ramp_means(data)
    pairs = x[:, np.newaxis] - y
    assert ahead[0] == pytest.approx(np.maximum(pairs, 0.0).mean(), rel=SAME)
    for side, mean in (("greater", ahead), ("less", behind)):
        order = STATISTICS["sauc"].prepare(data.pool, 611, 702, side)  # type: ignore[arg-type]
        null = float(ramp_moments(data.pool, 611, 702).mean[0])
        reach = float(np.ptp(data.pool.values))
        assert order.by_bytes
        assert order.extreme(data)[0] == pytest.approx((mean[0] - null) / reach, abs=SAME)


def test_workers_do_not_change_the_answer_of_a_large_pool() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=1500), rng.normal(size=700)
    for name in ("sauc", "auc", "ks"):
        found = [
            rs.two_sample_test(
                *(x, y, name),
                method="permutation",
                resampling=rs.Permutation(n_resamples=1500, rng=5, n_jobs=jobs),
            ).pvalue
            for jobs in (1, 2)
        ]
        assert found[0] == found[1]


def test_vast_pools_are_judged_by_the_normal_law_unless_a_value_has_weight() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=100_500), rng.normal(size=100_000)
    found = rs.two_sample_test(x, y)
    assert "normal approximation" in found.method
    assert not found.n_resamples
    few = rs.Permutation(n_resamples=9)
    for heavy in ((np.append(x, 1e4), y), (x[:99_000], y[:100_000])):
        assert rs.two_sample_test(*heavy, resampling=few).n_resamples == 9


def draw(sizes: tuple[int, int], rows: int, *, seed: int, coin: Any = Coin) -> Any:
    packed = coin.for_sizes(*sizes).packed(np.random.default_rng(seed), rows)
    pool = Pool(values=np.zeros((1, sum(sizes))))
    return Labelled(pool=pool, marks=packed, n_pos=sizes[0], n_neg=sizes[1]).label


@pytest.mark.parametrize(
    "sizes", [(1, 1), (1, 7), (32, 32), (33, 32), (64, 64), (3, 1000), (190, 10)]
)
@pytest.mark.parametrize("coin", [Coin, Repair])
def test_labels_have_the_right_counts(coin: Any, sizes: tuple[int, int]) -> None:
    labels = draw(sizes, 50, seed=1, coin=coin)
    assert labels.shape == (50, sum(sizes))
    assert (labels.sum(axis=1) == sizes[0]).all()


@pytest.mark.parametrize("digits", [(), (1,), (1, 0, 1), (1, 1, 1, 1)])
@pytest.mark.parametrize("sizes", [(700, 500), (500, 700), (3, 2000), (2000, 3)])
def test_any_coin_is_put_right(sizes: tuple[int, int], digits: tuple[int, ...]) -> None:
    repair = Repair(n_pos=sizes[0], n_neg=sizes[1], digits=digits)
    labels = draw(sizes, 300, seed=3, coin=SimpleNamespace(for_sizes=lambda m, n: repair))
    assert (labels.sum(axis=1) == sizes[0]).all()
    expected = sizes[0] / sum(sizes)  # every place is as likely, the first and the last too
    spread = math.sqrt(expected * (1.0 - expected) / 300)
    assert np.std(labels.mean(axis=0)) == pytest.approx(spread, rel=0.15)
    half = sum(sizes) // 2
    assert abs(labels[:, :half].mean() - expected) < MC * spread / math.sqrt(half)


@pytest.mark.parametrize("coin", [Coin, Repair])
@pytest.mark.parametrize("sizes", [(2, 3), (3, 3), (1, 6), (6, 1)])
def test_every_arrangement_is_as_likely(coin: Any, sizes: tuple[int, int]) -> None:
    draws, many = 20_000, math.comb(sum(sizes), sizes[0])
    labels = draw(sizes, draws, seed=7, coin=coin)
    codes = labels @ (1 << np.arange(sum(sizes)))
    counts = np.unique(codes, return_counts=True)[1]
    assert counts.size == many
    assert stats.chisquare(counts).pvalue > 1e-4


# ------------------------------------------------------------------------------------ the laws


@pytest.mark.parametrize("name", sorted(STATISTICS))
@pytest.mark.parametrize("side", SIDES)
def test_exchanging_the_samples_exchanges_the_sides(name: str, side: str) -> None:
    for method in ("exact", "auto"):
        found, mirrored = (
            rs.two_sample_test(a, b, statistic=name, alternative=s, method=method)  # type: ignore[arg-type]
            for a, b, s in ((TIED_X, TIED_Y, side), (TIED_Y, TIED_X, MIRROR[side]))
        )
        assert found.pvalue == pytest.approx(mirrored.pvalue, rel=1e-11)


@pytest.mark.parametrize("name", ["sauc", "t", "welch"])
def test_shift_and_scale_change_nothing(name: str) -> None:
    x, y = np.array(TIED_X, float), np.array(TIED_Y, float)
    for move in (lambda v: 4.0 * v, lambda v: v + 2.0**30, lambda v: 1e-9 * v, lambda v: 1e9 * v):
        for method in ("exact", "permutation"):
            options: dict[str, Any] = {
                "statistic": name,
                "method": method,
                "resampling": rs.Permutation(n_resamples=500, rng=3),
            }
            first = rs.two_sample_test(x, y, **options)
            second = rs.two_sample_test(move(x), move(y), **options)
            assert first.pvalue == second.pvalue
            assert first.statistic == pytest.approx(second.statistic, rel=1e-9)


@pytest.mark.filterwarnings("ignore:The normal approximation:rocstats.SmallSampleWarning")
@pytest.mark.parametrize("name", ["sauc", "t", "welch"])
@pytest.mark.parametrize("scale", [2.0**400, 2.0**-400])
def test_asymptotic_answers_hold_where_fourth_powers_leave_the_doubles(
    name: str, scale: float
) -> None:
    x, y = np.array(TIED_X, float), np.array(TIED_Y, float)
    options: dict[str, Any] = {"statistic": name, "method": "asymptotic"}
    first = rs.two_sample_test(x, y, **options)
    second = rs.two_sample_test(scale * x, scale * y, **options)
    assert (first.df, first.pvalue) == (second.df, second.pvalue)


@pytest.mark.parametrize("name", ["sauc", "t", "welch"])
def test_batches_refuse_values_whose_squares_leave_the_doubles(name: str) -> None:
    with pytest.raises(rs.ScoreRangeError, match="multiply the scores"):
        batch_pvalues(name, [[1e200, 2e200]], [[1.0, 2.0]])


def test_separate_groups_that_vary_are_not_said_to_stand_still() -> None:
    with pytest.warns(rs.DegenerateVarianceWarning, match="The standard error is 0"):
        rs.two_sample_test([3, 4, 5], [0, 1, 2], statistic="brunner-munzel")


def test_the_estimate_survives_an_offset() -> None:
    rng = np.random.default_rng(12)
    x, y = rng.integers(0, 2**20, 30) / 2**20, rng.integers(0, 2**20, 40) / 2**20
    for offset in (0.0, 2.0**30):
        found = rs.two_sample_test(x + offset, y + offset, resampling=rs.Permutation(n_resamples=9))
        exact = mean([Fraction(max(a - b, 0.0)) for a in x for b in y])
        assert found.estimate == pytest.approx(float(exact), rel=1e-13)  # STATISTICS.md 9
        assert found.relative == pytest.approx(found.estimate / (2 * found.null_value), rel=SAME)


@pytest.mark.parametrize("name", ["auc", "brunner-munzel", "ks"])
def test_ranks_are_all_that_rank_tests_read(name: str) -> None:
    x, y = np.array(TIED_X, float), np.array(TIED_Y, float)
    wild = [np.where(v == 9.0, np.inf, np.exp(v)) for v in (x, y)]
    first, second = (rs.two_sample_test(a, b, statistic=name) for a, b in ((x, y), wild))
    assert first.pvalue == second.pvalue


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(25, 25), (12, 36)])
def test_asymptotic_tests_hold_their_size_as_stated(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(2026)
    rows = 20_000
    x, y = rng.normal(size=(rows, sizes[0])), rng.normal(size=(rows, sizes[1]))
    error = math.sqrt(0.05 * 0.95 / rows)
    for name, low, high in (
        ("t", 0.05, 0.05),
        ("welch", 0.05, 0.055),
        ("auc", 0.045, 0.05),
        ("brunner-munzel", 0.045, 0.055),
        ("sauc", 0.04, 0.074),  # STATISTICS.md 5.3
        ("ks", 0.015, 0.05),
    ):
        size = float(np.mean(batch_pvalues(name, x, y) <= 0.05))
        assert low - MC * error < size < high + MC * error, name


@pytest.mark.slow
def test_permutation_holds_its_size() -> None:
    rng = np.random.default_rng(77)
    rows, few = 500, rs.Permutation(n_resamples=99, rng=4)
    for name in ("sauc", "auc"):
        small = [
            rs.two_sample_test(
                rng.exponential(size=9),
                rng.exponential(size=21),
                statistic=name,
                method="permutation",
                resampling=few,
            ).pvalue
            <= 0.05
            for _ in range(rows)
        ]
        assert abs(np.mean(small) - 0.05) < MC * math.sqrt(0.05 * 0.95 / rows)


# -------------------------------------------------------------------------------- answers and input


def test_auto_is_exact_then_random_and_says_so() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=400), rng.normal(size=300)
    few = rs.Permutation(n_resamples=50, rng=1)
    for name, m, n, words in (
        ("sauc", 5, 6, "all 462 relabelings"),
        ("sauc", 30, 30, "50 random relabelings"),
        ("auc", 30, 30, "exact distribution of the rank sum"),
        ("auc", 400, 300, "normal approximation with tied ranks, with continuity correction"),
        ("auc", 30, 300, "exact"),
        ("welch", 5, 6, "t distribution, with Satterthwaite degrees of freedom"),
        ("ks", 30, 30, "50 random relabelings"),
    ):
        found = rs.two_sample_test(x[:m], y[:n], statistic=name, resampling=few)
        assert words in found.method, (name, m, n)


def test_intervals_are_those_of_the_effect() -> None:
    y = [1] * len(TIED_X) + [0] * len(TIED_Y)
    for name, estimate in (
        ("auc", rs.auc(y, [*TIED_X, *TIED_Y])),
        ("sauc", rs.sauc(y, [*TIED_X, *TIED_Y])),
    ):
        found = rs.two_sample_test(TIED_X, TIED_Y, statistic=name)
        assert found.estimate == pytest.approx(estimate.value, rel=SAME)
        assert found.confidence_interval() == estimate.confidence_interval()
        above = rs.two_sample_test(TIED_X, TIED_Y, statistic=name, alternative="greater")
        low = estimate.confidence_interval(confidence_level=0.9).low
        limits = above.confidence_interval(confidence_level=0.95)
        assert (limits.low, limits.high) == (pytest.approx(low, rel=SAME), estimate.bounds[1])
    with pytest.raises(rs.InvalidOptionError, match=r"must exceed 0\.5 in a one-sided test"):
        above.confidence_interval(confidence_level=0.4)
    for name, equal in (("t", True), ("welch", False)):
        for side in SIDES:
            mine = rs.two_sample_test(TIED_X, TIED_Y, statistic=name, alternative=side)
            theirs = stats.ttest_ind(TIED_X, TIED_Y, equal_var=equal, alternative=side)
            limits, wanted = mine.confidence_interval(), theirs.confidence_interval()
            np.testing.assert_allclose([limits.low, limits.high], wanted, rtol=1e-10)


@pytest.mark.parametrize(
    ("name", "x", "y", "ways"),
    [
        ("brunner-munzel", [4, 5, 6, 7], [1, 2, 3], 2),
        ("welch", [2, 2, 2, 2], [1, 1, 1], 1),
        ("t", [2, 2, 2, 2], [1, 1, 1], 1),
    ],
)
def test_groups_apart_are_judged_by_relabelings_and_never_have_p_0(
    name: str, x: list[int], y: list[int], ways: int
) -> None:
    with pytest.warns(rs.DegenerateVarianceWarning, match="p-value is that of all relabelings"):
        found = rs.two_sample_test(x, y, statistic=name)
    assert (found.statistic, found.exact) == (math.inf, True)
    # Of the 35 ways to choose three of seven, so many part the groups; one has x above y.
    assert found.pvalue == pytest.approx(ways / 35)
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert rs.two_sample_test(x, y, statistic=name, alternative="greater").pvalue == 1 / 35
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert rs.two_sample_test(x, y, statistic=name, alternative="less").pvalue == 1.0
    with pytest.warns(rs.DegenerateVarianceWarning, match="use method"):
        assert rs.two_sample_test(x, y, statistic=name, method="asymptotic").pvalue == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.two_sample_test(x, y, statistic=name, method="exact").pvalue == found.pvalue


def test_many_values_apart_are_judged_by_random_relabelings() -> None:
    with pytest.warns(rs.DegenerateVarianceWarning, match="that of random relabelings"):
        found = rs.two_sample_test(range(20, 40), range(20), statistic="brunner-munzel")
    assert found.pvalue == 1 / (1 + found.n_resamples)


def test_brunner_munzel_is_the_auc_over_its_delong_error() -> None:
    area = rs.auc([1] * len(TIED_X) + [0] * len(TIED_Y), [*TIED_X, *TIED_Y])
    found = rs.two_sample_test(TIED_X, TIED_Y, statistic="brunner-munzel")
    assert found.std_error == pytest.approx(area.std_error, rel=SAME)
    limits, wanted = found.confidence_interval(), area.confidence_interval(method="wald_t")
    np.testing.assert_allclose([limits.low, limits.high], [wanted.low, wanted.high], rtol=1e-10)


def test_an_answer_is_one_tidy_row() -> None:
    found = rs.two_sample_test(TIED_X, TIED_Y)
    row = found.statement().row
    assert {type(v) for v in row.values()} <= {str, float, int, bool}
    assert found.to_frame().iloc[0].to_dict() == row
    assert found.to_dict() == {**row, "df": None}  # infinite, which JSON cannot say
    assert "<td>sAUC</td>" in found._repr_html_()
    assert repr(found).splitlines()[-1] == (
        "null hypothesis: equal distributions; 7 values of x, 9 of y"
    )
    assert "CI" not in repr(rs.two_sample_test(TIED_X, TIED_Y, statistic="ks"))


def test_columns_of_any_kind_and_samples() -> None:
    wanted = rs.two_sample_test(TIED_X, TIED_Y).to_dict()
    for kind in (np.array, pd.Series, pl.Series, tuple):
        assert rs.two_sample_test(kind(TIED_X), kind(TIED_Y)).to_dict() == wanted
    y = [1] * len(TIED_X) + [0] * len(TIED_Y)
    low = [-v for v in [*TIED_X, *TIED_Y]]
    sample = rs.ScoredSample.from_arrays(
        y, {"a": [*TIED_X, *TIED_Y], "b": low}, higher_is_positive={"b": False}
    )
    for marker in ("a", "b"):
        assert rs.two_sample_test(sample, marker=marker).to_dict() == wanted


def test_missing_values_are_refused_or_counted() -> None:
    with pytest.raises(rs.InvalidSampleError, match=r'x has 1 missing value; .*nan_policy="omit"'):
        rs.two_sample_test([*TIED_X, None], TIED_Y)
    found = rs.two_sample_test([*TIED_X, math.nan], [None, *TIED_Y], nan_policy="omit")
    assert (found.dropped, found.n_pos, found.n_neg) == (2, 7, 9)
    assert found.pvalue == rs.two_sample_test(TIED_X, TIED_Y).pvalue
    assert repr(found).endswith("2 missing values left out")


@pytest.mark.parametrize("name", sorted(STATISTICS))
@pytest.mark.parametrize("method", ["exact", "permutation", "asymptotic"])
def test_equal_values_have_p_one(name: str, method: Any) -> None:
    options: dict[str, Any] = {"statistic": name, "method": method}
    few = rs.Permutation(n_resamples=20, rng=1)
    if name == "ks":  # no standard error to be zero
        found = rs.two_sample_test([2.5] * 3, [2.5] * 4, resampling=few, **options)
    else:
        with pytest.warns(rs.DegenerateVarianceWarning, match="All values are equal, so p is 1"):
            found = rs.two_sample_test([2.5] * 3, [2.5] * 4, resampling=few, **options)
    assert found.pvalue == 1.0
    assert found.statistic == 0.0


@pytest.mark.parametrize("name", ["welch", "t", "brunner-munzel"])
def test_groups_that_do_not_vary_are_flagged(name: str) -> None:
    with pytest.warns(rs.DegenerateVarianceWarning, match=r'infinite; use method="permutation"'):
        found = rs.two_sample_test([0.3] * 3, [0.1] * 4, statistic=name, method="asymptotic")
    assert (found.statistic, found.pvalue) == (math.inf, 0.0)
    found = rs.two_sample_test([0.3] * 3, [0.1] * 4, statistic=name, method="exact")
    assert found.pvalue == pytest.approx(1 / 35)


def test_one_value_in_a_group() -> None:
    for name in ("welch", "brunner-munzel"):
        with pytest.warns(rs.SmallSampleWarning, match="needs two values in each group"):
            found = rs.two_sample_test([3.0], [1.0, 2.0, 4.0], statistic=name)
        assert math.isnan(found.pvalue)
        assert math.isnan(batch_pvalues(name, [[3.0]], [[1.0, 2.0, 4.0]])[0])
    for name in ("sauc", "auc", "t", "ks"):
        found = rs.two_sample_test([9.0], [1.0, 2.0, 4.0], statistic=name, method="exact")
        assert found.pvalue == pytest.approx(0.5 if name in ("auc", "ks") else 0.25)


def test_the_liberal_approximation_is_flagged() -> None:
    with pytest.warns(rs.SmallSampleWarning, match="liberal in small samples"):
        rs.two_sample_test(TIED_X, TIED_Y, method="asymptotic")


@pytest.mark.parametrize(
    ("x", "y", "options", "said"),
    [
        ([], TIED_Y, {}, "x has no values"),
        (TIED_X, None, {}, "y is missing"),
        (TIED_X, ["a", "b"], {}, "y must be numbers"),
        (np.ones((2, 2)), TIED_Y, {}, "x must be one-dimensional"),
        ([1.0, math.inf], TIED_Y, {}, r'infinite values.*use statistic="auc"'),
        ([1e200, 0.0], [0.0, 1.0], {}, "multiply the scores by a constant"),
        (TIED_X, TIED_Y, {"statistic": "wilcoxon"}, "statistic must be one of 'auc', 'sauc'"),
        (TIED_X, TIED_Y, {"alternative": "larger"}, "alternative must be one of"),
        (TIED_X, TIED_Y, {"method": "approx"}, "method must be one of"),
        (TIED_X, TIED_Y, {"nan_policy": "drop"}, "nan_policy must be one of"),
        (TIED_X, TIED_Y, {"resampling": 99}, "resampling must be a Permutation, got int"),
        (TIED_X, TIED_Y, {"marker": "a"}, "marker can be given with a ScoredSample only"),
        (range(50), range(50), {"method": "exact"}, r'too many .*use method="permutation"'),
    ],
)
def test_what_cannot_be_meant_is_refused(x: Any, y: Any, options: Any, said: str) -> None:
    with pytest.raises((rs.InvalidSampleError, rs.InvalidOptionError), match=said):
        rs.two_sample_test(x, y, **options)


def test_samples_with_clusters_or_a_second_y_are_refused() -> None:
    sample = rs.ScoredSample.from_arrays([1, 1, 0, 0], [1, 2, 3, 4], cluster=[1, 1, 2, 3])
    with pytest.raises(rs.InvalidSampleError, match="has clusters"):
        rs.two_sample_test(sample)
    with pytest.raises(rs.InvalidOptionError, match="y cannot be given with a ScoredSample"):
        rs.two_sample_test(sample, [1, 2])


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ([1.0, 2.0], [[1.0]], "x must be an array of numbers with one row for each sample"),
        ([[1.0], [2.0]], [[1.0]], "x has 2 rows and y has 1"),
        ([[math.nan]], [[1.0]], "x holds values that are not finite"),
        ([["a"]], [[1.0]], "x must be an array of numbers"),
    ],
)
def test_batches_that_are_none_are_refused(x: Any, y: Any, said: str) -> None:
    with pytest.raises(rs.InvalidSampleError, match=said):
        batch_pvalues("auc", x, y)


def test_ranks_by_counts_give_the_pvalue_of_ranks_by_values():
    rng = np.random.default_rng(3)
    for shift in (0.0, 0.4, 2.0):
        x, y = np.round(rng.normal(shift, 1.0, 60), 1), np.round(rng.normal(size=90), 1)
        values = np.unique(np.concatenate([x, y]))
        counts = ((x == values[:, None]).sum(axis=1), (y == values[:, None]).sum(axis=1))
        found = wilcoxon.counted_pvalue(*(c.astype(float) for c in counts))
        expected = stats.mannwhitneyu(x, y, method="asymptotic").pvalue
        assert found == pytest.approx(expected, rel=1e-10)
        told = rs.two_sample_test(x, y, statistic="auc", method="asymptotic").pvalue
        assert found == pytest.approx(told, rel=1e-10)
    assert wilcoxon.counted_pvalue(np.array([5.0]), np.array([7.0])) == 1.0
