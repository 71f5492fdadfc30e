"""The ROC convex hull, iso-performance lines and mixtures, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.corners import curve_corners, upper_hull
from rocstats.plots.curve_plots import line_in_square

mpl.use("Agg")

ROUNDING = 1e-14  # a few additions of doubles near 1

Points = set[tuple[Fraction, Fraction]]
NONE, ALL = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))


@st.composite
def curves(draw: st.DrawFn) -> list[rs.RocCurve]:
    """One to three curves of different samples, of two to eight subjects a class, with ties."""
    found = []
    for name in draw(st.sampled_from(["a", "ab", "abc"])):
        m, n = draw(st.integers(2, 8)), draw(st.integers(2, 8))
        y = draw(st.permutations([1] * m + [0] * n))
        k = draw(st.sampled_from([1, 4, 64]))
        score = draw(st.lists(st.integers(0, k), min_size=m + n, max_size=m + n))
        up = draw(st.booleans())
        found.append(rs.roc_curve(y, {name: score}, higher_is_positive=up))
    return found


def points(curve: rs.RocCurve) -> Points:
    return {
        (Fraction(fp, curve.n_neg), Fraction(tp, curve.n_pos))
        for fp, tp in zip(curve.fp.tolist(), curve.tp.tolist(), strict=True)
    }


def is_dominated(p: tuple[Fraction, Fraction], others: Points) -> bool:
    """Whether a point lies on or below a segment between two others, or straight below one."""
    return any(q[0] == p[0] and q[1] > p[1] for q in others) or any(
        q[0] < p[0] < r[0] and (p[1] - q[1]) * (r[0] - q[0]) <= (r[1] - q[1]) * (p[0] - q[0])
        for q in others
        for r in others
    )


def brute_force_hull(every: Points) -> list[tuple[Fraction, Fraction]]:
    kept = {p for p in every if not is_dominated(p, every - {p})}
    return sorted(kept | {NONE, ALL})


@given(curves())
def test_hull_is_that_of_all_pairs_of_points(given_curves: list[rs.RocCurve]) -> None:
    hull = rs.roc_hull(given_curves)
    every = set().union(*(points(c) for c in given_curves))
    assert [(v.fpr, v.tpr) for v in hull.vertices] == brute_force_hull(every)


@given(curves())
def test_hull_is_concave_and_above_every_curve(given_curves: list[rs.RocCurve]) -> None:
    hull = rs.roc_hull(given_curves)
    steps = [(b.fpr - a.fpr, b.tpr - a.tpr) for a, b in pairwise(hull.vertices)]
    for (x1, y1), (x2, y2) in pairwise(steps):
        assert y1 * x2 > y2 * x1  # strictly: no vertex on an edge
    for curve in given_curves:
        assert (hull.at(fpr=curve.fpr).tpr >= curve.tpr - ROUNDING).all()
        assert hull.area() >= curve.area() - ROUNDING


@given(curves())
def test_vertices_belong_to_their_owners(given_curves: list[rs.RocCurve]) -> None:
    hull = rs.roc_hull(given_curves)
    by_name = {c.classifier: c for c in given_curves}
    assert (hull.owner[0], hull.owner[-1]) == (("none",), ("all",))
    for vertex in hull.vertices[1:-1]:
        for name, threshold in zip(vertex.owner, vertex.threshold, strict=True):
            at = by_name[name].at(threshold=threshold)
            assert (at.fpr, at.tpr) == (float(vertex.fpr), float(vertex.tpr))
        reached = {n for n, c in by_name.items() if (vertex.fpr, vertex.tpr) in points(c)}
        assert set(vertex.owner) == reached


@given(
    curves(),
    st.fractions(0, 5),
    st.fractions(Fraction(1, 100), 5),
    st.fractions(Fraction(1, 100), Fraction(99, 100)),
)
def test_best_is_the_cheapest_of_all_points(
    given_curves: list[rs.RocCurve], cost_fp: Fraction, cost_fn: Fraction, prevalence: Fraction
) -> None:
    hull = rs.roc_hull(given_curves)
    best = hull.best(cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence)

    def cost(point: tuple[Fraction, Fraction]) -> Fraction:
        return prevalence * cost_fn * (1 - point[1]) + (1 - prevalence) * cost_fp * point[0]

    every = set().union(*(points(c) for c in given_curves))
    least = min(map(cost, every))
    assert best.expected_cost == float(least)
    cheapest = [v for v in hull.vertices if cost((v.fpr, v.tpr)) == least]
    assert list(best.vertices) == cheapest
    assert best.slope == float(cost_fp * (1 - prevalence) / (cost_fn * prevalence))
    for vertex in hull.vertices:
        inside = vertex.slope_low <= best.slope <= vertex.slope_high
        assert inside == (vertex in best.vertices)


def test_every_vertex_is_best_between_its_slopes() -> None:
    hull = rs.roc_hull(rs.datasets.load_breast_cancer())
    for vertex in hull.vertices[1:-1]:
        slope = math.sqrt(max(vertex.slope_low, 1e-6) * min(vertex.slope_high, 1e6))
        assert hull.best(cost_fp=slope, prevalence=0.5).vertices == (vertex,)


def test_line_along_an_edge_has_both_ends() -> None:
    # Vertices (0, 0), (0, 0.2), (0.1, 0.5), (0.5, 0.8), (0.9, 1), (1, 1): slope 3 joins two.
    hull = rs.roc_hull(rs.datasets.load_fawcett())
    best = hull.best(prevalence=0.25)
    assert best.slope == 3.0
    assert [(float(v.fpr), float(v.tpr)) for v in best.vertices] == [(0.0, 0.2), (0.1, 0.5)]
    assert best.classifiers == ["score"]
    # 0.9 / (12 * 0.1) is 3/4 in decimals, though not in doubles.
    assert hull.best(cost_fn=12, prevalence=0.1).slope == 0.75
    assert len(hull.best(cost_fn=12, prevalence=0.1).vertices) == 2


def test_fawcett_figure_3() -> None:
    hull = rs.roc_hull(rs.datasets.load_fawcett())
    assert hull.fpr.tolist() == [0.0, 0.0, 0.1, 0.5, 0.9, 1.0]
    assert hull.tpr.tolist() == [0.0, 0.2, 0.5, 0.8, 1.0, 1.0]
    assert hull.threshold[1:-1] == [(0.8,), (0.54,), (0.38,), (0.3,)]
    assert hull.area() == 0.755
    # Section 4: the highest accuracy, 70%, is at (0.1, 0.5) with threshold 0.54.
    best = hull.best(prevalence=0.5)
    assert (best.slope, 1.0 - best.expected_cost) == (1.0, 0.7)
    assert (best.vertices[0].threshold, best.classifiers) == ((0.54,), ["score"])


def test_fawcett_operating_conditions() -> None:
    # Section 6: ten negatives to a positive; a false negative ten times as dear.
    hull = rs.roc_hull(rs.datasets.load_fawcett())
    assert hull.best(prevalence=Fraction(1, 11)).slope == 10.0
    assert hull.best(prevalence=0.5, cost_fn=10).slope == 0.1


def test_costs_of_nothing() -> None:
    hull = rs.roc_hull(rs.datasets.load_fawcett())
    free_misses = hull.best(prevalence=0.5, cost_fn=0)
    assert free_misses.slope == math.inf
    assert [v.tpr for v in free_misses.vertices] == [0, Fraction(1, 5)]
    free_alarms = hull.best(prevalence=0.5, cost_fp=0)
    assert free_alarms.slope == 0.0
    assert [float(v.fpr) for v in free_alarms.vertices] == [0.9, 1.0]


def test_dominated_classifiers_own_nothing() -> None:
    y = [1, 1, 1, 0, 0, 0]
    hull = rs.roc_hull(y, {"good": [6, 5, 3, 4, 2, 1], "bad": [1, 2, 3, 4, 5, 6]})
    assert hull.classifiers == ["good"]
    assert "never best: bad" in repr(hull)
    reversed_only = rs.roc_hull(y, [1, 2, 3, 4, 5, 6])
    assert reversed_only.owner == [("none",), ("all",)]
    assert reversed_only.area() == 0.5


def test_shared_vertex_names_all_owners() -> None:
    y = [1, 1, 0, 0]
    hull = rs.roc_hull(y, {"a": [9, 8, 7, 1], "b": [0.4, 0.3, 0.2, 0.1]})
    assert hull.owner == [("none",), ("a", "b"), ("all",)]
    assert hull.threshold[1] == (8.0, 0.3)
    frame = hull.to_frame()
    assert frame["owner"].tolist() == ["none", "a", "b", "all"]
    assert frame["vertex"].tolist() == [0, 1, 1, 2]


def test_counts_beyond_64_bits() -> None:
    # The same shape with classes of 2**40 subjects: products of counts do not fit 64 bits.
    small = rs.roc_curve(rs.datasets.load_fawcett())
    large = rs.RocCurve(
        classifier="large",
        fp=small.fp * 2**40,
        tp=small.tp * 2**40,
        threshold=small.threshold,
        higher_is_positive=True,
    )
    hull = rs.roc_hull([small, large])
    assert [(v.fpr, v.tpr) for v in hull.vertices] == [
        (v.fpr, v.tpr) for v in rs.roc_hull(small).vertices
    ]
    assert hull.owner[1:-1] == [("score", "large")] * 4


def test_nearly_collinear_points_are_told_apart() -> None:
    # The middle point is off the line by 1 in 10**18, far below the rounding of doubles.
    n = 10**9
    fp, tp = np.array([0, 500_000_000, n]), np.array([0, 500_000_000, n])
    for lift, corners in ((-1, 2), (0, 2), (1, 3)):
        assert curve_corners(fp, tp + np.array([0, lift, 0])).size == corners
        wide = fp * 7, tp * 7 + np.array([0, lift, 0])
        assert curve_corners(*wide).size == corners  # 4.9e19 does not fit 64 bits


def test_prefilter_loses_no_corner() -> None:
    rng = np.random.default_rng(3)
    for kind in ("smooth", "ties", "useless", "zigzag"):
        y = rng.random(5000) < 0.3
        score = rng.normal(size=y.size) + (0.0 if kind == "useless" else y)
        score = np.round(score, 1) if kind == "ties" else score
        if kind == "zigzag":  # runs of alternating class: every second point is a corner at first
            y = np.arange(y.size) % 2 == 0
            score = -np.arange(y.size, dtype=float)
        curve = rs.roc_curve(y, score)
        whole = upper_hull(list(zip(curve.fp.tolist(), curve.tp.tolist(), strict=True)))
        assert curve_corners(curve.fp, curve.tp).tolist() == whole


# ------------------------------------------------------------------------------------ mixtures


def test_fawcett_800_of_4000() -> None:
    # Section 10: A (0.1, 0.2) would call 424 clients, B (0.25, 0.6) 1084; 800 are wanted.
    a, b = (0.1, 0.2), (0.25, 0.6)
    mixed = rs.mix_classifiers(a, b, called=800, size=4000, prevalence=0.06)
    assert mixed.share == Fraction(94, 165)
    assert mixed.share == Fraction(800 - 424, 1084 - 424)
    assert (mixed.fpr, mixed.tpr) == (Fraction(51, 275), Fraction(353, 825))
    assert (mixed.called, mixed.tp, mixed.fp) == (800, Fraction(5648, 55), Fraction(38352, 55))
    assert (round(float(mixed.fpr), 2), round(float(mixed.tpr), 2)) == (0.19, 0.43)
    # The paper reads (0.18, 0.42) off the graph and prints 0.53, which would call 774.
    printed = rs.mix_classifiers(a, b, fpr=0.18, size=4000, prevalence=0.06)
    assert printed.share == Fraction(8, 15)
    assert round(float(printed.called or 0)) == 776
    assert float(424 + Fraction(53, 100) * 660) == 773.8


def test_mixture_by_rate_and_back() -> None:
    a, b = (Fraction(1, 3), Fraction(1, 2)), (Fraction(2, 3), Fraction(3, 4))
    by_tpr = rs.mix_classifiers(a, b, tpr=Fraction(5, 8))
    assert (by_tpr.share, by_tpr.fpr, by_tpr.called) == (Fraction(1, 2), Fraction(1, 2), None)
    assert rs.mix_classifiers(b, a, tpr=Fraction(5, 8)).share == 1 - by_tpr.share
    assert rs.mix_classifiers(a, b, fpr=a[0]).share == 0
    assert rs.mix_classifiers(a, b, fpr=b[0]).share == 1
    assert by_tpr.to_frame()["share"].tolist() == [0.5]


def test_mixture_of_curve_points() -> None:
    curve = rs.roc_curve(rs.datasets.load_fawcett())
    mixed = rs.mix_classifiers(curve.at(threshold=0.8), curve.at(threshold=0.54), fpr=0.05)
    assert (mixed.share, mixed.tpr) == (Fraction(1, 2), Fraction(35, 100))


@given(curves(), st.fractions(0, 1))
def test_hull_mixtures_lie_on_the_hull(given_curves: list[rs.RocCurve], rate: Fraction) -> None:
    hull = rs.roc_hull(given_curves)
    by_fpr, by_tpr = hull.mix(fpr=rate), hull.mix(tpr=rate)
    assert by_fpr.fpr == rate
    assert by_tpr.tpr == rate
    assert float(by_fpr.tpr) == pytest.approx(hull.at(fpr=float(rate)).tpr, abs=ROUNDING)
    assert float(by_tpr.fpr) == pytest.approx(hull.at(tpr=float(rate)).fpr, abs=ROUNDING)
    called = hull.mix(called=rate * 50, size=50, prevalence=Fraction(1, 5))
    assert called.called == rate * 50


def test_hull_mixture_says_who_decides() -> None:
    mixed = rs.roc_hull(rs.datasets.load_fawcett()).mix(called=800, size=4000, prevalence=0.06)
    assert mixed.names == ("score at 0.54", "score at 0.38")
    assert repr(mixed).startswith("Mixture: score at 0.38 decides a share of 38/197 (0.1929)")


# ------------------------------------------------------------------------------- results, input


def test_hulls_are_results() -> None:
    sample = rs.datasets.load_breast_cancer()
    hull = rs.roc_hull(sample)
    assert repr(hull) == repr(rs.roc_hull(sample))
    by_name = {m: rs.roc_curve(sample, marker=m) for m in sample.markers}
    assert rs.roc_hull(by_name).to_dict() == hull.to_dict()
    assert set(hull.to_dict()) == {"area", "vertices", "subjects"}
    assert all(isinstance(v, float) for v in hull.to_dict()["vertices"][1]["threshold"])
    best = hull.best(prevalence=0.3)
    assert best.to_dict()["vertices"] == [v.to_dict() for v in best.vertices]
    assert best.to_frame()["expected_cost"].tolist() == [best.expected_cost]
    with pytest.raises(AttributeError):
        hull.vertices = ()  # type: ignore[misc]


def test_hull_drawing() -> None:
    hull = rs.roc_hull(rs.datasets.load_breast_cancer())
    conditions = [hull.best(prevalence=0.1), hull.best(prevalence=0.5, cost_fn=10)]
    axes = hull.plot(best=conditions)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels[:5] == list(rs.datasets.load_breast_cancer().markers)
    assert labels[5:] == [
        f"hull (area {hull.area():.3f})",
        "slope 9: worst_area",
        "slope 0.1: worst_area",
    ]
    assert hull.plot(ax=axes, best=conditions[0]) is axes


@pytest.mark.parametrize("slope", [0.0, 0.1, 1.0, 9.0, math.inf])
def test_iso_performance_lines_stay_in_the_square(slope: float) -> None:
    x, y = line_in_square(slope, 0.25, 0.75)
    assert min(*x, *y) >= 0.0
    assert max(*x, *y) <= 1.0
    rise, run = y[1] - y[0], x[1] - x[0]
    assert rise == pytest.approx(slope * run) if math.isfinite(slope) else run == 0.0
    assert rise * (0.25 - x[0]) == pytest.approx(run * (0.75 - y[0]))


CURVE = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
OTHER = rs.roc_curve([1, 0, 1, 0], {"other": [4, 3, 2, 1]})


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rs.roc_hull([CURVE, CURVE]), "Two curves have the same name"),
        (lambda: rs.roc_hull([CURVE, 3]), "must hold ROC curves only"),
        (lambda: rs.roc_hull([CURVE, OTHER], pos_label=1), "take no scores and no options"),
        (lambda: rs.roc_hull(CURVE, [1, 2, 3, 4]), "take no scores and no options"),
        (lambda: rs.roc_hull([]), "y_score is missing"),
        (lambda: rs.roc_hull([1, 0, 1, 0]), "y_score is missing"),
        (lambda: rs.roc_hull(CURVE).best(prevalence=0), "strictly between 0 and 1, got 0"),
        (lambda: rs.roc_hull(CURVE).best(prevalence="x"), "prevalence must be a finite number"),
        (lambda: rs.roc_hull(CURVE).best(prevalence=math.nan), "must be a finite number, got nan"),
        (lambda: rs.roc_hull(CURVE).best(prevalence=0.5, cost_fp=-1), "must not be negative"),
        (lambda: rs.roc_hull(CURVE).best(prevalence=0.5, cost_fp=0, cost_fn=0), "one must be pos"),
        (lambda: rs.roc_hull(CURVE).best(prevalence=0.5, cost_fp=math.inf), "finite number"),
        (lambda: rs.roc_hull(CURVE).mix(), "Give one of called, fpr and tpr"),
        (lambda: rs.roc_hull(CURVE).mix(fpr=0.5, tpr=0.5), "Give one of called, fpr and tpr"),
        (lambda: rs.roc_hull(CURVE).mix(fpr=1.5), "No mixture has fpr 1.5"),
        (lambda: rs.roc_hull(CURVE).mix(called=5), "called needs the population"),
        (lambda: rs.mix_classifiers((0, 0), (1, 1)), "Give one of called, fpr and tpr"),
        (lambda: rs.mix_classifiers((0, 0), (0, 1), fpr=0), "Both classifiers have fpr 0"),
        (lambda: rs.mix_classifiers((0, 0), (1, 1.5), fpr=0.5), r"within \[0, 1\]"),
        (lambda: rs.mix_classifiers(3, (1, 1), fpr=0.5), r"must be a pair \(fpr, tpr\)"),
        (lambda: rs.mix_classifiers((0, "x"), (1, 1), fpr=0.5), "first classifier must be a fin"),
        (lambda: rs.mix_classifiers((0, True), (1, 1), fpr=0.5), "must be a finite number"),
        (lambda: rs.mix_classifiers((0, 0), (1, 1), called=1, size=9), "give both"),
        (lambda: rs.mix_classifiers((0, 0), (1, 1), fpr=0.5, size=0, prevalence=0.5), "positive"),
        (lambda: rs.mix_classifiers((0, 0), (1, 1), fpr=0.5, size=1, prevalence=1), "strictly"),
    ],
)
def test_refusals(call: Any, sentence: str) -> None:
    with pytest.raises((rs.InvalidOptionError, rs.InvalidSampleError), match=sentence):
        call()


# ------------------------------------------------------------------------- issue 14, line 29


def test_14_29_points_of_discrete_classifiers_make_a_hull():
    hull = rs.roc_hull(points={"tree": (0.1, 0.6), "rule": (0.4, 0.7), "nurse": (0.3, 0.9)})
    assert [(v.fpr, v.tpr) for v in hull.vertices] == [
        (0, 0),
        (Fraction(1, 10), Fraction(3, 5)),
        (Fraction(3, 10), Fraction(9, 10)),
        (1, 1),
    ]
    assert hull.owner == [("none",), ("tree",), ("nurse",), ("all",)]
    assert hull.classifiers == ["tree", "nurse"]
    assert "never best: rule" in repr(hull)
    assert hull.best(prevalence=0.5).classifiers == ["nurse"]
    assert hull.vertices[1].owners_in_words() == "tree"
    mixed = hull.mix(fpr=Fraction(1, 5))
    assert (mixed.fpr, mixed.tpr) == (Fraction(1, 5), Fraction(3, 4))


def test_14_29_printed_rates_are_the_counts_they_stand_for():
    printed = rs.roc_hull(points={"a": (0.33, 0.667)}, n_pos=3, n_neg=3)
    assert printed.points == {"a": (Fraction(1, 3), Fraction(2, 3))}
    exact = rs.roc_hull(points={"a": (Fraction(1, 3), Fraction(2, 3))})
    assert exact.vertices == printed.vertices
    # Three points on a line, which the printed digits would bend.
    line = {"a": (0.14, 0.43), "b": (0.29, 0.57), "c": (0.43, 0.71)}
    assert rs.roc_hull(points=line, n_pos=7, n_neg=7).classifiers == ["a", "c"]
    with pytest.raises(rs.InvalidOptionError, match="no count among 3 negatives gives"):
        rs.roc_hull(points={"a": (0.47, 0.667)}, n_pos=3, n_neg=3)


def test_14_29_points_join_curves():
    y, s = [1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1]
    curve = rs.roc_curve(y, s)
    both = rs.roc_hull(y, {"score": s}, points={"rule": (0.1, 0.9)})
    assert both.classifiers == ["score", "rule"]
    assert both.area() > rs.roc_hull(curve).area()
    # A point on the curve's own vertex is owned by both.
    shared = rs.roc_hull(y, {"score": s}, points={"rule": (0, Fraction(2, 3))})
    assert shared.owner[1] == ("score", "rule")
    ax = both.plot()
    assert [text.get_text() for text in ax.get_legend().get_texts()][:2] == ["score", "rule"]
    with pytest.raises(rs.InvalidOptionError, match="both called rule"):
        rs.roc_hull(y, {"rule": s}, points={"rule": (0.1, 0.9)})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.roc_hull(points={}), "must map names to"),
        (lambda: rs.roc_hull(points=[(0.1, 0.6)]), "must map names to"),
        (lambda: rs.roc_hull(points={"a": 0.5}), "two rates"),
        (lambda: rs.roc_hull(points={"a": (0.5, 1.5)}), r"tpr of a must lie within \[0, 1\]"),
        (lambda: rs.roc_hull(points={"a": (0.5, "x")}), "tpr of a must be a finite number"),
        (lambda: rs.roc_hull(points={"a": (0.5, 0.6)}, n_pos=0), "n_pos must be a whole number"),
        (lambda: rs.roc_hull([0, 1], [1, 2], n_pos=3), "curves have their own"),
    ],
)
def test_14_29_points_that_are_none_are_refused(call, message):
    with pytest.raises(rs.InvalidOptionError, match=message):
        call()
