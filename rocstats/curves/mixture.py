"""Mixtures of two classifiers (Fawcett 2006, section 10), in exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from rocstats.curves.path import CurvePoint
from rocstats.errors import InvalidOptionError, keyword, named
from rocstats.tables import Answer, Statement

__all__ = ["MixedClassifier", "as_fraction", "mix_classifiers"]

Point = tuple[Fraction, Fraction]
Population = tuple[Fraction, Fraction]  # its size and its prevalence
_EXPECTED = ("called", "tp", "fp")  # counts, where the population is known


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MixedClassifier(Answer):
    """A classifier that passes a random share of the subjects to a second one.

    Attributes
    ----------
    share : Fraction
        Share of the subjects that the second classifier decides.
    first, second : (Fraction, Fraction)
        False and true positive rate of the two classifiers.
    population : Population or None
        Size and prevalence of the population it is meant for.
    names : (str, str)
        What the two classifiers are called.

    See Also
    --------
    mix_classifiers : Mix two classifiers so that one number comes out as wanted.
    """

    share: Fraction
    first: Point
    second: Point
    population: Population | None = None
    names: tuple[str, str] = ("the first classifier", "the second")

    @property
    def fpr(self) -> Fraction:
        """False positive rate of the mixture."""
        return self.first[0] + self.share * (self.second[0] - self.first[0])

    @property
    def tpr(self) -> Fraction:
        """True positive rate of the mixture."""
        return self.first[1] + self.share * (self.second[1] - self.first[1])

    @property
    def fp(self) -> Fraction | None:
        """Expected number of negatives called positive, where the population is known."""
        if self.population is None:
            return None
        size, prevalence = self.population
        return size * (1 - prevalence) * self.fpr

    @property
    def tp(self) -> Fraction | None:
        """Expected number of positives called positive, where the population is known."""
        if self.population is None:
            return None
        size, prevalence = self.population
        return size * prevalence * self.tpr

    @property
    def called(self) -> Fraction | None:
        """Expected number called positive, where the population is known."""
        return None if self.fp is None or self.tp is None else self.fp + self.tp

    def statement(self) -> Statement:
        """Return share, rates and expected counts as one row."""
        counts = ""
        if self.population is not None and self.called is not None and self.tp is not None:
            counts = (
                f"; {float(self.called):g} of {float(self.population[0]):g} called positive, "
                f"{float(self.tp):.1f} of them rightly"
            )
        exact = {name: getattr(self, name) for name in ("share", "fpr", "tpr", *_EXPECTED)}
        return Statement(
            head=f"Mixture: {self.names[1]} decides a share of {self.share} "
            f"({float(self.share):.4f}), {self.names[0]} the rest",
            rows=[{name: None if v is None else float(v) for name, v in exact.items()}],
            shown=("share", "fpr", "tpr", *(() if self.population is None else _EXPECTED)),
            in_words=True,
            notes=[f"fpr {float(self.fpr):.4f}, tpr {float(self.tpr):.4f}{counts}"],
        )


def as_fraction(value: object, name: str) -> Fraction:
    """Return a number exactly as it is written: 0.1 is one tenth.

    A double stands for the shortest decimal that denotes it, as Python prints it.
    """
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, (int, float, Fraction, Decimal)) and not isinstance(number, bool):
        try:
            return Fraction(repr(number) if isinstance(number, float) else number)
        except (ValueError, OverflowError):  # nan and infinities
            pass
    raise InvalidOptionError(f"{named(name)} must be a finite number, got {value!r}.")


def mix_classifiers(
    first: Any,
    second: Any,
    *,
    called: Any = None,
    fpr: Any = None,
    tpr: Any = None,
    size: Any = None,
    prevalence: Any = None,
) -> MixedClassifier:
    """Mix two classifiers so that one number comes out as wanted.

    Parameters
    ----------
    first : (float, float) or CurvePoint
        False and true positive rate of the first classifier.
    second : (float, float) or CurvePoint
        Those of the second.
    called : float, optional
        How many subjects of the population are to be called positive.
    fpr : float or Fraction, optional
        The false positive rate that is wanted instead.
    tpr : float or Fraction, optional
        The true positive rate that is wanted instead.
    size : int, optional
        Number of subjects in the population; needed with `called`, and otherwise only for the
        expected counts.
    prevalence : float or Fraction, optional
        Share of positives in the population; likewise.

    Returns
    -------
    MixedClassifier
        The share of subjects that the second decides, and what follows.

    See Also
    --------
    roc_hull : The convex hull of ROC curves.
    RocHull.mix : The mixture of neighbouring vertices that meets a number.

    Notes
    -----
    With ``f`` the number to be met, at the first and at the second classifier, the share of
    subjects for the second is ``k = (wanted - f1) / (f2 - f1)``; all in fractions, in which a
    decimal is what it says. The mixture decides each subject by the second classifier with
    probability k. Fawcett (2006, doi:10.1016/j.patrec.2005.10.010, section 10) reads his example
    off the graph and prints 0.53; that share would call 774 clients and not 800. It is 94/165.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.mix_classifiers((0.1, 0.2), (0.25, 0.6), called=800, size=4000, prevalence=0.06)
    Mixture: the second decides a share of 94/165 (0.5697), the first classifier the rest
    fpr 0.1855, tpr 0.4279; 800 of 4000 called positive, 102.7 of them rightly
    """
    ends = _point(first, "first"), _point(second, "second")
    population = as_population(size, prevalence)
    given = [(n, v) for n, v in (("called", called), ("fpr", fpr), ("tpr", tpr)) if v is not None]
    if len(given) != 1:
        raise InvalidOptionError("Give one of called, fpr and tpr: what is the mixture to meet?")
    (name, value) = given[0]
    wanted = as_fraction(value, name)
    at_first, at_second = (measured(end, name, population) for end in ends)
    if at_first == at_second:
        raise InvalidOptionError(
            f"Both classifiers have {name} {float(at_first):g}, so every mixture has it too; "
            "mix two that differ there."
        )
    share = (wanted - at_first) / (at_second - at_first)
    if not 0 <= share <= 1:
        raise InvalidOptionError(
            f"No mixture has {name} {float(wanted):g}: the first classifier has "
            f"{float(at_first):g} and the second {float(at_second):g}."
        )
    return MixedClassifier(share=share, first=ends[0], second=ends[1], population=population)


def measured(point: Point, name: str, population: Population | None) -> Fraction:
    """Return what a classifier has of the number that is to be met; it is linear in the rates."""
    if name != "called":
        return point[0] if name == "fpr" else point[1]
    if population is None:
        raise InvalidOptionError(
            f"called needs the population: give {keyword('size')} and {keyword('prevalence')}."
        )
    size, prevalence = population
    return size * (prevalence * point[1] + (1 - prevalence) * point[0])


def as_population(size: Any, prevalence: Any) -> Population | None:
    """Return size and prevalence as fractions, or None where neither is given."""
    if (size is None) != (prevalence is None):
        raise InvalidOptionError("A population has both a size and a prevalence; give both.")
    if size is None:
        return None
    subjects, share = as_fraction(size, "size"), as_fraction(prevalence, "prevalence")
    if subjects <= 0:
        raise InvalidOptionError(f"{named('size')} must be a positive number, got {size!r}.")
    if not 0 < share < 1:
        raise InvalidOptionError(
            f"{named('prevalence')} must lie strictly between 0 and 1, got {prevalence!r}."
        )
    return subjects, share


def _point(given: Any, name: str) -> Point:
    pair = (given.fpr, given.tpr) if isinstance(given, CurvePoint) else given
    pair = pair.tolist() if isinstance(pair, np.ndarray) else pair
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise InvalidOptionError(
            f"The {name} classifier must be a pair (fpr, tpr) or a point of a curve, got {given!r}."
        )
    rates = [as_fraction(v, f"A rate of the {name} classifier") for v in pair]
    if not all(0 <= rate <= 1 for rate in rates):
        raise InvalidOptionError(
            f"The rates of the {name} classifier must lie within [0, 1], got {given!r}."
        )
    return rates[0], rates[1]
