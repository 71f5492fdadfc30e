"""The report of a survival study: one page, made of facts, and its files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rocstats.analysis.survival_gathering import gather_survival
from rocstats.reports.finished_page import FinishedPage
from rocstats.reports.survival_page import survival_page
from rocstats.tables import Statement, counted

if TYPE_CHECKING:
    from rocstats import SurvivalSample

__all__ = ["SurvivalReport", "report_survival"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SurvivalReport(FinishedPage):
    """A finished report of a survival study.

    Attributes
    ----------
    facts : dict
        Every number and word of it, as built-in types; the JSON in the page.
    html : str
        The page, which needs nothing else.

    See Also
    --------
    report_survival : Return the report of a survival study.
    """

    def statement(self) -> Statement:
        """Return the areas at the times as rows, and all facts as the content."""
        study = self.facts["study"]
        return Statement(
            head=f"Report of a survival study: {counted(study['n'], 'participant')}, "
            f"{counted(study['n_events'], 'event')}",
            rows=self.facts["estimates"],
            shown=("classifier", "time", "estimate", "std_error", "conf_low", "conf_high"),
            content=self.facts,
        )


def report_survival(
    sample: SurvivalSample,
    times: float | Iterable[float],
    *,
    controls: Literal["event-free", "survivors"] = "event-free",
    thresholds: Mapping[str, Any] | None = None,
    tau: float | None = None,
    margin: float | None = None,
    new: str | None = None,
    standard: str | None = None,
    adjust: str = "holm",
    confidence_level: float = 0.95,
    title: str = "Survival study",
    source: str | os.PathLike[str] = "",
    columns: Mapping[str, str] | None = None,
    call: str = "",
) -> SurvivalReport:
    """Return the report of a survival study, one HTML page in the order a reviewer reads.

    Parameters
    ----------
    sample : SurvivalSample
        Who had the event when, and the markers.
    times : float or iterable of float
        The times at which the markers are judged.
    controls : {"event-free", "survivors"}, default "event-free"
        Whether those with a competing event by the time are controls, as in `auc_at`.
    thresholds : mapping of str to float or iterable of float, optional
        Scores of markers, fixed in advance, from which on a subject is called positive.
    tau : float, optional
        Time up to which pairs count for Uno's concordance; else the last of the times.
    margin : float, optional
        Margin of a test of non-inferiority of `new` to `standard` at the last time.
    new : str, optional
        The marker that is to be shown.
    standard : str, optional
        The marker it is held against.
    adjust : str, default "holm"
        How to adjust p-values of several pairs of markers.
    confidence_level : float, default 0.95
        Level of the intervals.
    title : str, default "Survival study"
        What heads the page.
    source : str or path, default ""
        Name of the file of the data, comma separated, for the record and for the R script.
    columns : mapping, optional
        Its columns of "time" and "event"; the R script needs them.
    call : str, default ""
        What asked for the report, for the record.

    Returns
    -------
    SurvivalReport
        The page, and every number and word of it; ``.save("study.html")``, ``.docx`` or ``.pdf``.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    concordance : Estimate Harrell's or Uno's C.
    report : Analyse a diagnostic study and return the report.

    Notes
    -----
    It is the page of ``rocstats survival`` and of the app, byte for byte, where source, columns and
    call are theirs. A Word file is made of the page, so it states the same.

    R equivalent: none; the page has a script for ``riskRegression::Score`` and
    ``survival::concordance``.

    Examples
    --------
    >>> import rocstats as rs
    >>> page = rs.report_survival(rs.datasets.load_breast_followup(), times=[730, 1826])
    >>> page.facts["study"]["n_events"], page.html.startswith("<!DOCTYPE html>")
    (299, True)
    """
    from rocstats import __version__

    file = os.fspath(source)
    made = gather_survival(
        sample,
        times,
        aims={
            "thresholds": thresholds,
            "tau": tau,
            "margin": margin,
            "new": new,
            "standard": standard,
            "adjust": adjust,
        },
        controls=controls,
        confidence_level=confidence_level,
        source=file,
        columns=columns,
        version=__version__,
    )
    page = survival_page(
        made.facts,
        title=str(title or "Survival study"),
        source=file,
        pictures=made.pictures,
        script=made.script,
        call=call,
        version=__version__,
    )
    return SurvivalReport(facts=made.facts, html=page)
