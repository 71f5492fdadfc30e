"""Make ``midpoint_curve.md``: how often the band of `rs.midpoint_curve` holds the true curve.

Run it with ``python docs/evidence/midpoint_curve.py`` (two minutes). The seed is fixed;
``tests/curves/test_midpoints.py`` runs it at a reduced size.
"""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import scipy
from scipy import stats
from scipy.integrate import cumulative_simpson, simpson

import rocstats as rs

SEED = 20260302
REPLICATES = 4000
Z = 1.959963984540054
GRID = np.arange(1, 10) / 10
# Shapes of the beta laws of positives and negatives, and class sizes.
DESIGNS = (
    ((4, 2), (2, 4), 20, 20),
    ((4, 2), (2, 4), 50, 50),
    ((4, 2), (2, 4), 200, 200),
    ((2, 2), (1, 5), 30, 90),
    ((2, 2), (1, 5), 100, 300),
)
TEXT = """
`rs.midpoint_curve` gives the smAUC at every midpoint of a grid, with a band for all of them at
once, and the level that scores which tell nothing would reach there (`chance`), which moves with
the midpoint unless the classes are balanced.

```python
import rocstats as rs

curve = rs.midpoint_curve(y, probability, midpoints=[0.1, 0.3, 0.5, 0.7], class_weight="balanced")
curve.to_frame()
curve.plot()
```

    rocstats auc study.csv --outcome disease --measures smauc --midpoints 0.1,0.3,0.5,0.7,0.9

A report has it where scores are probabilities (`--scores probability`), below the smooth ROC curve.

* The band is **approximate**: the table shows what it holds. It is too narrow in small classes, and
  better than the pointwise interval taken for a band, which is much too narrow.
* It is for midpoints fixed beforehand. A midpoint that is estimated from the same data, as
  `midpoint="class_mean"`, has a variance of its own, which `rs.smauc` adds and this band does not.
* Limits are on the logit scale. Midpoints at which nothing varies have no limits, and no part in
  the critical value.
* The critical value is the quantile of the largest of correlated normal deviations. R's
  `mvtnorm::qmvnorm` (1.1-3) on the same four correlation matrices gave 2.380, 2.366, 2.402 and
  2.557, 200,000 draws here 2.378, 2.367, 2.404 and 2.561 (`tests/curves/test_midpoints.py`).
"""


def true_curve(
    pos: tuple[float, float], neg: tuple[float, float], prevalence: float, grid: np.ndarray = GRID
) -> np.ndarray:
    """Return the smAUC of infinitely many subjects at every midpoint, by quadrature."""
    values = []
    for midpoint in grid:
        s = np.unique(
            np.concatenate([np.linspace(0, midpoint, 2001), np.linspace(midpoint, 1, 2001)])
        )
        low, high = s[s <= midpoint], s[s >= midpoint]
        parts = []
        for piece, g in ((low, 1.0 - low), (high, high)):
            f1, f0 = (
                prevalence * stats.beta.pdf(piece, *pos),
                (1 - prevalence) * stats.beta.pdf(piece, *neg),
            )
            parts.append((piece, g * f1 + (1 - g) * f0, (1 - g) * f1 + g * f0))
        below = top = 0.0
        up = right = 0.0
        for piece, u, v in parts:
            mass = below + cumulative_simpson(v, x=piece, initial=0.0)
            top += simpson(u * mass, x=piece)
            up, right, below = up + simpson(u, x=piece), right + simpson(v, x=piece), mass[-1]
        values.append(top / (up * right))
    return np.array(values)


def coverage(
    pos: tuple[float, float], neg: tuple[float, float], m: int, n: int, replicates: int
) -> dict[str, float]:
    """Return how often bands hold the whole curve, and the mean critical value."""
    rng = np.random.default_rng([SEED, *pos, *neg, m, n])
    true, y = true_curve(pos, neg, m / (m + n)), np.repeat([1, 0], (m, n))
    held = {"logit": 0, "wald": 0, "pointwise": 0}
    critical = 0.0
    for _ in range(replicates):
        scores = np.concatenate([rng.beta(*pos, m), rng.beta(*neg, n)])
        found = rs.midpoint_curve(y, scores, midpoints=GRID, rng=rng)
        off = np.abs(found.smauc - true) / found.std_error
        held["logit"] += found.contains(true)
        held["wald"] += bool((off <= found.critical_value).all())
        held["pointwise"] += bool((off <= Z).all())
        critical += found.critical_value
    shares = {name: count / replicates for name, count in held.items()}
    return shares | {"critical": critical / replicates}


def table(replicates: int) -> list[str]:
    """Return the coverages as Markdown."""
    lines = [
        f"Share of {replicates} samples in which the band held the true smAUC at the midpoints .1, "
        ".2, ..., .9 (nominal .95; Monte-Carlo standard error "
        f"{np.sqrt(0.95 * 0.05 / replicates):.3f} at .95):",
        "",
        "| scores of positives, negatives | sizes | band (logit scale) | the same, Wald "
        "| pointwise 1.96 as a band | mean critical value |",
        "|---|---|---|---|---|---|",
    ]
    for pos, neg, m, n in DESIGNS:
        found = coverage(pos, neg, m, n, replicates)
        lines.append(
            f"| Beta{pos}, Beta{neg} | {m}, {n} | {found['logit']:.3f} | {found['wald']:.3f} "
            f"| {found['pointwise']:.3f} | {found['critical']:.2f} |"
        )
    return lines


def main() -> None:
    """Write the page beside this file."""
    head = [
        "# The smAUC along its midpoint",
        "",
        "Generated by `docs/evidence/midpoint_curve.py` "
        f"(seed {SEED}) with rocstats {rs.__version__}, "
        f"numpy {np.__version__}, scipy {scipy.__version__}, Python {platform.python_version()}; "
        "do not edit.",
    ]
    page = "\n".join([*head, TEXT, *table(REPLICATES), ""])
    Path(__file__).with_suffix(".md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
