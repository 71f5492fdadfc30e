"""Rows that pyarrow reads: tables, and Parquet and CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rocstats.data.scan.file_lists import DataFiles
from rocstats.errors import InvalidOptionError, InvalidSampleError

__all__ = [
    "BATCH",
    "ArrowDataset",
    "ArrowFiles",
    "ArrowTable",
    "agreed_files",
    "arrow_kind",
    "arrow_rows",
    "cannot_read",
]

BATCH = 2**17  # rows that are read at a time
_PIECE = 2**22  # bytes of a text that are looked at at a time


def arrow_kind(kind: Any) -> str:
    """Return what an Arrow type is, in a word."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if number or pa.types.is_boolean(kind):
        return "number"
    return "text" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else "other"


def _check_agreement(agreed: dict[str, str], here: dict[str, str], path: str) -> None:
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


def agreed_files(
    parts: Iterable[tuple[str, Any]],
) -> tuple[dict[str, str], tuple[tuple[str, ...], ...]]:
    """Return the columns of files that agree, and the files by the types of their columns.

    Each of these lots is read by itself: who reads all files by the types of the first rounds what
    is wider in others, 2.45 to 2 where the first has whole numbers.
    """
    agreed: dict[str, str] = {}
    lots: dict[frozenset[tuple[str, str]], list[str]] = {}
    for path, schema in parts:
        here = _kinds(schema)
        agreed = agreed or here
        _check_agreement(agreed, here, path)
        types = frozenset((field.name, str(field.type)) for field in schema)
        lots.setdefault(types, []).append(path)
    return agreed, tuple(map(tuple, lots.values()))


def cannot_read(error: Exception) -> InvalidSampleError:
    """Return the refusal of a source that its engine cannot read, in its first line."""
    said = error.args[0] if error.args and isinstance(error.args[0], str) else error
    line = str(said).strip().partition("\n")[0].rstrip(".")
    return InvalidSampleError(f"The rows cannot be read ({line}); mend the source.")


@dataclass(frozen=True, slots=True, eq=False)
class ArrowTable:
    """A table of pyarrow, or anything that gives the same stream of batches again."""

    table: Any

    def kinds(self) -> dict[str, str]:
        return _kinds(self._table().schema)

    def _table(self) -> Any:
        import pyarrow as pa

        try:
            return self.table if isinstance(self.table, pa.Table) else pa.table(self.table)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise cannot_read(error) from None

    def batches(self, names: list[str]) -> Iterator[Any]:
        return iter(self._table().select(names).to_batches(max_chunksize=BATCH))

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


def _check_width(whole: Any, schema: Any, path: str) -> None:
    """Refuse a part with numbers that the types of the dataset would round."""
    import pyarrow as pa

    for field in schema:
        if field.name not in whole.names or arrow_kind(field.type) != "number":
            continue
        wanted = whole.field(field.name)
        both = [pa.schema([(field.name, one.type)]) for one in (wanted, field)]
        try:
            widest = pa.unify_schemas(both, promote_options="permissive").field(0).type
        except pa.ArrowTypeError:
            widest = None
        if widest != wanted.type:
            raise InvalidSampleError(
                f"{Path(path).name} has {field.type} in {field.name!r}, and the dataset reads it "
                f"as {wanted.type}, which may round; give the dataset a schema that holds both."
            )


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
        agreed, _ = agreed_files(schemas)
        for path, schema in schemas:
            _check_width(self.dataset.schema, schema, path)
        return _kinds(self.dataset.schema) | agreed

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
    """Parquet or CSV files, read by pyarrow; with `verify`, by the checksums of their pages.

    Attributes
    ----------
    columns : what each column is, in a word
    lots : files whose columns have the same types
    is_hive : whether folders such as ``y=0`` hold values of a column
    """

    columns: dict[str, str]
    lots: tuple[tuple[str, ...], ...]
    is_hive: bool
    verify: bool

    @classmethod
    def opened(cls, files: DataFiles, *, verify: bool = False) -> ArrowFiles:
        """Return the files; refuses those that do not agree on what a column is."""
        agreed, lots = agreed_files(_schemas(files.paths))
        found = cls(columns=agreed, lots=lots, is_hive=files.is_hive, verify=verify)
        folders = _kinds(found._dataset(files.paths).schema) if files.is_hive else {}
        return replace(found, columns=folders | agreed)

    def kinds(self) -> dict[str, str]:
        return self.columns

    def _dataset(self, paths: tuple[str, ...]) -> Any:
        import pyarrow.dataset as ds

        options: dict[str, Any] = {"partitioning": "hive"} if self.is_hive else {}
        reading = _format(paths[0])
        if self.verify:
            reading = ds.ParquetFileFormat(
                default_fragment_scan_options=ds.ParquetFragmentScanOptions(
                    page_checksum_verification=True
                )
            )
        try:
            return ds.dataset(list(paths), format=reading, **options)
        except (OSError, ValueError) as error:
            raise cannot_read(error) from None

    def batches(self, names: list[str]) -> Iterator[Any]:
        for paths in self.lots:
            yield from ArrowDataset(self._dataset(paths)).batches(names)

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


def _schemas(paths: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    import pyarrow.dataset as ds

    for path in paths:
        reading = _format(path)
        if reading != "parquet":
            _check_quotes(path)
        try:
            yield path, ds.dataset(path, format=reading).schema
        except (OSError, ValueError) as error:
            raise cannot_read(error) from None


def _format(path: str) -> Any:
    """Return how pyarrow reads a file: what is missing in text is what is missing in memory."""
    import pyarrow.csv as pacsv
    import pyarrow.dataset as ds

    from rocstats.data.reading.plain import MISSING

    if path.lower().endswith((".parquet", ".pq")):
        return "parquet"
    return ds.CsvFileFormat(
        parse_options=pacsv.ParseOptions(
            delimiter="\t" if path.lower().endswith(".tsv") else ",", newlines_in_values=True
        ),
        default_fragment_scan_options=ds.CsvFragmentScanOptions(
            convert_options=pacsv.ConvertOptions(null_values=MISSING, strings_can_be_null=True)
        ),
    )


def _check_quotes(path: str) -> None:
    """Refuse a file with a quote that is not closed: pyarrow takes all rows behind it for text."""
    import pyarrow as pa

    quotes = 0
    try:
        with pa.input_stream(path) as file:
            while piece := file.read(_PIECE):
                quotes += piece.count(b'"')
    except (OSError, ValueError) as error:
        raise cannot_read(error) from None
    if quotes % 2:
        raise InvalidSampleError(
            f"{Path(path).name} has a quote that is not closed, behind which rows would be lost; "
            "mend that file."
        )
