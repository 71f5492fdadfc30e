"""Columns of a benchmark set: numbers with nan, or codes of named levels with -1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.errors import InvalidSampleError, listed
from rocstats.tables import by_number

__all__ = ["MISSING", "Column", "nominal_column", "numeric_column", "read_column"]

MISSING = frozenset({"?", "", "NA", "<null>"})

Word = str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """One attribute, or the class.

    Attributes
    ----------
    name : its name
    values : (n,) numbers, nan where missing; or codes, -1 where missing
    levels : what the codes stand for; empty for numbers
    """

    name: str
    values: Floats
    levels: tuple[str, ...] = ()

    @property
    def present(self) -> Bools:
        """(n,) whether a row has a value."""
        return self.values >= 0.0 if self.levels else ~np.isnan(self.values)

    def words(self) -> list[Word]:
        """Return every value as text, None where missing."""
        if self.levels:
            return [self.levels[int(code)] if code >= 0 else None for code in self.values]
        return [None if math.isnan(value) else f"{value:.12g}" for value in self.values]


def read_column(name: str, words: Sequence[Word]) -> Column:
    """Return a column of words: numbers if every word is one, else codes in sorted order."""
    try:
        return numeric_column(name, words)
    except InvalidSampleError:
        return nominal_column(name, words)


def numeric_column(name: str, words: Sequence[Word]) -> Column:
    """Return the numbers, or refuse a word that is none."""
    values = np.empty(len(words))
    for i, word in enumerate(words):
        try:
            values[i] = math.nan if word is None or word in MISSING else float(word)
        except ValueError:
            raise InvalidSampleError(
                f"Attribute {name} is numeric, but row {i + 1} has {word!r}."
            ) from None
    if np.isinf(values).any():
        raise InvalidSampleError(f"Attribute {name} holds an infinite number.")
    return Column(name=name, values=values)


def nominal_column(name: str, words: Sequence[Word], levels: Sequence[str] | None = None) -> Column:
    """Return the codes; a word that is none of the levels is refused."""
    present = [None if word is None or word in MISSING else word for word in words]
    if levels is None:
        levels = sorted({word for word in present if word is not None}, key=by_number)
    code = {level: float(i) for i, level in enumerate(levels)}
    for i, word in enumerate(present):
        if word is not None and word not in code:
            raise InvalidSampleError(
                f"Attribute {name} has the levels {listed(levels)}, but row {i + 1} has {word!r}."
            )
    values = np.array([-1.0 if word is None else code[word] for word in present])
    return Column(name=name, values=values, levels=tuple(levels))
