"""``rocstats auc``: estimate markers in a file."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.cli.arguments import (
    SPELT,
    add_adjustment_argument,
    add_data_arguments,
    add_measure_arguments,
    add_table_argument,
    check_table_output,
    chosen_measures,
    names,
    read_sample,
    write_table_output,
)
from rocstats.cli.large_files import add_memory_argument
from rocstats.errors import InvalidOptionError, check_option, named

__all__ = ["add_arguments", "add_to", "analyse", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "auc",
        description="Estimate the AUC, sAUC or smAUC of markers in a file, with standard errors "
        "and confidence intervals. The standard error of an AUC is DeLong's; --interval delong is "
        "DeLong's interval, as pROC gives it.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats auc breast_cancer.csv --outcome diagnosis --positive malignant "
        "--markers mean_radius,mean_texture",
        everyday="file outcome positive markers measures interval confidence_level cluster "
        "lower_is_positive nan_policy json",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT | {"measure": "--measures", "method": "--interval"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_data_arguments(parser)
    add_memory_argument(parser)
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
        help="delong, wald, logit, newcombe... (default: auto)",
    )
    add_measure_arguments(parser)
    add_adjustment_argument(parser)
    add(
        "--folds",
        metavar="COLUMN",
        help="the cross-validation fold of every row: the mean AUC of the folds' models, with its "
        "standard error",
    )
    add(
        "--repeats",
        metavar="COLUMN",
        help="the repeat of every row, where the cross-validation was repeated (with --folds and "
        "--subject)",
    )
    add(
        "--midpoints",
        metavar="M,M,...",
        help="smAUC: along these midpoints too, with an approximate simultaneous band; all for "
        "0.05 to 0.95",
    )
    add_table_argument(parser)
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Analyse the file and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("auc", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Estimate every marker by every measure; return built-in types, and text."""
    import rocstats as rs
    from rocstats.cli.write import details_text, sample_dict, sample_header
    from rocstats.estimates.intervals import interval_names
    from rocstats.estimates.results import direction_hints

    measures = chosen_measures(args, args.measures or ["auc"])
    check_option("interval", args.interval, interval_names())
    check_table_output(args)
    sample = _read(args)
    options = {"confidence_level": args.confidence_level, "method": args.interval}
    estimates = rs.estimate(sample, measures=measures, adjust_for=args.adjust_for)
    sample = estimates.sample
    for row in estimates.rows:
        row.std_error  # noqa: B018 (these two warn where the data are degenerate,
        row.confidence_interval(**options)  # which a tidy row does not)
    stated = estimates.statement(**options)
    content = {"sample": sample_dict(sample), **stated.as_dict()}
    header = sample_header(args.file, args.outcome, args.confidence_level, sample)
    hints = "\n".join([*_strata_lines(estimates), *direction_hints(estimates.rows)])
    parts = [header, stated.table(), details_text(estimates), hints]
    tables = {"estimates": stated}
    if args.midpoints is not None:
        curves = [_along_midpoints(args, sample, name) for name in sample.markers]
        tables |= {f"smAUC {i}": curve.statement() for i, curve in enumerate(curves, 1)}
        content["midpoint_curves"] = [curve.statement().as_dict() for curve in curves]
        parts += [curve.statement().as_text() for curve in curves]
    parts += write_table_output(args, tables)
    return content, "\n\n".join(part for part in parts if part)


def _read(args: argparse.Namespace) -> Any:
    """Return the sample of the file, in folds where these are named."""
    from rocstats.data.fold_division import divide_into_folds

    beside = [name for name in (args.folds, args.repeats) if name is not None]
    if args.repeats is not None and args.folds is None:
        raise InvalidOptionError(f"{named('repeats')} goes with {named('folds')}.")
    if not beside:
        return read_sample(args, covariates=args.adjust_for or ())
    if args.adjust_for:
        raise InvalidOptionError(
            f"{named('folds')} and {named('adjust_for')} cannot be taken together; leave one out."
        )
    other = [name for name in args.measures or [] if name != "auc"]
    if other:
        raise InvalidOptionError(
            f"{named('folds')} are for the AUC, got {other[0]}; leave it out of the measures."
        )
    sample = read_sample(args, covariates=beside)
    return divide_into_folds(sample, args.folds, repeats=args.repeats)


def _strata_lines(estimates: Any) -> list[str]:
    """Return a line for each stratum of what the estimates are adjusted for, and of folds."""
    if estimates.sample.adjustment is None:
        return []
    lines = [
        f"{row.classifier}, {part.level}: {part.estimate:.4f}, SE {part.std_error:.4f}, "
        f"{part.n_pos} positives, {part.n_neg} negatives"
        for row in estimates.rows
        for part in row.homogeneity.strata
    ]
    return [*lines, *estimates.rows[0].what_it_means]


def _along_midpoints(args: argparse.Namespace, sample: Any, marker: str) -> Any:
    import rocstats as rs

    if args.midpoint is not None or "smauc" not in (args.measures or []):
        raise InvalidOptionError(
            f"{named('midpoints')} are of the smAUC; add smauc to the measures, and leave "
            f"{named('midpoint')} out."
        )
    given = args.midpoints.split(",")
    return rs.midpoint_curve(
        sample,
        marker=marker,
        midpoints=None if given == ["all"] else given,
        class_weight=args.class_weight,
        confidence_level=args.confidence_level,
        bounds=args.bounds,
    )
