"""Calculators: pages that take numbers instead of data, as values in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rocstats.app.calculator_work import (
    paired_counts,
    plan_areas,
    plan_tests,
    table_of_counts,
    two_areas,
)
from rocstats.app.fields import Field

__all__ = ["CALCULATORS", "Calculator"]

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
    low=0,
    high=1,
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


def _cell(group: str, x: str, y: str, heading: str) -> Field:
    words = {"p": "positive", "n": "negative"}
    return Field(
        name=f"{group}_{x}{y}",
        kind="whole",
        label=f"{heading}: standard {words[x]}, new {words[y]}",
        low=0,
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
                    name="auc", kind="number", low=0, high=1,
                    label="AUC assumed to be true", needed=True,
                    about="Between 0.5 and 1, as in 0.85.", flag="--auc",
                ),
                Field(
                    name="null_value", kind="number", low=0, high=1, label="AUC to test against",
                    about="0.5 if left out.", flag="--null",
                ),
                Field(
                    name="auc2", kind="number", low=0, high=1,
                    label="Second AUC, to be compared with the first",
                    about="On the same subjects; leave out for a study of one marker.",
                    flag="--auc2",
                ),
                Field(
                    name="correlation", kind="number", low=-1, high=1,
                    label="Correlation of the two markers",
                    about="Within a class, between -1 and 1; for two AUCs only.",
                    flag="--correlation",
                ),
                Field(
                    name="power", kind="number", low=0, high=1, label="Power wanted",
                    about="As in 0.8 or 0.9; the sizes are found.", flag="--power",
                ),
                Field(
                    name="half_width", kind="number", low=0, high=1,
                    label="Half-width of the interval wanted",
                    about="Instead of a power, as in 0.05.", flag="--half-width",
                ),
                Field(
                    name="n_pos", kind="whole", low=0,
                    label="Number of subjects with the condition",
                    about="Instead of a power, which is then found.", flag="--n-pos",
                ),
                Field(
                    name="n_neg", kind="whole", low=0, label="Number of subjects without it",
                    flag="--n-neg",
                ),
                Field(
                    name="ratio", kind="number", label="Subjects without it for each with it",
                    about="1 if left out.", flag="--ratio",
                ),
                Field(
                    name="prevalence", kind="number", low=0, high=1,
                    label="Share of subjects with the condition",
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
            work=plan_areas,
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
                    name="correlation", kind="number", low=-1, high=1, flag="--correlation",
                    label="Correlation of the results", about="Instead of that share.",
                ),
                Field(name="power", kind="number", low=0, high=1,
                    label="Power wanted", flag="--power"),
                Field(
                    name="n", kind="whole", label="Number of patients", flag="--patients",
                    about="With the condition; for the specificity without it.",
                ),
                Field(
                    name="prevalence", kind="number", low=0, high=1,
                    label="Share of patients with the condition",
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
            work=plan_tests,
            command=("rocstats", "power"),
        ),
        Calculator(
            name="counts",
            title="A 2x2 table",
            about="Four counts of one test against the truth: every measure with its interval.",
            fields=(
                Field(
                    name="tp", kind="whole", low=0, label="With the condition, test positive",
                    about="True positives.", needed=True,
                ),
                Field(
                    name="fn", kind="whole", low=0, label="With the condition, test negative",
                    about="False negatives.", needed=True,
                ),
                Field(
                    name="fp", kind="whole", low=0, label="Without the condition, test positive",
                    about="False positives.", needed=True,
                ),
                Field(
                    name="tn", kind="whole", low=0, label="Without the condition, test negative",
                    about="True negatives.", needed=True,
                ),
                Field(
                    name="prevalence", kind="numbers", low=0, high=1,
                    label="Prevalence of intended use",
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
            work=table_of_counts,
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
                    name="correlation", kind="number", low=-1, high=1, group="Both", default="0",
                    label="Correlation of the two estimates",
                    about="0 where the subjects differ; on the same subjects it is above 0.",
                ),
                _LEVEL,
            ),
            work=two_areas,
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
            work=paired_counts,
        ),
    )
}  # fmt: skip
