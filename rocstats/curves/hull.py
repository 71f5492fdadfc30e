"""The ROC convex hull of one or many classifiers (Fawcett 2006, section 6), in exact fractions."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.curves.corners import Corner, curve_corners, upper_hull
from rocstats.curves.discrete_points import as_points, check_apart
from rocstats.curves.mixture import (
    MixedClassifier,
    as_fraction,
    as_population,
    measured,
    mix_classifiers,
)
from rocstats.curves.path import CurvePoint, point_at
from rocstats.curves.roc import RocCurve, refuse_weighted, roc_curve
from rocstats.curves.vertices import HullVertex, IsoPerformance, owner_rows
from rocstats.data.sample import Account, NanPolicy, Orientation, as_sample
from rocstats.errors import InvalidOptionError, listed, named
from rocstats.tables import Answer, Rows, Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RocHull", "roc_hull"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocHull(Rows[HullVertex], Answer):
    """The ROC convex hull.

    Attributes
    ----------
    curves : tuple of RocCurve
        The curves it is the hull of, by name.
    vertices : tuple of HullVertex
        The vertices, from (0, 0) to (1, 1); no three of them lie on a line.
    points : mapping of str to (Fraction, Fraction)
        False and true positive rate of discrete classifiers, which have no curve.

    See Also
    --------
    roc_hull : The convex hull of ROC curves.
    HullVertex : A vertex of the hull.
    """

    curves: tuple[RocCurve, ...]
    vertices: tuple[HullVertex, ...]
    points: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)

    _one: ClassVar = "vertex"

    def _names(self) -> list[tuple[str, ...]]:
        return self.owner

    def _row(self, i: int) -> HullVertex:
        return self.vertices[i]

    @property
    def fpr(self) -> Floats:
        """False positive rates of the vertices."""
        return np.array([float(v.fpr) for v in self.vertices])

    @property
    def tpr(self) -> Floats:
        """True positive rates of the vertices."""
        return np.array([float(v.tpr) for v in self.vertices])

    @property
    def owner(self) -> list[tuple[str, ...]]:
        """Who owns each vertex."""
        return [v.owner for v in self.vertices]

    @property
    def threshold(self) -> list[tuple[float, ...]]:
        """Where each owner reaches the vertex."""
        return [v.threshold for v in self.vertices]

    @property
    def classifiers(self) -> list[str]:
        """Classifiers with a vertex of the hull; the others are best under no conditions."""
        found = {name for v in self.vertices[1:-1] for name in v.owner}
        return [name for name in self._members if name in found]

    @property
    def _members(self) -> list[str]:
        return [*(curve.classifier for curve in self.curves), *self.points]

    def area(self) -> float:
        """Return the area under the hull, which is no less than that of any of the curves."""
        steps = pairwise(self.vertices)
        return float(sum((b.fpr - a.fpr) * (b.tpr + a.tpr) for a, b in steps) / 2)

    def at(self, fpr: ArrayLike | None = None, *, tpr: ArrayLike | None = None) -> CurvePoint:
        """Return the point of the hull at a rate, linear between vertices.

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
        return point_at(self.fpr, self.tpr, at_fpr=fpr, at_tpr=tpr)

    def best(self, prevalence: Any, *, cost_fp: Any = 1, cost_fn: Any = 1) -> IsoPerformance:
        """Return the vertices with the least expected cost.

        Parameters
        ----------
        prevalence : float or Fraction
            Share of positives where the classifier will be used.
        cost_fp : float or Fraction, default 1
            Cost of a false positive.
        cost_fn : float or Fraction, default 1
            Cost of a false negative; only the ratio of the two matters for the choice.

        Returns
        -------
        IsoPerformance
            The vertices, the slope and the expected cost.

        Notes
        -----
        A point costs ``prevalence cost_fn (1 - tpr) + (1 - prevalence) cost_fp fpr``. Points on a
        line of slope ``m = cost_fp (1 - prevalence) / (cost_fn prevalence)`` cost the same
        (Fawcett 2006, equation 1). Ties are exact: a decimal is what it says, and a
        ``fractions.Fraction`` may be given.
        """
        share = as_fraction(prevalence, "prevalence")
        if not 0 < share < 1:
            raise InvalidOptionError(
                f"{named('prevalence')} must lie strictly between 0 and 1, got {prevalence!r}."
            )
        costs = as_fraction(cost_fp, "cost_fp"), as_fraction(cost_fn, "cost_fn")
        if min(costs) < 0 or max(costs) == 0:
            raise InvalidOptionError(
                f"Costs must not be negative, and one must be positive, got cost_fp {cost_fp!r} "
                f"and cost_fn {cost_fn!r}."
            )
        false_alarm, miss = costs[0] * (1 - share), costs[1] * share
        cost = [miss * (1 - v.tpr) + false_alarm * v.fpr for v in self.vertices]
        least = min(cost)
        return IsoPerformance(
            cost_fp=float(costs[0]),
            cost_fn=float(costs[1]),
            prevalence=float(share),
            slope=float(false_alarm / miss) if miss else math.inf,
            expected_cost=float(least),
            vertices=tuple(v for v, c in zip(self.vertices, cost, strict=True) if c == least),
        )

    def mix(
        self,
        *,
        called: Any = None,
        fpr: Any = None,
        tpr: Any = None,
        size: Any = None,
        prevalence: Any = None,
    ) -> MixedClassifier:
        """Return the mixture of neighbouring vertices that meets a number.

        Parameters
        ----------
        called : float, optional
            How many subjects of the population are to be called positive.
        fpr : float or Fraction, optional
            The false positive rate that is wanted instead.
        tpr : float or Fraction, optional
            The true positive rate that is wanted instead.
        size : int, optional
            Number of subjects in the population; needed with `called`, and otherwise only for the
            expected counts.
        prevalence : float or Fraction, optional
            Share of positives in the population; likewise.

        Returns
        -------
        MixedClassifier
            The two vertices and the share of each.
        """
        name = "called" if called is not None else "fpr" if fpr is not None else "tpr"
        wanted = {"called": called, "fpr": fpr, "tpr": tpr}
        here = 1
        if wanted[name] is not None:
            value, population = as_fraction(wanted[name], name), as_population(size, prevalence)
            reached = [measured((v.fpr, v.tpr), name, population) for v in self.vertices]
            # Upper left where several will do: the last at a false, the first at a true rate.
            here = bisect_left(reached, value) if name == "tpr" else bisect_right(reached, value)
        here = min(max(here, 1), len(self.vertices) - 1)
        first, second = self.vertices[here - 1 : here + 1]
        found = mix_classifiers(
            (first.fpr, first.tpr),
            (second.fpr, second.tpr),
            **wanted,
            size=size,
            prevalence=prevalence,
        )
        return replace(found, names=(first.owners_in_words(), second.owners_in_words()))

    @property
    def account(self) -> Account | None:
        """Which class is positive, and who was left out."""
        return self.curves[0].account if self.curves else None

    def statement(self) -> Statement:
        """Return the vertices, a row for each of their owners, and who is never best."""
        names = self._members
        idle = [name for name in names if name not in self.classifiers]
        return Statement(
            head=f"ROC convex hull of {listed(names)}: area {self.area():.4f}, "
            f"{len(self.vertices)} vertices" + (f"; never best: {listed(idle)}" if idle else ""),
            rows=owner_rows(self.vertices),
            content={"area": self.area(), "vertices": [v.to_dict() for v in self.vertices]},
        )

    def plot(
        self, ax: Axes | None = None, *, best: IsoPerformance | Sequence[IsoPerformance] = ()
    ) -> Axes:
        """Draw curves, hull and the iso-performance lines of some conditions; return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.
        best : IsoPerformance or sequence of them, default ()
            Conditions whose lines are drawn.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.curve_plots import draw_hull

        curves = [(c.classifier, c.fpr, c.tpr) for c in self.curves]
        given = [best] if isinstance(best, IsoPerformance) else best
        lines = [
            (
                f"slope {b.slope:.3g}: {' or '.join(b.classifiers)}",
                b.slope,
                [(float(v.fpr), float(v.tpr)) for v in b.vertices],
            )
            for b in given
        ]
        label = f"hull (area {self.area():.3f})"
        points = [(name, float(fpr), float(tpr)) for name, (fpr, tpr) in self.points.items()]
        return draw_hull(self.fpr, self.tpr, label, ax, curves=curves, points=points, lines=lines)


def roc_hull(
    y_true: Any = None,
    y_score: Any = None,
    *,
    points: Mapping[str, tuple[Any, Any]] | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    pos_label: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> RocHull:
    """Return the ROC convex hull of one or many classifiers.

    Parameters
    ----------
    y_true : array-like of shape (N,), ScoredSample, RocCurve, or several of these two, optional
        Labels, with `y_score`; a sample, whose markers are the classifiers; a curve; or a list of
        them or a mapping from names, which may be of different samples. May be left out where there
        are `points`.
    y_score : array-like of shape (N,) or (N, K), mapping or data frame, optional
        Scores of the classifiers, by name; only with labels.
    points : mapping of str to (float, float), optional
        False and true positive rate of discrete classifiers by name, as printed somewhere or as a
        ``fractions.Fraction``; they join the curves, if there are any.
    n_pos : int, optional
        Number of positives that the rates in `points` are of: rates printed with few digits are
        taken to the counts they stand for, and are exact.
    n_neg : int, optional
        Number of negatives, likewise.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; samples and curves have their own.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    RocHull
        The vertices, and which classifier owns each of them.

    See Also
    --------
    roc_curve : The empirical ROC curve.
    mix_classifiers : Mix two classifiers so that one number comes out as wanted.
    RocHull.best : The vertices with the least expected cost.

    Notes
    -----
    A classifier is the best under some costs and prevalence if and only if it is on the hull
    (Provost & Fawcett 2001; Fawcett 2006, doi:10.1016/j.patrec.2005.10.010, section 6). The hull
    is chosen by looking at the data, so its area is too high for new data, the more so the more
    curves there are. Vertices are fractions and turns are decided exactly; points on an edge are no
    vertices. Computed in O(n log n), the sorting included. R equivalent: ROCR's
    ``performance(pred, "rch")``, which has no owners.

    Examples
    --------
    >>> import rocstats as rs
    >>> hull = rs.roc_hull(rs.datasets.load_fawcett())
    >>> hull
    ROC convex hull of score: area 0.7550, 6 vertices
    positive class p, negative class n
    >>> hull.best(prevalence=0.5)
    Iso-performance slope 1 (cost_fp 1, cost_fn 1, prevalence 0.5): expected cost 0.3000
      score at 0.54 (fpr 0.1000, tpr 0.5000)
    >>> rs.roc_hull(points={"tree": (0.1, 0.6), "rule": (0.4, 0.7), "nurse": (0.3, 0.9)})
    ROC convex hull of tree, rule, nurse: area 0.8450, 4 vertices; never best: rule
    """
    options = {
        "pos_label": pos_label,
        "higher_is_positive": higher_is_positive,
        "nan_policy": nan_policy,
    }
    discrete = as_points(points, n_pos, n_neg)
    alone = bool(discrete) and y_true is None and y_score is None
    if alone and any(v is not None for v in options.values()):
        raise InvalidOptionError("Points alone take no options of scores beside them.")
    curves = [] if alone else _as_curves(y_true, y_score, options)
    check_apart(discrete, [curve.classifier for curve in curves])
    # Rates with one denominator a side are whole numbers.
    across = math.lcm(*(c.n_neg for c in curves), *(x.denominator for x, _ in discrete.values()))
    upward = math.lcm(*(c.n_pos for c in curves), *(y.denominator for _, y in discrete.values()))
    owners: dict[Corner, list[tuple[str, float]]] = {}
    for curve in curves:
        found = curve_corners(curve.fp, curve.tp)
        right, up = across // curve.n_neg, upward // curve.n_pos
        for fp, tp, threshold in zip(
            *(a[found].tolist() for a in (curve.fp, curve.tp, curve.threshold)), strict=True
        ):
            owners.setdefault((fp * right, tp * up), []).append((curve.classifier, threshold))
    for name, (x, y) in discrete.items():
        owners.setdefault((int(x * across), int(y * upward)), []).append((name, math.nan))
    owners |= {(0, 0): [("none", math.nan)], (across, upward): [("all", math.nan)]}
    corners = sorted(owners)
    corners = [corners[i] for i in upper_hull(corners)]
    slopes = [math.inf, *(_slope(a, b, across, upward) for a, b in pairwise(corners)), 0.0]
    vertices = [
        HullVertex(
            fpr=Fraction(corner[0], across),
            tpr=Fraction(corner[1], upward),
            owner=tuple(name for name, _ in owners[corner]),
            threshold=tuple(threshold for _, threshold in owners[corner]),
            slope_low=low,
            slope_high=high,
        )
        for corner, (high, low) in zip(corners, pairwise(slopes), strict=True)
    ]
    return RocHull(curves=tuple(curves), vertices=tuple(vertices), points=discrete)


def _slope(a: Corner, b: Corner, n_neg: int, n_pos: int) -> float:
    if a[0] == b[0]:
        return math.inf
    return float(Fraction((b[1] - a[1]) * n_neg, (b[0] - a[0]) * n_pos))


def _as_curves(given: Any, y_score: Any, options: dict[str, Any]) -> list[RocCurve]:
    """Return the curves of all that may be given, with names that differ."""
    curves = [given] if isinstance(given, RocCurve) else given
    if isinstance(given, Mapping):
        curves = list(given.values())
    are_curves = isinstance(curves, (list, tuple)) and any(isinstance(c, RocCurve) for c in curves)
    if not are_curves:
        sample = as_sample(given, y_score, **options)
        return [roc_curve(sample, marker=name) for name in sample.markers]
    if y_score is not None or any(v is not None for v in options.values()):
        raise InvalidOptionError(
            "Curves are given; they take no scores and no options beside them."
        )
    if not all(isinstance(c, RocCurve) for c in curves):
        raise InvalidOptionError("A list of curves must hold ROC curves only.")
    for curve in curves:
        refuse_weighted(curve)
    if isinstance(given, Mapping):
        curves = [replace(c, classifier=str(n)) for n, c in given.items()]
    names = [c.classifier for c in curves]
    if len(set(names)) < len(names):
        raise InvalidOptionError(
            f"Two curves have the same name ({listed(names)}); give them names of their own, as in "
            'roc_hull({"a": curve_1, "b": curve_2}).'
        )
    return list(curves)
