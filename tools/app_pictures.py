"""Pictures of the app for ``docs/howto/app.md``: ``python tools/app_pictures.py`` takes them anew.

It starts the app on the bundled breast cancer data and drives Chromium through its pages.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "howto"
COLOURS = 64  # of a picture, which keeps it small


def take(page: Any, name: str, *, whole: bool = False) -> None:
    """Write a picture of the page as it is."""
    from PIL import Image

    with Image.open(io.BytesIO(page.screenshot(full_page=whole))) as picture:
        picture.convert("RGB").quantize(COLOURS).save(FOLDER / f"app_{name}.png", optimize=True)


def walk(page: Any, address: str) -> None:
    """Go the whole way once."""
    page.goto(address)
    page.wait_for_url(address.partition("?")[0])
    take(page, "start")
    page.get_by_role("button", name="breast cancer").click()
    page.wait_for_selector("form.study")
    page.locator("details.table > summary").scroll_into_view_if_needed()
    take(page, "table")
    page.locator("input[name=markers][value='1']").check()
    page.locator("input[name=markers][value='5']").check()
    page.fill("input[name='prespecified:1']", "15")
    page.evaluate("document.querySelectorAll('.part')[1].scrollIntoView()")
    take(page, "questions")
    page.fill("input[name=prevalence]", "0.1")
    page.fill("input[name=margin]", "5")
    page.locator("#problem-margin", has_text="difference").wait_for()
    page.evaluate("document.querySelectorAll('.part')[2].scrollIntoView()")
    take(page, "problem")
    page.fill("input[name=margin]", "0.05")
    page.get_by_role("button", name="Make the report").click()
    page.wait_for_selector("iframe", timeout=300_000)
    page.frame_locator("iframe").locator("h1").wait_for()
    page.wait_for_timeout(1000)
    take(page, "report")
    page.goto(f"{address.partition('?')[0]}calculators/counts?tp=90&fn=10&fp=20&tn=180")
    take(page, "counts")
    page.goto(address.partition("?")[0])
    page.get_by_role("button", name="breast followup").click()
    page.wait_for_selector("form.study")
    page.goto(f"{page.url}/survival")
    take(page, "survival")


def walk_in_the_dark(page: Any, address: str) -> None:
    """Take a picture of a form on a phone in the dark."""
    page.goto(address)
    page.wait_for_url(address.partition("?")[0])
    page.get_by_role("button", name="fawcett").tap()
    page.wait_for_selector("form.study")
    page.evaluate("document.querySelector('form.study').scrollIntoView()")
    take(page, "phone_dark")


def main() -> None:
    """Start the app, take the pictures, end it."""
    from playwright.sync_api import sync_playwright

    call = [sys.executable, "-m", "rocstats", "app", "--no-browser"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as app, sync_playwright() as p:
        assert app.stdout is not None
        try:
            sandbox = [] if os.geteuid() else ["--no-sandbox"]
            browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
            page = browser.new_page(viewport={"width": 1000, "height": 760})
            address = app.stdout.readline().strip()
            walk(page, address)
            phone = {"width": 390, "height": 780}
            dark = browser.new_context(viewport=phone, color_scheme="dark", has_touch=True)
            walk_in_the_dark(dark.new_page(), address)
            browser.close()
        finally:
            app.terminate()


if __name__ == "__main__":
    main()
