"""Thresholds study: do intervals at a threshold cover, and what does choosing a cutpoint cost?

Run ``python docs/evidence/thresholds.py`` to write ``docs/evidence/thresholds.md``; the tests in
``tests/thresholds`` run parts of the same study at a reduced size. The intervals of a 2x2 table are
judged without simulation, by the probabilities of all tables, unless there are clusters.
"""

from __future__ import annotations

import math
import platform
import warnings
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import scipy
from scipy.special import ndtr, ndtri
from scipy.stats import beta, binom

import rocstats as rs
from rocstats.thresholds.clusters import Moments
from rocstats.thresholds.cutpoint_criteria import CRITERIA
from rocstats.thresholds.diagnostics import DIAGNOSTICS, predictive
from rocstats.thresholds.two_by_two import Cells, Tables

SEED = 20250611
LEVEL = 0.95
REPLICATES = 600
RESAMPLES = 400
OPTIMISM_RESAMPLES = 200
QUANTILE = -float(ndtri((1.0 - LEVEL) / 2.0))

# ------------------------------------------------------------------------------------- 2x2 tables

TABLE_SIZES = ((10, 10), (20, 20), (50, 50), (15, 60), (60, 15), (30, 150))
RATES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
PREVALENCE = 0.1
MEASURES = {**DIAGNOSTICS, **predictive(PREVALENCE)}


def table_coverage(method: str, m: int, n: int) -> dict[str, np.ndarray]:
    """Return the coverage at every pair of rates, given that the measure is defined."""
    tp, fp = (
        axis.ravel() for axis in np.meshgrid(np.arange(m + 1), np.arange(n + 1), indexing="ij")
    )
    tables = Tables(cells=Cells.of(tp, fp, m, n), level=LEVEL, method=method)
    found = {}
    for name, measure in MEASURES.items():
        value, low, high = measure.evaluate(tables)
        known = ~np.isnan(value)
        shares = []
        for se, sp in product(RATES, RATES):
            chance = np.outer(
                binom.pmf(np.arange(m + 1), m, se), binom.pmf(np.arange(n + 1), n, 1 - sp)
            )
            chance = chance.ravel()[known]
            truth = measure.value(Cells.at_rates(np.array([se]), np.array([sp]), m, n))[0]
            slack = 1e-12 * max(1.0, truth)
            held = (low[known] <= truth + slack) & (truth - slack <= high[known])
            shares.append(float(chance[held].sum() / chance.sum()))
        found[name] = np.array(shares)
    return found


# ---------------------------------------------------------------------------- tables of clusters

CLUSTERED_RATES = (0.8, 0.9)  # sensitivity and specificity
SHARE = 0.4  # of positives
MOST_MEMBERS = 10
ICCS = (0.0, 0.1, 0.3, 0.6)
CLUSTER_REPLICATES = 4000
# Of one class, or of both with this correlation of sensitivity and specificity over clusters.
KINDS: dict[str, float | None] = {"one": None, "both, -.8": -0.8, "both, .8": 0.8}
CLUSTERS = tuple(product((20, 40, 60), KINDS, ICCS))
CLUSTERED_MEASURES = (
    *("sensitivity", "specificity", "ppv", "npv", "accuracy", "lr_pos", "lr_neg", "dor"),
    *("youden", "f1", "mcc"),
)


def draw_clusters(
    rng: np.random.Generator, n_clusters: int, kind: str, icc: float, replicates: int
) -> tuple[np.ndarray, ...]:
    """Return tp, fp, positives and negatives of every cluster: rates are beta, counts binomial."""
    shape = replicates, n_clusters
    members = rng.integers(1, MOST_MEMBERS + 1, size=shape)
    link = KINDS[kind]
    pos = members * (rng.random(shape) < SHARE) if link is None else rng.binomial(members, SHARE)
    rates = [np.full(shape, rate) for rate in CLUSTERED_RATES]
    if icc > 0.0:
        first, second = rng.normal(size=(2, *shape))
        second = (link or 0.0) * first + math.sqrt(1.0 - (link or 0.0) ** 2) * second
        size = 1.0 / icc - 1.0
        rates = [
            beta.ppf(ndtr(z), rate * size, (1.0 - rate) * size)
            for z, rate in zip((first, second), CLUSTERED_RATES, strict=True)
        ]
    tp, fp = rng.binomial(pos, rates[0]), rng.binomial(members - pos, 1.0 - rates[1])
    counts = (count.astype(float) for count in (tp, fp, pos, members - pos))
    whole = (pos.sum(axis=1) > 0) & (pos.sum(axis=1) < members.sum(axis=1))
    return tuple(count[whole] for count in counts)


def sum_over_clusters(tp: np.ndarray, fp: np.ndarray, pos: np.ndarray, neg: np.ndarray) -> Moments:
    """Return the sums by their definitions, of (replicates, clusters) counts."""
    counts = tp, fp, pos, neg
    there = {
        "positives": pos,
        "negatives": neg,
        "called": tp + fp,
        "others": pos + neg - tp - fp,
        "either": pos + fp,
        "all": pos + neg,
    }
    return Moments(
        cells=Cells.of(*(count.sum(axis=1) for count in counts)),
        products=tuple(tuple((a * b).sum(axis=1) for b in counts) for a in counts),
        units={name: (count > 0).sum(axis=1).astype(float) for name, count in there.items()},
    )


def cluster_coverage(
    n_clusters: int, kind: str, icc: float, replicates: int, *, told: bool = True
) -> dict[str, float]:
    """Return the coverage of the intervals, which are told of the clusters or are not."""
    rng = np.random.default_rng([SEED, n_clusters, int(10 * icc), zlib.crc32(kind.encode())])
    clusters = sum_over_clusters(*draw_clusters(rng, n_clusters, kind, icc, replicates))
    tables = Tables(
        cells=clusters.cells, level=LEVEL, method="wilson", clusters=clusters if told else None
    )
    population = Cells.at_rates(*(np.array([rate]) for rate in CLUSTERED_RATES), SHARE, 1.0 - SHARE)
    found = {}
    for name in CLUSTERED_MEASURES:
        value, low, high = MEASURES[name].evaluate(tables)
        truth = MEASURES[name].value(population)[0]
        known = ~np.isnan(value)
        found[name] = float(((low <= truth) & (truth <= high))[known].mean())
    return found


def cluster_lines() -> list[str]:
    """Return the section of the page on clusters."""
    error = 1000.0 * math.sqrt(LEVEL * (1.0 - LEVEL) / CLUSTER_REPLICATES)
    se, sp = CLUSTERED_RATES
    lines = [
        "## Measures of a 2x2 table with clusters",
        "",
        f"Coverage of the 95% intervals (wilson) in {CLUSTER_REPLICATES} samples (Monte-Carlo error"
        f" .{error:03.0f}).",
        f"Clusters have 1 to {MOST_MEMBERS} members, of one class or of both; {SHARE:.0%} are",
        f"positive. Sensitivity (mean {se:g}) and specificity ({sp:g}) of a cluster are beta with",
        "the intraclass correlation icc; in clusters of both classes they are correlated as shown.",
        "`naive` takes members as independent. Where 20 clusters are of one class about 8 are of",
        "positives; their variance is uncertain, and too small where the rate is high by chance.",
        "PPV and NPV at a stated prevalence are covered as often as LR+ and LR-.",
        "",
        "| clusters | classes | icc | "
        + " | ".join(CLUSTERED_MEASURES)
        + " | naive sensitivity | naive youden |",
        "|---" * (5 + len(CLUSTERED_MEASURES)) + "|",
    ]
    for job in CLUSTERS:
        found = cluster_coverage(*job, CLUSTER_REPLICATES)
        naive = cluster_coverage(*job, CLUSTER_REPLICATES, told=False)
        shares = *found.values(), naive["sensitivity"], naive["youden"]
        n_clusters, kind, icc = job
        cells = " | ".join(f"{share:.3f}" for share in shares)
        lines.append(f"| {n_clusters} | {kind} | {icc:g} | {cells} |")
    return [*lines, ""]


# ----------------------------------------------------------------- sensitivity at fixed specificity


@dataclass(frozen=True, kw_only=True)
class Model:
    """Scores of positives and negatives, and the true ROC curve."""

    draw: Callable[[np.random.Generator, int, bool], np.ndarray]
    roc: Callable[[float], float]


def _normal(shift: float, spread: float = 1.0) -> Model:
    return Model(
        draw=lambda rng, k, positive: (
            shift + spread * rng.normal(size=k) if positive else rng.normal(size=k)
        ),
        roc=lambda f: float(ndtr((shift + ndtri(f)) / spread)),
    )


_CUTS = np.array([-0.5, 0.25, 0.75, 1.5])  # of five grades


def _grades(shift: float) -> Model:
    fpr = np.concatenate([[0.0], ndtr(-_CUTS[::-1]), [1.0]])
    tpr = np.concatenate([[0.0], ndtr(shift - _CUTS[::-1]), [1.0]])
    return Model(
        draw=lambda rng, k, positive: np.searchsorted(
            _CUTS, rng.normal(size=k) + shift * positive
        ).astype(float),
        roc=lambda f: float(np.interp(f, fpr, tpr)),
    )


MODELS = {
    "normal, AUC .80": _normal(1.19),
    "normal, AUC .95": _normal(2.33),
    "positives with SD 2": _normal(2.0, 2.0),
    "exponential, scale 4": Model(
        draw=lambda rng, k, positive: (4.0 if positive else 1.0) * rng.exponential(size=k),
        roc=lambda f: f**0.25,
    ),
    "five grades": _grades(1.4),
}
SIZES = ((20, 20), (50, 50), (100, 100), (200, 200), (40, 160), (160, 40))
SPECIFICITIES = (0.8, 0.9, 0.95)
METHODS = ("order", "percentile", "kernel")
Shares = dict[tuple[str, float], float]  # by method and specificity


def kernel_limits(
    pos: np.ndarray, neg: np.ndarray, value: float, fpr: float
) -> tuple[float, float]:
    """Wald limits with the slope of the curve by kernel densities, for comparison."""
    cut = np.quantile(neg, 1.0 - fpr)
    density = []
    for scores in (pos, neg):
        width = scores.std(ddof=1) * scores.size**-0.2  # Scott's
        density.append(np.exp(-0.5 * ((cut - scores) / width) ** 2).mean() / width)
    slope = density[0] / density[1]
    variance = value * (1.0 - value) / pos.size + slope**2 * fpr * (1.0 - fpr) / neg.size
    reach = QUANTILE * math.sqrt(variance)
    return value - reach, value + reach


def fixed_rate_coverage(
    name: str, m: int, n: int, replicates: int, methods: tuple[str, ...] = METHODS
) -> Shares:
    """Return how often each interval, at each specificity, holds the true sensitivity."""
    model = MODELS[name]
    rng = np.random.default_rng([SEED, m, n, zlib.crc32(name.encode())])
    label = np.repeat([1, 0], [m, n])
    held = dict.fromkeys(product(methods, SPECIFICITIES), 0)
    for _ in range(replicates):
        pos, neg = model.draw(rng, m, True), model.draw(rng, n, False)
        found = rs.sensitivity_at(
            label,
            np.concatenate([pos, neg]),
            specificity=SPECIFICITIES,
            resampling=rs.Bootstrap(n_resamples=RESAMPLES, rng=rng),
        )
        for method in methods:
            for sp, (low, high) in zip(
                SPECIFICITIES, _limits(found, method, pos, neg), strict=True
            ):
                held[method, sp] += bool(low - 1e-12 <= model.roc(1.0 - sp) <= high + 1e-12)
    return {key: count / replicates for key, count in held.items()}


def _limits(
    found: rs.FixedRate, method: str, pos: np.ndarray, neg: np.ndarray
) -> list[tuple[float, float]]:
    if method == "kernel":
        pairs = zip(found.value.tolist(), SPECIFICITIES, strict=True)
        return [kernel_limits(pos, neg, value, 1.0 - sp) for value, sp in pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.DegenerateVarianceWarning)
        intervals = [rate.confidence_interval(LEVEL, method=method) for rate in found]
    return [(interval.low, interval.high) for interval in intervals]


# --------------------------------------------------------------------------------------- cutpoints

CHOICES = tuple(
    (criterion, m, n, shift)
    for criterion in ("youden", "closest")
    for m, n in ((20, 20), (10, 30), (50, 50), (100, 100))
    for shift in (1.0, 1.7)
)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Means over samples: J in truth at the chosen cutpoint, as seen there, and corrected.

    Also how often the limits of the two rates hold them, before and after the correction.
    """

    truth: float
    apparent: float
    corrected: float
    error: float
    raw_coverage: float
    coverage: float


def judge_choice(criterion: str, m: int, n: int, shift: float, replicates: int) -> Choice:
    """Choose cutpoints in samples of two normal classes and look at what they are worth."""
    rng = np.random.default_rng([SEED, m, n, int(10 * shift)])
    label = np.repeat([1, 0], [m, n])
    youden, held = [], []
    for _ in range(replicates):
        score = rng.normal(size=m + n) + shift * label
        resampling = rs.Bootstrap(n_resamples=OPTIMISM_RESAMPLES, rng=rng)
        found = rs.optimal_cutpoint(label, score, criterion=criterion, resampling=resampling)
        cut = float(found.midpoint[0])
        truth = float(ndtr(shift - cut)), float(ndtr(cut))
        youden.append(
            (
                sum(truth) - 1.0,
                float(found.points.youden[0]),
                float(found.corrected_sensitivity[0] + found.corrected_specificity[0]) - 1.0,
            )
        )
        for rate, value in zip(("sensitivity", "specificity"), truth, strict=True):
            pairs = found.points.limits(rate), found.corrected_limits(rate)
            held.append([bool(low[0] <= value <= high[0]) for low, high in pairs])
    values, shares = np.array(youden), np.mean(held, axis=0)
    means = values.mean(axis=0)
    return Choice(
        truth=float(means[0]),
        apparent=float(means[1]),
        corrected=float(means[2]),
        error=float((values[:, 2] - values[:, 0]).std(ddof=1) / math.sqrt(replicates)),
        raw_coverage=float(shares[0]),
        coverage=float(shares[1]),
    )


# ---------------------------------------------------------------------------------------- the page


def page(
    fixed: Iterable[tuple[tuple[str, int, int], dict[tuple[str, float], float]]],
    choices: Iterable[tuple[tuple[str, int, int, float], Choice]],
) -> str:
    """Return the study as Markdown."""
    error = 1000.0 * math.sqrt(LEVEL * (1.0 - LEVEL) / REPLICATES)
    lines = [
        "# Thresholds: coverage and optimism",
        "",
        f"Generated by `docs/evidence/thresholds.py` (seed {SEED}) with rocstats {rs.__version__}, "
        f"numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit.",
        "",
        "## Measures of a 2x2 table",
        "",
        "Coverage of the 95% intervals by the exact probabilities of all tables, given that the",
        "measure is defined: positives and negatives are "
        + "; ".join(f"{m}, {n}" for m, n in TABLE_SIZES)
        + ",",
        f"sensitivity and specificity each {', '.join(map(str, RATES))}. Mean (least) over all of",
        "them. The low ones are Wilson's, at a rate of .99 in a class of 15.",
        "",
        "| measure | wilson | clopper-pearson |",
        "|---|---|---|",
        *_table_lines(),
        "",
        "Class sizes are fixed here. Predictive values and F1, whose denominators vary, are then",
        "conservative.",
        "",
        *cluster_lines(),
        "## Sensitivity at a fixed specificity",
        "",
        f"Coverage of 95% intervals in {REPLICATES} samples (Monte-Carlo error .{error:03.0f}),",
        f"{RESAMPLES} resamples. `order` is the analytic interval of `rocstats.sensitivity_at`,",
        "`percentile` its bootstrap; `kernel`, the Wald interval with kernel densities, is here",
        "for comparison and is not offered. Sizes are positives, negatives. With 20 negatives the",
        "95% specificity lies at the highest of them, and the data say little: `order` says so.",
        "",
        "| scores | sizes | "
        + " | ".join(f"{method} {sp:g}" for sp in SPECIFICITIES for method in METHODS)
        + " |",
        "|---" * (2 + len(METHODS) * len(SPECIFICITIES)) + "|",
    ]
    for (name, m, n), found in fixed:
        cells = (f"{found[method, sp]:.3f}" for sp in SPECIFICITIES for method in METHODS)
        lines.append(f"| {name} | {m}, {n} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "## Cutpoints that the data chose",
        "",
        "Two normal classes with unit variance. Youden's J = se + sp - 1 at the chosen cutpoint:",
        "in truth, as the same data show it, and corrected by the bootstrap "
        f"({OPTIMISM_RESAMPLES} resamples);",
        "means of "
        f"{REPLICATES} samples, with the Monte-Carlo error of corrected less truth. Then how",
        "often the 95% limits of sensitivity and specificity hold the rates that the cutpoint",
        "truly has, before and after the correction. The setting is that of Leeflang et al.",
        "(2008): small samples are far too good. The correction removes about two thirds of it.",
        "",
        "| criterion | sizes | shift | true J | apparent J | corrected J | coverage | corrected |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (criterion, m, n, shift), c in choices:
        lines.append(
            f"| {criterion} | {m}, {n} | {shift:g} | {c.truth:.3f} | {c.apparent:.3f} | "
            f"{c.corrected:.3f} ({1000 * c.error:.0f}) | {c.raw_coverage:.3f} | {c.coverage:.3f} |"
        )
    return "\n".join([*lines, "", *criteria_lines(), ""])


def criteria_lines() -> list[str]:
    """Return where every criterion cuts one marker; nothing is simulated here."""
    sample = rs.datasets.load_breast_cancer()
    lines = [
        "## Criteria of a cutpoint",
        "",
        "Where each criterion of `optimal_cutpoint` cuts `mean_radius` of the bundled breast",
        "cancer data, and what sensitivity and specificity appear to be there; all optima where",
        "there are several. The same data answer very differently, so the criterion is part of",
        "the question, fixed before they are looked at. Definitions: docs/STATISTICS.md 14.1.",
        "",
        "| criterion | what is best | cutpoint | sensitivity | specificity |",
        "|---|---|---|---|---|",
    ]
    for name in CRITERIA:
        found = rs.optimal_cutpoint(
            sample, criterion=name, marker="mean_radius", resampling=rs.Bootstrap(n_resamples=2)
        )
        at = [found.threshold, found.points.sensitivity, found.points.specificity]
        cells = [[f"{value:.4g}" for value in column] for column in at]
        shown = [c[0] if len(c) == 1 else f"{c[0]} to {c[-1]} ({len(c)})" for c in cells]
        lines.append(f"| `{name}` | {found.criterion} | " + " | ".join(shown) + " |")
    return lines


def _table_lines() -> list[str]:
    found = {
        method: [table_coverage(method, *size) for size in TABLE_SIZES]
        for method in ("wilson", "clopper-pearson")
    }
    lines = []
    for name in MEASURES:
        shares = [np.concatenate([cell[name] for cell in cells]) for cells in found.values()]
        texts = (f"{share.mean():.3f} ({share.min():.3f})" for share in shares)
        lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return lines


def main() -> None:
    """Run the study and write the page beside this file."""
    settings = [(name, m, n) for name in MODELS for m, n in SIZES]
    with ProcessPoolExecutor(max_workers=2) as pool:
        fixed = [pool.submit(fixed_rate_coverage, *job, REPLICATES) for job in settings]
        choices = [pool.submit(judge_choice, *job, REPLICATES) for job in CHOICES]
        text = page(
            zip(settings, (job.result() for job in fixed), strict=True),
            zip(CHOICES, (job.result() for job in choices), strict=True),
        )
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
