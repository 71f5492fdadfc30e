"""What a wrapper of pROC says of its settings, and the limits it takes them to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocstats as rs


def test_a_multiclass_area_says_which_part_it_is_of(r: Any, asah: dict[str, Any]) -> None:
    options: dict[str, Any] = {"labels": sorted(set(asah["gos6"]))}
    for axis in ("fpr", "tpr"):
        part = r.multiclass_roc(asah["gos6"], asah["s100b"], **{axis: (0.0, 0.5)}, **options)
        other = {"fpr": "tpr", "tpr": "fpr"}[axis]
        assert (part.settings[axis], part.settings[other]) == ([0.0, 0.5], None)
    whole = r.multiclass_roc(asah["gos6"], asah["s100b"], **options)
    assert (whole.settings["fpr"], whole.settings["tpr"]) == (None, None)


def test_a_plan_says_whether_it_is_of_one_area_or_of_two_binormal_curves(r: Any) -> None:
    one = r.power_roc_test(auc=0.7, n_pos=20, n_neg=30)
    assert one.method == "pROC::power.roc.test, one area"
    curves = {"A1": 2.6, "B1": 1.0, "A2": 1.9, "B2": 1.0, "rn": 0.6, "ra": 0.6, "delta": 0.037}
    two = r.power_roc_test(binormal=curves, n_pos=100, n_neg=100)
    assert two.method == "pROC::power.roc.test, binormal"


def test_as_many_points_as_are_promised_are_drawn(r: Any, asah: dict[str, Any]) -> None:
    sample = rs.ScoredSample.from_arrays(asah["outcome"], asah["ndka"], pos_label="Poor")
    for n_points in (2, 100_000):
        assert len(r.smooth(sample, n_points=n_points).tpr) >= n_points
    for n_points in (1, 100_001):
        with pytest.raises(rs.InvalidOptionError, match="an integer from 2 to 100000"):
            r.smooth(sample, n_points=n_points)


@pytest.mark.parametrize(
    ("values", "kind"),
    [(np.array([], dtype="U3"), "character"), (np.array([], dtype=bool), "logical")],
)
def test_a_vector_of_nothing_keeps_its_kind(r: Any, values: np.ndarray, kind: str) -> None:
    answer = r.evaluate("list(length(x), typeof(x))", {"x": values}, packages=())
    assert [int(answer[0]), answer[1]] == [0, kind]


def test_one_roc_object_may_be_named_and_what_is_none_is_called_by_its_classes(r: Any) -> None:
    made = r.evaluate_object("pROC::roc(c(0, 0, 1, 1), c(1, 2, 2, 3), quiet = TRUE)")
    assert r.from_r(made, marker="crp").markers == ("crp",)
    for classes, words in (('"a"', "class a."), ('c("a", "b")', "class a/b.")):
        other = r.evaluate_object(f"structure(list(1), class = {classes})")
        with pytest.raises(rs.RBridgeError, match=words):
            r.from_r(other)


def test_venkatraman_of_groups_of_unequal_sizes_is_refused(r: Any) -> None:
    rng = np.random.default_rng(1)
    one, other = (
        rs.ScoredSample.from_arrays(np.arange(n) % 2, {"a": rng.normal(size=n)}) for n in (20, 30)
    )
    with pytest.raises(rs.InvalidSampleError, match="groups of unequal sizes"):
        r.roc_test(one, other, method="venkatraman")
