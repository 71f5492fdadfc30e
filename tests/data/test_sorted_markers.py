"""A sample with a memory gives what one without gives, to the bit, and sorts each marker once."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.data import sample as sample_module
from rocstats.data import sorted_markers
from rocstats.data.blocks import Blocks

RNG = np.random.default_rng(7)
N = 240
COLUMNS = {
    "untied": RNG.normal(size=N),
    "tied": RNG.normal(size=N).round(1),
    "zeros of both signs": np.where(RNG.random(N) < 0.5, -0.0, np.rint(RNG.normal(size=N))),
    "negative zeros": np.where(RNG.random(N) < 0.5, -0.0, RNG.integers(1, 4, N)),
    "neighbours": np.nextafter(1.0, 2.0) ** RNG.integers(0, 5, N),
    "many powers": np.exp(RNG.normal(size=N) * 200),
    "infinite": np.where(RNG.random(N) < 0.1, np.inf, RNG.normal(size=N)),
    "constant": np.zeros(N),
}
LOW = ("tied", "zeros of both signs")


def sample(**options: Any) -> rs.ScoredSample:
    given: dict[str, Any] = {"higher_is_positive": dict.fromkeys(LOW, False)}
    return rs.ScoredSample.from_arrays(np.arange(N) % 3 == 0, COLUMNS, **(given | options))


@pytest.fixture
def sorts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what is sorted."""
    seen: list[int] = []
    sort = sample_module.sort_into_blocks

    def counted(scores: Any, positive: Any, **options: Any) -> Blocks:
        seen.append(scores.size)
        return sort(scores, positive, **options)

    monkeypatch.setattr(sample_module, "sort_into_blocks", counted)
    return seen


@pytest.mark.parametrize("row", range(len(COLUMNS)), ids=list(COLUMNS))
def test_one_ordered_sort_serves_both(row: int) -> None:
    fast, ordered = sample().blocks(row), sample().blocks(row, ordered=True)
    kept = sample().sorted_once().blocks(row)
    assert fast.order is None
    assert ordered.order is not None
    assert kept.order is not None
    for other in (ordered, kept):
        assert other.score.tobytes() == fast.score.tobytes()
        assert (other.last is None) == (fast.last is None)
        assert other.n_pos.tobytes() == fast.n_pos.tobytes()
        assert other.n_neg.tobytes() == fast.n_neg.tobytes()
        if fast.last is None:
            assert other.label.tobytes() == fast.label.tobytes()
    assert kept.order.tolist() == ordered.order.tolist()


@pytest.mark.parametrize("row", range(len(COLUMNS)), ids=list(COLUMNS))
def test_levels_number_the_distinct_scores(row: int) -> None:
    oriented = sample().oriented(row)
    expected = np.unique(oriented, return_inverse=True)[1]
    assert sample().blocks(row, ordered=True).levels().tolist() == expected.tolist()


def test_each_marker_is_sorted_when_first_asked_for(sorts: list[int]) -> None:
    kept = sample().sorted_once()
    assert not sorts
    for _ in range(3):
        for row in range(len(COLUMNS)):
            assert kept.blocks(row) is kept.blocks(row, ordered=True)
            assert kept.only(row).blocks(0) is kept.blocks(row)
    assert sorts == [N] * len(COLUMNS)
    plain = sample()
    assert plain.blocks(0) is not plain.blocks(0)


def test_other_subjects_or_scores_are_sorted_anew(sorts: list[int]) -> None:
    kept = sample().sorted_once()
    before = kept.blocks(0)
    part = kept.subset(np.arange(N) < 100)
    assert part.blocks(0).label.size == 100
    turned = replace(kept, scores=-kept.scores)
    assert (turned.blocks(0).score == -before.score[::-1]).all()
    swapped = replace(kept, positive=~kept.positive)
    assert (swapped.blocks(0).n_pos == before.n_neg).all()
    assert sorts == [N, 100, N, N]


def test_a_single_estimate_keeps_no_blocks() -> None:
    assert rs.auc(sample(), marker="tied").sample._sorted is None


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, sorts: list[int]) -> None:
    monkeypatch.setattr(sorted_markers, "_MOST", 2 * N)
    kept = sample().sorted_once()
    for row in (0, 1, 0, 2, 0, 1):
        kept.blocks(row)
    assert len(sorts) == 4  # the second was asked for longest ago when the third came
    assert kept._sorted is not None
    assert list(kept._sorted.kept) == [0, 1]
    monkeypatch.setattr(sorted_markers, "_MOST", 1)
    assert kept.blocks(3) is kept.blocks(3)
    assert list(kept._sorted.kept) == [3]


def test_blocks_that_are_shared_cannot_be_changed() -> None:
    blocks = sample().sorted_once().blocks(1)
    for array in (blocks.label, blocks.last, blocks.order, blocks.score):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    blocks.n_pos[0] = -1.0
    assert blocks.n_pos[0] >= 0.0


def test_a_worker_gets_the_sample_without_its_blocks(sorts: list[int]) -> None:
    kept = sample().sorted_once()
    empty = len(pickle.dumps(kept))
    for row in range(len(COLUMNS)):
        kept.blocks(row)
    sent = pickle.dumps(kept)
    assert len(sent) == empty
    there = pickle.loads(sent)
    assert there._sorted.keys == tuple(range(len(COLUMNS)))
    assert not there._sorted.kept
    assert there.blocks(1).score.tobytes() == kept.blocks(1).score.tobytes()
