"""Partial verification: who was verified, as a logistic model has it, and the weights it gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import (
    coded_ids,
    frame_columns,
    label_column,
    named_columns,
    standardised,
)
from rocstats.data.subject_weights import Nuisance
from rocstats.errors import (
    ExtremeWeightsWarning,
    InvalidOptionError,
    InvalidSampleError,
    did_you_mean,
    keyword,
    listed,
    named,
    several,
    shown,
    warn_user,
)

__all__ = [
    "model_columns",
    "refit_probabilities",
    "verified_column",
    "warn_if_concentrated",
    "weigh_verified",
]

_STEPS = 40  # of Newton's method; towards a probability of 1 each adds one to the logit
_SETTLED = 1e-11  # change of the deviance, as a share
_NEVER = 1e-6  # a probability of verification as small as none
_SMALL = 0.02  # one that is warned of
_CONCENTRATED = 0.1  # share of a class that one weight may make up unsaid
_MOST_LEVELS = 50  # of a covariate in words
_RANK = 1e-9  # of a singular value beside the largest


def verified_column(values: Any, n: int) -> Bools:
    """Return who was verified: booleans, or 1 and 0."""
    array, missing = label_column(values, "verified")
    if array.size != n:
        raise InvalidSampleError(
            f"There are {n} subjects but {array.size} values of {named('verified')}; they must be "
            "as many."
        )
    if missing is not None:
        raise InvalidSampleError(
            f"{named('verified')} is missing for {int(missing.sum())} subjects; it must be true or "
            "false of everyone."
        )
    if array.dtype.kind in "biuf":
        found = np.asarray(array == 1, dtype=np.bool_)
        known = found | np.asarray(array == 0)
    else:
        cells = [str(cell).strip().casefold() for cell in array.tolist()]
        found = np.array([cell in ("1", "1.0", "true", "yes") for cell in cells], dtype=np.bool_)
        no = np.array([cell in ("0", "0.0", "false", "no") for cell in cells], dtype=np.bool_)
        known = found | no
    if not known.all():
        first = int(np.flatnonzero(~known)[0])
        raise InvalidSampleError(
            f"{named('verified')} must be true or false, 1 or 0, yes or no, got "
            f"{shown(array.tolist()[first])} in row {first + 1}."
        )
    if not found.any():
        raise InvalidSampleError(
            f"No subject is {named('verified')}; at least some of both classes must be."
        )
    return found


def model_columns(
    model: Any, known: Mapping[str, Any], default: Mapping[str, Floats]
) -> dict[str, Any]:
    """Return the columns of the verification model by name: names of known columns, or columns."""
    if model is None:
        return dict(default)
    if isinstance(model, str):
        model = [model]
    columns = None if isinstance(model, (list, tuple)) else frame_columns(model)
    if columns:
        return dict(columns)
    if isinstance(model, np.ndarray) and model.ndim == 2:
        return {f"covariate_{j + 1}": model[:, j] for j in range(model.shape[1])}
    names = list(model) if several(model) else [model]
    for name in names:
        if not isinstance(name, str):
            raise InvalidOptionError(
                f"{named('verification_model')} must be names of columns, or columns by name, got "
                f"{shown(name)}."
            )
        if name not in known:
            raise InvalidOptionError(
                f"{named('verification_model')} names {name!r}, which is not there; there are "
                f"{listed(known)}.{did_you_mean(name, known)}"
            )
    if not names:
        raise InvalidOptionError(
            f"{named('verification_model')} is empty; name what verification depends on."
        )
    return {name: known[name] for name in names}


def design_matrix(columns: Mapping[str, NDArray[Any]]) -> Floats:
    """Return an intercept, numbers standardised, and words as indicators of their levels."""
    first = next(iter(columns.values()))
    parts = [np.ones(first.size)]
    for name, column in columns.items():
        if column.dtype.kind in "biuf":
            numbers = column.astype(np.float64)
            if not np.isfinite(numbers).all():
                raise InvalidSampleError(
                    f"{named('verification_model')} needs finite values without a gap, and {name} "
                    f"has {int((~np.isfinite(numbers)).sum())} others; complete them."
                )
            if numbers.min() < numbers.max():
                parts.append(standardised(numbers))
            continue
        codes, levels = coded_ids(column)
        if len(levels) > _MOST_LEVELS:
            raise InvalidSampleError(
                f"{name} of {named('verification_model')} has {len(levels)} different words, and "
                f"at most {_MOST_LEVELS} are taken; group them, or give numbers."
            )
        parts += [(codes == level).astype(np.float64) for level in range(1, len(levels))]
    return np.stack(parts, axis=1)


def fit_logistic(x: Floats, y: Bools, mass: Floats | None = None) -> Floats:
    """Return the fitted probabilities, by Newton's method; towards 0 or 1 where data part them.

    A row counts as its `mass`, where that is given.
    """
    beta = np.zeros(x.shape[1])
    share = float(np.average(y, weights=mass))
    beta[0] = np.log(share / (1.0 - share))
    before = np.inf
    counts = 1.0 if mass is None else mass
    much = np.sqrt(counts)
    target = y.astype(np.float64)
    for _ in range(_STEPS):
        logit = np.clip(x @ beta, -40.0, 40.0)
        p = 1.0 / (1.0 + np.exp(-logit))
        deviance = float((counts * np.logaddexp(0.0, np.where(y, -logit, logit))).sum())
        if before - deviance <= _SETTLED * (deviance + _SETTLED):
            break
        before = deviance
        root = np.sqrt(np.maximum(p * (1.0 - p), 1e-14))
        left, right = x * (much * root)[:, None], much * (target - p) / root
        beta = beta + np.linalg.lstsq(left, right, rcond=_RANK)[0]
    return p


def weigh_verified(
    verified: Bools,
    columns: Mapping[str, Any],
    cluster: NDArray[np.intp] | None,
    design: Floats | None = None,
) -> tuple[Floats, Nuisance]:
    """Return one over the fitted probability of the verified, and how that was estimated.

    With weights of the `design` everyone counts so in the model, and the verified in the answer by
    the product of both.
    """
    taken = {
        str(name): _checked(values, str(name), verified.size) for name, values in columns.items()
    }
    x = design_matrix(taken)
    mass = None if design is None else design / design.mean()
    p = fit_logistic(x, verified, mass)
    names = listed(taken)
    never = int(np.count_nonzero(p < _NEVER))
    if never:
        raise InvalidSampleError(
            f"By {keyword('verification_model')} of {names} the probability of verification is 0 "
            f"for {never} of {p.size} subjects: nobody like them is verified, so that nothing is "
            "known of them; leave that region out, or model verification by less."
        )
    counts = np.ones(p.size) if mass is None else mass
    information = np.einsum("ni,nj,n->ij", x, x, counts * p * (1.0 - p)) / p.size
    scores = x * (counts * (verified - p))[:, None]
    psi = scores @ np.linalg.pinv(information, rcond=_RANK, hermitian=True)
    (place,) = np.nonzero(verified)
    weights = counts[place] / p[place]
    if float(p.min()) < _SMALL:
        warn_user(
            f"The fitted probability of verification is as small as {float(p.min()):.2g} (by "
            f"{names}); few verified subjects stand for many, and the answer rests on the model "
            "there.",
            ExtremeWeightsWarning,
        )
    nuisance = Nuisance(
        place=place,
        slope=-(1.0 - p[place])[:, None] * x[place],
        influence=psi,
        cluster=cluster,
        verified=verified,
        model=x,
        mass=mass,
        words=f"{place.size} of {p.size} subjects verified, each weighted by "
        f"{'' if mass is None else 'its weight of the design times '}one over its "
        f"probability of that (logistic in {names}; weights {weights.min():.3g} to "
        f"{weights.max():.3g}); right only if verification depends on nothing else, and not on the "
        "disease itself",
        factor=float(np.sqrt(p.size / (p.size - x.shape[1]))) if p.size > x.shape[1] else 1.0,
    )
    return weights, nuisance


def refit_probabilities(nuisance: Nuisance, counts: Floats) -> Floats | None:
    """Return the probabilities of the verified in a resample; None where it knows none of some.

    Everyone is there as often as `counts` says, with its weight of the design.
    """
    drawn = counts > 0
    there = nuisance.verified[drawn]
    if not there.any():
        return None
    mass = counts if nuisance.mass is None else counts * nuisance.mass
    p = np.ones(nuisance.size)
    if not there.all():
        p[drawn] = fit_logistic(nuisance.model[drawn], there, mass[drawn].astype(np.float64))
    return None if float(p.min()) < _NEVER else p[nuisance.place]


def warn_if_concentrated(weights: Floats, positive: Bools) -> None:
    """Warn where one subject makes up much of what its class counts."""
    for members, word in ((positive, "positives"), (~positive, "negatives")):
        mine = weights[members]
        share = float(mine.max() / mine.sum())
        if share > min(max(_CONCENTRATED, 5.0 / mine.size), 0.5):
            warn_user(
                f"One of the {mine.size} {word} has {share:.0%} of their weight, so that the "
                "answer rests on few subjects; look at the largest weights.",
                ExtremeWeightsWarning,
            )


def _checked(values: Any, name: str, n: int) -> NDArray[Any]:
    column, missing = label_column(values, name)
    if column.size != n:
        raise InvalidSampleError(
            f"There are {n} subjects but {column.size} values of {name}, which "
            f"{named('verification_model')} names; they must be as many."
        )
    if missing is not None:
        raise InvalidSampleError(
            f"{name}, which {named('verification_model')} names, is missing for "
            f"{int(missing.sum())} subjects; complete it."
        )
    if column.dtype.kind == "O" and all(
        isinstance(v, (int, float, np.number)) for v in column.tolist()
    ):
        return named_columns([(name, column)])[name]
    return column
