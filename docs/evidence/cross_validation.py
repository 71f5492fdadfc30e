"""Coverage of cross-validated AUCs: ours beside R's cvAUC and mean +- SD of the folds.

Run with ``python docs/evidence/cross_validation.py``; it prints the tables of the page.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A design whose models are fitted: least squares on features, the first three of use."""

    n: int
    features: int = 5
    folds: int = 5
    repeats: int = 1
    rows: int = 1  # of a patient
    alike: float = 0.0  # correlation of the rows of a patient
    mixed: bool = False  # whether a patient has rows of both classes
    shift: float = 1.0
    share: float = 0.3


FITTED = {
    "100 subjects, 5 folds": Fitted(n=100),
    "100 subjects, 5 folds, 4 repeats": Fitted(n=100, repeats=4),
    "300 subjects, 10 folds, 4 repeats": Fitted(n=300, folds=10, repeats=4),
    "100 subjects, 30 features, 5 folds": Fitted(n=100, features=30),
    "100 subjects, 30 features, 5 folds, 4 repeats": Fitted(n=100, features=30, repeats=4),
    "50 patients of 3 rows, 5 folds": Fitted(n=150, rows=3, alike=0.5),
    "50 patients of 3 rows of both classes, 5 folds": Fitted(n=150, rows=3, alike=0.5, mixed=True),
    "100 patients of 3 rows, 10 folds": Fitted(n=300, rows=3, alike=0.5, folds=10),
    "50 patients of 3 rows, AUC .83, 5 folds": Fitted(n=150, rows=3, alike=0.5, shift=1.5),
    "50 patients of 3 rows, 5 folds, 4 repeats": Fitted(n=150, rows=3, alike=0.5, repeats=4),
}


def spread_out(rng, labels, folds):
    """Return stratified folds."""
    fold = np.empty(labels.size, dtype=int)
    for label in np.unique(labels):
        where = rng.permutation(np.flatnonzero(labels == label))
        fold[where] = np.arange(where.size) % folds
    return fold


def fit_and_estimate(rng, d):
    """Return the estimate, and the mean AUC that the fitted models have in the population."""
    useful = np.zeros(d.features)
    useful[:3] = d.shift / np.sqrt(3.0)
    who = np.repeat(np.arange(d.n // d.rows), d.rows)
    of = np.arange(d.n // d.rows) < round(d.share * (d.n // d.rows))
    y = rng.random(d.n) < d.share if d.mixed else of[who]
    own = rng.normal(size=(d.n // d.rows, d.features))[who]
    x = np.sqrt(1.0 - d.alike) * rng.normal(size=(d.n, d.features)) + np.sqrt(d.alike) * own
    x += y[:, None] * useful
    scores, folds, areas = [], [], []
    for _ in range(d.repeats):
        fold = spread_out(rng, np.zeros_like(of) if d.mixed else of, d.folds)[who]
        score = np.empty(d.n)
        for k in range(d.folds):
            test = fold == k
            design = np.column_stack([np.ones(np.count_nonzero(~test)), x[~test]])
            w = np.linalg.lstsq(design, y[~test], rcond=None)[0][1:]
            score[test] = x[test] @ w
            areas.append(norm.cdf(w @ useful / np.sqrt(2.0 * w @ w)))
        scores.append(score)
        folds.append(fold)
    given = {"folds": np.concatenate(folds)}
    if d.repeats > 1:
        given["repeats"] = np.repeat(np.arange(d.repeats), d.n)
        given["subject"] = np.tile(np.arange(d.n), d.repeats)
    if d.rows > 1:
        given["cluster"] = np.tile(who, d.repeats)
    labels = np.tile(y, d.repeats).astype(int)
    return rs.cv_auc(labels, np.concatenate(scores), **given), float(np.mean(areas))


def fitted_row(design, runs, seed=1):
    """Return scatter, standard error, and coverage by the default and by the standard error."""
    rng = np.random.default_rng(seed)
    values, truths, errors, default, plain = [], [], [], [], []
    while len(values) < runs:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocstatsWarning)
            try:
                found, truth = fit_and_estimate(rng, design)
            except rs.SingleClassError:
                continue
            default.append(found.confidence_interval())
            plain.append(found.confidence_interval(method="logit_t"))
            errors.append(found.std_error)
        values.append(found.value)
        truths.append(truth)
    mean = float(np.mean(truths))
    held = [np.mean([a in c for a, c in zip(truths, got, strict=True)]) for got in (default, plain)]
    return {
        "auc": mean,
        "sd": float(np.std(np.subtract(values, truths))),
        "se": float(np.mean(errors)),
        "default": float(held[0]),
        "plain": float(held[1]),
        "learner": float(np.mean([mean in c for c in default])),
    }


if __name__ == "__main__":
    for title, design in DESIGNS.items():
        print(row(title, *design), flush=True)
    for title, design in FITTED.items():
        found = fitted_row(design, 400)
        cells = " | ".join(f"{found[k]:.4f}" for k in ("sd", "se"))
        cover = " | ".join(f"{found[k]:.3f}" for k in ("default", "plain", "learner"))
        print(f"| {title} | {found['auc']:.3f} | {cells} | {cover} |", flush=True)
