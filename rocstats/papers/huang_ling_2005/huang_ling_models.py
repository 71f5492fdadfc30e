"""Huang & Ling (2005), Tables XIV to XVIII: naive Bayes, C4.4, C4.5 and SVM on real data."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from rocstats.errors import MissingDependencyError, require_library
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.huang_ling_2005.fold_areas import (
    METHODS,
    TUNING_ROWS,
    fold_mean,
    fold_sd,
    run_fold_areas,
)
from rocstats.papers.huang_ling_2005.huang_ling_claims import (
    FEWEST,
    accuracy_claims,
    area_claims,
    consistency_claims,
    printed_claims,
    printed_p,
    svm_claims,
)
from rocstats.papers.huang_ling_2005.huang_ling_printed import (
    BINARY,
    PLUS_MINUS,
    SETS,
    TABLE_XV,
    TABLE_XVI,
    TABLE_XVII,
    TABLE_XVIII,
)
from rocstats.papers.paper import (
    PaperFigure,
    PaperResult,
    PaperTable,
    Settings,
)
from rocstats.papers.paper_sets import load_paper_data

__all__ = ["run"]

_QUICK_SETS = (
    *("iris", "wine", "credit", "dermatology", "echocardio", "eco", "heart", "hepatitis"),
    *("import", "solar"),
)
_QUICK_SVM = ("echocardio", "hepatitis")
_PAIRS = (("C4.4", "NB"), ("C4.5", "NB"), ("C4.5", "C4.4"))

_PROTOCOL = (
    "Tables XV to XVIII: one 10-fold cross-validation of each set, the same folds for "
    "every learner; numbers are cut into intervals by entropy and minimum description "
    "length first.",
    "C4.4 is a CART tree by entropy, unpruned, two rows in a leaf, Laplace's correction; "
    "C4.5 is the same tree pruned by Quinlan's error limit at 25%, with raw shares. "
    "Neither has C4.5's gain ratio or splits of many branches.",
    "The SVM has a Gaussian kernel and takes the codes of intervals as numbers scaled to "
    "[-1, 1]; C and gamma by accuracy in three folds of the training rows, "
    f"{TUNING_ROWS} of them at most.",
    "Means over sets are compared by the two-sided paired t-test over sets.",
)

Rows = list[dict[str, Any]]


def run(settings: Settings, *, discretise: str = "all") -> PaperResult:
    """Run Tables XIV to XVIII.

    Parameters
    ----------
    settings : what the user chose
    discretise : "all" takes the cut points from all rows before the folds are made, as the paper
        tells it; "training" from the training rows of each fold
    """
    start = time.perf_counter()
    try:
        require_library("sklearn", "A learner of this paper", "ml")
    except MissingDependencyError as reason:
        return PaperResult(
            name="huang-ling-2005",
            claims=printed_claims(),
            tables=(),
            left_out={"Tables XIV to XVIII": str(reason)},
        )
    data = load_paper_data(
        "huang-ling-2005", settings, only=_QUICK_SETS if settings.quick else None
    )
    sets = {_ours(label): found for label, found in data.sets.items()}
    with_svm = [
        name for name in sets if name in BINARY and (not settings.quick or name in _QUICK_SVM)
    ]
    folds = run_fold_areas(sets, settings, binary=BINARY, svm=with_svm, discretise=discretise)
    xv = _table_rows(TABLE_XV, "XV", {m: (m, "accuracy") for m in METHODS}, folds)
    xvi = _table_rows(TABLE_XVI, "XVI", {m: (m, "auc") for m in METHODS}, folds)
    xvii = _table_rows(TABLE_XVII, "XVII", {m: ("SVM", m) for m in ("accuracy", "auc")}, folds)
    xviii = _consistency_rows(folds)
    return PaperResult(
        name="huang-ling-2005",
        claims=(
            *printed_claims(),
            *accuracy_claims(folds),
            *area_claims(folds),
            *svm_claims(folds),
            *consistency_claims(xviii, len(sets)),
        ),
        tables=(
            _table_xiv(sets),
            _table("table-15", "Table XV: accuracy in percent, mean over ten folds", xv),
            _table("table-16", "Table XVI: AUC in percent, mean over ten folds", xvi),
            _table("table-17", "Table XVII: accuracy and AUC of the SVM, in percent", xvii),
            _table("table-18", "Table XVIII: accuracy and AUC on test folds", xviii),
            _table("folds", "Every fold", folds),
        ),
        figures=(_figure(xvi),),
        protocol=_PROTOCOL,
        data=data.uses,
        choices=_choices(discretise),
        left_out=dict(data.left_out),
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
    )


def _choices(discretise: str) -> dict[str, str]:
    return {
        "Discretisation": "cut points from all rows before the folds, as the paper tells it; "
        "that lets the test rows in."
        if discretise == "all"
        else "cut points from the training rows of each fold.",
        "Folds": "stratified by class; the paper does not say.",
        "AUC of several classes": "Hand & Till's, over the pairs of classes that a test fold has.",
        "t-test": "over sets; on the printed rows it gives what the paper finds (AUC: NB and "
        f"C4.4 p {printed_p('NB', 'C4.4')}, NB and C4.5 p {printed_p('NB', 'C4.5')}, C4.4 "
        f"and C4.5 p {printed_p('C4.4', 'C4.5')}).",
        "Plus-minus": "the paper does not say what it is; ours is the standard deviation over "
        "the folds.",
        "Equal on a test fold": "exactly equal; the paper says 'in the paired t-test', which "
        "one test fold does not allow.",
        "Verdicts on averages": f"need {FEWEST['all']} of 18 sets, and {FEWEST['svm']} of 13 "
        "for the SVM.",
        "Verdicts on Table XVIII": "C and D by their direction; the sizes of D and E by Fisher's "
        "exact test of the counts, and their orders over the pairs of learners, apart.",
    }


def _ours(label: str) -> str:
    return "ecoli" if label == "eco" else label  # Table XIV has eco, the others ecoli


def _table_rows(
    printed: Mapping[str, tuple[float, ...]],
    number: str,
    columns: Mapping[str, tuple[str, str]],
    folds: Rows,
) -> Rows:
    """Return a row for each set and two for the averages, print beside ours.

    Parameters
    ----------
    printed, number : the table's means and its number
    columns : learner and measure of each of its columns
    folds : what was run
    """
    rows: Rows = []
    for label, values in printed.items():
        row: dict[str, Any] = {"set": f"{label} as printed" if label == "average" else label}
        spread = PLUS_MINUS[number].get(label, (None,) * len(values))
        for (name, found), value, sd in zip(columns.items(), values, spread, strict=True):
            row |= {
                f"{name}_printed": value,
                name: fold_mean(folds, label, *found),
                f"{name}_sd_printed": sd,
                f"{name}_sd": fold_sd(folds, label, *found),
            }
        rows.append(row)
    ran = [row for row in rows if row[next(iter(columns))] is not None]
    last: dict[str, Any] = {"set": f"average of {len(ran)} sets here"}
    for name in columns:
        last |= {f"{name}_printed": _average(ran, f"{name}_printed"), name: _average(ran, name)}
    return [*rows, dict.fromkeys(rows[0]) | last]


def _average(rows: Rows, column: str) -> float | None:
    return float(np.mean([row[column] for row in rows])) if rows else None


def _consistency_rows(folds: Rows) -> Rows:
    """Return Table XVIII: how accuracy and AUC agree on which of two learners is better."""
    by = {(row["set"], row["fold"], row["method"]): row for row in folds}
    places = list(dict.fromkeys((row["set"], row["fold"]) for row in folds))
    rows: Rows = []
    for first, second in _PAIRS:
        counts = dict.fromkeys(("same", "other", "auc_only", "accuracy_only", "neither"), 0)
        for place in places:
            a, b = by[(*place, first)], by[(*place, second)]
            if math.isnan(a["auc"]) or math.isnan(b["auc"]):
                continue
            signs = [int(np.sign(round(a[name] - b[name], 12))) for name in ("accuracy", "auc")]
            counts[_agreement(*signs)] += 1
        rows.append(_consistency_row(f"{first} vs. {second}", counts))
    return rows


def _agreement(accuracy: int, area: int) -> str:
    if accuracy and area:
        return "same" if accuracy == area else "other"
    if area:
        return "auc_only"
    return "accuracy_only" if accuracy else "neither"


def _consistency_row(pair: str, counts: Mapping[str, int]) -> dict[str, Any]:
    printed = dict(zip(counts, TABLE_XVIII[pair][:5], strict=True))
    c, d, e = TABLE_XVIII[pair][5:]
    total = sum(counts.values())
    both = counts["same"] + counts["other"]
    row: dict[str, Any] = {"pair": pair}
    for name, count in counts.items():
        row |= {f"{name}_printed": printed[name], name: count}
    ratio = counts["auc_only"] / counts["accuracy_only"] if counts["accuracy_only"] else math.inf
    return row | {
        "consistency_printed": c,
        "consistency": counts["same"] / both if both else None,
        "discriminancy_printed": d,
        "discriminancy": ratio if counts["auc_only"] else None,
        "indifferency_printed": e,
        "indifferency": counts["neither"] / total if total else None,
        "folds": total,
    }


def _table_xiv(sets: Mapping[str, BenchSet]) -> PaperTable:
    rows: Rows = []
    for label, (attributes, classes, n) in SETS.items():
        found = sets.get(label)
        rows.append(
            {
                "set": label,
                "attributes_printed": attributes,
                "attributes": None if found is None else len(found.columns),
                "classes_printed": classes,
                "classes": None
                if found is None
                else 2  # as they are grouped
                if label in BINARY
                else len(found.classes),
                "rows_printed": n,
                "rows": None if found is None else found.n,
            }
        )
    return _table("table-14", "Table XIV: the data sets", rows)


def _table(name: str, title: str, rows: Rows) -> PaperTable:
    return PaperTable(name=name, title=title, rows=tuple(rows))


def _figure(rows: Rows) -> PaperFigure:
    ran = [row for row in rows if row["set"] in SETS and row["NB"] is not None]

    def draw(ax: Any) -> object:
        from rocstats.plots.series_plot import draw_marks

        series = {
            "naive Bayes less C4.5, printed": [r["NB_printed"] - r["C4.5_printed"] for r in ran],
            "naive Bayes less C4.5, ours": [r["NB"] - r["C4.5"] for r in ran],
        }
        return draw_marks(
            [r["set"] for r in ran], series, ax, y_label="Difference in AUC, points", level=0.0
        )

    return PaperFigure(
        name="table-16",
        title="Table XVI: AUC of naive Bayes less that of C4.5",
        alt="For each data set the printed difference and ours; the numbers are in table-16.csv.",
        draw=draw,
        size=(7.2, 4.2),
    )
