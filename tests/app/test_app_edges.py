"""The app at its edges: sizes and numbers just allowed, just not, and every word of its pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from app_client import ORIGIN, PORT, TestClient, browser, example, running, said
from recorded import hold
from test_calculators import RIGHT

from rocstats.app import jobs
from rocstats.app.calculating import calculate
from rocstats.app.calculators import CALCULATORS
from rocstats.app.fields import Field, read_fields
from rocstats.app.guards import Guard
from rocstats.app.jobs import Bounds, Job
from rocstats.app.sessions import Settings

LIMIT = 1000  # bytes of an upload
BESIDE = 2**20  # of the form around it
HOST = f"127.0.0.1:{PORT}".encode()


# ------ sizes ------


def guarded(
    *,
    host: tuple[bytes, ...] = (HOST,),
    size: bytes | None = None,
    bodies: tuple[int, ...] = (),
    method: str = "POST",
    more: tuple[tuple[bytes, bytes], ...] = (),
    begin: bool = False,
) -> tuple[int, dict[str, str]]:
    """Return the status and headers that a request gets, whose body comes in pieces so large."""
    headers = [*((b"host", one) for one in host), (b"origin", ORIGIN.encode()), *more]
    headers += [(b"content-length", size)] if size is not None else []
    pieces = [{"type": "http.request", "body": b"x" * n} for n in bodies]
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": []}
        if begin:
            await send(start)
        for _ in bodies:
            await receive()
        if not begin:
            await send(start)
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Any:
        return pieces.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "headers": headers, "path": "/files"}
    guard = Guard(app, Settings(port=PORT, most_bytes=LIMIT))
    asyncio.run(guard(scope, receive, send))
    answer = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answer


def test_the_largest_upload_is_taken_and_one_byte_more_is_not() -> None:
    most = LIMIT + BESIDE
    assert guarded(size=str(most).encode())[0] == 200
    assert guarded(size=str(most + 1).encode())[0] == 413
    assert guarded(bodies=(most - 5, 5))[0] == 200
    assert guarded(bodies=(most - 5, 6))[0] == 413
    assert guarded(bodies=(most, 1), begin=True)[0] == 200  # an answer that was begun stays


def test_a_request_names_one_host_and_its_own_origin() -> None:
    assert guarded()[0] == 200
    assert guarded(host=())[0] == guarded(host=(HOST, HOST))[0] == 421
    assert guarded(host=(HOST.upper(),))[0] == 200
    assert guarded(more=((b"sec-fetch-site", b"same-origin"),))[0] == 200
    assert guarded(more=((b"sec-fetch-site", b"cross-site"),))[0] == 403
    for safe in ("GET", "HEAD"):
        assert guarded(method=safe, more=((b"sec-fetch-site", b"cross-site"),))[0] == 200
    assert guarded(method="PUT", more=((b"sec-fetch-site", b"none"),))[0] == 403


def test_a_refusal_has_every_header_and_closes() -> None:
    status, headers = guarded(size=b"x")
    assert status == 413
    assert headers["connection"] == "close"
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["permissions-policy"] == "camera=(), microphone=(), geolocation=()"


# ------ fields ------

NUMBER = Field(name="x", kind="number", label="A number", low=0, high=1)
FIELDS: dict[str, tuple[Field, str, Any]] = {
    "lowest": (NUMBER, "0", 0.0),
    "highest": (NUMBER, " 1 ", 1.0),
    "below": (NUMBER, "-0.001", "Expected a number between 0 and 1, got -0.001."),
    "above": (NUMBER, "1.001", "Expected a number between 0 and 1, got 1.001."),
    "two": (NUMBER, "0.1, 0.2", "Expected a number, got '0.1, 0.2'; write decimals with a point."),
    "nan": (NUMBER, "nan", "Expected a number between 0 and 1, got nan."),
    "empty": (NUMBER, "", None),
    "unbounded": (Field(name="x", kind="number", label="A"), "-7.5", -7.5),
    "whole": (Field(name="x", kind="whole", label="A", low=0), "0", 0),
    "no whole": (
        Field(name="x", kind="whole", label="A"),
        "1.5",
        "Expected a whole number, got '1.5'; write decimals with a point.",
    ),
    "from up": (
        Field(name="x", kind="whole", label="A", low=2),
        "1",
        "Expected a whole number from 2 up, got 1.",
    ),
    "numbers": (Field(name="x", kind="numbers", label="A", low=0, high=1), "0, 1", [0.0, 1.0]),
    "one is beyond": (
        Field(name="x", kind="numbers", label="A", low=0, high=1),
        "0, 1.5",
        "Expected numbers such as 0.1, 0.2 between 0 and 1, got 0, 1.5.",
    ),
    "default": (Field(name="x", kind="number", label="A", default="0.95"), "", 0.95),
    "needed": (
        Field(name="x", kind="number", label="A rate", needed=True),
        "",
        "A rate is needed.",
    ),
    "text": (Field(name="x", kind="text", label="A"), " abc ", "abc"),
    "flag": (Field(name="x", kind="flag", label="A"), "on", True),
    "no flag": (Field(name="x", kind="flag", label="A"), "", False),
    "choice": (Field(name="x", kind="choice", label="A", choices=(("b", "bee"),)), "b", "b"),
    "no choice": (
        Field(name="x", kind="choice", label="A", choices=(("b", "bee"),)),
        "bee",
        "A: choose one of those offered.",
    ),
    "first column": (Field(name="x", kind="column", label="A"), "0", "u"),
    "last column": (Field(name="x", kind="column", label="A"), "1", "v"),
    "no column": (Field(name="x", kind="column", label="A"), "2", "A: choose one of the columns."),
    "no place": (Field(name="x", kind="column", label="A"), "u", "A: choose one of the columns."),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_takes_what_lies_on_its_bounds_and_no_more(name: str) -> None:
    field, text, expected = FIELDS[name]
    values, problems = read_fields([field], {"x": [text]}, ["u", "v"])
    if isinstance(expected, str) and expected.endswith("."):
        assert (values, problems) == ({"x": None}, {"x": expected})
    else:
        assert (values, problems) == ({"x": expected}, {})
        assert type(values["x"]) is type(expected)


def test_the_last_of_several_values_counts_and_columns_are_told_once() -> None:
    assert read_fields([NUMBER], {"x": ["0.2", "0.4"]})[0] == {"x": 0.4}
    assert read_fields([NUMBER], {})[0] == {"x": None}
    several = Field(name="x", kind="columns", label="Markers", needed=True)
    given = {"x": ["1", "0", "1", "2", "a", "1000000", "0000001"]}
    assert read_fields([several], given, ["u", "v"]) == ({"x": ["v", "u"]}, {})
    assert read_fields([several], {"x": ["2"]}, ["u", "v"])[1] == {
        "x": "Markers: choose at least one column."
    }
    assert read_fields([Field(name="x", kind="columns", label="M")], {}, ["u"])[0] == {"x": []}


# ------ jobs ------


def test_what_work_may_take_and_where_the_app_listens() -> None:
    assert Bounds() == Bounds(megabytes=8192, seconds=3600.0)
    assert Settings() == Settings(host="127.0.0.1", port=0, bounds=Bounds(), most_bytes=200 * 2**20)
    assert Settings(port=81).hosts == {"127.0.0.1:81", "localhost:81", "[::1]:81"}
    assert Settings(port=80).hosts >= {"127.0.0.1", "localhost", "[::1]"}
    assert Settings(host="a.example", port=80).hosts == {"a.example:80", "a.example"}


def judged(code: int, said: list[str], **more: Any) -> Job:
    job = Job(words=[], folder=jobs.Path(), bounds=Bounds(megabytes=1536))
    for line in said:
        job._hear(line)
    for name, value in more.items():
        setattr(job, name, value)
    job._judge(code)
    return job


def test_every_end_has_its_sentence() -> None:
    ends = {
        "done": judged(0, ["rocstats: reading"]),
        "no": judged(1, []),
        "refused": judged(2, ["rocstats: reading", "rocstats: Not this."]),
        "refused without a word": judged(2, []),
        "crashed": judged(1, ["Traceback (most recent call last):", "KeyError: 3"]),
        "crashed with 2": judged(2, ["Traceback (most recent call last):", "KeyError: 3"]),
        "memory": judged(1, ["Traceback (most recent call last):", "MemoryError"]),
        "array": judged(3, ["numpy: Unable to allocate 3 GiB", ""]),
        "killed": judged(-9, ["reading"]),
        "unknown signal": judged(-99, []),
        "other": judged(7, []),
        "late": judged(-9, [], sentence="It was late."),
    }
    found = {name: [job.state, job.sentence, job.stages, job.code] for name, job in ends.items()}
    hold("app", "ends of jobs", found)


def test_warnings_are_told_apart_and_two_hundred_lines_are_kept() -> None:
    job = judged(0, [f"rocstats: step {k}" for k in range(205)] + ["rocstats: warning: few", " "])
    assert (len(job.stages), job.stages[0], job.stages[-1]) == (200, "step 5", "step 204")
    assert job.warnings == ["few"]
    assert not job.is_over
    assert job.wait(0.0) is False
    job.begun, job.ended = 10.0, 13.9
    assert job.progress() == {
        "state": "done", "over": False, "stages": job.stages, "seconds": 3
    }  # fmt: skip


# ------ words ------


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with running(tmp_path_factory.mktemp("app")) as made:
        yield made


@pytest.fixture(scope="module")
def client(app: Any) -> TestClient:
    return browser(app)


@pytest.fixture(scope="module")
def study(client: TestClient) -> str:
    return example(client, "fawcett")


def form_of(page: str) -> list[str]:
    """Return what a page asks: every field with its attributes, and every address."""
    tags = re.findall(r"<(?:input|select|option|textarea|form|button|a|link)\b[^>]*>", page)
    return [re.sub(r"\s+", " ", re.sub(r"/studies/[0-9a-f]+", "/studies/KEY", t)) for t in tags]


PAGES = ["/", *(f"/calculators/{name}" for name in CALCULATORS), "/validation"]
STUDY_PAGES = ["", "/report", "/readers", "/survival"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_and_asks_what_was_recorded(app: Any, path: str) -> None:
    text = browser(app).get(path).text  # of a session without a study
    words = re.split(r"(?<=[.:?]) ", said(text))
    hold("app", path, {"words": words, "asked": form_of(text)})


@pytest.mark.parametrize("path", STUDY_PAGES)
def test_a_page_of_a_study_says_and_asks_what_was_recorded(
    client: TestClient, study: str, path: str
) -> None:
    answer = client.get(f"{study}{path}")
    words = re.split(r"(?<=[.:?]) ", said(answer.text))
    found = {"status": answer.status_code, "words": words, "asked": form_of(answer.text)}
    hold("app", f"study{path}", found)


@pytest.mark.parametrize("case", RIGHT)
def test_what_a_calculator_answers_is_as_recorded(case: str) -> None:
    answer = calculate(*RIGHT[case])
    hold("app", f"calculated {case}", {k: unescape(str(v)) for k, v in answer.items()})


@pytest.mark.parametrize("name", CALCULATORS)
def test_an_empty_calculator_says_what_it_needs(name: str) -> None:
    hold("app", f"empty {name}", calculate(name, {}))
