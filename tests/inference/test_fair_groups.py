"""Fairness between groups: rows and gaps by definition, cross areas by hand, refusals."""

import math

import numpy as np
import pytest

import rocstats as rs


@pytest.fixture(name="data", scope="module")
def _data():
    rng = np.random.default_rng(3)
    n = 240
    y, group = (np.arange(n) % 3 == 0).astype(int), np.array(["m", "w", "x"])[np.arange(n) // 3 % 3]
    return y, np.round(rng.normal(size=n) + 1.2 * y + 0.5 * (group == "m"), 1), group


def rows(found):
    return {(row.measure.name, row.classifier): row for row in found.estimates.rows}


def test_rows_are_those_of_each_group(data):
    y, s, g = data
    found = rows(rs.group_fairness(y, s, group=g, threshold=0.7))
    assert len(found) == 3 + 6 + 3 + 3
    for name in "mwx":
        here = g == name
        alone = rs.auc(y[here], s[here])
        assert found["auc", name].value == pytest.approx(alone.value)
        assert found["auc", name].std_error == pytest.approx(alone.std_error)
        share = (s[here & (y == 1)] >= 0.7).mean()
        assert found["sensitivity", name].value == pytest.approx(share)
        m = (here & (y == 1)).sum()
        spread = math.sqrt(share * (1 - share) / (m - 1))
        assert found["sensitivity", name].std_error == pytest.approx(spread)
        assert found["specificity", name].value == pytest.approx((s[here & (y == 0)] < 0.7).mean())
    pos, neg = s[(g == "m") & (y == 1)], s[(g == "x") & (y == 0)]
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    cross = found["xauc", "m over x"]
    assert cross.value == pytest.approx(wins.mean())
    parts = wins.mean(1).var(ddof=1) / pos.size, wins.mean(0).var(ddof=1) / neg.size
    assert cross.std_error == pytest.approx(math.sqrt(sum(parts)))


def test_gaps_are_those_of_independent_samples_and_share_subjects_across(data):
    y, s, g = data
    found = rs.group_fairness(y, s, group=g, threshold=0.7)
    gaps = {test.contrast: test for test in found.gaps().tests}
    parts = [rs.auc(y[g == name], s[g == name]) for name in "mw"]
    apart = rs.compare_independent(*parts, method="delong")
    assert gaps["m - w (auc)"].std_error == pytest.approx(apart.std_error)
    assert gaps["m - w (auc)"].pvalue == pytest.approx(apart.pvalue)
    rng, drawn = np.random.default_rng(1), []
    where = [np.flatnonzero((g == n) & (y == c)) for n in "mw" for c in (0, 1)]
    for _ in range(300):
        m0, m1, w0, w1 = (s[rng.choice(part, part.size)] for part in where)
        over = [
            ((a[:, None] > b) + 0.5 * (a[:, None] == b)).mean() for a, b in ((m1, w0), (w1, m0))
        ]
        drawn.append(over[0] - over[1])
    assert gaps["m over w - w over m (xauc)"].std_error == pytest.approx(np.std(drawn), rel=0.15)
    assert found.equality("xauc").pvalue < 0.05
    two = rs.group_fairness(y[g != "x"], s[g != "x"], group=g[g != "x"])
    assert two.equality("auc").pvalue == pytest.approx(apart.pvalue)
    text = str(found)
    assert "xauc" in text
    assert "All groups equal" in text


def test_low_scores_and_covariates(data):
    y, s, g = data
    sample = rs.ScoredSample.from_arrays(
        y, {"s": -s}, higher_is_positive=False, covariates={"sex": g}
    )
    turned, found = (
        rs.group_fairness(sample, group="sex", threshold=-0.7),
        rs.group_fairness(y, s, group=g, threshold=0.7),
    )
    assert np.allclose(turned.influence.estimate, found.influence.estimate)
    assert turned.gaps().tests[0].std_error == pytest.approx(found.gaps().tests[0].std_error)


BAD = [
    ({}, "group is missing"),
    ({"group": "sex"}, "no covariate"),
    ({"group": [1] * 8}, "Between 2 and 20 groups"),
    ({"group": [1] * 7 + [2]}, "Group 2 has 0 independent positives"),
    ({"group": [1, 2] * 4, "threshold": math.nan}, "threshold must be a number"),
    ({"group": [1, 2]}, "8 subjects but 2 group ids"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_refusals(options, message):
    y, s = [1, 1, 0, 0] * 2, [4, 2, 3, 1, 5, 6, 2, 1]
    with pytest.raises(rs.RocstatsError, match=message):
        rs.group_fairness(y, s, **options)


def test_rates_need_a_threshold_and_perfect_groups_have_a_bound(data):
    y, s, g = data
    with pytest.raises(rs.InvalidOptionError, match="need threshold"):
        rs.group_fairness(y, s, group=g).equality("sensitivity")
    perfect = rows(rs.group_fairness(y, 1.0 * y, group=g))["auc", "m"]
    low, high = perfect.confidence_interval()
    assert 0.8 < low < high == 1.0
