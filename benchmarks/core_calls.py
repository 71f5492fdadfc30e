"""Ten core calls, each in a child of one process that has imported and done everything once.

Under callgrind every child leaves a file with all instructions up to its end; of the two children
of a call one does nothing, so that their difference is the call's own.
"""

import gc
import os
import sys

from benchmarks.calls import rocstats_calls
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
LONG = {"bootstrap", "permutation", "points"}
N = 2000
TIMES = 5


def main(names: list[str]) -> None:
    data = make(Setting(N), 10)
    known = rocstats_calls()
    calls = {name: known[name](data) for name in names}
    for name, call in calls.items():
        for _ in range(2 if name in LONG else 30):  # until Python has specialised all it runs
            call()
    gc.disable()  # or it would fall into one call or another
    for name, call in calls.items():
        for times in (0, TIMES):
            child = os.fork()
            if child == 0:
                for _ in range(times):
                    call()
                os._exit(0)
            os.waitpid(child, 0)
            print(name, times, child, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
