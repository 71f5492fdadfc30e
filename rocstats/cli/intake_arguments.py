"""How a file is taken in by a command: its options, what is said of repairs, what is refused."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rocstats.analysis.options import OPTIONS, in_group
from rocstats.cli.report_options import as_argument
from rocstats.errors import InvalidSampleError, keyword, listed, named

if TYPE_CHECKING:
    from rocstats.data.intake.intake_result import Intake

__all__ = [
    "INTAKE_NAMES",
    "add_intake_arguments",
    "as_flag",
    "in_one_word",
    "positive_class",
    "say_repairs",
    "take_in_file",
    "use_names_of",
]

_READING = in_group("reading")
_CLASSES = [option for option in OPTIONS if option.name in ("negative", "exclude")]
INTAKE_NAMES = tuple(option.name for option in (*_READING, *_CLASSES))
_OF_COLUMNS = frozenset(
    {
        *("outcome", "markers", "subject", "cluster", "lower_is_positive", "tests", "versus"),
        *("test", "reader", "case", "rating", "group", "value", "reference"),
        *("time", "event", "censoring_strata", "weights", "strata", "verified"),
        *("verification_model", "adjust_for"),
    }
)
_MOST_LINES = 12  # of repairs that a command tells


def _at_once() -> None:
    """Say it without ado."""


def add_intake_arguments(parser: argparse.ArgumentParser, *, classes: bool = True) -> None:
    """Add how the file is read, and which classes of the outcome are left out."""
    for option in _CLASSES if classes else ():
        parser.add_argument(*option.flags, **as_argument(option))
    group = parser.add_argument_group("how the file is read")
    for option in _READING:
        group.add_argument(*option.flags, **as_argument(option))


def take_in_file(
    file: str,
    options: Mapping[str, Any],
    *,
    scores: Sequence[str] = (),
    columns: Sequence[str] = (),
    outcome: str | None = None,
    words: Iterable[Any] = (),
    tell: Callable[[], object] | None = _at_once,
) -> Intake:
    """Return the file, tell what was repaired, and refuse scores that are none.

    Parameters
    ----------
    file : the file
    options : of the command, by name; what it does not have is left out
    scores, columns, outcome : columns that are analysed, of which repairs are told
    words : cells of scores that mean something else than a number
    tell : called before something is said of repairs, or None to say nothing
    """
    from rocstats.data.intake.intake_settings import IntakeSettings
    from rocstats.data.intake.taking_in import take_in

    given = {
        option.name: options[option.name]
        for option in (*_READING, *_CLASSES)
        if option.name != "negative" and options.get(option.name) is not None
    }
    used = [name for name in (outcome, *scores, *columns) if name is not None]
    kept = tuple(words)
    settings = IntakeSettings(**given, outcome=outcome, kept=kept, wanted=tuple(used))
    intake = take_in(file, settings)
    used = [intake.aliases.get(name, name) for name in used]
    if tell is not None and any(intake.of_columns(used)):
        tell()
        say_repairs(intake, used)
    intake.check_scores([intake.aliases.get(name, name) for name in scores], kept)
    return intake


def use_names_of(intake: Intake, args: argparse.Namespace) -> None:
    """Let options that name a column as the file does name it as the table does."""
    if not intake.aliases:
        return
    for name, value in vars(args).items():
        if name not in _OF_COLUMNS:
            continue
        if isinstance(value, str):
            setattr(args, name, intake.aliases.get(value, value))
        elif isinstance(value, list):
            setattr(args, name, [intake.aliases.get(item, item) for item in value])


def say_repairs(intake: Intake, columns: Iterable[str]) -> None:
    """Tell on stderr, in one block, what was repaired in these columns and what is asked."""
    from rocstats.cli.write import escaped, say
    from rocstats.tables import counted

    repairs, questions = intake.of_columns(columns)
    others = len(intake.repairs) - len(repairs)
    if repairs:
        say(f"{intake.file} was repaired on its way in; rocstats check tells every cell:")
        lines = [repair.sentence for repair in repairs]
        if len(lines) > _MOST_LINES:
            more = len(lines) - _MOST_LINES + 1
            lines = [*lines[: _MOST_LINES - 1], f"and {counted(more, 'repair')} more"]
        if others:
            lines.append(f"{counted(others, 'repair')} of columns that are not used here")
        for line in lines:
            print(f"  - {escaped(' '.join(line.splitlines()))}", file=sys.stderr)
    for question in questions:
        if not question.blocks:
            say(f"question: {question.sentence.spoken(as_flag)}")


def in_one_word(value: str) -> str:
    """Return a value as a shell takes it: COLUMN=CODE in quotes where the column has spaces."""
    return shlex.quote(value) if "=" in value else value


def as_flag(mention: Any) -> str:
    """Return an option as the command line spells it."""
    flag = f"--{mention.name.replace('_', '-')}"
    value = in_one_word(mention.value)
    return f"{flag}={value}" if value.startswith("-") else f"{flag} {value}".rstrip()


def positive_class(intake: Intake, outcome: str, options: Mapping[str, Any]) -> Any:
    """Return the positive class of an outcome, where the negative one may be named instead."""
    positive, negative = options.get("positive"), options.get("negative")
    if outcome not in intake.frame.columns:
        return intake.table.find_class(outcome, positive)
    labels = intake.table.shown(outcome).dropna().unique().tolist()
    chosen = None if positive is None and negative else _class(intake, outcome, positive, labels)
    if negative is None:
        return chosen
    other = _class(intake, outcome, negative, labels)
    if other not in labels:
        raise InvalidSampleError(
            f"No row has {outcome} = {negative!r}, named by {named('negative')}; it has "
            f"{listed(map(repr, labels))}."
        )
    rest = [label for label in labels if label not in (other, chosen)]
    if chosen is None and len(rest) == 1:
        return rest[0]
    if chosen is None:
        raise InvalidSampleError(
            f"{outcome} has {listed(map(repr, rest))} beside {other!r}; name the positive class "
            f"with {keyword('pos_label')}."
        )
    if rest:
        raise InvalidSampleError(
            f"{outcome} has {listed(map(repr, rest))} beside {chosen!r} and {other!r}; leave "
            f"such rows out with {keyword('exclude')}."
        )
    return chosen


def _class(intake: Intake, outcome: str, text: str | None, labels: Sequence[Any]) -> Any:
    """Return the class that a text names, by its label or code, or but for case and spaces."""
    found = intake.table.find_class(outcome, text)
    if text is None or found in labels:
        return found
    same = [label for label in labels if _folded(label) == _folded(text)]
    return same[0] if len(same) == 1 else found


def _folded(label: Any) -> str:
    return " ".join(str(label).split()).casefold()
