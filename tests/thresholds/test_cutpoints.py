"""Cutpoints: exhaustive optimality in fractions, ties, pROC, resamples one by one, optimism."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SAMPLES, load_study
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocstats as rs
from rocstats.errors import DegenerateVarianceWarning, InvalidOptionError, InvalidSampleError
from rocstats.thresholds.cutpoint_criteria import CRITERIA, Floor, best_vertices
from rocstats.thresholds.diagnostics import DIAGNOSTICS
from rocstats.thresholds.optimism import midpoints

FROZEN = json.loads((Path(__file__).parents[1] / "reference" / "cutpoints.json").read_text("utf-8"))
ROUNDING = 1e-12  # a few operations on doubles
FEW = rs.Bootstrap(n_resamples=4, rng=1)
NO_SUCH = "ignore:.*no such cutpoint:rocstats.errors.DegenerateVarianceWarning"


# ------------------------------------------------------------------------------------- optimality


def over(numerator: int, denominator: int) -> Fraction | float | None:
    """An exact ratio; infinite over 0, and None for 0 over 0."""
    if denominator:
        return Fraction(numerator, denominator)
    return math.inf if numerator > 0 else None


def signed_square(a: int, b: int, c: int, d: int) -> Fraction | float | None:
    """MCC in an order-preserving form that has no root; nan at the ends."""
    excess = a * d - b * c
    return over(excess * abs(excess), (a + b) * (c + d)) if (a + b) * (c + d) else None


def odds_ratio(a: int, b: int, c: int, d: int) -> Fraction | None:
    """An empty cell is one half; None where all, or none, are called positive."""
    if a + b == 0 or c + d == 0:
        return None
    a, b, c, d = (Fraction(cell) or Fraction(1, 2) for cell in (a, b, c, d))
    return a * d / (b * c)


def kappa(a: int, b: int, c: int, d: int) -> Fraction:
    """Agreement beyond chance, as a share of what there could be."""
    n = a + b + c + d
    seen = Fraction(a + d, n)
    chance = Fraction((a + b) * (a + c) + (c + d) * (b + d), n * n)
    return (seen - chance) / (1 - chance)


def chi_square(a: int, b: int, c: int, d: int) -> Fraction | None:
    """Squared distances of the cells from what independence expects, over that."""
    n, total = a + b + c + d, Fraction(0)
    for seen, row, column in (
        (a, a + b, a + c),
        (b, a + b, b + d),
        (c, c + d, a + c),
        (d, c + d, b + d),
    ):
        if row == 0:
            return None
        expected = Fraction(row * column, n)
        total += (seen - expected) ** 2 / expected
    return total


def of_predictive_values(merit: Any) -> Any:
    """A function of PPV and NPV, None where one of them is none."""

    def found(a: int, b: int, c: int, d: int, r: Fraction) -> Fraction | None:
        if a + b == 0 or c + d == 0:
            return None
        return merit(Fraction(a, a + b), Fraction(d, c + d))

    return found


# Larger is better; a is tp, b fp, c fn, d tn, r the weight of specificity.
MERIT = {
    "youden": lambda a, b, c, d, r: Fraction(a, a + c) - r * Fraction(b, b + d),
    "closest": lambda a, b, c, d, r: -(Fraction(c, a + c) ** 2 + r * Fraction(b, b + d) ** 2),
    "sensitivity": lambda a, b, c, d, r: (Fraction(a, a + c), Fraction(d, b + d)),
    "specificity": lambda a, b, c, d, r: (Fraction(d, b + d), Fraction(a, a + c)),
    "accuracy": lambda a, b, c, d, r: Fraction(a + d, a + b + c + d),
    "balanced_accuracy": lambda a, b, c, d, r: Fraction(a, a + c) + Fraction(d, b + d),
    "ppv": lambda a, b, c, d, r: over(a, a + b),
    "npv": lambda a, b, c, d, r: over(d, c + d),
    "lr_pos": lambda a, b, c, d, r: over(a, b),
    "lr_neg": lambda a, b, c, d, r: None if d == 0 else -Fraction(c, d),
    "dor": lambda a, b, c, d, r: odds_ratio(a, b, c, d),
    "f1": lambda a, b, c, d, r: Fraction(2 * a, 2 * a + b + c),
    "mcc": lambda a, b, c, d, r: signed_square(a, b, c, d),
    "product": lambda a, b, c, d, r: Fraction(a, a + c) * Fraction(d, b + d),
    "equality": lambda a, b, c, d, r: -abs(Fraction(a, a + c) - Fraction(d, b + d)),
    "minimum": lambda a, b, c, d, r: min(Fraction(a, a + c), Fraction(d, b + d)),
    "kappa": lambda a, b, c, d, r: kappa(a, b, c, d),
    "chi_square": lambda a, b, c, d, r: chi_square(a, b, c, d),
    "predictive_sum": of_predictive_values(lambda ppv, npv: ppv + npv),
    "predictive_product": of_predictive_values(lambda ppv, npv: ppv * npv),
    "predictive_equality": of_predictive_values(lambda ppv, npv: -abs(ppv - npv)),
    "predictive_minimum": of_predictive_values(min),
    "predictive_closest": of_predictive_values(lambda p, n: -((1 - p) ** 2) - (1 - n) ** 2),
}
SMALLEST = {"closest", "equality", "predictive_equality", "predictive_closest"}
NAMED_AS_MERIT = {
    *("youden", "closest", "accuracy", "dor", "f1", "product", "equality", "minimum", "kappa"),
    *("chi_square", "predictive_sum", "predictive_product", "predictive_equality"),
    *("predictive_minimum", "predictive_closest"),
}  # whose value is shown as it stands here


@pytest.mark.parametrize("sample", FROZEN["samples"])
@pytest.mark.parametrize("name", [name for name in FROZEN["theirs"] if name in CRITERIA])
def test_cutpoints_are_those_of_cutpointr_and_optimal_cutpoints(sample: str, name: str) -> None:
    data = FROZEN["samples"][sample]
    found = rs.optimal_cutpoint(data["y"], data["x"], criterion=name, resampling=FEW)
    records = [r for r in FROZEN["records"] if (r["sample"], r["criterion"]) == (sample, name)]
    assert records
    for record in records:
        assert found.threshold.tolist() == record["cutpoint"], record["package"]
        expected = record["value"]
        if record["package"] == "cutpointr" and name == "chi_square":  # which has the p-value
            expected = stats.chi2.isf(expected, 1)
        assert found.criterion_value[0] == pytest.approx(expected, rel=1e-9)


def test_the_largest_odds_ratio_is_one_cutpoint_although_many_have_an_infinite_one():
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [40, 60])
    s = rng.normal(size=100) + 2.0 * y
    found = rs.optimal_cutpoint(y, s, criterion="dor", resampling=FEW)
    assert np.isinf(found.everywhere.dor).sum() > 10
    assert found.threshold.size == 1
    assert math.isfinite(found.criterion_value[0])
    assert "an empty cell counting one half" in str(found)


def brute_force(
    y: np.ndarray, s: np.ndarray, up: bool, name: str, r: Fraction, floor: tuple[Fraction, Fraction]
) -> list[float]:
    """Every threshold that is best, from the definition."""
    sick = y == 1
    merits = {}
    candidates = [math.inf if up else -math.inf, *sorted(set(s.tolist()), reverse=up)]
    for t in candidates:
        called = s >= t if up else s <= t
        cells = [called & sick, called & ~sick, ~called & sick, ~called & ~sick]
        a, b, c, d = (int(cell.sum()) for cell in cells)
        if Fraction(a, a + c) >= floor[0] and Fraction(d, b + d) >= floor[1]:
            merit = MERIT[name](a, b, c, d, r)
            if merit is not None:
                merits[t] = merit
    best = max(merits.values(), default=None)
    return [t for t, merit in merits.items() if merit == best]


samples = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=14
).filter(lambda rows: {label for label, _ in rows} == {0, 1})
weights = st.tuples(st.integers(1, 60).map(lambda k: k / 10), st.integers(1, 99)).map(
    lambda pair: (pair[0], pair[1] / 100)
)


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.filterwarnings(NO_SUCH)
@given(rows=samples, weight=weights, up=st.booleans())
def test_all_optima_and_no_other(name, rows, weight, up):
    y, s = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    options: dict[str, Any] = {}
    r = Fraction(1)
    if CRITERIA[name].weighted:
        cost, share = weight
        options = {"cost": cost, "prevalence": share}
        r = (1 - Fraction(str(share))) / (Fraction(str(cost)) * Fraction(str(share)))
    options |= {"criterion": name, "higher_is_positive": up, "resampling": FEW}
    expected = brute_force(y, s, up, name, r, (Fraction(0), Fraction(0)))
    if not expected:
        with pytest.raises(InvalidSampleError, match=f"No threshold of score has a defined {name}"):
            rs.optimal_cutpoint(y, s, **options)
        return
    found = rs.optimal_cutpoint(y, s, **options)
    assert found.threshold.tolist() == expected
    assert found.kind == "exploratory"
    if name in NAMED_AS_MERIT:
        cells = [int(getattr(found.points, cell)[0]) for cell in ("tp", "fp", "fn", "tn")]
        merit = float(MERIT[name](*cells, r)) * (-1.0 if name in SMALLEST else 1.0)
        assert found.criterion_value[0] == pytest.approx(merit, rel=ROUNDING, abs=ROUNDING)


@given(rows=samples, least=st.tuples(st.integers(0, 10), st.integers(0, 10)), up=st.booleans())
@pytest.mark.parametrize("name", ["youden", "sensitivity", "specificity", "f1"])
@pytest.mark.filterwarnings(NO_SUCH)
def test_minimal_rates(name, rows, least, up):
    y, s = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    options: dict[str, Any] = {
        "criterion": name,
        "min_sensitivity": least[0] / 10,
        "min_specificity": least[1] / 10,
        "higher_is_positive": up,
        "resampling": FEW,
    }
    floor = Fraction(least[0], 10), Fraction(least[1], 10)
    expected = brute_force(y, s, up, name, Fraction(1), floor)
    if not expected:
        with pytest.raises(InvalidSampleError, match="No threshold of score has sensitivity of at"):
            rs.optimal_cutpoint(y, s, **options)
        return
    assert rs.optimal_cutpoint(y, s, **options).threshold.tolist() == expected


def test_a_tie_that_rounding_hides():
    """(se, sp) of (.9, .4) and (.7, .6) have J = .3; pROC returns the first alone (PROC.md 9.7)."""
    pos = [3] * 7 + [2] * 2 + [1]
    neg = [3] * 4 + [2] * 2 + [1] * 4
    y, s = np.repeat([1, 0], 10), np.array([*pos, *neg])
    found = rs.optimal_cutpoint(y, s, resampling=FEW)
    assert found.threshold.tolist() == [3.0, 2.0]
    assert (0.9 + 0.4) != (0.7 + 0.6)
    assert "2 optima are equally good" in repr(found)


@pytest.mark.parametrize("weight", ["1", "0.3333333333333333", "0.9999999999999999", "1.5"])
@pytest.mark.parametrize("name", ["youden", "closest", "f1", "mcc"])
def test_ties_among_billions_of_subjects(name, weight):
    """Products of counts beyond what doubles, or 64 bits, can tell apart."""
    m, n = 3 * 10**9, 7 * 10**9
    # J is the same at the first three, less by 1 / n at the next, and 0 at both ends.
    tp = np.array([0, 6 * 10**8, 6 * 10**8 + 3, 9 * 10**8, 9 * 10**8, m])
    fp = np.array([0, 0, 7, 7 * 10**8, 7 * 10**8 + 1, n])
    r = Fraction(weight) if CRITERIA[name].weighted else Fraction(1)
    merits = [
        MERIT[name](a, b, m - a, n - b, r) for a, b in zip(tp.tolist(), fp.tolist(), strict=True)
    ]
    known = [merit for merit in merits if merit is not None]
    expected = [i for i, merit in enumerate(merits) if merit == max(known)]
    assert best_vertices(CRITERIA[name], tp, fp, r, Floor()).tolist() == expected
    if (name, r) == ("youden", 1):
        assert expected == [1, 2, 3]


@pytest.mark.parametrize("up", [True, False])
def test_thresholds_within_reach_of_an_optimum_have_its_table(named_sample, up):
    y, s = named_sample
    found = rs.optimal_cutpoint(y, s, higher_is_positive=up, resampling=FEW)
    for i, (next_score, threshold) in enumerate(
        zip(found.next_score, found.threshold, strict=True)
    ):
        beyond = np.nextafter(next_score, threshold)
        tried = [beyond, found.midpoint[i], threshold]
        points = rs.operating_points(y, s, thresholds=tried, higher_is_positive=up)
        assert set(points.tp.tolist()) == {found.points.tp[i]}
        assert set(points.fp.tolist()) == {found.points.fp[i]}
        if math.isfinite(next_score):
            (at,) = rs.operating_points(y, s, thresholds=next_score, higher_is_positive=up).tp
            (false,) = rs.operating_points(y, s, thresholds=next_score, higher_is_positive=up).fp
            assert at + false > found.points.tp[i] + found.points.fp[i]


def test_half_way_stays_apart_from_the_next_score():
    up = np.nextafter(0.5, 1.0)
    assert midpoints(np.array([up]), np.array([0.5])).tolist() == [up]
    assert midpoints(np.array([0.5]), np.array([up])).tolist() == [0.5]
    big = np.finfo(float).max
    assert midpoints(np.array([big]), np.array([big / 2])).tolist() == [0.75 * big]
    assert midpoints(np.array([math.inf]), np.array([3.0])).tolist() == [math.inf]
    assert midpoints(np.array([3.0]), np.array([-math.inf])).tolist() == [-math.inf]
    assert midpoints(np.array([math.inf]), np.array([-math.inf])).tolist() == [0.0]


# -------------------------------------------------------------------------------------- resamples


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("digits", [0, 9])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"criterion": "closest", "cost": 2, "prevalence": 0.2},
        {"criterion": "specificity", "min_sensitivity": 0.8},
        {"criterion": "mcc"},
    ],
    ids=str,
)
def test_each_resample_is_analysed_as_a_sample(options, digits, up):
    from rocstats.resampling.urn import make_urn

    rng = np.random.default_rng(2)
    y = rng.permutation(np.repeat([1, 0], [15, 20]))
    s = (rng.normal(size=35) + y).round(digits)
    sample = rs.ScoredSample.from_arrays(y, s, higher_is_positive=up)
    resampling = rs.Bootstrap(n_resamples=20, rng=7)
    found = rs.optimal_cutpoint(sample, resampling=resampling, **options)
    urn = make_urn(sample, [0])
    drawn = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(0,)))
    pos, neg = urn.draw(drawn, 20)  # one batch: the vertices of all fit
    for i, line in enumerate(found.replicates):
        who = np.concatenate([np.repeat(urn.pos, pos[i]), np.repeat(urn.neg, neg[i])])
        own = rs.optimal_cutpoint(y[who], s[who], higher_is_positive=up, resampling=FEW, **options)
        cut = own.midpoint[0]  # the first: the most specific
        there = rs.operating_points(sample, thresholds=cut)
        expected = [
            cut,
            own.points.sensitivity[0],
            own.points.specificity[0],
            there.sensitivity[0],
            there.specificity[0],
        ]
        assert line.tolist() == pytest.approx(expected, abs=ROUNDING)
    excess = (found.replicates[:, 1:3] - found.replicates[:, 3:]).mean(axis=0)
    assert found.optimism == pytest.approx(tuple(excess))
    for rate, too_good in zip(("sensitivity", "specificity"), excess, strict=True):
        corrected = np.clip(found.points.values(rate) - too_good, 0.0, 1.0)
        np.testing.assert_allclose(getattr(found, f"corrected_{rate}"), corrected)
        low, high = found.corrected_limits(rate)
        assert (low <= corrected).all()
        assert (corrected <= high).all()


def test_the_same_seed_gives_the_same_answer_on_any_number_of_workers():
    y, s = SAMPLES["imbalanced"]
    one, two, other = (
        rs.optimal_cutpoint(y, s, resampling=rs.Bootstrap(n_resamples=200, rng=seed, n_jobs=jobs))
        for seed, jobs in ((3, 1), (3, 2), (4, 1))
    )
    np.testing.assert_array_equal(one.replicates, two.replicates)
    assert not np.array_equal(one.replicates, other.replicates)
    np.testing.assert_array_equal(one.smoothed, two.smoothed)
    assert not np.array_equal(one.smoothed, other.smoothed)
    limits = one.confidence_interval(confidence_level=0.9, method="percentile")
    assert (limits.low, limits.high) == tuple(np.quantile(one.replicates[:, 0], (0.05, 0.95)))


def test_whole_clusters_are_drawn():
    rng = np.random.default_rng(8)
    cluster = np.repeat(np.arange(30), 3)
    y = rng.integers(0, 2, size=90)
    s = rng.normal(size=90) + y + np.repeat(rng.normal(size=30), 3)
    sample = rs.ScoredSample.from_arrays(y, s, cluster=cluster)
    found = rs.optimal_cutpoint(sample, resampling=rs.Bootstrap(n_resamples=50, rng=1))
    # Class sizes vary, so rates are not multiples of one over the sample's.
    assert not np.allclose(found.replicates[:, 1] * y.sum() % 1.0, 0.0)
    (low,), (high,) = found.corrected_limits("sensitivity")
    assert low < found.corrected_sensitivity[0] < high


def test_resamples_without_such_a_cutpoint_are_left_out_and_counted():
    y, s = SAMPLES["tiny"]
    with pytest.warns(DegenerateVarianceWarning, match="of 200 resamples have no such cutpoint"):
        found = rs.optimal_cutpoint(
            y,
            s,
            min_sensitivity=0.5,
            min_specificity=0.9,
            resampling=rs.Bootstrap(n_resamples=200, rng=1),
        )
    assert 0 < np.isnan(found.replicates[:, 0]).sum() < 200
    assert math.isfinite(found.optimism[0])


# ------------------------------------------------------------------------------- labels and results


def test_a_prespecified_cutpoint_is_judged_and_not_chosen():
    y, s = SAMPLES["tied"]
    found = rs.optimal_cutpoint(y, s, threshold=0.4)
    assert (found.kind, found.criterion) == ("prespecified", "as given")
    assert found.points.tp.tolist() == [3]
    assert found.next_score.tolist() == [0.25]
    assert found.midpoint.tolist() == [0.4]
    assert found.optimism == (0.0, 0.0)
    assert found.replicates.shape == (0, 5)
    np.testing.assert_array_equal(found.corrected_sensitivity, found.points.sensitivity)
    assert math.isnan(found.confidence_interval().low)
    assert repr(found).startswith("Prespecified cutpoint of score (as given): 4 positives")
    assert "optimism" not in repr(found)
    several = rs.optimal_cutpoint(y, s, threshold=[0.4, 0.6])
    assert several.points.tp.tolist() == [3, 1]
    assert "equally good" not in repr(several)
    with pytest.raises(InvalidOptionError, match="threshold is empty"):
        rs.optimal_cutpoint(y, s, threshold=[])


@pytest.mark.parametrize("option", [{"prevalence": 1e-320}, {"cost": 5e-324}])
def test_a_weight_beyond_all_doubles_is_refused(option):
    with pytest.raises(InvalidOptionError, match="too small to weigh"):
        rs.optimal_cutpoint(*SAMPLES["tied"], resampling=FEW, **option)


def test_a_chosen_cutpoint_says_so_everywhere():
    found = rs.optimal_cutpoint(*SAMPLES["tied"], resampling=FEW)
    assert repr(found).startswith("Exploratory cutpoint of score (largest Youden's J)")
    assert "optimism: sensitivity" in repr(found)
    answer = found.to_dict()
    json.dumps(answer)
    assert answer["kind"] == "exploratory"
    assert set(answer["optimism"]) == {"sensitivity", "specificity"}
    frame = found.to_frame()
    assert (frame["kind"] == "exploratory").all()
    assert len(frame) == found.threshold.size
    assert {"midpoint", "cutpoint_conf_low", "corrected_sensitivity_conf_low"} <= {*frame.columns}
    assert "<table>" in found._repr_html_()
    weighted = rs.optimal_cutpoint(
        *SAMPLES["tied"], cost=2, prevalence=0.2, min_sensitivity=0.5, resampling=FEW
    )
    assert weighted.criterion == "largest se - r (1 - sp), r = 2, with sensitivity of at least 0.5"


@pytest.mark.parametrize("name", ["closest", *(n for n in DIAGNOSTICS if n != "dor")])
def test_the_value_of_the_criterion_is_the_one_that_a_reader_knows(name):
    found = rs.optimal_cutpoint(*SAMPLES["imbalanced"], criterion=name, resampling=FEW)
    se, sp = found.points.sensitivity, found.points.specificity
    known = (1 - se) ** 2 + (1 - sp) ** 2 if name == "closest" else found.points.values(name)
    np.testing.assert_allclose(found.criterion_value, known, rtol=ROUNDING)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criterion": "best"}, "criterion must be one of 'youden', 'closest'"),
        ({"criterion": "f1", "cost": 2}, "cost and prevalence have no part in the criterion 'f1'"),
        ({"cost": 0}, "cost must be a positive number, got 0"),
        ({"cost": math.inf}, "cost must be a positive number"),
        ({"cost": "dear"}, "cost must be a positive number"),
        ({"prevalence": 1}, "prevalence must lie strictly between 0 and 1"),
        ({"min_sensitivity": 90}, r"min_sensitivity must lie within \[0, 1\]"),
        ({"threshold": 0.5, "criterion": "f1"}, "A prespecified threshold is not chosen"),
        ({"threshold": 0.5, "min_specificity": 0.1}, "A prespecified threshold is not chosen"),
        ({"threshold": "mid"}, "threshold must be a number"),
        ({"resampling": 2000}, "resampling must be a Bootstrap"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, message):
    with pytest.raises(InvalidOptionError, match=message):
        rs.optimal_cutpoint(*SAMPLES["tied"], **options)


def test_drawing():
    found = rs.optimal_cutpoint(*SAMPLES["tied"], resampling=rs.Bootstrap(rng=1, n_resamples=50))
    ax = found.plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["Sensitivity", "Specificity", "Exploratory cutpoint"]
    upright = [line.get_xdata()[0] for line in ax.lines[2:]]
    assert upright == found.midpoint.tolist()
    ax.figure.draw_without_rendering()
    ax = rs.optimal_cutpoint(*SAMPLES["tied"], threshold=0.6).plot()
    assert ax.lines[-1].get_xdata()[0] == 0.6
    ax.figure.draw_without_rendering()


# ------------------------------------------------------------------------------------------ pROC


def test_best_coordinates_of_proc():
    """Where its rounded ties and our exact ones agree: untied optima of random samples."""
    if shutil.which("Rscript") is None:
        pytest.skip("needs Rscript, which is not on the path")
    if subprocess.run(["Rscript", "-e", "library(pROC)"], capture_output=True).returncode:
        pytest.skip("needs R's pROC, which is not installed")
    rng = np.random.default_rng(21)
    calls, expected = [], []
    for i in range(12):
        y = np.repeat([1, 0], [23, 31])
        s = (rng.normal(size=54) + y).round(1)
        cost, share = (1.0, 0.5) if i < 4 else (float(rng.integers(1, 9)), 0.05 * (1 + i))
        share = round(share, 2)
        for criterion, method in (("youden", "youden"), ("closest", "closest.topleft")):
            found = rs.optimal_cutpoint(
                y, s, criterion=criterion, cost=cost, prevalence=share, resampling=FEW
            )
            if found.threshold.size > 1:
                continue
            row = [found.midpoint[0], found.points.sensitivity[0], found.points.specificity[0]]
            expected.append(row)
            y_r, s_r = (f"c({', '.join(map(str, column.tolist()))})" for column in (y, s))
            calls.append(
                f"r <- roc({y_r}, {s_r}, levels = c(0, 1), direction = '<', quiet = TRUE);"
                f"x <- coords(r, 'best', best.method = '{method}', best.weights = c({cost}, "
                f"{share}), ret = c('threshold', 'sensitivity', 'specificity'), "
                "transpose = FALSE);"
                "cat(sprintf('%.17g', unlist(x[1, ])), '\\n')"
            )
    code = "suppressMessages(library(pROC));" + ";".join(calls)
    run = subprocess.run(["Rscript", "-"], input=code, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    rows = np.array([[float(x) for x in line.split()] for line in run.stdout.splitlines()])
    assert len(rows) >= 16
    np.testing.assert_allclose(np.array(expected), rows, rtol=ROUNDING, atol=ROUNDING)


# --------------------------------------------------------------------------------------- optimism

REPLICATES = 150
MC_ERRORS = 4.0


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["youden", "closest"])
def test_small_samples_are_too_good_and_the_correction_removes_most_of_it(criterion):
    """Leeflang et al. (2008), doi:10.1373/clinchem.2007.096032: 20 with and 20 without disease."""
    found = load_study("thresholds").judge_choice(criterion, 20, 20, 1.0, REPLICATES)
    bias, left = found.apparent - found.truth, found.corrected - found.truth
    assert bias > 0.05 + MC_ERRORS * found.error  # in truth about .1
    assert abs(left) < 0.5 * bias
    # The limits of the corrected rates hold the rates that the cutpoint truly has.
    slack = MC_ERRORS * math.sqrt(0.94 * 0.06 / (2 * REPLICATES))
    assert found.coverage >= 0.94 - slack


def test_14_07_the_interval_of_a_cutpoint_is_of_its_midpoint():
    """Line 7 of issue 14: a score that is called positive may lie outside, and is not meant."""
    outside = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = np.arange(60) % 3 == 0
        s = 60.0 - 15.0 * y + 12.0 * rng.normal(size=60)
        found = rs.optimal_cutpoint(
            y, s, higher_is_positive=False, resampling=rs.Bootstrap(n_resamples=200, rng=1)
        )
        limits = found.confidence_interval()
        assert limits.low <= found.midpoint[0] <= limits.high
        limits = found.confidence_interval(method="percentile")
        assert limits.low <= found.midpoint[0] <= limits.high
        outside += not limits.low <= found.threshold[0] <= limits.high
        said = f"95% interval of the midpoint {found.midpoint[0]:.6g}"
        assert said in repr(found)
    assert outside > 0


BINARY = np.repeat([1, 1, 0, 0], [21, 9, 15, 55]), np.repeat([1.0, 0.0, 1.0, 0.0], [21, 9, 15, 55])


def test_14_08_a_cutpoint_that_every_resample_chooses_has_no_optimism():
    """Line 8 of issue 14: of a test with two results a corrected rate was noise."""
    found = rs.optimal_cutpoint(*BINARY, resampling=rs.Bootstrap(n_resamples=300, rng=1))
    excess = (found.replicates[:, 1:3] - found.replicates[:, 3:5]).mean(axis=0)
    assert (excess != 0.0).all()  # noise, which was taken for optimism
    assert found.is_steady
    assert found.optimism == (0.0, 0.0)
    np.testing.assert_array_equal(found.corrected_sensitivity, found.points.sensitivity)
    assert "nothing to correct" in repr(found)
    weak = np.repeat([1, 1, 0, 0], [5, 5, 9, 11]), np.repeat([1.0, 0.0, 1.0, 0.0], [5, 5, 9, 11])
    unsure = rs.optimal_cutpoint(*weak, resampling=rs.Bootstrap(n_resamples=300, rng=1))
    assert not unsure.is_steady  # another resample would call no one, or all, positive
    assert max(unsure.optimism) > 0.0
    assert not rs.optimal_cutpoint(*BINARY, threshold=1.0).is_steady


def test_14_08_a_corrected_rate_above_the_apparent_one_is_called_noise():
    found = rs.optimal_cutpoint(*BINARY, resampling=rs.Bootstrap(n_resamples=50, rng=1))
    up, down = found.replicates.copy(), found.replicates.copy()
    up[:9, 3:5], down[:9, 3:5] = 0.99, 0.1
    better, worse = (replace(found, replicates=rows) for rows in (up, down))
    assert min(better.optimism) < 0.0 < min(worse.optimism)
    assert "is noise of the resampling" in repr(better)
    assert "is noise of the resampling" not in repr(worse)


def test_14_07_an_interval_of_whole_subjects_holds_the_cutpoint_too():
    """Where nothing can be smoothed, two cutpoints had an interval that held one of them."""
    flat = rs.optimal_cutpoint([0, 1] * 10, [3.0] * 20, resampling=rs.Bootstrap(50))
    assert flat.midpoint.tolist() == [math.inf, -math.inf]
    assert (*flat.confidence_interval(),) == (-math.inf, math.inf)


def test_14_07_where_low_scores_are_positive_every_printout_says_so():
    y, score = np.arange(20) % 2, -np.arange(20.0)
    low = {"higher_is_positive": False}
    few = {"resampling": rs.Bootstrap(20)}
    for found in (
        rs.optimal_cutpoint(y, score, **low, **few),
        rs.sensitivity_at(y, score, 0.9, **low, **few),
        rs.operating_points(y, score, [-3.0, -5.0], **low),
    ):
        assert "positive if score <= threshold" in repr(found)
    assert "<=" not in repr(rs.optimal_cutpoint(y, -score, **few))
