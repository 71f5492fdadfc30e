"""Hypotheses: what a study is to show, and the power to show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rocstats.errors import InvalidOptionError, as_number, check_option, keyword, named

__all__ = ["AIMS", "Hypothesis", "make_hypothesis"]

# Aim: the bounds in margins, each with the side on which the value must be shown to lie; the level.
AIMS: dict[str, tuple[tuple[tuple[float, int], ...], float]] = {
    "non-inferiority": (((-1.0, 1),), 0.025),
    "superiority": (((1.0, 1),), 0.025),
    "equivalence": (((-1.0, 1), (1.0, -1)), 0.05),
}
_SIDES = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}
_ALTERNATIVES = {"non-inferiority": "greater", "superiority": "greater", "equivalence": "two-sided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """Bounds that an estimate must clear.

    Attributes
    ----------
    null_value, alternative, aim, margin : as the user said
    bounds : (value, side): the value must be shown to lie above (1) or below (-1)
    all_needed : every bound must be cleared (equivalence), or one is enough (two-sided)
    """

    null_value: float
    alternative: str
    aim: str | None
    margin: float | None
    bounds: tuple[tuple[float, int], ...]
    all_needed: bool

    def tail(self, significance: float) -> float:
        """Return the level at which each bound is tested."""
        return significance if self.all_needed else significance / len(self.bounds)

    def power(
        self, effect: float, std_error: float, under: Callable[[float], float], significance: float
    ) -> float:
        """Return the chance that a normal estimate clears the bounds (STATISTICS.md 8.1).

        Parameters
        ----------
        effect, std_error : the truth that is planned for
        under : the standard error of the test's statistic where a bound is the truth
        """
        from scipy.special import ndtr, ndtri

        z = -float(ndtri(self.tail(significance)))
        tails = [
            float(ndtr((side * (effect - bound) - z * under(bound)) / std_error))
            for bound, side in self.bounds
        ]
        return max(sum(tails) - 1.0, 0.0) if len(tails) > 1 and self.all_needed else sum(tails)

    def is_met_by(self, effect: float) -> bool:
        """Whether the assumed value is one that the study is to show."""
        met = [side * (effect - bound) > 0.0 for bound, side in self.bounds]
        return all(met) if self.all_needed else any(met)

    def is_cleared(self, value: float, distance: Mapping[float, float]) -> bool:
        """Whether an estimate lies beyond the bounds by the distance that each asks for."""
        cleared = [side * (value - bound) > distance[bound] for bound, side in self.bounds]
        return all(cleared) if self.all_needed else any(cleared)

    def is_shown(self, low: float, high: float) -> bool:
        """Whether limits at level 1 - 2 `tail` clear the bounds."""
        cleared = [low > bound if side > 0 else high < bound for bound, side in self.bounds]
        return all(cleared) if self.all_needed else any(cleared)


def make_hypothesis(
    null_value: float, alternative: str, margin: float | None, aim: str | None
) -> Hypothesis:
    """Return the hypothesis in its bounds, or refuse it."""
    check_option("alternative", alternative, tuple(_SIDES))
    if (margin is None) != (aim is None):
        raise InvalidOptionError(
            f"Give {keyword('margin')} and {keyword('aim')} together, or neither."
        )
    if aim is None or margin is None:
        bounds = tuple((null_value, side) for side in _SIDES[alternative])
        return Hypothesis(
            null_value=null_value,
            alternative=alternative,
            aim=None,
            margin=None,
            bounds=bounds,
            all_needed=False,
        )
    check_option("aim", aim, tuple(AIMS))
    if not as_number(margin) > 0.0:
        raise InvalidOptionError(f"{named('margin')} must be a positive number, got {margin!r}.")
    if alternative != "two-sided":
        raise InvalidOptionError(
            f"The aim {aim} has its own alternative; leave {keyword('alternative')} out."
        )
    return Hypothesis(
        null_value=null_value,
        alternative=_ALTERNATIVES[aim],
        aim=aim,
        margin=float(margin),
        bounds=tuple((null_value + sign * float(margin), side) for sign, side in AIMS[aim][0]),
        all_needed=True,
    )
