"""``rocstats twosample``: do the values of one group tend to be larger than those of the other?"""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.cli.arguments import SPELT, TABLE
from rocstats.cli.intake_arguments import INTAKE_NAMES, add_intake_arguments
from rocstats.errors import InvalidOptionError, named

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_SPELT = {"y_true": "--group", "y_score": "--value", "continuity": "--no-continuity"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "twosample",
        description="Test whether the values of two groups come from one distribution; x is the "
        "group named by --positive, y the other.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats twosample breast_cancer.csv --group diagnosis --positive malignant "
        "--value mean_texture --statistic auc",
        everyday="file group positive value statistic alternative method n_resamples seed "
        "nan_policy confidence_level json",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT | _SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", help=TABLE)
    add("--group", required=True, metavar="COLUMN", help="column of the two groups")
    add("--positive", default="1", metavar="LABEL", help="the group that is x (default: 1)")
    add("--value", required=True, metavar="COLUMN", help="column of the values")
    add(
        "--statistic",
        default="sauc",
        metavar="NAME",
        help="sauc (default), auc (Wilcoxon-Mann-Whitney), brunner-munzel, welch, t or ks",
    )
    add(
        "--alternative",
        choices=("two-sided", "less", "greater"),
        default="two-sided",
        help="greater: x tends to be larger (default: two-sided)",
    )
    add(
        "--method",
        choices=("auto", "exact", "permutation", "asymptotic"),
        default="auto",
        help="null distribution (default: exact where feasible, else permutation)",
    )
    add("--no-continuity", action="store_true", help="auc, asymptotic: leave the half step out")
    add("--n-resamples", type=int, default=9999, metavar="N", help="permutations (default: 9999)")
    add("--seed", type=int, default=1, metavar="N", help="of the permutations (default: 1)")
    add(
        "--nan-policy",
        choices=("raise", "omit"),
        default="raise",
        help="refuse missing values (default), or leave them out",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add_intake_arguments(parser)
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Test the groups and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("twosample", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Test the groups and return what was found, as built-in types and as text."""
    import rocstats as rs
    from rocstats.cli.arguments import read_sample
    from rocstats.cli.write import sample_dict

    if args.seed is not None and args.seed < 0:
        raise InvalidOptionError(f"{named('seed')} must be a whole number from 0, got {args.seed}.")
    sample = read_sample(
        argparse.Namespace(
            file=args.file,
            outcome=args.group,
            positive=args.positive,
            markers=[args.value],
            subject=None,
            cluster=None,
            weights=None,
            weight_kind=None,
            strata=None,
            verified=None,
            verification_model=None,
            lower_is_positive=[],
            nan_policy=args.nan_policy,
            **{name: getattr(args, name) for name in INTAKE_NAMES},
        )
    )
    result = rs.two_sample_test(
        sample,
        statistic=args.statistic,
        alternative=args.alternative,
        method=args.method,
        continuity=not args.no_continuity,
        resampling=rs.Permutation(n_resamples=args.n_resamples, rng=args.seed),
    )
    content = {
        "sample": sample_dict(sample),
        "statistic": args.statistic,
        "seed": args.seed,
        "result": result.to_dict(confidence_level=args.confidence_level),
    }
    groups = (
        f"{args.file}: {args.value} where {args.group} = {sample.pos_label} (x) against "
        f"{args.group} = {sample.neg_label} (y); {sample.dropped}."
    )
    text = result.summary(confidence_level=args.confidence_level)
    return content, f"{groups}\n\n{text}"
