"""ROC curves of all markers of a sample, on one plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocstats.curves.roc import RocCurve, roc_curve
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.data.subject_weights import WeightKind
from rocstats.errors import check_option
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RocCurves", "roc_curves"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocCurves(Answer):
    """ROC curves of several markers of the same subjects; by name, by turns, on one plane.

    Attributes
    ----------
    curves : tuple of RocCurve
        The curves, in the order of the markers.

    See Also
    --------
    roc_curves : The ROC curves of all markers.
    RocCurve : An empirical ROC curve.
    """

    curves: tuple[RocCurve, ...]

    def __len__(self) -> int:
        return len(self.curves)

    def __iter__(self) -> Iterator[RocCurve]:
        return iter(self.curves)

    def __getitem__(self, marker: str) -> RocCurve:
        names = [curve.classifier for curve in self.curves]
        check_option("marker", marker, names)
        return self.curves[names.index(marker)]

    @property
    def account(self) -> Account | None:
        """Which class is positive, and who was left out."""
        return self.curves[0].account

    def statement(self) -> Statement:
        """Return a row for each curve, with its area."""
        rows = [
            {
                "classifier": curve.classifier,
                "auc": curve.area(),
                "vertices": int(curve.tp.size),
                "n_pos": curve.n_pos,
                "n_neg": curve.n_neg,
            }
            for curve in self.curves
        ]
        return Statement(
            rows=rows, shown=tuple(rows[0]), content={"curves": [c.to_dict() for c in self.curves]}
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw all curves on one ROC plane with matplotlib and return the axes.

        A curve's own colour or label is given to its own ``plot``, on the axes that this returns.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.curve_plots import draw_curves

        return draw_curves(
            [(f"{c.classifier} (AUC {c.area():.3f})", c.fpr, c.tpr) for c in self.curves], ax
        )


def roc_curves(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
    weights: Any = None,
    weight_kind: WeightKind | None = None,
) -> RocCurves:
    """Return the ROC curves of all markers, to be drawn in one call.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,) or (N, K), mapping or data frame, optional
        Scores of the markers, by name; none with a sample.
    pos_label : label, default 1
        The label of the positive class; a sample has its own.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.
    weights : array-like of shape (N,), optional
        What every row counts, at least 0; a sample has its own.
    weight_kind : {"probability", "frequency"}, default "probability"
        Whether a row is one subject that stands for others, or so many that are alike.

    Returns
    -------
    RocCurves
        A curve for each marker.

    See Also
    --------
    roc_curve : The empirical ROC curve of one marker.
    compare : Compare classifiers on the same subjects.

    Examples
    --------
    >>> import rocstats as rs
    >>> curves = rs.roc_curves([1, 0, 1, 0], {"a": [4, 3, 2, 1], "b": [4, 2, 3, 1]})
    >>> [curve.area() for curve in curves]
    [0.75, 1.0]
    >>> curves["b"].area()
    1.0
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
        weights=weights,
        weight_kind=weight_kind,
        takes=("weights", "strata", "nuisance"),
    )
    return RocCurves(curves=tuple(roc_curve(sample, marker=name) for name in sample.markers))
