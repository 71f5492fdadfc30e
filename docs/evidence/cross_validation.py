"""Coverage of cross-validated AUCs: ours beside R's cvAUC and mean +- SD of the folds.

Run with ``python docs/evidence/cross_validation.py``; it writes the table of the page.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm, t

import rocstats as rs

RUNS = 1000
# Name: sizes of the folds, share of positives, distance of the classes.
DESIGNS = {
    "10 folds of 50": ((50,) * 10, 0.3, 1.0),
    "10 folds of 20": ((20,) * 10, 0.5, 1.0),
    "5 folds of 20": ((20,) * 5, 0.3, 1.5),
    "200, 125, 75, 50, 50": ((200, 125, 75, 50, 50), 0.2, 1.0),
}


def draw(rng, sizes, share, shift):
    """Return labels, scores and folds; every fold's model has its own scale, and none is better."""
    fold = np.repeat(np.arange(len(sizes)), sizes)
    y = np.concatenate([np.arange(n) < round(share * n) for n in sizes]).astype(int)
    scale = rng.uniform(0.5, 2.0, len(sizes))[fold]
    scores = scale * (rng.normal(size=y.size) + shift * y) + rng.normal(size=len(sizes))[fold]
    return y, scores, fold


def row(name, sizes, share, shift):
    """Return the line of one design."""
    rng, truth = np.random.default_rng(1), norm.cdf(shift / np.sqrt(2.0))
    values, errors, hits = [], [], np.zeros(3)
    for _ in range(RUNS):
        y, scores, fold = draw(rng, sizes, share, shift)
        ours = rs.cv_auc(y, scores, folds=fold)
        ledell = rs.cv_auc(y, scores, folds=fold, variance="ledell")
        areas = [part.estimate for part in ours.homogeneity.strata]
        reach = t.ppf(0.975, len(areas) - 1) * np.std(areas, ddof=1)
        hits += [
            truth in ours.confidence_interval(),
            truth in ledell.confidence_interval(method="wald"),
            abs(np.mean(areas) - truth) <= reach,
        ]
        values.append(ours.value)
        errors.append((ours.std_error, ledell.std_error))
    mean = np.mean(errors, axis=0)
    cover = " | ".join(f"{hit / RUNS:.3f}" for hit in hits)
    return f"| {name} | {np.std(values):.4f} | {mean[0]:.4f} | {mean[1]:.4f} | {cover} |"


if __name__ == "__main__":
    for title, design in DESIGNS.items():
        print(row(title, *design), flush=True)
