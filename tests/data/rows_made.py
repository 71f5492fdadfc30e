"""Rows that tables are made of in tests, and what is the same in memory."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rocstats as rs

VALUE, STD_ERROR, COVARIANCE = 1e-13, 1e-11, 1e-11  # what two orders of summation may differ by
MARKERS = ["a", "b", "c"]
MEASURES = (
    "auc",
    "sauc",
    "smauc",
    rs.smooth_auc(midpoint="paper", name="paper"),
    rs.smooth_auc(midpoint="class_mean", name="class_mean"),
    rs.partial_area(fpr=(0, 0.2)),
)


def draw(n: int = 3000, *, tied: bool = True, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    cluster = rng.integers(0, n // 4, n)
    common = rng.normal(size=n) + rng.normal(size=n // 4)[cluster]
    columns: dict[str, Any] = {"y": y, "cluster": cluster}
    for k, name in enumerate(MARKERS):
        score = 1.0 / (1.0 + np.exp(-common - rng.normal(size=n) - y * (0.5 + 0.3 * k)))
        columns[name] = np.round(score, 2) if tied else score
    return columns


def assert_same(table: rs.ScoredTable, sample: rs.ScoredSample, measures: Any = MEASURES) -> None:
    ours, theirs = rs.estimate(table, measures=measures), rs.estimate(sample, measures=measures)
    for one, other in zip(ours, theirs, strict=True):
        assert one.value == pytest.approx(other.value, rel=VALUE)
        assert one.std_error == pytest.approx(other.std_error, rel=STD_ERROR)
        limits, wanted = one.confidence_interval(), other.confidence_interval()
        assert limits.method == wanted.method
        assert [*limits] == pytest.approx([*wanted], rel=1e-10)
        for name, known in other.details.items():
            assert one.details[name] == (
                pytest.approx(known, rel=1e-10) if isinstance(known, float) else known
            )
    spread = np.sqrt(np.diag(theirs.covariance))
    apart = np.abs(ours.covariance - theirs.covariance) / np.outer(spread, spread)
    assert apart.max() <= COVARIANCE


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "null": ({"y": [1, 0, 1], "s": [1.0, None, 2.0]}, r"missing values \(1 in s\)"),
    "nan": ({"y": [1, 0, 1], "s": [1.0, np.nan, 2.0]}, r"missing values \(1 in s\)"),
    "null label": ({"y": [1, 0, None], "s": [1.0, 3.0, 2.0]}, r"missing values \(1 in y\)"),
    "text": ({"y": [1, 0], "s": ["1", "2"]}, "must be numbers, got text"),
    "integers": ({"y": [1, 0], "s": [2**53 + 1, 2**53 + 2]}, "do not fit a double exactly"),
    "one class": ({"y": [1, 1], "s": [1.0, 2.0]}, "one class only"),
    "three classes": ({"y": [0, 1, 2], "s": [1.0, 2.0, 3.0]}, "two classes, got 3"),
    "one and two": ({"y": [1, 2], "s": [1.0, 2.0]}, "name the positive class"),
    "misspelt": ({"y": ["yes", "no"], "s": [1.0, 2.0]}, "is not among the labels"),
    "no column": ({"y": [1, 0], "z": [1.0, 2.0]}, "no column 's'"),
    "no rows": ({"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())}, "is empty"),
}
