"""``rocstats auc``: estimate markers in a file."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocstats.cli.arguments import (
    add_data_arguments,
    add_measure_arguments,
    chosen_measures,
    names,
    read_sample,
)
from rocstats.errors import check_option

if TYPE_CHECKING:
    from rocstats.results import Estimates

__all__ = ["Analysis", "add_arguments", "add_to", "analyse", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What one call was asked for and found: the estimates, and their tidy rows at one level."""

    file: str
    outcome: str
    confidence_level: float
    estimates: Estimates
    rows: list[dict[str, Any]]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "auc",
        help="estimate AUC, sAUC and smAUC of the markers in a file",
        description="Estimate markers in a file, with standard errors and confidence intervals.",
        epilog="Example: rocstats auc study.csv --outcome disease --positive yes --markers crp,il6",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_data_arguments(parser)
    add = parser.add_argument
    add(
        "--measures",
        type=names,
        action="extend",
        metavar="auc,sauc,smauc",
        help="measures to estimate (default: auc)",
    )
    add(
        "--interval",
        default="auto",
        metavar="METHOD",
        help="wald, logit, newcombe... (default: auto)",
    )
    add_measure_arguments(parser)
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Analyse the file and print what was found."""
    from rocstats.cli.write import analysis_dict, analysis_text, print_json

    analysis = analyse(args)
    if args.json:
        print_json("auc", analysis_dict(analysis))
    else:
        print(analysis_text(analysis))
    return 0


def analyse(args: argparse.Namespace) -> Analysis:
    """Read the file and estimate every marker by every measure."""
    measures = chosen_measures(args, args.measures or ["auc"])
    from rocstats.estimators import estimate
    from rocstats.intervals import METHODS

    check_option("--interval", args.interval, ("auto", *METHODS))
    sample = read_sample(args)
    estimates = estimate(sample, measures=measures)
    rows = []
    for row in estimates.rows:
        options = {"confidence_level": args.confidence_level, "method": args.interval}
        row.std_error  # noqa: B018 (these two warn where the data are degenerate,
        row.confidence_interval(**options)  # which a tidy row does not)
        rows.append(row.to_dict(**options))
    return Analysis(
        file=args.file,
        outcome=args.outcome,
        confidence_level=args.confidence_level,
        estimates=estimates,
        rows=rows,
    )
