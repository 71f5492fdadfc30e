"""Columns that mean numbers: decimal commas, thousands, percent, units, limits, empty words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.data.columns import beyond_doubles, refuse_beyond
from rocstats.data.intake.column_cells import Change, ColumnCells
from rocstats.data.intake.detection_limits import LimitlessError, above_limit, below_limit
from rocstats.data.intake.intake_log import Question, Repair, quoted
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.intake.number_cells import Reading
from rocstats.errors import InvalidSampleError, counted, keyword

__all__ = ["repair_numbers"]


def repair_numbers(column: ColumnCells, settings: IntakeSettings) -> Change | None:
    """Return a column of numbers that were written otherwise, or None where it is none."""
    if not _means_numbers(column):
        return None
    readings = column.readings
    blocked = _open_marks(column, settings) or _open_percent(column, settings)
    blocked = blocked or _open_units(column)
    if blocked is not None:
        return Change(questions=(blocked,))
    by_comma = settings.mark == "," or (settings.mark is None and _marks(readings) == {","})
    numbers = [_resolved(r, decimal="," if by_comma else ".") for r in readings]
    numbers = [
        n / 100.0 if r.percent and settings.percent == "share" else n
        for n, r in zip(numbers, readings, strict=True)
    ]
    marks = _said_marks(column, numbers, settings)
    try:
        numbers, limits = _with_limits(column, numbers, settings)
    except LimitlessError as question:
        return Change(questions=(question.asked,))
    repairs = [*marks, *limits, *_said_nothing(column)]
    words = [i for i, r in enumerate(readings) if r.kind in ("word", "date")]
    kept = [i for i, r in enumerate(readings) if r.kind == "kept"]
    questions = (_about_words(column, words),) if words else ()
    if not repairs:
        return Change(questions=questions) if questions else None
    return Change(
        series=_rebuilt(column, numbers, [*words, *kept]),
        repairs=tuple(repairs),
        questions=questions,
        unit=next((r.unit for r in readings if r.unit), "")
        or ("%" if any(r.percent for r in readings) and settings.percent != "share" else ""),
    )


def _means_numbers(column: ColumnCells) -> bool:
    """Whether there is a number, and not more words than numbers."""
    n = dict.fromkeys(("number", "below", "above", "word", "date", "missing", "kept"), 0)
    for reading, count in zip(column.readings, column.counts().tolist(), strict=True):
        n[reading.kind] += count
    numeric = n["number"] + n["below"] + n["above"]
    return n["number"] > 0 and numeric >= n["word"] + n["date"]


def _marks(readings: Sequence[Reading]) -> set[str]:
    return {r.mark for r in readings if r.mark}


def _resolved(reading: Reading, *, decimal: str) -> float:
    """Return the number, where a mark before three digits is decimal or parts thousands."""
    return reading.either if reading.open and reading.open != decimal else reading.value


# --------------------------------------------------------------------------------------- questions


def _open_marks(column: ColumnCells, settings: IntakeSettings) -> Question | None:
    """Return the question whether 1,234 is 1.234 or 1234, where the column does not tell."""
    marks = _marks(column.readings)
    open_ = [i for i, r in enumerate(column.readings) if r.open]
    commas = [i for i in open_ if column.readings[i].open == ","]
    if settings.mark is not None or len(marks) == 1 or not (commas or (marks and open_)):
        return None
    asked = commas or open_
    one = column.readings[asked[0]]
    return column.ask(
        "decimal mark",
        asked,
        InvalidSampleError(
            f"{column.name} holds {quoted([column.distinct[asked[0]]])} in {column.first(asked)}, "
            f"which may be {one.value:g} or {one.either:g}; say which with "
            f"{keyword('decimal', 'comma')} or {keyword('decimal', 'point')}."
        ),
        option="decimal",
        answers=("comma", "point"),
    )


def _open_percent(column: ColumnCells, settings: IntakeSettings) -> Question | None:
    """Return the question what 12% is beside 0.15."""
    signed = [i for i, r in enumerate(column.readings) if r.percent]
    bare = [r.value for r in column.readings if r.kind == "number" and not r.percent]
    if settings.percent is not None or not signed or not bare:
        return None
    if max(map(abs, bare)) > 1.0 or all(abs(column.readings[i].value) <= 1.0 for i in signed):
        return None
    return column.ask(
        "percent",
        signed,
        InvalidSampleError(
            f"{column.name} holds {quoted([column.distinct[signed[0]]])} in "
            f"{column.first(signed)} beside numbers up to 1 without the sign; say with "
            f"{keyword('percent', 'number')} that 12% is 12, or with "
            f"{keyword('percent', 'share')} that it is 0.12."
        ),
        option="percent",
        answers=("number", "share"),
    )


def _open_units(column: ColumnCells) -> Question | None:
    """Return the question about two units in one column, which only its owner can convert."""
    units = dict.fromkeys(r.unit for r in column.readings if r.unit)
    if len(units) < 2:
        return None
    rare = list(units)[1:]
    others = [i for i, r in enumerate(column.readings) if r.unit in rare]
    return column.ask(
        "units",
        others,
        InvalidSampleError(
            f"{column.name} holds numbers in {quoted(units)}, the second first in "
            f"{column.first(others)}; convert them to one unit in the file."
        ),
    )


def _about_words(column: ColumnCells, words: Sequence[int]) -> Question:
    dates = [i for i in words if column.readings[i].kind == "date"]
    if dates:
        n, first = column.n_cells(dates), column.first(dates)
        return column.ask(
            "dates among numbers",
            dates,
            InvalidSampleError(
                f"{column.name} holds {counted(n, 'date')} among numbers, the first in {first}: a "
                "spreadsheet may have made a date of a number such as 3.5; mend them in the file, "
                f"or name them with {keyword('missing_codes')}."
            ),
            option="missing_codes",
        )
    beyond = [i for i in words if beyond_doubles(str(column.distinct[i]))]
    if beyond:
        where = f"cell {column.first(beyond)}"
        refusal = refuse_beyond(column.distinct[beyond[0]], column.name, where)
        return column.ask("beyond the doubles", beyond, refusal)
    n, first = column.n_cells(words), column.first(words)
    return column.ask(
        "words among numbers",
        words,
        InvalidSampleError(
            f"{column.name} holds {counted(n, 'cell')} without a number, as "
            f"{quoted(column.distinct[i] for i in words)}, the first in {first}; mend them, or "
            f"name those that mean a missing value with {keyword('missing_codes')}."
        ),
        option="missing_codes",
        answers=tuple(str(column.distinct[i]) for i in words[:12]),
    )


# ----------------------------------------------------------------------------------------- repairs


def _said_marks(
    column: ColumnCells, numbers: Sequence[float], settings: IntakeSettings
) -> list[Repair]:
    """Return the log of how numbers were written."""
    marks = _marks(column.readings)
    by_comma = settings.mark == "," or (settings.mark is None and marks == {","})
    numeric = [(i, r) for i, r in enumerate(column.readings) if r.kind in _NUMERIC]
    decimals = [i for i, r in numeric if r.mark == "," or (r.open == "," and by_comma)]
    thousands = [
        i for i, r in numeric if r.spread or (r.open and r.open != ("," if by_comma else "."))
    ]
    signed = [i for i, r in numeric if r.percent]
    united = [i for i, r in numeric if r.unit]
    stored = [
        i
        for i, r in numeric
        if r.kind == "number"
        and isinstance(column.distinct[i], str)
        and r.plain
        and not _all_text(column)
    ]
    sign = "divided out" if settings.percent == "share" else "taken away"
    found = []
    for step, chosen, noun, done in (
        ("decimal comma", decimals, "number", "read with a decimal comma"),
        ("thousands", thousands, "number", "read with marks between thousands"),
        ("percent", signed, "percent sign", sign),
        ("units in cells", united, "unit", "taken away from behind numbers"),
        *((kind, [i for i, r in numeric if r.beside == kind], *said) for kind, said in _BESIDE),
        ("numbers as text", stored, "number", "read that the workbook holds as text"),
    ):
        if chosen:
            i = chosen[0]
            example = f"{quoted([column.distinct[i]])} as {numbers[i]:.15g}"
            found.append(column.repair(step, chosen, noun, f"{done}, {example}"))
    return found


_NUMERIC = ("number", "below", "above")
_BESIDE = (
    ("footnote marks", ("number", "read without the mark of a footnote")),
    ("flags", ("number", "read without the flag of a laboratory")),
    ("words of a scale", ("rating", "read as the number beside the words")),
    ("titres", ("titre", "read as the dilution")),
)


def _all_text(column: ColumnCells) -> bool:
    return all(isinstance(cell, str) for cell in column.distinct)


def _said_nothing(column: ColumnCells) -> list[Repair]:
    """Return the log of words that mean no value."""
    chosen = [i for i, r in enumerate(column.readings) if r.kind == "missing"]
    if not chosen:
        return []
    texts = quoted(column.distinct[i] for i in chosen)
    return [column.repair("missing", chosen, "cell", f"made missing among numbers: {texts}")]


def _with_limits(
    column: ColumnCells, numbers: Sequence[float], settings: IntakeSettings
) -> tuple[list[float], list[Repair]]:
    """Return the numbers with those beyond a limit of detection, and the log of these."""
    readings = column.readings
    measured = [n for n, r in zip(numbers, readings, strict=True) if r.kind == "number"]
    known = np.array([n for n in measured if np.isfinite(n)])
    found, repairs = list(numbers), []
    for kind, place, mode in (
        ("below", below_limit, settings.below_detection),
        ("above", above_limit, settings.above_detection),
    ):
        chosen = [i for i, r in enumerate(readings) if r.kind == kind]
        if not chosen:
            continue
        limits = np.array([numbers[i] for i in chosen])
        values, words = place(column, chosen, limits, known, mode)
        for i, value in zip(chosen, values.tolist(), strict=True):
            found[i] = value
        texts = quoted(column.distinct[i] for i in chosen)
        done = words.replace("{texts}", texts)
        repairs.append(column.repair(f"{kind} detection", chosen, "cell", done))
    return found, repairs


def _rebuilt(column: ColumnCells, numbers: Sequence[float], words: Sequence[int]) -> Any:
    """Return the column with its numbers, of the type of a clean file; words stay as they are."""
    import pandas as pd

    values = np.append(np.array(numbers, dtype=np.float64), np.nan)[column.codes]
    index = column.series.index
    if words:
        cells = pd.Series(values, index=index, dtype=object, name=column.name)
        kept = column.where(words)
        return cells.where(~kept, column.series.astype(object))
    whole = all(not r.mark for r in column.readings) and np.isfinite(values).all()
    if whole and (values == np.round(values)).all() and np.abs(values).max(initial=0.0) <= 2**53:
        return pd.Series(values.astype(np.int64), index=index, name=column.name)
    return pd.Series(values, index=index, name=column.name)
