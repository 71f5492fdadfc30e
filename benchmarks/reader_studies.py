"""Reader studies, from columns to the answer: ``python -m benchmarks.reader_studies``.

The bars are seconds on one core: 0.2 for 10 readers x 2 tests x 200 cases, 5 for 20 x 2 x 10,000.
"""

from typing import Any

import numpy as np

import rocstats as rs
from benchmarks.resampling import best

SIZES = ((10, 200, 0.2), (20, 10_000, 5.0))


def columns(readers: int, cases: int) -> dict[str, Any]:
    """Return long data of two tests, all crossed."""
    rng = np.random.default_rng(2026)
    cells = [(f"test {i}", f"reader {j}") for i in range(2) for j in range(readers)]
    truth = np.arange(cases) % 2
    base = truth + rng.normal(size=cases)
    return {
        "test": [test for test, _ in cells for _ in range(cases)],
        "reader": [reader for _, reader in cells for _ in range(cases)],
        "case": list(range(cases)) * len(cells),
        "truth": np.tile(truth, len(cells)),
        "rating": np.concatenate([base + rng.normal(size=cases) for _ in cells]),
    }


def answer(frame: dict[str, Any]) -> object:
    """Build the study, compare, and ask for all that is printed."""
    names = {name: name for name in ("test", "reader", "case", "rating")}
    study = rs.ReaderStudy.from_frame(frame, outcome="truth", **names)
    found = rs.compare_readers(study)
    return found.pairwise(), found.estimates, found.components, repr(found)


def main() -> None:
    for readers, cases, bar in SIZES:
        frame = columns(readers, cases)
        answer(frame)
        seconds = best(lambda frame=frame: answer(frame), 3)
        print(f"{readers} readers x 2 tests x {cases:,} cases: {seconds:.3f} s (bar {bar} s)")


if __name__ == "__main__":
    main()
