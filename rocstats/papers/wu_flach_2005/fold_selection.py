"""Wu & Flach's model selection: one fold tests, one chooses among the learners, eight train."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.even_folds import stratified_folds
from rocstats.papers.learners.learners_by_name import BACK_ENDS
from rocstats.papers.learners.voting_intervals import VotingIntervals
from rocstats.papers.paper import Settings
from rocstats.papers.row_areas import auc_rows, sauc_rows
from rocstats.papers.streams import run_jobs, stream

__all__ = ["CANDIDATES", "FoldRuns", "run_folds"]

# By back end, in the order of the paper; K* is Weka's alone, and VFI is ours with both.
CANDIDATES: Mapping[str, tuple[str, ...]] = {
    "python": ("naive Bayes", "logistic", "decision tree", "VFI"),
    "weka": ("naive Bayes", "logistic", "decision tree", "K*", "VFI"),
}
_KEYS = {"naive Bayes": "nb", "logistic": "logistic", "decision tree": "c4.4", "K*": "kstar"}
_FOLDS = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldRuns:
    """Areas of every candidate in every fold.

    Attributes
    ----------
    validation_auc, validation_sauc, test_auc : (pairs, candidates)
    """

    validation_auc: Floats
    validation_sauc: Floats
    test_auc: Floats

    def chosen(self, by: str, *, ties: str = "first") -> Floats:
        """Return the test AUC of the model with the greatest validation value in each pair.

        Parameters
        ----------
        by : "auc" or "sauc"
        ties : "first" takes the first of equal models, "shared" the mean of their test AUCs, which
            is what a random choice among them has on average
        """
        best = self._best(by)
        if ties == "first":
            return np.asarray(self.test_auc[np.arange(len(best)), best.argmax(axis=1)])
        return np.asarray((self.test_auc * best).sum(axis=1) / best.sum(axis=1))

    def tied(self, by: str) -> float:
        """Return the share of pairs in which several models have the greatest value."""
        return float((self._best(by).sum(axis=1) > 1).mean())

    def shares(self, by: str) -> Floats:
        """Return (candidates,) how often each is chosen; equal ones share."""
        best = self._best(by)
        return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))

    def _best(self, by: str) -> Bools:
        """(pairs, candidates) whether a model has the greatest value, but for rounding."""
        values = np.round(self.validation_auc if by == "auc" else self.validation_sauc, 12)
        return np.asarray(values == values.max(axis=1, keepdims=True))


Job = tuple[str, BenchSet, int, int, int | None, str]  # label, data, run, seed, rows, back end


def run_folds(
    sets: Mapping[str, BenchSet],
    runs: int,
    settings: Settings,
    *,
    rows: int | None = None,
    what: str,
) -> dict[str, FoldRuns]:
    """Return the runs of every set, on all rows or on some that are drawn once for a set."""
    jobs: list[Job] = [
        (label, data, run, settings.rng, rows, settings.backend)
        for label, data in sets.items()
        for run in range(runs)
    ]
    answers = list(run_jobs(_run, jobs, settings, what))
    found = {}
    for label in sets:
        parts = [part for job, part in zip(jobs, answers, strict=True) if job[0] == label]
        joined = np.concatenate(parts, axis=1)
        found[label] = FoldRuns(
            validation_auc=joined[0], validation_sauc=joined[1], test_auc=joined[2]
        )
    return found


def _run(job: Job) -> Floats:
    """Return (3, folds, candidates): validation AUC, validation sAUC and test AUC."""
    label, data, run, seed, rows, backend = job
    candidates = CANDIDATES[backend]
    X, y = data.X, data.y
    rows = None if rows is None or rows >= data.n else rows  # the same folds as for all rows
    if rows is not None:
        drawn = np.random.default_rng(stream(seed, "wu-flach-2005", "rows", label, rows))
        chosen = np.sort(drawn.choice(data.n, rows, replace=False))
        X, y = X[chosen], y[chosen]
    rng = np.random.default_rng(stream(seed, "wu-flach-2005", label, run, rows))
    fold = stratified_folds(rng, y, _FOLDS)
    tie_seed = int(rng.integers(2**31))
    found = np.empty((3, _FOLDS, len(candidates)))
    for f in range(_FOLDS):
        test, validation = fold == f, fold == (f + 1) % _FOLDS
        train = ~(test | validation)
        for c, name in enumerate(candidates):
            model = _candidate(name, data.levels, tie_seed, backend).fit(X[train], y[train])
            chosen_by = model.predict_proba(X[validation])[:, -1][None, :]
            judged = model.predict_proba(X[test])[:, -1][None, :]
            labels = y[validation][None, :].astype(np.float64)
            found[0, f, c] = auc_rows(chosen_by, labels)[0]
            found[1, f, c] = sauc_rows(chosen_by, labels)[0]
            found[2, f, c] = auc_rows(judged, y[test][None, :].astype(np.float64))[0]
    return found


def _candidate(name: str, levels: tuple[int, ...], seed: int, backend: str) -> Any:
    if name == "VFI":
        return VotingIntervals(levels=levels)
    return BACK_ENDS[backend][_KEYS[name]](levels, seed)
