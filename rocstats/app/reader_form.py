"""The form of a reader study."""

from __future__ import annotations

from rocstats.app.command_form import CommandForm
from rocstats.app.fields import Field

__all__ = ["READER_FIELDS", "READER_FORM"]

READER_FIELDS = (
    Field(
        name="test", kind="column", label="Column of the tests", needed=True, flag="--test",
        about="The modalities that are compared, as CT and MRI.", group="One row a reading",
    ),
    Field(
        name="reader", kind="column", label="Column of the readers", needed=True, flag="--reader",
        about="Who read.",
    ),
    Field(
        name="case", kind="column", label="Column of the cases", needed=True, flag="--case",
        about="Which patient or image was read.",
    ),
    Field(
        name="outcome", kind="column", label="Column of the true class", needed=True,
        flag="--outcome", about="The reference standard, with two values.",
    ),
    Field(
        name="positive", kind="text", label="Value that means the condition is present",
        flag="--positive", about="1 if left out, where the other value is 0.",
    ),
    Field(
        name="rating", kind="column", label="Column of the ratings", needed=True, flag="--rating",
        about="What the reader said: a score, or how sure.",
    ),
    Field(
        name="lower_is_positive", kind="flag", label="Low ratings speak for the condition",
        flag="--lower-is-positive",
    ),
    Field(
        name="cluster", kind="column", label="Column of the patients of several cases",
        flag="--cluster", about="Where a patient has several lesions.",
    ),
    Field(
        name="measure", kind="choice", label="What is compared", default="auc", flag="--measure",
        choices=(("auc", "AUC"), ("sensitivity", "sensitivity"), ("specificity", "specificity")),
        group="What is to be shown",
    ),
    Field(
        name="threshold", kind="number", label="Rating from which a case is called positive",
        flag="--threshold", about="For sensitivity and specificity.",
    ),
    Field(
        name="readers", kind="choice", label="Readers", default="random", flag="--readers",
        choices=(
            ("random", "random: the answer is for readers like these"),
            ("fixed", "fixed: for these alone"),
        ),
    ),
    Field(
        name="cases", kind="choice", label="Cases", default="random", flag="--cases",
        choices=(
            ("random", "random: the answer is for cases like these"),
            ("fixed", "fixed: for these alone"),
        ),
    ),
    Field(
        name="margin", kind="number", label="Margin of non-inferiority", flag="--margin",
        about="Then name the two tests.",
    ),
    Field(name="new", kind="text", label="The new test", flag="--new", about="As in the file."),
    Field(
        name="standard", kind="text", label="The standard test", flag="--standard",
        about="As in the file.",
    ),
    Field(
        name="confidence_level", kind="number", label="Confidence level", default="0.95",
        flag="--confidence-level",
    ),
    Field(name="title", kind="text", label="Title of the page", flag="--title"),
)  # fmt: skip

READER_FORM = CommandForm(
    name="readers",
    title="Reader study",
    about="Several readers read many cases with each test. Readers and cases are both taken as "
    "drawn at random, unless you say otherwise.",
    other="no reader study",
    go="Compare the tests",
    fields=READER_FIELDS,
    called={"test": ("test", "treatment", "modality"), "outcome": ("truth", "outcome")},
)
