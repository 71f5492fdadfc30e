"""Fields of a form that is no report's: what is asked, and the value of what was typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rocstats.errors import InvalidOptionError

__all__ = ["Field", "Kind", "read_fields"]

Kind = Literal["number", "whole", "numbers", "text", "choice", "column", "columns", "flag"]
_WORDS = {"number": "a number", "whole": "a whole number", "numbers": "numbers such as 0.1, 0.2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field.

    Attributes
    ----------
    name, kind : what it is called and takes
    label, about : what is asked, and a sentence of help
    choices : the words of a choice, and what they mean
    default : what stands there at first, and counts where it is left empty
    needed : whether it must be filled in
    flag : on the command line, where there is one
    group : the heading that it begins, if any
    low, high : what a number must lie between
    """

    name: str
    kind: Kind
    label: str
    about: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    default: str = ""
    needed: bool = False
    flag: str = ""
    group: str = ""
    low: float = -float("inf")
    high: float = float("inf")


def read_fields(
    fields: Iterable[Field], draft: Mapping[str, Sequence[str]], columns: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values by name, None for what is empty, and a sentence for each wrong field."""
    values: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for field in fields:
        given = draft.get(field.name) or [""]
        try:
            values[field.name] = (
                _columns(field, given, columns)
                if field.kind == "columns"
                else _value(field, given[-1].strip() or field.default, columns)
            )
        except InvalidOptionError as error:
            values[field.name] = None
            problems[field.name] = str(error)
    return values, problems


def _columns(field: Field, given: Sequence[str], columns: Sequence[str]) -> list[str]:
    places = [int(text) for text in given if text.isdecimal() and len(text) < 7]
    chosen = [columns[i] for i in dict.fromkeys(places) if i < len(columns)]
    if field.needed and not chosen:
        raise InvalidOptionError(f"{field.label}: choose at least one column.")
    return chosen


def _value(field: Field, text: str, columns: Sequence[str]) -> Any:
    if field.kind == "flag":
        return bool(text)
    if not text:
        if field.needed:
            raise InvalidOptionError(f"{field.label} is needed.")
        return None
    if field.kind == "column":
        if not text.isdecimal() or int(text) >= len(columns):
            raise InvalidOptionError(f"{field.label}: choose one of the columns.")
        return columns[int(text)]
    if field.kind == "choice" and text not in dict(field.choices):
        raise InvalidOptionError(f"{field.label}: choose one of those offered.")
    if field.kind not in _WORDS:
        return text
    numbers: list[float]
    try:
        numbers = [int(text)] if field.kind == "whole" else [*map(float, text.split(","))]
    except (ValueError, OverflowError):
        numbers = []
    if not numbers or (field.kind == "number" and len(numbers) > 1):
        raise InvalidOptionError(
            f"Expected {_WORDS[field.kind]}, got {text!r}; write decimals with a point."
        )
    if not all(field.low <= number <= field.high for number in numbers):
        raise InvalidOptionError(f"Expected {_between(field)}, got {text}.")
    return numbers if field.kind == "numbers" else numbers[0]


def _between(field: Field) -> str:
    if field.high == float("inf"):
        return f"{_WORDS[field.kind]} from {field.low:g} up"
    return f"{_WORDS[field.kind]} between {field.low:g} and {field.high:g}"
