"""The options of a report, one table.

`StudyPlan`, the keywords of `rs.report`, the words of ``rocstats report``, its TOML file and
``docs/reference/report_options.md`` are made of it. To add an option, write a row here, use it, and
run ``python docs/reference/report_options.py``, which writes what Python wants to read typed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, get_args

from rocstats.analysis import option_kinds as kinds
from rocstats.analysis.option_kinds import Kind, choice
from rocstats.errors import InvalidOptionError, as_number, named

__all__ = ["GROUPS", "OPTIONS", "PLANNED", "STUDY", "STUDY_TEXTS", "Option", "in_group"]

Group = Literal["data", "reading", "analysis", "report", "study"]
Aim = Literal["non-inferiority", "equivalence", "superiority"]
Origin = Literal["measured", "model", "probability", "fitted", "cross-validated"]
AskR = Literal["auto", "yes", "no"]

STUDY: Group = "study"
# A table of the TOML file, and what the command line calls it.
GROUPS: dict[Group, str] = {
    "data": "the data",
    "reading": "how the file is read",
    "analysis": "the analysis",
    "report": "the page",
    STUDY: "the study",
}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a report, called the same everywhere but for what is said.

    Attributes
    ----------
    group, name, kind, about : what it belongs to, is called, takes and means
    default : what it is if it is not given
    keyword, given : of `rs.report`, and its type; no keyword if only the command line has it
    planned : whether a `StudyPlan` holds it
    rules : what a plan asks of a value, or of each of several numbers: it must ..., if it holds
    one : what an item of it is called
    flags, metavar : on the command line, where it has no flags if it cannot be said there
    key, example : in a TOML file; MARKER stands for a marker, and the default for an example
    more : a further sentence for the reference
    """

    group: Group
    name: str
    kind: Kind
    about: str
    _: KW_ONLY
    default: Any = None
    keyword: str | None = ""
    given: str = ""
    planned: bool = True
    rules: tuple[tuple[str, Callable[[Any], bool]], ...] = ()
    one: str = ""
    flags: tuple[str, ...] = ("",)
    metavar: str | None = ""
    key: str = ""
    example: str | None = None
    more: str = ""

    def __post_init__(self) -> None:
        given = self.given or self.kind.given
        optional = self.default is None and given != "Any"
        object.__setattr__(self, "given", f"{given} | None" if optional else given)
        for field, usual in (
            *(("keyword", self.name), ("one", self.name), ("key", self.name)),
            *(("flags", (f"--{self.name.replace('_', '-')}",)), ("metavar", self.kind.metavar)),
        ):
            if getattr(self, field) in ("", ("",)):
                object.__setattr__(self, field, usual)

    def take(self, value: Any) -> Any:
        """Return what a plan holds of a value."""
        return self.kind.take(value, self.keyword or self.name, self.one)

    def check(self, value: Any) -> None:
        """Refuse what a plan must not hold, in one sentence."""
        if value is None and self.default is None:
            return
        name = self.keyword or self.name
        self.kind.check(name, value)
        for must, holds in self.rules:
            for item in value if self.kind is kinds.NUMBERS else (value,):
                if not holds(item):
                    raise InvalidOptionError(f"{named(name)} must {must}, got {item!r}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return 0.0 < as_number(value) < 1.0


def _is_window(value: Any) -> bool:
    low, high = map(as_number, value)
    return 0.0 <= low < high <= 1.0


def _is_decision_range(value: Any) -> bool:
    return _is_window(value) and as_number(value[1]) < 1.0


def _are_sizes(value: Any) -> bool:
    return all(_is_whole(size) and 0.0 < as_number(size) < math.inf for size in value)


def _of_reading(name: str, kind: Kind, about: str, example: str, **settings: Any) -> Option:
    return Option(
        *("reading", name, kind, about),
        keyword=None,
        planned=False,
        example=example,
        **settings,
    )


_READING = (
    _of_reading(
        "sheet",
        kinds.LABEL,
        "sheet of a workbook, by name or number; if left out the first that holds a table",
        '"Data"',
        metavar="SHEET",
    ),
    _of_reading(
        "header_row",
        kinds.WHOLE,
        "row of the column names, as the spreadsheet numbers it; if left out it is found",
        "4",
    ),
    _of_reading(
        "encoding",
        kinds.TEXT,
        "encoding of a text file; if left out UTF-8, UTF-16 and cp1252 are told apart",
        '"cp1252"',
        metavar="NAME",
    ),
    _of_reading(
        "separator",
        choice("Separator", ("comma", "semicolon", "tab", "bar")),
        'what parts the cells of a text file, "comma", "semicolon", "tab" or "bar"; else found',
        '"semicolon"',
    ),
    _of_reading(
        "decimal",
        choice("Decimal", ("point", "comma", ".", ",")),
        'mark of decimals, where 1,234 leaves it open: "point" or ".", "comma" or ","',
        '"comma"',
        metavar="MARK",
    ),
    _of_reading(
        "dates",
        choice("Dates", ("day-first", "month-first")),
        'what 01/02/2020 means, "day-first" or "month-first"; else asked for',
        '"day-first"',
    ),
    _of_reading(
        "percent",
        choice("Percent", ("number", "share")),
        '12 percent is the "number" 12 or the "share" 0.12; if left out 12, else asked for',
        '"number"',
    ),
    _of_reading(
        "below_detection",
        choice("BelowDetection", ("lowest", "half", "missing")),
        'what <0.05 becomes: "lowest" of all in rank (if left out), "half" the limit, or "missing"',
        '"lowest"',
    ),
    _of_reading(
        "above_detection",
        choice("AboveDetection", ("highest", "missing")),
        'what >100 becomes: "highest" of all in rank (if left out), or "missing"',
        '"highest"',
    ),
    _of_reading(
        "missing_codes",
        kinds.CELL_LIST,
        "cells that mean a missing value, as -9; COLUMN=CODE for one column only",
        '["n/d", "-9"]',
        metavar="CODE",
    ),
    _of_reading(
        "as_is",
        kinds.FLAG,
        "read the file as it stands, and repair nothing",
        "false",
    ),
)

OPTIONS = (
    Option(
        *("data", "file", kinds.PATH),
        "table with column names: CSV, TSV, Excel, SAS, SPSS, Stata or R",
        keyword=None,
        planned=False,
        flags=("file",),
        example='"study.csv"',
    ),
    Option(
        *("data", "memory", kinds.TEXT),
        "read Parquet or CSV in batches, with so much memory for DuckDB, such as 1GB; if left out "
        "where the file has 512 MB or more, and all reads every row into memory",
        keyword=None,
        planned=False,
        metavar="SIZE",
        example='"1GB"',
        more="What needs the row of every subject is left out of the page, which says so.",
    ),
    Option(
        *("data", "spill", kinds.PATH),
        "folder for files of scores that are too many for memory; if left out the system's",
        keyword=None,
        planned=False,
        metavar="FOLDER",
        example='"scratch"',
    ),
    Option(
        *("data", "outcome", kinds.COLUMN, "column of the true class"),
        planned=False,
        example='"outcome"',
    ),
    Option(
        *("data", "positive", kinds.LABEL),
        "label or code of the positive class; if left out 1, where the other one is 0 or -1",
        keyword="pos_label",
        planned=False,
        example='"Poor"',
    ),
    Option(
        *("data", "negative", kinds.LABEL),
        "label or code of the negative class; if left out the one beside the positive",
        keyword=None,
        planned=False,
        example='"Good"',
        more="Rows of a third class are refused by name until `exclude` leaves them out.",
    ),
    Option(
        *("data", "exclude", kinds.CELL_LIST),
        "labels of the outcome whose rows are left out, and counted",
        keyword=None,
        planned=False,
        metavar="LABEL",
        example='["borderline"]',
    ),
    Option(
        *("data", "markers", kinds.NAMES, "columns of scores"), planned=False, example='["MARKER"]'
    ),
    Option(
        *("data", "lower_is_positive", kinds.NAMES),
        "markers whose low values speak for the positive class; never guessed",
        keyword="higher_is_positive",
        given="Orientation",
        planned=False,
        example='["MARKER"]',
        more='In Python `{"MARKER": False}` says so.',
    ),
    Option(
        *("data", "subject", kinds.COLUMN, "column of subject ids"), planned=False, example='"id"'
    ),
    Option(
        *("data", "cluster", kinds.COLUMN),
        "column of clusters of dependent rows (the patient of an eye or a lesion)",
        planned=False,
        example='"patient"',
    ),
    Option(
        *("data", "weights", kinds.COLUMN),
        "column of what a row counts: subjects it stands for in a survey, or that are alike",
        planned=False,
        example='"n"',
        more="What takes no weights is left out of the page, which says so.",
    ),
    Option(
        *("data", "weight_kind", choice("WeightKind", ("probability", "frequency"))),
        'what the weights are: "probability", the default, or "frequency"',
        planned=False,
        example='"frequency"',
        more="A row of a probability weight is one subject that stands for others (survey, "
        "two-phase sample); a row of a frequency is analysed as if repeated (a table of ratings).",
    ),
    Option(
        *("data", "strata", kinds.COLUMN),
        "column of the sampling strata, drawn from independently; clusters are within them",
        planned=False,
        example='"region"',
    ),
    Option(
        *("data", "baseline", kinds.NAMES, "columns that describe the subjects"),
        default=(),
        planned=False,
        example='["age", "sex"]',
    ),
    Option(
        *("data", "indeterminate", kinds.CELLS),
        "cell of a marker column that means an indeterminate result",
        default=(),
        planned=False,
        example='["equivocal"]',
        more="Such results are left out of the main analysis and counted either way in the "
        "sensitivity analyses.",
    ),
    Option(
        *("data", "test_positive", kinds.CELLS),
        "cell of a marker column that means a positive result, where results are words",
        default=(),
        planned=False,
        example='["pos"]',
        more="The tests are qualitative then: the page has no ROC curve and no threshold, but what "
        "each test called and how tests differ; with `comparator` it speaks of agreement.",
    ),
    Option(
        *("data", "nan_policy", choice("NanPolicy", ("omit", "raise"))),
        'count incomplete rows and analyse the others ("omit", if left out), or refuse ("raise")',
        planned=False,
        example='"omit"',
    ),
    *_READING,
    Option(
        *("analysis", "versus", kinds.MARKER),
        "marker that the others are compared with; without it every pair of up to 12 markers, and "
        "the first marker with each other of more",
        example='"MARKER"',
    ),
    Option(
        *("analysis", "prespecified", kinds.NUMBERS_BY_MARKER),
        "thresholds fixed before the data were seen; all others are labelled exploratory",
        one="prespecified threshold",
        metavar="M=CUT",
        example="{ MARKER = 0.21 }",
    ),
    Option(
        *("analysis", "prevalence", kinds.NUMBERS, "prevalences of intended use, for PPV and NPV"),
        default=(),
        rules=(("lie strictly between 0 and 1", _is_share),),
        example="[0.1]",
    ),
    Option(
        *("analysis", "subgroup", kinds.NAMES, "columns whose levels are analysed apart"),
        default=(),
        given="str | Sequence[str] | Mapping[str, Any]",
        planned=False,
        key="subgroups",
        example='["sex"]',
        more="With a `ScoredSample`, a mapping of names to the values of its subjects.",
    ),
    Option(
        *("analysis", "margin", kinds.NUMBER, "how much worse (or different) an AUC may be"),
        rules=(("be a difference of AUCs between 0 and 1", _is_share),),
        example="0.05",
    ),
    Option(
        *("analysis", "aim", choice("Aim", get_args(Aim))),
        'what is to be shown with the margin: "non-inferiority", "equivalence" or "superiority"',
        default="non-inferiority",
    ),
    Option(
        *("analysis", "adjust", kinds.TEXT),
        "adjustment of p-values for the number of comparisons, as holm, bonferroni, fdr_bh or none",
        default="holm",
        metavar="METHOD",
        more="There are those of `Comparison.pairwise`.",
    ),
    Option(
        *("analysis", "criterion", kinds.TEXT),
        "by what exploratory cutpoints are chosen, as youden, closest, product, kappa or f1",
        default="youden",
        metavar="NAME",
        more="There are those of `optimal_cutpoint`.",
    ),
    Option(
        *("analysis", "fpr_range", kinds.TWO_NUMBERS, "false positive rates of the partial AUC"),
        default=(0.0, 0.1),
        rules=(("be two numbers low < high from 0 to 1", _is_window),),
        one="end of fpr_range",
    ),
    Option(
        *("analysis", "specificities", kinds.NUMBERS, "where the sensitivity is estimated"),
        default=(0.9, 0.95),
        rules=(("lie within [0, 1]", lambda share: 0.0 <= as_number(share) <= 1.0),),
        one="specificity",
    ),
    Option(
        *("analysis", "decision_range", kinds.TWO_NUMBERS),
        "threshold probabilities of the decision curve: where one would act",
        default=(0.01, 0.99),
        rules=(("be two numbers low < high from 0 to below 1", _is_decision_range),),
        one="end of decision_range",
    ),
    Option(
        *("analysis", "comparator", kinds.FLAG),
        "the outcome is no reference standard: agreement instead of accuracy",
        default=False,
        more="The page then speaks of positive and negative percent agreement.",
    ),
    Option(
        *("data", "scores", choice("Origin", get_args(Origin))),
        '"measured"; by a "model" of other data; a "probability" of another kind; "fitted" to '
        'these data; "cross-validated"',
        default="measured",
        more='Comparisons of "fitted" scores are refused. All but "measured" scores are taken as '
        "probabilities where they lie on [0, 1] and have no unit; a marker with the bounds 0 and 1 "
        "is one whatever the others are, and one with other bounds is none.",
    ),
    Option(
        *("data", "bounds", kinds.LIMITS_BY_MARKER),
        "limits of a marker's scale, where sAUC and smAUC are wanted on [0, 1]",
        one="bound",
        example="{ MARKER = [0, 3] }",
    ),
    Option(
        *("data", "labels", kinds.TEXTS_BY_MARKER, "printed name of a marker"),
        flags=("--label",),
        example='{ MARKER = "printed name" }',
    ),
    Option(
        *("data", "units", kinds.TEXTS_BY_MARKER, "unit of a marker"),
        flags=("--unit",),
        example='{ MARKER = "µg/l" }',
    ),
    Option(
        *("analysis", "planned", kinds.TWO_WHOLE, "planned numbers of positives and negatives"),
        rules=(("be two whole numbers above 0, of positives and negatives", _are_sizes),),
        example="[50, 100]",
    ),
    Option(
        *(STUDY, "study", kinds.TEXTS),
        "texts that only the authors know, by name, as title and analyst",
        flags=(),
    ),
    Option(
        *("analysis", "confidence_level", kinds.NUMBER, "of every interval"),
        default=0.95,
        rules=(
            ("lie strictly between 0 and 1", _is_share),
            ("lie between 0.5 and 0.9999 in a report", lambda level: 0.5 <= level <= 0.9999),
        ),
    ),
    Option(
        *("analysis", "n_resamples", kinds.WHOLE, "bootstrap resamples"),
        default=2000,
        rules=(
            ("be a whole number of at least 2", lambda n: _is_whole(n) and n >= 2),
            ("lie between 100 and 1000000", lambda n: 100 <= n <= 10**6),
        ),
    ),
    Option(
        *("analysis", "seed", kinds.WHOLE, "of the resampling; the same seed gives the same page"),
        default=1,
        keyword="rng",
        rules=(
            (
                "be a whole number from 0 to 2**128 - 1",  # the entropy that numpy takes
                lambda seed: _is_whole(seed) and 0 <= seed < 2**128,
            ),
        ),
    ),
    Option(
        *("report", "output", kinds.PATH),
        "the report to write: a page (.html), a Word file (.docx) or a PDF (.pdf)",
        keyword=None,
        planned=False,
        flags=("-o", "--output"),
        metavar="FILE",
        example='"report.html"',
    ),
    Option(
        *("report", "figures", kinds.PATH),
        "folder for every figure as SVG, PDF, PNG and TIFF (300 dpi)",
        keyword=None,
        planned=False,
        metavar="FOLDER",
        example='"figures"',
    ),
    Option(
        *("report", "tables", kinds.PATH, "folder for every table as CSV, LaTeX and Word"),
        keyword=None,
        planned=False,
        metavar="FOLDER",
        example='"tables"',
    ),
    Option(
        *("report", "templates", kinds.PATH),
        "folder of templates that replace those of the same name",
        given="str | os.PathLike[str]",
        planned=False,
        metavar="FOLDER",
        example='"templates"',
    ),
    Option(
        *("report", "summary", kinds.FLAG),
        "a page that prints on two sheets: key results, alerts and the results in words",
        default=False,
        planned=False,
        more="It holds the same numbers as JSON.",
    ),
    Option(
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
    "model_use": "how the model's output is meant to be used (STARD-AI, TRIPOD+AI 3b)",
    "model_updating": "whether the model was updated, such as recalibrated (TRIPOD+AI 12f, 24)",
    "model_differences": "how these data differ from those of development (TRIPOD+AI 16, 20c)",
    "predictors": "what the model takes in, how and when measured (TRIPOD+AI 9b)",
    "class_imbalance": "whether classes were weighted or resampled (TRIPOD+AI 13)",
    "data_preparation": "how data were prepared and checked (TRIPOD+AI 7)",
    "health_inequalities": "what is known of them between groups (TRIPOD+AI 3c)",
    "fairness": "what was done about it (TRIPOD+AI 14)",
    "treatments": "received before the outcome (TRIPOD+AI 6c)",
    "input_quality": "what is done where an input is poor or missing (TRIPOD+AI 27a)",
    "next_steps": "what should come next (TRIPOD+AI 27c)",
    "ethics": "approval and consent (TRIPOD+AI 17)",
    "conflicts": "of interest (TRIPOD+AI 18b)",
    "data_sharing": "where the data can be had (TRIPOD+AI 18e)",
    "code_sharing": "where the code can be had (TRIPOD+AI 18f)",
    "patient_involvement": "the part of patients and the public (TRIPOD+AI 19)",
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
