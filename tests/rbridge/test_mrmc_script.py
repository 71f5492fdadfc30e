"""The script for MRMCaov, which is on no machine of ours: R reads it, and nobody runs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import rocstats as rs
from rocstats.rbridge.mrmc_script import mrmc_script

COLUMNS = {
    "test": 'te"st',
    "reader": "who \\ n",
    "case": "id",
    "outcome": "ill?",
    "rating": "sco're",
}
NORMAL = {"contrast": "a - b", "estimate": -0.1, "std_error": 1e-300, "df": None, "p_value": 0.0}
SIDES: dict[str, dict[str, Any]] = {
    "plain": {},
    "fixed readers": {"random": "cases"},
    "fixed cases": {"random": "readers"},
    "jackknife": {"covariance": "jackknife"},
    "unbiased": {"covariance": "unbiased"},
    "low": {"higher_is_positive": False},
    "words": {"labels": ('not "ill"', "ill\n")},
    "normal": {"pairwise": [NORMAL]},
}


def script(**options: Any) -> str:
    row = {"contrast": "b - a", "estimate": 0.07, "std_error": 0.04, "df": 45.2, "p_value": 0.077}
    usual: dict[str, Any] = {
        "file": 'a "study".csv',
        "columns": COLUMNS,
        "labels": (0, 1),
        "higher_is_positive": True,
        "random": "both",
        "covariance": "influence",
        "pairwise": [row, row],
        "version": rs.__version__,
    }
    return mrmc_script(**usual | options)


@pytest.mark.parametrize("name", SIDES)
def test_r_can_read_the_script(name: str, tmp_path: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("needs Rscript, which is not on the path")
    place = tmp_path / "script.R"
    place.write_text(script(**SIDES[name]), encoding="utf-8")
    code = "found <- parse(commandArgs(TRUE)[1]); cat(length(found), deparse(found[[1]]))"
    call = ["Rscript", "--vanilla", "-e", code, str(place)]
    run = subprocess.run(call, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "8 library(MRMCaov)"


def test_terms_are_fixed_where_they_were() -> None:
    assert "test, reader, case," in script()
    assert "test, fixed(reader), case," in script(random="cases")
    assert "test, reader, fixed(case)," in script(random="readers")
    assert "cov = DeLong" in script()
    assert "cov = jackknife" in script(covariance="jackknife")
    assert "rating = -as.numeric" in script(higher_is_positive=False)


def test_what_mrmcaov_lacks_has_no_script() -> None:
    assert script(covariance="bootstrap") == ""


def test_the_page_says_that_the_script_was_not_run() -> None:
    found = rs.compare_readers(rs.datasets.load_reader_study())
    columns = dict(zip(COLUMNS, COLUMNS, strict=True))
    page = rs.report_readers(found, source="x.csv", columns=columns).html
    assert "The script was written and not run: it needs MRMCaov" in page
