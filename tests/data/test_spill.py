"""Scores too many for memory: sorted in files, the same answers, and nothing left behind."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows_made import MARKERS, assert_same, draw

import rocstats as rs
from rocstats.data.blocks import slabs
from rocstats.data.held_folders import remove_dead_folders
from rocstats.data.scan import spill_folder, spilled_rows

WAIT = 60  # seconds that a process may take


def spills(folder: Path) -> list[Path]:
    return sorted(folder.glob("rocstats-spill-*"))


def scan(columns: dict[str, Any], folder: Path, markers: Any = MARKERS, **options: Any) -> Any:
    options = {"budget": 300, "spill": folder} | options
    return rs.ScoredTable.scan(pa.table(columns), "y", markers, **options)


@pytest.mark.parametrize("cluster", [None, "cluster"])
@pytest.mark.parametrize("tied", [True, False])
def test_all_measures_are_those_in_memory(tmp_path: Path, cluster: str | None, tied: bool) -> None:
    columns = draw(tied=tied)
    if tied:
        columns |= {name: np.round(columns[name], 3) for name in MARKERS}
        columns["a"] = draw(tied=False)["a"]
    up = {"b": False}
    table = scan(columns, tmp_path, cluster=cluster, budget=200, higher_is_positive=up)
    assert table.is_spilled
    assert "scores sorted in files" in repr(table)
    sample = rs.ScoredSample.from_frame(
        columns, "y", MARKERS, cluster=cluster, higher_is_positive=up
    )
    measures = (
        "auc",
        "sauc",
        rs.smooth_auc(0.5, bounds=(0, 1)),
        rs.smooth_auc(midpoint="paper", name="paper"),
        rs.smooth_auc(midpoint="class_mean", name="class_mean"),
        rs.partial_area(fpr=(0, 0.2)),
        rs.partial_area(tpr=(0.8, 1)),
    )
    assert_same(table, sample, measures)
    assert_same(table.only(["c", "a"]), sample.only(["c", "a"]), "auc")
    assert_same(table.only("c"), sample.only("c"), "sauc")
    ours, theirs = rs.compare(table).omnibus(), rs.compare(sample).omnibus()
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9)
    curves = [rs.roc_curve(data, marker="b") for data in (table, sample)]
    assert np.array_equal(curves[0].fp, curves[1].fp)
    assert np.array_equal(curves[0].threshold, curves[1].threshold)


def test_frequencies_and_missing_values_go_to_files_too(tmp_path: Path) -> None:
    columns = draw(tied=False)
    columns["w"] = np.arange(columns["y"].size) % 4
    columns["a"][5:9] = np.nan
    frequencies: Any = {"weights": "w", "weight_kind": "frequency", "nan_policy": "omit"}
    table = scan(columns, tmp_path, **frequencies)
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, **frequencies)
    assert table.is_spilled
    assert table.dropped == sample.dropped
    assert_same(table, sample, ("auc", "sauc"))


EXTREME = [0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, 1e308, -1e308, 1.0, np.nextafter(1.0, 2.0)]


@given(
    st.lists(
        st.tuples(st.one_of(st.sampled_from(EXTREME), st.floats(-3, 3)), st.booleans()),
        min_size=4,
        max_size=60,
    ),
    st.integers(2, 6),
)
def test_any_scores_are_sorted(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, bool]], budget: int
) -> None:
    score, label = np.array([s for s, _ in rows]), np.array([int(y) for _, y in rows])
    if label.all() or not label.any():
        return
    columns = {"y": label, "a": score, "b": -score}
    folder = tmp_path_factory.getbasetemp()
    table = scan(columns, folder, ["a", "b"], budget=budget)
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b"])
    for name in ("a", "b"):
        assert rs.auc(table, name).value == pytest.approx(rs.auc(sample, name).value, rel=1e-13)
        sketch = table.sketch_of(table.marker(name))
        assert np.array_equal(sketch.least(), np.unique(columns[name] + 0.0))
    if min(np.bincount(label)) > 1:
        ours, theirs = (rs.estimate(one, measures="auc").covariance for one in (table, sample))
        assert ours == pytest.approx(theirs, rel=1e-11, abs=1e-16)


def test_rows_are_shared_out_and_read_back_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spilled_rows, "_TOGETHER", 100)
    monkeypatch.setattr(spilled_rows, "_SIDE_BY_SIDE", 77)
    columns = draw(tied=False)
    pieces = [pa.table(columns).slice(s.start, s.stop - s.start) for s in slabs(3000, 130)]
    rows = pa.concat_tables(pieces)
    table = rs.ScoredTable.scan(rows, "y", MARKERS, budget=100, spill=tmp_path, cluster="cluster")
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, cluster="cluster")
    assert_same(table, sample, ("auc", "sauc"))


def test_scores_that_come_sorted_are_cut_as_well(tmp_path: Path) -> None:
    columns = draw(tied=False)
    order = np.argsort(columns["a"])
    columns = {name: column[order] for name, column in columns.items()}
    assert_same(
        scan(columns, tmp_path, "a"), rs.ScoredSample.from_frame(columns, "y", "a"), ("auc", "sauc")
    )


def test_files_are_private_and_go_with_the_table(tmp_path: Path) -> None:
    table = scan(draw(tied=False), tmp_path)
    (folder,) = spills(tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
    found = rs.estimate(table, measures="auc")
    value = found.covariance[0, 1]
    del table, found
    assert value > 0
    assert spills(tmp_path) == []


def test_errors_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = draw(tied=False)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(spill_folder, "_reserve", full)
        table = scan(columns, tmp_path)
        with pytest.raises(rs.InvalidOptionError, match=r"No space left on device.*spill="):
            rs.estimate(table, measures="auc")
        del table
    for error in (full, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)):
        with monkeypatch.context() as patch:
            patch.setattr(spilled_rows, "_sorted_marker", error)
            with pytest.raises((KeyboardInterrupt, OSError)):
                scan(columns, tmp_path)
        assert spills(tmp_path) == []
    for place, said in ((tmp_path / "nowhere", "there is none at"), (3, "must name a folder")):
        with pytest.raises(rs.InvalidOptionError, match=said):
            scan(columns, place)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    if os.getuid() == 0:  # nothing is closed to the superuser but what is no folder of a disk
        closed = Path("/proc")
    else:
        closed = tmp_path / "closed"
        closed.mkdir(mode=0o500)
    with pytest.raises(rs.InvalidOptionError, match=r"cannot be written \(.*spill="):
        scan(draw(tied=False), closed)


def test_a_source_that_changes_is_refused(tmp_path: Path) -> None:
    import duckdb

    duck = duckdb.connect()
    query = "SELECT i % 2 AS y, random() AS a FROM range(5000) r(i) WHERE random() < 0.9"
    with pytest.raises(rs.InvalidSampleError, match="gave other rows"):
        rs.ScoredTable.scan((duck, query), "y", "a", budget=64, spill=tmp_path)
    assert spills(tmp_path) == []


CODE = """
import sys, time
import rocstats as rs
table = rs.ScoredTable.scan(sys.argv[1], "y", ["a", "b"], budget=300, spill=sys.argv[2])
rs.compare(table)
print("ready", flush=True)
time.sleep(600)
"""


def started(path: Path, folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, str(path), str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    return process


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_kill_is_cleaned_up_by_the_next_and_the_living_are_let_alone(tmp_path: Path) -> None:
    path, folder = tmp_path / "rows.parquet", tmp_path / "spill"
    folder.mkdir()
    pq.write_table(pa.table(draw(tied=False)), path)
    alive, killed, stopped = (started(path, folder) for _ in range(3))
    try:
        assert len(spills(folder)) == 3
        stopped.send_signal(signal.SIGINT)
        stopped.wait(WAIT)
        killed.kill()
        killed.wait(WAIT)
        assert len(spills(folder)) == 2  # of the living, and of the killed
        (folder / "rocstats-spill-link").symlink_to(tmp_path)
        table = scan(draw(tied=False), folder)
        assert path.exists()
        held = [one for one in spills(folder) if (one / "lock").exists()]
        assert len(held) == 2  # of the living, and our own
        owners = {int((one / "lock").read_text()) for one in held}
        assert owners == {alive.pid, os.getpid()}
        del table
    finally:
        for process in (alive, killed, stopped):
            process.kill()
            process.wait(WAIT)
            if process.stdout is not None:
                process.stdout.close()


def test_a_folder_that_is_about_to_be_locked_is_let_alone(tmp_path: Path) -> None:
    young, old = tmp_path / "rocstats-spill-young", tmp_path / "rocstats-spill-old"
    for one in (young, old):
        one.mkdir()
    os.utime(old, (time.time() - 7200,) * 2)
    remove_dead_folders(tmp_path, spill_folder.PREFIX)
    assert spills(tmp_path) == [young]


def test_where_nothing_can_be_locked_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refused(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(rs.InvalidOptionError, match=r"\(No locks available\).*spill="):
        scan(draw(tied=False), tmp_path)
    assert list(tmp_path.iterdir()) == []
