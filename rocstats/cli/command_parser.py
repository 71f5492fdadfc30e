"""The parser: a short help, a long one, and one sentence for a call that does not fit."""

from __future__ import annotations

import argparse
import textwrap
from importlib import import_module
from typing import Any, NoReturn

from rocstats.cli.command_table import COMMANDS, OTHER_WORDS, overview
from rocstats.errors import did_you_mean, new_word

__all__ = ["MOST_LINES", "CommandParser", "command_parser", "n_lines"]

MOST_LINES = 40  # of a command's short help
_WIDTH = 80


class CommandParser(argparse.ArgumentParser):
    """Refuses a call as everything else is refused: one sentence on stderr, exit code 2.

    ``--help`` shows the `everyday` options, by name, if all of them take more than `MOST_LINES`;
    ``--help-all`` shows all. Without `everyday` the first that fit are shown.
    """

    def __init__(self, *args: Any, everyday: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings | {"add_help": False, "formatter_class": _Layout})
        self.everyday = everyday.split()
        self.add_argument("-h", "--help", action=_ShortHelp, nargs=0, help="show this help")
        self.add_argument(
            "--help-all", action="help", default=argparse.SUPPRESS, help="show every option"
        )

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

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            meant = OTHER_WORDS.get(str(value).lower())
            hint = did_you_mean(value, action.choices)
            if meant in action.choices:
                hint = f" You may want {self.prog} {meant}."
            self.error(f"there is no command {value!r}", hint)
        super()._check_value(action, value)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if action.type not in (float, int):
            return super()._get_value(action, arg_string)
        try:
            return action.type(arg_string)
        except ValueError:
            what = "a number" if action.type is float else "a whole number"
            mixed = "=" in arg_string and "--prespecified" in self._option_string_actions
            hint = f" You may want --prespecified {arg_string}." if mixed else ""
            name = "/".join(action.option_strings) or self._flags()[action.dest]
            self.error(f"argument {name}: {what} was expected, got {arg_string!r}", hint)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if not action.option_strings or arg_strings != ["--"]:
            return super()._get_values(action, arg_strings)
        value = self._get_value(action, "--")  # --option=--, which Python 3.11 takes away
        self._check_value(action, value)
        return value

    def error(self, message: str, hint: str = "") -> NoReturn:
        from rocstats.cli.write import say

        say(f"{message}; see {self.prog} --help.{hint}")
        raise SystemExit(2)

    # ------------------------------------------------------------------------------------- help

    def short_help(self) -> str:
        """Return the help that fits a screen."""
        whole = self.format_help()
        if n_lines(whole) <= MOST_LINES:
            return whole
        known = {action.dest: action for action in self._actions}
        chosen = [known[name] for name in self.everyday] or self._actions[2:]
        while n_lines(text := self._help_of(chosen)) > MOST_LINES:
            chosen.pop()
        return text

    def _help_of(self, actions: list[argparse.Action]) -> str:
        layout = self._get_formatter()
        layout.add_usage(self.usage or self._short_usage(), [], [])
        layout.add_text(self.description)
        for title, wanted in (("data", False), ("options", True)):
            layout.start_section(title)
            layout.add_arguments([a for a in actions if bool(a.option_strings) == wanted])
            layout.end_section()
        n_more = len(self._actions) - 2 - len(actions)
        layout.add_text(f"{n_more} more options: {self.prog} --help-all")
        layout.add_text(self.epilog)
        return layout.format_help()

    def _short_usage(self) -> str:
        """Return the call with what it cannot do without."""
        words = ["%(prog)s"]
        for action in self._actions:
            if not action.option_strings:
                words.append(str(action.metavar or action.dest.upper()))
            elif action.required:
                words.append(f"{action.option_strings[0]} {action.metavar}")
        return " ".join([*words, "[option ...]"])


def n_lines(text: str) -> int:
    """Return the lines that a text takes on a terminal of 80 columns."""
    return sum(max(1, -(-len(line) // _WIDTH)) for line in text.splitlines())


class _ShortHelp(argparse.Action):
    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings | {"dest": argparse.SUPPRESS, "default": "==SUPPRESS=="})

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        assert isinstance(parser, CommandParser)
        print(parser.short_help(), end="")
        parser.exit()


class _Layout(argparse.HelpFormatter):
    """Breaks lines as usual, but for examples: lines that begin with a space stay as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.splitlines()
        return "\n".join(
            line if line.startswith(" ") else textwrap.fill(line, width) for line in lines
        )


class _Overview(CommandParser):
    """The parser of ``rocstats`` itself, whose help is the list of commands."""

    def format_help(self) -> str:
        return f"{overview()}\n"


class _Version(argparse.Action):
    """Says the version, and whether the compiled kernel is there."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from rocstats import __version__
        from rocstats.data.installed_kernel import describe

        print(f"rocstats {__version__} ({describe()})")
        parser.exit()


def command_parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of all commands, or of one where its name is known."""
    parser = _Overview(prog="rocstats", allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(
        title="commands", metavar="command", required=True, parser_class=CommandParser
    )
    for name in [command] if command in COMMANDS else COMMANDS:
        import_module(f"rocstats.cli.{name.replace('-', '_')}").add_to(commands)
    return parser
