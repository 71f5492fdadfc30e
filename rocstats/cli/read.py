"""Read a table by the suffix of its file name, or refuse it in one sentence."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING, Any

from rocstats.errors import InvalidSampleError, MissingDependencyError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MISSING", "SUFFIXES", "match_label", "read_table"]

# What counts as missing in text. Unlike pandas, not "None", which is an answer in many studies.
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-nan", "null", "NULL"]

_NOISE = "Error tokenizing data. C error: "


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """How files of one suffix are read, and which optional library that takes."""

    label: str
    read: Callable[[Path], pd.DataFrame]
    library: str | None = None
    install: str = "rocstats[io]"


def read_table(name: str) -> pd.DataFrame:
    """Return the table in a file; every refusal is a `RocstatsError` of one sentence."""
    path = Path(name)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        hint = did_you_mean(path.name, _neighbours(path))
        raise InvalidSampleError(f"There is no file {name}.{hint}") from None
    except (OSError, ValueError) as reason:
        raise InvalidSampleError(f"{name} could not be read: {_why(reason)}.") from None
    if S_ISDIR(status.st_mode):
        raise InvalidSampleError(f"{name} is a directory; name the file with the data.")
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        raise InvalidSampleError(
            f"{name} has no suffix that tells its format; use one of {', '.join(SUFFIXES)}."
        )
    if form.library is not None:
        _require(form.library, form.install, path.suffix)
    frame = _read(path, form) if status.st_size else None
    if frame is None or not len(frame.columns):
        raise InvalidSampleError(f"{name} is empty; it needs a line of column names and data.")
    frame.columns = [str(column) for column in frame.columns]
    _check_names(path, frame.columns)
    return frame


def _read(path: Path, form: _Format) -> pd.DataFrame:
    try:
        return form.read(path)
    except InvalidSampleError:
        raise
    except UnicodeDecodeError:
        raise InvalidSampleError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except Exception as reason:  # readers raise whatever the library beneath them raises
        raise InvalidSampleError(
            f"{path} could not be read as {form.label}: {_why(reason)}."
        ) from None


def match_label(text: str, labels: Iterable[Any]) -> Any:
    """Return the label that is written as `text`, whatever its type, or `text` itself.

    Examples
    --------
    >>> match_label("1", [0, 1]), match_label("1", [False, True]), match_label("true", [True])
    (1, True, True)
    >>> match_label("1", ["0", "1"]), match_label("2", [0.0, 1.0])
    ('1', '2')
    """
    known = list(labels)
    truth = {"true": True, "false": False}.get(text.casefold())
    number = _number(text)
    tests: tuple[Callable[[Any], bool], ...] = (
        lambda label: isinstance(label, str) and label == text,
        lambda label: str(label) == text,
        lambda label: isinstance(label, (int, float)) and label == number,
        lambda label: isinstance(label, bool) and label is truth,
    )
    for same in tests:
        for label in known:
            if same(label):
                return label
    return text


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _require(library: str, install: str, suffix: str) -> None:
    try:
        import_module(library)
    except ImportError:
        raise MissingDependencyError(
            f"Reading {suffix} files needs {library}, which is not installed; "
            f"run: pip install '{install}'"
        ) from None


def _neighbours(path: Path) -> list[str]:
    try:
        return [other.name for other in path.parent.iterdir() if other.suffix.lower() in _FORMATS]
    except OSError:
        return []


def _why(reason: Exception) -> str:
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    lines = str(reason).strip().splitlines()
    return lines[0].rstrip(".").removeprefix(_NOISE) if lines else type(reason).__name__


# ------------------------------------------------------------------------------------ the formats


def _text(separator: str) -> Callable[[Path], pd.DataFrame]:
    def read(path: Path) -> pd.DataFrame:
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
            return pd.DataFrame()
        names = header.iloc[0].tolist()
        _check_names(path, names)
        _check_separator(path, names, separator)
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                frame: pd.DataFrame = pd.read_csv(
                    path,
                    na_values=MISSING,
                    low_memory=False,
                    **how,
                )
                return frame
            except pd.errors.ParserWarning:
                raise InvalidSampleError(
                    f"{path} has rows with more cells than the line of column names; mend the file."
                ) from None

    return read


def _check_names(path: Path, names: Iterable[Any]) -> None:
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


def _parquet(path: Path) -> pd.DataFrame:
    import pandas as pd

    frame = pd.read_parquet(path, engine="pyarrow")
    return frame if frame.index.names == [None] else frame.reset_index()


def _excel(engine: Any) -> Callable[[Path], pd.DataFrame]:
    def read(path: Path) -> pd.DataFrame:
        import pandas as pd

        header = pd.read_excel(path, engine=engine, header=None, nrows=1, dtype=object)
        if len(header):
            _check_names(path, header.iloc[0].tolist())
        return pd.read_excel(path, engine=engine, keep_default_na=False, na_values=MISSING)

    return read


_FORMATS = {
    ".csv": _Format(label="CSV", read=_text(",")),
    ".tsv": _Format(label="tab-separated text", read=_text("\t")),
    ".txt": _Format(label="tab-separated text", read=_text("\t")),
    ".parquet": _Format(label="Parquet", read=_parquet, library="pyarrow"),
    ".xlsx": _Format(label="Excel", read=_excel("openpyxl"), library="openpyxl"),
}
SUFFIXES = tuple(_FORMATS)
