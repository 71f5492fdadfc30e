"""``rocstats measures``: do measures agree, and which one tells more lists apart?"""

from __future__ import annotations

import argparse
from itertools import combinations
from typing import Any

from rocstats.errors import InvalidOptionError, named

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_SPELT = {"rng": "--seed", "lists": "--scores", "f": "MEASURE", "g": "MEASURE"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "measures",
        description="Compare every two of the measures as Huang & Ling (2005) do: exactly over all "
        "ranked lists of these class sizes, or over random lists of scores.",
        epilog="Examples:\n"
        "  rocstats measures auc accuracy --n-pos 50 --n-neg 50\n"
        "  rocstats measures auc sauc brier --n-pos 20 --n-neg 20 --scores calibrated",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=_SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add(
        "measures",
        nargs="+",
        metavar="MEASURE",
        help="auc, accuracy, f1, average_precision, sauc, smauc, brier, profit@SHARE, "
        "lift@SHARE, partial_auc@FPR, accuracy@POSITIONS or accuracy@THRESHOLD; two or more",
    )
    add("--n-pos", type=int, required=True, metavar="N", help="number of positives")
    add("--n-neg", type=int, required=True, metavar="N", help="number of negatives")
    add(
        "--scores",
        metavar="KIND",
        help="uniform or calibrated: draw lists with scores (default: all ranked lists)",
    )
    add("--n-pairs", type=int, default=50_000, metavar="N", help="pairs drawn (default: 50000)")
    add("--seed", type=int, default=1, metavar="N", help="of what is drawn (default: 1)")
    add("--n-jobs", type=int, default=1, metavar="N", help="workers (default: 1)")
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Compare the measures and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("measures", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Compare every two measures; return built-in types, and text."""
    import rocstats as rs

    if len(args.measures) < 2:
        raise InvalidOptionError(
            f"Two or more measures are compared, got {args.measures[0]} alone."
        )
    if args.seed < 0:
        raise InvalidOptionError(f"{named('seed')} must be a whole number from 0, got {args.seed}.")
    over: dict[str, Any] = {"n_pos": args.n_pos, "n_neg": args.n_neg}
    if args.scores is not None:
        over = {"lists": rs.random_lists(**over, scores=args.scores)}
    options = {"n_pairs": args.n_pairs, "rng": args.seed, "n_jobs": args.n_jobs}
    found = [
        rs.compare_measures(f, g, **over, **options) for f, g in combinations(args.measures, 2)
    ]
    return {"comparisons": [one.to_dict() for one in found]}, "\n\n".join(map(str, found))
