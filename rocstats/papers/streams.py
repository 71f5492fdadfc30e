"""Random streams by name, work on several cores in a fixed order, and hashes of arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from rocstats.papers.paper import Settings
from rocstats.workers import progress, share_out

__all__ = ["run_jobs", "sha256_of", "stream"]

Job = TypeVar("Job")
Answer = TypeVar("Answer")


def stream(seed: int, *words: object) -> np.random.SeedSequence:
    """Return the seed of a part of a run, whatever its other parts and their order are."""
    digest = hashlib.sha256("\n".join(str(word) for word in words).encode()).digest()
    key = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
    return np.random.SeedSequence(seed, spawn_key=key)


def sha256_of(*arrays: Any) -> str:
    """Return the hash of arrays: their kinds, shapes and values."""
    digest = hashlib.sha256()
    for given in arrays:
        array = np.ascontiguousarray(given)
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def run_jobs(
    function: Callable[[Job], Answer], jobs: Sequence[Job], settings: Settings, what: str
) -> Iterator[Answer]:
    """Yield the answers in the order of the jobs, from as many workers as were asked for."""
    with progress(len(jobs), title=what, unit="job") as advance:
        for answer in share_out(function, jobs, settings.n_jobs):
            advance(1)
            yield answer
