"""Columns of a paper's table: numbers, names, and texts that are broken into lines."""

from __future__ import annotations

from rocstats.reports.paper_page import _WIDE, _kind


def test_a_text_is_long_above_the_width_that_is_not_broken() -> None:
    assert _kind(["x" * _WIDE, "y"]) == "name"
    assert _kind(["x" * (_WIDE + 1), "y"]) == "long"
    assert _kind([1.0, None, "0.93"]) == "number"
