"""Issue 21: sketches of sites, saved and refused, with a least count, pooled, in two rounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.data.scan.interval_bins import IntervalSketch, add_sketches, with_least_count
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.sketches import Sketch, count_keys

CLOSE = 1e-11  # of a standard error: sums of the same products in another order

SCORES = st.one_of(
    st.floats(-4, 4, allow_nan=False),
    st.sampled_from([-0.0, 0.0, 5e-324, -5e-324, np.inf, -np.inf, 1.0, np.nextafter(1.0, 2.0)]),
)
ROWS = st.lists(st.tuples(st.booleans(), SCORES), min_size=4, max_size=60).filter(
    lambda rows: 2 <= sum(y for y, _ in rows) <= len(rows) - 2
)


def made(n: int = 600, seed: int = 1, *, digits: int = 6) -> rs.ScoredSample:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    scores = {
        name: np.round(rng.normal(size=n) + d * y, digits) for name, d in [("a", 1), ("b", 0.8)]
    }
    return rs.ScoredSample.from_arrays(
        y.astype(int), scores, higher_is_positive={"a": True, "b": seed % 2 == 1}
    )


def parts(sample: rs.ScoredSample, k: int = 3) -> dict[str, rs.ScoredSample]:
    place = np.arange(sample.positive.size) % k
    return {f"site {i}": sample.subset(place == i) for i in range(k)}


def sketches(sample: rs.ScoredSample, **options: Any) -> list[rs.SiteSketch]:
    return [rs.sketch(own, site=name, **options) for name, own in parts(sample).items()]


@pytest.mark.parametrize("digits", [1, 6])
@pytest.mark.parametrize("seed", [1, 2])
def test_pooled_counts_give_what_all_rows_give(seed: int, digits: int) -> None:
    sample = made(seed=seed, digits=digits)
    pooled = rs.pool(sketches(sample))
    assert (pooled.n_pos, pooled.n_neg, pooled.is_exact) == (sample.n_pos, sample.n_neg, True)
    for name in "ab":
        one, two = rs.auc(pooled, marker=name), rs.auc(sample, marker=name)
        assert one.value == two.value
        assert one.std_error == pytest.approx(two.std_error, rel=CLOSE)
        assert [*one.confidence_interval()] == pytest.approx([*two.confidence_interval()], rel=1e-9)
        curves = [rs.roc_curve(s, marker=name) for s in (pooled, sample)]
        assert np.array_equal(curves[0].tpr, curves[1].tpr)
        points = [rs.operating_points(s, thresholds=0.5, marker=name) for s in (pooled, sample)]
        assert points[0].to_dict()["points"] == points[1].to_dict()["points"]
        best = [rs.optimal_cutpoint(s, marker=name).threshold for s in (pooled, sample)]
        assert np.array_equal(best[0], best[1])
        assert rs.sauc(pooled, marker=name).value == pytest.approx(
            rs.sauc(sample, marker=name).value, rel=1e-12
        )


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("measure", ["auc", "sauc"])
def test_two_rounds_compare_markers_as_all_rows_do(measure: Any, seed: int, tmp_path: Path) -> None:
    sample = made(seed=seed, digits=2)
    given_ = sketches(sample)
    rs.pool(given_).save(tmp_path / "pooled.json")
    told = []
    for name, own in parts(sample).items():
        pooled = rs.SiteSketch.load(tmp_path / "pooled.json")
        path = rs.site_moments(own, pooled, site=name, measure=measure).save(tmp_path / "m.json")
        told.append(rs.SiteMoments.load(path))
    pooled = rs.pool(given_, moments=told[::-1])
    one, two = (rs.compare(s, measure=measure) for s in (pooled, sample))
    spread = np.sqrt(np.diag(two.covariance))
    assert np.abs(one.covariance - two.covariance).max() <= CLOSE * spread.max() ** 2
    for first, second in zip(one.pairwise().tests, two.pairwise().tests, strict=True):
        assert first.pvalue == pytest.approx(second.pvalue, rel=1e-9)
        assert first.df == pytest.approx(second.df, rel=CLOSE)
    turned = rs.compare(pooled.only(["b", "a"]), measure=measure).pairwise().tests[0]
    assert turned.estimate == pytest.approx(-one.pairwise().tests[0].estimate, rel=1e-12)
    assert one.omnibus().pvalue == pytest.approx(two.omnibus().pvalue, rel=1e-9)


def test_a_scanned_table_takes_part_in_both_rounds() -> None:
    pa = pytest.importorskip("pyarrow")
    sample = made(digits=2)
    tables = {
        name: rs.ScoredTable.scan(
            pa.table({"y": own.positive.astype(int), "a": own.scores[0], "b": own.scores[1]}),
            outcome="y",
            markers=["a", "b"],
            engine="pyarrow",
        )
        for name, own in parts(sample).items()
    }
    given_ = [rs.sketch(table, site=name) for name, table in tables.items()]
    for one, two in zip(given_, sketches(sample), strict=True):
        assert one.fingerprint == two.fingerprint
    for least in (1, 8):
        made_of = [rs.sketch(one, least_count=least) for one in given_]
        pooled = rs.pool(made_of)
        told = [rs.site_moments(t, pooled, site=name) for name, t in tables.items()]
        plain = [rs.site_moments(s, pooled, site=name) for name, s in parts(sample).items()]
        for one, two in zip(told, plain, strict=True):
            for a, b in zip(one.sums, two.sums, strict=True):
                assert a == pytest.approx(b, rel=1e-9, abs=1e-12)
        assert rs.compare(rs.pool(made_of, moments=told)).pairwise().tests[0].pvalue < 1.0


def brute_bounds(bins: np.ndarray, y: np.ndarray, exact: np.ndarray) -> tuple[Fraction, Fraction]:
    low = high = Fraction(0)
    pos, neg = np.flatnonzero(y), np.flatnonzero(~y)
    for i in pos:
        for j in neg:
            if bins[i] > bins[j]:
                low, high = low + 1, high + 1
            elif bins[i] == bins[j]:
                tie = exact[bins[i]]
                low, high = low + Fraction(int(tie), 2), high + (Fraction(1, 2) if tie else 1)
    pairs = len(pos) * len(neg)
    return low / pairs, high / pairs


@settings(max_examples=60, deadline=None)
@given(
    rows=ROWS,
    least=st.integers(1, 4),
    cuts=st.one_of(st.none(), st.lists(st.floats(-3, 3), min_size=1, max_size=4)),
)
def test_every_bin_has_enough_of_either_class_and_bounds_hold(
    rows: list[tuple[bool, float]], least: int, cuts: list[float] | None
) -> None:
    y = np.array([label for label, _ in rows])
    scores = np.array([score for _, score in rows])
    keys = to_keys(scores)
    whole = count_keys(keys, y)
    least = min(least, int(y.sum()), int((~y).sum()))
    found = with_least_count(whole, least, None if cuts is None else np.array(cuts))
    assert isinstance(found, IntervalSketch)
    assert found.sizes == whole.sizes
    assert min(found.n_pos.min(), found.n_neg.min()) >= least
    assert (found.bins[1:] == found.last[:-1] + 1).all()
    place = found.find(keys)
    assert place.min() >= 0
    assert np.array_equal(np.bincount(place[y], minlength=found.bins.size), found.n_pos)
    assert np.array_equal(np.bincount(place[~y], minlength=found.bins.size), found.n_neg)
    low, high = brute_bounds(place, y, found.bins == found.last)
    assert found.auc_bounds() == pytest.approx((float(low), float(high)), rel=1e-15)
    exact = rs.auc(y, scores, pos_label=True).value
    assert low <= Fraction(exact) + Fraction(1, 10**12)
    assert Fraction(exact) <= high + Fraction(1, 10**12)
    if cuts is not None:
        assert set(found.bins[1:].tolist()) <= set(to_keys(np.array(cuts)).tolist())


@pytest.mark.parametrize("up", [True, False])
def test_a_cut_at_zero_parts_zero_from_what_is_below_it(up: bool, tmp_path: Path) -> None:
    scores = np.array([-2.0, -1.0, -1.0, -2.0, 0.0, -0.0, 1.0, 2.0, 0.0, 3.0])
    y = np.arange(scores.size) % 2
    options: Any = {"higher_is_positive": up}
    cut = rs.sketch(y, {"s": scores}, least_count=2, cuts=[0.0], **options)
    path = cut.save(tmp_path / "cut.json")
    path.write_text(path.read_text().replace("-5e-324", "-0.0"))  # as files said it before
    whole = rs.roc_curve(y, scores, **options)
    for one in (cut, rs.SiteSketch.load(path)):
        assert one.fingerprint == cut.fingerprint
        curve = rs.roc_curve(one)
        assert curve.threshold.size == 3
        at = whole.at(threshold=curve.threshold[1:])
        assert np.array_equal(at.tpr, curve.tpr[1:])
        assert np.array_equal(at.fpr, curve.fpr[1:])


def test_no_cut_is_left_out_that_would_leave_enough() -> None:
    sample = made(400)
    sketch = rs.sketch(sample, least_count=5).sketches[0]
    for i in range(sketch.bins.size):
        here = (to_keys(sample.scores[0]) >= sketch.bins[i]) & (
            to_keys(sample.scores[0]) <= sketch.last[i]
        )
        y = sample.positive[here][np.argsort(sample.scores[0][here])]
        sides = [
            min(y[:k].sum(), (~y[:k]).sum(), y[k:].sum(), (~y[k:]).sum()) for k in range(y.size)
        ]
        assert max(sides) < 5


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, least=st.integers(1, 3))
def test_sums_of_sketches_do_not_depend_on_their_order(
    rows: list[tuple[bool, float]], least: int
) -> None:
    y = np.array([label for label, _ in rows])
    keys = to_keys(np.array([score for _, score in rows]))
    whole = count_keys(keys, y)
    least = min(least, int(y.sum()), int((~y).sum()))
    given_: list[Sketch] = [whole, whole.coarser(50), with_least_count(whole, least)]
    told = [add_sketches(order) for order in permutations(given_)]
    nested = add_sketches([given_[0], add_sketches([given_[2], given_[1]])])
    for one in [*told[1:], nested]:
        for name in ("bins", "last", "n_pos", "n_neg"):
            assert np.array_equal(getattr(one, name), getattr(told[0], name))


def test_bounds_of_pooled_bins_hold_the_area_of_all_rows() -> None:
    sample = made(900)
    exact = rs.auc(sample, marker="a").value
    coarse = sketches(sample, least_count=5)
    for given_ in (coarse, [coarse[0], *sketches(sample)[1:]]):
        told = rs.auc(rs.pool(given_), marker="a").details
        assert told["exact"] is False
        assert told["value_low"] < exact < told["value_high"]
    agreed = [rs.sketch(one, least_count=5, cuts=[0.5, -0.5, 1.5]) for one in sketches(sample)]
    pooled = rs.pool(agreed)
    assert pooled.sketches[0].least().tolist() == [-np.inf, -0.5, 0.5, 1.5]
    tpr = rs.roc_curve(sample, marker="a").at(threshold=0.5).tpr
    assert rs.operating_points(pooled, thresholds=0.5, marker="a").sensitivity.tolist() == [tpr]
    curve = rs.roc_curve(pooled, marker="a")
    assert curve.at(threshold=0.5).tpr == tpr
    with pytest.raises(rs.InvalidOptionError, match="within a bin of scores of a, from"):
        curve.at(threshold=[0.5, 0.7])
    with pytest.raises(rs.InvalidOptionError, match="within a bin of scores of a, from"):
        rs.operating_points(pooled, thresholds=[0.5, 0.7], marker="a")
    with pytest.raises(rs.InvalidOptionError, match="within a bin"):
        rs.optimal_cutpoint(pooled, threshold=0.7, marker="a")
    with pytest.raises(rs.ScoreRangeError, match="counted in bins"):
        rs.sauc(pooled, marker="a")


def test_a_budget_bounds_what_is_kept_and_batches_may_come_in_any_order() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(5000) < 0.5
    score = rng.normal(size=5000) + y
    first = rs.sketch(y[:100], score[:100], pos_label=True)
    found = first
    for i in range(100, 5000, 700):
        found = found.update(y[i : i + 700], score[i : i + 700], budget=500)
    assert found.sketches[0].bins.size <= 500
    assert (found.n_pos, found.n_neg) == (y.sum(), (~y).sum())
    whole = rs.sketch(y, score, pos_label=True)
    told = rs.auc(found).details
    assert told["value_low"] <= rs.auc(whole).value <= told["value_high"]
    one_class = first.update([True, True], [9.0, 9.0])
    assert one_class.n_pos == first.n_pos + 2
    halves = [rs.sketch(y[k::2], score[k::2], pos_label=True) for k in range(2)]
    assert halves[0].merge(halves[1]).fingerprint == whole.fingerprint
    assert halves[1].merge(halves[0]).fingerprint == whole.fingerprint
    assert first.update([], []).fingerprint == first.fingerprint
    gaps = first.update([True, None], [1.0, 2.0], nan_policy="omit")
    assert gaps.dropped.n == 1
    with pytest.raises(rs.InvalidSampleError, match="got 'ill'"):
        first.update(["ill"], [1.0])
    with pytest.raises(rs.InvalidSampleError, match="missing values"):
        first.update([True], [np.nan])


@pytest.mark.parametrize("least", [1, 5])
def test_a_file_is_read_as_it_was_written(least: int, tmp_path: Path) -> None:
    sample = rs.ScoredSample.from_arrays(
        np.tile(["ill", "well"], 30),
        {"a": np.r_[np.arange(57.0), -0.0, np.inf, -np.inf], "b": np.r_[np.nan, np.arange(59.0)]},
        pos_label="ill",
        higher_is_positive={"a": False},
        nan_policy="omit",
    )
    sketch = rs.sketch(sample, site="Leeds", least_count=least)
    path = sketch.save(tmp_path / "leeds.json")
    again = rs.SiteSketch.load(path)
    assert again.fingerprint == sketch.fingerprint
    assert repr(again) == repr(sketch)
    assert (again.site, again.dropped, again.least_count) == ("Leeds", sketch.dropped, least)
    assert rs.auc(again, marker="a").to_dict() == rs.auc(sketch, marker="a").to_dict()
    coarse = rs.sketch(sample, budget=8)
    binned = rs.SiteSketch.load(coarse.save(tmp_path / "coarse.json"))
    assert binned.fingerprint == coarse.fingerprint
    assert binned.sketches[0].shift == coarse.sketches[0].shift
    assert sorted(p.name for p in tmp_path.iterdir()) == ["coarse.json", "leeds.json"]


def edit(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        content[key] = value

    return change


def inside(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        content["markers"][0][key] = value

    return change


DOCTORED = {
    "format": (edit("format", "other"), "its format is not said to be one"),
    "newer": (edit("version", 2), "install a newer rocstats"),
    "no version": (edit("version", None), "has version None"),
    "negative": (inside("n_pos", [3, -1, 2]), "none below 0"),
    "halves": (inside("n_pos", [1.5, 1, 1.5]), "must be counts"),
    "unsorted": (inside("score", [1.0, 3.0, 2.0]), "not in increasing order"),
    "twice": (inside("score", [1.0, 1.0, 2.0]), "not in increasing order"),
    "words": (inside("score", [1.0, "two", 3.0]), "must be numbers"),
    "lengths": (inside("score", [1.0, 2.0]), "not of one length"),
    "sizes": (inside("n_pos", [2, 1, 2]), "there are said to be 4 and 4"),
    "empty bin": (
        lambda c: c["markers"][0].update(n_pos=[3, 0, 1], n_neg=[1, 0, 3]),
        "a bin of a is empty",
    ),
    "least count": (edit("least_count", 3), "fewer than 3 subjects of a class"),
    "labels": (edit("neg_label", 1), "two labels"),
    "no markers": (edit("markers", []), "no markers"),
    "direction": (inside("higher_is_positive", "yes"), "higher_is_positive is missing"),
    "names": (inside("name", 3), "name is missing"),
    "huge": (edit("n_pos", 2**70), "n_pos must be a count"),
    "missing": (edit("missing", [1]), "counts by column"),
}


@pytest.mark.parametrize("what", DOCTORED)
def test_a_doctored_file_is_refused_in_a_sentence(what: str, tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    rs.sketch([1, 1, 1, 1, 0, 0, 0, 0], {"a": [1, 1, 2, 3, 1, 2, 3, 3]}).save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["markers"][0]["n_pos"] == [2, 1, 1]
    change, words = DOCTORED[what]
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(rs.InvalidSampleError, match=words):
        rs.SiteSketch.load(path)


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    path = rs.sketch([1, 0], [2.0, 1.0]).save(tmp_path / "site.json")
    text = path.read_bytes()
    for content, words in (
        (text[:-20], "no whole JSON"),
        (b"", "no whole JSON"),
        (b"\xff\xfe", "no text"),
        (b"[1]", "no rocstats sketch"),
        (text.replace(b"[2.0]", b"[NaN]").replace(b"1.0, 2.0", b"1.0, NaN"), "no whole JSON"),
    ):
        path.write_bytes(content)
        with pytest.raises(rs.InvalidSampleError, match=words):
            rs.SiteSketch.load(path)
    with pytest.raises(rs.InvalidSampleError, match="cannot be read"):
        rs.SiteSketch.load(tmp_path / "nowhere.json")
    with pytest.raises(rs.InvalidSampleError, match="no rocstats moments"):
        rs.SiteMoments.load(rs.sketch([1, 0], [2.0, 1.0]).save(path))
    with pytest.raises(rs.InvalidOptionError, match=r"end the name in \.json"):
        rs.sketch([1, 0], [2.0, 1.0]).save(tmp_path / "site.csv")


def test_doctored_sums_are_refused_in_a_sentence(tmp_path: Path) -> None:
    sample = made(120, digits=2)
    pooled = rs.pool(sketches(sample))
    name, own = next(iter(parts(sample).items()))
    path = rs.site_moments(own, pooled, site=name).save(tmp_path / "told.json")
    rs.SiteMoments.load(path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    for key, places in (
        ("products", [(0, 0), (0, 1)]),
        ("triple_products", [(0, 0, 0), (1, 0, 1)]),
        ("quadruple_products", [(0, 0, 0, 0), (0, 1, 1, 0)]),
    ):
        for place in places:
            for value in (10**400, 1e6, -1e6, "x", None):
                content = json.loads(json.dumps(whole))
                row = content[key]["positives"]
                for step in place[:-1]:
                    row = row[step]
                row[place[-1]] = value
                path.write_text(json.dumps(content), encoding="utf-8")
                with pytest.raises(rs.InvalidSampleError, match="does not add up"):
                    rs.SiteMoments.load(path)
    same = {"negatives": whole["products"]["negatives"]}
    content = whole | {"products": same | {"positives": (np.eye(2) * 1e-9).tolist()}}
    path.write_text(json.dumps(content), encoding="utf-8")  # too small for the fourth powers
    with pytest.raises(rs.InvalidSampleError, match="does not add up"):
        rs.SiteMoments.load(path)


def test_moments_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    sample = made(120, digits=2)
    own = parts(sample)
    given_ = sketches(sample)
    pooled = rs.pool(given_)
    told = [rs.site_moments(s, pooled, site=name) for name, s in own.items()]
    with pytest.raises(rs.InvalidSampleError, match="of every site, once"):
        rs.pool(given_, moments=told[:2])
    with pytest.raises(rs.InvalidSampleError, match="another pooled table"):
        rs.pool(given_[:2], moments=told[:2])
    other = rs.site_moments(own["site 1"], pooled, site="site 0")
    if (other.n_pos, other.n_neg) != (told[0].n_pos, told[0].n_neg):
        with pytest.raises(rs.InvalidSampleError, match="its sketch of"):
            rs.pool(given_, moments=[other, *told[1:]])
    with pytest.raises(rs.InvalidOptionError, match=r"rs\.site_moments"):
        rs.compare(pooled)
    with pytest.raises(rs.InvalidSampleError, match="not in the pooled table"):
        rs.site_moments(made(120, seed=9, digits=3), pooled, site="x")
    few = sample.subset(np.arange(120) < 12)
    with pytest.raises(rs.InvalidSampleError, match="could be solved for single patients"):
        rs.site_moments(few, pooled, site="x")
    path = told[0].save(tmp_path / "m.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    content["products"]["positives"][0][0] = -1.0
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(rs.InvalidSampleError, match="does not add up"):
        rs.SiteMoments.load(path)


def test_sketches_that_do_not_fit_together_are_refused() -> None:
    one = rs.sketch([1, 0], {"a": [2.0, 1.0]}, site="one")
    for other, words in (
        (rs.sketch([1, 0], {"b": [2.0, 1.0]}, site="two"), "has the markers b"),
        (rs.sketch([True, False], {"a": [2, 1]}, pos_label=True, site="one"), "is there twice"),
        (rs.sketch(["x", "y"], {"a": [2, 1]}, pos_label="x", site="two"), "has the labels 'x'"),
        (rs.sketch([1, 0], {"a": [2, 1]}, higher_is_positive=False, site="two"), "by low scores"),
    ):
        with pytest.raises(rs.InvalidSampleError, match=words):
            rs.pool([one, other])
    with pytest.raises(rs.InvalidOptionError, match="two sites or more"):
        rs.pool([one])
    with pytest.raises(rs.InvalidOptionError, match="list of sketches"):
        rs.pool(one)
    with pytest.raises(rs.InvalidOptionError, match="got ScoredSample"):
        rs.pool([one, made()])  # type: ignore[list-item]
    with pytest.raises(rs.InvalidSampleError, match="no bin holds 5 of each class"):
        rs.sketch(one, least_count=5)
    with pytest.raises(rs.InvalidOptionError, match="has clusters"):
        rs.sketch(rs.ScoredSample.from_arrays([1, 0, 1, 0], [1, 2, 3, 4], cluster=[1, 1, 2, 2]))
    with pytest.raises(rs.InvalidOptionError, match="single subjects"):
        rs.sketch([1, 1, 0, 0], [2, 2, 1, 1], least_count=2).update([1], [2])
    with pytest.raises(rs.InvalidOptionError, match="cuts"):
        rs.sketch([1, 0], [2, 1], cuts=["x"])  # type: ignore[list-item]
    with pytest.raises(rs.InvalidOptionError, match="least_count"):
        rs.sketch([1, 0], [2, 1], least_count=0)


def test_a_sketch_of_a_sketch_only_grows_coarser() -> None:
    five = rs.sketch(made(300), least_count=5, site="x")
    assert rs.sketch(five, least_count=2).fingerprint == five.fingerprint
    ten = rs.sketch(five, least_count=10)
    assert ten.site == "x"
    assert ten.sketches[0].n_pos.min() >= 10
    assert set(ten.sketches[0].bins) <= set(five.sketches[0].bins)


def test_sites_without_a_name_are_numbered_and_markers_put_in_order() -> None:
    one = rs.sketch([1, 0], {"a": [2.0, 1.0], "b": [0.0, 1.0]})
    two = rs.sketch([1, 0], {"b": [5.0, 1.0], "a": [9.0, 1.0]})
    pooled = rs.pool([one, two])
    assert [site.site for site in pooled.sites] == ["site 1", "site 2"]
    assert pooled.markers == ("a", "b")
    assert rs.auc(pooled, marker="a").value == 1.0
