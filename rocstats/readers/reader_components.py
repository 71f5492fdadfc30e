"""Variance components of a reader study: a mapping by name, for reading and for planning."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, fields
from typing import Any

from rocstats.readers.obuchowski_rockette import MeanSquares
from rocstats.tables import Answer, Statement, show_value

__all__ = ["ReaderComponents", "components_of"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderComponents(Answer, Mapping[str, Any]):
    """What readers and cases add to the variance of a reader study (Obuchowski & Rockette 1995).

    It is a mapping of its attributes, which `power_readers` and `sample_size_readers` plan with.

    Attributes
    ----------
    ms_test, ms_reader, ms_test_reader : float
        Mean squares of the estimates; those of readers are within tests where they are nested.
    var : float
        Variance of an estimate over cases, given the reader.
    cov1, cov2, cov3 : float
        Covariance over cases: of the same reader in two tests, of two readers in the same test, of
        two readers in two tests.
    var_reader, var_test_reader : float
        Variance of the readers, and of readers by test; below zero where the data say so.
    readers, cases : int
        Size of the study; `var` and the covariances are those of so many cases.
    n_pos, n_neg : int
        Cases of either class.

    See Also
    --------
    power_readers : Power of a planned reader study.
    sample_size_readers : Cases or readers that a reader study needs.
    """

    ms_test: float
    ms_reader: float
    ms_test_reader: float
    var: float
    cov1: float
    cov2: float
    cov3: float
    var_reader: float
    var_test_reader: float
    readers: int
    cases: int
    n_pos: int
    n_neg: int

    def keys(self) -> KeysView[str]:
        """Return the names of the components.

        Returns
        -------
        KeysView
            The names.
        """
        return KeysView(self)

    def values(self) -> ValuesView[Any]:
        """Return the components in the order of their names.

        Returns
        -------
        ValuesView
            The values.
        """
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:
        """Return the components with their names.

        Returns
        -------
        ItemsView
            Pairs of a name and a value.
        """
        return ItemsView(self)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a component, or something else where there is none of that name.

        Parameters
        ----------
        name : str
            Its name.
        default : object, optional
            What is returned where there is none.

        Returns
        -------
        float, int or the default
            The value.
        """
        return self[name] if name in _NAMES else default

    def __getitem__(self, name: str) -> Any:
        if name not in _NAMES:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)

    def statement(self) -> Statement:
        """Return a row for each component, and the correlations."""
        row = dict(self)
        rows = [
            {"component": name, "value": row[name], "meaning": meaning}
            for name, meaning in _MEANINGS.items()
        ]
        shares = [
            f"{name} {show_value(row[key] / self.var)}"
            for name, key in (("r1", "cov1"), ("r2", "cov2"), ("r3", "cov3"))
            if self.var > 0.0
        ]
        return Statement(
            rows=rows,
            shown=("component", "value", "meaning"),
            show=_show_small,
            notes=[f"Correlations over cases: {', '.join(shares)}"] if shares else [],
            content=row,
        )


_NAMES = tuple(f.name for f in fields(ReaderComponents))
_MEANINGS = {
    "ms_test": "mean square of tests",
    "ms_reader": "mean square of readers",
    "ms_test_reader": "mean square of tests by readers",
    "var": "variance over cases",
    "cov1": "covariance, same reader, two tests",
    "cov2": "covariance, same test, two readers",
    "cov3": "covariance, two readers, two tests",
    "var_reader": "variance of readers",
    "var_test_reader": "variance of tests by readers",
}


def _show_small(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def components_of(table: MeanSquares, readers: int, n_pos: int, n_neg: int) -> ReaderComponents:
    """Return the components of a table of estimates (STATISTICS.md, reader studies)."""
    if table.nested:
        var_reader = table.ms_reader - table.var + table.cov2
        var_test_reader = math.nan
    else:
        spread = table.ms_reader - table.ms_test_reader
        var_reader = spread / table.t - table.cov1 + table.cov3
        var_test_reader = table.ms_test_reader - table.var + table.cov1 + table.cov2 - table.cov3
    return ReaderComponents(
        ms_test=table.ms_test,
        ms_reader=table.ms_reader,
        ms_test_reader=table.ms_test_reader,
        var=table.var,
        cov1=table.cov1,
        cov2=table.cov2,
        cov3=table.cov3,
        var_reader=var_reader,
        var_test_reader=var_test_reader,
        readers=readers,
        cases=n_pos + n_neg,
        n_pos=n_pos,
        n_neg=n_neg,
    )
