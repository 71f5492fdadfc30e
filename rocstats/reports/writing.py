"""Everything that a report says in words: methods, results, abstract, checklists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.reports.checklist import checklist_facts
from rocstats.reports.fda import fda_facts
from rocstats.reports.methods import methods_text
from rocstats.reports.results_in_words import results_text
from rocstats.reports.tripod import tripod_facts

__all__ = ["written_up"]


def written_up(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a study with every text that is made of them."""
    told = results_text(methods_text(facts))
    return told | {
        "checklist": checklist_facts(told),
        "tripod": tripod_facts(told),
        "fda": fda_facts(told),
    }
