"""Levels: is the AUC the same in all subgroups? Size and power of the test of interaction.

Run ``python docs/evidence/levels.py`` to write ``docs/evidence/levels.md``;
``tests/inference/test_levels.py`` runs a part of it. The constants of the test were chosen on the
first families; the others were looked at once, afterwards.
"""

from __future__ import annotations

import math
import platform
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import fdtrc

import rocstats as rs
from rocstats.engine.variances import newcombe_variance
from rocstats.inference.levels import level_statistic, level_variances

SEED = 20261118
REPLICATES = 500
SIGNIFICANCE = 0.05
LOUD = 3.0  # Monte-Carlo standard errors above nominal from which a cell is called liberal
BATCH = 100_000  # pairs at a time: they stay in a core's caches
POPULATION = 100_000  # scores of a class by which a family is brought to an AUC

Draw = Callable[[np.random.Generator, tuple[int, int], float], np.ndarray]
CHOSEN: dict[str, Draw] = {
    "normal": lambda rng, size, d: rng.normal(size=size) + d,
    "half at the limit": lambda rng, size, d: np.maximum(rng.normal(size=size) + d, 0.3),
    "5 grades": lambda rng, size, d: np.digitize(rng.normal(size=size) + d, [-0.5, 0.3, 1.0, 1.8]),
    "two humps": lambda rng, size, d: (
        0.5 * rng.normal(size=size) + np.where(rng.random(size) < 0.5, -0.8, 0.8) + d
    ),
    "11 grades": lambda rng, size, d: np.clip(
        np.round(2.0 * rng.normal(size=size) + 2.0 * d + 5.0), 0, 10
    ),
}
HELD_OUT: dict[str, Draw] = {
    "gamma": lambda rng, size, d: rng.gamma(2.0, size=size) * np.exp(d),
    "t3": lambda rng, size, d: rng.standard_t(3, size=size) + d,
    "7 grades": lambda rng, size, d: np.digitize(rng.logistic(size=size) + d, [-1, 0, 1, 2, 3, 4]),
    "Poisson": lambda rng, size, d: rng.poisson(2.0 * np.exp(d), size=size),
    "capped": lambda rng, size, d: np.minimum(rng.exponential(size=size) + d, 2.0),
    "1.5% do not respond": lambda rng, size, d: (
        rng.normal(size=size) + d * ~((rng.random(size) < 0.015) & (d > 0.0))
    ),
}
FAMILIES = CHOSEN | HELD_OUT
MIXED = {
    "chosen": (("normal", "5 grades"), ("normal", "two humps"), ("normal", "half at the limit")),
    "held out": (("t3", "gamma"), ("Poisson", "7 grades", "t3"), ("capped", "1.5% do not respond")),
}
SIZES = (
    *(((15, 15),), ((8, 40),), ((30, 60),), ((60, 60),), ((150, 150),), ((25, 200),)),
    *(((15, 15), (150, 150)), ((25, 200), (30, 60))),
)
AUCS = (0.7, 0.8, 0.9, 0.95, 0.97)
LEVELS = (2, 3, 5)
APART = ((0.8, 0.6), (0.9, 0.7), (0.95, 0.85), (0.97, 0.9), (0.99, 0.95))
POWER_SIZES = ((15, 15), (30, 60), (60, 60), (150, 150), (25, 200))


class Level(NamedTuple):
    """One group: its family of scores, its true AUC and its class sizes."""

    family: str
    auc: float
    n_pos: int
    n_neg: int


@cache
def shift_of(family: str, auc: float) -> float:
    """Return the shift at which a family has an AUC, or nan where it cannot."""
    draw, seed = FAMILIES[family], zlib.crc32(family.encode())
    neg = np.sort(draw(np.random.default_rng([seed, 0]), (1, POPULATION), 0.0)[0])

    def area(shift: float) -> float:
        pos = np.sort(draw(np.random.default_rng([seed, 1]), (1, POPULATION), shift)[0])
        below = np.searchsorted(neg, pos, "left") + np.searchsorted(neg, pos, "right")
        return float(below.mean()) / (2.0 * POPULATION)

    low, high = 0.0, 12.0
    for _ in range(16):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if area(middle) < auc else (low, middle)
    return low if abs(area(low) - auc) < 0.004 else math.nan


@cache
def areas(level: Level, stream: int, replicates: int) -> tuple[np.ndarray, np.ndarray]:
    """Return AUCs (R,) and DeLong's two terms of their variance (R, 2) in samples of one level."""
    rng = np.random.default_rng([SEED, stream, zlib.crc32(repr(level).encode())])
    draw, shift = FAMILIES[level.family], shift_of(level.family, level.auc)
    m, n = level.n_pos, level.n_neg
    value, terms = np.empty(replicates), np.empty((replicates, 2))
    step = max(1, BATCH // (m * n))
    for start in range(0, replicates, step):
        part = slice(start, min(start + step, replicates))
        rows = part.stop - part.start
        pos = draw(rng, (rows, m), shift)[:, :, np.newaxis]
        neg = draw(rng, (rows, n), 0.0)[:, np.newaxis, :]
        wins = 0.5 * ((pos > neg).astype(np.float32) + (pos >= neg))
        value[part] = wins.mean(axis=(1, 2))
        terms[part, 0] = wins.mean(axis=2).var(axis=1, ddof=1) / m
        terms[part, 1] = wins.mean(axis=1).var(axis=1, ddof=1) / n
    terms[terms < 1e-13] = 0.0
    return value, terms


def pvalues(levels: Sequence[Level], replicates: int) -> dict[str, np.ndarray]:
    """Return the p-values of the test, and of the one before it, in samples of all levels."""
    found = [areas(level, stream, replicates) for stream, level in enumerate(levels)]
    value = np.stack([f[0] for f in found], axis=1)
    terms = np.stack([f[1] for f in found], axis=1)
    sizes = np.array([level[2:] for level in levels], dtype=np.float64)
    return {"now": _now(value, terms, sizes), "before": _before(value, terms, sizes)}


def _now(value: np.ndarray, terms: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    variance = level_variances(value, terms.sum(axis=-1), sizes)
    flat = (variance == 0.0).any(axis=1)  # all levels are perfect
    variance[flat] = 1.0
    statistic, below = level_statistic(value, variance, terms, sizes)
    return np.where(flat, 1.0, fdtrc(len(sizes) - 1, below, statistic))


def _before(value: np.ndarray, terms: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the test of rocstats before: no variance below Newcombe's where losses are few."""
    weight = sizes.prod(axis=1) / sizes.sum(axis=1)
    pooled = (value @ weight / weight.sum())[:, np.newaxis]
    own, least = terms.sum(axis=-1), newcombe_variance(pooled, sizes[:, 0], sizes[:, 1])
    few = np.minimum(pooled, 1.0 - pooled) * sizes.min(axis=1) < 3.0
    variance = np.where(few | (own == 0.0), np.maximum(own, least), own)
    flat = (variance == 0.0).any(axis=1)
    variance[flat] = 1.0
    statistic, below = level_statistic(value, variance, terms, sizes)
    rank, nu = len(sizes) - 1, 2.0 * sizes.min() - 2.0
    if rank > 1:
        below = np.full(len(value), nu - rank + 1.0 if sizes.min() < 100 else np.inf)
        statistic = statistic * (below / nu if sizes.min() < 100 else 1.0)
    return np.where(flat, 1.0, fdtrc(rank, np.minimum(below, 1e9), statistic))


# ---------------------------------------------------------------------------------------- the page


def designs(which: str) -> Iterator[tuple[Level, ...]]:
    """Yield the levels of every cell: equal AUCs in families and sizes that take turns."""
    known = CHOSEN if which == "chosen" else HELD_OUT
    for family in [(name,) for name in known] + list(MIXED[which]):
        for k in LEVELS:
            for auc in AUCS:
                if any(math.isnan(shift_of(name, auc)) for name in family):
                    continue
                for sizes in SIZES:
                    yield tuple(
                        Level(family[i % len(family)], auc, *sizes[i % len(sizes)])
                        for i in range(k)
                    )


def rejections(levels: Sequence[Level], replicates: int) -> dict[str, float]:
    """Return how often each test rejects."""
    found = pvalues(levels, replicates)
    return {name: float((p <= SIGNIFICANCE).mean()) for name, p in found.items()}


def power(family: str, high: float, low: float, k: int, size: tuple[int, int], n: int) -> dict:
    """Return how often each test finds one level that is worse than the others."""
    one, other = Level(family, high, *size), Level(family, low, *size)
    return rejections([*[one] * (k - 1), other], n)


def page(replicates: int) -> str:
    """Return the study as Markdown."""
    limit = SIGNIFICANCE + LOUD * math.sqrt(SIGNIFICANCE * (1.0 - SIGNIFICANCE) / replicates)
    lines = [
        "# Is the AUC the same at all levels?",
        "",
        "Generated by `docs/evidence/levels.py` "
        f"(seed {SEED}, {replicates} replicates a cell) with "
        f"rocstats {rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit.",
        "",
        "The test of interaction of a report's subgroups: 2, 3 or 5 groups of different people. It",
        "takes the variances where all AUCs are equal (STATISTICS.md 6.9). `before` took no less",
        "than Newcombe's variance where fewer than three losses were expected, which is too much",
        "for most families, and referred to F on twice the smallest class.",
        "",
        "## Size",
        "",
        "Equal AUCs of .7 to .97; sizes a level (positives/negatives) "
        + ", ".join(" and ".join(f"{m}/{n}" for m, n in sizes) for sizes in SIZES)
        + "; levels of",
        "one family of scores, or of two or three that take turns. Nominal .05; liberal: above",
        f"{limit:.3f}, {LOUD:g} Monte-Carlo standard errors.",
        "",
        "| families | AUC | cells | mean before | worst | liberal | mean now | worst | liberal |",
        "|---" * 9 + "|",
    ]
    for which in ("chosen", "held out"):
        cells = [(levels[0].auc, rejections(levels, replicates)) for levels in designs(which)]
        for auc in AUCS:
            mine = [found for a, found in cells if a == auc]
            texts = [f"{which} | {auc:g} | {len(mine)}"]
            for name in ("before", "now"):
                share = np.array([found[name] for found in mine])
                loud = f"{(share > limit).mean():.1%}"
                texts.append(f"{share.mean():.3f} | {share.max():.3f} | {loud}")
            lines.append("| " + " | ".join(texts) + " |")
        areas.cache_clear()
    lines += [
        "",
        "## Power",
        "",
        "One level has the second AUC, all others the first; means over the families and over",
        "2, 3 and 5 levels.",
        "",
        "| AUCs | sizes | chosen, before | now | held out, before | now |",
        "|---" * 6 + "|",
    ]
    for high, low in APART:
        for size in POWER_SIZES:
            texts = [f"{high:g} v {low:g} | {size[0]}/{size[1]}"]
            for families in (CHOSEN, HELD_OUT):
                mine = [
                    power(name, high, low, k, size, replicates)
                    for name in families
                    for k in LEVELS
                    if not math.isnan(shift_of(name, high) + shift_of(name, low))
                ]
                texts += [f"{np.mean([f[name] for f in mine]):.3f}" for name in ("before", "now")]
            lines.append("| " + " | ".join(texts) + " |")
        areas.cache_clear()
    return "\n".join([*lines, ""])


def main() -> None:
    """Run the study and write the page beside this file."""
    Path(__file__).with_suffix(".md").write_text(page(REPLICATES), encoding="utf-8")


if __name__ == "__main__":
    main()
