"""Areas, concordance and rates under censoring against their definitions, and their laws."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from survival_oracles import (
    area,
    concordance,
    derivative,
    draw,
    each_uncensored,
    first_pairs,
    roles,
    sample_of,
    through_censoring,
    uncensored,
    wins,
)

import rocstats as rs
from rocstats.survival.concordant_pairs import TimeOrder, pair_sums

ROUNDING = 1e-12  # sums of some thousand doubles
NUMERICAL = 2e-7  # central differences of a smooth function, in units of the influence
# The influence of G is that of Nelson and Aalen's form, which is 1/n away from the derivative of
# Kaplan and Meier's product where few are left at risk.
NELSON_AALEN = 0.02
EARLY, LATE = 4.0, 9.0

kinds = pytest.mark.parametrize(
    ("seed", "ties", "competing"),
    [(1, False, False), (2, True, False), (3, False, True), (4, True, True), (5, True, True)],
)
controls_of = pytest.mark.parametrize("controls", ["event-free", "survivors"])


@kinds
@controls_of
@pytest.mark.parametrize("t", [EARLY, LATE])
def test_areas_and_influence_are_their_definitions(
    seed: int, ties: bool, competing: bool, controls: str, t: float
) -> None:
    data = draw(seed, ties=ties, competing=competing)
    time, code = data["time"], data["event"]
    found = rs.auc_at(sample_of(data), times=[t], controls=controls)
    case, control = roles(time, code, t, controls, np.ones(time.size))
    for marker in ("x", "z"):
        score, row = data[marker], found[marker]
        assert row.value == pytest.approx(area(time, code, score, t, controls), abs=ROUNDING)
        won = wins(score, score)
        p, q = won @ control / control.sum(), case @ won / case.sum()
        mass = case * (p - row.value) / case.sum() + control * (q - row.value) / control.sum()
        until = np.where(time <= t, time, np.nextafter(t, np.inf))
        phi = time.size * mass + through_censoring(time, code, mass, until)
        assert row.influence.values[0] == pytest.approx(phi, abs=ROUNDING * time.size)
        assert phi.sum() == pytest.approx(0.0, abs=1e-9)
        n = time.size
        assert row.std_error == pytest.approx(math.sqrt((phi**2).sum() / n / (n - 1)), rel=1e-12)
        assert (row.counts["n_pos"], row.counts["n_neg"]) == (
            int((case > 0).sum()),
            int((control > 0).sum()),
        )


@kinds
@controls_of
def test_influence_of_areas_is_the_derivative(
    seed: int, ties: bool, competing: bool, controls: str
) -> None:
    data = draw(seed, n=50, ties=ties, competing=competing)
    time, code, score = data["time"], data["event"], data["x"]
    row = rs.auc_at(sample_of(data), times=[EARLY], controls=controls)["x"]
    exact = derivative(lambda copies: area(time, code, score, EARLY, controls, copies), time.size)
    assert row.influence.values[0] == pytest.approx(exact, abs=NELSON_AALEN)
    assert (row.influence.values[0] ** 2).sum() == pytest.approx((exact**2).sum(), rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [True, False])
def test_pairs_are_counted_one_by_one(seed: int, ties: bool) -> None:
    data = draw(seed, n=1 + 13 * (seed + 1), ties=ties)
    time, code = data["time"], data["event"]
    weight = np.where(code == 1, np.random.default_rng(seed).uniform(0.5, 2.0, time.size), 0.0)
    pairs = first_pairs(time, code).astype(float)
    np.fill_diagonal(pairs, 0.0)
    for score in (data["x"], np.full(time.size, 3.0)):  # and a marker that is the same for all
        found = pair_sums(TimeOrder.of(time, code == 1), score, weight)
        won = pairs * wins(score, score)
        assert found.pairs == pytest.approx(pairs.sum(axis=1))
        assert found.won == pytest.approx(won.sum(axis=1))
        assert found.pairs_later == pytest.approx(weight @ pairs)
        assert found.won_later == pytest.approx(weight @ won)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", [11, 12])
def test_concordance_and_its_influence_are_the_definitions(seed: int, ties: bool) -> None:
    data = draw(seed, n=50, ties=ties)
    time, code, score = data["time"], data["event"], data["x"]
    n, jackknife = time.size, math.sqrt(1.0 - 1.0 / time.size)
    sample, ones = sample_of(data), np.ones(n)
    harrell = rs.concordance(sample)["x"]
    assert harrell.value == pytest.approx(concordance(time, code, score, "harrell"), abs=ROUNDING)
    exact = derivative(lambda c: concordance(time, code, score, "harrell", copies=c), n)
    assert harrell.influence.values[0] / jackknife == pytest.approx(exact, abs=NUMERICAL)
    assert harrell.std_error == pytest.approx(math.sqrt((exact**2).sum()) / n, rel=1e-6)
    for tau in (LATE, math.inf):
        fixed = rs.concordance(sample, method="uno", tau=tau, censoring="fixed")["x"]
        whole = rs.concordance(sample, method="uno", tau=tau)["x"]
        value = concordance(time, code, score, "uno", tau)
        assert fixed.value == whole.value == pytest.approx(value, abs=ROUNDING)
        part = derivative(
            lambda c, tau=tau: concordance(time, code, score, "uno", tau, c, fixed=ones), n
        )
        assert fixed.influence.values[0] / jackknife == pytest.approx(part, abs=NUMERICAL)
        left = part + 2.0 * through_censoring(time, code, _rows(data, value, tau), time)
        assert whole.influence.values[0] / jackknife == pytest.approx(left, abs=NUMERICAL)
    exact = derivative(lambda c: concordance(time, code, score, "uno", LATE, c), n)
    whole = rs.concordance(sample, method="uno", tau=LATE)["x"]
    assert whole.std_error == pytest.approx(math.sqrt((exact**2).sum()) / n, rel=5e-3)


def _rows(data: dict[str, Any], value: float, tau: float) -> Any:
    time, code = data["time"], data["event"]
    left = each_uncensored(time, code == 0, np.ones(time.size))
    pairs = first_pairs(time, code) * (np.where(time < tau, 1.0, 0.0) / left**2)[:, None]
    np.fill_diagonal(pairs, 0.0)
    return (pairs * (wins(data["x"], data["x"]) - value)).sum(axis=1) / pairs.sum()


# ----------------------------------------------------------------------------------------- laws


def test_without_censoring_it_is_the_auc_of_who_has_the_event_by_then() -> None:
    data = draw(21, n=150) | {"event": np.ones(150, dtype=int)}
    found = rs.auc_at(sample_of(data), times=[EARLY, LATE])
    for row in found:
        plain = rs.auc(data["time"] <= row.time, data[row.classifier], pos_label=True)
        assert row.value == pytest.approx(plain.value, abs=1e-14)
        m, k = plain.n_pos, plain.n_neg
        n = m + k
        assert (row.counts["n_pos"], row.counts["n_neg"]) == (m, k)
        # One stratum with random class sizes in place of two of fixed ones.
        s10, s01 = plain.spread_pos**2 / m, plain.spread_neg**2 / k
        square = n / (n - 1) * ((m - 1) / m * s10 + (k - 1) / k * s01)
        assert row.std_error**2 == pytest.approx(square, rel=1e-12)
        inner = plain.influence.values[0] * np.where(data["time"] <= row.time, n / m, n / k)
        assert row.influence.values[0] == pytest.approx(inner, abs=1e-10)
    both = rs.compare_at(sample_of(data), times=[LATE])
    plain = rs.compare(data["time"] <= LATE, {"x": data["x"], "z": data["z"]}, pos_label=True)
    small_classes = 0.05  # (m - 1) / m of either
    assert both.covariance == pytest.approx(plain.covariance, rel=small_classes)
    uno = rs.concordance(sample_of(data), method="uno", tau=math.inf)
    harrell = rs.concordance(sample_of(data))
    assert [row.value for row in uno] == [row.value for row in harrell]
    assert uno.covariance == pytest.approx(harrell.covariance, rel=1e-12)


def test_order_of_rows_unit_of_time_and_scale_of_scores_do_not_matter() -> None:
    data = draw(22, n=120, competing=True)
    mixed = np.random.default_rng(0).permutation(120)
    other = {name: values[mixed] for name, values in data.items()}
    other = other | {"time": 7.0 * other["time"], "x": np.exp(other["x"]), "z": -other["z"]}
    plain = rs.auc_at(sample_of(data), times=[EARLY])
    again = rs.auc_at(sample_of(other, higher_is_positive={"z": False}), times=[7.0 * EARLY])
    assert again.influence.estimate == pytest.approx(plain.influence.estimate, abs=1e-13)
    assert again.covariance == pytest.approx(plain.covariance, rel=1e-11)
    turned = rs.auc_at(sample_of(data, higher_is_positive=False), times=[EARLY])
    assert turned["x"].value == pytest.approx(1.0 - plain["x"].value, abs=1e-13)
    assert turned["x"].std_error == pytest.approx(plain["x"].std_error, rel=1e-11)


def test_every_subject_twice_gives_the_same_estimates_and_a_cluster_the_same_error() -> None:
    data = draw(23, n=90)
    twice = {name: np.tile(values, 2) for name, values in data.items()}
    twice["pair"] = np.tile(np.arange(90), 2)
    plain, sample = sample_of(data), sample_of(twice, cluster="pair")
    one, two = rs.auc_at(plain, times=[EARLY]), rs.auc_at(sample, times=[EARLY])
    assert two.influence.estimate == pytest.approx(one.influence.estimate, abs=1e-12)
    assert two.covariance == pytest.approx(one.covariance, rel=1e-9)
    alone = rs.auc_at(sample_of(data | {"id": np.arange(90)}, cluster="id"), times=[EARLY])
    assert alone.covariance == pytest.approx(one.covariance, rel=1e-12)


def test_censoring_within_strata() -> None:
    data = draw(24, n=70)
    rng = np.random.default_rng(3)
    data["centre"] = np.where(rng.uniform(size=70) < 0.5, "north", "south")
    same = sample_of(data | {"centre": np.zeros(70)}, censoring_strata="centre")
    plain, by = sample_of(data), sample_of(data, censoring_strata="centre")
    assert rs.auc_at(same, times=[LATE]).covariance == pytest.approx(
        rs.auc_at(plain, times=[LATE]).covariance, rel=1e-13
    )
    found = rs.auc_at(by, times=[LATE])["x"]

    def stratified(copies: Any) -> float:
        case, control = np.zeros(70), np.zeros(70)
        for name in ("north", "south"):
            here = data["centre"] == name
            part = roles(data["time"][here], data["event"][here], LATE, "event-free", copies[here])
            case[here], control[here] = part
        won = wins(data["x"], data["x"])
        return float(case @ won @ control / case.sum() / control.sum())

    assert found.value == pytest.approx(stratified(np.ones(70)), abs=ROUNDING)
    exact = derivative(stratified, 70)
    assert (found.influence.values[0] ** 2).sum() == pytest.approx((exact**2).sum(), rel=2e-3)
    assert rs.auc_at(plain, times=[LATE])["x"].value != found.value
    by_uno = rs.concordance(by, method="uno", tau=LATE)["x"]
    assert by_uno.value != rs.concordance(plain, method="uno", tau=LATE)["x"].value


@controls_of
def test_the_curve_has_the_area_and_passes_through_the_operating_points(controls: str) -> None:
    data = draw(25, n=140, competing=True)
    sample = sample_of(data, higher_is_positive={"z": False})
    areas = rs.auc_at(sample, times=[LATE], controls=controls)
    for marker, threshold in (("x", 0.3), ("z", -0.2)):
        curve = rs.roc_curve_at(sample, LATE, marker=marker, controls=controls)
        assert curve.area() == pytest.approx(areas[marker].value, abs=1e-13)
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= 0).all()
        points = rs.operating_points_at(sample, LATE, {marker: threshold}, controls=controls)
        rates = {row.measure.name.partition("(")[0]: row.value for row in points}
        sign = 1.0 if marker == "x" else -1.0
        last = np.flatnonzero(sign * curve.threshold >= sign * threshold)[-1]
        assert rates["sensitivity"] == pytest.approx(curve.tpr[last], abs=1e-13)
        assert rates["specificity"] == pytest.approx(1.0 - curve.fpr[last], abs=1e-13)


@controls_of
def test_rates_and_their_influence_are_the_definitions(controls: str) -> None:
    data = draw(26, n=50, competing=True)
    time, code = data["time"], data["event"]
    called = data["x"] >= 0.3
    found = rs.operating_points_at(sample_of(data), EARLY, {"x": 0.3}, controls=controls)

    def rate(name: str, copies: Any) -> float:
        case, control = roles(time, code, EARLY, controls, copies)
        part, whole = {
            "sensitivity": (case[called].sum(), case.sum()),
            "specificity": (control[~called].sum(), control.sum()),
            "ppv": (case[called].sum(), (case + control)[called].sum()),
            "npv": (control[~called].sum(), (case + control)[~called].sum()),
        }[name]
        return float(part / whole)

    assert len(found) == 4
    for row in found:
        name = row.measure.name.partition("(")[0]
        assert row.value == pytest.approx(rate(name, np.ones(50)), abs=ROUNDING)
        exact = derivative(lambda copies, name=name: rate(name, copies), 50)
        phi = row.influence.values[0]
        assert (phi**2).sum() == pytest.approx((exact**2).sum(), rel=5e-3)
        assert np.corrcoef(phi, exact)[0, 1] > 0.999
        assert phi.sum() == pytest.approx(0.0, abs=1e-9)


def test_rates_without_censoring_are_those_of_the_two_by_two_table() -> None:
    data = draw(27, n=100) | {"event": np.ones(100, dtype=int)}
    found = rs.operating_points_at(sample_of(data), EARLY, {"x": 0.5})
    table = rs.operating_points(data["time"] <= EARLY, data["x"], 0.5, pos_label=True).to_frame()
    for row in found:
        name = row.measure.name.partition("(")[0]
        assert row.value == pytest.approx(float(table[name].iloc[0]), abs=1e-14)


def test_the_default_horizon_has_a_tenth_uncensored_and_ten_at_risk() -> None:
    data = draw(28, n=200, ties=False)
    sample = sample_of(data)
    time, code = data["time"], data["event"]
    fine = [
        u
        for u in time
        if (time >= u).sum() >= 10
        and uncensored(time, code == 0, u, np.ones(200), before=False) >= 0.1
    ]
    found = rs.concordance(sample, method="uno")
    assert found.rows[0].counts["tau"] == max(fine)
    assert "chosen from the data" in repr(found)
    assert "chosen" not in repr(rs.concordance(sample, method="uno", tau=5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.SmallSampleWarning)
        few = sample_of({name: values[:6] for name, values in data.items()})
        assert math.isfinite(rs.concordance(few, method="uno").rows[0].counts["tau"])
