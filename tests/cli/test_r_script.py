"""``rocstats r-script``: R itself runs what was written, and must find what rocstats found."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.rbridge.script_text import r_string

# Both sides round at 1e-16; A1 - A2, V1 + V2 - 2C and tails of z amplify that up to 1e4 times.
RELATIVE = 1e-10

HOSTILE = "a \"b\" \\n 100% # \t é😀, $(x) `y` 'z'\nlast"
LABEL = "Poor \"outcome\" \\ 5% ü; 'x'"


@cache
def proc_is_there() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(pROC)"], capture_output=True).returncode == 0


@pytest.fixture
def need_r() -> None:
    if not proc_is_there():
        pytest.skip("Rscript with pROC is not installed")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rscript(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["Rscript", "--vanilla", *arguments],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | environment,
    )


def command(file: str, *options: str, markers: tuple[str, ...] = ("a", "b")) -> tuple[str, ...]:
    quoted = [f'"{name.replace(chr(34), 2 * chr(34))}"' for name in markers]
    chosen = [part for name in quoted for part in ("--markers", name)]
    return ("r-script", file, "--outcome", "y", *chosen, *options)


def numbers_of(table: str) -> dict[str, tuple[float, float]]:
    """What the script printed: rocstats' and R's number of each quantity."""
    rows = csv.DictReader(io.StringIO(table))
    assert rows.fieldnames == ["quantity", "rocstats", "R", "difference", "allowed"]
    return {row["quantity"]: (float(row["rocstats"]), float(row["R"])) for row in rows}


def expected(sample: rs.ScoredSample, level: float = 0.95) -> dict[str, float]:
    """The same quantities, straight from the library."""
    found = {}
    for marker in sample.markers:
        row = rs.estimate(sample, measures=["auc"]).row(marker, "auc")
        found |= {f"{marker}: AUC": row.value, f"{marker}: standard error": row.std_error}
        for name, how in (("Wald", {"method": "wald", "clip": True}), ("logit", {})):
            limits = row.confidence_interval(confidence_level=level, **{"method": "logit"} | how)
            found |= {f"{marker}: {name} low": limits.low, f"{marker}: {name} high": limits.high}
    if len(sample.markers) == 1:
        return found
    result = rs.compare(sample)
    for test, (i, j) in zip(
        result.pairwise(reference="normal", adjust="none").tests,
        combinations(range(len(sample.markers)), 2),
        strict=True,
    ):
        pair = f"{sample.markers[i]} - {sample.markers[j]}"
        limits = test.confidence_interval(confidence_level=level)
        found |= {
            f"{pair}: difference": test.estimate,
            f"{pair}: covariance": result.covariance[i, j],
            f"{pair}: z": test.statistic,
            f"{pair}: p": test.pvalue,
            f"{pair}: low": limits.low,
            f"{pair}: high": limits.high,
        }
    return found


def simulated(seed: int = 7, n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    shared = rng.normal(size=n) + y
    return pd.DataFrame(
        {
            "y": y.astype(int),
            "a": (shared + rng.normal(size=n)).round(1),  # ties
            "b": shared + rng.normal(size=n),
        }
    )


class Case(NamedTuple):
    """A file, how it is asked for, and the sample it stands for."""

    content: str
    sample: Mapping[str, Any]
    options: tuple[str, ...] = ()
    markers: tuple[str, ...] = ("a", "b")
    suffix: str = ".csv"
    level: float = 0.95


def case(
    frame: pd.DataFrame,
    *options: str,
    markers: tuple[str, ...] = ("a", "b"),
    sep: str = ",",
    written: Callable[[str], str] = str,
    level: float = 0.95,
    **sample: Any,
) -> Case:
    text = written(frame.to_csv(index=False, sep=sep))
    build = {"frame": frame, "outcome": "y", "markers": list(markers), **sample}
    suffix = ".csv" if sep == "," else ".tsv"
    return Case(text, build, options, markers, suffix, level)


def from_pairs(pos: Mapping[str, list[float]], neg: Mapping[str, list[float]]) -> pd.DataFrame:
    sizes = [len(next(iter(side.values()))) for side in (pos, neg)]
    return pd.DataFrame({"y": np.repeat([1, 0], sizes), **{m: [*pos[m], *neg[m]] for m in pos}})


def cases() -> Iterator[tuple[str, Case]]:
    plain = simulated()
    yield "plain", case(plain)
    yield "one marker", case(plain, markers=("b",))
    yield "level", case(plain, "--confidence-level", "0.8", level=0.8)
    low = plain.assign(b=-plain["b"])
    yield (
        "low is positive",
        case(low, "--lower-is-positive", "b", higher_is_positive={"b": False}),
    )
    missing = plain.astype({"y": float}).copy()
    missing.loc[[3, 10], "a"] = np.nan
    missing.loc[10, "b"] = np.nan
    missing.loc[20, "y"] = np.nan

    def spelled(text: str) -> str:
        cells = [line.split(",") for line in text.splitlines()]
        cells[4][1], cells[11][1], cells[21][0] = "N/A", "null", "#N/A"
        return "\n".join(",".join(row) for row in cells)

    yield "missing", case(missing, "--nan-policy", "omit", written=spelled, nan_policy="omit")
    yield (
        "decimal labels",
        case(plain.astype({"y": float}), "--positive", "1", written=lambda text: text),
    )
    truth = plain.assign(y=plain["y"] == 1)
    for name, positive in (("true", True), ("false", False)):
        yield f"{name} labels", case(truth, "--positive", name, pos_label=positive)
    yield (
        "letters T and F",
        case(plain.assign(y=np.where(plain["y"], "T", "F")), "--positive", "T", pos_label="T"),
    )
    hostile = plain.rename(columns={"a": HOSTILE}).assign(
        y=np.where(plain["y"], LABEL, "Good "), note='say "no", #1'
    )
    names = (HOSTILE, "b")
    ask = ("--positive", LABEL)
    yield "hostile", case(hostile, *ask, markers=names, pos_label=LABEL)

    def as_windows(text: str) -> str:
        return "\ufeff" + text.replace("y,a,b", '"y",a,b').replace("\n", "\r\n") + "  \r\n"

    yield "byte order mark, CRLF, blank lines", case(plain, written=as_windows)
    yield (
        "trailing commas but in the header",
        case(plain, written=lambda text: text.replace("\n", ",\n").replace(",\n", "\n", 1)),
    )
    yield "tabs", case(plain, sep="\t")
    yield (
        "boolean marker",
        case(plain.assign(b=plain["b"] > 0), written=lambda t: t.replace("True", "TRUE")),
    )
    perfect = {"a": [4.0, 5.0, 6.0], "b": [9.0, 7.0, 8.0]}, {"a": [1.0, 2.0, 3.0], "b": [0.0] * 3}
    yield "two perfect", case(from_pairs(*perfect))
    constant = {"a": [4.0, 5.0, 6.0], "b": [1.0] * 3}, {"a": [1.0, 2.0, 3.0], "b": [1.0] * 3}
    yield "perfect and constant", case(from_pairs(*constant))
    yield (
        "worst",
        case(
            from_pairs({"a": [1.0, 2.0], "b": [1.0, 4.0]}, {"a": [3.0, 4.0, 5.0], "b": [0, 2, 3]})
        ),
    )
    yield (
        "one positive",
        case(from_pairs({"a": [4.0], "b": [2.0]}, {"a": [5.0, 3.0, 1.0], "b": [3.0, 5.0, 1.0]})),
    )
    # Every subject has the same difference, so its variance is 0 but for R's rounding.
    steps = np.arange(1.0, 14.0, 2.0)
    shifted = {"a": [*steps], "b": [*steps]}, {"a": [*steps - 1.0], "b": [*steps + 1.0]}
    yield "equal steps", case(from_pairs(*shifted))
    # One subject of 4000 moves by one place: V1 + V2 - 2C has lost all but eight digits in R.
    near = simulated(3, 4000)
    near["a"] = near["b"].rank()
    near["b"] = near["a"] + np.where(near.index == 5, 1.5, 0.0)
    yield "nearly identical", case(near)
    far = simulated(4, 3000)
    far["a"], far["b"] = far["a"] + 1.1 * far["y"], -far["b"]
    yield "p below the least double", case(far)


CASES = dict(cases())
# Numbers of which R has lost digits; the script itself says how many are allowed to be lost.
ROUGH = {"equal steps": ("z",), "nearly identical": ("z", "p", "low", "high")}


# Runs many scripts, each in its own place and environment, in one R for the sake of time.
DRIVER = """
options(warn = 1)
for (place in commandArgs(trailingOnly = TRUE)) {
  setwd(place)
  status <- NA
  own <- new.env()
  own$commandArgs <- function(...) character()
  own$quit <- function(save, status) status <<- status
  out <- file("out.csv", "wb")
  sink(out)
  error <- tryCatch({ sys.source("study.R", own); "" }, error = conditionMessage)
  sink()
  close(out)
  writeLines(c(format(status), error), "status.txt")
}
"""


def run_all(places: Iterable[Path], driver: Path) -> None:
    driver.write_text(DRIVER)
    run = rscript(str(driver), *map(str, places))
    assert run.returncode == 0, run.stderr


def write_script(name: str, place: Path) -> None:
    c = CASES[name]
    file = place / f"study{c.suffix}"
    file.write_bytes(c.content.encode())
    ask = command(str(file), *c.options, "-o", str(place / "study.R"), markers=c.markers)
    assert main(ask) == 0


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where R's answer to each case is."""
    if not proc_is_there():
        pytest.skip("Rscript with pROC is not installed")
    places = {name: tmp_path_factory.mktemp("case") for name in CASES}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocstatsWarning)
        for name, place in places.items():
            write_script(name, place)
    run_all(places.values(), tmp_path_factory.mktemp("driver") / "driver.R")
    return places


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
@pytest.mark.parametrize("name", CASES)
def test_r_finds_the_same(name: str, answers: dict[str, Path]) -> None:
    place = answers[name]
    assert (place / "status.txt").read_text() == "0\n\n"
    check_answer(name, (place / "out.csv").read_text("utf-8"))


@pytest.mark.usefixtures("need_r")
def test_the_locale_does_not_matter(tmp_path: Path) -> None:
    write_script("hostile", tmp_path)
    run = rscript("study.R", LC_ALL="C")
    assert (run.returncode, run.stderr) == (0, "")
    check_answer("hostile", run.stdout)


def check_answer(name: str, table: str) -> None:
    c = CASES[name]
    found = numbers_of(table)
    frame = c.sample["frame"]
    build = {key: value for key, value in c.sample.items() if key != "frame"}
    ours = expected(rs.ScoredSample.from_frame(frame, **build), c.level)
    assert {key: pair[0] for key, pair in found.items()} == pytest.approx(
        ours, rel=RELATIVE, abs=0.0, nan_ok=True
    )
    rough = [key for key in found if key.rpartition(": ")[2] in ROUGH.get(name, ())]
    sure = {key: pair[1] for key, pair in found.items() if key not in rough}
    wanted = {key: value for key, value in ours.items() if key not in rough}
    # A covariance or difference that is 0 but for rounding has an absolute error.
    assert sure == pytest.approx(wanted, rel=RELATIVE, abs=1e-15, nan_ok=True)


@pytest.mark.usefixtures("need_r")
@pytest.mark.parametrize(
    ("dataset", "outcome", "positive", "markers"),
    [
        ("breast_cancer", "diagnosis", "malignant", "mean_radius,mean_texture,worst_area"),
        ("ct_ratings", "status", "abnormal", "rating"),
    ],
)
def test_bundled_data(dataset: str, outcome: str, positive: str, markers: str) -> None:
    path = rs.datasets.path(dataset)
    chosen = ["--outcome", outcome, "--positive", positive, "--markers", markers]
    assert main(["r-script", str(path), *chosen, "-o", "bundled.R"]) == 0
    run = rscript("bundled.R")
    assert (run.returncode, run.stderr) == (0, "")
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sample = rs.ScoredSample.from_arrays(
        [row[outcome] for row in rows],
        {marker: [float(row[marker]) for row in rows] for marker in markers.split(",")},
        pos_label=positive,
    )
    found = numbers_of(run.stdout)
    assert {key: pair[1] for key, pair in found.items()} == pytest.approx(
        expected(sample), rel=RELATIVE, abs=0.0
    )


# --------------------------------------------------------------------------- when R must disagree


@pytest.fixture
def script(need_r: None, capsys: pytest.CaptureFixture[str]) -> str:
    simulated().to_csv("study.csv", index=False)
    assert main(command("study.csv", "-o", "study.R")) == 0
    capsys.readouterr()
    return Path("study.R").read_text("ascii")


def constants(text: str) -> list[str]:
    """Every number of ours in a script."""
    block = text[text.index("areas <-") : text.index("suppressPackage")]
    return re.findall(r"-?\d+\.\d{8,}(?:e[+-]\d+)?", block)


def test_any_wrong_number_of_ours_is_found(script: str) -> None:
    numbers = constants(script)
    assert len(numbers) == 18
    wrong = script
    for number in numbers:
        wrong = wrong.replace(number, f"{float(number) * (1 + 3e-10):.17g}", 1)
    Path("wrong.R").write_text(wrong, "ascii")
    run = rscript("wrong.R")
    assert run.returncode == 1
    assert run.stderr == "18 of 18 numbers differ.\n"
    one = script.replace(numbers[7], f"{float(numbers[7]) * (1 + 3e-10):.17g}", 1)
    Path("wrong.R").write_text(one, "ascii")
    run = rscript("wrong.R")
    assert (run.returncode, run.stderr) == (1, "1 of 18 numbers differ.\n")
    judged = list(csv.DictReader(io.StringIO(run.stdout)))
    large = [r["quantity"] for r in judged if float(r["difference"]) > float(r["allowed"])]
    assert large == ["b: standard error"]


def test_other_data_are_refused_whatever_was_changed(script: str, tmp_path: Path) -> None:
    whole = Path("study.csv").read_text()
    forged = re.sub(r"md5 <- .*", "md5 <- unname(tools::md5sum(path))", script)
    assert forged != script
    cells = whole.splitlines()
    cells[1], cells[2] = cells[1].replace("1,", "0,", 1), cells[2].replace("0,", "1,", 1)
    exchanged = "\n".join(cells)
    changes = {
        whole + "0,1,1\n": "R counts 41 and 20 negatives and positives, rocstats 40 and 20.",
        whole.replace("\n0,", "\n2,", 1): "R counts 39 and 20 negatives and positives, rocstats 40",
        whole + "0,,1\n": "R finds 1 incomplete rows, rocstats 0.",
        whole + "0,x,1\n": "R finds 1 incomplete rows, rocstats 0.",
        whole.replace("y,a,b", "y,a,c"): 'R finds no single column "b".',
        exchanged: "",  # nothing to refuse, but the numbers differ
    }
    places = [tmp_path / f"change {k}" for k in range(len(changes))]
    for place, changed in zip(places, changes, strict=True):
        place.mkdir()
        (place / "study.csv").write_text(changed)
        (place / "study.R").write_text(forged, "ascii")
    run_all(places, tmp_path / "driver.R")
    for place, sentence in zip(places, changes.values(), strict=True):
        status, error = (place / "status.txt").read_text().splitlines()
        assert error.startswith(sentence)
        assert status == ("NA" if sentence else "1")
    Path("study.csv").write_text(exchanged)
    run = rscript("study.R")
    assert (run.returncode, run.stdout) == (1, "")
    assert "study.csv is not the file that rocstats read." in run.stderr


def test_the_data_are_found_by_argument(script: str, tmp_path: Path) -> None:
    away = tmp_path / "away ü"
    away.mkdir()
    Path("study.csv").rename(away / "renamed.csv")
    run = rscript("study.R")
    assert (run.returncode, run.stdout) == (1, "")
    assert "There is no file study.csv; name it after the script." in run.stderr
    run = rscript("study.R", str(away / "renamed.csv"))
    assert (run.returncode, run.stderr) == (0, "")
    assert len(numbers_of(run.stdout)) == 18


@pytest.mark.usefixtures("need_r")
def test_r_reads_back_every_text() -> None:
    texts = [HOSTILE, LABEL, "", "%s%d", "\x01\x1f\x7f\x80", "é1", "\U0001f600a", '\\"', "a\tb\nc"]
    calls = ", ".join(f"paste(utf8ToInt({r_string(text)}), collapse = ' ')" for text in texts)
    Path("texts.R").write_text(f"writeLines(c({calls}))", "ascii")
    read = rscript("texts.R", LC_ALL="C").stdout.split("\n")[:-1]
    assert read == [" ".join(str(ord(c)) for c in text) for text in texts]


# ------------------------------------------------------------------------------ without any R


def test_r_string_is_ascii_and_closed() -> None:
    assert r_string("a\"\\\n\té😀'%") == '"a\\"\\\\\\n\\t\\u00e9\\U0001f600\'%"'
    for text in (HOSTILE, LABEL, "\x1b[0m"):
        written = r_string(text)
        assert written.isascii()
        assert written.isprintable()
        assert not re.search(r'(?<!\\)(\\\\)*"', written[1:-1])  # no quote ends it early
    for character in ("\0", "\r", "\udc80"):
        with pytest.raises(rs.InvalidSampleError, match="which R cannot read from a table"):
            r_string(f"a{character}")


def test_same_input_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    simulated().to_csv("study.csv", index=False)
    ask = command("study.csv")
    texts = []
    for _ in range(2):
        assert main(ask) == 0
        texts.append(capsys.readouterr().out)
    assert main([*ask, "-o", "study.R"]) == 0
    assert capsys.readouterr().out == (
        "Wrote study.R; run it where study.csv is found: Rscript study.R\n"
    )
    assert texts[0] == texts[1] == Path("study.R").read_text("ascii")
    head = texts[0].splitlines()[:2]
    assert f"rocstats {rs.__version__}" in head[0]
    digest = sha256(Path("study.csv").read_bytes()).hexdigest()
    assert head[1] == f'# Data: "study.csv", SHA-256 {digest}.'
    assert sorted(os.listdir()) == ["study.R", "study.csv"]


def test_a_file_name_cannot_leave_its_comment(capsys: pytest.CaptureFixture[str]) -> None:
    name = 'a"\nquit(status = 0) #.csv'
    simulated().to_csv(name, index=False)
    assert main(command(name)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not any(line.startswith("quit") for line in lines)
    assert lines[1].startswith('# Data: "a\\"\\nquit(status = 0) #.csv", SHA-256 ')


def test_the_fixed_part_is_the_same_in_every_script(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = simulated().rename(columns={"a": HOSTILE})
    parts = set()
    for frame, markers in ((simulated(), ("a",)), (hostile, (HOSTILE, "b"))):
        frame.to_csv("study.csv", index=False)
        assert main(command("study.csv", markers=markers)) == 0
        parts.add(capsys.readouterr().out.partition("suppressPackage")[2])
    assert len(parts) == 1


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        ("y,a,b\n1,2,3\n0,,1\n", (), "There are missing values (1 in a)"),
        ("y,a,b\n1,inf,3\n0,2,1\n", (), "The scores of a are not all finite, and pROC takes"),
        ("y,a,b\n1,2,3\n0,2,1\n", ("--cluster", "a"), "leave out --cluster."),
        ("y,a,b\n1,2,3\n0,2,1\n", ("--confidence-level", "1"), "strictly between 0 and 1"),
        ("y,a,b\n1,2,3\n0,2,1\n", ("-o", "."), ". is a directory; name a file to write."),
        ("y,a,b\n1,2,3\n0,2,1\n", ("-o", "no/x.R"), "There is no directory no to write x.R to."),
        ("y,a,b\n1,2,3\n0,2,1\n", ("-o", "study.csv"), "study.csv holds the data"),
        ("y,a,b\n1,2,3\n0,2,1\n", ("-o", os.devnull), "is no ordinary file; leave out -o"),
        ('y,a,b\n"x\r",2,3\n"z",2,1\n', ("--positive", "x\r"), "which R cannot read from a table"),
    ],
)
def test_refusals(
    content: str, options: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("study.csv").write_bytes(content.encode())
    assert main(command("study.csv", *options)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert sentence in err.splitlines()[-1]
    assert os.listdir() == ["study.csv"]
    assert Path("study.csv").read_bytes() == content.encode()


@pytest.mark.parametrize("name", ["study.parquet", "study.xlsx"])
def test_other_formats_are_refused_before_they_are_read(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(name)) == 2
    suffix = Path(name).suffix
    assert capsys.readouterr().err == (
        f"rocstats: An R script for a {suffix} file would need more than R and pROC; "
        "save the table as .csv.\n"
    )
