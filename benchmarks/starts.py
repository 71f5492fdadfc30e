"""What a process costs before and around its answer: imports, the smallest command, a report."""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.race import ONE_CORE, Result
from benchmarks.report import report_call, write_study

# What is started, beside what it is held, and most: as a ratio, or in seconds.
BARS = [
    ("import rocstats", "nothing", 2.0),
    ("rocstats auc of a small file", "import pandas", 2.0),
    ("report of 113 patients", None, 1.5),
]


def time_starts(rounds: int) -> dict[str, Result]:
    """Return seconds of the processor of whole processes, each in its turn.

    Modules are compiled before, as an installation has them, and beside the checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        small, study = Path(folder, "small.csv"), Path(folder, "study.csv")
        small.write_text("y,s\n" + "\n".join(f"{i % 2},{i * 37 % 11}" for i in range(100)))
        write_study(study, 113)
        area = ["auc", str(small), "--outcome", "y", "--markers", "s"]
        calls = {
            "nothing": ["-c", "pass"],
            "import pandas": ["-c", "import pandas"],
            "import rocstats": ["-c", "import rocstats"],
            "rocstats auc of a small file": ["-m", "rocstats", *area],
            "report of 113 patients": report_call(study, Path(folder, "report.html")),
        }
        env = os.environ | ONE_CORE | {"PYTHONPYCACHEPREFIX": str(Path(folder, "compiled"))}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        found = {name: Result() for name in calls}
        for turn in range(rounds + 1):
            for name, call in calls.items():
                before = _spent()
                subprocess.run([sys.executable, *call], check=True, capture_output=True, env=env)
                if turn:  # the first compiles
                    found[name].seconds.append(_spent() - before)
    return found


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
