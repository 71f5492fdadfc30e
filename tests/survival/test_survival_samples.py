"""What a survival sample takes and what it refuses, and what its estimates refuse and warn of."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from survival_oracles import draw, sample_of

import rocstats as rs

GOOD = {
    "years": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "status": [1, 0, 1, 1, 0, 0],
    "a": [9.0, 4.0, 5.0, 6.0, 2.0, 1.0],
}


def build(columns: dict[str, Any] | None = None, **options: Any) -> rs.SurvivalSample:
    given = {"time": "years", "event": "status", "markers": "a"} | options
    return rs.SurvivalSample.from_frame({**GOOD, **(columns or {})}, **given)


# What is given, which error, and a part of its sentence.
REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], type[Exception], str]] = {
    "negative time": ({"years": [1, 2, -3, 4, 5, 6]}, {}, rs.InvalidSampleError, "-3 in row 3"),
    "infinite time": ({"years": [1, 2, 3, 4, 5, math.inf]}, {}, rs.InvalidSampleError, "finite"),
    "time as text": ({"years": ["1", "2y", "3", "4", "5", "6"]}, {}, rs.InvalidSampleError, "2y"),
    "missing time": ({"years": [1, 2, math.nan, 4, 5, 6]}, {}, rs.InvalidSampleError, "1 in years"),
    "missing event": (
        {"status": [1, None, 1, 1, 0, 0]},
        {},
        rs.InvalidSampleError,
        "1 in status",
    ),
    "missing marker": ({"a": [1, 2, 3, 4, 5, math.nan]}, {}, rs.InvalidSampleError, "1 in a"),
    "all censored": ({"status": [0] * 6}, {}, rs.SingleClassError, "Every subject is censored"),
    "no such event": ({}, {"event_of_interest": 2}, rs.InvalidSampleError, "event of interest 2"),
    "words as codes": (
        {"status": ["dead", "alive", "dead", "dead", "alive", "alive"]},
        {},
        rs.InvalidSampleError,
        "the codes of status are 'alive', 'dead'",
    ),
    "words without censoring named": (
        {"status": ["dead", "alive", "dead", "dead", "alive", "alive"]},
        {"event_of_interest": "dead"},
        rs.InvalidSampleError,
        "name it with censored=",
    ),
    "codes 1 and 2": ({"status": [2, 1, 2, 2, 1, 1]}, {}, rs.InvalidSampleError, "censored="),
    "broken codes": ({"status": [1, 0.5, 1, 1, 0, 0]}, {}, rs.InvalidSampleError, "whole numbers"),
    "the same code twice": ({}, {"censored": 1}, rs.InvalidOptionError, "same code"),
    "several codes": ({}, {"event_of_interest": [1, 2]}, rs.InvalidOptionError, "one code"),
    "no such column": ({}, {"time": "year"}, rs.InvalidSampleError, "Did you mean 'years'"),
    "time as a marker": ({}, {"markers": ["a", "years"]}, rs.InvalidSampleError, "named twice"),
    "time as the event": ({}, {"event": "years"}, rs.InvalidSampleError, "named twice"),
    "a longer column": ({"a": [1.0, 2.0]}, {}, rs.InvalidSampleError, "as many"),
    "no rows": ({"years": [], "status": [], "a": []}, {}, rs.InvalidSampleError, "empty"),
    "a direction of no marker": (
        {},
        {"higher_is_positive": {"b": False}},
        rs.InvalidOptionError,
        "no marker",
    ),
    "unknown policy": ({}, {"nan_policy": "drop"}, rs.InvalidOptionError, "nan_policy"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_samples_are_refused_in_a_sentence(name: str) -> None:
    columns, options, error, part = REFUSED[name]
    with pytest.raises(error) as caught:
        build(columns, **options)
    text = str(caught.value)
    assert part in text
    assert text.endswith((".", "?"))


def test_frames_words_and_missing_values_are_read() -> None:
    plain = build()
    assert (plain.n_events, plain.n_censored, plain.n_other) == (3, 3, 0)
    words = ["dead", "alive", "dead", "dead", "alive", "alive"]
    named = build({"status": words}, event_of_interest="dead", censored="alive")
    assert named.event.tolist() == plain.event.tolist()
    flags = build({"status": [bool(v) for v in GOOD["status"]]})
    assert flags.censored.tolist() == plain.censored.tolist()
    frame = pd.DataFrame(GOOD)
    assert rs.SurvivalSample.from_frame(frame, "years", "status", ["a"]).markers == ("a",)
    less = build({"a": [9.0, math.nan, 5.0, 6.0, 2.0, 1.0]}, nan_policy="omit")
    assert less.time.tolist() == [1.0, 3.0, 4.0, 5.0, 6.0]
    assert "1 subject dropped (a missing in 1)" in repr(less)
    everyone = build({"status": [2, 1, 2, 2, 1, 1]}, event_of_interest=2, censored=None)
    assert everyone.n_other == 3
    assert build({"status": [1] * 6}).n_censored == 0
    assert repr(plain).startswith("SurvivalSample: 3 events (1), 3 censored (0); times 1 to 6")
    with pytest.raises(rs.InvalidSampleError, match="data frame or a mapping"):
        rs.SurvivalSample.from_frame([1, 2], "years", "status", "a")


@pytest.fixture(scope="module")
def sample() -> rs.SurvivalSample:
    return sample_of(draw(31, n=120))


# The call, and a part of its refusal.
CALLS = {
    "beyond the follow-up": (lambda s: rs.auc_at(s, times=[1000]), "last time is"),
    "a time of 0": (lambda s: rs.auc_at(s, times=[0]), "positive numbers"),
    "a negative time": (lambda s: rs.auc_at(s, times=[-1]), "positive numbers"),
    "a word": (lambda s: rs.auc_at(s, times="soon"), "positive numbers"),
    "no time": (lambda s: rs.auc_at(s, times=[]), "positive numbers"),
    "a time twice": (lambda s: rs.auc_at(s, times=[3, 3]), "twice"),
    "unknown controls": (lambda s: rs.auc_at(s, times=3, controls="all"), "controls"),
    "no sample": (lambda s: rs.auc_at([1, 2], times=3), "SurvivalSample was expected"),
    "which marker": (lambda s: rs.roc_curve_at(s, 3), "name one with marker="),
    "no such marker": (lambda s: rs.roc_curve_at(s, 3, marker="y"), "no marker 'y'"),
    "unknown C": (lambda s: rs.concordance(s, method="gonen"), "method"),
    "a horizon of 0": (lambda s: rs.concordance(s, tau=0), "positive time"),
    "a horizon before all": (lambda s: rs.concordance(s, tau=1e-9), "No subject has the event"),
    "a horizon in words": (lambda s: rs.concordance(s, tau="late"), "positive time"),
    "threshold of whom": (lambda s: rs.operating_points_at(s, 3, 0.5), "name the marker"),
    "threshold of nobody": (lambda s: rs.operating_points_at(s, 3, {"y": 1}), "no marker"),
    "no threshold": (lambda s: rs.operating_points_at(s, 3, {}), "each once"),
    "threshold in words": (lambda s: rs.operating_points_at(s, 3, {"x": "high"}), "numbers"),
    "unknown interval": (
        lambda s: rs.auc_at(s, times=3).rows[0].confidence_interval(method="delong"),
        "method",
    ),
    "a level of 2": (lambda s: rs.auc_at(s, times=3)["x"].confidence_interval(2), "level"),
    "a band of C": (lambda s: rs.concordance(s).band(), "areas at times"),
    "a band of one draw": (lambda s: rs.auc_at(s, times=3).band(n_resamples=1), "n_resamples"),
    "one of two": (lambda s: rs.auc_at(s, times=3).value, "There are 2 estimates"),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_calls_are_refused_in_a_sentence(name: str, sample: rs.SurvivalSample) -> None:
    call, part = CALLS[name]
    with pytest.raises(rs.RocstatsError) as caught:
        call(sample)
    assert part in str(caught.value)


def test_times_without_cases_or_controls_are_nan_with_both_counts() -> None:
    with pytest.warns(rs.SmallSampleWarning, match=r"0 cases and 6 controls at time 0.5"):
        early = rs.auc_at(build(), times=0.5)
    assert math.isnan(early.value)
    assert math.isnan(early.rows[0].scatter[0])
    with pytest.warns(rs.SmallSampleWarning, match=r"3 cases and 0 controls at time 6"):
        late = rs.auc_at(build(), times=6.0)
    assert math.isnan(late.value)
    with pytest.warns(rs.DegenerateVarianceWarning, match="no standard error"):
        assert math.isnan(late.std_error)
    assert late.to_dict()["estimates"][0]["estimate"] is None
    with pytest.warns(rs.SmallSampleWarning), pytest.raises(rs.InvalidOptionError, match="both"):
        rs.roc_curve_at(build(), 0.5)


def test_few_cases_and_heavy_censoring_are_warned_of() -> None:
    with pytest.warns(rs.SmallSampleWarning, match="2 cases and 3 controls at time 3"):
        rs.auc_at(build(), times=3)
    rng = np.random.default_rng(5)
    time = np.sort(rng.uniform(0, 10, 300))
    status = (rng.uniform(size=300) < 0.05).astype(int)
    status[290:294] = 1
    heavy = rs.SurvivalSample.from_frame(
        {"years": time, "status": status, "a": rng.normal(size=300)}, "years", "status", "a"
    )
    with pytest.warns(rs.SmallSampleWarning, match=r"only .*% are left uncensored, and one case"):
        rs.auc_at(heavy, times=float(time[293]))
    with pytest.warns(rs.SmallSampleWarning, match="There are 3 events"):
        rs.concordance(build())


def test_events_come_before_censorings_of_their_time() -> None:
    """With whole days, one censored on the day of an event is still comparable with it."""
    tied = build({"years": [3, 3, 5, 5, 6, 7], "status": [1, 0, 1, 1, 0, 0]})
    from survival_oracles import area, concordance

    time, code, score = (np.array(v) for v in (tied.time, [1, 0, 1, 1, 0, 0], GOOD["a"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.SmallSampleWarning)
        harrell = concordance(time, code, score, "harrell")
        assert rs.concordance(tied).value == pytest.approx(harrell)
        assert rs.auc_at(tied, times=5).value == pytest.approx(area(time, code, score, 5.0))


def test_concordance_refuses_competing_events() -> None:
    competing = sample_of(draw(32, n=80, competing=True))
    with pytest.raises(rs.InvalidSampleError, match=r"competing ones \(2\); take rs.auc_at"):
        rs.concordance(competing)


def test_a_perfect_marker_has_an_honest_interval() -> None:
    time = np.arange(1.0, 41.0)
    perfect = rs.SurvivalSample.from_frame(
        {"years": time, "status": [1, 1, 1, 0] * 10, "a": -time}, "years", "status", "a"
    )
    row = rs.auc_at(perfect, times=20).rows[0]
    assert row.value == 1.0
    low, high = row.confidence_interval()
    assert 0.7 < low < 1.0 == high
    with pytest.warns(rs.DegenerateVarianceWarning, match="standard error 0"):
        assert row.std_error == 0.0
    rate = rs.operating_points_at(perfect, 20, -20)[0]
    low, high = rate.confidence_interval()
    assert (rate.value, high) == (1.0, 1.0)
    assert low == pytest.approx(0.025 ** (1.0 / rate.sizes[0]))
