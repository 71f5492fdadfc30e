"""Folds: one curve or one sample for each fold of a cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rocstats.arrays import Bools
from rocstats.curves.roc import RocCurve, refuse_weighted, roc_curve
from rocstats.data.columns import id_column
from rocstats.data.sample import ScoredSample, refuse_design
from rocstats.errors import InvalidOptionError, SingleClassError, keyword, shown

__all__ = ["as_curves", "as_samples"]


def as_curves(given: Any, folds: Any, marker: str | None) -> list[RocCurve]:
    """Return one curve a fold: those given, or those of the samples given."""
    if isinstance(given, RocCurve):
        return [given]
    members = _members(given, folds)
    if not all(isinstance(member, RocCurve) for member in members):
        return [roc_curve(sample, marker=marker) for sample in as_samples(members, None)]
    if marker is not None:
        raise InvalidOptionError(
            f"{keyword('marker')} goes with samples; a curve is of one marker already."
        )
    return members


def as_samples(given: Any, folds: Any) -> list[ScoredSample]:
    """Return one sample a fold: those given, or the parts of one sample."""
    members = _members(given, folds)
    if not all(isinstance(member, ScoredSample) for member in members):
        raise InvalidOptionError(
            "Folds are samples, or ROC curves where their scores are not needed, and all alike."
        )
    return members


def _members(given: Any, folds: Any) -> list[Any]:
    if isinstance(given, ScoredSample):
        refuse_design(given)
        if folds is None:
            raise InvalidOptionError(
                f"One sample needs {keyword('folds')}: the fold of each of its subjects."
            )
        return _split(given, folds)
    members = list(given.values()) if isinstance(given, Mapping) else given
    if not isinstance(members, Sequence) or isinstance(members, str) or not members:
        raise InvalidOptionError(
            "A list of curves or samples, one for each fold, was expected, or one sample with "
            f"{keyword('folds')}, got {shown(given)}; labels and scores make a sample: "
            "rs.ScoredSample.from_arrays(y_true, y_score)."
        )
    if folds is not None:
        raise InvalidOptionError(f"{keyword('folds')} goes with one sample, not with several.")
    for member in members:
        if isinstance(member, ScoredSample):
            refuse_design(member)
        elif isinstance(member, RocCurve):
            refuse_weighted(member)
    return list(members)


def _split(sample: ScoredSample, folds: Any) -> list[ScoredSample]:
    if isinstance(folds, str):
        folds = sample.covariate(folds, "folds")
    codes = id_column(folds, sample.positive.size, "fold")
    return [_part(sample, codes == fold, fold) for fold in dict.fromkeys(codes.tolist())]


def _part(sample: ScoredSample, members: Bools, fold: object) -> ScoredSample:
    positive = sample.positive[members]
    if positive.all() or not positive.any():
        raise SingleClassError(
            f"Fold {fold!r} has one class only, so it has no curve; take stratified or fewer folds."
        )
    part = ScoredSample.from_arrays(
        positive,
        dict(zip(sample.markers, sample.scores[:, members], strict=True)),
        pos_label=True,
        higher_is_positive=dict(zip(sample.markers, sample.higher_is_positive, strict=True)),
    )
    return replace(part, pos_label=sample.pos_label, neg_label=sample.neg_label)
