"""``rocstats thresholds``: a marker at given thresholds, and at those the data would choose."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocstats.cli.arguments import (
    SPELT,
    add_data_arguments,
    add_table_argument,
    check_table_output,
    names,
    read_sample,
    spelling,
    write_table_output,
)
from rocstats.cli.large_files import add_memory_argument
from rocstats.errors import InvalidOptionError, check_option, named

if TYPE_CHECKING:
    from rocstats.data.sample import ScoredSample
    from rocstats.tables import Row, Statement
    from rocstats.thresholds.cutpoints import Cutpoint
    from rocstats.thresholds.fixed_rate import FixedRate
    from rocstats.thresholds.points import OperatingPoints

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_RATES = ("sensitivity", "specificity")
_SPELT = SPELT | {f"{rate}": f"--at-{rate}" for rate in _RATES}
_SPELT |= {"y_score": "--marker", "rng": "--seed"}
_ALL = (
    *("threshold", "tp", "fp", "fn", "tn"),
    *(f"{rate}{end}" for rate in _RATES for end in ("", "_conf_low", "_conf_high")),
    *("ppv", "npv", "youden"),
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "thresholds",
        description="Judge a marker at given thresholds, or choose a cutpoint and say what the "
        "choice is worth.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats thresholds breast_cancer.csv --outcome diagnosis --positive malignant "
        "--marker mean_radius --threshold 15 --prevalence 0.02,0.1",
        everyday="file outcome positive markers threshold criterion at_specificity at_sensitivity "
        "prevalence lower_is_positive nan_policy json",
        allow_abbrev=False,
        conflict_handler="resolve",
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=_SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command; one marker takes the place of several ("resolve")."""
    add_data_arguments(parser)
    add_memory_argument(parser)
    add = parser.add_argument
    add(
        "--marker",
        "--markers",
        dest="markers",
        required=True,
        type=names,
        action="extend",
        metavar="COLUMN",
        help="column of the scores",
    )
    add(
        "--threshold",
        type=_numbers,
        action="extend",
        default=[],
        metavar="X,Y",
        help="prespecified thresholds (with a minus sign: --threshold=-1,1)",
    )
    add(
        "--criterion",
        metavar="NAME",
        help="choose a cutpoint: youden, closest, product, equality, kappa, chi_square, accuracy, "
        "f1, mcc, dor, predictive_sum... (default, if there is no --threshold: youden)",
    )
    add(
        "--weights",
        type=_column_or_numbers,
        metavar="COLUMN or COST,PREVALENCE",
        help="a column: what every row counts, at a given --threshold; two numbers, for youden and "
        "closest: cost of a missed positive in false alarms, and prevalence of use",
    )
    for rate in _RATES:
        add(f"--min-{rate}", type=float, metavar="RATE", help=f"{rate} the cutpoint must have")
        other = _RATES[1 - _RATES.index(rate)]
        add(
            f"--at-{rate}",
            type=_numbers,
            action="extend",
            default=[],
            metavar="RATE",
            help=f"estimate the {other} at a fixed {rate}",
        )
    add(
        "--prevalence",
        type=_numbers,
        action="extend",
        default=[],
        metavar="P,Q",
        help="give predictive values at these prevalences too",
    )
    add(
        "--interval",
        default="wilson",
        metavar="METHOD",
        help="of proportions: wilson (default), clopper-pearson, agresti-coull or jeffreys",
    )
    add("--all", action="store_true", help="print the table of all thresholds")
    add("--n-resamples", type=int, default=2000, metavar="B", help="default: 2000")
    add("--seed", type=int, default=1, metavar="SEED", help="of the resamples (default: 1)")
    add_table_argument(parser)
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Analyse the file and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("thresholds", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Judge thresholds, choose cutpoints; return built-in types, and text."""
    import rocstats as rs
    from rocstats.cli.write import sample_dict, sample_header
    from rocstats.estimates.proportion_limits import PROPORTION_METHODS

    check_option("interval", args.interval, PROPORTION_METHODS)
    if len(args.markers) != 1:
        raise InvalidOptionError(
            f"{named('markers')} takes one column, got {len(args.markers)}; run the "
            "command for each."
        )
    check_table_output(args)
    column = args.weights if isinstance(args.weights, str) else None
    sample = read_sample(argparse.Namespace(**vars(args) | {"weights": column}))
    resampling = rs.Bootstrap(n_resamples=args.n_resamples, rng=args.seed)
    options: dict[str, Any] = {
        "interval": args.interval,
        "confidence_level": args.confidence_level,
    }
    cutpoints = _cutpoints(sample, args, resampling, options)
    everywhere = rs.operating_points(sample, prevalence=args.prevalence, **options)
    fixed = [
        function(sample, resampling=resampling, **{rate: values})
        for function, rate, values in (
            (rs.sensitivity_at, "specificity", args.at_specificity),
            (rs.specificity_at, "sensitivity", args.at_sensitivity),
        )
        if values
    ]
    level, shares = args.confidence_level, everywhere.prevalence
    content = {
        "sample": sample_dict(sample),
        "cutpoints": [_cutpoint_dict(cutpoint, shares) for cutpoint in cutpoints],
        "fixed_rates": [found.to_dict(confidence_level=level) for found in fixed],
        "all": everywhere.to_dict() if args.all else None,
        "seed": args.seed,
    }
    parts = [
        sample_header(args.file, args.outcome, level, sample),
        *(
            _cutpoint_text(cutpoint, shares, sample, args, cutpoints[:i])
            for i, cutpoint in enumerate(cutpoints)
        ),
        *(_fixed_text(found, sample, args) for found in fixed),
        *([_all_text(everywhere)] if args.all else []),
    ]
    tables = _tables(cutpoints, shares, sample)
    if args.all:
        tables = {"all": everywhere.statement(), **tables}
    tables |= {
        f"fixed rate {i}": found.statement(confidence_level=level)
        for i, found in enumerate(fixed, 1)
    }
    parts += write_table_output(args, tables)
    return content, "\n\n".join(parts)


def _tables(
    cutpoints: Sequence[Cutpoint], prevalence: tuple[float, ...], sample: ScoredSample
) -> dict[str, Statement]:
    """Return every measure at every cutpoint as rows of one table, with counts and corrections."""
    from rocstats.tables import Statement

    rows = []
    for cutpoint in cutpoints:
        points = replace(cutpoint.points, prevalence=prevalence)
        for i, at in enumerate(cutpoint.statement().tidy):
            known = {"threshold": at["threshold"], "kind": cutpoint.kind}
            counts = {name: at[name] for name in ("tp", "fp", "fn", "tn")}
            found = points.table(i)
            for rate in _RATES if cutpoint.kind == "exploratory" and _is_corrected(at) else ():
                kind = f"corrected_{rate}"
                limits = {name: at[f"{kind}_{name}"] for name in ("conf_low", "conf_high")}
                words = {"measure": kind, "label": f"{rate.capitalize()}, corrected for the choice"}
                how = {name: found[0][name] for name in ("conf_level", "conf_method")}
                found = [*found, {**words, "estimate": at[kind], **limits, **how}]
            rows += [known | row | counts for row in found]
    head = f"{sample.markers[0]} at thresholds"
    shown = ("threshold", "kind", "label", "estimate", "conf_low", "conf_high", "conf_method")
    return {"cutpoints": Statement(head=head, rows=rows, shown=shown)}


def _column_or_numbers(text: str) -> str | list[float]:
    """Return the name of a column, or the numbers of a text in which commas part them."""
    return _numbers(text) if "," in text else text


def _cutpoints(
    sample: ScoredSample, args: argparse.Namespace, resampling: Any, options: dict[str, Any]
) -> list[Cutpoint]:
    """Return the prespecified cutpoints, then the chosen one where there is to be one."""
    import rocstats as rs

    found = [rs.optimal_cutpoint(sample, threshold=value, **options) for value in args.threshold]
    choice = {"criterion": args.criterion}
    choice |= {f"min_{rate}": getattr(args, f"min_{rate}") for rate in _RATES}
    if args.weights is not None and not isinstance(args.weights, str):
        if len(args.weights) != 2:
            raise InvalidOptionError(
                f"{named('weights')} takes a cost and a prevalence, got "
                f"{len(args.weights)} numbers."
            )
        choice |= dict(zip(("cost", "prevalence"), args.weights, strict=True))
    choice = {name: value for name, value in choice.items() if value is not None}
    if choice or not args.threshold:
        inside = {name: f"the {name} in --weights" for name in ("cost", "prevalence")}
        with spelling(args, **inside):
            found.append(rs.optimal_cutpoint(sample, resampling=resampling, **choice, **options))
    return found


def _cutpoint_dict(cutpoint: Cutpoint, prevalence: tuple[float, ...]) -> dict[str, Any]:
    points, stated = replace(cutpoint.points, prevalence=prevalence), cutpoint.statement()
    found = stated.as_dict()
    for i, (row, optimum) in enumerate(zip(stated.tidy, found["optima"], strict=True)):
        optimum["table"] = points.table(i)
        optimum["frequencies"] = [_frequencies(p, row) for p in prevalence]
    return found


# ---------------------------------------------------------------------------------------- the text


def _cutpoint_text(
    cutpoint: Cutpoint,
    prevalence: tuple[float, ...],
    sample: ScoredSample,
    args: argparse.Namespace,
    before: Sequence[Cutpoint] = (),
) -> str:
    from rocstats.tables import text_table

    exploratory = cutpoint.kind == "exploratory"
    size = cutpoint.threshold.size
    points = replace(cutpoint.points, prevalence=prevalence)
    head = "Prespecified threshold"
    if exploratory:
        head = f"Exploratory cutpoint: {cutpoint.criterion}"
    parts = [f"{head}; {size} cutpoints are equally good." if size > 1 else f"{head}."]
    if again := [other for other in before if _is_same(cutpoint, other)]:
        return (
            f"{parts[0]} It calls the same positive as the prespecified threshold "
            f"{again[0].points.called()}: its figures stand there, and need no correction."
        )
    for i, row in enumerate(cutpoint.statement().tidy):
        lines = [f"Positive if {points.called(i)}", "", _two_by_two(row, sample, args.outcome), ""]
        table = [found | {"measure": found["label"]} for found in points.table(i)]
        lines += [
            text_table(table, ("measure", "estimate", "conf_low", "conf_high", "conf_method"))
        ]
        if exploratory:
            lines += ["", _warning(row, cutpoint)]
        by = f" (by the {'corrected' if _is_corrected(row) else 'apparent'} rates)"
        lines += [
            _sentence(
                _frequencies(p, row),
                f"{args.outcome} = {sample.pos_label}",
                by if exploratory else "",
            )
            for p in prevalence
        ]
        parts.append("\n".join(lines))
    limits = cutpoint.confidence_interval(confidence_level=args.confidence_level)
    if not math.isnan(limits.low):
        middle = " and ".join(f"{value:.6g}" for value in cutpoint.midpoint.tolist())
        parts.append(
            f"{100 * args.confidence_level:g}% interval of the cutpoint, taken half-way to the "
            f"next score ({middle}): {limits.low:.6g} to {limits.high:.6g} "
            f"({len(cutpoint.replicates)} resamples, seed {args.seed})."
        )
    return "\n\n".join(parts)


def _is_same(chosen: Cutpoint, other: Cutpoint) -> bool:
    """Whether the one cutpoint that the data chose has the table of a prespecified one."""
    if chosen.kind != "exploratory" or chosen.threshold.size > 1:
        return False
    tables = [(c.points.tp.tolist(), c.points.fp.tolist()) for c in (chosen, other)]
    return tables[0] == tables[1]


def _two_by_two(row: Row, sample: ScoredSample, outcome: str) -> str:
    from rocstats.tables import text_table

    sick, well = f"{outcome} = {sample.pos_label}", f"{outcome} = {sample.neg_label}"
    return text_table(
        [
            {"called": "positive", sick: row["tp"], well: row["fp"]},
            {"called": "negative", sick: row["fn"], well: row["tn"]},
        ],
        ("called", sick, well),
    )


def _warning(row: Row, cutpoint: Cutpoint) -> str:
    from rocstats.thresholds.cutpoints import NOISE

    rates = [
        f"{rate} {row[f'corrected_{rate}']:.4f} ({row[f'corrected_{rate}_conf_low']:.4f} to "
        f"{row[f'corrected_{rate}_conf_high']:.4f})"
        for rate in _RATES
    ]
    corrected = (
        f"Corrected for optimism: {', '.join(rates)}."
        if _is_corrected(row)
        else "By how much cannot be told from so few."
    )
    if min(cutpoint.optimism) < 0.0:
        corrected += f" {NOISE}"
    said = f"These data chose the cutpoint, so the figures above are too good. {corrected}"
    if cutpoint.is_steady:
        said = "These data chose the cutpoint, and every resample chose it again: the figures "
        said += "above need no correction."
    return f"{said}\n{_equals(row)}"


def _equals(row: Row) -> str:
    """Return which thresholds have the same table, in words; one may be beyond all scores."""
    here, there = row["threshold"], row["next_score"]
    ends = [("above", there), ("up to", here)]
    if there > here:
        ends = [("from", here), ("to below", there)]
    known = [f"{word} {end:.6g}" for word, end in ends if math.isfinite(end)]
    middle = f"; half-way lies {row['midpoint']:.6g}" if len(known) == 2 else ""
    return f"Every threshold {' '.join(known)} gives this table{middle}."


def _is_corrected(row: Row) -> bool:
    return not math.isnan(row["corrected_sensitivity"])


def _frequencies(prevalence: float, row: Row) -> dict[str, Any]:
    """Return whole numbers of people, by the corrected rates where there are any."""
    from rocstats.thresholds.frequencies import frequencies

    kind = "corrected_" if _is_corrected(row) else ""
    found = frequencies(prevalence, *(float(row[f"{kind}{rate}"]) for rate in _RATES))
    return {
        "prevalence": prevalence,
        "people": found["of"],
        "sick": found["ill"],
        "found": found["tp"],
        "false_alarms": found["fp"],
    }


def _sentence(f: dict[str, Any], condition: str, by: str) -> str:
    return (
        f"Of {f['people']} such people at a prevalence of {100 * f['prevalence']:g}%, {f['sick']} "
        f"have {condition}: {f['found']} of them are called positive and {f['sick'] - f['found']} "
        f"are missed; of the other {f['people'] - f['sick']}, {f['false_alarms']} are called "
        f"positive wrongly{by}."
    )


def _fixed_text(found: FixedRate, sample: ScoredSample, args: argparse.Namespace) -> str:
    import rocstats as rs

    _, estimates = found.statement(confidence_level=args.confidence_level).parts
    rate = found.quantity.rsplit(" ", 1)[1]
    attainable = found.attainable()
    points = rs.operating_points(sample, thresholds=[row["threshold"] for row in attainable])
    return "\n".join(
        [
            *(
                f"{_SIDES[row['meets']].format(rate=rate, at=row['at'])} in these data: "
                f"{_called(points, i)} (sensitivity {row['sensitivity']:.4f}, specificity "
                f"{row['specificity']:.4f})."
                for i, row in enumerate(attainable)
            ),
            f"{found.quantity.capitalize()}. The threshold is estimated: this is not the rate of a "
            f"given threshold ({len(found.replicates)} resamples, seed {args.seed}).",
            estimates.table(),
            *estimates.notes,
        ]
    )


_SIDES = {
    True: "Exploratory threshold with {rate} of at least {at:g}",
    False: "The next one, with {rate} below {at:g}",
}


def _called(points: OperatingPoints, i: int) -> str:
    """Return who is called positive at a point, also where that is no one."""
    if math.isinf(points.threshold[i]):
        return "no one is called positive"
    return points.called(i)


def _all_text(points: OperatingPoints) -> str:
    from rocstats.tables import text_table

    rows = points.statement().tidy
    extra = [name for name in points.measures if "_at_" in name]
    return f"All thresholds.\n{text_table(rows, (*_ALL, *extra))}"


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"numbers separated by commas were expected, got {text!r}"
        ) from None
