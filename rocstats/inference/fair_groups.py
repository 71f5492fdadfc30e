"""Is a marker equally good for all groups of people? Areas, cross areas and rates by group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import sort_into_blocks
from rocstats.data.columns import coded_ids, id_column
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample, as_sample
from rocstats.engine.catalogue import AUC
from rocstats.engine.evaluation import ordered_influence, to_measure_scale
from rocstats.engine.influence import Influence
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    as_number,
    check_confidence_level,
    did_you_mean,
    keyword,
    listed,
    named,
)
from rocstats.estimates.quantities import Edge, Quantity, known_by_influence
from rocstats.inference.compared_quantities import Quantities
from rocstats.inference.contrasts import Contrasts, adjust_pvalues, judge_contrasts
from rocstats.inference.omnibus import OmnibusTest, judge_omnibus
from rocstats.tables import AnswerAtLevel, Statement

__all__ = ["GroupFairness", "group_fairness"]

_MOST_GROUPS = 20
_LABELS = {"auc": "AUC", "xauc": "xAUC", "sensitivity": "Sensitivity", "specificity": "Specificity"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GroupFairness(AnswerAtLevel):
    """How good one marker is in every group of people, and the gaps between groups.

    Attributes
    ----------
    marker : str
        The marker.
    groups : tuple of str
        The groups, in their order.
    threshold : float or None
        The cut-off of the rates.
    estimates : Quantities
        AUC, xAUC and rates, measure by measure; a row is called by its group, that of an xAUC by
        the group of its positives and that of its negatives.

    See Also
    --------
    group_fairness : Compare groups of people by how good a marker is in them.
    Contrasts : Several tests with adjusted p-values.
    """

    marker: str
    groups: tuple[str, ...]
    threshold: float | None
    estimates: Quantities

    @property
    def influence(self) -> Influence:
        """Every subject's influence on every row."""
        return self.estimates.influence

    @property
    def _account(self) -> Any:
        return self.estimates.sample.account

    def gaps(
        self, *, adjust: str = "none", confidence_level: float = 0.95, reference: str = "auto"
    ) -> Contrasts:
        """Return the difference of every pair of groups, by every measure, with its interval.

        Parameters
        ----------
        adjust : str, default "none"
            How to adjust p-values for their number: "none", or a method of statsmodels by name.
        confidence_level : float, default 0.95
            Level of the intervals.
        reference : {"auto", "t", "normal"}, default "auto"
            The distribution of the statistic: "auto" is t with Satterthwaite's degrees of freedom.

        Returns
        -------
        Contrasts
            A test for every gap.
        """
        level = check_confidence_level(confidence_level)
        names, matrix = self._differences()
        scale = np.abs(matrix) @ np.abs(self.influence.estimate)
        tests = judge_contrasts(self.influence, names, scale, weights=matrix, reference=reference)
        return Contrasts(
            tests=tests,
            adjust=adjust,
            adjusted=adjust_pvalues([test.pvalue for test in tests], adjust),
            confidence_level=level,
            account=self._account,
        )

    def equality(self, measure: str = "auc") -> OmnibusTest:
        """Test whether all groups are equal by one measure.

        Parameters
        ----------
        measure : {"auc", "xauc", "sensitivity", "specificity"}, default "auc"
            The measure; of "xauc" that positives of either group of a pair stand above the
            negatives of the other alike.

        Returns
        -------
        OmnibusTest
            The test.
        """
        known = list(dict.fromkeys(row.measure.name for row in self.estimates.rows))
        if measure not in known:
            raise InvalidOptionError(
                f"{named('measure')} must be one of {listed(map(repr, known))}, got {measure!r}"
                + (f"; rates need {keyword('threshold')}." if self.threshold is None else ".")
                + did_you_mean(measure, known)
            )
        names, matrix = self._differences()
        lines = matrix[[name.endswith(f"({measure})") for name in names]]
        scale = np.abs(lines) @ np.abs(self.influence.estimate)
        return judge_omnibus(self.influence.contrast(lines), scale)

    def _differences(self) -> tuple[list[str], Floats]:
        """Return the name and the weights of every gap, measure by measure."""
        place = {(r.measure.name, r.classifier): i for i, r in enumerate(self.estimates.rows)}
        names, lines = [], []
        for measure in dict.fromkeys(name for name, _ in place):
            for a, b in combinations(self.groups, 2):
                ends = (_over(a, b), _over(b, a)) if measure == "xauc" else (a, b)
                line = np.zeros(len(place))
                line[place[measure, ends[0]]], line[place[measure, ends[1]]] = 1.0, -1.0
                names.append(f"{ends[0]} - {ends[1]} ({measure})")
                lines.append(line)
        return names, np.array(lines)

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return the measures of every group, the gaps, and the tests that all are equal."""
        estimates = self.estimates.statement(confidence_level=confidence_level)
        gaps = self.gaps(confidence_level=confidence_level).statement()
        measures = list(dict.fromkeys(row.measure.name for row in self.estimates.rows))
        equal = Statement(
            rows=[{"measure": name, **self.equality(name).statement().row} for name in measures],
            shown=("measure", "statistic", "df", "p_value"),
            head="All groups equal, by measure",
        )
        return Statement(
            rows=gaps.rows,
            parts=[estimates, gaps, equal],
            content={
                "marker": self.marker,
                "threshold": self.threshold,
                **estimates.as_dict(),
                **gaps.as_dict(),
                "equality": equal.rows,
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """A measure of some subjects, `here`, and the influence of all."""

    measure: str
    who: str
    here: Bools
    value: float
    values: Floats


def group_fairness(
    y_true: Any,
    y_score: Any = None,
    *,
    group: Any = None,
    threshold: float | None = None,
    marker: str | None = None,
    pos_label: Any = None,
    cluster: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> GroupFairness:
    """Compare groups of people by how good a marker is in them, with gaps and intervals.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        Labels of two classes; or a sample, which has the scores too.
    y_score : array-like of shape (N,), mapping or data frame, optional
        Scores of one marker, or of several by name; none with a sample.
    group : array-like of shape (N,) or str
        The group of each subject; or the name of a covariate of the sample.
    threshold : float, optional
        The cut-off, for sensitivity and specificity by group; scores at or beyond it call positive.
    marker : str, optional
        Which marker, where there are several.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent subjects, which are then the independent units.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a marker by name, where low scores speak for the positive class; nothing
        is turned round by looking at the data.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every subject that has one and count it.

    Returns
    -------
    GroupFairness
        AUC, xAUC and rates by group; ``gaps`` has the differences, ``equality`` the tests.

    See Also
    --------
    auc : Estimate the area under the ROC curve.
    compare_independent : Compare estimates from different samples.
    operating_points : 2x2 tables at thresholds, with their measures.

    Notes
    -----
    The xAUC of two groups is the probability that a positive of the one scores above a negative of
    the other (Kallus & Zhou 2019); its gap, with the groups exchanged, shows a marker that ranks
    people of one group higher throughout, which the AUC within groups cannot see. All rows share
    subjects, and all tests are contrasts of one joint influence. Groups are as they are: a gap says
    that the marker differs, not why. R equivalent: none.

    References
    ----------
    Kallus & Zhou (2019), doi:10.48550/arXiv.1902.05826.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, s = [1, 1, 0, 0, 1, 1, 0, 0], [4, 2, 3, 1, 9, 8, 7, 6]
    >>> found = rs.group_fairness(y, s, group=["a"] * 4 + ["b"] * 4)
    >>> [(row.measure.name, row.classifier, row.value) for row in found.estimates.rows]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('auc', 'a', 0.75), ('auc', 'b', 1.0), ('xauc', 'a over b', 0.0), ('xauc', 'b over a', 1.0)]
    """
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        cluster=cluster,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    row = sample.marker(marker)
    code, groups = _groups(sample, group)
    scores, positive = sample.oriented(row), sample.positive
    everyone = [(name, code == k) for k, name in enumerate(groups)]
    found = [_area(scores, positive, here, "auc", name) for name, here in everyone]
    found += [
        _area(scores, positive, np.where(positive, first, second), "xauc", _over(a, b))
        for (a, first), (b, second) in permutations(everyone, 2)
    ]
    if threshold is not None:
        called = scores >= _cut(sample, row, threshold)
        found += [_share(called, here, positive, "sensitivity", name) for name, here in everyone]
        found += [_share(~called, here, ~positive, "specificity", name) for name, here in everyone]
    influence = Influence(
        estimate=np.array([one.value for one in found]),
        values=np.array([one.values for one in found]),
        stratum=2 * code + positive,
        rows=tuple((one.who, one.measure) for one in found),
        subject=sample.subject,
        cluster=sample.cluster,
    )
    rows = [_quantity(influence.select([i]), sample, one) for i, one in enumerate(found)]
    return GroupFairness(
        marker=sample.markers[row],
        groups=groups,
        threshold=None if threshold is None else float(threshold),
        estimates=Quantities(rows=tuple(rows), influence=influence, sample=sample),
    )


def _over(a: str, b: str) -> str:
    return f"{a} over {b}"


def _groups(sample: ScoredSample, group: Any) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    if group is None:
        raise InvalidOptionError(f"{named('group')} is missing: the group of each subject.")
    if isinstance(group, str):
        if group not in sample.covariates:
            raise InvalidOptionError(
                f"{named('group')} names {group!r}, which is no covariate of the sample "
                f"({listed(sample.covariates) if sample.covariates else 'it has none'}); keep it "
                f"with {keyword('covariates')} when the sample is built, or give the column."
                f"{did_you_mean(group, sample.covariates)}"
            )
        group = sample.covariates[group]
    elif sample.kept is not None and len(group) == sample.kept.size:
        group = np.asarray(group)[sample.kept]
    code, ids = coded_ids(id_column(group, sample.positive.size, "group"))
    groups = tuple(map(str, ids))
    if not 2 <= len(groups) <= _MOST_GROUPS:
        raise InvalidSampleError(
            f"Between 2 and {_MOST_GROUPS} groups can be compared, got {len(groups)}; make groups "
            "first."
        )
    for label, mine in (("positive", sample.positive), ("negative", ~sample.positive)):
        unit = np.arange(code.size) if sample.cluster is None else sample.cluster
        for k, name in enumerate(groups):
            size = np.unique(unit[mine & (code == k)]).size
            if size < 2:
                raise InvalidSampleError(
                    f"Group {name} has {size} independent {label}s, and two are needed for a "
                    "variance; merge groups, or leave it out."
                )
    return code, groups


def _cut(sample: ScoredSample, row: int, threshold: Any) -> float:
    cut = as_number(threshold)
    if not math.isfinite(cut):
        raise InvalidOptionError(f"{named('threshold')} must be a number, got {threshold!r}.")
    return -cut if sample.is_flipped(row) else cut


def _area(scores: Floats, positive: Bools, here: Bools, measure: str, who: str) -> _Found:
    """Return the area of some subjects, and everyone's influence on it."""
    blocks = sort_into_blocks(scores[here], positive[here], ordered=True)
    value, ordered = ordered_influence(AUC, to_measure_scale(AUC, blocks, flipped=False))
    mine, values = np.empty(ordered.size), np.zeros(scores.size)
    mine[blocks.order] = ordered
    values[here] = mine
    return _Found(measure=measure, who=who, here=here, value=value, values=values)


def _share(right: Bools, here: Bools, mine: Bools, measure: str, who: str) -> _Found:
    """Return the share of a class that is called right, and everyone's influence on it."""
    value = float(right[here & mine].mean())
    values = np.where(here & mine, right - value, 0.0)
    return _Found(measure=measure, who=who, here=here, value=value, values=values)


def _quantity(influence: Influence, sample: ScoredSample, found: _Found) -> Quantity:
    """Return one row with its interval; where nothing varies, the exact bound of fewest units."""
    n_pos = int(np.count_nonzero(found.here & sample.positive))
    n_neg = int(np.count_nonzero(found.here)) - n_pos
    sizes = {"sensitivity": (n_pos,), "specificity": (n_neg,)}.get(found.measure, (n_pos, n_neg))
    return known_by_influence(
        influence,
        label=_LABELS[found.measure],
        n_pos=n_pos,
        n_neg=n_neg,
        bounds=(0.0, 1.0),
        edge=_edge(found.value, min(sizes)),
        account=sample.account,
    )


def _edge(value: float, size: int) -> Edge:
    """Return the limits of a share without variance: of all, or of none."""

    def limits(tail: float) -> tuple[float, float]:
        bound = tail ** (1.0 / size)
        return (bound, 1.0) if value > 0.5 else (0.0, 1.0 - bound)

    return limits
