"""Intervals at a threshold with clusters: sums written out, laws, a printed table, coverage."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, t
from statsmodels.stats.proportion import proportion_confint
from test_thresholds import ROUNDING, study

import rocstats as rs
from rocstats.engine.variances import effective_size
from rocstats.errors import DegenerateVarianceWarning
from rocstats.thresholds.diagnostics import DIAGNOSTICS
from rocstats.thresholds.two_by_two import Cells

QUOTIENT = 1e-6  # the error of difference quotients
Z = float(norm.isf(0.025))


def draw(seed: int, digits: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores with ties and clusters: of both classes, of one, and of one member.

    The sizes are those of the 36 patients with 65 arteries in Obuchowski (1997).
    """
    rng = np.random.default_rng(seed)
    kinds = [(1, 0)] * 14 + [(0, 0)] * 9 + [(1, 1)] * 6 + [(0,)] * 4 + [(1,)] * 3
    cluster = np.repeat(np.arange(len(kinds)), [len(kind) for kind in kinds])
    y = np.concatenate(kinds)
    score = rng.normal(size=y.size) + 1.2 * rng.normal(size=len(kinds))[cluster] + 1.5 * y
    order = rng.permutation(y.size)
    return y[order], score.round(digits)[order], cluster[order]


def points_of(y: Any, s: Any, cluster: Any, **options: Any) -> rs.OperatingPoints:
    up = options.pop("higher_is_positive", True)
    sample = rs.ScoredSample.from_arrays(y, s, cluster=cluster, higher_is_positive=up)
    return rs.operating_points(sample, prevalence=0.1, **options)


def cells_of_clusters(
    y: np.ndarray, s: np.ndarray, cluster: np.ndarray, threshold: float
) -> np.ndarray:
    """(C, 4) tp, fp, fn, tn of every cluster."""
    called = s >= threshold
    kinds = (called & (y == 1), called & (y == 0), ~called & (y == 1), ~called & (y == 0))
    return np.array([[np.sum(kind & (cluster == k)) for kind in kinds] for k in np.unique(cluster)])


# ----------------------------------------------------------------------------- sums written out


def worth(variance: float, free: float, size: int, units: int) -> float:
    """Effective size: `free` is the variance of one subject, `variance` that over clusters."""
    if free == 0.0:
        return units
    if units == 1:
        return 1.0
    k = min(1.0 + free / variance, size) if variance > 0.0 else float(size)
    few, many = (float(t.isf(0.025, max(n - 1.0, 1.0))) for n in (units, k))
    return max(k * min(many / few, 1.0) ** 2, 1.0)


def share_by_hand(parts: np.ndarray, hits: list[int], others: list[int]) -> tuple[float, int, Any]:
    """Effective size and value of a share of cells; deviations of the clusters it is about."""
    x, n = parts[:, hits].sum(axis=1), parts[:, hits + others].sum(axis=1)
    there = n > 0
    size, c = int(n.sum()), int(there.sum())
    p = x.sum() / size
    deviation = (x - p * n) / size
    variance = c / (c - 1) * (deviation**2).sum() if c > 1 else 0.0
    return worth(variance, p * (1 - p), size, c), p, deviation


SHARES = {
    "sensitivity": ([0], [2]),
    "specificity": ([3], [1]),
    "ppv": ([0], [1]),
    "npv": ([3], [2]),
    "accuracy": ([0, 3], [1, 2]),
    "f1": ([0], [1, 2]),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_shares_by_the_sums_over_clusters(seed, method):
    y, s, cluster = draw(seed)
    points = points_of(y, s, cluster, interval=method)
    name = {"clopper-pearson": "beta"}.get(method, method)
    for i, threshold in enumerate(points.threshold):
        parts = cells_of_clusters(y, s, cluster, threshold)
        for measure, (hits, others) in SHARES.items():
            found = [limit[i] for limit in points.limits(measure)]
            if not parts[:, hits + others].any():
                assert np.isnan(found).all()
                continue
            size, p, _ = share_by_hand(parts, hits, others)
            ends = [float(end) for end in proportion_confint(p * size, size, method=name)]
            if measure == "f1":
                ends = [2 * end / (1 + end) for end in ends]
            assert found == pytest.approx(ends, abs=1e-9), measure


@pytest.mark.parametrize("seed", range(4))
def test_ratios_and_the_youden_index_by_the_covariance_of_the_rates(seed):
    """The delta method with the covariance of both rates over clusters, by its definition."""
    y, s, cluster = draw(seed)
    points = points_of(y, s, cluster)
    seen = 0
    for i, threshold in enumerate(points.threshold):
        parts = cells_of_clusters(y, s, cluster, threshold)
        if not parts.sum(axis=0).all():
            continue
        seen += 1
        size, rate, deviation = zip(
            *(share_by_hand(parts, *SHARES[name]) for name in ("sensitivity", "specificity")),
            strict=True,
        )
        plain = [p * (1 - p) / n for p, n in zip(rate, (points.n_pos, points.n_neg), strict=True)]
        se, sp = rate
        slopes = {
            "lr_pos": (1 / se, 1 / (1 - sp)),
            "lr_neg": (1 / (1 - se), 1 / sp),
            "dor": (1 / (se * (1 - se)), 1 / (sp * (1 - sp))),
            "youden": (1.0, 1.0),
        }
        for measure, slope in slopes.items():
            pos, neg = (a * d for a, d in zip(slope, deviation, strict=True))
            free = [a * a * v for a, v in zip(slope, plain, strict=True)]
            apart = [max(v, (z**2).sum()) for v, z in zip(free, (pos, neg), strict=True)]
            joint = max(sum(free), ((pos + neg) ** 2).sum()) / sum(apart)
            low, high = (limit[i] for limit in points.limits(measure))
            if measure == "youden":
                ends = [
                    [
                        float(e)
                        for e in proportion_confint(p * n / joint, n / joint, method="wilson")
                    ]
                    for p, n in zip(rate, size, strict=True)
                ]
                below = math.hypot(se - ends[0][0], sp - ends[1][0])
                above = math.hypot(ends[0][1] - se, ends[1][1] - sp)
                assert [low, high] == pytest.approx([se + sp - 1 - below, se + sp - 1 + above])
                continue
            pairs = zip(slope, rate, size, strict=True)
            variance = joint * sum(a * a * p * (1 - p) / n for a, p, n in pairs)
            value = points.values(measure)[i]
            factor = math.exp(Z * math.sqrt(variance))
            assert [low, high] == pytest.approx([value / factor, value * factor]), measure
    assert seen > 2


def test_phi_by_its_change_with_every_cluster():
    y, s, cluster = draw(1)
    points = points_of(y, s, cluster, thresholds=[0.5])
    parts = cells_of_clusters(y, s, cluster, 0.5)
    counts = parts.sum(axis=0).astype(float)
    phi = DIAGNOSTICS["mcc"].value

    def value(x: np.ndarray) -> float:
        a, b, c, d = (np.array([v]) for v in x)
        return float(phi(Cells(tp=a, fp=b, fn=c, tn=d, n_pos=a + c, n_neg=b + d))[0])

    step = 1e-4
    slope = [(value(counts + step * e) - value(counts - step * e)) / (2 * step) for e in np.eye(4)]
    n, c = counts.sum(), len(parts)
    variance = c / (c - 1) * ((parts @ slope) ** 2).sum()
    size = worth(variance, n * float(counts @ np.square(slope)), int(n), c)
    reach = Z * math.sqrt(n * float(counts @ np.square(slope)) / size) / (1 - value(counts) ** 2)
    ends = [math.tanh(math.atanh(value(counts)) + sign * reach) for sign in (-1, 1)]
    assert [limit[0] for limit in points.limits("mcc")] == pytest.approx(ends, abs=QUOTIENT)


@pytest.mark.parametrize("name", DIAGNOSTICS)
def test_influence_is_the_change_of_the_value(name):
    """Up to a factor: of LR and DOR it is that of the logarithm."""
    counts = np.array([26.0, 14.0, 15.0, 58.0])
    names = ("tp", "fp", "fn", "tn")

    def cells(x: np.ndarray) -> Cells:
        a, b, c, d = (np.array([v]) for v in x)
        return Cells(tp=a, fp=b, fn=c, tn=d, n_pos=a + c, n_neg=b + d)

    known, step = DIAGNOSTICS[name], 1e-4
    change = np.array(
        [
            (known.value(cells(counts + step * e)) - known.value(cells(counts - step * e)))[0]
            for e in np.eye(4)
        ]
    )
    weights = known.influence(cells(counts))
    given = np.array([np.ravel(weights.get(cell, 0.0))[0] for cell in names])
    assert given @ counts == pytest.approx(0.0, abs=1e-9 * np.abs(given * counts).max())
    scale = np.abs(change).max() / np.abs(given).max()
    np.testing.assert_allclose(scale * given, change, atol=QUOTIENT * np.abs(change).max())


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("digits", [0, 9])
def test_sums_along_the_scores_are_those_of_every_table(up, digits):
    y, s, cluster = draw(5, digits)
    s = s if up else -s
    points = points_of(y, s, cluster, higher_is_positive=up)
    found = points.tables().clusters
    parts = [
        cells_of_clusters(y, s if up else -s, cluster, h if up else -h) for h in points.threshold
    ]
    tp, fp, fn, tn = np.moveaxis(np.array(parts, dtype=float), 2, 0)
    expected = study.sum_over_clusters(tp, fp, tp + fn, fp + tn)
    for ours, theirs in zip(found.products, expected.products, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(np.broadcast_to(a, b.shape), b)
    assert found.units.keys() == expected.units.keys()
    for name, units in found.units.items():
        np.testing.assert_array_equal(np.broadcast_to(units, tp.shape[:1]), expected.units[name])


def test_design_effects_that_rao_and_scott_print():
    """Weil's litters of rats in Rao & Scott (1992), Table 1, as PF::rsb has them."""
    litters = {
        1.232495: "13/13 12/12 9/9 9/9 8/8 8/8 12/13 11/12 9/10 9/10 8/9 11/13 4/5 5/7 7/10 7/10",
        3.952861: "12/12 11/11 10/10 9/9 10/11 9/10 9/10 8/9 8/9 4/5 7/9 4/7 5/10 3/6 3/10 0/7",
    }
    for effect, text in litters.items():
        alive, born = (np.array(x, dtype=float) for x in zip(
            *(litter.split("/") for litter in text.split()), strict=True
        ))  # fmt: skip
        none = np.zeros((1, alive.size))
        sums = study.sum_over_clusters(alive[None], none, born[None], none)
        weights = {"tp": sums.cells.fn, "fn": -sums.cells.tp}
        found = 16 / 15 * sums.square(weights) / sums.own(weights)
        assert found == pytest.approx([effect], abs=5e-7)


# ------------------------------------------------------------------------------------------ laws


def assert_same_limits(first: rs.OperatingPoints, second: rs.OperatingPoints) -> None:
    for name in first.measures:
        for ours, theirs in zip(first.limits(name), second.limits(name), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=ROUNDING, err_msg=name)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "agresti-coull", "jeffreys"])
def test_clusters_of_one_and_of_equal_rows_are_independent_subjects(method):
    y, s, _ = draw(2, 1)
    alone = rs.operating_points(y, s, prevalence=0.1, interval=method)
    who = np.random.default_rng(1).permutation(y.size)
    assert_same_limits(points_of(y, s, who, interval=method), alone)
    twice = np.tile(np.arange(y.size), 2)
    assert_same_limits(points_of(y[twice], s[twice], who[twice], interval=method), alone)


def test_names_of_clusters_and_the_order_of_rows_do_not_matter():
    y, s, cluster = draw(3)
    order = np.random.default_rng(2).permutation(y.size)
    names = np.array([f"patient {97 - k}" for k in cluster])
    assert_same_limits(points_of(y, s, cluster), points_of(y[order], s[order], names[order]))


def test_limits_are_never_narrower_than_those_of_independent_rows():
    for seed in range(6):
        y, s, cluster = draw(seed)
        ours = points_of(y, s, cluster)
        alone = rs.operating_points(y, s)
        for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1"):
            (low, high), (from_, to) = ours.limits(name), alone.limits(name)
            known = ~np.isnan(alone.values(name))
            assert (low[known] <= from_[known] + ROUNDING).all()
            assert (high[known] >= to[known] - ROUNDING).all()


def test_where_a_rate_does_not_vary_a_cluster_counts_as_one():
    y = np.repeat([1, 1, 1, 0, 0, 0], 4)
    s = np.repeat([9, 8, 7, 1, 2, 3], 4)
    cluster = np.repeat(np.arange(6), 4)
    points = points_of(y, s, cluster, thresholds=5)
    (low,), (high,) = points.limits("sensitivity")
    assert (low, high) == (pytest.approx(proportion_confint(3, 3, method="wilson")[0]), 1.0)
    rows = {row["measure"]: row for row in points.table()}
    three = rs.operating_points([1, 1, 1, 0, 0, 0], [9, 8, 7, 1, 2, 3], thresholds=5)
    for name in three.measures:
        assert rows[name]["conf_low"] == pytest.approx(three.limits(name)[0][0]), name
    assert rows["dor"]["conf_method"] == "corners of wilson"


def test_a_class_of_one_cluster_counts_as_one_subject():
    y, s = [1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 6, 3, 7, 4, 2, 1]
    with pytest.warns(DegenerateVarianceWarning, match="All positives are of one cluster"):
        points = points_of(y, s, [1, 1, 1, 1, 2, 3, 4, 5], thresholds=5)
    ends = [float(end) for end in proportion_confint(0.75, 1, method="wilson")]
    assert [limit[0] for limit in points.limits("sensitivity")] == pytest.approx(ends)
    assert np.isfinite(points.limits("youden")).all()


def test_clusters_that_are_alike_are_worth_their_members():
    """Each of ten clusters has the same rate, and the variance over them is 0."""
    own, square, size = (np.array([x]) for x in (2.5, 0.0, 20.0))
    few, many = t.isf(0.025, [9, 19])
    found = effective_size(own, square, size, np.array([10.0]), 0.95)
    assert found == pytest.approx([20 * (many / few) ** 2])
    assert effective_size(own, square, size, np.array([1.0]), 0.95).tolist() == [1.0]


def test_corrected_limits_rest_on_the_effective_class():
    y, s, cluster = draw(4)
    sample = rs.ScoredSample.from_arrays(y, s, cluster=cluster)
    found = rs.optimal_cutpoint(sample, threshold=0.5)
    for rate in ("sensitivity", "specificity"):
        for ours, theirs in zip(
            found.corrected_limits(rate), found.points.limits(rate), strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=ROUNDING)
    assert "95% intervals that count 36 clusters" in repr(found.points)


def test_every_threshold_of_many_rows():
    rng = np.random.default_rng(3)
    n = 20_000
    y, cluster = rng.integers(0, 2, size=n), rng.integers(0, 3_000, size=n)
    s = rng.normal(size=n) + y + rng.normal(size=3_000)[cluster]
    points = points_of(y, s, cluster)
    low, high = points.limits("sensitivity")
    some = rng.choice(n, size=3, replace=False)
    for i in some:
        one = points_of(y, s, cluster, thresholds=[points.threshold[i]])
        assert (low[i], high[i]) == tuple(limit[0] for limit in one.limits("sensitivity"))
    assert (low < high).all()


# --------------------------------------------------------------------------------------- coverage

REPLICATES = 1000
MC_ERRORS = 4.0
FLOORS = {0.0: 0.93, 0.3: 0.91, 0.6: 0.89}  # what docs/evidence/thresholds.md shows, by icc


@pytest.mark.slow
@pytest.mark.parametrize("kind", study.KINDS)
@pytest.mark.parametrize("icc", FLOORS)
@pytest.mark.parametrize("n_clusters", [20, 60])
def test_intervals_with_clusters_cover(n_clusters, icc, kind):
    found = study.cluster_coverage(n_clusters, kind, icc, REPLICATES)
    floor = FLOORS[icc]
    slack = MC_ERRORS * math.sqrt(floor * (1 - floor) / REPLICATES)
    for name, share in found.items():
        assert share >= floor - slack, name


@pytest.mark.slow
def test_the_bar_is_high_enough_to_see_members_taken_as_independent():
    found = study.cluster_coverage(60, "one", 0.3, REPLICATES, told=False)
    assert max(found.values()) < FLOORS[0.3] - MC_ERRORS * math.sqrt(0.91 * 0.09 / REPLICATES)
