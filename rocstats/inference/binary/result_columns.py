"""Result columns: scores, codes and words of a test become positive, negative or unknown."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.data.columns import frame_columns, label_column, named_columns, score_columns
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    as_number,
    did_you_mean,
    keyword,
    listed,
    named,
    shown,
)

__all__ = ["choose_tests", "cut_scores", "read_results", "read_thresholds"]


def read_results(
    y_score: Any, test_positive: Any, test_negative: Any, cut: Collection[str] = ()
) -> dict[str, Floats]:
    """Return the columns as numbers: 1, 0 and nan where results are words, else as they are.

    Tests that are `cut` at a threshold have scores, and so have those that a mapping of positive
    results does not name.
    """
    if test_positive is None:
        if test_negative is not None:
            raise InvalidOptionError(
                f"{named('test_negative')} is the other result beside {named('test_positive')}, "
                "which is not given."
            )
        _refuse_words(frame_columns(y_score) or {})
        return score_columns(y_score)
    columns = frame_columns(y_score)
    if columns is None:
        given = np.asarray(y_score, dtype=object)
        names = [f"test_{j + 1}" for j in range(given.shape[1])] if given.ndim == 2 else ["test"]
        parts = given.T if given.ndim == 2 else [given]
        columns = dict(zip(names, parts, strict=True))
    if not columns:
        raise InvalidSampleError("There is no test: give at least one column of results.")
    named_by = test_positive if isinstance(test_positive, Mapping) else columns
    for name in named_by:
        if name not in columns:
            raise InvalidOptionError(
                f"{named('test_positive')} names {name!r}, which is no test of the data "
                f"({listed(columns)}).{did_you_mean(name, columns)}"
            )
    found: dict[str, Floats] = {}
    for name, column in columns.items():
        if name in cut or name not in named_by:
            found |= named_columns([(name, column)])
        else:
            positive, negative = _of_test(test_positive, name), _of_test(test_negative, name)
            found[name] = _words(column, name, positive, negative)
    return found


def _refuse_words(columns: Mapping[str, Any]) -> None:
    """Refuse results in words of which none was named as positive."""
    for name, column in columns.items():
        array, _ = label_column(column, name)
        words = (
            (v for v in array.tolist() if isinstance(v, str)) if array.dtype.kind in "OUT" else ()
        )
        first = next(iter(words), None)
        if first is not None and not _is_number(first):
            raise InvalidOptionError(
                f"The results of {name} are words such as {shown(first)}; name the positive one "
                f"with {keyword('test_positive')}."
            )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _of_test(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else value


def _words(values: Any, name: str, positive: Any, negative: Any) -> Floats:
    """Return 1 for the positive result, 0 for the negative one and nan for what is neither."""
    array, missing = label_column(values, name)
    there = array if missing is None else array[~missing]
    try:
        levels = sorted(set(there.tolist()), key=repr)
    except TypeError:
        raise InvalidSampleError(f"{name} holds results that cannot be compared.") from None
    others = [level for level in levels if level != positive]
    if len(others) == len(levels) and negative is None:
        raise InvalidOptionError(
            f"{named('test_positive')} {shown(positive)} is not among the results of {name} "
            f"({listed(map(shown, levels))}).{did_you_mean(positive, levels)}"
        )
    if negative is None and len(others) > 1:
        raise InvalidOptionError(
            f"{name} has {len(levels)} different results ({listed(map(shown, levels))}); name the "
            f"negative one with {keyword('test_negative')}, and the others are equivocal."
        )
    below = others[0] if negative is None and others else negative
    found = np.full(array.size, math.nan)
    for level, value in ((below, 0.0), (positive, 1.0)):
        if level is not None:
            found[np.asarray(array == level, dtype=np.bool_)] = value
    if np.isnan(found).all():
        raise InvalidOptionError(
            f"{name} has neither {shown(positive)} nor {shown(below)} among its results "
            f"({listed(map(shown, levels))})."
        )
    return found


def read_thresholds(
    thresholds: Mapping[str, Any] | None, markers: Sequence[str]
) -> tuple[dict[str, float], bool]:
    """Return the thresholds by test, and whether one of them was chosen on data."""
    if thresholds is None:
        return {}, False
    if not isinstance(thresholds, Mapping):
        raise InvalidOptionError(
            f"{named('thresholds')} must give a number for each test by name, got "
            f"{shown(thresholds)}."
        )
    found, chosen = {}, False
    for name, given in thresholds.items():
        if name not in markers:
            raise InvalidOptionError(
                f"{named('thresholds')} names {name!r}, which is no test of the data "
                f"({listed(markers)}).{did_you_mean(name, markers)}"
            )
        value = given
        if hasattr(given, "threshold"):  # a cutpoint, which is chosen on data
            at = np.asarray(given.threshold, dtype=np.float64).reshape(-1)
            if at.size != 1:
                raise InvalidOptionError(
                    f"The cutpoint of {name} has {at.size} thresholds; choose one of them."
                )
            value, chosen = float(at[0]), True
        number = as_number(value)
        if not math.isfinite(number):
            raise InvalidOptionError(
                f"{named('thresholds')} must be a finite number for {name}, got {shown(given)}."
            )
        found[str(name)] = number
    return found, chosen


def choose_tests(
    tests: Sequence[str] | None, markers: Sequence[str], thresholds: Mapping[str, float]
) -> list[str]:
    """Return the tests to compare, the standard one first."""
    if tests is None:
        return list(thresholds) if len(thresholds) > 1 else list(markers)
    chosen = [tests] if isinstance(tests, str) else [str(name) for name in tests]
    for name in chosen:
        if name not in markers:
            raise InvalidOptionError(
                f"{named('tests')} names {name!r}, which is not in the data "
                f"({listed(markers)}).{did_you_mean(name, markers)}"
            )
    if len(set(chosen)) < len(chosen) or not chosen:
        raise InvalidOptionError(
            f"{named('tests')} must name each test once, got {listed(map(repr, chosen)) or 'none'}."
        )
    return chosen


def cut_scores(
    scores: Floats, name: str, threshold: float | None, *, flipped: bool
) -> tuple[NDArray[np.int8], str]:
    """Return 1, 0, or -1 where the score is missing; and when the test is positive, in words."""
    missing = np.isnan(scores)
    if threshold is None:
        there = scores[~missing]
        if not np.isin(there, (0.0, 1.0)).all():
            other = there[~np.isin(there, (0.0, 1.0))][0]
            raise InvalidOptionError(
                f"{name} holds scores such as {other:g}, not results 0 and 1; give its cutoff with "
                f"{keyword('thresholds')}, or name the positive result with "
                f"{keyword('test_positive')}."
            )
        called, rule = scores == (0.0 if flipped else 1.0), ""
    else:
        called = scores <= threshold if flipped else scores >= threshold
        rule = f"{'<=' if flipped else '>='} {threshold:g}"
    return np.where(missing, -1, called).astype(np.int8), rule
