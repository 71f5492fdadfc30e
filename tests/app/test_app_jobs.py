"""Jobs: processes within bounds that can be cancelled, and end in a sentence whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rocstats.app.jobs import Bounds, Job, start_job

BOUNDS = Bounds(megabytes=1024, seconds=60.0)


def do(code: str, folder: Path, *, bounds: Bounds = BOUNDS, stdin: str | None = None) -> Job:
    return start_job(["-c", code], folder, bounds=bounds, stdin=stdin)


def wait_for(job: Job, stage: str) -> None:
    until = time.monotonic() + 60.0
    while stage not in job.stages:
        assert time.monotonic() < until, job
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_job_says_what_it_does_and_gives_what_it_prints(tmp_path: Path) -> None:
    said = (
        "import sys; e = sys.stderr; print('rocstats: reading', file=e);"
        "print('rocstats: warning: few rows', file=e); print('the page', file=e);"
        "print(sys.stdin.read().upper(), end='')"
    )
    job = do(said, tmp_path, stdin="é")
    assert job.wait(60.0)
    assert (job.state, job.code, job.output) == ("done", 0, "É")
    assert job.stages == ["reading", "the page"]
    assert job.warnings == ["few rows"]
    assert job.progress()["over"]
    assert job.sentence == ""


def test_it_works_in_its_folder_and_nothing_is_imported_from_there(tmp_path: Path) -> None:
    for name in ("json", "resource", "contextlib", "rocstats"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)")
    job = do("import json, os, tempfile; print(os.getcwd(), tempfile.gettempdir())", tmp_path)
    assert job.wait(60.0)
    assert job.output.split() == [str(tmp_path), str(tmp_path)]


def test_a_refusal_is_its_last_sentence(tmp_path: Path) -> None:
    code = "import sys; print('rocstats: reading\\nrocstats: No such column.', file=sys.stderr)"
    job = do(f"{code}; sys.exit(2)", tmp_path)
    assert job.wait(60.0)
    assert (job.state, job.sentence, job.stages) == ("refused", "No such column.", ["reading"])


def test_an_answer_that_is_no_is_an_answer(tmp_path: Path) -> None:
    job = do("raise SystemExit(1)", tmp_path)
    assert job.wait(60.0)
    assert (job.state, job.code) == ("done", 1)


def test_a_crash_is_said_without_its_trace(tmp_path: Path) -> None:
    job = do("secret = 'patient 7'; {}[secret]", tmp_path)
    assert job.wait(60.0)
    assert job.state == "failed"
    assert "KeyError" in job.sentence
    assert "patient" not in job.sentence
    assert "Traceback" not in job.sentence


def test_a_worker_that_is_killed_says_so(tmp_path: Path) -> None:
    job = do("import sys, time; print('on', file=sys.stderr, flush=True); time.sleep(60)", tmp_path)
    wait_for(job, "on")
    assert job.process is not None
    os.kill(job.process.pid, signal.SIGKILL)
    assert job.wait(10.0)
    assert job.state == "failed"
    assert "ended from outside (SIGKILL)" in job.sentence
    assert "Nothing you filled in is lost" in job.sentence


def test_cancelling_ends_it_and_what_it_began(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time;"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "print(p.pid, file=sys.stderr, flush=True); print('on', file=sys.stderr, flush=True);"
        "time.sleep(60)"
    )
    job = do(code, tmp_path)
    wait_for(job, "on")
    child = int(job.stages[0])
    assert is_alive(child)
    job.cancel()
    assert job.wait(10.0)
    assert job.state == "cancelled"
    assert "still there" in job.sentence
    time.sleep(0.2)
    assert not is_alive(child)
    job.cancel()  # once more does nothing
    assert job.state == "cancelled"


def test_one_cancelled_before_its_turn_never_begins(tmp_path: Path) -> None:
    from rocstats.app import jobs

    places = 0
    while jobs._PLACES.acquire(blocking=False):
        places += 1
    try:
        job = do("open('begun', 'w')", tmp_path)
        time.sleep(0.1)
        assert job.progress()["state"] == "waiting"
        job.cancel()
    finally:
        jobs._PLACES.release(places)
    assert job.wait(10.0)
    assert job.state == "cancelled"
    assert not (tmp_path / "begun").exists()


def test_its_time_is_bounded(tmp_path: Path) -> None:
    job = do("import time; time.sleep(60)", tmp_path, bounds=Bounds(seconds=1.0))
    assert job.wait(20.0)
    assert job.state == "failed"
    assert "longer than" in job.sentence
    assert "--minutes" in job.sentence


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_its_memory_is_bounded(tmp_path: Path) -> None:
    job = do("b'x' * (3 * 2**30)", tmp_path, bounds=Bounds(megabytes=512))
    assert job.wait(60.0)
    assert job.state == "failed"
    assert "more than the 0.5 GB of memory" in job.sentence
    assert "--memory" in job.sentence


def test_a_command_that_lacks_memory_says_how_to_give_more(tmp_path: Path) -> None:
    lacks = (
        "import rocstats.cli.command_runs as runs, rocstats.cli.measures as measures\n"
        "def fill(args): raise MemoryError('Unable to allocate 74.5 GiB')\n"
        "measures.analyse = fill\n"
        "raise SystemExit(runs.run_command('measures auc gini --n-pos 9 --n-neg 9'.split()))"
    )
    job = do(lacks, tmp_path)
    assert job.wait(60.0)
    assert (job.state, job.code) == ("failed", 2)
    assert "more than the 1 GB of memory" in job.sentence
    assert "--memory" in job.sentence


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends orphans")
def test_it_dies_with_a_killed_app(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from rocstats.app.jobs import *;"
        "j = start_job(['-c', 'import time; time.sleep(600)'], Path(sys.argv[1]), bounds=Bounds());"
        "time.sleep(3); print(j.process.pid, flush=True); time.sleep(600)"
    )
    call = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout is not None
        worker = int(app.stdout.readline())
        assert is_alive(worker)
        app.kill()
        app.wait()
    time.sleep(0.5)
    assert not is_alive(worker)
