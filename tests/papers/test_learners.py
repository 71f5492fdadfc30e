"""The learners against scikit-learn, and against what defines them."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import rocstats as rs
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.data_sets.loading import load_set
from rocstats.papers.learners.entropy_cuts import apply_cuts, entropy_cuts
from rocstats.papers.learners.learners_by_name import LEARNERS
from rocstats.papers.learners.naive_bayes import NaiveBayes
from rocstats.papers.learners.ridge_logistic import Logistic, fit_logistic
from rocstats.papers.learners.subsets import SUBSET_LEARNERS, subset_scores
from rocstats.papers.learners.support_vectors import GridSvm
from rocstats.papers.learners.trees import ProbabilityTree, pruned_nodes

ROUNDING = 1e-12  # of sums of logarithms
CONVERGED = 1e-5  # coefficients of two optimisers, theirs with its own tolerance

LEVELS = (3, 0, 2, 0, 5)


def mixed(seed=0, n=200, missing=0.0, n_classes=2):
    """Codes of 3, 2 and 5 levels and two columns of numbers, with classes that depend on them."""
    rng = np.random.default_rng(seed)
    X = np.empty((n, 5))
    for j, count in enumerate(LEVELS):
        X[:, j] = rng.integers(count, size=n) if count else rng.normal(size=n)
    noise = rng.normal(size=n)
    y = np.digitize(X[:, 0] + X[:, 1] - X[:, 2] + noise, np.linspace(0, 1, n_classes + 1)[1:-1])
    gone = rng.random((n, 5)) < missing
    X = np.where(gone, np.where(np.array(LEVELS) > 0, -1.0, np.nan), X)
    return X, y


def bench_of(X, y, levels=LEVELS):
    return BenchSet(
        name="made",
        title="Made",
        columns=tuple(f"a{j}" for j in range(X.shape[1])),
        levels=levels,
        X=X,
        target=y.astype(np.int64),
        classes=("0", "1"),
        y=y == 1,
        grouping="1",
        source="made here",
        sha256="",
    )


# -------------------------------------------------------------------------------------- naive Bayes


@pytest.mark.parametrize("n_classes", [2, 3])
def test_naive_bayes_is_scikit_learns_where_that_has_one(n_classes):
    X, y = mixed(n_classes=n_classes)
    nominal, numeric = [0, 2, 4], [1, 3]
    theirs = CategoricalNB(alpha=1.0, min_categories=[3, 2, 5]).fit(X[:, nominal], y)
    ours = NaiveBayes(levels=(3, 2, 5)).fit(X[:, nominal], y)
    codes = ours.predict_proba(X[:, nominal])
    assert codes == pytest.approx(theirs.predict_proba(X[:, nominal]), abs=ROUNDING)
    gauss = GaussianNB(var_smoothing=0.0).fit(X[:, numeric], y)
    numbers = NaiveBayes().fit(X[:, numeric], y).predict_proba(X[:, numeric])
    assert numbers == pytest.approx(gauss.predict_proba(X[:, numeric]), abs=1e-10)
    both = NaiveBayes(levels=LEVELS).fit(X, y)
    joint = np.log(codes) + np.log(numbers) - np.log(np.bincount(y) / y.size)
    joint = np.exp(joint - joint.max(axis=1, keepdims=True))
    expected = joint / joint.sum(axis=1, keepdims=True)
    assert both.predict_proba(X) == pytest.approx(expected, abs=1e-10)
    assert np.array_equal(both.predict(X), np.argmax(expected, axis=1))


def test_naive_bayes_skips_what_is_missing():
    X, y = mixed(missing=0.2)
    model = NaiveBayes(levels=LEVELS).fit(X, y)
    odds, prior = model.log_odds(X)
    for i in range(20):
        for j, count in enumerate(LEVELS):
            terms = []
            for k in (1, 0):
                column = X[y == k, j]
                if count:
                    column = column[column >= 0]
                    share = (np.sum(column == X[i, j]) + 1) / (column.size + count)
                    terms.append(0.0 if X[i, j] < 0 else math.log(share))
                else:
                    column = column[~np.isnan(column)]
                    density = stats.norm.logpdf(X[i, j], column.mean(), column.std())
                    terms.append(0.0 if np.isnan(X[i, j]) else density)
            assert odds[i, j] == pytest.approx(terms[0] - terms[1], abs=1e-10)
    assert prior == pytest.approx(logit(y.mean()))
    assert model.predict_proba(X)[:, 1] == pytest.approx(expit(odds.sum(axis=1) + prior))


def test_naive_bayes_floor_and_a_class_without_values():
    X = np.array([[1.0], [1.0], [3.0], [7.0], [8.0]])
    y = np.array([0, 0, 1, 1, 1])
    model = NaiveBayes().fit(X, y).model_
    gaps = np.mean([2.0, 4.0, 1.0])
    assert model.std[0, 0] == pytest.approx(gaps / 6.0)
    X[:2] = np.nan
    model = NaiveBayes().fit(X, y).model_
    assert model.mean[0, 0] == pytest.approx(6.0)  # of all rows
    assert np.isfinite(NaiveBayes().fit(np.full((4, 1), np.nan), [0, 1, 0, 1]).log_odds(X)[0]).all()


# -------------------------------------------------------------------------------------------- trees


def test_c44_is_scikit_learns_tree_with_laplace_leaves():
    X, y = mixed(n_classes=3)
    Z = np.column_stack([X[:, 0] == k for k in range(3)] + [X[:, 1], X[:, 2], X[:, 3]])
    Z = np.column_stack([Z] + [X[:, 4] == k for k in range(5)])
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=3)
    leaf = theirs.fit(Z, y).apply(Z)
    ours = ProbabilityTree(levels=LEVELS, seed=3).fit(X, y).predict_proba(X)
    for row, home in zip(ours, leaf, strict=True):
        counts = np.bincount(y[leaf == home], minlength=3)
        assert row == pytest.approx((counts + 1.0) / (counts.sum() + 3.0))
    raw = ProbabilityTree(levels=LEVELS, seed=3, laplace=0.0).fit(X, y)
    assert raw.predict_proba(X) == pytest.approx(theirs.predict_proba(Z))


def pruned_by_recursion(tree, node, confidence):
    """Expected errors of a pruned subtree and its leaves, from Quinlan's definition."""
    t = tree.tree_
    rows = int(t.n_node_samples[node])
    share = t.value[node, 0] / t.value[node, 0].sum()
    errors = round(rows * (1.0 - share.max()))
    limit = stats.beta.ppf(1.0 - confidence, errors + 1, rows - errors)
    as_leaf = rows * limit
    if t.children_left[node] < 0:
        return as_leaf, [node]
    parts = [
        pruned_by_recursion(tree, child, confidence)
        for child in (t.children_left[node], t.children_right[node])
    ]
    below = sum(part[0] for part in parts)
    if as_leaf <= below + 0.1:
        return as_leaf, [node]
    return below, parts[0][1] + parts[1][1]


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_pruning_is_that_of_c45(confidence):
    X, y = mixed(seed=4, n=400)
    model = ProbabilityTree(levels=LEVELS, laplace=0.0, confidence=confidence).fit(X, y)
    answers = pruned_nodes(model.tree_, confidence=confidence)
    used = set(answers[np.flatnonzero(model.tree_.tree_.children_left < 0)])
    expected = set(pruned_by_recursion(model.tree_, 0, confidence)[1])
    assert used == expected
    assert 1 <= len(used) < model.tree_.get_n_leaves()
    whole = ProbabilityTree(levels=LEVELS, laplace=0.0).fit(X, y)
    fresh = mixed(seed=5, n=2000)
    assert model.score(*fresh) > whole.score(*fresh)


# ----------------------------------------------------------------------------------------- logistic


def test_logistic_is_the_maximum_likelihood_fit():
    X, y = mixed()
    ours = Logistic(levels=LEVELS).fit(X, y)
    dummies = [X[:, 0] == k for k in (1, 2)] + [X[:, 4] == k for k in range(1, 5)]
    Z = np.column_stack([*dummies, X[:, 1], X[:, 2], X[:, 3]])
    theirs = LogisticRegression(C=1e10, tol=1e-10, max_iter=5000).fit(Z, y)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(Z), abs=CONVERGED)
    assert ours.decision_function(X) == pytest.approx(logit(ours.predict_proba(X)[:, 1]))


def test_logistic_fits_many_subsets_as_it_fits_one():
    rng = np.random.default_rng(1)
    A = np.column_stack([np.ones(80), rng.normal(size=(80, 6))])
    y = A[:, 1] + rng.normal(size=80) > 0
    keep = np.column_stack([np.ones(10, dtype=bool), rng.random((10, 6)) < 0.6])
    together = fit_logistic(A, y, keep)
    for b, row in zip(together, keep, strict=True):
        alone = np.zeros(7)
        alone[row] = fit_logistic(A[:, row], y, np.ones((1, row.sum()), dtype=bool))[0]
        assert b == pytest.approx(alone, abs=1e-8)
        p = expit(A @ b)
        assert np.abs((y - p) @ A[:, row]).max() < 1e-3  # the likelihood equations
    big = np.tile(A, (200, 1))
    assert fit_logistic(big, np.tile(y, 200), keep) == pytest.approx(together, abs=1e-5)


def test_logistic_of_separable_and_degenerate_data():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    X[:, 2] = 7.0
    model = Logistic().fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert model.score(X, y) == 1.0
    assert model.coef_[3] == 0.0
    wide = rng.normal(size=(20, 40))
    assert np.isfinite(Logistic().fit(wide, y[:20]).coef_).all()
    with pytest.raises(rs.InvalidSampleError, match="two classes, got 3"):
        Logistic().fit(X, np.arange(60) % 3)


def test_logistic_fills_what_is_missing_with_mean_and_mode():
    X, y = mixed(missing=0.15)
    filled = X.copy()
    for j, count in enumerate(LEVELS):
        column = X[:, j]
        if count:
            usual = np.bincount(column[column >= 0].astype(int)).argmax()
            filled[:, j] = np.where(column < 0, usual, column)
        else:
            filled[:, j] = np.where(np.isnan(column), np.nanmean(column), column)
    expected = Logistic(levels=LEVELS).fit(filled, y).predict_proba(filled)
    assert Logistic(levels=LEVELS).fit(X, y).predict_proba(X) == pytest.approx(expected, abs=1e-6)


# ------------------------------------------------------------------------------------ subset scores


@pytest.mark.parametrize("learner", SUBSET_LEARNERS)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_subset_scores_are_those_of_models_without_the_attributes(learner, missing):
    X, y = mixed(missing=missing)
    rng = np.random.default_rng(3)
    order = rng.permutation(y.size)
    train, rows = order[:100], order[100:]
    keep = np.ones((6, 5), dtype=bool)
    for row in keep:
        row[rng.choice(5, 2, replace=False)] = False
    found = subset_scores(learner, bench_of(X, y))(train, rows, keep, 7)
    for scores, row in zip(found, keep, strict=True):
        levels = [count for count, kept in zip(LEVELS, row, strict=True) if kept]
        alone = LEARNERS[learner](levels, 7).fit(X[train][:, row], y[train])
        expected = alone.predict_proba(X[rows][:, row])[:, 1]
        assert scores == pytest.approx(expected, abs=1e-6 if learner == "logistic" else 1e-9)
    with pytest.raises(rs.InvalidOptionError, match=r"Did you mean 'c4\.4'"):
        subset_scores("c44", bench_of(X, y))


# --------------------------------------------------------------------------------------------- SVM


def test_svm_chooses_as_a_grid_search_does():
    X, y = mixed(n=90)
    grid = {"C": [0.125, 2.0, 32.0], "gamma": [2.0**-7, 0.125, 2.0]}
    ours = GridSvm(penalties=grid["C"], gammas=grid["gamma"], seed=5).fit(X, y)
    low, high = X.min(axis=0), X.max(axis=0)
    Z = 2.0 * (X - low) / (high - low) - 1.0
    folds = StratifiedKFold(3, shuffle=True, random_state=5)
    theirs = GridSearchCV(SVC(), grid, cv=folds).fit(Z, y)
    assert {"C": ours.C_, "gamma": ours.gamma_} == theirs.best_params_
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(Z))
    assert np.array_equal(ours.predict(X), theirs.predict(Z))
    few = GridSvm(penalties=[1.0], gammas=[0.5, 1.0], tuning_rows=40).fit(X, y)
    assert few.machine_.shape_fit_ == (90, 5)


# --------------------------------------------------------------------------------------------- MDLP


def test_cuts_of_iris_are_the_published_ones():
    """Those of Kim's R package discretization, ``mdlp(iris)$cutp``."""
    X, y = load_iris(return_X_y=True)
    cuts = [entropy_cuts(X[:, j], y) for j in range(4)]
    assert [pytest.approx(c) for c in cuts] == [
        (5.55, 6.15),
        (2.95, 3.35),
        (2.45, 4.75),
        (0.8, 1.75),
    ]


def cuts_by_definition(x, y):
    def entropy(labels):
        share = np.unique(labels, return_counts=True)[1] / labels.size
        return float(-np.sum(share * np.log2(share)))

    best = None
    for cut in (np.unique(x)[:-1] + np.unique(x)[1:]) / 2.0:
        a, b = y[x < cut], y[x >= cut]
        inside = (a.size * entropy(a) + b.size * entropy(b)) / y.size
        if best is None or inside < best[0] - 1e-12:
            best = inside, cut, a, b
    if best is None:
        return []
    inside, cut, a, b = best
    k, ka, kb = (np.unique(part).size for part in (y, a, b))
    change = np.log2(3.0**k - 2) - (k * entropy(y) - ka * entropy(a) - kb * entropy(b))
    if entropy(y) - inside <= (np.log2(y.size - 1) + change) / y.size:
        return []
    below, above = x < cut, x >= cut
    return [*cuts_by_definition(x[below], a), float(cut), *cuts_by_definition(x[above], b)]


@pytest.mark.parametrize("seed", range(8))
def test_cuts_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=150), 1)
    y = np.digitize(np.sin(2.0 * x) + 0.3 * rng.normal(size=150), [-0.3, 0.5][: 1 + seed % 2])
    assert list(entropy_cuts(x, y)) == pytest.approx(cuts_by_definition(x, y))


def test_cuts_are_applied_to_numbers_alone():
    X = np.array([[0.1, 2.0], [0.5, -1.0], [np.nan, 0.0]])
    codes, levels = apply_cuts(X, (0, 3), [(0.5,), (1.0,)])
    assert codes.tolist() == [[0.0, 2.0], [1.0, -1.0], [-1.0, 0.0]]
    assert levels == (2, 3)
    assert entropy_cuts(np.array([1.0, np.nan, 1.0]), np.array([0, 1, 1])) == ()


# ---------------------------------------------------------------------------- as scikit-learn's own


@pytest.mark.parametrize("name", LEARNERS)
def test_learners_work_in_scikit_learn_and_twice_alike(name):
    X, y = mixed(n=120)
    labels = np.array(["no", "yes"])[y]
    model = LEARNERS[name](LEVELS, 1)
    if name == "svm":
        model.set_params(penalties=(1.0, 8.0), gammas=(0.1, 1.0))
    copy = clone(model)
    assert repr(copy) == repr(model)
    assert model.fit(X, labels).classes_.tolist() == ["no", "yes"]
    score = "decision_function" if name == "svm" else "predict_proba"
    assert np.array_equal(getattr(model, score)(X), getattr(copy.fit(X, labels), score)(X))
    assert cross_val_score(model, X, labels, cv=3, scoring="roc_auc").mean() > 0.6
    with pytest.raises(ValueError, match="has no parameter depth"):
        model.set_params(depth=3)


def test_grid_search_over_our_own_parameters():
    X, y = mixed()
    search = GridSearchCV(ProbabilityTree(levels=LEVELS), {"min_leaf": [2, 20]}, cv=3).fit(X, y)
    assert search.best_params_["min_leaf"] in (2, 20)


def test_what_is_no_matrix_of_codes_is_refused():
    with pytest.raises(rs.InvalidSampleError, match="codes must be 0 to 1, or -1"):
        NaiveBayes(levels=(2,)).fit([[0], [2]], [0, 1])
    with pytest.raises(rs.InvalidSampleError, match="one number a column, 2, got 1"):
        NaiveBayes(levels=(2,)).fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(rs.InvalidSampleError, match="two dimensions"):
        NaiveBayes().fit([0, 1], [0, 1])
    with pytest.raises(rs.InvalidSampleError, match="list of labels"):
        NaiveBayes().fit([[0], [1]], [[0], [1]])


@pytest.mark.parametrize("learner", ["c4.4", "svm"])
def test_scikit_learn_is_asked_for_by_its_extra(learner, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(rs.MissingDependencyError, match=r"rocstats\[ml\]"):
        LEARNERS[learner](LEVELS, 0).fit(*mixed(n=20))


def test_monks_are_learned_as_known():
    """MONK 1 needs a relation of two attributes: trees learn it, naive Bayes cannot."""
    data = load_set("monk1")
    found = {}
    for name in ("nb", "c4.4", "logistic"):
        model = LEARNERS[name](data.levels, 0).fit(data.X[432:], data.y[432:])
        found[name] = rs.auc(data.y[:432], model.predict_proba(data.X[:432])[:, 1]).value
    assert found["c4.4"] > 0.9 > 0.8 > max(found["nb"], found["logistic"])
