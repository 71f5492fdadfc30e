"""The page of speeds: tables, a drawing of growth, and the machine they were measured on."""

import datetime
import math
import os
import platform
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import rocstats as rs
from benchmarks.data_sets import Setting
from benchmarks.race import Race
from rocstats.data import installed_kernel

EVIDENCE = Path(__file__).parents[1] / "docs" / "evidence"
HEAD = """# {title}

Made by `make bench` (`benchmarks/`); do not edit. Every package runs in a process of its own, in
turns, on one core. A time is of the processor, the best of the rounds; behind it stands its ratio
to `np.sort` of the same doubles. An answer is checked against the definition before its time is
shown: "wrong" says what came instead, "-" that the package was not asked, because a sample before
was answered wrongly or took more than {enough:g} s. Rounds end for a package whose
times add up to {patience:g} s.

{machine}

{kernel}

"""
KERNEL = """Where the installation had a C compiler, a small kernel places, multiplies and draws;
numpy is its twin and gives the same numbers, resamples to the bit. What was chosen, and why, is
on [](../explanation/kernel.md)."""


def machine(loads: Iterable[float], versions: Mapping[str, str]) -> str:
    """Return in words what measured, and how busy it was."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        pass
    seen = sorted(loads)
    busy = seen[:: max(len(seen) - 1, 1)]  # the least and the most
    load = f"load {' to '.join(f'{one:.1f}' for one in busy)} on {os.cpu_count()} cores"
    # A checkout has no metadata of its own.
    everyone = {**versions, "rocstats": f"{rs.__version__} ({installed_kernel.describe()})"}
    known = ", ".join(f"{peer} {version}" for peer, version in everyone.items() if version)
    day = datetime.date.today().isoformat()
    return f"{day}, {name}, {load}, Python {platform.python_version()}; {known}."


def table(race: Race, task: str, *, plain: bool = False) -> str:
    """Return the times of a task, a line a setting and a column a package."""
    settings = sorted(
        {s for t, s, _ in race.results if t == task}, key=lambda s: (s.scores, s.balance, s.n)
    )
    peers = [p for p in race.versions if any((task, s, p) in race.results for s in settings)]
    rows = [["sample", *peers]]
    for setting in settings:
        sort = race.of("sort", setting, "numpy").best
        rows.append([str(setting), *(_cell(race, task, setting, p, sort) for p in peers)])
    if plain:
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in rows
        )
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _cell(race: Race, task: str, setting: Setting, peer: str, sort: float) -> str:
    found = race.of(task, setting, peer)
    if found.trouble:
        return "-" if found.trouble == "not asked" else found.trouble
    seconds = found.best
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{seconds / size:.3g} {unit} ({seconds / sort:.2g})"
    return ""


def draw(race: Race, tasks: dict[str, str], file: Path) -> None:
    """Draw how times grow with the sample, continuous scores, 1:1."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "rocstats", "svg.fonttype": "none"})
    import matplotlib.pyplot as plt

    drawn = [t for t in tasks if len({s.n for k, s, _ in race.results if k == t}) > 1]
    if not drawn:
        return
    columns = 3
    lines = math.ceil(len(drawn) / columns)
    figure, axes = plt.subplots(lines, columns, figsize=(11, 3 * lines), squeeze=False)
    for axis, task in zip(axes.flat, drawn, strict=False):
        for peer in race.versions:
            points = sorted(
                (s.n, r.best)
                for (t, s, p), r in race.results.items()
                if (t, p, s.scores, s.balance) == (task, peer, "continuous", "1:1")
                and not math.isnan(r.best)
            )
            if points:
                width = 2.2 if peer == "rocstats" else 1.0
                axis.loglog(*zip(*points, strict=True), marker=".", label=peer, linewidth=width)
        axis.set_title(tasks[task], fontsize=9)
        axis.set_xlabel("subjects", fontsize=8)
        axis.set_ylabel("seconds", fontsize=8)
        axis.legend(fontsize=6)
    for axis in list(axes.flat)[len(drawn) :]:
        axis.axis("off")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def write_page(
    race: Race, tasks: dict[str, str], bars: list[tuple[str, str, str, str]], page: Path
) -> None:
    """Write the page and its drawing, and the line on it in the summary of the evidence."""
    from benchmarks.race import ENOUGH, PATIENCE

    title = "Speed beside other packages"
    title += ", on a busy machine" * page.stem.endswith("busy")
    said = {"title": title, "machine": machine(race.loads, race.versions), "kernel": KERNEL}
    text = HEAD.format(enough=ENOUGH, patience=PATIENCE, **said)
    draw(race, tasks, page.with_suffix(".svg"))
    text += f"![Seconds against the number of subjects]({page.stem}.svg)\n"
    text += "\n## Bars\n\n| task | best | bar | |\n|---|---|---|---|\n"
    text += "".join(f"| {' | '.join(row)} |\n" for row in bars)
    for task, title in tasks.items():
        text += f"\n## {title}\n\n{table(race, task)}\n"
    _write_whole(page, text)
    index = page.with_name("index.md")
    if index.is_file():
        _write_whole(index, with_summary(index.read_text("utf-8"), page.name, bars))


def with_summary(index: str, page: str, bars: list[tuple[str, str, str, str]]) -> str:
    """Return the summary of the evidence with what this page says, where it has a line."""
    sorts = [f"{task.partition(',')[0]} {best}s" for task, best, _, _ in bars if "sort" in best]
    missed = [task for task, _, _, told in bars if told == "missed"]
    met = f"{len(bars) - len(missed)} of {len(bars)} bars are met"
    said = "; ".join([*filter(None, [", ".join(sorts)]), met])
    said += f"; missed: {'; '.join(missed)}" if missed else ""
    line = rf"^(\| [^|]* \|)[^|]*(\| \[\]\({re.escape(page)}\) \|)$"
    return re.sub(line, lambda m: f"{m[1]} {said} {m[2]}", index, flags=re.M)


def _write_whole(file: Path, text: str) -> None:
    fresh = file.with_suffix(".fresh")
    fresh.write_text(text, "utf-8")
    fresh.replace(file)  # whole or not at all
