"""Where the table stands on a sheet: under titles, above totals and notes, between blank lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocstats.data.intake.intake_log import Repair, quoted, row_ranges
from rocstats.data.intake.layout_columns import find_columns
from rocstats.data.intake.number_cells import UNIT, clean, is_blank, read_cell

__all__ = ["Layout", "find_header", "find_layout"]

_SEEN = 60  # rows that are looked at for the header
_FULL = 0.9  # share of the rows that fill a column which is taken as always filled
_BODY = 1000  # rows that tell which columns are always filled
_MOST_END = 8  # rows of totals and notes that a gap parts from the data
_USUAL_FORM = 0.8  # share of the cells that have one form, where others stand out
_LEAST = 5  # cells that show a form
_LONG = 20  # characters of a lone text from which it is a note

_SUMMARY = re.compile(
    r"(?:grand |overall |column |sub[- ]?|sous[- ]|zwischen)?"
    r"(?:mean|average|avg|median|s\.?d\.?|std\.?|st\.? ?dev\.?|stdev|standard deviation|sum|total|"
    r"totals|count|n|min|max|minimum|maximum|range|iqr|variance|var|s\.?e\.?|sem|cv|q1|q3|"
    r"mittelwert|mw|ø|median|summe|gesamt|gesamtergebnis|anzahl|stabw|standardabweichung|durchschnitt|"
    r"moyenne|médiane|mediane|[ée]cart[- ]type|somme|"
    r"media|mediana|promedio|suma|desviaci[óo]n(?: est[áa]ndar)?|totale|somma|"
    r"gemiddelde|totaal|som|m[ée]dia|desvio[- ]padr[ãa]o|soma|d\.?[epst]\.?|e\.?t\.?)"
    r"(?:\s*(?:\(.*\)|±.*|[:=/].*))?",
    re.IGNORECASE,
)
_NAMES_TOO = {"max", "min", "n", "som", "media", "de", "dp", "ds", "dt", "et"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the parts of a table stand; rows and columns are counted from 0.

    Attributes
    ----------
    header : the row of names
    rows : rows with data
    columns : columns that are kept
    names : their names
    units : units by name, from a row under the names
    repairs : what was left out
    """

    header: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    names: tuple[str, ...]
    units: dict[str, str]
    repairs: tuple[Repair, ...]


def find_header(rows: Sequence[Sequence[Any]]) -> int:
    """Return the row of names: the first one, unless it is blank, a title or the head of a group.

    Examples
    --------
    >>> find_header([["Study of CRP", "", ""], ["id", "crp", "y"], ["1", "2.5", "0"]])
    1
    >>> find_header([["", "crp"], ["p1", "2.5"]])
    0
    """
    seen = [[not is_blank(cell) for cell in row] for row in rows[:_SEEN]]
    filled = [sum(row) for row in seen]
    first = next((i for i, n in enumerate(filled) if n), 0)
    width = max(filled, default=0)
    for i in range(first, len(filled)):
        rest_full = filled[i] == width - 1 and not seen[i][0] and all(seen[i][1:width])
        if filled[i] == 0 or (2 * filled[i] <= width and not rest_full):
            continue
        if not _is_heading(rows[i]):
            return first
        gap = filled[i] < width and not rest_full
        below = i + 1 < len(filled) and filled[i + 1] > filled[i] and _is_heading(rows[i + 1])
        return i + 1 if gap and below else i
    return first


def _is_heading(row: Sequence[Any]) -> bool:
    """Whether all cells are texts, and most of them are there once."""
    texts = [cell for cell in row if not is_blank(cell)]
    words = [t for t in texts if isinstance(t, str) and read_cell(t).kind in ("word", "missing")]
    return len(words) == len(texts) and 2 * len({clean(t) for t in words}) > len(words)


def find_layout(rows: Sequence[Sequence[Any]], header: int | None = None) -> Layout:
    """Return where the table stands among these rows, as wide as each other or not."""
    top = find_header(rows) if header is None else header
    heading = list(rows[top]) if top < len(rows) else []
    width = max((_reach(row) for row in rows[top:]), default=0)
    heading = [*heading, *[None] * (width - len(heading))][:width]
    repairs: list[Repair] = []
    if header is None and top > 0:
        above = [i for i in range(top) if any(not is_blank(cell) for cell in rows[i])]
        titles = quoted((_first_cell(rows[i]) for i in above), 2)
        what = f"the text above is taken as a title: {titles}" if above else "it is blank above"
        repairs.append(
            Repair(
                step="header row",
                n=top,
                cells=row_ranges(range(1, top + 1)),
                sentence=f"The names of the columns stand in row {top + 1}; {what}.",
            )
        )
    unit_row = _unit_row(rows, top)
    joined = None if unit_row is not None else _joined_names(rows, top, heading)
    if joined is not None:
        heading = joined
        repairs.append(
            Repair(
                step="header row",
                n=2,
                cells=row_ranges([top + 1, top + 2]),
                sentence=f"The names of the columns stand in rows {top + 1} and {top + 2}, and "
                f"were joined: {quoted(name for name in joined if not is_blank(name))}.",
            )
        )
    first = top + 1 + (unit_row is not None or joined is not None)
    found = _data_rows(rows, first, heading)
    repairs += _said_rows(rows, found)
    columns, names, units, told = find_columns(rows, heading, found["data"], unit_row, top)
    return Layout(
        header=top,
        rows=tuple(found["data"]),
        columns=tuple(columns),
        names=tuple(names),
        units=units,
        repairs=(*repairs, *told),
    )


def _reach(row: Sequence[Any]) -> int:
    """Return how many cells there are up to the last one that holds something."""
    return next((j for j in range(len(row), 0, -1) if not is_blank(row[j - 1])), 0)


def _unit_row(rows: Sequence[Sequence[Any]], top: int) -> Sequence[Any] | None:
    """Return the row of units under the names, if there is one."""
    if top + 2 >= len(rows):
        return None
    texts = [cell for cell in rows[top + 1] if not is_blank(cell)]
    if not texts or not all(isinstance(t, str) for t in texts):
        return None
    over = _words_over_numbers(rows, top)
    if len(over) > 1 and 2 * sum(_is_unit(rows[top + 1][j]) for j in over) > len(over):
        return [c if j in over and _is_unit(c) else None for j, c in enumerate(rows[top + 1])]
    bare = [clean(t).strip("[]() ") for t in texts]
    telling = any(
        "/" in t or "%" in t or clean(raw)[0] in "[("
        for t, raw in zip(bare, texts, strict=True)
        if t
    )
    return rows[top + 1] if telling and all(t and UNIT.fullmatch(t) for t in bare) else None


def _is_unit(cell: Any) -> bool:
    text = clean(cell).strip("[]() ")
    return bool(text) and UNIT.fullmatch(text) is not None


def _words_over_numbers(rows: Sequence[Sequence[Any]], top: int) -> set[int]:
    """Return columns where a word stands under the name and numbers stand below it.

    The row is looked at only if all its cells are words: then it holds no subject.
    """
    if top + 2 >= len(rows):
        return set()
    there = {j: c for j, c in enumerate(rows[top + 1]) if not is_blank(c)}
    if not all(isinstance(c, str) and read_cell(c).kind == "word" for c in there.values()):
        return set()
    found = set()
    for j, word in there.items():
        column = [row[j] for row in rows[top + 2 : top + _SEEN] if j < len(row)]
        cells = [c for c in column if not is_blank(c)]
        if any(isinstance(c, str) and clean(c) == clean(word) for c in cells):
            return set()  # a label, as yes, which others have too
        numbers = sum(read_cell(c).kind in ("number", "below", "above") for c in cells)
        if numbers >= _LEAST and numbers >= _USUAL_FORM * len(cells):
            found.add(j)
    return found


def _joined_names(
    rows: Sequence[Sequence[Any]], top: int, heading: Sequence[Any]
) -> list[Any] | None:
    """Return names of two rows, the first of groups of columns: Baseline above CRP and Ferritin."""
    if len(_words_over_numbers(rows, top)) < 2:
        return None
    second = [*rows[top + 1], *[None] * len(heading)][: len(heading)]
    ups = [clean(str(up)) for up in heading if not is_blank(up)]
    whole = all(is_blank(low) or not is_blank(up) for up, low in zip(heading, second, strict=True))
    if whole and len(set(ups)) == len(ups):
        return None
    names: list[Any] = []
    group = None
    for up, low in zip(heading, second, strict=True):
        group = group if is_blank(up) and not is_blank(low) else up
        parts = [str(part).strip() for part in (group, low) if not is_blank(part)]
        names.append(" ".join(parts) or None)
    return names if len(set(names)) == len(names) else None


# ------------------------------------------------------------------------------------------- rows


def _data_rows(rows: Sequence[Sequence[Any]], first: int, heading: Sequence[Any]) -> dict[str, Any]:
    """Return rows by what they are: data, blank, repeated headings, and the end after the data."""
    head = [None if is_blank(c) else c for c in heading]
    found: dict[str, list[int]] = {"data": [], "blank": [], "repeated": [], "end": []}
    found["between"] = []
    for i in range(first, len(rows)):
        cells = [None if is_blank(c) else c for c in rows[i]]
        if not any(c is not None for c in cells):
            found["blank"].append(i)
        elif cells[: len(head)] == head:
            found["repeated"].append(i)
        else:
            found["data"].append(i)
    data, blank = found["data"], set(found["blank"])
    body = data[:-_MOST_END][:_BODY] or data[:1]
    width = len(heading)
    full = [
        j
        for j in range(width)
        if sum(j < len(rows[i]) and not is_blank(rows[i][j]) for i in body) >= _FULL * len(body)
    ]
    while len(data) > 1 and _is_end(rows, data, blank, full, width):
        found["end"].insert(0, data.pop())
    found["between"] = _between(rows, data, full, width)
    found["data"] = sorted(set(data) - set(found["between"]))
    return found


def _between(
    rows: Sequence[Sequence[Any]], data: Sequence[int], full: Sequence[int], width: int
) -> list[int]:
    """Return headings of sections and totals among the data: texts where others name subjects.

    They show in a column whose cells are numbers, or texts of one form as P-001, and only there.
    """
    forms: dict[int, set[str]] = {}
    found = []
    for i in data:
        there = [j for j in range(min(len(rows[i]), width)) if not is_blank(rows[i][j])]
        if width < 3 or not 1 <= len(there) < width:
            continue
        first = there[0]
        label = rows[i][first]
        if not isinstance(label, str) or (len(there) > 1 and not _SUMMARY.fullmatch(clean(label))):
            continue
        if first not in forms:
            forms[first] = _usual_forms(rows, data, full, first)
        if forms[first] and _form(label) not in forms[first]:
            found.append(i)
    return found


def _usual_forms(
    rows: Sequence[Sequence[Any]], data: Sequence[int], full: Sequence[int], column: int
) -> set[str]:
    """Return the form that a column has in nearly all whole rows, or nothing if it has none."""
    whole = [
        rows[i]
        for i in data[:_BODY]
        if all(j < len(rows[i]) and not is_blank(rows[i][j]) for j in full)
    ]
    cells = [row[column] for row in whole if column < len(row)]
    known = Counter(_form(cell) for cell in cells if not is_blank(cell))
    form, times = known.most_common(1)[0] if known else ("", 0)
    return {form} if times >= _USUAL_FORM * sum(known.values()) and times >= _LEAST else set()


def _form(cell: Any) -> str:
    """Return a cell with 0 for its digits, and 0 for a number."""
    if not isinstance(cell, str) or read_cell(cell).kind == "number":
        return "0"
    return re.sub(r"\d+", "0", clean(cell))


def _is_end(
    rows: Sequence[Sequence[Any]],
    data: Sequence[int],
    blank: set[int],
    full: Sequence[int],
    width: int,
) -> bool:
    """Whether the last of these rows is a total or a note, and no subject."""
    last, row = data[-1], rows[data[-1]]
    apart = any(last - k in blank for k in range(1, _MOST_END)) and last - _MOST_END > data[0]
    there = [j for j in range(min(len(row), width)) if not is_blank(row[j])]
    if not there:
        return True
    lacking = any(j >= len(row) or is_blank(row[j]) for j in full)
    label = row[there[0]]
    if not isinstance(label, str) or read_cell(label).kind == "number":
        return apart and lacking and 0 in full and there[0] > 0
    text = clean(label)
    others = [rows[i][there[0]] for i in data[:-1] if there[0] < len(rows[i])]
    if any(isinstance(c, str) and clean(c) == text for c in others):
        return False
    if len(there) == 1 and width > 1:
        return (
            apart
            or len(text) > _LONG
            or text.startswith(("*", "Note", "note"))
            or (lacking and _SUMMARY.fullmatch(text) is not None)
        )
    if apart and lacking:
        usual = _usual_forms(rows, data, full, there[0])
        if usual and _form(label) not in usual:
            return True
    if _SUMMARY.fullmatch(text) is None:
        return False
    numbers = sum(read_cell(c).kind == "number" for c in others[:_SEEN])
    if apart or 2 * numbers > len(others[:_SEEN]):
        return True
    above = others[-1] if others else None  # Max and Min are names, too, unless totals stand above
    among = isinstance(above, str) and _SUMMARY.fullmatch(clean(above)) is not None
    return lacking and (among or text.casefold() not in _NAMES_TOO)


def _said_rows(rows: Sequence[Sequence[Any]], found: dict[str, Any]) -> list[Repair]:
    """Return what is said of rows that are no data; blank rows after the last count for nothing."""
    last = max(found["data"] + found["between"] + found["end"], default=0)
    blank = [i for i in found["blank"] if i < last]
    said = []
    for step, where, what in (
        ("blank rows", blank, "blank {rows} {were} left out"),
        ("repeated header", found["repeated"], "{rows} that {repeat} the names {were} left out"),
        (
            "rows between",
            found["between"],
            "{rows} among the data, {headings}, {were} left out: {texts}",
        ),
        ("rows at the end", found["end"], "{rows} at the end, {totals}, {were} left out: {texts}"),
    ):
        if not where:
            continue
        one = len(where) == 1
        words = {
            "rows": "row" if one else "rows",
            "were": "was" if one else "were",
            "repeat": "repeats" if one else "repeat",
            "headings": "a heading or total" if one else "headings or totals",
            "totals": "a total or note" if one else "totals or notes",
            "texts": quoted(_first_cell(rows[i]) for i in where),
        }
        said.append(
            Repair(
                step=step,
                n=len(where),
                cells=row_ranges(i + 1 for i in where),
                sentence=f"{len(where)} {what.format(**words)}.",
            )
        )
    return said


def _first_cell(row: Sequence[Any]) -> Any:
    return next((cell for cell in row if not is_blank(cell)), "")
