"""Plans of two binary tests on the same patients: formulas written out, enumeration, simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri
from scipy.stats import multinomial

import rocstats as rs
from rocstats.inference.binary.paired_cells import PairedCells
from rocstats.inference.binary.rate_differences import TangoScore

EXACT = 1e-12
MONTE_CARLO = 4.0  # standard errors
NORMAL = 0.04  # what the normal formula is off by here; see docs/evidence/paired_tests.md


def test_mcnemars_power_is_connors_formula() -> None:
    plan = rs.power_tests(0.90, 0.80, n=150, discordant=0.20)
    z = -ndtri(0.025)
    s0, s1 = math.sqrt(0.20), math.sqrt(0.20 - 0.01)
    tails = [ndtr((side * 0.1 * math.sqrt(150) - z * s0) / s1) for side in (1, -1)]
    assert plan.power == pytest.approx(sum(tails), rel=EXACT)
    assert plan.std_error == pytest.approx(s1 / math.sqrt(150), rel=EXACT)
    assert plan.std_error_null == pytest.approx(s0 / math.sqrt(150), rel=EXACT)


def test_the_power_of_a_margin_has_the_deviation_of_the_restricted_maximum() -> None:
    """Nam (1997): expected cells, maximised where the difference is minus the margin."""
    b, c, margin, n = 0.08, 0.05, 0.1, 120

    def loss(q: float) -> float:
        return -(
            b * math.log(q - margin) + c * math.log(q) + (1 - b - c) * math.log(1 - 2 * q + margin)
        )

    q = minimize_scalar(
        loss, bounds=(margin + 1e-9, (1 + margin) / 2 - 1e-9), method="bounded",
        options={"xatol": 1e-13},
    ).x  # fmt: skip
    s0 = math.sqrt(2 * q - margin - margin**2)
    s1 = math.sqrt(b + c - (b - c) ** 2)
    expected = ndtr(((b - c + margin) * math.sqrt(n) - 1.959963984540054 * s0) / s1)
    plan = rs.power_tests(0.88, 0.85, n=n, discordant=0.13, margin=0.1, aim="non-inferiority")
    assert plan.significance == 0.025
    assert plan.power == pytest.approx(expected, rel=1e-6)


def enumerated(plan: rs.PairedRatePlan) -> float:
    """Return the exact power: the probability of all tables that show what is to be shown."""
    b = (plan.discordant + plan.effect) / 2
    law = multinomial(plan.n, [b, plan.discordant - b, 1 - plan.discordant])
    z = -ndtri(plan.hypothesis.tail(plan.significance))
    total = 0.0
    for i in range(plan.n + 1):
        for j in range(plan.n + 1 - i):
            chance = law.pmf([i, j, plan.n - i - j]) if abs(i - j) < plan.n else 0.0
            if chance < 1e-9:
                continue
            score = TangoScore(cells=PairedCells(a=plan.n - i - j, b=i, c=j, d=0))
            cleared = [s * score.judge(at)[0] > z for at, s in plan.hypothesis.bounds]
            shown = all(cleared) if plan.hypothesis.all_needed else any(cleared)
            total += chance * shown
    return total


PLANS: list[dict[str, Any]] = [
    {"new": 0.9, "standard": 0.8, "n": 60, "discordant": 0.2},
    {"new": 0.9, "standard": 0.8, "n": 60, "discordant": 0.2, "alternative": "greater"},
    {"new": 0.7, "standard": 0.85, "n": 50, "correlation": 0.2},
    {"new": 0.9, "standard": 0.9, "n": 80, "discordant": 0.1, "margin": 0.1,
     "aim": "non-inferiority"},
    {"new": 0.9, "standard": 0.9, "n": 90, "discordant": 0.1, "margin": 0.12,
     "aim": "equivalence"},
]  # fmt: skip


@pytest.mark.parametrize("given", PLANS, ids=range(len(PLANS)))
def test_simulation_and_formula_are_near_the_enumeration_of_all_tables(
    given: dict[str, Any],
) -> None:
    plan = rs.power_tests(**given)
    truth = enumerated(plan)
    simulated = plan.simulate(n_replicates=4000, rng=7)
    assert abs(simulated.power - truth) < MONTE_CARLO * math.sqrt(truth * (1 - truth) / 4000)
    assert plan.power == pytest.approx(truth, abs=NORMAL)
    assert simulated.planned_power == plan.power
    assert simulated.known_power == pytest.approx(plan.power, abs=0.08)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("aim", [None, "non-inferiority"])
def test_the_size_is_the_least_that_reaches_the_power(power: float, aim: Any) -> None:
    new = 0.9 if aim else 0.95
    given: dict[str, Any] = {"discordant": 0.12, "aim": aim, "margin": 0.06 if aim else None}
    plan = rs.sample_size_tests(new, 0.9, power=power, **given)
    assert plan.power >= power > rs.power_tests(new, 0.9, n=plan.n - 1, **given).power
    assert rs.power_tests(new, 0.9, n=plan.n, **given).power == plan.power


def test_correlation_and_discordance_say_the_same() -> None:
    new, standard, rho = 0.9, 0.8, 0.3
    both = new * standard + rho * math.sqrt(new * 0.1 * standard * 0.2)
    one = rs.power_tests(new, standard, n=100, correlation=rho)
    assert one.discordant == pytest.approx(new + standard - 2 * both, rel=EXACT)
    two = rs.power_tests(new, standard, n=100, discordant=one.discordant)
    assert one.power == pytest.approx(two.power, rel=EXACT)
    independent = rs.power_tests(new, standard, n=100, correlation=0.0)
    assert independent.discordant == pytest.approx(0.9 * 0.2 + 0.1 * 0.8, rel=EXACT)


def test_swapped_rates_have_the_same_power() -> None:
    one = rs.power_tests(0.9, 0.8, n=100, discordant=0.2)
    two = rs.power_tests(0.8, 0.9, n=100, discordant=0.2)
    assert one.power == pytest.approx(two.power, rel=EXACT)
    assert two.effect == pytest.approx(-0.1)


def test_patients_in_all_follow_from_the_prevalence() -> None:
    given: dict[str, Any] = {"n": 100, "discordant": 0.2, "prevalence": 0.2}
    assert rs.power_tests(0.9, 0.8, **given).n_total == 500
    assert rs.power_tests(0.9, 0.8, **given, measure="specificity").n_total == 125
    assert "about 500 in all" in rs.power_tests(0.9, 0.8, **given).sentence


def test_a_seed_gives_the_same_studies() -> None:
    plan = rs.power_tests(0.9, 0.8, n=100, discordant=0.2)
    assert plan.simulate(200, rng=3) == plan.simulate(200, rng=3)
    assert plan.simulate(200, rng=np.random.default_rng(3)) == plan.simulate(200, rng=3)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"n": 100}, "Give discordant"),
    ({"n": 100, "discordant": 0.2, "correlation": 0.1}, "Give discordant"),
    ({"n": 100, "discordant": 0.05}, "from 0.1 to 0.3"),
    ({"n": 100, "discordant": 0.9}, "from 0.1 to 0.3"),
    ({"n": 100, "discordant": math.nan}, "from 0.1 to 0.3"),
    ({"n": 100, "correlation": 0.99}, "correlation must lie from"),
    ({"n": 0, "discordant": 0.2}, "at least 1"),
    ({"n": 10.5, "discordant": 0.2}, "whole number"),
    ({"n": 100, "discordant": 0.2, "measure": "ppv"}, "must be one of"),
    ({"n": 100, "discordant": 0.2, "aim": "non-inferiority"}, "together"),
    ({"n": 100, "discordant": 0.2, "margin": -1, "aim": "non-inferiority"}, "positive number"),
    ({"n": 100, "discordant": 0.2, "prevalence": 0}, "strictly between 0 and 1"),
    ({"n": 100, "discordant": 0.2, "significance": 2}, "strictly between 0 and 1"),
    ({"n": 100, "discordant": 0.2, "alternative": "both"}, "must be one of"),
]


@pytest.mark.parametrize(("given", "words"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_in_one_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=words) as refused:
        rs.power_tests(0.9, 0.8, **given)
    assert "\n" not in str(refused.value)


def test_what_no_size_can_show_is_refused() -> None:
    with pytest.raises(rs.InvalidOptionError, match="No sample size can show this"):
        rs.sample_size_tests(0.8, 0.8, discordant=0.1)
    with pytest.raises(rs.InvalidOptionError, match="non-inferiority needs it above"):
        rs.sample_size_tests(0.7, 0.8, discordant=0.2, margin=0.05, aim="non-inferiority")
    with pytest.raises(rs.InvalidOptionError, match="strictly between 0 and 1"):
        rs.sample_size_tests(1.0, 0.8, discordant=0.2)
    with pytest.raises(rs.InvalidOptionError, match="agree on every patient"):
        rs.power_tests(0.8, 0.8, n=10, discordant=0.0, margin=0.1, aim="non-inferiority")
    with pytest.raises(rs.InvalidOptionError, match="whole number"):
        rs.power_tests(0.9, 0.8, n=10, discordant=0.2).simulate(0)
    with pytest.raises(rs.InvalidOptionError, match="seed or a generator"):
        rs.power_tests(0.9, 0.8, n=10, discordant=0.2).simulate(rng="x")
