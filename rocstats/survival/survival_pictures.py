"""The drawings of the page of a survival study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocstats.survival.area_estimators import auc_at
from rocstats.survival.areas_in_time import Controls
from rocstats.survival.curves_in_time import roc_curve_at
from rocstats.survival.survival_sample import SurvivalSample

__all__ = ["survival_pictures"]


def survival_pictures(
    sample: SurvivalSample, times: Sequence[float], *, controls: Controls, confidence_level: float
) -> dict[str, str]:
    """Return as SVG text the curves at the last time and, of several times, the band."""
    from rocstats.plots.pictures import svg_text

    def curves(ax: Any) -> None:
        for marker in sample.markers:
            roc_curve_at(sample, times[-1], marker=marker, controls=controls).plot(ax)

    pictures = {"curves": svg_text(curves, size=(5.2, 5.2))}
    if len(times) > 1:
        band = auc_at(sample, times, controls=controls).band(confidence_level=confidence_level)
        pictures["band"] = svg_text(band.plot, size=(5.6, 4.2))
    return pictures
