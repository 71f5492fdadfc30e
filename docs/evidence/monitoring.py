"""How often a stream is called changed, and limits within sites: ``docs/evidence/monitoring.md``.

``python docs/evidence/monitoring.py``: simulated streams and sites; minutes.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.stats import norm

import rocstats as rs

N = 100  # streams, and studies, of a row
STREAMS = ((5, 100, 0.8), (5, 400, 0.8), (12, 200, 0.8), (12, 200, 0.95))  # windows, size, AUC
SITES = ((3, 60, 0.8), (3, 200, 0.8), (8, 100, 0.8), (3, 60, 0.97))
SHARE = 0.3  # of positives
FALL = 0.1  # by how much the AUC of the last window falls


def gain(area: float) -> float:
    """Return how far apart two normal classes with this AUC are."""
    return math.sqrt(2.0) * float(norm.ppf(area))


def drawn(rng: np.random.Generator, size: int, area: float) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and scores."""
    y = rng.random(size) < SHARE
    return y, rng.normal(size=size) + gain(area) * y


def streams(windows: int, size: int, area: float, last: float) -> tuple[float, float]:
    """Return how many streams are called changed, and how many in their last window."""
    rng = np.random.default_rng(20261118)
    any_, end = 0, 0
    for _ in range(N):
        batches = [drawn(rng, size, area) for _ in range(windows - 1)] + [drawn(rng, size, last)]
        found = rs.monitor(batches, pos_label=True)
        any_ += bool(found.changed)
        end += str(windows) in found.changed
    return any_ / N, end / N


def studies(sites: int, size: int, area: float) -> tuple[float, float, float]:
    """Return how often limits within sites hold (MOVER, Wald), and how often Q rejects at 5%."""
    rng = np.random.default_rng(20261119)
    mover = wald = rejects = 0
    for _ in range(N):
        made = [drawn(rng, size, area) for _ in range(sites)]
        found = rs.stratified_auc(rs.pool([rs.sketch(y, s, pos_label=True) for y, s in made]))
        mover += area in found.confidence_interval()
        wald += area in found.confidence_interval(method="wald")
        rejects += found.heterogeneity["p_value"] <= 0.05
    return mover / N, wald / N, rejects / N


def page() -> str:
    """Return the page."""
    error = math.sqrt(0.05 * 0.95 / N)
    lines = [
        "# Windows of a stream, and sites: how often answers are wrong",
        "",
        f"Written by `python docs/evidence/monitoring.py` (rocstats {rs.__version__}): {N} "
        "streams, and studies, a row; scores are normal, "
        f"{SHARE:.0%} are positive. Monte-Carlo error of 5% is {error:.4f}.",
        "",
        "## Streams called changed by `rs.monitor`, at 5%, Holm's adjustment",
        "",
        f"The first window is the baseline; the last falls by {FALL:g} in the last column.",
        "",
        "| windows | subjects in each | AUC | called changed, nothing has | the fall is found |",
        "|---|---|---|---|---|",
    ]
    for windows, size, area in STREAMS:
        wrong, found = (
            streams(windows, size, area, area)[0],
            streams(windows, size, area, area - FALL)[1],
        )
        lines.append(f"| {windows} | {size} | {area:g} | {wrong:.3f} | {found:.3f} |")
    lines += [
        "",
        "Where tests share a baseline, Holm's method errs on the safe side. A larger baseline "
        "(`baseline=4`, or the sketch of a study) finds more.",
        "",
        "## The AUC within sites: 95% limits, and Cochran's Q where sites are alike",
        "",
        "| sites | subjects in each | AUC | default limits hold | Wald's hold | Q rejects at 5% |",
        "|---|---|---|---|---|---|",
    ]
    for sites, size, area in SITES:
        mover, wald, rejects = studies(sites, size, area)
        lines.append(f"| {sites} | {size} | {area:g} | {mover:.3f} | {wald:.3f} | {rejects:.3f} |")
    lines += [
        "",
        "Q rests on estimated variances: read it as a hint where sites are small, or AUCs near 1.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
