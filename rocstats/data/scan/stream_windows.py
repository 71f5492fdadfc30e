"""Windows of a stream: each is counted as its rows come by, and no row is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.row_indexes import check_same_rows
from rocstats.data.sample_account import Dropped, NanPolicy
from rocstats.data.scan.array_batches import ArrayBatch, Labels, read_batch
from rocstats.data.scan.interval_bins import add_sketches
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.site_sketch import SiteSketch, all_dropped
from rocstats.data.scan.sketches import Sketch, count_keys
from rocstats.errors import InvalidOptionError, InvalidSampleError, check_count, named, shown

__all__ = ["Windows", "count_windows"]

_MOST_WINDOWS = 10**5  # between the first time of a stream and any other


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Windows:
    """The windows of a stream, in their order.

    Attributes
    ----------
    names : what they are called
    sketches : what was counted; None where a class is lacking
    dropped : what ``nan_policy="omit"`` left out of all
    """

    names: tuple[str, ...]
    sketches: tuple[SiteSketch | None, ...]
    dropped: Dropped


@dataclass(slots=True, eq=False)
class _Stream:
    """What was counted so far, window by window."""

    labels: Labels
    marker: str | None
    nan_policy: NanPolicy
    budget: int
    counts: dict[int, Sketch] = field(default_factory=dict)
    dropped: Dropped = field(default_factory=Dropped)
    markers: tuple[str, ...] | None = None

    def read(self, y_true: Any, y_score: Any) -> ArrayBatch:
        batch = read_batch(
            y_true, y_score, self.labels, nan_policy=self.nan_policy, markers=self.markers
        )
        self.dropped = all_dropped([self.dropped, batch.dropped])
        if self.markers is None:
            self.markers = batch.markers
            if self.marker is None and len(batch.markers) > 1:
                raise InvalidOptionError(
                    f"There are several markers; choose one of {', '.join(batch.markers)} with "
                    f"{named('marker')}."
                )
            self.marker = batch.markers[0] if self.marker is None else self.marker
            if self.marker not in batch.markers:
                raise InvalidOptionError(
                    f"{named('marker')} must be one of {', '.join(batch.markers)}, got "
                    f"{self.marker!r}."
                )
        return batch

    def add(self, window: NDArray[np.int64], batch: ArrayBatch) -> None:
        row = batch.markers.index(str(self.marker))
        keys = to_keys(batch.scores[row])
        for number in np.unique(window).tolist():
            here = window == number
            found = count_keys(keys[here], batch.positive[here])
            known = [self.counts[number]] if number in self.counts else []
            self.counts[number] = add_sketches([*known, found]).within(self.budget)

    def finish(self, *, up: bool, named_by: Any) -> Windows:
        if not self.counts:
            raise InvalidSampleError("The stream is empty: there is no subject.")
        numbers = range(min(self.counts), max(self.counts) + 1)
        return Windows(
            names=tuple(named_by(number) for number in numbers),
            sketches=tuple(self._sketch(number, up=up) for number in numbers),
            dropped=self.dropped,
        )

    def _sketch(self, number: int, *, up: bool) -> SiteSketch | None:
        counts = self.counts.get(number)
        if counts is None or min(counts.sizes) < 1:
            return None
        return SiteSketch(
            markers=(str(self.marker),),
            higher_is_positive=(up,),
            pos_label=self.labels.positive,
            neg_label=self.labels.negative,
            dropped=Dropped(),
            sketches=(counts,),
        )


def count_windows(
    batches: Iterable[Any],
    window: Any,
    *,
    marker: str | None,
    pos_label: Any,
    higher_is_positive: bool,
    nan_policy: NanPolicy,
    budget: int,
) -> Windows:
    """Return the windows of a stream, counted."""
    if isinstance(batches, SiteSketch | str | bytes) or not isinstance(batches, Iterable):
        raise InvalidOptionError(
            f"{named('batches')} must be an iterable of (y_true, y_score), of (y_true, y_score, "
            f"time) or of sketches, got {shown(batches)}."
        )
    given = iter(batches)
    first = next(given, None)
    if isinstance(first, SiteSketch):
        if window is not None:
            raise InvalidOptionError(f"Every sketch is a window; leave {named('window')} out.")
        return _sketched([first, *given], marker)
    labels = Labels(positive=1 if pos_label is None else pos_label, named=pos_label is not None)
    stream = _Stream(labels, marker, nan_policy, budget)
    pairs = _chained(first, given)
    if window is None:
        return _by_batch(stream, pairs, up=higher_is_positive)
    if isinstance(first, tuple) and len(first) == 3:
        return _by_time(stream, pairs, window, up=higher_is_positive)
    return _by_count(stream, pairs, window, up=higher_is_positive)


def _chained(first: Any, rest: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    size = len(first) if isinstance(first, tuple) else 0
    for batch in [] if first is None else [first]:
        yield _checked(batch, size)
    for batch in rest:
        yield _checked(batch, size)


def _checked(batch: Any, size: int) -> tuple[Any, ...]:
    if not isinstance(batch, tuple) or len(batch) != size or size not in (2, 3):
        raise InvalidOptionError(
            "Every batch must be a tuple (y_true, y_score), or every one (y_true, y_score, time), "
            f"got {shown(batch)}."
        )
    return batch


def _sketched(given: list[Any], marker: str | None) -> Windows:
    names, sketches = [], []
    for number, one in enumerate(given, 1):
        if not isinstance(one, SiteSketch):
            raise InvalidOptionError(
                f"Every batch must be a sketch, as the first is, got {type(one).__name__}."
            )
        names.append(one.site or str(number))
        if names.count(names[-1]) > 1:
            raise InvalidOptionError(f"The window {names[-1]!r} is there twice; name each once.")
        sketches.append(one.only(one.marker(marker)))
    return Windows(
        names=tuple(names),
        sketches=tuple(sketches),
        dropped=all_dropped([one.dropped for one in sketches]),
    )


def _by_batch(stream: _Stream, batches: Iterator[tuple[Any, ...]], *, up: bool) -> Windows:
    for number, given in enumerate(batches, 1):
        batch = stream.read(given[0], given[1])
        stream.add(np.full(batch.positive.size, number), batch)
    return stream.finish(up=up, named_by=str)


def _by_count(
    stream: _Stream, batches: Iterator[tuple[Any, ...]], window: Any, *, up: bool
) -> Windows:
    size, seen = check_count("window", window, least=2, most=10**12), 0
    for y_true, y_score in batches:
        batch = stream.read(y_true, y_score)
        stream.add((seen + np.arange(batch.positive.size)) // size + 1, batch)
        seen += batch.positive.size
    return stream.finish(up=up, named_by=str)


def _by_time(
    stream: _Stream, batches: Iterator[tuple[Any, ...]], window: Any, *, up: bool
) -> Windows:
    origin: Any = None
    width: Any = None
    for y_true, y_score, time in batches:
        check_same_rows([("y_true", y_true), ("time", time)])
        batch = stream.read(y_true, y_score)
        times = _times(time)
        kept = times if batch.kept is None else times[: batch.kept.size][batch.kept]
        if kept.size != batch.positive.size:
            raise InvalidSampleError(
                f"A batch has {batch.positive.size} subjects and {times.size} times; they must be "
                "as many."
            )
        if not kept.size:
            continue
        if origin is None:
            origin, width = kept.min(), _width(window, kept)
        stream.add(_numbers(kept, origin, width), batch)
    return stream.finish(up=up, named_by=lambda number: _shown_time(origin + number * width))


def _numbers(times: NDArray[Any], origin: Any, width: Any) -> NDArray[np.int64]:
    """Return the windows of times; refuses one so far off that windows were too many."""
    with np.errstate(over="ignore"):
        numbers: NDArray[Any] = np.floor((times - origin) / width)
    far = np.flatnonzero(~(np.abs(numbers) <= _MOST_WINDOWS))
    if far.size:
        raise InvalidSampleError(
            f"The time {_shown_time(times[far[0]])} is more than {_MOST_WINDOWS} windows from the "
            f"first, {_shown_time(origin)}; mend it, or take a longer {named('window')}."
        )
    found: NDArray[np.int64] = numbers.astype(np.int64)
    return found


def _times(time: Any) -> NDArray[Any]:
    times = np.asarray(time)
    if times.ndim != 1 or times.dtype.kind not in "iufM":
        try:
            times = np.asarray(time, dtype="datetime64[us]")
        except (TypeError, ValueError):
            times = np.zeros((0, 0))
    if times.ndim != 1 or (times.dtype.kind == "f" and not np.isfinite(times).all()):
        raise InvalidSampleError("Times must be numbers or dates, one for each subject.")
    if times.dtype.kind == "M":
        if np.isnat(times).any():
            raise InvalidSampleError("Times must be numbers or dates, one for each subject.")
        return times.astype("datetime64[us]")
    return times.astype(np.float64)


def _width(window: Any, times: NDArray[Any]) -> Any:
    wrong = InvalidOptionError(
        f"{named('window')} must be how long a window lasts, above 0, in the unit of the times "
        f"(for dates a timedelta), got {shown(window)}."
    )
    try:
        if times.dtype.kind == "M":
            if isinstance(window, int | float):
                raise wrong
            width = np.timedelta64(window).astype("timedelta64[us]")
            good = width > np.timedelta64(0, "us")
        else:
            width = float(window)
            good = 0.0 < width < np.inf
    except (TypeError, ValueError, OverflowError):
        raise wrong from None
    if not good:
        raise wrong
    return width


def _shown_time(start: Any) -> str:
    if isinstance(start, np.datetime64):
        text = str(start)
        for end in (".000000", ":00", "T00:00"):
            text = text.removesuffix(end)
        return text
    return f"{float(start):g}"
