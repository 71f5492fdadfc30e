"""Speed and memory as ratios within one run: ``python -m benchmarks.ratios``.

Times are the best of several rounds in which every task takes its turn, so that a busy machine
disturbs all of them alike; a ratio to ``np.sort`` of the same doubles says more than milliseconds.
"""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import rocstats as rs

N = 10**6
ROUNDS = 9
Task = Callable[[], object]


def best_times(tasks: dict[str, Task], rounds: int = ROUNDS) -> dict[str, float]:
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def peak_arrays(task: Task) -> float:
    """Return the peak of memory taken by a task, in arrays of N doubles."""
    tracemalloc.start()
    task()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / (8 * N)


def scores(rng: np.random.Generator, y: np.ndarray, *, digits: int | None) -> np.ndarray:
    logits = rng.normal(size=y.size) + y
    probability = 1.0 / (1.0 + np.exp(-logits))
    return probability if digits is None else probability.round(digits)


def large(title: str, y: np.ndarray, s: np.ndarray, bar: float) -> None:
    sample = rs.ScoredSample.from_arrays(y, s)
    rng = np.random.default_rng(3)
    w, z = rng.uniform(0.5, 2.0, y.size), rng.integers(0, 5, y.size)
    tasks: dict[str, Task] = {
        "np.sort": lambda: np.sort(s),
        "auc": lambda: rs.auc(y, s).confidence_interval(),
        "sauc": lambda: rs.sauc(y, s).confidence_interval(),
        "smauc": lambda: rs.smauc(y, s).confidence_interval(),
        "smauc, midpoint estimated": lambda: rs.smauc(
            y, s, midpoint="class_mean"
        ).confidence_interval(),
        "roc_curve": lambda: rs.roc_curve(sample),
        "influence of the auc": lambda: rs.auc(sample).influence,
        "auc, probability weights": lambda: rs.auc(y, s, weights=w).confidence_interval(),
        "auc, partly verified": lambda: rs.auc(y, s, verified=w > 0.8).confidence_interval(),
        "auc, within 5 strata": lambda: rs.auc(y, s, adjust_for={"z": z}).confidence_interval(),
        "auc, 5 folds": lambda: rs.cv_auc(y, s, folds=z).confidence_interval(),
    }
    best = best_times(tasks)
    print(f"\n{title}, n = {N:,}: np.sort {1e3 * best['np.sort']:.1f} ms")
    print(f"  {'task':<28}{'x np.sort':>10}{'x auc':>8}{'arrays alive':>14}  bar")
    bars = {"auc": f"<= {bar:g} x np.sort", "sauc": "<= 3 x auc", "smauc": "<= 3 x auc"}
    for name, task in tasks.items():
        sort, auc = best[name] / best["np.sort"], best[name] / best["auc"]
        alive = peak_arrays(task)
        print(f"  {name:<28}{sort:>10.2f}{auc:>8.2f}{alive:>14.1f}  {bars.get(name, '')}")


def comparisons(rng: np.random.Generator, y: np.ndarray) -> None:
    common = rng.normal(size=y.size)
    markers = {f"m{k}": rng.normal(size=y.size) + common + y for k in range(10)}
    ten = rs.ScoredSample.from_arrays(y, markers)
    two = rs.ScoredSample.from_arrays(y, {k: markers[k] for k in ("m0", "m1")})
    s = markers["m0"]
    tasks: dict[str, Task] = {
        "np.sort": lambda: np.sort(s),
        "paired test, 2": lambda: rs.compare(two).pairwise(adjust="none"),
        "covariance, 10": lambda: rs.estimate(ten, measures="auc").covariance,
    }
    best = best_times(tasks, 5)
    bars = {"paired test, 2": "<= 15", "covariance, 10": "<= 130"}
    print(f"\ncomparisons, n = {N:,}: np.sort {1e3 * best['np.sort']:.1f} ms")
    for name, bar in bars.items():
        print(f"  {name:<28}{best[name] / best['np.sort']:>10.2f} x np.sort  bar {bar}")


def small(rng: np.random.Generator) -> None:
    y = (rng.random(1000) < 0.5).astype(int)
    s = rng.normal(size=1000) + y
    tasks: dict[str, Task] = {
        "auc": lambda: [rs.auc(y, s) for _ in range(100)],
        "interval": lambda: [rs.auc(y, s).confidence_interval() for _ in range(100)],
    }
    best = best_times(tasks)
    print("\nn = 1,000, microseconds a call (bar 150):")
    print(f"  rs.auc {1e4 * best['auc']:.0f}, with interval {1e4 * best['interval']:.0f}")


def main() -> None:
    rng = np.random.default_rng(2026)
    y = (rng.random(N) < 0.5).astype(int)
    print(f"rocstats {rs.__version__}, numpy {np.__version__}, one thread")
    large("continuous scores", y, scores(rng, y, digits=None), 4)
    large("scores of 3 digits", y, scores(rng, y, digits=3), 6)
    comparisons(rng, y)
    small(rng)


if __name__ == "__main__":
    main()
