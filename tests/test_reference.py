"""Every frozen number of R's pROC, with the data it is of; no R is needed here.

``tests/reference/make_reference.R`` wrote ``proc.json``, which says by which versions and when.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs

# Both sides round at 1e-16; the worst amplifiers are A1 - A2 and V1 + V2 - 2C of nearly equal
# markers (1e3) and the p-value far in the tail, whose relative error is that of z**2 / 2 (1e2).
RELATIVE = 1e-10

FROZEN = json.loads((Path(__file__).parent / "reference" / "proc.json").read_text("utf-8"))
ALTERNATIVES = {"p": "two-sided", "p_less": "less", "p_greater": "greater"}

Record = dict[str, Any]


def name_of(record: Record) -> str:
    return "-".join(str(v) for v in record.values() if isinstance(v, str))


@cache
def comparison(sample: str) -> rs.Comparison:
    data = FROZEN["samples"][sample]
    return rs.compare(data["y"], data["markers"])


def estimate(sample: str, marker: str) -> rs.Estimate:
    return comparison(sample).estimates.row(marker, "auc")


def area(record: Record) -> Record:
    row = estimate(record["sample"], record["marker"])
    limits = row.confidence_interval(method="wald", clip=True)
    return {"auc": row.value, "var": row.variance(), "low": limits.low, "high": limits.high}


def paired(record: Record) -> Record:
    whole = comparison(record["sample"])
    markers = whole.sample.markers
    first, second = markers.index(record["first"]), markers.index(record["second"])
    weights = np.eye(len(markers))[first] - np.eye(len(markers))[second]
    found: Record = {"cov": whole.covariance[first, second]}
    for key, alternative in ALTERNATIVES.items():
        contrasts = whole.contrast(weights, reference="normal", alternative=alternative)
        found[key] = contrasts.tests[0].pvalue
        if alternative == "two-sided":
            limits = contrasts.tests[0].confidence_interval()
            found |= {"statistic": contrasts.tests[0].statistic}
            found |= {"low": limits.low, "high": limits.high}
    return found


def unpaired(record: Record) -> Record:
    estimates = (
        estimate(record["sample"], record["first"]),
        estimate(record["other"], record["second"]),
    )
    tests = {
        key: rs.compare_independent(*estimates, reference="proc", alternative=alternative)
        for key, alternative in ALTERNATIVES.items()
    }
    both = tests["p"]
    return {"statistic": both.statistic, "df": both.df} | {k: t.pvalue for k, t in tests.items()}


OURS = {"area": area, "paired": paired, "unpaired": unpaired}


@pytest.mark.parametrize("record", FROZEN["records"], ids=name_of)
def test_frozen_record(record):
    found = OURS[record["kind"]](record)
    numbers = {key: value for key, value in record.items() if not isinstance(value, str)}
    assert found == pytest.approx(numbers, rel=RELATIVE, abs=0.0)


def test_records_say_where_they_come_from():
    assert set(FROZEN["provenance"]) == {"script", "R", "pROC", "date"}
    assert len(FROZEN["samples"]) >= 12
    assert {record["kind"] for record in FROZEN["records"]} == set(OURS)
