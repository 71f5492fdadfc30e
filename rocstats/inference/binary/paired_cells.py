"""Paired cells: how often two tests were right together, alone, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Bools

__all__ = ["ClassCells", "PairedCells", "count_classes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCells:
    """Subjects of one class, by what the new and the standard test said of them.

    A success is a result that the rate counts: a right one for sensitivity and specificity.

    Attributes
    ----------
    a, b, c, d : both succeed, only the new one, only the standard one, neither
    """

    a: int
    b: int
    c: int
    d: int

    @property
    def n(self) -> int:
        return self.a + self.b + self.c + self.d

    @property
    def new(self) -> int:
        """Successes of the new test."""
        return self.a + self.b

    @property
    def standard(self) -> int:
        """Successes of the standard test."""
        return self.a + self.c

    @property
    def discordant(self) -> int:
        """Subjects on whom the tests disagree."""
        return self.b + self.c


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassCells:
    """Subjects by class and by the results of two tests, the standard one first.

    Attributes
    ----------
    pos, neg : positives and negatives, as (++, +-, -+, --)
    """

    pos: tuple[int, int, int, int]
    neg: tuple[int, int, int, int]

    @property
    def turned(self) -> ClassCells:
        """Positive for negative, of class and results alike: what is a PPV becomes an NPV."""
        return ClassCells(pos=self.neg[::-1], neg=self.pos[::-1])

    @property
    def sensitivity(self) -> PairedCells:
        """Positive results of positives."""
        both, standard, new, neither = self.pos
        return PairedCells(a=both, b=new, c=standard, d=neither)

    @property
    def specificity(self) -> PairedCells:
        """Negative results of negatives."""
        return self.turned.sensitivity

    @property
    def fpr(self) -> PairedCells:
        """Positive results of negatives."""
        both, standard, new, neither = self.neg
        return PairedCells(a=both, b=new, c=standard, d=neither)


def count_classes(positive: Bools, standard: Bools, new: Bools) -> ClassCells:
    """Count the subjects by class and results."""
    code = 4 * positive + 2 * ~standard + ~new
    counts = np.bincount(code, minlength=8).tolist()
    neg, pos = (*counts[:4],), (*counts[4:],)
    return ClassCells(pos=pos, neg=neg)
