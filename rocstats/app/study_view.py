"""The form of a study as a template shows it: every option a field, every column a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.analysis import option_kinds as kinds
from rocstats.analysis.options import STUDY, STUDY_TEXTS, Option
from rocstats.app.column_pictures import picture, summary
from rocstats.app.form_parts import PARTS, is_per_marker, label, takes
from rocstats.app.study_form import Columns, Draft, typed
from rocstats.reports.markup import Markup

__all__ = ["columns_view", "form_view"]

_NESTED = ("positive", "lower_is_positive")  # these stand within the column that they are about
_FEW = 24  # values of a column that can be an outcome or a subgroup
_NUMBERS = ("number", "labelled", "yes or no")


def columns_view(columns: Columns) -> list[dict[str, Any]]:
    """Return the columns with what a reader and a listener are told of them."""
    return [
        {**column, "place": i, "picture": Markup(picture(column)), "summary": summary(column)}
        for i, column in enumerate(columns)
    ]


def form_view(columns: Columns, draft: Draft, problems: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the parts of the form, with their fields filled in."""
    seen = columns_view(columns)
    parts = []
    for part in PARTS:
        fields = [
            _field(option, seen, draft, problems)
            for option in part.options
            if option.name not in _NESTED and not is_per_marker(option)
        ]
        wrong = any(field["problem"] for field in fields)
        filled = any(typed(draft, field["name"]) for field in fields)
        parts.append(
            {
                "title": part.title,
                "about": part.about,
                "folded": part.folded and not wrong and not filled,
                "folds": part.folded,
                "again": part.again,
                "fields": fields,
            }
        )
    return parts


def _field(
    option: Option, columns: Sequence[dict[str, Any]], draft: Draft, problems: Mapping[str, str]
) -> dict[str, Any]:
    name, kind = option.name, option.kind
    chosen = list(draft.get(name, ()))
    shown: dict[str, Any] = {
        "name": name,
        "label": label(option),
        "help": _help(option),
        "problem": problems.get(name, ""),
        "value": typed(draft, name),
        "widget": "text",
        "example": _example(option),
    }
    if name == "outcome":
        return shown | {"widget": "outcome", "columns": _outcomes(columns, draft, problems, chosen)}
    if name == "markers":
        return shown | {"widget": "markers", **_markers(columns, draft, problems, chosen)}
    if name == STUDY:
        return shown | {"widget": "texts", "texts": _texts(draft)}
    if kind is kinds.NAMES:
        fit = [c for c in columns if name != "subgroup" or 2 <= c["distinct"] <= _FEW]
        marked = [{**c, "checked": str(c["place"]) in chosen} for c in fit]
        return shown | {"widget": "columns", "columns": marked}
    if kind in (kinds.COLUMN, kinds.MARKER):
        fit = [c for c in columns if kind is kinds.COLUMN or c["kind"] in _NUMBERS]
        offered = [(str(c["place"]), c["name"]) for c in fit]
        return shown | {"widget": "choice", "choices": [("", "none"), *offered]}
    if kind.choices:
        usual = option.default
        first = "as usual" if usual is None else f"{usual} (as usual)"
        named = [c for c in kind.choices if c != usual and c[:1].isalpha()]
        return shown | {"widget": "choice", "choices": [("", first), *((c, c) for c in named)]}
    if kind is kinds.FLAG:
        return shown | {"widget": "flag"}
    return shown


def _help(option: Option) -> str:
    said = option.about[:1].upper() + option.about[1:] + "."
    return f"{said} {option.more}".replace("`", "").strip() if option.more else said


def _example(option: Option) -> str:
    """Return what a field would hold if it were filled in as usual."""
    if option.default not in (None, (), False):
        return option.kind.spell(option.default)[0]
    example = (option.example or "").strip("[]").replace('"', "")
    return "" if "MARKER" in example else example


def _outcomes(
    columns: Sequence[dict[str, Any]], draft: Draft, problems: Mapping[str, str], chosen: list[str]
) -> list[dict[str, Any]]:
    """Return the columns that can be an outcome, those with two values first."""
    fit = [c for c in columns if 2 <= c["distinct"] <= _FEW and c["values"]]
    fit.sort(key=lambda column: (column["distinct"] != 2, column["place"]))
    return [
        {
            **column,
            "checked": str(column["place"]) in chosen,
            "positive": typed(draft, f"positive:{column['place']}"),
            "problem": problems.get("positive", ""),
        }
        for column in fit
    ]


def _markers(
    columns: Sequence[dict[str, Any]], draft: Draft, problems: Mapping[str, str], chosen: list[str]
) -> dict[str, Any]:
    """Return the columns that can be markers, with the fields that each has; others apart."""
    options = [o for part in PARTS for o in part.options if is_per_marker(o)]
    first: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for column in columns:
        i = column["place"]
        seen = {
            **column,
            "checked": str(i) in chosen,
            "low": str(i) in draft.get("lower_is_positive", ()),
            "fields": [
                {
                    "name": f"{o.name}:{i}",
                    "label": label(o),
                    "help": f"{_help(o)} Takes {takes(o)}.",
                    "value": typed(draft, f"{o.name}:{i}"),
                    "problem": problems.get(f"{o.name}:{i}", ""),
                    "example": "",
                }
                for o in options
            ],
        }
        numbers = column["kind"] in _NUMBERS or bool(column.get("question"))
        likely = numbers and column["distinct"] > 2 and not column["is_id"]
        (first if likely or seen["checked"] else others).append(seen)
    return {"columns": first, "others": others}


def _texts(draft: Draft) -> list[dict[str, Any]]:
    return [
        {
            "name": f"{STUDY}:{key}",
            "label": key.replace("_", " ").capitalize(),
            "help": f"{question[:1].upper()}{question[1:]}.",
            "value": typed(draft, f"{STUDY}:{key}"),
        }
        for key, question in STUDY_TEXTS.items()
    ]
