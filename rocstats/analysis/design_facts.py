"""A study whose rows stand for others: what of a report takes weights and strata, and what not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.analysis.cohort import Cohort
from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidOptionError

__all__ = ["check_design", "design_facts", "is_designed", "weighted_share"]

# What is left out of a page rather than worked out as if each row stood for itself alone.
_LEFT_OUT = (
    "thresholds chosen by the data",
    "rates at a fixed rate",
    "bands of curves",
    "scored and smooth curves",
    "precision and recall",
    "calibration and decision curves",
    "paired tests at thresholds",
    "the threshold explorer",
    "analyses with missing or indeterminate results counted otherwise",
    "the cross-check with R, whose pROC takes rows alike",
)


def is_designed(sample: ScoredSample) -> bool:
    """Whether rows stand for others, or were drawn within strata."""
    return sample.weights is not None or sample.strata is not None


def check_design(cohort: Cohort) -> None:
    """Refuse what no part of a report could answer."""
    if cohort.calls and is_designed(cohort.sample):
        raise InvalidOptionError(
            "Results in words take no probability weights and no strata in a report; take the "
            "operating points of a marker that is 1 where the result is positive and 0 where not."
        )


def design_facts(sample: ScoredSample, groups: Sequence[str]) -> dict[str, Any] | None:
    """Return what the rows stand for, in words, and what is left out; None of a simple sample."""
    if not is_designed(sample):
        return None
    apart = ["subgroups"] if groups and sample.strata is not None else []
    return {
        "words": sample.design,
        "strata": None if sample.strata is None else int(sample.strata.max()) + 1,
        "weighted": sample.weights is not None,
        "left_out": [*_LEFT_OUT, *apart],
    }


def weighted_share(sample: ScoredSample) -> float:
    """Return the share of positives, each row counted by its weight."""
    if sample.weights is None:
        return sample.n_pos / (sample.n_pos + sample.n_neg)
    return float(np.average(sample.positive, weights=sample.weights))
