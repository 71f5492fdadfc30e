"""The way of a study through the pages: file, form, work, report; the same bytes everywhere."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from app_client import TestClient, browser, example, running, said, settle, upload

import rocstats as rs
from rocstats.analysis.cohort import Source
from rocstats.app.guards import REPORT_POLICY
from rocstats.app.jobs import Bounds, start_job
from rocstats.cli import main

MIDNIGHT = "1700000000"  # the time that every page here states, in seconds
FAST = {"n_resamples": "100", "r": "no"}
DRAFT = {
    **FAST,
    "outcome": "0",
    "positive:0": "1",
    "markers": ["1", "5"],
    "prespecified:1": "15",
    "prevalence": "0.1",
    "margin": "0.05",
    "versus": "5",
    "study:title": "Cell nuclei & masses",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", MIDNIGHT)
        with running(tmp_path_factory.mktemp("app"), most_bytes=50 * 2**20) as made:
            yield made


@pytest.fixture(scope="module")
def client(app: Any) -> TestClient:
    return browser(app)


@pytest.fixture(scope="module")
def study(client: TestClient) -> str:
    """A study whose report is made."""
    address = example(client)
    answer = client.post(f"{address}/report", data=DRAFT)
    assert answer.url.path == f"{address}/report"
    settle(client, address, "report")
    return address


def folder_of(app: Any, address: str) -> Path:
    key = address.rpartition("/")[2]
    return next(
        s.studies[key].folder for s in app.state.sessions._open.values() if key in s.studies
    )


# ------ the same report ------


def test_the_report_is_that_of_the_command_and_of_python_byte_for_byte(
    client: TestClient, study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = client.get(f"{study}/files/report.html").content
    toml = client.get(f"{study}/files/study.toml")
    shown = re.search(r'id="command">([^<]+)<', client.get(f"{study}/report").text)
    assert shown is not None
    shutil.copy(rs.datasets.path("breast_cancer"), tmp_path)
    (tmp_path / "breast_cancer.toml").write_bytes(toml.content)
    words = shown[1].split()
    assert words == ["rocstats", "report", "--config", "breast_cancer.toml"]
    run = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=tmp_path,
        env=os.environ | {"SOURCE_DATE_EPOCH": MIDNIGHT},
        capture_output=True,
        check=True,
    )
    assert b"Wrote" in run.stdout
    assert (tmp_path / "breast_cancer-report.html").read_bytes() == page
    assert client.get(f"{study}/page").content == page

    monkeypatch.setenv("SOURCE_DATE_EPOCH", MIDNIGHT)
    path = rs.datasets.path("breast_cancer")
    from hashlib import sha256

    from rocstats.cli.r_script import data_file

    made = rs.report(
        rs.read(path),
        outcome="diagnosis",
        pos_label="malignant",
        markers=["mean_radius", "worst_area"],
        prespecified={"mean_radius": [15]},
        prevalence=[0.1],
        margin=0.05,
        versus="worst_area",
        study={"title": "Cell nuclei & masses"},
        n_resamples=100,
        r="no",
        source=Source(
            name=path.name,
            format="CSV",
            sha256=sha256(path.read_bytes()).hexdigest(),
            file=data_file(str(path), path.name),
        ),
        call=shown[1],
    )
    assert made.html.encode() == page


def test_the_frame_shows_the_report_and_can_do_nothing_to_the_app(
    client: TestClient, study: str
) -> None:
    framed, page = client.get(f"{study}/framed"), client.get(f"{study}/page")
    for answer in (framed, page):
        assert answer.headers["content-security-policy"] == REPORT_POLICY
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        assert "allow-same-origin" not in REPORT_POLICY
    assert framed.text.replace('target="_blank" rel="noopener" ', "") == page.text
    outwards = re.findall(r'<a [^>]*href="https://doi.org/[^>]*>', framed.text)
    assert outwards
    assert all('target="_blank"' in link for link in outwards)


def test_files_are_made_when_they_are_asked_for(client: TestClient, study: str) -> None:
    docx = client.get(f"{study}/files/report.docx")
    assert docx.headers["content-disposition"].endswith("breast_cancer-report.docx")
    with zipfile.ZipFile(io.BytesIO(docx.content)) as word:
        assert "word/document.xml" in word.namelist()
    tables = client.get(f"{study}/files/tables.zip")
    with zipfile.ZipFile(io.BytesIO(tables.content)) as packed:
        names = packed.namelist()
        assert "estimates.csv" in names
        assert {name.rpartition(".")[2] for name in names} >= {"csv", "tex", "docx", "bib"}
        text = packed.read("estimates.csv").decode()
    value = rs.auc(rs.datasets.load_breast_cancer(), marker="worst_area").value
    assert repr(value) in text
    assert client.get(f"{study}/files/tables.zip").content == tables.content


def test_the_pdf_and_the_figures(client: TestClient, study: str) -> None:
    pytest.importorskip("weasyprint")
    answer = client.get(f"{study}/files/report.pdf")
    assert answer.status_code == 200, said(answer.text)
    assert answer.content.startswith(b"%PDF")


def test_a_file_that_cannot_be_made_is_refused_in_a_sentence(
    app: Any, client: TestClient, study: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "resvg_py.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
                       if "PYTHONPATH" in os.environ else str(tmp_path))  # fmt: skip
    answer = client.get(f"{study}/files/figures.zip")
    assert answer.status_code == 422
    assert "rocstats[docx]" in said(answer.text)


# ------ the form keeps what it is told ------


def test_a_refresh_or_a_way_back_loses_nothing(client: TestClient) -> None:
    address = example(client)
    first = client.get(address).text
    assert 'name="outcome" value="0" checked' in first  # only two values, only one such column
    assert 'name="positive:0" value="1" checked' in first
    draft = {"outcome": "0", "positive:0": "0", "markers": ["2"], "margin": "small", "versus": "2"}
    draft |= {"lower_is_positive": ["2"], "prespecified:2": "17", "study:analyst": 'A "B" <c>'}
    answer = client.post(f"{address}/check", data=draft)
    assert answer.json()["problems"] == {"margin": "Expected a number, got 'small'."}
    for _ in range(2):
        text = client.get(address).text
        assert 'name="positive:0" value="0" checked' in text
        assert 'name="markers" value="2" checked' in text
        assert 'name="lower_is_positive" value="2" checked' in text
        assert 'name="prespecified:2" value="17"' in text
        assert 'name="margin" value="small"' in text
        assert 'value="A &#34;B&#34; &lt;c&gt;"' in text
        assert '<option value="2" selected>mean_texture</option>' in text


def test_problems_stand_beside_their_fields_and_no_work_begins(client: TestClient) -> None:
    address = example(client)
    answer = client.post(f"{address}/report", data={"outcome": "0", "positive:0": "1"})
    assert answer.status_code == 422
    found = re.search(r'id="problem-markers"[^>]*>([^<]+)<', answer.text)
    assert found is not None
    assert "at least one" in found[1]
    assert client.get(f"{address}/report").url.path == address  # there is no report


def test_a_problem_without_a_field_of_its_own_is_said_as_well(client: TestClient) -> None:
    address = example(client)
    labels = {"labels:1": "a", "labels:2": "a"}
    draft = {"outcome": "0", "positive:0": "1", "markers": ["1", "2"], **labels}
    answer = client.post(f"{address}/report", data=draft)
    assert answer.status_code == 422
    assert "Printed name must differ" in said(answer.text)
    assert 'id="problem-"' in answer.text  # where the script says it


def test_what_only_the_data_tell_is_said_beside_its_field(client: TestClient) -> None:
    table = "outcome,a,c\n" + "\n".join(f"{i % 2},{i * 7 % 11},{i % 2}" for i in range(40))
    address = upload(client, "study.csv", table.encode())
    draft = {**FAST, "outcome": "0", "positive:0": "1", "markers": ["1"], "cluster": "0",
             "nan_policy": "raise", "subgroup": "0"}  # fmt: skip
    client.post(f"{address}/report", data=draft)
    settle(client, address, "report")
    answer = client.get(f"{address}/report")
    assert answer.url.path == address
    assert "cannot be a subgroup" in said(answer.text)
    assert 'name="markers" value="1" checked' in answer.text
    client.post(f"{address}/check", data=draft | {"subgroup": ""})
    assert "cannot be a subgroup" not in said(client.get(address).text)


def test_an_unreadable_file_is_refused_in_a_sentence(client: TestClient) -> None:
    for name, content, sentence in (
        ("a.xlsx", b"no workbook", "could not be read as Excel"),
        ("a.csv", b"", "is empty"),
        ("a.sav", b"x" * 100, "could not be read"),
        ("a.parquet", b"PAR1", "could not be read"),
    ):
        address = upload(client, name, content)
        text = said(client.get(address).text)
        assert sentence in text
        assert "Traceback" not in text


def test_a_zip_bomb_is_refused_in_a_sentence(client: TestClient) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        names = ("[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml")
        for name in names:
            with archive.open(name, "w", force_zip64=True) as part:
                for _ in range(500):
                    part.write(b" " * 2**20)
    assert len(packed.getvalue()) < 4 * 2**20
    address = upload(client, "bomb.xlsx", packed.getvalue())
    text = said(client.get(address).text)
    assert "decompresses to more than the 128 MB" in text


def test_hostile_names_and_labels_are_only_text(client: TestClient) -> None:
    evil = '"><script>alert(1)</script>'
    head = f'"{evil.replace(chr(34), chr(34) * 2)}","{{{{ 7*7 }}}}","=1+1"'
    rows = "\n".join(f"<b>{i % 2}</b>,{i * 7 % 11},{i * 3 % 13}" for i in range(30))
    address = upload(client, '<img src=x onerror="alert(1)">.csv', f"{head}\n{rows}".encode())
    text = client.get(address).text
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "<b>0" not in text
    assert "{{ 7*7 }}" in text
    client.post(
        f"{address}/report",
        data={**FAST, "outcome": "0", "positive:0": "1", "markers": ["1", "2"]},
    )
    settle(client, address, "report")
    result = client.get(f"{address}/report").text
    assert "<script>alert" not in result
    assert "<iframe" in result


def test_a_table_that_repeats_names_or_has_lists_does_not_stop_the_page(
    client: TestClient,
) -> None:
    for content in (b"a,a\n1,2\n", b"a\n\n\n", b"a,b\n1,\n", "é;ü\n1;2\n".encode("latin-1")):
        address = upload(client, "odd.csv", content)
        assert client.get(address).status_code == 200


# ------ work that is cancelled, killed, or too long ------


@pytest.fixture
def long_work(app: Any, client: TestClient) -> Iterator[tuple[str, Any]]:
    """A report that takes minutes."""
    address = example(client)
    draft = DRAFT | {"n_resamples": "1000000"}
    client.post(f"{address}/report", data=draft)
    key = address.rpartition("/")[2]
    study = next(s.studies[key] for s in app.state.sessions._open.values() if key in s.studies)
    job = study.jobs["report"]
    until = time.monotonic() + 120.0
    while not job.stages and time.monotonic() < until:
        time.sleep(0.05)
    yield address, job
    job.cancel()
    assert job.wait(20.0)


def test_progress_is_told_and_work_can_be_cancelled(
    client: TestClient, long_work: tuple[str, Any]
) -> None:
    address, job = long_work
    text = client.get(f"{address}/report").text
    assert f'action="{address}/cancel/report"' in text
    seen = client.get(f"{address}/progress/report").json()
    assert seen["state"] == "running"
    assert seen["stages"][0] == "reading breast_cancer.csv"
    answer = client.post(f"{address}/cancel/report")
    assert job.state == "cancelled"
    assert "was cancelled" in said(answer.text)
    assert 'name="margin" value="0.05"' in client.get(address).text


def test_a_killed_worker_is_said_and_nothing_is_lost(
    client: TestClient, long_work: tuple[str, Any]
) -> None:
    address, job = long_work
    os.killpg(job.process.pid, signal.SIGKILL)
    assert job.wait(10.0)
    text = said(client.get(f"{address}/report").text)
    assert "was ended from outside" in text
    assert 'name="margin" value="0.05"' in client.get(address).text


def test_work_without_enough_memory_is_said(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux bounds the memory of a process")
    with running(tmp_path, bounds=Bounds(megabytes=200)) as app:
        client = browser(app)
        rows = "\n".join(f"{i % 2},{i}" for i in range(90_000))
        address = upload(client, "a.csv", f"outcome,a\n{rows}\n".encode())
        text = said(client.get(address).text)
        assert "Traceback" not in text
        assert re.search(r"memory|could not be read|failed", text)


def test_a_removed_study_is_gone_with_its_files(app: Any, client: TestClient) -> None:
    address = example(client)
    folder = folder_of(app, address)
    assert folder.exists()
    assert client.post(f"{address}/remove").url.path == "/"
    assert not folder.exists()
    assert client.get(address).status_code == 404


def test_another_report_replaces_the_files_of_the_first(app: Any, client: TestClient) -> None:
    address = example(client, "ct_ratings")
    folder = folder_of(app, address)
    columns = ("0", "1")
    draft = {**FAST, "outcome": "0", "positive:0": "0", "markers": "1"}
    text = client.get(address).text
    assert all(f'value="{place}"' in text for place in columns)
    client.post(f"{address}/report", data=draft)
    settle(client, address, "report")
    first = client.get(f"{address}/page").text
    (folder / "tables.zip").write_bytes(b"old")
    client.post(f"{address}/report", data=draft | {"study:title": "Another"})
    settle(client, address, "report")
    assert not (folder / "tables.zip").exists()
    assert "Another" in client.get(f"{address}/page").text
    assert "Another" not in first


# ------ reader studies ------


def test_a_reader_study_is_the_page_of_the_command_and_of_python_byte_for_byte(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = example(client, "reader_study")
    form = client.get(f"{address}/readers").text
    assert form.count(" selected") >= 5  # the columns are called like what is asked
    draft = dict(re.findall(r'<select id="f-(\w+)".*?<option value="(\d+)" selected', form, re.S))
    empty = client.post(f"{address}/readers", data={})
    assert empty.status_code == 422
    assert "Column of the tests is needed" in said(empty.text)
    columns = json.loads(json.dumps(draft))
    wrong = client.post(f"{address}/readers", data=columns | {"margin": "0.05", "new": "x"})
    settle(client, address, "readers")
    wrong = client.get(f"{address}/readers/result")
    assert wrong.url.path == f"{address}/readers"
    client.post(f"{address}/readers", data=columns | {"confidence_level": "0.95"})
    settle(client, address, "readers")
    result = client.get(f"{address}/readers/result")
    assert result.url.path == f"{address}/readers/result"
    page = client.get(f"{address}/readers/file").content
    command = re.search(r'id="command">([^<]+)<', result.text)
    assert command is not None
    shutil.copy(rs.datasets.path("reader_study"), tmp_path)
    subprocess.run(
        [sys.executable, "-m", *command[1].split()],
        cwd=tmp_path,
        env=os.environ | {"SOURCE_DATE_EPOCH": MIDNIGHT},
        capture_output=True,
        check=True,
    )
    assert (tmp_path / "readers.html").read_bytes() == page
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MIDNIGHT)
    columns = {"test": "treatment", "reader": "reader", "case": "case"}
    columns |= {"outcome": "truth", "rating": "rating"}
    made = rs.report_readers(
        rs.compare_readers(rs.datasets.load_reader_study()),
        title="Reader study: reader_study.csv",
        source="reader_study.csv",
        columns=columns,
        call=unescape(re.search(r"by <code>(.*?)</code>", page.decode())[1]),  # type: ignore[index]
    )
    assert made.html.encode() == page


# ------ validation ------


def test_the_validation_is_work_that_can_be_cancelled_and_shows_its_report(app: Any) -> None:
    client = browser(app)
    assert "Validate" in client.get("/validation").text
    assert client.get("/validation/page").status_code == 404
    working = client.post("/validation").text
    assert 'action="/validation/cancel"' in working
    assert client.get("/validation/progress").json()["over"] is False
    assert "data-progress" not in client.post("/validation/cancel").text
    session = list(app.state.sessions._open.values())[-1]
    for code, words in ((0, "Every number is as it should be"), (1, "Some numbers differ")):
        write = f"open('validation.html', 'w').write('<p>report {code}'); raise SystemExit({code})"
        job = start_job(["-c", write], session.folder, bounds=Bounds())
        session.jobs["validation"] = job
        assert job.wait(60.0)
        assert words in client.get("/validation").text
        assert client.get("/validation/page").text == f"<p>report {code}"


# ------ survival studies, and problems as they are typed in other forms ------


@pytest.fixture
def followup(client: Any) -> str:
    return example(client, "breast_followup")


SURVIVAL = {"at": "730, 1826", "event_code": "1", "censored": "0", "lower_is_positive": []}


def test_a_survival_study_is_the_page_of_the_command_and_of_python_byte_for_byte(
    client: Any, followup: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"{followup}/survival" in client.get(followup).text
    form = client.get(f"{followup}/survival").text
    names = [column["name"] for column in found_in(client, followup)]
    place = {name: str(i) for i, name in enumerate(names)}
    assert f'value="{place["days"]}" selected' in form  # days is called like a time
    empty = client.post(f"{followup}/survival", data={})
    assert empty.status_code == 422
    assert "choose at least one column" in said(empty.text)
    columns = {
        "time": place["days"],
        "event": place["status"],
        "markers": [place["nodes"], place["progesterone"]],
        "lower_is_positive": [place["progesterone"]],
    }
    client.post(f"{followup}/survival", data=SURVIVAL | columns)
    settle(client, followup, "survival")
    result = client.get(f"{followup}/survival/result")
    assert result.url.path == f"{followup}/survival/result"
    page = client.get(f"{followup}/survival/file").content
    command = re.search(r'<code id="command">(.*?)</code>', result.text)
    assert command is not None
    words = shlex.split(unescape(command[1]))
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(rs.datasets.path("breast_followup"), "breast_followup.csv")
    assert main(words[1:]) == 0
    assert Path("survival.html").read_bytes() == page
    # The report of the command has the same form in another spelling.
    told = ["--time=days", "--event=status", "--at=730,1826", "--markers=nodes,progesterone"]
    report = ["report", "breast_followup.csv", *told, "--lower-is-positive=progesterone"]
    assert main([*report, "-o", "survival.html"]) == 0
    assert Path("survival.html").read_bytes() == page
    made = rs.report_survival(
        rs.SurvivalSample.from_frame(
            rs.read("breast_followup.csv"),
            time="days",
            event="status",
            markers=["nodes", "progesterone"],
            higher_is_positive={"progesterone": False},
        ),
        times=[730, 1826],
        title="Survival study: breast_followup.csv",
        source="breast_followup.csv",
        columns={"time": "days", "event": "status"},
        call=unescape(re.search(r"by <code>(.*?)</code>", page.decode())[1]),  # type: ignore[index]
    )
    assert made.html.encode() == page
    again = client.get(f"{followup}/survival").text
    assert 'value="730, 1826"' in again


def found_in(client: Any, address: str) -> Any:
    session = next(iter(client.app.state.sessions._open.values()))
    return session.studies[address.rpartition("/")[2]].found["columns"]


def test_every_option_of_the_command_has_its_field() -> None:
    import argparse

    from rocstats.analysis.survival_options import add_survival_options
    from rocstats.app.survival_form import SURVIVAL_FORM

    parser = argparse.ArgumentParser()
    add_survival_options(parser)
    flags = {action.option_strings[-1] for action in parser._actions} - {"--help"}
    assert {field.flag for field in SURVIVAL_FORM.fields} == flags


def test_a_column_with_commas_and_quotes_reaches_the_command() -> None:
    from rocstats.analysis.option_kinds import names
    from rocstats.app.survival_form import SURVIVAL_FORM

    odd = ['a, "b"', " c", "--d"]
    words = SURVIVAL_FORM.words("s.csv", {"markers": odd})
    given = [word.removeprefix("--markers=") for word in words if word.startswith("--markers=")]
    assert [name for word in given for name in names(word)] == odd


@pytest.mark.parametrize(
    ("path", "typed", "field", "sentence"),
    [
        ("survival", {"margin": "0,05"}, "margin", "write decimals with a point"),
        ("survival", {}, "markers", "choose at least one column"),
        ("readers", {"confidence_level": "high"}, "confidence_level", "Expected a number"),
        ("calculators/counts", {"tp": "-1"}, "tp", "from 0 up, got -1"),
        ("calculators/power", {"auc": "85"}, "auc", "between 0 and 1, got 85"),
        ("calculators/areas", {"confidence_level": "95"}, "confidence_level", "between 0 and 1"),
    ],
)
def test_problems_are_told_as_they_are_typed(
    client: Any, followup: str, path: str, typed: dict[str, str], field: str, sentence: str
) -> None:
    address = f"/{path}" if path.startswith("calculators") else f"{followup}/{path}"
    told = client.post(f"{address}/check", data=typed).json()["problems"]
    assert sentence in told[field]
    assert client.post("/calculators/nothing/check", data={}).status_code == 404


# ------ a file that leaves something open ------

OPEN = "id;crp;bnp;y\n" + "".join(
    f"{k};{'NC' if k == 3 else f'{k},5'};{k + 1},234;{('inconnu', 'oui', 'non')[min(k % 7, 2)]}\n"
    for k in range(1, 25)
)


def test_a_file_is_read_again_as_its_owner_says(client: Any) -> None:
    address = upload(client, "ward.csv", OPEN.encode())
    page = said(client.get(address).text)
    assert "What the file leaves open" in page
    assert "What was repaired on the way in: 2" in page
    assert "with “Decimal” comma or “Decimal” point" in page  # as the field is called
    draft = {**FAST, "outcome": "3", "positive:3": "2", "markers": ["1", "2"]}
    told = client.post(f"{address}/check", data=draft).json()["problems"]
    assert "3 values" in told["outcome"]
    assert "holds 1 cell without a number, as 'NC'" in told["markers"]
    assert "read the file again" in told["markers"]
    answered = draft | {"exclude": "Inconnu", "missing_codes": "NC", "decimal": "comma"}
    again = client.post(f"{address}/read", data=answered)
    settle(client, address)
    assert again.status_code == 200
    text = client.get(address).text
    assert "What the file leaves open" not in text
    assert 'name="markers" value="1" checked' in text  # nothing that was filled in is lost
    assert client.post(f"{address}/check", data=answered).json()["problems"] == {}
    client.post(f"{address}/report", data=answered)
    settle(client, address, "report")
    report = client.get(f"{address}/report").text
    assert "iframe" in report, said(report)
    wrong = client.post(f"{address}/read", data=answered | {"encoding": "morse"})
    assert wrong.status_code == 422
    assert "must be an encoding that Python knows" in said(wrong.text)
    moved = client.post(f"{address}/read", data=answered | {"header_row": "500"})
    assert moved.status_code == 422
    assert "has no names in row 500" in said(moved.text)


def test_another_sheet_keeps_what_is_not_said_of_columns(client: Any, tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for title, third in (("Old", "afp"), ("New", "ceruloplasmin")):
        sheet = book.create_sheet(title)
        sheet.append(["id", "crp", third, "y"])
        for k in range(20):
            sheet.append([f"P{k}", k + 0.5, k % 7, ("yes", "no", "unclear")[min(k % 5, 2)]])
    del book["Sheet"]
    book.save(tmp_path / "s.xlsx")
    address = upload(client, "s.xlsx", (tmp_path / "s.xlsx").read_bytes())
    draft = {**FAST, "outcome": "3", "positive:3": "0", "markers": ["1"], "exclude": "unclear"}
    draft |= {"prespecified:1": "3.5", "study:analyst": "Here", "sheet": "New"}
    client.post(f"{address}/read", data=draft)
    settle(client, address)
    text = client.get(address).text
    assert "ceruloplasmin" in text
    assert re.search('name="exclude"[^>]*value="unclear"', text)
    assert 'value="Here"' in text or ">Here<" in text
    assert 'value="3.5"' not in text  # the second column may be another test there


def test_one_row_is_no_rows_and_nothing_is_said_of_a_shell(client: Any) -> None:
    address = upload(client, "s.csv", b"y,a,b\nyes,1,2\nno,2,3\nno,3,1\n")
    text = client.get(address).text
    assert 'soft">1 row<' in text
    assert 'soft">2 rows<' in text
    assert "quote a name" not in client.get(f"{address}/survival").text


def test_every_choice_of_an_option_can_be_made(client: Any) -> None:
    from rocstats.app.form_parts import FORM
    from rocstats.app.study_view import form_view

    fields = {field["name"]: field for part in form_view([], {}, {}) for field in part["fields"]}
    for option in FORM:
        if option.kind.choices:
            offered = {value for value, _ in fields[option.name]["choices"]}
            words = {c for c in option.kind.choices if c.isalpha() or "-" in c}
            assert offered | {option.default} >= words, option.name


@pytest.mark.parametrize("name", ["report.csv", "report.html.csv", "survival.csv", "drafts.csv"])
def test_a_file_that_is_called_like_ours_is_kept(client: Any, name: str) -> None:
    """Forgetting the files of an earlier report once removed report.csv, the data."""
    address = upload(client, name, rs.datasets.path("fawcett").read_bytes())
    draft = {**FAST, "outcome": "1", "positive:1": "1", "markers": ["2"]}
    for _ in range(2):
        client.post(f"{address}/report", data=draft)
        settle(client, address, "report")
        text = client.get(f"{address}/report").text
        assert "iframe" in text, said(text)
        assert client.get(f"{address}/files/study.toml").status_code == 200
