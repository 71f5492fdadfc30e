"""Fields of a form that is no report's: what is asked, and the value of what was typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rocstats.errors import InvalidOptionError

__all__ = ["Field", "read_fields"]

Kind = Literal["number", "whole", "numbers", "text", "choice", "column", "flag"]
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


def read_fields(
    fields: Iterable[Field], draft: Mapping[str, Sequence[str]], columns: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values by name, None for what is empty, and a sentence for each wrong field."""
    values: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for field in fields:
        text = (draft.get(field.name) or [""])[-1].strip() or field.default
        try:
            values[field.name] = _value(field, text, columns)
        except InvalidOptionError as error:
            values[field.name] = None
            problems[field.name] = str(error)
    return values, problems


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
    try:
        if field.kind == "whole":
            return int(text)
        if field.kind == "number":
            return float(text)
        if field.kind == "numbers":
            return [float(part) for part in text.split(",")]
    except (ValueError, OverflowError):
        raise InvalidOptionError(
            f"Expected {_WORDS[field.kind]}, got {text!r}; write decimals with a point."
        ) from None
    return text
