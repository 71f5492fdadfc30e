"""Parquet files, whose footer says how much there is; a few bytes may stand for many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocstats.data.reading.bounds import MOST_BYTES, check_bytes, check_rows, check_size
from rocstats.data.reading.table import Table

__all__ = ["read_parquet"]


def read_parquet(path: Path) -> Table:
    """Read a Parquet file; an index with a name is a column."""
    import pandas as pd
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        promised, texts = _check_footer(path, file.metadata)
    for text in texts:
        _check_text(path, text)
    frame = pd.read_parquet(path, engine="pyarrow")
    check_rows(path, promised, len(frame))
    return Table(frame=frame if frame.index.names == [None] else frame.reset_index())


def _check_footer(path: Path, footer: Any) -> tuple[int, list[str]]:
    """Return the rows, and the columns of text that a dictionary may make long."""
    check_size(path, footer.num_rows, footer.num_columns)
    values = size = 0
    doubtful: dict[str, int] = {}
    for i in range(footer.num_row_groups):
        group = footer.row_group(i)
        for j in range(group.num_columns):
            column = group.column(j)
            values += column.num_values
            size += column.total_uncompressed_size
            if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
                size += column.num_values * footer.schema.column(j).length
            elif column.physical_type == "BYTE_ARRAY" and footer.schema.column(j).path == (
                footer.schema.column(j).name
            ):
                name = column.path_in_schema
                reach = column.num_values * column.total_uncompressed_size
                doubtful[name] = doubtful.get(name, 0) + reach
    check_size(path, values, 1)
    check_bytes(path, size)
    return footer.num_rows, [name for name, reach in doubtful.items() if reach > MOST_BYTES]


def _check_text(path: Path, name: str) -> None:
    """Refuse a column of texts that takes too much memory where each is written out."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    size = 0
    with pq.ParquetFile(path, read_dictionary=[name]) as file:
        for batch in file.iter_batches(columns=[name]):
            cells = batch.column(0)
            if not pa.types.is_dictionary(cells.type):
                return
            lengths = pc.binary_length(cells.dictionary).cast(pa.int64())
            size += pc.sum(lengths.take(cells.indices)).as_py() or 0
            check_bytes(path, size)
