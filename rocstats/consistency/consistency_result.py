"""MeasureComparison: how consistent two measures are, and which is more discriminating."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rocstats.consistency.pair_counts import PairCounts
from rocstats.tables import Answer, Statement, show_value

__all__ = ["MeasureComparison"]

_HUGE = 10**12  # counts from which four digits are shown
_COLUMNS = ("f", "g", "agree", "disagree", "f_only", "g_only", "neither")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeasureComparison(Answer):
    """Two measures over pairs of lists, as Huang & Ling (2005) compare them.

    Attributes
    ----------
    f, g : str
        Names of the measures.
    counts : PairCounts
        Unordered pairs of lists by what the measures say of them.
    method : str
        ``exact``, ``simulated`` or ``empirical``.
    domain : str
        The lists, in words.
    entropy : int, list of int or None
        What the random streams of a simulation grew from, else None.

    See Also
    --------
    compare_measures : Compare two measures over pairs of lists.
    """

    f: str
    g: str
    counts: PairCounts
    method: str
    domain: str
    entropy: int | list[int] | None = None

    @property
    def consistency(self) -> float:
        """C: share of agreement where both decide; nan where they never both do."""
        return _share(self.counts.agree, self.counts.agree + self.counts.disagree)

    @property
    def discriminancy(self) -> float:
        """D: pairs that f alone decides over those that g alone decides.

        It is inf where g alone decides none, and nan where f alone decides none either.
        """
        return _share(self.counts.f_only, self.counts.g_only)

    @property
    def indifferency(self) -> float:
        """E: share of all pairs that neither decides."""
        return _share(self.counts.neither, self.counts.total)

    @property
    def consistency_std_error(self) -> float:
        """Monte-Carlo standard error of C; 0 where lists are counted, nan over a user's results."""
        if self.method != "simulated":
            return self._no_error
        return _binomial_error(self.counts.agree, self.counts.agree + self.counts.disagree)

    @property
    def discriminancy_std_error(self) -> float:
        """Monte-Carlo standard error of D: ``D sqrt(1 / P + 1 / Q)``."""
        if self.method != "simulated":
            return self._no_error
        f_only, g_only = self.counts.f_only, self.counts.g_only
        if min(f_only, g_only) == 0:
            return math.nan
        return self.discriminancy * math.sqrt(1.0 / f_only + 1.0 / g_only)

    @property
    def indifferency_std_error(self) -> float:
        """Monte-Carlo standard error of E."""
        if self.method != "simulated":
            return self._no_error
        return _binomial_error(self.counts.neither, self.counts.total)

    @property
    def _no_error(self) -> float:
        return 0.0 if self.method == "exact" else math.nan

    @property
    def strictly_consistent(self) -> bool | None:
        """Definition 1: whether no pair is decided differently.

        A drawn pair can refute it and none can prove it: a simulation answers False or None.
        """
        return False if self.counts.disagree else self._not_refuted

    @property
    def strictly_more_discriminating(self) -> bool | None:
        """Definition 2: whether f alone decides some pair, and g alone none.

        A drawn pair can refute it and none can prove it: a simulation answers False or None.
        """
        if self.counts.g_only:
            return False
        return self._not_refuted if self.counts.f_only or self._not_refuted is None else False

    @property
    def _not_refuted(self) -> bool | None:
        return None if self.method == "simulated" else True

    @property
    def statistically_consistent(self) -> bool:
        """Whether C > 1/2: both measures decide alike more often than not."""
        return self.counts.agree > self.counts.disagree

    @property
    def statistically_more_discriminating(self) -> bool:
        """Whether D > 1: f alone decides more pairs than g alone."""
        return self.counts.f_only > self.counts.g_only

    @property
    def f_is_better(self) -> bool:
        """Definition 6: f is statistically consistent and more discriminating."""
        return self.statistically_consistent and self.statistically_more_discriminating

    @property
    def answers(self) -> tuple[str, str]:
        """The definitions of Huang & Ling, answered: which is better, and what is strictly so."""
        f, g = self.f, self.g
        one = {
            True: "They are strictly consistent",
            False: "They are not strictly consistent",
            None: "They disagree on no pair that was drawn",
        }[self.strictly_consistent]
        two = {
            True: f"{f} is strictly more discriminating",
            False: f"{f} is not strictly more discriminating",
            None: f"{g} alone decides no pair that was drawn",
        }[self.strictly_more_discriminating]
        if self.f_is_better:
            six = f"{f} is the better measure (C > 1/2, D > 1)."
        elif self.statistically_consistent and self.counts.g_only > self.counts.f_only:
            six = f"{g} is the better measure (C > 1/2, D < 1)."
        else:
            six = "Neither is the better measure: that takes C > 1/2 and a D other than 1."
        return six, f"{one}, and {two}."

    def fractions(self) -> dict[str, Fraction | None]:
        """Return C, D and E as exact fractions; None where a denominator is zero."""
        counts = self.counts
        parts = {
            "consistency": (counts.agree, counts.agree + counts.disagree),
            "discriminancy": (counts.f_only, counts.g_only),
            "indifferency": (counts.neither, counts.total),
        }
        return {name: Fraction(a, b) if b else None for name, (a, b) in parts.items()}

    def statement(self) -> Statement:
        """Return C, D and E, and the counts they are made of, as one row."""
        row: dict[str, Any] = {
            "f": self.f,
            "g": self.g,
            "method": self.method,
            "domain": self.domain,
            "n_pairs": self.counts.total,
            "agree": self.counts.agree,
            "disagree": self.counts.disagree,
            "f_only": self.counts.f_only,
            "g_only": self.counts.g_only,
            "neither": self.counts.neither,
            "consistency": self.consistency,
            "consistency_std_error": self.consistency_std_error,
            "discriminancy": self.discriminancy,
            "discriminancy_std_error": self.discriminancy_std_error,
            "indifferency": self.indifferency,
            "indifferency_std_error": self.indifferency_std_error,
            "strictly_consistent": self.strictly_consistent,
            "strictly_more_discriminating": self.strictly_more_discriminating,
            "statistically_consistent": self.statistically_consistent,
            "statistically_more_discriminating": self.statistically_more_discriminating,
            "f_is_better": self.f_is_better,
            "entropy": self.entropy,
        }
        found = []
        for letter, name in (("C", "consistency"), ("D", "discriminancy"), ("E", "indifferency")):
            error = f" (SE {show_value(row[f'{name}_std_error'])})"
            found.append(f"{letter} {show_value(row[name])}" + error * (self.method == "simulated"))
        return Statement(
            head=f"{self.f} against {self.g}: {', '.join(found)}",
            rows=[row],
            shown=_COLUMNS,
            show=_show_count,
            notes=[*self.answers, f"{self.method}: {self.domain}"],
        )


def _show_count(value: Any) -> str:
    """Return a value for the table: four digits of counts that no one reads to the last."""
    huge = isinstance(value, int) and value >= _HUGE
    return f"{Decimal(value):.4g}" if huge else show_value(value)


def _share(part: int, whole: int) -> float:
    """Return a ratio of whole numbers that may be beyond the doubles."""
    if whole == 0:
        return math.nan if part == 0 else math.inf
    return part / whole


def _binomial_error(part: int, whole: int) -> float:
    if whole == 0:
        return math.nan
    share = part / whole
    return math.sqrt(share * (1.0 - share) / whole)
