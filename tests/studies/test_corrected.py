"""The corrected t test in small data sets: the rule that warns, and by simulation why.

The study is `docs/evidence/corrected.py`, which also makes the table of the documentation.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from conftest import load_study

import rocstats as rs

study = load_study("corrected")

REPLICATES = 800
ERROR = math.sqrt(0.05 * 0.95 / REPLICATES)


def test_few_rows_are_warned_of_and_only_they():
    d = [0.02, 0.01, 0.04, 0.00, 0.03]
    with pytest.warns(rs.SmallSampleWarning, match="With 99 rows, fewer than 100"):
        found = rs.corrected_t_test(d, n_train=89, n_test=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        more = rs.corrected_t_test(d, n_train=90, n_test=10)
    assert found.pvalue != more.pvalue  # the number is Nadeau & Bengio's in either case
    extra = (1 / 5 + 10 / 89) / (1 / 5 + 10 / 90)
    assert (found.std_error / more.std_error) ** 2 == pytest.approx(extra, rel=1e-12)


def test_the_study_has_the_formula_of_the_package():
    split = ("random", 0.1, 15)
    found, n_test = study.differences("nearest mean", 120, split, 40)
    pvalues = [
        rs.corrected_t_test(d, n_train=120 - n_test, n_test=n_test).pvalue for d in found["AUC"]
    ]
    share = study.sizes("nearest mean", 120, split, 40)["AUC"]
    assert share == np.mean(np.array(pvalues) <= 0.05)


@pytest.mark.slow
def test_size_is_too_large_with_few_rows_and_right_with_more():
    few = study.sizes("nearest mean", 40, ("random", 1 / 3, 50), REPLICATES)["AUC"]
    assert few > 0.05 + 3.0 * ERROR
    for split in (("folds", 0.1, 10), ("random", 0.1, 15)):
        more = study.sizes("nearest mean", 200, split, REPLICATES)
        assert max(more.values()) < 0.05 + 4.0 * ERROR
