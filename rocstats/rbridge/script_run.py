"""The R script run by Rscript: R's numbers where R and pROC are there and rpy2 is not."""

from __future__ import annotations

import csv
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

from rocstats.errors import RBridgeError, RUnavailableError

__all__ = ["AREA_NUMBERS", "PAIR_NUMBERS", "run_script"]

# What the script gives of a marker and of a pair, in its order.
AREA_NUMBERS = ("AUC", "standard error", "Wald low", "Wald high", "logit low", "logit high")
PAIR_NUMBERS = ("difference", "covariance", "z", "p", "low", "high")
_PATIENCE = 300  # seconds; the script of a small study takes one
_VERSIONS = 'cat(format(getRversion()), format(packageVersion("pROC")))'


def run_script(script: str, data: Path) -> tuple[list[float], dict[str, str]]:
    """Return R's numbers in the order of the script, and the versions of R and pROC.

    Parameters
    ----------
    script : as `r_script` writes it
    data : the file that it is to read
    """
    program = shutil.which("Rscript")
    if program is None:
        raise RUnavailableError("There is no Rscript on the PATH; install R.")
    told = _run([program, "-e", _VERSIONS])
    versions = told.stdout.split()
    if told.returncode or len(versions) != 2:
        raise RUnavailableError('R has no package pROC; run install.packages("pROC") in R.')
    with tempfile.TemporaryDirectory(prefix="rocstats-") as folder:
        file = Path(folder, "cross-check.R")
        file.write_text(script, encoding="utf-8")
        answer = _run([program, str(file), str(data)])
    rows = list(csv.DictReader(answer.stdout.splitlines()))
    if answer.returncode not in (0, 1) or not rows or "R" not in rows[0]:
        why = " ".join(answer.stderr.split())[-300:] or f"exit status {answer.returncode}"
        raise RBridgeError(f"R stopped: {why.rstrip('.')}.")
    return [_number(row["R"]) for row in rows], dict(zip(("R", "pROC"), versions, strict=True))


def _run(call: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            call, capture_output=True, text=True, encoding="utf-8", timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError) as reason:
        raise RBridgeError(f"Rscript could not be run: {reason}.") from None


def _number(text: str) -> float:
    return math.nan if text == "NA" else float(text)
