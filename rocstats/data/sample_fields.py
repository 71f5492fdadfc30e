"""A sample's fields, checked: rows without a gap, two classes, units, and what rows stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.arrays import Bools
from rocstats.data.columns import coded_ids
from rocstats.data.dependent_rows import warn_of_repeats
from rocstats.data.gathered_rows import gather_rows
from rocstats.data.given_columns import Given, given_arrays, given_frame
from rocstats.data.marker_direction import Orientation, read_orientation
from rocstats.data.sample_account import NanPolicy, complete_rows
from rocstats.data.sampling_units import stratum_codes
from rocstats.data.score_shapes import adds_to_one
from rocstats.data.two_classes import check_pos_label, classes_left, sorts_last
from rocstats.data.verification import warn_if_concentrated, weigh_verified

__all__ = ["checked_fields", "given_arrays", "given_frame"]

_UNNAMED = ("score_1", "score_2"), ("column_0", "column_1")  # here, and by Polars


def checked_fields(
    given: Given, pos_label: Any, orientation: Orientation, nan_policy: NanPolicy
) -> dict[str, Any]:
    """Return the fields of the `ScoredSample` of what was given, once all of it is checked."""
    rows, repeated = gather_rows(given)
    outcome, markers = given.outcome, tuple(given.columns)
    missing = rows.missing if rows.missing is not None and rows.missing.any() else None
    kept, dropped = complete_rows(outcome, missing, markers, rows.scores, nan_policy)
    weightless = 0
    if rows.weights is not None and not rows.weights.all():
        counts = rows.weights > 0.0
        weightless = int(np.count_nonzero(~counts))
        kept = counts if kept is None else kept & counts
    if kept is not None:
        rows = rows.take(kept)
    check_pos_label(pos_label)
    weights, nuisance = rows.weights, None
    if rows.verified is not None and not rows.verified.all():
        everyone = None if rows.cluster is None else coded_ids(rows.cluster)[0]
        weights, nuisance = weigh_verified(rows.verified, rows.model, everyone, weights)
        kept = _both(kept, rows.verified)
        rows = rows.take(rows.verified)
    positive, neg_label = classes_left(rows.y, outcome, pos_label, dropped)
    if rows.subject is not None and rows.cluster is None:
        warn_of_repeats(rows.subject)
    codes, cluster_ids = (None, ()) if rows.cluster is None else coded_ids(rows.cluster)
    strata = None if rows.strata is None else stratum_codes(rows.strata, codes)
    if weights is not None and nuisance is None and (weights == weights[0]).all():
        weights = None
    if weights is not None:
        warn_if_concentrated(weights, positive)
    for array in (positive, rows.scores, rows.subject, kept, weights):
        if array is not None:
            array.setflags(write=False)
    scores, flags = rows.scores, read_orientation(orientation, markers)
    pos_label = rows.y.item(positive.argmax())
    if not given.named and adds_to_one(scores):
        row = _positive_row(
            markers, str(neg_label), str(pos_label), sorts_last(pos_label, neg_label)
        )
        if row is not None:
            scores, flags, markers = scores[[row]], flags[row : row + 1], (f"P({pos_label})",)
    return {
        "positive": positive,
        "scores": scores,
        "markers": markers,
        "higher_is_positive": flags,
        "pos_label": pos_label,
        "neg_label": neg_label,
        "subject": rows.subject,
        "cluster": codes,
        "cluster_ids": cluster_ids,
        "weights": weights,
        "strata": strata,
        "nuisance": nuisance,
        "covariates": rows.covariates,
        "weightless": weightless,
        "dropped": dropped,
        "kept": None if repeated else kept,
    }


def _both(kept: Bools | None, verified: Bools) -> Bools:
    """Return which rows of all are kept and verified."""
    if kept is None:
        return verified
    found = kept.copy()
    found[kept] = verified
    return found


def _positive_row(
    markers: tuple[str, ...], negative: str, positive: str, is_last: bool
) -> int | None:
    """Return which of a model's probabilities of both classes is that of the positive one.

    Columns are in the order of the sorted labels, as those of ``predict_proba``, unless their names
    are the labels, or end in them; None where they are two markers.
    """
    for row, name in enumerate(markers):
        alike = name.removesuffix(positive)
        if name.endswith(positive) and markers[1 - row] == f"{alike}{negative}":
            return row
    return int(is_last) if markers in _UNNAMED else None
