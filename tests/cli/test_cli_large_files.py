"""Files that are read in batches: the same answers, said so; what needs rows is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Call

from rocstats.cli import large_files

BASIC = ("--outcome", "ill", "--markers", "a,b")


@pytest.fixture
def rows(call: Call) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    ill = rng.integers(0, 2, 8000)
    columns: dict[str, Any] = {"ill": ill, "word": np.where(ill == 1, "yes", "no")}
    for name in ("a", "b"):
        columns[name] = np.round(rng.normal(size=8000) + ill, 1)
    pq.write_table(pa.table(columns), "rows.parquet")
    return columns


@pytest.mark.parametrize("command", ["auc", "compare"])
def test_answers_are_those_of_a_small_file(call: Call, rows: Any, command: str) -> None:
    small = call(command, "rows.parquet", *BASIC, "--json")
    large = call(command, "rows.parquet", *BASIC, "--json", "--memory", "1GB")
    assert (small.code, large.code) == (0, 0)
    assert "is read in batches" in large.err
    found, known = json.loads(large.out), json.loads(small.out)
    for name in ("estimates", "pairwise"):
        for one, other in zip(found.get(name, []), known.get(name, []), strict=True):
            assert one["estimate"] == pytest.approx(other["estimate"], rel=1e-12)
            assert one["std_error"] == pytest.approx(other["std_error"], rel=1e-11)


def test_thresholds_of_a_large_file(call: Call, rows: Any) -> None:
    given = ("rows.parquet", "--outcome", "ill", "--markers", "a", "--n-resamples", "20", "--json")
    found = [
        json.loads(call("thresholds", *given, *more).out) for more in ((), ("--memory", "1GB"))
    ]
    assert found[0] == found[1]


def test_the_size_of_a_file_decides(call: Call, rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "batches" not in call("auc", "rows.parquet", *BASIC).err
    monkeypatch.setattr(large_files, "LARGE", 100)
    assert "is read in batches" in call("auc", "rows.parquet", *BASIC).err
    rows |= {"who": np.arange(8000), "site": np.arange(8000) % 2}
    pq.write_table(pa.table(rows), "rows.parquet")
    whole = ("--memory", "all"), ("--subject", "who"), ("--adjust-for", "site")
    for given in whole:  # what nobody asked to be read in batches is read as any other file
        found = call("auc", "rows.parquet", "--outcome", "ill", "--markers", "a", *given)
        assert (found.code, "batches" in found.err) == (0, False)
    with monkeypatch.context() as bare:
        bare.setattr(large_files, "is_installed", lambda library: False)
        assert "batches" not in call("auc", "rows.parquet", *BASIC).err
    Path("parts").mkdir()
    pq.write_table(pa.table(rows), "parts/one.parquet")
    folder = call("auc", "parts", "--outcome", "word", "--positive", "yes", "--markers", "a")
    assert (folder.code, "yes" in folder.out) == (0, True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--memory", "much"), "--memory must be a size such as 1GB"),
        (("--memory", "1GB", "--subject", "b"), "--subject needs the rows in memory"),
        (("--memory", "1GB", "--adjust-for", "b"), "need the rows in memory"),
        (("--memory", "1GB", "--weights", "b"), "how often each row counts"),
        (("--memory", "1GB", "--positive", "inf"), "--positive inf is not among the labels"),
        (("--memory", "1GB", "--positive", "nan"), "--positive nan is not among the labels"),
    ],
)
def test_what_a_table_cannot_is_refused(
    call: Call, rows: Any, options: tuple[str, ...], sentence: str
) -> None:
    found = call("auc", "rows.parquet", *BASIC, *options)
    assert found.code == 2
    assert sentence in found.err
    assert "Traceback" not in found.err
