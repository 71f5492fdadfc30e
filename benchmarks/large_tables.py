"""CPU seconds and peak memory of tables that are read in batches.

``python benchmarks/large_tables.py 1e7`` makes a Parquet file of so many rows and three markers of
10,001 possible scores in the folder of temporary files, and reads it in processes of their own.
Seconds are of the processor, so that other work on the machine counts little; the import is in
them. On 2 cores that were busy with other things (load 19), with DuckDB 2.0 and a limit of 1 GB:

                                 10,000,000 rows      100,000,000 rows
    1 marker, AUC              1.1 s of CPU, 225 MB    3.3 s, 225 MB
    3 markers, covariance      5.6 s of CPU, 293 MB   34.9 s, 309 MB
    1 marker, AUC, pyarrow     2.0 s of CPU, 266 MB    8.7 s, 648 MB

With ``distinct`` as a second word no score is rounded, and scores are sorted in files; mapped files
are in the peak, which is 475 and 695 MB at 100,000,000 rows without them:

    1 marker, AUC                                     41.7 s
    3 markers, covariance     15.7 s of CPU          178.7 s
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TASKS = {
    "1 marker, AUC": 'rs.auc(rs.ScoredTable.scan(path, "y", "a", memory="1GB"))',
    "3 markers, covariance": 'rs.compare(rs.ScoredTable.scan(path, "y", [*"abc"], memory="1GB"))',
    "1 marker, AUC, pyarrow": 'rs.auc(rs.ScoredTable.scan(path, "y", "a", engine="pyarrow"))',
}


def write_rows(path: Path, rows: int, *, distinct: bool = False) -> None:
    """Write the file, a million rows at a time."""
    rng, writer = np.random.default_rng(7), None
    for start in range(0, rows, 2**20):
        n = min(2**20, rows - start)
        y, common = (rng.random(n) < 0.3).astype(np.int8), rng.normal(size=n)
        columns = {"y": y}
        for k, name in enumerate("abc"):
            score = 1.0 / (1.0 + np.exp(-common - rng.normal(size=n) - y * (0.6 + 0.2 * k)))
            columns[name] = score if distinct else np.round(score, 4)
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def measure(call: str, path: Path) -> tuple[float, float]:
    """Return the CPU seconds and the peak of memory, in MB, of a call in a process of its own."""
    code = (
        "import resource, sys; import rocstats as rs; path = sys.argv[1]\n"
        f"str({call})\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    seconds, peak = run.stdout.splitlines()[-1].split()
    return float(seconds), float(peak)


def main() -> None:
    """Print a row for each task."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write_rows(path, rows, distinct="distinct" in sys.argv[2:])
        made = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, made in {made:.0f} s")
        for task, call in TASKS.items():
            seconds, peak = measure(call, path)
            print(f"{task:28} {seconds:7.1f} s of CPU {peak:7.0f} MB")


if __name__ == "__main__":
    main()
