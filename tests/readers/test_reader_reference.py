"""Reader studies against R: MRMCaov, iMRMC and RJafroc, and an example that is printed.

The numbers on the CC0 example stand in the repository; those on data of GPL packages are read from
the folder of reference numbers beside ROCSTATS_DATA, and their tests are skipped without it.
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reader_numbers import COVARIANCES, MODES, imrmc, mrmcaov, rjafroc

import rocstats as rs
from rocstats import datasets

HERE = Path(__file__).parents[1] / "reference"
DATA = Path(os.environ.get("ROCSTATS_DATA", Path(__file__).parents[3] / "shared" / "data"))
FROZEN = DATA.parent / "reference" / "mrmc.json"
CLOSE = 1e-10  # relative, as the reference states; both sides are doubles of well posed sums
CLOSE_POWER = 1e-7  # R's noncentral F is that good
ZERO = 1e-15  # where R has rounding in place of 0
needs_r_data = pytest.mark.skipif(
    not FROZEN.is_file(), reason="needs the folder of reference numbers beside ROCSTATS_DATA"
)
COLUMNS = {"test": "treatment", "reader": "reader", "outcome": "truth", "rating": "rating"}
CASES = (
    *("vandyke", "franken", "imrmc_example", "vandyke_case2", "vandyke_case3"),
    *("vandyke_nested_readers", "imrmc_example_split"),
)


def read_study(path: Path, case: str = "case") -> rs.ReaderStudy:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    columns["truth"] = [int(v) for v in columns["truth"]]
    columns["rating"] = [float(v) for v in columns["rating"]]
    return rs.ReaderStudy.from_frame(columns, case=case, **COLUMNS)


def split_example() -> rs.ReaderStudy:
    """Readers of odd number read the cases of odd number, the others the rest."""
    with datasets.path("reader_study").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [
        row
        for row in rows
        if int(row["case"][7:]) % 2 == int(row["reader"].removeprefix("reader")) % 2
    ]
    columns: dict[str, Any] = {name: [row[name] for row in kept] for name in kept[0]}
    columns["truth"] = [int(v) for v in columns["truth"]]
    columns["rating"] = [float(v) for v in columns["rating"]]
    return rs.ReaderStudy.from_frame(columns, case="case", **COLUMNS)


def load(name: str) -> tuple[rs.ReaderStudy, dict[str, float]]:
    own = json.loads((HERE / "mrmc.json").read_text())["cases"]
    if name in own:
        study = split_example() if name.endswith("split") else datasets.load_reader_study()
        return study, own[name]["numbers"]
    if not FROZEN.is_file():
        pytest.skip("needs the folder of reference numbers beside ROCSTATS_DATA")
    case = json.loads(FROZEN.read_text())["cases"][name]
    column = {"vandyke_case2": "case2", "vandyke_case3": "case3"}.get(name, "case")
    return read_study(FROZEN.parent / case["data"], column), case["numbers"]


def check(ours: dict[str, float], theirs: dict[str, Any], *, least: int) -> None:
    """Compare every number that both have, of which there must be at least so many."""
    wrong, seen = [], 0
    for key, value in ours.items():
        if theirs.get(key) is None:
            continue
        expected = float(theirs[key])
        seen += 1
        if not math.isclose(value, expected, rel_tol=CLOSE, abs_tol=ZERO):
            wrong.append((key, value, expected))
    assert not wrong, wrong[:5]
    assert seen >= least, f"{seen} numbers were compared only"


def modes_of(numbers: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (covariance, mode)
        for covariance in COVARIANCES
        for mode in MODES
        if any(k.startswith(f"MRMCaov.empirical_auc.{covariance}.{mode}.") for k in numbers)
    ]


@pytest.mark.parametrize("name", CASES)
def test_obuchowski_rockette_is_mrmcaov(name: str) -> None:
    study, numbers = load(name)
    found = modes_of(numbers)
    assert found or name == "imrmc_example_split"
    for covariance, mode in found:
        ours = mrmcaov(study, covariance, mode)
        if "nested_readers" in name and mode != "rrfc":  # a wrong coefficient in 0.3.0
            ours = {k: v for k, v in ours.items() if ".diff[" not in k and ".global[" not in k}
        prefix = f"MRMCaov.empirical_auc.{covariance}.{mode}."
        known = sum(v is not None for k, v in numbers.items() if k.startswith(prefix))
        lost = 16 if "nested_readers" in name and mode != "rrfc" else 0
        check(ours, numbers, least=known - lost)


@pytest.mark.parametrize("name", CASES)
def test_u_statistics_are_imrmc(name: str) -> None:
    study, numbers = load(name)
    check(imrmc(study), numbers, least=99)


@pytest.mark.parametrize("name", ["vandyke", "franken"])
@pytest.mark.parametrize("mode", ["RRRC", "FRRC", "RRFC"])
def test_dorfman_berbaum_metz_is_rjafroc(name: str, mode: str) -> None:
    study, numbers = load(name)
    short = {}
    for key, value in numbers.items():
        if key.startswith(f"RJafroc.OR.jackknife.{mode}."):
            own = re.sub(r"mean\[trt\w*?(\d)\]", lambda m: f"mean{m[1]}", key)
            short[re.sub(r"diff\[[^\]]*\]", "diff", own)] = value
    if any("mean2" in key for key in short):  # TREAT1 and TREAT2
        short = {k.replace("mean1", "mean0").replace("mean2", "mean1"): v for k, v in short.items()}
    ours = rjafroc(study, mode)
    if name == "franken" and mode == "FRRC":  # Cov2 < Cov3, where RJafroc truncates
        ours = {k: v for k, v in ours.items() if "VarCom" in k or "mean" in k}
    check(ours, short, least=15 if name == "franken" and mode == "FRRC" else 27)


@pytest.mark.parametrize("covariance", ["influence", "jackknife", "unbiased"])
def test_readers_nested_in_tests_have_the_right_coefficient(covariance: str) -> None:
    study, numbers = load("vandyke_nested_readers")
    name = covariance.replace("influence", "delong")
    found = rs.compare_readers(study, covariance=covariance)
    (test,), omnibus, table = found.pairwise(), found.omnibus(), found.table
    fixed = rs.compare_readers(study, covariance=covariance, readers="fixed")
    ours = {
        "rrrc.MST": table.ms_test,
        "rrrc.MSR": table.ms_reader,
        "rrrc.den": table.denominator("both")[0],
        "rrrc.F": omnibus.statistic,
        "rrrc.df2": omnibus.df_denominator,
        "rrrc.p": omnibus.pvalue,
        "rrrc.coef": table.weight,
        "rrrc.diff": test.estimate,
        "rrrc.se": test.std_error,
        "frrc.MST": table.ms_test,
        "frrc.den": table.denominator("cases")[0],
        "frrc.X2": fixed.omnibus().statistic,
        "frrc.p": fixed.omnibus().pvalue,
    }
    check({f"corrected.{name}.{k}": v for k, v in ours.items()}, numbers, least=13)
    assert test.pvalue == pytest.approx(omnibus.pvalue, rel=CLOSE)
    assert fixed.pairwise()[0].pvalue == pytest.approx(fixed.omnibus().pvalue, rel=CLOSE)


def test_van_dyke_as_printed() -> None:
    """OR-DBM MRMC 2.51's printout of Van Dyke et al. (1993), jackknife."""
    study, _ = load("vandyke")
    found = rs.compare_readers(study, covariance="jackknife")
    printed = [0.91964573, 0.85877617, 0.90386473, 0.97310789, 0.82979066]
    printed += [0.94782609, 0.90531401, 0.92173913, 0.99935588, 0.92995169]
    assert [round(row.value, 8) for row in found.by_reader] == printed
    parts = {name: round(value, 8) for name, value in found.components.items()}
    assert parts["ms_test"] == 0.00479617
    assert parts["ms_reader"] == 0.00383620
    assert parts["ms_test_reader"] == 0.00055103
    assert (parts["var_reader"], parts["var_test_reader"]) == (0.001535, 0.0002004)
    assert [parts[k] for k in ("cov1", "cov2", "cov3", "var")] == [
        *(0.00034661, 0.00034407, 0.00023903, 0.00080229),
    ]
    (test,) = found.pairwise()
    low, high = test.confidence_interval()
    assert (round(test.statistic**2, 2), round(test.df, 2), round(test.pvalue, 4)) == (
        *(4.46, 15.26, 0.0517),
    )
    assert [round(v, 5) for v in (test.estimate, test.std_error, low, high)] == [
        *(-0.04380, 0.02075, -0.08796, 0.00036),
    ]
    single = [
        (row.value, row.std_error, row.df, *row.confidence_interval(method="wald"))
        for row in found.estimates
    ]
    assert [[round(v, d) for v, d in zip(row, (8, 8, 2, 8, 8), strict=True)] for row in single] == [
        [0.89703704, 0.03317360, 12.74, 0.82522360, 0.96885048],
        [0.94083736, 0.02156637, 12.71, 0.89413783, 0.98753689],
    ]
    fixed = rs.compare_readers(study, covariance="jackknife", readers="fixed").omnibus()
    assert (round(fixed.statistic, 5), fixed.df, round(fixed.pvalue, 4)) == (5.47595, 1, 0.0193)


def pseudo_values(study: rs.ReaderStudy) -> np.ndarray:
    """The jackknife by its definition: every case left out in turn, every AUC found again."""
    size = study.positive.size
    made = np.empty(study.ratings.shape)
    for i in range(len(study.tests)):
        for j in range(len(study.readers)):
            scores = study.ratings[i, j]
            whole = pair_area(scores, study.positive)
            for k in range(size):
                rest = np.arange(size) != k
                part = pair_area(scores[rest], study.positive[rest])
                made[i, j, k] = size * whole - (size - 1) * part
    return made


def pair_area(scores: np.ndarray, positive: np.ndarray) -> float:
    gap = scores[positive][:, None] - scores[~positive]
    return float((np.sign(gap) + 1.0).mean() / 2.0)


def test_dbm_is_obuchowski_rockette_with_the_jackknife() -> None:
    """Dorfman, Berbaum and Metz's analysis of variance of pseudo-values, written out."""
    study = datasets.load_reader_study()
    y = pseudo_values(study)
    t, r, n = y.shape
    grand, by_t, by_r, by_c = y.mean(), y.mean((1, 2)), y.mean((0, 2)), y.mean((0, 1))
    tr, tc, rc = y.mean(2), y.mean(1), y.mean(0)
    ms_t = r * n * ((by_t - grand) ** 2).sum() / (t - 1)
    ms_tr = n * ((tr - by_t[:, None] - by_r + grand) ** 2).sum() / ((t - 1) * (r - 1))
    ms_tc = r * ((tc - by_t[:, None] - by_c + grand) ** 2).sum() / ((t - 1) * (n - 1))
    rest = y - tr[:, :, None] - tc[:, None] - rc + by_t[:, None, None]
    rest = rest + by_r[:, None] + by_c - grand
    ms_trc = (rest**2).sum() / ((t - 1) * (r - 1) * (n - 1))
    below = ms_tr + max(ms_tc - ms_trc, 0.0)
    df = below**2 / (ms_tr**2 / ((t - 1) * (r - 1)))
    found = rs.compare_readers(study, covariance="jackknife")
    omnibus, table = found.omnibus(), found.table
    assert omnibus.statistic == pytest.approx(ms_t / below, rel=CLOSE)
    assert omnibus.df_denominator == pytest.approx(df, rel=CLOSE)
    assert n * r * (table.cov2 - table.cov3) == pytest.approx(ms_tc - ms_trc, rel=1e-9)
    # Fixed readers: MS(T) / MS(TC).
    fixed = rs.compare_readers(study, covariance="jackknife", readers="fixed").omnibus()
    assert fixed.statistic == pytest.approx(ms_t / ms_tc, rel=CLOSE)


@needs_r_data
def test_an_ai_against_readers_is_rjafroc() -> None:
    """1T-RRRC: differences from the program as one test; R's numbers follow from its formula."""
    study = read_study(DATA / "clinical" / "nico_cad.csv")
    found = rs.compare_to_readers(study, ai="ai", covariance="jackknife", margin=0.05)
    y = pseudo_values_of(study)
    theta, size = y.mean(axis=1), y.shape[1]
    spread = np.cov(y) / size
    contrast = np.hstack([np.ones((len(y) - 1, 1)), -np.eye(len(y) - 1)])
    d, s = contrast @ theta, contrast @ spread @ contrast.T
    r = d.size
    shared = (s.sum() - s.trace()) / (r * (r - 1))
    variance = d.var(ddof=1) / r + max(shared, 0.0)
    assert found.estimate == pytest.approx(d.mean(), rel=1e-9)
    assert found.std_error == pytest.approx(math.sqrt(variance), rel=1e-9)
    df = (r * variance) ** 2 / (d.var(ddof=1) ** 2 / (r - 1))
    assert found.df == pytest.approx(df, rel=1e-9)


def pseudo_values_of(study: rs.ReaderStudy) -> np.ndarray:
    """Pseudo-values of the program, then of the readers."""
    cells = sorted(study.cells, key=lambda cell: (study.tests[cell[0]] != "ai", cell))
    size, made = study.positive.size, []
    for i, j in cells:
        scores = study.ratings[i, j]
        whole = pair_area(scores, study.positive)
        rest = ~np.eye(size, dtype=bool)
        parts = [pair_area(scores[keep], study.positive[keep]) for keep in rest]
        made.append(size * whole - (size - 1) * np.array(parts))
    return np.array(made)


@pytest.mark.parametrize("name", ["vandyke", "franken"])
def test_power_is_rjafroc(name: str) -> None:
    study, numbers = load(name)
    pilot = rs.compare_readers(study, covariance="jackknife").components
    random = {"RRRC": "both", "FRRC": "cases", "RRFC": "readers"}
    seen = 0
    for key, value in numbers.items():
        asked = re.match(r"RJafroc\.power\.(\w+)\.J(\d+)\.K(\d+)\.es0\.05\.(power|ncp|df2)", key)
        if asked:
            mode, j, k, what = asked.groups()
            plan = rs.power_readers(
                pilot, difference=0.05, readers=int(j), cases=int(k), random=random[mode]
            )
            (row,) = plan.rows
            ours = {"power": row["power"], "ncp": row["noncentrality"], "df2": row["df"]}[what]
            assert ours == pytest.approx(value, rel=CLOSE_POWER), key
            seen += 1
        asked = re.match(r"RJafroc\.cases_given_readers\.RRRC\.J(\d+)\.es0\.05\.(\w)", key)
        if asked and asked[2] == "K":
            plan = rs.sample_size_readers(pilot, difference=0.05, readers=int(asked[1]))
            assert plan.cases == value, key
            seen += 1
    assert seen >= 30
