"""compare_tests and compare_counts: what goes in, what is refused, clusters, several tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

EXACT = 1e-12

SHIFTS = {"a": 1.0, "b": 1.5, "c": 2.0}
PAIRED1 = {"diseased": [[319, 78], [22, 32]], "healthy": [[31, 53], [22, 155]]}


def scored(n: int = 60, seed: int = 1, **options: Any) -> rs.ScoredSample:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    score = {
        name: rng.normal(shift * y).round(2)
        for name, shift in zip("abc", (1, 1.5, 2), strict=False)
    }
    return rs.ScoredSample.from_arrays(y, score, **options)


def clustered(n: int = 60, size: int = 3, seed: int = 1) -> rs.ComparedTests:
    sample = scored(n, seed, cluster=np.arange(n) // size)
    return rs.compare_tests(sample, thresholds={"a": 0.5, "b": 0.8})


# ------------------------------------------------------------------------------- what goes in


def test_thresholds_call_scores_at_or_beyond_them_positive() -> None:
    found = rs.compare_tests(
        [1, 1, 0, 0],
        {"up": [3.0, 2.0, 2.0, 1.0], "down": [1.0, 2.0, 2.0, 3.0]},
        thresholds={"up": 2, "down": 2},
        higher_is_positive={"down": False},
    )
    np.testing.assert_array_equal(found.sample.scores, [[1, 1, 1, 0], [1, 1, 1, 0]])
    assert found.rules == (("up", ">= 2"), ("down", "<= 2"))
    assert found.scored is not None
    assert found.scored.higher_is_positive == (True, False)


def test_a_sample_and_its_arrays_say_the_same() -> None:
    sample = scored()
    cuts = {"a": 0.5, "c": 1.0}
    frame = pd.DataFrame(dict(zip(sample.markers, sample.scores, strict=True)))
    one = rs.compare_tests(sample, thresholds=cuts)
    two = rs.compare_tests(sample.positive.astype(int), frame, thresholds=cuts)
    assert one.tests == two.tests == ("a", "c")  # those of the thresholds, in their order
    assert one.to_dict() == two.to_dict()


def test_tests_are_chosen_and_ordered_by_name() -> None:
    sample = scored()
    cuts = {"a": 0.5, "b": 0.8, "c": 1.0}
    found = rs.compare_tests(sample, thresholds=cuts, tests=["c", "a"])
    assert (found.tests, found.sensitivity.contrast) == (("c", "a"), "a - c")
    swapped = rs.compare_tests(sample, thresholds=cuts).pair("c", "a")
    assert found.sensitivity.difference == -swapped.sensitivity.difference


def test_words_are_results() -> None:
    y = ["ill", "ill", "well", "well", "ill"]
    words = {"old": ["pos", "neg", "neg", "neg", "pos"], "new": ["POS", "POS", "neg", "POS", "POS"]}
    found = rs.compare_tests(y, words, pos_label="ill", test_positive={"old": "pos", "new": "POS"})
    codes = {"old": [1, 0, 0, 0, 1], "new": [1, 1, 0, 1, 1]}
    plain = rs.compare_tests([1, 1, 0, 0, 1], codes)
    np.testing.assert_array_equal(found.sample.scores, plain.sample.scores)
    assert found.sensitivity.table == ((2, 0), (1, 0))
    assert found.specificity.table == ((0, 0), (1, 1))
    frame = pd.DataFrame(words).astype("category")
    again = rs.compare_tests(y, frame, pos_label="ill", test_positive={"old": "pos", "new": "POS"})
    np.testing.assert_array_equal(again.sample.scores, plain.sample.scores)


def test_words_stand_beside_scores() -> None:
    columns = {"assay": ["p", "n", "n", "p"], "crp": [12, 3, 11, 2], "flag": [0, 1, 1, 0]}
    for positive in ({"assay": "p"}, {"assay": "p", "flag": 1}):
        found = rs.compare_tests(
            [1, 1, 0, 0], columns, test_positive=positive, thresholds={"crp": 10}
        )
        np.testing.assert_array_equal(
            found.sample.scores, [[1, 0, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0]]
        )
    assert found.rules == (("crp", ">= 10"),)
    assert found.pair("crp", "assay").rules == found.rules
    assert found.pair("flag", "assay").rules == ()


def test_other_codes_are_results_too() -> None:
    found = rs.compare_tests([1, 1, 0, 0], {"a": [2, 1, 1, 2], "b": [2, 2, 1, 1]}, test_positive=2)
    np.testing.assert_array_equal(found.sample.scores, [[1, 0, 0, 1], [1, 1, 0, 0]])


def test_counts_are_tables_with_the_standard_test_in_rows() -> None:
    found = rs.compare_counts(**PAIRED1)
    assert found.sensitivity.table == ((319, 78), (22, 32))
    assert found.specificity.table == ((31, 53), (22, 155))
    assert found.fpr.table == ((31, 53), (22, 155))
    assert found.fpr.difference == pytest.approx(-found.specificity.difference, rel=EXACT)
    assert rs.compare_counts(**PAIRED1, tests=("old", "new")).sensitivity.contrast == "new - old"


def test_one_test_has_its_rates_and_nothing_to_compare() -> None:
    found = rs.compare_tests([1, 1, 0, 0, 0], {"assay": [1, 0, 0, 0, 1]})
    rates = {row["measure"]: row for row in found.rates()}
    assert (rates["sensitivity"]["estimate"], rates["specificity"]["estimate"]) == (0.5, 2 / 3)
    points = rs.operating_points([1, 1, 0, 0, 0], [1, 0, 0, 0, 1], thresholds=1).to_frame().iloc[0]
    for measure in ("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg"):
        row = rates[measure]
        assert row["estimate"] == pytest.approx(points[measure], rel=EXACT)
        assert row["conf_low"] == pytest.approx(points[f"{measure}_conf_low"], rel=1e-10)
        assert row["conf_high"] == pytest.approx(points[f"{measure}_conf_high"], rel=1e-10)
    assert len(found.to_frame()) == 6
    with pytest.raises(rs.InvalidOptionError, match="one test only"):
        _ = found.sensitivity


# ----------------------------------------------------------------------------- what it answers


def test_the_frame_is_tidy() -> None:
    frame = rs.compare_counts(**PAIRED1).to_frame()
    assert frame["measure"].tolist() == [
        *("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg")
    ]
    assert {"contrast", "estimate", "std_error", "statistic", "df", "p_value"} <= {*frame.columns}
    assert {"conf_low", "conf_high", "ratio", "ratio_low", "ratio_high"} <= {*frame.columns}
    assert frame.loc[0, "conf_low"] == pytest.approx(-0.1673204488, abs=1e-10)


def test_mcnemar_is_a_test_result_with_the_score_interval() -> None:
    pair = rs.compare_counts(**PAIRED1).sensitivity
    test = pair.mcnemar
    assert isinstance(test, rs.TestResult)
    assert (test.statistic, test.df, test.alternative) == (31.36, 1.0, "two-sided")
    assert tuple(test.confidence_interval()) == tuple(pair.confidence_interval())
    assert test.estimate == pair.difference
    assert "chi-square(1) = 31.36" in repr(test)
    assert "DeLong" not in repr(test)
    assert pair.test() == test


def test_mid_p_is_printed_where_few_pairs_disagree() -> None:
    few = rs.compare_counts(diseased=[[9, 3], [1, 2]], healthy=[[1, 12], [13, 13]])
    assert "sensitivity: 4 discordant pairs; mid-p = 0.3750" in repr(few)
    assert "specificity: 25 discordant" not in repr(few)


def test_both_margins_must_hold() -> None:
    found = rs.compare_counts(**PAIRED1)
    both = found.noninferiority("both", (0.2, 0.05))
    assert both.shown
    assert both.pvalue == both.parts[0].pvalue
    assert not found.noninferiority("both", (0.1, 0.05)).shown
    one = found.noninferiority("sensitivity", 0.1)
    assert isinstance(one, rs.MarginTest)
    assert not one.shown
    assert one.conf_low == found.sensitivity.confidence_interval(0.95).low
    # The test and the limit are one: shown exactly where the lower limit is above the margin.
    low = found.sensitivity.confidence_interval(0.95).low
    assert found.noninferiority("sensitivity", -low + 1e-9).shown
    assert not found.noninferiority("sensitivity", -low - 1e-9).shown


def test_three_tests_are_compared_pair_by_pair() -> None:
    sample = scored()
    found = rs.compare_tests(sample, thresholds={"a": 0.5, "b": 0.8, "c": 1.0})
    table = found.pairwise(adjust="holm")
    assert [test.contrast for test in table.tests] == [
        *("b - a (sensitivity)", "c - a (sensitivity)", "c - b (sensitivity)"),
        *("b - a (specificity)", "c - a (specificity)", "c - b (specificity)"),
    ]
    two = rs.compare_tests(sample, thresholds={"a": 0.5, "c": 1.0})
    assert table.tests[1].pvalue == two.sensitivity.mcnemar.pvalue
    pvalues = sorted(test.pvalue for test in table.tests)
    assert min(table.adjusted) == pytest.approx(min(1.0, 6 * pvalues[0]))
    only = found.pairwise("none", measures="sensitivity", versus="a")
    assert [test.contrast for test in only.tests] == ["b - a", "c - a"]
    assert only.adjusted == tuple(test.pvalue for test in only.tests)
    assert len(found.to_frame()) == 18
    assert "p_adjusted" in found.to_frame()
    with pytest.raises(rs.InvalidOptionError, match=r"pair\(new, standard\)"):
        _ = found.sensitivity


def test_the_omnibus_test_of_rates_is_the_quadratic_form_of_the_differences() -> None:
    found = rs.compare_tests(scored(200), thresholds={"a": 0.5, "b": 0.8, "c": 1.0})
    hit = found.sample.scores[:, found.sample.positive]
    difference = (hit[1:] - hit[0]).mean(axis=1)
    covariance = np.cov(hit[1:] - hit[0]) / hit.shape[1]
    expected = difference @ np.linalg.solve(covariance, difference)
    test = found.omnibus("sensitivity", reference="chi2")
    assert (test.statistic, test.df) == (pytest.approx(expected, rel=1e-9), 2.0)
    spec = found.omnibus("specificity")
    assert 0.0 < spec.pvalue < 1.0


# ------------------------------------------------------------------------------------ designs


def test_cases_and_controls_have_no_predictive_values() -> None:
    found = rs.compare_counts(**PAIRED1, design="case-control")
    with pytest.raises(rs.InvalidOptionError, match="no predictive values"):
        _ = found.ppv
    assert "ppv" not in found.to_frame()["measure"].tolist()
    standard, new = found.lr_pos.predictive(0.1)
    assert standard == pytest.approx(1 / (1 + 9 / found.lr_pos.standard_value), rel=EXACT)
    share = 451 / 712
    cohort = rs.compare_counts(**PAIRED1)
    assert cohort.lr_pos.predictive(share)[1] == pytest.approx(cohort.ppv.new_value, rel=EXACT)
    assert cohort.lr_neg.predictive(share)[0] == pytest.approx(cohort.npv.standard_value, rel=EXACT)
    assert new > standard


def test_a_screen_positive_design_knows_ratios_only() -> None:
    tables = {"diseased": [[30, 2], [6, None]], "healthy": [[9, 4], [12, None]]}
    found = rs.compare_counts(**tables, design="screen-positive")
    assert found.sensitivity.ratio == 36 / 32
    assert found.sensitivity.ratio_interval().method == "wald"
    assert found.sensitivity.mcnemar.statistic == 16 / 8
    for what in ("specificity", "ppv", "npv", "lr_pos", "lr_neg", "influence"):
        with pytest.raises(rs.InvalidOptionError, match="only patients positive on a test"):
            getattr(found, what)
    for ask in (
        lambda: found.sensitivity.difference,
        lambda: found.sensitivity.confidence_interval(),
        lambda: found.noninferiority("sensitivity", 0.1),
        lambda: found.joint(),
        lambda: found.rates(),
    ):
        with pytest.raises(rs.InvalidOptionError, match="only patients positive on a test"):
            ask()
    # Those whom neither test finds have no part in the ratio, by any method.
    whole = rs.compare_counts(diseased=[[30, 2], [6, 99]], healthy=[[9, 4], [12, 99]])
    for method in ("score", "wald"):
        assert tuple(found.fpr.ratio_interval(method=method)) == pytest.approx(
            tuple(whole.fpr.ratio_interval(method=method)), rel=EXACT
        )


def test_against_a_comparator_there_is_agreement() -> None:
    found = rs.compare_counts(**PAIRED1, truth="comparator")
    assert found.to_frame()["measure"].tolist() == ["ppa", "npa"]
    assert found.sensitivity.label == "positive percent agreement (PPA)"
    assert {row["measure"] for row in found.rates()} == {"ppa", "npa"}
    for what in ("ppv", "npv", "lr_pos", "lr_neg"):
        with pytest.raises(rs.InvalidOptionError, match="no reference standard"):
            getattr(found, what)
    words = repr(found)
    assert "sensitivity" not in words
    assert "no reference standard" in words


def test_cutoffs_chosen_on_the_data_have_no_p() -> None:
    sample = scored()
    cut = rs.optimal_cutpoint(sample.only(0), resampling=rs.Bootstrap(n_resamples=50, rng=1))
    found = rs.compare_tests(sample, thresholds={"a": cut, "b": 0.8})
    said = rs.compare_tests(
        sample, thresholds={"a": float(cut.threshold[0]), "b": 0.8}, prespecified=False
    )
    for one in (found, said):
        assert one.exploratory
        assert "Exploratory" in repr(one)
        assert math.isnan(one.sensitivity.mcnemar.pvalue)
        assert math.isnan(one.joint().pvalue)
        assert math.isnan(one.sensitivity.mid_pvalue)
        assert math.isnan(one.ppv.test().pvalue)
        assert math.isnan(one.lr_pos.test().pvalue)
        assert one.to_frame()["p_value"].isna().all()
        assert math.isfinite(one.sensitivity.confidence_interval().low)
        with pytest.raises(rs.InvalidOptionError, match="chosen on these data"):
            one.noninferiority("sensitivity", 0.1)


# ------------------------------------------------------------------------ missing and equivocal


WORDS = {
    "old": ["+", "+", "-", "+", "-", "-", "-", "-", "?", "-"],
    "new": ["+", "?", "+", "+", "-", "-", None, "+", "-", "-"],
}
TRUTH = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
CODES = {"+": 1.0, "-": 0.0}


def equivocal(way: str | None, **options: Any) -> rs.ComparedTests:
    return rs.compare_tests(
        TRUTH, WORDS, test_positive="+", test_negative="-", equivocal=way, **options
    )


def filled(old: Any, new: Any) -> rs.ComparedTests:
    """Return the comparison with what stands for an unknown result of each patient."""
    rows = {}
    for name, stand_in in (("old", old), ("new", new)):
        rows[name] = [CODES.get(w, s) for w, s in zip(WORDS[name], stand_in, strict=True)]
    return rs.compare_tests(TRUTH, rows)


def test_equivocal_results_count_every_way() -> None:
    found = equivocal("both")
    assert found.sample.positive.size == 7
    assert found.sample.dropped.n == 3
    truth, lie = TRUTH, [1 - t for t in TRUTH]
    expected = {
        "positive": filled([1] * 10, [1] * 10),
        "negative": filled([0] * 10, [0] * 10),
        "best for new": filled(lie, truth),
        "worst for new": filled(truth, lie),
        "left out": found,
    }
    rows = {(row["counted"], row["measure"]): row for row in found.bounds()}
    assert {way for way, _ in rows} == {*expected}
    for (way, measure), row in rows.items():
        pair = getattr(expected[way], measure)
        assert row["estimate"] == pair.difference
        limits = tuple(pair.confidence_interval())
        assert (row["conf_low"], row["conf_high"]) == pytest.approx(limits, rel=EXACT)
    for measure in ("sensitivity", "specificity"):
        ways = [rows[way, measure]["estimate"] for way in expected if way != "left out"]
        assert rows["worst for new", measure]["estimate"] == min(ways)
        assert rows["best for new", measure]["estimate"] == max(ways)
    assert found.bounds().n_equivocal == (1, 2)
    assert "worst for new" in repr(found)


@pytest.mark.parametrize(("way", "value"), [("positive", 1), ("negative", 0)])
def test_equivocal_results_count_one_way(way: str, value: int) -> None:
    found = equivocal(way)
    assert found.sample.dropped.n == 0
    np.testing.assert_array_equal(
        found.sample.scores, filled([value] * 10, [value] * 10).sample.scores
    )
    assert found.bounds().n_equivocal == (1, 2)


def test_missing_scores_are_omitted_as_equivocal_results_are() -> None:
    y, a = [1, 1, 0, 0, 1, 0], [3, 2, None, 1, 0, 4]
    b = [1.0, 2.0, 3.0, math.nan, 5.0, 0.0]
    cuts = {"a": 2, "b": 2}
    omitted = rs.compare_tests(y, {"a": a, "b": b}, thresholds=cuts, nan_policy="omit")
    both = rs.compare_tests(y, {"a": a, "b": b}, thresholds=cuts, equivocal="both")
    assert omitted.to_dict() == both.to_dict()
    assert omitted.sample.positive.size == 4
    assert "b missing in 1" in repr(omitted)
    assert omitted.scored is not None
    np.testing.assert_array_equal(omitted.scored.scores[0], [3, 2, 0, 4])
    assert omitted.influence_with("auc").values.shape == (6, 4)


def test_a_missing_class_is_left_out_only_if_asked() -> None:
    with pytest.raises(rs.InvalidSampleError, match="missing values"):
        rs.compare_tests([1, None, 0], {"a": [1, 1, 0], "b": [0, 1, 0]}, equivocal="both")
    found = rs.compare_tests(
        [1, None, 0, 0],
        {"a": [1, 1, 0, None], "b": [0, 1, 0, 1]},
        equivocal="positive",
        nan_policy="omit",
    )
    assert found.sample.positive.size == 3
    assert found.bounds().n_equivocal == (1, 0)


# ----------------------------------------------------------------------------------- clusters


def test_clusters_are_summed_before_the_variance() -> None:
    found = clustered()
    pair = found.sensitivity
    hit, cluster = found.sample.scores, np.asarray(found.sample.cluster)
    here = found.sample.positive
    value = (hit[1] - hit[0] - pair.difference) * here
    sums = np.array([value[cluster == k].sum() for k in np.unique(cluster)])
    units = np.unique(cluster[here]).size
    error = math.sqrt(units / (units - 1) * (sums @ sums)) / here.sum()
    assert pair.std_error == pytest.approx(error, rel=EXACT)
    assert (pair.df, pair.clusters) == (units - 1, units)
    test = pair.test()
    assert test.statistic == pytest.approx(pair.difference / error, rel=EXACT)
    low, high = pair.confidence_interval()
    assert (low + high) / 2 == pytest.approx(pair.difference, rel=EXACT)
    assert pair.confidence_interval(method="wald").low == low
    ratio = (hit[1] / hit[1][here].mean() - hit[0] / hit[0][here].mean()) * here
    sums = np.array([ratio[cluster == k].sum() for k in np.unique(cluster)])
    log_error = math.sqrt(units / (units - 1) * (sums @ sums)) / here.sum()
    assert pair.ratio_error == pytest.approx(log_error, rel=1e-10)


def test_clusters_of_one_are_as_independent_patients() -> None:
    sample = scored()
    alone = scored(cluster=np.arange(60))
    cuts = {"a": 0.5, "b": 0.8}
    one, two = (rs.compare_tests(s, thresholds=cuts) for s in (sample, alone))
    for measure in ("sensitivity", "specificity"):
        assert getattr(two, measure).std_error == pytest.approx(
            getattr(one, measure).std_error, rel=1e-10
        )
    for measure in ("ppv", "npv", "lr_pos", "lr_neg"):
        first, second = getattr(one, measure), getattr(two, measure)
        error = second.test(method="wald").std_error
        assert error == pytest.approx(first.test(method="wald").std_error, rel=1e-10)
        assert second.test(method="wald").df == 59.0


def test_copies_of_a_patient_in_a_cluster_add_nothing() -> None:
    sample = scored()
    twice = rs.ScoredSample.from_arrays(
        np.tile(sample.positive.astype(int), 2),
        dict(zip(sample.markers, np.tile(sample.scores, 2), strict=True)),
        cluster=np.tile(np.arange(60), 2),
    )
    cuts = {"a": 0.5, "b": 0.8}
    one, two = (rs.compare_tests(s, thresholds=cuts) for s in (sample, twice))
    assert two.sensitivity.std_error == pytest.approx(one.sensitivity.std_error, rel=1e-10)
    assert two.sensitivity.clusters == sample.n_pos


def test_tests_of_independent_patients_are_refused_to_clusters() -> None:
    found = clustered()
    for ask in (
        lambda: found.sensitivity.mcnemar,
        lambda: found.sensitivity.mid_pvalue,
        lambda: found.sensitivity.exact_pvalue,
        lambda: found.sensitivity.confidence_interval(method="score"),
        lambda: found.sensitivity.confidence_interval(method="newcombe"),
        lambda: found.sensitivity.ratio_interval(method="score"),
        lambda: found.ppv.test(method="wgs"),
    ):
        with pytest.raises(rs.InvalidOptionError, match="as independent"):
            ask()
    assert found.joint().df == 2.0
    assert "Wald's with t" in repr(found)
    margin = found.noninferiority("sensitivity", 0.3)
    assert margin.statistic == pytest.approx(
        (found.sensitivity.difference + 0.3) / found.sensitivity.std_error, rel=EXACT
    )


# -------------------------------------------------------------------------------- the margins


def test_nothing_that_varies_is_said() -> None:
    flat = rs.compare_counts(diseased=[[30, 0], [0, 0]], healthy=[[5, 0], [0, 0]])
    with pytest.warns(rs.DegenerateVarianceWarning, match="nothing was tested"):
        test = flat.ppv.test()
    assert (test.pvalue, test.statistic, test.std_error) == (1.0, 0.0, 0.0)
    assert math.isnan(flat.npv.new_value)  # no negative result
    with pytest.warns(rs.DegenerateVarianceWarning, match="rate of 0"):
        assert math.isnan(flat.lr_neg.test().pvalue)
    with pytest.warns(rs.DegenerateVarianceWarning, match="rate of 0"):
        assert math.isnan(flat.lr_neg.ratio_interval().low)
    assert flat.sensitivity.mcnemar.pvalue == 1.0
    assert "nothing was tested" in repr(flat)
    assert len(flat.to_frame()) == 6


def test_a_test_without_positives_stops_nothing_else() -> None:
    found = rs.compare_counts(diseased=[[0, 5], [0, 4]], healthy=[[0, 1], [0, 9]])
    assert math.isnan(found.ppv.new_value)
    assert found.ppv.standard_value == 5 / 6
    assert math.isnan(found.ppv.test().pvalue)
    assert found.npv.new_value == 10 / 19
    assert (found.sensitivity.ratio, found.sensitivity.ratio_interval().low) == (0.0, 0.0)
    assert 0.0 < found.sensitivity.ratio_interval().high < 1.0
    assert math.isnan(found.sensitivity.ratio_interval(method="wald").high)
    turned = found.pair("T1", "T2")
    assert math.isinf(turned.sensitivity.ratio)
    assert math.isinf(turned.sensitivity.ratio_interval().high)


def test_one_patient_in_a_class() -> None:
    found = rs.compare_counts(diseased=[[1, 0], [0, 0]], healthy=[[1, 2], [3, 4]])
    assert math.isnan(found.sensitivity.std_error)
    low, high = found.sensitivity.confidence_interval()
    assert -1.0 < low < 0.0 < high < 1.0
    assert len(found.to_frame()) == 6


# ------------------------------------------------------------------------------- what is refused

GOOD = {"a": [1, 0, 0, 1], "b": [1, 1, 0, 0]}
Y = [1, 1, 0, 0]

BAD: list[tuple[Any, str]] = [
    (lambda: rs.compare_tests(Y), "y_score is missing"),
    (lambda: rs.compare_tests(Y, {"a": [1, 2, 0, 3], "b": [1, 0, 0, 1]}), "scores such as 2"),
    (lambda: rs.compare_tests(Y, GOOD, thresholds={"x": 1}), "no test of the data"),
    (lambda: rs.compare_tests(Y, GOOD, thresholds={"a": "high"}), "finite number for a"),
    (lambda: rs.compare_tests(Y, GOOD, thresholds={"a": math.nan}), "finite number for a"),
    (lambda: rs.compare_tests(Y, GOOD, thresholds=[1, 2]), "for each test by name"),
    (lambda: rs.compare_tests(Y, GOOD, tests=["a", "c"]), "not in the data"),
    (lambda: rs.compare_tests(Y, GOOD, tests=["a", "a"]), "each test once"),
    (lambda: rs.compare_tests(Y, GOOD, design="cohrt"), "Did you mean 'cohort'"),
    (lambda: rs.compare_tests(Y, GOOD, truth="gold"), "must be one of 'reference'"),
    (lambda: rs.compare_tests(Y, GOOD, equivocal="drop"), "must be one of None"),
    (lambda: rs.compare_tests(Y, GOOD, prespecified="no"), "must be one of True"),
    (lambda: rs.compare_tests(Y, GOOD, test_negative="n"), "which is not given"),
    (lambda: rs.compare_tests(Y, {"a": ["p", "n", "n", "p"]}), "words such as 'p'"),
    (
        lambda: rs.compare_tests(Y, {"a": ["p", "n", "n", "x"]}, test_positive="p"),
        "name the negative one",
    ),
    (
        lambda: rs.compare_tests(Y, {"a": ["p", "n", "n", "p"]}, test_positive="pos"),
        "not among the results of a",
    ),
    (
        lambda: rs.compare_tests(
            Y, {"a": ["p", "n", None, "p"], "b": ["p"] * 4}, test_positive="p"
        ),
        "missing or equivocal results \\(1 in a\\)",
    ),
    (
        lambda: rs.compare_tests(Y, {"a": ["p", "n", "n", "p"]}, test_positive={"b": "p"}),
        "names 'b', which is no test",
    ),
    (lambda: rs.compare_tests(Y, {"a": [1, 0, 0]}), "4 values but a has 3"),
    (lambda: rs.compare_tests([1, 1, 1, 1], GOOD), "one class only"),
    (lambda: rs.compare_tests(Y, {}), "no marker|no test"),
    (
        lambda: rs.compare_tests(scored(), thresholds={"a": 1, "b": 1}, nan_policy="omit"),
        "cannot be given with a ScoredSample",
    ),
    (lambda: rs.compare_tests(Y, GOOD, design="screen-positive"), "negative on both tests"),
    (
        lambda: rs.compare_tests(Y, GOOD, design="screen-positive", truth="comparator"),
        "has none",
    ),
    (
        lambda: rs.compare_tests(Y, {"a": [1, 1, 1, 1]}, design="screen-positive"),
        "two tests, got 1",
    ),
    (lambda: rs.compare_counts(diseased=[[1, 2], [3, 4]]), "needs healthy"),
    (lambda: rs.compare_counts(diseased=[1, 2, 3, 4], healthy=[[1, 2], [3, 4]]), "two rows"),
    (lambda: rs.compare_counts(diseased=[[1, 2], [3]], healthy=[[1, 2], [3, 4]]), "two rows"),
    (lambda: rs.compare_counts(diseased=[[1, 2], [3, -4]], healthy=[[1, 2], [3, 4]]), "whole"),
    (lambda: rs.compare_counts(diseased=[[1, 2], [3, 0.5]], healthy=[[1, 2], [3, 4]]), "whole"),
    (lambda: rs.compare_counts(diseased=[[1, 2], [3, "x"]], healthy=[[1, 2], [3, 4]]), "whole"),
    (
        lambda: rs.compare_counts(diseased=[[1, 2], [3, None]], healthy=[[1, 2], [3, 4]]),
        'design="screen-positive"',
    ),
    (lambda: rs.compare_counts(diseased=[[0, 0], [0, 0]], healthy=[[1, 2], [3, 4]]), "no patient"),
    (lambda: rs.compare_counts(diseased=[[10**9, 0], [0, 1]], healthy=[[1, 2], [3, 4]]), "whole"),
    (lambda: rs.compare_counts(**PAIRED1, tests=("a", "a")), "two different names"),
    (lambda: rs.compare_counts(**PAIRED1).pair("T1", "T3"), "no test 'T3'"),
    (lambda: rs.compare_counts(**PAIRED1).pair("T1", "T1"), "two different tests"),
    (lambda: rs.compare_counts(**PAIRED1).bounds(), "nothing to bound"),
    (lambda: rs.compare_counts(**PAIRED1).noninferiority("ppv", 0.1), "must be one of"),
    (lambda: rs.compare_counts(**PAIRED1).noninferiority("sensitivity", -0.1), "positive number"),
    (lambda: rs.compare_counts(**PAIRED1).noninferiority("sensitivity", (1, 2)), "one number"),
    (lambda: rs.compare_counts(**PAIRED1).noninferiority("both", (1, 2, 3)), "one number or two"),
    (
        lambda: rs.compare_counts(**PAIRED1).noninferiority("both", 0.1, significance=0.7),
        "between 0 and 0.5",
    ),
    (lambda: rs.compare_counts(**PAIRED1).pairwise(adjust="hulm"), "Did you mean 'holm'"),
    (lambda: rs.compare_counts(**PAIRED1).pairwise(measures="auc"), "must be one of"),
    (lambda: rs.compare_counts(**PAIRED1).pairwise(versus="x"), "no test 'x'"),
    (lambda: rs.compare_counts(**PAIRED1).omnibus("ppv"), "must be one of"),
    (
        lambda: rs.compare_counts(**PAIRED1).sensitivity.confidence_interval(method="tango"),
        "must be one of",
    ),
    (
        lambda: rs.compare_counts(**PAIRED1).sensitivity.confidence_interval(1.5),
        "strictly between 0 and 1",
    ),
    (lambda: rs.compare_counts(**PAIRED1).ppv.test(method="mcnemar"), "must be one of"),
    (lambda: rs.compare_counts(**PAIRED1).lr_pos.predictive(1.0), "strictly between 0 and 1"),
    (lambda: clustered_bounds(), "in clusters"),
]


def clustered_bounds() -> Any:
    return rs.compare_tests(
        [1, 0, 1, 0],
        {"a": [1, 0, None, 1], "b": [1, 0, 1, 1]},
        cluster=[0, 0, 1, 1],
        nan_policy="omit",
    ).bounds()


@pytest.mark.parametrize(("call", "words"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_in_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(rs.RocstatsError, match=words) as refused:
        call()
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.rstrip("?").endswith((".", "'"))


def test_a_test_that_is_never_positive_says_why_it_has_no_ppv() -> None:
    rates = rs.compare_counts(diseased=[[0, 40], [0, 10]], healthy=[[0, 5], [0, 45]]).rates()
    said = str(rates)
    assert "The ppv of T2 is nan: no result of the test is positive" in said
    assert "The lr_pos of T2 is nan: it rests on a rate of 0" in said
    assert "The lr_neg of T2 has no interval: nothing varies" in said
    assert "None" not in said


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.0, 2.0, math.nan])
def test_a_margin_of_a_rate_lies_between_0_and_1(margin: float) -> None:
    found = rs.compare_counts(diseased=[[30, 5], [7, 10]], healthy=[[3, 5], [2, 55]])
    with pytest.raises(rs.InvalidOptionError, match="positive number below 1"):
        found.noninferiority("sensitivity", margin)


def test_the_test_of_a_margin_is_called_what_it_is() -> None:
    found = rs.compare_counts(diseased=[[30, 5], [7, 10]], healthy=[[3, 5], [2, 55]])
    assert found.noninferiority("sensitivity", 0.1).method == "Tango's score test"
    assert "Tango's score test" in found.noninferiority("both", 0.1).to_latex()
    assert "Losses" not in found.noninferiority("both", 0.1).to_latex()
