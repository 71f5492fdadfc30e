"""What a benchmark set is, here or not here."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools, Floats, Ints
from rocstats.tables import Answer, Statement

__all__ = ["AbsentSet", "BenchSet", "content_hash"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BenchSet(Answer):
    """A data set, encoded once.

    Attributes
    ----------
    name, title : its name in `CATALOGUE` and its printed one
    columns : names of the p attributes
    levels : (p,) how many levels an attribute has, 0 where it is numeric
    X : (n, p) numbers with nan where missing; codes of levels with -1 where missing
    target : (n,) the class as an index into `classes`
    classes : names of the classes
    y : (n,) whether the class is among the positive ones
    grouping : which classes are positive, in words
    source : where it came from
    sha256 : of the rows as text, attributes then class
    deviations : how it differs from what a paper prints, and what was done to it, in sentences
    """

    name: str
    title: str
    columns: tuple[str, ...]
    levels: tuple[int, ...]
    X: Floats
    target: Ints
    classes: tuple[str, ...]
    y: Bools
    grouping: str
    source: str
    sha256: str
    deviations: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.y.size

    @property
    def n_pos(self) -> int:
        """Number of positive rows."""
        return int(self.y.sum())

    @property
    def share_pos(self) -> float:
        """Share of positive rows."""
        return self.n_pos / self.n

    def statement(self) -> Statement:
        """Return what there is to say of the set, without its rows."""
        row = {
            "name": self.name,
            "title": self.title,
            "n": self.n,
            "n_pos": self.n_pos,
            "attributes": len(self.columns),
            "classes": len(self.classes),
            "missing": int(np.sum(np.isnan(self.X)) + np.sum((self.X == -1.0) & self._nominal)),
            "grouping": self.grouping,
            "source": self.source,
            "sha256": self.sha256,
            "deviations": list(self.deviations),
        }
        return Statement(
            head=f"{self.title}: {self.n} rows, {len(self.columns)} attributes, {self.n_pos} "
            f"positive ({self.grouping}); {self.source}",
            rows=[row],
        )

    @property
    def _nominal(self) -> Bools:
        return np.array(self.levels) > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentSet:
    """A data set that is not here, with the places where it was looked for or can be had."""

    name: str
    title: str
    reason: str

    def __repr__(self) -> str:
        return f"{self.title} is not here: {self.reason}"


def content_hash(rows: list[list[str | None]]) -> str:
    """Return the sha256 of rows as text, one line a row, commas between values, ? for missing."""
    text = "\n".join(",".join("?" if word is None else word for word in row) for row in rows)
    return hashlib.sha256(text.encode()).hexdigest()
