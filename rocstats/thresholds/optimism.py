"""Optimism: a cutpoint chosen again in every resample, and how it does in the sample itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.curves.roc import RocCurve
from rocstats.engine.compiled import is_there
from rocstats.errors import DegenerateVarianceWarning, warn_user
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import as_seed, run_chunks
from rocstats.thresholds.choices import Choice, Drawing, choose
from rocstats.thresholds.chosen_thresholds import places_at
from rocstats.thresholds.coarse_redraws import CoarseRedraws
from rocstats.thresholds.cutpoint_criteria import Criterion, Floor, score_vertices
from rocstats.thresholds.redraws import Redraws

__all__ = ["Search", "midpoints", "thresholds_beyond"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Search:
    """A choice that can be made again in every resample.

    Attributes
    ----------
    curve : the ROC curve of the sample
    criterion, weight, floor : what is to be largest, the weight of specificity, minimal rates
    redraws : the resamples
    """

    curve: RocCurve
    criterion: Criterion
    weight: Fraction
    floor: Floor
    redraws: Redraws | CoarseRedraws

    def run(self, resampling: Bootstrap) -> Floats:
        """Return, for every resample, what `Cutpoint.replicates` has.

        A class of one subject or cluster is the same in every resample, which then tell nothing.
        """
        if self.redraws.fewest() < 2:
            return np.full((resampling.n_resamples, 5), math.nan)
        found = run_chunks(
            self._chunk,
            resampling.n_resamples,
            as_seed(resampling.rng),
            n_jobs=resampling.n_jobs,
            title="cutpoints",
            in_threads=is_there() and self._drawing() is not None,
        )
        lost = int(np.isnan(found[:, 0]).sum())
        if lost:
            warn_user(
                f"{lost} of {len(found)} resamples have no such cutpoint and are left out.",
                DegenerateVarianceWarning,
            )
        return found

    def _chunk(self, size: int, rng: np.random.Generator) -> Floats:
        sizes = self.curve.n_pos, self.curve.n_neg
        if isinstance(self.redraws, CoarseRedraws):
            return self._judge(self.redraws.choose(rng, size, self._score), *sizes)
        drawing = self._drawing()
        choice = drawing.choose(rng, size) if drawing is not None else None
        if choice is not None:
            return self._judge(choice, *sizes)
        found = np.full((size, 5), math.nan)
        for part, whole, tp, fp in self.redraws.draw(rng, size):
            choice = choose(self._score(tp, fp), tp, fp)
            found[part][whole] = self._judge(choice, tp[:, -1], fp[:, -1])
        return found

    def _drawing(self) -> Drawing | None:
        """Return what the kernel needs; None where it cannot draw and choose."""
        redraws, rates = self.redraws, self.criterion.rates
        if not isinstance(redraws, Redraws) or not redraws.is_plain or rates is None:
            return None
        return Drawing(
            below=(redraws.places[0].below, redraws.places[1].below),
            cells=None,
            sizes=(self.curve.n_pos, self.curve.n_neg),
            batch=redraws.batch,
            rates=rates,
            weight=self.weight,
            floor=self.floor,
        )

    def _score(self, tp: Ints, fp: Ints) -> Floats:
        return score_vertices(self.criterion, tp, fp, self.weight, self.floor)

    def _judge(self, choice: Choice, n_pos: Ints | int, n_neg: Ints | int) -> Floats:
        scores = thresholds_beyond(self.curve)
        cut = midpoints(scores[choice.best], scores[choice.after])
        place = places_at(self.curve, cut)
        lines = [
            cut,
            choice.tp / n_pos,
            1.0 - choice.fp / n_neg,
            self.curve.tp[place] / self.curve.n_pos,
            1.0 - self.curve.fp[place] / self.curve.n_neg,
        ]
        return np.where(choice.score > -math.inf, lines, math.nan).T


def thresholds_beyond(curve: RocCurve) -> Floats:
    """Return the thresholds of the vertices, and one that every subject is beyond."""
    return np.append(curve.threshold, -curve.threshold[0])


def midpoints(here: Floats, there: Floats) -> Floats:
    """Return the numbers half-way; `here` where none lies between, so that they stay apart.

    Half-way between the two infinities is 0.
    """
    opposite = np.isinf(here) & (there == -here)
    middle = np.where(opposite, 0.0, 0.5 * here) + np.where(opposite, 0.0, 0.5 * there)
    return np.where((middle == there) & np.isfinite(there), here, middle)
