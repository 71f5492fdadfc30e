"""``rocstats power``: how large a study must be, or what one of a given size can show."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.cli import sauc_plan, tests_plan
from rocstats.errors import InvalidOptionError, check_option, named

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_AIMS = {"noninferiority": "non-inferiority", "superiority": "superiority"}
_AIMS |= {"non-inferiority": "non-inferiority", "equivalence": "equivalence"}
_SPELT = {
    "null_value": "--null",
    "n_replicates": "--simulate",
    "rng": "--seed",
    "paired=False": "--independent",
    "rs.power_auc": "--find power",
    "rs.sample_size_auc": "--find size",
    **sauc_plan.SPELT,
    **tests_plan.SPELT,
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "power",
        description="Plan a study of one AUC, of two compared by DeLong's test, of the sAUC, or "
        "of two binary tests: leave out what is to be found.",
        epilog="Examples:\n"
        "  rocstats power --auc 0.8 --null 0.7 --power 0.9 --ratio 2\n"
        "  rocstats power --auc 0.85 --auc2 0.8 --correlation 0.5 --n-pos 100\n"
        "  rocstats power --auc 0.85 --half-width 0.05 --prevalence 0.2\n"
        "  rocstats power --new 0.9 --standard 0.8 --discordant 0.2 --power 0.9",
        everyday="auc null auc2 correlation power half_width n_pos n_neg ratio prevalence "
        "margin aim significance simulate json",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=_SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("--auc", type=float, metavar="A", help="AUC assumed to be true")
    add(
        "--null",
        type=float,
        metavar="A0",
        help="value to test against (default: 0.5, or a difference of 0)",
    )
    add("--auc2", type=float, metavar="B", help="second AUC, to be compared with the first")
    add(
        "--correlation",
        type=_numbers,
        metavar="R",
        help="of the two scores within a class; POS,NEG where it differs",
    )
    add("--auc-correlation", type=float, metavar="R", help="instead: of the two estimated AUCs")
    add("--independent", action="store_true", help="the AUCs are of different subjects")
    add("--group-ratio", type=float, default=1.0, metavar="K", help="second group over the first")
    add("--power", type=float, metavar="P", help="power wanted; the sizes are found")
    add("--half-width", type=float, metavar="W", help="instead: half-width of the interval wanted")
    add("--n-pos", type=int, metavar="N", help="number of positives")
    add("--n-neg", type=int, metavar="N", help="number of negatives")
    add("--ratio", type=float, metavar="K", help="negatives for every positive (default: 1)")
    add("--prevalence", type=float, metavar="P", help="instead: share of positives")
    add("--significance", type=float, metavar="A", help="default: 0.05; one-sided margins: 0.025")
    add(
        "--alternative",
        default="two-sided",
        metavar="SIDE",
        help="two-sided (default), greater or less",
    )
    add("--margin", type=float, metavar="D", help="margin of the aim")
    add("--aim", metavar="AIM", help="noninferiority, superiority or equivalence")
    add(
        "--model",
        default="normal",
        metavar="MODEL",
        help="variance: normal (exact, default), hanley-mcneil, or obuchowski (as in pROC)",
    )
    add("--sd-ratio", type=_numbers, default=1.0, metavar="Q", help="SD of positives to negatives")
    add(
        "--find",
        metavar="WHAT",
        help="size, power, auc (sauc) or significance (default: size where --power or --half-width "
        "is given, else power)",
    )
    sauc_plan.add_arguments(parser, _numbers)
    tests_plan.add_arguments(parser)
    add("--simulate", type=int, metavar="N", help="check the plan by so many simulated studies")
    add("--seed", type=int, metavar="N", help="of the simulation (default: 1)")
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Plan the study and print the plan."""
    from rocstats.cli.write import print_answer

    return print_answer("power", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Find what was left out; return the plan as built-in types, and as text."""
    goal = args.power is not None or args.half_width is not None
    find = args.find or ("size" if goal else "power")
    of_sauc = sauc_plan.is_meant(args)
    of_tests = tests_plan.is_meant(args)
    more = ("sauc" if of_sauc else "auc", "significance")
    check_option("find", find, ("size", "power", *(() if of_tests else more)))
    if args.seed is not None and args.simulate is None:
        raise InvalidOptionError(f"{named('seed')} has no part without {named('simulate')}.")
    if args.seed is not None and args.seed < 0:
        raise InvalidOptionError(f"{named('seed')} must be a whole number from 0, got {args.seed}.")
    if args.aim is not None:
        check_option("aim", args.aim, tuple(_AIMS))
    aim = None if args.aim is None else _AIMS[args.aim]
    if of_tests:
        result = tests_plan.plan(args, find, aim)
    elif of_sauc:
        result = sauc_plan.plan(args, find, aim)
    else:
        result = _plan(args, find, aim)
    simulated = None
    if args.simulate is not None:
        simulated = result.simulate(
            n_replicates=args.simulate, rng=1 if args.seed is None else args.seed
        )
    content = {"plan": result.to_dict()}
    text = result.sentence
    if simulated is not None:
        content["simulation"] = simulated.to_dict()
        text = f"{text}\n{simulated}"
    return content, text


def _plan(args: argparse.Namespace, find: str, aim: str | None) -> Any:
    import rocstats as rs

    shared: dict[str, Any] = {
        "auc": args.auc,
        "null_value": args.null,
        "auc2": args.auc2,
        "n_pos": args.n_pos,
        "n_neg": args.n_neg,
        "ratio": args.ratio,
        "prevalence": args.prevalence,
        "significance": args.significance,
        "alternative": args.alternative,
        "margin": args.margin,
        "aim": aim,
        "model": args.model,
        "sd_ratio": args.sd_ratio,
        "paired": not args.independent,
        "correlation": args.correlation,
        "auc_correlation": args.auc_correlation,
        "group_ratio": args.group_ratio,
        "power": args.power,
    }
    if find == "size":
        return rs.sample_size_auc(**shared, half_width=args.half_width)
    if args.half_width is not None:
        raise InvalidOptionError(f"A half-width is for finding sizes; leave {named('find')} out.")
    if args.n_pos is None:
        raise InvalidOptionError(f"Give {named('n_pos')}, or {named('power')} to find the sizes.")
    return rs.power_auc(**shared, find=find)  # type: ignore[arg-type]


def _numbers(text: str) -> Any:
    """Return one number, or a pair."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"one number or two were expected, got {text!r}") from None
    return values if len(values) > 1 else values[0]
