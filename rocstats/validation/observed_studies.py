"""Observed, continued: what studies say of given values, and of models whose values are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["STUDIES"]

REPLICATES = 40_000
BY = ("auc", "sauc", "brier", "accuracy")


class Reader:
    """A classifier that reads its probabilities from a column and learns nothing."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return its one parameter, as copies are made by."""
        return {"column": self.column}

    def fit(self, X: np.ndarray, y: np.ndarray) -> Reader:
        """Learn the classes."""
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the column, and what is left of 1."""
        p = X[:, self.column]
        return np.stack([1.0 - p, p], axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the likelier class."""
        called: np.ndarray = self.classes_[(X[:, self.column] > 0.5).astype(int)]
        return called


def _selection(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    split, criterion, candidate = np.ogrid[0:12, 0:3, 0:4]
    j, c = np.ogrid[0:12, 0:4]
    found = rs.ModelSelection(
        candidates=("a", "b", "c", "d"),
        by=("auc", "sauc", "brier"),
        test="auc",
        validated=(7 * split + 3 * criterion + 5 * candidate + split * candidate) % 11 / 10.0,
        tested=(5 * j + 2 * c + j * c) % 13 / 12.0,
        n_train=60.0,
        n_validation=10.0,
        n_test=30.0,
        n_splits=12,
        design="given",
        entropy=None,
    )
    comparisons: list[float] = []
    for one in found.comparisons():
        corrected = one.corrected
        comparisons += [corrected.estimate, corrected.std_error, corrected.pvalue]
        comparisons += [one.plain.pvalue, float(one.wins), float(one.losses), one.sign_pvalue]
    names = ("test_mean", "test_sd", "best", "regret")
    return {name: [row[name] for row in found.rows()] for name in names} | {
        "share": [row["share"] for row in found.choices()],
        "comparisons": comparisons,
    }


def _selection_run(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Select among a perfect model, one that knows nothing, and one that is always wrong."""
    right = np.where(sample.positive, 0.9, 0.1)
    columns = np.stack([right, np.full(right.size, 0.5), 1.0 - right], axis=1)
    found = rs.select_model(
        {name: Reader(k) for k, name in enumerate(("right", "blank", "wrong"))},
        columns,
        sample.positive.astype(int),
        by=BY,
        n_repeats=5,
        rng=1,
    )
    rows = found.rows()
    return {
        "sizes": [found.n_train, found.n_validation, found.n_test],
        "tested": found.tested.mean(axis=0).tolist(),
        "share": [row["share"] for row in found.choices()],
    } | {name: [row[name] for row in rows] for name in ("test_mean", "best", "regret")}


def _power_study(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    i = np.arange(1, 501)
    p = [(i * 37 % 503 / 503) ** 3, (i * 41 % 503 / 503) ** 4, (i * 53 % 101 / 101) ** 2]
    null = [(i * 13 % 100 + 1) / 100, i * 29 % 503 / 503, (i * 31 % 503 / 503) ** 1.5]
    design = rs.two_sample_design("normal", effect=0.5, n_pos=30, n_neg=30)
    cell = rs.DesignPower(design=design, pvalues=np.array(p), null_pvalues=np.array(null))
    study = rs.PowerStudy(
        cells=(cell,),
        tests=("auc", "sauc", "t"),
        versus="auc",
        significance=0.05,
        alternative="two-sided",
        n_replicates=500,
        entropy=None,
    )
    shares = ("size", "power", "adjusted_power", "difference", "efficiency")
    names = [n for share in shares for n in (share, f"{share}_std_error")] + ["n_equal"]
    return {"rows": [row[name] for row in study.rows() for name in names]}


def _power_drawn(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    designs = [rs.two_sample_design("normal", effect=0.8, n_pos=n, n_neg=n) for n in (25, 12)]
    study = rs.power_study(
        designs, tests=["t"], n_replicates=REPLICATES, rng=20261118, n_jobs=1
    ).rows()
    return {"size": study[0]["size"], "power": study[0]["power"], "fewer": study[1]["power"]}


def _efficiency(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    def both(family: str, share: float) -> list[float]:
        return [
            rs.pitman_efficiency(family, test=test, versus="auc", share_pos=share)
            for test in ("sauc", "t")
        ]

    return {
        "normal": both("normal", 0.5),
        "uneven": both("normal", 0.2),
        "logistic": both("logistic", 0.5),
    }


STUDIES: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "selection": _selection,
    "selection-run": _selection_run,
    "power-study": _power_study,
    "power-drawn": _power_drawn,
    "efficiency": _efficiency,
}
