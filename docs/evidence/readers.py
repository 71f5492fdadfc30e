"""Size and power of reader studies under Roe & Metz models.

Run ``python docs/evidence/readers.py`` (some minutes) to write the tables of
``docs/evidence/readers.md``.
"""

from __future__ import annotations

import math
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import rocstats as rs

HERE = Path(__file__).parent
N_REPLICATES, N_USTAT = 600, 300
MU = 1.5  # AUC 0.856 of a reader
# Variances of case, test by case, reader by case and the rest: they add up to 1 (Roe & Metz, "H").
CASE, TEST_CASE, READER_CASE, REST = 0.3, 0.3, 0.2, 0.2
READERS = {"none": 0.0, "low": 0.0055, "high": 0.03}  # variance of readers, and of tests by readers
SIZES = ((3, 50), (5, 100), (10, 100))


def draw(
    rng: np.random.Generator, r: int, n: int, spread: float, design: str, shift: float = 0.0
) -> rs.ReaderStudy:
    """Draw a study of two tests with n cases of a class (for each reader, or test, if nested)."""
    groups = {"cases nested in readers": r, "cases nested in tests": 2, "split plot": 2}
    blocks = groups.get(design, 1)
    size = n * blocks
    positive = np.repeat([True, False], size)
    people = 2 * r if design == "readers nested in tests" else r
    truth = positive.astype(np.intp)
    reader = rng.normal(0.0, math.sqrt(spread), (people, 2))
    by_test = rng.normal(0.0, math.sqrt(spread), (2, people, 2))
    case = rng.normal(0.0, math.sqrt(CASE), 2 * size)
    test_case = rng.normal(0.0, math.sqrt(TEST_CASE), (2, 2 * size))
    reader_case = rng.normal(0.0, math.sqrt(READER_CASE), (people, 2 * size))
    ratings = rng.normal(0.0, math.sqrt(REST), (2, people, 2 * size))
    ratings += MU * positive + case + test_case[:, np.newaxis] + reader_case
    ratings += (reader + by_test)[:, :, truth]
    ratings[1] += shift * positive
    block = np.tile(np.arange(size) // n, 2)
    if design == "cases nested in readers":
        ratings[:, np.arange(r)[:, np.newaxis] != block] = np.nan
    elif design == "split plot":
        ratings[:, (np.arange(r) % 2)[:, np.newaxis] != block] = np.nan
    elif design == "cases nested in tests":
        for test in range(2):
            ratings[test][:, block != test] = np.nan
    elif design == "readers nested in tests":
        ratings[0, r:], ratings[1, :r] = np.nan, np.nan
    return rs.ReaderStudy(
        tests=("a", "b"),
        readers=tuple(f"r{j}" for j in range(people)),
        case=np.arange(2 * size),
        positive=positive,
        ratings=ratings,
        pos_label=1,
        neg_label=0,
    )


def share(rejected: list[bool]) -> tuple[float, float]:
    """Return a share and its Monte-Carlo standard error."""
    p = float(np.mean(rejected))
    return p, math.sqrt(p * (1.0 - p) / len(rejected))


def size_rows() -> list[dict[str, Any]]:
    """Simulate the size of the test with random and with fixed readers."""
    designs = ("factorial", "cases nested in readers", "cases nested in tests")
    designs += ("readers nested in tests", "split plot")
    rows = []
    for number, (design, (kind, spread), (r, n)) in enumerate(
        product(designs, READERS.items(), SIZES)
    ):
        if design != "factorial" and (kind == "none" or r == 10):
            continue
        if design == "split plot" and r > 3:  # U-statistics look at every two cells
            continue
        runs = N_USTAT if design == "split plot" else N_REPLICATES
        rng = np.random.default_rng([22, number])
        random, fixed, inside = [], [], []
        truth = auc_of(spread)
        for _ in range(runs):
            study = draw(rng, r, n // 2, spread, design)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rs.DegenerateVarianceWarning)
                found = rs.compare_readers(study)
                random.append(found.pairwise().pvalue < 0.05)
            fixed.append(rs.compare_readers(study, readers="fixed").pairwise().pvalue < 0.05)
            if design == "factorial":
                first = found.estimates[0]
                inside.append([truth in first.confidence_interval(method=m) for m in METHODS])
        p, error = share(random)
        q, other = share(fixed)
        row = {"design": design, "reader_variance": kind, "readers": r, "cases": n, "runs": runs}
        row |= {"size_random": p, "mc_random": error, "size_fixed": q, "mc_fixed": other}
        cover = np.mean(inside, axis=0) if inside else [math.nan] * 2
        row |= {f"coverage_{m}": c for m, c in zip(METHODS, cover, strict=True)}
        rows.append(row)
        print(row, flush=True)
    return rows


METHODS = ("wald", "logit")


def auc_of(spread: float) -> float:
    """Return the mean AUC of the model, over readers and cases."""
    from scipy.special import ndtr

    return float(ndtr(MU / math.sqrt(2.0 * (1.0 + 2.0 * spread))))


def power_rows() -> list[dict[str, Any]]:
    """Simulate power, and ask the formula with the mean components of the same studies."""
    from scipy.special import ndtr

    rows = []
    for number, (r, n, spread, shift) in enumerate(
        ((5, 100, 0.0055, 0.35), (5, 100, 0.03, 0.35), (10, 100, 0.0055, 0.3))
    ):
        rng = np.random.default_rng([23, number])
        rejected, parts = [], []
        for _ in range(N_REPLICATES):
            found = rs.compare_readers(draw(rng, r, n // 2, spread, "factorial", shift))
            rejected.append(found.pairwise().pvalue < 0.05)
            parts.append([found.components[name] for name in NAMES])
        mean = dict(zip(NAMES, np.mean(parts, axis=0).tolist(), strict=True)) | {"cases": n}
        wide = math.sqrt(2.0 * (1.0 + 2.0 * spread))
        effect = float(ndtr((MU + shift) / wide) - ndtr(MU / wide))
        planned = rs.power_readers(mean, difference=effect, readers=r, cases=n).power
        p, error = share(rejected)
        rows.append(
            {
                "readers": r,
                "cases": n,
                "reader_variance": spread,
                "difference": effect,
                "planned": planned,
                "simulated": p,
                "mc": error,
                "runs": N_REPLICATES,
            }
        )
        print(rows[-1], flush=True)
    return rows


NAMES = ("var", "cov1", "cov2", "cov3", "var_test_reader")


def tables(size: list[dict[str, Any]], power: list[dict[str, Any]]) -> str:
    """Return the tables of the page."""
    lines = [
        f"Share of null studies that are called different at the 5% level (Monte-Carlo standard "
        f"error), {N_REPLICATES} studies a row, {N_USTAT} for the split plot; coverage of the 95% "
        "interval of one test's mean:",
        "",
        "| design | reader variance | readers | cases | random readers | fixed readers "
        "| coverage wald | logit |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in size:
        cover = [row[f"coverage_{m}"] for m in METHODS]
        shown = ["" if math.isnan(c) else f"{c:.3f}" for c in cover]
        lines.append(
            f"| {row['design']} | {row['reader_variance']} | {row['readers']} | {row['cases']} "
            f"| {row['size_random']:.3f} ({row['mc_random']:.3f}) "
            f"| {row['size_fixed']:.3f} ({row['mc_fixed']:.3f}) | {shown[0]} | {shown[1]} |"
        )
    lines += [
        "",
        "Power of the formula, with the mean components of the simulated studies, beside how often "
        "they found the difference:",
        "",
        "| readers | cases | reader variance | difference | planned | simulated |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['readers']} | {row['cases']} | {row['reader_variance']:g} "
        f"| {row['difference']:.3f} | {row['planned']:.3f} "
        f"| {row['simulated']:.3f} ({row['mc']:.3f}) |"
        for row in power
    ]
    return "\n".join(lines)


def main() -> None:
    """Simulate, and write both tables into the page."""
    made = tables(size_rows(), power_rows())
    page = HERE / "readers.md"
    start, end = (
        "<!-- tables: made by docs/evidence/readers.py -->\n",
        "\n<!-- end of the tables -->",
    )
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(start)
    page.write_text(f"{head}{start}{made}{end}{rest.split(end.strip())[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
