"""Wu, Flach & Ferri's model selection: ten models without three attributes, chosen on few rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rocstats.arrays import Bools, Floats, Ints
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.learners.subsets import subset_scores
from rocstats.papers.paper import Settings
from rocstats.papers.row_areas import MEASURES, auc_rows
from rocstats.papers.streams import run_jobs, stream

__all__ = [
    "CHOSEN_BY",
    "LEARNERS",
    "Plan",
    "Runs",
    "mean_and_error",
    "run_selections",
    "split",
    "subsets",
]

CHOSEN_BY = ("sauc", "auc", "brier")
LEARNERS: Mapping[str, str] = {
    "J48": "c4.4",
    "Naive Bayes": "nb",
    "Logistic Regression": "logistic",
}
_CHUNK = 25  # repetitions to a random stream: part of what the numbers depend on
_TRIES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How models are made, chosen and judged.

    Attributes
    ----------
    repetitions : random splits
    train : share of the rows that train
    validation : shares of the other rows that choose; the rest tests
    models, removed : models of each learner, and attributes that each of them lacks
    learners : names as in `LEARNERS`
    at_most : repetitions after which a learner rests, for those that are slow
    """

    repetitions: int
    train: float = 0.5
    validation: tuple[float, ...] = (0.2,)
    models: int = 10
    removed: int = 3
    learners: tuple[str, ...] = tuple(LEARNERS)
    at_most: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runs:
    """What the repetitions on one data set gave.

    Attributes
    ----------
    test : (repetitions, learners, shares, measures) test AUC of the chosen model; nan where a
        learner rests
    clouds : (repetitions, learners, models, 3) validation AUC, validation sAUC and test AUC of
        every model, at the first share
    """

    test: Floats
    clouds: Floats


# label, data, plan, chunk, its size, seed, back end
Job = tuple[str, BenchSet, Plan, int, int, int, str]
Part = tuple[Floats, Floats]


def run_selections(
    sets: Mapping[str, BenchSet], plan: Plan, settings: Settings, what: str
) -> dict[str, Runs]:
    """Return the runs of every set; the same seed gives the same runs for any number of workers."""
    chunks = range(0, plan.repetitions, _CHUNK)
    jobs: list[Job] = [
        (
            *(label, data, plan, i, min(_CHUNK, plan.repetitions - start), settings.rng),
            settings.backend,
        )
        for label, data in sets.items()
        for i, start in enumerate(chunks)
    ]
    answers = list(run_jobs(_run_chunk, jobs, settings, what))
    found = {}
    for label in sets:
        parts = [part for job, part in zip(jobs, answers, strict=True) if job[0] == label]
        found[label] = Runs(
            test=np.concatenate([part[0] for part in parts]),
            clouds=np.concatenate([part[1] for part in parts]),
        )
    return found


def _run_chunk(job: Job) -> Part:
    label, data, plan, chunk, size, seed, backend = job
    words = ("selection", plan.train, plan.validation, label, chunk)
    rng = np.random.default_rng(stream(seed, *words))
    makers = [subset_scores(LEARNERS[name], data, backend=backend) for name in plan.learners]
    y = data.y.astype(np.float64)
    shares, count = len(plan.validation), len(plan.learners)
    test = np.full((size, count, shares, len(CHOSEN_BY)), np.nan)
    clouds = np.full((size, count, plan.models, 3), np.nan)
    for r in range(size):
        train, others = split(rng, y, plan)
        keep = subsets(rng, len(data.levels), plan)
        seeds = rng.integers(2**31, size=count)
        for i, scores_of in enumerate(makers):
            most = plan.at_most.get(plan.learners[i], plan.repetitions)
            if chunk * _CHUNK + r >= most:
                continue
            scores = scores_of(train, others, keep, int(seeds[i]))
            for s, share in enumerate(plan.validation):
                cut = _cut(others.size, share)
                chosen, areas, values = _choose(scores, y[others], cut)
                test[r, i, s] = areas[chosen]
                if s == 0:
                    clouds[r, i] = np.stack([values["auc"], values["sauc"], areas], axis=1)
    return test, clouds


def _choose(scores: Floats, labels: Floats, cut: int) -> tuple[Ints, Floats, Mapping[str, Floats]]:
    """Return the model that each measure chooses, all test AUCs and all validation values."""
    values = {m: MEASURES[m](scores[:, :cut], labels[None, :cut]) for m in CHOSEN_BY}
    areas = auc_rows(scores[:, cut:], labels[None, cut:])
    # equal up to the rounding of sums is equal, and the first of equals is a random one
    chosen = [int(np.argmax(np.round(values[m], 12))) for m in CHOSEN_BY]
    return np.array(chosen), areas, values


def _cut(size: int, share: float) -> int:
    return max(2, round(share * size))


def split(rng: np.random.Generator, y: Floats, plan: Plan) -> tuple[Ints, Ints]:
    """Return training and other rows; every part that is needed has both classes."""
    first = round(plan.train * y.size)
    for _ in range(_TRIES):
        order = rng.permutation(y.size)
        train, others = order[:first], order[first:]
        cuts = [_cut(others.size, share) for share in plan.validation]
        parts = [y[train], *(y[others][:c] for c in cuts), *(y[others][c:] for c in cuts)]
        if all(0.0 < part.mean() < 1.0 for part in parts):
            return train, others
    raise ValueError("No split has both classes in every part.")  # pragma: no cover


def subsets(rng: np.random.Generator, attributes: int, plan: Plan) -> Bools:
    """Return (models, attributes), False for those that a model lacks."""
    keep = np.ones((plan.models, attributes), dtype=np.bool_)
    removed = rng.permuted(np.tile(np.arange(attributes), (plan.models, 1)), axis=1)
    np.put_along_axis(keep, removed[:, : plan.removed], values=False, axis=1)
    return keep


def mean_and_error(values: Sequence[float] | Floats) -> tuple[float, float]:
    """Return the mean of repetitions and its Monte-Carlo standard error."""
    array = np.asarray(values, dtype=np.float64)
    if array.size < 2:
        return float(array.mean()), float("nan")
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(array.size))
