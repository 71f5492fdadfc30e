"""What came of a file: its table, the log of repairs, and the questions that are left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocstats.data.columns import beyond_doubles, refuse_beyond
from rocstats.data.intake.intake_log import Places, Question, Repair
from rocstats.data.intake.number_cells import read_cell
from rocstats.data.reading.table import Table
from rocstats.errors import InvalidSampleError, Polite, counted, keyword, shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Intake"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Intake(Polite):
    """A file that was taken in: its table, what was repaired in it, and what is asked.

    Attributes
    ----------
    file : str
        The file.
    repairs : tuple of Repair
        Every repair, with its ``step``, ``column``, the number ``n`` of cells or rows, the
        ``cells`` as a spreadsheet names them, and a ``sentence``. A clean file has none.
    questions : tuple of Question
        What only the owner of the file knows, each with the ``option`` that answers it.
    units : dict
        Units of columns, as the header or the cells name them.
    found : dict
        Options that say where the table stands (``sheet``, ``header_row``, ``encoding``,
        ``separator``), as they were found; given again they read the same table.
    aliases : dict
        Names of columns by what they may be called too: without their unit and stray spaces.
    places : Places
        Where rows and columns stand in the file.
    table : Table
        The table with value labels, as the commands use it.

    See Also
    --------
    check : Take a file in.
    read : Read a table of a file into a data frame.
    """

    file: str
    table: Table
    places: Places
    repairs: tuple[Repair, ...] = ()
    questions: tuple[Question, ...] = ()
    units: dict[str, str] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)

    @property
    def frame(self) -> pd.DataFrame:
        """The repaired table, a pandas data frame."""
        return self.table.frame

    def of_columns(self, columns: Iterable[str]) -> tuple[list[Repair], list[Question]]:
        """Return the repairs and questions of the file and of these columns.

        Parameters
        ----------
        columns : iterable of str
            The columns that an analysis needs.

        Returns
        -------
        tuple of lists
            Repairs, and questions.
        """
        wanted = {None, *columns}
        return (
            [repair for repair in self.repairs if repair.column in wanted],
            [question for question in self.questions if question.column in wanted],
        )

    def check_scores(self, columns: Iterable[str], words: Iterable[Any] = ()) -> None:
        """Refuse columns that cannot be analysed as numbers, by their first open question.

        Parameters
        ----------
        columns : iterable of str
            The columns of scores.
        words : iterable, default ()
            Cells that mean something else than a number, such as an indeterminate result.
        """
        known = {str(word).strip() for word in words}
        for name in columns:
            for question in self.questions:
                if question.column == name and question.blocks:
                    raise InvalidSampleError(question.sentence)
            if name in self.frame.columns:
                self._check_numbers(name, known)

    def _check_numbers(self, name: str, known: set[str]) -> None:
        """Refuse a text among scores by its cell."""
        series = self.frame[name]
        if series.dtype.kind in "biufcmM" or name not in self.places.letters:
            return
        for position, cell in enumerate(series.tolist()):
            if not isinstance(cell, str) or cell.strip() in known:
                continue
            if beyond_doubles(cell):
                raise refuse_beyond(cell, name, f"cell {self.places.cell(name, position)}")
            if read_cell(cell).kind in ("word", "missing", "date"):
                raise InvalidSampleError(
                    f"The scores of {name} must be numbers, got {shown(cell)} in cell "
                    f"{self.places.cell(name, position)}; mend it, or name it with "
                    f"{keyword('missing_codes')} if it means a missing value."
                )

    @property
    def head(self) -> str:
        """What came of the file, in a line."""
        n_rows, n_columns = self.frame.shape
        said = counted(len(self.repairs), "repair") if self.repairs else "nothing was repaired"
        return (
            f"{self.file}: {counted(n_rows, 'row')}, {counted(n_columns, 'column')}; {said}, "
            f"{counted(len(self.questions), 'question')}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the log without the data, as valid JSON.

        Returns
        -------
        dict
            Built-in values, ready for `json.dumps`.
        """
        return {
            "file": self.file,
            "format": self.table.format,
            "n_rows": len(self.frame),
            "n_columns": len(self.frame.columns),
            "columns": [
                {
                    "name": name,
                    "letter": self.places.letters.get(name),
                    "unit": self.units.get(name),
                }
                for name in self.frame.columns
            ],
            "found": dict(self.found),
            "repairs": [repair.to_dict() for repair in self.repairs],
            "questions": [question.to_dict() for question in self.questions],
            "notes": self.table.notes(),
        }

    def __repr__(self) -> str:
        repairs = [f"- {repair.sentence} [{_shortly(repair.cells)}]" for repair in self.repairs]
        lines = [line.removesuffix(" []") for line in repairs]
        asked = [f"? {question.sentence}" for question in self.questions]
        return "\n".join([self.head, *lines, *self.table.notes(), *asked])


def _shortly(cells: tuple[str, ...], most: int = 6) -> str:
    """Return a few ranges of cells."""
    return ", ".join(cells[:most]) + (", ..." if len(cells) > most else "")
