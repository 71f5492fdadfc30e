"""How a marker and its options are put to pROC: explicit levels, direction, band and seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.data.sample import ScoredSample, refuse_design
from rocstats.errors import (
    DegenerateVarianceWarning,
    InvalidOptionError,
    InvalidSampleError,
    SmallSampleWarning,
    as_number,
    check_option,
    keyword,
    named,
    warn_user,
)
from rocstats.rbridge.session import evaluate

__all__ = [
    "RESAMPLING",
    "Resampling",
    "ask",
    "band_of",
    "check_independent",
    "check_sample",
    "curve_of",
    "curves_of",
    "curves_of_groups",
    "flag_no_variance",
]

Range = tuple[float, float]

_CURVE = """
curve <- function(m)
  roc(m$y, m$x, levels = m$levels, direction = m$direction, quiet = TRUE, auc = TRUE,
      partial.auc = m$band, partial.auc.focus = m$focus, partial.auc.correct = m$standardized)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How R resamples; the same seed gives the same numbers.

    Parameters
    ----------
    n_resamples : int, default 2000
        Number of resamples, pROC's ``boot.n``.
    stratified : bool, default True
        Whether the class sizes are kept, pROC's ``boot.stratified``.
    seed : int, default 1
        Where R's generator starts for this call.

    See Also
    --------
    ci_auc : The interval of the area, as pROC has it.
    roc_test : The test of two curves, as pROC has it.
    """

    n_resamples: int = 2000
    stratified: bool = True
    seed: int = 1

    def __post_init__(self) -> None:
        for name, least in (("n_resamples", 2), ("seed", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                raise InvalidOptionError(
                    f"{named(name)} must be an integer from {least}, got {value!r}."
                )
        check_option("stratified", self.stratified, (True, False))


RESAMPLING = Resampling()


def ask(code: str, *, resampling: Resampling | None = None, **variables: Any) -> Any:
    """Return what R answers; ``curve(m)`` in the code makes pROC's object of a marker."""
    if resampling is None:
        return evaluate(_CURVE + code, variables)
    variables |= {"n": int(resampling.n_resamples), "stratified": resampling.stratified}
    return evaluate(_CURVE + code, variables, seed=int(resampling.seed))


def band_of(
    fpr: Range | None = None, tpr: Range | None = None, *, standardized: bool = False
) -> dict[str, Any]:
    """Return the part of the curve, in our words, as pROC's arguments."""
    check_option("standardized", standardized, (True, False))
    if fpr is None and tpr is None:
        if standardized:
            raise InvalidOptionError(
                f"{keyword('standardized', True)} is for partial areas; give a range with "
                f"{keyword('fpr')} or {keyword('tpr')}."
            )
        return {"band": False, "focus": "specificity", "standardized": False}
    if fpr is not None and tpr is not None:
        raise InvalidOptionError("Give one of fpr and tpr: which part of the curve?")
    name, given = ("fpr", fpr) if fpr is not None else ("tpr", tpr)
    pair = given if isinstance(given, (tuple, list, np.ndarray)) and len(given) == 2 else ()
    low, high = (as_number(edge) for edge in (pair if len(pair) else (None, None)))
    if not 0.0 <= low < high <= 1.0:
        raise InvalidOptionError(
            f"{named(name)} must be a range (low, high) within [0, 1] with low < high, got "
            f"{given!r}."
        )
    edges = [1.0 - low, 1.0 - high] if fpr is not None else [high, low]
    focus = "specificity" if fpr is not None else "sensitivity"
    return {"band": edges, "focus": focus, "standardized": standardized}


def check_sample(sample: Any) -> ScoredSample:
    """Return the sample, or refuse what is none."""
    if not isinstance(sample, ScoredSample):
        raise InvalidSampleError(
            f"A ScoredSample was expected, got {type(sample).__name__}; build one with "
            "ScoredSample.from_arrays(y_true, y_score)."
        )
    refuse_design(sample)
    return sample


def check_independent(sample: ScoredSample) -> None:
    """Refuse clusters, which pROC would take as independent subjects."""
    if check_sample(sample).cluster is not None:
        raise InvalidSampleError(
            "pROC takes subjects as independent, which those of a cluster are not; build the "
            f"sample without {keyword('cluster')} if they are."
        )


def curve_of(
    sample: ScoredSample,
    marker: str | None,
    band: dict[str, Any] | None = None,
    *,
    oriented: bool = False,
    levels: tuple[int, int] = (0, 1),
) -> dict[str, Any]:
    """Return what pROC needs of one marker; negatives come first among the levels."""
    row = check_sample(sample).marker(marker)
    scores = sample.oriented(row) if oriented else sample.scores[row]
    if not np.isfinite(scores).all():
        raise InvalidSampleError(
            f"{sample.markers[row]} holds infinite scores, which pROC does not take; replace them "
            "by finite ones in the same order."
        )
    return {
        "y": np.where(sample.positive, float(levels[1]), float(levels[0])),
        "x": scores,
        "levels": list(levels),
        "direction": ">" if sample.is_flipped(row) and not oriented else "<",
        **(band or band_of()),
    }


def curves_of(
    sample: ScoredSample, markers: Sequence[str] | None, band: dict[str, Any] | None = None
) -> tuple[tuple[str, str], list[dict[str, Any]]]:
    """Return the names of two markers of the same subjects and what pROC needs of them.

    Where one is high and the other low for positives, both are sent with high for positive:
    pROC compares ranks as they come.
    """
    check_independent(sample)
    names = _pair(sample.markers if markers is None else markers)
    rows = [sample.marker(name) for name in names]
    turned = len({sample.higher_is_positive[row] for row in rows}) == 2
    return names, [curve_of(sample, name, band, oriented=turned) for name in names]


def curves_of_groups(
    samples: Sequence[ScoredSample],
    markers: Sequence[str] | None,
    band: dict[str, Any] | None = None,
) -> tuple[tuple[str, str], list[dict[str, Any]]]:
    """Return the names and what pROC needs of one marker in each of two groups of subjects.

    The levels differ, so that pROC does not guess from equal labels that the groups are one.
    """
    for sample in samples:
        check_independent(sample)
    wanted = (None, None) if markers is None else _pair(markers)
    rows = [s.marker(name) for s, name in zip(samples, wanted, strict=True)]
    names = [s.markers[row] for s, row in zip(samples, rows, strict=True)]
    turned = len({s.is_flipped(row) for s, row in zip(samples, rows, strict=True)}) == 2
    curves = [
        curve_of(sample, name, band, oriented=turned, levels=levels)
        for sample, name, levels in zip(samples, names, ((0, 1), (2, 3)), strict=True)
    ]
    return (names[0], names[1]), curves


def _pair(markers: Sequence[str]) -> tuple[str, str]:
    names = [markers] if isinstance(markers, str) else list(markers)
    if len(names) != 2:
        raise InvalidOptionError(
            f"Two markers are needed, got {len(names)}; name them with "
            f"{keyword('markers', ('a', 'b'))}."
        )
    return names[0], names[1]


def flag_no_variance(value: float, what: str, *samples: ScoredSample) -> None:
    """Warn where R's variance is 0 or undefined: R often says nothing."""
    if value > 0.0:
        return
    small = min(min(s.n_pos, s.n_neg) for s in samples) < 2
    why = "has no variance in R" if math.isnan(value) else "has variance 0 in R"
    warn_user(
        f"{what} {why}, so the answer does not show the uncertainty.",
        SmallSampleWarning if small else DegenerateVarianceWarning,
    )
