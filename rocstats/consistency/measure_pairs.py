"""compare_measures: two measures over all ranked lists, random lists or a user's results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats, Ints
from rocstats.consistency.consistency_result import MeasureComparison
from rocstats.consistency.draws import RandomLists, random_lists
from rocstats.consistency.every_list import MOST_LISTS, check_order_alone, count_every_list
from rocstats.consistency.exact import count_lists
from rocstats.consistency.list_criteria import Criterion, find_criterion
from rocstats.consistency.pair_counts import count_values
from rocstats.consistency.simulation import count_random, measure_lists
from rocstats.engine.measures import Measure
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    as_number,
    check_count,
    listed,
    named,
)
from rocstats.resampling.chunks import DEFAULT_SEED, Rng, as_seed, check_streams, plain_entropy
from rocstats.tables import counted

__all__ = ["compare_measures"]

Measured = str | Criterion | Measure | Callable[[Any, Any], Any] | ArrayLike
_PAIRS = 50_000  # as many as Huang & Ling draw
_ROUNDING = 1e-9  # values closer than this are equal


def compare_measures(
    f: Measured,
    g: Measured,
    *,
    n_pos: int | None = None,
    n_neg: int | None = None,
    lists: RandomLists | Iterable[tuple[Any, Any]] | None = None,
    n_pairs: int = _PAIRS,
    rng: Rng = DEFAULT_SEED,
    n_jobs: int = 1,
    tolerance: float = _ROUNDING,
) -> MeasureComparison:
    """Compare two measures: whether they agree, and which tells more lists apart.

    Parameters
    ----------
    f : str, Criterion, Measure, callable or array-like
        A measure by name (``auc``, ``accuracy``, ``f1``, ``average_precision``, ``sauc``,
        ``smauc``, ``brier``; with a number ``profit@0.15``, ``lift@0.1``, ``partial_auc@0.2`` of
        false positive rates up to it, ``accuracy@7`` of the first positions, ``accuracy@0.5`` of
        scores from it, and ``f1`` alike), made by `accuracy_at`, `f1_at`, `profit_at` or
        `lift_at`, a criterion or a `Measure` of one's own
        (`partial_area`, say), or a function of one list's labels and scores that grows with
        quality. Or values, the more the better: (lists,), of which all pairs are compared, or
        (sets, lists), compared within each set.
    g : str, Criterion, Measure, callable or array-like
        The other measure; values where `f` is values.
    n_pos : int, optional
        Number of positives: counts exactly over all ranked lists of these class sizes. A measure
        without a formula over them is measured on every list; where there are more than 20,000, on
        `n_pairs` pairs drawn among all of them.
    n_neg : int, optional
        Number of negatives of these lists.
    lists : RandomLists or iterable of (y_true, y_score), optional
        Draws pairs from a distribution (`random_lists`, `random_class_lists`), or compares all
        pairs of the lists it holds.
    n_pairs : int, default 50000
        Number of pairs of a simulation.
    rng : int, SeedSequence, Generator or None, default 1
        A seed or a generator of a simulation; None is a fresh stream.
    n_jobs : int, default 1
        Number of worker processes; the answer does not depend on it.
    tolerance : float, default 1e-09
        Values no further apart are tied; exact counts need none.

    Returns
    -------
    MeasureComparison
        The counts of pairs, C, D and E, and the answers to the paper's definitions:
        `strictly_consistent`, `strictly_more_discriminating`, `statistically_consistent`,
        `statistically_more_discriminating` and `f_is_better`.

    See Also
    --------
    random_lists : Scored lists of two classes.
    random_class_lists : Lists with a probability for each of several classes.
    Criterion : What says which of two lists is better.

    Notes
    -----
    Over unordered pairs of different lists let R and S be those on which f and g decide alike and
    differently, P those that f decides and g ties, Q those that g decides and f ties, V those that
    both tie. The degree of consistency is ``C = R / (R + S)``, the degree of discriminancy of f
    over g ``D = P / Q``, the degree of indifferency ``E = V / (P + Q + R + S + V)``. For AUC and
    accuracy over all balanced lists of n examples C falls to 5/6 and D grows like ``n / sqrt(3)``
    (docs/evidence/measures.md).

    References
    ----------
    Huang & Ling (2005), doi:10.1109/TKDE.2005.50.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.compare_measures("auc", "accuracy", n_pos=8, n_neg=8)
    AUC against accuracy: C 0.9347, D 18.8750, E 0.0156
    f    g            agree  disagree    f_only   g_only  neither
    AUC  accuracy  55370122   3868959  21161143  1121120  1290671
    AUC is the better measure (C > 1/2, D > 1).
    They are not strictly consistent, and AUC is not strictly more discriminating.
    exact: all ranked lists of 8 positives and 8 negatives
    >>> rs.compare_measures([0.9, 0.8, 0.7], [0.85, 0.85, 0.8]).counts.f_only
    1
    """
    _check_scalars(n_pairs, rng, n_jobs, tolerance)
    given = [isinstance(m, (str, Criterion, Measure)) or callable(m) for m in (f, g)]
    sized = n_pos is not None or n_neg is not None
    if not any(given):
        if sized or lists is not None:
            raise InvalidOptionError(
                "f and g are values already, so n_pos, n_neg and lists have no use; leave them out."
            )
        return _by_values(f, g, tolerance)
    if not all(given):
        raise InvalidOptionError("f and g must both be measures, or both be values.")
    first, second = find_criterion("f", f), find_criterion("g", g)
    if sized == (lists is not None):
        raise InvalidOptionError(
            "Say over which lists: n_pos and n_neg for all ranked lists, or lists; "
            f"got {'both' if sized else 'neither'}."
        )
    if lists is None:
        pos, neg = check_count("n_pos", n_pos), check_count("n_neg", n_neg)
        if _is_counted(first, second, pos, neg):
            return _exactly(first, second, pos, neg, tolerance)
        lists = replace(
            random_lists(n_pos=pos, n_neg=neg), name=f"ranked lists of {_sizes(pos, neg)}"
        )
    if isinstance(lists, RandomLists):
        seed = as_seed(rng)
        counts = count_random(
            first,
            second,
            lists,
            n_pairs=n_pairs,
            seed=seed,
            n_jobs=n_jobs,
            tolerance=tolerance,
        )
        return MeasureComparison(
            f=first.label,
            g=second.label,
            counts=counts,
            method="simulated",
            domain=f"{n_pairs} pairs of lists: {lists.name}",
            entropy=plain_entropy(seed),
        )
    results = [_as_list(i, item) for i, item in enumerate(_pairs_of(lists), start=1)]
    values = [
        np.array([[float(measure_lists(measure, *one)[0]) for one in results]])
        for measure in (first, second)
    ]
    return MeasureComparison(
        f=first.label,
        g=second.label,
        counts=count_values(values[0], values[1], tolerance),
        method="empirical",
        domain=f"all pairs of {len(results)} lists",
    )


def _is_counted(f: Criterion, g: Criterion, n_pos: int, n_neg: int) -> bool:
    """Return whether all ranked lists are counted; refuse a measure that needs scores."""
    unknown = [measure for measure in (f, g) if measure.ranked is None]
    for measure in unknown:
        check_order_alone(measure, n_pos, n_neg)
    return not unknown or comb(n_pos + n_neg, n_pos) <= MOST_LISTS


def _exactly(
    f: Criterion, g: Criterion, n_pos: int, n_neg: int, tolerance: float
) -> MeasureComparison:
    if f.ranked is None or g.ranked is None:
        counts = count_every_list(f, g, n_pos, n_neg, tolerance)
    else:
        counts = count_lists(f, g, n_pos, n_neg)
    return MeasureComparison(
        f=f.label,
        g=g.label,
        counts=counts,
        method="exact",
        domain=f"all ranked lists of {_sizes(n_pos, n_neg)}",
    )


def _sizes(n_pos: int, n_neg: int) -> str:
    return f"{counted(n_pos, 'positive')} and {counted(n_neg, 'negative')}"


def _by_values(f: Any, g: Any, tolerance: float) -> MeasureComparison:
    first, second = (_as_values(name, values) for name, values in (("f", f), ("g", g)))
    if first.shape != second.shape:
        raise InvalidSampleError(
            f"f and g must hold values of the same lists, got shapes {np.shape(f)} and "
            f"{np.shape(g)}."
        )
    sets, lists = first.shape
    domain = f"all pairs of {lists} lists" + (f" within {sets} sets" if np.ndim(f) == 2 else "")
    return MeasureComparison(
        f=_name("f", f),
        g=_name("g", g),
        counts=count_values(first, second, tolerance),
        method="empirical",
        domain=domain,
    )


def _as_values(name: str, values: Any) -> Floats:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidOptionError(
            f"{named(name)} must be a measure or the values of one, got {type(values).__name__}."
        ) from None
    if found.ndim not in (1, 2) or found.shape[-1] < 2 or found.size == 0:
        raise InvalidSampleError(
            f"{named(name)} must hold the values of two or more lists, by set if in rows, got an "
            f"array of shape {found.shape}."
        )
    if np.isnan(found).any():
        raise InvalidSampleError(f"{name} holds nan; leave the lists without a value out.")
    return np.atleast_2d(found)


def _name(name: str, values: Any) -> str:
    return str(getattr(values, "name", None) or name)  # a column of a data frame has a name


def _as_list(number: int, item: tuple[Any, Any]) -> tuple[Ints, Floats, int]:
    """Return labels and scores of a user's list as a batch of one, and its number of classes."""
    try:
        label, score = (np.asarray(part) for part in item)
    except ValueError:
        raise InvalidSampleError(f"List {number} has rows of different lengths.") from None
    classes = max(2, score.shape[1] if score.ndim == 2 else 2)
    if label.ndim != 1 or score.shape[:1] != label.shape or score.dtype.kind not in "fiub":
        raise InvalidSampleError(
            f"List {number} must be (y_true, y_score) with a score, or a row of scores, for every "
            f"label, got shapes {label.shape} and {score.shape}."
        )
    found = set(label.tolist())
    if found != set(range(classes)):
        raise InvalidSampleError(
            f"List {number} must have the labels 0 to {classes - 1}, all of them, got "
            f"{listed(sorted(map(repr, found)))}; code its classes so."
        )
    score = score.astype(np.float64)
    if not np.isfinite(score).all():
        raise InvalidSampleError(
            f"List {number} holds a score that is nan or infinite; leave such cases out."
        )
    if score.ndim == 2 and classes == 2:
        score = score[:, 1]
    return label.astype(np.int64)[np.newaxis], score[np.newaxis], classes


def _pairs_of(lists: Any) -> list[tuple[Any, Any]]:
    items = list(lists) if isinstance(lists, Iterable) else []
    if len(items) < 2 or not all(isinstance(i, (tuple, list)) and len(i) == 2 for i in items):
        raise InvalidOptionError(
            f"{named('lists')} must be random lists (rs.random_lists) or hold two or more (y_true, "
            "y_score)."
        )
    return items


def _check_scalars(n_pairs: int, rng: Rng, n_jobs: int, tolerance: float) -> None:
    check_count("n_pairs", n_pairs)
    check_streams(rng, n_jobs)
    if not 0.0 <= as_number(tolerance) < float("inf"):
        raise InvalidOptionError(
            f"{named('tolerance')} must be a number from 0, got {tolerance!r}."
        )
