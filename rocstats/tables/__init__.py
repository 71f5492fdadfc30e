"""What a result states, once, and its renderings: text, HTML, JSON, LaTeX, Word."""

from __future__ import annotations

from rocstats.errors import counted
from rocstats.tables.answers import Answer, AnswerAtLevel, AnswerByMethod, AnswerInPart, Record
from rocstats.tables.drawn_tables import plot_bands, plot_forest, plot_plan
from rocstats.tables.named_rows import Rows, SingleValue, TidyRows
from rocstats.tables.plain_tables import (
    Row,
    by_number,
    html_table,
    show_p,
    show_value,
    text_table,
)
from rocstats.tables.plain_values import PlainRows, plain, tidy_rows
from rocstats.tables.statements import Later, Statement

__all__ = [
    "Answer",
    "AnswerAtLevel",
    "AnswerByMethod",
    "AnswerInPart",
    "Later",
    "PlainRows",
    "Record",
    "Row",
    "Rows",
    "SingleValue",
    "Statement",
    "TidyRows",
    "by_number",
    "counted",
    "html_table",
    "plain",
    "plot_bands",
    "plot_forest",
    "plot_plan",
    "show_p",
    "show_value",
    "text_table",
    "tidy_rows",
]
