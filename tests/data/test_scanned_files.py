"""Files that do not go together, or are not what they seem: the answer in memory, or a refusal."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import rocstats as rs

ENGINES = ("duckdb", "pyarrow")
N = 40
Y = np.arange(N) % 2
S = np.round(np.random.default_rng(3).random(N) * 3 + Y, 2)
HALF = N // 2


def texts(columns: dict[str, Any], separator: str = ",") -> str:
    rows = zip(*columns.values(), strict=True)
    lines = [separator.join(columns), *(separator.join(map(str, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def scanned(source: Any, engine: Any, **options: Any) -> rs.ScoredTable:
    return rs.ScoredTable.scan(source, "y", "s", engine=engine, **options)


def decimals(values: Any, digits: int) -> pa.Array:
    given = [Decimal(str(round(value, digits))) for value in values.tolist()]
    return pa.array(given, pa.decimal128(12, digits))


NARROW = {
    "whole numbers": lambda values: np.rint(values).astype(np.int64),
    "small whole numbers": lambda values: np.rint(values).astype(np.int8),
    "floats": lambda values: (values + 1e-9).astype(np.float32),
    "truths": lambda values: values > 2.0,
    "decimals": lambda values: decimals(values, 1),
}
WIDE = {
    "doubles": lambda values: values + 1e-9,
    "decimals": lambda values: decimals(values, 4),
    "large whole numbers": lambda values: np.rint(values * 100).astype(np.int64) + 2**40,
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("wide", WIDE)
@pytest.mark.parametrize("narrow", NARROW)
def test_wider_numbers_in_a_later_file_are_not_rounded(
    tmp_path: Path, narrow: str, wide: str, engine: Any
) -> None:
    parts = NARROW[narrow](S[:HALF]), WIDE[wide](S[HALF:])
    for k, (part, y) in enumerate(zip(parts, (Y[:HALF], Y[HALF:]), strict=True)):
        table = pa.table({"y": y, "s": part, "other": np.sqrt(np.arange(HALF) + k)})
        pq.write_table(table, tmp_path / f"{k}.parquet")
    whole = np.concatenate([np.array(pa.array(part).to_pylist(), dtype=float) for part in parts])
    sample = rs.ScoredSample.from_arrays(Y, {"s": whole})
    table = scanned(tmp_path, engine)
    assert rs.auc(table).value == pytest.approx(rs.auc(sample).value, rel=1e-13)
    assert np.array_equal(table.sketch_of(0).least(), np.unique(whole))
    both = rs.ScoredTable.scan(tmp_path, "y", ["s", "other"], engine=engine)
    other = np.sqrt(np.concatenate([np.arange(HALF), np.arange(HALF) + 1]))
    known = rs.estimate(
        rs.ScoredSample.from_arrays(Y, {"s": whole, "other": other}), measures="auc"
    )
    found = rs.estimate(both, measures="auc")
    assert found.covariance == pytest.approx(known.covariance, rel=1e-11, abs=1e-16)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("odd", [2, 0.7])
def test_a_third_label_is_not_rounded_to_one_of_two(
    tmp_path: Path, odd: float, engine: Any
) -> None:
    first = Y[:HALF].astype(bool) if odd == 2 else Y[:HALF]
    second = np.append(Y[HALF:-1], odd)
    for k, (y, s) in enumerate(((first, S[:HALF]), (second, S[HALF:]))):
        pq.write_table(pa.table({"y": y, "s": s}), tmp_path / f"{k}.parquet")
    with pytest.raises(rs.InvalidSampleError, match="two classes, got 3"):
        scanned(tmp_path, engine)


def test_a_dataset_that_would_round_is_refused(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"y": Y[:HALF], "s": S[:HALF].astype(np.float32)}), tmp_path / "0.parquet"
    )
    pq.write_table(pa.table({"y": Y[HALF:], "s": S[HALF:]}), tmp_path / "1.parquet")
    with pytest.raises(rs.InvalidSampleError, match=r"1\.parquet has double in 's'.*may round"):
        scanned(ds.dataset(tmp_path), "auto")
    wide = ds.dataset(tmp_path, schema=pa.schema([("y", pa.int64()), ("s", pa.float64())]))
    whole = np.append(S[:HALF].astype(np.float32), S[HALF:])
    assert rs.auc(scanned(wide, "auto")).value == rs.auc(Y, whole).value


@pytest.mark.parametrize("engine", ENGINES)
def test_a_name_with_signs_of_a_pattern_is_a_name(tmp_path: Path, engine: Any) -> None:
    for name, scores in (("a[1]", -S), ("a1", S), ("b?", -S), ("b2", S), ("c*", -S), ("cc", S)):
        pq.write_table(pa.table({"y": Y, "s": scores}), tmp_path / f"{name}.parquet")
    for name in ("a[1]", "b?", "c*"):
        found = rs.auc(scanned(tmp_path / f"{name}.parquet", engine))
        assert (found.n_pos, found.value) == (HALF, rs.auc(Y, -S).value)
    assert rs.auc(scanned(tmp_path / "a*.parquet", engine)).n_pos == N


@pytest.mark.parametrize("engine", ENGINES)
def test_a_file_is_counted_once_and_those_of_programs_not_at_all(
    tmp_path: Path, engine: Any
) -> None:
    rows = pa.table({"y": Y, "s": S})
    for place in ("_day=1/a", "_day=1/_temporary/0/b", "_day=2/.trash/c", "._a"):
        path = tmp_path / f"{place}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(rows, path)
    assert scanned(tmp_path, engine).n_pos == HALF
    one = tmp_path / "_day=1/a.parquet"
    for several in ([one, one], [tmp_path / "_day=1/a*.parquet", one]):
        with pytest.raises(rs.InvalidSampleError, match="is there twice"):
            scanned(several, engine)


@pytest.mark.parametrize("log", ["_delta_log/0.json", ".hoodie/x", "metadata/1.metadata.json"])
def test_a_folder_whose_log_says_which_files_count_is_refused(tmp_path: Path, log: str) -> None:
    pq.write_table(pa.table({"y": Y, "s": S}), tmp_path / "a.parquet")
    assert scanned(tmp_path, "auto").n_pos == HALF
    (tmp_path / log).parent.mkdir()
    (tmp_path / log).write_text("{}")
    with pytest.raises(rs.InvalidSampleError, match="whose log says"):
        scanned(tmp_path, "auto")


CSV: dict[str, str] = {
    "ids with a hash": texts(
        {"id": [f"#{k}" if k % 5 == 0 else k for k in range(N)], "y": Y, "s": S}
    ),
    "one id with a hash": texts(
        {"id": [f"#{k}" if k == 33 else k for k in range(N)], "y": Y, "s": S}
    ),
    "lines within quotes": texts({"y": Y, "s": S, "note": ['"a, ""b""\n1,2,3\n"'] * N}),
    "blank lines": texts({"y": Y, "s": S}).replace("\n", "\n\n"),
    "carriage returns": texts({"y": Y, "s": S}).replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + texts({"y": Y, "s": S}),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CSV)
def test_no_row_of_a_csv_file_is_lost(tmp_path: Path, case: str, engine: Any) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(CSV[case].encode())
    found = rs.auc(scanned(path, engine))
    assert (found.n_pos, found.n_neg, found.value) == (HALF, HALF, rs.auc(Y, S).value)


def test_a_quote_that_is_not_closed_swallows_no_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(texts({"y": Y, "s": S, "note": ['"oops' if k == 7 else "x" for k in range(N)]}))
    assert scanned(path, "duckdb").n_pos == HALF
    with pytest.raises(rs.InvalidSampleError, match="a quote that is not closed"):
        scanned(path, "pyarrow")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("word", ["", "NA", "n/a", "nan", "NULL", '""'])
def test_what_is_missing_in_a_csv_file_is_what_is_missing_in_memory(
    tmp_path: Path, word: str, engine: Any
) -> None:
    path = tmp_path / "rows.csv"
    cells = [word if k in (3, 8) else value for k, value in enumerate(S)]
    labels = [word if k == 5 else ("ill" if y else "well") for k, y in enumerate(Y)]
    path.write_text(texts({"y": labels, "s": cells}))
    options: Any = {"pos_label": "ill", "nan_policy": "omit"}
    table = scanned(path, engine, **options)
    sample = rs.ScoredSample.from_frame(rs.read(path), "y", "s", **options)
    assert (table.dropped, table.n_pos) == (sample.dropped, sample.n_pos)
    assert rs.auc(table).value == rs.auc(sample).value
    with pytest.raises(rs.InvalidSampleError, match=r"missing values \(1 in y, 2 in s\)"):
        scanned(path, engine, pos_label="ill")


MANY = 300_000  # rows, more than those by which a reader of text settles its types


@pytest.mark.parametrize("late", ["0.5", "0.4", "1e-3", "-7.25"])
def test_a_late_fraction_among_whole_numbers_is_not_rounded(tmp_path: Path, late: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("y,s\n" + "0,1\n1,2\n" * (MANY // 2) + f"1,{late}\n")
    table = scanned(path, "duckdb")
    assert table.sketch_of(0).least().tolist() == sorted([1.0, 2.0, float(late)])
    assert rs.auc(table).value == 1.0 - 1.0 / (MANY // 2 + 1)
    with pytest.raises(rs.InvalidSampleError, match=f"invalid value '{late}'"):
        scanned(path, "pyarrow")


@pytest.mark.parametrize("late", ["0.6", "yes"])
@pytest.mark.parametrize("labels", [("0", "1"), ("false", "true")])
def test_a_late_third_label_is_refused(tmp_path: Path, late: str, labels: tuple[str, str]) -> None:
    path = tmp_path / "rows.csv"
    low, high = labels
    path.write_text("y,s\n" + f"{low},1\n{high},2\n" * (MANY // 2) + f"{late},1\n")
    for engine in ENGINES:
        with pytest.raises(rs.InvalidSampleError, match=r"two classes, got 3|cannot be read"):
            scanned(path, engine)


def test_truths_and_whole_numbers_keep_their_types(tmp_path: Path) -> None:
    for k in range(2):
        folder = tmp_path / f"day={k}"
        folder.mkdir()
        ill = np.where(Y, "true", "false")
        (folder / "rows.csv").write_text(texts({"y": ill, "s": np.arange(N), "it's": Y}))
    table = scanned(tmp_path, "duckdb", cluster="it's")
    assert (table.pos_label, table.cluster_ids, table.n_pos) == (True, (0, 1), N)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("empty", ["0.csv", "2.csv"])
def test_a_file_with_a_header_alone_has_no_row(tmp_path: Path, empty: str, engine: Any) -> None:
    (tmp_path / "1.csv").write_text(texts({"y": Y, "s": S}))
    (tmp_path / empty).write_text("y,s\n")
    assert rs.auc(scanned(tmp_path, engine)).value == rs.auc(Y, S).value
    (tmp_path / empty).write_text("1,0.5\n")  # a row, and no header
    with pytest.raises(rs.InvalidSampleError, match="has no column"):
        scanned(tmp_path, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_column_that_is_there_twice_is_refused(tmp_path: Path, engine: Any) -> None:
    path = tmp_path / "rows.csv"
    lines = [f"{y},{s},{-s}" for y, s in zip(Y, S, strict=True)]
    path.write_text("\n".join(["y,s,s", *lines]))
    with pytest.raises(rs.InvalidSampleError, match=r"'s' twice|multiple columns named s"):
        scanned(path, engine)
    path.write_text("\n".join(["y,s,s_1", *lines]))
    assert rs.auc(scanned(path, engine)).value == rs.auc(Y, S).value


def test_columns_of_csv_files_are_known_by_their_names(tmp_path: Path) -> None:
    first, second = ({"y": Y[s], "s": S[s], "b": -S[s]} for s in (slice(HALF), slice(HALF, None)))
    (tmp_path / "1.csv").write_text(texts(first))
    (tmp_path / "2.csv").write_text(texts({name: second[name] for name in ("s", "b", "y")}))
    for engine in ENGINES:
        assert rs.auc(scanned(tmp_path, engine)).value == rs.auc(Y, S).value


WORDS = ["ill" if y else "well" for y in Y]
LACKING = [None, *WORDS[1:]]
CATEGORIES = {
    "categories of Polars": lambda words: pl.Series(words, dtype=pl.Categorical),
    "an enum of Polars": lambda words: pl.Series(words, dtype=pl.Enum(["other", "well", "ill"])),
    "numbers without a sign": lambda words: pa.DictionaryArray.from_arrays(
        pa.array([None if word is None else int(word == "ill") for word in words], pa.uint8()),
        ["well", "ill"],
    ),
    "short numbers": lambda words: pa.array(words).dictionary_encode(),
}


@pytest.mark.parametrize("kind", CATEGORIES)
@pytest.mark.parametrize("lazy", [False, True])
def test_labels_may_be_categories(kind: str, lazy: bool) -> None:
    for words in (WORDS, LACKING):
        labels = CATEGORIES[kind](words)
        rows: Any
        if isinstance(labels, pl.Series):
            rows = pl.DataFrame({"y": labels, "s": S})
            rows = rows.lazy() if lazy else rows
        else:
            rows = pa.table({"y": labels, "s": S})
        table = rs.ScoredTable.scan(rows, "y", "s", pos_label="ill", nan_policy="omit")
        keep = np.array([word is not None for word in words])
        assert table.dropped.n == int((~keep).sum())
        assert rs.auc(table).value == rs.auc(Y[keep], S[keep]).value


@pytest.mark.parametrize("engine", ENGINES)
def test_large_ids_of_clusters_stay_apart(tmp_path: Path, engine: Any) -> None:
    ids = np.arange(N) // 4 + 2**53
    for k, (part, kind) in enumerate(((slice(HALF), np.int64), (slice(HALF, None), np.uint64))):
        rows = {"y": Y[part], "s": S[part], "c": ids[part].astype(kind)}
        pq.write_table(pa.table(rows), tmp_path / f"{k}.parquet")
    table = scanned(tmp_path, engine, cluster="c")
    assert len(table.cluster_ids) == N // 4
    known = rs.auc(rs.ScoredSample.from_arrays(Y, S, cluster=ids)).std_error
    assert rs.auc(table).std_error == pytest.approx(known, rel=1e-11)


def test_frames_that_cannot_be_read_are_refused_in_a_sentence(tmp_path: Path) -> None:
    import pandas as pd

    (tmp_path / "rows.csv").write_text(texts({"y": Y, "s": S}) + "1,oops\n")
    mixed = pd.DataFrame({"y": Y, "s": ["x", *S[1:].tolist()]})
    for source in (
        pl.scan_csv(tmp_path / "rows.csv", infer_schema_length=20),
        pl.scan_parquet(tmp_path / "none*.parquet"),
        mixed,
    ):
        with pytest.raises(rs.InvalidSampleError, match=r"cannot be read \("):
            rs.ScoredTable.scan(source, "y", "s")


def test_every_pass_over_many_rows_shows_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(20)
    y = rng.integers(0, 2, 300_000)
    rows = {"y": y, "a": rng.normal(size=y.size) + y, "b": rng.normal(size=y.size) + y}
    pq.write_table(pa.table(rows), tmp_path / "rows.parquet")
    table = {"outcome": "y", "markers": ["a", "b"], "budget": 50_000, "spill": tmp_path}
    monkeypatch.setattr("rocstats.workers._LINE", 0.0)
    rs.compare(rs.ScoredTable.scan(tmp_path / "rows.parquet", **table))
    said = capsys.readouterr().err
    for one in ("counting scores, ", "cutting scores into parts, ", "adding up rows, "):
        assert f"rocstats: {one}" in said
    assert "sorting the parts, 1 of 2 markers" in said
    assert " of 300000 rows after 0:00, about 0:00 to go" in said
