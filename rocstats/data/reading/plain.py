"""Text: tables separated by commas or tabs."""

from __future__ import annotations

import csv
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.data.columns import beyond_doubles
from rocstats.data.reading.bounds import check_size, damaged
from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MISSING", "check_names", "count_lines", "parser_options", "text_reader", "too_long"]

# What counts as missing in text. Unlike pandas, not "None", which is an answer in many studies.
_MOST_HEADER = 2**24  # characters of a name
_DIGITS = bytes.maketrans(b"123456789E", b"000000000e")
_VAST = (b"0e000", b"0e+000", b"0e-000", b"0" * 300)  # what may lie beyond the doubles

MISSING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-nan", "null", "NULL"]


def text_reader(separator: str) -> Callable[[Path], Table]:
    """Return the reader of text with this separator."""

    def read(path: Path) -> Table:
        import pandas as pd

        how = parser_options(separator)
        names = _names(path, separator)
        if not names:
            return Table(frame=pd.DataFrame())
        check_names(path, names)
        check_size(path, count_lines(path), len(names))
        _check_separator(path, names, separator)
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                frame: pd.DataFrame = pd.read_csv(path, na_values=MISSING, low_memory=False, **how)
            except pd.errors.ParserWarning:
                raise too_long(path) from None
        if len(frame) and frame.iloc[:, 0].is_unique and _has_one_more(path, how):
            raise too_long(path)
        _check_end(path, separator, len(names))
        return Table(frame=_as_written(path, frame, how))

    return read


def parser_options(separator: str) -> dict[str, Any]:
    """Return how pandas is to parse text."""
    import pandas as pd

    how: dict[str, Any] = {
        "sep": separator,
        "encoding": "utf-8-sig",
        "keep_default_na": False,
        "index_col": False,  # else a row longer than the header shifts every column by one
    }
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1):
        how["float_precision"] = "round_trip"  # the default was off by one ulp until then
    return how


def _names(path: Path, separator: str) -> list[str]:
    """Return the cells of the first line that is not empty; of many a data frame takes long."""
    before = csv.field_size_limit(_MOST_HEADER)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter=separator)
            return next((row for row in rows if row[1:] or "".join(row).strip()), [])
    finally:
        csv.field_size_limit(before)


def count_lines(path: Path) -> int:
    """Return how many lines there are after the first, at most."""
    counts, last = [], b""
    with path.open("rb") as file:
        while block := file.read(2**20):
            counts.append((block.count(b"\n"), block.count(b"\r")))
            last = block[-1:]
    return max(sum(n for n, _ in counts), sum(r for _, r in counts)) - (last in b"\r\n")


def _check_end(path: Path, separator: str, columns: int) -> None:
    """Refuse a last line that is not ended and has fewer cells than there are names."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - 2**16, 0))
        ending = file.read()
    last = re.split(rb"[\r\n]", ending)[-1]
    if last and b'"' not in last and last.count(separator.encode()) < columns - 1:
        raise damaged(path, "its last line ends within a row")


def _as_written(path: Path, frame: pd.DataFrame, how: dict[str, Any]) -> pd.DataFrame:
    """Return the table with numbers beyond the doubles as their texts, which tie with nothing."""
    import pandas as pd

    if not _may_be_vast(path):
        return frame
    places = {j: _at_an_end(frame.iloc[:, j]) for j in range(frame.shape[1])}
    doubtful = [j for j, rows in places.items() if rows.any()]
    if not doubtful:
        return frame
    texts = pd.read_csv(path, dtype=object, usecols=doubtful, **(how | {"index_col": None}))
    for k, j in enumerate(doubtful):
        cells = texts.iloc[:, k].where(places[j] & texts.iloc[:, k].map(beyond_doubles))
        if cells.notna().any():
            whole = frame.iloc[:, j].astype(object).where(cells.isna(), cells)
            frame = frame.assign(**{frame.columns[j]: whole})
    return frame


def _may_be_vast(path: Path) -> bool:
    """Whether there is an exponent of three digits, or a number of three hundred."""
    last = b""
    with path.open("rb") as file:
        while block := file.read(2**22):
            text = last + block.translate(_DIGITS)
            if any(vast in text for vast in _VAST):
                return True
            last = text[-300:]
    return False


def _at_an_end(values: pd.Series[Any]) -> pd.Series[bool]:
    """Return which cells are zero or infinite doubles."""
    if values.dtype.kind != "f":
        return values.isin([])
    return (values == 0.0) | (values.abs() == np.inf)


def _has_one_more(path: Path, how: dict[str, Any]) -> bool:
    """Whether a row has a last empty cell beyond the names: after row names, all are shifted."""
    import pandas as pd

    try:
        pd.read_csv(path, header=None, nrows=2, dtype=str, **how)
    except pd.errors.ParserError:
        return True
    return False


def too_long(path: Path) -> InvalidSampleError:
    """Return the refusal of rows that reach beyond the names."""
    return InvalidSampleError(
        f"{path} has rows with more cells than the line of column names; mend the file."
    )


def check_names(path: Path, names: Iterable[Any]) -> None:
    """Refuse a name that is there twice, which pandas would number instead."""
    given = [name for name in names if isinstance(name, str) and name.strip()]
    twice = next((name for name, times in Counter(given).items() if times > 1), None)
    if twice is not None:
        raise InvalidSampleError(
            f"{path} has two columns named {twice!r}; column names must differ."
        )


def _check_separator(path: Path, names: Sequence[str], separator: str) -> None:
    for other, word in ((",", "commas"), (";", "semicolons"), ("\t", "tabs")):
        if len(names) == 1 and other != separator and other in names[0]:
            raise InvalidSampleError(
                f"{path} seems to be separated by {word}; "
                "use commas in a .csv file and tabs in a .tsv or .txt file."
            )
