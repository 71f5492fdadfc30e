"""One package in a process of its own: reads a task a line, answers with seconds and numbers."""

import json
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from benchmarks.calls import PEERS
from benchmarks.data_sets import Data, read

LEAST = 0.005  # seconds of the processor that a measurement lasts at least


def main(peer: str) -> None:
    out = sys.stdout
    sys.stdout = sys.stderr  # what a package prints is no answer
    try:
        calls = PEERS[peer]()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=out, flush=True)
        return
    try:
        found = version(peer)
    except PackageNotFoundError:
        found = "?"
    print(json.dumps({"tasks": sorted(calls), "version": found}), file=out, flush=True)
    folder, data = "", Data(y=np.empty(0), scores=[])
    ready: dict[str, object] = {}
    warm: set[str] = set()  # tasks whose imports have been paid for
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["folder"] != folder:
            folder, ready = asked["folder"], {}
            data = read(Path(folder))
        task = asked["task"]
        try:
            if task not in ready:
                ready[task] = calls[task](data)
            call = ready[task]
            if task not in warm:
                call()
                warm.add(task)
            times, answer = 1, None
            while True:
                start = time.process_time()
                for _ in range(times):
                    answer = call()
                spent = time.process_time() - start
                if spent >= LEAST:
                    break
                times = max(2 * times, int(1.2 * LEAST * times / max(spent, 1e-6)))
            told = {"seconds": spent / times, "answer": [float(value) for value in answer]}
        except Exception as error:
            told = {"failed": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(told), file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
