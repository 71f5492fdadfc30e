"""The AUC of pairs within sites, beside that of all pairs, and whether the sites agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocstats.data.sample import Account
from rocstats.data.scan.pooled_table import PooledTable
from rocstats.errors import (
    InvalidOptionError,
    check_confidence_level,
    check_option,
    keyword,
    named,
)
from rocstats.estimates.estimators import auc
from rocstats.estimates.results import ConfidenceInterval, Estimate
from rocstats.tables import AnswerByMethod, SingleValue, Statement, plot_forest, show_p, show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["StratifiedAuc", "stratified_auc"]

_COLUMNS = ("site", "estimate", "std_error", "conf_low", "conf_high", "weight", "n_pos", "n_neg")
_WEIGHTS = {
    "pairs": "pairs of a positive and a negative within each site",
    "inverse_variance": "the inverse of each site's variance",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StratifiedAuc(SingleValue, AnswerByMethod):
    """The AUC of pairs within sites, and the pooled AUC beside it.

    Attributes
    ----------
    marker : str
        The marker.
    sites : tuple of str
        Names of the sites.
    estimates : tuple of Estimate
        The AUC at each site.
    weights : tuple of float
        Their weights, which add to 1.
    weighting : str
        What the weights are: "pairs" or "inverse_variance".
    pooled : Estimate
        The AUC of all pairs, also of a positive of one site and a negative of another.

    See Also
    --------
    stratified_auc : Estimate it.
    pool : Put the sketches of several sites together.
    """

    marker: str
    sites: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    weights: tuple[float, ...]
    weighting: str
    pooled: Estimate

    @property
    def account(self) -> Account:
        """Which class is positive, and who was left out."""
        return self.pooled.account

    @property
    def value(self) -> float:
        """The weighted mean of the sites' AUCs."""
        return self._mean([one.value for one in self.estimates])

    @property
    def std_error(self) -> float:
        """Its standard error: sites are independent, and weights taken as fixed."""
        return math.hypot(
            *(w * one.scatter[0] for w, one in zip(self.weights, self.estimates, strict=True))
        )

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Between which values it lies, where a site counts in bins; else its value twice."""
        told = [one.details for one in self.estimates]
        values = [one.value for one in self.estimates]
        low = [t.get("value_low", v) for t, v in zip(told, values, strict=True)]
        high = [t.get("value_high", v) for t, v in zip(told, values, strict=True)]
        return self._mean(low), self._mean(high)

    @property
    def between(self) -> float:
        """The AUC of pairs whose positive and negative are of different sites; nan with bins."""
        if self._bounded():
            return math.nan
        pairs = [one.n_pos * one.n_neg for one in self.estimates]
        everyone = self.pooled.n_pos * self.pooled.n_neg
        inside = math.fsum(
            size * one.value for size, one in zip(pairs, self.estimates, strict=True)
        )
        return (self.pooled.value * everyone - inside) / (everyone - sum(pairs))

    @property
    def heterogeneity(self) -> dict[str, float]:
        """Cochran's Q of the sites' AUCs, its degrees of freedom, p-value, and I squared.

        All are nan where a site has no variance.
        """
        from scipy.special import chdtrc

        variances = [one.scatter[0] ** 2 for one in self.estimates]
        df = float(len(variances) - 1)
        if not all(variance > 0.0 for variance in variances):
            return dict.fromkeys(("statistic", "df", "p_value", "i_squared"), math.nan)
        share = [1.0 / variance for variance in variances]
        values = [one.value for one in self.estimates]
        mean = math.fsum(s * v for s, v in zip(share, values, strict=True)) / math.fsum(share)
        q = math.fsum(s * (v - mean) ** 2 for s, v in zip(share, values, strict=True))
        excess = max(q - df, 0.0) / q if q > 0.0 else 0.0
        return {
            "statistic": q,
            "df": df,
            "p_value": float(chdtrc(df, q)),
            "i_squared": excess,
        }

    def _mean(self, values: list[float]) -> float:
        return math.fsum(w * v for w, v in zip(self.weights, values, strict=True))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the stratified AUC (STATISTICS.md 21).

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"auto", "mover", "wald"}, default "auto"
            "mover" puts the limits of the sites together, and stays within 0 and 1; "wald" is the
            normal interval. "auto" is "mover".

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        from scipy.special import ndtri

        check_option("method", method, ("auto", "mover", "wald"))
        level = check_confidence_level(confidence_level)
        if method == "wald":
            half = float(ndtri(0.5 + level / 2.0)) * self.std_error
            return ConfidenceInterval(
                low=self.value - half,
                high=self.value + half,
                confidence_level=level,
                method="wald",
            )
        limits = [one.confidence_interval(level) for one in self.estimates]
        rows = list(zip(self.weights, self.estimates, limits, strict=True))
        return ConfidenceInterval(
            low=self.value - math.hypot(*(w * (one.value - ends.low) for w, one, ends in rows)),
            high=self.value + math.hypot(*(w * (ends.high - one.value) for w, one, ends in rows)),
            confidence_level=level,
            method="mover",
        )

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return a row for each site, for pairs within sites and for all pairs, and what it means.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            How the interval of the stratified AUC is found.

        Returns
        -------
        Statement
            Head, rows and notes.
        """
        limits = self.confidence_interval(confidence_level, method=method)
        rows = [
            _row(name, one, weight, confidence_level)
            for name, one, weight in zip(self.sites, self.estimates, self.weights, strict=True)
        ]
        within = {
            "site": "within sites",
            "estimate": self.value,
            "std_error": self.std_error,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "weight": 1.0,
            "n_pos": self.pooled.n_pos,
            "n_neg": self.pooled.n_neg,
        }
        pooled = _row("pooled", self.pooled, math.nan, confidence_level)
        return Statement(
            head=f"AUC of {self.marker} within {len(self.sites)} sites: {show_value(self.value)} "
            f"({limits.confidence_level:.0%} interval {show_value(limits.low)} to "
            f"{show_value(limits.high)}); weights: {_WEIGHTS[self.weighting]}",
            rows=[*rows, within, pooled],
            shown=_COLUMNS,
            notes=self._notes(),
            content={
                "marker": self.marker,
                "weighting": self.weighting,
                "conf_level": limits.confidence_level,
                "conf_method": limits.method,
                "stratified": {**within, **self._bounded()},
                "pooled": {**pooled, **self.pooled.details},
                "between": self.between,
                "heterogeneity": self.heterogeneity,
                "sites": rows,
            },
        )

    def _bounded(self) -> dict[str, Any]:
        low, high = self.value_bounds
        return {"exact": False, "value_low": low, "value_high": high} if high > low else {}

    def _notes(self) -> list[str]:
        test, notes = self.heterogeneity, []
        told = f"Q({test['df']:g}) = {test['statistic']:.2f}, p {show_p(test['p_value'])}"
        if math.isnan(test["p_value"]):
            notes.append("Whether sites differ was not tested: at one the AUC has no variance.")
        elif test["p_value"] <= 0.05:
            notes.append(
                f"The AUC differs between sites by more than chance ({told}; of the spread "
                f"{test['i_squared']:.0%} is not chance), so one number does not speak for all."
            )
        else:
            notes.append(
                f"The sites differ by no more than chance would make them ({told}), which does not "
                "show that they are equal."
            )
        if self._bounded():
            low, high = self.value_bounds
            notes.append(
                f"Scores are counted in bins: the AUC within sites is from {show_value(low)} to "
                f"{show_value(high)}, whatever the scores within bins, and the pooled AUC from "
                f"{show_value(self.pooled.details['value_low'])} to "
                f"{show_value(self.pooled.details['value_high'])}."
            )
            return notes
        apart = self.pooled.value - self.value
        notes.append(f"Pairs of different sites have AUC {show_value(self.between)}.")
        if abs(apart) > self.std_error > 0.0:
            side = "below" if apart < 0.0 else "above"
            notes.append(
                f"The pooled AUC is {show_value(abs(apart))} {side} the one within sites: scores "
                "or patients are not alike between sites, so one threshold means different things."
            )
        return notes

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the sites, the AUC within sites and the pooled AUC, one below the other.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new one by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        rows = self.statement().tidy
        names = [str(row["site"]) for row in rows]
        return plot_forest(rows, names, ax, x_label=f"AUC of {self.marker}")


def _row(name: str, one: Estimate, weight: float, level: float) -> dict[str, Any]:
    limits = one.confidence_interval(level)
    return {
        "site": name,
        "estimate": one.value,
        "std_error": one.scatter[0],
        "conf_low": limits.low,
        "conf_high": limits.high,
        "weight": weight,
        "n_pos": one.n_pos,
        "n_neg": one.n_neg,
    }


def stratified_auc(
    pooled: PooledTable, *, marker: str | None = None, weights: str = "pairs"
) -> StratifiedAuc:
    """Estimate the AUC of pairs within sites, beside the pooled AUC.

    Parameters
    ----------
    pooled : PooledTable
        The sites, put together by `pool`.
    marker : str, optional
        Which marker, where there are several.
    weights : {"pairs", "inverse_variance"}, default "pairs"
        How sites count: by their pairs of a positive and a negative, so that it is the AUC of all
        pairs within a site; or by the inverse of the variance, as a meta-analysis with a fixed
        effect has it.

    Returns
    -------
    StratifiedAuc
        The estimate with its interval, each site, the pooled AUC, and whether sites differ.

    See Also
    --------
    pool : Put the sketches of several sites together.
    auc : Estimate the area under the ROC curve; of a pooled table, the pooled one.

    Notes
    -----
    The pooled AUC compares positives of one site with negatives of another, too. Where scores are
    shifted between sites it is far from what any site sees. Both are right, and answer different
    questions: how well a marker ranks all patients by one scale, and how well it ranks the patients
    of a site (STATISTICS.md 21).

    References
    ----------
    Zou & Donner (2008), doi:10.1002/sim.3095.
    Cochran (1954), doi:10.2307/3001666.

    Examples
    --------
    >>> import rocstats as rs
    >>> leeds = rs.sketch([1, 1, 0, 0], [4, 2, 3, 1], site="Leeds")
    >>> turin = rs.sketch([1, 1, 0, 0], [14, 12, 13, 11], site="Turin")
    >>> found = rs.stratified_auc(rs.pool([leeds, turin]))
    >>> found.value, found.pooled.value, found.between
    (0.75, 0.625, 0.5)
    """
    check_option("weights", weights, tuple(_WEIGHTS))
    if not isinstance(pooled, PooledTable):
        raise InvalidOptionError(
            f"{named('pooled')} must be sites that rs.pool has put together, got "
            f"{type(pooled).__name__}; for groups of one sample take {keyword('adjust_for')} of "
            "rs.auc."
        )
    name = pooled.markers[pooled.marker(marker)]
    estimates = tuple(auc(site, marker=name) for site in pooled.sites)
    shares = [float(one.n_pos * one.n_neg) for one in estimates]
    if weights == "inverse_variance":
        if not all(one.scatter[0] > 0.0 for one in estimates):
            raise InvalidOptionError(
                f"A site's AUC has no variance, and none can be inverted; take "
                f"{keyword('weights', 'pairs')}."
            )
        shares = [one.scatter[0] ** -2 for one in estimates]
    total = math.fsum(shares)
    return StratifiedAuc(
        marker=name,
        sites=tuple(str(site.site) for site in pooled.sites),
        estimates=estimates,
        weights=tuple(share / total for share in shares),
        weighting=weights,
        pooled=auc(pooled, marker=name),
    )
