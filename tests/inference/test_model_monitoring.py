"""Issue 21: a model in production, window by window, against a baseline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rocstats as rs


def batch(gain: float, n: int = 150, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.round(gain * y + rng.normal(size=n), 2)


def test_every_window_is_tested_as_independent_samples_are() -> None:
    days = [batch(1.5, seed=k) for k in range(3)] + [batch(0.2, seed=9)]
    found = rs.monitor(days)
    areas = [rs.auc(y, s) for y, s in days]
    tests = [rs.compare_independent(one, areas[0]) for one in areas[1:]]
    assert found.tests[0] is None
    for one, two in zip(found.tests[1:], tests, strict=True):
        assert one is not None
        assert one.pvalue == pytest.approx(two.pvalue, rel=1e-9)
        assert one.estimate == pytest.approx(two.estimate, rel=1e-12)
    p = sorted(test.pvalue for test in tests)
    assert min(found.p_adjusted[1:]) == pytest.approx(3 * p[0], rel=1e-9)
    assert found.changed == ("4",)
    assert len(found) == len(found.to_frame()) == 4
    assert [row["changed"] for row in found] == [None, False, False, True]
    assert found["4"]["p_value"] == found[-1]["p_value"] == found.tests[3].pvalue
    with pytest.raises(rs.UnknownRowError, match="There is no window 5; there are 1, 2, 3, 4"):
        found["5"]
    assert "Changed from the baseline" in repr(found)
    planned = rs.monitor(days, n_planned=10)
    assert planned.p_adjusted[3] == pytest.approx(10 * tests[2].pvalue, rel=1e-9)
    less = rs.monitor(days, alternative="less").tests[3]
    assert less is not None
    assert less.pvalue == pytest.approx(tests[2].pvalue / 2, rel=1e-6)


def test_windows_by_count_do_not_depend_on_how_batches_are_cut() -> None:
    y, s = batch(1.0, n=1000)

    def cut(step: int) -> Iterator[tuple[Any, Any]]:
        yield from ((y[i : i + step], s[i : i + step]) for i in range(0, 1000, step))

    found = [rs.monitor(cut(step), window=250) for step in (1, 37, 1000)]
    for one in found:
        assert one.windows == ("1", "2", "3", "4")
        assert one.to_dict() == found[0].to_dict()
    assert [round(e.value, 12) for e in found[0].estimates if e] == [
        round(rs.auc(y[i : i + 250], s[i : i + 250]).value, 12) for i in range(0, 1000, 250)
    ]


def test_windows_by_time_take_late_rows_and_name_their_start() -> None:
    y, s = batch(1.0, n=400)
    days = np.datetime64("2026-03-01") + np.arange(400) * np.timedelta64(1, "h")
    order = np.random.default_rng(2).permutation(np.arange(1, 400))
    order = np.r_[0, order]
    stream = [(y[o], s[o], days[o]) for o in np.array_split(order, 7)]
    found = rs.monitor(stream, window=dt.timedelta(days=7))
    assert found.windows == ("2026-03-01", "2026-03-08", "2026-03-15")
    whole = rs.monitor([(y, s, days)], window=np.timedelta64(7, "D"))
    assert whole.to_dict() == found.to_dict()
    numbers = rs.monitor([(y, s, np.arange(400.0))], window=100)
    assert numbers.windows == ("0", "100", "200", "300")


def test_a_window_that_lacks_a_class_is_said_and_not_tested() -> None:
    found = rs.monitor([batch(1.0), ([1, 1, 1], [1.0, 2.0, 3.0]), batch(1.0, seed=4)])
    assert found.sketches[1] is None
    assert found.tests[1] is None
    assert found.to_dict()["windows"][1]["estimate"] is None
    assert "could not be tested" in repr(found)
    time = rs.monitor(
        [(*batch(1.0), np.zeros(150)), (*batch(1.0, seed=4), np.full(150, 2.5))], window=1
    )
    assert [one is None for one in time.sketches] == [False, True, False]


def test_memory_is_bounded_by_the_budget_and_bins_are_said() -> None:
    rng = np.random.default_rng(5)
    y = rng.random(4000) < 0.5
    found = rs.monitor(
        [(y, y + rng.normal(size=4000))] * 2, window=2000, budget=300, pos_label=True
    )
    for one in found.sketches:
        assert one is not None
        assert one.sketches[0].bins.size <= 300
    assert rs.auc(found.baseline).details["exact"] is False
    assert "bins of scores" in repr(found)


def test_sketches_are_windows_and_may_be_the_baseline() -> None:
    weeks = [rs.sketch(*batch(1.5, seed=k), site=f"week {k}") for k in range(3)]
    study = rs.sketch(*batch(1.5, n=500, seed=8))
    found = rs.monitor(weeks, baseline=study)
    assert found.windows == ("week 0", "week 1", "week 2")
    assert None not in found.tests
    assert found.n_baseline == 0
    assert rs.monitor(weeks, baseline=2).baseline.n_pos == weeks[0].n_pos + weeks[1].n_pos
    assert "<table" in found._repr_html_()


def test_missing_values_are_refused_or_counted() -> None:
    y, s = batch(1.0)
    s[3] = np.nan
    with pytest.raises(rs.InvalidSampleError, match="missing values"):
        rs.monitor([(y, s), batch(1.0)])
    found = rs.monitor(
        [(y, s, np.zeros(150)), (*batch(1.0), np.ones(150))], window=1, nan_policy="omit"
    )
    assert found.account.dropped.n == 1


BAD: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no stream": ([], {}, "stream is empty"),
    "no iterable": (3, {}, "must be an iterable"),
    "no tuple": ([[1, 2]], {}, "must be a tuple"),
    "mixed": ([batch(1), (*batch(1), np.zeros(150))], {}, "must be a tuple"),
    "one window": ([batch(1)], {}, "wait for more"),
    "window": ([batch(1)] * 2, {"window": -3}, "window"),
    "third label": ([batch(1), ([2, 1], [1.0, 2.0])], {}, "got 2"),
    "baseline class": ([([1, 1], [1.0, 2.0]), batch(1)], {}, "baseline lacks a class"),
    "times": ([(*batch(1), np.zeros(3))] * 2, {"window": 1}, "150 subjects and 3 times"),
    "no width": ([(*batch(1), np.zeros(150))], {"window": "x"}, "how long a window lasts"),
    "marker": ([([1, 0], {"a": [1, 2], "b": [2, 1]})], {}, "choose one of a, b"),
    "unknown": ([batch(1)] * 2, {"marker": "b"}, "must be one of score"),
    "planned": ([batch(1)] * 4, {"n_planned": 2}, "more windows to test"),
    "level": ([batch(1)] * 2, {"significance": 2.0}, "between 0 and 1"),
    "words": ([batch(1)] * 2, {"significance": "0.05"}, "between 0 and 1, got '0.05'"),
    "truth": ([batch(1)] * 2, {"significance": True}, "between 0 and 1, got True"),
    "adjust": ([batch(1)] * 2, {"adjust": "x"}, "adjust"),
    "sketch window": ([rs.sketch(*batch(1))] * 2, {"window": 5}, "Every sketch is a window"),
    "twice": ([rs.sketch(*batch(1), site="a")] * 2, {}, "is there twice"),
    "other batch": ([rs.sketch(*batch(1)), batch(1)], {}, "must be a sketch"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_stream_is_refused_in_a_sentence(what: str) -> None:
    batches, options, words = BAD[what]
    with pytest.raises(rs.RocstatsError, match=words):
        rs.monitor(batches, **options)


def test_it_is_drawn() -> None:
    import matplotlib.pyplot as plt

    ax = rs.monitor([batch(1.0, seed=k) for k in range(4)]).plot()
    assert ax.get_xlabel() == "Window"
    plt.close("all")


def test_without_change_few_streams_are_called_changed() -> None:
    rng = np.random.default_rng(20261118)
    called = 0
    for _ in range(300):
        y = rng.random((4, 120)) < 0.4
        s = rng.normal(size=(4, 120)) + y
        called += bool(
            rs.monitor([(a, b) for a, b in zip(y, s, strict=True)], pos_label=True).changed
        )
    assert called <= 300 * 0.05 + 3 * np.sqrt(300 * 0.05 * 0.95)  # three standard errors
