"""Venkatraman's permutation tests: are two whole ROC curves equal?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats, Ints
from rocstats.data.blocks import slabs
from rocstats.data.sample import ScoredSample, refuse_design
from rocstats.errors import InvalidOptionError, NotPairedError
from rocstats.estimates.results import Estimate
from rocstats.inference.comparison import Comparison
from rocstats.resampling.chunks import as_seed, check_kind, run_chunks
from rocstats.resampling.dealt_curves import Deal
from rocstats.resampling.permutation import (
    DEFAULT,
    Permutation,
    PermutationResult,
    find_pair,
    sample_of,
)
from rocstats.resampling.score_swaps import draw_swaps

__all__ = ["venkatraman_test", "venkatraman_test_independent"]

_BATCH = 2**14  # ranks sorted at a time
_TIES = 2**32 - 1  # the random stream that breaks ties in the data is not one of the chunks'
_ROUNDING = 1e-12


def venkatraman_test(
    data: Comparison | ScoredSample,
    first: str | None = None,
    second: str | None = None,
    *,
    resampling: Permutation = DEFAULT,
) -> PermutationResult:
    """Test whether two classifiers have the same ROC curve on the same subjects.

    Parameters
    ----------
    data : Comparison or ScoredSample
        What `compare` returned, or a sample of several markers.
    first : str, optional
        A classifier, where there are more than two.
    second : str, optional
        The other one.
    resampling : Permutation, default Permutation()
        Number of permutations, randomness, workers.

    Returns
    -------
    PermutationResult
        The statistic and its p-value.

    See Also
    --------
    venkatraman_test_independent : Test the same for curves of different subjects.
    permutation_test : Exchange the scores of two classifiers within subjects.
    compare : Compare classifiers on the same subjects.

    Notes
    -----
    Not a test of the AUC: curves that cross can have equal areas. With the subjects ranked by each
    classifier, the statistic is, over the rank cut-offs k::

        E = sum_k |(FN + FP)_A(k) - (FN + FP)_B(k)|

    Its null distribution exchanges the two ranks within random subjects and ranks anew. Ties, in
    the data too, are broken at random, so with tied scores E depends on `rng`; in a sample with
    clusters, clusters are exchanged as a whole. R equivalent:
    ``pROC::roc.test(method = "venkatraman", paired = TRUE)``, which breaks ties by position in the
    data and does not count the observed arrangement in its p-value.

    References
    ----------
    Venkatraman & Begg (1996), doi:10.1093/biomet/83.4.835.

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [9, 5, 3.5, 6, 3, 2, 1], [8, 2, 5.5, 7, 5, 1, 0.5]
    >>> sample = rs.ScoredSample.from_arrays(y, {"a": a, "b": b})
    >>> rs.venkatraman_test(sample, resampling=rs.Permutation(rng=1)).statistic
    2.0
    """
    check_kind("resampling", resampling, Permutation)
    sample = sample_of(data)
    pair = find_pair(sample, first, second)
    seed = as_seed(resampling.rng)
    breaker = _tie_breaker(seed)
    keys = breaker.random(sample.positive.size)  # one a subject, so equal markers stay equal
    ranks = np.stack([_ranks(sample.oriented(marker), keys) for marker in pair])
    cluster = np.arange(ranks.shape[1]) if sample.cluster is None else sample.cluster
    task = _RankExchange(ranks, sample.positive, cluster)
    observed = int(_errors_apart(ranks[:1], ranks[1:], sample.positive)[0])
    values = run_chunks(
        task, resampling.n_resamples, seed, n_jobs=resampling.n_jobs, title="permutation"
    )
    return PermutationResult(
        contrast=f"{sample.markers[pair[0]]} - {sample.markers[pair[1]]}",
        method="Venkatraman & Begg's test of two paired ROC curves",
        hypothesis="exchangeable ranks, so equal curves",
        alternative="two-sided",
        statistic=float(observed),
        pvalue=(1 + int(np.count_nonzero(values >= observed))) / (1 + values.size),
        n_resamples=values.size,
        exact=False,
        account=sample.account,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _RankExchange:
    """The statistic after random exchanges of ranks."""

    ranks: Ints
    positive: Bools
    cluster: NDArray[np.intp]

    def __call__(self, size: int, rng: np.random.Generator) -> Ints:
        found, n = np.empty(size, dtype=np.int64), self.positive.size
        for s in slabs(size, max(1, _BATCH // n)):
            b = s.stop - s.start
            swap = draw_swaps(rng, b, int(self.cluster.max()) + 1).take(self.cluster, axis=1)
            keys, breaker = [], rng.integers(0, 2**31, size=(b, n))
            for kept, other in ((0, 1), (1, 0)):
                rank = np.where(swap, self.ranks[other], self.ranks[kept])
                keys.append((rank << 31) | breaker)
            found[s] = _errors_apart(keys[0], keys[1], self.positive)
        return found


def _errors_apart(first: Ints, second: Ints, positive: Bools) -> Ints:
    """Return the statistic for each line of keys that order the subjects."""
    steps = []
    for keys in (first, second):
        tagged = (keys << 1) | positive
        tagged.sort(axis=1)
        steps.append(tagged & 1)
    # A positive passed is one more false negative, a negative passed one false positive less.
    apart = np.cumsum(2 * (steps[0] - steps[1]), axis=1)
    total: Ints = np.abs(apart).sum(axis=1)
    return total


def _tie_breaker(seed: np.random.SeedSequence) -> np.random.Generator:
    key = (*seed.spawn_key, _TIES)
    return np.random.default_rng(np.random.SeedSequence(seed.entropy, spawn_key=key))


def _ranks(scores: Floats, keys: Floats) -> Ints:
    ranks = np.empty(scores.size, dtype=np.int64)
    ranks[np.lexsort((keys, scores))] = np.arange(scores.size)
    return ranks


def venkatraman_test_independent(
    first: Estimate, second: Estimate, *, resampling: Permutation = DEFAULT
) -> PermutationResult:
    """Test whether two classifiers have the same ROC curve, each on subjects of its own.

    Parameters
    ----------
    first : Estimate
        An estimate, say by `auc`; only its data are used.
    second : Estimate
        One from another sample.
    resampling : Permutation, default Permutation()
        Number of permutations, randomness, workers.

    Returns
    -------
    PermutationResult
        The statistic and its p-value.

    See Also
    --------
    venkatraman_test : Test whether two ROC curves on the same subjects are the same.
    compare_independent : Compare estimates from different samples.

    Notes
    -----
    Not a test of the AUC. Let pi be the share of positives in both samples together, F and G the
    distribution functions of a sample's positives and negatives, and H = pi F + (1 - pi) G. With
    the cut-off c(u) where H is u, the statistic is the area between the weighted error rates::

        E = integral over u of |e_1(u) - e_2(u)|,   e = pi F(c) + (1 - pi) (1 - G(c))

    taken as polygons, which is 2 pi (1 - pi) times the area between the two ROC curves; with equal
    class sizes it is the paired statistic over N**2. For the null distribution, subjects are placed
    by their u and dealt anew to the two samples, within each class. Ties are broken at random. R
    equivalent:
    ``pROC::roc.test(method = "venkatraman", paired = FALSE)``, which in version 1.18.0 takes the
    first sample's size for both and can leave the first step of the curves out of the area.

    References
    ----------
    Venkatraman (2000), doi:10.1111/j.0006-341X.2000.01134.x.

    Examples
    --------
    >>> import rocstats as rs
    >>> a, b = rs.auc([1, 1, 0, 0], [4, 3, 2, 1]), rs.auc([1, 1, 0, 0], [4, 2, 3, 1])
    >>> rs.venkatraman_test_independent(a, b, resampling=rs.Permutation(rng=1)).statistic
    0.125
    """
    check_kind("resampling", resampling, Permutation)
    for estimate in (first, second):
        check_kind("Each of the two", estimate, Estimate)
    samples = first.sample, second.sample
    for sample in samples:
        refuse_design(sample)
    if samples[0] is samples[1]:
        raise NotPairedError(
            "Both estimates are from one sample, so they are not independent; use venkatraman_test."
        )
    ids = [sample.subject for sample in samples]
    if ids[0] is not None and ids[1] is not None and np.isin(ids[0], ids[1]).any():
        raise NotPairedError(
            "The samples share subjects, so they are not independent; use venkatraman_test on "
            "those in both."
        )
    if any(sample.cluster is not None for sample in samples):
        raise InvalidOptionError(
            "The test of independent curves takes subjects as independent, which clusters are not."
        )
    seed = as_seed(resampling.rng)
    breaker = _tie_breaker(seed)
    labels = []
    for sample, estimate in zip(samples, (first, second), strict=True):
        keys = breaker.random(sample.positive.size)
        scores = sample.oriented(sample.marker(estimate.classifier))
        labels.append(sample.positive[np.lexsort((keys, scores))])
    deal = Deal.of(*labels)
    observed = deal.observed(*labels)
    values = run_chunks(
        deal, resampling.n_resamples, seed, n_jobs=resampling.n_jobs, title="permutation"
    )
    extreme = int(np.count_nonzero(values >= observed - _ROUNDING))
    return PermutationResult(
        contrast=f"{first.classifier} - {second.classifier}",
        method="Venkatraman's test of two independent ROC curves",
        hypothesis="equal curves",
        alternative="two-sided",
        statistic=observed,
        pvalue=(1 + extreme) / (1 + values.size),
        n_resamples=values.size,
        exact=False,
    )
