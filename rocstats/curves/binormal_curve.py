"""A fitted binormal ROC curve: its area with limits, its test of fit, its points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.binormal_likelihood import Model, cell_probabilities
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.path import CurvePoint
from rocstats.curves.rates import to_rates
from rocstats.data.sample import Account
from rocstats.errors import InvalidOptionError, check_confidence_level, keyword
from rocstats.estimates.results import ConfidenceInterval
from rocstats.tables import Answer, AnswerAtLevel, Statement, counted, show_p

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["BinormalFit", "GoodnessOfFit", "Method"]

Method = Literal["ml", "least-squares"]

_LEAST_EXPECTED = 1.0  # a cell that expects fewer subjects spoils the chi-square approximation
_SHOWN_POINTS = 20  # more operating points than this are not drawn


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GoodnessOfFit(Answer):
    """Pearson's chi-square test of a fit to ordered categories.

    Attributes
    ----------
    statistic, df : the statistic and its degrees of freedom
    pvalue : nan where no degree is left, or a cell expects fewer than one subject
    """

    statistic: float
    df: int
    pvalue: float

    def statement(self) -> Statement:
        """Return the test as one row."""
        row = {"statistic": self.statistic, "df": self.df, "p_value": self.pvalue}
        p = "no p-value" if math.isnan(self.pvalue) else f"p {show_p(self.pvalue)}"
        return Statement(
            head=f"Goodness of fit: chi-square({self.df}) = {self.statistic:.3f}, {p}",
            rows=[row],
            shown=tuple(row),
            in_words=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BinormalFit(DrawnCurve, AnswerAtLevel):
    """A binormal ROC curve, ``TPR = Phi(a + b Phi^-1(FPR))``.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    method : str
        "ml" or "least-squares".
    a, b : float
        Intercept and slope on normal deviates.
    covariance : array of shape (2, 2)
        Covariance of (a, b), from the observed information; nan for least squares.
    log_likelihood : float
        Log-likelihood without the multinomial constants; nan for least squares.
    cutpoints : array of shape (k - 1,)
        Cutpoints between the categories, on the latent scale where negatives are N(0, 1); empty for
        least squares.
    neg, pos : array of shape (k,)
        Counts of each class by category, from the lowest evidence up.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    binormal_fit : Fit a binormal ROC curve.
    """

    classifier: str
    method: Method
    a: float
    b: float
    covariance: Floats
    log_likelihood: float
    cutpoints: Floats
    neg: Floats
    pos: Floats
    account: Account | None = None

    @property
    def n_pos(self) -> int:
        return int(self.pos.sum())

    @property
    def n_neg(self) -> int:
        return int(self.neg.sum())

    @property
    def std_error(self) -> float:
        """Standard error of the area, by the delta method; nan for least squares."""
        return float(_density(self._deviate)) * self._deviate_error

    def area(self) -> float:
        """Return the area under the curve, ``Phi(a / sqrt(1 + b**2))``."""
        from scipy.special import ndtr

        return float(ndtr(self._deviate))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return limits of the area: Wald's on the scale of ``a / sqrt(1 + b**2)``.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits of the area.
        """
        from scipy.special import ndtr

        level = check_confidence_level(confidence_level)
        if self.method != "ml":
            raise InvalidOptionError(
                "A least-squares line has no standard error, for the points of one ROC curve "
                f"depend on each other; take {keyword('method', 'ml')}."
            )
        low, high = _wald(self._deviate, self._deviate_error, level)
        return ConfidenceInterval(
            low=float(ndtr(low)), high=float(ndtr(high)), confidence_level=level, method="probit"
        )

    def goodness_of_fit(self) -> GoodnessOfFit:
        """Return Pearson's test of the fit, with k - 3 degrees of freedom for k categories.

        Continuous scores make categories too small for it; bound them with ``n_categories``.
        """
        from scipy.special import chdtrc

        if self.method != "ml":
            raise InvalidOptionError(
                f"A least-squares line has no goodness-of-fit test; take {keyword('method', 'ml')}."
            )
        latent = Model(self.a, self.b, self.cutpoints)
        expected = np.stack(
            [
                self.n_neg * cell_probabilities(latent.cuts),
                self.n_pos * cell_probabilities(latent.pos_cuts),
            ]
        )
        statistic = float(((np.stack([self.neg, self.pos]) - expected) ** 2 / expected).sum())
        df = self.pos.size - 3
        usable = df > 0 and float(expected.min()) >= _LEAST_EXPECTED
        pvalue = float(chdtrc(df, statistic)) if usable else math.nan
        return GoodnessOfFit(statistic=statistic, df=df, pvalue=pvalue)

    def curve(self, fpr: ArrayLike) -> Any:
        """Return the true positive rate at false positive rates: a float, or an array.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates.

        Returns
        -------
        float or array
            The true positive rates there.
        """
        return self.at(fpr=fpr).tpr

    def at(self, fpr: ArrayLike | None = None, *, tpr: ArrayLike | None = None) -> CurvePoint:
        """Return the point with a given false or true positive rate.

        Parameters
        ----------
        fpr : float or array-like, optional
            False positive rates, where no true positive rates are given.
        tpr : float or array-like, optional
            True positive rates instead.

        Returns
        -------
        CurvePoint
            The point, or points: floats where one was asked for.
        """
        from scipy.special import ndtr, ndtri

        if (fpr is None) == (tpr is None):
            raise InvalidOptionError("Give one of fpr and tpr: where on the curve?")
        if fpr is not None:
            x = to_rates(fpr, "fpr")
            y = ndtr(self.a + self.b * ndtri(x))
        else:
            y = to_rates(tpr, "tpr")
            x = ndtr((ndtri(y) - self.a) / self.b)
        if np.ndim(x) == 0:
            return CurvePoint(fpr=float(x), tpr=float(y))
        return CurvePoint(fpr=x, tpr=y)

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return a, b and the area, a row each; limits of a and b are Wald's."""
        rows = self._rows(confidence_level)
        how = "maximum likelihood" if self.method == "ml" else "least squares (pROC)"
        return Statement(
            head=f"Binormal ROC curve of {self.classifier}, {how}",
            rows=rows,
            shown=tuple(rows[0]) if self._is_ml else ("term", "estimate"),
            notes=[
                f"{counted(self.n_pos, 'positive')}, {counted(self.n_neg, 'negative')}; "
                f"{self.pos.size} categories"
            ],
            content={
                "classifier": self.classifier,
                "method": self.method,
                "terms": rows,
                "covariance": self.covariance,
                "log_likelihood": self.log_likelihood,
                "cutpoints": self.cutpoints,
                "neg": self.neg,
                "pos": self.pos,
            },
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from scipy.special import ndtr

        from rocstats.plots.curve_plots import draw_points
        from rocstats.plots.plane import draw_plane

        fpr = np.concatenate([[0.0], ndtr(np.linspace(-6.0, 6.0, 601)), [1.0]])
        label = f"{self.classifier}, binormal (AUC {self.area():.3f})"
        ax = draw_plane(fpr, self.curve(fpr), label, ax, line=line)
        if self.pos.size <= _SHOWN_POINTS:
            draw_points(
                np.cumsum(self.neg[:0:-1]) / self.n_neg, np.cumsum(self.pos[:0:-1]) / self.n_pos, ax
            )
        return ax

    @property
    def _is_ml(self) -> bool:
        return self.method == "ml"

    @property
    def _deviate(self) -> float:
        return self.a / math.hypot(1.0, self.b)

    @property
    def _deviate_error(self) -> float:
        square = 1.0 + self.b * self.b
        slope = np.array([1.0, -self.a * self.b / square]) / math.sqrt(square)
        return math.sqrt(float(slope @ self.covariance @ slope))

    def _rows(self, confidence_level: float) -> list[dict[str, Any]]:
        level = check_confidence_level(confidence_level)
        errors = np.sqrt(np.diag(self.covariance)).tolist()
        rows = []
        for term, value, error in zip("ab", (self.a, self.b), errors, strict=True):
            rows.append((term, value, error, *_wald(value, error, level)))
        area = (math.nan, math.nan)
        if self._is_ml:
            limits = self.confidence_interval(confidence_level=level)
            area = limits.low, limits.high
        rows.append(("auc", self.area(), self.std_error, *area))
        names = ("term", "estimate", "std_error", "conf_low", "conf_high")
        return [dict(zip(names, row, strict=True)) for row in rows]


def _wald(value: float, std_error: float, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    reach = float(ndtri(0.5 + 0.5 * level)) * std_error
    return value - reach, value + reach


def _density(z: float) -> float:
    return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
