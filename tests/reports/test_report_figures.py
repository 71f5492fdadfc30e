"""Figures of the report: every mark where its number says, every text escaped, nothing broken."""

import json
import math
import re
import xml.etree.ElementTree as ET
from copy import deepcopy
from typing import Any

import pytest
from report_example import example_facts, example_frame

from rocstats.reports.facts import FORMATS
from rocstats.reports.figures.axes import Plane, draw_axes
from rocstats.reports.figures.explorer_figure import draw_explorer
from rocstats.reports.figures.figures_by_name import draw_all
from rocstats.reports.figures.labels import Board
from rocstats.reports.figures.lettering import SMALL, name_text, pair_text, shorten, text_width
from rocstats.reports.figures.marker_styles import mark
from rocstats.reports.figures.midpoint_figure import draw_midpoints
from rocstats.reports.figures.paths import area_path, line_path, simplify
from rocstats.reports.figures.predictive_figure import draw_predictive
from rocstats.reports.figures.roc_figure import draw_roc
from rocstats.reports.figures.scales import Scale, fit_scale, show_tick
from rocstats.reports.figures.subgroup_figure import draw_subgroups
from rocstats.reports.figures.svg import COLOURS, Figure, element
from rocstats.reports.leaves import follow, wrap
from rocstats.reports.markup import Markup, clean

ROUNDED = 0.051  # coordinates are rounded to a tenth of a unit
HOSTILE = (
    "<script>alert('x')</script>",
    "\"quoted\" & 'single' ]]> -->",
    "\u05e1\u05de\u05df \u05d1\u05d3\u05dd (ng/mL)",
    "\u202eevil\u0000\u0007\ud800\uffff",
    "long " * 40,
)


def figures_of(facts: Any) -> list[Figure]:
    found: list[Figure] = []
    for drawn in draw_all(facts).values():
        found += [f for f in (drawn if isinstance(drawn, list) else [drawn]) if f is not None]
    return found


def roots(figure: Figure) -> list[ET.Element]:
    """Return the drawings of a figure; parsing them is the test that they are well formed."""
    return list(ET.fromstring(f"<div>{figure.svg}</div>"))


def local(node: ET.Element) -> str:
    return node.tag.rpartition("}")[2]


def check(figures: list[Figure]) -> None:
    """Hold every figure of a page to the rules that all of them share."""
    ids: list[str] = []
    for figure in figures:
        for root in roots(figure):
            assert local(root) == "svg"
            assert root.get("role") == "img"
            assert [local(child) for child in root][:2] == ["title", "desc"]
            assert all(child.text for child in root[:2])
            named = {node.get("id") for node in root.iter()}
            assert {root.get("aria-labelledby"), root.get("aria-describedby")} <= named
            width, height = map(float, str(root.get("viewBox")).split()[2:])
            assert width in (270, 360, 720)
            assert 60 < height < 60 * width
            for node in root.iter():
                ids += [str(node.get("id"))] if node.get("id") else []
                assert node.get("style") is None, "a strict policy forbids it"
                for name, value in node.attrib.items():
                    assert not re.search(r"\b(nan|inf|None)\b", value), (figure.name, name, value)
                if local(node) in ("path", "rect", "circle") and "clip" not in str(node.get("id")):
                    for name in ("width", "height", "r"):
                        assert float(node.get(name, 1)) >= 0.0
                if local(node) == "text":
                    assert float(str(node.get("font-size"))) >= 11.5
                    assert node.get("fill") in COLOURS.values()
                    assert 0 <= float(str(node.get("x"))) <= width
                    assert 0 <= float(str(node.get("y"))) <= height
            for url in re.findall(r"url\(#([^)]+)\)", ET.tostring(root, encoding="unicode")):
                assert url in named
    assert len(set(ids)) == len(ids)


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    return example_facts()


@pytest.fixture(scope="module")
def facts(plain: dict[str, Any]) -> Any:
    return wrap(plain)


# ------------------------------------------------------------------------------------ the toolkit


def test_every_text_is_escaped_and_markup_is_not() -> None:
    inner = element("tspan", "<b>")
    made = element("text", inner, "a & b", data_path='"><x', stroke_width=1.25, rx=None)
    assert made == (
        '<text data-path="&quot;&gt;&lt;x" stroke-width="1.2">'
        "<tspan>&lt;b&gt;</tspan>a &amp; b</text>"
    )
    assert isinstance(made, Markup)
    assert made.__html__() == made


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_mark_without_a_place_is_left_out(bad: float) -> None:
    assert element("circle", cx=bad, cy=1.0, r=3) == ""
    assert all(mark(i, 1.0, bad) == "" for i in range(10))
    scale = Scale(low=0.0, high=1.0, start=0.0, stop=100.0)
    assert line_path([0.0, bad], [0.0, 1.0], scale, scale) == ""
    assert line_path([0, 0.1, None, 0.5, 0.6], [0, 1, 0, 0, 1], scale, scale).count("M") == 2
    assert area_path([0, 0.5, 1], [0, None, 0], [1, 1, 1], scale, scale) == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_well_formed_and_fits(name: str) -> None:
    short = shorten(name, 120)
    assert text_width(short) <= 120
    node = ET.fromstring(name_text(0, 0, name, 120))
    assert "".join(node.itertext()).endswith(short)
    assert ("…" in short) == (node.find("title") is not None)
    ET.fromstring(pair_text(0, 0, (name, "other"), 120))
    assert not set(clean(name)) & set("\u202e\u0000\u0007\uffff")


def test_a_long_name_keeps_both_ends_and_its_whole_as_a_tooltip() -> None:
    name = "a" + "x" * 200 + "z"
    short = shorten(name, 100)
    assert (short[0], short[-1]) == ("a", "z")
    assert ET.fromstring(name_text(0, 0, name, 100)).findtext("title") == name
    assert shorten("short", 100) == "short"


def test_text_from_right_to_left_is_isolated() -> None:
    assert clean(HOSTILE[2]) == f"\u2068{HOSTILE[2]}\u2069"
    assert clean("s100b") == "s100b"


@pytest.mark.parametrize(
    ("low", "high", "log"),
    [
        (0.0, 1.0, False),
        (-3.2, 17.0, False),
        (1e-9, 3e-9, False),
        (0.012, 0.97, True),
        (3.0, 7.0, True),
        (1e-8, 1e9, True),
        (5e5, 5.1e5, True),
    ],
)
def test_ticks_are_round_and_on_the_scale(low: float, high: float, log: bool) -> None:
    scale = Scale(low=low, high=high, start=20.0, stop=320.0, log=log)
    ticks = scale.ticks(5)
    assert 2 <= len(ticks) <= 8
    assert all(low <= t <= high for t in ticks)
    assert all(20.0 <= scale(t) <= 320.0 for t in ticks)
    assert all(len(show_tick(t)) <= 8 for t in ticks)
    assert len({show_tick(t) for t in ticks}) == len(ticks)


@pytest.mark.parametrize("values", [[], [None], [3.0], [0.0], [1.0, math.inf], [-1, "Infinity"]])
@pytest.mark.parametrize("log", [False, True])
def test_a_scale_can_always_be_fitted(values: list[Any], log: bool) -> None:
    scale = fit_scale(values, 0.0, 100.0, log=log)
    assert scale.high > scale.low
    assert scale.ticks()
    plane = Plane(x=scale, y=Scale(low=0.0, high=1.0, start=100.0, stop=0.0))
    ET.fromstring(f"<g>{draw_axes(plane, 'x', 'y')}</g>")


def test_a_simplified_line_stays_within_sight_of_every_vertex() -> None:
    run = [(k, round(400 * math.sin(k / 300))) for k in range(3000)]
    kept = simplify(run)
    assert len(kept) < 200
    lookup = dict(kept)
    xs = sorted(lookup)
    for x, y in run:
        left = max(k for k in xs if k <= x)
        right = min(k for k in xs if k >= x)
        at = (
            lookup[left]
            if left == right
            else lookup[left] + (lookup[right] - lookup[left]) * (x - left) / (right - left)
        )
        assert abs(at - y) <= 3.0  # tenths of a pixel; 1.5 at right angles to the line


def test_a_label_finds_room_or_none() -> None:
    board = Board(0, 0, 100, 60)
    spots = [board.find(50, 30, 30, 10) for _ in range(12)]
    found = [s for s in spots if s is not None]
    assert 2 <= len(found) < 12
    for i, (x, y) in enumerate(found):
        for a, b in found[:i]:
            assert abs(x - a) >= 30 or abs(y - b) >= 10


# ------------------------------------------------------------------------------------ the figures


def test_all_figures_are_there_and_sound(facts: Any) -> None:
    drawn = draw_all(facts)
    assert list(drawn) == [
        *("overview", "flow", "distributions", "roc", "scored", "smooth", "precision_recall"),
        *("midpoints", "forest", "differences", "predictive", "explorer", "subgroups"),
        *("calibration", "decision"),
    ]
    size = len(facts["markers"])
    assert [len(drawn[k]) for k in ("distributions", "predictive", "calibration")] == [size] * 3  # type: ignore[arg-type]
    assert len(drawn["subgroups"]) == len(facts["subgroups"])  # type: ignore[arg-type]
    check(figures_of(facts))


def test_the_smauc_along_the_midpoint_is_drawn_where_it_was_found(facts: Any) -> None:
    found = [i for i, m in enumerate(facts["markers"]) if m["smauc_along"]]
    drawn = draw_midpoints(facts)
    assert [figure.name for figure in drawn] == [f"midpoints-{i}" for i in found] != []
    for figure in drawn:
        assert "band, approximate" in figure.svg
        assert "Dotted: chance" in figure.svg
        assert figure.svg.count("<path") >= 3  # band, chance and curve, beside the grid
        assert "stroke-dasharray" in figure.svg


def test_marks_and_labels_are_bound_to_what_they_show(plain: dict[str, Any], facts: Any) -> None:
    tree = json.loads(json.dumps(plain))
    labels = marks = 0
    for figure in figures_of(facts):
        for root in roots(figure):
            for node in root.iter():
                path = node.get("data-path")
                if path is None:
                    continue
                value = follow(tree, path)
                if local(node) != "tspan":
                    assert isinstance(value, (int, float))
                    marks += 1
                elif node.get("data-as") == "minus":
                    assert node.text == value.replace("-", "\u2212")
                else:
                    assert node.text == FORMATS[str(node.get("data-as"))](value)
                    labels += 1
    assert marks > 100
    assert labels > 50


@pytest.mark.parametrize("stated", [0.05, 0.25, 0.3, 0.45])
def test_no_prevalence_goes_without_its_number(plain: dict[str, Any], stated: float) -> None:
    facts = deepcopy(plain)
    cut = facts["markers"][0]["cutpoints"][0]
    own = next(at for at in cut["at_prevalence"] if at["own"])
    cut["at_prevalence"] = [own, own | {"prevalence": stated, "own": False}]
    figure = draw_predictive(facts)[0]
    assert figure is not None
    (root,) = roots(figure)
    texts = [node.text for node in root.iter() if local(node) == "text"]
    assert {FORMATS["pct"](own["prevalence"]), FORMATS["level"](stated)} <= set(texts)


def test_the_threshold_of_the_explorer_crosses_no_words(facts: Any) -> None:
    (root,) = roots(draw_explorer(facts)[1])
    for marker in (node for node in root.iter() if node.get("data-marker")):
        names = [node for node in marker.iter() if "halo" in str(node.get("class"))]
        (line,) = (node for node in marker.iter() if node.get("class") == "ink here")
        top, bottom = re.findall(r"M0 ([\d.]+)V([\d.]+)", str(line[0].get("d")))[0]
        above, below = (float(str(node.get("y"))) for node in names)
        assert above < float(top) < float(bottom) <= below - SMALL


def test_plain_facts_draw_the_same_without_paths(plain: dict[str, Any], facts: Any) -> None:
    bare = re.compile(r' data-(?:path|as)="[^"]*"')
    for ours, theirs in zip(figures_of(facts), figures_of(plain), strict=True):
        assert bare.sub("", ours.svg).replace("<tspan>", "").replace("</tspan>", "") == (
            theirs.svg.replace("<tspan>", "").replace("</tspan>", "")
        )


def axis_of(root: ET.Element) -> tuple[float, float]:
    """Return place and slope of the horizontal axis from its first and last tick label."""
    ticks = [
        (float(str(n.text).replace("−", "-")), float(str(n.get("x"))))
        for n in root.iter()
        if local(n) == "text"
        and n.get("class") == "muted"
        and n.get("text-anchor") == "middle"
        and re.fullmatch(r"−?[0-9.]+", str(n.text))
    ]
    (v0, x0), (v1, x1) = ticks[0], ticks[-1]
    slope = (x1 - x0) / (v1 - v0)
    return x0 - v0 * slope, slope


def spot(node: ET.Element) -> tuple[float, float]:
    if local(node) == "circle":
        return float(str(node.get("cx"))), float(str(node.get("cy")))
    found = re.match(r"translate\(([-.0-9]+) ([-.0-9]+)\)", str(node.get("transform")))
    assert found is not None
    return float(found[1]), float(found[2])


def test_forest_marks_stand_where_their_numbers_say(facts: Any) -> None:
    figure = draw_all(facts)["forest"]
    assert isinstance(figure, Figure)
    for root in roots(figure):
        zero, slope = axis_of(root)
        for m in facts["markers"]:
            for end in ("estimate", "conf_low", "conf_high"):
                value = m["estimates"]["auc"][end]
                node = next(
                    n
                    for n in root.iter()
                    if n.get("data-path") == value.path and local(n) != "tspan"
                )
                if end == "estimate":
                    at = spot(node)[0]
                else:
                    at = float(str(node.get("d"))[1:].split(" ")[0])
                # the axis itself is known from two rounded places
                assert at == pytest.approx(zero + slope * value, abs=3 * ROUNDED)


def test_cutpoints_stand_on_their_curve(facts: Any) -> None:
    wide = roots(draw_roc(facts))[0]
    drawn = 0
    for m in facts["markers"]:
        for cut in m["cutpoints"]:
            rates = cut["measures"]["sensitivity"], cut["measures"]["specificity"]
            sensitivity, specificity = (rate["estimate"] for rate in rates)
            nodes = [
                n
                for n in wide.iter()
                if n.get("data-path") == sensitivity.path and local(n) != "tspan"
            ]
            x, y = spot(nodes[0])
            assert (x - 50) / 376 == pytest.approx(1 - specificity, abs=ROUNDED / 376)
            assert (386 - y) / 376 == pytest.approx(sensitivity, abs=ROUNDED / 376)
            drawn += 1
    assert drawn >= 3


def vertices(d: str) -> list[tuple[float, float]]:
    """Return the places that a path of M, l, h and v steps visits."""
    x = y = 0.0
    found = []
    for step, numbers in re.findall(r"([Mlhv])([-. 0-9]+)", d):
        values = [float(v) for v in numbers.split()]
        if step == "M":
            x, y = values
        elif step == "l":
            x, y = x + values[0], y + values[1]
        elif step == "h":
            x += values[0]
        else:
            y += values[0]
        found.append((x, y))
    return found


def test_a_drawn_curve_is_the_curve() -> None:
    plane = Plane(
        x=Scale(low=0.0, high=1.0, start=50.0, stop=426.0),
        y=Scale(low=0.0, high=1.0, start=386.0, stop=10.0),
    )
    fpr, tpr = [0.0, 0.0, 0.1, 0.1, 0.55, 1.0], [0.0, 0.3, 0.3, 0.8, 0.93, 1.0]
    found = vertices(line_path(fpr, tpr, plane.x, plane.y))
    assert found == [
        (pytest.approx(plane.x(a), abs=ROUNDED), pytest.approx(plane.y(b), abs=ROUNDED))
        for a, b in zip(fpr, tpr, strict=True)
    ]


def test_histogram_bars_have_the_height_of_their_share(facts: Any) -> None:
    drawn = draw_all(facts)["distributions"]
    assert isinstance(drawn, list)
    for figure, m in zip(drawn, facts["markers"], strict=True):
        bars = [n for n in roots(figure)[0].iter() if "histogram" in str(n.get("data-path"))]
        shares = {
            count.path: count / max(1, sum(m["distribution"]["histogram"][side]))
            for side in ("pos", "neg")
            for count in m["distribution"]["histogram"][side]
        }
        assert len(bars) == sum(share > 0 for share in shares.values())
        tallest = max(shares.values())
        for bar in bars:
            height = float(str(bar.get("height")))
            assert height == pytest.approx(
                66 * shares[str(bar.get("data-path"))] / tallest, abs=ROUNDED
            )


def test_one_threshold_has_one_line(plain: dict[str, Any]) -> None:
    def lines(facts: dict[str, Any]) -> list[str]:
        drawn = draw_all(wrap(facts))["distributions"]
        assert isinstance(drawn, list)
        nodes = [n for n in roots(drawn[0])[0].iter() if local(n) == "path"]
        return [path for n in nodes if "cutpoints" in (path := str(n.get("data-path")))]

    paths = [f"markers.0.cutpoints.{i}.threshold" for i in range(2)]
    assert lines(plain) == paths
    bent = deepcopy(plain)
    first, second = bent["markers"][0]["cutpoints"]
    second["threshold"] = first["threshold"]
    assert lines(bent) == paths[:1]


# ------------------------------------------------------------------- what a user may throw at it


def test_hostile_names(facts: Any) -> None:
    drawn = figures_of(wrap(example_facts(names=HOSTILE[:3])))
    check(drawn)
    page = "".join(f.svg for f in drawn)
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_hostile_labels_everywhere(plain: dict[str, Any]) -> None:
    bent = deepcopy(plain)
    for i, m in enumerate(bent["markers"]):
        m["label"], m["unit"] = HOSTILE[i % 5], HOSTILE[(i + 1) % 5]
    for part in bent["subgroups"]:
        part["name"] = HOSTILE[0]
        for i, level in enumerate(part["levels"]):
            level["label"] = HOSTILE[i % 5]
    for step in bent["flow"]["steps"]:
        step["why"] = HOSTILE[4]
    bent["words"] = {k: f"{v} <i>" for k, v in bent["words"].items()}
    check(figures_of(wrap(bent)))


def test_one_marker() -> None:
    drawn = draw_all(wrap(example_facts(names=("s100b",))))
    assert drawn["differences"] is None
    check(figures_of(wrap(example_facts(names=("s100b",)))))


def test_margins_are_drawn_with_the_interval_that_judges_them(plain: dict[str, Any]) -> None:
    judged = deepcopy(plain)
    for test in judged["comparisons"]["margins"]:
        test |= {"conf_level": 0.9, "conf_low": -0.0123, "conf_high": 0.0456}
    drawn = next(f for f in figures_of(wrap(judged)) if f.name == "differences")
    words = " ".join("".join(n.itertext()) for n in roots(drawn)[0].iter() if local(n) == "text")
    assert "Difference (90% CI)" in words
    assert "\u22120.012 to +0.046" in words


def test_forty_markers(facts: Any, plain: dict[str, Any]) -> None:
    many = deepcopy(plain)
    first = many["markers"]
    many["markers"] = [
        deepcopy(first[i % len(first)]) | {"name": f"m{i}", "label": f"marker {i}"}
        for i in range(40)
    ]
    for part in many["subgroups"]:
        part["interaction"] *= 14
        for level in part["levels"]:
            level["estimates"] *= 14
    pairs = many["comparisons"]["pairwise"]
    named = [{"first": f"m{i % 40}", "second": f"m{i // 40}"} for i in range(200)]
    many["comparisons"]["pairwise"] = [deepcopy(pairs[0]) | names for names in named]
    margins = many["comparisons"]["margins"]
    many["comparisons"]["margins"] = [deepcopy(margins[0]) | names for names in named]
    drawn = figures_of(wrap(many))
    check(drawn)
    roc = next(f for f in drawn if f.name == "roc")
    wide = roots(roc)[0]
    words = {"".join(n.itertext()) for n in wide.iter() if local(n) == "text"}
    assert {f"marker {i}" for i in range(8)} <= words
    assert "marker 8" not in words
    assert any("the other 32 markers" in w for w in words)
    assert sum(n.get("class") == "rest" for n in wide.iter()) == 2 * 32


def test_two_patients() -> None:
    frame = example_frame(n=20).iloc[[0, 10]]
    assert set(frame["outcome"]) == {"Poor", "Good"}
    check(figures_of(wrap(example_facts(frame=frame))))


def spoiled(tree: Any, value: Any) -> Any:
    """Return the tree with every float replaced, counts and settings kept."""
    if isinstance(tree, dict):
        keep = ("settings", "curve", "explorer", "data", "flow")
        return {k: v if k in keep else spoiled(v, value) for k, v in tree.items()}
    if isinstance(tree, list):
        return [spoiled(v, value) for v in tree]
    return value if isinstance(tree, float) else tree


@pytest.mark.parametrize("value", [None, "Infinity", "-Infinity", 0.0, 1.0, -1e300, 1e-300])
def test_no_number_breaks_a_drawing(plain: dict[str, Any], value: Any) -> None:
    drawn = figures_of(wrap(spoiled(plain, value)))
    check(drawn)
    if value is None:
        forest = next(f for f in drawn if f.name == "forest")
        assert forest.svg.count("not estimable") >= 2 * len(plain["markers"])


def test_empty_parts(plain: dict[str, Any]) -> None:
    bare = deepcopy(plain)
    bare["flow"]["steps"] = []
    bare["subgroups"] = []
    bare["comparisons"] = {"refused": "fitted"}
    for m in bare["markers"]:
        m["distribution"]["histogram"] = {"edges": [], "values": [], "pos": [], "neg": []}
        m["cutpoints"] = []
        m |= dict.fromkeys(("band", "sroc", "smroc", "predictive_curve", "calibration", "decision"))
        m["smauc_along"] = None
    drawn = draw_all(wrap(bare))
    assert drawn["smooth"] is drawn["differences"] is drawn["decision"] is None
    assert drawn["scored"] == drawn["subgroups"] == drawn["midpoints"] == []
    check(figures_of(wrap(bare)))


def test_long_flow_and_agreement_words(plain: dict[str, Any]) -> None:
    bent = deepcopy(plain)
    bent["flow"]["steps"] = [{"why": f"marker {i} missing", "n": i} for i in range(80)]
    check(figures_of(wrap(bent)))
    flow = next(f for f in figures_of(wrap(bent)) if f.name == "flow")
    assert "and 68 more reasons" in flow.svg
    assert "sensitivity" not in draw_roc(example_facts(comparator=True)).svg.lower()


def test_no_line_runs_through_the_head_of_a_subgroup(facts: Any) -> None:
    figure = draw_subgroups(facts)[0]
    for root in roots(figure):
        heads = [float(str(n.get("y"))) for n in root.iter() if n.get("font-weight") == "600"]
        rules = [
            tuple(map(float, re.findall(r"M\S+ (\S+)V(\S+)", str(n.get("d")))[0]))
            for group in root.iter()
            if group.get("class") == "rule"
            for n in group
            if "V" in str(n.get("d"))
        ]
        assert len(heads) == len(facts["markers"])
        assert len(rules) >= len(heads)
        assert not [(y, rule) for y in heads for rule in rules if rule[0] < y - 4 < rule[1]]


@pytest.mark.parametrize("across", [-0.06, -0.03, 0.0, 0.03, 0.06])
@pytest.mark.parametrize("down", [-0.04, 0.02, 0.04, 0.06])
def test_no_threshold_is_written_over_the_mark_of_another(
    across: float, down: float, plain: dict[str, Any]
) -> None:
    both = [deepcopy(m) for m in plain["markers"] if m["cutpoints"]][:2]
    for m, x, y in zip(both, (0.3, 0.3 + across), (0.7, 0.7 - down), strict=True):
        m["cutpoints"] = m["cutpoints"][:1]
        rates = m["cutpoints"][0]["measures"]
        rates["sensitivity"]["estimate"], rates["specificity"]["estimate"] = y, 1.0 - x
    facts = wrap(plain | {"markers": both})
    wide = roots(draw_roc(facts))[0]
    cuts = [m["cutpoints"][0]["measures"]["sensitivity"]["estimate"] for m in facts["markers"]]
    marks = [spot(next(n for n in wide.iter() if n.get("data-path") == c.path)) for c in cuts]
    labels = [n for n in wide.iter() if str(n.get("class")).endswith("halo")]
    assert labels
    for label in labels:
        left, base = (float(str(label.get(name))) for name in "xy")
        right = left + text_width("".join(label.itertext()))
        covered = [
            (x, y) for x, y in marks if left - 4 < x < right + 4 and base - 12 < y < base + 4
        ]
        assert covered == []


def test_14_11_the_predictive_figure_draws_the_interval_that_is_printed(facts: Any) -> None:
    """Issue 14, line 11: whiskers at the ring; the band is where the prevalence is known."""
    (root,) = roots(draw_predictive(facts)[0])
    paths = [str(node.get("d")) for node in root.iter() if node.get("class") == "whisker"]
    own = facts["markers"][0]["cutpoints"][0]["at_prevalence"][0]
    assert own["own"]
    for d, value in zip(paths, ("ppv", "npv"), strict=True):
        ends = [float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", d)[0]]
        printed = [own[value]["conf_low"], own[value]["conf_high"]]
        assert [(220 - y) / (220 - 46) for y in ends] == pytest.approx(printed, abs=0.001)
