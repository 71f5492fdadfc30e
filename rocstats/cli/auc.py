"""``rocstats auc``: estimate markers in a file."""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocstats.errors import InvalidOptionError, check_option

if TYPE_CHECKING:
    import pandas as pd

    from rocstats.measures import Measure
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
    add = parser.add_argument
    add("file", help="table with column names: .csv, .tsv, .txt, .parquet or .xlsx")
    add("--outcome", required=True, metavar="COLUMN", help="column of the true class")
    add("--positive", required=True, metavar="LABEL", help="label of the positive class")
    add(
        "--markers",
        required=True,
        type=_names,
        action="extend",
        metavar="A,B",
        help="columns of scores; quote a name that holds a comma, or repeat the option",
    )
    add(
        "--measures",
        type=_names,
        action="extend",
        metavar="auc,sauc,smauc",
        help="measures to estimate (default: auc)",
    )
    add("--subject", metavar="COLUMN", help="column of subject ids")
    add(
        "--lower-is-positive",
        type=_names,
        action="extend",
        default=[],
        metavar="B",
        help="markers whose low values speak for the positive class",
    )
    add(
        "--nan-policy",
        choices=("raise", "omit"),
        default="raise",
        help="refuse missing values (default), or drop subjects that have one from all markers",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add(
        "--interval",
        default="auto",
        metavar="METHOD",
        help="wald, logit, newcombe... (default: auto)",
    )
    add(
        "--midpoint",
        type=_number_or_text,
        metavar="M",
        help="smAUC: a number in (0, 1], paper or class_mean (default: 0.5)",
    )
    add(
        "--class-weight",
        type=_number_or_text,
        metavar="W",
        help="smAUC: balanced, or the prevalence to weight the classes to (default: as they are)",
    )
    add(
        "--bounds",
        type=_bounds,
        metavar="LOW,HIGH",
        help="sAUC and smAUC: limits of the scores, or range (with a minus sign: --bounds=-1,1)",
    )
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
    measures = _measures(args)
    from rocstats.cli.read import match_label, read_table
    from rocstats.data import ScoredSample
    from rocstats.estimators import estimate
    from rocstats.intervals import METHODS

    check_option("--interval", args.interval, ("auto", *METHODS))
    frame = read_table(args.file)
    sample = ScoredSample.from_frame(
        frame,
        outcome=args.outcome,
        markers=args.markers,
        pos_label=match_label(args.positive, _labels(frame, args.outcome)),
        subject=args.subject,
        higher_is_positive=dict.fromkeys(args.lower_is_positive, False),
        nan_policy=args.nan_policy,
    )
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


def _labels(frame: pd.DataFrame, outcome: str) -> list[Any]:
    """Return the labels there are; what is no column, or holds no labels, the sample refuses."""
    if outcome not in frame:
        return []
    try:
        return list(frame[outcome].dropna().unique().tolist())
    except TypeError:
        return []


def _measures(args: argparse.Namespace) -> list[Measure]:
    """Return the measures asked for, with their settings; refuse a setting that none would read."""
    from rocstats.measures import find_measure, scored_auc, smooth_auc

    names = list(dict.fromkeys(args.measures or ["auc"]))
    for option, value, readers in (
        ("--bounds", args.bounds, ("sauc", "smauc")),
        ("--midpoint", args.midpoint, ("smauc",)),
        ("--class-weight", args.class_weight, ("smauc",)),
    ):
        if value is not None and not set(readers) & set(names):
            raise InvalidOptionError(
                f"{option} has no part in {', '.join(names)}; "
                f"add {' or '.join(readers)} to --measures, or leave it out."
            )
    midpoint = 0.5 if args.midpoint is None else args.midpoint
    built = {
        "sauc": lambda: scored_auc(bounds=args.bounds),
        "smauc": lambda: smooth_auc(
            midpoint=midpoint, class_weight=args.class_weight, bounds=args.bounds
        ),
    }
    return [built[name]() if name in built else find_measure(name) for name in names]


def _names(text: str) -> list[str]:
    return next(csv.reader([text], skipinitialspace=True), [])


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _bounds(text: str) -> Any:
    """Return two numbers where there are two; what else there is, the measure judges."""
    if text == "range":
        return text
    return tuple(_number_or_text(part) for part in text.split(","))
