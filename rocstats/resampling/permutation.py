"""Exchange permutation: two classifiers' scores swapped within random subjects."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.sample import Account, ScoredSample, refuse_design
from rocstats.engine.catalogue import AUC, find_measure
from rocstats.engine.measures import Measure
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    SmallSampleWarning,
    check_option,
    keyword,
    listed,
    warn_user,
)
from rocstats.estimates.results import Alternative
from rocstats.resampling.chunks import (
    DEFAULT_SEED,
    Rng,
    as_seed,
    check_kind,
    check_scale,
    check_settings,
    run_chunks,
)
from rocstats.resampling.score_swaps import (
    ROUNDING,
    Exchange,
    SignedSum,
    Statistic,
    common_scale,
    draw_coins,
    ratio,
)
from rocstats.tables import Answer, Statement, show_p, show_value

if TYPE_CHECKING:
    from rocstats.inference.comparison import Comparison

__all__ = ["Permutation", "PermutationResult", "find_pair", "permutation_test", "sample_of"]

_FEW = 16  # so many units at most have all their exchanges enumerated
_RATIO_ROUNDING = 1e-9  # the same of z statistics, whose standard errors round too


@dataclass(frozen=True, slots=True, kw_only=True)
class Permutation:
    """How to permute.

    Parameters
    ----------
    n_resamples : int, default 9999
        Number of random permutations, where they are not all enumerated.
    rng : int, SeedSequence, Generator or None, default 1
        A seed or a generator, so that the same call gives the same answer; None is a fresh stream.
    n_jobs : int, default 1
        Number of worker processes (-1: all cores); the answer does not depend on it.

    See Also
    --------
    permutation_test : Exchange the scores of two classifiers within subjects.
    two_sample_test : Test whether two samples come from one distribution.
    Bootstrap : How to bootstrap.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.Permutation(rng=1)
    Permutation(n_resamples=9999, rng=1, n_jobs=1)
    """

    n_resamples: int = field(default=9999, kw_only=False)
    rng: Rng = DEFAULT_SEED
    n_jobs: int = 1

    def __post_init__(self) -> None:
        check_settings(self.n_resamples, self.rng, self.n_jobs, fewest=1)


DEFAULT = Permutation()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PermutationResult(Answer):
    """A permutation test.

    Attributes
    ----------
    contrast : str
        What is tested, such as "a - b".
    method : str
        The test in words.
    hypothesis : str
        What is taken for true under the null.
    alternative : str
        "two-sided", "less" or "greater".
    statistic, pvalue : float
        The answer.
    n_resamples : int
        Permutations drawn, or enumerated.
    exact : bool
        Whether all permutations were enumerated.
    estimate, std_error : float or None
        The difference and the standard deviation of its permutation distribution; None for tests of
        whole curves.
    account : Account, optional
        Which class is positive, and who was left out.

    See Also
    --------
    permutation_test : Exchange the scores of two classifiers within subjects.
    venkatraman_test : Test whether two ROC curves on the same subjects are the same.
    """

    contrast: str
    method: str
    hypothesis: str
    alternative: Alternative
    statistic: float
    pvalue: float
    n_resamples: int
    exact: bool
    estimate: float | None = None
    std_error: float | None = None
    account: Account | None = None

    def statement(self) -> Statement:
        """Return the test as one row, and what it takes for true."""
        known = {"estimate": self.estimate, "std_error": self.std_error}
        row = {
            "contrast": self.contrast,
            **({} if self.estimate is None else known),
            "statistic": self.statistic,
            "p_value": self.pvalue,
            "alternative": self.alternative,
            "hypothesis": self.hypothesis,
            "method": self.method,
            "n_resamples": self.n_resamples,
            "exact": self.exact,
        }
        estimate = "" if self.estimate is None else f"{show_value(self.estimate)}, "
        how = "all" if self.exact else "random"
        shown = ("contrast", "estimate", "std_error", "statistic", "p_value", "method")
        return Statement(
            head=f"{self.contrast}: {estimate}statistic {show_value(self.statistic)}, "
            f"p {show_p(self.pvalue)}",
            rows=[row],
            shown=[name for name in shown if name in row],
            in_words=True,
            notes=[
                f"{self.method}, {self.alternative}",
                f"null hypothesis: {self.hypothesis}; {self.n_resamples} permutations ({how})",
            ],
        )


def permutation_test(
    data: Comparison | ScoredSample,
    first: str | None = None,
    second: str | None = None,
    *,
    measure: str | Measure | None = None,
    studentized: bool = False,
    alternative: Alternative = "two-sided",
    resampling: Permutation = DEFAULT,
) -> PermutationResult:
    """Test two classifiers on the same subjects by exchanging their scores within subjects.

    Parameters
    ----------
    data : Comparison or ScoredSample
        What `compare` returned, or a sample of several markers.
    first : str, optional
        A classifier, where there are more than two.
    second : str, optional
        The other one; the difference is first less second.
    measure : str or Measure, optional
        By default the only one of the comparison, or the AUC.
    studentized : bool, default False
        Compare z statistics, each with its own standard error, instead of differences; this holds
        its size also where the classifiers differ but their measures are equal, and it costs a sort
        for every permutation.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against exchangeable scores, about the first less the second.
    resampling : Permutation, default Permutation()
        Number of permutations, randomness, workers.

    Returns
    -------
    PermutationResult
        The difference, the statistic and its p-value.

    See Also
    --------
    compare : Compare classifiers on the same subjects.
    venkatraman_test : Test whether two ROC curves on the same subjects are the same.
    bootstrap : Bootstrap estimates, or contrasts of them.
    Permutation : How to permute.

    Notes
    -----
    The null hypothesis is that the two scores of a subject are exchangeable, which is more than
    equal measures. Scores of the AUC are replaced by mid-ranks within each classifier; for other
    measures they must share a scale. For a mean of a kernel h over pairs the exchanged difference
    is linear in the signs s, t of the subjects (STATISTICS.md 6.4)::

        D(s, t) = sum_i s_i p_i + sum_j t_j q_j

    with p_i the mean of h(Y_i^A, x) - h(Y_i^B, x) over the pooled negatives, over m, and q_j
    likewise; other measures are computed anew. Up to 16 subjects all exchanges are enumerated;
    beyond, p = (1 + number as extreme) / (B + 1). In a sample with clusters, clusters are
    exchanged as a whole.

    References
    ----------
    Bandos, Rockette & Gur (2005), doi:10.1002/sim.2149.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> both = rs.compare(y, {"a": [9, 8, 6, 5, 7, 4, 2, 1], "b": [9, 3, 6, 5, 7, 4, 8, 1]})
    >>> rs.permutation_test(both)
    a - b: 0.3125, statistic 1.4142, p = 0.5000
    Exchange permutation test of the AUC (Bandos et al. 2005), two-sided
    null hypothesis: exchangeable scores; 256 permutations (all)
    positive class 1, negative class 0
    """
    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    check_kind("resampling", resampling, Permutation)
    sample = sample_of(data)
    chosen = _find_measure(data, measure)
    pair = find_pair(sample, first, second)
    directions = {sample.higher_is_positive[marker] for marker in pair}
    if chosen.kernel.uses_scores and chosen.score_bounds is None and len(directions) > 1:
        raise InvalidOptionError(
            f"{chosen.label} exchanges scores, but the two markers point in opposite directions; "
            f"give the measure {keyword('bounds')}, so that both are brought to [0, 1]."
        )
    exchange = Exchange(
        scores=np.stack([common_scale(sample, marker, chosen) for marker in pair]),
        positive=sample.positive,
        cluster=sample.cluster,
        measure=chosen,
    )
    estimate, std_error, scale = exchange.judge()
    check_scale(scale)
    observed = estimate
    if studentized:
        statistic: Statistic = exchange.studentized
        observed = ratio(estimate, std_error)
        near = _RATIO_ROUNDING * max(1.0, abs(observed)) if math.isfinite(observed) else 0.0
        if math.isnan(std_error):
            few = min(sample.n_pos, sample.n_neg) < 2 or sample.cluster is not None
            warn_user(
                "There is no standard error, for want of subjects or by the nature of the measure, "
                "so the answer is nan; leave studentized out.",
                SmallSampleWarning if few else DegenerateVarianceWarning,
            )
    elif chosen.is_pair_mean:
        weights = exchange.weights()
        statistic = SignedSum(weights)
        std_error, near = math.sqrt(float((weights**2).sum())), ROUNDING * scale
    else:
        statistic, near = exchange.differences, ROUNDING * scale
    exact = exchange.n_units <= _FEW
    values = _distribution(statistic, exchange.n_units, resampling, exact=exact)
    if not (studentized or chosen.is_pair_mean):
        std_error = math.sqrt(float((values**2).mean()))
    return PermutationResult(
        contrast=f"{sample.markers[pair[0]]} - {sample.markers[pair[1]]}",
        method=_describe(chosen, studentized=studentized),
        hypothesis="exchangeable scores",
        alternative=alternative,
        statistic=ratio(estimate, std_error if std_error > near or studentized else 0.0),
        pvalue=_pvalue(values, observed, near, alternative, exact=exact),
        n_resamples=values.size,
        exact=exact,
        estimate=estimate,
        std_error=std_error,
        account=sample.account,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Draw:
    """The statistic after random exchanges."""

    statistic: Statistic
    n_units: int

    def __call__(self, size: int, rng: np.random.Generator) -> Floats:
        return self.statistic(draw_coins(rng, size, self.n_units))


def _distribution(
    statistic: Statistic, n_units: int, resampling: Permutation, *, exact: bool
) -> Floats:
    """Return the statistic after every exchange, or after random ones."""
    if not exact:
        return run_chunks(
            _Draw(statistic, n_units),
            resampling.n_resamples,
            as_seed(resampling.rng),
            n_jobs=resampling.n_jobs,
            title="permutation",
        )
    codes = np.arange(2 ** (n_units - 1))[:, np.newaxis] >> np.arange(n_units)
    half = statistic(
        np.packbits((codes & 1).astype(np.uint8), axis=1)
    )  # the other half swaps what this one leaves
    return np.concatenate([half, -half])


def _pvalue(
    values: Floats, observed: float, near: float, alternative: Alternative, *, exact: bool
) -> float:
    if math.isnan(observed):
        return math.nan
    if alternative == "two-sided":
        values, observed = np.abs(values), abs(observed)
    elif alternative == "less":
        values, observed = -values, -observed
    # Equal up to rounding is as extreme; so is a permutation without a value.
    extreme = int(np.count_nonzero(~(values < observed - near)))
    return extreme / values.size if exact else (1 + extreme) / (1 + values.size)


def _find_measure(data: Comparison | ScoredSample, measure: str | Measure | None) -> Measure:
    if measure is not None:
        return find_measure(measure)
    if isinstance(data, ScoredSample):
        return AUC
    known = {row.measure.name: row.measure for row in data.rows}
    if len(known) > 1:
        raise InvalidOptionError(
            f"The comparison is by {listed(known)}; name one of them with {keyword('measure')}."
        )
    return next(iter(known.values()))


def sample_of(data: Any) -> ScoredSample:
    """Return the sample of a comparison, or the sample itself."""
    from rocstats.inference.comparison import Comparison

    check_kind("The data", data, ScoredSample, Comparison)
    sample: ScoredSample = data.sample if isinstance(data, Comparison) else data
    refuse_design(sample)
    return sample


def find_pair(sample: ScoredSample, first: str | None, second: str | None) -> tuple[int, int]:
    """Return two markers by name; the only two there are, where none is named."""
    if first is None and second is None and len(sample.markers) == 2:
        return 0, 1
    if first is None or second is None or first == second:
        raise InvalidOptionError(
            f"Name two of the classifiers ({listed(sample.markers)}) with {keyword('first')} and "
            f"{keyword('second')}."
        )
    return sample.marker(first), sample.marker(second)


def _describe(measure: Measure, *, studentized: bool) -> str:
    kind = "Studentized exchange" if studentized else "Exchange"
    source = " (Bandos et al. 2005)" if measure.is_auc and not studentized else ""
    return f"{kind} permutation test of the {measure.label}{source}"
