"""An example study, small and quick, for tests of figures and pages."""

from typing import Any

import numpy as np
import pandas as pd

from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort, Source
from rocstats.analysis.plan import StudyPlan

NAMES = ("s100b", "ndka", "risk")


def example_frame(names: tuple[str, ...] = NAMES, n: int = 113) -> pd.DataFrame:
    """Return patients with a skewed marker, a tied one and a probability, over and over."""
    rng = np.random.default_rng(7)
    y = np.arange(n) % 11 < 4
    latent = rng.normal(size=n)
    columns: dict[str, Any] = {}
    for k, name in enumerate(names):
        x = (1.0, 0.55, 1.2)[k % 3] * y + 0.6 * latent + 0.8 * rng.normal(size=n)
        shapes = (
            np.round(np.exp(0.8 * x - 1.6), 2),
            np.round(10 * np.exp(0.4 * x), 0),
            1 / (1 + np.exp(-(1.3 * x - 1.4))),
        )
        columns[name] = shapes[k % 3]
    frame = pd.DataFrame(columns)
    frame["outcome"] = np.where(y, "Poor", "Good")
    frame["sex"] = np.where(rng.random(n) < 0.6, "Female", "Male")
    frame["age"] = np.round(50 + 12 * rng.normal(size=n))
    if n > 20:
        frame.loc[[3, 8, 15], names[0]] = np.nan
        frame.loc[[5], "outcome"] = None
    return frame


def example_facts(
    names: tuple[str, ...] = NAMES, frame: pd.DataFrame | None = None, **options: Any
) -> dict[str, Any]:
    """Return the facts of the example study; options go to the plan, or describe the rows."""
    frame = example_frame(names) if frame is None else frame
    rows = ("cluster", "higher_is_positive", "indeterminate")
    cohort = Cohort.of_frame(
        frame,
        outcome="outcome",
        markers=list(names),
        pos_label="Poor",
        groups=["sex"],
        baseline=["age"],
        source=Source(name="study.csv", format="CSV", sha256="0f" * 32),
        **{name: options.pop(name) for name in rows if name in options},
    )
    usual = {
        "versus": names[0] if len(names) > 1 else None,
        "prespecified": {names[0]: (0.21,)},
        "prevalence": (0.1,),
        "margin": 0.05,
        "planned": (50, 80),
        "units": {names[0]: "µg/L"},
        "bounds": dict.fromkeys(names[2::3], (0.0, 1.0)),
        "study": {
            "title": "S100B and NDKA for the outcome of subarachnoid haemorrhage",
            "analyst": "A. N. Analyst",
            "status": "prespecified",
            "question": "How well do markers at admission tell poor from favourable outcome?",
            "index_test": "Serum markers at admission",
            "reference_standard": "Glasgow Outcome Scale at six months",
            "limitations": "One centre; each marker was measured once.",
        },
        "n_resamples": 100,
        "r": "no",
    }
    plan = StudyPlan(**(usual | options))
    return gather_facts(cohort, plan, call="rocstats report study.csv --outcome outcome")
