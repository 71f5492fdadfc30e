"""Coarse resamples are the very ones that were recorded: no draw is made in vain, none is lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from recorded import hold, shortened

import rocstats as rs
from rocstats.thresholds import coarse_redraws
from rocstats.thresholds.coarse_redraws import CoarseRedraws, is_vast
from rocstats.thresholds.cutpoint_criteria import CRITERIA, Floor, score_vertices

FEW = rs.Bootstrap(n_resamples=40, rng=6)


def made(digits: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.4
    return y, (rng.normal(size=300) + 0.8 * y).round(digits)


@pytest.mark.parametrize("digits", [9, 1])
@pytest.mark.parametrize("criterion", ["youden", "closest", "kappa"])
def test_replicates_of_cutpoints(
    criterion: str, digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coarse_redraws, "_FINE", 2)
    found = rs.optimal_cutpoint(*made(digits), criterion, pos_label=True, resampling=FEW)
    hold("thresholds", f"coarse {criterion} {digits}", shortened(found.replicates.tolist()))


@pytest.mark.parametrize("digits", [9, 1])
def test_replicates_of_fixed_rates(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coarse_redraws, "_FINE", 2)
    asked = {"pos_label": True, "resampling": FEW}
    both = [
        rs.sensitivity_at(*made(digits), [0.5, 0.9], **asked).replicates.tolist(),
        rs.specificity_at(*made(digits), [0.5, 0.9], **asked).replicates.tolist(),
    ]
    hold("thresholds", f"coarse rates {digits}", shortened(both))


@pytest.mark.parametrize("cells", [3, 12, 60])
def test_choices_in_cells_of_several_subjects_look_no_further_than_they_must(cells: int) -> None:
    curve = rs.roc_curve(*made(9), pos_label=True)

    def score(tp: Any, fp: Any) -> Any:
        found = score_vertices(CRITERIA["youden"], tp, fp, Fraction(1), Floor())
        looked.append(found.size)
        return found

    looked: list[int] = []
    found = CoarseRedraws.of(curve, cells).choose(np.random.default_rng(3), 20, score)
    chosen = [found.best.tolist(), found.after.tolist(), found.tp.tolist(), found.fp.tolist()]
    hold("thresholds", f"choices in {cells} cells", shortened([chosen, sum(looked)]))


def test_cells_hold_about_as_many_each_and_end_at_both_ends() -> None:
    curve = rs.roc_curve(*made(9), pos_label=True)
    for cells in (1, 4, 7, 300, 1000):
        found = CoarseRedraws.of(curve, cells)
        called = (curve.tp + curve.fp)[found.ends]
        assert (called[0], called[-1]) == (0, 300)
        assert found.ends.size == min(cells, 300) + 1
        assert np.diff(called).max() <= -(-300 // cells) + 1
        assert found.fewest() == min(curve.n_pos, curve.n_neg)


def test_a_curve_is_vast_above_its_number_of_vertices(monkeypatch: pytest.MonkeyPatch) -> None:
    y, s = made(9)
    sample = rs.ScoredSample.from_arrays(y, s, pos_label=True)
    curve = rs.roc_curve(sample)
    monkeypatch.setattr(coarse_redraws, "_FINE", curve.tp.size)
    assert not is_vast(sample, curve)
    monkeypatch.setattr(coarse_redraws, "_FINE", curve.tp.size - 1)
    assert is_vast(sample, curve)
    clustered = rs.ScoredSample.from_arrays(y, s, pos_label=True, cluster=np.arange(300) // 2)
    assert not is_vast(clustered, curve)
