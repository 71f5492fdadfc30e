"""How results under censoring answer: rows, frames, comparisons, margins, bands and drawings."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from survival_oracles import draw, sample_of

import rocstats as rs


@pytest.fixture(scope="module")
def sample() -> rs.SurvivalSample:
    return sample_of(draw(41, n=200, competing=True))


@pytest.fixture(scope="module")
def areas(sample: rs.SurvivalSample) -> rs.EstimatesAt:
    return rs.auc_at(sample, times=[3, 6])


def test_rows_are_classifiers_by_times(areas: rs.EstimatesAt) -> None:
    frame = areas.to_frame()
    assert frame["classifier"].tolist() == ["x", "x", "z", "z"]
    assert frame["time"].tolist() == [3, 6, 3, 6]
    assert areas.influence.rows == (
        ("x", "auc(3)"),
        ("x", "auc(6)"),
        ("z", "auc(3)"),
        ("z", "auc(6)"),
    )
    assert areas["x", 6].value == areas["x", "auc(6)"].value == areas[1].value
    assert len(areas["x"]) == 2
    assert areas["x"].influence.rows == (("x", "auc(3)"), ("x", "auc(6)"))
    assert frame["std_error"].to_numpy() == pytest.approx(np.sqrt(np.diag(areas.covariance)))
    content = areas.to_dict()
    assert json.loads(json.dumps(content))["subjects"]["competing"] == [2]
    assert "event 1, censored 0, competing 2" in repr(areas)
    assert "those with another event by then are controls too" in repr(areas)
    assert "take no part" in repr(rs.auc_at(areas.sample, times=3, controls="survivors"))
    assert "AUC at 3 of x" in repr(areas[0])
    assert f"{areas[0]:.3f}" == f"{areas[0].value:.3f}"


def test_times_that_agree_in_six_digits_are_two() -> None:
    data = draw(44, n=60, ties=False)
    later = data | {"time": 1e6 + np.round(1e3 * data["time"])}
    sample = sample_of(later)
    first, second = np.sort(sample.time)[[20, 21]]
    both = rs.compare_at(sample, times=[first, second])
    assert len({row.measure.name for row in both.rows}) == 2
    assert len(both.pairwise()) == 2


def test_intervals_are_logit_by_delta_and_wald_by_name(areas: rs.EstimatesAt) -> None:
    row = areas["x", 3]
    z, v, s = 1.959963984540054, row.value, row.std_error
    low, high = row.confidence_interval()
    reach = z * s / (v * (1 - v))
    assert math.log(low / (1 - low)) == pytest.approx(math.log(v / (1 - v)) - reach)
    assert math.log(high / (1 - high)) == pytest.approx(math.log(v / (1 - v)) + reach)
    assert tuple(row.confidence_interval(method="wald")) == pytest.approx((v - z * s, v + z * s))
    frame = areas.to_frame(method="wald", confidence_level=0.9)
    assert frame["conf_level"].tolist() == [0.9] * 4
    assert set(frame["conf_method"]) == {"wald"}


def test_comparisons_contrasts_and_margins_follow_from_the_influence(
    sample: rs.SurvivalSample,
) -> None:
    both = rs.compare_at(sample, times=[3, 6])
    assert isinstance(both, rs.Comparison)
    pairs = both.pairwise(reference="normal", adjust="none")
    assert [test.contrast for test in pairs] == ["x - z (auc(3))", "x - z (auc(6))"]
    cov = both.covariance
    assert pairs[0].std_error == pytest.approx(math.sqrt(cov[0, 0] + cov[2, 2] - 2 * cov[0, 2]))
    assert "influence values" in repr(pairs)
    later = both.contrast([1, -1, 0, 0])  # one marker at two times
    assert later.std_error == pytest.approx(math.sqrt(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]))
    assert both.omnibus().df == 2
    one = rs.compare_at(sample, times=3)
    margin = one.noninferiority(0.05, new="x", standard="z")
    assert margin.estimate == pytest.approx(one.rows[0].value - one.rows[1].value)
    assert one.pvalue == one.pairwise()["x - z"].pvalue
    assert "x - z" in repr(one)
    json.dumps(one.to_dict())
    alone = rs.SurvivalSample.from_frame(draw(41, n=50), "time", "event", "x")
    with pytest.raises(rs.InvalidOptionError, match="two markers or two times"):
        rs.compare_at(alone, times=3)
    assert len(rs.compare_at(alone, times=[3, 6]).rows) == 2


def test_concordances_compare_and_say_what_they_depend_on() -> None:
    sample = sample_of(draw(42, n=150))
    found = rs.concordance(sample)
    assert found.compare().pairwise()["x - z"].estimate == pytest.approx(
        found["x"].value - found["z"].value
    )
    assert "depends on how subjects were censored" in repr(found)
    assert found.to_frame()["tau"].tolist() == [math.inf] * 2
    uno = rs.concordance(sample, method="uno", tau=8)
    assert uno.influence.rows[0] == ("x", "c(8)")
    assert "Uno's C up to 8 of x" in repr(uno["x"])
    fixed = rs.concordance(sample, method="uno", tau=8, censoring="fixed")
    assert "leaves out" in repr(fixed)
    early = rs.concordance(sample, tau=5)
    assert early["x"].value != found["x"].value


def test_a_band_holds_all_times_and_is_reproducible(sample: rs.SurvivalSample) -> None:
    times = np.linspace(1, 9, 9)
    many = rs.auc_at(sample, times=times)
    band = many.band(n_resamples=4000)
    assert 2.3 < band.reach["x"] < 2.78  # between one time and nine independent ones
    assert (band.high > band.low).all()
    one = rs.auc_at(sample, times=3)
    alone = one.band(n_resamples=20_000)
    assert alone.reach["x"] == pytest.approx(1.96, abs=0.05)
    low, high = one["x"].confidence_interval()
    assert alone[0]["conf_low"] == pytest.approx(low, abs=0.005)
    assert alone[0]["conf_high"] == pytest.approx(high, abs=0.005)
    assert many.band(n_resamples=4000).low.tolist() == band.low.tolist()
    assert many.band(n_resamples=4000, rng=2).low.tolist() != band.low.tolist()
    assert band["x", 1.0]["estimate"] == many["x", 1].value
    assert "all times of a marker together" in repr(band)


def test_the_multiplier_bootstrap_of_the_influence_gives_the_same_reach(
    sample: rs.SurvivalSample,
) -> None:
    """The band draws from the correlation; multipliers of the influence say the same."""
    many = rs.auc_at(sample, times=[2, 4, 6, 8])["x"]
    rng = np.random.default_rng(7)
    values = many.influence.values
    drawn = rng.standard_normal((4000, values.shape[1])) @ values.T
    far = np.abs(drawn / np.sqrt((values**2).sum(axis=1))).max(axis=1)
    assert many.band(n_resamples=20_000).reach["x"] == pytest.approx(
        float(np.quantile(far, 0.95)), abs=0.06
    )


def test_facts_of_a_page_are_those_of_the_functions(sample: rs.SurvivalSample) -> None:
    from survival_oracles import uncensored

    from rocstats.survival.survival_facts import survival_facts

    facts = survival_facts(sample, [3.0, 6.0], thresholds={"x": 0.5}, controls="survivors")
    time, censored = sample.time, sample.censored
    median = min(
        u for u in time if uncensored(time, censored, u, np.ones(time.size), before=False) <= 0.5
    )
    assert facts["study"]["median_followup"] == median
    assert facts["concordance"] == []  # events compete
    known = facts["horizons"][1]
    over = time <= 6.0
    assert known["at_risk"] == int((~over).sum())
    assert known["events"] == int((over & sample.event).sum())
    assert known["other"] == int((over & ~sample.event & ~censored).sum())
    assert 0.0 < known["risk"] < 1.0
    areas = rs.auc_at(sample, [3.0, 6.0], controls="survivors")
    assert [row["estimate"] for row in facts["estimates"]] == [row.value for row in areas]
    assert len(facts["points"]) == 8
    assert "took no part" in " ".join(facts["methods"])
    json.dumps(facts)
    best = max(areas[1::2], key=lambda row: row.value)
    assert f"{best.classifier} told best" in facts["summary"]
    assert f"by 6 from who would not: area under the ROC curve {best.value:.3f}" in facts["summary"]
    plain = survival_facts(sample_of(draw(43, n=100)), [6.0])
    assert {row["method"] for row in plain["concordance"]} == {"Harrell's C", "Uno's C up to 6"}
    everyone = sample_of(draw(43, n=100) | {"event": np.ones(100, dtype=int)})
    risk = survival_facts(everyone, [6.0])["horizons"][0]["risk"]
    assert risk == pytest.approx(float((everyone.time <= 6.0).mean()))
    assert survival_facts(everyone, [6.0])["study"]["median_followup"] is None


def test_drawings(sample: rs.SurvivalSample, areas: rs.EstimatesAt) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    curve = rs.roc_curve_at(sample, 6, marker="x")
    assert "x at 6" in curve.plot().get_legend().get_texts()[0].get_text()
    assert len(areas.band(n_resamples=200).plot().lines) == 3  # two markers and chance
    assert areas.plot().get_xlabel() == "Estimate (95% CI)"
    assert curve.at(fpr=0.2).tpr == pytest.approx(float(np.interp(0.2, curve.fpr, curve.tpr)))
    assert "cases" in repr(curve)
    assert curve.to_frame().shape[1] == 3
    pyplot.close("all")


def test_a_marker_that_speaks_against_an_early_event_is_said() -> None:
    from rocstats.survival.survival_facts import survival_facts

    frame = draw(43, n=200)
    wrong = {**frame, "x": -np.asarray(frame["x"])}
    said = [a for a in survival_facts(sample_of(wrong), [6.0])["alerts"] if "below one half" in a]
    assert len(said) == 1
    assert said[0].startswith("The area of x is below one half at 6:")
    right = survival_facts(sample_of(frame), [6.0])["alerts"]
    assert not any("below one half" in alert for alert in right)
