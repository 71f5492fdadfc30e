"""``rocstats r-script``: write the R script that repeats an analysis with pROC and compares."""

from __future__ import annotations

import argparse
import hashlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rocstats.cli.arguments import add_data_arguments, read_sample
from rocstats.cli.intake_arguments import take_in_file
from rocstats.errors import InvalidOptionError, InvalidSampleError, named

if TYPE_CHECKING:
    from rocstats.rbridge.script_text import DataFile

__all__ = ["add_to", "data_file", "r_can_read", "run"]

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "r-script",
        description="Write an R script that computes the areas and the paired DeLong tests of a "
        "CSV or TSV file again with pROC and compares them with the numbers of rocstats. R is not "
        "needed to write it.",
        epilog="Example (rocstats demo --data writes the file; then Rscript study.R):\n"
        "  rocstats r-script breast_cancer.csv --outcome diagnosis --positive malignant "
        "--markers mean_radius,mean_texture -o study.R",
        everyday="file outcome positive markers lower_is_positive nan_policy confidence_level "
        "output",
        allow_abbrev=False,
    )
    add_data_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write it here (default: print it)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the script, to a file or to the standard output."""
    from rocstats.cli.write import write_file

    if args.output is None:
        print(_script(args), end="")
        return 0
    _check_place(args.output, args.file)
    write_file(args.output, _script(args))
    call = shlex.join(["Rscript", args.output])
    print(f"Wrote {args.output}; run it where {args.file} is found: {call}")
    return 0


def _script(args: argparse.Namespace) -> str:
    import rocstats as rs
    from rocstats.analysis.cross_check_facts import areas_for_r, differences_for_r
    from rocstats.data.reading.files import SUFFIXES
    from rocstats.errors import check_confidence_level
    from rocstats.rbridge.script_text import r_script

    if not r_can_read(args.file) and Path(args.file).suffix.lower() in SUFFIXES:
        suffix = Path(args.file).suffix.lower()
        raise InvalidSampleError(
            f"An R script for a {suffix} file would need more than R and pROC; "
            "save the table as .csv."
        )
    if args.cluster is not None:
        raise InvalidOptionError(f"pROC takes rows as independent; leave out {named('cluster')}.")
    for option in ("weights", "strata", "verified"):
        if getattr(args, option) is not None:
            raise InvalidOptionError(
                f"pROC takes every row as one subject; leave out {named(option)}."
            )
    level = check_confidence_level(args.confidence_level)
    intake = take_in_file(
        args.file, vars(args), outcome=args.outcome, scores=args.markers, tell=None
    )
    if intake.of_columns([args.outcome, *args.markers])[0]:
        raise InvalidSampleError(
            f"R would read {args.file} as it stands, and it has to be repaired; write the repaired "
            f"table with rocstats check {args.file} -o FILE.csv, and make the script of that."
        )
    sample = read_sample(args)
    estimates = rs.estimate(sample, measures=["auc"])
    several = len(sample.markers) > 1
    return r_script(
        sample,
        data_file(args.file, args.file),
        outcome=args.outcome,
        areas=areas_for_r(estimates, level),
        differences=differences_for_r(rs.compare(sample), level) if several else [],
        confidence_level=level,
        version=rs.__version__,
    )


def r_can_read(file: str) -> bool:
    """Whether R reads such a file without a package."""
    return Path(file).suffix.lower() in _SEPARATORS


def data_file(file: str, name: str) -> DataFile:
    """Return how R is to read a file, under the name that the script is to open."""
    from rocstats.data.reading.files import MISSING
    from rocstats.rbridge.script_text import DataFile

    content = Path(file).read_bytes()
    return DataFile(
        path=name,
        sha256=hashlib.sha256(content).hexdigest(),
        md5=hashlib.md5(content, usedforsecurity=False).hexdigest(),
        separator=_SEPARATORS[Path(file).suffix.lower()],
        missing=tuple(MISSING),
    )


def _check_place(name: str, data: str) -> None:
    """Refuse what cannot be written, and to write over the data."""
    from rocstats.cli.write import check_writable, keep_file
    from rocstats.places import check_ending

    check_writable(name)
    keep_file(name, data, "the data")
    check_ending(name, (".R",))
