"""Private folders, each held by a lock while its process lives; those of the dead are removed."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["hold_new_folder", "remove_dead_folders"]

_LOCK = "lock"
_YOUNG = 3600.0  # seconds within which a folder without a lock may still get one


def hold_new_folder(parent: Path, prefix: str) -> tuple[Path, BinaryIO]:
    """Return a new folder that only this user can read, and its lock, to be closed at the end.

    The system lets go of the lock however a process ends. What killed ones left is removed here.
    """
    remove_dead_folders(parent, prefix)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))  # with the rights 0700
        lock = (folder / _LOCK).open("ab")
        try:
            if _take(lock) and (folder / _LOCK).exists():  # else another was faster, and removes it
                lock.write(str(os.getpid()).encode())
                lock.flush()
                return folder, lock
        except OSError:
            lock.close()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        lock.close()


def remove_dead_folders(parent: Path, prefix: str) -> list[Path]:
    """Remove what killed processes of this user left, and return it; a held lock is let alone."""
    gone = []
    for folder in parent.glob(f"{prefix}*"):
        with suppress(OSError):
            if _is_ours(folder) and _remove_dead(folder):
                gone.append(folder)
    return gone


def _is_ours(folder: Path) -> bool:
    """Return whether it is a folder of this user, and no link to another place."""
    status = folder.lstat()
    owner = getattr(os, "getuid", lambda: status.st_uid)()
    return folder.is_dir() and not folder.is_symlink() and status.st_uid == owner


def _remove_dead(folder: Path) -> bool:
    """Remove a folder that nobody holds; return whether nobody did."""
    try:
        with (folder / _LOCK).open("r+b") as lock:
            if not _take(lock):
                return False
            shutil.rmtree(folder, ignore_errors=True)
    except FileNotFoundError:  # killed before it could lock, or just begun
        if time.time() - folder.stat().st_mtime <= _YOUNG:
            return False
    shutil.rmtree(folder, ignore_errors=True)  # Windows keeps a lock that is open
    return True


def _take(lock: BinaryIO) -> bool:
    """Return whether nobody else holds the lock; it is ours then, until the file is closed."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # of Linux and macOS, of Windows
        return False
    return True
