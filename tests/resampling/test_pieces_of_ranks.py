"""A seed gives the same exchanges of ranks again: they are drawn in pieces of 2**14 ranks."""

from __future__ import annotations

import numpy as np

from rocstats.resampling.venkatraman import _RankExchange


def test_exchanges_are_drawn_a_piece_at_a_time_from_one_stream() -> None:
    n = 80
    order = np.random.default_rng(1)
    ranks = np.array([order.permutation(n), order.permutation(n)])
    task = _RankExchange(ranks=ranks, positive=np.arange(n) < 30, cluster=np.arange(n))
    piece = 2**14 // n
    whole = task(piece + 50, np.random.default_rng(2))
    rng = np.random.default_rng(2)
    np.testing.assert_array_equal(whole, np.concatenate([task(piece, rng), task(50, rng)]))
    rng = np.random.default_rng(2)
    assert (whole != np.concatenate([task(piece - 1, rng), task(51, rng)])).any()
