"""A file of any format as a data frame, or as a log of what it took to read it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rocstats.data.intake.intake_result import Intake
from rocstats.data.intake.intake_settings import (
    AboveDetection,
    BelowDetection,
    Dates,
    Decimal,
    IntakeSettings,
    Percent,
    Separator,
)
from rocstats.data.intake.taking_in import take_in
from rocstats.errors import (
    InvalidOptionError,
    RepairedFileWarning,
    counted,
    did_you_mean,
    function,
    keyword,
    listed,
    named,
    warn_user,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check", "read"]


def check(
    path: str | os.PathLike[str],
    *,
    sheet: str | int | None = None,
    header_row: int | None = None,
    encoding: str | None = None,
    separator: Separator | None = None,
    decimal: Decimal | None = None,
    dates: Dates | None = None,
    percent: Percent | None = None,
    below_detection: BelowDetection = "lowest",
    above_detection: AboveDetection = "highest",
    missing_codes: Any = (),
    outcome: str | None = None,
    exclude: Any = (),
    as_is: bool = False,
) -> Intake:
    r"""Take a file in: find its table, repair it in the open, and ask what it leaves open.

    Parameters
    ----------
    path : str or path
        A file of CSV, tab-separated text, Parquet, Excel, OpenDocument, SAS, SPSS, Stata or R; its
        suffix tells the format.
    sheet : str or int, optional
        Sheet of a workbook, by its name or its number from 1; else the first that holds a table.
    header_row : int, optional
        Row of the column names as the spreadsheet numbers it; else it is found under titles.
    encoding : str, optional
        Encoding of a text file, as utf-8 or cp1252; else UTF-8, UTF-16 and cp1252 are told apart.
    separator : {"comma", "semicolon", "tab", "bar"}, optional
        What parts the cells of a text file; else it is found.
    decimal : {"point", "comma"}, optional
        What 1,234 and 1.234 mean where a column does not tell: the mark of decimals.
    dates : {"day-first", "month-first"}, optional
        What 01/02/2020 means where a column does not tell.
    percent : {"number", "share"}, optional
        Whether 12% is 12 or 0.12; else 12, and asked where numbers up to 1 stand beside it.
    below_detection : {"lowest", "half", "missing"}, default "lowest"
        What becomes of <0.05: it ranks below all that was measured, tied with its like; half of
        the limit; or missing.
    above_detection : {"highest", "missing"}, default "highest"
        What becomes of >100.
    missing_codes : iterable, default ()
        Cells that mean a missing value, as -9 or "n/d"; "COLUMN=CODE" is for one column only.
    outcome : str, optional
        The column whose labels `exclude` names.
    exclude : iterable, default ()
        Labels of the outcome whose rows are left out.
    as_is : bool, default False
        Read the file as it stands, and repair nothing.

    Returns
    -------
    Intake
        The repaired ``frame``, the ``repairs`` with the cells they touched, and the ``questions``.

    See Also
    --------
    read : The data frame alone.

    Notes
    -----
    A clean file passes untouched. What may be read in two ways (1,234 or 01/02/2020) is asked, not
    guessed: the column stays as it is written until an option answers.

    Examples
    --------
    >>> import rocstats as rs
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "study.csv")
    ...     _ = file.write_text("id;crp;y\n1;3,4;yes\n2;<0,5;No\n3;12,0;YES\n4;0,9;no\n")
    ...     found = rs.check(file)
    >>> found.frame["crp"].tolist(), found.frame["y"].tolist()
    ([3.4, 0.5, 12.0, 0.9], ['yes', 'No', 'yes', 'No'])
    >>> [(repair.step, repair.n, repair.cells) for repair in found.repairs][1:3]
    [('decimal comma', 4, ('B2:B5',)), ('below detection', 1, ('B3',))]
    """
    settings = IntakeSettings(
        sheet=sheet,
        header_row=header_row,
        encoding=encoding,
        separator=separator,
        decimal=decimal,
        dates=dates,
        percent=percent,
        below_detection=below_detection,
        above_detection=above_detection,
        missing_codes=missing_codes,
        outcome=outcome,
        exclude=exclude,
        as_is=as_is,
    )
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidOptionError(
            f"{named('path')} must be the path of a file, got {type(path).__name__}."
        )
    return take_in(os.fspath(path), settings)


def read(
    path: str | os.PathLike[str],
    *,
    classes: str | Iterable[str] = (),
    sheet: str | int | None = None,
    header_row: int | None = None,
    encoding: str | None = None,
    separator: Separator | None = None,
    decimal: Decimal | None = None,
    dates: Dates | None = None,
    percent: Percent | None = None,
    below_detection: BelowDetection = "lowest",
    above_detection: AboveDetection = "highest",
    missing_codes: Any = (),
    outcome: str | None = None,
    exclude: Any = (),
    as_is: bool = False,
) -> pd.DataFrame:
    """Read a table of a file, as the command line does, into a data frame.

    Parameters
    ----------
    path : str or path
        A file of CSV, tab-separated text, Parquet, Excel, OpenDocument, SAS, SPSS, Stata or R; its
        suffix tells the format.
    classes : str or iterable of str, default ()
        Labelled columns in which the labels take the place of the codes; others keep their codes.
    sheet, header_row, encoding, separator : optional
        Where the table stands, as in `check`; else it is found.
    decimal, dates, percent : optional
        What 1,234, 01/02/2020 and 12% mean where a column does not tell, as in `check`.
    below_detection : {"lowest", "half", "missing"}, default "lowest"
        What becomes of <0.05.
    above_detection : {"highest", "missing"}, default "highest"
        What becomes of >100.
    missing_codes : iterable, default ()
        Cells that mean a missing value; "COLUMN=CODE" is for one column only.
    outcome, exclude : optional
        Labels of the outcome whose rows are left out.
    as_is : bool, default False
        Read the file as it stands, and repair nothing.

    Returns
    -------
    pandas.DataFrame
        The columns. Its ``attrs`` hold the ``format``, the value ``labels`` by column, ``units``,
        ``notes`` on what reading decided, the ``repairs`` and the ``questions`` that are left.

    Warns
    -----
    RepairedFileWarning
        The file was repaired, or leaves a question; a clean one is read as it stands.

    See Also
    --------
    check : The log of repairs, and what is asked.
    ScoredSample.from_frame : Build a sample of columns of a frame.
    report : Analyse a diagnostic study and return the report.

    Examples
    --------
    >>> import rocstats as rs
    >>> frame = rs.read("study.xlsx")  # doctest: +SKIP
    >>> rs.report(frame, outcome="outcome", pos_label="Poor", markers="s100b")  # doctest: +SKIP
    """
    intake = check(
        path,
        sheet=sheet,
        header_row=header_row,
        encoding=encoding,
        separator=separator,
        decimal=decimal,
        dates=dates,
        percent=percent,
        below_detection=below_detection,
        above_detection=above_detection,
        missing_codes=missing_codes,
        outcome=outcome,
        exclude=exclude,
        as_is=as_is,
    )
    table = intake.table
    wanted = [classes] if isinstance(classes, str) else list(classes)
    for name in wanted:
        if name not in table.frame.columns:
            known = list(table.frame.columns)
            raise InvalidOptionError(
                f"{keyword('classes')} names {name!r}, which is no column of {path}; it has "
                f"{listed(known)}.{did_you_mean(name, known)}"
            )
    _warn(intake)
    frame = table.classes(wanted)
    frame.attrs = {
        "format": table.format,
        "labels": {column: dict(labels) for column, labels in table.labels.items()},
        "units": dict(intake.units),
        "notes": table.notes(),
        "repairs": [repair.to_dict() for repair in intake.repairs],
        "questions": [question.to_dict() for question in intake.questions],
    }
    return frame


def _warn(intake: Intake) -> None:
    """Say that a file was repaired, and each question that keeps a column from being numbers."""
    if intake.repairs:
        steps = dict.fromkeys(repair.step for repair in intake.repairs)
        warn_user(
            f"{intake.file} was repaired on its way in ({counted(len(intake.repairs), 'repair')}: "
            f"{listed(steps, 12)}); {function('check')} tells each, and {keyword('as_is', True)} "
            "reads it as it stands.",
            RepairedFileWarning,
        )
    for question in intake.questions:
        if question.blocks:
            warn_user(question.sentence, RepairedFileWarning)
