"""Sets that follow from their rule: MONK 1 to 3, tic-tac-toe end boards, balance scale."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from rocstats.papers.data_sets.set_columns import Column, nominal_column, numeric_column

__all__ = ["balance_scale", "monk", "tic_tac_toe"]

Robot = tuple[int, ...]

_ROBOT = (
    ("head_shape", 3),
    ("body_shape", 3),
    ("is_smiling", 2),
    ("holding", 3),
    ("jacket_color", 4),
    ("has_tie", 2),
)
_RULES: dict[int, Callable[[Robot], bool]] = {
    1: lambda a: a[0] == a[1] or a[4] == 1,
    2: lambda a: sum(value == 1 for value in a) == 2,
    3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
}
# The published training rows: bit i of the number is set where row i of all 432, counted up with
# has_tie fastest, is among them (Thrun et al., 1991, CMU-CS-91-197; UCI, doi:10.24432/C5R30R).
_TRAINING = {
    1: int(
        "AA00E18EA0854500230082810828090809032007209211014004E1"
        "AB201C48909840DB30C5EA08DA444438E00884B19602500C240030",
        16,
    ),
    2: int(
        "853501002035A12D3935063A8E04F92BEA40B0259646B1238D19E9"
        "701190AB84496A081904A270986C3AF35044FB7A020AD003445748",
        16,
    ),
    3: int(
        "A128034D806061022802104801A00482801585904A102D10403208"
        "B906A00240086803C340A0871160440D0D906F1C1033C88800895E",
        16,
    ),
}
_NOISE = {1: (), 2: (), 3: (4, 60, 202, 212, 213, 390)}  # training rows with the wrong class


def monk(problem: int) -> list[Column]:
    """Return the 432 robots of a MONK's problem and, below them, its published training rows.

    The papers join the two parts: 556, 601 and 554 rows for problems 1, 2 and 3.
    """
    robots = list(product(*(range(1, count + 1) for _, count in _ROBOT)))
    truth = [_RULES[problem](robot) for robot in robots]
    chosen = [i for i in range(len(robots)) if _TRAINING[problem] >> i & 1]
    seen = [truth[i] != (i in _NOISE[problem]) for i in chosen]
    rows = robots + [robots[i] for i in chosen]
    columns = [
        nominal_column(name, [str(row[j]) for row in rows], [str(v + 1) for v in range(count)])
        for j, (name, count) in enumerate(_ROBOT)
    ]
    labels = [str(int(label)) for label in truth + seen]
    return [*columns, nominal_column("class", labels, ["0", "1"])]


_LINES = tuple(
    [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(3)]
    + [(i, i + 3, i + 6) for i in range(3)]
    + [(0, 4, 8), (2, 4, 6)]
)


def tic_tac_toe() -> list[Column]:
    """Return the 958 boards on which a game that x opened can end; positive where x has won."""
    ends: dict[str, bool] = {}

    def play(board: str, mover: str) -> None:
        for square in range(9):
            if board[square] != "b":
                continue
            after = board[:square] + mover + board[square + 1 :]
            if any(all(after[i] == mover for i in line) for line in _LINES):
                ends[after] = mover == "x"
            elif "b" not in after:
                ends[after] = False
            elif after not in seen:
                seen.add(after)
                play(after, "o" if mover == "x" else "x")

    seen: set[str] = set()
    play("b" * 9, "x")
    boards = sorted(ends)
    squares = [f"{row}-{column}" for row in ("top", "middle", "bottom") for column in _SIDES]
    columns = [
        nominal_column(name, [board[j] for board in boards], ["b", "o", "x"])
        for j, name in enumerate(squares)
    ]
    labels = ["positive" if ends[board] else "negative" for board in boards]
    return [*columns, nominal_column("class", labels, ["negative", "positive"])]


_SIDES = ("left", "middle", "right")


def balance_scale() -> list[Column]:
    """Return the 625 weights and distances, and the side to which the scale tips."""
    rows = list(product(range(1, 6), repeat=4))
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    columns = [numeric_column(name, [str(row[j]) for row in rows]) for j, name in enumerate(names)]
    torque = [a * b - c * d for a, b, c, d in rows]
    labels = ["B" if t == 0 else "L" if t > 0 else "R" for t in torque]
    return [*columns, nominal_column("class", labels, ["L", "B", "R"])]
