"""Participants: who came, who was left out at which step, and who they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.design_facts import design_facts, weighted_share
from rocstats.analysis.level_order import in_natural_order
from rocstats.analysis.plan import StudyPlan
from rocstats.arrays import Bools

__all__ = ["MISSING", "baseline_facts", "data_facts", "flow_facts", "level_text"]

MISSING = "missing"  # the level of those whose level is not known
_MOST_LEVELS = 8  # levels of a baseline column that are shown; the rest are one row
_NONE_MISSING = dict.fromkeys(
    [
        *("n_unknown", "missing_pos", "missing_neg", "missing_unknown"),
        *("indeterminate_pos", "indeterminate_neg", "indeterminate_unknown"),
    ],
    0,
)
_NUMERIC_FROM = 6  # distinct numbers from which a baseline column is summarised by quartiles


def data_facts(cohort: Cohort, plan: StudyPlan) -> dict[str, Any]:
    """Return what was analysed: names, labels, counts and digests."""
    sample = cohort.sample
    n = sample.n_pos + sample.n_neg
    return {
        "source": cohort.source.name,
        "format": cohort.source.format,
        "sha256": cohort.source.sha256,
        "analysed_sha256": cohort.analysed_sha256(),
        "notes": list(cohort.source.notes),
        "reading": {name: str(value) for name, value in cohort.source.reading.items()},
        "repairs": [dict(repair) for repair in cohort.source.repairs],
        "outcome": cohort.outcome,
        "pos_label": str(sample.pos_label),
        "neg_label": str(sample.neg_label),
        "comparator": plan.comparator,
        "n_rows": (int(cohort.known.size) if sample.keeps_rows else n)
        + sample.dropped.n * int(not cohort.is_whole)
        + sum(int(repair["n"]) for repair in _exclusions(cohort)),
        "n": n,
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "prevalence": weighted_share(sample),
        "subject": cohort.subject,
        "cluster": cohort.cluster,
        "n_clusters": len(sample.cluster_ids) or None,
        "design": design_facts(sample, tuple(cohort.groups)),
    }


def flow_facts(cohort: Cohort, plan: StudyPlan) -> dict[str, Any]:
    """Return the flow of participants: each row left out is counted at one step, the first."""
    sample, labels = cohort.sample, plan.labels
    steps: list[dict[str, Any]] = [
        {"why": f"{cohort.outcome} excluded by its label", "n": int(repair["n"])}
        for repair in _exclusions(cohort)
    ]
    if not cohort.is_whole:
        lacking = ", ".join(
            f"{labels.get(name, name)} in {count}" for name, count in sample.dropped.missing
        )
        steps.append({"why": f"missing values ({lacking})", "n": sample.dropped.n})
    left = np.ones(cohort.known.size, dtype=np.bool_)
    reasons = [(f"{cohort.outcome} missing", ~cohort.known)]
    for name, missing, unclear in zip(
        sample.markers, cohort.missing, cohort.indeterminate, strict=True
    ):
        label = labels.get(name, name)
        reasons += [(f"{label} missing", missing), (f"{label} indeterminate", unclear)]
    for why, gone in reasons:
        count = int(np.count_nonzero(left & gone))
        if count:
            steps.append({"why": why, "n": count})
        left &= ~gone
    if sample.weightless and sample.kept is not None:  # whoever is left for no other reason
        steps.append({"why": "weight 0", "n": int(np.count_nonzero(left & ~sample.kept))})
    return {
        "start": sample.n_pos + sample.n_neg + sum(int(step["n"]) for step in steps),
        "steps": steps,
        "analysed": sample.n_pos + sample.n_neg,
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "markers": [_marker_flow(cohort, row) for row in range(len(sample.markers))]
        if cohort.is_whole
        else [],
    }


def _exclusions(cohort: Cohort) -> list[Mapping[str, Any]]:
    """Return the rows that were left out by the label of their outcome, as asked."""
    return [repair for repair in cohort.source.repairs if repair["step"] == "excluded"]


def _marker_flow(cohort: Cohort, row: int) -> dict[str, Any]:
    if not cohort.sample.keeps_rows:
        return (
            {"name": cohort.sample.markers[row]}
            | _NONE_MISSING
            | {
                "n_pos": cohort.sample.n_pos,
                "n_neg": cohort.sample.n_neg,
            }
        )
    ill, well = cohort.known & cohort.positive, cohort.known & ~cohort.positive
    missing, unclear = cohort.missing[row], cohort.indeterminate[row]
    there = ~missing & ~unclear

    def count(first: Bools, second: Bools) -> int:
        return int(np.count_nonzero(first & second))

    return {
        "name": cohort.sample.markers[row],
        "n_pos": count(there, ill),
        "n_neg": count(there, well),
        "n_unknown": count(there, ~cohort.known),
        "missing_pos": count(missing, ill),
        "missing_neg": count(missing, well),
        "missing_unknown": count(missing, ~cohort.known),
        "indeterminate_pos": count(unclear, ill),
        "indeterminate_neg": count(unclear, well),
        "indeterminate_unknown": count(unclear, ~cohort.known),
    }


def baseline_facts(cohort: Cohort) -> list[dict[str, Any]]:
    """Return a table of who the analysed subjects were, by class."""
    columns = dict(cohort.groups) | dict(cohort.baseline)
    return [_describe(name, values, cohort.sample.positive) for name, values in columns.items()]


def _describe(name: str, values: NDArray[Any], positive: Bools) -> dict[str, Any]:
    parts = {"pos": positive, "neg": ~positive, "all": np.ones(positive.size, dtype=np.bool_)}
    numbers = _as_numbers(values)
    if numbers is not None:
        row = {"label": name} | {
            part: _quartiles(numbers[members]) for part, members in parts.items()
        }
        return {"name": name, "kind": "numeric", "rows": [row]}
    texts = np.array([level_text(value) for value in values.tolist()], dtype=object)
    levels, counts = np.unique(texts.astype(str), return_counts=True)
    order = np.lexsort((levels, -counts))
    shown = levels[order][: _MOST_LEVELS - (levels.size > _MOST_LEVELS)].tolist()
    rows = [(level, texts == level) for level in in_natural_order(shown, last=MISSING)]
    if levels.size > _MOST_LEVELS:
        rows.append(("all others", ~np.isin(texts.astype(str), shown)))
    return {
        "name": name,
        "kind": "categorical",
        "rows": [
            {"label": label}
            | {
                part: {
                    "n": int(np.count_nonzero(here & members)),
                    "share": float((here & members).sum() / members.sum()),
                }
                for part, members in parts.items()
            }
            for label, here in rows
        ],
    }


def _as_numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the column as numbers where it is numeric with many values, else None."""
    try:
        numbers = np.array([np.nan if value is None else float(value) for value in values.tolist()])
    except (TypeError, ValueError):
        return None
    if values.dtype.kind == "b" or any(isinstance(v, (bool, str)) for v in values.tolist()):
        return None
    distinct = np.unique(numbers[~np.isnan(numbers)]).size
    return numbers if distinct >= _NUMERIC_FROM else None


def _quartiles(numbers: NDArray[np.float64]) -> dict[str, Any]:
    known = numbers[~np.isnan(numbers)]
    if not known.size:
        return {"n": 0, "missing": int(numbers.size), "median": None, "q1": None, "q3": None}
    q1, median, q3 = np.quantile(known, [0.25, 0.5, 0.75]).tolist()
    return {
        "n": int(known.size),
        "missing": int(numbers.size - known.size),
        "median": median,
        "q1": q1,
        "q3": q3,
    }


def level_text(value: Any) -> str:
    """Return how a level of a column is called."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return MISSING
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
