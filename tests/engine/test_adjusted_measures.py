"""Areas adjusted for covariates against their definition, pooled strata and the bootstrap."""

from typing import Any

import numpy as np
import pytest

import rocstats as rs

EXACT = 1e-13


def data(seed: int = 1, n: int = 150) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 3, n)
    y = rng.random(n) < 0.2 + 0.2 * z
    age = rng.normal(50, 10, n) + 4 * y
    score = np.round(rng.normal(size=n) + y + 1.5 * z, 1)
    return y, score, np.array(list("ABC"))[z], age


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_mean_placement_among_negatives_of_the_same_stratum(seed: int) -> None:
    y, score, centre, _ = data(seed)
    placements, placed = [], []
    for i in np.flatnonzero(y):
        rivals = score[~y & (centre == centre[i])]
        placements.append(((score[i] > rivals) + 0.5 * (score[i] == rivals)).mean())
        placed.append(centre[i])
    value, cases = np.mean(placements), np.array(placements)
    variance = cases.var(ddof=1) / cases.size
    for level in np.unique(centre):
        mine, rivals = score[y & (centre == level)], score[~y & (centre == level)]
        other = ((mine[:, None] > rivals) + 0.5 * (mine[:, None] == rivals)).mean(axis=0)
        variance += (mine.size / cases.size) ** 2 * other.var(ddof=1) / rivals.size
    found = rs.auc(y, score, adjust_for={"centre": centre})
    assert found.value == pytest.approx(value, abs=EXACT)
    assert found.std_error == pytest.approx(np.sqrt(variance), rel=1e-12)


def test_strata_by_cases_and_homogeneity() -> None:
    y, score, centre, _ = data()
    found = rs.auc(y, score, adjust_for={"centre": centre})
    alone = {c: rs.auc(y[centre == c], score[centre == c]) for c in "ABC"}
    for row in found.homogeneity.strata:
        assert row.estimate == pytest.approx(alone[row.level].value, abs=EXACT)
        assert row.std_error == pytest.approx(alone[row.level].std_error, rel=1e-12)
    by_cases = sum(e.value * e.n_pos for e in alone.values()) / y.sum()
    assert found.value == pytest.approx(by_cases, abs=EXACT)
    precision = np.array([e.std_error**-2 for e in alone.values()])
    areas = np.array([e.value for e in alone.values()])
    middle = (precision * areas).sum() / precision.sum()
    expected = (precision * (areas - middle) ** 2).sum()  # Cochran's Q of independent strata
    assert found.homogeneity.statistic == pytest.approx(expected, rel=1e-10)
    assert found.homogeneity.df == 2.0
    assert found.details["pooled"] == pytest.approx(rs.auc(y, score).value, abs=EXACT)
    assert "A: " in str(found)


def test_one_stratum_is_the_ordinary_area() -> None:
    y, score, _, _ = data()
    one, other = rs.auc(y, score, adjust_for=np.full(y.size, "x")), rs.auc(y, score)
    assert one.value == pytest.approx(other.value, abs=EXACT)
    assert one.std_error == pytest.approx(other.std_error, rel=1e-12)
    low, high = other.confidence_interval()
    assert tuple(one.confidence_interval()) == pytest.approx((low, high), abs=1e-12)


def test_a_scale_is_taken_off_by_a_line_of_the_negatives() -> None:
    """The area of the residuals; its influence is the derivative in a subject's weight."""
    y, score, _, age = data()
    score = score + 0.1 * age + np.random.default_rng(0).normal(size=y.size) * 1e-3

    def area(w: Any) -> float:
        x = np.stack([np.ones(y.size), age], axis=1)[~y]
        slope = np.linalg.solve((x * w[~y, None]).T @ x, (x * w[~y, None]).T @ score[~y])[1]
        left = score - slope * age
        a, b = left[y][:, None], left[~y][None, :]
        return float(w[y] @ ((a > b) + 0.5 * (a == b)) @ w[~y] / (w[y].sum() * w[~y].sum()))

    found = rs.auc(y, score, adjust_for={"age": age})
    assert found.value == pytest.approx(area(np.ones(y.size)), abs=EXACT)
    rng = np.random.default_rng(5)
    drawn = []
    for _ in range(600):
        w = np.zeros(y.size)
        for part in (y, ~y):
            w[part] = rng.multinomial(part.sum(), np.full(part.sum(), 1 / part.sum()))
        drawn.append(area(w))
    assert found.std_error == pytest.approx(np.std(drawn), rel=0.1)


@pytest.mark.parametrize("scale", [2.0**1000, 2.0**-1000])
def test_a_number_that_is_adjusted_for_has_any_unit(scale: float) -> None:
    y, score, _, age = data(1)
    plain, scaled = (rs.auc(y, score, adjust_for={"age": k * age}) for k in (1.0, scale))
    assert (scaled.value, scaled.std_error) == (plain.value, plain.std_error)


def test_two_markers_and_clusters() -> None:
    y, score, centre, _ = data(2)
    other = score + np.random.default_rng(1).normal(size=y.size)
    found = rs.compare(y, {"a": score, "b": other}, adjust_for={"centre": centre})
    assert found.covariance[0, 0] == pytest.approx(
        rs.auc(y, score, adjust_for={"centre": centre}).std_error ** 2, rel=1e-12
    )
    sample = rs.ScoredSample.from_arrays(
        y, score, covariates={"centre": centre}, cluster=np.arange(y.size)
    )
    one = rs.auc(sample, adjust_for="centre")
    assert one.std_error == pytest.approx(np.sqrt(found.covariance[0, 0]), rel=1e-10)


def test_positives_without_a_rival_are_counted() -> None:
    y, score, centre, _ = data()
    centre = np.where(y & (score > 3), "lone", centre)
    found = rs.auc(y, score, adjust_for={"centre": centre})
    gone = int((y & (score > 3)).sum())
    assert gone > 0
    assert found.n_pos == y.sum() - gone
    assert f"{gone} positives without a negative in theirs left out" in str(found)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"adjust_for": ["A"] * 3}, "6 subjects but 3 values of covariate"),
        ({"adjust_for": ["A", "A", "A", "A", "B", None]}, "is missing for 1"),
        ({"adjust_for": list("ABCDEF")}, "has both classes"),
        ({"adjust_for": ["A", "B", "A", "B", "A", "B"]}, "one negative only"),
        ({"adjust_for": {}}, "must be columns by name"),
        ({"adjust_for": ["A"] * 6, "strata": [1, 2, 1, 2, 1, 2]}, "the sample has sampling strata"),
    ],
)
def test_what_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.RocstatsError, match=sentence):
        rs.auc([1, 1, 0, 0, 1, 0], [3.0, 2.0, 2.0, 1.0, 5.0, 4.0], **options)


def test_a_sample_names_its_covariates() -> None:
    y, score, centre, _ = data()
    frame = {"y": y, "s": score, "centre": centre}
    sample = rs.ScoredSample.from_frame(frame, "y", "s", pos_label=True, covariates="centre")
    assert rs.auc(sample, adjust_for="centre").value != rs.auc(sample).value
    with pytest.raises(rs.InvalidOptionError, match="no covariate of the sample"):
        rs.auc(sample, adjust_for="age")
    with pytest.raises(rs.InvalidOptionError, match="an adjustment for covariates, which"):
        rs.bootstrap(rs.auc(sample, adjust_for="centre"))
    with pytest.raises(rs.InvalidOptionError, match="cannot be adjusted"):
        rs.estimate(sample, measures=rs.partial_area(fpr=(0, 0.2)), adjust_for="centre")
    with pytest.raises(rs.InvalidOptionError, match="is not adjusted"):
        _ = rs.auc(sample).homogeneity
