"""Plans: sizes, significance, effect and power that go together."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.errors import InvalidOptionError, RocstatsWarning, check_count, named
from rocstats.planning.hypotheses import Hypothesis
from rocstats.planning.targets import Target
from rocstats.tables import Answer, Statement, counted, plot_plan, show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PowerResult", "SimulatedPower", "make_plan", "power_of"]

_SCALES = np.linspace(0.05, 2.0, 118)  # of the sizes at which a plan is drawn; 1 is among them
_SHOWN = ("n_pos", "n_neg", "effect", "null_value", "alternative", "significance", "power")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SimulatedPower(Answer):
    """How often simulated studies of a plan showed what they were to show.

    Attributes
    ----------
    power, std_error : float
        Share of studies, judged as rocstats judges data, and its Monte-Carlo error.
    known_power : float
        Share by the plan's own test, whose standard error is the model's and not estimated; it
        tells the normal approximation's error from the test's.
    planned_power : float
        What the formula said.
    n_replicates : int
        Number of studies.

    See Also
    --------
    PowerResult.simulate : Simulate the planned study.
    """

    power: float
    std_error: float
    known_power: float
    planned_power: float
    n_replicates: int

    def statement(self) -> Statement:
        """Return the shares as one row."""
        row = {name: getattr(self, name) for name in self.__slots__}
        return Statement(
            head=f"Simulated power {self.power:.3f} (Monte-Carlo SE {self.std_error:.3f}, "
            f"{counted(self.n_replicates, 'replicate')}; planned {self.planned_power:.3f})",
            rows=[row],
            shown=tuple(row),
            in_words=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PowerResult(Answer):
    """A plan: sizes, significance, effect and power that go together.

    Attributes
    ----------
    n_pos, n_neg : int
        Class sizes, of the first group where there are two.
    n_pos2, n_neg2 : int or None
        Class sizes of a second group.
    power : float
        Power achieved at these sizes; nan for a plan of precision alone.
    significance : float
        Level of the test; one-sided where the alternative is, and for a margin.
    effect : float
        The assumed value: an area (or another measure), or a difference.
    null_value : float
        The value under the null hypothesis.
    alternative : str
        "two-sided", "greater" or "less".
    margin : float or None
        The margin, where there is one.
    aim : str or None
        What is to be shown by it.
    auc, auc2 : float or None
        The assumed areas; None where a pilot gives the value.
    std_error, std_error_null : float
        Standard errors of the estimate at the assumed value, and of the test's statistic where the
        null value holds (for a margin, at its first bound).
    half_width : float
        Half-width of the default interval, where the estimate is the assumed value.
    model, method : str
        How variances were found.
    target : Target
        What is estimated, with its variance.
    hypothesis : Hypothesis or None
        What is tested.

    See Also
    --------
    power_auc : The power of a study of given size.
    sample_size_auc : The least sizes that give the wanted power.
    """

    n_pos: int
    n_neg: int
    n_pos2: int | None
    n_neg2: int | None
    power: float
    significance: float
    effect: float
    null_value: float
    alternative: str
    margin: float | None
    aim: str | None
    auc: float | None
    auc2: float | None
    std_error: float
    std_error_null: float
    half_width: float
    model: str
    method: str
    target: Target
    hypothesis: Hypothesis | None

    @property
    def n_total(self) -> int:
        """Number of subjects in all."""
        return self.n_pos + self.n_neg + (self.n_pos2 or 0) + (self.n_neg2 or 0)

    @property
    def confidence_level(self) -> float:
        """Level of the interval that goes with the test."""
        return 1.0 - 2.0 * _tail(self.hypothesis, self.significance)

    @property
    def sentence(self) -> str:
        """The plan as one sentence for a protocol."""
        how = f"({self.method}; standard error {show_value(self.std_error)}"
        if self.hypothesis is None:
            return (
                f"With {self._sizes} the {100 * self.confidence_level:g}% confidence interval of "
                f"{self._value} has an expected half-width of {show_value(self.half_width)} {how})."
            )
        if self.std_error_null != self.std_error:
            how += f", under the null value {show_value(self.std_error_null)}"
        if self.aim is None:
            tests = f"a {'two' if self.alternative == 'two-sided' else 'one'}-sided test"
            side = {"two-sided": "differs from", "greater": "is above", "less": "is below"}
            claim = f"that {self._value} {side[self.alternative]} {self.null_value:g}"
        else:
            tests = "two one-sided tests" if self.aim == "equivalence" else "a one-sided test"
            versus = f" to {self.null_value:g}" if self.null_value else ""
            claim = f"{self.aim}{versus} within a margin of {self.margin:g} for {self._value}"
            if self.aim == "superiority":
                claim = claim.replace("within", "by more than", 1)
        return (
            f"With {self._sizes}, {tests} at level {self.significance:.4g} "
            f"{'have' if self.aim == 'equivalence' else 'has'} power {_show_power(self.power)} "
            f"to show {claim} {how})."
        )

    @property
    def _sizes(self) -> str:
        first = f"{counted(self.n_pos, 'positive')} and {counted(self.n_neg, 'negative')}"
        if self.n_pos2 is None or self.n_neg2 is None:
            return first
        second = f"{counted(self.n_pos2, 'positive')} and {counted(self.n_neg2, 'negative')}"
        return f"{first} in the first group and {second} in the second"

    @property
    def _value(self) -> str:
        if self.auc is None:
            return f"a value of {show_value(self.effect)}"
        if self.auc2 is None:
            return f"an AUC of {self.auc:.4g}"
        return f"a difference of {self.effect:.4g} (AUC {self.auc:.4g} less {self.auc2:.4g})"

    def simulate(self, n_replicates: int = 1000, *, rng: Any = 1) -> SimulatedPower:
        """Simulate the planned study and judge it as rocstats judges data.

        Normal scores of the assumed areas are drawn (whatever the model of the variance), or
        subjects of the pilot with replacement. One area is judged by the default interval of
        `rocstats.auc`, a difference by the test of `rocstats.compare` or `compare_independent`.

        Parameters
        ----------
        n_replicates : int, default 1000
            Number of studies to draw.
        rng : int, SeedSequence, Generator or None, default 1
            A seed or a generator; None is a fresh stream.

        Returns
        -------
        SimulatedPower
            The share of studies that showed what they were to show.
        """
        if self.hypothesis is None:
            raise InvalidOptionError("A plan of precision has no power to simulate.")
        n_replicates = check_count("n_replicates", n_replicates)
        from scipy.special import ndtri

        try:
            generator = np.random.default_rng(rng)
        except (TypeError, ValueError):
            raise InvalidOptionError(
                f"{named('rng')} must be a seed or a generator, got {rng!r}."
            ) from None
        z = -float(ndtri(self.hypothesis.tail(self.significance)))
        known = {
            bound: z * self.target.std_error(self.n_pos, self.n_neg, null=bound)
            for bound, _ in self.hypothesis.bounds
        }
        shown = shown_known = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocstatsWarning)
            for _ in range(n_replicates):
                value, limits = self.target.draw(
                    self.n_pos, self.n_neg, self.confidence_level, generator
                )
                shown += self.hypothesis.is_shown(limits.low, limits.high)
                shown_known += self.hypothesis.is_cleared(value, known)
        power = shown / n_replicates
        return SimulatedPower(
            power=power,
            std_error=math.sqrt(power * (1.0 - power) / n_replicates),
            known_power=shown_known / n_replicates,
            planned_power=self.power,
            n_replicates=n_replicates,
        )

    def statement(self) -> Statement:
        """Return the sentence, and the plan as one row."""
        names = [name for name in self.__slots__ if name not in ("target", "hypothesis")]
        row = {name: getattr(self, name) for name in names}
        return Statement(
            head=self.sentence,
            rows=[row | {"n_total": self.n_total, "sentence": self.sentence}],
            shown=_SHOWN,
            in_words=True,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        label: str | None = None,
        color: str | tuple[float, ...] | None = None,
    ) -> Axes:
        """Draw the power against the number of subjects, and the plan as a point.

        The classes, and the groups, keep their ratio. A plan of precision has no power: there the
        half-width of the interval is drawn.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on, another plan's too; by default those of a new figure of pyplot.
        label : str, optional
            What the legend says; by default the assumed value and the sizes.
        color : str or tuple of float, optional
            Colour of the line and the point.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        sizes = sorted(
            {(max(2, round(self.n_pos * k)), max(2, round(self.n_neg * k))) for k in _SCALES}
        )
        target, hypothesis = self.target, self.hypothesis
        if hypothesis is None:
            tail = _tail(None, self.significance)
            value = [_half_width(target, m, n, tail) for m, n in sizes]
        else:
            value = [power_of(target, hypothesis, m, n, self.significance) for m, n in sizes]
        total = [m + n + sum(target.second_sizes(m, n) or ()) for m, n in sizes]
        name = f"{self._value[0].upper()}{self._value[1:]}"
        return plot_plan(
            total,
            value,
            ax,
            here=(self.n_total, self.half_width if hypothesis is None else self.power),
            label=f"{name}: {self.n_total} subjects" if label is None else label,
            y_label="Half-width" if hypothesis is None else "Power",
            level=None if hypothesis is None else self.significance,
            color=color,
        )


def make_plan(
    target: Target, hypothesis: Hypothesis | None, m: int, n: int, significance: float, model: str
) -> PowerResult:
    """Return the plan at given sizes."""
    effect, std_error = target.effect(m, n), target.std_error(m, n)
    if not std_error > 0.0:
        raise InvalidOptionError(
            "The estimate would have no variance under these assumptions, so there is nothing to "
            "plan."
        )
    second = target.second_sizes(m, n) or (None, None)
    null, power = math.nan, math.nan
    if hypothesis is not None:
        null = target.std_error(m, n, null=hypothesis.bounds[0][0])
        power = power_of(target, hypothesis, m, n, significance)
    auc, auc2 = target.areas
    return PowerResult(
        n_pos=m,
        n_neg=n,
        n_pos2=second[0],
        n_neg2=second[1],
        power=power,
        significance=significance,
        effect=effect,
        null_value=math.nan if hypothesis is None else hypothesis.null_value,
        alternative="two-sided" if hypothesis is None else hypothesis.alternative,
        margin=None if hypothesis is None else hypothesis.margin,
        aim=None if hypothesis is None else hypothesis.aim,
        auc=auc,
        auc2=auc2,
        std_error=std_error,
        std_error_null=null,
        half_width=_half_width(target, m, n, _tail(hypothesis, significance)),
        model=model,
        method=target.method,
        target=target,
        hypothesis=hypothesis,
    )


def power_of(target: Target, hypothesis: Hypothesis, m: int, n: int, significance: float) -> float:
    """Return the power at given sizes."""
    return hypothesis.power(
        target.effect(m, n),
        target.std_error(m, n),
        lambda bound: target.std_error(m, n, null=bound),
        significance,
    )


def _half_width(target: Target, m: int, n: int, tail: float) -> float:
    low, high = target.limits(m, n, 1.0 - 2.0 * tail)
    return (high - low) / 2.0


def _tail(hypothesis: Hypothesis | None, significance: float) -> float:
    return significance / 2.0 if hypothesis is None else hypothesis.tail(significance)


def _show_power(power: float) -> str:
    return "above 0.999" if power > 0.999 else f"{power:.3f}"
