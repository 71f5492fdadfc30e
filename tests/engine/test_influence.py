"""Samples joined on the ids of their subjects, against sums over subjects written out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.engine.catalogue import AUC
from rocstats.engine.influence import Influence, sample_influence

RELATIVE = 1e-12  # some hundred roundings of 1.1e-16 each
SEEDS = range(12)
MEASURES = (AUC, rs.partial_area(fpr=(0, 0.5)))


@dataclass(frozen=True)
class Population:
    """Subjects with one class each, and a score by every marker."""

    label: np.ndarray
    score: np.ndarray

    def sample(self, who: Any, marker: int, **options: Any) -> rs.ScoredSample:
        who = np.asarray(who)
        options = {"subject": who} | options
        return rs.ScoredSample.from_arrays(
            self.label[who], {f"m{marker}": self.score[marker, who]}, pos_label=1, **options
        )

    def influence(self, who: Any, marker: int, **options: Any) -> Influence:
        rows = [(0, measure) for measure in MEASURES]
        return sample_influence(self.sample(who, marker, **options), rows)


def population(seed: int, size: int = 60) -> Population:
    rng = np.random.default_rng([13, seed])
    label = np.tile([0, 1], size // 2)
    common = rng.normal(size=size)
    score = common + 0.8 * label + rng.normal(size=(4, size))
    return Population(label, np.round(score, 1))


def written_out(parts: list[tuple[Influence, np.ndarray, np.ndarray]]) -> np.ndarray:
    """Products of the influence of shared subjects, over the geometric mean of both n (n - 1)."""
    rows = [
        [dict(zip(ids[label == k].tolist(), row[label == k], strict=True)) for k in (0, 1)]
        for influence, ids, label in parts
        for row in influence.values
    ]
    found = np.zeros((len(rows), len(rows)))
    for i, first in enumerate(rows):
        for j, second in enumerate(rows):
            for a, b in zip(first, second, strict=True):
                sizes = len(a) * (len(a) - 1) * len(b) * (len(b) - 1)
                total = sum(a[who] * b[who] for who in a.keys() & b.keys())
                found[i, j] += total / math.sqrt(sizes)
    return found


def members(seed: int) -> list[np.ndarray]:
    """A and B disjoint, C overlaps both, D is another world."""
    rng = np.random.default_rng([31, seed])
    chosen = rng.permutation(60)
    both = rng.permutation(np.concatenate([chosen[8:14], chosen[20:33]]))
    return [chosen[:14], np.sort(chosen[14:38]), both, chosen[40:]]


def by_rows(joined: Influence) -> dict[tuple[Any, Any], float]:
    covariance = joined.covariance()
    return {
        (a, b): covariance[i, j]
        for i, a in enumerate(joined.rows)
        for j, b in enumerate(joined.rows)
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_any_number_of_samples_in_any_order_and_grouping(seed):
    people, who = population(seed), members(seed)
    parts = [people.influence(ids, k) for k, ids in enumerate(who)]
    exact = written_out([(p, i, people.label[i]) for p, i in zip(parts, who, strict=True)])
    a, b, c, d = parts
    joined = a.join(b, c, d)
    np.testing.assert_allclose(joined.covariance(), exact, rtol=RELATIVE, atol=1e-17)
    assert abs(joined.covariance()[0, 4]) > 1e-5  # A and C
    assert abs(joined.covariance()[2, 4]) > 1e-5  # B and C
    assert joined.covariance()[0, 2] == joined.covariance()[0, 6] == 0.0  # A and B, A and D
    for k, part in enumerate(parts):
        alone = part.covariance()
        mine = joined.covariance()[2 * k : 2 * k + 2, 2 * k : 2 * k + 2]
        np.testing.assert_allclose(mine, alone, rtol=RELATIVE)
    expected = by_rows(joined)
    one_by_one = [p.join(q).join(r).join(s) for p, q, r, s in permutations(parts)]
    in_pairs = [p.join(q).join(r.join(s)) for p, q, r, s in permutations(parts)]
    at_once = [p.join(*rest) for p, *rest in permutations(parts)]
    for other in one_by_one + in_pairs + at_once:
        assert by_rows(other) == pytest.approx(expected, rel=RELATIVE, abs=1e-17)
        order = [joined.rows.index(row) for row in other.rows]
        assert sorted(other.units().tolist()) == sorted(joined.units().tolist())
        assert len(other.groups) == 2
        for found, kept in zip(other.support(), joined.support()[order], strict=True):
            assert sorted(found) == pytest.approx(sorted(kept), rel=RELATIVE)
        assert sorted(other.subject.tolist()) == sorted(set(np.concatenate(who).tolist()))


def test_a_third_sample_sees_the_subjects_of_two_that_share_none():
    """What was found: covariance 0 where it is not, because the ids had been dropped."""
    people = population(0)
    first, second = (people.influence(np.arange(30 * k, 30 * k + 30), k) for k in (0, 1))
    third = people.influence(np.arange(60), 2)
    found = first.join(second).join(third).covariance()[0, 4]
    assert found == pytest.approx(first.join(third).covariance()[0, 2], rel=RELATIVE)
    assert abs(found) > 1e-4


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_subjects_are_one_sample_with_several_markers(seed):
    people = population(seed)
    rng = np.random.default_rng(seed)
    parts = [people.influence(rng.permutation(60), k) for k in range(4)]
    scores = {f"m{k}": people.score[k] for k in range(4)}
    whole = rs.estimate(people.label, scores, measures=MEASURES).influence
    joined = parts[0].join(*parts[1:])
    np.testing.assert_allclose(joined.values, whole.values, rtol=RELATIVE, atol=1e-16)
    np.testing.assert_allclose(joined.covariance(), whole.covariance(), rtol=RELATIVE)
    np.testing.assert_array_equal(joined.support(), whole.support())
    assert joined.groups == (0,)


def test_subjects_without_ids_are_nobody_elses():
    people, everyone = population(1), np.arange(60)
    unknown = people.influence(everyone, 0, subject=None)
    known = [people.influence(everyone[10 * k :], k) for k in (1, 2)]
    for joined in (unknown.join(*known), unknown.join(known[0]).join(known[1])):
        covariance = joined.covariance()
        assert not covariance[:2, 2:].any()
        expected = known[0].join(known[1]).covariance()
        np.testing.assert_allclose(covariance[2:, 2:], expected, rtol=RELATIVE)
        assert joined.subject[:60].tolist() == [None] * 60
        assert joined.subject[60:].tolist() == list(range(10, 60))
    assert unknown.join(people.influence(everyone, 3, subject=None)).subject is None


def test_a_contrast_of_joined_samples_is_joined_like_any_row():
    people, (a, b, c, _) = population(2), members(2)
    first, second, third = (people.influence(ids, k) for k, ids in enumerate((a, b, c)))
    difference = first.join(second).contrast([1, 0, -1, 0], rows=[("a - b", "auc")])
    whole = first.join(second, third)
    weights = np.zeros((3, 6))
    weights[[0, 0, 1, 2], [0, 2, 4, 5]] = 1, -1, 1, 1
    np.testing.assert_allclose(
        difference.join(third).covariance(), whole.contrast(weights).covariance(), rtol=RELATIVE
    )


def test_the_variance_of_a_row_rests_on_its_own_subjects():
    people = population(3)
    few, many = people.influence(np.arange(10), 0), people.influence(np.arange(4, 60), 1)
    joined = few.join(many)
    assert joined.units().tolist() == [30, 30]
    expected = np.array([[5, 5], [2.5, 5], [28, 28], [14, 28]])
    np.testing.assert_allclose(joined.support(), expected, rtol=RELATIVE)
    np.testing.assert_allclose(
        joined.support(), np.concatenate([few.support(), many.support()]), rtol=RELATIVE
    )
    assert joined.most_df() == math.inf


def test_clusters_join_where_no_subject_is_shared():
    people = population(4)
    pairs = people.influence(np.arange(20), 0, cluster=np.arange(20) // 4)
    rest = [people.influence(np.arange(20 + k, 60), k) for k in (1, 2)]
    b, c = rest
    for joined in (pairs.join(b, c), pairs.join(b).join(c), b.join(pairs).join(c)):
        assert joined.most_df() == 5 + 39 - 1
        found, plain = by_rows(joined), by_rows(rest[0].join(rest[1]))
        assert {key: found[key] for key in plain} == pytest.approx(plain, rel=RELATIVE)
        alone = by_rows(pairs)
        assert {key: found[key] for key in alone} == pytest.approx(alone, rel=RELATIVE)
    other = people.influence(np.arange(30), 3)
    for clustered in (pairs, pairs.join(rest[0])):
        with pytest.raises(rs.NotPairedError, match="Clustered samples that share subjects"):
            clustered.join(other)


def test_ids_repeat_only_where_nobody_shares_them():
    people = population(5)
    ids = np.arange(20)
    ids[1] = 0
    with pytest.warns(rs.RepeatedSubjectWarning):
        twice = people.influence(np.arange(20), 0, subject=ids)
    away = people.influence(np.arange(20, 50), 1)
    joined = twice.join(away)
    assert joined.stratum.size == 50
    near = joined.join(people.influence(np.arange(30, 60), 2))
    assert near.stratum.size == 60
    with pytest.raises(rs.NotPairedError, match="twice"):
        joined.join(people.influence(np.arange(10), 2))


def test_refusals_hold_for_any_of_many():
    people = population(6)
    parts = [people.influence(np.arange(20 * k, 20 * k + 20), k) for k in range(3)]
    words = people.influence(np.arange(30), 3, subject=[f"p{i}" for i in range(30)])
    with pytest.raises(rs.NotPairedError, match="make them of one kind"):
        parts[0].join(parts[1], words)
    with pytest.raises(rs.NotPairedError, match="joined with itself"):
        parts[0].join(parts[1], parts[0])
    turned = Population(1 - people.label, people.score).influence(np.arange(39, 60), 3)
    for first, second in combinations(range(1, 3), 2):
        with pytest.raises(rs.NotPairedError, match=r"Subject 39 .* one true class"):
            parts[0].join(parts[first], parts[second], turned)
        with pytest.raises(rs.NotPairedError, match=r"Subject 39 .* one true class"):
            parts[0].join(parts[first]).join(parts[second]).join(turned)


def test_one_sorted_marker_is_one_joint_influence():
    sample = rs.datasets.load_breast_cancer()
    rows = [(0, rs.scored_auc()), (0, rs.partial_area(fpr=(0, 0.2)))]
    whole = sample_influence(sample, rows)
    assert whole.join().rows == whole.rows
    np.testing.assert_array_equal(whole.join().values, whole.values)


def test_neighbouring_rows_are_chosen_without_a_copy():
    sample = rs.datasets.load_breast_cancer()
    whole = sample_influence(sample, [(marker, AUC) for marker in range(4)])
    for rows in ([1], [1, 2], [0, 1, 2, 3], [2, 0], [3, 3], [-1, 0]):
        part = whole.select(rows)
        np.testing.assert_array_equal(part.values, whole.values[rows])
        np.testing.assert_array_equal(part.estimate, whole.estimate[rows])
        np.testing.assert_array_equal(part.covariance(), whole.covariance()[np.ix_(rows, rows)])
        neighbours = rows in ([1], [1, 2], [0, 1, 2, 3])
        assert np.shares_memory(part.values, whole.values) == neighbours


def test_rows_of_all_subjects_rest_on_all_of_them():
    sample = rs.datasets.load_breast_cancer()
    whole = sample_influence(sample, [(0, AUC), (1, AUC)])
    told = replace(whole, share=np.ones((2, 2)))
    lines = np.array([[1.0, -1.0], [0.5, 0.5]])
    assert whole.units().tolist() == [sample.n_neg, sample.n_pos]
    np.testing.assert_array_equal(whole.contrast_support(lines), told.contrast_support(lines))
    np.testing.assert_array_equal(whole.support(), told.support())


def test_no_correlation_is_beyond_one_and_each_is_one_with_itself() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        y = np.append([0, 1], rng.integers(0, 2, 40))
        first = rng.normal(size=42) + y
        scores = {"a": first, "b": 3.0 * first, "c": -first, "d": rng.normal(size=42), "e": 0.0 * y}
        found = rs.compare(y, scores).correlation
        known = ~np.isnan(found)
        assert np.abs(found[known]).max() == 1.0
        assert np.diag(found)[:4].tolist() == [1.0] * 4
        assert np.isnan(found[4]).all()
        assert np.isnan(found[:, 4]).all()
