"""Survival outcomes, from a sample to the answer: ``python -m benchmarks.survival``.

The bar of the AUC at a time with its standard error is 12 times np.sort in the same run.
"""

import tracemalloc

import numpy as np

import rocstats as rs
from benchmarks.resampling import best

SIZE, BAR = 10**6, 12.0
CALLS = {
    "AUC at one time with standard error": lambda s: rs.auc_at(s, times=1.0).std_error,
    "AUC at five times, joint covariance": lambda s: (
        rs.auc_at(s, times=[0.25, 0.5, 1.0, 1.5, 2.0]).covariance
    ),
    "Harrell's C with standard error": lambda s: rs.concordance(s).std_error,
    "Uno's C with standard error": lambda s: rs.concordance(s, "uno", tau=2.0).std_error,
}


def sample(n: int) -> rs.SurvivalSample:
    """Return n subjects with exponential times and censoring, and one marker."""
    rng = np.random.default_rng(2026)
    x = rng.normal(size=n)
    event, end = rng.exponential(size=n) * np.exp(-0.7 * x), 2.0 * rng.exponential(size=n)
    frame = {"time": np.minimum(event, end), "event": (event <= end).astype(int), "x": x}
    return rs.SurvivalSample.from_frame(frame, time="time", event="event", markers="x")


def main() -> None:
    """Print the time of every call beside np.sort, and the memory of the first."""
    given = sample(SIZE)
    scores = given.scores[0]
    for name, call in CALLS.items():
        unit = best(lambda: np.sort(scores), 3)
        seconds = best(lambda call=call: call(given), 3 if "AUC" in name else 1)
        print(f"{name}: {seconds / unit:.1f} x np.sort ({seconds:.2f} s, n = {SIZE:,})")
    tracemalloc.start()
    CALLS["AUC at one time with standard error"](given)
    peak = tracemalloc.get_traced_memory()[1] / 8 / SIZE
    tracemalloc.stop()
    print(f"AUC at one time: at most {peak:.0f} doubles a subject; bar {BAR:g} x np.sort")


if __name__ == "__main__":
    main()
