"""What a table offers to a report: its columns, and which of them may be outcome and markers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocstats.analysis.toml_values import toml

if TYPE_CHECKING:
    from rocstats.data.reading.files import Table

__all__ = ["FEW", "MOST_COLUMNS", "MOST_DESCRIBED", "Column", "describe", "propose", "spelt"]

MOST_COLUMNS = 200  # that are listed
MOST_DESCRIBED = 2000  # that are looked into
FEW = 6  # values of a column that are listed
_MOST_MARKERS = 10

# Words that columns and labels are often called by; they only choose what is filled in.
_OUTCOMES = {
    *("outcome", "status", "disease", "diseased", "diagnosis", "case", "class", "label", "event"),
    *("death", "dead", "died", "truth", "gold", "target", "reference", "standard", "y", "result"),
    *("malignant", "cancer"),
}
_POSITIVES = {
    *("1", "1.0", "true", "yes", "y", "positive", "pos", "p", "+", "case", "cases", "disease"),
    *("diseased", "abnormal", "malignant", "cancer", "poor", "dead", "died", "death", "event"),
    *("present", "ill", "sick", "affected"),
}
_IDS = {
    *("id", "ids", "subject", "patient", "pid", "usubjid", "record", "row", "index", "nr", "no"),
    *("number", "key"),
}
_TRAITS = {"age", "year", "sex", "gender"}
_CLASSES = ("text", "number", "labelled", "yes or no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What is known of one column."""

    name: str
    kind: str
    values: tuple[Any, ...]
    counts: tuple[int, ...]
    missing: int
    whole: bool = False

    @property
    def words(self) -> set[str]:
        return set(re.split(r"[\W_]+", self.name.casefold()))

    @property
    def is_id(self) -> bool:
        """Whether it names the rows: by what it is called, or as numbers without a gap."""
        distinct = len(self.values) == sum(self.counts) > 2
        if self.kind == "number":
            first, last = (min(self.values), max(self.values)) if distinct else (0.0, 0.0)
            unbroken = self.whole and distinct and last - first == len(self.values) - 1
            return bool(self.words & _IDS) or (unbroken and len(self.values) > 10)
        return self.kind == "text" and (distinct or bool(self.words & _IDS))


def describe(table: Table, name: str) -> Column:
    """Return what is known of a column."""
    from pandas.api import types

    shown = table.shown(name)
    stored = table.frame[name]
    missing = int(shown.isna().sum())
    try:
        counted = shown.value_counts(sort=False)
    except TypeError:  # lists and the like
        return Column(name=name, kind="other", values=(), counts=(), missing=missing)
    if types.is_bool_dtype(stored):
        kind = "yes or no"
    elif types.is_numeric_dtype(stored):
        kind = "labelled" if shown.dtype == object else "number"
    elif types.is_datetime64_any_dtype(stored):
        kind = "date"
    else:
        kind = "text"
    values = tuple(counted.index.tolist())
    return Column(
        name=name,
        kind=kind,
        values=values,
        counts=tuple(int(n) for n in counted.tolist()),
        missing=missing,
        whole=kind == "number" and types.is_integer_dtype(shown),
    )


def propose(columns: Sequence[Column], chosen: dict[str, Any]) -> dict[str, list[str]]:
    """Fill in what the data leave no doubt about; return comments on what they do leave."""
    notes: dict[str, list[str]] = {}
    _propose_outcome(columns, chosen, notes)
    taken = {chosen.get(name) for name in ("outcome", "subject", "cluster")}
    free = [column for column in columns if column.name not in taken]
    _propose_markers(free, chosen, notes)
    rest = [c for c in free if c.name not in chosen.get("markers", ()) and not c.is_id]
    levels = [c.name for c in rest if 2 <= len(c.values) <= FEW]
    described = [c.name for c in rest if 2 <= len(c.values) <= FEW or c.words & _TRAITS]
    ids = [c.name for c in free if c.is_id]
    if described:
        notes["baseline"] = [f"baseline = {toml(described)}"]
    if levels:
        notes["subgroup"] = [f"subgroups = {toml(levels)}"]
    if ids:
        notes["subject"] = [f"subject = {toml(ids[0])}"]
    return notes


def _propose_outcome(
    columns: Sequence[Column], chosen: dict[str, Any], notes: dict[str, list[str]]
) -> None:
    if not chosen.get("outcome"):
        pairs = [c for c in columns if len(c.values) == 2 and c.kind in _CLASSES]
        pick = _the_one(pairs)
        if pick is not None:
            chosen["outcome"] = pick.name
        notes["outcome"] = [f"outcome = {toml(c.name)}" for c in pairs if c is not pick]
    outcome = next((c for c in columns if c.name == chosen.get("outcome")), None)
    if outcome is not None and not chosen.get("positive") and len(outcome.values) == 2:
        spelling = [str(v).casefold() for v in outcome.values]
        sure = _POSITIVES if {"0", "0.0"} & {*spelling} else _POSITIVES - {"1", "1.0"}
        telling = [v for v, word in zip(outcome.values, spelling, strict=True) if word in sure]
        if len(telling) == 1:
            chosen["positive"] = spelt(telling[0])
        notes["positive"] = [
            f"positive = {toml(spelt(v))}"
            for v in outcome.values
            if len(telling) != 1 or v != telling[0]
        ]


def _propose_markers(
    free: Sequence[Column], chosen: dict[str, Any], notes: dict[str, list[str]]
) -> None:
    if chosen.get("markers"):
        return
    scores = [c for c in free if c.kind == "number" and len(c.values) > 2 and not c.is_id]
    markers = [c for c in scores if not c.words & _TRAITS] or scores
    if markers:
        chosen["markers"] = [c.name for c in markers[:_MOST_MARKERS]]
    others = [c.name for c in free if c.kind in ("number", "labelled")]
    rest = [name for name in others if name not in chosen.get("markers", ())]
    if rest:
        notes["markers"] = [f"other numbers: {', '.join(map(toml, rest[:MOST_COLUMNS]))}"]


def _the_one(pairs: Sequence[Column]) -> Column | None:
    """Return the only two-valued column, or the only one that is called like an outcome."""
    if len(pairs) == 1:
        return pairs[0]
    telling = [column for column in pairs if column.words & _OUTCOMES]
    return telling[0] if len(telling) == 1 else None


def spelt(value: Any) -> Any:
    """Return a value of a column as one that TOML has."""
    return value if isinstance(value, (bool, int, float)) else str(value)
