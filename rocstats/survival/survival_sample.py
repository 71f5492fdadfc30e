"""SurvivalSample: times, events and markers, validated once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import (
    coded_ids,
    frame_columns,
    id_column,
    label_column,
    named_columns,
)
from rocstats.data.row_indexes import check_same_rows
from rocstats.data.sample import (
    Account,
    Dropped,
    NanPolicy,
    Orientation,
    complete_rows,
    read_orientation,
)
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    Polite,
    SingleClassError,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
    shown,
)
from rocstats.survival.censoring import Censoring, fit_censoring
from rocstats.tables import counted

__all__ = ["SurvivalAccount", "SurvivalSample"]

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalAccount(Account):
    """What every result of a survival sample owes its reader.

    Attributes
    ----------
    pos_label, neg_label : the codes of the event of interest and of censoring
    dropped : what ``nan_policy="omit"`` left out
    other : codes of other events, which compete
    """

    other: tuple[Any, ...] = ()

    def __str__(self) -> str:
        words = f"event {self.pos_label}, censored {self.neg_label}"
        if self.other:
            words += f", competing {listed(self.other)}"
        return f"{words}; {self.dropped}" if self.dropped.n else words

    def as_dict(self) -> dict[str, Any]:
        labels = {"event": self.pos_label, "censored": self.neg_label, "competing": self.other}
        return {**labels, **self.dropped.as_dict()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SurvivalSample(Polite):
    """Subjects with a time, what happened then, and one or more markers.

    Build it with `from_frame`, which checks everything, once.

    Attributes
    ----------
    time : array of shape (N,)
        Time to the event or to censoring, whichever was first.
    event : array of bool of shape (N,)
        Who had the event of interest.
    censored : array of bool of shape (N,)
        Who was censored; whoever is neither had another event, which competes.
    scores : array of shape (K, N)
        One row a marker, as they were given.
    markers : tuple of str
        Names of the K markers.
    higher_is_positive : tuple of bool
        K flags; False where a low score speaks for an early event.
    account : Account
        What the codes of the events mean, and who was left out.
    subject : array of shape (N,) or None
        Ids of the subjects.
    cluster : array of int of shape (N,) or None
        Code of the cluster every subject is in.
    stratum : array of int of shape (N,) or None
        Code of the stratum within which censoring is estimated.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    concordance : Estimate Harrell's or Uno's C.
    ScoredSample : Subjects with a true class.
    """

    time: Floats
    event: Bools
    censored: Bools
    scores: Floats
    markers: tuple[str, ...]
    higher_is_positive: tuple[bool, ...]
    account: SurvivalAccount
    subject: NDArray[Any] | None = None
    cluster: Codes | None = None
    stratum: Codes | None = None

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        time: str,
        event: str,
        markers: str | Iterable[str],
        *,
        event_of_interest: Any = 1,
        censored: Any = 0,
        subject: str | None = None,
        cluster: str | None = None,
        censoring_strata: str | None = None,
        higher_is_positive: Orientation = True,
        nan_policy: NanPolicy = "raise",
    ) -> SurvivalSample:
        """Build a sample of named columns of a frame (pandas, polars, pyarrow, or a mapping).

        Parameters
        ----------
        frame : data frame or mapping
            The columns, of pandas, polars, pyarrow, or by name.
        time : str
            The column of times to the event or to censoring, from one origin.
        event : str
            The column that says what happened then, by codes.
        markers : str or iterable of str
            The columns of the scores.
        event_of_interest : label, default 1
            The code of the event that the markers are to foretell.
        censored : label, default 0
            The code of those who were only followed so far; other codes are competing events.
            None says that there is no such code, as everyone was followed to an event.
        subject : str, optional
            The column of subject ids.
        cluster : str, optional
            The column of clusters of dependent subjects, which are then the independent units.
        censoring_strata : str, optional
            The column of groups whose censoring differs (centre, year of entry): the curve of
            censoring is then estimated within each.
        higher_is_positive : bool or mapping of str to bool, default True
            False, or False for a marker by name, where low scores speak for an early event;
            nothing is ever turned round by looking at the data.
        nan_policy : {"raise", "omit"}, default "raise"
            "raise" refuses missing values; "omit" drops every subject with one, from all markers
            alike, and records it.

        Returns
        -------
        SurvivalSample
            The sample, checked.

        See Also
        --------
        auc_at : Estimate the area under the ROC curve at times.

        Examples
        --------
        >>> import rocstats as rs
        >>> frame = {"years": [1.0, 2.5, 3.0, 4.2], "status": [1, 0, 1, 0], "a": [9, 4, 5, 1]}
        >>> rs.SurvivalSample.from_frame(frame, time="years", event="status", markers="a")
        SurvivalSample: 2 events (1), 2 censored (0); times 1 to 4.2; markers a; no subject dropped
        """
        check_option("nan_policy", nan_policy, ("raise", "omit"))
        several = isinstance(markers, Iterable) and not isinstance(markers, str)
        names = [str(name) for name in (markers if several else [markers])]
        ids = {"subject": subject, "cluster": cluster, "censoring_strata": censoring_strata}
        columns = _columns(frame, str(time), str(event), names, ids)
        codes, missing = label_column(columns[str(event)], str(event))
        scores = named_columns((name, columns[name]) for name in (str(time), *names))
        for name, column in scores.items():
            if column.size != codes.size:
                raise InvalidSampleError(
                    f"{event} has {codes.size} values but {name} has {column.size}; they must be "
                    "as many."
                )
        if codes.size == 0:
            raise InvalidSampleError("The sample is empty: there is no subject.")
        read = {
            kind: None if name is None else id_column(columns[name], codes.size, kind)
            for kind, name in ids.items()
        }
        table = np.array([*scores.values()])
        kept, dropped = complete_rows(str(event), missing, tuple(scores), table, nan_policy)
        if kept is not None:
            codes, table = codes[kept], table[:, kept]
            read = {kind: None if v is None else v[kept] for kind, v in read.items()}
        _check_times(table[0], str(time), kept)
        happened, lost, account = _events(codes, str(event), event_of_interest, censored, dropped)
        table.flags.writeable = False
        groups = {kind: None if v is None else coded_ids(v)[0] for kind, v in read.items()}
        return cls(
            time=table[0],
            event=happened,
            censored=lost,
            scores=table[1:],
            markers=tuple(names),
            higher_is_positive=read_orientation(higher_is_positive, tuple(names)),
            account=account,
            subject=read["subject"],
            cluster=groups["cluster"],
            stratum=groups["censoring_strata"],
        )

    @property
    def n_events(self) -> int:
        """Number of subjects with the event of interest."""
        return int(np.count_nonzero(self.event))

    @property
    def n_censored(self) -> int:
        """Number of censored subjects."""
        return int(np.count_nonzero(self.censored))

    @property
    def n_other(self) -> int:
        """Number of subjects with a competing event."""
        return self.time.size - self.n_events - self.n_censored

    def marker(self, name: str | None = None) -> int:
        """Return the row of a marker; without a name, the only one there is.

        Parameters
        ----------
        name : str, optional
            Name of the marker.

        Returns
        -------
        int
            Its row in `scores`.
        """
        if name is None:
            if len(self.markers) == 1:
                return 0
            raise InvalidOptionError(
                f"The sample has {len(self.markers)} markers ({listed(self.markers)}); "
                f"name one with {keyword('marker')}."
            )
        if not isinstance(name, str) or name not in self.markers:
            raise InvalidOptionError(
                f"The sample has no marker {name!r}; it has {listed(self.markers)}."
                f"{did_you_mean(name, self.markers)}"
            )
        return self.markers.index(name)

    def oriented(self, row: int) -> Floats:
        """Return a marker's scores so that higher speaks for an early event.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        array of shape (N,)
            The scores, with the sign changed where low is positive.
        """
        scores: Floats = self.scores[row]
        return scores if self.higher_is_positive[row] else -scores

    def censoring(self) -> Censoring:
        """Return the Kaplan-Meier curve of censoring, with events first at tied times.

        Returns
        -------
        Censoring
            The curve, within each stratum of censoring.
        """
        return fit_censoring(self.time, self.censored, self.stratum)

    def __repr__(self) -> str:
        names = ", ".join(
            m if up else f"{m} (low is positive)"
            for m, up in zip(self.markers, self.higher_is_positive, strict=True)
        )
        other = f", {self.n_other} other ({listed(self.account.other)})" if self.n_other else ""
        return (
            f"SurvivalSample: {counted(self.n_events, 'event')} ({self.account.pos_label}), "
            f"{self.n_censored} censored ({self.account.neg_label}){other}; times "
            f"{self.time.min():g} to {self.time.max():g}; markers {names}; {self.account.dropped}"
        )


def _columns(
    frame: Any, time: str, event: str, markers: list[str], ids: Mapping[str, str | None]
) -> Mapping[str, Any]:
    """Return the columns of a frame, or refuse what lacks one, or names one for two things."""
    columns = frame_columns(frame)
    if columns is None:
        raise InvalidSampleError(
            f"A data frame or a mapping of columns was expected, got {type(frame).__name__}."
        )
    used = [time, event, *markers, *(name for name in ids.values() if name is not None)]
    for name in used:
        if name not in columns:
            raise InvalidSampleError(
                f"The data have no column {name!r}; they have {listed(columns)}."
                f"{did_you_mean(name, columns)}"
            )
    for name in (time, event):
        if name in markers or time == event:
            raise InvalidSampleError(
                f"The column {name!r} is named twice; the time, the event and the markers are "
                "different columns."
            )
    check_same_rows((name, columns[name]) for name in dict.fromkeys(used))
    return columns


def _check_times(time: Floats, name: str, kept: Bools | None) -> None:
    wrong = ~((time >= 0.0) & np.isfinite(time))
    if wrong.any():
        at = int(wrong.argmax())
        row = at if kept is None else int(np.flatnonzero(kept)[at])
        raise InvalidSampleError(
            f"The times of {name} must be finite and not negative, got {time[at]:g} in row "
            f"{row + 1}; they run from one origin, the entry of each subject to the study."
        )


def _events(
    codes: NDArray[Any], name: str, of_interest: Any, censored: Any, dropped: Dropped
) -> tuple[Bools, Bools, SurvivalAccount]:
    """Return who had the event, who was censored, and the meaning of the codes."""
    for option, value in (("event_of_interest", of_interest), ("censored", censored)):
        if isinstance(value, (list, tuple, set, dict, np.ndarray)):
            raise InvalidOptionError(f"{named(option)} must be one code, got {shown(value)}.")
    try:
        levels = sorted(set(codes.tolist()), key=lambda code: (isinstance(code, str), code))
    except TypeError:
        raise InvalidSampleError(f"{name} holds codes that cannot be compared.") from None
    broken = [v for v in levels if isinstance(v, float) and not v.is_integer()]
    if broken:
        raise InvalidSampleError(
            f"The codes of {name} must be whole numbers or words, got {broken[0]!r}; is it the "
            "column of times?"
        )
    there = listed(map(shown, levels))
    if of_interest == censored:
        raise InvalidOptionError(
            f"{named('event_of_interest')} and {named('censored')} are the same code, "
            f"{shown(of_interest)}; name the event and the censoring."
        )
    if of_interest not in levels:
        if censored is not None and levels == [censored]:
            raise SingleClassError(
                f"Every subject is censored ({name} is {shown(levels[0])} throughout), so there "
                "is no event to foretell."
            )
        raise InvalidSampleError(
            f"No subject has the event of interest {shown(of_interest)}: the codes of {name} are "
            f"{there}; name the event with {keyword('event_of_interest')} and those only followed "
            f"so far with {keyword('censored')}."
        )
    words = any(isinstance(level, str) for level in levels)
    if censored is not None and censored not in levels and (words or len(levels) > 1):
        raise InvalidSampleError(
            f"No subject of {name} has the code {shown(censored)} of censoring: the codes are "
            f"{there}; name it with {keyword('censored')}, or say {keyword('censored', None)} "
            "where everyone was followed to an event."
        )
    happened = np.asarray(codes == of_interest, dtype=np.bool_)
    lost = np.zeros(codes.size, dtype=np.bool_)
    if censored is not None:
        lost = np.asarray(codes == censored, dtype=np.bool_)
    other = tuple(v for v in levels if v not in (of_interest, censored))
    account = SurvivalAccount(
        pos_label=of_interest, neg_label=censored, dropped=dropped, other=other
    )
    return happened, lost, account
