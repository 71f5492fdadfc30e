"""Performance: a study from its file to the page, by the command that users run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.places import PACKAGE
from rocstats.validation.expected import ask_r
from rocstats.validation.settings import Numbers

__all__ = ["STUDY", "r_study", "run_study"]

OUTCOME, POSITIVE, NEGATIVE = "diagnosis", "malignant", "benign"
MARKERS = ("mean_radius", "mean_texture", "worst_area")
STUDY = "study/breast_cancer"

# R reads the same file by itself; nothing of rocstats has a part in it.
_R = """
data <- read.csv(file, check.names = FALSE)
curves <- lapply(markers, function(m) roc(data[[outcome]], data[[m]],
  levels = c(negative, positive), direction = "<", quiet = TRUE))
limits <- lapply(curves, function(r) as.numeric(ci.auc(r, method = "delong")))
pairs <- combn(length(curves), 2)
tests <- lapply(seq_len(ncol(pairs)), function(k) roc.test(curves[[pairs[1, k]]],
  curves[[pairs[2, k]]], method = "delong", paired = TRUE))
list(
  estimate = sapply(curves, function(r) as.numeric(auc(r))),
  std_error = sapply(curves, function(r) sqrt(var(r, method = "delong"))),
  conf_low = sapply(limits, function(l) l[1]),
  conf_high = sapply(limits, function(l) l[3]),
  statistic = sapply(tests, function(t) unname(t$statistic)),
  p_value = sapply(tests, function(t) t$p.value),
  p_adjusted = p.adjust(sapply(tests, function(t) t$p.value), "holm")
)
"""


def run_study() -> Numbers:
    """Run ``rocstats report`` and ``rocstats compare`` on a file; return what a reader gets."""
    table = [marker["estimates"]["auc"] for marker in _page()["markers"]]
    pairs = json.loads(_command("compare", "--reference", "normal", "--adjust", "holm", "--json"))
    numbers = {name: [row[fact] for row in table] for name, fact in _ESTIMATED.items()}
    return numbers | {k: [row[k] for row in pairs["contrasts"]] for k in _TESTED}


_ESTIMATED = {
    "estimate": "estimate",
    "std_error": "std_error",
    "conf_low": "wald_low",
    "conf_high": "wald_high",
}
_TESTED = ("statistic", "p_value", "p_adjusted")
_FACTS = re.compile(r'<script type="application/json" id="facts">(.*?)</script>', re.DOTALL)


def _page() -> dict[str, Any]:
    """Make the report, and return the facts that the page itself carries."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        _command("report", "--n-resamples", "100", "--r", "no", "-o", str(page))
        found = _FACTS.search(page.read_text("utf-8"))
    if found is None:
        raise rs.RocstatsError("The report carries no facts; install rocstats again.")
    facts: dict[str, Any] = json.loads(found[1])
    return facts


def _command(name: str, *options: str) -> str:
    data = [str(rs.datasets.path("breast_cancer")), "--outcome", OUTCOME, "--positive", POSITIVE]
    call = [sys.executable, "-P", "-m", "rocstats", name, *data, "--markers", ",".join(MARKERS)]
    here = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(  # this rocstats, and not one that the working directory happens to hold
        [*call, *options],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": here},
    )
    return done.stdout


def r_study() -> Numbers:
    """Ask R for the same numbers of the same file."""
    variables = {
        "file": str(rs.datasets.path("breast_cancer")),
        "outcome": OUTCOME,
        "positive": POSITIVE,
        "negative": NEGATIVE,
        "markers": list(MARKERS),
    }
    answer: Numbers = ask_r(_R, variables)
    return answer
