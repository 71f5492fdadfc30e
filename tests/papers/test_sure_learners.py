"""Learners that are sure beyond what an exponential can hold."""

from __future__ import annotations

import numpy as np

from rocstats.papers.learners.naive_bayes import NaiveBayes


def test_naive_bayes_of_many_columns_that_agree_gives_numbers() -> None:
    y = np.repeat([0, 1, 2], 40)
    X = np.repeat((y == 2).astype(float)[:, None], 900, axis=1)
    X[y == 1, :450] = 1.0
    found = NaiveBayes(levels=[2] * 900).fit(X, y).predict_proba(X)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_array_equal(found.argmax(axis=1), y)
