"""The report's cross-check with R: live through rpy2, and the script that the page carries."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rocstats as rs
from rocstats.cli import main

RELATIVE = 1e-10  # both round at 1e-16; differences and tails of z amplify that up to 1e4 times
FACTS = re.compile(r'<script type="application/json" id="facts">(.*?)</script>', re.DOTALL)


@pytest.fixture
def need_r() -> None:
    if shutil.which("Rscript") is None or not rs.rbridge.available():
        pytest.skip("R with pROC and rpy2 is not installed")


def page_facts(page: Path) -> dict[str, Any]:
    found = FACTS.search(page.read_text("utf-8"))
    assert found is not None
    facts: dict[str, Any] = json.loads(found[1])
    return facts


@pytest.fixture
def study(tmp_path: Path) -> Path:
    frame = pd.read_csv(rs.datasets.path("breast_cancer"))
    frame.loc[::50, "mean_texture"] = None
    frame["turned"] = -frame["worst_area"]
    frame.to_csv(tmp_path / "study.csv", index=False)
    return tmp_path / "study.csv"


def call(study: Path, *options: str) -> dict[str, Any]:
    page = study.with_suffix(".html")
    words = [*("report", str(study), "--outcome", "diagnosis", "--positive", "malignant")]
    words += ["--markers", "mean_radius,mean_texture,turned", "--lower-is-positive", "turned"]
    assert main([*words, "--n-resamples", "100", "--quiet", "-o", str(page), *options]) == 0
    return page_facts(page)


@pytest.mark.usefixtures("need_r")
def test_proc_agrees_live(study: Path) -> None:
    found = call(study, "--r", "yes")["r"]
    assert found["status"] == "live"
    assert found["versions"]["pROC"]
    assert len(found["rows"]) == 3 * 4 + 3 * 3
    for row in found["rows"]:
        assert row["ours"] == pytest.approx(row["r"], rel=RELATIVE), row
        assert row["difference"] == row["ours"] - row["r"]


@pytest.mark.usefixtures("need_r")
def test_the_script_in_the_page_runs_in_r_and_finds_the_same(study: Path) -> None:
    found = call(study, "--r", "no")["r"]
    assert found["status"] == "script"
    study.with_suffix(".R").write_text(found["script"], encoding="utf-8")
    done = subprocess.run(
        ["Rscript", "--vanilla", "study.R"], cwd=study.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    study.write_text(study.read_text().replace("malignant,17.99", "malignant,18.99", 1))
    moved = subprocess.run(
        ["Rscript", "--vanilla", "study.R"], cwd=study.parent, capture_output=True, text=True
    )
    assert moved.returncode != 0  # other data are noticed


@pytest.mark.parametrize("scores", ["measured", "fitted"])
def test_what_is_not_compared_is_not_compared_by_the_script(study: Path, scores: str) -> None:
    script = call(study, "--r", "no", "--scores", scores)["r"]["script"]
    assert ("differences <- NULL" in script) == (scores == "fitted")
    assert ("paired DeLong tests" in script) == (scores != "fitted")
    page = study.with_suffix(".html").read_text("utf-8")
    assert ("computes areas and intervals again" in page) == (scores == "fitted")
    if shutil.which("Rscript") and rs.rbridge.available():
        (study.parent / "study.R").write_text(script, "utf-8")
        ran = subprocess.run(
            ["Rscript", "--vanilla", "study.R"],
            cwd=study.parent,
            check=True,
            capture_output=True,
            text=True,
        )
        assert (" - turned" in ran.stdout) == (scores != "fitted")


def test_without_r_the_reason_is_said(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(packages: object = ()) -> None:
        raise rs.RUnavailableError("R is not there; install it.")

    monkeypatch.setattr(rs.rbridge, "require", absent)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    found = call(study)["r"]
    assert (found["status"], found["why"]) == ("script", "R is not there; install it.")
    with pytest.raises(rs.RUnavailableError):
        rs.report(rs.datasets.load_fawcett(), n_resamples=100, r="yes")


def without_rpy2(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(packages: object = ()) -> None:
        raise rs.RUnavailableError("rpy2 is not installed.")

    monkeypatch.setattr(rs.rbridge, "require", absent)


@pytest.fixture
def need_rscript() -> None:
    probe = ["Rscript", "-e", 'quit(status = !requireNamespace("pROC", quietly = TRUE))']
    if shutil.which("Rscript") is None or subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("R with pROC is not installed")


@pytest.mark.usefixtures("need_rscript")
@pytest.mark.parametrize("scores", ["measured", "fitted"])
def test_18_10_without_rpy2_the_script_of_the_page_is_run(
    study: Path, monkeypatch: pytest.MonkeyPatch, scores: str
) -> None:
    by_rpy2 = call(study, "--scores", scores)["r"] if rs.rbridge.available() else None
    without_rpy2(monkeypatch)
    found = call(study, "--scores", scores, "--r", "yes")["r"]
    assert found["status"] == "live"
    assert set(found["versions"]) == {"R", "pROC"}
    assert len(found["rows"]) == 3 * 4 + (3 * 3 if scores == "measured" else 0)
    for row in found["rows"]:
        assert row["ours"] == pytest.approx(row["r"], rel=RELATIVE), row
    page = study.with_suffix(".html").read_text("utf-8")
    assert "rocstats and R side by side" in page
    if by_rpy2 is not None:  # R says the same, whoever asks
        names = ("quantity", "of", "ours")
        assert [[row[n] for n in names] for row in found["rows"]] == [
            [row[n] for n in names] for row in by_rpy2["rows"]
        ]
        theirs = [[row["r"] for row in one["rows"]] for one in (found, by_rpy2)]
        assert theirs[0] == pytest.approx(theirs[1], rel=RELATIVE)


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        ("", 1, "R has no package pROC"),
        ("4.2.2 1.18.0", 2, "R stopped: exit status 2."),
        ("4.2.2 1.18.0", 0, "R stopped: exit status 0."),
    ],
)
def test_18_10_a_script_that_fails_gives_its_reason(
    study: Path, monkeypatch: pytest.MonkeyPatch, said: str, code: int, sentence: str
) -> None:
    from rocstats.rbridge import script_run

    def fake(command: list[str]) -> Any:
        asked = command[1] == "-e"
        status = (0 if said else 1) if asked else code
        return subprocess.CompletedProcess(command, status, said if asked else "", "")

    without_rpy2(monkeypatch)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(script_run, "_run", fake)
    found = call(study)["r"]
    assert found["status"] == "script"
    assert found["why"].startswith(sentence)
