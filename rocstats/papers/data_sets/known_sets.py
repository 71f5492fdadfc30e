"""The benchmark sets of sets.toml: what the papers print of each, and where it can come from."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rocstats.papers.data_sets.generated_sets import balance_scale, monk, tic_tac_toe
from rocstats.papers.data_sets.set_columns import Column
from rocstats.papers.data_sets.set_sources import (
    Bundled,
    Files,
    Generated,
    OnOpenML,
    Package,
    Place,
)

__all__ = ["CATALOGUE", "Entry", "Printed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a paper prints of a set; None where it prints nothing.

    Attributes
    ----------
    paper, label : the study's name, and the set's name in the paper's table
    n, attributes, classes : sizes
    majority : per cent of rows in the larger class
    n_pos : number of positive rows
    """

    paper: str
    label: str
    n: int
    attributes: int
    majority: float | None = None
    n_pos: int | None = None
    classes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One set: how it is named, grouped and found.

    Attributes
    ----------
    name, title : its name here, and its printed one
    positive : class labels that are positive, in the spelling of any place
    grouping : the same in words
    printed : what the papers print
    places : where it can come from, in the order in which they are tried
    complete : whether rows with a missing value are left out
    without : class labels whose rows are left out
    why_absent : why there is no place for it
    notes : what was inferred
    """

    name: str
    title: str
    positive: tuple[str, ...] = ()
    grouping: str = ""
    printed: tuple[Printed, ...]
    places: tuple[Place, ...] = ()
    complete: bool = False
    without: tuple[str, ...] = ()
    why_absent: str = ""
    notes: tuple[str, ...] = ()


_RULES: Mapping[str, Callable[[], list[Column]]] = {
    **{f"monk-{i}": partial(monk, i) for i in (1, 2, 3)},
    "tic-tac-toe": tic_tac_toe,
    "balance-scale": balance_scale,
}
_PLACES: Mapping[str, Callable[..., Place]] = {
    "rule": lambda rule: Generated(make=_RULES[rule]),
    "sklearn": Bundled,
    "files": Files,
    "package": Package,
    "openml": OnOpenML,
}


def _read_sets() -> dict[str, Entry]:
    table = tomllib.loads(Path(__file__).with_name("sets.toml").read_text(encoding="utf-8"))
    found: dict[str, Entry] = {}
    for given in table["sets"]:
        places = given.pop("places", [])
        printed = tuple(Printed(**row) for row in given.pop("printed"))
        notes = tuple(table["notes"].get(note, note) for note in given.pop("notes", []))
        found[given["name"]] = Entry(
            printed=printed,
            places=found[places].places if isinstance(places, str) else tuple(map(_place, places)),
            notes=notes,
            **_frozen(given),
        )
    return found


def _place(given: dict[str, Any]) -> Place:
    return _PLACES[given.pop("from")](**_frozen(given))


def _frozen(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in given.items()}


CATALOGUE: Mapping[str, Entry] = MappingProxyType(_read_sets())
