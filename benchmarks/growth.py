"""How the time of every call grows with the rows: ``python -m benchmarks.growth [call ...]``.

Seconds of the processor at 10^5 and at 10^6 rows, the exponent between them (2 is a loop over
pairs, 1 is linear; sorting is a little above it) and the ratio to ``np.sort`` of as many doubles in
the same run. ``--write`` puts the table into docs/evidence/growth.md, and ``--check`` fails where
an exponent is above its bar.
"""

import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence

import numpy as np

import rocstats as rs
from benchmarks.every_call import CALLS, Study
from benchmarks.speed_page import EVIDENCE, machine

SIZES = (10**5, 10**6)
BAR = 1.15
ROUNDS = 4
LONG = 6.0  # seconds, after which the rounds have been enough
HEAD = """# Growth of every call

Made by `python -m benchmarks.growth --write`; do not edit. Seconds of the processor, the best of
four rounds, at 10^5 and at 10^6 rows, and the exponent between them: 2 is a loop over pairs, 1 is
linear, and sorting is a little above it. The memory of the same calls is on
[](../reference/memory.md).

{machine}

`np.sort` of 10^6 doubles took {sort:.1f} ms. Of {n} calls these grow faster than {bar}: {above}.

"""


def seconds(tasks: Sequence[Callable[[], object]]) -> list[float]:
    """Return the best of several rounds of each task, in turns, in seconds of the processor."""
    best, spent = [float("inf")] * len(tasks), 0.0
    for _ in range(ROUNDS):
        for k, task in enumerate(tasks):
            start = time.process_time()
            task()
            took = time.process_time() - start
            best[k], spent = min(best[k], took), spent + took
        if spent > LONG:
            break
    return best


def main() -> None:
    """Print the table of the calls named, or of all."""
    wanted = [name for name in sys.argv[1:] if not name.startswith("--")]
    small, few, many = (Study(n=n) for n in (2000, *SIZES))
    for study in (few, many):
        study.gather()
    (sort,) = seconds([lambda: np.sort(many.ten.scores[0])])
    warnings.simplefilter("ignore", rs.RocstatsWarning)
    print(f"np.sort of 10^6 doubles takes {1e3 * sort:.1f} ms.")
    lines = [
        "| call | ms at 10^5 | ms at 10^6 | x np.sort | exponent |",
        "|---|---:|---:|---:|---:|",
    ]
    print("\n".join(lines))
    fast, loads = {}, [os.getloadavg()[0]]
    for name, (call, _) in CALLS.items():
        if wanted and name not in wanted:
            continue
        call(small)  # imports
        times = seconds([lambda c=call, s=s: c(s) for s in (few, many)])
        exponent = np.log10(times[1] / times[0])
        if exponent > BAR:
            fast[name] = exponent
        lines.append(
            f"| {name} | {1e3 * times[0]:.1f} | {1e3 * times[1]:.1f} | {times[1] / sort:.1f} "
            f"| {exponent:.2f} |"
        )
        loads.append(os.getloadavg()[0])
        print(lines[-1], flush=True)
    above = ", ".join(f"{name} ({exponent:.2f})" for name, exponent in fast.items()) or "none"
    print(f"Above the bar of {BAR}: {above}.")
    if "--write" in sys.argv:
        said = {"machine": machine(loads, {"numpy": np.__version__}), "bar": BAR, "above": above}
        text = HEAD.format(**said, n=len(lines) - 2, sort=1e3 * sort) + "\n".join(lines) + "\n"
        (EVIDENCE / "growth.md").write_text(text, encoding="utf-8")
    if "--check" in sys.argv and fast:
        sys.exit(1)


if __name__ == "__main__":
    main()
