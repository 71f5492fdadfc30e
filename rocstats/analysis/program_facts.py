"""What the page of a program against readers states, and how it says what was done."""

from __future__ import annotations

import warnings
from typing import Any

from rocstats.analysis.reader_facts import (
    COVARIANCE_WORDS,
    NOT_IN_DATA,
    READER_REFERENCES,
    margin_rows,
)
from rocstats.errors import DegenerateVarianceWarning, InvalidOptionError
from rocstats.readers.reader_comparison import GENERALISES
from rocstats.readers.stand_alone import AgainstReaders
from rocstats.tables import counted, plain

__all__ = ["program_facts"]

_DRAWN = {
    "both": "Readers and cases were both treated as random",
    "cases": "Readers were treated as fixed and cases as random",
    "readers": "Readers were treated as random and cases as fixed",
}


def program_facts(
    found: AgainstReaders, *, confidence_level: float = 0.95, title: str = "Reader study"
) -> dict[str, Any]:
    """Return every number and sentence of the page, as built-in values."""
    study, level = found.read_by_readers, confidence_level
    margins = [] if found.margin is None else [found.noninferiority().to_dict()]
    facts = {
        "design": study.design.name,
        "design_words": study.design.words,
        "study": study.to_dict() | {"title": title},
        "pos_label": study.pos_label,
        "neg_label": study.neg_label,
        "measure": found.ai.measure.label,
        "level": level,
        "program": found.ai.classifier,
        "read_in": found.readers.test,
        "n_readers": found.readers.n_readers,
        "ai": found.ai.statement(confidence_level=level).row,
        "mean": found.readers.statement(confidence_level=level).row,
        "difference": found.difference.statement(confidence_level=level).row,
        "margins": margin_rows(margins),
        "better": _better(found) if margins and margins[0]["shown"] else None,
        "by_reader": list(found.by_reader.statement(confidence_level=level).tidy),
        "reader_differences": list(
            found.reader_differences(confidence_level=level).statement().tidy
        ),
        "generalises": _side_by_side(found, level),
        "holds_for": GENERALISES[found.random],
        "methods": _methods(found, level),
        "references": [
            READER_REFERENCES[name]
            for name in (
                "or",
                "hillis",
                *([found.covariance_name] if found.random != "readers" else []),
            )
            if name in READER_REFERENCES
        ],
        "checklist": _checklist(found, level),
        "margin": found.margin,
    }
    made: dict[str, Any] = plain(facts)
    return made


def _better(found: AgainstReaders) -> str:
    said = "was" if found.is_better() else "was not"
    return f"Superiority to the readers {said} shown."


def _side_by_side(found: AgainstReaders, level: float) -> list[dict[str, Any]]:
    """Return the difference with readers, cases or both as random, where that can be had."""
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
                    other = found.again(**options)
            except InvalidOptionError:
                continue
        said = {"random": random, "holds_for": GENERALISES[random]}
        rows.append({**said, **other.difference.statement(confidence_level=level).row})
    return rows


def _methods(found: AgainstReaders, level: float) -> list[str]:
    """Return the methods as sentences, with exactly what was used."""
    study, name, label = found.study, found.ai.classifier, found.ai.measure.label
    text = [
        f"{counted(found.readers.n_readers, 'reader')} and {name} rated the same "
        f"{counted(study.positive.size, 'case')} ({study.n_pos} positive, {study.n_neg} negative).",
        f"The {label} of {name} and of every reader was estimated, and {name} was compared with "
        "the mean of the readers.",
        f"{_DRAWN[found.random]}: the differences between {name} and each reader were judged as "
        "the readings of one test are by the method of Obuchowski and Rockette (1995)"
        + (", with the degrees of freedom of Hillis (2007)." if found.random == "both" else "."),
    ]
    if found.random != "readers":
        how = COVARIANCE_WORDS[found.covariance_name]
        text.append(f"The covariance of the estimates over cases was found by {how}.")
    if study.cluster is not None:
        text.append("Cases of one patient were taken as one independent unit.")
    reference = "a t" if found.random != "cases" else "a normal"
    text.append(
        f"Intervals have a confidence level of {100.0 * level:g}%; that of the difference rests "
        f"on {reference} distribution."
    )
    if found.margin is not None:
        text.append(
            f"Non-inferiority was tested one-sided at the 2.5% level with a margin of "
            f"{found.margin:g}; superiority was tested at the same level where it was shown."
        )
    return text


def _checklist(found: AgainstReaders, level: float) -> list[dict[str, str]]:
    """Return what a reviewer of a program against readers looks for, and where it stands."""
    study = found.study
    rows = {
        "Number of readers and of cases of either class": f"{found.readers.n_readers} readers; "
        f"{study.n_pos} positive and {study.n_neg} negative cases",
        "Whether the program and the readers saw the same cases": "yes, every one of them",
        "Which version of the program, and that it was fixed before the data": NOT_IN_DATA,
        "Whether the cases are apart from those that trained the program": NOT_IN_DATA,
        "What the readers saw that the program did not, as earlier images": NOT_IN_DATA,
        "How readers were chosen, and their experience": NOT_IN_DATA,
        "How cases were chosen, and whether enriched": NOT_IN_DATA,
        "Reference standard for the truth of a case": NOT_IN_DATA,
        "Rating scale and figure of merit": f"{found.ai.measure.label}; the scale is {NOT_IN_DATA}",
        "Whom the answer generalises to": GENERALISES[found.random],
        "Method, covariance and degrees of freedom": " ".join(_methods(found, level)[2:4]),
        "Each reader's own result": "in the report",
    }
    return [{"item": item, "answer": answer} for item, answer in rows.items()]
