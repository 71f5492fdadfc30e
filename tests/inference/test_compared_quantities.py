"""Comparisons by average precision and Brier score: by hand, by definition, and refusals."""

import numpy as np
import pytest

import rocstats as rs


@pytest.fixture(name="data", scope="module")
def _data():
    rng = np.random.default_rng(8)
    y = (np.arange(240) % 4 == 0).astype(int)
    logits = rng.normal(size=(2, y.size)) + np.array([[1.5], [1.0]]) * y - 1.0
    return y, dict(zip("ab", 1.0 / (1.0 + np.exp(-logits)), strict=True))


def test_brier_is_the_paired_t_test_of_squared_errors(data):
    from scipy.stats import ttest_1samp

    y, scores = data
    apart = (scores["a"] - y) ** 2 - (scores["b"] - y) ** 2
    (test,) = rs.compare(y, scores, measure="brier").pairwise().tests
    by_scipy = ttest_1samp(apart, 0.0)
    assert test.estimate == pytest.approx(apart.mean(), abs=1e-15)
    assert test.std_error == pytest.approx(apart.std(ddof=1) / np.sqrt(apart.size), rel=1e-12)
    assert test.pvalue == pytest.approx(by_scipy.pvalue, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "single"), [("average_precision", rs.average_precision), ("brier", rs.brier_score)]
)
def test_rows_are_those_of_the_estimators(data, name, single):
    y, scores = data
    found = rs.compare(y, scores, measure=name)
    for row in found.rows:
        alone = single(y, scores[row.classifier])
        assert (row.value, row.std_error) == (alone.value, alone.std_error)
    (test,) = found.pairwise().tests
    values = np.diff(found.influence.values, axis=0)[0]
    variance = found.influence.contrast([1, -1]).covariance()[0, 0]
    assert test.std_error == pytest.approx(np.sqrt(variance), rel=1e-12)
    assert values.size == y.size
    assert "DeLong" not in str(found)
    assert found["a"].measure == found.rows[0].measure
    assert set(found.to_frame().columns) >= {"contrast", "estimate", "p_value"}


def test_bootstrap_agrees_on_average_precision(data):
    y, scores = data
    (test,) = rs.compare(y, scores, measure="average_precision").pairwise().tests
    rng, drawn = np.random.default_rng(1), []
    pos, neg = np.flatnonzero(y), np.flatnonzero(1 - y)
    for _ in range(300):
        take = np.r_[rng.choice(pos, pos.size), rng.choice(neg, neg.size)]
        values = [rs.average_precision(y[take], scores[name][take]).value for name in "ab"]
        drawn.append(values[0] - values[1])
    assert test.std_error == pytest.approx(np.std(drawn), rel=0.2)


def test_refusals(data):
    y, scores = data
    with pytest.raises(rs.InvalidOptionError, match="by itself"):
        rs.compare(y, scores, measure=["auc", "brier"])
    with pytest.raises(rs.InvalidOptionError, match="Less is better"):
        rs.compare(y, scores, measure="brier").noninferiority(0.1)
    with pytest.raises(rs.ScoreRangeError):
        rs.compare(y, {"a": 9 * scores["a"], "b": scores["b"]}, measure="brier")
    with pytest.raises(rs.InvalidOptionError, match="weights"):
        rs.compare(y, scores, measure="average_precision", weights=np.arange(y.size) + 1.0)
    with pytest.raises(rs.InvalidOptionError, match="two markers"):
        rs.compare(y, {"a": scores["a"]}, measure="brier")
    found = rs.compare(y, scores, measure="average_precision").noninferiority(0.2)
    assert found.margin == 0.2
