"""Huang & Ling (2005), Tables I to V: lists of five positives and five negatives by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any, NamedTuple

from rocstats.papers.paper import Claim, Found, PaperTable, judged

__all__ = ["EXAMPLES", "Example", "example_part", "lists_of"]

_HALF = 5


class Example(NamedTuple):
    """A list as the paper prints it, the best position last.

    Attributes
    ----------
    table : where it is
    runs : lengths of the runs of positives that can be seen in our copy, which has no negatives;
        none where they fit no list with the printed values
    auc, accuracy : as printed
    """

    table: str
    runs: tuple[int, ...]
    auc: Fraction
    accuracy: Fraction


EXAMPLES = {
    1: Example("II", (1, 4), Fraction(24, 25), Fraction(4, 5)),
    2: Example("II", (1, 4), Fraction(16, 25), Fraction(4, 5)),
    3: Example("III", (2, 3), Fraction(21, 25), Fraction(3, 5)),
    4: Example("III", (1, 4), Fraction(16, 25), Fraction(4, 5)),
    5: Example("IV", (2, 2, 1), Fraction(3, 5), Fraction(3, 5)),
    6: Example("IV", (), Fraction(3, 5), Fraction(2, 5)),
    7: Example("V", (2, 2, 1), Fraction(3, 5), Fraction(3, 5)),
    8: Example("V", (2, 1, 2), Fraction(3, 5), Fraction(3, 5)),
}
_RANKS = (5, 7, 8, 9, 10)  # of the positives of Table I


def example_part() -> Found:
    """Return the examples: their lists, and what they are there to show."""
    rows = [_row(number, example) for number, example in EXAMPLES.items()]
    table = PaperTable(
        name="tables-1-5",
        title="Tables I to V: the lists that have the printed AUC and accuracy",
        rows=tuple(rows),
        note="Worst position first; lists: all of 252 with the printed runs of positives, AUC and "
        "accuracy. Our copy of the paper shows positives without the negatives between them.",
    )
    return _claims(rows), [table], []


def lists_of(example: Example) -> list[str]:
    """Return every list with the runs of positives, the AUC and the accuracy of an example."""
    found = []
    for ranks in combinations(range(1, 2 * _HALF + 1), _HALF):
        signs = "".join("+" if i in ranks else "-" for i in range(1, 2 * _HALF + 1))
        runs = tuple(len(list(run)) for sign, run in groupby(signs) if sign == "+")
        seen = example.runs in ((), runs)
        if seen and (_auc(ranks), _accuracy(ranks)) == (example.auc, example.accuracy):
            found.append(signs)
    return found


def _auc(ranks: Sequence[int]) -> Fraction:
    """Return Eq. 1."""
    return Fraction(sum(ranks) - _HALF * (_HALF + 1) // 2, _HALF**2)


def _accuracy(ranks: Sequence[int]) -> Fraction:
    return Fraction(sum(rank > _HALF for rank in ranks), _HALF)


def _row(number: int, example: Example) -> dict[str, Any]:
    return {
        "table": example.table,
        "classifier": number,
        "auc_printed": str(example.auc),
        "accuracy_printed": float(example.accuracy),
        "lists": " or ".join(lists_of(example)),
    }


def _claims(rows: list[dict[str, Any]]) -> list[Claim]:
    auc = _auc(_RANKS)
    words = {
        "II": "the same accuracy and different AUC",
        "III": "one has the higher AUC and the other the higher accuracy",
        "IV": "the same AUC and different accuracies",
        "V": "the same AUC and the same accuracy",
    }
    claims = [
        judged(
            "Table I: positives at the ranks 5, 7, 8, 9 and 10 of ten have an AUC of 24/25",
            "24/25",
            str(auc),
            holds=auc == Fraction(24, 25),
        )
    ]
    for table, text in words.items():
        pair = {row["classifier"]: row["lists"] for row in rows if row["table"] == table}
        claims.append(
            judged(
                f"Table {table}: {text}",
                "; ".join(
                    f"AUC {EXAMPLES[number].auc}, accuracy {float(EXAMPLES[number].accuracy):.0%}"
                    for number in pair
                ),
                "; ".join(lists or "no such list" for lists in pair.values()),
                holds=all(pair.values()),
                why=""
                if table in ("II", "III")
                else "Where two lists have the printed values, signs are lost in our copy and "
                "either may be meant.",
            )
        )
    return claims
