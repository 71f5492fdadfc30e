"""What every engine of rows is asked, in a process of its own: engine_run.py ENGINE FOLDER.

R, Java, DuckDB and Ray do not bear each other in one process.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rows_made
from rows_made import MARKERS, assert_same, draw

import rocstats as rs
from rocstats.data.scan import table_reading

ROWS = 100_000
SEVERAL = ("auc", "sauc", rs.partial_area(fpr=(0, 0.2)))
SOME = ("null", "nan", "text", "integers", "three classes")
Read = Callable[[Path], Any]  # a Parquet file as a frame of the engine


def write(columns: Any, path: Path, parts: int = 5) -> Path:
    table = pa.table(columns)
    pq.write_table(table, path, row_group_size=max(table.num_rows // parts, 1))
    return path


def refusal(ask: Callable[[], Any]) -> str:
    """Return the sentence of a refusal; anything else, and more than a line, is an error."""
    with pytest.raises(rs.RocstatsError) as caught:
        ask()
    said = f"{caught.type.__name__}: {caught.value}"
    assert "\n" not in said, said
    return said


def check_answers(read: Read, folder: Path) -> None:
    """Answers are those in memory: tied and distinct scores, and clusters."""
    for tied, cluster in ((True, None), (False, None), (False, "cluster")):
        columns = draw(ROWS, tied=tied)
        source = read(write(columns, folder / f"{tied}{cluster}.parquet"))
        table = rs.ScoredTable.scan(source, "y", MARKERS, cluster=cluster)
        sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, cluster=cluster)
        assert (table.n_pos, table.n_neg) == (sample.n_pos, sample.n_neg)
        assert table.clusters_by_class() == sample.clusters_by_class()
        assert_same(table, sample, SEVERAL if tied else "auc")
    names = columns | {"wide a.b": columns["a"]}
    table = rs.ScoredTable.scan(read(write(names, folder / "names.parquet")), "y", "wide a.b")
    assert rs.auc(table).value == rs.auc(sample, "a").value


def check_missing(read: Read, folder: Path) -> None:
    columns = draw(3000)
    columns["a"][:7], columns["b"][5:9] = np.nan, np.nan
    columns["w"] = np.arange(3000) % 4
    options = {"weights": "w", "weight_kind": "frequency", "nan_policy": "omit"}
    source = read(write(columns, folder / "missing.parquet"))
    table = rs.ScoredTable.scan(source, "y", MARKERS, **options)
    sample = rs.ScoredSample.from_frame(columns, "y", MARKERS, **options)
    assert table.dropped == sample.dropped
    assert_same(table, sample, "auc")


def check_refusals(read: Read, folder: Path, engine: str) -> None:
    """A bad value is refused by the sentence that local rows get."""
    slow = engine in ("spark", "ray")  # seconds for a scan
    for name in SOME if slow else rows_made.BAD:
        rows = rows_made.BAD[name][0]
        path = write(rows, folder / f"bad {name}.parquet", parts=2)
        said = refusal(lambda path=path: rs.ScoredTable.scan(read(path), "y", "s"))
        local = refusal(lambda rows=rows: rs.ScoredTable.scan(pa.table(rows), "y", "s"))
        assert said == local, f"{name}: {said}"


def check_placed(read: Read, folder: Path) -> None:
    """More distinct scores than the budget: workers place the rows, range by range, exactly."""
    columns = draw(3000, tied=False)
    columns["b"] = -columns["b"]
    columns["b"][::5] = -0.3  # many ties beside distinct scores, the low ones for the positives
    columns["few"], columns["w"] = np.round(columns["a"], 1), np.arange(3000) % 4
    columns["a"][:5] = np.nan
    source = read(write(columns, folder / "placed.parquet"))
    given = {
        "outcome": "y",
        "markers": ["few", "b", "a"],
        "higher_is_positive": {"few": True, "b": False, "a": True},
        "nan_policy": "omit",
        "weights": "w",
        "weight_kind": "frequency",
    }
    sample = rs.ScoredSample.from_frame(columns, **given)
    table = rs.ScoredTable.scan(source, budget=600, **given)
    assert repr(table).endswith("; scores placed on the workers")
    assert_same(table, sample, "auc")


def check_placed_clusters(read: Read, folder: Path) -> None:
    """The same with clusters; some of the markers, and what few scores tell."""
    columns = draw(3000, tied=False)
    columns["few"] = np.round(columns["a"], 1)
    given = {"outcome": "y", "markers": ["few", "b", "a"], "cluster": "cluster"}
    source = read(write(columns, folder / "clusters.parquet"))
    sample = rs.ScoredSample.from_frame(columns, **given)
    table = rs.ScoredTable.scan(source, budget=600, **given)
    assert_same(table, sample, "auc")
    assert_same(table.only(["a", "few"]), sample.only(["a", "few"]), "auc")
    assert_same(table.only("few"), sample.only("few"), SEVERAL)


def check_placed_change(read: Read, folder: Path) -> None:
    """Rows that differ when they are placed give no answer."""
    columns = draw(2000, tied=False)
    path = write(columns, folder / "first.parquet")
    real = table_reading.place_rows

    def changed(source: Any, *given: Any, **options: Any) -> Any:
        return real(type(source)(read(other)), *given, **options)

    for other in ({**columns, "a": columns["a"] + 0.01}, {**columns, "a": columns["b"]}):
        other = write(other, folder / "other.parquet")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_reading, "place_rows", changed)
            said = refusal(lambda: rs.ScoredTable.scan(read(path), "y", ["c", "a"], budget=200))
        assert "other rows the second time" in said


def check_budget(read: Read, folder: Path) -> None:
    """More distinct scores than the budget: bounds, or files of this machine."""
    columns = draw(3000, tied=False)
    source = read(write(columns, folder / "many.parquet"))
    options = {"outcome": "y", "markers": ["a", "b"], "budget": 200}
    sample = rs.ScoredSample.from_frame(columns, "y", ["a", "b"])
    bounded = rs.auc(rs.ScoredTable.scan(source, exact=False, **options), "a")
    assert bounded.details["exact"] is False
    low, high = bounded.details["value_low"], bounded.details["value_high"]
    assert low < rs.auc(sample, "a").value < high
    assert_same(rs.ScoredTable.scan(source, spill=folder, **options), sample, "auc")


def check_change(read: Read, folder: Path) -> None:
    """A source that gives other rows in the second pass gives no answer."""
    path = write(draw(3000), folder / "changing.parquet")
    table = rs.ScoredTable.scan(read(path), "y", ["a", "b"])
    write(draw(3000, seed=2), path)
    refusal(lambda: rs.compare(table))


def check_backend() -> None:
    """Bootstrap, permutation and a study give the same bits on workers of joblib's backend."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 20)
    scores = {"a": y + rng.normal(size=40), "b": y + rng.normal(size=40)}
    sample = rs.ScoredSample.from_arrays(y, scores)
    design = rs.two_sample_design("laplace", effect=1.0, n_pos=5, n_neg=9)

    def ask(n_jobs: int) -> tuple[bytes, float, bytes]:
        drawn = rs.bootstrap(
            rs.auc(sample, "a"), resampling=rs.Bootstrap(n_resamples=600, rng=1, n_jobs=n_jobs)
        )
        permuted = rs.permutation_test(
            sample, resampling=rs.Permutation(n_resamples=600, rng=1, n_jobs=n_jobs)
        )
        study = rs.power_study(design, tests=["auc"], n_replicates=600, rng=1, n_jobs=n_jobs)
        return drawn.replicates.tobytes(), permuted.pvalue, study.cells[0].pvalues.tobytes()

    with joblib.parallel_config(backend="sequential"):
        alone = ask(1)
    assert ask(2) == alone


# ------------------------------------------------------------------------------ the engines


@contextmanager
def dask_engine(folder: Path) -> Iterator[Read]:
    import dask.dataframe as dd

    with dask_cluster():
        yield lambda path: dd.read_parquet(path, split_row_groups=True)


@contextmanager
def dask_cluster() -> Iterator[None]:
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit="1GB"
        ) as cluster,
        distributed.Client(cluster),
    ):
        yield


@contextmanager
def spark_engine(folder: Path) -> Iterator[Read]:
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.memory": "1g",
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.files.maxPartitionBytes": "512k",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield lambda path: session.read.parquet(str(path))
    finally:
        session.stop()


@contextmanager
def ray_engine(folder: Path) -> Iterator[Read]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    import ray.data

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=150 * 2**20,
        logging_level="ERROR",
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield lambda path: ray.data.read_parquet(str(path)).repartition(3)  # else one block
    finally:
        ray.shutdown()


@contextmanager
def ibis_engine(folder: Path) -> Iterator[Read]:
    import ibis

    connection = ibis.duckdb.connect()
    yield lambda path: connection.read_parquet(path)


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server of its own, by a user who is not root, and stop it whatever happens."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = shutil.which("initdb") or str(programs[-1] / "initdb")
    folder = Path(tempfile.mkdtemp(prefix="rocstats-pg-"))
    who = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    if who:
        shutil.chown(folder, "postgres", "postgres")
    data, log = folder / "data", folder / "log"
    control = [str(Path(found).resolve().parent / "pg_ctl"), "-D", str(data), "-l", str(log), "-w"]

    def run(*command: str) -> None:
        subprocess.run(
            command, check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=120, **who
        )

    try:
        run(found, "-D", str(data), "--auth=trust", "--username=tester", "--no-sync")
        run(*control, "-o", f"-k {folder} -c listen_addresses='' -c fsync=off", "start")
        try:
            yield f"host={folder} user=tester dbname=postgres"
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_engine(folder: Path) -> Iterator[Read]:
    import psycopg
    import sqlalchemy

    kinds = {"int64": "bigint", "double": "double precision", "string": "text", "bool": "boolean"}

    with postgres_server() as address, psycopg.connect(address) as connection:

        def read(path: Path) -> tuple[Any, str]:
            rows = pq.read_table(path)
            name = f'"{path.stem}"'
            columns = ", ".join(f'"{f.name}" {kinds.get(str(f.type), "text")}' for f in rows.schema)
            connection.execute(f"DROP TABLE IF EXISTS {name}")
            connection.execute(f"CREATE TABLE {name} ({columns})")
            with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
                for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
                    copy.write_row(row)
            connection.commit()
            return connection, f"SELECT * FROM {name}"

        yield read
        table = rs.ScoredTable.scan(read(write(draw(3000), folder / "again.parquet")), "y", "a")
        url = sqlalchemy.URL.create(
            "postgresql+psycopg",
            username="tester",
            database="postgres",
            query={"host": address.split()[0].removeprefix("host=")},
        )
        engine = sqlalchemy.create_engine(url)
        with engine.connect() as alchemy:
            for one in (engine, alchemy):
                again = rs.ScoredTable.scan((one, 'SELECT * FROM "again"'), "y", ["a", "b"])
                assert rs.auc(again, "a").value == rs.auc(table).value
                assert rs.compare(again).covariance.shape == (2, 2)
        engine.dispose()


# ------------------------------------------------------------------------------ what is lost


def check_killed_worker(read: Read, folder: Path) -> None:
    """A worker of Dask that is killed is replaced, and the answer is the same; or there is none."""
    import dask
    import dask.dataframe as dd
    import pandas as pd

    columns = draw(ROWS)
    frame = pd.DataFrame(columns)
    parts = [frame.iloc[i::8] for i in range(8)]
    flag = folder / "killed"

    def scan() -> rs.ScoredTable:
        paths = [folder / f"part{i}.parquet" for i in range(8)]
        for part, path in zip(parts, paths, strict=True):
            part.to_parquet(path)
        rows = dd.from_map(load_or_die, paths, flag=flag, meta=frame.iloc[:0])
        return rs.ScoredTable.scan(rows, "y", MARKERS)

    table = scan()
    assert flag.exists()
    flag.unlink()  # one more in the second pass
    assert_same(table, rs.ScoredSample.from_frame(columns, "y", MARKERS), "auc")
    assert flag.exists()
    flag.unlink()
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), dask_cluster():
        said = refusal(scan)
    assert said.startswith("LostWorkersError: Dask did not finish the work, so there is no answer")


def load_or_die(path: Path, flag: Path) -> Any:
    import pandas as pd

    if path.stem == "part3" and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return pd.read_parquet(path)


def _fail(rows: Any) -> Any:
    raise MemoryError("no memory is left")


def check_lost_spark(read: Read, folder: Path) -> None:
    frame = read(write(draw(300), folder / "lost.parquet"))
    broken = frame.mapInArrow(_fail, frame.schema)
    said = refusal(lambda: rs.ScoredTable.scan(broken, "y", "a"))
    assert said.startswith("LostWorkersError: Spark did not finish the work"), said
    from joblibspark import register_spark

    register_spark()
    with joblib.parallel_config(backend="spark", n_jobs=2):
        check_backend()


def check_lost_ray(read: Read, folder: Path) -> None:
    rows = read(write(draw(300), folder / "lost.parquet"))
    said = refusal(lambda: rs.ScoredTable.scan(rows.map_batches(_fail), "y", "a"))
    assert said.startswith("LostWorkersError: Ray did not finish the work"), said
    from ray.util.joblib import register_ray

    register_ray()
    with joblib.parallel_config(backend="ray", n_jobs=2):
        check_backend()


LOCAL = (check_answers, check_missing, check_refusals)
SPREAD = (*LOCAL, check_budget, check_placed, check_change)
ENGINES: dict[str, Any] = {
    "dask": (
        dask_engine,
        (*SPREAD, check_placed_clusters, check_placed_change, check_killed_worker),
    ),
    "spark": (spark_engine, (*SPREAD, check_lost_spark)),
    "ray": (ray_engine, (*SPREAD, check_lost_ray)),
    "ibis": (ibis_engine, (*LOCAL, check_change)),
    "postgres": (postgres_engine, LOCAL),
}


def main(engine: str, folder: Path) -> None:
    warnings.simplefilter("ignore")  # of the engines' own; those of rocstats are tested elsewhere
    start, checks = ENGINES[engine]
    begun = time.monotonic()
    with start(folder) as read:
        for check in checks:
            options = {"engine": engine} if check is check_refusals else {}
            check(read, folder, **options)
            print(check.__name__, round(time.monotonic() - begun), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
