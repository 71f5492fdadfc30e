"""The pages of a reader study: its form, and the report of the command."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.app.fields import read_fields
from rocstats.app.reader_form import READER_FIELDS, READER_PAGE, field_in, reader_words
from rocstats.app.replies import (
    file_reply,
    form_of,
    go_to,
    page,
    refused,
    report_reply,
    settings_of,
    with_session,
)
from rocstats.app.sessions import Session, Study
from rocstats.app.study_pages import work_page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["reader_routes"]


def reader_routes() -> list[Any]:
    """Return the ways to these pages."""
    from starlette.routing import Route

    return [
        Route("/studies/{key}/readers", with_session(_readers)),
        Route("/studies/{key}/readers", with_session(_run_readers), methods=["POST"]),
        Route("/studies/{key}/readers/result", with_session(_readers_result)),
        Route("/studies/{key}/readers/page", with_session(_readers_page)),
        Route("/studies/{key}/readers/file", with_session(_readers_file)),
    ]


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
