"""The bytes of an R file, decompressed within bounds, and how many objects stand in them.

Each text of R becomes an object of some 600 bytes when it is read, and may take 9 in the stream;
so they are counted first (R Internals, section 1.8, gives the format).
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from struct import Struct, error

from rocstats.data.reading.bounds import check_bytes, damaged
from rocstats.errors import InvalidSampleError

__all__ = ["MOST_R_OBJECTS", "check_objects", "read_content"]

MOST_R_BYTES = 2**29  # copied several times while they are read
MOST_R_OBJECTS = 4_000_000
_XZ_MEMORY = 2**28

_GZIP, _BZIP, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"

_INT = Struct(">i").unpack_from
_HEADS = (b"RDX2\n", b"RDX3\n", b"")

# What follows the flags of an object, by its type: so many objects, or an array of such widths.
_NOTHING = {*(0, 22, 23, 25), *(241, 242, 251, 252, 253, 254)}
_OBJECTS = {1: 1, 2: 2, 3: 2, 5: 2, 6: 2, 17: 2, 238: 3}
_TAGGED = {2, 3, 5, 6, 17}
_WIDTHS = {7: 1, 8: 1, 9: 1, 10: 4, 13: 4, 14: 8, 15: 16, 24: 1}
_LISTS = {16, 19, 20}
_NAMES = {247, 249, 250}  # of packages: a zero, and a list
_ENVIRONMENT, _TEXT, _POINTER, _REFERENCE = 4, 9, 22, 255


def read_content(path: Path) -> bytes:
    """Return the content of a file, decompressed; refuse too much of it."""
    with path.open("rb") as file:
        magic = file.read(6)
    if magic == _XZ:
        return _read_xz(path)
    opener = gzip.open if magic[:2] == _GZIP else bz2.open if magic[:3] == _BZIP else open
    with opener(path, "rb") as stream:
        content: bytes = stream.read(MOST_R_BYTES + 1)
    return _check_content(path, content)


def _read_xz(path: Path) -> bytes:
    stream = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    content = stream.decompress(path.read_bytes(), max_length=MOST_R_BYTES + 1)
    _check_content(path, content)
    if not stream.eof:
        raise damaged(path, "it ends before its last block")
    return content


def _check_content(path: Path, content: bytes) -> bytes:
    """Return what was decompressed, if it is not too much, and not compressed again."""
    check_bytes(path, len(content), most=MOST_R_BYTES)
    if content.startswith((_GZIP, _BZIP, _XZ)):
        raise InvalidSampleError(f"{path} is compressed twice; decompress it once first.")
    return content


def check_objects(path: Path, content: bytes) -> None:
    """Refuse more objects than are read of a file, and an array that is not whole."""
    head = next(head for head in _HEADS if content.startswith(head))
    if content[len(head) :].startswith(b"X\n"):
        objects = _count(path, content, len(head) + 2)
    else:
        objects = content.count(b"\n") // 3  # in ASCII, a text has three lines
    if objects > MOST_R_OBJECTS:
        raise InvalidSampleError(
            f"{path} holds more than the {MOST_R_OBJECTS:,} texts that are read of an R file; "
            "save only the columns to analyse, or write them with write.csv()."
        )


def _count(path: Path, content: bytes, at: int) -> int:
    """Return the number of objects in a stream, or an estimate beyond a type that is not known."""
    try:
        version = _INT(content, at)[0]
        at += 12 if version == 2 else 16 + _INT(content, at + 12)[0]
        count, pending = 0, 1
        while pending and count <= MOST_R_OBJECTS:
            flags = _INT(content, at)[0]
            at += 4
            count += 1
            pending -= 1
            kind = flags & 0xFF
            attributes = flags >> 9 & 1
            if kind in _WIDTHS:
                size = _INT(content, at)[0]
                if size < 0 and kind != _TEXT:  # a missing text has length -1
                    raise damaged(path, "an array has no length")
                at += 4 + max(size, 0) * _WIDTHS[kind]
                pending += attributes if kind != _TEXT else 0
            elif kind in _LISTS or kind in _NAMES:
                at += 4 if kind in _NAMES else 0
                pending += max(_INT(content, at)[0], 0) + attributes
                at += 4
            elif kind in _OBJECTS:
                tag = flags >> 10 & 1 if kind in _TAGGED else 0
                pending += _OBJECTS[kind] + tag + (attributes if kind in _TAGGED else 0)
            elif kind == _ENVIRONMENT:
                at, pending = at + 4, pending + 4
            elif kind == _REFERENCE:
                at += 0 if flags >> 8 else 4
            elif kind in _NOTHING:
                pending += attributes + (2 if kind == _POINTER else 0)
            else:
                return count + content.count(b"\x00\x09\x00\x00", at)
    except error:
        raise damaged(path, "it ends within its data") from None
    if at > len(content):
        raise damaged(path, "it ends within its data")
    return count
