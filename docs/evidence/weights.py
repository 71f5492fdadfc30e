"""Coverage with weights, partial verification and adjustment; writes ``docs/evidence/weights.md``.

``python docs/evidence/weights.py [--replicates N]``: about 8 minutes with the default; tests of
the intervals run some of its settings.
"""

from __future__ import annotations

import argparse
import math
import platform
import warnings
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtri

import rocstats as rs

SEED = 20261118
LEVEL = 0.95
SIZES = (100, 300, 1000)
AREAS = (0.76, 0.92)
RANGES = ((0.3, 0.9), (0.1, 0.9), (0.6, 0.9), (0.3, 0.3))  # at 5% and 95% of the scores
SHARES = ((1.0, 0.3), (0.9, 0.5))  # verified of the test's positives and negatives
SURVEYED = (
    100,
    300,
)  # sizes of samples with probability weights
SPREADS = (0.3, 0.7, 1.0)  # of the logarithm of the weights
STRATA = 8
UNITS = (2, 4, 12)  # drawn in each stratum, of five subjects each
DRAWN = 200  # resamples of a bootstrap
REFITTED = ((100, 0.76), (100, 0.92), (300, 0.76))  # sizes and areas of the bootstrap

Draw = Callable[[np.random.Generator], Any]


def coverage(draw: Draw, truth: float, methods: Iterable[str], replicates: int, key: str) -> Any:
    """Return mean, scatter and mean standard error of estimates, and the shares that hold."""
    rng = np.random.default_rng([SEED, zlib.crc32(key.encode())])
    values, errors = [], []
    hits = dict.fromkeys(methods, 0)
    while len(values) < replicates:
        try:
            found = draw(rng)
        except rs.InvalidSampleError:
            continue  # a sample without a class, or a region that nobody verified
        values.append(found.value)
        errors.append(found.std_error)
        for name in hits:
            low, high = found.confidence_interval(confidence_level=LEVEL, method=name)
            hits[name] += low <= truth <= high
    shares = {name: count / replicates for name, count in hits.items()}
    return float(np.mean(values)), float(np.std(values)), float(np.mean(errors)), shares


def scores(rng: np.random.Generator, n: int, area: float) -> tuple[Any, Any]:
    """Return labels, 40% positive, and normal scores with that area."""
    y = rng.random(n) < 0.4
    return y, rng.normal(size=n) + math.sqrt(2.0) * float(ndtri(area)) * y


def verified(rng: np.random.Generator, n: int, area: float, low: float, high: float) -> Any:
    """Return the area where verification rises from `low` to `high` with the score."""
    y, score = scores(rng, n, area)
    shift = math.sqrt(2.0) * float(ndtri(area))
    ends = (float(ndtri(0.05)), shift + float(ndtri(0.95)))
    slope = (logit(high) - logit(low)) / (ends[1] - ends[0])
    chance = expit(logit(low) + slope * (score - ends[0]))
    return rs.auc(y, score, verified=rng.random(n) < chance)


def surveyed(rng: np.random.Generator, n: int, area: float, spread: float) -> Any:
    """Return the area with weights that go with the score: high ones were drawn more often."""
    pool = 20 * n
    y, score = scores(rng, pool, area)
    weights = np.exp(spread * (rng.normal(size=pool) - score) / math.sqrt(2.0))
    found = rng.choice(pool, size=n, p=(1 / weights) / (1 / weights).sum())
    return rs.auc(y[found], score[found], weights=weights[found])


def doubly(rng: np.random.Generator, n: int, area: float, spread: float) -> Any:
    """Return the area of such a sample, of which some are verified, more of those who score."""
    pool = 20 * n
    y, score = scores(rng, pool, area)
    weights = np.exp(spread * (rng.normal(size=pool) - score) / math.sqrt(2.0))
    found = rng.choice(pool, size=n, p=(1 / weights) / (1 / weights).sum())
    known = rng.random(n) < expit(0.3 + 0.6 * score[found])
    return rs.auc(y[found], score[found], weights=weights[found], verified=known)


def population(rng: np.random.Generator, units: int, shift: float) -> dict[str, Any]:
    """Return units of five within strata that differ in size, scores and prevalence."""
    stratum = np.repeat(np.arange(STRATA), 5 * units)
    place = stratum / (STRATA - 1)
    y = rng.random(stratum.size) < 0.3 + 0.2 * place
    shared = np.repeat(rng.normal(size=STRATA * units), 5)
    own = rng.normal(size=stratum.size)
    score = 0.6 * (place - 0.5) + 0.5 * shared + math.sqrt(0.75) * own + shift * y
    unit = np.arange(stratum.size) // 5
    return {"y": y, "score": score, "weights": 1 + place, "strata": stratum, "cluster": unit}


def stratified(units: int, shift: float, replicates: int) -> dict[str, float]:
    """Return coverage of the area, of its bootstrap, and of the sensitivity at 0.5."""
    whole = population(np.random.default_rng([SEED, 1]), 20_000, shift)
    area = rs.auc(whole["y"], whole["score"], weights=whole["weights"]).value
    called = whole["score"] >= 0.5
    rate = np.average(called[whole["y"]], weights=whole["weights"][whole["y"]])
    rng = np.random.default_rng([SEED, units, int(100 * shift)])
    values, errors, hits = [], [], np.zeros(3)
    for _ in range(replicates):
        part = population(rng, units, shift)
        sample = rs.ScoredSample.from_arrays(part.pop("y"), part.pop("score"), **part)
        found = rs.auc(sample)
        values.append(found.value)
        errors.append(found.std_error)
        drawn = rs.bootstrap(
            found, resampling=rs.Bootstrap(n_resamples=DRAWN, rng=int(rng.integers(2**31)))
        )
        points = rs.operating_points(sample, thresholds=[0.5])
        low, high = points.limits("sensitivity")
        holds = (area in found.confidence_interval(), area in drawn.confidence_interval())
        hits += [*holds, low[0] <= rate <= high[0]]
    names = ("auto", "bootstrap", "sensitivity")
    numbers = {"truth": area, "mean": np.mean(values), "scatter": np.std(values)}
    return numbers | {"error": np.mean(errors)} | dict(zip(names, hits / replicates, strict=True))


def refitted(n: int, area: float, replicates: int) -> dict[str, float]:
    """Return the coverage of the bootstrap that fits verification again, and of `auto`."""
    rng = np.random.default_rng([SEED, n, int(100 * area), 2])
    hits, spread, errors = np.zeros(3), [], []
    while len(errors) < replicates:
        try:
            found = verified(rng, n, area, 0.3, 0.9)
        except rs.InvalidSampleError:
            continue
        drawn = rs.bootstrap(
            found, resampling=rs.Bootstrap(n_resamples=DRAWN, rng=int(rng.integers(2**31)))
        )
        errors.append(found.std_error)
        spread.append(drawn.std_error[0])
        intervals = (
            found.confidence_interval(),
            drawn.confidence_interval(method="percentile"),
            drawn.confidence_interval(),
        )
        hits += [area in interval for interval in intervals]
    names = ("auto", "percentile", "bootstrap")
    numbers = {"error": np.mean(errors), "spread": np.mean(spread)}
    return numbers | dict(zip(names, hits / replicates, strict=True))


def adjusted(rng: np.random.Generator, n: int, area: float, kind: str) -> Any:
    """Return the area where a centre, or an age, moves the scores and the prevalence."""
    centre, age = rng.integers(0, 3, n), rng.normal(size=n)
    moved = 1.5 * centre if kind == "centre" else 1.5 * age
    y = rng.random(n) < expit(-0.4 + 0.5 * (moved - moved.mean()))
    score = rng.normal(size=n) + math.sqrt(2.0) * float(ndtri(area)) * y + moved
    return rs.auc(y, score, adjust_for={kind: centre if kind == "centre" else age})


def adjusted_survey(rng: np.random.Generator, n: int, area: float, spread: float) -> Any:
    """Return the area within three centres, with weights that go with the score."""
    pool = 20 * n
    centre = rng.integers(0, 3, pool)
    y = rng.random(pool) < expit(-0.4 + 0.75 * (centre - 1))
    own = rng.normal(size=pool) + math.sqrt(2.0) * float(ndtri(area)) * y
    weights = np.exp(spread * (rng.normal(size=pool) - own) / math.sqrt(2.0))
    found = rng.choice(pool, size=n, p=(1 / weights) / (1 / weights).sum())
    score = own + 1.5 * centre
    beside = {"centre": centre[found]}
    return rs.auc(y[found], score[found], weights=weights[found], adjust_for=beside)


def begg_greenes(n: int, shares: tuple[float, float], replicates: int) -> dict[str, float]:
    """Return coverage of sensitivity .8 and specificity .7 of a binary test, and the naive bias."""
    rng = np.random.default_rng([SEED, n, int(100 * shares[1])])
    hits, values, naive = {"sensitivity": 0, "specificity": 0}, [], []
    for _ in range(replicates):
        y = rng.random(n) < 0.4
        test = np.where(y, rng.random(n) < 0.8, rng.random(n) < 0.3).astype(float)
        known = rng.random(n) < np.where(test == 1.0, shares[0], shares[1])
        found = rs.operating_points(y, test, thresholds=[1], verified=known)
        for name, truth in (("sensitivity", 0.8), ("specificity", 0.7)):
            low, high = found.limits(name)
            hits[name] += bool(low[0] <= truth <= high[0])
        values.append(found.sensitivity[0])
        naive.append(test[known & y].mean())
    covered = {name: count / replicates for name, count in hits.items()}
    return covered | {"mean": float(np.mean(values)), "naive": float(np.mean(naive))}


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return a table in Markdown."""
    heads = list(heads)
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(row) + " |")
        print(lines[-1], flush=True)
    return lines


def cells(found: Any) -> list[str]:
    """Return an answer of `coverage` as cells."""
    mean, scatter, error, shares = found
    return [f"{mean:.3f}", f"{scatter:.4f}", f"{error:.4f}", *(f"{s:.3f}" for s in shares.values())]


def main() -> None:
    """Write the page."""
    warnings.simplefilter("ignore", rs.RocstatsWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=500)
    many = parser.parse_args().replicates
    error = math.sqrt(LEVEL * (1.0 - LEVEL) / many)
    stated = ["mean", "scatter", "mean SE"]
    ways = ["wald", "logit", "logit_t", "auto"]
    least = {}
    rows = []
    for n, area, (low, high) in ((n, a, r) for n in SIZES for a in AREAS for r in RANGES):
        key = f"verified {n} {area} {low} {high}"
        found = coverage(
            partial(verified, n=n, area=area, low=low, high=high), area, ways, many, key
        )
        rows.append([f"{n}", f"{area:g}", f"{low:g} to {high:g}", *cells(found)])
        print(rows[-1], flush=True)
        least["verified"] = min(least.get("verified", 1.0), found[3]["auto"])
    lines = [
        "# Intervals with weights, partial verification and adjustment",
        "",
        f"Made by `python docs/evidence/weights.py`, rocstats {rs.__version__}, NumPy "
        f"{np.__version__}, Python {platform.python_version()}; do not edit.",
        "",
        f"Share of {LEVEL:.0%} intervals that hold the true value, in {many} samples a row",
        f"(Monte-Carlo error {error:.3f}). `scatter` is the standard deviation of the estimates.",
        f"The seed is {SEED}; every row has a generator of its own, so that a row run alone has",
        "the same numbers.",
        "",
        "## Partial verification: the AUC by inverse probability weights",
        "",
        "40% positive, normal scores; the probability of verification rises along a logistic curve",
        "from the first to the second number between the 5% point of the negatives and the 95%",
        "point of the positives, and the model is fitted. `auto`, the default, takes the",
        "logit with t quantiles on the degrees of freedom that the tails of the influence leave,",
        "and near 1 Newcombe's method with the number of subjects that the weights are worth;",
        "the variance is multiplied by N / (N - p) for the p coefficients of the model.",
        "",
        *table(["n", "AUC", "verified", *stated, *ways], rows),
        "",
        f"Least coverage of `auto`: {least['verified']:.3f}.",
        "",
        "## Begg & Greenes: a binary test",
        "",
        "Sensitivity .8, specificity .7; all, or most, of the test's positives are verified.",
        "`naive` is the sensitivity among the verified alone.",
        "",
    ]
    rows = []
    for n, shares in ((n, s) for n in SIZES for s in SHARES):
        found = begg_greenes(n, shares, many)
        verified_of = f"{shares[0]:g} and {shares[1]:g}"
        numbers = [f"{found[k]:.3f}" for k in ("naive", "mean", "sensitivity", "specificity")]
        rows.append([f"{n}", verified_of, *numbers])
    heads = ["n", "verified of + and -", "naive", "mean", "sensitivity", "specificity"]
    lines += [
        *table(heads, rows),
        "",
        "Where no verified positive is missed, the class counts as its weight over the largest;",
        "that rule was made after a first run of these rows, in which the class counted whole and",
        "the sensitivity of the first row covered in 0.866: these rows do not test it.",
        "",
        "## Probability weights",
        "",
        "Samples drawn with unequal probabilities that rise with the score, from a population of",
        "20 times their size, 1000 not run; `spread` is the standard deviation of the logarithm of",
        "the weights.",
        "",
    ]
    rows = []
    for n, area, spread in ((n, a, s) for n in SURVEYED for a in AREAS for s in SPREADS):
        key = f"survey {n} {area} {spread}"
        found = coverage(partial(surveyed, n=n, area=area, spread=spread), area, ways, many, key)
        rows.append([f"{n}", f"{area:g}", f"{spread:g}", *cells(found)])
        least["survey"] = min(least.get("survey", 1.0), found[3]["auto"])
    lines += [
        *table(["n", "AUC", "spread", *stated, *ways], rows),
        "",
        f"Least coverage of `auto`: {least['survey']:.3f}.",
        "",
        "## Probability weights and partial verification",
        "",
        "The same samples, of whom those with high scores are verified more often; the model of",
        "verification is fitted with the weights, which multiply those of verification.",
        "",
    ]
    rows = []
    for n, area, spread in ((n, a, s) for n in SURVEYED for a in AREAS for s in SPREADS[:2]):
        key = f"doubly {n} {area} {spread}"
        found = coverage(partial(doubly, n=n, area=area, spread=spread), area, ways, many, key)
        rows.append([f"{n}", f"{area:g}", f"{spread:g}", *cells(found)])
        least["doubly"] = min(least.get("doubly", 1.0), found[3]["auto"])
    lines += [
        *table(["n", "AUC", "spread", *stated, *ways], rows),
        "",
        f"Least coverage of `auto`: {least['doubly']:.3f}.",
        "",
        "## Sampling strata and primary units",
        "",
        f"{STRATA} strata that differ in weight, scores and prevalence; so many units of five in",
        "each, with an effect of the unit of 1/4 of the variance. `auto` and `bootstrap` are",
        f"intervals of the AUC, the latter with {DRAWN} resamples of units within strata, and",
        f"`sensitivity` is that of the sensitivity at a threshold; {many // 2} samples a row.",
        "",
    ]
    rows = []
    for units, shift in ((u, s) for u in UNITS for s in (1.0, 2.0)):
        one = stratified(units, shift, many // 2)
        names = ("truth", "mean", "scatter", "error", "auto", "bootstrap", "sensitivity")
        places = (3, 3, 4, 4, 3, 3, 3)
        numbers = [f"{one[k]:.{p}f}" for k, p in zip(names, places, strict=True)]
        rows.append([f"{units}", *numbers])
    heads = ["units", "AUC", *stated, "auto", "bootstrap", "sensitivity"]
    lines += [
        *table(heads, rows),
        "",
        "## The bootstrap of partial verification",
        "",
        "Everyone is drawn, verified or not, and each resample fits the model again; verification",
        f"rises from .3 to .9, {DRAWN} resamples, {many // 2} samples a row. `percentile` are the",
        "plain quantiles, `bootstrap` the default.",
        "",
    ]
    rows = []
    for n, area in REFITTED:
        one = refitted(n, area, many // 2)
        names = ("auto", "percentile", "bootstrap")
        numbers = [f"{one['error']:.4f}", f"{one['spread']:.4f}", *(f"{one[k]:.3f}" for k in names)]
        rows.append([f"{n}", f"{area:g}", *numbers])
    heads = ["n", "AUC", "mean SE", "mean spread", "auto", "percentile", "bootstrap"]
    lines += [
        *table(heads, rows),
        "",
        "## Adjusted for a covariate",
        "",
        "A centre (three strata), or an age (a line fitted to the negatives), moves the scores and",
        "the prevalence; the truth is the area among subjects of the same centre or age.",
        "",
    ]
    rows = []
    for n, area, kind in ((n, a, k) for n in SIZES for a in AREAS for k in ("centre", "age")):
        key = f"adjusted {n} {area} {kind}"
        found = coverage(
            partial(adjusted, n=n, area=area, kind=kind), area, ("wald", "auto"), many, key
        )
        rows.append([f"{n}", f"{area:g}", kind, *cells(found)])
        least["adjusted"] = min(least.get("adjusted", 1.0), found[3]["auto"])
    lines += [
        *table(["n", "AUC", "for", *stated, "wald", "auto"], rows),
        "",
        f"Least coverage of `auto`: {least['adjusted']:.3f}.",
        "",
        "## Adjusted for a covariate, with probability weights",
        "",
        "Three centres, and weights that go with the score; `spread` as above.",
        "",
    ]
    rows = []
    for n, area, spread in ((n, a, s) for n in SURVEYED for a in AREAS for s in SPREADS[:2]):
        key = f"adjusted survey {n} {area} {spread}"
        found = coverage(
            partial(adjusted_survey, n=n, area=area, spread=spread),
            area,
            ("wald", "auto"),
            many,
            key,
        )
        rows.append([f"{n}", f"{area:g}", f"{spread:g}", *cells(found)])
        least["both"] = min(least.get("both", 1.0), found[3]["auto"])
    lines += [
        *table(["n", "AUC", "spread", *stated, "wald", "auto"], rows),
        "",
        f"Least coverage of `auto`: {least['both']:.3f}.",
    ]
    Path(__file__).with_suffix(".md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
