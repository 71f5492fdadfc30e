"""The validation passes, says what it compared, and cannot be fooled."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats import rbridge
from rocstats.cli import main
from rocstats.cli.write import write_file
from rocstats.data import installed_kernel
from rocstats.data import sample as data
from rocstats.validation import cases, expected, installation, observed, protocol, settings
from rocstats.validation.cases import evidence, read_cases, read_quantities
from rocstats.validation.protocol import Validation, validate
from rocstats.validation.verdicts import compare_numbers

FOLDER = evidence()


def few(*wanted: str) -> Any:
    """Let the protocol look at these cases only."""
    return lambda all_cases: [case for case in all_cases if case.name.startswith(wanted)]


def failed(result: Validation) -> list[str]:
    return [r.case for r in result.results if r.verdict == "fail"]


run_study = cache(protocol.run_study)  # once for all tests


@pytest.fixture(autouse=True)
def quick_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "run_study", run_study)


@pytest.fixture(scope="module")
def whole() -> Validation:
    """Everything, offline."""
    return validate()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The evidence, in a place where it may be spoilt."""
    return Path(shutil.copytree(FOLDER, tmp_path / "validation"))


# --------------------------------------------------------------------------------------- what it is


def test_everything_passes_and_it_is_enough(whole: Validation) -> None:
    assert failed(whole) == []
    assert whole.passed
    summary = whole.summary()
    assert summary["compared"] >= 2000
    assert summary["datasets"] >= 25
    assert summary["failed"] == 0
    scalars = sum(len(r.numbers) for r in whole.results if len(r.numbers) <= 20)
    assert scalars >= 2000  # not by long vectors alone


def test_every_requirement_is_tested_and_every_quantity_required(whole: Validation) -> None:
    required = {q for t in whole.requirements for q in t.requirement.quantities}
    assert required == {q.name for q in read_quantities(FOLDER)} | {"study"}
    assert set(observed.OBSERVED) == {q.name for q in read_quantities(FOLDER)}
    assert {t.requirement.risk for t in whole.requirements} <= {"high", "medium", "low"}
    assert all(t.verdict == "pass" for t in whole.requirements)


def test_every_tolerance_has_a_reason_and_a_use() -> None:
    used = {q.tolerance.name for q in read_quantities(FOLDER)}
    for name, tolerance in cases.read_tolerances(FOLDER).items():
        assert name in used
        assert len(tolerance.why) > 40


def test_case_names_are_unique_and_every_data_set_is_used() -> None:
    listed = read_cases(FOLDER)
    assert len({case.name for case in listed}) == len(listed)
    assert {case.dataset.name for case in listed} == set(cases.read_datasets(FOLDER))
    assert set(expected.read_references(FOLDER)) == {case.name for case in listed} | {
        "study/breast_cancer"
    }


def test_references_say_where_they_come_from() -> None:
    from validation.__main__ import generator_hash

    for file in (FOLDER / "reference").glob("*.json"):
        provenance = json.loads(file.read_text())["provenance"]
        assert {"generator", "R", "pROC", "rpy2", "date"} <= set(provenance)
        assert provenance["generator_sha256"] == generator_hash(), (
            f"{file.name} was frozen by other cases; run: make freeze"
        )


def test_manifest_is_current() -> None:
    assert [c.verdict for c in installation.check_files(FOLDER)] == ["pass"], "run: make manifest"


# ----------------------------------------------------------------------------------------- sabotage


def test_one_digit_of_a_reference(copied: Path) -> None:
    file = copied / "reference" / "fawcett.json"
    text = file.read_text()
    assert '"auc": 0.68' in text
    file.write_text(text.replace('"auc": 0.68', '"auc": 0.69', 1))
    result = validate(folder=copied, watch=few("auc/fawcett", "auc/ct"))
    assert "auc/fawcett/score" in failed(result)
    assert "auc/ct_ratings/rating" not in failed(result)
    assert [c.observed for c in result.installation if c.verdict == "fail"] == [
        "validation/reference/fawcett.json was changed"
    ]


def test_last_digits_of_a_reference(copied: Path) -> None:
    """A relative change of 1e-8 is caught, one in the last digit is rounding."""
    file = copied / "reference" / "ct_ratings.json"
    frozen = json.loads(file.read_text())
    numbers = frozen["cases"]["auc/ct_ratings/rating"]
    for change, verdict in ((1e-8, "fail"), (1e-15, "pass")):
        spoilt = numbers | {"variance": numbers["variance"] * (1 + change)}
        frozen["cases"]["auc/ct_ratings/rating"] = spoilt
        file.write_text(json.dumps(frozen))
        (result,) = validate(folder=copied, watch=few("auc/ct_ratings")).operation
        assert result.verdict == verdict


def test_reference_left_out(copied: Path) -> None:
    (copied / "reference" / "fawcett.json").unlink()
    result = validate(folder=copied, watch=few("auc/fawcett"))
    assert failed(result) == ["auc/fawcett/score"]
    assert result.operation[0].reason == "no frozen reference"


def test_number_left_out_of_a_reference(copied: Path) -> None:
    file = copied / "reference" / "fawcett.json"
    frozen = json.loads(file.read_text())
    del frozen["cases"]["auc/fawcett/score"]["variance"]
    file.write_text(json.dumps(frozen))
    result = validate(folder=copied, watch=few("auc/fawcett"))
    assert result.operation[0].verdict == "fail"
    assert "variance" in result.operation[0].reason


def test_data_changed(copied: Path) -> None:
    file = copied / "datasets" / "fawcett.csv"
    lines = file.read_text().splitlines(keepends=True)
    lines[1], lines[2] = lines[1].replace("1,", "0,", 1), lines[2].replace("1,", "0,", 1)
    file.write_text("".join(lines))
    assert "auc/fawcett/score" in failed(validate(folder=copied, watch=few("auc/fawcett")))


def test_direction_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        rs.ScoredSample, "is_flipped", lambda self, row: bool(self.higher_is_positive[row])
    )
    wrong = failed(validate(watch=few("auc/heavy_ties", "paired/heavy_ties")))
    assert any(name.startswith("auc/heavy_ties") for name in wrong)


def test_ties_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    real = data.sort_into_blocks

    def optimistic(scores: np.ndarray, positive: np.ndarray, **options: Any) -> Any:
        place = np.empty(scores.size)
        place[np.lexsort((positive, scores))] = np.arange(scores.size)
        return real(place, positive, **options)

    monkeypatch.setattr(installed_kernel, "kernel", lambda: None)  # which sorts by itself
    monkeypatch.setattr(data, "sort_into_blocks", optimistic)
    wrong = failed(validate(watch=few("auc/heavy_ties", "auc/uncorrelated", "curve/heavy_ties")))
    assert any(name.startswith("auc/heavy_ties") for name in wrong)
    assert any(name.startswith("curve/heavy_ties") for name in wrong)
    assert not any(name.startswith("auc/uncorrelated") for name in wrong)  # it has no ties


def test_estimator_that_raises_fails_its_case(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(sample: rs.ScoredSample, markers: tuple[str, ...]) -> settings.Numbers:
        raise ZeroDivisionError("by design")

    monkeypatch.setitem(observed.OBSERVED, "auc", broken)
    (result,) = validate(watch=few("auc/fawcett")).operation
    assert (result.verdict, result.reason) == ("fail", "ZeroDivisionError: by design")


def test_study_that_raises_fails_its_case(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> settings.Numbers:
        raise OSError("by design")

    monkeypatch.setattr(protocol, "run_study", broken)
    (result,) = validate(watch=few("auc/fawcett")).performance
    assert (result.case, result.verdict) == ("study/breast_cancer", "fail")
    assert result.fault == "study/breast_cancer (frozen R): OSError: by design"


@pytest.mark.parametrize("spoilt", ["", "{}", '{"cases": {"auc/fawcett/score": {"auc": null}}}'])
def test_evidence_that_cannot_be_read_is_refused(copied: Path, spoilt: str) -> None:
    (copied / "reference" / "fawcett.json").write_text(spoilt)
    with pytest.raises(rs.RocstatsError, match="could not be read"):
        validate(folder=copied)


WIDE = cases.Tolerance(name="wide", relative=1.0, absolute=1.0, why="")


@pytest.mark.parametrize(("there", "found"), [(np.nan, 0.5), (0.5, np.nan), (np.inf, 1e308)])
def test_nan_and_infinity_match_themselves_only(there: float, found: float) -> None:
    for a, b, passed in ((there, found, False), (there, there, True)):
        (number,), _ = compare_numbers({"x": a}, {"x": b}, WIDE)
        assert number.passed is passed


def test_infinity_in_a_vector_does_not_excuse_the_rest() -> None:
    by_largest = cases.Tolerance(name="l", relative=1e-12, absolute=0.0, why="", largest=True)
    there, found = [np.inf, np.nan, 1.0, 2.0], [np.inf, np.nan, 1.0, 3.0]
    numbers, reason = compare_numbers({"x": there}, {"x": found}, by_largest)
    assert [number.passed for number in numbers] == [True, True, True, False]
    assert reason == ""


@pytest.mark.parametrize(("there", "found"), [({}, {}), ({"x": []}, {"x": []}), ({"x": 1.0}, {})])
def test_nothing_compared_is_no_agreement(there: settings.Numbers, found: settings.Numbers) -> None:
    numbers, reason = compare_numbers(there, found, WIDE)
    assert numbers == ()
    assert reason


@pytest.mark.parametrize("tested_by", ["unheard-of", "auc unheard-of", ""])
def test_requirement_without_a_case_fails(copied: Path, tested_by: str) -> None:
    (copied / "requirements.csv").write_text(
        f"id,text,source,risk,cases\nNEW-1,A claim,nowhere,high,{tested_by}\n"
    )
    result = validate(folder=copied, watch=few("auc/fawcett"))
    (trace,) = result.requirements
    assert trace.verdict == "fail"
    assert any(failure.startswith("requirement NEW-1: ") for failure in result.failures())
    assert failed(result) == []
    assert not result.passed


# -------------------------------------------------------------------------------------- the command


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few cases stand for all of them."""
    real = read_cases
    monkeypatch.setattr(
        protocol,
        "read_cases",
        lambda folder: [c for c in real(folder) if c.dataset.name in ("fawcett", "ct_ratings")],
    )
    monkeypatch.setattr(protocol, "read_requirements", lambda folder: [])


@pytest.mark.usefixtures("quick")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["summary"]["failed"] == 0
    assert answer["summary"]["cases"] == len(answer["cases"])
    assert answer["summary"]["compared"] == sum(len(c["numbers"]) for c in answer["cases"])
    case = answer["cases"][0]
    assert case["verdict"] == "pass"
    assert {"id", "dataset", "quantity", "tolerance", "worst", "numbers"} <= set(case)
    assert {"expected", "observed", "difference", "tolerance", "verdict"} <= set(case["numbers"][0])


@pytest.mark.usefixtures("quick")
def test_failure_has_exit_code_1_and_names_the_case(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, copied: Path
) -> None:
    file = copied / "reference" / "fawcett.json"
    file.write_text(file.read_text().replace('"auc": 0.68', '"auc": 0.67', 1))
    monkeypatch.setattr(protocol, "evidence", lambda: copied)
    assert main(["validate"]) == 1
    printed = capsys.readouterr().out
    assert "FAIL auc/fawcett/score (frozen R): auc expected 0.67" in printed
    assert "FAIL files: validation/reference/fawcett.json was changed" in printed


class Page(HTMLParser):
    """Tags that are opened and closed in order, and what would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
        self.fetched += [str(v) for k, v in attrs if k in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.usefixtures("quick")
def test_page_says_what_failed_and_escapes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copied: Path
) -> None:
    (copied / "reference" / "fawcett.json").unlink()
    (copied / "<script>.txt").touch()
    monkeypatch.setattr(protocol, "evidence", lambda: copied)
    file = tmp_path / "validation.html"
    assert main(["validate", "-o", str(file)]) == 1
    written = file.read_text("utf-8")
    assert "<li>auc/fawcett/score (frozen R): no frozen reference</li>" in written
    assert "validation/&lt;script&gt;.txt was added" in written
    assert "<script" not in written


@pytest.mark.usefixtures("quick")
def test_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "validation.html"
    assert main(["validate", "-o", str(file)]) == 0
    assert str(file) in capsys.readouterr().out
    page = Page()
    page.feed(file.read_text("utf-8"))
    text = re.sub(r"\s+", " ", " ".join(page.text))
    assert page.open == []
    assert page.fetched == []
    assert "auc/fawcett/score" in text
    assert "Executed by" in text
    assert "not certified or approved by any authority" in text
    assert f"{0.68:.17g}" in text


def test_output_that_cannot_be_written_is_refused_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "nowhere" / "page.html", pipe):
        assert main(["validate", "-o", str(place)]) == 2
        assert capsys.readouterr().err.startswith("rocstats: ")


def test_report_keeps_a_link_and_respects_the_umask(tmp_path: Path) -> None:
    target, link = tmp_path / "report.html", tmp_path / "link.html"
    link.symlink_to(target)
    before = os.umask(0o077)
    try:
        write_file(str(link), "first")
    finally:
        os.umask(before)
    assert (link.is_symlink(), target.read_text()) == (True, "first")
    assert target.stat().st_mode & 0o777 == 0o600
    target.chmod(0o640)
    write_file(str(link), "second")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("second", 0o640)


# ------------------------------------------------------------------------------------------------ R


needs_r = pytest.mark.skipif(
    not rbridge.available(("pROC", "MASS", "mlbench", "kernlab")),
    reason="R with pROC, MASS, mlbench and kernlab, and rpy2, are needed",
)


SLOW = {"bootstrap", "bootstrap-spread", "fixed-rate-bootstrap", "bands-drawn"}  # R's own draws


# A worker of the tests has Java, DuckDB and much else loaded, beside which R once ended it.
WITH_R = """
import json
import sys
from rocstats.validation.protocol import validate

slow = set(sys.argv[1].split())
quick = lambda listed: [c for c in listed if c.quantity.name not in slow]
result = validate(with_r=True, watch=quick)
told = {
    "failed": [r.case for r in result.results if r.verdict == "fail"],
    "not run": result.summary()["not_run"],
    "live": sorted({r.dataset for r in result.operation if r.against == "live R"}),
    "installed": sorted(c.name for c in result.installation),
}
print(json.dumps(told))
"""


@needs_r
@pytest.mark.timeout(3000)  # R is asked all it can be: twelve minutes on a busy machine
def test_live_r_agrees_and_has_not_drifted() -> None:
    """All cases but the bootstrap's, which only R's patience limits, and those of long loops."""
    call = [sys.executable, "-c", WITH_R, " ".join(SLOW)]
    run = subprocess.run(call, capture_output=True, text=True, check=False, timeout=2900)
    assert run.returncode == 0, run.stderr[-2000:]
    told = json.loads(run.stdout.splitlines()[-1])
    assert told["failed"] == []
    assert told["not run"] == 0
    wanted = {name for name, d in cases.read_datasets(FOLDER).items() if not d.bundled}
    assert wanted <= set(told["live"])
    assert {"pROC", "MASS", "mlbench", "kernlab"} <= set(told["installed"])


@needs_r
def test_drift_is_caught(copied: Path) -> None:
    file = copied / "reference" / "fawcett.json"
    file.write_text(file.read_text().replace('"auc": 0.68', '"auc": 0.69', 1))
    result = validate(with_r=True, folder=copied, watch=few("auc/fawcett"))
    verdicts = {r.against: r.verdict for r in result.operation}
    assert verdicts == {"frozen R": "fail", "live R": "pass", "frozen against live R": "fail"}
