"""Coverage of intervals under censoring; writes ``docs/evidence/survival.md``.

``python docs/evidence/survival.py [--replicates N]``: about 10 minutes with the default; the tests
run some of its settings.
"""

from __future__ import annotations

import argparse
import math
import platform
import warnings
import zlib
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

import rocstats as rs

SEED = 20261123  # the rule of a PPV of 1 was chosen on draws of 20261118
SIZES = (100, 300, 1000)
CENSORED = (0.2, 0.6)
EFFECTS = {"moderate": 1.0, "strong": 3.0}  # log hazard ratio of a standard deviation of x
NOISE = 1.0  # standard deviation of what z adds to x
SHARE = 0.5  # who has the event by the time
MEASURES = {
    "auc logit": "AUC(t), logit (default)",
    "auc wald": "AUC(t), Wald",
    "auc score": "AUC(t), score",
    "difference": "difference of two AUC(t)",
    "band": "band over five times",
    "harrell": "Harrell's C",
    "uno": "Uno's C",
    "uno fixed": "Uno's C, G taken as known",
    "sensitivity": "sensitivity",
    "ppv": "PPV",
}
LARGE = 250_000
GRID = np.linspace(-8.0, 8.0, 1601)


def hazard_time(effect: float) -> float:
    """Return the time by which the share of subjects have the event."""
    density = np.exp(-0.5 * GRID**2)
    density /= density.sum()

    def excess(t: float) -> float:
        return float(density @ -np.expm1(-t * np.exp(effect * GRID))) - SHARE

    return float(brentq(excess, 1e-6, 1e6))


def censoring_rate(effect: float, share: float) -> float:
    """Return the hazard of censoring that censors the share of all subjects."""
    density = np.exp(-0.5 * GRID**2)
    density /= density.sum()

    def excess(log_rate: float) -> float:
        rate = math.exp(log_rate)
        return float(density @ (rate / (rate + np.exp(effect * GRID)))) - share

    return math.exp(float(brentq(excess, -20.0, 20.0)))


def true_areas(effect: float, time: float) -> tuple[float, float]:
    """Return the AUC at the time of x and of z, by integration."""
    density = np.exp(-0.5 * GRID**2)
    density /= density.sum()
    case = density * -np.expm1(-time * np.exp(effect * GRID))
    control = density - case
    spread = np.exp(-0.5 * ((GRID[:, None] - GRID[None, :]) / NOISE) ** 2)
    spread /= spread.sum(axis=0)
    found = []
    for a, b in ((case, control), (spread @ case, spread @ control)):
        below = np.cumsum(b) - 0.5 * b
        found.append(float(a @ below / (a.sum() * b.sum())))
    return found[0], found[1]


def draw(rng: np.random.Generator, n: int, effect: float, rate: float) -> rs.SurvivalSample:
    """Return a sample with exponential times and censoring."""
    x = rng.normal(size=n)
    z = x + rng.normal(0.0, NOISE, n)
    time = rng.exponential(size=n) * np.exp(-effect * x)
    end = rng.exponential(size=n) / rate if rate > 0.0 else np.full(n, np.inf)
    frame = {"time": np.minimum(time, end), "event": (time <= end).astype(int), "x": x, "z": z}
    return rs.SurvivalSample.from_frame(frame, "time", "event", ["x", "z"])


def truth(effect: float, rate: float, time: float, times: np.ndarray) -> dict[str, float]:
    """Return what each measure estimates; concordance and rates from samples of 250,000."""
    rng = np.random.default_rng(SEED)
    first, second = true_areas(effect, time)
    seen = draw(rng, LARGE, effect, rate)
    whole = draw(rng, LARGE, effect, 0.0)
    harrell = rs.concordance(seen)["x"].value
    uno = rs.concordance(whole, method="uno", tau=time)["x"].value
    rates = rs.operating_points_at(whole, time, {"x": 0.0})
    areas = [true_areas(effect, t)[0] for t in times]
    return {
        "auc": first,
        "difference": first - second,
        "harrell": harrell,
        "uno": uno,
        "sensitivity": rates[0].value,
        "ppv": rates[2].value,
        **{f"band {i}": area for i, area in enumerate(areas)},
    }


def covered(effect: float, share: float, n: int, replicates: int) -> dict[str, float]:
    """Return the share of intervals that hold the truth, and standard errors over the scatter."""
    time, rate = hazard_time(effect), censoring_rate(effect, share)
    times = np.quantile([0.2 * time, time], [0.0, 0.25, 0.5, 0.75, 1.0])
    known = truth(effect, rate, time, times)
    seed = zlib.crc32(f"{SEED} {effect} {share} {n}".encode())
    rng = np.random.default_rng(seed)
    held: dict[str, list[bool]] = {name: [] for name in MEASURES}
    values, errors = [], []
    while len(values) < replicates:
        sample = draw(rng, n, effect, rate)
        if sample.time.max() <= time:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocstatsWarning)
            areas = rs.auc_at(sample, times)
            row = areas["x", times[-1]]
            if math.isnan(row.value):
                continue
            contrast = areas[times.size - 1 :: times.size].compare().pairwise(adjust="none")[0]
            fixed = rs.concordance(sample, "uno", tau=time, censoring="fixed")["x"]
            rates = rs.operating_points_at(sample, time, {"x": 0.0})
            limits = {
                "auc logit": (row.confidence_interval(), known["auc"]),
                "auc wald": (row.confidence_interval(method="wald"), known["auc"]),
                "auc score": (row.confidence_interval(method="score"), known["auc"]),
                "difference": (contrast.confidence_interval(), known["difference"]),
                "harrell": (rs.concordance(sample)["x"].confidence_interval(), known["harrell"]),
                "uno": (
                    rs.concordance(sample, "uno", tau=time)["x"].confidence_interval(),
                    known["uno"],
                ),
                "uno fixed": (fixed.confidence_interval(), known["uno"]),
                "sensitivity": (rates[0].confidence_interval(), known["sensitivity"]),
                "ppv": (rates[2].confidence_interval(), known["ppv"]),
            }
            band = areas["x"].band(n_resamples=1000)
        for name, (interval, value) in limits.items():
            held[name].append(value in interval)
        wanted = np.array([known[f"band {i}"] for i in range(times.size)])
        held["band"].append(bool(((band.low <= wanted) & (wanted <= band.high)).all()))
        values.append(row.value)
        errors.append(row.scatter[0])
    found = {name: float(np.mean(hits)) for name, hits in held.items()}
    return found | {
        "area": known["auc"],
        "bias": float(np.mean(values)) - known["auc"],
        "ratio": float(np.sqrt(np.mean(np.square(errors)))) / float(np.std(values, ddof=1)),
    }


def main() -> None:
    """Simulate every design and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=400)
    replicates = parser.parse_args().replicates
    rows = []
    for label, effect in EFFECTS.items():
        for share in CENSORED:
            for n in SIZES:
                found = covered(effect, share, n, replicates)
                rows.append((label, share, n, found))
                print(label, share, n, {k: round(v, 3) for k, v in found.items()}, flush=True)
    error = math.sqrt(0.95 * 0.05 / replicates)
    worst = {name: min(found[name] for *_, found in rows) for name in MEASURES}
    mean = {name: float(np.mean([found[name] for *_, found in rows])) for name in MEASURES}
    lines = [
        "# Survival outcomes: coverage under censoring",
        "",
        f"Written by `python docs/evidence/survival.py --replicates {replicates}` (rocstats "
        f"{rs.__version__}, numpy {np.__version__}, Python {platform.python_version()}, seed "
        f"{SEED}). Coverage of 95% intervals; a cell has a Monte-Carlo standard error of "
        f"{error:.3f}.",
        "",
        "Event times are exponential with hazard exp(b x), x standard normal and b = 1 (moderate) "
        "or 3 (strong); the second marker is x with noise of the same size. Censoring is "
        "exponential, of 20% or 60% of all subjects. The time t is the one by which half have the "
        "event. True areas are integrals; true concordances and rates come from 250,000 subjects.",
        "",
        "| marker | AUC(t) | censored | n | " + " | ".join(MEASURES.values()) + " | bias of AUC(t) "
        "| standard error over scatter |",
        "|" + "---|" * (len(MEASURES) + 6),
    ]
    for label, share, n, found in rows:
        cells = " | ".join(f"{found[name]:.3f}" for name in MEASURES)
        lines.append(
            f"| {label} | {found['area']:.3f} | {share:.0%} | {n} | {cells} | "
            f"{found['bias']:+.4f} | {found['ratio']:.3f} |"
        )
    lines += [
        "| **mean** | | | | " + " | ".join(f"{mean[n]:.3f}" for n in MEASURES) + " | | |",
        "| **worst** | | | | " + " | ".join(f"{worst[n]:.3f}" for n in MEASURES) + " | | |",
    ]
    path = Path(__file__).with_suffix(".md")
    tail = path.read_text(encoding="utf-8").partition(MARK)[2] if path.exists() else "\n"
    path.write_text("\n".join(lines) + "\n\n" + MARK + tail, encoding="utf-8")


MARK = "<!-- below: written by hand -->"

if __name__ == "__main__":
    main()
