"""Write the tutorials of the site as notebooks for Jupyter: ``python tools/notebooks.py``.

A tutorial is a page of Markdown with cells (``docs/tutorials``), which the site runs and shows. The
notebook of the same name in ``docs/notebooks`` is made of it and has no output of its own.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$\n?", re.DOTALL | re.MULTILINE)
_HEADER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_OPTIONS = re.compile(r"\A(?::[^\n]*\n)+")  # of a cell, for the site
_ROLE = re.compile(r"\{doc\}`(?:([^`<]+?) <)?([^`>]+)>?`")
_DOWNLOAD = re.compile(r"^\{download\}.*\n\n", re.MULTILINE)


def notebook(text: str) -> dict[str, Any]:
    """Return the notebook of a page."""
    text = _DOWNLOAD.sub("", _HEADER.sub("", text))
    parts: list[tuple[str, str]] = []
    end = 0
    for found in CELL.finditer(text):
        parts += [("markdown", text[end : found.start()]), ("code", _OPTIONS.sub("", found[1]))]
        end = found.end()
    parts.append(("markdown", text[end:]))
    cells = [_cell(kind, part.strip("\n"), i) for i, (kind, part) in enumerate(parts)]
    return {
        "cells": [cell for cell in cells if cell["source"]],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(kind: str, text: str, number: int) -> dict[str, Any]:
    if kind == "markdown":
        text = _ROLE.sub(lambda found: f"*{found[1] or found[2].rpartition('/')[2]}*", text)
        text = re.sub(r"\[\]\(([^)]*?)(\w+)\.md\)", r"*\2*", text)
        text = re.sub(r"\]\((\.\./[^)]*)\)", r"](\1)", text)
    source = text.splitlines(keepends=True)
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
    return cell if kind == "markdown" else cell | {"execution_count": None, "outputs": []}


def notebooks() -> dict[Path, str]:
    """Return every notebook's place and text."""
    pages = sorted((DOCS / "tutorials").glob("*.md"))
    return {
        DOCS / "notebooks" / f"{page.stem}.ipynb": json.dumps(
            notebook(page.read_text(encoding="utf-8")), indent=1, ensure_ascii=False
        )
        + "\n"
        for page in pages
        if page.stem != "index"
    }


if __name__ == "__main__":
    for place, content in notebooks().items():
        place.parent.mkdir(exist_ok=True)
        place.write_text(content, encoding="utf-8")
        print(place.relative_to(DOCS.parent))
