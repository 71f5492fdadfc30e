"""The STARD 2015 checklist, filled in as far as the facts go; the rest is asked of the authors.

The items are told in our own words; the statement itself is Bossuyt et al. (2015), BMJ 351, h5527,
doi:10.1136/bmj.h5527. Scores of a model add rows in the manner of STARD-AI.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rocstats.reports.sentences.abstract_sentences import lacks_texts

__all__ = [
    "ITEMS",
    "MODEL_ITEMS",
    "Item",
    "always",
    "asked",
    "by_model",
    "checklist_facts",
    "fill_row",
    "has_abstract",
    "has_prespecified",
    "is_judged_by_group",
    "text",
]

Facts: TypeAlias = Mapping[str, Any]
Place: TypeAlias = tuple[str, str]  # id of a section, and its name

PARTICIPANTS: Place = ("participants", "Participants")
AREAS: Place = ("areas", "Areas under the curves")
THRESHOLDS: Place = ("thresholds", "Thresholds")
_CALLS: Place = ("thresholds", "Results of each test")
SUBGROUPS: Place = ("subgroups", "Subgroups")
PROBABILITIES: Place = ("probabilities", "Calibration and decisions")
METHODS: Place = ("methods", "Statistical methods")
QUALITY: Place = ("quality", "Data quality")
RESULTS: Place = ("results", "Results in words")
CHECKLIST: Place = ("checklist", "STARD 2015 checklist")
AGAIN: Place = ("reproducibility", "Reproducibility")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One row of the checklist.

    Attributes
    ----------
    item : its number
    section : part of a paper that it belongs to
    text : what is to be reported; {standard} is the reference standard or the comparator
    supply : what the authors have to add where the page does not have it
    names : study texts that say it, all of them; the checklist then prints them
    there : whether another section says it
    place : that section
    """

    item: str
    section: str
    text: str
    supply: str
    names: tuple[str, ...] = ()
    there: Callable[[Facts], bool] = lambda facts: False
    place: Place = CHECKLIST


def checklist_facts(facts: Facts) -> list[dict[str, Any]]:
    """Return every item with its status: "reported", and where, or "supply", and what."""
    items = [*ITEMS, *(MODEL_ITEMS if by_model(facts) else ())]
    return [fill_row(item, facts) for item in items]


def by_model(facts: Facts) -> bool:
    """Whether a model made the scores."""
    return facts["settings"]["scores"] not in ("measured", "probability")


def fill_row(item: Item, facts: Facts) -> dict[str, Any]:
    """Return an item with its status, and where it is reported or what to supply."""
    standard = facts["words"]["standard"]
    texts = [(facts["study"].get(name) or "").strip() for name in item.names]
    place, where = CHECKLIST, "; ".join(texts) if all(texts) else ""
    if not where and item.there(facts):
        place = item.place
        if facts["kind"] == "qualitative" and place in (AREAS, THRESHOLDS):
            place = _CALLS
        where = place[1]
    return {
        "item": item.item,
        "section": item.section,
        "text": item.text.format(standard=standard),
        "status": "reported" if where else "supply",
        "where": where or item.supply.format(standard=standard),
        "anchor": place[0] if where else None,
    }


def always(facts: Facts) -> bool:
    """Say that the page has it whatever the study."""
    return True


def has_abstract(facts: Facts) -> bool:
    """Whether the abstract has no blanks left."""
    return not lacks_texts(facts)


def has_prespecified(facts: Facts) -> bool:
    """Whether a threshold was fixed in advance."""
    return any(cut["kind"] == "prespecified" for m in facts["markers"] for cut in m["cutpoints"])


def is_judged_by_group(facts: Facts) -> bool:
    """Whether subgroups have rates at a threshold and, for probabilities, their calibration.

    An AUC by itself says nothing of who is called positive in a group, and is no fairness.
    """
    found = [
        (estimate, marker)
        for group in facts["subgroups"]
        for level in group["levels"]
        for estimate, marker in zip(level["estimates"], facts["markers"], strict=False)
        if marker["in_full"]
    ]
    return bool(found) and all(
        estimate["rates"] and (estimate["calibration"] or not marker["calibration"])
        for estimate, marker in found
    )


def _only_exploratory(facts: Facts) -> bool:
    """Thresholds that the data chose, and none, explain themselves; others need their reason."""
    kinds = {cut["kind"] for m in facts["markers"] for cut in m["cutpoints"]}
    return kinds in ({"exploratory"}, {"result"})


def _some_indeterminate(facts: Facts) -> bool:
    counts = ("indeterminate_pos", "indeterminate_neg")
    return any(marker[count] for marker in facts["flow"]["markers"] for count in counts)


def _has_limits(facts: Facts) -> bool:
    if facts["kind"] == "qualitative":
        return True
    return any(m["estimates"]["auc"]["conf_low"] is not None for m in facts["markers"])


def text(item: str, section: str, words: str, supply: str, *names: str) -> Item:
    """Return an item that only texts of the authors fill."""
    return Item(item=item, section=section, text=words, supply=supply, names=names)


def asked(
    item: str,
    section: str,
    words: str,
    supply: str,
    place: Place,
    there: Callable[[Facts], bool],
    *names: str,
) -> Item:
    """Return an item that the page fills where it is ``there``, or texts of the authors do."""
    return Item(
        item=item,
        section=section,
        text=words,
        supply=supply,
        names=names,
        there=there,
        place=place,
    )


ITEMS: tuple[Item, ...] = (
    text(
        "1", "Title", "A title that names a measure of accuracy",
        "Give the study a title that names it as one of accuracy.", "title",
    ),
    asked(
        "2", "Abstract", "A structured abstract: design, methods, results, conclusions",
        "Fill in the blanks of the abstract; its numbers are there.", RESULTS, has_abstract,
    ),
    text(
        "3", "Introduction", "Background, and the intended use and role of the index test",
        "Say what the index test is for and where in care it would stand.",
        "index_test_rationale",
    ),
    text(
        "4", "Introduction", "Objectives and hypotheses",
        "State the question of the study.", "question",
    ),
    text(
        "5", "Methods: design", "Whether data collection was planned before or after the tests",
        "Say whether the study was prospective or retrospective.", "design",
    ),
    text(
        "6", "Methods: participants", "Eligibility criteria",
        "State who could take part.", "eligibility",
    ),
    text(
        "7", "Methods: participants", "How eligible participants were identified",
        "Say on what ground participants were found: symptoms, earlier tests, a registry.",
        "identification",
    ),
    text(
        "8", "Methods: participants", "Where and when participants were identified",
        "State the setting, the places and the dates.", "setting", "dates",
    ),
    text(
        "9", "Methods: participants", "Whether a consecutive, random or convenience series",
        "Say whether participants were a consecutive, a random or a convenience series.",
        "sampling",
    ),
    text(
        "10a", "Methods: tests", "The index test, in enough detail to repeat it",
        "Describe the index test so that it can be repeated.", "index_test",
    ),
    text(
        "10b", "Methods: tests", "The {standard}, in enough detail to repeat it",
        "Describe the {standard} so that it can be repeated.", "reference_standard",
    ),
    text(
        "11", "Methods: tests", "Why this {standard} was chosen, if there were others",
        "Say why this {standard} was chosen.", "reference_standard_rationale",
    ),
    asked(
        "12a", "Methods: tests",
        "Thresholds of the index test and their reasons, prespecified apart from exploratory ones",
        "Say which thresholds were fixed in advance, and why; the page labels them.",
        THRESHOLDS, _only_exploratory, "positivity_rationale",
    ),
    text(
        "12b", "Methods: tests",
        "Thresholds or categories of the {standard} and their reasons, prespecified or exploratory",
        "Say which results of the {standard} count as positive, why, and since when.",
        "reference_positivity",
    ),
    text(
        "13a", "Methods: tests",
        "What those who read the index test knew of the patient and of the {standard}",
        "Say what readers of the index test knew.", "blinding",
    ),
    text(
        "13b", "Methods: tests",
        "What those who assessed the {standard} knew of the patient and of the index test",
        "Say what assessors of the {standard} knew.", "reference_blinding",
    ),
    asked(
        "14", "Methods: analysis", "How measures of accuracy were estimated and compared",
        "Describe the analysis.", METHODS, always,
    ),
    asked(
        "15", "Methods: analysis",
        "How indeterminate results of the index test and the {standard} were handled",
        "Say how indeterminate results were handled, or that there were none.",
        PARTICIPANTS, _some_indeterminate, "indeterminate_handling",
    ),
    asked(
        "16", "Methods: analysis",
        "How missing results of the index test and the {standard} were handled",
        "Say how missing results were handled.", PARTICIPANTS, always, "missing_handling",
    ),
    asked(
        "17", "Methods: analysis",
        "Analyses of variability in accuracy, prespecified apart from exploratory ones",
        "Name the subgroups or sites to be analysed, and which were planned.",
        SUBGROUPS, lambda facts: bool(facts["subgroups"]),
    ),
    text(
        "18", "Methods: analysis", "The intended sample size and how it was found",
        "State the sample size that was planned, and the reasoning.", "sample_size_rationale",
    ),
    asked(
        "19", "Results: participants", "The flow of participants, as a diagram",
        "Draw the flow of participants.", PARTICIPANTS, always,
    ),
    asked(
        "20", "Results: participants", "Demographic and clinical characteristics",
        "Name the columns that describe the participants (baseline).",
        PARTICIPANTS, lambda facts: bool(facts["baseline"]),
    ),
    text(
        "21a", "Results: participants", "Severity of disease in those with the target condition",
        "Tell how severe the condition was in those who had it.", "severity",
    ),
    text(
        "21b", "Results: participants", "Other diagnoses in those without the target condition",
        "Tell which other diagnoses the others had.", "alternative_diagnoses",
    ),
    text(
        "22", "Results: participants",
        "Time and interventions between the index test and the {standard}",
        "State the time between the two tests and what was done in it.",
        "interval_between_tests",
    ),
    asked(
        "23", "Results: tests",
        "The index test cross-tabulated by the {standard}, or their distributions",
        "Tabulate the index test by the {standard}.", THRESHOLDS,
        lambda facts: any(m["cutpoints"] for m in facts["markers"]),
    ),
    asked(
        "24", "Results: tests", "Estimates with their precision, such as 95% confidence intervals",
        "Give an interval with every estimate; these data allow none of the AUC.",
        AREAS, _has_limits,
    ),
    text(
        "25", "Results: tests", "Adverse events from the index test or the {standard}",
        "Report adverse events of either test, or that there were none.", "adverse_events",
    ),
    text(
        "26", "Discussion", "Limitations: bias, uncertainty, how far results carry over",
        "Discuss the limitations.", "limitations",
    ),
    text(
        "27", "Discussion", "Implications for practice, and the intended use of the index test",
        "Say what follows for practice.", "implications",
    ),
    text(
        "28", "Other", "Registration number and registry",
        "Give the registration, or say that there is none.", "registration",
    ),
    text(
        "29", "Other", "Where the full protocol can be had",
        "Say where the protocol can be read.", "protocol",
    ),
    text(
        "30", "Other", "Funding and other support, and the role of funders",
        "Name the funders and their role.", "funding",
    ),
)  # fmt: skip

MODEL_ITEMS: tuple[Item, ...] = (
    text(
        "AI 1", "Model", "The model behind the scores: its kind, version and inputs",
        "Name the model, its version and what it takes in.", "index_test",
    ),
    asked(
        "AI 2", "Model", "Whether the model has seen these participants before",
        "Say whether these participants took part in the model's development.",
        METHODS, always,
    ),
    text(
        "AI 3", "Model", "The data the model was developed on, and how they were divided",
        "Describe the development data, and how they were kept apart from these.",
        "model_development",
    ),
    asked(
        "AI 4", "Model", "The threshold at which the model calls a participant positive",
        "State the threshold that was fixed with the model.", THRESHOLDS, has_prespecified,
    ),
    asked(
        "AI 5", "Model", "Calibration, where scores are read as probabilities",
        "Report calibration; these scores were not said to be probabilities.", PROBABILITIES,
        lambda facts: any(m["calibration"] for m in facts["markers"]),
    ),
    asked(
        "AI 6", "Model", "Performance in subgroups: fairness and bias",
        "Name the subgroups (age, sex, ethnicity, site) in which the model should be judged, and "
        "a threshold, so that rates and calibration of each are there.",
        SUBGROUPS, is_judged_by_group,
    ),
    text(
        "AI 7", "Model", "How people would use the scores: alone, or beside a reader",
        "Say who would see the scores and act on them.", "model_use",
    ),
    asked(
        "AI 8", "Model", "Versions of the software, and what is needed to repeat the analysis",
        "State the software.", AGAIN, always,
    ),
)  # fmt: skip
