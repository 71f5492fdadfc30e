"""The page of a re-run paper: a verdict for each claim, print beside ours, and how it was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rocstats.reports.render import render, svg_address

if TYPE_CHECKING:
    from rocstats.papers.paper import Paper, PaperResult

__all__ = ["paper_page"]

_PRINTED = "_printed"
_LONG = 30  # rows from which a table is folded
_WIDE = 40  # characters of a text that is not broken into lines


def paper_page(
    paper: Paper,
    result: PaperResult,
    pictures: Mapping[str, str],
    *,
    versions: Mapping[str, str],
    quick: bool = False,
    call: str = "",
    processor_seconds: float | None = None,
) -> str:
    """Return the re-run as one HTML page that needs nothing else.

    Parameters
    ----------
    paper, result : what was run, and what it gave
    pictures : SVG text of each figure, by name
    versions : of the programs that made the numbers
    quick : whether the run had fewer data sets and repetitions than the full protocol
    call : command that makes the page again
    processor_seconds : processor time, where one worker did all; None if it is not known
    """
    content = dict(result.statement().content or {})
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
                {**figure, "source": svg_address(pictures[figure["name"]])}
                for figure in content["figures"]
            ],
            "duration": _duration(result.seconds),
            "processor": None if processor_seconds is None else _duration(processor_seconds),
            "versions": dict(versions),
            "quick": quick,
            "call": call,
        },
    )


def _shown(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table as the cells of a page; what was printed is told from what is ours."""
    columns = [
        {
            "label": name.removesuffix(_PRINTED).replace("_", " "),
            "printed": name.endswith(_PRINTED),
            "kind": _kind([row[name] for row in table["rows"]]),
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


def _kind(values: Sequence[Any]) -> str:
    """Return ``number``, ``name``, or ``long`` for text that must be broken into lines."""
    words = [value for value in values if isinstance(value, str) and not _is_printed_number(value)]
    if not words:
        return "number"
    return "long" if max(map(len, words)) > _WIDE else "name"


def _is_printed_number(word: str) -> bool:
    """Return whether a word is a number with the digits that print has, or stands for one."""
    try:
        float(word)
    except ValueError:
        return word in ("", "NA")
    return True


def _cell(value: Any) -> str:
    if value is None or value != value:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} seconds"
    return f"{seconds / 60:.0f} minutes"
