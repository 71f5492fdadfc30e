"""Criteria by which a model can be chosen or judged: a table, measures, scorers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.errors import InvalidOptionError, ScoreRangeError, check_option, named
from rocstats.estimates.estimators import as_measure, auc, sauc, smauc, value_alone

__all__ = [
    "CRITERIA",
    "ModelCriterion",
    "Outputs",
    "check_candidate",
    "criterion_label",
    "find_criteria",
    "gain_of",
    "model_outputs",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs:
    """What a fitted model says of some rows.

    Attributes
    ----------
    y : (n,) whether a row is positive
    score : (n,) decision values, or probabilities where there are none; None if not asked for
    probability : (n,) of the positive class; None if not asked for
    hit : (n,) whether the predicted class is right; None if not asked for
    model, X, labels : the fitted model, the rows and their labels, as a scorer wants them
    """

    y: Bools
    score: Any = None
    probability: Any = None
    hit: Any = None
    model: Any = None
    X: Any = None
    labels: Any = None


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


def find_criteria(role: str, given: Any) -> dict[str, ModelCriterion]:
    """Return criteria by name: of the table, of scikit-learn, measures or scorers."""
    items = given.items() if isinstance(given, Mapping) else [(None, item) for item in given]
    found: dict[str, ModelCriterion] = {}
    for name, item in items:
        criterion = _find(role, item, name)
        if criterion.name in found:
            raise InvalidOptionError(
                f"{named(role)} must be a list of different criteria, got two called "
                f"{criterion.name!r}; name them yourself, as in {{'mine': scorer}}."
            )
        found[criterion.name] = criterion
    return found


def _find(role: str, item: Any, name: str | None) -> ModelCriterion:
    if isinstance(item, str) and item in CRITERIA and name in (None, item):
        return CRITERIA[item]
    measure = as_measure(item)
    if measure is not None:
        # A measure that looks at scores needs them on the scale of probabilities.
        ranks_only = measure.is_hard and not measure.kernel.uses_scores
        needs = "score" if ranks_only and measure.score_bounds is None else "probability"
        own = name or measure.name
        return _own(role, own, needs, partial(_measured, measure, needs), {"auc", "sauc", "smauc"})
    scorer = _scorer(item) if isinstance(item, str) else item
    if scorer is None or not callable(scorer):
        check_option(role, item, CRITERIA)
    return _own(role, name or _scorer_name(item), "model", partial(_scored, scorer), set())


def _own(
    role: str, name: str, needs: str, value: Callable[[Outputs], float], may: set[str]
) -> ModelCriterion:
    if name in CRITERIA and name not in may:
        raise InvalidOptionError(
            f"{named(role)} has a criterion of its own called {name!r}; give yours another name, "
            "as in {'mine': scorer}."
        )
    return ModelCriterion(name=str(name), label=str(name), needs=needs, value=value)


def _measured(measure: Any, needs: str, out: Outputs) -> float:
    return value_alone(measure, out.y, getattr(out, needs))


def _scored(scorer: Any, out: Outputs) -> float:
    value = float(scorer(out.model, out.X, out.labels))
    if np.isnan(value):
        raise InvalidOptionError(
            f"The scorer {_scorer_name(scorer)} gave nan; take one that can judge these models."
        )
    return value


def _scorer(name: str) -> Any:
    """Return scikit-learn's scorer of a name, or None."""
    try:
        from sklearn.metrics import get_scorer, get_scorer_names  # type: ignore[import-untyped]
    except ImportError:
        return None
    return get_scorer(name) if name in get_scorer_names() else None


def _scorer_name(scorer: Any) -> str:
    if isinstance(scorer, str):
        return scorer
    function = getattr(scorer, "_score_func", scorer)
    return str(getattr(function, "__name__", type(scorer).__name__))


def gain_of(name: str, value: Floats) -> Floats:
    """Return values of a criterion of which more is better; of a scorer more always is."""
    return CRITERIA[name].gain(value) if name in CRITERIA else value


def criterion_label(name: str) -> str:
    """Return the printed name of a criterion."""
    return CRITERIA[name].label if name in CRITERIA else name


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
        model=model,
        X=X,
        labels=y,
    )
