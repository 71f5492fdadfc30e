"""A file of any format as a data frame, for one's own work in Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rocstats.data.reading.files import read_table
from rocstats.errors import InvalidOptionError, did_you_mean, keyword, listed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read"]


def read(path: str | os.PathLike[str], *, classes: str | Iterable[str] = ()) -> pd.DataFrame:
    """Read a table of a file, as the command line does, into a data frame.

    Parameters
    ----------
    path : str or path
        A file of CSV, tab-separated text, Parquet, Excel, SAS, SPSS, Stata or R; its suffix tells
        the format.
    classes : str or iterable of str, default ()
        Labelled columns in which the labels take the place of the codes; others keep their codes.

    Returns
    -------
    pandas.DataFrame
        The columns. Its ``attrs`` hold the ``format``, the value ``labels`` by column and ``notes``
        on what reading decided, such as values that the file declares as missing.

    See Also
    --------
    ScoredSample.from_frame : Build a sample of columns of a frame.
    report : Analyse a diagnostic study and return the report.

    Examples
    --------
    >>> import rocstats as rs
    >>> frame = rs.read("study.xlsx")  # doctest: +SKIP
    >>> rs.report(frame, outcome="outcome", pos_label="Poor", markers="s100b")  # doctest: +SKIP
    """
    table = read_table(os.fspath(path))
    wanted = [classes] if isinstance(classes, str) else list(classes)
    for name in wanted:
        if name not in table.frame.columns:
            known = list(table.frame.columns)
            raise InvalidOptionError(
                f"{keyword('classes')} names {name!r}, which is no column of {path}; it has "
                f"{listed(known)}.{did_you_mean(name, known)}"
            )
    frame = table.classes(wanted)
    frame.attrs = {
        "format": table.format,
        "labels": {column: dict(labels) for column, labels in table.labels.items()},
        "notes": table.notes(),
    }
    return frame
