"""The options of ``rocstats power`` that plan a study of two binary tests on the same patients."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.errors import InvalidOptionError, listed, named

__all__ = ["SPELT", "add_arguments", "is_meant", "plan"]

SPELT = {"rs.power_tests": "--find power", "rs.sample_size_tests": "--find size"}
SPELT |= {"measure": "--rate", "n": "--patients"}

# Options of areas alone, and their defaults.
_OF_AREAS = {
    **dict.fromkeys(("auc", "auc2", "auc_correlation", "null", "half_width", "n_pos", "n_neg")),
    **dict.fromkeys(("ratio", "mean_difference", "mean_difference2", "sd_pos", "sd_neg")),
    "independent": False,
    "group_ratio": 1.0,
    "model": "normal",
    "sd_ratio": 1.0,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options to the command."""
    add = parser.add_argument_group("two binary tests on the same patients").add_argument
    add("--new", type=float, metavar="P", help="sensitivity (or specificity) of the new test")
    add("--standard", type=float, metavar="P", help="that of the standard test")
    add(
        "--discordant",
        type=float,
        metavar="P",
        help="share of patients on whom the tests disagree (or --correlation of their results)",
    )
    add("--rate", metavar="RATE", help="sensitivity (default) or specificity")
    add("--patients", type=int, metavar="N", help="diseased patients, for specificity the others")


def is_meant(args: argparse.Namespace) -> bool:
    """Whether the plan is of binary tests."""
    names = ("new", "standard", "discordant", "rate", "patients")
    return any(getattr(args, name) is not None for name in names)


def plan(args: argparse.Namespace, find: str, aim: str | None) -> Any:
    """Find the size or the power of a study of two tests."""
    import rocstats as rs

    given = [name for name, default in _OF_AREAS.items() if getattr(args, name) != default]
    if given:
        raise InvalidOptionError(
            f"{listed([named(name) for name in given])} cannot stand beside the options of binary "
            "tests; plan one thing at a time."
        )
    if args.new is None or args.standard is None:
        raise InvalidOptionError(f"Give {named('new')} and {named('standard')}, the two rates.")
    shared: dict[str, Any] = {
        "measure": args.rate or "sensitivity",
        "discordant": args.discordant,
        "correlation": args.correlation,
        "significance": args.significance,
        "alternative": args.alternative,
        "margin": args.margin,
        "aim": aim,
        "prevalence": args.prevalence,
    }
    if find == "size":
        if args.patients is not None:
            raise InvalidOptionError(
                f"{named('patients')} is what {named('power')} would find; give one of them."
            )
        return rs.sample_size_tests(args.new, args.standard, power=args.power or 0.8, **shared)
    if args.patients is None:
        raise InvalidOptionError(
            f"Give {named('patients')}, or {named('power')} to find their number."
        )
    return rs.power_tests(args.new, args.standard, n=args.patients, **shared)
