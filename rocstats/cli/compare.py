"""``rocstats compare``: are the markers in a file different, by how much, could it be chance?"""

from __future__ import annotations

import argparse
from dataclasses import replace
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
    spelling,
    write_table_output,
)
from rocstats.cli.large_files import add_memory_argument

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_SPELT = {"new": "--markers", "standard": "--versus", "method": "--method"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "compare",
        description="Compare markers on the same subjects: differences, intervals and tests. "
        "DeLong's test, as pROC has it, is --reference normal; the default is DeLong's with the "
        "variance at the null and t quantiles, which keeps its level near an AUC of 1.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats compare breast_cancer.csv --outcome diagnosis --positive malignant "
        "--markers mean_concave_points,worst_area --noninferiority 0.05",
        everyday="file outcome positive markers versus adjust reference noninferiority cluster "
        "lower_is_positive nan_policy",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT | _SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_data_arguments(parser)
    add_memory_argument(parser)
    add_adjustment_argument(parser)
    add = parser.add_argument
    add(
        "--measure",
        type=names,
        action="extend",
        metavar="auc",
        help="measure to compare by: auc, sauc, smauc, or several (default: auc)",
    )
    add(
        "--adjust",
        default="holm",
        metavar="METHOD",
        help="p-values of several pairs: none, bonferroni, sidak, holm, hommel, fdr_bh... "
        "(default: holm)",
    )
    add(
        "--intervals",
        default="pointwise",
        metavar="KIND",
        help="pointwise (default: each has the level by itself) or simultaneous (all together)",
    )
    add(
        "--reference",
        default="auto",
        metavar="DISTRIBUTION",
        help="auto (t, and F for several), or normal (z and chi-square, as in pROC)",
    )
    add(
        "--method",
        default="auto",
        metavar="METHOD",
        help="where the variance of AUCs is taken: score (at the null), delong (in the sample, as "
        "in pROC), mover (from the limits of either), or auto: score unless --reference normal",
    )
    add("--versus", metavar="MARKER", help="compare the others with this marker only")
    for aim, what in (
        ("noninferiority", "not worse by the margin"),
        ("superiority", "better by more than the margin"),
        ("equivalence", "different by less than the margin"),
    ):
        add(
            f"--{aim}",
            type=float,
            metavar="MARGIN",
            help=f"test that the first marker is {what} than the second, or --versus (one-sided "
            f"level {0.05 if aim == 'equivalence' else 0.025})",
        )
    add_measure_arguments(parser)
    add_table_argument(parser)
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Compare the markers and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("compare", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Compare the markers and return what was found, as built-in types and as text."""
    import rocstats as rs
    from rocstats.cli.write import sample_dict, sample_header
    from rocstats.errors import check_option
    from rocstats.estimates.results import direction_hints

    check_option("reference", args.reference, ("auto", "normal"))
    check_table_output(args)
    measures = chosen_measures(args, args.measure or ["auc"])
    given = read_sample(args, covariates=args.adjust_for or ())
    result = rs.compare(given, measure=measures, adjust_for=args.adjust_for)
    level = args.confidence_level
    pairwise = result.pairwise(
        adjust=args.adjust,
        reference=args.reference,
        method=args.method,
        versus=args.versus,
        confidence_level=level,
        intervals=args.intervals,
    )
    pairwise = replace(pairwise, account=None)  # the header has it
    chi2 = "chi2" if args.reference == "normal" else "auto"
    way = "auto" if args.method == "mover" else args.method  # that is of two AUCs
    omnibus = result.omnibus(reference=chi2, method=way) if len(args.markers) > 2 else None
    margins = _margins(result, args)
    estimates = result.estimates.statement(confidence_level=level)
    content = {"sample": sample_dict(result.sample), **estimates.as_dict()} | {
        **pairwise.to_dict(),
        "correlation": result.correlation.tolist(),
        "omnibus": None if omnibus is None else omnibus.to_dict(),
        "margins": [margin.to_dict() for margin in margins],
    }
    parts = [
        sample_header(args.file, args.outcome, level, result.sample),
        estimates.table(),
        *direction_hints(result.rows),
        repr(pairwise),
        *([] if omnibus is None else [repr(omnibus)]),
        *(repr(margin) for margin in margins),
    ]
    tables = {"differences": pairwise.statement(), "estimates": estimates}
    tables |= {} if omnibus is None else {"omnibus": omnibus.statement()}
    tables |= {f"margin {i}": margin.statement() for i, margin in enumerate(margins, 1)}
    parts += write_table_output(args, tables)
    return content, "\n\n".join(parts)


def _margins(result: Any, args: argparse.Namespace) -> list[Any]:
    new, way = args.markers[0], {"reference": args.reference, "method": args.method}
    standard = args.versus or args.markers[1]  # one marker alone was refused
    found = []
    for aim in ("noninferiority", "superiority", "equivalence"):
        margin = getattr(args, aim)
        if margin is not None:
            with spelling(args, margin=f"--{aim}"):
                test = getattr(result, aim)
                found.append(test(margin, new=new, standard=standard, **way))
    return found
