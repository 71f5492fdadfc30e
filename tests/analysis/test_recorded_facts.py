"""Every fact of a study is as it was recorded, whatever its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from recorded import hold, shortened

sys.path.insert(0, str(Path(__file__).parents[1] / "reports"))
from report_example import example_facts
from test_recorded_pages import EXAMPLES, SHOWN
from test_report_odd import page_of

# Facts of the machine, and not of the study.
LEFT_OUT = ("reproducibility", "r")


def steady(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name not in LEFT_OUT}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_facts_of_the_example_are_as_recorded(name: str) -> None:
    options = dict(EXAMPLES[name])
    facts = example_facts(options.pop("names", ("s100b", "ndka", "risk")), **options)
    hold("analysis", f"example, {name}", shortened(steady(facts)))


@pytest.mark.parametrize("name", SHOWN)
def test_the_facts_of_an_odd_study_are_as_recorded(name: str) -> None:
    hold("analysis", name, shortened(steady(page_of(name).facts)))
