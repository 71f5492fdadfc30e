"""Measures compared: exact tables to long lists, their limits, other pairs of measures.

Run ``python docs/evidence/measures.py`` to write the tables of ``docs/evidence/measures.md``, below
its line of hyphens; it takes three minutes of processor time.
``tests/consistency/test_consistency.py`` holds the page against the package.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

import rocstats as rs
from rocstats.consistency.list_criteria import find_criterion
from rocstats.consistency.long_lists import ahead_below, long_lists
from rocstats.consistency.simulation import measure_lists
from rocstats.papers.huang_ling_2005.huang_ling_cutoffs import count_cut, signs_of_cut

SEED = 20250915
PAIRS = 50_000
LENGTHS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 30, 50, 100, 200, 400, 800)
CUTS = ((0.5, 0.5), (0.5, 0.25), (0.25, 0.5), (0.25, 0.25), (0.1, 0.5))
LONG = 400
HALF = 7  # positives, and negatives, of the lists that are measured one by one
RANKED = (
    *("auc", "partial_auc@0.2", "average_precision", "accuracy", "f1"),
    *("profit@0.15", "profit@0.25", "lift@0.25"),
)
SCORED = (
    *("auc", "partial_auc@0.2", "average_precision", "sauc", "smauc", "brier"),
    *("accuracy", "f1", "accuracy@0.5", "f1@0.5", "profit@0.25"),
)
AHEAD = (0.55, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
HALVES = (10, 20, 50)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table as lines of Markdown."""
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def balanced_row(n: int) -> list[str]:
    """Return C, D and E of balanced lists, and how far they are from their limits."""
    found = rs.compare_measures("auc", "accuracy", n_pos=n // 2, n_neg=n // 2)
    counts, limits = found.counts, long_lists(0.5)
    tau = (counts.agree - counts.disagree) / counts.total
    finite = math.isfinite(found.discriminancy)
    return [
        str(n),
        f"{found.consistency:.6f}",
        f"{math.sqrt(n) * (found.consistency - limits.consistency):.4f}",
        f"{n * (2.0 / 3.0 - tau):.4f}",
        f"{found.discriminancy:.3f}" if finite else "inf",
        f"{found.discriminancy / n:.4f}" if finite else "",
        f"{found.indifferency:.3e}",
        f"{found.indifferency * n**2:.4f}",
    ]


def cut_row(top: float, share: float) -> list[str]:
    """Return long lists with another cut or other class sizes beside their limits."""
    n_pos, depth = round(share * LONG), round(top * LONG)
    cut = rs.accuracy_at(n_predicted=depth)
    found = rs.compare_measures("auc", cut, n_pos=n_pos, n_neg=LONG - n_pos)
    limits = long_lists(top, share)
    ties = math.sqrt(share * (1 - share) * top * (1 - top) * LONG)
    first = limits.consistency + (limits.consistency - 0.5) / (2.0 * math.sqrt(math.pi) * ties)
    return [
        f"{top:g}",
        f"{share:g}",
        f"{limits.correlation:.4f}",
        f"{found.consistency:.4f}",
        f"{first:.4f}",
        f"{limits.consistency:.4f}",
        f"{found.discriminancy / LONG:.4f}",
        f"{limits.discriminancy_rate:.4f}",
        f"{found.indifferency * LONG**2:.3f}",
        f"{limits.indifferency_rate:.3f}",
    ]


def pair_rows() -> list[list[str]]:
    """Return pairs of measures over all lists of ten and ten."""
    profits = [rs.profit_at(top) for top in (0.1, 0.15, 0.25, 0.5)]
    pairs = [("auc", "accuracy"), ("auc", "f1"), *(("auc", p) for p in profits)]
    pairs += [("accuracy", p) for p in profits[:3]]
    rows = []
    for f, g in pairs:
        found = rs.compare_measures(f, g, n_pos=10, n_neg=10)
        degrees = (found.consistency, found.discriminancy, found.indifferency)
        rows.append([found.f, found.g, *(f"{value:.4f}" for value in degrees)])
    return rows


def ranked_rows() -> list[list[str]]:
    """Return every two shipped measures of a ranking, over all lists of seven and seven."""
    rows = []
    for f, g in combinations(RANKED, 2):
        found = rs.compare_measures(f, g, n_pos=HALF, n_neg=HALF)
        degrees = (found.consistency, found.discriminancy, found.indifferency)
        turned = rs.compare_measures(g, f, n_pos=HALF, n_neg=HALF)
        rows.append(
            [
                *(found.f, found.g, *(f"{value:.4f}" for value in degrees)),
                "yes" if found.strictly_consistent else "no",
                found.f
                if found.strictly_more_discriminating
                else found.g
                if turned.strictly_more_discriminating
                else "neither",
                found.f if found.f_is_better else found.g if turned.f_is_better else "neither",
            ]
        )
    return rows


def scored_rows() -> list[list[str]]:
    """Return every two shipped measures over the same drawn lists of ten and ten with scores."""
    rows: dict[tuple[str, str], list[str]] = {}
    for i, scores in enumerate(("uniform", "calibrated")):
        lists = rs.random_lists(n_pos=10, n_neg=10, scores=scores)
        labels, drawn = lists.draw(2 * PAIRS, np.random.default_rng(SEED + i))
        found = [find_criterion("f", name) for name in SCORED]
        values = {c.label: measure_lists(c, labels, drawn, 2).reshape(-1, 2) for c in found}
        for f, g in combinations(values, 2):
            result = rs.compare_measures(values[f], values[g])  # one pair of lists a row
            row = rows.setdefault((f, g), [f, g])
            # A measure of real scores never ties with chance above 0.
            row += [f"{result.consistency:.3f}", f"{result.discriminancy:.3g}"]
    return list(rows.values())


def cutoff_rows() -> list[list[str]]:
    """Return where the profit given AUC is ahead of that given accuracy, by length of the list."""
    rows = [[f"{value:g}"] for value in AHEAD]
    for half in HALVES:
        cuts = [count_cut((half, depth)) for depth in range(1, half + 1)]
        for row, value in zip(rows, AHEAD, strict=True):
            pair = round(value * half**2) - int(cuts[0].pairs[0])
            most = max(cut.depth for cut in cuts if signs_of_cut(cut)[pair - 1] > 0)
            row.append(f"{most} of {2 * half} ({most / (2 * half):.3f})")
    return [[*row, f"{ahead_below(v):.4f}"] for row, v in zip(rows, AHEAD, strict=True)]


def tables() -> str:
    """Return all tables as Markdown."""
    lines = [
        f"Generated by `docs/evidence/measures.py` (seed {SEED}, {PAIRS} pairs) with rocstats "
        f"{rs.__version__}, numpy {np.__version__}, Python {platform.python_version()}; do not "
        "edit below the line.",
        "",
        "### AUC against accuracy, all balanced lists",
        "",
        "The limits are C 5/6 = 0.8333, D / n 0.5774 and E n^2 4.4106; the first-order term of C",
        "is 0.3761 / sqrt(n).",
        "",
        *table(
            ("n", "C", "sqrt(n) (C - 5/6)", "n (2/3 - (R - S) / Z)", "D", "D / n", "E", "E n^2"),
            (balanced_row(n) for n in LENGTHS),
        ),
        f"### AUC against other cuts, all lists of {LONG}",
        "",
        "*predicted* is the share of the list that is predicted positive; *first order* is the",
        "limit of C with its first correction.",
        "",
        *table(
            (
                *("predicted", "positive", "rho", "C", "first order", "limit"),
                *("D / n", "limit", "E n^2", "limit"),
            ),
            (cut_row(*cut) for cut in CUTS),
        ),
        "### Other measures, all lists of 10 positives and 10 negatives",
        "",
        *table(("f", "g", "C", "D", "E"), pair_rows()),
        "### Every shipped measure of a ranking with every other, all lists of 7 and 7",
        "",
        "Exact: 3432 lists, 5887596 pairs; "
        "*strictly* are the paper's Definitions 1 and 2, *better*",
        "its Definition 6.",
        "",
        *table(
            (
                *("f", "g", "C", "D", "E"),
                *("strictly consistent", "strictly more discriminating", "better"),
            ),
            ranked_rows(),
        ),
        "### Profit given AUC against profit given accuracy: "
        "the largest cut-off where AUC is ahead",
        "",
        "Exact, over all lists with that AUC; the limit is that of "
        "Theorem 4. Section V of the paper",
        "says one half.",
        "",
        *table(
            ("AUC or accuracy", *(f"{2 * half} examples" for half in HALVES), "limit"),
            cutoff_rows(),
        ),
        "### Every shipped measure with every other, scored lists of 10 and 10",
        "",
        "Uniform scores that know nothing, and calibrated probabilities (`rs.random_lists`); the",
        "same lists for all pairs of measures. "
        "The Monte-Carlo standard error of C is at most 0.003.",
        "D is inf where g ties and f never does, nan where neither ever ties.",
        "",
        *table(("f", "g", "C, uniform", "D", "C, calibrated", "D"), scored_rows()),
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the tables into the page beside this file."""
    path, made = Path(__file__).with_suffix(".md"), tables()
    text, line, _ = path.read_text(encoding="utf-8").partition("\n---\n")
    path.write_text(f"{text}{line}\n{made}", encoding="utf-8")


if __name__ == "__main__":
    main()
