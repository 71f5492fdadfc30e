"""Rows of a query, by Python's interface of databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any

from rocstats.data.scan.arrow_rows import BATCH, arrow_kind, cannot_read
from rocstats.data.scan.duckdb_rows import quoted
from rocstats.data.scan.row_judging import COUNT
from rocstats.errors import InvalidSampleError

__all__ = ["Cursor", "driver_connection"]


def driver_connection(connection: Any) -> Any:
    """Return the connection of the database module below one of SQLAlchemy, or its engine."""
    if hasattr(connection, "raw_connection"):
        return connection.raw_connection()
    return getattr(connection, "connection", connection)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cursor:
    """A query of any database with Python's DB-API; the database counts."""

    connection: Any
    query: str

    def _read(self, sql: str) -> Iterator[Any]:
        import pyarrow as pa

        try:
            with self._transaction(), closing(self._cursor()) as cursor:
                cursor.execute(sql)
                names = [str(column[0]) for column in cursor.description]
                while rows := cursor.fetchmany(BATCH):
                    columns = [pa.array(list(column)) for column in zip(*rows, strict=True)]
                    yield pa.RecordBatch.from_arrays(columns, names)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            raise InvalidSampleError(
                "A column of the query holds numbers beside texts; make it of one kind."
            ) from None
        except Exception as error:
            raise cannot_read(error) from None

    def _driver(self) -> str:
        below = getattr(self.connection, "driver_connection", self.connection)  # of SQLAlchemy's
        return type(below).__module__.partition(".")[0]

    def _cursor(self) -> Any:
        """Return a cursor that stays at the server, where others would fetch all rows at once."""
        if self._driver() in ("psycopg", "psycopg2"):
            return self.connection.cursor(name="rocstats_rows")
        return self.connection.cursor()

    def _transaction(self) -> Any:
        return self.connection.transaction() if self._driver() == "psycopg" else nullcontext()

    def kinds(self) -> dict[str, str]:
        import pyarrow as pa

        for batch in self._read(f"SELECT * FROM ({self.query}\n) rocstats_rows LIMIT 1000"):
            return {
                field.name: "number" if pa.types.is_null(field.type) else arrow_kind(field.type)
                for field in batch.schema
            }
        raise InvalidSampleError("The sample is empty: there is no subject.")

    def batches(self, names: list[str]) -> Iterator[Any]:
        wanted = ", ".join(map(quoted, names))
        return self._read(f"SELECT {wanted} FROM ({self.query}\n) rocstats_rows")

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        columns = f"{quoted(marker)}, {quoted(outcome)}"
        return self._read(
            f"SELECT {columns}, count(*) AS {COUNT} FROM ({self.query}\n) rocstats_rows "
            f"GROUP BY {columns}"
        )
