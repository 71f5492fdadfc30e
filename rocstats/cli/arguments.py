"""Arguments that several commands share: the data, and how a measure is set up."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rocstats.analysis.option_kinds import names
from rocstats.cli.intake_arguments import (
    add_intake_arguments,
    in_one_word,
    positive_class,
    take_in_file,
    use_names_of,
)
from rocstats.cli.large_files import scan_if_large
from rocstats.errors import InvalidOptionError, Mention, RocstatsWarning, Sentence, named, warn_user

if TYPE_CHECKING:
    from rocstats.data.sample import ScoredSample
    from rocstats.engine.measures import Measure
    from rocstats.tables import Statement

__all__ = [
    "SPELT",
    "TABLE",
    "add_adjustment_argument",
    "add_data_arguments",
    "add_design_arguments",
    "add_measure_arguments",
    "add_table_argument",
    "check_table_output",
    "chosen_measures",
    "names",
    "read_sample",
    "spelling",
    "spoken",
    "write_table_output",
]

TABLE = "table with column names: CSV, TSV, Excel, ODS, Parquet, SAS, SPSS, Stata or R"

# Keywords of the library that have another name here; the others are spelt as the parser has them.
SPELT = {
    "pos_label": "--positive",
    "higher_is_positive": "--lower-is-positive",
    "y_true": "--outcome",
    "verification_model": "--verification-model",
    "y_score": "--markers",
    "bounds=(low, high)": "--bounds LOW,HIGH",
    "rs.read": "--memory all",  # where files are read in batches
    "rs.ScoredSample.from_frame": "--memory all",
}


def spoken(sentence: Sentence, args: argparse.Namespace) -> str:
    """Return a sentence of the library in the words of the command that was called."""

    def speak(mention: Mention) -> str:
        if mention.wording in args.spelt:
            return str(args.spelt[mention.wording])
        if "." in mention.name:  # a function, which has no other name here
            return mention.wording
        flag = args.spelt.get(mention.name, f"--{mention.name.replace('_', '-')}")
        return f"{flag} {in_one_word(mention.value)}" if mention.value else flag

    return sentence.spoken(speak)


@contextmanager
def spelling(args: argparse.Namespace, **spelt: str) -> Iterator[None]:
    """Spell keywords so within the block, and in the refusal that leaves it, yet to be spoken."""
    before = args.spelt
    args.spelt = before | spelt
    yield
    args.spelt = before


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, its columns and what to do with them."""
    parser.set_defaults(spelt=SPELT)
    add = parser.add_argument
    add("file", help=TABLE)
    add("--outcome", required=True, metavar="COLUMN", help="column of the true class")
    add(
        "--positive",
        metavar="LABEL",
        help="label of the positive class (default: 1, where the other one is 0)",
    )
    add(
        "--markers",
        required=True,
        type=names,
        action="extend",
        metavar="A,B",
        help="columns of scores; quote a name that holds a comma or begins with a space",
    )
    add("--subject", metavar="COLUMN", help="column of subject ids")
    add(
        "--cluster",
        metavar="COLUMN",
        help="column of clusters of dependent rows (the patient of an eye or a lesion)",
    )
    add_design_arguments(parser)
    add(
        "--lower-is-positive",
        type=names,
        action="extend",
        default=[],
        metavar="B",
        help="markers whose low values speak for the positive class",
    )
    add(
        "--nan-policy",
        choices=("raise", "omit"),
        default="raise",
        help="refuse missing values (default), or drop subjects that have one from all markers",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add_intake_arguments(parser)


def add_design_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the rows count, and how they were sampled and verified."""
    add = parser.add_argument
    add("--weights", metavar="COLUMN", help="column of what every row counts")
    add(
        "--weight-kind",
        choices=("probability", "frequency"),
        help="probability: a row is one subject that stands for others (default); frequency: a row "
        "is so many subjects, as in a table of ratings",
    )
    add("--strata", metavar="COLUMN", help="column of the sampling strata, --cluster being in them")
    add(
        "--verified",
        metavar="COLUMN",
        help="column that tells whose true class is known (1 or 0, yes or no)",
    )
    add(
        "--verification-model",
        type=names,
        action="extend",
        metavar="A,B",
        help="columns that verification depends on (default: the markers)",
    )


def add_adjustment_argument(parser: argparse.ArgumentParser) -> None:
    """Add the covariates within which like is compared with like."""
    parser.add_argument(
        "--adjust-for",
        type=names,
        action="extend",
        metavar="A,B",
        help="columns within which like is compared with like: centres or sexes as strata, ages by "
        "a linear model of the negatives",
    )


def add_measure_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the settings of sAUC and smAUC."""
    add = parser.add_argument
    add(
        "--midpoint",
        type=_number_or_text,
        metavar="M",
        help="smAUC: a number in (0, 1], paper or class_mean (default: 0.5)",
    )
    add(
        "--class-weight",
        type=_number_or_text,
        metavar="W",
        help="smAUC: balanced, or the prevalence to weight the classes to (default: as they are)",
    )
    add(
        "--bounds",
        type=_bounds,
        metavar="LOW,HIGH",
        help="sAUC and smAUC: limits of the scores, or range (with a minus sign: --bounds=-1,1)",
    )


def add_table_argument(parser: argparse.ArgumentParser) -> None:
    """Add the file that the answer is written to as a table."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the answer as a table, too: .csv or .xlsx with every digit, .tex (booktabs) or "
        ".docx as a journal prints it",
    )


def check_table_output(args: argparse.Namespace, pages: tuple[str, ...] = ()) -> None:
    """Refuse a file that cannot be written, or would be written over the data, before the work."""
    from rocstats.cli.write import check_writable, keep_file
    from rocstats.tables.table_files import check_table_file

    output = getattr(args, "output", None)
    if output is not None:
        check_writable(output)
        keep_file(output, args.file, "the data")
        check_table_file(output, pages)


def write_table_output(args: argparse.Namespace, stated: Mapping[str, Statement]) -> list[str]:
    """Write the statements where a file was named, the answer first; return what to say."""
    from rocstats.tables.table_files import write_tables

    output = getattr(args, "output", None)
    if output is None:
        return []
    write_tables(output, stated)
    return [f"Wrote {output}"]


def read_sample(args: argparse.Namespace, covariates: Sequence[str] = ()) -> ScoredSample:
    """Read the file and make the sample of its columns."""
    import rocstats as rs

    table = scan_if_large(args, covariates)
    if table is not None:
        return table
    single = (args.subject, args.cluster, args.weights, args.strata, args.verified)
    beside = [*single, *(args.verification_model or ()), *covariates]
    intake = take_in_file(
        args.file,
        vars(args),
        outcome=args.outcome,
        scores=args.markers,
        columns=[name for name in beside if name is not None],
    )
    use_names_of(intake, args)
    read = intake.table
    _check_commas(args.markers, read.frame.columns)
    for note in read.notes([args.outcome, *args.markers]):
        warn_user(note, RocstatsWarning)
    return rs.ScoredSample.from_frame(
        read.classes([args.outcome]),
        outcome=args.outcome,
        markers=args.markers,
        pos_label=positive_class(intake, args.outcome, vars(args)),
        subject=args.subject,
        cluster=args.cluster,
        weights=args.weights,
        weight_kind=args.weight_kind,
        strata=args.strata,
        verified=args.verified,
        verification_model=args.verification_model,
        covariates=covariates,
        higher_is_positive=dict.fromkeys(args.lower_is_positive, False),
        nan_policy=args.nan_policy,
    )


def _check_commas(markers: Sequence[str], columns: Iterable[str]) -> None:
    """Refuse a part of a name that was cut at its comma, and say how it is written."""
    known = list(map(str, columns))
    for marker in markers:
        whole = next((name for name in known if name.startswith(f"{marker},")), None)
        if marker not in known and whole is not None:
            raise InvalidOptionError(
                f"The data have no column {marker!r}, but {whole!r}: a name that holds a comma is "
                f"quoted twice, as in {named('markers')} '\"{whole}\"'."
            )


def chosen_measures(args: argparse.Namespace, wanted: Sequence[str]) -> list[Measure | str]:
    """Return the measures asked for, with their settings; refuse a setting that none would read."""
    import rocstats as rs

    known = list(dict.fromkeys(wanted))
    for option, value, readers in (
        ("bounds", args.bounds, ("sauc", "smauc")),
        ("midpoint", args.midpoint, ("smauc",)),
        ("class_weight", args.class_weight, ("smauc",)),
    ):
        if value is not None and not set(readers) & set(known):
            raise InvalidOptionError(
                f"{named(option)} has no part in {', '.join(known)}; "
                f"add {' or '.join(readers)} to the measures, or leave it out."
            )
    midpoint = 0.5 if args.midpoint is None else args.midpoint
    built = {
        "sauc": lambda: rs.scored_auc(bounds=args.bounds),
        "smauc": lambda: rs.smooth_auc(
            midpoint=midpoint, class_weight=args.class_weight, bounds=args.bounds
        ),
    }
    return [built[name]() if name in built else name for name in known]


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _bounds(text: str) -> Any:
    """Return two numbers where there are two; what else there is, the measure judges."""
    if text == "range":
        return text
    return tuple(_number_or_text(part) for part in text.split(","))
