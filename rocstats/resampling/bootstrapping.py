"""The bootstrap: subjects drawn again within their classes, jointly for all markers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocstats.arrays import Floats
from rocstats.data.sample import Account, refuse_design
from rocstats.engine.influence import Influence, contrast_weights
from rocstats.engine.null_variance import losses, score_share
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    SmallSampleWarning,
    check_confidence_level,
    check_option,
    keyword,
    listed,
    warn_user,
)
from rocstats.estimates.results import ConfidenceInterval, Estimate, Estimates
from rocstats.inference.comparison import Comparison, contrast_name
from rocstats.inference.contrasts import tail_probability
from rocstats.resampling import bootstrap_limits as limits
from rocstats.resampling.chunks import (
    DEFAULT_SEED,
    Rng,
    as_seed,
    check_kind,
    check_scale,
    check_settings,
)
from rocstats.resampling.design_urns import make_design_urn
from rocstats.resampling.draw_counts import lay_out
from rocstats.resampling.replicates import Resampler
from rocstats.resampling.urn import Urn
from rocstats.tables import AnswerByMethod, Rows, Statement, show_p

__all__ = ["Bootstrap", "BootstrapResult", "bootstrap"]

METHODS = ("auto", "percentile", "bca", "bca_t", "studentized", "normal")
_ROUNDING = 64 * np.finfo(np.float64).eps  # differences this small beside their terms are 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """How to bootstrap.

    Parameters
    ----------
    n_resamples : int, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None, default 1
        A seed or a generator, so that the same call gives the same answer; None is a fresh stream.
    n_jobs : int, default 1
        Number of worker processes (-1: all cores); the answer does not depend on it.

    See Also
    --------
    bootstrap : Bootstrap estimates, or contrasts of them.
    Permutation : How to permute.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.Bootstrap(n_resamples=500, rng=1)
    Bootstrap(n_resamples=500, rng=1, n_jobs=1)
    """

    n_resamples: int = field(default=2000, kw_only=False)
    rng: Rng = DEFAULT_SEED
    n_jobs: int = 1

    def __post_init__(self) -> None:
        check_settings(self.n_resamples, self.rng, self.n_jobs, fewest=2)


_DEFAULT = Bootstrap()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BootstrapResult(Rows["BootstrapResult"], AnswerByMethod):
    """Estimates, or contrasts of them, with their values in every resample.

    Attributes
    ----------
    names : tuple of str
        What each column is: ``auc(a)``, or a contrast such as ``a - b``.
    is_contrast : bool
        Whether the columns are contrasts, for which 0 is a null value.
    scheme : str
        What was drawn, in words.
    replicates : array of shape (B, r)
        The values in the resamples; nan where a resample has none.
    influence : Influence
        The r estimates in the sample itself, with every subject's influence.
    scale : array of shape (r,)
        The size of the terms of each column: what is small beside it is 0.
    resampler : Resampler
        Draws the same resamples again when their standard errors are asked for.
    account : Account, optional
        Which class is positive, and who was left out.
    rows : tuple of Estimate
        The estimates themselves, whose own intervals stand in where resamples show too little;
        empty for contrasts.

    See Also
    --------
    bootstrap : Bootstrap estimates, or contrasts of them.
    """

    names: tuple[str, ...]
    is_contrast: bool
    scheme: str
    replicates: Floats
    influence: Influence
    scale: Floats
    resampler: Resampler
    account: Account | None = None
    rows: tuple[Estimate, ...] = ()

    def _names(self) -> list[tuple[str]]:
        return [(name,) for name in self.names]

    def _row(self, i: int) -> BootstrapResult:
        return self._part([i])

    def _part(self, where: Sequence[int]) -> BootstrapResult:
        rows = list(where)
        return replace(
            self,
            names=tuple(self.names[i] for i in rows),
            replicates=self.replicates[:, rows],
            influence=self.influence.select(rows),
            scale=self.scale[rows],
            resampler=replace(self.resampler, weights=self.resampler.weights[rows]),
            rows=tuple(self.rows[i] for i in rows) if self.rows else (),
        )

    @property
    def n_resamples(self) -> int:
        """Number of resamples."""
        return int(self.replicates.shape[0])

    @property
    def estimate(self) -> Floats:
        """(r,) the estimates in the sample itself."""
        return self.influence.estimate

    @property
    def std_error(self) -> Floats:
        """(r,) standard deviation of the replicates, with divisor B - 1."""
        return np.array([self._std_error(i) for i in range(len(self.names))])

    @cached_property
    def replicate_std_errors(self) -> Floats:
        """(B, r) standard error of each replicate, from the influence in its own resample."""
        if type(self.resampler.urn) is not Urn:
            raise InvalidOptionError(
                f"A bootstrap of {self.scheme}, has no standard error of each resample, which "
                f"{keyword('method', 'studentized')} takes; take another method."
            )
        return self.resampler.run(want_errors=True)

    @property
    def statistic(self) -> float:
        """Estimate over its bootstrap standard error, for one contrast."""
        if not self.is_contrast or len(self.names) != 1:
            raise InvalidOptionError(
                "A test is there for one contrast only; give bootstrap() one, such as [1, -1]."
            )
        estimate, std_error = float(self.estimate[0]), self._std_error(0)
        if abs(estimate) <= _ROUNDING * self.scale[0]:
            estimate = 0.0
        if std_error == 0.0:
            return math.copysign(math.inf, estimate) if estimate else 0.0
        return estimate / std_error

    @property
    def pvalue(self) -> float:
        """Two-sided normal p-value of `statistic`, for one contrast: pROC's bootstrap test."""
        statistic = self.statistic
        if math.isinf(statistic):
            warn_user(
                f"{self.names[0]} is {self.estimate[0]:.4g} in every resample, so the test is not "
                "to be trusted; take a permutation test.",
                DegenerateVarianceWarning,
            )
        return tail_probability(statistic, math.inf, "two-sided")

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the only row; of several, ask row by row.

        ``"auto"``: ``"bca_t"``, or percentiles where a measure has no influence to accelerate by.
        Resamples of an AUC near 1 have no more losses than the sample, and too often none: with
        fewer than 20 losses (of the smaller class) its limits reach, at ten or fewer in full, at
        least as far as those by the variance at the null, and are called ``"bca_t and score"``.
        Where the replicates do not vary, as for an AUC of 1, an estimate's own interval is the
        answer and its name is given. ``"percentile"``: quantiles of the replicates (R's type 7), as
        pROC has it. ``"bca"``: corrected for bias, ties counting half, and for acceleration by the
        influence values (Efron 1987, doi:10.1080/01621459.1987.10478410). ``"bca_t"``: that with t
        quantiles and the standard error's own divisor (Hesterberg 2015,
        doi:10.1080/00031305.2015.1089789). ``"studentized"``: quantiles of replicate less estimate
        over the replicate's own standard error. ``"normal"``: the estimate plus or minus a normal
        quantile times the standard error. Where a method by name has no answer the limits are nan,
        with a `DegenerateVarianceWarning`; so are those of a contrast that never varies.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.
        method : {"auto", "percentile", "bca", "bca_t", "studentized", "normal"}, default "auto"
            How the limits are found.

        Returns
        -------
        ConfidenceInterval
            The limits, and the method that gave them.
        """
        if len(self.names) != 1:
            raise InvalidOptionError(
                f"There are {len(self.names)} rows ({listed(self.names)}), so there is no one "
                "interval; take [row.confidence_interval() for row in result]."
            )
        (only,) = self._intervals(confidence_level, method, warn=True)
        return only

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return a tidy row for each column; the replicates stay behind.

        The interval is as in `confidence_interval`.
        """
        intervals = self._intervals(confidence_level, method, warn=False)
        rows = [self._tidy_row(i, interval) for i, interval in enumerate(intervals)]
        test = []
        if "p_value" in rows[0]:
            test = [f"z = {rows[0]['statistic']:.3f}, p {show_p(rows[0]['p_value'])}"]
        return Statement(
            rows=rows,
            shown=[c for c in _SHOWN if c in rows[0]],
            notes=[
                *test,
                f"bootstrap of {self.scheme}; {self.n_resamples} resamples",
                *_remarks([interval.method for interval in intervals]),
            ],
            content={"rows": rows, "n_resamples": self.n_resamples, "scheme": self.scheme},
        )

    def _tidy_row(self, i: int, interval: ConfidenceInterval) -> dict[str, Any]:
        row = {
            "contrast" if self.is_contrast else "row": self.names[i],
            "estimate": float(self.estimate[i]),
            "std_error": self._std_error(i),
            "bias": float(self._known(i).mean() - self.estimate[i]),
            "conf_low": interval.low,
            "conf_high": interval.high,
            "conf_level": interval.confidence_level,
            "conf_method": interval.method,
        }
        if self.is_contrast and len(self.names) == 1:
            statistic = self.statistic
            pvalue = tail_probability(statistic, math.inf, "two-sided")
            row |= {"statistic": statistic, "p_value": pvalue}
        return row

    def _known(self, i: int) -> Floats:
        column: Floats = self.replicates[:, i]
        known = column[~np.isnan(column)]
        return known if known.size > 1 else np.full(2, math.nan)

    def _std_error(self, i: int) -> float:
        spread = float(self._known(i).std(ddof=1))
        return 0.0 if spread <= _ROUNDING * self.scale[i] else spread

    def _intervals(
        self, confidence_level: float, method: str, *, warn: bool
    ) -> tuple[ConfidenceInterval, ...]:
        check_option("method", method, METHODS)
        level = check_confidence_level(confidence_level)
        found = []
        for i, name in enumerate(self.names):
            only = self._auto(i, level) if method == "auto" else self._named(i, method, level)
            if warn and math.isnan(only.low):
                what = "interval" if method == "auto" else f"{method} interval"
                warn_user(
                    f"{name} has no {what}, because the resamples do not show the uncertainty; "
                    "take an interval of the estimate itself.",
                    DegenerateVarianceWarning,
                )
            found.append(only)
        return tuple(found)

    def _auto(self, i: int, level: float) -> ConfidenceInterval:
        """Return the recommended interval (STATISTICS.md 7.6)."""
        drawn = self._named(i, "bca_t", level)
        if math.isnan(drawn.low):
            drawn = self._named(i, "percentile", level)
        if not self.rows:
            return drawn
        row = self.rows[i]
        if math.isnan(drawn.low):
            return _own_interval(row, level, "auto")
        if not row.measure.is_auc:
            return drawn
        share = float(score_share(losses(row.value, *row.effective_sizes)))
        if share == 0.0:
            return drawn
        near = _own_interval(row, level, "score")
        return replace(
            drawn,
            low=drawn.low + share * min(near.low - drawn.low, 0.0),
            high=drawn.high + share * max(near.high - drawn.high, 0.0),
            method=f"{drawn.method} and {near.method}",
        )

    def _named(self, i: int, method: str, level: float) -> ConfidenceInterval:
        low, high = self._limits(i, method, (1.0 - level) / 2.0)
        return ConfidenceInterval(low=low, high=high, confidence_level=level, method=method)

    def _limits(self, i: int, method: str, tail: float) -> tuple[float, float]:
        estimate, std_error = float(self.estimate[i]), self._std_error(i)
        if not std_error > 0.0:
            return limits.NO_LIMITS
        near = float(_ROUNDING * self.scale[i])
        if method == "percentile":
            return limits.percentile(self._known(i), tail)
        if method == "normal":
            return limits.normal(estimate, std_error, tail)
        if method in ("bca", "bca_t"):
            pull = self.influence.acceleration(i)
            reach = limits.t_reach(self.influence, i, tail) if method == "bca_t" else None
            return limits.bca(self._known(i), estimate, near, pull, tail, reach)
        own = limits.own_std_error(self.influence, i)
        errors = self.replicate_std_errors[:, i]
        shifts = self.replicates[:, i] - estimate
        return limits.studentized(estimate, own, shifts, errors, near, tail)


def _own_interval(row: Estimate, level: float, method: str) -> ConfidenceInterval:
    """Return the interval of an estimate; what there is to warn of is told of the bootstrap."""
    told = row.statement(confidence_level=level, method=method).row
    low, high = (told[end] for end in ("conf_low", "conf_high"))
    return ConfidenceInterval(
        low=low, high=high, confidence_level=level, method=told["conf_method"]
    )


def _remarks(methods: Sequence[str]) -> list[str]:
    """Return what is to be known of intervals that do not rest on the resamples alone."""
    drawn = {name for name in methods if name in METHODS}
    told = []
    if any(" and " in name for name in methods):
        told.append(
            "Few losses: resamples of an area near 1 show too little, so its limits reach at least "
            "as far as those by the variance at the null."
        )
    if any(" and " not in name for name in set(methods) - drawn):
        told.append("An area that is the same in every resample has the interval of its estimate.")
    return told


_SHOWN = (
    *("row", "contrast", "estimate", "std_error", "bias"),
    *("conf_low", "conf_high", "conf_method"),
)


def bootstrap(
    result: Estimate | Estimates | Comparison,
    contrast: ArrayLike | None = None,
    *,
    resampling: Bootstrap = _DEFAULT,
) -> BootstrapResult:
    """Bootstrap estimates, or linear contrasts of them.

    Parameters
    ----------
    result : Estimate, Estimates or Comparison
        What `auc`, `estimate` or `compare` returned.
    contrast : array-like of shape (r,) or (c, r), optional
        One weight for each row of `result`, or several lines of them; None takes the rows as they
        are.
    resampling : Bootstrap, default Bootstrap()
        Number of resamples, randomness, workers.

    Returns
    -------
    BootstrapResult
        The values in every resample, with standard errors and intervals.

    See Also
    --------
    permutation_test : Exchange the scores of two classifiers within subjects.
    Bootstrap : How to bootstrap.

    Notes
    -----
    Subjects are drawn with replacement within their class, the same ones for all markers. A sample
    with clusters has its clusters drawn instead, which cannot be within classes: class sizes vary,
    and resamples that lack a class are left out. A subject takes its weight along. With sampling
    strata their units are drawn within them, one less than there are (Rao & Wu 1988). Of partly
    verified subjects all are drawn, and each resample fits the model of verification. The standard
    error is about sqrt((n - 1) / n) of DeLong's, and near an AUC of 1 resamples show too little,
    which the default interval allows for: a witness, not the first choice (STATISTICS.md 6.5, 7.6,
    docs/evidence/bootstrap.md). R equivalent: ``pROC::ci.auc(method = "bootstrap")``, by name
    "percentile" here, and ``pROC::roc.test(method = "bootstrap")``, whose p-value is the one here.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap; Efron (1987),
    doi:10.1080/01621459.1987.10478410; Rao & Wu (1988), doi:10.1080/01621459.1988.10478591.

    Examples
    --------
    >>> import rocstats as rs
    >>> estimate = rs.auc([1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 6, 3, 7, 4, 2, 1])
    >>> found = rs.bootstrap(estimate, resampling=rs.Bootstrap(n_resamples=999, rng=1))
    >>> found.replicates.shape, found.confidence_interval().high
    ((999, 1), 1.0)
    """
    check_kind("resampling", resampling, Bootstrap)
    check_kind("The result", result, Estimate, Estimates, Comparison)
    sample = result.sample
    refuse_design(sample, takes=("weights", "strata", "nuisance"))
    rows = (result,) if isinstance(result, Estimate) else result.rows
    influence = result.influence
    names = tuple(f"{row.measure.name}({row.classifier})" for row in rows)
    weights = np.eye(len(rows))
    if contrast is not None:
        influence = influence.contrast(contrast)
        weights = contrast_weights(contrast, len(rows))
        names = tuple(contrast_name(line, rows) for line in weights)
    markers = [sample.marker(row.classifier) for row in rows]
    urn, counted = make_design_urn(sample, list(dict.fromkeys(markers)))
    scale = np.abs(weights) @ np.abs(np.array([row.value for row in rows]))
    for size in scale.tolist():
        check_scale(size)
    resampler = Resampler(
        urn=urn,
        rows=tuple(
            lay_out(counted, marker, row.measure, urn)
            for marker, row in zip(markers, rows, strict=True)
        ),
        weights=weights,
        seed=as_seed(resampling.rng),
        n_resamples=resampling.n_resamples,
        n_jobs=resampling.n_jobs,
    )
    return BootstrapResult(
        names=names,
        is_contrast=contrast is not None,
        scheme=urn.scheme,
        replicates=_replicates(resampler, influence, len(weights)),
        influence=influence,
        scale=scale,
        resampler=resampler,
        account=sample.account,
        rows=tuple(rows) if contrast is None else (),
    )


def _replicates(resampler: Resampler, influence: Influence, columns: int) -> Floats:
    if influence.units().min() < 2:
        warn_user(
            "A class has one subject or cluster only, so every replicate is nan.",
            SmallSampleWarning,
        )
        return np.full((resampler.n_resamples, columns), math.nan)
    found = resampler.run()
    lost = int(np.isnan(found).any(axis=1).sum())
    if lost:
        warn_user(
            f"{lost} of {len(found)} resamples have no value, for want of a class or a range, and "
            "are left out.",
            DegenerateVarianceWarning,
        )
    return found
