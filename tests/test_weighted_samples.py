"""Every public function that takes a sample: weights count, or are refused; none is deaf."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocstats as rs

FEW = rs.Bootstrap(n_resamples=100)


def parts(n: int = 80) -> tuple[Any, dict[str, Any], Any]:
    rng = np.random.default_rng(3)
    y = rng.random(n) < 0.45
    a = 1 / (1 + np.exp(-rng.normal(size=n) - 1.3 * y))
    b = 1 / (1 + np.exp(-rng.normal(size=n) - 0.6 * y))
    return y, {"a": a.round(2), "b": b.round(2)}, rng.uniform(0.2, 3.0, n)


def beside(n: int = 80) -> dict[str, Any]:
    """Columns that some functions ask for by name; in each both classes are at both levels."""
    return {"fold": np.arange(n) % 2, "group": np.where(np.arange(n) % 4 < 2, "f", "m")}


def sample(weights: Any = None, **options: Any) -> Any:
    y, scores, _ = parts()
    return rs.ScoredSample.from_arrays(y, scores, weights=weights, covariates=beside(), **options)


def sites() -> Any:
    """Return counts of two sites, put together."""
    return rs.pool([rs.sketch(sample(), site=name) for name in ("one", "two")])


# Function: how it is called with a sample. Of those that are not here no argument is a sample.
CALLS: dict[str, Callable[[Any], Any]] = {
    "auc": lambda s: rs.auc(s, marker="a"),
    "average_curves": lambda s: rs.average_curves(s, folds="fold", marker="a"),
    "average_precision": lambda s: rs.average_precision(s, marker="a"),
    "binormal_fit": lambda s: rs.binormal_fit(s, marker="a"),
    "bootstrap": lambda s: rs.bootstrap(rs.auc(s, marker="a"), resampling=FEW),
    "brier_score": lambda s: rs.brier_score(s, marker="a"),
    "calibration": lambda s: rs.calibration(s, marker="a"),
    "calibration_curve": lambda s: rs.calibration_curve(s, marker="a"),
    "compare": lambda s: rs.compare(s).pairwise(),
    "compare_independent": lambda s: rs.compare_independent(
        rs.auc(s, marker="a"), rs.auc(sample(), marker="b")
    ),
    "cv_auc": lambda s: rs.cv_auc(s, folds="fold", marker="a"),
    "cv_compare": lambda s: rs.cv_compare(s, folds="fold").pairwise(),
    "compare_tests": lambda s: rs.compare_tests(s, thresholds={"a": 0.5, "b": 0.5}),
    "decision_curve": lambda s: rs.decision_curve(s),
    "det_curve": lambda s: rs.det_curve(s, marker="a"),
    "estimate": lambda s: rs.estimate(s),
    "gini": lambda s: rs.gini(s, marker="a"),
    "group_fairness": lambda s: rs.group_fairness(s, group="group", marker="a"),
    "kernel_curve": lambda s: rs.kernel_curve(s, marker="a"),
    "midpoint_curve": lambda s: rs.midpoint_curve(s, marker="a", n_draws=1000),
    "operating_points": lambda s: rs.operating_points(s, thresholds=[0.5], marker="a"),
    "optimal_cutpoint": lambda s: rs.optimal_cutpoint(s, marker="a", resampling=FEW),
    "partial_auc": lambda s: rs.partial_auc(s, marker="a", fpr=(0, 0.4)),
    "permutation_test": lambda s: rs.permutation_test(
        s, resampling=rs.Permutation(n_resamples=100)
    ),
    "pooled_curve": lambda s: rs.pooled_curve([s], marker="a"),
    "power_auc": lambda s: rs.power_auc(pilot=rs.auc(s, marker="a"), n_pos=9, n_neg=9),
    "power_sauc": lambda s: rs.power_sauc(
        pilot=rs.sauc(s, marker="a"), null_value=0.1, n_pos=50, n_neg=50
    ),
    "precision_recall_curve": lambda s: rs.precision_recall_curve(s, marker="a"),
    "report": lambda s: rs.report(s, n_resamples=100, r="no").html,
    "roc_band": lambda s: rs.roc_band(s, marker="a", resampling=FEW),
    "roc_curve": lambda s: rs.roc_curve(s, marker="a"),
    "roc_curves": lambda s: rs.roc_curves(s),
    "roc_hull": lambda s: rs.roc_hull(s),
    "sample_size_auc": lambda s: rs.sample_size_auc(pilot=rs.auc(s, marker="a"), power=0.8),
    "sample_size_sauc": lambda s: rs.sample_size_sauc(
        pilot=rs.sauc(s, marker="a"), null_value=0.1, power=0.8
    ),
    "sauc": lambda s: rs.sauc(s, marker="a"),
    "sensitivity_at": lambda s: rs.sensitivity_at(s, marker="a", specificity=0.8),
    "site_moments": lambda s: rs.site_moments(s, sites(), site="one"),
    "sketch": lambda s: rs.sketch(s),
    "smauc": lambda s: rs.smauc(s, marker="a"),
    "smroc_curve": lambda s: rs.smroc_curve(s, marker="a"),
    "specificity_at": lambda s: rs.specificity_at(s, marker="a", sensitivity=0.8),
    "sroc_curve": lambda s: rs.sroc_curve(s, marker="a"),
    "two_sample_test": lambda s: rs.two_sample_test(s, marker="a"),
    "venkatraman_test": lambda s: rs.venkatraman_test(
        s, resampling=rs.Permutation(n_resamples=100)
    ),
    "venkatraman_test_independent": lambda s: rs.venkatraman_test_independent(
        rs.auc(s, marker="a"),
        rs.auc(sample(), marker="b"),
        resampling=rs.Permutation(n_resamples=100),
    ),
}
# Functions whose first arguments are no sample, and why.
OTHERS = {
    *("accuracy_at", "f1_at", "lift_at", "profit_at", "pairwise_kernel", "partial_area"),
    *("scored_auc", "smooth_auc", "means_given", "random_class_lists", "random_lists"),
    *("auc_at", "compare_at", "concordance", "operating_points_at", "roc_curve_at"),  # survival
    "report_survival",
    *("check", "read", "compare_counts", "compare_measures", "corrected_t_test", "binormal_sauc"),
    *("compare_multiclass", "multiclass_auc"),  # labels of several classes
    *("compare_readers", "compare_to_readers", "report_readers", "power_readers"),
    "sample_size_readers",
    *("pitman_efficiency", "power_study", "two_sample_design", "select_model"),
    *("power_tests", "sample_size_tests", "mix_classifiers"),
    *("monitor", "pool", "stratified_auc"),  # batches of arrays, and sketches
}
TAKES = {
    *("auc", "sauc", "smauc", "partial_auc", "estimate", "compare", "compare_independent"),
    *("gini", "roc_curve", "roc_curves", "det_curve", "operating_points", "bootstrap", "report"),
}


def stated(answer: Any) -> str:
    return answer if isinstance(answer, str) else repr(answer)


def test_every_public_function_is_looked_at() -> None:
    public = {name for name in dir(rs) if inspect.isfunction(getattr(rs, name))}
    assert public == set(CALLS) | OTHERS


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("name", CALLS)
def test_weights_count_or_are_refused(name: str) -> None:
    plain, weighted = sample(), sample(parts()[2])
    if name in TAKES:
        assert stated(CALLS[name](weighted)) != stated(CALLS[name](plain))
        return
    with pytest.raises(rs.InvalidOptionError, match="has weights, which this analysis does not"):
        CALLS[name](weighted)


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("name", CALLS)
def test_weights_of_one_change_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for ones in (np.ones(80), np.full(80, 3.7)):
        assert stated(CALLS[name](sample(ones))) == stated(CALLS[name](sample()))


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("name", CALLS)
def test_frequencies_are_repeated_rows_everywhere(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # what a page says it was made at
    y, scores, _ = parts()
    count = np.random.default_rng(1).integers(1, 4, y.size)
    rows = np.repeat(np.arange(y.size), count)
    expanded = rs.ScoredSample.from_arrays(
        y[rows],
        {name: column[rows] for name, column in scores.items()},
        covariates={name: column[rows] for name, column in beside().items()},
    )
    counted = sample(count, weight_kind="frequency")
    assert stated(CALLS[name](counted)) == stated(CALLS[name](expanded))


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("name", CALLS)
def test_strata_and_unverified_subjects_are_never_ignored(name: str) -> None:
    stratified = sample(strata=np.arange(80) % 4)
    verified = np.random.default_rng(2).random(80) < 0.6
    partly = sample(verified=verified)
    for given, words in ((stratified, "sampling strata"), (partly, "not verified")):
        refused, answer = "", ""
        try:
            answer = stated(CALLS[name](given))
        except (rs.InvalidOptionError, rs.NotPairedError) as refusal:
            refused = str(refusal)
        if refused:
            assert words in refused
        else:
            assert name in TAKES
            assert answer != stated(CALLS[name](sample()))


# ------------------------------------------------------------------------------------- bad input

Y, S = [1, 1, 0, 0, 1, 0], [3.0, 2.0, 2.0, 1.0, 5.0, 4.0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"weights": [1, 2, 3]}, "6 subjects but 3 weights"),
        ({"weights": [1, 2, 3, 4, 5, -1]}, "from 0 to 1e\\+100, got -1.0 in row 6"),
        ({"weights": [1, 2, 3, 4, 5, np.inf]}, "got inf in row 6"),
        ({"weights": [1, 2, 3, 4, 5, np.nan]}, "1 weights are missing"),
        ({"weights": [1, 2, 3, 4, 5, 1e-200]}, "must be 0 or at least"),
        ({"weights": [0] * 6}, "All weights are 0"),
        ({"weights": ["a"] * 6}, "must be numbers"),
        ({"weights": "w"}, "A column of values was expected"),
        ({"weights": [1, 1, 0, 0, 1, 0]}, "one class only"),
        ({"weights": [1, 1, 1.5, 1, 1, 1], "weight_kind": "frequency"}, "whole numbers, got 1.5"),
        ({"weights": [1e9] * 6, "weight_kind": "frequency"}, "at most 1e\\+08"),
        ({"weights": [1] * 6, "weight_kind": "survey"}, "weight_kind must be"),
        ({"weight_kind": "frequency"}, "and there are none"),
        ({"strata": [1, 1, 2, 2, 3, 1]}, "The stratum 3 has one subject only"),
        ({"strata": [1, 1, 2]}, "6 subjects but 3 strata ids"),
        ({"verified": [1, 1, 1, 2, 1, 1]}, "must be true or false, 1 or 0, yes or no, got 2"),
        ({"verified": [True] * 5}, "6 subjects but 5 values of verified"),
        ({"verified": [0] * 6}, "No subject is verified"),
        ({"verified": [1, 1, 1, 1, 1, None]}, "verified is missing for 1"),
        ({"verification_model": ["score"]}, "say who was verified with verified="),
        (
            {"verified": [1, 1, 1, 1, 0, 1], "verification_model": ["age"]},
            "names 'age', which is not there",
        ),
        (
            {"verified": [1, 1, 1, 1, 0, 1], "strata": [1, 1, 1, 2, 2, 2]},
            "verified cannot be given with strata; weights and clusters can",
        ),
        (
            {"verified": [1, 1, 1, 1, 0, 1], "verification_model": {"age": [1, 2]}},
            "6 subjects but 2 values of age",
        ),
    ],
)
def test_what_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.RocstatsError, match=sentence):
        rs.auc(Y, S, **options)


def test_weights_are_not_given_twice() -> None:
    with pytest.raises(rs.InvalidOptionError, match="weights cannot be given with a ScoredSample"):
        rs.auc(sample(), weights=np.ones(80), marker="a")


def test_a_row_of_many_has_no_id() -> None:
    with pytest.raises(rs.InvalidSampleError, match="cannot have one id"):
        rs.ScoredSample.from_arrays(
            Y, S, weights=[2] * 6, weight_kind="frequency", subject=list("abcdef")
        )


def test_one_heavy_subject_is_warned_of() -> None:
    y, scores, w = parts()
    w[np.flatnonzero(y)[0]] = 1000.0
    with pytest.warns(rs.ExtremeWeightsWarning, match="% of their weight"):
        rs.auc(y, scores["a"], weights=w)


def test_the_design_is_told_of_every_answer() -> None:
    y, scores, w = parts()
    found = rs.auc(y, scores["a"], weights=w)
    assert "probability weights" in str(found)
    assert found.to_dict()["subjects"]["design"].startswith("probability weights")
    assert "design" not in rs.auc(y, scores["a"]).to_dict()["subjects"]


def test_a_frame_names_its_columns() -> None:
    y, scores, w = parts()
    frame = {"y": y, **scores, "w": w, "h": np.arange(80) % 4, "c": np.arange(80) // 4}
    named = rs.ScoredSample.from_frame(
        frame, "y", "a", pos_label=True, weights="w", strata="h", cluster="c"
    )
    given = rs.auc(y, scores["a"], weights=w, strata=frame["h"], cluster=frame["c"])
    assert rs.auc(named).std_error == given.std_error
    with pytest.raises(rs.InvalidSampleError, match="no column 'v'"):
        rs.ScoredSample.from_frame(frame, "y", "a", pos_label=True, weights="v")
