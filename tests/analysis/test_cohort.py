"""The cohort: which rows are analysed is the sample's to say, and nobody else's."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.analysis.cohort import Cohort
from rocstats.data import sample_fields


def incomplete(seed: int, n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "y": np.where(np.arange(n) % 2 == 0, "ill", "well"),
            "a": rng.normal(size=n),
            "b": rng.normal(size=n).round(1),
            "sex": np.where(rng.random(n) < 0.5, "F", "M"),
            "row": np.arange(n, dtype=float),
        }
    ).astype({"y": object, "a": object})
    frame.loc[rng.random(n) < 0.1, "y"] = None
    frame.loc[rng.random(n) < 0.1, "a"] = None
    frame.loc[rng.random(n) < 0.1, "a"] = "trace"
    frame.loc[rng.random(n) < 0.1, "b"] = np.nan
    return frame


def cohort(frame: pd.DataFrame, **options: Any) -> Cohort:
    return Cohort.of_frame(
        frame,
        outcome="y",
        markers=["a", "b"],
        pos_label="ill",
        indeterminate=["trace"],
        groups=["sex"],
        baseline=["row"],
        **options,
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_sample_tells_which_rows_it_kept(seed: int) -> None:
    frame = incomplete(seed)
    found = cohort(frame)
    kept = found.sample.kept
    assert kept is not None
    assert found.sample.dropped.n == np.count_nonzero(~kept)
    here = frame[kept]
    assert found.sample.scores[1].tolist() == here["b"].tolist()
    assert found.sample.positive.tolist() == (here["y"] == "ill").tolist()
    assert found.groups["sex"].tolist() == here["sex"].tolist()
    assert found.baseline["row"].tolist() == here["row"].tolist()
    lacking = ~found.known | found.missing.any(axis=0) | found.indeterminate.any(axis=0)
    assert kept.tolist() == (~lacking).tolist()
    np.testing.assert_array_equal(found.scores[:, kept], found.sample.scores)
    assert found.positive[kept].tolist() == found.sample.positive.tolist()


def test_the_cohort_follows_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were another rule to leave out more rows, the columns beside the sample would follow."""
    rule = sample_fields.complete_rows

    def stricter(*given: Any) -> Any:
        kept, dropped = rule(*given)
        assert kept is not None
        kept[np.flatnonzero(kept)[:7]] = False
        return kept, dropped

    monkeypatch.setattr(sample_fields, "complete_rows", stricter)
    found = cohort(incomplete(1))
    size = found.sample.positive.size
    assert found.sample.kept is not None
    assert size == np.count_nonzero(found.sample.kept)
    assert found.groups["sex"].size == found.baseline["row"].size == size


def test_a_sample_without_gaps_keeps_no_mask() -> None:
    whole = rs.ScoredSample.from_arrays([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0], nan_policy="omit")
    assert whole.kept is None
    assert Cohort.of_sample(whole, groups={}).is_whole


def test_the_mask_is_of_the_rows_that_were_given() -> None:
    y, s = [1, 0, None, 0, 1], [4.0, 3.0, 2.0, np.nan, 0.0]
    sample = rs.ScoredSample.from_arrays(y, s, nan_policy="omit")
    assert sample.kept is not None
    assert sample.kept.tolist() == [True, True, False, False, True]
    with pytest.raises(ValueError, match="read-only"):
        sample.kept[0] = False
    assert sample.subset(np.array([True, True, False])).kept is None
    part = Cohort.of_sample(sample, groups={"sex": ["F", "M", "F"]})
    assert not part.is_whole
    assert part.known.size == 3
