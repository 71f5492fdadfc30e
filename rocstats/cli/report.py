"""``rocstats report``: from a file of patients to one page."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.analysis.option_kinds import BOUNDS_FORM
from rocstats.analysis.options import OPTIONS, STUDY, in_group
from rocstats.cli.arguments import SPELT
from rocstats.cli.intake_arguments import positive_class, take_in_file
from rocstats.cli.interview import can_ask, interview
from rocstats.cli.readers import add_reader_arguments, refuse_reader_options
from rocstats.cli.report_options import add_arguments, call_text, given_options
from rocstats.cli.survival import add_survival_arguments
from rocstats.errors import (
    InvalidOptionError,
    RocstatsWarning,
    did_you_mean,
    listed,
    warn_user,
)
from rocstats.workers import without_progress

if TYPE_CHECKING:
    from rocstats.data.intake.intake_result import Intake
    from rocstats.data.scan.scored_table import ScoredTable
    from rocstats.reports.diagnostic import Report

__all__ = ["add_arguments", "add_to", "analyse", "run"]

_HANDED_ON = {
    o.name: o.keyword for o in OPTIONS if o.keyword and (o.keyword == o.name or o.planned)
}
_PLAN = {o.name for o in OPTIONS if o.planned or o.group != "data"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "report",
        usage="%(prog)s FILE --outcome COLUMN --markers A,B [option ...] -o FILE\n"
        "       %(prog)s FILE --readers [option of rocstats readers ...] -o PAGE\n"
        "       %(prog)s FILE --time COLUMN --event COLUMN --at T,T ... -o PAGE\n"
        "       %(prog)s FILE --init -o OPTIONS, then %(prog)s --config OPTIONS",
        description="Analyse a diagnostic study and write one HTML page that needs nothing else "
        "(or a Word file, or a PDF, by the ending of its name): participants, ROC curves, areas, "
        "comparisons, thresholds, subgroups, methods with references, the STARD checklist.",
        epilog="Every option may stand in a TOML file instead; --init writes one from the data.\n"
        "Example (rocstats demo --data writes the file):\n"
        "  rocstats report breast_cancer.csv --outcome diagnosis --positive malignant "
        "--markers mean_radius,mean_texture --prespecified mean_radius=15 --prevalence .1 "
        "-o report.html",
        everyday="file outcome positive markers lower_is_positive prespecified prevalence "
        "subgroup cluster output",
        allow_abbrev=False,
    )
    add_arguments(parser)
    add_reader_arguments(parser)
    add_survival_arguments(parser)
    spelt = {o.keyword: o.flags[0] for o in OPTIONS if o.keyword and o.flags}
    parser.set_defaults(run=run, spelt=SPELT | spelt | {BOUNDS_FORM: "--bounds M=LOW,HIGH"})


def _all_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the file and the command line, which wins."""
    from rocstats.cli.config import read_config

    options = {} if args.config is None else read_config(args.config)
    texts = options.get(STUDY, {}) | ({} if args.title is None else {"title": args.title})
    return options | given_options(args) | {STUDY: texts}


# ---------------------------------------------------------------------------------------- the work


def run(args: argparse.Namespace) -> int:
    """Write the page, or the TOML file that describes one."""
    from rocstats.cli.write import print_answer

    if args.readers:
        from rocstats.cli.readers import run_report

        return run_report(args)
    refuse_reader_options(args)
    if args.time or args.event or args.at:
        from rocstats.cli.survival import run_report as run_survival_report

        return run_survival_report(args)
    if args.init:
        return _init(args, _all_options(args))
    if _lacks_columns(args) and can_ask():
        return _asked(args)
    facts, text = analyse(args)
    return print_answer("report", facts, text, as_json=args.json)


def _lacks_columns(args: argparse.Namespace) -> bool:
    """Whether a file is named, and nothing that says which columns to analyse."""
    said = (args.outcome, args.markers, args.config, args.json or None)
    return args.file is not None and all(value is None for value in said)


def _asked(args: argparse.Namespace) -> int:
    """Ask what the options do not say, tell the call that says it, and write the page."""
    from rocstats.cli.write import print_answer
    from rocstats.data.reading.files import form_of

    def take_in(options: Mapping[str, Any]) -> Intake:
        return take_in_file(options["file"], options, outcome=options.get("outcome"), tell=None)

    form_of(args.file)  # refuses what is not there before anything is asked
    for name, value in interview(given_options(args), take_in).items():
        option = next(o for o in OPTIONS if o.name == name)
        setattr(args, name, option.kind.scatter(value))
    print(f"\nThe same again: {call_text(args)}\n")
    facts, text = analyse(args)
    return print_answer("report", facts, text, as_json=False)


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Write the page where one is asked for; return its facts and a few lines on it."""
    from rocstats.tables import counted

    options = _all_options(args)
    _check(args, options)
    with without_progress() if args.quiet else nullcontext():
        page = _make(args, options)
    output = options.get("output")
    written = [] if output is None else [str(output)]
    if output is not None:
        page.save(output)
    for name, save in (("figures", page.save_figures), ("tables", page.save_tables)):
        if (folder := options.get(name)) is not None:
            written.append(f"{counted(len(save(folder)), 'file')} in {folder}")
    return page.facts, _summary(page.facts, written)


def _make(args: argparse.Namespace, options: Mapping[str, Any]) -> Report:
    """Return the report of the options; what happens is told on stderr."""
    from rocstats.reports.diagnostic import report

    progress = _Progress(quiet=args.quiet)
    try:
        progress(f"reading {options['file']}")
        table = _scanned(options)
        if table is not None:
            page = report(
                table,
                source=_source_of_table(options),
                call=call_text(args),
                stage=progress,
                **{_HANDED_ON[n]: v for n, v in options.items() if n in _HANDED_ON and n in _PLAN},
            )
            _say_what_became_missing(page.facts)
            return page
        intake = _intake(options, progress)
        options = _in_names_of(intake, options)
        keywords = {_HANDED_ON[n]: value for n, value in options.items() if n in _HANDED_ON}
        page = report(
            intake.table.classes([options["outcome"], *_class_columns(options)]),
            pos_label=positive_class(intake, options["outcome"], options),
            higher_is_positive=dict.fromkeys(options.get("lower_is_positive", ()), False),
            source=_source(options, intake),
            call=call_text(args),
            stage=progress,
            **keywords,
        )
    finally:
        progress.end()
    _say_what_became_missing(page.facts)
    return page


def _scanned(options: Mapping[str, Any]) -> ScoredTable | None:
    """Return the table of a file that is too large for memory, or that is asked to be read so."""
    from rocstats.cli.large_files import scan_if_large

    given = {o.name: o.default for o in OPTIONS} | {"lower_is_positive": ()}
    args = argparse.Namespace(**given | {"nan_policy": "omit"} | dict(options))
    rows_only = [*_class_columns(options), *options.get("indeterminate", ())]
    return scan_if_large(args, [*rows_only, *options.get("test_positive", ())])


def _source_of_table(options: Mapping[str, Any]) -> Any:
    from rocstats.analysis.cohort import Source

    path = Path(options["file"])
    whole = path.is_file()
    return Source(
        name=path.name,
        format="read in batches, scores counted",
        sha256=_sha256(path) if whole else None,
        place=path.absolute() if whole else None,
    )


def _sha256(path: Path) -> str:
    from hashlib import file_digest

    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _intake(options: Mapping[str, Any], progress: _Progress) -> Intake:
    """Return the file, taken in; what was repaired is told after the line of progress."""
    words = [*options.get("indeterminate", ()), *options.get("test_positive", ())]
    ids = [options[name] for name in ("subject", "cluster") if options.get(name)]
    worded = bool(options.get("test_positive"))
    return take_in_file(
        options["file"],
        options,
        outcome=options["outcome"],
        scores=() if worded else options["markers"],
        columns=[*options["markers"], *_class_columns(options), *ids],
        words=words,
        tell=progress.end,
    )


def _in_names_of(intake: Intake, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with columns called as the table calls them, and units of its header."""
    names = intake.aliases

    def mine(value: Any) -> Any:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, Mapping):
            return {names.get(key, key): item for key, item in value.items()}
        return [names.get(item, item) for item in value]

    found = {
        name: mine(value) if name in _NAMING and value is not None else value
        for name, value in options.items()
    }
    short = {name: alias for alias, name in intake.aliases.items()}
    for option, known in (("units", intake.units), ("labels", short)):
        markers = found.get("markers") or ()
        of_header = {
            name: known[name] for name in markers if name in intake.units and name in known
        }
        if of_header:
            found[option] = of_header | dict(found.get(option) or {})
    return found


_NAMING = {
    *("outcome", "markers", "lower_is_positive", "subject", "cluster", "baseline", "subgroup"),
    *("versus", "prespecified", "bounds", "labels", "units"),
}


def _class_columns(options: Mapping[str, Any]) -> list[str]:
    return [*options.get("subgroup", ()), *options.get("baseline", ())]


def _source(options: Mapping[str, Any], intake: Intake) -> Any:
    from rocstats.analysis.cohort import Source
    from rocstats.cli.r_script import data_file, r_can_read

    path = Path(options["file"])
    digest = _sha256(path)
    used = [options["outcome"], *options["markers"], *_class_columns(options)]
    repairs, _ = intake.of_columns(used)
    return Source(
        name=path.name,
        format=intake.table.format,
        sha256=digest,
        notes=tuple(intake.table.notes(used)),
        repairs=tuple(repair.to_dict() for repair in repairs),
        reading=_reading(intake, options),
        file=data_file(str(path), path.name) if r_can_read(path.name) and not repairs else None,
        place=path.absolute(),
    )


def _reading(intake: Intake, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that say how the file was read: those given, and what was found."""
    given = {o.name: options[o.name] for o in in_group("reading") if options.get(o.name)}
    return intake.found | {
        name: ", ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in given.items()
    }


def _say_what_became_missing(facts: Mapping[str, Any]) -> None:
    for note in facts["data"]["notes"]:
        warn_user(note, RocstatsWarning)
    flow = facts["flow"]
    if flow["steps"]:
        left_out = sum(step["n"] for step in flow["steps"])
        why = ", ".join(f"{step['why']} in {step['n']}" for step in flow["steps"])
        warn_user(f"{left_out} of {flow['start']} rows are left out ({why}).", RocstatsWarning)


def _check(args: argparse.Namespace, options: Mapping[str, Any]) -> None:
    """Refuse what lacks or cannot be written, before the work is done."""
    from rocstats.cli.write import check_writable, keep_file
    from rocstats.places import check_folder
    from rocstats.reports.report_files import check_figures, check_report_file, check_tables

    hint = "in the call, or in a TOML file for --config (--init writes one)"
    for name, what in (
        ("file", "the file with the data"),
        ("outcome", "the column of the true class as --outcome"),
        ("markers", "the columns of scores as --markers"),
    ):
        if not options.get(name):
            raise InvalidOptionError(f"Name {what}, {hint}.")
    output, templates = options.get("output"), options.get("templates")
    folders = {name: options.get(name) for name in ("figures", "tables")}
    if output is None and not args.json and not any(folders.values()):
        raise InvalidOptionError(
            "Name the page to write with -o report.html, or print its numbers with --json."
        )
    if templates is not None and not os.path.isdir(templates):
        raise InvalidOptionError(f"There is no folder {templates!r} of templates.")
    if output is not None:
        check_writable(output)
        keep_file(output, options["file"], "the data")
        keep_file(output, args.config, "the options")
        check_report_file(output)
    for name, check in (("figures", check_figures), ("tables", check_tables)):
        if (folder := folders[name]) is not None:
            check()
            check_folder(folder)


def _init(args: argparse.Namespace, options: dict[str, Any]) -> int:
    from rocstats.cli.starter import starter
    from rocstats.cli.write import check_writable, write_file

    if not options.get("file"):
        raise InvalidOptionError("Name the file with the data that --init is to describe.")
    if args.output is not None:
        check_writable(args.output, (".toml",))
        if Path(args.output).exists():
            raise InvalidOptionError(f"{args.output} is there already; name another file to write.")
    options.pop("output", None)
    intake = take_in_file(options["file"], options, outcome=options.get("outcome"))
    options = _in_names_of(intake, options)
    _check_columns(options, intake.frame.columns)
    text = starter(intake.table, intake.found | options, place=args.output, units=intake.units)
    if args.output is None:
        print(text, end="")
        return 0
    write_file(args.output, text)
    call = shlex.join(["rocstats", "report", "--config", args.output])
    print(f"Wrote {args.output}; look through it, then run: {call}")
    return 0


_SINGLE = ("outcome", "subject", "cluster", "weights", "strata")


def _check_columns(options: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse a column that the data do not have."""
    single = [options[name] for name in _SINGLE if name in options]
    for name in [*single, *options.get("markers", ()), *_class_columns(options)]:
        if name not in known:
            raise InvalidOptionError(
                f"The data have no column {name!r}; they have {listed(known)}."
                f"{did_you_mean(name, known)}"
            )


def _summary(facts: Mapping[str, Any], written: Iterable[str]) -> str:
    from rocstats.tables import counted

    data, level = facts["data"], 100.0 * facts["settings"]["confidence_level"]
    lines = [
        f"{data['source']}: {counted(data['n_pos'], 'positive')} "
        f"({data['outcome']} = {data['pos_label']}), "
        f"{counted(data['n_neg'], 'negative')} ({data['neg_label']})"
    ]
    for marker in facts["markers"]:
        if facts["kind"] == "qualitative":
            lines.append(f"  {marker['label']}: {_rates(facts, marker)}")
            continue
        row = marker["estimates"]["auc"]
        ends = (row["conf_low"], row["conf_high"])
        limits = "not estimable" if None in ends else f"{ends[0]:.3f} to {ends[1]:.3f}"
        area = "not estimable" if row["estimate"] is None else f"{row['estimate']:.3f}"
        lines.append(f"  {marker['label']}: AUC {area} ({level:g}% interval {limits})")
    if facts["alerts"]:
        lines.append(f"The page has {counted(len(facts['alerts']), 'alert')}.")
    return "\n".join([*lines, *(f"Wrote {place}" for place in written)])


def _rates(facts: Mapping[str, Any], marker: Mapping[str, Any]) -> str:
    """Return sensitivity and specificity of a test in words."""
    found = marker["cutpoints"][0]["measures"]
    return ", ".join(
        f"{facts['words'][rate].lower()} {100.0 * found[rate]['estimate']:.1f}%"
        for rate in ("sensitivity", "specificity")
    )


class _Progress:
    """Says the stages of the work: a line each, or one that changes on a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.terminal = sys.stderr.isatty()

    def __call__(self, stage: str) -> None:
        from rocstats.cli.write import escaped

        if self.quiet:
            return
        text = escaped(" ".join(stage.splitlines()))
        if self.terminal:
            print(f"\r\x1b[Krocstats: {text} ...", end="", file=sys.stderr, flush=True)
        else:
            print(f"rocstats: {text}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave an empty line behind on a terminal."""
        if self.terminal and not self.quiet:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
