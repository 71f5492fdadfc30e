"""``rocstats readers``: the tests of a reader study compared, or an AI with the readers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rocstats.cli.arguments import SPELT, TABLE, spelling
from rocstats.cli.intake_arguments import (
    INTAKE_NAMES,
    add_intake_arguments,
    positive_class,
    take_in_file,
    use_names_of,
)
from rocstats.errors import InvalidOptionError, RocstatsWarning, listed, warn_user

if TYPE_CHECKING:
    from rocstats import AgainstReaders, ReaderComparison, ReaderStudy

__all__ = [
    "add_arguments",
    "add_reader_arguments",
    "add_to",
    "analyse",
    "refuse_reader_options",
    "run",
    "run_report",
    "study_of",
]

_COLUMNS = ("test", "reader", "case", "outcome", "rating")
# What rocstats report has for a reader study, too.
_REPORTED = (
    *("positive", "cluster", "margin", "adjust", "confidence_level", "title"),
    *("output", "figures", "tables"),
)
# What it lends from this command for one.
_LENT = (
    *("measure", "threshold", "cases", "covariance", "method", "missing"),
    *("new", "standard", "equivalence", "ai"),
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "readers",
        description="Compare the tests of a reader study, one row a reading: readers and cases are "
        "both taken as random unless told otherwise, and the design is recognised from the ids.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats readers reader_study.csv --test treatment --reader reader --case case "
        "--outcome truth --rating rating --new testB --standard testA --margin .05",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=SPELT | {"higher_is_positive": "--lower-is-positive"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", help=TABLE)
    add("--test", required=True, metavar="COLUMN", help="column of the tests (modalities)")
    add("--reader", required=True, metavar="COLUMN", help="column of the readers")
    add("--case", required=True, metavar="COLUMN", help="column of the cases")
    add("--outcome", required=True, metavar="COLUMN", help="column of the true class")
    add("--rating", "--score", required=True, metavar="COLUMN", help="column of the ratings")
    add(
        "--positive",
        metavar="LABEL",
        help="label of the positive class (default: 1, where the other one is 0)",
    )
    add("--cluster", metavar="COLUMN", help="column of the patients of several lesions")
    add(
        "--lower-is-positive",
        action="store_true",
        help="low ratings speak for the positive class",
    )
    add(
        "--measure",
        default="auc",
        metavar="MEASURE",
        help="auc (default), sauc, smauc, sensitivity or specificity",
    )
    add(
        "--threshold",
        type=float,
        metavar="RATING",
        help="rating from which a case is called positive, for sensitivity and specificity",
    )
    add(
        "--readers",
        default="random",
        metavar="EFFECT",
        help="random (default: the answer is for readers like these) or fixed (these alone)",
    )
    add(
        "--cases",
        default="random",
        metavar="EFFECT",
        help="random (default: the answer is for cases like these) or fixed (these alone)",
    )
    add(
        "--covariance",
        default="influence",
        metavar="HOW",
        help="over cases: influence (default: DeLong), jackknife (DBM), unbiased or bootstrap",
    )
    add(
        "--method",
        default="auto",
        metavar="METHOD",
        help="or (Obuchowski-Rockette), ustat (U-statistics, any design), or auto",
    )
    add(
        "--missing",
        default="available",
        metavar="WHAT",
        help="available (default: every reading) or complete_cases (cases that all read)",
    )
    add("--new", metavar="TEST", help="the test that is to be shown, against --standard")
    add("--standard", metavar="TEST", help="the test it is held against; of --ai the readers'")
    add("--margin", type=float, metavar="MARGIN", help="test of non-inferiority by this margin")
    add("--equivalence", type=float, metavar="MARGIN", help="test of equivalence by this margin")
    add("--ai", metavar="NAME", help="the test, or reader, that is a program: it alone v readers")
    add(
        "--adjust",
        default="holm",
        metavar="METHOD",
        help="p-values of several pairs of tests: none, bonferroni, holm... (default: holm)",
    )
    add("--confidence-level", type=float, default=0.95, metavar="LEVEL", help="default: 0.95")
    add(
        "-o", "--output", metavar="FILE", help="write the report of the study: .html, .docx or .pdf"
    )
    add("--figures", metavar="FOLDER", help="write its figures: SVG, PDF, PNG, TIFF at 300 dpi")
    add("--tables", metavar="FOLDER", help="write its tables: CSV, LaTeX, Word")
    add("--title", metavar="TEXT", help="title of the page")
    add("--json", action="store_true", help="print JSON")
    add_intake_arguments(parser)


def add_reader_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to ``rocstats report`` what makes it the report of a reader study."""
    add = parser.add_argument_group("reader study (see rocstats readers)").add_argument
    add("--readers", action="store_true", help="the file has one row a reading: a reader study")
    add("--test", metavar="COLUMN", help="column of the tests (modalities)")
    add("--reader", metavar="COLUMN", help="column of the readers")
    add("--case", metavar="COLUMN", help="column of the cases")
    add("--rating", metavar="COLUMN", help="column of the ratings")
    for name, settings in _report_too().items():
        add(*settings.pop("flags"), dest=name, default=None, **settings)


def _report_too() -> dict[str, dict[str, Any]]:
    """Return the options of the analysis that rocstats report lends from rocstats readers."""
    parser = argparse.ArgumentParser(add_help=False)
    add_arguments(parser)
    return {
        action.dest: {
            "flags": action.option_strings,
            "type": action.type,
            "metavar": action.metavar,
            "help": action.help,
        }
        for action in parser._actions
        if action.dest in _LENT
    }


def run_report(args: argparse.Namespace) -> int:
    """Write the page of a reader study for ``rocstats report --readers``."""
    from rocstats.cli.write import print_answer

    for name in ("file", *_COLUMNS):
        if getattr(args, name) is None:
            what = "the file with the readings" if name == "file" else f"its column with --{name}"
            raise InvalidOptionError(f"A reader study needs the {name}: name {what}.")
    _refuse_other_options(args)
    if not (_writes(args) or args.json):
        raise InvalidOptionError(
            "Name the page to write with -o report.html, or print its numbers with --json."
        )
    words = [args.file]
    for name in (*_COLUMNS, *_REPORTED, *_LENT):
        value = getattr(args, name)
        if value is not None:
            words.append(f"--{name.replace('_', '-')}={value}")
    words += ["--lower-is-positive"] if args.lower_is_positive else []
    parser = argparse.ArgumentParser(prog="rocstats report --readers", allow_abbrev=False)
    add_arguments(parser)
    own = parser.parse_args(words)
    for name in (*INTAKE_NAMES, "spelt"):
        setattr(own, name, getattr(args, name))
    try:
        answer = analyse(own)
    finally:
        args.spelt = own.spelt  # a refusal is spoken by the words of the command that was called
    return print_answer("readers", *answer, as_json=args.json)


def refuse_reader_options(args: argparse.Namespace) -> None:
    """Refuse options of a reader study where the report is not of one."""
    own = [name for name in (*_COLUMNS, *_LENT) if name != "outcome"]
    given = [f"--{name}" for name in own if getattr(args, name) is not None]
    if given:
        cut = "; a marker's threshold is --prespecified M=CUT" if "--threshold" in given else ""
        raise InvalidOptionError(
            f"For a reader study add --readers, or leave out {listed(given)}{cut}."
        )


def _refuse_other_options(args: argparse.Namespace) -> None:
    """Refuse what a report of markers takes and a reader study does not."""
    from rocstats.analysis.options import OPTIONS
    from rocstats.cli.report_options import given_options

    flags = {option.name: option.flags[0] for option in OPTIONS if option.flags}
    if (args.lower_is_positive or [args.rating]) != [args.rating]:
        raise InvalidOptionError("--lower-is-positive of a reader study is the column of --rating.")
    taken = ("file", "lower_is_positive", *_COLUMNS, *_REPORTED)
    others = [flags.get(name, f"--{name}") for name in given_options(args) if name not in taken]
    others += [f"--{name}" for name in ("config", "init") if getattr(args, name)]
    if others:
        raise InvalidOptionError(
            f"{listed(others)} {'has' if len(others) == 1 else 'have'} no part in a reader study; "
            "rocstats readers --help-all lists what has."
        )


def run(args: argparse.Namespace) -> int:
    """Compare the tests and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("readers", *analyse(args), as_json=args.json)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Compare the tests and return what was found, as built-in types and as text."""
    if _writes(args):
        _check_files(args)
    study = study_of(args)
    if args.ai is not None:
        return _against_readers(study, args)
    return _compared(study, args)


def _writes(args: argparse.Namespace) -> bool:
    return any(getattr(args, name) is not None for name in ("output", "figures", "tables"))


def _check_files(args: argparse.Namespace) -> None:
    """Refuse what cannot be written, before the work is done."""
    from rocstats.cli.write import check_writable, keep_file
    from rocstats.places import check_folder
    from rocstats.plots.pictures import check_drawing
    from rocstats.reports.report_files import check_figures, check_report_file, check_tables

    check_drawing()
    if args.output is not None:
        check_writable(args.output)
        keep_file(args.output, args.file, "the data")
        check_report_file(args.output)
    for folder, check in ((args.figures, check_figures), (args.tables, check_tables)):
        if folder is not None:
            check()
            check_folder(folder)


def study_of(args: argparse.Namespace) -> ReaderStudy:
    """Read the file and make the study of its columns."""
    import rocstats as rs

    intake = take_in_file(
        args.file,
        vars(args),
        outcome=args.outcome,
        scores=[args.rating],
        columns=[args.test, args.reader, args.case],
    )
    use_names_of(intake, args)
    table = intake.table
    names = {name: getattr(args, name) for name in _COLUMNS}
    for note in table.notes([args.outcome, args.rating]):
        warn_user(note, RocstatsWarning)
    return rs.ReaderStudy.from_frame(
        table.classes([args.test, args.reader, args.case, args.outcome]),
        **names,
        pos_label=positive_class(intake, args.outcome, vars(args)),
        cluster=args.cluster,
        higher_is_positive=not args.lower_is_positive,
    )


def _compared(study: ReaderStudy, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    import rocstats as rs
    from rocstats.analysis.reader_facts import held_against

    found = rs.compare_readers(
        study,
        args.measure,
        readers=args.readers,
        cases=args.cases,
        covariance=args.covariance,
        method=args.method,
        threshold=args.threshold,
        missing=args.missing,
    )
    level, several = args.confidence_level, len(study.tests) > 1
    versus = held_against(study, args.new, args.standard)
    content = found.to_dict(confidence_level=level)
    parts = [found.statement(confidence_level=level)]
    if several:
        pairs = found.pairwise(adjust=args.adjust, versus=versus, confidence_level=level)
        content["pairwise"] = list(pairs.statement().tidy)
        content["adjust"] = args.adjust
    margins = []
    for aim, margin in (("noninferiority", args.margin), ("equivalence", args.equivalence)):
        if margin is not None:
            test = getattr(found, aim)(margin, new=args.new, standard=args.standard)
            margins.append(test)
            content[aim] = test.to_dict()
    text = [
        f"{args.file}: {study.statement().head}",
        found.estimates.statement(confidence_level=level).as_text(),
        "\n".join(parts[0].notes),
        *([pairs.statement().as_text()] if several else []),
        *([repr(found.omnibus())] if len(study.tests) > 2 else []),
        *(repr(test) for test in margins),
        found.by_reader.statement(confidence_level=level).as_text(),
        found.components.statement().as_text(),
    ]
    if _writes(args):
        aims = ("margin", "equivalence", "new", "standard", "adjust")
        text.append(_write_page(found, args, **{name: getattr(args, name) for name in aims}))
    return content, "\n\n".join(text)


def _write_page(
    found: ReaderComparison | AgainstReaders, args: argparse.Namespace, **aims: Any
) -> str:
    """Write the page of the study, its figures and tables; return a line on each."""
    from pathlib import Path

    import rocstats as rs
    from rocstats.tables import counted

    name = Path(args.file).name
    page = rs.report_readers(
        found,
        **aims,
        confidence_level=args.confidence_level,
        title=args.title or f"Reader study: {name}",
        source=name,
        columns={column: getattr(args, column) for column in _COLUMNS},
        call=_call(args),
    )
    written = []
    if args.output is not None:
        page.save(args.output)
        written.append(str(args.output))
    for folder, save in ((args.figures, page.save_figures), (args.tables, page.save_tables)):
        if folder is not None:
            written.append(f"{counted(len(save(folder)), 'file')} in {folder}")
    return "\n".join(f"Wrote {place}" for place in written)


def _call(args: argparse.Namespace) -> str:
    """Return the command that makes the page again."""
    import shlex
    from pathlib import Path

    words = ["rocstats", "readers", Path(args.file).name]
    asked = ("positive", "cluster", "threshold", "new", "standard", "margin", "equivalence", "ai")
    for name in (*_COLUMNS, *asked):
        value = getattr(args, name)
        if value is not None:
            words += [f"--{name}", str(value)]
    plain: dict[str, Any] = {"measure": "auc", "readers": "random", "cases": "random"}
    plain |= {"method": "auto", "covariance": "influence", "missing": "available"}
    plain |= {"adjust": "holm", "confidence_level": 0.95, "title": None}
    for name, usual in plain.items():
        if getattr(args, name) != usual:
            words += [f"--{name.replace('_', '-')}", str(getattr(args, name))]
    words += ["--lower-is-positive"] if args.lower_is_positive else []
    return shlex.join([*words, "-o", Path(args.output or "report.html").name])


def _against_readers(study: ReaderStudy, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    import rocstats as rs

    for name in ("equivalence", "new"):
        if getattr(args, name) is not None:
            raise InvalidOptionError(f"--{name} has no part beside --ai; leave it out.")
    with spelling(args, test="--standard"):
        found = rs.compare_to_readers(
            study,
            ai=args.ai,
            test=args.standard,
            margin=args.margin,
            measure=args.measure,
            readers=args.readers,
            cases=args.cases,
            covariance=args.covariance,
            threshold=args.threshold,
        )
    level = args.confidence_level
    content = {"study": study.to_dict(), **found.to_dict(confidence_level=level)}
    text = [f"{args.file}: {study.statement().head}"]
    text.append(found.statement(confidence_level=level).as_text())
    if _writes(args):
        text.append(_write_page(found, args))
    return content, "\n\n".join(text)
