from typing import Any

from numpy.typing import NDArray

def edition() -> int: ...
def placements(
    score: NDArray[Any], positive: NDArray[Any], influence: NDArray[Any] | None, /
) -> tuple[int, int, int, int, int, int, int] | None: ...
def sort(
    score: NDArray[Any], positive: NDArray[Any], ranked: NDArray[Any], labels: NDArray[Any], /
) -> bool: ...
def products(values: NDArray[Any], stratum: NDArray[Any], out: NDArray[Any], /) -> None: ...
def draw_counts(stream: Any, size: int, out: NDArray[Any], /) -> None: ...
def draw_bytes(stream: Any, batch: int, out: NDArray[Any], /) -> None: ...
def draw_wins(
    stream: Any,
    batch: int,
    negatives: int,
    below: NDArray[Any],
    upto: NDArray[Any] | None,
    out: NDArray[Any],
    /,
) -> None: ...
def draw_best(
    stream: Any,
    batch: int,
    below_pos: NDArray[Any],
    below_neg: NDArray[Any],
    of_tp: NDArray[Any],
    of_fp: NDArray[Any],
    cell_pos: NDArray[Any] | None,
    cell_neg: NDArray[Any] | None,
    join: int,
    least: int,
    most: int,
    out: NDArray[Any],
    /,
) -> None: ...
def draw_heights(
    stream: Any,
    batch: int,
    below_pos: NDArray[Any],
    below_neg: NDArray[Any],
    grid: NDArray[Any],
    near: float,
    out: NDArray[Any],
    /,
) -> None: ...
def soft_area(
    score: NDArray[Any],
    positives: NDArray[Any],
    negatives: NDArray[Any] | None,
    midpoint: float,
    w_pos: float,
    w_neg: float,
    m: int,
    n: int,
    slope_pos: float,
    mean_pos: float,
    slope_neg: float,
    mean_neg: float,
    /,
) -> tuple[float, float, float] | None: ...
def cells_apart(keys: NDArray[Any], run: int, found: NDArray[Any], /) -> None: ...
def swap_sums(coins: NDArray[Any], table: NDArray[Any], out: NDArray[Any], /) -> None: ...
def heights(
    x: NDArray[Any],
    y: NDArray[Any],
    at_x: NDArray[Any],
    at_y: NDArray[Any],
    grid: NDArray[Any],
    near: float,
    out: NDArray[Any],
    /,
) -> None: ...
