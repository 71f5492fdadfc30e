"""Instructions of ten core calls, which a busy machine does not change.

``python -m benchmarks.instructions`` counts them with callgrind and compares them with
``instructions.json``, kept in the repository; ``--write`` keeps new ones. They are compared only
where Python, numpy, scipy, the kernel and the processor's family are those they were counted with.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from benchmarks.core_calls import CALLS, TIMES, N

KEPT = Path(__file__).with_suffix(".json")
ROOT = Path(__file__).parents[1]
MORE = 0.05  # share of instructions that a call may grow by
# Hashes, threads and the choice of code by processor would change the count.
STILL = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL",
}


def made_by() -> dict[str, str]:
    """Return what the counts depend on."""
    from rocstats.data.installed_kernel import describe

    known = {name: version(name) for name in ("numpy", "scipy")}
    return {
        "Python": platform.python_version(),
        **known,
        "machine": platform.machine(),
        "engine": describe(),
    }


def count(names: list[str]) -> dict[str, int]:
    """Return the instructions of one call of each."""
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/%p"]
        run = subprocess.run(
            [*tool, sys.executable, "-m", "benchmarks.core_calls", *names],
            cwd=ROOT,
            env=os.environ | STILL,
            capture_output=True,
            text=True,
            check=True,
        )
        total = {}
        for line in run.stdout.splitlines():
            name, times, child = line.split()
            text = Path(folder, child).read_text()
            total[name, int(times)] = int(re.search(r"^totals: (\d+)", text, re.M).group(1))
    return {name: (total[name, TIMES] - total[name, 0]) // TIMES for name in names}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the counts")
    parser.add_argument("calls", nargs="*", default=list(CALLS))
    asked = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.is_file() else {"made by": {}, "counts": {}}
    here = made_by()
    if kept["made by"] != here and not asked.write:
        print(f"Not compared: the counts are of {kept['made by']}, and here is {here}.")
        return 0
    if shutil.which("valgrind") is None:
        print("Not counted: valgrind is not installed.")
        return 0
    worse = []
    counts = count(asked.calls)
    for name in counts:
        before = kept["counts"].get(name)
        change = "" if before is None else f" ({counts[name] / before - 1.0:+.1%})"
        print(f"{name:<14}{counts[name]:>14,}{change}", flush=True)
        if before is not None and counts[name] > before * (1.0 + MORE):
            worse.append(name)
    if asked.write:
        kept = {"n": N, "made by": here, "counts": kept["counts"] | counts}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
        return 0
    if worse:
        print(f"More than {MORE:.0%} above the counts kept in {KEPT.name}: {', '.join(worse)}.")
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())
