"""What may be asked of a survival study: one table of options, for the command and for the app."""

from __future__ import annotations

import argparse

from rocstats.analysis.option_kinds import names

__all__ = ["add_survival_options"]


def add_survival_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of a command, or of a form."""
    add = parser.add_argument
    add("--time", required=True, metavar="COLUMN", help="column of times to event or censoring")
    add("--event", required=True, metavar="COLUMN", help="column of what happened then")
    add(
        "--markers",
        required=True,
        type=names,
        action="extend",
        metavar="A,B",
        help="columns of scores; quote a name that holds a comma or begins with a space",
    )
    add("--at", required=True, type=names, action="extend", metavar="T,T", help="times")
    add("--event-code", default="1", metavar="CODE", help="code of the event (default: 1)")
    add("--censored", default="0", metavar="CODE", help="code of censoring (default: 0)")
    add(
        "--controls",
        default="event-free",
        metavar="WHO",
        help="event-free (default: competing events are controls) or survivors (they take no part)",
    )
    add(
        "--concordance",
        metavar="METHOD",
        help="harrell or uno: the concordance of each marker, too",
    )
    add("--tau", type=float, metavar="T", help="time up to which pairs count for the concordance")
    add(
        "--thresholds",
        type=names,
        action="extend",
        default=[],
        metavar="A=CUT,B=CUT",
        help="sensitivity, specificity, PPV and NPV from these scores on",
    )
    add("--band", action="store_true", help="limits that hold at all the times together, too")
    add("--margin", type=float, metavar="MARGIN", help="test of non-inferiority by this margin")
    add("--new", metavar="MARKER", help="the marker that is to be shown, with --margin")
    add("--standard", metavar="MARKER", help="the marker it is held against")
    add("--cluster", metavar="COLUMN", help="column of clusters of dependent rows")
    add(
        "--censoring-strata",
        metavar="COLUMN",
        help="column of groups within which censoring is estimated (centre, year of entry)",
    )
    add(
        "--lower-is-positive",
        type=names,
        action="extend",
        default=[],
        metavar="B",
        help="markers whose low values speak for an early event",
    )
    add(
        "--nan-policy",
        choices=("raise", "omit"),
        default="raise",
        help="refuse missing values (default), or drop subjects that have one from all markers",
    )
    add(
        "--adjust",
        default="holm",
        metavar="METHOD",
        help="p-values of several pairs of markers: none, bonferroni, holm... (default: holm)",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add("--title", metavar="TEXT", help="title of the page")
