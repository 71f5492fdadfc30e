"""Tables larger than memory: the same answers as in memory, from every source, or a refusal."""

import inspect
import sqlite3
import subprocess
import sys
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows_made import BAD, MARKERS, VALUE, assert_same, draw

import rocstats as rs
from rocstats.data.scan.score_keys import from_keys, to_keys
from rocstats.data.scan.sketches import count_keys, merge_sketches


@pytest.fixture(params=[True, False], ids=["tied", "distinct"])
def columns(request: pytest.FixtureRequest) -> dict[str, Any]:
    return draw(tied=request.param)


@pytest.mark.parametrize("cluster", [None, "cluster"])
@pytest.mark.parametrize("engine", ["duckdb", "pyarrow"])
def test_all_measures_are_those_in_memory(
    columns: dict[str, Any], tmp_path: Path, cluster: str | None, engine: Any
) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(columns), path)
    table = rs.ScoredTable.scan(path, "y", MARKERS, cluster=cluster, engine=engine)
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, cluster=cluster)
    assert_same(table, sample)
    assert (table.n_pos, table.n_neg) == (sample.n_pos, sample.n_neg)
    assert table.clusters_by_class() == sample.clusters_by_class()


@pytest.mark.parametrize("cluster", [None, "cluster"])
def test_comparisons_are_those_in_memory(columns: dict[str, Any], cluster: str | None) -> None:
    up = {"a": False}
    table = rs.ScoredTable.scan(
        pa.table(columns), "y", MARKERS, cluster=cluster, higher_is_positive=up
    )
    sample = rs.ScoredSample.from_frame(
        columns, "y", MARKERS, cluster=cluster, higher_is_positive=up
    )
    ours, theirs = rs.compare(table), rs.compare(sample)
    for one, other in zip(
        ours.pairwise().tests,
        theirs.pairwise().tests,
        strict=True,
    ):
        assert one.statistic == pytest.approx(other.statistic, rel=1e-9)
        assert one.pvalue == pytest.approx(other.pvalue, rel=1e-8)
        assert one.method == other.method
    assert ours.omnibus().statistic == pytest.approx(theirs.omnibus().statistic, rel=1e-9)
    margins = [c.noninferiority(0.05, new="c", standard="b").pvalue for c in (ours, theirs)]
    assert margins[0] == pytest.approx(margins[1], rel=1e-8)
    assert ours.correlation == pytest.approx(theirs.correlation, abs=1e-11)


@pytest.mark.parametrize("cluster", [None, "cluster"])
def test_few_losses_take_their_tails_from_a_second_pass(cluster: str | None) -> None:
    columns = draw(200, tied=False)
    for name in MARKERS:
        columns[name] = columns[name] / 2 + 0.42 * columns["y"]
    table = rs.ScoredTable.scan(pa.table(columns), "y", MARKERS, cluster=cluster)
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, cluster=cluster)
    ours, theirs = rs.compare(table).pairwise().tests, rs.compare(sample).pairwise().tests
    assert any("variance at the null" in test.method for test in theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert (one.method, one.contrast) == (other.method, other.contrast)
        assert (one.df, one.pvalue) == pytest.approx((other.df, other.pvalue), rel=1e-8)


def test_independent_samples_are_compared_in_and_out_of_memory(columns: dict[str, Any]) -> None:
    other = draw(seed=2)
    tables = [rs.ScoredTable.scan(pa.table(c), "y", "a") for c in (columns, other)]
    samples = [rs.ScoredSample.from_frame(c, "y", "a") for c in (columns, other)]
    known = rs.compare_independent(*map(rs.auc, samples))
    for pair in (tables, [tables[0], samples[1]], [samples[0], tables[1]]):
        found = rs.compare_independent(*map(rs.auc, pair))
        assert (found.statistic, found.df, found.pvalue) == pytest.approx(
            (known.statistic, known.df, known.pvalue), rel=1e-9
        )


def test_tables_are_not_compared_before_they_are_estimated(columns: dict[str, Any]) -> None:
    table = rs.ScoredTable.scan(pa.table(columns), "y", "a")
    with pytest.raises(rs.InvalidOptionError, match=r"such as rs\.auc gives, got ScoredTable"):
        rs.compare_independent(table, rs.auc(table))


def test_sauc_in_score_units_warns_as_in_memory() -> None:
    columns = draw(60, tied=False)
    columns["a"] = np.exp(20 * columns["a"])
    table = rs.ScoredTable.scan(pa.table(columns), "y", "a")
    sample = rs.ScoredSample.from_frame(columns, "y", "a")
    said = []
    for data in (table, sample):
        with pytest.warns(rs.SmallSampleWarning) as caught:
            rs.sauc(data).confidence_interval()
        said.append([str(one.message) for one in caught])
    assert said[0] == said[1]


def test_curves_and_points_are_those_in_memory(columns: dict[str, Any]) -> None:
    table = rs.ScoredTable.scan(pa.table(columns), "y", MARKERS, higher_is_positive={"b": False})
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, higher_is_positive={"b": False})
    for name in ("a", "b"):
        ours, theirs = (rs.roc_curve(data, marker=name) for data in (table, sample))
        assert np.array_equal(ours.fp, theirs.fp)
        assert np.array_equal(ours.threshold, theirs.threshold)
        at = [rs.operating_points(data, [0.3, 0.6], marker=name) for data in (table, sample)]
        assert at[0].to_dict() == at[1].to_dict()
    first, second = rs.partial_auc(table, (0, 0.1), marker="a"), rs.auc(table, "a")
    assert first.value < second.value


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("spilled", [True, False])
def test_points_of_clusters_are_those_in_memory(up: bool, spilled: bool, tmp_path: Path) -> None:
    columns = draw(800)
    columns["w"] = np.arange(800) % 3
    columns["a"][:5] = np.inf
    asked: list[dict[str, Any]] = [
        {"thresholds": [0.3, 0.6, 0.6, -1.0, 2.0, 0.0, np.inf, -np.inf]},
        {"sensitivity": [0.0, 0.9, 1.0]},
        {"fpr": [0.0, 0.2, 1.0]},
        {},
    ]
    for weights in ({}, {"weights": "w", "weight_kind": "frequency"}):
        options: Any = {"cluster": "cluster", "higher_is_positive": up, **weights}
        room: Any = {"budget": 20, "spill": tmp_path} if spilled else {}
        table = rs.ScoredTable.scan(pa.table(columns), "y", ["b", "a"], **options, **room)
        sample = rs.ScoredSample.from_frame(columns, "y", ["b", "a"], **options)
        assert table.is_spilled == spilled
        for places in asked:
            ours, theirs = (
                rs.operating_points(one, marker="a", prevalence=0.1, **places)
                for one in (table, sample)
            )
            numbers = theirs.to_frame().select_dtypes("number")
            found = ours.to_frame()[numbers.columns]
            np.testing.assert_allclose(found, numbers, rtol=1e-11, atol=1e-13)
            assert repr(ours) == repr(theirs)


def test_too_many_points_of_clusters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocstats.thresholds import table_clusters

    table = rs.ScoredTable.scan(pa.table(draw()), "y", "a", cluster="cluster")
    monkeypatch.setattr(table_clusters, "_MOST", 1000)
    with pytest.raises(rs.InvalidOptionError, match="too many for a table"):
        rs.operating_points(table)


class DecimalCursor(sqlite3.Cursor):
    def fetchmany(self, size: int) -> list[Any]:
        rows = super().fetchmany(size)
        if self.description[-1][0] != "rocstats_count":
            return rows
        return [(*row[:-1], Decimal(row[-1])) for row in rows]


class DecimalCounts(sqlite3.Connection):
    """A database that counts in decimals, as Oracle does."""

    def cursor(self) -> Any:
        return super().cursor(DecimalCursor)


def sources(columns: dict[str, Any], folder: Path) -> dict[str, Any]:
    table = pa.table(columns)
    half = table.num_rows // 2
    for k, part in enumerate((table.slice(0, half), table.slice(half))):
        pq.write_table(part, folder / f"part{k}.parquet")
    pacsv.write_csv(table, folder / "rows.csv")
    pq.write_to_dataset(table, folder / "hive", partition_cols=["y"])
    lite = sqlite3.connect(":memory:")
    lite.execute("CREATE TABLE scores (y INTEGER, a REAL, b REAL)")
    rows = zip(*(columns[name].tolist() for name in ("y", "a", "b")), strict=True)
    lite.executemany("INSERT INTO scores VALUES (?, ?, ?)", rows)
    lite.commit()
    decimal = sqlite3.connect(":memory:", factory=DecimalCounts)
    lite.backup(decimal)
    duck = duckdb.connect()
    duck.register("scores", table)
    return {
        "pattern": str(folder / "part*.parquet"),
        "paths": [folder / "part0.parquet", folder / "part1.parquet"],
        "csv": folder / "rows.csv",
        "hive": folder / "hive",
        "relation": duck.sql("SELECT * FROM scores"),
        "duckdb query": (duck, "SELECT * FROM scores;"),
        "sqlite query": (lite, "SELECT y, a, b FROM scores"),
        "decimal counts": (decimal, "SELECT y, a, b FROM scores"),
        "lazy": pl.from_arrow(table).lazy(),
        "frame": pl.from_arrow(table),
        "arrow": table,
        "arrow dataset": ds.dataset([folder / "part0.parquet", folder / "part1.parquet"]),
    }


@pytest.mark.parametrize("engine", ["auto", "pyarrow"])
def test_every_source_gives_the_same(columns: dict[str, Any], tmp_path: Path, engine: Any) -> None:
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b"])
    for name, source in sources(columns, tmp_path).items():
        table = rs.ScoredTable.scan(source, "y", ["a", "b"], engine=engine)
        assert (table.n_pos, table.pos_label) == (sample.n_pos, 1), name
        assert_same(table, sample, "auc")


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=60))
def test_keys_have_the_order_of_scores_and_give_them_back(values: list[float]) -> None:
    scores = np.array([*values, -0.0, 0.0, 5e-324, np.inf, -np.inf])
    keys = to_keys(scores)
    assert np.array_equal(
        np.sign(keys[:, None] - keys.astype(object)),
        np.sign((scores[:, None] > scores).astype(int) - (scores[:, None] < scores).astype(int)),
    )
    assert np.array_equal(from_keys(keys), scores)


@given(
    st.lists(st.tuples(st.floats(-3, 3), st.booleans()), min_size=4, max_size=60),
    st.integers(2, 12),
    st.integers(0, 60),
)
def test_sketches_merge_in_any_order_and_bound_the_auc(
    rows: list[tuple[float, bool]], budget: int, cut: int
) -> None:
    scores, label = np.array([s for s, _ in rows]), np.array([y for _, y in rows])
    if label.all() or not label.any():
        return
    keys = to_keys(scores)
    whole = count_keys(keys, label)
    parts = [count_keys(keys[s], label[s]).within(budget) for s in (slice(cut), slice(cut, None))]
    merged = [merge_sketches(order) for order in (parts, parts[::-1])]
    for name in ("bins", "n_pos", "n_neg"):
        assert np.array_equal(getattr(merged[0], name), getattr(merged[1], name))
    exact = whole.coarser(merged[0].shift)
    assert np.array_equal(exact.n_pos, merged[0].n_pos)
    low, high = merged[0].auc_bounds()
    area = rs.auc(label, scores, pos_label=True).value
    assert low - VALUE <= area <= high + VALUE
    assert whole.auc_bounds() == pytest.approx((area, area), rel=VALUE)


def test_large_counts_do_not_wrap() -> None:
    keys, label = to_keys(np.array([0.0, 1.0, 1.0, 2.0])), np.array([False, True, False, True])
    low, high = count_keys(keys, label, np.array([2**40, 2**41, 2**40, 2**40])).auc_bounds()
    assert (
        low
        == high
        == pytest.approx(
            (2 * 2**41 * 2**40 / 2 + 2**80 / 1 + 2**80 + 2**81 / 2 - 2**81 / 2)
            / (3 * 2**40 * 2**41),
            rel=0.4,
        )
    )


def test_minus_zero_is_zero() -> None:
    for engine in ("auto", "pyarrow"):
        rows = pa.table({"y": [1, 0, 1, 0], "s": [-0.0, 0.0, 1.0, -1.0]})
        assert rs.auc(rs.ScoredTable.scan(rows, "y", "s", engine=engine)).value == 0.875


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("engine", ["duckdb", "pyarrow"])
def test_bad_values_are_refused(case: str, engine: Any, tmp_path: Path) -> None:
    rows, sentence = BAD[case]
    pq.write_table(pa.table(rows), tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match=sentence):
        rs.ScoredTable.scan(tmp_path / "rows.parquet", "y", "s", engine=engine)


def test_missing_rows_are_left_out_of_all_markers_and_counted(tmp_path: Path) -> None:
    columns = draw()
    columns["a"][:7], columns["b"][5:9] = np.nan, np.nan
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, nan_policy="omit")
    for engine in ("duckdb", "pyarrow"):
        table = rs.ScoredTable.scan(
            tmp_path / "rows.parquet",
            "y",
            MARKERS,
            nan_policy="omit",
            engine=engine,
        )
        assert table.dropped == sample.dropped
        assert_same(table, sample, "auc")


def test_frequencies_count_rows_so_often() -> None:
    columns = draw()
    columns["w"] = np.arange(columns["y"].size) % 4
    table = rs.ScoredTable.scan(
        pa.table(columns), "y", MARKERS, weights="w", weight_kind="frequency"
    )
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, weights="w", weight_kind="frequency")
    assert_same(table, sample)
    with pytest.raises(rs.InvalidOptionError, match="probability weights belong"):
        rs.ScoredTable.scan(pa.table(columns), "y", "a", weights="w")


@pytest.mark.parametrize("kind", ["frequency", "probability", "survey"])
def test_a_kind_of_weights_without_weights_is_refused_as_in_memory(kind: Any) -> None:
    rows = {"y": [0, 1, 1], "s": [0.1, 0.2, 0.3]}
    said = []
    for take in (rs.ScoredTable.scan, rs.ScoredSample.from_frame):
        with pytest.raises(rs.RocstatsError) as refused:
            take(pa.table(rows), "y", "s", weight_kind=kind)
        said.append((refused.type, str(refused.value)))
    assert said[0] == said[1]


def test_files_that_do_not_agree_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"y": [1, 0], "s": [0.5, 0.25]}), tmp_path / "a.parquet")
    for name, rows, sentence in (
        ("text", {"y": [1, 0], "s": ["0.5", "0.25"]}, "do not agree on 's'"),
        ("gone", {"y": [1, 0]}, "has no column 's'"),
    ):
        pq.write_table(pa.table(rows), tmp_path / "b.parquet")
        for engine in ("duckdb", "pyarrow"):
            with pytest.raises(rs.InvalidSampleError, match=sentence):
                rs.ScoredTable.scan(tmp_path, "y", "s", engine=engine)
        assert name
    narrow = pa.table({"y": pa.array([1, 0], pa.int32()), "s": pa.array([0.5, 0.75], pa.float32())})
    pq.write_table(narrow, tmp_path / "b.parquet")
    for engine in ("duckdb", "pyarrow"):
        table = rs.ScoredTable.scan(tmp_path, "y", "s", engine=engine)
        assert rs.auc(table).value == 0.5


def test_a_dataset_of_files_that_do_not_agree_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"y": [1, 0], "s": [0.5, 0.25]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"y": [1, 0], "s": ["0.5", "0.25"]}), tmp_path / "b.parquet")
    with pytest.raises(rs.InvalidSampleError, match="do not agree on 's'"):
        rs.ScoredTable.scan(ds.dataset(tmp_path), "y", "s")


def test_rows_that_are_given_once_are_refused() -> None:
    table = pa.table({"y": [1, 0], "s": [0.5, 0.25]})
    with pytest.raises(rs.InvalidOptionError, match="gives its rows once"):
        rs.ScoredTable.scan(table.to_reader(), "y", "s")
    with pytest.raises(rs.InvalidOptionError, match="scanned from a path"):
        rs.ScoredTable.scan(ds.dataset(table).scanner(), "y", "s")


def test_a_third_label_in_a_later_file_is_refused(tmp_path: Path) -> None:
    for k, label in enumerate((0, 2)):
        pq.write_table(pa.table({"y": [1, label], "s": [0.5, 0.2]}), tmp_path / f"{k}.parquet")
    with pytest.raises(rs.InvalidSampleError, match="two classes, got 3"):
        rs.ScoredTable.scan(tmp_path, "y", "s")


def test_decimals_are_numbers() -> None:
    from decimal import Decimal

    rows = pa.table({"y": [1, 0, 0], "s": pa.array([Decimal("0.125"), Decimal("0.1"), Decimal(2)])})
    assert rs.auc(rs.ScoredTable.scan(rows, "y", "s")).value == 0.5


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    rows = pa.table({"y": np.arange(4000) % 2, "s": np.linspace(0, 1, 4000)})
    plain: Any = {"compression": "none", "use_dictionary": False}
    pq.write_table(rows, path, write_page_checksum=True, **plain)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    for engine in ("duckdb", "pyarrow"):
        with pytest.raises(rs.InvalidSampleError, match="cannot be read"):
            rs.ScoredTable.scan(path, "y", "s", engine=engine)
    spoilt = bytearray(whole)
    where = whole.index(rows["s"].to_numpy()[2000:2001].tobytes())
    spoilt[where : where + 2] = b"\x01\x02"
    path.write_bytes(bytes(spoilt))
    with pytest.raises(rs.InvalidSampleError, match="cannot be read"):
        rs.ScoredTable.scan(path, "y", "s", verify=True)
    path.write_bytes(whole)
    assert rs.auc(rs.ScoredTable.scan(path, "y", "s", verify=True)).value > 0.5


def test_a_bad_cell_late_in_a_csv_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    lines = ["y,s", *(f"{k % 2},{k / 40000}" for k in range(40000)), "1,n/a"]
    path.write_text("\n".join(lines), encoding="utf-8")
    for engine in ("duckdb", "pyarrow"):
        with pytest.raises(rs.InvalidSampleError):
            rs.ScoredTable.scan(path, "y", "s", engine=engine)


def test_nothing_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "no*.parquet", "nothing.csv"):
        with pytest.raises(rs.InvalidSampleError, match=r"is empty;|matches nothing"):
            rs.ScoredTable.scan(source, "y", "s")
    (tmp_path / "a.xlsx").write_bytes(b"")
    with pytest.raises(rs.InvalidSampleError, match="Parquet or from CSV"):
        rs.ScoredTable.scan(tmp_path / "a.xlsx", "y", "s")
    with pytest.raises(rs.InvalidOptionError, match="A table is scanned from"):
        rs.ScoredTable.scan(3, "y", "s")


def test_a_source_that_changes_is_refused() -> None:
    duck = duckdb.connect()
    duck.execute(
        "CREATE TABLE t AS SELECT i % 2 AS y, i % 50 AS a, i % 49 AS b FROM range(5000) r(i)"
    )
    table = rs.ScoredTable.scan((duck, "SELECT * FROM t"), "y", ["a", "b"])
    duck.execute("UPDATE t SET b = 99 WHERE a = 3")
    with pytest.raises(rs.InvalidSampleError, match="gave other rows"):
        rs.compare(table)
    table = rs.ScoredTable.scan((duck, "SELECT * FROM t -- all of it"), "y", ["a", "b"])
    duck.execute("UPDATE t SET a = 4 WHERE a = 8")  # scores that are known, by class
    with pytest.raises(rs.InvalidSampleError, match="gave other rows"):
        rs.compare(table)
    sampled = (duck, "SELECT y, a, b FROM t WHERE random() < 0.5")
    with pytest.raises(rs.InvalidSampleError, match="gave other rows"):
        rs.compare(rs.ScoredTable.scan(sampled, "y", ["a", "b"]))


def test_what_needs_rows_says_so(columns: dict[str, Any]) -> None:
    table = rs.ScoredTable.scan(pa.table(columns), "y", MARKERS)
    calls = [
        lambda: rs.venkatraman_test(table.only(["a", "b"])),
        lambda: rs.permutation_test(rs.compare(table.only(["a", "b"]))),
        lambda: rs.auc(table, "a").influence.values,
        lambda: rs.kernel_curve(table, marker="a"),
        lambda: table.subset(np.array([True])),
        lambda: rs.bootstrap(rs.compare(table)),
    ]
    for call in calls:
        with pytest.raises(rs.InvalidOptionError, match="reads the row of every subject"):
            call()


def test_polars_and_duckdb_are_not_imported_before_they_are_needed() -> None:
    code = "import sys, rocstats; rocstats.ScoredTable; print('duckdb' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_bins_of_scores_are_said_and_bound_the_area() -> None:
    columns = draw(tied=False)
    rows = pa.table(columns)
    table = rs.ScoredTable.scan(
        rows, "y", MARKERS, budget=64, exact=False, higher_is_positive={"b": False}
    )
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, higher_is_positive={"b": False})
    assert not table.is_exact
    assert "not exact: a counted in" in repr(table)
    for name in MARKERS:
        for measure in ("auc", rs.partial_area(fpr=(0, 0.1)), rs.partial_area(tpr=(0.8, 1))):
            found = rs.estimate(table.only(name), measures=measure)[0]
            known = rs.estimate(sample.only(name), measures=measure)[0]
            low, high = found.details["value_low"], found.details["value_high"]
            assert low <= known.value <= high
            assert high - low < 0.1
            assert found.to_dict()["exact"] is False
            assert "not exact" in repr(found)
            if measure == "auc":
                assert found.std_error == pytest.approx(known.std_error, rel=0.02)
        curve, whole = (rs.roc_curve(data, marker=name) for data in (table, sample))
        points = {*zip(whole.fp.tolist(), whole.tp.tolist(), strict=True)}
        assert points.issuperset(zip(curve.fp.tolist(), curve.tp.tolist(), strict=True))
        at = whole.at(threshold=curve.threshold[1:])
        assert np.array_equal(at.tpr, curve.tpr[1:])
    for measure in ("sauc", "smauc", rs.smooth_auc(midpoint="paper")):
        with pytest.raises(rs.ScoreRangeError, match="counted in bins"):
            rs.estimate(table, measures=measure)
    assert "left out" in repr(rs.estimate(table.only("a")))
    assert "not exact" in repr(rs.compare(table))


@pytest.mark.parametrize("up", [True, False])
def test_resamples_of_cells_are_those_in_memory(up: bool) -> None:
    columns = draw(6000)
    data = (
        rs.ScoredTable.scan(pa.table(columns), "y", "a", higher_is_positive=up),
        rs.ScoredSample.from_frame(columns, "y", "a", higher_is_positive=up),
    )
    draws = rs.Bootstrap(n_resamples=40, rng=1)
    for measure in ("auc", "sauc", "smauc", rs.partial_area(fpr=(0, 0.2))):
        ours, theirs = (
            rs.bootstrap(rs.estimate(one, measures=measure)[0], resampling=draws) for one in data
        )
        assert np.array_equal(ours.replicates, theirs.replicates)
        for method in ("percentile", "bca"):
            limits = [[*one.confidence_interval(method=method)] for one in (ours, theirs)]
            assert limits[0] == pytest.approx(limits[1], rel=1e-9)
    cuts = [rs.optimal_cutpoint(one, resampling=draws).to_dict() for one in data]
    assert cuts[0] == cuts[1]
    rates = [rs.sensitivity_at(one, 0.9, resampling=draws).to_dict() for one in data]
    assert rates[0] == rates[1]


@pytest.mark.parametrize("up", [True, False])
def test_decisions_and_calibration_are_those_in_memory(columns: dict[str, Any], up: bool) -> None:
    table = rs.ScoredTable.scan(pa.table(columns), "y", ["a", "b"], higher_is_positive=up)
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b"], higher_is_positive=up)
    cuts = [0.1, 0.3, 0.5]
    for options in ({}, {"prevalence": 0.2}, {"standardized": True}):
        ours, theirs = (
            rs.decision_curve(data, markers="a", thresholds=cuts, **options)
            for data in (table, sample)
        )
        assert np.array_equal(ours.net_benefit, theirs.net_benefit)
        assert ours.covariance == pytest.approx(theirs.covariance, rel=1e-12)
    with pytest.raises(rs.InvalidOptionError, match="reads the row of every subject"):
        rs.decision_curve(table, thresholds=cuts)
    for strategy in ("quantile", "uniform"):
        found, known = (
            rs.calibration_curve(data, marker="a", strategy=strategy) for data in (table, sample)
        )
        assert np.array_equal(found.n, known.n)
        assert np.array_equal(found.n_pos, known.n_pos)
        assert found.predicted == pytest.approx(known.predicted, rel=VALUE)
        assert found.conf_low == pytest.approx(known.conf_low, rel=1e-11)
        with pytest.raises(rs.InvalidOptionError, match="reads the row of every subject"):
            found.error_indices()


# Its resamples are of rows in memory, and of cells here; a sketch is a table, and no answer.
OTHERWISE = {"optimal_cutpoint", "sketch"}


def test_every_call_on_a_table_is_that_in_memory_or_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    y = (rng.random(3000) < 0.4).astype(int)
    p = np.round(1.0 / (1.0 + np.exp(-rng.normal(size=3000) - y)), 3)
    pq.write_table(pa.table({"y": y, "p": p}), tmp_path / "p.parquet")
    table = rs.ScoredTable.scan(tmp_path / "p.parquet", "y", "p")
    sample = rs.ScoredSample.from_arrays(y, {"p": p})
    answered = set()
    for name in sorted(set(rs.__all__) - OTHERWISE):
        call = getattr(rs, name)
        if not inspect.isfunction(call):
            continue
        try:
            found = call(table)
        except rs.RocstatsError:
            continue
        known = call(sample).to_frame()
        numbers = known.select_dtypes("number").columns
        assert found.to_frame().shape == known.shape
        np.testing.assert_allclose(
            found.to_frame()[numbers], known[numbers], rtol=1e-11, atol=1e-13
        )
        answered.add(name)
    assert {"auc", "sauc", "smauc", "roc_curve", "decision_curve", "roc_band"} <= answered


BINNED = (
    "auc",
    rs.partial_area(fpr=(0, 0.3)),
    rs.partial_area(fpr=(0.2, 0.6)),
    rs.partial_area(tpr=(0.5, 1)),
    rs.partial_area(tpr=(0.3, 0.8), standardized=True),
)


@given(
    st.lists(
        st.tuples(st.integers(-40, 40), st.integers(-40, 40), st.booleans()),
        min_size=6,
        max_size=80,
    ),
    st.integers(2, 12),
    st.sampled_from(BINNED),
    st.booleans(),
)
def test_standard_errors_and_covariances_are_within_the_bounds_of_bins(
    rows: list[tuple[int, int, bool]], budget: int, measure: Any, up: bool
) -> None:
    label = np.array([int(y) for _, _, y in rows])
    if min(np.bincount(label, minlength=2)) < 2:
        return
    columns = {"y": label, "a": np.array([a for a, _, _ in rows]) / 7.0}
    columns["b"] = np.array([b for _, b, _ in rows]) / 7.0 + 9.0
    table = rs.ScoredTable.scan(
        pa.table(columns), "y", ["a", "b"], budget=budget, exact=False, higher_is_positive=up
    )
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b"], higher_is_positive=up)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = (rs.estimate(one, measures=measure) for one in (table, sample))
        for found, known in zip(ours, theirs, strict=True):
            told = found.details
            if "exact" not in told:
                assert found.std_error == pytest.approx(known.std_error, rel=1e-9, abs=1e-12)
                continue
            room = 1e-12
            assert told["value_low"] - room <= known.value <= told["value_high"] + room
            assert told["std_error_low"] - room <= known.std_error <= told["std_error_high"] + room
            assert told["std_error_low"] <= found.std_error <= told["std_error_high"]
        apart = np.abs(ours.covariance - theirs.covariance)
        bound = ours.covariance_bound
    assert (apart <= (0.0 if bound is None else bound) + 1e-12).all()


def test_bounds_of_bins_are_no_wider_than_the_worst_case_asks_for() -> None:
    score = np.array([1.0] * 10 + [1.4] * 10 + [1.2] * 20)
    columns = {"y": np.array([1] * 20 + [0] * 20), "a": score}
    table = rs.ScoredTable.scan(pa.table(columns), "y", "a", budget=2, exact=False)
    truth = rs.auc(rs.ScoredSample.from_frame(columns, "y", "a")).std_error
    told = rs.auc(table).details
    assert truth <= told["std_error_high"] < 1.5 * truth  # errors of 2/5 as much would not reach it


@pytest.mark.parametrize("up", [True, False])
def test_a_curve_in_bins_answers_at_their_edges_only(up: bool) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 2000)
    s = (rng.normal(size=2000) + y) * (1.0 if up else -1.0)
    options: dict[str, Any] = {"exact": False, "budget": 40, "higher_is_positive": up}
    table = rs.ScoredTable.scan(pa.table({"y": y, "s": s}), "y", "s", **options)
    curve, sketch = rs.roc_curve(table), table.sketch_of(0)
    low, high = sketch.least(), sketch.largest()
    edges, inside = (low, high) if up else (high, low)
    between = np.nextafter(edges, -np.inf if up else np.inf)
    for asked in (*edges, *between[~np.isin(between, inside)], 0.0, np.inf, -np.inf):
        called = s >= asked if up else s <= asked
        found = curve.at(threshold=asked)
        assert found.tpr == called[y == 1].mean()
        assert found.fpr == called[y == 0].mean()
    for asked in (*inside, *(0.5 * (low + high))):
        with pytest.raises(rs.InvalidOptionError) as told:
            table.check_edges(0, np.array([asked]))
        with pytest.raises(rs.InvalidOptionError) as said:
            curve.at(threshold=asked)
        assert str(said.value) == str(told.value)
