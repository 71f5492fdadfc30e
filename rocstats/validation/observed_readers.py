"""Observed reader studies: four markers as two tests of two readers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["READERS"]

_PARTS = (
    *("ms_test", "ms_reader", "ms_test_reader", "var", "cov1", "cov2", "cov3"),
    *("var_reader", "var_test_reader"),
)


def _study(sample: rs.ScoredSample, markers: Markers) -> rs.ReaderStudy:
    size = sample.positive.size
    cells = [(test, reader) for test in ("first", "second") for reader in (1, 2)]
    scores = [sample.oriented(sample.marker(name)) for name in markers]
    return rs.ReaderStudy.from_frame(
        {
            "test": [test for test, _ in cells for _ in range(size)],
            "reader": [reader for _, reader in cells for _ in range(size)],
            "case": list(range(size)) * len(cells),
            "truth": sample.positive.astype(int).tolist() * len(cells),
            "rating": np.concatenate(scores),
        },
        test="test",
        reader="reader",
        case="case",
        outcome="truth",
        rating="rating",
    )


def _readers(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    study = _study(sample, markers)
    numbers: dict[str, Any] = {}
    for covariance in ("influence", "jackknife", "unbiased"):
        found = rs.compare_readers(study, covariance=covariance)
        test, omnibus = found.pairwise()[0], found.omnibus()
        low, high = test.confidence_interval()
        fixed = rs.compare_readers(study, covariance=covariance, readers="fixed").omnibus()
        same = rs.compare_readers(study, covariance=covariance, cases="fixed").omnibus()
        numbers |= {
            f"{covariance}_components": [found.components[name] for name in _PARTS],
            f"{covariance}_random": [
                *(omnibus.statistic, omnibus.df_denominator, omnibus.pvalue),
                *(test.estimate, test.std_error, low, high),
            ],
            f"{covariance}_fixed": [fixed.statistic, fixed.pvalue],
            f"{covariance}_cases_fixed": [same.statistic, same.pvalue],
            f"{covariance}_single": [
                value for row in found.estimates for value in (row.std_error, row.df)
            ],
        }
    moments = rs.compare_readers(study, method="ustat").moments
    if moments is None:
        raise ValueError("U-statistics have moments")
    scatter = moments.scatter(0, 1)
    parts = rs.compare_readers(study).components
    plans = [(6, 200), (12, 500)]
    program = _program(study)
    return numbers | {
        "moments": [scatter.variance, scatter.df],
        "power": [
            rs.power_readers(parts, difference=0.05, readers=j, cases=k).power for j, k in plans
        ],
        "program": [program.estimate, program.std_error, program.df],
    }


def _program(study: rs.ReaderStudy) -> rs.AgainstReaders:
    """Take the first reader of the second test for a program, beside both of the first."""
    rows: dict[str, list[Any]] = {"test": [], "reader": [], "case": [], "truth": [], "rating": []}
    for i, j, test in ((0, 0, "people"), (0, 1, "people"), (1, 0, "program")):
        size = study.positive.size
        rows["test"] += [test] * size
        rows["reader"] += [f"{test}{j}"] * size
        rows["case"] += range(size)
        rows["truth"] += study.positive.astype(int).tolist()
        rows["rating"] += study.ratings[i, j].tolist()
    alone = rs.ReaderStudy.from_frame(
        rows, test="test", reader="reader", case="case", outcome="truth", rating="rating"
    )
    return rs.compare_to_readers(alone, ai="program")


READERS: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {"readers": _readers}
