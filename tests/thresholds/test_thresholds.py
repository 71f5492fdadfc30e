"""Operating points and rates at a fixed rate: definitions, printed tables, pROC, exact coverage."""

from __future__ import annotations

import copy
import json
import math
import pickle
import shutil
import subprocess
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from conftest import SAMPLES, load_study
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from rocstats.errors import DegenerateVarianceWarning, InvalidOptionError
from rocstats.thresholds.diagnostics import DIAGNOSTICS, predictive
from rocstats.thresholds.fixed_rate_counts import _binomial_quantile, facing, heights
from rocstats.thresholds.redraws import lay_out_vertices
from rocstats.thresholds.two_by_two import Cells, Tables

ROUNDING = 1e-12  # a few operations on doubles
FEW = rs.Bootstrap(n_resamples=50, rng=1)


study = load_study("thresholds")


def table(tp: int, fp: int, fn: int, tn: int, **options: Any) -> rs.OperatingPoints:
    """The operating point of a binary test with these cells."""
    y = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    score = np.repeat([1, 0], [tp + fp, fn + tn])
    return rs.operating_points(y, score, thresholds=1, **options)


def limits_of(points: rs.OperatingPoints, measure: str) -> list[float]:
    return [float(limit[0]) for limit in points.limits(measure)]


# ------------------------------------------------------------------------------------ definitions

DEFINITIONS = {
    "sensitivity": lambda a, b, c, d: (a, a + c),
    "specificity": lambda a, b, c, d: (d, b + d),
    "ppv": lambda a, b, c, d: (a, a + b),
    "npv": lambda a, b, c, d: (d, c + d),
    "lr_pos": lambda a, b, c, d: (a * (b + d), b * (a + c)),
    "lr_neg": lambda a, b, c, d: (c * (b + d), d * (a + c)),
    "dor": lambda a, b, c, d: (a * d, b * c),
    "accuracy": lambda a, b, c, d: (a + d, a + b + c + d),
    "balanced_accuracy": lambda a, b, c, d: (a * (b + d) + d * (a + c), 2 * (a + c) * (b + d)),
    "youden": lambda a, b, c, d: (a * d - b * c, (a + c) * (b + d)),
    "f1": lambda a, b, c, d: (2 * a, 2 * a + b + c),
    # of prevalence 1/50
    "ppv_at_0.02": lambda a, b, c, d: (a * (b + d), a * (b + d) + 49 * b * (a + c)),
    "npv_at_0.02": lambda a, b, c, d: (49 * d * (a + c), 49 * d * (a + c) + c * (b + d)),
}


def ratio(numerator: int, denominator: int) -> float:
    if denominator == 0:
        return math.inf if numerator > 0 else math.nan
    return float(Fraction(numerator, denominator))


def brute_force(y: np.ndarray, s: np.ndarray, threshold: float, up: bool) -> tuple[int, ...]:
    called = s >= threshold if up else s <= threshold
    sick = y == 1
    cells = (called & sick, called & ~sick, ~called & sick, ~called & ~sick)
    return tuple(int(cell.sum()) for cell in cells)


@pytest.mark.parametrize("up", [True, False])
def test_every_threshold_of_every_sample_by_brute_force(named_sample, up):
    y, s = named_sample
    points = rs.operating_points(y, s, higher_is_positive=up, prevalence=0.02)
    beyond = math.inf if up else -math.inf
    assert points.threshold.tolist() == [beyond, *sorted(set(s.tolist()), reverse=up)]
    columns = {name: points.values(name) for name in points.measures}
    for i, threshold in enumerate(points.threshold):
        cells = brute_force(y, s, threshold, up)
        assert cells == (points.tp[i], points.fp[i], points.fn[i], points.tn[i])
        for name, define in DEFINITIONS.items():
            expected = ratio(*define(*cells))
            assert columns[name][i] == pytest.approx(expected, rel=ROUNDING, nan_ok=True), name
        a, b, c, d = cells
        spread = (a + b) * (a + c) * (d + b) * (d + c)
        mcc = (a * d - b * c) / math.sqrt(spread) if spread else math.nan
        assert columns["mcc"][i] == pytest.approx(mcc, rel=ROUNDING, abs=ROUNDING, nan_ok=True)


def test_any_number_is_a_threshold():
    y, s = SAMPLES["tied"]
    wanted = [0.5, 0.4, -7, 0.75, math.inf, -math.inf, 0.75 + 1e-9]
    for up in (True, False):
        points = rs.operating_points(y, s, thresholds=wanted, higher_is_positive=up)
        assert points.threshold.tolist() == wanted
        for i, threshold in enumerate(wanted):
            cells = brute_force(y, s, threshold, up)
            assert cells == (points.tp[i], points.fp[i], points.fn[i], points.tn[i])


def test_measures_are_attributes_and_what_is_not_is_refused():
    points = table(26, 14, 15, 58, prevalence=[0.02, 0.1])
    for name in points.measures[:-4]:
        np.testing.assert_array_equal(getattr(points, name), points.values(name))
    assert points.measures[-4:] == ("ppv_at_0.02", "npv_at_0.02", "ppv_at_0.1", "npv_at_0.1")
    with pytest.raises(AttributeError, match="no attribute 'precision'"):
        points.precision  # noqa: B018
    with pytest.raises(InvalidOptionError, match="measure must be one of"):
        points.values("precision")


# -------------------------------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("count", "size", "method", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, 857-872, Table I: methods 3 and 5
        (81, 263, "wilson", 0.2553, 0.3662),
        (15, 148, "wilson", 0.0624, 0.1605),
        (0, 20, "wilson", 0.0000, 0.1611),
        (1, 29, "wilson", 0.0061, 0.1718),
        (81, 263, "clopper-pearson", 0.2527, 0.3676),
        (15, 148, "clopper-pearson", 0.0578, 0.1617),
        (0, 20, "clopper-pearson", 0.0000, 0.1684),
        (1, 29, "clopper-pearson", 0.0009, 0.1776),
    ],
)
def test_printed_intervals_of_a_proportion(count, size, method, low, high):
    points = table(count, 3, size - count, 5, interval=method)
    assert limits_of(points, "sensitivity") == pytest.approx([low, high], abs=5e-5)
    turned = table(3, size - count, 5, count, interval=method)
    assert limits_of(turned, "specificity") == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize(
    ("a", "m", "b", "n", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, 873-890, Table II: method 10
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (10, 10, 0, 20, 0.6791, 1.0000),
    ],
)
def test_printed_intervals_of_a_difference(a, m, b, n, low, high):
    points = table(a, b, m - a, n - b)
    assert limits_of(points, "youden") == pytest.approx([low, high], abs=5e-5)
    halves = [(limit + 1) / 2 for limit in limits_of(points, "youden")]
    assert limits_of(points, "balanced_accuracy") == pytest.approx(halves, rel=ROUNDING)


def test_scott_et_al_2008_as_epir_prints_it():
    """epiR::epi.tests(c(670, 202, 74, 640)): 95% limits, exact ones for proportions."""
    points = table(670, 202, 74, 640, interval="clopper-pearson")
    printed = {
        "sensitivity": (0.90, 0.88, 0.92),
        "specificity": (0.76, 0.73, 0.79),
        "ppv": (0.77, 0.74, 0.80),
        "npv": (0.90, 0.87, 0.92),
        "lr_pos": (3.75, 3.32, 4.24),
        "lr_neg": (0.13, 0.11, 0.16),
    }
    for name, numbers in printed.items():
        found = [points.values(name)[0], *limits_of(points, name)]
        assert found == pytest.approx(numbers, abs=0.005), name
    found = [points.dor[0], *limits_of(points, "dor")]
    assert found == pytest.approx((28.68611, 21.51819, 38.24174), abs=5e-6)


def test_van_de_vijver_et_al_2002_as_cifinder_prints_it():
    """CIfinder::ppv_npv_ci(31, 34, 32, 44, 0.07, "zhou"): logit limits of Mercaldo et al."""
    points = table(31, 12, 3, 32, prevalence=0.07)
    ppv = [points.values("ppv_at_0.07")[0], *limits_of(points, "ppv_at_0.07")]
    npv = [points.values("npv_at_0.07")[0], *limits_of(points, "npv_at_0.07")]
    assert ppv == pytest.approx((0.2010444, 0.1331384, 0.2919216), abs=5e-8)
    assert npv == pytest.approx((0.9909508, 0.9734141, 0.9969560), abs=5e-8)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "agresti-coull", "jeffreys"])
def test_proportions_are_those_of_statsmodels(method):
    name = {"clopper-pearson": "beta"}.get(method, method.replace("-", "_"))
    points = rs.operating_points(*SAMPLES["imbalanced"], interval=method, confidence_level=0.9)
    parts = {
        "sensitivity": (points.tp, points.n_pos),
        "specificity": (points.tn, points.n_neg),
        "ppv": (points.tp, points.tp + points.fp),
        "npv": (points.tn, points.tn + points.fn),
        "accuracy": (points.tp + points.tn, points.n_pos + points.n_neg),
    }
    for measure, (count, size) in parts.items():
        for i, (x, n) in enumerate(np.broadcast(count, size)):
            low, high = (limit[i] for limit in points.limits(measure))
            if n == 0:
                assert np.isnan([low, high]).all()
                continue
            expected = proportion_confint(x, n, alpha=0.1, method=name)
            assert low == pytest.approx(0.0 if x == 0 else expected[0], rel=ROUNDING)
            assert high == pytest.approx(1.0 if x == n else expected[1], rel=ROUNDING)


def _all_tables(m: int, n: int, method: str = "wilson") -> Tables:
    tp, fp = (axis.ravel() for axis in np.meshgrid(np.arange(m + 1), np.arange(n + 1)))
    return Tables(cells=Cells.of(tp, fp, m, n), level=0.95, method=method)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "agresti-coull", "jeffreys"])
def test_limits_of_every_small_table_enclose_the_value_and_never_have_no_width(method):
    for m, n in ((1, 1), (1, 4), (3, 2), (6, 5)):
        tables = _all_tables(m, n, method)
        for name, measure in {**DIAGNOSTICS, **predictive(0.1)}.items():
            value, low, high = measure.evaluate(tables)
            known = ~np.isnan(value)
            np.testing.assert_array_equal(np.isnan(low), ~known)
            np.testing.assert_array_equal(np.isnan(high), ~known)
            value, low, high = value[known], low[known], high[known]
            slack = ROUNDING * np.maximum(1.0, np.where(np.isinf(value), 1.0, np.abs(value)))
            assert (low <= value + slack).all(), name
            assert (value - slack <= high).all(), name
            assert (low < high).all(), name


def test_an_empty_cell_gives_one_sided_limits_at_the_corners():
    points = table(8, 0, 2, 10, prevalence=0.1)
    (se_low,), _ = points.limits("sensitivity")
    (sp_low,), _ = points.limits("specificity")
    assert points.lr_pos[0] == math.inf
    assert limits_of(points, "lr_pos") == [pytest.approx(se_low / (1 - sp_low)), math.inf]
    odds = se_low / (1 - sp_low) / 9
    assert limits_of(points, "ppv_at_0.1") == [pytest.approx(odds / (1 + odds)), 1.0]
    rows = {row["measure"]: row["conf_method"] for row in points.table()}
    assert rows["lr_pos"] == rows["dor"] == rows["ppv_at_0.1"] == "corners of wilson"
    assert rows["sensitivity"] == "wilson"
    whole = {row["measure"]: row["conf_method"] for row in table(8, 1, 2, 9).table()}
    assert whole["lr_pos"] == "log"


def test_phi_has_the_delta_variance_of_four_free_cells():
    """Differentiated numerically; Fisher's z has slope 1 / (1 - phi^2)."""
    counts = np.array([26.0, 14.0, 15.0, 58.0])
    total = counts.sum()

    def phi(p: np.ndarray) -> float:
        a, b, c, d = p
        return (a * d - b * c) / math.sqrt((a + b) * (a + c) * (d + b) * (d + c))

    share, step = counts / total, 1e-6
    slope = np.array(
        [(phi(share + step * e) - phi(share - step * e)) / (2 * step) for e in np.eye(4)]
    )
    variance = ((share * slope**2).sum() - (share * slope).sum() ** 2) / total
    value = phi(share)
    reach = 1.959963984540054 * math.sqrt(variance) / (1 - value**2)
    expected = [math.tanh(math.atanh(value) + sign * reach) for sign in (-1, 1)]
    central = 1e-8  # the error of a difference quotient with this step
    assert limits_of(table(26, 14, 15, 58), "mcc") == pytest.approx(expected, abs=central)


# What docs/evidence/thresholds.md shows, with a little room: the least coverage over all rates, the
# mean.
FLOORS = {
    "wilson": dict.fromkeys(study.MEASURES, (0.85, 0.94))
    | {"dor": (0.94, 0.95), "mcc": (0.93, 0.95), "f1": (0.92, 0.95), "youden": (0.90, 0.945)},
    "clopper-pearson": {"sensitivity": (0.95, 0.95), "specificity": (0.95, 0.95)},
}


@pytest.mark.parametrize("method", FLOORS)
def test_exact_coverage_of_the_measures(method):
    found = [study.table_coverage(method, *size) for size in ((10, 10), (15, 60), (30, 40))]
    for name, (least, mean) in FLOORS[method].items():
        shares = np.concatenate([cell[name] for cell in found])
        assert shares.min() >= least, name
        assert shares.mean() >= mean, name


def test_the_bar_is_high_enough_to_see_90_percent_limits(monkeypatch):
    monkeypatch.setattr(study, "LEVEL", 0.9)
    found = study.table_coverage("wilson", 30, 40)
    for name, (_, mean) in FLOORS["wilson"].items():
        if name not in ("ppv", "npv", "f1"):  # conservative where class sizes are fixed
            assert found[name].mean() < mean, name


def test_coverage_where_classes_are_drawn_too():
    """A cohort of 60: class sizes are binomial, as the intervals of PPV, F1 and MCC have it."""
    size, share, se, sp = 60, 0.3, 0.8, 0.9
    held = dict.fromkeys(("ppv", "npv", "accuracy", "f1", "mcc"), 0.0)
    seen = dict.fromkeys(held, 0.0)
    truth = {
        name: DIAGNOSTICS[name].value(
            Cells.at_rates(np.array([se]), np.array([sp]), size * share, size * (1 - share))
        )[0]
        for name in held
    }
    for m in range(5, 36):
        n = size - m
        tables = _all_tables(m, n)
        chance = (
            study.binom.pmf(m, size, share)
            * study.binom.pmf(tables.cells.tp, m, se)
            * study.binom.pmf(tables.cells.fp, n, 1 - sp)
        )
        for name in held:
            value, low, high = DIAGNOSTICS[name].evaluate(tables)
            known = ~np.isnan(value)
            seen[name] += chance[known].sum()
            held[name] += chance[known & (low <= truth[name]) & (truth[name] <= high)].sum()
    for name in held:
        assert seen[name] > 0.999
        assert 0.935 <= held[name] / seen[name] <= 0.97, name  # discreteness: .01 or so either way


# ----------------------------------------------------------------------------------- target rates

samples = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=14
).filter(lambda rows: {label for label, _ in rows} == {0, 1})
decimals = st.integers(0, 100).map(lambda k: k / 100)


@given(rows=samples, rate=decimals, up=st.booleans())
def test_a_target_rate_gives_the_best_point_that_attains_it(rows, rate, up):
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    every = rs.operating_points(y, s, higher_is_positive=up)
    target = Fraction(str(rate))
    se = [Fraction(int(t), every.n_pos) for t in every.tp]
    sp = [Fraction(int(t), every.n_neg) for t in every.tn]
    best_se = max(a for a, b in zip(se, sp, strict=True) if b >= target)
    best_sp = max(b for a, b in zip(se, sp, strict=True) if a >= target)
    for option, value in (("specificity", rate), ("fpr", float(1 - target))):
        found = rs.operating_points(y, s, higher_is_positive=up, **{option: value})
        assert Fraction(int(found.tn[0]), found.n_neg) >= target
        assert Fraction(int(found.tp[0]), found.n_pos) == best_se
    for option in ("sensitivity", "tpr"):
        found = rs.operating_points(y, s, higher_is_positive=up, **{option: rate})
        assert Fraction(int(found.tp[0]), found.n_pos) >= target
        assert Fraction(int(found.tn[0]), found.n_neg) == best_sp
    assert brute_force(y, s, found.threshold[0], up)[0] == found.tp[0]


def test_rates_are_the_decimals_that_were_written():
    """10 * (1 - 0.9) is 0.99999... in doubles, and 1 in truth."""
    y = np.repeat([1, 0], [1, 10])
    s = np.array([5, *range(9), 9, 10][:11], dtype=float)
    points = rs.operating_points(y, s, specificity=[0.9, 0.8, 0.7, 1, 0.95])
    assert points.fp.tolist() == [1, 2, 3, 0, 0]
    assert rs.operating_points(y, s, fpr=[0.1, 0.3, np.float64(0.7)]).fp.tolist() == [1, 3, 7]


# ----------------------------------------------------------------------------------------- results


def test_frame_rows_and_text_are_renderings_of_the_same_numbers():
    points = rs.operating_points(*SAMPLES["tied"], prevalence=[0.25])
    frame, rows = points.to_frame(), points.to_dict()
    assert list(frame.columns[:5]) == ["threshold", "tp", "fp", "fn", "tn"]
    assert len(frame.columns) == 5 + 3 * len(points.measures)
    assert list(rows["points"][0]) == list(frame.columns)
    for name in points.measures:
        low, high = points.limits(name)
        np.testing.assert_array_equal(frame[name], points.values(name))
        np.testing.assert_array_equal(frame[f"{name}_conf_low"], low)
        np.testing.assert_array_equal(frame[f"{name}_conf_high"], high)
    assert rows["conf_method"]["ppv"] == "wilson"
    json.dumps(rows)
    few = points.to_frame(measures=["ppv"])
    assert list(few.columns[5:]) == ["ppv", "ppv_conf_low", "ppv_conf_high"]
    frame.loc[0, "tp"] = 9  # a frame is the reader's own
    assert points.tp[0] == 0
    assert "5 operating points of score (all thresholds): 4 positives, 5 negatives" in repr(points)
    assert "<table>" in points._repr_html_()


def test_text_of_one_point_and_of_many():
    one = repr(table(26, 14, 15, 58))
    assert "positive if score >= 1: tp 26, fp 14, fn 15, tn 58" in one
    assert "sensitivity          0.6341    0.4812     0.7641  wilson" in one
    many = repr(rs.operating_points(*SAMPLES["imbalanced"]))
    assert many.endswith("(30 points between are not shown)\n\npositive class 1, negative class 0")
    assert repr(rs.operating_points(*SAMPLES["tied"], thresholds=[])).startswith("0 operating")
    assert (
        "score <= 2"
        in rs.operating_points([1, 0], [2, 3], thresholds=2, higher_is_positive=False).called()
    )


def test_points_can_be_copied_and_sent():
    points = rs.operating_points(*SAMPLES["tied"], prevalence=0.1)
    for twin in (copy.copy(points), pickle.loads(pickle.dumps(points))):
        np.testing.assert_array_equal(twin.to_frame(), points.to_frame())


def test_slabs_do_not_show(monkeypatch):
    points = rs.operating_points(*SAMPLES["imbalanced"], prevalence=0.1)
    whole = points.to_frame()
    monkeypatch.setattr("rocstats.thresholds.points._SLAB", 7)
    np.testing.assert_array_equal(points.to_frame(), whole)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fpr": 0.1, "tpr": 0.9}, "Give one of fpr, tpr, or none"),
        ({"specificity": 1.2}, r"specificity must lie within \[0, 1\], got 1.2"),
        ({"tpr": "high"}, "tpr must lie within"),
        ({"fpr": True}, "fpr must lie within"),
        ({"sensitivity": math.nan}, "sensitivity must lie within"),
        ({"prevalence": 0}, "prevalence must lie strictly between 0 and 1, got 0"),
        ({"prevalence": [0.1, 1.0]}, "prevalence must lie strictly between 0 and 1, got 1.0"),
        ({"thresholds": "low"}, "thresholds must be a number"),
        ({"thresholds": [1, math.nan]}, "thresholds must be a number"),
        ({"interval": "wald"}, "interval must be one of 'wilson'"),
        ({"confidence_level": 95}, "confidence_level must lie strictly between"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, message):
    with pytest.raises(InvalidOptionError, match=message):
        rs.operating_points(*SAMPLES["tied"], **options)


# ------------------------------------------------------------------------- rates at a fixed rate


@given(rows=samples, rate=decimals, up=st.booleans())
def test_the_value_is_the_height_of_the_curve(rows, rate, up):
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    curve = rs.roc_curve(y, s, higher_is_positive=up)
    few = rs.Bootstrap(n_resamples=2, rng=1)
    found = rs.sensitivity_at(y, s, specificity=rate, higher_is_positive=up, resampling=few)
    # Where the rate is a vertex, 1 - rate may round to either side of it; heights differ there.
    exact = float(1 - Fraction(str(rate)))
    vertex = curve.fp[np.isclose(curve.fpr, exact)]
    wanted = vertex[0] / curve.n_neg if vertex.size else exact
    assert found.value[0] == pytest.approx(curve.at(fpr=wanted).tpr, abs=ROUNDING)
    turned = rs.specificity_at(
        1 - y, s, sensitivity=rate, higher_is_positive=not up, resampling=few
    )
    np.testing.assert_array_equal(turned.value, found.value)
    drawn = by_width(1 - y, s, rate, up=not up, resampling=few)
    np.testing.assert_allclose(turned.replicates[:, 0], drawn, rtol=0, atol=ROUNDING)
    order = [found[0].confidence_interval(), turned[0].confidence_interval()]
    assert order[0] == order[1]


def by_width(
    y: np.ndarray, s: np.ndarray, rate: float, *, up: bool, resampling: rs.Bootstrap
) -> list[float]:
    """Specificity at a sensitivity in the first resamples: one less the width of each curve."""
    redraws = lay_out_vertices(rs.ScoredSample.from_arrays(y, s, higher_is_positive=up), 0)
    root = np.random.SeedSequence(resampling.rng)
    rng = np.random.default_rng(np.random.SeedSequence(root.entropy, spawn_key=(0,)))
    found = []
    for _, _, *counts in redraws.draw(rng, resampling.n_resamples):
        for tp, fp in zip(*counts, strict=True):
            tpr, fpr = tp / tp[-1], fp / fp[-1]
            here = int(np.argmax(tpr >= rate - ROUNDING))
            width = fpr[here]
            if here and tpr[here] > rate + ROUNDING:
                share = (tpr[here] - rate) / (tpr[here] - tpr[here - 1])
                width -= share * (fpr[here] - fpr[here - 1])
            found.append(1.0 - width)
    return found


@pytest.mark.parametrize("digits", [0, 9])
@pytest.mark.parametrize("clustered", [False, True])
def test_a_resample_has_the_curve_of_its_subjects(digits, clustered):
    rng = np.random.default_rng(3)
    y = rng.permutation(np.repeat([1, 0], [40, 60]))
    s = (rng.normal(size=100) + y).round(digits)
    cluster = rng.integers(0, 30, size=100) if clustered else None
    sample = rs.ScoredSample.from_arrays(y, s, cluster=cluster, higher_is_positive=False)
    redraws = lay_out_vertices(sample, 0)
    thresholds = rs.roc_curve(sample).threshold
    ((_, whole, tp, fp),) = redraws.draw(np.random.default_rng(5), 4)
    assert whole.all()
    pos, neg = redraws.urn.draw(np.random.default_rng(5), 4)
    for i in range(4):
        who = np.concatenate(
            [np.repeat(redraws.urn.pos, pos[i]), np.repeat(redraws.urn.neg, neg[i])]
        )
        for j, threshold in enumerate(thresholds):
            cells = brute_force(y[who], s[who], threshold, up=False)
            assert cells[:2] == (tp[i, j], fp[i, j])


def test_percentile_limits_are_quantiles_of_the_replicates():
    y, s = SAMPLES["imbalanced"]
    found = rs.sensitivity_at(y, s, specificity=[0.5, 0.75], resampling=rs.Bootstrap(rng=4))
    again = rs.sensitivity_at(
        y, s, specificity=[0.5, 0.75], resampling=rs.Bootstrap(rng=4, n_jobs=2)
    )
    np.testing.assert_array_equal(found.replicates, again.replicates)
    intervals = [rate.confidence_interval(0.9, method="percentile") for rate in found]
    for column, limits in zip(found.replicates.T, intervals, strict=True):
        assert (limits.low, limits.high) == tuple(np.quantile(column, (0.05, 0.95)))


def test_order_limits_by_hand():
    """Ten negatives 0 to 9 and four positives; specificity .8, so that f = .2 and n f = 2."""
    neg, pos = np.arange(10.0), np.array([3.5, 7.5, 8.5, 9.5])
    y, s = np.repeat([0, 1], [10, 4]), np.concatenate([neg, pos])
    found = rs.sensitivity_at(y, s, specificity=0.8, resampling=FEW)
    assert found.value.tolist() == [0.75]  # above 7, the negative of rank 3
    chance = np.cumsum([math.comb(10, k) * 0.2**k * 0.8 ** (10 - k) for k in range(11)])
    # P(K <= 0) = .107 > .025: low end between no positive and those above 9.
    low = 0.025 / chance[0] * 0.25
    # P(K <= 4) = .967 < .975 < P(K <= 5): high end within the piece at 5 of 10, where 3 of 4 pass.
    assert chance[4] < 0.975 < chance[5]
    ends = [float(limit) for limit in proportion_confint(3, 4, method="wilson")]
    expected = [0.75 - math.hypot(0.75 - ends[0], 0.75 - low), ends[1]]
    limits = found.confidence_interval(method="order")
    assert [limits.low, limits.high] == pytest.approx([max(expected[0], 0.0), expected[1]])


@given(st.integers(1, 300), st.floats(0.0, 1.0), st.sampled_from([0.005, 0.025, 0.5, 0.95, 0.995]))
def test_binomial_quantiles_are_those_of_scipy(n, share, tail):
    k = _binomial_quantile(tail, n, share)
    assert k == n or study.binom.cdf(k, n, share) >= tail - ROUNDING
    assert k == 0 or study.binom.cdf(k - 1, n, share) < tail + ROUNDING


def test_both_intervals_are_labelled_and_one_is_not_for_clusters():
    y, s = SAMPLES["imbalanced"]
    found = rs.sensitivity_at(y, s, specificity=[0.9, 0.8], resampling=FEW)
    rows = found.to_dict()["rows"]
    assert [(row["at"], row["conf_method"]) for row in rows] == [
        (0.9, "order"),
        (0.9, "percentile"),
        (0.8, "order"),
        (0.8, "percentile"),
    ]
    assert {row["quantity"] for row in rows} == {"sensitivity at fixed specificity"}
    json.dumps(found.to_dict())
    assert "the threshold is estimated" in repr(found)
    assert "<table>" in found._repr_html_()
    assert len(found.to_frame()) == 4
    sample = rs.ScoredSample.from_arrays(y, s, cluster=np.arange(y.size) // 3)
    with pytest.warns(DegenerateVarianceWarning, match="of 50 resamples lack a class") as said:
        clustered = rs.specificity_at(sample, sensitivity=0.5, resampling=FEW)
    lacking = int(np.isnan(clustered.replicates).any(axis=1).sum())
    assert str(said[0].message) == f"{lacking} of 50 resamples lack a class and are left out."
    assert lacking > clustered.at.size
    assert [row["conf_method"] for row in clustered.to_dict()["rows"]] == ["percentile"]
    with pytest.raises(InvalidOptionError, match="clustered"):
        clustered.confidence_interval(method="order")
    with pytest.raises(InvalidOptionError, match="method must be one of 'order'"):
        found.confidence_interval(method="wald")


def test_a_rate_that_never_varies_has_no_percentile_interval():
    found = rs.sensitivity_at(*SAMPLES["perfect"], specificity=0.5, resampling=FEW)
    with pytest.warns(DegenerateVarianceWarning, match="the same in every resample"):
        limits = found.confidence_interval(method="percentile")
    assert math.isnan(limits.low)
    limits = found.confidence_interval()
    assert limits.low < limits.high == 1.0


def test_huge_counts_stay_exact():
    """A billion negatives, 7 of which share a score with the wanted width in their midst."""
    n = 10**9 + 7
    tp, fp = np.array([0, 3, 5, 5]), np.array([0, n // 2 - 3, n // 2 + 4, n])
    rate = Fraction(n // 2, n)
    path = facing(tp, fp, upright=True)
    assert heights(*path, rate)[0] == pytest.approx((3 + 2 * 3 / 7) / 5, rel=ROUNDING)


# ------------------------------------------------------------------------------------------ pROC


def run_r(code: str) -> Any:
    """Run R with pROC on the path; the code prints lines of numbers."""
    if shutil.which("Rscript") is None:
        pytest.skip("needs Rscript, which is not on the path")
    if subprocess.run(["Rscript", "-e", "library(pROC)"], capture_output=True).returncode:
        pytest.skip("needs R's pROC, which is not installed")
    run = subprocess.run(["Rscript", "-"], input=code, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return [
        [math.nan if x == "NA" else float(x) for x in line.split()]
        for line in run.stdout.splitlines()
    ]


def to_r(values: np.ndarray) -> str:
    return f"c({', '.join(repr(float(v)) for v in values)})"


def test_tables_of_tied_samples_are_those_of_proc():
    rng = np.random.default_rng(11)
    samples = []
    for digits in (0, 1, 2):
        y = np.repeat([1, 0], [17, 23])
        samples.append((y, (rng.normal(size=40) + y).round(digits)))
    names = ["tp", "fp", "fn", "tn"]
    names += ["sensitivity", "specificity", "ppv", "npv", "accuracy", "youden"]
    columns = ", ".join(f"'{name}'" for name in names)
    code = "suppressMessages(library(pROC)); options(digits = 17)\n" + "\n".join(
        f"r <- roc({to_r(y)}, {to_r(s)}, levels = c(0, 1), direction = '<', quiet = TRUE);"
        f"x <- coords(r, 'all', ret = c({columns}), transpose = FALSE);"
        "write.table(x[nrow(x):1, ], row.names = FALSE, col.names = FALSE)"
        for y, s in samples
    )
    rows = np.array(run_r(code.replace("\n", ";")))
    ours = []
    for y, s in samples:
        points = rs.operating_points(y, s)
        frame = points.to_frame(measures=names[4:])[names].to_numpy()
        frame[:, -1] += 1.0  # pROC's youden is se + sp
        ours.append(frame)
    np.testing.assert_allclose(np.concatenate(ours), rows, rtol=ROUNDING)


def test_numbers_of_procs_own_suite():
    """PROC.md rows 90-101: coords of s100b in aSAH, which is not ours to ship."""
    code = 'library(pROC); cat(paste(aSAH$outcome == "Poor", aSAH$s100b) , sep = "\\n")'
    rows = run_r(code.replace('== "Poor"', '%in% "Poor" + 0'))
    y, s = np.array(rows).T
    points = rs.operating_points(y, s, thresholds=0.205)
    assert [int(x[0]) for x in (points.tp, points.fp, points.tn, points.fn)] == [26, 14, 58, 15]
    sp = rs.specificity_at(y, s, sensitivity=[0.5, 0.7, 0.9], resampling=FEW).value
    assert sp == pytest.approx([0.833333333333333, 0.56875, 0.230555555555556], abs=1e-14)
    se = rs.sensitivity_at(y, s, specificity=[0.1, 0.5, 0.9, 1], resampling=FEW).value
    expected = [0.975609756097561, 0.774390243902439, 0.390243902439024, 0.292682926829268]
    assert se == pytest.approx(expected, abs=1e-14)


# --------------------------------------------------------------------------------------- coverage

REPLICATES = 300
MC_ERRORS = 4.0  # fewer than one false alarm in 10 000 cells
# docs/evidence/thresholds.md: the order interval covers at least .93 or so, and is conservative at
# n f = 1.
ORDER_FLOOR = 0.93


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(20, 20), (100, 100), (160, 40)])
@pytest.mark.parametrize("name", ["normal, AUC .80", "exponential, scale 4", "five grades"])
def test_the_order_interval_covers(name, m, n, monkeypatch):
    monkeypatch.setattr(study, "RESAMPLES", 2)  # the analytic one reads none of them
    found = study.fixed_rate_coverage(name, m, n, REPLICATES, ("order",))
    slack = MC_ERRORS * math.sqrt(ORDER_FLOOR * (1 - ORDER_FLOOR) / REPLICATES)
    for sp in study.SPECIFICITIES:
        assert found["order", sp] >= ORDER_FLOOR - slack, sp


@pytest.mark.slow
def test_the_percentile_interval_covers_where_there_are_enough_negatives(monkeypatch):
    monkeypatch.setattr(study, "RESAMPLES", 200)
    found = study.fixed_rate_coverage("normal, AUC .80", 100, 100, REPLICATES, ("percentile",))
    slack = MC_ERRORS * math.sqrt(0.94 * 0.06 / REPLICATES)
    for sp in (0.8, 0.9):
        assert abs(found["percentile", sp] - 0.94) <= slack, sp


# --------------------------------------------------------------------------------------- drawings


def test_rates_are_drawn_as_steps_that_end_at_the_score():
    y, s = SAMPLES["tied"]
    for up, place in ((True, "steps-pre"), (False, "steps-post")):
        points = rs.operating_points(y, s, higher_is_positive=up)
        ax = points.plot()
        assert [line.get_label() for line in ax.lines] == ["Sensitivity", "Specificity"]
        for line, name in zip(ax.lines, ("sensitivity", "specificity"), strict=True):
            assert line.get_drawstyle() == place
            x, drawn = line.get_data()
            assert list(x) == sorted(set(s.tolist()))
            order = np.argsort(points.threshold[1:])
            np.testing.assert_array_equal(drawn, points.values(name)[1:][order])
        assert len(ax.collections) == 2
        ax.figure.draw_without_rendering()


def test_few_points_are_drawn_with_bars():
    ax = rs.operating_points(*SAMPLES["tied"], thresholds=[0.2, 0.5]).plot()
    assert len(ax.containers) == 2
    assert ax.get_xlabel() == "Threshold of score"
    ax.figure.draw_without_rendering()


def test_predictive_values_against_prevalence():
    points = table(26, 14, 15, 58, prevalence=0.1)
    ax = points.plot_prevalence()
    for line, name in zip(ax.lines, ("ppv_at_0.1", "npv_at_0.1"), strict=True):
        x, drawn = line.get_data()
        assert drawn[np.argmin(abs(x - 0.1))] == pytest.approx(points.values(name)[0])
    assert ax.get_legend().get_title().get_text() == "score >= 1"
    ax.figure.draw_without_rendering()


@pytest.mark.parametrize("upright", [True, False])
def test_a_fixed_rate_is_drawn_on_the_curve(upright):
    y, s = SAMPLES["imbalanced"]
    function, rate = (
        (rs.sensitivity_at, "specificity") if upright else (rs.specificity_at, "sensitivity")
    )
    found = function(y, s, resampling=FEW, **{rate: [0.5, 0.8]})
    ax = found.plot()
    (marks,) = ax.containers
    x, height = marks.lines[0].get_data()
    fixed, free = (1 - np.asarray(x), height) if upright else (height, 1 - np.asarray(x))
    np.testing.assert_allclose(fixed, found.at)
    np.testing.assert_allclose(free, found.value)
    ends = np.sort(np.array([path[:, int(upright)] for path in marks.lines[2][0].get_segments()]))
    expected = np.array([(i.low, i.high) for i in (rate.confidence_interval() for rate in found)])
    np.testing.assert_allclose(ends, expected if upright else 1 - expected[:, ::-1])
    ax.figure.draw_without_rendering()


def test_no_fixed_rate_at_all_is_refused():
    y, s = SAMPLES["tied"]
    with pytest.raises(InvalidOptionError, match="specificity is empty"):
        rs.sensitivity_at(y, s, specificity=[], resampling=FEW)
    with pytest.raises(InvalidOptionError, match="sensitivity is empty"):
        rs.specificity_at(y, s, sensitivity=(), resampling=FEW)


# Line 6 of issue 14: a rating of 1 to 5 of 51 positives and 58 negatives (Hanley & McNeil 1982).
RATINGS = rs.datasets.load_ct_ratings()


@given(rows=samples, rate=decimals, up=st.booleans())
def test_14_06_attainable_points_are_thresholds_on_either_side(rows, rate, up):
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    few = rs.Bootstrap(n_resamples=2, rng=1)
    for function, fixed in ((rs.sensitivity_at, "specificity"), (rs.specificity_at, "sensitivity")):
        options = {fixed: rate, "higher_is_positive": up}
        found = function(y, s, **options, resampling=few)
        first, *others = found.attainable()
        best = rs.operating_points(y, s, **options)
        assert first["threshold"] == best.threshold[0]
        assert (first["sensitivity"], first["specificity"]) == pytest.approx(
            (best.sensitivity[0], best.specificity[0]), abs=ROUNDING
        )
        other = "sensitivity" if fixed == "specificity" else "specificity"
        exact = Fraction(str(rate)) * (y == (fixed == "sensitivity")).sum()
        assert first["meets"]
        assert (not others) == (
            exact == round(first[fixed] * (y == (fixed == "sensitivity")).sum())
        )
        for point in others:
            assert point[fixed] < rate
            assert not point["meets"]
            near = rs.operating_points(y, s, higher_is_positive=up)
            short = near.values(fixed)[near.values(fixed) < rate - ROUNDING]
            assert point[fixed] == pytest.approx(short.max(), abs=ROUNDING)
            same = np.isclose(near.values(fixed), point[fixed], atol=ROUNDING)
            assert point[other] == pytest.approx(near.values(other)[same].max(), abs=ROUNDING)
        assert found.interpolated == (found.value[0] != pytest.approx(first[other], abs=ROUNDING),)


def test_14_06_an_interpolated_rate_is_labelled_and_attainable_ones_come_first():
    found = rs.sensitivity_at(RATINGS, specificity=0.9, resampling=FEW)
    assert found.value[0] == pytest.approx(0.722, abs=5e-4)  # which no threshold has
    rates = [round(row["sensitivity"], 3) for row in found.attainable()]
    assert rates == [0.647, 0.863]
    (order, percentile) = found.to_dict()["rows"]
    assert order["reading"] == "interpolated"
    assert (order["recommended"], percentile["recommended"]) == (True, False)
    text = repr(found)
    assert text.index("Thresholds that can be used") < text.index("on the ROC curve")
    assert "Take the interval by order statistics" in text
    exact = rs.sensitivity_at([0, 0, 1, 1], [1, 2, 2, 3], specificity=0.5, resampling=FEW)
    assert exact.interpolated == (False,)
    assert "interpolated" not in repr(exact)
    binary = rs.sensitivity_at([0, 0, 0, 1, 1], [0, 0, 1, 1, 0], specificity=0.9, resampling=FEW)
    none, test = binary.attainable()
    assert (none["threshold"], none["sensitivity"], none["specificity"]) == (math.inf, 0.0, 1.0)
    assert (test["threshold"], test["sensitivity"]) == (1.0, 0.5)


@pytest.mark.parametrize(("name", "known"), [("wilson", "wilson"), ("jeffreys", "jeffreys")])
def test_14_11_a_limit_is_0_or_1_where_the_share_is(name, known):
    """Line 11 of issue 14: the convention of Brown, Cai & DasGupta (2001), which is stated."""
    points = rs.operating_points([1] * 9 + [0] * 9, [1] * 9 + [0] * 9, thresholds=1, interval=name)
    low, high = points.limits("sensitivity")
    assert high[0] == 1.0
    assert low[0] == pytest.approx(proportion_confint(9, 9, method=known)[0], abs=ROUNDING)
    assert "Brown, Cai & DasGupta (2001)" in rs.operating_points.__doc__
