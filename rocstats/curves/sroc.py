"""The scored ROC curve (Wu, Flach & Ferri 2007): how the AUC falls as positives lose margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Bools, Floats
from rocstats.curves.drawn_curve import DrawnCurve
from rocstats.curves.margin_counts import wins_over_margins
from rocstats.curves.path import read_only, to_numbers
from rocstats.data.blocks import sort_into_blocks
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.engine.catalogue import SAUC, scored_auc
from rocstats.engine.evaluation import summarise, to_measure_scale
from rocstats.engine.measures import Bounds
from rocstats.errors import check_option
from rocstats.tables import Answer, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.plots.plane import Line

__all__ = ["SrocCurve", "sroc_curve"]

_ALL_PAIRS = 10**6  # up to here every pair's difference is a break point
_GRID = 257
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
_FEW = 4096  # distinct scores of positives at most that are searched for at every margin


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SrocCurve(DrawnCurve, Answer):
    """The AUC against the margin taken off every positive score.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    margin : array of shape (K,)
        Increasing, from 0 to the largest margin of a positive over a negative.
    auc : array of shape (K,)
        Share of pairs won by more than the margin: right-continuous, constant up to the next
        margin.
    complete : bool
        Whether the margins are all break points (up to 10^6 pairs) or an even grid.
    pos, neg : array
        The scores of each class, sorted.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    sroc_curve : The scored ROC curve, whose area is the sAUC.
    """

    classifier: str
    margin: Floats
    auc: Floats
    complete: bool
    pos: Floats
    neg: Floats
    account: Account | None = None

    def area(self) -> float:
        """Return the area under the curve, which is the sAUC."""
        if self.complete:
            return float((self.auc[:-1] * np.diff(self.margin)).sum())
        scores = np.concatenate([self.pos, self.neg])
        positive: Bools = np.arange(scores.size) < self.pos.size
        return summarise(SAUC, sort_into_blocks(scores, positive)).value

    def at(self, margin: ArrayLike, *, ties: Literal["half", "strict"] = "half") -> Any:
        """Return the AUC after taking `margin` (any real) off every positive.

        With ``ties="half"`` pairs at exactly that margin count half, so ``at(0)`` is the AUC;
        ``"strict"`` is the step curve itself.

        Parameters
        ----------
        margin : float or array-like
            What is taken off, any real number.
        ties : {"half", "strict"}, default "half"
            What a pair at exactly that margin counts.

        Returns
        -------
        float or array
            The AUC there.
        """
        check_option("ties", ties, ("half", "strict"))
        wanted = to_numbers(margin, "margin")
        margins = np.atleast_1d(wanted)
        pairs = _Pairs.of(self.pos, self.neg)
        won, level = pairs.over(margins)
        if ties == "half":
            won = won + 0.5 * level
        share = won / (self.pos.size * self.neg.size)
        return float(share[0]) if wanted.ndim == 0 else share

    def statement(self) -> Statement:
        """Return the steps, and the area."""
        columns = {"margin": self.margin, "auc": self.auc}
        kind = "steps" if self.complete else "grid points"
        return Statement(
            head=f"sROC curve of {self.classifier}: sAUC {self.area():.4f}, "
            f"{self.margin.size} {kind}, {self.pos.size} positives, {self.neg.size} negatives",
            rows=columns,
            content={"classifier": self.classifier, **columns},
        )

    def _draw(self, ax: Axes | None, line: Line) -> Axes:
        from rocstats.plots.plane import draw_steps

        label = f"{self.classifier} (sAUC {self.area():.3f})"
        return draw_steps(self.margin, self.auc, label, ax, line=line)


def sroc_curve(
    y_true: Any,
    y_score: Any = None,
    bounds: Bounds | Literal["range"] | None = None,
    *,
    pos_label: Any = None,
    marker: str | None = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> SrocCurve:
    """Return the scored ROC curve of one marker.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    bounds : (float, float) or "range", optional
        None leaves the scores, and so the margins, in their own units; two numbers take the scores
        from there to [0, 1]; "range" takes the sample's own range.
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
    SrocCurve
        The AUC against the margin taken off every positive.

    See Also
    --------
    sauc : Estimate the scored AUC.
    roc_curve : The empirical ROC curve.

    Notes
    -----
    ``theta(tau)``, the share of pairs with ``y - x > tau`` (Wu, Flach & Ferri 2007,
    doi:10.1007/978-3-540-74958-5_44, Definition 1). Above 10^6 pairs the curve is kept on a grid of
    257 margins; `area` stays exact, and `at` compares ``y - margin`` with x.

    Examples
    --------
    >>> import rocstats as rs
    >>> curve = rs.sroc_curve([1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0.0])
    >>> round(curve.at(0.25), 4), round(curve.area(), 4)
    (0.6667, 0.4667)
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    row = sample.marker(marker)
    measure = scored_auc(bounds=bounds)
    blocks = to_measure_scale(measure, sample.blocks(row), flipped=sample.is_flipped(row))
    pos = np.repeat(blocks.score, blocks.n_pos.astype(np.intp))
    neg = np.repeat(blocks.score, blocks.n_neg.astype(np.intp))
    pairs = _Pairs.of(pos, neg)
    if pairs.ranked is not None:
        won = pairs.ranked[pairs.ranked > 0.0]
        margin = np.append(0.0, won[np.append(won[1:] != won[:-1], True)[: won.size]])
    else:
        top = float(pos[-1] - neg[0])
        margin = np.linspace(0.0, top, _GRID) if top > 0.0 else np.zeros(1)
    won_by = pairs.over_grid(margin) if pairs.ranked is None else pairs.over(margin)[0]
    return SrocCurve(
        classifier=sample.markers[row],
        margin=read_only(margin),
        auc=read_only(won_by / (pos.size * neg.size)),
        complete=pairs.ranked is not None,
        pos=read_only(pos),
        neg=read_only(neg),
        account=sample.account,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Positives against negatives, sorted; and where they are few, all differences, sorted once."""

    pos: Floats
    neg: Floats
    ranked: Floats | None

    @classmethod
    def of(cls, pos: Floats, neg: Floats) -> _Pairs:
        if pos.size * neg.size > _ALL_PAIRS:
            return cls(pos, neg, None)
        return cls(pos, neg, np.sort(np.subtract.outer(pos, neg), axis=None))

    def over(self, margin: Floats) -> tuple[Floats, Floats]:
        """Count the pairs that win by more than each margin, and those that win by just that."""
        if self.ranked is not None:
            short, upto = (np.searchsorted(self.ranked, margin, side) for side in _SIDES)
            return (self.ranked.size - upto).astype(np.float64), (upto - short).astype(np.float64)
        last = np.append(np.flatnonzero(np.diff(self.pos)), self.pos.size - 1)
        score, count = self.pos[last], np.diff(last, prepend=-1)
        won, level = np.zeros((2, margin.size))
        for i, t in enumerate(margin.tolist()):
            # Sorted queries walk through the negatives in order: linear time for each margin.
            wanted = score - t
            below = np.searchsorted(self.neg, wanted)
            won[i] = np.einsum("n,n->", count, below)
            (tied,) = (self.neg.take(below, mode="clip") == wanted).nonzero()
            if tied.size:
                upto = np.searchsorted(self.neg, wanted[tied], side="right")
                level[i] = np.einsum("n,n->", count[tied], upto - below[tied])
        return won, level

    def over_grid(self, margin: Floats) -> Floats:
        """Count the pairs that win by more than each of even margins from 0 to the largest."""
        width = float(margin[-1]) / (_GRID - 1)
        distinct = np.count_nonzero(np.diff(self.pos)) + 1
        if distinct <= _FEW or margin.size < _GRID or not 1e-200 < width < 1e200:
            return self.over(margin)[0]
        return wins_over_margins(self.pos, self.neg, _GRID - 1)
