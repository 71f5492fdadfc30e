"""The race: every package asked in turns, round after round, and its answers checked first."""

import json
import math
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.calls import PEERS
from benchmarks.data_sets import MARKERS, Setting, make, write
from benchmarks.definitions import DEFINITIONS

LIMIT = 30.0  # seconds that a package is waited for
ENOUGH = 2.0  # seconds after which it is not asked again, nor for a larger sample
PATIENCE = 1.0  # seconds in all after which the rounds of a package have been enough
ROOT = Path(__file__).parents[1]
ONE_CORE = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1"),
    # numpy's AVX-512 sort is five times slower than its AVX2 sort on some processors.
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL",
    "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
}


@dataclass
class Result:
    """Of one package, one task and one setting: seconds of every round, or why there are none."""

    seconds: list[float] = field(default_factory=list)
    trouble: str = ""

    @property
    def best(self) -> float:
        return math.nan if self.trouble or not self.seconds else min(self.seconds)

    @property
    def noise(self) -> float:
        """How far the middle round lies above the best."""
        ranked = sorted(self.seconds)
        return ranked[len(ranked) // 2] / ranked[0] - 1.0 if ranked else math.nan


class Worker:
    """A package in its process, started again where it had to be ended."""

    def __init__(self, name: str) -> None:
        self.name, self.process, self.tasks, self.version = name, None, set(), ""
        self._start()

    def _start(self) -> None:
        call = [sys.executable, "-m", "benchmarks.worker", self.name]
        if self.name == "pROC":
            call = ["Rscript", str(ROOT / "benchmarks" / "proc.R")]
        try:
            self.process = subprocess.Popen(
                call,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | ONE_CORE,
                cwd=ROOT,
            )
        except OSError:
            return
        told = self._hear(LIMIT) or {"missing": "no answer"}
        self.tasks, self.version = set(told.get("tasks", ())), str(told.get("version", "missing"))

    def _hear(self, seconds: float) -> dict[str, Any] | None:
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line.strip() else None

    def ask(self, task: str, folder: Path) -> dict[str, Any]:
        line = json.dumps({"task": task, "folder": str(folder)}) + "\n"
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
            told = self._hear(LIMIT)
        except (BrokenPipeError, ValueError):
            told = None
        if told is None:
            self.end()
            self._start()
            return {"failed": f"no answer within {LIMIT:g} s"}
        return told

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()  # closes what led to it


@dataclass
class Race:
    """Everything that was measured."""

    results: dict[tuple[str, Setting, str], Result] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    loads: list[float] = field(default_factory=list)  # of the machine, sample by sample

    def of(self, task: str, setting: Setting, peer: str) -> Result:
        return self.results.get((task, setting, peer), Result(trouble="not asked"))


def run(
    tasks: dict[str, list[Setting]],
    peers: list[str],
    rounds: int,
    *,
    minutes: float = math.inf,
    after: Callable[[Race], None] = lambda race: None,
) -> Race:
    """Race the packages over tasks, small samples first; `after` sees the race as far as it is.

    No sample is begun after so many minutes.
    """
    race = Race()
    workers = {name: Worker(name) for name in ["numpy", *peers]}
    race.versions = {name: worker.version for name, worker in workers.items()}
    slow: set[tuple[str, str]] = set()
    start, order = time.monotonic(), list(_by_setting(tasks))
    try:
        for k, (setting, here) in enumerate(order):
            if time.monotonic() - start > 60.0 * minutes:
                print(f"  no time for {setting} and what follows", file=sys.stderr, flush=True)
                break
            with tempfile.TemporaryDirectory() as folder:
                data = make(setting, MARKERS if "covariance" in here else 2)
                write(data, Path(folder))
                asked = [
                    (name, task)
                    for task in ["sort", *here]
                    for name, worker in workers.items()
                    if task in worker.tasks and (name, task) not in slow
                ]
                truth = {t: d(data) for t, (d, _) in DEFINITIONS.items() if d and t in here}
                for _ in range(rounds):
                    for name, task in asked:
                        result = race.results.setdefault((task, setting, name), Result())
                        if (name, task) in slow or sum(result.seconds) > PATIENCE:
                            continue
                        told = workers[name].ask(task, Path(folder))
                        _note(result, told, truth.get(task), DEFINITIONS.get(task, (None, 0.0))[1])
                        if result.trouble or told["seconds"] > ENOUGH:
                            slow.add((name, task))
            race.loads.append(os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan)
            spent = (time.monotonic() - start) / 60.0
            print(
                f"  {k + 1} of {len(order)}, {spent:.1f} min: {setting}, {len(here)} tasks",
                file=sys.stderr,
                flush=True,
            )
            after(race)
    except KeyboardInterrupt:
        print("  stopped; what was measured is kept", file=sys.stderr, flush=True)
    finally:
        for worker in workers.values():
            worker.end()
    return race


def _by_setting(tasks: dict[str, list[Setting]]) -> Iterator[tuple[Setting, list[str]]]:
    settings = dict.fromkeys(s for some in tasks.values() for s in some)
    for setting in sorted(settings, key=lambda s: (s.n, s.scores, s.balance)):
        yield setting, [task for task, some in tasks.items() if setting in some]


def _note(
    result: Result, told: dict[str, Any], truth: tuple[float, ...] | None, near: float
) -> None:
    if "failed" in told:
        result.trouble = told["failed"]
        return
    if truth is not None:
        for found, right in zip(told["answer"], truth, strict=False):
            if not abs(found - right) <= near * max(abs(right), 1e-12) + 1e-12:
                result.trouble = f"wrong: {_told_apart(found, right)}"
                return
    result.seconds.append(told["seconds"])


def _told_apart(found: float, right: float) -> str:
    """Return both numbers with as many digits as it takes to see that they differ."""
    for digits in range(4, 18):
        one, other = (f"{number:.{digits}g}" for number in (found, right))
        if one != other:
            break
    return f"{one}, not {other}"


ALL_PEERS = [*(name for name in PEERS if name != "numpy"), "pROC"]
