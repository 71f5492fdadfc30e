"""The pages beside a study's report: the start, calculators, reader studies, the validation."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.app.calculators import CALCULATORS
from rocstats.app.fields import read_fields
from rocstats.app.jobs import Bounds, start_job
from rocstats.app.reader_form import READER_FIELDS, READER_PAGE, field_in, reader_words
from rocstats.app.replies import (
    cookie_name,
    data_reply,
    file_reply,
    form_of,
    go_to,
    page,
    refused,
    report_reply,
    sessions_of,
    settings_of,
    with_session,
)
from rocstats.app.sessions import Session, Study
from rocstats.app.study_pages import work_page
from rocstats.places import find_place
from rocstats.reports.markup import Markup

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["other_routes"]

_QUICK = Bounds(seconds=120.0)
_EXAMPLES = {
    "breast_cancer": "569 breast masses, five features of their cell nuclei",
    "ct_ratings": "109 CT images, rated from 1 to 5",
    "reader_study": "two tests, five readers, 80 cases: a reader study",
    "fawcett": "20 instances with scores from 0 to 1",
}
_ASSETS = {"app.css": "text/css", "app.js": "text/javascript"}


def other_routes() -> list[Any]:
    """Return the ways to these pages."""
    from starlette.routing import Route

    post = ["POST"]
    return [
        Route("/", _start),
        Route("/assets/{name}", _asset),
        Route("/calculators/{name}", with_session(_calculator)),
        Route("/studies/{key}/readers", with_session(_readers)),
        Route("/studies/{key}/readers", with_session(_run_readers), methods=post),
        Route("/studies/{key}/readers/result", with_session(_readers_result)),
        Route("/studies/{key}/readers/page", with_session(_readers_page)),
        Route("/studies/{key}/readers/file", with_session(_readers_file)),
        Route("/validation", with_session(_validation)),
        Route("/validation", with_session(_validate), methods=post),
        Route("/validation/progress", with_session(_validation_progress)),
        Route("/validation/cancel", with_session(_validation_cancel), methods=post),
        Route("/validation/page", with_session(_validation_page)),
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


# ---------------------------------------------------------------------------------- calculators


async def _calculator(request: Request, session: Session) -> Response:
    from starlette.concurrency import run_in_threadpool

    calculator = CALCULATORS.get(request.path_params["name"])
    if calculator is None:
        return refused(request, 404, "There is no such page.")
    query = request.query_params
    draft = {name: query.getlist(name) for name in query}
    answer: dict[str, Any] = {}
    if draft:
        words = ["-m", "rocstats.app.calculators", calculator.name]
        job = start_job(words, session.folder, bounds=_QUICK, stdin=json.dumps(draft))
        await run_in_threadpool(job.wait)
        done = job.state == "done"
        answer = json.loads(job.output) if done else {"problems": {"": job.sentence}}
    context = {
        "calculator": calculator,
        "fields": calculator.fields,
        "draft": draft or {field.name: [field.default] for field in calculator.fields},
        "columns": [],
        "problems": answer.get("problems", {}),
        "answer": Markup(answer["html"]) if "html" in answer else None,
        "notes": answer.get("notes", []),
        "command": answer.get("command", ""),
    }
    return page(request, "calculator", context, status=422 if context["problems"] else 200)


# -------------------------------------------------------------------------------- reader studies


def _study(request: Request, session: Session) -> Study | None:
    study = session.studies.get(request.path_params["key"])
    return study if study is not None and study.found is not None else None


def _readers_form(
    request: Request, study: Study, problems: dict[str, str], *, status: int = 200
) -> Response:
    assert study.found is not None
    names = [column["name"] for column in study.found["columns"]]
    draft = study.draft("readers") or _reader_draft(names)
    context = {
        "study": study,
        "fields": READER_FIELDS,
        "draft": draft,
        "columns": [(str(i), name) for i, name in enumerate(names)],
        "problems": problems,
    }
    return page(request, "readers", context, status=status)


def _reader_draft(names: list[str]) -> dict[str, list[str]]:
    """Return a draft with the columns that are called like what they are asked for."""
    called = {"test": ("test", "treatment", "modality"), "outcome": ("truth", "outcome")}
    draft = {field.name: [field.default] for field in READER_FIELDS}
    for field in READER_FIELDS:
        if field.kind == "column" and field.needed:
            words = called.get(field.name, (field.name,))
            places = [i for i, name in enumerate(names) if name.casefold() in words]
            draft[field.name] = [str(places[0])] if len(places) == 1 else [""]
    return draft


async def _readers(request: Request, session: Session) -> Response:
    study = _study(request, session)
    if study is None:
        return go_to("/")
    job = study.jobs.get("readers")
    problems = {}
    if job is not None and job.state == "refused":
        problems[field_in(job.sentence, READER_FIELDS)] = job.sentence
    return _readers_form(request, study, problems)


async def _run_readers(request: Request, session: Session) -> Response:
    draft = await form_of(request)
    study = _study(request, session)
    if study is None:
        return go_to("/")
    study.keep_draft("readers", draft)
    assert study.found is not None
    names = [column["name"] for column in study.found["columns"]]
    values, problems = read_fields(READER_FIELDS, draft, names)
    if problems:
        return _readers_form(request, study, problems, status=422)
    words = ["-m", *reader_words(study.data, values)]
    study.begin("readers", words, settings_of(request).bounds)
    return go_to(f"/studies/{study.key}/readers/result")


async def _readers_result(request: Request, session: Session) -> Response:
    study = _study(request, session)
    job = None if study is None else study.jobs.get("readers")
    if study is None or job is None:
        return go_to("/")
    if job.state == "refused":
        return go_to(f"/studies/{study.key}/readers")
    if job.state != "done":
        return work_page(
            request,
            job,
            title=f"Reader study of {study.data}",
            address=f"/studies/{study.key}/readers",
            progress=f"/studies/{study.key}/progress/readers",
            cancel=f"/studies/{study.key}/cancel/readers",
        )
    command = shlex.join(["rocstats", *job.words[2:]])
    return page(request, "readers_result", {"study": study, "job": job, "command": command})


def _readers_made(request: Request, session: Session) -> Path | None:
    study = _study(request, session)
    place = None if study is None else study.folder / READER_PAGE
    return place if place is not None and place.exists() else None


async def _readers_page(request: Request, session: Session) -> Response:
    place = _readers_made(request, session)
    if place is None:
        return refused(request, 404, "There is no report yet.")
    return report_reply(place.read_text(encoding="utf-8"))


async def _readers_file(request: Request, session: Session) -> Response:
    place = _readers_made(request, session)
    if place is None:
        return refused(request, 404, "There is no report yet.")
    return file_reply(place, READER_PAGE)


# ----------------------------------------------------------------------------------- validation


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
