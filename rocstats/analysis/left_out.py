"""What a report leaves out, because it needs the row of every subject and a table keeps counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from rocstats.data.scan.count_blocks import NeedsRowsError

__all__ = ["LeftOut"]

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The parts of a report that were asked of a sample which could not answer.

    Attributes
    ----------
    words : what each is called, in the order in which they were asked for
    """

    words: list[str] = field(default_factory=list)

    def unless(self, what: str, make: Callable[[], Found], default: Found) -> Found:
        """Return what is made, or the default where it needs rows that are not kept."""
        try:
            return make()
        except NeedsRowsError:
            if what not in self.words:
                self.words.append(what)
            return default
