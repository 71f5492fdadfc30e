"""The report of a diagnostic study: one page, made of facts."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort, Source, repeated_rows
from rocstats.analysis.option_kinds import texts
from rocstats.analysis.options import OPTIONS, Aim, AskR, Origin
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.reader_facts import refuse_readers
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample, refuse_design
from rocstats.data.subject_weights import WeightKind
from rocstats.errors import InvalidOptionError, keyword, named
from rocstats.reports.finished_page import FinishedPage
from rocstats.reports.render import render_report
from rocstats.reports.writing import written_up
from rocstats.tables import Statement, counted

__all__ = ["Report", "report"]

_NOWHERE = Source()

# Control characters, halves of pairs and non-characters, for which HTML has no place.
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report(FinishedPage):
    """A finished report.

    Attributes
    ----------
    facts : dict
        Every number and word of it, as built-in types; the JSON in the page.
    html : str
        The page, which needs nothing else.

    See Also
    --------
    report : Analyse a diagnostic study and return the report.
    """

    def statement(self) -> Statement:
        """Return the AUC of every marker as rows, and all facts as the content."""
        data = self.facts["data"]
        lines = [
            f"Report: {counted(data['n_pos'], 'positive')} ({data['pos_label']}), "
            f"{counted(data['n_neg'], 'negative')} ({data['neg_label']})"
        ]
        flow = self.facts["flow"]
        if flow["steps"]:
            why = ", ".join(f"{step['why']} in {step['n']}" for step in flow["steps"])
            out = flow["start"] - flow["analysed"]
            lines.append(f"  {out} of {flow['start']} subjects left out ({why})")
        rows = []
        for marker in self.facts["markers"]:
            if self.facts["kind"] == "qualitative":
                found, words = marker["cutpoints"][0]["measures"], self.facts["words"]
                rates = [(rate, found[rate]) for rate in ("sensitivity", "specificity")]
                told = ", ".join(f"{words[rate]} {_shown(row['estimate'])}" for rate, row in rates)
                lines.append(f"  {marker['label']}: {told}")
                rows += [{"marker": marker["label"], "measure": rate, **row} for rate, row in rates]
                continue
            row = marker["estimates"]["auc"]
            value, low, high = (_shown(row[k]) for k in ("estimate", "conf_low", "conf_high"))
            lines.append(f"  {marker['label']}: AUC {value} ({low} to {high})")
            rows.append({"marker": marker["label"], **row})
        return Statement(head="\n".join(lines), rows=rows, content=self.facts)


def _shown(value: float | None) -> str:
    return "nan" if value is None else f"{value:.3f}"


def report(
    data: Any,
    # Written by docs/reference/report_options.py.
    outcome: str | None = None,
    *,
    pos_label: Any = None,
    markers: str | Sequence[str] | None = None,
    higher_is_positive: Orientation | None = None,
    subject: str | None = None,
    cluster: str | None = None,
    weights: str | None = None,
    weight_kind: WeightKind | None = None,
    strata: str | None = None,
    baseline: str | Sequence[str] = (),
    indeterminate: Iterable[Any] = (),
    test_positive: Iterable[Any] = (),
    nan_policy: NanPolicy | None = None,
    versus: str | None = None,
    prespecified: Mapping[str, float | Sequence[float]] | None = None,
    prevalence: float | Sequence[float] = (),
    subgroup: str | Sequence[str] | Mapping[str, Any] = (),
    margin: float | None = None,
    aim: Aim = "non-inferiority",
    adjust: str = "holm",
    criterion: str = "youden",
    fpr_range: tuple[float, float] = (0.0, 0.1),
    specificities: float | Sequence[float] = (0.9, 0.95),
    decision_range: tuple[float, float] = (0.01, 0.99),
    comparator: bool = False,
    scores: Origin = "measured",
    bounds: Mapping[str, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    planned: tuple[int, int] | None = None,
    study: Mapping[str, str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: int = 1,
    templates: str | os.PathLike[str] | None = None,
    summary: bool = False,
    r: AskR = "auto",
    source: Source = _NOWHERE,
    call: str | None = None,
    stage: Callable[[str], object] = lambda name: None,
) -> Report:
    """Analyse a diagnostic study and return the report, one HTML page.

    Parameters
    ----------
    data : ScoredSample or data frame
        The study; a sample has fixed what its columns mean, of a frame `outcome` and `markers` are
        named.
    outcome : str, optional
        Column of the true class.
    pos_label : label, optional
        Label or code of the positive class; if left out 1, where the other one is 0 or -1.
    markers : str | Sequence[str], optional
        Columns of scores.
    higher_is_positive : Orientation, optional
        Markers whose low values speak for the positive class; never guessed. In Python `{"MARKER":
        False}` says so.
    subject : str, optional
        Column of subject ids.
    cluster : str, optional
        Column of clusters of dependent rows (the patient of an eye or a lesion).
    weights : str, optional
        Column of what a row counts: subjects it stands for in a survey, or that are alike. What
        takes no weights is left out of the page, which says so.
    weight_kind : {"probability", "frequency"}, optional
        What the weights are: "probability", the default, or "frequency". A row of a probability
        weight is one subject that stands for others (survey, two-phase sample); a row of a
        frequency is analysed as if repeated (a table of ratings).
    strata : str, optional
        Column of the sampling strata, drawn from independently; clusters are within them.
    baseline : str | Sequence[str], default ()
        Columns that describe the subjects.
    indeterminate : Iterable[Any], default ()
        Cell of a marker column that means an indeterminate result. Such results are left out of
        the main analysis and counted either way in the sensitivity analyses.
    test_positive : Iterable[Any], default ()
        Cell of a marker column that means a positive result, where results are words. The tests
        are qualitative then: the page has no ROC curve and no threshold, but what each test called
        and how tests differ; with `comparator` it speaks of agreement.
    nan_policy : {"omit", "raise"}, optional
        Count incomplete rows and analyse the others ("omit", if left out), or refuse ("raise").
    versus : str, optional
        Marker that the others are compared with; without it every pair of up to 12 markers, and
        the first marker with each other of more.
    prespecified : Mapping[str, float | Sequence[float]], optional
        Thresholds fixed before the data were seen; all others are labelled exploratory.
    prevalence : float | Sequence[float], default ()
        Prevalences of intended use, for PPV and NPV.
    subgroup : str | Sequence[str] | Mapping[str, Any], default ()
        Columns whose levels are analysed apart. With a `ScoredSample`, a mapping of names to the
        values of its subjects.
    margin : float, optional
        How much worse (or different) an AUC may be.
    aim : {"non-inferiority", "equivalence", "superiority"}, default "non-inferiority"
        What is to be shown with the margin: "non-inferiority", "equivalence" or "superiority".
    adjust : str, default "holm"
        Adjustment of p-values for the number of comparisons, as holm, bonferroni, fdr_bh or none.
        There are those of `Comparison.pairwise`.
    criterion : str, default "youden"
        By what exploratory cutpoints are chosen, as youden, closest, product, kappa or f1. There
        are those of `optimal_cutpoint`.
    fpr_range : (float, float), default (0.0, 0.1)
        False positive rates of the partial AUC.
    specificities : float | Sequence[float], default (0.9, 0.95)
        Where the sensitivity is estimated.
    decision_range : (float, float), default (0.01, 0.99)
        Threshold probabilities of the decision curve: where one would act.
    comparator : bool, default False
        The outcome is no reference standard: agreement instead of accuracy. The page then speaks
        of positive and negative percent agreement.
    scores : {"measured", "model", "probability", "fitted", "cross-validated"}, default "measured"
        "measured"; by a "model" of other data; a "probability" of another kind; "fitted" to these
        data; "cross-validated". Comparisons of "fitted" scores are refused. All but "measured"
        scores are taken as probabilities where they lie on [0, 1] and have no unit; a marker with
        the bounds 0 and 1 is one whatever the others are, and one with other bounds is none.
    bounds : Mapping[str, (float, float)], optional
        Limits of a marker's scale, where sAUC and smAUC are wanted on [0, 1].
    labels : Mapping[str, str], optional
        Printed name of a marker.
    units : Mapping[str, str], optional
        Unit of a marker.
    planned : (int, int), optional
        Planned numbers of positives and negatives.
    study : Mapping[str, str], optional
        Texts that only the authors know, by name, as title and analyst.
    confidence_level : float, default 0.95
        Of every interval.
    n_resamples : int, default 2000
        Bootstrap resamples.
    rng : int, default 1
        Of the resampling; the same seed gives the same page.
    templates : str | os.PathLike[str], optional
        Folder of templates that replace those of the same name.
    summary : bool, default False
        A page that prints on two sheets: key results, alerts and the results in words. It holds
        the same numbers as JSON.
    r : {"auto", "yes", "no"}, default "auto"
        Check with R's pROC: "auto" where R is there, "yes" or "no".
    source : Source, optional
        Where the rows came from, for the record.
    call : str, optional
        What asked for the report, for the record.
    stage : callable, optional
        Told the name of each stage of the work before it begins.

    Returns
    -------
    Report
        The page, and every number and word of it.

    See Also
    --------
    compare : Compare classifiers on the same subjects.
    operating_points : 2x2 tables at thresholds, with their measures.
    sample_size_auc : The least sizes that give the wanted power.

    Notes
    -----
    The same data and arguments give the same bytes, but for one time of making. Every number in
    text, tables and figures is one of ``report.facts``, which the page carries as JSON.

    Examples
    --------
    >>> import rocstats as rs
    >>> cancer = rs.datasets.load_breast_cancer()
    >>> page = rs.report(cancer, prespecified={"mean_radius": 15}, n_resamples=100, r="no")
    >>> page.facts["markers"][0]["cutpoints"][0]["tp"]
    161
    """
    given = locals()
    plan = StudyPlan.of(given)
    if isinstance(data, ScoredSample):
        _check_not_given(given)
        refuse_design(data, takes=("weights", "strata"))
        cohort = Cohort.of_sample(data, groups=_groups_of_sample(subgroup), source=source)
    else:
        refuse_readers(data)
        if outcome is None or markers is None:
            raise InvalidOptionError(
                f"Name the columns of the data with {keyword('outcome')} and {keyword('markers')}."
            )
        if isinstance(subgroup, Mapping):
            raise InvalidOptionError("With a data frame subgroup names its columns.")
        data, source = repeated_rows(data, weights, weight_kind, source)
        cohort = Cohort.of_frame(
            data,
            outcome=str(outcome),
            markers=texts(markers),
            pos_label=pos_label,
            subject=None if subject is None else str(subject),
            cluster=None if cluster is None else str(cluster),
            weights=None if weights is None or weight_kind == "frequency" else str(weights),
            strata=None if strata is None else str(strata),
            higher_is_positive=True if higher_is_positive is None else higher_is_positive,
            nan_policy="omit" if nan_policy is None else nan_policy,
            indeterminate=texts(indeterminate),
            test_positive=texts(test_positive),
            groups=texts(subgroup),
            baseline=texts(baseline),
            source=source if source is not _NOWHERE else _source_of(data),
        )
    facts = written_up(gather_facts(cohort, plan, call=call, stage=stage))
    stage("the page")
    return Report(facts=facts, html=_page(facts, templates, summary=summary))


def _source_of(frame: Any) -> Source:
    """Return what `rs.read` left with a frame about the repairs of its file."""
    attrs = getattr(frame, "attrs", None)
    repairs = attrs.get("repairs", ()) if isinstance(attrs, dict) else ()
    return Source(repairs=tuple(repairs)) if repairs else _NOWHERE


def _check_not_given(given: Mapping[str, Any]) -> None:
    """Refuse what a sample has fixed already."""
    fixed = [
        o.keyword
        for o in OPTIONS
        if o.keyword and o.group == "data" and not o.planned
        if (given[o.keyword] is not None if o.default is None else texts(given[o.keyword]))
    ]
    if fixed:
        raise InvalidOptionError(
            f"{', '.join(map(named, fixed))} cannot be given with a ScoredSample, which has fixed "
            "it already; give the data frame instead."
        )


def _groups_of_sample(subgroup: Any) -> Mapping[str, Any]:
    if isinstance(subgroup, Mapping):
        return subgroup
    if texts(subgroup):
        raise InvalidOptionError(
            "With a ScoredSample subgroup is a mapping of names to the values of its "
            "subjects; or give the data frame instead."
        )
    return {}


def _page(
    facts: dict[str, Any], templates: str | os.PathLike[str] | None, *, summary: bool = False
) -> str:
    folder = None if templates is None else Path(templates)
    try:
        page = render_report(facts, templates=templates, summary=summary)
    except Exception as reason:  # a user's template may raise anything
        refusal = None if folder is None else _template_error(reason, folder)
        if refusal is None:
            raise
        raise refusal from reason
    return _NO_TEXT.sub("\ufffd", page)


def _template_error(reason: Exception, folder: Path) -> InvalidOptionError | None:
    """Return where a user's template failed and why; None where it was none of theirs."""
    from jinja2 import TemplateError, TemplateNotFound

    places = [
        f" in {Path(frame.filename).name}, line {frame.lineno}"
        for frame in traceback.extract_tb(reason.__traceback__)
        if Path(frame.filename).is_relative_to(folder)
    ]
    if not places and not isinstance(reason, (TemplateError, UnicodeError)):
        return None
    said = reason.name if isinstance(reason, TemplateNotFound) else reason  # not where it looked
    why = " ".join(str(said).split()).rstrip(".")
    return InvalidOptionError(
        f"The templates of {folder} failed{places[-1] if places else ''}: "
        f"{type(reason).__name__}, {why}."
    )
