"""Gaps of sensitivity between groups: exact coverage; writes ``docs/evidence/fairness.md``.

``python docs/evidence/fairness.py``: every table of two groups with its probability, no simulation;
a minute.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
from scipy.stats import binom, chi2, norm, t

import rocstats as rs
from rocstats.inference.binary.unpaired_rates import UnpairedScore, equal_shares

SIZES = ((20, 20), (20, 60), (50, 50), (100, 100), (200, 200))
RATES = ((0.70, 0.70), (0.90, 0.70), (0.90, 0.90), (0.95, 0.95), (0.98, 0.98), (0.99, 0.90))
RARE = 1e-9  # tables less likely than this are left out
Z = float(norm.ppf(0.975))
SEVERAL = ((20, 3), (50, 3), (20, 5))  # people and groups of the tests that all are equal


def likely(size: int, rate: float) -> list[tuple[int, float]]:
    """Return the counts that are likely, each with its probability."""
    chance = binom.pmf(np.arange(size + 1), size, rate)
    return [(k, float(p)) for k, p in enumerate(chance) if p > RARE]


def wald_t(hits: tuple[int, int], sizes: tuple[int, int]) -> tuple[float, float]:
    """Return the standard error and Satterthwaite's degrees of freedom of two shares."""
    terms = [x / n * (1.0 - x / n) / (n - 1) for x, n in zip(hits, sizes, strict=True)]
    total = sum(terms)
    if not total > 0.0:
        return 0.0, math.inf
    below = sum(v * v / (n - 1) for v, n in zip(terms, sizes, strict=True))
    return math.sqrt(total), total * total / below


def covered(sizes: tuple[int, int], rates: tuple[float, float]) -> dict[str, float]:
    """Return how often each interval holds the gap, and how often each test rejects equality."""
    truth = rates[0] - rates[1]
    found = dict.fromkeys(("score", "wald", "score rejects", "wald rejects"), 0.0)
    for (x, p), (y, q) in itertools.product(likely(sizes[0], rates[0]), likely(sizes[1], rates[1])):
        at = UnpairedScore(hits=(x, y), sizes=sizes)
        spread, df = wald_t((x, y), sizes)
        reach = float(t.ppf(0.975, df)) * spread
        found["score"] += p * q * (abs(at.judge(truth)[0]) <= Z)
        found["wald"] += p * q * (abs(at.seen - truth) <= reach + 1e-12)
        found["score rejects"] += p * q * (abs(at.judge(0.0)[0]) > Z)
        found["wald rejects"] += p * q * (abs(at.seen) > reach)
    return found


def size_of_omnibus(size: int, groups: int, rate: float) -> float:
    """Return how often equal rates of several groups are found unequal at 5%."""
    bound, total = float(chi2.ppf(0.95, groups - 1)), 0.0
    many = [(k, p) for k, p in likely(size, rate) if p > 1e-6]
    for table in itertools.combinations_with_replacement(many, groups):
        hits = [k for k, _ in table]
        ways = math.factorial(groups)
        for k in set(hits):
            ways //= math.factorial(hits.count(k))
        chance = ways * math.prod(p for _, p in table)
        total += chance * (equal_shares(hits, [size] * groups) > bound)
    return total


def main() -> None:
    """Work out every design and write the page."""
    lines = [
        "# Gaps of sensitivity and specificity between groups: exact coverage",
        "",
        f"Written by `python docs/evidence/fairness.py` (rocstats {rs.__version__}): every table "
        "of two groups with its probability, no simulation. Coverage of 95% intervals of the gap, "
        "and how often the test finds one at 5%: Miettinen & Nurminen's score limits, the default "
        'of `rs.group_fairness(...).gaps()`, and Wald\'s t, which was it before (`reference="t"`).',
        "",
        "| n | rates | score covers | Wald t covers | score rejects | Wald t rejects |",
        "|---|---|---|---|---|---|",
    ]
    rows = []
    for sizes, rates in itertools.product(SIZES, RATES):
        found = covered(sizes, rates)
        rows.append(found)
        cells = " | ".join(f"{value:.3f}" for value in found.values())
        lines.append(f"| {sizes[0]}, {sizes[1]} | {rates[0]:g}, {rates[1]:g} | {cells} |")
        print(lines[-1], flush=True)
    low = [min(row[name] for row in rows) for name in ("score", "wald")]
    lines += [f"| **worst** | | {low[0]:.3f} | {low[1]:.3f} | | |", ""]
    lines += [
        "The test that several groups are equal (`equality`), Pearson's chi-square times "
        "(N - 1)/N, rejects at 5% where all are:",
        "",
        "| people a group | groups | rate .7 | rate .9 | rate .95 |",
        "|---|---|---|---|---|",
    ]
    for size, groups in SEVERAL:
        cells = " | ".join(f"{size_of_omnibus(size, groups, r):.3f}" for r in (0.7, 0.9, 0.95))
        lines.append(f"| {size} | {groups} | {cells} |")
        print(lines[-1], flush=True)
    path = Path(__file__).with_suffix(".md")
    tail = path.read_text(encoding="utf-8").partition(MARK)[2] if path.exists() else "\n"
    path.write_text("\n".join(lines) + "\n\n" + MARK + tail, encoding="utf-8")


MARK = "<!-- below: written by hand -->"

if __name__ == "__main__":
    main()
