"""Rows on disk: scores sorted part by part, and what is looked up by score given back in order.

Scores of a marker are cut into parts that fit into memory. Rows go to their parts in the order in
which they come; each part is sorted alone, so that all parts together are sorted. Every row then
is a code in its part, and a last pass reads the parts side by side. All files are read and written
from their beginning to their end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import order_of_keys
from rocstats.data.scan.looked_up import Lookup, ValuedRows
from rocstats.data.scan.row_judging import Rows
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.sketches import Sketch, count_keys, run_sums
from rocstats.data.scan.spill_folder import Column, SpillFolder
from rocstats.workers import watched

__all__ = ["SpilledRows", "cut_points", "spill_rows"]

_TOGETHER = 2**19  # rows that are shared out to parts at a time
_SIDE_BY_SIDE = 2**18  # rows that are read back at a time
_MOST_PARTS = 2**15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Marker:
    """A marker in parts.

    Attributes
    ----------
    sketch : all distinct scores
    blocks : (P + 1,) where the distinct scores of each part begin
    rows : (P + 1,) where the rows of each part begin
    codes : (N,) by part, in the order of the rows: twice the number of the score in its part, and
        one more for a positive
    part : (N,) the part of every row
    """

    sketch: Sketch
    blocks: Ints
    rows: Ints
    codes: NDArray[Any] | None
    part: NDArray[Any] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpilledRows:
    """Rows that were written to disk, with every marker sorted.

    Attributes
    ----------
    folder : where they are
    markers : what is known of each
    positive, cluster, count : (N,) the rows in their order; `cluster` and `count` may be None
    """

    folder: SpillFolder
    markers: tuple[_Marker, ...]
    positive: Bools | None
    cluster: NDArray[Any] | None
    count: Ints | None

    @property
    def sketches(self) -> tuple[Sketch, ...]:
        """The counts of every marker."""
        return tuple(marker.sketch for marker in self.markers)

    def valued(self, chosen: Sequence[int], lookups: Sequence[Lookup]) -> Iterator[ValuedRows]:
        """Yield all rows in their order with what is looked up; `chosen` are the markers."""
        if self.positive is None:
            raise AssertionError("one marker without clusters is known by its counts")
        used = {one.row: self.markers[chosen[one.row]] for one in lookups}
        values = [self._by_part(used[one.row], one) for one in lookups]
        cursors = {row: marker.rows[:-1].copy() for row, marker in used.items()}
        for start in range(0, self.positive.size, _SIDE_BY_SIDE):
            here = slice(start, start + _SIDE_BY_SIDE)
            positive = np.array(self.positive[here])
            found = np.empty((len(lookups), positive.size))
            for row, marker in used.items():
                order, ends = _next_rows(marker, here, cursors[row])
                for line, one, column in zip(found, lookups, values, strict=True):
                    if one.row == row:
                        pieces = [column[a:b] for a, b in zip(cursors[row], ends, strict=True)]
                        line[order] = np.concatenate(pieces)
                cursors[row] = ends
            yield ValuedRows(
                values=found,
                positive=positive,
                cluster=None if self.cluster is None else np.array(self.cluster[here], np.intp),
                count=None if self.count is None else np.array(self.count[here]),
            )

    def _by_part(self, marker: _Marker, lookup: Lookup) -> Floats:
        """Return the values of all rows, by part."""
        codes = marker.codes
        if codes is None:
            raise AssertionError("one marker without clusters is known by its counts")
        column = self.folder.column(np.float64)
        for k in range(marker.rows.size - 1):
            blocks, rows = (slice(ends[k], ends[k + 1]) for ends in (marker.blocks, marker.rows))
            table = np.stack([lookup.neg[blocks], lookup.pos[blocks]], axis=1).ravel()
            column.append(table[codes[rows]])
        found = column.array()
        column.remove()
        return found


def _next_rows(marker: _Marker, here: slice, begin: Ints) -> tuple[NDArray[np.intp], Ints]:
    """Return the order that brings some rows together by part, and where the parts then are."""
    part = marker.part[here]  # type: ignore[index]
    many = np.bincount(part, minlength=begin.size)
    return np.argsort(part, kind="stable"), begin + many


@dataclass(slots=True, eq=False)
class _Parts:
    """The parts of a marker while rows are written."""

    cuts: Ints  # the least key of every part but the first
    keys: Column
    positive: Column
    count: Column | None
    part: Column | None
    pieces: list[Ints]

    def add(self, keys: Ints, positive: Bools, count: Ints | None) -> None:
        part = np.searchsorted(self.cuts, keys, side="right").astype(_narrow(self.cuts.size + 1))
        order = np.argsort(part, kind="stable")
        self.keys.append(keys[order])
        self.positive.append(positive[order])
        if self.count is not None and count is not None:
            self.count.append(count[order])
        if self.part is not None:
            self.part.append(part)
        self.pieces.append(np.bincount(part, minlength=self.cuts.size + 1))


def spill_rows(
    folder: SpillFolder,
    batches: Iterator[tuple[Rows, NDArray[np.intp] | None]],
    sketches: Sequence[Sketch],
    *,
    size: int,
    keep_rows: bool,
    weighted: bool,
    clustered: bool,
) -> SpilledRows:
    """Write rows, with the numbers of their clusters, to disk, and sort every marker.

    Coarse `sketches` say where to cut, so that parts have about `size` rows. With `keep_rows` rows
    can be given back in their order; else only counts are wanted.
    """
    cuts = [cut_points(sketch, size) for sketch in sketches]
    parts = [
        _Parts(
            cuts=cut,
            keys=folder.column(np.int64),
            positive=folder.column(np.bool_),
            count=folder.column(np.int64) if weighted else None,
            part=folder.column(_narrow(cut.size + 1)) if keep_rows else None,
            pieces=[],
        )
        for cut in cuts
    ]
    streams = {
        "positive": folder.column(np.bool_) if keep_rows else None,
        "count": folder.column(np.int64) if keep_rows and weighted else None,
        "cluster": folder.column(np.int64) if keep_rows and clustered else None,
    }
    for keys, positive, count, cluster in _together(batches):
        for one, own in zip(parts, keys, strict=True):
            one.add(own, positive, count)
        given = {"positive": positive, "count": count, "cluster": cluster}
        for name, column in streams.items():
            if column is not None:
                column.append(given[name])
    total = sum(sketches[0].sizes)
    each = watched(parts, title="sorting the parts", unit="marker")
    markers = tuple(_sorted_marker(folder, one, total) for one in each)
    return SpilledRows(
        folder=folder,
        markers=markers,
        **{name: None if one is None else one.array() for name, one in streams.items()},
    )


def _narrow(parts: int) -> Any:
    return np.uint8 if parts <= 2**8 else np.uint16


def cut_points(sketch: Sketch, size: int) -> Ints:
    """Return keys that cut the rows into parts of about `size`."""
    seen = np.cumsum(sketch.n_pos + sketch.n_neg)
    number = min(max(-(-int(seen[-1]) // size), 1), _MOST_PARTS)
    goals = np.arange(1, number) * (int(seen[-1]) / number)
    places = np.unique(np.searchsorted(seen, goals, side="right"))
    return sketch.bins[places[places > 0]] << sketch.shift


def _together(
    batches: Iterator[tuple[Rows, NDArray[np.intp] | None]],
) -> Iterator[tuple[list[Ints], Bools, Any, Any]]:
    """Yield keys, classes, counts and clusters of several batches at a time."""
    waiting: list[tuple[Rows, NDArray[np.intp] | None]] = []
    held = 0
    for batch in batches:
        waiting.append(batch)
        held += batch[0].positive.size
        if held >= _TOGETHER:
            yield _joined(waiting)
            waiting, held = [], 0
    if held:
        yield _joined(waiting)


def _joined(
    waiting: list[tuple[Rows, NDArray[np.intp] | None]],
) -> tuple[list[Ints], Bools, Any, Any]:
    def joined(columns: list[Any]) -> Any:
        return None if columns[0] is None else np.concatenate(columns)

    scores = [rows.scores for rows, _ in waiting]
    return (
        [to_keys(np.concatenate([some[k] for some in scores])) for k in range(len(scores[0]))],
        joined([rows.positive for rows, _ in waiting]),
        joined([rows.count for rows, _ in waiting]),
        joined([cluster for _, cluster in waiting]),
    )


def _sorted_marker(folder: SpillFolder, parts: _Parts, total: int) -> _Marker:
    """Return a marker, sorted part by part; its keys in the order of the rows are removed."""
    pieces = np.array(parts.pieces)  # (chunks, P)
    chunk = np.concatenate([[0], np.cumsum(pieces.sum(axis=1))[:-1]])[:, np.newaxis]
    begin = chunk + np.cumsum(pieces, axis=1) - pieces
    given = {
        "keys": parts.keys.array(),
        "positive": parts.positive.array(),
        "count": None if parts.count is None else parts.count.array(),
    }
    number = np.int32 if total < 2**31 else np.int64
    bins, n_pos, n_neg = folder.column(np.int64), folder.column(number), folder.column(number)
    sizes, rows = [0], np.append(0, np.cumsum(pieces.sum(axis=0)))
    widest = int(pieces.sum(axis=0).max())
    codes = None if parts.part is None else folder.column(np.int32 if widest < 2**30 else np.int64)
    for k in range(pieces.shape[1]):
        places = [slice(a, a + n) for a, n in zip(begin[:, k], pieces[:, k], strict=True) if n]
        places = places or [slice(0, 0)]
        keys, positive, count = (_pieced(column, places) for column in given.values())
        if codes is None:
            found = count_keys(keys, positive, count)
        else:
            found, code = _coded_keys(keys, positive, count)
            codes.append(code)
        sizes.append(found.bins.size)
        bins.append(found.bins)
        n_pos.append(found.n_pos)
        n_neg.append(found.n_neg)
    for column in (parts.keys, parts.positive, parts.count):
        if column is not None:
            column.remove()
    return _Marker(
        sketch=Sketch(bins=bins.array(), n_pos=n_pos.array(), n_neg=n_neg.array()),
        blocks=np.cumsum(sizes),
        rows=rows,
        codes=None if codes is None else codes.array(),
        part=None if parts.part is None else parts.part.array(),
    )


def _pieced(column: Any, places: list[slice]) -> Any:
    return None if column is None else np.concatenate([column[s] for s in places])


def _coded_keys(keys: Ints, positive: Bools, count: Ints | None) -> tuple[Sketch, Ints]:
    """Return the counts by key, and of every row twice the number of its key, and its class."""
    if not keys.size:
        return count_keys(keys, positive, count), np.zeros(0, dtype=np.int64)
    order = order_of_keys(keys)[0]
    ranked, label = keys[order], positive[order]
    new = np.append(True, ranked[1:] != ranked[:-1])
    first = np.flatnonzero(new)
    number: NDArray[Any] = np.cumsum(new, dtype=np.int32 if keys.size < 2**30 else np.int64)
    number *= 2
    number += label
    code = np.empty_like(number)
    code[order] = number - 2
    if count is None:
        n_pos = run_sums(label, first)
        n_neg = np.diff(first, append=keys.size) - n_pos
    else:
        weight = count[order]
        n_pos, n_neg = (run_sums(np.where(mask, weight, 0), first) for mask in (label, ~label))
    return Sketch(bins=ranked[first], n_pos=n_pos, n_neg=n_neg), code
