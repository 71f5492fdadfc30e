"""What repeats a study elsewhere: its options as TOML, and the command that reads them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rocstats.analysis.options import GROUPS, STUDY, in_group
from rocstats.analysis.toml_values import toml

__all__ = ["repeating_command", "study_toml", "toml_name"]


def toml_name(data: str) -> str:
    """Return the name of the file of options beside a file of data."""
    return f"{Path(data).stem}.toml"


def study_toml(data: str, options: Mapping[str, Any]) -> str:
    """Return the options as the TOML that ``rocstats report --config`` reads."""
    chosen = {"file": data, **options, "output": f"{Path(data).stem}-report.html"}
    command = " ".join(repeating_command(data).split())  # a comment is one line
    parts = [f"# Options of a report. With {toml(data)} beside this file, run\n#     {command}"]
    for group in GROUPS:
        if group == STUDY:
            lines = [f"{key} = {toml(text)}" for key, text in options.get(STUDY, {}).items()]
        else:
            lines = [
                f"{option.key} = {toml(chosen[option.name])}"
                for option in in_group(group)
                if option.name in chosen
            ]
        if lines:
            parts.append("\n".join([f"[{group}]", *lines]))
    return "\n\n".join(parts) + "\n"


def repeating_command(data: str) -> str:
    """Return the command that makes the same report of the same file."""
    return shlex.join(["rocstats", "report", "--config", toml_name(data)])
