"""Pairs of random lists, compared by two criteria."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats, Ints
from rocstats.consistency.draws import RandomLists
from rocstats.consistency.list_batches import Batch
from rocstats.consistency.list_criteria import CRITERIA, Criterion
from rocstats.consistency.pair_counts import PairCounts, count_signs, signs_of
from rocstats.errors import InvalidOptionError, InvalidSampleError, ScoreRangeError
from rocstats.resampling.chunks import run_chunks

__all__ = ["count_random", "measure_lists"]


def count_random(
    f: Criterion,
    g: Criterion,
    lists: RandomLists,
    *,
    n_pairs: int,
    seed: np.random.SeedSequence,
    n_jobs: int,
    tolerance: float,
) -> PairCounts:
    """Draw pairs of lists and count them."""

    def task(size: int, rng: np.random.Generator) -> NDArray[np.int8]:
        labels, scores = _drawn(lists, 2 * size, rng)
        return np.stack(
            [_signs(measure, labels, scores, lists.n_classes, tolerance) for measure in (f, g)],
            axis=1,
        )

    for measure in (f, g):
        _batch_of(measure, lists.n_classes)
    signs = run_chunks(task, n_pairs, seed, n_jobs=n_jobs, title="pairs of lists")
    return count_signs(signs[:, 0], signs[:, 1])


def measure_lists(measure: Criterion, labels: Ints, scores: Floats, n_classes: int) -> Floats:
    """Return a criterion's values of many lists, the higher the better."""
    if measure.unit_scores and not (scores.min() >= 0.0 and scores.max() <= 1.0):
        raise ScoreRangeError(
            f"{measure.label} needs scores from 0 to 1, got {scores.min():.4g} to "
            f"{scores.max():.4g}; rescale them."
        )
    values = np.asarray(_batch_of(measure, n_classes)(labels, scores), dtype=np.float64)
    if values.shape != (len(labels),) or np.isnan(values).any():
        raise InvalidOptionError(
            f"The measure {measure.name} must return a number for each of the {len(labels)} lists; "
            f"it returned an array of shape {values.shape}, or nan."
        )
    return values if measure.higher_is_better else -values


def _signs(
    measure: Criterion, labels: Ints, scores: Floats, n_classes: int, tolerance: float
) -> NDArray[np.int8]:
    values = measure_lists(measure, labels, scores, n_classes)
    half = len(values) // 2
    return signs_of(values[:half], values[half:], tolerance)


def _batch_of(measure: Criterion, n_classes: int) -> Batch:
    found = measure.scored if n_classes == 2 else measure.classes
    if found is None:
        fit = [c.name for c in CRITERIA.values() if (c.classes if n_classes > 2 else c.scored)]
        raise InvalidOptionError(
            f"{measure.label} is not there for lists of {n_classes} classes; take one of "
            f"{', '.join(fit)}, or a function of labels and scores."
        )
    return found


def _drawn(lists: RandomLists, size: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Return lists as a user's function may have drawn them, checked."""
    drawn = lists.draw(size, rng)
    labels, scores = np.asarray(drawn[0]), np.asarray(drawn[1], dtype=np.float64)
    shape = (size, labels.shape[-1]) + ((lists.n_classes,) if lists.n_classes > 2 else ())
    if labels.shape != shape[:2] or scores.shape != shape or not np.isfinite(scores).all():
        raise InvalidSampleError(
            f"{lists.name}: draw({size}, rng) must return labels of shape ({size}, n) and finite "
            f"scores of shape {('(B, n)', '(B, n, n_classes)')[lists.n_classes > 2]}, got "
            f"{labels.shape} and {scores.shape}."
        )
    known = np.arange(lists.n_classes)
    if not all(bool((labels == c).any(axis=1).all()) for c in known.tolist()):
        raise InvalidSampleError(
            f"{lists.name}: every list must hold every class, labelled 0 to {lists.n_classes - 1}."
        )
    if not np.isin(labels, known).all():
        raise InvalidSampleError(
            f"{lists.name}: labels must be whole numbers from 0 to {lists.n_classes - 1}."
        )
    return labels.astype(np.int64), scores
