"""Size study: how often do the tests reject at the 5% level where the classifiers are equal?

Run ``python docs/evidence/size.py`` to write ``docs/evidence/size.md``; ``tests/test_size.py`` runs
the same study at a reduced size. Models are those of STATISTICS.md sections 11.4 and 11.5: normal
latent scores, correlated within subjects, seen through the logistic function. The AUC is .80 and,
where two classifiers are compared, .90 to .99 too; other families near 1 are in ``near_one.py``.
"""

from __future__ import annotations

import math
import platform
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import expit, ndtri

import rocstats as rs

SEED = 20250611
REPLICATES = 2000
SIGNIFICANCE = 0.05
MEASURES = ("auc", "sauc", "smauc")
BALANCED = rs.smooth_auc(class_weight="balanced", name="smauc_balanced")
LOUD = 3.0  # Monte-Carlo standard errors above nominal from which a share is set in bold

Size = tuple[int, int]
Shares = dict[tuple[str, str], float]  # by measure and reference


@dataclass(frozen=True, kw_only=True)
class Job:
    """One setting.

    `kind` names the test; `sizes` are (positives, negatives) of each sample, `auc` is that of every
    classifier, `rho` the latent correlation of two of the `k` classifiers in a subject. Where
    `members` is not 0, so many subjects make a cluster and `icc` is the latent correlation of two
    of them.
    """

    kind: str
    sizes: tuple[Size, ...]
    auc: float = 0.80
    rho: float = 0.5
    k: int = 2
    rounded: bool = False
    members: int = 0
    icc: float = 0.0
    mixed: bool = False

    @property
    def title(self) -> str:
        words = [f"AUC {self.auc:g}"] if self.kind == "edge" else []
        words += [" v ".join(f"{m}, {n}" for m, n in self.sizes)]
        words += [f"{self.k} classifiers"] if self.kind == "omnibus" else []
        words += [f"rho {self.rho:g}"] if self.kind in ("paired", "edge", "omnibus") else []
        words += ["rounded to .1"] if self.rounded else []
        if self.members:
            classes = "both classes" if self.mixed else "one class"
            words += [f"clusters of {self.members}, {classes}", f"icc {self.icc:g}"]
        return "; ".join(words)


PAIRED_SIZES = ((20, 20), (50, 50), (30, 150), (18, 162), (250, 250))
EDGES = (0.90, 0.95, 0.97, 0.99)
OMNIBUS = (
    (3, (20, 20)),
    (3, (15, 60)),
    (3, (30, 150)),
    (5, (20, 20)),
    (5, (15, 60)),
    (5, (30, 150)),
)
JOBS = (
    *(Job(kind="paired", sizes=(s,), rho=r) for s in PAIRED_SIZES for r in (0.0, 0.5, 0.9)),
    Job(kind="paired", sizes=((50, 50),), rounded=True),
    *(Job(kind="edge", sizes=(s,), auc=auc) for auc in EDGES for s in PAIRED_SIZES),
    *(Job(kind="omnibus", sizes=(size,), k=k) for k, size in OMNIBUS),
    Job(kind="unpaired", sizes=((20, 20), (20, 20))),
    Job(kind="unpaired", sizes=((50, 50), (50, 50))),
    Job(kind="unpaired", sizes=((12, 100), (50, 50))),
    Job(kind="unpaired", sizes=((18, 162), (18, 162))),
    *(
        Job(kind="clustered", sizes=(size,), members=4, icc=icc, mixed=mixed)
        for size in ((100, 100), (20, 20))
        for mixed in (False, True)
        for icc in (0.0, 0.3, 0.6)
    ),
)


# --------------------------------------------------------------------------------------- the tests

# How a column of the page is asked for; the last is what a user gets who asks for nothing.
PAIRED_TESTS = {"normal": {"reference": "normal"}, "t": {"method": "delong"}, "default": {}}
OMNIBUS_TESTS = {
    "chi2": {"reference": "chi2"},
    "F": {"reference": "F", "method": "delong"},
    "default": {},
}
UNPAIRED_TESTS = {
    "normal": {"reference": "normal"},
    "t": {"method": "delong"},
    "proc": {"reference": "proc"},
    "default": {},
}


def draw(rng: np.random.Generator, job: Job, size: Size) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and (N, k) scores of one sample; all k classifiers are equally good."""
    m, n = size
    label = np.repeat([1, 0], [m, n])

    def correlated(rows: int) -> np.ndarray:
        own, common = rng.normal(size=(rows, job.k)), rng.normal(size=(rows, 1))
        return math.sqrt(job.rho) * common + math.sqrt(1.0 - job.rho) * own

    latent = correlated(m + n)
    if job.members:
        cluster = clusters(job, size)
        shared = correlated(int(cluster.max()) + 1)[cluster]
        latent = math.sqrt(job.icc) * shared + math.sqrt(1.0 - job.icc) * latent
    shift = math.sqrt(2.0) * float(ndtri(job.auc))  # between the classes
    score = expit(latent + shift * (label[:, np.newaxis] - 0.5))
    return label, np.round(score, 1) if job.rounded else score


def clusters(job: Job, size: Size) -> np.ndarray:
    """Return the cluster of every subject, of one class or half of each."""
    m, n = size
    if not job.mixed:
        return np.arange(m + n) // job.members
    return np.concatenate([np.arange(m), np.arange(n)]) // (job.members // 2)


def paired(rng: np.random.Generator, job: Job) -> Shares:
    """Return the p-values of two classifiers on one sample."""
    comparison = rs.compare(*draw(rng, job, job.sizes[0]), measure=MEASURES)
    return {
        (measure, name): test.pvalue
        for name, asked in PAIRED_TESTS.items()
        for measure, test in zip(MEASURES, _tests(comparison, **asked), strict=True)
    }


def omnibus(rng: np.random.Generator, job: Job) -> Shares:
    """Return the p-values of k classifiers at once."""
    sample = rs.ScoredSample.from_arrays(*draw(rng, job, job.sizes[0]))
    found = {}
    for measure in MEASURES:
        comparison = rs.compare(sample, measure=measure)
        for name, asked in OMNIBUS_TESTS.items():
            found[measure, name] = comparison.omnibus(**asked).pvalue
    return found


def unpaired(rng: np.random.Generator, job: Job) -> Shares:
    """Return the p-values of two classifiers on two samples."""
    samples = [draw(rng, job, size) for size in job.sizes]
    first, second = (
        rs.estimate(label, score[:, 0], measures=(*MEASURES, BALANCED)).rows
        for label, score in samples
    )
    return {
        (a.measure.name, name): rs.compare_independent(a, b, **asked).pvalue
        for a, b in zip(first, second, strict=True)
        for name, asked in UNPAIRED_TESTS.items()
    }


def clustered(rng: np.random.Generator, job: Job) -> Shares:
    """Return the p-values with the clusters named, and as if every subject stood alone."""
    label, score = draw(rng, job, job.sizes[0])
    told = rs.compare(label, score, measure=MEASURES, cluster=clusters(job, job.sizes[0]))
    naive = rs.compare(label, score, measure=MEASURES)
    return {
        (measure, name): test.pvalue
        for name, comparison in (("clustered t", told), ("naive t", naive))
        for measure, test in zip(MEASURES, _tests(comparison, method="delong"), strict=True)
    }


def _tests(comparison: rs.Comparison, **asked: str) -> tuple[rs.TestResult, ...]:
    return comparison.pairwise(adjust="none", **asked).tests


KINDS: dict[str, tuple[str, Callable[[np.random.Generator, Job], Shares]]] = {
    "paired": ("Two classifiers, one sample", paired),
    "edge": ("Two classifiers, one sample, AUC near 1", paired),
    "omnibus": ("Several classifiers at once", omnibus),
    "unpaired": ("Two samples", unpaired),
    "clustered": ("Clusters", clustered),
}


# --------------------------------------------------------------------------------------- the study


class Cell(NamedTuple):
    """How often one test rejected in one setting."""

    job: Job
    measure: str
    reference: str
    share: float
    error: float  # Monte-Carlo standard error, were the size nominal


def share_error(replicates: int, share: float = SIGNIFICANCE) -> float:
    """Return the Monte-Carlo standard error of a share."""
    return math.sqrt(share * (1.0 - share) / replicates)


def simulate(job: Job, replicates: int = REPLICATES) -> list[Cell]:
    """Run one setting."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(job).encode())])
    _, test = KINDS[job.kind]
    rejected: Counter[tuple[str, str]] = Counter()
    with warnings.catch_warnings():  # rounded scores may rank alike, and say so
        warnings.simplefilter("ignore", rs.DegenerateVarianceWarning)
        for _ in range(replicates):
            rejected.update({key: int(p <= SIGNIFICANCE) for key, p in test(rng, job).items()})
    error = share_error(replicates)
    return [Cell(job, *key, count / replicates, error) for key, count in rejected.items()]


# ---------------------------------------------------------------------------------------- the page


def page(cells: Iterable[Cell], replicates: int) -> str:
    """Return the study as Markdown."""
    cells = list(cells)
    lines = [
        "# Size of the tests",
        "",
        f"Generated by `docs/evidence/size.py` (seed {SEED}, {replicates} replicates a cell) with "
        f"rocstats {rs.__version__}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"Python {platform.python_version()}; do not edit.",
        "",
        "Each cell draws samples in which all classifiers are equally good (AUC .80,",
        "where no other is named) and counts "
        f"how often a test rejects that at the {SIGNIFICANCE:.0%} level. In brackets: the",
        "Monte-Carlo standard error, in units of the last digit, of a test that keeps the level.",
        f"Bold: above the level by more than {LOUD:g} of them. Measures and references share their",
        "samples, so they deviate together.",
        "",
        "Latent scores are normal with unit variance; a class's mean is moved to give the AUC, and",
        "the logistic function takes them to (0, 1). `rho` is the latent correlation of two",
        "classifiers in one subject, `icc` that of two subjects of one cluster.",
    ]
    for kind, (title, _) in KINDS.items():
        mine = [cell for cell in cells if cell.job.kind == kind]
        lines += ["", f"## {title}", "", *NOTES[kind], "", *_table(mine)]
    return "\n".join([*lines, "", *_summary(cells), ""])


NOTES = {
    "paired": (
        "`normal` is the test of DeLong et al. (1988) and of pROC, `t` has Satterthwaite's degrees",
        "of freedom. `default` is `t`, and for AUCs takes the variance at the null where losses",
        "are few (STATISTICS.md 6.8). Sizes are positives, negatives.",
    ),
    "edge": (
        "The same where the classifiers are good. DeLong's test of AUCs rejects too seldom here,",
        "as the classifiers are alike; where they are not it rejects far too often, and there the",
        "default is needed ([](near_one.md)).",
    ),
    "omnibus": (
        '`chi2` is that of DeLong et al. (1988); `default` is `F` below 100 subjects a class and,',
        "for AUCs, takes the variance at the null where losses are few.",
    ),
    "unpaired": (
        "`t` has the four-term degrees of freedom, `proc` has pROC's, and `default` is `t` and,",
        "for AUCs, takes the variance at the null where losses are few. smAUC",
        "depends on the class ratio, so the plain smAUC of 12, 100 and of 50, 50 differ in truth:",
        "there a test that rejects is right, and the balanced smAUC is the one to compare.",
    ),
    "clustered": (
        "`clustered t` is told the clusters; `naive t` takes every subject as independent. It is",
        "too liberal where a cluster is of one class, and too shy where clusters hold both",
        "classes, whose common shift then cancels from the comparison of positives with negatives.",
    ),
}  # fmt: skip


def _table(cells: list[Cell]) -> list[str]:
    columns = list(dict.fromkeys((c.measure, c.reference) for c in cells))
    columns.sort(key=lambda column: (*MEASURES, BALANCED.name).index(column[0]))
    heads = [f"{_label(measure)} {reference}" for measure, reference in columns]
    rows = ["| setting | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for job in dict.fromkeys(c.job for c in cells):
        mine = {(c.measure, c.reference): c for c in cells if c.job == job}
        rows.append(f"| {job.title} | " + " | ".join(_show(mine[c]) for c in columns) + " |")
    return rows


def _label(measure: str) -> str:
    return measure.replace("auc", "AUC").replace("_", " ")


def _show(cell: Cell) -> str:
    text = f"{cell.share:.3f}"
    if cell.share > SIGNIFICANCE + LOUD * cell.error:
        text = f"**{text}**"
    return f"{text} ({1000.0 * cell.error:.0f})"


def _summary(cells: list[Cell]) -> list[str]:
    rows = [
        "## Over all settings",
        "",
        "| test | measure | reference | mean | min | max |",
        "|---|---|---|---|---|---|",
    ]
    for kind, measure, reference in dict.fromkeys(
        (c.job.kind, c.measure, c.reference) for c in cells
    ):
        key = (kind, measure, reference)
        share = [c.share for c in cells if (c.job.kind, c.measure, c.reference) == key]
        numbers = f"{np.mean(share):.3f} | {min(share):.3f} | {max(share):.3f}"
        rows.append(f"| {kind} | {_label(measure)} | {reference} | {numbers} |")
    return rows


def main() -> None:
    """Run the study and write the page beside this file."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        cells = [cell for found in pool.map(simulate, JOBS) for cell in found]
    Path(__file__).with_suffix(".md").write_text(page(cells, REPLICATES), encoding="utf-8")


if __name__ == "__main__":
    main()
