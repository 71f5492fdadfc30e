"""A form of a command that takes the table of a study: what it asks, and the words it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.app.fields import Field

__all__ = ["CommandForm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandForm:
    """A form.

    Attributes
    ----------
    name : of the command, of the address and of the page that is written
    title, about : what heads the form, and what it is for
    other : what a study is called that is none of this kind
    go : the words of its button
    fields : what is asked
    called : by field, what its column is often called
    """

    name: str
    title: str
    about: str
    other: str
    go: str
    fields: tuple[Field, ...]
    called: Mapping[str, tuple[str, ...]]

    @property
    def page(self) -> str:
        """The file that the command writes."""
        return f"{self.name}.html"

    def words(self, data: str, values: Mapping[str, Any]) -> list[str]:
        """Return the command, without what stands there at first."""
        words = ["rocstats", self.name, Path(data).name]
        for field in self.fields:
            value = values.get(field.name)
            if value is True:
                words.append(field.flag)
            elif field.kind == "columns":
                words += [f"{field.flag}={_quoted(name)}" for name in value or ()]
            elif value not in (None, "", False) and f"{value}" != field.default:
                words.append(f"{field.flag}={value}")
        return [*words, "-o", self.page]

    def first_draft(self, columns: list[str]) -> dict[str, list[str]]:
        """Return a draft with the columns that are called like what they are asked for."""
        draft = {field.name: [field.default] for field in self.fields}
        for field in self.fields:
            if field.kind == "column" and field.needed:
                words = self.called.get(field.name, (field.name,))
                places = [i for i, name in enumerate(columns) if name.casefold() in words]
                draft[field.name] = [str(places[0])] if len(places) == 1 else [""]
        return draft

    def field_in(self, sentence: str) -> str:
        """Return the field whose option a sentence of the command names first, or nothing."""
        flags = {field.flag: field.name for field in self.fields if field.flag}
        return next(
            (flags[word] for word in re.findall(r"--[a-z-]+", sentence) if word in flags), ""
        )


def _quoted(name: str) -> str:
    """Return a name as a list of names takes it, which a comma would end."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
