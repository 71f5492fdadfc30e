"""The structured abstract, by STARD for Abstracts: what the facts hold, and blanks for the rest.

Cohen et al. (2017), BMJ 358, j3751, doi:10.1136/bmj.j3751; its eleven items in our own words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rocstats.reports.sentences.call_sentences import calls_found
from rocstats.reports.sentences.phrases import Part, blank, name, phrase
from rocstats.reports.sentences.result_sentences import (
    areas_found,
    differences_found,
    paired_tests_found,
    participants_found,
    thresholds_found,
)
from rocstats.reports.sentences.sentence_words import Facts

__all__ = ["abstract_parts", "lacks_texts"]

Headed: TypeAlias = tuple[str, list[Part]]

# What an abstract asks of the authors: study text, and what stands in its place without it.
_ASKED = {
    "question": "state the question and what the test is for",
    "design": "prospective or retrospective",
    "eligibility": "who could take part",
    "setting": "where",
    "sampling": "consecutive, random or convenience series",
    "index_test": "the index test",
    "reference_standard": "the {standard}",
    "implications": "what follows for practice",
    "registration": "registry and number, or that there is none",
}


def lacks_texts(facts: Facts) -> list[str]:
    """Return the names of the study texts that the abstract still needs."""
    return [text for text in _ASKED if not (facts["study"].get(text) or "").strip()]


def abstract_parts(facts: Facts) -> Iterator[Headed]:
    """Yield the headings of the abstract and what stands under each."""
    words = facts["words"]
    yield "Objective", _stop(_told(facts, "question"))
    yield "Design", _stop(phrase(f"{words['study']}; {{}}", _told(facts, "design")))
    yield (
        "Participants",
        _stop(
            phrase(
                "{}; {}; {}",
                _told(facts, "eligibility"),
                _told(facts, "setting"),
                _told(facts, "sampling"),
            )
        ),
    )
    yield (
        "Tests",
        _stop(
            phrase(
                f"Index test: {{}}. {words['standard'].capitalize()}: {{}}",
                _told(facts, "index_test"),
                _told(facts, "reference_standard"),
            )
        ),
    )
    yield "Results", _results(facts)
    yield "Conclusion", _stop(_told(facts, "implications"))
    yield "Registration", _stop(_told(facts, "registration"))


def _results(facts: Facts) -> list[Part]:
    """Return who was analysed, the areas, the first difference with its verdict, and the rates."""
    people = list(participants_found(facts))[-1:]
    if facts["kind"] == "qualitative":
        return _in_a_row([*people, *calls_found(facts), *paired_tests_found(facts)])
    chosen = [*people, *areas_found(facts)]
    differences = list(differences_found(facts))
    margins = (facts["comparisons"] or {}).get("margins", ())
    chosen += differences[:1]
    if margins:
        chosen += differences[-min(len(margins), 6) :][:1]
    chosen += list(thresholds_found(facts))[:2]
    return _in_a_row(chosen)


def _in_a_row(sentences: Sequence[list[Part]]) -> list[Part]:
    parts: list[Part] = []
    for sentence in sentences:
        parts += [{"text": " "}, *sentence] if parts else sentence
    return parts


def _told(facts: Facts, text: str) -> list[Part]:
    said = (facts["study"].get(text) or "").strip()
    if said:
        return [name(said.removesuffix("."))]
    return [blank(_ASKED[text].format(standard=facts["words"]["standard"]))]


def _stop(parts: list[Part]) -> list[Part]:
    ends = parts[-1]["text"][-1:] in ".?!"
    return parts if ends else [*parts, {"text": "."}]
