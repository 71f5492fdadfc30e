"""Files that sites exchange: JSON with the name of its format and a version, written whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rocstats.errors import InvalidSampleError
from rocstats.places import check_ending, write_whole

__all__ = ["VERSION", "plain_label", "read_json", "write_json"]

VERSION = 1


def write_json(path: str | os.PathLike[str], content: Mapping[str, Any]) -> Path:
    """Write a file, a key in a line."""
    check_ending(path, (".json",))
    lines = [f"{json.dumps(key)}: {_value(value)}" for key, value in content.items()]
    return write_whole(Path(path), "{\n" + ",\n".join(lines) + "\n}\n")


def _value(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(_value(one) for one in value) + "\n]"
    if isinstance(value, dict):
        inner = [f"{json.dumps(k)}: {json.dumps(v, allow_nan=False)}" for k, v in value.items()]
        return "{\n  " + ",\n  ".join(inner) + "\n}" if inner else "{}"
    return json.dumps(value, allow_nan=False)


def read_json(path: str | os.PathLike[str], kind: str) -> dict[str, Any]:
    """Return the content of a file of this format; one sentence refuses any other."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or "it is no text"
        raise InvalidSampleError(f"{path} cannot be read: {why}.") from None
    try:
        content = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise InvalidSampleError(
            f"{path} is no whole JSON file; it may have been cut off, so ask for it again."
        ) from None
    if not isinstance(content, dict) or content.get("format") != kind:
        raise InvalidSampleError(f"{path} is no {kind}: its format is not said to be one.")
    version = content.get("version")
    if version != VERSION or isinstance(version, bool):
        newer = isinstance(version, int) and version > VERSION
        raise InvalidSampleError(
            f"{path} has version {version!r} of the format, and {VERSION} is known here"
            + ("; install a newer rocstats." if newer else ".")
        )
    return content


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def plain_label(label: Any) -> Any:
    """Return a label as JSON has it; refuses one that is neither text, number nor truth."""
    found = label.item() if hasattr(label, "item") else label
    if not isinstance(found, str | int | float | bool):
        raise InvalidSampleError(
            f"The label {label!r} cannot be written to a file; make labels texts or numbers."
        )
    return found
