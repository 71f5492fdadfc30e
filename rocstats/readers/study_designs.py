"""Designs of reader studies, recognised from who read which case in which test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rocstats.arrays import Bools

__all__ = ["DESIGNS", "Design", "find_design"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How tests, readers and cases were put together.

    Attributes
    ----------
    name : what the literature calls it
    words : what it means, in a sentence
    is_balanced : whether mean squares of the readers' estimates have their usual expectations
    readers_nested : whether every test has readers of its own
    """

    name: str
    words: str
    is_balanced: bool = True
    readers_nested: bool = False


_ALL = (
    Design(name="factorial", words="every reader read every case in every test"),
    Design(
        name="cases nested in readers",
        words="every reader read cases of their own, the same in every test",
    ),
    Design(
        name="cases nested in tests",
        words="every test has cases of its own, read by every reader",
    ),
    Design(
        name="readers nested in tests",
        words="every test has readers of its own, who all read the same cases",
        readers_nested=True,
    ),
    Design(
        name="readers and cases nested in tests",
        words="every test has readers and cases of its own",
        readers_nested=True,
    ),
    Design(
        name="split plot",
        words="groups of readers read cases of their group, the same in every test",
        is_balanced=False,
    ),
    Design(
        name="missing readings",
        words="some readers did not read some cases, or not in every test",
        is_balanced=False,
    ),
)
DESIGNS = {design.name: design for design in _ALL}


def find_design(read: Bools) -> Design:
    """Return the design of a study; `read` says which test, reader and case has a reading.

    Examples
    --------
    >>> find_design(np.ones((2, 3, 40), dtype=bool)).name
    'factorial'
    """
    cells: Bools = read.any(axis=2)  # type: ignore[assignment]
    if cells.all():
        name = _of_crossed_readers(read)
    elif read.shape[0] > 1 and (cells.sum(axis=0) == 1).all():
        name = _of_nested_readers(read, cells)
    else:
        name = "missing readings"
    return DESIGNS[name]


def _of_crossed_readers(read: Bools) -> str:
    in_tests, by_readers = read[:, 0], read[0]  # the first reader's cases, the first test's
    if (read == by_readers).all():  # the same in every test
        if (by_readers == by_readers[0]).all():
            return "factorial"
        if (by_readers.sum(axis=0) == 1).all():
            return "cases nested in readers"
        return "split plot" if _in_groups(by_readers) else "missing readings"
    if (read == in_tests[:, np.newaxis]).all() and (in_tests.sum(axis=0) == 1).all():
        return "cases nested in tests"
    return "missing readings"


def _of_nested_readers(read: Bools, cells: Bools) -> str:
    own = [read[i, line] for i, line in enumerate(cells)]  # readers x cases, by test
    if not all((rows == rows[0]).all() for rows in own):
        return "missing readings"
    cases = np.array([rows[0] for rows in own])
    if (cases == cases[0]).all():
        return "readers nested in tests"
    nested = (cases.sum(axis=0) == 1).all()
    return "readers and cases nested in tests" if nested else "missing readings"


def _in_groups(by_readers: Bools) -> bool:
    """Return whether readers fall into groups with the same cases, of which no other has any."""
    groups: Sequence[Bools] = np.unique(by_readers, axis=0)  # type: ignore[assignment]
    return bool((np.sum(groups, axis=0) == 1).all())
