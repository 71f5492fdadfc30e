"""How often a stream is called changed, and limits within sites: ``docs/evidence/monitoring.md``.

``python docs/evidence/monitoring.py``: simulated streams and sites; minutes.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.stats import norm

import rocstats as rs

N_STREAMS, N_STUDIES = 500, 2000  # of a row
LARGER = 4  # windows of the larger baseline
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


def streams(
    windows: int, size: int, area: float, last: float, baseline: int = 1
) -> tuple[float, float]:
    """Return how many streams are called changed, and how many in their last window."""
    rng = np.random.default_rng(20261118)
    any_, end = 0, 0
    for _ in range(N_STREAMS):
        batches = [drawn(rng, size, area) for _ in range(windows - 1)] + [drawn(rng, size, last)]
        found = rs.monitor(batches, pos_label=True, baseline=baseline)
        any_ += bool(found.changed)
        end += str(windows) in found.changed
    return any_ / N_STREAMS, end / N_STREAMS


def studies(sites: int, size: int, area: float) -> tuple[float, float, float]:
    """Return how often limits within sites hold (MOVER, Wald), and how often Q rejects at 5%."""
    rng = np.random.default_rng(20261119)
    mover = wald = rejects = 0
    for _ in range(N_STUDIES):
        made = [drawn(rng, size, area) for _ in range(sites)]
        found = rs.stratified_auc(rs.pool([rs.sketch(y, s, pos_label=True) for y, s in made]))
        mover += area in found.confidence_interval()
        wald += area in found.confidence_interval(method="wald")
        rejects += found.heterogeneity["p_value"] <= 0.05
    return mover / N_STUDIES, wald / N_STUDIES, rejects / N_STUDIES


def page() -> str:
    """Return the page."""
    errors = [math.sqrt(0.05 * 0.95 / n) for n in (N_STREAMS, N_STUDIES)]
    lines = [
        "# Windows of a stream, and sites: how often answers are wrong",
        "",
        f"Written by `python docs/evidence/monitoring.py` (rocstats {rs.__version__}): {N_STREAMS} "
        f"streams and {N_STUDIES:,} studies a row; scores are normal, {SHARE:.0%} are positive. "
        f"Monte-Carlo errors of 5% are {errors[0]:.4f} and {errors[1]:.4f}.",
        "",
        "## Streams called changed by `rs.monitor`, at 5%, Holm's adjustment",
        "",
        f"The first window is the baseline, in the last column the first {LARGER}; the AUC of the "
        f"last window falls by {FALL:g} in the last two columns.",
        "",
        "| windows | subjects in each | AUC | called changed, nothing has | the fall is found | "
        "with the larger baseline |",
        "|---|---|---|---|---|---|",
    ]
    wrongs = []
    for windows, size, area in STREAMS:
        wrong = streams(windows, size, area, area)[0]
        found, more = (
            streams(windows, size, area, area - FALL, baseline)[1] for baseline in (1, LARGER)
        )
        wrongs.append(wrong)
        lines.append(f"| {windows} | {size} | {area:g} | {wrong:.3f} | {found:.3f} | {more:.3f} |")
    lines += [
        "",
        f"Streams without a change are called changed {max(wrongs):.3f} of the time at most, where "
        "0.05 is allowed. A larger baseline has less error of its own and, where it is part "
        "of the stream, leaves fewer tests; both are in the last column.",
        "",
        "## The AUC within sites: 95% limits, and Cochran's Q where sites are alike",
        "",
        "| sites | subjects in each | AUC | default limits hold | Wald's hold | Q rejects at 5% |",
        "|---|---|---|---|---|---|",
    ]
    rejected = []
    for sites, size, area in SITES:
        mover, wald, rejects = studies(sites, size, area)
        rejected.append(rejects)
        lines.append(f"| {sites} | {size} | {area:g} | {mover:.3f} | {wald:.3f} | {rejects:.3f} |")
    lines += [
        "",
        f"Q rests on estimated variances, and rejects {min(rejected):.3f} to {max(rejected):.3f} "
        "of the time where sites are alike.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
