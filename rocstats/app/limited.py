"""A process within bounds: ``python -m rocstats.app.limited MEGABYTES WORDS...`` becomes Python.

The bounds hold for what it becomes and for whatever that starts. Where the system has no such
bounds (Windows) the app starts Python itself, and only the time is bounded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

__all__ = ["bounded_words", "main"]

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


def bounded_words(words: Sequence[str], megabytes: int | None) -> list[str]:
    """Return the call of Python that runs ``python WORDS`` within bounds."""
    # -P: the folder of a user's files is no place for modules.
    python = [sys.executable, "-P"]
    if os.name != "posix":
        return [*python, *words]
    return [*python, "-m", "rocstats.app.limited", str(megabytes or 0), *words]


def main(words: Sequence[str]) -> None:
    """Take the bounds, then become Python with the words after them."""
    import resource

    megabytes, *rest = words
    _die_with_the_app()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a dump would hold the data
    if int(megabytes):
        most = int(megabytes) * 2**20
        with suppress(ValueError, OSError):  # a system that bounds it further, or not at all
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
    os.execv(sys.executable, [sys.executable, "-P", *rest])


def _die_with_the_app() -> None:
    """Ask Linux to end this process when the thread that started it ends."""
    if sys.platform != "linux":
        return
    import ctypes
    import signal

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
