"""What a result states, once, and its renderings: text, HTML, frame, JSON, forest."""

from __future__ import annotations

from rocstats.tables.answers import Answer, AnswerAtLevel, AnswerByMethod, AnswerInPart, Record
from rocstats.tables.drawn_tables import plot_forest, plot_plan
from rocstats.tables.named_rows import Rows, SingleValue, TidyRows
from rocstats.tables.plain_tables import Row, html_table, text_table
from rocstats.tables.plain_values import PlainRows, plain, tidy_rows
from rocstats.tables.shown_values import by_number, counted, show_p, show_value
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
    "plot_forest",
    "plot_plan",
    "show_p",
    "show_value",
    "text_table",
    "tidy_rows",
]
