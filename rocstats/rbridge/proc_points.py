"""pROC's operating points: the coordinates of points of a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError, as_number, check_option, named
from rocstats.rbridge.proc_calls import ask, curve_of
from rocstats.tables import counted, html_table, text_table, tidy_frame

if TYPE_CHECKING:
    import pandas as pd

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
class PointTable:
    """Points of one marker's curve, a row each.

    Attributes
    ----------
    classifier : name of the marker
    method : the pROC call
    rows : the tidy rows
    """

    classifier: str
    method: str
    rows: tuple[Mapping[str, Any], ...]

    def column(self, name: str) -> list[Any]:
        """Return one column."""
        check_option("name", name, self.rows[0])
        return [row[name] for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the rows as built-in types."""
        rows = [dict(row) for row in self.rows]
        return {"classifier": self.classifier, "method": self.method, "rows": rows}

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame."""
        return tidy_frame(self.rows)

    def __repr__(self) -> str:
        table = text_table(self.rows, tuple(self.rows[0]))
        return f"{table}\n{self.classifier}, {self.method}"

    def _repr_html_(self) -> str:
        return html_table(self.rows, tuple(self.rows[0]))


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
    sample, marker : the data, and which marker where there are several
    at : ``"all"``, ``"local maxima"``, ``"best"``, or values of `input`
    input : what the values are: ``"threshold"``, ``"specificity"`` or ``"sensitivity"``
    quantities : the columns: threshold, specificity, sensitivity, fpr, accuracy, tp, fp, tn, fn,
        ppv, npv, youden, closest_topleft
    best_method : ``"youden"`` or ``"closest_topleft"``
    relative_cost, prevalence : pROC's ``best.weights``: what a false negative costs beside a false
        positive, and the share of positives

    Notes
    -----
    R: ``pROC::coords(roc, x, input = , ret = , best.method = , best.weights = )``. ``youden`` is
    J = sensitivity + specificity - 1 here, always; pROC's own column is se + r sp. Of several best
    points pROC returns those that are equal in floating point, so ties can be lost to rounding.
    ppv and npv are at the prevalence of the sample. Between two points of the curve se and sp are
    interpolated, and the threshold is nan.
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
