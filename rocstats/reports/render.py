"""Render a page: jinja2 templates, everything escaped, nothing undefined.

The report of a study may say no number that is not a fact: a leaf of the facts prints itself with
its path, and a number that a template works out is refused, but for how many items a list has.
Nothing may be loaded, and no script or style may run but those in the page: their digests are in
its policy.

Templates are a user's, or of somebody whom a user trusts with a page: they run in jinja2's sandbox,
where they can read what they are given and change or reach nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocstats.analysis.comparison_facts import MOST_MARKERS
from rocstats.errors import InvalidOptionError, named
from rocstats.places import find_place
from rocstats.reports.downloads import make_downloads
from rocstats.reports.facts import FORMATS, NOT_ESTIMABLE, mark, with_minus
from rocstats.reports.figures.difference_figure import MOST_ROWS
from rocstats.reports.figures.figures_by_name import draw_all
from rocstats.reports.leaves import Real, Whole, follow, wrap
from rocstats.reports.markup import Markup, opening

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["facts_payload", "render", "render_facts", "render_report", "svg_address"]

_STYLES = ("style.css", "figures.css")
_SCRIPT = "explorer.js"
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(template: str, context: Mapping[str, Any]) -> str:
    """Return the page that a template of ``templates/`` makes of plain values and the time."""
    environment = _environment(find_place("templates"))
    return environment.get_template(template).render(context, made=_time(_now()))


def render_facts(template: str, facts: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    """Return a page whose numbers are all facts, which it also holds as JSON."""
    environment = _environment(find_place("templates"))
    _state_facts_only(environment)
    return environment.get_template(template).render(
        context,
        facts=wrap(facts),
        payload=facts_payload(facts),
        made=_time(_now()),
    )


def svg_address(svg: str) -> str:
    """Return a drawing as the address of an image that the page holds itself."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def render_report(
    facts: Mapping[str, Any],
    *,
    templates: str | os.PathLike[str] | None = None,
    made: datetime | None = None,
    summary: bool = False,
) -> str:
    """Return the page of a diagnostic study.

    Parameters
    ----------
    facts : every number of the page, as built-in types
    templates : folder whose files replace those of ``templates/report`` with the same name
    made : the time that the page states; by default now, or SOURCE_DATE_EPOCH where that is set
    summary : whether the page is to print on two sheets
    """
    places = [find_place("templates") / "report"]
    if templates is not None:
        if not os.path.isdir(templates):  # "" is none, though Path takes it for this folder
            raise InvalidOptionError(
                f"{named('templates')} must be a folder with parts of the report, got "
                f"{str(templates)!r}."
            )
        places.insert(0, Path(templates))
    environment = _environment(*places)
    _state_facts_only(environment)
    environment.filters |= {"shown": mark, "plain": _plain, "opening": opening}
    environment.filters |= {"breakable": _breakable, "minus": with_minus}
    style = "\n".join(_source(environment, name) for name in _STYLES)
    script = _source(environment, _SCRIPT)
    leaves = wrap(facts)
    environment.globals["stated"] = partial(_stated, leaves)
    first = next((i for i, m in enumerate(leaves["markers"]) if m.get("explorer")), None)
    if first is not None:
        environment.globals["moving"] = partial(_moving, leaves, first)
    page = environment.get_template("report.html.jinja").render(
        leaves,
        figures=draw_all(leaves),
        explored=first,
        summary=summary,
        most_differences=MOST_ROWS,
        most_markers=MOST_MARKERS,
        labels={m["name"]: m["label"] for m in facts["markers"]},
        style=Markup(style),
        script=Markup(script),
        policy=_policy(script, style),
        payload=facts_payload(facts),
        downloads=make_downloads(facts),
        made=_time(made or _now()),
    )
    return _without_dead_links(page) if summary else page


def _without_dead_links(page: str) -> str:
    """Return a page of some sections, in which what led to the others is only text."""
    ids = set(re.findall(r' id="([^"]+)"', page))

    def kept(link: re.Match[str]) -> str:
        return link[0] if link[1] in ids else link[2]

    return re.sub(r'<a href="#([^"]+)">(.*?)</a>', kept, page)


def _environment(*places: Path) -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(places),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["digits"] = _digits
    return environment


def _source(environment: Environment, name: str) -> str:
    """Return a file as it stands: a style or script, which no template changes."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].strip()


def _now() -> datetime:
    """Return the time that a page states: now, or the one that SOURCE_DATE_EPOCH fixes."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(fixed), UTC) if fixed.isdecimal() else datetime.now(UTC)


def _time(made: datetime) -> str:
    return made.strftime("%Y-%m-%d %H:%M UTC")


def _digits(value: Any) -> str:
    """Return a number with all its digits, and anything else as it is."""
    return f"{value:.17g}" if isinstance(value, float) else str(value)


# ------------------------------------------------------------------------------ the report's own


def _state_facts_only(environment: Environment) -> None:
    """Let templates state a number only as a fact, by the filters that show one."""
    environment.finalize = _finish
    environment.filters |= {name: partial(mark, kind=name) for name in FORMATS}


def _finish(value: Any) -> Any:
    """Print a count as a fact, None as not estimable, and refuse a number without a format."""
    if isinstance(value, Whole):
        return mark(value, "count")
    if isinstance(value, float):
        what = value.path if isinstance(value, Real) else value
        raise TypeError(f"The number {what} needs one of the filters {', '.join(FORMATS)}.")
    return NOT_ESTIMABLE if value is None else value


def _plain(value: Any) -> str:
    """Return a value as JSON, with nothing that a template could call on the way."""
    return json.dumps(value)


def _breakable(name: str) -> Markup:
    """Return a name that a narrow column breaks between its parts rather than within one."""
    return Markup(escape(name).replace("_", "_<wbr>"))


def _moving(leaves: Any, first: int, path: str, kind: str = "count") -> Markup:
    """Return a fact of the explorer at its start; {m}, {t} and {p} in its path move."""
    at = path.replace("{m}", str(first))
    at = at.replace("{t}", str(int(leaves["markers"][first]["explorer"]["start"])))
    at = at.replace("{p}", str(int(leaves["explorer"]["start"])))
    fact = follow(leaves, at)
    if isinstance(fact, str):
        known = f'data-path="{at}" data-as="{kind}" data-to="{path}"'
        shown = with_minus(fact) if kind == "minus" else fact
        return Markup(f"<bdi {known}>{escape(shown)}</bdi>")
    return mark(fact, kind, to=path)


def _stated(leaves: Any, part: Mapping[str, str]) -> Markup:
    """Return a number of a text, which knows its path in the facts."""
    text = part["text"] if part["kind"] == "cut" else None
    return mark(follow(leaves, part["path"]), part["kind"], text=text)


def facts_payload(facts: Mapping[str, Any]) -> Markup:
    """Return the facts as JSON that no HTML parser can mistake for markup."""
    text = json.dumps(facts, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for sign, escaped in _UNSAFE.items():
        text = text.replace(sign, escaped)
    return Markup(text)


def _policy(script: str, style: str) -> str:
    """Return the content security policy of a page that holds one script and one style."""
    return (
        "default-src 'none'; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; "  # a figure that the script turns into dots
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
