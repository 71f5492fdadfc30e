"""``rocstats monitor``: the AUC of a model window by window, each against a baseline."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["add_to", "analyse", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "monitor",
        description="Watch a model in production: every sketch that rocstats sketch wrote is a "
        "window, in the order given, and is tested against the baseline.",
        epilog="Example (a sketch was written every week):\n"
        "  rocstats monitor week1.json week2.json week3.json",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="sketches, one of each window, in their order")
    add("--marker", metavar="A", help="the marker, where there are several")
    add(
        "--baseline",
        type=int,
        default=1,
        metavar="N",
        help="how many of the first windows are the baseline (default: 1)",
    )
    add("--baseline-file", metavar="FILE", help="the baseline: a sketch, such as of a study")
    add("--adjust", default="holm", help="how p-values are adjusted (default: holm)")
    add(
        "--n-planned",
        type=int,
        metavar="N",
        help="how many tests there will be in all, where you look again and again",
    )
    add(
        "--alternative",
        choices=("two-sided", "greater", "less"),
        default="two-sided",
        help="less: looks for an AUC that has fallen (default: two-sided)",
    )
    add("--significance", type=float, default=0.05, metavar="LEVEL", help="default: 0.05")
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, spelt={})


def run(args: argparse.Namespace) -> int:
    """Test every window and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("monitor", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Compare the windows with the baseline; return built-in types, and text."""
    import rocstats as rs

    baseline = args.baseline
    if args.baseline_file is not None:
        baseline = rs.SiteSketch.load(args.baseline_file)
    found = rs.monitor(
        [rs.SiteSketch.load(file) for file in args.files],
        baseline=baseline,
        marker=args.marker,
        adjust=args.adjust,
        n_planned=args.n_planned,
        alternative=args.alternative,
        significance=args.significance,
    )
    options = {"confidence_level": args.confidence_level}
    return found.to_dict(**options), found.statement(**options).as_text()
