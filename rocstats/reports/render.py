"""Render a page: jinja2 templates, everything escaped, nothing undefined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocstats.places import find_place

__all__ = ["render"]


def render(template: str, context: Mapping[str, Any]) -> str:
    """Return the page that a template of ``templates/`` makes of plain values."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(find_place("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["digits"] = _digits
    return environment.get_template(template).render(context)


def _digits(value: Any) -> str:
    """Return a number with all its digits, and anything else as it is."""
    return f"{value:.17g}" if isinstance(value, float) else str(value)
