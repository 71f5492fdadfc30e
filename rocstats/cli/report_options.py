"""The options of ``rocstats report`` on the command line: asked for, taken, and written again."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from rocstats.analysis.option_kinds import PATH
from rocstats.analysis.options import GROUPS, Option, in_group

__all__ = ["add_arguments", "as_argument", "call_text", "given_options"]

_SPOKEN = [option for group in GROUPS for option in in_group(group) if option.flags]

_WRITTEN = {"output", "figures", "tables"}  # where to, which changes no page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; what is not given is None, so that a file may say it."""
    names = dict.fromkeys(option.group for option in _SPOKEN)
    groups = {name: parser.add_argument_group(GROUPS[name]) for name in names}
    add = groups["report"].add_argument
    add("--title", metavar="TEXT", help="title of the page; other texts stand in the TOML file")
    for option in _SPOKEN:
        groups[option.group].add_argument(*option.flags, **as_argument(option))
    add("--config", metavar="FILE", help="TOML file of options; those given here win over it")
    add("--init", action="store_true", help="write such a file from the data with -o, and no page")
    add("--json", action="store_true", help="print every number as JSON")
    add("--quiet", action="store_true", help="do not show the progress")


def as_argument(option: Option) -> dict[str, Any]:
    """Return an option as `argparse` wants it."""
    kind, default = option.kind, option.default
    notes = [f"default: {kind.spell(default)[0]}"] if default else []
    notes += ["repeatable"] if kind.action == "append" else []
    about = option.about + "".join(f" ({note})" for note in notes)
    found: dict[str, Any] = {"help": about.replace("%", "%%")}
    if not option.flags[0].startswith("-"):
        return found | {"nargs": "?"}
    found["dest"] = option.name
    if kind.action == "flag":
        return found | {"action": argparse.BooleanOptionalAction}
    return found | {
        "action": kind.action,
        "type": kind.word,
        "metavar": option.metavar,
        "choices": kind.choices,
    }


def given_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the command line that were given."""
    return {
        option.name: option.kind.gather(value)
        for option in _SPOKEN
        if (value := getattr(args, option.name)) is not None and value != []
    }


def call_text(args: argparse.Namespace) -> str:
    """Return the command that gives the same page, wherever the files are."""
    words = ["rocstats", "report"]
    for option in _SPOKEN:
        if option.name not in _WRITTEN:
            words += _written(option, getattr(args, option.name))
    for flag, value in (("--title", args.title), ("--config", _file_name(args.config))):
        words += [] if value is None else [flag, value]
    return shlex.join(words)


def _written(option: Option, value: Any) -> list[str]:
    flag = option.flags[-1]
    if value is None:
        return []
    if isinstance(value, bool):
        return [flag if value else flag.replace("--", "--no-", 1)]
    said = option.kind.spell(_file_name(value) if option.kind is PATH else value)
    return [word for text in said for word in _words(flag, text)]


def _words(flag: str, text: str) -> list[str]:
    """Return a value with its flag, in one word where it begins with a minus sign."""
    if not flag.startswith("-"):
        return [text]
    return [f"{flag}={text}"] if text.startswith("-") and flag.startswith("--") else [flag, text]


def _file_name(path: str | None) -> str | None:
    return None if path is None else Path(path).name
