"""``rocstats check``: what a file holds, what was repaired in it, and what it leaves open."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rocstats.analysis.proposals import FEW
from rocstats.cli.arguments import SPELT, TABLE
from rocstats.cli.intake_arguments import add_intake_arguments
from rocstats.errors import InvalidOptionError, did_you_mean, listed

if TYPE_CHECKING:
    from rocstats.analysis.proposals import Column
    from rocstats.data.intake.intake_result import Intake

__all__ = ["add_arguments", "add_to", "analyse", "column_line", "run"]

_MOST = 60  # columns that are listed


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        description="Show how a file is read: its columns, every repair with the cells that it "
        "touched, and what may be read in two ways, with the option that says which. The exit "
        "code is 1 if a column of numbers cannot be read before its question is answered.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats check breast_cancer.csv",
        everyday="file sheet header_row decimal below_detection missing_codes output json",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", help=TABLE)
    add("--outcome", metavar="COLUMN", help="column of the true class, for --exclude")
    add("-o", "--output", metavar="FILE", help="write the repaired table to a .csv file")
    add("--json", action="store_true", help="print JSON")
    add_intake_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print what was found; the answer is no where a question keeps a column from being read."""
    from rocstats.cli.write import print_answer

    intake = _intake(args)
    content, text = _told(intake, args)
    print_answer("check", content, text, as_json=args.json)
    return int(any(question.blocks for question in intake.questions))


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Take the file in and return what was found, as built-in types and as text."""
    return _told(_intake(args), args)


def _intake(args: argparse.Namespace) -> Intake:
    from rocstats.analysis.options import in_group
    from rocstats.cli.write import check_writable, keep_file
    from rocstats.data.intake.intake_settings import IntakeSettings
    from rocstats.data.intake.taking_in import take_in

    if args.output is not None:
        check_writable(args.output, (".csv",))
        keep_file(args.output, args.file, "the data")
    given = {
        option.name: value
        for option in in_group("reading")
        if (value := getattr(args, option.name)) is not None
    }
    settings = IntakeSettings(**given, outcome=args.outcome, exclude=args.exclude or ())
    intake = take_in(args.file, settings)
    known = [*intake.frame.columns, *intake.aliases]
    if args.outcome is not None and args.outcome not in known:
        raise InvalidOptionError(
            f"The data have no column {args.outcome!r}; they have {listed(intake.frame.columns)}."
            f"{did_you_mean(args.outcome, known)}"
        )
    return intake


def _told(intake: Intake, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from rocstats.analysis.proposals import describe
    from rocstats.cli.arguments import spoken
    from rocstats.cli.write import write_file

    columns = [describe(intake.table, name) for name in intake.frame.columns]
    content = intake.to_dict()
    for row, column in zip(content["columns"], columns, strict=True):
        row |= {"kind": column.kind, "n_distinct": len(column.values), "n_missing": column.missing}
    for row, question in zip(content["questions"], intake.questions, strict=True):
        row["sentence"] = spoken(question.sentence, args)
    lines = [intake.head, *(f"  {column_line(intake, column)}" for column in columns[:_MOST])]
    if len(columns) > _MOST:
        lines.append(f"  and {len(columns) - _MOST} more columns")
    if intake.repairs:
        lines += ["", "Repaired:", *(f"  - {_where(r)}" for r in intake.repairs)]
    if intake.questions:
        asked = (f"  ? {_line(spoken(q.sentence, args))}" for q in intake.questions)
        lines += ["", "Open:", *asked]
    if intake.table.notes():
        lines += ["", *intake.table.notes()]
    if args.output is not None:
        write_file(args.output, intake.frame.to_csv(index=False, lineterminator="\n"))
        lines += ["", f"Wrote {args.output}"]
    return content, "\n".join(lines)


def column_line(intake: Intake, column: Column) -> str:
    """Return the letter of a column, its name, unit and what it holds."""
    letter = intake.places.letters.get(column.name, "")
    unit = intake.units.get(column.name, "")
    name = column.name if unit in column.name else f"{column.name} ({unit})"
    return f"{letter:>3} {_line(name)}: {_held(column)}".strip()


def _held(column: Column) -> str:
    """Return what a column holds, in a few words."""
    n, missing = len(column.values), f", {column.missing} missing" if column.missing else ""
    if column.kind in ("number", "date") and n > 2:
        form = "%Y-%m-%d" if column.kind == "date" else "d" if column.whole else "g"
        low, high = (format(end, form) for end in (min(column.values), max(column.values)))
        return f"{column.kind}, {low} to {high}{missing}"
    if 0 < n <= FEW:
        told = ", ".join(
            f"{value} ({times})" for value, times in zip(column.values, column.counts, strict=True)
        )
        return f"{column.kind}, {told}{missing}"
    return f"{column.kind}, {n} values{missing}"


def _where(repair: Any) -> str:
    cells = ", ".join(repair.cells[:8]) + (", ..." if len(repair.cells) > 8 else "")
    return _line(repair.sentence) + (f" [{cells}]" if cells else "")


def _line(text: str) -> str:
    """Return a text in one line, as names of columns may have several."""
    return " ".join(text.splitlines())
