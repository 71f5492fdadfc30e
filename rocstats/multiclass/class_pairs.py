"""Areas of every pair of classes, and their weighted mean with its influence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.blocks import sort_into_blocks
from rocstats.engine.catalogue import AUC
from rocstats.engine.evaluation import ordered_influence
from rocstats.engine.influence import Influence
from rocstats.engine.variances import satterthwaite_df
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import interval
from rocstats.estimates.results import ConfidenceInterval
from rocstats.multiclass.class_scores import ClassScores
from rocstats.tables import AnswerByMethod, SingleValue, Statement, show_value

if TYPE_CHECKING:
    from rocstats.arrays import Bools, Floats

__all__ = [
    "PAIR_COLUMNS",
    "ClassAreas",
    "ClassPair",
    "class_areas",
    "class_units",
    "limits_of",
    "scatter_of",
    "situation_of",
]

_ROUNDING = 8 * np.finfo(np.float64).eps  # a standard error this small beside 1 is 0
_AREAS = ("first", "second", "first_given_second", "second_given_first")
PAIR_COLUMNS = (*_AREAS, "estimate", "std_error", "conf_low", "conf_high")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClassPair(SingleValue, AnswerByMethod):
    """How well two classes are told apart.

    Attributes
    ----------
    first, second : label
        The classes.
    first_given_second : float
        A(i|j), the AUC of the first class's scores against the second class.
    second_given_first : float
        A(j|i), the AUC of the second class's scores against the first class.
    value, std_error, df : float
        Their mean A(i, j), with its standard error.
    n_first, n_second : int
        Class sizes, or numbers of clusters.

    See Also
    --------
    MulticlassAuc : One area for all classes.
    """

    first: Any
    second: Any
    first_given_second: float
    second_given_first: float
    value: float
    std_error: float
    df: float
    n_first: int
    n_second: int

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of A(i, j) by a named method.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : str, default "auto"
            A method of `Estimate.confidence_interval`, by name.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        title, sizes = f"A({self.first}, {self.second})", (self.n_first, self.n_second)
        situation = situation_of(title, self.value, self.std_error, self.df, sizes, is_auc=False)
        return limits_of(situation, confidence_level, method)

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return the areas and their mean with its interval, as one row."""
        limits = self.confidence_interval(confidence_level=confidence_level, method=method)
        row = {name: getattr(self, name) for name in _AREAS} | {
            "estimate": self.value,
            "std_error": self.std_error,
            "conf_low": limits.low,
            "conf_high": limits.high,
            "conf_level": limits.confidence_level,
            "conf_method": limits.method,
        }
        return Statement(
            head=f"A({self.first}, {self.second}): {show_value(self.value)} "
            f"({limits.confidence_level:.0%} CI {show_value(limits.low)} to "
            f"{show_value(limits.high)}, {limits.method}), SE {show_value(self.std_error)}",
            rows=[row],
            shown=PAIR_COLUMNS,
            in_words=True,
        )


def situation_of(
    label: str,
    value: float,
    std_error: float,
    df: float,
    sizes: Any,
    *,
    is_auc: bool,
    prior: float | None = None,
) -> Situation:
    """Return what an interval reads; sizes are those of the two classes it rests on."""
    return Situation(
        value=value,
        std_error=std_error,
        df=df,
        n_neg=int(sizes[0]),
        n_pos=int(sizes[1]),
        label=label,
        bounds=(0.0, 1.0),
        pair_mean=True,
        is_auc=is_auc,
        is_area=is_auc,
        prior=prior,
    )


def limits_of(situation: Situation, confidence_level: float, method: str) -> ConfidenceInterval:
    """Return the interval by name."""
    low, high, used = interval(situation, confidence_level, method)
    return ConfidenceInterval(low=low, high=high, confidence_level=confidence_level, method=used)


def class_units(classes: ClassScores) -> NDArray[np.intp]:
    """Number of independent units, subjects or clusters, in each class."""
    if classes.cluster is None:
        return classes.counts
    members = np.unique(np.stack([classes.code, classes.cluster]), axis=1)[0]
    return np.bincount(members, minlength=len(classes.labels))


def pair_weights(method: str, counts: NDArray[np.intp]) -> Floats:
    """Return the weight of A(i|j), the area of class i's scores against class j, before division.

    Hand & Till weigh all alike. Provost & Domingos weigh class i against the rest by its
    prevalence, and the rest is made of the other classes by their sizes; the macro average weighs
    the classes alike.
    """
    if method == "hand-till":
        return 1.0 - np.eye(counts.size)
    n = counts.astype(np.float64)
    own = np.ones(n.size) if method == "ovr-macro" else n
    weights: Floats = np.outer(own / (n.sum() - n), n)
    np.fill_diagonal(weights, 0.0)
    return weights


def prevalence_slope(method: str, areas: Floats, counts: NDArray[np.intp]) -> Floats:
    """Return how the area moves with the prevalence of each class.

    For ``sum_ij p_i p_j / (1 - p_i) A(i|j)`` it is, at class c, ``sum_j p_j A(c|j) / (1 - p_c)^2 +
    sum_i p_i / (1 - p_i) A(i|c)``; for the macro average, ``sum_ij p_j / (1 - p_i) A(i|j) / k``, it
    is ``[sum_j p_j A(c|j) / (1 - p_c)^2 + sum_i A(i|c) / (1 - p_i)] / k``.
    """
    if method == "hand-till":
        return np.zeros(counts.size)
    p = counts / counts.sum()
    if method == "ovr-macro":
        slope = (areas @ p) / (1.0 - p) ** 2 + (1.0 / (1.0 - p)) @ areas
        return np.asarray(slope / counts.size)
    return np.asarray((areas @ p) / (1.0 - p) ** 2 + (p / (1.0 - p)) @ areas)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassAreas:
    """The area of all classes, every subject's influence on it, and the pairs."""

    value: float
    values: Floats
    pairs: tuple[ClassPair, ...]


def class_areas(classes: ClassScores, method: str, sampling: str) -> ClassAreas:
    """Return the weighted mean of the areas of all pairs of classes.

    Each pair is sorted twice, once by the scores of either class; together the pairs hold every
    subject 2 (k - 1) times.
    """
    k, counts = len(classes.labels), classes.counts
    weights, areas = pair_weights(method, counts), np.zeros((k, k))
    total = math.fsum(weights.ravel())
    members = [np.flatnonzero(classes.code == c) for c in range(k)]
    values, pairs = np.zeros(classes.code.size), []
    for i, j in combinations(range(k), 2):
        pair = np.concatenate([members[i], members[j]])
        is_first = np.arange(pair.size) < members[i].size
        both = np.zeros(pair.size)
        for one, other, positive in ((i, j, is_first), (j, i, ~is_first)):
            scores = classes.scores_for(one, other)[pair]
            blocks = sort_into_blocks(scores, positive, ordered=True)
            areas[one, other], ordered = ordered_influence(AUC, blocks)
            phi = np.empty(pair.size)
            phi[blocks.order] = ordered
            values[pair] += weights[one, other] / total * phi
            both += 0.5 * phi
        pairs.append(_class_pair(classes, i, j, areas, pair, both, is_first))
    value, slope = math.fsum((weights * areas).ravel()) / total, np.zeros(k)
    if method == "ovr-micro":
        value, values, slope = _pooled_entries(classes)
    elif sampling == "cohort":
        slope = prevalence_slope(method, areas, counts)
    if sampling == "cohort":
        values = _cohort_values(classes, values, slope)
    return ClassAreas(value=value, values=values, pairs=tuple(pairs))


def _pooled_entries(classes: ClassScores) -> tuple[float, Floats, Floats]:
    """Return the micro average, every subject's influence within its class, and the class means.

    All N k scores are ranked together; a subject has one entry of its own class, a positive, and
    k - 1 others, so that its influence is that of the first plus the mean of the others.
    """
    k, size = len(classes.labels), classes.code.size
    own = classes.code == np.arange(k)[:, np.newaxis]
    blocks = sort_into_blocks(classes.scores.ravel(), own.ravel(), ordered=True)
    value, ordered = ordered_influence(AUC, blocks)
    phi = np.empty(k * size)
    phi[blocks.order] = ordered
    weight = np.where(own, 1.0, 1.0 / (k - 1.0))
    psi = (weight * phi.reshape(k, size)).sum(axis=0)
    counts = classes.counts
    means = np.bincount(classes.code, psi, minlength=k) / counts
    return value, (psi - means[classes.code]) * (counts / size)[classes.code], means


def _cohort_values(classes: ClassScores, values: Floats, slope: Floats) -> Floats:
    """Return influence in one stratum of all subjects, with the part of the random class sizes.

    The scale keeps the variance within the classes as it is, divisors included.
    """
    share, units = classes.counts / classes.counts.sum(), class_units(classes)
    whole = units.sum() if classes.cluster is None else np.unique(classes.cluster).size
    inflation = np.full(units.size, math.nan)  # a class of one unit has no variance
    np.divide(units, units - 1.0, out=inflation, where=units > 1)
    scale = np.sqrt(inflation * (whole - 1.0) / whole) / share
    cohort: Floats = values * scale[classes.code] + (slope - slope @ share)[classes.code]
    return cohort


def _class_pair(
    classes: ClassScores,
    i: int,
    j: int,
    areas: Floats,
    pair: NDArray[np.intp],
    values: Floats,
    is_first: Bools,
) -> ClassPair:
    """Return one row of the table of pairs, by the influence on the mean of both areas."""
    cluster = classes.cluster
    mean = Influence(
        estimate=np.array([0.5 * (areas[i, j] + areas[j, i])]),
        values=values[np.newaxis],
        stratum=(~is_first).astype(np.intp),
        rows=((f"{classes.labels[i]}, {classes.labels[j]}", "auc"),),
        cluster=None if cluster is None else np.unique(cluster[pair], return_inverse=True)[1],
    )
    std_error, df = scatter_of(mean)
    units = mean.units()
    return ClassPair(
        first=classes.labels[i],
        second=classes.labels[j],
        first_given_second=float(areas[i, j]),
        second_given_first=float(areas[j, i]),
        value=float(mean.estimate[0]),
        std_error=std_error,
        df=df,
        n_first=int(units[0]),
        n_second=int(units[1]),
    )


def scatter_of(influence: Influence) -> tuple[float, float]:
    """Return standard error and degrees of freedom of the only row; nan where a class has one."""
    units = influence.units()
    if units.min() < 2:
        return math.nan, math.nan
    terms = influence.covariance_terms()[:, 0, 0]
    std_error = math.sqrt(max(float(terms.sum()), 0.0))
    df = min(satterthwaite_df(terms[:-1], units), influence.most_df())
    return (0.0 if std_error <= _ROUNDING else std_error), df
