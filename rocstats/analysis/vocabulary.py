"""The words of a report: of accuracy or of agreement, and of people or of their observations."""

from __future__ import annotations

from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan

__all__ = ["study_words"]

_ACCURACY = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "se": "Se",
    "sp": "Sp",
    "ppv": "PPV",
    "npv": "NPV",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "dor": "Diagnostic odds ratio",
    "false_positives": "false positive rates",
    "standard": "reference standard",
    "ill": "with the condition",
    "well": "without the condition",
    "study": "Diagnostic accuracy study",
    "report": "Diagnostic accuracy report",
    "participants": "participants",
    "participant": "participant",
    "patients": "patients",
}
_AGREEMENT = _ACCURACY | {
    "sensitivity": "Positive percent agreement",
    "specificity": "Negative percent agreement",
    "se": "PPA",
    "sp": "NPA",
    "ppv": "the share of positive calls that the comparator confirms",
    "npv": "the share of negative calls that the comparator confirms",
    "accuracy": "Overall percent agreement",
    "balanced_accuracy": "Mean of both agreements",
    "dor": "Odds ratio",
    "false_positives": "shares of positive calls among those negative by the comparator",
    "standard": "comparator",
    "ill": "positive by the comparator",
    "well": "negative by the comparator",
    "study": "Study of agreement",
    "report": "Report of agreement",
}
# Rows of a cluster are not people: several are of one.
_CLUSTERED = {
    "participants": "observations",
    "participant": "observation",
    "patients": "observations",
}


def study_words(cohort: Cohort, plan: StudyPlan) -> dict[str, str]:
    """Return what measures, classes and subjects are called, by the names that pages know."""
    words = _AGREEMENT if plan.comparator else _ACCURACY
    return words | (_CLUSTERED if cohort.sample.is_clustered else {})
