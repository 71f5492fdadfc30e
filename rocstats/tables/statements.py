"""What a result says, before it is rendered: a head, tidy rows and notes."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocstats.errors import check_option
from rocstats.tables.plain_tables import Row, html_table, show_value, text_table
from rocstats.tables.plain_values import plain, tidy_rows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Later", "Statement"]


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


def _paragraph(line: str) -> str:
    return f"<p>{html.escape(line)}</p>"
