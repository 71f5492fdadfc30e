"""The options of ``rocstats power`` that plan a study of the sAUC, of normal scores."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from rocstats.errors import InvalidOptionError, listed, named

__all__ = ["SPELT", "add_arguments", "is_meant", "plan"]

SPELT = {"rs.power_sauc": "--find power", "rs.sample_size_sauc": "--find size"}

# Options of the AUC alone, and their defaults.
_OF_THE_AUC = {
    **dict.fromkeys(("auc", "auc2", "auc_correlation")),
    "independent": False,
    "group_ratio": 1.0,
    "model": "normal",
    "sd_ratio": 1.0,
}


def add_arguments(parser: argparse.ArgumentParser, numbers: Callable[[str], Any]) -> None:
    """Add the options to the command."""
    add = parser.add_argument_group("the sAUC instead of the AUC (normal scores)").add_argument
    add("--mean-difference", type=float, metavar="D", help="mean of positives less of negatives")
    add("--mean-difference2", type=float, metavar="D", help="of a second marker, to be compared")
    add("--sd-pos", type=numbers, metavar="S", help="SD of the positives' scores (default: 1)")
    add("--sd-neg", type=numbers, metavar="S", help="SD of the negatives' scores (default: 1)")


def is_meant(args: argparse.Namespace) -> bool:
    """Whether the plan is of the sAUC."""
    names = ("mean_difference", "mean_difference2", "sd_pos", "sd_neg")
    return args.find == "sauc" or any(getattr(args, name) is not None for name in names)


def plan(args: argparse.Namespace, find: str, aim: str | None) -> Any:
    """Find what was left out of a plan of the sAUC."""
    import rocstats as rs

    given = [name for name, default in _OF_THE_AUC.items() if getattr(args, name) != default]
    if given:
        raise InvalidOptionError(
            f"{listed([named(name) for name in given])} cannot stand beside the options of the "
            "sAUC; plan one measure at a time."
        )
    shared: dict[str, Any] = {
        "mean_difference": args.mean_difference,
        "mean_difference2": args.mean_difference2,
        "sd_pos": 1.0 if args.sd_pos is None else args.sd_pos,
        "sd_neg": 1.0 if args.sd_neg is None else args.sd_neg,
        "correlation": args.correlation,
        "null_value": args.null,
        "n_pos": args.n_pos,
        "n_neg": args.n_neg,
        "ratio": args.ratio,
        "prevalence": args.prevalence,
        "significance": args.significance,
        "alternative": args.alternative,
        "margin": args.margin,
        "aim": aim,
        "power": args.power,
    }
    if find == "size":
        return rs.sample_size_sauc(**shared, half_width=args.half_width)
    if args.half_width is not None:
        raise InvalidOptionError(f"A half-width is for finding sizes; leave {named('find')} out.")
    if args.n_pos is None:
        raise InvalidOptionError(f"Give {named('n_pos')}, or {named('power')} to find the sizes.")
    return rs.power_sauc(**shared, find=find)  # type: ignore[arg-type]
