"""References of the methods that a report may name, of references.toml, as text and BibTeX."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Reference", "bibtex", "escape_markdown", "find_reference", "known_keys", "numbered"]

_SOURCE = Path(__file__).with_name("references.toml")
_OTHERS = "others"
_HOLDERS = ("journal", "booktitle", "publisher", "institution", "organization", "howpublished")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One work.

    Attributes
    ----------
    key : name by which a sentence cites it
    kind : of entry, as BibTeX calls it
    authors : family name and initials; a group is in braces, and "others" stands for the rest
    title : of the work
    holder, where : which BibTeX field says where it appeared, and what it says
    year, volume, pages, doi : None where there is none, or none was looked up
    """

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    holder: str
    where: str
    year: int | None = None
    volume: str | None = None
    pages: str | None = None
    doi: str | None = None

    @property
    def text(self) -> str:
        """The work on one line, as a reference list has it, without the DOI."""
        names = [name.strip("{}") for name in self.authors]
        if _OTHERS in names:
            names[names.index(_OTHERS)] = "et al"
        place = self.where
        if self.year is not None:
            place += f"{'.' if self.holder == 'journal' else ','} {self.year}"
        if self.volume is not None:
            place += f";{self.volume}"
        if self.pages is not None:
            pages = self.pages.replace("-", "–")
            place += f":{pages}" if self.volume is not None else f", pp. {pages}"
        return f"{', '.join(names)}. {self.title}. {place}."

    @property
    def bibtex(self) -> str:
        """The work as a BibTeX entry."""
        fields = {
            "author": " and ".join(_bibtex_name(name) for name in self.authors),
            "title": f"{{{_escape_tex(self.title)}}}",
            self.holder: _escape_tex(self.where),
            "year": None if self.year is None else str(self.year),
            "volume": self.volume,
            "pages": None if self.pages is None else self.pages.replace("-", "--"),
            "doi": self.doi,
        }
        lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value is not None]
        return f"@{self.kind}{{{self.key},\n" + ",\n".join(lines) + "\n}"


def numbered(keys: Sequence[str]) -> list[dict[str, Any]]:
    """Return the works in this order, numbered from 1, as built-in types."""
    works = [find_reference(key) for key in keys]
    return [
        {"key": work.key, "number": i, "text": work.text, "doi": work.doi}
        for i, work in enumerate(works, start=1)
    ]


def bibtex(keys: Iterable[str]) -> str:
    """Return the works as a BibTeX file."""
    return "\n\n".join(find_reference(key).bibtex for key in keys) + "\n"


def find_reference(key: str) -> Reference:
    """Return the work of that key."""
    return _references()[key]


def known_keys() -> tuple[str, ...]:
    """Return the keys of all works."""
    return tuple(_references())


def escape_markdown(text: str) -> str:
    """Return text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)


@cache
def _references() -> dict[str, Reference]:
    found = {}
    for key, entry in tomllib.loads(_SOURCE.read_text(encoding="utf-8")).items():
        (holder,) = (name for name in _HOLDERS if name in entry)
        found[key] = Reference(
            key=key,
            kind=entry.get("kind", "article"),
            authors=tuple(entry["authors"]),
            title=entry["title"],
            holder=holder,
            where=entry[holder],
            year=entry.get("year"),
            volume=entry.get("volume"),
            pages=entry.get("pages"),
            doi=entry.get("doi"),
        )
    return found


def _bibtex_name(name: str) -> str:
    """Return "Family, I. J." of "Family IJ"; a group in braces as it is."""
    if name.startswith("{") or name == _OTHERS:
        return name
    family, _, initials = name.rpartition(" ")
    return f"{family}, {' '.join(f'{letter}.' for letter in initials)}"


def _escape_tex(text: str) -> str:
    return re.sub(r"([&%#$_])", r"\\\1", text)
