"""A calculator at work, in a process of its own: ``python -m rocstats.app.calculating NAME``.

It reads what was filled in as JSON and prints the answer as JSON: HTML, or problems by field.
"""

from __future__ import annotations

import json
import shlex
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from rocstats.app.calculators import CALCULATORS, Calculator
from rocstats.app.fields import read_fields
from rocstats.errors import Mention, RocstatsError

__all__ = ["calculate", "command_of"]


def command_of(calculator: Calculator, values: Mapping[str, Any]) -> str:
    """Return the command that does the same, or nothing."""
    words = list(calculator.command)
    for field in calculator.fields:
        value = values.get(field.name)
        if field.flag and value is not None and value != "":
            words += [field.flag, f"{value}"]
    return shlex.join(words) if calculator.command else ""


def calculate(name: str, draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to what was filled in, or the problems with it."""
    calculator = CALCULATORS[name]
    values, problems = read_fields(calculator.fields, draft)
    if problems:
        return {"problems": problems}
    notes: list[str] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            html = [_html(result) for result in calculator.work(values)]
        notes = [str(warning.message) for warning in caught]
    except RocstatsError as error:
        known = {field.name: field.label for field in calculator.fields}
        place = error.option if error.option in known else ""

        def speak(mention: Mention) -> str:
            return f"“{known[mention.name]}”" if mention.name in known else mention.wording

        return {"problems": {place: error.sentence.spoken(speak)}}
    return {"html": "".join(html), "notes": notes, "command": command_of(calculator, values)}


# What a column or a measure of a result is called on the page.
_WORDS = {
    **{"conf_low": "lower limit", "conf_high": "upper limit", "conf_method": "interval by"},
    **{"std_error": "standard error", "p_value": "p", "df": "degrees of freedom"},
    **{"ppv": "PPV", "npv": "NPV", "lr_pos": "LR+", "lr_neg": "LR−", "f1": "F1", "mcc": "MCC"},
    **{"dor": "diagnostic odds ratio", "youden": "Youden's J", "ratio_low": "ratio: lower limit"},
    **{"ratio_high": "ratio: upper limit", "n_pos": "with the condition", "effect": "AUC"},
    **{"n_neg": "without the condition", "null_value": "tested against"},
}


def _in_words(name: str) -> str:
    word, at, rate = name.partition("_at_")
    known = _WORDS.get(word, word.replace("_", " "))
    return f"{known} at prevalence {rate}" if at else known


def _html(result: Any) -> str:
    """Return a result as HTML, its columns and measures in words."""
    from html import escape

    from rocstats.tables.plain_tables import html_table

    stated = result if hasattr(result, "as_html") else result.statement()
    paragraphs = [f"<p>{escape(line)}</p>" for line in stated.head.splitlines()]
    notes = [f"<p>{escape(line)}</p>" for note in stated.notes for line in note.splitlines()]
    rows = [
        {
            _in_words(name): _in_words(value)
            if name == "measure"
            else ("" if value is None else value)
            for name, value in row.items()
        }
        for row in stated.tidy
    ]
    shown = [_in_words(name) for name in stated.shown]
    table = html_table(rows, shown, stated.show) if shown else ""
    return "".join([*paragraphs, table, *notes, *map(_html, stated.parts)])


def main(words: list[str]) -> int:
    """Print the answer to what stdin holds."""
    (name,) = words
    json.dump(calculate(name, json.load(sys.stdin)), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
