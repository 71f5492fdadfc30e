"""Paired rate plans: how many patients show that two binary tests differ, or that one is as good.

One rate at a time: sensitivity among diseased patients, or specificity among others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.errors import InvalidOptionError, as_number, check_count, check_option, keyword, named
from rocstats.estimates.results import Alternative
from rocstats.inference.binary.paired_cells import PairedCells
from rocstats.inference.binary.rate_differences import TangoScore, restricted_deviation
from rocstats.planning.assumptions import as_share, as_size, choose_significance
from rocstats.planning.hypotheses import Hypothesis, make_hypothesis
from rocstats.planning.planners import refuse_unmet
from rocstats.planning.plans import SimulatedPower
from rocstats.planning.solving import least_size
from rocstats.tables import Answer, Statement, show_value

__all__ = ["PairedRatePlan", "power_tests", "sample_size_tests"]

Aim = Literal["non-inferiority", "superiority", "equivalence"]

_PATIENTS = {"sensitivity": "diseased", "specificity": "healthy"}
_ROUNDING = 1e-12  # shares that differ by so little are the same


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PairedRatePlan(Answer):
    """A plan of two binary tests on the same patients: size, rates and power that go together.

    Attributes
    ----------
    n : int
        Patients of the class: diseased ones for sensitivity, others for specificity.
    n_total : int or None
        Patients in all that are expected to hold so many, where the prevalence is given.
    measure : str
        "sensitivity" or "specificity".
    new, standard : float
        The rates assumed to be true.
    discordant : float
        Share of patients of the class on whom the tests disagree.
    effect : float
        The difference, new less standard.
    power, significance : float
        Of McNemar's test, or of Tango's score test of a margin.
    alternative, aim : str or None
        What is held against equality; or what is to be shown by the margin.
    margin : float or None
        The margin.
    std_error, std_error_null : float
        Standard errors of the difference at the assumed rates, and in the test's statistic.
    hypothesis : Hypothesis
        What is tested.

    See Also
    --------
    power_tests : The power of a study of given size.
    sample_size_tests : The least size that gives the wanted power.
    compare_tests : Compare the tests once the study is done.
    """

    n: int
    n_total: int | None
    measure: str
    new: float
    standard: float
    discordant: float
    effect: float
    power: float
    significance: float
    alternative: str
    aim: str | None
    margin: float | None
    std_error: float
    std_error_null: float
    hypothesis: Hypothesis

    @property
    def sentence(self) -> str:
        """The plan as one sentence for a protocol."""
        who = f"{self.n} {_PATIENTS[self.measure]} patients"
        if self.n_total is not None:
            who += f" (about {self.n_total} in all)"
        if self.aim is None:
            sides = "two" if self.alternative == "two-sided" else "one"
            test, claim = f"McNemar's {sides}-sided test", "that they differ"
        else:
            test, claim = "Tango's score test", f"{self.aim} with a margin of {self.margin:g}"
        return (
            f"With {who}, {test} at level {self.significance:.4g} has power {self.power:.3f} to "
            f"show {claim}, if the {self.measure} of the new test is {self.new:g}, of the standard "
            f"test {self.standard:g}, and they disagree on {self.discordant:.4g} of the patients "
            f"(standard error of the difference {show_value(self.std_error)})."
        )

    def simulate(self, n_replicates: int = 1000, *, rng: Any = 1) -> SimulatedPower:
        """Simulate the planned study and judge it as rocstats judges data.

        Parameters
        ----------
        n_replicates : int, default 1000
            Number of studies to draw.
        rng : int, SeedSequence, Generator or None, default 1
            A seed or a generator; None is a fresh stream.

        Returns
        -------
        SimulatedPower
            The share of studies that showed what they were to show, by Tango's score (McNemar's
            test against 0).
        """
        from scipy.special import ndtri

        size = check_count("n_replicates", n_replicates)
        try:
            generator = np.random.default_rng(rng)
        except (TypeError, ValueError):
            raise InvalidOptionError(
                f"{named('rng')} must be a seed or a generator, got {rng!r}."
            ) from None
        only_new = (self.discordant + self.effect) / 2.0
        shares = np.clip([only_new, only_new - self.effect], 0.0, 1.0)
        drawn = generator.multinomial(self.n, [*shares, 1.0 - shares.sum()], size=size)
        tables, times = np.unique(drawn, axis=0, return_counts=True)
        z = -float(ndtri(self.hypothesis.tail(self.significance)))
        known = {
            bound: z * _deviation(self.discordant, self.effect, bound) / math.sqrt(self.n)
            for bound, _ in self.hypothesis.bounds
        }
        shown = shown_known = 0
        for (b, c, rest), often in zip(tables.tolist(), times.tolist(), strict=True):
            score = TangoScore(cells=PairedCells(a=rest, b=b, c=c, d=0))
            cleared = [side * score.judge(bound)[0] > z for bound, side in self.hypothesis.bounds]
            shown += often * (all(cleared) if self.hypothesis.all_needed else any(cleared))
            shown_known += often * self.hypothesis.is_cleared((b - c) / self.n, known)
        power = shown / size
        return SimulatedPower(
            power=power,
            std_error=math.sqrt(power * (1.0 - power) / size),
            known_power=shown_known / size,
            planned_power=self.power,
            n_replicates=size,
        )

    def statement(self) -> Statement:
        """Return the sentence, and the plan as one row."""
        row = {name: getattr(self, name) for name in self.__slots__ if name != "hypothesis"}
        return Statement(
            head=self.sentence,
            rows=[row | {"sentence": self.sentence}],
            shown=("measure", "n", "new", "standard", "discordant", "significance", "power"),
            in_words=True,
        )


def power_tests(
    new: float,
    standard: float,
    *,
    n: int,
    measure: str = "sensitivity",
    discordant: float | None = None,
    correlation: float | None = None,
    significance: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    aim: Aim | None = None,
    prevalence: float | None = None,
) -> PairedRatePlan:
    """Return the power to compare the sensitivity, or specificity, of two tests on n patients.

    Parameters
    ----------
    new : float
        The rate of the new test that is assumed to be true.
    standard : float
        That of the standard test.
    n : int
        Diseased patients for sensitivity, others for specificity; all get both tests.
    measure : {"sensitivity", "specificity"}, default "sensitivity"
        The rate.
    discordant : float, optional
        Share of these patients on whom the tests disagree.
    correlation : float, optional
        Instead of it, the correlation of the results within these patients; 0 if they are
        independent given the disease.
    significance : float, optional
        Level; 0.05 by default, for non-inferiority and superiority 0.025 (one-sided).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equality, about new less standard.
    margin : float, optional
        The margin of `aim`.
    aim : {"non-inferiority", "superiority", "equivalence"}, optional
        What is to be shown by the margin.
    prevalence : float, optional
        Share of diseased patients, for the number of patients in all.

    Returns
    -------
    PairedRatePlan
        Size, rates, significance and power that go together.

    See Also
    --------
    sample_size_tests : The least size that gives the wanted power.
    PairedRatePlan.simulate : Simulate the planned study.
    power_auc : The power to compare areas.

    Notes
    -----
    The power is ``Phi((sqrt(n) (D - D0) - z s0) / s1)`` and the other tail's part: D is the
    difference and s1 squared = discordant - D squared; s0 is the standard deviation in Tango's
    score where the difference is D0 (at D0 = 0 the root of `discordant`: Connor 1987 for McNemar's
    test; for a margin Nam 1997, doi:10.2307/2533508). With few discordant pairs ask `simulate`.

    Examples
    --------
    >>> import rocstats as rs
    >>> plan = rs.power_tests(0.90, 0.80, n=150, discordant=0.20)
    >>> round(plan.power, 3)
    0.788
    """
    size = as_size("n", n)
    told = _assume(new, standard, measure, discordant, correlation)
    hypothesis = make_hypothesis(0.0, alternative, margin, aim)
    level = choose_significance(significance, aim)
    return _make(told, hypothesis, size, level, prevalence)


def sample_size_tests(
    new: float,
    standard: float,
    *,
    power: float = 0.8,
    measure: str = "sensitivity",
    discordant: float | None = None,
    correlation: float | None = None,
    significance: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    aim: Aim | None = None,
    prevalence: float | None = None,
) -> PairedRatePlan:
    """Return the least number of patients that shows what two tests on them are to show.

    Parameters
    ----------
    new : float
        The rate of the new test that is assumed to be true.
    standard : float
        That of the standard test.
    power : float, default 0.8
        The wanted power.
    measure : {"sensitivity", "specificity"}, default "sensitivity"
        The rate; the number is that of diseased patients, or of others.
    discordant : float, optional
        Share of these patients on whom the tests disagree.
    correlation : float, optional
        Instead of it, the correlation of the results within these patients; 0 if they are
        independent given the disease.
    significance : float, optional
        Level; 0.05 by default, for non-inferiority and superiority 0.025 (one-sided).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equality, about new less standard.
    margin : float, optional
        The margin of `aim`.
    aim : {"non-inferiority", "superiority", "equivalence"}, optional
        What is to be shown by the margin.
    prevalence : float, optional
        Share of diseased patients, for the number of patients in all.

    Returns
    -------
    PairedRatePlan
        Size, rates, significance and power that go together.

    See Also
    --------
    power_tests : The power of a study of given size, with the formula.
    PairedRatePlan.simulate : Simulate the planned study.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.sample_size_tests(0.90, 0.90, discordant=0.10, margin=0.05, aim="non-inferiority").n
    350
    """
    told = _assume(new, standard, measure, discordant, correlation)
    hypothesis = make_hypothesis(0.0, alternative, margin, aim)
    level, wanted = choose_significance(significance, aim), as_share("power", power)
    refuse_unmet(hypothesis, told.effect)
    least = least_size(lambda size: told.power(hypothesis, size, level) >= wanted)
    if least is None:
        raise InvalidOptionError(f"No sample size reaches a power of {wanted:g}.")
    return _make(told, hypothesis, least, level, prevalence)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    """What is assumed: two rates, and how often the tests disagree."""

    measure: str
    new: float
    standard: float
    discordant: float

    @property
    def effect(self) -> float:
        return self.new - self.standard

    def std_error(self, n: int) -> float:
        return math.sqrt((self.discordant - self.effect**2) / n)

    def under(self, bound: float, n: int) -> float:
        return _deviation(self.discordant, self.effect, bound) / math.sqrt(n)

    def power(self, hypothesis: Hypothesis, n: int, significance: float) -> float:
        return hypothesis.power(
            self.effect, self.std_error(n), lambda bound: self.under(bound, n), significance
        )


def _deviation(discordant: float, effect: float, bound: float) -> float:
    """Return the standard deviation of one patient's difference, where `bound` is the truth."""
    b = (discordant + effect) / 2.0
    return restricted_deviation(1.0, b, b - effect, bound)


def _assume(
    new: float,
    standard: float,
    measure: str,
    discordant: float | None,
    correlation: float | None,
) -> _Rates:
    check_option("measure", measure, tuple(_PATIENTS))
    p, q = as_share("new", new), as_share("standard", standard)
    if (discordant is None) == (correlation is None):
        raise InvalidOptionError(
            f"Give {keyword('discordant')}, the share of patients on whom the tests disagree, or "
            f"{keyword('correlation')} of their results (0: independent given the disease)."
        )
    least, most = abs(p - q), min(p + q, 2.0 - p - q)
    spread = math.sqrt(p * (1.0 - p) * q * (1.0 - q))
    rates = f"with rates of {p:g} and {q:g}"
    share = as_number(discordant)
    if discordant is None:
        share = p + q - 2.0 * (p * q + as_number(correlation) * spread)
    if not least - _ROUNDING <= share <= most + _ROUNDING:
        if discordant is not None:
            raise InvalidOptionError(
                f"{named('discordant')} must lie from {least:.4g} to {most:.4g} {rates}, got "
                f"{discordant!r}."
            )
        low, high = (((p + q - x) / 2.0 - p * q) / spread for x in (most, least))
        raise InvalidOptionError(
            f"{named('correlation')} must lie from {low:.4g} to {high:.4g} {rates}, got "
            f"{correlation!r}."
        )
    if not share - (p - q) ** 2 > _ROUNDING:
        raise InvalidOptionError(
            "The tests would agree on every patient under these assumptions, so there is nothing "
            "to plan."
        )
    return _Rates(measure=measure, new=p, standard=q, discordant=share)


def _make(
    told: _Rates, hypothesis: Hypothesis, n: int, level: float, prevalence: float | None
) -> PairedRatePlan:
    total = None
    if prevalence is not None:
        share = as_share("prevalence", prevalence)
        share = share if told.measure == "sensitivity" else 1.0 - share
        total = math.ceil(n / share - _ROUNDING * n / share)
    return PairedRatePlan(
        n=n,
        n_total=total,
        measure=told.measure,
        new=told.new,
        standard=told.standard,
        discordant=told.discordant,
        effect=told.effect,
        power=told.power(hypothesis, n, level),
        significance=level,
        alternative=hypothesis.alternative,
        aim=hypothesis.aim,
        margin=hypothesis.margin,
        std_error=told.std_error(n),
        std_error_null=told.under(hypothesis.bounds[0][0], n),
        hypothesis=hypothesis,
    )
