"""The command line: what it prints, what it refuses and with which sentence and exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Answer, Call

import rocstats as rs
from rocstats import datasets
from rocstats.cli import demo, main
from rocstats.data.reading import files as read

FRAME = pd.DataFrame(
    {
        "id": [f"p{i}" for i in range(8)],
        "y": [1, 0, 1, 0, 1, 0, 1, 0],
        "a": [0.9, 0.2, 0.8, 0.3, 0.4, 0.5, 0.7, 0.1],
        "b": [0.1, 0.7, 0.3, 0.8, 0.5, 0.6, 0.6, 0.9],
    }
)
WRITERS: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    ".csv": lambda frame, path: frame.to_csv(path, index=False),
    ".tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    ".txt": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    ".parquet": lambda frame, path: frame.to_parquet(path),
    ".xlsx": lambda frame, path: frame.to_excel(path, index=False),
    ".CSV": lambda frame, path: frame.to_csv(path, index=False),
}
BASIC = ("--outcome", "y", "--positive", "1", "--markers", "a")


@pytest.fixture
def study(tmp_path: Path) -> str:
    FRAME.to_csv(tmp_path / "study.csv", index=False)
    return "study.csv"


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def assert_refused(answer: Answer, *fragments: str) -> None:
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("rocstats: ")
    assert answer.err.count("\n") == 1, answer.err
    for fragment in fragments:
        assert fragment in answer.err


# ------------------------------------------------------------------------------- what is printed


def test_text_shows_the_positive_class_the_counts_and_the_table(call: Call, study: str) -> None:
    answer = call("auc", study, *BASIC)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == (
        "study.csv: the positive class is y = 1; 4 positives, 4 negatives (0); no subject dropped."
    )
    assert lines[1] == "Intervals are at the 95% confidence level."
    expected = rs.auc(FRAME["y"], FRAME["a"])
    limits = expected.confidence_interval()
    assert lines[-1].split() == [
        "a",
        "auc",
        f"{expected.value:.4f}",
        f"{expected.std_error:.4f}",
        f"{limits.low:.4f}",
        f"{limits.high:.4f}",
        limits.method,
    ]


def test_details_of_each_measure_follow_the_table(call: Call, study: str) -> None:
    out = call("auc", study, *BASIC, "--measures", "auc,sauc,smauc").out
    assert "\nsAUC of a: r plus " in out
    assert "\nsmAUC of a: midpoint 0.5000, chance " in out
    assert "\nAUC of a:" not in out


def test_hanley_mcneil_and_fawcett_as_printed(call: Call) -> None:
    ct = str(datasets.path("ct_ratings"))
    out = call("auc", ct, "--outcome=status", "--positive=abnormal", "--markers=rating").out
    assert "51 positives, 58 negatives (normal)" in out
    assert out.splitlines()[-1].split()[2] == "0.8932"
    fawcett = str(datasets.path("fawcett"))
    out = call("auc", fawcett, "--outcome=class", "--positive=p", "--markers=score").out
    assert out.splitlines()[-1].split()[2] == "0.6800"


def strict_json(text: str) -> Any:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_is_what_the_library_says(call: Call, study: str) -> None:
    argv = ("--outcome", "y", "--positive", "1", "--markers", "a,b", "--lower-is-positive", "b")
    options = ("--measures", "auc,sauc,smauc", "--subject", "id", "--confidence-level", "0.9")
    answer = strict_json(call("auc", study, *argv, *options, "--json").out)
    sample = rs.ScoredSample.from_frame(
        FRAME, outcome="y", markers=["a", "b"], subject="id", higher_is_positive={"b": False}
    )
    expected = rs.estimate(sample).to_dict(confidence_level=0.9)
    assert list(answer) == ["command", "version", "sample", "estimates", "covariance"]
    assert answer["command"] == "auc"
    assert answer["version"] == rs.__version__
    assert answer["sample"] == {
        "n_pos": 4,
        "n_neg": 4,
        "pos_label": 1,
        "neg_label": 0,
        "clusters": None,
        "markers": ["a", "b"],
        "higher_is_positive": [True, False],
        "dropped": {"n": 0, "missing": {}},
    }
    assert answer["estimates"] == expected["estimates"]
    assert answer["covariance"] == expected["covariance"]


def test_settings_reach_the_measures(call: Call, study: str) -> None:
    settings = ("--midpoint", "paper", "--class-weight", "balanced", "--bounds=-1,1")
    argv = (*BASIC, "--measures", "sauc, smauc", "--interval", "wald", "--json")
    answer = strict_json(call("auc", study, *argv, *settings).out)
    sample = rs.ScoredSample.from_frame(FRAME, outcome="y", markers="a")
    bounds = (-1.0, 1.0)
    expected = [
        rs.sauc(sample, bounds=bounds),
        rs.smauc(sample, midpoint="paper", class_weight="balanced", bounds=bounds),
    ]
    for row, estimate in zip(answer["estimates"], expected, strict=True):
        limits = estimate.confidence_interval(method="wald")
        assert row["estimate"] == estimate.value
        assert (row["conf_low"], row["conf_high"], row["conf_method"]) == (
            limits.low,
            limits.high,
            "wald",
        )
    assert answer["estimates"][1]["class_weight"] == "balanced"


def test_the_smauc_along_midpoints_is_that_of_the_library(call: Call, study: str) -> None:
    options = ("--measures", "smauc", "--midpoints", "0.25,0.5,0.75", "--class-weight", "balanced")
    answer = call("auc", study, *BASIC, *options, "--json")
    (found,) = json.loads(answer.out)["midpoint_curves"]
    wanted = rs.midpoint_curve(
        FRAME["y"], FRAME["a"], midpoints=[0.25, 0.5, 0.75], class_weight="balanced"
    )
    assert found["smauc"] == wanted.smauc.tolist()
    assert found["conf_low"] == wanted.low.tolist()
    assert found["chance"] == wanted.chance.tolist()
    text = call("auc", study, *BASIC, "--measures", "smauc", "--midpoints", "all").out
    assert "smAUC of a along the midpoint, 0.05 to 0.95, with an approximate" in text


def test_a_prevalence_and_a_midpoint_are_numbers(call: Call, study: str) -> None:
    argv = ("--measures", "smauc", "--class-weight", "0.2", "--midpoint", "0.4", "--json")
    (row,) = strict_json(call("auc", study, *BASIC, *argv).out)["estimates"]
    sample = rs.ScoredSample.from_frame(FRAME, outcome="y", markers="a")
    assert row["estimate"] == rs.smauc(sample, class_weight=0.2, midpoint=0.4).value


def test_low_markers_are_named(call: Call, study: str) -> None:
    out = call("auc", study, *BASIC[:-1], "b", "--lower-is-positive", "b").out
    assert "Low values of b speak for the positive class." in out
    expected = rs.auc(FRAME["y"], FRAME["b"], higher_is_positive=False)
    assert f" {expected.value:.4f} " in out


# --------------------------------------------------------------------------------- what is read


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_gives_the_same_numbers(call: Call, tmp_path: Path, suffix: str) -> None:
    WRITERS[suffix](FRAME, tmp_path / f"study{suffix}")
    answer = strict_json(call("auc", f"study{suffix}", *BASIC, "--json").out)
    expected = rs.auc(FRAME["y"], {"a": FRAME["a"]}).to_dict()
    assert expected.pop("subjects") == {
        **{name: answer["sample"][name] for name in ("pos_label", "neg_label")},
        **{"n_dropped": 0, "missing": {}},
    }
    assert answer["estimates"] == [expected]


def test_parquet_index_is_a_column(call: Call, tmp_path: Path) -> None:
    FRAME.set_index("y").to_parquet(tmp_path / "study.parquet")
    assert call("auc", "study.parquet", *BASIC).code == 0


def test_scores_are_read_to_the_last_digit(tmp_path: Path) -> None:
    scores = np.random.default_rng(1).random(2000)
    pd.DataFrame({"a": scores}).to_csv(tmp_path / "study.csv", index=False)
    assert np.array_equal(read.read_table(str(tmp_path / "study.csv")).frame["a"], scores)


LABELS: dict[str, tuple[list[Any], str]] = {
    "int": ([1, 0], "1"),
    "float": ([1.0, 0.0], "1"),
    "int as float": ([1, 0], "1.0"),
    "negative": ([-1, 1], "-1"),
    "bool by number": ([True, False], "1"),
    "bool by word": ([True, False], "true"),
    "bool by Word": ([True, False], "True"),
    "false is positive": ([False, True], "FALSE"),
    "text": (["Poor", "Good"], "Poor"),
    "spaces": (["very poor", "good"], "very poor"),
    "unicode": (["schlecht ✗", "gut ✓"], "schlecht ✗"),
    "None is an answer": (["Severe", "None"], "Severe"),
}


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx"])
@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_type(call: Call, tmp_path: Path, kind: str, suffix: str) -> None:
    (pos, neg), text = LABELS[kind]
    frame = FRAME.assign(y=[pos if y else neg for y in FRAME["y"]])
    WRITERS[suffix](frame, tmp_path / f"study{suffix}")
    argv = ("--outcome", "y", "--positive", text, "--markers", "a", "--json")
    answer = strict_json(call("auc", f"study{suffix}", *argv).out)
    assert answer["estimates"][0]["estimate"] == rs.auc(FRAME["y"], FRAME["a"]).value
    assert (answer["sample"]["pos_label"], answer["sample"]["neg_label"]) == (pos, neg)


def test_text_digits_are_labels_too(call: Call, tmp_path: Path) -> None:
    FRAME.assign(y=FRAME["y"].astype(str)).to_parquet(tmp_path / "study.parquet")
    answer = strict_json(call("auc", "study.parquet", *BASIC, "--json").out)
    assert answer["sample"]["pos_label"] == "1"


@pytest.mark.parametrize("dtype", ["category", "Int64", "boolean", "string"])
def test_pandas_own_types_go_in(call: Call, tmp_path: Path, dtype: str) -> None:
    FRAME.assign(y=FRAME["y"].astype(dtype)).to_parquet(tmp_path / "study.parquet")
    answer = strict_json(call("auc", "study.parquet", *BASIC, "--json").out)
    assert answer["estimates"][0]["estimate"] == rs.auc(FRAME["y"], FRAME["a"]).value


def test_a_text_label_is_preferred_to_a_number_of_the_same_spelling() -> None:
    assert read.match_label("1", [1, "1"]) == "1"
    assert read.match_label("9007199254740993", [9007199254740992, 9007199254740993]) % 2 == 1


def test_hostile_column_names(call: Call, tmp_path: Path) -> None:
    names = {"y": "Ergebnis, 30 d", "a": "größe (mm)", "b": "$(rm) 'x'; \"y\" 🩸"}
    FRAME.rename(columns=names).to_csv(tmp_path / "study.csv", index=False)
    argv = ("--outcome", names["y"], "--positive", "1", "--markers", names["a"])
    quoted = '"' + names["b"].replace('"', '""') + '"'
    answer = strict_json(call("auc", "study.csv", *argv, "--markers", quoted, "--json").out)
    assert answer["sample"]["markers"] == [names["a"], names["b"]]
    assert names["a"] in call("auc", "study.csv", *argv).out


def test_a_name_with_a_comma_is_quoted(call: Call, tmp_path: Path) -> None:
    FRAME.rename(columns={"b": "b, log"}).to_csv(tmp_path / "study.csv", index=False)
    answer = call("auc", "study.csv", *BASIC[:-1], 'a, "b, log"', "--json")
    assert strict_json(answer.out)["sample"]["markers"] == ["a", "b, log"]


def test_byte_order_mark_and_trailing_comma_are_harmless(call: Call) -> None:
    write("study.csv", "\ufeffy,a\n1,3,\n0,2,\n1,1,\n0,0,\n")
    assert strict_json(call("auc", "study.csv", *BASIC, "--json").out)["sample"]["n_pos"] == 2


MISSING = "y,a\n1,0.9\n0,NA\n,0.4\n0,0.1\n1,\n1,0.3\n0,0.5\n"


def test_missing_values_are_refused(call: Call) -> None:
    answer = call("auc", write("study.csv", MISSING), *BASIC)
    assert_refused(answer, "missing values (1 in y, 2 in a)", "--nan-policy omit")


def test_missing_values_are_omitted_and_counted(call: Call) -> None:
    argv = ("auc", write("study.csv", MISSING), *BASIC, "--nan-policy", "omit")
    assert "3 subjects dropped (y missing in 1, a missing in 2)." in call(*argv).out
    answer = strict_json(call(*argv, "--json").out)
    assert answer["sample"]["dropped"] == {"n": 3, "missing": {"y": 1, "a": 2}}
    assert answer["estimates"][0]["estimate"] == 0.75


# ------------------------------------------------------------------------------ what is refused

FILES: dict[str, tuple[str, str | bytes, str]] = {
    "empty": ("s.csv", "", "s.csv is empty; it needs a line of column names and data."),
    "blank": ("s.csv", "\n\n", "s.csv is empty; it needs a line of column names and data."),
    "header only": ("s.csv", "y,a\n", "The sample is empty"),
    "long rows": ("s.csv", "y,a\n1,2,3\n0,1,1\n", "s.csv has rows with more cells than the line"),
    "row names before a last empty column": (
        *(
            "s.csv",
            "b,y,a,c\nr1,0,1,5,\nr2,1,0,3,\n",
            "s.csv has rows with more cells than the line",
        ),
    ),
    "a long row": ("s.csv", "y,a\n1,2\n0,1,1\n", "read as CSV: Expected 2 fields in line 3, saw 3"),
    "open quote": ("s.csv", 'y,a\n"1,2\n', "s.csv could not be read as CSV: EOF inside string"),
    "suffix": ("s.dat", "y,a\n", "s.dat has no suffix that tells its format; use one of .csv, "),
    "no suffix": ("s", "y,a\n", "s has no suffix that tells its format"),
    "parquet": ("s.parquet", "no parquet at all", "s.parquet could not be read as Parquet: "),
    "excel": ("s.xlsx", "no excel", "s.xlsx could not be read as Excel: File is not a zip file."),
    "words": ("s.csv", "y,a\n1,high\n0,low\n", "The scores of a must be numbers, got 'high'"),
    "three": ("s.csv", "y,a\n1,1\n0,2\n2,3\n", "y must have two classes, got 3 (0, 1, 2)"),
    "one class": ("s.csv", "y,a\n1,1\n1,2\n", "y has one class only (1)"),
}


@pytest.mark.parametrize("kind", FILES)
def test_files_that_are_refused(call: Call, kind: str) -> None:
    name, content, sentence = FILES[kind]
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert_refused(call("auc", name, *BASIC), sentence)


def test_missing_file_and_directory(call: Call, study: str) -> None:
    Path("folder.csv").mkdir()
    Path("link.csv").symlink_to("gone.csv")
    cases = {
        "studdy.csv": "There is no file studdy.csv. Did you mean 'study.csv'?",
        "nowhere/study.csv": "There is no file nowhere/study.csv.",
        "study.csv/x.csv": "There is no file study.csv/x.csv.",
        "link.csv": "There is no file link.csv.\n",
        "folder.csv": "'folder.csv' is empty; give a Parquet or CSV file, a pattern such as",
        "x" * 300 + ".csv": "could not be read: File name too long.",
    }
    for name, sentence in cases.items():
        assert_refused(call("auc", name, *BASIC), sentence)


def test_empty_sheet_and_repeated_names_in_a_sheet(call: Call, tmp_path: Path) -> None:
    pd.DataFrame().to_excel(tmp_path / "void.xlsx", index=False)
    assert_refused(call("auc", "void.xlsx", *BASIC), "void.xlsx is empty")
    twice = FRAME.rename(columns={"b": "a"})
    twice.to_excel(tmp_path / "twice.xlsx", index=False)
    twice.to_csv(tmp_path / "twice.csv", index=False)
    for name in ("twice.xlsx", "twice.csv"):
        assert_refused(call("auc", name, *BASIC, "--as-is"), "two columns named 'a'")
        answer = call("auc", name, *BASIC)
        assert answer.code == 2
        said = "rocstats: The data have no column 'a'; they have id, y, a (column C), a (column D)."
        assert answer.err.splitlines()[-1] == said
        told = call("auc", name, "--outcome", "y", "--positive", "1", "--markers", "a (column D)")
        assert "told apart by their letters: 'a (column C)' and 'a (column D)'" in told.err
        assert told.code == 0


@pytest.mark.parametrize(
    ("suffix", "library", "install"),
    [
        (".parquet", "pyarrow", "rocstats[io]"),
        (".xlsx", "openpyxl", "rocstats[io]"),
    ],
)
def test_missing_library_names_what_to_install(
    call: Call, monkeypatch: pytest.MonkeyPatch, suffix: str, library: str, install: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)  # type: ignore[arg-type]
    answer = call("auc", write(f"study{suffix}", "x"), *BASIC)
    assert_refused(
        answer,
        f"Reading {suffix} files needs {library}, which is not installed; "
        f"run: pip install '{install}'",
    )
    with pytest.raises(rs.MissingDependencyError):
        read.read_table(f"study{suffix}")


OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "marker": (("--markers", "aa"), ("The data have no column 'aa'", "Did you mean 'a'?")),
    "outcome": (("--outcome", "yy"), ("The data have no column 'yy'", "Did you mean 'y'?")),
    "subject": (("--subject", "ids"), ("The data have no column 'ids'", "Did you mean 'id'?")),
    "itself": (("--markers", "y"), ("The outcome 'y' is also listed as a marker",)),
    "again": (("--markers", "a"), ("'a' is there twice",)),
    "label": (("--positive", "7"), ("--positive '7' is not among the labels of y (0, 1)",)),
    "no case": (("--positive", "TRUE"), ("--positive 'TRUE' is not among the labels of y",)),
    "orientation": (("--lower-is-positive", "c"), ("--lower-is-positive names 'c'",)),
    "measure": (("--measures", "sauk"), ("got 'sauk'. Did you mean 'sauc'?",)),
    "interval": (("--interval", "logitt"), ("--interval must be one of", "Did you mean 'logit")),
    "AUC only": (("--measures=sauc", "--interval=newcombe"), ("newcombe", "AUC only, not sAUC")),
    "level": (("--confidence-level", "95"), ("strictly between 0 and 1, got 95.0",)),
    "bounds": (("--measures=sauc", "--bounds=1"), ("two finite numbers low < high",)),
    "bounds order": (("--measures=sauc", "--bounds=1,0"), ("two finite numbers low < high",)),
    "bounds words": (("--measures=sauc", "--bounds=x,y"), ("two finite numbers low < high",)),
    "midpoint": (("--measures=smauc", "--midpoint=2"), ("--midpoint must be a number in (0, 1]",)),
    "weight": (("--measures=smauc", "--class-weight=x"), ("--class-weight must be", "got 'x'")),
    "idle bounds": (
        ("--bounds=0,1",),
        ("--bounds has no part in auc; add sauc or smauc to the measures, or leave it out.",),
    ),
    "midpoints": (
        ("--measures=smauc", "--midpoints=0.5,0.2"),
        ("--midpoints must be increasing numbers in (0, 1]",),
    ),
    "idle midpoints": (
        ("--measures=auc", "--midpoints=0.5"),
        ("--midpoints are of the smAUC; add smauc to the measures",),
    ),
    "idle midpoint": (
        ("--measures=auc,sauc", "--midpoint=0.5"),
        ("--midpoint has no part in auc, sauc; add smauc to the measures, or leave it out.",),
    ),
    "idle weight": (("--class-weight=balanced",), ("--class-weight has no part in auc;",)),
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_options_that_are_refused(call: Call, study: str, kind: str) -> None:
    options, sentences = OPTIONS[kind]
    assert_refused(call("auc", study, *BASIC, *options), *sentences)


def test_scores_off_the_scale_point_to_bounds(call: Call, study: str) -> None:
    FRAME.assign(a=10 * FRAME["a"]).to_csv(study, index=False)
    assert_refused(call("auc", study, *BASIC, "--measures", "smauc"), "--bounds LOW,HIGH")


@pytest.mark.parametrize(
    "argv",
    [
        ("auk",),
        ("auc",),
        ("auc", "study.csv", "--outcome", "y"),
        ("auc", "study.csv", *BASIC, "--nan-policy", "drop"),
        ("auc", "study.csv", *BASIC, "--confidence-level", "high"),
        ("auc", "study.csv", *BASIC, "--conf", "0.9"),
        ("demo", "extra"),
    ],
)
def test_usage_errors_exit_2(
    argv: tuple[str, ...], study: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("rocstats: ")
    assert "; see rocstats" in said.err
    assert said.err.count("\n") == 1


# ------------------------------------------------------------------------- warnings and endings


def test_warnings_are_one_line_each_and_nan_is_null(call: Call) -> None:
    answer = call("auc", write("s.csv", "y,a\n1,1\n0,2\n0,3\n"), *BASIC, "--json")
    assert answer.code == 0
    lines = answer.err.splitlines()
    assert len(lines) == len(set(lines)) > 0
    assert all(line.startswith("rocstats: warning: ") for line in lines)
    assert any("AUC of a has 1 positive and 2 negatives" in line for line in lines)
    row = strict_json(answer.out)
    assert row["estimates"][0]["std_error"] is None
    assert row["covariance"] == [[None]]


def test_a_perfect_marker_warns_and_has_an_honest_interval(call: Call) -> None:
    answer = call("auc", write("s.csv", "y,a\n1,4\n0,2\n0,3\n1,5\n"), *BASIC, "--json")
    assert "rocstats: warning: AUC of a has standard error 0" in answer.err
    (row,) = strict_json(answer.out)["estimates"]
    assert row["estimate"] == 1.0
    assert row["conf_low"] < 1.0


def test_infinite_scores_are_ranks_to_the_auc(call: Call) -> None:
    write("s.csv", "y,a\n1,inf\n0,2\n0,3\n1,2.5\n")
    assert strict_json(call("auc", "s.csv", *BASIC, "--json").out)["estimates"][0]["estimate"] == (
        0.75
    )
    assert_refused(call("auc", "s.csv", *BASIC, "--measures", "sauc"), "needs finite scores")


def test_an_interrupt_is_quiet(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "run", interrupt)
    assert call("demo") == (130, "", "")


def test_python_warnings_are_as_before(call: Call, study: str) -> None:
    import warnings

    before = warnings.showwarning, list(warnings.filters)
    call("auc", study, *BASIC)
    assert (warnings.showwarning, list(warnings.filters)) == before


# ------------------------------------------------------------------------------------------ demo


def test_demo_explains_and_gives_commands_that_repeat_it(call: Call) -> None:
    import shlex

    out = call("demo").out
    calls = [line[2:] for line in out.splitlines() if line.startswith("$ ")]
    assert len(calls) == 3
    for line in calls:
        program, *argv = shlex.split(line)
        assert program == "rocstats"
        assert call(*argv).out in out
    for phrase in ("569 breast masses", "share of pairs", "mean margin", "Fawcett (2006), Fig. 3"):
        assert phrase in out


def test_demo_writes_a_report(call: Call) -> None:
    answer = call("demo", "-o", "page.html")
    assert answer.code == 0
    (line,) = [line for line in answer.out.splitlines() if line.startswith("$ rocstats report ")]
    assert "-o page.html" in line
    assert answer.out.endswith("Wrote page.html\n")
    assert "mean_concave_points" in Path("page.html").read_text(encoding="utf-8")
    assert_refused(call("demo", "-o", "nowhere/page.html"), "There is no directory nowhere")


def test_demo_json(call: Call) -> None:
    answer = strict_json(call("demo", "--json").out)
    assert list(answer) == ["command", "version", "analyses"]
    cancer, compared, fawcett = answer["analyses"]
    assert compared["margins"][0]["shown"] is True
    sample = datasets.load_breast_cancer()
    expected = rs.estimate(sample, measures=("auc", "sauc"))
    assert cancer["estimates"] == expected.to_dict()["estimates"]
    assert np.array_equal(cancer["covariance"], expected.covariance)
    assert [row["measure"] for row in fawcett["estimates"]] == ["auc", "sauc", "smauc"]
    assert fawcett["estimates"][0]["estimate"] == 0.68


# -------------------------------------------------------------------------------- as a process


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(*argv: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *argv], capture_output=True, text=True, check=False, **options
        )

    return run


def test_module_runs_as_a_process(process: Callable[..., Any], tmp_path: Path) -> None:
    FRAME.rename(columns={"a": "größe"}).to_csv(tmp_path / "study.csv", index=False)
    argv = ("-m", "rocstats", "auc", "study.csv", "--outcome", "y", "--positive", "1")
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = process(*argv, "--markers", "größe", cwd=tmp_path, env=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert "gr\\xf6\\xdfe" in done.stdout
    done = process(*argv, "--markers", "b2", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("rocstats: The data have no column 'b2'")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(process: Callable[..., Any], option: str) -> None:
    code = (
        "import sys; from rocstats.cli import main\n"
        f"try: main([{option!r}])\n"
        "except SystemExit as stop: assert stop.code == 0\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'narwhals', 'pyarrow'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = process("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: rocstats" if option == "--help" else "rocstats ")


@pytest.mark.skipif(os.name != "posix", reason="pipes close this way on POSIX")
def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rocstats", "demo", "--json"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
def test_an_answer_that_does_not_fit_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rocstats", "study", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    why = "The answer could not be read or written: No space left on device."
    assert (done.returncode, done.stderr) == (2, f"rocstats: {why}\n")


def test_a_program_without_a_console_works(process: Callable[..., Any], tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "study.csv", index=False)
    code = (
        "import sys; from rocstats.cli import main\n"
        "sys.stdout = sys.stderr = None\n"
        "argv = 'report study.csv --outcome y --markers a --n-resamples 100 --r no -o p.html'\n"
        "assert main(argv.split()) == 0\n"
        "raise SystemExit(main(['report', 'none.csv']))"
    )
    done = process("-c", code, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")
    assert (tmp_path / "p.html").exists()


# ------------------------------------------------------------------------------------- comparing

THREE = "y,a,b,c,id\n" + "".join(
    f"{y},{a},{b},{c},{i // 2}\n"
    for i, (y, a, b, c) in enumerate(
        [
            *((1, 9, 7, 5), (1, 8, 9, 1), (1, 4, 3, 8), (1, 7, 8, 6), (0, 1, 6, 2)),
            *((0, 5, 2, 7), (0, 2, 4, 3), (0, 3, 1, 9), (1, 6, 5, 4), (0, 4, 6, 5)),
        ]
    )
)
COMPARED = ("--outcome", "y", "--markers", "a,b,c")


def test_compare_prints_what_the_library_finds(call: Call) -> None:
    answer = call("compare", write("s.csv", THREE), *COMPARED, "--json", "--reference", "normal")
    assert answer.code == 0
    found = strict_json(answer.out)
    table = pd.read_csv("s.csv")
    result = rs.compare(table["y"], table[["a", "b", "c"]])
    expected = result.pairwise(reference="normal").to_dict()["contrasts"]
    for row, right in zip(found["contrasts"], expected, strict=True):
        assert row["contrast"] == right["contrast"]
        assert row["p_adjusted"] == right["p_adjusted"]
        assert row["df"] is None  # infinite
    assert found["omnibus"]["p_value"] == result.omnibus(reference="chi2").pvalue
    assert np.array(found["covariance"]) == pytest.approx(result.covariance)
    text = call("compare", "s.csv", *COMPARED).out
    assert "a - b" in text
    assert "Omnibus test, F" in text


def test_compare_with_margins_clusters_and_a_standard(call: Call) -> None:
    file = write("s.csv", THREE)
    answer = call(
        *("compare", file, *COMPARED, "--versus", "c", "--cluster", "id"),
        *("--noninferiority", "0.1", "--equivalence", "0.9"),
    )
    assert answer.code == 0
    assert "in 5 clusters" in answer.out
    assert "a - c" in answer.out
    assert "a - b" not in answer.out
    assert "Non-inferiority was " in answer.out
    assert "Equivalence was " in answer.out
    table = pd.read_csv(file)
    sample = rs.ScoredSample.from_arrays(
        table["y"], table[["a", "b", "c"]], cluster=table["id"].to_numpy()
    )
    margin = rs.compare(sample).noninferiority(0.1, new="a", standard="c")
    assert margin.conclusion in answer.out


def test_compare_refuses(call: Call) -> None:
    file = write("s.csv", THREE)
    alone = ("--outcome", "y", "--markers", "a")
    assert_refused(call("compare", file, *alone), "two markers or two measures")
    assert_refused(call("compare", file, *COMPARED, "--versus", "d"), "no classifier 'd'")
    assert_refused(call("compare", file, *COMPARED, "--adjust", "hol"), "Did you mean 'holm'")
    assert_refused(call("compare", file, *COMPARED, "--noninferiority", "-1"), "positive number")
    assert_refused(call("compare", file, *COMPARED, "--measure", "smauc"), "within [0, 1]")


def test_14_11_simultaneous_intervals_of_a_comparison(call: Call) -> None:
    """Line 11 of issue 14, on the command line."""
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    frame = pd.DataFrame({name: y + rng.normal(size=60) for name in "abc"}).assign(y=y)
    frame.to_csv("three.csv", index=False)
    argv = ("compare", "three.csv", "--outcome", "y", "--markers", "a,b,c")
    told = call(*argv, "--intervals", "simultaneous")
    assert told.code == 0
    assert "95% intervals, simultaneous by Bonferroni" in told.out
    found = json.loads(call(*argv, "--intervals", "simultaneous", "--json").out)["contrasts"]
    expected = rs.compare(y, frame[["a", "b", "c"]]).pairwise(intervals="simultaneous").to_dict()
    for row, other in zip(found, expected["contrasts"], strict=True):
        assert row["conf_low"] == pytest.approx(other["conf_low"])
    refused = call(*argv, "--intervals", "wide")
    assert (refused.code, refused.out) == (2, "")
    assert "--intervals must be one of 'pointwise', 'simultaneous'" in refused.err


def near_one(wanted: Callable[[rs.Comparison], bool]) -> pd.DataFrame:
    """The first of some small studies of two good markers that is as wanted."""
    for seed in range(300):
        rng = np.random.default_rng([15, seed])
        y = np.repeat([1, 0], 12)
        shared = rng.normal(size=24)
        a, b = (gap * y + 0.6 * shared + 0.8 * rng.normal(size=24) for gap in (2.6, 1.7))
        if wanted(rs.compare(y, {"a": a, "b": b})):
            return pd.DataFrame({"y": y, "a": a, "b": b})
    raise AssertionError


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
def test_compare_says_which_test_it_took_and_shows_delongs_where_they_disagree(call: Call) -> None:
    def disagree(found: rs.Comparison) -> bool:
        return found.pairwise(method="delong").pvalue <= 0.05 < found.pairwise().pvalue

    frame = near_one(disagree)
    frame.to_csv("s.csv", index=False)
    argv = ("compare", "s.csv", "--outcome", "y", "--positive", "1", "--markers", "a,b")
    out = call(*argv).out
    assert "t test, variance at the null, two-sided" in out
    assert out.count("DeLong's own test of a - b disagrees: p ") == 1
    delong = call(*argv, "--method", "delong").out
    assert "t test of DeLong's components" in delong
    assert "disagrees" not in delong
    assert "z test of DeLong's components" in call(*argv, "--reference", "normal").out
    assert "MOVER" in call(*argv, "--method", "mover").out
    (row,) = json.loads(call(*argv, "--json").out)["contrasts"]
    (own,) = json.loads(call(*argv, "--json", "--method", "delong").out)["contrasts"]
    assert row["method"] == "t test, variance at the null"
    assert row["p_delong"] == own["p_value"] <= 0.05 < row["p_value"]
    assert own["p_delong"] is None
    three = (*argv[:-1], "a,b,b2", "--method", "mover")
    frame.assign(b2=-frame["a"]).to_csv("s.csv", index=False)
    assert "Omnibus test, F, variance at the null" in call(*three).out


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
def test_a_margin_that_few_losses_cannot_show_says_so(call: Call) -> None:
    def lacking(found: rs.Comparison) -> bool:
        return found.noninferiority(0.05).lacks_losses

    near_one(lacking).to_csv("s.csv", index=False)
    argv = ("compare", "s.csv", "--outcome", "y", "--positive", "1", "--markers", "a,b")
    out = call(*argv, "--noninferiority", "0.05").out
    assert "Non-inferiority was not shown" in out
    assert out.count("so few losses cannot show it.") == 1
    (margin,) = json.loads(call(*argv, "--noninferiority", "0.05", "--json").out)["margins"]
    assert margin["losses"] < 1.0
    assert margin["method"] == "t test, variance at the null"
    assert margin["p_delong"] < margin["p_value"]


def test_compare_refuses_methods_it_has_not(call: Call) -> None:
    file = write("s.csv", THREE)
    assert_refused(call("compare", file, *COMPARED, "--method", "wald"), "--method must be one of")
    scored = ("--measure", "sauc", "--method", "score")
    assert_refused(call("compare", file, *COMPARED, *scored), "AUCs only", "--method delong")
