"""Read a table by the suffix of its file name, or refuse it in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from stat import S_ISDIR

from rocstats.data.reading import (
    excel,
    old_excel,
    open_document,
    packages,
    parquet,
    plain,
    r_files,
)
from rocstats.data.reading.plain import MISSING
from rocstats.data.reading.table import Table, match_label
from rocstats.errors import InvalidSampleError, MissingDependencyError, did_you_mean

__all__ = ["MISSING", "SUFFIXES", "Table", "form_of", "match_label", "read_table", "refused"]

_NOISE = "Error tokenizing data. C error: "
_LONGEST = 200  # characters of what another library says


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """How files of one suffix are read, and which optional library that takes."""

    label: str
    read: Callable[[Path], Table]
    library: str | None = None
    install: str = "rocstats[io]"


def read_table(name: str) -> Table:
    """Return the table in a file; every refusal is a `RocstatsError` of one sentence."""
    path, form = Path(name), form_of(name)
    table = _read(path, form) if path.stat().st_size else None
    if table is None or not len(table.frame.columns):
        raise InvalidSampleError(f"{name} is empty; it needs a line of column names and data.")
    table.frame.columns = [str(column) for column in table.frame.columns]
    plain.check_names(path, table.frame.columns)
    return replace(table, format=form.label)


def form_of(name: str) -> _Format:
    """Return the format of a file that is there, or refuse it."""
    path = Path(name)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        hint = did_you_mean(path.name, {*_neighbours(path)} - {path.name})  # a link to nothing
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
    return form


def _read(path: Path, form: _Format) -> Table:
    try:
        return form.read(path)
    except InvalidSampleError:
        raise
    except UnicodeDecodeError:
        raise InvalidSampleError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except Exception as reason:  # readers raise whatever the library beneath them raises
        raise refused(path, reason) from None


def refused(path: Path, reason: Exception) -> InvalidSampleError:
    """Return the refusal of a file for what another library said of it."""
    label = _FORMATS[path.suffix.lower()].label
    return InvalidSampleError(f"{path} could not be read as {label}: {_why(reason)}.")


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
    if isinstance(reason, MemoryError):
        return "there is not enough memory for it"
    lines = str(reason).strip().splitlines()
    why = lines[0].rstrip(".").removeprefix(_NOISE) if lines else type(reason).__name__
    return why if len(why) <= _LONGEST else f"{why[:_LONGEST]}..."


def _foreign(label: str, read: Callable[[Path], Table], library: str) -> _Format:
    return _Format(label=label, read=read, library=library)


_FORMATS = {
    ".csv": _Format(label="CSV", read=plain.text_reader(",")),
    ".tsv": _Format(label="tab-separated text", read=plain.text_reader("\t")),
    ".txt": _Format(label="tab-separated text", read=plain.text_reader("\t")),
    ".parquet": _foreign("Parquet", parquet.read_parquet, "pyarrow"),
    ".xlsx": _foreign("Excel", excel.read_excel, "openpyxl"),
    ".xls": _foreign("Excel 97", old_excel.read_xls, "xlrd"),
    ".ods": _Format(label="OpenDocument", read=open_document.read_ods),
    ".sas7bdat": _foreign("SAS", packages.read_sas, "pyreadstat"),
    ".xpt": _foreign("SAS transport", packages.read_xpt, "pyreadstat"),
    ".sav": _foreign("SPSS", packages.read_sav, "pyreadstat"),
    ".zsav": _foreign("compressed SPSS", packages.read_sav, "pyreadstat"),
    ".por": _foreign("SPSS portable", packages.read_por, "pyreadstat"),
    ".dta": _foreign("Stata", packages.read_stata, "pyreadstat"),
    ".rds": _foreign("an R object", r_files.read_rds, "rdata"),
    ".rdata": _foreign("an R workspace", r_files.read_rdata, "rdata"),
    ".rda": _foreign("an R workspace", r_files.read_rdata, "rdata"),
}
SUFFIXES = tuple(_FORMATS)
