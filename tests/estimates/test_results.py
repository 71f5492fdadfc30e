"""Results: frozen, tidy, deterministic, honest where the data are degenerate."""

import copy
import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

Y = [1, 1, 1, 0, 0, 0]
S = [1.0, 0.9, 0.5, 0.6, 0.2, 0.0]
TIDY = [
    *("classifier", "measure", "estimate", "std_error", "conf_low", "conf_high"),
    *("conf_level", "conf_method", "n_pos", "n_neg"),
]


def estimates() -> rs.Estimates:
    return rs.estimate(rs.ScoredSample.from_arrays(Y, {"a": S, "b": S[::-1]}))


def test_text_that_goes_into_a_mail() -> None:
    low, high = rs.auc(Y, S).confidence_interval(method="score")
    assert repr(rs.auc(Y, S)) == (
        f"AUC of score: 0.8889 (95% CI {low:.4f} to {high:.4f}, score), SE 0.1571 (DeLong)\n"
        "3 positives, 3 negatives\npositive class 1, negative class 0"
    )
    assert repr(rs.sauc(Y, S)).endswith(
        "3 positives, 3 negatives; r plus 0.7444, r minus 0.2000, rsauc 0.9800, "
        "mean difference 0.5333\npositive class 1, negative class 0"
    )
    lines = repr(estimates()).splitlines()
    assert lines[0].split() == [*TIDY[:6], "conf_method"]
    assert lines[-2] == "3 positives (1), 3 negatives (0); no subject dropped"
    assert lines[-1].startswith("The AUC of b is below one half: its high values were taken")
    assert len(lines) == 9


def test_results_are_frozen_and_one_estimate_is_not_iterable() -> None:
    table = estimates()
    assert list(table) == list(table.rows)
    low, high = limits = table.rows[0].confidence_interval()
    assert (low, high) == (limits.low, limits.high)
    for result, field in [
        (table, "rows"),
        (table.rows[0], "value"),
        (table.rows[0].confidence_interval(), "low"),
        (table.influence, "values"),
    ]:
        if isinstance(result, (rs.Estimate, rs.Influence)):
            with pytest.raises(TypeError):
                iter(result)  # type: ignore[call-overload]
        with pytest.raises(AttributeError):
            setattr(result, field, 1.0)


def test_tidy_rows() -> None:
    table = estimates()
    frame = table.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns[:10]) == TIDY
    assert frame["measure"].tolist() == ["auc", "sauc", "smauc"] * 2
    row = table.row("b", "auc").to_dict()
    assert row.pop("subjects")["pos_label"] == 1
    assert all(type(v) in (str, int, float) for v in row.values())
    assert json.loads(json.dumps(table.to_dict()))["estimates"][3] == row
    assert rs.auc(Y, S).to_frame().shape == (1, 10)
    with pytest.raises(rs.InvalidOptionError, match="no row c/auc; there are a/auc"):
        table.row("c", "auc")


def test_html_is_escaped() -> None:
    name = "<script>alert('x')</script> & \"co\""
    estimate = rs.auc(rs.ScoredSample.from_arrays(Y, {name: S}))
    page = estimate._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<tr>") == 2
    assert estimates()._repr_html_().count("<tr>") == 7


def test_covariance_and_correlation() -> None:
    table = estimates()
    covariance, correlation = table.covariance, table.correlation
    assert covariance.shape == (6, 6)
    np.testing.assert_allclose(covariance, covariance.T)
    for i, row in enumerate(table.rows):
        assert covariance[i, i] == pytest.approx(row.variance(), rel=1e-12)
    assert np.diag(correlation) == pytest.approx(1.0)
    assert (np.abs(correlation) <= 1.0 + 1e-12).all()


def test_influence_algebra() -> None:
    table = estimates()
    influence = table.influence
    difference = influence.contrast([1, 0, 0, -1, 0, 0])
    covariance = influence.covariance()
    expected = covariance[0, 0] + covariance[3, 3] - 2 * covariance[0, 3]
    assert difference.covariance()[0, 0] == pytest.approx(expected)
    assert difference.estimate[0] == table.rows[0].value - table.rows[3].value
    assert influence.select([3]).rows == (("b", "auc"),)
    joined = influence.select([0]).join(influence.select([3]))
    np.testing.assert_allclose(
        joined.covariance(), np.diag([covariance[0, 0], covariance[3, 3]]), atol=1e-18
    )
    with pytest.raises(rs.InvalidOptionError, match="one number for each of the 6 rows"):
        influence.contrast([1, -1])


def test_one_positive() -> None:
    estimate = rs.auc([1, 0, 0, 0], [0.5, 0.1, 0.2, 0.7])
    assert estimate.value == 2 / 3
    for ask in (lambda: estimate.std_error, lambda: estimate.variance(method="unbiased")):
        with pytest.warns(rs.SmallSampleWarning, match="has 1 positive and 3 negatives"):
            assert math.isnan(ask())
    with pytest.warns(rs.SmallSampleWarning, match="no score interval"):
        assert math.isnan(estimate.confidence_interval().high)
    assert "nan" in repr(estimate)  # and no warning from a repr
    table = rs.estimate([1, 0, 0, 0], [0.5, 0.1, 0.2, 0.7])
    with pytest.warns(rs.SmallSampleWarning, match="one subject or cluster only"):
        assert np.isnan(table.covariance).all()


@pytest.mark.parametrize(
    ("scores", "value"), [([3, 4, 1, 2], 1.0), ([1, 2, 3, 4], 0.0), ([5, 5, 5, 5], 0.5)]
)
def test_zero_variance_gets_an_honest_interval(scores: list[int], value: float) -> None:
    estimate = rs.auc([1, 1, 0, 0], scores)
    assert estimate.value == value
    with pytest.warns(rs.DegenerateVarianceWarning, match="standard error 0"):
        assert estimate.std_error == 0.0
    interval = estimate.confidence_interval()
    assert interval.method == "score"
    newcombe = estimate.confidence_interval(method="newcombe")  # where nothing varies they are one
    assert tuple(interval) == tuple(newcombe)
    assert interval.low <= value <= interval.high
    assert interval.high - interval.low > 0.3
    with pytest.warns(rs.DegenerateVarianceWarning, match="zero-width wald"):
        assert estimate.confidence_interval(method="wald").low == value
    exact = 0.025 ** (1 / 2)  # 7.4
    if value == 1.0:
        assert estimate.confidence_interval(method="logit").low == pytest.approx(exact)
    if value == 0.0:
        assert estimate.confidence_interval(method="kl").high == pytest.approx(1 - exact)


def test_constant_margins_get_an_honest_interval() -> None:
    # Every positive .9, every negative .1: sAUC .8 with no spread at all.
    estimate = rs.sauc([1, 1, 1, 0, 0, 0], [0.9] * 3 + [0.1] * 3)
    assert estimate.confidence_interval().method == "kl"
    assert estimate.confidence_interval().low < 0.5
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert estimate.std_error == 0.0


def test_unbiased_variance_may_be_negative_and_says_so() -> None:
    # Pairs that match exactly, h = [[1, 0], [0, 1]]: U^2 less the mean of h_ij h_kl is 1/4 - 1/2.
    match = rs.pairwise_kernel("match", lambda a, b: (a == b).astype(float))
    own = rs.Measure(name="match", label="matching", kernel=match)
    (row,) = rs.estimate([1, 1, 0, 0], [1, 2, 1, 2], measures=own).rows
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert row.variance(method="unbiased") == -0.25


def test_variance_refusals() -> None:
    smooth = rs.smauc(Y, S)
    with pytest.raises(rs.InvalidOptionError, match="means over pairs, which smAUC is not"):
        smooth.variance(method="wu")
    for estimate in (rs.auc(Y, S), rs.smauc(Y, S, midpoint="paper")):
        with pytest.raises(rs.InvalidOptionError, match="fixed midpoint"):
            estimate.variance(method="cohort")
    with pytest.raises(rs.InvalidOptionError, match=r"method must be one of 'delong'.*'wu'"):
        smooth.variance(method="hanley")


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan, "0.95", None])
def test_confidence_level_refusals(level: object) -> None:
    with pytest.raises(rs.InvalidOptionError, match="strictly between 0 and 1"):
        rs.auc(Y, S).confidence_interval(confidence_level=level)  # type: ignore[arg-type]


def test_interval_refusals() -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"got 'logits'. Did you mean 'logit'"):
        rs.auc(Y, S).confidence_interval(method="logits")
    for method in ("newcombe", "hanley-mcneil"):
        with pytest.raises(rs.InvalidOptionError, match="derived for the AUC only, not sAUC"):
            rs.sauc(Y, S).confidence_interval(method=method)
    with pytest.raises(rs.InvalidOptionError, match="kl interval needs"):
        rs.smauc(Y, S).confidence_interval(method="kl")


def test_clip_is_proc_s_interval() -> None:
    wald = rs.auc(Y, S).confidence_interval(method="wald")
    clipped = rs.auc(Y, S).confidence_interval(method="wald", clip=True)
    assert wald.high > 1.0 == clipped.high
    assert clipped.low == wald.low


@pytest.mark.parametrize("make", [rs.auc, rs.sauc, rs.smauc])
def test_copies_and_pickles_answer_alike(make: object) -> None:
    estimate = make(Y, S)  # type: ignore[operator]
    for twin in (copy.deepcopy(estimate), pickle.loads(pickle.dumps(estimate))):
        assert twin.to_dict() == estimate.to_dict()
        assert twin.measure.is_auc == estimate.measure.is_auc
        assert twin.variance() == estimate.variance()


def test_an_unbounded_measure_gets_an_interval_around_its_value() -> None:
    signed = rs.pairwise_kernel("difference", lambda a, b: a - b)
    own = rs.Measure(name="md", label="mean difference", kernel=signed)
    (row,) = rs.estimate([1, 1, 1, 0, 0, 0], [0.1, 0.2, 0.4, 0.35, 0.8, 0.9], measures=own).rows
    interval = row.confidence_interval()
    assert interval.method == "wald_t"
    assert interval.low < row.value < 0.0
    assert interval.high > row.value


def test_no_interval_is_better_than_a_false_one() -> None:
    # smAUC of tied scores: no spread, and no bound that holds without it.
    estimate = rs.smauc([1, 1, 0, 0], [0.5] * 4)
    with pytest.warns(rs.DegenerateVarianceWarning, match="no logit_t interval"):
        assert math.isnan(estimate.confidence_interval().low)
