"""Comparing tests: results on the same patients, or tables of counts, become a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.sample import NanPolicy, Orientation, ScoredSample, refuse_design
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    as_number,
    check_option,
    keyword,
    named,
    shown,
)
from rocstats.inference.binary.compared_tests import DESIGNS, TRUTHS, ComparedTests
from rocstats.inference.binary.equivocal_results import UNKNOWN, Unresolved
from rocstats.inference.binary.result_columns import (
    choose_tests,
    cut_scores,
    read_results,
    read_thresholds,
)

__all__ = ["compare_counts", "compare_tests"]

_MOST = 10**7  # subjects that tables of counts may have
_EQUIVOCAL = (None, "positive", "negative", "both")


def compare_tests(
    y_true: Any,
    y_score: Any = None,
    thresholds: Mapping[str, Any] | None = None,
    *,
    tests: Sequence[str] | None = None,
    test_positive: Any = None,
    test_negative: Any = None,
    equivocal: str | None = None,
    design: str = "cohort",
    truth: str = "reference",
    prespecified: bool = True,
    pos_label: Any = None,
    subject: Any = None,
    cluster: Any = None,
    higher_is_positive: Orientation | None = None,
    nan_policy: NanPolicy | None = None,
) -> ComparedTests:
    """Compare binary tests on the same patients: new against standard.

    Parameters
    ----------
    y_true : array-like of shape (N,) or ScoredSample
        The true class of every patient; or a sample of the tests' scores or results.
    y_score : mapping, data frame or array-like of shape (N, K), optional
        Scores or results of the tests, by name, the standard test first; none with a sample.
    thresholds : mapping of str to float, optional
        The cutoff of each test: a score at or beyond it is positive. Results of 0 and 1 need none.
        A `Cutpoint` goes in too, and makes the comparison exploratory.
    tests : sequence of str, optional
        The tests to compare, the standard one first; by default those of `thresholds`, or all.
    test_positive, test_negative : result or mapping of str to result, optional
        For results in words or other codes: which is positive, and which is negative. The latter is
        the only other one by default; where it is named, all others are equivocal.
    equivocal : {None, "positive", "negative", "both"}, default None
        How missing and equivocal results count: as positive, as negative, or "both", where those
        patients are left out and the comparison has its `bounds`. By default `nan_policy` decides,
        and "omit" is "both".
    design : {"cohort", "case-control", "screen-positive"}, default "cohort"
        How patients came in. Cases and controls that were sampled apart have no predictive values;
        where only those positive on a test were verified, only ratios are known.
    truth : {"reference", "comparator"}, default "reference"
        "comparator" where the true class is only what another test says: there is agreement (PPA
        and NPA) then, and no accuracy.
    prespecified : bool, default True
        False where cutoffs were chosen on these data: the comparison is exploratory and has no p.
    pos_label : label, default 1 beside 0 or -1
        The label of the positive class; a sample has its own.
    subject : array-like of shape (N,), optional
        Ids of the patients; a warning is given where they repeat and no cluster is named.
    cluster : array-like of shape (N,), optional
        Ids of clusters of dependent rows (the patient of a lesion): tests are Wald's with t then.
    higher_is_positive : bool or mapping of str to bool, default True
        False, or False for a test by name, where low scores (or a result of 0) are positive.
    nan_policy : {"raise", "omit"}, default "raise"
        Refuse missing values, or leave out every patient that has one and count it.

    Returns
    -------
    ComparedTests
        Sensitivity, specificity, predictive values and likelihood ratios of the tests, compared.

    See Also
    --------
    compare_counts : Compare two tests given as tables of counts.
    compare : Compare markers by their areas.
    operating_points : 2x2 tables of one marker at thresholds.

    Notes
    -----
    Differences of sensitivity and specificity have Tango's (1998) score interval and McNemar's
    test, which agree; ratios that of Tang, Tang & Chan (2003); predictive values Kosinski's (2013)
    weighted generalised score test; likelihood ratios the test of Gu & Pepe (2009). R equivalent:
    DTComPair, whose ``dlr.regtest`` has the ratio upside down. More: docs/evidence/paired_tests.md.

    Examples
    --------
    >>> import rocstats as rs
    >>> ill = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> crp = [12, 30, 8, 25, 9, 40, 3, 11, 2, 5, 14, 1]
    >>> pct = [0.9, 2.0, 0.7, 1.1, 0.2, 3.0, 0.1, 0.2, 0.1, 0.6, 0.3, 0.1]
    >>> found = rs.compare_tests(
    ...     ill, {"crp": crp, "pct": pct}, thresholds={"crp": 10, "pct": 0.5}
    ... )
    >>> found.sensitivity
    sensitivity, pct - crp: 0.6667 to 0.8333; difference 0.1667 (95% CI -0.2887 to 0.5635), \
ratio 1.2500 (95% CI 0.6376 to 2.6629), p = 0.3173
    McNemar's test
    sensitivity: 1 discordant pair; mid-p = 0.5000
    positive class 1, negative class 0
    """
    check_option("equivocal", equivocal, _EQUIVOCAL)
    check_option("design", design, DESIGNS)
    check_option("truth", truth, TRUTHS)
    check_option("prespecified", prespecified, (True, False))
    kind: dict[str, Any] = {"design": design, "truth": truth}
    if isinstance(y_true, ScoredSample):
        refuse_design(y_true)
        given = {
            "y_score": y_score,
            "test_positive": test_positive,
            "test_negative": test_negative,
            "equivocal": equivocal,
            "pos_label": pos_label,
            "subject": subject,
            "cluster": cluster,
            "higher_is_positive": higher_is_positive,
            "nan_policy": nan_policy,
        }
        extra = [name for name, value in given.items() if value is not None]
        if extra:
            raise InvalidOptionError(
                f"{', '.join(map(named, extra))} cannot be given with a ScoredSample, which has "
                "fixed it already."
            )
        return _of_sample(y_true, thresholds, tests, prespecified, kind)
    if y_score is None:
        raise InvalidSampleError(
            f"{named('y_score')} is missing: give y_true and y_score, or a ScoredSample."
        )
    ids = {"subject": subject, "cluster": cluster}
    check_same_rows([("y_true", y_true), *with_names(y_score, "y_score"), *ids.items()])
    columns = read_results(y_score, test_positive, test_negative, list(thresholds or ()))
    cuts, chosen = read_thresholds(thresholds, list(columns))
    wanted = choose_tests(tests, list(columns), cuts)
    columns = {name: columns[name] for name in wanted}
    options = {
        "pos_label": pos_label,
        **ids,
        "higher_is_positive": True if higher_is_positive is None else higher_is_positive,
        "nan_policy": nan_policy or "raise",
    }
    # Every patient whose class is known: all else about the data is checked here.
    filled = {name: np.nan_to_num(column) for name, column in columns.items()}
    whole = ScoredSample.from_arrays(y_true, filled, **options)
    cut = [
        cut_scores(column, name, cuts.get(name), flipped=whole.is_flipped(i))
        for i, (name, column) in enumerate(columns.items())
    ]
    calls, rules = np.array([one for one, _ in cut]), _rules(columns, [rule for _, rule in cut])
    unknown = calls == UNKNOWN
    if unknown.any() and equivocal is None and nan_policy != "omit":
        _refuse_unknown(columns, unknown)
    if equivocal in ("positive", "negative"):
        calls = np.where(unknown, np.int8(equivocal == "positive"), calls)
    options |= {"higher_is_positive": True}
    results = {
        name: np.where(row < 0, math.nan, row) for name, row in zip(columns, calls, strict=True)
    }
    options["nan_policy"] = "omit" if (calls == UNKNOWN).any() else options["nan_policy"]
    sample = ScoredSample.from_arrays(y_true, results, **options)
    here = slice(None) if whole.kept is None else whole.kept
    left = Unresolved(
        positive=whole.positive, calls=np.where(unknown, UNKNOWN, calls).astype(np.int8)[:, here]
    )
    return _checked(
        ComparedTests(
            sample=sample,
            exploratory=chosen or not prespecified,
            rules=rules,
            scored=_scored(whole, sample, columns, cuts, unknown),
            unresolved=left if unknown.any() else None,
            **kind,
        )
    )


def _rules(names: Any, rules: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, rule) for name, rule in zip(names, rules, strict=True) if rule)


def _refuse_unknown(names: Any, unknown: NDArray[np.bool_]) -> None:
    counts = ", ".join(
        f"{np.count_nonzero(row)} in {name}"
        for name, row in zip(names, unknown, strict=True)
        if row.any()
    )
    raise InvalidSampleError(
        f"There are missing or equivocal results ({counts}); say with "
        f"{keyword('equivocal', 'both')} that those patients are left out, and shown both ways, or "
        "count them as positive or negative."
    )


def _scored(
    whole: ScoredSample,
    sample: ScoredSample,
    columns: Mapping[str, Any],
    cuts: Mapping[str, float],
    unknown: NDArray[np.bool_],
) -> ScoredSample | None:
    """Return the scores of the patients compared, where there are scores and all are known."""
    if not cuts:
        return None
    here = slice(None) if whole.kept is None else whole.kept
    known = np.asarray(~unknown[:, here].any(axis=0))
    if known.all():
        return whole
    return whole.subset(known) if np.count_nonzero(known) == sample.positive.size else None


def _of_sample(
    sample: ScoredSample,
    thresholds: Mapping[str, Any] | None,
    tests: Sequence[str] | None,
    prespecified: bool,
    kind: Mapping[str, Any],
) -> ComparedTests:
    cuts, chosen = read_thresholds(thresholds, sample.markers)
    names = choose_tests(tests, sample.markers, cuts)
    where = [sample.markers.index(name) for name in names]
    cut = [
        cut_scores(sample.scores[i], name, cuts.get(name), flipped=sample.is_flipped(i))
        for i, name in zip(where, names, strict=True)
    ]
    scored = replace(
        sample,
        scores=sample.scores[where],
        markers=tuple(names),
        higher_is_positive=tuple(sample.higher_is_positive[i] for i in where),
    )
    results = replace(
        scored,
        scores=np.array([called for called, _ in cut], dtype=np.float64),
        higher_is_positive=(True,) * len(names),
    )
    return _checked(
        ComparedTests(
            sample=results,
            exploratory=chosen or not prespecified,
            rules=_rules(names, [rule for _, rule in cut]),
            scored=scored if cuts else None,
            **kind,
        )
    )


def _checked(found: ComparedTests) -> ComparedTests:
    """Return the comparison, or refuse a design that its data contradict."""
    if found.design == "screen-positive":
        if found.truth == "comparator":
            raise InvalidOptionError(
                f"{keyword('design', 'screen-positive')} is of a reference standard that only some "
                f"received, and {keyword('truth', 'comparator')} has none."
            )
        if len(found.tests) != 2:
            raise InvalidOptionError(
                f"A screen-positive design has two tests, got {len(found.tests)}."
            )
        neither = int(np.count_nonzero(~found._called.any(axis=0)))
        if neither:
            raise InvalidOptionError(
                f"{neither} patients are negative on both tests, whose true class is not known in "
                f"a screen-positive design; leave them out, or take {keyword('design', 'cohort')}."
            )
    return found


def compare_counts(
    *,
    diseased: Any,
    healthy: Any,
    tests: Sequence[str] = ("T1", "T2"),
    design: str = "cohort",
    truth: str = "reference",
) -> ComparedTests:
    """Compare two binary tests given as tables of counts: T2, the new one, against T1.

    Parameters
    ----------
    diseased : array-like of shape (2, 2)
        Diseased patients: rows T1 positive and negative, columns T2 positive and negative.
    healthy : array-like of shape (2, 2)
        The same of patients without the disease.
    tests : sequence of str, default ("T1", "T2")
        Names of the tests, the standard one first.
    design : {"cohort", "case-control", "screen-positive"}, default "cohort"
        How patients came in, as in `compare_tests`; of a screen-positive design the counts of those
        negative on both tests are None.
    truth : {"reference", "comparator"}, default "reference"
        Whether the true class is known, as in `compare_tests`.

    Returns
    -------
    ComparedTests
        Sensitivity, specificity, predictive values and likelihood ratios of the tests, compared.

    See Also
    --------
    compare_tests : Compare binary tests on the same patients.

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.compare_counts(diseased=[[319, 78], [22, 32]], healthy=[[31, 53], [22, 155]])
    >>> found.sensitivity.difference, found.sensitivity.mcnemar.statistic
    (-0.12416851441241686, 31.36)
    >>> [round(limit, 4) for limit in found.sensitivity.confidence_interval()]
    [-0.1673, -0.0827]
    """
    check_option("design", design, DESIGNS)
    check_option("truth", truth, TRUTHS)
    names = [str(name) for name in tests] if not isinstance(tests, str) else [tests]
    if len(set(names)) != 2 or len(names) != 2:
        raise InvalidOptionError(
            f"{named('tests')} must be two different names, got {shown(tests)}."
        )
    screened = design == "screen-positive"
    tables = {"diseased": diseased, "healthy": healthy}
    pos, neg = (_counts(name, table, screened=screened) for name, table in tables.items())
    if sum(pos) + sum(neg) > _MOST:
        raise InvalidOptionError(
            f"The tables have {sum(pos) + sum(neg):,} patients; at most {_MOST:,} are compared."
        )
    results = np.array([[1.0, 1.0, 0.0, 0.0] * 2, [1.0, 0.0, 1.0, 0.0] * 2])
    truths = np.array([True] * 4 + [False] * 4)
    sample = ScoredSample.from_arrays(
        np.repeat(truths, [*pos, *neg]),
        dict(zip(names, np.repeat(results, [*pos, *neg], axis=1), strict=True)),
        pos_label=True,
    )
    sample = replace(sample, pos_label="diseased", neg_label="healthy")
    return _checked(ComparedTests(sample=sample, design=design, truth=truth))


def _counts(name: str, table: Any, *, screened: bool) -> list[int]:
    """Return the four counts of a table, whole numbers; 0 for those that were not verified."""
    try:
        cells = [cell for row in table for cell in row]
        shape = len(table), *(len(row) for row in table)
    except TypeError:
        cells, shape = [], ()
    if shape != (2, 2, 2):
        raise InvalidOptionError(
            f"{named(name)} must be two rows of two counts, as in [[319, 78], [22, 32]], got "
            f"{shown(table)}."
        )
    unknown = cells[3] is None or math.isnan(as_number(cells[3]))
    if screened and unknown:
        cells[3] = 0
    elif unknown and cells[3] is None:
        raise InvalidOptionError(
            f"{named(name)} has None for the patients negative on both tests, which is for "
            f"{keyword('design', 'screen-positive')}."
        )
    found = []
    for cell in cells:
        count = as_number(cell.item() if isinstance(cell, np.generic) else cell)
        if not (count >= 0.0 and count.is_integer() and count <= _MOST):
            raise InvalidOptionError(
                f"{named(name)} must hold whole numbers from 0 to {_MOST:,}, got {shown(cell)}."
            )
        found.append(int(count))
    if not sum(found):
        raise InvalidOptionError(f"{named(name)} has no patient; both tables need some.")
    return found
