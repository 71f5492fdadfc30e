"""Wu, Flach & Ferri (2007): whether sizes, shares, wins and critical values in print add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.papers.adding_up import critical_wins
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.paper import Claim, Found, PaperTable
from rocstats.papers.paper_sets import size_rows
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_printed import SETS, TABLE_4, WINS_4
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_tables import table_rows, win_rows
from rocstats.studies.corrected import sign_test_p

__all__ = ["printed_counts"]


_BY_RULE = ("Monk1", "Monk2", "Monk3", "Tic-tac-toe")


def printed_counts(sets: Mapping[str, BenchSet]) -> Found:
    """Return whether the numbers that the paper prints add up."""
    rows = size_rows(SETS.values(), sets)
    impossible = [
        f"{row['set']} ({row['majority_printed']:.2f}% of {row['rows_printed']})"
        for row in rows
        if not row["majority_is_possible"]
    ]
    by_rule, copied = (_apart(rows, by_rule=by_rule) for by_rule in (True, False))
    wins = win_rows(table_rows(TABLE_4, {}), WINS_4)
    adds_up = all(w["wins_printed"] == w["wins_in_printed_rows"] for w in wins)
    claims = [
        Claim(
            text="Table 3: sizes and shares of the majority class",
            printed="17 sets",
            found=f"impossible: {', '.join(impossible) or 'none'}; by the rules: "
            f"{', '.join(by_rule) or 'none'}"
            + (f"; in the copies here: {', '.join(copied)}" if copied else ""),
            verdict="misprint" if by_rule or impossible else "reproduced",
            why="No whole number of rows has an impossible share; Monk3 and Tic-tac-toe can be "
            "generated. What a copy of the data counts otherwise proves nothing: it may be "
            "another copy.",
        ),
        Claim(
            text="Table 4: the number of wins in the last row",
            printed=", ".join(str(w) for w in WINS_4),
            found=", ".join(str(w["wins_in_printed_rows"]) for w in wins),
            verdict="reproduced" if adds_up else "misprint",
            why="Counted in the printed rows.",
        ),
        Claim(
            text="Section 4: the critical value of a two-tailed sign test over 11 sets at .05 is 9 "
            "wins",
            printed="9",
            found=f"{critical_wins(11, 0.05)}",
            verdict="misprint",
            why="P(X >= 9) = (55 + 11 + 1) / 2048 = 0.0327 for X of Bin(11, 1/2), so 9 wins have "
            f"the two-sided p-value {sign_test_p(9, 2):.4f} and 10 wins {sign_test_p(10, 1):.4f}. "
            "Three of the six comparisons have 9 wins, and are not significant at .05.",
        ),
        Claim(
            text="Section 4: 6 wins of 6 are needed at .10",
            printed="6",
            found=f"{critical_wins(6, 0.10)}",
            verdict="reproduced" if critical_wins(6, 0.10) == 6 else "misprint",
        ),
    ]
    table = PaperTable(
        name="table-3",
        title="Table 3: the data sets",
        rows=tuple(rows),
        note="majority_is_possible says whether a whole number of the printed rows can have the "
        "printed share, rounded or cut.",
    )
    return claims, [table], []


def _apart(rows: list[dict[str, Any]], *, by_rule: bool) -> list[str]:
    """Return possible shares that differ from those of a set of the same size here.

    Parameters
    ----------
    rows : of Table 3
    by_rule : whether the sets that follow from a rule are meant, or the others
    """
    return [
        f"{row['set']} {row['majority_printed']:.2f} for {row['majority']:.2f}"
        for row in rows
        if (row["set"] in _BY_RULE) == by_rule
        and row["majority_is_possible"]
        and row["rows"] == row["rows_printed"]  # another number of rows is another copy
        and abs(row["majority"] - row["majority_printed"]) > 0.0101
    ]
