"""Exact tables of two measures over all ranked lists: ``python -m benchmarks.measures``.

Times are of the clock, on one core; the limits are those of issue 8 and printed beside.
"""

import time

import rocstats as rs


def seconds(most: int, share: int = 2) -> float:
    """Return the time of all tables of lists of 4 to `most`, a part of them positive."""
    start = time.perf_counter()
    for n in range(4, most + 1, 2 if share == 2 else 4):
        rs.compare_measures("auc", "accuracy", n_pos=n // share, n_neg=n - n // share)
    return time.perf_counter() - start


def main() -> None:
    rs.compare_measures("auc", "accuracy", n_pos=2, n_neg=2)  # imports
    for most, limit in ((16, 2.0), (100, 60.0)):
        balanced, quarter = seconds(most), seconds(most, 4)
        print(
            f"AUC against accuracy, all lists to n = {most}: {balanced:.3f} s balanced, "
            f"{quarter:.3f} s a quarter positive (limit {limit:g} s)"
        )
    for n in (200, 400):
        start = time.perf_counter()
        found = rs.compare_measures("auc", "accuracy", n_pos=n // 2, n_neg=n // 2)
        print(
            f"n = {n} alone: {time.perf_counter() - start:.2f} s, C {found.consistency:.6f}, "
            f"D {found.discriminancy:.4f}, {found.counts.total.bit_length()} bits of pairs"
        )
    start = time.perf_counter()
    lists = rs.random_class_lists(n_classes=10)
    rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=50_000, rng=1)
    print(f"50,000 simulated pairs, ten classes: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
