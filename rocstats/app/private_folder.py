"""The private folder of a running app: gone when it ends, and after a kill at the next start."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

__all__ = ["private_folder", "sweep"]

_PREFIX = "rocstats-app-"
_LOCK = "in-use"


@contextmanager
def private_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder that only this user can read; remove it, and what a killed app left."""
    parent = Path(tempfile.gettempdir()) if parent is None else parent
    sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))  # with the rights 0700
    try:
        with (folder / _LOCK).open("wb") as held:
            _lock(held)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(parent: Path) -> list[Path]:
    """Remove the folders of apps that no longer run; return them."""
    gone = []
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_mine(folder) and not _is_in_use(folder):
                shutil.rmtree(folder, ignore_errors=True)
                gone.append(folder)
    return gone


def _is_mine(folder: Path) -> bool:
    """Whether it is a folder of this user, and no link to another place."""
    status = folder.lstat()
    owner = getattr(os, "getuid", lambda: status.st_uid)()
    return folder.is_dir() and not folder.is_symlink() and status.st_uid == owner


def _is_in_use(folder: Path) -> bool:
    """Whether a running app holds the lock; the system lets go of it however an app ends."""
    lock = folder / _LOCK
    try:
        with lock.open("r+b") as file:
            _lock(file)
    except FileNotFoundError:
        return False  # killed before it could lock, or while it removed its folder
    except OSError:
        return True
    return False


def _lock(file: IO[bytes]) -> None:
    """Lock a file, or raise OSError where another process has it."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
