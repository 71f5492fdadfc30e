"""Huang & Ling (2005), Tables VI to XII: all ranked lists, counted exactly."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import rocstats as rs
from rocstats.consistency.long_lists import long_lists
from rocstats.papers.paper import Claim, Found, PaperTable, Settings, judged
from rocstats.workers import watched

__all__ = ["BALANCED", "BY_SHARE", "QUARTER", "exact_parts"]

# Lists of n: R, S, P, Q, V and all pairs, then C, D and E as they are rounded.
BALANCED = {  # Tables VI, VII and VIII
    4: (9, 0, 5, 0, 1, 15, "1.0", "inf", "0.067"),
    6: (113, 1, 62, 4, 10, 190, "0.991", "15.5", "0.053"),
    8: (1459, 34, 762, 52, 108, 2415, "0.977", "14.7", "0.045"),
    10: (19742, 766, 9416, 618, 1084, 31626, "0.963", "15.2", "0.034"),
    12: (273600, 13997, 120374, 7369, 11086, 426426, "0.951", "16.3", "0.026"),
    14: (3864673, 237303, 1578566, 89828, 117226, 5887596, "0.942", "17.6", "0.020"),
    16: (55370122, 3868959, 21161143, 1121120, 1290671, 82812015, "0.935", "18.9", "0.016"),
}
QUARTER = {  # Tables IX, X and XI
    4: (3, 0, 3, 0, 0, 6, "1.0", "NA", "0"),
    8: (187, 10, 159, 10, 12, 378, "0.949", "15.9", "0.032"),
    12: (12716, 1225, 8986, 489, 629, 24090, "0.912", "18.4", "0.026"),
    16: (926884, 114074, 559751, 25969, 28612, 1655290, "0.890", "21.6", "0.017"),
}
BY_SHARE = {  # Table XII: positives among ten, C and D
    1: ("1.0", "inf"),
    2: ("0.926", "22.3"),
    3: ("0.939", "15.5"),
    4: ("0.956", "14.9"),
    5: ("0.963", "15.2"),
    6: ("0.956", "14.9"),
    7: ("0.939", "15.5"),
    8: ("0.926", "22.3"),
    9: ("1.0", "inf"),
}

_LENGTHS = (16, 18, 20, 30, 50, 100, 200, 400)
_NONE = ("inf", "NA")  # how the paper prints that only AUC ever decides alone


class _Degree(NamedTuple):
    """A degree, its two tables (balanced, a quarter positive) and the counts they show."""

    name: str
    tables: tuple[tuple[int, str], tuple[int, str]]
    counts: tuple[str, str]
    title: str


_PARTS = ("agree", "disagree", "f_only", "g_only", "neither", "total")
_DEGREES = (
    _Degree(
        name="consistency",
        tables=((6, "VI"), (9, "IX")),
        counts=("agree", "disagree"),
        title="consistency of AUC and accuracy",
    ),
    _Degree(
        name="discriminancy",
        tables=((7, "VII"), (10, "X")),
        counts=("f_only", "g_only"),
        title="discriminancy of AUC over accuracy",
    ),
    _Degree(
        name="indifferency",
        tables=((8, "VIII"), (11, "XI")),
        counts=("neither", "total"),
        title="indifferency of AUC and accuracy",
    ),
)

Cells = dict[int, tuple[rs.MeasureComparison, tuple[Any, ...]]]  # by n: ours and print


def exact_parts(settings: Settings) -> list[Found]:
    """Return what the paper says of all ranked lists."""
    return [_counts(), _shares(), _growth(settings)]


def _compared(n_pos: int, n_neg: int) -> rs.MeasureComparison:
    return rs.compare_measures("auc", "accuracy", n_pos=n_pos, n_neg=n_neg)


def _is_printed(value: float, printed: str) -> bool:
    """Return whether a number, rounded as the paper does, is what it prints."""
    if math.isinf(value):
        return printed in _NONE
    return f"{value:.{len(printed.partition('.')[2])}f}" == printed


def _counts() -> Found:
    balanced = {n: (_compared(n // 2, n // 2), row) for n, row in BALANCED.items()}
    quarter = {n: (_compared(n // 4, n - n // 4), row) for n, row in QUARTER.items()}
    tables, claims = [], []
    for which, (share, cells) in enumerate((("balanced", balanced), ("25% positive", quarter))):
        for place, degree in enumerate(_DEGREES):
            number, roman = degree.tables[which]
            found, rows = _one_table(f"Table {roman}", cells, degree, place)
            claims += found
            tables.append(
                PaperTable(
                    name=f"table-{number}",
                    title=f"Table {roman}: {degree.title}, {share}",
                    rows=tuple(rows),
                    note="Unordered pairs of all ranked lists; whole numbers, nothing is drawn.",
                )
            )
    least = min(found.discriminancy for found, _ in balanced.values())
    claims.append(
        Claim(
            text="Section III-A: in Table VII D is from 15.5 to 18.9",
            printed="15.5",
            found=f"{least:.1f} at n = 8",
            verdict="misprint",
            why="Table VII itself, printed and exact, has 14.7 and 15.2.",
        )
    )
    claims.append(_lower_and_higher(quarter, balanced))
    return claims, tables, []


def _one_table(
    label: str, cells: Cells, degree: _Degree, place: int
) -> tuple[list[Claim], list[dict[str, Any]]]:
    """Return the claims and the rows of the table of one degree."""
    rows, wrong, off = [], [], []
    for n, (found, printed) in cells.items():
        row: dict[str, Any] = {"n": n}
        for name in degree.counts:
            ours, theirs = getattr(found.counts, name), printed[_PARTS.index(name)]
            row |= {name: ours, f"{name}_printed": theirs}
            if ours != theirs:
                wrong.append(_misprint(label, n, name, theirs, ours, printed[:6]))
        value, text = getattr(found, degree.name), printed[6 + place]
        row |= {degree.name: value, f"{degree.name}_printed": text}
        if not _is_printed(value, text):
            off.append(n)
        rows.append(row)
    total = 2 * len(cells)
    held = judged(
        f"{label}: every count, and every degree as rounded",
        f"{total} counts, {len(cells)} degrees",
        f"{total - len(wrong)} counts, {len(cells) - len(off)} degrees",
        holds=not off and all(claim.verdict == "misprint" for claim in wrong),
        why="The one count that differs is a misprint." if wrong else "",
    )
    return [held, *wrong], rows


def _misprint(
    label: str, n: int, name: str, printed: int, exact: int, parts: tuple[int, ...]
) -> Claim:
    """Judge a count that differs: a misprint if, mended, all printed counts add up."""
    added, pairs = sum(parts[:5]), parts[5]
    proved = pairs - added == exact - printed
    return Claim(
        text=f"{label}: the count '{name}' for n = {n}",
        printed=str(printed),
        found=str(exact),
        verdict="misprint" if proved else "not reproduced",
        why=f"The five printed counts of n = {n} add up to {added}, and there are {pairs} pairs; "
        f"{pairs - added} are missing, and {exact} - {printed} = {exact - printed}.",
    )


def _lower_and_higher(
    quarter: Cells,
    balanced: Cells,
) -> Claim:
    sizes = [n for n in quarter if n > 4]
    pairs = [(n, quarter[n][0], balanced[n][0]) for n in sizes]
    one, half = long_lists(0.25, 0.25), long_lists(0.5)
    return judged(
        "Section III-B: with a quarter positive C is lower and D higher than in balanced lists",
        "n = 8, 12, 16",
        "; ".join(
            f"n = {n}: C {a.consistency:.3f} against {b.consistency:.3f}, "
            f"D {a.discriminancy:.1f} against {b.discriminancy:.1f}"
            for n, a, b in pairs
        ),
        holds=all(
            a.consistency < b.consistency and a.discriminancy > b.discriminancy for _, a, b in pairs
        ),
        why=f"In the limit, too: C {one.consistency:.3f} against {half.consistency:.3f}, "
        f"D / n {one.discriminancy_rate:.3f} against {half.discriminancy_rate:.3f}.",
    )


def _shares() -> Found:
    rows: list[dict[str, Any]] = []
    for n_pos, (c, d) in BY_SHARE.items():
        found = _compared(n_pos, 10 - n_pos)
        rows.append(
            {
                "n_pos": n_pos,
                "n_neg": 10 - n_pos,
                "consistency": found.consistency,
                "consistency_printed": c,
                "discriminancy": found.discriminancy,
                "discriminancy_printed": d,
            }
        )
    same = [
        _is_printed(row[name], row[f"{name}_printed"])
        for row in rows
        for name in ("consistency", "discriminancy")
    ]
    inner = rows[4:8]  # five positives of ten to eight
    falls = [a["consistency"] > b["consistency"] for a, b in pairwise(inner)]
    grows = [a["discriminancy"] < b["discriminancy"] for a, b in pairwise(inner)]
    text = "Table XII: but for the ends, the more imbalanced the classes, the "
    claims = [
        judged(
            "Table XII: C and D for ten examples",
            "18 degrees",
            f"{sum(same)} as rounded",
            holds=all(same),
        ),
        judged(
            f"{text}lower C",
            "yes",
            ", ".join(f"{row['consistency']:.3f}" for row in inner),
            holds=all(falls),
        ),
        judged(
            f"{text}higher D",
            "yes",
            ", ".join(f"{row['discriminancy']:.1f}" for row in inner),
            holds=all(grows),
            why="" if all(grows) else "The printed table has it so, too: 15.2, 14.9, 15.5, 22.3.",
        ),
    ]
    table = PaperTable(
        name="table-12",
        title="Table XII: ten examples, classes of different sizes",
        rows=tuple(rows),
    )
    return claims, [table], []


def _growth(settings: Settings) -> Found:
    lengths = [n for n in _LENGTHS if n <= (200 if settings.quick else 400)]
    limits = long_lists(0.5)
    rows = []
    for n in watched(lengths, title="long lists", unit="length"):
        found = _compared(n // 2, n // 2)
        rows.append(
            {
                "n": n,
                "consistency": found.consistency,
                "discriminancy": found.discriminancy,
                "discriminancy_over_n": found.discriminancy / n,
                "indifferency": found.indifferency,
                "indifferency_times_n2": found.indifferency * n**2,
            }
        )
    next_one, last = rows[1], rows[-1]
    most = 10 if settings.quick else 20
    sizes = [(p, q) for p in range(1, most + 1) for q in range(1, most + 1)]
    worse = [size for size in sizes if not _compared(*size).f_is_better]
    claims = [
        judged(
            "Section III-A: as n grows, C seems to approach 0.93",
            "0.93",
            f"{next_one['consistency']:.4f} at n = 18, {last['consistency']:.4f} at n = "
            f"{last['n']}, limit 5/6",
            holds=abs(limits.consistency - 0.93) < 0.005,
            why="AUC and accuracy have the correlation sqrt(3)/2 in the limit, so C tends to "
            "1/2 + arcsin(sqrt(3)/2) / pi = 5/6 (docs/evidence/measures.md).",
        ),
        judged(
            "Section III-A: as n grows, D seems to approach 19",
            "19",
            f"{next_one['discriminancy']:.1f} at n = 18, {last['discriminancy']:.1f} at n = "
            f"{last['n']}, no limit",
            holds=math.isfinite(last["discriminancy"]) and last["discriminancy"] < 20.0,
            why="D / n tends to 1 / sqrt(3): ties of accuracy become rare like n**-0.5, those of "
            "AUC like n**-1.5 (docs/evidence/measures.md).",
        ),
        judged(
            "Table VIII: E falls as n grows",
            "0.067 to 0.016",
            f"{last['indifferency']:.3g} at n = {last['n']}",
            holds=all(a["indifferency"] > b["indifferency"] for a, b in pairwise(rows)),
            why="E n**2 tends to 8 sqrt(3) / pi = 4.411.",
        ),
        judged(
            "Theorems 1 and 2, and Section III-B: C > 1/2 and D > 1",
            "balanced lists, and others tried",
            f"{len(sizes) - len(worse)} of {len(sizes)} class sizes up to {most}",
            holds=set(worse) <= {(1, 1)},
            why="One positive and one negative are the exception: each measure decides the only "
            "pair of lists.",
        ),
    ]
    table = PaperTable(
        name="long-lists",
        title="Balanced lists longer than the paper's",
        rows=tuple(rows),
        note=f"Limits: C {limits.consistency:.4f}, D / n {limits.discriminancy_rate:.4f}, "
        f"E n**2 {limits.indifferency_rate:.4f}.",
    )
    return claims, [table], []
