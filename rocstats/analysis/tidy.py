"""Tidy rows: which columns of an answer the facts keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["AREA", "RATE", "pick"]

AREA = ("estimate", "std_error", "conf_low", "conf_high", "conf_method")
RATE = ("estimate", "conf_low", "conf_high", "conf_method")


def pick(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return some columns of a row, in the order of their names."""
    return {name: row[name] for name in names}
