"""Text as a grid of cells: its encoding and its separator are found, and said if unusual."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rocstats.data.intake.intake_log import MOST_RANGES, Repair, column_letters, quoted
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.reading.bounds import MOST_BYTES, check_bytes, check_size
from rocstats.errors import InvalidSampleError, keyword, listed

__all__ = ["SEPARATORS", "TextGrid", "first_rows", "head_rows", "text_grid"]

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
HEAD = 2**16  # bytes that are looked at first
_SAMPLE = 200  # lines that tell the separator
_MOST_CELL = 2**24

# Encodings of old programs by their languages, named where a text is none of the usual ones.
_OTHERS = {"cp932": "Japanese", "gb18030": "Chinese", "big5": "Chinese", "cp949": "Korean"}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextGrid:
    """The cells of a text file.

    Attributes
    ----------
    rows : cells, a list for every line that a spreadsheet shows
    encoding, separator : as found or named
    repairs : what was unusual
    """

    rows: list[list[str]]
    encoding: str
    separator: str
    repairs: tuple[Repair, ...]


def text_grid(path: Path, usual: str, settings: IntakeSettings) -> TextGrid:
    """Return the cells of a text file; `usual` is the separator that its suffix promises."""
    check_bytes(path, path.stat().st_size, most=MOST_BYTES)
    content = path.read_bytes()
    encoding = settings.encoding or _encoding(content)
    text = _decoded(path, content, encoding)
    separator = settings.delimiter or _separator(text, usual)
    rows = _rows(text, separator)
    check_size(path, len(rows), max(map(len, rows), default=0))
    repairs = []
    if settings.encoding is None and encoding not in ("utf-8", "utf-8-sig"):
        repairs.append(_said_encoding(rows, encoding))
    if settings.separator is None and separator != usual:
        repairs.append(
            Repair(
                step="separator",
                n=len(rows),
                sentence=f"The cells are separated by {SEPARATORS[separator]}, where "
                f"{SEPARATORS[usual]} are usual in a {path.suffix.lower()} file.",
            )
        )
    return TextGrid(rows=rows, encoding=encoding, separator=separator, repairs=tuple(repairs))


def head_rows(path: Path, usual: str) -> list[list[str]] | None:
    """Return the first lines where they are plain: UTF-8, and as many cells in each; else None."""
    with path.open("rb") as file:
        content = file.read(HEAD)
        whole = not file.read(1)
    if b"\0" in content:
        return None
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(content, final=whole)
    except UnicodeDecodeError:
        return None
    rows = _rows(text, usual, _SAMPLE + 1)
    rows = rows if whole or len(rows) > _SAMPLE else rows[:-1]
    if not rows or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return None
    return rows


def first_rows(path: Path, usual: str) -> list[list[str]]:
    """Return the first lines of a text file, whatever its encoding and separator."""
    with path.open("rb") as file:
        content = file.read(HEAD)
    ended = content if len(content) < HEAD else content[: content.rfind(b"\n") + 1]
    text = ended.decode(_encoding(ended), errors="replace")
    return _rows(text, _separator(text, usual), _SAMPLE)


def _encoding(content: bytes) -> str:
    """Return the encoding of a text: by its mark, by its zeros, or by what its bytes allow."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    head = content[:4096]
    if head.count(0) > len(head) // 4:
        return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _decoded(path: Path, content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, UnicodeError, LookupError):
        likely = [f"{name} ({what})" for name, what in _OTHERS.items() if _decodes(content, name)]
        hint = f", perhaps {listed(likely)}" if likely else ""
        raise InvalidSampleError(
            f"{path} is no text in {encoding}; name its encoding with {keyword('encoding')}{hint}, "
            "or save it as UTF-8."
        ) from None


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content[:HEAD].rpartition(b"\n")[0].decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _rows(text: str, separator: str, most: int | None = None) -> list[list[str]]:
    before = csv.field_size_limit(_MOST_CELL)
    try:
        return list(islice(csv.reader(io.StringIO(text, newline=""), delimiter=separator), most))
    except csv.Error as reason:
        raise InvalidSampleError(f"The text could not be split into cells: {reason}.") from None
    finally:
        csv.field_size_limit(before)


def _separator(text: str, usual: str) -> str:
    """Return the separator that gives lines of as many cells each; the usual one where in doubt."""
    head = text[: 4 * HEAD]

    def fit(separator: str) -> tuple[float, int, bool]:
        counts = [len(row) for row in _rows(head, separator, _SAMPLE) if any(map(str.strip, row))]
        width, times = Counter(counts).most_common(1)[0] if counts else (1, 0)
        return (times / len(counts) if width > 1 else 0.0, width, separator == usual)

    return max(SEPARATORS, key=fit) if any(fit(s)[0] for s in SEPARATORS) else usual


def _said_encoding(rows: Sequence[Sequence[str]], encoding: str) -> Repair:
    places = [
        (f"{column_letters(j)}{i}", cell)
        for i, row in enumerate(rows, 1)
        for j, cell in enumerate(row)
        if not cell.isascii()
    ]
    what = "Windows text (cp1252)" if encoding == "cp1252" else encoding.upper()
    said = f", such as {quoted(cell for _, cell in places)}" if places else ""
    return Repair(
        step="encoding",
        n=len(places),
        cells=tuple(place for place, _ in places[:MOST_RANGES]),
        sentence=f"The file is no UTF-8 and was read as {what}{said}"
        f"{'; if these letters are wrong, name its encoding' if places else ''}.",
    )
