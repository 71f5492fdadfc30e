"""SAS transport files, record by record: they say too little of themselves for a cut to show."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.reading.bounds import damaged
from rocstats.errors import InvalidSampleError

__all__ = ["count_rows"]

_RECORD = 80
_HEAD = b"HEADER RECORD*******"
_MEMBERS = (_HEAD + b"MEMBER  HEADER", _HEAD + b"MEMBV8  HEADER")
_NAMES = (_HEAD + b"NAMESTR HEADER", _HEAD + b"NAMSTV8 HEADER")
_ROWS = (_HEAD + b"OBS     HEADER", _HEAD + b"OBSV8   HEADER")
_BLANK = 0x20
_NUMBER = 1  # the type of a variable; 2 is text


def count_rows(path: Path, columns: int) -> int:
    """Return how many rows a file of one data set holds; refuse one that ends within a row.

    Version 8 says the number of rows. Of version 5 a cut shows in what is no whole record of 80
    bytes, or no whole row, and not blank; one between two rows cannot show.
    """
    content = path.read_bytes()
    members = sum(content.count(member) for member in _MEMBERS)
    if members > 1:
        raise InvalidSampleError(
            f"{path} holds several data sets; write the one to analyse to a file of its own."
        )
    if len(content) % _RECORD:
        raise damaged(
            path,
            f"a SAS transport file is made of records of {_RECORD} bytes, and this one has "
            f"{len(content):,} bytes",
        )
    described, begin = _find(content, _NAMES), _find(content, _ROWS)
    if members == 0 or described is None or begin is None or begin < described:
        raise damaged(path, "a header lacks")
    kinds, widths = _variables(path, content, described + _RECORD, columns)
    found = _rows(path, content[begin + _RECORD :], kinds, widths)
    promised = content[begin + 48 : begin + 63].strip()
    told = content[begin:].startswith(_ROWS[1]) and promised.isdigit()
    if told and int(promised) not in (0, found):  # older writers leave 0 there
        raise damaged(path, f"it promises {int(promised):,} rows and {found:,} came of it")
    return found


def _find(content: bytes, heads: tuple[bytes, ...]) -> int | None:
    """Return where the first record with one of these heads begins."""
    places = [place for head in heads if (place := content.find(head)) >= 0]
    return next((place for place in sorted(places) if place % _RECORD == 0), None)


def _variables(path: Path, content: bytes, begin: int, columns: int) -> tuple[list[int], list[int]]:
    """Return the types and the widths of the variables."""
    member = next(place for head in _MEMBERS if (place := content.find(head)) >= 0)
    size = int(content[member + 74 : member + 78].strip() or b"0")  # 140, or 136 of a VAX
    if size not in (136, 140) or columns < 1:
        raise damaged(path, "a header is broken")
    described = [struct.unpack_from(">hhh", content, begin + j * size) for j in range(columns)]
    if any(width < 1 for _, _, width in described):
        raise damaged(path, "a variable has no width")
    return [kind for kind, _, _ in described], [width for _, _, width in described]


def _rows(path: Path, data: bytes, kinds: list[int], widths: list[int]) -> int:
    """Return the number of rows; what is left over, less than a record, is blank."""
    width = sum(widths)
    whole = len(data) // width
    if data[whole * width :].strip(b" "):
        raise damaged(path, "it ends within a row")
    cells: NDArray[Any] = np.frombuffer(data, dtype=np.uint8, count=whole * width)
    blank = (cells.reshape(whole, width) == _BLANK).all(axis=1)
    rows = int(np.flatnonzero(~blank)[-1]) + 1 if whole and not blank.all() else 0
    ends = np.cumsum(widths)
    for kind, length, end in zip(kinds, widths, ends, strict=True):
        number = cells.reshape(whole, width)[:rows, end - length : end]
        if kind == _NUMBER and rows and (number == _BLANK).all(axis=1).any():
            raise damaged(path, "a number is blank, where SAS would write a missing one")
    return rows
