"""Sources of rows: files, frames and queries that give Arrow batches, as often as asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rocstats.data.scan.file_lists import DataFiles, find_files
from rocstats.data.scan.row_judging import COUNT
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

__all__ = ["BATCH", "ENGINES", "Source", "find_source"]

BATCH = 2**17  # rows that are read at a time
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
    module = type(source).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb"):
        return DuckRelation(source)
    if module == "polars":
        return PolarsFrame(source.lazy())
    if module == "pyarrow" or hasattr(source, "__arrow_c_stream__"):
        return ArrowTable(source)
    raise InvalidOptionError(
        "A table is scanned from a path, a DuckDB relation, a Polars frame, an Arrow table or "
        f"(connection, query), got {type(source).__name__}."
    )


def _are_paths(source: Any) -> bool:
    several = isinstance(source, list) and bool(source)
    return several and all(isinstance(one, (str, Path)) for one in source)


def _of_files(files: DataFiles, engine: str, memory: str | None, *, verify: bool) -> Source:
    if verify and files.format != "parquet":
        raise InvalidOptionError(
            f"{named('verify')} reads the checksums of Parquet pages, and these are CSV files."
        )
    if verify or engine == "pyarrow" or (engine == "auto" and not is_installed("duckdb")):
        return ArrowFiles(files=files, verify=verify)
    require_library("duckdb", "A scan by DuckDB", "big")
    return DuckFiles.opened(files, memory)


def _of_query(connection: Any, query: str) -> Source:
    if type(connection).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        return DuckQuery(connection=connection, rows=f"({query.strip().rstrip(';')})")
    if not hasattr(connection, "cursor"):
        raise InvalidOptionError(
            "A query needs a connection with a cursor, as Python's database modules have, got "
            f"{type(connection).__name__}."
        )
    return Cursor(connection=connection, query=query.strip().rstrip(";"))


def arrow_kind(kind: Any) -> str:
    """Return what an Arrow type is, in a word."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if number or pa.types.is_boolean(kind):
        return "number"
    return "text" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else "other"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _reader(result: Any) -> Any:
    """Return DuckDB's answer as a stream of batches, by the name that its version has for it."""
    name = "to_arrow_reader" if hasattr(result, "to_arrow_reader") else "fetch_arrow_reader"
    import duckdb

    try:
        return getattr(result, name)(BATCH)
    except duckdb.Error as error:
        raise cannot_read(error) from None


def _batches(reader: Any) -> Iterator[Any]:
    import duckdb

    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except (duckdb.Error, OSError, ValueError) as error:
            raise cannot_read(error) from None
        yield batch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DuckQuery:
    """Rows of a query, or of files, in DuckDB.

    Attributes
    ----------
    connection : DuckDB's
    rows : what stands after FROM
    """

    connection: Any
    rows: str

    def kinds(self) -> dict[str, str]:
        found = _reader(self._run(f"SELECT * FROM {self.rows} LIMIT 0"))
        return {field.name: arrow_kind(field.type) for field in found.schema}

    def batches(self, names: list[str]) -> Iterator[Any]:
        wanted = ", ".join(map(_quoted, names))
        return self._read(f"SELECT {wanted} FROM {self.rows}")

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{_quoted(marker)}, {_quoted(outcome)}"
        return self._read(
            f"SELECT {columns}, count(*)::BIGINT AS {COUNT} FROM {self.rows} GROUP BY {columns}"
        )

    def looked_up(self, names: list[str], markers: list[str], tables: list[Any]) -> Iterator[Any]:
        """Yield batches in which each marker is its number in a table of (score, number).

        NULL, and so missing, where a score is not in the table.
        """
        for k, table in enumerate(tables):
            self.connection.register(f"rocstats_scores_{k}", table)
        coded = [f"t{k}.code AS {_quoted(name)}" for k, name in enumerate(markers)]
        others = [f"r.{_quoted(name)}" for name in names if name not in markers]
        joins = " ".join(
            f"LEFT JOIN rocstats_scores_{k} t{k} ON r.{_quoted(name)} = t{k}.score"
            for k, name in enumerate(markers)
        )
        try:
            yield from self._read(
                f"SELECT {', '.join([*coded, *others])} FROM {self.rows} r {joins}"
            )
        finally:
            for k in range(len(tables)):
                self.connection.unregister(f"rocstats_scores_{k}")

    def _run(self, sql: str) -> Any:
        import duckdb

        try:
            return self.connection.sql(sql)
        except duckdb.Error as error:
            raise cannot_read(error) from None

    def _read(self, sql: str) -> Iterator[Any]:
        return _batches(_reader(self._run(sql)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DuckFiles(DuckQuery):
    """Parquet or CSV files, read by DuckDB."""

    files: DataFiles

    @classmethod
    def opened(cls, files: DataFiles, memory: str | None) -> DuckFiles:
        """Return the files in a database of their own, in memory."""
        import tempfile

        import duckdb

        connection = duckdb.connect()
        with suppress(duckdb.InvalidInputException):  # in a notebook that can draw none
            connection.execute("SET enable_progress_bar = false")
        connection.execute(f"SET temp_directory = {_literal(tempfile.gettempdir())}")
        if memory is not None:
            try:
                connection.execute(f"SET memory_limit = {_literal(str(memory))}")
            except duckdb.Error:
                raise InvalidOptionError(
                    f"{named('memory')} must be a size such as 1GB, got {memory!r}."
                ) from None
        return cls(connection=connection, rows=_scan_of(files.paths, files), files=files)

    def kinds(self) -> dict[str, str]:
        """Return the columns; refuses files that do not agree on what a column is."""
        agreed = DuckQuery.kinds(self)
        if len(self.files.paths) > 1:
            for path in self.files.paths:
                one = DuckQuery(connection=self.connection, rows=_scan_of((path,), self.files))
                check_agreement(agreed, one.kinds(), path)
        return agreed


def _scan_of(paths: tuple[str, ...], files: DataFiles) -> str:
    listing = ", ".join(map(_literal, paths))
    reader = "read_parquet" if files.format == "parquet" else "read_csv"
    hive = "true" if files.is_hive else "false"
    return f"{reader}([{listing}], hive_partitioning = {hive})"


def check_agreement(agreed: dict[str, str], here: dict[str, str], path: str) -> None:
    """Refuse a file whose columns are not what they are in the first."""
    for name, kind in here.items():
        if name in agreed and agreed[name] != kind:
            raise InvalidSampleError(
                f"The files do not agree on {name!r}: {Path(path).name} has {kind} where others "
                f"have {agreed[name]}; mend that file."
            )
    lost = [name for name in agreed if name not in here]
    if lost:
        raise InvalidSampleError(
            f"{Path(path).name} has no column {lost[0]!r}, which other files have; mend that file."
        )


def cannot_read(error: Exception) -> InvalidSampleError:
    """Return the refusal of a source that its engine cannot read, in its first line."""
    line = str(error).strip().partition("\n")[0].rstrip(".")
    return InvalidSampleError(f"The rows cannot be read ({line}); mend the source.")


@dataclass(frozen=True, slots=True, eq=False)
class DuckRelation:
    """A relation of DuckDB, whose connection is not asked for."""

    relation: Any

    def kinds(self) -> dict[str, str]:
        schema = _reader(self.relation.limit(0)).schema
        return {field.name: arrow_kind(field.type) for field in schema}

    def batches(self, names: list[str]) -> Iterator[Any]:
        wanted = ", ".join(map(_quoted, names))
        return _batches(_reader(self.relation.project(wanted)))

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{_quoted(marker)}, {_quoted(outcome)}"
        found = self.relation.aggregate(f"{columns}, count(*)::BIGINT AS {COUNT}", columns)
        return _batches(_reader(found))


@dataclass(frozen=True, slots=True, eq=False)
class PolarsFrame:
    """A lazy frame of Polars."""

    frame: Any

    def kinds(self) -> dict[str, str]:
        import polars as pl

        def kind(dtype: Any) -> str:
            if dtype.is_numeric() or dtype == pl.Boolean:
                return "number"
            words = (pl.String, pl.Categorical, pl.Enum)
            return "text" if dtype in words else "other"

        return {name: kind(dtype) for name, dtype in self.frame.collect_schema().items()}

    def batches(self, names: list[str]) -> Iterator[Any]:
        import polars as pl

        frame = self.frame.select(names)
        try:
            pieces = frame.collect_batches() if _has_batches(frame) else [frame.collect()]
            for piece in pieces:
                yield from piece.to_arrow().to_batches(max_chunksize=BATCH)
        except pl.exceptions.PolarsError as error:
            raise cannot_read(error) from None

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        import polars as pl

        if not _has_batches(self.frame):
            return None
        counted = self.frame.group_by(marker, outcome).agg(pl.len().cast(pl.Int64).alias(COUNT))
        batches: list[Any] = counted.collect(engine="streaming").to_arrow().to_batches()
        return iter(batches)


def _has_batches(frame: Any) -> bool:
    """Return whether this version of Polars gives a frame in batches."""
    return hasattr(frame, "collect_batches")


@dataclass(frozen=True, slots=True, eq=False)
class ArrowTable:
    """A table of pyarrow, or anything that gives the same stream of batches again."""

    table: Any

    def kinds(self) -> dict[str, str]:
        return {field.name: arrow_kind(field.type) for field in self._table().schema}

    def _table(self) -> Any:
        import pyarrow as pa

        return self.table if isinstance(self.table, pa.Table) else pa.table(self.table)

    def batches(self, names: list[str]) -> Iterator[Any]:
        return iter(self._table().select(names).to_batches(max_chunksize=BATCH))

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArrowFiles:
    """Parquet or CSV files, read by pyarrow; with `verify`, by the checksums of their pages."""

    files: DataFiles
    verify: bool = False

    def _schemas(self) -> Iterator[tuple[str, Any]]:
        import pyarrow.dataset as ds

        for path in self.files.paths:
            try:
                yield path, ds.dataset(path, format=self.files.format).schema
            except (OSError, ValueError) as error:
                raise cannot_read(error) from None

    def kinds(self) -> dict[str, str]:
        agreed: dict[str, str] = {}
        for path, schema in self._schemas():
            here = {field.name: arrow_kind(field.type) for field in schema}
            agreed = agreed or here
            check_agreement(agreed, here, path)
        folders = self._dataset().schema
        return agreed | {
            field.name: arrow_kind(field.type) for field in folders if field.name not in agreed
        }

    def _dataset(self) -> Any:
        import pyarrow.dataset as ds

        options: dict[str, Any] = {"partitioning": "hive"} if self.files.is_hive else {}
        reading: Any = self.files.format
        if self.verify:
            reading = ds.ParquetFileFormat(
                default_fragment_scan_options=ds.ParquetFragmentScanOptions(
                    page_checksum_verification=True
                )
            )
        try:
            return ds.dataset(list(self.files.paths), format=reading, **options)
        except (OSError, ValueError) as error:
            raise cannot_read(error) from None

    def batches(self, names: list[str]) -> Iterator[Any]:
        try:
            found = self._dataset().to_batches(
                columns=names, batch_size=BATCH, batch_readahead=2, fragment_readahead=1
            )
            yield from found
        except (OSError, ValueError) as error:
            raise cannot_read(error) from None

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cursor:
    """A query of any database with Python's DB-API; the database counts."""

    connection: Any
    query: str

    def _read(self, sql: str) -> Iterator[Any]:
        import pyarrow as pa

        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
            names = [str(column[0]) for column in cursor.description]
            while rows := cursor.fetchmany(BATCH):
                columns = [list(column) for column in zip(*rows, strict=True)]
                yield pa.RecordBatch.from_arrays([pa.array(column) for column in columns], names)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            raise InvalidSampleError(
                "A column of the query holds numbers beside texts; make it of one kind."
            ) from None
        except Exception as error:
            raise cannot_read(error) from None
        finally:
            cursor.close()

    def kinds(self) -> dict[str, str]:
        for batch in self._read(f"SELECT * FROM ({self.query}) rocstats_rows LIMIT 1000"):
            return {field.name: arrow_kind(field.type) for field in batch.schema}
        raise InvalidSampleError("The sample is empty: there is no subject.")

    def batches(self, names: list[str]) -> Iterator[Any]:
        wanted = ", ".join(map(_quoted, names))
        return self._read(f"SELECT {wanted} FROM ({self.query}) rocstats_rows")

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{_quoted(marker)}, {_quoted(outcome)}"
        return self._read(
            f"SELECT {columns}, count(*) AS {COUNT} FROM ({self.query}) rocstats_rows "
            f"GROUP BY {columns}"
        )


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
