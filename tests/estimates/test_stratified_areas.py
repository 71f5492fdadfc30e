"""Issue 21: the AUC of pairs within sites, by its definition; whether sites agree, in words."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocstats as rs


def sites(shifts: list[float], n: int = 90, seed: int = 1, gain: float = 1.0) -> list[Any]:
    rng = np.random.default_rng(seed)
    found = []
    for shift in shifts:
        y = rng.random(n) < 0.4
        found.append((y, np.round(rng.normal(size=n) + gain * y + shift, 1)))
    return found


def pooled(rows: list[Any], **options: Any) -> rs.PooledTable:
    return rs.pool(
        [rs.sketch(y, s, pos_label=True, site=f"s{i}", **options) for i, (y, s) in enumerate(rows)]
    )


def pairs(rows: list[Any]) -> tuple[Fraction, Fraction]:
    """Return the AUC of pairs within sites, and of pairs between them, counted one by one."""
    wins, sizes = [Fraction(0), Fraction(0)], [0, 0]
    for i, (y, s) in enumerate(rows):
        for j, (other, t) in enumerate(rows):
            for a in s[y]:
                for b in t[~other]:
                    wins[i != j] += Fraction(int(a > b)) + Fraction(int(a == b), 2)
                    sizes[i != j] += 1
    return wins[0] / sizes[0], wins[1] / sizes[1]


@pytest.mark.parametrize("shifts", [[0.0, 0.0, 0.0], [0.0, 1.5]])
def test_it_is_the_share_of_pairs_within_sites(shifts: list[float]) -> None:
    rows = sites(shifts)
    found = rs.stratified_auc(pooled(rows))
    within, between = pairs(rows)
    assert found.value == pytest.approx(float(within), rel=1e-14)
    assert found.between == pytest.approx(float(between), rel=1e-12)
    everyone = rs.auc(
        np.concatenate([y for y, _ in rows]), np.concatenate([s for _, s in rows]), pos_label=True
    )
    assert found.pooled.value == everyone.value
    own = [rs.auc(y, s, pos_label=True) for y, s in rows]
    weights = np.array([one.n_pos * one.n_neg for one in own], dtype=float)
    weights /= weights.sum()
    assert found.weights == pytest.approx(weights, rel=1e-15)
    spread = math.sqrt(sum((w * one.std_error) ** 2 for w, one in zip(weights, own, strict=True)))
    assert found.std_error == pytest.approx(spread, rel=1e-12)
    low = found.value - math.hypot(
        *(w * (o.value - o.confidence_interval().low) for w, o in zip(weights, own, strict=True))
    )
    assert found.confidence_interval().low == pytest.approx(low, rel=1e-9)
    wald = found.confidence_interval(method="wald")
    assert wald.high - wald.low == pytest.approx(2 * 1.959963984540054 * spread, rel=1e-9)


def test_inverse_variance_is_the_fixed_effect_of_a_meta_analysis() -> None:
    rows = sites([0.0, 0.3, 0.1])
    own = [rs.auc(y, s, pos_label=True) for y, s in rows]
    share = np.array([one.std_error**-2 for one in own])
    values = np.array([one.value for one in own])
    found = rs.stratified_auc(pooled(rows), weights="inverse_variance")
    mean = float(share @ values / share.sum())
    assert found.value == pytest.approx(mean, rel=1e-12)
    assert found.std_error == pytest.approx(share.sum() ** -0.5, rel=1e-12)
    test = found.heterogeneity
    assert test["statistic"] == pytest.approx(float(share @ (values - mean) ** 2), rel=1e-9)
    assert test["df"] == 2.0


def test_words_say_what_differs() -> None:
    shifted = rs.stratified_auc(pooled(sites([0.0, 3.0])))
    assert "below the one within sites" in repr(shifted)
    assert shifted.pooled.value < shifted.value
    alike = repr(rs.stratified_auc(pooled(sites([0.0, 0.0]))))
    assert "no more than chance" in alike
    assert "below the one" not in alike
    rows = [*sites([0.0], gain=3.0), *sites([0.0], gain=0.0)]
    assert "differs between sites by more than chance" in repr(rs.stratified_auc(pooled(rows)))
    one = rs.sketch([1, 1, 0, 0], [4, 3, 2, 1], site="a")
    perfect = rs.stratified_auc(rs.pool([one, rs.sketch([1, 1, 0, 0], [8, 7, 6, 5], site="b")]))
    low, high = perfect.confidence_interval()
    assert low < perfect.value == high == 1.0
    assert "was not tested" in repr(perfect)
    with pytest.raises(rs.InvalidOptionError, match="no variance"):
        rs.stratified_auc(
            rs.pool([one, rs.sketch([1, 0], [8, 7], site="b")]), weights="inverse_variance"
        )


def test_bins_bound_the_area_within_sites() -> None:
    rows = sites([0.0, 0.2, 0.4], n=200)
    exact = rs.stratified_auc(pooled(rows))
    found = rs.stratified_auc(pooled(rows, least_count=5))
    low, high = found.value_bounds
    assert low < exact.value < high
    assert low < found.value < high
    content = found.to_dict()
    assert content["stratified"]["exact"] is False
    assert content["between"] is None
    assert "counted in bins" in repr(found)
    assert exact.value_bounds == (exact.value, exact.value)
    assert len(found.to_frame()) == 5
    assert "<table" in found._repr_html_()


def test_what_is_not_pooled_is_refused() -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"rs\.pool has put together"):
        rs.stratified_auc(rs.sketch([1, 0], [2, 1]))  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="weights"):
        rs.stratified_auc(pooled(sites([0, 0])), weights="sizes")


def test_it_is_drawn() -> None:
    import matplotlib.pyplot as plt

    ax = rs.stratified_auc(pooled(sites([0.0, 0.5]))).plot()
    assert [text.get_text() for text in ax.get_yticklabels()] != []
    plt.close("all")
