"""Sampling units: strata that were drawn from independently, and clusters within them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.columns import coded_ids, crossed_ids
from rocstats.errors import InvalidSampleError, named

__all__ = ["stratum_codes", "within_strata"]


def within_strata(cluster: NDArray[Any], strata: NDArray[Any]) -> NDArray[Any]:
    """Return clusters of one name in two strata as two: each is drawn within its stratum."""
    codes, pairs = crossed_ids([strata, cluster])
    ids = np.empty(len(pairs), dtype=object)
    ids[:] = pairs
    return ids[codes]


def stratum_codes(strata: NDArray[Any], cluster: NDArray[np.intp] | None) -> NDArray[np.intp]:
    """Return the codes of the strata; refuses one of a single unit, within which nothing varies."""
    stratum, ids = coded_ids(strata)
    units = stratum if cluster is None else np.unique(np.stack([stratum, cluster]), axis=1)[0]
    sizes = np.bincount(units, minlength=len(ids))
    if sizes.min() < 2:
        raise InvalidSampleError(
            f"The stratum {ids[int(sizes.argmin())]} has one "
            f"{'subject' if cluster is None else 'cluster'} only, so that its variance is not "
            f"known; merge it with another of {named('strata')}."
        )
    return stratum
