"""``rocstats demo``: analyses of two bundled data sets, with the commands that repeat them."""

from __future__ import annotations

import argparse
import shlex
from textwrap import fill

__all__ = ["add_to", "run"]

_PARTS = (
    (
        "breast_cancer",
        "Five features of the cell nuclei in 569 breast masses (Wisconsin, UCI, CC BY 4.0). The "
        "AUC is the share of pairs of a malignant and a benign mass in which the malignant one has "
        "the higher value, ties counting half. The sAUC is the mean margin by which it does, 0 "
        "where it does not, in the feature's own units; so AUCs of different features compare, and "
        "their sAUCs do not.",
        "--outcome diagnosis --positive malignant --markers "
        "mean_radius,mean_texture,mean_smoothness,mean_concave_points,worst_area "
        "--measures auc,sauc",
    ),
    (
        "fawcett",
        "The 20 instances of Fawcett (2006), Fig. 3. Their scores lie on [0, 1], so all three "
        "measures apply; with 10 instances in each class every interval is wide.",
        "--outcome class --positive p --markers score --subject instance --measures auc,sauc,smauc",
    ),
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "demo",
        help="analyse two bundled data sets and show the commands that do it",
        description="Analyse two bundled data sets and show the commands that do it.",
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run `rocstats auc` on the bundled files and print what was found."""
    from rocstats import datasets
    from rocstats.cli.auc import add_arguments, analyse
    from rocstats.cli.write import analysis_dict, analysis_text, print_json

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    texts, parts = [], []
    for name, about, options in _PARTS:
        arguments = [str(datasets.path(name)), *shlex.split(options)]
        call = shlex.join(["rocstats", "auc", *arguments])
        analysis = analyse(parser.parse_args(arguments))
        texts.append(f"{fill(about, 88)}\n\n$ {call}\n\n{analysis_text(analysis)}")
        parts.append({"about": about, "call": call} | analysis_dict(analysis))
    if args.json:
        print_json("demo", {"analyses": parts})
    else:
        print("\n\n".join(texts))
    return 0
