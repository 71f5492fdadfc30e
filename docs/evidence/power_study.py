"""Make ``power_study.md``: efficiencies derived, and simulated beside them.

Run it with ``python docs/evidence/power_study.py`` (some minutes; under 10 of one core). The seed
is fixed.
"""

import platform
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy

import rocstats as rs
from rocstats.studies.power_words import tallies, verdict
from rocstats.studies.presets import PRESETS

SEED = 20250611
REPLICATES = 5000
CLEAR = 3  # standard errors
LARGER = 8
SIZES = ((500, 500), (250, 750), (750, 250))
SMALL = ((5, 5), (10, 10), (25, 25), (5, 15), (15, 45), (15, 5), (45, 15))
SMALL_REPLICATES = 1000
NULLS = {"sauc": "normal approximation", "sauc-permutation": "permutation"}
ALTERNATIVES = (
    ("normal", "location"),
    ("uniform", "location"),
    ("logistic", "location"),
    ("t5", "location"),
    ("laplace", "location"),
    ("t3", "location"),
    ("exponential", "location"),
    ("lognormal", "location"),
    ("exponential", "scale"),
    ("gamma", "scale"),
    ("normal", "lehmann"),
)

FIRST = r"""
## Which sAUC test, and what changes

In `rs.power_study` the test named `sauc` takes its p-values from the **normal approximation** with
exact permutation moments; `sauc-permutation` takes them from 999 relabelings, which is what
`rs.two_sample_test` does by default (all relabelings where these are few). Every row of a study
says so (`null_distribution`), and so do the labels of pages and pictures. The preset runs both. WMW
(`auc`) is by its normal approximation.
"""

TEXT = r"""
## Size beside power

`rs.power_study` draws every design and its *null counterpart*, in which positives follow the law of
the negatives, and counts how often each test rejects. A liberal test rejects more under both, so
the power alone would flatter it. Size-adjusted power repairs that: it is the power of the test
whose critical value is the empirical null quantile of its p-values, which is the height of the ROC
curve of the p-values (design against null) at the false positive rate of the level. Where p-values
tie at the limit the test is randomised. Standard errors count the replicates of both:

    var = var(hit) / R + slope^2 var(null hit) / R0,     slope = d power / d size

Tests share their samples, so differences have the standard errors of pairs.

```python
import rocstats as rs

design = rs.two_sample_design("exponential", "scale", n_pos=15, n_neg=45)  # WMW power about .6
tests = ["auc", "sauc", "sauc-permutation", "t"]
study = rs.power_study(design, tests=tests, n_replicates=4000, rng=1, n_jobs=-1)
study.to_frame()
study.plot("difference")
```

    rocstats study power --preset sauc-vs-wmw --quick -o study        a minute or two
    rocstats study power --preset sauc-vs-wmw -o study --checkpoint study.jsonl        half an hour

The second call takes some 13 minutes of one core, most of them for relabelings. The page kept in
[`docs/studies/sauc-vs-wmw/`](../studies/sauc-vs-wmw/study.html) has both tests by sAUC,
size-adjusted first.

## What sAUC tests, in the limit

Let `m` positives `Y` and `n` negatives `X` have the law F, `lambda = m/N`, and write
`k1(z) = E(z - Z)_+`, `k0(z) = E(Z - z)_+` and `a(z) = E|z - Z| = k1 + k0`. The projection of sAUC,
`S = mean (Y_i - X_j)_+`, is `mean k1(Y) + mean k0(X)` plus a constant. Its permutation mean, half
the Gini mean difference of the pool, is a one-sample U-statistic with the projection
`(1/N) sum a(Z)`. So

    S - GMD/2  ~  mean over Y of (k1 - lambda a)  +  mean over X of (k0 - (1 - lambda) a)
               =  mean over Y of phi*  -  mean over X of phi*,
    phi*(z)    =  (1 - lambda) k1(z) - lambda k0(z)  =  [ (z - mu) + (1 - 2 lambda) a(z) ] / 2.

With equal sizes the second term vanishes and sAUC is, in the limit, the t test. With few positives
`phi*` becomes `k1`: an upper-tail detector, which gains where the smaller group has the longer tail
and loses where it is less spread out. The two-sided test takes the larger of two such statistics,
so with unequal sizes it has no single efficiency; the numbers below are one-sided.

## Pitman efficiencies

A linear statistic with score phi has, along a family of alternatives with parameter t, the efficacy

    e(phi) = ( d/dt E_t phi )^2 / var phi,        ARE(sAUC, WMW) = e(phi*) / e(F),

as the score of Wilcoxon-Mann-Whitney is F itself, with variance 1/12. The derivative is

| alternative | d/dt E phi |
|---|---|
| location | E phi'(Z) |
| scale | E Z phi'(Z) |
| Lehmann F^k at k = 1 | E phi(Z) (1 + log F(Z)) |
| first shape parameter of a beta or gamma law | E phi(Z) (log Z - E log Z) |

with `phi' = f` for WMW, 1 for t, and `1 + (1 - 2 lambda)(2F - 1)` for sAUC. Equal sizes, by hand:

* location: `ARE = 1 / (12 sigma^2 (integral f^2)^2)`: normal pi/3 = 1.047, uniform 1, logistic
  9/pi^2 = 0.912, Laplace 2/3, exponential 1/3;
* exponential scale: t has (E Z)^2 / var Z = 1 and WMW 12 (integral z exp(-2z))^2 = 12/16: 4/3;
* gamma(2) scale: t has 4/2 and WMW 12 (integral z^3 exp(-2z))^2 = 12 (3/8)^2: 32/27 = 1.185.

All others are by quadrature (`rs.pitman_efficiency`) over quantiles with evenly spaced logits.

## Theory and simulation
"""

AFTER = r"""
Shifts of laws with an edge (uniform, exponential) or a steep side (lognormal) approach their limit
slowly, as the effect must be small against the edge, not against the standard deviation. Small
samples are farther from the limit; the page of the full study draws every efficiency by size.

## Big runs

* **Workers.** `n_jobs=` counts joblib workers. Chunks of 250 replicates have random streams of
  their own (`SeedSequence`, keyed by seed, design and chunk), so 1, 2 or 64 workers give the same
  numbers, and a design has the same numbers in any study.
* **Ctrl-C** gives what is finished, with an `InterruptedStudyWarning`. All designs advance
  together, so every row is there, with fewer replicates.
* **Checkpoint.** `checkpoint="study.jsonl"` writes each finished chunk as a line; the same call
  goes on from there, and a call with more replicates adds to it. A file of another study is
  refused.
* **Progress.** A bar on a terminal; in a log, after half a minute, a line every half a minute.
* **Clusters.** The backend is yours; leave `n_jobs` at None or -1.

```python
import joblib
from dask.distributed import Client            # tested against a local cluster

with Client("scheduler:8786"), joblib.parallel_config(backend="dask"):
    rs.power_study(designs, n_replicates=100_000, rng=1, n_jobs=-1)

from ray.util.joblib import register_ray       # Ray (2.60 gave the same bits)
register_ray()
with joblib.parallel_config(backend="ray"):
    rs.power_study(designs, n_replicates=100_000, rng=1, n_jobs=-1)

from joblibspark import register_spark         # Spark 4.3, by joblibspark (the same bits)
register_spark()
with joblib.parallel_config(backend="spark", n_jobs=64):
    rs.power_study(designs, n_replicates=100_000, rng=1, n_jobs=None)
```

Workers need rocstats installed. A backend that cannot hand over results as they finish, as Ray and
Spark, is given the chunks in rounds, and the checkpoint grows with each. A worker that is killed
ends the study with a `LostWorkersError`; the checkpoint keeps what was finished.
"""


def small_samples() -> list[str]:
    """Return both tests by sAUC against WMW in small samples: size-adjusted first, then size."""
    preset = PRESETS["sauc-vs-wmw"]
    designs = replace(preset, sizes=SMALL).designs()
    study = rs.power_study(
        designs,
        tests=["auc", *NULLS],
        n_replicates=SMALL_REPLICATES,
        rng=preset.seed,
        n_jobs=-1,
    )
    rows = study.rows()
    lines = [
        f"The preset's {len(preset.alternatives)} alternatives at sizes up to 60, "
        f"{SMALL_REPLICATES} replicates of each design and of its null (seed {preset.seed}). "
        "Size-adjusted: an alternative is won or lost where the mean difference to WMW over the "
        "sizes of a kind exceeds three Monte-Carlo standard errors.",
        "",
        "| sizes | "
        + " | ".join(f"{words}: won, lost, undecided" for words in NULLS.values())
        + " |",
        "|---" * (1 + len(NULLS)) + "|",
    ]
    counted = tallies(rows, list(NULLS))[: -len(NULLS)]  # all sizes together are on the kept page
    for words in dict.fromkeys(row["sizes"] for row in counted):
        cells = [
            f"{row['won']}, {row['lost']}, {row['undecided']}"
            for row in counted
            if row["sizes"] == words
        ]
        lines.append(f"| {words[0].lower()}{words[1:]} | {' | '.join(cells)} |")
    lines += ["", "Then the size itself, at the nominal .05, over the families of the null:", ""]
    lines += [
        "| positives/negatives | WMW | "
        + " | ".join(f"sAUC, {words}" for words in NULLS.values())
        + " | power of sAUC without adjustment: normal less permutation, mean (points) |",
        "|---" * (3 + len(NULLS)) + "|",
    ]
    for m, n in SMALL:
        mine = [row for row in rows if (row["n_pos"], row["n_neg"]) == (m, n)]
        cells = []
        for test in ("auc", *NULLS):
            sizes = [row["size"] for row in mine if row["test"] == test]
            cells.append(f"{min(sizes):.3f} to {max(sizes):.3f}")
        first, second = ([row["power"] for row in mine if row["test"] == test] for test in NULLS)
        gap = 100.0 * (np.mean(first) - np.mean(second))
        lines.append(f"| {m}/{n} | {' | '.join(cells)} | {gap:+.1f} |")
    error = (0.05 * 0.95 / SMALL_REPLICATES) ** 0.5
    return [
        *lines,
        "",
        f"A size of .05 has a Monte-Carlo standard error of {error:.3f}. In words:",
        "",
        *(f"* {sentence}" for sentence in verdict(study)[:2]),
    ]


def efficiencies(designs: list[rs.TwoSampleDesign]) -> dict[rs.TwoSampleDesign, dict[str, Any]]:
    """Return the rows of sAUC, one-sided, by design."""
    study = rs.power_study(
        designs,
        tests=["auc", "sauc"],
        alternative="greater",
        n_replicates=REPLICATES,
        rng=SEED,
        n_jobs=-1,
    )
    rows = [row for row in study.rows() if row["test"] == "sauc"]
    return {cell.design: row for cell, row in zip(study.cells, rows, strict=True)}


def simulated(row: dict[str, Any]) -> str:
    """Return an efficiency with its standard error."""
    return f"{row['efficiency']:.3f} ({row['efficiency_std_error']:.3f})"


def tables() -> list[str]:
    """Return theory and simulation, and larger samples where the two are apart."""
    designs = {
        (family, alternative, size): rs.two_sample_design(
            family, alternative, n_pos=size[0], n_neg=size[1]
        )
        for family, alternative in ALTERNATIVES
        for size in SIZES
    }
    found = efficiencies(list(designs.values()))
    head = " | ".join(f"{m}/{n}: ARE | simulated" for m, n in SIZES)
    lines = [f"| alternative | {head} |", "|---" * (1 + 2 * len(SIZES)) + "|"]
    for kind in ALTERNATIVES:
        rows = [found[designs[*kind, size]] for size in SIZES]
        cells = [f"{row['asymptotic_efficiency']:.3f} | {simulated(row)}" for row in rows]
        lines.append(f"| {rows[0]['design']} | {' | '.join(cells)} |")
    apart = {
        kind: found[design]
        for kind, design in designs.items()
        if abs(found[design]["efficiency"] - found[design]["asymptotic_efficiency"])
        > CLEAR * found[design]["efficiency_std_error"]
    }
    lines += [
        "",
        f"Of these {len(found)} numbers, {len(apart)} are more than {CLEAR} Monte-Carlo standard "
        f"errors from their limit. With {LARGER} times the subjects:",
        "",
        f"| alternative | positives/negatives | ARE | simulated | {LARGER} times |",
        "|---|---|---|---|---|",
    ]
    larger = {
        (family, alternative, size): rs.two_sample_design(
            family, alternative, n_pos=LARGER * size[0], n_neg=LARGER * size[1]
        )
        for family, alternative, size in apart
    }
    again = efficiencies(list(larger.values()))
    for kind, row in apart.items():
        m, n = kind[2]
        limit = f"{row['asymptotic_efficiency']:.3f}"
        cells = [row["design"], f"{m}/{n}", limit, simulated(row), simulated(again[larger[kind]])]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Write the page beside this file."""
    head = [
        "# Power of two-sample tests",
        "",
        "Generated by `docs/evidence/power_study.py` "
        f"(seed {SEED}, {REPLICATES} replicates a design) with "
        f"rocstats {rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit.",
    ]
    note = (
        "Efficiency of sAUC against WMW, one-sided, at positives/negatives; in brackets the "
        "Monte-Carlo standard error."
    )
    page = "\n".join([*head, FIRST, *small_samples(), TEXT, note, "", *tables(), AFTER])
    Path(__file__).with_suffix(".md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
