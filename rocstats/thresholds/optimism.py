"""Optimism: a cutpoint chosen again in every resample, and how it does in the sample itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rocstats.arrays import Floats
from rocstats.curves.roc import RocCurve
from rocstats.errors import DegenerateVarianceWarning, warn_user
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.resampling.chunks import as_seed, run_chunks
from rocstats.thresholds.chosen_thresholds import places_at
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
    redraws: Redraws

    def run(self, resampling: Bootstrap) -> Floats:
        """Return, for every resample, what `Cutpoint.replicates` has.

        A class of one subject or cluster is the same in every resample, which then tell nothing.
        """
        if self.redraws.urn.fewest() < 2:
            return np.full((resampling.n_resamples, 5), math.nan)
        found = run_chunks(
            self._chunk,
            resampling.n_resamples,
            as_seed(resampling.rng),
            n_jobs=resampling.n_jobs,
            title="cutpoints",
        )
        lost = int(np.isnan(found[:, 0]).sum())
        if lost:
            warn_user(
                f"{lost} of {len(found)} resamples have no such cutpoint and are left out.",
                DegenerateVarianceWarning,
            )
        return found

    def _chunk(self, size: int, rng: np.random.Generator) -> Floats:
        found = np.full((size, 5), math.nan)
        scores = thresholds_beyond(self.curve)
        for part, whole, tp, fp in self.redraws.draw(rng, size):
            score = score_vertices(self.criterion, tp, fp, self.weight, self.floor)
            best = score.argmax(axis=1)  # of equals the first, which is the most specific
            row = np.arange(best.size)
            # The next score that was drawn is where more are called positive.
            called = tp + fp
            after = np.count_nonzero(called <= called[row, best][:, np.newaxis], axis=1)
            cut = midpoints(scores[best], scores[after])
            place = places_at(self.curve, cut)
            lines = [
                cut,
                tp[row, best] / tp[:, -1],
                1.0 - fp[row, best] / fp[:, -1],
                self.curve.tp[place] / self.curve.n_pos,
                1.0 - self.curve.fp[place] / self.curve.n_neg,
            ]
            feasible = score[row, best] > -math.inf
            found[part][whole] = np.where(feasible, lines, math.nan).T
        return found


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
