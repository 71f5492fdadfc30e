"""What a workbook shows otherwise than it stores: merged cells are filled, the rest is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.intake.intake_log import (
    Places,
    Question,
    Repair,
    column_letters,
    quoted,
    row_ranges,
)
from rocstats.data.intake.layouts import Layout
from rocstats.data.intake.number_cells import is_blank, read_cell
from rocstats.data.reading.sheet_frames import Stored
from rocstats.errors import InvalidSampleError, counted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["as_shown", "looks_plain"]

_NUMERIC = ("number", "below", "above")
_MOST_FILLED = 20_000_000


def looks_plain(stored: Stored) -> bool:
    """Whether a sheet shows nothing beside what it stores."""
    looks = stored.looks
    told = (looks.percent, looks.worded, looks.struck, looks.raised, looks.hidden, looks.merged)
    return not any(told)


class _Sheet:
    """The data of a sheet: its cells as they are stored, by the names of the frame."""

    def __init__(self, cells: Sequence[Sequence[Any]], layout: Layout) -> None:
        self.layout = layout
        self.rows = np.array(layout.rows, dtype=np.intp) + 1
        self.numbers = dict(zip(layout.names, (j + 1 for j in layout.columns), strict=True))
        self._cells = cells

    def stored(self, name: str) -> list[Any]:
        j = self.numbers[name] - 1
        rows = (self._cells[i] for i in self.layout.rows)
        return [row[j] if j < len(row) else None for row in rows]

    def among(self, name: str, places: dict[int, list[int]]) -> NDArray[np.bool_]:
        """Return which rows of the data are among those of a column."""
        found: NDArray[np.bool_] = np.isin(self.rows, places.get(self.numbers[name], ()))
        return found

    def places(self, name: str) -> Places:
        return Places(rows=self.rows, letters={name: column_letters(self.numbers[name] - 1)})

    def ask(
        self, step: str, name: str, where: NDArray[np.bool_], said: str, *, blocks: bool = True
    ) -> Question:
        """Return a question about cells; {n}, {first} and {text} stand for them."""
        places = self.places(name)
        first = int(np.flatnonzero(where)[0])
        n = int(np.count_nonzero(where))
        told = said.format(
            name=name,
            n=counted(n, "cell"),
            first=places.cell(name, first),
            text=quoted([self.stored(name)[first]]),
        )
        return Question(
            step=step,
            column=name,
            n=n,
            cells=places.cells(name, where),
            sentence=InvalidSampleError(told).sentence,
            blocks=blocks,
        )


def as_shown(
    cells: Sequence[Sequence[Any]], layout: Layout, frame: pd.DataFrame, stored: Stored
) -> tuple[pd.DataFrame, list[Repair], list[Question]]:
    """Return a frame with merged cells filled and percents as they are shown, and what is asked."""
    sheet = _Sheet(cells, layout)
    looks = stored.looks
    frame, repairs = _with_merged_cells(sheet, frame, stored)
    questions = _asked_of_rows(sheet, stored)
    changed: dict[str, Any] = {}
    for name in layout.names:
        numeric = frame[name].dtype.kind in "iuf"
        if numeric and stored.truths.get(sheet.numbers[name]):
            where = np.array([isinstance(c, bool) for c in sheet.stored(name)], dtype=np.bool_)
            if where.any():
                questions.append(
                    sheet.ask(
                        "yes or no among numbers",
                        name,
                        where,
                        "{name} holds {text} in {first} among numbers; write the number that is "
                        "meant, or leave the cell empty.",
                    )
                )
        where = sheet.among(name, looks.worded)
        if numeric and where.any():
            questions.append(
                sheet.ask(
                    "shown otherwise",
                    name,
                    where,
                    "{name} stores {text} in {first}, and its format shows something else, such as "
                    "a sign < before it or nothing at all ({n} in all); write what is meant.",
                )
            )
        where = sheet.among(name, looks.raised)
        where &= [isinstance(c, str) and read_cell(c).kind in _NUMERIC for c in sheet.stored(name)]
        if where.any():
            questions.append(
                sheet.ask(
                    "raised digits",
                    name,
                    where,
                    "{name} holds {text} in {first}, whose raised digits are a footnote or a power "
                    "and no digits of the number; write the number alone.",
                )
            )
        where = sheet.among(name, looks.percent)
        if where.any():
            series, question = _percents(sheet, frame[name], where)
            questions += [] if question is None else [question]
            if series is not None:
                changed[name] = series
    return frame.assign(**changed) if changed else frame, repairs, questions


def _percents(
    sheet: _Sheet, series: pd.Series[Any], where: NDArray[np.bool_]
) -> tuple[pd.Series[Any] | None, Question | None]:
    """Return a column with 12% for the number 0.12 that is shown so, where others are shown bare.

    A column of percents alone stays as it is stored, and it is said that it holds shares.
    """
    name = str(series.name)
    stored = sheet.stored(name)
    where &= [isinstance(c, (int, float)) and not isinstance(c, bool) for c in stored]
    bare = [not w and not is_blank(c) for w, c in zip(where, stored, strict=True)]
    if not where.any():
        return None, None
    if any(bare):
        texts = [
            f"{cell * 100.0:.15g}%" if percent else cell
            for cell, percent in zip(stored, where.tolist(), strict=True)
        ]
        kept = series.astype(object)
        return kept.where(~where, np.array(texts, dtype=object)), None
    question = sheet.ask(
        "percent",
        name,
        where,
        "{name} is shown in percent and stored as shares, {text} in {first}; thresholds are "
        "shares as well.",
        blocks=False,
    )
    return None, question


def _asked_of_rows(sheet: _Sheet, stored: Stored) -> list[Question]:
    """Return what is asked of rows that are hidden, and of cells that are struck through."""
    found = []
    hidden = sheet.rows[np.isin(sheet.rows, stored.looks.hidden)].tolist()
    if hidden:
        one = len(hidden) == 1
        found.append(
            Question(
                step="hidden rows",
                n=len(hidden),
                cells=row_ranges(hidden),
                sentence=InvalidSampleError(
                    f"{counted(len(hidden), 'row')} of the data {'is' if one else 'are'} hidden, "
                    f"as by a filter, the first is row {hidden[0]}, and "
                    f"{'was' if one else 'were'} read like the others; if "
                    f"{'it does' if one else 'they do'} not belong, remove "
                    f"{'it' if one else 'them'} from the file."
                ).sentence,
            )
        )
    struck = {name: sheet.among(name, stored.looks.struck) for name in sheet.layout.names}
    struck = {name: where for name, where in struck.items() if where.any()}
    if len(struck) > 1:
        rows = sheet.rows[np.logical_or.reduce(list(struck.values()))].tolist()
        found.append(
            Question(
                step="struck through",
                n=len(rows),
                cells=row_ranges(rows),
                sentence=InvalidSampleError(
                    f"{counted(len(rows), 'row')} of the data "
                    f"{'has' if len(rows) == 1 else 'have'} cells that are struck through, the "
                    f"first is row {rows[0]}, read like the others; if they were "
                    "struck out on purpose, empty them or remove their rows."
                ).sentence,
            )
        )
    else:
        for name, where in struck.items():
            found.append(
                sheet.ask(
                    "struck through",
                    name,
                    where,
                    "{name} has {n} struck through, {text} in {first} the first, read like the "
                    "others; if they were struck out on purpose, empty them or remove their rows.",
                    blocks=False,
                )
            )
    return found


def _with_merged_cells(
    sheet: _Sheet, frame: pd.DataFrame, stored: Stored
) -> tuple[pd.DataFrame, list[Repair]]:
    """Return a frame in which cells merged downwards hold their value in each of their rows."""
    names = {number: name for name, number in sheet.numbers.items()}
    sources: dict[str, dict[int, int]] = {}
    left = _MOST_FILLED
    for top, column, bottom, _ in stored.looks.merged:
        name = names.get(column)
        if name is None or bottom <= top or left <= 0:
            continue
        first, last = np.searchsorted(sheet.rows, [top, bottom + 1]).tolist()
        left -= last - first
        if first < len(sheet.rows) and sheet.rows[first] == top and last > first + 1:
            sources.setdefault(name, {}).update(dict.fromkeys(range(first + 1, last), first))
    changed: dict[str, Any] = {}
    repairs = []
    for name, of in sources.items():
        stored_cells = sheet.stored(name)
        of = {i: j for i, j in of.items() if is_blank(stored_cells[i])}
        where = np.zeros(len(frame), dtype=np.bool_)
        where[[i for i, j in of.items() if not is_blank(stored_cells[j])]] = True
        if not where.any():
            continue
        take = np.arange(len(frame))
        take[list(of)] = list(of.values())
        changed[name] = _tidy(frame[name].iloc[take].reset_index(drop=True))
        first = int(np.flatnonzero(where)[0])
        places = sheet.places(name)
        n = int(np.count_nonzero(where))
        repairs.append(
            Repair(
                step="merged cells",
                column=name,
                n=n,
                cells=places.cells(name, where),
                sentence=f"{name}: {counted(n, 'cell')} within merged cells "
                f"{'was' if n == 1 else 'were'} filled with the value that stands above, "
                f"{quoted([stored_cells[of[first]]])} in {places.cell(name, first)}.",
            )
        )
    return frame.assign(**changed) if changed else frame, repairs


def _tidy(series: pd.Series[Any]) -> pd.Series[Any]:
    """Return whole numbers without a gap as a clean file has them."""
    if series.dtype.kind != "f" or series.isna().any() or not bool((series % 1 == 0).all()):
        return series
    return series.astype(np.int64) if float(series.abs().max()) <= 2**53 else series
