"""The results of a report in words: a Results section and an abstract, made of its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.leaves import wrap
from rocstats.reports.references import escape_markdown
from rocstats.reports.sentences.abstract_sentences import abstract_parts, lacks_texts
from rocstats.reports.sentences.call_sentences import calls_found
from rocstats.reports.sentences.phrases import Part, text_of
from rocstats.reports.sentences.result_sentences import (
    areas_found,
    calibration_found,
    differences_found,
    paired_tests_found,
    participants_found,
    robustness_found,
    subgroups_found,
    thresholds_found,
)

__all__ = ["results_text"]

# A paragraph each.
_PARAGRAPHS = (
    (participants_found,),
    (areas_found, differences_found),
    (thresholds_found, paired_tests_found),
    (calibration_found,),
    (subgroups_found, robustness_found),
)

_OF_CALLS = ((participants_found,), (calls_found, paired_tests_found))


def results_text(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts with their results in words and an abstract.

    ``facts["results"]`` has ``paragraphs``, lists of parts, and the same as ``plain`` text and
    ``markdown``; ``facts["abstract"]`` has ``sections`` with a ``head`` and ``parts``, the study
    texts it ``lacks``, and the same two texts. A part is text, or a number with the ``path`` of the
    fact that it states and the ``kind`` of its rounding.
    """
    leaves = wrap(_told(facts))
    chapters = _OF_CALLS if facts["kind"] == "qualitative" else _PARAGRAPHS
    paragraphs = [
        parts
        for writers in chapters
        if (parts := _spaced([found for write in writers for found in write(leaves)]))
    ]
    sections: list[dict[str, Any]] = [
        {"head": head, "parts": parts} for head, parts in abstract_parts(leaves)
    ]
    results = {
        "paragraphs": paragraphs,
        "plain": "\n\n".join(map(text_of, paragraphs)) + "\n",
        "markdown": "\n\n".join(["## Results", *map(_markdown, paragraphs)]) + "\n",
    }
    abstract = {
        "sections": sections,
        "lacks": lacks_texts(facts),
        "plain": "\n\n".join(f"{s['head']}: {text_of(s['parts'])}" for s in sections) + "\n",
        "markdown": "\n\n".join(
            ["## Abstract", *(f"**{s['head']}.** {_markdown(s['parts'])}" for s in sections)]
        )
        + "\n",
    }
    return {**facts, "results": results, "abstract": abstract}


def _told(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts without the explorer's, which are most numbers and in no sentence."""
    markers = facts.get("markers")
    without = [{**marker, "explorer": None} for marker in markers or ()]
    return {**facts, "markers": without if markers else markers}


def _spaced(sentences: Sequence[list[Part]]) -> list[Part]:
    """Return sentences as one paragraph."""
    parts: list[Part] = []
    for sentence in sentences:
        parts += [{"text": " "}, *sentence] if parts else sentence
    return parts


def _markdown(parts: Sequence[Part]) -> str:
    return escape_markdown(text_of(parts))
