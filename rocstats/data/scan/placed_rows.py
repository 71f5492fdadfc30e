"""Too many distinct scores on a cluster: rows meet by range of scores, and are placed there.

Coarse counts of a first pass say how to cut the scores of a marker into ranges, and how many of
each class are below each range. So a worker that has all rows of a range knows the place of each
among the other class, exactly and alone, and the place takes the room of the score. The rows then
go on to the ranges of the next marker. The AUC and its influence are known by places; no worker
and no pass needs more than a range of scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.scan.cluster_rows import ClusterRows
from rocstats.data.scan.looked_up import ValuedRows
from rocstats.data.scan.row_judging import Judge, Rows
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.sketches import Sketch, count_keys
from rocstats.data.scan.spilled_rows import cut_points
from rocstats.errors import RocstatsError

__all__ = ["PlacedRows", "place_rows"]

Answer = TypeVar("Answer")
Coded = tuple[Rows, NDArray[np.intp] | None]

_RANGE, _POSITIVE, _COUNT, _CLUSTER = (
    f"rocstats_{name}" for name in ("range", "positive", "count", "cluster")
)
_PLACES = 2**16  # rows whose sums are added at a time


def _place(marker: int) -> str:
    return f"rocstats_place_{marker}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ranges:
    """Ranges of the scores of a marker, and what the first pass counted in them.

    Attributes
    ----------
    cuts : the least key of every range but the first
    below : (2, P + 1) negatives and positives below each range, and in all
    """

    cuts: Ints
    below: Ints

    @classmethod
    def of(cls, sketch: Sketch, size: int) -> _Ranges:
        """Return ranges of about `size` rows, by a coarse sketch."""
        cuts = cut_points(sketch, size)
        places = np.searchsorted(sketch.bins, cuts >> sketch.shift)
        seen = np.array([np.append(0, np.cumsum(n)) for n in (sketch.n_neg, sketch.n_pos)])
        return cls(cuts=cuts, below=seen[:, np.concatenate([[0], places, [sketch.bins.size]])])

    def numbers(self, keys: Ints) -> Ints:
        """Return the range of every key."""
        return np.searchsorted(self.cuts, keys, side="right")

    def places(self, number: int, keys: Ints, positive: Bools, count: Ints) -> Floats | None:
        """Return twice the place of each row of a range; None where rows are lost, or others."""
        found = count_keys(keys, positive, count)
        if [found.n_neg.sum(), found.n_pos.sum()] != np.diff(self.below)[:, number].tolist():
            return None
        return _places(found, keys, positive, self.below[:, number], self.below[:, -1])


def _places(found: Sketch, keys: Ints, positive: Bools, below: Ints, sizes: Ints) -> Floats:
    """Return twice the negatives below a positive, or the positives above a negative; ties half."""
    neg, pos = found.n_neg, found.n_pos
    of_pos = 2 * (below[0] + np.cumsum(neg)) - neg
    of_neg = 2 * (sizes[1] - below[1] - np.cumsum(pos)) + pos
    code = found.find(keys)
    places: Floats = np.where(positive, of_pos[code], of_neg[code]).astype(np.float64)
    return places


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Opening:
    """What a worker makes of a part of the source: scores, or places that few scores tell at once.

    Attributes
    ----------
    coded : the rows of batches and their clusters, by a judge
    judge : that judged the rows before
    few : sketches of the markers with few scores, by their rows
    first : the ranges of the first marker with many, and its row
    """

    coded: Callable[[Judge, Iterable[Any]], Iterator[Coded]]
    judge: Judge
    few: dict[int, Sketch]
    first: tuple[int, _Ranges]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        try:
            for rows, cluster in self.coded(self.judge.anew(), batches):
                n, (first, ranges) = rows.positive.size, self.first
                count = np.ones(n, dtype=np.int64) if rows.count is None else rows.count
                code = np.zeros(n, dtype=np.int64) if cluster is None else cluster
                columns: list[Any] = [
                    ranges.numbers(to_keys(rows.scores[first])),
                    rows.positive,
                    count,
                    code,
                ]
                for k, score in enumerate(rows.scores):
                    columns.append(
                        self._placed(k, score, rows.positive) if k in self.few else score
                    )
                yield pa.RecordBatch.from_arrays(
                    [pa.array(column) for column in columns], columns_of(len(rows.scores))
                )
        except RocstatsError:  # rows that were good before: they are missed where all are counted
            return

    def _placed(self, row: int, score: Floats, positive: Bools) -> Floats:
        sketch = self.few[row]
        keys = to_keys(score)
        sizes = np.array(sketch.sizes[::-1])
        return _places(sketch, keys, positive, np.zeros(2, dtype=np.int64), sizes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Placing:
    """What a worker makes of whole ranges: places for scores; and the ranges of the next marker."""

    row: int
    ranges: _Ranges
    following: tuple[int, _Ranges] | None

    def __call__(self, table: Any) -> Any:
        import pyarrow as pa

        columns = {name: table.column(name).to_numpy() for name in table.column_names}
        score = columns[_place(self.row)]
        places = np.full(score.size, np.nan)
        number = columns[_RANGE]
        order = np.argsort(number, kind="stable")
        here, first = np.unique(number[order], return_index=True)
        for one, rows in zip(here.tolist(), np.split(order, first[1:]), strict=False):
            positive, count = columns[_POSITIVE][rows], columns[_COUNT][rows]
            found = self.ranges.places(one, to_keys(score[rows]), positive, count)
            if found is not None:
                places[rows] = found
        columns[_place(self.row)] = places
        if self.following is not None:
            row, ranges = self.following
            columns[_RANGE] = ranges.numbers(to_keys(columns[_place(row)]))
        kept = ~np.isnan(places)
        return pa.table({name: pa.array(column[kept]) for name, column in columns.items()})


def columns_of(markers: int) -> list[str]:
    """Return the columns of rows on their way."""
    return [_RANGE, _POSITIVE, _COUNT, _CLUSTER, *map(_place, range(markers))]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedRows:
    """Rows on workers, each with its place among the other class in every marker.

    Attributes
    ----------
    rows : where they are
    sizes : negatives and positives
    wins : of every marker twice the pairs in which the positive is higher, ties half
    squares : of every marker, of negatives and of positives, the squares about the AUC
    clustered, weighted : whether there are clusters, and counts
    """

    rows: ClusterRows
    sizes: tuple[int, int]
    wins: tuple[int, ...]
    squares: Floats
    clustered: bool
    weighted: bool

    def value(self, marker: int) -> float:
        """Return the AUC where high scores speak for the positive class."""
        n, m = self.sizes
        return self.wins[marker] / (2 * m * n)

    def spreads(self, marker: int) -> tuple[float, float]:
        """Return the standard deviations of places, of positives and of negatives."""
        neg, pos = self.squares[marker] / np.maximum(np.array(self.sizes) - 1.0, 1.0)
        return math.sqrt(pos), math.sqrt(neg)

    def reduced(
        self,
        markers: Sequence[tuple[int, bool]],
        work: Callable[[Iterator[ValuedRows]], Answer],
        join: Callable[[list[Answer]], Answer],
    ) -> Answer:
        """Return what `work` makes of rows with their influence on AUCs, joined.

        Markers are given by their rows, each with whether low scores speak for the positive class.
        """
        task = _Valuing(
            rows=tuple(row for row, _ in markers),
            signs=tuple(-1.0 if flipped else 1.0 for _, flipped in markers),
            values=tuple(self.value(row) for row, _ in markers),
            sizes=self.sizes,
            clustered=self.clustered,
            weighted=self.weighted,
            work=work,
        )
        found: Answer = self.rows.reduced(columns_of(len(self.wins)), task, join)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Valuing:
    """What a worker makes of its placed rows: their influence on AUCs, and an answer of that."""

    rows: tuple[int, ...]
    signs: tuple[float, ...]
    values: tuple[float, ...]
    sizes: tuple[int, int]
    clustered: bool
    weighted: bool
    work: Callable[[Iterator[ValuedRows]], Any]

    def __call__(self, batches: Iterator[Any]) -> Any:
        return self.work(self._valued(batch) for batch in batches)

    def _valued(self, batch: Any) -> ValuedRows:
        n, m = self.sizes
        positive = _numpy(batch, _POSITIVE)
        share = np.where(positive, 2.0 * n, 2.0 * m)
        values = np.empty((len(self.rows), positive.size))
        for line, row, sign, value in zip(values, self.rows, self.signs, self.values, strict=True):
            line[:] = sign * (_numpy(batch, _place(row)) / share - value)
        return ValuedRows(
            values=values,
            positive=positive,
            cluster=_numpy(batch, _CLUSTER).astype(np.intp) if self.clustered else None,
            count=_numpy(batch, _COUNT) if self.weighted else None,
        )


def _numpy(batch: Any, name: str) -> NDArray[Any]:
    found: NDArray[Any] = batch.column(name).to_numpy(zero_copy_only=False)
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sums:
    """What the placed rows of a worker add up to, with squares about what is nearly the AUC."""

    near: tuple[float, ...]
    sizes: tuple[int, int]

    def __call__(self, batches: Iterator[Any]) -> tuple[list[int], list[int], Floats]:
        counts, wins, sums = [0, 0], [0] * len(self.near), np.zeros((2, len(self.near), 2))
        for batch in batches:
            positive, count = _numpy(batch, _POSITIVE), _numpy(batch, _COUNT)
            for which, here in enumerate((~positive, positive)):
                some = count[here]
                counts[which] += int(some.sum())
                for k, near in enumerate(self.near):
                    places = _numpy(batch, _place(k))[here]
                    for start in range(0, places.size, _PLACES):
                        s = slice(start, start + _PLACES)
                        if which:
                            wins[k] += int((places[s].astype(np.int64) * some[s]).sum())
                        apart = places[s] / (2.0 * self.sizes[1 - which]) - near
                        weighted = apart * some[s]
                        sums[0, k, which] += weighted.sum()
                        sums[1, k, which] += (weighted * apart).sum()
        return counts, wins, sums

    @staticmethod
    def join(answers: list[Any]) -> tuple[list[int], list[int], Floats]:
        """Return what several add up to."""
        counts, wins, sums = zip(*answers, strict=True)
        return (
            [sum(some) for some in zip(*counts, strict=True)],
            [sum(some) for some in zip(*wins, strict=True)],
            np.sum(sums, axis=0),
        )


def place_rows(
    source: ClusterRows,
    judge: Judge,
    sketches: Sequence[Sketch],
    coded: Callable[[Judge, Iterable[Any]], Iterator[Coded]],
    *,
    size: int,
) -> PlacedRows | None:
    """Return the rows of a second pass, placed, in ranges of about `size`; None if rows differ."""
    many = [(row, _Ranges.of(sketch, size)) for row, sketch in enumerate(sketches) if sketch.shift]
    few = {row: sketch for row, sketch in enumerate(sketches) if not sketch.shift}
    pos, neg = sketches[0].sizes
    opening = _Opening(coded=coded, judge=judge, few=few, first=many[0])
    kinds = dict.fromkeys(columns_of(len(sketches)), "double")
    kinds |= {_RANGE: "int64", _POSITIVE: "bool", _COUNT: "int64", _CLUSTER: "int64"}
    rows = source.mapped(judge.columns.names, opening, kinds)
    for (row, ranges), following in zip(many, [*many[1:], None], strict=True):
        placing = _Placing(row=row, ranges=ranges, following=following)
        rows = rows.brought_together(_RANGE, ranges.cuts.size + 1, placing, kinds)
    rows = rows.kept()
    near = tuple(sum(sketch.auc_bounds()) / 2.0 for sketch in sketches)
    sums = _Sums(near=near, sizes=(neg, pos))
    counts, wins, (first, second) = rows.reduced(list(kinds), sums, sums.join)
    if counts != [neg, pos]:
        return None
    return PlacedRows(
        rows=rows,
        sizes=(neg, pos),
        wins=tuple(wins),
        squares=np.maximum(second - first**2 / np.array([neg, pos]), 0.0),
        clustered=judge.columns.cluster is not None,
        weighted=judge.columns.weights is not None,
    )
