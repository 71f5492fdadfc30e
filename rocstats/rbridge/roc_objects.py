"""Data both ways: a `ScoredSample` as pROC's ``roc`` object, and the object as a sample."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.data.sample import Dropped, ScoredSample
from rocstats.errors import (
    InvalidOptionError,
    NotPairedError,
    RBridgeError,
    RWarning,
    keyword,
    warn_user,
)
from rocstats.rbridge.proc_calls import check_independent, curve_of
from rocstats.rbridge.session import evaluate, evaluate_object

__all__ = ["from_r", "to_r"]

_TO_R = """
curves <- lapply(markers, function(m)
  roc(response, m$x, levels = levels, direction = m$direction, quiet = TRUE, auc = TRUE))
if (one) curves[[1]] else curves
"""

# What a roc object holds, and what it lost on the way; NULL for anything else.
_FROM_R = """
if (is.character(object) && !is.object(object)) object <- readRDS(object)
held <- if (inherits(object, "roc")) list(score = object) else object
is_curve <- function(r) inherits(r, "roc") && !inherits(r, "smooth.roc") && !is.null(r$predictor)
if (!is.list(held) || inherits(held, "smooth.roc") || !length(held) ||
    !all(vapply(held, is_curve, NA))) class(object) else {
  first <- held[[1]]
  same <- function(r) identical(as.character(r$response), as.character(first$response)) &&
    identical(as.character(r$levels), as.character(first$levels))
  levels <- as.character(first$levels)
  response <- first$original.response
  read <- if (is.numeric(response)) as.numeric else
    if (is.logical(response)) as.logical else identity
  no_score <- lapply(held, function(r) is.na(r$original.predictor))
  list(
    markers = as.list(if (is.null(names(held))) paste0("score_", seq_along(held)) else names(held)),
    same = all(vapply(held, same, NA)),
    labels = as.list(read(levels)),
    positive = as.character(first$response) == levels[2],
    scores = unname(lapply(held, function(r) as.numeric(r$predictor))),
    up = unname(lapply(held, function(r) r$direction == "<")),
    no_label = sum(is.na(response)),
    no_score = unname(lapply(no_score, sum)),
    dropped = sum(Reduce(`|`, no_score, is.na(response))),
    others = sum(!is.na(response) & !(as.character(response) %in% levels))
  )
}
"""


def to_r(sample: ScoredSample, *, marker: str | None = None) -> Any:
    """Return pROC's ``roc`` object of a marker, or of several a named list of them.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker; by default the only one, or all of them.

    Returns
    -------
    rpy2 object
        A ``roc`` object, or a named list of them. Use and drop it in one thread.

    See Also
    --------
    from_r : The data in pROC's object.
    evaluate_object : Run R code; an rpy2 object comes back.

    Notes
    -----
    R: ``pROC::roc(response, predictor, levels = c(negative, positive), direction = , quiet =
    TRUE)``. Numbers, bools and strings stay what they are as labels, any other label goes as its
    text. Subject ids have no place in R's object; clusters are refused, as pROC would take their
    subjects as independent.

    Examples
    --------
    >>> from rocstats import datasets, rbridge
    >>> curve = rbridge.to_r(datasets.load_fawcett())  # doctest: +SKIP
    >>> rbridge.evaluate("as.numeric(auc(curve))", {"curve": curve})  # doctest: +SKIP
    0.68
    """
    check_independent(sample)
    names = sample.markers if marker is None else (sample.markers[sample.marker(marker)],)
    labels = [_label(sample.neg_label), _label(sample.pos_label)]
    return evaluate_object(
        _TO_R,
        {
            "response": np.array(labels)[sample.positive.astype(np.intp)],
            "levels": labels,
            "markers": {name: curve_of(sample, name) for name in names},
            "one": len(names) == 1,
        },
    )


def from_r(roc: Any, *, marker: str | None = None) -> ScoredSample:
    """Return the data in pROC's ``roc`` object as a `ScoredSample`.

    Parameters
    ----------
    roc : rpy2 object, str or path
        A ``roc`` object, the path of a file of R's ``saveRDS``, or a list of such objects in R on
        the same subjects (what ``roc(outcome ~ a + b, data)`` gives).
    marker : str, optional
        Name of the marker where there is one; "score" by default.

    Returns
    -------
    ScoredSample
        The data, with pROC's classes and direction.

    See Also
    --------
    to_r : A pROC object of the data.
    rocstats.ScoredSample : Subjects with a true class and scores.

    Notes
    -----
    Classes and direction are those of the object, also where pROC guessed them. Subjects that pROC
    dropped for a missing value are counted in ``dropped``; a warning tells of subjects of a third
    class. A smoothed curve has no data and is refused.

    Examples
    --------
    >>> from rocstats import rbridge
    >>> code = "roc(c(0, 0, 1, 1), c(1, 2, 2, 3), quiet = TRUE)"
    >>> made = rbridge.evaluate_object(code)  # doctest: +SKIP
    >>> rbridge.from_r(made)  # doctest: +SKIP
    ScoredSample: 2 positives (1), 2 negatives (0); markers score; no subject dropped
    """
    given = roc
    if isinstance(roc, (str, os.PathLike)):
        given = str(roc)
        if not Path(given).is_file():
            raise RBridgeError(f"There is no file {given}; give one that R's saveRDS wrote.")
    found = evaluate(_FROM_R, {"object": given})
    if not isinstance(found, dict):
        kind = found if isinstance(found, str) else "/".join(found)
        raise RBridgeError(
            f"A roc object of pROC with its data is needed, got an R object of class {kind}."
        )
    if not found["same"]:
        raise NotPairedError(
            "The roc objects are not of the same subjects; turn them into samples one by one."
        )
    names = found["markers"]
    if marker is not None:
        if len(names) > 1:
            raise InvalidOptionError(
                f"{keyword('marker')} names one curve, but the object holds several."
            )
        names = [marker]
    negative, positive = (_label(label) for label in found["labels"])
    if found["others"]:
        warn_user(
            f"{found['others']:.0f} subjects of other classes than {negative!r} and {positive!r} "
            "are left out, as pROC did.",
            RWarning,
        )
    y = np.array([negative, positive])[np.array(found["positive"], dtype=np.intp)]
    sample = ScoredSample.from_arrays(
        y,
        dict(zip(names, found["scores"], strict=True)),
        pos_label=positive,
        higher_is_positive=dict(zip(names, found["up"], strict=True)),
    )
    missing = [("response", found["no_label"]), *zip(names, found["no_score"], strict=True)]
    counts = tuple((name, int(count)) for name, count in missing if count)
    return replace(sample, dropped=Dropped(n=int(found["dropped"]), missing=counts))


def _label(label: Any) -> Any:
    """A label as it can cross: numbers without a fraction are integers."""
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label if isinstance(label, (bool, int, float, str)) else str(label)
