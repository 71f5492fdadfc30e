"""Averages of ROC curves, against Fawcett's algorithms as printed and definitions."""

from __future__ import annotations

import math
import statistics
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocstats as rs

mpl.use("Agg")

ROUNDING = 1e-13  # some dozens of roundings of numbers near 1

Fold = tuple[list[int], list[float]]


@st.composite
def folds(draw: st.DrawFn, least: int = 2) -> list[Fold]:
    """Some folds of two to seven subjects a class, with scores on a common grid."""
    found = []
    for _ in range(draw(st.integers(least, 4))):
        m, n = draw(st.integers(2, 7)), draw(st.integers(2, 7))
        y = draw(st.permutations([1] * m + [0] * n))
        score = draw(st.lists(st.integers(0, 12), min_size=m + n, max_size=m + n))
        found.append((y, [s / 16 for s in score]))
    return found


def curves_of(data: list[Fold]) -> list[rs.RocCurve]:
    return [rs.roc_curve(y, s) for y, s in data]


def fawcett_folds() -> list[rs.RocCurve]:
    """The 20 instances of Fawcett's Fig. 3 dealt into two folds of ten."""
    sample = rs.datasets.load_fawcett()
    parts = [np.arange(20) % 2 == k for k in (0, 1)]
    return [rs.roc_curve(sample.positive[p], sample.scores[0][p], pos_label=True) for p in parts]


def algorithm_3(curves: list[rs.RocCurve], samples: list[float]) -> list[float]:
    """Fawcett's Algorithm 3 as printed: TPR_FOR_FPR with its interpolation, averaged."""

    def tpr_for_fpr(wanted: float, curve: rs.RocCurve) -> float:
        fpr, tpr = curve.fpr.tolist(), curve.tpr.tolist()
        i = 0
        while i < len(fpr) - 1 and fpr[i + 1] <= wanted:
            i += 1
        if fpr[i] == wanted:
            return tpr[i]
        slope = (tpr[i + 1] - tpr[i]) / (fpr[i + 1] - fpr[i])
        return tpr[i] + slope * (wanted - fpr[i])

    return [sum(tpr_for_fpr(x, c) for c in curves) / len(curves) for x in samples]


def algorithm_4(curves: list[rs.RocCurve], threshold: float) -> tuple[float, float]:
    """Fawcett's Algorithm 4 as printed, at one threshold: the first score not above it."""
    found = []
    for curve in curves:
        i = 0
        while i < curve.threshold.size and curve.threshold[i] > threshold:
            i += 1
        found.append((curve.fpr[i], curve.tpr[i]))
    fpr, tpr = zip(*found, strict=True)
    return sum(fpr) / len(fpr), sum(tpr) / len(tpr)


@given(folds())
def test_vertical_average_is_algorithm_3(data: list[Fold]) -> None:
    curves = curves_of(data)
    grid = [k / 10 for k in range(11)]
    for at, samples in ((11, grid), (grid, grid), (None, None)):
        mean = rs.average_curves(curves, at=at)
        wanted = samples or sorted({x for c in curves for x in c.fpr.tolist()})
        assert mean.fpr.tolist() == wanted
        np.testing.assert_allclose(mean.tpr, algorithm_3(curves, wanted), rtol=0, atol=ROUNDING)


@given(folds())
def test_vertical_average_is_a_mean_everywhere(data: list[Fold]) -> None:
    # With every fpr of every curve the average is exact between them too, and so is its area.
    curves = curves_of(data)
    mean = rs.average_curves(curves)
    where = np.linspace(0.0, 1.0, 37)
    wanted = np.mean([c.at(fpr=where).tpr for c in curves], axis=0)
    np.testing.assert_allclose(mean.at(fpr=where).tpr, wanted, rtol=0, atol=ROUNDING)
    areas = [c.area() for c in curves]
    assert mean.area() == pytest.approx(statistics.mean(areas), abs=ROUNDING)


@given(folds())
def test_threshold_average_counts_who_scores_so_high(data: list[Fold]) -> None:
    mean = rs.average_curves(curves_of(data), method="threshold")
    scores = {s for _, score in data for s in score}
    assert mean.threshold.tolist() == [math.inf, *sorted(scores, reverse=True)]
    for t, fpr, tpr in zip(mean.threshold, mean.fpr, mean.tpr, strict=True):
        rates = []
        for y, score in data:
            called = np.array(score) >= t
            rates.append([called[np.array(y) == k].mean() for k in (0, 1)])
        wanted = np.mean(rates, axis=0).tolist()
        assert [fpr, tpr] == pytest.approx(wanted, abs=ROUNDING)


@given(folds())
def test_threshold_average_is_algorithm_4_at_common_scores(data: list[Fold]) -> None:
    curves = curves_of(data)
    common = set.intersection(*({*c.threshold.tolist()} for c in curves))
    mean = rs.average_curves(curves, method="threshold", at=sorted(common))
    assert mean.threshold.tolist() == sorted(common, reverse=True)
    for t, fpr, tpr in zip(mean.threshold, mean.fpr, mean.tpr, strict=True):
        assert (fpr, tpr) == pytest.approx(algorithm_4(curves, t), abs=ROUNDING)


def test_algorithm_4_as_printed_runs_past_the_end() -> None:
    # Below the lowest score of a curve there is no point of a score at or below the threshold.
    curves = curves_of([([1, 0], [0.9, 0.8]), ([1, 0], [0.2, 0.1])])
    with pytest.raises(IndexError):
        algorithm_4(curves, 0.2)
    mean = rs.average_curves(curves, method="threshold", at=[0.2])
    assert (mean.fpr.tolist(), mean.tpr.tolist()) == ([0.5], [1.0])


@pytest.mark.filterwarnings("ignore::rocstats.SmallSampleWarning")
@given(folds(least=1))
def test_the_average_of_one_curve_is_that_curve(data: list[Fold]) -> None:
    (curve,) = curves_of(data[:1])
    vertical = rs.average_curves(curve)
    fpr, tpr = vertical.path()
    # The same polygon, without the vertices along a vertical line.
    inner = [
        i
        for i in range(1, curve.fpr.size - 1)
        if not curve.fpr[i - 1] == curve.fpr[i] == curve.fpr[i + 1]
    ]
    kept = [0, *inner, curve.fpr.size - 1]
    assert fpr.tolist() == curve.fpr[kept].tolist()
    assert tpr.tolist() == curve.tpr[kept].tolist()
    assert vertical.area() == pytest.approx(curve.area(), abs=ROUNDING)
    by_threshold = rs.average_curves([curve], method="threshold")
    for name in ("fpr", "tpr", "threshold"):
        assert getattr(by_threshold, name).tolist() == getattr(curve, name).tolist()
    twice = rs.average_curves([curve, curve])
    assert twice.path()[1].tolist() == tpr.tolist()
    assert not twice.tpr_std_dev.any()
    assert np.isnan(twice.tpr_low).all()  # no spread shows no certainty


@pytest.mark.parametrize("method", ["vertical", "threshold"])
@given(data=folds())
def test_spread_and_limits(method: Any, data: list[Fold]) -> None:
    curves = curves_of(data)
    mean = rs.average_curves(curves, method=method, confidence_level=0.9)
    for k in range(mean.fpr.size):
        if method == "vertical":
            points = [c.at(fpr=mean.fpr[k]) for c in curves]
        else:
            points = [c.at(threshold=mean.threshold[k]) for c in curves]
        for axis in ("fpr", "tpr"):
            values = [getattr(p, axis) for p in points]
            std_dev = statistics.stdev(values)
            assert getattr(mean, f"{axis}_std_dev")[k] == pytest.approx(std_dev, abs=ROUNDING)
            limits = getattr(mean, f"{axis}_low")[k], getattr(mean, f"{axis}_high")[k]
            if std_dev > ROUNDING:
                std_error = std_dev / math.sqrt(len(curves))
                expected = stats.t.interval(
                    0.9, len(curves) - 1, loc=statistics.mean(values), scale=std_error
                )
                expected = np.clip(expected, 0.0, 1.0)
                assert limits == pytest.approx(expected, rel=1e-9, abs=ROUNDING)
            elif std_dev == 0.0:
                assert np.isnan(limits).all()


def test_fawcett_figure_3_in_two_folds() -> None:
    # By score, instances 1, 3, 5... are pnpnpppnpp and 2, 4, 6... are pppnnnnnnn.
    mean = rs.average_curves(fawcett_folds(), at=3)
    assert mean.tpr.tolist() == pytest.approx([4 / 7, 9 / 14, 1.0], abs=ROUNDING)
    assert mean.tpr_left[0] == 0.0
    assert mean.tpr_std_dev[:2] == pytest.approx(
        [6 / 7 / math.sqrt(2), 5 / 7 / math.sqrt(2)], abs=ROUNDING
    )


def test_number_of_thresholds() -> None:
    curves = fawcett_folds()
    mean = rs.average_curves(curves, method="threshold", at=5)
    every = sorted((t for c in curves for t in c.threshold[1:]), reverse=True)
    assert mean.threshold.tolist() == [math.inf, every[0], every[6], every[12], every[19]]
    assert (mean.fpr[0], mean.tpr[0], mean.fpr[-1], mean.tpr[-1]) == (0.0, 0.0, 1.0, 1.0)


def test_low_is_positive() -> None:
    y, score = [1, 1, 0, 1, 0, 0], [1, 2, 3, 3, 5, 6]
    flipped = rs.roc_curve(y, score, higher_is_positive=False)
    other = rs.roc_curve(y, [2, 1, 2, 5, 4, 6], higher_is_positive=False)
    mean = rs.average_curves([flipped, other], method="threshold")
    assert mean.threshold.tolist() == [-math.inf, 1, 2, 3, 4, 5, 6]
    mirrored = [rs.roc_curve(y, [-s for s in v]) for v in (score, [2, 1, 2, 5, 4, 6])]
    again = rs.average_curves(mirrored, method="threshold")
    assert again.tpr.tolist() == mean.tpr.tolist()
    with pytest.raises(rs.InvalidOptionError, match="no threshold is common"):
        rs.average_curves([flipped, mirrored[0]], method="threshold")
    assert rs.average_curves([flipped, mirrored[0]]).n_curves == 2


def test_folds_of_one_sample() -> None:
    sample = rs.datasets.load_breast_cancer()
    fold = np.arange(sample.positive.size) % 5
    curves = [
        rs.roc_curve(sample.positive[fold == k], {"r": sample.scores[0][fold == k]}, pos_label=True)
        for k in range(5)
    ]
    split = rs.average_curves(sample, folds=fold, marker="mean_radius")
    given_curves = rs.average_curves(curves)
    assert split.tpr.tolist() == given_curves.tpr.tolist()
    assert (split.classifier, split.n_curves) == ("mean_radius", 5)
    samples = [
        rs.ScoredSample.from_arrays(
            sample.positive[fold == k],
            dict(zip(sample.markers, sample.scores[:, fold == k], strict=True)),
            pos_label=True,
        )
        for k in range(5)
    ]
    again = rs.average_curves(samples, marker="mean_radius")
    assert again.tpr.tolist() == given_curves.tpr.tolist()
    with pytest.warns(rs.PooledFoldsWarning, match="Scores of 5 folds were pooled"):
        pooled = rs.pooled_curve(sample, folds=fold, marker="mean_radius")
    assert pooled.to_dict() == rs.roc_curve(sample, marker="mean_radius").to_dict()


def test_pooling_mixes_calibration_with_ranking() -> None:
    # Both folds are ranked perfectly; the second model scores lower throughout.
    first = rs.ScoredSample.from_arrays([1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6])
    second = rs.ScoredSample.from_arrays([1, 1, 0, 0], [0.4, 0.3, 0.2, 0.1])
    with pytest.warns(rs.PooledFoldsWarning):
        assert rs.pooled_curve([first, second]).area() == 0.75
    assert rs.average_curves([first, second]).area() == 1.0
    assert rs.pooled_curve([first]).area() == 1.0  # one fold is no pool: no warning


def test_average_is_a_result() -> None:
    mean = rs.average_curves(fawcett_folds())
    assert repr(mean) == repr(rs.average_curves(fawcett_folds()))
    assert "too narrow where the curves are folds" in repr(mean)
    frame = mean.to_frame()
    assert set(frame.columns) < set(mean.to_dict())
    assert frame["tpr"].tolist() == mean.to_dict()["tpr"]
    with pytest.raises(ValueError, match="read-only"):
        mean.tpr[0] = 1.0


def test_drawing() -> None:
    few = rs.average_curves(fawcett_folds(), at=11)
    axes = few.plot()
    assert len(axes.collections) == 1  # vertical bars
    by_threshold = rs.average_curves(fawcett_folds(), method="threshold")
    assert len(by_threshold.plot().collections) == 2  # both ways
    rng = np.random.default_rng(1)
    y = np.arange(2000) % 2
    many = rs.average_curves([rs.roc_curve(y, y + rng.normal(size=y.size)) for _ in range(3)])
    (band,) = many.plot().collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.min() >= 0.0
    assert heights.max() <= 1.0


CURVE = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
SAMPLE = rs.ScoredSample.from_arrays([1, 0, 1, 0], [4, 3, 2, 1])
OTHER_CLASS = rs.ScoredSample.from_arrays([1, 0, 1, 0], [4, 3, 2, 1], pos_label=0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rs.average_curves([]), "A list of curves or samples, one for each fold"),
        (lambda: rs.average_curves("abc"), "A list of curves or samples"),
        (lambda: rs.average_curves([CURVE, 3]), "Folds are samples, or ROC curves"),
        (lambda: rs.average_curves([CURVE, SAMPLE]), "all alike"),
        (lambda: rs.average_curves(SAMPLE), "One sample needs folds="),
        (lambda: rs.average_curves([CURVE, CURVE], folds=[1, 2]), "goes with one sample"),
        (lambda: rs.average_curves([CURVE, CURVE], marker="a"), "marker= goes with samples"),
        (lambda: rs.average_curves(SAMPLE, folds=[1, 1, 2]), "4 subjects but 3 fold ids"),
        (lambda: rs.average_curves(SAMPLE, folds=[1, 1, 1, None]), "Some fold ids are missing"),
        (lambda: rs.average_curves(SAMPLE, folds=[1, 2, 1, 2]), "Fold 1 has one class only"),
        (lambda: rs.average_curves([CURVE], method="mean"), "method must be one of"),
        (lambda: rs.average_curves([CURVE], confidence_level=95), "confidence_level must lie"),
        (lambda: rs.average_curves([CURVE], at=1), "at must be at least 2 points"),
        (lambda: rs.average_curves([CURVE], at=[0.5, 1.5]), r"within \[0, 1\]"),
        (lambda: rs.average_curves([CURVE], at=[]), r"within \[0, 1\]"),
        (lambda: rs.average_curves([CURVE], at="many"), "at must be a number"),
        (lambda: rs.average_curves([CURVE], at=[], method="threshold"), "at is empty"),
        (lambda: rs.average_curves([CURVE], at=[math.nan], method="threshold"), "be a number"),
        (lambda: rs.pooled_curve([CURVE]), "Folds are samples"),
        (lambda: rs.pooled_curve([SAMPLE, OTHER_CLASS]), "differ in their positive class"),
        (lambda: rs.pooled_curve(SAMPLE), "One sample needs folds="),
    ],
)
def test_refusals(call: Any, sentence: str) -> None:
    with pytest.raises((rs.InvalidOptionError, rs.InvalidSampleError), match=sentence):
        call()


def test_one_curve_has_no_spread() -> None:
    with pytest.warns(rs.SmallSampleWarning, match="One curve has no spread"):
        mean = rs.average_curves([CURVE])
    assert np.isnan(mean.tpr_std_dev).all()
    assert np.isnan(mean.tpr_high).all()


def test_the_names_of_many_curves_leave_room_for_the_drawing():
    y, score = [1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1]
    curves = [rs.roc_curve(y, {f"sample {i}": score}) for i in range(5)]
    (line,) = rs.average_curves(curves).plot().get_legend().get_texts()
    assert "sample 4" in line.get_text()
    assert max(map(len, line.get_text().splitlines())) <= 36


# ------------------------------------------------------------------------- issue 14, line 29


@pytest.mark.parametrize("interval", ["t", "binomial"])
@pytest.mark.parametrize("method", ["vertical", "threshold"])
@given(data=folds())
def test_14_29_limits_stay_within_0_and_1(interval: Any, method: Any, data: list[Fold]) -> None:
    mean = rs.average_curves(curves_of(data), method=method, interval=interval)
    for axis in ("fpr", "tpr"):
        low, high = getattr(mean, f"{axis}_low"), getattr(mean, f"{axis}_high")
        known = ~np.isnan(low)
        assert (low[known] >= 0.0).all()
        assert (high[known] <= 1.0).all()
        assert (low[known] <= getattr(mean, axis)[known] + ROUNDING).all()
        assert (high[known] >= getattr(mean, axis)[known] - ROUNDING).all()


def test_14_29_binomial_limits_are_wilsons_of_all_subjects() -> None:
    from statsmodels.stats.proportion import proportion_confint

    curves = fawcett_folds()
    mean = rs.average_curves(curves, method="threshold", interval="binomial", confidence_level=0.9)
    for axis, size in (
        ("tpr", sum(c.n_pos for c in curves)),
        ("fpr", sum(c.n_neg for c in curves)),
    ):
        value = getattr(mean, axis)
        low, high = proportion_confint(value * size, size, alpha=0.1, method="wilson")
        assert getattr(mean, f"{axis}_low") == pytest.approx(low, abs=ROUNDING)
        assert getattr(mean, f"{axis}_high") == pytest.approx(high, abs=ROUNDING)
    assert "binomial intervals" in repr(mean)
    assert mean.to_dict()["conf_method"] == "binomial"
    upright = rs.average_curves(curves, interval="binomial")
    assert np.isnan(upright.fpr_low).all()  # it is fixed
    one = rs.average_curves(curves[:1], interval="binomial")  # and no warning: it needs no spread
    assert np.isfinite(one.tpr_low).all()
    with pytest.raises(rs.InvalidOptionError, match="interval must be one of 't', 'binomial'"):
        rs.average_curves(curves, interval="wald")  # type: ignore[arg-type]
