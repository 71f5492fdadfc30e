"""What the page of a reader study states, and how it says what was done."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    function,
    keyword,
    listed,
    named,
)
from rocstats.rbridge.mrmc_script import mrmc_script
from rocstats.readers.reader_comparison import GENERALISES, ReaderComparison, compare_readers
from rocstats.readers.reader_study import ReaderStudy
from rocstats.readers.stand_alone import AgainstReaders
from rocstats.tables import counted, plain

__all__ = [
    "COVARIANCE_WORDS",
    "NOT_IN_DATA",
    "READER_REFERENCES",
    "held_against",
    "margin_rows",
    "methods_text",
    "reader_facts",
    "reader_script",
    "refuse_readers",
]

NOT_IN_DATA = "not in the data; to be stated by the authors"
READER_REFERENCES = {
    "or": (
        "Obuchowski NA, Rockette HE. Hypothesis testing of diagnostic accuracy for multiple "
        "readers and multiple tests: an ANOVA approach with dependent observations. Commun Stat "
        "Simul Comput 1995;24:285-308. doi:10.1080/03610919508813243"
    ),
    "hillis": (
        "Hillis SL. A comparison of denominator degrees of freedom methods for multiple observer "
        "ROC analysis. Stat Med 2007;26:596-619. doi:10.1002/sim.2532"
    ),
    "nested": (
        "Hillis SL. A marginal-mean ANOVA approach for analyzing multireader multicase "
        "radiological imaging data. Stat Med 2014;33:330-360."
    ),
    "ustat": (
        "Gallas BD, Bandos A, Samuelson FW, Wagner RF. A framework for random-effects ROC "
        "analysis: biases with the bootstrap and other variance estimators. Commun Stat Theory "
        "Methods 2009;38:2586-2603. doi:10.1080/03610920802610084"
    ),
    "influence": (
        "DeLong ER, DeLong DM, Clarke-Pearson DL. Comparing the areas under two or more correlated "
        "receiver operating characteristic curves: a nonparametric approach. Biometrics "
        "1988;44:837-845. doi:10.2307/2531595"
    ),
    "jackknife": (
        "Dorfman DD, Berbaum KS, Metz CE. Receiver operating characteristic rating analysis: "
        "generalization to the population of readers and patients with the jackknife method. "
        "Invest Radiol 1992;27:723-731."
    ),
}
COVARIANCE_WORDS = {
    "influence": "structural components (DeLong et al. 1988 for the AUC)",
    "jackknife": "the jackknife over cases, which makes this the analysis of Dorfman, Berbaum and "
    "Metz (1992)",
    "unbiased": "unbiased U-statistics",
    "bootstrap": "the bootstrap of cases within their classes",
}


def held_against(study: ReaderStudy, new: str | None, standard: str | None) -> str | None:
    """Return the test that differences are taken from; None for every pair as it comes."""
    if new is None:
        return None if standard is None else study.tests[study.find(standard, "test")]
    others = [name for name in study.tests if name != study.tests[study.find(new, "test")]]
    if standard is None:
        if len(others) != 1:
            raise InvalidOptionError(f"Name the other test with {keyword('standard')}.")
        return others[0]
    if study.tests[study.find(standard, "test")] not in others:
        raise InvalidOptionError(
            f"{named('new')} and {named('standard')} are the same test ({standard})."
        )
    return standard


def reader_facts(
    found: ReaderComparison,
    *,
    confidence_level: float = 0.95,
    adjust: str = "holm",
    margin: float | None = None,
    equivalence: float | None = None,
    new: str | None = None,
    standard: str | None = None,
    title: str = "Reader study",
) -> dict[str, Any]:
    """Return every number and sentence of the page, as built-in values."""
    study, level = found.study, confidence_level
    estimates = found.estimates.statement(confidence_level=level)
    several = len(study.tests) > 1
    versus = held_against(study, new, standard)
    pairs: list[Any] = []
    if several:
        stated = found.pairwise(adjust=adjust, versus=versus, confidence_level=level).statement()
        pairs = list(stated.tidy)
    margins = [
        judge(size, new=new, standard=standard).to_dict()
        for judge, size in (
            (found.noninferiority, margin),
            (found.equivalence, equivalence),
        )
        if size is not None and several
    ]
    components = found.components
    facts = {
        "design": study.design.name,
        "design_words": study.design.words,
        "study": study.to_dict() | {"title": title},
        "pos_label": study.pos_label,
        "neg_label": study.neg_label,
        "measure": found.measure.label,
        "level": level,
        "adjust": adjust,
        "estimates": list(estimates.tidy),
        "pairwise": pairs,
        "omnibus": found.omnibus().to_dict() if len(study.tests) > 2 else None,
        "margins": margin_rows(margins),
        "by_reader": list(found.by_reader.statement(confidence_level=level).tidy),
        "reader_differences": _by_reader(found, level, versus) if several else [],
        "components": list(components.statement().tidy),
        "correlations": [components[name] / components.var for name in ("cov1", "cov2", "cov3")]
        if components.var > 0.0
        else [],
        "generalises": _side_by_side(found, level, versus),
        "holds_for": GENERALISES[found.random],
        "remarks": found.remarks(),
        "methods": methods_text(found, level, adjust, margin),
        "references": _references(found),
        "checklist": _checklist(found),
        "margin": margin,
    }
    made: dict[str, Any] = plain(facts)
    return made


def margin_rows(tests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return tests against a margin with the level of their interval and the limit to hold."""
    return [
        row | {"conf_level": 1.0 - 2.0 * row["significance"], "bound": -row["margin"]}
        for row in tests
    ]


def _by_reader(found: ReaderComparison, level: float, versus: str | None) -> list[Any]:
    try:
        tests = found.reader_differences(versus=versus, confidence_level=level)
        return list(tests.statement().tidy)
    except InvalidOptionError:  # no reader read in two tests
        return []


def _side_by_side(
    found: ReaderComparison, level: float, versus: str | None
) -> list[dict[str, Any]]:
    """Return the first difference with readers, cases or both as random, where that can be had."""
    rows = []
    for random, options in (
        ("both", {}),
        ("cases", {"readers": "fixed"}),
        ("readers", {"cases": "fixed"}),
    ):
        other = found
        if random != found.random:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DegenerateVarianceWarning)
                    other = compare_readers(
                        found.study,
                        found.measure,
                        covariance=found.covariance_name,
                        **options,  # type: ignore[arg-type]
                    )
            except InvalidOptionError:
                continue
        if len(found.study.tests) > 1:
            said = {"random": random, "holds_for": GENERALISES[random]}
            tests = other.pairwise(adjust="none", versus=versus, confidence_level=level)
            stated = tests.statement()
            rows += [said | dict(row) for row in stated.tidy]
    return rows


def methods_text(
    found: ReaderComparison, level: float, adjust: str, margin: float | None
) -> list[str]:
    """Return the methods as sentences, with exactly what was used."""
    study, table = found.study, found.table
    read = (
        f"{counted(len(study.readers), 'reader')} rated {counted(study.positive.size, 'case')} "
        f"({study.n_pos} positive, {study.n_neg} negative) in {counted(len(study.tests), 'test')}; "
        f"the design was {study.design.name}: {study.design.words}."
    )
    drawn = {
        "both": "Readers and cases were both treated as random",
        "cases": "Readers were treated as fixed and cases as random",
        "readers": "Readers were treated as random and cases as fixed",
    }[found.random]
    text = [read, f"The {found.measure.label} of every reader in every test was estimated."]
    if found.method == "or":
        what = f"{drawn}, and tests were compared by the method of Obuchowski and Rockette (1995)"
        if found.random == "both":
            what += " with the denominator degrees of freedom of Hillis (2007)"
        if table.nested:
            what += ", in the form for readers nested in tests (Hillis 2014)"
        text.append(f"{what}.")
    elif found.moments is not None:
        text.append(
            f"{drawn}, and tests were compared by U-statistics of readers and cases (Gallas et al. "
            "2009), in which the AUC of a test is the mean over all pairs of a positive and a "
            "negative case that a reader read."
        )
    else:
        text.append(f"{drawn}, and tests were compared by the readers' weighted mean.")
    if found.random != "readers" and found.moments is None:
        how = COVARIANCE_WORDS[found.covariance_name]
        text.append(f"The covariance of the estimates over cases was found by {how}.")
    if study.cluster is not None:
        text.append("Cases of one patient were taken as one independent unit.")
    reference = "a t" if found.random != "cases" else "a normal"
    text.append(
        f"Intervals have a confidence level of {100.0 * level:g}% and rest on {reference} "
        "distribution."
    )
    if found.measure.value_bounds == (0.0, 1.0):
        text.append("Those of the mean of one test were found on the logit scale.")
    if len(study.tests) > 2:
        text.append(f"P-values of the pairs of tests were adjusted ({adjust}).")
    if margin is not None:
        text.append(
            f"Non-inferiority was tested one-sided at the 2.5% level with a margin of {margin:g}."
        )
    return text


def _references(found: ReaderComparison) -> list[str]:
    names = ["or", "hillis"] if found.method == "or" else []
    names += ["nested"] if found.table.nested and found.method == "or" else []
    names += ["ustat"] if found.method == "ustat" else []
    names += [found.covariance_name] if found.random != "readers" else []
    return [READER_REFERENCES[name] for name in dict.fromkeys(names) if name in READER_REFERENCES]


def _checklist(found: ReaderComparison) -> list[dict[str, str]]:
    """Return what a reviewer of a reader study looks for, and where it stands."""
    study, random = found.study, found.random
    methods = methods_text(found, 0.95, "", None)
    n_read = int(study.read.sum())
    whole = len(study.cells) * study.positive.size
    unread = (
        f"{whole - n_read} of {whole} readings"
        if study.design.name == "missing readings"
        else "none within the design"
    )
    rows = {
        "Design: which reader read which case in which test": study.design.name,
        "Number of readers and of cases of either class": f"{len(study.readers)} readers; "
        f"{study.n_pos} positive and {study.n_neg} negative cases",
        "How readers were chosen, and their experience": NOT_IN_DATA,
        "How cases were chosen, and whether enriched": NOT_IN_DATA,
        "Reference standard for the truth of a case": NOT_IN_DATA,
        "Reading order, blinding and washout between tests": NOT_IN_DATA,
        "Rating scale and figure of merit": f"{found.measure.label}; the scale is " + NOT_IN_DATA,
        "Whom the answer generalises to": GENERALISES[random],
        "Method, covariance and degrees of freedom": " ".join(methods[2:4]),
        "Each reader's own result": "in the report",
        "Variance components, for planning": "in the report",
        "Missing readings and how they were handled": unread,
    }
    return [{"item": item, "answer": answer} for item, answer in rows.items()]


_COLUMNS = ("test", "reader", "case", "outcome", "rating")


def reader_script(
    found: ReaderComparison,
    facts: Mapping[str, Any],
    *,
    file: str,
    columns: Mapping[str, str],
    version: str,
) -> str:
    """Return the R script that repeats the study; an empty text where MRMCaov has no such."""
    lacking = [name for name in _COLUMNS if name not in columns]
    if lacking or not file:
        raise InvalidOptionError(
            f"{named('columns')} must name the columns of {listed(_COLUMNS)} in the file of "
            f"{keyword('source')}; " + (f"{listed(lacking)} lack." if lacking else "no file came.")
        )
    if found.method != "or" or not found.measure.is_auc or not facts["pairwise"]:
        return ""
    return mrmc_script(
        file=file,
        columns={name: str(columns[name]) for name in _COLUMNS},
        labels=(found.study.neg_label, found.study.pos_label),
        higher_is_positive=found.study.higher_is_positive,
        random=found.random,
        covariance=found.covariance_name,
        pairwise=facts["pairwise"],
        version=version,
    )


def refuse_readers(data: Any) -> None:
    """Refuse a reader study where subjects are expected: it has a report of its own."""
    if isinstance(data, ReaderStudy | ReaderComparison | AgainstReaders):
        raise InvalidOptionError(
            f"A reader study has a report of its own: {function('report_readers')} of what "
            f"{function('compare_readers')} gives."
        )
