"""The cohort: every row that came, which of them are analysed, and why the others are not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rocstats.analysis.counted_scores import class_scores, seen_scores
from rocstats.arrays import Bools, Floats
from rocstats.data.columns import beyond_doubles, frame_columns, label_column, named_columns
from rocstats.data.row_indexes import check_same_rows
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample
from rocstats.data.scan.scored_table import ScoredTable
from rocstats.data.subject_weights import WeightKind, take_weights
from rocstats.data.word_results import calls_of
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    RocstatsWarning,
    ScoreRangeError,
    did_you_mean,
    keyword,
    listed,
    shown,
    warn_user,
)
from rocstats.rbridge.script_text import DataFile

__all__ = ["Cohort", "Source", "repeated_rows"]

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the rows came from.

    Attributes
    ----------
    name : of the file, without its folder
    format : of the file, in words
    sha256 : of its bytes
    notes : what reading it changed, such as user-missing values that became missing
    repairs : what its intake repaired, each with its step, column, count, cells and sentence
    reading : options that say how it was read, as given or found
    file : how R can read the same file, where it can
    place : where it lies on this machine, which no page states
    """

    name: str | None = None
    format: str | None = None
    sha256: str | None = None
    notes: tuple[str, ...] = ()
    repairs: tuple[Mapping[str, Any], ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    file: DataFile | None = None
    place: Path | None = None


_UNKNOWN = Source()
_FARTHEST = 1e300  # the width of a scale, and of its margins, has to be a number


def repeated_rows(
    frame: Any, weights: str | None, kind: WeightKind | None, source: Source
) -> tuple[Any, Source]:
    """Return a frame in which every row is as often as it counts, and what is known of its source.

    Only frequencies repeat a row. R is not told of it: the file has each row once.
    """
    columns = frame_columns(frame)
    if columns is None or (weights is None and kind is None):
        return frame, source
    if weights is not None and weights not in columns:
        raise InvalidSampleError(
            f"The data have no column {weights!r}; they have {listed(columns)}."
            f"{did_you_mean(weights, columns)}"
        )
    values = None if weights is None else columns[weights]
    count, other = take_weights(values, kind, 0 if values is None else len(values))
    if other is not None or count is None:
        return frame, source
    note = f"Every row counts as {weights} subjects: {count.size} rows, {int(count.sum())} subjects"
    repeated = {n: np.repeat(label_column(columns[n], n)[0], count) for n in columns}
    return repeated, replace(source, notes=(*source.notes, note), file=None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cohort:
    """The rows before anything is left out, beside the sample that is analysed.

    Attributes
    ----------
    sample : the complete rows
    outcome : name of the outcome
    known, positive : (N,) whether the outcome is known, and positive
    scores : (K, N) the markers, nan where missing or indeterminate
    indeterminate : (K, N) results that are there but neither high nor low
    groups : columns of the analysed rows whose levels are subgroups
    baseline : columns of the analysed rows that describe the subjects
    cluster_of : (N,) the cluster of every row, or None
    subject, cluster : names of those columns, where the data came as a frame
    source : where the rows came from
    calls : words for positive and negative of every marker, where results are words
    """

    sample: ScoredSample
    outcome: str
    known: Bools
    positive: Bools
    scores: Floats
    indeterminate: Bools
    groups: Columns = field(default_factory=dict)
    baseline: Columns = field(default_factory=dict)
    cluster_of: NDArray[Any] | None = None
    subject: str | None = None
    cluster: str | None = None
    source: Source = _UNKNOWN
    calls: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for row, name in enumerate(self.sample.markers):
            scores = self.scores[row] if self.sample.keeps_rows else seen_scores(self.sample, row)
            if np.abs(scores[np.isfinite(scores)]).max(initial=0.0) > _FARTHEST:
                raise ScoreRangeError(
                    f"The scores of {name} reach beyond {_FARTHEST:g}, where a scale cannot be "
                    "drawn; divide them by a power of ten."
                )

    @property
    def missing(self) -> Bools:
        """(K, N) markers that are missing, indeterminate results apart."""
        absent: Bools = np.isnan(self.scores) & ~self.indeterminate
        return absent

    @property
    def is_whole(self) -> bool:
        """Whether every row that came is here: a sample only knows how many it dropped."""
        return self.sample.kept is not None or self.sample.dropped.n == 0

    def available(self, marker: int) -> Bools:
        """(N,) rows with an outcome and this marker."""
        there: Bools = self.known & ~np.isnan(self.scores[marker])
        return there

    def analysed_sha256(self) -> str:
        """Return the digest of the analysed labels, scores and clusters, in their order."""
        digest = hashlib.sha256()
        if not self.sample.keeps_rows:  # of the counts: rows have no order here
            for row in range(len(self.sample.markers)):
                for part in class_scores(self.sample, row):
                    digest.update(part.score.astype("<f8").tobytes())
                    digest.update(part.count.astype("<i8").tobytes())
            return digest.hexdigest()
        digest.update(np.packbits(self.sample.positive).tobytes())
        digest.update(np.ascontiguousarray(self.sample.scores + 0.0, dtype="<f8").tobytes())
        if self.sample.cluster is not None:
            digest.update(self.sample.cluster.astype("<i8").tobytes())
        if self.sample.weights is not None:
            digest.update(self.sample.weights.astype("<f8").tobytes())
        if self.sample.strata is not None:
            digest.update(self.sample.strata.astype("<i8").tobytes())
        return digest.hexdigest()

    @classmethod
    def of_sample(
        cls, sample: ScoredSample, *, groups: Mapping[str, Any], source: Source = _UNKNOWN
    ) -> Cohort:
        """Return the cohort of a sample: what it dropped is a number, not rows."""
        if not sample.keeps_rows:
            return cls._of_table(sample, groups, source)
        n = sample.positive.size
        columns = {}
        for name, values in groups.items():
            column = label_column(values, str(name))[0]
            if column.size != n:
                raise InvalidSampleError(
                    f"The sample has {n} subjects but the subgroup {name} has {column.size} "
                    "values; they must be as many."
                )
            columns[str(name)] = column
        everyone = np.ones(n, dtype=np.bool_)
        return cls(
            sample=replace(sample, kept=None),
            outcome="outcome",
            known=everyone,
            positive=sample.positive,
            scores=sample.scores,
            indeterminate=np.zeros(sample.scores.shape, dtype=np.bool_),
            groups=columns,
            cluster_of=sample.cluster,
            cluster=None if sample.cluster is None else "cluster",
            subject=None if sample.subject is None else "subject",
            source=source,
        )

    @classmethod
    def _of_table(cls, table: ScoredSample, groups: Mapping[str, Any], source: Source) -> Cohort:
        """Return the cohort of a table, which has no row."""
        if groups:
            raise InvalidOptionError(
                "Subgroups are of rows, and a table keeps counts; scan each subgroup by itself."
            )
        none = np.zeros(0, dtype=np.bool_)
        shape = len(table.markers), 0
        outcome, cluster = cast("ScoredTable", table).column_names
        return cls(
            sample=table,
            outcome=outcome,
            known=none,
            positive=none,
            scores=np.zeros(shape),
            indeterminate=np.zeros(shape, dtype=np.bool_),
            cluster=cluster if table.is_clustered else None,
            source=source,
        )

    @classmethod
    def of_frame(
        cls,
        frame: Any,
        *,
        outcome: str,
        markers: str | Sequence[str],
        pos_label: Any = None,
        subject: str | None = None,
        cluster: str | None = None,
        weights: str | None = None,
        strata: str | None = None,
        higher_is_positive: Orientation = True,
        nan_policy: NanPolicy = "omit",
        indeterminate: Iterable[Any] = (),
        test_positive: Iterable[Any] = (),
        groups: Sequence[str] = (),
        baseline: Sequence[str] = (),
        source: Source = _UNKNOWN,
    ) -> Cohort:
        """Return the cohort of named columns of a frame; arguments as in `rocstats.report`."""
        columns = frame_columns(frame)
        if columns is None:
            raise InvalidSampleError(
                f"A ScoredSample or a data frame was expected, got {type(frame).__name__}."
            )
        names = [markers] if isinstance(markers, str) else [str(name) for name in markers]
        for name in [*names, *groups, *baseline]:
            if name not in columns:
                raise InvalidSampleError(
                    f"The data have no column {name!r}; they have {listed(columns)}."
                    f"{did_you_mean(name, columns)}"
                )
        _check_rows(columns, [*names, *groups, *baseline])
        used = [outcome, *names, *groups, *baseline]
        check_same_rows((name, columns[name]) for name in used if name in columns)
        for name in (*groups, *baseline):
            if name == outcome:
                raise InvalidOptionError(
                    f"The outcome {outcome!r} cannot be a subgroup or a baseline column as well."
                )
        words = tuple(indeterminate)
        unclear = np.array([_cells_of(columns[name], words) for name in names])
        _say_what_is_not_there((columns[name] for name in names), words)
        cleared = dict(columns)
        calls = []
        yes, neither = (
            frozenset(str(w).strip() for w in given) for given in (test_positive, words)
        )
        for name, cells in zip(names, unclear, strict=True):
            if yes:
                column, *called = calls_of(_present(columns[name], name), name, yes, neither)
                cleared[name] = column
                calls.append((called[0], called[1]))
                continue
            if cells.any():
                cleared[name] = _without(columns[name], cells)
            _check_numbers(cleared[name], name)
        sample = ScoredSample.from_frame(
            cleared,
            outcome=outcome,
            markers=names,
            pos_label=pos_label,
            subject=subject,
            cluster=cluster,
            weights=weights,
            strata=strata,
            higher_is_positive=higher_is_positive,
            nan_policy=nan_policy,
        )
        label, absent = label_column(cleared[outcome], outcome)
        known = np.ones(label.size, dtype=np.bool_) if absent is None else ~absent
        scores = np.array([*named_columns((name, cleared[name]) for name in names).values()])
        kept = slice(None) if sample.kept is None else sample.kept
        return cls(
            sample=sample,
            outcome=outcome,
            known=known,
            positive=np.asarray(label == sample.pos_label, dtype=np.bool_) & known,
            scores=scores,
            indeterminate=unclear,
            groups={name: label_column(columns[name], name)[0][kept] for name in groups},
            baseline={name: label_column(columns[name], name)[0][kept] for name in baseline},
            cluster_of=None if cluster is None else label_column(columns[cluster], cluster)[0],
            subject=subject,
            cluster=cluster,
            source=source,
            calls=tuple(calls),
        )


def _present(column: Any, name: str) -> list[Any]:
    """Return the cells of a column, None where one is missing."""
    array, absent = label_column(column, name)
    gone = np.zeros(array.size, dtype=np.bool_) if absent is None else absent
    return [None if lost else cell for cell, lost in zip(array.tolist(), gone, strict=True)]


def _check_rows(columns: Mapping[str, Any], names: Iterable[str]) -> None:
    """Refuse columns of a mapping that are not of one length."""
    rows = {name: len(columns[name]) for name in names}
    if len(set(rows.values())) > 1:
        raise InvalidSampleError(
            f"The columns must have as many rows each, got "
            f"{listed(f'{n} of {name}' for name, n in rows.items())}."
        )


def _cells_of(column: Any, words: tuple[Any, ...]) -> Bools:
    """Return which cells hold one of the words; what is missing holds none."""
    array, absent = label_column(column, "marker")
    if not words:
        return np.zeros(array.size, dtype=np.bool_)
    wanted = {_plain_cell(word) for word in words}
    found = np.array([_plain_cell(value) in wanted for value in array.tolist()], dtype=np.bool_)
    return found if absent is None else found & ~absent


def _plain_cell(value: Any) -> str | float:
    """Return a cell without its type: 9, 9.0 and "9" are one."""
    text = str(value).strip()
    return float(text) if _reads_as_number(text) else text


def _say_what_is_not_there(columns: Iterable[Any], words: tuple[Any, ...]) -> None:
    """Warn of words that no cell holds: a word for missing cells is not found among them."""
    cells = list(columns)
    absent = [word for word in words if not any(_cells_of(c, (word,)).any() for c in cells)]
    if absent:
        warn_user(
            f"No cell of the markers holds {listed(map(repr, absent))}, named by "
            f"{keyword('indeterminate')}; cells that are empty or NA count as missing.",
            RocstatsWarning,
        )


def _check_numbers(column: Any, name: str) -> None:
    """Refuse text among the numbers of a marker by the cell that is no number."""
    array = label_column(column, name)[0]
    for row, value in enumerate(array.tolist() if array.dtype.kind == "O" else [], start=1):
        if isinstance(value, str) and not _reads_as_number(value):
            raise InvalidSampleError(
                f"The scores of {name} must be numbers, got {shown(value)} in row {row} of the "
                f"data; mend it, or name it with {keyword('indeterminate')}, or where results are "
                f"words the positive one with {keyword('test_positive')}."
            )


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _without(column: Any, cells: Bools) -> NDArray[Any]:
    """Return the column with the cells missing; numbers written as text are numbers again."""
    array = np.array(label_column(column, "marker")[0], dtype=object)
    array[cells] = None
    for i, value in enumerate(array.tolist()):
        if isinstance(value, str) and _reads_as_number(value) and not beyond_doubles(value):
            array[i] = float(value)
    return array
