"""Observed survival outcomes: the third marker as time, the class as who has the event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["SURVIVAL"]

CONTROLS: tuple[Literal["event-free", "survivors"], ...] = ("event-free", "survivors")


def _survival(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    first, second, third, fourth = (sample.oriented(sample.marker(name)) for name in markers)
    time = third - third.min() + 1.0
    event = sample.positive.astype(int)
    code = np.where(sample.positive & (fourth > np.median(fourth)), 2, event)
    frame = {"time": time, "event": event, "code": code, "first": first, "second": second}
    given: dict[str, Any] = {"time": "time", "markers": ["first", "second"]}
    competing = rs.SurvivalSample.from_frame(frame, event="code", **given)
    plain = rs.SurvivalSample.from_frame(frame, event="event", **given)
    n = time.size
    t, tau = (float(np.sort(time)[int(np.ceil(q * n)) - 1]) for q in (0.5, 0.75))
    cut = float(np.sort(first)[int(np.ceil(0.5 * n)) - 1])
    numbers: dict[str, Any] = {}
    for controls in CONTROLS:
        name = controls.replace("-", "_")
        areas = rs.auc_at(competing, t, controls=controls)
        (test,) = areas.compare().contrast("first", "second")
        points = rs.operating_points_at(competing, t, {"first": cut}, controls=controls)
        numbers[name] = [
            *(value for row in areas for value in (row.value, row.std_error)),
            *(test.estimate, test.std_error),
        ]
        numbers[f"{name}_rates"] = [v for row in points for v in (row.value, row.std_error)]
    harrell = rs.concordance(plain)["first"]
    uno = rs.concordance(plain, "uno", tau=tau)["first"]
    fixed = rs.concordance(plain, "uno", tau=tau, censoring="fixed")["first"]
    return numbers | {
        "harrell": [harrell.value, harrell.std_error],
        "uno": [uno.value, uno.std_error],
        "uno_fixed": [fixed.value, fixed.std_error],
    }


SURVIVAL: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {"survival": _survival}
