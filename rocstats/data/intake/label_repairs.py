"""Labels of classes that differ by case and spaces only, and dates that are written as text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.data.intake.column_cells import Change, ColumnCells
from rocstats.data.intake.intake_log import quoted
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.intake.number_cells import clean
from rocstats.errors import InvalidSampleError, keyword

__all__ = ["repair_dates", "repair_labels"]

_MOST_CLASSES = 20
_YES = {
    **{"y": ("yes",), "j": ("ja",), "o": ("oui",), "s": ("si", "sim"), "t": ("true",)},
    **{"pos": ("positive", "positiv", "positif", "positivo", "positief"), "w": ("wahr",)},
}
_NO = {
    **{"n": ("no", "nein", "non", "nee", "nao"), "f": ("false", "falsch", "faux")},
    **{"neg": ("negative", "negativ", "negatif", "negativo", "negatief")},
}
_PARTS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")


def repair_labels(column: ColumnCells, settings: IntakeSettings) -> Change | None:
    """Return a column of labels, each in its most frequent spelling, or None where all agree.

    Spellings that only case or accents tell apart, as DECEDE and décédé, are one label, unless
    that would leave a single one: AA, Aa and aa are three genotypes.
    """
    import pandas as pd

    texts = [cell for cell in column.distinct if isinstance(cell, str)]
    folded = {_folded(text) for text in texts}
    if not texts or len(folded) > _MOST_CLASSES:
        return None
    counts = column.counts().tolist()
    short = _abbreviations(folded)
    cased = len(folded) > 1
    spellings: dict[str, dict[str, int]] = {}
    for cell, n in zip(column.distinct, counts, strict=True):
        if isinstance(cell, str):
            spellings.setdefault(_key(cell, cased, short), {})[cell] = n
    chosen = {key: _spelling(group) for key, group in spellings.items()}
    new: list[Any] = [
        chosen[_key(cell, cased, short)] if isinstance(cell, str) else cell
        for cell in column.distinct
    ]
    changed = [i for i, cell in enumerate(column.distinct) if new[i] != cell]
    if not changed or 2 * len(chosen) > sum(counts):  # names of rows, not of classes
        return None
    pairs = ", ".join(f"{column.distinct[i]!r} as {new[i]!r}" for i in changed[:3])
    more = ", ..." if len(changed) > 3 else ""
    values = np.array([*new, None], dtype=object)[column.codes]
    series = pd.Series(values, index=column.series.index, name=column.name)
    return Change(
        series=series.astype(column.series.dtype),
        repairs=(
            column.repair(
                "labels",
                changed,
                "label",
                f"read in the spelling that is most frequent: {pairs}{more}",
            ),
        ),
    )


def _spelling(group: dict[str, int]) -> str:
    """Return a label as it is where all agree, else its most frequent spelling, without spaces."""
    if len(group) == 1:
        return next(iter(group))
    tidy: dict[str, int] = {}
    for text, n in group.items():
        tidy[clean(text)] = tidy.get(clean(text), 0) + n
    return max(tidy, key=lambda text: tidy[text])


def _key(text: str, cased: bool, short: Mapping[str, str]) -> str:
    return short.get(_folded(text), _folded(text)) if cased else clean(text)


def _folded(text: str) -> str:
    """Return a text without case and accents, as capitals are often written."""
    parts = unicodedata.normalize("NFKD", clean(text).casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _abbreviations(labels: set[str]) -> dict[str, str]:
    """Return words by their abbreviations, where a column has both, and words for yes and for no.

    Examples
    --------
    >>> _abbreviations({"y", "yes", "n", "no", "unclear"})
    {'y': 'yes', 'n': 'no'}
    >>> _abbreviations({"neg.", "negativ", "positiv"})
    {'neg.': 'negativ'}
    >>> _abbreviations({"n", "no", "m"}), _abbreviations({"n", "no", "non", "oui"})
    ({}, {})
    """
    found: dict[str, str] = {}
    for side, other in ((_YES, _NO), (_NO, _YES)):
        if not labels & {word for pair in other.items() for word in (pair[0], *pair[1])}:
            continue
        for abbreviation, words in side.items():
            there = labels & set(words)
            if len(there) == 1:
                (word,) = there
                found |= dict.fromkeys(labels & {abbreviation, f"{abbreviation}."}, word)
    return found


def repair_dates(column: ColumnCells, settings: IntakeSettings) -> Change | None:
    """Return a column of dates such as 31.12.2020, or None where it is none; 01/02/2020 is asked.

    Days come first where a point parts them. Dates as 2020-12-31 stay as they are.
    """
    import pandas as pd

    dates = [i for i, r in enumerate(column.readings) if r.kind == "date"]
    if not dates or any(r.kind not in ("date", "missing") for r in column.readings):
        return None
    texts = [column.distinct[i] for i in dates]
    found = [_PARTS.fullmatch(clean(t)) if isinstance(t, str) else None for t in texts]
    parts = [f for f in found if f is not None]
    if len(parts) < len(texts):
        return None
    day_first = _day_first(parts, settings)
    if day_first is None:
        refusal = InvalidSampleError(
            f"{column.name} holds {quoted(texts[:1])} in {column.first(dates)}, which may begin "
            f"with the day or the month; say which with {keyword('dates', 'day-first')} or "
            f"{keyword('dates', 'month-first')}."
        )
        answers = ("day-first", "month-first")
        return Change(
            questions=(column.ask("dates", dates, refusal, option="dates", answers=answers),)
        )
    first = "day" if day_first else "month"
    form = "%d/%m/%Y" if day_first else "%m/%d/%Y"
    read = pd.to_datetime(
        pd.Series([f"{f[1]}/{f[3]}/{f[4]}" for f in parts]), format=form, errors="coerce"
    )
    if bool(read.isna().any()):
        wrong = [i for i, bad in zip(dates, read.isna(), strict=True) if bad]
        refusal = InvalidSampleError(
            f"{column.name} holds {column.n_cells(wrong)} dates that are none with the {first} "
            f"first, as {quoted(column.distinct[i] for i in wrong)}, the first in "
            f"{column.first(wrong)}; mend them in the file."
        )
        return Change(questions=(column.ask("dates", wrong, refusal),))
    known = dict(zip(dates, read.tolist(), strict=True))
    values = [known.get(i, pd.NaT) for i in range(len(column.distinct))] + [pd.NaT]
    series = pd.Series(pd.to_datetime(pd.Series(values)).to_numpy()[column.codes])
    series.index, series.name = column.series.index, column.name
    empty = [i for i, r in enumerate(column.readings) if r.kind == "missing"]
    done = f"read with the {first} first, {texts[0]!r} as {read.iloc[0]:%Y-%m-%d}"
    repairs = [column.repair("dates", dates, "date", done)]
    if empty:
        said = quoted(column.distinct[i] for i in empty)
        repairs.append(column.repair("missing", empty, "cell", f"made missing among dates: {said}"))
    return Change(series=series, repairs=tuple(repairs))


def _day_first(parts: Sequence[re.Match[str]], settings: IntakeSettings) -> bool | None:
    """Return whether dates begin with the day, or None where they do not tell."""
    if settings.dates is not None:
        return settings.dates == "day-first"
    if any(int(f[1]) > 12 for f in parts):
        return True
    if any(int(f[3]) > 12 for f in parts):
        return False
    return True if all(f[2] == "." for f in parts) else None
