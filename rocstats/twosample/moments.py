"""Moments: exact mean, variance and covariance of sAUC over all relabelings of a pool."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats
from rocstats.twosample.pooled_values import Pool

__all__ = ["Moments", "ramp_moments", "rank_variance", "row_sums"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Permutation moments of S = mean of (x - y)_+ and R = mean of (y - x)_+, (B,) each.

    Attributes
    ----------
    mean : of both: half the Gini mean difference of the pool
    ahead, behind : variance of S and of R
    across : their covariance
    """

    mean: Floats
    ahead: Floats
    behind: Floats
    across: Floats

    @property
    def correlation(self) -> Floats:
        """Correlation of S and R; -1 where neither varies."""
        scale: Floats = np.sqrt(self.ahead) * np.sqrt(self.behind)
        whole = np.full_like(scale, -1.0)
        np.divide(self.across, scale, out=whole, where=scale > 0.0)
        return np.clip(whole, -1.0, 1.0)


def ramp_moments(pool: Pool, m: int, n: int) -> Moments:
    """Return the moments in O(N log N) (STATISTICS.md 5.2).

    With h_ab = (z_a - z_b)_+ less its mean over a != b, r and c its row and column sums and
    [N]_k falling factorials, two pairs share both, one or no members::

        (mn)^2 Var S = mn S1/[N]_2 + mn(n-1) S2/[N]_3 + m(m-1)n S3/[N]_3 + m(m-1)n(n-1) S4/[N]_4
        S1 = sum h^2, S2 = sum r^2 - S1, S3 = sum c^2 - S1, S5 = 2 sum rc - C, C = sum h_ab h_ba,
        S4 = -(S1 + S2 + S3 + S5)

    R exchanges S2 and S3. In the covariance S1 becomes C, and S2 and S3 become sum rc - C. As h is
    centred first, nothing of size G^2 has to cancel.
    """
    size, rows = pool.size, row_sums(pool)
    two, three, four = _falling(size)
    mean = rows.sum(axis=1) / two
    columns = rows - size * pool.centred
    shift = ((size - 1) * mean)[:, np.newaxis]
    rows -= shift
    columns -= shift
    square = two * mean**2
    s1 = size * _dot(pool.centred, pool.centred) - square
    crossed = -square
    s2, s3 = _dot(rows, rows) - s1, _dot(columns, columns) - s1
    mixed = _dot(rows, columns) - crossed
    s4 = -(s1 + s2 + s3 + 2.0 * mixed + crossed)
    pairs = m * n
    apart = (m - 1) * (n - 1) * s4 / four

    def variance(same: Floats, share_x: Floats, share_y: Floats) -> Floats:
        return np.asarray(
            (same / two + ((n - 1) * share_x + (m - 1) * share_y) / three + apart) / pairs
        )

    return Moments(
        mean=mean,
        ahead=np.maximum(variance(s1, s2, s3), 0.0),
        behind=np.maximum(variance(s1, s3, s2), 0.0),
        across=variance(crossed, mixed, mixed),
    )


def row_sums(pool: Pool) -> Floats:
    """Return the (B, N) sums of (z_a - z_b)_+ over b, by gaps (STATISTICS.md 3.4)."""
    rows = np.zeros(pool.values.shape)
    np.cumsum(pool.gaps * np.arange(1.0, pool.size), axis=1, out=rows[:, 1:])
    return rows


def rank_variance(scores: Floats, m: int, n: int) -> Floats:
    """Return the permutation variance of the sum over x of (B, N) scores: ties need no term."""
    size = m + n
    away = scores - scores.mean(axis=1, keepdims=True)
    return np.asarray(m * n / (size * (size - 1.0)) * _dot(away, away))


def _falling(size: int) -> tuple[float, float, float]:
    """Return [N]_2, [N]_3 and [N]_4; 1 where it is 0, as what it divides is 0 there too."""
    two = size * (size - 1.0)
    return two, max(two * (size - 2.0), 1.0), max(two * (size - 2.0) * (size - 3.0), 1.0)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("bn,bn->b", a, b))
