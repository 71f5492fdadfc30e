"""Weka's own learners against their definitions, and what is said where there is no Weka."""

import subprocess
import sys
import types

import numpy as np
import pytest
from scipy.optimize import brentq
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import rocstats as rs
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.data_sets.loading import load_set
from rocstats.papers.learners import weka_machine
from rocstats.papers.learners.learners_by_name import BACK_ENDS, require_backend
from rocstats.papers.learners.ridge_logistic import Logistic
from rocstats.papers.learners.subsets import subset_scores
from rocstats.papers.learners.weka_learners import SCHEMES, WekaClassifier
from rocstats.papers.learners.weka_machine import require_weka
from rocstats.papers.paper import BACK_ENDS as NAMES
from rocstats.papers.paper import Settings
from rocstats.papers.papers_by_name import PAPERS
from rocstats.papers.wu_flach_2005 import wu_flach_paper
from rocstats.papers.wu_flach_2005.fold_selection import CANDIDATES, FoldRuns, run_folds
from rocstats.papers.wu_flach_ferri_2007.selection_runs import Plan, run_selections
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_printed import TABLE_4
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_tables import table_rows

ROUNDING = 1e-12  # of sums of logarithms
CONVERGED = 1e-4  # probabilities of two optimisers
SEARCHED = 0.005  # of Weka's search for a stop probability, which ends early

LEVELS = (3, 0, 2, 0)


@pytest.fixture
def weka():
    """Skip where there is no Weka; in CI nothing may be skipped."""
    try:
        require_weka("This test")
    except rs.MissingDependencyError as absent:
        pytest.skip(str(absent))


def mixed(seed=0, n=120, missing=0.0):
    rng = np.random.default_rng(seed)
    X = np.empty((n, len(LEVELS)))
    for j, count in enumerate(LEVELS):
        X[:, j] = rng.integers(count, size=n) if count else rng.normal(size=n)
    y = X[:, 0] + X[:, 1] - X[:, 2] + rng.normal(size=n) > 0.5
    gone = rng.random(X.shape) < missing
    return np.where(gone, np.where(np.array(LEVELS) > 0, -1.0, np.nan), X), y


def bench_of(X, y, levels):
    return BenchSet(
        name="made",
        title="Made",
        columns=tuple(f"a{j}" for j in range(X.shape[1])),
        levels=levels,
        X=X,
        target=y.astype(np.int64),
        classes=("0", "1"),
        y=y,
        grouping="1",
        source="made here",
        sha256="",
    )


# ------------------------------------------------------------------------------ definitions


def test_an_unpruned_tree_with_laplace_has_a_leaf_for_each_level(weka):
    codes = np.repeat([0, 1, 2], [6, 5, 4])
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1], dtype=bool)
    model = WekaClassifier("c4.4", levels=(3,)).fit(codes[:, None], y)
    shares = [(y[codes == k].sum() + 1) / (np.sum(codes == k) + 2) for k in range(3)]
    np.testing.assert_allclose(model.predict_proba([[0], [1], [2]])[:, 1], shares, atol=ROUNDING)


def test_trees_split_by_gain_ratio_and_not_by_gain(weka):
    # of the attributes with at least the mean gain, one of eight levels has the greater gain and
    # one of two levels the greater ratio; the third is noise
    many = np.tile(np.arange(8), 8)
    y = np.isin(many, (0, 1, 2)) ^ (np.arange(64) % 16 == 5)
    few = (y ^ (np.arange(64) % 9 == 0)).astype(int)
    noise = np.arange(64) // 8 % 2

    def gain(codes):
        parts = [(np.mean(codes == k), y[codes == k].mean()) for k in np.unique(codes)]
        inside = sum(share * bits([p, 1 - p]) for share, p in parts)
        whole = bits([y.mean(), 1 - y.mean()]) - inside
        return whole, whole / bits([share for share, _ in parts])

    assert gain(many)[0] > gain(few)[0]
    assert gain(few)[0] > (gain(many)[0] + gain(few)[0] + gain(noise)[0]) / 3.0
    assert gain(many)[1] < gain(few)[1]
    X = np.column_stack([many, few, noise])
    tree = WekaClassifier("c4.4", levels=(8, 2, 2)).fit(X, y)
    first = str(tree.model_.toString()).splitlines()[3]
    assert first.startswith("a1 = 0")


def bits(shares):
    kept = np.array([share for share in shares if share > 0.0])
    return float(-np.sum(kept * np.log2(kept)))


def test_a_pruned_tree_of_noise_is_one_leaf_with_raw_shares(weka):
    rng = np.random.default_rng(1)
    X, y = rng.integers(3, size=(90, 2)), rng.random(90) < 0.3
    model = WekaClassifier("c4.5", levels=(3, 3)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], y.mean(), atol=ROUNDING)


def test_naive_bayes_is_laplace_for_levels_and_for_classes(weka):
    rng = np.random.default_rng(2)
    X, y = rng.integers(3, size=(50, 2)), rng.random(50) < 0.4
    found = WekaClassifier("nb", levels=(3, 3)).fit(X, y).predict_proba(X)[:, 1]
    joint = np.empty((2, 50))
    for k in (0, 1):
        mine = X[y == k]
        joint[k] = (len(mine) + 1) / (50 + 2)
        for j in range(2):
            counts = np.bincount(mine[:, j], minlength=3) + 1
            joint[k] *= (counts / counts.sum())[X[:, j]]
    np.testing.assert_allclose(found, joint[1] / joint.sum(axis=0), atol=ROUNDING)


def test_logistic_regression_is_ours(weka):
    X, y = mixed()
    theirs = WekaClassifier("logistic", levels=LEVELS).fit(X, y).predict_proba(X)
    ours = Logistic(levels=LEVELS).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(theirs, ours, atol=CONVERGED)


def test_kstar_of_one_attribute_is_cleary_and_triggs(weka):
    # a step from a level stays with s + (1 - s) / m and goes to another with (1 - s) / m; s has
    # the effective number of rows (sum p)**2 / sum p**2 a fifth of the way from n0 to n
    codes = np.repeat([0, 1, 2, 3], [10, 14, 6, 20])
    y = np.random.default_rng(3).random(50) < np.array([0.2, 0.8, 0.5, 0.4])[codes]
    found = WekaClassifier("kstar", levels=(4,)).fit(codes[:, None], y)
    for level in range(4):
        same = codes == level

        def chances(s, same=same):
            return (1.0 - s) / 4 + np.where(same, s, 0.0)

        def excess(s, same=same):
            p = chances(s)
            return p.sum() ** 2 / np.sum(p**2) - (same.sum() + 0.2 * (50 - same.sum()))

        p = chances(brentq(excess, 0.0, 1.0))
        assert found.predict_proba([[level]])[0, 1] == pytest.approx(
            p[y].sum() / p.sum(), abs=SEARCHED
        )


# ------------------------------------------------------------------------------ the interface


@pytest.mark.parametrize("scheme", SCHEMES)
def test_probabilities_add_up_with_missing_values_and_three_classes(weka, scheme):
    X, _ = mixed(missing=0.1)
    y = np.array(["a", "b", "c"])[np.random.default_rng(4).integers(3, size=len(X))]
    model = WekaClassifier(scheme, levels=LEVELS).fit(X, y)
    found = model.predict_proba(X)
    assert list(model.classes_) == ["a", "b", "c"]
    assert found.shape == (len(X), 3)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-9)
    assert model.predict_proba(X[:0]).shape == (0, 3)


def test_a_missing_level_is_missing_and_not_a_level(weka):
    X, y = mixed()
    model = WekaClassifier("nb", levels=LEVELS).fit(X, y)
    row = X[:1].copy()
    row[0, 0] = -1.0
    without = WekaClassifier("nb", levels=LEVELS[1:]).fit(X[:, 1:], y)
    np.testing.assert_allclose(
        model.predict_proba(row), without.predict_proba(row[:, 1:]), atol=ROUNDING
    )


@pytest.mark.parametrize("learner", ["c4.4", "nb", "logistic"])
def test_models_of_subsets_are_models_of_their_columns(weka, learner):
    X, y = mixed(missing=0.05)
    train, rows = np.arange(0, 80), np.arange(80, 120)
    keep = np.array([[True, True, True, True], [False, True, True, False]])
    scores_of = subset_scores(learner, bench_of(X, y, LEVELS), backend="weka")
    found = scores_of(train, rows, keep, 0)
    for i, kept in enumerate(keep):
        levels = tuple(np.array(LEVELS)[kept])
        model = BACK_ENDS["weka"][learner](levels, 0).fit(X[train][:, kept], y[train])
        np.testing.assert_allclose(found[i], model.predict_proba(X[rows][:, kept])[:, 1])


def test_scikit_learn_can_use_it(weka):
    X, y = mixed()
    model = clone(WekaClassifier("c4.4", levels=LEVELS))
    assert cross_val_score(model, X, y, scoring="roc_auc").mean() > 0.6


def test_the_numbers_do_not_depend_on_the_workers(weka):
    sets = {"Monk1": load_set("monk1")}
    one, two = (
        run_folds(sets, 2, Settings(backend="weka", n_jobs=n), rows=60, what="")["Monk1"]
        for n in (1, 2)
    )
    assert one.test_auc.shape == (20, 5)
    np.testing.assert_array_equal(one.test_auc, two.test_auc)
    np.testing.assert_array_equal(one.validation_sauc, two.validation_sauc)


def test_a_paper_runs_with_five_candidates(weka, monkeypatch):
    monkeypatch.setattr(wu_flach_paper, "_QUICK_SETS", ("Monk1",))
    found = wu_flach_paper.run(Settings(quick=True, backend="weka"), runs=1)
    words = " ".join(found.protocol)
    assert found.backend == "weka"
    assert found.to_dict()["backend"] == "weka"
    assert "5 models (naive Bayes, logistic, decision tree, K*, VFI)" in words
    assert "J48 -U -A" in words
    assert "Weka 3." in words
    assert "K*" not in found.left_out
    chosen = {row["candidate"]: row for row in found.tables[-1].rows}
    assert list(chosen) == ["naive Bayes", "logistic", "decision tree", "K*", "VFI"]
    for column in ("by_auc_all_rows", "by_sauc_150_rows"):
        assert sum(row[column] for row in chosen.values()) == pytest.approx(1.0)
    assert not any("K*" in claim.why for claim in found.claims)


def test_folds_are_those_of_the_stand_ins(weka):
    sets = {"Monk1": load_set("monk1")}
    own, theirs = (
        run_folds(sets, 1, Settings(backend=name), rows=60, what="")["Monk1"] for name in NAMES
    )
    assert CANDIDATES["python"][3] == CANDIDATES["weka"][4] == "VFI"
    np.testing.assert_array_equal(own.test_auc[:, 3], theirs.test_auc[:, 4])
    np.testing.assert_allclose(own.test_auc[:, 1], theirs.test_auc[:, 1])  # logistic regression


def test_nothing_is_left_in_the_users_home(weka, tmp_path):
    script = (
        "from rocstats.papers.learners.weka_learners import WekaClassifier\n"
        "WekaClassifier('c4.4').fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])\n"
    )
    subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path}\n{script}"],
        env={"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        check=True,
    )
    assert not list(tmp_path.iterdir())


def test_an_interrupt_is_pythons_and_the_machine_lives_on(weka):
    script = """
import os, signal
from rocstats.papers.learners.weka_learners import WekaClassifier
model = WekaClassifier("c4.4")
model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
try:
    os.kill(os.getpid(), signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    print("went on")
"""
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path}\n{script}"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (run.stdout, run.stderr, run.returncode) == ("went on\n", "", 0)


# ------------------------------------------------------------------------------ where it is wanting


class NoJavaError(Exception):
    """As JPype has one."""


def fake_jpype(*, running=False, path="/nowhere/lib/server/libjvm.so", found=True):
    """A JPype that finds a machine or none, and cannot start one."""

    def default_path():
        if not found:
            raise NoJavaError("No JVM shared library file (libjvm.so) found.")
        return path

    def start(*options, **more):
        raise OSError("it is\nbroken")

    def no_class(name):
        raise TypeError(f"Class {name} is not found")

    fake = types.ModuleType("jpype")
    fake.isJVMStarted = lambda: running
    fake.getDefaultJVMPath = default_path
    fake.JVMNotFoundException = NoJavaError
    fake.startJVM = start
    fake.JClass = no_class
    return fake


@pytest.fixture
def without_weka(monkeypatch):
    """Put a JPype into the place of the real one; None is none."""

    def put(jpype, jars=("weka.jar",)):
        monkeypatch.setitem(sys.modules, "jpype", jpype)
        monkeypatch.setattr(weka_machine, "java_class", weka_machine.java_class.__wrapped__)
        if jars:
            monkeypatch.setattr(weka_machine, "_jars", lambda: list(jars))

    return put


def said():
    with pytest.raises(rs.MissingDependencyError) as caught:
        require_backend("weka")
    sentence = str(caught.value)
    assert sentence.startswith("The back end weka needs Weka: ")
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_a_missing_package_is_named(without_weka):
    without_weka(None)
    assert 'pip install "rocstats[weka]"' in said()


def test_another_package_called_weka_is_not_it(without_weka, monkeypatch, tmp_path):
    without_weka(fake_jpype(), jars=())
    spec = types.SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(weka_machine, "find_spec", lambda name: spec)
    assert "python-weka-wrapper3 is not installed" in said()


def test_a_missing_java_is_named(without_weka):
    without_weka(fake_jpype(found=False))
    assert "there is no Java; install version 11 or newer" in said()


def test_a_java_that_does_not_start_is_named(without_weka):
    without_weka(fake_jpype())
    assert "Java at /nowhere/lib/server/libjvm.so did not start (it is broken);" in said()


def test_a_java_that_would_end_the_process_is_tried_in_another_one(without_weka, tmp_path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(
        "#!/bin/sh\necho 'Picked up JAVA_TOOL_OPTIONS: -Xmx1k' >&2\necho '# Too small'\nexit 1\n"
    )
    java.chmod(0o755)
    without_weka(fake_jpype(path=str(tmp_path / "lib" / "server" / "libjvm.so")))
    assert "did not start (Too small);" in said()


def test_a_machine_of_someone_else_must_know_weka(without_weka):
    without_weka(fake_jpype(running=True))
    assert "a Java machine is running in this process that does not know Weka" in said()


def test_newer_java_is_asked_to_be_quiet():
    assert weka_machine._quiet(17) == ()
    assert weka_machine._quiet(25) == ("--enable-native-access=ALL-UNNAMED",)


# ------------------------------------------------------------------------------ the choice


def test_every_back_end_can_be_chosen():
    assert tuple(BACK_ENDS) == NAMES
    assert {name for name, paper in PAPERS.items() if "weka" in paper.backends} == {
        *("wu-flach-2005", "wu-flach-ferri-2007", "klement-2011"),
    }
    with pytest.raises(rs.InvalidOptionError, match="backend must be one of 'python', 'weka'"):
        Settings(backend="java")
    with pytest.raises(rs.InvalidOptionError, match="backend"):
        subset_scores("nb", load_set("monk1"), backend="java")


def test_equal_candidates_share_a_fold():
    values = np.array([[0.5, 0.9, 0.9], [0.7, 0.6, 0.1]])
    runs = FoldRuns(validation_auc=values, validation_sauc=-values, test_auc=values)
    np.testing.assert_allclose(runs.shares("auc"), [0.5, 0.25, 0.25])
    np.testing.assert_allclose(runs.shares("sauc"), [0.5, 0.0, 0.5])


def test_a_learner_can_rest_while_others_go_on():
    sets = {"Monk1": load_set("monk1")}
    learners = ("Naive Bayes", "Logistic Regression")
    whole, part = (
        run_selections(sets, Plan(repetitions=4, learners=learners, at_most=most), Settings(), "")
        for most in ({}, {"Logistic Regression": 3})
    )
    np.testing.assert_array_equal(whole["Monk1"].test[:, 0], part["Monk1"].test[:, 0])
    np.testing.assert_array_equal(whole["Monk1"].test[:3, 1], part["Monk1"].test[:3, 1])
    assert np.isnan(part["Monk1"].test[3, 1]).all()
    assert np.isnan(part["Monk1"].clouds[3, 1]).all()


def test_a_row_has_the_repetitions_of_its_learner():
    sets = {"Monk1": load_set("monk1")}
    plan = Plan(repetitions=3, at_most={"Logistic Regression": 2})
    runs = run_selections(sets, plan, Settings(), "")
    rows = [row for row in table_rows(TABLE_4, runs) if row["set"] == "Monk1"]
    assert [row["repetitions"] for row in rows] == [3, 3, 2]
    assert rows[2]["auc"] == pytest.approx(100.0 * runs["Monk1"].test[:2, 2, 0, 1].mean())


def test_the_command_refuses_it_where_nothing_is_trained(call):
    answer = call("study", "run", "fawcett-2006", "--backend", "weka")
    assert answer.code == 2
    assert answer.err == "rocstats: --backend must be one of 'python', got 'weka'.\n"


def test_the_command_says_what_is_wanting(call, without_weka):
    without_weka(None)
    answer = call("study", "run", "klement-2011", "--quick", "--backend", "weka")
    assert answer.code == 2
    assert answer.err.startswith("rocstats: The back end weka needs Weka: ")


def test_the_command_that_is_stated_has_the_back_end(monkeypatch):
    from rocstats.cli import study_run

    args = types.SimpleNamespace(
        name="klement-2011", quick=True, data=None, openml=False, backend="weka", seed=None
    )
    assert study_run._call(args) == "rocstats study run klement-2011 --quick --backend weka"
