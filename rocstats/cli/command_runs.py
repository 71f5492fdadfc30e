"""One command: parsed, run, and what is wrong with it said in a sentence."""

from __future__ import annotations

import argparse
import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO

from rocstats.cli.arguments import spoken
from rocstats.cli.command_parser import command_parser
from rocstats.cli.write import escaped, say
from rocstats.errors import RocstatsError, RocstatsWarning

__all__ = ["run_command", "spoken_warnings"]


def run_command(words: list[str]) -> int:
    """Run one command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    args = command_parser(words[0] if words else "").parse_args(words)
    try:
        with spoken_warnings(args), redirect_stdout(_Escaped(sys.stdout)):
            code: int = args.run(args)
    except RocstatsError as error:
        say(spoken(error.sentence, args))
        return 2
    except MemoryError as error:
        said = f"MemoryError: {error}" if str(error) else "MemoryError"
        say(
            f"The work needs more memory than there is ({said}); take fewer rows, columns or draws."
        )
        return 2
    return code


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


@contextmanager
def spoken_warnings(args: argparse.Namespace) -> Iterator[None]:
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
            say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", RocstatsWarning)
        warnings.showwarning = show  # catch_warnings puts the old one back
        yield
