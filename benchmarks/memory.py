"""Bytes a row that calls take beyond their input: ``python -m benchmarks.memory [call ...]``.

numpy tells ``tracemalloc`` of its arrays, so the peak is counted, not sampled. It is measured at
two sizes and their difference is divided by the rows between them: what a call takes whatever the
size of the data does not count. ``--write`` puts the table into docs/reference/memory.md, and
``tests/test_memory.py`` holds every call to its limit.
"""

import sys
import tracemalloc
import warnings
from collections.abc import Mapping
from pathlib import Path

import rocstats as rs
from benchmarks.every_call import CALLS, Call, Study

SIZES = (70_000, 140_000)
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "memory.md"


def peak(call: Call, study: Study) -> int:
    """Return the bytes that a call takes at most, its answer included."""
    tracemalloc.start()
    kept = call(study)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return most


def bytes_a_row(call: Call, studies: Mapping[int, Study]) -> float:
    """Return the bytes for each row more, between two sizes."""
    few, many = SIZES
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        for study in studies.values():
            study.gather()
        call(studies[few])  # imports and caches
        return (peak(call, studies[many]) - peak(call, studies[few])) / (many - few)


def main() -> None:
    """Print the table of the calls named, or of all."""
    wanted = [name for name in sys.argv[1:] if not name.startswith("--")]
    studies = {n: Study(n=n) for n in SIZES}
    lines = ["| call | bytes a row | limit |", "|---|---:|---:|"]
    print("\n".join(lines))
    for name, (call, most) in CALLS.items():
        if not wanted or name in wanted:
            lines.append(f"| {name} | {bytes_a_row(call, studies):.0f} | {most} |")
            print(lines[-1], flush=True)
    if "--write" in sys.argv:
        head = PAGE.read_text(encoding="utf-8").split("| call |")[0]
        PAGE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
