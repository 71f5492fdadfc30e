"""The power in a plan's sentence: never 1, and never another number than the power."""

from __future__ import annotations

import re

import rocstats as rs


def test_a_power_is_said_to_three_places_and_never_as_certainty() -> None:
    said = set()
    for n in (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 200, 400):
        plan = rs.power_auc(0.7, n_pos=n, n_neg=n)
        found = re.search(r"power (above )?([\d.]+) to show", plan.sentence)
        assert found is not None
        assert (found[1] is not None) == (plan.power > 0.999)
        if found[1]:
            assert found[2] == "0.999"
        else:
            assert float(found[2]) == round(plan.power, 3)
        said.add(found[2])
    assert "1.000" not in said
    assert len(said) > 5  # from low to above 0.999
