"""pROC's curves: empirical, as our own `RocCurve`, and smoothed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocstats.curves.roc import RocCurve
from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError, check_option, named
from rocstats.rbridge.proc_calls import ask, curve_of
from rocstats.rbridge.session import require
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from rocstats.arrays import Floats

__all__ = ["SmoothedCurve", "roc", "smooth"]

_SMOOTHERS = {
    "binormal": (),
    "density": (),
    "fitdistr": ("MASS",),
    "logcondens": ("logcondens",),
    "logcondens.smooth": ("logcondens",),
}
_MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmoothedCurve(Answer):
    """A ROC curve smoothed by pROC.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    method : str
        pROC's smoother.
    fpr, tpr : array
        Points of the curve, from (0, 0) to (1, 1).
    auc : float
        pROC's area, analytic where the curve is binormal.

    See Also
    --------
    smooth : A smoothed curve, as pROC has it.
    """

    classifier: str
    method: str
    fpr: Floats
    tpr: Floats
    auc: float

    def area(self) -> float:
        """Return the area under the curve as pROC has it."""
        return self.auc

    def statement(self) -> Statement:
        """Return the area, and the points as columns."""
        columns = {"fpr": self.fpr, "tpr": self.tpr}
        return Statement(
            head=f"ROC curve of {self.classifier}, smoothed by pROC ({self.method}): "
            f"AUC {self.auc:.4f}, {self.fpr.size} points",
            rows=columns,
            content={
                "classifier": self.classifier,
                "method": self.method,
                "auc": self.auc,
                **columns,
            },
        )


def roc(sample: ScoredSample, *, marker: str | None = None) -> RocCurve:
    """Return pROC's empirical ROC curve of one marker.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.

    Returns
    -------
    RocCurve
        The curve, with pROC's thresholds.

    See Also
    --------
    auc : The area, as pROC has it.
    smooth : A smoothed curve, as pROC has it.
    rocstats.roc_curve : The same in Python.

    Notes
    -----
    R: ``pROC::roc(response, predictor, levels = c(negative, positive), direction = )``, direction
    from `higher_is_positive`, never "auto". The thresholds are pROC's: they lie halfway between
    neighbouring scores, and the last, infinite, calls everyone positive.

    Examples
    --------
    >>> import rocstats as rs
    >>> sample = rs.ScoredSample.from_arrays([1, 1, 0, 0], [3, 2, 2, 1])
    >>> curve = rs.rbridge.roc(sample)  # doctest: +SKIP
    >>> curve.tpr.tolist(), curve.threshold.tolist()  # doctest: +SKIP
    ([0.0, 0.5, 1.0, 1.0], [inf, 2.5, 1.5, -inf])
    """
    found = ask(
        "r <- curve(a); list(sp = rev(r$specificities), se = rev(r$sensitivities),"
        " threshold = rev(r$thresholds))",
        a=curve_of(sample, marker),
    )
    row = sample.marker(marker)
    return RocCurve(
        classifier=sample.markers[row],
        fp=np.rint(sample.n_neg * (1.0 - np.array(found["sp"]))).astype(np.int64),
        tp=np.rint(sample.n_pos * np.array(found["se"])).astype(np.int64),
        threshold=np.array(found["threshold"]),
        higher_is_positive=sample.higher_is_positive[row],
    )


def smooth(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    method: str = "binormal",
    n_points: int = 512,
    bandwidth: float | str = "nrd0",
    distribution: str = "normal",
) -> SmoothedCurve:
    """Return pROC's smoothed ROC curve of one marker.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    method : str, default "binormal"
        "binormal" (least squares on probit axes), "density", "fitdistr" (needs MASS), "logcondens"
        or "logcondens.smooth" (need logcondens).
    n_points : int, default 512
        Points of the curve besides its two ends.
    bandwidth : float or str, default "nrd0"
        For "density": a number, or R's rule by name.
    distribution : str, default "normal"
        For "fitdistr": the law fitted to each class, by MASS's name.

    Returns
    -------
    SmoothedCurve
        The points and pROC's area.

    See Also
    --------
    roc : The empirical curve, as pROC has it.
    rocstats.binormal_fit : The same in Python.
    rocstats.kernel_curve : The same in Python.

    Notes
    -----
    R: ``pROC::smooth(roc, method = , n = , bw = , density = )``. The density smoother depends on
    R's own ``density()``, which changed with R 4.4.

    Examples
    --------
    >>> import rocstats as rs
    >>> round(rs.rbridge.smooth(rs.datasets.load_ct_ratings()).auc, 4)  # doctest: +SKIP
    0.9107
    """
    check_option("method", method, tuple(_SMOOTHERS))
    integer = isinstance(n_points, (int, np.integer)) and not isinstance(n_points, bool)
    if not (integer and 2 <= n_points <= _MOST_POINTS):
        raise InvalidOptionError(
            f"{named('n_points')} must be an integer from 2 to {_MOST_POINTS}, got {n_points!r}."
        )
    require(("pROC", *_SMOOTHERS[method]))
    options = {
        "density": ", bw = bandwidth",
        "fitdistr": ", density = distribution",
    }
    found = ask(
        f"s <- smooth(curve(a), method = method, n = points{options.get(method, '')});"
        " list(sp = rev(s$specificities), se = rev(s$sensitivities), auc = as.numeric(s$auc))",
        a=curve_of(sample, marker),
        method=method,
        points=int(n_points),
        bandwidth=bandwidth,
        distribution=distribution,
    )
    return SmoothedCurve(
        classifier=sample.markers[sample.marker(marker)],
        method=method,
        fpr=1.0 - np.array(found["sp"]),
        tpr=np.array(found["se"]),
        auc=found["auc"],
    )
