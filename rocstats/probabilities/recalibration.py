"""Calibration in the large, intercept and slope: how the probabilities would have to be bent."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocstats.arrays import Floats
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.data.sample import Account, NanPolicy, as_sample
from rocstats.engine.forecasts import Forecasts, read_forecasts
from rocstats.errors import DegenerateVarianceWarning, RocstatsWarning, warn_user
from rocstats.estimates.results import TEST_COLUMNS, TestResult
from rocstats.inference.contrasts import judge_contrasts, tail_probability
from rocstats.inference.omnibus import OmnibusTest
from rocstats.probabilities.logistic import (
    LogisticFit,
    fit_intercept,
    fit_line,
    is_separated,
    log_likelihood,
)
from rocstats.tables import AnswerAtLevel, Row, Rows, Statement, counted, show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["Calibration", "NoCalibrationFitWarning", "calibration"]


class NoCalibrationFitWarning(RocstatsWarning):
    """The calibration intercept or slope does not exist, so it is nan.

    Look at the groups of `rocstats.calibration_curve` instead; scores that separate the classes, or
    do not vary, have no slope.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Calibration(Rows[TestResult], DrawnCurve, AnswerAtLevel):
    """Whether probabilities are right on the whole, and how they would have to be bent.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    n_pos, n_neg : int
        Class sizes.
    in_the_large : TestResult
        Share of positives less mean probability, against 0.
    intercept : TestResult
        Calibration intercept with the slope held at 1, against 0.
    slope : TestResult
        Calibration slope, against 1; below 1 where probabilities are too extreme.
    spiegelhalter : TestResult
        Brier score less what it would be if the probabilities were right, against 0.
    line_intercept : TestResult
        Intercept of the line whose slope is `slope`, against 0: not `intercept`, unless the slope
        is 1.
    joint : OmnibusTest
        Intercept 0 and slope 1 of the line together.
    forecasts : Forecasts
        The probabilities themselves.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    calibration : Judge probabilities by their mean, intercept and slope.
    """

    classifier: str
    n_pos: int
    n_neg: int
    in_the_large: TestResult
    intercept: TestResult
    slope: TestResult
    spiegelhalter: TestResult
    line_intercept: TestResult
    joint: OmnibusTest
    forecasts: Forecasts = field(compare=False)
    account: Account | None = None

    _one: ClassVar = "test"

    def _names(self) -> list[tuple[str]]:
        return [(test.contrast,) for test in self.tests]

    def _row(self, i: int) -> TestResult:
        return self.tests[i]

    @property
    def tests(self) -> tuple[TestResult, ...]:
        """The tests of one number each."""
        return self.in_the_large, self.intercept, self.slope, self.spiegelhalter

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return a row for each number, and the joint test."""
        rows = [t.statement(confidence_level=confidence_level).row for t in self.tests]
        joint = self.joint.statement()
        line = self.line_intercept.statement(confidence_level=confidence_level).row
        told = Statement(
            head=f"Calibration of {self.classifier}: {counted(self.n_pos, 'positive')}, "
            f"{counted(self.n_neg, 'negative')}",
            rows=[_as_known(row) for row in rows],
            shown=_SHOWN,
            notes=[
                joint.head,
                f"The line of slope {show_value(self.slope.estimate)} has the intercept "
                f"{show_value(line['estimate'])} ({confidence_level:.4g} limits "
                f"{show_value(line['conf_low'])} to {show_value(line['conf_high'])}).",
            ],
        )
        return Statement(
            rows=rows,
            parts=[told],
            content={
                "classifier": self.classifier,
                "n_pos": self.n_pos,
                "n_neg": self.n_neg,
                "tests": rows,
                "line_intercept": line,
                "joint": joint.row,
            },
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.probabilities.reliability import calibration_curve

        curve = calibration_curve(self.forecasts.sample, marker=self.classifier)
        label = (
            f"{self.classifier} (intercept {self.intercept.estimate:.2f}, "
            f"slope {self.slope.estimate:.2f})"
        )
        return curve._draw(ax, line if line.label is not None else replace(line, label=label))


_SHOWN = ("contrast", "null_value", *TEST_COLUMNS[1:])
_KNOWN = 1e-4  # of a standard error: a fit does not know its estimates better


def _as_known(row: Row) -> Row:
    """Return a row to be read, whose estimate is the null value where the fit cannot tell."""
    if abs(row["statistic"]) < _KNOWN:
        return {**row, "estimate": row["null_value"], "statistic": 0.0}
    return row


def calibration(
    y_true: Any,
    y_prob: Any = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    nan_policy: NanPolicy | None = None,
) -> Calibration:
    """Judge the calibration of probabilities by their mean, intercept and slope.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the probabilities too.
    y_prob : array-like of shape (N,), mapping or data frame, optional
        Probabilities of the positive class, of one model or of several by name; none with a sample.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which model, where there are several.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    Calibration
        The tests of mean, intercept and slope, one by one and jointly.

    See Also
    --------
    calibration_curve : Compare probabilities with observed shares, bin by bin.
    brier_score : Estimate the Brier score.

    Notes
    -----
    The intercept a is fitted in ``logit P = a + logit p``, the slope b and the line's intercept c
    in ``logit P = c + b logit p`` (Cox 1958); the joint test is the likelihood ratio of that line
    against c = 0, b = 1 on chi-square(2). a says whether probabilities are too low or too high on
    the whole; c is the logit of P where p is 1/2, and differs from a unless b is 1. Standard errors
    are the model's own; with clusters they, and a Wald test in place of the likelihood ratio, are
    by the spread of the clusters' influence. A probability of exactly 0 or 1 has no logit, and
    where a cut of the probabilities parts the classes no slope is the likeliest: these are nan with
    a `NoCalibrationFitWarning`, and the rest stands. Spiegelhalter's (1986) z is the Brier score
    less ``mean p (1 - p)`` over its standard error under calibration. On the data a model was
    fitted to, all of them look perfect: take new data.

    R equivalent: ``glm(y ~ offset(qlogis(p)), binomial)`` for the intercept, ``glm(y ~ qlogis(p),
    binomial)`` for the line. Of ``rms::val.prob`` Intercept is `line_intercept` and not
    `intercept`, Slope is `slope`, U:Chi-sq and U:p are `joint`, S:z and S:p `spiegelhalter`.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1]
    >>> found = rs.calibration(y, [0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    >>> round(found.intercept.estimate, 4), round(found.slope.estimate, 4)
    (0.1652, 1.5745)
    >>> round(found.line_intercept.estimate, 4)
    0.2903
    """
    sample = as_sample(y_true, y_prob, pos_label=pos_label, nan_policy=nan_policy)
    forecasts = read_forecasts(sample, sample.marker(marker), "Calibration")
    outcome, prob = forecasts.outcome, forecasts.prob
    mean = forecasts.mean_influence(outcome - prob, ["calibration"])
    large = judge_contrasts(mean, ["observed - predicted"], np.array([float(prob.mean())]))[0]
    flat, line = _fits(forecasts)
    return Calibration(
        classifier=forecasts.classifier,
        n_pos=sample.n_pos,
        n_neg=sample.n_neg,
        in_the_large=replace(large, method="t test of the mean"),
        intercept=_judge_coefficient(forecasts, flat, "intercept", 0.0),
        slope=_judge_coefficient(forecasts, line, "slope", 1.0),
        line_intercept=_judge_coefficient(forecasts, line, "intercept of the line", 0.0, which=0),
        spiegelhalter=_spiegelhalter(forecasts),
        joint=_judge_line(forecasts, line),
        forecasts=forecasts,
        account=sample.account,
    )


def _fits(forecasts: Forecasts) -> tuple[LogisticFit | None, LogisticFit | None]:
    """Return the fits with the slope held at 1 and free, or None where there is none."""
    from scipy.special import logit

    prob, positive = forecasts.prob, forecasts.sample.positive
    certain = int(np.count_nonzero((prob == 0.0) | (prob == 1.0)))
    if certain:
        warn_user(
            f"{forecasts.classifier} has {certain} of {prob.size} probabilities that are exactly 0 "
            "or 1, whose logit is infinite, so the calibration intercept and slope are nan.",
            NoCalibrationFitWarning,
        )
        return None, None
    x = logit(prob)
    if is_separated(x, positive):
        warn_user(
            f"A cut of {forecasts.classifier} parts the classes, or all its probabilities are "
            "equal, so there is no calibration slope and it is nan.",
            NoCalibrationFitWarning,
        )
        return fit_intercept(x, positive), None
    return fit_intercept(x, positive), fit_line(x, positive)


def _coefficient_covariance(forecasts: Forecasts, fit: LogisticFit) -> tuple[Floats, float]:
    """Return the model's own covariance, or that by clusters, and its degrees of freedom."""
    if forecasts.sample.cluster is None:
        return fit.covariance, math.inf
    from scipy.special import logit

    names = [f"coefficient {i + 1}" for i in range(fit.coefficients.size)]
    values = fit.influence(logit(forecasts.prob), forecasts.sample.positive)
    influence = forecasts.mean_influence(values, names)
    return influence.covariance(), influence.most_df()


def _judge_coefficient(
    forecasts: Forecasts, fit: LogisticFit | None, name: str, null_value: float, which: int = -1
) -> TestResult:
    """Test a coefficient of a fit, by default the last one."""
    estimate = std_error = math.nan
    df = math.inf
    if fit is not None:
        covariance, df = _coefficient_covariance(forecasts, fit)
        estimate = float(fit.coefficients[which])
        std_error = math.sqrt(float(covariance[which, which]))
    return _test(
        name,
        f"{'z' if math.isinf(df) else 't'} test of the logistic {name}",
        null_value,
        (estimate, std_error, df),
    )


def _test(
    name: str, method: str, null_value: float, found: tuple[float, float, float]
) -> TestResult:
    estimate, std_error, df = found
    statistic = (estimate - null_value) / std_error if std_error > 0.0 else math.nan
    return TestResult(
        contrast=name,
        method=method,
        null_value=null_value,
        alternative="two-sided",
        estimate=estimate,
        std_error=std_error,
        statistic=statistic,
        df=df,
        pvalue=tail_probability(statistic, df, "two-sided"),
    )


def _judge_line(forecasts: Forecasts, line: LogisticFit | None) -> OmnibusTest:
    """Test whether the fitted line is the diagonal."""
    from scipy.special import chdtrc, fdtrc, logit

    method = "Intercept 0 and slope 1, likelihood ratio"
    if line is None:
        return OmnibusTest(method=method, statistic=math.nan, df=2.0, pvalue=math.nan)
    if forecasts.sample.cluster is None:
        diagonal = log_likelihood(logit(forecasts.prob), forecasts.sample.positive)
        ratio = max(2.0 * (line.log_likelihood - diagonal), 0.0)
        return OmnibusTest(method=method, statistic=ratio, df=2.0, pvalue=float(chdtrc(2.0, ratio)))
    covariance, df = _coefficient_covariance(forecasts, line)
    shift = line.coefficients - np.array([0.0, 1.0])
    below = df - 1.0  # Hotelling's T-square of two numbers over df + 1 clusters
    square = math.nan
    if below > 0.0:
        square = float(shift @ np.linalg.solve(covariance, shift)) * below / (2.0 * df)
    return OmnibusTest(
        method="Intercept 0 and slope 1, Wald by clusters",
        statistic=square,
        df=2.0,
        df_denominator=below,
        pvalue=float(fdtrc(2.0, below, square)),
    )


def _spiegelhalter(forecasts: Forecasts) -> TestResult:
    """Compare the Brier score with its expectation; its variance is under calibration."""
    prob, cluster = forecasts.prob, forecasts.sample.cluster
    excess = (forecasts.outcome - prob) * (1.0 - 2.0 * prob)
    if cluster is None:
        variance = float(((1.0 - 2.0 * prob) ** 2 * prob * (1.0 - prob)).sum())
    else:
        variance = float((np.bincount(cluster, excess) ** 2).sum())
    if variance == 0.0:
        warn_user(
            f"The Brier score of {forecasts.classifier} cannot vary if its probabilities are "
            "right, so Spiegelhalter's test is nan.",
            DegenerateVarianceWarning,
        )
    return _test(
        "Brier score - expected",
        "z test by Spiegelhalter",
        0.0,
        (float(excess.mean()), math.sqrt(variance) / prob.size, math.inf),
    )
