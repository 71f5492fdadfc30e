"""Which files a path, a pattern or a folder stands for."""

from __future__ import annotations

import glob
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.errors import InvalidSampleError, function

__all__ = ["DataFiles", "beginning_of", "find_files"]

_FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".csv.gz": "csv",
}
_BEGINNING = 2**17  # bytes of a text that have its header, and something behind it
_LOGS = {"_delta_log": "Delta", ".hoodie": "Hudi", "metadata/*.metadata.json": "Iceberg"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFiles:
    """Files of one format.

    Attributes
    ----------
    paths : where they are, sorted
    format : "parquet" or "csv"
    is_hive : whether folders such as ``y=0`` hold values of a column
    """

    paths: tuple[str, ...]
    format: str
    is_hive: bool = False

    def size(self) -> int:
        """Return how many bytes they have."""
        return sum(Path(path).stat().st_size for path in self.paths)


def find_files(source: Any) -> DataFiles:
    """Return the files of a path, a pattern, a folder or a list of these."""
    given = [str(one) for one in (source if isinstance(source, list) else [source])]
    paths: list[str] = []
    for one in given:
        found = _files_of(one)
        if not found:
            what = "is empty" if Path(one).is_dir() else "is not there, or matches nothing"
            raise InvalidSampleError(
                f"{one!r} {what}; give a Parquet or CSV file, a pattern such as scores/*.parquet, "
                "or a folder of them."
            )
        paths += found
    _check_once(paths)
    formats = {form for form in map(_format, paths) if form}
    strange = [path for path in paths if not _format(path)]
    if strange or len(formats) != 1:
        raise InvalidSampleError(
            f"A table is scanned from Parquet or from CSV files, got "
            f"{Path(strange[0]).name if strange else 'both'}; read others with "
            f"{function('read')}."
        )
    if formats == {"csv"}:
        paths = _with_rows(paths)
    folders = {part for path in paths for part in Path(path).parent.parts if "=" in part}
    return DataFiles(paths=tuple(sorted(paths)), format=formats.pop(), is_hive=bool(folders))


def _files_of(one: str) -> list[str]:
    path = Path(one)
    if path.is_file():
        return [one]
    if path.is_dir():
        _check_folder(path)
        return [str(file) for file in path.rglob("*") if _is_data(file, path)]
    return [file for file in glob.glob(one, recursive=True) if Path(file).is_file()]


def _is_data(file: Path, folder: Path) -> bool:
    """Return whether a file is one of its folder: what begins with . or _ is some program's own."""
    own = (
        part.startswith((".", "_")) and "=" not in part for part in file.relative_to(folder).parts
    )
    return file.is_file() and bool(_format(str(file))) and not any(own)


def _check_folder(folder: Path) -> None:
    """Refuse the folder of a table whose log says which files count: some are of the past."""
    for log, kind in _LOGS.items():
        if next(folder.glob(log), None) is not None:
            raise InvalidSampleError(
                f"{str(folder)!r} is a table of {kind}, whose log says which of its files count; "
                "give what reads it, such as a relation of DuckDB or a dataset of pyarrow."
            )


def _with_rows(paths: list[str]) -> list[str]:
    """Return the files without those that have the header of another, and no row."""
    heads = [_head(path) for path in paths]
    known = {head for head, has_rows in heads if has_rows}
    some = zip(paths, heads, strict=True)
    return [path for path, (head, has_rows) in some if has_rows or head not in known]


def _head(path: str) -> tuple[bytes, bool]:
    """Return the first line of a text, and whether there is anything behind it."""
    head, _, rest = beginning_of(path).partition(b"\n")
    return head.strip(), bool(rest.strip()) or not head


def beginning_of(path: str) -> bytes:
    """Return the first bytes of a text; none where it cannot be read, which its engine says."""
    try:
        with gzip.open(path) if path.lower().endswith(".gz") else Path(path).open("rb") as file:
            return bytes(file.read(_BEGINNING))
    except (OSError, EOFError):
        return b""


def _check_once(paths: list[str]) -> None:
    known: set[Path] = set()
    for path in paths:
        place = Path(path).resolve()
        if place in known:
            raise InvalidSampleError(
                f"{Path(path).name} is there twice, and its subjects would be counted twice; name "
                "it once."
            )
        known.add(place)


def _format(path: str) -> str:
    return next((form for end, form in _FORMATS.items() if path.lower().endswith(end)), "")
