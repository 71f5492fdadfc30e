"""From a file to a table that can be analysed: found, repaired step by step, and logged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.data.intake.arranging import Arranged, arrange, written_cells
from rocstats.data.intake.column_cells import (
    Change,
    ColumnCells,
    cells_of,
    number_columns,
)
from rocstats.data.intake.header_names import units_and_aliases
from rocstats.data.intake.intake_log import Places, Question, Repair, row_ranges
from rocstats.data.intake.intake_result import Intake
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.intake.label_repairs import repair_dates, repair_labels
from rocstats.data.intake.missing_codes import (
    apply_codes,
    codes_by_column,
    plain_numbers,
    suggest_code,
)
from rocstats.data.intake.number_cells import clean, read_cell
from rocstats.data.intake.number_repairs import repair_numbers
from rocstats.data.reading.table import match_label
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    RocstatsWarning,
    counted,
    did_you_mean,
    keyword,
    listed,
    named,
    shown,
    warn_user,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["STEPS", "take_in"]

_IDS = {
    *("id", "ids", "pid", "mrn", "usubjid", "patient", "subject", "hosp", "pat", "patnr", "code"),
    *("dossier", "fallnr", "fallnummer", "record", "patnummer", "patientennummer"),
}
_NUMBERED = re.compile(r"[^\W\d_]+[^\w]?0")  # HC-0
_HEAD = 1000  # cells that show it
_TEXT = (".csv", ".tsv", ".txt")

# What a column of texts may mean, in the order in which it is asked; the first that fits it takes.
STEPS: tuple[Callable[[ColumnCells, IntakeSettings], Change | None], ...] = (
    repair_numbers,
    repair_dates,
    repair_labels,
)


def take_in(name: str, settings: IntakeSettings | None = None) -> Intake:
    """Return the table of a file with the log of what was repaired, and what is asked.

    Nothing is refused that is only asked: `Intake.check_columns` does that for the columns that an
    analysis needs.
    """
    settings = IntakeSettings() if settings is None else settings
    arranged = arrange(name, settings)
    table, places = arranged.table, arranged.places
    repairs, questions = list(arranged.repairs), list(arranged.questions)
    frame = table.frame
    units, aliases = units_and_aliases(list(frame.columns))
    units |= arranged.units
    questions += _names_that_are_numbers(list(frame.columns))
    settings = _in_full_names(settings, aliases)
    if not settings.as_is:
        changed = {}
        commas = False
        for column, change in _changes(frame, places, settings, arranged.written):
            if column in arranged.written:  # said again of each cell
                repairs = [r for r in repairs if (r.column, r.step) != (column, "numbers as text")]
            repairs += change.repairs
            questions += change.questions
            commas = commas or any(r.step == "decimal comma" for r in change.repairs)
            if change.unit and column not in units:
                units[column] = change.unit
            if change.series is not None:
                changed[column] = change.series
        if settings.mark != ".":
            for column, change in _points_between_thousands(name, arranged, settings, commas):
                if column in changed:
                    continue
                repairs += change.repairs
                questions += change.questions
                if change.series is not None:
                    changed[column] = change.series
        frame = frame.assign(**changed) if changed else frame
        questions += _small_percents(frame, places, units)
        questions += _repeated_ids(frame, places, settings)
    if settings.exclude:
        frame, places, repair = _excluded(frame, places, settings)
        repairs.append(repair)
    return Intake(
        file=name,
        table=replace(table, frame=frame),
        places=places,
        units=units,
        aliases=aliases,
        found=arranged.found,
        repairs=tuple(repairs),
        questions=tuple(questions),
    )


def _changes(
    frame: pd.DataFrame, places: Places, settings: IntakeSettings, written: Mapping[str, Any]
) -> Iterable[tuple[str, Change]]:
    """Yield what becomes of every column that is not read as it stands."""
    codes = codes_by_column(settings.missing_codes, frame.columns)
    held: set[Any] = set()
    plain = plain_numbers(frame)
    for column in frame.columns:
        mine = [code for of, code in codes if of in (None, column)]
        if not mine and column in plain and column not in written:
            continue
        series = frame[column]
        as_written = None if mine else cells_of(column, written.get(column, series), places)
        if column in written and as_written is not None:
            change = repair_numbers(as_written, settings)
            if change is not None:
                yield column, _as_written(change, as_written)
                continue
        if mine:
            change, seen = apply_codes(column, series, mine, places)
            held |= seen
            if change is not None:
                yield column, change
                series = series if change.series is None else change.series
        cells = cells_of(column, series, places, {str(cell).strip() for cell in settings.kept})
        change = None if cells is None else _first_that_fits(cells, settings)
        if change is not None:
            yield column, change
            series = series if change.series is None else change.series
        asked = suggest_code(column, series, places)
        if asked is not None:
            yield column, Change(questions=(asked,))
    lost = [code for _, code in codes if code not in held]
    if lost:
        warn_user(
            f"No cell holds {listed(map(repr, lost))}, named by {keyword('missing_codes')}.",
            RocstatsWarning,
        )


def _names_that_are_numbers(names: list[str]) -> list[Question]:
    """Return the question whether the first patient was taken for the names."""
    if not names or any(read_cell(name).kind != "number" for name in names):
        return []
    if names == [str(j) for j in range(len(names))]:  # as a frame without names has them
        return []
    refusal = InvalidSampleError(
        f"The names of the columns are numbers ({listed(names)}); if that is the first row of the "
        "data, write a row of names above it."
    )
    return [Question(step="names", n=len(names), sentence=refusal.sentence)]


def _small_percents(frame: pd.DataFrame, places: Places, units: dict[str, str]) -> list[Question]:
    """Return the question whether a column in % holds shares, as a workbook shows 0.078 as 7.8%."""
    found = []
    for name in (name for name, unit in units.items() if unit == "%"):
        series = frame[name]
        if series.dtype.kind != "f" or not series.notna().any() or series.abs().max() > 1.0:
            continue
        refusal = InvalidSampleError(
            f"{name} is in percent by its name and holds {series.min():g} to {series.max():g}; a "
            "workbook shows 0.078 as 7.8%. If these are shares, thresholds are shares as well."
        )
        where = series.notna().to_numpy()
        found.append(
            Question(
                step="percent",
                column=name,
                n=int(where.sum()),
                cells=places.cells(name, where),
                sentence=refusal.sentence,
            )
        )
    return found


def _repeated_ids(frame: pd.DataFrame, places: Places, settings: IntakeSettings) -> list[Question]:
    """Return the question why rows have the same id, where no option names that column."""
    for j, (name, dtype) in enumerate(zip(frame.columns, frame.dtypes, strict=True)):
        if dtype.kind in "bfcmM":
            continue
        series = frame[name]
        called = bool(_IDS & set(re.split(r"[\W_]+", name.casefold())))
        if not called and (j or not _of_one_form(series)):
            continue
        try:
            again = series.notna() & series.duplicated()
        except TypeError:  # lists and the like
            continue
        n = int(again.sum())
        if name in settings.wanted or not n or 2 * (len(frame) - n) < len(frame):
            return []
        where = again.to_numpy()
        refusal = InvalidSampleError(
            f"{name} repeats an id in {counted(n, 'row')}, the first in "
            f"{places.cell(name, int(np.flatnonzero(where)[0]))}; if several rows are of one "
            f"patient, name the column with {keyword('cluster')}, else mend the file."
        )
        return [
            Question(
                step="repeated ids",
                column=name,
                n=n,
                cells=places.cells(name, where),
                sentence=refusal.sentence,
                option="cluster",
                answers=(name,),
            )
        ]
    return []


def _of_one_form(series: pd.Series[Any]) -> bool:
    """Whether the first cells are letters with a number, all alike, as HC-1200."""
    head = series.dropna().iloc[:_HEAD].tolist()
    forms = {re.sub(r"\d+", "0", cell) if isinstance(cell, str) else "" for cell in head}
    return len(forms) == 1 and all(_NUMBERED.fullmatch(form) for form in forms)


def _in_full_names(settings: IntakeSettings, aliases: dict[str, str]) -> IntakeSettings:
    """Return the settings with columns called as the table calls them."""
    codes = [
        f"{aliases[name]}={code}" if equals and name in aliases else given
        for given in settings.missing_codes
        for name, equals, code in [str(given).rpartition("=")]
    ]
    outcome = settings.outcome
    outcome = None if outcome is None else aliases.get(outcome, outcome)
    return replace(settings, missing_codes=tuple(codes), outcome=outcome)


def _first_that_fits(cells: ColumnCells, settings: IntakeSettings) -> Change | None:
    made = (step(cells, settings) for step in STEPS)
    return next((change for change in made if change is not None), None)


def _points_between_thousands(
    name: str, arranged: Arranged, settings: IntakeSettings, commas: bool
) -> Iterable[tuple[str, Change]]:
    """Yield columns of 1.234 that may mean 1234.

    They are asked about in a file whose decimals have a comma, and beside whole numbers as 950.
    """
    import pandas as pd

    text = Path(name).suffix.lower() in _TEXT
    for column in _may_be_thousands(arranged.table.frame, commas):
        if not (text or column in arranged.written):
            continue
        series = arranged.table.frame[column]
        texts = pd.Series(written_cells(name, arranged, column, settings), index=series.index)
        distinct = [text for text in texts.unique().tolist() if clean(str(text))]
        readings = [read_cell(text) for text in distinct]
        if not any(r.open for r in readings) or any(r.mark for r in readings):
            continue
        cells = cells_of(column, texts.where(series.notna(), None).astype(object), arranged.places)
        if cells is None:
            continue
        if not commas or settings.mark == ",":
            change = repair_numbers(cells, settings)
            if change is not None:
                yield column, _as_written(change, cells)
            continue
        open_ = [i for i, r in enumerate(cells.readings) if r.open]
        one = cells.readings[open_[0]]
        yield (
            column,
            Change(
                series=cells.series,
                questions=(
                    cells.ask(
                        "decimal mark",
                        open_,
                        InvalidSampleError(
                            f"{column} holds {shown(cells.distinct[open_[0]])} in "
                            f"{cells.first(open_)}, which may be {one.value:g} or "
                            f"{one.either:g} where other columns have decimal commas; say which "
                            f"with {keyword('decimal', 'comma')} or {keyword('decimal', 'point')}."
                        ),
                        option="decimal",
                        answers=("comma", "point"),
                    ),
                ),
            ),
        )


def _as_written(change: Change, cells: ColumnCells) -> Change:
    """Return a change that leaves a column as it is written where it is only asked about."""
    return change if change.series is not None else replace(change, series=cells.series)


def _may_be_thousands(frame: pd.DataFrame, commas: bool) -> Iterable[str]:
    """Yield the columns whose numbers could be written as 1.234.

    Where no column has decimal commas, some are whole and the others have thousandths.
    """
    for names, cells in number_columns(frame, "f"):
        known = np.abs(cells)
        missing, whole = np.isnan(known), known == np.floor(known)
        short = (known >= 1.0) & (known < 1000.0)
        if commas:
            chosen = (short | missing).all(axis=0) & short.any(axis=0)
        else:
            part = np.where(short & ~whole, known, 0.5)
            broken = (np.round(part, 3) == part) & (part >= 1.0)
            chosen = (broken | whole | missing).all(axis=0) & broken.any(axis=0) & whole.any(axis=0)
        yield from names[np.flatnonzero(chosen)]


def _excluded(
    frame: pd.DataFrame, places: Places, settings: IntakeSettings
) -> tuple[pd.DataFrame, Places, Repair]:
    """Return the rows whose outcome is none of the labels to exclude."""
    outcome = str(settings.outcome)
    if outcome not in frame.columns:
        raise InvalidOptionError(
            f"The data have no column {outcome!r}, named by {keyword('outcome')}; they have "
            f"{listed(frame.columns)}.{did_you_mean(outcome, frame.columns)}"
        )
    labels = frame[outcome].dropna().unique().tolist()
    wanted = []
    for text in settings.exclude:
        label = match_label(str(text), labels)
        if label not in labels:
            folded = [x for x in labels if str(x).casefold() == clean(str(text)).casefold()]
            label = folded[0] if len(folded) == 1 else label
        if label not in labels:
            raise InvalidOptionError(
                f"No row has {outcome} = {text!r}, named by {named('exclude')}; it has "
                f"{listed(map(repr, labels))}.{did_you_mean(text, labels)}"
            )
        wanted.append(label)
    gone = frame[outcome].isin(wanted).to_numpy()
    n = int(np.count_nonzero(gone))
    repair = Repair(
        step="excluded",
        column=outcome,
        n=n,
        cells=row_ranges(places.rows[gone].tolist()),
        sentence=f"{counted(n, 'row')} with {outcome} = "
        f"{listed(map(repr, wanted))} {'was' if n == 1 else 'were'} excluded, as asked.",
    )
    left = frame[~gone].reset_index(drop=True)
    return left, replace(places, rows=places.rows[~gone]), repair
