"""Klement et al. (2011): what is wrong in print whatever the data, and where Eq. 1 leads."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocstats as rs
from rocstats.papers.klement_2011.klement_printed import SETS
from rocstats.papers.klement_2011.pooled_runs import smooth_areas
from rocstats.papers.paper import Claim
from rocstats.papers.streams import stream

__all__ = ["artefact", "counts", "equations", "midpoints"]

Rows = list[dict[str, Any]]


def counts() -> Claim:
    """Return whether the counts of Table 1 add up."""
    wrong = [
        f"{label}: {n} instances, but {pos} + {neg} = {pos + neg}"
        for label, (_, n, pos, neg, _, _) in SETS.items()
        if pos + neg != n
    ]
    return Claim(
        text="Table 1: instances, positives and negatives of 26 sets",
        printed="26 rows",
        found="; ".join(wrong),
        verdict="misprint" if wrong else "reproduced",
        why="The counts must add up. Echocardiogram has one row without a class; census income has "
        "32,561 rows.",
    )


def equations() -> list[Claim]:
    """Return the misprints in Eqs 1 and 6, on the smallest examples that show them."""
    y, scores = np.array([1, 1, 0, 0]), np.array([1.0, 0.0, 1.0, 0.0])
    theta = np.where((scores >= 0.5) == (y == 1), scores, 1.0 - scores)
    before = scores[:, None] > scores
    half = scores[:, None] == scores
    products = {
        "as printed": theta[:, None] * (1.0 - theta[:, None]),
        "with x_j": theta[:, None] * (1.0 - theta),
    }
    scale = theta.sum() * (1.0 - theta).sum()
    areas = {name: float((p * (before + 0.5 * half)).sum() / scale) for name, p in products.items()}
    area = rs.auc(y, scores).value
    pos, neg = 0.8, 0.3  # mean scores of one positive and three negatives
    total = (pos + 3 * neg) / 2
    return [
        Claim(
            text="Eq. 6: Psi is 1 - Theta(x_i), and zero for ties of different instances",
            printed=f"smAUC {areas['as printed']:g} for two positives and two negatives with "
            "scores 1, 0, 1, 0",
            found=f"smAUC {areas['with x_j']:g} with 1 - Theta(x_j) and one half for ties; the AUC "
            f"is {area:g}",
            verdict="misprint",
            why="Theta (1 - Theta) vanishes for every score of 0 or 1, so smAUC as printed is 0 "
            "for all such scores, where the paper says that it reduces to the AUC.",
        ),
        Claim(
            text="Eq. 1: c = n+/n and (m+ + m-/c) / 2 = sum(S) / (2 n+)",
            printed=f"{(pos + neg / (1 / 4)) / 2:.3g} for one positive (0.8) and three negatives "
            "(0.3)",
            found=f"sum(S) / (2 n+) = {total:.3g}, which needs c = n+/n-",
            verdict="misprint",
            why="sum(S) = n+ m+ + n- m-; divided by 2 n+ it is (m+ + m- n-/n+) / 2.",
        ),
    ]


def midpoints(seed: int) -> Rows:
    """Return smAUC of the same score model at falling prevalence."""
    rng = np.random.default_rng(stream(seed, "klement-2011", "midpoints"))
    size, shift = 40_000, 1.19
    rows: Rows = []
    for prevalence in (0.5, 0.2, 0.06, 0.03):
        y = np.arange(size) < prevalence * size
        z = rng.normal(size=size) + shift * y
        scores = 1.0 / (1.0 + np.exp(-6.0 * (z - 0.6)))
        rows.append({"prevalence": prevalence, **smooth_areas(y, scores)})
    return rows


def artefact(rows: Rows) -> Claim:
    """Return whether the midpoint of Eq. 1 tells high scores from low ones."""
    first, last = rows[0], rows[-1]
    rises = last["smauc"] - first["smauc"] > 0.05 and abs(last["auc"] - first["auc"]) < 0.03
    return Claim(
        text="Section 3: Eq. 1 estimates a midpoint that tells high scores from low ones",
        printed="a midpoint between the average positive and negative scores",
        found=f"with 3% positives it is {last['midpoint']:.2f}, beyond every score, and smAUC "
        f"rises from {first['smauc']:.3f} to {last['smauc']:.3f} while the AUC stays at "
        f"{last['auc']:.3f}",
        verdict="not reproduced" if rises else "reproduced",
        why="sum(S) / (2 n+) = (m+ + m- n-/n+) / 2 is halfway between the class means only if n+ = "
        "n- or m- = 0; where positives are rare it exceeds 1 and smAUC rises with the midpoint. "
        "Not reproduced means that smAUC rises by more than 0.05 and the AUC moves by less than "
        "0.03.",
    )
