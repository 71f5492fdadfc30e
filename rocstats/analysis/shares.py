"""Shares in tenths of a percent, for a page that works nothing out."""

from __future__ import annotations

import math

__all__ = ["tenths"]


def tenths(share: float) -> int | None:
    """Return a share in whole tenths of a percent; None where it is no number.

    A rounded share never claims more than is so: 1001 stands for "> 99.9%" and -1 for "< 0.1%".

    Examples
    --------
    >>> tenths(0.6097), tenths(0.9999), tenths(1.0), tenths(0.0001), tenths(0.0)
    (610, 1001, 1000, -1, 0)
    """
    if not math.isfinite(share):
        return None
    whole = round(1000.0 * share)
    if whole >= 1000 and share < 1.0:
        return 1001
    return -1 if whole <= 0 and share > 0.0 else whole
