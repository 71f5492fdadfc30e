"""ScoredTable: a sample too large for memory, known by counts of its scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import slabs
from rocstats.data.sample import Dropped, NanPolicy, Orientation, ScoredSample, read_orientation
from rocstats.data.scan.count_blocks import CountBlocks, needs_rows, within_bin
from rocstats.data.scan.looked_up import Lookup, ValuedRows
from rocstats.data.scan.placed_rows import PlacedRows
from rocstats.data.scan.row_judging import Columns, Judge
from rocstats.data.scan.row_sources import check_columns, find_source
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.sketches import BUDGET, Sketch
from rocstats.data.scan.table_reading import Reading, read_counts, reduced_rows
from rocstats.data.subject_weights import WeightKind, check_weight_kind
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    check_count,
    check_option,
    keyword,
    named,
)

__all__ = ["Moments", "ScoredTable"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """What was summed over the rows of a table.

    Attributes
    ----------
    rows : markers and measures
    estimate : (r,) their values
    terms : (3, r, r) the covariance of the influence on them: of negatives, of positives, across
    """

    rows: tuple[tuple[int, Any], ...]
    estimate: Floats
    terms: Floats


Answer = TypeVar("Answer")


class ScoredTable(ScoredSample):
    """Subjects that need not fit into memory: counts of both classes by score, marker by marker.

    Build it with `scan`. It stands wherever a `ScoredSample` does; an analysis that reads rows
    one by one refuses it.

    Attributes
    ----------
    markers : tuple of str
        Names of the markers.
    higher_is_positive : tuple of bool
        False where a low score speaks for the positive class.
    pos_label, neg_label : label
        The labels as they were given.
    dropped : Dropped
        What ``nan_policy="omit"`` left out.
    positive, scores : array
        Refused: the rows are not in memory.
    cluster : None
        Refused where there are clusters.
    cluster_ids : tuple
        The clusters as they were given.
    subject, weights, strata, nuisance, adjustment, kept : None
        A table has none of them.
    covariates : mapping
        Empty.
    weightless : int
        0: rows of frequency 0 have no part.

    See Also
    --------
    ScoredSample : Subjects in memory.
    auc : Estimate the area under the ROC curve.
    compare : Compare classifiers on the same subjects.
    """

    __slots__ = ("_moments", "_reading", "_sketches")

    keeps_rows = False
    _moments: list[Moments]
    _reading: Reading | None
    _sketches: tuple[Sketch, ...]

    def __init__(
        self,
        *,
        markers: tuple[str, ...],
        higher_is_positive: tuple[bool, ...],
        pos_label: Any,
        neg_label: Any,
        dropped: Dropped,
        sketches: tuple[Sketch, ...],
        reading: Reading | None = None,
    ) -> None:
        fixed: dict[str, Any] = {
            "markers": markers,
            "higher_is_positive": higher_is_positive,
            "pos_label": pos_label,
            "neg_label": neg_label,
            "dropped": dropped,
            "covariates": {},
            "weightless": 0,
            "_sketches": sketches,
            "_reading": reading,
            "_moments": [],
        }
        for name in ("subject", "weights", "strata", "nuisance", "adjustment", "kept"):
            fixed[name] = None
        for name in ("_sorted", "_clusters"):
            fixed[name] = None
        for name, value in fixed.items():
            object.__setattr__(self, name, value)

    @classmethod
    def scan(
        cls,
        source: Any,
        outcome: str,
        markers: str | Iterable[str],
        *,
        pos_label: Any = None,
        cluster: str | None = None,
        weights: str | None = None,
        weight_kind: WeightKind | None = None,
        higher_is_positive: Orientation = True,
        nan_policy: NanPolicy = "raise",
        engine: Literal["auto", "duckdb", "pyarrow"] = "auto",
        exact: bool = True,
        budget: int = BUDGET,
        spill: str | os.PathLike[str] | None = None,
        memory: str | None = None,
        verify: bool = False,
    ) -> ScoredTable:
        """Read a source in batches, and keep counts of its scores.

        Parameters
        ----------
        source : path, list of paths, frame, relation or (connection, query)
            Parquet or CSV files, a pattern such as ``"scores/*.parquet"``, a folder (also one with
            folders such as ``y=0``); a relation of DuckDB, a frame or lazy frame of Polars, a table
            or dataset of pyarrow, a frame of Dask or Spark, a dataset of Ray, a table of Ibis; or a
            connection of DuckDB, of SQLAlchemy or of any database module and a query.
        outcome : str
            The column of the labels, of two classes.
        markers : str or iterable of str
            The columns of the scores.
        pos_label : label, default 1 beside 0 or -1
            The label of the positive class.
        cluster : str, optional
            The column of clusters of dependent subjects; their ids are kept in memory.
        weights : str, optional
            The column of how often a row counts, with ``weight_kind="frequency"``.
        weight_kind : {"frequency"}, optional
            A table takes frequencies only; probability weights belong to subjects.
        higher_is_positive : bool or mapping of str to bool, default True
            False, or False for a marker by name, where low scores speak for the positive class;
            nothing is ever turned round by looking at the data.
        nan_policy : {"raise", "omit"}, default "raise"
            "raise" refuses missing values; "omit" drops every subject with one, from all markers
            alike, and counts it in `dropped`.
        engine : {"auto", "duckdb", "pyarrow"}, default "auto"
            What reads files; DuckDB where it is installed.
        exact : bool, default True
            Whether a marker with more distinct scores than `budget` is sorted in files, or placed
            on the workers of a cluster, which tells its AUC alone; if not, its scores are counted
            in bins, and the answers say how far off they may be.
        budget : int, default 2**21
            Distinct scores of a marker that are counted in memory.
        spill : path, optional
            The folder for files of scores that are too many for memory, by default the system's for
            temporary files. They are private, about 50 bytes for each row and marker, and removed
            with the table, at the end of Python, or after a kill by the next scan that spills.
        memory : str, optional
            What DuckDB may take, such as "1GB".
        verify : bool, default False
            Read Parquet by the checksums of its pages, so that damaged bytes are refused.

        Returns
        -------
        ScoredTable
            The table, every value checked.

        See Also
        --------
        ScoredSample.from_frame : Build a sample of columns of a frame.

        Notes
        -----
        A measure of one marker is known by the counts of its distinct scores. Covariances of
        several markers, and clusters, need the rows once more: the source is then read again, and
        refused if it is not what it was. Results are those of a sample in memory, up to rounding
        (docs/evidence/scale.md).

        Examples
        --------
        >>> import rocstats as rs
        >>> import pyarrow as pa
        >>> rows = pa.table({"ill": [1, 1, 0, 0], "a": [3.0, 2.0, 2.0, 1.0]})
        >>> table = rs.ScoredTable.scan(rows, outcome="ill", markers="a")
        >>> table
        ScoredTable: 2 positives (1), 2 negatives (0); markers a; no subject dropped
        >>> rs.auc(table).value
        0.875
        """
        check_option("nan_policy", nan_policy, ("raise", "omit"))
        columns = _read_columns(outcome, markers, cluster, weights, weight_kind)
        budget = check_count("budget", budget, least=2, most=2**31)
        if not isinstance(exact, bool):
            raise InvalidOptionError(f"{named('exact')} must be True or False, got {exact!r}.")
        if spill is not None and not isinstance(spill, str | os.PathLike):
            raise InvalidOptionError(f"{named('spill')} must name a folder, got {spill!r}.")
        rows = find_source(source, engine, memory, verify=verify)
        check_columns(rows, columns.names, columns.markers)
        judge = Judge(columns=columns, pos_label=pos_label, nan_policy=nan_policy)
        orientation = read_orientation(higher_is_positive, columns.markers)
        sketches, reading = read_counts(rows, judge, budget=budget, exact=exact, spill=spill)
        found, other = judge.classes()
        return cls(
            markers=columns.markers,
            higher_is_positive=orientation,
            pos_label=found,
            neg_label=other,
            dropped=judge.dropped,
            sketches=sketches,
            reading=reading,
        )

    @property
    def positive(self) -> Bools:
        """Refused: the class of every subject is not in memory."""
        raise needs_rows()

    @property
    def scores(self) -> Floats:
        """Refused: the scores of every subject are not in memory."""
        raise needs_rows()

    @property
    def cluster(self) -> NDArray[np.intp] | None:
        """None without clusters; else refused: that of every subject is not in memory."""
        if self.is_clustered:
            raise needs_rows()
        return None

    @property
    def cluster_ids(self) -> tuple[Any, ...]:
        """The clusters as they were given."""
        if self._reading is None or self._reading.clusters is None:
            return ()
        return tuple(self._reading.clusters.ids.tolist())

    @property
    def column_names(self) -> tuple[str, str]:
        """The columns of the labels and of the clusters, where they are known."""
        if self._reading is None:
            return "outcome", "cluster"
        columns = self._reading.judge.columns
        return columns.outcome, columns.cluster or "cluster"

    @property
    def is_clustered(self) -> bool:
        """Whether subjects are in clusters."""
        return self._reading is not None and self._reading.clusters is not None

    @property
    def is_plain(self) -> bool:
        """Whether every subject is independent."""
        return not self.is_clustered

    @property
    def design(self) -> str:
        """What is not exact, in words; empty where every distinct score is counted."""
        if self.is_exact:
            return ""
        told = [
            f"{name} counted in {sketch.bins.size} bins of scores"
            for name, sketch in zip(self.markers, self._sketches, strict=True)
            if sketch.shift
        ]
        return f"not exact: {', '.join(told)}" if told else ""

    @property
    def is_exact(self) -> bool:
        """Whether no answer is of scores that are counted in bins."""
        return self._placed is not None or all(not sketch.shift for sketch in self._sketches)

    @property
    def _placed(self) -> PlacedRows | None:
        return None if self._reading is None else self._reading.placed

    def is_placed(self, row: int) -> bool:
        """Return whether a marker is known on workers alone, by the place of each score.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        bool
            False where its scores are counted here.
        """
        return self._placed is not None and self._sketches[row].shift > 0

    def area_of(self, row: int) -> tuple[float, float, float] | None:
        """Return the AUC of a marker whose scores are known on workers alone.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        tuple of float or None
            The AUC, and the standard deviation of its influence of positives and of negatives;
            None where scores are counted here.
        """
        if self._placed is None or self._reading is None or not self.is_placed(row):
            return None
        chosen = self._reading.chosen[row]
        value = self._placed.value(chosen)
        return 1.0 - value if self.is_flipped(row) else value, *self._placed.spreads(chosen)

    @property
    def is_spilled(self) -> bool:
        """Whether scores are too many for memory, and are sorted in files."""
        return self._reading is not None and self._reading.spilled is not None

    @property
    def n_pos(self) -> int:
        return self._sketches[0].sizes[0]

    @property
    def n_neg(self) -> int:
        return self._sketches[0].sizes[1]

    def sketch_of(self, row: int) -> Sketch:
        """Return the counts of a marker, by its scores as they were given.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        Sketch
            Counts by score, or by bins of scores.
        """
        if self.is_placed(row):
            raise InvalidOptionError(
                f"{self.markers[row]} has so many distinct scores that the workers tell its AUC "
                f"alone; for other answers scan it with a larger {keyword('budget')}, at 24 bytes "
                f"of memory each, {keyword('exact', False)} for bins of scores and bounds, or a "
                f"folder of this machine in {keyword('spill')}, to which all rows are brought."
            )
        return self._sketches[row]

    def clusters_by_class(self) -> tuple[int, int] | None:
        """Return the clusters with a positive and with a negative; None where each is of one."""
        if self._reading is None or self._reading.clusters is None:
            return None
        members = self._reading.clusters.members
        if members.shape[1] == self.n_pos + self.n_neg:
            return None
        neg, pos = np.count_nonzero(members, axis=1).tolist()
        return pos, neg

    def cluster_members(self) -> Ints:
        """Return the (2, clusters) number of negatives and of positives in each cluster."""
        if self._reading is None or self._reading.clusters is None:
            raise needs_rows()
        return self._reading.clusters.members

    def oriented(self, row: int) -> Floats:
        """Refuse: scores of subjects are not in memory.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        array
            Never.
        """
        raise needs_rows()

    def subset(self, keep: Bools) -> ScoredSample:
        """Refuse: rows are not in memory, so that none can be chosen.

        Parameters
        ----------
        keep : array of bool of shape (N,)
            Which subjects stay.

        Returns
        -------
        ScoredSample
            Never.
        """
        raise needs_rows()

    def blocks(self, row: int, *, ordered: bool = False) -> CountBlocks:
        """Return a marker's scores with the counts of both classes.

        Parameters
        ----------
        row : int
            Row of the marker.
        ordered : bool, default False
            Without effect: a table has no order of subjects.

        Returns
        -------
        CountBlocks
            Distinct scores, as measures read them.
        """
        sketch, room = self.sketch_of(row), self._room()
        step = -1 if self.is_flipped(row) else 1
        return CountBlocks(
            pos=sketch.n_pos[::step],
            neg=sketch.n_neg[::step],
            decode=lambda: _oriented(sketch, step, room),
            is_binned=sketch.shift > 0,
            room=room,
        )

    def check_edges(self, row: int, thresholds: Floats) -> None:
        """Refuse a threshold within a bin of scores, where nothing is counted.

        Parameters
        ----------
        row : int
            Row of the marker.
        thresholds : array
            As they were given.
        """
        sketch = self._sketches[row]
        given = np.asarray(thresholds, dtype=np.float64)
        given = given[~np.isnan(given)]
        if not sketch.shift or not given.size:
            return
        place = sketch.find(to_keys(given))
        low, high = sketch.least()[place], sketch.largest()[place]
        edge = high if self.is_flipped(row) else low
        inside = np.flatnonzero((place >= 0) & (given != edge))
        if inside.size:
            i = inside[0]
            raise within_bin(given[i], self.markers[row], low[i], high[i])

    def bin_ends(self, row: int) -> Floats | None:
        """Return the scores of each bin that speak most for the positive class, as given.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        array of shape (K,) or None
            In the order of `blocks`; None where every distinct score is counted.
        """
        sketch = self._sketches[row]
        if not sketch.shift:
            return None
        return sketch.least()[::-1] if self.is_flipped(row) else sketch.largest()

    def _room(self) -> Callable[[int], Floats]:
        """Return where arrays by score are: in memory, or in files."""
        if self._reading is None or self._reading.spilled is None:
            return np.empty
        return self._reading.spilled.folder.empty

    def moments_of(self, rows: Sequence[tuple[int, Any]]) -> Moments | None:
        """Return what is remembered of markers and measures.

        Parameters
        ----------
        rows : sequence of (int, Measure)
            Markers by their rows, and a measure of each.

        Returns
        -------
        Moments or None
            None where others than these were asked for last.
        """
        for one in self._moments:
            if all(row in one.rows for row in rows):
                here = [one.rows.index(row) for row in rows]
                terms = one.terms[:, here][:, :, here]
                return Moments(rows=tuple(rows), estimate=one.estimate[here], terms=terms)
        return None

    def remember(self, moments: Moments) -> None:
        """Remember moments until others come.

        Parameters
        ----------
        moments : Moments
            What was summed over the rows.
        """
        self._moments[:] = [moments]

    def only(self, markers: int | str | Sequence[int | str]) -> ScoredTable:
        """Return the table with some of its markers, in the order given.

        Parameters
        ----------
        markers : str, int, or several
            Names of the markers, or their rows.

        Returns
        -------
        ScoredTable
            The same subjects, and these markers.
        """
        wanted = [markers] if isinstance(markers, int | str) else list(markers)
        rows = [self.marker(name) if not isinstance(name, int) else name for name in wanted]
        if not rows or len(set(rows)) < len(rows):
            raise InvalidOptionError(
                f"{named('markers')} must name markers of the sample, each once, got {markers!r}."
            )
        return ScoredTable(
            markers=tuple(self.markers[row] for row in rows),
            higher_is_positive=tuple(self.higher_is_positive[row] for row in rows),
            pos_label=self.pos_label,
            neg_label=self.neg_label,
            dropped=self.dropped,
            sketches=tuple(self._sketches[row] for row in rows),
            reading=None if self._reading is None else self._reading.only(rows),
        )

    def recounted(self, scores: Floats, n_pos: Ints, n_neg: Ints) -> ScoredTable:
        """Return a table of one marker with other counts, whose rows are not at hand.

        Parameters
        ----------
        scores : array of shape (K,)
            Distinct scores in increasing order, as given.
        n_pos, n_neg : array of shape (K,)
            How many positives and negatives have each.

        Returns
        -------
        ScoredTable
            The same classes and orientation.
        """
        return ScoredTable(
            markers=self.markers,
            higher_is_positive=self.higher_is_positive,
            pos_label=self.pos_label,
            neg_label=self.neg_label,
            dropped=self.dropped,
            sketches=(Sketch(bins=to_keys(scores), n_pos=n_pos, n_neg=n_neg),),
        )

    def sorted_once(self) -> ScoredTable:
        """Return the table: what it has is sorted."""
        return self

    def told_moments(self, rows: Sequence[tuple[str, Any]]) -> Any:
        """Return None: a table sums over its rows itself.

        Parameters
        ----------
        rows : sequence of (str, Measure)
            Markers, each with its measure.

        Returns
        -------
        None
            Only sites that are pooled tell of sums.
        """
        return None

    def reduced_rows(
        self,
        lookups: Sequence[Lookup],
        work: Callable[[Iterator[ValuedRows]], Answer],
        join: Callable[[list[Answer]], Answer],
        *,
        sketches: tuple[Sketch, ...] | None = None,
    ) -> Answer:
        """Return what is made of all rows, with values that are looked up by their scores.

        Parameters
        ----------
        lookups : sequence of Lookup
            A marker, and a value for each of its scores: of a positive and of a negative.
        work : callable
            Makes an answer of rows, which come in batches; on workers where the rows are there,
            so that it can be pickled.
        join : callable
            Makes one answer of several.
        sketches : tuple of Sketch, optional
            By whose bins they are looked up, where not by the table's own.

        Returns
        -------
        answer
            As `work` and `join` return it.
        """
        if self._reading is None:
            raise InvalidOptionError(
                "Counts by score do not tell how markers go together, nor clusters, and the rows "
                "are not at hand; take one marker at a time, or scan the rows."
            )
        if sketches is not None:
            reading = replace(self._reading, spilled=None)
            return reduced_rows(reading, sketches, lookups, work, join)
        return reduced_rows(self._reading, self._sketches, lookups, work, join)

    def reduced_areas(
        self,
        rows: Sequence[int],
        work: Callable[[Iterator[ValuedRows]], Answer],
        join: Callable[[list[Answer]], Answer],
    ) -> Answer:
        """Return what is made of all rows, with their influence on AUCs, where they are placed.

        Parameters
        ----------
        rows : sequence of int
            Rows of the markers.
        work, join : callable
            As `reduced_rows` takes them.

        Returns
        -------
        answer
            As `work` and `join` return it.
        """
        if self._placed is None or self._reading is None:
            raise AssertionError("no row is placed")
        chosen = [(self._reading.chosen[row], self.is_flipped(row)) for row in rows]
        return self._placed.reduced(chosen, work, join)

    def __repr__(self) -> str:
        found = [ScoredSample.__repr__(self).replace("ScoredSample:", "ScoredTable:", 1)]
        if self.is_clustered:
            found.append(f"{len(self.cluster_ids)} clusters")
        if self.is_spilled:
            found.append("scores sorted in files")
        if self._placed is not None:
            found.append("scores placed on the workers")
        return "; ".join(found)


def _oriented(sketch: Sketch, step: int, room: Callable[[int], Floats]) -> Floats:
    """Return the scores, so that high ones speak for the positive class."""
    found = room(sketch.bins.size)
    for s in slabs(found.size):
        some = sketch.some(s)
        found[s] = some.least() if step > 0 else 0.0 - some.largest()
    return found if step > 0 else found[::-1]


def _read_columns(
    outcome: Any, markers: Any, cluster: Any, weights: Any, weight_kind: Any
) -> Columns:
    several = isinstance(markers, Iterable) and not isinstance(markers, str)
    names = tuple(str(name) for name in (markers if several else [markers]))
    outcome = str(outcome)
    if not names:
        raise InvalidSampleError("There is no marker: give at least one score column.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidSampleError(f"The marker name {twice!r} is there twice; names must differ.")
    if outcome in names:
        raise InvalidSampleError(
            f"The outcome {outcome!r} is also listed as a marker; it cannot predict itself."
        )
    check_weight_kind(weights, weight_kind)
    if weights is not None and weight_kind != "frequency":
        raise InvalidOptionError(
            f"{named('weights')} of a table are how often each row counts, so say "
            f"{keyword('weight_kind', 'frequency')}; probability weights "
            "belong to subjects, whose rows must be in memory."
        )
    return Columns(outcome=outcome, markers=names, cluster=cluster, weights=weights)
