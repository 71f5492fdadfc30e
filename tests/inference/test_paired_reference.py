"""Binary tests on the same patients against R: DTComPair, contingencytables and ratesci.

What the packages get wrong is not matched: `do_not_match` in the file, and docs/STATISTICS.md.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import rocstats as rs

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "reference" / "paired.json").read_text(encoding="utf-8")
)
CASES = REFERENCE["cases"]

CLOSED = 1e-10  # closed forms on both sides
BISECTED = 1e-7  # contingencytables' Tango: bisection stopped early, absolute
TANGO_CLOSED = 1e-8  # ratesci's quartic
UNIROOT = 1e-8  # contingencytables' Tang: uniroot
GEE = 1e-8  # DTComPair's likelihood ratios: iterated by gee

each_case = pytest.mark.parametrize("name", CASES)
each_rate = pytest.mark.parametrize("rate", ["sensitivity", "specificity"])


def tables(name: str) -> dict[str, list[list[int]]]:
    n = CASES[name]["counts"]
    return {
        "diseased": [[n["d11"], n["d10"]], [n["d01"], n["d00"]]],
        "healthy": [[n["n11"], n["n10"]], [n["n01"], n["n00"]]],
    }


def found(name: str) -> rs.ComparedTests:
    return rs.compare_counts(**tables(name))


def check(name: str, key: str, value: float, tolerance: float) -> None:
    expected = CASES[name]["numbers"][key]
    if expected is None:  # R overflowed, or divided 0 by 0
        return
    assert value == pytest.approx(expected, rel=tolerance, abs=tolerance), key


def test_the_file_has_what_is_asked_of_it() -> None:
    known = CASES["paired1"]["numbers"]
    assert len(CASES) == 7
    assert sum(value is not None for value in known.values()) > 260


@each_case
@each_rate
def test_rates_and_their_tests(name: str, rate: str) -> None:
    pair = getattr(found(name), rate)
    for test, value in (("T1", pair.standard_value), ("T2", pair.new_value)):
        check(name, f"DTComPair.acc.{test}.{rate}.est", value, CLOSED)
    check(name, f"DTComPair.mcnemar.{rate}.test.statistic", pair.mcnemar.statistic, CLOSED)
    check(name, f"DTComPair.mcnemar.{rate}.p.value", pair.mcnemar.pvalue, CLOSED)
    check(name, f"contingencytables.mcnemar.{rate}.p", pair.mcnemar.pvalue, CLOSED)
    check(name, f"contingencytables.mcnemar_exact.{rate}.p", pair.exact_pvalue, CLOSED)
    if pair.cells.discordant:  # R's mid-p without a discordant pair is 0.5
        check(name, f"contingencytables.mcnemar_midp.{rate}.p", pair.mid_pvalue, CLOSED)
    if pair.cells.b != pair.cells.c:  # where DTComPair's exact p exceeds 1
        check(name, f"DTComPair.exactbinom.{rate}.p.value", pair.exact_pvalue, CLOSED)


@each_case
@each_rate
@pytest.mark.parametrize(
    ("method", "column", "tolerance"),
    [
        ("score", "contingencytables.tango", BISECTED),
        ("score", "ratesci.tango_closed", TANGO_CLOSED),
        ("newcombe", "contingencytables.newcombe", CLOSED),
        ("bonett-price", "contingencytables.bonett_price", CLOSED),
        ("agresti-min", "contingencytables.agresti_min", CLOSED),
        ("wald", "contingencytables.wald", CLOSED),
    ],
)
def test_intervals_of_the_difference(
    name: str, rate: str, method: str, column: str, tolerance: float
) -> None:
    low, high = getattr(found(name), rate).confidence_interval(method=method)
    check(name, f"{column}.{rate}.lower", low, tolerance)
    check(name, f"{column}.{rate}.upper", high, tolerance)


@each_case
@each_rate
@pytest.mark.parametrize(("method", "column", "tolerance"), [
    ("score", "contingencytables.ratio_tang", UNIROOT),
    ("wald", "contingencytables.ratio_wald", CLOSED),
])  # fmt: skip
def test_intervals_of_the_ratio(
    name: str, rate: str, method: str, column: str, tolerance: float
) -> None:
    pair = getattr(found(name), rate)
    low, high = pair.ratio_interval(method=method)
    check(name, f"{column}.{rate}.estimate", pair.ratio, CLOSED)
    check(name, f"{column}.{rate}.lower", low, tolerance)
    check(name, f"{column}.{rate}.upper", high, tolerance)


@each_case
def test_false_positive_rates_and_those_of_a_screen_positive_design(name: str) -> None:
    counts = tables(name)
    for table in counts.values():
        table[1][1] = None  # type: ignore[call-overload]
    screened = rs.compare_counts(**counts, design="screen-positive")
    for part in (found(name), screened):
        for pair, rate in ((part.sensitivity, "tpf"), (part.fpr, "fpf")):
            low, high = pair.ratio_interval(method="wald")
            check(name, f"DTComPair.tpffpf.{rate}.rel.{rate}", pair.ratio, CLOSED)
            check(name, f"DTComPair.tpffpf.{rate}.lcl.rel.{rate}", low, CLOSED)
            check(name, f"DTComPair.tpffpf.{rate}.ucl.rel.{rate}", high, CLOSED)


@each_case
def test_joint_test(name: str) -> None:
    joint = found(name).joint()
    check(name, "DTComPair.gen_mcnemar.X2", joint.statistic, CLOSED)
    check(name, "DTComPair.gen_mcnemar.p", joint.pvalue, CLOSED)
    assert joint.df == 2.0


@each_case
@pytest.mark.parametrize("value", ["ppv", "npv"])
def test_predictive_values(name: str, value: str) -> None:
    pair = getattr(found(name), value)
    check(name, f"DTComPair.gs.{value}.test1", pair.standard_value, CLOSED)
    check(name, f"DTComPair.gs.{value}.test2", pair.new_value, CLOSED)
    check(name, f"DTComPair.gs.{value}.diff", pair.difference, CLOSED)
    for method in ("gs", "wgs"):
        test = pair.test(method=method)
        check(name, f"DTComPair.{method}.{value}.test.statistic", test.statistic, CLOSED)
        check(name, f"DTComPair.{method}.{value}.p.value", test.pvalue, CLOSED)
    n = sum(CASES[name]["counts"].values())
    low, high = pair.ratio_interval(method="moskowitz-pepe")
    error = pair.test(method="wald").std_error
    check(name, f"DTComPair.rpv.{value}.r{value}", pair.ratio, CLOSED)
    check(name, f"DTComPair.rpv.{value}.lcl.r{value}", low, CLOSED)
    check(name, f"DTComPair.rpv.{value}.ucl.r{value}", high, CLOSED)
    # The engine divides by N (N - 1), the paper by N squared.
    check(name, f"DTComPair.rpv.{value}.se.log.r{value}", error * math.sqrt((n - 1) / n), CLOSED)


@each_case
@pytest.mark.parametrize(("ratio", "column"), [("lr_pos", "pdlr"), ("lr_neg", "ndlr")])
def test_likelihood_ratios(name: str, ratio: str, column: str) -> None:
    pair = getattr(found(name), ratio)
    low, high = pair.ratio_interval(method="gu-pepe")
    test = pair.test(method="gu-pepe")
    check(name, f"DTComPair.dlr.{column}.test1", pair.standard_value, CLOSED)
    check(name, f"DTComPair.dlr.{column}.test2", pair.new_value, CLOSED)
    # DTComPair has T1 over T2 here.
    check(name, f"DTComPair.dlr.{column}.ratio", 1.0 / pair.ratio, GEE)
    check(name, f"DTComPair.dlr.{column}.lcl", 1.0 / high, GEE)
    check(name, f"DTComPair.dlr.{column}.ucl", 1.0 / low, GEE)
    check(name, f"DTComPair.dlr.{column}.se.log", test.std_error, GEE)
    check(name, f"DTComPair.dlr.{column}.test.statistic", -test.statistic, GEE)
    check(name, f"DTComPair.dlr.{column}.p.value", test.pvalue, GEE)


@each_case
def test_each_test_by_itself(name: str) -> None:
    rows = {(row["test"], row["measure"]): row for row in found(name).rates()}
    for test in ("T1", "T2"):
        for value in ("sensitivity", "specificity", "ppv", "npv"):
            check(name, f"DTComPair.acc.{test}.{value}.est", rows[test, value]["estimate"], CLOSED)
        for ratio, column in (("lr_pos", "pdlr"), ("lr_neg", "ndlr")):
            row = rows[test, ratio]
            check(name, f"DTComPair.acc.{test}.{column}.est", row["estimate"], CLOSED)
            check(name, f"DTComPair.acc.{test}.{column}.lcl", row["conf_low"], CLOSED)
            check(name, f"DTComPair.acc.{test}.{column}.ucl", row["conf_high"], CLOSED)


# ---------------------------------------------------------------------------- published examples


def counts(b: int, c: int, n: int) -> rs.PairedRates:
    a = (n - b - c) // 2
    table = [[a, c], [b, n - a - b - c]]
    return rs.compare_counts(diseased=table, healthy=[[1, 1], [1, 1]]).sensitivity


def test_bentur_2009_as_fagerland_prints_it() -> None:
    pair = rs.compare_counts(diseased=[[1, 7], [1, 12]], healthy=[[1, 1], [1, 1]]).sensitivity
    printed = {
        "score": (-0.5172, -0.0260),
        "newcombe": (-0.5069, -0.0256),
        "bonett-price": (-0.5084, -0.0134),
    }
    for method, limits in printed.items():
        found = pair.confidence_interval(method=method)
        assert tuple(found) == pytest.approx(limits, abs=5.1e-5)


def test_lachenbruch_and_lynch_1998() -> None:
    joint = found("lachenbruch1998").joint()
    assert (joint.statistic, joint.pvalue) == (6.5, pytest.approx(0.0387742, abs=5e-8))


def test_noninferiority_is_tangos_score() -> None:
    table = [[60, 10], [12, 18]]
    result = rs.compare_counts(diseased=table, healthy=[[1, 1], [1, 1]])
    test = result.noninferiority("sensitivity", 0.10)
    assert test.statistic == pytest.approx(2.41823111665096, rel=1e-13)
    assert test.pvalue == pytest.approx(0.00779808, abs=5e-9)
    one = found("paired1").noninferiority("sensitivity", 0.20)
    assert one.statistic == pytest.approx(3.35871488, abs=5e-9)
    assert one.pvalue == pytest.approx(0.00039153, abs=5e-9)


def test_the_sign_that_dtcompair_reverses() -> None:
    assert tuple(counts(12, 10, 100).confidence_interval()) == pytest.approx(
        (-0.0755, 0.1162), abs=5e-5
    )


def test_no_discordant_pair_has_an_interval() -> None:
    low, high = counts(0, 0, 40).confidence_interval()
    assert (low, high) == pytest.approx((-0.08762, 0.08762), abs=5e-6)
    z2 = 1.959963984540054**2
    assert high == pytest.approx(z2 / (40 + z2), rel=1e-14)  # Wilson's limit of 0 of 40


def test_cheng_and_macaluso_1997() -> None:
    """Only the margins matter to the ratios: 34 and 31 true, 157 and 108 false positives."""
    screened = rs.compare_counts(
        diseased=[[29, 2], [5, None]], healthy=[[100, 8], [57, None]], design="screen-positive"
    )
    assert screened.sensitivity.ratio == pytest.approx(1.0967741935483870, rel=1e-15)
    assert screened.fpr.ratio == pytest.approx(1.4537037037037037, rel=1e-15)
