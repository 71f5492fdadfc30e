"""The order of levels: grades, stages and age groups as a reader expects them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rocstats.tables import by_number

__all__ = ["in_natural_order"]

_SCALES: tuple[tuple[str, ...], ...] = (
    ("none", "minimal", "mild", "moderate", "severe", "very severe", "critical"),
    ("none", "very low", "low", "medium", "moderate", "intermediate", "high", "very high"),
    ("low", "normal", "high"),
    ("normal", "mild", "moderate", "severe"),
    ("normal", "borderline", "abnormal"),
    ("benign", "borderline", "malignant"),
    ("underweight", "normal", "overweight", "obese"),
    ("small", "medium", "large"),
    ("young", "middle", "old"),
    ("poor", "fair", "good", "very good", "excellent"),
    ("never", "former", "current"),
    ("never", "rarely", "sometimes", "often", "always"),
)
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_STAGE = re.compile(r"(.*?\b|)([IVX]+)([A-Da-d]?\d?)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LESS = re.compile(r"(<|≤|under|below|up to|less than|younger than|at most)\s*=?\s*$", re.I)
_MORE = re.compile(r"(>|≥|over|above|more than|older than|at least)\s*=?\s*$", re.I)

Key = Callable[[str], Any]


def in_natural_order(levels: Iterable[str], *, last: str | None = None) -> list[str]:
    """Return levels in the order of their scale, stage or numbers; else numbers, then words.

    Examples
    --------
    >>> in_natural_order(["high", "low", "medium"])
    ['low', 'medium', 'high']
    >>> in_natural_order(["T10", "T2", "T1"])
    ['T1', 'T2', 'T10']
    >>> in_natural_order(["60 or more", "under 60"])
    ['under 60', '60 or more']
    """
    found = list(levels)
    named = [level for level in found if level != last]
    return sorted(named, key=_key_of(named)) + [level for level in found if level == last]


def _key_of(levels: Sequence[str]) -> Key:
    words = {level.strip().casefold() for level in levels}
    for scale in _SCALES:
        if words <= set(scale):
            return lambda level: scale.index(level.strip().casefold())
    if all(_stage(level) for level in levels):
        return _stage
    if all(_NUMBER.search(level) for level in levels):
        return _natural
    return by_number


def _stage(level: str) -> tuple[str, int, str] | None:
    """Return name, number and letter of a stage in Roman numbers, or None if it is none."""
    found = _STAGE.fullmatch(level.strip())
    if found is None or found[2] not in _ROMAN:
        return None
    return found[1], _ROMAN.index(found[2]), found[3]


def _natural(level: str) -> tuple[Any, ...]:
    """Return what stands before the first number, it, which side of it is meant, and the rest."""
    if (exact := by_number(level))[0] is False:
        return "", exact[1], 0, (), level
    first = _NUMBER.search(level)
    assert first is not None
    before = level[: first.start()]
    side = -1 if _LESS.search(before) else 1 if _MORE.search(before) else 0
    name = _MORE.sub("", _LESS.sub("", before)).strip()
    rest = tuple(float(one) for one in _NUMBER.findall(level[first.end() :]))
    return name, float(first[0]), side, rest, level
