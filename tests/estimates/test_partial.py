"""Partial areas: by definition in exact fractions, against pROC, by laws, and by simulation."""

from __future__ import annotations

import copy
import json
import math
import pickle
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import NamedSample, load_study
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocstats as rs
from rocstats.engine.evaluation import evaluate
from rocstats.estimates.results import Estimate

ROUNDING = 1e-14  # of an area; a standardized one multiplies it by its slope
DERIVATIVE = 1e-9  # central differences over 1e-12, in exact fractions, err by less than 1e-10

HERE = Path(__file__).parents[1]
FROZEN = json.loads((HERE / "reference" / "partial.json").read_text("utf-8"))

Range = tuple[float, float]
RANGES: list[tuple[str, Range]] = [
    *(("fpr", r) for r in [(0.0, 0.1), (0.1, 0.3), (0.25, 0.5), (0.29, 0.3), (0.6, 1.0), (0, 1)]),
    *(("tpr", r) for r in [(0.8, 1.0), (0.5, 0.75), (0.0, 0.2), (0.3, 0.31), (0, 1)]),
]
ignore_few = pytest.mark.filterwarnings("ignore::rocstats.SmallSampleWarning")


def measure(axis: str, span: Range, **options: Any) -> rs.Measure:
    return rs.partial_area(**{axis: span}, **options)


def partial(y: Any, s: Any, axis: str, span: Range, **options: Any) -> Estimate:
    return rs.partial_auc(y, s, **{axis: span}, **options)


def slope_of(found: rs.Measure) -> float:
    assert found.kernel.window is not None
    return found.kernel.window.scale[1]


def binormal(rng: np.random.Generator, m: int, n: int, shift: float) -> tuple[Any, Any]:
    return np.repeat([1, 0], [m, n]), rng.normal(size=m + n) + np.repeat([shift, 0.0], [m, n])


# ------------------------------------------------------------------------------- exact definitions


def rational(value: float) -> Fraction:
    """The number that a user means by a decimal."""
    return Fraction(value).limit_denominator(10**6)


def exact_area(
    y: Sequence[int], s: Sequence[float], axis: str, span: Range, weight: Sequence[Fraction]
) -> Fraction:
    """The area by the trapezoid rule, segment by segment, of subjects that weigh differently."""
    total = [sum(w for w, label in zip(weight, y, strict=True) if label == c) for c in (0, 1)]
    corner, corners = [Fraction(0), Fraction(0)], [(Fraction(0), Fraction(0))]
    for score in sorted(set(s), reverse=True):
        for w, label, own in zip(weight, y, s, strict=True):
            if own == score:
                corner[label] += w / total[label]
        corners.append((corner[0], corner[1]))
    low, high = (rational(v) for v in span)
    if axis == "tpr":  # the same curve seen from its other end: tpr to the left, specificity up
        corners = [(1 - y, 1 - x) for x, y in reversed(corners)]
        low, high = 1 - high, 1 - low
    area = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(corners):
        a, b = max(x0, low), min(x1, high)
        if a < b:
            middle = ((a + b) / 2 - x0) / (x1 - x0)
            area += (b - a) * (y0 + middle * (y1 - y0))
    return area


def exact_scaled(
    y: Sequence[int], s: Sequence[float], axis: str, span: Range, *, standardized: bool
) -> Fraction:
    area = exact_area(y, s, axis, span, [Fraction(1)] * len(y))
    low, high = (rational(v) for v in span)
    chance = (high - low) * ((low + high) / 2 if axis == "fpr" else 1 - (low + high) / 2)
    return (1 + (area - chance) / (high - low - chance)) / 2 if standardized else area


def exact_influence(
    y: Sequence[int], s: Sequence[float], axis: str, span: Range
) -> Iterator[Fraction]:
    """Class size times the derivative of the area in a subject's weight, by central differences.

    Where the area has a kink these give the mean of both one-sided derivatives.
    """
    step = Fraction(1, 10**12)
    for i, label in enumerate(y):
        ends = []
        for sign in (1, -1):
            weight = [Fraction(1)] * len(y)
            weight[i] += sign * step
            ends.append(exact_area(y, s, axis, span, weight))
        size = sum(1 for other in y if other == label)
        yield size * (ends[0] - ends[1]) / (2 * step)


@ignore_few
@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize(("axis", "span"), RANGES)
def test_value_by_definition(
    named_sample: NamedSample, axis: str, span: Range, standardized: bool
) -> None:
    y, s = named_sample.y_true.tolist(), named_sample.y_score.tolist()
    found = partial(y, s, axis, span, standardized=standardized)
    exact = exact_scaled(y, s, axis, span, standardized=standardized)
    assert found.value == pytest.approx(float(exact), abs=ROUNDING * slope_of(found.measure))


@ignore_few
@pytest.mark.parametrize(("axis", "span"), RANGES)
def test_influence_is_the_derivative(named_sample: NamedSample, axis: str, span: Range) -> None:
    y, s = named_sample.y_true.tolist(), named_sample.y_score.tolist()
    exact = [float(v) for v in exact_influence(y, s, axis, span)]
    plain, scaled = (partial(y, s, axis, span, standardized=v) for v in (False, True))
    np.testing.assert_allclose(plain.influence.values[0], exact, rtol=0, atol=DERIVATIVE)
    slope = slope_of(scaled.measure)
    np.testing.assert_allclose(scaled.influence.values[0] / slope, exact, rtol=0, atol=DERIVATIVE)


labels = st.lists(st.integers(0, 1), min_size=4, max_size=12).filter(lambda y: 0 < sum(y) < len(y))
bounds = st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda b: b[0] < b[1])


@ignore_few
@given(labels, bounds, st.sampled_from(["fpr", "tpr"]), st.integers(1, 12), st.data())
def test_any_small_sample(
    y: list[int], ends: tuple[int, int], axis: str, levels: int, data: st.DataObject
) -> None:
    s = [float(data.draw(st.integers(0, levels))) for _ in y]
    span = ends[0] / 12, ends[1] / 12  # many of them on whole numbers of subjects
    found = partial(y, s, axis, span)
    exact = exact_area(y, s, axis, span, [Fraction(1)] * len(y))
    assert found.value == pytest.approx(float(exact), abs=ROUNDING)
    derivative = [float(v) for v in exact_influence(y, s, axis, span)]
    np.testing.assert_allclose(found.influence.values[0], derivative, rtol=0, atol=DERIVATIVE)


@ignore_few
@given(labels, bounds, st.sampled_from(["fpr", "tpr"]), st.booleans())
def test_whole_numbers_without_ties_agree_with_the_sums(
    y: list[int], ends: tuple[int, int], axis: str, standardized: bool
) -> None:
    """What is summed exactly where nothing ties is what the clipped sums give."""
    span = ends[0] / 12, ends[1] / 12
    found = partial(y, list(range(len(y))), axis, span, standardized=standardized)
    blocks = found.sample.blocks(0)
    assert blocks.last is None
    other = evaluate(found.measure, blocks)
    tolerance = ROUNDING * slope_of(found.measure)
    assert found.value == pytest.approx(other.value, abs=tolerance)
    for spread, values, members in (
        (found.spread_pos, other.pos, blocks.label),
        (found.spread_neg, other.neg, ~blocks.label),
    ):
        if members.sum() > 1:
            by_sums = math.sqrt((values[members] ** 2).sum() / (members.sum() - 1))
            assert spread == pytest.approx(by_sums, abs=10 * tolerance)


# ------------------------------------------------------------------------------------------- pROC


@ignore_few
@pytest.mark.parametrize("standardized", [False, True])
def test_frozen_areas_of_proc(standardized: bool) -> None:
    records = [r for r in FROZEN["records"] if r["kind"] == "area"]
    assert len(records) == 224
    below_chance = 0
    for record in records:
        sample = FROZEN["samples"][record["sample"]]
        score, span = sample["markers"][record["marker"]], tuple(record["range"])
        found = partial(sample["y"], score, record["axis"], span, standardized=standardized)
        theirs = record["standardized" if standardized else "raw"]
        below_chance += standardized and theirs < 0.5
        assert found.value == pytest.approx(theirs, abs=10 * ROUNDING * slope_of(found.measure))
    assert below_chance > 10 or not standardized


def test_frozen_bootstrap_of_proc() -> None:
    """20 000 resamples know a variance to 1.4%; they smooth the curve at the bounds, we do not."""
    ratios = []
    for record in FROZEN["records"]:
        if record["kind"] == "resampled":
            sample = FROZEN["samples"][record["sample"]]
            chosen = measure(record["axis"], tuple(record["range"]))
            ours = rs.compare(sample["y"], sample["markers"], measure=chosen).covariance
            ratios += [ours[0, 0] / record["var_a"], ours[1, 1] / record["var_b"]]
            theirs = record["cov"] / math.sqrt(record["var_a"] * record["var_b"])
            correlation = ours[0, 1] / math.sqrt(ours[0, 0] * ours[1, 1])
            assert correlation == pytest.approx(theirs, abs=0.03)
    assert len(ratios) == 12
    np.testing.assert_allclose(ratios, 1.0, atol=0.25)
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.05)


def test_reference_says_where_it_comes_from() -> None:
    assert set(FROZEN["provenance"]) == {"script", "R", "pROC", "date"}
    assert (HERE.parent / FROZEN["provenance"]["script"]).is_file()


def run_r(code: str, *arguments: str) -> str:
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    call = ["Rscript", "--vanilla", "-e", code, *arguments]
    run = subprocess.run(call, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"R could not run pROC: {run.stderr[-200:]}")
    return run.stdout


@cache
def subarachnoid() -> dict[str, list[float]]:
    """Outcome and markers of pROC's aSAH, which is not ours to ship."""
    text = run_r(
        'suppressMessages(library(pROC)); cat(sprintf("%d %d %.17g\\n", aSAH$outcome == "Poor", '
        'as.integer(aSAH$wfns), aSAH$ndka), sep = "")'
    )
    columns = zip(*(map(float, line.split()) for line in text.splitlines()), strict=True)
    return dict(zip(("poor", "wfns", "ndka"), map(list, columns), strict=True))


# Rows of pROC's own tests/testthat/test-auc.R (1.19.0.1), recomputed with pROC 1.18.0 on R 4.2.2:
# marker, axis, range as specificities or sensitivities there, raw and corrected area.
ASAH = [
    ("wfns", "fpr", (0.0, 0.1), 0.0334417344173442, 0.649693339038653),
    ("wfns", "fpr", (0.1, 0.2), 0.0598373983739837, 0.763749402199904),
    ("wfns", "fpr", (0.5, 1.0), 0.488134475939354, 0.952537903757416),
    ("ndka", "fpr", (0.0, 0.1), 0.0107046070460705, 0.530024247610897),
    ("ndka", "fpr", (0.1, 0.2), 0.0277777777777778, 0.575163398692811),
    ("ndka", "fpr", (0.5, 1.0), 0.416836043360434, 0.667344173441734),
    ("wfns", "tpr", (0.9, 1.0), 0.0400999322493225, 0.68473648552275),
    ("wfns", "tpr", (0.8, 0.9), 0.0609953703703703, 0.770561002178649),
    ("wfns", "tpr", (0.0, 0.5), 0.483358739837398, None),
    ("ndka", "tpr", (0.9, 1.0), 0.0037940379403794, math.nan),  # NA in pROC: below chance
    ("ndka", "tpr", (0.8, 0.9), 0.0242547425474255, 0.554439662043679),
    ("ndka", "tpr", (0.0, 0.5), 0.428523035230352, None),
]
PRINTED = 1e-13  # 15 digits were kept


@ignore_few
@pytest.mark.parametrize(("marker", "axis", "span", "raw", "corrected"), ASAH)
def test_the_areas_that_proc_tests_itself_by(
    marker: str, axis: str, span: Range, raw: float, corrected: float | None
) -> None:
    data = subarachnoid()
    found = partial(data["poor"], data[marker], axis, span)
    assert found.value == pytest.approx(raw, abs=PRINTED)
    standardized = partial(data["poor"], data[marker], axis, span, standardized=True).value
    if corrected is not None and math.isnan(corrected):
        assert standardized < 0.5
    elif corrected is not None:
        assert standardized == pytest.approx(corrected, abs=PRINTED)


PROC_SAYS = """
suppressMessages(library(pROC))
rows <- strsplit(readLines(commandArgs(TRUE)[1]), ";")
for (row in rows) {
  v <- lapply(row[c(3, 4, 2)], function(x) as.numeric(strsplit(x, " ")[[1]]))
  r <- roc(v[[1]], v[[2]], levels = c(0, 1), direction = "<", quiet = TRUE)
  span <- if (row[1] == "fpr") 1 - v[[3]] else rev(v[[3]])
  focus <- if (row[1] == "fpr") "specificity" else "sensitivity"
  cat(sprintf("%.17g\\n", as.numeric(auc(r, partial.auc = span, partial.auc.focus = focus))))
}
"""


@ignore_few
def test_proc_on_many_tied_samples(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    ours, lines = [], []
    for _ in range(400):
        m, n, levels = rng.integers(1, 25), rng.integers(1, 25), rng.choice([2, 4, 10, 40])
        y, s = np.repeat([1, 0], [m, n]), rng.integers(0, levels, m + n)
        axis, step = str(rng.choice(["fpr", "tpr"])), int(rng.choice([10, n, m]))
        ends = np.sort(rng.choice(step + 1, 2, replace=False)) / step
        ours.append(partial(y, s, axis, (ends[0], ends[1])).value)
        columns = [" ".join(map(repr, v.tolist())) for v in (ends, y, s)]
        lines.append(";".join([axis, *columns]))
    path = tmp_path / "samples.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    theirs = [float(line) for line in run_r(PROC_SAYS, str(path)).split()]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=ROUNDING)


# ------------------------------------------------------------------------------------------- laws


@ignore_few
@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_the_whole_range_is_the_auc(
    named_sample: NamedSample, axis: str, standardized: bool
) -> None:
    y, s = named_sample
    whole, auc = partial(y, s, axis, (0, 1), standardized=standardized), rs.auc(y, s)
    assert whole.value == auc.value
    np.testing.assert_allclose(whole.influence.values, auc.influence.values, rtol=0, atol=1e-15)
    assert whole.bounds == auc.bounds == (0.0, 1.0)
    assert whole.measure.is_auc
    if min(auc.n_pos, auc.n_neg) > 1 and auc.scatter[0] > 0.0:
        for method in ("delong", "wu"):
            assert whole.variance(method=method) == pytest.approx(
                auc.variance(method=method), abs=1e-12
            )
        assert whole.scatter == pytest.approx(auc.scatter, rel=1e-12)
        ours, theirs = (e.confidence_interval() for e in (whole, auc))
        assert ours.method == theirs.method
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@ignore_few
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_rounding_leads_no_area_beyond_its_bounds(axis: str, tied: bool) -> None:
    rng = np.random.default_rng(15)
    for m, n in ((5, 7), (41, 72)):
        y = np.repeat([1, 0], [m, n])
        s = y.astype(float) if tied else y * 1000.0 + np.arange(m + n)
        spans = [(0.0, 0.001), *np.sort(rng.integers(0, 1001, (60, 2)), axis=1) / 1000.0]
        for low, high in ((float(a), float(b)) for a, b in spans if a < b):
            for standardized, sign in product((False, True), (1.0, -1.0)):
                found = partial(y, sign * s, axis, (low, high), standardized=standardized)
                assert found.bounds[0] <= found.value <= found.bounds[1]
                assert 0.0 <= found.details["raw"] <= high - low
                assert found.details["standardized"] <= 1.0
    best = partial([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1], "fpr", (0, 0.001), standardized=True)
    assert best.value == 1.0
    y = np.repeat([1, 0], 20)
    above = partial(y, y * 50.0 + np.arange(40), axis, (0.1, 0.3), standardized=True)
    drawn = rs.bootstrap(above, resampling=rs.Bootstrap(n_resamples=50, rng=1))
    assert np.max(drawn.replicates) <= 1.0


@ignore_few
@pytest.mark.parametrize("cuts", [(0.0, 0.1, 0.3, 1.0), (0.0, 0.2, 0.25, 0.5, 0.75, 1.0)])
@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_adjoining_ranges_add_up(
    named_sample: NamedSample, axis: str, cuts: tuple[float, ...]
) -> None:
    y, s = named_sample
    parts = [measure(axis, span) for span in pairwise(cuts)]
    table, auc = rs.estimate(y, s, measures=parts), rs.auc(y, s)
    assert sum(row.value for row in table.rows) == pytest.approx(auc.value, abs=ROUNDING)
    total = table.influence.values.sum(axis=0)
    np.testing.assert_allclose(total, auc.influence.values[0], rtol=0, atol=ROUNDING)


@ignore_few
@given(labels, bounds, st.integers(1, 12), st.data())
def test_exchanged_labels_exchange_the_axes(
    y: list[int], ends: tuple[int, int], levels: int, data: st.DataObject
) -> None:
    s = np.array([data.draw(st.integers(0, levels)) for _ in y], dtype=float)
    span, other = (ends[0] / 12, ends[1] / 12), (1 - ends[1] / 12, 1 - ends[0] / 12)
    for standardized in (False, True):
        first = partial(y, s, "fpr", span, standardized=standardized)
        second = partial(y, s, "tpr", other, pos_label=0, higher_is_positive=False)
        if standardized:
            second = partial(
                y, s, "tpr", other, pos_label=0, higher_is_positive=False, standardized=True
            )
        tolerance = 10 * ROUNDING * slope_of(first.measure)
        assert first.value == pytest.approx(second.value, abs=tolerance)
        np.testing.assert_allclose(
            first.influence.values, second.influence.values, rtol=0, atol=tolerance
        )


@pytest.mark.parametrize(("axis", "span"), [("fpr", (0.1, 0.4)), ("tpr", (0.5, 1))])
@pytest.mark.parametrize("digits", [None, 1])
def test_only_the_order_counts(axis: str, span: Range, digits: int | None) -> None:
    y, s = binormal(np.random.default_rng(1), 40, 60, 1.0)
    s = s if digits is None else s.round(digits)
    first, second = partial(y, s, axis, span), partial(y, np.exp(s) - 5, axis, span)
    assert first.value == second.value
    assert first.std_error == second.std_error
    turned = partial(y, -s, axis, span, higher_is_positive=False)
    assert turned.value == first.value


def test_infinite_scores_are_an_order_too() -> None:
    y, s = binormal(np.random.default_rng(2), 30, 30, 1.0)
    far = s.copy()
    far[s.argmax()], far[s.argmin()] = math.inf, -math.inf
    chosen: dict[str, Any] = {"fpr": (0, 0.5)}
    assert rs.partial_auc(y, far, **chosen).value == rs.partial_auc(y, s, **chosen).value


@ignore_few
def test_standardized_is_an_affine_scale() -> None:
    y, s = binormal(np.random.default_rng(3), 30, 40, 0.8)
    for axis, span in RANGES:
        raw, scaled = (partial(y, s, axis, span, standardized=v) for v in (False, True))
        low, high = span
        chance = (high**2 - low**2) / 2 if axis == "fpr" else ((1 - low) ** 2 - (1 - high) ** 2) / 2
        room = high - low - chance
        tolerance = ROUNDING / room
        expected = (1 + (raw.value - chance) / room) / 2
        assert scaled.value == pytest.approx(expected, abs=tolerance)
        assert scaled.std_error == pytest.approx(raw.std_error / (2 * room), rel=1e-12)
        assert scaled.scatter[1] == pytest.approx(raw.scatter[1], rel=1e-9)
        limits = [
            [(1 + (v - chance) / room) / 2 for v in (c.low, c.high)]
            for c in [raw.confidence_interval()]
        ]
        found = scaled.confidence_interval()
        assert [found.low, found.high] == pytest.approx(limits[0], abs=1e3 * tolerance)


# --------------------------------------------------------------------------- the variance as such


def test_variance_of_many_subjects_is_that_of_the_true_curve() -> None:
    """var(b - clip(x)) / m + var(clip(y)) / n with the true curve in place of the empirical one."""
    shift, m, n = 1.3, 600_000, 400_000  # a sample's variance scatters by about 1 / sqrt(n width)
    y, s = binormal(np.random.default_rng(4), m, n, shift)
    at = (np.arange(200_000) + 0.5) / 200_000
    above = stats.norm.sf(stats.norm.ppf(at) + shift)  # negatives above a positive, over positives
    ahead = stats.norm.sf(stats.norm.ppf(at) - shift)  # positives above a negative, over negatives

    def height(x: float) -> float:
        return float(stats.norm.sf(stats.norm.isf(x) - shift))

    for a, b in [(0.0, 0.1), (0.1, 0.3), (0.2, 0.9)]:
        exact = np.clip(above, a, b).var() / m + np.clip(ahead, height(a), height(b)).var() / n
        found = partial(y, s, "fpr", (a, b))
        assert found.variance() == pytest.approx(exact, rel=0.02)
        # A range of the tpr spans the same box: its variance is the same.
        beside = partial(y, s, "tpr", (height(a), height(b)))
        assert beside.variance() == pytest.approx(exact, rel=0.02)


def jackknife_variance(y: Any, s: Any, axis: str, span: Range) -> float:
    """Variance by leaving out one subject after the other, class by class."""
    total = 0.0
    for label in (0, 1):
        (members,) = np.nonzero(y == label)
        left = [partial(np.delete(y, i), np.delete(s, i), axis, span).value for i in members]
        total += (members.size - 1) * np.var(left)
    return total


@pytest.mark.parametrize(
    ("axis", "span"), [("fpr", (0, 0.2)), ("fpr", (0.1, 0.35)), ("tpr", (0.8, 1))]
)
def test_leaving_one_out_gives_the_same_variance(axis: str, span: Range) -> None:
    """On average: one sample's jackknife sees the step at a bound differently."""
    rng = np.random.default_rng(5)
    ratios = []
    for _ in range(12):
        y, s = binormal(rng, 60, 75, 1.2)
        ratios.append(partial(y, s, axis, span).variance() / jackknife_variance(y, s, axis, span))
    error = np.std(ratios, ddof=1) / math.sqrt(len(ratios))
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.03 + 3 * error)
    assert error < 0.05


@pytest.mark.slow
def test_bootstrap_is_a_second_witness() -> None:
    rng = np.random.default_rng(6)
    ratios = []
    for k in range(6):
        y, s = binormal(rng, 80, 100, 1.3)
        score = {"a": s, "b": (s + rng.normal(size=s.size)).round(k % 2)}
        both = rs.compare(y, score, measure=[measure("fpr", (0, 0.2)), measure("tpr", (0.7, 1))])
        drawn = rs.bootstrap(both, resampling=rs.Bootstrap(n_resamples=250, rng=k))
        ratios.append(drawn.std_error / np.sqrt(np.diag(both.covariance)))
    assert np.mean(ratios, axis=0) == pytest.approx(np.ones(4), abs=0.1)


def test_bootstrap_replicates_are_areas_of_resamples() -> None:
    y, s = binormal(np.random.default_rng(7), 12, 15, 1.0)
    s = s.round(1)
    found = partial(y, s, "fpr", (0, 0.4))
    drawn = rs.bootstrap(found, resampling=rs.Bootstrap(n_resamples=300, rng=1))
    assert (drawn.replicates >= 0.0).all()
    assert (drawn.replicates <= 0.4 + ROUNDING).all()
    # Any resample's area is a multiple of 1 / (m n) times the parts in which ties are cut.
    assert np.unique(drawn.replicates.round(12)).size > 50
    assert drawn.confidence_interval().low < found.value < drawn.confidence_interval().high


# -------------------------------------------------------------------------------- in every test


@cache
def three_markers() -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(8)
    y, a = binormal(rng, 70, 110, 1.5)
    return y, {"a": a, "b": a + rng.normal(size=180), "c": (a + rng.normal(size=180)).round(1)}


def by_hand(y: Any, difference: Any) -> tuple[float, float]:
    """Standard error and the two terms' share of a contrast of influence values."""
    terms = [
        (difference[y == c] ** 2).sum() / ((y == c).sum() * ((y == c).sum() - 1)) for c in (0, 1)
    ]
    return math.sqrt(sum(terms)), terms[0] / sum(terms)


@pytest.mark.parametrize(("axis", "span"), [("fpr", (0, 0.1)), ("tpr", (0.8, 1))])
def test_pairwise_and_contrasts(axis: str, span: Range) -> None:
    y, score = three_markers()
    chosen = measure(axis, span)
    both = rs.compare(y, score, measure=chosen)
    single = {k: partial(y, v, axis, span) for k, v in score.items()}
    for test, (first, second) in zip(
        both.pairwise(adjust="none").tests, [("a", "b"), ("a", "c"), ("b", "c")], strict=True
    ):
        one, two = single[first], single[second]
        std_error, share = by_hand(y, one.influence.values[0] - two.influence.values[0])
        assert test.estimate == pytest.approx(one.value - two.value, abs=ROUNDING)
        assert test.std_error == pytest.approx(std_error, rel=1e-10)
        # The variance rests on the subjects within the window: so do the degrees of freedom.
        width = span[1] - span[0]
        units = (110 * width, 70) if axis == "fpr" else (110, 70 * width)
        df = 1 / (share**2 / (units[0] - 1) + (1 - share) ** 2 / (units[1] - 1))
        assert test.df == pytest.approx(df, rel=1e-9)
        assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(test.statistic), df), rel=1e-8)
    normal = both.pairwise(reference="normal", adjust="none").tests[0]
    assert normal.pvalue == pytest.approx(2 * stats.norm.sf(abs(normal.statistic)), rel=1e-9)
    omnibus = both.omnibus(reference="chi2")
    lines = np.array([[1.0, -1, 0], [0, 1, -1]])
    values = np.array([single[k].value for k in "abc"])
    quadratic = lines @ values @ np.linalg.inv(lines @ both.covariance @ lines.T) @ lines @ values
    assert omnibus.statistic == pytest.approx(quadratic, rel=1e-8)
    assert "F" in both.omnibus().method  # few within the window, though 70 in the smaller class


def test_margins() -> None:
    y, score = three_markers()
    both = rs.compare(y, {k: score[k] for k in "ab"}, measure=measure("fpr", (0, 0.2)))
    (test,) = both.pairwise().tests
    two_sided, one_sided = (stats.t.ppf(p, test.df) * test.std_error for p in (0.975, 0.95))
    limit = two_sided + test.estimate  # b is worse than a; new is b
    order = {"new": "b", "standard": "a"}
    assert both.noninferiority(float(limit) + 1e-9, **order).shown
    assert not both.noninferiority(float(limit) - 1e-9, **order).shown
    assert both.equivalence(float(test.estimate + one_sided) + 1e-9).shown
    assert not both.equivalence(float(test.estimate + one_sided) - 1e-9).shown


def test_areas_of_several_kinds_in_one_contrast() -> None:
    """The rest of the curve, as a contrast of rows, is the row of the rest of the range."""
    y, score = three_markers()
    early, late = measure("fpr", (0, 0.1)), measure("fpr", (0.1, 1))
    both = rs.compare(y, {"a": score["a"]}, measure=[early, late, "auc"])
    with pytest.warns(rs.DegenerateVarianceWarning, match="0 for every subject alike"):
        (test,) = both.contrast([1, 1, -1]).tests
    assert test.estimate == pytest.approx(0.0, abs=ROUNDING)
    assert test.pvalue == 1.0
    (rest,) = both.contrast([-1, 0, 1]).tests
    assert rest.estimate == pytest.approx(both.rows[1].value, abs=ROUNDING)
    assert rest.std_error == pytest.approx(both.rows[1].std_error, rel=1e-10)


def test_clusters_are_summed() -> None:
    y, score = three_markers()
    cluster = np.arange(y.size) // 2
    sample = rs.ScoredSample.from_arrays(y, score, cluster=cluster)
    chosen = measure("fpr", (0, 0.3))
    table = rs.estimate(sample, measures=chosen)
    phi = table.influence.values[0]
    sums = [np.bincount(cluster, phi * (y == c), minlength=90) / (y == c).sum() for c in (0, 1)]
    units = [np.unique(cluster[y == c]).size for c in (0, 1)]
    variance = sum(u / (u - 1) * (s**2).sum() for u, s in zip(units, sums, strict=True))
    variance += 2 * 90 / 89 * (sums[0] * sums[1]).sum()
    assert table.rows[0].variance() == pytest.approx(variance, rel=1e-10)
    apart = rs.ScoredSample.from_arrays(y, score, cluster=np.arange(y.size))
    plain = rs.ScoredSample.from_arrays(y, score)
    for row, other in zip(
        rs.estimate(apart, measures=chosen).rows, rs.estimate(plain, measures=chosen).rows,
        strict=True,
    ):  # fmt: skip
        assert row.std_error == pytest.approx(other.std_error, rel=1e-10)
        assert row.scatter[1] == pytest.approx(min(other.scatter[1], y.size - 1), rel=1e-10)
    with pytest.warns(rs.SmallSampleWarning, match="clusters of negatives"):
        rs.partial_auc(
            rs.ScoredSample.from_arrays(y, score["a"], cluster=np.arange(y.size) // 10),
            fpr=(0, 0.3),
        )


def test_independent_samples() -> None:
    rng = np.random.default_rng(9)
    (y1, s1), (y2, s2) = binormal(rng, 60, 80, 1.5), binormal(rng, 50, 90, 0.8)
    first, second = (partial(y, s, "fpr", (0, 0.2)) for y, s in ((y1, s1), (y2, s2)))
    test = rs.compare_independent(first, second)
    variances = [first.variance(), second.variance()]
    assert test.std_error == pytest.approx(math.sqrt(sum(variances)), rel=1e-10)
    terms = [
        (spread**2 / size, units)
        for e in (first, second)
        for spread, size, units in (
            (e.spread_pos, e.n_pos, e.n_pos),
            (e.spread_neg, e.n_neg, 0.2 * e.n_neg),
        )
    ]
    df = sum(v for v, _ in terms) ** 2 / sum(v**2 / (u - 1) for v, u in terms)
    assert test.df == pytest.approx(df, rel=1e-9)
    with pytest.raises(rs.InvalidOptionError, match="same settings"):
        rs.compare_independent(first, partial(y2, s2, "fpr", (0, 0.3)))
    # Different shares of positives are no matter here.
    assert not math.isnan(rs.compare_independent(first, second, reference="proc").pvalue)


def test_shared_subjects_are_recognised() -> None:
    y, score = three_markers()
    ids = np.arange(y.size)
    one, two = (
        rs.partial_auc(rs.ScoredSample.from_arrays(y[k], score[m][k], subject=ids[k]), fpr=(0, 0.2))
        for m, k in (("a", slice(0, 170)), ("b", slice(10, 180)))
    )
    test = rs.compare_independent(one, two)
    apart = math.hypot(one.std_error, two.std_error)
    assert test.std_error < apart  # the markers are correlated
    assert 10 < test.df < 170


def test_permutations_of_an_area_that_is_no_mean_of_pairs() -> None:
    y = np.array([1, 1, 1, 0, 0, 0, 0])
    a, b = np.array([7, 5, 2, 6, 4, 3, 1]), np.array([4, 7, 3, 6, 5, 2, 1])
    chosen = measure("fpr", (0, 0.3))
    with pytest.warns(rs.SmallSampleWarning):
        both = rs.compare(y, {"a": a, "b": b}, measure=chosen)
    found = rs.permutation_test(both)
    assert found.exact

    def difference(swapped: Sequence[bool]) -> Fraction:
        first, second = np.where(swapped, b, a), np.where(swapped, a, b)
        one = [Fraction(1)] * y.size
        return exact_area(y.tolist(), first.tolist(), "fpr", (0, 0.3), one) - exact_area(
            y.tolist(), second.tolist(), "fpr", (0, 0.3), one
        )

    observed = abs(difference([False] * 7))
    extreme = [abs(difference(p)) >= observed for p in product([False, True], repeat=7)]
    assert found.pvalue == pytest.approx(np.mean(extreme), abs=1e-12)


# -------------------------------------------------------------------------------- input and output


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, r"Give one range, fpr=\(low, high\) or tpr=\(low, high\), not none"),
        ({"fpr": (0, 0.1), "tpr": (0.9, 1)}, "not both"),
        ({"fpr": (0.1, 0)}, r"fpr must be two numbers low < high from 0 to 1, got \(0.1, 0\)"),
        ({"tpr": (0.9, 0.9)}, r"tpr must be two numbers low < high from 0 to 1, got \(0.9, 0.9\)"),
        ({"fpr": (-0.1, 0.1)}, "low < high from 0 to 1"),
        ({"fpr": (0, 1.1)}, "low < high from 0 to 1"),
        ({"fpr": (0, 10)}, "low < high from 0 to 1"),
        ({"fpr": (0, math.nan)}, "low < high from 0 to 1"),
        ({"fpr": 0.1}, "two numbers"),
        ({"fpr": (0.1,)}, "two numbers"),
        ({"fpr": (0, 0.1, 0.2)}, "two numbers"),
        ({"fpr": ("0", "0.1")}, "two numbers"),
        ({"fpr": "ab"}, "two numbers"),
        ({"fpr": (False, True)}, "two numbers"),
        ({"fpr": (0, 0.1), "standardized": "yes"}, "standardized must be True or False"),
    ],
)
def test_bad_ranges(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        rs.partial_auc([0, 1], [0, 1], **options)
    with pytest.raises(rs.InvalidOptionError, match=sentence):
        rs.partial_area(**options)


def test_variances_that_are_for_means_of_pairs_are_refused() -> None:
    y, score = three_markers()
    found = partial(y, score["a"], "fpr", (0, 0.2))
    for method in ("wu", "unbiased", "cohort"):
        with pytest.raises(rs.InvalidOptionError, match='take "delong"'):
            found.variance(method=method)
    for method in ("kl", "hanley-mcneil"):
        with pytest.raises(rs.InvalidOptionError, match=method):
            found.confidence_interval(method=method)


@pytest.mark.parametrize("standardized", [False, True])
def test_details(standardized: bool) -> None:
    y, score = three_markers()
    found = partial(y, score["a"], "fpr", (0.05, 0.25), standardized=standardized)
    details = found.details
    raw, scaled = (
        partial(y, score["a"], "fpr", (0.05, 0.25), standardized=v).value for v in (False, True)
    )
    assert details == {
        "axis": "fpr",
        "low": 0.05,
        "high": 0.25,
        "raw": pytest.approx(raw, abs=ROUNDING),
        "standardized": pytest.approx(scaled, abs=ROUNDING),
        "n_within": 23,  # 110 negatives: from 5.5 to 27.5, those cut included
    }
    assert partial(y, score["a"], "tpr", (0.5, 0.6)).details["n_within"] == 7
    row = found.to_dict()
    assert row["measure"] == ("spauc" if standardized else "pauc") + "_fpr_0.05_0.25"
    assert "pAUC (fpr 0.05 to 0.25) of score" in repr(found)
    assert found.to_frame().shape == (1, 16)


def test_copies_and_pickles_answer_alike() -> None:
    y, score = three_markers()
    found = partial(y, score["c"], "tpr", (0.7, 1), standardized=True)
    for twin in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert twin.measure == found.measure
        assert twin.to_dict() == found.to_dict()


def test_several_ranges_have_names_of_their_own() -> None:
    y, score = three_markers()
    ranges = [measure("fpr", (0, v)) for v in (0.1, 0.2)]
    both = [*ranges, measure("fpr", (0, 0.2), standardized=True), measure("tpr", (0, 0.2))]
    table = rs.estimate(y, score["a"], measures=both)
    names = ["pauc_fpr_0_0.1", "pauc_fpr_0_0.2", "spauc_fpr_0_0.2", "pauc_tpr_0_0.2"]
    assert [row.measure.name for row in table.rows] == names
    assert measure("fpr", (0, 0.1), name="early").name == "early"
    assert measure("fpr", (0, 0.1)) == measure("fpr", (0.0, 0.1)) != measure("fpr", (0, 0.2))


# ----------------------------------------------------------------------------- degenerate and small

PERFECT = [1] * 30 + [0] * 40, [*range(40, 70), *range(40)]


@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize(
    ("axis", "span"), [("fpr", (0, 0.2)), ("fpr", (0.1, 0.3)), ("tpr", (0.5, 1))]
)
@pytest.mark.parametrize("tied", [False, True])
def test_a_perfect_piece_has_an_interval(
    axis: str, span: Range, standardized: bool, tied: bool
) -> None:
    y, s = PERFECT
    score = [math.floor(v / 2) for v in s] if tied else s
    found = partial(y, score, axis, span, standardized=standardized)
    assert found.value == pytest.approx(found.bounds[1], abs=1e-13)
    with pytest.warns(rs.DegenerateVarianceWarning, match="standard error 0"):
        assert found.std_error == 0.0
    limits = found.confidence_interval()
    assert limits.method == "newcombe"
    assert limits.high == pytest.approx(found.bounds[1], abs=1e-13)
    share = (limits.low - found.bounds[0]) / (found.bounds[1] - found.bounds[0])
    assert 0.4 < share < 0.95
    for method in ("logit", "logit_t", "probit", "arcsine"):
        assert found.confidence_interval(method=method).low < limits.high - 1e-3


def test_nothing_in_the_window_has_an_interval() -> None:
    y, s = [0] * 30 + [1] * 40, [*range(40, 70), *range(40)]
    found = partial(y, s, "fpr", (0, 0.2))
    assert found.value == 0.0
    assert found.details["standardized"] < 0.5
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert found.std_error == 0.0
    limits = found.confidence_interval()
    assert limits.low == 0.0
    assert 0.02 < limits.high < 0.2


def test_constant_scores() -> None:
    found = partial([1] * 20 + [0] * 30, [5] * 50, "fpr", (0, 0.2))
    assert found.value == pytest.approx(0.02, abs=ROUNDING)
    assert found.details["standardized"] == pytest.approx(0.5, abs=ROUNDING)
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert found.std_error == 0.0
    limits = found.confidence_interval()
    assert 0.0 < limits.low < found.value < limits.high < 0.2


def test_two_perfect_markers_are_not_told_apart() -> None:
    y, s = PERFECT
    score = {"a": s, "b": [v * v for v in s], "c": [math.floor(v / 2) for v in s]}
    both = rs.compare(y, score, measure=measure("fpr", (0, 0.2), standardized=True))
    with pytest.warns(rs.DegenerateVarianceWarning, match="nothing was tested"):
        tests = both.pairwise().tests
    assert [test.pvalue for test in tests] == [1.0, 1.0, 1.0]


def test_few_subjects_within_are_said() -> None:
    y, s = binormal(np.random.default_rng(10), 60, 49, 1.0)
    with pytest.warns(rs.SmallSampleWarning, match=r"rests on 4.9 of the 49 negatives"):
        partial(y, s, "fpr", (0, 0.1))
    with pytest.warns(rs.SmallSampleWarning, match=r"rests on 3 of the 60 positives"):
        partial(y, s, "tpr", (0.95, 1))
    partial(np.append(y, 0), np.append(s, 0.0), "fpr", (0, 0.1))  # five of fifty: no warning


@ignore_few
def test_one_subject_of_a_class_has_no_variance() -> None:
    found = partial([1, 0, 0, 0, 0, 0], [4, 1, 2, 3, 5, 6], "fpr", (0, 0.5))
    assert found.value == pytest.approx(0.1, abs=ROUNDING)
    with pytest.warns(rs.SmallSampleWarning, match="needs two of each"):
        assert math.isnan(found.std_error)
    with pytest.warns(rs.SmallSampleWarning, match="no"):
        assert math.isnan(found.confidence_interval().low)


def test_the_interval_keeps_within_its_bounds_and_says_its_method() -> None:
    y, score = three_markers()
    found = partial(y, score["a"], "fpr", (0, 0.1))
    limits = found.confidence_interval()
    assert limits.method == "logit_t"
    assert 0.0 < limits.low < found.value < limits.high < 0.1
    share, reach = found.value / 0.1, found.std_error / 0.1
    t = stats.t.ppf(0.975, found.scatter[1])
    ends = [
        1
        / (1 + math.exp(-(math.log(share / (1 - share)) + sign * t * reach / share / (1 - share))))
        for sign in (-1, 1)
    ]
    assert [limits.low, limits.high] == pytest.approx([0.1 * e for e in ends], rel=1e-10)
    wald = found.confidence_interval(method="wald")
    assert wald.high - wald.low == pytest.approx(2 * stats.norm.ppf(0.975) * found.std_error)


# --------------------------------------------------------------------------------------- simulation


REPLICATES = 400
MC_ERRORS = 4.0  # fewer than one false alarm in 10 000 cells
# docs/evidence/partial_auc.md: where five or more are within, SE/SD and coverage lay within these.
RATIO_ALLOWANCE = 0.10
COVERAGE = (0.91, 0.99)


@pytest.mark.slow
@pytest.mark.parametrize(
    "job", [("auc 0.85", 50, 50), ("unequal sd", 30, 150), ("rounded", 100, 100)]
)
def test_standard_errors_and_intervals_in_simulation(job: tuple[str, int, int]) -> None:
    for cell in load_study("partial_auc").simulate(*job, REPLICATES):
        assert not cell.few
        assert abs(cell.ratio - 1.0) < RATIO_ALLOWANCE + MC_ERRORS * cell.ratio_error, cell
        low, high = (
            share + sign * MC_ERRORS * math.sqrt(share * (1 - share) / REPLICATES)
            for share, sign in zip(COVERAGE, (-1, 1), strict=True)
        )
        assert low < cell.coverage < high, cell


@pytest.mark.slow
def test_size_of_the_paired_test() -> None:
    for found in load_study("partial_auc").size_of_tests(
        "auc 0.85, correlation 0.5", 50, 50, REPLICATES
    ):
        error = math.sqrt(0.05 * 0.95 / REPLICATES)
        assert found.by_t < 0.06 + MC_ERRORS * error, found
        assert found.by_t <= found.by_normal


@pytest.mark.slow
def test_true_values_do_not_depend_on_the_grid() -> None:
    study = load_study("partial_auc")
    for model, chosen in product(study.MODELS.values(), study.MEASURES.values()):
        fine, coarse = (study.true_value(model, chosen, study.CELLS // k) for k in (1, 2))
        assert fine == pytest.approx(coarse, abs=study.TRUTH_ERROR)
