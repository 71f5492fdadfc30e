"""Tests at their thresholds in the report: against `compare_tests` and counts written out."""

import numpy as np
import pytest

import rocstats as rs
from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.paired_test_facts import net_benefit_facts
from rocstats.analysis.plan import StudyPlan

N = 120
RNG = np.random.default_rng(8)
ILL = np.arange(N) % 3 == 0
DATA = {
    "ill": ILL.astype(int),
    "old": np.round(RNG.normal(size=N) + ILL, 1),
    "new": np.round(RNG.normal(size=N) + 1.4 * ILL, 1),
    "other": np.round(RNG.normal(size=N) + 0.6 * ILL, 1),
    "risk": 1 / (1 + np.exp(-RNG.normal(size=N) - 1.5 * ILL + 1)),
    "sex": np.where(np.arange(N) % 2, "f", "m"),
}
SAME = 1e-13  # the same formula, through the facts


def facts_of(markers: tuple[str, ...], **plan: object) -> dict:
    cohort = Cohort.of_frame(DATA, outcome="ill", markers=markers, groups=["sex"])
    return gather_facts(cohort, StudyPlan(n_resamples=100, r="no", **plan))


def test_a_pair_has_its_tables_and_the_score_interval() -> None:
    facts = facts_of(("old", "new"), prespecified={"old": (0.5,), "new": (0.7, 9.0)})
    found = facts["paired_tests"]
    (pair,) = found["pairs"]
    assert (pair["new"], pair["standard"], found["asked"]) == ("new", "old", False)
    old, new = DATA["old"] >= 0.5, DATA["new"] >= 0.7
    for rate, who in (("sensitivity", ILL), ("specificity", ~ILL)):
        names = ("both", "standard_only", "new_only", "neither")
        cells = [np.sum(who & a & b) for a in (old, ~old) for b in (new, ~new)]
        assert [pair[rate][name] for name in names] == cells
        assert pair[rate]["discordant"] == cells[1] + cells[2]
        sign = 1 if rate == "sensitivity" else -1
        difference = sign * (cells[2] - cells[1]) / who.sum()
        assert pair[rate]["estimate"] == pytest.approx(difference, abs=SAME)
        chi2 = (cells[1] - cells[2]) ** 2 / (cells[1] + cells[2])
        assert pair[rate]["statistic"] == pytest.approx(chi2, rel=SAME)
    direct = rs.compare_tests(
        ILL.astype(int),
        {"old": DATA["old"], "new": DATA["new"]},
        thresholds={"old": 0.5, "new": 0.7},
    )
    for measure in ("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg"):
        row = getattr(direct, measure).statement(confidence_level=0.95).row
        assert pair[measure]["p_value"] == pytest.approx(row["p_value"], rel=1e-10)
        assert pair[measure]["ratio_low"] == pytest.approx(row["ratio_low"], rel=1e-10)


def test_a_margin_and_the_tests_have_the_same_standard() -> None:
    """One page had new - standard by AUC, and standard - new by the tests."""
    plan = {"prespecified": {"new": (0.7,), "old": (0.5,)}, "margin": 0.1}
    for asked in ({}, {"versus": "old"}):
        facts = facts_of(("new", "old"), **plan, **asked)
        (areas,) = facts["comparisons"]["pairwise"]
        (pair,) = facts["paired_tests"]["pairs"]
        assert (
            (areas["first"], areas["second"]) == (pair["new"], pair["standard"]) == ("new", "old")
        )
    page = rs.report(DATA, outcome="ill", markers=["new", "old"], n_resamples=100, r="no", **plan)
    assert "the last one given, as no standard was named" in page.html


def test_three_tests_are_compared_with_the_standard_and_adjusted_together() -> None:
    facts = facts_of(
        ("old", "new", "other"),
        prespecified={"old": (0.5,), "new": (0.7,), "other": (0.3,)},
        versus="new",
        adjust="bonferroni",
    )
    found = facts["paired_tests"]
    assert found["standard"] == "new"
    assert found["asked"]
    assert [pair["new"] for pair in found["pairs"]] == ["old", "other"]
    assert found["n_tests"] == 4
    for pair in found["pairs"]:
        for rate in ("sensitivity", "specificity"):
            p = pair[rate]["p_value"]
            assert pair[rate]["p_adjusted"] == pytest.approx(min(1.0, 4 * p), rel=1e-12)


@pytest.mark.parametrize(
    "plan",
    [{}, {"prespecified": {"old": (0.5,)}}, {"prespecified": {"old": (0.5, 1.0)}}],
    ids=["none", "one", "two of one marker"],
)
def test_fewer_than_two_tests_are_not_compared(plan: dict) -> None:
    assert facts_of(("old", "new"), **plan)["paired_tests"] is None


def test_agreement_has_no_predictive_values() -> None:
    fixed = {"old": (0.5,), "new": (0.7,)}
    (pair,) = facts_of(("old", "new"), prespecified=fixed, comparator=True)["paired_tests"]["pairs"]
    assert "ppv" not in pair
    assert "lr_pos" not in pair


def test_net_benefit_at_the_threshold_is_its_definition() -> None:
    facts = facts_of(("risk",), scores="model", prespecified={"risk": (0.2,)})
    found = facts["markers"][0]["cutpoints"][0]["net_benefit"]
    called = DATA["risk"] >= 0.2
    value = (np.sum(called & ILL) - np.sum(called & ~ILL) * 0.25) / N
    assert found["estimate"] == pytest.approx(value, abs=SAME)
    assert found["all"] == pytest.approx((ILL.sum() - (~ILL).sum() * 0.25) / N, abs=SAME)
    assert found["conf_low"] < value < found["conf_high"]
    sample = rs.ScoredSample.from_arrays(ILL.astype(int), {"risk": DATA["risk"]})
    assert net_benefit_facts(sample, 0, 1.0, StudyPlan()) is None


def test_subgroups_have_rates_and_calibration() -> None:
    facts = facts_of(
        ("risk", "old"), scores="model", prespecified={"risk": (0.3,)}, units={"old": "g"}
    )
    for level in facts["subgroups"][0]["levels"]:
        here = DATA["sex"] == level["label"]
        (rate,) = level["estimates"][0]["rates"]
        called = DATA["risk"] >= 0.3
        assert rate["tp"] == np.sum(here & ILL & called)
        assert rate["tn"] == np.sum(here & ~ILL & ~called)
        assert rate["ppv"]["estimate"] == pytest.approx(
            np.sum(here & ILL & called) / np.sum(here & called), abs=SAME
        )
        direct = rs.calibration(ILL[here].astype(int), DATA["risk"][here])
        found = level["estimates"][0]["calibration"]
        assert found["slope"]["estimate"] == pytest.approx(direct.slope.estimate, rel=1e-9)
        assert level["estimates"][1]["calibration"] is None
        assert level["estimates"][1]["rates"][0]["kind"] == "exploratory"


def test_gaps_between_levels_are_those_of_group_fairness() -> None:
    facts = facts_of(("risk", "old"), scores="model", prespecified={"risk": (0.3,)})
    (group,) = facts["subgroups"]
    for place, (name, cut) in enumerate((("risk", 0.3), ("old", None))):
        found = rs.group_fairness(ILL.astype(int), DATA[name], group=DATA["sex"], threshold=cut)
        wanted = {row["contrast"]: row for row in found.gaps().statement().tidy}
        shown = {row["contrast"]: row for row in group["gaps"][place]}
        assert list(shown) == list(wanted)
        assert len(shown) == (4 if cut else 2)
        for contrast, row in shown.items():
            for column in ("estimate", "std_error", "conf_low", "conf_high", "p_value"):
                assert row[column] == pytest.approx(wanted[contrast][column], rel=1e-12)
        for row in found.estimates.rows:
            levels = {level["label"]: level["estimates"][place] for level in group["levels"]}
            limits = row.confidence_interval()
            if row.measure.name == "auc":
                fact = levels[row.classifier]
            elif row.measure.name == "xauc":
                continue
            else:
                fact = levels[row.classifier]["rates"][0][row.measure.name]
            assert fact["estimate"] == pytest.approx(row.value, rel=1e-12)
            assert (fact["conf_low"], fact["conf_high"]) == pytest.approx(tuple(limits), rel=1e-9)


def in_sample(facts: dict) -> list:
    return [alert for alert in facts["alerts"] if alert["kind"] == "in_sample"]


def test_predictions_of_the_very_rows_are_noticed() -> None:
    import statsmodels.api as sm

    x = sm.add_constant(np.column_stack([DATA["old"], DATA["new"]]))
    fitted = sm.Logit(ILL, x).fit(disp=False)
    columns = DATA | {"model": fitted.predict(x)}
    half = np.arange(N) % 2 == 0
    apart = sm.Logit(ILL[half], x[half]).fit(disp=False).predict(x)

    def facts(probability: object, scores: str) -> dict:
        cohort = Cohort.of_frame(columns | {"model": probability}, outcome="ill", markers=["model"])
        return gather_facts(cohort, StudyPlan(n_resamples=100, r="no", scores=scores))

    assert len(in_sample(facts(columns["model"], "model"))) == 1
    assert in_sample(facts(columns["model"], "fitted")) == []  # said already
    assert in_sample(facts(apart, "model")) == []
    assert in_sample(facts(np.clip(columns["model"] * 1.001, 0, 1), "model")) == []
