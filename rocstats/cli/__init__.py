"""The command line: one module a command, nothing heavy before it runs."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_STOPPED = 130  # interrupted, or the reader of the pipe has gone
_HELP = ("help", "--help", "-h")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 no, 2 the input or call is wrong."""
    words = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    try:
        code = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _STOPPED
    except OSError as reason:
        _leave_nothing_to_flush()
        if isinstance(reason, BrokenPipeError):
            return _STOPPED
        from rocstats.cli.write import say

        what = "The answer" if reason.filename is None else f"{reason.filename}"
        say(f"{what} could not be read or written: {reason.strerror or reason}.")
        return 2
    return code


def _run(words: list[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:
        from rocstats.cli.completion import complete

        return complete()
    if not words or (len(words) == 1 and words[0] in _HELP):
        from rocstats.cli.command_table import overview

        print(overview())
        return 0
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    from rocstats.cli.command_runs import run_command

    return run_command(words)


def _open_streams() -> None:
    """Send what is said nowhere if there is no place for it, as without a console."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            import io

            setattr(sys, name, io.StringIO())


def _leave_nothing_to_flush() -> None:
    """Drop what cannot be printed, which Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
