"""Relabelings: all of them where they are few, random ones where they are not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.blocks import slabs
from rocstats.resampling.chunks import as_seed, run_chunks
from rocstats.resampling.label_repair import Repair
from rocstats.resampling.permutation import Permutation
from rocstats.twosample.byte_sums import TABLED
from rocstats.twosample.judging import Extremes, Order
from rocstats.twosample.pooled_values import Bytes, Labelled, Pool

__all__ = ["MOST", "Coin", "every_relabeling", "random_relabelings"]

MOST = 20000  # relabelings at most are enumerated
_SLAB = 2**16  # labels worked on at a time
_LABELS = 2**27  # labels drawn at a time from a large pool: 16 MB of packed ones,
_LEAST = 512  # or so many rows of them: 64 bytes for each value
_BUNDLE = 16  # random relabelings to a unit of work


def every_relabeling(extreme: Extremes, pool: Pool, m: int, n: int) -> Floats:
    """Return the statistic of each of the C(N, m) relabelings."""
    return np.concatenate([extreme(_labelled(pool, label, m, n)) for label in _every_label(m, n)])


def random_relabelings(order: Order, pool: Pool, m: int, n: int, resampling: Permutation) -> Floats:
    """Return the statistic of random relabelings; the same for any number of workers."""
    coin = Coin.for_sizes(m, n) if m + n <= TABLED else Repair.for_sizes(m, n)
    bundles = run_chunks(
        _Draw(order, pool, coin),
        -(-resampling.n_resamples // _BUNDLE),
        as_seed(resampling.rng),
        n_jobs=resampling.n_jobs,
        title=f"permutation, by {_BUNDLE}",
    )
    return bundles.ravel()[: resampling.n_resamples]


@dataclass(frozen=True, slots=True, eq=False)
class _Draw:
    """The statistic of random relabelings, a bundle a row; one alone costs less than its stream."""

    order: Order
    pool: Pool
    coin: Coin | Repair

    def __call__(self, size: int, rng: np.random.Generator) -> Floats:
        m, n = self.coin.n_pos, self.coin.n_neg
        few = max(1, _SLAB // (m + n))
        drawn = few if isinstance(self.coin, Coin) else max(_LEAST, _LABELS // (m + n))
        parts: list[Floats] = []
        for s in slabs(size * _BUNDLE, drawn):
            marks = self.coin.packed(rng, s.stop - s.start)
            parts += [
                self.order.extreme(_labelled(self.pool, marks[r], m, n))
                for r in slabs(len(marks), len(marks) if self.order.by_bytes else few)
            ]
        return np.concatenate(parts).reshape(size, _BUNDLE)


def _labelled(pool: Pool, marks: Bools | Bytes, m: int, n: int) -> Labelled:
    return Labelled(pool=pool, marks=marks, n_pos=m, n_neg=n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coin:
    """A coin tossed N times, whose rows with m heads are kept: every such row is as likely.

    Attributes
    ----------
    n_pos, n_neg : the heads and tails wanted
    digits : binary digits of the chance of heads, the last first; 64 tosses take a word for each
    acceptance : the share of rows kept
    """

    n_pos: int
    n_neg: int
    digits: tuple[int, ...]
    acceptance: float

    @classmethod
    def for_sizes(cls, m: int, n: int) -> Coin:
        """Choose the chance of heads, near m / N, that takes the fewest random words."""
        size = m + n
        coins = []
        for length in range(1, size.bit_length() + 2):
            heads = min(max(round(m / size * 2**length), 1), 2**length - 1)
            chance = heads / 2**length
            log_share = math.lgamma(size + 1) - math.lgamma(m + 1) - math.lgamma(n + 1)
            log_share += m * math.log(chance) + n * math.log1p(-chance)
            digits = tuple(heads >> k & 1 for k in range(length))
            coins.append(
                cls(n_pos=m, n_neg=n, digits=digits, acceptance=max(math.exp(log_share), 1e-300))
            )
        return min(coins, key=lambda coin: len(coin.digits) / coin.acceptance)

    def packed(self, rng: np.random.Generator, rows: int) -> Bytes:
        """Return (rows, N/8) bytes of labels, m of them set in each row."""
        size = self.n_pos + self.n_neg
        words = -(-size // 64)
        kept: list[NDArray[np.uint64]] = []
        missing = rows
        while missing:
            tries = min(int(1.2 * missing / self.acceptance) + 16, max(1, _SLAB // words))
            tosses = self._toss(rng, words, tries)
            tosses[-1] &= np.uint64(2**64 - 1 >> -size % 64)
            heads = np.bitwise_count(tosses).sum(axis=0, dtype=np.uint32)
            chosen = np.flatnonzero(heads == self.n_pos)[:missing]
            kept.append(tosses[:, chosen].T)
            missing -= chosen.size
        found = np.ascontiguousarray(np.concatenate(kept), dtype="<u8").view(np.uint8)
        return found[:, : -(-size // 8)]

    def _toss(self, rng: np.random.Generator, words: int, tries: int) -> NDArray[np.uint64]:
        # The last digit is 1, or a shorter coin would have been chosen.
        tosses = rng.bit_generator.random_raw(words * tries)
        for digit in self.digits[1:]:
            fresh = rng.bit_generator.random_raw(words * tries)
            (np.bitwise_or if digit else np.bitwise_and)(fresh, tosses, out=tosses)
        return tosses.reshape(words, tries)


def _every_label(m: int, n: int) -> Iterator[Bools]:
    """Yield all labels, some rows at a time; places of the smaller group are chosen."""
    size, few = m + n, min(m, n)
    chosen = chain.from_iterable(combinations(range(size), few))
    for s in slabs(math.comb(size, few), max(1, _SLAB // size)):
        rows = s.stop - s.start
        places = np.fromiter(islice(chosen, rows * few), dtype=np.intp, count=rows * few)
        label = np.full((rows, size), few != m)
        np.put_along_axis(label, places.reshape(rows, few), few == m, axis=1)
        yield label
