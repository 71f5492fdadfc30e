"""The pages of a study: a file in, its table, the form, progress, the report and its files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from rocstats.app.form_parts import FORM, field_of, is_per_marker, names_columns
from rocstats.app.jobs import Bounds, Job
from rocstats.app.offered_files import OFFERED
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
from rocstats.app.study_files import repeating_command, toml_name
from rocstats.app.study_form import read_draft, reading_options
from rocstats.app.study_view import columns_view, form_view
from rocstats.app.uploads import safe_name
from rocstats.errors import RocstatsError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["study_routes", "work_page"]

_LOST = "There is no such study here: it was removed, or belongs to another session."
_SOON = 20.0  # seconds that a page waits for a file that is read again
_PRINTED = Bounds(megabytes=None, seconds=300.0)  # a browser that prints takes what it likes
_IN_A_TAB = r'<a target="_blank" rel="noopener" \1'
_OUTWARDS = re.compile(r'<a ([^<>]*href="https?://)')


def study_routes() -> list[Any]:
    """Return the ways to the pages of studies."""
    from starlette.routing import Route

    post = ["POST"]
    return [
        Route("/files", with_session(_upload), methods=post),
        Route("/examples", with_session(_example), methods=post),
        Route("/studies/{key}", with_session(_of_study(_form))),
        Route("/studies/{key}/read", with_session(_of_study(_read_again)), methods=post),
        Route("/studies/{key}/check", with_session(_of_study(_check)), methods=post),
        Route("/studies/{key}/report", with_session(_of_study(_run)), methods=post),
        Route("/studies/{key}/report", with_session(_of_study(_result))),
        Route("/studies/{key}/page", with_session(_of_study(_page))),
        Route("/studies/{key}/framed", with_session(_of_study(_framed))),
        Route("/studies/{key}/files/{name}", with_session(_of_study(_file))),
        Route("/studies/{key}/progress/{what}", with_session(_of_study(_progress))),
        Route("/studies/{key}/cancel/{what}", with_session(_of_study(_cancel)), methods=post),
        Route("/studies/{key}/remove", with_session(_of_study(_remove)), methods=post),
    ]


def _of_study(handler: Any) -> Any:
    """Return a handler that refuses whoever names a study that is not of the session."""

    async def called(request: Request, session: Session) -> Response:
        study = session.studies.get(request.path_params["key"])
        if study is None:
            return refused(request, 404, _LOST)
        request.state.session = session
        return cast("Response", await handler(request, study))

    return called


# ------------------------------------------------------------------------------------- files in


async def _upload(request: Request, session: Session) -> Response:
    from starlette.concurrency import run_in_threadpool
    from starlette.datastructures import UploadFile

    async with request.form(max_files=1, max_fields=5) as form:
        sent = form.get("file")
        if not isinstance(sent, UploadFile) or not sent.filename:
            return refused(request, 422, "Choose a file first: a table as .xlsx or .csv.")
        try:
            study = session.add_study(safe_name(sent.filename))
        except RocstatsError as error:
            return refused(request, 422, str(error))
        await run_in_threadpool(_keep, sent.file, study.folder / study.data)
    study.read(settings_of(request).bounds)
    return go_to(f"/studies/{study.key}")


def _keep(sent: BinaryIO, place: Path) -> None:
    with place.open("xb") as file:
        shutil.copyfileobj(sent, file, 2**20)


async def _example(request: Request, session: Session) -> Response:
    import rocstats as rs

    name = (await form_of(request)).get("name", [""])[-1]
    if name not in rs.datasets.names():
        return refused(request, 422, f"There is no example {name!r}.")
    place = rs.datasets.path(name)
    study = session.add_study(place.name)
    shutil.copyfile(place, study.folder / study.data)
    study.read(settings_of(request).bounds)
    return go_to(f"/studies/{study.key}")


# ----------------------------------------------------------------------------------------- form


async def _form(request: Request, study: Study) -> Response:
    reading = study.jobs["read"]
    if study.found is None and reading.state == "refused":
        return _unread_page(request, study, {})
    if study.found is None:
        return work_page(
            request,
            reading,
            title=f"Reading {study.data}",
            address=f"/studies/{study.key}",
            progress=f"/studies/{study.key}/progress/read",
            cancel=f"/studies/{study.key}/cancel/read",
        )
    job = study.jobs.get("report")
    problems = {}
    if job is not None and job.state == "refused":
        problems[_field_in(job.sentence)] = job.sentence
    return _form_page(request, study, problems)


def _unread_page(
    request: Request, study: Study, problems: Mapping[str, str], *, status: int = 200
) -> Response:
    """Return why the file could not be read, and the fields that may say how it is."""
    parts = form_view((), study.draft("report"), problems)
    context = {
        "study": study,
        "sentence": study.jobs["read"].sentence,
        "part": next(part for part in parts if part["again"]),
    }
    return page(request, "unread", context, status=status)


def _form_page(
    request: Request, study: Study, problems: Mapping[str, str], *, status: int = 200
) -> Response:
    found = study.found
    assert found is not None
    columns, draft = found["columns"], study.draft("report")
    parts = form_view(columns, draft, problems)
    context = {
        "study": study,
        "found": found,
        "columns": columns_view(columns),
        "parts": parts,
        "problems": problems,
        "slots": {field["name"] for part in parts for field in part["fields"]},
        "job": study.jobs.get("report"),
    }
    return page(request, "study", context, status=status)


def _field_in(sentence: str) -> str:
    """Return the field whose option a sentence of the command names first."""
    fields = (field_of(word) for word in re.findall(r"--[a-z-]+", sentence))
    return next((field for field in fields if field), "")


async def _check(request: Request, study: Study) -> Response:
    draft = await form_of(request)
    if study.found is None:
        return data_reply({"problems": {}})
    if draft != study.draft("report"):
        study.keep_draft("report", draft)
        job = study.jobs.get("report")
        if job is not None and job.state == "refused":
            del study.jobs["report"]
    return data_reply({"problems": read_draft(draft, study.found["columns"]).problems})


async def _read_again(request: Request, study: Study) -> Response:
    """Read the file as the draft says; what it says of columns is kept while they are the same."""
    from starlette.concurrency import run_in_threadpool

    draft = await form_of(request)
    unread = study.found is None and study.jobs["read"].state == "refused"
    if study.found is None and not unread:
        return go_to(f"/studies/{study.key}")
    filled = reading_options(draft)
    study.keep_draft("report", draft)
    if filled.problems:
        shown = _unread_page if unread else _form_page
        return shown(request, study, filled.problems, status=422)
    before = [] if study.found is None else [column["name"] for column in study.found["columns"]]
    study.read(settings_of(request).bounds, filled.options)
    await run_in_threadpool(study.jobs["read"].wait, _SOON)
    job = study.jobs["read"]
    if job.state == "refused" and not unread:
        sentence = job.sentence
        study.read(settings_of(request).bounds)
        await run_in_threadpool(study.jobs["read"].wait, _SOON)
        if study.found is not None:
            return _form_page(request, study, {_field_in(sentence): sentence}, status=422)
    elif study.found is not None:
        after = [column["name"] for column in study.found["columns"]]
        study.keep_draft("report", draft if before == after else _beside_columns(draft))
    return go_to(f"/studies/{study.key}")


def _beside_columns(draft: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return what of a draft holds for another table: all but what is said of columns."""
    of_columns = {"positive", *(o.name for o in FORM if is_per_marker(o) or names_columns(o))}
    return {name: said for name, said in draft.items() if name.split(":")[0] not in of_columns}


async def _run(request: Request, study: Study) -> Response:
    draft = await form_of(request)
    if study.found is None:
        return go_to(f"/studies/{study.key}")
    study.keep_draft("report", draft)
    filled = read_draft(draft, study.found["columns"])
    if filled.problems:
        return _form_page(request, study, filled.problems, status=422)
    study.report(filled.options, settings_of(request).bounds)
    return go_to(f"/studies/{study.key}/report")


# --------------------------------------------------------------------------------- work and report


def work_page(
    request: Request, job: Job, *, title: str, address: str, progress: str, cancel: str
) -> Response:
    """Return the page of work that goes on, or ended without an answer."""
    context = {
        "title": title,
        "job": job,
        "seen": job.progress(),
        "address": address,
        "progress": progress,
        "cancel": cancel,
    }
    return page(request, "work", context, status=200)


async def _result(request: Request, study: Study) -> Response:
    job = study.jobs.get("report")
    if job is None or job.state == "refused":
        return go_to(f"/studies/{study.key}")
    if job.state != "done":
        return work_page(
            request,
            job,
            title=f"Report of {study.data}",
            address=f"/studies/{study.key}",
            progress=f"/studies/{study.key}/progress/report",
            cancel=f"/studies/{study.key}/cancel/report",
        )
    context = {
        "study": study,
        "job": job,
        "seen": job.progress(),
        "offered": OFFERED,
        "toml": (study.folder / toml_name(study.data)).read_text(encoding="utf-8"),
        "toml_name": toml_name(study.data),
        "command": repeating_command(study.data),
    }
    return page(request, "result", context)


def _made(study: Study) -> str | None:
    job = study.jobs.get("report")
    place = study.folder / "report.html"
    ready = job is not None and job.state == "done" and place.exists()
    return place.read_text(encoding="utf-8") if ready else None


async def _page(request: Request, study: Study) -> Response:
    text = _made(study)
    return refused(request, 404, "There is no report yet.") if text is None else report_reply(text)


async def _framed(request: Request, study: Study) -> Response:
    """Answer with the report for the frame, from which no other site can be shown."""
    text = _made(study)
    if text is None:
        return refused(request, 404, "There is no report yet.")
    return report_reply(_OUTWARDS.sub(_IN_A_TAB, text))


async def _file(request: Request, study: Study) -> Response:
    from starlette.concurrency import run_in_threadpool

    name, stem = request.path_params["name"], Path(study.data).stem
    if name == "study.toml" and (study.folder / toml_name(study.data)).exists():
        return file_reply(study.folder / toml_name(study.data), toml_name(study.data))
    if name not in OFFERED or _made(study) is None:
        return refused(request, 404, "There is no such file of this study.")
    place = study.folder / name
    if not place.exists():
        what = f"file:{name}"
        job = study.jobs.get(what)
        if job is None or job.is_over:
            job = study.begin(what, ["-m", "rocstats.app.offered_files", name], _PRINTED)
        await run_in_threadpool(job.wait)
        if job.state != "done":
            return refused(request, 422, job.sentence)
    return file_reply(place, f"{stem}-{name}")


async def _progress(request: Request, study: Study) -> Response:
    job = study.jobs.get(request.path_params["what"])
    return data_reply({"over": True} if job is None else job.progress())


async def _cancel(request: Request, study: Study) -> Response:
    from starlette.concurrency import run_in_threadpool

    what = request.path_params["what"]
    job = study.jobs.get(what)
    if job is not None:
        job.cancel()
        await run_in_threadpool(job.wait, 5.0)
    return go_to(f"/studies/{study.key}/report" if what == "report" else f"/studies/{study.key}")


async def _remove(request: Request, study: Study) -> Response:
    from starlette.concurrency import run_in_threadpool

    await run_in_threadpool(request.state.session.remove, study.key)
    return go_to("/")
