"""The report of a table: the numbers of the same rows in memory, and what it leaves out."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocstats as rs

OPTIONS: Any = {"n_resamples": 100, "r": "no", "scores": "model", "prevalence": 0.2}
NEAR = 1e-9
# What rows alone tell, and words that follow from it.
OF_ROWS = {"alerts", "analysed_sha256", "calibration", "left_out", "methods", "paired_tests"}
OF_ROWS |= {"smauc_along"}  # whose band is simulated of a covariance, known up to rounding
OF_ROWS |= {"references", "results", "sensitivity_analyses", "checklist", "tripod"}


def draw(n: int = 6000) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    y = (rng.random(n) < 0.4).astype(int)
    common = rng.normal(size=n)
    columns: dict[str, Any] = {"y": y}
    for k, name in enumerate("ab"):
        score = 1.0 / (1.0 + np.exp(-common - rng.normal(size=n) - y * (1.0 + 0.3 * k)))
        columns[name] = np.round(score, 2)
    columns["c"] = -np.minimum(np.round(np.exp(common + y)), 30.0)  # low ones speak for disease
    return columns


def differences(ours: Any, theirs: Any, path: str = "") -> list[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        names = (ours.keys() | theirs.keys()) - OF_ROWS
        pairs = [(f"{path}/{name}", ours.get(name), theirs.get(name)) for name in sorted(names)]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = [(f"{path}[{k}]", *pair) for k, pair in enumerate(zip(ours, theirs, strict=True))]
    elif isinstance(ours, float) and isinstance(theirs, float):
        return [] if ours == pytest.approx(theirs, rel=NEAR, abs=1e-12) else [path]
    else:
        return [] if ours == theirs else [path]
    return [line for where, one, other in pairs for line in differences(one, other, where)]


@pytest.fixture(scope="module")
def pages() -> tuple[Any, Any]:
    columns, options = draw(), OPTIONS | {"prespecified": {"a": 0.5, "b": 0.6}}
    up: Any = {"higher_is_positive": {"c": False}}
    table = rs.ScoredTable.scan(pa.table(columns), "y", ["a", "b", "c"], **up)
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b", "c"], **up)
    return rs.report(table, **options), rs.report(sample, **options)


def test_every_number_that_counts_tell_is_that_in_memory(pages: tuple[Any, Any]) -> None:
    ours, theirs = (page.facts for page in pages)
    found = differences(ours, theirs)
    assert found == ["/data/outcome"]  # which a table knows, and a sample does not
    bands = [facts["markers"][0]["smauc_along"] for facts in (ours, theirs)]
    assert differences(bands[0]["smauc"], bands[1]["smauc"]) == []
    assert bands[0]["critical_value"] == pytest.approx(bands[1]["critical_value"], rel=0.02)
    rows = [
        {(row["marker"], row["analysis"]): row for row in facts["sensitivity_analyses"]}
        for facts in (ours, theirs)
    ]
    assert rows[0]
    for key, row in rows[0].items():
        assert row["conf_low"] == pytest.approx(rows[1][key]["conf_low"], rel=NEAR)


def test_what_needs_rows_is_left_out_and_said(pages: tuple[Any, Any]) -> None:
    page, whole = pages
    left_out = ["calibration", "paired tests at thresholds"]
    assert [name for name in left_out if name in page.facts["left_out"]] == left_out
    assert whole.facts["left_out"] == []
    assert "Left out, as they read the row of every subject: calibration" in page.html
    assert "Left out, as they read" not in whole.html
    assert 'id="probabilities"' in page.html
    assert page.facts["markers"][0]["decision"]["model"]


def test_missing_rows_and_many_scores_are_told(tmp_path: Path) -> None:
    columns = draw(3000)
    rng = np.random.default_rng(1)
    columns["a"] = columns["a"] + 1e-6 * rng.random(3000)
    columns["a"][:40] = np.nan
    table = rs.ScoredTable.scan(
        pa.table(columns), "y", "a", nan_policy="omit", budget=500, spill=tmp_path
    )
    assert table.is_spilled
    facts = rs.report(table, **OPTIONS | {"scores": "measured"}).facts
    assert facts["flow"]["start"] == facts["data"]["n_rows"] == 3000
    assert facts["flow"]["steps"] == [{"why": "missing values (a in 40)", "n": 40}]
    assert facts["markers"][0]["quality"]["missing_share"] == pytest.approx(40 / 3000)
    known = rs.auc(columns["y"], columns["a"], nan_policy="omit").value
    assert facts["markers"][0]["estimates"]["auc"]["estimate"] == pytest.approx(known, rel=1e-13)


def test_large_studies_are_resampled_in_the_same_levels() -> None:
    columns = {name: np.tile(values, 10) for name, values in draw().items()}
    found = []
    for data in (
        rs.ScoredTable.scan(pa.table(columns), "y", ["c"], higher_is_positive=False),
        rs.ScoredSample.from_frame(columns, "y", ["c"], higher_is_positive=False),
    ):
        facts = rs.report(data, **OPTIONS | {"scores": "measured"}).facts
        found.append((facts["settings"]["levels"], facts["markers"][0]["band"]))
    assert found[0][0] == 1024
    assert differences(*found) == []


def test_clusters_have_the_numbers_that_counts_tell() -> None:
    columns = draw(2000)
    columns["eye"] = np.arange(2000) // 2
    table = rs.ScoredTable.scan(pa.table(columns), "y", ["a", "b"], cluster="eye")
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b"], cluster="eye")
    ours, theirs = (rs.report(data, **OPTIONS) for data in (table, sample))
    for one, other in zip(ours.facts["markers"], theirs.facts["markers"], strict=True):
        assert differences(one["estimates"], other["estimates"]) == []
    assert differences(ours.facts["comparisons"], theirs.facts["comparisons"]) == []
    assert "thresholds" in ours.facts["left_out"]


def test_subgroups_of_a_table_are_refused() -> None:
    table = rs.ScoredTable.scan(pa.table(draw(200)), "y", "a")
    with pytest.raises(rs.InvalidOptionError, match="scan each subgroup by itself"):
        rs.report(table, subgroup={"sex": [1] * 200})
    with pytest.raises(rs.InvalidOptionError, match="cannot be given"):
        rs.report(table, outcome="y")


def test_the_command_reads_in_batches_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rocstats.cli import main

    path, page = tmp_path / "big.parquet", tmp_path / "big.html"
    pq.write_table(pa.table(draw(2000)), path)
    call = ["report", str(path), "--outcome", "y", "--markers", "a,b", "--r", "no"]
    call += ["--n-resamples", "100", "--memory", "1GB", "--spill", str(tmp_path)]
    assert main([*call, "-o", str(page)]) == 0
    said = capsys.readouterr()
    assert "is read in batches, and its scores are counted" in said.err
    assert "Wrote" in said.out
    assert "read in batches" in page.read_text(encoding="utf-8")
    assert main([*call, "-o", str(page), "--subgroup", "c"]) == 2
    said = capsys.readouterr()
    assert "need the rows in memory" in said.err
