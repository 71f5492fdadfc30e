"""ScoredSample: what goes in, and every refusal with its sentence."""

from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocstats as rs

Y = [1, 0, 1, 0, 1]
S = [0.9, 0.1, 0.8, 0.8, 0.3]
POSITIVE = [True, False, True, False, True]

LABELS = {
    "list": (Y, 1),
    "bool": (np.array(POSITIVE), True),
    "bool by 1": (np.array(POSITIVE), 1),
    "uint8": (np.array(Y, dtype=np.uint8), 1),
    "int8": (np.array(Y, dtype=np.int8), 1),
    "uint64": (np.array(Y, dtype=np.uint64), 1),
    "float": (np.array(Y, dtype=float), 1),
    "float32": (np.array(Y, dtype=np.float32), 1.0),
    "minus one": (np.where(POSITIVE, 1, -1), 1),
    "two is positive": (np.where(POSITIVE, 2, 1), 2),
    "zero is positive": (np.where(POSITIVE, 0, 1), 0),
    "string": (np.where(POSITIVE, "sick", "well"), "sick"),
    "bytes": (np.where(POSITIVE, b"sick", b"well"), b"sick"),
    "object": (np.array(["sick" if p else "well" for p in POSITIVE], dtype=object), "sick"),
    "tuple of str": (tuple("sick" if p else "well" for p in POSITIVE), "sick"),
    "categorical": (pd.Categorical.from_codes([1, 0, 1, 0, 1], ["well", "sick"]), "sick"),
    "categorical series": (pd.Series(np.where(POSITIVE, "sick", "well"), dtype="category"), "sick"),
    "nullable bool": (pd.Series(POSITIVE, dtype="boolean"), True),
    "nullable int": (pd.Series(Y, dtype="Int8"), 1),
    "pandas": (pd.Series(Y, index=[5, 4, 3, 2, 1]), 1),
    "polars": (pl.Series(Y), 1),
    "polars enum": (
        pl.Series(["s" if p else "w" for p in POSITIVE], dtype=pl.Enum(["w", "s"])),
        "s",
    ),
    "arrow": (pa.chunked_array([Y[:2], Y[2:]]), 1),
    "arrow array": (pa.array(Y), 1),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_every_kind(name: str) -> None:
    labels, pos_label = LABELS[name]
    sample = rs.ScoredSample.from_arrays(labels, S, pos_label=pos_label)
    assert sample.positive.tolist() == POSITIVE
    assert (sample.n_pos, sample.n_neg) == (3, 2)


SCORES = {
    "list": S,
    "array": np.array(S),
    "strided": np.array([S, S]).T[:, 0],
    "read-only": np.frombuffer(np.array(S).tobytes()),
    "pandas": pd.Series(S, index=list("edcba")),
    "nullable": pd.Series(S, dtype="Float64"),
    "arrow-backed": pd.Series(S, dtype="double[pyarrow]"),
    "polars": pl.Series(S),
    "arrow": pa.chunked_array([S]),
    "objects": np.array(S, dtype=object),
    "column": np.array(S)[:, np.newaxis],
    "dict": {"score": S},
    "pandas frame": pd.DataFrame({"score": S}),
    "polars frame": pl.DataFrame({"score": S}),
    "lazy frame": pl.LazyFrame({"score": S}),
    "arrow table": pa.table({"score": S}),
    "masked": np.ma.masked_array(S, mask=False),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores_of_every_kind(name: str) -> None:
    sample = rs.ScoredSample.from_arrays(Y, SCORES[name])
    np.testing.assert_array_equal(sample.scores, [S])


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int16, np.int64, np.float16, np.float32])
def test_narrow_scores_keep_their_values(dtype: type) -> None:
    scores = np.array([1, 0, 1, 1, 0], dtype=dtype)
    np.testing.assert_array_equal(rs.ScoredSample.from_arrays(Y, scores).scores[0], scores)


def test_several_markers() -> None:
    both = np.array([S, S[::-1]])
    by_dict = rs.ScoredSample.from_arrays(Y, {"a": both[0], "b": both[1]})
    by_array = rs.ScoredSample.from_arrays(Y, both.T)
    assert by_dict.markers == ("a", "b")
    assert by_array.markers == ("score_1", "score_2")
    np.testing.assert_array_equal(by_dict.scores, by_array.scores)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, dict])
def test_from_frame(make: type) -> None:
    frame = make({"id": list("abcde"), "y": ["p", "n", "p", "n", "p"], "m": S, "k": S[::-1]})
    sample = rs.ScoredSample.from_frame(
        frame, outcome="y", markers=["k", "m"], pos_label="p", subject="id"
    )
    assert sample.markers == ("k", "m")
    assert (sample.pos_label, sample.neg_label) == ("p", "n")
    assert sample.subject is not None
    assert sample.subject.tolist() == list("abcde")
    np.testing.assert_array_equal(sample.scores, [S[::-1], S])


def test_omit_drops_a_subject_from_all_markers_and_says_why() -> None:
    y = [1, 0, 1, 0, None, 1, 0]
    a = [1.0, np.nan, 3, 4, 5, 6, 7]
    b = [1.0, np.nan, 3, np.nan, 5, 6, 7]
    sample = rs.ScoredSample.from_arrays(
        y, {"a": a, "b": b}, subject=list("tuvwxyz"), nan_policy="omit"
    )
    assert sample.scores.tolist() == [[1.0, 3.0, 6.0, 7.0]] * 2
    assert sample.subject is not None
    assert sample.subject.tolist() == ["t", "v", "y", "z"]
    assert str(sample.dropped) == (
        "3 subjects dropped (y_true missing in 1, a missing in 1, b missing in 2)"
    )
    assert "3 subjects dropped" in repr(sample)


@pytest.mark.parametrize(
    "scores",
    [
        [0.9, None, 0.8, 0.8, 0.3],
        pd.Series([0.9, None, 0.8, 0.8, 0.3], dtype="Float64"),
        pd.Series([0.9, pd.NA, 0.8, 0.8, 0.3], dtype=object),
        pl.Series([0.9, None, 0.8, 0.8, 0.3]),
        pl.Series([0.9, float("nan"), 0.8, 0.8, 0.3]),
        pa.chunked_array([[0.9, None, 0.8, 0.8, 0.3]]),
        np.ma.masked_array(S, mask=[0, 1, 0, 0, 0]),
    ],
)
def test_missing_scores_of_every_kind(scores: object) -> None:
    with pytest.raises(rs.InvalidSampleError, match=r"missing values \(1 in score\); .*omit"):
        rs.ScoredSample.from_arrays(Y, scores)
    sample = rs.ScoredSample.from_arrays(Y, scores, nan_policy="omit")
    assert sample.scores.tolist() == [[0.9, 0.8, 0.8, 0.3]]


@pytest.mark.parametrize(
    "labels",
    [
        [1, None, 1, 0, 1],
        [1, float("nan"), 1, 0, 1],
        np.array([1, np.nan, 1, 0, 1]),
        pd.Series([1, None, 1, 0, 1], dtype="Int64"),
        pd.Series([True, None, True, False, True], dtype="boolean"),
        pl.Series([1, None, 1, 0, 1]),
        np.ma.masked_array([1, 0, 1, 0, 1], mask=[0, 1, 0, 0, 0]),
    ],
)
def test_missing_labels_of_every_kind(labels: object) -> None:
    with pytest.raises(rs.InvalidSampleError, match=r"missing values \(1 in y_true\)"):
        rs.ScoredSample.from_arrays(labels, S)
    sample = rs.ScoredSample.from_arrays(labels, S, nan_policy="omit")
    assert sample.positive.tolist() == [True, True, False, True]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
@pytest.mark.parametrize("make", [list, lambda v: pd.Series(v, dtype="category"), pd.Series])
def test_missing_string_labels(make: Callable[[list[object]], object], missing: object) -> None:
    labels = make(["p", missing, "p", "n", "p"])
    sample = rs.ScoredSample.from_arrays(labels, S, pos_label="p", nan_policy="omit")
    assert (sample.n_pos, sample.n_neg, sample.dropped.n) == (3, 1, 1)


REFUSALS = {
    "one class": (lambda: ([1, 1], [0.1, 0.2]), rs.SingleClassError, "one class only (1)"),
    "one other class": (lambda: ([0, 0], [0.1, 0.2]), rs.SingleClassError, "one class only (0)"),
    "one string": (lambda: (["a", "a"], [1, 2]), rs.SingleClassError, "one class only ('a')"),
    "unknown pos_label": (
        lambda: (["a", "b"], [1, 2]),
        rs.InvalidSampleError,
        "pos_label 1 is not among the labels of y_true ('a', 'b')",
    ),
    "unknown number": (lambda: ([0, 2], [1, 2]), rs.InvalidSampleError, "(0, 2)"),
    "three classes": (
        lambda: ([0, 1, 2], [1, 2, 3]),
        rs.InvalidSampleError,
        "two classes, got 3 (0, 1, 2)",
    ),
    "three words": (lambda: (["a", "b", 1], [1, 2, 3]), rs.InvalidSampleError, "got 3"),
    "half labels": (lambda: ([0, 0.5, 1], [1, 2, 3]), rs.InvalidSampleError, "got 3 (0.0, 0.5, 1"),
    "unequal": (
        lambda: ([0, 1], [1, 2, 3]),
        rs.InvalidSampleError,
        "y_true has 2 values but score has 3",
    ),
    "unequal markers": (
        lambda: ([0, 1], {"a": [1, 2], "b": [1]}),
        rs.InvalidSampleError,
        "y_true has 2 values but b has 1",
    ),
    "missing": (lambda: (Y, [0.9, np.nan, 0.8, 0.8, 0.3]), rs.InvalidSampleError, "1 in score"),
    "words": (lambda: ([0, 1], ["x", "y"]), rs.InvalidSampleError, "must be numbers"),
    "number words": (lambda: ([0, 1], ["0.1", "0.2"]), rs.InvalidSampleError, "must be numbers"),
    "mixed": (
        lambda: ([0, 1], np.array([0.1, "x"], dtype=object)),
        rs.InvalidSampleError,
        "must be numbers, got 'x'",
    ),
    "complex": (lambda: ([0, 1], [1j, 2j]), rs.InvalidSampleError, "must be numbers"),
    "dates": (
        lambda: ([0, 1], np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")),
        rs.InvalidSampleError,
        "must be numbers",
    ),
    "empty": (lambda: ([], []), rs.InvalidSampleError, "there is no subject"),
    "no marker": (lambda: ([0, 1], {}), rs.InvalidSampleError, "at least one score column"),
    "same names": (
        lambda: ([0, 1], {1: [1, 2], "1": [3, 4]}),
        rs.InvalidSampleError,
        "The marker name '1' is there twice",
    ),
    "same columns": (
        lambda: ([0, 1], pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])),
        rs.InvalidSampleError,
        "same name",
    ),
    "three dimensions": (
        lambda: ([0, 1], np.zeros((2, 1, 1))),
        rs.InvalidSampleError,
        "one-dimensional",
    ),
    "two-dimensional labels": (
        lambda: (np.array([[0], [1]]), [1, 2]),
        rs.InvalidSampleError,
        "y_true must be one-dimensional, got shape (2, 1)",
    ),
    "ragged": (lambda: ([0, 1], [[1, 2], [3]]), rs.InvalidSampleError, "same length"),
    "a scalar": (lambda: (1, [1, 2]), rs.InvalidSampleError, "column of values was expected"),
    "a word": (lambda: ("01", [1, 2]), rs.InvalidSampleError, "column of values was expected"),
    "big integers": (
        lambda: ([0, 1], np.array([2**53 + 1, 2**53])),
        rs.InvalidSampleError,
        "do not fit a double exactly",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    data, error, sentence = REFUSALS[name]
    with pytest.raises(error) as caught:
        rs.ScoredSample.from_arrays(*data())
    message = str(caught.value)
    assert sentence in message
    assert message.count("\n") == 0
    assert message.endswith(".")


@pytest.mark.parametrize(
    "scores",
    [
        [2**64 + 1, 2**64, 3, 2],
        pd.array([2**53 + 1, 2**53, 7, 5], dtype="Int64"),
        [Decimal("0.1") + Decimal("1e-25") * i for i in range(4)],
        np.array([1, 1 + np.finfo(np.longdouble).eps, 3, 4], dtype=np.longdouble),
    ],
)
def test_distinct_scores_are_never_made_equal(scores: object) -> None:
    with pytest.raises(rs.InvalidSampleError, match="do not fit a double exactly"):
        rs.ScoredSample.from_arrays([1, 0, 1, 0], scores)


def test_big_integers_beside_a_missing_one() -> None:
    scores = pd.array([2**53 + 1, 2**53, None, 5], dtype="Int64")
    with pytest.raises(rs.InvalidSampleError, match="do not fit a double exactly"):
        rs.ScoredSample.from_arrays([1, 0, 1, 0], scores, nan_policy="omit")


def test_odd_input_gets_a_sentence() -> None:
    frame = pd.DataFrame({0: Y, 1: S})
    assert rs.ScoredSample.from_frame(frame, outcome=0, markers=[1]).markers == ("1",)  # type: ignore[arg-type, list-item]
    with pytest.raises(rs.InvalidSampleError, match="no column 'None'"):
        rs.ScoredSample.from_frame(frame, outcome="0", markers=None)  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidSampleError, match="column of values was expected"):
        rs.ScoredSample.from_arrays({0, 1}, [1, 2])
    with pytest.raises(rs.InvalidOptionError, match="pos_label must be one label"):
        rs.ScoredSample.from_arrays(Y, S, pos_label=np.array([1, 0]))
    with pytest.raises(rs.InvalidSampleError, match="swapped"):
        rs.auc(S, Y)
    with pytest.raises(rs.InvalidSampleError, match="Some subject ids are missing"):
        rs.ScoredSample.from_arrays(Y, S, subject=["a", None, "b", "c", "d"])


def test_a_marker_named_like_the_outcome_does_not_hide_missing_labels() -> None:
    sample = rs.ScoredSample.from_arrays(
        [1, 0, None, 1, 0], {"y_true": [1, 2, 3, 4, None]}, nan_policy="omit"
    )
    assert (sample.n_pos, sample.n_neg, sample.dropped.n) == (2, 1, 2)


def test_labels_are_shown_as_given() -> None:
    sample = rs.ScoredSample.from_arrays([True, False, None, True], [1, 2, 3, 4], nan_policy="omit")
    assert (sample.pos_label, sample.neg_label) == (True, False)
    assert "2 positives (True), 1 negatives (False)" in repr(sample)


def test_a_series_lends_its_name() -> None:
    assert rs.auc(Y, pd.Series(S, name="crp")).classifier == "crp"


def test_repeated_subjects_warn_unless_clustered() -> None:
    ids = ["a", "a", "b", "c", "d"]
    with pytest.warns(rs.RepeatedSubjectWarning, match="1 more rows than subjects"):
        rs.ScoredSample.from_arrays(Y, S, subject=ids)
    sample = rs.ScoredSample.from_arrays(Y, S, subject=ids, cluster=ids)
    assert sample.cluster is not None
    assert sample.cluster.tolist() == [0, 0, 1, 2, 3]


def test_everything_missing_under_omit() -> None:
    with pytest.raises(rs.InvalidSampleError, match="No subject is left: 2 subjects dropped"):
        rs.ScoredSample.from_arrays([0, 1], [np.nan, np.nan], nan_policy="omit")


def test_one_class_left_under_omit() -> None:
    with pytest.raises(rs.SingleClassError, match="one class only"):
        rs.ScoredSample.from_arrays([0, 1, 1], [np.nan, 1, 2], nan_policy="omit")


def test_unknown_columns_get_a_hint() -> None:
    frame = pd.DataFrame({"outcome": Y, "s100b": S})
    with pytest.raises(rs.InvalidSampleError, match=r"no column 's100'.*Did you mean 's100b'"):
        rs.ScoredSample.from_frame(frame, outcome="outcome", markers=["s100"])
    with pytest.raises(rs.InvalidSampleError, match=r"no column 'otcome'.*Did you mean 'outcome'"):
        rs.ScoredSample.from_frame(frame, outcome="otcome", markers="s100b")
    with pytest.raises(rs.InvalidSampleError, match="no column 'id'"):
        rs.ScoredSample.from_frame(frame, outcome="outcome", markers="s100b", subject="id")


def test_frame_refusals() -> None:
    frame = pd.DataFrame({"y": Y, "a": S})
    with pytest.raises(rs.InvalidSampleError, match="cannot predict itself"):
        rs.ScoredSample.from_frame(frame, outcome="y", markers=["y", "a"])
    with pytest.raises(rs.InvalidSampleError, match="'a' is there twice"):
        rs.ScoredSample.from_frame(frame, outcome="y", markers=["a", "a"])
    with pytest.raises(rs.InvalidSampleError, match="at least one score column"):
        rs.ScoredSample.from_frame(frame, outcome="y", markers=[])
    with pytest.raises(rs.InvalidSampleError, match="data frame or a mapping"):
        rs.ScoredSample.from_frame([1, 2], outcome="y", markers="a")


def test_option_refusals() -> None:
    with pytest.raises(rs.InvalidOptionError, match="nan_policy must be one of 'raise', 'omit'"):
        rs.ScoredSample.from_arrays(Y, S, nan_policy="drop")  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match=r"names 'scor'.*Did you mean 'score'"):
        rs.ScoredSample.from_arrays(Y, S, higher_is_positive={"scor": False})
    with pytest.raises(rs.InvalidOptionError, match="one of them for each marker"):
        rs.ScoredSample.from_arrays(Y, S, higher_is_positive=[True, False])
    with pytest.raises(rs.InvalidSampleError, match="5 subjects but 2 subject ids"):
        rs.ScoredSample.from_arrays(Y, S, subject=[1, 2])


def test_a_sample_and_array_options_do_not_mix() -> None:
    sample = rs.ScoredSample.from_arrays(Y, S)
    with pytest.raises(rs.InvalidOptionError, match="pos_label cannot be given"):
        rs.auc(sample, pos_label=0)
    with pytest.raises(rs.InvalidOptionError, match="y_score cannot be given"):
        rs.auc(sample, S)
    with pytest.raises(rs.InvalidSampleError, match="y_score is missing"):
        rs.auc(Y)


def test_orientation_is_never_guessed() -> None:
    worst = rs.auc([0, 0, 1, 1], [4, 3, 2, 1])
    assert worst.value == 0.0
    assert rs.auc([0, 0, 1, 1], [4, 3, 2, 1], higher_is_positive=False).value == 1.0
    sample = rs.ScoredSample.from_arrays(
        [0, 0, 1, 1], {"up": [1, 2, 3, 4], "down": [4, 3, 2, 1]}, higher_is_positive={"down": False}
    )
    assert [row.value for row in rs.estimate(sample, measures="auc").rows] == [1.0, 1.0]
    assert "down (low is positive)" in repr(sample)


def test_the_sample_does_not_follow_its_source() -> None:
    scores = np.array(S)
    sample = rs.ScoredSample.from_arrays(Y, scores)
    scores[:] = 0.0
    assert sample.scores.tolist() == [S]
    with pytest.raises(ValueError, match="read-only"):
        sample.scores[0, 0] = 1.0


def test_naming_a_marker() -> None:
    sample = rs.ScoredSample.from_arrays(Y, {"aa": S, "bb": S[::-1]})
    assert rs.auc(sample, marker="bb").classifier == "bb"
    with pytest.raises(rs.InvalidOptionError, match=r"2 markers \(aa, bb\); name one"):
        rs.auc(sample)
    with pytest.raises(rs.InvalidOptionError, match="no marker 'ab'; it has aa, bb"):
        rs.auc(sample, marker="ab")


@pytest.mark.parametrize("measure", [rs.sauc, rs.smauc])
def test_infinite_scores_are_for_ranks_only(measure: object) -> None:
    y, s = [1, 1, 0, 0], [np.inf, 0.5, 0.4, -np.inf]
    assert rs.auc(y, s).value == 1.0
    assert rs.roc_curve(y, s).area() == 1.0
    with pytest.raises(rs.ScoreRangeError, match="needs finite scores"):
        measure(y, s)  # type: ignore[operator]


def test_numbers_beyond_the_doubles_and_wrong_kinds_are_refused() -> None:
    y, s = [0, 1, 0, 1], [1, 2, 3, 4]
    with pytest.raises(rs.InvalidSampleError, match="beyond the range of doubles"):
        rs.auc(y, [1, 2, 3, 10**400])
    with pytest.raises(rs.InvalidOptionError, match="strictly between 0 and 1"):
        rs.auc(y, s).confidence_interval(confidence_level=10**400)
    with pytest.raises(rs.InvalidOptionError, match="must be True, False"):
        rs.auc(y, s, higher_is_positive=3)  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="no marker"):
        rs.auc(rs.ScoredSample.from_arrays(y, s), marker=np.array(["a", "b"]))  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="must be a number"):
        rs.roc_curve(y, s).at(threshold=10**400)


def test_a_class_that_went_missing_is_told_from_one_that_never_was() -> None:
    frame = {"y": [1, 1, 0, 0], "a": [None, None, 1.0, 2.0]}
    with pytest.raises(
        rs.SingleClassError, match=r"needed, with 2 subjects dropped \(a missing in 2\)\."
    ):
        rs.ScoredSample.from_frame(frame, outcome="y", markers="a", nan_policy="omit")


def test_ids_of_clusters_may_be_numbers_and_texts() -> None:
    frame = {"y": [1, 0, 1, 0], "a": [4.0, 3.0, 2.0, 1.0], "c": ["7a", 7, "7a", 7]}
    sample = rs.ScoredSample.from_frame(frame, outcome="y", markers="a", cluster="c")
    assert sample.cluster is not None
    assert sample.cluster.tolist() == [0, 1, 0, 1]
    assert sample.cluster_ids == ("7a", 7)


def test_faults_are_told_one_after_another() -> None:
    """Lengths, ids, missing values, the label, the classes, the orientation: in this order."""
    good = {"subject": ["a", "b", "c"], "pos_label": 1, "nan_policy": "omit"}
    good |= {"higher_is_positive": True}
    bad = {"subject": ["a"], "pos_label": [1], "higher_is_positive": "up", "nan_policy": "raise"}
    steps: list[tuple[set[str], list[object], list[float], str]] = [
        (set(), [1, 1, None], [1.0], "they must be as many"),
        (set(), [1, 1, None], [1.0, 2.0, 3.0], "1 subject ids"),
        ({"subject"}, [1, 1, None], [1.0, 2.0, 3.0], "missing values"),
        ({"subject", "nan_policy"}, [None] * 3, [1.0, 2.0, 3.0], "No subject is left"),
        ({"subject", "nan_policy"}, [1, 1, None], [1.0, 2.0, 3.0], "one label"),
        (
            {"subject", "nan_policy", "pos_label"},
            [1, 1, None],
            [1.0, 2.0, 3.0],
            "1 subject dropped",
        ),
        ({"subject", "nan_policy", "pos_label"}, [1, 0, 0], [1.0, 2.0, 3.0], "higher_is_positive"),
    ]
    for mended, y, s, sentence in steps:
        options = bad | {name: good[name] for name in mended}
        with pytest.raises(rs.RocstatsError, match=sentence):
            rs.ScoredSample.from_arrays(y, s, **options)


@pytest.mark.parametrize("kind", ["int64", "uint8", "bool", "float64"])
def test_a_series_of_plain_numbers_needs_no_wrapper(kind, monkeypatch):
    def wrapped(values):
        raise AssertionError(f"{values!r} was wrapped")

    monkeypatch.setattr("rocstats.data.columns._wrap", wrapped)
    found = rs.auc(pd.Series(Y, dtype=kind), pd.Series(S, name="crp"), pos_label=1)
    assert (found.value, found.classifier) == (rs.auc(Y, S, pos_label=1).value, "crp")
    with pytest.raises(rs.InvalidSampleError, match="1 in crp"):
        rs.auc(pd.Series(Y, dtype=kind), pd.Series([*S[:-1], np.nan], name="crp"), pos_label=1)
