"""``rocstats completion``: TAB completes commands, options, and the columns of the file named."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rocstats.errors import MissingDependencyError, require_library

__all__ = ["add_to", "complete", "run"]

_SHELLS = ("bash", "zsh", "fish")
_MOST_BOOK = 2**20  # bytes of a workbook that is opened while the shell waits
_COLUMNS = (
    *("outcome", "markers", "subject", "cluster", "lower_is_positive", "versus"),
    *("group", "value", "subgroup", "baseline", "time", "event", "test", "reader", "case"),
    *("rating", "censoring_strata", "weights", "strata", "verified"),
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "completion",
        description="Print what your shell must read so that TAB completes commands, options, and "
        "the columns of a text file, or of a small workbook, that is named before them. It needs "
        "the package argcomplete: "
        'pip install "rocstats[completion]".',
        epilog="For good, by shell:\n"
        "  echo 'eval \"$(rocstats completion bash)\"' >> ~/.bashrc\n"
        "  echo 'eval \"$(rocstats completion zsh)\"' >> ~/.zshrc\n"
        "  rocstats completion fish > ~/.config/fish/completions/rocstats.fish\n"
        "Example:\n"
        "  rocstats completion bash",
        allow_abbrev=False,
    )
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the lines for the shell."""
    print(_argcomplete().shellcode(["rocstats"], True, args.shell).strip())
    return 0


def complete() -> int:
    """Answer the shell, which asks by variables of the environment."""
    from rocstats.cli.command_parser import command_parser

    try:
        argcomplete = _argcomplete()
    except MissingDependencyError:
        return 1  # no one reads what is said now
    line = os.environ.get("COMP_LINE", "").split()
    parser = command_parser(line[1] if len(line) > 1 else "")
    _offer_columns(parser)
    argcomplete.autocomplete(parser, always_complete_options=False)
    return 1  # not reached: the shell had its answer


def _argcomplete() -> Any:
    require_library("argcomplete", "Completion", "completion")
    import argcomplete

    return argcomplete


def _offer_columns(parser: argparse.ArgumentParser) -> None:
    """Let options that take a column be completed by the columns of the file."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _offer_columns(command)
        elif action.dest in _COLUMNS:
            action.completer = _columns(several=action.type is not None)  # type: ignore[attr-defined]


def _columns(*, several: bool) -> Callable[..., list[str]]:
    def offered(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
        before = prefix.rpartition(",")[0] + "," if several and "," in prefix else ""
        return [before + name for name in _header(getattr(parsed_args, "file", None))]

    return offered


def _header(file: str | None) -> list[str]:
    """Return the column names of a text file, wherever they stand, or of a small workbook."""
    from rocstats.data.intake.arranging import names_of

    try:
        return names_of(Path(file), most=_MOST_BOOK) if file else []
    except Exception:  # whatever a file is damaged by; no one reads what is said now
        return []
