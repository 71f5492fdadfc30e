"""Text, Parquet and Excel: tables without value labels."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MISSING", "check_names", "read_excel", "read_parquet", "text_reader"]

# What counts as missing in text. Unlike pandas, not "None", which is an answer in many studies.
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-nan", "null", "NULL"]


def text_reader(separator: str) -> Callable[[Path], Table]:
    """Return the reader of text with this separator."""

    def read(path: Path) -> Table:
        import pandas as pd

        how: dict[str, Any] = {
            "sep": separator,
            "encoding": "utf-8-sig",
            "keep_default_na": False,
            "index_col": False,  # else a row longer than the header shifts every column by one
        }
        if tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1):
            how["float_precision"] = "round_trip"  # the default was off by one ulp until then
        try:
            header = pd.read_csv(path, header=None, nrows=1, dtype=str, **how)
        except pd.errors.EmptyDataError:
            return Table(frame=pd.DataFrame())
        names = header.iloc[0].tolist()
        check_names(path, names)
        _check_separator(path, names, separator)
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                frame: pd.DataFrame = pd.read_csv(path, na_values=MISSING, low_memory=False, **how)
            except pd.errors.ParserWarning:
                raise _too_long(path) from None
        if len(frame) and frame.iloc[:, 0].is_unique and _has_one_more(path, how):
            raise _too_long(path)
        return Table(frame=frame)

    return read


def _has_one_more(path: Path, how: dict[str, Any]) -> bool:
    """Whether a row has a last empty cell beyond the names: after row names, all are shifted."""
    import pandas as pd

    try:
        pd.read_csv(path, header=None, nrows=2, dtype=str, **how)
    except pd.errors.ParserError:
        return True
    return False


def _too_long(path: Path) -> InvalidSampleError:
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


def read_parquet(path: Path) -> Table:
    """Read a Parquet file; an index with a name is a column."""
    import pandas as pd

    frame = pd.read_parquet(path, engine="pyarrow")
    return Table(frame=frame if frame.index.names == [None] else frame.reset_index())


def read_excel(path: Path) -> Table:
    """Read the first sheet of an Excel workbook; of several it is said which."""
    import pandas as pd

    with pd.ExcelFile(path, engine="openpyxl") as book:
        header = pd.read_excel(book, header=None, nrows=1, dtype=object)
        if len(header):
            check_names(path, header.iloc[0].tolist())
        frame: pd.DataFrame = pd.read_excel(book, keep_default_na=False, na_values=MISSING)
        first, *others = map(str, book.sheet_names)
    remark = f"Of {len(others) + 1} sheets the first, {first!r}, was read."
    return Table(frame=frame, remarks=(remark,) if others else ())
