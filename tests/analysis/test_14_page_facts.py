"""Issue 14, lines 5, 10, 30 and 31: what the facts of a report say of odd markers."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan

N = 120
ILL = np.arange(N) % 3 == 0


def facts_of(markers: dict[str, Any], rows: dict[str, Any] | None = None, **plan: Any) -> Any:
    frame = pd.DataFrame(markers | {"ill": ILL.astype(int)})
    cohort = Cohort.of_frame(frame, outcome="ill", markers=list(markers), **(rows or {}))
    return gather_facts(cohort, StudyPlan(**({"n_resamples": 100, "r": "no"} | plan)))


def latent(seed: int = 1) -> Any:
    return np.random.default_rng(seed).normal(size=N) + ILL


def share(seed: int = 1) -> Any:
    return 1 / (1 + np.exp(-1.5 * latent(seed)))


# --- Line 5: a biomarker is no probability ------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "is_one", "is_smooth"),
    [
        ({}, False, False),
        ({"units": {"m": "g/g"}, "bounds": {"m": (0.0, 3.0)}}, False, True),
        ({"units": {"m": "g/g"}, "scores": "model"}, False, False),
        ({"bounds": {"m": (0.0, 3.0)}, "scores": "model"}, False, True),
        ({"bounds": {"m": (0.0, 1.0)}}, True, True),
        ({"bounds": {"m": (0.0, 1.0)}, "units": {"m": "risk"}}, True, True),
        *(
            ({"scores": scores}, True, True)
            for scores in ("model", "probability", "fitted", "cross-validated")
        ),
    ],
)
def test_14_05_only_who_says_so_has_probabilities(
    plan: dict[str, Any], is_one: bool, is_smooth: bool
) -> None:
    marker = facts_of({"m": share()}, **plan)["markers"][0]
    assert marker["probability"] is is_one
    assert (marker["calibration"] is not None) is (marker["decision"] is not None) is is_one
    assert (marker["estimates"]["smauc"] is not None) is (marker["smroc"] is not None) is is_smooth
    assert marker["estimates"]["sauc"]["unit_scale"] is is_smooth


def test_14_05_a_measured_share_has_no_smooth_curve_and_says_why() -> None:
    marker = facts_of({"feature": 0.2 * share()})["markers"][0]
    assert marker["smroc"] is None
    assert marker["smauc_why"] == "the scores are not said to be probabilities"


def test_14_05_measured_shares_are_compared_by_auc_alone() -> None:
    markers = {"a": share(), "b": share(2)}
    assert facts_of(markers)["comparisons"]["others"] == []
    told = facts_of(markers, scores="probability")["comparisons"]["others"]
    assert [other["measure"] for other in told] == ["sauc", "smauc"]
