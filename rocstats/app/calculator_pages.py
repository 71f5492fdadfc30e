"""The pages of the calculators; what is filled in stands in the address, so a refresh asks it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocstats.app.calculators import CALCULATORS
from rocstats.app.fields import read_fields
from rocstats.app.jobs import Bounds, start_job
from rocstats.app.replies import data_reply, form_of, page, refused, with_session
from rocstats.app.sessions import Session
from rocstats.reports.markup import Markup

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["calculator_routes"]

_QUICK = Bounds(seconds=120.0)


def calculator_routes() -> list[Any]:
    """Return the ways to these pages."""
    from starlette.routing import Route

    return [
        Route("/calculators/{name}", with_session(_calculator)),
        Route("/calculators/{name}/check", with_session(_check), methods=["POST"]),
    ]


async def _check(request: Request, session: Session) -> Response:
    """Say what is wrong with what was filled in so far."""
    calculator = CALCULATORS.get(request.path_params["name"])
    if calculator is None:
        return refused(request, 404, "There is no such page.")
    _, problems = read_fields(calculator.fields, await form_of(request))
    return data_reply({"problems": problems})


async def _calculator(request: Request, session: Session) -> Response:
    from starlette.concurrency import run_in_threadpool

    calculator = CALCULATORS.get(request.path_params["name"])
    if calculator is None:
        return refused(request, 404, "There is no such page.")
    query = request.query_params
    draft = {name: query.getlist(name) for name in query}
    answer: dict[str, Any] = {}
    if draft:
        words = ["-m", "rocstats.app.calculating", calculator.name]
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
