"""The page of a survival study: areas at times, concordance and predictive values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.render import facts_payload, render, svg_address

__all__ = ["SURVIVAL_FIGURES", "survival_page"]

SURVIVAL_FIGURES = {
    "curves": "ROC curves at the last time, weighted for censoring.",
    "band": "Area under the ROC curve over time, with limits that hold at all times together.",
}


def survival_page(
    facts: Mapping[str, Any],
    *,
    title: str,
    source: str,
    pictures: Mapping[str, str],
    script: str,
    call: str,
    version: str,
) -> str:
    """Return the study as one HTML page that needs nothing else, and holds its facts as JSON.

    Parameters
    ----------
    facts : what `rocstats.survival.survival_facts` gives
    title : what heads the page
    source : the file that was read
    pictures : SVG text of each of `SURVIVAL_FIGURES`
    script : the R script that repeats it, or nothing
    call : command that makes the page again
    version : of rocstats
    """
    return render(
        "survival.html.jinja",
        {
            "facts": dict(facts),
            "payload": facts_payload(facts),
            "title": title,
            "source": source,
            "script": script,
            "figures": [
                {"kind": kind, "caption": caption, "source": svg_address(pictures[kind])}
                for kind, caption in SURVIVAL_FIGURES.items()
                if kind in pictures
            ],
            "call": call,
            "version": version,
        },
    )
