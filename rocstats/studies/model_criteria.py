"""Criteria by which a model can be chosen or judged, as values in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.errors import InvalidOptionError, ScoreRangeError
from rocstats.estimates.estimators import auc, sauc, smauc

__all__ = ["CRITERIA", "ModelCriterion", "Outputs", "check_candidate", "model_outputs"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs:
    """What a fitted model says of some rows.

    Attributes
    ----------
    y : (n,) whether a row is positive
    score : (n,) decision values, or probabilities where there are none; None if not asked for
    probability : (n,) of the positive class; None if not asked for
    hit : (n,) whether the predicted class is right; None if not asked for
    """

    y: Bools
    score: Any = None
    probability: Any = None
    hit: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCriterion:
    """A criterion: what it needs of a model, its value, and whether higher is better."""

    name: str
    label: str
    needs: str
    value: Callable[[Outputs], float]
    higher_is_better: bool = True

    def gain(self, value: Floats) -> Floats:
        """Return values of which more is better."""
        return value if self.higher_is_better else -value


CRITERIA: Mapping[str, ModelCriterion] = MappingProxyType(
    {
        criterion.name: criterion
        for criterion in (
            ModelCriterion(
                name="auc",
                label="AUC",
                needs="score",
                value=lambda out: auc(out.y, out.score).value,
            ),
            ModelCriterion(
                name="sauc",
                label="sAUC",
                needs="probability",
                value=lambda out: sauc(out.y, out.probability).value,
            ),
            ModelCriterion(
                name="smauc",
                label="smAUC",
                needs="probability",
                value=lambda out: smauc(out.y, out.probability).value,
            ),
            ModelCriterion(
                name="brier",
                label="Brier score",
                needs="probability",
                value=lambda out: float(np.mean((out.probability - out.y) ** 2)),
                higher_is_better=False,
            ),
            ModelCriterion(
                name="accuracy",
                label="accuracy",
                needs="hit",
                value=lambda out: float(np.mean(out.hit)),
            ),
        )
    }
)


def check_candidate(name: str, model: Any, criteria: list[ModelCriterion]) -> None:
    """Refuse a model that cannot give what a criterion needs."""
    if isinstance(model, type):
        raise InvalidOptionError(
            f"Candidate {name} is a class; give an estimator, such as {model.__name__}()."
        )
    for method in ("fit", "predict"):
        if not hasattr(model, method):
            raise InvalidOptionError(f"Candidate {name} has no method {method}.")
    has_proba = hasattr(model, "predict_proba")
    for criterion in criteria:
        if criterion.needs == "probability" and not has_proba:
            raise InvalidOptionError(
                f"Candidate {name} has no predict_proba, which the {criterion.label} needs; leave "
                f"{criterion.name!r} out, or wrap the candidate in CalibratedClassifierCV."
            )
        if criterion.needs == "score" and not (has_proba or hasattr(model, "decision_function")):
            raise InvalidOptionError(
                f"Candidate {name} has neither decision_function nor predict_proba, one of which "
                f"the {criterion.label} needs."
            )


def model_outputs(model: Any, X: Any, y: Any, pos_label: Any, needs: set[str]) -> Outputs:
    """Return what a fitted model of two classes says of some rows."""
    score = probability = hit = None
    if not hasattr(model, "classes_"):
        raise InvalidOptionError(
            f"{type(model).__name__} has no classes_ once it is fitted, so it is no classifier."
        )
    second = model.classes_[1] == pos_label
    by_decision = "score" in needs and hasattr(model, "decision_function")
    if "probability" in needs or ("score" in needs and not by_decision):
        probability = np.asarray(model.predict_proba(X), dtype=np.float64)[:, int(second)]
        if not np.all((probability >= 0.0) & (probability <= 1.0)):
            raise ScoreRangeError("predict_proba gave a value that is no probability.")
    if by_decision:
        decision = np.asarray(model.decision_function(X), dtype=np.float64)
        score = decision if second else -decision
    if "hit" in needs:
        hit = np.asarray(model.predict(X)) == y
    return Outputs(
        y=y == pos_label,
        score=probability if score is None else score,
        probability=probability,
        hit=hit,
    )
