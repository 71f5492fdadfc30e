"""Rows that pyarrow reads: tables, and Parquet and CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.data.scan.file_lists import DataFiles
from rocstats.errors import InvalidOptionError, InvalidSampleError

__all__ = [
    "BATCH",
    "ArrowDataset",
    "ArrowFiles",
    "ArrowTable",
    "arrow_kind",
    "arrow_rows",
    "cannot_read",
    "check_agreement",
]

BATCH = 2**17  # rows that are read at a time


def arrow_kind(kind: Any) -> str:
    """Return what an Arrow type is, in a word."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if number or pa.types.is_boolean(kind):
        return "number"
    return "text" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else "other"


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
class ArrowTable:
    """A table of pyarrow, or anything that gives the same stream of batches again."""

    table: Any

    def kinds(self) -> dict[str, str]:
        return _kinds(self._table().schema)

    def _table(self) -> Any:
        import pyarrow as pa

        return self.table if isinstance(self.table, pa.Table) else pa.table(self.table)

    def batches(self, names: list[str]) -> Iterator[Any]:
        return iter(self._table().select(names).to_batches(max_chunksize=BATCH))

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


def _agreed_kinds(parts: Iterable[tuple[str, Any]], whole: Any) -> dict[str, str]:
    """Return the columns of parts that agree, and those of their folders."""
    agreed: dict[str, str] = {}
    for path, schema in parts:
        here = _kinds(schema)
        agreed = agreed or here
        check_agreement(agreed, here, path)
    return _kinds(whole) | agreed


def _kinds(schema: Any) -> dict[str, str]:
    return {field.name: arrow_kind(field.type) for field in schema}


@dataclass(frozen=True, slots=True, eq=False)
class ArrowDataset:
    """A dataset of pyarrow."""

    dataset: Any

    def kinds(self) -> dict[str, str]:
        parts = self.dataset.get_fragments()
        try:
            schemas = [(getattr(one, "path", "A part"), one.physical_schema) for one in parts]
        except (OSError, ValueError) as error:
            raise cannot_read(error) from None
        return _agreed_kinds(schemas, self.dataset.schema)

    def batches(self, names: list[str]) -> Iterator[Any]:
        try:
            yield from self.dataset.to_batches(
                columns=names, batch_size=BATCH, batch_readahead=2, fragment_readahead=1
            )
        except (OSError, ValueError) as error:
            raise cannot_read(error) from None

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


def arrow_rows(source: Any) -> ArrowTable | ArrowDataset | None:
    """Return the rows of what gives them as Arrow does, as often as asked; None of others."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    if isinstance(source, pa.RecordBatchReader):
        raise InvalidOptionError(
            "A RecordBatchReader gives its rows once, and a table may read them twice; give what "
            "it reads, such as the files or the relation, or its read_all()."
        )
    if isinstance(source, ds.Dataset):
        return ArrowDataset(source)
    return ArrowTable(source) if hasattr(source, "__arrow_c_stream__") else None


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
        return _agreed_kinds(self._schemas(), self._dataset().schema)

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
        return ArrowDataset(self._dataset()).batches(names)

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None
