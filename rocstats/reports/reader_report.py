"""The report of a reader study: one page, made of facts, and its files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocstats.analysis.reader_gathering import gather_readers
from rocstats.reports.finished_page import FinishedPage
from rocstats.reports.reader_page import reader_page
from rocstats.tables import Statement, counted

if TYPE_CHECKING:
    from rocstats import AgainstReaders, ReaderComparison

__all__ = ["ReaderReport", "report_readers"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderReport(FinishedPage):
    """A finished report of a reader study.

    Attributes
    ----------
    facts : dict
        Every number and word of it, as built-in types; the JSON in the page.
    html : str
        The page, which needs nothing else.

    See Also
    --------
    report_readers : Return the report of a reader study.
    """

    def statement(self) -> Statement:
        """Return the means that are compared as rows, and all facts as the content."""
        facts, study = self.facts, self.facts["study"]
        rows = facts.get("estimates") or [
            {"test": facts["program"], **facts["ai"], "df": None},
            {**facts["mean"], "test": "mean reader"},
        ]
        return Statement(
            head=f"Report of a reader study, {facts['design']}: "
            f"{counted(len(study['readers']), 'reader')}, {counted(study['n_cases'], 'case')}",
            rows=rows,
            shown=("test", "estimate", "std_error", "df", "conf_low", "conf_high"),
            content=facts,
        )


def report_readers(
    found: ReaderComparison | AgainstReaders,
    *,
    margin: float | None = None,
    equivalence: float | None = None,
    new: str | None = None,
    standard: str | None = None,
    adjust: str = "holm",
    confidence_level: float = 0.95,
    title: str = "Reader study",
    source: str | os.PathLike[str] = "",
    columns: Mapping[str, str] | None = None,
    call: str = "",
) -> ReaderReport:
    """Return the report of a reader study, one HTML page in the order a reviewer reads.

    Parameters
    ----------
    found : ReaderComparison or AgainstReaders
        What `compare_readers` gives, or what `compare_to_readers` gives for a program, which knows
        its margin.
    margin : float, optional
        Margin of a test of non-inferiority of `new` to `standard`.
    equivalence : float, optional
        Margin of a test of equivalence of the two.
    new : str, optional
        The test that is to be shown; differences are taken from `standard`.
    standard : str, optional
        The test it is held against.
    adjust : str, default "holm"
        How to adjust p-values of several pairs of tests.
    confidence_level : float, default 0.95
        Level of the intervals.
    title : str, default "Reader study"
        What heads the page.
    source : str or path, default ""
        Name of the file of the readings, comma separated, for the record and for the R script.
    columns : mapping, optional
        Its columns of "test", "reader", "case", "outcome" and "rating"; the R script needs them.
    call : str, default ""
        What asked for the report, for the record.

    Returns
    -------
    ReaderReport
        The page, and every number and word of it; ``.save("study.html")``, ``.docx`` or ``.pdf``.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    compare_to_readers : Compare a stand-alone AI with readers.

    Notes
    -----
    Every number in text and tables is one of ``report.facts``, which the page carries as JSON; a
    Word file is made of the page, so it states the same.

    R equivalent: none; the page has a script for ``MRMCaov::mrmc`` where that has the analysis.

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.compare_readers(rs.datasets.load_reader_study())
    >>> page = rs.report_readers(found, new="testB", standard="testA", margin=0.05)
    >>> page.facts["margins"][0]["shown"], round(page.facts["pairwise"][0]["df"], 2)
    (True, 45.21)
    """
    from rocstats import __version__

    file = os.fspath(source)
    made = gather_readers(
        found,
        aims={
            "margin": margin,
            "equivalence": equivalence,
            "new": new,
            "standard": standard,
            "adjust": adjust,
        },
        confidence_level=confidence_level,
        title=str(title or "Reader study"),
        source=file,
        columns=columns,
        version=__version__,
    )
    page = reader_page(
        made.facts,
        kind=made.kind,
        source=file,
        pictures=made.pictures,
        script=made.script,
        call=call,
        version=__version__,
    )
    return ReaderReport(facts=made.facts, html=page)
