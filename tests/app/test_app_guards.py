"""Attacks on a local server: other names, other pages, no token, wrong paths, too much."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_client import ORIGIN, PORT, TestClient, browser, example, running, upload

from rocstats.app.guards import POLICY
from rocstats.app.sessions import Settings

PAGES = (
    *("/", "/calculators/power", "/calculators/power-tests", "/calculators/counts"),
    *("/calculators/areas", "/calculators/paired-counts", "/validation"),
)


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


# ------ Host: a name that somebody else controls (DNS rebinding) ------


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", f"127.0.0.1.x:{PORT}",
     f"192.168.0.1:{PORT}", f"localhost:{PORT}@evil.example", f"127.0.0.1:{PORT} "],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/assets/app.css", "/nowhere"])
def test_another_host_is_refused(client: TestClient, host: str, path: str) -> None:
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 421
    assert "its own address only" in answer.text
    assert "rocstats" not in answer.text


def test_a_token_opens_nothing_by_another_name(app: Any) -> None:
    client = TestClient(app, base_url=ORIGIN)
    token = app.state.sessions.token
    answer = client.get("/", params={"token": token}, headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/assets/app.css", headers={"host": f"{host}:{PORT}"}).status_code == 200


def test_a_host_that_was_asked_for_is_the_only_one() -> None:
    assert Settings(host="lab.example", port=9).hosts == {"lab.example:9"}
    assert Settings(host="::1", port=9).hosts == {"127.0.0.1:9", "localhost:9", "[::1]:9"}
    assert Settings(host="::1", port=9).address == "http://[::1]:9/"
    assert "localhost" in Settings(port=80).hosts


# ------ Origin: a page of another site that posts ------


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", f"https://127.0.0.1:{PORT}", "http://127.0.0.1",
     f"http://localhost:{PORT}", f"{ORIGIN}/", f"{ORIGIN}.evil.example"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/examples", "/files", "/validation", "/studies/x/remove"])
def test_a_post_of_another_page_is_refused(client: TestClient, origin: str, path: str) -> None:
    answer = client.post(path, headers={"origin": origin}, data={"name": "fawcett"})
    assert answer.status_code == 403
    assert "another page" in answer.text


def test_a_post_without_an_origin_or_from_another_site_is_refused(app: Any) -> None:
    client = browser(app)
    del client.headers["origin"]
    assert client.post("/examples", data={"name": "fawcett"}).status_code == 403
    for site in ("cross-site", "same-site", "none"):
        headers = {"origin": ORIGIN, "sec-fetch-site": site}
        assert client.post("/examples", data={}, headers=headers).status_code == 403


# ------ Token and cookie ------


@pytest.mark.parametrize("path", [*PAGES, "/studies/x", "/validation/page", "/studies/x/framed"])
def test_without_a_token_no_page_opens(app: Any, path: str) -> None:
    stranger = TestClient(app, base_url=ORIGIN)
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert "token" in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("token", ["", "x", "x" * 10_000, "é", "\x00"])
def test_a_wrong_token_opens_nothing(app: Any, token: str) -> None:
    stranger = TestClient(app, base_url=ORIGIN)
    answer = stranger.get("/", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    secret = {"cookie": f"rocstats-{PORT}={app.state.sessions.token}"}
    assert stranger.get("/", headers=secret).status_code == 403  # the token is no session


def test_a_ticket_opens_one_session(app: Any) -> None:
    ticket = app.state.sessions.ticket()
    browser(app, token=ticket)
    again = TestClient(app, base_url=ORIGIN).get("/", params={"token": ticket})
    assert again.status_code == 403


def test_the_cookie_is_of_this_session_only(app: Any) -> None:
    stranger = TestClient(app, base_url=ORIGIN)
    answer = stranger.get("/", params={"token": app.state.sessions.token})
    words = {word.strip().lower() for word in answer.headers["set-cookie"].split(";")[1:]}
    assert words == {"httponly", "samesite=strict", "path=/"}
    assert len(answer.cookies) == 1
    secret = answer.cookies[f"rocstats-{PORT}"]
    assert app.state.sessions.token not in secret
    again = stranger.get("/", params={"token": app.state.sessions.token})
    assert again.cookies.get(f"rocstats-{PORT}") == secret  # a second opening keeps the session


def test_two_sessions_do_not_see_each_other(app: Any, client: TestClient, study: str) -> None:
    other = browser(app)
    assert "fawcett.csv" in client.get("/").text
    assert "fawcett.csv" not in other.get("/").text
    for path in ("", "/report", "/page", "/framed", "/readers", "/files/report.html"):
        answer = other.get(f"{study}{path}")
        assert "fawcett.csv" not in answer.text
    for path in ("/check", "/report", "/cancel/read", "/remove"):
        assert other.post(f"{study}{path}", data={}).status_code == 404
    assert client.get(study).status_code == 200
    mine, theirs = (s.folder for s in list(app.state.sessions._open.values())[-2:])
    assert mine != theirs
    assert mine.stat().st_mode & 0o77 == 0


# ------ Headers ------


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "/assets/app.js", "/assets/app.css"])
def test_every_answer_says_how_it_may_be_used(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_the_policy_allows_no_third_party_and_nothing_inline() -> None:
    assert "default-src 'none'" in POLICY
    assert "frame-ancestors 'none'" in POLICY
    assert not re.search(r"unsafe|https?:|\*", POLICY)


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_from_elsewhere_and_hold_no_script(
    client: TestClient, path: str
) -> None:
    text = client.get(path).text
    sources = re.findall(r'(?:src|href|action)="([^"]*)"', text)
    assert sources
    assert all(source.startswith(("/", "#", "data:,")) for source in sources)
    assert not re.search(r"<script(?! src=)|<style|\son\w+=|\sstyle=", text)


# ------ Paths, sizes, methods ------


@pytest.mark.parametrize(
    "path",
    ["/assets/../study.html.jinja", "/assets/%2e%2e/page.html.jinja", "/assets/layout.html.jinja",
     "/studies/../../etc/passwd", "/studies/%2e%2e%2f%2e%2e", "/assets/..%2f..%2fpyproject.toml",
     "/etc/passwd", "//etc/passwd", "/assets/app.css%00.js"],
)  # fmt: skip
def test_no_path_leads_out(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 403)
    assert "root:" not in answer.text
    assert "{%" not in answer.text


@pytest.mark.parametrize("name", ["../drafts.json", "%2e%2e%2fdrafts.json", "drafts.json", "%2e",
                                  "fawcett.csv", "report.html", "figures.zip"])  # fmt: skip
def test_files_of_a_study_are_those_offered(client: TestClient, study: str, name: str) -> None:
    assert client.get(f"{study}/files/{name}").status_code == 404


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../../tmp/evil.csv", "evil.csv"),
        ("..\\..\\evil.csv", "evil.csv"),
        ("/etc/evil.csv", "evil.csv"),
        ("a\x00b\n.csv", "ab.csv"),
        (".csv.csv", "csv.csv"),
        ("-rf.csv", "rf.csv"),
        (f"{'x' * 300}.csv", f"{'x' * 96}.csv"),
    ],
)
def test_an_uploaded_file_stays_in_its_folder(
    app: Any, client: TestClient, name: str, kept: str
) -> None:
    from rocstats.app.uploads import safe_name

    assert safe_name(name) == kept
    address = upload(client, name, b"outcome,a\n1,2\n0,1\n")
    folder = next(
        s.studies[address.rpartition("/")[2]].folder
        for s in app.state.sessions._open.values()
        if address.rpartition("/")[2] in s.studies
    )
    assert folder.is_relative_to(app.state.sessions.folder)
    files = {path.name for path in folder.iterdir()}
    assert len(files) == 1
    assert not Path("/tmp/evil.csv").exists()


@pytest.mark.parametrize("name", ["study.exe", "study", ".csv", "...", "study.py", "a.csv.html"])
def test_what_is_no_table_is_refused_in_a_sentence(client: TestClient, name: str) -> None:
    answer = client.post("/files", files={"file": (name, b"x")})
    assert answer.status_code == 422
    assert "A table was expected" in answer.text


def test_an_upload_without_a_file_is_refused_in_a_sentence(client: TestClient) -> None:
    for sent in ({"data": {}}, {"data": {"file": "x"}}, {"files": {"other": ("a.csv", b"x")}}):
        answer = client.post("/files", **sent)
        assert answer.status_code == 422
        assert "Choose a file first" in answer.text


def test_too_large_an_upload_is_refused_before_it_came(client: TestClient) -> None:
    answer = client.post("/files", files={"file": ("a.csv", b"x" * (3 * 2**20))})
    assert answer.status_code == 413
    assert "larger than the 1 MB" in answer.text


@pytest.mark.parametrize("size", [str(3 * 2**20), "-1", "1e3", "x"])
def test_a_size_that_is_told_is_believed(client: TestClient, size: str) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x", "content-length": size}
    answer = client.post("/files", content=b"--x--\r\n", headers=headers)
    assert answer.status_code == 413
    assert "larger than the 1 MB" in answer.text


def test_too_large_an_upload_is_refused_that_says_no_size(app: Any, client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        for _ in range(64):
            yield b"x" * 2**16
        yield b"\r\n--x--\r\n"

    headers = {"content-type": "multipart/form-data; boundary=x"}
    answer = client.post("/files", content=chunks(), headers=headers)
    assert answer.status_code == 413
    assert "larger than the 1 MB" in answer.text


def test_a_form_that_is_none_is_refused(client: TestClient, study: str) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/files", content=b"no form", headers=headers).status_code in (400, 422)
    many = "&".join(f"a{i}=1" for i in range(25_000))
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(f"{study}/check", content=many, headers=headers).status_code in (200, 400)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_do_nothing(client: TestClient, study: str, method: str) -> None:
    assert client.request(method, study).status_code == 405
    assert client.request(method, "/").status_code == 405
    assert client.request(method, study, headers={"origin": "http://x"}).status_code == 403


def test_no_websocket_is_opened(client: TestClient) -> None:
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/"):
        pass
    assert refused.value.code == 1008  # by the guard, before any page is looked for
