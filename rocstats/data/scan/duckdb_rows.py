"""Rows of DuckDB: relations, queries and files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rocstats.data.scan.arrow_rows import BATCH, arrow_kind, cannot_read, check_agreement
from rocstats.data.scan.file_lists import DataFiles
from rocstats.data.scan.row_judging import COUNT
from rocstats.errors import InvalidOptionError, named

__all__ = ["DuckFiles", "DuckQuery", "DuckRelation", "quoted"]


def quoted(name: str) -> str:
    """Return a name as SQL writes it."""
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
        wanted = ", ".join(map(quoted, names))
        return self._read(f"SELECT {wanted} FROM {self.rows}")

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{quoted(marker)}, {quoted(outcome)}"
        return self._read(
            f"SELECT {columns}, count(*)::BIGINT AS {COUNT} FROM {self.rows} GROUP BY {columns}"
        )

    def looked_up(self, names: list[str], markers: list[str], tables: list[Any]) -> Iterator[Any]:
        """Yield batches in which each marker is its number in a table of (score, number).

        NULL, and so missing, where a score is not in the table.
        """
        for k, table in enumerate(tables):
            self.connection.register(f"rocstats_scores_{k}", table)
        coded = [f"t{k}.code AS {quoted(name)}" for k, name in enumerate(markers)]
        others = [f"r.{quoted(name)}" for name in names if name not in markers]
        joins = " ".join(
            f"LEFT JOIN rocstats_scores_{k} t{k} ON r.{quoted(name)} = t{k}.score"
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


@dataclass(frozen=True, slots=True, eq=False)
class DuckRelation:
    """A relation of DuckDB, whose connection is not asked for."""

    relation: Any

    def kinds(self) -> dict[str, str]:
        schema = _reader(self.relation.limit(0)).schema
        return {field.name: arrow_kind(field.type) for field in schema}

    def batches(self, names: list[str]) -> Iterator[Any]:
        wanted = ", ".join(map(quoted, names))
        return _batches(_reader(self.relation.project(wanted)))

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{quoted(marker)}, {quoted(outcome)}"
        found = self.relation.aggregate(f"{columns}, count(*)::BIGINT AS {COUNT}", columns)
        return _batches(_reader(found))
