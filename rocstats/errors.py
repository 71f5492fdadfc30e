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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, signature
from itertools import islice
from numbers import Integral, Real
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

__all__ = [
    "DegenerateVarianceWarning",
    "ExtremeWeightsWarning",
    "IncompletePairsWarning",
    "InvalidCallError",
    "InvalidOptionError",
    "InvalidSampleError",
    "LostWorkersError",
    "MidOutOfRangeWarning",
    "MissingDependencyError",
    "NestedModelsError",
    "NotPairedError",
    "PooledFoldsWarning",
    "PooledReadersWarning",
    "PrevalenceWarning",
    "RBridgeError",
    "RUnavailableError",
    "RWarning",
    "RepairedFileWarning",
    "RepeatedSubjectWarning",
    "RocstatsError",
    "RocstatsWarning",
    "ScoreRangeError",
    "SingleClassError",
    "SmallSampleWarning",
    "UnknownRowError",
]


# Noncharacters, which Unicode keeps for use within a program: they stand in no text of a user.
_OPTION, _ASIDE, _END = "\ufdd0", "\ufdd1", "\ufdd2"
_MARKED = re.compile(f"([{_OPTION}{_ASIDE}])([^{_OPTION}{_ASIDE}{_END}]*){_END}")
_HALF_MARKED = (
    re.compile(f"[{_OPTION}{_ASIDE}][^{_END}]*$"),
    re.compile(f"^[^{_OPTION}{_ASIDE}]*{_END}"),
)

_INSTALLED_AS = {
    **{"docx": "python-docx", "resvg_py": "resvg-py", "PIL": "Pillow"},
    "sklearn": "scikit-learn",
}
_BEGUN = 3  # letters that tell how a name begins
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
    """Root of every error that rocstats raises on purpose.

    Catch it to catch all of them. The sentence says which input is meant and what to do.
    """


class InvalidSampleError(RocstatsError, ValueError):
    """The labels, scores or subject ids do not make a sample.

    Mend the rows that the sentence names, or say how they are meant: the positive class by
    ``pos_label=``, missing values by ``nan_policy="omit"``, low scores that speak for disease by
    ``higher_is_positive=False``.
    """


class SingleClassError(InvalidSampleError):
    """Only one of the two classes is present.

    Look whether the outcome was read as you meant it (``pos_label=``), and whether leaving out rows
    or taking a subgroup left one class empty. With one class there is no ROC curve.
    """


class NotPairedError(InvalidSampleError):
    """Rows that should share subjects do not.

    Give the markers of the same subjects, in the same order, or subject ids to pair them by. For
    different subjects use `rocstats.compare_independent`.
    """


class NestedModelsError(InvalidSampleError):
    """Fitted values of nested models are not to be compared by their areas.

    Compare nested models by a likelihood-ratio test, or by scores of rows that neither model was
    fitted to: on its own rows the larger model always looks better.
    """


class ScoreRangeError(InvalidSampleError):
    """A score lies where the measure is not defined.

    Give probabilities from 0 to 1 to what needs them (smAUC, Brier score, calibration, decision
    curves), or scale the scores; the AUC takes any scores.
    """


class InvalidOptionError(RocstatsError, ValueError):
    """An argument other than the data has a value that is not offered.

    Take one of the values that the sentence lists.
    """


class InvalidCallError(InvalidOptionError, TypeError):
    """A call does not fit: an unknown keyword, too many arguments by position, or too few.

    Name the arguments as the sentence says: the data go by position, most others by keyword.
    """


class UnknownRowError(InvalidOptionError, KeyError):
    """A result has no row of that name or number.

    Ask for one of the rows that the sentence lists, or loop over the result.
    """

    __str__ = Exception.__str__  # a KeyError would put the sentence into quotes


class MissingDependencyError(RocstatsError, ImportError):
    """An optional library is needed and not installed.

    Install the extra that the sentence names, as in ``pip install "rocstats[io]"``.
    """


def is_installed(library: str) -> bool:
    """Return whether a library can be imported."""
    try:
        import_module(library)
    except (ImportError, OSError):  # OSError: it rests on a library of the system
        return False
    return True


def require_library(library: str, what: str, extra: str) -> None:
    """Raise `MissingDependencyError` unless a library can be imported; name the extra."""
    if not is_installed(library):
        raise MissingDependencyError(
            f"{what} needs {_INSTALLED_AS.get(library, library)}, which is not installed or cannot "
            f'be loaded; run: pip install "rocstats[{extra}]".'
        )


class LostWorkersError(RocstatsError, RuntimeError):
    """Processes that worked for this one ended before their work was done.

    Give each worker less to hold, or ask for fewer of them (``n_jobs=``): most often the machine
    ran out of memory. Answers do not depend on the number of workers.
    """


class RBridgeError(RocstatsError, RuntimeError):
    """R stopped, or a value cannot cross the bridge to R.

    Read what R said, which is in the sentence. Data frames cross as columns of numbers and text.
    """


class RUnavailableError(RBridgeError):
    """R, an R package or rpy2 is not there; the message says what to install.

    Install what the message names; nothing but `rocstats.rbridge` and the cross-checks needs R.
    """


class RocstatsWarning(_Said, UserWarning):
    """Root of every warning that rocstats gives.

    The answer stands; the sentence says what to mind about it.
    """


class DegenerateVarianceWarning(RocstatsWarning):
    """The variance is zero, negative or undefined, so it does not measure the uncertainty.

    Do not report the standard error or a p-value made of it. Intervals by the default method stay
    honest where there are any; a curve without errors needs more subjects, not another formula.
    """


class SmallSampleWarning(RocstatsWarning):
    """A class, or its part in a window, has too few subjects for a variance to be trusted.

    Take an interval that needs no large sample (``method="auto"`` does), a permutation test, or
    more subjects, and report the counts.
    """


class ExtremeWeightsWarning(RocstatsWarning):
    """A few subjects with large weights make most of the answer.

    Look at the largest weights and who has them; a probability of verification near 0 means that
    almost nobody of that kind is known.
    """


class IncompletePairsWarning(RocstatsWarning):
    """Subjects without every marker were left out of a comparison.

    Report how many were left out and why they lack a marker; estimates of one marker alone may
    still use them.
    """


class PrevalenceWarning(RocstatsWarning):
    """A measure that depends on the class ratio is compared between different ratios.

    Compare at one prevalence, or with a measure that does not depend on it, as the AUC.
    """


class PooledFoldsWarning(RocstatsWarning):
    """Scores of several cross-validation models were pooled as if one model gave them.

    Average over folds, or compare within them, as ``rs.cv_auc`` and ``rs.cv_compare`` do: models
    need not score on one scale.
    """


class PooledReadersWarning(RocstatsWarning):
    """Ratings of several readers were pooled as if each were of another subject.

    Make a reader study of the same frame, ``rs.ReaderStudy.from_frame``, and give it to
    ``rs.compare_readers``; for one reader alone, select the rows first.
    """


class RepairedFileWarning(RocstatsWarning):
    """A file was not clean: it was repaired on its way in, or leaves a question open.

    Look at what `rocstats.check` tells of it; answer its questions by options, or mend the file.
    """


class RepeatedSubjectWarning(RocstatsWarning):
    """Subject ids repeat although no cluster was named.

    Name the column as ``cluster=`` if rows of one subject are several measurements; if ids repeat
    by mistake, mend them.
    """


class RWarning(RocstatsWarning):
    """R warned while it worked for rocstats.

    Read R's words, which are in the sentence; R's answer was taken.
    """


class MidOutOfRangeWarning(RocstatsWarning):
    """The estimated smROC midpoint exceeds 1, so every score counts as low.

    Give a midpoint inside the scores (``midpoint=0.5``); do not compare this smAUC with others.
    """


def warn_user(message: str, category: type[RocstatsWarning]) -> None:
    """Warn at the line outside rocstats that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__", "")).startswith("rocstats."):
        frame, level = frame.f_back, level + 1
    warnings.warn(category(message), stacklevel=level)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return ``" Did you mean 'x'?"`` for the known name closest to `name`, or an empty string.

    A name that begins so is closer than one that is spelt alike.

    Examples
    --------
    >>> did_you_mean("--lower", ["--cluster", "--lower-is-positive"])
    " Did you mean '--lower-is-positive'?"
    """
    word = str(name)[:_WORD]
    words = [str(k)[:_WORD] for k in islice(known, _MOST_NAMES)]
    begun = [k for k in words if len(word) >= _BEGUN and k.casefold().startswith(word.casefold())]
    close = sorted(begun, key=len) or get_close_matches(word, words, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def counted(n: int, noun: str) -> str:
    """Return a count with its noun: 1 cell, 2 cells."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


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
    for k in known:
        if value is k or (type(value) is type(k) and value == k):
            return
    offered = ", ".join(repr(k) for k in known)
    hint = did_you_mean(value, known) if isinstance(value, str) else ""
    raise InvalidOptionError(f"{named(name)} must be one of {offered}, got {shown(value)}.{hint}")


def several(value: object) -> bool:
    """Return whether a value holds others, as a list or an array does; a text holds none."""
    no_text = not isinstance(value, str | bytes)
    return no_text and hasattr(value, "__iter__") and getattr(value, "ndim", 1) != 0


def as_number(value: object) -> float:
    """Return any real number but a bool as a float, and nan for anything else."""
    if type(value) is float:  # as most are: whether it is Real takes longer to ask
        return value
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


def check_significance(value: float, *, most: float = 0.5) -> float:
    """Return a level of a test, one-sided ones strictly between 0 and 0.5, or raise."""
    number = as_number(value)
    if not 0.0 < number < most:
        raise InvalidOptionError(
            f"{named('significance')} must lie strictly between 0 and {most:g}, got {value!r}."
        )
    return number


# What things are called elsewhere, or were called here: the words to look for in their place, with
# a remark after a comma. One table for keywords, attributes, the command line and its TOML file.
WORDS = {
    "reference": ("versus",),
    "resamples": ("n_resamples",),
    "n_boot": ("n_resamples",),
    "n_bootstraps": ("n_resamples",),
    "n_permutations": ("n_resamples",),
    "n_resamples": ("n_replicates",),
    "n_simulations": ("n_replicates",),
    "seed": ("rng",),
    "random_state": ("rng",),
    "rng": ("seed",),
    "measure": ("measures", "statistic", "by"),
    "measures": ("measure", "by"),
    "alpha": ("significance", "confidence_level, which is 1 - alpha"),
    "ci": ("confidence_interval", "confidence_level"),
    "conf_int": ("confidence_interval",),
    "confidence_intervals": ("confidence_interval",),
    "conf_level": ("confidence_level",),
    "level": ("confidence_level",),
    "null": ("null_value",),
    "se": ("std_error",),
    "stderr": ("std_error",),
    "p": ("pvalue",),
    "p_value": ("pvalue",),
    "labels": ("y_true",),
    "preds": ("y_score",),
    "scores": ("y_score",),
    "y_pred": ("y_score", "y_prob"),
    "y_score": ("y_prob",),
    "y_prob": ("y_score",),
    "positive": ("pos_label",),
    "direction": ("higher_is_positive",),
    "max_fpr": ("fpr, as in fpr=(0, 0.1)",),
    "subgroups": ("subgroup",),
}


def new_word(word: str, known: Iterable[str]) -> tuple[str, str] | None:
    """Return the word among `known` for what `word` means too, and a remark on it, or None."""
    there = set(known)
    for entry in WORDS.get(word, ()):
        new, comma, remark = entry.partition(",")
        if new in there:
            return new, comma + remark
    return None


class Polite:
    """Methods that refuse a call in a sentence, and names that say what they are called now."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        make_polite(cls)

    if not TYPE_CHECKING:  # or a checker would take any name

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            if hasattr(kind, name):  # a property that failed for want of another attribute
                return object.__getattribute__(self, name)
            message = f"{kind.__name__} has no attribute {name!r}."
            if not name.startswith("_"):
                there = [word for word in dir(kind) if not word.startswith("_")]
                new = new_word(name, there)
                message = (
                    f"{kind.__name__} has no attribute {name!r}; it is called {''.join(new)}."
                    if new
                    else message + did_you_mean(name, there)
                )
            raise AttributeError(message, name=name, obj=self)


def make_polite(kind: type) -> None:
    """Make the public methods of a class polite, and how it is made if that can be seen."""
    for name, value in list(vars(kind).items()):
        held = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if not isinstance(held, FunctionType) or hasattr(held, "__wrapped__"):
            continue
        if name == "__init__" or not name.startswith("_"):
            made = polite(held)
            setattr(kind, name, made if held is value else type(value)(made))


def polite(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that refuses a call which does not fit in a sentence.

    After a sample, which has its scores, the second argument is the name of a marker, or what
    would come after the scores.
    """
    code = function.__code__
    wants_scores = code.co_varnames[1:2] in (("y_score",), ("y_prob",), ("y",))

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if wants_scores and len(args) > 1 and hasattr(args[0], "_has_scores"):
            args, kwargs = _after_a_sample(code, args, kwargs)
        try:
            return function(*args, **kwargs)
        except (_Said, ImportError):
            raise
        except Exception as error:
            of_the_work = error.__traceback__ is None or error.__traceback__.tb_next is not None
            if not of_the_work and isinstance(error, TypeError):
                sentence: str | None = _misfit(function, args, kwargs)
            else:
                sentence = _stranger(function, args, kwargs)
            if sentence is None:
                raise
            cause = error if of_the_work else None
        raise InvalidCallError(sentence) from cause

    return called


def _is_one(kind: type, value: Any) -> bool:
    return isinstance(value, kind)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    if isinstance(value, Integral):
        return _is_whole(value) and math.isfinite(as_number(value))
    return isinstance(value, Real)


def _are_numbers(value: Any) -> bool:
    import numpy as np

    try:
        return np.asarray(value).dtype.kind != "c" and np.asarray(value, dtype=float).ndim >= 0
    except (TypeError, ValueError, OverflowError):
        return False


# What an annotation asks for: whether a value is that, and what it is called.
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "None": (lambda value: value is None, "None"),
    "bool": (lambda value: type(value).__name__.startswith("bool"), "True or False"),
    "int": (_is_whole, "a whole number"),
    "float": (_is_number, "a number"),
    "str": (lambda value: isinstance(value, str), "a name"),
    "Literal": (lambda value: isinstance(value, str), "a name"),
    "PathLike": (lambda value: hasattr(value, "__fspath__"), "a path"),
    "ArrayLike": (_are_numbers, "numbers"),
    "Mapping": (lambda value: isinstance(value, Mapping), "a mapping"),
    **dict.fromkeys(("Iterable", "Sequence", "tuple"), (several, "several values")),
}


def _stranger(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str | None:
    """Return a sentence on the first argument that is not what it is declared to be, or None."""
    called = signature(function)
    for word, value in called.bind(*args, **kwargs).arguments.items():
        kinds = _kinds(called.parameters[word].annotation, function.__globals__)
        if kinds and not any(fits(value) for fits, _ in kinds):
            wanted = " or ".join(dict.fromkeys(name for _, name in kinds))
            return f"{named(word)} must be {wanted}, got {shown(value)}."
    return None


def _kinds(annotation: object, names: Mapping[str, Any]) -> list[tuple[Callable[[Any], bool], str]]:
    """Return what an annotation asks for; nothing where it, or a part of it, is not known."""
    text = str(getattr(annotation, "__name__", annotation))
    while "[" in text:
        text = re.sub(r"\[[^][]*\]", "", text)
    found = []
    for word in text.split(" | "):
        name = word.rpartition(".")[2]
        held = names.get(name, getattr(sys.modules["rocstats"], name, None))
        if name in _KINDS:
            found.append(_KINDS[name])
        elif isinstance(held, type) and held.__module__.startswith("rocstats."):
            an = "an" if name[0] in "AEIOU" else "a"
            found.append((partial(_is_one, held), f"{an} {name}"))
        elif held is None or str(held) == annotation or not (inner := _kinds(held, {})):
            return []
        else:
            found += inner
    return found


def _after_a_sample(
    code: CodeType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments with what stands second in its place."""
    sample, second, *rest = args
    is_name = isinstance(second, str)
    any_size = code.co_varnames[1] == "y"  # of a second sample, not of scores
    if second is None or (
        not is_name and (any_size or _could_be_scores(second, sample.n_pos + sample.n_neg))
    ):
        return args, kwargs
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    word = next((name for name in ("marker", "markers") if name in names), None)
    nothing_else = code.co_argcount == 2
    if word and word not in kwargs and is_name and (second in sample.markers or nothing_else):
        return (sample, None, *rest), {**kwargs, word: second}
    return (args, kwargs) if nothing_else else ((sample, None, second, *rest), kwargs)


def _could_be_scores(value: Any, size: int) -> bool:
    return hasattr(value, "keys") or (hasattr(value, "__len__") and len(value) == size)


def _misfit(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Return a sentence on what in a call does not fit, and what would."""
    parameters = list(signature(function).parameters.values())
    owner, dot, name = function.__qualname__.rpartition(".")
    if dot and not owner.endswith(">"):  # a method, whose first argument is not the caller's
        parameters, args = parameters[1:], args[1:]
    call = f"{owner if name == '__init__' else function.__qualname__}()"
    by_place = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    for word in kwargs:
        if word not in by_place and word not in by_name:
            return f"{call} has no {keyword(word)}; {_instead(word, parameters)}"
    if len(args) > len(by_place):
        most = f"takes {_and(by_place)} by position" if by_place else "takes nothing by position"
        rest = f"; name what comes after: {listed(map(keyword, by_name), 4)}" if by_name else ""
        return f"{call} {most}, got {len(args)} arguments{rest}."
    twice = [word for word in by_place[: len(args)] if word in kwargs]
    if twice:
        return f"{call} was given {named(twice[0])} twice, by position and by name."
    lacking = [
        p.name
        for p in parameters
        if p.default is p.empty and p.name not in (*kwargs, *by_place[: len(args)])
    ]
    said = _and([keyword(word) for word in lacking])
    return f"{call} needs {said} too." if args or kwargs else f"{call} needs {said}."


def _instead(word: str, parameters: Sequence[Parameter]) -> str:
    """Return what to write for a keyword that a call does not know."""
    names = [p.name for p in parameters]
    new = new_word(word, names)
    if new:
        return f"it is called {keyword(new[0])}{new[1]}."
    for p in parameters:  # a setting of an object that is given as a whole
        settings = getattr(p.default, "__dataclass_fields__", {})
        inner = (word, "") if word in settings else new_word(word, settings)
        if inner:
            kind = type(p.default).__name__
            return f"write {named(f'{p.name}=rs.{kind}({inner[0]}=...)')}."
    return f"it takes {listed(names, 12)}.{did_you_mean(word, names)}"


def _and(words: Sequence[str]) -> str:
    return " and ".join(", ".join(words).rsplit(", ", 1))
