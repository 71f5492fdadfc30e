"""What a workbook shows beside its values: percent signs, raised digits, merged and hidden cells.

A reader of the screen sees 12% where 0.12 is stored, and a footnote where 12.51 is: what is stored
is not what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat
from zipfile import ZipFile

__all__ = ["Box", "CellLooks", "Looks", "format_looks", "looks_of_styles", "raised_texts"]

Places = dict[int, list[int]]
Box = tuple[int, int, int, int]

_STYLES, _TEXTS = "xl/styles.xml", "xl/sharedStrings.xml"
_PERCENTS = {"9": "0%", "10": "0.00%"}  # formats that have a number and no words in a file
_LITERAL = re.compile(r'"([^"]*)"|\\(.)')
_CONDITION = re.compile(r"\[[^\]]*\]")
_TELLING = re.compile(
    "[<>\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}~\N{PLUS-MINUS SIGN}]"
)
_NOTHING = re.compile(r";;;?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """How cells of a sheet look; rows and columns are counted from 1.

    Attributes
    ----------
    percent : rows by column of numbers that are shown with a percent sign
    worded : rows by column of numbers whose format shows a sign such as <, or nothing at all
    struck : rows by column of cells that are struck through
    raised : rows by column of texts with raised digits
    hidden : rows that are hidden
    merged : first row, first column, last row and last column of merged cells
    """

    percent: Places = field(default_factory=dict)
    worded: Places = field(default_factory=dict)
    struck: Places = field(default_factory=dict)
    raised: Places = field(default_factory=dict)
    hidden: list[int] = field(default_factory=list)
    merged: list[Box] = field(default_factory=list)

    def mark(self, kinds: Iterable[str], row: int, column: int) -> None:
        """Note what is to be said of a cell."""
        for kind in kinds:
            getattr(self, kind).setdefault(column, []).append(row)


CellLooks = dict[str, tuple[str, ...]]


def format_looks(code: str) -> tuple[str, ...]:
    r"""Return what the format of a number shows beside it.

    Examples
    --------
    >>> format_looks("0.0%"), format_looks('"<"0.00'), format_looks('0.0" mg/l"')
    (('percent',), ('worded',), ())
    >>> format_looks("[<0.05]0.00;0.0"), format_looks(";;;"), format_looks(r"0\%")
    ((), ('worded',), ())
    """
    bare = _CONDITION.sub("", code)
    words = "".join(quoted or escaped for quoted, escaped in _LITERAL.findall(bare))
    rest = _LITERAL.sub("", bare)
    if _TELLING.search(words) or _NOTHING.fullmatch(rest):
        return ("worded",)
    return ("percent",) if "%" in rest else ()


def looks_of_styles(archive: ZipFile) -> CellLooks:
    """Return what each style of a workbook shows, by the number that cells name it by."""
    if _STYLES not in archive.namelist():
        return {}
    walk = _Styles()
    _parse(archive, _STYLES, walk.start, walk.end)
    return walk.looks()


class _Styles:
    """The walk through the styles of a workbook."""

    def __init__(self) -> None:
        self.formats = dict(_PERCENTS)
        self.struck: list[bool] = []
        self.cells: list[tuple[str, str]] = []
        self._within: list[str] = []

    def start(self, name: str, given: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        above = self._within[-1] if self._within else ""
        self._within.append(kind)
        if kind == "numFmt" and above == "numFmts":
            self.formats[given.get("numFmtId", "")] = given.get("formatCode", "")
        elif kind == "font" and above == "fonts":
            self.struck.append(False)
        elif kind == "strike" and above == "font" and self.struck:
            self.struck[-1] = given.get("val", "1") not in ("0", "false")
        elif kind == "xf" and above == "cellXfs":
            self.cells.append((given.get("numFmtId", "0"), given.get("fontId", "0")))

    def end(self, _: str) -> None:
        self._within.pop()

    def looks(self) -> CellLooks:
        found: CellLooks = {}
        for i, (number, font) in enumerate(self.cells):
            shown = format_looks(self.formats.get(number, ""))
            place = int(font) if font.isdecimal() and len(font) < 9 else -1
            if 0 <= place < len(self.struck) and self.struck[place]:
                shown = (*shown, "struck")
            if shown:
                found[str(i)] = shown
        return found


def raised_texts(archive: ZipFile) -> frozenset[str]:
    """Return the numbers of the shared texts that hold raised digits, as cells name them."""
    if _TEXTS not in archive.namelist() or not _mentions(archive, _TEXTS, b"superscript"):
        return frozenset()
    walk = _Texts()
    _parse(archive, _TEXTS, walk.start, walk.end, walk.read)
    return frozenset(walk.raised)


class _Texts:
    """The walk through the shared texts of a workbook."""

    def __init__(self) -> None:
        self.raised: set[str] = set()
        self._n = -1
        self._up = self._inside = False

    def start(self, name: str, given: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if kind == "si":
            self._n += 1
        if kind in ("si", "r"):
            self._up = False
        self._inside = kind == "t"
        if kind == "vertAlign":
            self._up = given.get("val") == "superscript"

    def end(self, _: str) -> None:
        self._inside = False

    def read(self, text: str) -> None:
        if self._up and self._inside and any(c.isdecimal() for c in text):
            self.raised.add(str(self._n))


def _mentions(archive: ZipFile, part: str, word: bytes) -> bool:
    last = b""
    with archive.open(part) as file:
        while block := file.read(2**20):
            if word in last + block:
                return True
            last = block[-len(word) :]
    return False


def _parse(archive: ZipFile, part: str, start: Any, end: Any, read: Any = None) -> None:
    """Walk through a part that was measured before."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    if read is not None:
        parser.CharacterDataHandler = read
    with archive.open(part) as file:
        while block := file.read(2**20):
            parser.Parse(block)
        parser.Parse(b"", True)
