"""The table of a file, wherever it stands in it; one that stands plainly is read as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.data.columns import beyond_doubles
from rocstats.data.intake.header_names import split_unit
from rocstats.data.intake.intake_log import (
    Places,
    Question,
    Repair,
    column_letters,
    letters_place,
    quoted,
)
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.intake.layouts import Layout, find_header, find_layout
from rocstats.data.intake.number_cells import ERROR_CODES, clean, is_blank, read_cell
from rocstats.data.intake.text_grids import first_rows, head_rows, text_grid
from rocstats.data.reading.files import form_of, read_table, refused
from rocstats.data.reading.plain import MISSING, check_names, count_lines, parser_options, too_long
from rocstats.data.reading.table import Table
from rocstats.data.reading.workbooks import WORKBOOKS, Workbook
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    RocstatsError,
    counted,
    did_you_mean,
    keyword,
    listed,
    named,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Arranged", "arrange", "names_of", "written_cells"]

_USUAL = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_SEEN = 60  # rows at either end that are looked at
_OF_TEXT, _OF_BOOKS = ("encoding", "separator"), ("sheet",)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arranged:
    """A table and where its cells stand in the file.

    Attributes
    ----------
    table : as it was read, its cells untouched
    places : where they stand
    units : units by column, as a row under the names has them
    found : options that say where the table stands, as they were found
    repairs, questions : what was done to find it, and what is open
    """

    table: Table
    places: Places
    units: dict[str, str] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    questions: tuple[Question, ...] = ()


def arrange(name: str, settings: IntakeSettings) -> Arranged:
    """Return the table of a file; one that stands plainly is what `read_table` returns."""
    path, suffix = Path(name), Path(name).suffix.lower()
    _check_settings(name, suffix, settings)
    if settings.as_is or suffix not in (*_USUAL, *WORKBOOKS):
        table = read_table(name)
        sheet = suffix in _USUAL or suffix in WORKBOOKS
        return Arranged(
            table=table,
            places=Places.plain(list(table.frame.columns), len(table.frame), sheet=sheet),
        )
    form_of(name)  # refuses what is not there
    book = suffix in WORKBOOKS
    if book and not path.stat().st_size:
        raise InvalidSampleError(f"{path} is empty; it needs a line of column names and data.")
    try:
        found = None if settings.moves else (_read_plain if book else _read_plain_text)(path)
        return found or (_from_book if book else _from_text)(path, settings)
    except RocstatsError:
        raise
    except Exception as reason:  # as in read_table: whatever the library beneath raises
        raise refused(path, reason) from None


def _check_settings(name: str, suffix: str, settings: IntakeSettings) -> None:
    for options, suffixes, what in (
        (_OF_TEXT, tuple(_USUAL), "text"),
        (_OF_BOOKS, tuple(WORKBOOKS), "workbooks"),
        (("header_row",), (*_USUAL, *WORKBOOKS), "text and workbooks"),
    ):
        for option in options:
            if getattr(settings, option) is not None and suffix not in suffixes:
                raise InvalidOptionError(
                    f"{named(option)} is for {what} ({', '.join(suffixes)}), and {name} is none; "
                    "leave it out."
                )
    if settings.as_is and settings.moves:
        raise InvalidOptionError(
            f"{named('as_is')} reads the file as it stands; leave it out, or the options that "
            "say where the table is."
        )


# ----------------------------------------------------------------------------- what stands plainly


def _plainly(table: Table) -> Arranged:
    return Arranged(table=table, places=Places.plain(list(table.frame.columns), len(table.frame)))


def _read_plain_text(path: Path) -> Arranged | None:
    """Return a table that begins in the first line and ends in the last, or None."""
    head = head_rows(path, _USUAL[path.suffix.lower()]) if path.stat().st_size else []
    if head is None or (head and find_header(head) != 0):
        return None
    try:
        table = read_table(str(path))
    except InvalidSampleError:
        if not head:
            raise
        return None
    there = count_lines(path) == len(table.frame)
    return _plainly(table) if there and _stands_plainly(table.frame) else None


def _read_plain(path: Path) -> Arranged | None:
    if len(_book(path).sheets(path)) > 1:
        return None
    try:
        table = read_table(str(path))
    except InvalidSampleError:
        return None
    plain = _stands_plainly(table.frame) and _stored_plainly(path, table.frame)
    return _plainly(table) if plain else None


def _stored_plainly(path: Path, frame: pd.DataFrame) -> bool:
    """Whether a workbook holds numbers as numbers, under names that are texts, and no error."""
    book = _book(path)
    stored = book.stored(path, book.sheets(path)[0][0])
    numeric = [j for j, name in enumerate(frame.columns, 1) if frame[name].dtype.kind in "iuf"]
    told = stored.errors == 0 and not any(stored.unworked.values())
    return told and all(stored.texts.get(j, 0) <= 1 for j in numeric)


def _stands_plainly(frame: pd.DataFrame) -> bool:
    """Whether the first row is the names, and every other one is data."""
    names = ["" if name.startswith("Unnamed: ") else name for name in frame.columns]
    there = frame.notna().sum(axis=1)
    if bool((there == 0).any()) or (len(names) > 2 and bool((there == 1).any())):
        return False
    for part in (frame.head(_SEEN), frame.tail(_SEEN)):
        cells = part.astype(object).to_numpy().tolist()
        if find_header([names, *cells]) != 0 or find_layout([names, *cells], 0).repairs:
            return False
    return not any(
        bool((frame[name] == name).any())
        for name in frame.columns
        if frame[name].dtype.kind not in "biufcmM"
    )


# ---------------------------------------------------------------------------------------- of text


def _from_text(path: Path, settings: IntakeSettings) -> Arranged:
    grid = text_grid(path, _USUAL[path.suffix.lower()], settings)
    layout = _layout(path, grid.rows, settings)
    repairs = (*grid.repairs, *layout.repairs)
    if not repairs and not settings.moves:
        return _plainly(read_table(str(path)))
    wide = len(grid.rows[layout.header])
    if any(not is_blank(cell) for i in layout.rows for cell in grid.rows[i][wide:]):
        raise too_long(path)
    rows = [_picked(grid.rows[i], layout.columns) for i in layout.rows]
    frame = _typed(rows, layout.names)
    found = {"encoding": grid.encoding if grid.encoding not in ("utf-8", "utf-8-sig") else None}
    found["separator"] = grid.separator if grid.separator != _USUAL[path.suffix.lower()] else None
    return _arranged(path, frame, layout, repairs, found, settings)


def _picked(row: Sequence[str], columns: Sequence[int]) -> list[str]:
    return [row[j] if j < len(row) else "" for j in columns]


def _typed(rows: Sequence[Sequence[str]], names: Sequence[str]) -> pd.DataFrame:
    """Return cells as a clean file with them would be read."""
    import pandas as pd

    if not rows:
        return pd.DataFrame({name: pd.Series(dtype=object) for name in names})
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    text.seek(0)
    frame: pd.DataFrame = pd.read_csv(
        text,
        header=None,
        na_values=MISSING,
        low_memory=False,
        skip_blank_lines=False,
        **parser_options(","),
    )
    frame.columns = list(names)
    for j, name in enumerate(names):
        values = frame[name]
        if values.dtype.kind == "f" and bool(((values == 0) | np.isinf(values)).any()):
            texts = pd.Series([row[j] for row in rows], dtype=object)
            vast = texts.map(beyond_doubles)
            if vast.any():
                frame[name] = values.astype(object).where(~vast, texts)
    return frame


# ----------------------------------------------------------------------------------- of workbooks


def _book(path: Path) -> Workbook:
    return WORKBOOKS[path.suffix.lower()]


def _from_book(path: Path, settings: IntakeSettings) -> Arranged:
    book = _book(path)
    sheets = [name for name, _ in book.sheets(path)]
    sheet, repairs, questions = _chosen_sheet(path, settings)
    cells = book.cells(path, sheet, None)
    layout = _layout(path, cells, settings)
    first = sheet == sheets[0]
    kept = set(layout.rows)
    skip = [i for i in range(len(cells)) if i not in kept]
    frame = book.frame(path, sheet, skip, layout.columns)
    frame.columns = list(layout.names)
    repairs = (*repairs, *layout.repairs, *_stored_otherwise(cells, layout, frame))
    questions += _without_values(book.stored(path, sheet).unworked, layout)
    found = {"sheet": sheet if len(sheets) > 1 else None}
    if not repairs and not settings.moves and first:
        table = read_table(str(path))
        return replace(
            _plainly(table), questions=questions, found={k: v for k, v in found.items() if v}
        )
    arranged = _arranged(path, frame, layout, repairs, found, settings)
    remarks: tuple[str, ...] = ()
    if len(sheets) > 1 and first and settings.sheet is None:
        remarks = (f"Of {len(sheets)} sheets the first, {sheet!r}, was read.",)
    return replace(arranged, questions=questions, table=replace(arranged.table, remarks=remarks))


def _without_values(unworked: dict[int, list[int]], layout: Layout) -> tuple[Question, ...]:
    """Return what is asked of formulas that no spreadsheet program has worked out."""
    rows = np.array(layout.rows, dtype=np.intp) + 1
    found = []
    for name, j in zip(layout.names, layout.columns, strict=True):
        where = np.isin(rows, unworked.get(j + 1, ()))
        if not where.any():
            continue
        places = Places(rows=rows, letters={name: column_letters(j)})
        n = int(np.count_nonzero(where))
        found.append(
            Question(
                step="formulas",
                column=name,
                n=n,
                cells=places.cells(name, where),
                sentence=InvalidSampleError(
                    f"{name} holds {counted(n, 'formula')} without a value, the first in "
                    f"{places.cell(name, int(np.flatnonzero(where)[0]))}; open the workbook in a "
                    "spreadsheet program and save it there, which works them out."
                ).sentence,
                blocks=True,
            )
        )
    return tuple(found)


def _stored_otherwise(
    cells: Sequence[Sequence[Any]], layout: Layout, frame: pd.DataFrame
) -> list[Repair]:
    """Return the log of what is read otherwise than a workbook stores it: texts, errors."""
    found = []
    rows = np.array(layout.rows, dtype=np.intp) + 1
    for name, j in zip(layout.names, layout.columns, strict=True):
        stored = [cells[i][j] if j < len(cells[i]) else None for i in layout.rows]
        numeric = frame[name].dtype.kind in "iuf"
        places = Places(rows=rows, letters={name: column_letters(j)})
        for step, done, chosen in (
            (
                "numbers as text",
                "read that the workbook holds as text",
                [numeric and isinstance(c, str) and read_cell(c).kind == "number" for c in stored],
            ),
            (
                "missing",
                "made missing that held an error of a formula",
                [isinstance(c, str) and c in ERROR_CODES for c in stored],
            ),
        ):
            where = np.array(chosen, dtype=np.bool_)
            if where.any():
                n = int(np.count_nonzero(where))
                said = quoted(c for c, mine in zip(stored, chosen, strict=True) if mine)
                found.append(
                    Repair(
                        step=step,
                        column=name,
                        n=n,
                        cells=places.cells(name, where),
                        sentence=f"{name}: {counted(n, 'cell')} {done}: {said}.",
                    )
                )
    return found


def _chosen_sheet(
    path: Path, settings: IntakeSettings
) -> tuple[str, tuple[Repair, ...], tuple[Question, ...]]:
    """Return the sheet that is meant, and what is said about the choice."""
    book = _book(path)
    known = book.sheets(path)
    sheets = [name for name, _ in known]
    if settings.sheet is not None:
        return _named_sheet(path, sheets, settings.sheet), (), ()
    seen = [name for name, hidden in known if not hidden] or sheets
    hidden = [name for name in sheets if name not in seen]
    repairs = [_said_hidden(hidden)] if hidden else []
    if len(sheets) == 1:
        return sheets[0], (), ()
    tables = {}
    for sheet in seen:
        names = _names_of_a_table(book.cells(path, sheet, _SEEN))
        if names:
            tables[sheet] = names
    wanted = {_folded(name) for name in settings.wanted}
    fitting = [sheet for sheet, names in tables.items() if wanted <= names] or list(tables)
    if not fitting:
        return seen[0], tuple(repairs), ()
    chosen, others = fitting[0], [sheet for sheet in seen if sheet != fitting[0]]
    questions: tuple[Question, ...] = ()
    if chosen != seen[0]:
        why = "that holds the columns" if wanted and len(tables) > 1 else "that holds a table"
        repairs.append(
            Repair(
                step="sheet",
                n=1,
                sentence=f"Of {len(seen)} sheets {chosen!r} was read, the first {why}; not read: "
                f"{listed(map(repr, others))}.",
            )
        )
    if len(fitting) > 1:
        both = "both" if len(fitting) == 2 else "all"
        questions = (
            Question(
                step="sheet",
                n=len(fitting),
                sentence=InvalidSampleError(
                    f"{listed(map(repr, fitting))} {both} hold a table, and {chosen!r} was read; "
                    f"name the one that is meant with {keyword('sheet')}."
                ).sentence,
                option="sheet",
                answers=tuple(fitting),
            ),
        )
    return chosen, tuple(repairs), questions


def _said_hidden(hidden: Sequence[str]) -> Repair:
    one = len(hidden) == 1
    return Repair(
        step="hidden sheets",
        n=len(hidden),
        sentence=f"{counted(len(hidden), 'sheet')} that {'is' if one else 'are'} hidden "
        f"{'was' if one else 'were'} passed over: {listed(map(repr, hidden))}.",
    )


def _named_sheet(path: Path, sheets: Sequence[str], wanted: str | int) -> str:
    if str(wanted) in sheets:
        return str(wanted)
    folded = [sheet for sheet in sheets if _folded(sheet) == _folded(str(wanted))]
    if len(folded) == 1:
        return folded[0]
    text = str(wanted)
    if text.isdigit() and 1 <= int(text) <= len(sheets):
        return sheets[int(text) - 1]
    raise InvalidOptionError(
        f"{path} has no sheet {text!r}, named by {keyword('sheet')}; it has "
        f"{listed(map(repr, sheets))}.{did_you_mean(text, sheets)}"
    )


def _names_of_a_table(cells: Sequence[Sequence[Any]]) -> set[str]:
    """Return the folded names of the columns where the first rows of a sheet hold a table."""
    layout = find_layout(cells)
    if len(layout.columns) < 2 or len(layout.rows) < 2:
        return set()
    numbers = any(
        j < len(cells[i]) and read_cell(cells[i][j]).kind in ("number", "below", "above")
        for i in layout.rows
        for j in layout.columns
    )
    return {_folded(name) for name in layout.names} if numbers else set()


def _folded(name: str) -> str:
    return split_unit(clean(name))[0].casefold()


# ---------------------------------------------------------------------------------------- of both


def _layout(path: Path, rows: Sequence[Sequence[Any]], settings: IntakeSettings) -> Layout:
    header = None if settings.header_row is None else settings.header_row - 1
    if header is not None and (header >= len(rows) or all(map(is_blank, rows[header]))):
        raise InvalidOptionError(
            f"{path} has no names in row {settings.header_row}, named by {keyword('header_row')}; "
            f"it has {len(rows)} rows."
        )
    layout = find_layout(rows, header)
    if not layout.columns:
        raise InvalidSampleError(f"{path} is empty; it needs a line of column names and data.")
    check_names(path, layout.names)
    return layout


def _arranged(
    path: Path,
    frame: pd.DataFrame,
    layout: Layout,
    repairs: Iterable[Repair],
    found: dict[str, Any],
    settings: IntakeSettings,
) -> Arranged:
    if layout.header:
        found["header_row"] = layout.header + 1
    letters = {
        name: column_letters(j) for name, j in zip(layout.names, layout.columns, strict=True)
    }
    rows = np.array(layout.rows, dtype=np.intp) + 1
    if len(frame) != rows.size:
        raise InvalidSampleError(
            f"{path} gave {len(frame)} rows where {rows.size} were counted; save it as a .csv file."
        )
    return Arranged(
        table=Table(frame=frame, format=form_of(str(path)).label),
        places=Places(rows=rows, letters=letters),
        units=dict(layout.units),
        found={name: value for name, value in found.items() if value is not None},
        repairs=tuple(repairs),
    )


def names_of(path: Path, *, most: int) -> list[str]:
    """Return the names of the columns by the first rows of a file; of a large workbook none."""
    suffix = path.suffix.lower()
    if suffix in _USUAL:
        layout = find_layout(first_rows(path, _USUAL[suffix]))
    elif suffix in WORKBOOKS and path.stat().st_size <= most:
        sheet = _chosen_sheet(path, IntakeSettings())[0]
        layout = find_layout(_book(path).cells(path, sheet, _SEEN))
    else:
        return []
    return [name for name in layout.names if not name.startswith("Unnamed: ")]


def written_cells(
    name: str, arranged: Arranged, column: str, settings: IntakeSettings
) -> list[str]:
    """Return the cells of a column of a text file as they are written."""
    path = Path(name)
    rows = text_grid(path, _USUAL[path.suffix.lower()], settings).rows
    j = letters_place(arranged.places.letters[column])
    return [rows[i - 1][j] if j < len(rows[i - 1]) else "" for i in arranged.places.rows.tolist()]
