"""Exact coverage of intervals, and size of tests, of two binary tests on the same patients.

Run ``python docs/evidence/paired_tests.py`` to write ``docs/evidence/paired_tests.md``; every table
of a size is taken with its probability, nothing is simulated.
``tests/inference/test_binary_laws.py`` holds a part of it.
"""

from __future__ import annotations

import platform
from itertools import product
from pathlib import Path

import numpy as np
import scipy
from scipy.special import gammaln, ndtri

import rocstats as rs
from rocstats.inference.binary.paired_cells import PairedCells
from rocstats.inference.binary.rate_differences import (
    DIFFERENCE_METHODS,
    TangoScore,
    exact_pvalue,
    mcnemar_statistic,
    mid_pvalue,
)

SIZES = (15, 30, 50)
STANDARDS = (0.6, 0.7, 0.8, 0.9, 0.95)
DIFFERENCES = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.2)
CORRELATIONS = (0.0, 0.3, 0.6)
LEVEL = 0.95
Z = -float(ndtri((1.0 - LEVEL) / 2.0))


def all_tables(n: int) -> np.ndarray:
    """Return every table (a, b, c, d) of n patients."""
    a, b, c = (x.ravel() for x in np.indices((n + 1,) * 3))
    inside = a + b + c <= n
    a, b, c = a[inside], b[inside], c[inside]
    return np.stack([a, b, c, n - a - b - c], axis=1)


def limits(tables: np.ndarray, method: str) -> np.ndarray:
    """Return the limits of each table; most methods know only b and c, so each pair once."""
    whole = method == "newcombe"
    keys = tables if whole else tables[:, 1:3]
    unique, place = np.unique(keys, axis=0, return_inverse=True)
    n = int(tables[0].sum())
    found = []
    for key in unique.tolist():
        a, b, c = key[:3] if whole else (n - key[0] - key[1], *key)
        cells = PairedCells(a=a, b=b, c=c, d=n - a - b - c)
        found.append(DIFFERENCE_METHODS[method](cells, Z))
    return np.array(found)[place.ravel()]


def pvalues(tables: np.ndarray) -> dict[str, np.ndarray]:
    """Return McNemar's p-values of each table: chi-square, mid-p and exact."""
    from scipy.special import chdtrc

    unique, place = np.unique(tables[:, 1:3], axis=0, return_inverse=True)
    cells = [PairedCells(a=0, b=b, c=c, d=0) for b, c in unique.tolist()]
    each = {
        "McNemar": [float(chdtrc(1.0, mcnemar_statistic(k))) for k in cells],
        "mid-p": [mid_pvalue(k) for k in cells],
        "exact": [exact_pvalue(k) for k in cells],
    }
    return {name: np.array(values)[place.ravel()] for name, values in each.items()}


def settings() -> list[tuple[float, float, float, tuple[float, float, float, float]]]:
    """Return (standard, difference, correlation, shares of the four cells) where there are such."""
    found = []
    for standard, difference, rho in product(STANDARDS, DIFFERENCES, CORRELATIONS):
        new = standard + difference
        if not 0.0 < new < 1.0:
            continue
        both = standard * new + rho * np.sqrt(standard * (1 - standard) * new * (1 - new))
        shares = (both, new - both, standard - both, 1.0 - standard - new + both)
        if min(shares) > 0.0:
            found.append((standard, difference, rho, shares))
    return found


def probabilities(tables: np.ndarray, shares: tuple[float, ...]) -> np.ndarray:
    """Return the probability of each table."""
    n = int(tables[0].sum())
    log = gammaln(n + 1.0) - gammaln(tables + 1.0).sum(axis=1) + tables @ np.log(shares)
    found: np.ndarray = np.exp(log)
    return found


def coverage_rows(n: int) -> list[str]:
    """Return a row for each method: coverage over the settings, and width."""
    tables, where = all_tables(n), settings()
    p = [probabilities(tables, shares) for *_, shares in where]
    truth = [difference for _, difference, _, _ in where]
    rows = []
    for method in DIFFERENCE_METHODS:
        low, high = limits(tables, method).T
        held = np.array(
            [
                q[(low <= t + 1e-12) & (t <= high + 1e-12)].sum()
                for q, t in zip(p, truth, strict=True)
            ]
        )
        width = np.mean([(q * (high - low)).sum() for q in p])
        flat = np.mean([q[high - low < 1e-9].sum() for q in p])
        rows.append(
            f"| {method} | {held.mean():.3f} | {held.min():.3f} | {np.mean(held < 0.93):.0%} | "
            f"{np.mean(held < 0.90):.0%} | {width:.3f} | {flat:.3f} |"
        )
    return rows


def size_rows(n: int) -> list[str]:
    """Return a row for each test: its size at 5% where the rates are equal."""
    tables = all_tables(n)
    found = pvalues(tables)
    equal = [shares for _, difference, _, shares in settings() if difference == 0.0]
    rows = []
    for name, values in found.items():
        size = [probabilities(tables, shares)[values <= 0.05].sum() for shares in equal]
        rows.append(f"| {n} | {name} | {np.mean(size):.3f} | {max(size):.3f} |")
    return rows


def exact_power(plan: rs.PairedRatePlan) -> float:
    """Return the power of a plan over all tables."""
    b = (plan.discordant + plan.effect) / 2.0
    i, j = (x.ravel() for x in np.indices((plan.n + 1,) * 2))
    inside = i + j <= plan.n
    tables = np.stack([i, j, plan.n - i - j], axis=1)[inside]
    chance = probabilities(tables, (b, plan.discordant - b, 1.0 - plan.discordant))
    z = -float(ndtri(plan.hypothesis.tail(plan.significance)))
    total = 0.0
    for (b_, c_, rest), q in zip(tables.tolist(), chance.tolist(), strict=True):
        if q > 1e-12:
            score = TangoScore(cells=PairedCells(a=rest, b=b_, c=c_, d=0))
            total += q * any(side * score.judge(at)[0] > z for at, side in plan.hypothesis.bounds)
    return total


PLANS = (
    (0.90, 0.80, 0.20, None),
    (0.90, 0.80, 0.14, None),
    (0.95, 0.85, 0.12, None),
    (0.90, 0.90, 0.10, 0.10),
    (0.90, 0.90, 0.06, 0.10),
    (0.92, 0.90, 0.10, 0.05),
)


def power_rows() -> list[str]:
    """Return a row for each plan: size by formula for a power of 0.8, and the exact power there."""
    rows = []
    for new, standard, discordant, margin in PLANS:
        aim = None if margin is None else "non-inferiority"
        plan = rs.sample_size_tests(new, standard, discordant=discordant, margin=margin, aim=aim)
        what = "difference" if margin is None else f"margin {margin:g}"
        rows.append(
            f"| {new:g} | {standard:g} | {discordant:g} | {what} | {plan.n} | {plan.power:.3f} | "
            f"{exact_power(plan):.3f} | {plan.simulate(4000, rng=1).power:.3f} |"
        )
    return rows


def main() -> None:
    """Write the page."""
    lines = [
        "# Two binary tests on the same patients",
        "",
        f"Generated by `docs/evidence/paired_tests.py` with rocstats {rs.__version__}, numpy "
        f"{np.__version__}, scipy {scipy.__version__}, Python {platform.python_version()}; do not "
        "edit.",
        "",
        "`rs.compare_tests` gives a difference of sensitivities (or specificities) Tango's score",
        "interval and McNemar's test. Here is why: every table (both right, only the new test,",
        "only the standard test, neither) of n patients is taken with its probability; the",
        "coverage of a 95% interval is the sum of the probabilities of the tables whose limits",
        f"hold the true difference. The {len(settings())} settings: a standard rate of "
        f"{', '.join(f'{x:g}' for x in STANDARDS)}, a difference of",
        f"{', '.join(f'{x:g}' for x in DIFFERENCES)}, and a correlation of results of "
        f"{', '.join(f'{x:g}' for x in CORRELATIONS)}, where there are such.",
        "Nothing is simulated.",
        "",
        "## Coverage of intervals of the difference, nominal 0.950",
        "",
    ]
    for n in SIZES:
        lines += [
            f"### {n} patients of the class: {len(all_tables(n)):,} tables",
            "",
            "| method | mean | least | settings below .93 | below .90 | mean width | width 0 |",
            "|---|---|---|---|---|---|---|",
            *coverage_rows(n),
            "",
        ]
    lines += [
        "The last column is the probability of an interval that is a point. Tango's and Newcombe's",
        "intervals both hold; Newcombe's covers a little more and is a little narrower at these",
        "sizes. The score interval is the default because it excludes 0 exactly where McNemar's",
        "test rejects, and is the test of a margin too: one statement, not two that may disagree.",
        "Wald's should not be used at such sizes.",
        "",
        "## Size of the tests at 5%, over settings with equal rates",
        "",
        "| n | test | mean size | largest |",
        "|---|---|---|---|",
        *(row for n in SIZES for row in size_rows(n)),
        "",
        "McNemar's chi-square may exceed 5% a little, as it does in the last row of its own; the",
        "mid-p value, which does not here, is printed beside it below 25 discordant pairs. The",
        "exact test is conservative.",
        "",
        "## Planned size and its power",
        "",
        "Sizes by `rs.sample_size_tests` for a power of 0.8 (two-sided 5%, or a margin at the",
        "one-sided level 2.5%). The exact power sums over all tables, the simulation has 4000",
        "studies. The formula is a normal approximation, here on the safe side.",
        "",
        "| new | standard | discordant | aim | n | formula | exact | simulated |",
        "|---|---|---|---|---|---|---|---|",
        *power_rows(),
        "",
    ]
    Path(__file__).with_suffix(".md").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
