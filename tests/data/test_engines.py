"""Rows on Dask, Spark, Ray, Ibis and Postgres: the same answers and refusals as in memory."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("engine_run.py")
LIMIT = 540  # seconds for an engine on a busy machine
NEEDS = {
    "dask": ("distributed",),
    "spark": ("pyspark", "joblibspark"),
    "ray": ("ray",),
    "ibis": ("ibis",),
    "postgres": ("psycopg", "sqlalchemy"),
}


def lacking(engine: str) -> str:
    """Return what an engine lacks here, or nothing."""
    lost = [name for name in NEEDS[engine] if importlib.util.find_spec(name) is None]
    if engine == "spark" and not shutil.which("java"):
        lost.append("Java")
    if engine == "postgres" and not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        lost.append("a Postgres server")
    return ", ".join(lost)


@pytest.mark.parametrize("engine", NEEDS)
def test_an_engine_gives_the_answers_in_memory(engine: str, tmp_path: Path) -> None:
    if lost := lacking(engine):
        pytest.skip(f"there is no {lost}")
    run = subprocess.Popen(
        [sys.executable, RUN, engine, tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        cwd=tmp_path,
    )
    try:
        said, _ = run.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        said = f"{run.communicate()[0]}\nnot finished after {LIMIT} seconds"
    assert run.returncode == 0, said[-6000:]
