"""The options of a report in a TOML file: how the file is read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rocstats.analysis.option_kinds import PATH, WrongKindError
from rocstats.analysis.options import GROUPS, OPTIONS, STUDY, STUDY_TEXTS, Option, in_group
from rocstats.errors import InvalidOptionError, did_you_mean, listed, new_word

__all__ = ["read_config"]

_KEYED = [option for option in OPTIONS if option.group != STUDY]


def read_config(name: str) -> dict[str, Any]:
    """Return the options in a TOML file by their names.

    Paths are relative to the folder of the file. Whatever is unknown or of the wrong kind is
    refused in one sentence.
    """
    path = Path(name)
    options: dict[str, Any] = {}
    known: dict[tuple[str, str], Option] = {(option.group, option.key): option for option in _KEYED}
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
    for option in _KEYED:
        if option.kind is PATH and option.name in options:
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
    tables = list(GROUPS)
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
    homes = [option.group for option in _KEYED if option.key == key]
    if homes:
        return f"put it in [{homes[0]}]."
    if key in STUDY_TEXTS:
        return f"put it in [{STUDY}]."
    keys = [option.key for option in _KEYED]
    return f"the options are {listed(keys, len(keys))}.{did_you_mean(key, keys)}"


def _unknown(name: str, table: str, key: str) -> str:
    keys = [option.key for option in in_group(table)]
    new = new_word(key, keys)
    if new:
        return f"{name}: there is no option {key!r} in [{table}]; it is called {new[0]!r}{new[1]}."
    close = did_you_mean(key, keys)
    if not close and (any(option.key == key for option in _KEYED) or key in STUDY_TEXTS):
        return f"{name}: {key!r} does not belong in [{table}]; {_place(key)}"
    return (
        f"{name}: there is no option {key!r} in [{table}]; "
        f"there are {listed(keys, len(keys))}.{close}"
    )


def _study(name: str, entries: Mapping[str, Any]) -> dict[str, str]:
    for key, value in entries.items():
        if key not in STUDY_TEXTS:
            raise InvalidOptionError(
                f"{name}: there is no text {key!r} in [{STUDY}]; "
                f"there are {listed(STUDY_TEXTS, len(STUDY_TEXTS))}."
                f"{did_you_mean(key, STUDY_TEXTS)}"
            )
        if not isinstance(value, str):
            raise InvalidOptionError(
                f"{name}: {STUDY}.{key} must be a text in quotes, got {value!r}."
            )
    return {key: value for key, value in entries.items() if value.strip()}


def _taken(name: str, option: Option, value: Any) -> Any:
    try:
        return option.kind.read(value)
    except WrongKindError as expected:
        raise InvalidOptionError(
            f"{name}: {option.group}.{option.key} must be {expected}, got {value!r}."
        ) from None
