"""Markup: text that is not escaped again, and text that any markup can hold."""

from __future__ import annotations

import unicodedata
from typing import Any

__all__ = ["ISOLATES", "Markup", "clean", "opening"]

ISOLATES = "\u2068\u2069"  # around a text that keeps its direction to itself
_DROPPED = {
    *"\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",  # bidi
    *"\ufffe\uffff",  # no XML
}


class Markup(str):
    """Text that is markup already: neither a template nor a drawing escapes it."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def clean(words: Any) -> str:
    """Return a text that XML can hold, with its direction kept to itself."""
    whole = str(words)
    if whole.isascii() and whole.isprintable():
        return whole
    kept = "".join(
        " " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c
        for c in whole
        if c not in _DROPPED and unicodedata.category(c) != "Cs"
    )
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in kept):
        return kept.join(ISOLATES)
    return kept


def opening(words: Any) -> str:
    """Return words with their first letter as at the start of a sentence."""
    return str(words)[:1].upper() + str(words)[1:]
