"""Rows of a table of Ibis, wherever its database is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocstats.data.scan.arrow_rows import BATCH, cannot_read
from rocstats.data.scan.duckdb_rows import DuckQuery
from rocstats.data.scan.row_judging import COUNT

if TYPE_CHECKING:
    from rocstats.data.scan.row_sources import Source

__all__ = ["IbisTable", "ibis_rows"]


def ibis_rows(table: Any) -> Source:
    """Return the rows of a table; those of DuckDB by their query, which Ibis need not run."""
    backend = table.get_backend()
    if backend.name == "duckdb":
        backend._run_pre_execute_hooks(table)
        return DuckQuery(connection=backend.con, rows=f"({backend.compile(table)})")
    return IbisTable(table)


@dataclass(frozen=True, slots=True, eq=False)
class IbisTable:
    """A table of Ibis; its database counts."""

    table: Any

    def kinds(self) -> dict[str, str]:
        def kind(dtype: Any) -> str:
            if dtype.is_numeric() or dtype.is_boolean():
                return "number"
            return "text" if dtype.is_string() else "other"

        return {name: kind(dtype) for name, dtype in self.table.schema().items()}

    def batches(self, names: list[str]) -> Iterator[Any]:
        return self._read(self.table.select(*names))

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        groups = self.table.group_by([marker, outcome])
        return self._read(groups.aggregate(**{COUNT: self.table.count()}))

    def _read(self, rows: Any) -> Iterator[Any]:
        try:
            yield from rows.to_pyarrow_batches(chunk_size=BATCH)
        except Exception as error:  # of any database
            raise cannot_read(error) from None
