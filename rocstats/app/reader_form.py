"""The form of a reader study, and the command that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rocstats.app.fields import Field

__all__ = ["READER_FIELDS", "READER_PAGE", "field_in", "reader_words"]

READER_PAGE = "readers.html"

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


def reader_words(data: str, values: Mapping[str, Any], output: str = READER_PAGE) -> list[str]:
    """Return the command, without what stands there at first."""
    words = ["rocstats", "readers", Path(data).name]
    for field in READER_FIELDS:
        value = values.get(field.name)
        if value is True:
            words.append(field.flag)
        elif value not in (None, "", False, field.default) and f"{value}" != field.default:
            words.append(f"{field.flag}={value}")
    return [*words, "-o", output]


def field_in(sentence: str, fields: Iterable[Field]) -> str:
    """Return the field whose option a sentence of the command names first, or nothing."""
    flags = {field.flag: field.name for field in fields if field.flag}
    return next((flags[word] for word in re.findall(r"--[a-z-]+", sentence) if word in flags), "")
