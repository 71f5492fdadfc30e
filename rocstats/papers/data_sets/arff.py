"""ARFF files, and KEEL's .dat files, which have the same header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocstats.errors import InvalidSampleError
from rocstats.papers.data_sets.set_columns import Column, nominal_column, numeric_column

__all__ = ["read_arff", "split_words"]

_ATTRIBUTE = re.compile(
    r"""@attribute \s+ (?P<name> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [^\s{]+ ) \s*
        (?: \{ (?P<levels> .*) \} | (?P<kind> [a-z]+) ) """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERS = ("numeric", "real", "integer")
_WORD = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,]*))\s*(?:,|$)""")


def read_arff(lines: Sequence[str], where: str) -> list[Column]:
    """Return the columns of an ARFF or KEEL file; what is broken is refused by line number."""
    header: list[tuple[str, list[str] | None]] = []
    rows: list[list[str]] = []
    in_data = False
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append(_row(line, len(header), f"{where}, line {number}"))
        elif line.lower().startswith("@data"):
            in_data = True
        elif line.lower().startswith("@attribute"):
            header.append(_attribute(line, f"{where}, line {number}"))
        elif not line.lower().startswith(("@relation", "@input", "@output")):
            raise InvalidSampleError(f"{where}, line {number}: an ARFF header was expected.")
    if not in_data or not rows:
        raise InvalidSampleError(f"{where} has no rows after @data; the file may be cut off.")
    columns = []
    for (name, levels), words in zip(header, zip(*rows, strict=True), strict=True):
        try:
            if levels is None:
                columns.append(numeric_column(name, words))
            else:
                columns.append(nominal_column(name, words, levels))
        except InvalidSampleError as error:
            raise InvalidSampleError(f"{where}: {error}") from None
    return columns


def _attribute(line: str, where: str) -> tuple[str, list[str] | None]:
    """Return name and levels of an attribute, None for a numeric one."""
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise InvalidSampleError(f"{where}: the attribute cannot be read.")
    name = match["name"].strip("'\"")
    if match["levels"] is not None:
        return name, split_words(match["levels"])
    if match["kind"].lower() not in _NUMBERS:
        raise InvalidSampleError(
            f"{where}: attribute {name} is {match['kind']}, but only nominal and numeric "
            "attributes are read."
        )
    return name, None


def _row(line: str, width: int, where: str) -> list[str]:
    words = split_words(line)
    if len(words) != width:
        raise InvalidSampleError(f"{where}: {width} values were expected, got {len(words)}.")
    return words


def split_words(line: str) -> list[str]:
    """Return the words between commas, without quotes and the space around them."""
    if "'" not in line and '"' not in line:
        return [word.strip() for word in line.split(",")]
    words, at = [], 0
    while at <= len(line):
        match = _WORD.match(line, at)
        if match is None or match.end() == at:
            if at == len(line):  # a comma at the end of the line
                words.append("")
                break
            raise InvalidSampleError(f"The quotes in {line[:60]!r} do not match.")
        quoted, double, plain = match.groups()
        words.append(next(w for w in (quoted, double, plain) if w is not None).strip())
        at = match.end()
        if at == len(line) and line[at - 1] != ",":
            break
    return words
