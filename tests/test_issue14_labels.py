"""Issue 14, lines 1, 2, 9, 25, 26 and 28: which class, whose row, who is out, which column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from scipy.special import stdtr

import rocstats as rs

N = 40
ILL = np.arange(N) % 2 == 1
RNG = np.random.default_rng(14)
SCORE = np.clip(RNG.normal(0.4 + 0.25 * ILL, 0.2), 0.01, 0.99)
OTHER = np.clip(RNG.normal(0.4 + 0.15 * ILL, 0.2), 0.01, 0.99)
ODD = np.arange(N) // 2 % 2
FEW = {"resampling": rs.Bootstrap(n_resamples=100, rng=1)}

# Every public function of labels and scores, with what it needs beside them.
CALLS: dict[str, dict[str, Any]] = {
    "auc": {},
    "partial_auc": {"fpr": (0, 0.5)},
    "sauc": {},
    "smauc": {},
    "estimate": {},
    "gini": {},
    "compare": {},
    "roc_curve": {},
    "roc_curves": {},
    "sroc_curve": {},
    "smroc_curve": {},
    "kernel_curve": {},
    "precision_recall_curve": {},
    "average_precision": {},
    "det_curve": {},
    "midpoint_curve": {"n_draws": 100},
    "roc_hull": {},
    "roc_band": FEW,
    "binormal_fit": {},
    "operating_points": {"thresholds": [0.5]},
    "optimal_cutpoint": FEW,
    "sensitivity_at": {"specificity": 0.8, **FEW},
    "specificity_at": {"sensitivity": 0.8, **FEW},
    "brier_score": {},
    "calibration": {},
    "calibration_curve": {},
    "decision_curve": {},
    "compare_tests": {"thresholds": {"a": 0.5, "b": 0.5}},
    "cv_auc": {"folds": np.arange(N) // 2 % 2},
    "cv_compare": {"folds": np.arange(N) // 2 % 2},
    "group_fairness": {"group": np.arange(N) // 2 % 2},
}
SEVERAL = ("compare", "compare_tests", "cv_compare")
NOT_OF_TWO_CLASSES = {"multiclass_auc", "compare_multiclass"}


def asked(name: str, y: Any, *, score: Any = SCORE, **options: Any) -> Any:
    scores = {"a": score, "b": OTHER} if name in SEVERAL else score
    return getattr(rs, name)(y, scores, **CALLS[name], **options)


def public_calls() -> set[str]:
    """The public functions that take labels."""
    import inspect

    functions = {n: getattr(rs, n) for n in rs.__all__ if inspect.isfunction(getattr(rs, n, None))}
    return {n for n, f in functions.items() if "y_true" in inspect.signature(f).parameters}


def test_14_01_every_call_of_labels_is_tried() -> None:
    assert public_calls() == set(CALLS) | NOT_OF_TWO_CLASSES | {"sketch"}  # a table, no answer
    with pytest.raises(rs.InvalidOptionError, match=r"coded 1, 2; name the positive class"):
        rs.sketch(ILL + 1, SCORE)


@pytest.mark.parametrize("name", CALLS)
def test_14_01_labels_1_and_2_are_refused(name: str) -> None:
    with pytest.raises(rs.InvalidOptionError) as refused:
        asked(name, ILL + 1)
    assert str(refused.value) == "y_true is coded 1, 2; name the positive class with pos_label=."
    assert asked(name, ILL + 1, pos_label=2).to_dict() is not None


def test_14_01_report_and_frame_refuse_with_the_sentence_of_the_command() -> None:
    frame = pd.DataFrame({"outcome": ILL + 1, "a": SCORE})
    sentence = "outcome is coded 1, 2; name the positive class with pos_label=."
    for ask in (
        lambda: rs.report(frame, outcome="outcome", markers="a", r="no"),
        lambda: rs.ScoredSample.from_frame(frame, outcome="outcome", markers="a"),
    ):
        with pytest.raises(rs.InvalidOptionError) as refused:
            ask()
        assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "labels",
    [ILL, ILL.astype(int), ILL.astype(float), np.where(ILL, 1, -1), pd.array(ILL.astype(object))],
)
def test_14_01_one_beside_zero_stays_positive(labels: Any) -> None:
    assert rs.auc(labels, SCORE).value == rs.auc(ILL, SCORE).value > 0.5


def test_14_01_one_may_be_named_beside_two() -> None:
    named = rs.auc(ILL + 1, SCORE, pos_label=1)
    assert named.value == pytest.approx(1.0 - rs.auc(ILL, SCORE).value)
    with pytest.raises(rs.InvalidOptionError, match=r"y_true is coded 1\.0, 2\.0; name"):
        rs.auc(ILL + 1.0, SCORE)  # as they came, both alike
    missing = [None, *(ILL[1:] + 1).tolist()]
    with pytest.raises(rs.InvalidOptionError, match="y_true is coded 1, 2"):
        rs.auc(missing, SCORE, nan_policy="omit")


@pytest.mark.parametrize("name", CALLS)
def test_14_02_series_of_other_indexes_are_refused(name: str) -> None:
    y, score = pd.Series(ILL), pd.Series(SCORE)
    with pytest.raises(rs.InvalidSampleError, match="have different indexes") as refused:
        asked(name, y, score=score.sort_values())
    assert ".loc[y_true.index]" in str(refused.value)
    assert ".to_numpy()" in str(refused.value)
    assert asked(name, y, score=score).to_dict() == asked(name, ILL).to_dict()


def test_14_02_wherever_an_index_can_stand() -> None:
    y, score, turned = pd.Series(ILL), pd.Series(SCORE), pd.Series(SCORE).sort_values()
    ids = pd.Series(np.arange(N) // 2)
    turned_ids = ids.sort_index(ascending=False)
    shuffled = pd.DataFrame({"a": turned})
    arrays = rs.ScoredSample.from_arrays
    refused = [
        lambda: arrays(y, shuffled),
        lambda: arrays(y, {"a": score, "b": turned}),
        lambda: arrays(ILL, {"a": score, "b": turned}),
        lambda: arrays(y, SCORE, subject=turned_ids),
        lambda: arrays(y, SCORE, cluster=turned_ids),
        lambda: rs.ScoredSample.from_frame({"y": y, "a": turned}, outcome="y", markers="a"),
        lambda: rs.report({"y": y, "a": turned}, outcome="y", markers="a", r="no"),
        lambda: rs.multiclass_auc(y, turned),
        lambda: rs.compare(y, {"a": score, "b": OTHER}, folds=turned_ids),
    ]
    for call in refused:
        with pytest.raises(rs.InvalidSampleError, match="have different indexes"):
            call()


def turned_round(values: Any) -> pd.Series:
    return pd.Series(np.asarray(values)).sort_index(ascending=False)


BESIDE: dict[str, Callable[[], Any]] = {
    "group": lambda: rs.group_fairness(pd.Series(ILL), SCORE, group=turned_round(ODD)),
    "group and cluster": lambda: rs.group_fairness(
        ILL, SCORE, group=pd.Series(ODD), cluster=turned_round(np.arange(N))
    ),
    "frame of verification": lambda: rs.auc(
        pd.Series(ILL),
        SCORE,
        verified=np.arange(N) % 5 > 0,
        verification_model=pd.DataFrame({"age": turned_round(OTHER)}),
    ),
    "batch of a stream": lambda: rs.monitor([(pd.Series(ILL), turned_round(SCORE))] * 2),
    "times of a stream": lambda: rs.monitor(
        [(pd.Series(ILL), pd.Series(SCORE), turned_round(np.arange(N)))], window=10
    ),
    "batch of a sketch": lambda: rs.sketch(ILL, SCORE).update(pd.Series(ILL), turned_round(SCORE)),
    "subgroup of a report": lambda: rs.report(
        {"y": pd.Series(ILL), "a": SCORE, "ward": turned_round(ODD)},
        outcome="y",
        markers="a",
        subgroup="ward",
        r="no",
    ),
    "models of classes": lambda: rs.compare_multiclass(
        ILL, {"a": pd.Series(SCORE), "b": turned_round(SCORE)}
    ),
    "folds and scores": lambda: rs.cv_auc(ILL, pd.Series(SCORE), folds=turned_round(ODD)),
    "folds and subjects": lambda: rs.cv_auc(
        ILL, SCORE, folds=pd.Series(ODD), subject=turned_round(np.arange(N))
    ),
    "folds of a comparison": lambda: rs.compare(
        ILL, {"a": pd.Series(SCORE), "b": OTHER}, folds=turned_round(ODD)
    ),
}


@pytest.mark.parametrize("what", BESIDE)
def test_14_02_beside_labels_and_scores_too(what: str) -> None:
    with pytest.raises(rs.InvalidSampleError, match="have different indexes"):
        BESIDE[what]()


def test_14_01_a_stream_of_1_and_2_is_refused() -> None:
    batches = [(ILL + 1, SCORE)] * 2
    with pytest.raises(rs.InvalidOptionError) as refused:
        rs.monitor(batches)
    assert str(refused.value) == "y_true is coded 1, 2; name the positive class with pos_label=."
    with pytest.raises(rs.InvalidOptionError, match="is coded 1, 2"):
        rs.monitor([(np.full(N, label), SCORE) for label in (1, 2)] * 2, window=2 * N)
    named, plain = rs.monitor(batches, pos_label=2), rs.monitor([(ILL, SCORE)] * 2)
    assert rs.auc(named.baseline).value == rs.auc(plain.baseline).value > 0.5


@pytest.mark.parametrize("codes", [(1, 2), (1, 2, 3), (1, 3)])
def test_14_01_no_code_of_an_event_is_taken_for_censoring_unsaid(codes: tuple[int, ...]) -> None:
    """SPSS and R often write 1 for censored: without a 0, somebody has to say so."""
    frame = {"years": np.arange(N) + 1.0, "status": np.resize(codes, N), "a": SCORE}
    with pytest.raises(rs.InvalidSampleError, match="has the code 0 of censoring") as refused:
        rs.SurvivalSample.from_frame(frame, "years", "status", "a")
    assert "or say censored=None where everyone was followed to an event" in str(refused.value)
    rs.SurvivalSample.from_frame(frame, "years", "status", "a", censored=None)


def test_14_02_what_pairs_by_position_passes() -> None:
    y, turned = pd.Series(ILL), pd.Series(SCORE).sort_values()
    expected = rs.auc(ILL, turned.to_numpy()).value
    assert rs.auc(y, turned.to_numpy()).value == expected
    assert rs.auc(y.to_numpy(), turned).value == expected
    assert rs.auc(y, pl.Series(turned.to_numpy())).value == expected
    named = y.set_axis([f"p{i}" for i in range(N)])
    assert rs.auc(named, pd.Series(SCORE, index=named.index)).value == rs.auc(ILL, SCORE).value
    with pytest.raises(rs.InvalidSampleError, match="40 values but"):
        rs.auc(y, turned[:-1])


LACKING = np.where(np.arange(N) == 4, np.nan, SCORE)
SAID = "1 subject dropped"


def tells_of_drops(result: Any) -> None:
    account = {"n_dropped": 1, "missing": result.to_dict()["subjects"]["missing"]}
    assert sum(account["missing"].values()) == 1
    assert SAID in repr(result)
    assert SAID in result._repr_html_()
    assert result.to_dict()["subjects"].items() >= account.items()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore::rocstats.IncompletePairsWarning")
def test_14_09_every_result_tells_who_was_left_out(name: str) -> None:
    tells_of_drops(asked(name, ILL, score=LACKING, nan_policy="omit"))
    whole = asked(name, ILL)
    assert whole.to_dict()["subjects"]["n_dropped"] == 0


@pytest.mark.parametrize("name", CALLS)
def test_14_01_every_printout_names_the_positive_class(name: str) -> None:
    result = asked(name, np.where(ILL, "sick", "well"), pos_label="sick")
    for said in (repr(result), result._repr_html_()):
        assert "positive class sick" in said or "positives (sick)" in said
    assert result.to_dict()["subjects"]["pos_label"] == "sick"


def test_14_09_results_made_of_results_tell_it_too() -> None:
    sample = rs.ScoredSample.from_arrays(ILL, {"a": LACKING, "b": OTHER}, nan_policy="omit")
    both = rs.compare(sample)  # said when the sample was built: no warning each time
    few = rs.Permutation(n_resamples=50, rng=1)
    curve = rs.decision_curve(sample)
    for result in (
        both,
        both.pairwise(),
        rs.bootstrap(both, **FEW),
        rs.permutation_test(sample, resampling=few),
        rs.venkatraman_test(sample, resampling=few),
        curve.curve("a"),
        rs.multiclass_auc(ILL.astype(int), LACKING, nan_policy="omit"),
    ):
        tells_of_drops(result)
    tells_of_drops(rs.average_curves(sample, folds=np.arange(N - 1) // 10, marker="a"))
    with pytest.warns(rs.PooledFoldsWarning):
        tells_of_drops(rs.pooled_curve(sample, folds=np.arange(N - 1) // 10, marker="a"))
    found = rs.two_sample_test(SCORE, LACKING, nan_policy="omit")
    assert "1 missing value left out" in repr(found)
    assert found.to_dict()["dropped"] == 1


def test_14_09_a_report_says_what_it_leaves_out_by_default() -> None:
    frame = pd.DataFrame({"outcome": ILL, "a": LACKING})
    page = rs.report(frame, outcome="outcome", markers="a", n_resamples=100, r="no")
    assert "20 positives (True), 19 negatives (False)" in repr(page)
    assert "1 of 40 subjects left out (a missing in 1)" in repr(page)


def test_14_25_estimate_gives_what_the_scores_allow() -> None:
    sample = rs.ScoredSample.from_arrays(ILL, {"crp": 100 * SCORE, "risk": OTHER})
    found = rs.estimate(sample)
    rows = [(row.classifier, row.measure.name) for row in found.rows]
    assert rows == [
        ("crp", "auc"),
        ("crp", "sauc"),
        ("risk", "auc"),
        ("risk", "sauc"),
        ("risk", "smauc"),
    ]
    said = "smAUC of crp is left out: smAUC needs scores within [0, 1], got some from"
    assert said in repr(found)
    assert said in found._repr_html_()
    assert said in found.to_dict()["remarks"][0]
    assert found.covariance.shape == (5, 5)
    with pytest.raises(rs.ScoreRangeError):  # asked for by name it is refused
        rs.estimate(sample, measures=("auc", "smauc"))
    assert "left out" not in repr(rs.estimate(ILL, SCORE))


BOTH = np.column_stack([1.0 - SCORE, SCORE])


@pytest.mark.parametrize(
    ("labels", "pos_label", "column"),
    [
        (ILL, None, 1),
        (ILL.astype(int), 0, 0),
        (np.where(ILL, "sick", "well"), "sick", 0),  # sorted as predict_proba has its columns
        (np.where(ILL, "yes", "no"), "yes", 1),
    ],
)
def test_14_26_of_predict_proba_the_positive_column_is_taken(
    labels: Any, pos_label: Any, column: int
) -> None:
    probabilities = np.column_stack([1.0 - OTHER, OTHER])
    expected = rs.auc(labels, probabilities[:, column], pos_label=pos_label).value
    for given in (probabilities, probabilities.tolist(), probabilities.astype(np.float32)):
        found = rs.auc(labels, given, pos_label=pos_label)
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert found.classifier == f"P({found.sample.pos_label})"


def test_14_26_columns_named_by_the_classes_are_found_by_name() -> None:
    turned = pd.DataFrame({1: SCORE, 0: 1.0 - SCORE})
    assert rs.auc(ILL.astype(int), turned).value == rs.auc(ILL, SCORE).value


def test_14_26_names_of_other_libraries_and_rounded_probabilities() -> None:
    """Polars calls them column_0 and column_1; others end in the class; some have few digits."""
    labels = ILL.astype(int)
    expected = rs.auc(labels, SCORE).value
    for given in (
        pl.DataFrame(BOTH),
        pl.DataFrame({"p_0": 1.0 - SCORE, "p_1": SCORE}),
        pd.DataFrame({"proba_1": SCORE, "proba_0": 1.0 - SCORE}),
    ):
        assert rs.auc(labels, given).value == expected
        with pytest.raises(rs.InvalidOptionError, match=r"P\(0\) is not compared with P\(1\)"):
            rs.compare(labels, given)
    words = np.where(ILL, "sick", "well")
    named = pd.DataFrame({"p(sick": SCORE, "p(well": 1.0 - SCORE})
    assert rs.auc(words, named, pos_label="sick").value == expected
    half = BOTH.astype(np.float16)
    assert rs.auc(labels, half).classifier == "P(1)"
    with pytest.raises(rs.InvalidOptionError, match=r"2 markers \(crp, pct\)"):
        rs.auc(labels, pd.DataFrame({"crp": SCORE, "pct": 1.0 - SCORE}))


def test_14_26_both_classes_of_one_model_are_not_compared() -> None:
    with pytest.raises(rs.InvalidOptionError) as refused:
        rs.compare(ILL.astype(int), BOTH)
    assert "P(0) is not compared with P(1)" in str(refused.value)
    named = rs.compare(ILL, {"a": BOTH[:, 0], "b": BOTH[:, 1]})
    assert named.classifiers == ["a", "b"]


def test_14_26_a_list_of_two_vectors_is_two_models() -> None:
    expected = rs.compare(ILL, {"a": SCORE, "b": OTHER}).pairwise().tests[0]
    for given in (
        [SCORE, OTHER],
        (SCORE.tolist(), OTHER.tolist()),
        [pd.Series(SCORE), pd.Series(OTHER)],
        [pl.Series(SCORE), pl.Series(OTHER)],
    ):
        found = rs.compare(ILL, given)
        assert found.classifiers == ["score_1", "score_2"]
        assert found.pairwise().tests[0].pvalue == expected.pvalue
    named = rs.compare(ILL, [pd.Series(SCORE, name="crp"), pd.Series(OTHER, name="pct")])
    assert named.classifiers == ["crp", "pct"]
    rows = np.column_stack([SCORE, OTHER]).tolist()
    assert rs.compare(ILL, rows).pairwise().tests[0].pvalue == expected.pvalue


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx", "parquet", "sav", "xpt", "dta"])
def test_14_28_read_gives_a_frame(tmp_path: Path, suffix: str) -> None:
    import pyreadstat

    frame = pd.DataFrame({"ill": ILL.astype(float), "crp": SCORE})
    write: dict[str, Callable[[Path], object]] = {
        "csv": lambda file: frame.to_csv(file, index=False),
        "tsv": lambda file: frame.to_csv(file, index=False, sep="\t"),
        "xlsx": lambda file: frame.to_excel(file, index=False),
        "parquet": lambda file: frame.to_parquet(file),
        "sav": lambda file: pyreadstat.write_sav(frame, file),
        "xpt": lambda file: pyreadstat.write_xport(frame, file, file_format_version=5),
        "dta": lambda file: pyreadstat.write_dta(frame, file),
    }
    file = tmp_path / f"study.{suffix}"
    write[suffix](file)
    found = rs.read(file)
    assert isinstance(found, pd.DataFrame)
    assert list(found.columns) == ["ill", "crp"]
    np.testing.assert_allclose(found["crp"], SCORE, rtol=1e-14)
    assert found.attrs["format"]
    sample = rs.ScoredSample.from_frame(found, outcome="ill", markers="crp")
    assert rs.auc(sample).value == rs.auc(ILL, SCORE).value


def test_14_28_read_keeps_codes_and_knows_labels(tmp_path: Path) -> None:
    import pyreadstat

    frame = pd.DataFrame({"ill": ILL + 1.0, "crp": SCORE})
    labels = {"ill": {1: "sick", 2: "well"}}
    pyreadstat.write_sav(frame, tmp_path / "s.sav", variable_value_labels=labels)
    assert set(rs.read(tmp_path / "s.sav")["ill"]) == {1.0, 2.0}
    assert rs.read(tmp_path / "s.sav").attrs["labels"]["ill"] == {1.0: "sick", 2.0: "well"}
    assert set(rs.read(tmp_path / "s.sav", classes="ill")["ill"]) == {"sick", "well"}
    with pytest.raises(rs.InvalidOptionError, match="Did you mean 'ill'"):
        rs.read(tmp_path / "s.sav", classes="il")


@pytest.mark.parametrize("name", CALLS)
def test_14_28_frames_of_other_libraries(name: str) -> None:
    result = asked(name, ILL)
    expected = result.to_frame()
    moved = result.to_frame(backend="polars")
    assert isinstance(moved, pl.DataFrame)
    assert moved.columns == list(expected.columns)
    for column in expected.select_dtypes("number"):
        np.testing.assert_array_equal(
            moved[column].to_numpy().astype(float), expected[column].to_numpy(dtype=float)
        )
    assert result.to_frame(backend="pyarrow").num_rows == len(expected)
    with pytest.raises(ValueError, match="backend must be one of 'pandas', 'polars', 'pyarrow'"):
        result.to_frame(backend="excel")


def test_14_28_an_auc_below_one_half_gets_a_hint() -> None:
    hint = "The AUC of score is below one half: its high values were taken to speak for True"
    for result in (rs.auc(ILL, -SCORE), rs.gini(ILL, -SCORE), rs.estimate(ILL, -SCORE)):
        assert hint in repr(result)
        assert hint in result._repr_html_()
    both = rs.compare(ILL, {"score": -SCORE, "b": OTHER})
    assert repr(both).count("below one half") == 1
    low = rs.auc(ILL, SCORE, higher_is_positive=False)
    assert "its low values were taken" in repr(low)
    assert "below one half" not in repr(rs.auc(ILL, SCORE))
    assert "below one half" not in repr(rs.sauc(ILL, -SCORE))


def test_14_28_an_estimate_is_tested_against_a_value() -> None:
    found = rs.auc(ILL, SCORE)
    test = found.test()
    scipy = stats.t(found.scatter[1])
    delong = test.wald
    assert delong.statistic == pytest.approx((found.value - 0.5) / found.std_error, rel=1e-14)
    assert delong.pvalue == pytest.approx(2 * scipy.sf(delong.statistic), rel=1e-12)
    assert test.null_value == 0.5
    assert "DeLong" in repr(delong)
    assert "z test, variance at the null" in repr(test)
    more, less = (found.test(0.8, alternative=a) for a in ("greater", "less"))
    assert more.pvalue + less.pvalue == pytest.approx(1.0)
    # Its own interval ends where it rejects.
    limits = test.confidence_interval()
    assert found.test(limits.low).pvalue == pytest.approx(0.05, abs=1e-12)
    with pytest.raises(rs.InvalidOptionError, match="null_value="):
        rs.sauc(ILL, SCORE).test()
    with pytest.raises(rs.InvalidOptionError, match="must be a number"):
        found.test("high")
    assert rs.sauc(ILL, SCORE).test(0.1).pvalue < 1.0
    clusters = rs.ScoredSample.from_arrays(ILL, SCORE, cluster=np.arange(N) // 2)
    assert rs.auc(clusters).test().method == "t test, variance at the null, 20 clusters"
    assert "DeLong" not in repr(rs.auc(clusters))


def test_14_28_an_auc_is_tested_by_its_own_interval() -> None:
    """One AUC had two intervals, one beyond 1, and p < .0001 for a value inside the other."""
    ranks = [*range(9), 10.5, *range(10, 20)]
    near = rs.auc([0] * 10 + [1] * 10, ranks)  # one pair of a hundred is lost
    test = near.test(0.9)
    limits = near.confidence_interval()
    assert (*test.confidence_interval(),) == (*limits,)
    assert 0.9 in limits
    assert test.pvalue > 0.05 > test.wald.pvalue
    assert "DeLong's own test of AUC of score disagrees" in repr(test)
    draw = np.random.default_rng(28)
    many = np.arange(400) % 2
    samples = [
        near,
        rs.auc(many, many + draw.normal(size=400)),  # logit limits
        rs.auc(many[:160], many[:160] + draw.normal(size=160)),  # in part
        rs.auc(rs.ScoredSample.from_arrays(ILL, SCORE, cluster=np.arange(N) // 2)),
        rs.cv_auc(ILL, SCORE, folds=np.arange(N) // 2 % 4),
    ]
    for found in samples:
        for level in (0.5, 0.95, 0.999):
            low, high = found.confidence_interval(level)
            for limit in (low, high):
                assert found.test(limit).pvalue == pytest.approx(1.0 - level, rel=1e-9)
            more = found.test(low, alternative="greater")
            assert more.pvalue == pytest.approx((1.0 - level) / 2.0, rel=1e-9)
    pivot = samples[4].test(0.6).pivot
    for df in (3.0, 3.4, 17.1):  # scipy's far quantiles of t have at last the wrong sign
        odd = replace(pivot, situation=replace(pivot.situation, df=df))
        for tail in (0.25, 0.0005):
            for limit in odd.limits(tail):
                assert stdtr(df, -abs(odd.judge(limit)[0])) == pytest.approx(tail, rel=1e-9)
    for beside in (*np.nextafter(near.value, [0.0, 1.0]), near.value):
        assert near.test(float(beside)).pvalue == pytest.approx(1.0, abs=1e-9)
    # Where nothing varies there is an answer, as in the interval.
    perfect = rs.auc(ILL, ILL)
    assert perfect.test().pvalue < 1e-6
    low = perfect.confidence_interval().low
    assert perfect.test(low).pvalue == pytest.approx(0.05, rel=1e-9)
    for beyond in (80, 1.0, 0):
        with pytest.raises(rs.InvalidOptionError, match="must lie between 0 and 1"):
            near.test(beyond)


def test_14_28_the_hint_claims_no_more_than_the_interval() -> None:
    draw = np.random.default_rng(4)
    noise = -draw.normal(size=N) + 0.1 * ILL
    assert 0.4 < rs.auc(ILL, noise).value < 0.5
    assert "here they do not, though the interval reaches one half" in repr(rs.auc(ILL, noise))
    assert "here they speak against it" in repr(rs.auc(ILL, -SCORE))


def test_14_28_delong_is_named_and_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rocstats.cli import main

    found = rs.auc(ILL, SCORE)
    assert "(DeLong)" in repr(found)
    both = rs.compare(ILL, {"a": SCORE, "b": OTHER})
    assert "DeLong's components" in repr(both.pairwise(method="delong"))
    assert "DeLong's components" in repr(both.pairwise(reference="normal"))
    limits, wald = (found.confidence_interval(method=m) for m in ("delong", "wald"))
    assert (limits.low, limits.high, limits.method) == (wald.low, min(wald.high, 1.0), "delong")
    near = rs.auc([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1])
    assert (
        near.confidence_interval(method="delong").high
        == 1.0
        < near.confidence_interval(method="wald").high
    )
    with pytest.raises(rs.InvalidOptionError, match="is for areas under the ROC curve"):
        rs.sauc(ILL, SCORE).confidence_interval(method="delong")
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"y": ILL.astype(int), "crp": -SCORE}).to_csv("s.csv", index=False)
    asked = ["auc", "s.csv", "--outcome", "y", "--markers", "crp", "--interval", "delong"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert " delong" in said
    assert "The AUC of crp is below one half" in said
