"""Results in words become calls, and nothing is guessed."""

import numpy as np
import pytest

from rocstats.data.word_results import calls_of
from rocstats.errors import InvalidSampleError

YES, NEITHER = frozenset({"pos"}), frozenset({"invalid", "equivocal"})


def test_words_become_calls() -> None:
    calls, yes, no = calls_of(["pos", " neg ", None, "equivocal"], "t", YES, NEITHER)
    assert np.array_equal(calls, [1.0, 0.0, np.nan, np.nan], equal_nan=True)
    assert (yes, no) == ("pos", "neg")


def test_codes_are_words_too() -> None:
    calls, yes, no = calls_of([1.0, 2, "2", 1], "t", frozenset({"1"}), frozenset())
    assert calls.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert (yes, no) == ("1", "2")


def test_a_test_that_called_all_positive_has_no_word_for_negative() -> None:
    assert calls_of(["pos", "pos"], "t", YES, NEITHER)[2] == "not pos"


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["Pos", "neg"], "No result of t is 'pos', named by test_positive=...; it has 'Pos'"),
        ([None, "invalid"], "it has none"),
        (["pos", "neg", "weak"], "name those that are neither with indeterminate"),
    ],
)
def test_what_is_not_clear_is_refused(cells: list, message: str) -> None:
    with pytest.raises(InvalidSampleError) as caught:
        calls_of(cells, "t", YES, NEITHER)
    assert message.split(",")[0][:30] in str(caught.value)
    assert str(caught.value).endswith((".", "?"))
    assert str(caught.value).count("\n") == 0
