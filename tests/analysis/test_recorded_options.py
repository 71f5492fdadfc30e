"""Every option of a report changes its facts, and these are as they were recorded."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from recorded import hold, shortened

from rocstats.analysis.options import OPTIONS

sys.path.insert(0, str(Path(__file__).parents[1] / "reports"))
from report_example import example_facts, example_frame
from test_recorded_facts import steady

USUAL: dict[str, Any] = {
    "versus": None,
    "prespecified": {},
    "prevalence": (),
    "margin": None,
    "planned": None,
    "study": {},
    "units": {},
    "bounds": {},
}
NAMES = ("ndka", "s100b")
CHANGED: dict[str, dict[str, Any]] = {
    "adjust": {"adjust": "none"},
    "aim": {"margin": 0.1, "aim": "superiority"},
    "bounds": {"bounds": {"s100b": (0.0, 30.0)}},
    "comparator": {"comparator": True},
    "confidence_level": {"confidence_level": 0.8},
    "criterion": {"criterion": "closest"},
    "decision_range": {"scores": "probability", "decision_range": (0.1, 0.3)},
    "fpr_range": {"fpr_range": (0.0, 0.4)},
    "labels": {"labels": {"ndka": "NDKA"}},
    "margin": {"margin": 0.1},
    "n_resamples": {"n_resamples": 120},
    "prespecified": {"prespecified": {"ndka": (10.0,)}},
    "prevalence": {"prevalence": (0.2,)},
    "specificities": {"specificities": (0.8,)},
    "study": {"study": {"title": "Mine", "limitations": "Few."}},
    "units": {"units": {"ndka": "ng/ml"}},
    "versus": {"versus": "s100b"},
}


@cache
def facts(name: str = "") -> Any:
    options = USUAL | CHANGED.get(name, {})
    names = ("risk",) if name == "decision_range" else NAMES
    frame = example_frame(names, 60)
    return shortened(steady(example_facts(names, frame, **options)))


@pytest.mark.parametrize("name", CHANGED)
def test_an_option_changes_the_facts_which_are_as_recorded(name: str) -> None:
    found = facts(name)
    assert {k: v for k, v in found.items() if k != "settings"} != {
        k: v for k, v in facts().items() if k != "settings"
    }
    hold("analysis", f"option {name}", changed(facts(), found))


def changed(before: Any, now: Any) -> Any:
    """Return what is not as before, at its place."""
    if isinstance(before, dict) and isinstance(now, dict):
        gone = {key: "gone" for key in before if key not in now}
        return gone | {
            key: changed(before.get(key), one)
            for key, one in now.items()
            if key not in before or one != before[key]
        }
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = zip(before, now, strict=True)
        return {str(k): changed(a, b) for k, (a, b) in enumerate(pairs) if a != b}
    return now


def test_options_that_are_not_tried_here_are_of_the_rows_or_of_the_page() -> None:
    untried = {option.name for option in OPTIONS} - set(CHANGED)
    assert "adjust" not in untried
    hold("analysis", "options of rows and page", sorted(untried))
