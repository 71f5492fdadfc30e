"""The options of a report, one table.

`StudyPlan`, the keywords of `rs.report`, the words of ``rocstats report``, its TOML file and
``docs/report_options.md`` are made of it. To add an option, write a row here, use it, and run
``python docs/report_options.py``, which writes what Python wants to read typed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rocstats.analysis.option_kinds import (
    CELLS,
    FLAG,
    LABEL,
    LIMITS_BY_MARKER,
    MARKER,
    NAMES,
    NUMBER,
    NUMBERS,
    NUMBERS_BY_MARKER,
    PATH,
    TEXT,
    TEXTS,
    TEXTS_BY_MARKER,
    TWO_NUMBERS,
    TWO_WHOLE,
    WHOLE,
    Kind,
    choice,
)
from rocstats.errors import InvalidOptionError, as_number

__all__ = ["GROUPS", "OPTIONS", "PLANNED", "STUDY", "STUDY_TEXTS", "Option", "in_group"]

Group = Literal["data", "analysis", "report", "study"]
Aim = Literal["non-inferiority", "equivalence", "superiority"]
Origin = Literal["measured", "model", "fitted", "cross-validated"]
AskR = Literal["auto", "yes", "no"]

STUDY: Group = "study"
# A table of the TOML file, and what the command line calls it.
GROUPS: dict[Group, str] = {
    "data": "the data",
    "analysis": "the analysis",
    "report": "the page",
    STUDY: "the study",
}
_MOST_RESAMPLES = 10**6
_MOST_SEED = 2**128 - 1  # the entropy that numpy takes
_HIGHEST_LEVEL = 0.9999


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a value must be; `each` asks it of every item."""

    must: str
    holds: Callable[[Any], bool]
    each: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a report.

    Attributes
    ----------
    name, kind, group, about : what it is called, takes, belongs to and means
    default : what it is if it is not given
    keyword, given : of `rs.report`, and its type; no keyword if only the command line has it
    planned : whether a `StudyPlan` holds it
    rules : what a plan asks of it
    one : what an item of it is called
    flags, metavar : on the command line, where it has no flags if it cannot be said there
    key, example : in a TOML file; MARKER stands for a marker
    more : a further sentence for the reference
    """

    name: str
    kind: Kind
    group: Group
    about: str
    default: Any
    keyword: str | None
    given: str
    planned: bool
    rules: tuple[Rule, ...]
    one: str
    flags: tuple[str, ...]
    metavar: str | None
    key: str
    example: str | None
    more: str

    def take(self, value: Any) -> Any:
        """Return what a plan holds of a value."""
        return self.kind.take(value, self.name, self.one)

    def check(self, value: Any) -> None:
        """Refuse what a plan must not hold, in one sentence."""
        if value is None and self.default is None:
            return
        self.kind.check(self.name, value)
        for rule in self.rules:
            for item in value if rule.each else (value,):
                if not rule.holds(item):
                    raise InvalidOptionError(f"{self.name} must {rule.must}, got {item!r}.")


def _row(
    group: Group,
    name: str,
    kind: Kind,
    about: str,
    *rules: Rule,
    default: Any = None,
    keyword: str | None = "",
    given: str | None = None,
    planned: bool = True,
    one: str | None = None,
    flags: tuple[str, ...] | None = None,
    metavar: str | None = None,
    key: str | None = None,
    example: str | None = None,
    more: str = "",
) -> Option:
    """Return an option that is called the same everywhere, but for what is said."""
    return Option(
        name=name,
        kind=kind,
        group=group,
        about=about,
        default=default,
        keyword=name if keyword == "" else keyword,
        given=_optional(given or kind.given, default),
        planned=planned,
        rules=rules,
        one=one or name,
        flags=(f"--{name.replace('_', '-')}",) if flags is None else flags,
        metavar=metavar or kind.metavar,
        key=key or name,
        example=example,
        more=more,
    )


def _optional(given: str, default: Any) -> str:
    return f"{given} | None" if default is None and given != "Any" else given


def _between(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: low < as_number(value) < high


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_window(value: Any) -> bool:
    low, high = map(as_number, value)
    return 0.0 <= low < high <= 1.0


OPTIONS = (
    _row(
        *(
            "data",
            "file",
            PATH,
            "table with column names: CSV, TSV, Excel, SAS, SPSS, Stata or R",
        ),
        keyword=None,
        planned=False,
        flags=("file",),
        example='"study.csv"',
    ),
    _row(
        *("data", "outcome", TEXT, "column of the true class"),
        planned=False,
        metavar="COLUMN",
        example='"outcome"',
    ),
    _row(
        *("data", "positive", LABEL),
        "label or code of the positive class; if left out 1, where the other one is 0",
        keyword="pos_label",
        planned=False,
        example='"Poor"',
    ),
    _row(
        *("data", "markers", NAMES, "columns of scores"),
        planned=False,
        example='["MARKER"]',
    ),
    _row(
        *("data", "lower_is_positive", NAMES),
        "markers whose low values speak for the positive class; never guessed",
        keyword="higher_is_positive",
        given="Orientation",
        planned=False,
        example='["MARKER"]',
        more='In Python `{"MARKER": False}` says so.',
    ),
    _row(
        *("data", "subject", TEXT, "column of subject ids"),
        planned=False,
        metavar="COLUMN",
        example='"id"',
    ),
    _row(
        *("data", "cluster", TEXT),
        "column of clusters of dependent rows (the patient of an eye or a lesion)",
        planned=False,
        metavar="COLUMN",
        example='"patient"',
    ),
    _row(
        *("data", "baseline", NAMES, "columns that describe the subjects"),
        default=(),
        planned=False,
        example='["age", "sex"]',
    ),
    _row(
        *("data", "indeterminate", CELLS),
        "cell of a marker column that means an indeterminate result",
        default=(),
        planned=False,
        example='["equivocal"]',
        more="Such results are left out of the main analysis and counted either way in the "
        "sensitivity analyses.",
    ),
    _row(
        *("data", "nan_policy", choice("NanPolicy", ("omit", "raise"))),
        'count incomplete rows and analyse the others ("omit", if left out), or refuse ("raise")',
        planned=False,
        example='"omit"',
    ),
    _row(
        *("analysis", "reference", MARKER),
        "marker that the others are compared with; without it, every pair",
        example='"MARKER"',
    ),
    _row(
        *("analysis", "prespecified", NUMBERS_BY_MARKER),
        "thresholds fixed before the data were seen; all others are labelled exploratory",
        one="prespecified threshold",
        metavar="M=CUT",
        example="{ MARKER = 0.21 }",
    ),
    _row(
        *("analysis", "prevalence", NUMBERS, "prevalences of intended use, for PPV and NPV"),
        Rule(must="lie strictly between 0 and 1", holds=_between(0.0, 1.0), each=True),
        default=(),
        example="[0.1]",
    ),
    _row(
        *("analysis", "subgroup", NAMES, "columns whose levels are analysed apart"),
        default=(),
        given="str | Sequence[str] | Mapping[str, Any]",
        planned=False,
        metavar="COLUMN",
        key="subgroups",
        example='["sex"]',
        more="With a `ScoredSample`, a mapping of names to the values of its subjects.",
    ),
    _row(
        *("analysis", "margin", NUMBER, "how much worse (or different) an AUC may be"),
        Rule(must="be a difference of AUCs between 0 and 1", holds=_between(0.0, 1.0)),
        metavar="D",
        example="0.05",
    ),
    _row(
        *("analysis", "aim", choice("Aim", get_args(Aim))),
        'what is to be shown with the margin: "non-inferiority", "equivalence" or "superiority"',
        default="non-inferiority",
    ),
    _row(
        *("analysis", "adjust", TEXT),
        "adjustment of p-values for the number of comparisons, as holm, bonferroni, fdr_bh or none",
        default="holm",
        metavar="METHOD",
        more="There are those of `Comparison.pairwise`.",
    ),
    _row(
        *("analysis", "fpr_range", TWO_NUMBERS, "false positive rates of the partial AUC"),
        Rule(must="be two numbers low < high from 0 to 1", holds=_is_window),
        default=(0.0, 0.1),
        one="end of fpr_range",
    ),
    _row(
        *("analysis", "specificities", NUMBERS, "where the sensitivity is estimated"),
        Rule(must="lie within [0, 1]", holds=lambda x: 0.0 <= as_number(x) <= 1.0, each=True),
        default=(0.9, 0.95),
        one="specificity",
    ),
    _row(
        *("analysis", "comparator", FLAG),
        "the outcome is no reference standard: agreement instead of accuracy",
        default=False,
        more="The page then speaks of positive and negative percent agreement.",
    ),
    _row(
        *("data", "scores", choice("Origin", get_args(Origin))),
        '"measured"; by a "model" of other data; "fitted" to these data; "cross-validated"',
        default="measured",
        more='Comparisons of "fitted" scores are refused. Scores of a model on [0, 1] are taken '
        "as probabilities; measured ones only if they reach from a quarter to three quarters, too.",
    ),
    _row(
        *("data", "bounds", LIMITS_BY_MARKER),
        "limits of a marker's scale, where sAUC and smAUC are wanted on [0, 1]",
        one="bound",
        example="{ MARKER = [0, 3] }",
    ),
    _row(
        *("data", "labels", TEXTS_BY_MARKER, "printed name of a marker"),
        flags=("--label",),
        example='{ MARKER = "printed name" }',
    ),
    _row(
        *("data", "units", TEXTS_BY_MARKER, "unit of a marker"),
        flags=("--unit",),
        example='{ MARKER = "µg/l" }',
    ),
    _row(
        *("analysis", "planned", TWO_WHOLE, "planned numbers of positives and negatives"),
        Rule(
            must="be two whole numbers above 0, of positives and negatives",
            holds=lambda sizes: all(_is_whole(n) and 0.0 < as_number(n) < math.inf for n in sizes),
        ),
        metavar="POS,NEG",
        example="[50, 100]",
    ),
    _row(
        *(STUDY, "study", TEXTS, "texts that only the authors know, by name, as title and analyst"),
        flags=(),
    ),
    _row(
        *("analysis", "confidence_level", NUMBER, "of every interval"),
        Rule(must="lie strictly between 0 and 1", holds=_between(0.0, 1.0)),
        Rule(
            must=f"lie between 0.5 and {_HIGHEST_LEVEL} in a report",
            holds=lambda level: 0.5 <= level <= _HIGHEST_LEVEL,
        ),
        default=0.95,
        metavar="LEVEL",
    ),
    _row(
        *("analysis", "n_resamples", WHOLE, "bootstrap resamples"),
        Rule(must="be a whole number of at least 2", holds=lambda n: _is_whole(n) and n >= 2),
        Rule(
            must=f"lie between 100 and {_MOST_RESAMPLES}",
            holds=lambda n: 100 <= n <= _MOST_RESAMPLES,
        ),
        default=2000,
    ),
    _row(
        *("analysis", "seed", WHOLE, "of the resampling; the same seed gives the same page"),
        Rule(
            must="be a whole number from 0 to 2**128 - 1",
            holds=lambda seed: _is_whole(seed) and 0 <= seed <= _MOST_SEED,
        ),
        default=1,
    ),
    _row(
        *("report", "output", PATH, "the page to write"),
        keyword=None,
        planned=False,
        flags=("-o", "--output"),
        metavar="FILE",
        example='"report.html"',
    ),
    _row(
        *("report", "templates", PATH, "folder of templates that replace those of the same name"),
        given="str | os.PathLike[str]",
        planned=False,
        metavar="FOLDER",
        example='"templates"',
    ),
    _row(
        *("report", "r", choice("AskR", get_args(AskR))),
        'check with R\'s pROC: "auto" where R is there, "yes" or "no"',
        default="auto",
    ),
)
PLANNED = tuple(option for option in OPTIONS if option.planned)


def in_group(group: str) -> list[Option]:
    """Return the options of a group."""
    return [option for option in OPTIONS if option.group == group]


# What only the authors know; the report prints it, and the STARD checklist asks for the rest.
STUDY_TEXTS = {
    "title": "of the page",
    "analyst": "who made the analysis",
    "protocol": "where the protocol is to be found (STARD 29)",
    "registration": "registry and number (STARD 28)",
    "status": "prespecified or exploratory",
    "question": "the clinical question, and the role of the test (STARD 3, 4)",
    "index_test": "the test, so that others could repeat it (STARD 10a)",
    "reference_standard": "how the true class was found (STARD 10b, 11)",
    "design": "prospective or retrospective (STARD 5)",
    "eligibility": "who could take part (STARD 6)",
    "identification": "how eligible participants were found (STARD 7)",
    "setting": "where participants came from (STARD 8)",
    "dates": "from when to when (STARD 8)",
    "sampling": "a consecutive, random or convenience series (STARD 9)",
    "blinding": "what readers of the index test knew (STARD 13a)",
    "reference_blinding": "what assessors of the reference standard knew (STARD 13b)",
    "index_test_rationale": "why this test",
    "positivity_rationale": "why these thresholds, and whether fixed in advance (STARD 12a)",
    "indeterminate_handling": "what was done with indeterminate results (STARD 15)",
    "reference_standard_rationale": "why this reference standard (STARD 11)",
    "reference_positivity": "what makes the reference standard positive, and why (STARD 12b)",
    "model_development": "how and on which data the model was made (STARD-AI)",
    "model_use": "how the model's output is meant to be used (STARD-AI)",
    "missing_handling": "what was done with missing results (STARD 16)",
    "sample_size_rationale": "how the number of participants was chosen (STARD 18)",
    "severity": "of the condition in those who had it (STARD 21a)",
    "alternative_diagnoses": "in those who did not have it (STARD 21b)",
    "interval_between_tests": "time and treatment between the two tests (STARD 22)",
    "adverse_events": "of either test (STARD 25)",
    "limitations": "bias, uncertainty, generalisability (STARD 26)",
    "implications": "for practice (STARD 27)",
    "funding": "who paid, and their part in the study (STARD 30)",
}
