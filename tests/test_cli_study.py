"""``rocstats study``: presets, files and refusals."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from rocstats.cli import main
from rocstats.studies.presets import PRESETS

SMALL = replace(PRESETS["sauc-vs-wmw"], alternatives=({"family": "normal"}, {"family": "t3"}))
QUICK = ["study", "power", "--preset", "sauc-vs-wmw", "--quick", "--n-replicates", "20"]


def test_list(capsys):
    assert main(["study", "list"]) == 0
    assert "power --preset sauc-vs-wmw: Where does" in capsys.readouterr().out
    assert main(["study", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["presets"][0]["name"] == "sauc-vs-wmw"


@pytest.fixture
def small(monkeypatch):
    """The preset with two alternatives instead of 22."""
    monkeypatch.setitem(PRESETS, "sauc-vs-wmw", SMALL)


@pytest.mark.usefixtures("small")
def test_files_and_answer(capsys, tmp_path):
    folder = tmp_path / "out"
    call = [*QUICK, "--n-jobs", "1", "--json", "-o", str(folder), "--tests", "auc,sauc"]
    assert main(call) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["command"] == "study power"
    assert any("sAUC" in sentence for sentence in answer["verdict"])
    with open(folder / "study.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(answer["rows"]) == 2 * 3 * 2
    page = (folder / "study.html").read_text()
    assert page.count("data:image/svg+xml;base64,") == 3
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
    assert "rocstats study power --preset sauc-vs-wmw --quick" in page


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--preset", "sauc"], "--preset must be one of 'sauc-vs-wmw'"),
        (["--preset", "sauc-vs-wmw", "--tests", "t"], "--tests must hold auc and sauc"),
        (["--preset", "sauc-vs-wmw", "--tests", "auc,sauc,x"], "tests must be one of"),
        (["--preset", "sauc-vs-wmw", "--seed", "-1"], "--seed must be"),
        (["--preset", "sauc-vs-wmw", "--n-replicates", "1"], "--n-replicates must be"),
        (["--preset", "sauc-vs-wmw", "--n-jobs", "0"], "--n-jobs must be"),
        (["--preset", "sauc-vs-wmw", "-o", "/dev/null/out"], "cannot be made"),
    ],
)
@pytest.mark.usefixtures("small")
def test_refusals(capsys, options, words):
    assert main(["study", "power", *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith("rocstats: ")
    assert words in error
    assert len(error.splitlines()) == 1


@pytest.mark.skipif(os.name != "posix", reason="sends the signal that Ctrl-C sends on POSIX")
def test_ctrl_c_gives_what_is_finished(tmp_path):
    """The whole process group is interrupted, workers too, as a terminal does it."""
    file = tmp_path / "study.jsonl"
    call = [*QUICK[:-1], "2000000", "--n-jobs", "2", "--json", "--checkpoint", str(file)]
    script = (
        "import sys, dataclasses; from rocstats.cli import main; "
        "from rocstats.studies.presets import PRESETS; name = 'sauc-vs-wmw'; "
        "PRESETS[name] = dataclasses.replace(PRESETS[name], alternatives=({'family': 'normal'},)); "
        "sys.exit(main(sys.argv[1:]))"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", script, *call],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120.0
    while run.poll() is None and time.monotonic() < deadline:
        if file.exists() and file.read_bytes().count(b"\n") > 12:  # every design has a chunk
            break
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=60.0)
    assert run.returncode == 0, err
    assert "rocstats: warning: The study was interrupted after" in err
    assert "Traceback" not in err
    assert json.loads(out)["rows"][0]["n_replicates"] >= 250
