"""Files are written whole or not at all, and nothing is left beside them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.places import check_folder, made_folder, write_whole


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


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("file", "is no folder"),
        ("file/new", "Not a directory"),
        ("nowhere", "is no folder"),
        ("nowhere/new", "is no folder"),
        ("loop", "symbolic links"),
        ("x" * 300, "name too long"),
        ("a\0b", "null byte|null character"),
    ],
)
def test_a_folder_is_refused_before_it_is_made_as_when_it_is(
    tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for call in (check_folder, made_folder):
        with pytest.raises(rs.InvalidOptionError, match=f"cannot be made: .*({why})"):
            call(tmp_path / name)


def test_a_folder_that_may_be_made_is_not_made_by_asking(tmp_path: Path) -> None:
    check_folder(tmp_path / "new" / "within")
    assert not list(tmp_path.iterdir())
    assert made_folder(tmp_path / "new" / "within").is_dir()
