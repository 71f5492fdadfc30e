"""What is asked of the owner of a study before its report is made, in the order of asking."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["STUDY_QUESTIONS", "StudyQuestion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyQuestion:
    """A question that sets one option of a report.

    Attributes
    ----------
    option : the option that it sets
    question : what is asked
    more : a sentence of help
    needed : whether there is no report without an answer
    """

    option: str
    question: str
    more: str
    needed: bool = False


STUDY_QUESTIONS = (
    StudyQuestion(
        option="outcome",
        question="Which column tells the true class of every patient?",
        more="The reference standard: diseased or not, dead or alive.",
        needed=True,
    ),
    StudyQuestion(
        option="positive",
        question="Which of its values is the positive class?",
        more="Those who have the condition that the tests look for.",
        needed=True,
    ),
    StudyQuestion(
        option="exclude",
        question="It has more than two values; which are to be left out?",
        more="Their rows are counted in the flow of participants, and not analysed.",
    ),
    StudyQuestion(
        option="markers",
        question="Which columns are the markers?",
        more="Columns of numbers, with commas between their names.",
        needed=True,
    ),
    StudyQuestion(
        option="lower_is_positive",
        question="Of which markers do low values speak for the positive class?",
        more="It is never guessed from the data; leave it empty if high values do.",
    ),
    StudyQuestion(
        option="prespecified",
        question="Which thresholds were fixed before the data were seen?",
        more="As MARKER=NUMBER; all other thresholds are labelled exploratory.",
    ),
    StudyQuestion(
        option="prevalence",
        question="How common is the condition where the test will be used?",
        more="A share such as 0.1, for predictive values.",
    ),
    StudyQuestion(
        option="margin",
        question="Is a marker to be shown not to be worse than another? By which margin?",
        more="A difference of AUCs such as 0.05, fixed before the data were seen.",
    ),
    StudyQuestion(
        option="subgroup",
        question="Which columns make subgroups?",
        more="Columns of few values, such as sex.",
    ),
    StudyQuestion(
        option="cluster",
        question="Do several rows belong to one patient? Which column names the patient?",
        more="Rows of one patient, as two eyes, are not independent.",
    ),
    StudyQuestion(
        option="indeterminate",
        question="Which cell of a marker means an indeterminate result?",
        more="Such results are counted, and left out of the main analysis.",
    ),
)
