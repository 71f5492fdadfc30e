"""Fawcett (2006), An introduction to ROC analysis: every figure that has data."""

from __future__ import annotations

import time

import rocstats as rs
from rocstats.papers.fawcett_2006.fawcett_instances import (
    areas,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
)
from rocstats.papers.fawcett_2006.fawcett_mixture import figure_10
from rocstats.papers.fawcett_2006.fawcett_samples import (
    CURVES,
    INSTANCES,
    SAMPLES,
    figure_9,
    multiclass,
)
from rocstats.papers.paper import DataUse, PaperResult, Settings
from rocstats.papers.streams import sha256_of

__all__ = ["run"]


def run(settings: Settings) -> PaperResult:
    """Run the paper."""
    start = time.perf_counter()
    sample = rs.datasets.load_fawcett()
    parts = [
        figure_3(sample),
        figure_4(),
        figure_5(sample),
        figure_6(),
        figure_7(sample),
        areas(sample),
        *figure_9(settings.rng),
        multiclass(settings.rng),
        figure_10(),
    ]
    return PaperResult(
        name="fawcett-2006",
        claims=tuple(claim for claims, _, _ in parts for claim in claims),
        tables=tuple(table for _, tables, _ in parts for table in tables),
        figures=tuple(figure for _, _, figures in parts for figure in figures),
        protocol=(
            "Fig. 3 and Fig. 10 are computed from the numbers in the paper, in whole counts and "
            "fractions.",
            "The samples of Figs 5, 7 and 9 are in pictures only: the laws that they show are "
            "checked on the instances of Fig. 3 and on simulated samples.",
            "Algorithms 2, 3 and 4 are written down word for word and held against roc_curve and "
            "average_curves.",
        ),
        data=(_data_use(sample),),
        choices={
            "Intervals of Fig. 9": "t intervals over the curves; the paper says 'the common "
            "assumption of a binomial distribution', which leaves out how the curves differ.",
            "Samples of Fig. 9": f"{CURVES} samples of {INSTANCES} instances, half of them "
            "positive, scores expit(N(1, 1)) and expit(N(0, 1)).",
            "Thresholds of Fig. 9d": f"Algorithm 4's: by rank among all scores, {SAMPLES} samples; "
            "the number is not printed.",
            "Classes of section 9.2": "three classes of 100 instances, softmax of normal scores.",
        },
        left_out={
            "Figs 1, 2 and 8": "definitions and sketches without data.",
        },
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
    )


def _data_use(sample: rs.ScoredSample) -> DataUse:
    curve = rs.roc_curve(sample)
    return DataUse(
        name="Fig. 3",
        n=curve.n_pos + curve.n_neg,
        n_pos=curve.n_pos,
        source="typed from the paper, datasets.load_fawcett()",
        sha256=sha256_of(curve.threshold[1:], curve.fp, curve.tp),
    )
