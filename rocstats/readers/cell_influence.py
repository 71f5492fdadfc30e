"""One row of influence for each test and reader, on the union of the cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocstats.data.blocks import sort_into_blocks
from rocstats.engine.evaluation import ordered_influence, to_measure_scale
from rocstats.engine.influence import Influence
from rocstats.engine.measures import Measure
from rocstats.readers.reader_study import ReaderStudy

if TYPE_CHECKING:
    from rocstats.arrays import Bools, Floats

__all__ = ["CellRows", "cell_rows"]


class CellRows:
    """Estimates and influence of every test and reader, before they are put on a common scale.

    Attributes
    ----------
    study, measure : what they are of
    test, reader : (C,) the place of each row's test and reader
    estimate : (C,) the estimates
    values : (C, N) the influence of every case within its own row; 0 where it was not read
    read : (C, N) which cases were read
    sizes : (C, 2) how many negatives and positives were read
    """

    def __init__(self, study: ReaderStudy, measure: Measure) -> None:
        cells = study.cells
        self.study, self.measure = study, measure
        self.test = np.array([i for i, _ in cells], dtype=np.intp)
        self.reader = np.array([j for _, j in cells], dtype=np.intp)
        self.read: Bools = study.read[self.test, self.reader]
        self.estimate = np.empty(len(cells))
        self.values = np.zeros(self.read.shape)
        sign = 1.0 if study.higher_is_positive else -1.0
        for c, (i, j) in enumerate(cells):
            there = self.read[c]
            blocks = sort_into_blocks(
                sign * study.ratings[i, j, there], study.positive[there], ordered=True
            )
            scaled = to_measure_scale(measure, blocks, flipped=sign < 0.0)
            self.estimate[c], ordered = ordered_influence(measure, scaled)
            own = np.empty(ordered.size)
            own[blocks.order] = ordered
            self.values[c, there] = own
        negative = ~study.positive
        self.sizes = np.stack(
            [(self.read & negative).sum(axis=1), (self.read & study.positive).sum(axis=1)], axis=1
        ).astype(np.float64)

    def joined(self) -> Influence:
        """Return the rows as one influence on all cases, each with the variance of its own.

        A case that two rows share makes them dependent; rows without a common case are not.
        """
        study = self.study
        stratum = study.positive.astype(np.intp)
        values = self.values
        if not self.read.all():
            values = values * self._scale()[:, stratum]
        return Influence(
            estimate=self.estimate,
            values=values,
            stratum=stratum,
            rows=tuple(
                (f"{study.tests[i]}/{study.readers[j]}", self.measure.name)
                for i, j in zip(self.test, self.reader, strict=True)
            ),
            subject=study.case,
            cluster=study.cluster,
        )

    def _scale(self) -> Floats:
        """Return, by row and stratum, what keeps a row's variance over its own cases."""
        study = self.study
        whole = np.array([study.n_neg, study.n_pos], dtype=np.float64)
        if study.cluster is None:
            scale: Floats = np.sqrt(whole * (whole - 1.0) / (self.sizes * (self.sizes - 1.0)))
            return scale
        units = np.array(
            [[_units(study.cluster, row & side) for side in self._sides()] for row in self.read]
        )
        every = np.array([_units(study.cluster, side) for side in self._sides()])
        share = (units / (units - 1.0)) / (every / (every - 1.0))
        found: Floats = whole / self.sizes * np.sqrt(share)
        return found

    def _sides(self) -> tuple[Bools, Bools]:
        return ~self.study.positive, self.study.positive


def _units(cluster: np.ndarray, there: Bools) -> float:
    return float(np.unique(cluster[there]).size)


def cell_rows(study: ReaderStudy, measure: Measure) -> CellRows:
    """Return the estimate and influence of every reader in every test."""
    return CellRows(study, measure)
