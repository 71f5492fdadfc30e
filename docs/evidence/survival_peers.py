"""Areas and concordances beside scikit-survival and lifelines: ``docs/evidence/survival_peers.md``.

``python docs/evidence/survival_peers.py`` needs both, which rocstats does not:
``pip install scikit-survival lifelines``. Without them it says so and leaves the page as it is.
"""

from __future__ import annotations

import csv
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import rocstats as rs

ROOT = Path(__file__).parents[2]
STUDIES = {
    "surv_sim": (ROOT / "tests" / "reference" / "surv_sim.csv", "time event x", (3, 6, 10)),
    "surv_ties": (ROOT / "tests" / "reference" / "surv_ties.csv", "time event x", (4, 10, 20)),
    "breast_followup": (rs.datasets.path("breast_followup"), "days status nodes", (730, 1826)),
}


def tiny() -> dict[str, Any]:
    """Return a study whose scores are of the size of 1e-10."""
    rng = np.random.default_rng(0)
    score = rng.normal(size=200) * 1e-10
    time = rng.exponential(size=200) * np.exp(-score * 1e10)
    return {"time": time, "event": np.ones(200, dtype=int), "x": score}


def rows() -> list[str]:
    """Return the lines of the table."""
    from lifelines.utils import concordance_index  # type: ignore[import-not-found]
    from sksurv import metrics  # type: ignore[import-not-found]
    from sksurv.util import Surv  # type: ignore[import-not-found]

    lines = []

    def add(study: str, what: str, ours: float, theirs: float, other: float | None = None) -> None:
        more = "" if other is None else f"{other:.6f} ({other - ours:+.1e})"
        lines.append(
            f"| {study} | {what} | {ours:.6f} | {theirs:.6f} ({theirs - ours:+.1e}) | {more} |"
        )

    def harrell(study: str, data: dict[str, Any]) -> None:
        time, event, score = data.values()
        sample = rs.SurvivalSample.from_frame(data, *list(data))
        found = rs.concordance(sample).value
        theirs = metrics.concordance_index_censored(event == 1, time, score)[0]
        add(study, "Harrell's C", found, theirs, concordance_index(time, -score, event))

    for study, (path, names, times) in STUDIES.items():
        with path.open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        data = {name: np.array([float(row[name]) for row in table]) for name in names.split()}
        time, event, score = data.values()
        sample = rs.SurvivalSample.from_frame(data, *list(data))
        outcome = Surv.from_arrays(event == 1, time)
        for t in times:
            theirs = metrics.cumulative_dynamic_auc(outcome, outcome, score, [t])[0][0]
            add(study, f"AUC({t})", rs.auc_at(sample, times=t).value, theirs)
        theirs = metrics.concordance_index_ipcw(outcome, outcome, score, tau=times[-1])[0]
        found = rs.concordance(sample, "uno", tau=times[-1]).value
        add(study, f"Uno's C({times[-1]})", found, theirs)
        harrell(study, data)
    harrell("scores of 1e-10", tiny())
    return lines


def main() -> None:
    """Write the page."""
    missing = [name for name in ("sksurv", "lifelines") if find_spec(name) is None]
    if missing:
        print(f"{', '.join(missing)} not installed: pip install scikit-survival lifelines")
        return
    lines = [
        "# Survival outcomes beside scikit-survival and lifelines",
        "",
        "Written by `python docs/evidence/survival_peers.py` (rocstats "
        f"{rs.__version__}, scikit-survival {version('scikit-survival')}, lifelines "
        f"{version('lifelines')}). Values, and in brackets how far they are from ours. `surv_sim` "
        "has no ties in time, `surv_ties` whole times, `breast_followup` days. Ours are R's "
        "(riskRegression, survival) to the last digits in all of these but `breast_followup`, "
        "which R was not asked for.",
        "",
        "| data | what | rocstats | scikit-survival | lifelines |",
        "|---|---|---|---|---|",
        *rows(),
        "",
        "Without ties in time all agree. With ties scikit-survival's curve of censoring is another "
        "one than that of survival, timeROC and riskRegression, in which events precede censorings "
        "of the same time; and it takes scores within 1e-8 as tied. Neither package has a standard "
        "error for any of these numbers. What follows from it: [](../coming_from/survival.md).",
        "",
    ]
    Path(__file__).with_suffix(".md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
