"""Kinds of options: what a value is in Python, as a word of the command line and in TOML."""

from __future__ import annotations

import csv
import math
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from rocstats.errors import InvalidOptionError, as_number, check_option, named

__all__ = ["BOUNDS_FORM", "Kind", "WrongKindError", "built_in", "choice", "names", "texts"]

BOUNDS_FORM = 'bounds={"MARKER": (low, high)}'  # in Python; the command line has its own

Take = Callable[[Any, str, str], Any]


class WrongKindError(Exception):
    """A value of a TOML file is not what the option takes; the message says what it takes."""


def built_in(value: Any, *_: str) -> Any:
    """Return a number of numpy as one of Python."""
    import numpy as np

    return value.item() if isinstance(value, np.generic) else value


def _any(option: str, value: Any) -> None:
    """Refuse nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What an option takes.

    Attributes
    ----------
    words : what it is, in words
    given, held : types of what Python code gives, and of what a plan holds
    read : returns a value of a TOML file, or raises `WrongKindError`
    take : returns what a plan holds of a value, an option and what one item of it is called
    check : refuses what a plan must not hold of an option
    markers : the markers that a value names
    metavar, action, choices : as in `argparse`; "flag" takes no word
    word : returns the value of a word of the command line
    gather : returns what all words of the command line say
    scatter : returns words that `gather` would make this value of
    spell : returns the words that say it again
    """

    words: str
    given: str
    held: str = ""
    read: Callable[[Any], Any]
    take: Take = built_in
    check: Callable[[str, Any], None] = _any
    markers: Callable[[Any], Iterable[str]] = lambda value: ()
    metavar: str | None = None
    action: Literal["store", "extend", "append", "flag"] = "store"
    choices: tuple[str, ...] | None = None
    word: Callable[[str], Any] = str
    gather: Callable[[Any], Any] = lambda value: value
    scatter: Callable[[Any], Any] = lambda value: value
    spell: Callable[[Any], list[str]] = lambda value: [f"{value}"]


# ------------------------------------------------------------------------------- values of Python


def _items(value: Any) -> tuple[Any, ...]:
    """Return one or several values as a tuple; a text is one."""
    several = isinstance(value, Iterable) and not isinstance(value, str)
    return tuple(built_in(item) for item in (value if several else (value,)))


def texts(value: Any) -> tuple[str, ...]:
    """Return one or several names."""
    return () if value is None else tuple(str(name) for name in _items(value))


def _numbers(value: Any, option: str, one: str) -> tuple[float, ...]:
    items = _items(value)
    for item in items:
        if as_number(item) != as_number(item):
            raise InvalidOptionError(f"The {one} must be a number, got {item!r}.")
    return tuple(as_number(item) for item in items)


def _distinct(value: Any, option: str, one: str) -> tuple[float, ...]:
    return tuple(dict.fromkeys(_numbers(value, option, one)))


def _two(items: tuple[Any, ...], option: str) -> tuple[Any, Any]:
    if len(items) != 2:
        raise InvalidOptionError(f"The {option} must be two numbers, got {len(items)}.")
    return items[0], items[1]


def _two_numbers(value: Any, option: str, one: str) -> tuple[float, float]:
    return _two(_numbers(value, option, one), option)


def _two_items(value: Any, option: str, one: str) -> tuple[Any, Any] | None:
    return None if value is None else _two(_items(value), option)


def _by_name(take: Take) -> Take:
    def mapping(value: Any, option: str, one: str) -> dict[str, Any]:
        if value is not None and not isinstance(value, Mapping):
            raise InvalidOptionError(
                f"{named(option)} must be a mapping of names to values, got {value!r}."
            )
        found = {
            str(name): take(item, f"{option} of {name}", f"{one} of {name}")
            for name, item in (value or {}).items()
        }
        return {name: item for name, item in found.items() if item or take is not _distinct}

    return mapping


def _check_texts(option: str, value: Any, *, may_be_blank: bool = False) -> None:
    for name, text in value.items():
        if not isinstance(text, str) or not (text.strip() or may_be_blank):
            raise InvalidOptionError(f"{named(option)} must be texts, got {text!r} for {name}.")


def _check_limits(option: str, value: Any) -> None:
    for name, (low, high) in value.items():
        if not -math.inf < as_number(low) < as_number(high) < math.inf:
            raise InvalidOptionError(
                f"{named(option)} of {name} must be two finite numbers low < high, got {low!r} and "
                f"{high!r}; give them as {named(BOUNDS_FORM)}."
            )


def _check_flag(option: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise InvalidOptionError(f"{named(option)} must be True or False, got {value!r}.")


# ------------------------------------------------------------------------------- values of TOML


def _read(types: tuple[type, ...], words: str, *, empty: bool = True) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        wrong = isinstance(value, bool) and bool not in types
        if wrong or not isinstance(value, types) or (not empty and not value):
            raise WrongKindError(words)
        return value

    return read


_read_text = _read((str,), "a text in quotes", empty=False)
_read_whole = _read((int,), "a whole number")


def _read_number(value: Any) -> float:
    return as_number(_read((int, float), "a number")(value))


def _read_label(value: Any) -> str:
    return str(_read((str, int, float, bool), "one label")(value))


def _read_list(read: Callable[[Any], Any], words: str | None = None) -> Callable[[Any], Any]:
    def several(value: Any) -> list[Any]:
        try:
            return [read(item) for item in (value if isinstance(value, list) else [value])]
        except WrongKindError as expected:
            raise WrongKindError(words or str(expected)) from None

    return several


def _read_two(read: Callable[[Any], Any], words: str) -> Callable[[Any], Any]:
    def pair(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            raise WrongKindError(words)
        return tuple(read(item) for item in value)

    return pair


def _read_by_marker(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def mapping(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise WrongKindError("a table of markers, such as { marker = ... }")
        try:
            return {name: read(item) for name, item in value.items()}
        except WrongKindError as expected:
            raise WrongKindError(f"a table of markers and, for each, {expected}") from None

    return mapping


# ---------------------------------------------------------------------- words of the command line


def names(text: str) -> list[str]:
    """Return the names in a comma-separated text; quotes keep a comma within a name."""
    try:
        return next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:  # a line break outside quotes
        return text.split(",")


def _several(kind: type, expected: str, n: int | None = None) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            found = [kind(part) for part in text.split(",")]
        except ValueError:
            found = []
        if not found or n not in (None, len(found)):
            raise ArgumentTypeError(f"{expected} expected, got {text!r}")
        return found if n is None else tuple(found)

    return parse


def _of_marker(parse: Callable[[str], Any], expected: str) -> Callable[[str], tuple[str, Any]]:
    def pair(text: str) -> tuple[str, Any]:
        # A label may hold an equals sign, and so may the name of a marker with a number.
        marker, equals, value = text.partition("=") if parse is str else text.rpartition("=")
        try:
            if equals and value:
                return marker.strip(), parse(value)
        except (ValueError, ArgumentTypeError):
            pass
        raise ArgumentTypeError(f"{expected} was expected, got {text!r}")

    return pair


def _lists(pairs: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for marker, value in pairs:
        found.setdefault(marker, []).append(value)
    return found


def _pairs(lists: Mapping[str, Iterable[float]]) -> list[tuple[str, float]]:
    return [(marker, value) for marker, values in lists.items() for value in values]


def _spell_numbers(value: Any) -> list[str]:
    return [",".join(f"{item}" for item in value)]


def _spell_names(value: Any) -> list[str]:
    return [",".join(map(_quoted, value))]


def _spell_pairs(pairs: Any) -> list[str]:
    return [
        f"{marker}={_spell_numbers(value)[0] if isinstance(value, tuple) else value}"
        for marker, value in pairs
    ]


def _quoted(text: str) -> str:
    needs = any(mark in text for mark in ',"\n\r') or text != text.strip()
    return '"' + text.replace('"', '""') + '"' if needs else text


# ------------------------------------------------------------------------------------- the kinds

TEXT = Kind(words="a text", given="str", read=_read_text)
COLUMN = replace(TEXT, words="a column", metavar="COLUMN")
MARKER = replace(
    TEXT, words="a marker", metavar="MARKER", markers=lambda name: () if name is None else (name,)
)
PATH = replace(
    TEXT, words="a path", read=_read((str,), "the path of a file in quotes", empty=False)
)
LABEL = Kind(words="a label", given="Any", read=_read_label, metavar="LABEL")
NAMES = Kind(
    words="names",
    given="str | Sequence[str]",
    read=_read_list(_read_text, 'a list of texts such as ["a", "b"]'),
    metavar="A,B",
    action="extend",
    word=names,
    spell=_spell_names,
)
CELLS = Kind(
    words="cells",
    given="Iterable[Any]",
    read=_read_list(_read_label),
    metavar="TEXT",
    action="append",
    spell=list,
)
CELL_LIST = replace(CELLS, metavar="A,B", action="extend", word=names, spell=_spell_names)
FLAG = Kind(
    words="yes or no",
    given="bool",
    read=_read((bool,), "true or false"),
    check=_check_flag,
    action="flag",
)
NUMBER = Kind(words="a number", given="float", read=_read_number, metavar="X", word=float)
WHOLE = Kind(words="a whole number", given="int", read=_read_whole, metavar="N", word=int)
NUMBERS = Kind(
    words="a number or several",
    given="float | Sequence[float]",
    held="Sequence[float]",
    read=_read_list(_read_number, "a number or a list of numbers"),
    take=_distinct,
    metavar="X,Y",
    action="extend",
    word=_several(float, "a number such as 0.1, or several as 0.1,0.2, was"),
    spell=_spell_numbers,
)
TWO_NUMBERS = Kind(
    words="two numbers",
    given="tuple[float, float]",
    read=_read_two(_read_number, "two numbers [low, high]"),
    take=_two_numbers,
    metavar="LOW,HIGH",
    word=_several(float, "two numbers with a comma between them were", 2),
    spell=_spell_numbers,
)
TWO_WHOLE = Kind(
    words="two whole numbers",
    given="tuple[int, int]",
    read=_read_two(_read_whole, "two whole numbers"),
    take=_two_items,
    metavar="POS,NEG",
    word=_several(int, "two whole numbers with a comma between them were", 2),
    spell=_spell_numbers,
)
TEXTS = Kind(
    words="texts by name",
    given="Mapping[str, str]",
    read=_read_text,
    take=_by_name(built_in),
    check=lambda option, value: _check_texts(option, value, may_be_blank=True),
)


def _by_marker(item: Kind, metavar: str, word: Callable[[str], Any]) -> Kind:
    return Kind(
        words=f"{item.words} for each marker",
        given=f"Mapping[str, {item.given}]",
        held=f"Mapping[str, {item.held or item.given}]",
        read=_read_by_marker(item.read),
        take=_by_name(item.take),
        markers=tuple,
        metavar=metavar,
        action="append",
        word=word,
        gather=_lists if item is NUMBERS else dict,
        scatter=_pairs if item is NUMBERS else lambda value: list(value.items()),
        spell=_spell_pairs,
    )


TEXTS_BY_MARKER = replace(_by_marker(TEXT, "M=TEXT", _of_marker(str, "M=TEXT")), check=_check_texts)
LIMITS_BY_MARKER = replace(
    _by_marker(TWO_NUMBERS, "M=LOW,HIGH", _of_marker(TWO_NUMBERS.word, "M=LOW,HIGH")),
    check=_check_limits,
)
NUMBERS_BY_MARKER = _by_marker(NUMBERS, "M=X", _of_marker(float, "M=NUMBER"))


def choice(type_name: str, choices: tuple[str, ...]) -> Kind:
    """Return the kind of one of some words, which `type_name` is the type of."""
    return Kind(
        words="one of " + ", ".join(choices),
        given=type_name,
        read=_read_text,
        check=lambda option, value: check_option(option, value, choices),
        choices=choices,
    )
