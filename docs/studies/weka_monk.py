"""Make ``weka_monk.csv``: what the gain of Table 4 on Monk1 and Monk2 hangs on, with Weka's J48.

Run it with ``python docs/studies/weka_monk.py`` where Weka is (a minute or two of processor time);
the sets are made from their rules, so it needs no data. ``docs/evidence/weka.py`` shows the table.
"""

import csv
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from rocstats.arrays import Floats
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.data_sets.loading import load_set
from rocstats.papers.learners import weka_learners
from rocstats.papers.learners.weka_machine import require_weka
from rocstats.papers.row_areas import MEASURES, auc_rows
from rocstats.papers.wu_flach_ferri_2007.selection_runs import Plan, mean_and_error, split, subsets

SEED = 7
REPETITIONS = 1000
C44 = ("-U", "-A")
# what is changed: options of J48, share of the other half that validates, attributes removed
SETTINGS = {
    "as in Table 4: J48 -U -A, 10% for validation": (C44, 0.2, 3),
    "the tree is not collapsed (-U -A -O)": ((*C44, "-O"), 0.2, 3),
    "binary splits (-U -A -B)": ((*C44, "-B"), 0.2, 3),
    "no Laplace's correction (-U)": (("-U",), 0.2, 3),
    "pruned (-A)": (("-A",), 0.2, 3),
    "5% for validation, 45% for the test": (C44, 0.1, 3),
    "20% for validation, 30% for the test": (C44, 0.4, 3),
    "two attributes removed": (C44, 0.2, 2),
}


def repeated(
    data: BenchSet, options: tuple[str, ...], share: float, removed: int
) -> Iterator[list[float]]:
    """Yield the test AUCs of the models that sAUC and AUC choose."""
    weka_learners.SCHEMES = {"c4.4": ("weka.classifiers.trees.J48", options)}
    scores_of = weka_learners.WEKA_SUBSET_LEARNERS["c4.4"](data)
    plan = Plan(repetitions=REPETITIONS, validation=(share,), removed=removed)
    rng = np.random.default_rng(SEED)
    y = data.y.astype(np.float64)
    for _ in range(REPETITIONS):
        train, others = split(rng, y, plan)
        scores = scores_of(train, others, subsets(rng, len(data.levels), plan), 0)
        labels, cut = y[others], max(2, round(share * others.size))
        areas = auc_rows(scores[:, cut:], labels[None, cut:])
        yield [
            float(areas[np.argmax(np.round(MEASURES[m](scores[:, :cut], labels[None, :cut]), 12))])
            for m in ("sauc", "auc")
        ]


def row(name: str, what: str, data: BenchSet, found: Floats) -> dict[str, str]:
    """Return a row of the table."""
    gain, error = mean_and_error(100.0 * (found[:, 0] - found[:, 1]))
    return {
        "set": name,
        "setting": what,
        "rows": str(data.n),
        "gain": f"{gain:.4f}",
        "gain_std_error": f"{error:.4f}",
        "auc": f"{100.0 * found[:, 1].mean():.4f}",
        "repetitions": str(REPETITIONS),
        "seed": str(SEED),
    }


def main() -> None:
    """Write the table beside this file."""
    require_weka("The table")
    start, rows = time.process_time(), []
    for label, name in (("Monk1", "monk1"), ("Monk2", "monk2")):
        data = load_set(name, r=False)
        if not isinstance(data, BenchSet):
            raise TypeError(f"{label} is not here: {data.reason}")
        for what, setting in SETTINGS.items():
            rows.append(row(label, what, data, np.array(list(repeated(data, *setting)))))
        once = np.unique(data.X, axis=0, return_index=True)[1]
        each = replace(data, X=data.X[once], y=data.y[once], target=data.target[once])
        plain = np.array(list(repeated(each, *SETTINGS[next(iter(SETTINGS))])))
        rows.append(row(label, "each of the possible rows once", each, plain))
    with Path(__file__).with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
