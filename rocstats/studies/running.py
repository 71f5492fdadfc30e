"""Running a study: chunks of replicates on any joblib backend, each with its own random stream."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import LostWorkersError, RocstatsWarning, warn_user
from rocstats.resampling.chunks import plain_entropy
from rocstats.studies.batch_tests import Test, batch_of_test, test_name
from rocstats.studies.checkpoint import Checkpoint
from rocstats.studies.designs import TwoSampleDesign
from rocstats.workers import progress, share_out

__all__ = ["InterruptedStudyWarning", "run_designs"]

_CHUNK = 250  # replicates to a random stream: part of what the numbers depend on

Chunk = tuple[TwoSampleDesign, int, int]  # design, number of the chunk, replicates in it


class InterruptedStudyWarning(RocstatsWarning):
    """A study was stopped: some of its replicates are missing.

    Run the same call again with the same folder: it goes on where it stopped.
    """


def run_designs(
    designs: Sequence[TwoSampleDesign],
    tests: Sequence[Test],
    *,
    alternative: str,
    n_replicates: int,
    seed: np.random.SeedSequence,
    n_jobs: int | None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> dict[TwoSampleDesign, Floats]:
    """Return the (tests, replicates) p-values of every design that has any.

    All designs advance together, so a study that is stopped has fewer replicates of each rather
    than fewer designs. The streams depend on seed, design and chunk alone.
    """
    cells = list(dict.fromkeys(designs))
    sizes = [min(_CHUNK, n_replicates - i) for i in range(0, n_replicates, _CHUNK)]
    todo: list[Chunk] = [(cell, i, size) for i, size in enumerate(sizes) for cell in cells]
    done: dict[tuple[str, int], Floats] = {}
    file = None
    if checkpoint is not None:
        file = Checkpoint(checkpoint, _request(tests, alternative, seed))
        done = {
            (cell.digest, i): file.finished[cell.digest, i]
            for cell, i, size in todo
            if file.finished.get((cell.digest, i), np.empty((0, 0))).shape == (len(tests), size)
        }
    todo = [chunk for chunk in todo if (chunk[0].digest, chunk[1]) not in done]
    total = len(cells) * n_replicates
    earlier = total - sum(size for _, _, size in todo)
    simulate = partial(_simulate, tests=tests, alternative=alternative, seed=seed)
    work = share_out(simulate, todo, n_jobs, ordered=False)
    try:
        with progress(total, earlier, title="study", unit="replicate") as advance:
            for key, pvalues in work:
                done[key] = pvalues
                if file is not None:
                    file.add(key, pvalues)
                advance(pvalues.shape[1])
    except KeyboardInterrupt:
        finished = sum(values.shape[1] for values in done.values())
        if not finished:
            raise
        warn_user(
            f"The study was interrupted after {finished} of {total} replicates; the answer rests "
            "on those" + ("." if file is None else f", and {file.path} keeps them."),
            InterruptedStudyWarning,
        )
    except LostWorkersError as error:
        if file is None:
            raise
        kept = f"; {file.path} keeps the replicates that are finished."
        raise LostWorkersError(error.sentence.marked.removesuffix(".") + kept) from error
    finally:
        work.close()
    found = {}
    for cell in cells:
        parts = [done[cell.digest, i] for i in range(len(sizes)) if (cell.digest, i) in done]
        if parts:
            found[cell] = np.concatenate(parts, axis=1)
    return found


def _request(
    tests: Sequence[Test], alternative: str, seed: np.random.SeedSequence
) -> dict[str, Any]:
    """Return what a chunk's p-values depend on besides its design and number."""
    from rocstats import __version__

    return {
        "study": "two-sample power",
        "version": __version__,
        "tests": [test_name(test) for test in tests],
        "alternative": alternative,
        "entropy": plain_entropy(seed),
        "spawn_key": list(seed.spawn_key),
        "chunk": _CHUNK,
    }


def _simulate(
    chunk: Chunk, tests: Sequence[Test], alternative: str, seed: np.random.SeedSequence
) -> tuple[tuple[str, int], Floats]:
    """Return the p-values of a chunk; relabelings have a stream of their own beside the data's."""
    design, index, size = chunk
    data, relabelings = _stream(seed, design, index).spawn(2)
    x, y = design.draw(np.random.default_rng(data), size)
    pvalues = [
        batch_of_test(test, x, y, alternative=alternative, rng=np.random.default_rng(relabelings))
        for test in tests
    ]
    return (design.digest, index), np.array(pvalues)


def _stream(
    seed: np.random.SeedSequence, design: TwoSampleDesign, index: int
) -> np.random.SeedSequence:
    """Return the child of the seed for a chunk, whatever other designs there are."""
    words = [int(design.digest[i : i + 8], 16) for i in (0, 8, 16, 24)]
    return np.random.SeedSequence(
        seed.entropy, spawn_key=(*seed.spawn_key, *words, index), pool_size=seed.pool_size
    )
