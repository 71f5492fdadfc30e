"""pROC's operating points: the coordinates of points of a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError, as_number, check_option, named
from rocstats.rbridge.proc_calls import ask, curve_of
from rocstats.tables import Answer, Statement, counted

__all__ = [
    "INPUTS",
    "PLACES",
    "QUANTITIES",
    "PointTable",
    "coords",
    "numbers_of",
    "place_of",
    "words_of",
]

# Our word: pROC's.
QUANTITIES = {
    "threshold": "threshold",
    "specificity": "specificity",
    "sensitivity": "sensitivity",
    "fpr": "fpr",
    "accuracy": "accuracy",
    "tp": "tp",
    "fp": "fp",
    "tn": "tn",
    "fn": "fn",
    "ppv": "ppv",
    "npv": "npv",
    "youden": "youden",
    "closest_topleft": "closest.topleft",
}
INPUTS = ("threshold", "specificity", "sensitivity")
PLACES = {"all": "all", "local maxima": "local maximas", "best": "best"}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PointTable(Answer):
    """Points of one marker's curve, a row each.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    method : str
        The pROC call.
    rows : tuple of mapping
        The tidy rows.

    See Also
    --------
    coords : Points of the curve, as pROC has them.
    ci_coords : Intervals of any coordinates, as pROC has them.
    """

    classifier: str
    method: str
    rows: tuple[Mapping[str, Any], ...]

    def column(self, name: str) -> list[Any]:
        """Return one column.

        Parameters
        ----------
        name : str
            Name of the column.

        Returns
        -------
        list
            Its values.
        """
        check_option("name", name, self.rows[0])
        return [row[name] for row in self.rows]

    def statement(self) -> Statement:
        """Return a row for each point."""
        return Statement(
            rows=self.rows,
            shown=tuple(self.rows[0]),
            notes=[f"{self.classifier}, {self.method}"],
            content={"classifier": self.classifier, "method": self.method, "rows": self.rows},
        )


def coords(
    sample: ScoredSample,
    *,
    marker: str | None = None,
    at: str | float | Sequence[float] = "all",
    input: str = "threshold",  # noqa: A002 - pROC's word
    quantities: Sequence[str] = ("threshold", "specificity", "sensitivity"),
    best_method: str = "youden",
    relative_cost: float = 1.0,
    prevalence: float = 0.5,
) -> PointTable:
    """Return pROC's coordinates of points of one marker's curve.

    Parameters
    ----------
    sample : ScoredSample
        The data.
    marker : str, optional
        Which marker, where there are several.
    at : str, float or sequence of float, default "all"
        "all", "local maxima", "best", or values of `input`.
    input : {"threshold", "specificity", "sensitivity"}, default "threshold"
        What the values are.
    quantities : sequence of str, default ("threshold", "specificity", "sensitivity")
        The columns: threshold, specificity, sensitivity, fpr, accuracy, tp, fp, tn, fn, ppv, npv,
        youden, closest_topleft.
    best_method : {"youden", "closest_topleft"}, default "youden"
        What is best.
    relative_cost : float, default 1.0
        What a false negative costs beside a false positive, in pROC's ``best.weights``.
    prevalence : float, default 0.5
        The share of positives in ``best.weights``.

    Returns
    -------
    PointTable
        A row for each point.

    See Also
    --------
    ci_coords : Intervals of any coordinates, as pROC has them.
    rocstats.operating_points : The same in Python.
    rocstats.optimal_cutpoint : The best point, in Python.

    Notes
    -----
    R: ``pROC::coords(roc, x, input = , ret = , best.method = , best.weights = )``. ``youden`` is
    J = sensitivity + specificity - 1 here, always; pROC's own column is se + r sp. Of several best
    points pROC returns those that are equal in floating point, so ties can be lost to rounding.
    ppv and npv are at the prevalence of the sample. Between two points of the curve se and sp are
    interpolated, and the threshold is nan.

    Examples
    --------
    >>> import rocstats as rs
    >>> best = rs.rbridge.coords(rs.datasets.load_ct_ratings(), at="best")  # doctest: +SKIP
    >>> best.column("threshold"), round(best.rows[0]["sensitivity"], 4)  # doctest: +SKIP
    ([3.5], 0.8627)
    """
    check_option("input", input, INPUTS)
    words = words_of(quantities)
    x, wanted, options = place_of(at, best_method, relative_cost, prevalence)
    asked = dict.fromkeys(["threshold", "specificity", "sensitivity", *words])
    table = ask(
        "as.data.frame(coords(curve(a), x = x, input = input, ret = ret, best.method = method,"
        " best.weights = weights))",
        a=curve_of(sample, marker),
        x=x,
        input=input,
        ret=[QUANTITIES[word] for word in asked if word != "youden"],
        **options,
    )
    se, sp = table["sensitivity"], table["specificity"]
    table["youden"] = [a + b - 1.0 for a, b in zip(se, sp, strict=True)]
    columns = {word: table[QUANTITIES[word]] for word in words}
    return PointTable(
        classifier=sample.markers[sample.marker(marker)],
        method=f"pROC::coords at {wanted}",
        rows=tuple(
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ),
    )


def words_of(quantities: Sequence[str]) -> list[str]:
    """Return the columns wanted, each once."""
    words = [quantities] if isinstance(quantities, str) else list(quantities)
    if not words:
        raise InvalidOptionError(f"{named('quantities')} must name at least one column.")
    for word in words:
        check_option("quantities", word, tuple(QUANTITIES))
    return list(dict.fromkeys(words))


def place_of(
    at: Any, best_method: str, relative_cost: float, prevalence: float
) -> tuple[Any, str, dict[str, Any]]:
    """Return where on the curve: pROC's x, the same in words, and how the best is chosen."""
    check_option("best_method", best_method, ("youden", "closest_topleft"))
    cost, share = as_number(relative_cost), as_number(prevalence)
    if not 0.0 < cost < math.inf or not 0.0 < share < 1.0:
        raise InvalidOptionError(
            f"{named('relative_cost')} must be positive and prevalence lie strictly between 0 and "
            f"1, got {relative_cost!r} and {prevalence!r}."
        )
    options = {"method": QUANTITIES[best_method], "weights": [cost, share]}
    if isinstance(at, str):
        check_option("at", at, tuple(PLACES))
        return PLACES[at], at, options
    numbers = numbers_of(at, "at")
    return numbers, counted(len(numbers), "value"), options


def numbers_of(values: Any, name: str) -> list[float]:
    """Return one number or several as a list of floats."""
    array = np.atleast_1d(np.asarray(values, dtype=object)).ravel().tolist()
    numbers = [as_number(value) for value in array]
    if not numbers or any(math.isnan(number) for number in numbers):
        raise InvalidOptionError(f"{named(name)} must be numbers, got {values!r}.")
    return numbers
