"""Values from draw counts, against the engine on the blocks of every resample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.resampling.draw_counts import _Anything, _Quick, lay_out
from rocstats.resampling.urn import make_urn

SAME = 1e-13  # one arithmetic against another

MEASURES = {
    "fpr": rs.partial_area(fpr=(0.0, 0.1)),
    "fpr within": rs.partial_area(fpr=(0.07, 0.333)),
    "fpr standardized": rs.partial_area(fpr=(0.0, 0.2), standardized=True),
    "tpr": rs.partial_area(tpr=(0.8, 1.0)),
    "tpr within": rs.partial_area(tpr=(0.31, 0.92), standardized=True),
    "class means": rs.smooth_auc(midpoint="class_mean"),
    "paper": rs.smooth_auc(midpoint="paper"),
    "balanced": rs.smooth_auc(midpoint="class_mean", class_weight="balanced"),
}


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("digits", [None, 1, 2])
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("upwards", [True, False])
def test_values_by_counts_are_those_of_the_engine(
    name: str, digits: int | None, clustered: bool, upwards: bool
) -> None:
    rng = np.random.default_rng(8)
    y = rng.random(120) < 0.4
    s = 1.0 / (1.0 + np.exp(-rng.normal(size=120) - y))
    s = s if digits is None else s.round(digits)
    options: dict[str, Any] = {"cluster": rng.integers(0, 40, size=120)} if clustered else {}
    given = s if upwards else 1.0 - s
    sample = rs.ScoredSample.from_arrays(y, given, higher_is_positive=upwards, **options)
    urn, blocks = make_urn(sample, [0]), sample.blocks(0, ordered=True)
    row = lay_out(sample, 0, MEASURES[name], urn)
    assert isinstance(row, _Quick)
    level = blocks.levels()
    engine = _Anything(
        MEASURES[name], blocks.score, sample.is_flipped(0), level[urn.pos], level[urn.neg]
    )
    pos, neg = urn.draw(rng, 30)
    both = pos.any(axis=1) & neg.any(axis=1)
    wanted, _, _ = engine.influence(pos[both], neg[both])
    np.testing.assert_allclose(row.values(pos[both], neg[both]), wanted, atol=SAME)
