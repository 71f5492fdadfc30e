"""``rocstats survival``: markers of a time to an event, under censoring."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rocstats.analysis.survival_options import add_survival_options
from rocstats.cli.arguments import (
    SPELT,
    TABLE,
    check_table_output,
    names,
    write_table_output,
)
from rocstats.cli.intake_arguments import (
    INTAKE_NAMES,
    add_intake_arguments,
    take_in_file,
    use_names_of,
)
from rocstats.errors import InvalidOptionError, RocstatsWarning, warn_user

if TYPE_CHECKING:
    from rocstats.survival.survival_sample import SurvivalSample

__all__ = [
    "add_arguments",
    "add_survival_arguments",
    "add_to",
    "analyse",
    "run",
    "run_report",
    "sample_of",
]

_SPELT = SPELT | {"times": "--at", "method": "--concordance", "event_of_interest": "--event-code"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "survival",
        description="Markers of a time to an event: the AUC at times with standard errors that "
        "allow for censoring, comparisons of markers, concordance, and sensitivity, specificity "
        "and predictive values at thresholds. Nobody is dropped for being censored early.",
        epilog="Example (rocstats demo --data writes the file):\n"
        "  rocstats survival breast_followup.csv --time days --event status "
        "--markers nodes,progesterone --lower-is-positive progesterone --at 730,1826",
        everyday="file time event markers at event_code censored concordance thresholds "
        "lower_is_positive nan_policy output json",
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run, spelt=_SPELT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command, with those of reading a file."""
    add = parser.add_argument
    add("file", help=TABLE)
    add_survival_options(parser)
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="write the report of the study (.html), or the areas as a table (.csv, .xlsx, .tex, "
        ".docx)",
    )
    add("--json", action="store_true", help="print JSON")
    add_intake_arguments(parser, classes=False)


def add_survival_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to ``rocstats report`` what makes it the report of a survival study."""
    add = parser.add_argument_group("time to an event (see rocstats survival)").add_argument
    add("--time", metavar="COLUMN", help="column of times: a survival study")
    add("--event", metavar="COLUMN", help="column of what happened then")
    add("--at", type=names, action="extend", metavar="T,T", help="times of the areas")
    add("--event-code", metavar="CODE", help="code of the event (default: 1)")
    add("--censored", metavar="CODE", help="code of censoring (default: 0)")


def run_report(args: argparse.Namespace) -> int:
    """Write the page of a survival study for ``rocstats report --time --event --at``."""
    from rocstats.cli.write import print_answer

    for name in ("file", "time", "event", "markers", "at"):
        if not getattr(args, name):
            what = "the file" if name == "file" else f"--{name}"
            raise InvalidOptionError(f"The report of a survival study needs {what}.")
    if args.output is None and not args.json:
        raise InvalidOptionError(
            "Name the page to write with -o report.html, or print its numbers with --json."
        )
    words = [args.file]
    single = ("time", "event", "event_code", "censored", "cluster", "margin", "title", "adjust")
    for name in (*single, "new", "standard", "confidence_level", "output"):
        value = getattr(args, name, None)
        if value is not None:
            words.append(f"--{name.replace('_', '-')}={value}")
    for name in ("markers", "at", "lower_is_positive"):
        words += [f'--{name.replace("_", "-")}="{value}"' for value in getattr(args, name) or ()]
    parser = argparse.ArgumentParser(prog="rocstats report --time", allow_abbrev=False)
    add_arguments(parser)
    own = parser.parse_args(words)
    for name in INTAKE_NAMES:
        setattr(own, name, getattr(args, name))
    own.thresholds = [
        f"{marker}={value:.17g}"
        for marker, values in _prespecified(args).items()
        for value in values
    ]
    args.spelt = args.spelt | _SPELT
    return print_answer("survival", *analyse(own), as_json=args.json)


def _prespecified(args: argparse.Namespace) -> dict[str, list[float]]:
    given = getattr(args, "prespecified", None) or {}
    return {
        marker: [float(v) for v in (values if isinstance(values, (list, tuple)) else [values])]
        for marker, values in dict(given).items()
    }


def run(args: argparse.Namespace) -> int:
    """Analyse the file and print what was found."""
    from rocstats.cli.write import print_answer

    return print_answer("survival", *analyse(args), as_json=args.json)


def sample_of(args: argparse.Namespace) -> SurvivalSample:
    """Read the file and make the sample of its columns."""
    import rocstats as rs

    beside = [args.event, args.cluster, args.censoring_strata]
    intake = take_in_file(
        args.file,
        vars(args),
        scores=[args.time, *args.markers],
        columns=[name for name in beside if name is not None],
    )
    use_names_of(intake, args)
    table = intake.table
    for note in table.notes([args.time, args.event, *args.markers]):
        warn_user(note, RocstatsWarning)
    return rs.SurvivalSample.from_frame(
        table.classes([args.event]),
        time=args.time,
        event=args.event,
        markers=args.markers,
        event_of_interest=_code(table, args.event, args.event_code),
        censored=_code(table, args.event, args.censored),
        cluster=args.cluster,
        censoring_strata=args.censoring_strata,
        higher_is_positive=dict.fromkeys(args.lower_is_positive, False),
        nan_policy=args.nan_policy,
    )


def _code(table: Any, column: str, text: str) -> Any:
    """Return the code of the column that is written so, as a number where it is one nowhere."""
    if text == "none":
        return None
    found = table.find_class(column, text)
    if isinstance(found, str) and found == text and text.lstrip("-").isdigit():
        shown = table.classes([column])
        words = column in shown.columns and shown[column].dtype.kind == "O"
        return found if words else int(text)
    return found


def analyse(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Estimate every marker at every time; return built-in types, and text."""
    import rocstats as rs

    times = _numbers(args.at, "--at")
    thresholds = _thresholds(args.thresholds)
    if (args.new or args.standard) and args.margin is None:
        raise InvalidOptionError("--new and --standard go with --margin.")
    page = args.output is not None and args.output.lower().endswith((".html", ".htm"))
    check_table_output(args, (".html", ".htm"))
    sample = sample_of(args)
    level = args.confidence_level
    areas = rs.auc_at(sample, times, controls=args.controls)
    stated = areas.statement(confidence_level=level)
    content = {"sample": _sample_dict(sample, args), **stated.as_dict()}
    parts = [f"{args.file}: {sample!r}", stated.as_text()]
    if len(sample.markers) > 1:
        content["pairwise"] = []
        for t in times:
            pairs = rs.compare_at(sample, t, controls=args.controls).pairwise(
                adjust=args.adjust, confidence_level=level
            )
            said = pairs.statement()
            content["pairwise"] += [{"time": t, **row} for row in said.tidy]
            parts.append(f"Differences at {t:g}\n{said.as_text()}")
        content["adjust"] = args.adjust
    if args.margin is not None:
        test = rs.compare_at(sample, times[-1], controls=args.controls).noninferiority(
            args.margin, new=args.new, standard=args.standard
        )
        content["noninferiority"] = {"time": times[-1], **test.to_dict()}
        parts.append(f"At {times[-1]:g}: {test!r}")
    if args.concordance is not None:
        found = rs.concordance(sample, args.concordance, tau=args.tau)
        said = found.statement(confidence_level=level)
        content["concordance"] = said.as_dict()
        parts.append(said.as_text())
    elif args.tau is not None:
        raise InvalidOptionError("--tau is of the concordance; ask for it with --concordance uno.")
    if thresholds:
        points = rs.operating_points_at(sample, times, thresholds, controls=args.controls)
        said = points.statement(confidence_level=level)
        content["operating_points"] = said.as_dict()["estimates"]
        parts.append(said.as_text())
    if args.band:
        said = areas.band(confidence_level=level).statement()
        content["band"] = said.as_dict()["band"]
        parts.append(said.as_text())
    if page:
        parts.append(_write_page(sample, times, thresholds, args))
    else:
        parts += write_table_output(args, {"areas": stated})
    return content, "\n\n".join(parts)


def _sample_dict(sample: SurvivalSample, args: argparse.Namespace) -> dict[str, Any]:
    from rocstats.tables import plain

    known: dict[str, Any] = plain(
        {
            "file": args.file,
            "time": args.time,
            "event": args.event,
            "markers": sample.markers,
            "n": sample.time.size,
            "n_events": sample.n_events,
            "n_censored": sample.n_censored,
            "n_other": sample.n_other,
            **sample.account.as_dict(),
        }
    )
    return known | {"event": args.event, "event_code": plain(sample.account.pos_label)}


def _numbers(texts: list[str], option: str) -> list[float]:
    try:
        return [float(text) for text in texts]
    except ValueError:
        raise InvalidOptionError(
            f"{option} must be numbers, with commas between, got {', '.join(texts)!r}."
        ) from None


def _thresholds(texts: list[str]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not sign:
            raise InvalidOptionError(
                f"--thresholds must name markers and scores, as in a=3.5, got {text!r}."
            )
        found.setdefault(name, []).extend(_numbers([value], "--thresholds"))
    return found


def _write_page(
    sample: SurvivalSample,
    times: list[float],
    thresholds: dict[str, list[float]],
    args: argparse.Namespace,
) -> str:
    """Write the page of the study; return a line on it."""
    from pathlib import Path

    import rocstats as rs

    name = Path(args.file).name
    page = rs.report_survival(
        sample,
        times,
        controls=args.controls,
        thresholds=thresholds,
        tau=args.tau,
        margin=args.margin,
        new=args.new,
        standard=args.standard,
        adjust=args.adjust,
        confidence_level=args.confidence_level,
        title=args.title or f"Survival study: {name}",
        source=name,
        columns={"time": args.time, "event": args.event},
        call=_call(args),
    )
    page.save(args.output)
    return f"Wrote {args.output}"


def _call(args: argparse.Namespace) -> str:
    """Return the command that makes the page again."""
    import shlex
    from pathlib import Path

    words = ["rocstats", "survival", Path(args.file).name]
    for name in ("time", "event"):
        words += [f"--{name}", getattr(args, name)]
    for name in ("markers", "at", "thresholds", "lower_is_positive"):
        values = getattr(args, name)
        if values:
            words += [f"--{name.replace('_', '-')}", ",".join(map(str, values))]
    usual: dict[str, Any] = {
        "event_code": "1",
        "censored": "0",
        "controls": "event-free",
        "nan_policy": "raise",
    }
    usual |= {"adjust": "holm", "confidence_level": 0.95}
    others = ("tau", "margin", "new", "standard", "cluster", "censoring_strata", "title")
    for name in (*usual, *others):
        value = getattr(args, name)
        if value is not None and value != usual.get(name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join([*words, "-o", Path(args.output).name])
