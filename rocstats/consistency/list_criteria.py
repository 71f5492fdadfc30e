"""Criteria: the measures that can be compared, as values in a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.consistency import list_batches as batch
from rocstats.consistency.list_batches import Batch
from rocstats.engine.catalogue import partial_area
from rocstats.engine.measures import Measure
from rocstats.errors import InvalidOptionError, as_number, check_count, check_option, named

__all__ = [
    "CRITERIA",
    "Criterion",
    "Ranked",
    "accuracy_at",
    "f1_at",
    "find_criterion",
    "lift_at",
    "profit_at",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A measure as a growing function of a statistic of ranked lists: ``offset + slope * s``.

    Attributes
    ----------
    depth : s is the number of positives in the first `depth` positions; None: the number of pairs
        of a positive above a negative
    """

    depth: int | None
    slope: Fraction
    offset: Fraction = Fraction(0)

    def value(self, statistic: int) -> Fraction:
        """Return the measure of a list with the statistic."""
        return self.offset + self.slope * statistic


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What says which of two lists is better.

    Parameters
    ----------
    name : str
        Identifier.
    label : str
        Printed name.
    ranked : callable, optional
        ``ranked(n_pos, n_neg)``: the measure over ranked lists of these class sizes; None where
        there is no such formula, and every list is measured, or where it needs scores.
    scored : callable, optional
        The measure of many scored lists at once, (B, n) labels and (B, n) scores; None where it is
        not for two classes.
    classes : callable, optional
        The same with (B, n, k) probabilities of k classes; None where there is no such thing.
    higher_is_better : bool, default True
        False for a loss.
    unit_scores : bool, default False
        Whether scores must lie on [0, 1].

    See Also
    --------
    accuracy_at : Accuracy with the first positions predicted positive.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    A measure of one's own, a loss:

    >>> import numpy as np, rocstats as rs
    >>> worst = rs.Criterion(name="worst", label="largest error", higher_is_better=False,
    ...                      scored=lambda y, s: np.abs(y - s).max(axis=1))
    >>> lists = rs.random_lists(n_pos=5, n_neg=5)
    >>> rs.compare_measures("brier", worst, lists=lists, n_pairs=500, rng=1).consistency > 0.5
    True
    """

    name: str
    label: str
    ranked: Callable[[int, int], Ranked] | None = None
    scored: Batch | None = None
    classes: Batch | None = None
    higher_is_better: bool = True
    unit_scores: bool = False


def accuracy_at(*, n_predicted: int | None = None, threshold: float | None = None) -> Criterion:
    """Return accuracy with the first positions of a list predicted positive.

    Parameters
    ----------
    n_predicted : int, optional
        How many positions; None takes as many as there are positives, as Huang & Ling do.
    threshold : float, optional
        Instead, the score from which a case is predicted positive; for scored lists only.

    Returns
    -------
    Criterion
        The criterion, for `compare_measures`.

    See Also
    --------
    f1_at : The F1 score with the first positions predicted positive.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.compare_measures("auc", rs.accuracy_at(n_predicted=4), n_pos=3, n_neg=5).counts.agree
    925
    """

    def right(n_pos: int, n_neg: int, predicted: Any, found: Any) -> Any:
        return (2 * found + n_neg - predicted) / (n_pos + n_neg)

    return _cut_at("accuracy", "accuracy", right, n_predicted, threshold, batch.class_accuracy)


def f1_at(*, n_predicted: int | None = None, threshold: float | None = None) -> Criterion:
    """Return the F1 score with the first positions of a list predicted positive.

    Parameters
    ----------
    n_predicted : int, optional
        How many positions; None takes as many as there are positives.
    threshold : float, optional
        Instead, the score from which a case is predicted positive; for scored lists only.

    Returns
    -------
    Criterion
        The criterion, for `compare_measures`.

    See Also
    --------
    accuracy_at : Accuracy with the first positions predicted positive.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.compare_measures("accuracy", rs.f1_at(), n_pos=3, n_neg=5).consistency
    1.0
    """

    def harmonic(n_pos: int, n_neg: int, predicted: Any, found: Any) -> Any:
        return 2 * found / (predicted + n_pos)

    return _cut_at("f1", "F1", harmonic, n_predicted, threshold, None)


def _cut_at(
    name: str,
    label: str,
    value: Callable[[int, int, Any, Any], Any],
    n_predicted: int | None,
    threshold: float | None,
    classes: Batch | None,
) -> Criterion:
    """Return a measure of how many are predicted positive and how many of these are."""
    if n_predicted is not None and threshold is not None:
        raise InvalidOptionError("Give n_predicted or threshold, not both.")
    if n_predicted is not None:
        check_count("n_predicted", n_predicted)
    if threshold is not None:
        level = as_number(threshold)
        if level != level:
            raise InvalidOptionError(f"{named('threshold')} must be a number, got {threshold!r}.")

        def by_score(labels: Ints, scores: Floats) -> Floats:
            predicted, found = batch.positives_above(labels, scores, level)
            n_pos = (labels == 1).sum(axis=1)
            answer: Floats = value(n_pos, labels.shape[1] - n_pos, predicted, found)
            return answer

        return Criterion(name=name, label=f"{label} at {level:g}", scored=by_score)

    def exactly(n_pos: int, n_neg: int) -> Ranked:
        depth = n_pos if n_predicted is None else _depth_within(n_predicted, n_pos + n_neg)
        none, one = (Fraction(value(n_pos, n_neg, Fraction(depth), Fraction(s))) for s in (0, 1))
        return Ranked(depth=depth, offset=none, slope=one - none)

    own = n_predicted is None
    return Criterion(
        name=name,
        label=label if own else f"{label} of the first {n_predicted}",
        ranked=exactly,
        scored=_from_ranked(exactly),
        classes=classes if own else None,
    )


def profit_at(top: float, *, revenue: float = 1.0, cost: float = 0.0) -> Criterion:
    """Return the profit of approaching the first part of a list.

    Parameters
    ----------
    top : float
        The part, from 0 to 1; the number of positions is rounded (halves up), and at least 1.
    revenue : float, default 1.0
        What every positive found brings in.
    cost : float, default 0.0
        What every position costs.

    Returns
    -------
    Criterion
        The criterion, for `compare_measures`.

    See Also
    --------
    lift_at : The lift of the first part of a list.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    >>> import rocstats as rs
    >>> result = rs.compare_measures("auc", rs.profit_at(0.25), n_pos=10, n_neg=10)
    >>> round(result.consistency, 4), round(result.discriminancy, 1)
    (0.8604, 22.2)
    """
    gain, price = Fraction(_positive("revenue", revenue)), as_number(cost)
    if not 0.0 <= price < float("inf"):
        raise InvalidOptionError(f"{named('cost')} must be a number of at least 0, got {cost!r}.")
    share = _share(top)

    def exactly(n_pos: int, n_neg: int) -> Ranked:
        depth = _depth_of(share, n_pos + n_neg)
        return Ranked(depth=depth, slope=gain, offset=-Fraction(price) * depth)

    return Criterion(
        name=f"profit@{share:g}",
        label=f"profit of the top {share:.4g}",
        ranked=exactly,
        scored=_from_ranked(exactly),
    )


def lift_at(top: float) -> Criterion:
    """Return the lift of the first part of a list: its share of positives over that of all.

    Parameters
    ----------
    top : float
        The part, from 0 to 1; the number of positions is rounded (halves up), and at least 1.

    Returns
    -------
    Criterion
        The criterion, for `compare_measures`.

    See Also
    --------
    profit_at : The profit of approaching the first part of a list.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.compare_measures(rs.lift_at(0.3), rs.profit_at(0.3), n_pos=4, n_neg=6).consistency
    1.0
    """
    share = _share(top)

    def exactly(n_pos: int, n_neg: int) -> Ranked:
        depth = _depth_of(share, n_pos + n_neg)
        return Ranked(depth=depth, slope=Fraction(n_pos + n_neg, depth * n_pos))

    return Criterion(
        name=f"lift@{share:g}",
        label=f"lift of the top {share:.4g}",
        ranked=exactly,
        scored=_from_ranked(exactly),
    )


def _from_ranked(exactly: Callable[[int, int], Ranked]) -> Batch:
    """Return the same measure of scored lists, which share their class sizes."""

    def scored(labels: Ints, scores: Floats) -> Floats:
        sizes = (labels == 1).sum(axis=1)
        values = np.empty(len(labels))
        for n_pos in np.unique(sizes).tolist():
            some = sizes == n_pos
            line = exactly(n_pos, labels.shape[1] - n_pos)
            assert line.depth is not None
            found = batch.positives_within(labels[some], scores[some], line.depth)
            values[some] = float(line.offset) + float(line.slope) * found
        return values

    return scored


def _depth_of(share: float, size: int) -> int:
    return min(size, max(1, math.floor(share * size + 0.5)))


def _depth_within(depth: int, size: int) -> int:
    if depth > size:
        raise InvalidOptionError(
            f"n_predicted is {depth}, and a list has {size} positions; take fewer."
        )
    return int(depth)


def _share(top: float) -> float:
    share = as_number(top)
    if not 0.0 < share <= 1.0:
        raise InvalidOptionError(
            f"{named('top')} must be a share above 0 and up to 1, got {top!r}."
        )
    return share


def _positive(name: str, value: float) -> float:
    number = as_number(value)
    if not 0.0 < number < math.inf:
        raise InvalidOptionError(f"{named(name)} must be a number above 0, got {value!r}.")
    return number


def _area(n_pos: int, n_neg: int) -> Ranked:
    return Ranked(depth=None, slope=Fraction(1, n_pos * n_neg))


CRITERIA: Mapping[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion(
            name="auc", label="AUC", ranked=_area, scored=batch.areas, classes=batch.class_areas
        ),
        accuracy_at(),
        f1_at(),
        Criterion(
            name="average_precision", label="average precision", scored=batch.average_precisions
        ),
        Criterion(name="sauc", label="sAUC", scored=batch.scored_areas),
        Criterion(name="smauc", label="smAUC", scored=batch.smooth_areas, unit_scores=True),
        Criterion(
            name="brier",
            label="Brier score",
            scored=batch.brier,
            classes=batch.class_brier,
            higher_is_better=False,
            unit_scores=True,
        ),
    )
}


def _cut_named(make: Callable[..., Criterion]) -> Callable[[str, float], object]:
    """Return how a number after @ is read: below 1 a threshold of scores, else positions."""

    def cut(word: str, number: float) -> Criterion:
        if 0.0 < number < 1.0:
            return make(threshold=number)
        if not number.is_integer():
            raise InvalidOptionError(
                f"{word} must end in a threshold below 1 or a whole number of positions."
            )
        return make(n_predicted=int(number))

    return cut


_AT: Mapping[str, Callable[[str, float], object]] = {
    "profit": lambda word, top: profit_at(top),
    "lift": lambda word, top: lift_at(top),
    "partial_auc": lambda word, high: partial_area(fpr=(0.0, high)),
    "accuracy": _cut_named(accuracy_at),
    "f1": _cut_named(f1_at),
}


def find_criterion(role: str, measure: object) -> Criterion:
    """Return a criterion by its name, as it is, of a measure or of a function of one list."""
    if isinstance(measure, str):
        word, at, number = measure.partition("@")
        if at and word in _AT:
            measure = _AT[word](measure, _number_of(measure, number))
    if isinstance(measure, Criterion):
        return measure
    if isinstance(measure, Measure):
        one = batch.each_measured(measure)
        return Criterion(name=measure.name, label=measure.label, scored=one)
    if callable(measure):
        name = str(getattr(measure, "__name__", type(measure).__name__))
        one = batch.each_list(measure, name)
        return Criterion(name=name, label=name, scored=one, classes=one)
    check_option(role, measure, CRITERIA)
    return CRITERIA[str(measure)]


def _number_of(measure: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidOptionError(
            f"{measure} must have a number after @, got {text!r}; take one such as profit@0.15."
        ) from None
