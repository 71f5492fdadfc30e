"""The page of the validation of this installation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocstats.app.jobs import start_job
from rocstats.app.replies import (
    data_reply,
    go_to,
    page,
    refused,
    report_reply,
    settings_of,
    with_session,
)
from rocstats.app.sessions import Session
from rocstats.app.study_pages import work_page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["validation_routes"]


def validation_routes() -> list[Any]:
    """Return the ways to these pages."""
    from starlette.routing import Route

    return [
        Route("/validation", with_session(_validation)),
        Route("/validation", with_session(_validate), methods=["POST"]),
        Route("/validation/progress", with_session(_validation_progress)),
        Route("/validation/cancel", with_session(_validation_cancel), methods=["POST"]),
        Route("/validation/page", with_session(_validation_page)),
    ]


async def _validation(request: Request, session: Session) -> Response:
    job = session.jobs.get("validation")
    if job is not None and job.state != "done":
        return work_page(
            request,
            job,
            title="Validation of this installation",
            address="/validation",
            progress="/validation/progress",
            cancel="/validation/cancel",
        )
    return page(request, "validation", {"job": job, "passed": job is not None and job.code == 0})


async def _validate(request: Request, session: Session) -> Response:
    job = session.jobs.get("validation")
    if job is None or job.is_over:
        words = ["-m", "rocstats", "validate", "-o", "validation.html"]
        bounds = settings_of(request).bounds
        session.jobs["validation"] = start_job(words, session.folder, bounds=bounds)
    return go_to("/validation")


async def _validation_progress(request: Request, session: Session) -> Response:
    job = session.jobs.get("validation")
    return data_reply({"over": True} if job is None else job.progress())


async def _validation_cancel(request: Request, session: Session) -> Response:
    job = session.jobs.get("validation")
    if job is not None:
        job.cancel()
        job.wait(5.0)
        if job.state == "cancelled":
            session.jobs.pop("validation")
    return go_to("/validation")


async def _validation_page(request: Request, session: Session) -> Response:
    place = session.folder / "validation.html"
    if not place.exists():
        return refused(request, 404, "There is no report yet.")
    return report_reply(place.read_text(encoding="utf-8"))
