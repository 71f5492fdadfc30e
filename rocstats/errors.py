"""Every error and every warning; a message is one sentence that says what to do.

A sentence names options as Python writes them (``nan_policy="omit"``). Where it does so by `named`
and `keyword` it knows which of its words they are, so that it can be spoken to others by their
words, as ``--nan-policy omit``, and no word of the user's is taken for an option.
"""

from __future__ import annotations

import math
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from numbers import Integral, Real

__all__ = [
    "DegenerateVarianceWarning",
    "IncompletePairsWarning",
    "InvalidOptionError",
    "InvalidSampleError",
    "LostWorkersError",
    "MidOutOfRangeWarning",
    "MissingDependencyError",
    "NestedModelsError",
    "NotPairedError",
    "PooledFoldsWarning",
    "PrevalenceWarning",
    "RBridgeError",
    "RUnavailableError",
    "RWarning",
    "RepeatedSubjectWarning",
    "RocstatsError",
    "RocstatsWarning",
    "ScoreRangeError",
    "SingleClassError",
    "SmallSampleWarning",
]


# Noncharacters, which Unicode keeps for use within a program: they stand in no text of a user.
_OPTION, _ASIDE, _END = "\ufdd0", "\ufdd1", "\ufdd2"
_MARKED = re.compile(f"([{_OPTION}{_ASIDE}])([^{_OPTION}{_ASIDE}{_END}]*){_END}")
_HALF_MARKED = (
    re.compile(f"[{_OPTION}{_ASIDE}][^{_END}]*$"),
    re.compile(f"^[^{_OPTION}{_ASIDE}]*{_END}"),
)

_WORD, _MOST_NAMES = 100, 5000  # characters of a name, and names, that are looked at for a hint
_LONGEST, _BEGINNING, _ENDING = 1500, 900, 400  # characters of a sentence; of one that is cut


def named(name: str) -> str:
    """Return the name of an option, marked as such for a sentence."""
    return f"{_OPTION}{name}{_END}"


def keyword(name: str, value: object = "") -> str:
    """Return an option as it is given in a call, marked: ``name=`` or ``name="value"``.

    A tuple of names stands for a value that is to be filled in: ``name=(low, high)``.
    """
    if isinstance(value, tuple):
        return named(f"{name}=({', '.join(value)})")
    return named(f'{name}="{value}"' if isinstance(value, str) and value else f"{name}={value}")


def function(name: str) -> str:
    """Return a public function as it is called, ``rs.name``, marked."""
    return named(f"rs.{name}")


def aside(text: str) -> str:
    """Return words for callers in Python, marked; others are not told them."""
    return f"{_ASIDE}{text}{_END}"


@dataclass(frozen=True, slots=True)
class Mention:
    """An option in a sentence: `wording` is how Python writes it."""

    wording: str

    @property
    def name(self) -> str:
        """Name of the option, or of a function with ``rs.`` before it."""
        return self.wording.partition("=")[0]

    @property
    def value(self) -> str:
        """Value named with it, without quotes, or an empty string."""
        return self.wording.partition("=")[2].strip('"')


def _cut(marked: str) -> str:
    """Return a sentence without its middle where a user's words make it long."""
    if len(marked) <= _LONGEST:
        return marked
    beginning = _HALF_MARKED[0].sub("", marked[:_BEGINNING])
    ending = _HALF_MARKED[1].sub("", marked[-_ENDING:])
    left_out = len(marked) - len(beginning) - len(ending)
    return f"{beginning} ... ({left_out:,} characters left out) ... {ending}"


class Sentence(str):
    """A sentence as Python says it, which remembers which of its words are options.

    It is made of text with marks (`named`, `keyword`...), and it is a text without any.
    """

    __slots__ = ("marked",)

    marked: str

    def __new__(cls, text: str) -> Sentence:
        marked = text.marked if isinstance(text, Sentence) else _cut(text)
        made = super().__new__(cls, _MARKED.sub(r"\2", marked))
        made.marked = marked
        return made

    def __reduce__(self) -> tuple[type[Sentence], tuple[str]]:
        return Sentence, (self.marked,)

    def mentions(self) -> Iterator[Mention]:
        """Yield the options in the order of the sentence."""
        return (Mention(found[2]) for found in _MARKED.finditer(self.marked) if found[1] == _OPTION)

    def spoken(self, speak: Callable[[Mention], str]) -> str:
        """Return the sentence with every option as `speak` spells it."""
        return _MARKED.sub(
            lambda found: speak(Mention(found[2])) if found[1] == _OPTION else "", self.marked
        )


class _Said(Exception):  # noqa: N818 (an error or a warning)
    """What is said to the user."""

    def __init__(self, *args: object) -> None:
        super().__init__(*(Sentence(a) if isinstance(a, str) else a for a in args))

    @property
    def sentence(self) -> Sentence:
        """What is said, with its options."""
        first = self.args[0] if self.args else ""
        return first if isinstance(first, Sentence) else Sentence(str(first))

    @property
    def option(self) -> str | None:
        """The first option that the sentence names, or None."""
        names = (mention.name for mention in self.sentence.mentions())
        return next((name for name in names if name.isidentifier()), None)


class RocstatsError(_Said):
    """Root of every error that rocstats raises on purpose."""


class InvalidSampleError(RocstatsError, ValueError):
    """The labels, scores or subject ids do not make a sample."""


class SingleClassError(InvalidSampleError):
    """Only one of the two classes is present."""


class NotPairedError(InvalidSampleError):
    """Rows that should share subjects do not."""


class NestedModelsError(InvalidSampleError):
    """Fitted values of nested models are not to be compared by their areas."""


class ScoreRangeError(InvalidSampleError):
    """A score lies where the measure is not defined."""


class InvalidOptionError(RocstatsError, ValueError):
    """An argument other than the data has a value that is not offered."""


class MissingDependencyError(RocstatsError, ImportError):
    """An optional library is needed and not installed."""


class LostWorkersError(RocstatsError, RuntimeError):
    """Processes that worked for this one ended before their work was done."""


class RBridgeError(RocstatsError, RuntimeError):
    """R stopped, or a value cannot cross the bridge to R."""


class RUnavailableError(RBridgeError):
    """R, an R package or rpy2 is not there; the message says what to install."""


class RocstatsWarning(_Said, UserWarning):
    """Root of every warning that rocstats gives."""


class DegenerateVarianceWarning(RocstatsWarning):
    """The variance is zero, negative or undefined, so it does not measure the uncertainty."""


class SmallSampleWarning(RocstatsWarning):
    """A class, or its part in a window, has too few subjects for a variance to be trusted."""


class IncompletePairsWarning(RocstatsWarning):
    """Subjects without every marker were left out of a comparison."""


class PrevalenceWarning(RocstatsWarning):
    """A measure that depends on the class ratio is compared between different ratios."""


class PooledFoldsWarning(RocstatsWarning):
    """Scores of several cross-validation models were pooled as if one model gave them."""


class RepeatedSubjectWarning(RocstatsWarning):
    """Subject ids repeat although no cluster was named."""


class RWarning(RocstatsWarning):
    """R warned while it worked for rocstats."""


class MidOutOfRangeWarning(RocstatsWarning):
    """The estimated smROC midpoint exceeds 1, so every score counts as low."""


def warn_user(message: str, category: type[RocstatsWarning]) -> None:
    """Warn at the line outside rocstats that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__", "")).startswith("rocstats."):
        frame, level = frame.f_back, level + 1
    warnings.warn(category(message), stacklevel=level)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return ``" Did you mean 'x'?"`` for the known name closest to `name`, or an empty string."""
    word = str(name)[:_WORD]
    close = get_close_matches(word, [str(k)[:_WORD] for k in islice(known, _MOST_NAMES)], n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def listed(names: Iterable[object], most: int = 6) -> str:
    """Return the names as ``a, b, c and 4 more``."""
    words = [str(name) for name in names]
    shown = ", ".join(words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"


def shown(value: object, most: int = 80) -> str:
    """Return how Python writes a value, without its middle where that is long.

    Examples
    --------
    >>> shown("n/d"), shown("x" * 1000, most=20)
    ("'n/d'", "'xxxxxxxxxxxxx...xxx'")
    """
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = f"{type(value).__name__} beyond all bounds"
    end = most // 5
    return text if len(text) <= most else f"{text[: most - end - 2]}...{text[-end:]}"


def check_option(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raise `InvalidOptionError` unless `value` is one of `allowed`."""
    known = list(allowed)
    if not any(value is k or (type(value) is type(k) and value == k) for k in known):
        offered = ", ".join(repr(k) for k in known)
        hint = did_you_mean(value, known) if isinstance(value, str) else ""
        raise InvalidOptionError(
            f"{named(name)} must be one of {offered}, got {shown(value)}.{hint}"
        )


def as_number(value: object) -> float:
    """Return any real number but a bool as a float, and nan for anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # a whole number beyond the doubles
        return math.inf if value == abs(value) else -math.inf


def check_count(name: str, value: object, *, least: int = 1, most: int = 10**9) -> int:
    """Return a whole number from `least` to `most`, or raise `InvalidOptionError`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidOptionError(
            f"{named(name)} must be a whole number of at least {least}, got {shown(value)}."
        )
    if int(value) > most:
        raise InvalidOptionError(
            f"{named(name)} must be a whole number of at most {most:,}, got {shown(value)}."
        )
    return int(value)


def check_confidence_level(level: float) -> float:
    """Return `level` as a float strictly between 0 and 1, or raise `InvalidOptionError`."""
    number = as_number(level)
    if not 0.0 < number < 1.0:
        raise InvalidOptionError(
            f"{named('confidence_level')} must lie strictly between 0 and 1, got {level!r}."
        )
    return number
