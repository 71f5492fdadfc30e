"""Areas of several classes: pROC's numbers, all pairs by brute force, laws, and simulation."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocstats as rs
from rocstats.multiclass.class_pairs import prevalence_slope

mpl.use("Agg")

ROUNDING = 1e-12  # sums of some hundred doubles near 1
PRINTED = 1e-6  # relative, as pROC's own tests ask
MONTE_CARLO = 4.0  # standard errors of a simulated ratio; one test in 15 000 would fail by chance

# tests/reference/make_multiclass.R wrote it, and it says by which versions and when.
FROZEN = json.loads(
    (Path(__file__).parents[1] / "reference" / "multiclass.json").read_text("utf-8")
)
SPECIES = FROZEN["species"]
POSTERIOR = np.array([*FROZEN["posterior"].values()]).T

Data = tuple[NDArray[np.intp], NDArray[np.float64]]


@st.composite
def samples(draw: st.DrawFn, classes: tuple[int, ...] = (2, 3, 4)) -> Data:
    """Two to five subjects of each class, with a tied score for each class."""
    k = draw(st.sampled_from(classes))
    sizes = [draw(st.integers(2, 5)) for _ in range(k)]
    code = np.array(draw(st.permutations([c for c in range(k) for _ in range(sizes[c])])))
    size = code.size * k
    scores = draw(st.lists(st.integers(0, 8), min_size=size, max_size=size))
    return code, np.array(scores).reshape(-1, k) / 8


def brute_force(code: Any, scores: Any) -> tuple[dict[Any, float], dict[Any, Any]]:
    """A(i|j) over all pairs of subjects, and each subject's structural component less A(i|j)."""
    area, phi = {}, {}
    for i, j in permutations(range(scores.shape[1]), 2):
        members, others = np.flatnonzero(code == i), np.flatnonzero(code == j)
        won = np.sign(np.subtract.outer(scores[members, i], scores[others, i])) / 2 + 0.5
        area[i, j] = won.mean()
        phi[i, j] = np.zeros(code.size)
        phi[i, j][members] = won.mean(axis=1) - won.mean()
        phi[i, j][others] = won.mean(axis=0) - won.mean()
    return area, phi


def weights(method: str, code: Any) -> dict[tuple[int, int], float]:
    """Weight of every A(i|j): all alike, or prevalence of i times the share of j in the rest."""
    n = np.bincount(code).astype(float)
    k, total = n.size, n.sum()
    if method == "hand-till":
        return dict.fromkeys(permutations(range(k), 2), 1.0 / (k * (k - 1)))
    return {(i, j): n[i] / total * n[j] / (total - n[i]) for i, j in permutations(range(k), 2)}


METHODS = pytest.mark.parametrize("method", ["hand-till", "provost-domingos"])


@METHODS
@given(data=samples())
def test_value_and_variance_by_all_pairs(method: Any, data: Data) -> None:
    code, scores = data
    found = rs.multiclass_auc(code, scores, method=method)
    area, phi = brute_force(code, scores)
    weight = weights(method, code)
    assert found.value == pytest.approx(sum(w * area[p] for p, w in weight.items()), abs=ROUNDING)
    total = sum(w * phi[p] for p, w in weight.items())
    np.testing.assert_allclose(found.influence.values[0], total, rtol=0, atol=ROUNDING)
    sizes = np.bincount(code)
    variance = sum((total[code == c] ** 2).sum() / (n * (n - 1)) for c, n in enumerate(sizes))
    assert found.scatter[0] ** 2 == pytest.approx(variance, abs=ROUNDING)
    for pair in found.pairs:
        i, j = pair.first, pair.second
        assert pair.first_given_second == pytest.approx(area[i, j], abs=ROUNDING)
        assert pair.second_given_first == pytest.approx(area[j, i], abs=ROUNDING)
        both = (phi[i, j] + phi[j, i]) / 2
        variance = sum((both[code == c] ** 2).sum() / (sizes[c] * (sizes[c] - 1)) for c in (i, j))
        assert pair.std_error**2 == pytest.approx(variance, abs=ROUNDING)


@given(data=samples())
def test_provost_domingos_is_the_weighted_sum_of_classes_against_the_rest(data: Data) -> None:
    code, scores = data
    found = rs.multiclass_auc(code, scores, method="provost-domingos")
    prevalence = np.bincount(code) / code.size
    areas = [rs.auc(code == c, scores[:, c]).value for c in range(prevalence.size)]
    assert found.value == pytest.approx(prevalence @ areas, abs=ROUNDING)
    assert [e.value for e in found.references] == areas
    for c in range(prevalence.size):
        assert found.reference_curve(c).area() == pytest.approx(areas[c], abs=ROUNDING)


@given(data=samples((3, 4)))
def test_prevalence_slope_is_a_derivative(data: Data) -> None:
    code, scores = data
    area, _ = brute_force(code, scores)
    n = np.bincount(code)
    areas = np.zeros((n.size, n.size))
    for pair, value in area.items():
        areas[pair] = value

    def total(p: Any) -> float:
        return sum(p[i] * p[j] / (1 - p[i]) * a for (i, j), a in area.items())

    slope, p, step = prevalence_slope("provost-domingos", areas, n), n / n.sum(), 1e-6
    for a, b in combinations(range(n.size), 2):
        move = step * (np.eye(n.size)[a] - np.eye(n.size)[b])
        secant = (total(p + move) - total(p - move)) / (2 * step)
        assert slope[a] - slope[b] == pytest.approx(secant, abs=1e-8)  # of order step squared


@METHODS
@given(data=samples())
def test_cohort_adds_the_variance_of_the_prevalence(method: Any, data: Data) -> None:
    code, scores = data
    fixed = rs.multiclass_auc(code, scores, method=method)
    random = rs.multiclass_auc(code, scores, method=method, sampling="cohort")
    assert random.value == fixed.value
    area, _ = brute_force(code, scores)
    p = np.bincount(code) / code.size
    slope = np.zeros(p.size)
    if method == "provost-domingos":
        for (i, j), a in area.items():
            slope[i] += p[j] * a / (1 - p[i]) ** 2
            slope[j] += p[i] * a / (1 - p[i])
    term = (p * (slope - p @ slope) ** 2).sum() / (code.size - 1)
    assert random.scatter[0] ** 2 == pytest.approx(fixed.scatter[0] ** 2 + term, abs=ROUNDING)


@METHODS
def test_two_classes_are_the_auc(method: Any) -> None:
    sample = rs.datasets.load_breast_cancer()
    score = sample.scores[0]
    expected = rs.auc(sample, marker="mean_radius")
    found = rs.multiclass_auc(sample.positive, np.stack([-score, score], axis=1), method=method)
    assert found.value == pytest.approx(expected.value, rel=1e-15)
    assert found.std_error == pytest.approx(expected.std_error, rel=ROUNDING)
    for how in ("auto", "wald", "newcombe", "hanley-mcneil"):
        ours, theirs = (
            found.confidence_interval(method=how),
            expected.confidence_interval(method=how),
        )
        assert ours.method == theirs.method
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=ROUNDING)


def test_one_marker_of_two_classes_is_the_auc_exactly() -> None:
    sample = rs.datasets.load_breast_cancer()
    for row, marker in enumerate(sample.markers):
        found = rs.multiclass_auc(sample.positive, sample.scores[row])
        assert found.value == rs.auc(sample, marker=marker).value
        backwards = rs.multiclass_auc(sample.positive, sample.scores[row], labels=[True, False])
        assert backwards.value == pytest.approx(1.0 - found.value, rel=ROUNDING)
        assert backwards.std_error == pytest.approx(found.std_error, rel=ROUNDING)


@METHODS
def test_laws(method: Any) -> None:
    found = rs.multiclass_auc(SPECIES, POSTERIOR, method=method)
    # Only the order of each column counts.
    again = rs.multiclass_auc(SPECIES, POSTERIOR ** [3.0, 0.5, 1.0], method=method)
    assert (again.value, again.std_error) == (found.value, found.std_error)
    # Classes in another order, with their columns, change nothing.
    order = [2, 0, 1]
    labels = [found.labels[c] for c in order]
    moved = rs.multiclass_auc(SPECIES, POSTERIOR[:, order], labels=labels, method=method)
    assert (moved.value, moved.std_error) == pytest.approx((found.value, found.std_error))
    # Every subject twice: the same value, and half the variance but for the divisors.
    twice = rs.multiclass_auc(SPECIES * 2, np.concatenate([POSTERIOR] * 2), method=method)
    assert twice.value == pytest.approx(found.value, abs=ROUNDING)
    assert twice.variance() == pytest.approx(found.variance() * 49 / 99, rel=ROUNDING)
    # As pairs that depend wholly, they are the same sample.
    clustered = rs.multiclass_auc(
        SPECIES * 2, np.concatenate([POSTERIOR] * 2), method=method, cluster=[*range(150)] * 2
    )
    assert clustered.std_error == pytest.approx(found.std_error, rel=ROUNDING)


def test_bootstrap_agrees() -> None:
    rng = np.random.default_rng(4)
    code = np.unique(SPECIES, return_inverse=True)[1]
    members = [np.flatnonzero(code == c) for c in range(3)]
    values = []
    for _ in range(400):
        drawn = np.concatenate([rng.choice(m, m.size) for m in members])
        values.append(rs.multiclass_auc(code[drawn], POSTERIOR[drawn]).value)
    ratio = np.std(values, ddof=1) / rs.multiclass_auc(code, POSTERIOR).std_error
    # The bootstrap is too small by sqrt(49 / 50).
    assert abs(ratio / math.sqrt(49 / 50) - 1.0) < MONTE_CARLO / math.sqrt(2 * 400)


# ---------------------------------------------------------------------------------- pROC in R


def test_proc_hand_till() -> None:
    found = rs.multiclass_auc(SPECIES, POSTERIOR)
    assert found.value == pytest.approx(FROZEN["hand_till"], abs=ROUNDING)
    for pair in found.pairs:
        expected = FROZEN["pairs"][f"{pair.first}/{pair.second}"]
        ours = [pair.first_given_second, pair.second_given_first]
        assert ours == pytest.approx(expected, abs=ROUNDING)


def test_proc_class_reference() -> None:
    found = rs.multiclass_auc(SPECIES, POSTERIOR, method="provost-domingos")
    for label, reference in zip(found.labels, found.references, strict=True):
        expected = FROZEN["one_against_rest"][label]
        assert reference.value == pytest.approx(expected["auc"], abs=ROUNDING)
        assert reference.variance() == pytest.approx(expected["var"], rel=1e-9)
    third = sum(v["auc"] for v in FROZEN["one_against_rest"].values()) / 3
    assert found.value == pytest.approx(third, abs=ROUNDING)


@pytest.mark.parametrize("column", FROZEN["measurements"])
def test_proc_one_marker(column: str) -> None:
    score, expected = FROZEN["measurements"][column], FROZEN["univariate"][column]
    up = rs.multiclass_auc(SPECIES, score)
    assert up.value == pytest.approx(expected["up"], abs=ROUNDING)
    down = rs.multiclass_auc(SPECIES, score, labels=up.labels[::-1])
    assert down.value == pytest.approx(expected["down"], abs=ROUNDING)
    # pROC's default turns each pair round by itself; we say what is there.
    turned = [max(p.value, 1.0 - p.value) for p in up.pairs]
    assert expected["auto"] == pytest.approx(np.mean(turned), abs=ROUNDING)


def test_reference_says_where_it_comes_from() -> None:
    assert set(FROZEN["provenance"]) == {"script", "R", "pROC", "MASS", "date"}


@cache
def subarachnoid() -> tuple[list[str], list[float]]:
    """Outcome (five grades) and S100b of pROC's aSAH, which is not ours to ship."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed, and the data are in its package pROC")
    code = 'library(pROC); cat(paste(aSAH$gos6, sprintf("%.17g", aSAH$s100b)), sep = "\\n")'
    run = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip("R has no package pROC, where the data are")
    rows = [line.split() for line in run.stdout.splitlines()]
    return [grade for grade, _ in rows], [float(score) for _, score in rows]


def test_proc_outcome_grades() -> None:
    # pROC's own test-suite: multiclass.roc(aSAH$gos6, aSAH$s100b), direction "<", ">" and auto.
    grade, score = subarachnoid()
    up = rs.multiclass_auc(grade, score)
    assert up.value == pytest.approx(0.348747317497317, rel=PRINTED)
    down = rs.multiclass_auc(grade, score, labels=up.labels[::-1])
    assert down.value == pytest.approx(0.651252682502683, rel=PRINTED)


# ------------------------------------------------------------------------------------ comparing


def test_comparison_of_two_models() -> None:
    sepal = POSTERIOR
    petal = np.stack([-np.array(FROZEN["measurements"]["Petal.Width"])] * 3, axis=1) * [1, 0, -1]
    found = rs.compare_multiclass(SPECIES, {"sepal": sepal, "petal": petal})
    (test,) = found.tests
    first, second = (rs.multiclass_auc(SPECIES, p) for p in (sepal, petal))
    assert test.contrast == "sepal - petal"
    assert test.estimate == pytest.approx(first.value - second.value, abs=ROUNDING)
    difference = first.influence.values[0] - second.influence.values[0]
    variance = sum((difference[k * 50 : k * 50 + 50] ** 2).sum() / (50 * 49) for k in range(3))
    assert test.std_error == pytest.approx(math.sqrt(variance), rel=ROUNDING)
    assert test.pvalue < 0.001


def test_comparison_of_two_classes_is_compare() -> None:
    sample = rs.datasets.load_breast_cancer()
    markers = {m: sample.scores[i] for i, m in enumerate(sample.markers[:3])}
    ours = rs.compare_multiclass(sample.positive, markers).to_frame()
    compared = rs.compare(sample.positive, markers, pos_label=True)
    theirs = compared.pairwise(method="delong").to_frame()
    assert ours["contrast"].tolist() == theirs["contrast"].tolist()
    for column in ("estimate", "std_error", "statistic", "df", "p_adjusted", "conf_low"):
        np.testing.assert_allclose(ours[column], theirs[column], rtol=1e-9)


@pytest.mark.slow
def test_standard_errors_in_simulation() -> None:
    # Four classes of unequal size and difficulty, so that the prevalence term is not small.
    rng = np.random.default_rng(8)
    share, shift, n_rep = np.array([0.1, 0.3, 0.4, 0.2]), np.array([3.0, 0.2, 0.8, 1.5]), 500
    kinds = [("hand-till", "stratified"), ("provost-domingos", "cohort")]
    values: dict[Any, list[tuple[float, float, bool]]] = {kind: [] for kind in kinds}
    truth = {kinds[0]: 0.8522, kinds[1]: 0.7842}  # mean of 400 samples of 4000
    for _ in range(n_rep):
        code = rng.choice(4, size=150, p=share)
        scores = rng.normal(size=(code.size, 4))
        scores[np.arange(code.size), code] += shift[code]
        scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        for kind in kinds:
            found = rs.multiclass_auc(code, scores, method=kind[0], sampling=kind[1])
            limits = found.confidence_interval()
            covered = limits.low <= truth[kind] <= limits.high
            values[kind].append((found.value, found.std_error, covered))
    for kind in kinds:
        value, std_error, covered = np.array(values[kind]).T
        ratio = math.sqrt((std_error**2).mean()) / value.std(ddof=1)
        assert abs(ratio - 1.0) < 0.02 + MONTE_CARLO / math.sqrt(2 * n_rep)
        assert abs(covered.mean() - 0.95) < MONTE_CARLO * math.sqrt(0.95 * 0.05 / n_rep)


# ------------------------------------------------------------------------------- results, input


def test_results() -> None:
    found = rs.multiclass_auc(SPECIES, POSTERIOR)
    assert repr(found).startswith("Hand & Till's M: 0.9247 (95% CI ")
    assert "50 setosa, 50 versicolor, 50 virginica; no subject dropped" in repr(found)
    assert found.to_frame().shape[0] == len(found.to_dict()["pairs"]) == 3
    assert found.to_frame()["estimate"].tolist() == [p.value for p in found.pairs]
    assert json.loads(json.dumps(found.to_dict()))["estimate"] == found.value
    assert found.pairs[0].to_frame()["first"].tolist() == ["setosa"]
    assert "<table>" in found._repr_html_()
    axes = found.plot()
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert [label.split()[0] for label in labels] == ["setosa", "versicolor", "virginica"]


def test_named_columns_are_taken_by_name() -> None:
    pd = pytest.importorskip("pandas")
    names = list(FROZEN["posterior"])
    frame = pd.DataFrame(POSTERIOR, columns=names)
    expected = rs.multiclass_auc(SPECIES, POSTERIOR).value
    assert rs.multiclass_auc(SPECIES, frame[names[::-1]]).value == expected
    assert rs.multiclass_auc(SPECIES, dict(FROZEN["posterior"])).value == expected


def test_missing_values_are_left_out_by_name() -> None:
    scores = POSTERIOR.copy()
    scores[3, 1] = np.nan
    species = [None, *SPECIES[1:]]
    found = rs.multiclass_auc(species, scores, nan_policy="omit")
    kept = np.delete(np.arange(150), [0, 3])
    expected = rs.multiclass_auc([SPECIES[i] for i in kept], POSTERIOR[kept])
    assert (found.value, found.std_error) == (expected.value, expected.std_error)
    assert "2 subjects dropped (y_true missing in 1, score_2 missing in 1)" in repr(found)


def test_degenerate_samples() -> None:
    perfect = rs.multiclass_auc([0, 0, 1, 1, 2, 2], [1, 2, 3, 4, 5, 6])
    with pytest.warns(rs.DegenerateVarianceWarning, match="standard error 0"):
        assert perfect.std_error == 0.0
    limits = perfect.confidence_interval()
    assert (limits.low, limits.high) == pytest.approx((0.025**0.5, 1.0))  # two triples
    lonely = rs.multiclass_auc([0, 0, 1, 1, 2], [1, 2, 3, 4, 5])
    with pytest.warns(rs.SmallSampleWarning, match="one subject or cluster only"):
        assert math.isnan(lonely.std_error)
    assert math.isnan(lonely.confidence_interval().low)
    assert math.isnan(
        rs.multiclass_auc([0, 0, 1, 1, 2], [1, 2, 3, 4, 5], sampling="cohort").scatter[0]
    )


Y3, P3 = [0, 1, 2, 0, 1, 2], np.arange(18).reshape(6, 3)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rs.multiclass_auc(Y3, P3[:, :2]), "2 columns but there are 3 classes"),
        (lambda: rs.multiclass_auc(Y3, P3[:5]), "y_true has 6 values but score_1 has 5"),
        (lambda: rs.multiclass_auc(Y3, P3, labels=[0, 1]), "the class 2, which is not among"),
        (lambda: rs.multiclass_auc(Y3, P3, labels=[0, 1, 2, 3]), "no subject of class 3"),
        (lambda: rs.multiclass_auc(Y3, P3, labels=[0, 1, 1]), "twice in labels"),
        (lambda: rs.multiclass_auc(Y3, P3, labels="012"), "labels must be a list"),
        (lambda: rs.multiclass_auc(Y3, P3, labels=3), "labels must be a list"),
        (lambda: rs.multiclass_auc([1] * 6, P3), "one class only"),
        (lambda: rs.multiclass_auc([], []), "The sample is empty"),
        (lambda: rs.multiclass_auc([0, "a", 2, 0, "a", 2], P3), "cannot be compared"),
        (lambda: rs.multiclass_auc([None, 1, 2, 0, 1, 2], P3), "missing values .1 in y_true."),
        (lambda: rs.multiclass_auc(Y3, np.where(P3 == 4, np.nan, P3)), "1 in score_2"),
        (lambda: rs.multiclass_auc(Y3, P3, nan_policy="drop"), "nan_policy must be one of"),
        (lambda: rs.multiclass_auc(Y3, P3, method="macro"), "method must be one of 'hand-till'"),
        (lambda: rs.multiclass_auc(Y3, P3, sampling="random"), "sampling must be one of"),
        (lambda: rs.multiclass_auc(Y3, P3[:, 0], method="provost-domingos"), "one score for all"),
        (lambda: rs.multiclass_auc(Y3, P3[:, 0]).reference_curve(1), "needs a score for each"),
        (lambda: rs.multiclass_auc(Y3, P3).reference_curve(7), "There is no class 7"),
        (lambda: rs.multiclass_auc(Y3, dict(zip("abc", P3.T, strict=True))), "are named a, b, c"),
        (lambda: rs.multiclass_auc(Y3, [["x"] * 3] * 6), "must be numbers"),
        (lambda: rs.multiclass_auc(Y3, P3, cluster=[1, 2]), "6 subjects but 2 cluster ids"),
        (lambda: rs.compare_multiclass(Y3, P3), "must be a mapping"),
        (lambda: rs.multiclass_auc(Y3, P3, labels=[[0], [1], [2]]), "must be a list of the class"),
        (lambda: rs.compare_multiclass(Y3, {"a": P3}), "two or more models"),
        (lambda: rs.compare_multiclass(Y3, {"1": P3, 1: P3}), "have the same name"),
        (lambda: rs.compare_multiclass(Y3, {"a": P3, "b": P3[:, :2]}), "2 columns but"),
        (lambda: rs.multiclass_auc(Y3, P3).confidence_interval(method="newcombe"), "AUC only"),
    ],
)
def test_refusals(call: Any, sentence: str) -> None:
    with pytest.raises((rs.InvalidOptionError, rs.InvalidSampleError), match=sentence):
        call()
