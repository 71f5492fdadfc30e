"""A result that states its rows, head line and notes once; every rendering follows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from rocstats.errors import Polite
from rocstats.tables.plain_values import plain
from rocstats.tables.statements import Statement

__all__ = ["Answer", "AnswerAtLevel", "AnswerByMethod", "AnswerInPart", "Record"]


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

    def to_latex(self) -> str:
        """Return what is printed as a table for LaTeX, ruled by booktabs.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Returns
        -------
        str
            The table, or tables; a comment says which packages they need.
        """
        from rocstats.tables.table_files import latex_of

        return latex_of(self._noted())

    def to_docx(self, path: str | os.PathLike[str]) -> Path:
        """Write what is printed as a table for Word, whole or not at all, and return where.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        path : str or path
            The file, ending in .docx; another ending is refused.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        from rocstats.tables.table_files import write_docx

        return write_docx(path, self._noted())

    def __repr__(self) -> str:
        return self._noted().as_text()

    def _repr_html_(self) -> str:
        return self._noted().as_html()

    def _noted(self, **options: Any) -> Statement:
        """Return the statement; what it warns of is a note, for a look at a result warns not."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            stated = self.statement(**options)
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

    def to_latex(self, *, confidence_level: float = 0.95) -> str:
        """Return what is printed as a table for LaTeX, ruled by booktabs.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        str
            The table, or tables; a comment says which packages they need.
        """
        from rocstats.tables.table_files import latex_of

        return latex_of(self._noted(confidence_level=confidence_level))

    def to_docx(self, path: str | os.PathLike[str], *, confidence_level: float = 0.95) -> Path:
        """Write what is printed as a table for Word, whole or not at all, and return where.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        path : str or path
            The file, ending in .docx; another ending is refused.
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        from rocstats.tables.table_files import write_docx

        return write_docx(path, self._noted(confidence_level=confidence_level))


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

    def to_latex(self, *, confidence_level: float = 0.95, method: str = "auto") -> str:
        """Return what is printed as a table for LaTeX, ruled by booktabs.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            Method of the intervals, as `confidence_interval` of the result takes it.

        Returns
        -------
        str
            The table, or tables; a comment says which packages they need.
        """
        from rocstats.tables.table_files import latex_of

        return latex_of(self._noted(confidence_level=confidence_level, method=method))

    def to_docx(
        self, path: str | os.PathLike[str], *, confidence_level: float = 0.95, method: str = "auto"
    ) -> Path:
        """Write what is printed as a table for Word, whole or not at all, and return where.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        path : str or path
            The file, ending in .docx; another ending is refused.
        confidence_level : float, default 0.95
            Level of the intervals.
        method : str, default "auto"
            Method of the intervals, as `confidence_interval` of the result takes it.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        from rocstats.tables.table_files import write_docx

        return write_docx(path, self._noted(confidence_level=confidence_level, method=method))


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

    def to_latex(self, *, measures: Sequence[str] | None = None) -> str:
        """Return what is printed as a table for LaTeX, ruled by booktabs.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        measures : sequence of str, optional
            Those that are wanted; all by default, and no others are computed.

        Returns
        -------
        str
            The table, or tables; a comment says which packages they need.
        """
        from rocstats.tables.table_files import latex_of

        return latex_of(self._noted(measures=measures))

    def to_docx(
        self, path: str | os.PathLike[str], *, measures: Sequence[str] | None = None
    ) -> Path:
        """Write what is printed as a table for Word, whole or not at all, and return where.

        A value and its interval stand in one cell: ``0.910 (0.840 to 0.950)``.

        Parameters
        ----------
        path : str or path
            The file, ending in .docx; another ending is refused.
        measures : sequence of str, optional
            Those that are wanted; all by default, and no others are computed.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        from rocstats.tables.table_files import write_docx

        return write_docx(path, self._noted(measures=measures))


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
