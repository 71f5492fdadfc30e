"""The page of a power study: the verdict in words, figures, and every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rocstats.reports.render import render, svg_address

if TYPE_CHECKING:
    from rocstats.studies.power_studies import PowerStudy

__all__ = ["STUDY_FIGURES", "study_page"]

STUDY_FIGURES = {
    "difference": "Difference in size-adjusted power, with two Monte-Carlo standard errors; each "
    "mark is one pair of sizes. Effects are set so that the Wilcoxon-Mann-Whitney test has a power "
    "of about .6, where it can have it.",
    "size": "Size under the null: each mark is one family at one pair of sizes.",
    "efficiency": "Subjects that the reference needs for each subject of the test: simulated, with "
    "two standard errors, against the limit of small effects and large samples.",
}


def study_page(
    study: PowerStudy,
    *,
    title: str,
    question: str,
    sentences: Sequence[str],
    tests: Sequence[str],
    tallies: Sequence[Mapping[str, Any]],
    labels: Mapping[str, str],
    pictures: Mapping[str, str],
    version: str,
    call: str = "",
) -> str:
    """Return the study as one HTML page that needs nothing else.

    Parameters
    ----------
    study : the result of `power_study`
    title, question : what heads the page
    sentences : the verdict (`rocstats.studies.power_words.verdict`)
    tests : those by the statistic that is judged; the first is the one that the figures show
    tallies : alternatives that each wins and loses (`rocstats.studies.power_words.tallies`)
    labels : names of the tests as a reader knows them
    pictures : SVG text of each of `STUDY_FIGURES`
    version : of rocstats
    call : command that makes the page again
    """
    rows = study.rows()
    sizes = list(dict.fromkeys((row["n_pos"], row["n_neg"]) for row in rows))
    cells = [
        {(r["design"], r["n_pos"], r["n_neg"]): r for r in rows if r["test"] == test}
        for test in tests
    ]
    return render(
        "study.html.jinja",
        {
            "title": title,
            "question": question,
            "sentences": list(sentences),
            "tallies": list(tallies),
            "reference": labels[study.versus],
            "labels": dict(labels),
            "study": study.statement().content,
            "sizes": sizes,
            "designs": list(dict.fromkeys(row["design"] for row in rows)),
            "compared": [
                {"label": labels[test], "cells": mine}
                for test, mine in zip(tests, cells, strict=True)
            ],
            "rows": rows,
            "interrupted": any(row["n_replicates"] < study.n_replicates for row in rows),
            "figures": [
                {"kind": kind, "caption": caption, "source": svg_address(pictures[kind])}
                for kind, caption in STUDY_FIGURES.items()
            ],
            "call": call,
            "version": version,
        },
    )
