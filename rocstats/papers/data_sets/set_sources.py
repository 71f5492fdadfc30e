"""Places a benchmark set can come from; each gives columns, or says why it cannot."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rocstats.errors import InvalidOptionError, InvalidSampleError
from rocstats.papers.data_sets.set_columns import (
    Column,
    nominal_column,
    numeric_column,
    read_column,
)
from rocstats.papers.data_sets.set_files import find_file, read_file, read_lines, stack

__all__ = ["Access", "Bundled", "Files", "Found", "Generated", "OnOpenML", "Package", "Place"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a user allows: a folder, R on this machine, and OpenML, which is a download."""

    data: Path | None = None
    r: bool = True
    openml: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """Columns, where they are from, and what is known to be wrong with that copy."""

    columns: list[Column]
    source: str
    note: str = ""


class Place(Protocol):
    """Where a set can come from.

    Attributes
    ----------
    target : the class column, by name or, from 0 or from the end, by position
    drop : attributes left out
    sparse : attributes left out before incomplete rows are
    """

    @property
    def target(self) -> str | int: ...
    @property
    def drop(self) -> tuple[str, ...]: ...
    @property
    def sparse(self) -> tuple[str, ...]: ...

    def find(self, access: Access) -> Found | str:
        """Return the columns, or how this place could give them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A rule."""

    make: Callable[[], list[Column]]
    target: str | int = -1
    drop: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()

    def find(self, access: Access) -> Found | str:
        """Return every row."""
        return Found(columns=self.make(), source="generated from its rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundled:
    """A set that comes with scikit-learn."""

    loader: str
    target: str | int = -1
    drop: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()

    def find(self, access: Access) -> Found | str:
        """Return scikit-learn's rows."""
        try:
            import sklearn  # type: ignore[import-untyped]
            from sklearn import datasets
        except ImportError:
            return 'scikit-learn (pip install "rocstats[ml]")'
        bunch = getattr(datasets, self.loader)()
        columns = [
            Column(name=str(name), values=np.array(bunch.data[:, j], dtype=np.float64))
            for j, name in enumerate(bunch.feature_names)
        ]
        names = [str(name) for name in bunch.target_names]
        columns.append(nominal_column("class", [names[int(c)] for c in bunch.target], names))
        return Found(columns=columns, source=f"scikit-learn {sklearn.__version__}, {self.loader}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Files of the user's folder, their rows joined.

    Attributes
    ----------
    names : the files, all of them needed
    header : whether plain text starts with the names of the columns
    nominal : columns of plain text whose numbers are codes
    rows : how many of the first rows are used; None for all
    note : what is wrong with this copy where its values are separated by commas
    """

    names: tuple[str, ...]
    header: bool = False
    nominal: tuple[int, ...] = ()
    rows: int | None = None
    note: str = ""
    target: str | int = -1
    drop: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()

    def find(self, access: Access) -> Found | str:
        """Return the rows of the files, if all are in the folder."""
        wanted = f"{' and '.join(self.names)} in the folder of --data"
        if access.data is None:
            return wanted
        if not access.data.is_dir():
            raise InvalidSampleError(f"There is no folder {access.data}.")
        paths = [find_file(access.data, name) for name in self.names]
        found = [path for path in paths if path is not None]
        if len(found) < len(self.names):
            return wanted
        parts = [read_file(path, header=self.header, nominal=self.nominal) for path in found]
        columns = stack(parts, " and ".join(path.name for path in found))
        if self.rows is not None:
            columns = [
                Column(name=c.name, values=c.values[: self.rows], levels=c.levels) for c in columns
            ]
        commas = bool(self.note) and any("," in line for line in read_lines(found[0])[-5:])
        source = "file " + " and ".join(path.name for path in found)
        return Found(columns=columns, source=source, note=self.note if commas else "")


_FROM_R = """
home <- new.env()
data(list = name, package = package, envir = home)
rows <- home[[name]]
if (!is.null(first)) rows <- rows[seq_len(first), ]
lapply(rows, function(x) {
  if (is.character(x)) x
  else if (is.ordered(x) && !all_numeric) as.numeric(x)
  else if (is.factor(x) && all_numeric && !anyNA(suppressWarnings(as.numeric(levels(x)))))
    as.numeric(as.character(x))
  else if (is.factor(x)) as.character(x)
  else as.numeric(x)
})
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A data set of an R package.

    Attributes
    ----------
    package, dataset : names in R
    rows : how many of the first rows are used; None for all
    all_numeric : whether factors whose levels are numbers are numbers, as in Weka's copy
    """

    package: str
    dataset: str
    rows: int | None = None
    all_numeric: bool = False
    target: str | int = -1
    drop: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()

    def find(self, access: Access) -> Found | str:
        """Return the rows as R has them."""
        wanted = f"R with its package {self.package}"
        if not access.r:
            return wanted
        import rocstats as rs

        if not rs.rbridge.available([self.package]):
            return wanted
        request = {
            "name": self.dataset,
            "package": self.package,
            "first": self.rows,
            "all_numeric": self.all_numeric,
        }
        frame = rs.rbridge.evaluate(_FROM_R, request, packages=(self.package,))
        version = rs.rbridge.versions([self.package])[self.package]
        target = self.target if isinstance(self.target, str) else list(frame)[self.target]
        columns = [_r_column(name, values, name == target) for name, values in frame.items()]
        return Found(columns=columns, source=f"R package {self.package} {version}, {self.dataset}")


def _r_column(name: str, values: list[Any], is_class: bool) -> Column:
    if any(isinstance(value, str) for value in values):
        return nominal_column(name, values)
    if is_class:
        return nominal_column(name, [f"{value:g}" for value in values])
    numbers = np.array(values, dtype=np.float64)
    # R's NA is a signalling nan, which warns when it is cast
    return Column(name=name, values=np.where(np.isnan(numbers), np.nan, numbers))


@dataclass(frozen=True, slots=True, kw_only=True)
class OnOpenML:
    """A set of OpenML, fetched only where the user asked for it."""

    number: int
    name: str
    target: str | int = -1
    drop: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()

    def find(self, access: Access) -> Found | str:
        """Return the rows of OpenML, whose answer must carry the expected name."""
        wanted = f"OpenML's data set {self.number} ({self.name}), fetched with --openml"
        if not access.openml:
            return wanted
        try:
            from sklearn.datasets import fetch_openml  # type: ignore[import-untyped]
        except ImportError:
            return 'scikit-learn (pip install "rocstats[ml]")'
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "A network error occurred")  # it is said below
                bunch = fetch_openml(data_id=self.number, as_frame=True, parser="auto", n_retries=1)
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError) or hasattr(error, "code"):  # OpenML has answered
                return f"{wanted} (the download failed: {error})"
            raise InvalidOptionError(
                f"OpenML cannot be reached ({getattr(error, 'reason', error)}); go on line, or "
                "leave --openml out."
            ) from None
        found = str(bunch.details.get("name", ""))
        if found.lower() != self.name.lower():
            raise InvalidSampleError(
                f"OpenML's data set {self.number} is {found}, but {self.name} was expected."
            )
        frame = bunch.data.assign(**{str(bunch.target.name): bunch.target})
        columns = [_frame_column(str(name), frame[name]) for name in frame.columns]
        return Found(columns=columns, source=f"OpenML {self.number}")


def _frame_column(name: str, series: Any) -> Column:
    words = [None if missing else str(v) for v, missing in zip(series, series.isna(), strict=True)]
    if hasattr(series, "cat"):
        return nominal_column(name, words, [str(level) for level in series.cat.categories])
    return numeric_column(name, words) if series.dtype.kind in "fiu" else read_column(name, words)
