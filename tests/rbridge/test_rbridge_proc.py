"""Every wrapper of pROC gives R's own numbers, whatever the orientation, or one clear sentence.

The table is that of pROC's own test suite on its aSAH data (recomputed with pROC 1.18.0), which are
read from R and are not part of this repository. Bootstrap answers are compared with R code written
by hand with the same seed.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocstats as rs

SAME = 1e-12  # one machine's arithmetic against another's, of numbers given with 15 digits
SEARCHED = 1e-5  # R's uniroot, whose steps depend on rounding
DENSITY = 1e-3  # R 4.4 mended density()
FEW = rs.rbridge.Resampling(n_resamples=60, seed=7)


@pytest.fixture(scope="module")
def sample(asah: dict[str, Any]) -> rs.ScoredSample:
    markers = {"s100b": asah["s100b"], "ndka": asah["ndka"], "wfns": [*map(float, asah["wfns"])]}
    return rs.ScoredSample.from_arrays(asah["outcome"], markers, pos_label="Poor")


def low(sample: rs.ScoredSample, *markers: str) -> rs.ScoredSample:
    """The same sample with some markers turned round: low is positive."""
    scores = {
        m: -s if m in markers else s for m, s in zip(sample.markers, sample.scores, strict=True)
    }
    labels = np.where(sample.positive, "Poor", "Good")
    up = {m: m not in markers for m in sample.markers}
    return rs.ScoredSample.from_arrays(labels, scores, pos_label="Poor", higher_is_positive=up)


# --- pROC's numbers -----------------------------------------------------------------------------

Call = Callable[[rs.ScoredSample], Any]


def of(function: str, what: str = "", **options: Any) -> Call:
    """What a wrapper answers of the sample, or one attribute of the answer."""

    def call(sample: rs.ScoredSample) -> Any:
        answer = getattr(rs.rbridge, function)(sample, **options)
        return getattr(answer, what) if what else answer

    return call


def contrast(first: str, second: str, what: str, **options: Any) -> Call:
    return of("roc_test", what, markers=(first, second), **options)


def unpaired(first: str, second: str, what: str, **options: Any) -> Call:
    """The markers taken as if they came from two groups of other subjects."""
    return lambda s: of("roc_test", what, markers=(first, second), other=s, **options)(s)


def limit(first: str, second: str, end: str) -> Call:
    test = of("roc_test", markers=(first, second))
    return lambda s: getattr(test(s).confidence_interval(), end)


def planned(what: str, **options: Any) -> Call:
    return lambda _: of("power_roc_test", what, **options)(None)


def pilot(what: str, *markers: str, **options: Any) -> Call:
    names = {"markers": markers} if len(markers) == 2 else {"marker": markers[0]}
    return of("power_roc_test", what, **names, **options)


def point(value: Any, given: str, wanted: str) -> Call:
    table = of("coords", marker="s100b", at=value, input=given, quantities=[wanted])
    return lambda s: table(s).rows[0][wanted]


BINORMAL = {"A1": 2.6, "B1": 1, "A2": 1.9, "B2": 1, "rn": 0.6, "ra": 0.6, "delta": 0.037}
BINORMAL |= {"FPR11": 0, "FPR12": 0.2, "FPR21": 0, "FPR22": 0.2}
SIZES: dict[str, Any] = {"n_pos": 41, "n_neg": 72}
PILOT: dict[str, Any] = {"n_pos": 107, "n_neg": 107, "binormal": BINORMAL}
FIND: dict[str, Any] = {"significance": None}
OBUCHOWSKI: dict[str, Any] = {"method": "obuchowski"}
WFNS, NDKA, S100B = ({"marker": marker} for marker in ("wfns", "ndka", "s100b"))
SP1, SP9, SP5 = {"fpr": (0, 0.1)}, {"fpr": (0.1, 0.2)}, {"fpr": (0.5, 1)}
SE1, SE9, SE5 = {"tpr": (0.9, 1)}, {"tpr": (0.8, 0.9)}, {"tpr": (0, 0.5)}
STD: dict[str, Any] = {"standardized": True}

# Row of pROC's own tests: call and number, and a tolerance where R searches, fits, or loses digits
# in a small difference. Rows that need a direction guessed by R are not for us.
TABLE: dict[str, tuple[Any, ...]] = {
    "1 AUC": (of("auc", **WFNS), 0.823678861788618),
    "2 AUC": (of("auc", **NDKA), 0.611957994579946),
    "3 AUC": (of("auc", **S100B), 0.731368563685637),
    "4 pAUC": (of("auc", **WFNS, **SP1), 0.0334417344173442),
    "5 pAUC": (of("auc", **WFNS, **SP9), 0.0598373983739837),
    "6 pAUC": (of("auc", **WFNS, **SP5), 0.488134475939354),
    "7 pAUC": (of("auc", **NDKA, **SP1), 0.0107046070460705),
    "8 pAUC": (of("auc", **NDKA, **SP9), 0.0277777777777778),
    "9 pAUC": (of("auc", **NDKA, **SP5), 0.416836043360434),
    "10 pAUC": (of("auc", **WFNS, **SE1), 0.0400999322493225),
    "11 pAUC": (of("auc", **WFNS, **SE9), 0.0609953703703703),
    "12 pAUC": (of("auc", **WFNS, **SE5), 0.483358739837398),
    "13 pAUC": (of("auc", **NDKA, **SE1), 0.0037940379403794),
    "14 pAUC": (of("auc", **NDKA, **SE9), 0.0242547425474255),
    "15 pAUC": (of("auc", **NDKA, **SE5), 0.428523035230352),
    "16 pAUC": (of("auc", **WFNS, **SP1, **STD), 0.649693339038653),
    "17 pAUC": (of("auc", **WFNS, **SP9, **STD), 0.763749402199904),
    "18 pAUC": (of("auc", **WFNS, **SP5, **STD), 0.952537903757416),
    "19 pAUC": (of("auc", **NDKA, **SP1, **STD), 0.530024247610897),
    "20 pAUC": (of("auc", **NDKA, **SP9, **STD), 0.575163398692811),
    "21 pAUC": (of("auc", **NDKA, **SP5, **STD), 0.667344173441734),
    "22 pAUC": (of("auc", **WFNS, **SE1, **STD), 0.68473648552275),
    "23 pAUC": (of("auc", **WFNS, **SE9, **STD), 0.770561002178649),
    "25 pAUC": (of("auc", **NDKA, **SE9, **STD), 0.554439662043679),
    "26 var": (of("var", **WFNS), 0.00146991470882363),
    "27 var": (of("var", **NDKA), 0.0031908105493913),
    "28 var": (of("var", **S100B), 0.00266868245717244),
    "29 cov": (of("cov", markers=("wfns", "ndka")), -0.000532967856762438),
    "30 cov": (of("cov", markers=("ndka", "s100b")), -0.000756164938056579),
    "31 cov": (of("cov", markers=("s100b", "wfns")), 0.00119615567376754),
    "32 cov": (of("cov", markers=("wfns", "ndka"), **OBUCHOWSKI), -3.91722286563936e-06, 1e-8),
    "33 cov": (of("cov", markers=("ndka", "s100b"), **OBUCHOWSKI), 0.0007945308202536),
    "34 cov": (of("cov", markers=("s100b", "wfns"), **OBUCHOWSKI), 0.000856080295192227),
    "35 CI": (of("ci_auc", "low", **NDKA), 0.501244999271703),
    "36 CI": (of("ci_auc", "high", **NDKA), 0.722670989888189),
    "40 Z": (contrast("wfns", "s100b", "statistic"), 2.20898359144091),
    "41 p": (contrast("wfns", "s100b", "pvalue"), 0.0271757822291882),
    "42 low": (limit("wfns", "s100b", "low"), 0.0104061769564846),
    "43 high": (limit("wfns", "s100b", "high"), 0.174214419249478),
    "44 Z": (contrast("wfns", "ndka", "statistic"), 2.79777591868904),
    "45 p": (contrast("wfns", "ndka", "pvalue"), 0.00514557970691098),
    "46 low": (limit("wfns", "ndka", "low"), 0.0634011709339876),
    "47 high": (limit("wfns", "ndka", "high"), 0.360040563483357),
    "48 Z": (contrast("ndka", "s100b", "statistic"), -1.39077002573558),
    "49 p": (contrast("ndka", "s100b", "pvalue"), 0.164295175223054),
    "50 low": (limit("ndka", "s100b", "low"), -0.287691744634191),
    "51 high": (limit("ndka", "s100b", "high"), 0.0488706064228094),
    "52 p": (contrast("wfns", "s100b", "pvalue", alternative="greater"), 0.0135878911145941),
    "53 p": (contrast("wfns", "s100b", "pvalue", alternative="less"), 0.986412108885406),
    "54 D": (unpaired("wfns", "s100b", "statistic"), 1.43490640926908),
    "55 p": (unpaired("wfns", "s100b", "pvalue"), 0.152825378808796),
    "56 df": (unpaired("wfns", "s100b", "df"), 206.661063787782),
    "57 D": (unpaired("wfns", "ndka", "statistic"), 3.10125096778969),
    "58 p": (unpaired("wfns", "ndka", "pvalue"), 0.00220950791756457),
    "59 D": (unpaired("ndka", "s100b", "statistic"), -1.55995743389685),
    "60 p": (unpaired("ndka", "s100b", "pvalue"), 0.120192832430845),
    "61 p": (unpaired("wfns", "s100b", "pvalue", alternative="greater"), 0.076412689404398),
    "62 power": (pilot("power", "s100b"), 0.990483252763233),
    "63 power": (planned("power", auc=0.73, **SIZES), 0.989745343551401),
    "64 n_pos": (planned("n_pos", auc=0.731368563685637, power=0.95, ratio=1.7), 29.29764472096),
    "65 n_neg": (planned("n_neg", auc=0.731368563685637, power=0.95, ratio=1.7), 49.805996025632),
    "66": (planned("significance", auc=0.73, power=0.95, **SIZES, **FIND), 0.0092385836338984),
    "67 AUC": (planned("auc", power=0.95, **SIZES), 0.696105439221725, SEARCHED),
    "68 power": (pilot("power", "ndka", "wfns"), 0.713159398698534),
    "69 power": (pilot("power", "ndka", "wfns", **OBUCHOWSKI), 0.806100439660074),
    "70 n_pos": (pilot("n_pos", "ndka", "wfns", power=0.9), 64.7777667451142),
    "71 n_pos": (pilot("n_pos", "ndka", "wfns", power=0.9, **OBUCHOWSKI), 53.2368536058174),
    "72": (pilot("significance", "ndka", "wfns", power=0.9, **FIND), 0.1836639396171, SEARCHED),
    "73": (
        pilot("significance", "ndka", "wfns", power=0.9, **FIND, **OBUCHOWSKI),
        0.115068576776965,
        SEARCHED,
    ),
    "74 n_pos": (planned("n_pos", binormal=BINORMAL, power=0.8), 107.02375013467),
    "75": (planned("significance", power=0.8, **PILOT, **FIND), 0.0500401244913913, SEARCHED),
    "76 power": (planned("power", **PILOT), 0.799928598547307),
    "77 n_pos": (pilot("n_pos", "s100b", "ndka", power=0.9), 213.117676534004),
    "78 n_pos": (pilot("n_pos", "s100b", power=0.9), 23.5598673953161),
    "79 n_pos": (pilot("n_pos", "s100b", power=0.9, ratio=1), 29.56974223722),
    "85 smooth": (of("smooth", "auc", **NDKA), 0.600569923699544),
    "86 smooth": (of("smooth", "auc", **S100B), 0.740012862077311),
    "87 smooth": (of("smooth", "auc", **S100B, method="density"), 0.724355068395993, DENSITY),
    "88 smooth": (of("smooth", "auc", **S100B, method="fitdistr"), 0.831051375175754, 1e-8),
    "89 smooth": (
        of("smooth", "auc", **NDKA, method="fitdistr", n_points=10),
        0.814600645965216,
        1e-8,
    ),
    "90 tp": (point(0.205, "threshold", "tp"), 26.0),
    "91 fp": (point(0.205, "threshold", "fp"), 14.0),
    "92 tn": (point(0.205, "threshold", "tn"), 58.0),
    "93 fn": (point(0.205, "threshold", "fn"), 15.0),
    "94 best": (point("best", "threshold", "threshold"), 0.205),
    "95 sp": (point(0.5, "sensitivity", "specificity"), 0.833333333333333),
    "96 sp": (point(0.7, "sensitivity", "specificity"), 0.56875),
    "97 sp": (point(0.9, "sensitivity", "specificity"), 0.230555555555556),
    "98 se": (point(0.1, "specificity", "sensitivity"), 0.975609756097561),
    "99 se": (point(0.5, "specificity", "sensitivity"), 0.774390243902439),
    "100 se": (point(0.9, "specificity", "sensitivity"), 0.390243902439024),
    "101 se": (point(1, "specificity", "sensitivity"), 0.292682926829268),
}


@pytest.mark.parametrize("row", TABLE)
def test_table_of_proc(sample: rs.ScoredSample, row: str) -> None:
    call, wanted, *tolerance = TABLE[row]
    found = call(sample)
    assert type(found) is float
    assert found == pytest.approx(wanted, rel=tolerance[0] if tolerance else SAME)


def test_females(r: Any, asah: dict[str, Any]) -> None:
    """Rows 37 to 39."""
    rows = [i for i, gender in enumerate(asah["gender"]) if gender == "Female"]
    labels = [asah["outcome"][i] for i in rows]
    ndka = [asah["ndka"][i] for i in rows]
    females = rs.ScoredSample.from_arrays(labels, {"ndka": ndka}, pos_label="Poor")
    limits = r.ci_auc(females)
    found = (limits.low, r.auc(females), limits.high)
    assert found == pytest.approx((0.526139828092854, 0.667142857142857, 0.80814588619286))
    assert limits.method == "pROC delong"


def test_multiclass(r: Any, asah: dict[str, Any]) -> None:
    """Rows 81 and 82; and Hand & Till's mean by its definition."""
    options = {"labels": ("1", "3", "4", "5")}
    up = r.multiclass_roc(asah["gos6"], asah["s100b"], **options)
    down = r.multiclass_roc(asah["gos6"], asah["s100b"], higher_is_positive=False, **options)
    assert up.value == pytest.approx(0.348747317497317, rel=SAME)
    assert down.value == pytest.approx(0.651252682502683, rel=SAME)
    pairs = up.to_frame()
    assert pairs["estimate"].mean() == pytest.approx(up.value, rel=SAME)
    of_pair = pairs[(pairs["first"] == "1") & (pairs["second"] == "5")]["estimate"].item()
    kept = [(g, s) for g, s in zip(asah["gos6"], asah["s100b"], strict=True) if g in "15"]
    labels, scores = zip(*kept, strict=True)
    assert of_pair == pytest.approx(rs.auc(labels, scores, pos_label="5").value, rel=SAME)
    part = r.multiclass_roc(asah["gos6"], asah["s100b"], fpr=(0, 0.1), **options)
    assert part.to_frame()["estimate"].mean() == pytest.approx(part.value, rel=SAME)
    assert "4 classes: 1, 3, 4, 5" in repr(up)
    json.dumps(part.to_dict(), allow_nan=False)

    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], [9, 7, 8])
    prob = rng.random((24, 3)) + np.eye(3)[y] / 2
    found = r.multiclass_roc(y, prob, labels=[0, 1, 2])
    assert found.method == "hand-till"
    areas = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        here = np.isin(y, (i, j))
        first = rs.auc(y[here] == i, prob[here, i], pos_label=True).value
        second = rs.auc(y[here] == j, prob[here, j], pos_label=True).value
        areas.append((first + second) / 2)
    assert [pair["estimate"] for pair in found.pairs] == pytest.approx(areas, rel=SAME)
    assert found.value == pytest.approx(np.mean(areas), rel=SAME)


def test_curves_and_areas_are_ours_too(r: Any, sample: rs.ScoredSample) -> None:
    for data in (sample, low(sample, "s100b", "wfns")):
        for marker in data.markers:
            ours, theirs = rs.roc_curve(data, marker=marker), r.roc(data, marker=marker)
            np.testing.assert_array_equal(theirs.fp, ours.fp)
            np.testing.assert_array_equal(theirs.tp, ours.tp)
            assert theirs.area() == pytest.approx(r.auc(data, marker=marker), rel=SAME)
            # Both call the same subjects positive at pROC's thresholds, which lie between scores.
            point = ours.at(threshold=theirs.threshold)
            np.testing.assert_array_equal(point.tpr, theirs.tpr)
            np.testing.assert_array_equal(point.fpr, theirs.fpr)
    found = rs.estimate(sample, measures=("auc",)).covariance
    for i, first in enumerate(sample.markers):
        assert r.var(sample, marker=first) == pytest.approx(found[i, i], rel=SAME)
        for j in range(i):
            pair = (first, sample.markers[j])
            assert r.cov(sample, markers=pair) == pytest.approx(found[i, j], rel=1e-10)


def test_smoothed_curve(r: Any, sample: rs.ScoredSample) -> None:
    """Rows 102 and 103: the best point of the binormal curve."""
    curve = r.smooth(sample, marker="s100b")
    best = (curve.tpr - curve.fpr).argmax()
    assert 1 - curve.fpr[best] == pytest.approx(0.750857175922901, rel=SAME)
    assert curve.tpr[best] == pytest.approx(0.608610567514677, rel=SAME)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert curve.fpr.size == 514
    assert (np.diff(curve.fpr) >= 0).all()
    assert curve.to_frame().shape == (514, 2)
    assert "binormal" in repr(curve)
    json.dumps(curve.to_dict(), allow_nan=False)


# --- Direction, levels, seeds: what an R user types by hand --------------------------------------

BY_HAND = """
one <- function(x) roc(aSAH$outcome, x, levels = c("Good", "Poor"), direction = "<", quiet = TRUE)
s100b <- one(aSAH$s100b); ndka <- one(aSAH$ndka); wfns <- one(as.numeric(aSAH$wfns))
"""
POINT = ["median", "conf_low", "conf_high"]


def cells(table: Any) -> list[float]:
    return [row[name] for row in table.rows for name in POINT]


BOOT: dict[str, Any] = {"method": "bootstrap", "resampling": FEW}
UNSTRATIFIED = rs.rbridge.Resampling(n_resamples=60, seed=7, stratified=False)


def few(function: str, **options: Any) -> Call:
    """Median and limits of every row of a table of intervals."""
    return lambda s: cells(of(function, resampling=FEW, marker="s100b", **options)(s))


# Call, and the same typed in R; the columns of R's intervals are low, median, high.
RANDOM: dict[str, tuple[Call, str]] = {
    "var": (of("var", **NDKA, **BOOT), "var(ndka, method = 'bootstrap', boot.n = 60)"),
    "var partial": (
        of("var", **WFNS, **BOOT, tpr=(0.8, 1)),
        "wfns$auc <- auc(wfns, partial.auc = c(1, .8), partial.auc.focus = 'sens');"
        " var(wfns, boot.n = 60)",
    ),
    "cov": (
        of("cov", markers=("ndka", "wfns"), **BOOT),
        "cov(ndka, wfns, method = 'bootstrap', boot.n = 60)",
    ),
    "ci_auc": (
        of("ci_auc", "low", **NDKA, **BOOT),
        "ci.auc(ndka, method = 'bootstrap', boot.n = 60)[[1]]",
    ),
    "ci_auc partial, not stratified": (
        of(
            *("ci_auc", "high"),
            **(NDKA | BOOT | STD | {"resampling": UNSTRATIFIED}),
            fpr=(0, 0.5),
            confidence_level=0.8,
        ),
        "ci.auc(ndka, method = 'bootstrap', boot.n = 60, boot.stratified = FALSE, conf.level = .8,"
        " reuse.auc = FALSE, partial.auc = c(1, .5), partial.auc.correct = TRUE)[[3]]",
    ),
    "ci_se": (
        few("ci_se", specificity=(0.5, 0.9)),
        "as.numeric(t(ci.se(s100b, specificities = c(.5, .9), boot.n = 60)[, c(2, 1, 3)]))",
    ),
    "ci_sp": (
        few("ci_sp", sensitivity=0.9),
        "as.numeric(ci.sp(s100b, sensitivities = .9, boot.n = 60))[c(2, 1, 3)]",
    ),
    "ci_thresholds": (
        few("ci_thresholds", thresholds="best"),
        "t <- ci.thresholds(s100b, thresholds = 'best', boot.n = 60);"
        " c(t$specificity[c(2, 1, 3)], t$sensitivity[c(2, 1, 3)])",
    ),
    "ci_coords": (
        few("ci_coords", at=0.2, quantities=("npv", "accuracy")),
        "t <- ci.coords(s100b, .2, ret = c('npv', 'accuracy'), boot.n = 60);"
        " c(t$npv[c(2, 1, 3)], t$accuracy[c(2, 1, 3)])",
    ),
    "ci_coords best": (
        few("ci_coords", best_policy="random", quantities=("threshold", "youden")),
        "t <- ci.coords(s100b, 'best', ret = c('threshold', 'youden'), best.policy = 'random',"
        " boot.n = 60); c(t$threshold[c(2, 1, 3)], t$youden[c(2, 1, 3)] - 1)",
    ),
    "test bootstrap": (
        contrast("ndka", "wfns", "pvalue", **BOOT),
        "roc.test(ndka, wfns, method = 'bootstrap', boot.n = 60)$p.value",
    ),
    "test partial": (
        contrast("ndka", "wfns", "statistic", **BOOT, fpr=(0, 0.2)),
        "roc.test(ndka, wfns, method = 'bootstrap', boot.n = 60, reuse.auc = FALSE,"
        " partial.auc = c(1, .8))$statistic[[1]]",
    ),
    "test unpaired": (
        unpaired("ndka", "wfns", "pvalue", **BOOT),
        "suppressWarnings(roc.test(ndka, wfns, method = 'bootstrap', boot.n = 60,"
        " paired = FALSE))$p.value",
    ),
    "test venkatraman": (
        contrast("ndka", "s100b", "pvalue", method="venkatraman", resampling=FEW),
        "roc.test(ndka, s100b, method = 'venkatraman', boot.n = 60)$p.value",
    ),
    "test venkatraman unpaired": (
        unpaired("ndka", "s100b", "statistic", method="venkatraman", resampling=FEW),
        "suppressWarnings(roc.test(ndka, s100b, method = 'venkatraman', boot.n = 60,"
        " paired = FALSE))$statistic[[1]]",
    ),
    "test sensitivity": (
        contrast("ndka", "wfns", "statistic", method="sensitivity", at=0.8, resampling=FEW),
        "t <- roc.test(ndka, wfns, method = 'sensitivity', sensitivity = .8, boot.n = 60);"
        " t$statistic[[1]]",
    ),
    "test specificity": (
        contrast("ndka", "wfns", "pvalue", method="specificity", at=0.8, resampling=FEW),
        "roc.test(ndka, wfns, method = 'specificity', specificity = .8, boot.n = 60)$p.value",
    ),
}


@pytest.mark.parametrize("name", RANDOM)
def test_random_answers_are_those_of_r_with_the_seed(
    r: Any, sample: rs.ScoredSample, name: str
) -> None:
    call, by_hand = RANDOM[name]
    wanted = r.evaluate(f"{BY_HAND}set.seed(7); {by_hand}")
    assert np.ravel(call(sample)) == pytest.approx(np.ravel(wanted), rel=SAME)


def test_another_seed_gives_other_numbers(r: Any, sample: rs.ScoredSample) -> None:
    numbers = {
        r.var(
            sample,
            marker="ndka",
            method="bootstrap",
            resampling=r.Resampling(n_resamples=20, seed=seed),
        )
        for seed in (1, 1, 2)
    }
    assert len(numbers) == 2


def test_orientation_never_changes_an_answer(r: Any, sample: rs.ScoredSample) -> None:
    turned, both = low(sample, "ndka"), low(sample, "ndka", "s100b")
    pair = ("ndka", "s100b")
    calls: list[Callable[[rs.ScoredSample], float]] = [
        lambda s: r.auc(s, marker="ndka"),
        lambda s: r.auc(s, marker="ndka", fpr=(0.2, 0.7)),
        lambda s: r.var(s, marker="ndka", method="obuchowski"),
        lambda s: r.cov(s, markers=pair),
        lambda s: r.cov(s, markers=pair, method="obuchowski"),
        lambda s: r.roc_test(s, markers=pair).pvalue,
        lambda s: r.roc_test(s, markers=pair, method="bootstrap", resampling=FEW).pvalue,
        lambda s: r.power_roc_test(s, markers=pair).power,
        lambda s: r.wilcox_test(s, marker="ndka", alternative="greater").pvalue,
        lambda s: r.smooth(s, marker="ndka").area(),
    ]
    for call in calls:
        wanted = call(sample)
        assert call(turned) == pytest.approx(wanted, rel=SAME)
        assert call(both) == pytest.approx(wanted, rel=SAME)
    # pROC itself compares ranks as they come, and with one marker turned round finds 2010.
    options: dict[str, Any] = {"markers": pair, "method": "venkatraman", "resampling": FEW}
    assert r.roc_test(turned, **options).statistic == r.roc_test(sample, **options).statistic
    assert r.roc_test(sample, **options).statistic == 692
    # Thresholds are in the scores' own units.
    best = r.coords(turned, marker="ndka", at="best")
    assert (
        best.rows[0]["threshold"]
        == -r.coords(sample, marker="ndka", at="best").rows[0]["threshold"]
    )


def test_result_of_a_test_holds_together(r: Any, sample: rs.ScoredSample) -> None:
    pair = ("wfns", "s100b")
    for method, options in {
        "delong": {},
        "bootstrap": {},
        "sensitivity": {"at": 0.8},
        "specificity": {"at": 0.8},
    }.items():
        for other in (None, sample):
            test = r.roc_test(sample, other, markers=pair, method=method, resampling=FEW, **options)
            assert test.estimate / test.statistic == pytest.approx(test.std_error, rel=1e-10)
            assert test.null_value == 0
            assert math.isinf(test.df) == (method != "delong" or other is None)
            assert ("not paired" in test.method) == (other is not None)
            json.dumps(test.to_dict())
    assert r.roc_test(sample, markers=pair).estimate == pytest.approx(
        0.823678861788618 - 0.731368563685637, rel=1e-10
    )
    there = r.coords(sample, marker="wfns", at=0.8, input="sensitivity").rows[0]["specificity"]
    here = r.coords(sample, marker="s100b", at=0.8, input="sensitivity").rows[0]["specificity"]
    found = r.roc_test(sample, markers=pair, method="sensitivity", at=0.8, resampling=FEW)
    assert found.estimate == pytest.approx(there - here, rel=SAME)
    curves = r.roc_test(sample, markers=("ndka", "s100b"), method="venkatraman", resampling=FEW)
    assert math.isnan(curves.estimate)
    assert math.isnan(curves.confidence_interval().low)


def test_independent_groups_of_any_size(r: Any, sample: rs.ScoredSample) -> None:
    keep = slice(0, 70)
    labels = np.where(sample.positive, "Poor", "Good")[keep]
    fewer = rs.ScoredSample.from_arrays(labels, {"s": sample.scores[0, keep]}, pos_label="Poor")
    test = r.roc_test(sample, fewer, markers=("wfns", "s"))
    ours = rs.compare_independent(rs.auc(sample, marker="wfns"), rs.auc(fewer), reference="proc")
    assert (test.statistic, test.df, test.pvalue) == pytest.approx(
        (ours.statistic, ours.df, ours.pvalue), rel=1e-10
    )
    assert test.contrast == "wfns (1) - s (2)"
    with pytest.raises(rs.InvalidSampleError, match="wrong for groups of unequal sizes"):
        r.roc_test(sample, fewer, markers=("wfns", "s"), method="venkatraman")


def test_wilcox(r: Any, sample: rs.ScoredSample) -> None:
    stats = pytest.importorskip("scipy.stats")
    positives, negatives = (sample.scores[0, here] for here in (sample.positive, ~sample.positive))
    for alternative in ("two-sided", "less", "greater"):
        found = r.wilcox_test(sample, marker="s100b", alternative=alternative)
        wanted = stats.mannwhitneyu(
            positives, negatives, alternative=alternative, method="asymptotic"
        )
        assert (found.statistic, found.pvalue) == pytest.approx(tuple(wanted), rel=1e-9)
    assert found.statistic == 2159.0
    assert found.estimate == pytest.approx(0.731368563685637, rel=SAME)
    distinct = rs.ScoredSample.from_arrays([1, 0, 1, 0, 1, 0], [6, 1, 5, 2, 3, 4])
    exact = r.wilcox_test(distinct, method="exact")
    assert exact.statistic == 8
    assert exact.pvalue == pytest.approx(0.2, rel=SAME)  # 2 of 20 orders reach 8, on either side
    with pytest.raises(rs.InvalidOptionError, match="tied"):
        r.wilcox_test(sample, marker="s100b", method="exact")


def test_coords(r: Any, sample: rs.ScoredSample) -> None:
    table = r.coords(
        sample,
        marker="s100b",
        quantities=("threshold", "tp", "fp", "youden", "closest_topleft", "ppv", "npv", "fpr"),
    )
    frame = table.to_frame()
    assert frame.shape == (51, 8)
    tp, fp = frame["tp"], frame["fp"]
    np.testing.assert_allclose(frame["youden"], tp / 41 - fp / 72, atol=1e-15)
    np.testing.assert_allclose(frame["closest_topleft"], (1 - tp / 41) ** 2 + (fp / 72) ** 2)
    np.testing.assert_allclose(frame["fpr"], fp / 72)
    best = r.coords(sample, marker="s100b", at="best", quantities=("youden", "accuracy"))
    assert best.column("youden")[0] == frame["youden"].max()
    assert best.column("accuracy") == pytest.approx([(26 + 58) / 113], rel=SAME)
    rare = r.coords(sample, marker="s100b", at="best", relative_cost=1, prevalence=0.1)
    assert rare.rows[0]["specificity"] == 1.0
    corner = r.coords(sample, marker="s100b", at="best", best_method="closest_topleft")
    row = frame["closest_topleft"].idxmin()
    assert corner.rows[0]["threshold"] == frame["threshold"][row]
    peaks = r.coords(sample, marker="s100b", at="local maxima")
    assert 2 < len(peaks.rows) < 51
    assert "pROC::coords at best" in repr(best)
    assert "<th" in best._repr_html_()
    between = r.coords(sample, marker="s100b", at=0.7, input="sensitivity").rows[0]
    assert math.isnan(between["threshold"])


# --- What is refused, mended or flagged ---------------------------------------------------------


PAIR: dict[str, Any] = {"markers": ("s100b", "wfns")}
SPECIFIC: dict[str, Any] = {"method": "specificity"}

# Wrapper, options, and the sentence; the sample comes first.
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("auc", {}, "name one with marker="),
    ("auc", S100B | {"fpr": (0, 1.1)}, "fpr must be a range"),
    ("auc", S100B | {"tpr": (0.9, 0.8)}, "tpr must be a range"),
    ("auc", S100B | {"fpr": 0.1}, "fpr must be a range"),
    ("auc", S100B | SP1 | SE1, "Give one of fpr and tpr"),
    ("auc", S100B | STD, "is for partial areas"),
    ("var", S100B | SP1, "no DeLong variance of a partial"),
    ("var", S100B | SE1 | OBUCHOWSKI, "only for the full area"),
    ("var", S100B | {"method": "de long"}, "Did you mean 'delong'"),
    ("cov", {}, "Two markers are needed, got 3"),
    ("cov", {"markers": "s100b"}, "Two markers are needed, got 1"),
    ("ci_auc", S100B | {"confidence_level": 95}, "strictly between 0 and 1"),
    ("smooth", S100B | {"n_points": 1}, "n_points must be an integer"),
    ("coords", S100B | {"at": "top"}, "at must be one of"),
    ("coords", S100B | {"at": ["a"]}, "at must be numbers"),
    ("coords", S100B | {"quantities": ["lr"]}, "quantities must be one of"),
    ("coords", S100B | {"quantities": []}, "at least one"),
    ("coords", S100B | {"prevalence": 1}, "prevalence lie strictly"),
    ("ci_se", S100B | {"specificity": 90}, "specificity must lie within"),
    ("ci_coords", S100B | {"at": "all"}, '"best" or numbers'),
    ("ci_coords", S100B | {"best_policy": "omit"}, "best_policy must be"),
    ("ci_coords", S100B | {"quantities": "youden", "prevalence": 0.1}, "is not J"),
    ("roc_test", {}, "Two markers are needed"),
    ("roc_test", {"other": [1]}, "A ScoredSample was expected, got list"),
    ("roc_test", PAIR | SP1, 'method="bootstrap" only'),
    ("roc_test", PAIR | {"method": "venkatraman", "alternative": "less"}, "no one-sided"),
    ("roc_test", PAIR | SPECIFIC, "needed there"),
    ("roc_test", PAIR | {"at": 0.9}, 'at is for method="sens'),
    ("roc_test", PAIR | SPECIFIC | {"at": 90}, "at must lie within"),
    ("power_roc_test", S100B | SIZES, "without a pilot"),
    ("power_roc_test", S100B | FIND, "not both"),
    ("power_roc_test", S100B | PAIR, "not both"),
    ("power_roc_test", S100B | SP1, "are for two markers"),
    ("power_roc_test", PAIR | SP1, "no DeLong variance"),
]
REFUSED_PLANS: list[tuple[dict[str, Any], str]] = [
    ({"auc": 0.7}, "Leave exactly one"),
    ({"auc": 0.7, "n_pos": 20}, "Give both n_pos and n_neg"),
    ({"auc": 1.0, "power": 0.9}, "auc must lie strictly"),
    ({"auc": 0.4, "power": 0.9, "alternative": "greater"}, "distance from"),
    ({"auc": 0.7, "power": 0.9, "marker": "s100b"}, "for a pilot sample"),
    ({"auc": 0.7, "power": 0.9, "binormal": BINORMAL}, "Give one of auc and binormal"),
    ({"power": 0.9, "binormal": {"A": 1}}, "binormal takes numbers"),
    ({"power": 0.9, "binormal": {"A1": 1}}, "binormal lacks B1"),
]
REFUSED_CLASSES: list[tuple[Any, Any, list[int], str]] = [
    ([1, 2], [1, 2], [1], "two classes or more"),
    ([1, 2], [1, 2], [1, 2, 3], "Nobody has the label 3"),
    ([1, 2, 3], [1, 2, 3], [1, 2], "none of the labels"),
    ([1, 2], [1, np.nan], [1, 2], "finite"),
    ([1, 2], ["a", "b"], [1, 2], "must hold numbers"),
    ([1, 2], [[1, 2]], [1, 2], "their shapes"),
    ([1, 2], [[1], [2]], [1, 2], "1 columns for 2"),
]


@pytest.mark.parametrize(("function", "options", "sentence"), REFUSED)
def test_bad_calls_are_refused_in_a_sentence(
    sample: rs.ScoredSample, function: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises((rs.InvalidOptionError, rs.InvalidSampleError), match=re.escape(sentence)):
        of(function, **options)(sample)


@pytest.mark.parametrize(("options", "sentence"), REFUSED_PLANS)
def test_bad_plans_are_refused(r: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rs.InvalidOptionError, match=re.escape(sentence)):
        r.power_roc_test(**options)


@pytest.mark.parametrize(("y_true", "y_score", "labels", "sentence"), REFUSED_CLASSES)
def test_bad_classes_are_refused(
    r: Any, y_true: Any, y_score: Any, labels: list[int], sentence: str
) -> None:
    with pytest.raises(rs.InvalidSampleError, match=re.escape(sentence)):
        r.multiclass_roc(y_true, y_score, labels=labels)


def test_other_bad_input_is_refused() -> None:
    with pytest.raises(rs.InvalidSampleError, match="A ScoredSample was expected, got list"):
        rs.rbridge.auc([0, 1])  # type: ignore[arg-type]
    with pytest.raises(rs.InvalidOptionError, match="n_resamples must be an integer from 2"):
        rs.rbridge.Resampling(n_resamples=1)
    with pytest.raises(rs.InvalidOptionError, match="seed must be an integer from 0"):
        rs.rbridge.Resampling(seed=-1)


def test_below_chance_the_standardized_area_is_nan(r: Any, sample: rs.ScoredSample) -> None:
    """Row 24."""
    with pytest.warns(rs.RWarning, match="^R warned: "):
        assert math.isnan(r.auc(sample, marker="ndka", tpr=(0.9, 1), standardized=True))


def test_infinite_scores_and_clusters_are_refused(r: Any) -> None:
    infinite = rs.ScoredSample.from_arrays([0, 1, 1], [0, 1, np.inf])
    with pytest.raises(rs.InvalidSampleError, match="infinite scores"):
        r.auc(infinite)
    y, x = [0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]}
    eyes = rs.ScoredSample.from_arrays(y, x, cluster=[1, 1, 2, 2])
    assert r.auc(eyes, marker="a") == 0.75  # needs no independence
    calls: list[Callable[[], Any]] = [
        lambda: r.var(eyes, marker="a"),
        lambda: r.cov(eyes),
        lambda: r.ci_auc(eyes, marker="a"),
        lambda: r.roc_test(eyes),
        lambda: r.wilcox_test(eyes, marker="a"),
        lambda: r.ci_se(eyes, marker="a"),
        lambda: r.power_roc_test(eyes, marker="a"),
        lambda: r.to_r(eyes),
    ]
    for call in calls:
        with pytest.raises(rs.InvalidSampleError, match="independent"):
            call()


@pytest.mark.filterwarnings("ignore::rocstats.RWarning")
def test_no_variance_is_flagged(r: Any) -> None:
    perfect = {"a": [1, 2, 3, 4], "b": [0, 0, 0, 0]}
    extreme = rs.ScoredSample.from_arrays([0, 0, 1, 1], perfect)
    with pytest.warns(rs.DegenerateVarianceWarning, match="a - b has variance 0"):
        test = r.roc_test(extreme)
    assert (test.estimate, test.statistic) == (0.5, math.inf)
    assert math.isnan(test.confidence_interval().low)
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert r.var(extreme, marker="a") == 0.0
    with pytest.warns(rs.DegenerateVarianceWarning):
        r.ci_auc(extreme, marker="a")
    single = rs.ScoredSample.from_arrays([0, 0, 1], {"a": [1, 3, 2], "b": [2, 1, 3]})
    for call in (
        lambda: r.var(single, marker="a"),
        lambda: r.cov(single),
        lambda: r.roc_test(single).pvalue,
        lambda: r.ci_auc(single, marker="a").low,
    ):
        with pytest.warns(rs.SmallSampleWarning, match="no variance in R"):
            assert math.isnan(call())


def test_permutation_p_of_zero_is_flagged(r: Any, sample: rs.ScoredSample) -> None:
    scores = {"a": np.arange(40.0), "b": np.arange(40.0) % 7}
    clear = rs.ScoredSample.from_arrays([0] * 20 + [1] * 20, scores)
    with pytest.warns(rs.RWarning, match="below 1/60"):
        assert r.roc_test(clear, method="venkatraman", resampling=FEW).pvalue == 0.0


def test_bootstrap_power_is_refused_where_proc_is_wrong(
    r: Any, sample: rs.ScoredSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rocstats.rbridge import proc_power as planning

    options: dict[str, Any] = {"markers": ("ndka", "wfns"), "method": "bootstrap"}
    monkeypatch.setattr(planning, "versions", lambda: {"pROC": "1.19.0.1"})
    with pytest.raises(rs.InvalidOptionError, match=r"wrong in pROC 1\.19"):
        r.power_roc_test(sample, resampling=FEW, **options)
    monkeypatch.undo()
    if tuple(map(int, r.versions()["pROC"].split(".")[:2])) < (1, 19):
        wanted = r.evaluate(
            f"{BY_HAND}set.seed(7); power.roc.test(ndka, wfns, method = 'bootstrap',"
            " boot.n = 60)$power"
        )
        found = r.power_roc_test(sample, resampling=FEW, **options)
        assert found.power == pytest.approx(wanted, rel=SAME)


def test_results_speak(r: Any, sample: rs.ScoredSample) -> None:
    plan = r.power_roc_test(sample, markers=("ndka", "wfns"))
    assert (plan.auc, plan.auc_other) == pytest.approx((0.611957994579946, 0.823678861788618))
    assert "Power 0.7132 at significance 0.0500" in repr(plan)
    assert plan.to_frame().shape == (1, 8)
    table = r.ci_thresholds(sample, marker="s100b", thresholds=[0.1, 0.2], resampling=FEW)
    assert table.to_frame()[["at", "quantity"]].to_numpy().tolist() == [
        [0.1, "specificity"],
        [0.2, "specificity"],
        [0.1, "sensitivity"],
        [0.2, "sensitivity"],
    ]
    json.dumps(table.to_dict(), allow_nan=False)
    assert table.to_dict()["method"] == "pROC::ci.thresholds, 60 bootstrap replicates"
