"""``rocstats tests``: binary tests on the same patients, from a file or from counts."""

from __future__ import annotations

import argparse
from typing import Any

from rocstats.cli.arguments import (
    SPELT,
    TABLE,
    add_table_argument,
    check_table_output,
    names,
    spelling,
    write_table_output,
)
from rocstats.cli.intake_arguments import (
    INTAKE_NAMES,
    add_intake_arguments,
    positive_class,
    take_in_file,
    use_names_of,
)
from rocstats.errors import InvalidOptionError, RocstatsWarning, listed, named, warn_user

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_SPELT = {"y_score": "--tests", "prespecified": "--exploratory", "y_true": "--outcome"}
_OF_A_FILE = (
    *("outcome", "positive", "thresholds", "test_positive", "test_negative", "equivocal"),
    *("subject", "cluster", "lower_is_positive", "exploratory", *INTAKE_NAMES),
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "tests",
        description="Compare binary tests on the same patients: sensitivity, specificity, "
        "predictive values and likelihood ratios, new against standard.",
        epilog="Examples (rocstats demo --data writes the file):\n"
        "  rocstats tests breast_cancer.csv --outcome diagnosis --positive malignant "
        "--tests mean_radius,worst_area --thresholds mean_radius=15,worst_area=880\n"
        "  rocstats tests --diseased 319,78,22,32 --healthy 31,53,22,155",
        everyday="file outcome positive tests thresholds test_positive equivocal cluster "
        "diseased healthy noninferiority json",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT | _SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", nargs="?", help=f"{TABLE}; none with --diseased and --healthy")
    add("--outcome", metavar="COLUMN", help="column of the true class")
    add("--positive", metavar="LABEL", help="label of the positive class (default: 1 beside 0)")
    add(
        "--tests",
        type=names,
        action="extend",
        metavar="A,B",
        help="columns of the tests, the standard one first: scores, 0 and 1, or words",
    )
    add(
        "--thresholds",
        type=_numbers_by_name,
        action="extend",
        metavar="A=10,B=0.5",
        help="cutoffs fixed before the study: a score at or beyond it is positive",
    )
    add("--test-positive", metavar="RESULT", help="the positive result, where results are words")
    add(
        "--test-negative",
        metavar="RESULT",
        help="the negative one; all others are equivocal (default: the only other one)",
    )
    add(
        "--equivocal",
        metavar="HOW",
        help="missing and equivocal results: positive, negative, or both (left out, and shown both "
        "ways)",
    )
    add("--subject", metavar="COLUMN", help="column of subject ids")
    add("--cluster", metavar="COLUMN", help="column of clusters of dependent rows (lesions)")
    add(
        "--lower-is-positive",
        type=names,
        action="extend",
        default=[],
        metavar="B",
        help="tests whose low values are positive",
    )
    add(
        "--nan-policy",
        choices=("raise", "omit"),
        default="raise",
        help="refuse missing values (default), or leave out patients that have one",
    )
    add(
        "--exploratory",
        action="store_true",
        help="the cutoffs were chosen on these data: no p-values",
    )
    add(
        "--diseased",
        type=_counts,
        metavar="A,B,C,D",
        help="instead of a file, counts of diseased patients: positive on both tests, on the "
        "standard one only, on the new one only, on neither (left out if screen-positive)",
    )
    add("--healthy", type=_counts, metavar="A,B,C,D", help="the same of the others")
    add(
        "--design",
        default="cohort",
        metavar="DESIGN",
        help="cohort (default), case-control (no predictive values) or screen-positive (ratios "
        "only)",
    )
    add(
        "--truth",
        default="reference",
        metavar="KIND",
        help="reference (default), or comparator: agreement (PPA, NPA) instead of accuracy",
    )
    add(
        "--noninferiority",
        type=_numbers_by_name,
        action="extend",
        metavar="RATE=MARGIN",
        help="test that sensitivity, specificity, or both (co-primary) are not worse by the margin",
    )
    add(
        "--adjust",
        default="holm",
        metavar="METHOD",
        help="p-values of more than two tests: none, bonferroni, holm, fdr_bh... (default: holm)",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add_table_argument(parser)
    add("--json", action="store_true", help="print JSON")
    add_intake_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the tests and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("tests", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Compare the tests and return what was found, as built-in types and as text."""
    from rocstats.cli.write import sample_dict, sample_header

    check_table_output(args)
    result = _of_counts(args) if args.file is None else _of_file(args)
    level = args.confidence_level
    margins = _margins(result, args)
    several = [result.pairwise(args.adjust)] if len(result.tests) > 2 else []
    content = {
        "sample": sample_dict(result.sample),
        **result.to_dict(confidence_level=level),
        "pairwise": several[0].to_dict() if several else None,
        "margins": [margin.to_dict() for margin in margins],
    }
    stated = result.statement(confidence_level=level)
    parts = [stated.as_text(), *map(repr, several), *map(repr, margins)]
    if args.file is not None:
        parts.insert(0, sample_header(args.file, args.outcome, level, result.sample))
    tables = {"tests": stated}
    tables |= {"pairs": several[0].statement()} if several else {}
    tables |= {f"margin {i}": margin.statement() for i, margin in enumerate(margins, 1)}
    parts += write_table_output(args, tables)
    return content, "\n\n".join(parts)


def _of_counts(args: argparse.Namespace) -> Any:
    import rocstats as rs

    if args.diseased is None or args.healthy is None:
        raise InvalidOptionError(
            f"Give a file with {named('outcome')} and {named('tests')}, or the counts "
            f"{named('diseased')} and {named('healthy')}."
        )
    given = [name for name in _OF_A_FILE if getattr(args, name)]
    if given:
        raise InvalidOptionError(f"{listed(map(named, given))} cannot stand beside counts.")
    return rs.compare_counts(
        diseased=args.diseased,
        healthy=args.healthy,
        tests=args.tests or ("T1", "T2"),
        design=args.design,
        truth=args.truth,
    )


def _of_file(args: argparse.Namespace) -> Any:
    import rocstats as rs
    from rocstats.errors import InvalidSampleError, did_you_mean

    if args.diseased is not None or args.healthy is not None:
        raise InvalidOptionError(
            f"Give a file or the counts {named('diseased')} and {named('healthy')}, not both."
        )
    cuts = dict(args.thresholds or ())
    tests = args.tests or list(cuts)
    if args.outcome is None or not tests:
        raise InvalidOptionError(f"Name the columns with {named('outcome')} and {named('tests')}.")
    intake = take_in_file(
        args.file,
        vars(args),
        outcome=args.outcome,
        scores=[name for name in tests if name in cuts],
        columns=tests,
    )
    use_names_of(intake, args)
    cuts = {intake.aliases.get(name, name): cut for name, cut in cuts.items()}
    tests = [intake.aliases.get(name, name) for name in tests]
    table = intake.table
    for note in table.notes([args.outcome, *tests]):
        warn_user(note, RocstatsWarning)
    words = [] if args.test_positive is None else [name for name in tests if name not in cuts]
    frame = table.classes([args.outcome, *words])
    ids = [name for name in (args.subject, args.cluster) if name is not None]
    for name in (args.outcome, *tests, *ids):
        if name not in frame.columns:
            raise InvalidSampleError(
                f"The data have no column {name!r}; "
                f"they have {listed(frame.columns)}.{did_you_mean(name, frame.columns)}"
            )

    def result_of(text: str | None) -> dict[str, Any] | None:
        return None if text is None else {name: table.find_class(name, text) for name in words}

    return rs.compare_tests(
        frame[args.outcome],
        {name: frame[name] for name in tests},
        thresholds=cuts or None,
        tests=tests,
        test_positive=result_of(args.test_positive),
        test_negative=result_of(args.test_negative),
        equivocal=args.equivocal,
        design=args.design,
        truth=args.truth,
        prespecified=not args.exploratory,
        pos_label=positive_class(intake, args.outcome, vars(args)),
        subject=None if args.subject is None else frame[args.subject],
        cluster=None if args.cluster is None else frame[args.cluster],
        higher_is_positive=dict.fromkeys(args.lower_is_positive, False),
        nan_policy=args.nan_policy,
    )


def _margins(result: Any, args: argparse.Namespace) -> list[Any]:
    if args.noninferiority and len(result.tests) > 2:
        raise InvalidOptionError(
            f"{named('noninferiority')} is of a new test against a standard one; name these two in "
            f"{named('tests')}, got {listed(result.tests)}."
        )
    with spelling(args, margin="--noninferiority", measure="--noninferiority"):
        return [result.noninferiority(rate, m) for rate, m in args.noninferiority or ()]


def _numbers_by_name(text: str) -> list[tuple[str, float]]:
    """Return names with numbers; quotes keep a comma within a name."""
    found = []
    for part in names(text):
        name, equals, number = part.rpartition("=")
        try:
            found.append((name.strip(), float(number if equals and name.strip() else "?")))
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"names with numbers, as in a=10,b=0.5, were expected, got {text!r}"
            ) from None
    return found


def _counts(text: str) -> list[list[int | None]]:
    try:
        cells: list[int | None] = [int(part) for part in text.split(",")]
    except ValueError:
        cells = []
    if len(cells) not in (3, 4):
        raise argparse.ArgumentTypeError(f"four counts were expected, got {text!r}")
    cells = cells if len(cells) == 4 else [*cells, None]
    return [cells[:2], cells[2:]]
