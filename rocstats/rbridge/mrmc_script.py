"""The R script that repeats a reader study with MRMCaov: text for R, written without R."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.rbridge.script_text import r_string

__all__ = ["mrmc_script"]

_COVARIANCES = {"influence": "DeLong", "jackknife": "jackknife", "unbiased": "unbiased"}
_TEXT = """\
# Repeats a reader study of rocstats {version} with MRMCaov, and prints both.
# install.packages("MRMCaov")
library(MRMCaov)

data <- read.csv({file}, check.names = FALSE, colClasses = "character")
study <- data.frame(
  test = factor(data[[{test}]]),
  reader = factor(data[[{reader}]]),
  case = factor(data[[{case}]]),
  truth = factor(data[[{outcome}]], levels = c({negative}, {positive})),
  rating = {sign}as.numeric(data[[{rating}]])
)
study <- study[!is.na(study$rating), ]
{effects}
found <- mrmc(
  empirical_auc(truth, rating), test, {reader_term}, {case_term},
  data = study, cov = {covariance}
)
print(summary(found))

# What rocstats says: test, estimate, standard error, df, p
ours <- data.frame(
  contrast = c({names}),
  estimate = c({estimates}),
  std_error = c({errors}),
  df = c({dfs}),
  p_value = c({pvalues})
)
print(ours, digits = 10)
"""


def mrmc_script(
    *,
    file: str,
    columns: Mapping[str, str],
    labels: tuple[Any, Any],
    higher_is_positive: bool,
    random: str,
    covariance: str,
    pairwise: Sequence[Mapping[str, Any]],
    version: str,
) -> str:
    """Return the script; an empty text where MRMCaov has no such analysis.

    Parameters
    ----------
    file : the name to open the table by, comma separated
    columns : names of the columns of test, reader, case, outcome and rating
    labels : of the negative and of the positive class
    higher_is_positive : whether high ratings speak for the positive class
    random : "both", "cases" or "readers"
    covariance : how the covariance over cases was found
    pairwise : contrast, estimate, std_error, df and p_value of every pair of tests
    version : of rocstats
    """
    if covariance not in _COVARIANCES:
        return ""
    return _TEXT.format(
        version=version,
        file=r_string(file),
        **{name: r_string(column) for name, column in columns.items()},
        negative=r_string(str(labels[0])),
        positive=r_string(str(labels[1])),
        sign="" if higher_is_positive else "-",
        effects="# Fixed factors are marked with fixed().",
        reader_term="fixed(reader)" if random == "cases" else "reader",
        case_term="fixed(case)" if random == "readers" else "case",
        covariance=_COVARIANCES[covariance],
        names=", ".join(r_string(str(row["contrast"])) for row in pairwise),
        estimates=_numbers(pairwise, "estimate"),
        errors=_numbers(pairwise, "std_error"),
        dfs=_numbers(pairwise, "df"),
        pvalues=_numbers(pairwise, "p_value"),
    )


def _numbers(rows: Sequence[Mapping[str, Any]], name: str) -> str:
    return ", ".join("Inf" if row[name] is None else repr(float(row[name])) for row in rows)
