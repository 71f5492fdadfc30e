"""``rocstats app``: what it prints and refuses, and what it leaves behind, which is nothing."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from rocstats.app import serving
from rocstats.app.sessions import Settings
from rocstats.cli import main
from rocstats.errors import InvalidOptionError, MissingDependencyError

pytest.importorskip("uvicorn")


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., tuple[Any, str]]]:
    """Begin an app whose files lie in a folder of this test; return it and its address."""
    begun = []

    def give(*words: str) -> tuple[Any, str]:
        app = subprocess.Popen(
            [sys.executable, "-m", "rocstats", "app", "--no-browser", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(tmp_path)},
        )
        begun.append(app)
        assert app.stdout is not None
        return app, app.stdout.readline().strip()

    yield give
    for app in begun:
        app.kill()
        app.communicate()


def visit(address: str) -> tuple[Any, str]:
    """Open the address as a browser would; return what opens further pages, and the page."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with opener.open(address) as answer:
        return opener, answer.read().decode()


def test_it_prints_its_address_serves_and_leaves_nothing(
    begin: Callable[..., tuple[Any, str]], tmp_path: Path
) -> None:
    app, address = begin()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", address)
    home = address.partition("?")[0]
    opener, _ = visit(address)
    request = urllib.request.Request(
        f"{home}examples", data=b"name=fawcett", headers={"Origin": home.rstrip("/")}
    )
    with opener.open(request) as answer:
        assert "/studies/" in answer.url
    assert list(tmp_path.rglob("fawcett.csv"))
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(home)
    assert refused.value.code == 403
    refused.value.close()
    app.send_signal(signal.SIGTERM)
    out, err = app.communicate(timeout=30)
    assert app.returncode == 0
    assert (out, err) == ("", "")  # nothing is logged
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_is_the_way_to_end_it(begin: Callable[..., tuple[Any, str]], tmp_path: Path) -> None:
    app, _ = begin()
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("", "")
    assert app.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_before_the_server_runs_ends_it_too(tmp_path: Path) -> None:
    """uvicorn's work was made, never begun, and warned of."""
    code = """
import os, signal, sys, uvicorn
real = uvicorn.Server.serve
def serve(self, sockets=None):
    made = real(self, sockets=sockets)
    os.kill(os.getpid(), signal.SIGINT)
    return made
uvicorn.Server.serve = serve
from rocstats.cli import main
sys.exit(main(["app", "--no-browser"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_app_left_is_removed_at_the_next_start(
    begin: Callable[..., tuple[Any, str]], tmp_path: Path
) -> None:
    first, _ = begin()
    second, _ = begin()
    assert len(list(tmp_path.glob("rocstats-app-*"))) == 2  # both run
    first.kill()
    first.wait()
    assert len(list(tmp_path.glob("rocstats-app-*"))) == 2
    third, _ = begin()
    assert len(list(tmp_path.glob("rocstats-app-*"))) == 2  # the second's and the third's
    assert second.poll() is None
    assert third.poll() is None


def test_a_port_that_is_taken_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["app", "--no-browser", "--port", str(port)]) == 2
    err = capsys.readouterr().err
    assert f"port {port}" in err
    assert "--port" in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "70000"], "--port must be a whole number of at most 65,535"),
        (["--port", "-1"], "--port must be a whole number of at least 0"),
        (["--host", "0.0.0.0"], "--host must be the one address"),
        (["--host", "::"], "--host must be the one address"),
        (["--host", ""], "--host must be the one address"),
        (["--host", "no.such.host.invalid"], "cannot listen at no.such.host.invalid"),
        (["--memory", "1"], "--memory must be a whole number of at least 256"),
        (["--minutes", "0"], "--minutes must be a whole number of at least 1"),
        (["--upload", "0"], "--upload must be a whole number of at least 1"),
    ],
)
def test_bad_words_are_refused_in_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["app", "--no-browser", *words]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingDependencyError, match=r"rocstats\[app\]"):
        serving.serve(Settings(), browser=False)


def test_the_browser_is_given_a_ticket_not_the_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import threading

    import uvicorn

    opened: list[str] = []
    done = threading.Event()
    monkeypatch.setattr(serving.webbrowser, "open", lambda url: (opened.append(url), done.set()))
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: done.wait(10))
    serving.serve(Settings(), browser=True)
    printed = capsys.readouterr().out.strip()
    (url,) = opened
    assert url.partition("?")[0] == printed.partition("?")[0]
    assert url != printed


def test_a_socket_that_cannot_be_had_is_closed() -> None:
    with pytest.raises(InvalidOptionError, match="cannot listen"):
        serving._listening(Settings(host="203.0.113.1"))
