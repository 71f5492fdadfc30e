"""One column on its way in: its distinct cells, how often and where each stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.data.intake.intake_log import Places, Question, Repair
from rocstats.data.intake.number_cells import KEPT, Reading, clean, read_cell
from rocstats.errors import InvalidSampleError, counted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Change", "ColumnCells", "cells_of", "number_columns"]

_HEAD = 1000  # cells that tell whether a long column of many words is looked into
_RATED = re.compile(r"(\d{1,3})(?:\s*[=:]\s*|[.)]\s+|\s+[-\N{EN DASH}]\s+|\s+(?=\())(\(?[^\W\d].*)")
_OPEN_END = re.compile(r"(\d+)\s?\+")  # 89+
_FLAGGED = re.compile(r"(.*\d)\s?(?:\(?(?:HH?|LL?)\)?|[\N{UPWARDS ARROW}\N{DOWNWARDS ARROW}]+)")
_TITRE = re.compile(r"((?:[<>\u2264\u2265]=?)?) ?1 ?: ?([1-9]\d*)")  # 1:160
_MINUTES = 60  # 1:59 may be a time, and 1:80 cannot
_LEAST_BESIDE = 5  # numbers beside an open end such as 89+
_FEW = 20  # classes that a column of labels has at most
_CELLS = 2**22  # that are looked at together


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnCells:
    """The distinct cells of a column.

    Attributes
    ----------
    name : of the column
    series : as it was read
    distinct : every cell that is not missing, once, in the order of the file
    codes : (N,) the place of every cell among them, -1 where it is missing
    readings : what each distinct cell says as a number
    places : where the cells stand in the file
    """

    name: str
    series: pd.Series[Any]
    distinct: list[Any]
    codes: NDArray[np.intp]
    readings: list[Reading]
    places: Places

    def counts(self) -> NDArray[np.intp]:
        """Return how often each distinct cell is there."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.distinct))

    def where(self, chosen: Iterable[int]) -> NDArray[np.bool_]:
        """Return (N,) which cells are among the distinct ones that were chosen."""
        mask = np.zeros(len(self.distinct) + 1, dtype=np.bool_)  # the last one is for missing
        mask[list(chosen)] = True
        found: NDArray[np.bool_] = mask[self.codes]
        return found

    def n_cells(self, chosen: Iterable[int]) -> int:
        """Return how many cells are among the distinct ones that were chosen."""
        return int(np.count_nonzero(self.where(chosen)))

    def repair(self, step: str, chosen: Iterable[int], noun: str, done: str) -> Repair:
        """Return the log of a repair of distinct cells: so many of a noun, and what was done."""
        where = self.where(chosen)
        n = int(np.count_nonzero(where))
        return Repair(
            step=step,
            column=self.name,
            n=n,
            cells=self.places.cells(self.name, where),
            sentence=f"{self.name}: {counted(n, noun)} {done}.",
        )

    def first(self, chosen: Iterable[int]) -> str:
        """Return where the first of these distinct cells stands, as C5."""
        return self.places.cell(self.name, int(np.flatnonzero(self.where(chosen))[0]))

    def ask(
        self,
        step: str,
        chosen: Iterable[int],
        refusal: InvalidSampleError,
        *,
        option: str | None = None,
        answers: tuple[str, ...] = (),
    ) -> Question:
        """Return a question about these distinct cells; unanswered it is the refusal."""
        where = self.where(chosen)
        return Question(
            step=step,
            column=self.name,
            n=int(np.count_nonzero(where)),
            cells=self.places.cells(self.name, where),
            sentence=refusal.sentence,
            option=option,
            answers=answers,
            blocks=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Change:
    """What a step made of a column: its new values, if they changed, and the log of it."""

    series: pd.Series[Any] | None = None
    repairs: tuple[Repair, ...] = ()
    questions: tuple[Question, ...] = ()
    unit: str = ""


def number_columns(frame: pd.DataFrame, kinds: str) -> Iterator[tuple[pd.Index[Any], Floats]]:
    """Yield columns of numbers of some kinds, many at once: their names, and (N, columns) cells.

    A table may have a hundred thousand, and one by one they take long.
    """
    told = [dtype.kind if isinstance(dtype, np.dtype) else "" for dtype in frame.dtypes]
    chosen = np.flatnonzero([kind != "" and kind in kinds for kind in told])
    step = max(_CELLS // max(len(frame), 1), 1)
    for k in range(0, chosen.size if len(frame) else 0, step):
        some = chosen[k : k + step]
        yield frame.columns[some], frame.iloc[:, some].to_numpy(dtype=np.float64)


def cells_of(
    name: str, series: pd.Series[Any], places: Places, kept: Collection[str] = ()
) -> ColumnCells | None:
    """Return the distinct cells of a column of texts, or None where there is nothing to look at.

    A long column of many words, as of remarks, is left alone. Cells to be kept are words.
    """
    import pandas as pd

    if series.dtype.kind in "biufcmM" or isinstance(series.dtype, pd.CategoricalDtype):
        return None
    try:
        head = series.iloc[:_HEAD].dropna().unique().tolist()
        words = sum(read_cell(cell).kind == "word" for cell in head)
        if words > _FEW and 2 * words > len(head):
            return None
        codes, distinct = pd.factorize(series)
    except TypeError:  # lists and the like
        return None
    cells = [cell.item() if isinstance(cell, np.generic) else cell for cell in list(distinct)]
    return ColumnCells(
        name=name,
        series=series,
        distinct=cells,
        codes=codes,
        readings=_readings(name, cells, kept),
        places=places,
    )


def _readings(name: str, cells: Sequence[Any], kept: Collection[str]) -> list[Reading]:
    """Return what cells say, beside each other: a word may be a rating with its number."""
    found = [KEPT if str(cell).strip() in kept else read_cell(cell) for cell in cells]
    words = [i for i, r in enumerate(found) if r.kind == "word" and isinstance(cells[i], str)]
    numbered = any(reading.kind == "number" and reading.plain for reading in found)
    for i in words if numbered else ():  # alone they may be ids: reader 1, reader 2
        rest = _without_name(clean(cells[i]), name)
        number = read_cell(rest) if rest else KEPT
        if number.kind == "number" and not number.unit:
            found[i] = replace(number, plain=False, beside="words of a scale")
    for made in (_flagged, _titres, _ratings, _open_end):
        for i, value in made(cells, found).items():
            found[i] = value
    return found


def _without_name(text: str, name: str) -> str:
    """Return what stands apart behind the name of the column: 4 of "PI-RADS 4"."""
    own = clean(name).casefold()
    rest = text[len(own) :] if text.casefold().startswith(own) else ""
    return rest.lstrip(" :=") if rest[:1] in (" ", ":", "=") else ""


def _flagged(cells: Sequence[Any], found: Sequence[Reading]) -> dict[int, Reading]:
    """Return numbers with the flag of a laboratory, as 59 H, beside others without it.

    L alone behind most of the numbers is litres.
    """
    read: dict[int, Reading] = {}
    litres = True
    for i, reading in enumerate(found):
        parts = _FLAGGED.fullmatch(clean(cells[i])) if isinstance(cells[i], str) else None
        number = read_cell(parts[1]) if parts is not None else KEPT
        if number.kind in ("number", "below", "above") and not number.unit:
            read[i] = replace(number, plain=False, beside="flags")
            litres = litres and reading.unit == "L"
    bare = sum(r.kind == "number" and i not in read for i, r in enumerate(found))
    return read if bare > (len(read) if litres else 0) else {}


def _titres(cells: Sequence[Any], found: Sequence[Reading]) -> dict[int, Reading]:
    """Return titres such as 1:160 as their dilution, where every cell is one."""
    read: dict[int, Reading] = {}
    for i, reading in enumerate(found):
        if reading.kind in ("missing", "kept"):
            continue
        parts = _TITRE.fullmatch(clean(cells[i])) if isinstance(cells[i], str) else None
        if parts is None:
            return {}
        read[i] = replace(read_cell(parts[1] + parts[2]), plain=False, beside="titres")
    return read if any(r.value >= _MINUTES for r in read.values()) else {}


def _ratings(cells: Sequence[Any], found: Sequence[Reading]) -> dict[int, Reading]:
    """Return ratings such as "4 - probable" as their numbers, where all cells are ratings."""
    rated: dict[int, Reading] = {}
    said: dict[float, str] = {}
    for i, reading in enumerate(found):
        if reading.kind in ("missing", "kept") or (reading.kind == "number" and reading.plain):
            continue
        parts = _RATED.fullmatch(clean(cells[i])) if isinstance(cells[i], str) else None
        if parts is None:
            return {}
        value, word = float(parts[1]), parts[2].casefold()
        if said.setdefault(value, word) != word:
            return {}
        rated[i] = Reading(kind="number", value=value, beside="words of a scale")
    return rated if len(said) > 1 and len(set(said.values())) == len(said) else {}


def _open_end(cells: Sequence[Any], found: Sequence[Reading]) -> dict[int, Reading]:
    """Return 89+ as above 89, where it is the only such cell and nothing lies above it."""
    ends = {
        i: float(end[1])
        for i, cell in enumerate(cells)
        if isinstance(cell, str) and (end := _OPEN_END.fullmatch(clean(cell))) is not None
    }
    numbers = [r.value for r in found if r.kind == "number"]
    if len(ends) != 1 or len(numbers) < _LEAST_BESIDE:
        return {}
    ((i, value),) = ends.items()
    return {i: Reading(kind="above", value=value)} if max(numbers) <= value else {}
