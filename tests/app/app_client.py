"""An app for a test: its client, as a browser would speak to it, and ways through its pages."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rocstats.app.jobs import Bounds
from rocstats.app.sessions import Settings

pytest.importorskip("starlette")
pytest.importorskip("httpx")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # new versions would rather have a successor of httpx
    from starlette.testclient import TestClient

from rocstats.app.web_app import make_app

PORT = 8123
ORIGIN = f"http://127.0.0.1:{PORT}"
SETTINGS = Settings(port=PORT, bounds=Bounds(seconds=300.0), most_bytes=2**20)


@contextmanager
def running(folder: Path, **changed: Any) -> Iterator[Any]:
    """Yield the app; what it began is ended."""
    app = make_app(folder, replace(SETTINGS, **changed))
    try:
        yield app
    finally:
        app.state.sessions.end()


def browser(app: Any, *, token: str | None = None) -> TestClient:
    """Return a client with a session of its own, as a browser that opened the printed address."""
    client = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
    answer = client.get("/", params={"token": token or app.state.sessions.token})
    assert answer.status_code == 200
    return client


def upload(client: TestClient, name: str, content: bytes) -> str:
    """Send a file and return the address of its study, once it is read."""
    answer = client.post("/files", files={"file": (name, content)})
    assert answer.status_code == 200, answer.text
    return settle(client, answer.url.path)


def example(client: TestClient, name: str = "breast_cancer") -> str:
    """Take an example and return the address of its study, once it is read."""
    answer = client.post("/examples", data={"name": name})
    return settle(client, answer.url.path)


def settle(client: TestClient, address: str, what: str = "read") -> str:
    """Wait until work is over."""
    until = time.monotonic() + 240.0
    while time.monotonic() < until:
        if client.get(f"{address}/progress/{what}").json()["over"]:
            return address
        time.sleep(0.05)
    raise AssertionError(f"{what} of {address} takes too long")


def said(text: str) -> str:
    """Return the words of a page without its markup."""
    from html import unescape

    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())
