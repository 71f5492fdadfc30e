"""The parts of the form of a report: every option of its one table, and what each is called."""

from __future__ import annotations

from dataclasses import dataclass

from rocstats.analysis import option_kinds as kinds
from rocstats.analysis.options import OPTIONS, STUDY, Option, in_group

__all__ = [
    "BY_NAME",
    "FORM",
    "LABELS",
    "PARTS",
    "Part",
    "field_of",
    "is_per_marker",
    "label",
    "takes",
]

FORM = tuple(option for option in OPTIONS if option.kind is not kinds.PATH)
BY_NAME = {option.name: option for option in FORM}
_PER_MARKER = " for each marker"  # how such kinds end in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the form: a heading, what it is about, and its options."""

    title: str
    about: str
    names: tuple[str, ...]
    folded: bool = False
    again: bool = False  # whether the file can be read again from here

    @property
    def options(self) -> list[Option]:
        return [BY_NAME[name] for name in self.names]


_ASKED = (
    Part(
        title="Who has the condition",
        about="The reference standard: one column with two values.",
        names=("outcome", "positive", "exclude"),
    ),
    Part(
        title="Tests and markers",
        about="What is to be judged, each on the same subjects.",
        names=("markers", "lower_is_positive", "prespecified"),
    ),
    Part(
        title="What is to be shown",
        about="Leave empty what does not apply.",
        names=("prevalence", "versus", "margin", "aim"),
    ),
    Part(
        title="Rows and cells",
        about="How rows hang together, and what cells without a number mean.",
        names=("cluster", "subject", "indeterminate", "test_positive", "nan_policy"),
    ),
    Part(
        title="How the file is read",
        about="What the file itself does not tell. Then read the file again.",
        names=tuple(option.name for option in in_group("reading")),
        folded=True,
        again=True,
    ),
    Part(
        title="Groups of subjects",
        about="Levels that are analysed apart, and columns that describe the subjects.",
        names=("subgroup", "baseline"),
        folded=True,
    ),
)
_OF_PARTS = {name for part in _ASKED for name in part.names}
PARTS = (
    *_ASKED,
    Part(  # every other option of the table, also one that is added tomorrow
        title="More options",
        about="Every one has a default that suits most studies.",
        names=tuple(o.name for o in FORM if o.name not in _OF_PARTS and o.name != STUDY),
        folded=True,
    ),
    Part(
        title="About the study",
        about="What only you know. The report prints it, and its checklist asks for the rest.",
        names=(STUDY,),
        folded=True,
    ),
)

# What is asked where the name of an option says too little.
LABELS = {
    "outcome": "Which column says who has the condition?",
    "markers": "Which columns are to be judged?",
    "lower_is_positive": "Low values speak for the condition",
    "prespecified": "Thresholds fixed in advance",
    "prevalence": "Prevalence where the test will be used",
    "versus": "Compare the others with",
    "aim": "What the margin is for",
    "cluster": "Rows that belong together",
    "subject": "Ids of the subjects",
    "indeterminate": "Cells that mean an indeterminate result",
    "test_positive": "Cells that mean a positive result",
    "nan_policy": "Rows with missing cells",
    "subgroup": "Subgroups",
    "baseline": "Description of the subjects",
    "comparator": "The outcome is no reference standard",
    "scores": "Where the scores come from",
    "r": "Check with R",
    "seed": "Seed of the resampling",
    "n_resamples": "Bootstrap resamples",
    "planned": "Planned numbers of subjects",
    "fpr_range": "Range of the partial AUC",
    "specificities": "Specificities",
    "summary": "A short page of two sheets",
    "labels": "Printed name",
    "units": "Unit",
    "bounds": "Limits of its scale",
}


def label(option: Option) -> str:
    """Return what a field is called."""
    return LABELS.get(option.name, option.name.replace("_", " ").capitalize())


def field_of(option: str | None) -> str:
    """Return the field that an option of a sentence stands in, or nothing."""
    for known in FORM:
        if option is not None and option in (known.name, known.keyword, known.key, *known.flags):
            return known.name
    return ""


def is_per_marker(option: Option) -> bool:
    """Return whether the option has a field for each marker."""
    return option.kind.words.endswith(_PER_MARKER)


def names_columns(option: Option) -> bool:
    """Return whether its field holds columns of the table."""
    return option.kind in (kinds.NAMES, kinds.COLUMN, kinds.MARKER)


def takes(option: Option) -> str:
    """Return what one field of the option takes, in words."""
    return option.kind.words.removesuffix(_PER_MARKER)
