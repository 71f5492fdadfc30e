"""Work shared out to several cores, and progress shown on a terminal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["progress", "share_out", "watched"]

Job = TypeVar("Job")
Answer = TypeVar("Answer")


def share_out(
    function: Callable[[Job], Answer],
    jobs: Iterable[Job],
    n_jobs: int | None,
    *,
    ordered: bool = True,
) -> Generator[Answer, None, None]:
    """Yield the answer to every job, in the order of the jobs or as each is finished.

    One job or one worker needs no joblib. Closing the generator ends the workers.
    """
    jobs = list(jobs)
    if n_jobs == 1 or len(jobs) < 2:
        yield from map(function, jobs)
        return
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    workers = Parallel(n_jobs=n_jobs, return_as="generator" if ordered else "generator_unordered")
    with _deaf_children():
        answers = workers(delayed(function)(job) for job in jobs)
    yield from answers


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that never hear Ctrl-C.

    A terminal interrupts every process of the command. The parent answers for all and ends its
    workers; a worker that answered for itself would print a traceback. Processes and threads keep
    the mask they are started with. An interrupt that comes meanwhile waits. The trackers of
    shared memory that Python and joblib start with the first worker come before, because they
    lift the mask.
    """
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import (  # type: ignore[import-untyped]
        resource_tracker as loky_tracker,
    )

    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()
    loky_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def progress(
    total: int, finished: int = 0, *, title: str, unit: str
) -> Iterator[Callable[[int], object]]:
    """Show progress on a terminal, if the work lasts; nothing anywhere else."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    from tqdm import tqdm  # type: ignore[import-untyped]

    with tqdm(total=total, initial=finished, desc=title, unit=unit, delay=1.0, leave=False) as bar:
        yield bar.update


def watched(jobs: Sequence[Job], *, title: str, unit: str) -> Iterator[Job]:
    """Yield the jobs one by one, and show how many are done."""
    with progress(len(jobs), title=title, unit=unit) as advance:
        for job in jobs:
            yield job
            advance(1)
