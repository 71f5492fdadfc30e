"""The division of a sample into folds of a cross-validation, once or repeatedly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats
from rocstats.data.adjustment import Adjustment
from rocstats.data.columns import coded_ids, crossed_ids, id_column
from rocstats.data.sample import ScoredSample, refuse_design
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SingleClassError,
    SmallSampleWarning,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
    warn_user,
)

__all__ = ["FoldWeights", "divide_into_folds"]

FoldWeights = Literal["equal", "pairs"]
Codes = NDArray[np.intp]


def divide_into_folds(
    sample: ScoredSample, folds: Any, *, repeats: Any = None, weights: str = "equal"
) -> ScoredSample:
    """Return the sample whose areas are means over the folds, or refuse what has none.

    `folds` and `repeats` are a value for each row that was given, or names of covariates. The rows
    of a subject in several repeats, or of one cluster, depend on each other.
    """
    check_option("weights", weights, ("equal", "pairs"))
    refuse_design(sample, ("cluster",))
    fold = _column(sample, folds, "folds")
    columns = [fold] if repeats is None else [_column(sample, repeats, "repeats"), fold]
    code, ids = crossed_ids(columns)
    _check_classes(sample, code, ids)
    repeat = coded_ids(columns[0])[0] if repeats is not None else np.zeros_like(code)
    sample = _with_dependence(sample, repeat)
    _check_together(sample, code, repeat)
    _warn_of_single_clusters(sample, code, ids)
    n_pos, n_neg = (np.bincount(code[c], minlength=len(ids)) for c in _classes(sample))
    worth = n_pos * n_neg if weights == "pairs" else np.ones(len(ids))
    of_fold = np.zeros(len(ids), dtype=np.intp)
    of_fold[code] = repeat
    adjustment = Adjustment(
        names=("fold",),
        stratum=code,
        levels=tuple(f"fold {', '.join(map(str, reversed(one)))}" for one in _said(ids)),
        shares=_shares(worth.astype(np.float64), of_fold),
        repeats=int(repeat.max()) + 1,
    )
    return replace(sample, adjustment=adjustment)


def _shares(worth: Floats, repeat: Codes) -> Floats:
    """Return what every fold counts: repeats alike, and folds by their worth within one."""
    total = np.bincount(repeat, worth)
    shares: Floats = worth / total[repeat] / total.size
    return shares


def _column(sample: ScoredSample, given: Any, name: str) -> NDArray[Any]:
    if given is None:
        raise InvalidOptionError(
            f"{named(name)} is missing: the fold of each subject, in which its score was "
            "predicted by a model that did not see it."
        )
    if isinstance(given, str):
        if given not in sample.covariates:
            raise InvalidOptionError(
                f"{named(name)} names {given!r}, which is no covariate of the sample "
                f"({listed(sample.covariates) if sample.covariates else 'it has none'}); keep it "
                f"with {keyword('covariates')} when the sample is built, or give the column."
                f"{did_you_mean(given, sample.covariates)}"
            )
        return id_column(sample.covariates[given], sample.positive.size, name)
    kept = sample.kept
    if kept is None or len(given) == sample.positive.size:
        return id_column(given, sample.positive.size, "fold" if name == "folds" else "repeat")
    return id_column(given, kept.size, "fold" if name == "folds" else "repeat")[kept]


def _classes(sample: ScoredSample) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return sample.positive, ~sample.positive


def _said(ids: tuple[tuple[Any, ...], ...]) -> list[tuple[str, ...]]:
    """Return folds in words; of repeats, the fold first."""
    return [(f"repeat {one[0]}", str(one[1])) if len(one) > 1 else (str(one[0]),) for one in ids]


def _check_classes(sample: ScoredSample, code: Codes, ids: tuple[tuple[Any, ...], ...]) -> None:
    if len(ids) == code.size > 1:
        raise SingleClassError(
            "Every fold has one subject (leave-one-out), and one subject has no AUC; pooled "
            "leave-one-out scores bias it downwards: take 5 or 10 stratified folds."
        )
    counts = np.stack([np.bincount(code[c], minlength=len(ids)) for c in _classes(sample)])
    (lacking,) = np.nonzero(counts.min(axis=0) == 0)
    if lacking.size:
        where = ids[lacking[0]]
        what = "negatives" if counts[0, lacking[0]] else "positives"
        again = f" of repeat {where[0]}" if len(where) > 1 else ""
        raise SingleClassError(
            f"Fold {where[-1]}{again} has one class only (no {what}), so it has no AUC; take "
            "stratified or fewer folds."
        )


def _with_dependence(sample: ScoredSample, repeat: Codes) -> ScoredSample:
    """Return the sample whose clusters are the subjects, where these come in several repeats."""
    if sample.cluster is not None:
        return sample
    if sample.subject is None:
        if repeat.any():
            raise InvalidOptionError(
                f"Repeated cross-validation needs {keyword('subject')}: who is who in the repeats."
            )
        return sample
    code, ids = coded_ids(sample.subject)
    if len(ids) == code.size:
        return sample
    if not repeat.any():
        raise InvalidSampleError(
            f"A subject has several rows; name {keyword('repeats')} where the cross-validation was "
            f"repeated, or {keyword('cluster')} where a patient has several."
        )
    both = crossed_ids([code, repeat])[1]
    if len(both) < code.size:
        raise InvalidSampleError(
            f"A subject has several rows within one repeat; name {keyword('cluster')} where a "
            "patient has several."
        )
    return replace(sample, cluster=code, cluster_ids=ids)


def _warn_of_single_clusters(
    sample: ScoredSample, code: Codes, ids: tuple[tuple[Any, ...], ...]
) -> None:
    """Warn of a fold whose variance is not known, where clusters of all folds give one."""
    if sample.cluster is None or crossed_ids([code, sample.cluster])[0].max() == code.size - 1:
        return
    for mine, what in zip(_classes(sample), ("positives", "negatives"), strict=True):
        pairs = np.unique(np.stack([code[mine], sample.cluster[mine]]), axis=1)
        (alone,) = np.nonzero(np.bincount(pairs[0], minlength=len(ids)) == 1)
        if alone.size:
            warn_user(
                f"Fold {ids[alone[0]][-1]} has {what} of one cluster only, which do not show how "
                "much clusters differ, so that the interval is too narrow; take fewer folds.",
                SmallSampleWarning,
            )
            return


def _check_together(sample: ScoredSample, code: Codes, repeat: Codes) -> None:
    """Refuse folds that tear a cluster apart: its model has seen it."""
    if sample.cluster is None:
        return
    apart = np.unique(np.stack([sample.cluster, repeat, code]), axis=1)
    same = (apart[:2, 1:] == apart[:2, :-1]).all(axis=0)
    if same.any():
        who = sample.cluster_ids[int(apart[0, 1:][same][0])]
        raise InvalidSampleError(
            f"Cluster {who} is in several folds, so that models were tested on patients they had "
            "seen; make folds that keep clusters together, as scikit-learn's StratifiedGroupKFold."
        )
