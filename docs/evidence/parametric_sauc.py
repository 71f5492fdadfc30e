"""Make ``parametric_sauc.md``: the sAUC by means and standard deviations beside the nonparametric.

Run it with ``python docs/evidence/parametric_sauc.py`` (a minute or two). The seed is fixed;
``tests/planning/test_parametric_sauc.py`` runs it at a reduced size.
"""

from __future__ import annotations

import math
import platform
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from scipy.special import ndtr

import rocstats as rs

SEED = 20260301
REPLICATES = 20_000
Z = 1.959963984540054
SIZES = ((20, 20), (50, 50), (30, 150))
TEXT = """
Wu, Flach & Ferri (2007) announce a parametric sAUC. For normal scores with mean difference m and
standard deviations sd_pos and sd_neg it is, with `s^2 = sd_pos^2 + sd_neg^2`,

    sAUC = m Phi(m / s) + s phi(m / s),

and one could put the means and standard deviations of data into it. rocstats does not offer that
as an estimator:

* Where scores are normal it gains nothing: its standard deviation is that of the nonparametric
  sAUC, within a percent.
* Where they are not, it estimates something else: with exponential scores it is too large by a
  tenth, and its intervals miss. A sandwich variance repairs the width, not the place.

Where the formula pays is planning, where there are no data yet: `rs.binormal_sauc`,
`rs.power_sauc` and `rs.sample_size_sauc` take it, with the exact variance of the *nonparametric*
sAUC under normal scores ([planning](planning.md)).
"""


@dataclass(frozen=True)
class Scores:
    """A law of positives and negatives with its true sAUC."""

    name: str
    true: float
    draw: Callable[[np.random.Generator, int, int], tuple[np.ndarray, np.ndarray]]


def _normal(rng: np.random.Generator, m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    return 1.0 + 1.2 * rng.standard_normal(m), rng.standard_normal(n)


def _exponential(rng: np.random.Generator, m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    return 2.0 * rng.standard_exponential(m), rng.standard_exponential(n)


LAWS = (
    Scores("normal: N(1, 1.2), N(0, 1)", rs.binormal_sauc(1.0, sd_pos=1.2).value, _normal),
    Scores("exponential: means 2 and 1", 4 / 3, _exponential),
)


def by_moments(pos: np.ndarray, neg: np.ndarray) -> tuple[float, float, float]:
    """Return the sAUC that the moments give, its standard error by the model and by a sandwich."""
    shift = pos.mean() - neg.mean()
    spreads = pos.var(ddof=1), neg.var(ddof=1)
    s = math.sqrt(sum(spreads))
    share, density = (
        float(ndtr(shift / s)),
        math.exp(-0.5 * (shift / s) ** 2) / math.sqrt(2 * math.pi),
    )
    model = sandwich = 0.0
    for side, values, spread in ((1, pos, spreads[0]), (-1, neg, spreads[1])):
        size = values.size
        model += share**2 * spread / size
        model += (density / (2 * s)) ** 2 * 2 * spread**2 / (size - 1)
        centred = values - values.mean()
        influence = side * share * centred + density / (2 * s) * (centred**2 - spread)
        sandwich += influence.var(ddof=1) / size
    return shift * share + s * density, math.sqrt(model), math.sqrt(sandwich)


def simulate(law: Scores, size: tuple[int, int], replicates: int) -> dict[str, float]:
    """Return means, standard deviations and coverages of both estimators."""
    rng = np.random.default_rng([SEED, LAWS.index(law), *size])
    y = np.repeat([1, 0], size)
    found = []
    for _ in range(replicates):
        pos, neg = law.draw(rng, *size)
        value, model, sandwich = by_moments(pos, neg)
        free = rs.sauc(y, np.concatenate([pos, neg]))
        with warnings.catch_warnings():  # of scores far out, which is what is looked at
            warnings.simplefilter("ignore", rs.SmallSampleWarning)
            low, high = free.confidence_interval()
        found.append(
            (
                *(value, free.value),
                abs(value - law.true) <= Z * model,
                abs(value - law.true) <= Z * sandwich,
                low <= law.true <= high,
            )
        )
    names = ("parametric", "nonparametric", "model", "sandwich", "interval")
    columns = dict(zip(names, np.array(found, dtype=float).T, strict=True))
    means = {name: float(column.mean()) for name, column in columns.items()}
    return means | {f"sd_{name}": float(columns[name].std()) for name in names[:2]}


def tables(replicates: int) -> list[str]:
    """Return both estimators, and planned beside simulated standard errors, as Markdown."""
    lines = [
        "## Both estimators on the same samples",
        "",
        "Coverage of 95% intervals: Wald with the standard error of the model, Wald with the "
        "sandwich's, and the default interval of `rs.sauc`. Its Monte-Carlo standard error is "
        f"{math.sqrt(0.95 * 0.05 / replicates):.3f} at .95, that of an SD half a percent.",
        "",
        "| scores | positives, negatives | true sAUC | parametric: mean | SD | covers, model "
        "| covers, sandwich | nonparametric: mean | SD | covers |",
        "|---" * 10 + "|",
    ]
    planned = []
    for law in LAWS:
        for size in SIZES:
            found = simulate(law, size, replicates)
            lines.append(
                f"| {law.name} | {size[0]}, {size[1]} | {law.true:.3f} | {found['parametric']:.3f} "
                f"| {found['sd_parametric']:.4f} | {found['model']:.3f} | {found['sandwich']:.3f} "
                f"| {found['nonparametric']:.3f} | {found['sd_nonparametric']:.4f} "
                f"| {found['interval']:.3f} |"
            )
            if law is LAWS[0]:
                planned.append((size, found["sd_nonparametric"]))
    lines += ["", "## Planned and simulated standard error of the nonparametric sAUC", ""]
    lines += ["| positives, negatives | planned | simulated |", "|---|---|---|"]
    exact = rs.binormal_sauc(1.0, sd_pos=1.2)
    for size, sd in planned:
        lines.append(f"| {size[0]}, {size[1]} | {exact.std_error(*size):.4f} | {sd:.4f} |")
    return lines


def main() -> None:
    """Write the page beside this file."""
    head = [
        "# Why no parametric sAUC",
        "",
        "Generated by `docs/evidence/parametric_sauc.py` "
        f"(seed {SEED}, {REPLICATES} samples a row) with "
        f"rocstats {rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit.",
    ]
    page = "\n".join([*head, TEXT, *tables(REPLICATES), ""])
    Path(__file__).with_suffix(".md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
