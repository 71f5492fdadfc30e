"""Phrases whose numbers are facts: a part is text, a name, a number with its path, or a blank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rocstats.reports.facts import FORMATS, with_minus
from rocstats.reports.leaves import Number

__all__ = ["Part", "Slot", "blank", "cut", "fact", "joined", "name", "phrase", "text_of", "with_ci"]

Part: TypeAlias = dict[str, str]
Slot: TypeAlias = Part | Sequence[Part] | str


def fact(value: Number, kind: str) -> Part:
    """Return a number of the facts as it is shown; one that is missing is said to be so."""
    path = getattr(value, "path", None)
    if value is None or path is None:
        return {"text": "not estimable"}
    return {"text": FORMATS[kind](value), "path": path, "kind": kind}


def cut(point: Mapping[str, Any]) -> list[Part]:
    """Return from where on a result is positive, with the digits that were given."""
    at = point["threshold"]
    shown = {"text": with_minus(point["threshold_text"]), "path": at.path, "kind": "cut"}
    return [{"text": f"{point['sign']} "}, shown]


def name(text: Any) -> Part:
    """Return a name that the authors gave."""
    return {"text": str(text), "name": "yes"}


def blank(asked: str) -> Part:
    """Return what only the authors can fill in."""
    return {"text": f"[{asked}]", "blank": "yes"}


def phrase(pattern: str, *slots: Slot) -> list[Part]:
    """Return the parts of a sentence; each ``{}`` is the next of the slots.

    Examples
    --------
    >>> from rocstats.reports.leaves import wrap
    >>> auc = wrap({"auc": 0.7314})["auc"]
    >>> text_of(phrase("The AUC of {} was {}.", name("crp"), fact(auc, "est")))
    'The AUC of crp was 0.731.'
    """
    pieces = pattern.split("{}")
    assert len(pieces) == len(slots) + 1, pattern
    parts: list[Part] = []
    for piece, slot in zip(pieces, [*slots, ""], strict=True):
        parts += [{"text": piece}] if piece else []
        if isinstance(slot, str):
            parts += [{"text": slot}] if slot else []
        else:
            parts += [slot] if isinstance(slot, dict) else [*slot]
    return parts


def with_ci(row: Mapping[str, Any], kind: str, level: Number, more: Slot = "") -> list[Part]:
    """Return an estimate and, in brackets, what comes ``more`` before its interval, if any."""
    before = phrase("{}; ", more) if more else []
    if row["conf_low"] is None and row["conf_high"] is None:
        return phrase("{} ({}no interval)", fact(row["estimate"], kind), before)
    low, high = (fact(row[end], kind) for end in ("conf_low", "conf_high"))
    pattern = "{} ({}{} CI {} to {})"
    return phrase(pattern, fact(row["estimate"], kind), before, fact(level, "level"), low, high)


def joined(items: Iterable[Sequence[Part]], last: str = "and") -> list[Part]:
    """Return "a, b and c" of phrases."""
    found = [list(item) for item in items]
    parts: list[Part] = []
    for i, item in enumerate(found):
        if i:
            parts.append({"text": f" {last} " if i == len(found) - 1 else ", "})
        parts += item
    return parts


def text_of(parts: Iterable[Part]) -> str:
    """Return the parts as plain text."""
    return "".join(part["text"] for part in parts)
