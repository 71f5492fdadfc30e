"""``python -m benchmarks``: rocstats beside its peers; ``--check`` fails where it falls behind.

Seconds are of the processor, the best of rounds in which every package takes its turn, so that a
busy machine disturbs all alike. The unit is ``np.sort`` of the same doubles. What a package answers
is checked against the definition before its time is shown. With ``--write`` the page is written
after every sample, so that a race may be stopped (Ctrl+C) at any time.
"""

import argparse
import sys

from benchmarks import starts
from benchmarks.data_sets import Setting
from benchmarks.race import ALL_PEERS, Race, Result, run
from benchmarks.speed_page import EVIDENCE, table, write_page

SIZES = [10**k for k in range(2, 8)]
# Task: what it is, and the largest sample it is asked for.
TASKS = {
    "auc": ("AUC", 10**7),
    "interval": ("AUC with DeLong's interval", 10**7),
    "sauc": ("sAUC with interval", 10**7),
    "smauc": ("smAUC with interval", 10**7),
    "partial": ("partial AUC with interval", 10**7),
    "paired": ("paired DeLong test", 10**7),
    "covariance": ("covariance of ten markers", 10**6),
    "points": ("all operating points with limits", 10**6),
    "decision": ("net benefit at a threshold", 10**6),
    "brier": ("Brier score", 10**7),
    "precision": ("average precision", 10**7),
    "scored curve": ("sROC curve", 10**6),
    "bootstrap": ("bootstrap of the AUC, 2000", 10**5),
    "bootstrap of smauc": ("bootstrap of the smAUC, 2000", 10**4),
    "bootstrap of midpoint": ("bootstrap of the smAUC, midpoint estimated, 2000", 10**4),
    "bootstrap of partial": ("bootstrap of the partial AUC, 2000", 10**4),
    "permutation": ("permutation test, 9999", 10**4),
    "band": ("band of the curve, 2000 resamples", 10**4),
    "cutpoint": ("best cutpoint, 2000 resamples", 10**4),
    "two samples": ("two-sample test by sAUC, 9999", 10**5),
    "independent curves": ("Venkatraman's test of independent curves, 9999", 10**4),
}
# Bars for 1:1: task, sample, most, in units of np.sort or in seconds ("s").
BARS = [
    ("auc", Setting(100), 40e-6, "s"),
    ("auc", Setting(100, "tied"), 40e-6, "s"),
    ("paired", Setting(100), 150e-6, "s"),
    ("interval", Setting(10**6), 1.3, "sort"),
    ("paired", Setting(10**6), 4.0, "sort"),
    ("covariance", Setting(10**6), 20.0, "sort"),
    ("smauc", Setting(10**6), 2.2, "sort"),
    ("bootstrap", Setting(10**4), 0.060, "s"),
    ("bootstrap of smauc", Setting(10**4), 0.5, "s"),
    ("bootstrap of midpoint", Setting(10**4), 0.5, "s"),
    ("bootstrap of partial", Setting(10**4), 0.5, "s"),
    ("permutation", Setting(10**4), 0.050, "s"),
    ("band", Setting(10**4), 0.120, "s"),
    ("cutpoint", Setting(10**4), 0.120, "s"),
    ("scored curve", Setting(10**6), 0.2, "s"),
    ("two samples", Setting(10**5), 1.0, "s"),
    ("independent curves", Setting(10**4), 1.0, "s"),
]
NOISE = 0.15  # what the best of rounds still varies by


def judge_bars(race: Race) -> list[tuple[str, str, str, str]]:
    """Return for every bar that was measured the task, its time, the bar, and whether it is met."""
    found = []
    for task, setting, most, unit in BARS:
        ours, sort = race.of(task, setting, "rocstats"), race.of("sort", setting, "numpy")
        if ours.trouble == "not asked":
            continue
        value = ours.best / sort.best if unit == "sort" else ours.best
        said = f"{TASKS[task][0]}, {setting}", f"{value:.3g} {unit}", f"{most:g} {unit}"
        found.append((*said, _verdict(value, most, ours, sort)))
    return found


def judge_starts(times: dict[str, Result]) -> list[tuple[str, str, str, str]]:
    """Return the same of whole processes, beside others or in seconds."""
    found = []
    for name, beside, most in starts.BARS:
        ours = times[name]
        base = ours if beside is None else times[beside]
        value, unit = (ours.best, "s") if beside is None else (ours.best / base.best, f"x {beside}")
        said = f"{name}, the whole process", f"{value:.3g} {unit}", f"{most:g} {unit}"
        found.append((*said, _verdict(value, most, ours, base)))
    return found


def _verdict(value: float, most: float, *measured: Result) -> str:
    allowed = 1.0 + max(NOISE, *(result.noise for result in measured))
    return "met" if value <= most else "met, within noise" if value <= most * allowed else "missed"


def behind_bars(bars: list[tuple[str, str, str, str]]) -> list[str]:
    """Return a sentence for every bar that is missed."""
    return [f"{task}: {value}, bar {bar}." for task, value, bar, told in bars if told == "missed"]


def falls_behind(race: Race) -> list[str]:
    """Return a sentence for every row that is behind its bar, or behind a peer, beyond noise."""
    found = behind_bars(judge_bars(race))
    for (task, setting, peer), theirs in race.results.items():
        ours = race.of(task, setting, "rocstats")
        if ours.trouble == "not asked" or peer in ("rocstats", "numpy") or setting.n < 1000:
            continue
        if ours.trouble:
            found.append(f"{TASKS[task][0]}, {setting}: {ours.trouble}.")
        elif ours.best > theirs.best * (1.0 + max(NOISE, ours.noise, theirs.noise)):
            found.append(f"{TASKS[task][0]}, {setting}: {ours.best / theirs.best:.2g} x {peer}.")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", default=",".join(f"{n:.0e}" for n in SIZES))
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--peers", default=",".join(ALL_PEERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=12.0, help="begin no sample after these")
    parser.add_argument("--few", action="store_true", help="continuous scores and 1:1 only")
    parser.add_argument("--starts", action="store_true", help="imports, a command, a report too")
    parser.add_argument("--write", action="store_true", help="write the page of docs/evidence")
    parser.add_argument("--page", default="speed.md", help="its name; speed_busy.md if others run")
    parser.add_argument("--check", action="store_true", help="fail where a row falls behind")
    asked = parser.parse_args()
    kinds = [("continuous", "1:1")]
    if not asked.few:
        kinds += [("tied", "1:1"), ("continuous", "1:99"), ("tied", "1:99")]
    sizes = [int(float(size)) for size in asked.sizes.split(",")]
    tasks = {
        task: [Setting(n, *kind) for n in sizes if n <= TASKS[task][1] for kind in kinds]
        for task in asked.tasks.split(",")
    }
    titles = {task: TASKS[task][0] for task in tasks}
    started = judge_starts(starts.time_starts(asked.rounds)) if asked.starts else []

    def keep(race: Race) -> None:
        if asked.write:
            bars = [*started, *judge_bars(race)]
            write_page(race, titles, bars, EVIDENCE / asked.page)

    race = run(tasks, asked.peers.split(","), asked.rounds, minutes=asked.minutes, after=keep)
    for task in tasks:
        print(f"\n{TASKS[task][0]}\n{table(race, task, plain=True)}")
    keep(race)
    print("\n".join(["", *(f"{task}: {value} (bar {bar})" for task, value, bar, _ in started)]))
    behind = [*behind_bars(started), *falls_behind(race)]
    print("\n".join(["", *behind] if behind else ["", "No row falls behind its bar."]))
    return int(bool(behind) and asked.check)


if __name__ == "__main__":
    sys.exit(main())
