"""Manners in Python (issue 14): natural calls are understood, others refused in a sentence."""

import inspect
import pickle
import re
from collections.abc import Sequence

import numpy as np
import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.errors import WORDS, InvalidCallError, UnknownRowError, new_word, polite
from rocstats.resampling.chunks import DEFAULT_SEED

RNG = np.random.default_rng(14)
Y = np.repeat([1, 0], [30, 40])
A = np.where(Y, RNG.normal(1.2, 1, 70), RNG.normal(0, 1, 70))
B = np.where(Y, RNG.normal(0.8, 1, 70), RNG.normal(0, 1, 70))
P = 1 / (1 + np.exp(-A))
FRAME = {"y": Y, "m": A, "other": B}
SAMPLE = rs.ScoredSample.from_arrays(Y, {"a": A, "b": B})
ONE = rs.ScoredSample.from_arrays(Y, A)
SHARES = rs.ScoredSample.from_arrays(Y, P)
FEW = rs.Bootstrap(50)
DESIGN = rs.two_sample_design("normal", "location", 1.0, n_pos=10, n_neg=10)

HALVES = np.arange(70) % 2
MIXED = HALVES
TIMES = rs.SurvivalSample.from_frame(
    {"t": np.arange(70) + 1.0, "e": Y, "m": A}, time="t", event="e", markers="m"
)
BESIDE_READERS = rs.ReaderStudy.from_frame(
    {
        "test": np.repeat(["program", "film"], [20, 60]),
        "reader": np.repeat(["AI", "a", "b", "c"], 20),
        "case": np.tile(np.arange(20), 4),
        "truth": np.tile(np.arange(20) % 2, 4),
        "rating": RNG.normal(size=80),
    },
    test="test",
    reader="reader",
    case="case",
    outcome="truth",
    rating="rating",
)

# ------------------------------------------------------------------- 22: positional where natural

NATURAL = {
    "confidence_interval": (
        lambda: rs.auc(Y, A).confidence_interval(0.9),
        lambda: rs.auc(Y, A).confidence_interval(confidence_level=0.9),
    ),
    "variance": (lambda: rs.auc(Y, A).variance("wu"), lambda: rs.auc(Y, A).variance(method="wu")),
    "from_frame": (
        lambda: rs.ScoredSample.from_frame(FRAME, "y", ["m"]),
        lambda: rs.ScoredSample.from_frame(FRAME, outcome="y", markers=["m"]),
    ),
    "sensitivity_at": (
        lambda: rs.sensitivity_at(Y, A, 0.9, resampling=FEW),
        lambda: rs.sensitivity_at(Y, A, specificity=0.9, resampling=FEW),
    ),
    "specificity_at": (
        lambda: rs.specificity_at(Y, A, 0.9, resampling=FEW),
        lambda: rs.specificity_at(Y, A, sensitivity=0.9, resampling=FEW),
    ),
    "partial_auc": (
        lambda: rs.partial_auc(Y, A, (0, 0.5)),
        lambda: rs.partial_auc(Y, A, fpr=(0, 0.5)),
    ),
    "partial_area": (lambda: rs.partial_area((0, 0.5)), lambda: rs.partial_area(fpr=(0, 0.5))),
    "sauc": (lambda: rs.sauc(Y, A, (-5, 5)), lambda: rs.sauc(Y, A, bounds=(-5, 5))),
    "smauc": (lambda: rs.smauc(Y, P, 0.4), lambda: rs.smauc(Y, P, midpoint=0.4)),
    "optimal_cutpoint": (
        lambda: rs.optimal_cutpoint(Y, A, "closest", resampling=FEW),
        lambda: rs.optimal_cutpoint(Y, A, criterion="closest", resampling=FEW),
    ),
    "operating_points": (
        lambda: rs.operating_points(Y, A, [0.5]),
        lambda: rs.operating_points(Y, A, thresholds=[0.5]),
    ),
    "estimate": (lambda: rs.estimate(Y, A, "auc"), lambda: rs.estimate(Y, A, measures="auc")),
    "compare": (
        lambda: rs.compare(SAMPLE, None, "sauc"),
        lambda: rs.compare(SAMPLE, measure="sauc"),
    ),
    "pairwise": (
        lambda: rs.compare(SAMPLE).pairwise("none"),
        lambda: rs.compare(SAMPLE).pairwise(adjust="none"),
    ),
    "omnibus": (
        lambda: rs.compare(SAMPLE).omnibus("chi2"),
        lambda: rs.compare(SAMPLE).omnibus(reference="chi2"),
    ),
    "curve.at": (lambda: rs.roc_curve(Y, A).at(0.1), lambda: rs.roc_curve(Y, A).at(fpr=0.1)),
    "hull.best": (
        lambda: rs.roc_hull(SAMPLE).best(0.2),
        lambda: rs.roc_hull(SAMPLE).best(prevalence=0.2),
    ),
    "recall": (
        lambda: rs.precision_recall_curve(Y, A).at(0.5),
        lambda: rs.precision_recall_curve(Y, A).at(recall=0.5),
    ),
    "Bootstrap": (lambda: rs.Bootstrap(500), lambda: rs.Bootstrap(n_resamples=500)),
    "Permutation": (lambda: rs.Permutation(99), lambda: rs.Permutation(n_resamples=99)),
    "sample_size_auc": (lambda: rs.sample_size_auc(0.8), lambda: rs.sample_size_auc(auc=0.8)),
    "power_auc": (lambda: rs.power_auc(0.8, n_pos=9), lambda: rs.power_auc(auc=0.8, n_pos=9)),
    "two_sample_test": (
        lambda: rs.two_sample_test(A[Y == 1], A[Y == 0], "welch"),
        lambda: rs.two_sample_test(A[Y == 1], A[Y == 0], statistic="welch"),
    ),
    "binormal_fit": (
        lambda: rs.binormal_fit(Y, A, "ml"),
        lambda: rs.binormal_fit(Y, A, method="ml"),
    ),
    "decision_curve": (
        lambda: rs.decision_curve(Y, P, [0.2, 0.4]),
        lambda: rs.decision_curve(Y, P, thresholds=[0.2, 0.4]),
    ),
    "calibration_curve": (
        lambda: rs.calibration_curve(Y, P, 4),
        lambda: rs.calibration_curve(Y, P, n_bins=4),
    ),
    "permutation_test": (
        lambda: rs.permutation_test(SAMPLE, "b", "a", resampling=rs.Permutation(99)),
        lambda: rs.permutation_test(
            SAMPLE, first="b", second="a", resampling=rs.Permutation(n_resamples=99)
        ),
    ),
    "power_study": (
        lambda: rs.power_study(DESIGN, ["t"], n_replicates=20, n_jobs=1),
        lambda: rs.power_study(DESIGN, tests=["t"], n_replicates=20, n_jobs=1),
    ),
    "cv_auc": (
        lambda: rs.cv_auc(Y, A, HALVES),
        lambda: rs.cv_auc(Y, A, folds=HALVES),
    ),
    "cv_compare": (
        lambda: rs.cv_compare(Y, {"a": A, "b": B}, HALVES),
        lambda: rs.cv_compare(Y, {"a": A, "b": B}, folds=HALVES),
    ),
    "group_fairness": (
        lambda: rs.group_fairness(Y, A, HALVES),
        lambda: rs.group_fairness(Y, A, group=HALVES),
    ),
    "compare_tests": (
        lambda: rs.compare_tests(Y, {"a": A, "b": B}, {"a": 0.5, "b": 0.5}),
        lambda: rs.compare_tests(Y, {"a": A, "b": B}, thresholds={"a": 0.5, "b": 0.5}),
    ),
    "monitor": (
        lambda: rs.monitor([(MIXED, A)] * 2, 70),
        lambda: rs.monitor([(MIXED, A)] * 2, window=70),
    ),
    "compare_to_readers": (
        lambda: rs.compare_to_readers(BESIDE_READERS, "AI"),
        lambda: rs.compare_to_readers(BESIDE_READERS, ai="AI", test="film"),
    ),
    "roc_curve_at": (
        lambda: rs.roc_curve_at(TIMES, 20.5, "m"),
        lambda: rs.roc_curve_at(TIMES, 20.5, marker="m"),
    ),
    "after a sample": (
        lambda: rs.sensitivity_at(ONE, 0.9, resampling=FEW),
        lambda: rs.sensitivity_at(ONE, specificity=0.9, resampling=FEW),
    ),
    "a marker after a sample": (lambda: rs.auc(SAMPLE, "b"), lambda: rs.auc(SAMPLE, marker="b")),
    "both after a sample": (
        lambda: rs.partial_auc(SAMPLE, "b", (0, 0.5)),
        lambda: rs.partial_auc(SAMPLE, marker="b", fpr=(0, 0.5)),
    ),
    "a word after a sample": (
        lambda: rs.optimal_cutpoint(ONE, "closest", resampling=FEW),
        lambda: rs.optimal_cutpoint(ONE, criterion="closest", resampling=FEW),
    ),
    "a measure after a sample": (
        lambda: rs.compare(SAMPLE, "sauc"),
        lambda: rs.compare(SAMPLE, measure="sauc"),
    ),
    "thresholds after a sample": (
        lambda: rs.decision_curve(SHARES, [0.2, 0.4]),
        lambda: rs.decision_curve(SHARES, thresholds=[0.2, 0.4]),
    ),
}


@pytest.mark.parametrize("name", NATURAL)
def test_14_22_a_natural_call_means_the_same_as_the_named_one(name):
    natural, named = NATURAL[name]
    assert repr(natural()) == repr(named())


REFUSED = {
    "auc() takes y_true and y_score by position, got 3 arguments; name what comes after: "
    "pos_label=, marker=, higher_is_positive=, nan_policy= and 7 more.": lambda: rs.auc(Y, A, 1),
    "auc() needs y_true=.": lambda: rs.auc(),
    "ScoredSample.from_frame() needs markers= too.": lambda: rs.ScoredSample.from_frame(FRAME, "y"),
    "partial_auc() was given fpr twice, by position and by name.": lambda: rs.partial_auc(
        Y, A, (0, 1), fpr=(0, 1)
    ),
    "auc() has no pos_labl=; it takes y_true, y_score, pos_label, marker, higher_is_positive, "
    "nan_policy, weights, weight_kind, cluster, strata, verified, verification_model and 1 more. "
    "Did you mean 'pos_label'?": lambda: rs.auc(Y, A, pos_labl=1),
    "specificity is missing; write specificity=0.9, say.": lambda: rs.sensitivity_at(Y, A),
    "y_score cannot be given with a ScoredSample, which has fixed it already.": lambda: rs.auc(
        ONE, A
    ),
    "The sample has no marker 'c'; it has a, b.": lambda: rs.auc(SAMPLE, "c"),
}


GUESSED = {
    'got np.float64(-0.4364352471432212). Scores of several models go together, by name: {"a": '
    'scores_of_a, "b": scores_of_b}.': lambda: rs.compare(Y, A, [np.float64(-0.4364352471432212)]),
    "y_true must be data, got a result (RocCurve); give labels and scores, of several markers by "
    "name, or a ScoredSample; estimates of different subjects go to rs.compare_independent.": (
        lambda: rs.compare(rs.roc_curve(Y, A), rs.roc_curve(Y, B))
    ),
    "y_true must be data, got a result (RocCurve); give labels and scores, of several markers by "
    "name, or a ScoredSample.": lambda: rs.auc(rs.roc_curve(Y, A)),
    "auc() takes no frame; columns of a frame make a sample: rs.ScoredSample.from_frame(frame, "
    "outcome, markers).": lambda: rs.auc(FRAME, "y", "m"),
    "auc() has no data=; columns of a frame make a sample: rs.ScoredSample.from_frame(frame, "
    "outcome, markers).": lambda: rs.auc("y", "m", data=FRAME),
    "y_score must be scores, got the text 'y'; columns of a frame make a sample by their names: "
    "rs.ScoredSample.from_frame(frame, outcome, markers).": lambda: rs.auc(FRAME, "y"),
    "auc() has no max_fpr=; the area up to a false positive rate is rs.partial_auc(..., "
    "fpr=(0, 0.1)).": lambda: rs.auc(Y, A, max_fpr=0.1),
    "auc() has no sample_weight=; it is called weights=.": lambda: rs.auc(Y, A, sample_weight=A),
    "confidence_level must lie strictly between 0 and 1, got 90; 90% is 0.9.": (
        lambda: rs.auc(Y, A).confidence_interval(90)
    ),
    "Estimates.to_frame() takes nothing by position, got 1 argument; name what comes after: "
    "confidence_level=, method=, backend=.": lambda: rs.estimate(SAMPLE).to_frame("polars"),
    "a must be one-dimensional, got shape (70, 2); of two columns, as of predict_proba, give one, "
    "as a[:, 1].": lambda: rs.compare(Y, {"a": np.column_stack([1 - P, P]), "b": P}),
    "The measure mine is called with the labels and the scores of a list, which it does not take "
    "(missing a required argument: 'cut'); write a function of two arguments.": (
        lambda: rs.compare_measures(mine, "auc", n_pos=3, n_neg=3)
    ),
}


SAMPLES = "rs.ScoredSample.from_arrays(y_true, y_score)"
GUESSED |= {
    f"labels and scores make a sample: {SAMPLES}.": lambda: rs.average_curves(Y, A, folds=HALVES),
    "by must be a list of different criteria, got 'roc_auc'; of one, write by=[...].": (
        lambda: rs.select_model({"a": None, "b": None}, np.ones((4, 1)), [0, 1, 0, 1], by="roc_auc")
    ),
}


def mine(labels, scores, cut):
    return float(scores[labels == 1].mean() > cut)


@pytest.mark.parametrize("sentence", GUESSED)
def test_14_22_a_first_guess_is_told_what_to_write(sentence):
    with pytest.raises(rs.RocstatsError) as refusal:
        GUESSED[sentence]()
    assert str(refusal.value).endswith(sentence)


@pytest.mark.parametrize(
    ("made", "name", "told"),
    [
        (lambda: rs.auc(Y, A), "pvalue", "test().pvalue"),
        (lambda: rs.auc(Y, A), "auc", "value"),
        (lambda: rs.roc_curve(Y, A), "auc", "area()"),
        (lambda: rs.roc_curve(Y, A), "thresholds", "threshold"),
        (lambda: rs.roc_curve(Y, A), "specificities", "fpr, which is 1 - specificity"),
        (lambda: rs.auc(Y, A).confidence_interval(), "upper", "high"),
    ],
)
def test_14_22_an_attribute_of_other_packages_is_told_ours(made, name, told):
    with pytest.raises(AttributeError, match=re.escape(f"it is called {told}.")):
        getattr(made(), name)


def test_14_22_who_unpacks_a_curve_as_in_scikit_learn_is_told_its_arrays():
    with pytest.raises(TypeError, match=r"take curve\.fpr, curve\.tpr and curve\.threshold of it"):
        _fpr, _tpr, _threshold = rs.roc_curve(Y, A)


@pytest.mark.parametrize("sentence", REFUSED)
def test_14_22_a_call_that_does_not_fit_gets_a_sentence(sentence):
    with pytest.raises(rs.InvalidOptionError) as refusal:
        REFUSED[sentence]()
    assert str(refusal.value) == sentence


def test_14_22_a_misfit_is_a_type_error_too_and_one_of_the_work_stays_as_it_is():
    with pytest.raises(TypeError):
        rs.auc(Y, A, 1)

    def fails():
        return len(3)

    with pytest.raises(TypeError, match="has no len") as reason:
        polite(fails)()
    assert not isinstance(reason.value, InvalidCallError)


def public_calls():
    for name in rs.__all__:
        thing = getattr(rs, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing) and not issubclass(thing, Exception):
            for method, value in inspect.getmembers(thing, callable):
                if not method.startswith("_") and hasattr(value, "__code__"):
                    yield f"{name}.{method}", value


@pytest.mark.parametrize(("name", "call"), [pytest.param(n, c, id=n) for n, c in public_calls()])
def test_14_22_every_public_call_is_polite(name, call):
    assert hasattr(call, "__wrapped__")
    with pytest.raises(InvalidCallError, match=r"has no no_such_word=; "):
        call(*[None] * 2, no_such_word=1)


def test_public_functions_are_pickled_by_their_public_name():
    assert rs.auc.__module__ == "rocstats"
    assert pickle.loads(pickle.dumps(rs.auc)) is rs.auc


# -------------------------------------------------------------------------- 24: containers answer


def test_14_24_estimates_answer_to_names_numbers_len_and_iteration():
    found = rs.estimate(SAMPLE, ["auc", "sauc"])
    assert len(found) == 4
    assert [row.classifier for row in found] == ["a", "a", "b", "b"]
    assert found["b", "sauc"] is found.rows[3] is found[-1] is found.row("b", "sauc")
    assert [row.measure.name for row in found["a"]] == ["auc", "sauc"]
    assert [row.classifier for row in found["auc"]] == ["a", "b"]
    assert isinstance(found[:2], rs.Estimates)
    assert found["a"].covariance.shape == (2, 2)
    assert "a" in found
    assert "c" not in found
    assert found.rows[0] in found
    assert rs.estimate(SAMPLE, "auc")["b"].value == rs.auc(SAMPLE, "b").value


def test_14_24_an_unknown_name_is_a_key_error_in_a_sentence():
    found = rs.estimate(rs.ScoredSample.from_arrays(Y, {"crp": A, "pct": B}), "auc")
    with pytest.raises(KeyError) as refusal:
        found["crpp"]
    assert str(refusal.value) == "There is no row crpp; there are crp, pct. Did you mean 'crp'?"
    with pytest.raises(UnknownRowError, match=r"no row 7; there are 2 rows, the first is 0\.$"):
        found[7]


def test_14_24_contrasts_answer():
    three = rs.ScoredSample.from_arrays(Y, {"a": A, "b": B, "c": A + B})
    compared = rs.compare(three)
    contrasts = compared.pairwise()
    assert len(contrasts) == 3
    assert contrasts["a - b"] is contrasts["a", "b"] is contrasts.tests[0]
    assert [test.contrast for test in contrasts[1:]] == ["a - c", "b - c"]
    assert contrasts[1:].adjusted == contrasts.adjusted[1:]
    with pytest.raises(rs.InvalidOptionError, match=r"3 contrasts .* as in contrasts\['a - b'\]"):
        contrasts.pvalue  # noqa: B018
    with pytest.raises(rs.InvalidOptionError, match="3 contrasts"):
        compared.pvalue  # noqa: B018
    with pytest.raises(KeyError, match="no contrast a - d"):
        contrasts["a - d"]


def test_14_24_one_contrast_answers_as_a_test():
    compared = rs.compare(SAMPLE)
    (test,) = compared.pairwise()
    one = compared.contrast("a", "b")
    assert compared.pvalue == one.pvalue == test.pvalue
    assert (one.estimate, one.std_error, one.statistic, one.df) == (
        *(test.estimate, test.std_error, test.statistic, test.df),
    )
    assert tuple(one.confidence_interval(0.9)) == tuple(test.confidence_interval(0.9))
    assert compared.contrast("b - a").estimate == compared.contrast("b", "a").estimate
    assert compared.contrast("b", "a").estimate == -one.estimate
    assert len(rs.compare(SAMPLE, ["auc", "sauc"]).contrast("a", "b")) == 2
    with pytest.raises(rs.InvalidOptionError, match="no classifier 'c'"):
        compared.contrast("a", "c")
    with pytest.raises(rs.InvalidOptionError, match=r"contrast\('a', 'b'\)"):
        compared.contrast("a")


def test_14_24_an_estimate_is_a_number_and_an_interval_unpacks():
    found = rs.auc(Y, A)
    assert float(found) == found.value
    assert f"{found:.3f}" == f"{found.value:.3f}"
    assert f"{found}" == str(found)
    low, high = limits = found.confidence_interval()
    assert (low, high) == (limits.low, limits.high)
    assert found.value in limits
    assert high + 1 not in limits
    assert float(rs.gini(Y, A)) == rs.gini(Y, A).value
    assert float(rs.brier_score(Y, P)) == rs.brier_score(Y, P).value
    assert float(rs.sensitivity_at(Y, A, 0.9, resampling=FEW)) > 0
    with pytest.raises(rs.InvalidOptionError, match=r"2 fixed rates \(0.8, 0.9\)"):
        float(rs.sensitivity_at(Y, A, [0.8, 0.9], resampling=FEW))


def test_14_24_bootstrap_results_answer_row_by_row():
    found = rs.bootstrap(rs.estimate(SAMPLE, "auc"), resampling=FEW)
    assert [row.names for row in found] == [("auc(a)",), ("auc(b)",)]
    frame = found.to_frame(method="studentized")
    for row, low in zip(found, frame["conf_low"], strict=True):
        assert row.confidence_interval(method="studentized").low == low
    assert found["auc(b)"].std_error == found.std_error[1:]


def test_14_24_other_containers_answer():
    points = rs.operating_points(Y, A, [0.25, 0.5, 0.75])
    assert len(points) == 3
    assert points[0.5].sensitivity == points.sensitivity[1]
    assert [point.tp[0] for point in points] == points.tp.tolist()
    rates = rs.sensitivity_at(Y, A, [0.8, 0.9], resampling=FEW)
    assert float(rates[0.9]) == rates.value[1]
    classes = np.arange(70) % 3
    areas = rs.multiclass_auc(classes, RNG.dirichlet([1, 1, 1], 70))
    assert len(areas) == 3
    assert areas[0, 2] is areas[2, 0] is areas.pairs[1]
    assert areas[1] is areas.pairs[1]
    curve = rs.decision_curve(Y, {"model": P})
    assert curve["model"].value.tolist() == curve.net_benefit[0].tolist()
    assert [part.strategy for part in curve] == list(curve.strategies)
    study = rs.power_study(DESIGN, ["auc", "t"], n_replicates=20, n_jobs=1)
    assert [row["test"] for row in study] == ["auc", "t"]
    assert study["t"] == study.rows()[1]
    assert len(rs.calibration(Y, P)) == 4
    assert len(rs.calibration_curve(Y, P, 4)) == 4
    hull = rs.roc_hull(SAMPLE)
    assert list(hull) == list(hull.vertices)


# ------------------------------------------------------------------------- 27: one word, one thing

OLD_WORDS = {
    "report() has no reference=; it is called versus=.": lambda: rs.report(SAMPLE, reference="a"),
    "report() has no seed=; it is called rng=.": lambda: rs.report(SAMPLE, seed=1),
    "power_study() has no reference=; it is called versus=.": lambda: rs.power_study(
        DESIGN, reference="t"
    ),
    "pitman_efficiency() has no reference=; it is called versus=.": lambda: rs.pitman_efficiency(
        "normal", reference="t"
    ),
    "Bootstrap() has no seed=; it is called rng=.": lambda: rs.Bootstrap(seed=1),
    "Bootstrap() has no random_state=; it is called rng=.": lambda: rs.Bootstrap(random_state=1),
    "bootstrap() has no rng=; write resampling=rs.Bootstrap(rng=...).": lambda: rs.bootstrap(
        rs.auc(Y, A), rng=1
    ),
    "two_sample_test() has no seed=; write resampling=rs.Permutation(rng=...).": (
        lambda: rs.two_sample_test(A, B, seed=1)
    ),
    "roc_band() has no n_resamples=; write resampling=rs.Bootstrap(n_resamples=...).": (
        lambda: rs.roc_band(Y, A, n_resamples=9)
    ),
    "estimate() has no measure=; it is called measures=.": lambda: rs.estimate(Y, A, measure="auc"),
    "compare() has no measures=; it is called measure=.": lambda: rs.compare(
        SAMPLE, measures="auc"
    ),
    "Estimate.confidence_interval() has no alpha=; it is called confidence_level=, which is "
    "1 - alpha.": lambda: rs.auc(Y, A).confidence_interval(alpha=0.05),
}


@pytest.mark.parametrize("sentence", OLD_WORDS)
def test_14_27_an_old_word_gives_the_new_one(sentence):
    with pytest.raises(InvalidCallError) as refusal:
        OLD_WORDS[sentence]()
    assert str(refusal.value) == sentence


def test_14_27_an_old_attribute_gives_the_new_one():
    found = rs.bootstrap(rs.estimate(SAMPLE, "auc"), resampling=FEW)
    told = r"no attribute 'confidence_intervals'; it is called confidence_interval\.$"
    with pytest.raises(AttributeError, match=told):
        found.confidence_intervals()
    with pytest.raises(AttributeError, match="it is called std_error"):
        rs.auc(Y, A).se  # noqa: B018
    with pytest.raises(AttributeError, match=r"Did you mean 'value'\?"):
        rs.auc(Y, A).valu  # noqa: B018
    with pytest.raises(AttributeError, match="it is called pvalue"):
        rs.compare(SAMPLE).p_value  # noqa: B018


SPOKEN = {
    "report s.csv --outcome y --markers m --reference m -o p.html": ("--reference", "--versus"),
    "thresholds s.csv --outcome y --marker m --resamples 9": ("--resamples", "--n-resamples"),
    "compare s.csv --outcome y --markers m,other --measures auc": ("--measures", "--measure"),
    "auc s.csv --outcome y --markers m --measure auc": ("--measure", "--measures"),
    "twosample s.csv --group y --value m --rng 1": ("--rng", "--seed"),
    "report s.csv --outcome y --markers m --random-state 1": ("--random-state", "--seed"),
}


@pytest.mark.parametrize("line", SPOKEN)
def test_14_27_an_old_word_on_the_command_line_gives_the_new_one(line, capsys):
    old, new = SPOKEN[line]
    with pytest.raises(SystemExit) as stopped:
        main(line.split())
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"rocstats: there is no option {old}; it is called {new}; see ")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(("old", "new"), [("reference", "versus"), ("rng", "seed")])
def test_14_27_an_old_word_in_a_config_file_gives_the_new_one(old, new, tmp_path, capsys):
    config = tmp_path / "study.toml"
    config.write_text(f"[analysis]\n{old} = 1\n")
    assert main(["report", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f"there is no option {old!r} in [analysis]; it is called {new!r}.\n")


def test_14_27_no_public_call_has_two_words_for_one_thing():
    """The word that is looked for in place of another stands in no call beside it."""
    twins = {("reference", "versus"), ("n_resamples", "n_replicates")}  # two things here
    for name, call in public_calls():
        words = inspect.signature(call).parameters
        for word in words:
            new = new_word(word, words)
            assert new is None or (word, new[0]) in twins | {("labels", "y_true")}, name
    assert not {"seed", "random_state", "alpha", "n_boot", "conf_level"} & {
        word for _, call in public_calls() for word in inspect.signature(call).parameters
    }
    assert all(re.fullmatch(r"[a-z_]+(, .*)?", new) for news in WORDS.values() for new in news)


def test_14_27_every_default_seed_is_the_documented_one():
    parameters = {name: inspect.signature(call).parameters for name, call in public_calls()}
    drawn = {name: words["rng"].default for name, words in parameters.items() if "rng" in words}
    defaults = {n: seed for n, seed in drawn.items() if seed is not inspect.Parameter.empty}
    assert set(defaults) >= {"report", "power_study", "select_model", "PowerResult.simulate"}
    assert set(defaults.values()) == {DEFAULT_SEED}
    assert rs.Bootstrap().rng == rs.Permutation().rng == DEFAULT_SEED


def test_14_27_the_same_call_gives_the_same_answer():
    estimate = rs.auc(Y, A)
    assert (rs.bootstrap(estimate).replicates == rs.bootstrap(estimate).replicates).all()
    fresh = rs.Bootstrap(200, rng=None)
    first, second = (rs.bootstrap(estimate, resampling=fresh).replicates for _ in range(2))
    assert (first != second).any()
    plan = rs.sample_size_auc(0.8)
    assert plan.simulate(50) == plan.simulate(50)
    tests = [rs.two_sample_test(A, B, method="permutation") for _ in range(2)]
    assert tests[0].pvalue == tests[1].pvalue


# ------------------------------------------------------- 19: what a call cannot use is said so

ONCE = rs.auc(Y, A)
AGAIN = rs.auc(Y[::-1].copy(), B)
CROSSED = rs.ReaderStudy.from_frame(
    {
        "test": np.repeat(["old", "new"], 60),
        "reader": np.tile(np.repeat(["a", "b", "c"], 20), 2),
        "case": np.tile(np.arange(20), 6),
        "truth": np.tile(np.arange(20) % 2, 6),
        "rating": RNG.normal(size=120),
    },
    test="test",
    reader="reader",
    case="case",
    outcome="truth",
    rating="rating",
)
COMPONENTS = rs.compare_readers(CROSSED).components
COUNTS = {"diseased": [[10, 5], [3, 20]], "healthy": [[5, 3], [4, 30]]}
MANY = np.zeros(3)
HUGE = 10**400
STRANGE = {
    "Two estimates are compared, such as rs.auc gives, got None": lambda: rs.compare_independent(
        None, ONCE
    ),
    "null_value must be a finite number, got None.": lambda: rs.compare_independent(
        ONCE, AGAIN, null_value=None
    ),
    "null_value must be a finite number, got inf.": lambda: rs.compare_independent(
        ONCE, AGAIN, null_value=np.inf
    ),
    "nested must be True or False, got array([0., 0., 0.]).": lambda: rs.compare(
        SAMPLE, nested=MANY
    ),
    "studentized must be True or False, got array([0., 0., 0.]).": lambda: rs.permutation_test(
        SAMPLE, studentized=MANY
    ),
    "moments must be several values or None, got 0.": lambda: rs.pool(
        [rs.sketch(Y, A, site="a"), rs.sketch(Y, B, site="b")], moments=0
    ),
    "tests must be several values, got None.": lambda: rs.compare_counts(**COUNTS, tests=None),
    "thresholds must give a number for each test by name, got 3.": lambda: rs.compare_tests(
        SAMPLE, thresholds=3
    ),
    "tests must be several values or None, got 3.": lambda: rs.compare_tests(SAMPLE, tests=3),
    "markers must be a name or several values or None, got 3.": lambda: rs.cv_compare(
        SAMPLE, folds=np.arange(70) % 2, markers=3
    ),
    "aim must be a name or None, got [].": lambda: rs.sample_size_auc(0.8, aim=[]),
    "shape must be several values, got None.": lambda: rs.pitman_efficiency("normal", shape=None),
    "significance must lie strictly between 0 and 1, got None.": lambda: rs.monitor(
        [(Y, A)] * 2, significance=None
    ),
    "pos_label must be one label, got range(0, 3).": lambda: rs.monitor(
        [(Y, A)] * 2, pos_label=range(3)
    ),
    "time must be a number, got [1, 2].": lambda: rs.roc_curve_at(TIMES, [1, 2]),
    "times must be positive numbers, got 100": lambda: rs.auc_at(TIMES, HUGE),
    "times must be positive numbers, got [1j]": lambda: rs.auc_at(TIMES, [1j]),
    'bounds must be None, "range" or two finite numbers low < high': lambda: rs.sauc(
        Y, A, [0, HUGE]
    ),
    "cuts must be scores at which bins may be cut, got [100": lambda: rs.sketch(Y, A, cuts=[HUGE]),
    "Two or more finite differences are needed": lambda: rs.corrected_t_test(
        [HUGE, 1], n_train=9, n_test=1
    ),
    "A contrast needs one number for each of the 2 rows": lambda: rs.bootstrap(
        rs.compare(SAMPLE), [1, HUGE]
    ),
    "readers must be a whole number of at least": lambda: rs.power_readers(
        COMPONENTS, difference=0.1, readers=np.ones((2, 2)), cases=50
    ),
    "verification_model is empty; name what": lambda: rs.auc(
        Y, A, verified=Y >= 0, verification_model={}
    ),
    "folds must give the fold of each of the 70 subjects": lambda: rs.compare(
        SAMPLE, folds=[[1], [2, 3]]
    ),
    "n_replicates must be a whole number of at most 1,000,000,000": lambda: rs.power_study(
        DESIGN, ["t"], n_replicates=2**63
    ),
}


@pytest.mark.parametrize("sentence", STRANGE)
def test_14_19_a_value_of_another_kind_is_refused_in_a_sentence(sentence):
    with pytest.raises(rs.RocstatsError) as refusal:
        STRANGE[sentence]()
    assert str(refusal.value).startswith(sentence)


def test_14_19_errors_of_the_work_with_arguments_that_fit_stay_as_they_are():
    def works(size: int, by: Sequence[str] = ()) -> None:
        raise KeyError(size)

    with pytest.raises(KeyError, match="3") as error:
        polite(works)(3)
    assert not isinstance(error.value, rs.RocstatsError)
    with pytest.raises(InvalidCallError, match="size must be a whole number, got 'x'") as refusal:
        polite(works)("x")
    assert isinstance(refusal.value.__cause__, KeyError)


def test_14_19_clusters_of_which_there_is_one_leave_no_error():
    cuts = {"a": 0.5, "b": 0.5}
    found = rs.compare_tests(Y, {"a": A, "b": B}, thresholds=cuts, cluster=np.zeros(70))
    assert "nan" in repr(found)
