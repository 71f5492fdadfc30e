"""Calibration study: do standard errors and 95% intervals keep their promise?

Run ``python docs/evidence/calibration.py`` to write ``docs/evidence/calibration.md``;
``tests/test_calibration.py`` runs the same study at a reduced size. Models and sizes are those of
STATISTICS.md section 11.1.
"""

from __future__ import annotations

import math
import platform
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
from scipy import stats
from scipy.special import expit, logit

import rocstats as rs

SEED = 20250611
REPLICATES = 2000
SIZES = ((20, 20), (50, 50), (30, 150), (200, 200))
CONFIDENCE_LEVEL = 0.95
CELLS = 40_000  # cells of the integration grid; see `TRUTH_ERROR`
TRUTH_ERROR = 1e-6  # halving the grid moves no true value by more; the least SD here is 0.01

Estimators = Mapping[str, Callable[[rs.ScoredSample], rs.Estimate]]
MEASURES: Estimators = {
    "AUC": rs.auc,
    "sAUC": rs.sauc,
    "smAUC, midpoint 0.5": rs.smauc,
    'smAUC, "class_mean"': lambda sample: rs.smauc(sample, midpoint="class_mean"),
}


# ------------------------------------------------------------------------------------ score models


@dataclass(frozen=True, kw_only=True)
class Model:
    """Score distributions of the two classes: how to draw `k` scores, and the cdf at `s`.

    Both take the odds m / n of the classes, on which a calibrated score depends; `atoms` are the
    scores of positive probability.
    """

    title: str
    draw: Callable[[np.random.Generator, int, bool, float], np.ndarray]
    cdf: Callable[[np.ndarray, bool, float], np.ndarray]
    atoms: tuple[float, ...] = ()


def beta_model(pos: tuple[float, float], neg: tuple[float, float]) -> Model:
    """Return beta distributed scores."""
    return Model(
        title=f"Beta{pos} / Beta{neg}",
        draw=lambda rng, k, positive, odds: rng.beta(*(pos if positive else neg), size=k),
        cdf=lambda s, positive, odds: stats.beta.cdf(s, *(pos if positive else neg)),
    )


def _clipped_normal() -> Model:
    def cdf(s: np.ndarray, positive: bool, odds: float) -> np.ndarray:
        inside = stats.norm.cdf(s, 0.6 if positive else 0.4, 0.3)
        return np.where(s < 0.0, 0.0, np.where(s >= 1.0, 1.0, inside))

    return Model(
        title="N(.6, .3) / N(.4, .3) clipped to [0, 1]",
        draw=lambda rng, k, positive, odds: np.clip(
            rng.normal(0.6 if positive else 0.4, 0.3, size=k), 0.0, 1.0
        ),
        cdf=cdf,
        atoms=(0.0, 1.0),
    )


def _rounded_beta() -> Model:
    grid = tuple(k / 5.0 for k in range(6))

    def cdf(s: np.ndarray, positive: bool, odds: float) -> np.ndarray:
        passed = np.searchsorted(grid, s, side="right")  # grid points not above s
        return stats.beta.cdf((passed - 0.5) / 5.0, *((3, 2) if positive else (2, 3)))

    return Model(
        title="Beta(3, 2) / Beta(2, 3) rounded to 0, .2, ..., 1 (ties)",
        draw=lambda rng, k, positive, odds: (
            np.round(5.0 * rng.beta(*((3, 2) if positive else (2, 3)), size=k)) / 5.0
        ),
        cdf=cdf,
        atoms=grid,
    )


def _logit_normal(title: str, slope: float, *, calibrated: bool) -> Model:
    def shift(odds: float) -> float:
        return math.log(odds) if calibrated else 0.0

    def cdf(s: np.ndarray, positive: bool, odds: float) -> np.ndarray:
        latent = (logit(np.maximum(s, 0.0)) - shift(odds)) / slope + 0.5
        return stats.norm.cdf(latent, 1.0 if positive else 0.0)

    return Model(
        title=title,
        draw=lambda rng, k, positive, odds: expit(
            slope * (rng.normal(1.0 if positive else 0.0, size=k) - 0.5) + shift(odds)
        ),
        cdf=cdf,
    )


MODELS: dict[str, Model] = {
    "beta_sym": beta_model((4, 2), (2, 4)),
    "beta_asym": beta_model((2, 2), (1, 5)),
    "clipnorm": _clipped_normal(),
    "discrete6": _rounded_beta(),
    "calib_binorm": _logit_normal(
        "expit(z - .5 + log(m/n)), z ~ N(1, 1) / N(0, 1)", 1.0, calibrated=True
    ),
    "overconf": _logit_normal("expit(3 (z - .5)), z ~ N(1, 1) / N(0, 1)", 3.0, calibrated=False),
}


# ------------------------------------------------------------------------------------- true values


def true_values(model: Model, m: int, n: int, cells: int = CELLS) -> dict[str, float]:
    """Return the measures of the score distributions themselves, by integration over a grid.

    smAUC depends on the class ratio: its true value is that of a population with the sample's.
    """
    score, pos, neg = _masses(model, m / n, cells)
    midpoint = 0.5 * float(pos @ score + neg @ score)
    auc, sauc = _pair_means(score, pos, neg)
    fixed = _smooth_area(*_masses(model, m / n, cells, 0.5), m, n, 0.5)
    moving = _smooth_area(*_masses(model, m / n, cells, midpoint), m, n, midpoint)
    return dict(zip(MEASURES, (auc, sauc, fixed, moving), strict=True))


def _masses(
    model: Model, odds: float, cells: int, *cuts: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points of [0, 1] with the probability of each class at them; cells end at cuts."""
    atoms = np.array(model.atoms)
    edges = np.unique(np.concatenate([np.linspace(0.0, 1.0, cells + 1), atoms, cuts]))
    score = np.concatenate([0.5 * (edges[1:] + edges[:-1]), atoms])
    order = np.argsort(score)

    def mass(positive: bool) -> np.ndarray:
        before = model.cdf(np.nextafter(edges, -1.0), positive, odds)
        upto = model.cdf(edges, positive, odds)
        at = np.searchsorted(edges, atoms)
        return np.concatenate([before[1:] - upto[:-1], (upto - before)[at]])[order]

    return score[order], mass(True), mass(False)


def _pair_means(score: np.ndarray, pos: np.ndarray, neg: np.ndarray) -> tuple[float, float]:
    auc = float(pos @ (np.cumsum(neg) - 0.5 * neg))
    sauc = float(np.diff(score) @ (np.cumsum(neg)[:-1] * (1.0 - np.cumsum(pos)[:-1])))
    return auc, sauc


def _smooth_area(
    score: np.ndarray, pos: np.ndarray, neg: np.ndarray, m: int, n: int, midpoint: float
) -> float:
    fit = np.where(score >= midpoint, score, 1.0 - score)
    up = m * pos * fit + n * neg * (1.0 - fit)
    right = m * pos * (1.0 - fit) + n * neg * fit
    return float(up @ (np.cumsum(right) - 0.5 * right)) / float(up.sum() * right.sum())


# --------------------------------------------------------------------------------------- the study


class Cell(NamedTuple):
    """What one measure did on one model at one size."""

    model: str
    m: int
    n: int
    measure: str
    truth: float
    bias: float  # mean estimate less truth, in standard deviations
    ratio: float  # mean standard error / standard deviation of the estimates
    ratio_error: float  # its Monte-Carlo standard error
    coverage: float  # of the default interval
    coverage_error: float  # Monte-Carlo standard error, were the coverage nominal


def simulate(name: str, m: int, n: int, replicates: int) -> list[Cell]:
    """Run one model at one size."""
    model, seed = MODELS[name], np.random.SeedSequence([SEED, list(MODELS).index(name), m, n])
    truth = true_values(model, m, n)
    return [
        judge(name, m, n, measure, truth[measure], *rows)
        for measure, rows in draw_estimates(model, m, n, replicates, seed).items()
    ]


def draw_estimates(
    model: Model,
    m: int,
    n: int,
    replicates: int,
    seed: np.random.SeedSequence,
    measures: Estimators = MEASURES,
) -> dict[str, np.ndarray]:
    """Return, by measure, four rows of replicates: estimate, standard error and both limits."""
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], [m, n])
    found = {measure: np.empty((4, replicates)) for measure in measures}
    with warnings.catch_warnings():  # a perfect sample has standard error 0, and says so
        warnings.simplefilter("ignore", rs.DegenerateVarianceWarning)
        for i in range(replicates):
            score = [model.draw(rng, m, True, m / n), model.draw(rng, n, False, m / n)]
            sample = rs.ScoredSample.from_arrays(label, np.concatenate(score))
            for measure, estimator in measures.items():
                e = estimator(sample)
                limits = e.confidence_interval(confidence_level=CONFIDENCE_LEVEL)
                found[measure][:, i] = e.value, e.std_error, limits.low, limits.high
    return found


def judge(
    name: str,
    m: int,
    n: int,
    measure: str,
    truth: float,
    value: np.ndarray,
    std_error: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> Cell:
    """Compare the replicates of one measure with the truth and with their own scatter."""
    size, spread = value.size, float(value.std(ddof=1))
    ratio = float(std_error.mean()) / spread
    # A replicate's influence on log(ratio): through the mean standard error and through the SD.
    pull = std_error / std_error.mean() - 0.5 * ((value - value.mean()) / spread) ** 2
    return Cell(
        model=name,
        m=m,
        n=n,
        measure=measure,
        truth=truth,
        bias=(float(value.mean()) - truth) / spread,
        ratio=ratio,
        ratio_error=ratio * float(pull.std(ddof=1)) / math.sqrt(size),
        coverage=float(np.mean((low <= truth) & (truth <= high))),
        coverage_error=math.sqrt(CONFIDENCE_LEVEL * (1.0 - CONFIDENCE_LEVEL) / size),
    )


# ---------------------------------------------------------------------------------------- the page


def page(cells: list[Cell], replicates: int) -> str:
    """Return the study as Markdown."""
    lines = [
        "# Calibration",
        "",
        "Generated by `docs/evidence/calibration.py` "
        f"(seed {SEED}, {replicates} replicates a cell) with "
        f"rocstats {rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit.",
        "",
        "Each cell draws m positives and n negatives from known score distributions, many times,",
        "and asks two questions. Is the standard error as large as the estimates really scatter",
        "(mean SE / SD of the estimates; 1 is right)? How often does the default 95% interval",
        '(`method="auto"`) hold the true value? In brackets: the Monte-Carlo standard error, in',
        "units of the last digit. True values come from integrating the distributions",
        f"(error below {TRUTH_ERROR:g}); for smAUC they are those of a population with the",
        "sample's class ratio. Of so many cells, some deviate by two or three Monte-Carlo standard",
        "errors by chance; the measures share their samples, so they do so together.",
        "",
        "Positives / negatives:",
        "",
        *(f"* `{name}`: {model.title}" for name, model in MODELS.items()),
    ]
    for measure in MEASURES:
        mine = [cell for cell in cells if cell.measure == measure]
        lines += ["", f"## {measure}", "", *_table(mine)]
    return "\n".join([*lines, "", *_summary(cells), ""])


def _table(cells: list[Cell]) -> list[str]:
    sizes = [f"{m}, {n}" for m, n in SIZES]
    heads = [*(f"SE/SD {s}" for s in sizes), *(f"coverage {s}" for s in sizes)]
    rows = ["| model | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for name in MODELS:
        mine = {(c.m, c.n): c for c in cells if c.model == name}
        ratios = [_show(mine[s].ratio, mine[s].ratio_error) for s in SIZES]
        shares = [_show(mine[s].coverage, mine[s].coverage_error) for s in SIZES]
        rows.append(f"| {name} | " + " | ".join(ratios + shares) + " |")
    return rows


def _show(value: float, error: float) -> str:
    return f"{value:.3f} ({1000.0 * error:.0f})"


def _summary(cells: list[Cell]) -> list[str]:
    rows = [
        "## Over all models and sizes",
        "",
        "| measure | SE/SD mean | min | max | coverage mean | min | max | largest bias, in SD |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for measure in MEASURES:
        mine = [cell for cell in cells if cell.measure == measure]
        ratio, share = [c.ratio for c in mine], [c.coverage for c in mine]
        bias = max((c.bias for c in mine), key=abs)
        columns = (np.mean(ratio), min(ratio), max(ratio), np.mean(share), min(share), max(share))
        rows.append(f"| {measure} | " + " | ".join(f"{x:.3f}" for x in (*columns, bias)) + " |")
    return rows


def _run(job: tuple[str, int, int]) -> list[Cell]:
    return simulate(*job, REPLICATES)


def main() -> None:
    """Run the study and write the page beside this file."""
    jobs = [(name, m, n) for name in MODELS for m, n in SIZES]
    with ProcessPoolExecutor(max_workers=2) as pool:
        cells = [cell for found in pool.map(_run, jobs) for cell in found]
    Path(__file__).with_suffix(".md").write_text(page(cells, REPLICATES), encoding="utf-8")


if __name__ == "__main__":
    main()
