"""Estimates of a reader study: the mean of the readers by test, and each reader's own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from rocstats.engine.measures import Bounds, Measure
from rocstats.engine.t_quantiles import stdtrit
from rocstats.errors import check_confidence_level, check_option
from rocstats.estimates.estimators import estimate_jointly
from rocstats.estimates.results import ConfidenceInterval, Estimate
from rocstats.tables import (
    AnswerAtLevel,
    AnswerByMethod,
    Rows,
    SingleValue,
    Statement,
    plot_forest,
    show_value,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.readers.reader_study import ReaderStudy

__all__ = ["CellEstimate", "CellEstimates", "ReaderEstimate", "ReaderEstimates", "cell_estimate"]

_SHOWN = ("test", "estimate", "std_error", "df", "conf_low", "conf_high")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderEstimate(SingleValue, AnswerByMethod):
    """The mean of the readers in one test.

    Attributes
    ----------
    test : str
        Name of the test.
    measure : str
        What was estimated, as it is printed.
    value : float
        The mean over readers.
    std_error, df : float
        Its standard error and degrees of freedom; ``df`` is inf for a normal reference.
    n_readers : int
        Number of readers.
    bounds : (float, float)
        The least and the largest value there can be.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    """

    test: str
    measure: str
    value: float
    std_error: float
    df: float
    n_readers: int
    bounds: Bounds = (-math.inf, math.inf)

    @property
    def estimate(self) -> float:
        """The value, by the name of its column."""
        return self.value

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the mean over readers.

        ``"wald"`` is mean plus and minus t standard errors, which R's packages give; ``"logit"`` is
        the same on the logit scale, for values from 0 to 1. ``"auto"`` is "logit" where it can be
        had, as it covers better (docs/evidence/readers.md), and "wald" elsewhere.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"auto", "wald", "logit"}, default "auto"
            How the limits are found.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        check_option("method", method, ("auto", "wald", "logit"))
        level = check_confidence_level(confidence_level)
        tail = (1.0 - level) / 2.0
        reach = math.nan
        if self.std_error > 0.0 and self.df > 0.0:
            reach = self.std_error * -_quantile(self.df, tail)
        low, high = self.value - reach, self.value + reach
        inside = 0.0 < self.value < 1.0 and self.bounds == (0.0, 1.0)
        if inside and method != "wald":
            logit = math.log(self.value / (1.0 - self.value))
            reach /= self.value * (1.0 - self.value)
            low, high = (1.0 / (1.0 + math.exp(-v)) for v in (logit - reach, logit + reach))
            method = "logit_t"
        else:
            method = "wald_t"
        if math.isinf(self.df):
            method = method.removesuffix("_t")
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=method)

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the mean with its interval, as one row."""
        limits = self.confidence_interval(confidence_level, method=method)
        row = {
            "test": self.test,
            "measure": self.measure,
            "estimate": self.value,
            "std_error": self.std_error,
            "df": self.df,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "conf_method": limits.method,
            "n_readers": self.n_readers,
        }
        return Statement(
            head=f"Mean {self.measure} of {self.n_readers} readers in {self.test}: "
            f"{show_value(self.value)} ({limits.confidence_level:.0%} CI {show_value(limits.low)} "
            f"to {show_value(limits.high)}), SE {show_value(self.std_error)}, "
            f"df {show_value(self.df)}",
            rows=[row],
            shown=_SHOWN,
            in_words=True,
        )


def _quantile(df: float, tail: float) -> float:
    if math.isinf(df):
        from scipy.special import ndtri

        return float(ndtri(tail))
    return float(stdtrit(df, tail))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReaderEstimates(Rows[ReaderEstimate], AnswerByMethod):
    """The mean of the readers in every test.

    Attributes
    ----------
    rows : tuple of ReaderEstimate
        One for each test.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    """

    rows: tuple[ReaderEstimate, ...]

    _one: ClassVar = "test"

    def _names(self) -> list[tuple[str]]:
        return [(row.test,) for row in self.rows]

    def _row(self, i: int) -> ReaderEstimate:
        return self.rows[i]

    def _part(self, where: Sequence[int]) -> ReaderEstimates:
        return replace(self, rows=tuple(self.rows[i] for i in where))

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return a row for each test."""
        rows = [
            row.statement(confidence_level=confidence_level, method=method).row for row in self.rows
        ]
        return Statement(rows=rows, shown=_SHOWN, content={"estimates": rows})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CellEstimate(SingleValue, AnswerAtLevel):
    """One reader in one test, for this reader alone.

    Attributes
    ----------
    test, reader : str
        Their names.
    own : Estimate
        The estimate of what this reader read, with its own intervals.
    std_error : float
        Standard error over cases, by the covariance of the comparison.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    """

    test: str
    reader: str
    own: Estimate
    std_error: float

    @property
    def value(self) -> float:
        """The estimate."""
        return self.own.value

    @property
    def estimate(self) -> float:
        """The value, by the name of its column."""
        return self.own.value

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of this reader's estimate, as `Estimate.confidence_interval` has it.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        return self.own.confidence_interval(confidence_level)

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the reader with the interval, as one row."""
        own = self.own.statement(confidence_level=confidence_level).row
        kept = ("estimate", "conf_low", "conf_high", "conf_level", "conf_method", "n_pos", "n_neg")
        row = {"test": self.test, "reader": self.reader}
        row |= {name: own[name] for name in kept[:1]} | {"std_error": self.std_error}
        row |= {name: own[name] for name in kept[1:]}
        return Statement(
            head=f"{self.own.measure.label} of reader {self.reader} in {self.test}: "
            f"{show_value(self.value)} ({own['conf_level']:.0%} CI {show_value(own['conf_low'])} "
            f"to {show_value(own['conf_high'])}), SE {show_value(self.std_error)}",
            rows=[row],
            shown=_CELL_SHOWN,
            in_words=True,
        )


def cell_estimate(
    study: ReaderStudy, i: int, j: int, measure: Measure, std_error: float
) -> CellEstimate:
    """Return one reader in one test, by their places in the study."""
    sample = study.sample(study.tests[i], study.readers[j])
    return CellEstimate(
        test=study.tests[i],
        reader=study.readers[j],
        own=estimate_jointly(sample, measure)[0].rows[0],
        std_error=std_error,
    )


_CELL_SHOWN = (
    *("test", "reader", "estimate", "std_error", "conf_low", "conf_high"),
    *("n_pos", "n_neg"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CellEstimates(Rows[CellEstimate], AnswerAtLevel):
    """Every reader in every test, each for that reader alone.

    Attributes
    ----------
    rows : tuple of CellEstimate
        One for each test and reader, test by test.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    """

    rows: tuple[CellEstimate, ...]

    _one: ClassVar = "test and reader"

    def _names(self) -> list[tuple[str, str]]:
        return [(row.test, row.reader) for row in self.rows]

    def _row(self, i: int) -> CellEstimate:
        return self.rows[i]

    def _part(self, where: Sequence[int]) -> CellEstimates:
        return replace(self, rows=tuple(self.rows[i] for i in where))

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return a row for each test and reader."""
        rows = [row.statement(confidence_level=confidence_level).row for row in self.rows]
        return Statement(rows=rows, shown=_CELL_SHOWN, content={"by_reader": rows})

    def plot(
        self,
        ax: Axes | None = None,
        *,
        confidence_level: float = 0.95,
        color: str | tuple[float, ...] | None = None,
    ) -> Axes:
        """Draw the readers with their intervals, one below the other.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        confidence_level : float, default 0.95
            Level of the intervals.
        color : str or tuple of float, optional
            Colour of marks and intervals.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        label = self.rows[0].own.measure.label
        return plot_forest(
            self.statement(confidence_level=confidence_level).tidy,
            [f"{row.test}, {row.reader}" for row in self.rows],
            ax,
            x_label=f"{label} ({100.0 * confidence_level:g}% CI)",
            color=color,
        )
