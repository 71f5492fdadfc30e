"""The pages of studies that another command than the report analyses: a form, and its page."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.app.command_form import CommandForm
from rocstats.app.fields import read_fields
from rocstats.app.reader_form import READER_FORM
from rocstats.app.replies import (
    data_reply,
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
from rocstats.app.survival_form import SURVIVAL_FORM

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["COMMAND_FORMS", "command_form_routes"]

COMMAND_FORMS = {form.name: form for form in (READER_FORM, SURVIVAL_FORM)}


def command_form_routes() -> list[Any]:
    """Return the ways to these pages."""
    from starlette.routing import Route

    return [
        Route(f"/studies/{{key}}/{name}{path}", with_session(_of(form, handler)), methods=[method])
        for name, form in COMMAND_FORMS.items()
        for path, handler, method in (
            ("", _show, "GET"),
            ("", _run, "POST"),
            ("/check", _check, "POST"),
            ("/result", _result, "GET"),
            ("/page", _page, "GET"),
            ("/file", _file, "GET"),
        )
    ]


def _of(form: CommandForm, handler: Any) -> Any:
    """Return a handler of this form for a study whose file was read; else the start is shown."""

    async def called(request: Request, session: Session) -> Response:
        study = session.studies.get(request.path_params["key"])
        if study is None or study.found is None:
            return go_to("/")
        answer: Response = await handler(request, study, form)
        return answer

    return called


def _columns(study: Study) -> list[str]:
    assert study.found is not None
    return [column["name"] for column in study.found["columns"]]


def _form_page(
    request: Request,
    study: Study,
    form: CommandForm,
    problems: dict[str, str],
    *,
    status: int = 200,
) -> Response:
    columns = _columns(study)
    context = {
        "study": study,
        "form": form,
        "draft": study.draft(form.name) or form.first_draft(columns),
        "columns": [(str(i), name) for i, name in enumerate(columns)],
        "problems": problems,
    }
    return page(request, "command_form", context, status=status)


async def _show(request: Request, study: Study, form: CommandForm) -> Response:
    job = study.jobs.get(form.name)
    problems = {}
    if job is not None and job.state == "refused":
        problems[form.field_in(job.sentence)] = job.sentence
    return _form_page(request, study, form, problems)


async def _check(request: Request, study: Study, form: CommandForm) -> Response:
    """Keep what was filled in, and say what is wrong with it."""
    draft = await form_of(request)
    if draft != study.draft(form.name):
        study.keep_draft(form.name, draft)
        job = study.jobs.get(form.name)
        if job is not None and job.state == "refused":
            del study.jobs[form.name]
    _, problems = read_fields(form.fields, draft, _columns(study))
    return data_reply({"problems": problems})


async def _run(request: Request, study: Study, form: CommandForm) -> Response:
    draft = await form_of(request)
    study.keep_draft(form.name, draft)
    values, problems = read_fields(form.fields, draft, _columns(study))
    if problems:
        return _form_page(request, study, form, problems, status=422)
    (study.folder / form.page).unlink(missing_ok=True)
    study.begin(form.name, ["-m", *form.words(study.data, values)], settings_of(request).bounds)
    return go_to(f"/studies/{study.key}/{form.name}/result")


async def _result(request: Request, study: Study, form: CommandForm) -> Response:
    job = study.jobs.get(form.name)
    address = f"/studies/{study.key}/{form.name}"
    if job is None or job.state == "refused":
        return go_to(address)
    if job.state != "done":
        return work_page(
            request,
            job,
            title=f"{form.title} of {study.data}",
            address=address,
            progress=f"/studies/{study.key}/progress/{form.name}",
            cancel=f"/studies/{study.key}/cancel/{form.name}",
        )
    command = shlex.join(["rocstats", *job.words[2:]])
    context = {"study": study, "form": form, "job": job, "command": command}
    return page(request, "command_result", context)


def _made(study: Study, form: CommandForm) -> Path | None:
    job, place = study.jobs.get(form.name), study.folder / form.page
    return place if job is not None and job.state == "done" and place.exists() else None


async def _page(request: Request, study: Study, form: CommandForm) -> Response:
    place = _made(study, form)
    if place is None:
        return refused(request, 404, "There is no report yet.")
    return report_reply(place.read_text(encoding="utf-8"))


async def _file(request: Request, study: Study, form: CommandForm) -> Response:
    place = _made(study, form)
    if place is None:
        return refused(request, 404, "There is no report yet.")
    return file_reply(place, form.page)
