"""Where a warning begins, a limit is cut, a time just counts: survival at its edges."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.survival.area_estimators import sure_size
from rocstats.survival.survival_facts import median_followup
from rocstats.survival.time_estimates import in_digits, plain_number


def frame(time: Any, event: Any, x: Any = None, **more: Any) -> rs.SurvivalSample:
    rows = {"t": time, "d": event, "x": np.arange(len(time))[::-1] * 1.0 if x is None else x}
    return rs.SurvivalSample.from_frame(rows, "t", "d", "x", **more)


def said_by(sample: rs.SurvivalSample, time: float, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rs.auc_at(sample, time, **options)
    return [str(w.message) for w in caught]


@pytest.mark.parametrize("cases", [0, 1, 4, 5, 6])
@pytest.mark.parametrize("controls", [1, 4, 5, 6])
def test_fewer_than_five_of_either_are_warned_of(cases: int, controls: int) -> None:
    time = [1.0] * cases + [3.0] * controls + [4.0]
    event = [1] * cases + [0] * controls + [1]
    told = said_by(frame(time, event, np.random.default_rng(1).normal(size=len(time))), 2)
    controls += 1
    if cases == 0:
        assert told[0].startswith(f"There are 0 cases and {controls} controls at time 2, and both")
    elif min(cases, controls) < 5:
        assert "with fewer than 5 of either, standard errors" in told[0]
    else:
        assert told == []


def test_an_event_on_the_day_counts_and_the_last_day_may_be_asked_for() -> None:
    sample = frame([1.0, 2, 2, 3, 4, 5, 5], [1, 1, 0, 1, 0, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rs.auc_at(sample, 2)[0].counts["n_pos"] == 2
        assert rs.auc_at(sample, 1.999)[0].counts["n_pos"] == 1
        assert rs.auc_at(sample, 2)[0].counts["n_censored"] == 1
        assert rs.auc_at(sample, 1.999)[0].counts["n_censored"] == 0
        assert math.isnan(rs.auc_at(sample, 5)[0].value)  # nobody is left
    with pytest.raises(rs.InvalidOptionError, match=r"last time is 5, got 5\.01"):
        rs.auc_at(sample, 5.01)


@pytest.mark.parametrize(("left", "told"), [(2, False), (1, True)])
def test_hardly_anybody_uncensored_is_warned_of(left: int, told: bool) -> None:
    """Of 40 who are at risk, so many stay; below one in twenty is little."""
    lost = 40 - left
    time = [1.0] * 6 + [2.0] * lost + [3.0] * left
    event = [1] * 6 + [0] * lost + [0] * (left - 1) + [1]
    found = said_by(frame(time, event), 2.5)
    assert any("are left uncensored" in line for line in found) == told
    if told:
        assert "At time 2.5 only 2.5% are left uncensored, and one case has 17%" in found[-1]


def test_sizes_that_are_sure_are_in_the_heaviest_weight() -> None:
    assert sure_size(np.array([2.0, 1.0, 1.0])) == 2.0
    assert sure_size(np.zeros(3)) == 0.0


def test_whole_numbers_are_written_whole() -> None:
    assert [in_digits(x) for x in (5.0, 5.5, -0.25, 1e6)] == ["5", "5.5", "-0.25", "1000000"]
    assert isinstance(plain_number(5.0), int)
    assert plain_number(5.5) == 5.5


@pytest.mark.parametrize(("x", "below"), [([1.0, 1, 1, 1, 1, 1], 0), ([0.0, 1, 2, 3, 4, 5], 1)])
def test_half_is_not_below_one_half(x: list[float], below: int) -> None:
    sample = frame([1.0, 2, 3, 4, 5, 6], [1, 1, 1, 0, 0, 0], x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert repr(rs.auc_at(sample, 3)).count("is below one half") == below


def test_limits_are_cut_to_the_unit_interval() -> None:
    x = [9.0, 8, 7, 6, 5, 2.5, 4, 3, 2, 1, 0, -1]
    sample = frame(np.arange(1.0, 13), [1] * 6 + [0] * 6, x)
    area = rs.auc_at(sample, 6)[0]
    assert 0.9 < area.value < 1.0
    limits = area.confidence_interval(method="wald")
    assert limits.high == 1.0
    assert limits.low == pytest.approx(area.value - 1.959964 * area.std_error, rel=1e-6)
    turned = rs.auc_at(frame(np.arange(1.0, 13), [1] * 6 + [0] * 6, [-v for v in x]), 6)[0]
    assert turned.confidence_interval(method="wald").low == 0.0
    assert turned.value == pytest.approx(1.0 - area.value)


def test_one_standard_error_is_the_same_by_t_and_by_normal_limits_but_for_df() -> None:
    from scipy.stats import t

    rng = np.random.default_rng(4)
    time = np.ceil(rng.exponential(size=40) * 6.0)
    area = rs.auc_at(frame(time, [1, 1, 0, 1] * 10, rng.normal(size=40)), 5)[0]
    limits = area.confidence_interval(method="wald_t")
    assert (limits.high - limits.low) / 2.0 == pytest.approx(t.ppf(0.975, 39) * area.std_error)


def test_a_band_is_as_wide_as_the_level_of_the_largest_deviate() -> None:
    rng = np.random.default_rng(4)
    time = np.ceil(rng.exponential(size=60) * 6.0)
    sample = frame(
        time, (rng.random(60) < 0.7).astype(int), np.round(4.0 * rng.normal(size=60) - time, 1)
    )
    areas = rs.auc_at(sample, (3, 5, 8))
    found = areas.band(confidence_level=0.9, n_resamples=500, rng=7)
    values, vectors = np.linalg.eigh(areas.correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    far = np.abs(np.random.default_rng(7).standard_normal((500, 3)) @ root.T).max(axis=1)
    reach = np.sort(far)[math.ceil(0.9 * 499)]
    assert found.reach["x"] == pytest.approx(reach)
    value, spread = areas[0].value, areas[0].std_error
    logit, half = math.log(value / (1 - value)), reach * spread / (value * (1 - value))
    assert found.high[0] == pytest.approx(1 / (1 + math.exp(-logit - half)))
    assert found.low[0] == pytest.approx(1 / (1 + math.exp(-logit + half)))
    with pytest.raises(rs.InvalidOptionError, match="n_resamples"):
        areas.band(n_resamples=99)
    assert len(areas.band(n_resamples=100)) == 3


def test_the_median_followup_is_where_half_are_censored() -> None:
    assert median_followup(frame([1.0, 2, 3, 4], [0, 0, 1, 0])) == 2.0
    assert median_followup(frame([1.0, 2, 3, 4], [0, 1, 0, 1])) == 3.0
    assert math.isnan(median_followup(frame([1.0, 2, 3, 4], [0, 1, 1, 1])))


def test_a_point_is_called_at_its_threshold_in_both_directions() -> None:
    rows = [1.0, 2, 3, 4, 5, 6], [1, 1, 1, 0, 0, 0]
    x = [5.0, 4, 3, 4, 1, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        up = rs.operating_points_at(frame(*rows, x), 3, 4.0)
        assert [row.value for row in up] == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2 / 3])
        low = rs.operating_points_at(frame(*rows, x, higher_is_positive=False), 3, 4.0)
        assert [row.value for row in low] == pytest.approx([2 / 3, 0.0, 0.4, 0.0])
        none = rs.operating_points_at(frame(*rows, x), 3, 9.0)
        assert [row.value for row in none] == pytest.approx([0.0, 1.0, math.nan, 0.5], nan_ok=True)


def test_events_of_a_time_come_before_its_censorings() -> None:
    together = frame([1.0, 2, 2, 3, 3, 4], [1, 1, 0, 1, 0, 0])
    apart = frame([1.0, 2, 2.5, 3, 3.5, 4], [1, 1, 0, 1, 0, 0])
    assert together.censoring().before.tolist() == apart.censoring().before.tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, other = (rs.concordance(s, "uno", tau=3.7)[0] for s in (together, apart))
    assert one.counts["n_events"] == other.counts["n_events"] == 3


def test_pairs_before_tau_count_and_those_at_it_do_not() -> None:
    sample = frame([1.0, 2, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1, 1, 0])
    with pytest.warns(
        rs.SmallSampleWarning, match="There are 4 events before 5; with fewer than 5"
    ):
        assert rs.concordance(sample, tau=5)[0].counts["n_events"] == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error", rs.SmallSampleWarning)
        assert rs.concordance(sample, tau=5.5)[0].counts["n_events"] == 5
    with pytest.raises(rs.InvalidOptionError, match="No subject has the event before tau 1; the"):
        rs.concordance(sample, tau=1)
    with pytest.raises(rs.InvalidOptionError, match="must be a positive time, got 0"):
        rs.concordance(sample, tau=0)


def test_who_takes_part_is_told() -> None:
    sample = frame([1.0, 2, 2, 3, 4, 5, 6], [1, 1, 2, 0, 1, 0, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        free, alive = (
            rs.auc_at(sample, 3, controls=c)[0].counts for c in ("event-free", "survivors")
        )
    assert (free["n_pos"], free["n_neg"], free["n_censored"]) == (2, 4, 1)
    assert (alive["n_pos"], alive["n_neg"], alive["n_censored"]) == (2, 3, 1)
    assert free["largest_share"] == pytest.approx(0.5)


def test_an_area_without_variance_has_no_symmetric_interval() -> None:
    area = rs.auc_at(frame(np.arange(1.0, 11), [1] * 10), 5)[0]
    assert area.value == 1.0
    for method in ("wald", "wald_t"):
        with pytest.warns(rs.DegenerateVarianceWarning, match="has no wald"):
            limits = area.confidence_interval(method=method)
        assert math.isnan(limits.low)
        assert math.isnan(limits.high)
    assert 0.0 < area.confidence_interval().low < area.confidence_interval().high == 1.0
