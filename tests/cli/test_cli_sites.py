"""``rocstats sketch | pool | monitor``: counts leave a site, and are put together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs

ROWS = ["--outcome", "y", "--markers", "a,b"]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    y = np.arange(180) % 3 == 0
    scores = [np.round(rng.normal(size=180) + gain * y, 2) for gain in (1.0, 0.7)]
    lines = [f"{int(label)},{a},{b}" for label, a, b in zip(y, *scores, strict=True)]
    for name, rows in (("one", lines[:90]), ("two", lines[90:]), ("all", lines)):
        Path(f"{name}.csv").write_text("\n".join(["y,a,b", *rows]) + "\n", encoding="utf-8")
    return tmp_path


def test_two_sites_in_two_rounds(call: Any, study: Path) -> None:
    for name in ("one", "two"):
        code, out, _ = call("sketch", f"{name}.csv", *ROWS, "--site", name, "-o", f"{name}.json")
        assert code == 0
        assert "a count of 1 is one patient" in out
    code, out, _ = call("pool", "one.json", "two.json", "-o", "pooled.json", "--json")
    assert code == 0
    content = json.loads(out)
    whole = json.loads(call("auc", "all.csv", *ROWS, "--json").out)
    for area, row in zip(content["areas"], whole["estimates"], strict=True):
        assert area["pooled"]["estimate"] == row["estimate"]
        assert area["pooled"]["std_error"] == pytest.approx(row["std_error"], rel=1e-11)
    for name in ("one", "two"):
        more = ("--site", name, "--pooled", "pooled.json", "-o", f"m_{name}.json")
        assert call("sketch", f"{name}.csv", *ROWS, *more).code == 0
    code, out, _ = call(
        "pool", "one.json", "two.json", "--moments", "m_one.json,m_two.json", "--json"
    )
    found = json.loads(out)["comparison"]
    compared = rs.compare(rs.ScoredSample.from_frame(rs.read("all.csv"), "y", ["a", "b"]))
    test = compared.pairwise().tests[0]
    assert found["contrasts"][0]["p_value"] == pytest.approx(test.pvalue, rel=1e-9)


def test_a_least_count_is_held_and_bounds_are_said(call: Any, study: Path) -> None:
    code, out, _ = call("sketch", "all.csv", *ROWS, "--least-count", "5", "-o", "out.json")
    assert code == 0
    assert "bins of scores, the AUC from" in out
    counts = json.loads(Path("out.json").read_text(encoding="utf-8"))["markers"][0]
    assert min(counts["n_pos"] + counts["n_neg"]) >= 5
    call("sketch", "all.csv", *ROWS, "--cuts", "0,1", "-o", "cuts.json")
    counts = json.loads(Path("cuts.json").read_text(encoding="utf-8"))["markers"][0]
    assert counts["from"] == ["-inf", 0.0, 1.0]


def test_windows_are_watched(call: Any, study: Path) -> None:
    for name in ("one", "two", "all"):
        call("sketch", f"{name}.csv", *ROWS, "--site", name, "-o", f"{name}.json")
    code, out, _ = call("monitor", "one.json", "two.json", "--marker", "a")
    assert code == 0
    assert "No window differs" in out
    given = ("one.json", "two.json", "--marker", "a", "--baseline-file", "all.json", "--json")
    assert len(json.loads(call("monitor", *given).out)["windows"]) == 2


BAD = {
    "no file": ("pool nowhere.json one.json", "cannot be read"),
    "a table": ("pool one.csv one.json", "no whole JSON"),
    "one site": ("pool one.json", "two sites or more"),
    "twice": ("pool one.json one.json", "there twice"),
    "marker": ("pool one.json two.json --markers zz", "zz"),
    "over the sketch": ("pool one.json two.json -o one.json", "holds the sketch of a site"),
    "over the sums": (
        "pool one.json two.json --moments sums.json -o sums.json",
        "holds the sums of a site",
    ),
    "over the pooled": (
        "sketch one.csv --outcome y --markers a,b --site one --pooled pooled.json -o pooled.json",
        "holds the pooled counts",
    ),
    "other markers": ("pool one.json other.json", "count the same at every site."),
    "ending": ("pool one.json two.json -o out.csv", "end the name in .json"),
    "least count": ("sketch one.csv --outcome y --markers a --least-count 50 -o o.json", "50"),
    "zero": ("sketch one.csv --outcome y --markers a --least-count 0 -o o.json", "--least-count"),
    "cuts": ("sketch one.csv --outcome y --markers a --cuts x -o o.json", "--cuts must be"),
    "over the data": ("sketch one.csv --outcome y --markers a -o one.csv", "end the name in .json"),
    "clusters": ("sketch one.csv --outcome y --markers a --cluster b -o o.json", "has clusters"),
    "no site": ("sketch one.csv --outcome y --markers a --pooled one.json -o o.json", "--site"),
    "no moments": ("pool one.json two.json --moments one.json", "no rocstats moments"),
    "markers": ("monitor one.json two.json", "a, b"),
    "no window": ("monitor one.json --marker a", "takes 1; wait for more."),
    "planned": ("monitor one.json two.json --marker a --n-planned 0", "--n-planned"),
    "level": ("monitor one.json two.json --marker a --significance 7", "--significance"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_call_gets_one_sentence_and_writes_nothing(what: str, call: Any, study: Path) -> None:
    for name in ("one", "two"):
        call("sketch", f"{name}.csv", *ROWS, "--site", name, "-o", f"{name}.json")
    call("sketch", "two.csv", "--outcome", "y", "--markers", "a", "-o", "other.json")
    call("pool", "one.json", "two.json", "-o", "pooled.json")
    Path("sums.json").write_text("{}", encoding="utf-8")
    before = {path: path.read_bytes() for path in study.iterdir()}
    words, told = BAD[what]
    code, out, err = call(*words.split())
    assert code == 2
    assert told in err
    assert "Traceback" not in err
    assert not out
    assert {path: path.read_bytes() for path in study.iterdir()} == before
