"""``rocstats validate``: does this installation give the numbers it should?"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocstats.validation.protocol import Validation

__all__ = ["add_to", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "validate",
        description="Compare this installation with frozen numbers of R's pROC, offline and "
        "without R; the exit code is 1 if anything differs by more than its tolerance.",
        epilog="Example:\n  rocstats validate -o validation.html",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "--with-r",
        action="store_true",
        help="ask the installed R, too (needs rpy2, and R with pROC, MASS, mlbench and kernlab)",
    )
    add("-o", "--output", metavar="FILE", help="write an HTML report")
    add("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Validate, write the report, print the summary; 0 if all is as it should be, else 1."""
    from rocstats.cli.write import check_writable, print_answer, write_file
    from rocstats.places import PAGES

    if args.output is not None:
        check_writable(args.output, PAGES)
    from rocstats.validation.protocol import validate
    from rocstats.workers import watched

    result = validate(with_r=args.with_r, watch=partial(watched, title="cases", unit="case"))
    if args.output is not None:
        from rocstats.reports.validation_page import validation_page

        write_file(args.output, validation_page(result, with_r=args.with_r))
    print_answer("validate", result.to_dict(), _text(result, args.output), as_json=args.json)
    return 0 if result.passed else 1


def _text(result: Validation, output: str | None) -> str:
    """Return what failed, one by one, and the summary."""
    from rocstats.tables import counted

    lines = [f"FAIL {failure}" for failure in result.failures()]
    found = result.summary()
    lines.append(
        f"{'PASS' if result.passed else 'FAIL'}: {found['compared']} numbers of {found['cases']} "
        f"cases over {found['datasets']} data sets compared, {counted(found['failed'], 'failure')}"
        + (f", {found['not_run']} cases not run (their data need R)" if found["not_run"] else "")
        + "."
    )
    if output is not None:
        lines.append(f"The report is in {output}.")
    return "\n".join(lines)
