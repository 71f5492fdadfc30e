"""Verdicts of the protocol on numbers and cases made by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from rocstats.validation.protocol import Validation, _trace
from rocstats.validation.settings import RATES
from rocstats.validation.verdicts import Number


@pytest.mark.parametrize(
    ("expected", "observed", "allowed", "strain"),
    [
        (1.0, 1.5, 1.0, 0.5),
        (1.0, 1.0, 0.0, 0.0),
        (1.0, 1.5, 0.0, math.inf),
        (1.0, math.nan, 1.0, math.inf),
        (1.0, math.inf, 1.0, math.inf),
        (math.nan, math.nan, 1.0, 0.0),
        (math.inf, math.inf, 1.0, 0.0),
    ],
)
def test_the_strain_of_a_number(
    expected: float, observed: float, allowed: float, strain: float
) -> None:
    number = Number(name="auc", expected=expected, observed=observed, allowed=allowed)
    assert number.strain == strain
    assert number.passed == (strain <= 1.0)


@pytest.mark.parametrize(
    ("verdicts", "passed"),
    [
        ("pass pass", True),
        ("pass fail", False),
        ("fail fail", False),
        ("pass not-run", False),
        ("not-run not-run", False),
    ],
)
def test_a_requirement_passes_where_all_its_quantities_ran_and_passed(
    verdicts: str, passed: bool
) -> None:
    requirement: Any = SimpleNamespace(quantities=("a", "b"))
    results: Any = [
        SimpleNamespace(quantity=name, verdict=verdict.replace("-", " "), numbers=(1, 2))
        for name, verdict in zip("ab", verdicts.split(), strict=True)
    ]
    found = _trace(requirement, results)
    assert found.verdict == ("pass" if passed else "fail")
    assert found.cases == sum(verdict != "not-run" for verdict in verdicts.split())


def test_fixed_rates_are_rates_in_order() -> None:
    assert list(RATES) == sorted({*RATES})
    assert all(0.0 < rate < 1.0 for rate in RATES)


def test_a_validation_passed_or_did_not() -> None:
    parts: Any = {"installation": (), "operation": (), "performance": (), "requirements": ()}
    failed: Any = SimpleNamespace(fault="AUC: not as it should be.")
    for requirements, passed in (((), True), ((failed,), False)):
        told: Any = SimpleNamespace(**parts | {"requirements": requirements, "results": ()})
        told.failures = lambda told=told: Validation.failures(told)
        assert Validation.passed.fget(told) is passed  # type: ignore[attr-defined]
