"""Chunks: resamples in portions of fixed size, each with a random stream of its own.

The streams depend on the seed alone, so any number of workers gives the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.errors import InvalidOptionError, ScoreRangeError, check_count, named
from rocstats.workers import progress, share_out

__all__ = [
    "DEFAULT_SEED",
    "Rng",
    "as_seed",
    "check_kind",
    "check_scale",
    "check_settings",
    "check_streams",
    "plain_entropy",
    "run_chunks",
]

DEFAULT_SEED = 1  # of every resampling and simulation that is given no rng, as of the command line
Rng = int | np.random.SeedSequence | np.random.Generator | None
Task = Callable[[int, np.random.Generator], NDArray[Any]]

_CHUNK = 64  # resamples to a random stream
_WORTH = 1.0  # seconds of work in one process for which starting others is worth it
_TURNS = 8  # portions of work for each worker, so that none is left waiting long


def check_settings(n_resamples: int, rng: Rng, n_jobs: int, *, fewest: int) -> None:
    """Refuse settings of a `Bootstrap` or a `Permutation` that cannot be meant."""
    check_count("n_resamples", n_resamples, least=fewest)
    check_streams(rng, n_jobs)


def check_streams(rng: Rng, n_jobs: int) -> None:
    """Refuse a seed or a number of workers that cannot be meant."""
    if not _is_integer(n_jobs) or n_jobs == 0:
        raise InvalidOptionError(
            f"{named('n_jobs')} must be a number of workers, or -1 for all cores, got {n_jobs!r}."
        )
    known = rng is None or isinstance(rng, (np.random.SeedSequence, np.random.Generator))
    if not known and not (_is_integer(rng) and rng >= 0):  # type: ignore[operator]
        raise InvalidOptionError(
            f"{named('rng')} must be None, a whole number from 0, a numpy SeedSequence or a numpy "
            f"Generator, got {rng!r}."
        )


def _is_integer(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def check_kind(name: str, value: object, *kinds: type) -> None:
    """Raise `InvalidOptionError` unless `value` is of one of the kinds."""
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise InvalidOptionError(f"{named(name)} must be a {wanted}, got {type(value).__name__}.")


def check_scale(size: float) -> None:
    """Refuse values whose squares leave the doubles."""
    if size and not 1e-140 < size < 1e140:
        raise ScoreRangeError(
            f"Values of about {size:.3g} cannot be resampled; multiply the scores by a constant."
        )


def as_seed(rng: Rng) -> np.random.SeedSequence:
    """Return the root of the random streams; a Generator is asked for it and moves on."""
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(2**63, size=2).tolist())
    return np.random.SeedSequence(rng)


def plain_entropy(seed: np.random.SeedSequence) -> int | list[int] | None:
    """Return what the streams of a seed grow from as built-in types."""
    entropy = seed.entropy
    if entropy is None or isinstance(entropy, (int, np.integer)):
        return None if entropy is None else int(entropy)
    return [int(word) for word in entropy]


def run_chunks(
    task: Task,
    n_resamples: int,
    seed: np.random.SeedSequence,
    *,
    n_jobs: int,
    title: str,
    in_threads: bool = False,
) -> NDArray[Any]:
    """Return ``task(size, generator)`` of every chunk, one after the other along the first axis.

    Workers are threads where the task asks for it, because it is C code that does not hold Python.
    Processes are started only where the first chunk, worked out here, says that they are worth it.
    """
    chunks = list(enumerate(min(_CHUNK, n_resamples - i) for i in range(0, n_resamples, _CHUNK)))
    work = partial(_work, task=task, seed=seed)
    with progress(n_resamples, title=title, unit="resample") as advance:
        found: list[NDArray[Any]] = []
        if n_jobs != 1 and not in_threads:
            begun = time.monotonic()
            found, chunks = work(chunks[:1]), chunks[1:]
            n_jobs = 1 if (time.monotonic() - begun) * len(chunks) < _WORTH else n_jobs
            advance(len(found[0]))
        step = _step(len(chunks), n_jobs)
        parts = [chunks[i : i + step] for i in range(0, len(chunks), step)]
        for part in share_out(work, parts, n_jobs, in_threads=in_threads):
            found += part
            advance(sum(len(values) for values in part))
    return np.concatenate(found)


def _step(n_chunks: int, n_jobs: int) -> int:
    """Return how many chunks go to a worker at a time."""
    if n_jobs == 1 or not n_chunks:
        return 1
    from joblib import effective_n_jobs  # type: ignore[import-untyped]

    return -(-n_chunks // (_TURNS * int(effective_n_jobs(n_jobs))))


def _work(
    chunks: Sequence[tuple[int, int]], task: Task, seed: np.random.SeedSequence
) -> list[NDArray[Any]]:
    return [task(size, np.random.default_rng(_child(seed, index))) for index, size in chunks]


def _child(seed: np.random.SeedSequence, index: int) -> np.random.SeedSequence:
    """Return the child that ``seed.spawn`` would give, without counting it."""
    return np.random.SeedSequence(
        seed.entropy, spawn_key=(*seed.spawn_key, index), pool_size=seed.pool_size
    )
