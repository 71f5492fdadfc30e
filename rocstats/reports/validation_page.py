"""The validation report: what was compared, what was found, and who signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.reports.render import render

if TYPE_CHECKING:
    from rocstats.validation.protocol import Validation

__all__ = ["validation_page"]


def validation_page(result: Validation, *, with_r: bool) -> str:
    """Return the report as one HTML page that needs nothing else."""
    return render(
        "validation.html.jinja",
        dict(result.statement().content or {})
        | {
            "passed": result.passed,
            "with_r": with_r,
            "failures": result.failures(),
        },
    )
