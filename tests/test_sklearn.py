"""The scorers in scikit-learn's own tools."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import rocstats as rs
from rocstats.sklearn import auc_scorer, brier_scorer, sauc_scorer, smauc_scorer

SCORERS = {"auc": auc_scorer, "sauc": sauc_scorer, "smauc": smauc_scorer, "brier": brier_scorer}


def rows(labels=(0, 1), n=200):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    return X, np.array(labels)[y], y


@pytest.mark.parametrize(
    "labels", [(0, 1), (False, True), ("no", "yes"), (-1, 1), (2, 7), ("z", "a")]
)
def test_the_positive_class_is_scikit_learns(labels):
    X, y, _ = rows(labels)
    model = LogisticRegression().fit(X, y)
    truth = y == model.classes_[1]
    p = model.predict_proba(X)[:, 1]
    assert auc_scorer(model, X, y) == rs.auc(truth, p).value
    assert sauc_scorer(model, X, y) == rs.sauc(truth, p).value
    assert smauc_scorer(model, X, y) == rs.smauc(truth, p).value
    assert brier_scorer(model, X, y) == pytest.approx(-brier_score_loss(truth, p), abs=1e-15)


def test_a_grid_search_by_several_scorers():
    X, y, _ = rows(("no", "yes"))
    grid = {"max_depth": [1, 2, 4, 8, None]}
    tree = DecisionTreeClassifier(random_state=0)
    search = GridSearchCV(tree, grid, scoring=SCORERS, refit="sauc", cv=5, error_score="raise")
    found = search.fit(X, y).cv_results_
    for name, scorer in SCORERS.items():
        alone = GridSearchCV(tree, grid, scoring=scorer, cv=5).fit(X, y).cv_results_
        assert np.array_equal(found[f"mean_test_{name}"], alone["mean_test_score"])
        best = np.argmin(found[f"rank_test_{name}"])
        assert found[f"mean_test_{name}"][best] == found[f"mean_test_{name}"].max()
    assert (found["mean_test_brier"] < 0.0).all()
    assert search.best_index_ == np.argmax(found["mean_test_sauc"])


def test_auc_of_a_machine_without_probabilities():
    X, y, _ = rows()
    machine = SVC().fit(X, y)
    assert auc_scorer(machine, X, y) == rs.auc(y, machine.decision_function(X)).value
    with pytest.raises(AttributeError, match="predict_proba"):
        sauc_scorer(machine, X, y)


def test_scorers_go_to_workers_and_validators():
    X, y, _ = rows()
    for scorer in SCORERS.values():
        assert repr(pickle.loads(pickle.dumps(scorer))) == repr(scorer)
    found = cross_validate(LogisticRegression(), X, y, scoring=SCORERS, cv=3, n_jobs=2)
    assert np.array_equal(
        found["test_smauc"], cross_val_score(LogisticRegression(), X, y, scoring=smauc_scorer, cv=3)
    )


def test_one_class_and_three_classes_are_refused():
    X, y, positive = rows()
    model = LogisticRegression().fit(X, y)
    with pytest.raises(rs.SingleClassError, match="one class only"):
        auc_scorer(model, X[positive == 1], y[positive == 1])
    three = np.arange(y.size) % 3
    with pytest.raises(rs.InvalidSampleError, match="for two classes, got 3"):
        sauc_scorer(LogisticRegression().fit(X, three), X, three)


def test_scikit_learn_is_loaded_when_a_scorer_is_asked_for():
    script = (
        "import sys, rocstats.sklearn as s; assert 'sklearn' not in sys.modules; "
        "s.auc_scorer; assert 'sklearn' in sys.modules; print(*dir(s))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    scorers = ["auc_scorer", "brier_scorer", "sauc_scorer", "smauc_scorer"]
    assert run.stdout.split() == sorted([*scorers, "RocDisplay", "cross_val_auc"])
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import rocstats as rs, rocstats.sklearn as s\n"
        "try: s.sauc_scorer\n"
        "except rs.MissingDependencyError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == (
        "A scorer needs scikit-learn, which is not installed or cannot be loaded; run: pip install "
        '"rocstats[ml]".'
    )
    with pytest.raises(AttributeError, match="no attribute 'f1_scorer'"):
        sys.modules["rocstats.sklearn"].f1_scorer  # noqa: B018


def test_missing_labels_weights_and_several_outputs_are_refused_in_a_sentence():
    X, y, _ = rows(("no", "yes"))
    model = LogisticRegression().fit(X, y)
    some = np.array([None, *y[1:]], dtype=object)
    for missing in (some, np.where(np.arange(y.size) < 2, np.nan, y == "yes")):
        with pytest.raises(rs.InvalidSampleError, match="y has missing labels"):
            auc_scorer(model, X, missing)
    with pytest.raises(rs.InvalidSampleError, match="y holds labels that cannot be compared"):
        auc_scorer(model, X, np.array([1, *y[1:]], dtype=object))
    with pytest.raises(rs.InvalidSampleError, match="y must be one-dimensional"):
        auc_scorer(model, X, np.stack([y, y], axis=1))
    for scorer in SCORERS.values():
        assert scorer(model, X, y, sample_weight=None) == scorer(model, X, y)
        with pytest.raises(rs.InvalidOptionError, match="take no sample_weight"):
            scorer(model, X, y, sample_weight=np.ones(y.size))


def test_cross_val_auc_is_the_mean_of_the_folds():
    from sklearn.model_selection import GroupKFold, RepeatedStratifiedKFold, ShuffleSplit

    from rocstats.sklearn import cross_val_auc

    X, y, _ = rows(("no", "yes"))
    model = LogisticRegression()
    found = cross_val_auc(model, X, y, cv=5)
    assert found.value == pytest.approx(
        cross_val_score(model, X, y, cv=5, scoring="roc_auc").mean()
    )
    assert found.details["folds"] == 5
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    assert cross_val_auc(tree, X, y, cv=5).value == pytest.approx(
        cross_val_score(tree, X, y, cv=5, scoring="roc_auc").mean()
    )
    again = cross_val_auc(model, X, y, cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=3))
    assert (again.details["repeats"], again.details["subjects"]) == (3, 200)
    assert again.std_error == pytest.approx(found.std_error, rel=0.2)
    patients = np.arange(200) // 4
    grouped = cross_val_auc(model, X, y, cv=GroupKFold(5), groups=patients)
    assert len(grouped.sample.cluster_ids) == 50
    with pytest.raises(rs.InvalidOptionError, match="divide all rows"):
        cross_val_auc(model, X, y, cv=ShuffleSplit(3, random_state=0))


def test_displays_have_band_and_interval():
    import matplotlib as mpl

    mpl.use("Agg")
    from rocstats.sklearn import RocDisplay

    X, y, _ = rows(("no", "yes"))
    model = LogisticRegression().fit(X[:100], y[:100])
    shown = RocDisplay.from_estimator(model, X[100:], y[100:])
    by_hand = RocDisplay.from_predictions(
        y[100:], model.decision_function(X[100:]), name="mine", ax=shown.ax_
    )
    assert shown.estimate.value == by_hand.estimate.value
    assert shown.figure_ is by_hand.figure_
    low, high = shown.estimate.confidence_interval()
    first, text = (t.get_text() for t in by_hand.ax_.get_legend().get_texts())
    assert first.startswith("LogisticRegression")
    assert text.startswith("mine\nAUC")
    assert f"{low:.3f} to {high:.3f}" in text
    results = cross_validate(
        LogisticRegression(), X, y, cv=5, return_estimator=True, return_indices=True
    )
    folds = RocDisplay.from_cv_results(results, X, y)
    assert folds.estimate.details["folds"] == 5
    assert "mean AUC" in folds.ax_.get_legend().get_texts()[0].get_text()
    with pytest.raises(rs.InvalidOptionError, match="return_indices"):
        RocDisplay.from_cv_results({}, X, y)


def test_odd_uses_of_cross_val_auc():
    from scipy.sparse import coo_matrix
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import LeaveOneOut, PredefinedSplit, TimeSeriesSplit
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rocstats.sklearn import cross_val_auc

    X, y, _ = rows(("ill", "well"))
    model = LogisticRegression()
    found = cross_val_auc(model, X, y, cv=5)
    assert cross_val_auc(model, coo_matrix(X), y, cv=5).value == pytest.approx(found.value)
    assert cross_val_auc(make_pipeline(StandardScaler(), model), X, y, cv=5).std_error > 0.0
    other = cross_val_auc(model, X, y, cv=5, pos_label="ill")
    assert (other.value, other.std_error) == pytest.approx((found.value, found.std_error))
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    assert cross_val_auc(tree, X, y, cv=5, pos_label="ill").value == pytest.approx(
        cross_val_auc(tree, X, y, cv=5).value
    )
    half = np.arange(len(y)) % 2 == 0
    masks = cross_val_auc(model, X, y, cv=[(half, ~half), (~half, half)])
    assert masks.value == cross_val_auc(model, X, y, cv=PredefinedSplit(half.astype(int))).value
    refused = [
        ({"cv": LeaveOneOut()}, "leave-one-out"),
        ({"cv": TimeSeriesSplit(3)}, "tests rows 0 to 1 times"),
        ({"cv": 5, "pos_label": "sick"}, "pos_label must be one of the labels, 'ill', 'well'"),
        ({"cv": 5, "model": LinearRegression(), "y": np.array(y) == "well"}, "no scores"),
    ]
    for options, message in refused:
        given = {"model": model, "X": X, "y": y} | options
        with pytest.raises(rs.RocstatsError, match=message):
            cross_val_auc(given.pop("model"), given.pop("X"), given.pop("y"), **given)


def test_displays_name_the_positive_class_and_keep_patients_together():
    import matplotlib as mpl

    mpl.use("Agg")
    from sklearn.model_selection import GroupKFold

    from rocstats.sklearn import RocDisplay, cross_val_auc

    X, y, _ = rows(("ill", "well"))
    model = LogisticRegression().fit(X[:100], y[:100])
    ill = RocDisplay.from_estimator(model, X[100:], y[100:], pos_label="ill")
    well = RocDisplay.from_estimator(model, X[100:], y[100:])
    assert ill.estimate.value == pytest.approx(well.estimate.value)
    assert ill.ax_.get_legend().get_texts()[-1].get_text().endswith("positive class ill")
    with pytest.raises(rs.InvalidSampleError, match="column for each class"):
        RocDisplay.from_predictions(y[100:], model.predict_proba(X[100:]))
    patients, cv = np.arange(200) // 4, GroupKFold(5)
    results = cross_validate(
        model, X, y, cv=cv, groups=patients, return_estimator=True, return_indices=True
    )
    shown = RocDisplay.from_cv_results(results, X, y, groups=patients)
    found = cross_val_auc(LogisticRegression(), X, y, cv=cv, groups=patients)
    assert shown.estimate.std_error == pytest.approx(found.std_error)
