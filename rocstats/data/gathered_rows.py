"""The rows of a sample that is being built: every column as long, frequencies repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import id_column, label_column
from rocstats.data.given_columns import Given
from rocstats.data.sampling_units import within_strata
from rocstats.data.subject_weights import take_weights
from rocstats.data.verification import verified_column
from rocstats.errors import InvalidOptionError, InvalidSampleError, named

__all__ = ["Rows", "gather_rows"]


class Rows(NamedTuple):
    """The columns of a sample that is being built, row by row."""

    y: NDArray[Any]
    missing: Bools | None
    scores: Floats
    subject: NDArray[Any] | None
    cluster: NDArray[Any] | None
    strata: NDArray[Any] | None
    weights: Floats | None
    verified: Bools | None
    covariates: Mapping[str, NDArray[Any]]
    model: Mapping[str, NDArray[Any]]

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some of the rows, by a mask, or by number as often as each stands there."""
        found: dict[str, Any] = {"scores": self.scores[:, rows]}
        for name in ("y", "missing", "subject", "cluster", "strata", "weights", "verified"):
            column = getattr(self, name)
            found[name] = None if column is None else column[rows]
        for name in ("covariates", "model"):
            found[name] = {key: column[rows] for key, column in getattr(self, name).items()}
        return Rows(**found)


def gather_rows(given: Given) -> tuple[Rows, bool]:
    """Return all columns, each of as many rows, and whether rows were repeated."""
    y, missing = given.label
    _check_lengths(given.outcome, y.size, given.columns)
    ids = {k: None if v is None else id_column(v, y.size, k) for k, v in given.ids.items()}
    subject, cluster, strata = ids.values()
    if y.size == 0:
        raise InvalidSampleError("The sample is empty: there is no subject.")
    count, weights = take_weights(given.weights, given.weight_kind, y.size)
    verified = None if given.verified is None else verified_column(given.verified, y.size)
    if verified is not None and strata is not None:
        raise InvalidOptionError(
            f"{named('verified')} cannot be given with {named('strata')}; weights and clusters can."
        )
    rows = Rows(
        y=y,
        missing=missing if verified is None or missing is None else missing & verified,
        scores=np.array([*given.columns.values()]),
        subject=subject,
        cluster=cluster if cluster is None or strata is None else within_strata(cluster, strata),
        strata=strata,
        weights=weights,
        verified=verified,
        covariates={name: _beside(v, name, y.size) for name, v in given.covariates.items()},
        model={name: _beside(v, name, y.size) for name, v in (given.model or {}).items()},
    )
    if count is None:
        return rows, False
    if subject is not None and count.max() > 1:
        raise InvalidSampleError(
            f"A row of frequency {int(count.max())} is several subjects and cannot have one id; "
            f"leave out {named('subject')}."
        )
    return rows.take(np.repeat(np.arange(y.size), count)), True


def _beside(values: Any, name: str, n: int) -> NDArray[Any]:
    """Return a column that stands beside the markers."""
    column = label_column(values, name)[0]
    if column.size != n:
        raise InvalidSampleError(
            f"There are {n} subjects but {column.size} values of {name}; they must be as many."
        )
    return column


def _check_lengths(outcome: str, n: int, columns: Mapping[str, Floats]) -> None:
    for name, column in columns.items():
        if column.size != n:
            raise InvalidSampleError(
                f"{outcome} has {n} values but {name} has {column.size}; they must be as many."
            )
