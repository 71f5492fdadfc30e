"""``rocstats report FILE`` asks at a real terminal, and never in a pipe."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")
ROWS = "".join(f"{k},{k % 7}.{k % 10},{'yes' if k % 3 else 'no'}\n" for k in range(40))
CALL = [sys.executable, "-m", "rocstats", "report", "ward.csv"]


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    (tmp_path / "ward.csv").write_text(f"id,crp,sepsis\n{ROWS}", encoding="utf-8")
    return tmp_path


def test_at_a_terminal_it_asks(ward: Path) -> None:
    ours, theirs = pty.openpty()
    asked = subprocess.Popen(CALL, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ward)
    os.close(theirs)
    said = b""
    until = time.monotonic() + 120.0
    try:
        while b"sepsis" not in said or not said.rstrip().endswith((b":", b"?", b">", b"]")):
            assert time.monotonic() < until, said
            if select.select([ours], [], [], 1.0)[0]:
                said += os.read(ours, 4096)
        assert asked.poll() is None  # it waits for an answer
        os.write(ours, b"\x04")
        while asked.poll() is None:
            assert time.monotonic() < until, said
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    said += os.read(ours, 4096)
                except OSError:  # the other end is closed
                    break
        assert asked.wait(30) == 2
    finally:
        asked.kill()
        asked.wait()
        os.close(ours)
    assert b"were not answered to their end" in b" ".join(said.split())
    assert b"Traceback" not in said


def test_in_a_pipe_it_never_asks(ward: Path) -> None:
    done = subprocess.run(CALL, input="", capture_output=True, text=True, cwd=ward, timeout=120)
    assert done.returncode == 2
    assert "--outcome" in done.stderr
    assert done.stdout == ""
