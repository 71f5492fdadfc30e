"""Gaps of rates between groups: likelihood by brute force, published limits, exact coverage."""

import itertools
import math

import numpy as np
import pytest
from conftest import load_study
from scipy.optimize import minimize_scalar
from scipy.stats import chi2, chi2_contingency

import rocstats as rs
from rocstats.inference.binary.unpaired_rates import UnpairedScore, equal_shares

study = load_study("fairness")

# Newcombe (1998), Stat Med 17:873, Table II, Miettinen & Nurminen's limits, 4 digits.
PUBLISHED = [
    ((56, 48), (70, 80), (0.0528, 0.3382)),
    ((9, 3), (10, 10), (0.1700, 0.8406)),
    ((6, 2), (7, 7), (0.0342, 0.8534)),
    ((5, 0), (56, 29), (-0.0326, 0.1933)),
    ((0, 0), (10, 20), (-0.1658, 0.2844)),
    ((10, 0), (10, 20), (0.7156, 1.0)),
]


@pytest.mark.parametrize(("hits", "sizes", "limits"), PUBLISHED)
def test_published_limits(hits, sizes, limits):
    found = UnpairedScore(hits=hits, sizes=sizes).limits(0.025)
    assert list(found) == pytest.approx(limits, abs=6e-5)


def likeliest(hits, sizes, null):
    """Return the second share that is likeliest where the first is larger by `null`."""
    (x, y), (m, n) = hits, sizes

    def loss(p):
        cells = ((x, p + null), (m - x, 1 - p - null), (y, p), (n - y, 1 - p))
        return -sum(k * math.log(max(q, 1e-300)) for k, q in cells if k)

    ends = max(0.0, -null), min(1.0, 1.0 - null)
    return minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-11}).x


@pytest.mark.parametrize("sizes", [(3, 5), (20, 60), (41, 17)])
def test_shares_are_the_likeliest_with_the_difference(sizes):
    rng = np.random.default_rng(1)
    for _ in range(60):
        hits = tuple(int(rng.integers(0, n + 1)) for n in sizes)
        null = rng.uniform(-0.99, 0.99)
        at = UnpairedScore(hits=hits, sizes=sizes)
        first, second = at.restricted(null)
        assert first - second == pytest.approx(null, abs=1e-14)
        assert second == pytest.approx(likeliest(hits, sizes, null), abs=1e-6)
        other = UnpairedScore(hits=hits[::-1], sizes=sizes[::-1]).limits(0.025)
        assert at.limits(0.025) == pytest.approx((-other[1], -other[0]), abs=1e-10)


def test_limits_are_where_the_statistic_is_the_quantile():
    for hits in itertools.product(range(0, 13, 3), range(0, 21, 4)):
        at = UnpairedScore(hits=hits, sizes=(12, 20))
        low, high = at.limits(0.025)
        assert -1.0 <= low <= at.seen <= high <= 1.0
        for limit, wanted in ((low, study.Z), (high, -study.Z)):
            if abs(limit) < 1.0:
                assert at.judge(limit)[0] == pytest.approx(wanted, abs=1e-6)


def test_equal_shares_are_pearsons_chi_square():
    hits, sizes = [12, 9, 20], [20, 17, 24]
    table = np.array([hits, np.subtract(sizes, hits)])
    pearson = chi2_contingency(table, correction=False).statistic
    assert equal_shares(hits, sizes) == pytest.approx(pearson * 60 / 61, rel=1e-12)
    two = UnpairedScore(hits=(12, 9), sizes=(20, 17)).judge(0.0)[0]
    assert equal_shares(hits[:2], sizes[:2]) == pytest.approx(two**2, rel=1e-12)


def sample(counts):
    """Return labels, scores and groups with so many of so many right, by group and class."""
    y, s, g = [], [], []
    for group, classes in counts.items():
        for label, (right, size) in zip((1, 0), classes, strict=True):
            y += [label] * size
            g += [group] * size
            called = [1.0] * right + [0.0] * (size - right)
            s += called if label else [1.0 - c for c in called]
    return np.array(y), np.array(s), np.array(g)


COUNTS = {"a": ((18, 20), (40, 50)), "b": ((30, 30), (25, 45)), "c": ((9, 10), (30, 31))}


def test_gaps_and_equality_of_rates_are_those_of_the_counts():
    y, s, g = sample(COUNTS)
    found = rs.group_fairness(y, s, group=g, threshold=0.5)
    gaps = {test.contrast: test for test in found.gaps(confidence_level=0.9).tests}
    for k, name in enumerate(("sensitivity", "specificity")):
        for a, b in ("ab", "ac", "bc"):
            pairs = COUNTS[a][k], COUNTS[b][k]
            at = UnpairedScore(hits=(pairs[0][0], pairs[1][0]), sizes=(pairs[0][1], pairs[1][1]))
            test = gaps[f"{a} - {b} ({name})"]
            assert test.estimate == pytest.approx(at.seen, abs=1e-15)
            assert test.statistic == at.judge(0.0)[0]
            assert list(test.confidence_interval(0.9)) == list(at.limits(0.05))
        counts = [COUNTS[group][k] for group in "abc"]
        equal = found.equality(name)
        wanted = equal_shares(*zip(*counts, strict=True))
        assert equal.statistic == pytest.approx(wanted)
        assert equal.pvalue == pytest.approx(chi2.sf(wanted, 2))
    rows = {(r.measure.name, r.classifier): r.confidence_interval() for r in found.estimates.rows}
    assert rows["sensitivity", "b"].method == "wilson"
    assert rows["sensitivity", "b"].low == pytest.approx(30 / (30 + study.Z**2))
    alone = rs.auc(y[g == "b"], s[g == "b"])
    assert list(rows["auc", "b"]) == list(alone.confidence_interval())
    rates = rs.operating_points(y[g == "a"], s[g == "a"], thresholds=[0.5]).table(0)
    page = next(row for row in rates if row["measure"] == "specificity")
    assert list(rows["specificity", "a"]) == pytest.approx([page["conf_low"], page["conf_high"]])


def test_wald_by_name_and_with_clusters():
    y, s, g = sample(COUNTS)
    alone = rs.group_fairness(y, s, group=g, threshold=0.5, cluster=np.arange(y.size))
    plain = rs.group_fairness(y, s, group=g, threshold=0.5)
    named = plain.gaps(reference="t").tests[-1]
    assert alone.gaps().tests[-1].confidence_interval().method == "wald_t"
    assert named.confidence_interval().method == "wald_t"
    assert named.std_error == pytest.approx(plain.gaps().tests[-1].std_error, rel=1e-12)
    assert list(named.confidence_interval()) == pytest.approx(
        list(alone.gaps().tests[-1].confidence_interval())
    )


def test_nobody_missed_has_limits_and_says_that_nothing_was_tested():
    y, s, g = sample({"a": ((20, 20), (5, 9)), "b": ((20, 20), (6, 9))})
    found = rs.group_fairness(y, s, group=g, threshold=0.5)
    with pytest.warns(rs.DegenerateVarianceWarning, match="nothing was tested"):
        test = found.gaps()["a - b (sensitivity)"]
    assert test.pvalue == 1.0
    low, high = test.confidence_interval()
    assert high == pytest.approx(-low)
    assert 0.1 < high < 0.2
    with pytest.warns(rs.DegenerateVarianceWarning, match="nothing was tested"):
        assert found.equality("sensitivity").pvalue == 1.0


@pytest.mark.parametrize(
    ("sizes", "rates"), [((20, 20), (0.7, 0.7)), ((20, 60), (0.95, 0.95)), ((20, 20), (0.99, 0.9))]
)
def test_coverage_is_exact(sizes, rates):
    found = study.covered(sizes, rates)
    assert found["score"] > 0.94
    if rates[0] == rates[1]:
        assert found["score rejects"] < 0.06
    if rates[0] > 0.9:
        assert found["wald"] < 0.9
