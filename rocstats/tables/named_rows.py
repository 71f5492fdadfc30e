"""Rows that answer to `len`, to iteration and to their names; a single value to `float`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any, ClassVar, Generic, TypeVar

from rocstats.errors import UnknownRowError, counted, did_you_mean, listed
from rocstats.tables.plain_tables import Row
from rocstats.tables.statements import Statement

__all__ = ["Rows", "SingleValue", "TidyRows"]

R = TypeVar("R")


class Rows(Generic[R]):
    """Rows that answer to `len`, to iteration, to a number, to a part and to their names.

    A result says what its rows are called (`_names`) and what each is (`_row`). A name that
    several rows have gives a part of the result (`_part`), one that none has a sentence.
    """

    __slots__ = ()

    _one: ClassVar = "row"  # what a row is called in that sentence

    def _names(self) -> Sequence[tuple[Any, ...]]:
        raise NotImplementedError

    def _row(self, i: int) -> R:
        raise NotImplementedError

    def _part(self, where: Sequence[int]) -> Any:
        """Return some of the rows, as a result of the same kind where there is one."""
        return tuple(map(self._row, where))

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[R]:
        return map(self._row, range(len(self)))

    def __contains__(self, key: object) -> bool:
        return bool(self._where(key)) or any(row is key for row in self)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._part(range(len(self))[key])
        if not isinstance(key, bool) and isinstance(key, Integral):
            at, size = int(key), len(self)
            if not -size <= at < size:
                there = f"there are {counted(size, self._one)}, the first is 0"
                raise UnknownRowError(f"There is no {self._one} {at}; {there}.")
            return self._row(range(size)[at])
        where = self._where(key)
        if not where:
            names = self._names()
            first = list(dict.fromkeys(own[0] for own in names if own))
            known = [*first, *(word for own in names for word in own), *map(_in_words, names)]
            shown = map(_in_words, names) if isinstance(key, tuple) else first
            there = f"there are {listed(shown)}" if first else f"there are {len(self)}, by number"
            raise UnknownRowError(
                f"There is no {self._one} {_in_words(key)}; {there}."
                f"{did_you_mean(_in_words(key), known)}"
            )
        return self._row(where[0]) if len(where) == 1 else self._part(where)

    def _where(self, key: Any) -> list[int]:
        """Return the rows that are called so: by all their names, the first one, or any."""
        names = self._names()
        wanted = key if isinstance(key, tuple) else (key,)
        whole = [i for i, own in enumerate(names) if own == wanted or own == (_difference(key),)]
        first = [i for i, own in enumerate(names) if len(wanted) == 1 and own[:1] == wanted]
        return (
            whole
            or first
            or [i for i, own in enumerate(names) if wanted and all(word in own for word in wanted)]
        )


class TidyRows(Rows[Row]):
    """The tidy rows of a statement as rows, called by the columns of `_named_by`."""

    __slots__ = ()

    _named_by: ClassVar[tuple[str, ...]] = ()

    def _names(self) -> list[tuple[Any, ...]]:
        return [tuple(row[column] for column in self._named_by) for row in self]

    def _row(self, i: int) -> Row:
        return self._tidy()[i]

    def __len__(self) -> int:
        return len(self._tidy())

    def __iter__(self) -> Iterator[Row]:
        return iter(self._tidy())

    def _tidy(self) -> Sequence[Row]:
        stated: Statement = self.statement()  # type: ignore[attr-defined]
        return stated.tidy


class SingleValue:
    """An estimate that answers to `float` and to a format: ``f"{estimate:.3f}"``."""

    __slots__ = ()

    def __float__(self) -> float:
        return float(self.value)  # type: ignore[attr-defined]

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


def _difference(key: Any) -> Any:
    """Return two names as the difference of them is called."""
    return " - ".join(map(str, key)) if isinstance(key, tuple) and len(key) == 2 else None


def _in_words(names: Any) -> str:
    return "/".join(map(str, names)) if isinstance(names, tuple) else str(names)
