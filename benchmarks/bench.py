"""The analyst's bench against np.sort, the AUC and the curves: ``python -m benchmarks.bench``.

Everything runs on one core: set ``OMP_NUM_THREADS=1``. Tasks of one line are timed in turns, so a
noisy machine slows them alike; the best of the rounds counts.
"""

from collections.abc import Callable

import numpy as np

import rocstats as rs
from benchmarks.resampling import best

N = 10**6
ROUNDS = 5


def in_turns(*tasks: Callable[[], object]) -> list[float]:
    """Seconds of each task, the best of several rounds."""
    rounds = [[best(task, 1) for task in tasks] for _ in range(ROUNDS)]
    return np.min(rounds, axis=0).tolist()


def main() -> None:
    rng = np.random.default_rng(2026)
    y = np.arange(N) % 2
    score = y + rng.normal(size=N)
    sample = rs.ScoredSample.from_arrays(y, score)

    def whole_table() -> None:
        points = rs.operating_points(sample)
        for measure in points.measures:
            points.limits(measure)

    def with_interval(estimate: rs.Estimate) -> object:
        return estimate.std_error, estimate.confidence_interval()

    sort, table = in_turns(lambda: np.sort(score), whole_table)
    print(f"operating points, all measures, n = {N:,}: {table / sort:.1f} x np.sort (bar 60)")
    for digits in (None, 3):
        scores = score if digits is None else score.round(digits)
        data = rs.ScoredSample.from_arrays(y, scores)
        whole, part = in_turns(
            lambda d=data: with_interval(rs.auc(d)),
            lambda d=data: with_interval(rs.partial_auc(d, fpr=(0.0, 0.1))),
        )
        name = "untied" if digits is None else f"{digits} digits"
        print(f"partial AUC with interval, {name}: {part / whole:.2f} x the AUC (bar 2)")

    two = rs.ScoredSample.from_arrays(y, {"a": score, "b": score + rng.normal(size=N)})
    sort, tests = in_turns(
        lambda: np.sort(score),
        lambda: rs.compare_tests(two, thresholds={"a": 0.5, "b": 0.5}).to_dict(),
    )
    print(f"two binary tests, all measures, n = {N:,}: {tests / sort:.1f} x np.sort (bar 15)")

    n = 10**5
    markers = {f"m{k}": rng.normal(size=n) + k / 5 * y[:n] for k in range(10)}
    ten = rs.ScoredSample.from_arrays(y[:n], markers)

    def curves() -> list[rs.RocCurve]:
        return [rs.roc_curve(ten, marker=name) for name in markers]

    found = curves()
    made, hull = in_turns(curves, lambda: rs.roc_hull(found))
    print(f"hull of 10 curves of 10^5 points: {hull / made:.2f} x the curves (bar 2)")

    few = rs.ScoredSample.from_arrays(y[: 10**4], score[: 10**4])
    for method in ("bootstrap", "fixed-width"):
        seconds = best(
            lambda m=method: rs.roc_band(few, method=m, resampling=rs.Bootstrap(rng=1)), 2
        )
        print(f"band by {method}, 2000 resamples, n = 10^4: {seconds:.2f} s (bar 3)")


if __name__ == "__main__":
    main()
