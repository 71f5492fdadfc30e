"""Rates by test: what each binary test is by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocstats.arrays import Bools
from rocstats.data.sample import ScoredSample
from rocstats.engine.variances import effective_size
from rocstats.estimates.proportion_limits import proportion_limits
from rocstats.inference.binary.paired_rates import quantile
from rocstats.inference.binary.rate_rows import likelihood_rows
from rocstats.tables import Answer, Row, Statement, TidyRows, show_value

__all__ = ["RatesByTest", "single_rates"]

# Measure: whether a hit is a positive result (else a negative one), among whom.
_SHARES = {
    "sensitivity": (True, "pos"),
    "ppa": (True, "pos"),
    "specificity": (False, "neg"),
    "npa": (False, "neg"),
    "ppv": (True, "called"),
    "npv": (False, "called"),
}

_OF_RATIOS = ", and of likelihood ratios Wald's on the logarithm"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RatesByTest(TidyRows, Answer):
    """Rates of each test, one by one.

    Attributes
    ----------
    rows : tuple of mapping
        Test, measure, estimate, limits, and the counts it is a share of.
    confidence_level : float
        Level of the intervals.

    See Also
    --------
    ComparedTests.rates : What each test is by itself.
    """

    rows: tuple[Row, ...]
    confidence_level: float

    _named_by: ClassVar[tuple[str, ...]] = ("test", "measure")

    @property
    def _has_ratios(self) -> bool:
        return any(row["measure"] not in _SHARES for row in self.rows)

    def _unknown(self) -> Iterator[str]:
        for row in self.rows:
            where = f"{row['measure']} of {row['test']}"
            if row["size"] == 0:
                result = "positive" if row["measure"] == "ppv" else "negative"
                yield f"The {where} is nan: no result of the test is {result}"
            elif math.isnan(row["estimate"]):
                yield f"The {where} is nan: it rests on a rate of 0"
            elif math.isnan(row["conf_low"]):
                yield f"The {where} has no interval: nothing varies"

    def statement(self) -> Statement:
        """Return the rates, a row each."""
        return Statement(
            rows=self.rows,
            shown=("test", "measure", "estimate", "conf_low", "conf_high", "count", "size"),
            show=lambda value: "" if value is None else show_value(value),
            notes=[
                f"{self.confidence_level:.0%} intervals: Wilson's{_OF_RATIOS * self._has_ratios}",
                *self._unknown(),
            ],
            content={"rates": self.rows, "confidence_level": self.confidence_level},
        )


def single_rates(
    sample: ScoredSample, called: Bools, measures: Sequence[str], level: float
) -> RatesByTest:
    """Return the measures of every test with their limits."""
    logs = {
        name: likelihood_rows(sample, called, name=name)
        for name in ("lr_pos", "lr_neg")
        if name in measures
    }
    rows: list[dict[str, Any]] = []
    for i, test in enumerate(sample.markers):
        for name in measures:
            row: dict[str, Any] = {"test": test, "measure": name}
            if name in _SHARES:
                row |= _share(sample, called[i], name, level)
            else:
                row |= _ratio(logs[name].select([i]).values[0], sample, logs[name].estimate[i])
                reach = quantile(level, row.pop("df")) * row.pop("error")
                wide = math.exp(reach) if reach > 0.0 else math.nan  # of no variance, no limits
                row |= {"conf_low": row["estimate"] / wide, "conf_high": row["estimate"] * wide}
                row |= {"count": None, "size": None}
            rows.append(row)
    return RatesByTest(rows=tuple(rows), confidence_level=level)


def _share(sample: ScoredSample, test: Bools, name: str, level: float) -> dict[str, Any]:
    """Return a proportion with Wilson's limits; with clusters those of the effective size."""
    upper, among = _SHARES[name]
    result, truth = test == upper, sample.positive == upper
    hit, within = (truth, result) if among == "called" else (result, truth)
    count, size = int(np.count_nonzero(hit & within)), int(np.count_nonzero(within))
    low = high = math.nan
    if size:
        worth = 1.0 if sample.cluster is None else _worth(sample, hit, within, level)
        limits = proportion_limits(count * worth, size * worth, level=level, method="wilson")
        low, high = (float(limit) for limit in limits)
    value = count / size if size else math.nan
    return {"estimate": value, "conf_low": low, "conf_high": high, "count": count, "size": size}


def _worth(sample: ScoredSample, hit: Bools, within: Bools, level: float) -> float:
    """Return the effective number of subjects in clusters, as a share of their number."""
    assert sample.cluster is not None
    size = float(np.count_nonzero(within))
    spread = np.where(within, hit - np.count_nonzero(hit & within) / size, 0.0)
    sums = np.bincount(sample.cluster, spread)
    units = float(np.unique(sample.cluster[within]).size)
    own, square = (np.einsum("n,n->", part, part) for part in (spread, sums))
    found = effective_size(own, square, np.asarray(size), np.asarray(units), level)
    return float(found) / size


def _ratio(values: Any, sample: ScoredSample, log: float) -> dict[str, Any]:
    """Return a likelihood ratio with the error of its logarithm, as operating points have it."""
    sizes = np.where(sample.positive, sample.n_pos, sample.n_neg)
    row, df = values / sizes, math.inf
    if sample.cluster is not None:
        row = np.bincount(sample.cluster, row)
        df = float(np.unique(sample.cluster).size - 1)
    factor = 1.0 if math.isinf(df) else (df + 1.0) / df if df else math.nan
    square = float(np.einsum("n,n->", row, row))  # BLAS would wake its threads
    return {"estimate": math.exp(log), "error": math.sqrt(factor * square), "df": df}
