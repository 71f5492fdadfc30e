"""The log of an intake: what was repaired and what is asked, with the cells that are meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.errors import Sentence, shown

__all__ = [
    "MOST_RANGES",
    "Places",
    "Question",
    "Repair",
    "column_letters",
    "letters_place",
    "quoted",
    "row_ranges",
]

MOST_RANGES = 500  # ranges of cells that are listed of one repair; the count is always whole
_FEW = 3  # texts that a sentence quotes


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A repair of a file on its way in.

    Attributes
    ----------
    step : the kind of repair, one word or two
    column : the column that it touched, or None for the file
    n : how many cells or rows it touched
    cells : the cells as a spreadsheet names them ("C5:C9"), or rows ("12:14")
    sentence : what was done, in a sentence
    """

    step: str
    column: str | None = None
    n: int
    cells: tuple[str, ...] = ()
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return the repair as built-in types."""
        return {
            "step": self.step,
            "column": self.column,
            "n": self.n,
            "cells": list(self.cells),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a file leaves open, and only its owner knows.

    Attributes
    ----------
    step : the kind of question, one word or two
    column : the column that it is about, or None for the file
    n, cells : how many cells it is about, and which
    sentence : what is open and how to answer, in a sentence
    option : the option that answers it, or None where the file has to be mended
    answers : values of the option to choose from
    blocks : whether the column cannot be analysed as numbers before it is answered
    """

    step: str
    column: str | None = None
    n: int
    cells: tuple[str, ...] = ()
    sentence: Sentence
    option: str | None = None
    answers: tuple[str, ...] = ()
    blocks: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the question as built-in types."""
        return {
            "step": self.step,
            "column": self.column,
            "n": self.n,
            "cells": list(self.cells),
            "sentence": str(self.sentence),
            "option": self.option,
            "answers": list(self.answers),
            "blocks": self.blocks,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Where the cells of a table stand in its file.

    Attributes
    ----------
    rows : (N,) number of every row, the first row of the file is 1
    letters : letters of the columns by name; none for a file that is no sheet
    """

    rows: NDArray[np.intp]
    letters: dict[str, str]

    @classmethod
    def plain(cls, columns: Sequence[str], n: int, *, sheet: bool = True) -> Places:
        """Return the places of a table under a line of names, or of one that is no sheet."""
        letters = {name: column_letters(j) for j, name in enumerate(columns)} if sheet else {}
        return cls(rows=np.arange(n, dtype=np.intp) + (2 if sheet else 1), letters=letters)

    def cells(self, column: str, where: NDArray[np.bool_]) -> tuple[str, ...]:
        """Return the cells of a column that are meant, in ranges."""
        letter = self.letters.get(column)
        rows = self.rows[where].tolist()
        if letter is None:
            return tuple(f"row {text}" for text in _ranges(rows, ""))
        return _ranges(rows, letter)

    def cell(self, column: str, position: int) -> str:
        """Return one cell, as C5, or as row 4 where there are no letters."""
        letter = self.letters.get(column)
        row = int(self.rows[position])
        return f"row {row}" if letter is None else f"{letter}{row}"


def row_ranges(rows: Iterable[int]) -> tuple[str, ...]:
    """Return numbers of rows in ranges.

    Examples
    --------
    >>> row_ranges([3, 7, 8, 9])
    ('3', '7:9')
    """
    return _ranges(list(rows), "")


def _ranges(rows: Sequence[int], letter: str) -> tuple[str, ...]:
    if not rows:
        return ()
    numbers = np.asarray(rows)
    breaks = np.flatnonzero(np.diff(numbers) != 1)
    firsts = numbers[np.r_[0, breaks + 1]][:MOST_RANGES].tolist()
    lasts = numbers[np.r_[breaks, numbers.size - 1]][:MOST_RANGES].tolist()
    return tuple(
        f"{letter}{a}" if a == b else f"{letter}{a}:{letter}{b}"
        for a, b in zip(firsts, lasts, strict=True)
    )


def column_letters(place: int) -> str:
    """Return the letters of a column, the first is 0.

    Examples
    --------
    >>> column_letters(0), column_letters(27), column_letters(16383)
    ('A', 'AB', 'XFD')
    """
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def letters_place(letters: str) -> int:
    """Return the place of a column, the inverse of `column_letters`.

    Examples
    --------
    >>> letters_place("A"), letters_place("AB")
    (0, 27)
    """
    place = 0
    for letter in letters:
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def quoted(texts: Iterable[Any], most: int = _FEW) -> str:
    """Return a few texts in quotes, each once.

    Examples
    --------
    >>> quoted(["<0,05", "<0,05", "<0,1"])
    "'<0,05' and '<0,1'"
    """
    known = list(dict.fromkeys(map(str, texts)))
    said = [shown(text) for text in known[:most]]
    if len(known) > most:
        return ", ".join([*said, "..."])
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}" if said else ""
