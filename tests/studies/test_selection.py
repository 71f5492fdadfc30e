"""Model selection: the counting by hand, the corrected test, and how a selection runs."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import IsolationForest, RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    f1_score,
    make_scorer,
    roc_auc_score,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import rocstats as rs
from rocstats.papers.learners.naive_bayes import NaiveBayes
from rocstats.studies.corrected import sign_test_p
from rocstats.studies.model_criteria import CRITERIA
from rocstats.studies.selection_result import ModelSelection
from rocstats.studies.splits import fold_parts, random_part

EXACT = 1e-12
CLEAR = 4.0  # Monte-Carlo standard errors: one test in 16 000 is beyond by chance


def rows(seed=0, n=160):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = X[:, 0] - 0.5 * X[:, 1] + rng.normal(size=n) > 0
    return X, y.astype(int)


def candidates():
    return {
        "logistic": LogisticRegression(),
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(min_samples_leaf=5),
    }


# --------------------------------------------------------------------------------- corrected t test


def test_corrected_variance_is_nadeau_and_bengios():
    d = [0.02, 0.01, 0.04, 0.00, 0.03]  # mean 0.02, s^2 = 0.001 / 4
    found = rs.corrected_t_test(d, n_train=90, n_test=10, contrast="a - b")
    std_error = math.sqrt((1 / 5 + 10 / 90) * 0.00025)
    assert found.std_error == pytest.approx(std_error, rel=EXACT)
    assert found.statistic == pytest.approx(0.02 / std_error, rel=EXACT)
    assert (found.df, found.contrast) == (4.0, "a - b")
    assert found.pvalue == pytest.approx(2 * stats.t.sf(0.02 / std_error, 4), rel=EXACT)
    less = rs.corrected_t_test(d, n_train=90, n_test=10, alternative="less", null_value=0.01)
    assert less.pvalue == pytest.approx(stats.t.cdf(0.01 / std_error, 4), rel=EXACT)
    greater = rs.corrected_t_test(d, n_train=90, n_test=10, alternative="greater")
    assert greater.pvalue == pytest.approx(found.pvalue / 2, rel=EXACT)
    limits = found.confidence_interval()
    reach = stats.t.ppf(0.975, 4) * std_error
    assert (limits.low, limits.high) == pytest.approx((0.02 - reach, 0.02 + reach))


def test_corrected_test_without_a_correction_is_the_t_test():
    d = np.random.default_rng(0).normal(0.1, 1.0, size=30)
    found = rs.corrected_t_test(d, n_train=10**15, n_test=1)
    assert found.pvalue == pytest.approx(stats.ttest_1samp(d, 0.0).pvalue, rel=1e-9)


def test_corrected_test_refuses_and_warns():
    with pytest.warns(rs.DegenerateVarianceWarning, match="All differences of d are equal"):
        found = rs.corrected_t_test([0.1, 0.1, 0.1], n_train=9, n_test=1, contrast="d")
    assert math.isnan(found.pvalue)
    assert math.isnan(found.confidence_interval().low)
    with pytest.raises(rs.InvalidSampleError, match="Two or more finite differences"):
        rs.corrected_t_test([0.1], n_train=9, n_test=1)
    with pytest.raises(rs.InvalidSampleError, match="finite"):
        rs.corrected_t_test([0.1, math.nan], n_train=9, n_test=1)
    for wrong in (["a", "b"], [[0.1], [0.1, 0.2]], (d for d in [0.1, 0.2]), None):
        with pytest.raises(rs.InvalidSampleError, match="one list of numbers, got"):
            rs.corrected_t_test(wrong, n_train=9, n_test=1)
    for wrong in ("0", math.nan):
        with pytest.raises(rs.InvalidOptionError, match="null_value must be a finite number"):
            rs.corrected_t_test([0.1, 0.2], n_train=9, n_test=1, null_value=wrong)
    with pytest.raises(rs.InvalidOptionError, match="numbers of rows"):
        rs.corrected_t_test([0.1, 0.2], n_train=0, n_test=1)
    with pytest.raises(rs.InvalidOptionError, match="alternative must be"):
        rs.corrected_t_test([0.1, 0.2], n_train=9, n_test=1, alternative="larger")


@pytest.mark.parametrize(("wins", "losses"), [(9, 2), (11, 0), (5, 5), (0, 0), (3, 10), (0, 1)])
def test_sign_test_is_exact(wins, losses):
    n = wins + losses
    expected = stats.binomtest(wins, n).pvalue if n else 1.0
    assert sign_test_p(wins, losses) == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
def test_size_of_the_corrected_and_the_plain_test():
    """Two learners that are exchangeable: each cuts its own attribute at the training mean."""
    n_sets, n, n_train, n_splits = 2000, 100, 90, 15
    rng = np.random.default_rng(20031)
    rejected = {"corrected": 0, "plain": 0}
    for _ in range(n_sets):
        y = rng.random(n) < 0.5
        X = rng.normal(size=(n, 2)) + 0.7 * y[:, None]
        d = np.empty(n_splits)
        for j in range(n_splits):
            order = rng.permutation(n)
            train, test = order[:n_train], order[n_train:]
            hit = (X[test] > X[train].mean(axis=0)) == y[test, None]
            d[j] = np.mean(hit[:, 0]) - np.mean(hit[:, 1])
        corrected = rs.corrected_t_test(d, n_train=n_train, n_test=n - n_train).pvalue
        rejected["corrected"] += corrected < 0.05
        rejected["plain"] += stats.ttest_1samp(d, 0.0).pvalue < 0.05
    error = math.sqrt(0.05 * 0.95 / n_sets)
    sizes = {name: count / n_sets for name, count in rejected.items()}
    assert sizes["plain"] > 0.05 + CLEAR * error
    assert sizes["corrected"] < 0.05 + CLEAR * error


# ------------------------------------------------------------------------------------------- splits


def test_random_splits_keep_the_classes_and_lose_no_row():
    y = np.arange(50) < 20
    train, validation, test = random_part(y, 0.1, 0.4, np.random.default_rng(0))
    assert np.array_equal(np.sort(np.concatenate([train, validation, test])), np.arange(50))
    assert [y[part].sum() for part in (train, validation, test)] == [10, 2, 8]
    assert [part.size for part in (train, validation, test)] == [25, 5, 20]


def test_every_fold_tests_and_validates_once():
    y = np.arange(53) < 23
    parts = fold_parts(y, 5, np.random.default_rng(0))
    for j in (1, 2):
        assert np.array_equal(np.sort(np.concatenate([p[j] for p in parts])), np.arange(53))
    for (train, validation, test), after in itertools.pairwise([*parts, parts[0]]):
        assert np.array_equal(validation, after[2])
        assert not set(train) & {*validation, *test}
        assert 10 <= test.size <= 11
        assert 4 <= y[test].sum() <= 5


# ------------------------------------------------------------------------------------------ answers


def by_hand():
    validated = np.array(
        [  # splits x criteria (auc, brier) x candidates
            [[0.8, 0.9, 0.7], [0.1, 0.2, 0.3]],
            [[0.9, 0.9, 0.7], [0.3, 0.2, 0.2]],
            [[0.6, 0.5, 0.7], [0.2, 0.1, 0.3]],
        ]
    )
    tested = np.array([[0.7, 0.8, 0.6], [0.9, 0.7, 0.9], [0.5, 0.6, 0.7]])
    return ModelSelection(
        candidates=("a", "b", "c"),
        by=("auc", "brier"),
        test="auc",
        validated=validated,
        tested=tested,
        n_train=50.0,
        n_validation=10.0,
        n_test=40.0,
        n_splits=3,
        design="by hand",
        entropy=1,
    )


def test_choices_are_counted_as_by_hand():
    found = by_hand()
    # auc chooses b; a or b; c.  brier chooses a; b or c; b.
    assert found.chosen[:, 0].tolist() == [[0, 1, 0], [0.5, 0.5, 0], [0, 0, 1]]
    assert found.chosen[:, 1].tolist() == [[1, 0, 0], [0, 0.5, 0.5], [0, 1, 0]]
    auc, brier = found.rows()
    assert auc["test_mean"] == pytest.approx((0.8 + 0.8 + 0.7) / 3)
    assert brier["test_mean"] == pytest.approx((0.7 + 0.8 + 0.6) / 3)
    assert auc["best"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert brier["best"] == pytest.approx((0 + 0.5 + 0) / 3)
    assert auc["regret"] == pytest.approx(0.1 / 3)
    assert brier["regret"] == pytest.approx((0.1 + 0.1 + 0.1) / 3)
    assert (auc["favourite"], auc["favourite_share"]) == ("b", pytest.approx(0.5))
    contrast = found.compare("auc", "brier")
    d = np.array([0.1, 0.0, 0.1])
    assert (contrast.wins, contrast.losses, contrast.ties) == (2, 0, 1)
    assert contrast.sign_pvalue == pytest.approx(0.5)
    assert contrast.plain.pvalue == pytest.approx(stats.ttest_1samp(d, 0.0).pvalue)
    expected = rs.corrected_t_test(d, n_train=60, n_test=40)
    assert contrast.corrected.pvalue == pytest.approx(expected.pvalue)
    assert sum(row["share"] for row in found.choices() if row["by"] == "auc") == pytest.approx(1)
    told = found.to_dict()
    assert told["comparisons"][0]["p_corrected"] == contrast.corrected.pvalue
    assert list(found.to_frame()["by"]) == ["auc", "brier"]
    assert "auc - brier" in repr(found)
    with pytest.raises(rs.InvalidOptionError, match="criterion must be one of"):
        found.compare("auc", "sauc")


def test_less_brier_is_better_on_test_rows_too():
    found = by_hand()
    judged = ModelSelection(**{**{f: getattr(found, f) for f in found.__slots__}, "test": "brier"})
    rows_of = judged.rows()
    assert rows_of[0]["regret"] == pytest.approx((0.2 + 0.1 + 0.2) / 3)
    assert judged.compare("auc", "brier").losses == 2


def test_values_are_those_of_scikit_learn_on_the_same_rows():
    X, y = rows()
    found = rs.select_model(candidates(), X, y, n_repeats=3, rng=5)
    again = np.random.SeedSequence(5)
    for index in range(3):
        rng = np.random.default_rng(np.random.SeedSequence(again.entropy, spawn_key=(index,)))
        train, validation, test = random_part(y == 1, 0.1, 0.4, rng)
        model = LogisticRegression().fit(X[train], y[train])
        values = dict(zip(found.by, found.validated[index, :, 0], strict=True))
        p = model.predict_proba(X[validation])[:, 1]
        assert values["auc"] == pytest.approx(roc_auc_score(y[validation], p))
        assert values["brier"] == pytest.approx(brier_score_loss(y[validation], p))
        expected = accuracy_score(y[validation], model.predict(X[validation]))
        assert values["accuracy"] == pytest.approx(expected)
        assert values["sauc"] == pytest.approx(rs.sauc(y[validation], p).value)
        assert values["smauc"] == pytest.approx(rs.smauc(y[validation], p).value)
        p = model.predict_proba(X[test])[:, 1]
        assert found.tested[index, 0] == pytest.approx(roc_auc_score(y[test], p))
    assert (found.n_train, found.n_validation, found.n_test) == (80, 16, 64)
    assert found.entropy == 5


def test_a_model_that_knows_nothing_is_not_chosen():
    X, y = rows(n=300)
    models = {"nothing": DummyClassifier(), "logistic": LogisticRegression()}
    found = rs.select_model(models, X, y, n_repeats=20, rng=1)
    for row in found.rows():
        assert row["favourite"] == "logistic"
        assert row["best"] > 0.9
        assert row["regret"] < 0.02


# -------------------------------------------------------------------------------------- how it runs


@pytest.mark.parametrize("splits", ["random", "cv"])
def test_workers_do_not_change_the_answer(splits):
    X, y = rows()
    models = {"forest": RandomForestClassifier(n_estimators=5), "bayes": GaussianNB()}
    options = {"splits": splits, "n_repeats": 3, "n_folds": 4, "rng": 3, "by": ("auc", "sauc")}
    one = rs.select_model(models, X, y, **options)
    two = rs.select_model(models, X, y, **options, n_jobs=2)
    assert np.array_equal(one.tested, two.tested)
    assert np.array_equal(one.validated, two.validated)
    assert one.tested.shape == ((3 if splits == "random" else 12), 2)
    assert not np.array_equal(
        one.tested, rs.select_model(models, X, y, **{**options, "rng": 4}).tested
    )
    longer = rs.select_model(models, X, y, **{**options, "n_repeats": 4})
    assert np.array_equal(longer.tested[: one.tested.shape[0]], one.tested)


def test_any_labels_frames_and_sparse_rows():
    X, y = rows()
    options = {"n_repeats": 4, "rng": 2}
    models = {"tree": DecisionTreeClassifier(max_depth=3), "logistic": LogisticRegression()}
    plain = rs.select_model(models, X, y, **options)
    words = np.array(["b", "a"])[y]  # now class 1 sorts first
    frame = pd.DataFrame(X, columns=list("abcd"))
    same = rs.select_model(models, frame, words, pos_label="a", **options)
    assert same.tested == pytest.approx(plain.tested)
    assert same.validated == pytest.approx(plain.validated)
    thin = rs.select_model(models, sparse.csr_array(X), pd.Series(y), **options)
    assert thin.tested == pytest.approx(plain.tested)
    listed = rs.select_model(models, X.tolist(), y.tolist(), **options)
    assert listed.tested == pytest.approx(plain.tested)
    for kind in (sparse.coo_array, sparse.csc_array):  # of which coo gives no rows by number
        assert rs.select_model(models, kind(X), y, **options).tested == pytest.approx(plain.tested)


def test_texts_are_rows_too():
    _, y = rows()
    texts = [f"word{label} and {'other' if i % 3 else 'more'}" for i, label in enumerate(y)]
    models = {
        "bayes": make_pipeline(CountVectorizer(), MultinomialNB()),
        "logistic": make_pipeline(CountVectorizer(), LogisticRegression()),
    }
    for X in (texts, np.array(texts), pd.Series(texts)):
        assert (rs.select_model(models, X, y, n_repeats=2, rng=1).tested == 1.0).all()


def test_pipelines_our_learners_and_machines_without_probabilities():
    X, y = rows()
    models = {
        "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
        "ours": NaiveBayes(),
        "line": LinearSVC(),
    }
    found = rs.select_model(models, X, y, by=("auc", "accuracy"), n_repeats=3, rng=1)
    assert np.isfinite(found.tested).all()
    with pytest.raises(rs.InvalidOptionError, match="Candidate line has no predict_proba, which"):
        rs.select_model(models, X, y, n_repeats=2)
    with pytest.raises(rs.InvalidOptionError, match="Candidate svc has no predict_proba"):
        rs.select_model({"svc": SVC(), "ours": NaiveBayes()}, X, y, by=("brier",))


def test_an_interrupted_selection_answers_with_what_is_done():
    X, y = rows()

    class Stops(GaussianNB):
        count = 0

        def fit(self, X, y):
            Stops.count += 1
            if Stops.count > 3:
                raise KeyboardInterrupt
            return super().fit(X, y)

    models = {"stops": Stops(), "bayes": GaussianNB()}
    with pytest.warns(rs.InterruptedStudyWarning, match="after 3 of 10 repetitions"):
        found = rs.select_model(models, X, y, by=("auc", "sauc"), n_repeats=10, rng=1)
    assert found.tested.shape == (3, 2)
    assert "stopped after 3 of 10" in repr(found)
    Stops.count = 3
    with pytest.raises(KeyboardInterrupt):
        rs.select_model(models, X, y, n_repeats=10, rng=1)


def test_what_cannot_be_done_is_refused():
    X, y = rows(n=40)
    models = candidates()
    with pytest.raises(rs.InvalidOptionError, match="two or more names"):
        rs.select_model({"a": GaussianNB()}, X, y)
    with pytest.raises(rs.InvalidOptionError, match="Did you mean 'sauc'"):
        rs.select_model(models, X, y, by=("sac",))
    with pytest.raises(rs.InvalidOptionError, match="list of different criteria"):
        rs.select_model(models, X, y, by="auc")
    with pytest.raises(rs.InvalidOptionError, match="list of different criteria"):
        rs.select_model(models, X, y, by=("auc", "auc"))
    with pytest.raises(rs.InvalidOptionError, match="test must be one of"):
        rs.select_model(models, X, y, test="f11")
    with pytest.raises(rs.InvalidOptionError, match="splits must be one of"):
        rs.select_model(models, X, y, splits="bootstrap")
    with pytest.raises(rs.InvalidOptionError, match="leave some rows to train"):
        rs.select_model(models, X, y, validation_size=0.5, test_size=0.5)
    with pytest.raises(rs.InvalidOptionError, match="n_folds must be a whole number of at least 3"):
        rs.select_model(models, X, y, splits="cv", n_folds=2)
    with pytest.raises(rs.InvalidSampleError, match="one label a row of X, 40"):
        rs.select_model(models, X, y[:10])
    with pytest.raises(rs.InvalidSampleError, match="two classes, got 3"):
        rs.select_model(models, X, np.arange(40) % 3)
    with pytest.raises(rs.InvalidSampleError, match="y has missing labels"):
        rs.select_model(models, X, [None, *y[1:]])
    with pytest.raises(rs.InvalidSampleError, match="y has missing labels"):
        rs.select_model(models, X, np.where(np.arange(40) == 3, np.nan, y))
    with pytest.raises(rs.InvalidSampleError, match="labels of one type, got"):
        rs.select_model(models, X, np.array([1 if label else "no" for label in y], dtype=object))
    with pytest.raises(rs.InvalidOptionError, match="n_repeats must be a whole number"):
        rs.select_model(models, X, y, n_repeats=0)
    with pytest.raises(rs.InvalidOptionError, match=r"is a class; give .* such as GaussianNB\(\)"):
        rs.select_model({**models, "class": GaussianNB}, X, y)
    with pytest.raises(rs.InvalidOptionError, match="pos_label 2 is not among"):
        rs.select_model(models, X, y, pos_label=2)
    with pytest.raises(rs.InvalidSampleError, match="rows that validate have one class only"):
        rs.select_model(models, X, np.arange(40) < 2, rng=1)
    with pytest.raises(rs.InvalidOptionError, match="has no method fit"):
        rs.select_model({**models, "word": "tree"}, X, y)
    for wrong in (5, {"auc"}, None):
        with pytest.raises(rs.InvalidOptionError, match="list of different criteria"):
            rs.select_model(models, X, y, by=wrong)
    with pytest.raises(rs.InvalidOptionError, match="by must be one of"):
        rs.select_model(models, X, y, by=[["auc"]])
    for wrong in (None, 3, "rows"):
        with pytest.raises(rs.InvalidSampleError, match="X must have rows, got"):
            rs.select_model(models, wrong, y)
    with pytest.raises(rs.InvalidSampleError, match="rows of the same length"):
        rs.select_model(models, [[1.0], [1.0, 2.0]], [0, 1])
    unknown = pd.Series([pd.NA, *np.array(["no", "yes"])[y][1:]], dtype="string")
    with pytest.raises(rs.InvalidSampleError, match="y has missing labels"):
        rs.select_model(models, X, unknown)
    with pytest.raises(rs.InvalidOptionError, match="IsolationForest has no classes_"):
        rs.select_model({**models, "odd": IsolationForest(n_estimators=5)}, X, y, by=("auc",))


def test_one_split_has_nothing_to_compare():
    found = rs.select_model(candidates(), *rows(), n_repeats=1, rng=1)
    assert found.to_dict()["comparisons"] == []
    assert "1 random split," in repr(found)
    assert "p_corrected" not in repr(found) + found._repr_html_()


def test_both_tables_are_shown():
    found = rs.select_model(candidates(), *rows(), by=("auc", "sauc"), n_repeats=3, rng=1)
    for text in (repr(found), found._repr_html_()):
        assert "favourite" in text
        assert "auc - sauc" in text


def test_an_error_names_its_candidate():
    X, y = rows()
    X[3, 0] = np.nan
    with pytest.raises(ValueError, match="NaN") as caught:
        rs.select_model({"logistic": LogisticRegression(), "bayes": GaussianNB()}, X, y, rng=1)
    assert caught.value.__notes__ == ["This happened with candidate logistic."]


def test_the_table_of_criteria():
    assert list(CRITERIA) == ["auc", "sauc", "smauc", "brier", "accuracy"]
    assert [name for name, criterion in CRITERIA.items() if not criterion.higher_is_better] == [
        "brier"
    ]


# ------------------------------------------------------------------------- issue 14, line 29


def negative_error(model, X, y):
    return -float(np.mean(model.predict(X) != y))


def test_14_29_scorers_and_measures_choose():
    X, y = rows(n=120)
    squared = rs.Measure(
        name="squared",
        label="squared margin",
        kernel=rs.pairwise_kernel("squared", lambda a, b: np.maximum(a - b, 0.0) ** 2),
    )
    by = ["auc", "roc_auc", "neg_brier_score", "brier", make_scorer(f1_score), negative_error,
          rs.partial_area(fpr=(0, 0.2)), squared, "accuracy", rs.sklearn.auc_scorer]  # fmt: skip
    found = rs.select_model(candidates(), X, y, by=by, test="neg_log_loss", n_repeats=6, rng=3)
    assert found.by == (
        *("auc", "roc_auc", "neg_brier_score", "brier", "f1_score", "negative_error"),
        *("pauc_fpr_0_0.2", "squared", "accuracy", "auc_value"),
    )
    values = dict(zip(found.by, found.validated.transpose(1, 0, 2), strict=True))
    np.testing.assert_allclose(values["roc_auc"], values["auc"], atol=1e-12)
    np.testing.assert_allclose(values["auc_value"], values["auc"], atol=1e-12)
    np.testing.assert_allclose(values["neg_brier_score"], -values["brier"], atol=1e-12)
    np.testing.assert_allclose(values["negative_error"], values["accuracy"] - 1.0, atol=1e-12)
    chosen = dict(zip(found.by, found.chosen.transpose(1, 0, 2), strict=True))
    np.testing.assert_array_equal(chosen["neg_brier_score"], chosen["brier"])
    np.testing.assert_array_equal(chosen["negative_error"], chosen["accuracy"])
    assert "judged by test neg_log_loss" in repr(found)
    json.dumps(found.to_dict())


def test_14_29_a_measure_is_its_own_estimate():
    X, y = rows(n=300)
    area = rs.partial_area(fpr=(0, 0.5))

    def watch(model, X, y):
        decides = hasattr(model, "decision_function")
        score = model.decision_function(X) if decides else model.predict_proba(X)[:, 1]
        return rs.partial_auc(y, score, fpr=(0, 0.5)).value

    by = {"mine": watch, "area": area}
    found = rs.select_model(candidates(), X, y, by=by, n_repeats=3, rng=1)
    np.testing.assert_allclose(found.validated[:, 0], found.validated[:, 1], atol=EXACT)
    assert found.by == ("mine", "area")


def test_14_29_workers_take_scorers_and_measures():
    X, y = rows(n=80)
    call = {"by": ["neg_log_loss", rs.partial_area(fpr=(0, 0.5))], "n_repeats": 4, "rng": 1}
    one, two = (rs.select_model(candidates(), X, y, **call, n_jobs=k) for k in (1, 2))
    np.testing.assert_array_equal(one.validated, two.validated)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (["neg_log_los"], "by must be one of"),
        ({"brier": negative_error}, "give yours another name"),
        ([negative_error, negative_error], "two called 'negative_error'; name them yourself"),
        ([3], "by must be one of"),
        ([lambda model, X, y: math.nan], "gave nan"),
    ],
)
def test_14_29_criteria_that_are_none_are_refused(by, message):
    X, y = rows(n=60)
    with pytest.raises(rs.InvalidOptionError, match=message):
        rs.select_model(candidates(), X, y, by=by, n_repeats=2, rng=1)
