"""Bytes a row that calls take beyond their input: ``python -m benchmarks.memory``.

numpy tells ``tracemalloc`` of its arrays, so the peak is counted, not sampled. It is measured at
two sizes and their difference is divided by the rows between them: what a call takes whatever the
size of the data does not count. ``--write`` puts the table into docs/reference/memory.md, and
``tests/test_memory.py`` holds every call to its limit.
"""

import sys
import tracemalloc
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import rocstats as rs

SIZES = (60_000, 120_000)
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "memory.md"
Call = Callable[[rs.ScoredSample], Any]

FEW = rs.Permutation(n_resamples=64)
DRAWN = rs.Bootstrap(n_resamples=64)

# What a sample of ten markers, whose first has probabilities, is given to; and the bytes a row.
CALLS: Mapping[str, tuple[Call, int]] = {
    "auc": (lambda s: rs.auc(s.only(0)), 30),
    "auc, interval": (lambda s: rs.auc(s.only(0)).confidence_interval(), 30),
    "sauc": (lambda s: rs.sauc(s.only(0)), 60),
    "smauc": (lambda s: rs.smauc(s.only(0), midpoint="class_mean"), 60),
    "partial_auc": (lambda s: rs.partial_auc(s.only(0), fpr=(0.0, 0.1)), 30),
    "gini": (lambda s: rs.gini(s.only(0)), 30),
    "average_precision": (lambda s: rs.average_precision(s.only(0)), 80),
    "brier_score": (lambda s: rs.brier_score(s.only(0)), 70),
    "calibration": (lambda s: rs.calibration(s.only(0)), 200),
    "calibration_curve": (lambda s: rs.calibration_curve(s.only(0)), 40),
    "decision_curve": (lambda s: rs.decision_curve(s.only(0)), 50),
    "roc_curve": (lambda s: rs.roc_curve(s.only(0)), 80),
    "roc_hull": (lambda s: rs.roc_hull(s.only(0)), 100),
    "roc_band, binomial": (lambda s: rs.roc_band(s.only(0), method="binomial"), 140),
    "sroc_curve": (lambda s: rs.sroc_curve(s.only(0)), 100),
    "smroc_curve": (lambda s: rs.smroc_curve(s.only(0)), 100),
    "precision_recall_curve": (lambda s: rs.precision_recall_curve(s.only(0)), 70),
    "operating_points": (lambda s: rs.operating_points(s.only(0)), 90),
    "compare of 2, pairwise": (lambda s: rs.compare(s.only([0, 1])).pairwise(), 100),
    "compare of 10": (lambda s: rs.compare(s), 150),
    "bootstrap of auc": (lambda s: rs.bootstrap(rs.auc(s.only(0)), resampling=DRAWN), 120),
    "permutation_test": (lambda s: rs.permutation_test(s.only([0, 1]), resampling=FEW), 200),
}


def drawn(n: int) -> rs.ScoredSample:
    """Return n patients with ten markers, the first of which is a probability."""
    rng = np.random.default_rng(20)
    y = rng.random(n) < 0.4
    common = rng.normal(size=n) + y
    markers = {f"m{k}": rng.normal(size=n) + common for k in range(10)}
    markers["m0"] = 1.0 / (1.0 + np.exp(0.5 - markers["m0"]))
    return rs.ScoredSample.from_arrays(y, markers)


def peak(call: Call, sample: rs.ScoredSample) -> int:
    """Return the bytes that a call takes at most, its answer included."""
    tracemalloc.start()
    kept = call(sample)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return most


def bytes_a_row(call: Call, samples: Mapping[int, rs.ScoredSample]) -> float:
    """Return the bytes for each row more, between two sizes."""
    few, many = SIZES
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        call(samples[few])  # imports and caches
        return (peak(call, samples[many]) - peak(call, samples[few])) / (many - few)


def main() -> None:
    samples = {n: drawn(n) for n in SIZES}
    lines = ["| call | bytes a row | limit |", "|---|---:|---:|"]
    for name, (call, most) in CALLS.items():
        lines.append(f"| {name} | {bytes_a_row(call, samples):.0f} | {most} |")
    print("\n".join(lines))
    if "--write" in sys.argv:
        head = PAGE.read_text(encoding="utf-8").split("| call |")[0]
        PAGE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
