"""Which files a path, a pattern or a folder stands for."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.errors import InvalidSampleError, function

__all__ = ["DataFiles", "find_files"]

_FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".csv.gz": "csv",
}


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
    formats = {form for form in map(_format, paths) if form}
    strange = [path for path in paths if not _format(path)]
    if strange or len(formats) != 1:
        raise InvalidSampleError(
            f"A table is scanned from Parquet or from CSV files, got "
            f"{Path(strange[0]).name if strange else 'both'}; read others with "
            f"{function('read')}."
        )
    folders = {part for path in paths for part in Path(path).parent.parts if "=" in part}
    return DataFiles(paths=tuple(sorted(paths)), format=formats.pop(), is_hive=bool(folders))


def _files_of(one: str) -> list[str]:
    path = Path(one)
    if path.is_file():
        return [one]
    if path.is_dir():
        return [str(file) for file in path.rglob("*") if file.is_file() and _format(str(file))]
    return [file for file in glob.glob(one, recursive=True) if Path(file).is_file()]


def _format(path: str) -> str:
    return next((form for end, form in _FORMATS.items() if path.lower().endswith(end)), "")
