"""The methods text of a report: what was done, in the past tense, with numbered references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from rocstats.reports.references import bibtex, escape_markdown, numbered
from rocstats.reports.sentences.area_sentences import areas_sentences
from rocstats.reports.sentences.call_sentences import calls_sentences, levels_sentences
from rocstats.reports.sentences.comparison_sentences import comparisons_sentences
from rocstats.reports.sentences.cutpoint_sentences import thresholds_sentences
from rocstats.reports.sentences.paired_test_sentences import paired_tests_sentences
from rocstats.reports.sentences.participant_sentences import participants_sentences
from rocstats.reports.sentences.sentence_words import Sentence
from rocstats.reports.sentences.software_sentences import checks_sentences, software_sentences
from rocstats.reports.sentences.subgroup_sentences import (
    probabilities_sentences,
    subgroups_sentences,
)

__all__ = ["methods_text"]

Paragraph: TypeAlias = list[Sentence]
_OF_CALLS = (
    *(participants_sentences, calls_sentences, paired_tests_sentences, levels_sentences),
    *(checks_sentences, software_sentences),
)
_PARAGRAPHS = (
    *(participants_sentences, areas_sentences, comparisons_sentences, thresholds_sentences),
    *(paired_tests_sentences, subgroups_sentences, probabilities_sentences),
    *(checks_sentences, software_sentences),
)


def methods_text(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts with their methods text and its references.

    ``facts["methods"]`` has ``paragraphs``, lists of sentences with the keys they cite and the
    numbers of those, and the same as ``plain`` text, ``markdown`` and ``bibtex``;
    ``facts["references"]`` has exactly the works cited, numbered as they first appear.
    """
    writers = _OF_CALLS if facts["kind"] == "qualitative" else _PARAGRAPHS
    paragraphs = [found for write in writers if (found := list(write(facts)))]
    keys = list(dict.fromkeys(key for p in paragraphs for s in p for key in s["cites"]))
    place = {key: i for i, key in enumerate(keys, start=1)}
    for sentence in (s for p in paragraphs for s in p):
        sentence["numbers"] = sorted(place[key] for key in sentence["cites"])
    references = numbered(keys)
    methods = {
        "paragraphs": paragraphs,
        "plain": _plain(paragraphs, references),
        "markdown": _markdown(paragraphs, references),
        "bibtex": bibtex(keys),
    }
    return {**facts, "methods": methods, "references": references}


def _plain(paragraphs: Sequence[Paragraph], references: Sequence[Mapping[str, Any]]) -> str:
    """Return the text with bracketed numbers, and the references below it."""
    works = [
        f"{work['number']}. {work['text']}" + (f" doi:{work['doi']}" if work["doi"] else "")
        for work in references
    ]
    return "\n\n".join([*map(_running, paragraphs), "References", "\n".join(works)]) + "\n"


def _markdown(paragraphs: Sequence[Paragraph], references: Sequence[Mapping[str, Any]]) -> str:
    """Return the text as Markdown, where keys cite: Pandoc finds them in the BibTeX."""
    text = [
        " ".join(
            _with_cites(
                escape_markdown(sentence["text"]),
                "; ".join(f"@{key}" for key in sentence["cites"]),
            )
            for sentence in paragraph
        )
        for paragraph in paragraphs
    ]
    works = [
        f"{work['number']}. {escape_markdown(work['text'])}"
        + (f" <https://doi.org/{_quoted(work['doi'])}>" if work["doi"] else "")
        for work in references
    ]
    return "\n\n".join(["## Methods", *text, "## References", "\n".join(works)]) + "\n"


def _running(paragraph: Paragraph) -> str:
    return " ".join(
        _with_cites(sentence["text"], ", ".join(map(str, sentence["numbers"])))
        for sentence in paragraph
    )


def _with_cites(text: str, cites: str) -> str:
    """Return a sentence with what it cites before its full stop."""
    return f"{text.removesuffix('.')} [{cites}]." if cites else text


def _quoted(doi: str) -> str:
    from urllib.parse import quote

    return quote(doi, safe="/:;()")
