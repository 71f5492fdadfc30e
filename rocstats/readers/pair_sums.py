"""Sums over pairs of a positive and a negative case, for every two cells: what U-statistics need.

For cells a and b with the kernel ``W`` (1, 1/2 or 0; 0 where a case was not read) the four sums are

    q1 = sum W_a W_b          over the same positive and the same negative,
    q2 = sum_i W_a,i. W_b,i.  over the same positive,
    q3 = sum_j W_a,.j W_b,.j  over the same negative,
    q4 = W_a,.. W_b,..        over all,

and the same of the masks, that is, of how many terms there are (Gallas et al. 2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocstats.planning.joint_wins import joint_win_sum
from rocstats.readers.cell_influence import CellRows

if TYPE_CHECKING:
    from rocstats.arrays import Floats

__all__ = ["PairSums", "apart", "pair_sums", "unbiased_covariance"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSums:
    """The four sums for every two cells, and how many terms they have; each of shape (4, C, C)."""

    sums: Floats
    terms: Floats


def pair_sums(rows: CellRows) -> PairSums:
    """Return the sums of the AUC's kernel over pairs of cases, in O(C^2 N log(N)^2)."""
    study, read = rows.study, rows.read
    n_neg, n_pos = rows.sizes.T
    level = rows.estimate[:, np.newaxis]
    wins = np.where(read, rows.values + level, 0.0)
    wins *= np.where(study.positive, n_neg[:, np.newaxis], n_pos[:, np.newaxis])
    wins_pos, wins_neg = wins[:, study.positive], wins[:, ~study.positive]
    total = wins_pos.sum(axis=1)
    sums = np.stack(
        [
            _joint_wins(rows),
            wins_pos @ wins_pos.T,
            wins_neg @ wins_neg.T,
            np.outer(total, total),
        ]
    )
    seen = read.astype(np.float64)
    both_pos = seen[:, study.positive] @ seen[:, study.positive].T
    both_neg = seen[:, ~study.positive] @ seen[:, ~study.positive].T
    pairs = n_pos * n_neg
    terms = np.stack(
        [
            both_pos * both_neg,
            both_pos * np.outer(n_neg, n_neg),
            both_neg * np.outer(n_pos, n_pos),
            np.outer(pairs, pairs),
        ]
    )
    return PairSums(sums=sums, terms=terms)


def _joint_wins(rows: CellRows) -> Floats:
    study, count = rows.study, rows.estimate.size
    sign = 1.0 if study.higher_is_positive else -1.0
    scores = sign * study.ratings[rows.test, rows.reader]
    found = np.zeros((count, count))
    for a in range(count):
        for b in range(a, count):
            both = rows.read[a] & rows.read[b]
            if both.any():
                wins = joint_win_sum(scores[a, both], scores[b, both], study.positive[both])
                found[a, b] = found[b, a] = wins
    return found


def apart(sums: Floats) -> Floats:
    """Return sums over exactly the stated coincidence, of sums over at least that."""
    same, pos, neg, every = sums
    return np.stack([same, pos - same, neg - same, every - pos - neg + same])


def unbiased_covariance(pairs: PairSums, estimate: Floats) -> Floats:
    """Return the (C, C) unbiased covariance of the cells' AUCs over cases.

    The product of two AUCs less the mean of ``W_a W_b`` over pairs without a common case.
    """
    sums, terms = apart(pairs.sums)[3], apart(pairs.terms)[3]
    found: Floats = np.outer(estimate, estimate) - sums / terms
    found[pairs.terms[1] + pairs.terms[2] == 0.0] = 0.0  # no common case: not even rounding
    return found
