"""Files are written whole or not at all, and nothing is left beside them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.places import write_whole


def test_what_could_not_be_written_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    assert write_whole(page, "old") == page
    with pytest.raises(rs.InvalidOptionError, match="could not be written"):
        write_whole(page, "a lone surrogate \ud800")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(rs.InvalidOptionError, match="No space left on device"):
        write_whole(page, "new")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert page.read_text("utf-8") == "old"
