"""Huang & Ling (2005): what Tables XV to XVIII are said to show, judged."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from rocstats.papers.huang_ling_2005.fold_areas import METHODS, fold_mean
from rocstats.papers.huang_ling_2005.huang_ling_printed import (
    BINARY,
    TABLE_XV,
    TABLE_XVI,
    TABLE_XVII,
    TABLE_XVIII,
    TEXT_AVERAGES,
)
from rocstats.papers.paper import Claim, verdict_of
from rocstats.tables import show_p

__all__ = [
    "FEWEST",
    "accuracy_claims",
    "area_claims",
    "consistency_claims",
    "printed_claims",
    "printed_p",
    "svm_claims",
]

FEWEST = {"all": 9, "svm": 7}  # of 18 and of 13 sets, for a verdict on their averages

_COUNTS = ("same", "other", "auc_only", "accuracy_only", "neither")

Rows = list[dict[str, Any]]


def printed_claims() -> tuple[Claim, ...]:
    """Return whether the printed averages and counts add up."""
    wrong = []
    tables = (("Table XV", TABLE_XV), ("Table XVI", TABLE_XVI), ("Table XVII", TABLE_XVII))
    for name, table in tables:
        rows = np.array([values for label, values in table.items() if label != "average"])
        # a row is off by .05 at most, and so is their mean; the printed mean by .05 again
        if (np.abs(rows.mean(axis=0) - np.array(table["average"])) > 0.1).any():
            wrong.append(name)
    for name, measure in (("Table XV", "accuracy"), ("Table XVI", "auc")):
        source = TABLE_XV if measure == "accuracy" else TABLE_XVI
        rows = np.array([source[label] for label in BINARY])
        if (np.abs(rows.mean(axis=0) - np.array(TEXT_AVERAGES[measure])) > 0.1).any():
            wrong.append(f"the text on {name}")
    counts_add = all(sum(values[:5]) == 180 for values in TABLE_XVIII.values())
    ratios = all(
        abs(v[0] / (v[0] + v[1]) - v[5]) < 0.00051
        and abs(v[2] / v[3] - v[6]) < 0.051
        and abs(v[4] / 180 - v[7]) < 0.00051
        for v in TABLE_XVIII.values()
    )
    return (
        Claim(
            text="Tables XV to XVII: averages over 18 and 13 sets",
            printed="86.4, 86.4, 86.6; 87.2, 86.2, 84.5; 87.8, 86.0",
            found=", ".join(wrong) or "they follow from the printed rows",
            verdict="misprint" if wrong else "reproduced",
        ),
        Claim(
            text="Table XVIII: counts, C, D and E",
            printed="180 test folds in each column",
            found="they add up" if counts_add and ratios else "they do not add up",
            verdict="reproduced" if counts_add and ratios else "misprint",
        ),
        Claim(
            text="Section IV-D: the indifferency of C4.5 against NB is 0.105",
            printed="0.105 in the text, 0.106 in Table XVIII",
            found="19/180 = 0.1056",
            verdict="misprint",
            why="The text cuts what the table rounds.",
        ),
    )


def printed_p(first: str, second: str) -> str:
    """Return the p-value of the t-test over the printed rows of Table XVI."""
    from scipy.stats import ttest_rel

    rows = [values for label, values in TABLE_XVI.items() if label != "average"]
    names = list(METHODS)
    a, b = ([row[names.index(name)] for row in rows] for name in (first, second))
    return show_p(float(ttest_rel(a, b).pvalue))


def _t_test(folds: Rows, first: str, second: str, name: str, labels: list[str]) -> float | None:
    """Return the p-value of the paired t-test over sets."""
    from scipy.stats import ttest_rel

    pairs = [(fold_mean(folds, s, first, name), fold_mean(folds, s, second, name)) for s in labels]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    if len(known) < 2:
        return None
    a, b = np.array(known).T
    return float(ttest_rel(a, b).pvalue)


def _labels(folds: Rows, *, svm: bool = False) -> list[str]:
    rows = [row for row in folds if row["method"] == "SVM"] if svm else folds
    return list(dict.fromkeys(row["set"] for row in rows))


def _compared(
    text: str,
    folds: Rows,
    pairs: tuple[tuple[str, str], ...],
    name: str,
    *,
    differ: bool,
    svm: bool = False,
) -> Claim:
    """Return whether learners differ significantly over sets, as the paper says or denies."""
    labels = _labels(folds, svm=svm)
    fewest = FEWEST["svm" if svm else "all"]
    tests = {pair: _t_test(folds, *pair, name, labels) for pair in pairs}
    decided = len(labels) >= fewest
    higher = {
        (a, b): _over(folds, a, name, labels) > _over(folds, b, name, labels) for a, b in pairs
    }
    holds = decided and all(
        p is not None and ((p <= 0.05 and higher[pair]) if differ else p > 0.05)
        for pair, p in tests.items()
    )
    shown = [
        f"{a} {_over(folds, a, name, labels):.1f}, {b} {_over(folds, b, name, labels):.1f} (p "
        f"{show_p(p)})"
        for (a, b), p in tests.items()
        if p is not None
    ]
    return Claim(
        text=text,
        printed="significant" if differ else "not significant",
        found="; ".join(shown),
        verdict=verdict_of(holds, decided=decided),
        why=f"On {len(labels)} sets." if decided else f"{len(labels)} sets here; {fewest} needed.",
    )


def _over(folds: Rows, method: str, name: str, labels: list[str]) -> float:
    means = [fold_mean(folds, label, method, name) for label in labels]
    known = [mean for mean in means if mean is not None]
    return float(np.mean(known)) if known else math.nan


def accuracy_claims(folds: Rows) -> list[Claim]:
    """Return what is said of Table XV."""
    return [
        _compared(
            "Table XV: naive Bayes, C4.4 and C4.5 do not differ in accuracy",
            folds,
            tuple(combinations(METHODS, 2)),
            "accuracy",
            differ=False,
        )
    ]


def area_claims(folds: Rows) -> list[Claim]:
    """Return what is said of Table XVI."""
    return [
        _compared(
            "Table XVI: naive Bayes has a higher AUC than C4.5",
            folds,
            (("NB", "C4.5"),),
            "auc",
            differ=True,
        ),
        _compared(
            "Table XVI: C4.4 has a higher AUC than C4.5",
            folds,
            (("C4.4", "C4.5"),),
            "auc",
            differ=True,
        ),
        _compared(
            "Table XVI: naive Bayes and C4.4 do not differ in AUC",
            folds,
            (("NB", "C4.4"),),
            "auc",
            differ=False,
        ),
    ]


def svm_claims(folds: Rows) -> list[Claim]:
    """Return what is said of Table XVII."""
    others = tuple(("SVM", method) for method in METHODS)
    return [
        _compared(
            "Table XVII: the SVM does not differ in accuracy from the others",
            folds,
            others,
            "accuracy",
            differ=False,
            svm=True,
        ),
        _compared(
            "Table XVII: the SVM has a higher AUC than C4.5",
            folds,
            (("SVM", "C4.5"),),
            "auc",
            differ=True,
            svm=True,
        ),
        _compared(
            "Table XVII: the SVM does not differ in AUC from naive Bayes and C4.4",
            folds,
            others[:2],
            "auc",
            differ=False,
            svm=True,
        ),
    ]


def consistency_claims(rows: Rows, n_sets: int) -> list[Claim]:
    """Return what is said of Table XVIII: its direction, its sizes and its orders."""
    decided = n_sets >= FEWEST["all"]
    why = f"On {n_sets} sets of 18, ten folds each." if decided else _wanting(n_sets)
    holds = all(
        row["consistency"] is not None
        and row["consistency"] > 0.5
        and row["discriminancy"] is not None
        and row["discriminancy"] > 1.0
        for row in rows
    )
    direction = Claim(
        text="Table XVIII: on real data AUC is consistent with accuracy (C > 0.5) and more "
        "discriminating (D > 1)",
        printed=f"C {_shown(rows, 'consistency_printed', 3)}; "
        f"D {_shown(rows, 'discriminancy_printed', 1)}",
        found=f"C {_shown(rows, 'consistency', 3)}; D {_shown(rows, 'discriminancy', 1)}",
        verdict=verdict_of(holds, decided=decided),
        why=f"{why} Reproduced in direction; the sizes are judged apart.",
    )
    return [
        direction,
        _sizes("D", "discriminancy", rows, why, decided=decided),
        _sizes("E", "indifferency", rows, why, decided=decided),
        _order("D", "discriminancy", rows, why, decided=decided),
        _order("E", "indifferency", rows, why, decided=decided),
    ]


def _wanting(n_sets: int) -> str:
    return f"{n_sets} sets here; {FEWEST['all']} needed."


def _shown(rows: Rows, name: str, digits: int) -> str:
    return ", ".join(f"{row[name]:.{digits}f}" for row in rows if row[name] is not None)


def _sizes(letter: str, name: str, rows: Rows, why: str, *, decided: bool) -> Claim:
    """Return whether the counts behind a degree can be those in print, by exact tests."""
    from scipy.stats import fisher_exact

    tests = []
    for row in rows:
        table = [_parts(row, letter, "_printed"), _parts(row, letter, "")]
        tests.append(float(fisher_exact(np.array(table)).pvalue))
    return Claim(
        text=f"Table XVIII: the size of {letter} for the three pairs of learners",
        printed=_shown(rows, f"{name}_printed", 3 if letter == "E" else 1),
        found=f"{_shown(rows, name, 3 if letter == 'E' else 1)} (p "
        + ", ".join(show_p(p) for p in tests)
        + ")",
        verdict=verdict_of(min(tests) > 0.05, decided=decided),
        why=f"{why} Exact tests of the counts, print against ours; reproduced means p > .05 for "
        "all three pairs."
        + (
            " D in print rests on 2, 1 and 1 folds on which only accuracy differs."
            if letter == "D"
            else " The more test folds a pair of learners does equally well, the larger is E."
        ),
    )


def _parts(row: dict[str, Any], letter: str, suffix: str) -> list[int]:
    """Return the counts of a degree: its numerator, and what it is compared with."""
    counts = {name: row[f"{name}{suffix}"] for name in _COUNTS}
    if letter == "D":
        return [counts["auc_only"], counts["accuracy_only"]]
    return [counts["neither"], sum(counts.values()) - counts["neither"]]


def _order(letter: str, name: str, rows: Rows, why: str, *, decided: bool) -> Claim:
    """Return whether the pairs of learners come in the printed order of a degree."""
    orders = []
    for column in (f"{name}_printed", name):
        values = {row["pair"]: row[column] for row in rows}
        known = all(value is not None for value in values.values())
        orders.append(sorted(values, key=lambda p, v=values: -v[p]) if known else [])  # type: ignore[misc]
    return Claim(
        text=f"Section IV-D: {letter} is largest for C4.5 against C4.4, then C4.5 against NB, then "
        "C4.4 against NB",
        printed=" > ".join(orders[0]),
        found=" > ".join(orders[1]) or "not there for every pair",
        verdict=verdict_of(orders[0] == orders[1], decided=decided),
        why=why,
    )
