"""Cross-validated AUCs: R's numbers, the engine's join, brute force, laws, refusals, coverage."""

import json
import math
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import load_study

import rocstats as rs

HERE = Path(__file__).parents[1] / "reference"
CASES = json.loads((HERE / "cvauc.json").read_text())["cases"]


def read(case):
    return pd.read_csv(HERE / f"{case}.csv")


def simulate(seed, *, sizes=(40, 40, 40), shift=1.0, markers=1):
    rng = np.random.default_rng(seed)
    fold = np.repeat(np.arange(len(sizes)), sizes)
    y = np.concatenate([np.arange(size) % 3 == 0 for size in sizes])
    scores = rng.normal(size=(markers, y.size)) + shift * y + 2.0 * fold
    return y.astype(int), scores, fold


@pytest.mark.parametrize("case", CASES)
def test_r_numbers(case):
    data, numbers = read(case), CASES[case]["numbers"]
    found = rs.cv_auc(data.label, data.score, folds=data.fold)
    assert found.value == pytest.approx(numbers["cvAUC.cvAUC"], abs=1e-12)
    assert found.std_error == pytest.approx(numbers["engine.se_engine"], abs=1e-10)
    by_fold = [row.estimate for row in found.homogeneity.strata]
    wanted = [numbers[f"cvAUC.fold[{i + 1}]"] for i in range(len(by_fold))]
    np.testing.assert_allclose(by_fold, wanted, atol=1e-12)
    ledell = rs.cv_auc(data.label, data.score, folds=data.fold, variance="ledell")
    assert ledell.std_error == pytest.approx(numbers["cvAUC.se"], abs=1e-12)
    limits = ledell.confidence_interval(method="wald")
    assert list(limits) == pytest.approx([numbers["cvAUC.lower"], numbers["cvAUC.upper"]])


def test_r_numbers_of_patients_with_several_rows():
    data, numbers = read("cv_adherence"), CASES["cv_adherence"]["numbers"]
    given = {"folds": data.fold, "cluster": data.id}
    found = rs.cv_auc(data.label, data.score, **given)
    assert found.std_error == pytest.approx(numbers["engine.se_cluster"], abs=1e-10)
    pooled = rs.cv_auc(data.label, data.score, **given, variance="ledell")
    assert pooled.std_error == pytest.approx(numbers["cvAUC.pooled.se"], abs=1e-12)


@pytest.mark.parametrize("weights", ["equal", "pairs"])
@pytest.mark.parametrize("sizes", [(40, 40, 40), (60, 30, 12)])
def test_it_is_the_contrast_of_the_joined_folds(weights, sizes):
    y, (score,), fold = simulate(1, sizes=sizes)
    parts = [rs.auc(y[fold == k], score[fold == k]) for k in range(3)]
    pairs = np.array([p.n_pos * p.n_neg for p in parts], dtype=float)
    shares = pairs / pairs.sum() if weights == "pairs" else np.full(3, 1 / 3)
    joined = reduce(lambda a, b: a.join(b), [p.influence for p in parts]).contrast(shares)
    found = rs.cv_auc(y, score, folds=fold, weights=weights)
    assert found.value == pytest.approx(joined.estimate[0], abs=1e-14)
    assert found.std_error**2 == pytest.approx(joined.covariance()[0, 0], rel=1e-12)
    terms = shares**2 * [p.variance() for p in parts]
    assert found.std_error**2 == pytest.approx(terms.sum(), rel=1e-12)


def test_brute_force_with_ties():
    y, (score,), fold = simulate(2, sizes=(24, 18, 30))
    score = np.round(score, 1)
    value = variance = 0.0
    for k in range(3):
        pos, neg = score[(fold == k) & (y == 1)], score[(fold == k) & (y == 0)]
        wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
        value += wins.mean() / 3
        parts = wins.mean(axis=1).var(ddof=1) / pos.size, wins.mean(axis=0).var(ddof=1) / neg.size
        variance += sum(parts) / 9
    found = rs.cv_auc(y, score, folds=fold)
    assert found.value == pytest.approx(value, abs=1e-14)
    assert found.std_error == pytest.approx(math.sqrt(variance), rel=1e-12)


def test_a_shift_of_one_fold_changes_nothing_and_one_fold_is_the_ordinary_area():
    y, (score,), fold = simulate(3)
    found = rs.cv_auc(y, score, folds=fold)
    assert rs.cv_auc(y, score - 100.0 * fold, folds=fold).value == pytest.approx(found.value)
    ordinary, one = rs.auc(y, score), rs.cv_auc(y, score, folds=np.zeros(y.size))
    assert (one.value, one.std_error) == pytest.approx((ordinary.value, ordinary.std_error))
    turned = rs.cv_auc(y, -score, folds=fold, higher_is_positive=False)
    assert turned.value == pytest.approx(found.value)


def test_interval_is_logit_with_t_over_classes_of_folds():
    from scipy.stats import t

    y, (score,), fold = simulate(4, sizes=(12, 15, 18))
    found = rs.cv_auc(y, score, folds=fold)
    terms = found.influence.covariance_terms()[:-1, 0, 0]
    df = terms.sum() ** 2 / (terms**2 / (found.influence.units() - 1)).sum()
    centre, reach = math.log(found.value / (1 - found.value)), t.ppf(0.975, df) * found.std_error
    reach /= found.value * (1 - found.value)
    limits = found.confidence_interval()
    assert limits.method == "logit_t"
    assert list(limits) == pytest.approx([1 / (1 + math.exp(-centre - d)) for d in (-reach, reach)])


def test_a_difference_is_paired_within_folds():
    y, scores, fold = simulate(5, markers=2)
    found = rs.cv_compare(y, dict(zip("ab", scores, strict=True)), folds=fold)
    variance = 0.0
    for k in range(3):
        here = fold == k
        part = rs.compare(y[here], dict(zip("ab", scores[:, here], strict=True)))
        variance += part.contrast([1, -1]).tests[0].std_error ** 2 / 9
    test = found.pairwise(method="delong").tests[0]
    assert test.std_error == pytest.approx(math.sqrt(variance), rel=1e-12)
    single = [rs.cv_auc(y, s, folds=fold) for s in scores]
    assert test.estimate == pytest.approx(single[0].value - single[1].value)
    assert found.noninferiority(0.1, new="a", standard="b").estimate == test.estimate
    some = rs.cv_compare(
        rs.ScoredSample.from_arrays(
            y, {"a": scores[0], "c": -scores[0], "b": scores[1]}, covariates={"fold": fold}
        ),
        folds="fold",
        markers=["a", "b"],
    )
    assert some.pairwise(method="delong").tests[0].std_error == pytest.approx(test.std_error)


def repeated(seed, repeats=4):
    rng = np.random.default_rng(seed)
    n = 90
    y = (np.arange(n) % 3 == 0).astype(int)
    base = rng.normal(size=n) + y
    rows = []
    for r in range(repeats):
        fold = np.empty(n, dtype=int)
        for c in (0, 1):
            fold[rng.permutation(np.flatnonzero(y == c))] = np.arange((y == c).sum()) % 3
        rows.append(
            pd.DataFrame(
                {"y": y, "s": base + 0.1 * rng.normal(size=n), "f": fold, "r": r, "id": range(n)}
            )
        )
    return pd.concat(rows)


def test_repeats_average_the_influence_of_a_subject():
    long = repeated(6)
    found = rs.cv_auc(long.y, long.s, folds=long.f, repeats=long.r, subject=long.id)
    parts = [
        rs.auc(rs.ScoredSample.from_arrays(g.y, g.s, subject=g.id.to_numpy())).influence
        for _, g in long.groupby(["r", "f"])
    ]
    joined = parts[0].join(*parts[1:]).contrast(np.full(len(parts), 1 / len(parts)))
    assert found.value == pytest.approx(joined.estimate[0], abs=1e-14)
    assert found.std_error**2 == pytest.approx(joined.covariance()[0, 0], rel=1e-12)
    first = long[long.r == 0]
    once = rs.cv_auc(first.y, first.s, folds=first.f)
    twice = pd.concat([first, first.assign(r=1)])
    again = rs.cv_auc(twice.y, twice.s, folds=twice.f, repeats=twice.r, subject=twice.id)
    assert again.std_error == pytest.approx(once.std_error, rel=1e-12)
    assert found.details["repeats"] == 4
    assert found.details["subjects"] == 90


def test_it_says_what_it_estimates():
    data = read("cv_admissions")
    text = str(rs.cv_auc(data.label, data.score, folds=data.fold))
    assert "AUC of score, mean of 10 folds: 0.9026" in text
    assert "mean AUC of the 10 models" in text
    assert "not that of a final model" in text
    assert "smallest fold 50, largest fold 50" in text


def test_perfect_folds_have_the_interval_of_a_perfect_area():
    y, fold = np.tile([1, 1, 0, 0, 0], 4), np.repeat([0, 1], 10)
    found = rs.cv_auc(y, 1.0 * y, folds=fold)
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert found.std_error == 0.0
    assert list(found.confidence_interval()) == pytest.approx(
        list(rs.auc(y, 1.0 * y).confidence_interval())
    )


def test_one_positive_in_a_fold_has_no_standard_error():
    y, score = [1, 0, 0, 1, 1, 0, 0], [3, 1, 2, 5, 1, 2, 0]
    with pytest.warns(rs.SmallSampleWarning, match="one subject or cluster only.*take fewer"):
        found = rs.cv_auc(y, score, folds=[1, 1, 1, 2, 2, 2, 2])
    assert math.isnan(found.scatter[0])
    assert found.value == pytest.approx((1.0 + 0.75) / 2)
    with pytest.warns(rs.SmallSampleWarning, match="one subject or cluster only.*take fewer"):
        again = rs.cv_auc(
            y * 2,
            score * 2,
            folds=[1, 1, 1, 2, 2, 2, 2] * 2,
            repeats=[1] * 7 + [2] * 7,
            subject=[*range(7)] * 2,
        )
    assert math.isnan(again.scatter[0])
    assert again.value == found.value


Y, S, F = [1, 0, 1, 0, 1, 0, 1, 0], [4, 2, 3, 1, 9, 8, 8, 7], [1, 1, 1, 1, 2, 2, 2, 2]
BAD = [
    ({}, "folds is missing"),
    ({"folds": [1, 2]}, "8 subjects but 2 fold ids"),
    ({"folds": [1, 1, 1, 1, 2, 2, 2, None]}, "fold ids are missing"),
    ({"folds": range(8)}, "leave-one-out"),
    ({"folds": [1, 2] * 4}, "Fold 1 has one class only .no negatives.*stratified or fewer"),
    ({"folds": F, "weights": "size"}, "weights must be"),
    ({"folds": F, "variance": "delong"}, "variance must be"),
    ({"folds": F, "weights": "pairs", "variance": "ledell"}, "equal weight, without repeats"),
    ({"folds": F, "cluster": [1, 1, 2, 2, 1, 3, 4, 5]}, "Cluster 1 is in several folds"),
    ({"folds": F, "repeats": [1] * 4 + [2] * 4}, "needs subject"),
    ({"folds": "fold"}, "no covariate of the sample"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_refusals(options, message):
    with pytest.raises(rs.RocstatsError, match=message):
        rs.cv_auc(Y, S, **options)


def test_subjects_that_come_again_need_a_reason():
    sample = rs.ScoredSample.from_arrays(Y, S, cluster=None)
    with pytest.warns(rs.RepeatedSubjectWarning):
        sample = rs.ScoredSample.from_arrays(Y, S, subject=[1, 2, 3, 4, 1, 2, 3, 4])
    with pytest.raises(rs.InvalidSampleError, match="repeats"):
        rs.cv_auc(sample, folds=F)
    repeats = np.array(F) - 1
    assert rs.cv_auc(sample, folds=np.ones(8), repeats=repeats).details["subjects"] == 4


def test_rows_with_missing_scores_take_their_fold_along():
    y, (score,), fold = simulate(7)
    gone = score.copy()
    gone[:5] = np.nan
    found = rs.cv_auc(y, gone, folds=fold, nan_policy="omit")
    assert found.value == pytest.approx(rs.cv_auc(y[5:], score[5:], folds=fold[5:]).value)


def test_pooling_names_the_answer():
    with pytest.warns(rs.PooledFoldsWarning, match=r"rs\.cv_compare"):
        rs.compare(Y, {"a": S, "b": S[::-1]}, folds=F)
    sample = rs.ScoredSample.from_arrays(Y, S)
    with pytest.warns(rs.PooledFoldsWarning, match=r"rs\.cv_auc"):
        rs.pooled_curve(sample, F)


def test_coverage_with_unequal_folds():
    truth, sizes, hits, errors, values = 0.7602, (90, 60, 30), 0, [], []
    for seed in range(400):
        y, (score,), fold = simulate(seed, sizes=sizes)
        found = rs.cv_auc(y, score, folds=fold)
        hits += truth in found.confidence_interval()
        errors.append(found.std_error)
        values.append(found.value)
    assert hits / 400 > 0.925
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "title", ["100 subjects, 5 folds, 4 repeats", "50 patients of 3 rows, AUC .83, 5 folds"]
)
def test_coverage_of_fitted_models(title):
    study = load_study("cross_validation")
    runs = 150
    found = study.fitted_row(study.FITTED[title], runs, seed=2)
    least = 0.95 - 0.02 - 3.0 * math.sqrt(0.95 * 0.05 / runs)
    assert found["default"] >= least
    assert found["default"] > found["plain"]
