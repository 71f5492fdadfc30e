"""The private folder: nobody else's, gone at the end, and after a kill at the next start."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.app.private_folder import PREFIX, private_folder
from rocstats.data.held_folders import remove_dead_folders

HOLD = """
import sys, time
from pathlib import Path
from rocstats.app.private_folder import private_folder
with private_folder(Path(sys.argv[1])) as folder:
    (folder / "data.csv").write_text("secret")
    print(folder, flush=True)
    time.sleep(600)
"""


def test_it_is_private_and_goes_with_its_block(tmp_path: Path) -> None:
    with private_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "inner").mkdir()
        (folder / "inner" / "data.csv").write_text("secret")
    assert list(tmp_path.iterdir()) == []


def test_it_goes_with_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError), private_folder(tmp_path) as folder:
        raise KeyError(folder)
    assert list(tmp_path.iterdir()) == []


def test_one_in_use_stays_and_that_of_a_killed_app_is_removed(tmp_path: Path) -> None:
    call = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        folder = Path(other.stdout.readline().strip())
        assert (folder / "data.csv").exists()
        assert remove_dead_folders(tmp_path, PREFIX) == []
        with private_folder(tmp_path):
            assert (folder / "data.csv").exists()
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert (folder / "data.csv").exists()
        with private_folder(tmp_path):
            assert not folder.exists()


def test_only_folders_of_ours_are_removed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "precious"
    elsewhere.mkdir()
    (elsewhere / "data.csv").write_text("precious")
    (tmp_path / "rocstats-app-link").symlink_to(elsewhere)
    (tmp_path / "rocstats-app-file").write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "rocstats-app-old").mkdir()
    os.utime(tmp_path / "rocstats-app-old", (time.time() - 7200,) * 2)
    assert remove_dead_folders(tmp_path, PREFIX) == [tmp_path / "rocstats-app-old"]
    assert (elsewhere / "data.csv").exists()
    assert {path.name for path in tmp_path.iterdir()} == {
        *("precious", "rocstats-app-link", "rocstats-app-file", "other"),
    }


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="needs another owner's folder")
def test_a_folder_of_another_user_stays(tmp_path: Path) -> None:
    theirs = tmp_path / "rocstats-app-theirs"
    theirs.mkdir()
    os.utime(theirs, (time.time() - 7200,) * 2)
    os.chown(theirs, 12345, 12345)
    assert remove_dead_folders(tmp_path, PREFIX) == []
    assert theirs.exists()


def test_a_folder_that_another_app_just_made_stays(tmp_path: Path) -> None:
    begun = tmp_path / "rocstats-app-begun"  # its lock comes next
    begun.mkdir()
    with private_folder(tmp_path):
        assert begun.exists()


def test_where_nothing_can_be_locked_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(rs.InvalidOptionError, match=r"\(No locks available\).*TMPDIR"):
        private_folder(tmp_path).__enter__()
    assert list(tmp_path.iterdir()) == []
