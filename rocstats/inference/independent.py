"""Estimates from different samples, which may share some subjects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocstats.engine.contrast_terms import contrast_terms
from rocstats.engine.influence import Influence
from rocstats.engine.null_variance import NullVariance
from rocstats.engine.variances import satterthwaite_df
from rocstats.engine.windows import rests_on
from rocstats.errors import (
    InvalidOptionError,
    NotPairedError,
    PrevalenceWarning,
    check_option,
    keyword,
    warn_user,
)
from rocstats.estimates.results import Alternative, Estimate, TestResult
from rocstats.inference.at_null import choose_way, degrees_of_freedom, find_pivot, warn_if_lopsided
from rocstats.inference.contrasts import judge_contrasts, tail_probability

__all__ = ["compare_independent"]


def compare_independent(
    first: Estimate,
    second: Estimate,
    *,
    reference: str = "auto",
    method: str = "auto",
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
) -> TestResult:
    """Compare two estimates from different samples.

    Parameters
    ----------
    first : Estimate
        The estimate from one sample.
    second : Estimate
        The estimate of the same measure from another. Where both samples have subject ids, subjects
        in both are recognised and their dependence is allowed for.
    reference : {"auto", "t", "normal", "proc"}, default "auto"
        The distribution of the statistic: "auto" is t, with the four-term Satterthwaite degrees of
        freedom of STATISTICS.md 6.6; "proc" has pROC's two-term ones.
    method : {"auto", "score", "delong", "mover"}, default "auto"
        Where the standard error is taken: "score" where the null value puts the AUCs, which holds
        the level near 0 and 1 and is DeLong's where losses are many; "delong" where the samples
        fell; "mover" by the limits of either AUC. "auto" is "score" for AUCs, and "delong" for
        other measures and where `reference` is pROC's.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against the null value, about the first less the second.
    null_value : float, default 0.0
        The difference under the null hypothesis.

    Returns
    -------
    TestResult
        The difference, its test and its interval.

    See Also
    --------
    compare : Compare classifiers on the same subjects.
    venkatraman_test_independent : Test the same for curves of different subjects.

    Notes
    -----
    R equivalent: ``pROC::roc.test(paired = FALSE, method = "delong")`` is ``reference="proc"``.

    Examples
    --------
    >>> import rocstats as rs
    >>> a = rs.auc([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1])
    >>> b = rs.auc([1, 1, 0, 0, 0], [3, 2, 4, 1, 0])
    >>> round(rs.compare_independent(a, b, reference="proc").statistic, 4)
    0.603
    """
    check_option("reference", reference, ("auto", "t", "normal", "proc"))
    for given in (first, second):
        if not isinstance(given, Estimate):
            raise InvalidOptionError(
                f"Two estimates are compared, such as rs.auc gives, got {type(given).__name__}."
            )
    if first.measure != second.measure:
        raise InvalidOptionError(
            f"The estimates are of {first.measure.label} and {second.measure.label}, or set up "
            "differently; compare one measure with the same settings."
        )
    if first.sample is second.sample:
        raise NotPairedError(
            "Both estimates are from one sample, so they are not independent; use rs.compare."
        )
    _refuse_shared_clusters(first, second)
    joined = first.influence.join(second.influence)
    overlapping = len(joined.groups) == 1
    clustered = first.sample.is_clustered or second.sample.is_clustered
    if reference == "proc" and (overlapping or clustered):
        raise InvalidOptionError(
            f"{keyword('reference', 'proc')} is for samples without clusters and without a subject "
            "in common."
        )
    if not first.measure.is_hard and first.measure.class_weight is None:
        _warn_about_prevalence(first, second)
    scale = np.array([abs(first.value) + abs(second.value)])
    name = f"{first.classifier} - {second.classifier}"
    weights = np.array([1.0, -1.0])
    way = choose_way(method, reference, (first, second), weights)
    terms, pivot = contrast_terms(joined, weights[np.newaxis]), None
    if way != "delong":
        own, units = terms.line(0)
        pivot = find_pivot(
            way,
            (first, second),
            joined,
            weights,
            covariance=joined.covariance(),
            parts=(own[:-1], units),
            reference=reference,
        )
    if isinstance(pivot, NullVariance):
        warn_if_lopsided((first, second))
    partly = overlapping and not _same_subjects(joined, first, second)
    if partly and reference != "normal" and isinstance(pivot, NullVariance):
        pivot = pivot.on(**degrees_of_freedom(first.influence, second.influence))
    (test,) = judge_contrasts(
        joined,
        [name],
        scale,
        weights=weights[np.newaxis],
        terms=terms,
        reference="normal" if reference == "normal" else "auto",
        alternative=alternative,
        null_value=null_value,
        pivots=[pivot],
    )
    if way == "mover":
        return test
    if reference == "proc":
        words = "t test" if pivot is None else test.method
        return _with_df(test, _proc_df(first, second), f"{words}, pROC's degrees of freedom")
    if partly and reference != "normal":
        df = _four_term_df(first, second)
        return _with_df(test, df, test.method) if pivot is None else replace(test, wald_df=df)
    return test


def _warn_about_prevalence(first: Estimate, second: Estimate) -> None:
    shares = [e.n_pos / (e.n_pos + e.n_neg) for e in (first, second)]
    if max(shares) > 1.1 * min(shares):
        warn_user(
            f"{first.measure.label} depends on the share of positives, here {shares[0]:.0%} and "
            f"{shares[1]:.0%}; a difference may be due to that alone: use "
            f"{keyword('class_weight', 'balanced')}.",
            PrevalenceWarning,
        )


def _with_df(test: TestResult, df: float, method: str) -> TestResult:
    if not test.std_error > 0.0:
        return test
    pvalue = tail_probability(test.statistic, df, test.alternative)
    return replace(test, df=df, pvalue=pvalue, method=method)


def _proc_df(first: Estimate, second: Estimate) -> float:
    variances = [estimate.scatter[0] ** 2 for estimate in (first, second)]
    return satterthwaite_df(variances, [e.n_pos + e.n_neg for e in (first, second)])


def _four_term_df(first: Estimate, second: Estimate) -> float:
    """The degrees of freedom of 6.6 on each sample's own subjects."""
    sides = [
        (spread, size, share)
        for e in (first, second)
        for spread, size, share in zip(
            (e.spread_neg, e.spread_pos), (e.n_neg, e.n_pos), e.measure.shares, strict=True
        )
    ]
    variances = [spread**2 / size for spread, size, _ in sides]
    return satterthwaite_df(variances, [rests_on(size, share) for _, size, share in sides])


def _same_subjects(joined: Influence, first: Estimate, second: Estimate) -> bool:
    return joined.stratum.size == first.sample.positive.size == second.sample.positive.size


def _refuse_shared_clusters(first: Estimate, second: Estimate) -> None:
    labels = [set(e.sample.cluster_ids) for e in (first, second)]
    if labels[0] & labels[1]:
        raise NotPairedError(
            "The samples share clusters, so they are not independent; put them into one sample and "
            "use rs.compare."
        )
