"""Points of discrete classifiers on the ROC plane: printed rates, and the counts they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rocstats.curves.mixture import as_fraction
from rocstats.errors import InvalidOptionError, check_count, listed, named

__all__ = ["Point", "as_points", "check_apart"]

Point = tuple[Fraction, Fraction]  # false and true positive rate
_PRINTED = Fraction(1, 200)  # a rate of two digits lies no further from the one it stands for


def as_points(points: Any, n_pos: int | None, n_neg: int | None) -> dict[str, Point]:
    """Return the rates of discrete classifiers by name, exact where counts are known."""
    if points is None:
        if n_pos is not None or n_neg is not None:
            raise InvalidOptionError(
                f"{named('n_pos')} and {named('n_neg')} are the numbers behind {named('points')}; "
                "curves have their own."
            )
        return {}
    if not isinstance(points, Mapping) or not points:
        raise InvalidOptionError(
            f"{named('points')} must map names to (fpr, tpr), such as {{'tree': (0.1, 0.6)}}, got "
            f"{points!r}."
        )
    sizes = [
        None if size is None else check_count(name, size)
        for name, size in (("n_neg", n_neg), ("n_pos", n_pos))
    ]
    return {str(name): _point(str(name), given, sizes) for name, given in points.items()}


def check_apart(points: Mapping[str, Point], curves: Sequence[str]) -> None:
    """Refuse a name that a point and a curve share."""
    both = [name for name in points if name in curves]
    if both:
        raise InvalidOptionError(
            f"A point and a curve are both called {listed(both)}; give the point another name."
        )


def _point(name: str, given: Any, sizes: Sequence[int | None]) -> Point:
    try:
        rates = tuple(given)
    except TypeError:
        rates = ()
    if len(rates) != 2:
        raise InvalidOptionError(
            f"The point of {name} must be its two rates (fpr, tpr), got {given!r}."
        )
    fpr, tpr = (
        _rate(name, axis, rate, size)
        for axis, rate, size in zip(("fpr", "tpr"), rates, sizes, strict=True)
    )
    return fpr, tpr


def _rate(name: str, axis: str, given: Any, size: int | None) -> Fraction:
    rate = as_fraction(given, f"{axis} of {name}")
    if not 0 <= rate <= 1:
        raise InvalidOptionError(f"The {axis} of {name} must lie within [0, 1], got {given!r}.")
    if size is None:
        return rate
    exact = Fraction(round(rate * size), size)
    if abs(exact - rate) > _PRINTED:
        kind = "negatives" if axis == "fpr" else "positives"
        raise InvalidOptionError(
            f"The {axis} of {name} is {given!r}, which no count among {size} {kind} gives; the "
            f"nearest is {exact} = {float(exact):.4f}."
        )
    return exact
