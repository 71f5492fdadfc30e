"""A private folder for what does not fit into memory, removed whatever becomes of the process."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rocstats.data.held_folders import hold_new_folder
from rocstats.errors import InvalidOptionError, keyword, named

__all__ = ["PREFIX", "Column", "SpillFolder"]

PREFIX = "rocstats-spill-"
_BUFFER = 2**20  # bytes that wait to be written


class SpillFolder:
    """A folder that only its owner can read, with a lock that the system opens when we end.

    It goes with the last reference to it and at the end of Python. A process that is killed leaves
    it; the next one that spills beside it finds the lock open, and removes it.
    """

    def __init__(self, parent: str | os.PathLike[str] | None = None) -> None:
        self.parent = Path(tempfile.gettempdir() if parent is None else parent)
        if not self.parent.is_dir():
            raise InvalidOptionError(
                f"{named('spill')} must be a folder for files of many distinct scores, and there "
                f"is none at {self.parent}."
            )
        with self.disk():
            self.path, lock = hold_new_folder(self.parent, PREFIX)
        self._made = 0
        self._files = [lock]
        self._end = weakref.finalize(self, _remove, self.path, self._files, os.getpid())

    @contextmanager
    def disk(self) -> Iterator[None]:
        """Say in a sentence what the disk refuses."""
        try:
            yield
        except OSError as error:
            raise InvalidOptionError(
                f"Many distinct scores are sorted in files in {self.parent}, which cannot be "
                f"written ({error.strerror or error}); name a folder with room by "
                f"{keyword('spill')}."
            ) from None

    def remove(self) -> None:
        """Remove the folder now."""
        self._end()

    def _new_path(self) -> Path:
        self._made += 1
        return self.path / f"{self._made}.bin"

    def column(self, dtype: DTypeLike) -> Column:
        """Return an empty file of values, to be written from its beginning to its end."""
        with self.disk():
            found = Column(self, self._new_path(), np.dtype(dtype))
        self._files.append(found.file)
        return found

    def empty(self, size: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """Return an array as `numpy.empty` does, in a file that goes with it."""
        if not size:
            return np.empty(0, dtype=dtype)
        path = self._new_path()
        with self.disk():
            with path.open("wb") as file:
                _reserve(file, size * np.dtype(dtype).itemsize)
            found = np.asarray(np.memmap(path, dtype=dtype, mode="r+", shape=(size,)))
            with suppress(OSError):  # Windows keeps an open file; it goes with the folder
                path.unlink()
        return found


class Column:
    """A file of values of one type."""

    def __init__(self, folder: SpillFolder, path: Path, dtype: np.dtype[Any]) -> None:
        self.folder, self.path, self.dtype = folder, path, dtype
        self.size = 0
        self.file: BinaryIO = path.open("wb", buffering=_BUFFER)

    def append(self, values: NDArray[Any]) -> None:
        """Write some values behind the others."""
        given = np.ascontiguousarray(values, dtype=self.dtype)
        with self.folder.disk():
            self.file.write(given.data)
        self.size += given.size

    def array(self) -> NDArray[Any]:
        """Return all values, mapped; nothing is written after."""
        with self.folder.disk():
            self.file.close()
            if not self.size:
                return np.empty(0, dtype=self.dtype)
            return np.asarray(np.memmap(self.path, dtype=self.dtype, mode="r"))

    def remove(self) -> None:
        """Give the room back."""
        with suppress(OSError):
            self.file.close()
            self.path.unlink()


def _reserve(file: BinaryIO, size: int) -> None:
    """Make the file so long; a full disk says so here, and not by a signal when pages are used."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for start in range(0, size, _BUFFER):
        file.write(bytes(min(_BUFFER, size - start)))


def _remove(path: Path, files: list[BinaryIO], owner: int) -> None:
    if os.getpid() != owner:  # a copy of the process by fork, which owns nothing
        return
    for file in files:
        with suppress(OSError):  # a disk may be too full for what still waits to be written
            file.close()
    shutil.rmtree(path, ignore_errors=True)
