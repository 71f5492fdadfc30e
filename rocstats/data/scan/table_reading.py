"""The two passes over a source: counts by score, and rows with what is looked up by score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Ints
from rocstats.data.scan.cluster_rows import ClusterRows
from rocstats.data.scan.duckdb_rows import DuckQuery
from rocstats.data.scan.looked_up import Lookup, ValuedRows
from rocstats.data.scan.placed_rows import PlacedRows, place_rows
from rocstats.data.scan.row_judging import Judge, Rows
from rocstats.data.scan.row_sources import Source
from rocstats.data.scan.score_keys import from_keys, to_keys
from rocstats.data.scan.sketches import Sketch, count_keys, merge_sketches
from rocstats.data.scan.spill_folder import SpillFolder
from rocstats.data.scan.spilled_rows import SpilledRows, spill_rows
from rocstats.errors import InvalidSampleError, keyword
from rocstats.workers import watched

__all__ = ["Clusters", "Reading", "read_counts", "reduced_rows"]

Answer = TypeVar("Answer")

_MERGED = 2**20  # distinct scores in sketches of batches that wait to be merged
_CUTS = 2**16  # bins that say where to cut scores that are too many for memory
_WRAP = 2**63  # sums of places are kept modulo this
_MANY = 0.5  # of the rows of a first batch: a marker with more distinct scores is not grouped


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """The clusters of all rows.

    Attributes
    ----------
    ids : (C,) as they were given, sorted
    members : (2, C) negatives and positives in each
    """

    ids: NDArray[Any]
    members: Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """How the rows are read once more.

    Attributes
    ----------
    source : the rows
    judge : what judged them in the first pass; it knows what was dropped
    chosen : which of its markers the table has
    spilled : the rows on disk, where scores are too many for memory
    placed : the rows on workers, where scores are too many for them, too
    """

    source: Source
    judge: Judge
    chosen: tuple[int, ...]
    clusters: Clusters | None = None
    spilled: SpilledRows | None = None
    placed: PlacedRows | None = None

    def only(self, rows: Sequence[int]) -> Reading:
        """Return the same for some of the markers."""
        return replace(self, chosen=tuple(self.chosen[row] for row in rows))


@dataclass(slots=True, eq=False)
class _Counting:
    """Counts of one marker that grow batch by batch, in bins where there are too many scores."""

    budget: int
    bins: int  # how many where scores are too many
    waiting: list[Sketch] = field(default_factory=list)
    held: int = 0
    shift: int = 0

    def add(self, rows: Rows, row: int) -> None:
        keys = to_keys(rows.scores[row])
        self.take(count_keys(keys, rows.positive, rows.count, shift=self.shift))

    def take(self, found: Sketch) -> None:
        self.waiting.append(found)
        self.held += found.bins.size
        if self.held > _MERGED + self.budget:
            self.finish()

    def finish(self) -> Sketch:
        """Return all counts so far, within the budget."""
        whole = merge_sketches(self.waiting)
        if whole.shift or whole.bins.size > self.budget:
            whole = whole.within(self.bins)
        self.waiting, self.held, self.shift = [whole], whole.bins.size, whole.shift
        return whole


def read_counts(
    source: Source,
    judge: Judge,
    *,
    budget: int,
    exact: bool,
    spill: str | os.PathLike[str] | None = None,
) -> tuple[tuple[Sketch, ...], Reading]:
    """Return the counts of every marker, and how the rows are read once more.

    Markers with more distinct scores than `budget` are counted in bins; where they are to be exact,
    the bins say how to cut the scores into parts, which are sorted in files in the folder `spill`.
    """
    sketches, reading = _read_sketches(source, judge, budget, _CUTS if exact else budget)
    if exact and any(sketch.shift for sketch in sketches):
        if isinstance(source, ClusterRows) and spill is None:
            if not source.has_workers:
                raise _too_many_for_workers(judge.columns.markers, sketches, budget)
            return sketches, replace(reading, placed=_placed(reading, source, sketches, budget))
        spilled = _spilled(reading, sketches, budget, SpillFolder(spill))
        return spilled.sketches, replace(reading, spilled=spilled)
    return sketches, reading


def _too_many_for_workers(
    markers: tuple[str, ...], sketches: tuple[Sketch, ...], budget: int
) -> InvalidSampleError:
    name = next(name for name, one in zip(markers, sketches, strict=True) if one.shift)
    return InvalidSampleError(
        f"{name} has more than {budget} distinct scores; give a larger {keyword('budget')}, at 24 "
        f"bytes of memory each, {keyword('exact', False)} for bins of scores and bounds, or a "
        f"folder of this machine in {keyword('spill')}, to which all rows are brought."
    )


def _read_sketches(
    source: Source, judge: Judge, budget: int, bins: int
) -> tuple[tuple[Sketch, ...], Reading]:
    """Return counts by score, or in so many bins where scores are more than the budget."""
    columns = judge.columns
    chosen = tuple(range(len(columns.markers)))
    spread = isinstance(source, ClusterRows)
    simple = columns.cluster is None and columns.weights is None and not spread
    if simple and (judge.nan_policy == "raise" or len(chosen) == 1):
        sketches = _counted_by_engine(source, judge, budget, bins)
        if sketches is not None:
            return sketches, Reading(source=source, judge=judge, chosen=chosen)
    first = _FirstPass(judge=judge.anew(), budget=budget, bins=min(bins, budget))
    if isinstance(source, ClusterRows):
        tally = source.reduced(columns.names, first, _join_tallies)
    else:
        batches = source.batches(columns.names)
        tally = first(watched(batches, size=len, title="counting scores", unit="row"))
    judge.join(tally.judge)
    judge.classes()
    sketches = tuple(one.finish() for one in tally.counting)
    clusters = None if columns.cluster is None else tally.members.finish()
    return sketches, Reading(source=source, judge=judge, chosen=chosen, clusters=clusters)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FirstPass:
    """The first pass over some rows: all of them, or those of a worker."""

    judge: Judge
    budget: int
    bins: int

    def __call__(self, batches: Iterator[Any]) -> _Tally:
        judge, members = self.judge.anew(), _Members()
        counting = [_Counting(self.budget, self.bins) for _ in judge.columns.markers]
        for batch in batches:
            rows = judge.read(batch)
            for row, one in enumerate(counting):
                one.add(rows, row)
            if rows.cluster is not None:
                members.add(*_members_of(rows.cluster, rows))
        return _Tally(judge=judge, counting=counting, members=members)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tally:
    """All that a first pass keeps of some rows; those of two sets of rows can be joined."""

    judge: Judge
    counting: list[_Counting]
    members: _Members

    def join(self, other: _Tally) -> None:
        """Take the rows of another."""
        self.judge.join(other.judge)
        for one, more in zip(self.counting, other.counting, strict=True):
            for sketch in more.waiting:
                one.take(sketch)
        if other.members.ids is not None:
            self.members.add(other.members.ids, other.members.members)


def _join_tallies(tallies: list[_Tally]) -> _Tally:
    first, *others = tallies
    for other in others:
        first.join(other)
    return first


def _spilled(
    reading: Reading, sketches: tuple[Sketch, ...], budget: int, folder: SpillFolder
) -> SpilledRows:
    """Return the rows of a second pass on disk, every marker sorted."""
    columns, clustered = reading.judge.columns, reading.clusters is not None
    try:
        return spill_rows(
            folder,
            watched(
                _rows_again(reading),
                total=sum(sketches[0].sizes),
                size=lambda found: int(found[0].positive.size),
                title="cutting scores into parts",
                unit="row",
            ),
            sketches,
            size=budget,
            keep_rows=clustered or len(columns.markers) > 1,
            weighted=columns.weights is not None,
            clustered=clustered,
        )
    except BaseException:
        folder.remove()
        raise


def _rows_again(reading: Reading) -> Iterator[tuple[Rows, NDArray[np.intp] | None]]:
    """Yield the rows of a second pass, and the numbers of their clusters; refuses other rows."""
    again = reading.judge.anew()
    yield from _numbered(reading, again, reading.source.batches(again.columns.names))
    _check_same(again, reading.judge)


def _numbered(
    reading: Reading, judge: Judge, batches: Iterable[Any]
) -> Iterator[tuple[Rows, NDArray[np.intp] | None]]:
    for batch in batches:
        rows = judge.read(batch)
        yield rows, _clusters_of(rows, reading)


def _placed(
    reading: Reading, source: ClusterRows, sketches: tuple[Sketch, ...], budget: int
) -> PlacedRows:
    """Return the rows of a second pass, placed on workers; refuses other rows."""
    numbered = partial(_numbered, replace(reading, source=_Part(())))
    found = place_rows(source, reading.judge, sketches, numbered, size=budget)
    if found is None:
        raise changed_source()
    return found


def _counted_by_engine(
    source: Source, judge: Judge, budget: int, bins: int
) -> tuple[Sketch, ...] | None:
    """Return the counts of an engine that can; None where it cannot, or scores are too many."""
    columns, sketches = judge.columns, []
    if not _few_scores(source, judge):
        return None
    for name in watched(columns.markers, title="counting scores", unit="marker"):
        alone = judge.anew((name,))
        batches = source.counts(name, columns.outcome)
        if batches is None:
            return None
        counting = _Counting(budget, min(bins, budget))
        for batch in batches:
            counting.add(alone.read(batch), 0)
        sketches.append(counting.finish() if counting.waiting else None)
        complete = not (judge.lacking or alone.lacking)
        if complete and judge.levels and judge.levels != alone.levels:
            raise changed_source()
        judge.levels = judge.levels | alone.levels
        for column, times in alone.lacking.items():
            judge.lacking[column] = max(judge.lacking[column], times)
        judge.n_dropped = max(judge.n_dropped, alone.n_dropped)
    judge.classes()
    return tuple(sketch for sketch in sketches if sketch is not None)


def _few_scores(source: Source, judge: Judge) -> bool:
    """Return whether the first rows say that grouping by score makes the table smaller."""
    probe = Judge(columns=judge.columns, pos_label=judge.pos_label, nan_policy="omit")
    for batch in source.batches(judge.columns.names):
        rows = probe.read(batch)
        size = max(rows.positive.size, 1)
        return size < 2**12 or all(np.unique(row).size <= _MANY * size for row in rows.scores)
    return True


def changed_source() -> InvalidSampleError:
    """Return the refusal of rows that are not those of the first pass."""
    return InvalidSampleError(
        "The source gave other rows the second time it was read; write it to a file that does not "
        "change, and scan that."
    )


@dataclass(slots=True, eq=False)
class _Members:
    """Clusters, and how many of each class they have, batch by batch."""

    ids: NDArray[Any] | None = None
    members: Ints = field(default_factory=lambda: np.zeros((2, 0), dtype=np.int64))

    def add(self, here: NDArray[Any], counts: Ints) -> None:
        if self.ids is None:
            self.ids, self.members = here, counts
            return
        if (self.ids.dtype.kind == "U") != (here.dtype.kind == "U"):
            raise InvalidSampleError("Cluster ids are numbers beside texts; make them of one kind.")
        both, code = np.unique(np.concatenate([self.ids, here]), return_inverse=True)
        old, new = code[: self.ids.size], code[self.ids.size :]
        members = np.zeros((2, both.size), dtype=np.int64)
        members[:, old] += self.members
        members[:, new] += counts
        self.ids, self.members = both, members

    def finish(self) -> Clusters:
        ids = np.zeros(0, dtype=np.int64) if self.ids is None else self.ids
        return Clusters(ids=ids, members=self.members)


def _members_of(cluster: NDArray[Any], rows: Rows) -> tuple[NDArray[Any], Ints]:
    """Return the clusters of some rows, and (2, C) how many of each class they have."""
    here, code = np.unique(cluster, return_inverse=True)
    classes = ~rows.positive, rows.positive
    return here, np.stack([_weighed(code, mask, rows.count, here.size) for mask in classes])


def _weighed(code: NDArray[np.intp], mask: Bools, count: Ints | None, size: int) -> Ints:
    weights = None if count is None else count[mask]
    return np.bincount(code[mask], weights, minlength=size).astype(np.int64)


def _valued_rows(
    reading: Reading, sketches: tuple[Sketch, ...], lookups: Sequence[Lookup], *, are_own: bool
) -> Iterator[ValuedRows]:
    """Yield all rows with what is looked up by their scores; refuses a source that has changed."""
    if reading.spilled is not None:
        yield from reading.spilled.valued(reading.chosen, lookups)
        return
    again = reading.judge.anew()
    yield from _valued(reading, again, sketches, lookups)
    _check_same(again, reading.judge)
    if are_own:
        _check_places(again, sketches)


def _check_same(again: Judge, first: Judge) -> None:
    if again.levels != first.levels or again.n_dropped != first.n_dropped:
        raise changed_source()


def _check_places(again: Judge, sketches: tuple[Sketch, ...]) -> None:
    """Refuse rows whose scores are all known, and not as often as in the first pass."""
    for (row, positive), found in again.places.items():
        sketch = sketches[row]
        counts = sketch.n_pos if positive else sketch.n_neg
        if (found - _sum_of_products(np.arange(counts.size), counts)) % _WRAP:
            raise changed_source()


def _valued(
    reading: Reading, again: Judge, sketches: tuple[Sketch, ...], lookups: Sequence[Lookup]
) -> Iterator[ValuedRows]:
    rows = sorted({lookup.row for lookup in lookups})
    for found in _coded(reading, again, sketches, rows):
        codes = dict(zip(rows, found.scores.astype(np.intp), strict=True))
        _add_places(again, codes, found)
        values = np.empty((len(lookups), found.positive.size))
        for line, lookup in zip(values, lookups, strict=True):
            code = codes[lookup.row]
            line[:] = np.where(found.positive, lookup.pos[code], lookup.neg[code])
        cluster = _clusters_of(found, reading)
        yield ValuedRows(values=values, positive=found.positive, cluster=cluster, count=found.count)


def _sum_of_products(places: Ints, counts: Ints) -> int:
    return int(np.einsum("i,i->", places, counts))


def _add_places(again: Judge, codes: dict[int, NDArray[np.intp]], rows: Rows) -> None:
    """Keep the sums of the places of some rows."""
    ones = rows.positive.astype(np.int64)
    positive, every = ones, np.ones_like(ones)
    if rows.count is not None:
        positive, every = ones * rows.count, rows.count
    for row, code in codes.items():
        pos, both = (_sum_of_products(code, count) for count in (positive, every))
        again.places[row, True] += pos % _WRAP
        again.places[row, False] += (both - pos) % _WRAP


def reduced_rows(
    reading: Reading,
    sketches: tuple[Sketch, ...],
    lookups: Sequence[Lookup],
    work: Callable[[Iterator[ValuedRows]], Answer],
    join: Callable[[list[Answer]], Answer],
    *,
    are_own: bool,
) -> Answer:
    """Return what `work` makes of all valued rows, joined where workers have some each.

    `are_own` says that the sketches count these rows, and no others.
    """
    source = reading.source
    if reading.spilled is not None or not isinstance(source, ClusterRows):
        rows = watched(
            _valued_rows(reading, sketches, lookups, are_own=are_own),
            total=sum(sketches[0].sizes),
            size=lambda found: int(found.positive.size),
            title="adding up rows",
            unit="row",
        )
        return work(rows)
    task = _SecondPass(
        reading=replace(reading, source=_Part(()), placed=None),
        sketches=sketches,
        lookups=lookups,
        work=work,
    )
    found: Answer
    found, again = source.reduced(reading.judge.columns.names, task, _JoinedSeconds(join))
    _check_same(again, reading.judge)
    if are_own:
        _check_places(again, sketches)
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SecondPass:
    """The second pass over the rows of a worker: what is made of them, and what judged them."""

    reading: Reading
    sketches: tuple[Sketch, ...]
    lookups: Sequence[Lookup]
    work: Callable[[Iterator[ValuedRows]], Any]

    def __call__(self, batches: Iterator[Any]) -> tuple[Any, Judge]:
        here = replace(self.reading, source=_Part(batches))
        again = here.judge.anew()
        return self.work(_valued(here, again, self.sketches, self.lookups)), again


@dataclass(frozen=True, slots=True)
class _JoinedSeconds:
    join: Callable[[list[Any]], Any]

    def __call__(self, answers: list[tuple[Any, Judge]]) -> tuple[Any, Judge]:
        (_, first), *others = answers
        for _, judge in others:
            first.join(judge)
        return self.join([answer for answer, _ in answers]), first


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows of a worker, as a source that is read once."""

    rows: Iterable[Any]

    def kinds(self) -> dict[str, str]:
        return {}

    def batches(self, names: list[str]) -> Iterator[Any]:
        return iter(self.rows)

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        return None


def _clusters_of(rows: Rows, reading: Reading) -> NDArray[np.intp] | None:
    """Return the numbers of the clusters of some rows."""
    if rows.cluster is None or reading.clusters is None:
        return None
    cluster, ids = rows.cluster, reading.clusters.ids
    if (ids.dtype.kind == "U") != (cluster.dtype.kind == "U"):
        raise changed_source()
    code = np.minimum(np.searchsorted(ids, cluster), ids.size - 1)
    if not (ids[code] == cluster).all():
        raise changed_source()
    return code


def _coded(
    reading: Reading, judge: Judge, sketches: tuple[Sketch, ...], rows: Sequence[int]
) -> Iterator[Rows]:
    """Yield the rows with numbers of scores, or of bins, in the place of scores."""
    columns = judge.columns
    names = [columns.markers[reading.chosen[row]] for row in rows]
    place = {name: k for k, name in enumerate(columns.markers)}
    source, exact = reading.source, all(not sketches[row].shift for row in rows)
    if isinstance(source, DuckQuery) and exact and len(names) == len(columns.markers):
        import pyarrow as pa

        tables = [
            pa.table(
                {
                    "score": from_keys(sketches[row].bins),
                    "code": np.arange(sketches[row].bins.size, dtype=np.int32),
                }
            )
            for row in rows
        ]
        for batch in source.looked_up(columns.names, names, tables):
            found = judge.read(batch)
            yield replace(found, scores=found.scores[[place[name] for name in names]])
        return
    for batch in source.batches(columns.names):
        found = judge.read(batch)
        codes = np.empty((len(rows), found.positive.size))
        for line, row, name in zip(codes, rows, names, strict=True):
            line[:] = _code(to_keys(found.scores[place[name]]), sketches[row])
        yield replace(found, scores=codes)


def _code(keys: Ints, sketch: Sketch) -> NDArray[np.intp]:
    code = sketch.find(keys)
    if code.size and code.min() < 0:
        raise changed_source()
    return code
