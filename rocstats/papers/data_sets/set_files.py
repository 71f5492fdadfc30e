"""Files of a folder: ARFF, KEEL, and plain text with commas or blanks, gzipped or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path

from rocstats.errors import InvalidSampleError
from rocstats.papers.data_sets.arff import read_arff, split_words
from rocstats.papers.data_sets.set_columns import Column, nominal_column, read_column

__all__ = ["find_file", "read_file", "read_lines", "stack"]


def find_file(folder: Path, name: str) -> Path | None:
    """Return the file in the folder or just below it, gzipped or not, whatever its case."""
    wanted = {name.lower(), f"{name.lower()}.gz"}
    for place in (folder, *(path for path in _inside(folder) if path.is_dir())):
        for path in _inside(place):
            if path.name.lower() in wanted and path.is_file():
                return path
    return None


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InvalidSampleError(f"The folder {folder} cannot be read: {error.strerror}.") from None


def read_file(path: Path, *, header: bool, nominal: Sequence[int] = ()) -> list[Column]:
    """Return the columns of a file; plain text needs to be told whether it has a header.

    Parameters
    ----------
    path : the file
    header : whether the first line of plain text has the names; they are V1, V2, ... if not
    nominal : columns of plain text (counted from 0) whose numbers are codes
    """
    lines = read_lines(path)
    kept = [line.strip() for line in lines if line.strip()]
    if any(line.lower().startswith("@") for line in kept if not line.startswith("%")):
        return read_arff(lines, path.name)
    commas = bool(kept) and "," in kept[-1]
    rows = [split_words(line) if commas else line.split() for line in kept]
    names = rows.pop(0) if header and rows else []
    if not rows:
        raise InvalidSampleError(f"{path.name} has no rows.")
    width = len(names or rows[0])
    for i, row in enumerate(rows, start=1):
        if len(row) != width:
            raise InvalidSampleError(
                f"{path.name}, row {i}: {width} values were expected, got {len(row)}."
            )
    names = names or [f"V{j + 1}" for j in range(width)]
    kinds = [nominal_column if j in nominal else read_column for j in range(width)]
    return [
        kind(name, words)
        for kind, name, words in zip(kinds, names, zip(*rows, strict=True), strict=True)
    ]


def stack(parts: Sequence[list[Column]], where: str) -> list[Column]:
    """Return the rows of several files with the same columns, one below the other."""
    if len({len(part) for part in parts}) != 1:
        raise InvalidSampleError(f"{where} have different numbers of attributes.")
    if len(parts) == 1:
        return parts[0]
    return [
        read_column(columns[0].name, [word for column in columns for word in column.words()])
        if not columns[0].levels
        else nominal_column(
            columns[0].name,
            [word for column in columns for word in column.words()],
            list(dict.fromkeys(level for column in columns for level in column.levels)),
        )
        for columns in zip(*parts, strict=True)
    ]


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file, gzipped or not."""
    try:
        raw = path.read_bytes()
        if path.suffix == ".gz":
            raw = gzip.decompress(raw)
        return raw.decode("utf-8-sig").splitlines()  # some editors put a mark in front
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidSampleError(f"{path.name} cannot be read: {error}.") from None
    except UnicodeDecodeError:
        raise InvalidSampleError(f"{path.name} is not a text file in UTF-8.") from None
