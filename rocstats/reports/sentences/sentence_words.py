"""Words that every sentence of the methods text is made with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

__all__ = [
    "Facts",
    "Sentence",
    "a_participant",
    "distinct",
    "is_clustered",
    "is_endless",
    "labels_of",
    "listed",
    "methods_of",
    "say",
    "word_of",
]

Facts: TypeAlias = Mapping[str, Any]
Sentence: TypeAlias = dict[str, Any]

_MOST_NAMES = 6  # markers, columns or reasons that a sentence names one by one


def say(text: str, *cites: str) -> Sentence:
    """Return a sentence and the keys of what it cites."""
    return {"text": text, "cites": list(dict.fromkeys(cites))}


def listed(names: Iterable[Any], last: str = "and") -> str:
    """Return "a, b and c"; of many names the first and how many others there are."""
    shown = [str(name) for name in names]
    if len(shown) > _MOST_NAMES:
        shown = [*shown[: _MOST_NAMES - 1], f"{len(shown) - _MOST_NAMES + 1} others"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def distinct(values: Iterable[Any]) -> list[Any]:
    """Return the values that are there, each once and in order."""
    return list(dict.fromkeys(value for value in values if value is not None))


def word_of(facts: Facts, name: str) -> str:
    """Return a word of this study's vocabulary within a sentence: names in capitals stay so."""
    word = str(facts["words"][name])
    return word if word[1:2].isupper() else word[:1].lower() + word[1:]


def a_participant(facts: Facts) -> str:
    """Return "a participant", or "an observation" where rows are not people."""
    word = str(facts["words"]["participant"])
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def labels_of(facts: Facts) -> dict[str, str]:
    """Return the printed name of every marker."""
    return {m["name"]: m["label"] for m in facts["markers"]}


def is_clustered(facts: Facts) -> bool:
    """Whether observations come in clusters."""
    return facts["data"]["cluster"] is not None


def methods_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the methods of the intervals that are there."""
    return distinct(row["conf_method"] for row in rows)


def is_endless(df: Any) -> bool:
    """Whether degrees of freedom are infinite, or not there."""
    return df in (None, "Infinity") or df == float("inf")
