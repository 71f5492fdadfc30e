"""The commands with their help, as the parsers print it: a page of the reference."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from unittest.mock import patch

from rocstats import cli
from rocstats.cli.command_parser import command_parser

WIDTH = 96  # columns of a help text on the page
WHOLE = "--help-all"  # where a command keeps its longer list


def page() -> str:
    """Return the page of all commands."""
    lines = [
        "# Commands",
        "",
        "Every command answers in words, or as JSON with `--json` ([](schemas.md)). Exit codes: 0 "
        "done, 1 the answer is no, 2 the input or the call is wrong, with one sentence on stderr. "
        "What follows is what `--help` prints.",
        "",
    ]
    for words, parser in commands(command_parser()):
        lines += [f"## `{' '.join(['rocstats', *words])}`", "", "```text"]
        lines += [_help(words, parser).rstrip(), "```", ""]
    return "\n".join(lines)


def commands(
    parser: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Yield a parser and those of its commands, each with the words that call it."""
    yield words, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            seen = set()
            for name, inner in action.choices.items():
                if id(inner) not in seen:  # an alias
                    seen.add(id(inner))
                    yield from commands(inner, (*words, name))


def _help(words: tuple[str, ...], parser: argparse.ArgumentParser) -> str:
    wanted = WHOLE if WHOLE in parser._option_string_actions else "--help"
    printed = StringIO()
    with (
        patch.dict(os.environ, {"COLUMNS": str(WIDTH)}),
        redirect_stdout(printed),
        suppress(SystemExit),
    ):
        cli.main([*words, wanted])
    return printed.getvalue()
