"""Observed: tables that were written clean, repaired on their way in, or asked about."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.validation.settings import Markers, Numbers

__all__ = ["INTAKE"]

_WORDS = (("No", " NO"), ("Yes", "yes"))  # every fifth row has the second


def _columns(sample: rs.ScoredSample, markers: Markers) -> tuple[list[float], list[int]]:
    """Return the scores of the first marker as they stand, and the outcome as 1 and 0."""
    return sample.scores[sample.marker(markers[0])].tolist(), sample.positive.astype(int).tolist()


def _taken_in(
    columns: Sequence[Sequence[Any]],
    *,
    mark: str = ",",
    above: Sequence[Any] = (),
    below: Sequence[Any] = (),
    **options: Any,
) -> Any:
    """Return what the intake makes of these columns, written to a file of their own."""
    rows = [["patient", "marker", "outcome"], *zip(*columns, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "table.csv")
        with place.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=mark).writerows([*above, *rows, *below])
        return rs.check(place, **options)


def _area(sample: rs.ScoredSample, markers: Markers, found: Any) -> list[float]:
    """Return AUC and variance of the table, the mean of its marker, and its number of rows."""
    frame = found.frame
    outcome = frame["outcome"]
    numeric = outcome.dtype.kind in "iuf"
    area = rs.auc(
        outcome > 0.5 if numeric else outcome,
        frame["marker"],
        pos_label=True if numeric else "Yes",
        higher_is_positive=not sample.is_flipped(sample.marker(markers[0])),
    )
    return [area.value, area.variance(), float(frame["marker"].mean()), float(len(frame))]


def _clean(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    scores, outcome = _columns(sample, markers)
    found = _taken_in([range(1, len(scores) + 1), scores, outcome])
    as_written = np.array(scores).tobytes()
    as_read = found.frame["marker"].to_numpy(dtype=np.float64).tobytes()
    return {
        "table": _area(sample, markers, found),
        "changed": float(as_read != as_written),
        "said": [float(len(found.repairs)), float(len(found.questions))],
    }


def _repaired(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return what each defect alone becomes, and all together, with the cells that are logged."""
    scores, outcome = _columns(sample, markers)
    ids = range(1, len(scores) + 1)
    limit = sorted(scores)[(len(scores) + 9) // 10 - 1]
    limited = [f"<{limit!r}" if score <= limit else repr(score) for score in scores]
    commas = [repr(score).replace(".", ",") for score in scores]
    words = [_WORDS[y][i % 5 == 0] for i, y in enumerate(outcome)]
    title = [["Our study of a marker", "", ""], ["", "", ""]]
    mean = [["Mean", repr(float(np.mean(scores))), ""]]
    made = {
        "decimal comma": _taken_in([ids, commas, outcome], mark=";"),
        "header row": _taken_in([ids, scores, outcome], above=title),
        "below detection": _taken_in([ids, limited, outcome]),
        "labels": _taken_in([ids, scores, words]),
        "rows at the end": _taken_in([ids, scores, outcome], below=mean),
    }
    found = {
        step: [*_area(sample, markers, one), float(sum(r.n for r in one.repairs if r.step == step))]
        for step, one in made.items()
    }
    everything = _taken_in(
        [ids, [cell.replace(".", ",") for cell in limited], words],
        mark=";",
        above=title,
        below=[[cell.replace(".", ",") for cell in row] for row in mean],
    )
    return found | {"together": _area(sample, markers, everything)}


def _asked(sample: rs.ScoredSample, markers: Markers) -> Numbers:
    """Return the cells that are asked about, and the table by either answer."""
    scores, outcome = _columns(sample, markers)
    ranks = np.searchsorted(np.sort(scores), scores) + 1
    cells = [f"{1 + rank // 1000},{rank % 1000:03d}" for rank in ranks.tolist()]
    columns = [range(1, len(cells) + 1), cells, outcome]
    found = _taken_in(columns, mark=";")
    blocking = [question for question in found.questions if question.blocks]
    kept = sum(found.frame["marker"] == cells)
    return {
        "asked": [float(len(blocking)), float(sum(q.n for q in blocking)), float(kept)],
        "comma": _area(sample, markers, _taken_in(columns, mark=";", decimal="comma")),
        "point": _area(sample, markers, _taken_in(columns, mark=";", decimal="point")),
    }


INTAKE: dict[str, Callable[[rs.ScoredSample, Markers], Numbers]] = {
    "intake-clean": _clean,
    "intake-repaired": _repaired,
    "intake-asked": _asked,
}
