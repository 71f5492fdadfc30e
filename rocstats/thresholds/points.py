"""Operating points: 2x2 tables of a marker at one threshold, at many, or at all there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Floats, Ints
from rocstats.curves.path import read_only
from rocstats.data.blocks import slabs
from rocstats.data.sample import Account
from rocstats.errors import Polite, check_option
from rocstats.estimates.proportion_limits import Limits
from rocstats.tables import AnswerInPart, Later, PlainRows, Row, Rows, Statement, counted
from rocstats.thresholds.clusters import Clusters
from rocstats.thresholds.diagnostics import DIAGNOSTICS, predictive
from rocstats.thresholds.two_by_two import Cells, Diagnostic, Tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["EVERYWHERE", "OperatingPoints", "if_low"]

EVERYWHERE = "all thresholds"
_COUNTS = ("threshold", "tp", "fp", "fn", "tn")
_SHOWN = (*_COUNTS, "sensitivity", "specificity", "ppv", "npv", "youden")
_LONG = ("measure", "estimate", "conf_low", "conf_high", "conf_method")
_SLAB = 2**16  # points worked on at a time: few enough for the caches, many for each call
_MOST = 12  # rows of a table that is shown whole


def if_low(classifier: str, higher_is_positive: bool) -> str:
    """Return which scores are called positive, where they are the low ones, for a head line."""
    return "" if higher_is_positive else f"; positive if {classifier} <= threshold"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OperatingPoints(Rows["OperatingPoints"], AnswerInPart):
    """2x2 tables at thresholds, with what follows from them.

    Every measure but those at a stated prevalence is an attribute too: ``points.sensitivity``.

    Attributes
    ----------
    classifier : str
        Name of the marker.
    threshold : array
        A subject is called positive at or beyond it.
    tp, fp : array of int
        Counts of positives and negatives called positive; sums of weights where subjects have some.
    n_pos, n_neg : int
        Class sizes.
    higher_is_positive : bool
        Whether "beyond" means above or below.
    prevalence : tuple of float
        Prevalences for which PPV and NPV are given, besides the sample's own.
    interval : str
        Interval of a proportion.
    confidence_level : float
        Level of every interval.
    clusters : Clusters or None
        Sums over the clusters of dependent subjects, or None where all are independent.
    chosen_by : str
        How the points were chosen, in words.
    account : Account, optional
        Which class is positive, and who was left out.
    called_at : array of int or None
        With weights: how many subjects are called positive.

    See Also
    --------
    operating_points : 2x2 tables at thresholds, with their measures.
    """

    classifier: str
    threshold: Floats
    tp: Ints
    fp: Ints
    n_pos: int
    n_neg: int
    higher_is_positive: bool
    prevalence: tuple[float, ...]
    interval: str
    confidence_level: float
    clusters: Clusters | None
    chosen_by: str
    account: Account | None = None
    called_at: Ints | None = None

    _one: ClassVar = "threshold"

    def _names(self) -> list[tuple[float]]:
        return [(at,) for at in self.threshold.tolist()]

    def _row(self, i: int) -> OperatingPoints:
        return self._part([i])

    def _part(self, where: Sequence[int]) -> OperatingPoints:
        return self.select(list(where))

    def __len__(self) -> int:
        return int(self.threshold.size)

    @property
    def fn(self) -> Ints:
        """Positives that are called negative."""
        left: Ints = self.totals[0] - self.tp
        return left

    @property
    def tn(self) -> Ints:
        """Negatives that are called negative."""
        left: Ints = self.totals[1] - self.fp
        return left

    @property
    def totals(self) -> tuple[Any, Any]:
        """What the positives and the negatives count together: their numbers, or their weights."""
        if self.called_at is None or self.clusters is None:
            return self.n_pos, self.n_neg
        return self.clusters.totals

    @property
    def subjects(self) -> dict[str, Ints]:
        """How many subjects are in each cell, whatever their weights, by its name."""
        tp, fp = self.tp, self.fp
        if self.called_at is not None and self.clusters is not None:
            tp, fp = np.asarray(self.clusters.numbers)[:, self.called_at]
        return {"tp": tp, "fp": fp, "fn": self.n_pos - tp, "tn": self.n_neg - fp}

    @property
    def independent(self) -> bool:
        """Whether subjects are independent, not clustered."""
        return self.clusters is None

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of what can be asked for."""
        return tuple(self._diagnostics())

    def values(self, measure: str) -> Floats:
        """Return one measure at every point.

        Parameters
        ----------
        measure : str
            One of `measures`.

        Returns
        -------
        array of shape (k,)
            Its values.
        """
        return self.with_limits([measure])[measure][0]

    def limits(self, measure: str) -> Limits:
        """Return the lower and upper confidence limits of one measure at every point.

        Parameters
        ----------
        measure : str
            One of `measures`.

        Returns
        -------
        (array, array)
            Lower and upper limits.
        """
        return self.with_limits([measure])[measure][1:]

    def __getattr__(self, name: str) -> Floats:
        if name not in DIAGNOSTICS:
            return Polite.__getattr__(self, name)  # type: ignore[attr-defined, no-any-return]
        return self.values(name)

    def select(self, where: Sequence[int] | NDArray[Any]) -> OperatingPoints:
        """Return some of the points, by index or mask.

        Parameters
        ----------
        where : sequence of int or array of bool
            Which points.

        Returns
        -------
        OperatingPoints
            Those points.
        """
        threshold, tp, fp = (
            read_only(column[np.asarray(where)]) for column in (self.threshold, self.tp, self.fp)
        )
        at = None if self.called_at is None else read_only(self.called_at[np.asarray(where)])
        return replace(self, threshold=threshold, tp=tp, fp=fp, called_at=at)

    def called(self, index: int = 0) -> str:
        """Return in words who is called positive at one point.

        Parameters
        ----------
        index : int, default 0
            Which point.

        Returns
        -------
        str
            Such as "score >= 6".
        """
        sign = ">=" if self.higher_is_positive else "<="
        return f"{self.classifier} {sign} {self.threshold[index]:.6g}"

    def table(self, index: int = 0) -> list[dict[str, Any]]:
        """Return every measure at one point as tidy rows.

        Parameters
        ----------
        index : int, default 0
            Which point.

        Returns
        -------
        list of dict
            A row for each measure, with its limits.
        """
        here = self.select([index])
        edge = 0 in (here.tp[0], here.fp[0], here.fn[0], here.tn[0])
        rows = []
        diagnostics = self._diagnostics()
        for name, (value, low, high) in here.with_limits(tuple(diagnostics)).items():
            known = diagnostics[name]
            method = known.method.format(self.interval)
            rows.append(
                {
                    "measure": name,
                    "label": known.label,
                    "estimate": float(value[0]),
                    "conf_low": float(low[0]),
                    "conf_high": float(high[0]),
                    "conf_level": self.confidence_level,
                    "conf_method": f"corners of {self.interval}"
                    if edge and known.cornered
                    else method,
                }
            )
        return rows

    def statement(self, *, measures: Sequence[str] | None = None) -> Statement:
        """Return a row for each point; a measure x has columns x, x_conf_low and x_conf_high.

        With `measures` only those are computed, which matters where the points are a million.
        """
        names = self._chosen(measures)
        columns = Later(lambda: self._wide(names))
        return Statement(
            rows=columns,
            parts=[self._printed()],
            content=Later(lambda: self._content(names, columns)),
        )

    def _content(self, names: Sequence[str], columns: Row) -> dict[str, Any]:
        diagnostics = self._diagnostics()
        return {
            "classifier": self.classifier,
            "higher_is_positive": self.higher_is_positive,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "chosen_by": self.chosen_by,
            "conf_level": self.confidence_level,
            "conf_method": {name: diagnostics[name].method.format(self.interval) for name in names},
            "points": PlainRows(columns),
        }

    def _printed(self) -> Statement:
        """Return every measure of one point, or some measures of the first and last points."""
        size, half = self.threshold.size, _MOST // 2
        head = (
            f"{counted(size, 'operating point')} of {self.classifier} "
            f"({self.chosen_by}): {counted(self.n_pos, 'positive')}, "
            f"{counted(self.n_neg, 'negative')}; {self.confidence_level:.0%} intervals"
        )
        head += if_low(self.classifier, self.higher_is_positive) if size > 1 else ""
        if self.clusters is not None:
            plain = self.called_at is None or self.clusters.size < self.n_pos + self.n_neg
            head += f" that count {counted(self.clusters.size, 'cluster')}" if plain else ""
            head += ", of weighted subjects" if self.called_at is not None else ""
        if size == 0:
            return Statement(head=head)
        if size == 1:
            counts = ", ".join(f"{name} {getattr(self, name)[0]:.12g}" for name in _COUNTS[1:])
            return Statement(
                head=f"{head}\npositive if {self.called()}: {counts}",
                rows=self.table(),
                shown=_LONG,
            )
        where = np.arange(size)
        few = self.select(where if size <= _MOST else np.append(where[:half], where[-half:]))
        return Statement(
            head=head,
            rows=few._wide(_SHOWN[5:]),
            shown=_SHOWN,
            notes=[f"({size - _MOST} points between are not shown)"] if size > _MOST else [],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw sensitivity and specificity, with their limits, against the threshold.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.threshold_plot import draw_rates

        return draw_rates(
            self.threshold,
            self.with_limits(["sensitivity", "specificity"]),
            self.classifier,
            ax,
            everywhere=self.chosen_by == EVERYWHERE,
            higher_is_positive=self.higher_is_positive,
        )

    def plot_prevalence(self, index: int = 0, *, ax: Axes | None = None) -> Axes:
        """Draw PPV and NPV of one point, with their limits, against the prevalence.

        Parameters
        ----------
        index : int, default 0
            Which point.
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.threshold_plot import draw_predictive

        here = self.select([index])
        prevalence = np.linspace(0.0, 1.0, 201)[1:-1]
        tables = here.tables(slice(0, 1))
        found = np.empty((2, 3, prevalence.size))
        for i, share in enumerate(prevalence.tolist()):
            for lines, known in zip(found, predictive(share).values(), strict=True):
                lines[:, i] = [part[0] for part in tables.of(known)]
        columns = {
            name: (lines[0], lines[1], lines[2])
            for name, lines in zip(("PPV", "NPV"), found, strict=True)
        }
        return draw_predictive(prevalence, columns, here.called(), ax)

    def _diagnostics(self) -> dict[str, Diagnostic]:
        known = dict(DIAGNOSTICS)
        for share in self.prevalence:
            known |= predictive(share)
        return known

    def _chosen(self, measures: Sequence[str] | None) -> tuple[str, ...]:
        for name in measures or ():
            check_option("measures", name, self.measures)
        return self.measures if measures is None else tuple(measures)

    def _wide(self, measures: Sequence[str] | None) -> dict[str, NDArray[Any]]:
        columns: dict[str, NDArray[Any]] = {name: np.array(getattr(self, name)) for name in _COUNTS}
        for name, (value, low, high) in self.with_limits(self._chosen(measures)).items():
            columns |= {name: value, f"{name}_conf_low": low, f"{name}_conf_high": high}
        return columns

    def tables(self, part: slice = slice(None)) -> Tables:
        """Return what measures and their limits are made of.

        Parameters
        ----------
        part : slice, optional
            Which points; all by default.

        Returns
        -------
        Tables
            Cells, settings and clusters.
        """
        cells = Cells.of(self.tp[part], self.fp[part], *self.totals)
        called = self.called_at
        at = (cells.tp + cells.fp).astype(np.intp) if called is None else called[part]
        return Tables(
            cells=cells,
            level=self.confidence_level,
            method=self.interval,
            clusters=None if self.clusters is None else self.clusters.at(cells, at),
        )

    def with_limits(self, measures: Sequence[str]) -> dict[str, tuple[Floats, Floats, Floats]]:
        """Return some measures with their limits at every point, working out once what they share.

        Parameters
        ----------
        measures : sequence of str
            Some of `measures`.

        Returns
        -------
        dict of str to (array, array, array)
            Values, lower and upper limits, by measure.
        """
        known = self._diagnostics()
        for name in measures:
            check_option("measure", name, known)
        size = self.threshold.size
        found = {name: (np.empty(size), np.empty(size), np.empty(size)) for name in measures}
        for part in slabs(size, _SLAB):
            tables = self.tables(part)
            for name, columns in found.items():
                for column, piece in zip(columns, tables.of(known[name]), strict=True):
                    column[part] = piece
        return found
