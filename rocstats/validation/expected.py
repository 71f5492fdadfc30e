"""Expected: the numbers of every quantity by R, frozen in ``validation/reference`` or live."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.validation.cases import Case
from rocstats.validation.settings import LEVELS, MARGIN, RATES, Numbers

__all__ = ["ask_r", "live_numbers", "read_references", "write_numbers"]

# What the R code of every case finds: y is 1 or 0, `up` holds the scores so that high is positive.
_PRELUDE = """
suppressWarnings({
curves <- Map(function(s, down) roc(y, s, levels = c(0, 1), direction = if (down) ">" else "<",
  quiet = TRUE), scores, low)
up <- Map(function(s, down) if (down) -s else s, scores, low)
curve <- curves[[1]]
pos <- up[[1]][y == 1]
neg <- up[[1]][y == 0]
if (length(curves) > 1) {
  first <- curves[[1]]
  second <- curves[[2]]
}
answer <- {
%s
}
})
answer
"""


def ask_r(code: str, variables: dict[str, Any]) -> Any:
    """Run R code and return what it gives as built-in types."""
    from rocstats.rbridge import session

    return session.evaluate(code, variables)


def live_numbers(case: Case, sample: rs.ScoredSample, folder: Path) -> Numbers:
    """Ask R for the numbers of a case now."""
    rows = [sample.marker(m) for m in case.markers]
    cluster = sample.cluster
    oracle = "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("oracle*.R")))
    answer = ask_r(
        oracle + _PRELUDE % case.quantity.r,
        {
            "y": sample.positive.astype(float),
            "scores": {m: sample.scores[r] for m, r in zip(case.markers, rows, strict=True)},
            "low": [sample.is_flipped(r) for r in rows],
            "cluster": [] if cluster is None else cluster.astype(float),
            "levels": list(LEVELS),
            "margin": MARGIN,
            "rates": list(RATES),
        },
    )
    return {str(name): value for name, value in answer.items()}


def read_references(folder: Path) -> dict[str, Numbers]:
    """Return the frozen numbers of every case, by its name."""
    found: dict[str, Numbers] = {}
    for file in sorted((folder / "reference").glob("*.json")):
        frozen = json.loads(file.read_text("utf-8"))["cases"]
        found |= {name: _thawed(numbers) for name, numbers in frozen.items()}
    return found


def _thawed(numbers: Mapping[str, Any]) -> Numbers:
    return {
        name: [float(v) for v in value] if isinstance(value, list) else float(value)
        for name, value in numbers.items()
    }


def write_numbers(file: Path, provenance: Mapping[str, str], cases: Mapping[str, Numbers]) -> None:
    """Write the numbers of a data set as JSON, 17 digits each, one case a line."""
    lines = [f"{json.dumps(name)}: {_frozen(numbers)}" for name, numbers in cases.items()]
    file.write_text(
        f'{{"provenance": {json.dumps(provenance)},\n"cases": {{\n' + ",\n".join(lines) + "\n}}\n",
        encoding="utf-8",
    )


def _frozen(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(k)}: {_frozen(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_frozen, value)) + "]"
    return f"{value:.17g}" if math.isfinite(value) else f'"{value}"'
