"""Partial areas by simulation: standard errors, default intervals and the size of paired tests.

Run ``python docs/evidence/partial_auc.py`` to write the tables of ``docs/evidence/partial_auc.md``,
below its line of hyphens; ``tests/estimates/test_partial.py`` runs the same study at a reduced
size.
"""

from __future__ import annotations

import math
import platform
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
from scipy import stats

import rocstats as rs

SEED = 20250613
REPLICATES = 2000
LEVEL = 0.95
SIGNIFICANCE = 0.05
CELLS = 200_000  # of the grid over which true curves are integrated
TRUTH_ERROR = 1e-6  # halving the grid moves no true value by more; the least SD here is 0.003
SIZES = ((30, 30), (50, 50), (30, 150), (150, 30), (100, 100), (200, 200))
MEASURES = {
    "fpr 0 to 0.1": rs.partial_area(fpr=(0, 0.1)),
    "fpr 0 to 0.2": rs.partial_area(fpr=(0, 0.2)),
    "fpr 0.1 to 0.3": rs.partial_area(fpr=(0.1, 0.3)),
    "tpr 0.8 to 1": rs.partial_area(tpr=(0.8, 1)),
}
FEW = 5.0  # with fewer subjects within the range a warning is given


@dataclass(frozen=True, kw_only=True)
class Model:
    """Score distributions: how to draw `k` scores of a class, and the true curve, tpr of fpr."""

    title: str
    draw: Callable[[np.random.Generator, int, bool], np.ndarray]
    curve: Callable[[np.ndarray], np.ndarray]


def binormal(shift: float, sd: float = 1.0) -> Model:
    """Return normal scores, those of negatives standard."""
    return Model(
        title=f"N({shift:g}, {sd:g}) / N(0, 1)",
        draw=lambda rng, k, pos: rng.normal(shift, sd, k) if pos else rng.normal(size=k),
        curve=lambda x: stats.norm.sf((stats.norm.isf(x) - shift) / sd),
    )


def rounded(shift: float, step: float) -> Model:
    """Return normal scores rounded to multiples of `step`, whose curve is a polygon."""
    edges = (np.arange(40, -41, -1) + 0.5) * step
    fpr = np.concatenate([[0.0], stats.norm.sf(edges), [1.0]])
    tpr = np.concatenate([[0.0], stats.norm.sf(edges - shift), [1.0]])
    return Model(
        title=f"N({shift:g}, 1) / N(0, 1) rounded to multiples of {step:g} (ties)",
        draw=lambda rng, k, pos: np.round(rng.normal(shift if pos else 0.0, 1.0, k) / step) * step,
        curve=lambda x: np.interp(x, fpr, tpr),
    )


MODELS = {
    "auc 0.75": binormal(0.95),
    "auc 0.85": binormal(1.47),
    "auc 0.95": binormal(2.33),
    "unequal sd": binormal(1.5, 2.0),
    "exponential": Model(
        title="exponential of mean 3 / of mean 1",
        draw=lambda rng, k, pos: rng.exponential(3.0 if pos else 1.0, k),
        curve=lambda x: x ** (1.0 / 3.0),
    ),
    "rounded": rounded(1.5, 0.8),
}


def true_value(model: Model, measure: rs.Measure, cells: int = CELLS) -> float:
    """Return the raw partial area under the true curve, by the midpoint rule."""
    window = measure.kernel.window
    grid = (np.arange(cells) + 0.5) / cells
    if window.axis == "fpr":
        return window.width * float(model.curve(window.low + window.width * grid).mean())
    return float(np.clip(model.curve(grid), window.low, window.high).mean()) - window.low


class Cell(NamedTuple):
    """What one partial area did on one model at one size."""

    model: str
    m: int
    n: int
    measure: str
    bias: float  # mean estimate less truth, in standard deviations
    ratio: float  # mean standard error / standard deviation of the estimates
    ratio_error: float  # its Monte-Carlo standard error
    coverage: float  # of the default interval
    few: bool  # whether the warning was given


def draw_sample(model: Model, m: int, n: int, rng: np.random.Generator) -> rs.ScoredSample:
    """Return one sample."""
    score = np.concatenate([model.draw(rng, m, True), model.draw(rng, n, False)])
    return rs.ScoredSample.from_arrays(np.repeat([1, 0], [m, n]), score)


def simulate(name: str, m: int, n: int, replicates: int) -> list[Cell]:
    """Run one model at one size."""
    rng = np.random.default_rng([SEED, list(MODELS).index(name), m, n])
    found = np.empty((len(MEASURES), 4, replicates))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        for i in range(replicates):
            sample = draw_sample(MODELS[name], m, n, rng)
            for row, e in enumerate(rs.estimate(sample, measures=MEASURES.values()).rows):
                limits = e.confidence_interval(confidence_level=LEVEL)
                found[row, :, i] = e.value, e.std_error, limits.low, limits.high
    cells = []
    for (title, measure), (value, std_error, low, high) in zip(
        MEASURES.items(), found, strict=True
    ):
        truth, spread = true_value(MODELS[name], measure), float(value.std(ddof=1))
        ratio = float(std_error.mean()) / spread
        # A replicate's influence on log(ratio): through the mean standard error and through the SD.
        pull = std_error / std_error.mean() - 0.5 * ((value - value.mean()) / spread) ** 2
        window = measure.kernel.window
        cells.append(
            Cell(
                model=name,
                m=m,
                n=n,
                measure=title,
                bias=(float(value.mean()) - truth) / spread,
                ratio=ratio,
                ratio_error=ratio * float(pull.std(ddof=1)) / math.sqrt(replicates),
                coverage=float(np.mean((low <= truth) & (truth <= high))),
                few=window.width * (n if window.axis == "fpr" else m) < FEW - 1e-9,
            )
        )
    return cells


PAIRS = {"auc 0.85, correlation 0.5": (1.47, 0.5), "auc 0.95, correlation 0.8": (2.33, 0.8)}


class Size(NamedTuple):
    """How often a paired test rejected though both curves are the same."""

    pair: str
    m: int
    n: int
    measure: str
    by_t: float
    by_normal: float


def size_of_tests(pair: str, m: int, n: int, replicates: int) -> list[Size]:
    """Test two markers of one true curve against each other, many times."""
    shift, correlation = PAIRS[pair]
    rng = np.random.default_rng([SEED, 99, list(PAIRS).index(pair), m, n])
    label = np.repeat([1, 0], [m, n])
    root = np.linalg.cholesky([[1.0, correlation], [correlation, 1.0]])
    rejected = np.zeros((2, len(MEASURES)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        for _ in range(replicates):
            score = root @ rng.normal(size=(2, m + n)) + shift * label
            both = rs.compare(label, dict(zip("ab", score, strict=True)), measure=MEASURES.values())
            for k, reference in enumerate(("t", "normal")):
                tests = both.pairwise(reference=reference, adjust="none").tests
                rejected[k] += [test.pvalue < SIGNIFICANCE for test in tests]
    shares = rejected / replicates
    return [
        Size(pair, m, n, title, by_t, by_normal)
        for title, by_t, by_normal in zip(MEASURES, *shares.tolist(), strict=True)
    ]


# ---------------------------------------------------------------------------------------- the page


def tables(cells: list[Cell], sizes: list[Size], replicates: int) -> str:
    """Return the study as Markdown."""
    head = [f"{m}, {n}" for m, n in SIZES]
    error = math.sqrt(LEVEL * (1.0 - LEVEL) / replicates)
    lines = [
        "Generated by `docs/evidence/partial_auc.py` "
        f"(seed {SEED}, {replicates} replicates a cell) with "
        f"rocstats {rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit below the line.",
        "",
        "Columns are numbers of positives and negatives. SE/SD is the mean standard error over the",
        "standard deviation of the estimates (Monte-Carlo standard error about 0.017); coverage is",
        f"that of the default 95% interval (Monte-Carlo standard error {error:.3f}). A star marks",
        f"the cells with fewer than {FEW:g} subjects within the range, where a warning is given.",
        "",
        *(f"* `{name}`: {model.title}" for name, model in MODELS.items()),
    ]
    for title in MEASURES:
        for what in ("SE/SD", "coverage"):
            lines += ["", f"### {title}: {what}", "", _row(["model", *head]), _rule(head)]
            for name in MODELS:
                mine = {(c.m, c.n): c for c in cells if (c.model, c.measure) == (name, title)}
                lines.append(_row([name, *(_cell(mine[size], what) for size in SIZES)]))
    enough = [c for c in cells if not c.few]
    lines += ["", "### Over all cells", ""]
    lines += [_row(["", "SE/SD mean", "min", "max", "coverage mean", "min", "max", "mean bias"])]
    lines += [_rule(range(7))]
    for name, some in (
        (f"{FEW:g} or more within", enough),
        ("fewer", [c for c in cells if c.few]),
    ):
        parts = [f(v) for v in _columns(some) for f in (np.mean, np.min, np.max)]
        bias = np.mean([c.bias for c in some])
        lines.append(_row([name, *(f"{x:.3f}" for x in parts), f"{bias:+.2f} SD"]))
    lines += ["", "### Size of the paired test at 0.05: t (default) / normal", ""]
    lines += [_row(["curves, range", *head]), _rule(head)]
    for pair in PAIRS:
        for title in MEASURES:
            mine = {(s.m, s.n): s for s in sizes if (s.pair, s.measure) == (pair, title)}
            shown = [f"{mine[s].by_t:.3f} / {mine[s].by_normal:.3f}" for s in SIZES]
            lines.append(_row([f"{pair}; {title}", *shown]))
    return "\n".join([*lines, ""])


def _columns(cells: list[Cell]) -> tuple[list[float], list[float]]:
    return [c.ratio for c in cells], [c.coverage for c in cells]


def _cell(cell: Cell, what: str) -> str:
    star = "*" if cell.few else ""
    return f"{cell.ratio if what == 'SE/SD' else cell.coverage:.3f}{star}"


def _row(words: list[str]) -> str:
    return "| " + " | ".join(words) + " |"


def _rule(columns: object) -> str:
    return "|---" * (len(columns) + 1) + "|"


def _run(job: tuple[Callable[..., list], str, int, int]) -> list:
    task, *rest = job
    return task(*rest, REPLICATES)


def main() -> None:
    """Run the study and write its tables into the page beside this file."""
    jobs = [(simulate, name, m, n) for name in MODELS for m, n in SIZES]
    jobs += [(size_of_tests, pair, m, n) for pair in PAIRS for m, n in SIZES]
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = [row for rows in pool.map(_run, jobs) for row in rows]
    cells = [row for row in found if isinstance(row, Cell)]
    sizes = [row for row in found if isinstance(row, Size)]
    path = Path(__file__).with_suffix(".md")
    text, line, _ = path.read_text(encoding="utf-8").partition("\n---\n")
    path.write_text(f"{text}{line}\n{tables(cells, sizes, REPLICATES)}", encoding="utf-8")


if __name__ == "__main__":
    main()
