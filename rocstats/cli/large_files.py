"""Files too large for memory: read as a table, in batches, where the size or an option says so."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.cli.intake_arguments import INTAKE_NAMES
from rocstats.errors import InvalidOptionError, is_installed, named, require_library

if TYPE_CHECKING:
    from rocstats.data.scan.scored_table import ScoredTable

__all__ = ["add_memory_argument", "scan_if_large"]

ALL = "all"
LARGE = 2**29  # bytes of a file that is not read into memory
_ENDINGS = (".parquet", ".pq", ".csv", ".csv.gz", ".tsv")
_ROWS_ONLY = ("subject", "strata", "verified", "verification_model", *INTAKE_NAMES)


def add_memory_argument(parser: argparse.ArgumentParser) -> None:
    """Add what a table that is read in batches may take."""
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help="read Parquet or CSV in batches, with so much memory for DuckDB, such as 1GB; also "
        "for a folder or a quoted pattern (default: where the file has 512 MB or more); all: read "
        "every row into memory",
    )
    parser.add_argument(
        "--spill",
        metavar="FOLDER",
        help="folder for files of scores that are too many for memory (default: the system's for "
        "temporary files)",
    )


def scan_if_large(args: argparse.Namespace, covariates: Sequence[str]) -> ScoredTable | None:
    """Return the table of a large file, and say that it is read so; None for any other."""
    if not hasattr(args, "memory"):
        return None
    if args.memory == ALL:
        return None
    size = _size(args.file)
    if args.memory is None and size < LARGE:
        return None
    asked = args.memory is not None or not Path(args.file).is_file()
    from tempfile import gettempdir

    import rocstats as rs
    from rocstats.cli.write import say
    from rocstats.data.scan.sketches import BUDGET

    needs_rows = [name for name in _ROWS_ONLY if getattr(args, name, None)]
    if not asked and (needs_rows or covariates or not is_installed("pyarrow")):
        return None  # as files of any size are read
    if needs_rows:
        raise InvalidOptionError(
            f"{named(needs_rows[0])} needs the rows in memory, and {args.file} is read in batches; "
            f"leave it out, or {named('memory')}."
        )
    if covariates:
        raise InvalidOptionError(
            f"Covariates and folds need the rows in memory, and {args.file} is read in batches."
        )
    require_library("pyarrow", "A table that is scanned", "big")
    say(f"{args.file} ({size / 1e6:,.0f} MB) is read in batches, and its scores are counted.")
    table = rs.ScoredTable.scan(
        args.file,
        outcome=args.outcome,
        markers=args.markers,
        pos_label=_label(args),
        cluster=args.cluster,
        weights=args.weights,
        weight_kind=args.weight_kind,
        higher_is_positive=dict.fromkeys(args.lower_is_positive, False),
        nan_policy=args.nan_policy,
        memory=args.memory,
        spill=args.spill,
    )
    if table.is_spilled:
        say(
            f"There are more than {BUDGET:,} distinct scores of a marker: they are sorted in files "
            f"in {args.spill or gettempdir()}, which are removed at the end."
        )
    return table


def _size(file: str) -> int:
    """Return the bytes of a file that can be scanned; many for a folder or a pattern."""
    path = Path(file)
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except OSError:  # whoever reads it says why
        return 0
    if is_file:
        return path.stat().st_size if file.lower().endswith(_ENDINGS) else 0
    if is_folder or any(mark in file for mark in "*?"):
        from rocstats.data.scan.file_lists import find_files

        return max(find_files(file).size(), LARGE)
    return 0


def _label(args: argparse.Namespace) -> Any:
    """Return the positive class: a number where the outcome has numbers."""
    text = args.positive
    if text is None:
        return None
    from rocstats.data.scan.row_sources import find_source

    if find_source(args.file, "auto", None, verify=False).kinds().get(args.outcome) != "number":
        return text
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
