"""The R script that repeats a survival study with riskRegression and survival, without R."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.rbridge.script_text import r_string

__all__ = ["survival_script"]

_TEXT = """\
# Repeats a survival study of rocstats {version} with riskRegression and survival.
# install.packages(c("riskRegression", "survival", "prodlim"))
library(survival)
library(riskRegression)

data <- read.csv({file}, check.names = FALSE)
code <- as.character(data[[{event}]])
study <- data.frame(
  time = data[[{time}]],
  event = ifelse(code == {interest}, 1, ifelse(code == {censored}, 0, 2))
)
markers <- list({markers})
kept <- complete.cases(study, as.data.frame(markers))
study <- study[kept, ]
markers <- lapply(markers, function(x) x[kept])

found <- Score(
  markers, formula = {outcome} ~ 1, data = study, times = c({times}),{cause}
  metrics = "auc", conf.int = TRUE, cens.model = "km"
)
print(found$AUC$score, digits = 10)
print(found$AUC$contrasts, digits = 10)
{concordance}
# What rocstats says
ours <- data.frame(
  marker = c({names}),
  time = c({whens}),
  AUC = c({estimates}),
  se = c({errors})
)
print(ours, digits = 10)
"""
_CONCORDANCE = """
for (name in names(markers)) {
  print(concordance(Surv(study$time, study$event) ~ markers[[name]], reverse = TRUE))
}
"""


def survival_script(
    *,
    file: str,
    columns: Mapping[str, str],
    codes: tuple[Any, Any],
    markers: Mapping[str, bool],
    competing: bool,
    estimates: Sequence[Mapping[str, Any]],
    version: str,
) -> str:
    """Return the script.

    Parameters
    ----------
    file : the name to open the table by, comma separated
    columns : names of the columns of time and event
    codes : of the event of interest and of censoring
    markers : names of the markers, and whether high values speak for an early event
    competing : whether there are other events
    estimates : classifier, time, estimate and std_error of every area
    version : of rocstats
    """
    times = list(dict.fromkeys(row["time"] for row in estimates))
    return _TEXT.format(
        version=version,
        file=r_string(file),
        time=r_string(columns["time"]),
        event=r_string(columns["event"]),
        interest=r_string(str(codes[0])),
        censored=r_string(str(codes[1])),
        markers=", ".join(
            f"{r_string(name)} = {'' if up else '-'}data[[{r_string(name)}]]"
            for name, up in markers.items()
        ),
        outcome="Hist(time, event)" if competing else "Surv(time, event)",
        cause=" cause = 1," if competing else "",
        times=", ".join(f"{t:.17g}" for t in times),
        concordance="" if competing else _CONCORDANCE,
        names=", ".join(r_string(str(row["classifier"])) for row in estimates),
        whens=_numbers(estimates, "time"),
        estimates=_numbers(estimates, "estimate"),
        errors=_numbers(estimates, "std_error"),
    )


def _numbers(rows: Sequence[Mapping[str, Any]], name: str) -> str:
    return ", ".join("NA" if row[name] is None else f"{row[name]:.17g}" for row in rows)
