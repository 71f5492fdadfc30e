"""Issue 18, item 5: ``rocstats plot`` draws to a file, of the size that a journal wants."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Call

import rocstats as rs

pytest.importorskip("matplotlib")

DATA = str(rs.datasets.path("breast_cancer"))
BASIC = (DATA, "--outcome", "diagnosis", "--positive", "malignant")
TWO = (*BASIC, "--markers", "mean_radius,mean_texture")
MM = 25.4


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("curve", ["Sensitivity", "mean_radius (AUC 0.938)", "mean_texture (AUC 0.776)"]),
        ("forest", ["AUC (95% CI)", "mean_radius", "mean_texture"]),
        ("distribution", ["malignant, n = 212", "benign, n = 357", "mean_radius", "mean_texture"]),
    ],
)
def test_18_05_a_picture_says_what_it_shows(call: Call, kind: str, words: list[str]) -> None:
    answer = call("plot", kind, *TWO, "-o", "p.svg")
    assert answer.code == 0
    assert answer.out.startswith(f"Wrote p.svg ({kind}, 89 by ")
    texts = {"".join(t.itertext()) for t in ElementTree.parse("p.svg").findall(".//{*}text")}
    assert set(words) <= texts


def test_18_05_a_band_and_differences_are_drawn(call: Call) -> None:
    assert call("plot", "band", *BASIC, "--markers", "mean_radius", "-o", "b.svg").code == 0
    assert "95% simultaneous band" in Path("b.svg").read_text("utf-8")
    assert call("plot", "forest", *TWO, "--versus", "mean_texture", "-o", "d.svg").code == 0
    assert "mean_radius - mean_texture" in Path("d.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("width", "mm", "dpi"),
    [("single", 89, 300), ("middle", 120, 150), ("double", 183, 300), ("75", 75, 600)],
)
def test_18_05_dots_are_as_many_as_asked_for(call: Call, width: str, mm: float, dpi: int) -> None:
    image = pytest.importorskip("PIL.Image")
    for name in ("p.png", "p.tiff"):
        size = ("--width", width, "--height", "60", "--dpi", str(dpi))
        assert call("plot", "forest", *TWO, *size, "-o", name).code == 0
        with image.open(name) as picture:
            assert picture.size == pytest.approx((mm / MM * dpi, 60 / MM * dpi), abs=1.5)
            assert picture.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)


def test_18_05_a_pdf_has_the_width_and_letters(call: Call) -> None:
    pypdf = pytest.importorskip("pypdf")
    told = json.loads(call("plot", "curve", *TWO, "--width", "double", "-o", "p.pdf", "--json").out)
    assert (told["width_mm"], told["file"], told["kind"]) == (183.0, "p.pdf", "curve")
    (leaf,) = pypdf.PdfReader("p.pdf").pages
    assert float(leaf.mediabox.width) / 72 * MM == pytest.approx(183, abs=0.1)
    assert "mean_radius (AUC 0.938)" in leaf.extract_text()


def test_18_05_the_same_call_gives_the_same_bytes(call: Call) -> None:
    for name in ("p.svg", "p.pdf", "p.png"):
        made = []
        for _ in range(2):
            assert call("plot", "forest", *TWO, "-o", name).code == 0
            made.append(Path(name).read_bytes())
        assert made[0] == made[1]


def test_18_05_a_threshold_is_a_line_of_the_distribution(call: Call) -> None:
    one = (*BASIC, "--markers", "mean_radius")
    sizes = []
    for more in ((), ("--threshold", "15,16")):
        assert call("plot", "distribution", *one, *more, "-o", "p.svg").code == 0
        sizes.append(len(re.findall("stroke-dasharray: [1-9]", Path("p.svg").read_text("utf-8"))))
    assert sizes[1] == sizes[0] + 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pie", *TWO, "-o", "p.svg"), "KIND must be"),
        (("curve", *TWO, "-o", "p.jpg"), "as .svg, .pdf, .png or .tiff is written and not .jpg"),
        (("curve", *TWO, "-o", "p"), "p does not say what to write"),
        (("curve", *TWO, "-o", "p.svg", "--width", "wide"), "--width must be a number of millim"),
        (("curve", *TWO, "-o", "p.svg", "--width", "5"), "--width must be from 30 to 600"),
        (("curve", *TWO, "-o", "p.svg", "--width", "nan"), "--width must be from 30 to 600"),
        (("curve", *TWO, "-o", "p.svg", "--height", "1e9"), "--height must be from 30 to 600"),
        (("curve", *TWO, "-o", "p.png", "--dpi", "1e6"), "--dpi must be from 72 to 2400"),
        (("curve", *TWO, "-o", "p.png", "--dpi", "nan"), "--dpi must be from 72 to 2400"),
        (("curve", *TWO, "-o", "p.svg", "--versus", "mean_radius"), "--versus has no part"),
        (("forest", *TWO, "-o", "p.svg", "--threshold", "1"), "--threshold has no part"),
        (("forest", *TWO, "-o", "p.svg", "--versus", "x"), "x"),
        (("curve", *TWO, "-o", "no/p.svg"), "There is no directory no"),
        (("curve", *TWO, "-o", "p.svg", "--confidence-level", "2"), "--confidence-level"),
    ],
)
def test_18_05_what_cannot_be_drawn_is_refused(
    call: Call, words: tuple[str, ...], said: str
) -> None:
    answer = call("plot", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert list(Path().iterdir()) == []


def test_18_05_without_matplotlib_the_extra_is_named(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = call("plot", "curve", *TWO, "-o", "p.svg")
    assert answer.code == 2
    assert 'pip install "rocstats[plot]"' in answer.err
