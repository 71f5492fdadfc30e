"""Coverage of bootstrap intervals by simulation, judged in Monte-Carlo standard errors.

The study is `docs/evidence/bootstrap.py`, which also makes the table of the documentation.
"""

from __future__ import annotations

import math

import pytest
from conftest import load_study

study = load_study("bootstrap")

REPLICATES = 120
MC_ERRORS = 4.0
ALLOWED = MC_ERRORS * math.sqrt(0.95 * 0.05 / REPLICATES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "auc", "size"),
    [("normal", 0.8, (60, 60)), ("normal", 0.97, (25, 200)), ("5 grades", 0.97, (15, 15)),
     ("gamma", 0.97, (60, 60))],
)  # fmt: skip
def test_the_default_covers_near_one(family: str, auc: float, size: tuple) -> None:
    found = study.simulate(family, auc, size, REPLICATES, ("percentile", "auto"), 299)
    assert found.coverage["auto"] >= 0.95 - ALLOWED
    if auc > 0.9:  # what the default mends
        assert found.coverage["percentile"] < found.coverage["auto"]
