"""What every request must pass, and what every answer says about itself.

A page of another site cannot reach this server by a name that it controls (Host), cannot make the
browser post to it (Origin), and cannot show or read what it answers (headers). A session's cookie
is the rest: `rocstats.app.sessions`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from rocstats.app.sessions import Settings

__all__ = ["POLICY", "REPORT_POLICY", "Guard"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# A report may run its own script, whose digest it states itself, and reach nothing of the app's.
REPORT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer a browser would hide the Origin, too
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",  # what a browser keeps would outlive the private folder
}
_SAFE = ("GET", "HEAD")
_MARGIN = 2**20  # bytes of a form beside its file


class _TooLargeError(Exception):
    """More came than may be uploaded."""


class Guard:
    """Refuses what is not meant for this server, and adds the headers to what it answers."""

    def __init__(self, app: Callable[..., Awaitable[None]], settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = _with_headers(message.get("headers", ()))
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(answer, *refusal)
            return
        try:
            await self.app(scope, self._counting(receive), answer)
        except _TooLargeError:
            if not begun:
                await _refuse(answer, 413, self._too_large)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = hosts[0].decode("latin-1").lower() if len(hosts) == 1 else ""
        if host not in self.settings.hosts:
            return 421, (
                "This server answers to its own address only; open the one that the terminal shows."
            )
        if scope["method"] in _SAFE:
            return None
        origin = headers.get("origin", b"").decode("latin-1")
        same_site = headers.get("sec-fetch-site", b"same-origin") == b"same-origin"
        if origin != f"http://{host}" or not same_site:
            return 403, (
                "This request came from another page than those of this server, and was refused."
            )
        size = headers.get("content-length", b"0")
        if not size.isdigit() or int(size) > self.settings.most_bytes + _MARGIN:
            return 413, self._too_large
        return None

    @property
    def _too_large(self) -> str:
        return (
            f"The file is larger than the {self.settings.most_bytes / 2**20:g} MB that may be "
            "uploaded; leave out columns that are not analysed, or start the app with a higher "
            "limit (--upload)."
        )

    def _counting(self, receive: Receive) -> Receive:
        came = 0

        async def count() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > self.settings.most_bytes + _MARGIN:
                raise _TooLargeError
            return message

        return count


def _with_headers(given: Any) -> list[tuple[bytes, bytes]]:
    """Return the headers with those that lack; a handler may state its own policy."""
    there = {name.lower() for name, _ in given}
    more = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
    return [*given, *((name, value) for name, value in more if name not in there)]


async def _refuse(answer: Send, status: int, sentence: str) -> None:
    body = sentence.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await answer({"type": "http.response.start", "status": status, "headers": headers})
    await answer({"type": "http.response.body", "body": body})
