"""Whole answers of the room, each option given once, are as they were recorded."""

import pytest
from recorded import holds, junked, names, refuses


@pytest.mark.parametrize("name", names("planning"))
def test_the_whole_answer_is_as_recorded(name: str) -> None:
    holds("planning", name)


@pytest.mark.parametrize("name", junked("planning"))
def test_what_an_option_cannot_mean_is_answered_as_recorded(name: str) -> None:
    refuses("planning", name)
