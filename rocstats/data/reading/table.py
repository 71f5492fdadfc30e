"""What a file gave: its columns as they were stored, their value labels and what became missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocstats.data.positive_class import check_one_is_positive
from rocstats.errors import InvalidOptionError, listed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Table", "match_label"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """A table of one file.

    Attributes
    ----------
    frame : the columns; what is labelled in the file is here as codes
    labels : value labels by column, as ``{code: label}``
    user_missing : how many cells of a column held a value that the file declares as missing
    format : the format of the file, in words
    remarks : what else reading it decided, in sentences

    Notes
    -----
    A labelled column that is read as numbers (a marker, an id) keeps its codes. Where it is read
    as classes (the outcome, a subgroup) the labels take the place of the codes, provided that
    every value that occurs has a label of its own; a scale of which only the ends or the missing
    codes are labelled stays a scale.
    """

    frame: pd.DataFrame
    labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    user_missing: Mapping[str, int] = field(default_factory=dict)
    format: str = ""
    remarks: tuple[str, ...] = ()

    def classes(self, columns: Iterable[str]) -> pd.DataFrame:
        """Return the frame with these columns read as classes: labels for codes, 2 for 2.0."""
        shown = {
            name: self.shown(name) for name in dict.fromkeys(columns) if name in self.frame.columns
        }
        return self.frame.assign(**shown) if shown else self.frame

    def shown(self, column: str) -> pd.Series[Any]:
        """Return one column read as classes."""
        values = self.frame[column]
        if self._is_labelled(column):
            return values.map(dict(self.labels[column])).astype(object)
        return _whole(values)

    def _is_labelled(self, column: str) -> bool:
        labels = self.labels.get(column, {})
        if not labels:
            return False
        texts = [labels.get(value, "") for value in self._values(column)]
        return all(texts) and len(set(texts)) == len(texts) > 0

    def _values(self, column: str) -> list[Any]:
        """Return the values that occur; what is no column, or holds no labels, has none."""
        if column not in self.frame.columns:
            return []
        try:
            return list(self.frame[column].dropna().unique().tolist())
        except TypeError:
            return []

    def find_class(self, column: str, text: str | None) -> Any:
        """Return the class of a column that is written as `text`, by its label or by its code.

        The value is that of `classes`; text that fits nothing is returned for the sample to refuse.
        Without a text it is 1 beside 0 or -1; beside another number 1 may as well be negative.
        """
        shown, labels = self._is_labelled(column), self.labels.get(column, {})
        codes = self._values(column)
        if text is None:
            check_one_is_positive(column, codes)
            text = "1"
        by_code = [code for code in codes if _is_written(text, code)]
        by_label = [code for code in codes if labels.get(code) == text.strip()]
        if by_code and by_label and by_code != by_label:
            raise InvalidOptionError(
                f"{text!r} is a code of {column} and the label of another one "
                f"({listed(f'{code:g} = {labels.get(code, code)}' for code in codes)}); "
                "change the labels in the file."
            )
        if not by_code and not by_label:
            return text
        code = match_label(text, by_code) if by_code else by_label[0]
        return labels[code] if shown else _plain_number(code)

    def notes(self, columns: Iterable[str] | None = None) -> list[str]:
        """Return the remarks, and a sentence on what became missing in these columns, or in any."""
        wanted = set(self.user_missing if columns is None else columns)
        found = {name: n for name, n in self.user_missing.items() if n and name in wanted}
        if not found:
            return [*self.remarks]
        total = sum(found.values())
        what = ", ".join(f"{n} in {name}" for name, n in found.items())
        values = "value that the file declares" if total == 1 else "values that the file declares"
        return [*self.remarks, f"{total} {values} as missing became missing ({what})."]


def match_label(text: str, labels: Iterable[Any]) -> Any:
    """Return the label that is written as `text`, whatever its type, or `text` itself.

    Examples
    --------
    >>> match_label("1", [0, 1]), match_label("1", [False, True]), match_label("true", [True])
    (1, True, True)
    >>> match_label("1", ["0", "1"]), match_label("2", [0.0, 1.0])
    ('1', '2')
    """
    known = list(labels)
    for same in _spellings(text):
        for label in known:
            if same(label):
                return label
    return text


def _is_written(text: str, label: Any) -> bool:
    return any(same(label) for same in _spellings(text))


def _spellings(text: str) -> tuple[Callable[[Any], bool], ...]:
    """Return the ways in which a label may be written as `text`, the surest first."""
    truth = {"true": True, "false": False}.get(text.casefold())
    number = _number(text)
    return (
        lambda label: isinstance(label, str) and label == text,
        lambda label: str(label) == text,
        lambda label: isinstance(label, (int, float)) and label == number,
        lambda label: isinstance(label, bool) and label is truth,
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _plain_number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _whole(values: pd.Series[Any]) -> pd.Series[Any]:
    """Return whole numbers as integers, with missing among them if need be."""
    if values.dtype.kind != "f":
        return values
    known = values.dropna()
    if not len(known) or not bool((known == known.round()).all()) or known.abs().max() > 2**53:
        return values
    return values.astype("int64") if len(known) == len(values) else values.astype("Int64")
