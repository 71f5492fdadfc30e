"""Huang & Ling (2005), section V at every cut-off: profit given AUC against profit given accuracy.

Among the first k of 2 m customers, m of them buyers, k <= m, a list with a given accuracy a finds
k a buyers on average: a straight line. What a list with a given AUC finds is counted, in whole
numbers. Above half the list nothing is new: read from its other end, with buyers and others
exchanged, a list has the same AUC and accuracy, and the difference at k is that at 2 m - k.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocstats.consistency.histograms import Counts, joint_rows, pair_histogram
from rocstats.consistency.long_lists import ahead_below
from rocstats.papers.paper import Claim, Found, PaperFigure, PaperTable, Settings, judged
from rocstats.papers.streams import run_jobs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Cut", "count_cut", "cutoff_part", "signs_of_cut"]

_HALF = 10  # buyers of the paper's lists, and others
_WHOLE = (10, 20, 50, 100)  # halves of lists that are cut at every place
_LONGEST = 200  # half of the lists that are cut at every twentieth of their length
_DRAWN = (0.05, 0.15, 0.25, 0.35, 0.45, 0.5)

Cuts = Mapping[int, Sequence["Cut"]]  # by half the length, growing with the depth


class Cut(NamedTuple):
    """Lists of `half` buyers and as many others, by AUC from 1/2 up, and the buyers they find.

    Attributes
    ----------
    half, depth : buyers in the list, and customers approached
    lists : number of lists with half**2 / 2, ..., half**2 pairs
    buyers : found in all these lists together
    """

    half: int
    depth: int
    lists: Counts
    buyers: Counts

    @property
    def pairs(self) -> Counts:
        """Pairs of a buyer above another, from half of them up."""
        whole = self.half**2
        return np.arange(whole - self.lists.size + 1, whole + 1).astype(object)


def count_cut(job: tuple[int, int]) -> Cut:
    """Count the lists of one length, cut at one depth."""
    half, depth = job
    lists = pair_histogram(half, half)
    buyers = np.zeros(lists.size, dtype=object)
    for row in joint_rows(half, half, None, depth):
        buyers[row.start : row.start + row.counts.size] += row.value * row.counts
    start = half**2 // 2
    return Cut(half, depth, lists[start:], buyers[start:])


def signs_of_cut(cut: Cut) -> list[int]:
    """Return 1, 0 or -1 for every AUC above 1/2: AUC ahead, equal, accuracy ahead."""
    ours, line = cut.buyers * cut.half**2, cut.depth * cut.pairs * cut.lists
    return [int(a > b) - int(a < b) for a, b in zip(ours[1:], line[1:], strict=True)]


def cutoff_part(settings: Settings) -> Found:
    """Return the four conclusions of section V, judged at every cut-off."""
    halves = _WHOLE[:2] if settings.quick else _WHOLE
    jobs = [(half, depth) for half in halves for depth in range(1, half + 1)]
    if not settings.quick:
        jobs += [(_LONGEST, depth) for depth in range(_LONGEST // 10, _LONGEST + 1, _LONGEST // 10)]
    found = run_jobs(count_cut, jobs, settings, "section V")
    cuts = {half: list(part) for half, part in groupby(found, key=lambda cut: cut.half)}
    rows = [_row(cut) for part in cuts.values() for cut in part]
    tables = [
        PaperTable(
            name="section-5-cutoffs",
            title="Section V: who is ahead at how many values above one half, at every cut-off",
            rows=tuple(rows),
            note="values: AUC values above 1/2, up to 1, where both find all they can. "
            "ahead_from is the lowest AUC from which AUC is ahead at all values below 1. "
            "at_accuracies: values that an accuracy can have, above 1/2 and below 1. Cut-offs "
            "above one half have the same differences as those below.",
        ),
        PaperTable(
            name="section-5-counts",
            title="Section V: lists of 20, every cut-off and every AUC from one half",
            rows=tuple(row for cut in cuts[_HALF] for row in _count_rows(cut)),
            note="Exact, over all 184756 ranked lists: lists with this AUC, and the buyers that "
            "the first customers of all of them hold.",
        ),
    ]
    figures = [_boundary_figure(cuts), _difference_figure(cuts)]
    return _claims(cuts, rows), tables, figures


def _row(cut: Cut) -> dict[str, Any]:
    """Return who is ahead at how many values."""
    signs, whole = signs_of_cut(cut), cut.half**2
    behind = [i for i, sign in enumerate(signs[:-1]) if sign <= 0]
    first = behind[-1] + 1 if behind else 0
    pairs = cut.pairs[1:]
    at = [s for s, u in zip(signs, pairs, strict=True) if u % cut.half == 0 and u < whole]
    return {
        "examples": 2 * cut.half,
        "customers": cut.depth,
        "top": cut.depth / (2 * cut.half),
        "values": len(signs),
        "auc_ahead": signs.count(1),
        "equal": signs.count(0),
        "accuracy_ahead": signs.count(-1),
        "ahead_from": pairs[first] / whole if first < len(signs) - 1 else None,
        "at_accuracies": len(at),
        "auc_ahead_at_accuracies": at.count(1),
        "accuracy_ahead_at_accuracies": at.count(-1),
    }


def _count_rows(cut: Cut) -> list[dict[str, Any]]:
    words = {1: "AUC", 0: "equal", -1: "accuracy"}
    signs = [0, *signs_of_cut(cut)]  # at 1/2 both find half of those approached
    rows = []
    for u, lists, buyers, sign in zip(cut.pairs, cut.lists, cut.buyers, signs, strict=True):
        by_auc, by_accuracy = buyers / lists, cut.depth * u / cut.half**2
        rows.append(
            {
                "customers": cut.depth,
                "top": cut.depth / (2 * cut.half),
                "value": u / cut.half**2,
                "lists": int(lists),
                "buyers_in_all_lists": int(buyers),
                "buyers_by_auc": by_auc,
                "buyers_by_accuracy": by_accuracy,
                "ahead": words[sign],
            }
        )
    return rows


def _below_half(cuts: Cuts) -> list[Cut]:
    return [cut for part in cuts.values() for cut in part if cut.depth < cut.half]


def _lengths(cuts: Cuts) -> str:
    return ", ".join(str(2 * half) for half in cuts)


def _claims(cuts: Cuts, rows: list[dict[str, Any]]) -> list[Claim]:
    return [
        _always_greater(cuts, rows),
        _equal_at_half(cuts, rows),
        _at_every_cutoff(
            cuts,
            "Section V, conclusion 2: improving AUC brings a larger mean profit than improving "
            "accuracy by the same amount",
            _slow_steps,
            "Reproduced means at every step of AUC up to the largest profit, at every cut-off "
            "below one half.",
        ),
        _at_every_cutoff(
            cuts,
            "Section V, conclusion 3: with the value the difference in mean profit increases",
            _falling_steps,
            "Reproduced means at every step up to the last value below 1, at every cut-off below "
            "one half; at 1 both profits are largest and the difference is 0.",
        ),
        _smaller_is_greater(cuts),
    ]


def _always_greater(cuts: Cuts, rows: list[dict[str, Any]]) -> Claim:
    below = [row for row in rows if row["top"] < 0.5]
    clear = [row for row in below if row["auc_ahead"] == row["values"] - 1]
    ours = [row for row in rows if row["examples"] == 2 * _HALF]
    counts = ", ".join(f"{row['auc_ahead']} at {row['top']:.0%}" for row in ours)
    widest = {
        n: max((row["customers"] for row in clear if row["examples"] == n), default=0)
        for n in dict.fromkeys(row["examples"] for row in below)
    }
    return judged(
        "Section V, conclusion 1: below a top share of 50% the mean profit given an AUC is greater "
        "than given the same accuracy",
        "for every top share below 50%",
        f"20 examples, of 50 values above 1/2 AUC is ahead at {counts}; it is ahead at every value "
        "below 1 up to the first " + ", ".join(f"{k} of {n}" for n, k in widest.items()) + " only",
        holds=len(clear) == len(below),
        why="The conclusion is false. In long lists the profit given an AUC is greater below a top "
        "share that grows with the AUC, from 1/3 near 1/2 "
        f"({ahead_below(0.7):.3f} at 0.7, {ahead_below(0.9):.3f} at 0.9) to 1/2 near 1 "
        "(docs/evidence/measures.md); the paper tried 15% and 25%.",
    )


def _equal_at_half(cuts: Cuts, rows: list[dict[str, Any]]) -> Claim:
    half = [row for row in rows if row["top"] == 0.5]
    cut = cuts[_HALF][-1]
    at = list(cut.pairs).index(80)
    return judged(
        "Section V: at a cut-off of 50% no difference of profit is expected",
        "none",
        "accuracy is ahead at "
        + ", ".join(f"{row['accuracy_ahead']} of {row['values']}" for row in half)
        + f" values of lists of {_lengths(cuts)}; of 20 examples given 0.80: "
        f"{cut.buyers[at] / cut.lists[at]:.2f} buyers by AUC, 8 by accuracy",
        holds=all(row["equal"] == row["values"] for row in half),
        why="Given an accuracy of a the top half holds exactly a of the buyers; given an AUC of a "
        "it holds fewer on average. The mean AUC given an accuracy is that accuracy, but the mean "
        "accuracy given an AUC is nearer to 1/2.",
    )


def _slow_steps(cut: Cut) -> tuple[int, int]:
    """Return the steps up to the largest profit, and those that bring less than accuracy's."""
    most = next(i for i, (b, n) in enumerate(zip(cut.buyers, cut.lists, strict=True))
                if b == cut.depth * n)  # fmt: skip
    steps = _steps(cut)[:most]
    return len(steps), sum(step < 0 for step in steps)


def _falling_steps(cut: Cut) -> tuple[int, int]:
    """Return the steps up to the last value below 1, and those that lessen the difference."""
    steps = _steps(cut)[:-1]
    return len(steps), sum(step < 0 for step in steps)


def _steps(cut: Cut) -> list[int]:
    """Return the sign of each step of the difference, as whole numbers."""
    lists, buyers = cut.lists, cut.buyers
    more = (buyers[1:] * lists[:-1] - buyers[:-1] * lists[1:]) * cut.half**2
    line = cut.depth * lists[1:] * lists[:-1]
    return [int(a > b) - int(a < b) for a, b in zip(more, line, strict=True)]


def _at_every_cutoff(
    cuts: Cuts, text: str, steps_of: Callable[[Cut], tuple[int, int]], why: str
) -> Claim:
    """Return a claim on steps of the value, at every cut-off below one half."""
    found = {(cut.half, cut.depth): steps_of(cut) for cut in _below_half(cuts)}
    clear = [key for key, (_, wrong) in found.items() if not wrong]
    ours = [found[_HALF, depth] for depth in range(1, _HALF)]
    return judged(
        text,
        "always",
        f"at all steps for {len(clear)} of {len(found)} cut-offs below 50% in lists of "
        f"{_lengths(cuts)}; 20 examples: not at "
        + ", ".join(
            f"{wrong} of {steps} ({(i + 1) / (2 * _HALF):.0%})"
            for i, (steps, wrong) in enumerate(ours)
        ),
        holds=len(clear) == len(found),
        why=why,
    )


def _smaller_is_greater(cuts: Cuts) -> Claim:
    falls = pairs = per_customer = 0
    peaks = []
    for part in cuts.values():
        for one, two in pairwise(part):
            grown = two.buyers - one.buyers
            wider = two.depth - one.depth
            inner = slice(1, -1)
            line = (wider * one.pairs * one.lists)[inner]
            falls += sum(a < b for a, b in zip((grown * one.half**2)[inner], line, strict=True))
            each = two.buyers * one.depth - one.buyers * two.depth
            per_customer += sum(value <= 0 for value in each[inner])
            pairs += line.size
    for value in (60, 80, 95):
        at = value - 50
        gains = [cut.buyers[at] / cut.lists[at] - cut.depth * value / 100 for cut in cuts[_HALF]]
        peaks.append(f"{(int(np.argmax(gains)) + 1) / (2 * _HALF):.0%} at {value}%")
    return judged(
        "Section V, conclusion 4: the smaller the promotion cut-off, the greater the difference in "
        "mean profit",
        "yes",
        f"in {falls} of {pairs} pairs of neighbouring cut-offs and values; with 20 examples it is "
        f"greatest for the top {', '.join(peaks)}",
        holds=falls == pairs,
        why="It holds from some cut-off on, and must fail below it: no customer approached, no "
        "difference. Divided by the customers approached it does not rise in "
        f"{per_customer} of the {pairs} pairs.",
    )


def _boundary_figure(cuts: Cuts) -> PaperFigure:
    return PaperFigure(
        name="section-5-boundary",
        title="Section V: the largest top share at which profit given AUC is greater",
        alt="Against the AUC or accuracy from 1/2 to 1, for lists of several lengths and in the "
        "limit: the boundary starts at a top share of 1/3 and reaches 1/2 only near 1; the paper "
        "puts it at 1/2 throughout. The numbers are in section-5-cutoffs.csv.",
        draw=partial(_draw_boundary, cuts),
    )


def _draw_boundary(cuts: Cuts, ax: Axes) -> None:
    from rocstats.plots.series_plot import draw_lines

    series: dict[str, Any] = {}
    for half in [half for half in cuts if half != _LONGEST]:
        signs = np.array([signs_of_cut(cut)[:-1] for cut in cuts[half]])
        values = cuts[half][0].pairs[1:-1].astype(float) / half**2
        series[f"{2 * half} examples"] = (values, (signs > 0).sum(axis=0) / (2 * half))
    grid = np.concatenate([np.linspace(0.501, 0.95, 46), 1.0 - np.logspace(-1.4, -5, 30)])
    series["long lists"] = (grid, [ahead_below(float(value)) for value in grid])
    draw_lines(
        series,
        ax,
        x_label="AUC or accuracy",
        y_label="Top share below which AUC is ahead",
        mark=False,
        level=0.5,
    )


def _difference_figure(cuts: Cuts) -> PaperFigure:
    return PaperFigure(
        name="section-5-differences",
        title="Section V: buyers found given AUC less those given accuracy, 20 examples",
        alt="Against the AUC or accuracy from 50% to 100%: positive for top shares of 5 to 25%, "
        "below 0 over most of the range for 35 and 45%, and below 0 throughout for 50%. The "
        "numbers are in section-5-counts.csv.",
        draw=partial(_draw_differences, cuts[_HALF]),
    )


def _draw_differences(part: Sequence[Cut], ax: Axes) -> None:
    from rocstats.plots.series_plot import draw_lines

    series: dict[str, Any] = {}
    for cut in part:
        top = cut.depth / (2 * cut.half)
        if top in _DRAWN:
            line = cut.depth * cut.pairs / cut.half**2
            gain = (cut.buyers / cut.lists - line).astype(float)
            series[f"top {top:.0%}"] = (100.0 * cut.pairs.astype(float) / cut.half**2, gain)
    draw_lines(
        series,
        ax,
        x_label="AUC or accuracy, %",
        y_label="Difference in buyers found",
        mark=False,
        level=0.0,
    )
