"""Values as TOML, which the standard library reads but does not write."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["bare", "toml"]


def toml(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{bare(name)} = {toml(item)}" for name, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return _escaped(str(value))


def _escaped(text: str) -> str:
    """Return a text in quotes; JSON escapes all that TOML asks for but one character."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")


def bare(name: str) -> str:
    """Return a key of a table, in quotes if need be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _escaped(name)
