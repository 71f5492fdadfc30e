"""The TOML file that ``rocstats report --init`` writes: what the data offer, and every option."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.analysis.options import GROUPS, STUDY, STUDY_TEXTS, Option, in_group
from rocstats.analysis.proposals import (
    FEW,
    MOST_COLUMNS,
    MOST_DESCRIBED,
    Column,
    describe,
    propose,
    spelt,
)
from rocstats.analysis.toml_values import bare, toml
from rocstats.tables import counted

if TYPE_CHECKING:
    from rocstats.data.reading.files import Table

__all__ = ["starter"]


def starter(
    table: Table,
    options: Mapping[str, Any],
    *,
    place: str | None,
    units: Mapping[str, str] | None = None,
) -> str:
    """Return the text of a TOML file for this table.

    Parameters
    ----------
    table : the data
    options : those already chosen, by their names; they are filled in
    place : the file that it is meant for, to which paths are made relative
    units : of columns, as the header of the table names them
    """
    names = table.frame.columns
    asked = {options.get("outcome"), *options.get("markers", ())}
    columns = [
        describe(table, name) for j, name in enumerate(names) if j < MOST_DESCRIBED or name in asked
    ]
    chosen = dict(options) | _paths(options, place)
    notes = propose([column for column in columns if column.name], chosen)
    mine = {name: unit for name, unit in (units or {}).items() if name in chosen.get("markers", ())}
    if mine:
        chosen["units"] = mine | dict(chosen.get("units") or {})
    parts = [_header(columns, chosen, table.frame.shape)]
    for name in GROUPS:
        if name == STUDY:
            parts.insert(-1, _study(options.get(STUDY, {})))
        else:
            parts.append("\n".join([f"[{name}]", *_lines(in_group(name), chosen, notes)]))
    return "\n\n".join(parts) + "\n"


def _paths(options: Mapping[str, Any], place: str | None) -> dict[str, Any]:
    """Return the paths relative to the folder of the file, and a name for the page."""
    found = {
        name: _relative(options[name], place)
        for name in ("file", "templates")
        if options.get(name) is not None
    }
    stem = Path(options["file"]).stem if place is None else Path(place).stem
    return found | {"output": f"{stem}-report.html" if place is None else f"{stem}.html"}


def _relative(name: str, place: str | None) -> str:
    if place is None or Path(name).is_absolute():
        return name
    try:
        return Path(os.path.relpath(name, Path(place).absolute().parent)).as_posix()
    except ValueError:  # on another drive
        return str(Path(name).absolute())


# --------------------------------------------------------------------------------- what is written


def _header(columns: Sequence[Column], chosen: Mapping[str, Any], shape: tuple[int, int]) -> str:
    from rocstats import __version__

    n_rows, n_columns = shape
    lines = [
        f"Options of a report, written by rocstats {__version__} --init. Every line that begins "
        "with # is",
        "a comment or an option that is left out; delete the # to use it. Run it with",
        "    rocstats report --config THIS-FILE",
        "Paths are relative to the folder of this file.",
        "",
        f"{toml(chosen['file'])} has {n_rows} rows and {n_columns} columns:",
        *(f"    {toml(c.name)}: {_summary(c)}" for c in columns[:MOST_COLUMNS]),
    ]
    if n_columns > MOST_COLUMNS:
        lines.append(f"    and {n_columns - MOST_COLUMNS} more")
    return "\n".join(f"# {line}".rstrip() for line in lines)


def _summary(column: Column) -> str:
    n = len(column.values)
    missing = f"{column.missing} missing" if column.missing else "none missing"
    if 0 < n <= FEW:
        order = sorted(range(n), key=lambda i: -column.counts[i])
        shown = ", ".join(
            f"{toml(spelt(column.values[i]))} {column.counts[i]} times" for i in order
        )
        return f"{column.kind}, {counted(n, 'value')} ({shown}), {missing}"
    if column.kind == "number" and n:
        low, high = min(column.values), max(column.values)
        return f"number, {n} values from {low:g} to {high:g}, {missing}"
    return f"{column.kind}, {n} values, {missing}"


def _lines(
    rows: Iterable[Option], chosen: Mapping[str, Any], notes: Mapping[str, list[str]]
) -> list[str]:
    lines = []
    markers = chosen.get("markers") or []
    for option in rows:
        lines.append(f"# {option.about}")
        value = chosen.get(option.name)
        if value is not None and value != [] and value != {}:
            lines.append(f"{option.key} = {toml(value)}")
        proposed = notes.get(option.name, [])
        lines += [f"# {note}" for note in proposed]
        if value is None and not proposed:
            lines.append(f"# {option.key} = {_example(option, markers)}")
    return lines


def _example(option: Option, markers: Sequence[str]) -> str:
    """Return the example, with a marker of these data in it."""
    example = toml(option.default) if option.example is None else option.example
    if not markers:
        return example
    quoted = example.replace('"MARKER"', toml(markers[0]))
    return quoted if quoted != example else quoted.replace("MARKER", bare(markers[0]))


def _study(texts: Mapping[str, str]) -> str:
    lines = [f"[{STUDY}]", "# What only the authors know; the checklist asks for what is left out."]
    for name, question in STUDY_TEXTS.items():
        if name in texts:
            lines.append(f"{name} = {toml(texts[name])}")
        else:
            lines.append(f'# {name} = ""  # {question}')
    return "\n".join(lines)
