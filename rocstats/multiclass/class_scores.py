"""ClassScores: labels of two or more classes and a score for each, validated once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.columns import coded_ids, frame_columns, id_column, label_column, score_columns
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.sample import Dropped, NanPolicy, ScoredSample
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SingleClassError,
    check_option,
    keyword,
    listed,
    named,
    several,
)

if TYPE_CHECKING:
    from rocstats.arrays import Bools, Floats

__all__ = ["ClassScores", "read_classes"]

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassScores:
    """Subjects with one of k true classes and a score for each class, or one score for all.

    Attributes
    ----------
    code : (N,) the true class, by its place among the labels
    labels : the k classes, in order
    scores : (k, N) how much speaks for each class; or (1, N), a score that grows along the labels
    cluster : (N,) code of the cluster of every subject, or None
    dropped : what ``nan_policy="omit"`` left out
    """

    code: Codes
    labels: tuple[Any, ...]
    scores: Floats
    cluster: Codes | None
    dropped: Dropped

    @property
    def has_one_score(self) -> bool:
        return len(self.scores) == 1

    @property
    def counts(self) -> Codes:
        """Number of subjects in each class."""
        return np.bincount(self.code, minlength=len(self.labels))

    def scores_for(self, one: int, other: int) -> Floats:
        """Return the scores that speak for one class against another."""
        scores: Floats = self.scores[0 if self.has_one_score else one]
        return -scores if self.has_one_score and one < other else scores

    def against_rest(self, label: Any) -> ScoredSample:
        """Return the sample of one class against all others, with that class's scores."""
        if label not in self.labels:
            raise InvalidOptionError(
                f"There is no class {label!r}; there are {listed(map(repr, self.labels))}."
            )
        if self.has_one_score:
            raise InvalidOptionError(
                "A class-reference curve needs a score for each class, and there is one score "
                "for all."
            )
        place = self.labels.index(label)
        return ScoredSample.from_arrays(
            self.code == place,
            {str(label): self.scores[place]},
            pos_label=True,
            cluster=self.cluster,
        )


def read_classes(
    y_true: Any, y_prob: Any, *, labels: Any = None, cluster: Any = None, nan_policy: NanPolicy
) -> ClassScores:
    """Check labels and scores of several classes, and return them."""
    check_option("nan_policy", nan_policy, ("raise", "omit"))
    check_same_rows([("y_true", y_true), *with_names(y_prob, "y_prob"), ("cluster", cluster)])
    y, y_missing = label_column(y_true, "y_true")
    columns = score_columns(y_prob)
    for name, column in columns.items():
        if column.size != y.size:
            raise InvalidSampleError(
                f"y_true has {y.size} values but {name} has {column.size}; they must be as many."
            )
    if y.size == 0:
        raise InvalidSampleError("The sample is empty: there is no subject.")
    ids = None if cluster is None else id_column(cluster, y.size, "cluster")
    keep, dropped = _complete(y_missing, columns, nan_policy)
    code, known = _encode(y[keep], labels)
    if len(columns) > 1:
        columns = _in_order(columns, known, named=_is_named(y_prob))
    return ClassScores(
        code=code,
        labels=known,
        scores=np.array([column[keep] for column in columns.values()]),
        cluster=None if ids is None else coded_ids(ids[keep])[0],
        dropped=dropped,
    )


def _complete(
    y_missing: Bools | None, columns: dict[str, Floats], nan_policy: NanPolicy
) -> tuple[Bools, Dropped]:
    absent = {name: np.isnan(column) for name, column in columns.items()}
    if y_missing is not None:
        absent = {"y_true": y_missing, **absent}
    counts = tuple((n, int(np.count_nonzero(gone))) for n, gone in absent.items() if gone.any())
    gone: Bools = np.logical_or.reduce(list(absent.values()))
    if counts and nan_policy == "raise":
        what = ", ".join(f"{count} in {name}" for name, count in counts)
        raise InvalidSampleError(
            f"There are missing values ({what}); complete the data or pass "
            f"{keyword('nan_policy', 'omit')} to leave those subjects out."
        )
    dropped = Dropped(n=int(np.count_nonzero(gone)), missing=counts)
    if gone.all():
        raise InvalidSampleError(f"No subject is left: {dropped}.")
    return ~gone, dropped


def _encode(y: NDArray[Any], labels: Any) -> tuple[Codes, tuple[Any, ...]]:
    """Return the place of every subject's class among the labels, and the labels."""
    try:
        levels, code = np.unique(y, return_inverse=True)
    except TypeError:
        raise InvalidSampleError("y_true holds labels that cannot be compared.") from None
    seen = levels.tolist()
    if labels is None:
        known = tuple(seen)
    else:
        if isinstance(labels, (str, bytes, Mapping, set)) or not several(labels):
            raise InvalidOptionError(
                f"{named('labels')} must be a list of the classes, got {labels!r}."
            )
        known = tuple(np.array(labels, dtype=object).tolist())
        if any(isinstance(label, (list, dict, set)) for label in known):
            raise InvalidOptionError(
                f"{named('labels')} must be a list of the classes, got {labels!r}."
            )
        if len(set(known)) < len(known):
            raise InvalidOptionError(f"A class is there twice in labels ({listed(known)}).")
    unknown = [level for level in seen if level not in known]
    if unknown:
        raise InvalidSampleError(
            f"y_true has the class {unknown[0]!r}, which is not among the labels "
            f"({listed(map(repr, known))})."
        )
    empty = [label for label in known if label not in seen]
    if empty or len(known) < 2:
        which = f"no subject of class {empty[0]!r}" if empty else f"one class only ({known[0]!r})"
        raise SingleClassError(f"y_true has {which}; every class needs a subject.")
    places = np.array([known.index(level) for level in seen], dtype=np.intp)
    return places[code], known


def _is_named(y_prob: Any) -> bool:
    return isinstance(y_prob, Mapping) or frame_columns(y_prob) is not None


def _in_order(
    columns: dict[str, Floats], labels: tuple[Any, ...], *, named: bool
) -> dict[str, Floats]:
    """Return the columns in the order of the labels: by name where they have names."""
    if len(columns) != len(labels):
        raise InvalidSampleError(
            f"y_prob has {len(columns)} columns but there are {len(labels)} classes "
            f"({listed(map(repr, labels))}); give one column for each class, in that order."
        )
    if not named:
        return columns
    names = [str(label) for label in labels]
    if set(names) != set(columns):
        raise InvalidSampleError(
            f"The columns of y_prob are named {listed(columns)} but the classes are "
            f"{listed(names)}; name them alike, or give an array in the order of the classes."
        )
    return {name: columns[name] for name in names}
