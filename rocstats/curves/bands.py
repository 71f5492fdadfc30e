"""Confidence bands of the ROC curve: for one point at a time, or for all of them at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import read_only, to_numbers
from rocstats.curves.random_paths import displacements, resampled_heights, spacing_heights
from rocstats.curves.rates import rate_grid
from rocstats.curves.rectangles import (
    Proportion,
    Rectangles,
    binomial_rectangles,
    kolmogorov_reach,
    shifted_band,
    shifted_rectangles,
    swept_band,
)
from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import Account, NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    check_confidence_level,
    check_option,
    keyword,
    warn_user,
)
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import Rng, check_kind, check_settings
from rocstats.tables import Answer, Statement, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["RocBand", "roc_band"]

Kind = Literal["pointwise", "simultaneous"]
Method = Literal["envelope", "fixed-width", "kolmogorov-smirnov", "bootstrap", "binomial"]

_DEFAULT = Bootstrap()
_FEWEST = 100  # resamples: the limits are among their most extreme
_ROUNDING = 1e-9  # of a rate, when a curve is compared with limits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocBand(DrawnCurve, Answer):
    """A confidence band of a ROC curve.

    Attributes
    ----------
    curve : RocCurve
        The empirical ROC curve.
    method, kind : str
        How it was made, and what it promises: each point of the true curve ("pointwise") or all of
        them together ("simultaneous") lie within it.
    confidence_level : float
        Level of the band.
    fpr : array of shape (G,)
        False positive rates.
    low, high : array of shape (G,)
        Limits of the true positive rate there.
    rectangles : Rectangles or None
        Rectangles of (fpr, tpr) at every threshold, where the method makes them.

    See Also
    --------
    roc_band : A confidence band of the ROC curve.
    """

    curve: RocCurve
    method: Method
    kind: Kind
    confidence_level: float
    fpr: Floats
    low: Floats
    high: Floats
    rectangles: Rectangles | None

    @property
    def classifier(self) -> str:
        return self.curve.classifier

    @property
    def tpr(self) -> Floats:
        """(G,) true positive rates of the empirical curve."""
        found: Floats = self.curve.at(fpr=self.fpr).tpr
        return found

    @property
    def mean_width(self) -> float:
        """Mean of ``high - low`` over the grid."""
        return float((self.high - self.low).mean())

    def contains(self, curve: Any) -> bool:
        """Return whether a curve lies within the limits at all rates of the grid.

        Parameters
        ----------
        curve : RocCurve, BinormalFit, KernelCurve or array-like of shape (G,)
            Anything with an ``at(fpr=)``, or true positive rates, one for each rate of the grid.

        Returns
        -------
        bool
            True where it does.
        """
        tpr = curve.at(fpr=self.fpr).tpr if hasattr(curve, "at") else to_numbers(curve, "curve")
        if np.shape(tpr) != self.fpr.shape:
            raise InvalidOptionError(
                f"The band has {self.fpr.size} rates, but the curve has {np.size(tpr)}; "
                "give one true positive rate for each."
            )
        above, below = tpr >= self.low - _ROUNDING, tpr <= self.high + _ROUNDING
        return bool((above & below).all())

    @property
    def account(self) -> Account | None:
        """Which class is positive, and who was left out."""
        return self.curve.account

    def statement(self) -> Statement:
        """Return the limits, and what they promise."""
        columns = {
            "fpr": self.fpr,
            "tpr": self.tpr,
            "conf_low": self.low,
            "conf_high": self.high,
        }
        return Statement(
            head=f"{self.confidence_level:.0%} {self.kind} band of the ROC curve of "
            f"{self.classifier} ({self.method}): mean width {self.mean_width:.4f} over "
            f"{self.fpr.size} rates, {counted(self.curve.n_pos, 'positive')}, "
            f"{counted(self.curve.n_neg, 'negative')}",
            rows=columns,
            content={
                "classifier": self.classifier,
                "method": self.method,
                "kind": self.kind,
                "conf_level": self.confidence_level,
                **columns,
            },
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.curve_plots import draw_band

        name = f"{self.classifier} (AUC {self.curve.area():.3f})"
        label = f"{name}, {self.confidence_level:.0%} {self.kind} band"
        curve = self.curve.fpr, self.curve.tpr
        return draw_band(self.fpr, self.low, self.high, curve, label, ax, line)


# ---------------------------------------------------------------------------------- how it is made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Job:
    """All that a method reads."""

    sample: ScoredSample
    marker: int
    curve: RocCurve
    grid: Floats
    level: float
    proportion: Proportion
    n_resamples: int
    rng: Rng


Found = tuple[Floats, Floats, Rectangles | None]


def _envelope(job: _Job) -> Found:
    whole = np.union1d(rate_grid(None, "fpr"), job.grid)  # the level is that of the whole curve
    drawn = spacing_heights(job.curve, whole, n_resamples=job.n_resamples, rng=job.rng)
    low, high = envelope(drawn[:, 0], drawn[:, 1], drawn[:, 2], job.level)
    wanted = np.searchsorted(whole, job.grid)
    return low[wanted], high[wanted], None


def envelope(
    lowest: Floats, central: Floats, highest: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return the narrowest band of one rank that holds the level's share of central curves whole.

    Its limits at each rate are the k-th smallest height of the lowest curves and the k-th largest
    of the highest, k the same everywhere (Mandel & Betensky 2008).
    """
    size = len(central)
    lowest, highest = np.sort(lowest, axis=0), np.sort(highest, axis=0)
    rank = np.full(size, size)
    for low, middle, high in zip(lowest.T, central.T, highest.T, strict=True):
        above = np.searchsorted(low, middle, side="right")
        below = size - np.searchsorted(high, middle, side="left")
        np.minimum(rank, np.minimum(above, below), out=rank)
    outside = math.floor((1.0 - level) * size + _ROUNDING)
    k = int(np.partition(rank, outside)[outside])
    return lowest[k - 1], highest[size - k]


def _fixed_width(job: _Job) -> Found:
    far = displacements(job.sample, job.marker, job.curve, n_resamples=job.n_resamples, rng=job.rng)
    right = float(np.quantile(far, job.level, method="higher"))
    if not right > _ROUNDING:
        warn_user(
            "Every resample has the same curve, so a fixed-width band has no width and its limits "
            f"are nan; take {keyword('method', 'envelope')}.",
            DegenerateVarianceWarning,
        )
        return np.full(job.grid.size, math.nan), np.full(job.grid.size, math.nan), None
    reach = right, right * math.sqrt(job.curve.n_neg / job.curve.n_pos)
    return *shifted_band(job.curve, reach, job.grid), None


def _kolmogorov(job: _Job) -> Found:
    reach = kolmogorov_reach(job.curve, job.level)
    return *shifted_band(job.curve, reach, job.grid), shifted_rectangles(job.curve, reach)


def _binomial(job: _Job) -> Found:
    boxes = binomial_rectangles(job.curve, job.level, job.proportion)
    return *swept_band(boxes, job.grid), boxes


def _bootstrap(job: _Job) -> Found:
    drawn = resampled_heights(
        job.sample, job.marker, job.grid, n_resamples=job.n_resamples, rng=job.rng
    )
    tail = (1.0 - job.level) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail], axis=0)
    # Where no positive is missed, or none is found, resamples show nothing: the exact bound.
    tpr = job.curve.at(fpr=job.grid).tpr
    exact = tail ** (1.0 / _units(job.sample))
    inner = job.grid < 1.0
    low[(tpr == 1.0) & inner] = np.minimum(low, exact)[(tpr == 1.0) & inner]
    high[tpr == 0.0] = np.maximum(high, 1.0 - exact)[tpr == 0.0]
    low = np.minimum.accumulate(low[::-1])[::-1]
    return low, np.maximum.accumulate(high), None


def _units(sample: ScoredSample) -> int:
    """Number of independent units among the positives."""
    if sample.cluster is None:
        return sample.n_pos
    return int(np.unique(sample.cluster[sample.positive]).size)


# Name: what it promises, how it is made, and whether clusters are drawn as a whole.
_METHODS: dict[str, tuple[Kind, Callable[[_Job], Found], bool]] = {
    "envelope": ("simultaneous", _envelope, False),
    "fixed-width": ("simultaneous", _fixed_width, True),
    "kolmogorov-smirnov": ("simultaneous", _kolmogorov, False),
    "bootstrap": ("pointwise", _bootstrap, True),
    "binomial": ("pointwise", _binomial, False),
}


def roc_band(
    y_true: Any,
    y_score: Any = None,
    method: Method = "envelope",
    *,
    confidence_level: float = 0.95,
    fpr: ArrayLike | None = None,
    proportion: Proportion = "clopper-pearson",
    resampling: Bootstrap = _DEFAULT,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> RocBand:
    """Return a confidence band of the ROC curve of one marker.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    method : str, default "envelope"
        "envelope", "fixed-width" and "kolmogorov-smirnov" hold the whole curve at once; "bootstrap"
        and "binomial" one point of it.
    confidence_level : float, default 0.95
        Level of the whole band, or of each point.
    fpr : array-like, optional
        Increasing rates at which limits are wanted; 0, 0.01, ..., 1 by default.
    proportion : {"clopper-pearson", "wilson"}, default "clopper-pearson"
        Limits of the rates in "binomial".
    resampling : Bootstrap, default Bootstrap()
        Number of random curves, and their randomness; not for "kolmogorov-smirnov" and "binomial",
        which have none.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    marker : str, optional
        Which marker, where there are several.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    RocBand
        The limits, with the curve they are of.

    See Also
    --------
    roc_curve : The empirical ROC curve.
    sensitivity_at : Estimate the sensitivity at a fixed specificity.
    Bootstrap : How to bootstrap.

    Notes
    -----
    ``"envelope"``: random curves that may be the true one, drawn from the law of the true rates at
    the observed scores (ordered uniforms in each class, whatever the distributions; a Bayesian
    bootstrap as in Gu & Ghosal 2008, doi:10.1080/10485250801954128, with a gap at each end so that
    it does not stop at the sample's extremes). Limits at each rate are one and the same rank of
    these curves, the rank at which 95% of them lie within the limits everywhere (Mandel & Betensky
    2008, doi:10.1016/j.csda.2007.07.005). This combination is ours. In simulation it keeps its
    level, also with ties, and is on average the narrowest of the three (docs/evidence/bands.md).
    Its limits vary by some thousandths from run to run; take more resamples to print them.

    ``"fixed-width"``: the curve displaced both ways along slope ``-sqrt(n_neg / n_pos)``, the ratio
    of the standard deviations of both rates, as far as holds 95% of resampled curves (Campbell
    1994, doi:10.1002/sim.4780130513; Macskassy, Provost & Rosset 2005).

    ``"kolmogorov-smirnov"``: rectangles around every point by exact Kolmogorov-Smirnov limits of
    both distribution functions, each at the root of the level (Campbell 1994). Sure and wide.

    ``"bootstrap"``: percentiles of the tpr at each fpr over resamples within classes, as
    ``pROC::ci.se``. Where the curve is at 1 (or 0) resamples do not vary, and the limit is the
    exact binomial one; limits never fall as fpr rises.

    ``"binomial"``: at each threshold a rectangle with limits of both proportions, each at the root
    of the level; `RocBand.rectangles` has them. The band is what they sweep over: it holds the
    point at any one fpr with at least the level.

    Limits hold at the rates asked for. Subjects are taken as independent; with clusters only the
    methods that resample work, and draw clusters.

    Examples
    --------
    >>> import rocstats as rs
    >>> cancer = rs.datasets.load_breast_cancer()
    >>> band = rs.roc_band(cancer, marker="mean_texture", method="kolmogorov-smirnov")
    >>> band.kind, round(band.mean_width, 3), band.contains(band.curve)
    ('simultaneous', 0.299, True)
    """
    check_option("method", method, _METHODS)
    check_option("proportion", proportion, ("clopper-pearson", "wilson"))
    check_kind("resampling", resampling, Bootstrap)
    check_settings(resampling.n_resamples, resampling.rng, resampling.n_jobs, fewest=_FEWEST)
    level = check_confidence_level(confidence_level)
    grid = rate_grid(fpr, "fpr")
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    kind, make, takes_clusters = _METHODS[method]
    if sample.cluster is not None and not takes_clusters:
        raise InvalidOptionError(
            f'The "{method}" band takes subjects as independent, which clusters are not; take '
            '"fixed-width" or "bootstrap".'
        )
    row = sample.marker(marker)
    curve = roc_curve(sample, marker=sample.markers[row])
    job = _Job(
        sample=sample,
        marker=row,
        curve=curve,
        grid=grid,
        level=level,
        proportion=proportion,
        n_resamples=resampling.n_resamples,
        rng=resampling.rng,
    )
    low, high, rectangles = make(job)
    return RocBand(
        curve=curve,
        method=method,
        kind=kind,
        confidence_level=level,
        fpr=read_only(grid),
        low=read_only(low),
        high=read_only(high),
        rectangles=rectangles,
    )
