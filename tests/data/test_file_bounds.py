"""Files that are cut off, that promise what they do not hold, or that would fill the memory.

Lines 3, 18 and 11 of issue 14. The bombs are read in a process of three gigabytes.
"""

from __future__ import annotations

import gzip
import lzma
import resource
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.data.reading import bounds, excel, r_stream
from rocstats.data.reading.files import read_table

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("rdata")

N = 60
RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "id": [f"p{i}" for i in range(N)],
        "y": np.arange(N) % 2,
        "a": RNG.normal(size=N).round(4),
        "b": RNG.normal(size=N),
    }
)
MEMORY = 3 * 2**30


def write_xpt(version: int) -> Callable[[Path], Any]:
    return lambda path: pyreadstat.write_xport(
        FRAME, str(path), file_format_version=version, table_name="STUDY"
    )


def write_sas(path: Path) -> None:
    packed = Path(__file__).parents[1] / "reference" / "iris.sas7bdat.gz"
    path.write_bytes(gzip.decompress(packed.read_bytes()))


# A data frame of R as it is serialised: a list of two vectors with names, class and row names.
def int_of(*values: int) -> bytes:
    return struct.pack(f">{len(values)}i", *values)


def text_of(text: str) -> bytes:
    return int_of(0x00040009, len(text)) + text.encode()


def texts_of(*texts: str) -> bytes:
    return int_of(16, len(texts)) + b"".join(map(text_of, texts))


def attribute(name: str, value: bytes) -> bytes:
    return int_of(0x402, 1) + text_of(name) + value


def r_frame(*columns: bytes, rows: int) -> bytes:
    names = [f"c{j}" for j in range(len(columns))]
    return (
        b"X\n"
        + int_of(2, 0x00040000, 0x00020300, 0x00000313, len(columns))
        + b"".join(columns)
        + attribute("names", texts_of(*names))
        + attribute("class", texts_of("data.frame"))
        + attribute("row.names", int_of(13, 2, -(2**31), -rows))
        + int_of(254)
    )


def doubles_of(values: Any) -> bytes:
    array = np.asarray(values, dtype=">f8")
    return int_of(14, array.size) + array.tobytes()


R_CONTENT = r_frame(doubles_of(FRAME["y"]), doubles_of(FRAME["a"]), rows=N)

WRITERS: dict[str, Callable[[Path], Any]] = {
    "s.parquet": lambda path: FRAME.to_parquet(path),
    "s.xlsx": lambda path: FRAME.to_excel(path, index=False),
    "s.sas7bdat": write_sas,
    "s5.xpt": write_xpt(5),
    "s8.xpt": write_xpt(8),
    "s.sav": lambda path: pyreadstat.write_sav(FRAME, str(path)),
    "s.zsav": lambda path: pyreadstat.write_sav(FRAME, str(path), compress=True),
    "s.por": lambda path: pyreadstat.write_por(FRAME, str(path)),
    "s.dta": lambda path: pyreadstat.write_dta(FRAME, str(path)),
    "s8.dta": lambda path: pyreadstat.write_dta(FRAME, str(path), version=8),
    "plain.rds": lambda path: path.write_bytes(R_CONTENT),
    "gzip.rds": lambda path: path.write_bytes(gzip.compress(R_CONTENT)),
    "xz.rds": lambda path: path.write_bytes(lzma.compress(R_CONTENT)),
}


def read_or_refuse(path: Path) -> Any:
    """Return the table, or the sentence that refuses it."""
    try:
        return read_table(str(path)).frame
    except rs.InvalidSampleError as refused:
        return str(refused)


# ------------------------------------------------------------------------------------ 3: cut off


def test_14_03_a_truncated_sas_transport_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """2393 bytes of 60 subjects were 32 subjects with another AUC, and exit code 0."""
    path = tmp_path / "s.xpt"
    write_xpt(5)(path)
    path.write_bytes(path.read_bytes()[:2393])
    assert main(("auc", str(path), "--outcome=y", "--positive=1", "--markers=a")) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "is cut off or damaged: a SAS transport file is made of records of 80" in said.err
    assert "and this one has 2,393 bytes; get the file again." in said.err


@pytest.mark.parametrize("name", WRITERS)
def test_14_03_no_cut_gives_a_part_of_the_rows(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    whole = read_table(str(path)).frame
    content = path.read_bytes()
    for size in np.linspace(1, len(content) - 1, 60).astype(int).tolist():
        path.write_bytes(content[:size])
        found = read_or_refuse(path)
        if isinstance(found, str):
            assert "\n" not in found
        else:  # only padding, or a tag after the data, was cut off
            pd.testing.assert_frame_equal(found, whole)


@pytest.mark.parametrize("version", [5, 8])
def test_14_03_whole_records_of_a_cut_transport_file(tmp_path: Path, version: int) -> None:
    """A cut between records of 80 bytes shows within a row, or in the number of rows."""
    path = tmp_path / "s.xpt"
    write_xpt(version)(path)
    content = path.read_bytes()
    for size in range(len(content) - 1200, len(content), 80):
        path.write_bytes(content[:size])
        assert "cut off or damaged" in read_or_refuse(path)


def test_14_03_a_blank_number_of_a_transport_file(tmp_path: Path) -> None:
    path = tmp_path / "s.xpt"
    write_xpt(5)(path)
    content = bytearray(path.read_bytes())
    assert content.endswith(b" " * 30)
    content[-30] = 1  # in the padding, which would be another row
    path.write_bytes(content)
    with pytest.raises(rs.InvalidSampleError, match=r"a number is blank|ends within a row"):
        read_table(str(path))


@pytest.mark.parametrize("name", ["s.sav", "s.zsav", "s.dta"])
def test_14_03_more_rows_promised_than_there_is_room_for(tmp_path: Path, name: str) -> None:
    """536 million rows promised in 2 kB took a minute and a half."""
    path = tmp_path / name
    WRITERS[name](path)
    content = bytearray(path.read_bytes())
    place = content.index(b"<N>") + 3 if name == "s.dta" else 80
    assert int.from_bytes(content[place : place + 4], "little") == N
    content[place + 3] = 32
    path.write_bytes(content)
    with pytest.raises(rs.InvalidSampleError, match="promises 536,870,972 rows and is too short"):
        read_table(str(path))


def test_14_03_rows_of_an_r_frame_are_those_of_its_row_names(tmp_path: Path) -> None:
    path = tmp_path / "s.rds"
    path.write_bytes(r_frame(doubles_of([1, 2, 3]), doubles_of([1, 2, 3]), rows=4))
    with pytest.raises(rs.InvalidSampleError, match="promises 4 rows and 3 came of it"):
        read_table(str(path))


@pytest.mark.parametrize(("text", "whole"), [("y,a\n1,2\n0", False), ("y,a\n1,2\n0,3", True)])
def test_14_03_a_text_that_ends_within_a_row(tmp_path: Path, text: str, whole: bool) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text)
    if whole:
        assert len(read_table(str(path)).frame) == 2
    else:
        with pytest.raises(rs.InvalidSampleError, match="its last line ends within a row"):
            read_table(str(path))


# ------------------------------------------------------------------------------------ 18: bounds


def read_in_little_memory(path: Path) -> str:
    """Return what reading a file says, in a process of so much memory."""
    code = (
        "import sys, rocstats as rs\n"
        "from rocstats.data.reading.files import read_table\n"
        "try:\n    print(read_table(sys.argv[1]).frame.shape)\n"
        "except rs.InvalidSampleError as refused:\n    print(refused)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sheet_of(path: Path, sheet: str, **parts: str) -> None:
    """Write a workbook with this XML in place of its sheet."""
    FRAME.to_excel(path, index=False)
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    content["xl/worksheets/sheet1.xml"] = (
        f'<worksheet xmlns="{space}"><sheetData>{sheet}</sheetData></worksheet>'
    ).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (content | {k: v.encode() for k, v in parts.items()}).items():
            archive.writestr(name, text)


CORNER = (
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
)


def test_14_18_one_cell_in_the_last_corner_of_a_sheet(tmp_path: Path) -> None:
    """6.6 kB took 9 GB."""
    path = tmp_path / "s.xlsx"
    sheet_of(path, CORNER)
    assert path.stat().st_size < 10_000
    said = read_in_little_memory(path)
    assert "s.xlsx has 17,179,869,184 cells (1,048,576 rows of 16,384 columns), and at most" in said
    assert "save only the columns and rows to analyse to a .csv or .parquet file." in said


def test_14_18_a_cell_in_another_sheet_is_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="First", index=False)
        FRAME.to_excel(book, sheet_name="Second", index=False)
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    second = content["xl/worksheets/sheet2.xml"]
    content["xl/worksheets/sheet2.xml"] = second.replace(b'r="D61"', b'r="XFD1048576"')
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    assert read_table(str(path)).frame.shape == FRAME.shape


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("<row>" + "<c><v>1</v></c>" * 9 + "</row>" + "<row/>" * 9, r"81 cells \(9 rows of 9"),
        (f'<row><c t="inlineStr"><is><t>{"x" * 300}</t></is></c></row>', "more than 200 char"),
    ],
)
def test_14_18_cells_without_a_place_and_long_ones_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sheet: str, said: str
) -> None:
    monkeypatch.setattr(excel, "MOST_SHEET_CELLS", 80)
    monkeypatch.setattr(excel, "_MOST_TEXT", 200)
    sheet_of(tmp_path / "s.xlsx", sheet)
    with pytest.raises(rs.InvalidSampleError, match=said):
        read_table(str(tmp_path / "s.xlsx"))


def test_14_18_texts_of_a_workbook_that_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    many = "<si><t>a</t></si>" * 9_000_000
    sheet_of(path, CORNER, **{"xl/sharedStrings.xml": f'<sst xmlns="{space}">{many}</sst>'})
    assert path.stat().st_size < 2_000_000
    assert "s.xlsx decompresses to more than the 128 MB that are read" in read_in_little_memory(
        path
    )


def test_14_18_a_parquet_file_of_one_value(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "s.parquet"
    part = pa.table({"y": np.zeros(10_000_000), "a": np.zeros(10_000_000)})
    with pq.ParquetWriter(path, part.schema) as writer:
        for _ in range(6):
            writer.write_table(part)
    assert path.stat().st_size < 1_000_000
    assert "s.parquet has 120,000,000 cells" in read_in_little_memory(path)


def test_14_18_a_parquet_file_of_one_long_text(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "s.parquet"
    texts = pa.DictionaryArray.from_arrays(np.zeros(1_000_000, dtype=np.int32), ["x" * 1_000_000])
    pq.write_table(pa.table({"y": np.zeros(1_000_000), "a": texts}), path, store_schema=False)
    assert path.stat().st_size < 2_000_000
    assert "s.parquet decompresses to more than the 1,024 MB" in read_in_little_memory(path)


def test_14_18_a_parquet_file_of_common_texts_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "s.parquet"
    many = pd.DataFrame({"id": [f"p{i:06}" for i in range(100_000)], "y": np.arange(100_000) % 2})
    many.to_parquet(path)
    pd.testing.assert_frame_equal(read_table(str(path)).frame, many)


def test_14_18_an_r_file_that_decompresses_to_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "s.rds"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(R_CONTENT[:22])
        for _ in range(1024):
            file.write(bytes(2**20))
    assert path.stat().st_size < 6_000_000
    assert "s.rds decompresses to more than the 512 MB" in read_in_little_memory(path)


def test_14_18_an_r_file_of_many_texts(tmp_path: Path) -> None:
    path = tmp_path / "s.rds"
    n = 5_000_000
    texts = int_of(16, n) + text_of("a") * n
    path.write_bytes(gzip.compress(r_frame(texts, rows=n), compresslevel=1))
    assert "s.rds holds more than the 4,000,000 texts" in read_in_little_memory(path)


def test_14_18_an_r_file_that_is_compressed_twice(tmp_path: Path) -> None:
    path = tmp_path / "s.rds"
    path.write_bytes(gzip.compress(gzip.compress(R_CONTENT)))
    with pytest.raises(rs.InvalidSampleError, match=r"s\.rds is compressed twice"):
        read_table(str(path))


def test_14_18_a_sequence_of_r_that_is_written_short(tmp_path: Path) -> None:
    """1:2e9 takes a hundred bytes in the file and 8 GB in memory."""
    path = tmp_path / "s.rds"

    def sequence(n: float) -> bytes:
        name = int_of(1) + text_of("compact_intseq")
        package = int_of(1) + text_of("base")
        kind = int_of(2) + name + int_of(2) + package + int_of(2) + int_of(13, 1, 13) + int_of(254)
        return int_of(238) + kind + doubles_of([n, 1, 1]) + int_of(254)

    path.write_bytes(r_frame(sequence(3.0), rows=3))
    assert read_table(str(path)).frame["c0"].tolist() == [1, 2, 3]
    path.write_bytes(r_frame(sequence(2e9), rows=3))
    assert "s.rds has 2,000,000,000 cells" in read_in_little_memory(path)


def test_14_18_a_compressed_spss_file_without_a_number_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the header does not say how many rows there are, no more than the bound are read."""
    path = tmp_path / "s.zsav"
    WRITERS["s.zsav"](path)
    content = bytearray(path.read_bytes())
    content[80:84] = b"\xff" * 4
    path.write_bytes(content)
    assert read_table(str(path)).frame.shape == FRAME.shape
    monkeypatch.setattr("rocstats.data.reading.packages.MOST_UNSAID", 100)
    with pytest.raises(rs.InvalidSampleError, match=r"has 104 cells \(26 rows of 4 columns\)"):
        read_table(str(path))


def test_14_18_short_lines_under_many_names(tmp_path: Path) -> None:
    """A megabyte of short lines would be filled up to 50 billion cells."""
    path = tmp_path / "s.csv"
    path.write_text(",".join(f"c{i}" for i in range(50_000)) + "\n" + "1\n" * 1_000_000)
    assert "s.csv has 50,000,000,000 cells" in read_in_little_memory(path)


@pytest.mark.parametrize("name", ["s.csv", "s.tsv", *WRITERS])
def test_14_18_every_format_has_a_bound_on_columns_and_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / name
    if path.suffix in (".csv", ".tsv"):
        FRAME.to_csv(path, index=False, sep="," if name == "s.csv" else "\t")
    else:
        WRITERS[name](path)
    rows, columns = read_table(str(path)).frame.shape
    monkeypatch.setattr(bounds, "MOST_CELLS", rows * columns - 1)
    for most in ("MOST_CELLS", "MOST_UNSAID"):
        monkeypatch.setattr(f"rocstats.data.reading.packages.{most}", rows * columns - 1)
    monkeypatch.setattr(excel, "MOST_SHEET_CELLS", rows * columns - 1)
    with pytest.raises(rs.InvalidSampleError, match=r"cells \(\d+ rows of \d+ columns\), and at"):
        read_table(str(path))
    monkeypatch.undo()
    monkeypatch.setattr(bounds, "MOST_COLUMNS", columns - 1)
    with pytest.raises(rs.InvalidSampleError, match=f"has {columns} columns, and at most"):
        read_table(str(path))


def test_14_18_the_objects_of_an_r_file_are_counted(tmp_path: Path) -> None:
    """A frame of 2 columns: itself, 2 vectors, 3 attributes of a tag and 1, 2 and 3 texts..."""
    objects = 1 + 2 + (3 * 3 + 3) + 3 + 1
    assert r_stream._count(tmp_path, R_CONTENT, 2) == objects


def test_14_18_a_table_of_100_000_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It took 20 seconds of work; 3 to 4 are those of pandas."""
    path = tmp_path / "wide.csv"
    names = [f"g{i}" for i in range(99_999)]
    rows = "".join(f"{i % 2}{',1.5' * 99_998},{i}\n" for i in range(4))
    path.write_text(f"y,{','.join(names)}\n{rows}")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    assert main(("auc", str(path), "--outcome=y", "--positive=1", "--markers=g99998")) == 0
    assert main(("auc", str(path), "--outcome=y", "--positive=1", "--markers=g99998x")) == 2
    assert main(("report", str(path), "--init")) == 0
    said = capsys.readouterr()
    assert "they have y, g0, g1, g2, g3, g4 and 99994 more." in said.err
    assert "4 rows and 100000 columns" in said.out
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 30


# --------------------------------------------------------------------------------- 18: messages


def test_14_18_a_cell_of_megabytes_is_cut_in_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "x" * 3_000_000
    for name, text in {
        "a score": f"y,a\n1,1\n0,{long}\n1,3\n",
        "a label": f"y,a\n1,1\n0,2\n{long},3\n",
        "a name": f"y,{long}\n1,1\n0,2\n",
    }.items():
        (tmp_path / "s.csv").write_text(text)
        assert main(("auc", str(tmp_path / "s.csv"), "--outcome=y", "--markers=a")) == 2
        said = capsys.readouterr().err
        assert len(said) < 2000, name
        assert said.startswith("rocstats: ")
        assert said.endswith(".\n")


def test_14_18_a_sentence_is_cut_in_its_middle() -> None:
    from rocstats.errors import keyword

    said = rs.InvalidSampleError(f"Give {keyword('a')}, not {'x' * 10_000}, or {keyword('b')}.")
    assert str(said).startswith("Give a=, not xxx")
    assert str(said).endswith("xxx, or b=.")
    assert " characters left out) ... " in str(said)
    assert [mention.name for mention in said.sentence.mentions()] == ["a", "b"]
    for lead in range(880, 900):  # a mark that stands where the cut is
        said = rs.InvalidSampleError("y" * lead + keyword("option") + "x" * 10_000)
        assert set(str(said)) <= set("yx=option. (charesf)lu,0123456789")
        assert len(str(said)) < 1500


# ------------------------------------------------------------------------- 11: beyond the doubles


@pytest.mark.parametrize("cells", [("1e400", "1e407"), ("-1e400", "2"), ("1e-400", "3e-400")])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_14_11_numbers_beyond_the_doubles_are_no_ties(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cells: tuple[str, str], suffix: str
) -> None:
    path = tmp_path / f"s{suffix}"
    rows = [("1", "0.5"), ("0", cells[0]), ("1", cells[1]), ("0", "-inf")]
    join = "," if suffix == ".csv" else "\t"
    path.write_text("\n".join(join.join(row) for row in [("y", "a"), *rows]) + "\n")
    ask = ("auc", str(path), "--outcome=y", "--positive=1", "--markers=a")
    assert main(ask) == 2
    assert (
        f"The scores of a hold '{cells[0]}' in cell B3, a number beyond the range of doubles; "
        "rescale them" in capsys.readouterr().err
    )
    assert main(("report", *ask[1:], "--indeterminate=0.5", "-o", f"{path}.html")) == 2
    assert "a number beyond the range of doubles" in capsys.readouterr().err


def test_14_11_infinities_that_are_written_so_stay(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("y,a,b,c\n1,inf,0,1e300\n0,-Infinity,0.0e-400,1\n1,2,1e-300,1e400\n")
    frame = read_table(str(path)).frame
    assert frame["a"].tolist() == [np.inf, -np.inf, 2.0]
    assert frame["b"].tolist() == [0.0, 0.0, 1e-300]
    found = [v if v == "1e400" else float(v) for v in frame["c"]]  # older pandas: all of it text
    assert found == [1e300, 1.0, "1e400"]
