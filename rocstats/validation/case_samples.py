"""Samples: the data of a case, read from its file or asked of R."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.validation.cases import Dataset

__all__ = ["LIVE", "Ask", "read_sample"]

Ask = Callable[[str, dict[str, Any]], Any]  # R code and its variables to what R answers

LIVE = "the data are not bundled ({package}); run with R"


def read_sample(dataset: Dataset, folder: Path, ask: Ask | None = None) -> rs.ScoredSample | None:
    """Return the sample; None where the data are R's and R is not asked."""
    if dataset.file is not None:
        with (folder / "datasets" / dataset.file).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        scores = {m: [float(row[m]) for row in rows] for m in dataset.markers}
        positive = [row[dataset.outcome] == str(dataset.positive) for row in rows]
        cluster = None if dataset.cluster is None else [row[dataset.cluster] for row in rows]
    elif ask is not None:
        data = ask(dataset.expression, {})
        scores = {m: data["markers"][m] for m in dataset.markers}
        positive = [value == 1.0 for value in data["y"]]
        cluster = None
    else:
        return None
    return rs.ScoredSample.from_arrays(
        [int(p) for p in positive],
        scores,
        cluster=cluster,
        higher_is_positive={m: m not in dataset.low for m in dataset.markers},
    )
