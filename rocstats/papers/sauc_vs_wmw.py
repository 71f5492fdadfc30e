"""Wu, Flach & Ferri's closing remark: has sAUC more power than Wilcoxon-Mann-Whitney?"""

from __future__ import annotations

import time
import warnings
from typing import Any

from rocstats.papers.paper import (
    Claim,
    PaperFigure,
    PaperResult,
    PaperTable,
    Settings,
    verdict_of,
)
from rocstats.studies.power_studies import PowerStudy, power_study
from rocstats.studies.power_words import same_statistic, tallies, verdict
from rocstats.studies.presets import PRESETS
from rocstats.studies.running import InterruptedStudyWarning

__all__ = ["run"]

_FIGURES = {
    "difference": "Difference in size-adjusted power, with two Monte-Carlo standard errors; each "
    "mark is one pair of sizes",
    "size": "Size under the null: each mark is one family at one pair of sizes",
    "efficiency": "Subjects that the reference needs for each subject of the test: simulated "
    "against the limit of small effects and large samples",
}


def run(settings: Settings) -> PaperResult:
    """Run the preset."""
    start = time.perf_counter()
    preset = PRESETS["sauc-vs-wmw"]
    replicates = preset.quick_replicates if settings.quick else preset.n_replicates
    designs = preset.designs(quick=settings.quick)
    with warnings.catch_warnings():
        warnings.simplefilter("error", InterruptedStudyWarning)
        try:
            study = power_study(
                designs,
                tests=preset.tests,
                n_replicates=replicates,
                rng=settings.rng,
                n_jobs=settings.n_jobs,
                versus=preset.versus,
            )
        except InterruptedStudyWarning:
            raise KeyboardInterrupt from None
    rows = study.rows()
    counted = tallies(rows, same_statistic(study, preset.test))
    whole = counted[-len(same_statistic(study, preset.test)) :]  # over all sizes, a row a test
    sentences = verdict(study, test=preset.test)
    claim = Claim(
        text="Conclusions: preliminary experiments suggest that sAUC has indeed higher power "
        "than WMW",
        printed="higher power",
        found=f"size-adjusted, over {whole[0]['alternatives']} alternatives, "
        + "; ".join(
            f"{row['test']} wins {row['won']}, loses {row['lost']} and is not clearly different in "
            f"{row['undecided']}"
            for row in whole
        ),
        verdict=verdict_of(all(row["won"] > 0 and row["lost"] == 0 for row in whole)),
        why=sentences[0],
    )
    return PaperResult(
        name="sauc-vs-wmw",
        claims=(claim,),
        tables=(_tally(counted), _in_words(sentences), _table(rows)),
        figures=tuple(_figure(study, kind, preset.test) for kind in _FIGURES),
        protocol=(
            f"Every design and its null counterpart were drawn {replicates} times; tests are "
            f"{study.alternative} at the {study.significance:g} level and share their samples.",
            "Size-adjusted power is the height, at the false positive rate of that level, of the "
            "ROC curve of the p-values, design against null.",
            "sAUC is tested by its normal approximation, and by 999 relabelings, as "
            "rs.two_sample_test does by default; the figures are of the first, the verdict of "
            "both: reproduced means that each wins some alternative and loses none.",
            "An alternative is won or lost if the mean difference in size-adjusted power over the "
            "sizes exceeds three Monte-Carlo standard errors.",
            "The same study is: rocstats study power --preset sauc-vs-wmw.",
        ),
        choices={
            "The experiments": "the paper says no more of them; the alternatives, sizes and tests "
            "are ours."
        },
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
    )


def _tally(rows: list[dict[str, Any]]) -> PaperTable:
    return PaperTable(
        name="tally",
        title="Alternatives won and lost against WMW in size-adjusted power",
        rows=tuple(rows),
    )


def _in_words(sentences: list[str]) -> PaperTable:
    return PaperTable(
        name="verdict",
        title="What was found, in words",
        rows=tuple({"sentence": sentence} for sentence in sentences),
    )


def _table(rows: list[dict[str, Any]]) -> PaperTable:
    return PaperTable(
        name="power",
        title="Size, power, size-adjusted power and efficiency of every test",
        rows=tuple(rows),
    )


def _figure(study: PowerStudy, kind: str, test: str) -> PaperFigure:
    return PaperFigure(
        name=kind,
        title=_FIGURES[kind],
        alt=f"{_FIGURES[kind]}; every number is in the table.",
        draw=lambda ax: study.plot(kind, test=test, ax=ax),
        size=(7.5, 6.5) if kind == "difference" else (6.4, 5.0),
    )
