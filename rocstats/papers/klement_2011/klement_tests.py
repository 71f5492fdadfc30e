"""Klement et al. (2011), section 5: what is said to be significant by the paired t-test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.papers.klement_2011.klement_printed import SETS
from rocstats.papers.paper import Claim, too_few, verdict_of
from rocstats.tables import show_p

__all__ = ["significant"]

Rows = list[dict[str, Any]]


def significant(areas: Rows, gaps: Rows, n_sets: int, *, fewest: int) -> list[Claim]:
    """Return the two statements that the paper's conclusion calls significant.

    Parameters
    ----------
    areas, gaps : means and standard deviations over runs: of each method, and of their difference
    n_sets, fewest : of the paper's sets, those at hand and those that a verdict needs
    """
    spreads = {m: [r for r in areas if r["method"] == m] for m in ("PET", "NB")} | {
        "NB - PET": gaps
    }
    less = {
        name: _t_test([r["smauc_sd"] for r in rows], [r["auc_sd"] for r in rows])
        for name, rows in spreads.items()
    }
    larger = _t_test([abs(r["smauc_mean"]) for r in gaps], [abs(r["auc_mean"]) for r in gaps])
    at_half = _t_test(
        [abs(r["smauc_at_half_mean"]) for r in gaps], [abs(r["auc_mean"]) for r in gaps]
    )
    decided = n_sets >= fewest
    wanting = too_few(n_sets, of=len(SETS), fewest=fewest)
    return [
        Claim(
            text="Section 5: smAUC measures performance with less variation than AUC, "
            "significantly by the paired t-test",
            printed="significant; the tests are left out",
            found="standard deviation over runs, smAUC less AUC: "
            + ", ".join(f"{name} {gap:+.4f} (p {show_p(p)})" for name, (gap, p) in less.items()),
            verdict=verdict_of(
                all(gap < 0.0 and p <= 0.05 for gap, p in less.values()), decided=decided
            ),
            why="Two-sided paired t-tests over sets; reproduced means p <= .05 and smAUC lower for "
            "all three. Standard deviations on two scales are compared as the paper does."
            if decided
            else wanting,
        ),
        Claim(
            text="Section 5: smAUC detects differences more consistently than AUC, significantly "
            "by the paired t-test",
            printed="significant; the tests are left out",
            found=f"absolute mean difference of NB and PET, smAUC less AUC: {larger[0]:+.4f} (p "
            f"{show_p(larger[1])}); about the midpoint 0.5 {at_half[0]:+.4f} (p "
            f"{show_p(at_half[1])})",
            verdict=verdict_of(larger[0] > 0.0 and larger[1] <= 0.05, decided=decided),
            why="Two-sided paired t-test over sets; reproduced means p <= .05 and larger by smAUC."
            if decided
            else wanting,
        ),
    ]


def _t_test(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return the mean difference and the p-value of the paired t-test."""
    from scipy.stats import ttest_rel

    gap = np.subtract(first, second)
    return float(gap.mean()), float(ttest_rel(first, second).pvalue)
