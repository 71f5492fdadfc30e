"""The private folder of a running app: gone when it ends, and after a kill at the next start."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rocstats.data.held_folders import hold_new_folder
from rocstats.errors import InvalidOptionError

__all__ = ["PREFIX", "private_folder"]

PREFIX = "rocstats-app-"


@contextmanager
def private_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder that only this user can read; remove it, and what a killed app left."""
    parent = Path(tempfile.gettempdir()) if parent is None else parent
    try:
        folder, lock = hold_new_folder(parent, PREFIX)
    except OSError as reason:
        raise InvalidOptionError(
            f"The app keeps its files in {parent}, which cannot be used "
            f"({reason.strerror or reason}); name another folder by the variable TMPDIR."
        ) from None
    try:
        with lock:
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
