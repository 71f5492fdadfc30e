"""The files that a report is offered as, each made of its page when it is first asked for.

``python -m rocstats.app.offered_files NAME`` makes one in the folder of the report. The page is
``report.html``; it carries its facts, so nothing is worked out again.
"""

from __future__ import annotations

import re
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rocstats.errors import RocstatsError

__all__ = ["OFFERED", "make_file"]

_FACTS = re.compile(r'<script type="application/json" id="facts">(.*?)</script>', re.S)

# Name: what it is, for the page.
OFFERED = {
    "report.html": "the report, one page that needs nothing else",
    "report.docx": "the report as a Word file",
    "report.pdf": "the report as a PDF",
    "figures.zip": "every figure as SVG, PDF, PNG and TIFF",
    "tables.zip": "every table as CSV, LaTeX and Word; every number as CSV with all digits",
}


def make_file(folder: Path, name: str) -> Path:
    """Make one of the files, whole or not at all, and return where it is."""
    from rocstats.reports.report_files import write_report

    page = (folder / "report.html").read_text(encoding="utf-8")
    if name in ("report.docx", "report.pdf"):
        return write_report(folder / name, page, _facts(page))
    with tempfile.TemporaryDirectory(dir=folder) as place:
        files = _figures(Path(place), page) if name == "figures.zip" else _tables(Path(place), page)
        return _packed(folder / name, files)


def _facts(page: str) -> dict[str, Any]:
    import json

    found = _FACTS.search(page)
    facts: dict[str, Any] = {} if found is None else json.loads(found[1])
    return facts


def _figures(place: Path, page: str) -> list[Path]:
    from rocstats.reports.report_files import write_figures

    return write_figures(place, page)


def _tables(place: Path, page: str) -> list[Path]:
    from rocstats.reports.downloads import make_downloads
    from rocstats.reports.report_files import write_report_tables

    files = write_report_tables(place, page)
    for download in make_downloads(_facts(page)).values():
        path = place / download.name
        path.write_text(unquote(download.href.partition(",")[2]), encoding="utf-8", newline="")
        files.append(path)
    return files


def _packed(name: Path, files: Iterable[Path]) -> Path:
    """Write files into an archive that is the same for the same files."""
    half = name.with_suffix(".half")
    with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return half.replace(name)


def main(words: list[str]) -> int:
    """Make a file of the report in this folder."""
    (name,) = words
    print(f"making {name}", file=sys.stderr, flush=True)
    try:
        make_file(Path(), name)
    except RocstatsError as error:
        print(" ".join(str(error).splitlines()), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
