"""Every figure of a report, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.reports.figures.decision_figure import draw_decision
from rocstats.reports.figures.difference_figure import draw_differences
from rocstats.reports.figures.distribution_figure import draw_distributions
from rocstats.reports.figures.explorer_figure import draw_explorer
from rocstats.reports.figures.flow_figure import draw_flow
from rocstats.reports.figures.forest_figure import draw_forest
from rocstats.reports.figures.midpoint_figure import draw_midpoints
from rocstats.reports.figures.precision_figure import draw_precision
from rocstats.reports.figures.predictive_figure import draw_predictive
from rocstats.reports.figures.rates_figure import draw_rates
from rocstats.reports.figures.reliability_figure import draw_calibration
from rocstats.reports.figures.roc_figure import draw_overview, draw_roc
from rocstats.reports.figures.smroc_figure import draw_smooth
from rocstats.reports.figures.sroc_figure import draw_scored
from rocstats.reports.figures.subgroup_figure import draw_subgroups
from rocstats.reports.figures.svg import Figure

__all__ = ["Drawn", "draw_all"]

Drawn = Figure | Sequence[Figure | None] | None


def draw_all(facts: Mapping[str, Any]) -> dict[str, Drawn]:
    """Draw every figure of a report.

    Parameters
    ----------
    facts : the tree of a report, wrapped so that its numbers know their paths, or plain

    Returns
    -------
    dict
        ``overview``, ``flow``, ``roc`` and ``forest`` are figures; ``smooth``,
        ``precision_recall``, ``differences`` and ``decision`` are figures or None;
        ``distributions``, ``predictive`` and ``calibration`` have one entry a marker, None where
        there is nothing to draw; ``scored`` has one figure for all markers on [0, 1] or one each;
        ``midpoints`` has one each; ``subgroups`` has one figure a column; ``explorer`` has the ROC
        curve and the classes, or none. Of qualitative tests there are ``overview``, ``flow`` and
        ``rates`` only.
    """
    if facts["kind"] == "qualitative":
        overview = draw_rates(facts, "overview", small=True)
        return {"overview": overview, "flow": draw_flow(facts), "rates": draw_rates(facts)}
    return {
        "overview": draw_overview(facts),
        "flow": draw_flow(facts),
        "distributions": draw_distributions(facts),
        "roc": draw_roc(facts),
        "scored": draw_scored(facts),
        "smooth": draw_smooth(facts),
        "precision_recall": draw_precision(facts),
        "midpoints": draw_midpoints(facts),
        "forest": draw_forest(facts),
        "differences": draw_differences(facts),
        "predictive": draw_predictive(facts),
        "explorer": draw_explorer(facts),
        "subgroups": draw_subgroups(facts),
        "calibration": draw_calibration(facts),
        "decision": draw_decision(facts),
    }
