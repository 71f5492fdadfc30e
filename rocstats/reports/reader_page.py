"""The page of a reader study, in the order in which a reviewer reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.render import render_facts, svg_address

__all__ = ["READER_FIGURES", "reader_page"]

READER_FIGURES = {
    "readers": {
        "curves": "ROC curves: each reader's (thin), and the mean over readers of each test "
        "(thick).",
        "forest": "Every reader in every test, with the interval for that reader alone.",
    },
    "program": {
        "curves": "ROC curves: each reader's (thin; a mark at each rating where they are few), the "
        "mean over readers, and the program's.",
        "forest": "The program, the mean reader, and every reader with the interval for that "
        "reader alone.",
    },
}


def reader_page(
    facts: Mapping[str, Any],
    *,
    kind: str,
    source: str,
    pictures: Mapping[str, str],
    script: str,
    call: str,
    version: str,
) -> str:
    """Return the study as one HTML page that needs nothing else, and holds its facts as JSON.

    Parameters
    ----------
    facts : what `rocstats.analysis.reader_facts` or `program_facts` gives
    kind : "readers" or "program", a program against readers
    source : the file that was read
    pictures : SVG text of each of its `READER_FIGURES`
    script : the R script that repeats it, or nothing
    call : command that makes the page again
    version : of rocstats
    """
    return render_facts(
        f"{kind}.html.jinja",
        facts,
        {
            "source": source,
            "script": script,
            "figures": [
                {"kind": name, "caption": caption, "source": svg_address(pictures[name])}
                for name, caption in READER_FIGURES[kind].items()
            ],
            "call": call,
            "version": version,
        },
    )
