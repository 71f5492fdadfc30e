"""Batches of a stream, as arrays: a batch may have one class only, or be empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import label_column, score_columns
from rocstats.data.positive_class import check_one_is_positive
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.sample_account import Dropped, NanPolicy, complete_rows
from rocstats.data.two_classes import check_pos_label
from rocstats.errors import InvalidSampleError, check_option, keyword, listed, named, shown

__all__ = ["ArrayBatch", "Labels", "read_batch"]


@dataclass(slots=True, kw_only=True)
class Labels:
    """The two labels of a stream; that of negatives is known when one was seen.

    Attributes
    ----------
    positive, negative : the labels; `negative` is None before one was seen
    named : whether the positive one was named, rather than taken to be 1
    """

    positive: Any
    negative: Any = None
    named: bool = True

    def __post_init__(self) -> None:
        check_pos_label(self.positive)

    def judge(self, labels: NDArray[Any]) -> Bools:
        """Return which subjects are positive; refuses a third label."""
        positive = np.asarray(labels == self.positive, dtype=np.bool_)
        others = list(dict.fromkeys(labels[~positive].tolist()))
        known = [] if self.negative is None else [self.negative]
        found = [*known, *(label for label in others if label not in known)]
        if len(found) > 1:
            raise InvalidSampleError(
                f"A batch must have the labels {shown(self.positive)} and {shown(found[0])}, got "
                f"{listed(map(shown, found[1:]))}; name the positive class with "
                f"{keyword('pos_label')}."
            )
        if found and not self.named:
            check_one_is_positive("y_true", [self.positive, *found])
        if found:
            self.negative = found[0]
        return positive


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArrayBatch:
    """Complete rows of a batch.

    Attributes
    ----------
    positive : (n,) the class
    scores : (k, n) the markers
    kept : (n given,) which rows these are, or None for all
    dropped : what was left out
    """

    markers: tuple[str, ...]
    positive: Bools
    scores: Floats
    kept: Bools | None
    dropped: Dropped


def read_batch(
    y_true: Any,
    y_score: Any,
    labels: Labels,
    *,
    nan_policy: NanPolicy,
    markers: Sequence[str] | None = None,
) -> ArrayBatch:
    """Return the complete rows of a batch; one vector of scores is that of the only marker."""
    check_option("nan_policy", nan_policy, ("raise", "omit"))
    check_same_rows([("y_true", y_true), *with_names(y_score, "y_score")])
    given, missing = label_column(y_true, "y_true")
    columns = score_columns(y_score)
    if markers is not None and len(markers) == len(columns) == 1:
        columns = dict(zip(markers, columns.values(), strict=True))
    names = tuple(columns) if markers is None else tuple(markers)
    if set(names) != set(columns):
        raise InvalidSampleError(
            f"A batch must have the markers {listed(names)}, got {listed(columns)}."
        )
    for name in names:
        if columns[name].size != given.size:
            raise InvalidSampleError(
                f"{named('y_true')} has {given.size} subjects but {name} has {columns[name].size}; "
                "they must be as many."
            )
    scores = np.array([columns[name] for name in names])
    kept, dropped = None, Dropped()
    if given.size:
        kept, dropped = complete_rows("y_true", missing, names, scores, nan_policy)
    if kept is not None:
        given, scores = given[kept], scores[:, kept]
    return ArrayBatch(
        markers=names, positive=labels.judge(given), scores=scores, kept=kept, dropped=dropped
    )
