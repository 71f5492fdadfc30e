"""Labels of large pools: tossed by a coin, and put right where the heads are not m.

Rows that happen to have m heads grow rare with the size of a pool. Here every row is kept: as long
as it has too many heads, or too few, a random one of them is turned. Given their number the heads
of a row are a random subset, and stay one, so every row of m heads is as likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocstats.data.blocks import slabs

__all__ = ["Repair"]

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Counts = NDArray[np.int64]

_CACHED = 2**15  # words worked on at a time
_TURN_COST = 40.0  # a turned label costs about as much as so many tosses of a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A coin tossed N times, and labels turned until there are m heads.

    Attributes
    ----------
    n_pos, n_neg : the heads and tails wanted
    digits : binary digits of the chance of a head of the smaller group, the last first
    """

    n_pos: int
    n_neg: int
    digits: tuple[int, ...]

    @classmethod
    def for_sizes(cls, m: int, n: int) -> Repair:
        """Choose the chance of heads that takes the least work; 0 where they are very few."""
        few, size = min(m, n), m + n
        best, digits = _turning(0.0, few, size), ()
        for length in range(1, size.bit_length() + 2):
            for heads in (few * 2**length // size, -(-few * 2**length // size)):
                if 0 < heads < 2**length:
                    cost = length * size / 64.0 + _turning(heads / 2**length, few, size)
                    if cost < best:
                        best, digits = cost, tuple(heads >> k & 1 for k in range(length))
        return cls(n_pos=m, n_neg=n, digits=digits)

    def packed(self, rng: np.random.Generator, rows: int) -> Bytes:
        """Return (rows, N/8) bytes of labels, m of them set in each row."""
        size, few = self.n_pos + self.n_neg, min(self.n_pos, self.n_neg)
        words = -(-size // 64)
        last = np.uint64(2**64 - 1 >> -size % 64)
        tosses = np.zeros((rows, words), dtype=np.uint64)
        for s in slabs(rows, max(1, _CACHED // words)):
            self._toss(rng, tosses[s].reshape(-1))
            tosses[s, -1] &= last
            _turn(tosses[s], rng, size, few)
        if few < self.n_pos:
            np.invert(tosses, out=tosses)
            tosses[:, -1] &= last
        return tosses.astype("<u8", copy=False).view(np.uint8)[:, : -(-size // 8)]

    def _toss(self, rng: np.random.Generator, tosses: Words) -> None:
        for digit in self.digits:
            fresh = rng.bit_generator.random_raw(tosses.size)
            (np.bitwise_or if digit else np.bitwise_and)(fresh, tosses, out=tosses)


def _turning(chance: float, few: int, size: int) -> float:
    """Return the expected work of turning labels: a place is found by trying random ones."""
    away, spread = size * chance - few, math.sqrt(size * chance * (1.0 - chance))
    t = away / spread if spread else math.inf
    both = spread * math.sqrt(2.0 / math.pi) * math.exp(-0.5 * t * t) if spread else 0.0
    over = 0.5 * (both + away * math.erf(t / math.sqrt(2.0)) + away) if spread else max(away, 0.0)
    return _TURN_COST * (over * size / few + (over - away) * size / (size - few))


def _turn(tosses: Words, rng: np.random.Generator, size: int, few: int) -> None:
    """Turn random labels of (rows, words) until every row has `few` heads, in place.

    A place that is drawn twice is turned once; what is then missing is drawn in the next round.
    """
    words = tosses.shape[1]
    flat = tosses.reshape(-1)
    rows, heads = np.arange(tosses.shape[0]), _count(tosses)
    while (heads != few).any():
        rows, heads = rows[heads != few], heads[heads != few]
        wanted, over = np.abs(heads - few), heads > few  # there heads are turned, elsewhere tails
        there = np.where(over, heads, size - heads)
        tries = (wanted * (1.1 * size) / there + 8.0).astype(np.int64)
        row = np.repeat(np.arange(rows.size), tries)
        place = rng.integers(0, size, size=row.size, dtype=np.uint32)
        word = rows[row] * words + (place >> 6)
        bit = np.uint64(1) << (place & 63).astype(np.uint64)
        good = ((flat[word] & bit) != 0) == over[row]
        row, word, bit = row[good], word[good], bit[good]
        found = np.bincount(row, minlength=rows.size)
        rank = np.arange(row.size) - np.repeat(np.cumsum(found) - found, found)
        used = rank < wanted[row]
        down, up = used & over[row], used & ~over[row]
        np.bitwise_and.at(flat, word[down], ~bit[down])
        np.bitwise_or.at(flat, word[up], bit[up])
        heads = _count(tosses[rows])


def _count(tosses: Words) -> Counts:
    return np.asarray(np.bitwise_count(tosses).sum(axis=1, dtype=np.int64))
