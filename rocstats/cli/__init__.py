"""The command line: one module a command, nothing heavy before it runs."""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, NoReturn, TextIO

from rocstats import __version__
from rocstats.cli import (
    auc,
    compare,
    demo,
    measures,
    power,
    r_script,
    report,
    study,
    tests,
    thresholds,
    twosample,
    validate,
)
from rocstats.cli.arguments import spoken
from rocstats.cli.write import escaped
from rocstats.errors import RocstatsError, RocstatsWarning, did_you_mean, new_word

__all__ = ["main"]

_STOPPED = 130  # interrupted, or the reader of the pipe has gone


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 no, 2 the input or call is wrong."""
    _open_streams()
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        args = _parser().parse_args(argv)
        with _spoken_warnings(args), redirect_stdout(_Escaped(sys.stdout)):
            code: int = args.run(args)
        sys.stdout.flush()
    except RocstatsError as error:  # of the work: the parser stops by itself
        _say(spoken(error.sentence, args))
        return 2
    except KeyboardInterrupt:
        return _STOPPED
    except OSError as reason:
        _leave_nothing_to_flush()
        if isinstance(reason, BrokenPipeError):
            return _STOPPED
        what = "The answer" if reason.filename is None else f"{reason.filename}"
        _say(f"{what} could not be read or written: {reason.strerror or reason}.")
        return 2
    return code


def _open_streams() -> None:
    """Send what is said nowhere if there is no place for it, as without a console."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())


def _leave_nothing_to_flush() -> None:
    """Drop what cannot be printed, which Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Escaped(io.TextIOBase):
    """What commands print to: names and labels of a file are shown, and command no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(escaped(text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


class _Parser(argparse.ArgumentParser):
    """Refuses a call as everything else is refused: one sentence on stderr, exit code 2."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        found, unknown = super().parse_known_args(args, namespace)
        found.spelt = self._flags() | getattr(found, "spelt", {})
        for word in unknown:
            option = word.partition("=")[0]
            if option.startswith("-"):
                new = new_word(option.lstrip("-").replace("-", "_"), found.spelt)
                if new:
                    self.error(
                        f"there is no option {option}; it is called {found.spelt[new[0]]}{new[1]}"
                    )
                hint = did_you_mean(option, self._option_string_actions)
                self.error(f"there is no option {option}", hint)
            self.error(f"{word!r} is one word too many, or lacks quotes")
        return found, unknown

    def _flags(self) -> dict[str, str]:
        """Return how the options of the command are spelt here, by their names."""
        return {
            action.dest: next((o for o in action.option_strings if o.startswith("--")), None)
            or (action.metavar if isinstance(action.metavar, str) else action.dest.upper())
            for action in self._actions
        }

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if not action.option_strings or arg_strings != ["--"]:
            return super()._get_values(action, arg_strings)
        value = self._get_value(action, "--")  # --option=--, which Python 3.11 takes away
        self._check_value(action, value)
        return value

    def error(self, message: str, hint: str = "") -> NoReturn:
        _say(f"{message}; see {self.prog} --help.{hint}")
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="rocstats",
        description="ROC analysis with honest inference: AUC, sAUC and smAUC.",
        epilog="Exit codes: 0 done, 1 the answer is no, 2 the input or the call is wrong.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"rocstats {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    for command in (
        *(report, auc, compare, tests, thresholds, twosample, power, study, demo, r_script),
        *(validate, measures),
    ):
        command.add_to(commands)
    return parser


@contextmanager
def _spoken_warnings(args: argparse.Namespace) -> Iterator[None]:
    """Say every warning once, as one line on stderr."""
    said: set[str] = set()

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if str(message) not in said:
            said.add(str(message))
            if isinstance(message, RocstatsWarning):
                message = spoken(message.sentence, args)
            _say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", RocstatsWarning)
        warnings.showwarning = show  # catch_warnings puts the old one back
        yield


def _say(text: str) -> None:
    print("rocstats:", escaped(" ".join(text.splitlines())), file=sys.stderr)
