"""A band of areas over time: limits that hold at all times of a marker together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import InvalidOptionError, check_confidence_level
from rocstats.resampling.chunks import as_seed, check_settings
from rocstats.survival.time_estimates import EstimatesAt, plain_number
from rocstats.tables import Answer, Statement, TidyRows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.data.sample import Account

__all__ = ["AucBand", "band_over"]

_FEWEST = 100  # resamples: the limits are among their most extreme
_PIECE = 2**20  # numbers drawn at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AucBand(TidyRows, Answer):
    """Areas of markers over time, with limits for each time and for all times together.

    Attributes
    ----------
    classifier : tuple of str
        The marker of every row.
    time, estimate : array of shape (r,)
        Time and area of every row.
    low, high : array of shape (r,)
        Limits that hold at all times of a marker together.
    reach : mapping of str to float
        For each marker, how many standard errors the limits are away; 1.96 is one time alone.
    confidence_level : float
        Level of each marker's band.
    account : Account
        What the codes of the events mean, and who was left out.

    See Also
    --------
    auc_at : Estimate the area under the ROC curve at times.
    roc_band : A confidence band of the ROC curve.
    """

    classifier: tuple[str, ...]
    time: Floats
    estimate: Floats
    low: Floats
    high: Floats
    reach: dict[str, float]
    confidence_level: float
    account: Account

    _named_by: ClassVar = ("classifier", "time")

    def statement(self) -> Statement:
        """Return the limits, and what they promise."""
        rows = [
            {
                "classifier": name,
                "time": plain_number(float(self.time[i])),
                "estimate": float(self.estimate[i]),
                "conf_low": float(self.low[i]),
                "conf_high": float(self.high[i]),
                "conf_level": self.confidence_level,
            }
            for i, name in enumerate(self.classifier)
        ]
        far = ", ".join(f"{name} {value:.2f}" for name, value in self.reach.items())
        return Statement(
            rows=rows,
            shown=("classifier", "time", "estimate", "conf_low", "conf_high"),
            notes=[
                f"{self.confidence_level:.0%} limits for all times of a marker together, on the "
                f"logit scale; standard errors away: {far}"
            ],
            content={"band": rows, "reach": self.reach},
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the areas of each marker over time, with the band.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.series_plot import draw_bands

        series = {}
        for name in dict.fromkeys(self.classifier):
            here = np.array([one == name for one in self.classifier])
            order = np.argsort(self.time[here])
            series[name] = tuple(
                values[here][order] for values in (self.time, self.estimate, self.low, self.high)
            )
        return draw_bands(series, ax, x_label="Time", y_label="AUC at that time", level=0.5)


def band_over(
    estimates: EstimatesAt, confidence_level: float, n_resamples: int, rng: Any
) -> AucBand:
    """Return the band of every marker's estimates.

    Standard normal multipliers of the influence give normal deviates with the correlation of the
    estimates; the largest of a marker's, in standard errors, is as far as the limits must be.
    """
    level = check_confidence_level(confidence_level)
    check_settings(n_resamples, rng, 1, fewest=_FEWEST)
    rows = estimates.rows
    if not all(row.measure.name.startswith("auc(") for row in rows):
        raise InvalidOptionError("A band over time is of areas at times; take it of rs.auc_at.")
    generator = np.random.default_rng(as_seed(rng))
    names = [row.classifier for row in rows]
    value = np.array([row.value for row in rows])
    spread = np.array([row.scatter[0] for row in rows])
    correlation = estimates.correlation
    low, high, reach = np.full(value.size, math.nan), np.full(value.size, math.nan), {}
    for name in dict.fromkeys(names):
        here = np.array([one == name for one in names]) & (spread > 0.0)
        here &= (value > 0.0) & (value < 1.0)
        if not here.any():
            reach[name] = math.nan
            continue
        far = _largest(correlation[np.ix_(here, here)], n_resamples, generator)
        reach[name] = float(np.quantile(far, level, method="higher"))
        centre = np.log(value[here] / (1.0 - value[here]))
        half = reach[name] * spread[here] / (value[here] * (1.0 - value[here]))
        low[here], high[here] = (1.0 / (1.0 + np.exp(-x)) for x in (centre - half, centre + half))
    return AucBand(
        classifier=tuple(names),
        time=np.array([row.measure.time for row in rows]),
        estimate=value,
        low=low,
        high=high,
        reach=reach,
        confidence_level=level,
        account=estimates.account,
    )


def _largest(correlation: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the largest size of normal deviates with this correlation, for every draw."""
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    far = np.empty(draws)
    step = max(_PIECE // len(root), 1)
    for start in range(0, draws, step):
        piece = rng.standard_normal((min(step, draws - start), len(root)))
        far[start : start + len(piece)] = np.abs(piece @ root.T).max(axis=1)
    return far
