"""Klement et al.: ten runs of stratified 10-fold cross-validation, scores pooled in each run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.arrays import Bools, Floats
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.even_folds import stratified_folds
from rocstats.papers.learners.learners_by_name import BACK_ENDS
from rocstats.papers.paper import Settings
from rocstats.papers.streams import run_jobs, stream

__all__ = ["METHODS", "pooled_scores", "run_pools", "smooth_areas"]

METHODS: Mapping[str, str] = {"NB": "nb", "PET": "c4.4"}
_FOLDS = 10

Job = tuple[str, BenchSet, int, int, str]  # label, data, run, seed, back end


def run_pools(sets: Mapping[str, BenchSet], runs: int, settings: Settings) -> list[dict[str, Any]]:
    """Return a row for each set, run and method."""
    jobs: list[Job] = [
        (label, data, run, settings.rng, settings.backend)
        for label, data in sets.items()
        for run in range(runs)
    ]
    return [row for rows in run_jobs(_run, jobs, settings, "cross-validation") for row in rows]


def _run(job: Job) -> list[dict[str, Any]]:
    label, data, run = job[:3]
    return [
        {"set": label, "run": run, "method": method, **smooth_areas(data.y, scores)}
        for method, scores in pooled_scores(job).items()
    ]


def pooled_scores(job: Job) -> dict[str, Floats]:
    """Return each method's scores of all rows, every row scored by the model it did not train."""
    label, data, run, seed, backend = job
    rng = np.random.default_rng(stream(seed, "klement-2011", label, run))
    fold = stratified_folds(rng, data.y, _FOLDS)
    tie_seed = int(rng.integers(2**31))
    found = {method: np.empty(data.n) for method in METHODS}
    for f in range(_FOLDS):
        test = fold == f
        for method, learner in METHODS.items():
            model = BACK_ENDS[backend][learner](data.levels, tie_seed)
            model.fit(data.X[~test], data.y[~test])
            found[method][test] = model.predict_proba(data.X[test])[:, -1]
    return {method: np.clip(scores, 0.0, 1.0) for method, scores in found.items()}


def smooth_areas(y: Bools, scores: Floats) -> dict[str, float]:
    """Return AUC, smAUC with the paper's midpoint, that midpoint, and smAUC about 0.5."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.MidOutOfRangeWarning)
        paper = rs.smauc(y.astype(np.int64), scores, midpoint="paper")
    fixed = rs.smauc(y.astype(np.int64), scores)
    return {
        "auc": rs.auc(y.astype(np.int64), scores).value,
        "smauc": paper.value,
        "midpoint": float(paper.details["midpoint"]),
        "smauc_at_half": fixed.value,
    }
