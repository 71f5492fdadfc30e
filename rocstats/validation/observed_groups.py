"""Observed folds with patients and repeats, groups of people, and quantities compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["GROUPS"]


def _parts(sample: rs.ScoredSample, markers: Markers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, scores so that high is positive, and the places of the rows from 1."""
    scores = sample.oriented(sample.marker(markers[0]))
    return sample.positive, scores, np.arange(1, scores.size + 1)


def _in_folds(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    who = (place - 1) // 2
    given: dict[str, Any] = {"pos_label": True, "folds": who % 3, "cluster": who}
    numbers: dict[str, Any] = {}
    for weights in ("equal", "pairs"):
        found = rs.cv_auc(y, scores, weights=weights, **given)
        numbers[weights] = [found.value, found.std_error**2, *found.confidence_interval()]
    numbers["ledell"] = rs.cv_auc(y, scores, variance="ledell", **given).std_error
    among = np.where(y, np.cumsum(y), np.cumsum(~y))
    twice = rs.cv_auc(
        np.tile(y, 2),
        np.tile(scores, 2),
        pos_label=True,
        folds=np.concatenate([among % 3, among // 3 % 3]),
        repeats=np.repeat([0, 1], y.size),
        subject=np.tile(place, 2),
    )
    return numbers | {"repeats": [twice.value, twice.std_error**2]}


def _groups(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    y, scores, place = _parts(sample, markers)
    cut = float(np.sort(scores)[int(np.ceil(0.5 * y.size)) - 1])
    found = rs.group_fairness(y, scores, pos_label=True, group=place % 3, threshold=cut)
    gaps = found.gaps().tests
    numbers: dict[str, Any] = {}
    for name in ("auc", "xauc"):
        numbers[name] = _flat(
            (t.estimate, t.std_error) for t in gaps if t.contrast.endswith(f"({name})")
        )
    for name in ("sensitivity", "specificity"):
        numbers[f"{name}_gaps"] = _flat(
            (t.statistic, *t.confidence_interval())
            for t in gaps
            if t.contrast.endswith(f"({name})")
        )
        numbers[f"{name}_equal"] = found.equality(name).statistic
        numbers[f"{name}_wilson"] = _flat(
            row.confidence_interval() for row in found.estimates.rows if row.measure.name == name
        )
    return numbers


def _flat(rows: Iterable[Iterable[float]]) -> list[float]:
    return [value for row in rows for value in row]


def _compared(measure: str) -> Callable[[rs.ScoredSample, Markers], Numbers]:
    def observe(sample: rs.ScoredSample, markers: Markers) -> Numbers:
        chosen = sample.only([sample.marker(name) for name in markers])
        (test,) = rs.compare(chosen, measure=measure).contrast(*markers)
        return {"difference": [test.estimate, test.std_error, test.statistic, test.df, test.pvalue]}

    return observe


GROUPS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "folds-patients": _in_folds,
    "groups": _groups,
    "compared-precision": _compared("average_precision"),
    "compared-brier": _compared("brier"),
}
