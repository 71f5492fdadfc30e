"""Bounds: what a file may hold, asked before it is read, so that a small one cannot fill memory.

Of a file that says how much it holds it is checked here that as much came of it.
"""

from __future__ import annotations

from pathlib import Path

from rocstats.errors import InvalidSampleError

__all__ = [
    "MOST_BYTES",
    "MOST_CELLS",
    "MOST_COLUMNS",
    "MOST_UNSAID",
    "check_bytes",
    "check_rows",
    "check_size",
    "damaged",
]

MOST_CELLS = 100_000_000
MOST_UNSAID = 20_000_000  # cells of a file that does not say how many it has
MOST_COLUMNS = 100_000
MOST_BYTES = 2**30  # decompressed

_SMALLER = "save only the columns and rows to analyse to a .csv or .parquet file"


def check_size(path: Path, rows: int, columns: int, *, most: int | None = None) -> None:
    """Refuse more columns, or more cells, than are read of a file."""
    most = MOST_CELLS if most is None else most
    if columns > MOST_COLUMNS:
        raise InvalidSampleError(
            f"{path} has {columns:,} columns, and at most {MOST_COLUMNS:,} are read; {_SMALLER}."
        )
    if rows * columns > most:
        raise InvalidSampleError(
            f"{path} has {rows * columns:,} cells ({rows:,} rows of {columns:,} columns), and at "
            f"most {most:,} are read of such a file; {_SMALLER}."
        )


def check_bytes(path: Path, size: int, *, most: int | None = None) -> None:
    """Refuse more bytes, once decompressed, than are read of a file."""
    most = MOST_BYTES if most is None else most
    if size > most:
        raise InvalidSampleError(
            f"{path} decompresses to more than the {most / 2**20:,.0f} MB that are read of such "
            f"a file; {_SMALLER}."
        )


def check_rows(path: Path, promised: int | None, found: int) -> None:
    """Refuse a file that gave another number of rows than it promises."""
    if promised is not None and promised != found:
        raise damaged(path, f"it promises {promised:,} rows and {found:,} came of it")


def damaged(path: Path, why: str) -> InvalidSampleError:
    """Return the refusal of a file that is not whole."""
    return InvalidSampleError(f"{path} is cut off or damaged: {why}; get the file again.")
