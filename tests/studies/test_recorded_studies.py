"""Whole answers of the room, each option given once, are as they were recorded."""

import pytest
from recorded import holds, names


@pytest.mark.parametrize("name", names("studies"))
def test_the_whole_answer_is_as_recorded(name: str) -> None:
    holds("studies", name)
