"""The app as a whole: its pages behind its guard, and a sentence for whatever goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.app.calculator_pages import calculator_routes
from rocstats.app.command_form_pages import command_form_routes
from rocstats.app.guards import Guard
from rocstats.app.replies import refused
from rocstats.app.sessions import Sessions, Settings
from rocstats.app.start_pages import start_routes
from rocstats.app.study_pages import study_routes
from rocstats.app.validation_pages import validation_routes

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["make_app"]

_SENTENCES = {
    404: "There is no such page here.",
    405: "This page cannot be asked for in that way.",
}


def make_app(folder: Path, settings: Settings) -> Starlette:
    """Return the app, whose files lie in a folder."""
    from python_multipart.exceptions import FormParserError
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware

    app = Starlette(
        routes=[
            *start_routes(),
            *study_routes(),
            *command_form_routes(),
            *calculator_routes(),
            *validation_routes(),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: _lost, FormParserError: _lost, Exception: _failed},
    )
    app.state.settings = settings
    app.state.sessions = Sessions(folder)
    return app


async def _lost(request: Request, reason: Any) -> Response:
    status = getattr(reason, "status_code", 400)
    said = _SENTENCES.get(status, "This request could not be understood.")
    return refused(request, status, said)


async def _failed(request: Request, reason: Exception) -> Response:
    said = (
        f"The app failed in a way it should not ({type(reason).__name__}). What you filled in is "
        "still there; go back, and please tell the makers of rocstats what you did."
    )
    return refused(request, 500, said)
