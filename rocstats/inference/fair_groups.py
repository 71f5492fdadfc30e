"""Is a marker equally good for all groups of people? Areas, cross areas and rates by group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import sort_into_blocks
from rocstats.data.columns import coded_ids, id_column
from rocstats.data.row_indexes import check_same_rows, with_names
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
from rocstats.estimates.estimators import auc
from rocstats.estimates.quantities import Edge, Known, Quantity, known_by_influence
from rocstats.estimates.results import ConfidenceInterval
from rocstats.inference.binary.rate_differences import wilson_limits
from rocstats.inference.binary.rate_tests import ScoreTest
from rocstats.inference.binary.unpaired_rates import UnpairedScore, equal_shares
from rocstats.inference.compared_quantities import Quantities
from rocstats.inference.contrasts import (
    Contrasts,
    adjust_pvalues,
    judge_contrasts,
    tail_probability,
    warn_no_variance,
)
from rocstats.inference.omnibus import OmnibusTest, judge_omnibus
from rocstats.tables import AnswerAtLevel, Statement

__all__ = ["GroupFairness", "group_fairness", "judge_groups"]

_MOST_GROUPS = 20
_RATES = ("sensitivity", "specificity")
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
            The distribution of the statistic: "auto" is t with Satterthwaite's degrees of freedom,
            and for rates of independent people Miettinen & Nurminen's score test and limits.

        Returns
        -------
        Contrasts
            A test for every gap.
        """
        level = check_confidence_level(confidence_level)
        names, matrix = self._differences()
        scale = np.abs(matrix) @ np.abs(self.influence.estimate)
        by_score = self._counts if reference == "auto" else {}
        found = [i for i, line in enumerate(matrix) if not self._rates_of(line, by_score)]
        plain = judge_contrasts(
            self.influence,
            [names[i] for i in found],
            scale[found],
            weights=matrix[found],
            reference=reference,
        )
        test_of = dict(zip(found, plain, strict=True))
        for i, line in enumerate(matrix):
            if i not in test_of:
                test_of[i] = _score_test(names[i], *self._rates_of(line, by_score))
        tests = tuple(test_of[i] for i in range(len(names)))
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
        counts = [self._counts[row] for row in self._counts if row[0] == measure]
        if counts:
            return _equal_rates(*zip(*counts, strict=True))
        names, matrix = self._differences()
        lines = matrix[[name.endswith(f"({measure})") for name in names]]
        scale = np.abs(lines) @ np.abs(self.influence.estimate)
        return judge_omnibus(self.influence.contrast(lines), scale)

    @property
    def _counts(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Who was called right, of how many, by rate and group; empty with clusters."""
        if self.influence.cluster is not None:
            return {}
        return {
            (row.measure.name, row.classifier): (round(row.value * size), size)
            for row in self.estimates.rows
            if row.measure.name in _RATES
            for size in [row.n_pos if row.measure.name == "sensitivity" else row.n_neg]
        }

    def _rates_of(
        self, line: Floats, counts: Mapping[tuple[str, str], tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Return the counts of the first and the second rate of a gap; none of other gaps."""
        rows = [self.estimates.rows[i] for i in np.argsort(-line)[[0, -1]].tolist()]
        return [
            counts[one] for row in rows if (one := (row.measure.name, row.classifier)) in counts
        ]

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


def _score_test(name: str, first: tuple[int, int], second: tuple[int, int]) -> ScoreTest:
    """Return the score test of two independent rates, each as hits and size."""
    at = UnpairedScore(hits=(first[0], second[0]), sizes=(first[1], second[1]))
    shares = first[0] / first[1], second[0] / second[1]
    parts = [math.sqrt(p * (1.0 - p) / (n - 1)) for p, n in zip(shares, at.sizes, strict=True)]
    if not 0 < sum(at.hits) < sum(at.sizes):
        warn_no_variance(f"{name} is 0 for every subject alike: p is 1, and nothing was tested.")
    statistic, df = at.judge(0.0)
    return ScoreTest(
        contrast=name,
        method="z test of rates, variance at the null (Miettinen & Nurminen)",
        null_value=0.0,
        alternative="two-sided",
        estimate=at.seen,
        std_error=math.hypot(*parts),
        statistic=statistic,
        df=df,
        pvalue=tail_probability(statistic, df, "two-sided"),
        at=at,
    )


def _equal_rates(hits: Sequence[int], sizes: Sequence[int]) -> OmnibusTest:
    """Test whether several independent rates are equal, with their variance at the null."""
    from scipy.special import chdtrc

    if not 0 < sum(hits) < sum(sizes):
        warn_no_variance("All contrasts are 0 for every subject alike: nothing was tested.")
        return OmnibusTest(method="Omnibus test", statistic=0.0, df=0.0, pvalue=1.0)
    statistic, df = equal_shares(hits, sizes), float(len(sizes) - 1)
    return OmnibusTest(
        method="Omnibus test, chi-square, variance at the null",
        statistic=statistic,
        df=df,
        pvalue=float(chdtrc(df, statistic)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """A measure of some subjects, `here`."""

    measure: str
    who: str
    here: Bools
    value: float


def group_fairness(
    y_true: Any,
    y_score: Any = None,
    group: Any = None,
    *,
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
    subjects, and gaps of areas are contrasts of one joint influence. Rates of different people are
    independent shares: their gaps have score limits and tests, and rates Wilson's limits; with
    clusters both follow the influence. An area has the interval of `auc`. Groups are as they are: a
    gap says that the marker differs, not why. R equivalent: none.

    References
    ----------
    Kallus & Zhou (2019), doi:10.48550/arXiv.1902.05826.
    Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> import rocstats as rs
    >>> y, s = [1, 1, 0, 0, 1, 1, 0, 0], [4, 2, 3, 1, 9, 8, 7, 6]
    >>> found = rs.group_fairness(y, s, group=["a"] * 4 + ["b"] * 4)
    >>> [(row.measure.name, row.classifier, row.value) for row in found.estimates.rows]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('auc', 'a', 0.75), ('auc', 'b', 1.0), ('xauc', 'a over b', 0.0), ('xauc', 'b over a', 1.0)]
    """
    beside = {"group": group, "cluster": cluster}
    check_same_rows([("y_true", y_true), *with_names(y_score, "y_score"), *beside.items()])
    sample = as_sample(
        y_true,
        y_score,
        pos_label=pos_label,
        cluster=cluster,
        higher_is_positive=higher_is_positive,
        nan_policy=nan_policy,
    )
    return judge_groups(sample, group, marker=marker, threshold=threshold)


def judge_groups(
    sample: ScoredSample,
    group: Any,
    *,
    marker: str | None,
    threshold: float | None,
    order: Sequence[str] = (),
) -> GroupFairness:
    """Compare the groups of a sample; differences are taken in their `order`, or as they sort."""
    row = sample.marker(marker)
    code, groups = _groups(sample, group)
    if order:
        rank = np.argsort([groups.index(name) for name in order])
        code, groups = rank[code], tuple(order)
    scores, positive = sample.oriented(row), sample.positive
    everyone = [(name, code == k) for k, name in enumerate(groups)]
    rates = [] if threshold is None else everyone
    values = np.zeros((len(groups) ** 2 + 2 * len(rates), scores.size))
    lines = iter(values)
    found = [_area(scores, positive, here, "auc", name, next(lines)) for name, here in everyone]
    found += [
        _area(
            *(scores, positive, np.where(positive, first, second)),
            *("xauc", _over(a, b), next(lines)),
        )
        for (a, first), (b, second) in permutations(everyone, 2)
    ]
    if threshold is not None:
        called = scores >= _cut(sample, row, threshold)
        for right, mine, measure in (
            (called, positive, "sensitivity"),
            (~called, ~positive, "specificity"),
        ):
            found += [_share(right, here, mine, measure, name, next(lines)) for name, here in rates]
    influence = Influence(
        estimate=np.array([one.value for one in found]),
        values=values,
        stratum=2 * code + positive,
        rows=tuple((one.who, one.measure) for one in found),
        subject=sample.subject,
        cluster=sample.cluster,
    )
    rows = [_quantity(influence.select([i]), sample, row, one) for i, one in enumerate(found)]
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
        for k, name in enumerate(groups):
            here = mine & (code == k)
            size = int(np.count_nonzero(here))
            if sample.cluster is not None:
                size = np.unique(sample.cluster[here]).size
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


def _area(
    scores: Floats, positive: Bools, here: Bools, measure: str, who: str, values: Floats
) -> _Found:
    """Return the area of some subjects, and fill in everyone's influence on it, 0 till now."""
    blocks = sort_into_blocks(scores[here], positive[here], ordered=True)
    value, ordered = ordered_influence(AUC, to_measure_scale(AUC, blocks, flipped=False))
    mine = np.empty(ordered.size)
    mine[blocks.order] = ordered
    values[here] = mine
    return _Found(measure=measure, who=who, here=here, value=value)


def _share(
    right: Bools, here: Bools, mine: Bools, measure: str, who: str, values: Floats
) -> _Found:
    """Return the share of a class that is called right, and fill in everyone's influence on it."""
    value = float(right[here & mine].mean())
    values[:] = np.where(here & mine, right - value, 0.0)
    return _Found(measure=measure, who=who, here=here, value=value)


def _quantity(influence: Influence, sample: ScoredSample, row: int, found: _Found) -> Quantity:
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
        known=_known_interval(sample, row, found, sizes),
        account=sample.account,
    )


def _known_interval(
    sample: ScoredSample, row: int, found: _Found, sizes: tuple[int, ...]
) -> Known | None:
    """Return the interval that an area or a share has by itself; none of clustered shares."""
    if found.measure not in _RATES:
        return lambda level: auc(sample.only([row]).subset(found.here)).confidence_interval(level)
    if sample.cluster is not None:
        return None

    def wilson(level: float) -> ConfidenceInterval:
        from scipy.special import ndtri

        count, z = round(found.value * sizes[0]), -float(ndtri(0.5 * (1.0 - level)))
        low, high = wilson_limits(count, sizes[0], z)
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method="wilson")

    return wilson


def _edge(value: float, size: int) -> Edge:
    """Return the limits of a share without variance: of all, or of none."""

    def limits(tail: float) -> tuple[float, float]:
        bound = tail ** (1.0 / size)
        return (bound, 1.0) if value > 0.5 else (0.0, 1.0 - bound)

    return limits
