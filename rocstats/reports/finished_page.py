"""A page that is made, and what it is written as: a page, Word, PDF, its figures and tables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocstats.tables import Answer

__all__ = ["FinishedPage"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FinishedPage(Answer):
    """A page and its facts.

    Attributes
    ----------
    facts : dict
        Every number and word of it, as built-in types; the JSON in the page.
    html : str
        The page, which needs nothing else.
    """

    facts: dict[str, Any]
    html: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the report, whole or not at all, and return where.

        Parameters
        ----------
        path : str or path
            The file, ending in .html or .htm (the page), .docx (Word, with the extra ``docx``) or
            .pdf (printed by Chromium where it is found, else by WeasyPrint, the extra ``pdf``);
            another ending is refused.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        from rocstats.reports.report_files import write_report

        return write_report(path, self.html, self.facts)

    def save_figures(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every figure of the page as SVG, PDF, PNG and TIFF, and return where.

        Dots are 300 an inch. It needs the extra ``docx``, and for the PDFs Chromium or the extra
        ``pdf``.

        Parameters
        ----------
        folder : str or path
            The folder, made where it is not there.

        Returns
        -------
        list of pathlib.Path
            The files.
        """
        from rocstats.places import made_folder
        from rocstats.reports.report_files import check_figures, write_figures

        check_figures()
        return write_figures(made_folder(folder), self.html)

    def save_tables(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every table of the page as CSV, LaTeX and Word, and return where.

        The cells are those of the page; the files that the page offers have every digit. It needs
        the extra ``docx``.

        Parameters
        ----------
        folder : str or path
            The folder, made where it is not there.

        Returns
        -------
        list of pathlib.Path
            The files.
        """
        from rocstats.places import made_folder
        from rocstats.reports.report_files import check_tables, write_report_tables

        check_tables()
        return write_report_tables(made_folder(folder), self.html)

    def _repr_html_(self) -> str:
        from html import escape

        return (
            f'<iframe title="Report" srcdoc="{escape(self.html)}" width="100%" height="700">'
            "</iframe>"
        )
