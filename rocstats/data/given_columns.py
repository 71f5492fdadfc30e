"""What a sample is built of, as it was given: arrays, or columns of a frame by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import frame_columns, label_column, named_columns, score_columns
from rocstats.data.dependent_rows import warn_of_readers
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.score_shapes import by_model
from rocstats.data.subject_weights import WeightKind
from rocstats.data.verification import model_columns
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    did_you_mean,
    keyword,
    listed,
    named,
)

__all__ = ["Given", "given_arrays", "given_frame"]


class Given(NamedTuple):
    """What was given of the subjects, and of how they were sampled and verified, as it came.

    Attributes
    ----------
    outcome, label : name and values of the column of labels, and which are missing
    columns : the markers
    named : whether they came with names
    ids : columns of ids of subjects, clusters and strata, each None where there is none
    weights, weight_kind, verified : as `ScoredSample.from_arrays` takes them
    model : columns that verification depends on; None where all are verified
    covariates : columns that stand beside the markers
    """

    outcome: str
    label: tuple[NDArray[Any], Bools | None]
    columns: dict[str, Floats]
    named: bool
    ids: dict[str, Any]
    weights: Any
    weight_kind: WeightKind | None
    verified: Any
    model: Mapping[str, Any] | None
    covariates: Mapping[str, Any]


def given_arrays(
    y_true: Any,
    y_score: Any,
    *,
    ids: dict[str, Any],
    weights: Any,
    weight_kind: WeightKind | None,
    verified: Any,
    verification_model: Any,
    covariates: Any,
) -> Given:
    """Return what was given as arrays."""
    label = label_column(y_true, "y_true")
    y_score = by_model(y_score, label[0].size)
    has_names = isinstance(y_score, Mapping)
    columns = named_columns(y_score.items()) if has_names else score_columns(y_score)
    beside = {} if covariates is None else dict(frame_columns(covariates) or {})
    if covariates is not None and not beside:
        raise InvalidSampleError(
            f"{named('covariates')} must be columns by name, got {type(covariates).__name__}."
        )
    check_same_rows(
        [
            ("y_true", y_true),
            *with_names(y_score, "y_score"),
            *ids.items(),
            ("weights", weights),
            ("verified", verified),
            *with_names(verification_model, "verification_model"),
            *beside.items(),
        ]
    )
    model = None
    if verified is not None:
        model = model_columns(verification_model, columns | beside, columns)
    _check_model(verified, verification_model)
    return Given(
        outcome="y_true",
        label=label,
        columns=columns,
        named=has_names,
        ids=ids,
        weights=weights,
        weight_kind=weight_kind,
        verified=verified,
        model=model,
        covariates=beside,
    )


def given_frame(
    frame: Any,
    outcome: str,
    markers: str | Iterable[str],
    *,
    ids: dict[str, str | None],
    weights: str | None,
    weight_kind: WeightKind | None,
    verified: str | None,
    verification_model: str | Iterable[str] | None,
    covariates: str | Iterable[str],
) -> Given:
    """Return what was given as columns of a frame, each of which must be there."""
    several = isinstance(markers, Iterable) and not isinstance(markers, str)
    names = [str(name) for name in (markers if several else [markers])]
    outcome = str(outcome)
    if outcome in names:
        raise InvalidSampleError(
            f"The outcome {outcome!r} is also listed as a marker; it cannot predict itself."
        )
    columns = frame_columns(frame)
    if columns is None:
        raise InvalidSampleError(
            f"A data frame or a mapping of columns was expected, got {type(frame).__name__}."
        )
    model = [verification_model] if isinstance(verification_model, str) else verification_model
    model = None if model is None else [str(name) for name in model]
    beside = [covariates] if isinstance(covariates, str) else [str(c) for c in covariates]
    single = (*ids.values(), weights, verified)
    used = [
        outcome,
        *names,
        *(name for name in single if name is not None),
        *(model or ()),
        *beside,
    ]
    _check_model(verified, verification_model)
    if outcome in (model or ()):
        raise InvalidOptionError(
            f"{named('verification_model')} names the outcome {outcome!r}, which is not known "
            "of those who are not verified."
        )
    for name in used:
        if name not in columns:
            raise InvalidSampleError(
                f"The data have no column {name!r}; "
                f"they have {listed(columns)}.{did_you_mean(name, columns)}"
            )
    scores = named_columns((name, columns[name]) for name in names)
    check_same_rows((name, columns[name]) for name in used)
    label = label_column(columns[outcome], outcome)
    if ids["cluster"] is None:
        warn_of_readers(columns, {outcome, *names}, ids["subject"])
    fitted = None
    if verified is not None:
        fitted = scores if model is None else {name: columns[name] for name in model}
    return Given(
        outcome=outcome,
        label=label,
        columns=scores,
        named=True,
        ids={kind: None if name is None else columns[name] for kind, name in ids.items()},
        weights=None if weights is None else columns[weights],
        weight_kind=weight_kind,
        verified=None if verified is None else columns[verified],
        model=fitted,
        covariates={name: columns[name] for name in beside},
    )


def _check_model(verified: Any, model: Any) -> None:
    if verified is None and model is not None:
        raise InvalidOptionError(
            f"{named('verification_model')} says what verification depends on; say who was "
            f"verified with {keyword('verified')}."
        )
