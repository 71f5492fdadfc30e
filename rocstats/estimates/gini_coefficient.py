"""The Gini coefficient (accuracy ratio, Somers' D): the AUC on the scale from -1 to 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rocstats.data.sample import Account, NanPolicy, Orientation
from rocstats.engine.influence import Influence
from rocstats.estimates.estimators import auc
from rocstats.estimates.results import (
    ConfidenceInterval,
    Estimate,
    direction_hints,
    state_estimate,
)
from rocstats.tables import AnswerByMethod, SingleValue, Statement

__all__ = ["Gini", "gini"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Gini(SingleValue, AnswerByMethod):
    """Twice the AUC less one; all that it knows, it knows from the AUC.

    Attributes
    ----------
    auc : Estimate
        The `Estimate` it is made of.

    See Also
    --------
    gini : Estimate the Gini coefficient, twice the AUC less one.
    Estimate : One measure of one classifier.
    """

    auc: Estimate

    @property
    def classifier(self) -> str:
        """Name of the marker."""
        return self.auc.classifier

    @property
    def value(self) -> float:
        """The estimate, between -1 and 1; 0 is chance."""
        return 2.0 * self.auc.value - 1.0

    @property
    def std_error(self) -> float:
        """Twice the AUC's standard error."""
        return 2.0 * self.auc.std_error

    @property
    def influence(self) -> Influence:
        """Every subject's influence on the estimate, in the order of the sample."""
        whole = self.auc.influence.contrast([[2.0]], rows=[(self.classifier, "gini")])
        return replace(whole, estimate=whole.estimate - 1.0)

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto", clip: bool = False
    ) -> ConfidenceInterval:
        """Return the AUC's interval on this scale.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            A method of `Estimate.confidence_interval`, by name.
        clip : bool, default False
            Whether to cut the limits to [-1, 1].

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        limits = self.auc.confidence_interval(
            confidence_level=confidence_level, method=method, clip=clip
        )
        return replace(limits, low=2.0 * limits.low - 1.0, high=2.0 * limits.high - 1.0)

    @property
    def account(self) -> Account:
        """Which class is positive, and who was left out."""
        return self.auc.account

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the AUC's row on this scale."""
        row = self.auc.statement(confidence_level=confidence_level, method=method).row
        moved = {name: 2.0 * row[name] - 1.0 for name in ("estimate", "conf_low", "conf_high")}
        own = {**row, **moved, "measure": "gini", "std_error": 2.0 * row["std_error"]}
        return state_estimate(
            f"Gini of {self.classifier}", own, {}, hints=direction_hints([self.auc])
        )


def gini(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> Gini:
    """Estimate the Gini coefficient.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
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
    Gini
        The coefficient, with its standard error and interval.

    See Also
    --------
    auc : Estimate the area under the ROC curve.

    Notes
    -----
    ``2 AUC - 1``: the share of pairs of a positive and a negative in the right order less the
    share in the wrong one. This is the accuracy ratio of credit scoring and Somers' D of the score
    given the class. The interval is the AUC's, mapped. R equivalent:
    ``2 * pROC::ci.auc(roc) - 1``; ``Hmisc::somers2``'s ``Dxy``.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.gini([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]).value
    0.75
    """
    return Gini(
        auc=auc(
            y_true,
            y_score,
            pos_label=pos_label,
            marker=marker,
            higher_is_positive=higher_is_positive,
            nan_policy=nan_policy,
        )
    )
