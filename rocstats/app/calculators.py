"""Calculators: pages that take numbers instead of data, as values in a table.

Each runs in a process of its own (``python -m rocstats.app.calculators NAME``), which reads what
was filled in as JSON and prints the answer as JSON: the page's HTML, or a sentence and its field.
"""

from __future__ import annotations

import json
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from rocstats.app.fields import Field, read_fields
from rocstats.errors import InvalidOptionError, Mention, RocstatsError, named

__all__ = ["CALCULATORS", "Calculator", "calculate"]

_MOST = 10**7  # subjects of a table of counts
_AIMS = (
    ("", "a difference"),
    ("non-inferiority", "non-inferiority, by the margin"),
    ("equivalence", "equivalence, within the margin"),
    ("superiority", "superiority, by the margin"),
)
_LEVEL = Field(
    name="confidence_level",
    kind="number",
    label="Confidence level",
    about="Of every interval.",
    default="0.95",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """A page without data.

    Attributes
    ----------
    name, title, about : what it is called, and what it is for
    fields : what it asks
    work : returns results, each of which can be rendered, of the values by field
    command : the command that does the same, if there is one
    """

    name: str
    title: str
    about: str
    fields: tuple[Field, ...]
    work: Callable[[Mapping[str, Any]], list[Any]]
    command: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------- the work


def _plan_areas(given: Mapping[str, Any]) -> list[Any]:
    import rocstats as rs

    shared = {name: given[name] for name in _PLAN if given[name] is not None}
    if given["n_pos"] is not None and given["half_width"] is not None:
        raise InvalidOptionError(
            f"Give {named('n_pos')} to find the power, or {named('half_width')} to find sizes."
        )
    if given["n_pos"] is not None:
        return [rs.power_auc(**shared)]
    if given["power"] is None and given["half_width"] is None:
        raise InvalidOptionError(
            f"Give {named('power')} to find the sizes, or {named('n_pos')} to find the power."
        )
    return [rs.sample_size_auc(**shared)]


_PLAN = (
    *("auc", "null_value", "auc2", "correlation", "power", "half_width", "n_pos", "n_neg"),
    *("ratio", "prevalence", "significance", "margin", "aim"),
)


def _plan_tests(given: Mapping[str, Any]) -> list[Any]:
    import rocstats as rs

    new, standard = given["new"], given["standard"]
    names = ("measure", "discordant", "correlation", "significance", "margin", "aim", "prevalence")
    shared = {name: given[name] for name in names if given[name] is not None}
    if given["n"] is not None:
        return [rs.power_tests(new, standard, n=given["n"], **shared)]
    return [rs.sample_size_tests(new, standard, power=given["power"] or 0.8, **shared)]


def _table_of_counts(given: Mapping[str, Any]) -> list[Any]:
    import numpy as np

    import rocstats as rs

    counts = [given[name] for name in ("tp", "fn", "fp", "tn")]
    for name, count in zip(("tp", "fn", "fp", "tn"), counts, strict=True):
        if not 0 <= count <= _MOST:
            raise InvalidOptionError(
                f"{named(name)} must be a whole number from 0 to {_MOST:,}, got {count}."
            )
    tp, fn, fp, tn = counts
    ill = np.repeat([1, 1, 0, 0], counts)
    called = np.repeat([1, 0, 1, 0], counts)
    if not tp + fn or not fp + tn:
        raise InvalidOptionError(
            f"There must be subjects with and without the condition, got {tp + fn} and {fp + tn}."
        )
    found = rs.operating_points(
        ill,
        {"test": called},
        thresholds=[1],
        prevalence=given["prevalence"] or (),
        interval=given["interval"],
        confidence_level=given["confidence_level"],
    )
    stated = found.statement()
    head = f"{tp + fn} subjects with the condition, {fp + tn} without; " + (
        f"{100 * given['confidence_level']:g}% intervals"
    )
    return [replace(stated, head=head, notes=())]


def _two_areas(given: Mapping[str, Any]) -> list[Any]:
    from rocstats.inference.published_areas import compare_published_areas, published_error

    rows = []
    level = given["confidence_level"]
    for i in ("1", "2"):
        limits, sizes = (
            _both(given, f"{a}{i}", f"{b}{i}") for a, b in (("low", "high"), ("n_pos", "n_neg"))
        )
        with _about(i):
            error = published_error(
                given[f"auc{i}"],
                std_error=given[f"std_error{i}"],
                limits=limits,
                sizes=sizes,
                confidence_level=level,
            )
        rows.append((given[f"auc{i}"], error))
    result = compare_published_areas(*rows, correlation=given["correlation"])
    return [result.statement(confidence_level=level)]


@contextmanager
def _about(which: str) -> Iterator[None]:
    """Name the fields of the first or the second area in a refusal."""
    try:
        yield
    except InvalidOptionError as error:
        marked = error.sentence.spoken(lambda mention: named(f"{mention.name}{which}"))
        raise InvalidOptionError(marked) from None


def _both(given: Mapping[str, Any], first: str, second: str) -> tuple[Any, Any] | None:
    pair = (given[first], given[second])
    if pair == (None, None):
        return None
    for name, value in zip((first, second), pair, strict=True):
        if value is None:
            raise InvalidOptionError(f"{named(name)} is needed beside the other one.")
    return pair


def _paired_counts(given: Mapping[str, Any]) -> list[Any]:
    import rocstats as rs

    cells = {
        group: [[given[f"{group}_{x}{y}"] for y in "pn"] for x in "pn"]
        for group in ("diseased", "healthy")
    }
    names = (given["standard"], given["new"])
    found = rs.compare_counts(**cells, tests=names, design=given["design"], truth=given["truth"])
    return [found.statement(confidence_level=given["confidence_level"])]


def _cell(group: str, x: str, y: str, heading: str) -> Field:
    words = {"p": "positive", "n": "negative"}
    return Field(
        name=f"{group}_{x}{y}",
        kind="whole",
        label=f"{heading}: standard {words[x]}, new {words[y]}",
        needed=True,
    )


CALCULATORS = {
    calculator.name: calculator
    for calculator in (
        Calculator(
            name="power",
            title="Sample size and power of an AUC",
            about="Leave out what is to be found: give the power (or the half-width of the "
            "interval) to find the sizes, or the number of positives to find the power.",
            fields=(
                Field(
                    name="auc", kind="number", label="AUC assumed to be true", needed=True,
                    about="Between 0.5 and 1, as in 0.85.", flag="--auc",
                ),
                Field(
                    name="null_value", kind="number", label="AUC to test against",
                    about="0.5 if left out.", flag="--null",
                ),
                Field(
                    name="auc2", kind="number", label="Second AUC, to be compared with the first",
                    about="On the same subjects; leave out for a study of one marker.",
                    flag="--auc2",
                ),
                Field(
                    name="correlation", kind="number", label="Correlation of the two markers",
                    about="Within a class, between -1 and 1; for two AUCs only.",
                    flag="--correlation",
                ),
                Field(
                    name="power", kind="number", label="Power wanted",
                    about="As in 0.8 or 0.9; the sizes are found.", flag="--power",
                ),
                Field(
                    name="half_width", kind="number", label="Half-width of the interval wanted",
                    about="Instead of a power, as in 0.05.", flag="--half-width",
                ),
                Field(
                    name="n_pos", kind="whole", label="Number of subjects with the condition",
                    about="Instead of a power, which is then found.", flag="--n-pos",
                ),
                Field(
                    name="n_neg", kind="whole", label="Number of subjects without it",
                    flag="--n-neg",
                ),
                Field(
                    name="ratio", kind="number", label="Subjects without it for each with it",
                    about="1 if left out.", flag="--ratio",
                ),
                Field(
                    name="prevalence", kind="number", label="Share of subjects with the condition",
                    about="Instead of the ratio, as in 0.2.", flag="--prevalence",
                ),
                Field(
                    name="margin", kind="number", label="Margin", about="For the aims below.",
                    flag="--margin",
                ),
                Field(
                    name="aim", kind="choice", label="What is to be shown", choices=_AIMS,
                    flag="--aim",
                ),
                Field(
                    name="significance", kind="number", label="Significance level",
                    about="0.05 if left out; 0.025 for one-sided margins.", flag="--significance",
                ),
            ),
            work=_plan_areas,
            command=("rocstats", "power"),
        ),
        Calculator(
            name="power-tests",
            title="Sample size and power of two tests",
            about="Two binary tests on the same patients, new against standard. Give the power to "
            "find the number of patients, or the number to find the power.",
            fields=(
                Field(
                    name="measure", kind="choice", label="Which rate", default="sensitivity",
                    choices=(("sensitivity", "sensitivity"), ("specificity", "specificity")),
                    flag="--rate",
                ),
                Field(
                    name="new", kind="number", label="Rate of the new test", needed=True,
                    about="As in 0.9.", flag="--new",
                ),
                Field(
                    name="standard", kind="number", label="Rate of the standard test", needed=True,
                    about="As in 0.8.", flag="--standard",
                ),
                Field(
                    name="discordant", kind="number", flag="--discordant",
                    label="Share of patients on whom the tests disagree",
                ),
                Field(
                    name="correlation", kind="number", flag="--correlation",
                    label="Correlation of the results", about="Instead of that share.",
                ),
                Field(name="power", kind="number", label="Power wanted", flag="--power"),
                Field(
                    name="n", kind="whole", label="Number of patients", flag="--patients",
                    about="With the condition; for the specificity without it.",
                ),
                Field(
                    name="prevalence", kind="number", label="Share of patients with the condition",
                    about="For the number of patients in all.", flag="--prevalence",
                ),
                Field(name="margin", kind="number", label="Margin", flag="--margin"),
                Field(
                    name="aim", kind="choice", label="What is to be shown", choices=_AIMS,
                    flag="--aim",
                ),
                Field(
                    name="significance", kind="number", label="Significance level",
                    about="0.05 if left out; 0.025 for one-sided margins.", flag="--significance",
                ),
            ),
            work=_plan_tests,
            command=("rocstats", "power"),
        ),
        Calculator(
            name="counts",
            title="A 2x2 table",
            about="Four counts of one test against the truth: every measure with its interval.",
            fields=(
                Field(
                    name="tp", kind="whole", label="With the condition, test positive",
                    about="True positives.", needed=True,
                ),
                Field(
                    name="fn", kind="whole", label="With the condition, test negative",
                    about="False negatives.", needed=True,
                ),
                Field(
                    name="fp", kind="whole", label="Without the condition, test positive",
                    about="False positives.", needed=True,
                ),
                Field(
                    name="tn", kind="whole", label="Without the condition, test negative",
                    about="True negatives.", needed=True,
                ),
                Field(
                    name="prevalence", kind="numbers", label="Prevalence of intended use",
                    about="For predictive values there, besides those of the table; as in 0.1, "
                    "or several as 0.1, 0.02.",
                ),
                Field(
                    name="interval", kind="choice", label="Intervals of proportions",
                    default="wilson",
                    choices=(
                        ("wilson", "Wilson"),
                        ("clopper-pearson", "Clopper-Pearson (exact)"),
                        ("agresti-coull", "Agresti-Coull"),
                        ("jeffreys", "Jeffreys"),
                    ),
                ),
                _LEVEL,
            ),
            work=_table_of_counts,
        ),
        Calculator(
            name="areas",
            title="Two AUCs from summary numbers",
            about="Do two printed AUCs differ? For each give its standard error, or the limits of "
            "its interval, or the numbers of subjects. With the data at hand a paired comparison "
            "tells more: use the report.",
            fields=(
                *(
                    field
                    for i, which in (("1", "First"), ("2", "Second"))
                    for field in (
                        Field(
                            name=f"auc{i}", kind="number", label=f"{which} AUC", needed=True,
                            group=f"{which} AUC",
                        ),
                        Field(
                            name=f"std_error{i}", kind="number",
                            label=f"{which} AUC: standard error",
                        ),
                        Field(
                            name=f"low{i}", kind="number",
                            label=f"{which} AUC: lower limit of the interval",
                            about="Instead of the standard error; taken as symmetric.",
                        ),
                        Field(
                            name=f"high{i}", kind="number",
                            label=f"{which} AUC: upper limit of the interval",
                        ),
                        Field(
                            name=f"n_pos{i}", kind="whole",
                            label=f"{which} AUC: subjects with the condition",
                            about="Instead, for Hanley and McNeil's standard error.",
                        ),
                        Field(
                            name=f"n_neg{i}", kind="whole",
                            label=f"{which} AUC: subjects without the condition",
                        ),
                    )
                ),
                Field(
                    name="correlation", kind="number", group="Both", default="0",
                    label="Correlation of the two estimates",
                    about="0 where the subjects differ; on the same subjects it is above 0.",
                ),
                _LEVEL,
            ),
            work=_two_areas,
        ),
        Calculator(
            name="paired-counts",
            title="Paired tests from counts",
            about="Two tests on the same patients, the results counted: McNemar's test, "
            "predictive values and likelihood ratios compared.",
            fields=(
                *(
                    _cell(group, x, y, heading)
                    for group, heading in (
                        ("diseased", "With the condition"),
                        ("healthy", "Without the condition"),
                    )
                    for x in "pn"
                    for y in "pn"
                ),
                Field(
                    name="standard", kind="text", label="Name of the standard test",
                    default="standard",
                ),
                Field(name="new", kind="text", label="Name of the new test", default="new"),
                Field(
                    name="design", kind="choice", label="How patients came in", default="cohort",
                    choices=(
                        ("cohort", "a cohort"),
                        ("case-control", "case-control: no predictive values"),
                    ),
                ),
                Field(
                    name="truth", kind="choice", label="The true class", default="reference",
                    choices=(
                        ("reference", "by a reference standard"),
                        ("comparator", "by another test: agreement"),
                    ),
                ),
                _LEVEL,
            ),
            work=_paired_counts,
        ),
    )
}  # fmt: skip


# --------------------------------------------------------------------------------- the process


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
