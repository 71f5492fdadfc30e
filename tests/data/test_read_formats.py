"""Files of SAS, SPSS, Stata and R: the same table out of each, and what became missing in it."""

from __future__ import annotations

import gzip
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.data.reading.files import SUFFIXES, Table, read_table

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("rdata")

HERE = Path(__file__).parents[1]
SAME_PORTABLE = 1e-11  # a portable file holds numbers as text of about 12 digits in base 30

FRAME = pd.DataFrame(
    {
        "id": [f"p{i}" for i in range(8)],
        "y": [2, 1, 2, 1, 2, 1, 2, 1],
        "a": [0.1 + 0.2, 0.2, 0.8, 0.0, 0.4, -0.5, 1e-30, 12345678.9],
        "g": [1.0, 2.0, 3.0, 1.0, 2.0, np.nan, 1.0, 2.0],
    }
)
LABELS = {"y": {1: "Good", 2: "Poor"}}


def write_xpt(version: int) -> Callable[[pd.DataFrame, Path], Any]:
    return lambda frame, path: pyreadstat.write_xport(
        frame, str(path), file_format_version=version, table_name="STUDY"
    )


WRITERS: dict[str, tuple[str, Callable[[pd.DataFrame, Path], Any]]] = {
    "SPSS": (".sav", lambda f, p: pyreadstat.write_sav(f, str(p), variable_value_labels=LABELS)),
    "SPSS, compressed": (".zsav", lambda f, p: pyreadstat.write_sav(f, str(p), compress=True)),
    "SPSS, portable": (".por", lambda f, p: pyreadstat.write_por(f, str(p))),
    "Stata": (".dta", lambda f, p: pyreadstat.write_dta(f, str(p), variable_value_labels=LABELS)),
    "Stata 8": (".dta", lambda f, p: pyreadstat.write_dta(f, str(p), version=8)),
    "SAS transport 5": (".xpt", write_xpt(5)),
    "SAS transport 8": (".xpt", write_xpt(8)),
    "upper case": (".SAV", lambda f, p: pyreadstat.write_sav(f, str(p))),
}


def save(frame: pd.DataFrame, path: Path, **options: Any) -> str:
    pyreadstat.write_sav(frame, str(path), **options)
    return str(path)


# -------------------------------------------------------------------------------- the same table


@pytest.mark.parametrize("kind", WRITERS)
def test_every_format_gives_the_same_table(tmp_path: Path, kind: str) -> None:
    suffix, writer = WRITERS[kind]
    writer(FRAME, tmp_path / f"study{suffix}")
    found = read_table(str(tmp_path / f"study{suffix}")).frame
    found.columns = [
        name.lower() for name in found.columns
    ]  # a portable file knows no small letters
    assert list(found) == list(FRAME)
    assert found["id"].tolist() == FRAME["id"].tolist()
    assert found["y"].tolist() == FRAME["y"].tolist()
    assert found["y"].dtype == "int64"
    assert found["g"].isna().tolist() == FRAME["g"].isna().tolist()
    if suffix == ".por":
        np.testing.assert_allclose(found["a"], FRAME["a"], rtol=SAME_PORTABLE)
    else:
        np.testing.assert_array_equal(found["a"], FRAME["a"])


@pytest.mark.parametrize("version", [5, 8])
def test_zeros_of_a_transport_file_are_zeros(tmp_path: Path, version: int) -> None:
    frame = pd.DataFrame({"y": [0.0, 1.0] * 50, "a": np.arange(100.0)})
    write_xpt(version)(frame, tmp_path / "study.xpt")
    found = read_table(str(tmp_path / "study.xpt")).frame
    assert int((found["y"] == 0).sum()) == 50


def test_special_missings_of_a_transport_file_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "study.xpt"
    write_xpt(5)(pd.DataFrame({"y": [1.0, 0.0, 1.0], "a": [0.5, 0.25, 0.75]}), path)
    three_quarters, content = bytes.fromhex("40c0000000000000"), path.read_bytes()
    assert content.count(three_quarters) == 1
    for letter in (b"A", b"Z", b"_", b"."):
        path.write_bytes(content.replace(three_quarters, letter + bytes(7)))
        assert np.isnan(read_table(str(path)).frame["a"].iloc[2])


def test_several_data_sets_in_a_transport_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.xpt"
    write_xpt(5)(FRAME, path)
    content = path.read_bytes()
    path.write_bytes(content + content[240:])  # another member, after the header of the library
    with pytest.raises(rs.InvalidSampleError, match="holds several data sets"):
        read_table(str(path))


@pytest.fixture
def iris(tmp_path: Path) -> Path:
    path = tmp_path / "iris.sas7bdat"
    path.write_bytes(gzip.decompress((HERE / "reference" / "iris.sas7bdat.gz").read_bytes()))
    return path


def test_a_sas_data_set(iris: Path) -> None:
    table = read_table(str(iris))
    assert list(table.frame) == [
        *("Sepal_Length", "Sepal_Width", "Petal_Length", "Petal_Width", "Species")
    ]
    assert table.format == "SAS"
    species = ["setosa", "versic", "virgin"]  # of six letters in this file
    assert table.frame["Species"].value_counts().to_dict() == dict.fromkeys(species, 50)
    assert table.frame["Petal_Length"].sum() == pytest.approx(563.7, abs=1e-9)
    assert table.notes() == []


def test_special_missings_of_sas_are_missing_and_counted(iris: Path) -> None:
    content = iris.read_bytes()
    first = content.index(struct.pack("<d", 5.1))
    for tag in (0xFD, 0xE4, 0xFF):  # .A, .Z and ._ are nans whose sixth byte is their letter
        special = bytes(5) + bytes([tag, 0xFF, 0xFF])
        iris.write_bytes(content[:first] + special + content[first + 8 :])
        table = read_table(str(iris))
        assert np.isnan(table.frame["Sepal_Length"].iloc[0])
        assert table.frame["Sepal_Length"].dtype == "float64"
        assert table.user_missing == {"Sepal_Length": 1}


# ---------------------------------------------------------------------- what is declared missing

SURVEY = pd.DataFrame(
    {
        "y": [1.0, 2.0, 1.0, 2.0, 9.0, 1.0, 2.0],
        "a": [0.1, 0.2, 0.3, -99.0, 999.0, np.nan, 0.9],
        "s": ["m", "NK", "", "w", "w", "m", "m"],
    }
)
DECLARED = {"y": [9], "a": [{"lo": -99, "hi": -90}, 999.0], "s": ["NK"]}


@pytest.mark.parametrize("compress", [False, True])
def test_values_and_ranges_that_spss_declares_are_missing(tmp_path: Path, compress: bool) -> None:
    path = tmp_path / f"survey.{'zsav' if compress else 'sav'}"
    labels = {"y": {1: "Good", 2: "Poor", 9: "Unknown"}}
    table = read_table(
        save(SURVEY, path, missing_ranges=DECLARED, variable_value_labels=labels, compress=compress)
    )
    assert table.user_missing == {"y": 1, "a": 2, "s": 1}
    assert table.frame["a"].isna().tolist() == [False, False, False, True, True, True, False]
    assert table.frame["s"].isna().tolist() == [False, True, True, False, False, False, False]
    assert table.notes() == [
        "4 values that the file declares as missing became missing (1 in y, 2 in a, 1 in s)."
    ]
    assert table.notes(["y"]) == [
        "1 value that the file declares as missing became missing (1 in y)."
    ]
    assert table.notes(["other"]) == []
    shown = table.classes(["y"])["y"]
    assert shown.tolist()[:4] == ["Good", "Poor", "Good", "Poor"]
    assert shown.isna().sum() == 1


def test_what_a_portable_file_declares_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "survey.por"
    pyreadstat.write_por(SURVEY[["y"]], str(path))
    text = path.read_bytes().replace(b"\r\n", b"")
    variable = b"70/1/Y5/8/2/5/8/2/"
    assert text.count(variable) == 1
    text = text.replace(variable, variable + b"89/").rstrip(b"Z")  # tag 8: the value 9 is missing
    text += b"Z" * (-len(text) % 80)
    lines = [text[i : i + 80] for i in range(0, len(text), 80)]
    path.write_bytes(b"\r\n".join(lines) + b"\r\n")
    assert read_table(str(path)).frame["Y"].isna().tolist() == [v == 9.0 for v in SURVEY["y"]]


def test_extended_missings_of_stata_are_missing_and_counted(tmp_path: Path) -> None:
    mixed = FRAME.assign(a=FRAME["a"].astype(object))
    mixed.loc[[1, 4], "a"] = ["a", "z"]
    path = tmp_path / "study.dta"
    pyreadstat.write_dta(mixed, str(path), missing_user_values={"a": ["a", "z"]})
    table = read_table(str(path))
    assert table.user_missing == {"a": 2}
    assert table.frame["a"].dtype == "float64"
    assert table.frame["a"].isna().tolist() == [i in (1, 4) for i in range(8)]


def test_a_column_of_nothing_but_declared_missings(tmp_path: Path) -> None:
    frame = pd.DataFrame({"y": [1.0, 2.0], "a": [9.0, 9.0]})
    table = read_table(save(frame, tmp_path / "s.sav", missing_ranges={"a": [9]}))
    assert table.frame["a"].isna().all()
    assert table.user_missing == {"a": 2}


# ------------------------------------------------------------------------------------ value labels


def labelled(labels: dict[Any, str], values: list[Any]) -> Table:
    return Table(frame=pd.DataFrame({"y": values}), labels={"y": labels})


def test_a_class_is_found_by_its_label_and_by_its_code() -> None:
    table = labelled({1: "Good", 2: "Poor"}, [1, 2, 2, 1])
    assert table.classes(["y"])["y"].tolist() == ["Good", "Poor", "Poor", "Good"]
    for text in ("Poor", "2", "2.0"):
        assert table.find_class("y", text) == "Poor"
    assert table.find_class("y", "poor") == "poor"  # refused by the sample
    assert table.frame["y"].tolist() == [1, 2, 2, 1]


NOT_SHOWN = {
    "a scale with labelled ends": ({1: "low", 5: "high"}, [1, 2, 5]),
    "a code without a label": ({1: "Good"}, [1, 2]),
    "one label twice": ({1: "Yes", 2: "No", 3: "Yes"}, [1, 2, 3]),
    "labels of codes that do not occur": ({8: "refused", 9: "unknown"}, [1, 2]),
    "blank": ({1: "", 2: "Poor"}, [1, 2]),
}


@pytest.mark.parametrize("kind", NOT_SHOWN)
def test_labels_that_would_not_tell_the_codes_apart_are_not_shown(kind: str) -> None:
    labels, values = NOT_SHOWN[kind]
    table = labelled(labels, values)
    assert table.classes(["y"])["y"].tolist() == values
    assert table.find_class("y", "2") == 2


def test_a_label_that_is_not_shown_still_names_its_code() -> None:
    assert labelled({1: "Diseased"}, [0.0, 1.0]).find_class("y", "Diseased") == 1


def test_a_label_that_reads_as_the_code_of_another_is_refused() -> None:
    table = labelled({1: "2", 2: "1"}, [1, 2])
    with pytest.raises(rs.InvalidOptionError, match="a code of y and the label of another"):
        table.find_class("y", "2")
    assert labelled({0: "0", 1: "1"}, [0, 1]).find_class("y", "1") == "1"


def test_whole_numbers_with_missing_among_them_are_whole() -> None:
    frame = pd.DataFrame({"y": [1.0, 0.0, np.nan], "x": [0.5, 1.0, 2.0], "big": [1e300, 0.0, 1.0]})
    shown = Table(frame=frame).classes(["y", "x", "big", "none"])
    assert [str(v) for v in shown["y"].dropna().tolist()] == ["1", "0"]
    assert shown["x"].tolist() == [0.5, 1.0, 2.0]
    assert shown["big"].tolist() == [1e300, 0.0, 1.0]


@pytest.mark.parametrize("positive", ["Poor", "2"])
@pytest.mark.parametrize("suffix", [".sav", ".dta"])
def test_the_commands_take_label_and_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, positive: str
) -> None:
    path = tmp_path / f"study{suffix}"
    next(w for s, w in WRITERS.values() if s == suffix)(FRAME, path)
    argv = ("auc", str(path), "--outcome", "y", "--positive", positive, "--markers", "a")
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert "the positive class is y = Poor; 4 positives, 4 negatives (Good)" in out
    assert f" {rs.auc(FRAME['y'], FRAME['a'], pos_label=2).value:.4f} " in out


def test_a_labelled_marker_keeps_its_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = FRAME.assign(grade=[1, 2, 3, 1, 2, 3, 3, 2])
    labels = LABELS | {"grade": {1: "mild", 2: "moderate", 3: "severe"}}
    path = save(frame, tmp_path / "study.sav", variable_value_labels=labels)
    assert main(("auc", path, "--outcome=y", "--positive=Poor", "--markers=grade")) == 0
    expected = rs.auc(frame["y"], frame["grade"], pos_label=2)
    assert f" {expected.value:.4f} " in capsys.readouterr().out


def test_a_command_says_what_became_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(SURVEY, tmp_path / "s.sav", missing_ranges=DECLARED)
    argv = ("auc", path, "--outcome=y", "--positive=2", "--markers=a", "--nan-policy=omit")
    assert main(argv) == 0
    said = capsys.readouterr()
    assert "rocstats: warning: 3 values that the file declares as missing" in said.err
    assert "3 subjects dropped (y missing in 1, a missing in 3)" in said.out


def test_of_several_sheets_it_is_said_which_was_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.xlsx"
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="First", index=False)
        FRAME.assign(y=1 - FRAME["y"]).to_excel(book, sheet_name="Second", index=False)
    table = read_table(str(path))
    assert table.frame["y"].tolist() == FRAME["y"].tolist()
    assert table.notes([]) == ["Of 2 sheets the first, 'First', was read."]
    assert main(("auc", str(path), "--outcome=y", "--positive=2", "--markers=a")) == 0
    assert "warning: Of 2 sheets the first, 'First', was read." in capsys.readouterr().err
    FRAME.to_excel(path, index=False)
    assert read_table(str(path)).notes() == []


def test_cells_that_hold_several_numbers_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.parquet"
    FRAME.assign(a=[[value] for value in FRAME["a"]]).to_parquet(path)
    assert main(("auc", str(path), "--outcome=y", "--positive=2", "--markers=a")) == 2
    assert "The scores of a must be numbers, got array([" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- of R

R_FRAMES = """
d <- data.frame(id = paste0("p", 1:6), y = c(1L, 0L, NA, 1L, 0L, 1L),
  f = factor(c("Poor", "Good", NA, "Poor", "Good", "Poor")),
  l = c(TRUE, FALSE, NA, TRUE, TRUE, FALSE),
  x = c(1.5, NA, NaN, Inf, -1, 0), s = c("a", NA, "\\u00e9", "d", "e", ""), i = 1:6,
  day = as.Date("2020-01-31") + 0:5, stringsAsFactors = FALSE)
d$whole <- c(TRUE, FALSE, TRUE, TRUE, TRUE, FALSE)
d$digits <- factor(c("1", "2", "10", "1", NA, "2"))
d$ordered <- factor(c("mild", "severe", "mild", NA, "severe", "fair"),
  levels = c("mild", "fair", "severe"), ordered = TRUE)
d$scaled <- scale(1:6)
d$m <- matrix(1:12, 6)
d$lab <- structure(c(1, 2, 9, 1, NA, 1), labels = c(Good = 1, Poor = 2, Unknown = 9), na_values = 9,
  class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"))
tibble <- d; class(tibble) <- c("tbl_df", "tbl", "data.frame")
saveRDS(d, "gzip.rds"); saveRDS(d, "xz.rds", compress = "xz")
saveRDS(d, "plain.rds", compress = FALSE); saveRDS(d, "ascii.RDS", ascii = TRUE)
saveRDS(d, "two.rds", version = 2); saveRDS(tibble, "tibble.rds")
k <- 5; e <- d
save(d, file = "one.RData"); save(d, k, file = "one.rda"); save(d, e, k, file = "several.RData")
save(k, file = "none.RData"); saveRDS(list(1, "a"), "list.rds"); saveRDS(1:3, "vector.rds")
saveRDS(d[0, ], "rows.rds"); saveRDS(data.frame(), "void.rds")
saveRDS(data.frame(a = 1:2, a = 3:4, check.names = FALSE), "twice.rds")
"""


@pytest.fixture(scope="module")
def from_r(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that R has written."""
    folder = tmp_path_factory.mktemp("r")
    (folder / "make.R").write_text(R_FRAMES, encoding="utf-8")
    try:
        done = subprocess.run(
            ["Rscript", "--vanilla", "make.R"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("R is not there")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(
    "name",
    [
        *("gzip.rds", "xz.rds", "plain.rds", "two.rds", "tibble.rds", "ascii.RDS"),
        *("one.RData", "one.rda"),
    ],
)
def test_a_data_frame_of_r(from_r: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read_table(str(from_r / name))
    frame = table.frame
    assert len(frame) == 6
    assert frame["id"].tolist() == [f"p{i}" for i in range(1, 7)]
    assert frame["y"].isna().tolist() == [False, False, True, False, False, False]
    assert frame["y"].dropna().astype(int).tolist() == [1, 0, 1, 0, 1]  # NA is no -2147483648
    assert [v for v in frame["f"] if isinstance(v, str)] == ["Poor", "Good", "Poor", "Good", "Poor"]
    assert frame["f"].isna().sum() == 1
    assert frame["l"].isna().sum() == 1
    assert frame["l"].dropna().tolist() == [True, False, True, True, False]
    assert frame["whole"].dtype == "bool"
    assert frame["i"].dtype == "int64"
    assert frame["x"].isna().tolist() == [False, True, True, False, False, False]
    assert frame["x"].iloc[3] == np.inf
    assert frame["s"].tolist()[2:] == ["é", "d", "e", ""]
    assert frame["day"].iloc[1] == pd.Timestamp("2020-02-01")
    assert frame["digits"].dropna().tolist() == [1.0, 2.0, 10.0, 1.0, 2.0]
    assert frame["m.2"].tolist() == [7, 8, 9, 10, 11, 12]
    assert frame["scaled"].mean() == pytest.approx(0.0, abs=1e-15)


def test_an_ordered_factor_is_a_scale_and_a_class(from_r: Path) -> None:
    table = read_table(str(from_r / "gzip.rds"))
    assert table.frame["ordered"].dropna().tolist() == [1, 3, 1, 3, 2]
    shown = table.classes(["ordered"])["ordered"]
    assert shown.dropna().tolist() == ["mild", "severe", "mild", "severe", "fair"]
    assert table.find_class("ordered", "severe") == "severe"


def test_labels_and_declared_missings_that_haven_keeps(from_r: Path) -> None:
    table = read_table(str(from_r / "gzip.rds"))
    assert table.user_missing == {"lab": 1}
    assert table.classes(["lab"])["lab"].dropna().tolist() == ["Good", "Poor", "Good", "Good"]


R_REFUSED = {
    "several.RData": "holds 2 data frames (d, e); save the one to analyse",
    "none.RData": "holds no data frame, only k",
    "list.rds": "holds an R object that is no data frame",
    "vector.rds": "holds an R object that is no data frame",
    "void.rds": "void.rds is empty",
    "twice.rds": "two columns named 'a'",
}


@pytest.mark.parametrize("name", R_REFUSED)
def test_r_files_that_are_refused(from_r: Path, name: str) -> None:
    with pytest.raises(rs.InvalidSampleError) as refused:
        read_table(str(from_r / name))
    assert R_REFUSED[name] in str(refused.value)


def test_a_frame_without_rows(from_r: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("auc", str(from_r / "rows.rds"), "--outcome=y", "--positive=1", "--markers=x")
    assert main(argv) == 2
    assert "The sample is empty" in capsys.readouterr().err


# -------------------------------------------------------------------------------- what is refused

FOREIGN = [*SUFFIXES[SUFFIXES.index(".sas7bdat") :]]


@pytest.mark.parametrize("suffix", FOREIGN)
@pytest.mark.parametrize("content", [b"y,a\n1,2\n", bytes(range(256)) * 20])
def test_broken_files_are_refused_in_one_sentence(
    tmp_path: Path, suffix: str, content: bytes
) -> None:
    path = tmp_path / f"study{suffix}"
    path.write_bytes(content)
    with pytest.raises(rs.InvalidSampleError) as refused:
        read_table(str(path))
    assert f"study{suffix} could not be read as " in str(refused.value)
    assert "\n" not in str(refused.value)
    path.write_bytes(b"")
    with pytest.raises(rs.InvalidSampleError, match="is empty"):
        read_table(str(path))


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_truncated_files_are_refused_or_short(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"study{suffix}"
    next(w for s, w in WRITERS.values() if s == suffix)(FRAME, path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 3])
    with pytest.raises(rs.InvalidSampleError, match=r"could not be read as|is empty"):
        read_table(str(path))


@pytest.mark.parametrize("suffix", FOREIGN)
def test_a_missing_library_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    library = "rdata" if suffix.startswith(".r") else "pyreadstat"
    monkeypatch.setitem(sys.modules, library, None)  # type: ignore[arg-type]
    path = tmp_path / f"study{suffix}"
    path.write_bytes(b"x")
    with pytest.raises(rs.MissingDependencyError) as refused:
        read_table(str(path))
    assert str(refused.value) == (
        f"Reading {suffix} files needs {library}, which is not installed; "
        "run: pip install 'rocstats[io]'"
    )


def test_a_wrong_column_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(FRAME, tmp_path / "study.sav")
    assert main(("auc", path, "--outcome=y", "--positive=2", "--markers=aa")) == 2
    assert "The data have no column 'aa'" in capsys.readouterr().err
