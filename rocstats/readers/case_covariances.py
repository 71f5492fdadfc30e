"""The covariance over cases of all readers' estimates, by one of four ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.engine.evaluation import value_of
from rocstats.errors import InvalidOptionError, check_option, keyword
from rocstats.readers.cell_influence import CellRows
from rocstats.readers.pair_sums import pair_sums, unbiased_covariance
from rocstats.readers.rates_at_threshold import RATES
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import as_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocstats.arrays import Bools, Floats

    Codes = NDArray[np.intp]

__all__ = ["COVARIANCES", "case_covariance"]

COVARIANCES = {
    "influence": "DeLong's structural components",
    "jackknife": "the jackknife over cases, as Dorfman, Berbaum and Metz have it",
    "unbiased": "unbiased U-statistics",
    "bootstrap": "the bootstrap over cases within their classes",
}


def case_covariance(rows: CellRows, name: str, resampling: Bootstrap) -> Floats:
    """Return the (C, C) covariance of the cells' estimates over cases, given the readers."""
    check_option("covariance", name, COVARIANCES)
    if name == "influence":
        return rows.joined().covariance()
    if rows.study.cluster is not None and name != "bootstrap":
        raise InvalidOptionError(
            f"{keyword('covariance', name)} takes cases as independent, which clusters are not; "
            f"take {keyword('covariance', 'influence')}."
        )
    if name == "jackknife":
        return _jackknife(rows)
    if name == "bootstrap":
        return _bootstrap(rows, resampling)
    if rows.measure.name in RATES:  # a mean over one class, whose covariance has no interaction
        return rows.joined().covariance()
    if not rows.measure.is_auc:
        raise InvalidOptionError(
            f"{keyword('covariance', 'unbiased')} is for the AUC, sensitivity and specificity, not "
            f"for {rows.measure.label}; take {keyword('covariance', 'influence')}."
        )
    return unbiased_covariance(pair_sums(rows), rows.estimate)


def _jackknife(rows: CellRows) -> Floats:
    """Return the covariance over all cases left out in turn; who did not read one stays the same.

    For a mean over pairs the change is the influence over the class size less one.
    """
    if not rows.measure.is_pair_mean:
        return _spread(_left_out(rows))
    sizes = rows.sizes[:, rows.study.positive.astype(np.intp)]
    if sizes.min() < 2.0:
        raise InvalidOptionError(
            "A reader has one case of a class only, which the jackknife cannot leave out; take "
            f"{keyword('covariance', 'bootstrap')}."
        )
    return _spread(-rows.values / (sizes - 1.0))


def _left_out(rows: CellRows) -> Floats:
    """Return the change of every estimate as each case is left out, by estimating it again."""
    study = rows.study
    sign = 1.0 if study.higher_is_positive else -1.0
    change = np.zeros(rows.values.shape)
    for c in range(rows.estimate.size):
        (there,) = np.nonzero(rows.read[c])
        scores = sign * study.ratings[rows.test[c], rows.reader[c], there]
        positive = study.positive[there]
        for place, case in enumerate(there.tolist()):
            value = value_of(rows.measure, np.delete(scores, place), np.delete(positive, place))
            change[c, case] = value - rows.estimate[c]
    return change


def _spread(change: Floats) -> Floats:
    size = change.shape[1]
    centred = change - change.mean(axis=1, keepdims=True)
    found: Floats = (size - 1.0) / size * (centred @ centred.T)
    return found


def _bootstrap(rows: CellRows, settings: Bootstrap) -> Floats:
    """Return the covariance over resamples of cases within their classes, or of clusters."""
    study = rows.study
    rng = np.random.default_rng(as_seed(settings.rng))
    sign = 1.0 if study.higher_is_positive else -1.0
    scores = sign * study.ratings[rows.test, rows.reader]
    values = np.full((settings.n_resamples, rows.estimate.size), np.nan)
    for b in range(settings.n_resamples):
        drawn = _draw(study.positive, study.cluster, rng)
        for c in range(rows.estimate.size):
            here = drawn[rows.read[c, drawn]]
            positive = study.positive[here]
            if positive.any() and not positive.all():
                values[b, c] = value_of(rows.measure, scores[c, here], positive)
    whole = values[~np.isnan(values).any(axis=1)]
    if whole.shape[0] < 2:
        raise InvalidOptionError("Hardly a resample has both classes for every reader.")
    return np.atleast_2d(np.cov(whole.T, ddof=1))


def _draw(positive: Bools, cluster: Codes | None, rng: np.random.Generator) -> Codes:
    if cluster is None:
        parts = [np.flatnonzero(side) for side in (~positive, positive)]
        return np.concatenate([rng.choice(part, part.size) for part in parts])
    order = np.argsort(cluster, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(cluster))])
    chosen = rng.integers(ends.size - 1, size=ends.size - 1)
    return np.concatenate([order[ends[k] : ends[k + 1]] for k in chosen.tolist()])
