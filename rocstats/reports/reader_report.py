"""The report of a reader study: one page, made of facts, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rocstats.errors import InvalidOptionError, keyword, listed, named
from rocstats.plots.pictures import svg_text
from rocstats.rbridge.mrmc_script import mrmc_script
from rocstats.readers.reader_comparison import ReaderComparison
from rocstats.readers.reader_facts import reader_facts
from rocstats.reports.finished_page import FinishedPage
from rocstats.reports.reader_page import reader_page
from rocstats.tables import Statement

__all__ = ["ReaderReport", "report_readers"]

COLUMNS = ("test", "reader", "case", "outcome", "rating")


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
        """Return the mean of the readers as rows, and all facts as the content."""
        study = self.facts["study"]
        return Statement(
            head=f"Report of a reader study, {self.facts['design']}: {len(study['readers'])} "
            f"readers, {study['n_cases']} cases",
            rows=self.facts["estimates"],
            shown=("test", "estimate", "std_error", "df", "conf_low", "conf_high"),
            content=self.facts,
        )


def report_readers(
    found: ReaderComparison,
    *,
    margin: float | None = None,
    equivalence: float | None = None,
    new: str | None = None,
    standard: str | None = None,
    adjust: str = "holm",
    confidence_level: float = 0.95,
    title: str = "Reader study",
    source: str = "",
    columns: Mapping[str, str] | None = None,
    call: str = "",
) -> ReaderReport:
    """Return the report of a reader study, one HTML page in the order a reviewer reads.

    Parameters
    ----------
    found : ReaderComparison
        The comparison, as `compare_readers` gives it.
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
    source : str, default ""
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

    if not isinstance(found, ReaderComparison):
        raise InvalidOptionError(
            "The answer of rs.compare_readers was expected; give it the study first."
        )
    facts = reader_facts(
        found,
        confidence_level=confidence_level,
        adjust=adjust,
        margin=margin,
        equivalence=equivalence,
        new=new,
        standard=standard,
        title=str(title),
    )
    script = ""
    if columns is not None:
        known = _checked(columns, source)
        if found.method == "or" and found.measure.is_auc and facts["pairwise"]:
            script = mrmc_script(
                file=source,
                columns=known,
                labels=(found.study.neg_label, found.study.pos_label),
                higher_is_positive=found.study.higher_is_positive,
                random=found.random,
                covariance=found.covariance_name,
                pairwise=facts["pairwise"],
                version=__version__,
            )
    height = 1.6 + 0.3 * len(facts["by_reader"])
    page = reader_page(
        facts,
        source=source,
        pictures={
            "curves": svg_text(found.study.plot, size=(5.2, 5.2)),
            "forest": svg_text(found.plot, size=(5.6, height)),
        },
        script=script,
        call=call,
        version=__version__,
    )
    return ReaderReport(facts=facts, html=page)


def _checked(columns: Mapping[str, str], source: str) -> dict[str, str]:
    """Return the columns of the file, all five, or refuse."""
    lacking = [name for name in COLUMNS if name not in columns]
    if lacking or not source:
        raise InvalidOptionError(
            f"{named('columns')} must name the columns of {listed(COLUMNS)} in the file of "
            f"{keyword('source')}; " + (f"{listed(lacking)} lack." if lacking else "no file came.")
        )
    return {name: str(columns[name]) for name in COLUMNS}
