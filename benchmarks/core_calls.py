"""``python -m benchmarks.core_calls``: one core call, so that its instructions can be counted."""

import sys

from benchmarks.data_sets import Setting, make

CALLS = (
    "auc",
    "interval",
    "sauc",
    "smauc",
    "partial",
    "paired",
    "covariance",
    "bootstrap",
    "permutation",
    "points",
)
N = 2000


def main(name: str, times: int) -> None:
    from benchmarks.calls import rocstats_calls

    data = make(Setting(N), 10)
    call = rocstats_calls()[name](data)
    call()  # imports
    for _ in range(times):
        call()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
