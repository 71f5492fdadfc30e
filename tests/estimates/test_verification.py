"""Partial verification: the laws, Begg & Greenes' numbers, warnings and refusals."""

import numpy as np
import pytest

import rocstats as rs

# Hepatic scintigraphy (Drum & Christacopoulos 1972, as quoted by Begg & Greenes 1983): result of
# the test, disease, verified, patients.
LIVER = [
    *((1, 1, 1, 231), (1, 0, 1, 32), (0, 1, 1, 27), (0, 0, 1, 54)),
    *((1, None, 0, 166), (0, None, 0, 140)),
]


def liver(kind: str = "rows") -> tuple[list[object], ...]:
    test, disease, verified, count = (list(column) for column in zip(*LIVER, strict=True))
    if kind == "counts":
        return test, disease, verified, count
    rows = [row for row in LIVER for _ in range(row[3])]
    return tuple(list(column) for column in zip(*rows, strict=True))


def test_begg_and_greenes() -> None:
    test, disease, verified, _ = liver()
    found = rs.operating_points(disease, test, thresholds=[1], verified=verified)
    assert found.sensitivity[0] == pytest.approx(0.8364667154352597, abs=1e-9)
    assert found.specificity[0] == pytest.approx(0.7383980, abs=1e-7)
    # Their variance of the logit of the sensitivity, with N / (N - 2) for the fitted model.
    a, b, c, d, n1, n0 = 231, 32, 27, 54, 429, 221
    logit = (n1 + n0) / (n1 * n0) + b / (a * (a + b)) + d / (c * (c + d))
    se, moments = found.sensitivity[0], found.tables().clusters
    assert moments is not None
    square = moments.square({"tp": 1 - found.sensitivity, "fn": -found.sensitivity})[0]
    total = float(found.tp[0] + found.fn[0])
    expected = logit * (se * (1 - se)) ** 2 * 650 / 648
    assert square / total**2 == pytest.approx(expected, rel=1e-6)


def test_counts_are_the_same_as_rows() -> None:
    test, disease, verified, count = liver("counts")
    counted = rs.operating_points(
        disease,
        test,
        thresholds=[1],
        verified=verified,
        weights=count,
        weight_kind="frequency",
    )
    test, disease, verified, _ = liver()
    rows = rs.operating_points(disease, test, thresholds=[1], verified=verified)
    assert counted.to_dict() == rows.to_dict()


def data(seed: int = 1, n: int = 300) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    score = rng.normal(size=n) + y
    age = rng.normal(size=n)
    verified = rng.random(n) < 1 / (1 + np.exp(-(0.3 + 0.8 * score)))
    return y, score, age, verified


def test_all_verified_is_the_ordinary_area() -> None:
    y, score, age, _ = data()
    found = rs.auc(y, score, verified=np.ones(y.size), verification_model={"age": age})
    plain = rs.auc(y, score)
    assert (found.value, found.std_error) == (plain.value, plain.std_error)
    assert repr(found) == repr(plain)


@pytest.mark.parametrize("scale", [2.0**1000, 2.0**-1000])
def test_a_covariate_of_the_model_has_any_unit(scale: float) -> None:
    y, score, age, verified = data()
    plain, scaled = (
        rs.auc(y, score, verified=verified, verification_model={"age": k * age})
        for k in (1.0, scale)
    )
    assert (scaled.value, scaled.std_error) == (plain.value, plain.std_error)


@pytest.mark.parametrize("same", [0.1, 0.5])  # of the first, the mean is an ulp away
def test_a_constant_in_the_model_changes_nothing(same: float) -> None:
    y, score, age, verified = data()
    model = {"age": age}, {"age": age, "same": np.full(y.size, same)}
    plain, more = (
        rs.auc(y, score, verified=verified, verification_model=columns) for columns in model
    )
    assert (more.value, more.std_error) == (plain.value, plain.std_error)


def test_the_class_of_the_unverified_is_not_looked_at() -> None:
    y, score, _, verified = data()
    unknown = np.where(verified, y, np.nan)
    turned = np.where(verified, y, ~y)
    found = [rs.auc(labels, score, verified=verified).value for labels in (unknown, turned, y)]
    assert found[0] == found[1] == found[2]
    with pytest.raises(rs.InvalidSampleError, match="missing values"):
        rs.auc(
            np.where(np.arange(y.size) == np.argmax(verified), np.nan, y), score, verified=verified
        )


def test_verification_at_random_needs_no_correction_of_the_value() -> None:
    """With a saturated model of a factor, weights by stratum: shares of the verified in it."""
    y, score, _, _ = data()
    sex = np.where(np.arange(y.size) % 2 == 0, "m", "f")
    verified = np.random.default_rng(4).random(y.size) < np.where(sex == "m", 0.8, 0.4)
    found = rs.auc(y, score, verified=verified, verification_model={"sex": sex})
    share = {s: verified[sex == s].mean() for s in "mf"}
    w = np.array([1 / share[s] for s in sex])[verified]
    expected = rs.auc(y[verified], score[verified], weights=w).value
    assert found.value == pytest.approx(expected, abs=1e-9)


def test_everyone_of_one_result_verified() -> None:
    """A probability of 1 for some is no separation to be afraid of."""
    y, score, _, _ = data()
    test = score > 0.5
    verified = test | (np.random.default_rng(4).random(y.size) < 0.3)
    found = rs.operating_points(y, test.astype(float), thresholds=[1], verified=verified)
    tau = y[verified & ~test].mean()
    n1, n0, d1 = test.sum(), (~test).sum(), y[test].sum()
    assert found.sensitivity[0] == pytest.approx(d1 / (d1 + n0 * tau), abs=1e-6)
    assert found.specificity[0] == pytest.approx(
        n0 * (1 - tau) / (n0 * (1 - tau) + n1 - d1), abs=1e-6
    )
    assert np.isfinite(found.limits("sensitivity")[0][0])


def test_a_region_where_nobody_is_verified_is_refused() -> None:
    y, score, _, _ = data()
    with pytest.raises(rs.InvalidSampleError, match="nobody like them is verified"):
        rs.auc(y, score, verified=score > 0.5, verification_model={"high": (score > 0.5) * 1.0})


@pytest.mark.filterwarnings("ignore:One of the")
def test_a_small_probability_is_warned_of() -> None:
    y, score, _, _ = data(n=2000)
    p = 1 / (1 + np.exp(-(score * 1.5 - 1.0)))
    verified = np.random.default_rng(1).random(y.size) < p
    with pytest.warns(rs.ExtremeWeightsWarning, match="as small as"):
        rs.auc(y, score, verified=verified)


def test_what_is_said() -> None:
    y, score, age, verified = data()
    found = rs.auc(y, score, verified=verified, verification_model={"score": score, "age": age})
    text = str(found)
    assert f"{verified.sum()} of 300 subjects verified" in text
    assert "logistic in score, age" in text
    assert "not on the disease itself" in text
    assert found.n_pos + found.n_neg == verified.sum()


def test_two_markers_of_partly_verified_subjects() -> None:
    y, score, age, verified = data()
    sample = rs.ScoredSample.from_arrays(
        y, {"a": score, "b": score + 2 * age}, verified=verified, verification_model=["a", "b"]
    )
    found = rs.compare(sample)
    phi = found.influence.values
    assert phi.shape == (2, 300)
    expected = phi @ phi.T / (300 * 299)
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-6)
    assert 0.0 < found.pairwise().pvalue < 1.0


@pytest.mark.filterwarnings("ignore::rocstats.ExtremeWeightsWarning")
def test_the_interval_covers() -> None:
    """Reduced from docs/evidence/weights.py: 250 samples of 200, between 3 errors of .95."""
    rng, hits = np.random.default_rng(1), 0
    truth = 0.7602499389065233
    for _ in range(250):
        y = rng.random(200) < 0.4
        score = rng.normal(size=200) + y
        verified = rng.random(200) < 1 / (1 + np.exp(-(0.2 + 0.8 * (score - 0.4))))
        low, high = rs.auc(y, score, verified=verified).confidence_interval()
        hits += low <= truth <= high
    assert 0.95 - 3 * 0.0138 < hits / 250 < 0.95 + 3 * 0.0138


def test_no_missed_positive_among_the_verified_is_no_certainty() -> None:
    """Of 30 positives all called, verified with 1 and .3: one not seen may weigh 3.3."""
    test = np.repeat([1, 0, 0, 1], [30, 21, 49, 10])
    disease = np.repeat([1.0, 0.0, np.nan, 0.0], [30, 21, 49, 10])
    found = rs.operating_points(disease, test, thresholds=[1], verified=~np.isnan(disease))
    assert found.sensitivity[0] == pytest.approx(1.0, abs=1e-12)
    low = found.limits("sensitivity")[0][0]
    worth = 30 / (70 / 21)  # Wilson's lower limit of all in k is k / (k + z**2)
    assert low == pytest.approx(worth / (worth + 1.959963984540054**2), abs=1e-4)
