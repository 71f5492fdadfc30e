"""The options of a report in a TOML file: which there are, and how the file is read."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.errors import InvalidOptionError, as_number, did_you_mean, listed

__all__ = ["OPTIONS", "STUDY", "Option", "read_config"]

STUDY = "study"


class _WrongKindError(Exception):
    """A value is not what the option takes; the message says what it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a report.

    Attributes
    ----------
    table, key : where it stands in the file
    name : what the command line calls it
    take : returns the value, or says what was expected
    about : one line on it
    example : a value, as it may be written; MARKER stands for a marker
    """

    table: str
    key: str
    name: str
    take: Callable[[Any], Any]
    about: str
    example: str


def read_config(name: str) -> dict[str, Any]:
    """Return the options in a TOML file by the names of the command line.

    Paths are relative to the folder of the file. Whatever is unknown or of the wrong kind is
    refused in one sentence.
    """
    path = Path(name)
    options: dict[str, Any] = {}
    known = {(option.table, option.key): option for option in OPTIONS}
    for table, entries in _parse(path).items():
        _check_table(name, table, entries)
        if table == STUDY:
            options[STUDY] = _study(name, entries)
            continue
        for key, value in entries.items():
            option = known.get((table, key))
            if option is None:
                raise InvalidOptionError(_unknown(name, table, key))
            options[option.name] = _taken(name, option, value)
    for option in OPTIONS:
        if option.take is _path and option.name in options:
            options[option.name] = str(path.parent / options[option.name])
    return options


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise InvalidOptionError(
            f"There is no file {path}; write one with rocstats report DATA --init -o {path}."
        ) from None
    except OSError as reason:
        raise InvalidOptionError(f"{path} could not be read: {reason.strerror}.") from None
    except UnicodeDecodeError:
        raise InvalidOptionError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except ValueError as reason:  # not TOML, or a number of too many digits
        why = str(reason).splitlines()[0].rstrip(".")
        raise InvalidOptionError(f"{path} is not valid TOML: {why}.") from None
    except RecursionError:
        raise InvalidOptionError(f"{path} is not valid TOML: it is nested too deeply.") from None


def _check_table(name: str, table: str, entries: Any) -> None:
    tables = [*dict.fromkeys(option.table for option in OPTIONS), STUDY]
    if table in tables and isinstance(entries, Mapping):
        return
    if table in tables:
        raise InvalidOptionError(f"{name}: {table} must be a table, written as [{table}].")
    if isinstance(entries, Mapping):
        raise InvalidOptionError(
            f"{name} has a table [{table}], but there are only "
            f"{', '.join(f'[{t}]' for t in tables)}.{did_you_mean(table, tables)}"
        )
    raise InvalidOptionError(f"{name}: {table!r} stands in no table; {_place(table)}")


def _place(key: str) -> str:
    """Return where a key belongs, or the closest one there is."""
    homes = [option.table for option in OPTIONS if option.key == key]
    if homes:
        return f"put it in [{homes[0]}]."
    if key in _study_texts():
        return f"put it in [{STUDY}]."
    keys = [option.key for option in OPTIONS]
    return f"the options are {listed(keys, len(keys))}.{did_you_mean(key, keys)}"


def _unknown(name: str, table: str, key: str) -> str:
    keys = [option.key for option in OPTIONS if option.table == table]
    close = did_you_mean(key, keys)
    if not close and (any(option.key == key for option in OPTIONS) or key in _study_texts()):
        return f"{name}: {key!r} does not belong in [{table}]; {_place(key)}"
    return (
        f"{name}: there is no option {key!r} in [{table}]; "
        f"there are {listed(keys, len(keys))}.{close}"
    )


def _study_texts() -> tuple[str, ...]:
    from rocstats.analysis.plan import STUDY_TEXTS

    return STUDY_TEXTS


def _study(name: str, entries: Mapping[str, Any]) -> dict[str, str]:
    texts = _study_texts()
    for key, value in entries.items():
        if key not in texts:
            raise InvalidOptionError(
                f"{name}: there is no text {key!r} in [{STUDY}]; "
                f"there are {listed(texts, len(texts))}.{did_you_mean(key, texts)}"
            )
        if not isinstance(value, str):
            raise InvalidOptionError(
                f"{name}: {STUDY}.{key} must be a text in quotes, got {value!r}."
            )
    return {key: value for key, value in entries.items() if value.strip()}


def _taken(name: str, option: Option, value: Any) -> Any:
    try:
        return option.take(value)
    except _WrongKindError as expected:
        raise InvalidOptionError(
            f"{name}: {option.table}.{option.key} must be {expected}, got {value!r}."
        ) from None


# --------------------------------------------------------------------------------- kinds of values


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongKindError("a text in quotes")
    return value


def _path(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongKindError("the path of a file in quotes")
    return value


def _label(value: Any) -> str:
    if not isinstance(value, (str, int, float)):
        raise _WrongKindError("one label")
    return str(value)


def _texts(value: Any) -> list[str]:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(text, str) and text for text in given):
        raise _WrongKindError('a list of texts such as ["a", "b"]')
    return given


def _cells(value: Any) -> list[str]:
    given = value if isinstance(value, list) else [value]
    return [_label(cell) for cell in given]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _WrongKindError("a number")
    return as_number(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _WrongKindError("a whole number")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongKindError("true or false")
    return value


def _numbers(value: Any) -> list[float]:
    given = value if isinstance(value, list) else [value]
    try:
        return [_number(item) for item in given]
    except _WrongKindError:
        raise _WrongKindError("a number or a list of numbers") from None


def _two(take: Callable[[Any], Any], words: str) -> Callable[[Any], Any]:
    def pair(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            raise _WrongKindError(words)
        return tuple(take(item) for item in value)

    return pair


def _by_marker(take: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def mapping(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _WrongKindError("a table of markers, such as { marker = ... }")
        try:
            return {name: take(item) for name, item in value.items()}
        except _WrongKindError as expected:
            raise _WrongKindError(f"a table of markers and, for each, {expected}") from None

    return mapping


_LIMITS = _two(_number, "two numbers [low, high]")

# Keys that name several things, which the command line names one by one.
_ONE_BY_ONE = {"labels": "label", "units": "unit", "subgroups": "subgroup"}


def _options(table: str, *rows: tuple[str, Callable[[Any], Any], str, str]) -> list[Option]:
    return [
        Option(
            table=table,
            key=key,
            name=_ONE_BY_ONE.get(key, key),
            take=take,
            example=example,
            about=about,
        )
        for key, take, example, about in rows
    ]


OPTIONS = (
    *_options(
        "data",
        ("file", _path, '"study.csv"', "the table, beside this file"),
        ("outcome", _text, '"outcome"', "column of the true class"),
        ("positive", _label, '"Poor"', "the class to be found: its label or code"),
        ("markers", _texts, '["MARKER"]', "columns of scores"),
        (
            *("lower_is_positive", _texts, '["MARKER"]'),
            "markers whose low values speak for the positive class; never guessed",
        ),
        ("subject", _text, '"id"', "column of subject ids"),
        (
            *("cluster", _text, '"patient"'),
            "column of clusters of dependent rows (the patient of an eye or a lesion)",
        ),
        ("baseline", _texts, '["age", "sex"]', "columns that describe the subjects"),
        (
            *("indeterminate", _cells, '["equivocal"]'),
            "cells of marker columns that mean an indeterminate result",
        ),
        (
            *("nan_policy", _text, '"omit"'),
            '"omit": analyse complete rows and count the others; "raise": refuse missing values',
        ),
        (
            *("scores", _text, '"measured"'),
            '"measured"; by a "model" of other data; "fitted" to these data; "cross-validated"',
        ),
        ("labels", _by_marker(_text), '{ MARKER = "printed name" }', "printed names"),
        ("units", _by_marker(_text), '{ MARKER = "µg/l" }', "units of the markers"),
        (
            *("bounds", _by_marker(_LIMITS), "{ MARKER = [0, 3] }"),
            "limits of a marker's scale, where sAUC and smAUC are wanted on [0, 1]",
        ),
    ),
    *_options(
        "analysis",
        (
            *("reference", _text, '"MARKER"'),
            "marker that the others are compared with; without it, every pair",
        ),
        (
            *("prespecified", _by_marker(_numbers), "{ MARKER = 0.21 }"),
            "thresholds fixed before the data were seen; all others are labelled exploratory",
        ),
        ("prevalence", _numbers, "[0.1]", "prevalences of intended use, for predictive values"),
        ("subgroups", _texts, '["sex"]', "columns whose levels are analysed apart"),
        ("margin", _number, "0.05", "how much worse (or different) an AUC may be"),
        (
            *("aim", _text, '"non-inferiority"'),
            'what is to be shown: "non-inferiority", "equivalence" or "superiority"',
        ),
        ("adjust", _text, '"holm"', "adjustment of p-values for the number of comparisons"),
        (
            *("comparator", _flag, "false"),
            "true where the outcome is no reference standard: agreement instead of accuracy",
        ),
        ("fpr_range", _LIMITS, "[0, 0.1]", "false positive rates of the partial AUC"),
        ("specificities", _numbers, "[0.9, 0.95]", "where the sensitivity is estimated"),
        (
            *("planned", _two(_whole, "two whole numbers"), "[50, 100]"),
            "planned numbers of positives and negatives",
        ),
        ("confidence_level", _number, "0.95", "of every interval"),
        ("n_resamples", _whole, "2000", "bootstrap resamples"),
        ("seed", _whole, "1", "of the resampling; the same seed gives the same page"),
    ),
    *_options(
        "report",
        ("output", _path, '"report.html"', "the page to write, beside this file"),
        (
            *("templates", _path, '"templates"'),
            "folder of templates that replace those of the same name",
        ),
        ("r", _text, '"auto"', 'check with R\'s pROC: "auto" where R is there, "yes" or "no"'),
    ),
)
