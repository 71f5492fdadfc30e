"""The one place where values of a large table are judged: missing, text, labels, integers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.columns import named_columns
from rocstats.data.sample import Dropped, NanPolicy
from rocstats.data.two_classes import classes_left
from rocstats.errors import InvalidSampleError, keyword, listed, named, shown

__all__ = ["COUNT", "Columns", "Judge", "Rows"]

COUNT = "rocstats_count"  # how often a row counts, where an engine has counted already
_MOST_LABELS = 1000  # more are no classes, and are not collected


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns of a source are read, and how.

    Attributes
    ----------
    outcome, cluster, weights : names of columns
    markers : the columns of the scores
    """

    outcome: str
    markers: tuple[str, ...]
    cluster: str | None = None
    weights: str | None = None

    @property
    def names(self) -> list[str]:
        """All of them."""
        others = [name for name in (self.cluster, self.weights) if name is not None]
        return list(dict.fromkeys([self.outcome, *self.markers, *others]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Rows of a batch that have a part.

    Attributes
    ----------
    positive : (n,) the class
    scores : (k, n) the markers
    cluster : (n,) ids as they were given, or None
    count : (n,) how often each counts, or None for once
    """

    positive: Bools
    scores: Floats
    cluster: NDArray[Any] | None = None
    count: Ints | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Judge:
    """Judges every batch of a source by the rules of a sample, and keeps the account.

    Attributes
    ----------
    columns : what is read
    pos_label : label of the positive class, None for 1
    nan_policy : what is done with missing values
    levels : labels seen so far, and how often
    places : of a second pass, by marker and class the sum of the numbers of its scores, modulo 2^63
    """

    columns: Columns
    pos_label: Any
    nan_policy: NanPolicy
    levels: Counter[Any] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    n_dropped: int = 0
    places: Counter[tuple[int, bool]] = field(default_factory=Counter)

    def anew(self, markers: tuple[str, ...] | None = None) -> Judge:
        """Return one that judges alike, and has seen nothing; of some of the markers."""
        columns = self.columns if markers is None else replace(self.columns, markers=markers)
        return Judge(columns=columns, pos_label=self.pos_label, nan_policy=self.nan_policy)

    def join(self, other: Judge) -> None:
        """Take what another has seen, of other rows."""
        self.levels += other.levels
        self.lacking += other.lacking
        self.n_dropped += other.n_dropped
        self.places += other.places

    def read(self, batch: Any) -> Rows:
        """Return the rows of an Arrow batch; missing ones are counted, and left out."""
        columns, n = self.columns, batch.num_rows
        count = self._count(batch)
        levels, codes = _labels(batch.column(columns.outcome), columns.outcome)
        scores = np.empty((len(columns.markers), n))
        for row, name in zip(scores, columns.markers, strict=True):
            row[:] = _numbers(batch.column(name), name)
        gone = {columns.outcome: codes < 0} | {
            name: np.isnan(row) for name, row in zip(columns.markers, scores, strict=True)
        }
        lost = {name: mask for name, mask in gone.items() if mask.any()}
        keep = None
        if lost:
            keep = ~np.logical_or.reduce(list(lost.values()))
            for name, mask in lost.items():
                self.lacking[name] += _total(mask, count)
            self.n_dropped += _total(~keep, count)
        if count is not None and not count.all():
            keep = count > 0 if keep is None else keep & (count > 0)
        cluster = None
        if columns.cluster is not None:
            cluster = _ids(batch.column(columns.cluster))
        if keep is not None:
            codes, scores = codes[keep], scores[:, keep]
            count = None if count is None else count[keep]
            cluster = None if cluster is None else cluster[keep]
        seen = np.bincount(codes, count, minlength=len(levels)).astype(np.int64)
        for level, times in zip(levels, seen.tolist(), strict=True):
            if times:
                self.levels[level] += times
        if len(self.levels) > _MOST_LABELS:
            self.classes()
        is_positive = np.array([self._is_positive(level) for level in levels], dtype=np.bool_)
        positive = is_positive[codes] if levels else np.zeros(0, dtype=np.bool_)
        return Rows(positive=positive, scores=scores, cluster=cluster, count=count)

    def _is_positive(self, level: Any) -> bool:
        wanted = 1 if self.pos_label is None else self.pos_label
        try:
            return bool(level == wanted)
        except (TypeError, ValueError):
            return False

    def _count(self, batch: Any) -> Ints | None:
        if COUNT in batch.schema.names:
            return np.asarray(batch.column(COUNT).to_numpy(zero_copy_only=False), dtype=np.int64)
        if self.columns.weights is None:
            return None
        return _frequencies(_numbers(batch.column(self.columns.weights), self.columns.weights))

    @property
    def dropped(self) -> Dropped:
        """What was left out."""
        order = [self.columns.outcome, *self.columns.markers]
        missing = tuple((name, self.lacking[name]) for name in order if self.lacking[name])
        return Dropped(n=self.n_dropped, missing=missing)

    def classes(self) -> tuple[Any, Any]:
        """Return the positive and the negative label, when all rows were read; or refuse them."""
        if self.lacking and self.nan_policy == "raise":
            what = ", ".join(f"{count} in {name}" for name, count in self.dropped.missing)
            raise InvalidSampleError(
                f"There are missing values ({what}); complete the data or pass "
                f"{keyword('nan_policy', 'omit')} to leave those subjects out."
            )
        if not self.levels:
            if self.n_dropped:
                raise InvalidSampleError(f"No subject is left: {self.dropped}.")
            raise InvalidSampleError("The sample is empty: there is no subject.")
        levels = list(self.levels)
        if len({isinstance(level, str) for level in levels}) > 1:
            raise InvalidSampleError(
                f"{self.columns.outcome} holds numbers and texts ({listed(map(shown, levels))}); "
                "make its labels of one kind."
            )
        array = np.array(levels, dtype=object if isinstance(levels[0], str) else None)
        positive, other = classes_left(array, self.columns.outcome, self.pos_label, self.dropped)
        return array[positive].tolist()[0], other


def _total(mask: Bools, count: Ints | None) -> int:
    return int(np.count_nonzero(mask)) if count is None else int(count[mask].sum())


def _frequencies(weights: Floats) -> Ints:
    wrong = np.flatnonzero(~((weights >= 0.0) & (weights == np.rint(weights)) & (weights < 2**53)))
    if wrong.size:
        raise InvalidSampleError(
            f"{named('weights')} of a table must be whole numbers, how often each row counts, got "
            f"{shown(float(weights[wrong[0]]))}."
        )
    return weights.astype(np.int64)


def _numbers(column: Any, name: str) -> Floats:
    """Return scores as doubles, missing as nan; a sample's own rules refuse what is no number."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_floating(kind):
        return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
    if not (pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        given: Any = np.array(column.to_pylist(), dtype=object)
        return named_columns([(name, given)])[name]
    if not column.null_count:
        return named_columns([(name, column.to_numpy(zero_copy_only=False))])[name]
    filled = column.fill_null(False if pa.types.is_boolean(kind) else 0)
    found = named_columns([(name, filled.to_numpy(zero_copy_only=False))])[name].copy()
    found[column.is_null().to_numpy(zero_copy_only=False)] = np.nan
    return found


def _labels(column: Any, name: str) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the labels of a batch, and the number of every row's; -1 where it is missing."""
    import pyarrow as pa

    if pa.types.is_nested(column.type):
        raise InvalidSampleError(f"{name} holds labels that cannot be compared.")
    found = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    levels = found.dictionary.to_pylist()
    numbers = found.indices.cast(pa.int64())  # Polars and others number levels without a sign
    codes = numbers.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.intp)
    missing = [k for k, v in enumerate(levels) if v is None or (isinstance(v, float) and v != v)]
    for k in missing:
        codes[codes == k] = -1
    if missing:
        kept = [k for k in range(len(levels)) if k not in missing]
        place = np.full(len(levels) + 1, -1)  # the last one, -1, is missing
        place[kept] = np.arange(len(kept))
        return [levels[k] for k in kept], place[codes]
    return levels, codes


def _ids(column: Any) -> NDArray[Any]:
    """Return the clusters of a batch."""
    import pyarrow as pa

    if column.null_count:
        raise InvalidSampleError("Some cluster ids are missing; every subject needs one.")
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    ids = np.asarray(column.to_numpy(zero_copy_only=False))
    if ids.dtype.kind == "f" and np.isnan(ids).any():
        raise InvalidSampleError("Some cluster ids are missing; every subject needs one.")
    if ids.dtype == np.uint64 and (ids < 2**63).all():  # beside int64 both would become doubles
        return ids.astype(np.int64)
    return ids.astype(str) if ids.dtype.kind == "O" else ids
