"""Write an analysis as text or as JSON; both are renderings of the same tidy rows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocstats.cli.auc import Analysis
    from rocstats.data import ScoredSample

__all__ = ["analysis_dict", "analysis_text", "print_json", "sample_dict", "sample_header"]


def sample_header(file: str, outcome: str, level: float, sample: ScoredSample) -> str:
    """Return what was read, what counts as positive and what was left out."""
    from rocstats.results import counted

    low = [m for m, up in zip(sample.markers, sample.higher_is_positive, strict=True) if not up]
    clusters = ""
    if sample.cluster is not None:
        clusters = f" in {counted(int(sample.cluster.max()) + 1, 'cluster')}"
    return (
        f"{file}: the positive class is {outcome} = {sample.pos_label}; "
        f"{counted(sample.n_pos, 'positive')}, {counted(sample.n_neg, 'negative')} "
        f"({sample.neg_label}){clusters}; {sample.dropped}.\n"
        f"Intervals are at the {100 * level:g}% confidence level."
        + (f" Low values of {', '.join(low)} speak for the positive class." if low else "")
    )


def analysis_text(analysis: Analysis) -> str:
    """Return the header, the table and what the measures alone know."""
    from rocstats.results import text_table

    level, sample = analysis.confidence_level, analysis.estimates.sample
    header = sample_header(analysis.file, analysis.outcome, level, sample)
    details = [
        f"{row.measure.label} of {row.classifier}: {_listed(known)}"
        for row in analysis.estimates.rows
        for known in [row.details]
        if known
    ]
    parts = [header, text_table(analysis.rows), *(["\n".join(details)] if details else [])]
    return "\n\n".join(parts)


def analysis_dict(analysis: Analysis) -> dict[str, Any]:
    """Return the sample, the tidy rows and their covariance as built-in types."""
    return {
        "sample": sample_dict(analysis.estimates.sample),
        "estimates": analysis.rows,
        "covariance": analysis.estimates.covariance.tolist(),
    }


def print_json(command: str, content: Mapping[str, Any]) -> None:
    """Print valid JSON: what is not a finite number is null."""
    from rocstats import __version__

    answer = {"command": command, "version": __version__, **content}
    print(json.dumps(_plain(answer), allow_nan=False, indent=2))


def sample_dict(sample: ScoredSample) -> dict[str, Any]:
    """Return the sample without its data, as built-in types."""
    return {
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "pos_label": sample.pos_label,
        "neg_label": sample.neg_label,
        "markers": sample.markers,
        "higher_is_positive": sample.higher_is_positive,
        "dropped": {"n": sample.dropped.n, "missing": dict(sample.dropped.missing)},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _listed(details: Mapping[str, Any]) -> str:
    from rocstats.results import show_value

    return ", ".join(
        f"{name.replace('_', ' ')} {show_value(value)}" for name, value in details.items()
    )
