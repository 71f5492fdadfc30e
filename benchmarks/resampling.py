"""Bootstrap and permutation against scipy in one run: ``python -m benchmarks.resampling``.

Everything runs on one core: set ``OMP_NUM_THREADS=1``. scipy does fewer resamples of the same
statistic, the fastest that numpy and scipy offer, and its time is scaled up.
"""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from scipy import stats

import rocstats as rs
from rocstats.resampling.bootstrapping import Bootstrap, bootstrap
from rocstats.resampling.permutation import Permutation, permutation_test
from rocstats.resampling.venkatraman import venkatraman_test

N = 10**4
ROUNDS = 5
FEW = 100  # resamples for scipy


def best(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def rank_auc(pos: np.ndarray, neg: np.ndarray) -> float:
    m = pos.size
    rank = stats.rankdata(np.concatenate([pos, neg]))
    return float((rank[:m].sum() - m * (m + 1) / 2) / (m * neg.size))


def scipy_bootstrap(y: np.ndarray, *scores: np.ndarray) -> float:
    """Seconds for 2000 resamples of the AUC, or of the difference of two, of paired scores."""
    where = np.flatnonzero(y == 1), np.flatnonzero(y == 0)

    def statistic(pos: np.ndarray, neg: np.ndarray) -> float:
        values = [rank_auc(s[pos.astype(int)], s[neg.astype(int)]) for s in scores]
        return values[0] - sum(values[1:])

    seconds = best(
        lambda: stats.bootstrap(
            where,
            statistic,
            n_resamples=FEW,
            vectorized=False,
            method="percentile",
            rng=np.random.default_rng(1),
        ),
        rounds=2,
    )
    return seconds * 2000 / FEW


def main() -> None:
    rng = np.random.default_rng(2026)
    y = np.arange(N) % 2
    a = y + rng.normal(size=N)
    b = a + rng.normal(size=N)
    setting = Bootstrap(rng=1)

    print(f"n = {N:,}, 2000 stratified resamples, seconds (best of {ROUNDS}); x: scipy over ours")
    unit = {k: 1.0 / (1.0 + np.exp(-s)) for k, s in (("a", a), ("b", b))}
    single = {
        "AUC (bar 0.35)": rs.auc(y, a),
        "AUC, 2 decimals": rs.auc(y, a.round(2)),
        "AUC, whole numbers": rs.auc(y, a.round()),
        "sAUC": rs.sauc(y, unit["a"]),
        "smAUC": rs.smauc(y, unit["a"]),
        "smAUC, midpoint estimated": rs.smauc(y, unit["a"], midpoint="class_mean"),
    }
    theirs = scipy_bootstrap(y, a)
    for name, estimate in single.items():
        rounds = 1 if "midpoint" in name else ROUNDS
        seconds = best(lambda e=estimate: bootstrap(e, resampling=setting), rounds)
        ratio = f"{theirs / seconds:8.1f} x" if name.startswith("AUC (") else ""
        print(f"  {name:<42}{seconds:8.3f}{ratio}")

    for name, scores, digits in (
        ("paired AUC difference (bars 0.8, 15 x)", (a, b), None),
        ("paired AUC difference, 2 decimals", (a, b), 2),
    ):
        pair = scores if digits is None else tuple(s.round(digits) for s in scores)
        both = rs.compare(y, dict(zip("ab", pair, strict=True)))
        seconds = best(lambda c=both: bootstrap(c, [1, -1], resampling=setting))
        print(f"  {name:<42}{seconds:8.3f}{scipy_bootstrap(y, *pair) / seconds:8.1f} x")
    both = rs.compare(y, {"a": a, "b": b})
    found = bootstrap(both, [1, -1], resampling=setting)
    seconds = best(lambda: found.resampler.run(want_errors=True), 2)
    print(f"  {'standard error of every such replicate':<42}{seconds:8.3f}")

    print("memory at the peak, in arrays of N doubles:")
    for n_resamples in (200, 2000):
        tracemalloc.start()
        bootstrap(both, [1, -1], resampling=Bootstrap(n_resamples=n_resamples, rng=1))
        peak = tracemalloc.get_traced_memory()[1] / (8 * N)
        tracemalloc.stop()
        print(f"  {n_resamples} resamples of the paired difference {peak:.1f}")

    print("permutation tests, 9999 permutations, seconds:")
    for n in (200, N):
        part = rs.compare(y[:n], {"a": a[:n], "b": b[:n]})
        seconds = best(lambda c=part: permutation_test(c, resampling=Permutation(rng=1)), 2)
        print(f"  exchange, AUC, n = {n:<23,}{seconds:8.3f}")
    part = rs.compare(y[:200], {"a": a[:200], "b": b[:200]})
    fewer = Permutation(n_resamples=999, rng=1)
    seconds = best(lambda: permutation_test(part, studentized=True, resampling=fewer), 1)
    print(f"  {'the same studentized, n = 200, 999 of them':<42}{seconds:8.3f}")
    seconds = best(lambda: venkatraman_test(part, resampling=Permutation(rng=1)), 2)
    print(f"  {'Venkatraman, n = 200':<42}{seconds:8.3f}")


if __name__ == "__main__":
    main()
