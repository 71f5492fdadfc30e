"""The calibration curve (reliability diagram): observed shares beside predicted ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import read_only
from rocstats.data.sample import Account, NanPolicy, as_sample
from rocstats.engine.forecasts import (
    Codes,
    Forecasts,
    Strategy,
    assign_bins,
    bin_means,
    count_forecasts,
)
from rocstats.engine.variances import effective_size
from rocstats.errors import InvalidOptionError, check_confidence_level, named
from rocstats.estimates.proportion_limits import proportion_limits
from rocstats.probabilities.lowess import local_shares
from rocstats.tables import Answer, Statement, TidyRows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["CalibrationCurve", "calibration_curve"]

_COLUMNS = ("predicted", "observed", "conf_low", "conf_high", "n", "n_pos")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CalibrationCurve(TidyRows, DrawnCurve, Answer):
    """Observed shares of positives in bins of predicted probability.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    predicted, observed : array of shape (K,)
        Mean probability and share of positives in every bin.
    n, n_pos : array of int of shape (K,)
        Subjects and positives in every bin.
    conf_low, conf_high : array of shape (K,)
        Wilson limits of the observed shares, each at the confidence level.
    confidence_level : float
        Level of those limits.
    forecasts : Forecasts
        The probabilities themselves.

    See Also
    --------
    calibration_curve : Compare probabilities with observed shares, bin by bin.
    """

    classifier: str
    predicted: Floats
    observed: Floats
    n: Ints
    n_pos: Ints
    conf_low: Floats
    conf_high: Floats
    confidence_level: float
    forecasts: Forecasts

    @cached_property
    def smooth(self) -> tuple[Floats, Floats]:
        """Distinct probabilities in order, and the smoothed share of positives at each (lowess)."""
        return local_shares(self.forecasts.prob, self.forecasts.outcome)

    @property
    def expected_error(self) -> float:
        """Expected calibration error: mean distance of observed and predicted over the bins."""
        return float((self.n * np.abs(self.observed - self.predicted)).sum() / self.n.sum())

    def error_indices(self) -> dict[str, float]:
        """Return mean, median, 90% quantile and maximum distance of smooth curve and diagonal.

        These are ICI, E50, E90 and Emax of Austin & Steyerberg (2019, doi:10.1002/sim.8281), with
        the smoother of ``rms::val.prob``. Noise adds to them: none is 0 for a perfect model.
        """
        prob, share = self.smooth
        distance = np.abs(np.interp(self.forecasts.prob, prob, share) - self.forecasts.prob)
        e50, e90 = np.quantile(distance, [0.5, 0.9]).tolist()
        return {
            "ici": float(distance.mean()),
            "e50": e50,
            "e90": e90,
            "emax": float(distance.max()),
        }

    @property
    def account(self) -> Account:
        """Which class is positive, and who was left out."""
        return self.forecasts.sample.account

    def statement(self) -> Statement:
        """Return the bins, a row each."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        return Statement(
            head=f"Calibration curve of {self.classifier}, {self.n.size} bins, "
            f"{self.confidence_level:.0%} Wilson intervals",
            rows=columns,
            shown=_COLUMNS,
            content={
                "classifier": self.classifier,
                **columns,
                "conf_level": self.confidence_level,
            },
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.probability_plot import draw_calibration

        return draw_calibration(self, ax, line)


def _worth(forecasts: Forecasts, codes: Codes, share: Floats, size: Ints, level: float) -> Floats:
    """Return how many independent subjects every bin is worth: all of them without clusters."""
    cluster, n = forecasts.sample.cluster, size.astype(np.float64)
    if cluster is None:
        return n
    pair, place = np.unique(codes * (int(cluster.max()) + 1) + cluster, return_inverse=True)
    home = pair // (int(cluster.max()) + 1)
    sums = np.bincount(place, forecasts.outcome - share[codes])
    square, units = (np.bincount(home, w).astype(np.float64) for w in (sums * sums, None))
    return effective_size(n * share * (1.0 - share), square, n, units, level)


def calibration_curve(
    y_true: Any,
    y_prob: Any = None,
    n_bins: int = 10,
    *,
    strategy: Strategy = "quantile",
    confidence_level: float = 0.95,
    pos_label: Any = None,
    marker: str | None = None,
    nan_policy: NanPolicy | None = None,
) -> CalibrationCurve:
    """Compare predicted probabilities with observed shares, bin by bin.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the probabilities too.
    y_prob : array-like of shape (N,), mapping or data frame, optional
        Probabilities of the positive class, of one model or of several by name; none with a sample.
    n_bins : int, default 10
        Number of bins; equal probabilities share a bin, and empty bins are left out.
    strategy : {"quantile", "uniform"}, default "quantile"
        Bins of about equal size, or of equal width on [0, 1].
    confidence_level : float, default 0.95
        Level of the Wilson interval of every bin.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which model, where there are several.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    CalibrationCurve
        Mean probability and observed share in every bin.

    See Also
    --------
    calibration : Judge probabilities by their mean, intercept and slope.
    brier_score : Estimate the Brier score.

    Notes
    -----
    Bins are those of ``sklearn.calibration.calibration_curve``, whose default is
    ``n_bins=5, strategy="uniform"``. With clusters an interval rests on the effective number of
    subjects, as in `operating_points`. ``smooth`` is lowess as in R,
    ``lowess(p, y, iter = 0)``; ``error_indices()`` has its mean distance from the diagonal (ICI).
    R equivalent: ``rms::val.prob``.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.calibration_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.8], n_bins=2)
    >>> curve.predicted.round(3).tolist(), curve.observed.round(3).tolist()
    ([0.2, 0.7], [0.333, 0.667])
    """
    level = check_confidence_level(confidence_level)
    sample = as_sample(y_true, y_prob, pos_label=pos_label, nan_policy=nan_policy)
    forecasts, came, count = count_forecasts(sample, sample.marker(marker), "A calibration curve")
    if n_bins is None:
        raise InvalidOptionError(f"{named('n_bins')} must be a positive whole number, got None.")
    codes = assign_bins(forecasts.prob, n_bins, strategy, count)
    outcome = forecasts.outcome if came is None else came
    size, predicted, observed = bin_means(codes, forecasts.prob, outcome, count=count)
    effective = _worth(forecasts, codes, observed, size, level)
    low, high = proportion_limits(observed * effective, effective, level=level, method="wilson")
    return CalibrationCurve(
        classifier=forecasts.classifier,
        predicted=read_only(predicted),
        observed=read_only(observed),
        n=read_only(size),
        n_pos=read_only(np.rint(observed * size).astype(np.int64)),
        conf_low=read_only(low),
        conf_high=read_only(high),
        confidence_level=level,
        forecasts=forecasts,
    )
