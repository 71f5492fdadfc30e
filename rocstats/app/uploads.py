"""An uploaded file: its name, how it is read, and what its table offers to the form.

This module alone reads a user's data, in a process of its own
(``python -m rocstats.app.uploads FILE [OPTIONS]``), which prints what it found as JSON.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.app.study_form import spoken_sentence
from rocstats.errors import InvalidSampleError, RocstatsError

if TYPE_CHECKING:
    from rocstats.analysis.proposals import Column
    from rocstats.data.reading.files import Table

__all__ = ["look_into", "safe_name"]

_BARS = 24  # of a picture of numbers
_FEW = 24  # values of a column that are listed
_MOST_COLUMNS = 400  # that the form offers
_ROWS = 8  # that the page shows
_RANGES = 8  # of cells that the page lists of a repair
_LONGEST = 100  # characters of a file name, and of a cell that is shown


def safe_name(name: str) -> str:
    r"""Return the name of an uploaded file without any folder, or refuse it in a sentence.

    Examples
    --------
    >>> safe_name("../../etc/study 1.csv"), safe_name("C:\\data\\study.XLSX")
    ('study 1.csv', 'study.XLSX')
    """
    from rocstats.data.reading.files import SUFFIXES

    last = re.split(r"[\\/]", name)[-1]
    kept = "".join(c for c in last if unicodedata.category(c)[0] != "C").strip(" .-")
    suffix = Path(kept).suffix
    if suffix.lower() not in SUFFIXES or not Path(kept).stem:
        raise InvalidSampleError(
            f"A table was expected, a file ending in {', '.join(SUFFIXES)}, got "
            f"{kept[:_LONGEST]!r}; save the table as .xlsx or .csv."
        )
    return kept if len(kept) <= _LONGEST else kept[: _LONGEST - len(suffix)] + suffix


def look_into(path: str, reading: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what a table offers: its columns with their pictures, first rows and proposals.

    `reading` are options of the report that say how the file is to be read.
    """
    from rocstats.analysis.proposals import describe, propose
    from rocstats.data.intake.intake_settings import IntakeSettings
    from rocstats.data.intake.taking_in import take_in

    intake = take_in(path, IntakeSettings(**(reading or {})))
    table = intake.table
    called = [str(name) for name in table.frame.columns]
    said = {q: spoken_sentence(q.sentence, called) for q in intake.questions}
    asked = {q.column: sentence for q, sentence in said.items() if q.blocks}
    names = [name for name in table.frame.columns if name][:_MOST_COLUMNS]
    columns = [describe(table, name) for name in names]
    chosen: dict[str, Any] = {}
    propose(columns, chosen)
    n_rows, n_columns = table.frame.shape
    first = table.frame[names].head(_ROWS)
    return {
        "format": table.format,
        "n_rows": n_rows,
        "n_columns": n_columns,
        "notes": table.notes(),
        "reading": dict(reading or {}),
        "repairs": [[r.sentence, ", ".join(r.cells[:_RANGES])] for r in intake.repairs],
        "questions": list(said.values()),
        "columns": [
            _facts(table, column) | {"question": asked.get(column.name, "")} for column in columns
        ],
        "rows": [
            [_cell(value) for value in row]
            for row in first.astype(object).where(first.notna(), None).to_numpy().tolist()
        ],
        "proposed": {
            name: chosen[name] if isinstance(chosen[name], list) else str(chosen[name])
            for name in ("outcome", "positive", "markers")
            if name in chosen
        },
    }


def _facts(table: Table, column: Column) -> dict[str, Any]:
    """Return what the form needs to know of a column, with the heights of its picture."""
    n = len(column.values)
    few = n <= _FEW
    found: dict[str, Any] = {
        "name": column.name,
        "kind": column.kind,
        "missing": column.missing,
        "distinct": n,
        "is_id": column.is_id,
        "values": [],
        "bars": [],
    }
    if few and n:
        order = sorted(range(n), key=lambda i: _in_order(column.values[i]))
        found["values"] = [[str(column.values[i]), column.counts[i]] for i in order]
        found["bars"] = [column.counts[i] for i in order]
    elif column.kind == "number" and n:
        found |= _histogram(table, column.name)
    return found


def _in_order(value: Any) -> tuple[int, Any, str]:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (0, value, "") if number else (1, 0, str(value))


def _histogram(table: Table, name: str) -> dict[str, Any]:
    import numpy as np

    numbers = table.frame[name].dropna().to_numpy(dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size:
        return {}
    low, high = float(numbers.min()), float(numbers.max())
    if not np.isfinite(high - low):
        return {"low": f"{low:.4g}", "high": f"{high:.4g}"}
    counts, _ = np.histogram(numbers, bins=_BARS, range=(low, high) if low < high else None)
    return {"low": f"{low:.4g}", "high": f"{high:.4g}", "bars": counts.tolist()}


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


# ------------------------------------------------------------------------------------ the process


def main(words: list[str]) -> int:
    """Print what a file offers, or say on stderr why it cannot be read."""
    path, *told = words
    print(f"reading {Path(path).name}", file=sys.stderr, flush=True)
    try:
        found = look_into(path, json.loads(told[0]) if told else None)
    except RocstatsError as error:
        print(" ".join(spoken_sentence(error.sentence, [path]).splitlines()), file=sys.stderr)
        return 2
    json.dump(found, sys.stdout, allow_nan=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
