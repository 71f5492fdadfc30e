"""Do the tests notice when the program is wrong? Mutants of one place each, and who notices them.

``make mutants N=60 SEED=2 ROOMS="curves data" JOBS=2`` samples N mutants of the rooms, applies each
to a private copy of the repository, and runs the tests that enter the changed function, the quick
ones and those of the room first, until one fails. Which test enters which function is traced once
(``.mutants/map``, a test file again when it changes). Verdicts are kept in ``.mutants/verdicts``:
a run may be stopped and goes on where it was; what was not killed is judged again after a change of
the tests. ``docs/evidence/mutants.md`` has the last table.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mutation_points import Mutant, room_of, sampled

__all__ = ["judge", "main", "prepare", "trace"]

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.csv")
PRELOADED = (
    "numpy scipy.stats scipy.optimize pandas narwhals matplotlib.pyplot statsmodels.api "
    "jinja2.sandbox joblib openpyxl"
)
# Tests of the repository and not of what the package does, or with a browser.
LEFT_OUT = ["test_architecture.py", "test_distribution.py", "test_docstrings.py", "test_floors.py"]
LEFT_OUT += ["test_mutants.py", "test_report_browser.py"]
LEFT_OUT += ["test_anomalies.py", "test_validation_data.py"]
FIRST = 8.0  # seconds of tests that are run before all others are collected
WIDER = 90.0  # seconds of tests of other rooms that enter the function
AROUND = 40.0  # seconds of tests that enter the module, but not the function
STUCK = 30.0  # a test that takes this long, and ten times what it took, is stopped
MEMORY = 8 * 2**30
LATE = "not in time: "
NO_PYTEST = 99  # the exit code of a child in which pytest itself failed

State = dict[str, Any]
_tree = Path()  # this worker's copy


class Tracer:
    """Which functions of the package each test enters, and what it costs; a plug-in of pytest."""

    def __init__(self, tree: Path) -> None:
        self.prefix = f"{tree}/"
        self.entered: set[str] = set()
        self.fixtures: dict[tuple[str, str], tuple[set[str], float]] = {}
        self.tests: dict[str, State] = {}

    def see(self, frame: Any, event: str, arg: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self.prefix + "rocstats/"):
            function = code.co_qualname.split(".<locals>")[0]
            self.entered.add(f"{code.co_filename.removeprefix(self.prefix)}::{function}")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before, self.entered, begin = self.entered, set(), time.perf_counter()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":  # other tests use it without entering anything
                found = self.entered, time.perf_counter() - begin
                self.fixtures[fixturedef.baseid, fixturedef.argname] = found
            self.entered |= before

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        _forget_what_is_cached()
        self.entered = set()
        sys.settrace(self.see)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            test = self.tests.setdefault(item.nodeid, {"passed": False, "seconds": 0.0})
            for (place, name), (entered, seconds) in self.fixtures.items():
                if item.nodeid.startswith(place) and name in getattr(item, "fixturenames", ()):
                    self.entered |= entered
                    test["seconds"] += seconds
            test["enters"] = sorted(self.entered)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            self.tests[report.nodeid] = {"passed": report.passed, "seconds": report.duration}
        elif report.failed:
            self.tests[report.nodeid] = {"passed": False, "seconds": 0.0}


class Chooser:
    """Run the chosen tests, file by file; a plug-in of pytest."""

    def __init__(self, chosen: dict[str, float], killer: Path) -> None:
        self.chosen, self.killer = chosen, killer
        files = Counter[str]()
        for test, seconds in chosen.items():
            files[test.split("::")[0]] += seconds
        self.files = sorted(files, key=lambda file: files[file])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.chosen]
        items.sort(key=lambda item: self.files.index(item.nodeid.split("::")[0]))
        for item in items:
            limit = max(STUCK, 10.0 * self.chosen[item.nodeid])
            item.add_marker(pytest.mark.timeout(limit))

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            late = "Timeout (>" in str(report.longrepr)
            self.killer.write_text(f"{LATE if late else ''}{report.nodeid}", "utf-8")


def _forget_what_is_cached() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("rocstats"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _in_child(tree: Path, work: Callable[[], int], limit: float) -> int | None:
    """Return what a forked child answers: an exit code, below 0 for a crash, None for no end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pid = os.fork()
    if not pid:
        code = NO_PYTEST
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.chdir(tree)
            out = os.open(tree.with_suffix(".log"), os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(out, stream)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            sys.path.insert(0, str(tree))
            os.environ["PYTHONPATH"] = str(tree)
            code = int(work())
        finally:
            os._exit(code)
    try:
        end = time.monotonic() + limit
        while time.monotonic() < end:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        return None
    finally:
        try:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def _pytest(tree: Path, files: list[str], plugin: object, *options: str) -> int:
    quiet = ["-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist"]
    where = ["--rootdir", str(tree), "-c", str(tree / "pyproject.toml")]
    return int(pytest.main([*quiet, *where, "-m", "not slow", *options, *files], plugins=[plugin]))


def prepare(root: Path, work: Path) -> None:
    """Give this worker a copy of the repository; every module of the package gets a blank comment.

    So the tests of checksums fail before there is a mutant, and are not asked about one.
    """
    global _tree
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _tree = work / f"tree-{os.getpid()}"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (root / name).is_file():
            (_tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, _tree / name)
    for file in (root / "rocstats").rglob("_kernel.*"):  # compiled: git has its source alone
        shutil.copy(file, _tree / file.relative_to(root))
    for file in (_tree / "rocstats").rglob("*.py"):
        file.write_bytes(file.read_bytes() + b"#\n")


def trace(unit: list[str]) -> dict[str, State]:
    """Return the tests of some files: what each costs and enters, where it passes."""
    found = _tree.with_suffix(".json")
    found.unlink(missing_ok=True)

    def work() -> int:
        tracer = Tracer(_tree)
        code = _pytest(_tree, unit, tracer)
        found.write_text(json.dumps(tracer.tests), "utf-8")
        return code

    if _in_child(_tree, work, 1800.0) == NO_PYTEST:
        raise RuntimeError(_tree.with_suffix(".log").read_text("utf-8")[-2000:])
    tests: dict[str, State] = json.loads(found.read_text("utf-8")) if found.exists() else {}
    if any("@cache" in (_tree / file).read_text("utf-8") for file in unit if "/test_" in file):
        shared = sorted({name for test in tests.values() for name in test["enters"]})
        for test in tests.values():  # the first to ask had it worked out for all
            test["enters"] = shared
    return {name: test for name, test in tests.items() if test.pop("passed")}


def judge(asked: tuple[Mutant, list[dict[str, float]], float]) -> State:
    """Return the verdict on a mutant of batches of tests: killed, survived or undecided."""
    mutant, batches, limit = asked
    file, killer = _tree / mutant.path, _tree.with_suffix(".killer")
    source, begin = file.read_bytes(), time.monotonic()
    verdict, by = "survived", ""
    try:
        _write(file, mutant.applied(source))
        for chosen in filter(None, batches):
            code = _run(chosen, limit - (time.monotonic() - begin))
            if code is None:
                verdict = "undecided"
            elif code not in (0, 5):  # 5: the tests are no longer there under their names
                verdict = "killed"
                by = killer.read_text("utf-8") if killer.exists() else f"exit code {code}"
            if verdict != "survived":
                break
        again = {by.removeprefix(LATE): 0.0} if by.startswith(LATE) else {}
        late = again and _run(again, STUCK) != 0
    finally:
        _write(file, source)
    if again and not (late and _run(again, STUCK / 3.0) == 0):  # alone, with and without
        verdict = "undecided"
    seconds = round(time.monotonic() - begin, 1)
    return {"name": mutant.name, "verdict": verdict, "by": by, "seconds": seconds}


def _run(chosen: dict[str, float], limit: float) -> int | None:
    """Run the chosen tests until one fails, and return the exit code; None if time is up."""
    plugin = Chooser(chosen, _tree.with_suffix(".killer"))
    plugin.killer.unlink(missing_ok=True)

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        return _pytest(_tree, plugin.files, plugin, "-x")

    code = _in_child(_tree, work, limit)
    if code == NO_PYTEST:
        raise RuntimeError(_tree.with_suffix(".log").read_text("utf-8")[-2000:])
    return code


def _write(file: Path, source: bytes) -> None:
    file.write_bytes(source)
    for cached in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        cached.unlink(missing_ok=True)  # of the same second and size, it would be taken


class Map:
    """Which tests enter a function, and what they cost."""

    def __init__(self, traced: dict[str, dict[str, State]]) -> None:
        self.seconds: dict[str, float] = {}
        self.entering: dict[str, list[str]] = {}
        for tests in traced.values():
            for name, test in tests.items():
                self.seconds[name] = test["seconds"]
                for function in test["enters"]:
                    self.entering.setdefault(function, []).append(name)

    def batches(self, mutant: Mutant) -> list[dict[str, float]]:
        """Return the tests to run: a few quick ones, all others of the room, wider ones."""
        room, module = room_of(mutant.path), f"{mutant.path}::"
        function = module + mutant.function
        below = f"{function}." if mutant.function else module
        enter, near = set[str](), set[str]()
        for one, names in self.entering.items():
            if one == function or one.startswith(below):
                enter.update(names)
            elif one.startswith(module):
                near.update(names)
        own = {
            name
            for name in self.seconds
            if name.startswith((f"tests/{room}/", f"tests/test_{room}.py", f"rocstats/{room}"))
        }

        def cost(name: str) -> float:
            whole = name.startswith("tests/test_")  # of all rooms
            return (self.seconds[name] + 0.01) * (1 if name in own or whole else 3)

        first, rest, wider, around = {}, {}, {}, {}
        for name in sorted(sorted(enter), key=cost):
            if not first or (sum(first.values()) + cost(name) < FIRST and len(first) < 60):
                first[name] = self.seconds[name]
            elif name in own:
                rest[name] = self.seconds[name]
            elif sum(wider.values()) < WIDER:
                wider[name] = self.seconds[name]
        for name in sorted(sorted((near | own) - enter), key=cost):
            if sum(around.values()) < AROUND:
                around[name] = self.seconds[name]
        return [first, rest, wider | around]


def _units(root: Path) -> dict[str, list[str]]:
    """Return what is traced together: a file of tests, or the examples of a room, by checksum."""
    units: dict[str, list[str]] = {}
    for file in sorted((root / "tests").rglob("test_*.py")):
        if file.name not in LEFT_OUT:
            units[file.relative_to(root).as_posix()] = [file.relative_to(root).as_posix()]
    for file in sorted((root / "rocstats").rglob("*.py")):
        if ">>> " in file.read_text("utf-8"):
            path = file.relative_to(root).as_posix()
            units.setdefault(f"rocstats/{room_of(path)}", []).append(path)
    return {_checksum(root, files): files for files in units.values()}


def _checksum(root: Path, files: list[str]) -> str:
    text = b"\0".join(name.encode() + (root / name).read_bytes() for name in files)
    return hashlib.sha256(text).hexdigest()[:16]


def _shown(done: Iterator[Any], total: int, what: str) -> Iterator[Any]:
    begin = time.monotonic()
    for i, one in enumerate(done, 1):
        yield one
        print(f"\r{what}: {i} of {total}, {time.monotonic() - begin:.0f} s ", end="", flush=True)
    print() if total else None


def main(argv: list[str] | None = None) -> int:
    """Sample, judge and print; 1 where a mutant survives that is not known as equivalent."""
    parser = argparse.ArgumentParser(description="Mutants, and whether the tests notice them.")
    parser.add_argument("-n", type=int, default=60, help="how many mutants (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--rooms", default="", help="only these, or these files")
    parser.add_argument("--jobs", type=int, default=2, help="at a time (default 2)")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for a mutant")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    args = parser.parse_args(argv)
    root, kept = args.root.resolve(), args.root.resolve() / ".mutants"
    kept.mkdir(exist_ok=True)
    os.environ.setdefault("ROCSTATS_DATA", str(root.parent / "shared" / "data"))
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for name in PRELOADED.split():
        __import__(name)
    mutants = sampled(root, args.n, args.seed, tuple(args.rooms.split()))
    units = _units(root)
    with (
        tempfile.TemporaryDirectory() as work,
        multiprocessing.get_context("fork").Pool(args.jobs, prepare, (root, Path(work))) as pool,
    ):
        file = kept / "map"
        known = json.loads(file.read_text("utf-8")) if file.exists() else {}
        known = {checksum: tests for checksum, tests in known.items() if checksum in units}
        new = [checksum for checksum in units if checksum not in known]
        traced = pool.imap(trace, [units[checksum] for checksum in new])
        for checksum, tests in zip(new, _shown(traced, len(new), "traced"), strict=True):
            known[checksum] = tests
            file.write_text(json.dumps(known), "utf-8")
        map_ = Map(known)
        verdicts = _verdicts(kept / "verdicts", state := ",".join(sorted(units)))
        asked = [
            (one, map_.batches(one), args.limit) for one in mutants if one.name not in verdicts
        ]
        asked.sort(key=lambda one: sum(sum(batch.values()) for batch in one[1][:2]))
        judged = pool.imap_unordered(judge, asked)
        with contextlib.suppress(KeyboardInterrupt):  # the table of what there is
            for verdict in _shown(judged, len(asked), "judged"):
                verdict["state"] = hashlib.sha256(state.encode()).hexdigest()[:16]
                with (kept / "verdicts").open("a", encoding="utf-8") as out:
                    out.write(json.dumps(verdict) + "\n")
                verdicts[verdict["name"]] = verdict
    return _report(root, mutants, verdicts)


def _verdicts(file: Path, state: str) -> dict[str, State]:
    """Return the verdicts that still hold: what was killed, and what these tests let live."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    state = hashlib.sha256(state.encode()).hexdigest()[:16]
    found = map(json.loads, lines)
    return {o["name"]: o for o in found if o["verdict"] == "killed" or o["state"] == state}


def _report(root: Path, mutants: list[Mutant], verdicts: dict[str, State]) -> int:
    with EQUIVALENT.open(encoding="utf-8", newline="") as file:
        equivalent = {row["mutant"] for row in csv.DictReader(file)}
    words = ("killed", "survived", "equivalent", "undecided")
    rooms: dict[str, Counter[str]] = {}
    lines = []
    for one in mutants:
        word = verdicts[one.name]["verdict"] if one.name in verdicts else "undecided"
        word = "equivalent" if word == "survived" and one.name in equivalent else word
        for row in (room_of(one.path), "all"):
            rooms.setdefault(row, Counter())[word] += 1
        if word != "killed":
            source = (root / one.path).read_bytes()
            lines.append(f"{word:10} {one.name} {one.shown(source)}")
    print(f"| {'room':13} | {' | '.join(words)} |\n|---|{'---:|' * len(words)}")
    for room in sorted(rooms, key=lambda room: (room == "all", room)):
        cells = (f"{rooms[room][word]:{len(word)}}" for word in words)
        print(f"| {room:13} | {' | '.join(cells)} |")
    total = rooms["all"]
    decided = total["killed"] + total["survived"] + total["equivalent"]
    print(f"killed {total['killed']} of {decided} decided", *sorted(lines, reverse=True), sep="\n")
    return int(total["survived"] > 0)


if __name__ == "__main__":
    sys.exit(main())
