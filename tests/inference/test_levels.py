"""The test of equal AUCs in groups: against its definition, DeLong's at the limit, and simulation.

The study is `docs/evidence/levels.py`, which also makes the table of the documentation; here it
runs on fewer settings with fewer replicates. Seeds are fixed, so a failure is a change of the code.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from conftest import load_study
from scipy import stats

import rocstats as rs
from rocstats.inference.levels import judge_levels, level_variances

study = load_study("levels")

REPLICATES = 600
MC_ERRORS = 4.0  # fewer than one false alarm in 10 000 cells
EXACT = 1e-9


def group(m: int, n: int, shift: float, seed: int, **more: object) -> rs.Estimate:
    y = np.repeat([1, 0], [m, n])
    return rs.auc(y, np.random.default_rng(seed).normal(size=m + n) + shift * y, **more)


def formula(a: float, m: float, n: float) -> float:
    star = (m + n) / 2 - 1
    return a * (1 - a) * (1 + star * (1 - a) / (2 - a) + star * a / (1 + a)) / (m * n)


def test_the_statistic_is_its_definition() -> None:
    found = [group(12, 20, 2.0, 1), group(30, 25, 1.6, 2), group(18, 40, 2.4, 3)]
    sizes = [(e.n_pos, e.n_neg) for e in found]
    weight = [m * n / (m + n) for m, n in sizes]
    pooled = sum(w * e.value for w, e in zip(weight, found, strict=True)) / sum(weight)
    lost = [min(e.value, 1 - e.value) * min(s) for e, s in zip(found, sizes, strict=True)]
    assert 0 < min(lost) < 10
    ratio = [e.std_error**2 / formula(e.value, *s) for e, s in zip(found, sizes, strict=True)]
    common = (sum(c * r for c, r in zip(lost, ratio, strict=True)) + 2) / (sum(lost) + 2)
    variance = [
        (c * r + 3 * common) / (c + 3) * formula(pooled, *s)
        for c, r, s in zip(lost, ratio, sizes, strict=True)
    ]
    mean = sum(e.value / v for e, v in zip(found, variance, strict=True)) / sum(
        1 / v for v in variance
    )
    statistic = sum((e.value - mean) ** 2 / v for e, v in zip(found, variance, strict=True)) / 2
    below = 0.0
    for e, v, (m, n) in zip(found, variance, sizes, strict=True):
        phi, is_pos = e.influence.values[0], e.sample.positive
        terms = np.array([phi[is_pos].var(ddof=1) / m, phi[~is_pos].var(ddof=1) / n])
        shares = terms / terms.sum() * v / sum(variance)
        below += shares[0] ** 2 / (m - 1) + shares[1] ** 2 / (n - 1)
    answer = judge_levels(found)
    assert answer.statistic == pytest.approx(statistic, rel=EXACT)
    assert (answer.df, answer.df_denominator) == (2.0, pytest.approx(1 / below, rel=EXACT))
    assert answer.pvalue == pytest.approx(stats.f.sf(statistic, 2, 1 / below), rel=EXACT)


def test_with_many_losses_two_levels_are_two_independent_samples() -> None:
    first, second = group(120, 150, 1.0, 1), group(90, 100, 0.7, 2)
    direct = rs.compare_independent(first, second, method="delong")
    found = judge_levels([first, second])
    assert found.statistic == pytest.approx(direct.statistic**2, rel=EXACT)
    assert found.df_denominator == pytest.approx(direct.df, rel=EXACT)
    assert found.pvalue == pytest.approx(direct.pvalue, rel=EXACT)


def test_variances_go_over_to_delongs_without_a_jump() -> None:
    sizes = np.array([[100.0, 100.0], [300.0, 300.0]])

    def variances(lost: float) -> np.ndarray:
        value = np.array([1.0 - lost / 100.0, 0.7])
        own = 0.5 * np.array([formula(a, *s) for a, s in zip(value, sizes, strict=True)])
        return level_variances(value, own, sizes) / own

    assert variances(20.0).tolist() == [1.0, 1.0]
    assert variances(10.0)[0] > 1.05
    for edge in (10.0, 20.0):
        np.testing.assert_allclose(variances(edge - 1e-9), variances(edge + 1e-9), rtol=1e-8)


def test_order_labels_and_orientation_do_not_matter() -> None:
    found = [group(12, 20, 2.0, 1), group(30, 25, 1.6, 2), group(18, 40, 2.4, 3)]
    turned = [group(12, 20, 2.0, 1), group(30, 25, 1.6, 2), group(18, 40, 2.4, 3)][::-1]
    assert judge_levels(found).pvalue == pytest.approx(judge_levels(turned).pvalue, rel=EXACT)
    wrong = [
        group(m, n, s, seed, higher_is_positive=False)
        for m, n, s, seed in ((12, 20, 2.0, 1), (30, 25, 1.6, 2), (18, 40, 2.4, 3))
    ]
    assert judge_levels(wrong).pvalue == pytest.approx(judge_levels(found).pvalue, rel=EXACT)


def test_degenerate_levels() -> None:
    perfect = rs.auc([1] * 5 + [0] * 5, range(10, 0, -1))
    wrong = rs.auc([0] * 5 + [1] * 5, range(10, 0, -1))
    assert judge_levels([perfect, perfect]).pvalue == 1.0
    assert judge_levels([wrong, wrong]).df == 0.0
    opposed = judge_levels([perfect, wrong])
    assert 0.0 < opposed.pvalue < 0.01
    single = rs.auc([1, 0, 0, 0], [4, 3, 2, 1])
    with pytest.warns(rs.SmallSampleWarning):
        assert math.isnan(judge_levels([single, perfect]).pvalue)


# ---------------------------------------------------------------------------------- by simulation


def allowed(share: float) -> float:
    return MC_ERRORS * math.sqrt(share * (1.0 - share) / REPLICATES)


@pytest.mark.slow
@pytest.mark.parametrize("auc", [0.8, 0.95, 0.97])
@pytest.mark.parametrize(
    ("families", "sizes", "k"),
    [
        (("normal",), ((60, 60),), 5),
        (("normal", "5 grades"), ((15, 15), (60, 60)), 3),
        (("t3", "gamma"), ((25, 100),), 3),
        (("Poisson",), ((30, 60),), 2),
    ],
)
def test_level_is_held(auc: float, families: tuple, sizes: tuple, k: int) -> None:
    levels = [
        study.Level(families[i % len(families)], auc, *sizes[i % len(sizes)]) for i in range(k)
    ]
    assert study.rejections(levels, REPLICATES)["now"] <= 0.05 + allowed(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("high", "low"), [(0.97, 0.9), (0.99, 0.95)])
@pytest.mark.parametrize("family", ["normal", "gamma"])
def test_power_is_gained_near_one(family: str, high: float, low: float) -> None:
    found = study.power(family, high, low, 3, (60, 60), REPLICATES)
    assert found["now"] > found["before"] + 0.1
