"""The report of a diagnostic study: one page, made of facts."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort, Source
from rocstats.analysis.plan import Aim, AskR, Origin, StudyPlan
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample
from rocstats.errors import InvalidOptionError, as_number, keyword, named
from rocstats.places import write_whole
from rocstats.reports.checklist import checklist_facts
from rocstats.reports.methods import methods_text
from rocstats.reports.render import render_report

__all__ = ["Report", "report"]

_NOWHERE = Source()

# Control characters, halves of pairs and non-characters, for which HTML has no place.
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report:
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

    facts: dict[str, Any]
    html: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, whole or not at all, and return where.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        return write_whole(Path(path), self.html)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts."""
        return self.facts

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="700"></iframe>'

    def __repr__(self) -> str:
        data = self.facts["data"]
        lines = [f"Report: {data['n_pos']} positives, {data['n_neg']} negatives"]
        for marker in self.facts["markers"]:
            row = marker["estimates"]["auc"]
            low, high = (_shown(row[end]) for end in ("conf_low", "conf_high"))
            lines.append(f"  {marker['label']}: AUC {_shown(row['estimate'])} ({low} to {high})")
        return "\n".join(lines)


def _shown(value: float | None) -> str:
    return "nan" if value is None else f"{value:.3f}"


def report(
    data: Any,
    *,
    outcome: str | None = None,
    markers: str | Sequence[str] | None = None,
    pos_label: Any = None,
    subject: str | None = None,
    cluster: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    indeterminate: Iterable[Any] = (),
    subgroup: str | Sequence[str] | Mapping[str, Any] = (),
    baseline: str | Sequence[str] = (),
    reference: str | None = None,
    prespecified: Mapping[str, float | Sequence[float]] | None = None,
    prevalence: float | Sequence[float] = (),
    margin: float | None = None,
    aim: Aim = "non-inferiority",
    adjust: str = "holm",
    fpr_range: tuple[float, float] = (0.0, 0.1),
    specificities: Sequence[float] = (0.9, 0.95),
    comparator: bool = False,
    scores: Origin = "measured",
    bounds: Mapping[str, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    planned: tuple[int, int] | None = None,
    study: Mapping[str, str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 1,
    r: AskR = "auto",
    templates: str | os.PathLike[str] | None = None,
    source: Source = _NOWHERE,
    call: str | None = None,
    stage: Callable[[str], object] = lambda name: None,
) -> Report:
    """Analyse a diagnostic study and return the report, one HTML page.

    Parameters
    ----------
    data : ScoredSample or data frame
        The study; of a frame, `outcome` and `markers` are named.
    outcome : str, optional
        The column of the labels, of two classes; a sample has its own.
    markers : str or sequence of str, optional
        The columns of the scores; a sample has its own.
    pos_label : label, default 1
        The label of the positive class; a sample has its own.
    subject : str, optional
        The column of subject ids.
    cluster : str, optional
        The column of clusters of dependent subjects, which are then the independent units.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class.
    nan_policy : {"omit", "raise"}, default "omit"
        "omit" analyses the complete rows and counts the others in the page, by reason; "raise"
        refuses missing values.
    indeterminate : iterable, default ()
        Cells of the marker columns that mean an indeterminate result; they are left out of the main
        analysis and counted either way in the sensitivity analyses.
    subgroup : str, sequence of str or mapping, default ()
        Columns whose levels are analysed apart; with a sample, a mapping of names to values.
    baseline : str or sequence of str, default ()
        Columns that describe the subjects.
    reference : str, optional
        The marker that the others are compared with; every pair without it.
    prespecified : mapping of str to float or sequence of float, optional
        Thresholds fixed in advance, by marker; all others are labelled exploratory.
    prevalence : float or sequence of float, default ()
        Prevalence of intended use, one or several, for PPV and NPV.
    margin : float, optional
        The margin of `aim`.
    aim : {"non-inferiority", "superiority", "equivalence"}, default "non-inferiority"
        What is to be shown by the margin.
    adjust : str, default "holm"
        How p-values are adjusted for the number of comparisons: "none", or a method of statsmodels
        by name.
    fpr_range : (float, float), default (0.0, 0.1)
        False positive rates of the partial AUC.
    specificities : sequence of float, default (0.9, 0.95)
        Where the sensitivity is estimated.
    comparator : bool, default False
        True where the outcome is not a reference standard: the page then speaks of positive and
        negative percent agreement.
    scores : {"measured", "model", "fitted", "cross-validated"}, default "measured"
        Where scores come from: measured; by a model fitted to other data; fitted to these data,
        where comparisons are refused; or cross-validated. Scores of a model on [0, 1] are taken as
        probabilities; measured ones only if they reach from a quarter to three quarters, too.
    bounds : mapping of str to (float, float), optional
        Limits of a marker's scores, by marker, for sAUC and smAUC on [0, 1].
    labels : mapping of str to str, optional
        Printed names, by marker.
    units : mapping of str to str, optional
        Units, by marker.
    planned : (int, int), optional
        Planned numbers of positives and negatives.
    study : mapping of str to str, optional
        Texts that only the authors know, by name, such as title, analyst and protocol.
    confidence_level : float, default 0.95
        Level of the intervals.
    n_resamples : int, default 2000
        Resamples of bootstrap and bands.
    seed : int, default 1
        Where their random streams begin.
    r : {"auto", "yes", "no"}, default "auto"
        "auto" checks areas and tests with R's pROC where R is there, "yes" insists, "no" does not.
    templates : str or path, optional
        A folder whose files replace those of the same name in ``templates/report``.
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
    plan = StudyPlan(
        reference=reference,
        prespecified={
            name: tuple(dict.fromkeys(cuts))
            for name, given in _by_name(prespecified, "prespecified").items()
            if (cuts := _numbers(given, f"prespecified threshold of {name}"))
        },
        prevalence=tuple(dict.fromkeys(_numbers(prevalence, "prevalence"))),
        margin=margin,
        aim=aim,
        adjust=adjust,
        fpr_range=_two(_numbers(fpr_range, "end of fpr_range"), "fpr_range"),
        specificities=tuple(dict.fromkeys(_numbers(specificities, "specificity"))),
        comparator=comparator,
        scores=scores,
        bounds={
            name: _two(_numbers(limits, f"bound of {name}"), f"bounds of {name}")
            for name, limits in _by_name(bounds, "bounds").items()
        },
        labels=_by_name(labels, "labels"),
        units=_by_name(units, "units"),
        planned=None if planned is None else _two(_items(planned), "planned"),
        study=_by_name(study, "study"),
        confidence_level=confidence_level,
        n_resamples=_built_in(n_resamples),
        seed=_built_in(seed),
        r=r,
    )
    if isinstance(data, ScoredSample):
        _check_not_given(
            outcome=outcome,
            markers=markers,
            pos_label=pos_label,
            subject=subject,
            cluster=cluster,
            higher_is_positive=higher_is_positive,
            nan_policy=nan_policy,
            baseline=_names(baseline) or None,
            indeterminate=_names(indeterminate) or None,
        )
        cohort = Cohort.of_sample(data, groups=_groups_of_sample(subgroup), source=source)
    else:
        if outcome is None or markers is None:
            raise InvalidOptionError(
                f"Name the columns of the data with {keyword('outcome')} and {keyword('markers')}."
            )
        if isinstance(subgroup, Mapping):
            raise InvalidOptionError("With a data frame subgroup names its columns.")
        cohort = Cohort.of_frame(
            data,
            outcome=str(outcome),
            markers=_names(markers),
            pos_label=1 if pos_label is None else pos_label,
            subject=None if subject is None else str(subject),
            cluster=None if cluster is None else str(cluster),
            higher_is_positive=True if higher_is_positive is None else higher_is_positive,
            nan_policy="omit" if nan_policy is None else nan_policy,
            indeterminate=_names(indeterminate),
            groups=_names(subgroup),
            baseline=_names(baseline),
            source=source,
        )
    facts = methods_text(gather_facts(cohort, plan, call=call, stage=stage))
    facts["checklist"] = checklist_facts(facts)
    stage("the page")
    return Report(facts=facts, html=_page(facts, templates))


def _check_not_given(**fixed: Any) -> None:
    """Refuse what a sample has fixed already."""
    given = [name for name, value in fixed.items() if value is not None]
    if given:
        raise InvalidOptionError(
            f"{', '.join(map(named, given))} cannot be given with a ScoredSample, which has fixed "
            "it already; give the data frame instead."
        )


def _groups_of_sample(subgroup: Any) -> Mapping[str, Any]:
    if isinstance(subgroup, Mapping):
        return subgroup
    if _names(subgroup):
        raise InvalidOptionError(
            "With a ScoredSample subgroup is a mapping of names to the values of its "
            "subjects; or give the data frame instead."
        )
    return {}


def _built_in(value: Any) -> Any:
    """Return a number of numpy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _items(value: Any) -> tuple[Any, ...]:
    """Return one or several values as a tuple; a text is one."""
    several = isinstance(value, Iterable) and not isinstance(value, str)
    return tuple(_built_in(item) for item in (value if several else (value,)))


def _names(value: Any) -> tuple[str, ...]:
    return () if value is None else tuple(str(name) for name in _items(value))


def _numbers(value: Any, what: str) -> tuple[float, ...]:
    items = _items(value)
    for item in items:
        if as_number(item) != as_number(item):
            raise InvalidOptionError(f"The {what} must be a number, got {item!r}.")
    return tuple(as_number(item) for item in items)


def _two(items: tuple[Any, ...], what: str) -> tuple[Any, Any]:
    if len(items) != 2:
        raise InvalidOptionError(f"The {what} must be two numbers, got {len(items)}.")
    return items[0], items[1]


def _by_name(value: Any, option: str) -> dict[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise InvalidOptionError(
            f"{named(option)} must be a mapping of names to values, got {value!r}."
        )
    return {str(name): item for name, item in (value or {}).items()}


def _page(facts: dict[str, Any], templates: str | os.PathLike[str] | None) -> str:
    folder = None if templates is None else Path(templates)
    try:
        page = render_report(facts, templates=templates)
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
