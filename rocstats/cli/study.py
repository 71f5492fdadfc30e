"""``rocstats study``: papers and simulation studies by name, with their tables and pages."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

from rocstats.cli import study_run
from rocstats.cli.arguments import names

if TYPE_CHECKING:
    from rocstats.studies.power_studies import PowerStudy
    from rocstats.studies.presets import PowerPreset

__all__ = ["add_to", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its studies to the parser."""
    parser = commands.add_parser(
        "study",
        description="Run a paper's experiments again, or simulate how tests do on data whose truth "
        "is known.",
        epilog="Example:\n  rocstats study list",
        allow_abbrev=False,
    )
    studies = parser.add_subparsers(title="studies", metavar="study", required=True)
    listing = studies.add_parser("list", help="list papers and presets", allow_abbrev=False)
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=run_list)
    study_run.add_to(studies)
    power = studies.add_parser(
        "power",
        help="size and power of two-sample tests",
        description="Simulate size, power and relative efficiency of two-sample tests over the "
        "designs of a preset. Ctrl-C gives what is finished; with --checkpoint the same call goes "
        "on from there.",
        epilog="Example:\n  rocstats study power --preset sauc-vs-wmw --quick -o study",
        allow_abbrev=False,
    )
    add = power.add_argument
    add("--preset", required=True, metavar="NAME", help="see rocstats study list")
    add("--quick", action="store_true", help="fewer sizes and replicates")
    add("--n-replicates", type=int, metavar="R", help="replicates of each design")
    add("--tests", type=names, metavar="A,B", help="tests instead of the preset's")
    add("--seed", type=int, metavar="N", help="seed of the random streams")
    add("--n-jobs", type=int, default=-1, metavar="N", help="workers (default: all cores)")
    add("--checkpoint", metavar="FILE", help="keep finished work in a file, and go on from it")
    add("-o", "--output", metavar="FOLDER", help="write study.html and study.csv there")
    add("--json", action="store_true", help="print JSON")
    power.set_defaults(run=run, spelt={"rng": "--seed"})


def run_list(args: argparse.Namespace) -> int:
    """Print the papers and the presets."""
    from rocstats.cli.write import print_answer
    from rocstats.papers.papers_by_name import PAPERS
    from rocstats.studies.presets import PRESETS

    content = {
        "papers": [
            {"name": name, "title": p.title, "question": p.question, "citation": p.citation}
            for name, p in PAPERS.items()
        ],
        "presets": [
            {"study": "power", "name": name, "title": preset.title, "question": preset.question}
            for name, preset in PRESETS.items()
        ],
    }
    lines = [f"run {name}: {paper.question}" for name, paper in PAPERS.items()]
    lines += [f"power --preset {name}: {preset.question}" for name, preset in PRESETS.items()]
    return print_answer("study list", content, "\n".join(lines), as_json=args.json)


def run(args: argparse.Namespace) -> int:
    """Run the preset, write its files and print the verdict."""
    from rocstats.cli.write import print_answer
    from rocstats.errors import InvalidOptionError, check_option, named
    from rocstats.places import check_folder
    from rocstats.plots.pictures import check_drawing
    from rocstats.studies.power_studies import power_study
    from rocstats.studies.power_words import verdict
    from rocstats.studies.presets import PRESETS

    check_option("preset", args.preset, PRESETS)
    preset = PRESETS[args.preset]
    tests = preset.tests if args.tests is None else tuple(args.tests)
    if not {preset.test, preset.versus} <= set(tests):
        raise InvalidOptionError(
            f"{named('tests')} must hold {preset.versus} and {preset.test}, which the preset "
            "compares."
        )
    if args.seed is not None and args.seed < 0:
        raise InvalidOptionError(f"{named('seed')} must be a whole number from 0, got {args.seed}.")
    if args.output is not None:
        check_drawing()
        check_folder(args.output)
    default = preset.quick_replicates if args.quick else preset.n_replicates
    study = power_study(
        preset.designs(quick=args.quick),
        tests=tests,
        n_replicates=default if args.n_replicates is None else args.n_replicates,
        rng=preset.seed if args.seed is None else args.seed,
        n_jobs=args.n_jobs,
        versus=preset.versus,
        checkpoint=args.checkpoint,
    )
    sentences = verdict(study, test=preset.test)
    written = [] if args.output is None else _write(args, preset, study, sentences)
    text = "\n\n".join([preset.question, *sentences, *(f"Written: {name}." for name in written)])
    content = {"preset": args.preset, "verdict": sentences, **study.to_dict(), "files": written}
    return print_answer("study power", content, text, as_json=args.json)


def _write(
    args: argparse.Namespace, preset: PowerPreset, study: PowerStudy, sentences: list[str]
) -> list[str]:
    from rocstats import __version__
    from rocstats.cli.write import write_files
    from rocstats.plots.pictures import svg_text
    from rocstats.plots.power_plot import picture_size
    from rocstats.reports.study_page import STUDY_FIGURES, study_page
    from rocstats.studies.batch_tests import test_label
    from rocstats.studies.power_words import same_statistic, tallies

    rows, tests = study.rows(), same_statistic(study, preset.test)
    pictures = {
        kind: svg_text(
            partial(_draw, study, kind, preset.test),
            size=picture_size(kind, rows, preset.test),
        )
        for kind in STUDY_FIGURES
    }
    page = study_page(
        study,
        title=preset.title,
        question=preset.question,
        sentences=sentences,
        tests=tests,
        tallies=tallies(rows, tests),
        labels={test: test_label(test) for test in study.tests},
        pictures=pictures,
        version=__version__,
        call=_call(args),
    )
    table = study.to_frame().to_csv(index=False, float_format="%.6g")
    return write_files(args.output, {"study.html": page, "study.csv": table})


def _draw(study: PowerStudy, kind: str, test: str, ax: Any) -> None:
    study.plot(kind, test=test, ax=ax)


def _call(args: argparse.Namespace) -> str:
    """Return the command that gives the same numbers."""
    words = ["rocstats", "study", "power", "--preset", args.preset]
    words += ["--quick"] if args.quick else []
    words += ["--tests", ",".join(args.tests)] if args.tests is not None else []
    for option, value in (("--n-replicates", args.n_replicates), ("--seed", args.seed)):
        words += [option, str(value)] if value is not None else []
    return shlex.join(words)
