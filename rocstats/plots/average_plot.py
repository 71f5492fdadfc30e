"""Drawing of an average ROC curve with its intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.arrays import Floats
from rocstats.plots.plane import draw_plane, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_average"]

_MOST_BARS = 25  # more bars than this are drawn as a band, or thinned

Limits = tuple[Floats, Floats, Floats]  # the means and their lower and upper limits


def draw_average(
    path_fpr: Floats, path_tpr: Floats, label: str, ax: Axes | None, *, fpr: Limits, tpr: Limits
) -> Axes:
    """Draw the path of an average curve, with bars or a band for limits within [0, 1].

    A few points have bars, across too where the false positive rate varies. Many points have a
    band where it is fixed, and bars at some of them where it varies.
    """
    ax = draw_plane(path_fpr, path_tpr, label, ax)
    colour = ax.lines[-1].get_color()
    varies = bool(np.isfinite(fpr[1]).any())
    x, left, right = (np.clip(v, 0.0, 1.0) for v in fpr)
    y, low, high = (np.clip(v, 0.0, 1.0) for v in tpr)
    if x.size > _MOST_BARS and not varies:
        keep = thin(x, y)
        low, high = (np.where(np.isnan(v), y, v)[keep] for v in (low, high))
        ax.fill_between(x[keep], low, high, color=colour, alpha=0.2, linewidth=0.0, zorder=1)
        return ax
    step = np.linspace(0, x.size - 1, min(x.size, _MOST_BARS)).astype(np.intp)
    bars = [ax.vlines(x[step], low[step], high[step])]
    if varies:
        bars.append(ax.hlines(y[step], left[step], right[step]))
    for lines in bars:
        lines.set(color=colour, linewidth=1.0, alpha=0.8, zorder=1)
    return ax
