"""Whole answers of the room, each option given once, are as they were recorded."""

import pytest
from recorded import holds, junked, names, refuses


@pytest.mark.parametrize("name", names("thresholds"))
def test_the_whole_answer_is_as_recorded(name: str) -> None:
    holds("thresholds", name)


@pytest.mark.parametrize("name", junked("thresholds"))
def test_what_an_option_cannot_mean_is_answered_as_recorded(name: str) -> None:
    refuses("thresholds", name)
