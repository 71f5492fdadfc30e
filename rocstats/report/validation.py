"""The validation report: what was compared, what was found, and who signs."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rocstats.report.render import render

if TYPE_CHECKING:
    from rocstats.validation.protocol import Validation

__all__ = ["validation_page"]


def validation_page(result: Validation, *, with_r: bool) -> str:
    """Return the report as one HTML page that needs nothing else."""
    content = result.to_dict()
    verdicts = Counter(case["verdict"] for case in content["cases"])
    return render(
        "validation.html.jinja",
        content
        | {
            "passed": result.passed,
            "with_r": with_r,
            "verdicts": verdicts,
            "failures": [case for case in content["cases"] if case["verdict"] == "fail"],
            "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        },
    )
