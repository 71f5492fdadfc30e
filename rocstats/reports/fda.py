"""What FDA's guidance asks of a qualitative test, and where the page says it.

In our own words of "Statistical guidance on reporting results from studies evaluating diagnostic
tests" (CDRH, 13 March 2007). It is a reminder, not a review.
"""

from __future__ import annotations

from typing import Any

from rocstats.reports.checklist import (
    PARTICIPANTS,
    QUALITY,
    SUBGROUPS,
    THRESHOLDS,
    Facts,
    Item,
    always,
    asked,
    fill_row,
    text,
)

__all__ = ["FDA_ITEMS", "fda_facts"]


def fda_facts(facts: Facts) -> list[dict[str, Any]]:
    """Return every point with its status; none of tests that have a scale."""
    return [fill_row(item, facts) for item in FDA_ITEMS] if facts["kind"] == "qualitative" else []


FDA_ITEMS: tuple[Item, ...] = (
    text(
        "1", "Benchmark", "What the new test is compared with, and why that is a reference or not",
        "Describe the {standard}; where it is none, say so with --comparator.",
        "reference_standard",
    ),
    asked(
        "2", "Benchmark", "Sensitivity and specificity for a reference standard, agreement else",
        "State it.", THRESHOLDS, always,
    ),
    text(
        "3", "Subjects", "The population and whether it is that of the intended use",
        "State who could take part, and for whom the test is meant.", "eligibility", "question",
    ),
    asked(
        "4", "Subjects", "All subjects accounted for, with every reason for leaving out",
        "Draw the flow.", PARTICIPANTS, always,
    ),
    asked(
        "5", "Results", "The table of counts of each test by the {standard}", "Give it.",
        THRESHOLDS, always,
    ),
    asked(
        "6", "Results", "Estimates with confidence intervals", "Give them.", THRESHOLDS, always,
    ),
    asked(
        "7", "Results", "Results by site and by subgroup",
        "Name the site and other subgroups as columns.", SUBGROUPS,
        lambda facts: bool(facts["subgroups"]),
    ),
    asked(
        "8", "Results", "Equivocal and invalid results reported, and counted both ways",
        "Name such results with --indeterminate, or say that there were none.", QUALITY,
        lambda facts: any(m["cutpoints"][0]["indeterminate"] for m in facts["markers"]),
        "indeterminate_handling",
    ),
    asked(
        "9", "Conduct", "No resolution of discrepant results by a further test", "Say so.",
        ("methods", "Statistical methods"), always,
    ),
    text(
        "10", "Conduct", "What those who read either test knew", "Say what readers knew.",
        "blinding", "reference_blinding",
    ),
)  # fmt: skip
