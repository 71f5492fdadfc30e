"""``rocstats study run``: a paper's experiments again, with their tables, figures and page."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocstats.papers.paper import Paper, PaperResult

__all__ = ["add_to", "run"]

_PROGRAMS = ("rocstats", "numpy", "scipy", "scikit-learn", "joblib", "matplotlib")
_WEKA = ("python-weka-wrapper3", "jpype1")


def add_to(studies: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``run`` to the studies."""
    parser = studies.add_parser(
        "run",
        help="run a paper's experiments again",
        description="Run a paper's experiments again and print a verdict for each of its claims. "
        "With -o every table is written as CSV, every figure as SVG, and a page with print beside "
        "ours. Nothing is downloaded unless --openml is given.",
        epilog="Example:\n  rocstats study run fawcett-2006 -o out",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("name", metavar="NAME", help="see rocstats study list")
    add("--quick", action="store_true", help="fewer sets and repetitions")
    add("--data", metavar="DIR", help="folder with data sets")
    add("--openml", action="store_true", help="fetch missing data sets from OpenML")
    add(
        "--backend",
        default="python",
        metavar="NAME",
        help="learners: python (stand-ins, the default) or weka (Weka itself, which needs Java)",
    )
    add("--n-jobs", type=int, default=-1, metavar="N", help="workers (default: all cores)")
    add("--seed", type=int, metavar="N", help="seed of the random streams")
    add("-o", "--output", metavar="FOLDER", help="write CSV, SVG and study.html there")
    add("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, spelt={"rng": "--seed"})


def run(args: argparse.Namespace) -> int:
    """Run the paper, write its files and print the verdicts."""
    from pathlib import Path

    from rocstats.cli.write import print_answer
    from rocstats.errors import check_option
    from rocstats.papers.paper import Settings
    from rocstats.papers.papers_by_name import PAPERS
    from rocstats.places import check_folder
    from rocstats.plots.pictures import check_drawing

    check_option("name", args.name, PAPERS)
    paper = PAPERS[args.name]
    check_option("backend", args.backend, paper.backends)
    chosen: dict[str, Any] = {} if args.seed is None else {"rng": args.seed}
    data = None if args.data is None else Path(args.data)
    settings = Settings(
        quick=args.quick,
        data=data,
        openml=args.openml,
        n_jobs=args.n_jobs,
        backend=args.backend,
        **chosen,
    )
    if args.output is not None:
        check_drawing()
        check_folder(args.output)
    try:
        start = time.process_time()
        result = paper.run(settings)
        spent = time.process_time() - start if settings.n_jobs == 1 else None
        written = [] if args.output is None else _write(args, paper, result, spent)
    except KeyboardInterrupt:
        print("rocstats: The study was stopped, and no file was written.", file=sys.stderr)
        raise
    content = {"paper": paper.name, **result.to_dict(), "files": written}
    text = _text(paper, result, written, quick=args.quick)
    return print_answer("study run", content, text, as_json=args.json)


def _text(paper: Paper, result: PaperResult, written: list[str], *, quick: bool) -> str:
    """Return the verdicts as text, and what was written."""
    counts = [f"{number} {verdict}" for verdict, number in result.verdicts().items() if number]
    lines = [paper.title, "", paper.question, ""]
    for claim in result.claims:
        lines.append(f"[{claim.verdict}] {claim.text}")
        if claim.found:
            lines.append(f"    printed: {claim.printed}; found: {claim.found}")
        lines += [f"    {claim.why}"] if claim.why else []
    lines += ["", f"{', '.join(counts)}; {result.seconds:.1f} seconds."]
    if quick:
        lines.append("Where the paper has more data sets or repetitions, a verdict is provisional.")
    lines += [f"Left out: {name}: {why}" for name, why in result.left_out.items()]
    lines += [
        f"Differs: {use.name}: {' '.join(use.deviations)}" for use in result.data if use.deviations
    ]
    return "\n".join([*lines, *(f"Written: {name}." for name in written)])


def _write(
    args: argparse.Namespace, paper: Paper, result: PaperResult, spent: float | None
) -> list[str]:
    """Write tables, figures and the page, once all of them are made; return their names."""
    from rocstats.cli.write import write_files
    from rocstats.reports.paper_page import paper_page

    pictures = {figure.name: figure.svg() for figure in result.figures}
    frames = {table.name: table.to_frame() for table in result.tables}
    frames["claims"] = result.to_frame()
    files = {f"{name}.csv": frame.to_csv(index=False) for name, frame in frames.items()}
    files |= {f"{name}.svg": text for name, text in pictures.items()}
    files["study.html"] = paper_page(
        paper,
        result,
        pictures,
        versions=_versions(result.backend),
        quick=args.quick,
        call=_call(args),
        processor_seconds=spent,
    )
    return write_files(args.output, files)


def _versions(backend: str) -> dict[str, str]:
    """Return the versions of Python and of what made the numbers."""
    import os
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"Python": platform.python_version()}
    for name in (*_PROGRAMS, *(_WEKA if backend == "weka" else ())):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    found["cores"] = str(os.cpu_count())
    return found


def _call(args: argparse.Namespace) -> str:
    """Return the command that gives the same numbers; the data folder has another name there."""
    words = ["rocstats", "study", "run", args.name]
    words += ["--quick"] if args.quick else []
    words += ["--data", "DIR"] if args.data is not None else []
    words += ["--openml"] if args.openml else []
    words += ["--backend", args.backend] if args.backend != "python" else []
    words += ["--seed", str(args.seed)] if args.seed is not None else []
    return shlex.join(words)
