"""Answers to a browser: a page of a template, a sentence, a file, a way to another page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rocstats.app.guards import REPORT_POLICY
from rocstats.app.sessions import Session, Sessions, Settings
from rocstats.reports.render import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    Handler = Callable[[Request], Awaitable[Response]]
    OfSession = Callable[[Request, Session], Awaitable[Response]]

__all__ = [
    "cookie_name",
    "data_reply",
    "file_reply",
    "form_of",
    "go_to",
    "page",
    "refused",
    "report_reply",
    "sessions_of",
    "settings_of",
    "with_session",
]

_MOST_FIELDS = 20_000
_NO_TOKEN = (
    "This page opens with the address that the terminal shows, with its token at the end. If you "
    "had the page open before, the app has been started again since: use its new address."
)


def settings_of(request: Request) -> Settings:
    """Return how the app was started."""
    settings: Settings = request.app.state.settings
    return settings


def sessions_of(request: Request) -> Sessions:
    """Return the sessions of the app."""
    sessions: Sessions = request.app.state.sessions
    return sessions


def cookie_name(settings: Settings) -> str:
    """Return the name of the cookie; browsers tell no ports apart."""
    return f"rocstats-{settings.port}"


def with_session(handler: OfSession) -> Handler:
    """Return a handler that refuses whoever has no session."""

    async def called(request: Request) -> Response:
        secret = request.cookies.get(cookie_name(settings_of(request)))
        session = sessions_of(request).find(secret)
        if session is None:
            return refused(request, 403, _NO_TOKEN)
        return await handler(request, session)

    return called


def page(
    request: Request, template: str, context: Mapping[str, Any], *, status: int = 200
) -> Response:
    """Return a page of ``templates/app``."""
    from starlette.responses import HTMLResponse

    from rocstats import __version__

    known = {
        "version": __version__,
        "most_bytes": settings_of(request).most_bytes,
        "path": request.url.path,
    }
    text = render(f"app/{template}.html.jinja", known | dict(context))
    return HTMLResponse(text, status_code=status)


def refused(request: Request, status: int, sentence: str) -> Response:
    """Return a page that says why there is no other."""
    return page(request, "refused", {"sentence": sentence}, status=status)


def go_to(address: str) -> Response:
    """Return the way to another page, which a refresh then asks for again."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(address, status_code=303)


def data_reply(content: Mapping[str, Any]) -> Response:
    """Return what a script of a page asked for."""
    from starlette.responses import JSONResponse

    return JSONResponse(dict(content))


def file_reply(path: Path, name: str) -> Response:
    """Return a file to be saved under a name."""
    from starlette.responses import FileResponse

    headers = {"content-disposition": f"attachment; filename*=utf-8''{quote(name, safe='')}"}
    return FileResponse(path, headers=headers)


def report_reply(text: str) -> Response:
    """Return a report, which may do nothing to the pages of the app."""
    from starlette.responses import HTMLResponse

    headers = {"content-security-policy": REPORT_POLICY, "x-frame-options": "SAMEORIGIN"}
    return HTMLResponse(text, headers=headers)


async def form_of(request: Request) -> dict[str, list[str]]:
    """Return the texts of a form by their fields."""
    form = await request.form(max_files=0, max_fields=_MOST_FIELDS)
    found: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            found.setdefault(name, []).append(value)
    return found
