"""``rocstats demo``: analyses of bundled data sets and a report, with the commands for them."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from textwrap import fill
from typing import Any

__all__ = ["add_to", "run"]

_PARTS = (
    (
        "auc",
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
        "compare",
        "breast_cancer",
        "Is the mean number of concave points as good as the area of the worst nuclei? All "
        "features were measured on the same masses, so their AUCs are correlated; each difference "
        "has its interval, and non-inferiority is judged against a margin of 0.05.",
        "--outcome diagnosis --positive malignant --markers "
        "mean_concave_points,worst_area,mean_radius --versus worst_area --noninferiority 0.05",
    ),
    (
        "auc",
        "fawcett",
        "The 20 instances of Fawcett (2006), Fig. 3. Their scores lie on [0, 1], so all three "
        "measures apply; with 10 instances in each class every interval is wide.",
        "--outcome class --positive p --markers score --subject instance --measures auc,sauc,smauc",
    ),
)

_REPORT = (
    "The same masses as the report of a diagnostic study: one page with curves, comparisons, "
    "thresholds, methods and references.",
    "--outcome diagnosis --positive malignant --markers mean_radius,mean_texture,"
    "mean_concave_points --versus mean_radius --prevalence 0.1 "
    "--title 'Cell nuclei in breast masses'",
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "demo",
        description="Analyse bundled data sets and show the commands that do it. With --data only "
        "write their files, to try the examples of the other commands with.",
        epilog="Examples:\n  rocstats demo -o demo.html\n  rocstats demo --data",
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write a report, too (.html, .docx or .pdf)"
    )
    parser.add_argument(
        "--data",
        nargs="?",
        const=".",
        metavar="FOLDER",
        help="only write the data, as CSV files, to a folder (default: here)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the commands on the bundled files and print what was found."""
    import rocstats as rs
    from rocstats.cli import auc, compare
    from rocstats.cli.write import check_writable, print_answer
    from rocstats.errors import InvalidOptionError
    from rocstats.reports.report_files import check_report_file

    if args.data is not None:
        if args.output is not None:
            raise InvalidOptionError("--data writes the data and no report; leave out -o, or it.")
        files = _write_data(args.data)
        return print_answer("demo", {"files": files}, "\n".join(files), as_json=args.json)
    if args.output is not None:
        check_writable(args.output)
        check_report_file(args.output)
    commands = {"auc": auc, "compare": compare}
    texts, parts = [], []
    for command, name, about, options in _PARTS:
        parser = argparse.ArgumentParser()
        commands[command].add_arguments(parser)
        arguments = [str(rs.datasets.path(name)), *shlex.split(options)]
        call = shlex.join(["rocstats", command, *arguments])
        content, text = commands[command].analyse(parser.parse_args(arguments))
        texts.append(f"{fill(about, 88)}\n\n$ {call}\n\n{text}")
        parts.append({"about": about, "call": call} | content)
    answer: dict[str, Any] = {"analyses": parts}
    if args.output is not None:
        call, text = _write_report(args.output)
        texts.append(f"{fill(_REPORT[0], 88)}\n\n$ {call}\n\n{text}")
        answer["report"] = {"call": call, "file": args.output}
    return print_answer("demo", answer, "\n\n".join(texts), as_json=args.json)


def _write_data(folder: str) -> list[str]:
    """Write the bundled tables, each only where it would replace nothing else."""
    import rocstats as rs
    from rocstats.cli.write import write_files
    from rocstats.errors import InvalidOptionError
    from rocstats.places import check_folder

    check_folder(folder)
    texts = {}
    for path in map(rs.datasets.path, rs.datasets.names()):
        texts[path.name] = text = path.read_text(encoding="utf-8")
        there = Path(folder) / path.name
        if there.exists() and there.read_bytes() != text.encode():
            raise InvalidOptionError(f"{there} is there already, and differs; name another folder.")
    return write_files(folder, texts)


def _write_report(output: str) -> tuple[str, str]:
    """Write the report; return the command that does it and what it says."""
    import rocstats as rs
    from rocstats.cli import report

    arguments = [str(rs.datasets.path("breast_cancer")), *shlex.split(_REPORT[1]), "-o", output]
    parser = argparse.ArgumentParser()
    report.add_arguments(parser)
    _, text = report.analyse(parser.parse_args(arguments))
    return shlex.join(["rocstats", "report", *arguments]), text
