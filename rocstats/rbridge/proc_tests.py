"""R's tests: two ROC curves by pROC, and the rank-sum test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    RWarning,
    as_number,
    check_option,
    keyword,
    named,
    warn_user,
)
from rocstats.estimates.results import Alternative, TestResult
from rocstats.rbridge.proc_calls import (
    RESAMPLING,
    Range,
    Resampling,
    ask,
    band_of,
    check_independent,
    curve_of,
    curves_of,
    curves_of_groups,
    flag_no_variance,
)

__all__ = ["roc_test", "wilcox_test"]

_ALTERNATIVES = {"two-sided": "two.sided", "less": "less", "greater": "greater"}

# What the contrast is about, and in R the two values it is the difference of.
_CONTRASTED = {
    "delong": ("AUC", "as.numeric(t$estimate)"),
    "bootstrap": ("AUC", "as.numeric(t$estimate)"),
    "sensitivity": ("specificity at sensitivity {at:g}", "point('sensitivity', 'specificity')"),
    "specificity": ("sensitivity at specificity {at:g}", "point('specificity', 'sensitivity')"),
    "venkatraman": ("curves", "c(NA_real_, NA_real_)"),
}

_TEST = """
r1 <- curve(a)
r2 <- curve(b)
point <- function(given, wanted)
  vapply(list(r1, r2), function(r)
    as.data.frame(coords(r, x = at, input = given, ret = c(given, wanted)))[1, wanted], 0)
t <- roc.test(r1, r2, method = method, alternative = alternative, paired = paired,
              sensitivity = at, specificity = at, boot.n = n, boot.stratified = stratified)
scatter <- if (method != "delong") NA_real_ else if (paired)
  var(r1, method = method) + var(r2, method = method) - 2 * cov(r1, r2, method = method) else
  var(r1, method = method) + var(r2, method = method)
"""


def roc_test(
    sample: ScoredSample,
    other: ScoredSample | None = None,
    *,
    markers: Sequence[str] | None = None,
    method: str = "delong",
    alternative: Alternative = "two-sided",
    at: float | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardized: bool = False,
    resampling: Resampling = RESAMPLING,
) -> TestResult:
    """Return pROC's test of two ROC curves.

    Parameters
    ----------
    sample : ScoredSample
        The subjects; alone, two of its markers are compared on them (paired).
    other : ScoredSample, optional
        Other subjects; a marker of the first is compared with one of these (not paired).
    markers : sequence of str, optional
        The two markers, where there is a choice.
    method : str, default "delong"
        "delong", "bootstrap", "venkatraman" (a permutation test of equal curves, two-sided),
        "sensitivity" (specificities at sensitivity `at`) or "specificity" (sensitivities at
        specificity `at`).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equality, about the first minus the second.
    at : float, optional
        The fixed rate of "sensitivity" and "specificity".
    fpr : (float, float), optional
        Low and high: the part of the curve by false positive rate.
    tpr : (float, float), optional
        Low and high: the part of the curve by true positive rate instead.
    standardized : bool, default False
        McClish's correction, so that chance is 1/2 and the best 1; nan with an `RWarning` where the
        area lies below chance.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    TestResult
        ``estimate`` is the difference of the two areas, or of what `method` compares (nan for
        curves); ``std_error`` is pROC's own for DeLong, estimate / statistic for the bootstrap;
        ``df`` is inf for a normal reference and nan for a permutation. The interval of the DeLong
        test of paired curves is R's ``conf.int``; R has none for the others.

    See Also
    --------
    cov : The covariance of two areas, as pROC has it.
    rocstats.compare : The same in Python.
    rocstats.compare_independent : The same in Python.
    rocstats.venkatraman_test : The same in Python.

    Notes
    -----
    R: ``pROC::roc.test(roc1, roc2, method = , alternative = , paired = , boot.n = ,
    boot.stratified = )``. Pairing is said, never guessed. Where one marker is high and the other
    low for positives both are sent with high for positive, as pROC compares the ranks as they come.
    pROC's unpaired Venkatraman test is refused for groups of unequal sizes: it takes the size of
    the first for both.

    Examples
    --------
    >>> import rocstats as rs
    >>> cancer = rs.datasets.load_breast_cancer()
    >>> found = rs.rbridge.roc_test(cancer, markers=["mean_radius", "worst_area"])  # doctest: +SKIP
    >>> round(found.estimate, 4), round(found.statistic, 4)  # doctest: +SKIP
    (-0.0323, -5.6032)
    """
    check_option("method", method, tuple(_CONTRASTED))
    check_option("alternative", alternative, tuple(_ALTERNATIVES))
    band = band_of(fpr, tpr, standardized=standardized)
    _check_method(method, alternative, at, band)
    groups = [sample] if other is None else [sample, other]
    if other is None:
        names, (a, b) = curves_of(sample, markers, band)
    else:
        names, (a, b) = curves_of_groups(groups, markers, band)
        if method == "venkatraman" and a["y"].size != b["y"].size:
            raise InvalidSampleError(
                "pROC's unpaired Venkatraman test is wrong for groups of unequal sizes; take "
                "rocstats.venkatraman_test_independent."
            )
    about, values = _CONTRASTED[method]
    found = ask(
        f"{_TEST}list(values = {values}, statistic = unname(t$statistic), p = t$p.value,"
        " df = unname(t$parameter['df']), scatter = scatter)",
        a=a,
        b=b,
        at=at,
        method=method,
        alternative=_ALTERNATIVES[alternative],
        paired=other is None,
        resampling=resampling,
    )
    estimate = found["values"][0] - found["values"][1]
    statistic = found["statistic"]
    std_error = math.sqrt(max(found["scatter"], 0.0)) if method == "delong" else math.nan
    if method in ("bootstrap", "sensitivity", "specificity") and statistic != 0.0:
        std_error = estimate / statistic
    contrast = " - ".join(names) if other is None else f"{names[0]} (1) - {names[1]} (2)"
    if method != "venkatraman":
        flag_no_variance(std_error, contrast, *groups)
    elif found["p"] == 0.0:
        warn_user(
            f"R's p is 0 because none of {resampling.n_resamples} permutations reached the "
            f"statistic; it is below 1/{resampling.n_resamples}.",
            RWarning,
        )
    unpaired_t = method == "delong" and other is not None
    return TestResult(
        contrast=contrast,
        method=_in_words(method, about.format(at=at or 0.0), resampling, paired=other is None),
        null_value=0.0,
        alternative=alternative,
        estimate=estimate,
        std_error=std_error,
        statistic=statistic,
        df=math.nan if method == "venkatraman" else found["df"] if unpaired_t else math.inf,
        pvalue=found["p"],
    )


def wilcox_test(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    alternative: Alternative = "two-sided",
    method: str = "normal",
    correct: bool = True,
) -> TestResult:
    """Return R's Wilcoxon-Mann-Whitney test of one marker between the classes.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        About the positives: "greater" where they score higher (or, for a marker that is low for
        positives, lower).
    method : {"normal", "exact"}, default "normal"
        "normal" has the correction for ties; "exact" needs scores without ties.
    correct : bool, default True
        Whether the normal approximation has the continuity correction.

    Returns
    -------
    TestResult
        ``statistic`` is R's W, ``estimate`` W / (n_pos n_neg), which is the AUC, and ``null_value``
        1/2. R gives no standard error, so there is no interval.

    See Also
    --------
    auc : The area, as pROC has it.
    rocstats.two_sample_test : The same in Python.

    Notes
    -----
    R: ``stats::wilcox.test(positives, negatives, alternative = , paired = FALSE, exact = ,
    correct = )``.

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.rbridge.wilcox_test(rs.datasets.load_ct_ratings())  # doctest: +SKIP
    >>> found.statistic, round(found.estimate, 4)  # doctest: +SKIP
    (2642.0, 0.8932)
    """
    check_independent(sample)
    check_option("method", method, ("normal", "exact"))
    check_option("alternative", alternative, tuple(_ALTERNATIVES))
    check_option("correct", correct, (True, False))
    scores = curve_of(sample, marker, oriented=True)["x"]
    if method == "exact" and np.unique(scores).size < scores.size:
        raise InvalidOptionError(
            f"R has no exact rank-sum test for tied scores; take {keyword('method', 'normal')}, "
            "which corrects for ties."
        )
    statistic, pvalue = ask(
        "t <- wilcox.test(x, y, alternative = alternative, mu = 0, paired = FALSE, exact = exact,"
        " correct = correct); c(unname(t$statistic), t$p.value)",
        x=scores[sample.positive],
        y=scores[~sample.positive],
        alternative=_ALTERNATIVES[alternative],
        exact=method == "exact",
        correct=correct,
    )
    how = "exact" if method == "exact" else "normal, " + ("" if correct else "not ") + "corrected"
    return TestResult(
        contrast=f"AUC of {sample.markers[sample.marker(marker)]}",
        method=f"rank-sum test (R's wilcox.test, {how})",
        null_value=0.5,
        alternative=alternative,
        estimate=statistic / (sample.n_pos * sample.n_neg),
        std_error=math.nan,
        statistic=statistic,
        df=math.nan,
        pvalue=pvalue,
    )


def _check_method(method: str, alternative: str, at: float | None, band: dict[str, Any]) -> None:
    if band["band"] and method != "bootstrap":
        raise InvalidOptionError(
            f"pROC tests partial areas by {keyword('method', 'bootstrap')} only, got {method!r}."
        )
    if method == "venkatraman" and alternative != "two-sided":
        raise InvalidOptionError("Venkatraman's test of equal curves has no one-sided alternative.")
    if (at is None) != (method not in ("sensitivity", "specificity")):
        raise InvalidOptionError(
            f'{named("at")} is for {keyword("method", "sensitivity")} or "specificity", and needed '
            f"there: the value at which the curves are compared; got {at!r} for {method!r}."
        )
    if at is not None and not 0.0 <= as_number(at) <= 1.0:
        raise InvalidOptionError(f"{named('at')} must lie within [0, 1], got {at!r}.")


def _in_words(method: str, about: str, resampling: Resampling, *, paired: bool) -> str:
    pairing = "paired" if paired else "not paired"
    if method == "delong":
        return f"{'z' if paired else 't'} test of {about} (pROC, DeLong, {pairing})"
    kind = "permutation test" if method == "venkatraman" else "z test"
    name = "Venkatraman" if method == "venkatraman" else "bootstrap"
    return f"{kind} of {about} (pROC, {name}, {resampling.n_resamples} resamples, {pairing})"
