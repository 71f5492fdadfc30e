"""Areas and concordance under censoring against R's numbers.

Numbers on our own simulated data stand in the repository; those on data of R packages are read from
the folder of reference numbers beside ROCSTATS_DATA, and their tests are skipped without it.
"""

from __future__ import annotations

import csv
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest

import rocstats as rs

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ROCSTATS_DATA", ROOT.parent / "shared" / "data"))
OURS = json.loads((ROOT / "tests" / "reference" / "timedep.json").read_text())["cases"]
ELSEWHERE = DATA.parent / "reference" / "timedep.json"
CLOSE = 1e-10  # as the reference states: both sides are doubles of well posed sums
TIED_TIMES = 1e-3  # where times tie the packages differ among themselves by 2e-4
CASES = {
    "surv_sim": (("x", "z"), (3, 6, 10), 10, CLOSE),
    "surv_ties": (("x", "z"), (4, 10, 20), 20, TIED_TIMES),
    "pbc312": (("bili", "nalb"), (1000, 2000, 3000), 3000, TIED_TIMES),
}
cases = pytest.mark.parametrize("case", CASES)


def numbers(case: str) -> dict[str, float]:
    if case in OURS:
        return dict(OURS[case]["numbers"])
    if not ELSEWHERE.is_file():
        pytest.skip("needs the folder of reference numbers beside ROCSTATS_DATA")
    return dict(json.loads(ELSEWHERE.read_text())["cases"][case]["numbers"])


def sample(case: str, event: str = "event") -> rs.SurvivalSample:
    name = case.removesuffix("_cr")
    folder = ROOT / "tests" / "reference" if name in OURS else DATA / "clinical"
    if not (folder / f"{name}.csv").is_file():
        pytest.skip("needs the data of R's packages, ROCSTATS_DATA")
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns: dict[str, Any] = {key: [float(row[key]) for row in rows] for key in rows[0]}
    return rs.SurvivalSample.from_frame(columns, time="time", event=event, markers=CASES[name][0])


@cases
def test_areas_of_risk_regression(case: str) -> None:
    markers, times, _, close = CASES[case]
    expected, found = numbers(case), rs.auc_at(sample(case), times=times)
    for marker in markers:
        for t in times:
            row, key = found[marker, float(t)], f"riskRegression.{marker}.t{t}"
            assert row.value == pytest.approx(expected[f"{key}.AUC"], abs=CLOSE)
            assert row.std_error == pytest.approx(expected[f"{key}.se"], rel=close)
    for t in times:
        first, second = markers[1], markers[0]
        (test,) = rs.compare_at(sample(case), times=[t]).contrast(first, second, reference="normal")
        key = f"riskRegression.delta.{first}-{second}.t{t}"
        assert test.estimate == pytest.approx(expected[f"{key}.delta"], abs=CLOSE)
        assert test.std_error == pytest.approx(expected[f"{key}.se"], rel=close)
        assert test.pvalue == pytest.approx(expected[f"{key}.p"], rel=10.0 * close)


def test_areas_of_timeroc_where_no_event_falls_on_the_time() -> None:
    expected, found = numbers("surv_sim"), rs.auc_at(sample("surv_sim"), times=[3, 6, 10])
    for row in found:
        key = f"timeROC.{row.classifier}.t{row.time:g}"
        assert row.value == pytest.approx(expected[f"{key}.AUC"], abs=CLOSE)
        assert row.std_error == pytest.approx(expected[f"{key}.se"], rel=CLOSE)
        assert row.counts["n_pos"] == expected[f"{key}.cases"]
        assert row.counts["n_neg"] == expected[f"{key}.survivors"]
    low, high = found["x", 6.0].confidence_interval(method="wald")
    reach = 1.959963984540054 * expected["timeROC.x.t6.se"]
    assert (low, high) == pytest.approx(
        (expected["timeROC.x.t6.AUC"] - reach, expected["timeROC.x.t6.AUC"] + reach), abs=CLOSE
    )


@pytest.mark.parametrize("t", [2000, 3000])  # at 1000 days an event falls on the time
@pytest.mark.parametrize(("controls", "which"), [("survivors", 1), ("event-free", 2)])
def test_competing_events(t: int, controls: Any, which: int) -> None:
    expected = numbers("pbc312_cr")
    found = rs.auc_at(sample("pbc312", "cause"), times=t, controls=controls)
    for marker in ("bili", "nalb"):
        key = f"timeROC.{marker}.t{t}"
        assert found[marker].value == pytest.approx(expected[f"{key}.AUC_{which}"], abs=CLOSE)
        # timeROC's error with event-free controls is an approximation.
        close = TIED_TIMES if which == 1 else 2e-3
        assert found[marker].std_error == pytest.approx(expected[f"{key}.se_{which}"], rel=close)


@cases
def test_concordance_of_survival(case: str) -> None:
    markers, _, tau, _ = CASES[case]
    expected, study = numbers(case), sample(case)
    for how, options in (
        ("n", {"method": "harrell"}),
        ("n/G2", {"method": "uno", "tau": math.inf, "censoring": "fixed"}),
        (f"n/G2.ymax{tau}", {"method": "uno", "tau": tau, "censoring": "fixed"}),
    ):
        found = rs.concordance(study, **options)
        for marker in markers:
            key = f"survival.concordance.{how}.{marker}"
            assert found[marker].value == pytest.approx(expected[f"{key}.C"], abs=CLOSE)
            assert found[marker].std_error ** 2 == pytest.approx(expected[f"{key}.var"], rel=CLOSE)


def test_the_term_of_the_estimated_censoring_has_the_size_that_the_specification_states() -> None:
    study = sample("surv_sim")
    whole = rs.concordance(study, method="uno", tau=math.inf)
    assert whole["x"].std_error == pytest.approx(0.02372, abs=1e-5)
    assert whole["z"].std_error == pytest.approx(0.02843, abs=1e-5)


def test_compare_c_takes_high_scores_for_long_survival() -> None:
    expected, found = numbers("surv_sim"), rs.concordance(sample("surv_sim"))
    (test,) = found.compare().contrast("z", "x", reference="normal")
    assert 1.0 - found["x"].value == pytest.approx(expected["compareC.x.C"], abs=CLOSE)
    assert test.estimate == pytest.approx(expected["compareC.x-z.est.diff_c"], abs=CLOSE)
    # Kang's U-statistic variance is 0.6% away for one C at n = 200, and 1.6% for a difference.
    assert test.std_error**2 == pytest.approx(expected["compareC.x-z.est.vardiff_c"], rel=0.02)
    square = found["x"].std_error ** 2
    assert square == pytest.approx(expected["compareC.x-z.est.varCxy"], rel=0.01)
