"""What a re-run paper is made of: claims with verdicts, tables, figures, data and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.errors import InvalidOptionError, check_option, named
from rocstats.tables import Answer, Record, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "BACK_ENDS",
    "VERDICTS",
    "Claim",
    "DataUse",
    "Found",
    "Paper",
    "PaperFigure",
    "PaperResult",
    "PaperTable",
    "Settings",
    "judged",
    "too_few",
    "verdict_of",
]

VERDICTS = ("reproduced", "not reproduced", "misprint", "undecided")
BACK_ENDS = ("python", "weka")  # stand-ins for the papers' learners, or Weka itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user chose for a run.

    Attributes
    ----------
    quick : fewer repetitions and sets, for a first answer
    data : folder with data sets; None has those that are generated or come with scikit-learn
    openml : whether data sets may be fetched from OpenML
    n_jobs : joblib workers, -1 for all cores
    rng : seed; the same seed gives the same numbers for any number of workers
    backend : where learners come from: "python", or "weka" for Weka itself
    """

    quick: bool = False
    data: Path | None = None
    openml: bool = False
    n_jobs: int = 1
    rng: int = 20250611
    backend: str = "python"

    def __post_init__(self) -> None:
        check_option("backend", self.backend, BACK_ENDS)
        if self.n_jobs == 0:
            raise InvalidOptionError(
                f"{named('n_jobs')} must be a whole number other than 0, got 0."
            )
        if self.rng < 0:
            raise InvalidOptionError(f"The seed must be a whole number from 0, got {self.rng}.")
        if self.data is not None and not self.data.is_dir():
            raise InvalidOptionError(f"There is no data folder {self.data}.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Claim(Record):
    """One statement of a paper, and what came of it.

    Attributes
    ----------
    text : the statement
    printed, found : what the paper prints and what the run gave
    verdict : ``reproduced``, ``not reproduced``, ``misprint`` or ``undecided``
    why : proof of a misprint, reason of a failure or of what was left out
    """

    text: str
    printed: str
    found: str
    verdict: str
    why: str = ""

    def __post_init__(self) -> None:
        check_option("verdict", self.verdict, VERDICTS)


def verdict_of(holds: bool, *, decided: bool = True) -> str:
    """Return the verdict on a claim that was not proved to be a misprint."""
    if not decided:
        return "undecided"
    return "reproduced" if holds else "not reproduced"


def too_few(n_sets: int, *, of: int, fewest: int) -> str:
    """Return why there is no verdict on what most data sets show."""
    return f"At hand of the paper's {of} sets: {n_sets}; a verdict needs {fewest}."


def judged(text: str, printed: str, found: str, *, holds: bool, why: str = "") -> Claim:
    """Return a claim with the verdict that it holds or does not."""
    return Claim(text=text, printed=printed, found=found, verdict=verdict_of(holds), why=why)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaperTable(Answer):
    """A table of tidy rows; what the paper prints has the suffix ``_printed``.

    Attributes
    ----------
    name : such as ``table-4``, which names its file, too
    title : what it shows
    rows : the cells by column; a missing value is None
    note : what a reader has to know
    columns : names of the columns, in order; by default those of the longest row
    """

    name: str
    title: str
    rows: tuple[Mapping[str, Any], ...]
    note: str = ""
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        longest = max(self.rows, key=len, default={})
        object.__setattr__(self, "columns", self.columns or tuple(longest))

    def statement(self) -> Statement:
        """Return the title, the rows and the note."""
        rows = [{c: row.get(c) for c in self.columns} for row in self.rows]
        return Statement(
            head=self.title,
            rows=rows,
            shown=self.columns,
            notes=[self.note],
            content={
                "name": self.name,
                "title": self.title,
                "columns": self.columns,
                "rows": rows,
                "note": self.note,
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFigure:
    """A drawing.

    Attributes
    ----------
    name : such as ``figure-2``, which names its file, too
    title, alt : what it shows, and the same for who cannot see it
    draw : draws it on the axes it is given
    size : width and height in inches
    """

    name: str
    title: str
    alt: str
    draw: Callable[[Axes], object]
    size: tuple[float, float] = (6.4, 4.4)

    def svg(self) -> str:
        """Return the drawing as SVG text."""
        from rocstats.plots.pictures import svg_text

        return svg_text(self.draw, size=self.size)


Found = tuple[list[Claim], list[PaperTable], list[PaperFigure]]  # what a part of a paper gave


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DataUse(Record):
    """A data set that a run used.

    Attributes
    ----------
    name : as the paper calls it
    n, n_pos : rows, and those of the positive class
    source : where it is from
    sha256 : of the columns as they were used
    deviations : how it differs from what the paper describes
    """

    name: str
    n: int
    n_pos: int
    source: str
    sha256: str
    deviations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PaperResult(Answer):
    """What a re-run gave.

    Attributes
    ----------
    name : of the paper in `PAPERS`
    claims, tables, figures : what was found
    protocol : how it was done, a sentence each
    data : the data sets used
    choices : what the paper leaves open, and what was chosen
    left_out : what was left out, and why
    entropy : seed of the random streams
    seconds : time it took
    backend : where the learners came from, empty where none was trained
    """

    name: str
    claims: tuple[Claim, ...]
    tables: tuple[PaperTable, ...]
    figures: tuple[PaperFigure, ...] = ()
    protocol: tuple[str, ...] = ()
    data: tuple[DataUse, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    entropy: int | None = None
    seconds: float = 0.0
    backend: str = ""

    def verdicts(self) -> dict[str, int]:
        """Return how many claims have each verdict."""
        found = [claim.verdict for claim in self.claims]
        return {verdict: found.count(verdict) for verdict in VERDICTS}

    def statement(self) -> Statement:
        """Return a row for each claim; tables, figures and data are not printed."""
        rows = [claim.statement().row for claim in self.claims]
        return Statement(
            head=self.name,
            rows=rows,
            shown=("verdict", "text", "printed", "found"),
            content={
                "name": self.name,
                "verdicts": self.verdicts(),
                "claims": rows,
                "tables": [table.to_dict() for table in self.tables],
                "figures": [{"name": f.name, "title": f.title, "alt": f.alt} for f in self.figures],
                "protocol": self.protocol,
                "data": [use.to_dict() for use in self.data],
                "choices": self.choices,
                "left_out": self.left_out,
                "entropy": self.entropy,
                "seconds": self.seconds,
                "backend": self.backend,
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper whose experiments can be run again.

    Attributes
    ----------
    name : at the command line
    citation, doi : where it was printed
    title, question : what heads the page
    run : runs it; its module is imported only then
    backends : where its learners can come from
    """

    name: str
    citation: str
    doi: str
    title: str
    question: str
    run: Callable[[Settings], PaperResult]
    backends: tuple[str, ...] = ("python",)
