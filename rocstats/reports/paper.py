"""The page of a re-run paper: a verdict for each claim, print beside ours, and how it was done."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocstats.reports.render import render

if TYPE_CHECKING:
    from rocstats.studies.papers.paper import Paper, PaperResult

__all__ = ["paper_page"]

_PRINTED = "_printed"
_LONG = 30  # rows from which a table is folded


def paper_page(
    paper: Paper,
    result: PaperResult,
    pictures: Mapping[str, str],
    *,
    versions: Mapping[str, str],
    call: str = "",
) -> str:
    """Return the re-run as one HTML page that needs nothing else.

    Parameters
    ----------
    paper, result : what was run, and what it gave
    pictures : SVG text of each figure, by name
    versions : of the programs that made the numbers
    call : command that makes the page again
    """
    content = result.to_dict()
    return render(
        "paper.html.jinja",
        {
            "paper": {
                "name": paper.name,
                "title": paper.title,
                "citation": paper.citation,
                "doi": paper.doi,
                "question": paper.question,
            },
            "result": content,
            "tables": [_shown(table) for table in content["tables"]],
            "figures": [
                {**figure, "source": _address(pictures[figure["name"]])}
                for figure in content["figures"]
            ],
            "duration": _duration(result.seconds),
            "versions": dict(versions),
            "call": call,
        },
    )


def _shown(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table as the cells of a page; what was printed is told from what is ours."""
    columns = [
        {
            "label": name.removesuffix(_PRINTED).replace("_", " "),
            "printed": name.endswith(_PRINTED),
            "text": all(isinstance(row[name], str | None) for row in table["rows"]),
        }
        for name in table["columns"]
    ]
    return {
        **table,
        "columns": columns,
        "has_printed": any(column["printed"] for column in columns),
        "rows": [[_cell(row[name]) for name in table["columns"]] for row in table["rows"]],
        "is_long": len(table["rows"]) > _LONG,
    }


def _cell(value: Any) -> str:
    if value is None or value != value:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} seconds"
    return f"{seconds / 60:.0f} minutes"
