"""A model in production: its AUC window by window, each against a baseline."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rocstats.data.sample import Account, Dropped, NanPolicy
from rocstats.data.scan.site_sketch import SiteSketch
from rocstats.data.scan.stream_windows import count_windows
from rocstats.errors import (
    InvalidOptionError,
    RocstatsWarning,
    SingleClassError,
    aside,
    check_confidence_level,
    check_count,
    check_option,
    check_significance,
    named,
)
from rocstats.estimates.estimators import auc
from rocstats.estimates.results import Alternative, Estimate, TestResult
from rocstats.inference.adjusted_pvalues import ADJUSTMENTS, adjust_pvalues
from rocstats.inference.independent import compare_independent
from rocstats.tables import (
    AnswerAtLevel,
    Statement,
    TidyRows,
    counted,
    plot_bands,
    show_p,
    show_value,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Monitoring", "monitor"]

_SHOWN = (
    *("window", "n_pos", "n_neg", "estimate", "conf_low", "conf_high"),
    *("difference", "p_value", "p_adjusted", "changed"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Monitoring(TidyRows, AnswerAtLevel):
    """The AUC of a model over windows of a stream, and which windows differ from the baseline.

    Attributes
    ----------
    marker : str
        The model, or marker.
    windows : tuple of str
        Names of the windows, in their order; those of the baseline first where it is of the stream.
    sketches : tuple of SiteSketch or None
        What was counted in each; None where a class is lacking.
    baseline : SiteSketch
        What the windows are tested against.
    n_baseline : int
        How many of the first windows are the baseline; 0 where it was given.
    tests : tuple of TestResult or None
        The difference from the baseline in each window; None in the baseline itself, and where a
        class has fewer than two subjects.
    adjust : str
        How p-values are adjusted for their number.
    n_planned : int or None
        For how many tests in all, where that was planned.
    significance : float
        The level at which a window has changed.
    dropped : Dropped
        What ``nan_policy="omit"`` left out.

    See Also
    --------
    monitor : Watch a model in production.
    compare_independent : Compare estimates from different samples.
    """

    marker: str
    windows: tuple[str, ...]
    sketches: tuple[SiteSketch | None, ...]
    baseline: SiteSketch
    n_baseline: int
    tests: tuple[TestResult | None, ...]
    adjust: str
    n_planned: int | None
    significance: float
    dropped: Dropped

    @property
    def account(self) -> Account:
        """Which class is positive, who was left out, and whether scores are in bins."""
        exact = all(one.is_exact for one in (self.baseline, *self.sketches) if one is not None)
        return Account(
            pos_label=self.baseline.pos_label,
            neg_label=self.baseline.neg_label,
            dropped=self.dropped,
            design="" if exact else "not exact: some windows counted in bins of scores",
        )

    _named_by: ClassVar = ("window",)
    _one: ClassVar = "window"

    def __len__(self) -> int:
        return len(self.windows)

    @property
    def estimates(self) -> tuple[Estimate | None, ...]:
        """The AUC of every window; None where a class is lacking."""
        return tuple(None if one is None else auc(one) for one in self.sketches)

    @property
    def p_adjusted(self) -> tuple[float, ...]:
        """The p-values of all windows, adjusted; nan where nothing was tested."""
        given = [math.nan if test is None else test.pvalue for test in self.tests]
        if self.n_planned is not None:
            return tuple(min(1.0, p * self.n_planned) if p == p else p for p in given)
        return adjust_pvalues(given, self.adjust)

    @property
    def changed(self) -> tuple[str, ...]:
        """The windows that differ from the baseline at the level of the tests."""
        return tuple(
            name
            for name, p in zip(self.windows, self.p_adjusted, strict=True)
            if p <= self.significance
        )

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return a row for each window, with its AUC and its difference from the baseline.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        Statement
            Head, rows and notes.
        """
        level = check_confidence_level(confidence_level)
        rows = [
            self._window(*parts, level)
            for parts in zip(self.windows, self.sketches, self.tests, self.p_adjusted, strict=True)
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocstatsWarning)
            base = auc(self.baseline)
            limits = base.confidence_interval(level)
        first = "given beforehand"
        if self.n_baseline:
            some = f"{self.n_baseline} windows" if self.n_baseline > 1 else "window"
            first = f"the first {some}"
        baseline = {
            "estimate": base.value,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "n_pos": base.n_pos,
            "n_neg": base.n_neg,
        }
        how = self.adjust
        if self.n_planned is not None:
            how = f"bonferroni for {self.n_planned} planned tests"
        return Statement(
            head=f"AUC of {self.marker} over {counted(len(self), 'window')}; baseline ({first}): "
            f"{show_value(base.value)} ({level:.0%} interval {show_value(limits.low)} to "
            f"{show_value(limits.high)})",
            rows=rows,
            shown=_SHOWN,
            notes=[*self._notes(), f"p adjusted: {how}; intervals not adjusted"],
            content={
                "marker": self.marker,
                "conf_level": level,
                "significance": self.significance,
                "adjust": how,
                "baseline": {**baseline, "windows": self.n_baseline},
                "changed": list(self.changed),
                "windows": rows,
            },
        )

    def _window(
        self,
        name: str,
        sketch: SiteSketch | None,
        test: TestResult | None,
        p_adjusted: float,
        level: float,
    ) -> dict[str, Any]:
        row: dict[str, Any] = {"window": name, "n_pos": 0, "n_neg": 0}
        row |= dict.fromkeys(("estimate", "std_error", "conf_low", "conf_high"), math.nan)
        if sketch is not None:
            with warnings.catch_warnings():  # a window without variance: its interval says so
                warnings.simplefilter("ignore", RocstatsWarning)
                found = auc(sketch)
                limits = found.confidence_interval(level)
                row |= {
                    "n_pos": found.n_pos,
                    "n_neg": found.n_neg,
                    "estimate": found.value,
                    "std_error": found.std_error,
                    "conf_low": limits.low,
                    "conf_high": limits.high,
                }
        return row | {
            "difference": math.nan if test is None else test.estimate,
            "statistic": math.nan if test is None else test.statistic,
            "df": math.nan if test is None else test.df,
            "p_value": math.nan if test is None else test.pvalue,
            "p_adjusted": p_adjusted,
            "changed": None if test is None else bool(p_adjusted <= self.significance),
        }

    def _notes(self) -> list[str]:
        tested = [p for p in self.p_adjusted if p == p]
        lacking = sum(test is None for test in self.tests) - self.n_baseline
        notes = []
        if not tested:
            notes.append("No window was tested against the baseline.")
        elif self.changed:
            notes.append(
                f"Changed from the baseline (adjusted p at most {self.significance:g}): "
                f"{', '.join(self.changed)}."
            )
        else:
            notes.append(
                "No window differs from the baseline by more than chance (smallest adjusted p "
                f"{show_p(min(tested))}); windows of this size may miss a small change."
            )
        if lacking > 0:
            notes.append(
                f"{counted(lacking, 'window')} had fewer than two subjects of a class, and could "
                "not be tested."
            )
        return notes

    def plot(self, ax: Axes | None = None, *, confidence_level: float = 0.95) -> Axes:
        """Draw the AUC of the windows with their intervals, and the baseline as a line.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new one by default.
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        rows = self.statement(confidence_level=confidence_level).tidy
        return plot_bands(
            rows,
            self.marker,
            ax,
            x_label="Window",
            y_label="AUC",
            level=auc(self.baseline).value,
        )


def monitor(
    batches: Iterable[Any],
    window: Any = None,
    *,
    baseline: int | SiteSketch = 1,
    marker: str | None = None,
    pos_label: Any = None,
    higher_is_positive: bool = True,
    nan_policy: NanPolicy = "raise",
    adjust: str = "holm",
    n_planned: int | None = None,
    alternative: Alternative = "two-sided",
    significance: float = 0.05,
    budget: int = 2**16,
) -> Monitoring:
    """Watch a model in production: its AUC over windows of a stream, each against a baseline.

    Parameters
    ----------
    batches : iterable
        The stream: pairs ``(y_true, y_score)``, triples ``(y_true, y_score, time)``, or sketches.
        It is read once, and rows are not kept.
    window : int, number or timedelta, optional
        None takes every batch as a window. With pairs, how many subjects a window has; with
        triples, how long it lasts, in the unit of the times.
    baseline : int or SiteSketch, default 1
        How many of the first windows are the baseline; or a sketch, such as that of the study in
        which the model was validated.
    marker : str, optional
        Which marker, where there are several.
    pos_label : label, default 1
        The label of the positive class; sketches have their own.
    higher_is_positive : bool, default True
        False where low scores speak for the positive class; sketches have their own.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.
    adjust : str, default "holm"
        How to adjust p-values for the number of windows.
    n_planned : int, optional
        How many tests there will be in all, where the stream is looked at again and again; every
        p-value is then multiplied by it, and looking early costs nothing.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against no change; "less" looks for an AUC that has fallen.
    significance : float, default 0.05
        The level at which a window has changed.
    budget : int, default 2**16
        Distinct scores that are counted in a window; more are counted in bins, which is said.

    Returns
    -------
    Monitoring
        A row for each window, and which have changed.

    See Also
    --------
    sketch : Count the scores of a batch, to be saved and watched later.
    compare_independent : Compare estimates from different samples.

    Notes
    -----
    A window is independent of the baseline, and tested against it as `compare_independent` does.
    All tests share the baseline; Holm's method allows for that. Outcomes must be known: a window
    whose outcomes are still to come cannot be judged by its AUC. Memory is at most that of
    `budget` scores for each window (docs/howto/monitor.md).

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(5)
    >>> def day(shift):
    ...     y = np.arange(200) % 2
    ...     return y, shift * y + rng.normal(size=200)
    >>> found = rs.monitor([day(2.0), day(2.0), day(0.5)])
    >>> found.changed
    ('3',)
    """
    check_option("adjust", adjust, ADJUSTMENTS)
    check_option("alternative", alternative, ("two-sided", "greater", "less"))
    level = check_significance(significance, most=1.0)
    planned = None
    if n_planned is not None:
        planned = check_count("n_planned", n_planned, least=1, most=10**6)
    found = count_windows(
        batches,
        window,
        marker=marker,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        budget=check_count("budget", budget, least=2, most=2**31),
    )
    sketches = found.sketches
    first = 0
    if isinstance(baseline, SiteSketch):
        base = baseline.only(baseline.marker(marker))
    else:
        first = check_count("baseline", baseline, least=1, most=10**6)
        base = _baseline(sketches, first)
    tests = [None] * first + [_test(one, base, alternative) for one in sketches[first:]]
    if planned is not None and planned < sum(test is not None for test in tests):
        raise InvalidOptionError(
            f"{named('n_planned')} is {planned}, and there are more windows to test already."
        )
    return Monitoring(
        marker=base.markers[0],
        windows=found.names,
        sketches=sketches,
        baseline=base,
        n_baseline=first,
        tests=tuple(tests),
        adjust=adjust,
        n_planned=planned,
        significance=level,
        dropped=found.dropped,
    )


def _baseline(sketches: Sequence[SiteSketch | None], first: int) -> SiteSketch:
    if len(sketches) <= first:
        raise InvalidOptionError(
            f"The stream has {counted(len(sketches), 'window')}, and {named('baseline')} takes "
            f"{first}; wait for more{aside(', or take a smaller window')}."
        )
    own = [one for one in sketches[:first] if one is not None]
    if len(own) < first:
        raise SingleClassError(
            "A window of the baseline lacks a class; take a larger window, or more of them."
        )
    return own[0].merge(*own[1:])


def _test(one: SiteSketch | None, base: SiteSketch, alternative: Alternative) -> TestResult | None:
    if one is None or min(one.n_pos, one.n_neg, base.n_pos, base.n_neg) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocstatsWarning)
        return compare_independent(auc(one), auc(base), alternative=alternative)
