"""Line 19 of issue 14: what ended in an error of another library is an answer or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

RNG = np.random.default_rng(1)
Y = np.arange(40) % 2
S = Y + RNG.normal(size=40)
P = 1.0 / (1.0 + np.exp(-S))
BIG = 2**53
HUGE = 10**400


def test_14_19_a_float_label_among_integers_that_floats_cannot_tell_apart() -> None:
    expected = rs.auc(Y, S).value
    for positive in (float(BIG), np.float64(BIG), BIG):
        labels = [BIG if one else BIG + 1 for one in Y]
        assert rs.auc(labels, S, pos_label=positive).value == expected
    with pytest.raises(rs.InvalidSampleError, match="is not among the labels"):
        rs.auc(np.where(Y == 1, BIG + 1, BIG + 3), S, pos_label=float(BIG))


def test_14_19_an_integer_label_among_floats() -> None:
    floats = np.where(Y == 1, float(BIG), 0.0)
    assert rs.auc(floats, S, pos_label=BIG).value == rs.auc(Y, S).value
    for label in (BIG + 1, HUGE):
        with pytest.raises(rs.InvalidSampleError, match="is not among the labels"):
            rs.auc(floats, S, pos_label=label)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.float32, np.float64, np.bool_])
def test_14_19_labels_of_every_kind_are_found_as_before(kind: Any) -> None:
    for label in (1, 1.0, True, np.int64(1), np.float32(1)):
        assert rs.auc(Y.astype(kind), S, pos_label=label).value == rs.auc(Y, S).value
    for label in (0.5, 300, -1, np.nan, np.inf):
        with pytest.raises(rs.InvalidSampleError, match="is not among the labels"):
            rs.auc(Y.astype(kind), S, pos_label=label)


def test_14_19_integers_of_128_bits() -> None:
    pl = pytest.importorskip("polars")
    if not hasattr(pl, "Int128"):
        pytest.skip("this polars has no integers of 128 bits")
    whole = pl.Series("s", list(range(40)), dtype=pl.Int128)
    expected = rs.auc(Y, np.arange(40)).value
    assert rs.auc(Y, whole).value == expected
    assert rs.auc(pl.Series(Y.tolist(), dtype=pl.Int128), whole).value == expected
    frame = pl.DataFrame({"y": Y.tolist(), "s": whole})
    assert rs.auc(rs.ScoredSample.from_frame(frame, outcome="y", markers="s")).value == expected
    apart = pl.Series("s", [2**100 + i for i in range(40)], dtype=pl.Int128)
    with pytest.raises(rs.InvalidSampleError, match="distinct scores could tie"):
        rs.auc(Y, apart)
    gone = pl.Series("s", [None, *range(39)], dtype=pl.Int128)
    with pytest.raises(rs.InvalidSampleError, match="1 in s"):
        rs.auc(Y, gone)


def test_14_19_a_frame_in_place_of_a_column() -> None:
    with pytest.raises(rs.InvalidSampleError) as refused:
        rs.auc(pd.DataFrame({"y": Y}), S)
    assert str(refused.value) == (
        "A column of values was expected, got a data frame (y); take one of its columns."
    )
    with pytest.raises(rs.InvalidSampleError, match="a data frame"):
        rs.auc(pd.DataFrame({"y": Y, "z": Y}), S)


@pytest.mark.parametrize("digits", [8, 400, 5000])  # Python writes no more than 4300
def test_14_19_numbers_that_are_no_numbers_of_things(digits: int) -> None:
    value = 10**digits
    curves = [rs.roc_curve(Y, S), rs.roc_curve(Y, -S)]
    calls = {
        "n_bins": lambda: rs.calibration_curve(Y, P, n_bins=value),
        "n_bins of Brier": lambda: rs.brier_score(Y, P, n_bins=value),
        "at": lambda: rs.average_curves(curves, at=value),
    }
    for name, ask in calls.items():
        with pytest.raises(rs.InvalidOptionError) as refused:
            ask()
        said = str(refused.value)
        assert f"{name.split()[0]} must be a whole number of at most 1,000,000, got" in said
        assert len(said) < 200


@pytest.mark.parametrize("digits", [400, 5000])
def test_14_19_counts_beyond_all_bounds(digits: int) -> None:
    value = 10**digits
    for ask in (
        lambda: rs.Bootstrap(n_resamples=value),
        lambda: rs.average_curves([rs.roc_curve(Y, S)], at=[value]),
        lambda: rs.auc(Y, S, pos_label=value),
        lambda: rs.auc(Y, [value, *S[1:]]),
    ):
        with pytest.raises(rs.RocstatsError) as refused:
            ask()
        assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    "column",
    [
        lambda cells: cells,
        lambda cells: np.array(cells),
        lambda cells: np.array(cells, dtype=object),
        lambda cells: pd.Series(cells),
        lambda cells: pd.Series([float(c) if c[0] == "0" else c for c in cells], dtype=object),
    ],
)
def test_14_19_the_refusal_names_the_cell_that_is_no_number(column: Any) -> None:
    cells = ["0.5"] * 40
    cells[16] = "n/d"
    with pytest.raises(rs.InvalidSampleError) as refused:
        rs.auc(Y, {"crp": column(cells)})
    assert str(refused.value) == (
        "The scores of crp must be numbers, got 'n/d' in row 17; convert them first."
    )


def test_14_19_numbers_that_are_texts_are_said_to_be_such() -> None:
    with pytest.raises(rs.InvalidSampleError) as refused:
        rs.auc(Y, {"crp": ["0.5"] * 40})
    assert str(refused.value) == (
        "The scores of crp must be numbers, got numbers written as text, such as '0.5' in row 1; "
        "convert them first."
    )
