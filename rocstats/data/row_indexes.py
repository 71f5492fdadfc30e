"""Columns that carry an index of their rows, as those of pandas do, belong together only by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rocstats.errors import InvalidSampleError

__all__ = ["check_same_rows", "with_names"]


def check_same_rows(columns: Iterable[tuple[str, Any]]) -> None:
    """Refuse columns of which two carry an index and the indexes differ, in order or in labels.

    Lists, arrays and columns of polars carry none; of unequal lengths others speak.
    """
    first: tuple[str, Any] | None = None
    for name, values in columns:
        index = None if values is None else _index(values)
        if index is None:
            continue
        if first is None:
            first = name, index
        elif len(first[1]) == len(index) and not first[1].equals(index):
            raise InvalidSampleError(
                f"{first[0]} and {name} have different indexes, so row by row they are not of the "
                f"same subjects; align them, as by {name}.loc[{first[0]}.index], or pass "
                ".to_numpy() of both to pair them by position."
            )


def with_names(values: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a mapping by their names, or the one column or frame by `name`."""
    if isinstance(values, Mapping):
        yield from ((str(key), column) for key, column in values.items())
    else:
        yield name, values


def _index(values: Any) -> Any:
    index = getattr(values, "index", None)  # of a list, a method
    return index if hasattr(index, "equals") else None
