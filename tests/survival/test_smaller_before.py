"""What is smaller before each number of a permutation, beside the definition: all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from rocstats.survival import smaller_before as counting

ROUNDING = 1e-12  # sums of weights of about one, in another order, over their number


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 100, 255, 257, 1025, 3000])
@pytest.mark.parametrize("near", [2**16, 2**8])
def test_numbers_are_counted_as_all_pairs_are(
    n: int, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_NEAR", near)
    rng = np.random.default_rng(n)
    for places in (rng.permutation(n), np.arange(n), np.arange(n)[::-1]):
        weight = rng.random(n) * (rng.random(n) < 0.7)
        passed = np.tril(places < places[:, np.newaxis], -1)
        count, sums = counting.smaller_before(places, weight)
        np.testing.assert_array_equal(count, passed.sum(axis=1))
        np.testing.assert_allclose(sums, passed @ weight, atol=n * ROUNDING)
