"""Work shared out to several cores, and progress shown while it lasts.

Nobody waits for workers that are gone: where they end before their work does, or where the thread
that hears of them dies, `LostWorkersError` says so.
"""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

from rocstats.errors import LostWorkersError, keyword, named

__all__ = ["progress", "share_out", "watched", "without_progress"]

Job = TypeVar("Job")
Answer = TypeVar("Answer")

_ROUND = 8  # jobs for each worker at first, where answers come only when all are there
_LOOK = 0.5  # seconds between two looks at the thread that hears of the workers
_LINE = 30.0  # seconds between two lines of progress in a log
_MANY = 10**6  # of what is done is shown in thousands or millions

# What says that workers are gone: loky's, dask's and Ray's errors, by name.
_GONE = {"TerminatedWorkerError", "KilledWorker", "RayActorError", "WorkerCrashedError"}
_REPLACED = "A worker stopped while some jobs were given to the executor"

_shown: ContextVar[bool] = ContextVar("progress is shown", default=True)


def share_out(
    function: Callable[[Job], Answer],
    jobs: Iterable[Job],
    n_jobs: int | None,
    *,
    ordered: bool = True,
    in_threads: bool = False,
) -> Generator[Answer, None, None]:
    """Yield the answer to every job, in the order of the jobs or as each is finished.

    Workers are processes, or threads where that is asked for and nobody chose a backend. One job
    or one worker needs no joblib. Closing the generator ends the workers. A backend of joblib that
    cannot hand over answers as they come is given the jobs in rounds.
    """
    jobs = list(jobs)
    if n_jobs == 1 or len(jobs) < 2:
        yield from map(function, jobs)
        return
    from joblib.parallel import (  # type: ignore[import-untyped]
        LokyBackend,
        MultiprocessingBackend,
        SequentialBackend,
        get_active_backend,
    )

    backend = get_active_backend()[0]
    blind = type(backend) is MultiprocessingBackend  # it never hears of a lost worker; loky does
    with _loss_in_one_sentence():
        if blind or isinstance(backend, SequentialBackend) or backend.supports_return_generator:
            chosen = "loky" if blind else None
            if in_threads and type(backend) is LokyBackend:
                chosen = "threading"
            yield from _as_they_come(function, jobs, n_jobs, ordered=ordered, backend=chosen)
        else:
            yield from _in_rounds(function, jobs, n_jobs)


def _as_they_come(
    function: Callable[[Job], Answer],
    jobs: Sequence[Job],
    n_jobs: int | None,
    *,
    ordered: bool,
    backend: str | None = None,
) -> Generator[Answer, None, None]:
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    _hush_loky()
    workers = Parallel(
        n_jobs=n_jobs,
        backend=backend,
        return_as="generator" if ordered else "generator_unordered",
    )
    with _deaf_children():
        answers = workers(delayed(_without_progress)(function, job) for job in jobs)
    try:
        with _overseen(workers):
            for answer in answers:  # noqa: UP028 (closed by hand)
                yield answer
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of jobs that are given up
            answers.close()


def _in_rounds(
    function: Callable[[Job], Answer], jobs: Sequence[Job], n_jobs: int | None
) -> Generator[Answer, None, None]:
    """Yield the answers when a round is over; rounds grow until they last."""
    from joblib import Parallel, delayed, effective_n_jobs

    size = _ROUND * max(1, int(effective_n_jobs(n_jobs)))
    start = 0
    while start < len(jobs):
        begun = time.monotonic()
        given = jobs[start : start + size]
        yield from Parallel(n_jobs=n_jobs)(delayed(_without_progress)(function, j) for j in given)
        start += size
        size *= 2 if time.monotonic() - begun < _LINE else 1


# ------------------------------------------------------------------------------ workers that go


@contextmanager
def _loss_in_one_sentence() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not any(kind.__name__ in _GONE for kind in type(error).__mro__):
            raise
        raise LostWorkersError(
            "A worker ended before its work was done, most often because the memory did not "
            f"suffice or because something killed it; ask for fewer workers by {named('n_jobs')}, "
            f"or for none beside this process by {keyword('n_jobs', 1)}."
        ) from error


@contextmanager
def _overseen(workers: Any) -> Iterator[None]:
    """Break a pool whose manager thread has died, as nobody else would end the wait for it."""
    pool = getattr(workers._backend, "_workers", None)
    if not hasattr(pool, "_executor_manager_thread"):
        yield
        return
    over = threading.Event()
    threading.Thread(target=_oversee, args=(pool, over), daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _oversee(pool: Any, over: threading.Event) -> None:
    from joblib.externals.loky.process_executor import (  # type: ignore[import-untyped]
        TerminatedWorkerError,
    )

    while not over.wait(_LOOK):
        manager = pool._executor_manager_thread
        if manager is not None and not manager.is_alive() and pool._pending_work_items:
            manager.terminate_broken(TerminatedWorkerError("The manager of the workers died."))
            return


class _Hushed:
    """The module `warnings` as loky sees it, without the warning that its manager can die of.

    A worker that has been idle ends while a job comes; the pool starts another and no job is lost.
    It warns of that from the very thread that is to start the other, and where warnings are
    errors that thread dies before. Filters belong to the user, and other threads change them.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(warnings, name)

    def warn(self, message: Any, category: Any = None, stacklevel: int = 1) -> None:
        if not str(message).startswith(_REPLACED):
            warnings.warn(message, category, stacklevel + 1)


def _hush_loky() -> None:
    from joblib.externals.loky import process_executor  # type: ignore[import-untyped]

    process_executor.warnings = _Hushed()


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


# ------------------------------------------------------------------------------ progress


@contextmanager
def progress(
    total: int | None, finished: int = 0, *, title: str, unit: str
) -> Iterator[Callable[[int], object]]:
    """Show progress, if the work lasts: a bar on a terminal, a line now and then in a log.

    Where the total is None, nobody knows it, and what is done is shown alone.
    """
    if sys.stderr is None or not _shown.get():
        yield lambda done: None
    elif not sys.stderr.isatty():
        yield _log(total, finished, title, unit)
    else:
        from tqdm import tqdm  # type: ignore[import-untyped]

        with tqdm(
            total=total,
            initial=finished,
            desc=title,
            unit=unit,
            unit_scale=total is None or total >= _MANY,  # 3.2M
            delay=1.0,
            leave=False,
        ) as bar:
            yield bar.update


def _log(total: int | None, finished: int, title: str, unit: str) -> Callable[[int], None]:
    """Return what says on stderr, at most every half a minute, how much of the work is done."""
    start = said = time.monotonic()
    done = finished

    def advance(more: int) -> None:
        nonlocal done, said
        done += more
        now = time.monotonic()
        if now - said < _LINE or not finished < done < (math.inf if total is None else total):
            return
        said = now
        far, left = str(done), ""
        if total is not None:
            far = f"{done} of {total}"
            left = f", about {_clock((now - start) * (total - done) / (done - finished))} to go"
        line = f"rocstats: {title}, {far} {unit}s after {_clock(now - start)}{left}"
        with suppress(OSError, ValueError):  # a log that cannot be written stops no work
            print(line, file=sys.stderr, flush=True)

    return advance


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def without_progress() -> Iterator[None]:
    """Keep the progress of the work inside to oneself."""
    before = _shown.set(False)
    try:
        yield
    finally:
        _shown.reset(before)


def _without_progress(function: Callable[[Job], Answer], job: Job) -> Answer:
    with without_progress():
        return function(job)


def watched(
    jobs: Iterable[Job],
    *,
    title: str,
    unit: str,
    total: int | None = None,
    size: Callable[[Job], int] = lambda job: 1,
) -> Iterator[Job]:
    """Yield the jobs one by one, and show how much is done: each job has so many units."""
    if total is None and isinstance(jobs, Sequence):
        total = sum(map(size, jobs))
    with progress(total, title=title, unit=unit) as advance:
        for job in jobs:
            yield job
            advance(size(job))
