"""From the name of a benchmark set to its rows, checked against what the papers print."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rocstats.arrays import Bools
from rocstats.errors import InvalidSampleError, check_option
from rocstats.papers.data_sets.benchmark_set import AbsentSet, BenchSet, content_hash
from rocstats.papers.data_sets.known_sets import CATALOGUE, Entry, Printed
from rocstats.papers.data_sets.set_columns import Column, nominal_column
from rocstats.papers.data_sets.set_sources import Access, Found, Place
from rocstats.tables import counted

__all__ = ["load_set", "sets_of"]


def sets_of(paper: str) -> dict[str, Printed]:
    """Return what a paper prints of its sets, by their names here, in the order of its table.

    Examples
    --------
    >>> from rocstats.papers.data_sets.loading import sets_of
    >>> list(sets_of("wu-flach-ferri-2007"))[:5]
    ['monk1', 'monk2', 'monk3', 'kr-vs-kp', 'tic-tac-toe']
    """
    known = {printed.paper for entry in CATALOGUE.values() for printed in entry.printed}
    check_option("paper", paper, sorted(known))
    found = {
        printed.label: (entry.name, printed)
        for entry in CATALOGUE.values()
        for printed in entry.printed
        if printed.paper == paper
    }
    return dict(found[label] for label in sorted(found, key=_ORDER[paper].index))


_ORDER = {
    "wu-flach-2005": (
        *("Australia", "Sonar", "Glass", "German", "Monk1", "Monk2", "Monk3", "Hepatitis"),
        *("House", "Tic-tac-toe", "Heart", "Ionosphere", "Breast Cancer", "Lymphography"),
        *("Primary Tumor", "Solar-Flare", "Hayes-Roth", "Credit", "Balance", "Bridges"),
    ),
    "wu-flach-ferri-2007": (
        *("Monk1", "Monk2", "Monk3", "Kr-vs-kp", "Tic-tac-toe", "Credit-a", "German", "Spam"),
        *("House-vote", "Breast Cancer", "Breast-w", "Colic", "Heart-statlog", "Sick"),
        *("Caravan", "Hypothyroid", "Mushroom"),
    ),
    "huang-ling-2005": (
        *("breast", "cars", "credit", "dermatology", "echocardio", "eco", "glass", "heart"),
        *("hepatitis", "import", "iris", "liver", "mushroom", "pima", "solar", "thyroid"),
        *("voting", "wine"),
    ),
    "klement-2011": (
        *("prom", "echo", "hepa", "prks", "hart", "hrth", "hors", "habr", "iono", "vots"),
        *("jcrx", "aust", "wisc", "blod", "diab", "mamo", "tic", "ger", "oz8h", "oz1h", "chss"),
        *("ads", "spam", "mush", "mgic", "adlt"),
    ),
}


def load_set(
    name: str, *, data: str | Path | None = None, r: bool = True, openml: bool = False
) -> BenchSet | AbsentSet:
    """Return a benchmark set, or where it could be had.

    Parameters
    ----------
    name : a name of `CATALOGUE`
    data : a folder with data files, in their usual names
    r : whether R, if it is on this machine, may be asked for the sets of its packages
    openml : whether the set may be fetched from OpenML; nothing is downloaded otherwise

    Raises
    ------
    InvalidSampleError : for a file that is there and cannot be used

    Examples
    --------
    >>> from rocstats.papers.data_sets.loading import load_set
    >>> load_set("monk1")
    MONK 1: 556 rows, 6 attributes, 278 positive (class 1); generated from its rule
    """
    check_option("name", name, CATALOGUE)
    entry = CATALOGUE[name]
    access = Access(data=None if data is None else Path(data), r=r, openml=openml)
    wanted = []
    for place in entry.places:
        found = place.find(access)
        if isinstance(found, Found):
            return _encoded(entry, place, found)
        wanted.append(found)
    reason = entry.why_absent or f"it can come from {', or '.join(wanted)}"
    return AbsentSet(name=name, title=entry.title, reason=f"{reason}.")


def _encoded(entry: Entry, place: Place, found: Found) -> BenchSet:
    """Return the set made of the columns of a place."""
    columns = _without(found.columns, place.sparse, found.source)
    label = _class_column(columns, place.target, found.source)
    attributes = [column for column in columns if column is not label]
    said = list(entry.notes)
    label = nominal_column(label.name, label.words()) if not label.levels else label
    keep = label.present
    if not keep.all():
        said.append(f"{counted(int(np.sum(~keep)), 'row')} without a class left out.")
    for word in entry.without:
        if word in label.levels:
            keep &= label.values != label.levels.index(word)
    if entry.complete:
        complete = np.all([column.present for column in attributes], axis=0)
        said.append(
            f"{counted(int(np.sum(keep & ~complete)), 'row')} with a missing value left out."
        )
        keep &= complete
    attributes = _without(attributes, place.drop, found.source)
    names = [level for i, level in enumerate(label.levels) if np.any(label.values[keep] == i)]
    words = [word for word, kept in zip(label.words(), keep, strict=True) if kept]
    target = np.array([names.index(str(word)) for word in words], dtype=np.int64)
    y = np.isin(target, [i for i, level in enumerate(names) if level in entry.positive])
    if y.all() or not y.any():
        raise InvalidSampleError(
            f"{entry.title} from {found.source} has no row, or no other row, of the positive "
            f"classes {', '.join(entry.positive)}; its classes are {', '.join(names)}."
        )
    if found.note:
        said.append(found.note)
    X = np.stack([column.values[keep] for column in attributes], axis=1)
    texts = [column.words() for column in attributes]
    rows = [
        [*(text[i] for text in texts), label.levels[int(label.values[i])]]
        for i in np.flatnonzero(keep)
    ]
    for printed in entry.printed:
        said += _deviations(printed, n_attributes=len(attributes), n_classes=len(names), y=y)
    return BenchSet(
        name=entry.name,
        title=entry.title,
        columns=tuple(column.name for column in attributes),
        levels=tuple(len(column.levels) for column in attributes),
        X=X,
        target=target,
        classes=tuple(names),
        y=y,
        grouping=entry.grouping,
        source=found.source,
        sha256=content_hash(rows),
        deviations=tuple(said),
    )


def _without(columns: list[Column], names: tuple[str, ...], source: str) -> list[Column]:
    known = {column.name for column in columns}
    for name in names:
        if name not in known:
            raise InvalidSampleError(f"{source} has no attribute {name}.")
    return [column for column in columns if column.name not in names]


def _class_column(columns: list[Column], target: str | int, source: str) -> Column:
    if isinstance(target, int):
        return columns[target]
    for column in columns:
        if column.name.lower() == target.lower():
            return column
    raise InvalidSampleError(f"{source} has no column {target}, which should hold the class.")


def _deviations(printed: Printed, *, n_attributes: int, n_classes: int, y: Bools) -> list[str]:
    """Return how the set differs from what a paper prints, in sentences."""
    who = f"{printed.paper} ({printed.label})"
    n, n_pos = y.size, int(y.sum())
    said = []
    if printed.n != n:
        said.append(f"{who} prints {printed.n} rows; here are {n}.")
    if printed.attributes != n_attributes:
        said.append(f"{who} prints {printed.attributes} attributes; here are {n_attributes}.")
    if printed.classes is not None and printed.classes > 2 and printed.classes != n_classes:
        said.append(f"{who} prints {printed.classes} classes; here are {n_classes}.")
    if printed.n_pos is not None and printed.n_pos != n_pos:
        said.append(f"{who} prints {printed.n_pos} positive rows; here are {n_pos}.")
    majority = 100.0 * max(n_pos, n - n_pos) / n
    if printed.majority is not None and abs(printed.majority - majority) > _PRINTED:
        said.append(
            f"{who} prints {printed.majority:.2f}% in the larger class; here are {majority:.2f}%."
        )
    return said


_PRINTED = 0.0101  # per cent: one unit of the last digit, which the papers cut or round
