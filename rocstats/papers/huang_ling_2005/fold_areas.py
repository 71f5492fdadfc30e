"""Huang & Ling's cross-validation: accuracy and AUC of every learner on the same test folds."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.even_folds import stratified_folds
from rocstats.papers.learners.entropy_cuts import apply_cuts, entropy_cuts
from rocstats.papers.learners.learners_by_name import LEARNERS
from rocstats.papers.learners.support_vectors import GridSvm
from rocstats.papers.paper import Settings
from rocstats.papers.row_areas import auc_rows
from rocstats.papers.streams import run_jobs, stream

__all__ = [
    "METHODS",
    "TUNING_ROWS",
    "fold_mean",
    "fold_sd",
    "fold_values",
    "hand_till",
    "run_fold_areas",
]

METHODS: Mapping[str, str] = {"NB": "nb", "C4.4": "c4.4", "C4.5": "c4.5"}
TUNING_ROWS = 1000  # rows at most on which the SVM's C and gamma are compared
_FOLDS = 10

Rows = list[dict[str, Any]]
# label, columns and their levels, classes, fold, seed, learners
Job = tuple[str, Floats, tuple[int, ...], Ints, int, int, tuple[str, ...]]


def run_fold_areas(
    sets: Mapping[str, BenchSet],
    settings: Settings,
    *,
    binary: Collection[str],
    svm: Collection[str],
    discretise: str = "all",
) -> Rows:
    """Return a row for each set, fold and method.

    Parameters
    ----------
    sets : by the paper's names
    settings : seed and workers
    binary : names of the sets whose classes are grouped into two
    svm : names of the sets that have the SVM, too
    discretise : which rows the cut points come from: "all" before the folds are made, as the paper
        tells it, or "training", the training rows of each fold
    """
    jobs: list[Job] = []
    for label, data in sets.items():
        methods = (*METHODS, "SVM") if label in svm else tuple(METHODS)
        truth = data.y.astype(np.int64) if label in binary else data.target
        X, levels = data.X, data.levels
        if discretise == "all":
            X, levels = _cut(X, levels, truth, np.arange(data.n))
        jobs += [(label, X, levels, truth, f, settings.rng, methods) for f in range(_FOLDS)]
    return [row for rows in run_jobs(_run, jobs, settings, "cross-validation") for row in rows]


def _cut(
    X: Floats, levels: tuple[int, ...], truth: Ints, rows: Ints
) -> tuple[Floats, tuple[int, ...]]:
    """Return all rows with every number as the code of its interval; some rows decide the cuts."""
    cuts = [
        () if count else entropy_cuts(X[rows, j], truth[rows]) for j, count in enumerate(levels)
    ]
    return apply_cuts(X, levels, cuts)


def _run(job: Job) -> Rows:
    label, X, levels, truth, f, seed, methods = job
    rng = np.random.default_rng(stream(seed, "huang-ling-2005", label))
    fold = stratified_folds(rng, truth, _FOLDS)
    tie_seed = int(rng.integers(2**31))
    test, train = np.flatnonzero(fold == f), np.flatnonzero(fold != f)
    if 0 in levels:  # not cut yet: the training rows decide
        X, levels = _cut(X, levels, truth, train)
    rows = []
    for method in methods:
        accuracy, area = _judge(method, X, levels, truth, train, test, tie_seed)
        rows.append({"set": label, "fold": f, "method": method, "accuracy": accuracy, "auc": area})
    return rows


def _judge(
    method: str,
    X: Floats,
    levels: tuple[int, ...],
    truth: Ints,
    train: Ints,
    test: Ints,
    seed: int,
) -> tuple[float, float]:
    """Return accuracy and AUC on the test rows."""
    if method == "SVM":
        numbers = np.where(X < 0.0, np.nan, X)  # codes are numbers, -1 is missing
        machine = GridSvm(seed=seed % 2**31, tuning_rows=TUNING_ROWS)
        machine.fit(numbers[train], truth[train])
        distance = machine.decision_function(numbers[test])
        hits = machine.predict(numbers[test]) == truth[test]
        area = auc_rows(distance[None, :], (truth[test] == 1).astype(np.float64)[None, :])[0]
        return float(np.mean(hits)), float(area)
    model = LEARNERS[METHODS[method]](levels, seed).fit(X[train], truth[train])
    shares = model.predict_proba(X[test])
    found = np.zeros((test.size, int(truth.max()) + 1))
    found[:, model.classes_] = shares
    hits = found.argmax(axis=1) == truth[test]
    return float(np.mean(hits)), hand_till(found, truth[test])


def hand_till(shares: Floats, truth: Ints) -> float:
    """Return Hand & Till's area over the pairs of classes that are there; for two classes the AUC.

    Parameters
    ----------
    shares : (n, classes) probabilities
    truth : (n,) classes
    """
    areas = []
    for a, b in combinations(np.unique(truth).tolist(), 2):
        rows = (truth == a) | (truth == b)
        labels = (truth[rows] == a).astype(np.float64)[None, :]
        for column, positive in ((a, labels), (b, 1.0 - labels)):
            areas.append(float(auc_rows(shares[rows, column][None, :], positive)[0]))
    return float(np.mean(areas)) if areas else float("nan")


def fold_values(folds: Rows, label: str, method: str, name: str) -> list[float]:
    """Return the values of a method on the folds of a set that have one."""
    return [
        row[name]
        for row in folds
        if row["set"] == label and row["method"] == method and not math.isnan(row[name])
    ]


def fold_mean(folds: Rows, label: str, method: str, name: str) -> float | None:
    """Return their mean in percent, None where there is none."""
    values = fold_values(folds, label, method, name)
    return 100.0 * float(np.mean(values)) if values else None


def fold_sd(folds: Rows, label: str, method: str, name: str) -> float | None:
    """Return their standard deviation in percent, None where there is none."""
    values = fold_values(folds, label, method, name)
    return 100.0 * float(np.std(values, ddof=1)) if values else None
