"""Rate margins: sensitivity and specificity as co-primary endpoints."""

from __future__ import annotations

from dataclasses import dataclass

from rocstats.inference.margins import MarginTest
from rocstats.tables import Answer, Statement, show_p

__all__ = ["CoprimaryTest"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CoprimaryTest(Answer):
    """Two margins that must both hold: sensitivity and specificity.

    No p-value is adjusted, for the study succeeds only where both tests do (intersection-union).

    Attributes
    ----------
    parts : tuple of MarginTest
        The test of each rate.

    See Also
    --------
    ComparedTests.noninferiority : Test against a margin.
    MarginTest : A difference against a margin.
    """

    parts: tuple[MarginTest, ...]

    @property
    def shown(self) -> bool:
        """Whether both were shown."""
        return all(part.shown for part in self.parts)

    @property
    def pvalue(self) -> float:
        """The larger p-value of the two."""
        return max(part.pvalue for part in self.parts)

    def statement(self) -> Statement:
        """Return the conclusion, and a row for each rate."""
        stated = [part.statement() for part in self.parts]
        rows = [one.row for one in stated]
        word = "were both" if self.shown else "were not both"
        return Statement(
            head=f"The co-primary endpoints {word} shown (one-sided p {show_p(self.pvalue)}).",
            rows=rows,
            shown=stated[0].shown,
            in_words=True,
            parts=stated,
            content={"shown": self.shown, "p_value": self.pvalue, "parts": rows},
        )
