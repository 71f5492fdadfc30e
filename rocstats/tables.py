"""What a result states, once, and its renderings: text, HTML, frame, JSON, forest."""

from __future__ import annotations

import html
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib import import_module
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from rocstats.errors import Polite, UnknownRowError, check_option, did_you_mean, listed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = [
    "Answer",
    "AnswerAtLevel",
    "AnswerByMethod",
    "AnswerInPart",
    "Later",
    "PlainRows",
    "Record",
    "Row",
    "Rows",
    "SingleValue",
    "Statement",
    "TidyRows",
    "by_number",
    "counted",
    "html_table",
    "plain",
    "plot_forest",
    "plot_plan",
    "show_p",
    "show_value",
    "text_table",
    "tidy_rows",
]

Row = Mapping[str, Any]
R = TypeVar("R")


class Later(Mapping[str, Any]):
    """Columns, or contents, that are made when they are first looked at."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._make = make
        self._made: Mapping[str, Any] | None = None

    def _content(self) -> Mapping[str, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, name: str) -> Any:
        return self._content()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content())

    def __len__(self) -> int:
        return len(self._content())


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a result says, before it is rendered.

    Attributes
    ----------
    head : the head line, or lines
    rows : tidy rows; for a curve, a mapping of columns (arrays of one length)
    shown : the columns of the printed table; none for a table that is not printed
    in_words : whether the head says the row already, so that text needs no table
    show : how a cell of the table is written
    notes : lines below the table
    parts : statements printed after this one's own words, each in turn
    content : what ``to_dict`` gives; the only row, or the columns, where it is None
    """

    head: str = ""
    rows: Sequence[Row] | Mapping[str, Any] = ()
    shown: Sequence[str] = ()
    in_words: bool = False
    show: Callable[[Any], str] = field(default_factory=lambda: show_value)
    notes: Sequence[str] = ()
    parts: Sequence[Statement] = ()
    content: Mapping[str, Any] | None = field(default=None)

    @property
    def row(self) -> Row:
        """The only row."""
        (row,) = self.rows
        return row  # type: ignore[return-value]

    @property
    def tidy(self) -> Sequence[Row]:
        """The rows, one by one, also where they are columns."""
        return tidy_rows(self.rows) if isinstance(self.rows, Mapping) else self.rows

    def as_text(self) -> str:
        """Return head, table and notes as text."""
        table = "" if self.in_words else self.table()
        own = "\n".join(line for line in (self.head, table, *self.notes) if line)
        return "\n\n".join(text for text in (own, *(p.as_text() for p in self.parts)) if text)

    def table(self) -> str:
        """Return the table alone as text."""
        return text_table(self.tidy, self.shown, self.show) if self.shown else ""

    def as_html(self) -> str:
        """Return the same as HTML, escaped."""
        table = html_table(self.tidy, self.shown, self.show) if self.shown else ""
        head = [_paragraph(line) for line in self.head.splitlines()]
        notes = [_paragraph(line) for note in self.notes for line in note.splitlines()]
        return "".join([*head, table, *notes, *(part.as_html() for part in self.parts)])

    def as_dict(self) -> dict[str, Any]:
        """Return valid JSON: built-in values in which what is no finite number is None."""
        content = self.content
        if content is None:
            content = self.rows if isinstance(self.rows, Mapping) else self.rows[0]
        answer: dict[str, Any] = plain(content)
        return answer

    def noting(self, line: str) -> Statement:
        """Return the statement with one more line at its end."""
        if self.parts:
            return replace(self, parts=[*self.parts, Statement(head=line)])
        return replace(self, notes=[*self.notes, line])

    def as_frame(self, backend: str = "pandas") -> Any:
        """Return the rows as a data frame of a library, with nan and infinity as they are."""
        import pandas as pd

        check_option("backend", backend, _BACKENDS)
        rows = self.rows
        if isinstance(rows, Later):  # no one else has these columns
            frame = pd.DataFrame(dict(rows), copy=False)
        else:
            frame = pd.DataFrame(dict(rows) if isinstance(rows, Mapping) else list(rows))
        return frame if backend == "pandas" else _moved(frame, backend)


# Library: what makes a frame of columns there.
_MAKERS = {"polars": "DataFrame", "pyarrow": "table"}
_BACKENDS = ("pandas", *_MAKERS)


def _moved(frame: pd.DataFrame, backend: str) -> Any:
    """Return a frame of pandas as one of another library; objects by what they hold."""
    columns = {str(name): frame[name].tolist() for name in frame.columns}
    return getattr(import_module(backend), _MAKERS[backend])(columns)


class Answer(Polite):
    """A result that states its rows, head line and notes once; every rendering follows.

    Where it has an `account` of its subjects (which class is positive, who was left out) text and
    HTML end with it and ``to_dict`` holds it as ``"subjects"``; an `_account` is one that its own
    statement tells.
    """

    __slots__ = ()

    def statement(self) -> Statement:
        """Return what the result says, before it is rendered.

        Returns
        -------
        Statement
            Head, rows and notes.
        """
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the result as valid JSON: what is no finite number is None.

        Returns
        -------
        dict
            Built-in values, ready for `json.dumps`.
        """
        return self._accounted(self.statement())

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return the tidy rows as a data frame, with nan and infinity as they are.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default "pandas"
            Whose data frame it is.

        Returns
        -------
        pandas.DataFrame, or that of the backend
            One row for each tidy row.
        """
        return self.statement().as_frame(backend)

    def __repr__(self) -> str:
        return self._noted().as_text()

    def _repr_html_(self) -> str:
        return self._noted().as_html()

    def _noted(self) -> Statement:
        """Return the statement; what it warns of is a note, for a look at a result warns not."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            stated = self.statement()
            account = getattr(self, "account", None)
        if account is not None:
            stated = stated.noting(str(account))
        heard = dict.fromkeys(f"Note: {warning.message}" for warning in caught)
        if not heard:
            return stated
        return Statement(parts=[stated, *(Statement(head=note) for note in heard)])

    def _accounted(self, stated: Statement) -> dict[str, Any]:
        """Return the statement as JSON, with the account of the subjects where there is one."""
        account = getattr(self, "account", None) or getattr(self, "_account", None)
        if account is None:
            return stated.as_dict()
        return {**stated.as_dict(), "subjects": plain(account.as_dict())}


class AnswerAtLevel(Answer):
    """An answer whose rows have confidence limits, at the level asked for."""

    __slots__ = ()

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return what the result says, before it is rendered.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        Statement
            Head, rows and notes.
        """
        raise NotImplementedError

    def to_dict(self, *, confidence_level: float = 0.95) -> dict[str, Any]:
        """Return the result as valid JSON: what is no finite number is None.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        dict
            Built-in values, ready for `json.dumps`.
        """
        return self._accounted(self.statement(confidence_level=confidence_level))

    def to_frame(self, *, confidence_level: float = 0.95, backend: str = "pandas") -> Any:
        """Return the tidy rows as a data frame, with nan and infinity as they are.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.
        backend : {"pandas", "polars", "pyarrow"}, default "pandas"
            Whose data frame it is.

        Returns
        -------
        pandas.DataFrame, or that of the backend
            One row for each tidy row.
        """
        return self.statement(confidence_level=confidence_level).as_frame(backend)


class AnswerByMethod(AnswerAtLevel):
    """An answer whose limits are those of a method, too."""

    __slots__ = ()

    def statement(self, *, confidence_level: float = 0.95, method: str = "auto") -> Statement:
        """Return what the result says, before it is rendered.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            Method of the intervals, as `confidence_interval` of the result takes it.

        Returns
        -------
        Statement
            Head, rows and notes.
        """
        raise NotImplementedError

    def to_dict(self, *, confidence_level: float = 0.95, method: str = "auto") -> dict[str, Any]:
        """Return the result as valid JSON: what is no finite number is None.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            Method of the intervals, as `confidence_interval` of the result takes it.

        Returns
        -------
        dict
            Built-in values, ready for `json.dumps`.
        """
        return self._accounted(self.statement(confidence_level=confidence_level, method=method))

    def to_frame(
        self, *, confidence_level: float = 0.95, method: str = "auto", backend: str = "pandas"
    ) -> Any:
        """Return the tidy rows as a data frame, with nan and infinity as they are.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            Method of the intervals, as `confidence_interval` of the result takes it.
        backend : {"pandas", "polars", "pyarrow"}, default "pandas"
            Whose data frame it is.

        Returns
        -------
        pandas.DataFrame, or that of the backend
            One row for each tidy row.
        """
        return self.statement(confidence_level=confidence_level, method=method).as_frame(backend)


class AnswerInPart(Answer):
    """An answer of many measures, of which some may be asked for."""

    __slots__ = ()

    def statement(self, *, measures: Sequence[str] | None = None) -> Statement:
        """Return what the result says, before it is rendered.

        Parameters
        ----------
        measures : sequence of str, optional
            Those that are wanted; all by default, and no others are computed.

        Returns
        -------
        Statement
            Head, rows and notes.
        """
        raise NotImplementedError

    def to_dict(self, *, measures: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the result as valid JSON: what is no finite number is None.

        Parameters
        ----------
        measures : sequence of str, optional
            Those that are wanted; all by default, and no others are computed.

        Returns
        -------
        dict
            Built-in values, ready for `json.dumps`.
        """
        return self._accounted(self.statement(measures=measures))

    def to_frame(self, *, measures: Sequence[str] | None = None, backend: str = "pandas") -> Any:
        """Return the tidy rows as a data frame, with nan and infinity as they are.

        Parameters
        ----------
        measures : sequence of str, optional
            Those that are wanted; all by default, and no others are computed.
        backend : {"pandas", "polars", "pyarrow"}, default "pandas"
            Whose data frame it is.

        Returns
        -------
        pandas.DataFrame, or that of the backend
            One row for each tidy row.
        """
        return self.statement(measures=measures).as_frame(backend)


class Record(Answer):
    """A small value: its fields are the one row, and the head line is what Python would write.

    Fields that are arrays are columns.
    """

    __slots__ = ()

    def statement(self) -> Statement:
        """Return the fields of the dataclass."""
        row = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        given = ", ".join(f"{name}={value!r}" for name, value in row.items())
        head = f"{type(self).__name__}({given})"
        if any(getattr(value, "ndim", 0) for value in row.values()):
            return Statement(head=head, rows=row)
        return Statement(head=head, rows=[row], shown=tuple(row), in_words=True)


class Rows(Generic[R]):
    """Rows that answer to `len`, to iteration, to a number, to a part and to their names.

    A result says what its rows are called (`_names`) and what each is (`_row`). A name that
    several rows have gives a part of the result (`_part`), one that none has a sentence.
    """

    __slots__ = ()

    _one: ClassVar = "row"  # what a row is called in that sentence

    def _names(self) -> Sequence[tuple[Any, ...]]:
        raise NotImplementedError

    def _row(self, i: int) -> R:
        raise NotImplementedError

    def _part(self, where: Sequence[int]) -> Any:
        """Return some of the rows, as a result of the same kind where there is one."""
        return tuple(map(self._row, where))

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[R]:
        return map(self._row, range(len(self)))

    def __contains__(self, key: object) -> bool:
        return bool(self._where(key)) or any(row is key for row in self)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._part(range(len(self))[key])
        if not isinstance(key, bool) and isinstance(key, Integral):
            at, size = int(key), len(self)
            if not -size <= at < size:
                there = f"there are {counted(size, self._one)}, the first is 0"
                raise UnknownRowError(f"There is no {self._one} {at}; {there}.")
            return self._row(range(size)[at])
        where = self._where(key)
        if not where:
            names = self._names()
            first = list(dict.fromkeys(own[0] for own in names if own))
            known = [*first, *(word for own in names for word in own), *map(_in_words, names)]
            shown = map(_in_words, names) if isinstance(key, tuple) else first
            there = f"there are {listed(shown)}" if first else f"there are {len(self)}, by number"
            raise UnknownRowError(
                f"There is no {self._one} {_in_words(key)}; {there}."
                f"{did_you_mean(_in_words(key), known)}"
            )
        return self._row(where[0]) if len(where) == 1 else self._part(where)

    def _where(self, key: Any) -> list[int]:
        """Return the rows that are called so: by all their names, the first one, or any."""
        names = self._names()
        wanted = key if isinstance(key, tuple) else (key,)
        whole = [i for i, own in enumerate(names) if own == wanted or own == (_difference(key),)]
        first = [i for i, own in enumerate(names) if len(wanted) == 1 and own[:1] == wanted]
        return (
            whole
            or first
            or [i for i, own in enumerate(names) if wanted and all(word in own for word in wanted)]
        )


class TidyRows(Rows[Row]):
    """The tidy rows of a statement as rows, called by the columns of `_named_by`."""

    __slots__ = ()

    _named_by: ClassVar[tuple[str, ...]] = ()

    def _names(self) -> list[tuple[Any, ...]]:
        return [tuple(row[column] for column in self._named_by) for row in self]

    def _row(self, i: int) -> Row:
        return self._tidy()[i]

    def __len__(self) -> int:
        return len(self._tidy())

    def __iter__(self) -> Iterator[Row]:
        return iter(self._tidy())

    def _tidy(self) -> Sequence[Row]:
        stated: Statement = self.statement()  # type: ignore[attr-defined]
        return stated.tidy


class SingleValue:
    """An estimate that answers to `float` and to a format: ``f"{estimate:.3f}"``."""

    __slots__ = ()

    def __float__(self) -> float:
        return float(self.value)  # type: ignore[attr-defined]

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


def _difference(key: Any) -> Any:
    """Return two names as the difference of them is called."""
    return " - ".join(map(str, key)) if isinstance(key, tuple) and len(key) == 2 else None


def _in_words(names: Any) -> str:
    return "/".join(map(str, names)) if isinstance(names, tuple) else str(names)


def counted(number: int, word: str) -> str:
    """Return ``1 positive`` or ``2 positives``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def by_number(level: str) -> tuple[bool, float, str]:
    """Return the key that sorts levels: those written as numbers first, by their size.

    Examples
    --------
    >>> sorted(["high", "10", "9"], key=by_number)
    ['9', '10', 'high']
    """
    try:
        return False, float(level), level
    except ValueError:
        return True, 0.0, level


def show_value(value: Any) -> str:
    """Return a value as a reader wants it: four decimals, or four digits where it is small."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4g}" if 0.0 < abs(value) < 0.001 or abs(value) >= 1e6 else f"{value:.4f}"


def show_p(pvalue: float) -> str:
    """Return ``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if pvalue < 0.0001 else f"= {pvalue:.4f}"


def text_table(
    rows: Sequence[Row], columns: Sequence[str], show: Callable[[Any], str] = show_value
) -> str:
    """Return tidy rows as aligned text."""
    cells = [list(columns), *([show(row[c]) for c in columns] for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(columns))]
    numeric = [isinstance(rows[0][c], (int, float)) for c in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in cells
    )


def html_table(
    rows: Sequence[Row], columns: Sequence[str], show: Callable[[Any], str] = show_value
) -> str:
    """Return tidy rows as an HTML table, escaped."""
    head = "".join(f'<th scope="col">{html.escape(c)}</th>' for c in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(show(row[c]))}</td>" for c in columns) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def tidy_rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns, arrays or lists of one length, as tidy rows of built-in values.

    Examples
    --------
    >>> tidy_rows({"a": [1, 2], "b": ["x", "y"]})
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}]
    """
    lists = [c.tolist() if hasattr(c, "tolist") else c for c in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def _paragraph(line: str) -> str:
    return f"<p>{html.escape(line)}</p>"


def plain(value: Any, *, infinity: str | None = None) -> Any:
    """Return built-in values that JSON can hold: what is no finite number is None, or a word.

    Examples
    --------
    >>> plain({"df": float("inf")}), plain((-float("inf"), float("nan")), infinity="Infinity")
    ({'df': None}, ['-Infinity', None])
    """
    kind = type(value)
    if kind in _AS_IS or (kind is float and math.isfinite(value)):
        return value
    if kind is PlainRows:
        return list(value)
    if kind is list or kind is tuple:
        return _plain_items(value, infinity)
    if kind is dict or isinstance(value, Mapping):
        return dict(zip(map(str, value), _plain_items(value.values(), infinity), strict=True))
    if is_dataclass(value) and not isinstance(value, type):
        items = {f.name: getattr(value, f.name) for f in fields(value)}
        return plain(items, infinity=infinity)
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return _plain_array(value, infinity)
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return _plain_items(value, infinity)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        if math.isinf(number) and infinity is not None:
            return infinity if number > 0.0 else f"-{infinity}"
        return number if math.isfinite(number) else None
    return str(value)


def plot_forest(
    rows: Sequence[Row],
    names: Sequence[str],
    ax: Axes | None,
    *,
    x_label: str,
    level: float | None = None,
    color: str | tuple[float, ...] | None = None,
) -> Axes:
    """Draw tidy rows with an estimate and its limits, one below the other; return the axes."""
    from rocstats.plots.forest_plot import draw_forest

    return draw_forest(rows, names, ax, x_label=x_label, level=level, color=color)


def plot_plan(size: Sequence[int], value: Sequence[float], ax: Axes | None, **how: Any) -> Axes:
    """Draw what a plan reaches against its size, as `draw_plan` does; return the axes."""
    from rocstats.plots.power_plot import draw_plan

    return draw_plan(size, value, ax, **how)


class PlainRows(list[dict[str, Any]]):
    """Columns as tidy rows that JSON can hold: columns are made plain in one step, rows are not."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        super().__init__(tidy_rows(plain(columns)))


_AS_IS = frozenset((type(None), bool, int, str))
_NUMBERS = "?bhilqBHILQefd"  # kinds of array that turn into numbers of Python


def _plain_items(items: Iterable[Any], infinity: str | None) -> list[Any]:
    """Return a list of plain values; there may be millions, and most are plain already."""
    return [
        item
        if type(item) in _AS_IS or (type(item) is float and math.isfinite(item))
        else plain(item, infinity=infinity)
        for item in items
    ]


def _plain_array(array: Any, infinity: str | None) -> Any:
    """Return an array, or a number of numpy, as plain values; long ones in one step."""
    import numpy as np

    if getattr(array, "dtype", None) == np.longdouble:  # which Python has no number for
        array = array.astype(np.float64)
    items = array.tolist()
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.char not in _NUMBERS:
        return plain(items, infinity=infinity)
    if array.dtype.kind == "f":
        for i in np.flatnonzero(~np.isfinite(array)).tolist():
            items[i] = plain(items[i], infinity=infinity)
    return items
