"""Designs: two laws and two sizes, from which samples are drawn."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import InvalidOptionError, as_number, check_count, check_option, named
from rocstats.studies.families import FAMILIES, Distribution
from rocstats.tables import Record

__all__ = ["ALTERNATIVES", "Law", "TwoSampleDesign", "two_sample_design"]

_WEIGHTLESS = 1e-14  # quantiles of less weight add nothing to a share


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """How one class is distributed: a family, moved, stretched, raised or mixed.

    Parameters
    ----------
    family : str
        A name of the table of families, such as "normal".
    shape : tuple of float, default ()
        Its shape parameters; () takes those of the table.
    location : float, default 0.0
        Values are ``location + scale * Z``.
    scale : float, default 1.0
        See `location`.
    lehmann : float, default 1.0
        The k of the distribution function F**k.
    share : float, default 1.0
        Share of subjects who follow the above; the others follow the family itself.

    See Also
    --------
    TwoSampleDesign : Two independent samples.
    two_sample_design : Describe two samples by family and alternative.
    """

    family: str
    shape: tuple[float, ...] = ()
    location: float = 0.0
    scale: float = 1.0
    lehmann: float = 1.0
    share: float = 1.0

    def __post_init__(self) -> None:
        check_option("family", self.family, FAMILIES)
        known = FAMILIES[self.family].shape
        shape = tuple(as_number(value) for value in self.shape) or known
        object.__setattr__(self, "shape", shape)
        if len(shape) != len(known) or not all(0.0 < value < math.inf for value in shape):
            raise InvalidOptionError(
                f"shape of {self.family} must hold {len(known)} positive numbers, "
                f"got {self.shape!r}."
            )
        for name, low, high in (
            ("location", -math.inf, math.inf),
            ("scale", 0.0, math.inf),
            ("lehmann", 0.0, math.inf),
        ):
            number = as_number(getattr(self, name))
            if not low < number < high:
                wanted = "a positive number" if low == 0.0 else "a finite number"
                raise InvalidOptionError(
                    f"{named(name)} must be {wanted}, got {getattr(self, name)!r}."
                )
            object.__setattr__(self, name, number)
        share = as_number(self.share)
        if not 0.0 < share <= 1.0:
            raise InvalidOptionError(
                f"{named('share')} must lie above 0 and at most at 1, got {self.share!r}."
            )
        object.__setattr__(self, "share", share)

    @property
    def distribution(self) -> Distribution:
        """The family's distribution, before anything is done to it."""
        return _distribution(self.family, self.shape)

    def draw(self, rng: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Draw values, independent of each other.

        Parameters
        ----------
        rng : numpy.random.Generator
            The random stream.
        size : tuple of int
            Shape of the values.

        Returns
        -------
        array
            The values.
        """
        base = FAMILIES[self.family].build(*self.shape)  # its own: scipy's rvs is not for threads
        if self.lehmann == 1.0:
            values = base.rvs(size=size, random_state=rng)
        else:
            values = base.isf(-np.expm1(np.log(1.0 - rng.random(size)) / self.lehmann))
        values = self.location + self.scale * values
        if self.share < 1.0:
            others = base.rvs(size=size, random_state=rng)
            values = np.where(rng.random(size) < self.share, values, others)
        link = FAMILIES[self.family].link
        return values if link is None else link(values)

    def tail(self, value: Floats) -> Floats:
        """Return the share of values above, before the link.

        Parameters
        ----------
        value : array
            Where.

        Returns
        -------
        array
            The shares.
        """
        base = self.distribution
        inner = base.cdf((value - self.location) / self.scale)
        with np.errstate(divide="ignore"):
            moved = -np.expm1(self.lehmann * np.log(inner))
        rest = base.sf(value) if self.share < 1.0 else 0.0
        found: Floats = self.share * moved + (1.0 - self.share) * rest
        return found


@lru_cache(maxsize=256)
def _distribution(family: str, shape: tuple[float, ...]) -> Distribution:
    return FAMILIES[family].build(*shape)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TwoSampleDesign(Record):
    """Two independent samples: positives and negatives, each from its law.

    Parameters
    ----------
    positives : Law
        The law of the positives.
    negatives : Law
        The law of the negatives.
    n_pos : int
        Number of positives.
    n_neg : int
        Number of negatives.
    name : str, default ""
        The alternative in words; not part of what makes two designs equal.

    See Also
    --------
    two_sample_design : Describe two samples by family and alternative.
    power_study : Simulate the size and power of two-sample tests.
    """

    positives: Law
    negatives: Law
    n_pos: int
    n_neg: int
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for name in ("positives", "negatives"):
            if not isinstance(getattr(self, name), Law):
                raise InvalidOptionError(
                    f"{named(name)} must be a Law, got {getattr(self, name)!r}."
                )
        for name in ("n_pos", "n_neg"):
            object.__setattr__(self, name, check_count(name, getattr(self, name), least=2))

    @property
    def null(self) -> TwoSampleDesign:
        """The same sizes, both classes drawn from the law of the negatives."""
        return replace(self, positives=self.negatives, name="")

    @property
    def effect(self) -> str:
        """How the law of the positives differs from that of the negatives."""
        changes = []
        for name in ("shape", "location", "scale", "lehmann", "share"):
            value = getattr(self.positives, name)
            if value != getattr(self.negatives, name):
                values = value if isinstance(value, tuple) else (value,)
                changes.append(f"{name} {', '.join(f'{v:g}' for v in values)}")
        return "; ".join(changes) or "none"

    @property
    def digest(self) -> str:
        """What names this design in random streams and files: the laws and the sizes."""
        return hashlib.sha256(repr(replace(self, name="")).encode()).hexdigest()

    def draw(self, rng: np.random.Generator, size: int) -> tuple[Floats, Floats]:
        """Draw pairs of samples.

        Parameters
        ----------
        rng : numpy.random.Generator
            The random stream.
        size : int
            Number of pairs.

        Returns
        -------
        (array, array)
            The (size, n_pos) positives and the (size, n_neg) negatives.
        """
        positives = self.positives.draw(rng, (size, self.n_pos))
        return positives, self.negatives.draw(rng, (size, self.n_neg))

    def auc(self) -> float:
        """Return the share of pairs in which the positive has the higher value, by quadrature."""
        from rocstats.studies.efficiency import quantile_grid

        grid = quantile_grid(self.negatives.family, self.negatives.shape)
        counts = grid.weight > _WEIGHTLESS
        value = self.negatives.location + self.negatives.scale * grid.value[counts]
        return float(np.sum(grid.weight[counts] * self.positives.tail(value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """How positives differ from negatives: a law for an effect, and a name for the two."""

    none: float  # the effect that is no effect
    law: Callable[[Law, float, float, float], Law]
    words: str


# An effect is a shift, or a ratio where `none` is 1.
ALTERNATIVES = {
    "location": Alternative(
        none=0.0, law=lambda base, e, *_: replace(base, location=e), words="{family} shift"
    ),
    "scale": Alternative(
        none=1.0, law=lambda base, e, *_: replace(base, scale=e), words="{family} scale"
    ),
    "location-scale": Alternative(
        none=0.0,
        law=lambda base, e, ratio, _: replace(base, location=e, scale=ratio),
        words="{family} shift and scale {ratio:g}",
    ),
    "mixture": Alternative(
        none=0.0,
        law=lambda base, e, _, share: replace(base, location=e, share=share),
        words="{family}, {share:.0%} responders",
    ),
    "lehmann": Alternative(
        none=1.0, law=lambda base, e, *_: replace(base, lehmann=e), words="Lehmann {family}"
    ),
    "shape": Alternative(
        none=0.0,
        law=lambda base, e, *_: replace(base, shape=(base.shape[0] + e, *base.shape[1:])),
        words="{family} shape",
    ),
}


def two_sample_design(
    family: str,
    alternative: str = "location",
    effect: float | None = None,
    *,
    n_pos: int,
    n_neg: int,
    shape: tuple[float, ...] = (),
    scale: float = 1.5,
    share: float = 0.4,
    power: float = 0.6,
) -> TwoSampleDesign:
    """Describe two samples: a family and how its positives differ from its negatives.

    Parameters
    ----------
    family : str
        ``normal``, ``logistic``, ``laplace``, ``t3``, ``t5``, ``uniform``, ``lognormal``,
        ``exponential``, ``gamma``, ``beta``, ``contaminated`` (a tenth has standard deviation 5) or
        ``logit-normal`` (probabilities).
    alternative : str, default "location"
        ``location`` (effect: shift), ``scale`` (effect: ratio), ``location-scale`` (shift, with the
        ratio `scale`), ``mixture`` (shift of the `share` who respond), ``lehmann`` (effect: k of
        F**k) or ``shape`` (added to the first shape parameter).
    effect : float, optional
        Size of the effect; None finds the one for which the Wilcoxon-Mann-Whitney test has about
        the `power` at two-sided significance 0.05.
    n_pos : int
        Number of positives.
    n_neg : int
        Number of negatives.
    shape : tuple of float, default ()
        Shape parameters of the negatives; () takes those of the family.
    scale : float, default 1.5
        Ratio of the scales in ``location-scale``.
    share : float, default 0.4
        Share of the positives who respond in ``mixture``.
    power : float, default 0.6
        Power for which an effect is found.

    Returns
    -------
    TwoSampleDesign
        The two laws and the sizes, for `power_study`.

    See Also
    --------
    power_study : Simulate the size and power of two-sample tests.
    pitman_efficiency : The asymptotic efficiency of a test against another.

    Notes
    -----
    Without an effect, the AUC is set to ``1/2 + 2.21 sqrt((N + 1) / (12 n_pos n_neg))`` for a
    power of .6: the shift, in null standard deviations, of a normal statistic with that power.

    Examples
    --------
    >>> import rocstats as rs
    >>> design = rs.two_sample_design("normal", effect=0.8, n_pos=25, n_neg=25)
    >>> design.name, round(design.auc(), 4)
    ('normal shift', 0.7142)
    """
    check_option("alternative", alternative, ALTERNATIVES)
    kind, base = ALTERNATIVES[alternative], Law(family=family, shape=shape)
    if alternative == "shape" and not base.shape:
        raise InvalidOptionError(f"{family} has no shape parameter; choose another alternative.")
    words = FAMILIES[family].label
    if base.shape:
        words += f"({', '.join(f'{value:g}' for value in base.shape)})"

    def build(size: float) -> TwoSampleDesign:
        law = kind.law(base, size, scale, share)
        name = kind.words.format(family=words, ratio=scale, share=share)
        return TwoSampleDesign(positives=law, negatives=base, n_pos=n_pos, n_neg=n_neg, name=name)

    if effect is not None:
        return build(effect)
    return build(_effect_for_power(build, kind.none, power))


def _effect_for_power(
    build: Callable[[float], TwoSampleDesign], none: float, power: float
) -> float:
    """Return the effect at which a normal approximation of WMW has the power."""
    from scipy.optimize import brentq

    from rocstats.studies.efficiency import noncentrality

    first = build(none)
    if not 0.05 < as_number(power) < 1.0:
        raise InvalidOptionError(f"{named('power')} must lie between 0.05 and 1, got {power!r}.")
    m, n = first.n_pos, first.n_neg
    away = float(noncentrality(np.array([power]), 0.05)[0])
    target = min(0.5 + away * math.sqrt((m + n + 1.0) / (12.0 * m * n)), 0.995)

    def gap(size: float) -> float:
        return build(size).auc() - target

    step = 1.0
    while gap(none + step) < 0.0:
        step *= 2.0
        if step > 1e4:
            raise InvalidOptionError(
                f"No effect of {first.name or 'this alternative'} gives the "
                f"Wilcoxon-Mann-Whitney test a power of {power:g}; name an effect."
            )
    return float(round(brentq(gap, none, none + step, xtol=1e-5), 4))
