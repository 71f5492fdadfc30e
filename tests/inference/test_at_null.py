"""Comparisons with the variance at the null (STATISTICS.md 6.8): one statistic, read by all.

The numbers themselves are held in tests/engine/test_null_variance.py. Here: which method answers,
that tests, intervals, margins and the omnibus test agree, and what degenerate data say.
"""

from __future__ import annotations

import importlib.util
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.engine import null_variance
from rocstats.inference.at_null import areas_at_null, degrees_of_freedom
from rocstats.tables import show_value

LIMIT = 1e-7  # of p at a limit that was found to 1e-14
ROUNDING = 1e-10
LEVELS = (0.8, 0.9, 0.95, 0.99)
SEEDS = range(5)

quietly = pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")


def draw(
    seed: int, m: int = 15, n: int = 20, shift: float = 2.2, k: int = 2
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Markers that lose few: binormal, correlated, the second and later ones a little worse."""
    rng = np.random.default_rng([15, seed])
    y_true = np.repeat([1, 0], [m, n])
    shared = rng.normal(size=m + n)
    return y_true, {
        name: (shift - 0.3 * i) * y_true + 0.6 * shared + 0.8 * rng.normal(size=m + n)
        for i, name in enumerate("abcdef"[:k])
    }


def only(comparison: rs.Comparison, **options: Any) -> rs.TestResult:
    (test,) = comparison.pairwise(**options).tests
    return test


# ------------------------------------------------------------------------- which method answers


def test_auto_is_the_variance_at_the_null_for_aucs_of_few_losses():
    comparison = rs.compare(*draw(0))
    test = only(comparison)
    assert test == only(comparison, method="score") == only(comparison, reference="t")
    assert test.method == "t test, variance at the null"
    assert test.confidence_interval().method == "score"
    assert test.pivot is not None


def test_a_reference_of_procs_alone_is_delongs_test():
    comparison = rs.compare(*draw(0, k=3))
    for test, named in zip(
        comparison.pairwise(reference="normal").tests,
        comparison.pairwise(reference="normal", method="delong").tests,
        strict=True,
    ):
        assert test == named
        assert test.statistic == pytest.approx(test.estimate / test.std_error, rel=ROUNDING)
    assert comparison.omnibus(reference="chi2") == comparison.omnibus("chi2", method="delong")
    first, second = (rs.auc(*draw(seed, k=1)) for seed in (1, 2))
    for other in ("normal", "proc"):
        test = rs.compare_independent(first, second, reference=other)
        assert test == rs.compare_independent(first, second, reference=other, method="delong")
        assert test.pivot is None


def test_both_named_are_both_taken():
    comparison = rs.compare(*draw(0))
    at_null, normal = only(comparison), only(comparison, method="score", reference="normal")
    assert normal.statistic == pytest.approx(at_null.statistic, rel=0.1)
    assert (normal.df, normal.method) == (math.inf, "z test, variance at the null")
    assert normal.pvalue == pytest.approx(2.0 * stats.norm.sf(abs(normal.statistic)), rel=ROUNDING)
    chi2 = comparison.omnibus(reference="chi2", method="score")
    assert (chi2.statistic, chi2.pvalue) == pytest.approx((normal.statistic**2, normal.pvalue))
    first, second = (rs.auc(*draw(seed, k=1)) for seed in (1, 2))
    proc = rs.compare_independent(first, second, method="score", reference="proc")
    assert proc.method == "t test, variance at the null, pROC's degrees of freedom"
    assert proc.df == rs.compare_independent(first, second, reference="proc").df


@pytest.mark.parametrize("seed", SEEDS)
def test_with_many_losses_it_is_delongs_bit_for_bit(seed):
    comparison = rs.compare(*draw(seed, m=90, n=120, shift=0.9, k=3))
    sizes = [min(r.value, 1 - r.value) * 90 for r in comparison.rows]
    assert min(sizes) >= null_variance._NONE
    for auto, delong in zip(
        comparison.pairwise().tests, comparison.pairwise(method="delong").tests, strict=True
    ):
        assert auto == delong
        assert auto.confidence_interval() == delong.confidence_interval()
        assert auto.method == "t test of DeLong's components"
    assert comparison.omnibus() == comparison.omnibus(method="delong")
    assert comparison.noninferiority(0.05, new="a", standard="b") == comparison.noninferiority(
        0.05, new="a", standard="b", method="delong"
    )
    alone = comparison.rows[0]
    assert tuple(alone.confidence_interval()) == tuple(alone.confidence_interval(method="logit"))


def test_a_table_says_which_contrast_was_judged_otherwise():
    y_true, scores = draw(3, m=60, n=60, shift=0.8)
    scores = {"many": scores["a"], "too": scores["b"], "few": 3.0 * y_true + scores["b"]}
    text = repr(rs.compare(y_true, scores).pairwise())
    assert "t test of DeLong's components, two-sided" in text
    assert "many - few, too - few: t test, variance at the null" in text


def test_refusals():
    y_true, scores = draw(0, k=3)
    comparison = rs.compare(y_true, scores)
    other = rs.compare(y_true, {k: stats.norm.cdf(s) for k, s in scores.items()}, measure="sauc")
    for call in (
        lambda: other.pairwise(method="score"),
        lambda: other.pairwise(method="mover"),
        lambda: other.omnibus(method="score"),
        lambda: other.noninferiority(0.1, new="a", standard="b", method="score"),
    ):
        with pytest.raises(rs.InvalidOptionError, match="AUCs only"):
            call()
    for call in (
        lambda: comparison.pairwise(method="wald"),
        lambda: comparison.omnibus(method="mover"),
        lambda: comparison.contrast([1, -1, 0], method="exact"),
        lambda: rs.compare_independent(rs.auc(*draw(0, k=1)), rs.auc(*draw(1, k=1)), method="z"),
    ):
        with pytest.raises(rs.InvalidOptionError, match="method must be one of"):
            call()
    for weights in ([1.0, -0.5, -0.5], [1.0, 0.0, 0.0], [2.0, -2.0, 0.0]):
        with pytest.raises(rs.InvalidOptionError, match="difference of two AUCs"):
            comparison.contrast(weights, method="mover")
    assert only(rs.compare(y_true, {k: scores[k] for k in "ab"}), method="delong").pivot is None
    assert other.pairwise().tests == other.pairwise(method="delong").tests


# ----------------------------------------------------------- one statistic, from which all is read


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", LEVELS)
def test_test_and_interval_agree_at_every_level(seed, level):
    comparison = rs.compare(*draw(seed))
    low, high = only(comparison).confidence_interval(confidence_level=level)
    for limit, alternative in ((low, "greater"), (high, "less")):
        if abs(limit) < 1.0:
            both, one = (
                comparison.contrast([1, -1], null_value=limit, alternative=side).tests[0].pvalue
                for side in ("two-sided", alternative)
            )
            assert both == pytest.approx(1.0 - level, abs=LIMIT)
            assert one == pytest.approx((1.0 - level) / 2.0, abs=LIMIT)
    (one_sided,) = comparison.contrast([1, -1], alternative="greater").tests
    limits = one_sided.confidence_interval(confidence_level=1.0 - (1.0 - level) / 2.0)
    assert tuple(limits) == pytest.approx((low, math.inf))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("margin", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("method", ["score", "mover"])
def test_margins_read_the_same_statistic(seed, margin, method):
    comparison = rs.compare(*draw(seed))

    def one_sided(bound: float, side: str) -> rs.TestResult:
        return comparison.contrast(
            [1, -1], null_value=bound, alternative=side, method=method
        ).tests[0]

    above, below = one_sided(-margin, "greater"), one_sided(margin, "less")
    ahead = one_sided(margin, "greater")
    for aim, test in (
        ("noninferiority", above),
        ("superiority", ahead),
        ("equivalence", max(above, below, key=lambda t: t.pvalue)),
    ):
        found = getattr(comparison, aim)(margin, method=method)
        assert (found.statistic, found.pvalue, found.df) == pytest.approx(
            (test.statistic, test.pvalue, test.df)
        )
        low, high = only(comparison, method=method).confidence_interval(
            confidence_level=1.0 - 2.0 * found.significance
        )
        assert (found.conf_low, found.conf_high) == (low, high)
        assert (
            found.shown
            == {
                "noninferiority": low > -margin,
                "superiority": low > margin,
                "equivalence": -margin < low and high < margin,
            }[aim]
        )
        assert found.method == test.method


@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_markers_mirrors(seed):
    y_true, scores = draw(seed)
    here = only(rs.compare(y_true, scores))
    there = only(rs.compare(y_true, {k: scores[k] for k in "ba"}))
    assert there.statistic == pytest.approx(-here.statistic, rel=ROUNDING)
    assert there.pvalue == pytest.approx(here.pvalue, rel=ROUNDING)
    low, high = here.confidence_interval()
    assert tuple(there.confidence_interval()) == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_turning_the_scores_about_changes_nothing_or_mirrors(seed):
    y_true, scores = draw(seed)
    here = only(rs.compare(y_true, scores))
    turned = {k: -s for k, s in scores.items()}
    same = only(rs.compare(y_true, turned, higher_is_positive=False))
    assert same.statistic == pytest.approx(here.statistic, rel=ROUNDING)
    mirrored = only(rs.compare(y_true, turned))
    assert mirrored.statistic == pytest.approx(-here.statistic, rel=1e-8)
    one, other = (rs.auc(y_true, s["a"]).confidence_interval() for s in (scores, turned))
    assert tuple(other) == pytest.approx((1.0 - one.high, 1.0 - one.low), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_omnibus_of_two_is_the_square_of_t(seed):
    comparison = rs.compare(*draw(seed))
    t, f = only(comparison), comparison.omnibus()
    assert (f.statistic, f.pvalue) == pytest.approx((t.statistic**2, t.pvalue), rel=ROUNDING)
    assert (f.df, f.df_denominator) == (1.0, pytest.approx(t.df))
    assert f.method == "Omnibus test, F, variance at the null"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [3, 4])
def test_omnibus_is_its_definition(seed, k):
    """(6.8): areas at their mean; no larger than DeLong's; between them as losses grow."""
    comparison = rs.compare(*draw(seed, m=40, n=60, shift=1.5, k=k))
    rows, covariance = comparison.rows, comparison.covariance
    areas, spread = np.array([r.value for r in rows]), np.sqrt(np.diag(covariance))
    lost = np.minimum(areas, 1.0 - areas) * 40
    scales = null_variance.area_scale(areas, spread**2, 40, 60)
    u = np.sqrt(scales * null_variance.newcombe_variance(areas.mean(), 40, 60))
    draws = np.sqrt(lost / (lost + null_variance._PRIOR_CORRELATION))
    related = covariance / np.outer(spread, spread) * np.outer(draws, draws)
    np.fill_diagonal(related, 1.0)
    contrasts = np.eye(k)[:-1] - 1.0 / k
    d = contrasts @ areas

    def quadratic(within: np.ndarray) -> float:
        return float(d @ np.linalg.inv(contrasts @ within @ contrasts.T) @ d)

    delong = quadratic(covariance)
    at_null = min(quadratic(np.outer(u, u) * related), delong)
    share = float(null_variance.score_share(lost.min()))
    assert share > 0.0
    expected = 1.0 / ((1.0 - share) / delong + share / at_null)
    found = comparison.omnibus(reference="chi2", method="score")
    assert found.statistic == pytest.approx(expected, rel=1e-8)
    assert found.pvalue == pytest.approx(stats.chi2.sf(expected, k - 1), rel=1e-7)
    nu = 2 * 40 - 2
    f = comparison.omnibus()
    assert f.statistic == pytest.approx(expected * (nu - k + 2) / (nu * (k - 1)), rel=1e-8)
    assert f.delong == comparison.omnibus(method="delong")
    assert f.pvalue >= f.delong.pvalue


def test_a_copy_of_a_marker_leaves_the_omnibus_test_alone():
    y_true, scores = draw(1, k=3)
    alone = rs.compare(y_true, scores).omnibus()
    copied = rs.compare(y_true, {**scores, "again": np.exp(scores["b"])}).omnibus()
    assert (copied.df, copied.df_denominator) == (alone.df, alone.df_denominator)
    assert copied.statistic == pytest.approx(alone.statistic, rel=1e-9)
    pair = rs.compare(y_true, {k: scores[k] for k in "ab"})
    twice = rs.compare(y_true, {k: scores[k[0]] for k in ("a", "b", "b2")}).omnibus()
    assert twice.pvalue == pytest.approx(only(pair).pvalue, rel=1e-9)


@pytest.mark.parametrize("weights", [(1.0, -0.5, -0.5), (1.0, 0.0, 0.0), (0.5, 0.5, 0.0)])
def test_contrasts_in_general_read_their_own_areas(weights):
    comparison = rs.compare(*draw(2, k=3))
    (test,) = comparison.contrast(weights, null_value=0.3).tests
    w = np.array(weights)
    used = np.flatnonzero(w)
    expected = areas_at_null(
        [comparison.rows[i] for i in used],
        comparison.covariance[np.ix_(used, used)],
        w[used],
    )
    expected = replace(expected, **degrees_of_freedom(comparison.influence.contrast(w)))
    assert (test.statistic, test.df) == pytest.approx(expected.judge(0.3), rel=ROUNDING)
    assert test.statistic == pytest.approx(expected.judge(0.3)[0], rel=ROUNDING)
    assert test.std_error == pytest.approx(math.sqrt(w @ comparison.covariance @ w), rel=ROUNDING)


# -------------------------------------------------------------------------------------- designs


@pytest.mark.parametrize("seed", SEEDS)
def test_independent_samples_have_no_correlation_and_their_own_sizes(seed):
    first, second = rs.auc(*draw(seed, m=8, n=40, k=1)), rs.auc(*draw(seed + 50, m=60, n=20, k=1))
    test = rs.compare_independent(first, second)
    expected = areas_at_null(
        (first, second), np.diag([first.variance(), second.variance()]), np.array([1.0, -1.0])
    )
    both = first.influence.join(second.influence).contrast([1.0, -1.0])
    expected = replace(expected, **degrees_of_freedom(both))
    assert test.statistic == pytest.approx(expected.judge(0.0)[0], rel=ROUNDING)
    assert test.df <= rs.compare_independent(first, second, method="delong").df
    low, high = test.confidence_interval()
    for limit in (low, high):
        at = rs.compare_independent(first, second, null_value=limit)
        assert at.pvalue == pytest.approx(0.05, abs=LIMIT)


def shared(seed: int, overlap: int) -> tuple[rs.Estimate, rs.Estimate]:
    """Two AUCs of one population of 40 + 40, that have so many of 25 + 25 in common."""
    y_true, scores = draw(seed, m=40, n=40)
    place = np.arange(40)
    one, two = place[:25], place[25 - overlap : 50 - overlap] % 40
    estimates = []
    for name, part in (("a", one), ("b", two)):
        ids = np.concatenate([part, 40 + part])
        estimates.append(
            rs.auc(rs.ScoredSample.from_arrays(y_true[ids], scores[name][ids], subject=ids))
        )
    return estimates[0], estimates[1]


def test_partly_shared_samples_lie_between():
    first, second = shared(3, 25)
    y_true, scores = draw(3, m=40, n=40)
    part = np.concatenate([np.arange(25), 40 + np.arange(25)])
    paired = only(rs.compare(y_true[part], {k: s[part] for k, s in scores.items()}))
    whole = rs.compare_independent(first, second)
    assert (whole.statistic, whole.pvalue) == pytest.approx((paired.statistic, paired.pvalue))
    test = rs.compare_independent(*shared(3, 15))
    assert test.method == "t test, variance at the null"
    assert 0.0 < test.pvalue <= 1.0
    low, high = test.confidence_interval()
    assert low <= test.estimate <= high
    delong = rs.compare_independent(*shared(3, 15), method="delong")
    assert test.wald.pvalue == pytest.approx(delong.pvalue, rel=ROUNDING)
    assert test.df <= delong.df
    mover = rs.compare_independent(*shared(3, 15), method="mover")
    assert math.isinf(mover.df)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n", "near"), [(15, 1e-9), (20, 5e-3)])
def test_copies_of_subjects_as_clusters_are_the_subjects(seed, n, near):
    """Near only where classes differ in size: one design effect divides both."""
    y_true, scores = draw(seed, n=n)
    alone = only(rs.compare(y_true, scores))
    ids = np.repeat(np.arange(y_true.size), 4)
    copied = only(
        rs.compare(
            np.repeat(y_true, 4), {k: np.repeat(s, 4) for k, s in scores.items()}, cluster=ids
        )
    )
    assert copied.statistic == pytest.approx(alone.statistic, rel=near)
    assert copied.df == pytest.approx(alone.df, rel=2.0 * near)
    assert tuple(copied.confidence_interval()) == pytest.approx(
        tuple(alone.confidence_interval()), abs=near
    )
    assert copied.method == f"t test, variance at the null, {y_true.size} clusters"


# ---------------------------------------------------------------------------------------- MOVER


@pytest.mark.parametrize("level", LEVELS)
def test_mover_is_its_definition(level):
    """Zou & Donner (2008): distances to the limits of either area, in squares (6.8)."""
    comparison = rs.compare(*draw(1))
    (a, b), r = comparison.rows, comparison.correlation[0, 1]
    (la, ua), (lb, ub) = (e.confidence_interval(confidence_level=level) for e in (a, b))
    d = a.value - b.value
    x, y = a.value - la, ub - b.value
    low = d - math.sqrt(x * x + y * y - 2.0 * r * x * y)
    x, y = ua - a.value, b.value - lb
    high = d + math.sqrt(x * x + y * y - 2.0 * r * x * y)
    test = only(comparison, method="mover")
    assert tuple(test.confidence_interval(level)) == pytest.approx((low, high), rel=1e-9)
    at = comparison.contrast([1, -1], null_value=low, method="mover").tests[0]
    assert at.pvalue == pytest.approx(1.0 - level, abs=LIMIT)
    assert "MOVER" in test.method
    assert "z = " in repr(test)


# ----------------------------------------------------------------------------------- degenerate

Y = np.repeat([1, 0], [4, 5])
PERFECT = np.array([9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
ORDINARY = np.array([9.0, 3.0, 7.0, 6.0, 5.0, 4.0, 8.0, 2.0, 1.0])
CONSTANT = np.ones(9)
NO_VARIANCE = {
    "identical": (ORDINARY, 2.0 * ORDINARY),
    "both perfect": (PERFECT, 2.0 * PERFECT),
    "both inverted": (-PERFECT, -2.0 * PERFECT),
    "both constant": (CONSTANT, CONSTANT),
    "perfect and constant": (PERFECT, CONSTANT),
    "perfect and inverted": (PERFECT, -PERFECT),
}


@quietly
@pytest.mark.parametrize("name", NO_VARIANCE)
def test_without_variance_the_interval_says_what_so_many_can_exclude(name):
    comparison = rs.compare(Y, dict(zip("ab", NO_VARIANCE[name], strict=True)))
    test = only(comparison)
    low, high = test.confidence_interval()
    assert -1.0 <= low < high <= 1.0
    assert low <= test.estimate <= high
    assert test.df == 7.0
    assert 0.0 < test.pvalue <= 1.0
    assert (test.pvalue == 1.0) == (test.estimate == 0.0)
    assert test.dissent(0.05) == ""
    margin = comparison.noninferiority(0.1)
    assert 0.0 < margin.pvalue < 1.0
    assert margin.shown == (margin.conf_low > -0.1)
    assert "nan" not in repr(comparison.pairwise()) + repr(margin) + repr(test)


@quietly
def test_sixty_without_a_loss_show_what_fifteen_do_not():
    for size, shown in ((15, False), (60, True)):
        y_true = np.repeat([1, 0], size)
        scores = y_true + np.linspace(0.0, 0.5, 2 * size)
        comparison = rs.compare(y_true, {"new": scores, "old": scores**3})
        found = comparison.noninferiority(0.05)
        assert found.shown == shown
        assert ("so few losses cannot show it" in found.conclusion) == (not shown)
        assert not found.dissent


def test_too_few_losses_are_not_blamed_for_a_marker_that_is_worse():
    y_true, scores = draw(0, m=20, n=20, shift=0.8)
    poor = scores["a"]
    found = rs.compare(y_true, {"new": poor, "old": 9.0 * y_true + poor}).noninferiority(0.05)
    assert not found.shown
    assert found.losses == 0.0
    assert "losses" not in found.conclusion


@pytest.mark.parametrize("method", ["auto", "score", "mover"])
def test_one_positive_has_no_test(method):
    comparison = rs.compare([1, 0, 0, 0], {"a": [4, 3, 2, 1], "b": [2, 3, 1, 4]})
    with pytest.warns(rs.SmallSampleWarning):
        test = only(comparison, method=method)
    assert math.isnan(test.pvalue)
    assert math.isnan(test.confidence_interval().low)
    assert test.dissent(0.05) == ""
    with pytest.warns(rs.SmallSampleWarning):
        assert math.isnan(comparison.omnibus().pvalue)
    with pytest.warns(rs.SmallSampleWarning):
        margin = comparison.noninferiority(0.1)
    assert "could not be judged" in margin.conclusion
    assert not margin.dissent


# -------------------------------------------------------------------------- where the two disagree


def disagreeing() -> rs.Comparison:
    """The first of some samples in which DeLong's test alone is significant."""
    for seed in range(200):
        y_true, scores = draw(seed, m=12, n=12, shift=2.6)
        scores["b"] = scores["b"] - 0.6 * y_true
        comparison = rs.compare(y_true, scores)
        test = only(comparison)
        if test.wald.pvalue <= 0.05 < test.pvalue:
            return comparison
    raise AssertionError


@quietly
def test_the_other_test_is_shown_once_where_they_disagree():
    comparison = disagreeing()
    test, delong = only(comparison), only(comparison, method="delong")
    assert test.wald == delong
    low, high = delong.confidence_interval()
    sentence = (
        f"DeLong's own test of a - b disagrees: p = {delong.pvalue:.4f} (95% CI {show_value(low)} "
        f"to {show_value(high)}); its variance is that of the sample, which few losses make too "
        "small too often."
    )
    assert test.dissent(0.05) == sentence
    assert test.dissent(0.5 * delong.pvalue) == ""
    assert repr(test).count("disagrees") == repr(comparison.pairwise()).count("disagrees") == 1
    assert repr(delong).count("disagrees") == 0
    omnibus = comparison.omnibus()
    assert omnibus.dissent().startswith("DeLong's own omnibus test disagrees: p = ")
    assert repr(omnibus).count("disagrees") == 1
    row = comparison.pairwise().to_dict()["contrasts"][0]
    assert row["p_delong"] == delong.pvalue
    assert row["method"] == "t test, variance at the null"
    assert omnibus.to_dict()["p_delong"] == comparison.omnibus(method="delong").pvalue
    assert comparison.pairwise(method="delong").to_dict()["contrasts"][0]["p_delong"] is None


@quietly
def test_a_margin_says_so_too():
    for seed in range(200):
        comparison = rs.compare(*draw(seed, m=12, n=12, shift=2.6))
        found = comparison.noninferiority(0.1)
        delong = comparison.noninferiority(0.1, method="delong")
        assert found.p_delong == delong.pvalue or math.isnan(delong.p_delong)
        assert bool(found.dissent) == (found.shown != delong.shown)
        if found.dissent:
            assert found.dissent.startswith("DeLong's own test disagrees: one-sided p = ")
            assert repr(found).count("disagrees") == 1
            assert found.to_dict()["p_delong"] == delong.pvalue
            return
    raise AssertionError


# ------------------------------------------------------------- every ranking of a tiny sample


def _exact() -> Any:
    path = Path(__file__).parents[2] / "docs" / "evidence" / "exact_coverage.py"
    spec = importlib.util.spec_from_file_location("exact_coverage", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_probabilities_of_rankings_are_those_of_exponential_scores():
    """By simulation, and for two and one by integrals on paper."""
    exact = _exact()
    rankings = exact.all_rankings(2, 1)
    p = exact.probabilities(rankings, 0.75)  # rate 1/3 of the positives beside 1
    found = dict(zip([tuple(r) for r in rankings.astype(int).tolist()], p, strict=True))
    assert found == pytest.approx({(0, 1, 1): 0.6, (1, 0, 1): 0.3, (1, 1, 0): 0.1})
    rankings = exact.all_rankings(5, 5)
    assert len(rankings) == math.comb(10, 5) == len({tuple(r) for r in rankings.tolist()})
    for area in (0.5, 0.8, 0.95):
        p = exact.probabilities(rankings, area)
        assert p.sum() == pytest.approx(1.0, rel=1e-12)
        assert p @ exact.areas(rankings) == pytest.approx(area, rel=1e-12)  # it is unbiased
    rng = np.random.default_rng(5)
    pos, neg = rng.exponential(4.0, (20_000, 5)), rng.exponential(1.0, (20_000, 5))
    drawn = (pos[:, :, None] > neg[:, None, :]).mean(axis=(1, 2))
    p, value = exact.probabilities(rankings, 0.8), exact.areas(rankings)
    for cut in (0.5, 0.7, 0.9):
        share = p[value <= cut].sum()
        assert abs((drawn <= cut).mean() - share) < 4.0 * math.sqrt(share * (1 - share) / 20_000)


def test_exact_coverage_of_the_recommended_interval_of_five_and_five():
    """252 rankings with their probabilities; docs/evidence/exact_coverage.md has more."""
    exact = _exact()
    rankings = exact.all_rankings(5, 5)
    limits = exact.limits(rankings, "auto")
    for area in (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99):
        for turned in (False, True):
            found = exact.coverage(rankings, limits, area, turned=turned)
            assert 0.93 <= found <= 1.0, (area, turned)
    wald = exact.limits(rankings, "wald")
    assert exact.coverage(rankings, wald, 0.95, turned=False) < 0.7


def test_simultaneous_intervals_have_their_level_too():
    comparison = rs.compare(*draw(4, k=3))
    together = comparison.pairwise(intervals="simultaneous")
    assert together.each_level == pytest.approx(1.0 - 0.05 / 3)
    for row, test in zip(together.to_dict()["contrasts"], together.tests, strict=True):
        limits = test.confidence_interval(together.each_level)
        assert (row["conf_low"], row["conf_high"]) == (limits.low, limits.high)


# ------------------------------------------------------------------------ the design warned of


def lopsided(m: int, n: int, *, ties: bool, shift: float = 3.0) -> rs.Comparison:
    rng = np.random.default_rng(4)
    y_true = np.repeat([1, 0], [m, n])
    scores = {name: rng.normal(size=m + n) + shift * y_true for name in "ab"}
    if ties:
        scores = {name: np.round(s, 1) for name, s in scores.items()}
    return rs.compare(y_true, scores)


@pytest.mark.parametrize("sizes", [(25, 200), (200, 25), (30, 150)])
def test_few_losses_in_a_small_class_beside_a_large_one_are_warned_of(sizes):
    """docs/evidence/near_one.md: the cells above 2.5 times nominal are all of this design."""
    found = lopsided(*sizes, ties=True)
    for ask in (found.pairwise, found.omnibus, lambda: found.noninferiority(0.05)):
        with pytest.warns(rs.SmallSampleWarning, match="tied scores and fewer than 3 losses"):
            ask()
    apart = [rs.auc(*one) for one in ((found.sample.positive, s) for s in found.sample.scores)]
    with pytest.warns(rs.SmallSampleWarning, match="smaller class"):
        rs.compare_independent(*apart)


@pytest.mark.parametrize(
    "found",
    [
        lopsided(25, 200, ties=False),
        lopsided(60, 300, ties=True),
        lopsided(25, 100, ties=True),
        lopsided(25, 200, ties=True, shift=0.9),
    ],
    ids=["no ties", "no small class", "not five times", "losses"],
)
def test_other_designs_are_not(found, recwarn):
    found.pairwise()
    found.pairwise(method="delong")
    assert not [w for w in recwarn if "smaller class" in str(w.message)]


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("weights", [(1 / 3, 1 / 3, 1 / 3, -1.0), (0.1, 0.2, 0.7, -1.0)])
def test_what_thirds_leave_by_rounding_has_no_degrees_of_freedom(weights):
    """Copies of one marker differ by nothing, whatever the weights are rounded to."""
    rng = np.random.default_rng(4)
    for m, n in rng.integers(4, 12, (20, 2)).tolist():
        y, score = np.repeat([1, 0], [m, n]), np.round(rng.normal(size=m + n), 1)
        found = rs.compare(y, {name: score * (i + 1) for i, name in enumerate("abcd")})
        test = found.contrast(weights).tests[0]
        assert (test.std_error, test.pvalue, test.df) == (0.0, 1.0, m + n - 2)
