"""``rocstats study``: presets, files and refusals."""

import csv
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rocstats.cli import main
from rocstats.cli.study_run import _text
from rocstats.papers.paper import DataUse, PaperResult
from rocstats.papers.papers_by_name import PAPERS
from rocstats.studies.presets import PRESETS

SMALL = replace(PRESETS["sauc-vs-wmw"], alternatives=({"family": "normal"}, {"family": "t3"}))
QUICK = ["study", "power", "--preset", "sauc-vs-wmw", "--quick", "--n-replicates", "20"]


def test_list(capsys):
    assert main(["study", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("power --preset sauc-vs-wmw: Where does") for line in lines)
    assert [line.split(":")[0] for line in lines if line.startswith("run ")] == [
        f"run {name}" for name in PAPERS
    ]
    assert main(["study", "list", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["presets"][0]["name"] == "sauc-vs-wmw"
    assert [paper["name"] for paper in answer["papers"]] == list(PAPERS)


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
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []  # 14, line 23: no figure stays open
    assert main(call) == 0
    made = re.compile("Made .*? with")
    assert made.sub("", (folder / "study.html").read_text()) == made.sub("", page)


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
    call += ["--tests", "auc,sauc,t,welch,brunner-munzel"]
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


class Alternatives(HTMLParser):
    """Pictures, what they say to who cannot see them, and every address on a page."""

    def __init__(self):
        super().__init__()
        self.alts, self.addresses = [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "img":
            self.alts.append(found.get("alt", ""))
        self.addresses += [found[name] for name in ("src", "href") if name in found]


def test_run_writes_tables_figures_and_page(capsys, tmp_path):
    folder = tmp_path / "deep" / "out"
    assert main(["study", "run", "fawcett-2006", "--json", "-o", str(folder)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["command"] == "study run"
    assert {os.path.basename(name) for name in answer["files"]} == set(os.listdir(folder))
    for table in answer["tables"]:
        with open(folder / f"{table['name']}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0]) == table["columns"]
        for row, expected in zip(rows, table["rows"], strict=True):
            for name, value in expected.items():
                # JSON has null for an infinite threshold, too
                assert row[name] in ("", "inf") if value is None else row[name] == str(value)
    with open(folder / "claims.csv", newline="") as file:
        verdicts = [row["verdict"] for row in csv.DictReader(file)]
    assert {v: verdicts.count(v) for v in answer["verdicts"]} == answer["verdicts"]
    for figure in answer["figures"]:
        assert (folder / f"{figure['name']}.svg").read_text().startswith("<?xml")
    page = (folder / "study.html").read_text()
    parts = Alternatives()
    parts.feed(page)
    assert len(parts.alts) == len(answer["figures"])
    assert all(parts.alts)
    assert all(address.startswith("data:image/svg+xml;base64,") for address in parts.addresses)
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert "rocstats study run fawcett-2006" in page
    assert str(tmp_path) not in page
    for claim in answer["claims"]:
        assert html.escape(claim["text"], quote=False).replace("&#x27;", "'")[:30] in page
    assert "94/165" in page
    assert "provisional" not in page


def test_cells_of_a_page_are_set_as_numbers_names_or_text():
    from rocstats.reports.paper_page import _shown

    rows = [
        {"set": "iris", "c_printed": "0.890", "d_printed": "NA", "ours": None, "said": "a" * 41},
        {"set": "wine", "c_printed": "1.0", "d_printed": "inf", "ours": None, "said": "b"},
    ]
    kinds = [
        column["kind"] for column in _shown({"columns": list(rows[0]), "rows": rows})["columns"]
    ]
    assert kinds == ["name", "number", "number", "number", "long"]


def test_run_prints_verdicts(capsys):
    assert main(["study", "run", "fawcett-2006", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "[misprint] Fig. 10: C lies at about" in out
    assert "11 reproduced, 4 misprint, 1 undecided; " in out
    assert "a verdict is provisional" in out
    assert "Written" not in out


def test_run_prints_how_the_data_differ():
    use = DataUse(name="hepa", n=9, n_pos=3, source="file", sha256="", deviations=("9 rows.",))
    found = PaperResult(name="x", claims=(), tables=(), data=(use, replace(use, deviations=())))
    lines = _text(PAPERS["klement-2011"], found, [], quick=False).splitlines()
    assert lines[-1] == "Differs: hepa: 9 rows."


@pytest.mark.usefixtures("small")
def test_run_takes_the_preset_through_the_same_door(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(PRESETS, "sauc-vs-wmw", replace(SMALL, quick_replicates=40))
    call = ["study", "run", "sauc-vs-wmw", "--quick", "--n-jobs", "1", "-o", str(tmp_path)]
    assert main(call) == 0
    assert "sAUC has indeed higher power" in capsys.readouterr().out
    assert {"power.csv", "difference.svg", "study.html"} <= set(os.listdir(tmp_path))
    page = (tmp_path / "study.html").read_text()
    assert "a verdict is provisional" in page
    assert re.search(r"in [\d.]+ seconds \([\d.]+ seconds of processor time, one worker\)", page)


@pytest.mark.usefixtures("small")
def test_the_page_of_a_power_study_has_both_tests_by_sauc(tmp_path):
    """16, line 4: size-adjusted first, by the normal approximation and by permutation."""
    tests = "auc,sauc,sauc-permutation"
    call = [*QUICK, "--n-jobs", "1", "-o", str(tmp_path), "--tests", tests]
    assert main(call) == 0
    page = (tmp_path / "study.html").read_text()
    both = ("sAUC (normal approximation)", "sAUC (permutation)")
    for label in both:
        assert f"<h2>{label} less WMW, in points of size-adjusted power</h2>" in page
        assert re.search(
            rf"<td>Over all sizes</td><td class=\"name\">{re.escape(label)}</td>", page
        )
    assert page.index("Alternatives won and lost") < page.index("Every number")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["fawcet-2006"], "Did you mean 'fawcett-2006'?"),
        (["wu-flach-2005", "--data", "/nowhere/at/all"], "There is no data folder"),
        (["wu-flach-2005", "--n-jobs", "0"], "--n-jobs must be"),
        (["wu-flach-2005", "--seed", "-1"], "The seed must be"),
        (["fawcett-2006", "-o", "/dev/null/out"], "cannot be made"),
        (["fawcett-2006", "-o", __file__], "cannot be made"),
    ],
)
def test_run_refuses(capsys, options, words):
    assert main(["study", "run", *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith("rocstats: ")
    assert words in error
    assert len(error.splitlines()) == 1


def test_run_needs_matplotlib_before_it_works(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = tmp_path / "out"
    assert main(["study", "run", "fawcett-2006", "-o", str(folder)]) == 2
    assert 'pip install "rocstats[plot]"' in capsys.readouterr().err
    assert not folder.exists()
    assert main(["study", "run", "fawcett-2006"]) == 0  # without files nothing is drawn
    call = ["study", "power", "--preset", "sauc-vs-wmw", "--quick", "-o", str(folder)]
    assert main(call) == 2
    assert 'pip install "rocstats[plot]"' in capsys.readouterr().err
    assert not folder.exists()


def test_a_broken_file_of_the_folder_is_named(capsys, tmp_path):
    (tmp_path / "hepatitis.arff").write_text("@relation x\n@attribute a numeric\n@data\n1,2\n")
    call = ["study", "run", "wu-flach-2005", "--quick", "--data", str(tmp_path), "--n-jobs", "1"]
    assert main(call) == 2
    assert "hepatitis.arff, line 4" in capsys.readouterr().err


# Says when the work begins.
SAYING = """
import sys
from dataclasses import replace
from rocstats.cli import main
from rocstats.papers.papers_by_name import PAPERS
paper = PAPERS[sys.argv[3]]
def run(settings):
    print("begun", flush=True)
    return paper.run(settings)
PAPERS[paper.name] = replace(paper, run=run)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="sends the signal that Ctrl-C sends on POSIX")
def test_ctrl_c_stops_a_run_with_one_sentence(tmp_path):
    folder = tmp_path / "out"
    call = [sys.executable, "-c", SAYING, "study", "run", "wu-flach-ferri-2007"]
    run = subprocess.Popen(
        [*call, "--quick", "--n-jobs", "1", "-o", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert run.stdout.readline() == "begun\n"
    time.sleep(0.5)
    os.killpg(run.pid, signal.SIGINT)
    try:
        out, err = run.communicate(timeout=10.0)
    except subprocess.TimeoutExpired:  # a library's C code can swallow one; a person presses again
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60.0)
    assert run.returncode == 130, err  # to a shell
    assert err == "rocstats: The study was stopped, and no file was written.\n"
    assert out == ""
    assert not folder.exists()
