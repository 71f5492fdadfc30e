"""The facts of a study: each is the number that rocstats gives when it is asked directly."""

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocstats as rs
from rocstats.analysis.area_facts import thin_path
from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort, Source
from rocstats.analysis.cutpoint_facts import cutpoint_facts, threshold_text
from rocstats.analysis.distribution_facts import histogram, outlying
from rocstats.analysis.grouping import LEVELS, resampled_in_levels, with_levels
from rocstats.analysis.plan import StudyPlan
from rocstats.inference.levels import judge_levels
from rocstats.thresholds.frequencies import frequencies

SAME = 1e-12  # one formula called in two ways
QUICK: dict[str, Any] = {"n_resamples": 100, "r": "no"}


def study(n: int = 90, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return pd.DataFrame(
        {
            "y": np.where(y, "ill", "well"),
            "a": np.round(rng.normal(size=n) + 1.2 * y, 2),
            "b": rng.normal(size=n) - 0.5 * y,
            "p": 1 / (1 + np.exp(-(rng.normal(size=n) + y))),
            "sex": np.where(rng.random(n) < 0.5, "F", "M"),
            "site": rng.integers(0, 3, n),
            "id": np.arange(n) // 2,
            "age": rng.integers(20, 90, n).astype(float),
        }
    )


def cohort(frame: pd.DataFrame | None = None, **options: Any) -> Cohort:
    given: dict[str, Any] = {"outcome": "y", "markers": ["a", "b", "p"], "pos_label": "ill"}
    given |= {"higher_is_positive": {"b": False}} | options
    return Cohort.of_frame(study() if frame is None else frame, **given)


def facts_of(frame: pd.DataFrame | None = None, plan: Any = None, **options: Any) -> dict[str, Any]:
    return gather_facts(cohort(frame, **options), StudyPlan(**(QUICK | (plan or {}))))


PLAN = {"prespecified": {"a": [0.7]}, "bounds": {"p": (0.0, 1.0)}}


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    plan = PLAN | {"prevalence": (0.1, 0.004), "margin": 0.1}
    return facts_of(plan=plan | {"versus": "b"}, groups=["sex", "site"], baseline=["age"])


def test_facts_are_json_and_the_same_every_time(facts: dict[str, Any]) -> None:
    plan = PLAN | {"prevalence": (0.1, 0.004), "margin": 0.1}
    again = facts_of(plan=plan | {"versus": "b"}, groups=["sex", "site"], baseline=["age"])
    assert json.dumps(facts, allow_nan=False) == json.dumps(again, allow_nan=False)


def test_another_seed_moves_only_what_is_resampled(facts: dict[str, Any]) -> None:
    plan = PLAN | {"prevalence": (0.1, 0.004), "margin": 0.1}
    other = facts_of(
        plan=plan | {"versus": "b", "seed": 2}, groups=["sex", "site"], baseline=["age"]
    )
    assert other["markers"][0]["estimates"] == facts["markers"][0]["estimates"]
    assert other["comparisons"] == facts["comparisons"]
    assert other["markers"][0]["band"] != facts["markers"][0]["band"]


def test_areas_are_those_of_estimate(facts: dict[str, Any]) -> None:
    sample = cohort().sample
    direct = rs.estimate(sample, measures=["auc", "sauc"])
    for marker in facts["markers"]:
        for name in ("auc", "sauc"):
            found, row = marker["estimates"][name], direct.row(marker["name"], name)
            limits = row.confidence_interval()
            assert found["estimate"] == row.value
            assert found["std_error"] == row.std_error
            assert (found["conf_low"], found["conf_high"]) == (limits.low, limits.high)
        part = rs.partial_auc(sample, marker=marker["name"], fpr=(0, 0.1), standardized=True)
        assert marker["estimates"]["pauc"]["standardized"]["estimate"] == part.value


def test_smooth_auc_is_there_for_probabilities(facts: dict[str, Any]) -> None:
    probability = facts["markers"][2]
    only = rs.ScoredSample.from_frame(study(), outcome="y", markers="p", pos_label="ill")
    assert probability["estimates"]["smauc"]["estimate"] == rs.smauc(only).value
    assert probability["probability"]
    assert not facts["markers"][0]["probability"]
    assert facts["markers"][0]["smauc_why"] == "the scores are not on [0, 1]"


def test_the_smauc_along_the_midpoint_is_there_for_probabilities(facts: dict[str, Any]) -> None:
    only = rs.ScoredSample.from_frame(study(), outcome="y", markers="p", pos_label="ill")
    direct, found = rs.midpoint_curve(only), facts["markers"][2]["smauc_along"]
    for name in ("midpoint", "smauc", "chance"):
        assert found[name] == getattr(direct, name).tolist()
    assert found["critical_value"] == pytest.approx(direct.critical_value, abs=0.2)
    assert found["low"] < found["smauc"] < found["high"]
    assert facts["markers"][0]["smauc_along"] is None


def test_comparisons_are_those_of_compare(facts: dict[str, Any]) -> None:
    direct = rs.compare(cohort().sample)
    contrasts = direct.pairwise(versus="b")
    found = facts["comparisons"]
    for row, test, adjusted in zip(
        found["pairwise"], contrasts.tests, contrasts.adjusted, strict=True
    ):
        assert f"{row['first']} - {row['second']}" == test.contrast
        assert row["estimate"] == test.estimate
        assert row["p_value"] == test.pvalue
        assert row["p_adjusted"] == adjusted
    assert found["omnibus"]["p_value"] == direct.omnibus().pvalue
    assert (
        found["margins"][0]["p_value"] == direct.noninferiority(0.1, new="a", standard="b").pvalue
    )


def test_scores_on_one_scale_are_compared_by_the_other_measures_too() -> None:
    frame = study()
    frame["q"] = frame["p"] ** 2
    plan = {"scores": "probability"}
    found = facts_of(frame, plan, markers=["p", "q"], higher_is_positive=True)["comparisons"]
    assert [other["measure"] for other in found["others"]] == ["sauc", "smauc"]
    assert found["pairwise"][0]["p_value"] == 1.0  # the same order


def test_cutpoints_are_prespecified_first_and_equal_operating_points(facts: dict[str, Any]) -> None:
    given, chosen = facts["markers"][0]["cutpoints"]
    assert (given["kind"], chosen["kind"]) == ("prespecified", "exploratory")
    points = rs.operating_points(
        cohort().sample, marker="a", thresholds=[0.7], prevalence=[0.1, 0.004]
    )
    assert [given[name] for name in ("tp", "fp", "fn", "tn")] == [
        int(getattr(points, name)[0]) for name in ("tp", "fp", "fn", "tn")
    ]
    assert given["corrected"] is None
    for row in points.table():
        if "_at_" not in row["measure"]:
            assert given["measures"][row["measure"]]["estimate"] == row["estimate"]
            assert given["measures"][row["measure"]]["conf_low"] == row["conf_low"]
    own, stated, rare = given["at_prevalence"]
    assert own["own"]
    assert own["ppv"]["estimate"] == points.ppv[0]
    assert stated["ppv"]["estimate"] == points.values("ppv_at_0.1")[0]
    assert (stated["of"], rare["of"]) == (1000, 100_000)
    assert chosen["corrected"]["sensitivity"]["estimate"] <= 1.0
    assert chosen["corrected"]["n_resamples"] == 100


@pytest.mark.parametrize("prevalence", [0.5, 0.1, 0.004, 0.3333, 0.9996, 2e-5])
@pytest.mark.parametrize(("se", "sp"), [(0.8, 0.9), (1.0, 0.0), (1 / 3, 2 / 3)])
def test_natural_frequencies_are_whole_and_add_up(prevalence: float, se: float, sp: float) -> None:
    found = frequencies(prevalence, se, sp)
    assert found["tp"] + found["fn"] == found["ill"]
    assert found["fp"] + found["tn"] == found["well"]
    assert found["ill"] + found["well"] == found["of"]
    assert min(found["ill"], found["well"]) >= 10
    assert abs(found["tp"] - se * prevalence * found["of"]) <= 1
    assert abs(found["fp"] - (1 - sp) * (1 - prevalence) * found["of"]) <= 1


def test_a_printed_threshold_calls_the_same_subjects() -> None:
    scores = [0.1, 0.12345678, 0.12345679, 0.2, 1 / 3, 1e-9, 12345678.9, 12345678.8]
    for up in (True, False):
        curve = rs.roc_curve([0, 1] * 4, scores, higher_is_positive=up)
        for threshold in curve.threshold[1:].tolist():
            printed = float(threshold_text(curve, threshold))
            assert curve.at(threshold=printed) == curve.at(threshold=threshold)
    assert threshold_text(rs.roc_curve([0, 1], [0.1, 0.2]), 0.2) == "0.2"


def test_explorer_shows_operating_points_in_whole_tenths_of_a_percent(
    facts: dict[str, Any],
) -> None:
    sample, prevalences = cohort().sample, facts["explorer"]["prevalences"]
    assert prevalences[facts["explorer"]["own"]] == sample.n_pos / 90
    for marker in facts["markers"]:
        shown = marker["explorer"]
        stated = [p for i, p in enumerate(prevalences) if i != facts["explorer"]["own"]]
        points = rs.operating_points(
            sample, marker=marker["name"], thresholds=shown["value"], prevalence=stated
        )
        assert shown["tp"] == points.tp.tolist()
        assert shown["fp"] == points.fp.tolist()
        low, high = points.limits("specificity")
        assert shown["shown"]["specificity"] == [
            [round(1000 * v), round(1000 * lo), round(1000 * hi)]
            for v, lo, hi in zip(points.specificity, low, high, strict=True)
        ]
        for place, share in enumerate(prevalences):
            suffix = "" if place == facts["explorer"]["own"] else f"_at_{share!r}"
            ppv = points.values(f"ppv{suffix}")
            found = [row[0] for row in shown["predictive"][place]]
            assert found == [None if math.isnan(v) else round(1000 * v) for v in ppv]
        first = marker["cutpoints"][0]["threshold"]
        assert shown["value"][shown["start"]] == first


def test_flow_counts_every_row_once() -> None:
    frame = study()
    frame.loc[[1, 2], "y"] = None
    frame.loc[[2, 3, 4], "a"] = np.nan
    frame["b"] = frame["b"].astype(object)
    frame.loc[[1, 4, 5], "b"] = "unclear"
    flow = facts_of(frame, indeterminate=["unclear"], plan={"labels": {"a": "Alpha"}})["flow"]
    assert flow["steps"] == [
        {"why": "y missing", "n": 2},
        {"why": "Alpha missing", "n": 2},
        {"why": "b indeterminate", "n": 1},
    ]
    assert flow["start"] == 90 == flow["analysed"] + 5
    assert flow["n_pos"] + flow["n_neg"] == flow["analysed"] == 85
    assert flow["markers"][0]["missing_unknown"] == 1
    b = flow["markers"][1]
    assert b["n_pos"] + b["n_neg"] + b["indeterminate_pos"] + b["indeterminate_neg"] == 88
    assert (b["n_unknown"], b["missing_unknown"], b["indeterminate_unknown"]) == (1, 0, 1)
    for marker in flow["markers"]:
        assert sum(count for name, count in marker.items() if name != "name") == flow["start"]


def test_missing_values_are_bounded_by_the_worst_and_the_best() -> None:
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0])
    score = np.array([5.0, 3.0, np.nan, 4.0, 1.0, 2.0, np.nan, 3.0, 0.5])
    frame = pd.DataFrame({"y": y, "s": score})
    rows = {
        row["analysis"]: row
        for row in facts_of(frame, markers=["s"], pos_label=1, higher_is_positive=True)[
            "sensitivity_analyses"
        ]
    }

    def brute(pos_value: float, neg_value: float) -> Fraction:
        pos = np.where(np.isnan(score), pos_value, score)[y == 1]
        neg = np.where(np.isnan(score), neg_value, score)[y == 0]
        wins = sum(Fraction(2 * (a > b) + (a == b), 2) for a in pos for b in neg)
        return wins / (pos.size * neg.size)

    assert rows["missing_worst"]["estimate"] == pytest.approx(float(brute(-9, 9)), abs=SAME)
    assert rows["missing_best"]["estimate"] == pytest.approx(float(brute(9, -9)), abs=SAME)
    assert rows["missing_worst"]["n_pos"] == 4
    main = rows["wald"]["estimate"]
    for row in rows.values():
        assert row["difference"] == pytest.approx(row["estimate"] - main, abs=SAME)


def test_indeterminate_results_are_counted_both_ways() -> None:
    frame = study().astype(object)
    frame.loc[[0, 1], "a"] = "unclear"
    rows = {
        row["analysis"]: row
        for row in facts_of(frame, markers=["a"], indeterminate=["unclear"],
                            higher_is_positive=True)["sensitivity_analyses"]
    }  # fmt: skip
    for called, value in (("positive", np.inf), ("negative", -np.inf)):
        scores = [value if v == "unclear" else float(v) for v in frame["a"]]
        direct = rs.auc(frame["y"], scores, pos_label="ill")
        assert rows[f"indeterminate_{called}"]["estimate"] == direct.value


def test_available_cases_use_every_row_with_the_marker() -> None:
    frame = study()
    frame.loc[:9, "b"] = np.nan
    rows = facts_of(frame)["sensitivity_analyses"]
    found = next(r for r in rows if (r["marker"], r["analysis"]) == ("a", "available"))
    assert found["estimate"] == rs.auc(frame["y"], frame["a"], pos_label="ill").value
    assert found["n_pos"] + found["n_neg"] == 90


def test_outliers_lie_beyond_three_interquartile_ranges() -> None:
    assert outlying(np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 100])).tolist() == [False] * 8 + [True]
    assert not outlying(np.array([1.0, 1, 1, 1, 50])).any()


def test_subgroups_are_the_areas_of_their_subjects(facts: dict[str, Any]) -> None:
    frame = study()
    for group in facts["subgroups"]:
        assert sum(level["n_pos"] + level["n_neg"] for level in group["levels"]) == 90
        for level in group["levels"]:
            part = frame[frame[group["name"]].astype(str) == level["label"]]
            direct = rs.auc(part["y"], part["a"], pos_label="ill")
            assert level["estimates"][0]["estimate"] == direct.value
            assert level["estimates"][0]["std_error"] == direct.std_error


def test_two_levels_are_tested_as_levels(facts: dict[str, Any]) -> None:
    frame = study()
    found = judge_levels(
        [
            rs.auc(part["y"], part["a"], pos_label="ill")
            for part in (frame[frame.sex == "F"], frame[frame.sex == "M"])
        ]
    )
    shown = facts["subgroups"][0]["interaction"][0]
    assert (shown["statistic"], shown["p_value"]) == (found.statistic, found.pvalue)
    assert (shown["df"], shown["df_denominator"]) == (1.0, found.df_denominator)


def levels(
    sizes: list[tuple[int, int]], shift: float, rng: np.random.Generator, digits: int = 9
) -> list[rs.Estimate]:
    """Return AUCs of normal scores that are equally far apart in groups of these sizes."""
    found = []
    for m, n in sizes:
        y = np.repeat([1, 0], [m, n])
        found.append(rs.auc(y, np.round(rng.normal(size=m + n) + shift * y, digits)))
    return found


def test_levels_are_tested_by_their_distances_from_the_weighted_mean() -> None:
    for sizes in (
        [(100, 110), (105, 100), (100, 150)],
        [(110, 120), (150, 130), (100, 100), (101, 140)],
    ):
        found = levels(sizes, 0.7, np.random.default_rng(8), digits=1)
        value = np.array([f.value for f in found])
        weight = np.array([f.std_error**-2 for f in found])
        assert min((1 - f.value) * f.n_pos for f in found) > 20  # DeLong's variances alone
        statistic = float((weight * (value - (weight @ value) / weight.sum()) ** 2).sum())
        rank = len(sizes) - 1
        answer = judge_levels(found)
        assert answer.statistic == pytest.approx(statistic / rank, rel=1e-9)
        law = stats.f(rank, answer.df_denominator)
        assert answer.pvalue == pytest.approx(law.sf(statistic / rank), rel=1e-9)
        assert 200 < answer.df_denominator < sum(map(sum, sizes))


def test_a_perfect_level_does_not_differ_for_want_of_variance() -> None:
    """Ten patients without an error are no news where one in twenty pairs is lost."""
    rng = np.random.default_rng(2)
    perfect = rs.auc([1] * 5 + [0] * 5, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    large = levels([(50, 50), (50, 50)], 2.3, rng)
    assert judge_levels([perfect, *large]).pvalue > 0.3
    assert judge_levels([perfect, large[0]]).pvalue > 0.3
    assert judge_levels([perfect, perfect, perfect]).pvalue == 1.0
    rejected = sum(
        judge_levels(levels([(10, 10), (50, 50), (50, 50)], 2.66, rng)).pvalue < 0.05
        for _ in range(200)
    )
    assert rejected <= 20  # DeLong's variance alone rejects in about 40


def test_levels_that_share_clusters_are_not_tested() -> None:
    found = facts_of(cluster="id", groups=["sex"])["subgroups"][0]["interaction"][0]
    assert found["p_value"] is None
    assert found["method"] == "levels share clusters"


def test_those_of_unknown_level_are_shown_and_not_tested() -> None:
    frame = study(300).assign(sex=lambda f: f["sex"].where(f.index > 60))
    (known,) = facts_of(frame[frame["sex"].notna()], groups=["sex"])["subgroups"]
    (found,) = facts_of(frame, groups=["sex"])["subgroups"]
    assert [level["label"] for level in found["levels"]][-1] == "missing"
    assert len(found["levels"][-1]["estimates"]) > 0
    assert found["compared"] == known["compared"] == 2
    assert found["interaction"] == known["interaction"]


def test_clusters_reach_the_areas_and_the_witnesses() -> None:
    facts = facts_of(cluster="id")
    sample = cohort(cluster="id").sample
    assert (
        facts["markers"][0]["estimates"]["auc"]["std_error"] == rs.auc(sample, marker="a").std_error
    )
    cut = facts["markers"][0]["cutpoints"][0]
    points = rs.operating_points(sample, marker="a", thresholds=cut["threshold"])
    assert cut["measures"]["sensitivity"]["conf_low"] == points.limits("sensitivity")[0][0]
    rows = facts["sensitivity_analyses"]
    apart = next(r for r in rows if (r["marker"], r["analysis"]) == ("a", "independent"))
    assert apart["estimate"] == facts["markers"][0]["estimates"]["auc"]["estimate"]
    assert facts["markers"][0]["band"]["method"] == "fixed-width"


def test_baseline_shares_add_up(facts: dict[str, Any]) -> None:
    sex = next(row for row in facts["baseline"] if row["name"] == "sex")
    assert sum(row["all"]["n"] for row in sex["rows"]) == 90
    assert sum(row["pos"]["share"] for row in sex["rows"]) == pytest.approx(1.0)
    age = next(row for row in facts["baseline"] if row["name"] == "age")
    assert age["kind"] == "numeric"
    assert age["rows"][0]["all"]["median"] == float(study()["age"].median())


def test_histograms_count_everyone(facts: dict[str, Any]) -> None:
    for marker in facts["markers"]:
        counts = marker["distribution"]["histogram"]
        assert sum(counts["pos"]) == 30
        assert sum(counts["neg"]) == 60
    few = histogram(np.array([1.0, 2, 5]), np.array([1.0, 5]), np.array([2.0]))
    assert few["edges"] == [0.5, 1.5, 3.5, 6.5]


@pytest.mark.parametrize(("n", "bins"), [(21, 10), (100, 20), (10_000, 40)])
def test_small_groups_have_few_bars(n: int, bins: int) -> None:
    scores = np.arange(n, dtype=float)
    assert len(histogram(scores, scores[::2], scores[1::2])["pos"]) == bins


def test_calibration_and_decision_are_for_probabilities_only(facts: dict[str, Any]) -> None:
    assert facts["markers"][0]["calibration"] is None
    only = rs.ScoredSample.from_frame(study(), outcome="y", markers="p", pos_label="ill")
    found = facts["markers"][2]
    direct = rs.calibration(only)
    assert found["calibration"]["slope"]["estimate"] == direct.slope.estimate
    assert found["calibration"]["brier"]["estimate"] == rs.brier_score(only).value
    curve = rs.decision_curve(only)
    assert found["decision"]["model"] == curve.net_benefit[0].tolist()


def test_precision_is_half_the_interval_and_never_the_observed_power(facts: dict[str, Any]) -> None:
    area = facts["markers"][0]["estimates"]["auc"]
    assert facts["precision"][0]["half_width"] == (area["conf_high"] - area["conf_low"]) / 2
    pair = facts["comparisons"]["pairwise"][0]
    row = next(r for r in facts["precision"] if r["kind"] == "difference")
    far, df = row["detectable"] / pair["std_error"], pair["df"]
    power = stats.nct.sf(stats.t.ppf(0.975, df), df, far)
    assert power == pytest.approx(0.8, abs=0.002)  # of the t test that was run


def test_power_for_the_margin_is_that_of_its_test_at_equal_areas() -> None:
    for aim, sides in (("non-inferiority", 1), ("equivalence", 2)):
        facts = facts_of(plan={"margin": 0.15, "aim": aim})
        for test in facts["comparisons"]["margins"]:
            (row,) = (
                r
                for r in facts["precision"]
                if (r["marker"], r["versus"]) == (test["first"], test["second"])
            )
            far, df = 0.15 / test["std_error"], test["df"]
            rng = np.random.default_rng(4)
            spread = np.sqrt(rng.chisquare(df, 200_000) / df)
            limit = stats.t.ppf(1.0 - test["significance"], df) * spread
            drawn = rng.normal(size=200_000)
            shown = drawn - limit > -far
            shown &= (drawn + limit < far) | (sides == 1)
            assert row["margin_power"] == pytest.approx(shown.mean(), abs=0.01)
    kinds = [facts_of(plan=plan) for plan in ({"margin": 0.1, "aim": "superiority"}, {})]
    assert all(row["margin_power"] is None for facts in kinds for row in facts["precision"])


def test_outliers_are_beyond_the_fences_of_the_quartiles_shown() -> None:
    scores = np.array([0.0, 1.0, 2.0, 3.0, 10.0, 12.4])
    q1, q3 = np.quantile(scores, [0.25, 0.75])  # type 7: 1.25 and 8.25
    for far in (q3 + 3.0 * (q3 - q1), -math.inf, math.inf):
        with_it = np.append(scores, far)
        low, high = np.quantile(with_it, [0.25, 0.75])
        assert outlying(with_it).tolist() == [
            not low - 3.0 * (high - low) <= x <= high + 3.0 * (high - low) for x in with_it
        ]
    assert not outlying(np.array([0.0, math.inf, math.inf, -math.inf, -math.inf])).any()


def test_fitted_scores_are_not_compared() -> None:
    facts = facts_of(plan={"scores": "fitted"})
    assert facts["comparisons"] == {"refused": "fitted"}
    assert "fitted_scores" in {alert["kind"] for alert in facts["alerts"]}


def test_words_are_of_agreement_where_the_outcome_is_no_standard() -> None:
    words = facts_of(plan={"comparator": True})["words"]
    assert words["sensitivity"] == "Positive percent agreement"
    assert "reference standard" not in words.values()


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"a": lambda f: -f["a"]}, "below_chance"),
        ({"a": lambda f: (f["y"] == "ill") * 1.0 + f["p"] / 2}, "perfect"),
        ({"a": lambda f: 1.0}, "constant"),
        ({"a": lambda f: (f["a"] > 0) * 1.0}, "ties"),
        ({"a": lambda f: f["a"].where(f.index > 20)}, "missing"),
        ({"a": lambda f: f["a"].where(f.index > 0, 1e6)}, "outliers"),
    ],
)
def test_alerts(facts: dict[str, Any], change: dict[str, Any], kind: str) -> None:
    plain = {alert["kind"] for alert in facts["alerts"]}
    changed = facts_of(study().assign(**change), markers=["a"], higher_is_positive=True)
    assert kind in {alert["kind"] for alert in changed["alerts"]} - plain


def test_degenerate_studies_have_facts_and_no_false_limits() -> None:
    two = pd.DataFrame({"y": [1, 0], "a": [2.0, 1.0]})
    facts = facts_of(two, markers=["a"], pos_label=1, higher_is_positive=True)
    area = facts["markers"][0]["estimates"]["auc"]
    assert area["std_error"] is None
    assert (area["conf_low"], area["conf_high"]) != (1.0, 1.0)
    infinite = study().assign(a=lambda f: f["a"].where(f.index > 2, math.inf))
    facts = facts_of(infinite)
    assert facts["markers"][0]["estimates"]["sauc"] is None
    assert facts["markers"][0]["sroc"] is None


def test_no_row_left_is_refused() -> None:
    with pytest.raises(rs.InvalidSampleError, match="No subject is left"):
        facts_of(study().assign(a=np.nan))


@pytest.mark.parametrize(
    "plan",
    [
        {"versus": "z"},
        {"prespecified": {"z": [1.0]}},
        {"prespecified": {"a": [math.nan]}},
        {"prevalence": (1.0,)},
        {"margin": 0.0},
        {"aim": "better"},
        {"scores": "guessed"},
        {"n_resamples": 5},
        {"seed": -1},
        {"study": {"titel": "x"}},
        {"planned": (0, 5)},
    ],
)
def test_plans_that_cannot_be_meant_are_refused(plan: dict[str, Any]) -> None:
    with pytest.raises(rs.InvalidOptionError):
        facts_of(plan=plan)


def test_thinning_moves_no_point_of_a_curve_visibly() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(40_000) < 0.4
    curve = rs.roc_curve(y, rng.normal(size=y.size) + y, pos_label=True)
    x, z = thin_path(curve.fpr, curve.tpr)
    assert x.size <= 1000
    assert (x[0], z[0], x[-1], z[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert np.abs(np.interp(curve.fpr, x, z) - curve.tpr).max() < 2.5e-3  # below a pixel of 400
    few = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    assert thin_path(few.fpr, few.tpr)[0].size == few.fpr.size


def test_levels_of_a_large_study_keep_its_area() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(60_000) < 0.3
    scores = rng.normal(size=y.size) + y
    for up in (True, False):
        sample = rs.ScoredSample.from_arrays(
            y, {"s": scores if up else -scores}, pos_label=True, higher_is_positive=up
        )
        assert resampled_in_levels(sample)
        grouped = with_levels(sample, 0)
        assert np.unique(grouped.scores).size <= LEVELS
        assert rs.auc(grouped).value == pytest.approx(rs.auc(sample).value, abs=2e-5)
        assert rs.auc(grouped).std_error == pytest.approx(rs.auc(sample).std_error, rel=1e-4)
    small = cohort().sample
    assert (with_levels(small, 0).scores[0] == small.scores[0]).all()


def test_a_sample_brings_its_own_subgroups_and_what_it_dropped() -> None:
    frame = study()
    frame.loc[0, "a"] = np.nan
    sample = rs.ScoredSample.from_frame(
        frame, outcome="y", markers="a", pos_label="ill", nan_policy="omit"
    )
    found = gather_facts(
        Cohort.of_sample(sample, groups={"sex": frame["sex"][1:]}), StudyPlan(**QUICK)
    )
    assert found["flow"]["start"] == 90
    assert found["flow"]["steps"][0]["n"] == 1
    assert found["subgroups"][0]["name"] == "sex"
    with pytest.raises(rs.InvalidSampleError, match="as many"):
        Cohort.of_sample(sample, groups={"sex": frame["sex"]})


def test_the_digest_tells_the_analysed_rows_apart() -> None:
    frame = study()
    one = cohort(frame).analysed_sha256()
    assert one == cohort(frame.assign(site=0)).analysed_sha256()
    frame.loc[5, "a"] += 0.01
    assert one != cohort(frame).analysed_sha256()


def test_r_is_asked_only_where_it_can_answer() -> None:
    facts = facts_of(plan={"r": "auto"}, cluster="id")
    assert facts["r"]["status"] == "unavailable"
    assert "clustered" in facts["r"]["why"]
    assert facts_of()["r"]["why"] == "R was not asked for."
    assert Source().file is None


def test_a_prespecified_threshold_is_shown_as_it_was_given() -> None:
    facts = facts_of(plan={"prespecified": {"a": [0.70049], "b": [-1.0]}})
    texts = [[cut["threshold_text"] for cut in m["cutpoints"]] for m in facts["markers"]]
    assert (texts[0][0], texts[1][0]) == ("0.70049", "-1")
    assert "0.70049" in facts["markers"][0]["explorer"]["threshold"]


def test_no_threshold_is_chosen_where_none_is_better_than_calling_all_or_none() -> None:
    apart = pd.DataFrame({"y": [1, 1, 0, 0], "a": [1.0, 2.0, 3.0, 4.0], "b": [4.0, 1.0, 2.0, 3.0]})
    facts = facts_of(apart, markers=["a", "b"], pos_label=1, higher_is_positive=True)
    assert [len(m["cutpoints"]) for m in facts["markers"]] == [0, 1]
    assert facts["markers"][1]["cutpoints"][0]["threshold"] == 4.0


def test_indeterminate_results_are_counted_both_ways_at_a_threshold() -> None:
    frame = study().assign(b=lambda f: f["b"].astype(object))
    frame.loc[[0, 1, 3], "b"] = "unclear"  # two ill, one well
    facts = facts_of(frame, plan={"prespecified": {"b": [0.0]}}, indeterminate=["unclear"])
    assert facts["markers"][0]["cutpoints"][0]["indeterminate"] == []
    cut = facts["markers"][1]["cutpoints"][0]
    as_positive, as_negative = cut["indeterminate"]
    cells = ("tp", "fp", "fn", "tn")
    assert [as_positive[c] - cut[c] for c in cells] == [2, 1, 0, 0]
    assert [as_negative[c] - cut[c] for c in cells] == [0, 0, 2, 1]
    assert as_negative["sensitivity"]["estimate"] == cut["tp"] / (cut["tp"] + cut["fn"] + 2)


def test_a_margin_says_the_level_of_the_interval_it_was_judged_by() -> None:
    for aim, level in (("non-inferiority", 0.95), ("equivalence", 0.9)):
        plan = {"margin": 0.1, "aim": aim, "confidence_level": 0.99}
        found = facts_of(plan=plan)["comparisons"]
        test, pair = found["margins"][0], found["pairwise"][0]
        assert test["conf_level"] == pytest.approx(level)
        assert test["conf_high"] - test["conf_low"] < pair["conf_high"] - pair["conf_low"]


def test_rows_of_clusters_are_not_called_participants() -> None:
    words = facts_of(cluster="id")["words"]
    assert {words[name] for name in ("participants", "patients")} == {"observations"}


def test_levels_of_a_subgroup_are_called_as_in_the_baseline_table() -> None:
    frame = study().assign(site=lambda f: (f["site"] + 1234567.0).where(f.index > 5))
    facts = facts_of(frame, groups=["site"])
    levels = [level["label"] for level in facts["subgroups"][0]["levels"]]
    assert levels == ["1234567", "1234568", "1234569", "missing"]
    assert levels == [row["label"] for row in facts["baseline"][0]["rows"]]


@pytest.mark.parametrize(("share", "shown"), [(0.0004, "0.04%"), (0.25, "25%")])
def test_the_explorer_shows_a_prevalence_as_it_was_stated(share: float, shown: str) -> None:
    assert shown in facts_of(plan={"prevalence": (share,)})["explorer"]["shown"]


def test_rows_with_few_values_may_repeat() -> None:
    coarse = study().assign(a=lambda f: f["a"].round(), b=lambda f: f["b"].round())
    twice = pd.concat([study(), study().iloc[:2]])
    kinds = [
        {alert["kind"] for alert in facts_of(frame, markers=["a", "b"])["alerts"]}
        for frame in (coarse, twice)
    ]
    assert ["duplicates" in found for found in kinds] == [False, True]


def test_small_shares_are_probabilities_only_where_a_model_gave_them() -> None:
    small = study().assign(p=lambda f: f["p"] / 4)
    assert facts_of(small)["markers"][2]["calibration"] is None
    assert facts_of(small, plan={"scores": "model"})["markers"][2]["calibration"] is not None


def test_the_cutpoint_of_a_large_study_is_chosen_among_all_scores() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(51_000) < 0.3
    sample = rs.ScoredSample.from_arrays(y, {"s": rng.normal(size=y.size) + y}, pos_label=True)
    assert resampled_in_levels(sample)
    plan = StudyPlan(**QUICK)
    (found,) = cutpoint_facts(sample, 0, plan)
    direct = rs.optimal_cutpoint(sample, resampling=plan.resampling("cutpoint", 0))
    limits = direct.confidence_interval()
    assert (found["conf_low"], found["conf_high"]) == (limits.low, limits.high)
    assert found["threshold"] == direct.threshold[0]


def test_14_04_a_decision_curve_says_where_it_is_of_use() -> None:
    """Issue 14, line 4: intervals, those that the limits support, and a range of one's own."""
    only = cohort(markers=["p"], higher_is_positive=None)
    told = QUICK | {"scores": "probability"}
    found = gather_facts(only, StudyPlan(**told))["markers"][0]["decision"]
    curve = rs.decision_curve(only.sample)
    assert found["threshold"] == curve.threshold.tolist()
    assert found["useful"] == [list(span) for span in curve.useful_ranges("p")]
    assert found["supported"] == [list(s) for s in curve.useful_ranges("p", supported=True)]
    assert found["few_missed"] == [list(s) for s in curve.few_missed("p")]
    assert "range" not in found
    plan = StudyPlan(**told, decision_range=(0.1, 0.25))
    narrow = gather_facts(only, plan)["markers"][0]["decision"]
    assert narrow["threshold"] == [round(0.1 + i / 200, 3) for i in range(31)]
    assert all(0.1 <= low <= high <= 0.25 for low, high in narrow["useful"])
    odd = gather_facts(only, StudyPlan(**told, decision_range=(0.001, 0.0123)))
    assert odd["markers"][0]["decision"]["threshold"][::23] == [0.001, 0.0123]
    for wrong in ((0.3, 0.2), (0.5, 1.0), (-0.1, 0.5)):
        with pytest.raises(rs.InvalidOptionError, match="low < high from 0 to below 1"):
            StudyPlan(**told, decision_range=wrong)


def test_14_06_rates_at_a_fixed_rate_come_with_thresholds_that_can_be_used() -> None:
    """Issue 14, line 6: what is attainable, and whether the value on the curve is interpolated."""
    frame = study().assign(a=lambda f: f["a"].round(0), t=lambda f: (f["p"] > 0.5) * 1)
    plan = {"specificities": (0.9, 0.5)}
    found = facts_of(frame, plan, markers=["a", "t"], higher_is_positive=None)
    sample = cohort(frame, markers=["a", "t"], higher_is_positive=None).sample
    for marker in found["markers"]:
        direct = rs.sensitivity_at(
            sample,
            marker=marker["name"],
            specificity=[0.9, 0.5],
            resampling=rs.Bootstrap(n_resamples=2, rng=1),
        )
        assert tuple(row["interpolated"] for row in marker["fixed_rates"]) == direct.interpolated
        usable = [point for row in marker["fixed_rates"] for point in row["usable"]]
        for point, expected in zip(usable, direct.attainable(), strict=True):
            assert point["sensitivity"] == expected["sensitivity"]
            assert point["specificity"] == expected["specificity"]
            assert point["threshold"] in (expected["threshold"], None)
    binary = found["markers"][1]["fixed_rates"][0]
    assert binary["interpolated"]
    assert [point["threshold"] for point in binary["usable"]] == [None, 1.0]


def test_14_07_and_08_the_facts_of_a_cutpoint_are_of_one_quantity_and_of_no_noise() -> None:
    """Issue 14, lines 7 and 8: the midpoint beside its interval; a binary test is not corrected."""
    frame = study().assign(t=lambda f: (f["p"] > 0.5) * 1)
    found = facts_of(frame, markers=["b", "t"], higher_is_positive={"b": False})
    (chosen,), (binary,) = (marker["cutpoints"] for marker in found["markers"])
    assert chosen["conf_low"] <= chosen["midpoint"] <= chosen["conf_high"]
    assert chosen["threshold"] < chosen["midpoint"] < chosen["next_score"]
    assert not chosen["steady"]
    assert (binary["steady"], binary["corrected"], binary["conf_low"]) == (True, None, None)
