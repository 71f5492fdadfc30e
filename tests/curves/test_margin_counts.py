"""Pairs that win by more than even margins, against a search at every margin."""

from __future__ import annotations

import numpy as np
import pytest

from rocstats.curves.margin_counts import MOST_STEPS, wins_over_margins

RNG = np.random.default_rng(5)
SCORES = {
    "normal": (RNG.normal(size=700) + 1.0, RNG.normal(size=500)),
    "cauchy": (RNG.standard_cauchy(600), RNG.standard_cauchy(400)),
    "whole numbers": (RNG.integers(0, 50, size=500) * 1.0, RNG.integers(0, 40, size=600) * 1.0),
    "large numbers": (
        RNG.integers(0, 10**5, size=500) * 1.0,
        RNG.integers(0, 9**5, size=600) * 1.0,
    ),
    "single precision": tuple(RNG.random((2, 500)).astype(np.float32).astype(np.float64)),
    "apart": (RNG.random(300) + 5.0, RNG.random(300)),
    "hardly above": (RNG.random(300), RNG.random(300) + 0.9),
}


@pytest.mark.parametrize("name", SCORES)
def test_wins_are_those_of_a_search_at_every_margin(name: str) -> None:
    pos, neg = (np.sort(scores) for scores in SCORES[name])
    width = (pos[-1] - neg[0]) / MOST_STEPS
    found = wins_over_margins(pos, neg, MOST_STEPS)
    wanted = [(np.subtract.outer(pos, neg) > k * width).sum() for k in range(MOST_STEPS + 1)]
    np.testing.assert_array_equal(found[:-1], wanted[:-1])
    assert found[-1] == 0.0  # nothing wins by more than the most
