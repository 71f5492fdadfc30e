"""Comparisons against their definitions, written out by brute force; degenerate cases; algebra.

Section and equation numbers are those of STATISTICS.md. The oracle forms every pair, takes sample
covariances by `numpy.cov`, inverts by `numpy.linalg.pinv` and refers to `scipy.stats`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit
from statsmodels.stats.multitest import multipletests

import rocstats as rs
from rocstats.inference import contrasts, omnibus

RELATIVE = 1e-10  # some hundred roundings, times the condition of a 3 x 3 covariance (1e4 at most)
ROUNDING = 1e-12  # the same sums in another order

SEEDS = range(12)
MEASURES = ("auc", "sauc", "smauc")

# ------------------------------------------------------------------------------------- the oracle


class Drawn(NamedTuple):
    y_true: np.ndarray
    scores: dict[str, np.ndarray]


def draw(seed: int, k: int = 3, m: int = 0, n: int = 0) -> Drawn:
    """A small sample with k classifiers on [0, 1]; every other one is heavily tied."""
    rng = np.random.default_rng([6, seed])
    m, n = m or int(rng.integers(5, 12)), n or int(rng.integers(5, 12))
    y_true = rng.permutation(np.repeat([1, 0], [m, n]))
    latent = rng.normal(size=(k, m + n)) + rng.normal(size=m + n) + y_true
    scores = expit(latent)
    if seed % 2:
        scores = np.round(6.0 * scores) / 8.0
    return Drawn(y_true, dict(zip("abcdef", scores, strict=False)))


class Components(NamedTuple):
    """Estimates (K,), and structural components of positives (K, m) and negatives (K, n)."""

    value: np.ndarray
    pos: np.ndarray
    neg: np.ndarray

    @property
    def terms(self) -> tuple[np.ndarray, np.ndarray]:
        """S10 / m and S01 / n of (0.5)."""
        return tuple(np.cov(v) / v.shape[1] for v in (self.pos, self.neg))

    @property
    def covariance(self) -> np.ndarray:
        return sum(self.terms)


def components(y_true: np.ndarray, scores: dict[str, np.ndarray], measure: str) -> Components:
    rows = []
    for s in scores.values():
        pos, neg = s[y_true == 1][:, np.newaxis], s[y_true == 0]
        if measure == "smauc":  # test_oracle.py has its definition
            estimate = rs.smauc(y_true, s)
            whole = estimate.influence.values[0] + estimate.value
            rows.append((estimate.value, whole[y_true == 1], whole[y_true == 0]))
            continue
        pairs = {
            "auc": 0.5 * (pos > neg) + 0.5 * (pos >= neg),
            "sauc": np.maximum(pos - neg, 0.0),
        }[measure]
        rows.append((pairs.mean(), pairs.mean(axis=1), pairs.mean(axis=0)))
    return Components(*(np.array(column) for column in zip(*rows, strict=True)))


def satterthwaite(terms: Any, units: Any) -> float:
    """(7.2), and with four terms (6.6)"""
    terms, units = np.array(terms), np.array(units)
    return terms.sum() ** 2 / (terms**2 / (units - 1)).sum()


def p_value(statistic: float, df: float, alternative: str) -> float:
    reference = stats.norm() if math.isinf(df) else stats.t(df)
    return {
        "two-sided": 2.0 * reference.sf(abs(statistic)),
        "less": reference.cdf(statistic),
        "greater": reference.sf(statistic),
    }[alternative]


def close(expected: Any, rel: float = RELATIVE) -> Any:
    return pytest.approx(expected, rel=rel, abs=1e-15)  # 1e-15: zeros of numbers near 1


def auc_of(y_true: Any, y_score: Any, **options: Any) -> rs.Estimate:
    return rs.auc(rs.ScoredSample.from_arrays(y_true, y_score, **options))


# ------------------------------------------------------------------------ contrasts one by one


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("reference", ["t", "normal"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_contrasts(seed, measure, reference, alternative):
    sample = draw(seed)
    oracle = components(*sample, measure)
    matrix = np.array([[1.0, -1.0, 0.0], [0.5, 0.5, -1.0], [0.25, 0.0, 3.0]])
    found = rs.compare(*sample, measure=measure).contrast(
        matrix,
        reference=reference,
        method="delong",
        alternative=alternative,
        null_value=0.125,
        confidence_level=0.9,
    )
    units = oracle.pos.shape[1], oracle.neg.shape[1]
    for weights, test in zip(matrix, found.tests, strict=True):
        terms = [weights @ term @ weights for term in oracle.terms]
        estimate, std_error = weights @ oracle.value, math.sqrt(sum(terms))
        df = satterthwaite(terms, units) if reference == "t" else math.inf
        statistic = (estimate - 0.125) / std_error
        assert test.estimate == close(estimate)
        assert test.std_error == close(std_error)
        assert test.df == close(df)
        assert test.statistic == close(statistic)
        assert test.pvalue == close(p_value(statistic, df, alternative))

        quantile = stats.norm() if reference == "normal" else stats.t(df)
        p = 0.95 if alternative == "two-sided" else 0.9
        q = quantile.ppf(p)
        q -= (quantile.cdf(q) - p) / quantile.pdf(q)  # older scipys stop at the eleventh digit
        reach = q * std_error
        limits = test.confidence_interval(confidence_level=0.9)
        low = -math.inf if alternative == "less" else estimate - reach
        high = math.inf if alternative == "greater" else estimate + reach
        assert (limits.low, limits.high) == close((low, high))


@pytest.mark.parametrize("measure", MEASURES)
def test_pairwise_is_every_difference_of_two(measure):
    comparison = rs.compare(*draw(3), measure=measure)
    oracle = components(*draw(3), measure)
    frame = comparison.pairwise().to_frame()
    assert list(frame.columns[:9]) == [
        *("contrast", "estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"),
        *("conf_low", "conf_high"),
    ]
    assert list(frame["contrast"]) == ["a - b", "a - c", "b - c"]
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    cov = oracle.covariance
    assert frame["estimate"].to_numpy() == close(oracle.value[first] - oracle.value[second])
    variance = cov[first, first] + cov[second, second] - 2.0 * cov[first, second]
    assert frame["std_error"].to_numpy() == close(np.sqrt(variance))
    assert comparison.covariance == close(cov)
    spread = np.sqrt(np.diag(cov))
    assert comparison.correlation == close(cov / np.outer(spread, spread))


def test_pairwise_versus_one_and_by_several_measures():
    comparison = rs.compare(*draw(2))
    versus = comparison.pairwise(versus="b", adjust="none").tests
    assert [test.contrast for test in versus] == ["a - b", "c - b"]
    both = rs.compare(*draw(2), measure=["auc", "sauc"]).pairwise(adjust="none").tests
    alone = [t for m in ("auc", "sauc") for t in rs.compare(*draw(2), measure=m).pairwise().tests]
    assert [test.contrast for test in both][:4] == ["a - b (auc)", "a - c (auc)", "b - c (auc)",
                                                   "a - b (sauc)"]  # fmt: skip
    assert [t.statistic for t in both] == [t.statistic for t in alone]
    with pytest.raises(rs.InvalidOptionError, match="no classifier 'd'"):
        comparison.pairwise(versus="d")


def test_an_option_that_is_not_offered():
    comparison = rs.compare(*draw(0))
    for call in (
        lambda: comparison.pairwise(adjust="scheffe"),
        lambda: comparison.pairwise(reference="chi2"),
        lambda: comparison.pairwise(alternative="larger"),
        lambda: comparison.pairwise(confidence_level=95),
        lambda: comparison.omnibus(reference="t"),
        lambda: comparison.contrast([1.0, -1.0]),
        lambda: comparison.contrast([1.0, -1.0, 0.0], names=["one", "two"]),
    ):
        with pytest.raises(rs.InvalidOptionError):
            call()


# --------------------------------------------------------------------------- contrasts at once


def numbers(test: rs.OmnibusTest) -> tuple[float, ...]:
    return test.statistic, test.pvalue, test.df, test.df_denominator


def omnibus_oracle(oracle: Components, matrix: np.ndarray) -> tuple[float, int]:
    """(6.1)"""
    difference, covariance = matrix @ oracle.value, matrix @ oracle.covariance @ matrix.T
    return (
        difference @ np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ difference,
        np.linalg.matrix_rank(covariance, tol=1e-10 * np.linalg.norm(covariance, 2)),
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("twin", [False, True])
def test_omnibus(seed, measure, twin):
    y_true, scores = draw(seed)
    if twin:
        scores = {**scores, "twin": scores["b"]}
    oracle = components(y_true, scores, measure)
    quadratic, rank = omnibus_oracle(oracle, np.eye(len(scores))[:-1] - 1.0 / len(scores))
    assert rank == 2
    comparison = rs.compare(y_true, scores, measure=measure)

    chi2 = comparison.omnibus(reference="chi2")
    assert (chi2.statistic, chi2.df) == (close(quadratic), rank)
    assert chi2.pvalue == close(stats.chi2.sf(quadratic, rank))

    nu = 2 * min(oracle.pos.shape[1], oracle.neg.shape[1]) - 2  # (6.2)
    below = nu - rank + 1
    for reference in ("F", "auto"):
        found = comparison.omnibus(reference=reference, method="delong")
        assert (found.df, found.df_denominator) == (rank, below)
        assert found.statistic == close(quadratic * below / (nu * rank))
        assert found.pvalue == close(stats.f.sf(found.statistic, rank, below))


@pytest.mark.parametrize("measure", MEASURES)
def test_omnibus_of_two_is_the_square_of_t(measure):
    comparison = rs.compare(*draw(4, k=2), measure=measure)
    (t,) = comparison.pairwise(reference="t").tests
    assert numbers(comparison.omnibus()) == close((t.statistic**2, t.pvalue, 1.0, t.df))
    (z,) = comparison.pairwise(reference="normal").tests
    chi2 = comparison.omnibus(reference="chi2")
    assert numbers(chi2) == close((z.statistic**2, z.pvalue, 1.0, math.inf))


@pytest.mark.parametrize(("size", "name"), [(99, "F"), (100, "chi-square")])
def test_omnibus_is_chi_square_from_100_subjects_in_a_class(size, name):
    assert rs.compare(*draw(0, m=size, n=150)).omnibus().method.endswith(name)


def test_omnibus_needs_more_subjects_than_contrasts():
    """Two positives leave 2 * 2 - 1 - 3 = 0 degrees of freedom for three contrasts."""
    comparison = rs.compare(*draw(0, k=4, m=2, n=30))
    with pytest.warns(rs.SmallSampleWarning, match="cannot be tested together"):
        found = comparison.omnibus()
    assert math.isnan(found.pvalue)


def test_three_tests_for_ovarian_cancer():
    """DeLong et al. (1988), the 43 complete patients, as in the data step of the SAS/STAT manual,
    PROC LOGISTIC, "Comparing Receiver Operating Characteristic Curves": albumin, total protein,
    K-G score, and whether surgery helped. The numbers are R's: 4.2.2, the areas and covariances of
    pROC 1.18.0 (method "delong"), the quadratic form by solve(). SAS's own page was not seen.
    """
    patients = """
        3.0 5.8 10 0   3.2 6.3  5 1   3.9 6.8  3 1   2.8 4.8  6 0   3.2 5.8  3 1   0.9 4.0  5 0
        2.5 5.7  8 0   1.6 5.6  5 1   3.8 5.7  5 1   3.7 6.7  6 1   3.2 5.4  4 1   3.8 6.6  6 1
        4.1 6.6  5 1   3.6 5.7  5 1   4.3 7.0  4 1   3.6 6.7  4 0   2.3 4.4  6 1   4.2 7.6  4 0
        4.0 6.6  6 0   3.5 5.8  6 1   3.8 6.8  7 1   3.0 4.7  8 0   4.5 7.4  5 1   3.7 7.4  5 1
        3.1 6.6  6 1   4.1 8.2  6 1   4.3 7.0  5 1   4.3 6.5  4 1   3.2 5.1  5 1   2.6 4.7  6 1
        3.3 6.8  6 0   1.7 4.0  7 0   3.7 6.1  5 1   3.3 6.3  7 1   4.2 7.7  6 1   3.5 6.2  5 1
        2.9 5.7  9 0   2.1 4.8  7 1   2.8 6.2  8 0   4.0 7.0  7 1   3.3 5.7  6 1   3.7 6.9  5 1
        3.6 6.6  5 1"""
    albumin, protein, kg_score, helped = np.array(patients.split(), dtype=float).reshape(43, 4).T
    found = rs.compare(
        helped,
        {"albumin": albumin, "protein": protein, "K-G": kg_score},
        higher_is_positive={"K-G": False},
    ).omnibus(reference="chi2")
    assert found.df == 2.0
    assert found.statistic == close(2.53397792621414)
    assert found.pvalue == close(0.281678490488887)


# --------------------------------------------------------------------------- independent samples


@pytest.mark.filterwarnings("ignore::rocstats.PrevalenceWarning")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", MEASURES)
def test_independent_samples(seed, measure):
    samples = [draw(100 + seed, k=1), draw(200 + seed, k=1)]
    first, second = (rs.estimate(*s, measures=measure).rows[0] for s in samples)
    oracle = [components(*s, measure) for s in samples]
    terms = [np.var(v, ddof=1) / v.size for o in oracle for v in (o.pos, o.neg)]
    units = [v.size for o in oracle for v in (o.pos, o.neg)]
    two_terms = [terms[0] + terms[1], terms[2] + terms[3]]
    df = {
        "auto": satterthwaite(terms, units),
        "t": satterthwaite(terms, units),
        "normal": math.inf,
        "proc": satterthwaite(two_terms, [units[0] + units[1], units[2] + units[3]]),
    }
    statistic = float((oracle[0].value - oracle[1].value)[0]) / math.sqrt(sum(terms))
    for reference, expected in df.items():
        for alternative in ("two-sided", "less", "greater"):
            test = rs.compare_independent(
                first, second, reference=reference, method="delong", alternative=alternative
            )
            assert (test.statistic, test.df) == close((statistic, expected))
            assert test.pvalue == close(p_value(statistic, expected, alternative))


def test_one_sample_is_not_two():
    rows = rs.estimate(*draw(0), measures="auc").rows
    with pytest.raises(rs.NotPairedError, match=r"rs\.compare"):
        rs.compare_independent(rows[0], rows[1])


def test_measures_must_be_the_same():
    (y_true, scores), (y_other, others) = draw(0), draw(1)
    with pytest.raises(rs.InvalidOptionError, match="one measure"):
        rs.compare_independent(rs.auc(y_true, scores["a"]), rs.sauc(y_other, others["a"]))
    with pytest.raises(rs.InvalidOptionError):
        rs.compare_independent(
            rs.smauc(y_true, scores["a"], midpoint=0.5),
            rs.smauc(y_other, others["a"], midpoint=0.3),
        )


# ------------------------------------------------------------------------------------- margins


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("margin", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("reference", ["t", "normal"])
def test_margins_are_one_sided_tests(seed, margin, reference):
    comparison = rs.compare(*draw(seed, k=2, m=60, n=80))

    def one_sided(bound, alternative):
        return comparison.contrast(
            [1.0, -1.0], null_value=bound, alternative=alternative, reference=reference
        ).tests[0]

    above, below = one_sided(-margin, "greater"), one_sided(margin, "less")
    ahead = one_sided(margin, "greater")
    worse = max(above, below, key=lambda test: test.pvalue)
    for found, test in (
        (comparison.noninferiority(margin, reference=reference), above),
        (comparison.superiority(margin, reference=reference), ahead),
        (comparison.equivalence(margin, reference=reference), worse),
    ):
        assert (found.statistic, found.pvalue, found.df) == close(
            (test.statistic, test.pvalue, test.df)
        )
        assert found.shown == (test.pvalue <= found.significance)
        two_sided = comparison.contrast([1.0, -1.0], reference=reference).tests[0]
        limits = two_sided.confidence_interval(confidence_level=1.0 - 2.0 * found.significance)
        assert (found.conf_low, found.conf_high) == close((limits.low, limits.high))
        by_interval = {
            "non-inferiority": limits.low > -margin,
            "superiority": limits.low > margin,
            "equivalence": -margin < limits.low and limits.high < margin,
        }[found.aim]
        assert found.shown == by_interval


def test_margin_conclusions_are_sentences():
    good, poor = np.arange(40.0), np.tile([0.0, 7.0, 3.0, 5.0], 10)
    y_true = np.repeat([0, 1], 20)
    y_true[[15, 25]] = 1, 0
    comparison = rs.compare(y_true, {"new": good, "old": poor})
    sure = comparison.noninferiority(0.05)
    assert sure.conclusion == (
        f"Non-inferiority was shown: new - old = {sure.estimate:.4f} "
        f"(95% CI {sure.conf_low:.4f} to {sure.conf_high:.4f}), "
        "and the lower limit is above -0.05 (one-sided p < 0.0001)."
    )
    other = comparison.noninferiority(0.05, new="old", standard="new").conclusion
    assert other.startswith(f"Non-inferiority was not shown: old - new = {-sure.estimate:.4f}")
    assert "the lower limit is not above -0.05" in other
    assert "the lower limit is above 0.1" in comparison.superiority(0.1).conclusion
    same = comparison.equivalence(0.1).conclusion
    assert same.startswith("Equivalence was not shown")
    assert "(90% CI" in same
    assert "the interval is not within (-0.1, 0.1)" in same
    assert sure.conclusion == sure.to_dict()["conclusion"]
    assert repr(sure) == f"{sure.conclusion}\n{sure.method}"


def test_conclusion_names_the_level_of_its_interval():
    found = rs.compare(*draw(0, k=2)).noninferiority(0.1, significance=0.0125)
    assert "97.5% CI" in found.conclusion


def test_margins_must_make_sense():
    two, three = rs.compare(*draw(0, k=2)), rs.compare(*draw(0))
    for call in (
        lambda: two.noninferiority(0.0),
        lambda: two.noninferiority(-0.1),
        lambda: two.noninferiority(math.inf),
        lambda: two.noninferiority(0.1, significance=0.5),
        lambda: two.noninferiority(0.1, new="a"),
        lambda: two.noninferiority(0.1, new="a", standard="a"),
        lambda: two.noninferiority(0.1, new="a", standard="z"),
        lambda: three.equivalence(0.1),
        lambda: rs.compare(*draw(0), measure=["auc", "sauc"]).superiority(0.1),
    ):
        with pytest.raises(rs.InvalidOptionError):
            call()
    named = three.equivalence(0.1, new="c", standard="a")
    assert named.contrast == "c - a"


# ------------------------------------------------------------------------------------ clusters


def obuchowski(y_true: np.ndarray, oracle: Components, cluster: np.ndarray) -> np.ndarray:
    """Obuchowski (1997), doi:10.2307/2533958: sums of components over the units of a cluster."""
    k, (m, n) = oracle.value.size, (oracle.pos.shape[1], oracle.neg.shape[1])
    s10, s01, s11 = np.zeros((3, k, k))
    with_pos = with_neg = 0
    names = sorted(set(cluster.tolist()))
    for name in names:
        mine_pos, mine_neg = (cluster[y_true == c] == name for c in (1, 0))
        pos = oracle.pos[:, mine_pos].sum(axis=1) - mine_pos.sum() * oracle.value
        neg = oracle.neg[:, mine_neg].sum(axis=1) - mine_neg.sum() * oracle.value
        s10 += np.outer(pos, pos)
        s01 += np.outer(neg, neg)
        s11 += np.outer(pos, neg)
        with_pos += mine_pos.any()
        with_neg += mine_neg.any()
    s10 *= with_pos / ((with_pos - 1) * m)
    s01 *= with_neg / ((with_neg - 1) * n)
    s11 *= len(names) / (len(names) - 1)
    return s10 / m + s01 / n + (s11 + s11.T) / (m * n)


def draw_clusters(seed: int, size: int) -> np.ndarray:
    return np.random.default_rng([7, seed]).integers(0, 7, size)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", MEASURES)
def test_clustered_covariance(seed, measure):
    y_true, scores = draw(seed, m=15, n=20)
    cluster = draw_clusters(seed, 35)
    expected = obuchowski(y_true, components(y_true, scores, measure), cluster)
    comparison = rs.compare(y_true, scores, measure=measure, cluster=cluster)
    assert comparison.covariance == close(expected)
    std_errors = [row.std_error for row in comparison.rows]
    assert std_errors == close(np.sqrt(np.diag(expected)))
    (test,) = comparison.contrast([1.0, -0.5, -0.5]).tests
    weights = np.array([1.0, -0.5, -0.5])
    assert test.std_error == close(math.sqrt(weights @ expected @ weights))


@pytest.mark.parametrize("measure", MEASURES)
def test_clusters_of_one_subject_change_nothing(measure):
    y_true, scores = draw(5)
    alone = rs.compare(y_true, scores, measure=measure)
    told = rs.compare(y_true, scores, measure=measure, cluster=np.arange(y_true.size)[::-1])
    assert told.covariance == close(alone.covariance, ROUNDING)
    for a, b in zip(told.pairwise().tests, alone.pairwise().tests, strict=True):
        assert (a.statistic, a.df, a.pvalue) == close((b.statistic, b.df, b.pvalue), ROUNDING)
    assert told.omnibus().statistic == close(alone.omnibus().statistic, RELATIVE)
    assert told.omnibus().df_denominator == alone.omnibus().df_denominator


@pytest.mark.parametrize("measure", MEASURES)
def test_a_subject_seen_twice_in_its_cluster_adds_nothing(measure):
    y_true, scores = draw(6)
    twice = {name: np.tile(s, 2) for name, s in scores.items()}
    told = rs.compare(
        np.tile(y_true, 2), twice, measure=measure, cluster=np.tile(np.arange(y_true.size), 2)
    )
    alone = rs.compare(y_true, scores, measure=measure)
    assert told.covariance == close(alone.covariance)
    assert (
        told.omnibus().df_denominator == alone.omnibus().df_denominator
    )  # which count clusters, not rows


@pytest.mark.parametrize("measure", MEASURES)
def test_order_and_names_of_clusters_do_not_matter(measure):
    y_true, scores = draw(7, m=15, n=20)
    cluster = draw_clusters(7, 35)
    kept = rs.compare(y_true, scores, measure=measure, cluster=cluster)
    order = np.random.default_rng(8).permutation(35)
    moved = {name: s[order] for name, s in scores.items()}
    names = np.array(list("gfedcba"))[cluster][order]
    found = rs.compare(y_true[order], moved, measure=measure, cluster=names)
    assert found.covariance == close(kept.covariance, ROUNDING)


@pytest.mark.parametrize("told", [(1, 2), (1,), (2,)])
def test_independent_clustered_samples_add_their_variances(told):
    samples = []
    for seed in (1, 2):
        y_true, scores = draw(seed, k=1, m=15, n=20)
        cluster = 100 * seed + draw_clusters(seed, 35) if seed in told else None
        samples.append(auc_of(y_true, scores["a"], cluster=cluster))
    test = rs.compare_independent(*samples)
    assert test.std_error == close(math.hypot(*(e.std_error for e in samples)))


def test_proc_has_no_clusters():
    """Its degrees of freedom count rows, which clusters say are not independent."""
    y_true, scores = draw(1, k=1, m=15, n=20)
    clustered = auc_of(y_true, scores["a"], cluster=draw_clusters(1, 35))
    y_other, others = draw(2, k=1)
    with pytest.raises(rs.InvalidOptionError, match="proc"):
        rs.compare_independent(clustered, rs.auc(y_other, others["a"]), reference="proc")


def test_one_cluster_a_class_has_no_variance():
    y_true, scores = draw(0, k=2, m=6, n=6)
    with pytest.warns(rs.SmallSampleWarning, match="one subject or cluster"):
        (test,) = rs.compare(y_true, scores, cluster=y_true).pairwise().tests
    assert math.isnan(test.pvalue)


# --------------------------------------------------------------------------- joined by subject


def joined(seed: int, ids_first: Any, ids_second: Any) -> tuple[rs.Estimate, rs.Estimate]:
    """Two AUCs of the population `draw(seed, m=20, n=20)`, each on the subjects named."""
    y_true, scores = draw(seed, k=2, m=20, n=20)
    return tuple(
        auc_of(y_true[ids], scores[name][ids], subject=ids)
        for name, ids in (("a", np.asarray(ids_first)), ("b", np.asarray(ids_second)))
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_joining_the_same_subjects_is_the_paired_test(seed):
    everyone = np.arange(40)
    test = rs.compare_independent(*joined(seed, everyone, everyone))
    (paired,) = rs.compare(*draw(seed, k=2, m=20, n=20)).pairwise().tests
    assert (test.estimate, test.std_error, test.df, test.pvalue) == (
        paired.estimate, paired.std_error, paired.df, paired.pvalue
    )  # fmt: skip
    mixed = rs.compare_independent(*joined(seed, everyone[::-1], np.roll(everyone, 7)))
    assert mixed.std_error == close(paired.std_error, ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_joining_other_subjects_is_the_independent_test(seed):
    first, second = joined(seed, np.arange(20), np.arange(20, 40))
    test = rs.compare_independent(first, second)
    assert test.std_error == close(math.hypot(first.std_error, second.std_error))
    without_ids = [rs.auc(e.sample.positive, e.sample.scores[0], pos_label=True) for e in
                   (first, second)]  # fmt: skip
    other = rs.compare_independent(*without_ids)
    assert (test.std_error, test.df, test.pvalue) == (other.std_error, other.df, other.pvalue)


@pytest.mark.parametrize("seed", SEEDS)
def test_joining_some_subjects(seed):
    """Shared subjects add their products, over the geometric mean of both n (n - 1)."""
    rng = np.random.default_rng([9, seed])
    ids = [np.sort(rng.choice(40, size, replace=False)) for size in (25, 32)]
    estimates = joined(seed, *ids)
    y_true, scores = draw(seed, k=2, m=20, n=20)
    oracle = [
        components(y_true[mine], {name: scores[name][mine]}, "auc")
        for name, mine in zip("ab", ids, strict=True)
    ]
    covariance = 0.0
    for label in (1, 0):
        centred, sizes = [], []
        for part, mine in zip(oracle, ids, strict=True):
            values = (part.pos if label else part.neg)[0] - part.value[0]
            centred.append(dict(zip(mine[y_true[mine] == label].tolist(), values, strict=True)))
            sizes.append(values.size * (values.size - 1))
        both = centred[0].keys() & centred[1].keys()
        covariance += sum(centred[0][i] * centred[1][i] for i in both) / math.sqrt(math.prod(sizes))
    variance = sum(part.terms[0] + part.terms[1] for part in oracle) - 2.0 * covariance
    assert rs.compare_independent(*estimates).std_error == close(math.sqrt(variance))


def test_a_subject_has_one_class():
    first, second = joined(0, np.arange(40), np.arange(40))
    y_true = second.sample.positive.copy()
    y_true[[0, 1]] = ~y_true[[0, 1]]
    other = auc_of(y_true, second.sample.scores[0], pos_label=True, subject=np.arange(40))
    with pytest.raises(rs.NotPairedError, match="one true class"):
        rs.compare_independent(first, other)


def test_a_subject_is_there_once():
    first, _ = joined(0, np.arange(40), np.arange(40))
    ids = np.arange(40)
    ids[1] = 0
    with pytest.warns(rs.RepeatedSubjectWarning):
        repeated = auc_of(
            first.sample.positive, first.sample.scores[0], pos_label=True, subject=ids
        )
    with pytest.raises(rs.NotPairedError, match="twice"):
        rs.compare_independent(first, repeated)


def test_proc_has_no_shared_subjects():
    with pytest.raises(rs.InvalidOptionError, match="proc"):
        rs.compare_independent(*joined(0, np.arange(30), np.arange(10, 40)), reference="proc")


def test_joining_does_not_hide_that_there_is_one_positive():
    y_true, _ = draw(0, k=2, m=20, n=20)
    one = np.sort([np.flatnonzero(y_true)[0], *np.flatnonzero(y_true == 0)])
    with pytest.warns(rs.RocstatsWarning) as caught:
        test = rs.compare_independent(*joined(0, one, np.arange(40)))
    assert rs.SmallSampleWarning in {warning.category for warning in caught}
    assert math.isnan(test.std_error)
    assert math.isnan(test.pvalue)


# ---------------------------------------------------------------------------- degenerate (6.3)

quietly = pytest.mark.filterwarnings(
    "ignore::rocstats.RocstatsWarning"
)  # where numbers are asked for

Y = np.repeat([1, 0], [4, 5])
PERFECT = np.array([9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
ALSO_PERFECT = np.array([6.0, 9.0, 8.0, 7.0, 1.0, 2.0, 5.0, 3.0, 4.0])
ORDINARY = np.array([9.0, 3.0, 7.0, 6.0, 5.0, 4.0, 8.0, 2.0, 1.0])
CONSTANT = np.ones(9)

EQUAL = {
    "the same twice": (ORDINARY, ORDINARY),
    "a model and its own sigmoid": (ORDINARY, expit(0.1 * ORDINARY)),
    "a model and its logarithm": (ORDINARY, np.log(ORDINARY)),
    "two perfect markers": (PERFECT, ALSO_PERFECT),
    "two constants": (CONSTANT, 2.0 * CONSTANT),
}


@quietly
@pytest.mark.parametrize("name", EQUAL)
def test_no_variance_and_no_difference(name):
    comparison = rs.compare(Y, dict(zip("ab", EQUAL[name], strict=True)))
    (test,) = comparison.pairwise(method="delong").tests
    assert (test.estimate, test.std_error, test.statistic, test.df) == (0.0, 0.0, 0.0, 0.0)
    assert test.pvalue == 1.0
    (at_null,) = comparison.pairwise().tests
    assert (at_null.estimate, at_null.std_error, at_null.statistic) == (0.0, 0.0, 0.0)
    assert (at_null.df, at_null.pvalue) == (7.0, 1.0)
    assert numbers(comparison.omnibus()) == (0.0, 1.0, 0.0, math.inf)
    (normal,) = comparison.pairwise(reference="normal").tests
    assert normal.method.startswith("z ")


@pytest.mark.parametrize("name", EQUAL)
@pytest.mark.parametrize("method", ["auto", "delong"])
@pytest.mark.parametrize(
    "test",
    [
        lambda comparison, **by: comparison.pairwise(**by),
        lambda comparison, **by: comparison.omnibus(**by),
        lambda comparison, **by: comparison.noninferiority(0.01, **by),  # p would be 0
        lambda comparison, **by: comparison.equivalence(0.01, **by),
    ],
    ids=["pairwise", "omnibus", "noninferiority", "equivalence"],
)
def test_no_variance_is_flagged(name, test, method):
    """DESIGN.md 3: degenerate data never give an unflagged p of 0 or 1."""
    comparison = rs.compare(Y, dict(zip("ab", EQUAL[name], strict=True)))
    with pytest.warns(rs.DegenerateVarianceWarning):
        test(comparison, method=method)


@pytest.mark.parametrize(
    "test",
    [
        lambda: rs.compare(Y, {"a": PERFECT, "b": CONSTANT}).pairwise(),
        lambda: rs.compare(Y, {"a": PERFECT, "b": CONSTANT}).contrast([1.0, -1.0]),
        lambda: rs.compare(Y, {"a": PERFECT, "b": CONSTANT}).omnibus(),
        lambda: rs.compare(Y, {"a": PERFECT, "b": CONSTANT}).noninferiority(0.1),
        lambda: rs.compare_independent(rs.auc(Y, PERFECT), rs.auc(Y, CONSTANT)),
    ],
    ids=["pairwise", "contrast", "omnibus", "noninferiority", "independent"],
)
def test_warnings_point_at_the_line_that_called(test):
    with pytest.warns(rs.DegenerateVarianceWarning) as caught:
        test()
    assert {warning.filename for warning in caught} == {__file__}


def test_a_model_and_its_own_sigmoid_differ_by_scored_measures():
    scores = {"a": ORDINARY / 10.0, "b": expit(ORDINARY / 10.0)}
    (test,) = rs.compare(Y, scores, measure="sauc").pairwise().tests
    assert test.estimate != 0.0
    assert test.std_error > 0.0


DIFFERENT = {
    "perfect and constant": (PERFECT, CONSTANT),
    "perfect and inverted": (PERFECT, -ALSO_PERFECT),
    "constant and inverted": (CONSTANT, -PERFECT),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_no_variance_but_a_difference(name):
    first, second = DIFFERENT[name]
    comparison = rs.compare(Y, {"a": first, "b": second})
    for names, sign in (("ab", 1.0), ("ba", -1.0)):
        turned = rs.compare(Y, dict(zip(names, (first, second), strict=True)))
        with pytest.warns(rs.DegenerateVarianceWarning, match="permutation test"):
            (test,) = turned.contrast([[sign, -sign]], method="delong").tests
        assert (test.statistic, test.pvalue) == (sign * math.inf, 0.0)
    with pytest.warns(rs.DegenerateVarianceWarning, match="permutation test"):
        omnibus = comparison.omnibus(method="delong")
    assert (omnibus.statistic, omnibus.pvalue) == (math.inf, 0.0)
    with pytest.warns(rs.DegenerateVarianceWarning, match="permutation test"):
        (test,) = comparison.pairwise(alternative="less", method="delong").tests
    assert test.pvalue == 1.0
    with pytest.warns(rs.DegenerateVarianceWarning, match="permutation test"):
        (test,) = comparison.pairwise().tests
    with pytest.warns(rs.DegenerateVarianceWarning, match="permutation test"):
        omnibus = comparison.omnibus()
    assert 0.0 < test.pvalue < 1.0  # by the variance that samples of this size have (6.8)
    assert numbers(omnibus) == close((test.statistic**2, test.pvalue, 1.0, test.df))


def test_one_perfect_marker_is_still_compared():
    comparison = rs.compare(Y, {"a": PERFECT, "b": ORDINARY})
    (test,) = comparison.pairwise().tests
    np.testing.assert_array_equal(comparison.covariance[0], 0.0)
    assert test.std_error == close(comparison.rows[1].std_error)
    assert 0.0 < test.pvalue < 1.0


def test_a_difference_outside_the_range_of_the_covariance():
    """a - b has variance; the perfect and the constant marker differ with none (6.1)."""
    scores = {"a": ORDINARY, "b": np.roll(ORDINARY, 2), "c": PERFECT, "d": CONSTANT}
    with pytest.warns(rs.DegenerateVarianceWarning, match="permutation test"):
        found = rs.compare(Y, scores).omnibus(reference="chi2")
    assert (found.statistic, found.pvalue) == (math.inf, 0.0)


@pytest.mark.parametrize("label", [1, 0])
def test_one_subject_in_a_class(label):
    y_true = np.where(np.arange(9) == 3, label, 1 - label)
    comparison = rs.compare(y_true, {"a": ORDINARY, "b": PERFECT, "c": ALSO_PERFECT})
    assert math.isfinite(comparison.rows[0].value)
    with pytest.warns(rs.SmallSampleWarning):
        tests = comparison.pairwise().tests
    for test in tests:
        assert math.isfinite(test.estimate)
        numbers = [test.std_error, test.statistic, test.pvalue]
        numbers += [test.confidence_interval().low, test.confidence_interval().high]
        assert all(math.isnan(number) for number in numbers)
    with pytest.warns(rs.SmallSampleWarning):
        assert math.isnan(comparison.omnibus().pvalue)
    with pytest.warns(rs.SmallSampleWarning):
        margin = comparison.noninferiority(0.1, new="a", standard="b")
    assert not margin.shown
    assert math.isnan(margin.pvalue)


# ---------------------------------------------------------------------------------------- traps


def test_nested_models_are_refused():
    with pytest.raises(rs.NestedModelsError, match="likelihood ratio"):
        rs.compare(*draw(0), nested=True)


def test_pooled_folds_earn_a_warning():
    y_true, scores = draw(0)
    folds = np.arange(y_true.size) % 5
    with pytest.warns(rs.PooledFoldsWarning):
        pooled = rs.compare(y_true, scores, folds=folds)
    one_fold = rs.compare(y_true, scores, folds=np.zeros(y_true.size))
    np.testing.assert_array_equal(pooled.covariance, one_fold.covariance)


def test_missing_values():
    y_true, scores = draw(2)
    holes = {**scores, "b": np.where(np.arange(y_true.size) < 2, np.nan, scores["b"])}
    with pytest.raises(rs.InvalidSampleError, match="2 in b"):
        rs.compare(y_true, holes)
    with pytest.warns(rs.IncompletePairsWarning, match="b missing in 2"):
        found = rs.compare(y_true, holes, nan_policy="omit")
    complete = rs.compare(y_true[2:], {name: s[2:] for name, s in scores.items()})
    np.testing.assert_array_equal(found.covariance, complete.covariance)


@pytest.mark.parametrize("measure", ["auc", ["auc"], ("auc",)])
def test_one_marker_by_one_measure_is_no_comparison(measure):
    y_true, scores = draw(0, k=1)
    with pytest.raises(rs.InvalidOptionError, match="two markers or two measures"):
        rs.compare(y_true, scores, measure=measure)


def test_one_marker_by_two_measures_has_a_covariance():
    y_true, scores = draw(0, k=1)
    found = rs.compare(y_true, scores, measure=["auc", "sauc"])
    assert found.covariance.shape == (2, 2)
    (test,) = found.contrast([1.0, -1.0]).tests
    assert test.contrast == "auc(a) - sauc(a)"
    assert "auc" in repr(found)


def test_two_measures_have_two_names():
    y_true, scores = draw(0, k=2)
    measures = [rs.smooth_auc(midpoint=0.5), rs.smooth_auc(midpoint=0.4)]
    with pytest.raises(rs.InvalidOptionError, match="same name"):
        rs.compare(y_true, scores, measure=measures)


def test_repeated_ids_earn_a_warning_unless_a_cluster_is_named():
    y_true, scores = draw(0)
    ids = np.arange(y_true.size) // 2
    with pytest.warns(rs.RepeatedSubjectWarning):
        naive = rs.compare(y_true, scores, subject=ids)
    np.testing.assert_array_equal(naive.covariance, rs.compare(y_true, scores).covariance)
    rs.compare(y_true, scores, subject=ids, cluster=ids)


# -------------------------------------------------------------------------------------- algebra


@st.composite
def samples(draw: st.DrawFn, k: int = 3) -> Drawn:
    """Three to eight subjects a class with dyadic scores on [0, 1], many of them tied."""
    m, n = draw(st.integers(3, 8)), draw(st.integers(3, 8))
    y_true = np.array(draw(st.permutations([1] * m + [0] * n)))
    level = draw(st.sampled_from([4, 64]))
    scores = st.lists(st.integers(0, level), min_size=m + n, max_size=m + n)
    return Drawn(y_true, {name: np.array(draw(scores)) / level for name in "abc"[:k]})


measures = st.sampled_from(MEASURES)


@quietly
@given(sample=samples(k=2), measure=measures)
def test_swapping_classifiers_negates(sample, measure):
    y_true, scores = sample
    (test,) = rs.compare(y_true, scores, measure=measure).pairwise(method="delong").tests
    swapped = {"b": scores["b"], "a": scores["a"]}
    (other,) = rs.compare(y_true, swapped, measure=measure).pairwise(method="delong").tests
    assert (other.estimate, other.statistic) == (-test.estimate, -test.statistic)
    assert (other.std_error, other.pvalue) == (test.std_error, test.pvalue)


@quietly
@given(sample=samples(), measure=measures, factor=st.sampled_from([-3.0, 1e-6, 0.1, 7.0, 1e6]))
def test_scaling_contrasts_leaves_the_tests_alone(sample, measure, factor):
    comparison = rs.compare(*sample, measure=measure)
    matrix = np.array([[1.0, -1.0, 0.0], [0.5, 0.5, -1.0]])
    scale = np.abs(matrix) @ np.abs(comparison.influence.estimate)

    def chi2(by):
        by = np.array(by)[:, np.newaxis]
        rows = comparison.influence.contrast(by * matrix)
        return omnibus.judge_omnibus(rows, np.abs(by[:, 0]) * scale, reference="chi2")

    whole = chi2([1.0, 1.0])
    for by in ([factor, factor], [1.0, factor]):
        found = chi2(by)
        assert numbers(found) == close(numbers(whole))
    sign = math.copysign(1.0, factor)
    for test, scaled in zip(
        comparison.contrast(matrix).tests, comparison.contrast(factor * matrix).tests, strict=True
    ):
        assert scaled.statistic == close(sign * test.statistic)


@pytest.mark.parametrize("unit", [1e-170, 1e-150, 1e150, 1e160])
def test_the_unit_of_the_scores_does_not_matter(unit):
    """Squares of influence leave the doubles here; tests of sAUC need not."""
    y_true, scores = draw(2)
    kept = rs.compare(y_true, scores, measure="sauc")
    found = rs.compare(y_true, {k: unit * s for k, s in scores.items()}, measure="sauc")
    for test, expected in zip(found.pairwise().tests, kept.pairwise().tests, strict=True):
        assert (test.statistic, test.df) == close((expected.statistic, expected.df))
    assert numbers(found.omnibus()) == close(numbers(kept.omnibus()))


@quietly
@given(sample=samples(), measure=measures, place=st.integers(0, 3))
def test_a_copy_of_a_classifier_leaves_the_omnibus_test_alone(sample, measure, place):
    y_true, scores = sample
    copied = list(scores.items())
    copied.insert(place, ("copy", scores["b"]))
    for reference in ("chi2", "F"):
        alone, found = (
            rs.compare(y_true, s, measure=measure).omnibus(reference=reference, method="delong")
            for s in (scores, dict(copied))
        )
        assert found.df == close(alone.df)
        assert found.statistic == pytest.approx(alone.statistic, rel=RELATIVE, nan_ok=True)


@quietly
@given(sample=samples(), measure=measures, order=st.permutations("abc"))
def test_order_of_classifiers_leaves_the_omnibus_test_alone(sample, measure, order):
    y_true, scores = sample
    found, kept = (
        rs.compare(y_true, {name: scores[name] for name in names}, measure=measure).omnibus(
            reference="chi2"
        )
        for names in (order, "abc")
    )
    assert numbers(found) == close(numbers(kept))


@quietly
@given(first=samples(k=1), second=samples(k=1))
def test_joining_disjoint_samples_is_the_independent_test(first, second):
    def estimates(**ids):
        return [auc_of(y, s["a"], subject=ids.get(key)) for key, (y, s) in pairs.items()]

    pairs = {"first": first, "second": second}
    sizes = first.y_true.size, second.y_true.size
    ids = {"first": np.arange(sizes[0]), "second": 100 + np.arange(sizes[1])}
    joined, plain = (rs.compare_independent(*e) for e in (estimates(**ids), estimates()))
    assert joined == plain or math.isnan(joined.df)
    assume(plain.std_error > 0.0)
    variances = [e.influence.covariance()[0, 0] for e in estimates()]
    assert joined.std_error == close(math.sqrt(sum(variances)))


@quietly
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")  # sidak of p = 1; see below
@given(sample=samples(), adjust=st.sampled_from(sorted(contrasts.ADJUSTMENTS)))
def test_adjusted_p_values_are_those_of_statsmodels(sample, adjust):
    found = rs.compare(*sample).pairwise(adjust=adjust)
    raw = [test.pvalue for test in found.tests]
    theirs = {"bh": "fdr_bh", "by": "fdr_by"}.get(adjust, adjust)
    expected = raw if adjust == "none" else multipletests(raw, method=theirs)[1]
    assert list(found.adjusted) == close(expected, ROUNDING)


@quietly
@pytest.mark.parametrize("adjust", contrasts.ADJUSTMENTS)
def test_adjusting_a_p_value_of_1_makes_no_noise(adjust):
    scores = {"a": ORDINARY, "b": ORDINARY, "c": PERFECT}
    assert rs.compare(Y, scores).pairwise(adjust=adjust).adjusted[0] == 1.0


@quietly
def test_an_unknown_p_value_counts_not():
    known = contrasts.adjust_pvalues([0.01, math.nan, 0.04], "bonferroni")
    assert math.isnan(known[1])
    assert (known[0], known[2]) == close((0.02, 0.08))


def test_smauc_between_different_class_ratios_warns():
    rng = np.random.default_rng(1)
    few = rs.smauc([1] * 5 + [0] * 45, rng.random(50))
    half = rs.smauc([1] * 25 + [0] * 25, rng.random(50))
    with pytest.warns(rs.PrevalenceWarning, match="10% and 50%"):
        rs.compare_independent(few, half)


def test_ids_of_different_kinds_are_not_matched_by_guess():
    y_true, s = [1, 1, 0, 0], [4.0, 2, 3, 1]
    numbers = rs.ScoredSample.from_arrays(y_true, s, subject=[1, 2, 3, 4])
    words = rs.ScoredSample.from_arrays(y_true, s, subject=["1", "2", "3", "4"])
    with pytest.raises(rs.NotPairedError, match="make them of one kind"):
        rs.compare_independent(rs.auc(numbers), rs.auc(words))


# ------------------------------------------------------------------- what a second review found


def test_more_contrasts_than_subjects_can_tell_apart_are_not_tested():
    rng = np.random.default_rng(3)
    noise = {f"m{i}": rng.normal(size=12) for i in range(20)}
    with pytest.warns(rs.SmallSampleWarning, match="cannot tell 19 contrasts apart"):
        found = rs.compare(np.repeat([1, 0], 6), noise).omnibus()
    assert math.isnan(found.pvalue)


def test_mixed_clusters_have_no_more_degrees_of_freedom_than_clusters():
    rng = np.random.default_rng(4)
    y_true, cluster = np.tile([1, 0], 20), np.arange(40) // 4
    scores = {name: rng.normal(size=40) + y_true for name in "abcd"}
    found = rs.compare(y_true, scores, cluster=cluster)
    assert all(test.df <= 9.0 for test in found.pairwise().tests)
    assert found.omnibus().df_denominator == 9 - 3 + 1
    assert "10 clusters" in found.pairwise().tests[0].method


def test_an_interval_near_1_counts_clusters():
    rng = np.random.default_rng(5)
    y_true = np.tile([1, 0], 50)
    scores = 4 * y_true + rng.normal(size=100)
    alone = rs.auc(rs.ScoredSample.from_arrays(y_true, scores)).confidence_interval()
    told = rs.auc(rs.ScoredSample.from_arrays(y_true, scores, cluster=np.arange(100) // 25))
    assert told.confidence_interval().low < alone.low - 0.05


def test_a_little_overlap_does_not_invent_degrees_of_freedom():
    rng = np.random.default_rng(6)
    sizes, found = (12, 400), []
    samples = [(np.tile([1, 0], n // 2), rng.normal(size=n)) for n in sizes]
    for start in (1000, 10):  # no subject in common, then two
        first, second = (
            rs.auc(rs.ScoredSample.from_arrays(y, s + y, subject=np.arange(n) + begin))
            for (y, s), n, begin in zip(samples, sizes, (0, start), strict=True)
        )
        named, auto = (rs.compare_independent(first, second, method=m) for m in ("delong", "auto"))
        found.append((named.df, auto.df))
    assert found[1][0] == pytest.approx(found[0][0], rel=RELATIVE)
    assert found[1][1] == pytest.approx(found[0][1], rel=0.05)
    assert found[1][1] <= found[1][0] * (1.0 + RELATIVE)


def test_a_margin_is_not_judged_without_variance():
    y_true = np.array([1, 0, 1, 0, 1, 0])
    comparison = rs.compare(y_true, {"x": y_true * 1.0, "z": y_true * 2.0})
    with pytest.warns(rs.DegenerateVarianceWarning):
        found = comparison.noninferiority(0.01, method="delong")
    assert not found.shown
    assert math.isnan(found.pvalue)
    assert "could not be judged" in found.conclusion
    assert "Note: " in repr(comparison)


def test_samples_that_share_clusters_are_refused():
    y_true, s = np.tile([1, 0], 6), np.arange(12.0)
    eyes = [rs.auc(rs.ScoredSample.from_arrays(y_true, s, cluster=range(12))) for _ in "lr"]
    with pytest.raises(rs.NotPairedError, match="share clusters"):
        rs.compare_independent(*eyes)


@pytest.mark.parametrize(
    "weights", [["a", "b"], "a + b", [[1, -1], [1]], {"a": 1}, [1j, 0], [], [1, math.nan]]
)
def test_odd_contrasts_get_a_sentence(weights):
    comparison = rs.compare(*draw(0, k=2))
    for ask in (comparison.contrast, lambda w: rs.bootstrap(comparison, w)):
        with pytest.raises(rs.InvalidOptionError, match=r"contrast|weights"):
            ask(weights)


def test_odd_folds_and_null_values_get_a_sentence():
    y_true, scores = draw(0, k=2)
    with pytest.raises(rs.InvalidOptionError, match="fold of each"):
        rs.compare(y_true, scores, folds=[1, 2])
    with pytest.raises(rs.InvalidOptionError, match="null_value must be a number"):
        rs.compare(y_true, scores).contrast([1, -1], null_value="x")


def test_14_11_simultaneous_intervals_agree_with_adjusted_p_values():
    """Line 11 of issue 14: Holm's p of 0.06 stood beside an interval that excludes 0."""
    rng = np.random.default_rng(3)
    y = np.arange(90) % 2
    noise = rng.normal(size=90)
    scores = {
        name: gap * y + noise + rng.normal(size=90)
        for name, gap in (("a", 2.3), ("b", 1.7), ("c", 1.5), ("d", 1.4))
    }
    result = rs.compare(y, scores)
    each = result.pairwise()
    together = result.pairwise(intervals="simultaneous")
    assert each.adjusted == together.adjusted
    wide = [t.confidence_interval(confidence_level=1.0 - 0.05 / 6) for t in each.tests]
    rows = together.to_dict()["contrasts"]
    for row, limits in zip(rows, wide, strict=True):
        assert (row["conf_low"], row["conf_high"]) == pytest.approx((limits.low, limits.high))
    excluded = [row["conf_low"] > 0.0 or row["conf_high"] < 0.0 for row in rows]
    bonferroni = result.pairwise(adjust="bonferroni", intervals="simultaneous").adjusted
    assert excluded == [p < 0.05 for p in bonferroni]
    alone = each.to_dict()["contrasts"]
    assert any(
        (row["conf_low"] > 0.0 or row["conf_high"] < 0.0) and row["p_adjusted"] > 0.05
        for row in alone
    )  # the case of the issue
    assert "95% intervals, simultaneous by Bonferroni" in repr(together)
    assert "95% intervals, not adjusted" in repr(each)
    assert together.to_dict()["intervals"] == "simultaneous"
    two = result.contrast(np.eye(4)[:1], intervals="simultaneous")
    assert two.each_level == 0.95
    with pytest.raises(rs.InvalidOptionError, match="intervals must be one of"):
        result.pairwise(intervals="max-t")


def test_a_comparison_of_a_sample_looks_for_no_name_that_is_meant(monkeypatch):
    def meant(name, known):
        raise AssertionError(f"what {name!r} means was looked for")

    rng = np.random.default_rng(20)
    y = np.arange(60) % 2
    scores = {name: y + rng.normal(size=60) for name in "ab"}
    sample = rs.ScoredSample.from_arrays(y, scores)
    monkeypatch.setattr("rocstats.errors.did_you_mean", meant)
    assert rs.compare(sample).pairwise().pvalue == rs.compare(y, scores).pairwise().pvalue
