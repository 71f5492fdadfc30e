"""Names of columns: their units, what they may be called for short, and two of one name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rocstats.data.intake.number_cells import UNIT, clean, is_blank

__all__ = ["folded", "split_unit", "told_apart", "units_and_aliases"]

_IN_BRACKETS = re.compile(r"(.*\S)\s*[\[(\uff08]\s*([^\[\]()\uff08\uff09]+?)\s*[\])\uff09]")
_AFTER_COMMA = re.compile(r"(.*\S),\s+(\S.*)")
_NO_UNIT = {
    "M",
    "m",
    "s",
    "d",
    "h",
    "y",
    "in",
    "l",
    "L",
    "g",
    "V",
    "J",
    "W",
    "U",
    "points",
    "score",
}


def split_unit(name: str) -> tuple[str, str]:
    """Return a name without the unit behind it, and the unit or an empty text.

    Examples
    --------
    >>> split_unit("CRP (mg/l)"), split_unit("Age [years]"), split_unit("CRP, ng/ml")
    (('CRP', 'mg/l'), ('Age', 'years'), ('CRP', 'ng/ml'))
    >>> split_unit("Sex (m)"), split_unit("CRP (log)")
    (('Sex (m)', ''), ('CRP (log)', ''))
    """
    found = _IN_BRACKETS.fullmatch(name) or _AFTER_COMMA.fullmatch(name)
    if found is None or found[2] in _NO_UNIT or not UNIT.fullmatch(found[2]):
        return name, ""
    return found[1], found[2]


def units_and_aliases(names: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the units that names end with, and what columns may be called without them.

    Examples
    --------
    >>> units_and_aliases(["id", "CRP (mg/l)", " age"])
    ({'CRP (mg/l)': 'mg/l'}, {'CRP': 'CRP (mg/l)', 'age': ' age'})
    """
    split = {name: split_unit(clean(name)) for name in names}
    units = {name: unit for name, (_, unit) in split.items() if unit}
    times = Counter(name for name, _ in split.values())
    aliases = {
        alias: name
        for name, (alias, _) in split.items()
        if alias and alias not in split and times[alias] == 1
    }
    return units, aliases


def told_apart(names: Sequence[str], letters: Sequence[str]) -> list[str]:
    """Return names, those that stand there twice with the letters of their columns.

    Examples
    --------
    >>> told_apart(["id", "ALT (U/l)", "ALT (U/l)", "y"], ["A", "B", "C", "D"])
    ['id', 'ALT (column B) (U/l)', 'ALT (column C) (U/l)', 'y']
    """
    times = Counter(names)
    given = []
    for name, letter in zip(names, letters, strict=True):
        short = split_unit(name)[0]
        several = times[name] > 1
        given.append(f"{short} (column {letter}){name[len(short) :]}" if several else name)
    return given


def folded(cell: Any) -> Any:
    """Return a name as it is compared with another."""
    if is_blank(cell):
        return None
    return clean(cell).casefold() if isinstance(cell, str) else cell
