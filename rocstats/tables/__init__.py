"""What a result states, once, and its renderings: text, HTML, JSON, LaTeX, Word."""

from __future__ import annotations

from rocstats.tables.answers import Answer, AnswerAtLevel, AnswerByMethod, AnswerInPart, Record
from rocstats.tables.csv_tables import csv_table
from rocstats.tables.drawn_tables import plot_forest, plot_plan
from rocstats.tables.journal_tables import JournalTable, journal_tables, show_cell
from rocstats.tables.latex_tables import latex_table, latex_tables, latex_text
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
    "JournalTable",
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
    "csv_table",
    "html_table",
    "journal_tables",
    "latex_table",
    "latex_tables",
    "latex_text",
    "plain",
    "plot_forest",
    "plot_plan",
    "show_cell",
    "show_p",
    "show_value",
    "text_table",
    "tidy_rows",
]
