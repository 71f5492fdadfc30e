"""The site: it builds without a warning, leads where it says, and reads without a network."""

from __future__ import annotations

import doctest
import fcntl
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from conftest import load_study

import rocstats as rs

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
EVIDENCE = DOCS / "evidence"
BUILT = ROOT / "build" / "site"
TIME = 1500  # seconds to build the site on a machine that is busy with other tests
COMMAND = (sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d")
LOOKED_AT = [
    "index",
    "search",
    "tutorials/index",
    "tutorials/diagnostic_study",
    "tutorials/two_models",
    "tutorials/planning",
    "tutorials/reader_study",
    "howto/index",
    "howto/from_r",
    "howto/clusters",
    "howto/binary_tests",
    "howto/files",
    "howto/install",
    "howto/journal_figures",
    "howto/reader_studies",
    "howto/which_call",
    "drawings/index",
    "drawings/curves",
    "coming_from/index",
    "coming_from/proc",
    "coming_from/sas",
    "explanation/index",
    "explanation/versions",
    "explanation/one_idea",
    "explanation/three_measures",
    "explanation/intervals_and_tests",
    "STATISTICS",
    "evidence/index",
    "evidence/near_one",
    "gallery/README",
    "studies/README",
    "reference/index",
    "reference/names",
    "reference/commands",
    "reference/report_options",
    "reference/schemas",
    "reference/messages",
    "reference/api/rocstats.compare",
    "reference/api/rocstats.ScoredSample",
]


@pytest.fixture(scope="session")
def site() -> Path:
    """The built site; what is built already and has not changed is not built again."""
    pytest.importorskip("sphinx")
    BUILT.parent.mkdir(exist_ok=True)
    with (BUILT.parent / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers of pytest
        done = subprocess.run(
            [*COMMAND, BUILT.parent / "doctrees", DOCS, BUILT],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": ""},
        )
    assert done.returncode == 0, done.stderr
    return BUILT


class Page(HTMLParser):
    """What a page links to, what it fetches by itself, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {str(given[key]) for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        elif tag == "link" and "canonical" not in str(given.get("rel")):
            self.fetched.append(str(given.get("href")))
        elif tag in ("script", "img", "iframe", "source", "video") and given.get("src"):
            self.fetched.append(str(given["src"]))


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    """The site's own pages, without reports, studies and what the theme brings."""
    others = {DOCS / folder for folder in ("gallery", "studies")}
    copied = {site / p.relative_to(DOCS) for folder in others for p in folder.rglob("*.html")}
    own = [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] != "_static"]
    return {path: Page(path) for path in own if path not in copied}


@pytest.mark.timeout(TIME)
def test_every_page_is_there(pages: dict[Path, Page]) -> None:
    assert {BUILT / f"{name}.html" for name in LOOKED_AT} <= pages.keys()
    written = {
        path.relative_to(DOCS).with_suffix(".html")
        for path in DOCS.rglob("*.md")
        if "_" not in path.relative_to(DOCS).parts[0][:1]
    }
    assert {BUILT / path for path in written} <= pages.keys()


@pytest.mark.timeout(TIME)
def test_internal_links_lead_somewhere(pages: dict[Path, Page], site: Path) -> None:
    lost = []
    for path, page in pages.items():
        for link in [*page.links, *page.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.is_file():
                lost.append(f"{path.relative_to(site)}: {link}")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                lost.append(f"{path.relative_to(site)}: {link} (no such place there)")
    assert lost == []


@pytest.mark.timeout(TIME)
def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Page]) -> None:
    fetched = {address for page in pages.values() for address in page.fetched}
    assert len(fetched) > 10
    assert {address for address in fetched if urlsplit(address).scheme not in ("", "data")} == set()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = next(filter(None, found), None)
    if path is None:
        pytest.skip("there is no Chromium: run tools/install-browser")
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with sync_api.sync_playwright() as playwright:
        driven = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield driven
        driven.close()


# Colours on their way from light to dark would be taken for those of the page. Twice a span of code
# was called too pale that is not, so a barrier is one that is still there a while later.
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"
PATIENCE = (200, 1000, 4000)


def barriers(page: Any, axe: str) -> list[str]:
    """Return what axe finds that is serious and stays: the rule, an element, what was measured."""
    page.add_style_tag(content=STILL)
    page.evaluate(axe)
    found: list[str] = []
    for wait in PATIENCE:
        page.wait_for_timeout(wait)
        found = _seen(page)
        if not found:
            break
    return found


def _seen(page: Any) -> list[str]:
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    return [
        f"{each['id']}, {node['html'][:200]}, {[check.get('data') for check in node['any']]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:1]
    ]


def axe_source() -> str:
    axe = pytest.importorskip("axe_playwright_python")
    return Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")


def test_a_pale_word_is_a_barrier(browser: Any) -> None:
    page = browser.new_page()
    page.set_content("<html lang=en><title>t</title><main><p style='color:#bbb'>pale</p></main>")
    (found,) = barriers(page, axe_source())
    assert found.startswith("color-contrast, <p")
    page.close()


@pytest.mark.timeout(TIME)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_in_a_browser(site: Path, browser: Any, width: int, scheme: str) -> None:
    """No request leaves, no error is logged, no page is wider than the window, no barrier."""
    source = axe_source()
    context = browser.new_context(
        offline=True, viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("request", lambda r: None if r.url[:5] in ("file:", "data:") else wrong.append(r.url))
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    for name in LOOKED_AT:
        page.goto(f"file://{site}/{name}.html")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{name} is wider than {width}")
        wrong += [f"{name}: {each}" for each in barriers(page, source)]
    context.close()
    assert wrong == []


@pytest.mark.timeout(TIME)
@pytest.mark.parametrize(
    "name", ["roc.test", "ci.auc", "power.roc.test", "coords", "multiclass.roc", "ggroc", "smooth"]
)
def test_a_search_for_a_name_of_proc_finds_ours(site: Path, browser: Any, name: str) -> None:
    page = browser.new_page()
    page.goto(f"file://{site}/search.html?q={name}")
    first = page.locator("#search-results li a").first
    first.wait_for()
    anchor = name.replace(".", "-")
    assert first.get_attribute("href").endswith(f"coming_from/proc.html#{anchor}")
    page.close()


@pytest.mark.timeout(TIME)
@pytest.mark.parametrize("name", ["roctab", "roccontrast", "roc_auc_score", "DeLong"])
def test_a_search_for_words_of_others_finds_a_page(site: Path, browser: Any, name: str) -> None:
    page = browser.new_page()
    page.goto(f"file://{site}/search.html?q={name}")
    page.locator("#search-results li a").first.wait_for()
    page.close()


@pytest.mark.timeout(TIME)
def test_formulas_are_drawn_without_a_network(site: Path, browser: Any) -> None:
    """With the vendored MathJax, on a page made for it: no formula need stand in the site."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    html = site / "formula-test.html"
    html.write_text(
        '<script src="_static/mathjax/tex-svg.js"></script><p>\\(\\sum_{i} x_i^2\\)</p>', "utf-8"
    )
    try:
        page.goto(f"file://{html}")
        page.locator("mjx-container svg").wait_for()
    finally:
        html.unlink()
        context.close()
    assert all(url.startswith("file:") for url in asked)


# The pages themselves, without a build.


def test_every_public_name_has_its_place_in_the_reference() -> None:
    names = load_study("public_names")
    names.check()
    text = names.page()
    for name in set(rs.__all__) - names.UNLISTED - {"datasets", "rbridge", "sklearn"}:
        assert re.search(rf"^   {name}$", text, re.MULTILINE), name


def test_a_name_without_a_group_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    names = load_study("public_names")
    monkeypatch.setattr(rs, "__all__", [*rs.__all__, "new_thing"])
    with pytest.raises(ValueError, match=r"in no group: new_thing; mend GROUPS in docs/reference"):
        names.check()


def test_every_command_is_in_the_reference() -> None:
    text = load_study("commands").page()
    for words in ("auc", "compare", "thresholds", "study run", "validate", "report"):
        assert f"## `rocstats {words}`" in text
        assert f"usage: rocstats {words}" in text


def test_every_error_and_warning_says_what_to_do() -> None:
    text = load_study("messages").page()
    for name in rs.__all__:
        kind = getattr(rs, name)
        if isinstance(kind, type) and issubclass(kind, rs.RocstatsError | rs.RocstatsWarning):
            assert f"### `{name}`\n" in text


DOCTESTED = [path for path in sorted(DOCS.rglob("*.md")) if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", DOCTESTED, ids=lambda path: str(path.relative_to(DOCS)))
def test_examples_on_pages(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert doctest.testfile(str(path), module_relative=False).failed == 0


def test_proc_has_every_function_and_argument(r: Any) -> None:
    """Every export of pROC is a section, and every argument of its methods stands in it."""
    text = (DOCS / "coming_from" / "proc.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `([\w.]+)`\n(.*?)(?=^## |\Z)", text, re.M | re.DOTALL))
    found = r.evaluate(
        "local({ns <- getNamespace('pROC'); ex <- getNamespaceExports('pROC');"
        "lapply(setNames(ex, ex), function(n) {"
        "m <- ls(ns, pattern = paste0('^', gsub('.', '[.]', n, fixed = TRUE),"
        "'[.](roc|default|formula|data.frame|smooth.roc|auc|numeric|list|multiclass.roc)$'));"
        "unique(unlist(lapply(c(n, setdiff(m, ex)), function(f) names(formals(get(f, ns))))))})})"
    )
    assert len(found) >= 21
    missing = [
        (name, argument)
        for name, arguments in found.items()
        for argument in ([arguments] if isinstance(arguments, str) else arguments)
        if argument != "..."
        and not re.search(rf"`{re.escape(argument)}(?: = .*?)?`", sections.get(name, ""))
    ]
    assert missing == []


def test_pages_beside_r_give_what_they_say() -> None:
    sys.path.insert(0, str(DOCS / "_extensions"))
    try:
        import beside
    finally:
        sys.path.remove(str(DOCS / "_extensions"))
    (page,) = beside.pages()
    pairs = [pair for pair in beside.run(page, ask=False) if not pair.silent]
    assert len(pairs) > 20
    for pair in pairs:
        assert pair.theirs is not None, f"python docs/_extensions/beside.py, for {pair.r}"
        pair.verdict()
    wrong = beside.Pair(r="1", python="2", options={}, ours=[1.0], theirs=[1.0 + 1e-6])
    with pytest.raises(ValueError, match="R gives"):
        wrong.verdict()


def summary() -> list[tuple[str, str]]:
    text = (EVIDENCE / "index.md").read_text(encoding="utf-8")
    return re.findall(r"^\| .* \| (.*) \| \[\]\((.*)\) \|$", text, re.MULTILINE)


def test_every_page_of_evidence_is_in_its_summary() -> None:
    pages = {path.name for path in EVIDENCE.glob("*.md")} - {"index.md"}
    assert pages <= {place for _, place in summary()}


@pytest.mark.parametrize(("said", "place"), summary(), ids=lambda word: str(word)[-20:])
def test_numbers_of_the_summary_stand_on_their_pages(said: str, place: str) -> None:
    text = (EVIDENCE / place).read_text(encoding="utf-8")
    for other in re.findall(r"^```\{include\} (\S+)$", text, re.MULTILINE):
        text += (EVIDENCE / other).read_text(encoding="utf-8")
    for number in re.findall(r"\b\d+\.\d+\b|\b\d{3,}\b", said):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", text), number


def test_citation_changelog_and_security() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {rs.__version__}\n" in cited
    assert "cff-version: 1.2.0" in cited
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", changes, re.M)[0] == "[Unreleased]"
    groups = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", changes, re.M)) <= groups
    for name in ("SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!http|#)([^)#]+)", text):
            assert (ROOT / link).exists(), f"{name}: {link}"
