"""All that a page of a reader study is made of: facts, drawings and the R script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rocstats.analysis.program_facts import program_facts
from rocstats.analysis.reader_facts import reader_facts, reader_script
from rocstats.errors import InvalidOptionError, function, named
from rocstats.readers.reader_comparison import ReaderComparison
from rocstats.readers.reader_curves import study_pictures
from rocstats.readers.stand_alone import AgainstReaders

__all__ = ["ReaderPage", "gather_readers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderPage:
    """What a page is made of.

    Attributes
    ----------
    kind : "readers", tests compared, or "program", a program against readers
    facts : every number and sentence
    pictures : the drawings as SVG text
    script : for R, or nothing
    """

    kind: str
    facts: dict[str, Any]
    pictures: dict[str, str]
    script: str


def gather_readers(
    found: ReaderComparison | AgainstReaders,
    *,
    aims: Mapping[str, Any],
    confidence_level: float,
    title: str,
    source: str,
    columns: Mapping[str, str] | None,
    version: str,
) -> ReaderPage:
    """Return what the page of a comparison is made of.

    Parameters
    ----------
    found : what `compare_readers` or `compare_to_readers` gives
    aims : margin, equivalence, new, standard and adjust, which are of tests alone
    confidence_level, title, source, columns, version : as `report_readers` has them
    """
    script = ""
    if isinstance(found, AgainstReaders):
        kind = "program"
        for name, value in aims.items():
            if value is not None and name != "adjust":
                raise InvalidOptionError(
                    f"{named(name)} is of a comparison of tests; for a program the margin is given "
                    f"to {function('compare_to_readers')}."
                )
        facts = program_facts(found, confidence_level=confidence_level, title=title)
        draw: Callable[..., object] = found.plot
        rows = [facts["ai"], facts["mean"], *facts["by_reader"]]
        names = [facts["program"], "mean reader", *(row["reader"] for row in facts["by_reader"])]
    elif isinstance(found, ReaderComparison):
        kind = "readers"
        facts = reader_facts(found, confidence_level=confidence_level, title=title, **aims)
        draw, rows = found.study.plot, facts["by_reader"]
        names = [f"{row['test']}, {row['reader']}" for row in rows]
        if columns is not None:
            script = reader_script(found, facts, file=source, columns=columns, version=version)
    else:
        raise InvalidOptionError(
            f"The answer of {function('compare_readers')} or {function('compare_to_readers')} was "
            f"expected, got {type(found).__name__}; compare first, then report."
        )
    label = f"{facts['measure']} ({100.0 * confidence_level:g}% CI)"
    pictures = study_pictures(draw, rows, names, label)
    return ReaderPage(kind=kind, facts=facts, pictures=pictures, script=script)
