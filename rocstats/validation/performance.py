"""Performance: a study from its file to the page, by the command that users run."""

from __future__ import annotations

import html
import json
import math
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
CUTOFFS = {"mean_radius": 15.0, "worst_area": 880.0}  # of the page that compares two tests
PREVALENCE = 0.1  # at which the report is asked for predictive values

# R reads the same file by itself; nothing of rocstats has a part in it.
_R = """
data <- read.csv(file, check.names = FALSE)
sick <- data[[outcome]] == positive
curves <- lapply(markers, function(m) roc(data[[outcome]], data[[m]],
  levels = c(negative, positive), direction = "<", quiet = TRUE))
area <- sapply(curves, function(r) as.numeric(auc(r)))
error <- sapply(curves, function(r) sqrt(var(r, method = "delong")))
limits <- lapply(curves, function(r) as.numeric(ci.auc(r, method = "delong")))
reach <- qnorm(0.975) * error / (area * (1 - area))
pairs <- combn(length(curves), 2)
tests <- lapply(seq_len(ncol(pairs)), function(k) roc.test(curves[[pairs[1, k]]],
  curves[[pairs[2, k]]], method = "delong", paired = TRUE))
part <- function(r, correct) as.numeric(auc(r, partial.auc = c(1, 0.9),
  partial.auc.focus = "specificity", partial.auc.correct = correct))
cells <- lapply(markers, function(m) {
  cuts <- sort(unique(data[[m]]))
  found <- sapply(cuts, function(cut) {
    called <- data[[m]] >= cut
    c(sum(called & sick), sum(called & !sick), sum(!called & sick), sum(!called & !sick))
  })
  best <- which.max(found[1, ] / sum(sick) - found[2, ] / sum(!sick))
  c(cuts[best], found[, best])
})
se <- sapply(cells, function(x) x[2] / sum(sick))
sp <- sapply(cells, function(x) x[5] / sum(!sick))
wilson <- function(k, n) as.numeric(prop.test(k, n, correct = FALSE)$conf.int)
sides <- function(x, v) plogis(qlogis(x) + c(0, -1, 1) * qnorm(0.975) * sqrt(v))
at <- 0.1
ppv <- sapply(seq_along(se), function(k) sides(
  se[k] * at / (se[k] * at + (1 - sp[k]) * (1 - at)),
  (1 - se[k]) / se[k] / sum(sick) + sp[k] / (1 - sp[k]) / sum(!sick)))
scored <- function(m) mean(pmax(outer(data[[m]][sick], data[[m]][!sick], "-"), 0))
calls <- lapply(names(cutoffs), function(m) data[[m]] >= cutoffs[[m]])
paired <- unlist(lapply(list(sick, !sick), function(who) {
  right <- lapply(calls, function(x) factor((x == sick)[who], levels = c(TRUE, FALSE)))
  test <- mcnemar.test(table(right[[1]], right[[2]]), correct = FALSE)
  c(mean(right[[2]] == "TRUE") - mean(right[[1]] == "TRUE"), unname(test$statistic), test$p.value)
}))
difference <- area[pairs[1, ]] - area[pairs[2, ]]
logit <- rbind(plogis(qlogis(area) - reach), plogis(qlogis(area) + reach))
at_area <- function(a) {
  star <- length(sick) / 2 - 1
  a * (1 - a) * (1 + star * (1 - a) / (2 - a) + star * a / (1 + a)) / (sum(sick) * sum(!sick))
}
shown <- sapply(seq_along(area), function(k) {
  a <- area[k]
  lost <- min(a, 1 - a) * min(sum(sick), sum(!sick))
  share <- min(max((20 - lost) / 10, 0), 1)
  if (share == 0) return(logit[, k])
  r <- error[k]^2 / at_area(a)
  scale <- if (r > 1) r else (lost * r + 3) / (lost + 3)
  off <- function(t) (a - t)^2 - qnorm(0.975)^2 * scale * at_area(t)
  root <- function(ends) uniroot(off, ends, tol = 1e-14)$root
  near <- c(root(c(1e-9, a)), root(c(a, 1 - 1e-9)))
  share * near + (1 - share) * logit[, k]
})
list(
  estimate = area,
  std_error = error,
  conf_low = sapply(limits, function(l) l[1]),
  conf_high = sapply(limits, function(l) l[3]),
  statistic = sapply(tests, function(t) unname(t$statistic)),
  p_value = sapply(tests, function(t) t$p.value),
  p_adjusted = p.adjust(sapply(tests, function(t) t$p.value), "holm"),
  logit_low = shown[1, ],
  logit_high = shown[2, ],
  sauc = sapply(markers, scored, USE.NAMES = FALSE),
  partial = sapply(curves, part, correct = FALSE),
  partial_standardized = sapply(curves, part, correct = TRUE),
  cutpoint = unlist(cells),
  sensitivity = unlist(lapply(cells, function(x) wilson(x[2], sum(sick)))),
  specificity = unlist(lapply(cells, function(x) wilson(x[5], sum(!sick)))),
  ppv = as.numeric(ppv),
  difference = difference,
  paired = paired,
  printed_paired = round(100 * paired[c(1, 4)], 1),
  printed_areas = round(c(rbind(area, shown)), 3),
  printed_rates = round(100 * c(rbind(se, sp)), 1),
  printed_ppv = round(100 * as.numeric(ppv), 1),
  printed_differences = round(difference, 3),
  strays = 0
)
"""


def run_study() -> Numbers:
    """Run ``rocstats report`` and ``rocstats compare`` on a file; return what a reader gets."""
    page = _page()
    facts = _facts(page)
    table = [marker["estimates"]["auc"] for marker in facts["markers"]]
    pairs = json.loads(_command("compare", "--reference", "normal", "--adjust", "holm", "--json"))
    numbers = {name: [row[fact] for row in table] for name, fact in _ESTIMATED.items()}
    numbers |= {k: [row[k] for row in pairs["contrasts"]] for k in _TESTED}
    return numbers | _further(facts) | _printed(page, facts) | _compared()


_ESTIMATED = {
    "estimate": "estimate",
    "std_error": "std_error",
    "conf_low": "wald_low",
    "conf_high": "wald_high",
    "logit_low": "conf_low",
    "logit_high": "conf_high",
}
_TESTED = ("statistic", "p_value", "p_adjusted")
_LIMITS = ("estimate", "conf_low", "conf_high")
_FACTS = re.compile(r'<script type="application/json" id="facts">(.*?)</script>', re.DOTALL)
_LEAF = re.compile(r'<data value="([^"]*)" data-path="([^"]*)" data-as="([^"]*)">([^<]*)</data>')


def _page(*further: str) -> str:
    """Make the report and return the page."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        options = ("--n-resamples", "100", "--r", "no", "--prevalence", f"{PREVALENCE}", *further)
        _command("report", *options, "-o", str(page))
        return page.read_text("utf-8")


def _facts(page: str) -> dict[str, Any]:
    """Return the facts that the page itself carries."""
    found = _FACTS.search(page)
    if found is None:
        raise rs.RocstatsError("The report carries no facts; install rocstats again.")
    facts: dict[str, Any] = json.loads(found[1])
    return facts


def _further(facts: dict[str, Any]) -> Numbers:
    """Return areas, cutpoints, predictive values and differences of the page."""
    markers = facts["markers"]
    points = [marker["cutpoints"][0] for marker in markers]
    areas = [marker["estimates"] for marker in markers]

    def limits(rate: str) -> list[float]:
        return [point["measures"][rate][end] for point in points for end in _LIMITS[1:]]

    at = [row for point in points for row in point["at_prevalence"] if not row["own"]]
    return {
        "sauc": [area["sauc"]["estimate"] for area in areas],
        "partial": [area["pauc"]["raw"]["estimate"] for area in areas],
        "partial_standardized": [area["pauc"]["standardized"]["estimate"] for area in areas],
        "cutpoint": [
            point[name] for point in points for name in ("threshold", "tp", "fp", "fn", "tn")
        ],
        "sensitivity": limits("sensitivity"),
        "specificity": limits("specificity"),
        "ppv": [row["ppv"][part] for row in at for part in _LIMITS],
        "difference": [pair["estimate"] for pair in facts["comparisons"]["pairwise"]],
    }


def _printed(page: str, facts: dict[str, Any]) -> Numbers:
    """Return numbers as the page prints them, and how many are not those of its facts."""
    leaves = _LEAF.findall(page)
    text = {path: _read(words) for _, path, _, words in leaves}
    marker = [f"markers.{k}" for k in range(len(MARKERS))]
    point = [f"{m}.cutpoints.0" for m in marker]
    wanted = {
        "areas": [f"{m}.estimates.auc.{part}" for m in marker for part in _LIMITS],
        "rates": [
            f"{p}.measures.{rate}.estimate"
            for p in point
            for rate in ("sensitivity", "specificity")
        ],
        "ppv": [f"{p}.at_prevalence.1.ppv.{part}" for p in point for part in _LIMITS],
        "differences": [f"comparisons.pairwise.{k}.estimate" for k in range(len(MARKERS))],
    }
    numbers: Numbers = {
        f"printed_{name}": [text[p] for p in paths] for name, paths in wanted.items()
    }
    strays = [path for value, path, _, _ in leaves if float(value) != _follow(facts, path)]
    strays += [path for value, path, form, words in leaves if not _tells(value, form, words)]
    strays += _unsaid(page, facts)
    return numbers | {"strays": float(len(strays))}


def _compared() -> Numbers:
    """Return how two tests differ on a page with cutoffs, and the differences that it prints."""
    fixed = [word for name, cut in CUTOFFS.items() for word in ("--prespecified", f"{name}={cut}")]
    page = _page(*fixed)
    (pair,) = _facts(page)["paired_tests"]["pairs"]
    text = {path: _read(words) for _, path, _, words in _LEAF.findall(page)}
    rates = ("sensitivity", "specificity")
    told = ("estimate", "statistic", "p_value")
    return {
        "paired": [pair[rate][name] for rate in rates for name in told],
        "printed_paired": [text[f"paired_tests.pairs.0.{rate}.estimate"] for rate in rates],
    }


def _unsaid(page: str, facts: dict[str, Any]) -> list[str]:
    """Return the numbers of the results in words that the page does not state as they are there."""
    words = page[page.index('<section id="results"') :]
    leaves = {(path, form, said) for _, path, form, said in _LEAF.findall(words)}
    stated = [part for paragraph in facts["results"]["paragraphs"] for part in paragraph]
    numbers = [(p["path"], p["kind"], html.escape(p["text"])) for p in stated if "path" in p]
    return [path for path, form, said in numbers if (path, form, said) not in leaves]


def _read(words: str) -> float:
    found = re.fullmatch(r"[+]?(-?[0-9.]+)%?", words.replace("\N{MINUS SIGN}", "-"))
    return float(found[1]) if found else math.nan


def _follow(facts: Any, path: str) -> float:
    for step in path.split("."):
        facts = facts[int(step)] if isinstance(facts, list) else facts[step]
    return float(facts)


_ROUNDED = {
    **{"est": (1.0, 3), "signed": (1.0, 3), "pct": (100.0, 1), "count": (1.0, 0)},
    "points": (100.0, 1),
}


def _tells(value: str, form: str, words: str) -> bool:
    """Return whether the words are the value, rounded as such numbers are on the page."""
    shown = _read(words)
    if form not in _ROUNDED or math.isnan(shown):  # words such as "< 0.001"
        return True
    scale, digits = _ROUNDED[form]
    return abs(scale * float(value) - shown) <= 0.5000001 * 10.0**-digits


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
        "cutoffs": CUTOFFS,
    }
    answer: Numbers = ask_r(_R, variables)
    return answer
