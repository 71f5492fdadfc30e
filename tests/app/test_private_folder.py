"""The private folder: nobody else's, gone at the end, and after a kill at the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rocstats.app.private_folder import private_folder, sweep

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
        assert sweep(tmp_path) == []
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
    assert sweep(tmp_path) == [tmp_path / "rocstats-app-old"]
    assert (elsewhere / "data.csv").exists()
    assert {path.name for path in tmp_path.iterdir()} == {
        *("precious", "rocstats-app-link", "rocstats-app-file", "other"),
    }


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="needs another owner's folder")
def test_a_folder_of_another_user_stays(tmp_path: Path) -> None:
    theirs = tmp_path / "rocstats-app-theirs"
    theirs.mkdir()
    os.chown(theirs, 12345, 12345)
    assert sweep(tmp_path) == []
    assert theirs.exists()
