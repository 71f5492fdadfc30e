"""Rows of DuckDB: relations, queries and files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from rocstats.data.scan.arrow_rows import BATCH, agreed_files, arrow_kind, cannot_read
from rocstats.data.scan.file_lists import DataFiles, beginning_of
from rocstats.data.scan.row_judging import COUNT
from rocstats.errors import InvalidOptionError, InvalidSampleError, named

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

    @property
    def lots(self) -> tuple[str, ...]:
        """Rows that have the same types, each as what stands after FROM; all rows together."""
        return (self.rows,)

    def schema(self) -> Any:
        """Return the columns with their types."""
        return _reader(self._run(f"SELECT * FROM {self.rows} LIMIT 0")).schema

    def kinds(self) -> dict[str, str]:
        return {field.name: arrow_kind(field.type) for field in self.schema()}

    def batches(self, names: list[str]) -> Iterator[Any]:
        wanted = ", ".join(map(quoted, names))
        for rows in self.lots:
            yield from self._read(f"SELECT {wanted} FROM {rows}")

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{quoted(marker)}, {quoted(outcome)}"
        wanted = f"SELECT {columns}, count(*)::BIGINT AS {COUNT}"
        return chain.from_iterable(
            self._read(f"{wanted} FROM {rows} GROUP BY {columns}") for rows in self.lots
        )

    def looked_up(self, names: list[str], markers: list[str], tables: list[Any]) -> Iterator[Any]:
        """Yield batches in which each marker is its number in a table of (score, number).

        NULL, and so missing, where a score is not in the table.
        """
        for k, table in enumerate(tables):
            self.connection.register(f"rocstats_scores_{k}", table)
        coded = [f"t{k}.code AS {quoted(name)}" for k, name in enumerate(markers)]
        others = [f"r.{quoted(name)}" for name in names if name not in markers]
        wanted = ", ".join([*coded, *others])
        joins = " ".join(
            f"LEFT JOIN rocstats_scores_{k} t{k} ON r.{quoted(name)} = t{k}.score"
            for k, name in enumerate(markers)
        )
        try:
            for rows in self.lots:
                yield from self._read(f"SELECT {wanted} FROM {rows} r {joins}")
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
    """Parquet or CSV files, read by DuckDB.

    Attributes
    ----------
    columns : what each column is, in a word
    others : files whose columns have other types than those of `rows`, by their types
    """

    columns: dict[str, str]
    others: tuple[str, ...]

    @classmethod
    def opened(cls, files: DataFiles, memory: str | None) -> DuckFiles:
        """Return the files in a database of their own, in memory; refuses those that differ."""
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
        schemas: dict[str, Any] = {}
        wider: dict[str, dict[str, str]] = {}
        for path in files.paths:
            one = DuckQuery(connection=connection, rows=_scan_of((path,), files, {}))
            schemas[path], wider[path] = one.schema(), {}
            if files.format == "csv":
                _check_header(path, schemas[path].names)
                wider[path] = _wider_types(connection, path, files, schemas[path])
            if wider[path]:
                one = DuckQuery(connection=connection, rows=_scan_of((path,), files, wider[path]))
                schemas[path] = one.schema()
        agreed, lots = agreed_files(schemas.items())
        rows, *others = (
            _scan_of(
                paths, files, {name: kind for path in paths for name, kind in wider[path].items()}
            )
            for paths in lots
        )
        return cls(connection=connection, rows=rows, columns=agreed, others=tuple(others))

    @property
    def lots(self) -> tuple[str, ...]:
        """Rows that have the same types, each as what stands after FROM; all rows together."""
        return (self.rows, *self.others)

    def kinds(self) -> dict[str, str]:
        return self.columns


def _scan_of(paths: tuple[str, ...], files: DataFiles, types: dict[str, str]) -> str:
    from rocstats.data.reading.plain import MISSING

    listing = ", ".join(_literal(_pattern(path)) for path in paths)
    hive = f"hive_partitioning = {'true' if files.is_hive else 'false'}"
    if files.format == "parquet":
        return f"read_parquet([{listing}], {hive})"
    missing = ", ".join(map(_literal, MISSING))  # a # begins no comment, which would drop its row
    options = f"{hive}, header = true, comment = '', nullstr = [{missing}]"
    if types:
        pairs = ", ".join(f"{_literal(name)}: {_literal(kind)}" for name, kind in types.items())
        options += f", types = {{{pairs}}}"
    return f"read_csv([{listing}], {options})"


def _wider_types(connection: Any, path: str, files: DataFiles, schema: Any) -> dict[str, str]:
    """Return the types of columns that are wider than the first rows of a text say.

    DuckDB looks at these alone, and reads a later 0.5 among whole numbers as 1.
    """
    import pyarrow as pa

    folders = {part.partition("=")[0] for part in Path(path).parent.parts if "=" in part}
    told: dict[str, tuple[str, str]] = {}
    for field in schema:
        if field.name in folders:
            continue
        if pa.types.is_integer(field.type) or pa.types.is_decimal(field.type):
            told[field.name] = "[+-]?[0-9]+", "DOUBLE"
        elif pa.types.is_boolean(field.type):
            told[field.name] = "(?i:true|false)", "VARCHAR"
    if not told:
        return {}
    rows = _scan_of((path,), files, dict.fromkeys(told, "VARCHAR"))
    asked = ", ".join(
        f"bool_or(NOT regexp_full_match(trim({quoted(name)}), {_literal(form)}))"
        for name, (form, _) in told.items()
    )
    query = DuckQuery(connection=connection, rows=rows)
    (batch,) = query._read(f"SELECT {asked} FROM {rows}")
    found = (column.to_pylist()[0] for column in batch.columns)
    return {
        name: kind
        for (name, (_, kind)), is_wider in zip(told.items(), found, strict=True)
        if is_wider
    }


def _check_header(path: str, names: list[str]) -> None:
    """Refuse a column that is there twice: DuckDB names the second one s_1, and reads the first."""
    head = beginning_of(path)
    for name in names:
        first, _, number = name.rpartition("_")
        if number.isdecimal() and first in names and name.encode() not in head:
            raise InvalidSampleError(
                f"{Path(path).name} has the column {first!r} twice; give one of them another name."
            )


def _pattern(path: str) -> str:
    """Return what DuckDB, which takes every path for a pattern, finds this file alone by."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in path)


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
