"""Rows of a frame of Polars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rocstats.data.scan.arrow_rows import BATCH, cannot_read
from rocstats.data.scan.row_judging import COUNT

__all__ = ["PolarsFrame"]


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

        try:
            return {name: kind(dtype) for name, dtype in self.frame.collect_schema().items()}
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            raise cannot_read(error) from None

    def batches(self, names: list[str]) -> Iterator[Any]:
        import polars as pl

        frame = self.frame.select(names)
        try:
            pieces = frame.collect_batches() if _has_batches(frame) else [frame.collect()]
            for piece in pieces:
                yield from piece.to_arrow().to_batches(max_chunksize=BATCH)
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            raise cannot_read(error) from None

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        import polars as pl

        if not _has_batches(self.frame):
            return None
        counted = self.frame.group_by(marker, outcome).agg(pl.len().cast(pl.Int64).alias(COUNT))
        try:
            batches: list[Any] = counted.collect(engine="streaming").to_arrow().to_batches()
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            raise cannot_read(error) from None
        return iter(batches)


def _has_batches(frame: Any) -> bool:
    """Return whether this version of Polars gives a frame in batches."""
    return hasattr(frame, "collect_batches")
