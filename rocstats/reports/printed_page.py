"""A page as PDF: printed by Chromium where it is found, else by WeasyPrint."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from rocstats.errors import MissingDependencyError, RocstatsError, require_library
from rocstats.reports.page_figures import PageFigure, split_page

__all__ = ["check_printing", "figure_pdf", "print_page"]

_BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("msedge", "microsoft-edge"),
)
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
# WeasyPrint knows no size that hangs on the window, no grid that fits itself, no half bold letters.
_PLAINER = """<style>
h1 { font-size: 2rem } .cards { grid-template-columns: 1fr 1fr 1fr }
.level, .results strong, .tag, .status, thead th, th[scope="rowgroup"], .group { font-weight: 700 }
caption::before, figcaption::before { font-weight: 700 }
</style>"""
_PATIENCE = 180  # seconds that a browser has on a busy machine


def find_browser() -> str | None:
    """Return a browser that prints: that of ROCSTATS_CHROMIUM, or one found; "" there is none."""
    asked = os.environ.get("ROCSTATS_CHROMIUM")
    if asked is not None:
        return shutil.which(asked)
    on_path = (shutil.which(name) for name in _BROWSERS)
    elsewhere = (name for name in _ELSEWHERE if os.access(name, os.X_OK))
    return next((name for name in (*on_path, *elsewhere) if name), None)


def check_printing() -> None:
    """Raise `MissingDependencyError` unless a page can be printed."""
    if find_browser() is None:
        _check_weasyprint()


def _check_weasyprint() -> None:
    try:
        require_library("weasyprint", "A PDF", "pdf")
    except MissingDependencyError:
        raise MissingDependencyError(
            "A PDF needs Chromium or WeasyPrint, and neither was found; install Chromium, or run: "
            'pip install "rocstats[pdf]".'
        ) from None


def print_page(page: str) -> bytes:
    """Return a page as PDF, in the style that it has for paper."""
    browser = find_browser()
    if browser is not None:
        return _by_browser(browser, page)
    _check_weasyprint()
    whole = "".join(p if isinstance(p, str) else _within(p) for p in split_page(page))
    return _by_weasyprint(whole.replace("</head>", f"{_PLAINER}</head>", 1))


def figure_pdf(figure: PageFigure) -> bytes:
    """Return one figure as a PDF of its own size, with lines and letters as such.

    WeasyPrint is asked first, as a browser takes a second to start.
    """
    width, height = figure.inches
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title></title><style>'
        f"@page {{ size: {width:g}in {height:g}in; margin: 0 }} "
        "html, body { margin: 0; padding: 0; line-height: 0 } svg { display: block }"
        f"</style></head><body>{figure.svg}</body></html>"
    )
    try:
        require_library("weasyprint", "A PDF", "pdf")
    except MissingDependencyError:
        return print_page(page)
    return _by_weasyprint(page)


def _within(figure: PageFigure) -> str:
    """Return a figure as it stands in a page, which sets its size."""
    width, height = figure.inches
    return figure.svg.replace(f'<svg width="{width:g}in" height="{height:g}in" ', "<svg ", 1)


def _by_weasyprint(page: str) -> bytes:
    import weasyprint

    log = logging.getLogger("weasyprint")
    level = log.level
    log.setLevel(logging.CRITICAL)  # it speaks of rules of CSS that it does not know
    try:
        return bytes(weasyprint.HTML(string=page, url_fetcher=_refuse).write_pdf())
    except Exception as reason:
        raise RocstatsError(f"WeasyPrint could not print the page: {reason}.") from reason
    finally:
        log.setLevel(level)


def _refuse(url: str, *_: object, **__: object) -> object:
    raise ValueError(f"a page loads nothing, and asked for {url[:80]}")


def _by_browser(browser: str, page: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="rocstats-") as folder:
        source, made = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        call = [browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions"]
        call += ["--no-pdf-header-footer", f"--user-data-dir={Path(folder, 'profile')}"]
        if getattr(os, "geteuid", lambda: 1)() == 0:  # the superuser has no sandbox
            call.append("--no-sandbox")
        call += [f"--print-to-pdf={made}", source.as_uri()]
        # Its socket, which holds nothing of the page, must have a short name.
        place = {"TMPDIR": "/tmp"} if os.path.isdir("/tmp") else {}
        try:
            subprocess.run(
                call,
                capture_output=True,
                timeout=_PATIENCE,
                check=True,
                env={**os.environ, **place},
            )
            return made.read_bytes()
        except (OSError, subprocess.SubprocessError) as reason:
            why = " ".join(str(reason).split())[:200]
            raise RocstatsError(
                f"{Path(browser).name} could not print the page ({why}); set ROCSTATS_CHROMIUM to "
                "another browser, or to nothing for WeasyPrint."
            ) from None
