"""Coverage of intervals of the AUC with clusters; writes ``docs/evidence/clusters.md``.

``python docs/evidence/clusters.py [--replicates N]``: about 5 minutes with the default; the test of
the intervals runs some of its settings.
"""

from __future__ import annotations

import argparse
import math
import platform
import zlib
from pathlib import Path

import numpy as np
from scipy.special import ndtri

import rocstats as rs
from rocstats.estimates.interval_methods import Situation
from rocstats.estimates.intervals import interval
from rocstats.estimates.results import Estimate

SEED = 20261117
LEVEL = 0.95
CLUSTERS = (5, 8, 12, 20, 40)
MEMBERS = (4, 16)
ICCS = (0.0, 0.6)
AREAS = (0.6, 0.8, 0.95)
KINDS = {"one": "of one class", "half": "half of each class", "any": "of any mixture, 40% positive"}
METHODS = ("auto", "logit", "newcombe by counts")


def draw(
    rng: np.random.Generator, kind: str, n_clusters: int, members: int, icc: float, area: float
) -> rs.ScoredSample:
    """Return normal scores; `icc` is the correlation of two of a cluster, within a class."""
    cluster = np.repeat(np.arange(n_clusters), members)
    label = np.tile(np.arange(members) % 2 == 0, n_clusters)
    if kind == "one":
        label = cluster < (n_clusters + 1) // 2
    while kind == "any":
        label = rng.random(cluster.size) < 0.4
        if min(np.unique(cluster[part]).size for part in (label, ~label)) > 1:
            break
    shared, own = rng.normal(size=n_clusters)[cluster], rng.normal(size=cluster.size)
    score = math.sqrt(2.0) * float(ndtri(area)) * label
    score = score + math.sqrt(icc) * shared + math.sqrt(1.0 - icc) * own
    return rs.ScoredSample.from_arrays(label, score, cluster=cluster)


def limits_of(found: Estimate) -> dict[str, tuple[float, float]]:
    """Return the limits by the default, by logit with a normal quantile, and by counts."""
    auto = found.confidence_interval(confidence_level=LEVEL)
    logit = found.confidence_interval(confidence_level=LEVEL, method="logit")
    return {
        "auto": (auto.low, auto.high),
        "logit": (logit.low, logit.high),
        "newcombe by counts": by_counts(found),
    }


def by_counts(found: Estimate) -> tuple[float, float]:
    """Return Newcombe's limits as if every cluster with a positive, or a negative, were one."""
    cluster, positive = found.sample.cluster, found.sample.positive
    sizes = [float(np.unique(cluster[part]).size) for part in (positive, ~positive)]
    situation = Situation(
        value=found.value,
        std_error=1.0,
        df=math.inf,
        n_pos=sizes[0],
        n_neg=sizes[1],
        label="AUC",
        bounds=(0.0, 1.0),
        pair_mean=True,
        is_auc=True,
    )
    low, high, _ = interval(situation, LEVEL, "newcombe")
    return low, high


def coverage(
    kind: str, n_clusters: int, members: int, icc: float, area: float, replicates: int
) -> dict[str, tuple[float, float]]:
    """Return the share of intervals that hold the AUC, and their mean width, by method."""
    setting = [n_clusters, members, int(10 * icc), int(100 * area), zlib.crc32(kind.encode())]
    rng = np.random.default_rng([SEED, *setting])
    held = {method: [0.0, 0.0] for method in METHODS}
    for _ in range(replicates):
        sample = draw(rng, kind, n_clusters, members, icc, area)
        for method, (low, high) in limits_of(rs.auc(sample)).items():
            held[method][0] += low <= area <= high
            held[method][1] += high - low
    return {name: (hits / replicates, width / replicates) for name, (hits, width) in held.items()}


def main() -> None:
    """Run all settings and write the page."""
    import warnings

    warnings.simplefilter("ignore", rs.RocstatsWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=500)
    replicates = parser.parse_args().replicates
    error = math.sqrt(LEVEL * (1.0 - LEVEL) / replicates)
    lines = [
        "# Intervals of the AUC with clusters",
        "",
        "Made by `python docs/evidence/clusters.py`, rocstats "
        f"{rs.__version__}, NumPy {np.__version__}, Python {platform.python_version()}; do not "
        "edit.",
        "",
        f"Share of {LEVEL:.0%} intervals that hold the AUC of subjects of different clusters, in",
        f"{replicates} samples (Monte-Carlo error {error:.3f}), and their mean width. Scores are",
        "normal; `icc` is the correlation of two subjects of a cluster beyond their classes.",
        "",
        "`auto` is the default: logit with t quantiles, or, near 0 and 1, Newcombe's method with",
        "t quantiles and the numbers of subjects divided by the design effect. `logit` has normal",
        "quantiles. `newcombe by counts` takes a cluster as one subject: it is safe, but many",
        "times too wide where a cluster has many members.",
    ]
    for kind, words in KINDS.items():
        lines += ["", f"## Clusters {words}", ""]
        heads = [f"{name} | width" for name in METHODS]
        lines.append("| clusters | members | icc | AUC | " + " | ".join(heads) + " |")
        lines.append("|---" * (4 + 2 * len(METHODS)) + "|")
        worst = 1.0
        for n_clusters, members, icc, area in (
            (c, k, i, a) for c in CLUSTERS for k in MEMBERS for i in ICCS for a in AREAS
        ):
            found = coverage(kind, n_clusters, members, icc, area, replicates)
            cells = [f"{found[name][0]:.3f} | {found[name][1]:.2f}" for name in METHODS]
            lines.append(f"| {n_clusters} | {members} | {icc:g} | {area:g} | {' | '.join(cells)} |")
            worst = min(worst, found["auto"][0])
            print(lines[-1], flush=True)
        lines += ["", f"Least coverage of `auto`: {worst:.3f}."]
    page = Path(__file__).with_suffix(".md")
    page.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
