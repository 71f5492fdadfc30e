"""``python -m benchmarks.report``: the report from file to page, as a user runs it.

Wall time of the whole process, imports included, its peak memory and the size of the page, for a
study the size of pROC's aSAH (113 patients, 3 markers, 2000 resamples) and for 10^5 and 10^6
patients. R is not asked, so that the times compare between machines.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

BARS = {113: (5.0, 1.5), 10**5: (25.0, 1.5)}  # seconds, GB


def write_study(path: Path, n: int) -> None:
    rng = np.random.default_rng(n)
    ill = rng.random(n) < 0.36
    columns = [
        np.where(ill, "Poor", "Good").astype(object),
        np.exp(rng.normal(size=n) + 0.9 * ill).round(2),
        (rng.normal(size=n) + 0.4 * ill).round(5),
        np.clip(np.rint(rng.normal(2, 1.2, n) + 1.4 * ill), 1, 5).astype(int),
    ]
    lines = "\n".join(",".join(map(str, row)) for row in zip(*columns, strict=True))
    path.write_text(f"outcome,a,b,c\n{lines}\n")


def report_call(data: Path, page: Path) -> list[str]:
    """Return what Python is called with to write the page of a study that was written above."""
    call = ["-m", "rocstats", "report", str(data), "--outcome", "outcome", "--positive", "Poor"]
    return [*call, "--markers", "a,b,c", "--r", "no", "-o", str(page)]


def main() -> None:
    sizes = [int(float(size)) for size in sys.argv[1:]] or [113, 10**5, 10**6]
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            data, page = Path(folder, "study.csv"), Path(folder, "report.html")
            write_study(data, n)
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, *report_call(data, page)], check=True, capture_output=True
            )
            seconds = time.perf_counter() - start
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
            bar = BARS.get(n)
            asked = f"(bars {bar[0]:g} s, {bar[1]:g} GB)" if bar else ""
            size = page.stat().st_size / 2**20
            print(f"{n:>9,} patients: {seconds:6.1f} s, {peak:.2f} GB, page {size:.2f} MB {asked}")


if __name__ == "__main__":
    main()
