"""Sources of rows: files, frames and queries that give Arrow batches, as often as asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from rocstats.data.scan.arrow_rows import ArrowFiles, arrow_rows
from rocstats.data.scan.cluster_rows import DaskFrame, RayDataset, SparkFrame
from rocstats.data.scan.duckdb_rows import DuckFiles, DuckQuery, DuckRelation
from rocstats.data.scan.file_lists import DataFiles, find_files
from rocstats.data.scan.ibis_rows import ibis_rows
from rocstats.data.scan.polars_rows import PolarsFrame
from rocstats.data.scan.query_rows import Cursor, driver_connection
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    check_option,
    did_you_mean,
    is_installed,
    listed,
    named,
    require_library,
)

__all__ = ["ENGINES", "Source", "check_columns", "find_source"]

ENGINES = ("auto", "duckdb", "pyarrow")


class Source(Protocol):
    """Rows that can be read again, and counted by the engine they are in."""

    def kinds(self) -> dict[str, str]:
        """Return the columns, each with "number", "text", "label" or "other"."""

    def batches(self, names: list[str]) -> Iterator[Any]:
        """Yield Arrow batches of some columns."""

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        """Yield batches of a marker, the outcome and how often; None where it cannot count."""


def find_source(source: Any, engine: str, memory: str | None, *, verify: bool) -> Source:
    """Return the rows of a path, a frame or a query."""
    check_option("engine", engine, ENGINES)
    require_library("pyarrow", "A table that is scanned", "big")
    if isinstance(source, (str, Path)) or _are_paths(source):
        return _of_files(find_files(source), engine, memory, verify=verify)
    if isinstance(source, tuple) and len(source) == 2 and isinstance(source[1], str):
        return _of_query(*source)
    kind = _FRAMES.get(_library(source))
    if kind is not None and hasattr(type(source), "columns"):
        return kind(source)
    found = arrow_rows(source)
    if found is not None:
        return found
    raise InvalidOptionError(
        "A table is scanned from a path, a frame (of DuckDB, Polars, Arrow, pandas, Dask, Spark, "
        f"Ray or Ibis) or (connection, query), got {type(source).__name__}."
    )


# What reads the frames of a library, which is known by its name and need not be imported.
_FRAMES: dict[str, Callable[[Any], Source]] = {
    "dask": DaskFrame,
    "dask_expr": DaskFrame,
    "duckdb": DuckRelation,
    "_duckdb": DuckRelation,
    "ibis": ibis_rows,
    "polars": lambda frame: PolarsFrame(frame.lazy()),
    "pyspark": SparkFrame,
    "ray": RayDataset,
}


def _library(thing: Any) -> str:
    return type(thing).__module__.partition(".")[0]


def _are_paths(source: Any) -> bool:
    several = isinstance(source, list) and bool(source)
    return several and all(isinstance(one, (str, Path)) for one in source)


def _of_files(files: DataFiles, engine: str, memory: str | None, *, verify: bool) -> Source:
    if verify and files.format != "parquet":
        raise InvalidOptionError(
            f"{named('verify')} reads the checksums of Parquet pages, and these are CSV files."
        )
    if verify or engine == "pyarrow" or (engine == "auto" and not is_installed("duckdb")):
        return ArrowFiles.opened(files, verify=verify)
    require_library("duckdb", "A scan by DuckDB", "big")
    return DuckFiles.opened(files, memory)


def _of_query(connection: Any, query: str) -> Source:
    query = query.strip().rstrip(";")
    if _library(connection) in ("duckdb", "_duckdb"):
        return DuckQuery(connection=connection, rows=f"({query}\n)")
    if _library(connection) == "sqlalchemy":
        connection = driver_connection(connection)
    if not hasattr(connection, "cursor"):
        raise InvalidOptionError(
            "A query needs a connection with a cursor, as Python's database modules have, got "
            f"{type(connection).__name__}."
        )
    return Cursor(connection=connection, query=query)


def check_columns(source: Source, names: list[str], markers: tuple[str, ...]) -> None:
    """Refuse columns that are not there, and markers that are not numbers."""
    kinds = source.kinds()
    for name in names:
        if name not in kinds:
            raise InvalidSampleError(
                f"The data have no column {name!r}; they have {listed(kinds)}."
                f"{did_you_mean(name, kinds)}"
            )
    for name in markers:
        if kinds[name] != "number":
            raise InvalidSampleError(
                f"The scores of {name} must be numbers, got {kinds[name]}; convert them first."
            )
