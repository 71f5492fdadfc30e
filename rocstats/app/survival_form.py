"""The form of a survival study, made of the options of ``rocstats survival``."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.analysis.survival_options import add_survival_options
from rocstats.app.command_form import CommandForm
from rocstats.app.fields import Field, Kind

__all__ = ["SURVIVAL_FORM", "survival_fields"]

_COLUMNS = ("markers", "lower_is_positive")
_GROUPS = {"time": "Time and event", "markers": "Markers", "at": "What is to be shown"}
_GROUPS |= {"event_code": "More options"}
_ORDER = ("time", "event", "markers", "lower_is_positive", "at", "thresholds", "margin", "new")

# What is asked where the name of an option says too little.
_LABELS = {
    "time": "Column of the times",
    "event": "Column of what happened then",
    "markers": "Markers",
    "lower_is_positive": "Markers whose low values speak for an early event",
    "at": "Times at which the markers are judged",
    "thresholds": "Thresholds fixed in advance",
    "margin": "Margin of non-inferiority",
    "new": "The new marker",
    "standard": "The standard marker",
    "event_code": "Code of the event",
    "censored": "Code of censoring",
    "cluster": "Rows that belong together",
    "tau": "Time up to which pairs count for the concordance",
    "band": "Limits that hold at all times together",
    "nan_policy": "Rows with missing cells",
    "censoring_strata": "Groups within which censoring is estimated",
    "adjust": "Adjustment of p-values for several pairs",
    "title": "Title of the page",
}


def survival_fields() -> tuple[Field, ...]:
    """Return a field for every option of the command, also one that is added tomorrow."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_survival_options(parser)
    asked = [action for action in parser._actions if action.dest != "help"]
    asked.sort(key=lambda a: _ORDER.index(a.dest) if a.dest in _ORDER else len(_ORDER))
    return tuple(_field(action) for action in asked)


def _field(action: argparse.Action) -> Field:
    name, about = action.dest, (action.help or "").partition("; quote")[0]  # for a shell
    return Field(
        name=name,
        kind=_kind(action),
        label=_LABELS.get(name, name.replace("_", " ").capitalize()),
        about=about[:1].upper() + about[1:] + ".",
        choices=tuple((choice, choice) for choice in action.choices or ()),
        default="" if action.default in (None, False, []) else str(action.default),
        needed=action.required,
        flag=action.option_strings[-1],
        group=_GROUPS.get(name, ""),
    )


def _kind(action: Any) -> Kind:
    if action.dest in _COLUMNS:
        return "columns"
    if action.nargs == 0:
        return "flag"
    if action.choices:
        return "choice"
    if action.metavar == "COLUMN":
        return "column"
    return "number" if action.type is float else "text"


SURVIVAL_FORM = CommandForm(
    name="survival",
    title="Survival study",
    about="Markers of a time to an event, as death or relapse. Nobody is dropped for being "
    "censored early.",
    other="no survival study",
    go="Judge the markers",
    fields=survival_fields(),
    called={"time": ("time", "days", "months", "years", "futime"), "event": ("event", "status")},
)
