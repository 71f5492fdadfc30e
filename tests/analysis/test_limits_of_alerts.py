"""Limits at which a report alerts, and ranges that an option takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rocstats.analysis.alert_facts import _cohort_alerts
from rocstats.analysis.options import _is_window


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "few"), [(30, 9, True), (9, 30, True), (10, 30, False), (30, 10, False)]
)
def test_a_class_of_fewer_than_ten_is_few_whichever_it_is(
    n_pos: int, n_neg: int, few: bool
) -> None:
    sample = SimpleNamespace(n_pos=n_pos, n_neg=n_neg)
    cohort: Any = SimpleNamespace(sample=sample, known=np.ones(40, dtype=bool))
    facts = {"data": {}, "flow": {"start": 99, "analysed": 40}, "sensitivity_analyses": []}
    plan: Any = SimpleNamespace()
    level, kind, numbers = next(_cohort_alerts(cohort, facts, plan))
    assert (level, kind) == ("warning", "few_subjects" if few else "missing")
    if few:
        assert numbers == {"n_pos": n_pos, "n_neg": n_neg}


@pytest.mark.parametrize(
    ("window", "taken"),
    [
        ((0.0, 1.0), True),
        ((0.2, 0.3), True),
        ((0.2, 0.2), False),
        ((0.3, 0.2), False),
        ((-0.1, 0.5), False),
        ((0.5, 1.1), False),
    ],
)
def test_a_window_has_a_width_within_0_and_1(window: tuple[float, float], taken: bool) -> None:
    assert _is_window(window) == taken
