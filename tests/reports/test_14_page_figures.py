"""Issue 14, line 30: what the figures of a report look like, by their structure."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.level_order import in_natural_order
from rocstats.analysis.plan import StudyPlan
from rocstats.places import find_place
from rocstats.reports.figures.distribution_figure import draw_distributions
from rocstats.reports.figures.explorer_figure import draw_explorer
from rocstats.reports.figures.lettering import text_width
from rocstats.reports.figures.roc_figure import draw_roc
from rocstats.reports.figures.scales import Scale, fit_ticks, show_tick
from rocstats.reports.figures.sroc_figure import draw_scored
from rocstats.reports.figures.svg import COLOURS, Figure
from rocstats.reports.leaves import wrap

N = 180
ILL = np.arange(N) % 3 == 0
ROUNDED = 0.051  # coordinates are rounded to a tenth of a unit


def latent(seed: int = 1) -> Any:
    return np.random.default_rng(seed).normal(size=N) + ILL


def rating(seed: int = 1) -> Any:
    return np.digitize(latent(seed), [-0.5, 0.2, 0.9, 1.8]) + 1


def facts_of(markers: dict[str, Any], **plan: Any) -> Any:
    rows = {"higher_is_positive": plan.pop("higher", True)}
    frame = pd.DataFrame(markers | {"ill": ILL.astype(int)})
    cohort = Cohort.of_frame(frame, outcome="ill", markers=list(markers), **rows)
    quick = {"n_resamples": 100, "r": "no"}
    return wrap(gather_facts(cohort, StudyPlan(**(quick | plan))))


def roots(figure: Figure) -> list[ET.Element]:
    return list(ET.fromstring(f"<div>{figure.svg}</div>"))


def local(node: ET.Element) -> str:
    return node.tag.rpartition("}")[2]


def bars_of(root: ET.Element, side: str) -> list[tuple[float, float]]:
    """Left and right ends of the bars of a class."""
    found = [n for n in root.iter() if f"histogram.{side}." in str(n.get("data-path"))]
    ends = [(float(str(n.get("x"))), float(str(n.get("width")))) for n in found]
    return [(x, x + width) for x, width in ends]


def ticks_of(root: ET.Element) -> list[tuple[float, str]]:
    """Places and words of the ticks of the axis below."""
    texts = [n for n in root.iter() if local(n) == "text" and n.get("class") == "muted"]
    middle = [n for n in texts if n.get("text-anchor") == "middle"]
    return [(float(str(n.get("x"))), "".join(n.itertext())) for n in middle]


# --- Histograms and axes of few values ----------------------------------------------------------

FEW = {
    "a rating": (rating, ["1", "2", "3", "4", "5"]),
    "uneven": (lambda: np.array([0, 1, 2, 5, 10, 100])[rating()], ["1", "2", "5", "10", "100"]),
    "a test": (lambda: (latent() > 0.7).astype(int), ["0", "1"]),
}


@pytest.mark.parametrize("kind", FEW)
def test_14_30_few_values_have_equal_bars_and_a_tick_each(kind: str) -> None:
    make, words = FEW[kind]
    (root,) = roots(draw_distributions(facts_of({"m": make()}))[0])
    ticks = ticks_of(root)
    assert [text for _, text in ticks] == words
    bars = bars_of(root, "neg")
    assert np.ptp([right - left for left, right in bars]) < 4 * ROUNDED
    centres = [(left + right) / 2 for left, right in bars]
    at = [x for x, _ in ticks]
    assert all(min(abs(centre - x) for x in at) < 2 * ROUNDED for centre in centres)


@pytest.mark.parametrize(("higher", "low"), [(True, 3), (False, 4)])
def test_14_30_a_threshold_stands_between_two_steps(higher: bool, low: int) -> None:
    facts = facts_of({"m": rating()}, prespecified={"m": (4.0,)}, higher=higher)
    (root,) = roots(draw_distributions(facts)[0])
    (line,) = (
        n
        for n in root.iter()
        if local(n) == "path" and n.get("data-path") == "markers.0.cutpoints.0.threshold"
    )
    at = {text: x for x, text in ticks_of(root)}
    middle = (at[str(low)] + at[str(low + 1)]) / 2
    assert float(re.findall(r"M([\d.]+)", str(line.get("d")))[0]) == pytest.approx(
        middle, abs=2 * ROUNDED
    )
    moving = roots(draw_explorer(facts)[1])[0]
    (group,) = (n for n in moving.iter() if n.get("data-marker"))
    place = [float(x) for x in str(group.get("data-x")).split()]
    at = {text: x for x, text in ticks_of(moving)}
    chosen = list(facts["markers"][0]["explorer"]["value"]).index(4.0)
    assert place[chosen] == pytest.approx((at[str(low)] + at[str(low + 1)]) / 2, abs=2 * ROUNDED)


def test_14_30_few_subjects_with_many_values_have_equal_bins() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505, 0.4, 0.39, 0.38])
    frame = pd.DataFrame({"m": scores, "ill": np.arange(13) % 2})
    cohort = Cohort.of_frame(frame, outcome="ill", markers=["m"])
    facts = gather_facts(cohort, StudyPlan(n_resamples=100, r="no"))
    edges = facts["markers"][0]["distribution"]["histogram"]["edges"]
    assert np.ptp(np.diff(edges)) < 1e-12


LOG = {
    "skewed": (lambda: np.exp(1.5 * latent()), True),
    "less than a factor of 50 but skewed": (lambda: np.exp(0.75 * latent()), True),
    "symmetric with a value near 0": (lambda: np.append(0.01, 8 + latent()[1:]), False),
    "symmetric": (lambda: 50 + 3 * latent(), False),
    "with a zero": (lambda: np.append(0.0, np.exp(1.5 * latent()[1:])), False),
    "a rating": (lambda: 10.0 ** rating(), False),
}


@pytest.mark.parametrize("kind", LOG)
def test_14_30_an_axis_is_logarithmic_by_skewness(kind: str) -> None:
    make, logarithmic = LOG[kind]
    values = make()
    assert facts_of({"m": values})["markers"][0]["distribution"]["log_scale"] is logarithmic


@pytest.mark.parametrize("width", [60, 120, 200, 300])
@pytest.mark.parametrize(
    "scale",
    [
        {"low": 0.0, "high": 123456.0},
        {"low": 0.01, "high": 90000.0, "log": True},
        {"low": -0.5, "high": 11.5, "steps": tuple(float(v) for v in range(12))},
        {"low": 0.5, "high": 2e5, "steps": (1.0, 10.0, 1234.5, 99999.0, 123456.0)},
    ],
)
def test_14_30_ticks_do_not_collide(scale: Any, width: float) -> None:
    axis = Scale(start=0.0, stop=float(width), **scale)
    ticks = fit_ticks(axis, 5)
    assert ticks
    for left, right in pairwise(ticks):
        room = (text_width(show_tick(left)) + text_width(show_tick(right))) / 2
        assert axis(right) - axis(left) > room


# --- ROC and sROC curves ------------------------------------------------------------------------


def label_rows(facts: Any) -> list[list[ET.Element]]:
    return [
        [n for n in root.iter() if str(n.get("class")).endswith("halo")]
        for root in roots(draw_roc(facts))
    ]


@pytest.mark.parametrize("n", [1, 3, 8])
def test_14_30_every_threshold_has_one_label_in_its_colour(n: int) -> None:
    markers = {f"m{i}": latent(i) for i in range(n)}
    facts = facts_of(markers, prespecified={"m0": (0.5, 1.0)})
    wanted = {
        (f"t{i}", cut["threshold_text"])
        for i, m in enumerate(facts["markers"])
        for cut in m["cutpoints"]
    }
    for labels in label_rows(facts):
        found = [(str(n.get("class")).split()[0], list(n.itertext())[-1]) for n in labels]
        assert sorted(found) == sorted((c, t.replace("-", "\u2212")) for c, t in wanted)
        assert all(n.get("fill") == COLOURS[str(n.get("class")).split()[0]] for n in labels)


def test_14_30_a_threshold_that_the_data_choose_too_is_labelled_once() -> None:
    markers = {"m": rating()}
    best = facts_of(markers)["markers"][0]["cutpoints"][0]["threshold"]
    facts = facts_of(markers, prespecified={"m": (float(best),)})
    assert [cut["threshold"] for cut in facts["markers"][0]["cutpoints"]].count(best) >= 1
    assert all(len(labels) == 1 for labels in label_rows(facts))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_14_30_coloured_words_can_be_read_on_paper() -> None:
    for i in range(8):
        assert 1.05 / (luminance(COLOURS[f"t{i}"]) + 0.05) >= 4.5


def test_14_30_several_bands_differ_by_more_than_colour() -> None:
    facts = facts_of({name: latent(i) for i, name in enumerate("abc")})
    for root in roots(draw_roc(facts)):
        patterns = {str(n.get("id")): n for n in root.iter() if local(n) == "pattern"}
        fills = [str(n.get("fill")) for n in root.iter() if "url(#" in str(n.get("fill"))]
        assert sorted(fills) == sorted(f"url(#{name})" for name in patterns)
        for part in ("all", "part"):
            turns = [n.get("patternTransform") for k, n in patterns.items() if f"-{part}-" in k]
            assert len(turns) == len(set(turns)) == 3
    one = roots(draw_roc(facts_of({"a": latent()})))[0]
    assert not [n for n in one.iter() if local(n) == "pattern"]


def test_14_30_the_scored_curve_of_a_skewed_marker_can_be_read() -> None:
    facts = facts_of({"skewed": np.exp(2.5 * latent()), "plain": latent(2)})
    skewed, even = (m["sroc"] for m in facts["markers"])
    assert (skewed["log_scale"], even["log_scale"]) == (True, False)
    for found, m in zip((skewed, even), facts["markers"], strict=True):
        assert found["tau"][0] == 0.0
        assert found["theta"][0] == m["estimates"]["auc"]["estimate"]
    first, second = ("".join(roots(f)[0].itertext()) for f in draw_scored(facts))
    assert "(log scale)" in first
    assert "not the sAUC" in first
    assert "(log scale)" not in second
    # Half of what is lost is lost within the middle of the axis, not at its left end.
    (root,) = roots(draw_scored(facts)[0])
    (line,) = (n for n in root.iter() if n.get("stroke-linejoin") == "round")
    steps = re.findall(r"([Mlhv])(-?[\d.]+)(?: (-?[\d.]+))?", str(line.get("d")))
    x, xs, ys = 0.0, [], []
    y = 0.0
    for kind, a, b in steps:
        x = float(a) if kind == "M" else x + (float(a) if kind in "lh" else 0.0)
        y = float(b) if kind == "M" else y + (float(b) if kind == "l" else float(a) * (kind == "v"))
        xs.append(x)
        ys.append(y)
    half = np.interp((ys[0] + ys[-1]) / 2, ys, xs)
    assert 0.15 < (half - xs[0]) / (xs[-1] - xs[0]) < 0.85


# --- Order of levels, and the style sheet -------------------------------------------------------


@pytest.mark.parametrize(
    "levels",
    [
        ["low", "medium", "high"],
        ["Mild", "Moderate", "Severe"],
        ["never", "former", "current"],
        ["I", "II", "III", "IV", "IX", "X"],
        ["Stage IA", "Stage IB", "Stage II", "Stage III"],
        ["T1", "T2", "T10"],
        ["5-17", "18-39", "<40", "40-59", ">=60"],
        ["under 60", "60 or more"],
        ["-1", "0", "9", "10"],
        ["9", "10", "high"],
        ["female", "male"],
    ],
)
def test_14_30_levels_stand_in_natural_order(levels: list[str]) -> None:
    for seed in range(5):
        mixed = list(np.random.default_rng(seed).permutation([*levels, "missing"]))
        assert in_natural_order(map(str, mixed), last="missing") == [*levels, "missing"]


def read(name: str) -> str:
    return (find_place("templates") / "report" / name).read_text(encoding="utf-8")


def test_14_30_no_style_breaks_words_on_a_screen() -> None:
    screen = read("style.css").partition("@media print")[0]
    assert "hyphens: auto" not in screen
    breaking = re.findall(r"([^{}]+)\{[^{}]*overflow-wrap: anywhere", screen)
    allowed = ("code", ".particulars dd", ".checklist td", ".doi")  # digests, paths and addresses
    assert sorted(one.strip().splitlines()[-1] for one in breaking) == sorted(allowed)


def test_14_30_without_javascript_the_explorer_promises_nothing() -> None:
    page = read("explorer.html.jinja")
    for promise in ("What another threshold", "Click or drag", "Threshold</label>"):
        before = page[: page.index(promise)]
        opened = re.findall(r'class="[^"]*\b(needs-js|without-js|state|pair)\b', before)
        assert opened[-1] == "needs-js"
    assert 'class="without-js"' in page
    assert ".js .without-js { display: none; }" in read("style.css")


def test_14_30_the_table_of_thresholds_has_three_columns() -> None:
    table = read("thresholds.html.jinja").partition("</thead>")[0]
    assert table.count("<th ") == 3
    assert "words.specificity" in table
