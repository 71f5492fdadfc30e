"""The page of a reader study, in the order in which a reviewer reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.render import render_facts, svg_address

__all__ = ["READER_FIGURES", "reader_page"]

READER_FIGURES = {
    "curves": "ROC curves: each reader's (thin), and the mean over readers of each test (thick).",
    "forest": "Every reader in every test, with the interval for that reader alone.",
}


def reader_page(
    facts: Mapping[str, Any],
    *,
    source: str,
    pictures: Mapping[str, str],
    script: str,
    call: str,
    version: str,
) -> str:
    """Return the study as one HTML page that needs nothing else, and holds its facts as JSON.

    Parameters
    ----------
    facts : what `rocstats.readers.reader_facts` gives
    source : the file that was read
    pictures : SVG text of each of `READER_FIGURES`
    script : the R script that repeats it, or nothing
    call : command that makes the page again
    version : of rocstats
    """
    return render_facts(
        "readers.html.jinja",
        facts,
        {
            "source": source,
            "script": script,
            "figures": [
                {"kind": kind, "caption": caption, "source": svg_address(pictures[kind])}
                for kind, caption in READER_FIGURES.items()
                if kind in pictures
            ],
            "call": call,
            "version": version,
        },
    )
