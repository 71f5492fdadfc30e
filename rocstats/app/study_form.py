"""The form of a report, made of its one table of options: shown, taken, and judged as it is typed.

A column is chosen by its place, never by its name, so that no name can be taken for another; a
draft is what the browser sent, by the names of the fields, and nothing of it is lost.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rocstats.analysis import option_kinds as kinds
from rocstats.analysis.options import STUDY, STUDY_TEXTS, Option, in_group
from rocstats.analysis.plan import StudyPlan
from rocstats.app.form_parts import BY_NAME, FORM, field_of, is_per_marker, label, takes
from rocstats.errors import InvalidOptionError, Mention, RocstatsError, Sentence

__all__ = [
    "Draft",
    "Filled",
    "first_draft",
    "read_draft",
    "reading_options",
    "spoken",
    "spoken_sentence",
    "typed",
]

Draft = Mapping[str, Sequence[str]]
Columns = Sequence[Mapping[str, Any]]

_TRUE_CLASSES = 2
_AGAIN = "Answer it under “How the file is read”, and read the file again."


@dataclass(slots=True, kw_only=True)
class Filled:
    """What a draft says: options by their names, and what is wrong with it, by field."""

    options: dict[str, Any] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def first_draft(columns: Columns, proposed: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the draft that a table leaves no doubt about, for the user to look through."""
    place = {column["name"]: i for i, column in enumerate(columns)}
    draft: dict[str, list[str]] = {}
    if "outcome" in proposed:
        i = place[proposed["outcome"]]
        draft["outcome"] = [str(i)]
        values = [value for value, _ in columns[i]["values"]]
        if proposed.get("positive") in values:
            draft[f"positive:{i}"] = [str(values.index(proposed["positive"]))]
    return draft


def reading_options(draft: Draft) -> Filled:
    """Return the options of a draft that say how the file is read."""
    filled = Filled()
    for option in in_group("reading"):
        _take(filled, option, draft, ())
    return filled


def read_draft(draft: Draft, columns: Columns) -> Filled:
    """Return the options of a draft, and a sentence for each field that cannot be taken."""
    filled = Filled()
    for option in FORM:
        if not is_per_marker(option) and option.name != "lower_is_positive":
            _take(filled, option, draft, columns)
    markers = filled.options.get("markers", [])
    chosen = [i for i, column in enumerate(columns) if column["name"] in markers]
    for option in FORM:
        if is_per_marker(option):
            _take_per_marker(filled, option, draft, columns, chosen)
    low = [columns[i]["name"] for i in _places(draft, "lower_is_positive", columns) if i in chosen]
    if low:
        filled.options["lower_is_positive"] = low
    _judge_columns(filled, columns)
    if not filled.problems:
        _judge_plan(filled)
    return filled


# ---------------------------------------------------------------------------------- taking values


def _take(filled: Filled, option: Option, draft: Draft, columns: Columns) -> None:
    try:
        value = _value(option, draft, columns, filled)
        if value in (None, "", [], {}) or value == option.default:
            return
        if option.planned:
            option.check(option.take(value))
    except RocstatsError as error:
        filled.problems[option.name] = spoken(error)
    else:
        filled.options[option.name] = value


def _value(option: Option, draft: Draft, columns: Columns, filled: Filled) -> Any:
    kind, name = option.kind, option.name
    text = typed(draft, name)
    if name == STUDY:
        texts = {key: typed(draft, f"{STUDY}:{key}") for key in STUDY_TEXTS}
        return {key: said for key, said in texts.items() if said}
    if name == "positive":
        return _class(draft, name, columns)
    if kind is kinds.NAMES:
        return [columns[i]["name"] for i in _places(draft, name, columns)]
    if kind in (kinds.COLUMN, kinds.MARKER):
        return next((columns[i]["name"] for i in _places(draft, name, columns)), None)
    if kind in (kinds.CELLS, kinds.CELL_LIST):
        return [cell.strip() for cell in kinds.names(text) if cell.strip()] if text else []
    if kind is kinds.FLAG:
        return True if text else option.default
    return _word(option, text) if text else None


def _class(draft: Draft, name: str, columns: Columns) -> str | None:
    """Return the chosen value of the column that is the outcome."""
    for i in _places(draft, "outcome", columns):
        values = [value for value, _ in columns[i]["values"]]
        chosen = typed(draft, f"{name}:{i}")
        if chosen.isdecimal() and int(chosen) < len(values):
            return str(values[int(chosen)])
    return None


def _take_per_marker(
    filled: Filled, option: Option, draft: Draft, columns: Columns, chosen: Sequence[int]
) -> None:
    pairs = []
    for i in chosen:
        place, marker = f"{option.name}:{i}", columns[i]["name"]
        text = typed(draft, place)
        several = option.kind is kinds.NUMBERS_BY_MARKER
        try:
            words = [part.strip() for part in text.split(",")] if several else [text]
            taken = [_word(option, f"{marker}={word}", word) for word in words if word]
            if taken:
                option.check(option.take(option.kind.gather(taken)))
            pairs += taken
        except RocstatsError as error:
            filled.problems[place] = spoken(error)
    if pairs:
        filled.options[option.name] = option.kind.gather(pairs)


def _word(option: Option, word: str, shown: str | None = None) -> Any:
    """Return the value of a word, as the command line would."""
    text = word if shown is None else shown
    try:
        return option.kind.word(word)
    except (ValueError, OverflowError, ArgumentTypeError):
        hint = ""
        if text.count(",") == 1 and text.replace(",", "").isdecimal():
            hint = f" Write decimals with a point, as {text.replace(',', '.')}."
        raise InvalidOptionError(f"Expected {takes(option)}, got {text!r}.{hint}") from None


def typed(draft: Draft, name: str) -> str:
    """Return what a field holds, or an empty text."""
    values = draft.get(name) or [""]
    return values[-1].strip()


def _places(draft: Draft, name: str, columns: Columns) -> list[int]:
    """Return the places of the columns that a field names; what is none is passed over."""
    found = [int(text) for text in draft.get(name, ()) if text.isdecimal() and len(text) < 7]
    return [i for i in dict.fromkeys(found) if i < len(columns)]


# ----------------------------------------------------------------------------------------- judging


def _judge_columns(filled: Filled, columns: Columns) -> None:
    """Say what lacks, and what a column cannot be."""
    options, problems = filled.options, filled.problems
    by_name = {column["name"]: column for column in columns}
    outcome = by_name.get(options.get("outcome", ""))
    if outcome is None:
        problems["outcome"] = "Say which column holds the true class."
    elif _n_classes(outcome, options.get("exclude", ())) != _TRUE_CLASSES:
        problems["outcome"] = (
            f"{outcome['name']} has {outcome['distinct']} values, and a true class has two; "
            "choose another column, or name the values to leave out under “Exclude”."
        )
    elif "positive" not in options:
        problems["positive"] = (
            f"Say which value of {outcome['name']} means that the condition is present."
        )
    markers = options.get("markers", [])
    if not markers:
        problems.setdefault("markers", "Choose at least one test or marker.")
    for name in markers:
        if outcome is not None and name == outcome["name"]:
            problems["markers"] = f"{name} is the true class; it cannot be a marker as well."
        elif by_name[name].get("question") and not options.get("indeterminate"):
            problems.setdefault("markers", f"{by_name[name]['question']} {_AGAIN}")
        elif by_name[name]["kind"] in ("text", "date", "other") and not (
            options.get("test_positive") or options.get("indeterminate")
        ):
            problems.setdefault(
                "markers",
                f"{name} holds {by_name[name]['kind']}, not numbers. If its results are words, say "
                "below which of them is positive; if some cells are indeterminate, name them.",
            )
    versus = options.get("versus")
    if versus is not None and versus not in markers:
        problems["versus"] = f"{versus} is not among the markers that are chosen above."


def _n_classes(outcome: Mapping[str, Any], exclude: Sequence[str]) -> int:
    """Return how many values a column has without those that are left out."""
    gone = {str(label).strip().casefold() for label in exclude}
    out = [value for value, _ in outcome["values"] if value.strip().casefold() in gone]
    return int(outcome["distinct"]) - len(out)


def _judge_plan(filled: Filled) -> None:
    """Say what the options are refused for together."""
    options = filled.options
    try:
        plan = StudyPlan(
            **{
                option.name: option.take(options.get(option.name, option.default))
                for option in FORM
                if option.planned
            }
        )
        plan.check_markers(options["markers"])
    except RocstatsError as error:
        filled.problems[field_of(error.option)] = spoken(error)


def spoken(error: RocstatsError) -> str:
    """Return the refusal in the words of the form."""
    return spoken_sentence(error.sentence)


def spoken_sentence(sentence: Sentence, names: Iterable[str] = ()) -> str:
    """Return a sentence of the library in the words of the form.

    It begins with a capital, unless it begins with one of these names of files and columns.
    """

    def speak(mention: Mention) -> str:
        if mention.wording == kinds.BOUNDS_FORM:
            return "low, high"
        known = BY_NAME.get(field_of(mention.name))
        words = mention.wording if known is None else f"“{label(known)}”"
        return f"{words} {mention.value}".strip() if known and mention.value else words

    said = sentence.spoken(speak)
    if any(name and said.startswith(name) for name in names):
        return said
    return said[:1].upper() + said[1:]
