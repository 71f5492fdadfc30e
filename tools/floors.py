"""The lowest version of every library that pyproject.toml declares.

``python tools/floors.py`` writes ``constraints/floors.txt``, with which ``make floors`` makes a
second environment and runs the tests there.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["FILE", "constraints", "floors"]

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "constraints" / "floors.txt"
# The peers of a benchmark, checkers, browsers, the site, engines of rows, which are large; R and
# Weka have scripts of their own.
LEFT_OUT = {"bench", "dev", "docs", "engines", "r", "weka"}


def floors(project: dict[str, Any]) -> dict[str, str]:
    """Return the lowest version by name of what is needed to run and to test the package."""
    extras = project["optional-dependencies"]
    groups = [project["dependencies"], *(extras[name] for name in extras.keys() - LEFT_OUT)]
    found = {}
    for requirement in (one for group in groups for one in group):
        if requirement.startswith(f"{project['name']}["):
            continue
        parts = re.fullmatch(r"([\w.-]+)>=([\w.]+)", requirement)
        if parts is None:
            raise ValueError(f"{requirement!r} must say its lowest version, as name>=version.")
        found[parts[1]] = parts[2]
    return found


def constraints() -> str:
    """Return what should stand in the file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [f"{name}=={lowest}" for name, lowest in sorted(floors(project).items())]
    return "\n".join(
        ["# Made by tools/floors.py from pyproject.toml, for make floors.", *lines, ""]
    )


if __name__ == "__main__":
    FILE.write_text(constraints(), encoding="utf-8")
