"""The app in a real browser: the whole way by mouse, by keyboard alone and on a phone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rocstats as rs

pytest.importorskip("starlette")

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
LONG = 240_000  # milliseconds for work on a busy machine
HEAVY = ("serious", "critical")  # what axe must not find


def find_browser() -> str | None:
    names = (os.environ.get("ROCSTATS_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    path = find_browser()
    if path is None:
        pytest.skip("there is no Chromium: run tools/install-browser")
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with sync_api.sync_playwright() as playwright:
        driven = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield driven
        driven.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The printed address of a running app."""
    place = tmp_path_factory.mktemp("temporary")
    call = [sys.executable, "-m", "rocstats", "app", "--no-browser"]
    app = subprocess.Popen(
        call, stdout=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": str(place)}
    )
    assert app.stdout is not None
    yield app.stdout.readline().strip()
    app.terminate()
    assert app.wait(20) == 0
    app.stdout.close()
    assert list(place.glob("rocstats-app-*")) == []


class Seen:
    """A page, and what went wrong in it."""

    def __init__(self, chromium: Any, address: str, **options: Any) -> None:
        options.setdefault("viewport", DESKTOP)
        self.context = chromium.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.wrong: list[str] = []
        self.asked: set[str] = set()
        self.page.on("console", lambda m: m.type == "error" and self.wrong.append(m.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda r: self.asked.add(r.url))
        self.home = address.partition("?")[0]
        self.page.goto(address)
        self.page.wait_for_url(self.home)

    def judge(self) -> None:
        """Nothing failed, and nothing was asked of any other machine."""
        assert self.wrong == []
        assert all(url.startswith((self.home, "data:", "blob:")) for url in self.asked)


@pytest.fixture
def opened(chromium: Any, address: str) -> Iterator[Any]:
    seen: list[Seen] = []

    def give(**options: Any) -> Seen:
        seen.append(Seen(chromium, address, **options))
        return seen[-1]

    yield give
    for one in seen:
        one.context.close()


def is_within(page: Any) -> bool:
    """Whether nothing sticks out at the side."""
    width = page.evaluate("document.documentElement.scrollWidth")
    return bool(width <= page.viewport_size["width"])


def axe(page: Any) -> list[str]:
    module = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = module.Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if v["impact"] in HEAVY]


# ------ three studies, three ways ------


def test_the_whole_way_by_mouse(opened: Any, tmp_path: Path) -> None:
    seen = opened()
    page = seen.page
    page.set_input_files("input[type=file]", rs.datasets.path("breast_cancer"))
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_selector("form.study")
    assert page.locator("input[name=outcome]:checked").count() == 1
    assert page.locator("svg.bars").count() >= 12
    marker = page.locator(".pick", has=page.locator("input[name=markers][value='1']"))
    assert not marker.locator(".inside").is_visible()
    marker.locator(".head").click()
    assert marker.locator(".inside").is_visible()
    # A problem is said beside its field as it is typed, and goes as it is mended.
    page.fill("input[name=margin]", "2")
    page.locator("#problem-margin", has_text="difference of AUCs").wait_for()
    assert page.locator("input[name=margin]").get_attribute("aria-invalid") == "true"
    assert page.locator("#problem-prevalence").inner_text() == ""
    page.fill("input[name=margin]", "0.05")
    page.locator("#problem-margin:empty").wait_for(state="attached")
    page.locator("summary", has_text="More options").click()
    page.fill("input[name=n_resamples]", "100")
    page.select_option("select[name=r]", "no")
    page.locator("#kept", has_text="is kept").wait_for()
    page.wait_for_timeout(600)
    page.reload()
    assert page.locator("input[name=markers][value='1']").is_checked()
    assert page.input_value("input[name=margin]") == "0.05"
    page.get_by_role("button", name="Make the report").click()
    page.wait_for_selector("iframe", timeout=LONG)
    report = page.frame_locator("iframe")
    assert "AUC" in report.locator("header").first.inner_text()
    with page.expect_download() as caught:
        page.get_by_role("link", name="report.html").click()
    saved = tmp_path / "report.html"
    caught.value.save_as(saved)
    assert saved.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert axe(page) == []
    page.go_back()
    page.wait_for_selector("form.study")
    assert page.input_value("input[name=margin]") == "0.05"
    seen.judge()


def focus_on(page: Any, selector: str, most: int = 400) -> None:
    """Press Tab until what is wanted has the focus."""
    for _ in range(most):
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")


def test_the_whole_way_by_keyboard_alone(opened: Any) -> None:
    seen = opened()
    page = seen.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    focus_on(page, "button[name=name][value=ct_ratings]")
    page.keyboard.press("Enter")
    page.wait_for_selector("form.study")
    focus_on(page, "input[name=markers]")
    page.keyboard.press("Space")
    focus_on(page, "input[name^='prespecified:']")
    page.keyboard.type("4")
    focus_on(page, "input[name=prevalence]")
    page.keyboard.type("0.2")
    focus_on(page, "details.part:nth-of-type(1) summary")
    focus_on(page, "details:has(input[name=n_resamples]) > summary")
    page.keyboard.press("Enter")
    focus_on(page, "input[name=n_resamples]")
    page.keyboard.type("100")
    focus_on(page, "select[name=r]")
    page.keyboard.type("no")
    focus_on(page, ".go button")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Enter")
    page.wait_for_selector("iframe", timeout=LONG)
    focus_on(page, "a[href$='report.html']")
    focus_on(page, "iframe")
    seen.judge()


def test_the_whole_way_on_a_phone_in_the_dark(opened: Any) -> None:
    seen = opened(viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
    page = seen.page
    assert is_within(page)
    assert axe(page) == []
    page.get_by_role("button", name="fawcett").tap()
    page.wait_for_selector("form.study")
    assert is_within(page)
    assert axe(page) == []
    page.locator("input[name=markers]").first.tap()
    page.locator("summary", has_text="More options").tap()
    page.fill("input[name=n_resamples]", "100")
    page.select_option("select[name=r]", "no")
    folded = page.locator("details.part:not([open]) > summary")
    while folded.count():
        folded.first.tap()
    assert is_within(page)
    assert axe(page) == []
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, re.findall(r"\d+", background)[:3])) < 150
    page.get_by_role("button", name="Make the report").tap()
    page.wait_for_selector("iframe", timeout=LONG)
    assert is_within(page)
    assert axe(page) == []
    seen.judge()


# ------ what is beside, and without a script ------

CALCULATORS = ("power", "power-tests", "counts", "areas", "paired-counts")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_at_rest_are_open_to_everyone(opened: Any, scheme: str) -> None:
    seen = opened(color_scheme=scheme, viewport=PHONE)
    page = seen.page
    for path in ("", "validation", *(f"calculators/{name}" for name in CALCULATORS)):
        page.goto(f"{seen.home}{path}")
        assert page.locator("h1").count() == 1
        assert is_within(page), path
        assert axe(page) == [], path
    seen.judge()


def test_a_table_of_counts_gives_its_measures(opened: Any) -> None:
    seen = opened()
    page = seen.page
    page.goto(f"{seen.home}calculators/counts")
    for name, count in (("tp", 90), ("fn", 10), ("fp", 20), ("tn", 180)):
        page.fill(f"[name={name}]", str(count))
    page.get_by_role("button", name="Work it out").click()
    row = page.locator(".answer tr", has_text="sensitivity").inner_text()
    assert row.split()[:4] == ["sensitivity", "0.9000", "0.8256", "0.9448"]
    page.reload()
    assert page.input_value("[name=tp]") == "90"
    assert axe(page) == []
    seen.judge()


def test_without_scripts_the_way_is_the_same(opened: Any) -> None:
    seen = opened(java_script_enabled=False)
    page = seen.page
    page.set_input_files("input[type=file]", rs.datasets.path("fawcett"))
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_selector("form.study")
    page.get_by_role("button", name="Make the report").click()
    page.wait_for_selector(".problem.summary")
    assert "at least one" in page.locator("#problem-markers").inner_text()
    page.locator("input[name=markers]").first.check()
    page.locator("summary", has_text="More options").click()
    page.fill("input[name=n_resamples]", "100")
    page.select_option("select[name=r]", "no")
    page.get_by_role("button", name="Make the report").click()
    page.wait_for_selector("iframe", timeout=LONG)


def test_a_dropped_file_is_read_and_one_too_large_is_refused_at_once(
    opened: Any, tmp_path: Path
) -> None:
    seen = opened()
    page = seen.page
    page.evaluate("document.querySelector('form.drop').dataset.most = '10'")
    page.reload()
    drop = """(text) => {
      const file = new File([text], "dropped.csv", { type: "text/csv" });
      const data = new DataTransfer();
      data.items.add(file);
      document.querySelector("form.drop").dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, "outcome,a\n1,2\n0,1\n1,3\n0,2\n")
    page.wait_for_selector("form.study")
    assert page.locator("h1").inner_text() == "dropped.csv"
    page.goto(seen.home)
    page.evaluate(
        """() => {
      const file = new File(["x"], "large.csv");
      Object.defineProperty(file, "size", { value: 10 ** 10 });
      const input = document.querySelector("input[type=file]");
      Object.defineProperty(input, "files", { value: [file] });
      input.dispatchEvent(new Event("change"));
    }"""
    )
    assert "larger than the 200 MB" in page.locator("#file-problem").inner_text()
    seen.judge()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_survival_study_on_a_phone(opened: Any, scheme: str) -> None:
    seen = opened(viewport=PHONE, color_scheme=scheme)
    page = seen.page
    page.get_by_role("button", name="breast followup").click()
    page.wait_for_selector("form.study")
    page.goto(f"{page.url}/survival")
    assert is_within(page)
    assert axe(page) == []
    page.fill("input[name=margin]", "0,05")
    page.locator("#problem-margin", has_text="decimals with a point").wait_for()
    page.fill("input[name=margin]", "")
    page.locator("#problem-margin:empty").wait_for(state="attached")
    page.locator("label", has_text="nodes").first.click()
    page.fill("input[name=at]", "730")
    page.locator("#kept", has_text="is kept").wait_for()
    page.wait_for_timeout(600)
    page.reload()
    assert page.input_value("input[name=at]") == "730"
    page.get_by_role("button", name="Judge the markers").click()
    page.wait_for_selector("iframe", timeout=LONG)
    assert is_within(page)
    assert axe(page) == []
    page.go_back()
    page.wait_for_selector("input[name=at]")
    assert page.input_value("input[name=at]") == "730"
    seen.judge()


def test_a_file_that_leaves_something_open_is_read_again(opened: Any, tmp_path: Path) -> None:
    rows = [f"{k};{'NC' if k == 3 else f'{k},5'};{k % 2}" for k in range(20)]
    path = tmp_path / "ward.csv"
    path.write_text("\n".join(["id;crp;y", *rows]) + "\n", encoding="utf-8")
    seen = opened(viewport=PHONE)
    page = seen.page
    page.set_input_files("input[type=file]", path)
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_selector("form.study")
    assert "as 'NC'" in page.locator("section.note").inner_text()
    assert axe(page) == []
    page.locator("summary", has_text="How the file is read").click()
    page.fill("input[name=missing_codes]", "NC")
    page.get_by_role("button", name="Read the file again").click()
    page.locator("section.note").wait_for(state="detached")
    assert page.input_value("input[name=missing_codes]") == "NC"
    assert axe(page) == []
    seen.judge()


# ------ the other forms by keyboard alone ------


def assert_seen(page: Any) -> None:
    """What has the focus shows it."""
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_a_reader_study_by_keyboard_alone(opened: Any) -> None:
    seen = opened()
    page = seen.page
    focus_on(page, "button[name=name][value=reader_study]")
    page.keyboard.press("Enter")
    page.wait_for_selector("form.study")
    focus_on(page, "a[href$='/readers']")
    page.keyboard.press("Enter")
    page.wait_for_selector("form.numbers")
    assert axe(page) == []
    focus_on(page, "input[name=margin]")
    assert_seen(page)
    page.keyboard.type("0,05")
    page.locator("#problem-margin", has_text="decimals with a point").wait_for()
    field = page.locator("input[name=margin]")
    assert field.get_attribute("aria-invalid") == "true"
    assert "problem-margin" in str(field.get_attribute("aria-describedby")).split()
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.locator("#problem-margin:empty").wait_for(state="attached")
    focus_on(page, "input[name=title]")
    page.keyboard.type("Two tests")
    page.wait_for_timeout(1500)
    page.reload()
    assert page.input_value("input[name=title]") == "Two tests"
    focus_on(page, ".go button")
    assert_seen(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("iframe", timeout=LONG)
    assert axe(page) == []
    page.go_back()
    page.wait_for_selector("form.numbers")
    assert page.input_value("input[name=title]") == "Two tests"
    seen.judge()


def test_a_calculator_by_keyboard_alone(opened: Any) -> None:
    seen = opened()
    page = seen.page
    page.goto(f"{seen.home}calculators/areas")
    for name, value in (("auc1", "0.9"), ("std_error1", "0.03"), ("auc2", "0.8")):
        focus_on(page, f"input[name={name}]")
        assert_seen(page)
        page.keyboard.type(value)
    focus_on(page, "input[name=std_error2]")
    page.keyboard.type("0.04")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer")
    assert axe(page) == []
    page.reload()
    assert page.input_value("[name=std_error2]") == "0.04"
    seen.judge()


REACHED = """() => {
  const seen = (e) => e.getClientRects().length && !e.disabled && e.tabIndex >= 0;
  const radios = new Set();  // Tab leads to one of a group, arrows to the others
  return [...document.querySelectorAll("main :is(input, select, textarea, button, summary)")]
    .filter((e) => seen(e) && e.type !== "hidden")
    .filter((e) => e.type !== "radio" || (!radios.has(e.name) && radios.add(e.name)))
    .map((e) => `${e.tagName} ${e.type === "radio" ? e.name : e.id || e.name || e.innerText}`);
}"""
FOCUSED = """() => {
  const e = document.activeElement;
  const style = getComputedStyle(e);
  return [`${e.tagName} ${e.type === "radio" ? e.name : e.id || e.name || e.innerText}`,
          style.outlineStyle !== "none"];
}"""


def assert_reached(page: Any) -> None:
    """Tab leads to every control of the page, and each shows that it has the focus."""
    wanted = page.evaluate(REACHED)
    assert wanted
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    found: dict[str, bool] = {}
    for _ in range(4 * len(wanted) + 40):
        page.keyboard.press("Tab")
        name, shown = page.evaluate(FOCUSED)
        found[name] = shown
        if set(wanted) <= set(found):
            break
    assert set(wanted) - set(found) == set()
    assert [name for name in wanted if not found[name]] == []


def test_tab_leads_to_every_field_of_the_pages_without_data(opened: Any) -> None:
    seen = opened()
    for path in ("", "validation", *(f"calculators/{name}" for name in CALCULATORS)):
        seen.page.goto(f"{seen.home}{path}")
        assert_reached(seen.page)
    seen.judge()


def test_a_survival_study_by_keyboard_alone(opened: Any) -> None:
    seen = opened()
    page = seen.page
    focus_on(page, "button[name=name][value=breast_followup]")
    page.keyboard.press("Enter")
    page.wait_for_selector("form.study")
    focus_on(page, "a[href$='/survival']")
    page.keyboard.press("Enter")
    page.wait_for_selector("form.numbers")
    focus_on(page, "input[name=markers][value='2']")
    assert_seen(page)
    page.keyboard.press("Space")
    focus_on(page, "input[name=at]")
    page.keyboard.type("730")
    page.wait_for_timeout(1500)
    page.reload()
    assert page.input_value("input[name=at]") == "730"
    assert page.locator("input[name=markers][value='2']").is_checked()
    focus_on(page, ".go button")
    assert_seen(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("iframe", timeout=LONG)
    assert axe(page) == []
    seen.judge()
