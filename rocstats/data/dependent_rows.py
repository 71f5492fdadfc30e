"""Rows that depend on each other though nobody said so: ids that repeat, readers who are pooled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.columns import coded_ids
from rocstats.errors import PooledReadersWarning, RepeatedSubjectWarning, keyword, warn_user

__all__ = ["warn_of_readers", "warn_of_repeats"]


def warn_of_repeats(subject: NDArray[Any]) -> None:
    """Warn where ids of subjects repeat and rows are taken as independent."""
    repeats = subject.size - len(set(subject.tolist()))
    if repeats:
        warn_user(
            f"Subject ids repeat ({repeats} more rows than subjects), but rows are taken as "
            f"independent; name their clusters with {keyword('cluster')} if those of a subject "
            "depend.",
            RepeatedSubjectWarning,
        )


# Columns by whose names alone readers, and what they read, are known.
_READERS = frozenset(("reader", "reader_id", "rater", "rater_id", "radiologist", "observer"))
_READ = frozenset(("case", "case_id", "caseid", "patient", "patient_id", "subject", "image", "id"))


def warn_of_readers(columns: Mapping[str, Any], used: set[str], subject: str | None) -> None:
    """Warn where several readers rated the same cases, and their ratings are taken as one marker's.

    Only columns that say so by their names are looked at: a reader, and a case that repeats.
    """
    named_so = [name for name in columns if name.casefold() in _READERS and name not in used]
    read = [name for name in columns if name == subject or name.casefold() in _READ]
    for reader in named_so:
        try:
            who = coded_ids(np.asarray(columns[reader]))[0]
            cases = [coded_ids(np.asarray(columns[name]))[0] for name in read if name not in used]
        except (TypeError, ValueError):
            return
        if who.size and who.max() > 0 and any(_is_shared(who, case) for case in cases):
            warn_user(
                f"The data have a column {reader!r} of {int(who.max()) + 1} readers who rated the "
                "same cases; pooled ratings are taken as independent, which they are not: analyse "
                "them with rs.ReaderStudy.from_frame and rs.compare_readers (rocstats readers).",
                PooledReadersWarning,
            )
            return


def _is_shared(reader: NDArray[np.intp], case: NDArray[np.intp]) -> bool:
    """Return whether some case has several readers."""
    if reader.size != case.size:
        return False
    pairs = np.unique(np.stack([case, reader]), axis=1)
    return bool(np.bincount(pairs[0]).max() > 1)
