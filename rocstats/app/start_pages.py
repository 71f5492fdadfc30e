"""The start: a token opens a session, and a session sees what can be done here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocstats.app.calculators import CALCULATORS
from rocstats.app.replies import (
    cookie_name,
    page,
    refused,
    sessions_of,
    settings_of,
    with_session,
)
from rocstats.app.sessions import Session
from rocstats.places import find_place

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["start_routes"]

_EXAMPLES = {
    "breast_cancer": "569 breast masses, five features of their cell nuclei",
    "ct_ratings": "109 CT images, rated from 1 to 5",
    "reader_study": "two tests, five readers, 80 cases: a reader study",
    "breast_followup": "686 women after surgery, with times to relapse: a survival study",
    "fawcett": "20 instances with scores from 0 to 1",
}
_ASSETS = {"app.css": "text/css", "app.js": "text/javascript"}


def start_routes() -> list[Any]:
    """Return the ways to these pages."""
    from starlette.routing import Route

    return [
        Route("/", _start),
        Route("/assets/{name}", _asset),
    ]


async def _start(request: Request) -> Response:
    """Open a session for a token; without one show the start to who has a session."""
    settings, sessions = settings_of(request), sessions_of(request)
    token = request.query_params.get("token")
    name = cookie_name(settings)
    if token is None:
        return await with_session(_start_page)(request)
    if not sessions.admits(token):
        return refused(request, 403, "This token is not the one that the terminal shows.")
    secret = request.cookies.get(name)
    if sessions.find(secret) is None:
        secret = sessions.open()
    # A page that leads on, not a redirect: the way from elsewhere to here is not of this site, and
    # a strict cookie would not go with it.
    answer = page(request, "opened", {})
    answer.set_cookie(name, str(secret), httponly=True, samesite="strict", path="/")
    return answer


async def _start_page(request: Request, session: Session) -> Response:
    from rocstats.data.reading.files import SUFFIXES

    context = {
        "studies": list(session.studies.values()),
        "examples": _EXAMPLES,
        "suffixes": SUFFIXES,
        "calculators": CALCULATORS.values(),
    }
    return page(request, "start", context)


async def _asset(request: Request) -> Response:
    from starlette.responses import FileResponse

    name = request.path_params["name"]
    if name not in _ASSETS:
        return refused(request, 404, "There is no such page.")
    return FileResponse(find_place("templates") / "app" / name, media_type=_ASSETS[name])
