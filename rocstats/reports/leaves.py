"""Leaves: numbers that know where they stand in the JSON of a report."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ["Number", "Real", "Whole", "follow", "json_text", "number", "wrap"]

Number: TypeAlias = float | str | None  # as JSON has it: infinities are words, nan is null
_ENDLESS = {"Infinity": math.inf, "-Infinity": -math.inf}


class Whole(int):
    """A count that knows its path."""

    path: str


class Real(float):
    """A number that knows its path; the strings "Infinity" and "-Infinity" become endless ones."""

    path: str


def wrap(tree: Any, path: str = "") -> Any:
    """Return the tree with every number replaced by one that knows its path.

    Booleans, other strings and None stay as they are.

    Examples
    --------
    >>> wrap({"auc": {"estimate": 0.73}})["auc"]["estimate"].path
    'auc.estimate'
    """
    kind: type[Whole | Real]
    if isinstance(tree, float):
        kind = Real
    elif isinstance(tree, int):
        if isinstance(tree, bool):
            return tree
        kind = Whole
    elif isinstance(tree, str):
        if tree not in _ENDLESS:
            return tree
        kind, tree = Real, _ENDLESS[tree]
    elif isinstance(tree, (list, tuple)):
        inner = f"{path}." if path else ""
        return [wrap(value, f"{inner}{place}") for place, value in enumerate(tree)]
    elif isinstance(tree, Mapping):
        inner = f"{path}." if path else ""
        return {key: wrap(value, inner + _escaped(str(key))) for key, value in tree.items()}
    else:
        return tree
    leaf = kind(tree)
    leaf.path = path
    return leaf


def follow(tree: Any, path: str) -> Any:
    """Return what stands at a path of the tree."""
    for step in path.split("."):
        tree = tree[int(step)] if isinstance(tree, (list, tuple)) else tree[_plain(step)]
    return tree


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace(".", "~1")


def _plain(step: str) -> str:
    return step.replace("~1", ".").replace("~0", "~")


def number(value: Number) -> float:
    """Return a leaf as a float, with infinities by name; nan where it is missing."""
    return math.nan if value is None else float(value)


def json_text(value: Number) -> str:
    """Return a number as it stands in the JSON, without quotes."""
    at = number(value)
    if math.isnan(at):
        return "null"
    if math.isinf(at):
        return "Infinity" if at > 0 else "-Infinity"
    return json.dumps(int(value) if isinstance(value, int) else at)
