"""Tests by name: p-values of a batch of samples, those of relabelings included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.blocks import slabs
from rocstats.errors import InvalidOptionError, check_option

__all__ = ["LABELS", "TESTS", "Test", "batch_of_test", "null_of_test", "test_label", "test_name"]

Test = str | Callable[[Floats, Floats], Any]

LABELS = {
    "auc": "WMW",
    "sauc": "sAUC (normal approximation)",
    "sauc-permutation": "sAUC (permutation)",
    "t": "t",
    "welch": "Welch",
    "brunner-munzel": "Brunner-Munzel",
}
TESTS = tuple(LABELS)

_RELABELINGS = 999
_NULLS = {
    **dict.fromkeys(("auc", "sauc"), "normal approximation"),
    "sauc-permutation": f"permutation, {_RELABELINGS} relabelings",
    **dict.fromkeys(("t", "welch", "brunner-munzel"), "t distribution"),
}
_GROUP = 16  # samples that share relabelings: more would add to the Monte-Carlo error
_ROUNDING = 1e-9  # statistics closer than this are equal (STATISTICS.md 5.3)


def test_name(test: Test) -> str:
    """Return the name of a test of the table, or of a user's own function."""
    if callable(test):
        return str(getattr(test, "__name__", type(test).__name__))
    check_option("tests", test, TESTS)
    return test


def test_label(name: str) -> str:
    """Return a test's name as a reader knows it."""
    return LABELS.get(name, name)


def null_of_test(name: str) -> str:
    """Return what gives a test its p-values; a user's own function gives its own."""
    return _NULLS.get(name, "its own")


def batch_of_test(
    test: Test, x: Floats, y: Floats, *, alternative: str, rng: np.random.Generator
) -> Floats:
    """Return the (B,) p-values of a test on (B, n_pos) positives and (B, n_neg) negatives."""
    if callable(test):
        answer = test(x, y)
        try:
            found = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            raise InvalidOptionError(
                f"The test {test_name(test)} must return p-values; it returned something else "
                "than numbers."
            ) from None
        if found.shape != (x.shape[0],) or not np.all((found >= 0.0) & (found <= 1.0)):
            raise InvalidOptionError(
                f"The test {test_name(test)} must return a p-value from 0 to 1 for each of the "
                f"{x.shape[0]} rows; it returned an array of shape {found.shape}."
            )
        return found
    if test == "sauc-permutation":
        return _permutation_pvalues(x, y, alternative, rng)
    from rocstats.twosample.sample_batches import batch_pvalues

    return batch_pvalues(test, x, y, alternative=alternative)  # type: ignore[arg-type]


def _permutation_pvalues(
    x: Floats, y: Floats, alternative: str, rng: np.random.Generator
) -> Floats:
    """Return ``(1 + #{M* >= M}) / (R + 1)`` for the statistics of STATISTICS.md (5.3).

    Gap k of the sorted pool is counted by (k - c)(m - c) pairs ahead and c(n - k + c) behind, where
    c of the first k values are positives: the sums over a group are products of two matrices.
    """
    from rocstats.twosample.moments import ramp_moments
    from rocstats.twosample.pooled_values import pool_batch

    m, n = x.shape[1], y.shape[1]
    data = pool_batch(x, y)
    moments = ramp_moments(data.pool, m, n)
    found = np.empty(x.shape[0])
    for group in slabs(x.shape[0], _GROUP):
        drawn = np.broadcast_to(np.arange(m + n) < m, (_RELABELINGS, m + n))
        label = np.concatenate([data.label[group], rng.permuted(drawn, axis=1)])
        seen = np.cumsum(label, axis=1)[:, :-1]
        rest = np.arange(1.0, m + n) - seen
        sides = [
            (rest * (m - seen), moments.ahead, "greater"),
            (seen * (n - rest), moments.behind, "less"),
        ]
        scores = []
        for pairs, variance, side in sides:
            if alternative not in (side, "two-sided"):
                continue
            sums = np.einsum("bk,rk->br", data.pool.gaps[group], pairs) / (m * n)
            away = sums - moments.mean[group, np.newaxis]
            scale = np.sqrt(variance[group, np.newaxis])
            scores.append(np.divide(away, scale, out=np.zeros_like(away), where=scale > 0.0))
        score = np.maximum.reduce(scores)
        size = score.shape[0]
        own = score[np.arange(size), np.arange(size)]
        as_extreme = score[:, size:] >= own[:, np.newaxis] - _ROUNDING
        found[group] = (1.0 + as_extreme.sum(axis=1)) / (_RELABELINGS + 1.0)
    return found
